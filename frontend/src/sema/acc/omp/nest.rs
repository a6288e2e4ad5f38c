//! Constructs of OpenMP inside of `target`, and those combined with it: which levels of the launch they use.
//!
//! `teams` are gangs, `parallel for` shares its iterations among workers and lanes, `simd` among lanes. Where
//! `simd` follows inside of a `parallel for`, the lanes are left to it. What stands between the loops is
//! executed by one thread of a gang, as OpenMP has it outside of `parallel`. A `parallel` whose statement is
//! more than loops is for all threads of the gang ([`super::gang_team`]); where that has no form, it has a
//! team of one thread, which OpenMP allows: its loops are sequential.

use super::super::between::Between;
use super::super::build::Wanted;
use super::super::copies::Copies;
use super::super::levels::{bits, explicit};
use super::super::loops::MAX_NEST;
use super::super::reduced::Reduced;
use super::super::target_region::{TargetRegion, Team, TeamClauses};
use super::super::visit::{Visit, VisitMut, object_var, root_var, strip_casts, walk_expr, walk_stmt};
use super::super::{Enclosing, clauses, ids, nothing};
use super::code::block;
use super::loop_values::ChunkLength;
use super::loops::bound_to;
use crate::ast;
use crate::diag::Diagnostic;
use crate::directive::{
    BindKind, Clause, ClauseKind, DefaultKind, Directive, DirectiveKind, IfOf, OmpKind, Parts, ReductionName,
    ScheduleKind,
};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{LoopKind, ThreadBound};
use rustc_hash::{FxHashMap, FxHashSet};

/// Levels inside of a gang.
pub(super) const THREADS: u8 = bits::WORKER | bits::VECTOR;

/// The levels that a loop may use.
#[derive(Clone, Copy, Default)]
struct Spread {
    /// Those that it uses in any case.
    least: u8,
    /// Those that it uses unless a loop inside does.
    most: u8,
}

/// Clauses of a loop that become statements.
#[derive(Default)]
pub(super) struct LoopClauses {
    pub(super) first: Vec<VarId>,
    pub(super) last: Vec<VarId>,
    pub(super) linear: Vec<(VarId, Option<Expr>)>,
    /// Reductions that no operator combines: one thread executes the loop.
    declared: Vec<Reduced>,
    /// `reduction(inscan, ...)`, for which one thread executes the loop, too.
    inscan: Vec<Reduced>,
    /// A clause wants the iterations in their order.
    in_order: bool,
    safelen: Option<u32>,
    /// `distribute` shares the loop.
    pub(super) is_distributed: bool,
    /// Iterations of a chunk that one thread executes one after the other, and of one that one team has.
    chunk: Option<Expr>,
    chunk_of_team: Option<Expr>,
    /// Whether each team has one chunk of neighbouring iterations.
    shares: bool,
    /// Levels that it must not use.
    without: u8,
}

impl LoopClauses {
    /// How many iterations one thread executes in their order, each of which may use what the one before has
    /// left: those of a chunk, if a clause says how long chunks are. Where a team has chunks of its own, in
    /// which those of its threads begin anew, these come second; otherwise it has any of its threads'.
    fn chunk_of_thread(&self, parts: Parts, levels: u8) -> Option<(ChunkLength, Option<ChunkLength>)> {
        if levels == 0 || parts.has(Parts::SIMD) || parts.has(Parts::LOOP) {
            return None;
        }
        let chunk = || self.chunk.clone().map(ChunkLength::Given);
        match (parts.has(Parts::DISTRIBUTE), parts.has(Parts::FOR)) {
            (true, false) => Some((self.length_of_team()?, None)),
            (true, true) => Some((chunk()?, self.length_of_team())),
            (false, _) => Some((chunk()?, None)),
        }
    }

    /// How many iterations a team has at a time, if clauses say.
    fn length_of_team(&self) -> Option<ChunkLength> {
        match &self.chunk_of_team {
            Some(chunk) => Some(ChunkLength::Given(chunk.clone())),
            None => self.shares.then_some(ChunkLength::ShareOfTeam),
        }
    }
}

