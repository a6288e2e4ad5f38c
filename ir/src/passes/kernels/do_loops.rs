//! Lets a counter decide about the iterations of `do` loops.
//!
//! Before: the header of a `do` loop asks for a truth value that is set before the loop and that the latch
//! computes, `goes_on = i < n`. After: where that compares what each iteration changes by a constant with
//! what none changes, the header counts, `while (done < trips)`, with a number of iterations that is computed
//! before the loop and is 1 at least. Other loops stay.

use super::counted::{goes_towards, writers};
use crate::analysis::accumulation::{constant_step, swapped};
use crate::analysis::cfg::{Cfg, Dominators};
use crate::analysis::loops::Nest;
use crate::builder::Cursor;
use crate::edit::clone::recompute;
use crate::edit::induction::trip_count;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, Induction, LoopData};
use crate::op::{BinaryOp, Class, CmpOp, Inst, Op, Operand, Terminator};
use crate::types::Type;
use crate::visit::Part;

/// Rewrites those loops that are `do` loops; `signed_wraps`: signed integers wrap around.
pub fn count(body: &mut Body, loops: &[Loop], signed_wraps: bool) {
    let is_open = |body: &Body, loop_: Loop| {
        let data = &body.loops[loop_];
        data.induction.is_none() && data.directive.is_none()
    };
    for &loop_ in loops {
        if is_open(body, loop_)
            && let Some(test) = Test::of(body, loop_, signed_wraps)
        {
            test.move_to_header(body, loop_);
        }
    }
}

/// The test of a `do` loop.
struct Test {
    /// What each iteration changes by a constant.
    counter: Local,
    step: i64,
    /// The comparison that lets another iteration run, with the counter on the left.
    cmp: CmpOp,
    bound: Operand,
    /// The operations of the latch that compute the bound.
    of_bound: Vec<Op>,
    /// The test comes after the step.
    is_stepped: bool,
}

impl Test {
    fn of(body: &Body, loop_: Loop, signed_wraps: bool) -> Option<Test> {
        let code = Code::of(body, loop_)?;
        let (at, compare) = code.compare()?;
        let Op::Compare { op, a, b, .. } = *compare else { return None };
        let find = |cmp: CmpOp, left: Operand, right: Operand| {
            let (counter, step, is_stepped) = code.counter(left, at)?;
            let mut of_bound = Vec::new();
            code.collect_fixed(right, &mut of_bound)?;
            of_bound.sort_unstable();
            of_bound.dedup();
            let of_bound = of_bound.into_iter().map(|n| code.latch()[n].op.clone()).collect();
            Some(Test { counter, step, cmp, bound: right, of_bound, is_stepped })
        };
        let test = find(op, a, b).or_else(|| find(swapped(op), b, a))?;
        // A longer step may lead past the bound and around.
        let is_exact =
            !signed_wraps || test.step.unsigned_abs() == 1 && !matches!(test.cmp, CmpOp::Le | CmpOp::Ge);
        (goes_towards(test.cmp, test.step) && is_exact).then_some(test)
    }

    fn move_to_header(&self, body: &mut Body, loop_: Loop) {
        let LoopData { preheader, header, latch, pos, .. } = body.loops[loop_];
        let mut cursor = Cursor::with_pos(body, preheader, pos);
        let bound = recompute(&mut cursor, &self.of_bound).operand(self.bound);
        let ty = cursor.body.locals[self.counter].ty;
        let step = Operand::Int(ty, self.step);
        // What the first test compares; the iterations that it and the others let run come after the first
        // one.
        let tested = if self.is_stepped {
            cursor.add(Operand::Local(self.counter), step)
        } else {
            cursor.copy(Operand::Local(self.counter))
        };
        let iv = cursor.temp(ty);
        let further = trip_count(&mut cursor, &Induction { iv, init: tested, bound, step, cmp: self.cmp });
        let one = Operand::Int(Type::I64, 1);
        let trips = cursor.add(further, one);
        let done = cursor.temp(Type::I64);
        cursor.assign(done, Operand::Int(Type::I64, 0));
        let mut cursor = Cursor::with_pos(body, header, pos);
        let runs = cursor.compare(CmpOp::Lt, Operand::Local(done), trips);
        if let Terminator::Branch { cond, .. } = &mut body.blocks[header].term {
            *cond = runs;
        }
        let mut cursor = Cursor::with_pos(body, latch, pos);
        cursor.op(Op::Binary { dst: done, op: BinaryOp::Add, a: Operand::Local(done), b: one });
    }
}

/// The code of a loop whose header asks for a truth value.
struct Code<'a> {
    body: &'a Body,
    data: &'a LoopData,
    blocks: Vec<Block>,
    /// The truth value.
    goes_on: Local,
    dominators: Dominators,
}

