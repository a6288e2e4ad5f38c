//! A warp: lanes that are at the same instruction run as a group; groups that meet again merge.

use super::frame::{Frame, Values};
use super::local::LocalStack;
use crate::alu::{LANES, Lanes};
use crate::memory::space::Scope;
use crate::race::clock::Knowledge;
use crate::special::SPECIALS;
use std::rc::Rc;
use std::sync::Arc;

/// Why a group does not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Ready,
    /// Before a barrier, until the other lanes of the warp come.
    Converge,
    /// Before an instruction of several lanes, until those of the mask come.
    Lanes(u32),
    /// At `bar.warp.sync`.
    WarpBarrier(u32),
    /// Where lanes that have parted wait for the rest of their group.
    Join,
    /// At a barrier of the CTA.
    Barrier(u32),
    /// At a barrier object whose phase is not over.
    Asleep,
}

/// An instruction that some lanes execute.
#[derive(Clone, Copy)]
pub(super) struct Now {
    pub(super) frame: usize,
    pub(super) pc: u32,
    pub(super) act: u32,
}

/// Where lanes meet that have parted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Join {
    pub(super) frame: usize,
    pub(super) pc: u32,
    /// All that were together.
    pub(super) mask: u32,
    /// The instruction that parted them.
    pub(super) parted: u32,
}

impl Join {
    /// Whether the lanes meet in a frame.
    pub(super) fn is_of(&self, frame: usize) -> bool {
        self.frame == frame
    }
}

/// A group that may be spinning, and what it looked like at the last look.
#[derive(Debug, Default)]
pub(super) struct Watch {
    pub(super) frame: usize,
    pub(super) mask: u32,
    /// The count of changes of memory since which it is watched.
    pub(super) changes: u64,
    /// Backward jumps since the last look.
    pub(super) visits: u32,
    /// Backward jumps until the next look.
    pub(super) limit: u32,
    /// There has been a look: the place, and the values.
    pub(super) looked: bool,
    pub(super) pc: u32,
    pub(super) values: Values,
}

/// Lanes at the same instruction.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) frame: usize,
    pub(super) pc: u32,
    pub(super) mask: u32,
    pub(super) state: State,
    /// Where its lanes meet others again, the next one last; if only the structure of the program makes them
    /// meet.
    pub(super) joins: Vec<Join>,
    /// Turns that it used up while others waited.
    pub(super) yields: u32,
    /// It has run long without a change in memory.
    pub(super) watch: Option<Box<Watch>>,
    pub(super) watched: bool,
    /// It will repeat what it does until memory changes: the count of changes that this was seen at.
    pub(super) spinning: Option<u64>,
}

impl Group {
    pub(super) fn new(frame: usize, pc: u32, mask: u32) -> Group {
        Group {
            frame,
            pc,
            mask,
            state: State::Ready,
            joins: Vec::new(),
            yields: 0,
            watch: None,
            watched: false,
            spinning: None,
        }
    }

    /// Whether lanes that come to the same instruction can join it.
    fn is_open(&self) -> bool {
        matches!(self.state, State::Ready | State::Converge | State::Lanes(_))
    }

    /// Takes in the lanes of a group that has come to the same instruction.
    pub(super) fn take_in(&mut self, other: &Group) {
        self.mask |= other.mask;
        self.yields = self.yields.min(other.yields);
        self.state = State::Ready;
        self.watch = None;
        self.spinning = None;
    }

    /// Lanes return to a frame: what was to come in the one that they leave does not.
    pub(super) fn return_to(&mut self, frame: usize) {
        while self.joins.last().is_some_and(|join| join.is_of(self.frame)) {
            self.joins.pop();
        }
        self.frame = frame;
    }
}

/// What a thread knew when it executed a fence; stores after it tell others.
#[derive(Clone, Debug)]
pub(super) struct Released {
    pub(super) clock: u32,
    pub(super) cta_base: u32,
    pub(super) warp_base: u32,
    pub(super) know: Option<Arc<Knowledge>>,
    pub(super) scope: Scope,
}

