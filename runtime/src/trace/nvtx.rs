//! Ranges of NVTX, which NVIDIA's profilers show beside kernels and copies: what a thread of the host does
//! for the program's directives, and where it waits. Only if a profiler is there, or `ACCRUE_NVTX` asks for
//! them: the library is not even looked for otherwise, and may be missing.

use crate::fatal::warn;
use cudarc::nvtx::{result, sys};
use std::sync::atomic::{AtomicBool, Ordering};

static ON: AtomicBool = AtomicBool::new(false);

/// What NVTX's library takes the profiler's own from; profilers set it.
const INJECTION: &str = "NVTX_INJECTION64_PATH";

/// Reads the environment.
pub(crate) fn start() {
    let value = std::env::var_os("ACCRUE_NVTX");
    let is_asked = value.as_ref().is_some_and(|value| !value.is_empty() && value != "0");
    let is_refused = value.is_some() && !is_asked;
    if is_refused || !is_asked && std::env::var_os(INJECTION).is_none() {
        return;
    }
    // SAFETY: this looks for the library only.
    match unsafe { sys::is_culib_present() } {
        true => ON.store(true, Ordering::Relaxed),
        false if is_asked => warn(format_args!("ACCRUE_NVTX: there is no libnvToolsExt here, so no ranges")),
        false => {}
    }
}

/// Whether ranges are wanted.
#[inline]
pub(super) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// A range of this thread, until it is dropped. Ranges of a thread are nested.
pub(super) struct Range(());

impl Range {
    /// Begins a range.
    pub(super) fn new(name: &str) -> Range {
        result::range_push(name.replace('\0', "?"));
        Range(())
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        result::range_pop();
    }
}
