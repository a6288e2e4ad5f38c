//! How a loop that may be repeated counts.

use super::facts::Facts;
use accrue_ir::builder::Cursor;
use accrue_ir::{BinaryOp, Body, CmpOp, Local, Loop, Op, Operand, Terminator, Type};

/// A sequential loop with longer steps, several of which might not fit its counter, is left alone.
const LONGEST_STEP: i64 = 1 << 20;

/// A loop that counts up to a bound, or down to one, which its header tests.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    pub(super) iv: Operand,
    pub(super) counter: Local,
    /// The counter's type.
    pub(super) ty: Type,
    pub(super) bound: Operand,
    /// What an iteration adds to the counter; below zero in a loop that counts down.
    pub(super) step: Operand,
    /// The comparison of the counter with the bound.
    pub(super) less: CmpOp,
    /// Threads share its iterations.
    pub(super) is_shared: bool,
}

impl Counted {
    pub(super) fn of(body: &Body, loop_: Loop, facts: &Facts<'_>) -> Option<Counted> {
        let data = &body.loops[loop_];
        let header = &body.blocks[data.header];
        let [compare] = &header.insts[..] else { return None };
        let Op::Compare { dst, op: less, a: iv @ Operand::Local(counter), b: bound } = compare.op else {
            return None;
        };
        let expected =
            Terminator::Branch { cond: Operand::Local(dst), then: data.body, otherwise: data.exit };
        if header.term != expected {
            return None;
        }
        let step = body.blocks[data.latch].insts.iter().find_map(|inst| match inst.op {
            Op::Binary { dst, op: BinaryOp::Add, a, b } if dst == counter && a == iv => Some(b),
            Op::Binary { dst, op: BinaryOp::Sub, a, b: Operand::Int(ty, by) }
                if dst == counter && a == iv =>
            {
                Some(Operand::Int(ty, by.checked_neg()?))
            }
            _ => None,
        })?;
        let ty = body.locals[counter].ty;
        let is_shared = data.is_partitioned();
        // What threads share is counted in 64 bits, by a step that is positive, up to a bound that is not
        // negative, or without a sign in 32 bits, by a step of 2^28 at most.
        let counts = if is_shared {
            data.induction.as_ref().is_some_and(|induction| (induction.iv, induction.cmp) == (counter, less))
                && matches!((ty, less), (Type::I64, CmpOp::Lt) | (Type::I32, CmpOp::ULt))
        } else {
            let in_front = (data.preheader, body.blocks[data.preheader].insts.len());
            let range = |value: Operand| facts.ranges(body).at(body, value, in_front);
            let by = step.as_int().filter(|step| (1..=LONGEST_STEP).contains(&step.saturating_abs()));
            let goes_up = || match step {
                Operand::Int(..) => by.is_some_and(|step| step > 0),
                _ => range(step).is_some_and(|[least, most]| least >= 0 && most <= LONGEST_STEP),
            };
            let goes_there = match less {
                CmpOp::Lt => goes_up(),
                // With and without a sign, numbers are the same.
                CmpOp::ULt => goes_up() && range(bound).is_some_and(|[least, _]| least >= 0),
                CmpOp::Le => by.is_some_and(|step| step > 0),
                CmpOp::Gt | CmpOp::Ge => by.is_some_and(|step| step < 0),
                _ => false,
            };
            goes_there && matches!(ty, Type::I32 | Type::I64)
        };
        counts.then_some(Counted { iv, counter, ty, bound, step, less, is_shared })
    }

    /// How many iterations a thread has, where its first counter and the greatest bound are known.
    pub(super) fn iterations(&self, body: &Body, loop_: Loop, facts: &Facts<'_>) -> Option<Iterations> {
        let preheader = body.loops[loop_].preheader;
        let insts = &body.blocks[preheader].insts;
        let first = insts.iter().rev().find_map(|inst| match inst.op {
            Op::Copy { dst, src } if dst == self.counter => Some(src),
            _ => None,
        })?;
        let range = |value: Operand| facts.ranges(body).at(body, value, (preheader, insts.len()));
        let ([least, most], [first, _]) = (range(self.bound)?, range(first)?);
        let step = self.step.as_int().filter(|_| matches!(self.less, CmpOp::Lt | CmpOp::ULt))?;
        let is_exact = least == most;
        // A bound is often just below the greatest number that it can be.
        let span = (most - i64::from(!is_exact)).checked_sub(first)?;
        let rounding = if self.is_shared { 0 } else { step - 1 };
        let number = usize::try_from(span.checked_add(rounding)?.checked_div(step)?).ok()?;
        Some(Iterations { number, is_exact, is_shared: self.is_shared })
    }
}

/// How many iterations a thread has.
#[derive(Clone, Copy)]
pub(super) struct Iterations {
    /// What all threads have that share a loop; of a sequential loop, all.
    pub(super) number: usize,
    /// Not only at most.
    is_exact: bool,
    is_shared: bool,
}

impl Iterations {
    /// How often a body is repeated, at most so often, that few iterations are left which come one by one.
    /// Iterations of a sequential loop are often next to each other in memory, where powers of two make wide
    /// accesses.
    pub(super) fn fit(self, most: usize) -> usize {
        let sizes = (2..=most.min(self.number)).filter(|size| self.is_shared || size.is_power_of_two());
        let left = |&size: &usize| if self.is_exact { self.number / size + self.number % size } else { 0 };
        sizes.rev().min_by_key(left).unwrap_or(1)
    }
}

/// A bound from which something can be taken: below that, the loop has no iterations anyway.
pub(super) fn at_least(cursor: &mut Cursor<'_>, ty: Type, bound: Operand, ahead: Operand) -> Operand {
    let least = if ty == Type::I32 { i64::from(i32::MIN) } else { i64::MIN };
    let least = match ahead {
        Operand::Int(_, ahead) => Operand::Int(ty, least.saturating_add(ahead)),
        _ => cursor.add(Operand::Int(ty, least), ahead),
    };
    cursor.binary(BinaryOp::SMax, bound, least)
}

/// A bound to which something can be added, the negative of `ahead`: above that, a loop that counts down has
/// no iterations anyway.
pub(super) fn at_most(cursor: &mut Cursor<'_>, ty: Type, bound: Operand, ahead: Operand) -> Operand {
    let most = if ty == Type::I32 { i64::from(i32::MAX) } else { i64::MAX };
    let most = Operand::Int(ty, most.saturating_add(ahead.as_int().unwrap_or(i64::MIN)));
    cursor.binary(BinaryOp::SMin, bound, most)
}
