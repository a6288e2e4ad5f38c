//! The tasks of a `taskloop`: one directive creates all of them, and each asks for its number.
//!
//! Tasks that nothing but the number tells apart have no nodes: a node for each thread stands for a range of
//! them, and whoever executes such a node executes its tasks one by one, as tasks that are included there.
//! Who has come to the end of a range takes half of what another one has left. So any thread that is idle
//! finds some of the tasks, and none of them waits behind one that takes long, but for the few that a thread
//! takes together where many are left.

use super::clauses::Clauses;
use super::create::{Arguments, Kind, create_with_maps, submit};
use super::node::{Node, Parts, Work};
use super::run::execute_numbered;
use crate::abi::LaunchDesc;
use crate::team::member::Member;
use crate::trace;
use crate::values::Values;
use smallvec::SmallVec;
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
    ranges: Arc<Ranges>,
    /// Its part.
    own: usize,
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
    fn new(first: u64, tasks: u32, count: u32) -> Ranges {
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

/// A `taskloop` of so many tasks.
pub(super) fn create(
    member: &Member,
    desc: &'static LaunchDesc,
    kind: Kind,
    (tasks, clauses): (u64, &Clauses),
    values: &Values,
) {
    let mut cursor = values.clone();
    let mut arguments = Arguments::read(desc, &mut cursor);
    if arguments.bytes() > 0 || trace::is_on() {
        for number in 0..tasks {
            let kind = Kind { may_be_included: false, ..kind };
            create_with_maps(member, desc, kind, (number, clauses), &mut values.clone());
        }
        return;
    }
    let list: SmallVec<[u64; 16]> = arguments.list().collect();
    if kind.may_be_included {
        for number in 0..tasks {
            execute_numbered(member, kind.work, kind.is_final, list.as_ptr(), number);
        }
        return;
    }
    let mut first = 0;
    while first < tasks {
        let some = u32::try_from(tasks - first).unwrap_or(u32::MAX);
        let count = member.team.size().min(some);
        let ranges = Arc::new(Ranges::new(first, some, count));
        for own in 0..count as usize {
            let piece = Piece { ranges: Arc::clone(&ranges), own };
            create_piece(member, desc, (piece, &list), (kind.is_final, clauses.priority()));
        }
        first += u64::from(some);
    }
}

fn create_piece(
    member: &Member,
    desc: &'static LaunchDesc,
    (piece, args): (Piece, &[u64]),
    (is_final, priority): (bool, u32),
) {
    let place = Node::create(Parts {
        work: Work::Loop(desc),
        target: None,
        piece: Some(Box::new(piece)),
        parent: member.task(),
        priority,
        is_final,
        is_awaited: false,
        edges: 0,
        args: args.len(),
        bytes: 0,
    });
    member.slot().count_created();
    // SAFETY: the node is new, has room for so many arguments, and this thread has its reference.
    unsafe { place.as_ref().args().copy_from_nonoverlapping(args.as_ptr(), args.len()) };
    submit(member, place, &[]);
}

/// Executes tasks of a node's piece, and of others that have more left.
pub(super) fn execute(member: &Member, node: &Node, desc: &'static LaunchDesc) {
    let Some(piece) = &node.piece else { unreachable!("the node of a loop has a piece of it") };
    while let Some((from, to)) = piece.ranges.next(piece.own) {
        for number in from..to {
            let number = piece.ranges.first + u64::from(number);
            execute_numbered(member, Work::Host(desc, 1), node.is_final, node.args(), number);
        }
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
