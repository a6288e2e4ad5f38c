//! Counted loops: the canonical form that loop directives need and that analyses look for (OpenACC 3.3
//! section 2.9).

use super::Sema;
use crate::ast::BinaryOp;
use crate::ctype::TypeId;
use crate::source::Span;
use crate::typed::*;

/// Why a `for` is not a counted loop.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The part at fault.
    pub span: Span,
    /// What is wrong with it.
    pub text: String,
}

/// The initial assignment of a loop: variable, value, whether it declares the variable.
type Start<'a> = (VarId, &'a Expr, bool);

impl Sema<'_> {
    /// The loop `for (var = init; var cmp bound; var += step)` that a `for` statement (or the block around it
    /// that holds its declaration) is, or why it is none. Whether the body changes the variable is not looked
    /// at.
    pub fn canonical_loop(&mut self, stmt: &Stmt) -> Result<CanonicalLoop, Reason> {
        let inner = match &stmt.kind {
            StmtKind::Block(statements) => match &statements[..] {
                [only @ Stmt { kind: StmtKind::For { .. }, .. }] => only,
                _ => return Err(reason(stmt.span, "this is not a 'for' loop")),
            },
            _ => stmt,
        };
        let StmtKind::For { init, condition, step, .. } = &inner.kind else {
            return Err(reason(stmt.span, "this is not a 'for' loop"));
        };
        let (var, first, declared) = start(init, inner.span)?;
        let ty = self.vars[var.0 as usize].ty;
        if !self.types.is_integer(ty.ty) && !self.types.is_pointer(ty.ty) {
            let text = self.type_text(ty);
            return Err(reason(
                first.span,
                &format!("the loop variable has type '{text}', neither integer nor pointer"),
            ));
        }
        let Some(condition) = condition else {
            return Err(reason(inner.span, "the loop has no condition"));
        };
        let (cmp, bound) = self.bound(var, condition)?;
        let is_unsigned = self.types.int_kind(ty.ty).is_some_and(|kind| !kind.is_signed());
        if is_unsigned && cmp == BinaryOp::Ge && matches!(bound.kind, ExprKind::Int(0)) {
            return Err(reason(condition.span, "the condition always holds: the loop variable is unsigned"));
        }
        let Some(step) = step else {
            return Err(reason(inner.span, "the loop has no increment"));
        };
        let place = step.span;
        let step = self.step(var, step)?;
        let is_away = |step: i128| match cmp {
            BinaryOp::Lt | BinaryOp::Le => step < 0,
            BinaryOp::Gt | BinaryOp::Ge => step > 0,
            _ => false,
        };
        if self.const_int(&step).is_some_and(is_away) {
            return Err(reason(place, "the increment leads away from the bound"));
        }
        Ok(CanonicalLoop {
            var,
            declared,
            init: first.clone(),
            cmp,
            compare_type: bound.ty.ty,
            bound,
            step,
            span: inner.span,
        })
    }

    fn bound(&self, var: VarId, condition: &Expr) -> Result<(BinaryOp, Expr), Reason> {
        let ExprKind::Binary(op, left, right) = &condition.kind else {
            return Err(reason(condition.span, "the condition is no comparison of the loop variable"));
        };
        let (swapped, known) = match op {
            BinaryOp::Lt => (BinaryOp::Gt, true),
            BinaryOp::Gt => (BinaryOp::Lt, true),
            BinaryOp::Le => (BinaryOp::Ge, true),
            BinaryOp::Ge => (BinaryOp::Le, true),
            BinaryOp::Ne => (BinaryOp::Ne, true),
            _ => (*op, false),
        };
        if !known {
            return Err(reason(condition.span, "the condition is none of '<', '<=', '>', '>=', '!='"));
        }
        let (left_is, right_is) = (self.reads(var, left), self.reads(var, right));
        match (left_is, right_is) {
            (true, false) => Ok((*op, (**right).clone())),
            (false, true) => Ok((swapped, (**left).clone())),
            _ => Err(reason(condition.span, "the condition does not compare the loop variable with a bound")),
        }
    }

    /// Whether an expression is the value of the variable, perhaps widened.
    fn reads(&self, var: VarId, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Load(lvalue) => matches!(lvalue.kind, ExprKind::Var(loaded) if loaded == var),
            ExprKind::Cast(CastKind::Arithmetic | CastKind::Pointer, inner) => {
                let wide = match (self.types.int_kind(expr.ty.ty), self.types.int_kind(inner.ty.ty)) {
                    (Some(to), Some(from)) => to.size() >= from.size(),
                    (None, None) => self.types.is_pointer(expr.ty.ty),
                    _ => false,
                };
                wide && self.reads(var, inner)
            }
            _ => false,
        }
    }

    /// The signed 64-bit step of the third clause.
    fn step(&mut self, var: VarId, step: &Expr) -> Result<Expr, Reason> {
        let wrong = || {
            reason(
                step.span,
                "the increment is none of 'v++', 'v--', 'v += e', 'v -= e', 'v = v + e', 'v = v - e'",
            )
        };
        let is_var = |lvalue: &Expr| matches!(lvalue.kind, ExprKind::Var(target) if target == var);
        match &step.kind {
            ExprKind::IncDec { target, increment, .. } if is_var(target) => {
                Ok(self.int_expr(if *increment { 1 } else { -1 }, TypeId::LONG, step.span))
            }
            ExprKind::AssignOp { op, target, value, .. } if is_var(target) => match op {
                BinaryOp::Add => self.signed_step(value, false, step.span),
                BinaryOp::Sub => self.signed_step(value, true, step.span),
                _ => Err(wrong()),
            },
            ExprKind::Assign(target, value) if is_var(target) => {
                let mut value = value;
                while let ExprKind::Cast(CastKind::Arithmetic | CastKind::Pointer, inner) = &value.kind {
                    value = inner;
                }
                match &value.kind {
                    ExprKind::Binary(BinaryOp::Sub, left, right) if self.reads(var, left) => {
                        self.signed_step(right, true, step.span)
                    }
                    ExprKind::PtrAdd { pointer, index, subtract } if self.reads(var, pointer) => {
                        self.signed_step(index, *subtract, step.span)
                    }
                    _ => match self.added(var, value) {
                        Some(Some(added)) => self.signed_step(&added, false, step.span),
                        _ => Err(wrong()),
                    },
                }
            }
            ExprKind::Comma(..) => {
                Err(reason(step.span, "the increment changes more than the loop variable"))
            }
            _ => Err(wrong()),
        }
    }

    /// What a sum adds to the variable, which is one of its terms: `m - 1` of `v + m - 1`.
    fn added(&mut self, var: VarId, sum: &Expr) -> Option<Option<Expr>> {
        if self.reads(var, sum) {
            return Some(None);
        }
        // A sum of signed numbers is the same in more bits.
        if let ExprKind::Cast(CastKind::Arithmetic, inner) = &sum.kind
            && let (Some(to), Some(from)) = (self.types.int_kind(sum.ty.ty), self.types.int_kind(inner.ty.ty))
            && from.is_signed()
            && to.size() >= from.size()
        {
            return Some(self.added(var, inner)?.map(|added| self.convert(added, sum.ty.ty)));
        }
        let ExprKind::Binary(op, left, right) = &sum.kind else { return None };
        let with = |op, left, right| {
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            Some(Some(Expr { kind, ..sum.clone() }))
        };
        match (op, self.added(var, left)) {
            (BinaryOp::Add, Some(None)) => Some(Some((**right).clone())),
            (BinaryOp::Sub, Some(None)) => {
                let right = (**right).clone();
                Some(Some(self.unary_value(UnaryOp::Neg, right, sum.ty.ty, sum.span)))
            }
            (BinaryOp::Add | BinaryOp::Sub, Some(Some(added))) => with(*op, added, (**right).clone()),
            (BinaryOp::Add, None) => match self.added(var, right)? {
                None => Some(Some((**left).clone())),
                Some(added) => with(BinaryOp::Add, (**left).clone(), added),
            },
            _ => None,
        }
    }

    fn signed_step(&mut self, value: &Expr, negative: bool, span: Span) -> Result<Expr, Reason> {
        let Some(kind) = self.types.int_kind(value.ty.ty) else {
            return Err(reason(value.span, "the step is not an integer"));
        };
        let value = match value.kind {
            // `u += -1` on an unsigned variable counts down.
            ExprKind::Int(step) => self.int_expr(kind.to_signed().wrap(step), TypeId::LONG, value.span),
            _ => self.convert(value.clone(), TypeId::LONG),
        };
        if matches!(value.kind, ExprKind::Int(0)) {
            return Err(reason(span, "the step is zero"));
        }
        Ok(if negative { self.unary_value(UnaryOp::Neg, value, TypeId::LONG, span) } else { value })
    }
}

fn start(init: &[Stmt], span: Span) -> Result<Start<'_>, Reason> {
    let [first] = init else {
        let text = if init.is_empty() {
            "the loop does not initialize its variable"
        } else {
            "the loop initializes more than one variable"
        };
        return Err(reason(init.first().map_or(span, |first| first.span), text));
    };
    match &first.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign(target, value), .. }) => match target.kind {
            ExprKind::Var(var) => Ok((var, value, false)),
            _ => Err(reason(target.span, "the loop variable is not a plain variable")),
        },
        StmtKind::Declare(var, Some(Init { entries })) => match &entries[..] {
            [InitEntry { offset: 0, bits: None, value, .. }] => Ok((*var, value, true)),
            _ => Err(reason(first.span, "the loop variable is not initialized with one value")),
        },
        _ => Err(reason(first.span, "the loop does not begin with an assignment to its variable")),
    }
}

fn reason(span: Span, text: &str) -> Reason {
    Reason { span, text: text.to_owned() }
}
