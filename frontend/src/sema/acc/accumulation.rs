//! Which statements accumulate into a variable or an element, and by which operator: `s += e`, `s = fmax(s, e)`,
//! `if (e > s) s = e`.

use super::visit::{same_expr, strip_casts};
use crate::typed::*;
use accrue_ir::ReductionOp;

/// Whether an expression is the value of a place.
fn reads(expr: &Expr, place: &Expr) -> bool {
    matches!(&strip_casts(expr).kind, ExprKind::Load(x) if same_expr(x, place))
}

fn operator(op: BinaryOp) -> Option<ReductionOp> {
    Some(match op {
        BinaryOp::Add | BinaryOp::Sub => ReductionOp::Add,
        BinaryOp::Mul => ReductionOp::Mul,
        BinaryOp::BitAnd => ReductionOp::BitAnd,
        BinaryOp::BitOr => ReductionOp::BitOr,
        BinaryOp::BitXor => ReductionOp::BitXor,
        BinaryOp::LogAnd => ReductionOp::LogAnd,
        BinaryOp::LogOr => ReductionOp::LogOr,
        BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Lt
        | BinaryOp::Gt
        | BinaryOp::Le
        | BinaryOp::Ge
        | BinaryOp::Eq
        | BinaryOp::Ne => return None,
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
                extremum(condition, a, place)
            } else if reads(a, place) {
                extremum(condition, b, place).map(opposite)
            } else {
                None
            }
        }
        ExprKind::Builtin(builtin @ (Builtin::Fmin | Builtin::Fmax), args) => {
            args.iter().any(|arg| reads(arg, place)).then_some(match builtin {
                Builtin::Fmin => ReductionOp::Min,
                _ => ReductionOp::Max,
            })
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

fn opposite(op: ReductionOp) -> ReductionOp {
    if op == ReductionOp::Max { ReductionOp::Min } else { ReductionOp::Max }
}

/// Where `condition` holds, the place becomes `new`: is it then the larger or the smaller of the two?
fn extremum(condition: &Expr, new: &Expr, place: &Expr) -> Option<ReductionOp> {
    let ExprKind::Binary(op, a, b) = &condition.kind else { return None };
    let greater = match op {
        BinaryOp::Gt | BinaryOp::Ge => true,
        BinaryOp::Lt | BinaryOp::Le => false,
        _ => return None,
    };
    let (a, b) = (strip_casts(a), strip_casts(b));
    let new_is_greater = if reads(b, place) && same_expr(a, new) {
        greater
    } else if reads(a, place) && same_expr(b, new) {
        !greater
    } else {
        return None;
    };
    Some(if new_is_greater { ReductionOp::Max } else { ReductionOp::Min })
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
            Some((assignment, extremum(strip_casts(condition), strip_casts(value), place)?))
        }
        _ => None,
    }
}
