//! The region that a thread of the host executes.

use std::cell::Cell;

thread_local! {
    /// That of this thread.
    static REGION: Cell<Option<HostRegion>> = const { Cell::new(None) };
}

/// A gang of a region that a thread of the host executes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostRegion {
    /// Its number, and how many there are.
    pub(crate) gang: (u64, u64),
    /// It is on a device with memory of its own, not on the initial one.
    pub(crate) separate: bool,
}

/// Executes a gang.
pub(crate) fn in_region(region: HostRegion, gang: impl FnOnce()) {
    let outer = REGION.replace(Some(region));
    gang();
    REGION.set(outer);
}

/// The region that this thread executes.
pub(super) fn region() -> Option<HostRegion> {
    REGION.get()
}
