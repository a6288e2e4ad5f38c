//! Code for counted loops: how many iterations there are, what the induction local is in one of them, and in
//! which one it has its value.
//!
//! The number of iterations is exact for every form of the comparison, signed, unsigned and pointer types,
//! and steps of either sign: differences are taken in the unsigned type of the same width, where they cannot
//! overflow once the first comparison has held. `!=` solves `trip * step = bound - init` modulo two to the
//! width. As OpenACC counts, a loop ends where it steps over its bound, even if the induction variable wraps
//! around on that step and meets the condition again. Loops of more than 2^63 - 1 iterations, which nothing
//! finishes, are cut there.

use crate::builder::Cursor;
use crate::entities::Local;
use crate::function::{Body, Induction};
use crate::op::{BinaryOp, CmpOp, ConvertOp, Op, Operand, UnaryOp};
use crate::types::Type;

/// Writes `iv = init + logical * step`.
pub fn induction_value(cursor: &mut Cursor<'_>, induction: &Induction, logical: Operand) {
    let Induction { iv, init, step, .. } = *induction;
    stepped_value(cursor, iv, (init, step), logical);
}

/// Writes `dst = init + logical * step`, for a local of integer or pointer type that each iteration steps.
pub fn stepped_value(
    cursor: &mut Cursor<'_>,
    dst: Local,
    (init, step): (Operand, Operand),
    logical: Operand,
) {
    let ty = cursor.body.locals[dst].ty;
    if ty == Type::Ptr {
        let (index, scale) = match step {
            Operand::Int(_, scale) => (logical, scale),
            _ => (cursor.mul(logical, step), 1),
        };
        cursor.op(Op::Index { dst, base: init, index, scale, offset: 0, extent: None });
        return;
    }
    let steps = match ty {
        _ if cursor.body.operand_type(logical) == ty => logical,
        Type::I64 => cursor.convert(ConvertOp::ZExt, ty, logical),
        Type::I128 => cursor.convert(ConvertOp::SExt, ty, logical),
        _ => cursor.convert(ConvertOp::Trunc, ty, logical),
    };
    let distance = if step.as_int() == Some(1) { steps } else { cursor.mul(steps, step) };
    cursor.op(Op::Binary { dst, op: BinaryOp::Add, a: init, b: distance });
}

/// Whether [`iteration`] can tell the number of an iteration.
pub fn has_numbers(body: &Body, induction: &Induction) -> bool {
    let ty = body.locals[induction.iv].ty;
    matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64)
        && matches!(induction.step, Operand::Int(_, step) if step != 0 && step != i64::MIN)
}

/// Writes the number of the iteration in which the induction local has its value, an `i64`.
pub fn iteration(cursor: &mut Cursor<'_>, induction: &Induction) -> Operand {
    let way = cursor.sub(Operand::Local(induction.iv), induction.init);
    let ty = cursor.body.locals[induction.iv].ty;
    let Some(step) = induction.step.as_int() else {
        // A step that is known at run time only is positive.
        let [way, step] = [way, induction.step].map(|number| match ty {
            Type::I64 => number,
            _ => cursor.convert(ConvertOp::ZExt, Type::I64, number),
        });
        return cursor.binary(BinaryOp::UDiv, way, step);
    };
    // The way is a multiple of the step, and as an unsigned number it fits whatever the loop's range.
    let way = if step > 0 { way } else { cursor.sub(Operand::Int(ty, 0), way) };
    let wide = if ty == Type::I64 { way } else { cursor.convert(ConvertOp::ZExt, Type::I64, way) };
    match step.wrapping_abs() {
        1 => wide,
        size => cursor.binary(BinaryOp::UDiv, wide, Operand::Int(Type::I64, size)),
    }
}

/// Writes the value of the induction local in the last of `trips` iterations; any value if there are none.
pub fn last_value(cursor: &mut Cursor<'_>, induction: &Induction, trips: Operand) -> Operand {
    let number = cursor.sub(trips, Operand::Int(Type::I64, 1));
    let last = cursor.temp(cursor.body.locals[induction.iv].ty);
    stepped_value(cursor, last, (induction.init, induction.step), number);
    Operand::Local(last)
}