impl Sema<'_> {
    /// A construct with a statement inside of `target`.
    pub(super) fn omp_in_target(
        &mut self,
        directive: &Directive,
        kind: OmpKind,
        statement: &ast::Stmt,
    ) -> Stmt {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let parts = directive.parts;
        match kind {
            _ if parts.has(Parts::TEAMS) => self.omp_teams(directive, &selected, statement),
            OmpKind::Combined(parts) if parts.has(Parts::TASKLOOP) => {
                let outside = self.vars.len();
                let made = self.omp_loop(directive, &selected, statement);
                self.with_task_copies(&selected, made, outside)
            }
            OmpKind::Combined(parts) if parts.has_loop() => self.omp_loop(directive, &selected, statement),
            OmpKind::Parallel => self.omp_parallel(directive, &selected, statement),
            OmpKind::Combined(parts) if parts.has(Parts::PARALLEL) => {
                self.omp_parallel(directive, &selected, statement)
            }
            _ => {
                if kind == OmpKind::Critical
                    && let Some(region) = &mut self.acc.target_region
                {
                    (region.exclusive, region.one_team) = (true, true);
                }
                self.omp_alone(directive, kind, &selected, statement)
            }
        }
    }

    /// `omp_get_thread_num()` and others that ask for the threads of a team, where they stand in a `target`
    /// construct: outside of loops that threads share, there is one thread.
    pub(in crate::sema) fn omp_thread_query(
        &mut self,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Option<ExprKind> {
        if self.fulfils_at_once(name, args) {
            return Some(ExprKind::Builtin(Builtin::Prefetch, Vec::new()));
        }
        let region = self.acc.target_region.as_ref()?;
        // Functions of devices have no construct that could know it.
        let is_construct = !region.in_function;
        if matches!(name, "omp_get_thread_num" | "omp_get_num_threads") && is_construct {
            self.warn_of_one_thread(name, span);
        }
        if let Some(team) = self.acc.target_region.as_ref()?.gang_team
            && let Some(answer) = self.answer_in_gang_team(team, name, args, span)
        {
            return Some(answer);
        }
        let region = self.acc.target_region.as_ref()?;
        let level = args.first().and_then(|level| self.const_int(level));
        let own = i128::from(region.nested);
        let (outside, is_number, is_shared) = match name {
            "omp_get_thread_num" => (0, true, region.shared_loop),
            "omp_get_num_threads" => (1, false, region.shared_loop),
            "omp_get_ancestor_thread_num" | "omp_get_team_size" => {
                let is_number = name == "omp_get_ancestor_thread_num";
                match level? {
                    // The outermost `parallel` is the one that threads share, if they share any.
                    1 if own >= 1 => (i128::from(!is_number), is_number, region.in_parallel),
                    level if level < 0 || level > own => return Some(ExprKind::Int(-1)),
                    _ => return Some(ExprKind::Int((!is_number).into())),
                }
            }
            // Whether the team has several threads, or is inside of another, who executes the function knows.
            "omp_in_parallel" | "omp_get_active_level" if !is_construct => return None,
            "omp_in_parallel" | "omp_get_active_level" => {
                return Some(ExprKind::Int(region.in_parallel.into()));
            }
            "omp_get_max_threads" | "omp_get_thread_limit" if region.team_is_free() => {
                let (workers, lanes) = self.threads_of_gang(span);
                return Some(ExprKind::Binary(BinaryOp::Mul, workers, lanes));
            }
            "omp_get_max_threads" | "omp_get_thread_limit" => return Some(ExprKind::Int(1)),
            "omp_get_level" => return Some(ExprKind::Int(region.nested.into())),
            _ => return None,
        };
        if !is_shared {
            return Some(ExprKind::Int(outside));
        }
        let (workers, lanes) = self.threads_of_gang(span);
        if !is_number {
            return Some(ExprKind::Binary(BinaryOp::Mul, workers, lanes));
        }
        let ty = lanes.ty;
        let worker = self.parlevel(Builtin::ParlevelId, 1, span);
        let lane = self.parlevel(Builtin::ParlevelId, 2, span);
        let first = Expr { kind: ExprKind::Binary(BinaryOp::Mul, worker, lanes), ty, span };
        Some(ExprKind::Binary(BinaryOp::Add, Box::new(first), lane))
    }

    /// Tells who divides work by the numbers of threads that there is one thread.
    fn warn_of_one_thread(&mut self, name: &str, span: Span) {
        let region = self.acc.target_region.as_mut();
        let alone = region.filter(|region| !region.shared_loop).and_then(|region| region.alone.take());
        let Some(parallel) = alone else { return };
        let value = if name == "omp_get_thread_num" { 0 } else { 1 };
        let message = format!("`{name}` is {value} here: the `parallel` around has one thread");
        let note = "write `parallel for`, or do without what leaves one thread";
        let diagnostic = Diagnostic::warning(ids::OMP_ONE_THREAD, span, message);
        let what = "`ordered`, `cancel`, `scan`, a reduction of tasks, or a bound that is not known where \
                    `target` starts leaves one thread";
        self.emit(diagnostic.related(parallel, what).note(note));
    }

    /// The numbers of workers and of lanes.
    pub(super) fn threads_of_gang(&mut self, span: Span) -> (Box<Expr>, Box<Expr>) {
        (self.parlevel(Builtin::ParlevelSize, 1, span), self.parlevel(Builtin::ParlevelSize, 2, span))
    }

    fn parlevel(&mut self, builtin: Builtin, level: i128, span: Span) -> Box<Expr> {
        let level = self.int(level, span);
        self.builtin_used(builtin);
        let ty = level.ty;
        Box::new(Expr { kind: ExprKind::Builtin(builtin, vec![level]), ty, span })
    }

    /// `single`, `masked`, `critical`, `task`: the thread that meets it executes the statement.
    fn omp_alone(
        &mut self,
        directive: &Directive,
        kind: OmpKind,
        clauses: &[&Clause],
        statement: &ast::Stmt,
    ) -> Stmt {
        let (mut private, mut first) = (Vec::new(), Vec::new());
        let mut reduced = Vec::new();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Private(items) => self.private_vars("private", items, &mut private),
                ClauseKind::FirstPrivate(items) => self.private_vars("firstprivate", items, &mut first),
                ClauseKind::Shared(items) => {
                    for item in items {
                        self.plain_variable("shared", item);
                    }
                }
                ClauseKind::Reduction(op, items) | ClauseKind::ReductionOfTasks(op, items) => {
                    self.reduced_items(*op, items, &mut reduced);
                }
                ClauseKind::Detach(event) => self.detach_at_once(clauses, event, clause.span),
                _ => {}
            }
        }
        let outside = self.vars.len();
        let own = self.own_copies(private.iter().chain(&first).copied());
        let body = self.body_for_one(directive, statement);
        let body = self.with_reduced(body, &reduced);
        if let Some(region) = &mut self.acc.target_region {
            region.own.truncate(own);
        }
        let body = self.with_copies(body, &private, &first);
        match kind == OmpKind::Task {
            true => self.with_task_copies(clauses, body, outside),
            false => body,
        }
    }

    /// Notes variables of which a construct has copies: the number of those noted before.
    fn own_copies(&mut self, vars: impl Iterator<Item = VarId>) -> usize {
        let Some(region) = &mut self.acc.target_region else { return 0 };
        let before = region.own.len();
        region.own.extend(vars);
        before
    }

    /// `detach` of a task that is executed at once: whoever waits for it comes when its event has been
    /// fulfilled, unless that is a task that depends on it.
    fn detach_at_once(&mut self, clauses: &[&Clause], event: &ast::Expr, span: Span) {
        let Some(var) = self.plain_variable("detach", event) else { return };
        if clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Depend(..))) {
            let message =
                "`detach` with `depend` is not supported in code of a device, whose tasks run at once";
            self.error(ids::OMP_UNSUPPORTED, span, message);
        }
        if let Some(region) = &mut self.acc.target_region {
            region.events.push(var);
        }
    }

    /// Whether a call fulfils the event of a task that a construct of a device has executed at once.
    fn fulfils_at_once(&self, name: &str, args: &[Expr]) -> bool {
        let Some(region) = &self.acc.target_region else { return false };
        name == "omp_fulfill_event"
            && args.first().and_then(root_var).is_some_and(|var| region.events.contains(&var))
    }

    /// A task on a device is executed at once, where it stands, with copies of what it changes and does not
    /// share.
    fn with_task_copies(&mut self, clauses: &[&Clause], body: Stmt, outside: usize) -> Stmt {
        let mut known = Vec::new();
        let mut shares = false;
        let mut shares_nothing = false;
        for clause in clauses {
            known.extend(self.named_in(clause));
            if let ClauseKind::Default(kind) = &clause.kind {
                shares = matches!(kind, DefaultKind::Shared);
                shares_nothing = matches!(kind, DefaultKind::FirstPrivate | DefaultKind::Private);
            }
        }
        let Some(region) = &self.acc.target_region else { return body };
        if shares {
            return body;
        }
        let is_own = |var: &VarId| {
            !known.contains(var)
                && (var.0 as usize) < outside
                && !matches!(self.vars[var.0 as usize].storage, Storage::Static { .. })
                && (shares_nothing || !region.is_shared_by_team(*var))
        };
        let first: Vec<VarId> = changed_objects(&body).into_iter().filter(is_own).collect();
        self.with_copies(body, &[], &first)
    }

    /// `teams` inside of `target`, perhaps combined with a loop: it is the only statement there, so that its
    /// clauses are those of the launch.
    fn omp_teams(&mut self, directive: &Directive, clauses: &[&Clause], statement: &ast::Stmt) -> Stmt {
        let Some(region) = &mut self.acc.target_region else { return nothing(directive.span) };
        if region.teams || !region.sole_teams {
            let message = "`teams` must be the only statement of a `target` construct";
            let diagnostic = Diagnostic::error(ids::CONSTRUCT_NESTING, directive.name_span, message);
            self.emit(
                diagnostic.note("put what stands beside it into its statement, or in front of `target`"),
            );
            return self.stmt(statement);
        }
        region.teams = true;
        let has_loop = directive.parts.has_loop();
        let (mut private, mut first) = (Vec::new(), Vec::new());
        for clause in clauses {
            match &clause.kind {
                ClauseKind::NumTeams(arg) => {
                    let teams = self.known_bound("num_teams", arg);
                    if let Some(region) = &mut self.acc.target_region {
                        region.num_teams = teams;
                    }
                }
                ClauseKind::ThreadLimit(arg) => {
                    let limit = self.known_bound("thread_limit", arg);
                    if let Some(region) = &mut self.acc.target_region {
                        region.bound(ThreadBound::ThreadLimit, limit);
                    }
                }
                ClauseKind::Private(items) if !has_loop => self.private_vars("private", items, &mut private),
                ClauseKind::FirstPrivate(items) if !has_loop => {
                    self.private_vars("firstprivate", items, &mut first);
                }
                ClauseKind::Reduction(op, items) if !has_loop => {
                    let (mut reductions, mut declared) = (Vec::new(), Vec::new());
                    self.device_reductions(*op, items, &mut reductions, &mut declared);
                    reductions.extend(self.by_functions(declared));
                    if let Some(region) = &mut self.acc.target_region {
                        region.reductions.extend(reductions);
                    }
                }
                _ => {}
            }
        }
        if has_loop {
            return self.omp_loop(directive, clauses, statement);
        }
        if let Some(region) = &mut self.acc.target_region {
            region.of_teams = private.iter().chain(&first).copied().collect();
        }
        let body = self.construct_body(directive, statement);
        self.with_copies(body, &private, &first)
    }

    /// The bound that a clause of `teams` inside of `target` sets. What is not known at the start of the
    /// launch is taken for 1, which is no more than it allows.
    fn known_bound(&mut self, clause: &str, argument: &ast::Expr) -> Option<Expr> {
        let bound = self.int_argument(clause, argument, Wanted::Positive)?;
        if self.is_known_outside(&bound) {
            return Some(bound);
        }
        let message = format!("the argument of `{clause}` is not known where `target` starts: taken for 1");
        let diagnostic = Diagnostic::warning(ids::CLAUSE_VALUE, bound.span, message);
        self.emit(diagnostic.note("write the clause on a combined `target teams`"));
        Some(self.int(1, bound.span))
    }

    /// `parallel`, alone or combined with `target`, without a loop of its own.
    pub(super) fn omp_parallel(
        &mut self,
        directive: &Directive,
        clauses: &[&Clause],
        statement: &ast::Stmt,
    ) -> Stmt {
        let own = !directive.parts.has(Parts::TARGET);
        let mut team = TeamClauses::default();
        let mut declared = Vec::new();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Private(items) => self.private_vars("private", items, &mut team.private),
                ClauseKind::FirstPrivate(items) => {
                    self.private_vars("firstprivate", items, &mut team.first);
                }
                ClauseKind::Reduction(op, items) | ClauseKind::ReductionOfTasks(op, items) => {
                    self.device_reductions(*op, items, &mut team.reductions, &mut declared);
                }
                _ => {}
            }
        }
        let mut without = 0;
        let bounds = self.acc.target_region.as_ref().map_or(0, |region| region.limits.len());
        if own {
            self.parallel_bounds(directive.parts, clauses, &mut without);
        }
        let free = matches!(self.acc.target_region, Some(ref region) if matches!(region.team, Team::Initial));
        let is_alone = directive.parts.has(Parts::SECTIONS) || directive.parts.has(Parts::MASKED);
        let spreads = free && without == 0 && !is_alone && is_loops(statement);
        if spreads {
            team.reductions.extend(self.by_functions(std::mem::take(&mut declared)));
        }
        if free && without == 0 && !spreads && self.suits_gang_team(clauses, statement) {
            return self.team_of_gang(directive, clauses, statement);
        }
        let (private, first) = (team.private.clone(), team.first.clone());
        let alone = (free && without == 0 && !spreads).then_some(directive.name_span);
        let team = if spreads { Team::Threads(Box::new(team)) } else { Team::One };
        let outside = self.vars.len();
        let Some(region) = &mut self.acc.target_region else { return nothing(directive.span) };
        if !spreads {
            region.limits.truncate(bounds);
        }
        let outer = std::mem::replace(&mut region.team, team);
        let outer_shared = std::mem::replace(&mut region.shared_loop, false);
        region.nested += 1;
        let outer_alone = std::mem::replace(&mut region.alone, alone);
        let own = private.iter().chain(&first).copied().collect();
        let around = (region.team_outside.replace(outside), std::mem::replace(&mut region.own, own));
        let body = self.body_for_one(directive, statement);
        if let Some(region) = &mut self.acc.target_region {
            region.team = outer;
            region.shared_loop = outer_shared;
            region.nested -= 1;
            region.alone = outer_alone;
            (region.team_outside, region.own) = around;
        }
        if spreads {
            return body;
        }
        let body = self.with_reduced(body, &declared);
        self.with_copies(body, &private, &first)
    }

    /// `if` and `num_threads` of a `parallel` inside of `target`. What is not known at the start of the
    /// launch leaves one thread.
    fn parallel_bounds(&mut self, parts: Parts, clauses: &[&Clause], without: &mut u8) {
        if !parts.has(Parts::PARALLEL) {
            return;
        }
        for clause in clauses {
            let (clause, bound) = match &clause.kind {
                ClauseKind::NumThreads(arg) => {
                    (ThreadBound::NumThreads, self.int_argument("num_threads", arg, Wanted::Positive))
                }
                ClauseKind::If(condition) | ClauseKind::IfOf(IfOf::Parallel, condition) => {
                    let condition = self.condition_argument("if", condition);
                    let bound = condition.map(|condition| match self.is_known_outside(&condition) {
                        true => self.one_unless(condition),
                        false => self.int(1, condition.span),
                    });
                    (ThreadBound::If, bound)
                }
                _ => continue,
            };
            let Some(bound) = bound else { continue };
            if self.acc.target_region.as_ref().is_some_and(TargetRegion::is_orphan) {
                continue;
            }
            if self.const_int(&bound) == Some(1) || !self.is_bound(&bound) {
                *without |= THREADS;
            } else if let Some(region) = &mut self.acc.target_region {
                region.bound(clause, Some(bound));
            }
        }
    }

    /// Whether clauses around leave one thread to each team.
    fn has_one_thread(&self) -> bool {
        let limits = self.acc.target_region.as_ref().map_or(&[][..], |region| &region.limits);
        limits.iter().any(|limit| self.const_int(&limit.bound) == Some(1))
    }

    /// Whether each team has a variable of its own, which its threads share.
    fn is_of_one_team(&self, var: VarId) -> bool {
        let Some(region) = &self.acc.target_region else { return false };
        let is_inside =
            var.0 as usize >= region.outside && self.vars[var.0 as usize].storage == Storage::Auto;
        is_inside || region.of_teams.contains(&var)
    }

    /// Whether one thread may turn out to execute all iterations of a loop with these levels, as bounds that
    /// are known only then may say. What `simd` asserts holds for one thread, too.
    fn may_be_alone(&self, parts: Parts, levels: u8, clauses: &LoopClauses) -> bool {
        let Some(region) = &self.acc.target_region else { return false };
        let may_be_one = |bound: &Expr| self.const_int(bound).is_none_or(|bound| bound == 1);
        let one_team = levels & bits::GANG == 0 || region.num_teams.as_ref().is_some_and(may_be_one);
        let one_thread = levels & THREADS == 0 || region.limits.iter().any(|limit| may_be_one(&limit.bound));
        let asserted = parts.has(Parts::LOOP) || parts.has(Parts::SIMD) && clauses.safelen.is_none();
        levels != 0 && !asserted && one_team && one_thread
    }

    fn is_bound(&self, bound: &Expr) -> bool {
        match &bound.kind {
            // What `one_unless` makes.
            ExprKind::Conditional(condition, ..) => self.is_known_outside(condition),
            _ => self.is_known_outside(bound),
        }
    }

    /// The levels that a loop may use where it stands.
    fn spread(&self, parts: Parts, bind: Option<BindKind>) -> Spread {
        let Some(region) = &self.acc.target_region else { return Spread::default() };
        let free = match region.taken {
            0 => bits::GANG | THREADS,
            taken if taken & bits::VECTOR != 0 => 0,
            taken if taken & bits::WORKER != 0 => bits::VECTOR,
            _ => THREADS,
        };
        let initial = matches!(region.team, Team::Initial);
        let several = matches!(region.team, Team::Threads(_)) || initial && parts.has(Parts::PARALLEL);
        let mut spread = Spread::default();
        if parts.has(Parts::DISTRIBUTE) {
            spread.least |= bits::GANG;
        }
        if parts.has(Parts::FOR) && several {
            spread.least |= bits::WORKER;
            spread.most |= bits::VECTOR;
        }
        if parts.has(Parts::SIMD) {
            spread.least |= bits::VECTOR;
        }
        // Each of several threads executes all of a loop that binds to the thread that comes to it.
        let is_of_each = bind == Some(BindKind::Thread) && several;
        if parts.has(Parts::LOOP) && !is_of_each {
            let is_of_league = matches!(bind, None | Some(BindKind::Teams)) && !parts.has(Parts::PARALLEL);
            if region.teams && initial && region.taken == 0 && is_of_league {
                spread.least |= bits::GANG;
            }
            spread.most |= if initial || several { THREADS } else { bits::VECTOR };
        }
        Spread { least: spread.least & free, most: (spread.least | spread.most) & free }
    }

    /// A loop, with the clauses of its directive; combined with `target`, those that are the loop's.
    pub(super) fn omp_loop(
        &mut self,
        directive: &Directive,
        clauses: &[&Clause],
        statement: &ast::Stmt,
    ) -> Stmt {
        let parts = directive.parts;
        let mut construct =
            LoopConstruct::new(LoopKind::Independent, nothing(statement.span), directive.span);
        self.check_repeated_private(clauses);
        let is_distributed = parts.has(Parts::DISTRIBUTE);
        let mut on_loop = LoopClauses { is_distributed, ..LoopClauses::default() };
        for clause in clauses {
            self.omp_loop_clause(parts, clause, &mut construct, &mut on_loop);
        }
        if !parts.has(Parts::TARGET) {
            self.parallel_bounds(parts, clauses, &mut on_loop.without);
        }
        if parts.has(Parts::FOR) && self.has_one_thread() {
            // Iterations may depend on earlier ones.
            on_loop.without |= THREADS;
        }
        let spread = self.spread(parts, bound_to(clauses.iter().copied()));
        let outside = self.vars.len();
        let Some(region) = &mut self.acc.target_region else { return nothing(directive.span) };
        if on_loop.in_order || !on_loop.inscan.is_empty() {
            on_loop.without = bits::GANG | THREADS;
            region.one_team |= spread.least & bits::GANG != 0;
        }
        let is_scan = !on_loop.inscan.is_empty();
        let mut alone = is_scan.then_some("each iteration uses the `scan` of those before");
        if let Team::Threads(team) = &region.team {
            construct.private.extend(&team.private);
            on_loop.first.extend(&team.first);
            // A loop in `masked` or `single` may reduce the copy of its thread itself.
            let is_new = |item: &&ReductionItem| construct.reductions.iter().all(|own| own.var != item.var);
            let of_team: Vec<ReductionItem> = team.reductions.iter().filter(is_new).cloned().collect();
            construct.reductions.extend(of_team);
        }
        let shared = parts.has(Parts::FOR) || parts.has(Parts::PARALLEL);
        let inside = if shared { Team::One } else { region.team.clone() };
        let team = std::mem::replace(&mut region.team, inside);
        let outer = (region.taken, team, region.shared_loop, region.in_parallel);
        let nested = u8::from(parts.has(Parts::PARALLEL));
        region.nested += nested;
        region.taken |= spread.least;
        let has_threads = shared && spread.most & THREADS & !on_loop.without != 0;
        region.shared_loop = has_threads || region.shared_loop && nested == 0;
        region.in_parallel |= has_threads;
        let exclusive = std::mem::take(&mut region.exclusive);
        let around = parts
            .has(Parts::PARALLEL)
            .then(|| (region.team_outside.replace(outside), std::mem::take(&mut region.own)));
        let own = region.own.len();
        for clause in clauses.iter().filter(|_| !parts.has(Parts::TASKLOOP)) {
            if !matches!(clause.kind, ClauseKind::Shared(_)) {
                let named = self.named_in(clause);
                self.own_copies(named.into_iter());
            }
        }
        self.drop_private_of_reduced(&mut construct);
        self.enter_construct(directive.kind.name(), directive.name_span);
        self.acc.constructs.push(Enclosing::Loop);
        let inscan = on_loop.inscan.iter().map(|item| item.var).collect();
        let (typed, scan) = self.scan_body(directive, inscan, |sema| sema.stmt(statement));
        self.acc.constructs.pop();
        self.leave_construct();
        if let Some(region) = &mut self.acc.target_region {
            (region.taken, region.team, region.shared_loop, region.in_parallel) = outer;
            region.nested -= nested;
            region.own.truncate(own);
            if let Some(around) = around {
                (region.team_outside, region.own) = around;
            }
            if std::mem::replace(&mut region.exclusive, exclusive) {
                // One thread at a time: the loop has that of the only team.
                on_loop.without |= bits::GANG | THREADS;
                region.exclusive = true;
                alone = Some("threads exclude each other in it");
            }
        }
        let is_perfect = !on_loop.inscan.is_empty();
        let between = if is_perfect { Between::Nothing } else { Between::Intervening };
        self.associate(&mut construct, typed, statement, between);
        if construct.loops.is_empty() {
            return Stmt {
                kind: StmtKind::Loop(Box::new(construct)),
                span: directive.span.to(statement.span),
            };
        }
        if !on_loop.inscan.is_empty() {
            let body = std::mem::replace(&mut construct.body, nothing(statement.span));
            let Some((body, phase)) = self.scan_phases(body, scan, directive) else {
                return nothing(directive.span);
            };
            construct.body = self.phases_in_turn(body, phase, &on_loop.inscan);
        }
        let span = construct.span;
        let Some(mut list) = self.boxed(directive, &mut construct, &on_loop) else { return nothing(span) };
        if !list.is_empty() {
            // Chunks of the box are none of the nest.
            on_loop.chunk = None;
            on_loop.chunk_of_team = None;
            on_loop.shares = false;
        }
        if let Some(why) = alone.filter(|_| spread.least | spread.most != 0 && self.session.errors() == 0) {
            self.warn_of_lone_loop(directive, why);
        }
        let levels = chosen(spread, levels_of(&construct.body)) & !on_loop.without;
        if levels != 0 {
            let declared = std::mem::take(&mut on_loop.declared);
            construct.reductions.extend(self.by_functions(declared));
        }
        let made = self.finish_omp_loop(parts, construct, levels, &on_loop);
        let made = self.with_reduced(made, &on_loop.declared);
        if list.is_empty() {
            return made;
        }
        list.push(made);
        block(list, span)
    }

    /// Tells that a loop which the program gives to many threads is one thread's.
    fn warn_of_lone_loop(&mut self, directive: &Directive, why: &str) {
        let message = format!("one thread of the device executes this loop: {why}");
        self.emit(Diagnostic::warning(ids::OMP_ONE_THREAD, directive.name_span, message));
    }

    /// The items of a `reduction` clause in code of a device, apart from each other: those that an operator
    /// combines, and those that a `declare reduction` does.
    pub(super) fn device_reductions(
        &mut self,
        name: ReductionName,
        items: &[ast::Expr],
        by_operator: &mut Vec<ReductionItem>,
        declared: &mut Vec<Reduced>,
    ) {
        let mut all: Vec<Reduced> = by_operator.drain(..).filter_map(Reduced::of_item).collect();
        all.append(declared);
        self.reduced_items(name, items, &mut all);
        for item in all {
            match item.by_operator() {
                Ok(item) => by_operator.push(item),
                Err(item) => declared.push(*item),
            }
        }
    }

    fn omp_loop_clause(
        &mut self,
        parts: Parts,
        clause: &Clause,
        construct: &mut LoopConstruct,
        on_loop: &mut LoopClauses,
    ) {
        match &clause.kind {
            ClauseKind::Collapse { count, .. } => {
                construct.collapse = self.constant_argument("collapse", count, MAX_NEST).unwrap_or(1);
            }
            ClauseKind::Private(items) => self.private_vars("private", items, &mut construct.private),
            ClauseKind::FirstPrivate(items) => {
                self.private_vars("firstprivate", items, &mut on_loop.first);
            }
            ClauseKind::Reduction(op, items) | ClauseKind::ReductionOfTasks(op, items) => {
                let LoopClauses { declared, .. } = on_loop;
                self.device_reductions(*op, items, &mut construct.reductions, declared);
            }
            ClauseKind::ConditionalLastPrivate(items) => {
                // One thread leaves the value of the last assignment in the variable itself.
                let mut vars = Vec::new();
                self.private_vars("lastprivate", items, &mut vars);
                self.scalars_only(clause, &mut vars);
                on_loop.in_order = true;
            }
            ClauseKind::InscanReduction(name, items) => {
                self.reduced_items(*name, items, &mut on_loop.inscan);
            }
            ClauseKind::LastPrivate(items) => self.private_vars("lastprivate", items, &mut on_loop.last),
            ClauseKind::Linear(items, step) => {
                let mut vars = Vec::new();
                self.private_vars("linear", items, &mut vars);
                for var in vars {
                    let step = step.as_ref().and_then(|step| self.int_argument("linear", step, Wanted::Any));
                    on_loop.linear.push((var, step));
                }
            }
            // One thread executes the iterations in their order.
            ClauseKind::Ordered(_) => on_loop.without = bits::GANG | THREADS,
            ClauseKind::Schedule(ScheduleKind::Static | ScheduleKind::Dynamic, Some(chunk), _) => {
                on_loop.chunk = self.int_argument("schedule", chunk, Wanted::Positive);
            }
            ClauseKind::DistSchedule(Some(chunk)) => {
                on_loop.chunk_of_team = self.int_argument("dist_schedule", chunk, Wanted::Positive);
            }
            // A share of about the same length for each team.
            ClauseKind::DistSchedule(None) => on_loop.shares = true,
            ClauseKind::Simdlen(arg) => drop(self.constant_argument("simdlen", arg, u32::MAX)),
            ClauseKind::Safelen(arg) => on_loop.safelen = self.constant_argument("safelen", arg, u32::MAX),
            ClauseKind::IfOf(IfOf::Simd, condition) if parts.has(Parts::SIMD) => {
                let condition = self.condition_argument("if", condition);
                if condition.is_none_or(|condition| self.const_int(&condition).is_none_or(|value| value == 0))
                {
                    on_loop.without |= bits::VECTOR;
                }
            }
            _ => {}
        }
    }

    /// The loop with its levels, and with what its clauses are in statements.
    fn finish_omp_loop(
        &mut self,
        parts: Parts,
        mut construct: LoopConstruct,
        mut levels: u8,
        clauses: &LoopClauses,
    ) -> Stmt {
        let arrays = self.take_variable_arrays(&mut construct.private);
        let body = std::mem::replace(&mut construct.body, nothing(construct.span));
        construct.body = self.with_copies(body, &arrays, &[]);
        let mut last = clauses.last.clone();
        // The variables of `simd` loops have their last values behind them.
        let of_simd = parts.has(Parts::SIMD) && !parts.has(Parts::TARGET);
        for one in construct.loops.iter().filter(|one| of_simd && !one.declared) {
            if !last.contains(&one.var) {
                last.push(one.var);
            }
        }
        let chunk = clauses.safelen.filter(|_| levels & bits::VECTOR != 0);
        let combines_in_team = construct.reductions.iter().any(|item| self.is_of_one_team(item.var));
        let threads_share_it = clauses.shares && levels & THREADS != 0 && clauses.chunk.is_none();
        let is_split_by_teams = levels & bits::GANG != 0 && (combines_in_team || threads_share_it);
        let is_one = |sema: &Self, length: &ChunkLength| matches!(length, ChunkLength::Given(length) if sema.const_int(length) == Some(1));
        let chunks = clauses.chunk_of_thread(parts, levels).filter(|(length, _)| {
            chunk.is_none() && !is_split_by_teams && !construct.loops.is_empty() && !is_one(self, length)
        });
        let mut of_chunk = Vec::new();
        let copies = chunks.is_some().then_some(&mut of_chunk);
        let mut around = self.loop_values(&mut construct, clauses, &last, copies);
        if let Some(chunk) = chunk {
            let alone = levels == bits::VECTOR && construct.loops.len() == 1 && chunk > 1;
            let length = ChunkLength::Given(self.long(chunk.into(), construct.span));
            if alone && let Some(mut split) = self.in_chunks(&mut construct, length, None) {
                around.before.append(&mut split.before);
                self.set_levels(&mut construct, bits::VECTOR);
                let span = construct.span;
                let outer = LoopConstruct::new(LoopKind::Seq, nothing(span), span);
                return around.with(split.around(outer, construct));
            }
            levels &= !bits::VECTOR;
        }
        if is_split_by_teams
            && let Some(mut split) = {
                let usual = ChunkLength::Given(self.long(CHUNK_OF_TEAM, construct.span));
                let length = clauses.length_of_team().unwrap_or(usual);
                self.in_chunks(&mut construct, length, None)
            }
        {
            // Each team combines what its own threads have: the loop over teams combines nothing of that.
            around.before.append(&mut split.before);
            let span = construct.span;
            let mut outer = LoopConstruct::new(LoopKind::Independent, nothing(span), span);
            self.set_levels(&mut outer, levels & !THREADS);
            outer.reductions = construct.reductions.clone();
            outer.reductions.retain(|item| !self.is_of_one_team(item.var));
            self.set_levels(&mut construct, levels & THREADS);
            if levels & THREADS == 0 {
                construct.reductions.retain(|item| item.by.is_declared() && self.is_of_one_team(item.var));
            }
            return around.with(split.around(outer, construct));
        }
        if let Some((chunk, of_team)) = chunks
            && let Some(mut split) = self.in_chunks(&mut construct, chunk, of_team)
        {
            around.before.append(&mut split.before);
            let span = construct.span;
            let mut outer = LoopConstruct::new(LoopKind::Independent, nothing(span), span);
            self.set_levels(&mut outer, levels);
            outer.in_order = self.may_be_alone(parts, levels, clauses);
            outer.reductions = std::mem::take(&mut construct.reductions);
            // The last one is the counter of the loop over a chunk.
            let counter = construct.private.pop();
            outer.private = std::mem::replace(&mut construct.private, counter.into_iter().collect());
            self.set_levels(&mut construct, 0);
            // What an iteration leaves in the thread's copies, the next one of the chunk finds there.
            let inner = Stmt { kind: StmtKind::Loop(Box::new(construct)), span };
            let inner = self.with_copies(inner, &[], &of_chunk);
            return around.with(split.around_stmt(outer, inner));
        }
        self.set_levels(&mut construct, levels);
        construct.in_order = self.may_be_alone(parts, levels, clauses);
        if levels == 0 {
            // One thread adds to the variables themselves. A declared reduction may start elsewhere than
            // there.
            construct.reductions.retain(|item| item.by.is_declared());
        }
        let span = construct.span;
        around.with(Stmt { kind: StmtKind::Loop(Box::new(construct)), span })
    }

    fn set_levels(&self, construct: &mut LoopConstruct, levels: u8) {
        construct.kind = if levels == 0 { LoopKind::Seq } else { LoopKind::Independent };
        construct.gang = (levels & bits::GANG != 0).then(|| GangArgs { dim: 1, ..GangArgs::default() });
        construct.worker = (levels & bits::WORKER != 0).then(|| self.most_threads());
        construct.vector = (levels & bits::VECTOR != 0).then_some(None);
    }

    /// The most threads that may share a loop of a function, where a constant says.
    pub(super) fn most_threads(&self) -> Option<Expr> {
        self.acc.target_region.as_ref().and_then(|region| region.most_threads.clone())
    }
}

