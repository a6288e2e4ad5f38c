//! The `atomic` construct: recognises the forms of OpenACC 3.3 section 2.12. Those of OpenMP with `compare`
//! are in [`super::atomic_compare`].

use super::clauses;
use super::visit::{Visit, root_var, same_expr, strip_casts, strip_void, walk_expr};
use super::{ids, nothing};
use crate::ast;
use crate::ctype::{IntKind, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{AtomicKind, ClauseKind, Directive, DirectiveKind};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// `x = x op value`, in whatever form it was written.
struct Update {
    x: Expr,
    op: BinaryOp,
    value: Expr,
    reversed: bool,
    compute: TypeId,
    /// As an expression, it gives the old value.
    postfix: bool,
}

/// `a = b` without the conversion of `b`.
pub(super) fn assignment(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match &strip_casts(expr).kind {
        ExprKind::Assign(target, value) => Some((target, value)),
        _ => None,
    }
}

/// `v = x`: the two lvalues.
pub(super) fn copy(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let (v, value) = assignment(expr)?;
    match &strip_casts(value).kind {
        ExprKind::Load(x) => Some((v, x)),
        _ => None,
    }
}

pub(super) fn reads(expr: &Expr, x: &Expr) -> bool {
    matches!(&strip_casts(expr).kind, ExprKind::Load(inner) if same_expr(inner, x))
}

fn is_atomic_operator(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Shl
        | BinaryOp::Shr => true,
        BinaryOp::Rem
        | BinaryOp::Lt
        | BinaryOp::Gt
        | BinaryOp::Le
        | BinaryOp::Ge
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::LogAnd
        | BinaryOp::LogOr => false,
    }
}

fn is_associative(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}

/// In `x op a op b`, takes `x` away: `a op b`.
fn without_first(expr: &Expr, op: BinaryOp, x: &Expr) -> Option<Expr> {
    let ExprKind::Binary(inner, a, b) = &expr.kind else { return None };
    if *inner != op {
        return None;
    }
    if reads(a, x) {
        return Some((**b).clone());
    }
    let rest = without_first(a, op, x)?;
    let kind = ExprKind::Binary(op, Box::new(rest), b.clone());
    Some(Expr { kind, ty: expr.ty, span: expr.span })
}

/// The expressions of a statement that is an expression statement or a block of such.
fn expressions(stmt: &Stmt) -> Option<Vec<&Expr>> {
    match &stmt.kind {
        StmtKind::Expr(e) => Some(vec![strip_void(e)]),
        StmtKind::Block(list) => {
            let mut out = Vec::new();
            for s in list {
                out.extend(expressions(s)?);
            }
            Some(out)
        }
        _ => None,
    }
}

/// Looks for an object in an expression.
struct Find<'a> {
    object: &'a Expr,
    found: Option<Span>,
}

impl Visit for Find<'_> {
    fn expr(&mut self, expr: &Expr) {
        if self.found.is_none() && same_expr(expr, self.object) {
            self.found = Some(expr.span);
        }
        walk_expr(self, expr);
    }
}

