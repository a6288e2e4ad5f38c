//! `parallel` inside of `target` whose statement is more than loops: all threads of the gang execute it, each
//! with a number, and meet at barriers, as threads of the host do.
//!
//! The construct is a loop over the numbers of the threads, which workers and lanes share (`team` in
//! `ir/src/acc.rs`). What stands in it is analysed as for a team of the host, but for what that asks the
//! runtime: which iterations a thread has, which one executes a `single`, and how copies are combined, is
//! said in C here, by the thread's number and a routine in which all meet. So it is the same on every device.
//!
//! What needs more than that leaves one thread: `ordered`, `cancel`, scans, and reductions that tasks take
//! part in.

use super::super::levels::bits;
use super::super::target_region::{GangTeam, Team};
use super::code::{Routine, block, declare, if_stmt, stmt};
use super::loops::{Dealt, Share, SharedRanges, directives_in};
use super::private::Privates;
use super::team::TeamStatement;
use crate::ast;
use crate::ctype::{IntKind, QualType, TypeId};
use crate::directive::{Clause, ClauseKind, Directive, DirectiveKind, IfOf, OmpKind, Parts, ScheduleKind};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{LoopKind, MapKind};

/// Threads of a team where no clause says how many.
pub(super) const USUAL_THREADS: i128 = 128;

