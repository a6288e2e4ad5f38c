//! Tasks of the host, and the clauses that make a task of a `target` (OpenMP 5.2, chapters 12 and 15.9).

use super::super::build::Wanted;
use super::super::reduced::Reduced;
use super::super::visit::{Visit, walk_expr, walk_stmt};
use super::super::{clauses, ids};
use super::code::{Routine, block, conditional, declare, effect, if_stmt, stmt};
use super::sharing::DataClauses;
use crate::ast;
use crate::ctype::{ArrayLen, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{
    CancelKind, Clause, ClauseKind, DependItem, DependKind, DepobjAction, Directive, IfOf, OmpIterator,
    OmpKind,
};
use crate::sema::types::VlaMode;
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;
use accrue_ir::ConstructKind;

/// What the runtime calls a dependence on all memory, as `out` and as `inout`.
const ALL_MEMORY: [i128; 2] = [7, 8];

/// Bytes of a dependence in the array of a task: its address and its kind.
const DEPENDENCE: u64 = 16;

impl Sema<'_> {
    /// `task`.
    pub(super) fn task(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let mut before = Vec::new();
        let mut data = self.data_clauses(&selected);
        self.fix_sections(&mut data.reductions, &mut before, span);
        self.find_origins(&mut data.reductions, &mut before, span);
        let (scheduling, event) = self.task_scheduling(0, &selected, &mut before, span);
        self.enter_sharing(Some(ConstructKind::Task), &data);
        self.cancellable(CancelKind::Taskgroup, directive);
        if let Some((sharing, event)) = self.acc.sharing.last_mut().zip(event) {
            sharing.attributes.insert(event, super::super::sharing::Attribute::FirstPrivate);
        }
        let body = self.construct_body(directive, statement);
        let task = self.make_task(data, scheduling, body, directive);
        before.push(task);
        block(before, span.to(statement.span))
    }

    /// The bounds of sections have the values that they have where a task is created, or a team or loop
    /// begins.
    pub(super) fn fix_sections(&mut self, items: &mut [Reduced], before: &mut Vec<Stmt>, span: Span) {
        for (lower, count) in items.iter_mut().filter_map(|item| item.section.as_mut()) {
            for bound in [lower, count] {
                if self.const_int(bound).is_none() {
                    let (var, declared) = self.fresh(TypeId::LONG, Some(bound.clone()), span);
                    before.push(declared);
                    *bound = self.var_value(var, span);
                }
            }
        }
    }

    /// The task of a body that was analysed inside of the innermost [`super::sharing::Sharing`].
    fn make_task(
        &mut self,
        data: DataClauses,
        scheduling: Scheduling,
        mut inner: Stmt,
        directive: &Directive,
    ) -> Stmt {
        let span = directive.span;
        let Some(sharing) = self.acc.sharing.pop() else { return inner };
        let own =
            DataClauses { private: data.private, reductions: data.reductions, ..DataClauses::default() };
        let mut privates = self.privates(&own, &[], false, span);
        privates.rewrite(&mut inner);
        let (mut enter, mut leave) = match MayCreateTasks::of(&inner) {
            true => self.known_copies(&privates.reducing, span),
            false => (Vec::new(), Vec::new()),
        };
        let mut list = std::mem::take(&mut privates.before);
        list.append(&mut enter);
        list.push(inner);
        list.extend(self.cancelled_label(sharing.cancel.and_then(|cancel| cancel.end), span));
        list.append(&mut leave);
        list.append(&mut privates.after);
        let mut body = block(list, span);
        let captures = self.captures(&sharing, &mut body, directive.name_span);
        let kind = ConstructKind::Task;
        let threaded = Threaded { kind, scheduling, num_threads: None, captures, body, span };
        stmt(StmtKind::Threaded(Box::new(threaded)), span)
    }

    /// The clauses of a task that are not about variables, beside some flags; the variable of `detach`.
    fn task_scheduling(
        &mut self,
        mut flags: i32,
        selected: &[&Clause],
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> (Scheduling, Option<VarId>) {
        let mut scheduling = Scheduling::default();
        let (mut is_final, mut priority, mut event, mut variable) = (None, None, None, None);
        for clause in selected {
            match &clause.kind {
                ClauseKind::If(e) | ClauseKind::IfOf(IfOf::Task, e) => {
                    scheduling.if_ = self.condition_argument("if", e);
                }
                ClauseKind::Final(e) => is_final = self.condition_argument("final", e),
                ClauseKind::Priority(e) => priority = self.int_argument("priority", e, Wanted::Any),
                ClauseKind::Untied => flags |= accrue_ir::TaskClauses::UNTIED,
                ClauseKind::Mergeable => flags |= accrue_ir::TaskClauses::MERGEABLE,
                ClauseKind::Detach(e) => {
                    if let Some(var) = self.plain_variable("detach", e)
                        && self.check_event(var, e.span)
                    {
                        flags |= accrue_ir::TaskClauses::DETACHABLE;
                        let made = self.call_routine(Routine::EVENT, Vec::new(), span);
                        let (pointer, declared) = self.fresh(TypeId::VOID_PTR, Some(made), span);
                        before.push(declared);
                        let handle = self.var_value(pointer, span);
                        before.push(self.assign_var(var, handle, span));
                        event = Some(self.var_value(pointer, span));
                        variable = Some(var);
                    }
                }
                _ => {}
            }
        }
        let depends = self.dependences(selected, before, span);
        let flags = self.flags(flags, is_final, span);
        scheduling.task = Some(TaskClauses { depends, flags, priority, event });
        (scheduling, variable)
    }

    /// Whether a variable may hold an event: a number that is an address.
    fn check_event(&mut self, var: VarId, span: Span) -> bool {
        let ty = self.vars[var.0 as usize].ty;
        let is_handle = self.types.is_integer(ty.ty) && self.types.size(ty.ty) == Some(8);
        if !is_handle && ty.ty != TypeId::ERROR {
            let (name, ty) = (self.var_text(var), self.type_text(ty));
            let message = format!("`{name}` in `detach` has type `{ty}`, not `omp_event_handle_t`");
            self.error(ids::DATA_ITEM, span, message);
        }
        is_handle
    }

    /// The flags of a task, an `int`.
    fn flags(&mut self, constant: i32, is_final: Option<Expr>, span: Span) -> Expr {
        let plain = self.int_expr(i128::from(constant), TypeId::INT, span);
        let Some(condition) = is_final else { return plain };
        let with = constant | accrue_ir::TaskClauses::FINAL;
        let with = self.int_expr(i128::from(with), TypeId::INT, span);
        conditional(condition, with, plain)
    }

    fn copies_variable_array(&self, clause: &Clause) -> bool {
        let ClauseKind::FirstPrivate(items) = &clause.kind else { return false };
        let mut vars = items.iter().filter_map(|item| self.item_variable(item));
        vars.any(|var| self.types.is_vla(self.vars[var.0 as usize].ty.ty))
    }

    /// Makes a target task of a `target` construct or directive that has `depend` or `nowait`.
    pub(super) fn with_task_clauses(&mut self, directive: &Directive, mut made: Stmt) -> Stmt {
        let span = directive.span;
        let has = |is_it: fn(&ClauseKind) -> bool| directive.clauses.iter().any(|clause| is_it(&clause.kind));
        // The host has copies for a `target` that takes part in a reduction, or has arrays of variable length
        // in `firstprivate`: it waits.
        let is_nowait = has(|kind| matches!(kind, ClauseKind::Nowait))
            && !has(|kind| matches!(kind, ClauseKind::InReduction(..)))
            && !directive.clauses.iter().any(|clause| self.copies_variable_array(clause));
        let depends = directive.clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Depend(..)));
        if !is_nowait && !depends {
            return made;
        }
        let selected: Vec<&Clause> = directive.clauses.iter().collect();
        let mut before = Vec::new();
        let depends = self.dependences(&selected, &mut before, span);
        let flags = if is_nowait { accrue_ir::TaskClauses::NOWAIT } else { 0 };
        let flags = self.flags(flags, None, span);
        let priority = selected.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Priority(priority) => self.int_argument("priority", priority, Wanted::Any),
            _ => None,
        });
        let task = TaskClauses { depends, flags, priority, event: None };
        become_task(&mut made, task);
        before.push(made);
        block(before, span)
    }

    /// Fills an array with the dependences of `depend` clauses: a pointer to it, and their number.
    fn dependences(
        &mut self,
        selected: &[&Clause],
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<(Expr, Expr)> {
        let all = selected.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Depend(kind, iterators, items) => Some((*kind, iterators, items)),
            _ => None,
        });
        let all: Vec<(DependKind, &Vec<OmpIterator>, &Vec<DependItem>)> = all.collect();
        if all.is_empty() {
            return None;
        }
        if all.iter().any(|(_, iterators, _)| !iterators.is_empty()) {
            return self.iterated_dependences(&all, before, span);
        }
        let mut entries = Vec::new();
        let mut count = 0;
        for (kind, _, items) in all {
            for item in items {
                let (address, kind) = self.dependence(kind, item, span)?;
                for (part, value) in [address, kind].into_iter().enumerate() {
                    let offset = count * DEPENDENCE + part as u64 * 8;
                    entries.push(InitEntry { offset, bits: None, ty: TypeId::ULONG, value });
                }
                count += 1;
            }
        }
        let ty = self.types.array_of(QualType::plain(TypeId::ULONG), ArrayLen::Known(2 * count));
        let array = self.hidden_var(QualType::plain(ty), span);
        before.push(stmt(StmtKind::Declare(array, Some(Init { entries })), span));
        let start = self.var_value(array, span);
        let start = self.convert(start, TypeId::VOID_PTR);
        Some((start, self.long(i128::from(count), span)))
    }

    /// Address and kind of a dependence, each an `unsigned long`.
    fn dependence(&mut self, kind: DependKind, item: &DependItem, span: Span) -> Option<(Expr, Expr)> {
        let place = match item {
            DependItem::Place(place) => place,
            DependItem::AllMemory => {
                let number = match kind {
                    DependKind::Out => ALL_MEMORY[0],
                    DependKind::InOut => ALL_MEMORY[1],
                    _ => {
                        let message = "`omp_all_memory` stands with `out` and `inout` only";
                        self.error(ids::DATA_ITEM, span, message);
                        return None;
                    }
                };
                let none = self.int_expr(0, TypeId::ULONG, span);
                return Some((none, self.int_expr(number, TypeId::ULONG, span)));
            }
        };
        let lvalue = self.depend_place(place);
        if self.is_error(&lvalue) {
            return None;
        }
        self.mark_in_memory(&lvalue);
        let address = self.address_of_lvalue(lvalue, place.span);
        let address = self.convert(address, TypeId::VOID_PTR);
        let address = self.convert(address, TypeId::ULONG);
        Some((address, self.int_expr(kind as i128, TypeId::ULONG, span)))
    }

    /// What an item of `depend` begins at: of a section, its first element.
    fn depend_place(&mut self, place: &ast::Expr) -> Expr {
        let (base, index) = match &place.kind {
            ast::ExprKind::Section(base, bounds) => (base, bounds.lower.as_ref()),
            ast::ExprKind::Index(base, index) => (base, Some(&**index)),
            ast::ExprKind::Paren(inner) => return self.depend_place(inner),
            _ => return self.expr(place),
        };
        let span = place.span;
        let base = self.depend_place(base);
        let base = self.to_rvalue(base);
        let index = match index {
            Some(index) => self.rvalue(index),
            None => self.int_expr(0, TypeId::INT, span),
        };
        let address = self.op(BinaryOp::Add, base, index);
        self.dereference(address, span)
    }

    /// The same where clauses have iterators, so that the array is as long as their ranges say.
    fn iterated_dependences(
        &mut self,
        all: &[(DependKind, &Vec<OmpIterator>, &Vec<DependItem>)],
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<(Expr, Expr)> {
        let zero = self.int_expr(0, TypeId::LONG, span);
        let (count, declared) = self.fresh(TypeId::LONG, Some(zero.clone()), span);
        before.push(declared);
        for (_, iterators, items) in all {
            let mut total = self.int_expr(items.len() as i128, TypeId::LONG, span);
            self.enter_scope();
            for iterator in *iterators {
                // The bounds of an iterator know no other iterator of the clause.
                let trip = self.iterator_trip(iterator);
                total = self.op(BinaryOp::Mul, total, trip);
            }
            self.leave_scope();
            let so_far = self.var_value(count, span);
            let sum = self.op(BinaryOp::Add, so_far, total);
            before.push(self.assign_var(count, sum, span));
        }
        let words = self.var_value(count, span);
        let two = self.int_expr(2, TypeId::LONG, span);
        let words = self.op(BinaryOp::Mul, words, two);
        let (words, declared) = self.fresh(TypeId::LONG, Some(words), span);
        before.push(declared);
        let array = self.run_time_array(TypeId::ULONG, words, before, span);
        let (at, declared) = self.fresh(TypeId::LONG, Some(zero), span);
        before.push(declared);
        for (kind, iterators, items) in all {
            let filled = self.fill_dependences(*kind, iterators, items, (array, at), span)?;
            before.push(filled);
        }
        let start = self.var_value(array, span);
        let start = self.convert(start, TypeId::VOID_PTR);
        Some((start, self.var_value(count, span)))
    }

    fn iterator_type(&mut self, iterator: &OmpIterator) -> TypeId {
        match &iterator.ty {
            Some(name) => self.type_name(name, VlaMode::Allowed).ty,
            None => TypeId::INT,
        }
    }

    /// How many values an iterator takes.
    fn iterator_trip(&mut self, iterator: &OmpIterator) -> Expr {
        let span = iterator.name.span;
        let ty = self.iterator_type(iterator);
        if !self.types.is_integer(ty) && !self.types.is_pointer(ty) && ty != TypeId::ERROR {
            let text = self.type_text(QualType::plain(ty));
            let message = format!("an iterator of type `{text}` takes no values one after the other");
            self.error(ids::CLAUSE_ARGUMENT, span, message);
            return self.int_expr(1, TypeId::LONG, span);
        }
        let [begin, end] = [&iterator.begin, &iterator.end].map(|bound| {
            let value = self.rvalue(bound);
            self.convert(value, ty)
        });
        let distance = if self.types.is_pointer(ty) {
            self.op(BinaryOp::Sub, end, begin)
        } else {
            let [begin, end] = [begin, end].map(|bound| self.convert(bound, TypeId::LONG));
            self.op(BinaryOp::Sub, end, begin)
        };
        let one = self.int_expr(1, TypeId::LONG, span);
        let step = match &iterator.step {
            Some(step) => {
                let place = step.span;
                let step = self.rvalue(step);
                if self.const_int(&step) == Some(0) {
                    self.error(ids::CLAUSE_ARGUMENT, place, "the step of an iterator is not zero");
                    return one;
                }
                self.convert(step, TypeId::LONG)
            }
            None => one.clone(),
        };
        let zero = self.int_expr(0, TypeId::LONG, span);
        let up = self.op(BinaryOp::Gt, step.clone(), zero.clone());
        let [plus, minus] = [BinaryOp::Sub, BinaryOp::Add].map(|op| self.op(op, step.clone(), one.clone()));
        let [up_to, down_to] = [plus, minus].map(|round| self.op(BinaryOp::Add, distance.clone(), round));
        let count = self.op(BinaryOp::Div, conditional(up, up_to, down_to), step);
        let some = self.op(BinaryOp::Gt, count.clone(), zero.clone());
        conditional(some, count, zero)
    }

    fn fill_dependences(
        &mut self,
        kind: DependKind,
        iterators: &[OmpIterator],
        items: &[DependItem],
        (array, at): (VarId, VarId),
        span: Span,
    ) -> Option<Stmt> {
        self.enter_scope();
        let mut loops = Vec::new();
        for iterator in iterators {
            let trip = self.iterator_trip(iterator);
            let (begin, step) = (self.rvalue(&iterator.begin), iterator.step.as_ref());
            let ty = self.iterator_type(iterator);
            let begin = self.convert(begin, ty);
            let step = step.map(|step| {
                let step = self.rvalue(step);
                self.convert(step, TypeId::LONG)
            });
            loops.push((trip, begin, step));
        }
        let mut nest = Vec::new();
        for (iterator, (trip, begin, step)) in iterators.iter().zip(loops) {
            let place = iterator.name.span;
            let ty = self.iterator_type(iterator);
            let var = self.new_var(Some(iterator.name.sym), QualType::plain(ty), Storage::Auto, place);
            self.idents.bind(iterator.name.sym, Entity::Var(var), place);
            nest.push((var, trip, begin, step));
        }
        let mut code = Vec::new();
        for item in items {
            let Some((address, kind)) = self.dependence(kind, item, span) else {
                self.leave_scope();
                return None;
            };
            for value in [address, kind] {
                let index = self.var_value(at, span);
                let place = self.element_at(array, index, span);
                code.push(self.assign(place, value, span));
                code.push(effect(self.increment(at, span)));
            }
        }
        self.leave_scope();
        for (var, trip, begin, step) in nest.into_iter().rev() {
            let zero = self.int_expr(0, TypeId::LONG, span);
            let (index, declared) = self.fresh(TypeId::LONG, Some(zero), span);
            let (trip, limit) = self.fresh(TypeId::LONG, Some(trip), span);
            let number = self.var_value(index, span);
            let offset = match step {
                Some(step) => self.op(BinaryOp::Mul, number, step),
                None => number,
            };
            let value = self.op(BinaryOp::Add, begin, offset);
            let ty = self.vars[var.0 as usize].ty.ty;
            let value = self.convert(value, ty);
            code.insert(0, declare(var, Some(value), span));
            let loop_ = self.counting(index, trip, code, span);
            code = vec![declared, limit, loop_];
        }
        Some(block(code, span))
    }

    /// `taskloop`: the iterations in tasks of some each.
    pub(super) fn taskloop(
        &mut self,
        directive: &Directive,
        selected: &[&Clause],
        statement: &ast::Stmt,
    ) -> Stmt {
        let span = directive.span;
        let mut list = Vec::new();
        let mut loop_clauses = self.omp_loop_clauses(directive.parts, selected, statement);
        self.fix_sections(&mut loop_clauses.data.reductions, &mut list, span);
        self.find_origins(&mut loop_clauses.data.reductions, &mut list, span);
        let starts = self.starts_of_last_values(&mut loop_clauses.data, &mut list, span);
        let (scheduling, _) = self.task_scheduling(accrue_ir::TaskClauses::LOOP, selected, &mut list, span);
        let (mut per_task, mut tasks, mut grouped) = (None, None, true);
        for clause in selected {
            match &clause.kind {
                ClauseKind::Grainsize(strict, e) => {
                    per_task = self.int_argument("grainsize", e, Wanted::Positive).map(|e| (*strict, e));
                }
                ClauseKind::NumTasks(_, e) => {
                    tasks = self.int_argument("num_tasks", e, Wanted::Positive);
                }
                ClauseKind::Nogroup => grouped = false,
                _ => {}
            }
        }
        for (first, second) in [("grainsize", "num_tasks"), ("reduction", "nogroup")] {
            self.check_one_of(selected, first, second);
        }
        // What counts the loops is evaluated by the task around, of whose variables it is made.
        self.enter_sharing(Some(ConstructKind::Task), &loop_clauses.data);
        self.cancellable(CancelKind::Taskgroup, directive);
        let iterations = self.iterations(directive, &loop_clauses, statement, &mut list);
        let Some(iterations) = iterations else {
            self.leave_sharing();
            return block(Vec::new(), span);
        };
        let trip = iterations.trip;
        let (count, size) = self.tasks_of(trip, per_task, tasks, &mut list, span);
        let shares = self.shares_of((trip, count, size), &mut list, span);
        // These belong to the task around; what is declared from here on belongs to each task.
        let outside = self.vars.len();
        if let Some(sharing) = self.acc.sharing.last_mut() {
            sharing.outside = outside;
        }
        let number = self.call_routine(Routine::TASK_NUMBER, Vec::new(), span);
        let (task, declared) = self.fresh(TypeId::ULONG, Some(number), span);
        let mut body = vec![declared];
        let (from, to, declared) = self.range_of(task, &shares, span);
        body.extend(declared);
        let own = iterations.originals();
        let wanted: Vec<VarId> = loop_clauses.data.given_back().collect();
        let mut finals = self.final_values(&iterations, &wanted, span);
        let mut data = loop_clauses.data;
        let last = DataClauses {
            lastprivate: std::mem::take(&mut data.lastprivate),
            linear: std::mem::take(&mut data.linear),
            starts,
            ..DataClauses::default()
        };
        data.private.retain(|var| !own.contains(var));
        let mut privates = self.privates(&last, &own, false, span);
        let linear = &privates;
        let mut ranges = self.run_iterations(
            iterations,
            (from, to),
            |sema, index| (sema.iteration_starts(linear, index, span), Vec::new()),
            &mut body,
            span,
        );
        privates.rewrite(&mut ranges);
        body.append(&mut privates.before);
        body.push(ranges);
        finals.splice(0..0, privates.finals);
        if !finals.is_empty() {
            let (a, b) = (self.var_value(to, span), self.var_value(trip, span));
            let is_last = self.op(BinaryOp::Eq, a, b);
            body.push(if_stmt(is_last, finals, span));
        }
        let made = self.make_task(data, scheduling, block(body, span), directive);
        if grouped {
            list.push(self.do_routine(Routine::TASKGROUP_START, Vec::new(), span));
        }
        let tasks = self.var_value(count, span);
        list.push(self.do_routine(Routine::TASKLOOP, vec![tasks], span));
        list.push(made);
        if grouped {
            list.push(self.do_routine(Routine::TASKGROUP_END, Vec::new(), span));
        }
        block(list, span)
    }

    /// What variables start with that are `firstprivate` and `lastprivate`, or `linear`, in a `taskloop`: one
    /// of the tasks writes the original, so that the values are taken before any of them.
    fn starts_of_last_values(
        &mut self,
        data: &mut DataClauses,
        list: &mut Vec<Stmt>,
        span: Span,
    ) -> Vec<(VarId, VarId)> {
        let mut starts = Vec::new();
        let both = data.lastprivate.iter().filter(|var| data.firstprivate.contains(var)).copied();
        let linear = data.linear.iter().map(|&(var, _)| var);
        for var in both.chain(linear).collect::<Vec<_>>() {
            let ty = self.vars[var.0 as usize].ty.ty;
            let start = self.hidden_var(QualType::plain(ty), span);
            list.push(declare(start, None, span));
            let (to, from) = (self.var_lvalue(start, span), self.var_lvalue(var, span));
            list.push(self.copy_object(to, from, span));
            starts.push((var, start));
        }
        data.firstprivate.retain(|var| !starts.iter().any(|(started, _)| started == var));
        starts
    }

    /// How many tasks a `taskloop` has, and for `grainsize(strict:)` how many iterations each.
    fn tasks_of(
        &mut self,
        trip: VarId,
        per_task: Option<(bool, Expr)>,
        tasks: Option<Expr>,
        list: &mut Vec<Stmt>,
        span: Span,
    ) -> (VarId, Option<VarId>) {
        let all = self.var_value(trip, span);
        let mut size = None;
        let wanted = match (per_task, tasks) {
            (Some((strict, grain)), _) => {
                let grain = self.convert(grain, TypeId::ULONG);
                let (grain, declared) = self.fresh(TypeId::ULONG, Some(grain), span);
                list.push(declared);
                let mut covered = all.clone();
                let each = self.var_value(grain, span);
                if strict {
                    size = Some(grain);
                    let one = self.int_expr(1, TypeId::ULONG, span);
                    let more = self.op(BinaryOp::Sub, each.clone(), one);
                    covered = self.op(BinaryOp::Add, covered, more);
                }
                self.op(BinaryOp::Div, covered, each)
            }
            (None, Some(tasks)) => self.convert(tasks, TypeId::ULONG),
            (None, None) => {
                let threads = self.call_routine(Routine::NUM_THREADS, Vec::new(), span);
                self.convert(threads, TypeId::ULONG)
            }
        };
        let (count, declared) = self.fresh(TypeId::ULONG, Some(wanted), span);
        list.push(declared);
        // At least one task if there is an iteration, and no task without one.
        let one = self.int_expr(1, TypeId::ULONG, span);
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let now = self.var_value(count, span);
        let none = self.op(BinaryOp::Eq, now.clone(), zero);
        let first = self.assign_var(count, one, span);
        list.push(if_stmt(none, vec![first], span));
        let many = self.op(BinaryOp::Gt, now, all.clone());
        let fewer = self.assign_var(count, all, span);
        list.push(if_stmt(many, vec![fewer], span));
        (count, size)
    }

    /// What the ranges of so many tasks or teams, or of tasks of this size, have in common.
    pub(super) fn shares_of(
        &mut self,
        (trip, count, size): (VarId, VarId, Option<VarId>),
        list: &mut Vec<Stmt>,
        span: Span,
    ) -> Shares {
        if let Some(size) = size {
            return Shares::OfSize { trip, size };
        }
        let (all, tasks) = (self.var_value(trip, span), self.var_value(count, span));
        let (zero, one) = (self.int_expr(0, TypeId::ULONG, span), self.int_expr(1, TypeId::ULONG, span));
        let is_none = self.op(BinaryOp::Eq, tasks.clone(), zero);
        let (divisor, first) = self.fresh(TypeId::ULONG, Some(conditional(is_none, one, tasks)), span);
        let divisor = self.var_value(divisor, span);
        let share = self.op(BinaryOp::Div, all.clone(), divisor.clone());
        let (share, second) = self.fresh(TypeId::ULONG, Some(share), span);
        let left = self.op(BinaryOp::Rem, all, divisor);
        let (left, third) = self.fresh(TypeId::ULONG, Some(left), span);
        list.extend([first, second, third]);
        Shares::Equal { share, left }
    }

    /// The range of iterations of a task or team: variables for its ends, and what declares them.
    pub(super) fn range_of(&mut self, task: VarId, shares: &Shares, span: Span) -> (VarId, VarId, Vec<Stmt>) {
        let number = self.var_value(task, span);
        let less = |sema: &mut Self, a: Expr, b: Expr| {
            let condition = sema.op(BinaryOp::Lt, a.clone(), b.clone());
            conditional(condition, a, b)
        };
        let (share, left) = match *shares {
            Shares::Equal { share, left } => (self.var_value(share, span), self.var_value(left, span)),
            Shares::OfSize { trip, size } => {
                let (all, each) = (self.var_value(trip, span), self.var_value(size, span));
                let start = self.op(BinaryOp::Mul, number, each.clone());
                let (from, first) = self.fresh(TypeId::ULONG, Some(start), span);
                let from_value = self.var_value(from, span);
                let end = self.op(BinaryOp::Add, from_value, each);
                let end = less(self, end, all);
                let (to, second) = self.fresh(TypeId::ULONG, Some(end), span);
                return (from, to, vec![first, second]);
            }
        };
        // The first tasks have one more each of what is left over.
        let start = self.op(BinaryOp::Mul, number.clone(), share.clone());
        let extra = less(self, number.clone(), left.clone());
        let start = self.op(BinaryOp::Add, start, extra);
        let (from, first) = self.fresh(TypeId::ULONG, Some(start), span);
        let has_more = self.op(BinaryOp::Lt, number, left);
        let has_more = self.convert(has_more, TypeId::ULONG);
        let end = self.var_value(from, span);
        let end = self.op(BinaryOp::Add, end, share);
        let end = self.op(BinaryOp::Add, end, has_more);
        let (to, second) = self.fresh(TypeId::ULONG, Some(end), span);
        (from, to, vec![first, second])
    }

    /// `taskgroup`.
    pub(super) fn taskgroup(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        // Tasks add to the original itself.
        let data = self.data_clauses(&selected);
        let mut list = Vec::new();
        let (mut enter, mut leave) = self.reduction_begins(&data.reductions, &mut list, span);
        list.append(&mut enter);
        list.push(self.do_routine(Routine::TASKGROUP_START, Vec::new(), span));
        list.push(self.construct_body(directive, statement));
        list.push(self.do_routine(Routine::TASKGROUP_END, Vec::new(), span));
        list.append(&mut leave);
        block(list, span)
    }

    /// `taskwait`.
    pub(super) fn taskwait(&mut self, directive: &Directive) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        for clause in &selected {
            if let ClauseKind::Depend(DependKind::MutexInOutSet, ..) = clause.kind {
                let message = "`taskwait` excludes no task: `mutexinoutset` has no meaning there";
                self.emit(
                    Diagnostic::error(ids::UNKNOWN_MODIFIER, clause.span, message)
                        .note("write `inout` to wait for the tasks that name the same"),
                );
            }
        }
        let mut list = Vec::new();
        let depends = self.dependences(&selected, &mut list, span);
        let is_nowait = selected.iter().any(|clause| matches!(clause.kind, ClauseKind::Nowait));
        let place = self.place_argument(span);
        let waited = match depends {
            None if is_nowait => {
                self.error(ids::CLAUSE_NOT_ALLOWED, span, "`nowait` on `taskwait` wants `depend`");
                return block(Vec::new(), span);
            }
            None => self.do_routine(Routine::TASKWAIT, vec![place], span),
            Some((array, count)) => {
                let nowait = self.int_expr(i128::from(is_nowait), TypeId::INT, span);
                self.do_routine(Routine::TASKWAIT_DEPEND, vec![place, array, count, nowait], span)
            }
        };
        list.push(waited);
        block(list, span)
    }

    /// `depobj`: an object that holds a dependence, two words.
    pub(super) fn depobj(&mut self, directive: &Directive) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let mut list = Vec::new();
        let words = self.types.pointer_to(QualType::plain(TypeId::ULONG));
        let mut object = None;
        let is_action = |clause: &&&Clause| matches!(clause.kind, ClauseKind::DepobjAction(_));
        match selected.iter().filter(is_action).nth(1) {
            Some(second) => {
                let message = "`depobj` has one of `depend`, `update` and `destroy`";
                self.error(ids::CONFLICTING_CLAUSES, second.span, message);
            }
            None if selected.iter().any(|clause| is_action(&clause)) || !directive.is_complete => {}
            None => {
                let message = "`depobj` needs one of `depend`, `update` and `destroy`";
                self.error(ids::MISSING_CLAUSE, directive.name_span, message);
            }
        }
        for clause in &selected {
            match &clause.kind {
                ClauseKind::DepobjTarget(e) => {
                    let lvalue = self.expr(e);
                    if lvalue.ty.quals.const_ {
                        self.error(ids::DATA_ITEM, e.span, "`depobj` changes its object, which is `const`");
                    }
                    if !self.is_lvalue(&lvalue) || self.types.size(lvalue.ty.ty) != Some(DEPENDENCE) {
                        let message = "`depobj` takes an object of type `omp_depend_t`";
                        self.error(ids::DATA_ITEM, e.span, message);
                        return block(Vec::new(), span);
                    }
                    self.mark_in_memory(&lvalue);
                    let address = self.address_of_lvalue(lvalue, span);
                    let address = self.convert(address, words);
                    let (var, declared) = self.fresh(words, Some(address), span);
                    list.push(declared);
                    object = Some(var);
                }
                ClauseKind::DepobjAction(action) => {
                    let Some(object) = object else { continue };
                    let (address, kind) = match action {
                        DepobjAction::Depend(DependKind::Depobj, _)
                        | DepobjAction::Update(DependKind::Depobj) => {
                            let message = "`depobj` holds a dependence on a place, not one of another object";
                            self.error(ids::CLAUSE_ARGUMENT, clause.span, message);
                            continue;
                        }
                        DepobjAction::Depend(kind, items) => {
                            let [item] = &items[..] else {
                                let message = "`depobj` holds one dependence";
                                self.error(ids::DATA_ITEM, clause.span, message);
                                continue;
                            };
                            match self.dependence(*kind, item, span) {
                                Some((address, kind)) => (Some(address), Some(kind)),
                                None => continue,
                            }
                        }
                        DepobjAction::Update(kind) => {
                            (None, Some(self.int_expr(*kind as i128, TypeId::ULONG, span)))
                        }
                        DepobjAction::Destroy => (None, None),
                    };
                    for (index, value) in [address, kind].into_iter().enumerate() {
                        let Some(value) = value else { continue };
                        let index = self.int_expr(index as i128, TypeId::LONG, span);
                        let place = self.element_at(object, index, span);
                        list.push(self.assign(place, value, span));
                    }
                }
                _ => {}
            }
        }
        block(list, span)
    }

    /// Directives of one call: `barrier`, `taskyield`, `flush`.
    pub(super) fn omp_call(&mut self, directive: &Directive, kind: OmpKind) -> Stmt {
        let span = directive.span;
        clauses::select(directive, self.acc.target, &mut self.session.sink);
        match kind {
            OmpKind::Barrier => self.barrier(span),
            OmpKind::Taskyield => self.do_routine(Routine::TASKYIELD, Vec::new(), span),
            _ => self.fence(span),
        }
    }

    /// What `flush` does.
    pub(super) fn fence(&self, span: Span) -> Stmt {
        let kind = ExprKind::Builtin(Builtin::AtomicFence, Vec::new());
        effect(Expr { kind, ty: QualType::plain(TypeId::VOID), span })
    }
}

/// How iterations are divided.
pub(super) enum Shares {
    /// So many for each, and one more for the first.
    Equal { share: VarId, left: VarId },
    /// So many for each, as long as there are some.
    OfSize { trip: VarId, size: VarId },
}

/// Whether code may create tasks, by itself or by a call.
#[derive(Default)]
struct MayCreateTasks(bool);

impl MayCreateTasks {
    fn of(body: &Stmt) -> bool {
        let mut found = MayCreateTasks::default();
        found.stmt(body);
        found.0
    }
}

impl Visit for MayCreateTasks {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0 |= matches!(stmt.kind, StmtKind::Threaded(_));
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        self.0 |= matches!(expr.kind, ExprKind::Call { .. });
        walk_expr(self, expr);
    }
}

/// Gives the clauses of a task to the construct or directive that a statement is, perhaps behind
/// declarations.
fn become_task(made: &mut Stmt, task: TaskClauses) {
    match &mut made.kind {
        StmtKind::Block(list) => {
            if let Some(last) = list.last_mut() {
                become_task(last, task);
            }
        }
        StmtKind::Compute(compute) => compute.scheduling.task = Some(task),
        StmtKind::Executable(executable) => executable.scheduling.task = Some(task),
        _ => {}
    }
}