/// Writes the number of iterations of a counted loop, an `i64` that is not negative.
pub fn trip_count(cursor: &mut Cursor<'_>, induction: &Induction) -> Operand {
    let Induction { iv, init, bound, step, cmp } = *induction;
    let ty = cursor.body.locals[iv].ty;
    if let Some(trip) = constant_trip_count(induction) {
        return Operand::Int(Type::I64, trip);
    }
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

/// The number of iterations of a loop that counts signed constants towards its bound.
pub fn constant_trip_count(induction: &Induction) -> Option<i64> {
    let Induction { init, bound, step, cmp, .. } = *induction;
    let [init, bound, step] = [init, bound, step].map(Operand::as_int);
    let (init, bound, step) = (i128::from(init?), i128::from(bound?), i128::from(step?));
    let (span, size) = match cmp {
        CmpOp::Lt => (bound - init - 1, step),
        CmpOp::Le => (bound - init, step),
        CmpOp::Gt => (init - bound - 1, -step),
        CmpOp::Ge => (init - bound, -step),
        CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe | CmpOp::Ne | CmpOp::Eq | CmpOp::Unordered => {
            return None;
        }
    };
    (size > 0).then(|| if span < 0 { Some(0) } else { i64::try_from(span / size + 1).ok() })?
}

/// Writes the number of iterations of a counted loop as an `i32` without a sign, if it is known to be 2^31 at
/// most: of one whose numbers have 32 bits and lie on one side of a constant, such as
/// `for (int i = 0; i < n; i++)`, or that has steps of two at least; and of one between constants.
pub fn narrow_trip_count(cursor: &mut Cursor<'_>, induction: &Induction) -> Option<Operand> {
    let Induction { iv, init, bound, step, cmp } = *induction;
    if let Some(trip) = constant_trip_count(induction) {
        return (trip <= i64::from(i32::MAX)).then_some(Operand::Int(Type::I32, trip));
    }
    let step = step.as_int().filter(|&step| step != 0 && step != i64::from(i32::MIN))?;
    let is_long = step.abs() > 1;
    let at_least =
        |operand: Operand, least: i64| is_long || operand.as_int().is_some_and(|value| value >= least);
    let (is_known, [low, high]) = match cmp {
        CmpOp::Lt | CmpOp::Le => (step > 0 && at_least(init, 0), [init, bound]),
        CmpOp::Gt | CmpOp::Ge => (step < 0 && at_least(bound, 0), [bound, init]),
        _ => return None,
    };
    if !is_known || cursor.body.locals[iv].ty != Type::I32 {
        return None;
    }
    let int = |value: i64| Operand::Int(Type::I32, value);
    if matches!(cmp, CmpOp::Lt | CmpOp::Gt) && low == int(0) && step.abs() == 1 {
        return Some(cursor.binary(BinaryOp::SMax, high, int(0)));
    }
    let entered = cursor.compare(cmp, init, bound);
    let span = if low == int(0) { high } else { cursor.sub(high, low) };
    let excludes = matches!(cmp, CmpOp::Lt | CmpOp::Gt);
    let trip = match (step.abs(), excludes) {
        (1, true) => span,
        (1, false) => cursor.add(span, int(1)),
        (size, _) => {
            let last = if excludes { cursor.sub(span, int(1)) } else { span };
            let whole = cursor.binary(BinaryOp::UDiv, last, int(size));
            cursor.add(whole, int(1))
        }
    };
    Some(cursor.select(entered, trip, int(0)))
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

/// The least number of steps that leads exactly across the span, modulo two to the width. An odd step has an
/// inverse there; an even one is an odd one times a power of two, by which the span must be divisible for the
/// loop to end.
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
    // A step to the left of the quotient drops what lies above `width - zeros` bits; the step back brings it
    // down.
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
