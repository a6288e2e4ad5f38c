//! Which operations accumulate, and by which operator of a reduction: `v - e`, `max(v, e)`, `fmax(v, e)`,
//! `e > v ? e : v`.
//!
//! Passes find operations each in their own way: by the only definition of a local, or in the graph of an
//! iteration. What an operation does to the value that it has as an operand is said here.

use crate::acc::ReductionOp;
use crate::op::{BinaryOp, CmpOp, Op, Operand};

/// The operator by which an operation accumulates onto its first operand, or onto either of them
/// ([`takes_either`]). Short circuits are control flow, and no operation.
pub fn operator(op: BinaryOp) -> Option<ReductionOp> {
    match op {
        BinaryOp::Add | BinaryOp::Sub => Some(ReductionOp::Add),
        BinaryOp::Mul => Some(ReductionOp::Mul),
        BinaryOp::SMax | BinaryOp::UMax | BinaryOp::FMax => Some(ReductionOp::Max),
        BinaryOp::SMin | BinaryOp::UMin | BinaryOp::FMin => Some(ReductionOp::Min),
        BinaryOp::And => Some(ReductionOp::BitAnd),
        BinaryOp::Or => Some(ReductionOp::BitOr),
        BinaryOp::Xor => Some(ReductionOp::BitXor),
        BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::FDiv
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::CopySign
        | BinaryOp::Complex => None,
    }
}

/// The constant that an operation adds to an operand: -2 of `i - 2`, 8 of a step of a pointer to doubles.
pub fn constant_step(op: &Op, is_it: impl Fn(Operand) -> bool) -> Option<i64> {
    match *op {
        Op::Binary { op: BinaryOp::Add, a, b: Operand::Int(_, step), .. } if is_it(a) => Some(step),
        Op::Binary { op: BinaryOp::Sub, a, b: Operand::Int(_, step), .. } if is_it(a) => step.checked_neg(),
        Op::Index { base, index: Operand::Int(_, index), scale, offset, extent: None, .. } if is_it(base) => {
            index.checked_mul(scale)?.checked_add(offset)
        }
        _ => None,
    }
}

/// How a value accumulates: a maximum of unsigned integers is none of signed ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The operator.
    pub op: ReductionOp,
    /// A minimum or maximum of unsigned integers.
    pub is_unsigned: bool,
}

impl Step {
    /// Of an operation, if it accumulates.
    pub fn of(op: BinaryOp) -> Option<Step> {
        let is_unsigned = matches!(op, BinaryOp::UMin | BinaryOp::UMax);
        Some(Step { op: operator(op)?, is_unsigned })
    }

    /// By an operator that treats all integers alike.
    pub fn plain(op: ReductionOp) -> Step {
        Step { op, is_unsigned: false }
    }
}

/// Whether an operation accumulates onto its second operand, too: `e - v` does not.
pub fn takes_either(op: BinaryOp) -> bool {
    op != BinaryOp::Sub
}

/// The operator of a function of the C library with two arguments.
pub fn library_operator(name: &str) -> Option<ReductionOp> {
    match name {
        "fmax" | "fmaxf" | "fmaxl" => Some(ReductionOp::Max),
        "fmin" | "fminf" | "fminl" => Some(ReductionOp::Min),
        _ => None,
    }
}

/// A comparison of a new value with the old one, by which one of them is selected.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The comparison.
    pub cmp: CmpOp,
    /// The new value is its first operand.
    pub new_is_first: bool,
    /// The new value is selected where it holds.
    pub new_if_true: bool,
}

impl Choice {
    /// The minimum or maximum that the selection is; of integers, if the values are that.
    pub fn extremum(self) -> Option<BinaryOp> {
        let cmp = if self.new_is_first { self.cmp } else { swapped(self.cmp) };
        let [if_false, if_true] = match cmp {
            CmpOp::Gt | CmpOp::Ge => [BinaryOp::SMin, BinaryOp::SMax],
            CmpOp::Lt | CmpOp::Le => [BinaryOp::SMax, BinaryOp::SMin],
            CmpOp::UGt | CmpOp::UGe => [BinaryOp::UMin, BinaryOp::UMax],
            CmpOp::ULt | CmpOp::ULe => [BinaryOp::UMax, BinaryOp::UMin],
            CmpOp::Eq | CmpOp::Ne | CmpOp::Unordered => return None,
        };
        Some(if self.new_if_true { if_true } else { if_false })
    }
}

/// Which of two bounds counts where a number must compare so with both: the lesser one for `i < a && i < b`.
pub fn nearer(cmp: CmpOp) -> Option<BinaryOp> {
    Choice { cmp, new_is_first: true, new_if_true: true }.extremum()
}

/// The comparison with its operands exchanged.
pub fn swapped(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Lt => CmpOp::Gt,
        CmpOp::Le => CmpOp::Ge,
        CmpOp::Gt => CmpOp::Lt,
        CmpOp::Ge => CmpOp::Le,
        CmpOp::ULt => CmpOp::UGt,
        CmpOp::ULe => CmpOp::UGe,
        CmpOp::UGt => CmpOp::ULt,
        CmpOp::UGe => CmpOp::ULe,
        CmpOp::Eq | CmpOp::Ne | CmpOp::Unordered => op,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_extrema() {
        let choice = |cmp, new_is_first, new_if_true| Choice { cmp, new_is_first, new_if_true }.extremum();
        assert_eq!(choice(CmpOp::Gt, true, true), Some(BinaryOp::SMax), "e > v ? e : v");
        assert_eq!(choice(CmpOp::Gt, false, true), Some(BinaryOp::SMin), "v > e ? e : v");
        assert_eq!(choice(CmpOp::Le, true, false), Some(BinaryOp::SMax), "e <= v ? v : e");
        assert_eq!(choice(CmpOp::ULt, false, false), Some(BinaryOp::UMin), "v < e ? v : e");
        assert_eq!(choice(CmpOp::Ne, true, true), None);
    }
}
