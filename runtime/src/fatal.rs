//! Errors of the program that the runtime finds.

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static FAILED: AtomicBool = AtomicBool::new(false);

/// Ends the program with a message: what C runtimes do when an API call cannot be carried out.
#[cold]
pub(crate) fn fatal(message: fmt::Arguments<'_>) -> ! {
    warn(message);
    FAILED.store(true, Ordering::Relaxed);
    // SAFETY: `exit` may be called from any thread; it runs the program's own `atexit` handlers.
    unsafe { libc::exit(1) }
}

/// Says something on the standard error stream. A program may have closed that stream; then nobody listens.
#[cold]
pub(crate) fn warn(message: fmt::Arguments<'_>) {
    // One write, so that messages of several threads do not mix.
    let text = format!("accrue: {message}\n");
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Whether the program ends because of an error.
pub(crate) fn failed() -> bool {
    FAILED.load(Ordering::Relaxed)
}
