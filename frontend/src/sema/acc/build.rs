//! Small typed expressions that clauses are made of, and the checks that arguments of clauses share.

use super::ids;
use crate::ast;
use crate::ctype::{IntKind, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// What an integer argument must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Any integer.
    Any,
    /// Positive; a constant that is not gets a warning.
    Positive,
    /// A queue: not negative, or a special value of `openacc.h`; a constant that is neither gets a warning.
    Queue,
}

/// The least of the special values that stand for queues.
const LEAST_QUEUE: i128 = -3;

impl Sema<'_> {
    /// A 64-bit constant.
    pub(super) fn long(&self, value: i128, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value), ty: QualType::plain(IntKind::Long.type_id()), span }
    }

    /// An integer value as a 64-bit one.
    pub(super) fn as_long(&mut self, expr: Expr) -> Expr {
        if expr.ty.ty == IntKind::Long.type_id() {
            return expr;
        }
        match self.const_int(&expr) {
            Some(value) => self.long(value, expr.span),
            None => self.convert(expr, IntKind::Long.type_id()),
        }
    }

    /// `a * b` on 64 bits.
    pub(super) fn long_mul(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.const_int(&a), self.const_int(&b)) {
            (Some(x), Some(y)) => self.long(x.wrapping_mul(y), a.span),
            (Some(1), None) => b,
            (None, Some(1)) => a,
            (Some(0), None) => a,
            (None, Some(0)) => b,
            _ => self.long_binary(ast::BinaryOp::Mul, a, b),
        }
    }

    /// `a + b` on 64 bits.
    pub(super) fn long_add(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.const_int(&a), self.const_int(&b)) {
            (Some(x), Some(y)) => self.long(x.wrapping_add(y), a.span),
            (Some(0), None) => b,
            (None, Some(0)) => a,
            _ => self.long_binary(ast::BinaryOp::Add, a, b),
        }
    }

    /// `a - b` on 64 bits.
    pub(super) fn long_sub(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.const_int(&a), self.const_int(&b)) {
            (Some(x), Some(y)) => self.long(x.wrapping_sub(y), a.span),
            (None, Some(0)) => a,
            _ => self.long_binary(ast::BinaryOp::Sub, a, b),
        }
    }

    /// `a / b` on 64 bits, for sizes.
    pub(super) fn long_div(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.const_int(&a), self.const_int(&b)) {
            (Some(x), Some(y)) if y != 0 => self.long(x / y, a.span),
            (None, Some(1)) => a,
            _ => self.long_binary(ast::BinaryOp::Div, a, b),
        }
    }

    /// `a % b` on 64 bits, for numbers of iterations.
    pub(super) fn long_rem(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.const_int(&a), self.const_int(&b)) {
            (Some(x), Some(y)) if y != 0 => self.long(x % y, a.span),
            _ => self.long_binary(ast::BinaryOp::Rem, a, b),
        }
    }

    fn long_binary(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let span = a.span;
        Expr {
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
            ty: QualType::plain(IntKind::Long.type_id()),
            span,
        }
    }

    /// The size of a type as a 64-bit integer.
    pub(super) fn long_size(&mut self, ty: TypeId, span: Span) -> Expr {
        let size = self.size_expr(ty, span);
        self.as_long(size)
    }

    /// An lvalue for a variable.
    pub(super) fn var_lvalue(&self, var: VarId, span: Span) -> Expr {
        Expr { kind: ExprKind::Var(var), ty: self.vars[var.0 as usize].ty, span }
    }

    /// An `int` argument of a clause. `None` after an error.
    pub(super) fn int_argument(&mut self, clause: &str, expr: &ast::Expr, wanted: Wanted) -> Option<Expr> {
        let value = self.rvalue(expr);
        if value.ty.ty == TypeId::ERROR {
            return None;
        }
        if !self.types.is_integer(value.ty.ty) {
            let text = self.type_text(value.ty);
            self.emit(
                Diagnostic::error(
                    ids::CLAUSE_ARGUMENT,
                    expr.span,
                    format!("the argument of `{clause}` must be an integer"),
                )
                .label(format!("this has type `{text}`")),
            );
            return None;
        }
        if wanted == Wanted::Positive
            && let Some(constant) = self.const_int(&value)
            && constant <= 0
        {
            self.emit(Diagnostic::warning(
                ids::CLAUSE_VALUE,
                expr.span,
                format!("the argument of `{clause}` must be positive, not {constant}"),
            ));
            let one = self.long(1, expr.span);
            return Some(self.convert(one, IntKind::Int.type_id()));
        }
        if wanted == Wanted::Queue
            && let Some(constant) = self.const_int(&value)
            && constant < LEAST_QUEUE
        {
            let message =
                format!("the argument of `{clause}` must not be negative: there is no queue {constant}");
            self.emit(Diagnostic::warning(ids::CLAUSE_VALUE, expr.span, message));
        }
        if let Some(constant) = self.const_int(&value)
            && constant > i128::from(i32::MAX)
        {
            let most = i32::MAX;
            self.emit(Diagnostic::warning(
                ids::CLAUSE_VALUE,
                expr.span,
                format!("the argument of `{clause}` must be at most {most}, not {constant}"),
            ));
            let most = self.long(i128::from(most), expr.span);
            return Some(self.convert(most, IntKind::Int.type_id()));
        }
        Some(self.convert(value, IntKind::Int.type_id()))
    }

    /// A condition: a scalar.
    pub(super) fn condition_argument(&mut self, clause: &str, expr: &ast::Expr) -> Option<Expr> {
        let value = self.rvalue(expr);
        if value.ty.ty == TypeId::ERROR {
            return None;
        }
        if !self.types.is_scalar(value.ty.ty) {
            let text = self.type_text(value.ty);
            self.emit(
                Diagnostic::error(
                    ids::CLAUSE_ARGUMENT,
                    expr.span,
                    format!("the condition of `{clause}` must be a scalar"),
                )
                .label(format!("this has type `{text}`")),
            );
            return None;
        }
        Some(value)
    }

    /// A positive integer constant, of at most `max`.
    pub(super) fn constant_argument(&mut self, clause: &str, expr: &ast::Expr, max: u32) -> Option<u32> {
        let value = self.rvalue(expr);
        if value.ty.ty == TypeId::ERROR {
            return None;
        }
        let constant = self.const_int(&value).filter(|v| *v > 0);
        let Some(constant) = constant else {
            self.error(
                ids::CLAUSE_ARGUMENT,
                expr.span,
                format!("the argument of `{clause}` must be a positive integer constant"),
            );
            return None;
        };
        if constant > i128::from(max) {
            self.error(
                ids::CLAUSE_ARGUMENT,
                expr.span,
                format!("the argument of `{clause}` must be at most {max}, not {constant}"),
            );
            return None;
        }
        u32::try_from(constant).ok()
    }
}
