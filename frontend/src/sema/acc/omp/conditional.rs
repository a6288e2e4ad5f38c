//! `lastprivate(conditional: ...)` (OpenMP 5.2, 5.4.5): a variable gets the value of the last assignment in
//! the order of the iterations, if there is any. Every assignment notes the number of its iteration; behind
//! each range a thread keeps the value of the latest, and the threads compare theirs under a lock.

use super::super::ids;
use super::super::visit::{VisitMut, walk_expr_mut, walk_stmt_mut};
use super::code::{Routine, block, declare, effect, if_stmt};
use super::private::Privates;
use super::sharing::Written;
use crate::ctype::{QualType, TypeId};
use crate::directive::{Clause, ClauseKind, Directive, Parts};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// A variable of the clause, within a thread.
pub(super) struct Conditional {
    original: VarId,
    copy: VarId,
    /// The number of the iteration that assigned to the copy last; 0 before any.
    assigned: VarId,
    /// The latest of these numbers, and the value from there.
    best: VarId,
    value: VarId,
}

/// Puts a note beside each assignment to a variable.
struct Marks(Vec<(VarId, Expr)>);

impl Marks {
    fn of(&self, target: &Expr) -> Option<&Expr> {
        let ExprKind::Var(var) = target.kind else { return None };
        self.0.iter().find(|(of, _)| *of == var).map(|(_, mark)| mark)
    }

    /// Notes in front of a statement what it may assign to.
    fn in_front(&self, stmt: &mut Stmt) {
        let written = Written::of(stmt);
        let marks = self.0.iter().filter(|(var, _)| written.vars.contains(var));
        let mut list: Vec<Stmt> = marks.map(|(_, mark)| effect(mark.clone())).collect();
        if !list.is_empty() {
            let span = stmt.span;
            list.push(std::mem::replace(stmt, block(Vec::new(), span)));
            *stmt = block(list, span);
        }
    }
}

impl VisitMut for Marks {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match &stmt.kind {
            // Functions of their own know nothing of the note.
            StmtKind::Threaded(_) | StmtKind::Compute(_) | StmtKind::Atomic(_) => self.in_front(stmt),
            _ => walk_stmt_mut(self, stmt),
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        walk_expr_mut(self, expr);
        let target = match &expr.kind {
            ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::IncDec { target, .. } => target,
            _ => return,
        };
        let Some(mark) = self.of(target).cloned() else { return };
        let (ty, span) = (expr.ty, expr.span);
        let assignment = Box::new(expr.clone());
        *expr = Expr { kind: ExprKind::Comma(Box::new(mark), assignment), ty, span };
    }
}

