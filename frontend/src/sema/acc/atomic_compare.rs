//! `atomic compare`: recognises the forms of OpenMP 5.2, 15.8.4.

use super::atomic::{assignment, copy, reads};
use super::visit::{same_expr, strip_casts, strip_void};
use crate::sema::Sema;
use crate::typed::*;

/// A statement of the construct, without the braces around it.
enum Piece<'a> {
    Expr(&'a Expr),
    If(&'a Expr, &'a Stmt, Option<&'a Stmt>),
}

/// The pieces of a statement; `None` if it has others.
fn pieces(stmt: &Stmt) -> Option<Vec<Piece<'_>>> {
    match &stmt.kind {
        StmtKind::Expr(e) => Some(vec![Piece::Expr(strip_void(e))]),
        StmtKind::If(condition, then, otherwise) => {
            Some(vec![Piece::If(condition, then, otherwise.as_deref())])
        }
        StmtKind::Block(list) => {
            let mut out = Vec::new();
            for stmt in list {
                out.extend(pieces(stmt)?);
            }
            Some(out)
        }
        _ => None,
    }
}

/// The only expression of a statement.
fn sole_expression(stmt: &Stmt) -> Option<&Expr> {
    match &pieces(stmt)?[..] {
        [Piece::Expr(e)] => Some(e),
        _ => None,
    }
}

/// `x op with`, whatever stands first: the operator and the other operand.
fn comparison<'a>(condition: &'a Expr, x: &Expr) -> Option<(BinaryOp, &'a Expr)> {
    let ExprKind::Binary(op, a, b) = &strip_casts(condition).kind else { return None };
    let (op, with) = match (reads(a, x), reads(b, x), op) {
        (true, _, _) => (*op, b),
        (_, true, BinaryOp::Lt) => (BinaryOp::Gt, a),
        (_, true, BinaryOp::Gt) => (BinaryOp::Lt, a),
        (_, true, _) => (*op, a),
        _ => return None,
    };
    matches!(op, BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Gt).then_some((op, with))
}

impl Sema<'_> {
    /// `if (x == e) { x = d; }` and its kin.
    pub(super) fn atomic_compare(&mut self, stmt: &Stmt) -> Option<AtomicCompare> {
        match &pieces(stmt)?[..] {
            [piece] => self.conditional_store(piece),
            _ => None,
        }
    }

    /// The same with variables that get what was found.
    pub(super) fn atomic_compare_capture(&mut self, stmt: &Stmt) -> Option<AtomicCompare> {
        match &pieces(stmt)?[..] {
            [Piece::Expr(outer)] => {
                let (v, value) = assignment(outer)?;
                let compare = self.conditional_store(&Piece::Expr(strip_casts(value)))?;
                Some(AtomicCompare { capture: Some((v.clone(), Captured::New)), ..compare })
            }
            [Piece::If(condition, then, Some(otherwise))] => {
                let compare = self.conditional_store(&Piece::If(condition, then, None))?;
                let capture = found(otherwise, &compare.x)?;
                // What an extremum has found is captured in front of it or behind it.
                let is_equality = compare.op == BinaryOp::Eq;
                is_equality.then_some(AtomicCompare { capture: Some(capture), ..compare })
            }
            [Piece::Expr(first), Piece::If(condition, then, otherwise)]
                if assignment(first).is_some_and(|(r, _)| reads(condition, r)) =>
            {
                let (r, value) = assignment(first)?;
                let compare = self.conditional_store(&Piece::If(value, then, None))?;
                let capture = match otherwise {
                    Some(otherwise) => Some(found(otherwise, &compare.x)?),
                    None => None,
                };
                let is_equality = compare.op == BinaryOp::Eq;
                is_equality.then_some(AtomicCompare { capture, result: Some(r.clone()), ..compare })
            }
            [first, second] => {
                let (capture, store, what) = match (first, second) {
                    (Piece::Expr(e), store) if copy(e).is_some() => (copy(e)?, store, Captured::Old),
                    (store, Piece::Expr(e)) => (copy(e)?, store, Captured::New),
                    _ => return None,
                };
                let compare = self.conditional_store(store)?;
                let (v, x) = capture;
                let captures = same_expr(x, &compare.x);
                captures.then_some(AtomicCompare { capture: Some((v.clone(), what)), ..compare })
            }
            _ => None,
        }
    }

    /// `if (x op with) x = value;`, `x = x op with ? value : x;`.
    fn conditional_store(&mut self, piece: &Piece<'_>) -> Option<AtomicCompare> {
        let (condition, x, value) = match piece {
            Piece::If(condition, then, None) => {
                let (x, value) = assignment(sole_expression(then)?)?;
                (*condition, x, value)
            }
            Piece::If(..) => return None,
            Piece::Expr(e) => {
                let (x, value) = assignment(e)?;
                let ExprKind::Conditional(condition, value, otherwise) = &strip_casts(value).kind else {
                    return None;
                };
                if !reads(otherwise, x) {
                    return None;
                }
                (&**condition, x, &**value)
            }
        };
        let (op, with) = comparison(condition, x)?;
        let value = self.convert(value.clone(), x.ty.ty);
        if op != BinaryOp::Eq && !same_expr(strip_casts(&value), strip_casts(with)) {
            // A constant may have been converted when it was compiled.
            let converted = self.convert(with.clone(), x.ty.ty);
            if !same_expr(&converted, &value) {
                return None;
            }
        }
        let (x, with) = (x.clone(), with.clone());
        Some(AtomicCompare { x, op, with, value, capture: None, result: None })
    }
}

/// `v = x` where the condition does not hold.
fn found(otherwise: &Stmt, x: &Expr) -> Option<(Expr, Captured)> {
    let (v, found) = copy(sole_expression(otherwise)?)?;
    same_expr(found, x).then(|| (v.clone(), Captured::WhereFalse))
}
