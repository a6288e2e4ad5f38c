//! Loops that threads of the host share, and loops whose iterations become tasks (OpenMP 5.2, chapters 11
//! and 12): the iterations of a nest have numbers from 0 on, and a thread or task executes ranges of them.

use super::super::between::Between;
use super::super::build::Wanted;
use super::super::ids;
use super::super::loops::{MAX_NEST, Nest};
use super::super::reduced::Reducer;
use super::super::visit::VisitMut;
use super::code::{Routine, block, conditional, declare, effect, if_stmt, stmt};
use super::private::Privates;
use super::scan::ScanPhase;
use super::sharing::{DataClauses, Written, loop_variables};
use crate::ast;
use crate::ctype::{QualType, TypeId};
use crate::directive::{
    BindKind, CancelKind, Clause, ClauseKind, Directive, DirectiveKind, OmpKind, Parts, ScheduleKind,
};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// The flag of a schedule whose loop has `ordered` blocks (`docs/design/tasks.md`).
const ORDERED: i128 = 16;

/// The flag of one whose threads have memory in common.
pub(super) const MEMORY: i128 = 32;

/// The flag of one whose loop can be cancelled.
const CANCELLABLE: i128 = 64;

/// A nest of loops whose iterations are counted.
pub(super) struct Iterations {
    /// The loops, outermost first: first value, step, number of iterations.
    pub loops: Vec<Counted>,
    /// Loops inside of them that each iteration executes as they stand, outermost first: of `ordered(n)`.
    pub inner: Vec<Counted>,
    /// A bound of a loop depends on one around it.
    pub is_ragged: bool,
    /// The number of the running iteration of the nest, where the body asks for it.
    pub current: Option<VarId>,
    /// The number of all iterations, an `unsigned long`.
    pub trip: VarId,
    /// The body of the innermost loop.
    pub body: Stmt,
    /// What stands behind the `scan` directive in it.
    pub scan: Option<ScanPhase>,
    /// How much further the thread's next iteration is in a range; one without.
    pub by: Option<VarId>,
    /// Scalars that operators reduce: one thread may add to them in any order, too.
    pub reductions: Vec<ReductionItem>,
}

impl Iterations {
    /// Whether the iterations of the innermost loop follow each other, and all that the loops around ask for
    /// is known in front of them.
    fn has_rows(&self) -> bool {
        self.loops.len() > 1 && !self.is_ragged && self.by.is_none() && self.current.is_none()
    }

    /// The variables of the program that count, where they are declared outside.
    pub fn originals(&self) -> Vec<VarId> {
        self.loops.iter().chain(&self.inner).filter_map(|counted| counted.original).collect()
    }
}

/// A loop whose iterations have numbers.
#[derive(Clone)]
pub(super) struct Counted {
    /// The loop variable in the body.
    pub var: VarId,
    /// The variable of the program that it is a copy of, if it is declared outside.
    pub original: Option<VarId>,
    first: VarId,
    pub step: VarId,
    /// The step, if it is known.
    pub constant_step: Option<i128>,
    pub trip: VarId,
    /// The number of the running iteration, where anything asks for it.
    pub number: VarId,
    /// Computes first value and number of iterations again, of a loop that depends on the variables of those
    /// around.
    pub evaluate: Vec<Stmt>,
}

/// Iterations of which threads ask for ranges.
pub(super) struct SharedRanges {
    /// A [`ScheduleKind`], perhaps with [`ORDERED`].
    pub schedule: i128,
    /// The size of a chunk, a `long`: 0 without.
    pub chunk: Expr,
    /// Where a range begins, an `unsigned long`.
    pub from: VarId,
    /// Where it ends.
    pub to: VarId,
    /// The number of all iterations.
    pub trip: VarId,
    /// Where threads go that leave the construct early.
    pub cancelled: Option<LabelId>,
    /// Which ones a thread of a gang has; none of a team of the host, whose threads ask the runtime.
    pub dealt: Option<Dealt>,
}

