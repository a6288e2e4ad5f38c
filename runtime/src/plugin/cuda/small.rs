//! Small blocks of device memory, kept by the queue that gave them back.
//!
//! The driver takes 3 us to allocate and free the few bytes of a scalar, a sixth of what a synchronous sum
//! takes. Blocks of one size come back to the queue that frees them, whose later work may use them at once;
//! nobody else may, since that queue's work so far still does.

use crate::plugin::Queue;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of each block: the driver's pools give no less.
pub(super) const BYTES: usize = 512;
/// Blocks that a queue keeps, at most.
const KEPT: usize = 256;

/// The blocks of a device.
#[derive(Default)]
pub(super) struct Small {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Blocks in use.
    live: FxHashSet<u64>,
    /// Blocks that only work of this queue may use.
    idle: FxHashMap<Queue, Vec<u64>>,
}

impl Small {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block that the queue has kept.
    pub(super) fn take(&self, queue: Queue) -> Option<u64> {
        let state = &mut *self.state();
        let address = state.idle.get_mut(&queue)?.pop()?;
        state.live.insert(address);
        Some(address)
    }

    /// The driver has allocated a block of [`BYTES`] bytes.
    pub(super) fn allocated(&self, address: u64) {
        self.state().live.insert(address);
    }

    /// Whether an address is one of a block in use.
    pub(super) fn is_live(&self, address: u64) -> bool {
        self.state().live.contains(&address)
    }

    /// Memory is given back; says whether the queue keeps it, which not every one does.
    pub(super) fn keep(&self, address: u64, queue: Option<Queue>) -> bool {
        let state = &mut *self.state();
        if !state.live.remove(&address) {
            return false;
        }
        let Some(queue) = queue else { return false };
        let idle = state.idle.entry(queue).or_default();
        let keeps = idle.len() < KEPT;
        if keeps {
            idle.push(address);
        }
        keeps
    }

    /// What a queue that is about to end has kept.
    pub(super) fn leave(&self, queue: Queue) -> Vec<u64> {
        self.state().idle.remove(&queue).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stay_with_the_queue_that_gave_them_back() {
        let (small, one, other) = (Small::default(), Queue(16), Queue(32));
        assert_eq!(small.take(one), None);
        assert!(!small.keep(4096, Some(one)), "memory of another size");
        small.allocated(512);
        assert!(small.keep(512, Some(other)) && !small.keep(512, Some(other)));
        assert_eq!(small.take(one), None);
        assert_eq!(small.take(other), Some(512));
        for block in 1..=KEPT as u64 {
            small.allocated(1024 * block);
            assert!(small.keep(1024 * block, Some(one)));
        }
        assert!(!small.keep(512, Some(one)), "too many");
        assert_eq!(small.leave(one).len(), KEPT);
        assert_eq!(small.take(one), None);
    }
}
