//! Output of a region that runs twice.

use crate::check::is_on;
use std::ffi::c_int;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

static SILENT: Mutex<()> = Mutex::new(());

/// While this lives, what is printed goes nowhere: a region that runs twice prints once.
pub(crate) struct Silence {
    saved: Option<OwnedFd>,
    _only: MutexGuard<'static, ()>,
}

impl Silence {
    /// Begins, if results are checked.
    pub(crate) fn begin() -> Option<Silence> {
        if !is_on() {
            return None;
        }
        let only = SILENT.lock().unwrap_or_else(PoisonError::into_inner);
        flush();
        let saved = File::options().write(true).open("/dev/null").ok().and_then(|nowhere| {
            let copy = duplicate(libc::STDOUT_FILENO)?;
            replace(nowhere.as_raw_fd());
            Some(copy)
        });
        Some(Silence { saved, _only: only })
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        flush();
        if let Some(saved) = &self.saved {
            replace(saved.as_raw_fd());
        }
    }
}

// Of the C library.
unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

/// Other streams may be in use: a thread that waits for input holds its stream.
fn flush() {
    // SAFETY: the stream is open as long as the process lives.
    unsafe { libc::fflush(stdout) };
}

fn duplicate(fd: c_int) -> Option<OwnedFd> {
    // SAFETY: makes a descriptor of its own, of one above those that programs name.
    let copy = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 3) };
    // SAFETY: the descriptor is new.
    (copy >= 0).then(|| unsafe { OwnedFd::from_raw_fd(copy) })
}

fn replace(by: c_int) {
    // SAFETY: the descriptor is open. If the system refuses, the region prints twice.
    unsafe { libc::dup2(by, libc::STDOUT_FILENO) };
}
