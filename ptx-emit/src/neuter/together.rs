//! Single mode that all warps of a gang go through, while the first thread alone has effects.
//!
//! Between loops over lanes or workers there is mostly little: a bound is computed, a result stored, the next
//! round of a loop begins. Were it the leader's, the other warps would wait for its record, read it, and look
//! in it where to go on. Where no branch depends on what the leader alone knows, they know all of that:
//!
//! ```text
//!     d = d + 1             add d, d, 1          all threads
//!     last = d < n ? d : n  min last, d, n
//!     s = load [q]          ld s, [q]            all threads, if the stretch does not write there
//!     store [p], s   @first st [p], s            the first thread of the level
//!     leave                 barrier              what it wrote is there, and what all read may be written
//! ```
//!
//! What the first thread alone knows and later code reads goes through a record, as that of a leader does.
//! Loops that are in single mode as a whole stay with a leader: other warps had better leave the
//! multiprocessor to other gangs.

use super::routines::level_of;
use super::written::Written;
use super::{Flow, Neuter, Stretch};
use accrue_ir::builder::Cursor;
use accrue_ir::edit::split::block_before;
use accrue_ir::entities::set_of;
use accrue_ir::{Block, Callee, Level, Loop, Op, map_below};
use cranelift_entity::{EntitySet, SecondaryMap};

/// Operations of a stretch that each warp may execute, rather than wait for one that does.
const SHORT: usize = 256;

/// What the first thread of a level executes alone in a stretch: what has effects, and reads, but for those
/// that are known not to see them.
pub(super) struct Alone {
    /// The level.
    pub level: Level,
    /// What the effects of the stretch write, if it is known.
    written: Option<Written>,
}

impl Alone {
    /// All that reads.
    pub fn all(level: Level) -> Alone {
        Alone { level, written: None }
    }

    /// Whether all threads may read what a load does.
    pub fn is_read_by_all(&self, op: &Op) -> bool {
        let (Some(written), Op::Load { addr, .. }) = (&self.written, op) else { return false };
        !written.may_be(addr.base)
    }
}

impl Neuter<'_> {
    /// Whether all threads of a level know their way through a stretch that has effects.
    pub(super) fn can_go_together(&mut self, stretch: &Stretch, level: Level) -> bool {
        let is_of_warps = match level {
            Level::Vector => !self.is_one_warp(),
            Level::Worker => true,
            Level::Gang | Level::Gang2 | Level::Gang3 | Level::Unassigned => false,
        };
        if !is_of_warps || self.is_routine || self.is_last(stretch) || self.has_loop(stretch) {
            return false;
        }
        let blocks = || stretch.order.iter().map(|&block| &self.body.blocks[block]);
        let operations: usize = blocks().map(|data| data.insts.len()).sum();
        let meets = blocks().flat_map(|data| &data.insts).any(|inst| self.is_for_several(&inst.op));
        if operations > SHORT || meets {
            return false;
        }
        let alone = self.alone(stretch, level);
        let needed = self.needed(&stretch.order, &alone);
        let mut insts = stretch.order.iter().flat_map(|&block| &self.body.blocks[block].insts);
        !insts.any(|inst| {
            let mut tells = false;
            if self.is_effect(&inst.op, &alone) {
                inst.op.defs(|local| tells |= needed.contains(local));
            }
            tells
        })
    }

    /// Whether lanes share or do together what an operation is for, in single mode of workers.
    fn is_for_several(&self, op: &Op) -> bool {
        match op {
            Op::Fork { .. } | Op::Join { .. } => true,
            Op::Call { callee: Callee::Direct(func), .. } => level_of(self.module, *func).is_some(),
            op => op.effects().synchronises.is_some(),
        }
    }

    /// Lets all threads of a level go through a stretch.
    pub(super) fn go_together(&mut self, stretch: &Stretch, flow: &Flow, level: Level) {
        let alone = self.alone(stretch, level);
        let own = self.own(stretch, &alone);
        let mut blocks = stretch.order.clone();
        for to in self.targets(&self.exits(stretch)) {
            let told = flow.live_in(&own, to);
            self.explain_broadcast(stretch, level, &told, 1);
            let Some((between, pos)) = self.block_before_target(stretch, to) else { continue };
            if told.is_empty() {
                Cursor::with_pos(self.body, between, pos).barrier(level);
                continue;
            }
            let meet = block_before(self.body, to);
            self.body.blocks[meet].loop_ = self.body.blocks[between].loop_;
            self.record(level, between, meet, &told, pos);
            Cursor::with_pos(self.body, meet, pos).jump(to);
            self.records.add_guard(between);
            blocks.push(between);
        }
        let needed = EntitySet::new();
        for block in blocks {
            self.separate_effects(block, &needed, &alone);
        }
    }

    /// What the first thread executes alone in a stretch that others go through, too.
    fn alone(&mut self, stretch: &Stretch, level: Level) -> Alone {
        let roots = self.roots();
        let insts = stretch.order.iter().flat_map(|&block| &self.body.blocks[block].insts);
        let effects = insts.map(|inst| &inst.op).filter(|op| self.needs_leader(op));
        Alone { level, written: Some(Written::by(&roots, self.computing, effects)) }
    }

    /// Whether a loop is in single mode as a whole.
    fn has_loop(&self, stretch: &Stretch) -> bool {
        let around = |block: Block| self.body.loops_around(self.body.blocks[block].loop_);
        let inside = set_of(stretch.order.iter().flat_map(|&block| around(block)));
        let mut leave: SecondaryMap<Loop, bool> = map_below(self.body.loops.len());
        let elsewhere = self.body.order.iter().filter(|block| !stretch.blocks.contains(block));
        elsewhere.flat_map(|&block| around(block)).for_each(|loop_| leave[loop_] = true);
        inside.iter().any(|loop_| !leave[loop_])
    }
}
