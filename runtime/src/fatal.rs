//! Errors of the program that the runtime finds.

use std::fmt;

/// Ends the program with a message: what C runtimes do when an API call cannot be carried out.
pub(crate) fn fatal(message: fmt::Arguments<'_>) -> ! {
    eprintln!("accrue: {message}");
    // SAFETY: `exit` may be called from any thread; it runs the program's own `atexit` handlers.
    unsafe { libc::exit(1) }
}
