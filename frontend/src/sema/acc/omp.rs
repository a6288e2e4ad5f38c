//! OpenMP. Constructs of a device become those of OpenACC ([`target`]). Constructs of the host's threads
//! become functions ([`team`], [`tasks`]) and calls of the runtime ([`code`]); in code of a device, which has
//! no such threads, one thread executes their statements in place ([`in_place`], [`versions`]).

mod boxes;
mod cancel;
mod code;
mod conditional;
mod declare;
mod declare_reduction;
mod device_ptr;
mod dispatch;
mod doacross;
mod gang_team;
mod hints;
mod in_place;
mod loop_values;
mod loops;
mod mapper;
mod nest;
mod nesting;
mod nonrect;
mod orphans;
mod private;
mod reduce;
mod regions;
mod restrictions;
mod scan;
mod sharing;
mod target;
mod tasks;
mod team;
mod transform;
mod versions;

use super::{clauses, ids, nothing};
use crate::ast;
use crate::directive::{ClauseKind, Directive, IfOf, OmpKind, OmpMapKind, Parts};
use crate::sema::Sema;
use crate::typed::*;
use accrue_ir::{DataKind, MapKind, MapModifiers};
pub(super) use nesting::Region;
use target::{entering, leaving};

impl Sema<'_> {
    /// A construct of OpenMP with its statement.
    pub(super) fn omp_construct(
        &mut self,
        directive: &Directive,
        kind: OmpKind,
        statement: &ast::Stmt,
    ) -> Stmt {
        self.check_inscan(directive);
        self.check_conditional(directive);
        self.check_restrictions(directive, kind, statement);
        self.check_version_of_device(directive, kind);
        if self.needs_two_versions(directive, kind) {
            return self.two_versions(directive, kind, statement);
        }
        if self.may_be_called_by_device(directive, kind) {
            return self.with_version_of_device(directive, kind, statement);
        }
        match kind {
            OmpKind::Target | OmpKind::TargetTeamsLoop(_) if self.is_inside_target() => {
                self.warn_in_place(directive, "the device executes the statement in place");
                self.target_in_place(directive, statement)
            }
            OmpKind::TargetData if self.is_inside_target() => {
                self.warn_in_place(directive, "it has no effect there");
                clauses::select(directive, self.acc.target, &mut self.session.sink);
                self.construct_body(directive, statement)
            }
            OmpKind::Parallel | OmpKind::Combined(_)
                if self.acc.target_region.is_none()
                    && directive.parts.has(Parts::PARALLEL)
                    && !self.acc.declare_targets.is_empty() =>
            {
                self.omp_orphan(directive, kind, statement)
            }
            OmpKind::Target | OmpKind::TargetTeamsLoop(_) => {
                let made = self.omp_target(directive, statement);
                let made = self.with_task_clauses(directive, made);
                self.reducing_of_target(directive, made)
            }
            OmpKind::TargetData => self.omp_target_data(directive, statement),
            OmpKind::Assume => self.assume(directive, statement),
            OmpKind::LoopTransformation(which) => self.transformed(directive, which, statement),
            OmpKind::Dispatch => self.dispatch(directive, statement),
            _ if directive_has_statement(kind)
                && self.acc.target_region.is_some()
                && !self.is_shared_by_gang_team(kind) =>
            {
                self.omp_in_target(directive, kind, statement)
            }
            _ if directive_has_statement(kind) && self.is_device_code() && self.gang_team().is_none() => {
                self.omp_in_place(directive, statement)
            }
            OmpKind::Task => self.task(directive, statement),
            OmpKind::Taskgroup => self.taskgroup(directive, statement),
            OmpKind::Parallel => {
                let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
                self.team(directive, &selected, Parts::PARALLEL, statement)
            }
            OmpKind::Combined(parts) => self.combined(directive, parts, statement),
            OmpKind::Single | OmpKind::Scope => self.single(directive, statement),
            OmpKind::Master => {
                let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
                let body = self.construct_body(directive, statement);
                self.masked(directive, &selected, body)
            }
            OmpKind::Critical => self.critical(directive, statement),
            OmpKind::Ordered => self.ordered_block(directive, statement),
            OmpKind::Section => {
                let message = "`section` stands outside of a `sections` construct";
                self.error(ids::DIRECTIVE_PLACEMENT, directive.name_span, message);
                nothing(directive.span)
            }
            OmpKind::TargetEnterData
            | OmpKind::TargetExitData
            | OmpKind::TargetUpdate
            | OmpKind::DeclareTarget
            | OmpKind::EndDeclareTarget
            | OmpKind::Requires
            | OmpKind::Taskwait
            | OmpKind::Barrier
            | OmpKind::Taskyield
            | OmpKind::Flush
            | OmpKind::Threadprivate
            | OmpKind::Depobj
            | OmpKind::DeclareReduction
            | OmpKind::DeclareMapper
            | OmpKind::DeclareSimd
            | OmpKind::Allocate
            | OmpKind::Scan
            | OmpKind::Doacross
            | OmpKind::Cancel(_)
            | OmpKind::CancellationPoint(_)
            | OmpKind::Nothing
            | OmpKind::Error
            | OmpKind::Assumes
            | OmpKind::Unsupported => {
                let first = self.omp_standalone(directive, kind);
                let span = directive.span.to(statement.span);
                let second = self.stmt(statement);
                Stmt { kind: StmtKind::Block(vec![first, second]), span }
            }
        }
    }

    /// Whether the statement being analysed is executed by a device.
    fn is_device_code(&self) -> bool {
        self.enclosing_compute().is_some() || self.current_routine().is_some()
    }

    /// Whether threads of the host alone execute the statement being analysed.
    pub(super) fn is_host_code(&self) -> bool {
        self.acc.target_region.is_none() && !self.is_device_code()
    }

    /// A directive of OpenMP without a statement.
    pub(super) fn omp_standalone(&mut self, directive: &Directive, kind: OmpKind) -> Stmt {
        self.check_version_of_device(directive, kind);
        let (kind, from) = match kind {
            OmpKind::TargetEnterData | OmpKind::TargetExitData | OmpKind::TargetUpdate
                if self.is_inside_target() =>
            {
                return self.data_in_place(directive);
            }
            OmpKind::TargetEnterData => (DataKind::Enter, entering as fn(_) -> _),
            OmpKind::TargetExitData => (DataKind::Exit { finalize: false }, leaving as fn(_) -> _),
            OmpKind::TargetUpdate => (DataKind::Update { if_present: true }, entering as fn(_) -> _),
            OmpKind::DeclareTarget => {
                self.declare_target(directive);
                return nothing(directive.span);
            }
            OmpKind::Barrier if self.gang_team().is_some() => return self.omp_call(directive, kind),
            OmpKind::Taskwait
            | OmpKind::Barrier
            | OmpKind::Taskyield
            | OmpKind::Flush
            | OmpKind::Doacross
                if self.is_device_code() =>
            {
                clauses::select(directive, self.acc.target, &mut self.session.sink);
                return nothing(directive.span);
            }
            OmpKind::Taskwait => return self.taskwait(directive),
            OmpKind::Barrier | OmpKind::Taskyield | OmpKind::Flush => {
                return self.omp_call(directive, kind);
            }
            OmpKind::Depobj => return self.depobj(directive),
            OmpKind::Doacross => return self.doacross(directive),
            OmpKind::Cancel(what) => return self.cancel(directive, what, false),
            OmpKind::CancellationPoint(what) => return self.cancel(directive, what, true),
            OmpKind::Threadprivate => {
                self.threadprivate(directive);
                return nothing(directive.span);
            }
            OmpKind::DeclareReduction => {
                self.declare_reduction(directive);
                return nothing(directive.span);
            }
            OmpKind::Scan => return self.scan_directive(directive),
            OmpKind::DeclareMapper => {
                self.declare_mapper(directive);
                return nothing(directive.span);
            }
            OmpKind::Allocate => {
                self.allocate_directive(directive);
                return nothing(directive.span);
            }
            OmpKind::Nothing => return nothing(directive.span),
            OmpKind::Assumes | OmpKind::DeclareSimd => {
                clauses::select(directive, self.acc.target, &mut self.session.sink);
                return nothing(directive.span);
            }
            OmpKind::Error => return self.error_directive(directive),
            OmpKind::Target
            | OmpKind::TargetData
            | OmpKind::TargetTeamsLoop(_)
            | OmpKind::Task
            | OmpKind::Taskgroup
            | OmpKind::Dispatch
            | OmpKind::Parallel
            | OmpKind::Combined(_)
            | OmpKind::Single
            | OmpKind::Scope
            | OmpKind::Section
            | OmpKind::Ordered
            | OmpKind::Assume
            | OmpKind::LoopTransformation(_)
            | OmpKind::Master
            | OmpKind::Critical
            | OmpKind::EndDeclareTarget
            | OmpKind::Requires
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
        self.check_required(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let (scheduling, mut data) = self.omp_data(&selected, IfOf::TargetData, from);
        self.check_motions(directive);
        for clause in &selected {
            if let ClauseKind::Motion(to, written, items) = &clause.kind {
                let which = if *to { MapKind::UpdateDevice } else { MapKind::UpdateSelf };
                let modifiers = MapModifiers { required: written.present, ..MapModifiers::default() };
                let mut found = Vec::new();
                self.data_items(which, modifiers, items, &mut found);
                let (kind, meaning) = match to {
                    true => (OmpMapKind::To, updating_device as fn(_) -> _),
                    false => (OmpMapKind::From, updating_host as fn(_) -> _),
                };
                self.mapped(found, kind, *written, meaning, &mut data);
            }
        }
        let executable = Executable { data, ..Executable::new(kind, scheduling, directive.span) };
        let made = Stmt { kind: StmtKind::Executable(Box::new(executable)), span: directive.span };
        let made = self.with_task_clauses(directive, made);
        match self.acc.declare_targets.is_empty() || self.acc.in_version_of_host {
            true => made,
            false => self.on_host_only(made, nothing(directive.span)),
        }
    }

    /// `declare target` outside of functions.
    pub(super) fn omp_item(&mut self, directive: &Directive, kind: OmpKind) {
        match kind {
            OmpKind::DeclareTarget => self.declare_target(directive),
            OmpKind::EndDeclareTarget => self.end_declare_target(directive),
            OmpKind::Requires => self.requires(directive),
            OmpKind::Threadprivate => self.threadprivate(directive),
            OmpKind::DeclareReduction => self.declare_reduction(directive),
            OmpKind::DeclareMapper => self.declare_mapper(directive),
            OmpKind::Allocate => self.allocate_directive(directive),
            OmpKind::Nothing => {}
            OmpKind::Assumes | OmpKind::DeclareSimd => {
                clauses::select(directive, self.acc.target, &mut self.session.sink);
            }
            OmpKind::Error => {
                self.error_directive(directive);
            }
            OmpKind::Target
            | OmpKind::TargetData
            | OmpKind::TargetEnterData
            | OmpKind::TargetExitData
            | OmpKind::TargetUpdate
            | OmpKind::Task
            | OmpKind::Taskwait
            | OmpKind::Taskyield
            | OmpKind::Taskgroup
            | OmpKind::Dispatch
            | OmpKind::Parallel
            | OmpKind::Combined(_)
            | OmpKind::Single
            | OmpKind::Scope
            | OmpKind::Section
            | OmpKind::Ordered
            | OmpKind::Master
            | OmpKind::Critical
            | OmpKind::Barrier
            | OmpKind::Flush
            | OmpKind::Depobj
            | OmpKind::Scan
            | OmpKind::Doacross
            | OmpKind::Cancel(_)
            | OmpKind::CancellationPoint(_)
            | OmpKind::Assume
            | OmpKind::LoopTransformation(_)
            | OmpKind::TargetTeamsLoop(_)
            | OmpKind::Unsupported => self.error(
                ids::DIRECTIVE_PLACEMENT,
                directive.name_span,
                format!("`#pragma {}` stands outside of a function", directive.kind.name()),
            ),
        }
    }
}

/// What a map kind is on `target update` with `to`.
fn updating_device(kind: OmpMapKind) -> Option<MapKind> {
    (kind == OmpMapKind::To).then_some(MapKind::UpdateDevice)
}

/// What a map kind is on `target update` with `from`.
fn updating_host(kind: OmpMapKind) -> Option<MapKind> {
    (kind == OmpMapKind::From).then_some(MapKind::UpdateSelf)
}

/// Whether a construct of threads applies to a statement.
fn directive_has_statement(kind: OmpKind) -> bool {
    matches!(
        kind,
        OmpKind::Task
            | OmpKind::Taskgroup
            | OmpKind::Dispatch
            | OmpKind::Parallel
            | OmpKind::Combined(_)
            | OmpKind::Single
            | OmpKind::Scope
            | OmpKind::Master
            | OmpKind::Critical
            | OmpKind::Ordered
    )
}
