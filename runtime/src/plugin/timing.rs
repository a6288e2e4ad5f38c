//! Whether the times of a device's work matter.

use std::sync::atomic::{AtomicBool, Ordering};

static TIMED: AtomicBool = AtomicBool::new(false);

/// Whether somebody wants to know how long work takes: then events have times, and launches give theirs.
pub fn is_timed() -> bool {
    TIMED.load(Ordering::Relaxed)
}

/// Says whether somebody does, before the first work.
pub(crate) fn set_timed(timed: bool) {
    TIMED.store(timed, Ordering::Relaxed);
}
