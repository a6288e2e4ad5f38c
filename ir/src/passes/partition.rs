//! Shares the iterations of partitioned loops between threads.
//!
//! Before: a loop with levels runs over all of its iterations. After: if the target has several threads at
//! these levels, the loop runs over the logical iterations `offset, offset + step, ...` below `bound` that
//! [`Op::LoopShare`] gives the thread, and its body begins by computing the induction local from the logical
//! iteration. Where the target gives each thread a block of consecutive iterations, the loop counts as
//! before, between other limits, and its body stays as it is. If one thread does everything, so does the
//! whole loop. Where the induction local may wrap around on the step over its bound, both run over logical
//! iterations, too. [`crate::edit::induction`] says what is counted.

#[cfg(test)]
mod tests;

use super::env::{Env, Work, context, each_body};
use crate::builder::Cursor;
use crate::edit::induction::{narrow_trip_count, stepped_value, trip_count};
use crate::edit::logical::{Logical, in_front, run_over};
use crate::entities::Loop;
use crate::function::{Body, Induction, LoopData};
use crate::module::Module;
use crate::op::{CmpOp, LoopShare, Op, Operand};
use crate::report::PassError;
use crate::types::Type;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let Work { module, func, body } = work;
        for loop_ in body.loop_tree() {
            let Some(directive) = &body.loops[loop_].directive else { continue };
            if directive.levels.is_empty() {
                continue;
            }
            let context = context(module, func);
            let is_partitioned = env.target.partitions(context, &directive.levels);
            let merged = env.target.collapses(context, directive);
            for inner in inner_loops(body, loop_, if merged { 1 } else { directive.collapse }) {
                count_if_it_wraps(body, inner);
            }
            if !is_partitioned {
                count_if_it_wraps(body, loop_);
                continue;
            }
            let pos = body.loops[loop_].pos;
            let is_shared = match env.target.shares_blocks(body, loop_) {
                true => share_block(body, loop_),
                false => share(body, loop_, env.target.shares_narrow(context)),
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
    let LoopData { header, body: first, exit, pos, .. } = body.loops[loop_];
    let Some((mut cursor, counted)) = in_front(body, loop_) else { return false };
    let Induction { iv, bound, step, cmp, .. } = counted;
    let trip = trip_count(&mut cursor, &counted);
    let (from, to) = {
        let mut part = |share| cursor.loop_share(share, loop_, trip);
        (part(LoopShare::Offset), part(LoopShare::Bound))
    };
    if may_wrap(cursor.body, &counted) {
        let step = Operand::Int(Type::I64, 1);
        run_over(body, loop_, &counted, Logical { ty: Type::I64, from, step, end: to, in_chunks: false });
        return true;
    }
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

/// Whether an unsigned induction local may wrap around on the step over its bound. A signed one that does is
/// the program's mistake; that a size has no room for a step behind it is not taken as possible.
fn may_wrap(body: &Body, induction: &Induction) -> bool {
    let Induction { iv, bound, step, cmp, .. } = *induction;
    let ty = body.locals[iv].ty;
    let bits = match ty {
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => 8 * ty.bytes(),
        _ => return false,
    };
    let highest = u64::MAX >> (64 - bits);
    let (is_up, is_strict) = match cmp {
        CmpOp::ULt => (true, true),
        CmpOp::ULe => (true, false),
        CmpOp::UGt => (false, true),
        CmpOp::UGe => (false, false),
        _ => return false,
    };
    let Some(step) = step.as_int().map(i64::unsigned_abs) else { return ty != Type::I64 };
    // How far behind the bound the step over it leads at most.
    let behind = step.saturating_sub(u64::from(is_strict));
    match bound.as_int().map(|bound| bound as u64 & highest) {
        _ if step <= 1 => false,
        Some(bound) => behind > if is_up { highest - bound } else { bound },
        None => ty != Type::I64 || !is_up,
    }
}

/// The loops inside of one that its directive is about, too, if nobody has merged them.
fn inner_loops(body: &Body, loop_: Loop, collapse: u32) -> Vec<Loop> {
    let mut nest = vec![loop_];
    while nest.len() < collapse as usize {
        let is_inside = |inner: &Loop| body.loops[*inner].parent == nest.last().copied();
        let Some(inner) = body.loop_tree().into_iter().find(is_inside) else { break };
        nest.push(inner);
    }
    nest.split_off(1)
}

/// Makes a loop that one thread executes run over its logical iterations, if the program's count goes wrong.
fn count_if_it_wraps(body: &mut Body, loop_: Loop) {
    if !body.loops[loop_].induction.as_ref().is_some_and(|counted| may_wrap(body, counted)) {
        return;
    }
    let Some((mut cursor, counted)) = in_front(body, loop_) else { return };
    let trip = trip_count(&mut cursor, &counted);
    let (from, step) = (Operand::Int(Type::I64, 0), Operand::Int(Type::I64, 1));
    run_over(body, loop_, &counted, Logical { ty: Type::I64, from, step, end: trip, in_chunks: false });
}

/// Rewrites a loop; false if it has no counted form. `may_be_narrow`: the target can count in 32 bits.
fn share(body: &mut Body, loop_: Loop, may_be_narrow: bool) -> bool {
    let Some((mut cursor, counted)) = in_front(body, loop_) else { return false };
    let directive = cursor.body.loops[loop_].directive.as_ref();
    let chunk = directive.and_then(|directive| directive.gang.as_ref()).and_then(|gang| gang.static_);
    let narrow = match chunk {
        None if may_be_narrow => narrow_trip_count(&mut cursor, &counted),
        _ => None,
    };
    let ty = if narrow.is_some() { Type::I32 } else { Type::I64 };
    let trip = narrow.unwrap_or_else(|| trip_count(&mut cursor, &counted));
    let mut part = |share| {
        let dst = cursor.temp(ty);
        cursor.op(Op::LoopShare { dst, share, loop_, trip });
        Operand::Local(dst)
    };
    let (from, step, end) = (part(LoopShare::Offset), part(LoopShare::Step), part(LoopShare::Bound));
    let in_chunks = matches!(chunk, Some(Some(_)));
    run_over(body, loop_, &counted, Logical { ty, from, step, end, in_chunks });
    true
}