impl Sema<'_> {
    pub(super) fn atomic_construct(
        &mut self,
        directive: &Directive,
        kind: AtomicKind,
        statement: &ast::Stmt,
    ) -> Stmt {
        debug_assert!(matches!(directive.kind, DirectiveKind::Atomic(_)));
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        for clause in selected {
            if let ClauseKind::Hint(hint) = &clause.kind {
                self.check_hint(hint);
            }
        }
        let errors = self.session.sink.errors();
        self.enter_construct(directive.kind.name(), directive.name_span);
        let typed = self.stmt(statement);
        self.leave_construct();
        let span = directive.span.to(statement.span);
        if self.session.sink.errors() > errors {
            return nothing(span);
        }
        let list = expressions(&typed).unwrap_or_default();
        let atomic = match kind {
            AtomicKind::Read => self.atomic_read(&list),
            AtomicKind::Write => self.atomic_write(&list),
            AtomicKind::Update => self.atomic_update(&list),
            AtomicKind::Capture => self.atomic_capture(&list),
            AtomicKind::Compare => self.atomic_compare(&typed).map(Atomic::Compare),
            AtomicKind::CompareCapture => self.atomic_compare_capture(&typed).map(Atomic::Compare),
        };
        let Some(atomic) = atomic else {
            self.wrong_form(kind, directive, statement.span);
            return nothing(span);
        };
        let is_bits = self.is_bit_field(atomic.object());
        // What a function does while the lock is held may need it, too.
        if is_bits && self.is_host_code() && !list.iter().any(|expr| has_call(expr)) {
            return self.locked_bits(typed, span);
        }
        self.check_atomic_objects(&atomic);
        self.check_stored_value(&atomic);
        Stmt { kind: StmtKind::Atomic(Box::new(atomic)), span }
    }

    /// Warns of a stored value that depends on what the operation itself reads or captures: it is computed
    /// before.
    fn check_stored_value(&mut self, atomic: &Atomic) {
        let (value, objects) = match atomic {
            Atomic::Exchange { v, x, value } => (value, [Some(v), Some(x)]),
            // Of `v = x op= v` and `{ x op= v; v = x; }`, C reads `v` first, too.
            Atomic::Update { capture: Some((v, false)), value, .. } => (value, [Some(v), None]),
            _ => return,
        };
        for object in objects.into_iter().flatten() {
            let mut find = Find { object, found: None };
            find.expr(value);
            let Some(span) = find.found else { continue };
            let of = root_var(object).map_or(String::new(), |var| format!("of `{}` ", self.var_text(var)));
            let message = format!(
                "the value {of}here is that from before the atomic operation: what it stores is computed first"
            );
            self.emit(Diagnostic::warning(ids::ATOMIC_OPERAND, span, message).note(
                "what is stored depending on what was there is for `compare capture`: `{ v = x; if (x == e) { x = d; } }`",
            ));
        }
    }

    fn wrong_form(&mut self, kind: AtomicKind, directive: &Directive, span: Span) {
        let (name, forms) = match kind {
            AtomicKind::Read => ("read", "`v = x;`"),
            AtomicKind::Write => ("write", "`x = expression;`"),
            AtomicKind::Update => (
                "update",
                "`x++; x--; ++x; --x; x op= e; x = x op e; x = e op x;` with op one of `+ * - / & ^ | << >>`",
            ),
            AtomicKind::Capture => (
                "capture",
                "`v = <update of x>;`, `{ v = x; <update of x>; }`, `{ <update of x>; v = x; }`, `{ v = x; x = e; }`",
            ),
            AtomicKind::Compare => (
                "compare",
                "`if (x == e) { x = d; }`, `x = x == e ? d : x;`, and with `<` or `>` in the place of `==` and e in that of d",
            ),
            AtomicKind::CompareCapture => (
                "compare capture",
                "`{ v = x; <compare> }`, `{ <compare> v = x; }`, `if (x == e) { x = d; } else { v = x; }`, `{ r = x == e; if (r) { x = d; } }`, `{ r = x == e; if (r) { x = d; } else { v = x; } }`",
            ),
        };
        self.emit(
            Diagnostic::error(
                ids::ATOMIC_FORM,
                span,
                format!("this statement is none of the forms of `atomic {name}`"),
            )
            .related(directive.name_span, "the directive")
            .note(format!("allowed: {forms}")),
        );
    }

    fn atomic_read(&mut self, list: &[&Expr]) -> Option<Atomic> {
        let [one] = list else { return None };
        let (v, x) = copy(one)?;
        Some(Atomic::Read { v: v.clone(), x: x.clone() })
    }

    fn atomic_write(&mut self, list: &[&Expr]) -> Option<Atomic> {
        let [one] = list else { return None };
        let (x, value) = assignment(one)?;
        Some(Atomic::Write { x: x.clone(), value: value.clone() })
    }

    fn atomic_update(&mut self, list: &[&Expr]) -> Option<Atomic> {
        let [one] = list else { return None };
        self.update_of(one).map(|update| update.into_atomic(None))
    }

    fn atomic_capture(&mut self, list: &[&Expr]) -> Option<Atomic> {
        match list {
            [one] => {
                let (v, value) = assignment(one)?;
                let update = self.update_of(strip_casts(value))?;
                let new = !update.postfix;
                Some(update.into_atomic(Some((v.clone(), new))))
            }
            [first, second] => {
                if let Some((v, x)) = copy(first) {
                    if let Some(update) = self.update_of(second).filter(|u| same_expr(&u.x, x)) {
                        return Some(update.into_atomic(Some((v.clone(), false))));
                    }
                    if let Some((target, value)) = assignment(second)
                        && same_expr(target, x)
                    {
                        return Some(Atomic::Exchange { v: v.clone(), x: x.clone(), value: value.clone() });
                    }
                }
                let (v, x) = copy(second)?;
                let update = self.update_of(first).filter(|u| same_expr(&u.x, x))?;
                Some(update.into_atomic(Some((v.clone(), true))))
            }
            _ => None,
        }
    }

    fn update_of(&mut self, expr: &Expr) -> Option<Update> {
        match &expr.kind {
            ExprKind::IncDec { target, increment, prefix } => {
                let ty = target.ty.ty;
                let compute = match self.types.int_kind(ty) {
                    Some(kind) if kind.rank() < IntKind::Int.rank() => IntKind::Int.type_id(),
                    _ => ty,
                };
                let one = self.long(1, expr.span);
                let value = self.convert(one, compute);
                let op = if *increment { BinaryOp::Add } else { BinaryOp::Sub };
                let x = (**target).clone();
                Some(Update { x, op, value, reversed: false, compute, postfix: !*prefix })
            }
            ExprKind::AssignOp { op, target, value, compute } if is_atomic_operator(*op) => Some(Update {
                x: (**target).clone(),
                op: *op,
                value: (**value).clone(),
                reversed: false,
                compute: *compute,
                postfix: false,
            }),
            ExprKind::Assign(target, value) => {
                let value = strip_casts(value);
                let ExprKind::Binary(op, a, b) = &value.kind else { return None };
                if !is_atomic_operator(*op) {
                    return None;
                }
                let (operand, reversed) = if reads(a, target) {
                    ((**b).clone(), false)
                } else if reads(b, target) {
                    ((**a).clone(), true)
                } else if is_associative(*op) {
                    (without_first(value, *op, target)?, false)
                } else {
                    return None;
                };
                Some(Update {
                    x: (**target).clone(),
                    op: *op,
                    value: operand,
                    reversed,
                    compute: value.ty.ty,
                    postfix: false,
                })
            }
            _ => None,
        }
    }

    fn check_atomic_objects(&mut self, atomic: &Atomic) {
        let x = atomic.object();
        let (v, arithmetic) = match atomic {
            Atomic::Read { v, .. } | Atomic::Exchange { v, .. } => (Some(v), false),
            Atomic::Write { .. } => (None, false),
            Atomic::Update { capture, .. } => (capture.as_ref().map(|(v, _)| v), true),
            Atomic::Compare(compare) => (compare.capture.as_ref().map(|(v, _)| v), false),
        };
        for (expr, arithmetic) in [(Some(x), arithmetic), (v, false)] {
            let Some(expr) = expr else { continue };
            let ty = expr.ty.ty;
            let fits = if arithmetic {
                self.types.is_real(ty)
            } else {
                self.types.is_scalar(ty) && !self.types.is_complex(ty)
            };
            if !fits || self.is_bit_field(expr) {
                let text = self.type_text(QualType::plain(ty));
                self.emit(
                    Diagnostic::error(
                        ids::ATOMIC_TYPE,
                        expr.span,
                        "the object cannot be accessed atomically: it is no scalar in memory of its own",
                    )
                    .label(format!("this has type `{text}`")),
                );
            }
        }
        if let ExprKind::Var(var) = x.kind {
            self.vars[var.0 as usize].in_memory = true;
        }
    }
}

fn has_call(expr: &Expr) -> bool {
    struct Calls(bool);
    impl Visit for Calls {
        fn stmt(&mut self, _: &Stmt) {
            self.0 = true;
        }
        fn expr(&mut self, expr: &Expr) {
            self.0 |= matches!(expr.kind, ExprKind::Call { .. });
            walk_expr(self, expr);
        }
    }
    let mut calls = Calls(false);
    calls.expr(expr);
    calls.0
}

impl Update {
    fn into_atomic(self, capture: Option<(Expr, bool)>) -> Atomic {
        Atomic::Update {
            x: self.x,
            op: self.op,
            value: self.value,
            reversed: self.reversed,
            compute: self.compute,
            capture,
        }
    }
}
