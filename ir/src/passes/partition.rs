//! Shares the iterations of partitioned loops between threads.
//!
//! Before: a loop with levels runs over all of its iterations. After: if the target has several threads at these
//! levels, the loop runs over the logical iterations `offset, offset + step, ...` below `bound` that
//! [`Op::LoopShare`] gives the thread, and its body begins by computing the induction local from the logical
//! iteration. If one thread does everything, the loop stays as it is.
//!
//! The number of iterations is exact for every form of the comparison, signed, unsigned and pointer types, and steps of
//! either sign: differences are taken in the unsigned type of the same width, where they cannot overflow once the
//! first comparison has held. `!=` solves `trip * step = bound - init` modulo two to the width. As OpenACC counts, a
//! loop ends where it steps over its bound, even if the induction variable wraps around on that step and meets the
//! condition again. Loops of more than 2^63 - 1 iterations, which nothing finishes, are cut there.

#[cfg(test)]
mod tests;

use super::{Env, PassError, Work, context, each_body};
use crate::builder::Cursor;
use crate::entities::*;
use crate::function::*;
use crate::module::Module;
use crate::op::*;
use crate::types::Type;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let Work { module, func, body } = work;
        for loop_ in body.loops.keys().collect::<Vec<_>>() {
            let Some(directive) = &body.loops[loop_].directive else { continue };
            if directive.levels.is_empty() || !env.target.partitions(context(module, func), &directive.levels)
            {
                continue;
            }
            let pos = body.loops[loop_].pos;
            if !share(body, loop_) {
                let error = Work { module, func, body }
                    .defect(pos, format!("{loop_} is partitioned but not countable"));
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Rewrites a loop; false if it has no counted form.
fn share(body: &mut Body, loop_: Loop) -> bool {
    let LoopData { preheader, header, body: first, latch, exit, pos, ref mut induction, .. } =
        body.loops[loop_];
    let Some(Induction { iv, mut init, bound, step, cmp }) = induction.take() else { return false };
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    if init == Operand::Local(iv) {
        init = cursor.copy(init);
    }
    let counted = Induction { iv, init, bound, step, cmp };
    let trip = trip_count(&mut cursor, &counted);
    let mut part = |share| {
        let dst = cursor.temp(Type::I64);
        cursor.op(Op::LoopShare { dst, share, loop_, trip });
        Operand::Local(dst)
    };
    let (offset, stride, end) = (part(LoopShare::Offset), part(LoopShare::Step), part(LoopShare::Bound));
    let logical = cursor.temp(Type::I64);
    cursor.assign(logical, offset);

    body.blocks[header].insts.clear();
    let mut cursor = Cursor::with_pos(body, header, pos);
    let more = cursor.compare(CmpOp::Lt, Operand::Local(logical), end);
    cursor.branch(more, first, exit);

    let directive = body.loops[loop_].directive.as_ref();
    let in_chunks =
        directive.and_then(|d| d.gang.as_ref()).is_some_and(|gang| matches!(gang.static_, Some(Some(_))));
    let rest = std::mem::take(&mut body.blocks[first].insts);
    let mut cursor = Cursor::with_pos(body, first, pos);
    let mut iteration = Operand::Local(logical);
    if in_chunks {
        iteration = cursor.loop_share(LoopShare::Iteration, loop_, iteration);
    }
    induction_value(&mut cursor, &counted, iteration);
    body.blocks[first].insts.extend(rest);

    body.blocks[latch].insts.retain(|inst| inst.op.dst() != Some(iv));
    let mut cursor = Cursor::with_pos(body, latch, pos);
    cursor.op(Op::Binary { dst: logical, op: BinaryOp::Add, a: Operand::Local(logical), b: stride });
    body.loops[loop_].induction =
        Some(Induction { iv: logical, init: offset, bound: end, step: stride, cmp: CmpOp::Lt });
    true
}

/// Writes `iv = init + logical * step`.
pub fn induction_value(cursor: &mut Cursor<'_>, induction: &Induction, logical: Operand) {
    let Induction { iv, init, step, .. } = *induction;
    let ty = cursor.body.locals[iv].ty;
    if ty == Type::Ptr {
        let (index, scale) = match step {
            Operand::Int(_, scale) => (logical, scale),
            _ => (cursor.mul(logical, step), 1),
        };
        cursor.op(Op::Index { dst: iv, base: init, index, scale, offset: 0 });
        return;
    }
    let steps = match ty {
        Type::I64 => logical,
        Type::I128 => cursor.convert(ConvertOp::SExt, ty, logical),
        _ => cursor.convert(ConvertOp::Trunc, ty, logical),
    };
    let distance = if step.as_int() == Some(1) { steps } else { cursor.mul(steps, step) };
    cursor.op(Op::Binary { dst: iv, op: BinaryOp::Add, a: init, b: distance });
}

/// Writes the number of iterations of a counted loop, an `i64` that is not negative.
pub fn trip_count(cursor: &mut Cursor<'_>, induction: &Induction) -> Operand {
    let Induction { iv, init, bound, step, cmp } = *induction;
    let ty = cursor.body.locals[iv].ty;
    let entered = cursor.compare(cmp, init, bound);
    let [init, bound] = [init, bound].map(|operand| match ty {
        Type::Ptr => cursor.convert(ConvertOp::Bits, Type::I64, operand),
        _ => operand,
    });
    let ty = if ty == Type::Ptr { Type::I64 } else { ty };
    let trip = match cmp {
        CmpOp::Lt | CmpOp::ULt => {
            let span = cursor.sub(bound, init);
            let last = cursor.sub(span, Operand::Int(ty, 1));
            steps_within(cursor, ty, last, step, false)
        }
        CmpOp::Le | CmpOp::ULe => {
            let span = cursor.sub(bound, init);
            steps_within(cursor, ty, span, step, false)
        }
        CmpOp::Gt | CmpOp::UGt => {
            let span = cursor.sub(init, bound);
            let last = cursor.sub(span, Operand::Int(ty, 1));
            steps_within(cursor, ty, last, step, true)
        }
        CmpOp::Ge | CmpOp::UGe => {
            let span = cursor.sub(init, bound);
            steps_within(cursor, ty, span, step, true)
        }
        CmpOp::Ne | CmpOp::Eq | CmpOp::Unordered => {
            let span = cursor.sub(bound, init);
            let steps = exact_steps(cursor, ty, span, step);
            limit(cursor, ty, steps, i64::MAX)
        }
    };
    cursor.select(entered, trip, Operand::Int(Type::I64, 0))
}

/// `span / |step| + 1`, for an unsigned span and a step towards the bound.
fn steps_within(cursor: &mut Cursor<'_>, ty: Type, span: Operand, step: Operand, down: bool) -> Operand {
    let whole = match step {
        Operand::Int(_, constant) => match if down { constant.wrapping_neg() } else { constant } {
            0 | 1 => span,
            size => cursor.binary(BinaryOp::UDiv, span, Operand::Int(ty, size)),
        },
        _ => {
            let size = if down { cursor.sub(Operand::Int(ty, 0), step) } else { step };
            // A loop with step 0 that is entered never ends; one that is not entered must not trap here.
            let zero = cursor.compare(CmpOp::Eq, size, Operand::Int(ty, 0));
            let size = cursor.select(zero, Operand::Int(ty, 1), size);
            cursor.binary(BinaryOp::UDiv, span, size)
        }
    };
    let whole = limit(cursor, ty, whole, i64::MAX - 1);
    cursor.add(whole, Operand::Int(Type::I64, 1))
}

/// The least number of steps that leads exactly across the span, modulo two to the width. An odd step has an inverse
/// there; an even one is an odd one times a power of two, by which the span must be divisible for the loop to end.
fn exact_steps(cursor: &mut Cursor<'_>, ty: Type, span: Operand, step: Operand) -> Operand {
    match step.as_int() {
        Some(1) => return span,
        Some(-1) => return cursor.unary(UnaryOp::Neg, span),
        _ => {}
    }
    let zeros = cursor.unary(UnaryOp::Ctz, step);
    let odd = cursor.binary(BinaryOp::LShr, step, zeros);
    // Newton's iteration doubles the number of right bits; `odd` is its own inverse modulo 8.
    let mut inverse = odd;
    let mut bits = 3;
    while bits < ty.bytes() * 8 {
        let product = cursor.mul(odd, inverse);
        let error = cursor.sub(Operand::Int(ty, 2), product);
        inverse = cursor.mul(inverse, error);
        bits *= 2;
    }
    // A step to the left of the quotient drops what lies above `width - zeros` bits; the step back brings it down.
    let product = cursor.mul(span, inverse);
    cursor.binary(BinaryOp::LShr, product, zeros)
}

/// An unsigned number as an `i64` that is at most `max`.
fn limit(cursor: &mut Cursor<'_>, ty: Type, value: Operand, max: i64) -> Operand {
    match ty {
        Type::I64 => cursor.binary(BinaryOp::UMin, value, Operand::Int(ty, max)),
        Type::I128 => {
            let value = cursor.binary(BinaryOp::UMin, value, Operand::Int(ty, max));
            cursor.convert(ConvertOp::Trunc, Type::I64, value)
        }
        _ => cursor.convert(ConvertOp::ZExt, Type::I64, value),
    }
}
