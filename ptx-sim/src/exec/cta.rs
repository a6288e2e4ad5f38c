//! A CTA: its shared memory, its barriers, its warps.

use super::frame::Frame;
use super::launch::{Launch, nothing};
use super::local::{self, LocalStack};
use super::object::Objects;
use super::warp::{FailedSwap, Group, State, Warp};
use crate::alu::{LANES, Lanes};
use crate::memory::region::Region;
use crate::race::clock::Knowledge;
use crate::special::{SPECIALS, Special, coordinates};
use std::rc::Rc;
use std::sync::Arc;

/// A barrier that some threads have reached.
#[derive(Debug, Default)]
pub(super) struct Barrier {
    /// Threads that arrived, whole warps counted as such.
    pub(super) arrived: u32,
    /// How many it takes; `None` for all of the CTA.
    pub(super) expected: Option<u32>,
    /// Who waits: warp, lanes, and the instruction.
    pub(super) waiting: Vec<(u32, u32, u32)>,
    /// What threads that have passed the barrier knew about memory.
    pub(super) told: Option<Arc<Knowledge>>,
    /// Of a reduction: how many said yes, of how many.
    pub(super) yes: u32,
    pub(super) asked: u32,
    pub(super) in_use: bool,
}

/// What the warps of a CTA share.
#[derive(Debug)]
pub(super) struct CtaState {
    pub(super) index: u32,
    pub(super) shared: Region,
    /// The clock up to which everything in the CTA is known to all of it.
    pub(super) base: u32,
    pub(super) barriers: [Barrier; 16],
    pub(super) objects: Objects,
    pub(super) exited: u32,
}

/// A CTA that is being executed.
#[derive(Debug)]
pub(super) struct Cta {
    pub(super) state: CtaState,
    pub(super) warps: Vec<Warp>,
    /// The warp whose turn is next.
    pub(super) turn: usize,
}

fn specials(launch: &Launch<'_>, cta: u32, warp: u32) -> Rc<[Lanes; SPECIALS]> {
    let mut all = [[0; LANES]; SPECIALS];
    let ctaid = coordinates(cta, launch.grid);
    let threads: u32 = launch.block.iter().product();
    for lane in 0..LANES as u32 {
        let tid = coordinates(warp * 32 + lane, launch.block);
        let eq = 1u32 << lane;
        let values = [
            (Special::TidX, tid[0]),
            (Special::TidY, tid[1]),
            (Special::TidZ, tid[2]),
            (Special::NtidX, launch.block[0]),
            (Special::NtidY, launch.block[1]),
            (Special::NtidZ, launch.block[2]),
            (Special::CtaidX, ctaid[0]),
            (Special::CtaidY, ctaid[1]),
            (Special::CtaidZ, ctaid[2]),
            (Special::NctaidX, launch.grid[0]),
            (Special::NctaidY, launch.grid[1]),
            (Special::NctaidZ, launch.grid[2]),
            (Special::LaneId, lane),
            (Special::WarpId, warp),
            (Special::NWarpId, threads.div_ceil(32)),
            (Special::SmId, cta % launch.processors),
            (Special::NSmId, launch.processors),
            (Special::GridId, launch.number),
            (Special::LanemaskEq, eq),
            (Special::LanemaskLt, eq - 1),
            (Special::LanemaskLe, eq | (eq - 1)),
            (Special::LanemaskGt, !(eq | (eq - 1))),
            (Special::LanemaskGe, !(eq - 1)),
            (Special::DynamicSmemSize, launch.dynamic_shared),
            (Special::TotalSmemSize, launch.dynamic_shared + launch.kernel.shared_bytes),
            (Special::Zero, 0),
            (Special::One, 1),
        ];
        for (special, value) in values {
            all[special as usize][lane as usize] = u64::from(value);
        }
    }
    Rc::new(all)
}

impl Cta {
    pub(super) fn new(launch: &Launch<'_>, index: u32) -> Cta {
        let threads: u32 = launch.block.iter().product();
        let warps = (0..threads.div_ceil(32)).map(|warp| {
            let count = (threads - warp * 32).min(32);
            let existing = if count == 32 { u32::MAX } else { (1 << count) - 1 };
            new_warp(launch, index, warp, existing)
        });
        let bytes = u64::from(launch.code.shared_bytes) + u64::from(launch.dynamic_shared);
        let state = CtaState {
            index,
            shared: Region::small(bytes),
            base: 0,
            barriers: Default::default(),
            objects: Objects::default(),
            exited: 0,
        };
        Cta { state, warps: warps.collect(), turn: 0 }
    }

    pub(super) fn is_done(&self) -> bool {
        self.warps.iter().all(|warp| warp.groups.is_empty())
    }

    /// Whether all that could run repeats itself until memory changes.
    pub(super) fn is_stuck(&self, changes: u64) -> bool {
        self.warps
            .iter()
            .flat_map(|warp| &warp.groups)
            .all(|group| group.state != State::Ready || group.spinning == Some(changes))
    }
}

fn new_warp(launch: &Launch<'_>, cta: u32, index: u32, existing: u32) -> Warp {
    let mut frame = Frame::new(launch.kernel_number, launch.kernel);
    frame.lanes = existing;
    let start = local::FIRST.next_multiple_of(launch.kernel.local_align);
    let top = start + launch.kernel.local_bytes;
    frame.local = [start; LANES];
    frame.top = [top; LANES];
    let mut stack = LocalStack::default();
    stack.open(start, top);
    Warp {
        index,
        existing,
        exited: 0,
        structured: launch.checks.structured,
        specials: specials(launch, cta, index),
        groups: vec![Group::new(0, launch.kernel.start, existing)],
        frames: vec![frame],
        free_frames: Vec::new(),
        local: vec![stack; LANES],
        clock: 1,
        segment: 0,
        warp_base: [0; LANES],
        know: nothing(),
        pending: nothing(),
        released: nothing(),
        failed: [FailedSwap::default(); LANES],
        successes: 0,
        held: [0; LANES],
        opened: [None; LANES],
    }
}
