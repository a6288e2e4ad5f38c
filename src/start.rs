//! Where the process starts: C's `main` instead of the standard library's, which reads the list of mappings
//! and makes a stack for signals, a thirtieth of the time that a short program takes. The compiler has a
//! stack and handlers of its own.

use std::ffi::{c_char, c_int};
use std::panic;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

/// The status that the process exits with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status(pub u8);

impl Status {
    /// All is well.
    pub const SUCCESS: Status = Status(0);
    /// Something is not.
    pub const FAILURE: Status = Status(1);
    /// A panic, with the number that the standard library has for it.
    const PANICKED: Status = Status(101);
}

/// Whether a broken pipe ended this process when it started, and so is to end a program that it runs.
static PIPES_KILL: AtomicBool = AtomicBool::new(false);

/// The C library calls it; tests have a `main` of their own.
#[cfg_attr(not(test), unsafe(export_name = "main"))]
#[cfg_attr(test, unsafe(export_name = "accrue_main"))]
extern "C" fn start(_count: c_int, _arguments: *const *const c_char) -> c_int {
    // A write to a pipe that nobody reads is an error like others for the compiler.
    // SAFETY: this is the only thread.
    let before = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    PIPES_KILL.store(before == libc::SIG_DFL, Ordering::Relaxed);
    let Status(code) = panic::catch_unwind(crate::run).unwrap_or(Status::PANICKED);
    process::exit(code.into())
}

/// Gives a program that is about to start what it would have without the compiler: a broken pipe ends it.
pub fn restore_pipes() {
    if PIPES_KILL.load(Ordering::Relaxed) {
        // SAFETY: nobody has installed a handler.
        unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    }
}