/// A compare-and-swap that found another value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct FailedSwap {
    pub(super) address: u64,
    pub(super) expected: u64,
    pub(super) found: u64,
    pub(super) pc: u32,
    /// How many the warp had carried out before.
    pub(super) successes: u64,
}

/// A warp.
#[derive(Debug)]
pub(super) struct Warp {
    pub(super) index: u32,
    /// Lanes that exist: the last warp of a CTA may have fewer.
    pub(super) existing: u32,
    pub(super) exited: u32,
    /// Lanes meet only where the structure of the program makes them.
    pub(super) structured: bool,
    pub(super) specials: Rc<[Lanes; SPECIALS]>,
    pub(super) groups: Vec<Group>,
    pub(super) frames: Vec<Frame>,
    pub(super) free_frames: Vec<usize>,
    pub(super) local: Vec<LocalStack>,
    pub(super) clock: u32,
    /// The current segment; zero until it is needed.
    pub(super) segment: u32,
    pub(super) warp_base: [u32; LANES],
    pub(super) know: Vec<Option<Arc<Knowledge>>>,
    /// Acquired by reads, and not yet by a fence.
    pub(super) pending: Vec<Option<(Arc<Knowledge>, Scope)>>,
    pub(super) released: Vec<Option<Released>>,
    pub(super) failed: [FailedSwap; LANES],
    /// Compare-and-swaps of the warp that found what they expected.
    pub(super) successes: u64,
    /// By lane, where it swapped last with success.
    pub(super) held: [u64; LANES],
    /// The lane that has stored where the last compare-and-swap of a lane failed, and may have opened a lock.
    pub(super) opened: [Option<u32>; LANES],
}

impl Warp {
    /// Lanes that have not exited.
    pub(super) fn alive(&self) -> u32 {
        self.existing & !self.exited
    }

    /// Time passes for what others may know.
    pub(super) fn tick(&mut self) {
        self.clock += 1;
        self.segment = 0;
    }

    /// Joins groups at the same place, and gives the group that runs next.
    pub(super) fn choose(&mut self) -> Option<usize> {
        if self.structured {
            self.rejoin();
        }
        if let [group] = &self.groups[..] {
            return (group.state == State::Ready).then_some(0);
        }
        if !self.structured {
            self.merge();
        }
        let ready = self.groups.iter().enumerate().filter(|(_, group)| group.state == State::Ready);
        let rank = |group: &Group| (group.yields, u32::MAX - self.frames[group.frame].depth, group.pc);
        ready.min_by_key(|(_, group)| rank(group)).map(|(index, _)| index)
    }

    fn merge(&mut self) {
        let mut index = 0;
        while index < self.groups.len() {
            let mut other = index + 1;
            while other < self.groups.len() {
                let (a, b) = (&self.groups[index], &self.groups[other]);
                if a.frame == b.frame && a.pc == b.pc && a.is_open() && b.is_open() {
                    let gone = self.groups.remove(other);
                    self.groups[index].take_in(&gone);
                } else {
                    other += 1;
                }
            }
            index += 1;
        }
    }

    /// The next instruction after `pc` where another group of the frame stands.
    pub(super) fn meeting_point(&self, running: usize) -> u32 {
        let me = &self.groups[running];
        let others = self.groups.iter().enumerate().filter(|(index, group)| {
            *index != running && group.frame == me.frame && group.pc > me.pc && group.is_open()
        });
        others.map(|(_, group)| group.pc).min().unwrap_or(u32::MAX)
    }

    /// Lets groups that wait for lanes look again, because lanes have exited.
    pub(super) fn look_again(&mut self) {
        for group in &mut self.groups {
            if matches!(group.state, State::Converge | State::Lanes(_)) {
                group.state = State::Ready;
            }
        }
    }
}