impl Sema<'_> {
    /// The team whose threads execute what is being analysed, if they are those of a gang.
    pub(super) fn gang_team(&self) -> Option<GangTeam> {
        let region = self.acc.target_region.as_ref()?;
        region.gang_team.filter(|_| matches!(region.team, Team::Gang))
    }

    /// Whether such a team is around, be it that of a `parallel` around the innermost one.
    pub(super) fn is_in_gang_team(&self) -> bool {
        self.acc.target_region.as_ref().is_some_and(|region| region.gang_team.is_some())
    }

    /// Whether the threads of a gang may execute the statement of a `parallel` as a team.
    pub(super) fn suits_gang_team(&self, clauses: &[&Clause], statement: &ast::Stmt) -> bool {
        let is_plain = |clause: &Clause| {
            !matches!(
                clause.kind,
                ClauseKind::ReductionOfTasks(..)
                    | ClauseKind::InReduction(..)
                    | ClauseKind::TaskReduction(..)
                    | ClauseKind::InscanReduction(..)
                    | ClauseKind::ConditionalLastPrivate(_)
                    | ClauseKind::Ordered(_)
            )
        };
        let mut suits = clauses.iter().all(|clause| is_plain(clause));
        directives_in(statement, &mut |directive| {
            suits &= directive.clauses.iter().all(is_plain)
                && !matches!(
                    directive.kind,
                    DirectiveKind::Omp(
                        OmpKind::Ordered
                            | OmpKind::Doacross
                            | OmpKind::Scan
                            | OmpKind::Cancel(_)
                            | OmpKind::CancellationPoint(_)
                    )
                );
            suits
        });
        suits
    }

    /// Whether a construct in the statement of such a team is analysed as for a team of the host.
    pub(super) fn is_shared_by_gang_team(&self, kind: OmpKind) -> bool {
        let shares = match kind {
            OmpKind::Single | OmpKind::Scope | OmpKind::Master => true,
            OmpKind::Combined(parts) => !parts.has(Parts::PARALLEL) && !parts.has(Parts::TASKLOOP),
            OmpKind::Critical => return self.is_in_gang_team(),
            _ => false,
        };
        shares && self.gang_team().is_some()
    }

    /// `parallel`, alone or combined, for the threads of a gang.
    pub(super) fn team_of_gang(
        &mut self,
        directive: &Directive,
        clauses: &[&Clause],
        statement: &ast::Stmt,
    ) -> Stmt {
        let span = directive.span;
        let int = QualType::plain(IntKind::Int.type_id());
        let number = self.hidden_var(int, span);
        let size = self.size_of_teams(span);
        let outside = self.vars.len();
        let parts = directive.parts;
        // Those of a `target` have been evaluated with it, and are about its variables.
        let is_ours = |clause: &&&Clause| match &clause.kind {
            ClauseKind::Default(_) => !parts.has(Parts::TARGET),
            ClauseKind::If(_) | ClauseKind::IfOf(IfOf::Parallel, _) | ClauseKind::NumThreads(_) => false,
            _ => true,
        };
        let clauses: Vec<&Clause> = clauses.iter().filter(is_ours).copied().collect();
        let Some(region) = &mut self.acc.target_region else { return block(Vec::new(), span) };
        let team = GangTeam { number, size };
        let outer = (std::mem::replace(&mut region.team, Team::Gang), region.gang_team.replace(team));
        let around = (region.team_outside.replace(outside), std::mem::take(&mut region.own));
        let given = std::mem::take(&mut region.given);
        let (taken, alone) = (region.taken, region.alone.take());
        region.taken |= bits::WORKER | bits::VECTOR;
        region.nested += 1;
        let made = self.statement_of_team(directive, &clauses, inside_of_parallel(parts), statement);
        let given = match &mut self.acc.target_region {
            Some(region) => {
                (region.team, region.gang_team) = outer;
                (region.team_outside, region.own) = around;
                (region.taken, region.alone) = (taken, alone);
                region.nested -= 1;
                std::mem::replace(&mut region.given, given)
            }
            None => given,
        };
        let TeamStatement { before, captures, body } = made;
        let named = |var: VarId| self.vars[var.0 as usize].name.is_some();
        let first: Vec<VarId> = captures
            .iter()
            .filter(|&&(var, kind)| kind == CaptureKind::FirstPrivate && named(var))
            .map(|&(var, _)| var)
            .collect();
        let captured = captures.iter().filter(|&&(_, kind)| kind == CaptureKind::Shared).map(|&(var, _)| var);
        let shared =
            captured.filter(|&var| self.is_changed_by_team(var)).chain(given.iter().copied()).collect();
        let body = self.with_copies(body, &[], &first);
        let mut construct = LoopConstruct::new(LoopKind::Independent, body, span);
        (construct.worker, construct.vector) = (Some(self.most_threads()), Some(None));
        construct.in_order = true;
        construct.team = Some(shared);
        construct.private.push(number);
        construct.loops.push(CanonicalLoop {
            var: number,
            declared: true,
            init: self.int(0, span),
            cmp: BinaryOp::Lt,
            bound: self.value_of(size, span),
            compare_type: int.ty,
            step: self.long(1, span),
            span,
        });
        let mut list = before;
        list.extend(given.into_iter().map(|var| declare(var, None, span)));
        list.push(stmt(StmtKind::Loop(Box::new(construct)), span.to(statement.span)));
        block(list, span)
    }

    /// Whether threads may change a variable of the gang, which lives in memory that they share then.
    fn is_changed_by_team(&self, var: VarId) -> bool {
        let object = &self.vars[var.0 as usize];
        let ty = object.ty.ty;
        let is_own = matches!(object.storage, Storage::Auto | Storage::Param(_));
        is_own && !self.types.is_vla(ty) && (object.in_memory || !self.types.is_scalar(ty))
    }

    /// The variable with the number of threads of all such teams of a construct.
    fn size_of_teams(&mut self, span: Span) -> VarId {
        let known = self.acc.target_region.as_ref().and_then(|region| region.team_size);
        let int = QualType::plain(IntKind::Int.type_id());
        let size = known.unwrap_or_else(|| self.hidden_var(int, span));
        if let Some(region) = &mut self.acc.target_region {
            region.team_size = Some(size);
        }
        size
    }

    /// What routines tell that ask for threads in the statement of such a team, or of a `parallel` in it,
    /// which has one thread.
    pub(super) fn answer_in_gang_team(
        &mut self,
        team: GangTeam,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Option<ExprKind> {
        let is_innermost = self.gang_team().is_some();
        let is_construct = self.acc.target_region.as_ref().is_some_and(|region| !region.in_function);
        let level = args.first().and_then(|level| self.const_int(level));
        let (number, size) = (self.value_of(team.number, span).kind, self.value_of(team.size, span).kind);
        match name {
            "omp_get_thread_num" if is_innermost => Some(number),
            "omp_get_num_threads" if is_innermost => Some(size),
            "omp_in_parallel" | "omp_get_active_level" if is_construct => Some(ExprKind::Int(1)),
            "omp_get_ancestor_thread_num" if level == Some(1) => Some(number),
            "omp_get_team_size" if level == Some(1) => Some(size),
            "omp_get_thread_limit" => Some(size),
            _ => None,
        }
    }

    /// A barrier of the innermost team.
    pub(super) fn barrier(&mut self, span: Span) -> Stmt {
        let routine = if self.gang_team().is_some() { Routine::MEET } else { Routine::BARRIER };
        self.do_routine(routine, Vec::new(), span)
    }

    /// A `single` of a gang's team: its first thread executes the statement, and gives the values of
    /// variables to the others through variables of the gang.
    pub(super) fn single_of_gang(&mut self, body: Stmt, given: &[VarId], span: Span) -> Vec<Stmt> {
        let (number, zero) = (self.thread_number(span), self.int(0, span));
        let is_first = self.op(BinaryOp::Eq, number, zero);
        let (mut then, mut taken) = (vec![body], Vec::new());
        for &var in given {
            let through = self.copy_of(var);
            self.vars[through.0 as usize].in_memory = true;
            if let Some(region) = &mut self.acc.target_region {
                region.given.push(through);
            }
            let [inside, outside] = [var, through].map(|var| self.var_lvalue(var, span));
            then.push(self.copy_object(outside.clone(), inside.clone(), span));
            taken.push(self.copy_object(inside, outside, span));
        }
        let mut list = vec![if_stmt(is_first, then, span)];
        if !taken.is_empty() {
            list.push(self.barrier(span));
            list.append(&mut taken);
        }
        list
    }

    /// The number of the thread in its team.
    pub(super) fn thread_number(&mut self, span: Span) -> Expr {
        match self.gang_team() {
            Some(team) => self.value_of(team.number, span),
            None => self.call_routine(Routine::THREAD_NUM, Vec::new(), span),
        }
    }

    /// `critical`: a thread tries until it has changed a word from 0 to 1. What it does then stands in the same
    /// branch, so that lanes of a warp which have parted do not wait for each other.
    pub(super) fn critical_of_gang(&mut self, name: &str, body: Stmt, span: Span) -> Stmt {
        let int = IntKind::Int.type_id();
        let lock = self.critical_lock(&format!("device.{name}"), int, span);
        self.declare_on_device(lock, MapKind::Create);
        let [zero, one] = [0, 1].map(|value| self.int(value, span));
        let (is_done, declared) = self.fresh(int, Some(zero.clone()), span);
        let (former, second) = self.fresh(int, None, span);
        let word = self.var_lvalue(lock, span);
        self.mark_in_memory(&word);
        let taken =
            Atomic::Exchange { v: self.var_lvalue(former, span), x: word.clone(), value: one.clone() };
        let given = Atomic::Write { x: word, value: zero.clone() };
        let [taken, given] = [taken, given].map(|atomic| stmt(StmtKind::Atomic(Box::new(atomic)), span));
        let value = self.value_of(former, span);
        let is_ours = self.op(BinaryOp::Eq, value, zero.clone());
        let done = self.assign_var(is_done, one, span);
        let fence = self.fence(span);
        let ours = vec![fence.clone(), body, fence, given, done];
        let attempt = vec![taken, if_stmt(is_ours, ours, span)];
        let value = self.value_of(is_done, span);
        let more = self.op(BinaryOp::Eq, value, zero);
        let tries = stmt(StmtKind::While(more, Box::new(block(attempt, span))), span);
        block(vec![declared, second, tries], span)
    }

    /// Lets the threads execute something one after the other.
    pub(super) fn in_turn(&mut self, team: GangTeam, mut body: Vec<Stmt>, span: Span) -> Vec<Stmt> {
        let int = IntKind::Int.type_id();
        let zero = self.int(0, span);
        let (turn, declared) = self.fresh(int, Some(zero), span);
        let (mine, turns) = (self.value_of(team.number, span), self.value_of(turn, span));
        let is_mine = self.op(BinaryOp::Eq, turns, mine);
        body = vec![if_stmt(is_mine, body, span), self.barrier(span)];
        vec![declared, self.counting(turn, team.size, body, span)]
    }

    /// How the iterations of a loop with such clauses go to the threads of the gang, if these share it.
    pub(super) fn dealt(&mut self, clauses: &[&Clause], span: Span) -> Option<Dealt> {
        self.gang_team()?;
        let mut dealt = None;
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Schedule(_, Some(_), _) => dealt = Some(Dealt::InChunks),
                // The same iterations must go to the same threads in each such loop.
                ClauseKind::Schedule(ScheduleKind::Static, None, _)
                | ClauseKind::Order { reproducible: true } => dealt = Some(Dealt::InBlocks),
                _ => {}
            }
        }
        Some(dealt.unwrap_or_else(|| Dealt::Apart(self.hidden_var(QualType::plain(TypeId::ULONG), span))))
    }

    /// Lets the threads of a gang execute ranges of iterations, as [`Sema::share_ranges`] does for those of
    /// the host.
    pub(super) fn deal_ranges(
        &mut self,
        (team, dealt): (GangTeam, Dealt),
        ranges: SharedRanges,
        code: Stmt,
        mut privates: Privates,
        list: &mut Vec<Stmt>,
        span: Span,
    ) {
        let SharedRanges { chunk, from, to, trip, .. } = ranges;
        let own = |sema: &mut Self, var: VarId| {
            let value = sema.value_of(var, span);
            sema.convert(value, TypeId::ULONG)
        };
        let (number, size) = (own(self, team.number), own(self, team.size));
        let all = self.var_value(trip, span);
        let (flag, declared, set) = self.last_flag(to, trip, span);
        list.push(declared);
        let mut before = Vec::new();
        let execute = match dealt {
            Dealt::Apart(by) => {
                before.push(declare(by, Some(size.clone()), span));
                before.push(self.assign_var(from, number.clone(), span));
                before.push(self.assign_var(to, all.clone(), span));
                let one = self.int_expr(1, TypeId::ULONG, span);
                let last = self.op(BinaryOp::Sub, all.clone(), one);
                let owner = self.op(BinaryOp::Rem, last, size);
                let is_owner = self.op(BinaryOp::Eq, owner, number);
                let zero = self.int_expr(0, TypeId::ULONG, span);
                let is_any = self.op(BinaryOp::Ne, all, zero);
                let is_last = self.op(BinaryOp::LogAnd, is_any, is_owner);
                before.push(self.assign_var(flag, is_last, span));
                code
            }
            Dealt::InChunks => {
                let length = self.convert(chunk, TypeId::ULONG);
                let (length, declared) = self.fresh(TypeId::ULONG, Some(length), span);
                before.push(declared);
                let length_value = self.var_value(length, span);
                let first = self.op(BinaryOp::Mul, number, length_value.clone());
                before.push(self.assign_var(from, first, span));
                let stride = self.op(BinaryOp::Mul, size, length_value);
                let share = Share { from, to, stride: Some((length, stride)) };
                self.execute_share(&share, trip, vec![code, set], span)
            }
            Dealt::InBlocks => {
                let (count, declared) = self.fresh(TypeId::ULONG, Some(size), span);
                before.push(declared);
                let (thread, declared) = self.fresh(TypeId::ULONG, Some(number), span);
                before.push(declared);
                let shares = self.shares_of((trip, count, None), &mut before, span);
                let (start, end, declared) = self.range_of(thread, &shares, span);
                before.extend(declared);
                for (var, value) in [(from, start), (to, end)] {
                    let value = self.var_value(value, span);
                    before.push(self.assign_var(var, value, span));
                }
                self.execute_share(&Share { from, to, stride: None }, trip, vec![code, set], span)
            }
        };
        list.append(&mut privates.before);
        list.append(&mut before);
        list.push(execute);
        list.append(&mut privates.after);
        if !privates.finals.is_empty() {
            let is_last = self.var_value(flag, span);
            list.push(if_stmt(is_last, privates.finals, span));
        }
    }
}

/// The constructs that a directive combines with its `parallel`.
fn inside_of_parallel(parts: Parts) -> Parts {
    let inner = [Parts::SECTIONS, Parts::MASKED];
    inner.into_iter().filter(|&part| parts.has(part)).fold(Parts::PARALLEL, Parts::with)
}
