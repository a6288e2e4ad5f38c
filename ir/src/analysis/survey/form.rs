//! What the code of a loop says about it, whatever the values are.

use super::super::accumulation::constant_step;
use super::super::facts::is_number;
use super::super::sums::Sum;
use super::{Changes, Whole};
use crate::entities::{Block, Local, Loop};
use crate::op::{Op, Operand, Terminator};
use crate::types::Type;
use cranelift_entity::EntityRef;

/// A number for each local of a body. A body has many loops, most of which mention few of its locals, so that
/// one table serves them all.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// The round in which a local was counted last, and its number then.
    counted: Vec<(u32, u32)>,
    round: u32,
}

impl Counts {
    /// For the locals below a limit.
    pub fn below(limit: usize) -> Counts {
        Counts { counted: vec![(0, 0); limit], round: 0 }
    }

    /// Begins again, with 0 for each local.
    pub fn restart(&mut self) {
        self.round += 1;
    }

    /// Adds one to the number of a local; returns what it is then.
    pub fn add(&mut self, local: Local) -> u32 {
        let number = self.of(local) + 1;
        self.counted[local.index()] = (self.round, number);
        number
    }

    /// Lets the number of a local be 0 again; returns what it was.
    pub fn take(&mut self, local: Local) -> u32 {
        let number = self.of(local);
        self.counted[local.index()] = (self.round, 0);
        number
    }

    /// The number of a local.
    pub fn of(&self, local: Local) -> u32 {
        let (round, number) = self.counted[local.index()];
        if round == self.round { number } else { 0 }
    }
}

/// A loop as the walk meets it again and again.
pub(super) struct Form {
    /// Its blocks without those of inner loops, in the order of execution.
    pub order: Vec<Block>,
    /// The locals it assigns whose values later iterations or code behind the loop may read.
    pub kept: Vec<Local>,
    /// The variables that each iteration assigns before it reads them, and which nothing reads behind the
    /// loop.
    pub temporary: Vec<Local>,
    /// The locals it reads that have a value in front of it.
    pub read: Vec<Local>,
    /// The edges by which it is left from its middle.
    pub exits: Vec<(Block, Block)>,
    /// What an iteration adds to each of `kept`, where the instructions show that without a walk: `i = i + 1`
    /// in the latch, and nothing that is known about numbers with a fraction.
    pub changes: Option<Changes>,
}

impl Form {
    pub fn of(whole: &Whole<'_>, loop_: Loop) -> Form {
        let body = whole.body;
        let header = body.loops[loop_].header;
        let counts = &mut *whole.counts.borrow_mut();
        counts.restart();
        let blocks = whole.nest.blocks(loop_);
        let mut assigned = Vec::with_capacity(blocks.len());
        let mut read = Vec::with_capacity(blocks.len());
        for &block in &blocks {
            for &local in whole.mentions.reads(block) {
                if counts.add(local) == 1 && whole.live.is_live_in(local, header) {
                    read.push(local);
                }
            }
        }
        counts.restart();
        for &block in &blocks {
            let defs = whole.mentions.defs(block).iter().copied();
            assigned.extend(defs.filter(|&local| counts.add(local) == 1));
        }
        assigned.sort_unstable();
        let exits = whole.nest.exits(body, loop_);
        let borders = || exits.iter().map(|&(_, to)| to).chain([header, body.loops[loop_].exit]);
        let is_live = |local: &Local| borders().any(|border| whole.live.is_live_in(*local, border));
        let (mut kept, mut temporary) = (Vec::with_capacity(assigned.len()), Vec::new());
        for local in assigned {
            if is_live(&local) {
                kept.push(local);
            } else if body.locals[local].name.is_some() {
                temporary.push(local);
            }
        }
        let change = |&local: &Local| match step(whole, loop_, local, counts) {
            _ if !is_number(body.locals[local].ty) => Some((local, None)),
            step => Some((local, Some(Sum::constant(step?)))),
        };
        let changes = kept.iter().map(change).collect();
        let mut order: Vec<Block> =
            whole.nest.own(loop_).iter().copied().filter(|&block| whole.cfg.is_reachable(block)).collect();
        order.sort_unstable_by(|&a, &b| whole.cfg.in_order(a, b));
        Form { order, kept, temporary, read, exits, changes }
    }
}

/// The constant that the latch of a loop adds to a local which nothing else in the loop assigns.
fn step(whole: &Whole<'_>, loop_: Loop, local: Local, defs: &Counts) -> Option<i64> {
    let body = whole.body;
    // Narrow numbers wrap around, and so do all where the user says that.
    let is_exact = matches!(body.locals[local].ty, Type::I32 | Type::I64 | Type::Ptr);
    let data = &body.loops[loop_];
    let latch = &body.blocks[data.latch];
    let ends_there = latch.loop_ == Some(loop_) && latch.term == Terminator::Jump(data.header);
    if !is_exact || !ends_there || whole.signed_wraps || defs.of(local) != 1 {
        return None;
    }
    let mut insts = latch.insts.iter().rev().map(|inst| &inst.op);
    let last = insts.find(|op| op.dst() == Some(local))?;
    let sum = match *last {
        Op::Copy { src: Operand::Local(temporary), .. } => insts.find(|op| op.dst() == Some(temporary))?,
        _ => last,
    };
    constant_step(sum, |operand| operand == Operand::Local(local))
}
