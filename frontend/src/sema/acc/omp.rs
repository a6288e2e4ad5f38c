//! OpenMP: constructs of a device become those of OpenACC ([`target`]); what one thread can run in place runs
//! in place ([`host`]).

mod declare;
mod device_num;
mod device_ptr;
mod host;
mod loop_values;
mod nest;
mod target;

use super::{clauses, ids, nothing};
use crate::ast;
use crate::directive::{ClauseKind, Directive, IfOf, OmpKind, Parts};
use crate::sema::Sema;
use crate::typed::*;
use accrue_ir::{DataKind, MapKind, MapModifiers};
use target::{entering, leaving};

impl Sema<'_> {
    /// A construct of OpenMP with its statement.
    pub(super) fn omp_construct(
        &mut self,
        directive: &Directive,
        kind: OmpKind,
        statement: &ast::Stmt,
    ) -> Stmt {
        match kind {
            OmpKind::Parallel | OmpKind::ParallelLoop
                if self.acc.target_region.is_none()
                    && directive.parts.has(Parts::PARALLEL)
                    && !self.acc.declare_targets.is_empty() =>
            {
                self.omp_orphan(directive, kind, statement)
            }
            OmpKind::Target | OmpKind::TargetTeamsLoop => self.omp_target(directive, statement),
            OmpKind::TargetData => self.omp_target_data(directive, statement),
            OmpKind::Task
            | OmpKind::Taskgroup
            | OmpKind::Parallel
            | OmpKind::ParallelLoop
            | OmpKind::Single
            | OmpKind::Master
            | OmpKind::Critical
                if self.acc.target_region.is_some() =>
            {
                self.omp_in_target(directive, kind, statement)
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
            | OmpKind::Requires
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
            OmpKind::DeclareTarget => {
                self.declare_target(directive);
                return nothing(directive.span);
            }
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
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let (scheduling, mut data) = self.omp_data(&selected, IfOf::TargetData, from);
        for clause in &selected {
            if let ClauseKind::Motion(to, written, items) = &clause.kind {
                let which = if *to { MapKind::UpdateDevice } else { MapKind::UpdateSelf };
                let modifiers = MapModifiers { required: written.present, ..MapModifiers::default() };
                self.data_items(which, modifiers, items, &mut data);
            }
        }
        let executable = Executable { data, ..Executable::new(kind, scheduling, directive.span) };
        Stmt { kind: StmtKind::Executable(Box::new(executable)), span: directive.span }
    }

    /// `declare target` outside of functions.
    pub(super) fn omp_item(&mut self, directive: &Directive, kind: OmpKind) {
        match kind {
            OmpKind::DeclareTarget => self.declare_target(directive),
            OmpKind::EndDeclareTarget => self.end_declare_target(directive),
            OmpKind::Requires => self.requires(directive),
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
}
