//! The host's memory, as far as copies of queues read and write it: two copies that nothing orders, and of
//! which one changes bytes there, race as accesses to the device's memory do. Two tasks that map the same
//! variable, each for itself, share nothing else.

use crate::queue::{Asker, HostAccess, Order, QueueId};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Copies that are remembered at most: races with older ones are missed.
const MOST: usize = 1 << 12;

/// A copy that nobody is known to have waited for.
#[derive(Debug)]
struct HostCopy {
    place: Range<u64>,
    is_write: bool,
    queue: QueueId,
    sequence: u32,
    access: HostAccess,
    asker: Option<Arc<Asker>>,
}

/// What copies have done in the host's memory.
#[derive(Debug, Default)]
pub(crate) struct HostMemory {
    copies: VecDeque<HostCopy>,
}

impl HostMemory {
    /// Adds a copy. If it races with another one, gives what that does, and who asked for it.
    pub(crate) fn add(
        &mut self,
        order: &Order,
        access: HostAccess,
        place: Range<u64>,
        is_write: bool,
    ) -> Option<(HostAccess, Option<Arc<Asker>>)> {
        let &Order { queue, sequence, ref asker, .. } = order;
        let new = HostCopy { place, is_write, queue, sequence, access, asker: asker.clone() };
        let meets = |old: &&HostCopy| {
            old.place.start < new.place.end
                && new.place.start < old.place.end
                && (old.is_write || new.is_write)
                && !order.is_behind(old.queue, old.sequence)
        };
        if let Some(old) = self.copies.iter().find(meets) {
            return Some((old.access, old.asker.clone()));
        }
        if new.sequence != 0 {
            // Whoever meets an old copy that this one hides meets this one.
            let is_hidden = |old: &HostCopy| {
                new.place.start <= old.place.start
                    && old.place.end <= new.place.end
                    && new.is_write >= old.is_write
                    && order.is_behind(old.queue, old.sequence)
            };
            self.copies.retain(|old| !is_hidden(old));
            if self.copies.len() == MOST {
                self.copies.pop_front();
            }
            self.copies.push_back(new);
        }
        None
    }
}
