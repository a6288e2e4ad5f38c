//! The end of a run that judges the program: the judgement is the exit status.

use crate::fatal::{failed, warn};
use std::ffi::{c_int, c_void};
use std::io::Write as _;
use std::sync::OnceLock;

/// Exit status of a program that is judged wrong.
const WRONG: c_int = 1;

/// What a run has shown.
pub(crate) struct Conclusion {
    /// In a line.
    pub(crate) text: String,
    /// The exit status says so.
    pub(crate) is_wrong: bool,
}

static CONCLUDE: OnceLock<fn() -> Conclusion> = OnceLock::new();

/// Concludes when the program ends. To be called before other handlers are registered, so that this one runs
/// last; a run has one judge.
pub(crate) fn at_exit(conclude: fn() -> Conclusion) {
    // SAFETY: the handler is a function of this process.
    if unsafe { on_exit(finish, std::ptr::null_mut()) } != 0 {
        warn(format_args!(
            "the end of the program cannot be observed; there will be no summary of the check"
        ));
    }
    let _ = CONCLUDE.set(conclude);
}

// Of the C library: as `atexit`, with the status.
unsafe extern "C" {
    fn on_exit(handler: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// The end of the program, after its own handlers. A program that failed keeps its status.
extern "C" fn finish(status: c_int, _: *mut c_void) {
    let Some(conclude) = CONCLUDE.get() else { return };
    if failed() {
        return;
    }
    let Conclusion { text, is_wrong } = conclude();
    if status != 0 {
        warn(format_args!("check: the program itself ended with status {status}"));
    }
    warn(format_args!("check: {text}"));
    let _ = std::io::stderr().flush();
    // SAFETY: all handlers have run but those of the C library, which flush streams; the status is the
    // check's.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(if is_wrong { WRONG } else { 0 });
    }
}