/// Which iterations of a loop a thread of a gang has.
#[derive(Clone, Copy)]
pub(super) enum Dealt {
    /// Those as far apart as there are threads, a number that a variable holds.
    Apart(VarId),
    /// Chunks in turn.
    InChunks,
    /// A range of neighbours.
    InBlocks,
}

/// Iterations of a nest that differ by the number of the innermost loop alone.
struct Row {
    /// Declares what they have in common.
    starts: Vec<Stmt>,
    /// Where they end, an `unsigned long`.
    end: VarId,
}

/// What the clauses of a loop ask for.
pub(super) struct LoopClauses {
    pub data: DataClauses,
    pub collapse: u32,
    pub ordered: bool,
    /// `ordered(n)`.
    pub doacross: Option<u32>,
}

impl LoopClauses {
    /// How many loops belong to the directive.
    fn depth(&self) -> u32 {
        self.collapse.max(self.doacross.unwrap_or(0))
    }
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
        let mut is_doacross = false;
        let mut doacross = None;
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Collapse { count, .. } => {
                    collapse = self.constant_argument("collapse", count, MAX_NEST).unwrap_or(1);
                }
                ClauseKind::Ordered(None) => {
                    // The number of loops is that of `collapse`.
                    is_doacross = has_doacross(statement);
                    ordered = !is_doacross;
                }
                ClauseKind::Ordered(Some(count)) => {
                    doacross = self.constant_argument("ordered", count, MAX_NEST).map(|n| (n, clause.span));
                }
                _ => {}
            }
        }
        if let Some((count, span)) = doacross.filter(|&(count, _)| count < collapse) {
            let message = format!("`ordered({count})` names fewer loops than `collapse({collapse})`");
            self.error(ids::CONFLICTING_CLAUSES, span, message);
            doacross = None;
        }
        let doacross = doacross.map(|(count, _)| count).or(is_doacross.then_some(collapse));
        for var in loop_variables(self, statement, collapse.max(doacross.unwrap_or(0))) {
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
        LoopClauses { data, collapse, ordered, doacross }
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
        let inscan: Vec<VarId> = clauses.data.inscan.iter().map(|item| item.var).collect();
        let (typed, found) =
            self.scan_body(directive, inscan, |sema| sema.construct_body(directive, statement));
        let span = directive.span;
        let what = if clauses.doacross.is_some() { "ordered" } else { "collapse" };
        let is_perfect = clauses.doacross.is_some() || !clauses.data.inscan.is_empty();
        let between = if is_perfect { Between::Nothing } else { Between::Intervening };
        let Nest { mut loops, body, .. } = self.nest(typed, clauses.depth(), between, what, span)?;
        let (body, scan) = match clauses.data.inscan.is_empty() {
            true => (body, None),
            false => {
                let (body, scan) = self.scan_phases(body, found, directive)?;
                (body, Some(scan))
            }
        };
        self.check_breaks(&body);
        if clauses.doacross.is_some() {
            self.check_rectangular(&loops, what);
        }
        let mut counted: Vec<Counted> = Vec::new();
        let mut is_ragged = false;
        for level in 0..loops.len() {
            let (outer, inner) = loops.split_at_mut(level);
            let depends = clauses.doacross.is_none() && self.depends_on_outer(outer, &mut inner[0], out)?;
            is_ragged |= depends;
            let mut one = self.count(inner[0].clone(), depends, out);
            let copies = counted.iter().filter_map(|outer| Some((outer.original?, outer.var)));
            let mut copies = super::super::copies::Copies(copies.collect());
            one.evaluate.iter_mut().for_each(|stmt| VisitMut::stmt(&mut copies, stmt));
            counted.push(one);
        }
        let inner = counted.split_off(clauses.collapse as usize);
        let mut trip: Option<Expr> = None;
        for counted in &counted {
            let own = self.var_value(counted.trip, span);
            trip = Some(match trip {
                Some(outer) => self.op(BinaryOp::Mul, outer, own),
                None => own,
            });
        }
        if is_ragged {
            self.check_ragged(directive);
            trip = Some(self.count_all(&counted, out, span));
        }
        let (trip, declared) = self.fresh(TypeId::ULONG, trip, span);
        out.push(declared);
        let reductions = self.scalars_of_operators(&clauses.data.reductions);
        let (current, by) = (None, None);
        Some(Iterations { loops: counted, inner, is_ragged, current, trip, body, scan, by, reductions })
    }

    /// First value, step and number of iterations of a loop, each in a variable. Of a loop that depends on
    /// variables of others, they have no values yet.
    fn count(&mut self, canonical: CanonicalLoop, depends: bool, out: &mut Vec<Stmt>) -> Counted {
        let CanonicalLoop { var, declared, init, cmp, bound, compare_type, step, span } = canonical;
        let ty = self.vars[var.0 as usize].ty.ty;
        let constant_step = self.const_int(&step);
        let (step, d) = self.fresh(TypeId::LONG, Some(step), span);
        out.push(d);
        let mut evaluate = Vec::new();
        let mut define = |sema: &mut Self, ty: TypeId, value: Expr| {
            let (var, declared) = sema.fresh(ty, (!depends).then(|| value.clone()), span);
            out.push(declared);
            if depends {
                evaluate.push(sema.assign_var(var, value, span));
            }
            var
        };
        let first = define(self, ty, init);
        let last = define(self, compare_type, bound);
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
            _ => constant_step.is_none_or(|step| step > 0),
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
        let trip = define(self, TypeId::ULONG, conditional(runs, count, zero));
        let number = self.hidden_var(QualType::plain(TypeId::ULONG), span);
        let (var, original) = if declared { (var, None) } else { (self.copy_of(var), Some(var)) };
        Counted { var, original, first, step, constant_step, trip, number, evaluate }
    }

    /// Code that executes the iterations from one number to another, which variables of type `unsigned long`
    /// hold; `each` is done with the number at the start and at the end of each. What one thread or task
    /// needs for all of its ranges is declared in `out`.
    pub(super) fn run_iterations(
        &mut self,
        iterations: Iterations,
        (from, to): (VarId, VarId),
        each: impl FnOnce(&mut Self, VarId) -> (Vec<Stmt>, Vec<Stmt>),
        out: &mut Vec<Stmt>,
        span: Span,
    ) -> Stmt {
        let start = self.var_value(from, span);
        let (index, declared) = self.fresh(TypeId::ULONG, Some(start), span);
        let (mut code, behind) = each(self, index);
        let all = iterations.loops.iter().chain(&iterations.inner);
        let copies = all.filter_map(|counted| Some((counted.original?, counted.var)));
        let mut copies = super::super::copies::Copies(copies.collect());
        let mut in_row = None;
        if iterations.is_ragged {
            let (cursor, declared) = self.cursor(&iterations, span);
            out.extend(declared);
            code.extend(self.move_cursor(&iterations.loops, &cursor, index, span));
        } else if iterations.has_rows() {
            let (row, var) = self.row(&iterations, (index, to), span);
            code.push(var);
            in_row = Some(row);
        } else {
            let number = self.var_value(index, span);
            let is_numbered = iterations.current.is_some();
            code.extend(self.split_number(&iterations.loops, number, is_numbered, span));
        }
        let Iterations { inner, current, by, reductions, mut body, .. } = iterations;
        VisitMut::stmt(&mut copies, &mut body);
        if let Some(current) = current.filter(|_| !inner.is_empty()) {
            body = block(vec![effect(self.increment(current, span)), body], span);
        }
        code.push(self.run_inner(&inner, body, span));
        let mut inner = vec![block(code, span)];
        // `continue` must reach what is behind the iteration.
        if !behind.is_empty() {
            let zero = self.int_expr(0, TypeId::INT, span);
            inner = vec![stmt(StmtKind::DoWhile(Box::new(block(inner, span)), zero), span)];
            inner.extend(behind);
        }
        let step = match by {
            None => self.increment(index, span),
            Some(by) => {
                let (here, by) = (self.var_value(index, span), self.var_value(by, span));
                let next = self.op(BinaryOp::Add, here, by);
                let target = Box::new(self.var_lvalue(index, span));
                Expr { kind: ExprKind::Assign(target, Box::new(next.clone())), ..next }
            }
        };
        let end = in_row.as_ref().map_or(to, |row| row.end);
        let mut loop_ = self.stepping(index, end, step, inner, span);
        if let StmtKind::For { any_order, .. } = &mut loop_.kind
            && self.gang_team().is_none()
        {
            *any_order = reductions;
        }
        if let Some(Row { mut starts, .. }) = in_row {
            starts.push(loop_);
            let (here, to) = (self.var_value(index, span), self.var_value(to, span));
            let goes_on = self.op(BinaryOp::Lt, here, to);
            loop_ = stmt(StmtKind::While(goes_on, Box::new(block(starts, span))), span);
        }
        block(vec![declared, loop_], span)
    }

    /// What a row of a nest begins with, and the declaration of the innermost loop's variable in each of its
    /// iterations: those from `index` on that differ by it alone, up to `to`.
    fn row(&mut self, iterations: &Iterations, (index, to): (VarId, VarId), span: Span) -> (Row, Stmt) {
        let Some((innermost, around)) = iterations.loops.split_last() else {
            unreachable!("a nest with rows has several loops")
        };
        let trip = self.var_value(innermost.trip, span);
        let here = self.var_value(index, span);
        let row = self.op(BinaryOp::Div, here, trip.clone());
        let (row, declared) = self.fresh(TypeId::ULONG, Some(row), span);
        let mut starts = vec![declared];
        let number = self.var_value(row, span);
        starts.extend(self.split_number(around, number.clone(), false, span));
        let first = self.op(BinaryOp::Mul, number, trip.clone());
        let (first, declared) = self.fresh(TypeId::ULONG, Some(first), span);
        starts.push(declared);
        let first = self.var_value(first, span);
        let (behind, to) = (self.op(BinaryOp::Add, first.clone(), trip), self.var_value(to, span));
        let is_less = self.op(BinaryOp::Lt, behind.clone(), to.clone());
        let (end, declared) = self.fresh(TypeId::ULONG, Some(conditional(is_less, behind, to)), span);
        starts.push(declared);
        let here = self.var_value(index, span);
        let number = self.op(BinaryOp::Sub, here, first);
        let value = self.value_at(innermost, number, span);
        (Row { starts, end }, declare(innermost.var, Some(value), span))
    }

    /// Gives the variables of loops that are a box their values in an iteration.
    fn split_number(&mut self, loops: &[Counted], number: Expr, is_numbered: bool, span: Span) -> Vec<Stmt> {
        let mut rest = number;
        let mut values = Vec::new();
        for (level, counted) in loops.iter().enumerate().rev() {
            let mut number = rest.clone();
            if level > 0 {
                let trip = self.var_value(counted.trip, span);
                number = self.op(BinaryOp::Rem, rest.clone(), trip.clone());
                rest = self.op(BinaryOp::Div, rest, trip);
            }
            if !is_numbered {
                values.push(declare(counted.var, Some(self.value_at(counted, number, span)), span));
                continue;
            }
            let numbered = self.var_value(counted.number, span);
            values.push(declare(counted.var, Some(self.value_at(counted, numbered, span)), span));
            values.push(declare(counted.number, Some(number), span));
        }
        values.reverse();
        values
    }

    /// The loops of a nest that each of the counted iterations executes, with their body.
    fn run_inner(&mut self, loops: &[Counted], body: Stmt, span: Span) -> Stmt {
        let mut body = body;
        for counted in loops.iter().rev() {
            let zero = self.int_expr(0, TypeId::ULONG, span);
            let start = declare(counted.number, Some(zero), span);
            let number = self.var_value(counted.number, span);
            let value = self.value_at(counted, number, span);
            let each = vec![declare(counted.var, Some(value), span), body];
            body = block(vec![start, self.counting(counted.number, counted.trip, each, span)], span);
        }
        body
    }

    /// `first + number * step`, of the variable's type.
    pub(super) fn value_at(&mut self, counted: &Counted, number: Expr, span: Span) -> Expr {
        let first = self.var_value(counted.first, span);
        let step = match counted.constant_step {
            Some(step) => self.int_expr(step, TypeId::LONG, span),
            None => self.var_value(counted.step, span),
        };
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
        for counted in iterations.loops.iter().chain(&iterations.inner) {
            if let Some(original) = counted.original
                && wanted.contains(&original)
            {
                let number = if counted.evaluate.is_empty() {
                    self.var_value(counted.trip, span)
                } else {
                    let last = self.var_value(counted.number, span);
                    let one = self.int_expr(1, TypeId::ULONG, span);
                    self.op(BinaryOp::Add, last, one)
                };
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
        self.check_common(directive, clauses);
        let loop_clauses = self.omp_loop_clauses(directive.parts, clauses, statement);
        let (mut schedule, mut chunk) = (ScheduleKind::Static as i128, None);
        for clause in clauses {
            if let ClauseKind::Schedule(kind, size, _) = &clause.kind {
                schedule = *kind as i128;
                chunk = size.as_ref().map(|size| self.rvalue(size));
            }
        }
        // The same iterations must go to the same threads in each such loop.
        if clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Order { reproducible: true })) {
            schedule = ScheduleKind::Static as i128;
        }
        self.enter_sharing(None, &loop_clauses.data);
        self.cancellable(CancelKind::For, directive);
        let (number, done) = [(); 2].map(|()| self.hidden_var(QualType::plain(TypeId::ULONG), span)).into();
        if let Some(innermost) = self.acc.sharing.last_mut().filter(|_| loop_clauses.ordered) {
            innermost.ordered = Some((number, done));
        }
        if let Some(count) = loop_clauses.doacross {
            let doacross = self.doacross_nest(statement, count, span);
            if let Some(innermost) = self.acc.sharing.last_mut() {
                innermost.doacross = Some(doacross);
            }
        }
        let mut list = Vec::new();
        let iterations = self.iterations(directive, &loop_clauses, statement, &mut list);
        let sharing = self.acc.sharing.pop();
        let cancelled = sharing.as_ref().and_then(|sharing| sharing.cancel?.end);
        let doacross = sharing.and_then(|sharing| sharing.doacross);
        self.check_cancellable(cancelled, clauses);
        let Some(mut iterations) = iterations else { return block(Vec::new(), span) };
        if !loop_clauses.data.inscan.is_empty() {
            if !self.check_scan(clauses, &iterations, span) {
                return block(Vec::new(), span);
            }
            return self.scan_loop(loop_clauses.data, iterations, list, barrier, span);
        }
        if let Some(doacross) = &doacross {
            self.start_doacross(doacross, &mut iterations, &mut list, span);
        }

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
        let dealt = self.dealt(clauses, span);
        if let Some(Dealt::Apart(by)) = dealt {
            iterations.by = Some(by);
        }
        self.mark_assignments(&privates, &mut iterations.body);
        let ordered = loop_clauses.ordered.then_some((number, done));
        if ordered.is_some() {
            list.extend([number, done].map(|var| declare(var, None, span)));
        }
        let has_block = Written::of(&iterations.body).vars.contains(&done);
        let linear = &privates;
        let loops = (iterations.loops.len(), iterations.inner.len());
        let mut ranges = self.run_iterations(
            iterations,
            (from, to),
            |sema, index| {
                let (mut before, after) = match (ordered, &doacross) {
                    (Some(ordered), _) if has_block => sema.ordered_iteration(ordered, index, span),
                    (Some(_), _) => sema.iteration_of_callee(index, span),
                    (None, Some(doacross)) => sema.doacross_iteration(doacross, loops, index, span),
                    (None, None) => (Vec::new(), Vec::new()),
                };
                before.extend(sema.iteration_starts(linear, index, span));
                (before, after)
            },
            &mut list,
            span,
        );
        privates.rewrite(&mut ranges);
        let shared = SharedRanges { schedule: kind, chunk, from, to, trip, cancelled, dealt };
        self.share_ranges(shared, ranges, privates, barrier, &mut list, span);
        block(list, span)
    }

    /// Lets the threads of a team share ranges of iterations, which `code` executes: asks for ranges until
    /// there are none, then gives the private copies back. `waits`: a barrier stands behind all.
    pub(super) fn share_ranges(
        &mut self,
        ranges: SharedRanges,
        code: Stmt,
        mut privates: Privates,
        waits: bool,
        list: &mut Vec<Stmt>,
        span: Span,
    ) {
        if let Some(team) = self.gang_team()
            && let Some(dealt) = ranges.dealt
        {
            self.deal_ranges((team, dealt), ranges, code, privates, list, span);
            if waits {
                list.push(self.barrier(span));
            }
            return;
        }
        let SharedRanges { mut schedule, chunk, from, to, trip, cancelled, dealt: _ } = ranges;
        if cancelled.is_some() {
            schedule += CANCELLABLE;
        }
        let mut each = vec![code];
        each.extend(self.keep_last_assignments(&privates, span));
        if privates.conditional.is_some() {
            schedule += MEMORY;
        }
        let mut finals = Vec::new();
        if !privates.finals.is_empty() {
            let (flag, declared, set) = self.last_flag(to, trip, span);
            list.push(declared);
            each.push(set);
            let is_last = self.var_value(flag, span);
            finals.push(if_stmt(is_last, std::mem::take(&mut privates.finals), span));
        }
        let mut args = vec![self.place_argument(span), self.int_expr(schedule, TypeId::INT, span), chunk];
        args.push(self.var_value(trip, span));
        args.extend([from, to].map(|var| self.var_address(var, span)));
        let starts = self.call_routine(Routine::LOOP_START, args, span);
        let args = [from, to].map(|var| self.var_address(var, span)).into();
        let next = self.call_routine(Routine::LOOP_NEXT, args, span);
        let repeated = StmtKind::DoWhile(Box::new(block(each, span)), next);
        list.append(&mut privates.before);
        list.push(if_stmt(starts, vec![stmt(repeated, span)], span));
        list.extend(self.cancelled_label(cancelled, span));
        list.extend(self.last_assignments(&privates, span));
        list.push(self.do_routine(Routine::LOOP_END, Vec::new(), span));
        list.append(&mut privates.after);
        list.extend(finals);
        if waits {
            list.push(self.barrier(span));
        }
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

    /// The same where the block, if any, is in a function that the body calls: the runtime keeps the number.
    fn iteration_of_callee(&mut self, index: VarId, span: Span) -> (Vec<Stmt>, Vec<Stmt>) {
        let number = self.var_value(index, span);
        let before = vec![self.do_routine(Routine::ORDERED_ITERATION, vec![number], span)];
        (before, vec![self.do_routine(Routine::ORDERED_LEFT, Vec::new(), span)])
    }

    /// `ordered`: its block waits for those of earlier iterations.
    pub(super) fn ordered_block(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let span = directive.span;
        let found = self.acc.sharing.iter().rev().find_map(|around| around.ordered);
        // The lanes of a `simd` loop are iterations of one thread, in order.
        if directive.parts.has(Parts::SIMD) && found.is_none() {
            return self.construct_body(directive, statement);
        }
        let Some((number, done)) = found else {
            if !self.acc.sharing.is_empty() {
                let message = "`ordered` stands in no loop of this function that has the clause `ordered`";
                self.error(ids::DIRECTIVE_PLACEMENT, directive.name_span, message);
                return block(Vec::new(), span);
            }
            let list = vec![
                self.do_routine(Routine::ORDERED_CALLED, Vec::new(), span),
                self.construct_body(directive, statement),
                self.do_routine(Routine::ORDERED_END, Vec::new(), span),
            ];
            return block(list, span);
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

    /// A loop that the thread executes alone: `simd`, and what the teams of a league share.
    pub(super) fn serial_loop(
        &mut self,
        directive: &Directive,
        clauses: &[&Clause],
        statement: &ast::Stmt,
    ) -> Stmt {
        let span = directive.span;
        let is_shared_by_teams = self.binds_to_league(directive, clauses);
        let loop_clauses = self.omp_loop_clauses(directive.parts, clauses, statement);
        self.enter_sharing(None, &loop_clauses.data);
        let mut list = Vec::new();
        let iterations = self.iterations(directive, &loop_clauses, statement, &mut list);
        self.leave_sharing();
        let Some(mut iterations) = iterations else { return block(Vec::new(), span) };
        if let Some(scan) = iterations.scan.take() {
            iterations.body = self.phases_in_turn(iterations.body, scan, &loop_clauses.data.inscan);
        }
        let trip = iterations.trip;
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let (share, declared) = match is_shared_by_teams {
            true => self.share_of_team(clauses, trip, span),
            false => {
                let (from, declared) = self.fresh(TypeId::ULONG, Some(zero), span);
                (Share { from, to: trip, stride: None }, vec![declared])
            }
        };
        list.extend(declared);
        let own = iterations.originals();
        // One thread adds to the variables themselves, or to copies of scalars that go on from their values.
        // A declared reduction may start elsewhere than there.
        let mut data = loop_clauses.data;
        let scalars = self.scalars_of_operators(&data.reductions);
        data.reductions.retain(|item| matches!(item.by, Reducer::Declared(_)));
        // So it does with the last of its assignments.
        for list in [&mut data.lastprivate, &mut data.firstprivate] {
            list.retain(|var| !data.conditional.contains(var));
        }
        let mut privates = self.privates(&data, &own, false, span);
        self.go_on_in_copies(&scalars, &mut privates, span);
        // The variables of the loops are left with their last values, as in C.
        let finals = self.final_values(&iterations, &own, span);
        let linear = &privates;
        let mut ranges = self.run_iterations(
            iterations,
            (share.from, share.to),
            |sema, index| (sema.iteration_starts(linear, index, span), Vec::new()),
            &mut list,
            span,
        );
        privates.rewrite(&mut ranges);
        list.append(&mut privates.before);
        privates.finals.extend(finals);
        if !is_shared_by_teams {
            list.push(ranges);
            list.append(&mut privates.after);
            let some = self.var_value(trip, span);
            list.push(if_stmt(some, privates.finals, span));
            return block(list, span);
        }
        let (flag, declared, set) = self.last_flag(share.to, trip, span);
        list.push(declared);
        list.push(self.execute_share(&share, trip, vec![ranges, set], span));
        list.append(&mut privates.after);
        let is_last = self.var_value(flag, span);
        list.push(if_stmt(is_last, privates.finals, span));
        block(list, span)
    }

    /// Whether the teams of a league share the iterations of a loop.
    fn binds_to_league(&self, directive: &Directive, clauses: &[&Clause]) -> bool {
        let bind = bound_to(clauses.iter().copied());
        let is_in_league = self.acc.sharing.last().is_some_and(|around| around.is_league);
        let is_league = bind.map_or(is_in_league, |bind| bind == BindKind::Teams);
        directive.parts.has(Parts::DISTRIBUTE) || directive.parts.has(Parts::LOOP) && is_league
    }

    /// The iterations of this team, and what declares them: nearly equal parts, or chunks in turn.
    fn share_of_team(&mut self, clauses: &[&Clause], trip: VarId, span: Span) -> (Share, Vec<Stmt>) {
        let number = self.call_routine(Routine::TEAM_NUM, Vec::new(), span);
        let (number, first) = self.fresh(TypeId::ULONG, Some(number), span);
        let count = self.call_routine(Routine::NUM_TEAMS, Vec::new(), span);
        let (count, second) = self.fresh(TypeId::ULONG, Some(count), span);
        let mut out = vec![first, second];
        let chunk = clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::DistSchedule(chunk) => chunk.as_ref(),
            _ => None,
        });
        let chunk = chunk.and_then(|chunk| self.int_argument("dist_schedule", chunk, Wanted::Positive));
        let Some(chunk) = chunk else {
            let shares = self.shares_of((trip, count, None), &mut out, span);
            let (from, to, declared) = self.range_of(number, &shares, span);
            out.extend(declared);
            return (Share { from, to, stride: None }, out);
        };
        let chunk = self.convert(chunk, TypeId::ULONG);
        let (size, declared) = self.fresh(TypeId::ULONG, Some(chunk), span);
        out.push(declared);
        let [size_value, number, count] = [size, number, count].map(|var| self.var_value(var, span));
        let start = self.op(BinaryOp::Mul, number, size_value.clone());
        let (from, declared) = self.fresh(TypeId::ULONG, Some(start), span);
        out.push(declared);
        let stride = self.op(BinaryOp::Mul, count, size_value);
        let (to, declared) = self.fresh(TypeId::ULONG, None, span);
        out.push(declared);
        (Share { from, to, stride: Some((size, stride)) }, out)
    }

    /// Executes the iterations of a team or thread.
    pub(super) fn execute_share(
        &mut self,
        share: &Share,
        trip: VarId,
        mut each: Vec<Stmt>,
        span: Span,
    ) -> Stmt {
        let (from, all) = (self.var_value(share.from, span), self.var_value(trip, span));
        let Some((size, stride)) = &share.stride else {
            let to = self.var_value(share.to, span);
            let is_some = self.op(BinaryOp::Lt, from, to);
            return if_stmt(is_some, each, span);
        };
        let is_some = self.op(BinaryOp::Lt, from.clone(), all.clone());
        let size = self.var_value(*size, span);
        let end = self.op(BinaryOp::Add, from.clone(), size);
        let is_less = self.op(BinaryOp::Lt, end.clone(), all.clone());
        each.insert(0, self.assign_var(share.to, conditional(is_less, end, all), span));
        let next = self.op(BinaryOp::Add, from, stride.clone());
        each.push(self.assign_var(share.from, next, span));
        stmt(StmtKind::While(is_some, Box::new(block(each, span))), span)
    }
}