impl<'a> Code<'a> {
    fn of(body: &'a Body, loop_: Loop) -> Option<Code<'a>> {
        let data = &body.loops[loop_];
        let header = &body.blocks[data.header];
        let Terminator::Branch { cond: Operand::Local(goes_on), .. } = header.term else { return None };
        if !header.insts.is_empty() {
            return None;
        }
        let blocks = Nest::new(body).blocks(loop_);
        let dominators = Dominators::new(&Cfg::new(body));
        Some(Code { body, data, blocks, goes_on, dominators })
    }

    fn latch(&self) -> &'a [Inst] {
        &self.body.blocks[self.data.latch].insts
    }

    /// Where the loop assigns a local.
    fn writers(&self, local: Local) -> Vec<(Block, usize)> {
        writers(self.body, &self.blocks, local)
    }

    /// The only place where the loop assigns a local, if that is in the latch.
    fn in_latch(&self, local: Local) -> Option<usize> {
        match self.writers(local)[..] {
            [(block, n)] if block == self.data.latch => Some(n),
            _ => None,
        }
    }

    /// The comparison that sets the truth value, and its place in the latch. The value before the loop is
    /// that of the lowering, true.
    fn compare(&self) -> Option<(usize, &'a Op)> {
        let preheader = &self.body.blocks[self.data.preheader].insts;
        let first = preheader.iter().rev().find(|inst| inst.op.dst() == Some(self.goes_on))?;
        let Op::Copy { src: Operand::Int(Type::I1, 1), .. } = first.op else { return None };
        let Op::Copy { src: Operand::Local(truth), .. } = self.latch()[self.in_latch(self.goes_on)?].op
        else {
            return None;
        };
        let at = self.in_latch(truth)?;
        Some((at, &self.latch()[at].op))
    }

    /// The local that an operand of the comparison counts with, its step, and whether it has been stepped by
    /// then.
    fn counter(&self, operand: Operand, compared_at: usize) -> Option<(Local, i64, bool)> {
        let mut local = operand.as_local()?;
        let mut read_at = compared_at;
        // `++i < n` compares what becomes the counter.
        let stepped = self.latch().iter().find_map(|inst| match inst.op {
            Op::Copy { dst, src } if src == operand && dst != local => Some((dst, self.step(dst)?.0)),
            _ => None,
        });
        if let (Some((counter, step)), Some(_)) = (stepped, self.in_latch(local)) {
            return (step != 0).then_some((counter, step, true));
        }
        // `i++ < n` compares a copy.
        if let Some(n) = self.in_latch(local)
            && n < compared_at
            && let Op::Copy { src: Operand::Local(source), .. } = self.latch()[n].op
            && self.step(local).is_none()
        {
            (local, read_at) = (source, n);
        }
        let (step, block, at) = self.step(local)?;
        let is_stepped = block != self.data.latch || at < read_at;
        (step != 0).then_some((local, step, is_stepped))
    }

    /// By how much each iteration changes a local, and where: `t = i + 1; i = t`, or `i = i + 1`.
    fn step(&self, local: Local) -> Option<(i64, Block, usize)> {
        let [(block, at)] = self.writers(local)[..] else { return None };
        let is_own = self.body.blocks[block].loop_ == self.body.blocks[self.data.header].loop_;
        if !is_own || !self.dominators.dominates(block, self.data.latch) || block == self.data.header {
            return None;
        }
        let insts = &self.body.blocks[block].insts;
        // The only assignment of a temporary, in this block.
        let made_by = |local: Local| match self.writers(local)[..] {
            [(other, n)] if other == block && n < at => Some(&insts[n].op),
            _ => None,
        };
        let sum = match insts[at].op {
            Op::Copy { src: Operand::Local(sum), .. } => made_by(sum)?,
            ref op => op,
        };
        let is_it = |operand: Operand| {
            let Operand::Local(read) = operand else { return false };
            let copied =
                || matches!(made_by(read), Some(Op::Copy { src: Operand::Local(src), .. }) if *src == local);
            read == local || copied()
        };
        if !matches!(self.body.locals[local].ty, Type::I32 | Type::I64) {
            return None;
        }
        Some((constant_step(sum, is_it)?, block, at))
    }

    /// The places in the latch of what computes a value that is the same in all iterations; `None` if it is
    /// not.
    fn collect_fixed(&self, operand: Operand, found: &mut Vec<usize>) -> Option<()> {
        let Operand::Local(local) = operand else { return Some(()) };
        if self.writers(local).is_empty() {
            return Some(());
        }
        let n = self.in_latch(local)?;
        let op = &self.latch()[n].op;
        if op.class() != Class::Value {
            return None;
        }
        let mut inputs = Vec::new();
        let mut is_plain = true;
        op.parts(|part| match part {
            Part::Value(value) => inputs.push(*value),
            Part::Address(_) => is_plain = false,
            _ => {}
        });
        found.push(n);
        // Values of the latch are computed before they are read: no cycle.
        let reads_itself = inputs.contains(&Operand::Local(local));
        (is_plain && !reads_itself).then_some(())?;
        inputs.into_iter().try_for_each(|input| self.collect_fixed(input, found))
    }
}
