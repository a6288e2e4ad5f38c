//! Loops that threads of the host share, and loops whose iterations become tasks (OpenMP 5.2, chapters 11
//! and 12): the iterations of a nest have numbers from 0 on, and a thread or task executes ranges of them.

use super::super::ids;
use super::super::loops::Nest;
use super::code::{Routine, block, declare, if_stmt, stmt};
use super::sharing::{DataClauses, loop_variables};
use crate::ast;
use crate::ctype::{QualType, TypeId};
use crate::directive::{Clause, ClauseKind, Directive, Parts, ScheduleKind};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// The flag of a schedule whose loop has `ordered` blocks (`docs/design/tasks.md`).
const ORDERED: i128 = 16;

/// The most loops that `collapse` may name.
const MAX_NEST: u32 = 32;

/// A nest of loops whose iterations are counted.
pub(super) struct Iterations {
    /// The loops, outermost first: first value, step, number of iterations.
    loops: Vec<Counted>,
    /// The number of all iterations, an `unsigned long`.
    pub trip: VarId,
    /// The body of the innermost loop.
    body: Stmt,
}

impl Iterations {
    /// The variables of the program that count, where they are declared outside.
    pub fn originals(&self) -> Vec<VarId> {
        self.loops.iter().filter_map(|counted| counted.original).collect()
    }
}

struct Counted {
    /// The loop variable in the body.
    var: VarId,
    /// The variable of the program that it is a copy of, if it is declared outside.
    original: Option<VarId>,
    first: VarId,
    step: VarId,
    trip: VarId,
}

/// What the clauses of a loop ask for.
pub(super) struct LoopClauses {
    pub data: DataClauses,
    pub collapse: u32,
    pub ordered: bool,
}

