//! Shares the iterations of partitioned loops between threads.
//!
//! Before: a loop with levels runs over all of its iterations. After: if the target has several threads at
//! these levels, the loop runs over the logical iterations `offset, offset + step, ...` below `bound` that
//! [`Op::LoopShare`] gives the thread, and its body begins by computing the induction local from the logical
//! iteration. Where the target gives each thread a block of consecutive iterations, the loop counts as
//! before, between other limits, and its body stays as it is. If one thread does everything, so does the
//! whole loop. [`crate::edit::induction`] says what is counted.

#[cfg(test)]
mod tests;

use super::env::{Env, Work, context, each_body};
use crate::builder::Cursor;
use crate::edit::induction::{induction_value, narrow_trip_count, stepped_value, trip_count};
use crate::entities::Loop;
use crate::function::{Body, Induction, LoopData};
use crate::module::Module;
use crate::op::{BinaryOp, CmpOp, LoopShare, Op, Operand};
use crate::report::PassError;
use crate::types::Type;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let Work { module, func, body } = work;
        for loop_ in body.loop_tree() {
            let Some(directive) = &body.loops[loop_].directive else { continue };
            if directive.levels.is_empty() || !env.target.partitions(context(module, func), &directive.levels)
            {
                continue;
            }
            let pos = body.loops[loop_].pos;
            let is_shared = match env.target.shares_blocks(body, loop_) {
                true => share_block(body, loop_),
                false => share(body, loop_, env.target.shares_narrow(context(module, func))),
            };
            if !is_shared {
                let error = Work { module, func, body }
                    .defect(pos, format!("{loop_} is partitioned but not countable"));
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Gives a loop the limits of the thread's block; false if it has no counted form.
fn share_block(body: &mut Body, loop_: Loop) -> bool {
    let LoopData { preheader, header, body: first, exit, pos, ref mut induction, .. } = body.loops[loop_];
    let Some(Induction { iv, mut init, bound, step, cmp }) = induction.take() else { return false };
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    if init == Operand::Local(iv) {
        init = cursor.copy(init);
    }
    let counted = Induction { iv, init, bound, step, cmp };
    let trip = trip_count(&mut cursor, &counted);
    let (from, to) = {
        let mut part = |share| cursor.loop_share(share, loop_, trip);
        (part(LoopShare::Offset), part(LoopShare::Bound))
    };
    let some = cursor.compare(CmpOp::Lt, from, to);
    // Values of iterations that there are: what lies behind the last one may not fit the type.
    let start = value_of(&mut cursor, &counted, from);
    let end = match cmp {
        CmpOp::Le | CmpOp::ULe | CmpOp::Ge | CmpOp::UGe => {
            let last = cursor.sub(to, Operand::Int(Type::I64, 1));
            value_of(&mut cursor, &counted, last)
        }
        CmpOp::Lt | CmpOp::ULt | CmpOp::Gt | CmpOp::UGt | CmpOp::Ne | CmpOp::Eq | CmpOp::Unordered => {
            let is_last = cursor.compare(CmpOp::Eq, to, trip);
            let behind = value_of(&mut cursor, &counted, to);
            cursor.select(is_last, bound, behind)
        }
    };
    // Limits between which there is nothing.
    let (ty, up) =
        (cursor.body.locals[iv].ty, matches!(cmp, CmpOp::Lt | CmpOp::ULt | CmpOp::Le | CmpOp::ULe));
    let (low, high) = (Operand::Int(ty, 0), Operand::Int(ty, i64::from(cmp != CmpOp::Ne)));
    let start = cursor.select(some, start, if up { high } else { low });
    let end = cursor.select(some, end, if up { low } else { high });
    cursor.assign(iv, start);

    body.blocks[header].insts.clear();
    let mut cursor = Cursor::with_pos(body, header, pos);
    let more = cursor.compare(cmp, Operand::Local(iv), end);
    cursor.branch(more, first, exit);
    body.loops[loop_].induction = Some(Induction { iv, init: start, bound: end, step, cmp });
    true
}

/// The induction local's value in an iteration.
fn value_of(cursor: &mut Cursor<'_>, induction: &Induction, logical: Operand) -> Operand {
    let value = cursor.temp(cursor.body.locals[induction.iv].ty);
    stepped_value(cursor, value, (induction.init, induction.step), logical);
    Operand::Local(value)
}

/// Rewrites a loop; false if it has no counted form. `may_be_narrow`: the target can count in 32 bits.
fn share(body: &mut Body, loop_: Loop, may_be_narrow: bool) -> bool {
    let LoopData { preheader, header, body: first, latch, exit, pos, ref mut induction, .. } =
        body.loops[loop_];
    let Some(Induction { iv, mut init, bound, step, cmp }) = induction.take() else { return false };
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    if init == Operand::Local(iv) {
        init = cursor.copy(init);
    }
    let counted = Induction { iv, init, bound, step, cmp };
    let directive = cursor.body.loops[loop_].directive.as_ref();
    let chunk = directive.and_then(|directive| directive.gang.as_ref()).and_then(|gang| gang.static_);
    let narrow = match chunk {
        None if may_be_narrow => narrow_trip_count(&mut cursor, &counted),
        _ => None,
    };
    // Below twice 2^31, no number of an iteration and a step behind it wraps around.
    let (ty, less) = if narrow.is_some() { (Type::I32, CmpOp::ULt) } else { (Type::I64, CmpOp::Lt) };
    let trip = narrow.unwrap_or_else(|| trip_count(&mut cursor, &counted));
    let mut part = |share| {
        let dst = cursor.temp(ty);
        cursor.op(Op::LoopShare { dst, share, loop_, trip });
        Operand::Local(dst)
    };
    let (offset, stride, end) = (part(LoopShare::Offset), part(LoopShare::Step), part(LoopShare::Bound));
    let logical = cursor.temp(ty);
    cursor.assign(logical, offset);

    body.blocks[header].insts.clear();
    let mut cursor = Cursor::with_pos(body, header, pos);
    let more = cursor.compare(less, Operand::Local(logical), end);
    cursor.branch(more, first, exit);

    let in_chunks = matches!(chunk, Some(Some(_)));
    Cursor::at_start(body, first, pos, |cursor| {
        let mut iteration = Operand::Local(logical);
        if in_chunks {
            iteration = cursor.loop_share(LoopShare::Iteration, loop_, iteration);
        }
        induction_value(cursor, &counted, iteration);
    });

    body.blocks[latch].insts.retain(|inst| inst.op.dst() != Some(iv));
    let mut cursor = Cursor::with_pos(body, latch, pos);
    cursor.op(Op::Binary { dst: logical, op: BinaryOp::Add, a: Operand::Local(logical), b: stride });
    body.loops[loop_].induction =
        Some(Induction { iv: logical, init: offset, bound: end, step: stride, cmp: less });
    true
}
