//! Teams of the host's threads, and what the threads of a team do together: `parallel`, `single`, `masked`,
//! `critical`, `sections`, `barrier` and so on (OpenMP 5.2, chapters 10, 11 and 15).

use super::super::build::Wanted;
use super::super::loops::MAX_NEST;
use super::super::sharing::Attribute;
use super::super::{clauses, ids, nothing};
use super::code::{Routine, block, if_stmt, stmt};
use super::loops::{Dealt, SharedRanges};
use super::sharing::{DataClauses, loop_variables};
use crate::ast;
use crate::ctype::{QualType, TypeId};
use crate::directive::{
    CancelKind, Clause, ClauseKind, Directive, DirectiveKind, IfOf, OmpKind, Parts, ScheduleKind,
};
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, MapKind};

/// The statement of a `parallel` as each of its threads executes it.
pub(super) struct TeamStatement {
    /// What the thread does that comes to the construct.
    pub before: Vec<Stmt>,
    /// What becomes of the variables of its surroundings.
    pub captures: Vec<(VarId, CaptureKind)>,
    pub body: Stmt,
}

impl Sema<'_> {
    /// A directive of several constructs, outermost first.
    pub(super) fn combined(&mut self, directive: &Directive, parts: Parts, statement: &ast::Stmt) -> Stmt {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        if parts.has(Parts::TEAMS) {
            return self.league(directive, &selected, parts, statement);
        }
        self.within_league(directive, &selected, parts, statement)
    }

    /// What a combined directive has inside of its `teams`, or without one.
    fn within_league(
        &mut self,
        directive: &Directive,
        selected: &[&Clause],
        parts: Parts,
        statement: &ast::Stmt,
    ) -> Stmt {
        if !parts.has(Parts::PARALLEL) {
            return self.within_team(directive, selected, parts, statement, true);
        }
        let made = self.team(directive, selected, parts, statement);
        if !parts.has(Parts::DISTRIBUTE) {
            return made;
        }
        self.on_first_team(made, directive.span)
    }

    /// What the first team of a league executes: it has enough threads for all iterations of a `distribute
    /// parallel for`.
    pub(super) fn on_first_team(&mut self, made: Stmt, span: Span) -> Stmt {
        let number = self.call_routine(Routine::TEAM_NUM, Vec::new(), span);
        let zero = self.int_expr(0, TypeId::INT, span);
        let is_first = self.op(BinaryOp::Eq, number, zero);
        if_stmt(is_first, vec![made], span)
    }

    /// What a combined directive has inside of its `parallel`, or without one.
    fn within_team(
        &mut self,
        directive: &Directive,
        selected: &[&Clause],
        parts: Parts,
        statement: &ast::Stmt,
        barrier: bool,
    ) -> Stmt {
        let waits = barrier && !selected.iter().any(|clause| matches!(clause.kind, ClauseKind::Nowait));
        if parts.has(Parts::MASKED) {
            let inner = if parts.has(Parts::TASKLOOP) {
                self.taskloop(directive, selected, statement)
            } else {
                self.construct_body(directive, statement)
            };
            return self.masked(directive, selected, inner);
        }
        let binds_to_team = parts.has(Parts::FOR) || parts.has(Parts::LOOP) && self.loop_is_shared(directive);
        if parts.has(Parts::TASKLOOP) {
            self.taskloop(directive, selected, statement)
        } else if parts.has(Parts::SECTIONS) {
            self.sections(directive, selected, statement, waits)
        } else if binds_to_team {
            self.worksharing_loop(directive, selected, statement, waits)
        } else if parts.has_loop() {
            self.serial_loop(directive, selected, statement)
        } else {
            self.construct_body(directive, statement)
        }
    }

    /// The statement of a construct, which control does not leave otherwise than at its end.
    pub(super) fn construct_body(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        self.enter_construct(directive.kind.name(), directive.name_span);
        let body = self.stmt(statement);
        self.leave_construct();
        body
    }

    /// `parallel`, alone or with what it is combined with.
    pub(super) fn team(
        &mut self,
        directive: &Directive,
        selected: &[&Clause],
        parts: Parts,
        statement: &ast::Stmt,
    ) -> Stmt {
        let mut scheduling = Scheduling::default();
        let mut num_threads = None;
        for clause in selected {
            match &clause.kind {
                ClauseKind::If(e) | ClauseKind::IfOf(IfOf::Parallel, e) => {
                    scheduling.if_ = self.condition_argument("if", e);
                }
                ClauseKind::NumThreads(e) => {
                    num_threads = self.int_argument("num_threads", e, Wanted::Positive);
                }
                _ => {}
            }
        }
        let span = directive.span;
        let TeamStatement { mut before, captures, body } =
            self.statement_of_team(directive, selected, parts, statement);
        let kind = ConstructKind::Team;
        let threaded = Threaded { kind, scheduling, num_threads, captures, body, span };
        before.push(stmt(StmtKind::Threaded(Box::new(threaded)), span.to(statement.span)));
        block(before, span.to(statement.span))
    }

    /// What each thread of a team executes of a `parallel`, alone or with what it is combined with.
    pub(super) fn statement_of_team(
        &mut self,
        directive: &Directive,
        selected: &[&Clause],
        parts: Parts,
        statement: &ast::Stmt,
    ) -> TeamStatement {
        let span = directive.span;
        let is_combined = parts != Parts::PARALLEL;
        let shares_work = !parts.has(Parts::TASKLOOP) && !parts.has(Parts::MASKED);
        let team_reduces = shares_work && selected.iter().any(|clause| reduces_sections(clause));
        let goes_in = |clause: &&&Clause| {
            let is_of_team = team_reduces && matches!(clause.kind, ClauseKind::Reduction(..));
            is_combined && belongs_inside(clause, selected) && !is_of_team
        };
        let inside: Vec<&Clause> = selected.iter().filter(goes_in).copied().collect();
        let outside: Vec<&Clause> = selected.iter().filter(|clause| !goes_in(clause)).copied().collect();
        let mut before = Vec::new();
        let mut copied_in = Vec::new();
        for clause in &outside {
            if let ClauseKind::CopyIn(items) = &clause.kind {
                self.copy_in(items, &mut before, &mut copied_in);
            }
        }
        let mut data = self.data_clauses(&outside);
        self.fix_sections(&mut data.reductions, &mut before, span);
        self.enter_sharing(Some(ConstructKind::Team), &data);
        self.cancellable(CancelKind::Parallel, directive);
        if is_combined {
            self.share_for_inside(&inside, statement);
        }
        let inner = if is_combined {
            self.enter_construct(directive.kind.name(), directive.name_span);
            let inner = self.within_team(directive, &inside, parts, statement, false);
            self.leave_construct();
            inner
        } else {
            self.construct_body(directive, statement)
        };
        let Some(sharing) = self.acc.sharing.pop() else {
            return TeamStatement { before, captures: Vec::new(), body: inner };
        };
        let own = DataClauses {
            private: data.private,
            reductions: data.reductions,
            reduces_in_tasks: data.reduces_in_tasks,
            ..DataClauses::default()
        };
        let mut privates = self.privates(&own, &[], true, span);
        let mut inner = inner;
        privates.rewrite(&mut inner);
        let mut list = copied_in;
        list.append(&mut privates.before);
        let end = sharing.cancel.and_then(|cancel| cancel.end);
        self.leave_at_barriers(end, &mut inner, span);
        list.push(inner);
        list.extend(self.cancelled_label(end, span));
        list.append(&mut privates.after);
        let mut body = block(list, span);
        let captures = self.captures(&sharing, &mut body, directive.name_span);
        TeamStatement { before, captures, body }
    }

    /// Variables in clauses of what is combined with a `parallel` are shared by it.
    fn share_for_inside(&mut self, inside: &[&Clause], statement: &ast::Stmt) {
        let mut vars: Vec<VarId> = inside.iter().flat_map(|clause| self.named_in(clause)).collect();
        vars.extend(loop_variables(self, statement, MAX_NEST));
        if let Some(sharing) = self.acc.sharing.last_mut() {
            for var in vars {
                sharing.attributes.entry(var).or_insert(Attribute::Shared);
            }
        }
    }

    /// `copyin`: the other threads' instances of thread-local variables get the encountering thread's values.
    fn copy_in(&mut self, items: &[ast::Expr], before: &mut Vec<Stmt>, inside: &mut Vec<Stmt>) {
        for item in items {
            let span = item.span;
            let lvalue = self.expr(item);
            let ExprKind::Var(var) = lvalue.kind else {
                self.error(ids::DATA_ITEM, span, "`copyin` takes variables");
                continue;
            };
            if !matches!(self.vars[var.0 as usize].storage, Storage::Thread { .. }) {
                let name = self.var_text(var);
                self.error(ids::DATA_ITEM, span, format!("`{name}` in `copyin` is not `threadprivate`"));
                continue;
            }
            let ty = self.types.pointer_to(QualType::plain(lvalue.ty.ty));
            let address = self.address_of_lvalue(lvalue.clone(), span);
            let (master, declared) = self.fresh(ty, Some(address.clone()), span);
            before.push(declared);
            let there = self.var_value(master, span);
            let here = self.convert(address, ty);
            let differs = self.op(BinaryOp::Ne, here, there.clone());
            let from = self.dereference(there, span);
            let copied = self.copy_object(lvalue, from, span);
            inside.push(if_stmt(differs, vec![copied], span));
        }
        if !inside.is_empty() {
            let span = items.first().map_or_else(Span::default, |item| item.span);
            inside.push(self.barrier(span));
        }
    }

    /// `teams` on the host: the teams one after the other.
    fn league(
        &mut self,
        directive: &Directive,
        selected: &[&Clause],
        parts: Parts,
        statement: &ast::Stmt,
    ) -> Stmt {
        let span = directive.span;
        let zero = self.int_expr(0, TypeId::INT, span);
        let (mut teams, mut limit) = (zero.clone(), zero);
        for clause in selected {
            let place = match &clause.kind {
                ClauseKind::NumTeams(_) => &mut teams,
                ClauseKind::ThreadLimit(_) => &mut limit,
                _ => continue,
            };
            if let ClauseKind::NumTeams(e) | ClauseKind::ThreadLimit(e) = &clause.kind
                && let Some(value) = self.int_argument(clause.row.name, e, Wanted::Positive)
            {
                *place = self.convert(value, TypeId::INT);
            }
        }
        let is_alone = !parts.has_loop();
        let data = if is_alone { self.data_clauses(selected) } else { DataClauses::default() };
        self.enter_sharing(None, &data);
        if let Some(innermost) = self.acc.sharing.last_mut() {
            innermost.is_league = true;
        }
        let mut body = match is_alone {
            true => self.construct_body(directive, statement),
            false => self.within_league(directive, selected, parts, statement),
        };
        let outside = self.acc.sharing.pop().map_or(0, |sharing| sharing.outside);
        let mut own = DataClauses {
            private: data.private,
            firstprivate: data.firstprivate,
            reductions: data.reductions,
            ..DataClauses::default()
        };
        let mut known: Vec<VarId> = selected.iter().flat_map(|clause| self.named_in(clause)).collect();
        if !is_alone {
            known.extend(loop_variables(self, statement, MAX_NEST));
        }
        self.default_of_league(directive, (&known, outside), &body, &mut own);
        let mut privates = self.privates(&own, &[], false, span);
        privates.rewrite(&mut body);
        let mut each = std::mem::take(&mut privates.before);
        each.push(body);
        each.append(&mut privates.after);
        let made = self.call_routine(Routine::LEAGUE_START, vec![teams, limit], span);
        let (league, declared) = self.fresh(TypeId::VOID_PTR, Some(made), span);
        let handle = self.var_value(league, span);
        let next = self.call_routine(Routine::LEAGUE_NEXT, vec![handle], span);
        let zero = self.int_expr(0, TypeId::INT, span);
        let is_there = self.op(BinaryOp::Ne, next, zero);
        let all = stmt(StmtKind::While(is_there, Box::new(block(each, span))), span);
        block(vec![declared, all], span)
    }

    /// `single`, `scope`: private copies around a block.
    pub(super) fn single(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        self.check_common(directive, &selected);
        let data = self.data_clauses(&selected);
        self.enter_sharing(None, &data);
        let mut body = self.construct_body(directive, statement);
        self.leave_sharing();
        let mut privates = self.privates(&data, &[], true, span);
        privates.rewrite(&mut body);
        let is_scope = matches!(directive.kind, DirectiveKind::Omp(OmpKind::Scope));
        let mut list = std::mem::take(&mut privates.before);
        let mut given = Vec::new();
        let mut waits = true;
        self.check_one_of(&selected, "copyprivate", "nowait");
        for clause in &selected {
            match &clause.kind {
                ClauseKind::Nowait => waits = false,
                ClauseKind::CopyPrivate(items) => self.given_vars(items, &mut given),
                _ => {}
            }
        }
        if is_scope {
            list.push(body);
            list.append(&mut privates.after);
        } else if self.gang_team().is_some() {
            list.extend(self.single_of_gang(body, &given, span));
        } else {
            let is_chosen = self.call_routine(Routine::SINGLE_START, Vec::new(), span);
            let (give, take) = self.copyprivate(&given, span);
            let then = [vec![body], give].concat();
            let otherwise = (!take.is_empty()).then(|| Box::new(block(take, span)));
            list.push(stmt(StmtKind::If(is_chosen, Box::new(block(then, span)), otherwise), span));
        }
        if waits || !given.is_empty() {
            list.push(self.barrier(span));
        }
        block(list, span)
    }

    /// The variables of `copyprivate`, which may be thread-local.
    fn given_vars(&mut self, items: &[ast::Expr], out: &mut Vec<VarId>) {
        for item in items {
            match self.expr(item).kind {
                ExprKind::Var(var) => {
                    self.check_given(var, item.span);
                    out.push(var);
                }
                _ => self.error(ids::DATA_ITEM, item.span, "`copyprivate` takes variables"),
            }
        }
    }

    /// What the thread of a `single` block does to hand its variables out, and the others to take them over.
    fn copyprivate(&mut self, vars: &[VarId], span: Span) -> (Vec<Stmt>, Vec<Stmt>) {
        if vars.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let length = self.int_expr(vars.len() as i128, TypeId::LONG, span);
        let (length, declared) = self.fresh(TypeId::LONG, Some(length), span);
        let mut give = vec![declared];
        let list = self.run_time_array(TypeId::VOID_PTR, length, &mut give, span);
        let pointers = self.types.pointer_to(QualType::plain(TypeId::VOID_PTR));
        let taken = self.call_routine(Routine::COPYPRIVATE_TAKE, Vec::new(), span);
        let (others, declared) = self.fresh(pointers, Some(taken), span);
        let mut take = vec![declared];
        for (index, &var) in vars.iter().enumerate() {
            let index = self.int_expr(index as i128, TypeId::LONG, span);
            let mine = self.element_at(list, index.clone(), span);
            let theirs = self.element_at(others, index, span);
            let address = self.var_address(var, span);
            give.push(self.assign(mine, address, span));
            let pointer = self.types.pointer_to(QualType::plain(self.vars[var.0 as usize].ty.ty));
            let from = self.to_rvalue(theirs);
            let from = self.convert(from, pointer);
            let from = self.dereference(from, span);
            let to = self.var_lvalue(var, span);
            take.push(self.copy_object(to, from, span));
        }
        let start = self.var_value(list, span);
        let start = self.convert(start, TypeId::VOID_PTR);
        give.push(self.do_routine(Routine::COPYPRIVATE_GIVE, vec![start], span));
        (give, take)
    }

    /// `masked`, `master`: a block for one thread, without a barrier.
    pub(super) fn masked(&mut self, directive: &Directive, selected: &[&Clause], body: Stmt) -> Stmt {
        let span = directive.span;
        let mut filter = self.int_expr(0, TypeId::INT, span);
        for clause in selected {
            if let ClauseKind::Filter(thread) = &clause.kind {
                filter = self.int_argument("filter", thread, Wanted::Any).unwrap_or(filter.clone());
            }
        }
        let thread = self.thread_number(span);
        let is_it = self.op(BinaryOp::Eq, thread, filter);
        if_stmt(is_it, vec![body], span)
    }

    /// `critical`: one thread at a time in all blocks of a name.
    pub(super) fn critical(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let span = directive.span;
        let name = directive.clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Names(names) => names.first().map(|name| self.text(name.sym)),
            _ => None,
        });
        let body = self.construct_body(directive, statement);
        if self.is_in_gang_team() {
            return self.critical_of_gang(&name.unwrap_or_default(), body, span);
        }
        if self.acc.declare_targets.is_empty() || self.acc.in_version_of_host {
            return self.locked(&name.unwrap_or_default(), body, span);
        }
        // Loops of a device whose iterations come here have one thread of one team (pass `exclude`).
        let lock = self.critical_lock(&name.unwrap_or_default(), TypeId::VOID_PTR, span);
        self.declare_on_device(lock, MapKind::Create);
        let [first, last] = [(); 2].map(|()| self.var_address(lock, span));
        let start = self.do_routine(Routine::CRITICAL_START, vec![first], span);
        let end = self.do_routine(Routine::CRITICAL_END, vec![last], span);
        let alone = self.do_routine(Routine::ALONE, Vec::new(), span);
        let list = vec![self.on_host_only(start, alone), body, self.on_host_only(end, nothing(span))];
        block(list, span)
    }

    /// Bit-fields that share a word have one lock, whichever object they are in.
    pub(in super::super) fn locked_bits(&mut self, body: Stmt, span: Span) -> Stmt {
        self.locked("0", body, span)
    }

    fn locked(&mut self, name: &str, body: Stmt, span: Span) -> Stmt {
        let lock = self.critical_lock(name, TypeId::VOID_PTR, span);
        let [first, last] = [(); 2].map(|()| self.var_address(lock, span));
        let list = vec![
            self.do_routine(Routine::CRITICAL_START, vec![first], span),
            body,
            self.do_routine(Routine::CRITICAL_END, vec![last], span),
        ];
        block(list, span)
    }

    /// The object that stands for a name, in all translation units.
    pub(super) fn critical_lock(&mut self, name: &str, ty: TypeId, span: Span) -> VarId {
        let symbol = self.session.interner.intern(&format!(".omp.critical.{name}"));
        if let Some(&Entity::Var(var)) = self.externs.get(&symbol) {
            return var;
        }
        let storage = Storage::Static { linkage: Linkage::External, defined: true, tentative: true };
        let var = self.new_var(Some(symbol), QualType::plain(ty), storage, span);
        self.vars[var.0 as usize].weak = true;
        self.acc.locks.push(var);
        self.externs.insert(symbol, Entity::Var(var));
        var
    }

    /// `sections`: each block is executed by some thread.
    fn sections(
        &mut self,
        directive: &Directive,
        selected: &[&Clause],
        statement: &ast::Stmt,
        waits: bool,
    ) -> Stmt {
        let span = directive.span;
        self.check_common(directive, selected);
        let data = self.data_clauses(selected);
        self.enter_sharing(None, &data);
        self.cancellable(CancelKind::Sections, directive);
        self.enter_construct(directive.kind.name(), directive.name_span);
        let blocks = self.section_blocks(statement);
        self.leave_construct();
        let cancel = self.acc.sharing.pop().and_then(|sharing| sharing.cancel);
        let cancelled = cancel.and_then(|cancel| cancel.end);
        self.check_cancellable(cancelled, selected);
        let count = blocks.len() as i128;
        let (from, first) = self.fresh(TypeId::ULONG, None, span);
        let (to, second) = self.fresh(TypeId::ULONG, None, span);
        let trip = self.int_expr(count, TypeId::ULONG, span);
        let (trip, third) = self.fresh(TypeId::ULONG, Some(trip), span);
        let start = self.var_value(from, span);
        let (index, declared) = self.fresh(TypeId::ULONG, Some(start), span);
        let mut privates = self.privates(&data, &[], true, span);
        let mut cases = Vec::new();
        let mut body = Vec::new();
        for (number, mut section) in blocks.into_iter().enumerate() {
            self.mark_assignments(&privates, &mut section);
            cases.push((number as i64, number as i64, number as u32));
            body.push(stmt(StmtKind::Case(number as u32, Box::new(section)), span));
            body.push(stmt(StmtKind::Break, span));
        }
        let value = self.var_value(index, span);
        let value = self.convert(value, TypeId::LONG);
        let chosen = StmtKind::Switch { value, cases, default: None, body: Box::new(block(body, span)) };
        let mut one = self.iteration_starts(&privates, index, span);
        one.push(stmt(chosen, span));
        let loop_ = self.counting(index, to, one, span);
        let mut each = block(vec![declared, loop_], span);
        privates.rewrite(&mut each);
        let mut list = vec![first, second, third];
        let one = self.int_expr(1, TypeId::LONG, span);
        let schedule = ScheduleKind::Dynamic as i128;
        let dealt = self.gang_team().map(|_| Dealt::InChunks);
        let ranges = SharedRanges { schedule, chunk: one, from, to, trip, cancelled, dealt };
        self.share_ranges(ranges, each, privates, waits, &mut list, span);
        block(list, span)
    }

    /// The statement of a construct that one thread executes: of `sections`, all blocks in turn.
    pub(super) fn body_for_one(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        if !directive.parts.has(Parts::SECTIONS) {
            return self.construct_body(directive, statement);
        }
        self.enter_construct(directive.kind.name(), directive.name_span);
        let blocks = self.section_blocks(statement);
        self.leave_construct();
        block(blocks, statement.span)
    }

    /// The blocks of `sections`: what stands before the first `section` is one, too.
    fn section_blocks(&mut self, statement: &ast::Stmt) -> Vec<Stmt> {
        let ast::StmtKind::Compound(items) = &statement.kind else {
            self.error(ids::DIRECTIVE_PLACEMENT, statement.span, "`sections` applies to a block");
            return Vec::new();
        };
        let is_section = |item: &ast::BlockItem| match item {
            ast::BlockItem::Stmt(ast::Stmt { kind: ast::StmtKind::Directive(inner, Some(_)), .. }) => {
                matches!(inner.kind, DirectiveKind::Omp(OmpKind::Section))
            }
            _ => false,
        };
        let first = items.iter().position(is_section).unwrap_or(items.len());
        let mut blocks = Vec::new();
        if first > 0 {
            self.enter_scope();
            let mut list = Vec::new();
            self.block_items(&items[..first], &mut list);
            self.leave_scope();
            blocks.push(block(list, statement.span));
        }
        let mut rest = &items[first..];
        while let [ast::BlockItem::Stmt(ast::Stmt { kind, span, .. }), behind @ ..] = rest
            && let ast::StmtKind::Directive(_, Some(inner)) = kind
        {
            // A section is all statements up to the next one.
            let next = behind.iter().position(is_section).unwrap_or(behind.len());
            self.enter_scope();
            let mut list = vec![self.stmt(inner)];
            self.block_items(&behind[..next], &mut list);
            self.leave_scope();
            blocks.push(block(list, *span));
            rest = &behind[next..];
        }
        blocks
    }

    /// `threadprivate`: from here on each thread has its own instance.
    pub(super) fn threadprivate(&mut self, directive: &Directive) {
        let names = directive.clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Names(names) => Some(names),
            _ => None,
        });
        for name in names.flatten() {
            let text = self.text(name.sym);
            let Some(Entity::Var(var)) = self.lookup(name.sym) else {
                let message = format!("`{text}` is not a variable: `threadprivate` does not take it");
                self.error(ids::NOT_A_VARIABLE, name.span, message);
                continue;
            };
            let object = &mut self.vars[var.0 as usize];
            match object.storage {
                Storage::Static { linkage, defined, .. } => {
                    object.storage = Storage::Thread { linkage, defined };
                    self.acc.threadprivate.insert(var);
                }
                Storage::Thread { .. } => {}
                Storage::Auto | Storage::Param(_) => {
                    let message = format!(
                        "`{text}` is automatic: each thread has its own anyway, and `threadprivate` does not take it"
                    );
                    self.error(ids::DATA_ITEM, name.span, message);
                }
            }
        }
    }
}

/// Whether a clause reduces sections of arrays. Their bounds are those in front of the team: an iteration may
/// change what they were computed from, while other threads have not begun.
fn reduces_sections(clause: &Clause) -> bool {
    let ClauseKind::Reduction(_, items) = &clause.kind else { return false };
    items.iter().any(|item| matches!(item.kind, ast::ExprKind::Section(..)))
}

/// Whether a clause of a directive combined with `parallel` belongs to what is inside.
fn belongs_inside(clause: &Clause, all: &[&Clause]) -> bool {
    match &clause.kind {
        ClauseKind::If(_)
        | ClauseKind::NumThreads(_)
        | ClauseKind::Shared(_)
        | ClauseKind::Default(_)
        | ClauseKind::IfOf(..)
        | ClauseKind::CopyIn(_) => false,
        // A copy that each thread makes on its way into the team serves the loop as well, unless its last
        // value goes out again.
        ClauseKind::FirstPrivate(_) => {
            let is_last = |kind: &ClauseKind| {
                matches!(kind, ClauseKind::LastPrivate(_) | ClauseKind::ConditionalLastPrivate(_))
            };
            all.iter().any(|clause| is_last(&clause.kind))
        }
        _ => true,
    }
}
