//! Small copies to the host behind a region that the host waits for.
//!
//! The driver waits in each copy to memory that is not pinned, so that a region with a scalar result would be
//! waited for twice: a sum of a few elements takes 20 us that way, 11 with one wait. These copies go to
//! pinned memory, and from there to their places when the host has waited for the queue.

use super::driver::pinned;
use super::tape;
use crate::plugin::{Queue, Result};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of such a copy, at most.
pub(super) const MOST: usize = 64;
/// Bytes of pinned memory that are taken from the driver at once.
const PAGE: usize = 64 << 10;

/// The copies of a device.
#[derive(Default)]
pub(super) struct Late {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Pinned memory that nobody uses, [`MOST`] bytes each.
    idle: Vec<usize>,
    /// Copies that queues are to make, or have made.
    waiting: FxHashMap<Queue, Vec<Copy>>,
}

/// A copy that has arrived in pinned memory when its queue is done.
struct Copy {
    from: usize,
    to: usize,
    bytes: usize,
}

impl Late {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy that the queue will make to pinned memory; behind [`Late::arrive`] its bytes, at most [`MOST`],
    /// are in their place.
    pub(super) fn expect(
        &self,
        (to, source, bytes): (*mut u8, u64, usize),
        queue: Queue,
    ) -> Result<tape::Late> {
        let mut state = self.state();
        let slot = match state.idle.pop() {
            Some(slot) => slot,
            None => {
                let page = pinned(PAGE)?;
                state.idle.extend((1..PAGE / MOST).map(|slot| page + slot * MOST));
                page
            }
        };
        let copy = Copy { from: slot, to: to.expose_provenance(), bytes };
        state.waiting.entry(queue).or_default().push(copy);
        Ok(tape::Late { source, slot, bytes, is_last: false })
    }

    /// The host has waited for a queue: what it has copied comes to its place, unless the queue failed.
    pub(super) fn arrive(&self, queue: Queue, is_sound: bool) {
        let state = &mut *self.state();
        let Some(waiting) = state.waiting.get_mut(&queue) else { return };
        for Copy { from, to, bytes } in waiting.drain(..) {
            if is_sound {
                let source = std::ptr::with_exposed_provenance::<u8>(from);
                let place = std::ptr::with_exposed_provenance_mut::<u8>(to);
                // SAFETY: whoever expects the copy lets its place be written until now; the slot is its own.
                unsafe { place.copy_from_nonoverlapping(source, bytes) };
            }
            state.idle.push(from);
        }
    }
}
