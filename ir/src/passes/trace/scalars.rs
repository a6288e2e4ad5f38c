//! Locals that a loop carries, and the slots that stand in for them; and what is a loop's own, its counters
//! above all.

use super::calls::Spare;
use super::loops::{Loops, parallel, reductions};
use crate::analysis::cfg::{Cfg, Dominators};
use crate::analysis::liveness::Liveness;
use crate::analysis::loops::Nest;
use crate::entities::{Block, Local, Loop, Slot};
use crate::function::Body;
use crate::op::{BinaryOp, Inst, Op, Operand};
use crate::types::Type;
use cranelift_entity::SecondaryMap;

/// Slots that stand in for locals, and what loops may carry.
#[derive(Default)]
pub struct StandIns {
    of: SecondaryMap<Local, Option<Slot>>,
    /// What a loop may carry in slots.
    spared: SecondaryMap<Loop, Vec<(Slot, Spare)>>,
}

impl StandIns {
    /// The slot that stands in for a local.
    pub fn of(&self, local: Local) -> Option<Slot> {
        self.of[local]
    }

    /// What a loop may carry in slots.
    pub fn spared_by(&self, loop_: Loop) -> &[(Slot, Spare)] {
        &self.spared[loop_]
    }
}

/// What is changed by steps, from iteration to iteration, and in no other way.
#[derive(Clone, Default)]
struct Counters {
    locals: Vec<Local>,
    slots: Vec<Slot>,
}

/// Finds locals that a traced loop may carry: written in it and alive where an iteration begins. Makes a slot
/// for each.
pub fn stand_ins(body: &mut Body, loops: &Loops) -> StandIns {
    let mut found = StandIns::default();
    let traced: Vec<Loop> = loops.all.iter().copied().filter(|&loop_| loops.is_traced(loop_)).collect();
    if traced.is_empty() {
        return found;
    }
    let nest = Nest::new(body);
    let cfg = Cfg::new(body);
    let (live, dominators) = (Liveness::new(body, &cfg), Dominators::new(&cfg));
    let mut counters: SecondaryMap<Loop, Counters> = SecondaryMap::new();
    loops
        .all
        .iter()
        .for_each(|&loop_| counters[loop_] = counters_of(body, loop_, &nest.blocks(loop_), &dominators));
    let own = |body: &Body, loop_: Loop| -> Vec<Local> {
        let reduced = reductions(body, loop_).filter_map(|clause| clause.var.as_local());
        reduced.chain(counters[loop_].locals.iter().copied()).collect()
    };
    for &loop_ in &traced {
        let written = body.assigned(nest.blocks(loop_));
        let own = own(body, loop_);
        let carried = live.live_in(body.loops[loop_].header);
        for local in
            carried.filter(|local| written.contains(*local) && !own.contains(local)).collect::<Vec<_>>()
        {
            if found.of[local].is_none() {
                found.of[local] = Some(body.slot_for(local));
            }
        }
    }
    for &loop_ in &traced {
        let stand_ins = own(body, loop_).into_iter().filter_map(|local| found.of[local]);
        let slots = stand_ins.chain(counters[loop_].slots.iter().copied()).map(|slot| (slot, Spare::Own));
        // Counters of inner loops start anew in each iteration.
        let inner = nest.inside(loop_).into_iter().flat_map(|inner| &counters[inner].slots);
        found.spared[loop_] = slots.chain(inner.map(|&slot| (slot, Spare::FlowCounts))).collect();
    }
    found
}

/// The counters of a loop: that of its counted form; and in a loop that nobody calls parallel, whatever else
/// takes the same step in each iteration.
fn counters_of(body: &Body, loop_: Loop, blocks: &[Block], dominators: &Dominators) -> Counters {
    let data = &body.loops[loop_];
    let mut counters = Counters::default();
    counters.locals.extend(data.induction.as_ref().map(|induction| induction.iv));
    if parallel(body, loop_).is_some() {
        return counters;
    }
    let mut writes: SecondaryMap<Local, Writes> = SecondaryMap::new();
    let mut stores: SecondaryMap<Slot, Writes> = SecondaryMap::new();
    for &block in blocks {
        let insts = &body.blocks[block].insts;
        let is_each_time = body.blocks[block].loop_ == Some(loop_) && dominators.dominates(block, data.latch);
        for (n, inst) in insts.iter().enumerate() {
            let from = |operand| source(&insts[..n], operand);
            let reads = |old: Local, dst: Local| {
                let copied = || from(Operand::Local(old));
                old == dst
                    || matches!(copied(), Some(&Op::Copy { src: Operand::Local(src), .. }) if src == dst)
            };
            match inst.op {
                Op::Store { addr, src, .. } if let Operand::Slot(slot) = addr.base => {
                    let loads = |local| {
                        let load = from(Operand::Local(local));
                        matches!(load, Some(&Op::Load { addr: old, .. }) if old == addr)
                    };
                    stores[slot].add(is_each_time && from(src).is_some_and(|op| is_step(op, loads)));
                }
                Op::Copy { dst, src } => {
                    let is_step = from(src).is_some_and(|op| is_step(op, |old| reads(old, dst)));
                    writes[dst].add(is_each_time && is_step);
                }
                ref op => {
                    op.defs(|dst| writes[dst].add(is_each_time && is_step(op, |old| reads(old, dst))));
                }
            }
        }
    }
    counters.locals.extend(writes.iter().filter(|(_, writes)| writes.are_steps()).map(|(local, _)| local));
    counters.slots.extend(stores.iter().filter(|(_, writes)| writes.are_steps()).map(|(slot, _)| slot));
    counters
}

/// What a loop does to a variable.
#[derive(Clone, Copy, Default)]
struct Writes {
    steps: u32,
    others: u32,
}

impl Writes {
    fn add(&mut self, is_step: bool) {
        *(if is_step { &mut self.steps } else { &mut self.others }) += 1;
    }

    fn are_steps(self) -> bool {
        self.steps > 0 && self.others == 0
    }
}

/// The operation that gives an operand its value, the last of a list to write it.
fn source(insts: &[Inst], operand: Operand) -> Option<&Op> {
    let local = operand.as_local()?;
    insts.iter().rev().map(|inst| &inst.op).find(|op| op.dst() == Some(local))
}

/// Whether an operation adds a constant to the old value of an integer or a pointer.
fn is_step(op: &Op, is_old: impl Fn(Local) -> bool) -> bool {
    match *op {
        Op::Binary {
            op: BinaryOp::Add | BinaryOp::Sub, a: Operand::Local(old), b: Operand::Int(..), ..
        }
        | Op::Binary { op: BinaryOp::Add, a: Operand::Int(..), b: Operand::Local(old), .. }
        | Op::Index { base: Operand::Local(old), index: Operand::Int(Type::I64, _), .. } => is_old(old),
        _ => false,
    }
}