/// Iterations that a team executes before it looks for others, where they are reduced to a variable of its
/// own.
const CHUNK_OF_TEAM: i128 = 1024;

/// The levels of a loop, given those of the loops inside, which must all be further in.
fn chosen(spread: Spread, inside: u8) -> u8 {
    let outside = if inside == 0 { u8::MAX } else { (inside & inside.wrapping_neg()) - 1 };
    (spread.least | spread.most) & outside
}

/// The levels that loops in a statement use.
pub(super) fn levels_of(body: &Stmt) -> u8 {
    struct Levels(u8);
    impl Visit for Levels {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Loop(l) = &stmt.kind {
                self.0 |= explicit(l);
            }
            walk_stmt(self, stmt);
        }
        fn expr(&mut self, _: &Expr) {}
    }
    let mut levels = Levels(0);
    levels.stmt(body);
    levels.0
}

/// The variables that gangs reduce.
pub(super) fn reduced_over_gangs(body: &Stmt, of_construct: &[ReductionItem]) -> Vec<VarId> {
    struct Gangs(Vec<VarId>);
    impl Visit for Gangs {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Loop(l) = &stmt.kind
                && l.gang.is_some()
            {
                self.0.extend(l.reductions.iter().map(|item| item.var));
            }
            walk_stmt(self, stmt);
        }
        fn expr(&mut self, _: &Expr) {}
    }
    let mut gangs = Gangs(of_construct.iter().map(|item| item.var).collect());
    gangs.stmt(body);
    let mut seen = FxHashSet::default();
    gangs.0.retain(|var| seen.insert(*var));
    gangs.0
}

