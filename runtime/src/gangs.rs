//! Gangs of regions on the host.

use crate::abi::ConstructKind;
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

thread_local! {
    /// The region that this thread executes as a device.
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

/// The gang that this thread executes, if it executes one.
pub(crate) fn region() -> Option<HostRegion> {
    REGION.get()
}

static CONFIGURED: AtomicU32 = AtomicU32::new(1);

/// Sets how many gangs the host has, at least one.
pub(crate) fn configure(gangs: u32) {
    CONFIGURED.store(gangs.max(1), Ordering::Relaxed);
}

/// How many gangs the host has.
pub(crate) fn configured() -> u32 {
    CONFIGURED.load(Ordering::Relaxed)
}

/// Gangs of a launch, which run in turn, each the whole region.
///
/// That is one unless the command line configures more; then a number that the program asks for still bounds
/// it, so that `num_gangs(1)` means one, and `serial` always has one. So has `kernels`, whose statements
/// outside loops are to be executed once and not by every gang. Of a `num_gangs` with several arguments the
/// first counts: in its further dimensions the host has one gang each.
pub(crate) fn number_of_gangs(kind: ConstructKind, asked: i64, configured: u32) -> u64 {
    let configured = u64::from(configured);
    match (kind, asked) {
        (ConstructKind::Parallel, 1..) => configured.min(asked as u64),
        (ConstructKind::Parallel, _) => configured,
        (ConstructKind::Serial | ConstructKind::Kernels | ConstructKind::Team | ConstructKind::Task, _) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gangs() {
        assert_eq!(number_of_gangs(ConstructKind::Parallel, 0, 3), 3);
        assert_eq!(number_of_gangs(ConstructKind::Parallel, 1, 3), 1);
        assert_eq!(number_of_gangs(ConstructKind::Kernels, 2, 3), 1);
        assert_eq!(number_of_gangs(ConstructKind::Parallel, 100, 3), 3);
        assert_eq!(number_of_gangs(ConstructKind::Parallel, -5, 3), 3);
        assert_eq!(number_of_gangs(ConstructKind::Serial, 0, 3), 1);
        assert_eq!(number_of_gangs(ConstructKind::Parallel, 8, 1), 1);
    }
}
