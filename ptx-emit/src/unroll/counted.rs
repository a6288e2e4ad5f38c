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