/// Lets a construct use another variable.
pub(super) fn rename(compute: &mut Compute, var: VarId, copy: VarId) {
    let mut copies = Copies(FxHashMap::default());
    copies.0.insert(var, copy);
    copies.stmt(&mut compute.body);
    for item in compute.reductions.iter_mut().filter(|item| item.var == var) {
        item.var = copy;
    }
}

/// The variables that code writes, or through which it does.
#[derive(Default)]
pub(super) struct Writes(pub(super) Vec<VarId>);

impl Visit for Writes {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::IncDec { target, .. } => {
                self.0.extend(root_var(target));
            }
            // Whoever gets the address may write.
            ExprKind::Call { args, .. } | ExprKind::Builtin(_, args) => {
                let pointers = args
                    .iter()
                    .filter(|arg| matches!(strip_casts(arg).kind, ExprKind::Decay(_) | ExprKind::AddrOf(_)));
                self.0.extend(pointers.filter_map(root_var));
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// The objects of variables that code may change by their names: no matter what pointers lead to.
pub(super) fn changed_objects(body: &Stmt) -> Vec<VarId> {
    struct Operands(Vec<VarId>);
    impl Visit for Operands {
        fn expr(&mut self, expr: &Expr) {
            self.0.extend(object_var(expr));
        }
    }
    struct Changed(Vec<VarId>);
    impl Visit for Changed {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Atomic(_) = &stmt.kind {
                let mut operands = Operands(Vec::new());
                walk_stmt(&mut operands, stmt);
                self.0.append(&mut operands.0);
            }
            walk_stmt(self, stmt);
        }
        fn expr(&mut self, expr: &Expr) {
            match &expr.kind {
                ExprKind::Assign(target, _)
                | ExprKind::AssignOp { target, .. }
                | ExprKind::IncDec { target, .. }
                | ExprKind::AddrOf(target) => self.0.extend(object_var(target)),
                ExprKind::Call { args, .. } | ExprKind::Builtin(_, args) => {
                    self.0.extend(args.iter().filter_map(object_var));
                }
                _ => {}
            }
            walk_expr(self, expr);
        }
    }
    let mut changed = Changed(Vec::new());
    changed.stmt(body);
    let mut seen = FxHashSet::default();
    changed.0.retain(|var| seen.insert(*var));
    changed.0
}

/// The directive of OpenMP that a statement is, perhaps in braces.
fn sole_directive(statement: &ast::Stmt) -> Option<&Directive> {
    match &statement.kind {
        ast::StmtKind::Directive(directive, _) => Some(directive),
        ast::StmtKind::Compound(items) => match &items[..] {
            [ast::BlockItem::Stmt(one)] => sole_directive(one),
            _ => None,
        },
        _ => None,
    }
}

/// Whether `teams` is all that a statement is.
pub(super) fn is_teams(statement: &ast::Stmt) -> bool {
    sole_directive(statement).is_some_and(|directive| directive.parts.has(Parts::TEAMS))
}

/// Whether the statement of a `parallel` is loops that its threads share, with barriers and statements for
/// one thread between them.
fn is_loops(statement: &ast::Stmt) -> bool {
    match &statement.kind {
        ast::StmtKind::Empty => true,
        ast::StmtKind::Compound(items) => {
            items.iter().all(|item| matches!(item, ast::BlockItem::Stmt(one) if is_loops(one)))
        }
        ast::StmtKind::Directive(directive, _) => {
            let shares = directive.parts.has(Parts::FOR) || directive.parts.has(Parts::LOOP);
            let alone = matches!(
                directive.kind,
                DirectiveKind::Omp(OmpKind::Single | OmpKind::Master | OmpKind::Barrier)
            );
            alone || shares && !directive.parts.has(Parts::PARALLEL)
        }
        _ => false,
    }
}
