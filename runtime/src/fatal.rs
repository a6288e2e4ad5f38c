//! Errors of the program that the runtime finds.

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static FAILED: AtomicBool = AtomicBool::new(false);

/// Ends the program with a message: what C runtimes do when an API call cannot be carried out.
#[cold]
pub(crate) fn fatal(message: fmt::Arguments<'_>) -> ! {
    fatal_text(&format!("accrue: {message}\n"))
}

/// Ends the program with a text that needs no more words.
#[cold]
pub(crate) fn fatal_text(text: &str) -> ! {
    say(text);
    FAILED.store(true, Ordering::Relaxed);
    // SAFETY: `exit` may be called from any thread; it runs the program's own `atexit` handlers.
    unsafe { libc::exit(1) }
}

/// Says something on the standard error stream.
#[cold]
pub(crate) fn warn(message: fmt::Arguments<'_>) {
    say(&format!("accrue: {message}\n"));
}

/// Tells of a mistake after which the program goes on.
#[cold]
pub(crate) fn tell(finding: &crate::finding::Finding) {
    say(&finding.text());
}

/// One write, so that messages of several threads do not mix. A program may have closed the stream; then
/// nobody listens.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Whether the program ends because of an error.
pub(crate) fn failed() -> bool {
    FAILED.load(Ordering::Relaxed)
}