impl Sema<'_> {
    /// `conditional` stands where iterations or sections have one order.
    pub(super) fn check_conditional(&mut self, directive: &Directive) {
        let is_conditional = |clause: &&Clause| matches!(clause.kind, ClauseKind::ConditionalLastPrivate(_));
        if let Some(clause) = directive.clauses.iter().find(is_conditional)
            && directive.parts.has(Parts::DISTRIBUTE.with(Parts::TASKLOOP).with(Parts::LOOP))
        {
            let message = "`lastprivate(conditional:)` is for `for`, `simd` and `sections`";
            self.error(ids::CLAUSE_NOT_ALLOWED, clause.span, message);
        }
    }

    /// The clause takes scalars: reports and removes others.
    pub(super) fn scalars_only(&mut self, clause: &Clause, vars: &mut Vec<VarId>) {
        let is_scalar = |sema: &Self, var: &VarId| sema.types.is_scalar(sema.vars[var.0 as usize].ty.ty);
        if let Some(var) = vars.iter().find(|var| !is_scalar(self, var)) {
            let name = self.var_text(*var);
            let message = format!("`{name}` is no scalar: `lastprivate(conditional:)` does not take it");
            self.error(ids::DATA_ITEM, clause.span, message);
        }
        vars.retain(|var| is_scalar(self, var));
    }

    /// Watches the assignments to the private copy of a variable.
    pub(super) fn watch(&mut self, privates: &mut Privates, original: VarId, copy: VarId, span: Span) {
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let mut numbers = || self.fresh(TypeId::ULONG, Some(zero.clone()), span);
        let ((number, first), (assigned, second), (best, third)) = (numbers(), numbers(), numbers());
        let ty = self.vars[copy.0 as usize].ty.ty;
        let value = self.hidden_var(QualType::plain(ty), span);
        let (_, watched) = privates.conditional.get_or_insert_with(|| {
            privates.before.push(first);
            (number, Vec::new())
        });
        watched.push(Conditional { original, copy, assigned, best, value });
        privates.before.extend([second, third, declare(value, None, span)]);
    }

    /// Lets the assignments of a body note the number of the iteration.
    pub(super) fn mark_assignments(&mut self, privates: &Privates, body: &mut Stmt) {
        let Some((number, watched)) = &privates.conditional else { return };
        let span = body.span;
        let mut marks = Marks(Vec::new());
        for one in watched {
            let target = Box::new(self.var_lvalue(one.assigned, span));
            let value = Box::new(self.var_value(*number, span));
            let ty = QualType::plain(TypeId::ULONG);
            marks.0.push((one.original, Expr { kind: ExprKind::Assign(target, value), ty, span }));
        }
        marks.stmt(body);
    }

    /// Sets the number of the running iteration: `scale` from one to the next, and `scale` for the first.
    pub(super) fn number_iteration(
        &mut self,
        privates: &Privates,
        index: VarId,
        scale: Expr,
        span: Span,
    ) -> Vec<Stmt> {
        let Some((number, _)) = privates.conditional else { return Vec::new() };
        let one = self.int_expr(1, TypeId::ULONG, span);
        let index = self.var_value(index, span);
        let next = self.op(BinaryOp::Add, index, one);
        let value = self.op(BinaryOp::Mul, next, scale);
        vec![self.assign_var(number, value, span)]
    }

    /// The same in a loop with `scan`, where each iteration has two phases.
    pub(super) fn number_phase(
        &mut self,
        privates: &Privates,
        index: VarId,
        is_second: bool,
        span: Span,
    ) -> Vec<Stmt> {
        let two = self.int_expr(2, TypeId::ULONG, span);
        let mut list = self.number_iteration(privates, index, two, span);
        if let Some((number, _)) = privates.conditional
            && is_second
        {
            list.push(effect(self.increment(number, span)));
        }
        list
    }

    /// Behind a range: keeps the value of the latest assignment so far.
    pub(super) fn keep_last_assignments(&mut self, privates: &Privates, span: Span) -> Vec<Stmt> {
        let watched = privates.conditional.iter().flat_map(|(_, watched)| watched);
        let mut list = Vec::new();
        for one in watched {
            let [assigned, best] = [one.assigned, one.best].map(|var| self.var_value(var, span));
            let is_later = self.op(BinaryOp::Gt, assigned.clone(), best);
            let value = self.var_value(one.copy, span);
            let kept =
                vec![self.assign_var(one.best, assigned, span), self.assign_var(one.value, value, span)];
            list.push(if_stmt(is_later, kept, span));
        }
        list
    }

    /// In front of the end of the loop: the latest assignment of all threads gives the variable its value.
    pub(super) fn last_assignments(&mut self, privates: &Privates, span: Span) -> Vec<Stmt> {
        let Some((_, watched)) = &privates.conditional else { return Vec::new() };
        let bytes = self.int_expr(watched.len() as i128 * 8, TypeId::ULONG, span);
        let memory = self.call_routine(Routine::LOOP_MEMORY, vec![bytes], span);
        let numbers = self.types.pointer_to(QualType::plain(TypeId::ULONG));
        let (latest, declared) = self.fresh(numbers, Some(memory), span);
        let mut list = vec![declared, self.do_routine(Routine::REDUCE_START, Vec::new(), span)];
        for (index, one) in watched.iter().enumerate() {
            let index = self.int_expr(index as i128, TypeId::LONG, span);
            let place = self.element_at(latest, index, span);
            let so_far = self.to_rvalue(place.clone());
            let best = self.var_value(one.best, span);
            let is_later = self.op(BinaryOp::Gt, best.clone(), so_far);
            let value = self.var_value(one.value, span);
            let given = vec![self.assign(place, best, span), self.assign_var(one.original, value, span)];
            list.push(if_stmt(is_later, given, span));
        }
        list.push(self.do_routine(Routine::REDUCE_END, Vec::new(), span));
        list
    }
}