impl Sema<'_> {
    /// The clauses of a loop about its iterations and its variables. The variables that the loops count with
    /// are private.
    pub(super) fn omp_loop_clauses(
        &mut self,
        parts: Parts,
        clauses: &[&Clause],
        statement: &ast::Stmt,
    ) -> LoopClauses {
        let mut data = self.data_clauses(clauses);
        let mut collapse = 1;
        let mut ordered = false;
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Collapse { count, .. } => {
                    collapse = self.constant_argument("collapse", count, MAX_NEST).unwrap_or(1);
                }
                ClauseKind::Ordered => ordered = true,
                _ => {}
            }
        }
        for var in loop_variables(self, statement, collapse) {
            let linear = data.linear.iter().any(|&(linear, _)| linear == var);
            if data.private.contains(&var) || data.lastprivate.contains(&var) || linear {
                continue;
            }
            // A `simd` loop leaves its variables with their last values.
            match parts.has(Parts::SIMD) {
                true => data.lastprivate.push(var),
                false => data.private.push(var),
            }
        }
        LoopClauses { data, collapse, ordered }
    }

    /// Analyses the loops of a directive. The declarations of what is counted go to `out`. `None` after an
    /// error.
    pub(super) fn iterations(
        &mut self,
        directive: &Directive,
        clauses: &LoopClauses,
        statement: &ast::Stmt,
        out: &mut Vec<Stmt>,
    ) -> Option<Iterations> {
        self.enter_construct(directive.kind.name(), directive.name_span);
        let typed = self.stmt(statement);
        self.leave_construct();
        let span = directive.span;
        let Nest { loops, body, .. } = self.nest(typed, clauses.collapse, false, "collapse", span)?;
        self.check_breaks(&body);
        self.check_rectangular(&loops, "collapse");
        let mut counted = Vec::new();
        for canonical in loops {
            counted.push(self.count(canonical, out));
        }
        let mut trip: Option<Expr> = None;
        for counted in &counted {
            let own = self.var_value(counted.trip, span);
            trip = Some(match trip {
                Some(outer) => self.op(BinaryOp::Mul, outer, own),
                None => own,
            });
        }
        let (trip, declared) = self.fresh(TypeId::ULONG, trip, span);
        out.push(declared);
        Some(Iterations { loops: counted, trip, body })
    }

    /// First value, step and number of iterations of a loop, each in a variable.
    fn count(&mut self, canonical: CanonicalLoop, out: &mut Vec<Stmt>) -> Counted {
        let CanonicalLoop { var, declared, init, cmp, bound, compare_type, step, span } = canonical;
        let ty = self.vars[var.0 as usize].ty.ty;
        let is_constant = self.const_int(&step);
        let (first, d) = self.fresh(ty, Some(init), span);
        out.push(d);
        let (step, d) = self.fresh(TypeId::LONG, Some(step), span);
        out.push(d);
        let (last, d) = self.fresh(compare_type, Some(bound), span);
        out.push(d);
        // As wide as the comparison, so that a bound that wraps around does here, too.
        let (from, to) = (self.var_value(first, span), self.var_value(last, span));
        // The bound of a loop with a `const int *` may be an `int *`.
        let (from, to) = match self.types.is_pointer(ty) {
            true => (from, self.convert(to, ty)),
            false => (self.convert(from, compare_type), to),
        };
        let up = match cmp {
            BinaryOp::Lt | BinaryOp::Le => true,
            BinaryOp::Gt | BinaryOp::Ge => false,
            _ => is_constant.is_none_or(|step| step > 0),
        };
        let (low, high) = if up { (from.clone(), to.clone()) } else { (to.clone(), from.clone()) };
        let distance = if self.types.is_pointer(ty) {
            self.op(BinaryOp::Sub, high, low)
        } else {
            let (high, low) = (self.convert(high, TypeId::ULONG), self.convert(low, TypeId::ULONG));
            self.op(BinaryOp::Sub, high, low)
        };
        let distance = self.convert(distance, TypeId::ULONG);
        let stride = self.var_value(step, span);
        let stride = if up { stride } else { self.unary_value(UnaryOp::Neg, stride, TypeId::LONG, span) };
        let stride = self.convert(stride, TypeId::ULONG);
        let one = self.int_expr(1, TypeId::ULONG, span);
        // The last distance that a further step does not leave.
        let inclusive = matches!(cmp, BinaryOp::Le | BinaryOp::Ge);
        let covered = if inclusive { distance } else { self.op(BinaryOp::Sub, distance, one.clone()) };
        let steps = self.op(BinaryOp::Div, covered, stride);
        let count = self.op(BinaryOp::Add, steps, one);
        let runs = self.op(cmp, from, to);
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let ulong = QualType::plain(TypeId::ULONG);
        let kind = ExprKind::Conditional(Box::new(runs), Box::new(count), Box::new(zero));
        let (trip, d) = self.fresh(TypeId::ULONG, Some(Expr { kind, ty: ulong, span }), span);
        out.push(d);
        let (var, original) = if declared { (var, None) } else { (self.copy_of(var), Some(var)) };
        Counted { var, original, first, step, trip }
    }

    /// Code that executes the iterations from one number to another, which variables of type `unsigned long`
    /// hold; `each` is done with the number at the start and at the end of each.
    pub(super) fn run_iterations(
        &mut self,
        iterations: Iterations,
        (from, to): (VarId, VarId),
        each: impl FnOnce(&mut Self, VarId) -> (Vec<Stmt>, Vec<Stmt>),
        span: Span,
    ) -> Stmt {
        let start = self.var_value(from, span);
        let (index, declared) = self.fresh(TypeId::ULONG, Some(start), span);
        let (mut code, behind) = each(self, index);
        let Iterations { loops, mut body, .. } = iterations;
        let mut copies = super::super::copies::Copies(rustc_hash::FxHashMap::default());
        let mut rest = self.var_value(index, span);
        let mut values = Vec::new();
        for (level, counted) in loops.iter().enumerate().rev() {
            let number = if level == 0 {
                rest.clone()
            } else {
                let (a, b) = (rest.clone(), self.var_value(counted.trip, span));
                let own = self.op(BinaryOp::Rem, a, b);
                let b = self.var_value(counted.trip, span);
                rest = self.op(BinaryOp::Div, rest, b);
                own
            };
            values.push((counted.var, self.value_at(counted, number, span)));
            if let Some(original) = counted.original {
                copies.0.insert(original, counted.var);
            }
        }
        for (var, value) in values.into_iter().rev() {
            code.push(declare(var, Some(value), span));
        }
        super::super::visit::VisitMut::stmt(&mut copies, &mut body);
        code.push(body);
        let mut inner = vec![block(code, span)];
        // `continue` must reach what is behind the iteration.
        if !behind.is_empty() {
            let zero = self.int_expr(0, TypeId::INT, span);
            inner = vec![stmt(StmtKind::DoWhile(Box::new(block(inner, span)), zero), span)];
            inner.extend(behind);
        }
        let loop_ = self.counting(index, to, inner, span);
        block(vec![declared, loop_], span)
    }

    /// `first + number * step`, of the variable's type.
    fn value_at(&mut self, counted: &Counted, number: Expr, span: Span) -> Expr {
        let (first, step) = (self.var_value(counted.first, span), self.var_value(counted.step, span));
        let number = self.convert(number, TypeId::LONG);
        let offset = self.op(BinaryOp::Mul, number, step);
        let ty = first.ty.ty;
        if self.types.is_pointer(ty) {
            return self.pointer_add(first, offset, false, span);
        }
        let first = self.convert(first, TypeId::LONG);
        let value = self.op(BinaryOp::Add, first, offset);
        self.convert(value, ty)
    }

    /// What the variables of a nest hold behind it, where the program has them from outside.
    pub(super) fn final_values(
        &mut self,
        iterations: &Iterations,
        wanted: &[VarId],
        span: Span,
    ) -> Vec<Stmt> {
        let mut out = Vec::new();
        for counted in &iterations.loops {
            if let Some(original) = counted.original
                && wanted.contains(&original)
            {
                let number = self.var_value(counted.trip, span);
                let value = self.value_at(counted, number, span);
                out.push(self.assign_var(original, value, span));
            }
        }
        out
    }

    /// `for`, alone or combined: within a team.
    pub(super) fn worksharing_loop(
        &mut self,
        directive: &Directive,
        clauses: &[&Clause],
        statement: &ast::Stmt,
        barrier: bool,
    ) -> Stmt {
        let span = directive.span;
        let loop_clauses = self.omp_loop_clauses(directive.parts, clauses, statement);
        let (mut schedule, mut chunk) = (ScheduleKind::Static as i128, None);
        for clause in clauses {
            if let ClauseKind::Schedule(kind, size) = &clause.kind {
                schedule = *kind as i128;
                chunk = size.as_ref().map(|size| self.rvalue(size));
            }
        }
        // The same iterations must go to the same threads in each such loop.
        if clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Order { reproducible: true })) {
            schedule = ScheduleKind::Static as i128;
        }
        self.enter_sharing(None, &loop_clauses.data);
        let (number, done) = [(); 2].map(|()| self.hidden_var(QualType::plain(TypeId::ULONG), span)).into();
        if let Some(innermost) = self.acc.sharing.last_mut().filter(|_| loop_clauses.ordered) {
            innermost.ordered = Some((number, done));
        }
        let mut list = Vec::new();
        let iterations = self.iterations(directive, &loop_clauses, statement, &mut list);
        self.leave_sharing();
        let Some(iterations) = iterations else { return block(Vec::new(), span) };

        let kind = schedule + if loop_clauses.ordered { ORDERED } else { 0 };
        let chunk = match chunk {
            Some(chunk) => self.convert(chunk, TypeId::LONG),
            None => self.int_expr(0, TypeId::LONG, span),
        };
        let (from, declared) = self.fresh(TypeId::ULONG, None, span);
        list.push(declared);
        let (to, declared) = self.fresh(TypeId::ULONG, None, span);
        list.push(declared);
        let trip = iterations.trip;
        let own = iterations.originals();
        let mut privates = self.privates(&loop_clauses.data, &own, true, span);
        let wanted: Vec<VarId> = loop_clauses.data.given_back().collect();
        privates.finals.extend(self.final_values(&iterations, &wanted, span));
        let ordered = loop_clauses.ordered.then_some((number, done));
        if ordered.is_some() {
            list.extend([number, done].map(|var| declare(var, None, span)));
        }
        let linear = &privates;
        let mut ranges = self.run_iterations(
            iterations,
            (from, to),
            |sema, index| {
                let (mut before, after) = match ordered {
                    Some(ordered) => sema.ordered_iteration(ordered, index, span),
                    None => (Vec::new(), Vec::new()),
                };
                before.extend(sema.linear_starts(linear, index, span));
                (before, after)
            },
            span,
        );
        privates.rewrite(&mut ranges);
        let mut each = vec![ranges];
        let last = (!privates.finals.is_empty()).then(|| self.last_flag(to, trip, span));
        let mut finals = Vec::new();
        if let Some((flag, declared, set)) = last {
            list.push(declared);
            each.push(set);
            let is_last = self.var_value(flag, span);
            finals.push(if_stmt(is_last, privates.finals, span));
        }
        let mut args = vec![self.place_argument(span), self.int_expr(kind, TypeId::INT, span), chunk];
        args.push(self.var_value(trip, span));
        args.extend([from, to].map(|var| self.var_address(var, span)));
        let starts = self.call_routine(Routine::LOOP_START, args, span);
        let args = [from, to].map(|var| self.var_address(var, span)).into();
        let next = self.call_routine(Routine::LOOP_NEXT, args, span);
        let repeated = StmtKind::DoWhile(Box::new(block(each, span)), next);
        list.append(&mut privates.before);
        list.push(if_stmt(starts, vec![stmt(repeated, span)], span));
        list.push(self.do_routine(Routine::LOOP_END, Vec::new(), span));
        list.append(&mut privates.after);
        list.extend(finals);
        if barrier {
            list.push(self.do_routine(Routine::BARRIER, Vec::new(), span));
        }
        block(list, span)
    }

    /// What an iteration of an `ordered` loop does around its body: an iteration that does not execute its
    /// block takes its turn, too.
    fn ordered_iteration(
        &mut self,
        (number, done): (VarId, VarId),
        index: VarId,
        span: Span,
    ) -> (Vec<Stmt>, Vec<Stmt>) {
        let value = self.var_value(index, span);
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let before = vec![self.assign_var(number, value, span), self.assign_var(done, zero.clone(), span)];
        let value = self.var_value(done, span);
        let missing = self.op(BinaryOp::Eq, value, zero);
        let turn = self.var_value(number, span);
        let turn = [
            self.do_routine(Routine::ORDERED_START, vec![turn], span),
            self.do_routine(Routine::ORDERED_END, Vec::new(), span),
        ];
        (before, vec![if_stmt(missing, turn.into(), span)])
    }

    /// `ordered`: its block waits for those of earlier iterations.
    pub(super) fn ordered_block(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let span = directive.span;
        let found = self.acc.sharing.iter().rev().find_map(|around| around.ordered);
        let Some((number, done)) = found else {
            let message = "`ordered` stands in no loop of this function that has the clause `ordered`";
            self.error(ids::DIRECTIVE_PLACEMENT, directive.name_span, message);
            return block(Vec::new(), span);
        };
        let body = self.construct_body(directive, statement);
        let turn = self.var_value(number, span);
        let one = self.int_expr(1, TypeId::ULONG, span);
        let list = vec![
            self.assign_var(done, one, span),
            self.do_routine(Routine::ORDERED_START, vec![turn], span),
            body,
            self.do_routine(Routine::ORDERED_END, Vec::new(), span),
        ];
        block(list, span)
    }

    /// A loop that the thread executes alone: `simd`, and what teams of one and threads of one are for.
    pub(super) fn serial_loop(
        &mut self,
        directive: &Directive,
        clauses: &[&Clause],
        statement: &ast::Stmt,
    ) -> Stmt {
        let span = directive.span;
        let loop_clauses = self.omp_loop_clauses(directive.parts, clauses, statement);
        self.enter_sharing(None, &loop_clauses.data);
        let mut list = Vec::new();
        let iterations = self.iterations(directive, &loop_clauses, statement, &mut list);
        self.leave_sharing();
        let Some(iterations) = iterations else { return block(Vec::new(), span) };
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let (from, declared) = self.fresh(TypeId::ULONG, Some(zero), span);
        list.push(declared);
        let trip = iterations.trip;
        let own = iterations.originals();
        // One thread adds to the variables themselves.
        let mut data = loop_clauses.data;
        data.reductions.clear();
        let mut privates = self.privates(&data, &own, false, span);
        // The variables of the loops are left with their last values, as in C.
        let finals = self.final_values(&iterations, &own, span);
        let linear = &privates;
        let mut ranges = self.run_iterations(
            iterations,
            (from, trip),
            |sema, index| (sema.linear_starts(linear, index, span), Vec::new()),
            span,
        );
        privates.rewrite(&mut ranges);
        list.append(&mut privates.before);
        list.push(ranges);
        let some = self.var_value(trip, span);
        privates.finals.extend(finals);
        list.push(if_stmt(some, privates.finals, span));
        block(list, span)
    }
}
