//! OpenMP: `target` and its kin become the constructs of OpenACC; what one thread can run in place runs in
//! place.

use super::build::Wanted;
use super::clauses;
use super::repeats::Repeats;
use super::visit::{VisitMut, walk_expr_mut, walk_stmt_mut};
use super::{ids, nothing};
use crate::ast;
use crate::ctype::QualType;
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, Directive, OmpKind, OmpMapKind};
use crate::sema::{Entity, Sema};
use crate::typed::*;
use accrue_ir::{ConstructKind, DataKind, MapKind, MapModifiers};
use rustc_hash::FxHashMap;

/// Whether a clause of a combined `target` construct belongs to its loop.
fn belongs_to_loop(clause: &Clause) -> bool {
    matches!(clause.kind, ClauseKind::Collapse { .. } | ClauseKind::Private(_) | ClauseKind::Reduction(..))
}

/// What a map kind is on a construct with a statement, or on `target enter data`.
fn entering(kind: OmpMapKind) -> Option<MapKind> {
    match kind {
        OmpMapKind::To => Some(MapKind::CopyIn),
        OmpMapKind::From => Some(MapKind::CopyOut),
        OmpMapKind::ToFrom => Some(MapKind::Copy),
        OmpMapKind::Alloc => Some(MapKind::Create),
        OmpMapKind::Release | OmpMapKind::Delete => None,
    }
}

/// What a map kind is on `target exit data`.
fn leaving(kind: OmpMapKind) -> Option<MapKind> {
    match kind {
        OmpMapKind::From | OmpMapKind::ToFrom => Some(MapKind::CopyOut),
        OmpMapKind::Release | OmpMapKind::Delete => Some(MapKind::Delete),
        OmpMapKind::To | OmpMapKind::Alloc => None,
    }
}

