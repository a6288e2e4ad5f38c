//! The end of the process by a signal, after one line on standard error.

use std::ffi::c_int;
use std::ptr;

/// Ends the process by a signal, after a message. For faults that this crate detects on the program's behalf.
pub(crate) fn die(signal: c_int, message: &str) -> ! {
    say(message);
    end_by(signal)
}

/// Writes a line to standard error. What cannot be written is lost.
pub(crate) fn say(message: &str) {
    let line = format!("{message}\n");
    // SAFETY: the bytes are readable.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}

/// Ends the process by a signal's default action.
pub(crate) fn end_by(signal: c_int) -> ! {
    // SAFETY: restores the default action of the signal, lets it through, and raises it.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, ptr::null_mut());
        libc::raise(signal);
        libc::_exit(128 + signal)
    }
}