/// The iterations of a loop that a team of a league executes, or a thread of a gang.
pub(super) struct Share {
    /// Where they begin, an `unsigned long`.
    pub from: VarId,
    /// Where they end.
    pub to: VarId,
    /// Of chunks in turn, the size of one and the distance to the next.
    pub stride: Option<(VarId, Expr)>,
}

/// Whether an `ordered` directive with `depend` or `doacross` that belongs to a loop stands in its statement.
fn has_doacross(statement: &ast::Stmt) -> bool {
    let mut has_any = false;
    directives_in(statement, &mut |directive| {
        has_any |= matches!(directive.kind, DirectiveKind::Omp(OmpKind::Doacross));
        !directive.parts.has(Parts::FOR)
    });
    has_any
}

/// Visits the directives that stand in a statement, or are it; inside of one where `visit` says so.
pub(super) fn directives_in(statement: &ast::Stmt, visit: &mut dyn FnMut(&Directive) -> bool) {
    match &statement.kind {
        ast::StmtKind::Compound(items) => {
            for item in items {
                if let ast::BlockItem::Stmt(inner) = item {
                    directives_in(inner, visit);
                }
            }
        }
        ast::StmtKind::If { then, otherwise, .. } => {
            directives_in(then, visit);
            otherwise.iter().for_each(|otherwise| directives_in(otherwise, visit));
        }
        ast::StmtKind::For { body: inner, .. }
        | ast::StmtKind::While(_, inner)
        | ast::StmtKind::DoWhile(inner, _)
        | ast::StmtKind::Switch(_, inner)
        | ast::StmtKind::Case(.., inner)
        | ast::StmtKind::Default(inner)
        | ast::StmtKind::Label(.., inner) => directives_in(inner, visit),
        ast::StmtKind::Directive(directive, inner) => {
            let enters = visit(directive);
            inner.iter().filter(|_| enters).for_each(|inner| directives_in(inner, visit));
        }
        _ => {}
    }
}

/// What `bind` says that a `loop` belongs to.
pub(super) fn bound_to<'a>(clauses: impl IntoIterator<Item = &'a Clause>) -> Option<BindKind> {
    clauses.into_iter().find_map(|clause| match clause.kind {
        ClauseKind::BindTo(bind) => Some(bind),
        _ => None,
    })
}