impl Sema<'_> {
    /// A construct of OpenMP with its statement.
    pub(super) fn omp_construct(
        &mut self,
        directive: &Directive,
        kind: OmpKind,
        statement: &ast::Stmt,
    ) -> Stmt {
        match kind {
            OmpKind::Target => self.omp_target(directive, ConstructKind::Serial, statement),
            OmpKind::TargetTeamsLoop => self.omp_target(directive, ConstructKind::Parallel, statement),
            OmpKind::TargetData => {
                self.check_host_code(directive);
                let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
                let (scheduling, data) = self.omp_data(&selected, entering);
                self.finish_data(directive, scheduling, data, statement)
            }
            OmpKind::Task
            | OmpKind::Taskgroup
            | OmpKind::Parallel
            | OmpKind::ParallelLoop
            | OmpKind::Single
            | OmpKind::Master
            | OmpKind::Critical => self.omp_in_place(directive, statement),
            OmpKind::TargetEnterData
            | OmpKind::TargetExitData
            | OmpKind::TargetUpdate
            | OmpKind::DeclareTarget
            | OmpKind::EndDeclareTarget
            | OmpKind::Taskwait
            | OmpKind::Barrier
            | OmpKind::Unsupported => {
                let first = self.omp_standalone(directive, kind);
                let span = directive.span.to(statement.span);
                let second = self.stmt(statement);
                Stmt { kind: StmtKind::Block(vec![first, second]), span }
            }
        }
    }

    /// A directive of OpenMP without a statement.
    pub(super) fn omp_standalone(&mut self, directive: &Directive, kind: OmpKind) -> Stmt {
        let (kind, from) = match kind {
            OmpKind::TargetEnterData => (DataKind::Enter, entering as fn(_) -> _),
            OmpKind::TargetExitData => (DataKind::Exit { finalize: false }, leaving as fn(_) -> _),
            OmpKind::TargetUpdate => (DataKind::Update { if_present: true }, entering as fn(_) -> _),
            OmpKind::Taskwait | OmpKind::Barrier => {
                clauses::select(directive, self.acc.target, &mut self.session.sink);
                return nothing(directive.span);
            }
            OmpKind::Target
            | OmpKind::TargetData
            | OmpKind::TargetTeamsLoop
            | OmpKind::Task
            | OmpKind::Taskgroup
            | OmpKind::Parallel
            | OmpKind::ParallelLoop
            | OmpKind::Single
            | OmpKind::Master
            | OmpKind::Critical
            | OmpKind::DeclareTarget
            | OmpKind::EndDeclareTarget
            | OmpKind::Unsupported => {
                let name = directive.kind.name();
                self.error(
                    ids::OMP_UNSUPPORTED,
                    directive.name_span,
                    format!("`#pragma {name}` is not supported here"),
                );
                return nothing(directive.span);
            }
        };
        self.check_host_code(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let (scheduling, mut data) = self.omp_data(&selected, from);
        for clause in &selected {
            if let ClauseKind::Motion(to, items) = &clause.kind {
                let which = if *to { MapKind::UpdateDevice } else { MapKind::UpdateSelf };
                self.data_items(which, MapModifiers::default(), items, &mut data);
            }
        }
        let executable = Executable { data, ..Executable::new(kind, scheduling, directive.span) };
        Stmt { kind: StmtKind::Executable(Box::new(executable)), span: directive.span }
    }

    /// `declare target` outside of functions.
    pub(super) fn omp_item(&mut self, directive: &Directive, kind: OmpKind) {
        match kind {
            OmpKind::DeclareTarget => {
                let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
                let mut named = false;
                for clause in &selected {
                    if let ClauseKind::Motion(_, items) = &clause.kind {
                        named = true;
                        for item in items {
                            self.declare_target(item);
                        }
                    }
                }
                if !named {
                    self.acc.declare_target_from = Some(self.vars.len());
                }
            }
            OmpKind::EndDeclareTarget => {
                let Some(start) = self.acc.declare_target_from.take() else {
                    self.error(
                        ids::DIRECTIVE_PLACEMENT,
                        directive.name_span,
                        "`#pragma omp end declare target` without `#pragma omp declare target`",
                    );
                    return;
                };
                for var in &mut self.vars[start..] {
                    if matches!(var.storage, Storage::Static { .. }) && var.declare.is_none() {
                        var.declare = Some(MapKind::Create);
                    }
                }
            }
            OmpKind::Target
            | OmpKind::TargetData
            | OmpKind::TargetEnterData
            | OmpKind::TargetExitData
            | OmpKind::TargetUpdate
            | OmpKind::Task
            | OmpKind::Taskwait
            | OmpKind::Taskgroup
            | OmpKind::Parallel
            | OmpKind::ParallelLoop
            | OmpKind::Single
            | OmpKind::Master
            | OmpKind::Critical
            | OmpKind::Barrier
            | OmpKind::TargetTeamsLoop
            | OmpKind::Unsupported => self.error(
                ids::DIRECTIVE_PLACEMENT,
                directive.name_span,
                format!("`#pragma {}` stands outside of a function", directive.kind.name()),
            ),
        }
    }

    fn declare_target(&mut self, item: &ast::Expr) {
        if let ast::ExprKind::Ident(symbol) = item.kind
            && let Some(Entity::Func(function)) = self.lookup(symbol)
        {
            self.functions[function.0 as usize].referenced = true;
            return;
        }
        if let Some(var) = self.plain_variable("declare target", item) {
            self.vars[var.0 as usize].declare = Some(MapKind::Create);
        }
    }

    /// `target`, alone or with `teams`, `distribute`, `parallel for`.
    fn omp_target(&mut self, directive: &Directive, kind: ConstructKind, statement: &ast::Stmt) -> Stmt {
        self.check_host_code(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let combined = kind == ConstructKind::Parallel && matches!(statement.kind, ast::StmtKind::For { .. });
        let (on_loop, rest): (Vec<&Clause>, Vec<&Clause>) =
            selected.into_iter().partition(|clause| combined && belongs_to_loop(clause));
        let (scheduling, data) = self.omp_data(&rest, entering);
        let mut compute = Compute {
            kind,
            scheduling,
            dims: Dims::default(),
            data,
            private: Vec::new(),
            firstprivate: Vec::new(),
            firstprivate_written: 0,
            reductions: Vec::new(),
            default: None,
            maps_by_use: false,
            body: nothing(statement.span),
            span: directive.span,
        };
        self.check_repeated_private(&rest);
        for clause in &rest {
            self.omp_compute_clause(clause, &mut compute);
        }
        self.resolve_repeats(&mut compute.data, Repeats::OneAddress);
        compute.body = self.compute_body(directive, kind, combined.then_some(&on_loop), statement);
        self.finish_compute(compute, directive, statement)
    }

    fn omp_compute_clause(&mut self, clause: &Clause, compute: &mut Compute) {
        match &clause.kind {
            ClauseKind::NumTeams(arg) => {
                compute.dims.num_gangs.extend(self.int_argument("num_teams", arg, Wanted::Positive));
            }
            ClauseKind::ThreadLimit(arg) => drop(self.int_argument("thread_limit", arg, Wanted::Positive)),
            ClauseKind::NumThreads(arg) => drop(self.int_argument("num_threads", arg, Wanted::Positive)),
            ClauseKind::Simdlen(arg) => drop(self.constant_argument("simdlen", arg, u32::MAX)),
            ClauseKind::Private(items) => self.private_vars("private", items, &mut compute.private),
            ClauseKind::FirstPrivate(items) => {
                self.private_vars("firstprivate", items, &mut compute.firstprivate);
            }
            ClauseKind::Reduction(op, items) => {
                self.reduction_items(*op, items, &mut compute.reductions);
            }
            ClauseKind::IsDevicePtr(items) => {
                self.data_items(MapKind::DevicePtr, MapModifiers::default(), items, &mut compute.data);
            }
            ClauseKind::Default(kind) => compute.default = Some(*kind),
            _ => {}
        }
    }

    /// Clauses that all `target` directives share: `if`, `device`, `map`, `depend`, `nowait`. The host runs
    /// them at once and in order, so that `nowait` and `depend` hold by themselves.
    fn omp_data(
        &mut self,
        clauses: &[&Clause],
        meaning: fn(OmpMapKind) -> Option<MapKind>,
    ) -> (Scheduling, Vec<DataItem>) {
        let mut scheduling = Scheduling::default();
        let mut data = Vec::new();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::If(condition) => scheduling.if_ = self.condition_argument("if", condition),
                ClauseKind::Device(device) => drop(self.int_argument("device", device, Wanted::Any)),
                ClauseKind::Depend(_, items) => self.depend_items(items),
                ClauseKind::Map(kind, always, items) => {
                    let Some(which) = meaning(*kind) else {
                        self.error(
                            ids::DATA_ITEM,
                            clause.span,
                            "this kind of `map` is not valid on this directive",
                        );
                        continue;
                    };
                    let first = data.len();
                    self.data_items(which, MapModifiers::default(), items, &mut data);
                    if *always {
                        for item in &mut data[first..] {
                            item.modifiers =
                                MapModifiers { always_in: true, always_out: true, ..item.modifiers };
                        }
                    }
                }
                _ => {}
            }
        }
        (scheduling, data)
    }

    /// Items of `depend` are checked; one thread meets every dependence by running tasks in order.
    fn depend_items(&mut self, items: &[ast::Expr]) {
        for item in items {
            if matches!(item.kind, ast::ExprKind::Section(..) | ast::ExprKind::Index(..)) {
                self.section_item("depend", item);
            } else {
                self.expr(item);
            }
        }
    }

    /// `task`, `parallel`, `single` and others that one thread runs where they stand.
    fn omp_in_place(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        self.check_repeated_private(&selected);
        let mut evaluated = Vec::new();
        let (mut private, mut first) = (Vec::new(), Vec::new());
        for clause in &selected {
            match &clause.kind {
                ClauseKind::If(e) => evaluated.extend(self.condition_argument("if", e)),
                ClauseKind::Final(e) => evaluated.extend(self.condition_argument("final", e)),
                ClauseKind::Priority(e) => evaluated.extend(self.int_argument("priority", e, Wanted::Any)),
                ClauseKind::NumThreads(e) => {
                    evaluated.extend(self.int_argument("num_threads", e, Wanted::Positive));
                }
                ClauseKind::Depend(_, items) => self.depend_items(items),
                ClauseKind::Private(items) => self.private_vars("private", items, &mut private),
                ClauseKind::FirstPrivate(items) => self.private_vars("firstprivate", items, &mut first),
                ClauseKind::Shared(items) => {
                    for item in items {
                        self.plain_variable("shared", item);
                    }
                }
                ClauseKind::Reduction(op, items) => {
                    let mut checked = Vec::new();
                    self.reduction_items(*op, items, &mut checked);
                }
                _ => {}
            }
        }
        self.enter_construct(directive.kind.name(), directive.name_span);
        let body = self.stmt(statement);
        self.leave_construct();
        let body = self.with_copies(body, &private, &first);
        let span = directive.span.to(statement.span);
        Stmt { kind: StmtKind::OmpInline(evaluated, Box::new(body)), span }
    }

    /// Gives `body` its own copies of variables.
    fn with_copies(&mut self, mut body: Stmt, private: &[VarId], first: &[VarId]) -> Stmt {
        if private.is_empty() && first.is_empty() {
            return body;
        }
        let span = body.span;
        let mut list = Vec::new();
        let mut copies = Copies(FxHashMap::default());
        for (var, initialised) in private.iter().map(|v| (*v, false)).chain(first.iter().map(|v| (*v, true)))
        {
            let ty = self.vars[var.0 as usize].ty;
            if initialised && self.types.is_array(ty.ty) || self.types.is_vla(ty.ty) {
                let name = self.var_text(var);
                self.emit(Diagnostic::error(
                    ids::OMP_UNSUPPORTED,
                    span,
                    format!("a private copy of the array `{name}` is not supported on this directive"),
                ));
                continue;
            }
            let copy = self.hidden_var(QualType::plain(ty.ty), span);
            self.vars[copy.0 as usize].in_memory = self.vars[var.0 as usize].in_memory;
            let init = initialised.then(|| {
                let lvalue = self.var_lvalue(var, span);
                let ty = QualType::plain(ty.ty);
                let value = Expr { kind: ExprKind::Load(Box::new(lvalue)), ty, span };
                Init { entries: vec![InitEntry { offset: 0, bits: None, ty: ty.ty, value }] }
            });
            list.push(Stmt { kind: StmtKind::Declare(copy, init), span });
            copies.0.insert(var, copy);
        }
        copies.stmt(&mut body);
        list.push(body);
        Stmt { kind: StmtKind::Block(list), span }
    }
}

/// Replaces variables by their copies.
pub(super) struct Copies(pub(super) FxHashMap<VarId, VarId>);

impl VisitMut for Copies {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::Loop(construct) = &mut stmt.kind {
            let reduced = construct.reductions.iter_mut().map(|item| &mut item.var);
            for var in reduced.chain(&mut construct.private) {
                *var = self.0.get(var).copied().unwrap_or(*var);
            }
        }
        walk_stmt_mut(self, stmt);
    }

    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Var(var) = &mut expr.kind
            && let Some(copy) = self.0.get(var)
        {
            *var = *copy;
        }
        walk_expr_mut(self, expr);
    }
}
