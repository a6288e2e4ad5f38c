//! Tasks of a `taskloop` that nothing but their number tells apart, and which nodes share.
//!
//! A node for each thread stands for a range of them. Who has come to the end of a range takes half of what
//! another one has left. So any thread that is idle finds some of the tasks, and none of them waits behind
//! one that takes long, but for the few that a thread takes together where many are left.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Of what is left, the part that a thread takes at a time, and the most.
const SHARE: u32 = 64;
const MOST_TOGETHER: u32 = 16;

/// Tasks with numbers from `first` on that nodes share: a part for each of them.
pub(crate) struct Ranges {
    first: u64,
    parts: Box<[Part]>,
}

/// Tasks that have not begun, counted from [`Ranges::first`]: the next in the lower half, the end above it.
#[repr(align(128))]
struct Part(AtomicU64);

/// What a node stands for.
pub(crate) struct Piece {
    /// The tasks of all nodes.
    pub(super) ranges: Arc<Ranges>,
    /// Its part.
    pub(super) own: usize,
}

impl Piece {
    /// Tasks that its executor does next, by their numbers: those of its part, and then of others.
    pub(super) fn next(&self) -> Option<std::ops::Range<u64>> {
        let (from, to) = self.ranges.next(self.own)?;
        Some(self.ranges.first + u64::from(from)..self.ranges.first + u64::from(to))
    }
}

fn pack(next: u32, end: u32) -> u64 {
    u64::from(end) << 32 | u64::from(next)
}

fn unpack(part: u64) -> (u32, u32) {
    (part as u32, (part >> 32) as u32)
}

impl Part {
    /// Takes tasks as `choose` says: of those from the first number up to the second, which are some, it
    /// gives those that stay and those that are taken.
    fn take(&self, choose: impl Fn(u32, u32) -> ((u32, u32), (u32, u32))) -> Option<(u32, u32)> {
        let mut now = self.0.load(Ordering::Relaxed);
        loop {
            let (next, end) = unpack(now);
            if next >= end {
                return None;
            }
            let ((stay, until), taken) = choose(next, end);
            let then = pack(stay, until);
            match self.0.compare_exchange_weak(now, then, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(taken),
                Err(other) => now = other,
            }
        }
    }
}

impl Ranges {
    /// Nearly equal parts.
    pub(super) fn new(first: u64, tasks: u32, count: u32) -> Ranges {
        let (size, larger) = (tasks / count, tasks % count);
        let start = |index: u32| index * size + index.min(larger);
        let parts = (0..count).map(|index| Part(AtomicU64::new(pack(start(index), start(index + 1)))));
        Ranges { first, parts: parts.collect() }
    }

    /// The next tasks of a part, which only the executor of its node fills again.
    fn next(&self, own: usize) -> Option<(u32, u32)> {
        loop {
            let taken = self.parts[own].take(|next, end| {
                let to = next + ((end - next) / SHARE).clamp(1, MOST_TOGETHER);
                ((to, end), (next, to))
            });
            if taken.is_some() {
                return taken;
            }
            let (from, to) = self.steal(own)?;
            self.parts[own].0.store(pack(from, to), Ordering::Relaxed);
        }
    }

    /// Half of what a part of another node still has.
    fn steal(&self, own: usize) -> Option<(u32, u32)> {
        let count = self.parts.len();
        let others = (1..count).map(|step| &self.parts[(own + step) % count]);
        let mut stolen = others.filter_map(|part| {
            part.take(|next, end| {
                let from = next + (end - next) / 2;
                ((next, from), (from, end))
            })
        });
        stolen.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_is_taken_once() {
        for (tasks, count) in [(1, 1), (7, 3), (1000, 4), (u32::MAX, 2)] {
            let ranges = Ranges::new(0, tasks, count);
            let mut left = u64::from(tasks);
            // The last part goes through its own tasks and then through those of the others.
            let mut steps = 0;
            while let Some((from, to)) = ranges.next(count as usize - 1) {
                assert!(from < to && to <= tasks);
                left -= u64::from(to - from);
                steps += 1;
                if steps == 100_000 {
                    break;
                }
            }
            assert!(left == 0 || steps == 100_000, "{tasks} {count}: {left}");
        }
    }

    #[test]
    fn half_of_what_is_left_is_stolen() {
        let ranges = Ranges::new(0, 20, 2);
        assert_eq!(ranges.steal(1), Some((5, 10)));
        assert_eq!(ranges.steal(1), Some((2, 5)));
        assert_eq!(ranges.next(0), Some((0, 1)));
        assert_eq!(ranges.steal(1), Some((1, 2)));
        assert_eq!(ranges.steal(1), None);
        assert_eq!(ranges.steal(0), Some((15, 20)));
    }
}
