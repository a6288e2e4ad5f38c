//! Nests that are no boxes: where an inner loop begins or ends depends on the variable of an outer one
//! (OpenMP 5.2, 4.4.1: `a * i + b`).
//!
//! All iterations together are counted by going through the outer loops once. Whoever executes ranges of
//! iterations has a cursor, a place in the nest that goes forward only: the number of iterations in front of
//! the innermost loop where it stands, and of each loop around the number of its iteration. Ranges come in
//! increasing order, so that a thread goes through the outer loops once in all.

use super::super::copies::Copies;
use super::super::ids;
use super::super::visit::{VisitMut, is_pure, variables};
use super::code::{block, declare, effect, if_stmt, stmt};
use super::loops::{Counted, Iterations};
use crate::ctype::{QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// The place of a thread or task in a nest.
pub(super) struct Cursor {
    /// Iterations in front of the innermost loop.
    passed: VarId,
    /// How often each loop iterates where the cursor stands: 0 where a loop around has come to its end.
    trips: Vec<VarId>,
}

impl Sema<'_> {
    /// The parts of an inner loop that depend on loops around it, with what else is in them evaluated once.
    /// Says whether there is any; `None` after an error.
    pub(super) fn depends_on_outer(
        &mut self,
        outer: &[CanonicalLoop],
        inner: &mut CanonicalLoop,
        out: &mut Vec<Stmt>,
    ) -> Option<bool> {
        let vars: Vec<VarId> = outer.iter().map(|one| one.var).collect();
        let uses = |expr: &Expr| variables(expr).into_iter().find(|(var, _)| vars.contains(var));
        if let Some((var, span)) = uses(&inner.step) {
            self.not_linear(var, span, outer, "the step of this loop depends on");
            return None;
        }
        let mut depends = false;
        for expr in [&mut inner.init, &mut inner.bound] {
            let Some((var, span)) = uses(expr) else { continue };
            depends = true;
            match self.linear_in(expr, &vars, out) {
                Some(linear) => *expr = linear,
                None => {
                    self.not_linear(var, span, outer, "a bound of this loop is not `a * v + b` with");
                    return None;
                }
            }
        }
        Some(depends)
    }

    /// Chunks of a nest that is no box would be of no use to who wrote them, and OpenMP has none.
    pub(super) fn check_ragged(&mut self, directive: &Directive) {
        for clause in &directive.clauses {
            if let ClauseKind::Schedule(..) | ClauseKind::DistSchedule(_) | ClauseKind::Ordered(_) =
                clause.kind
            {
                let message =
                    format!("`{}` of a nest in which a bound depends on an outer loop", clause.row.name);
                let diagnostic = Diagnostic::error(ids::LOOP_NOT_RECTANGULAR, clause.span, message);
                self.emit(diagnostic.note("leave the clause out, or `collapse`"));
            }
        }
    }

    fn not_linear(&mut self, var: VarId, span: Span, outer: &[CanonicalLoop], what: &str) {
        let name = self.var_text(var);
        let mut diagnostic =
            Diagnostic::error(ids::LOOP_NOT_RECTANGULAR, span, format!("{what} `{name}` of an outer loop"));
        if let Some(one) = outer.iter().find(|one| one.var == var) {
            diagnostic = diagnostic.related(one.span, format!("the loop over `{name}`"));
        }
        self.emit(
            diagnostic.note("a bound may be a multiple of one outer variable, plus what does not change"),
        );
    }

    /// An expression that is linear in one of some variables, with hidden variables for what is not constant
    /// in it.
    fn linear_in(&mut self, expr: &Expr, vars: &[VarId], out: &mut Vec<Stmt>) -> Option<Expr> {
        let span = expr.span;
        let depends = |expr: &Expr| variables(expr).iter().any(|(var, _)| vars.contains(var));
        if !depends(expr) {
            if self.const_int(expr).is_some() {
                return Some(expr.clone());
            }
            let (var, declared) = self.fresh(expr.ty.ty, Some(expr.clone()), span);
            out.push(declared);
            return Some(self.var_value(var, span));
        }
        let mut inner = |sema: &mut Self, part: &Expr| sema.linear_in(part, vars, out).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Load(lvalue) if matches!(lvalue.kind, ExprKind::Var(_)) => expr.kind.clone(),
            ExprKind::Cast(kind, value) => ExprKind::Cast(*kind, inner(self, value)?),
            ExprKind::Unary(UnaryOp::Neg, value) => ExprKind::Unary(UnaryOp::Neg, inner(self, value)?),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b)
                if depends(a) != depends(b) =>
            {
                ExprKind::Binary(*op, inner(self, a)?, inner(self, b)?)
            }
            ExprKind::PtrAdd { pointer, index, subtract } if depends(pointer) != depends(index) => {
                let (pointer, index) = (inner(self, pointer)?, inner(self, index)?);
                ExprKind::PtrAdd { pointer, index, subtract: *subtract }
            }
            _ => return None,
        };
        is_pure(expr).then_some(Expr { kind, ty: expr.ty, span })
    }

    /// The number of all iterations of such a nest, an `unsigned long`.
    pub(super) fn count_all(&mut self, loops: &[Counted], out: &mut Vec<Stmt>, span: Span) -> Expr {
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let (total, declared) = self.fresh(TypeId::ULONG, Some(zero), span);
        out.push(declared);
        let mut copies = Copies::default();
        let counted = self.count_level(loops, &mut copies, total, span);
        out.extend(counted);
        self.var_value(total, span)
    }

    /// Adds the iterations of the innermost loop, where the outermost of `loops` is about to begin.
    fn count_level(&mut self, loops: &[Counted], copies: &mut Copies, total: VarId, span: Span) -> Vec<Stmt> {
        let [one, inner @ ..] = loops else { return Vec::new() };
        let trip = self.var_value(one.trip, span);
        let Some(next) = inner.first() else {
            let so_far = self.var_value(total, span);
            let sum = self.op(BinaryOp::Add, so_far, trip);
            return vec![self.assign_var(total, sum, span)];
        };
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let (number, declared) = self.fresh(TypeId::ULONG, Some(zero), span);
        let at = self.var_value(number, span);
        let value = self.value_at(one, at, span);
        let copy = self.hidden_var(QualType::plain(self.vars[one.var.0 as usize].ty.ty), span);
        copies.0.insert(one.var, copy);
        let mut body = vec![declare(copy, Some(value), span)];
        for mut evaluated in next.evaluate.clone() {
            copies.stmt(&mut evaluated);
            body.push(evaluated);
        }
        body.extend(self.count_level(inner, copies, total, span));
        let loop_ = self.counting(number, one.trip, body, span);
        vec![block(vec![declared, loop_], span)]
    }

    /// A cursor at the start of a nest, and what declares it.
    pub(super) fn cursor(&mut self, iterations: &Iterations, span: Span) -> (Cursor, Vec<Stmt>) {
        let ulong = QualType::plain(TypeId::ULONG);
        let passed = self.hidden_var(ulong, span);
        let trips: Vec<VarId> = iterations.loops.iter().map(|_| self.hidden_var(ulong, span)).collect();
        let cursor = Cursor { passed, trips };
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let mut out = vec![declare(passed, Some(zero.clone()), span)];
        for (one, trip) in iterations.loops.iter().zip(&cursor.trips) {
            out.push(declare(one.var, None, span));
            out.push(declare(one.number, None, span));
            out.push(declare(*trip, None, span));
        }
        let Some(first) = iterations.loops.first() else { return (cursor, out) };
        let trip = self.var_value(first.trip, span);
        out.push(self.assign_var(cursor.trips[0], trip, span));
        for level in 0..iterations.loops.len() - 1 {
            out.push(self.assign_var(iterations.loops[level].number, zero.clone(), span));
            out.extend(self.enter_level(&iterations.loops, &cursor, level, span));
        }
        (cursor, out)
    }

    /// The variable of a loop has the value of its iteration, and the loop inside begins.
    fn enter_level(&mut self, loops: &[Counted], cursor: &Cursor, level: usize, span: Span) -> Vec<Stmt> {
        let one = &loops[level];
        let number = self.var_value(one.number, span);
        let value = self.value_at(one, number.clone(), span);
        let set = self.assign_var(one.var, value, span);
        let end = self.var_value(cursor.trips[level], span);
        let is_inside = self.op(BinaryOp::Lt, number, end);
        let mut begins = loops[level + 1].evaluate.clone();
        let trip = self.var_value(loops[level + 1].trip, span);
        begins.push(self.assign_var(cursor.trips[level + 1], trip, span));
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let ends = self.assign_var(cursor.trips[level + 1], zero, span);
        let ends = Some(Box::new(block(vec![ends], span)));
        vec![set, stmt(StmtKind::If(is_inside, Box::new(block(begins, span)), ends), span)]
    }

    /// A loop goes to its next iteration, or begins anew in the next iteration of the one around.
    fn advance(&mut self, loops: &[Counted], cursor: &Cursor, level: usize, span: Span) -> Vec<Stmt> {
        let number = loops[level].number;
        let mut out = vec![effect(self.increment(number, span))];
        if level > 0 {
            let (at, end) = (self.var_value(number, span), self.var_value(cursor.trips[level], span));
            let is_over = self.op(BinaryOp::Ge, at, end);
            let mut again = self.advance(loops, cursor, level - 1, span);
            let zero = self.int_expr(0, TypeId::ULONG, span);
            again.push(self.assign_var(number, zero, span));
            out.push(if_stmt(is_over, again, span));
        }
        out.extend(self.enter_level(loops, cursor, level, span));
        out
    }

    /// Moves the cursor to an iteration that is not behind it, and gives the variables their values.
    pub(super) fn move_cursor(
        &mut self,
        loops: &[Counted],
        cursor: &Cursor,
        index: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        let (Some(last), Some(&trip)) = (loops.last(), cursor.trips.last()) else { return Vec::new() };
        let at = self.var_value(index, span);
        let passed = self.var_value(cursor.passed, span);
        let within = self.op(BinaryOp::Sub, at, passed.clone());
        let trip = self.var_value(trip, span);
        let is_behind = self.op(BinaryOp::Ge, within.clone(), trip.clone());
        let sum = self.op(BinaryOp::Add, passed, trip);
        let mut forward = vec![self.assign_var(cursor.passed, sum, span)];
        forward.extend(self.advance(loops, cursor, loops.len() - 2, span));
        let moved = stmt(StmtKind::While(is_behind, Box::new(block(forward, span))), span);
        let numbered = self.assign_var(last.number, within, span);
        let number = self.var_value(last.number, span);
        let value = self.value_at(last, number, span);
        vec![moved, numbered, self.assign_var(last.var, value, span)]
    }
}
