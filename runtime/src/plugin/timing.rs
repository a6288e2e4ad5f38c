//! Whether the times of a device's work matter, and whether devices put work off.

use std::sync::atomic::{AtomicBool, Ordering};

static TIMED: AtomicBool = AtomicBool::new(false);
static LAZY: AtomicBool = AtomicBool::new(false);

/// Whether somebody wants to know how long work takes: then events have times, and launches give theirs.
pub fn is_timed() -> bool {
    TIMED.load(Ordering::Relaxed)
}

/// Says whether somebody does, before the first work.
pub(crate) fn set_timed(timed: bool) {
    TIMED.store(timed, Ordering::Relaxed);
}

/// Whether some device does its work only when something waits for it ([`super::Device::advance`]).
#[inline]
pub(crate) fn is_lazy() -> bool {
    LAZY.load(Ordering::Relaxed)
}

/// Says that some device does, before its first work.
pub fn set_lazy() {
    LAZY.store(true, Ordering::Relaxed);
}
