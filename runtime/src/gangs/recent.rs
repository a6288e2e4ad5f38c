//! How long the gangs of a region have taken of late, on one thread: too short a time is not worth sharing.
//!
//! A launch that shares its gangs costs 1 to 3 us more than one that does not, on two processors of a virtual
//! machine (2026-11-23): lines of memory travel between the processors several times.

use crate::abi::HostEntry;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Nanoseconds up to which a launch is short.
const SHORT: u32 = 4000;

/// Places for regions. Two that share one are both taken for the longer.
const PLACES: usize = 1024;

static PLACE: [Recent; PLACES] = [const { Recent(AtomicU32::new(u32::MAX)) }; PLACES];

/// The times of a region in nanoseconds: a long one counts at once, and is forgotten over several short ones,
/// so that a region whose launches differ in size, on the grids of a multigrid method for instance, is
/// shared.
pub(super) struct Recent(AtomicU32);

/// Those of the region with this code.
pub(super) fn of(entry: HostEntry) -> &'static Recent {
    // The code of a function begins at a multiple of 16.
    &PLACE[(entry as usize >> 4) % PLACES]
}

impl Recent {
    /// Whether none of the last launches was long.
    pub(super) fn is_short(&self) -> bool {
        self.0.load(Ordering::Relaxed) <= SHORT
    }

    /// A launch has taken so long, or would have on one thread.
    pub(super) fn note(&self, time: Duration) {
        let time = u32::try_from(time.as_nanos()).unwrap_or(u32::MAX);
        let known = self.0.load(Ordering::Relaxed);
        // Which launch counts if several end at the same time does not matter.
        self.0.store(time.max(known - known.saturating_sub(time).div_ceil(4)), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_launch_is_remembered_for_a_while() {
        let recent = Recent(AtomicU32::new(u32::MAX));
        assert!(!recent.is_short());
        let launches_until_short = |recent: &Recent| {
            (1..).find(|_| {
                recent.note(Duration::from_nanos(300));
                recent.is_short()
            })
        };
        assert!(launches_until_short(&recent).is_some_and(|launches| launches < 60));
        recent.note(Duration::from_millis(1));
        assert!(!recent.is_short());
        assert!(launches_until_short(&recent).is_some_and(|launches| launches > 10));
        recent.note(Duration::from_secs(100));
        assert_eq!(recent.0.into_inner(), u32::MAX);
    }
}
