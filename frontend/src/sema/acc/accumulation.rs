//! Which statements accumulate into a variable or an element, and by which operator: `s += e`,
//! `s = fmax(s, e)`, `if (e > s) s = e`.

use super::visit::{same_expr, strip_casts};
use crate::typed::*;
use accrue_ir as ir;
use accrue_ir::analysis::accumulation::{self, Choice};
use accrue_ir::{CmpOp, ReductionOp};

/// Whether an expression is the value of a place.
fn reads(expr: &Expr, place: &Expr) -> bool {
    matches!(&strip_casts(expr).kind, ExprKind::Load(x) if same_expr(x, place))
}

/// The operator of a reduction that an operator of C is.
fn operator(op: BinaryOp) -> Option<ReductionOp> {
    accumulation::operator(match op {
        BinaryOp::Add => ir::BinaryOp::Add,
        BinaryOp::Sub => ir::BinaryOp::Sub,
        BinaryOp::Mul => ir::BinaryOp::Mul,
        BinaryOp::BitAnd => ir::BinaryOp::And,
        BinaryOp::BitOr => ir::BinaryOp::Or,
        BinaryOp::BitXor => ir::BinaryOp::Xor,
        // Control flow in the IR.
        BinaryOp::LogAnd => return Some(ReductionOp::LogAnd),
        BinaryOp::LogOr => return Some(ReductionOp::LogOr),
        _ => return None,
    })
}

/// `s += e`, `s++`, `s = s op e`, `s = e op s`, `s = a > s ? a : s`, `s = fmax(s, a)`.
pub(super) fn accumulation(expr: &Expr) -> Option<ReductionOp> {
    match &expr.kind {
        ExprKind::AssignOp { op, .. } => operator(*op),
        ExprKind::IncDec { .. } => Some(ReductionOp::Add),
        ExprKind::Assign(place, value) => combination(strip_casts(value), place),
        _ => None,
    }
}

fn combination(value: &Expr, place: &Expr) -> Option<ReductionOp> {
    match &value.kind {
        ExprKind::Binary(op, a, b) => {
            let found = operator(*op)?;
            let left = reads(a, place) || leftmost_reads(a, *op, place);
            (left || *op != BinaryOp::Sub && reads(b, place)).then_some(found)
        }
        ExprKind::Conditional(condition, a, b) => {
            let (condition, a, b) = (strip_casts(condition), strip_casts(a), strip_casts(b));
            if reads(b, place) {
                extremum(condition, a, place, true)
            } else if reads(a, place) {
                extremum(condition, b, place, false)
            } else {
                None
            }
        }
        ExprKind::Builtin(builtin @ (Builtin::Fmin | Builtin::Fmax), args) => {
            let op = match builtin {
                Builtin::Fmin => ir::BinaryOp::FMin,
                _ => ir::BinaryOp::FMax,
            };
            accumulation::operator(op).filter(|_| args.iter().any(|arg| reads(arg, place)))
        }
        _ => None,
    }
}

/// `s + a + b`: `s` is the first operand of a chain of one operator.
fn leftmost_reads(expr: &Expr, op: BinaryOp, place: &Expr) -> bool {
    match &strip_casts(expr).kind {
        ExprKind::Binary(inner, a, _) if *inner == op => reads(a, place) || leftmost_reads(a, op, place),
        _ => false,
    }
}

/// Where `condition` holds, or where it does not, the place becomes `new`: is it then the larger or the
/// smaller of the two?
fn extremum(condition: &Expr, new: &Expr, place: &Expr, new_if_true: bool) -> Option<ReductionOp> {
    let ExprKind::Binary(op, a, b) = &condition.kind else { return None };
    let cmp = match op {
        BinaryOp::Gt => CmpOp::Gt,
        BinaryOp::Ge => CmpOp::Ge,
        BinaryOp::Lt => CmpOp::Lt,
        BinaryOp::Le => CmpOp::Le,
        _ => return None,
    };
    let (a, b) = (strip_casts(a), strip_casts(b));
    let new_is_first = if reads(b, place) && same_expr(a, new) {
        true
    } else if reads(a, place) && same_expr(b, new) {
        false
    } else {
        return None;
    };
    accumulation::operator(Choice { cmp, new_is_first, new_if_true }.extremum()?)
}

/// `if (a > s) s = a;`: the assignment, and the operator.
pub(super) fn guarded_extremum<'a>(condition: &Expr, then: &'a Stmt) -> Option<(&'a Expr, ReductionOp)> {
    match &then.kind {
        StmtKind::Block(list) => match list.as_slice() {
            [one] => guarded_extremum(condition, one),
            _ => None,
        },
        StmtKind::Expr(expr) => {
            let assignment = strip_casts(expr);
            let ExprKind::Assign(place, value) = &assignment.kind else { return None };
            Some((assignment, extremum(strip_casts(condition), strip_casts(value), place, true)?))
        }
        _ => None,
    }
}
