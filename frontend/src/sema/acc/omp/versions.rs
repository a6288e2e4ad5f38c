//! Directives of the host in code that a device executes: `target` and its kin inside of `target`, and
//! `task`, `target` and `target data` in functions between `declare target` and its end. No device can start
//! any of them, so that it executes their statements in place, as a host without devices would; such a
//! function has the statement twice, since the host may call it, too.

use super::super::target_region::TargetRegion;
use super::super::{clauses, ids, nothing};
use super::code::if_else;
use super::nest::is_teams;
use super::target::around;
use crate::ast;
use crate::ctype::{IntKind, QualType};
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive, IfOf, ImplicitMap, MapCategory, OmpKind, Parts};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// `acc_device_host`.
const HOST: i128 = 2;

impl Sema<'_> {
    /// Whether what is being analysed is executed by a device in any case, as part of `target`.
    pub(super) fn is_inside_target(&self) -> bool {
        let Some(region) = &self.acc.target_region else { return false };
        region.in_place || self.enclosing_compute().is_some()
    }

    /// Whether a function that host and devices execute needs a version of a construct for each.
    pub(super) fn needs_two_versions(&self, directive: &Directive, kind: OmpKind) -> bool {
        let is_for_host = matches!(
            kind,
            OmpKind::Target
                | OmpKind::TargetTeamsLoop(_)
                | OmpKind::TargetData
                | OmpKind::Task
                | OmpKind::Master
        ) || directive.parts.has(Parts::TASKLOOP);
        is_for_host
            && !self.acc.declare_targets.is_empty()
            && !self.acc.in_version_of_host
            && self.is_host_code()
    }

    /// Whether a device may come to a construct of threads that is in no `declare target`: functions that
    /// `target` calls are functions of devices (OpenMP 5.2, 7.8), and who calls one may stand behind it.
    pub(super) fn may_be_called_by_device(&mut self, directive: &Directive, kind: OmpKind) -> bool {
        let of_threads = matches!(kind, OmpKind::Parallel | OmpKind::Task | OmpKind::Critical)
            || matches!(kind, OmpKind::Combined(_))
                && directive.parts.has(Parts::PARALLEL.with(Parts::TASKLOOP));
        of_threads
            && self.acc.declare_targets.is_empty()
            && !self.acc.in_version_of_host
            && self.is_host_code()
            && !self.is_in_main()
            && self.session.errors() == 0
            && self.has_targets()
    }

    /// Ends the analysis of what a device might execute where it starts regions of a device itself: that is
    /// code of the host, and would have its regions twice.
    pub(super) fn check_version_of_device(&mut self, directive: &Directive, kind: OmpKind) {
        let starts = matches!(
            kind,
            OmpKind::Target
                | OmpKind::TargetTeamsLoop(_)
                | OmpKind::TargetData
                | OmpKind::TargetEnterData
                | OmpKind::TargetExitData
                | OmpKind::TargetUpdate
        );
        if starts && self.acc.in_version_of_device {
            let message = "a device does not start regions of a device";
            self.error(ids::OMP_UNSUPPORTED, directive.name_span, message);
        }
    }

    fn is_in_main(&self) -> bool {
        let function = self.function.as_ref().map(|context| &self.functions[context.id.0 as usize]);
        function.is_some_and(|function| &*self.text(function.name) == "main")
    }

    /// Whether the word `target` is anywhere in the program.
    fn has_targets(&mut self) -> bool {
        let sources = &self.session.sources;
        *self.acc.has_targets.get_or_insert_with(|| sources.mentions(b"target"))
    }

    /// The construct as threads of the host execute it, and as a device would that calls the function.
    /// Whether one does is not known yet, so that nothing is said of what it could not execute: the construct
    /// stays the host's then.
    pub(super) fn with_version_of_device(
        &mut self,
        directive: &Directive,
        kind: OmpKind,
        statement: &ast::Stmt,
    ) -> Stmt {
        self.acc.in_version_of_host = true;
        let on_host = self.omp_construct(directive, kind, statement);
        self.acc.in_version_of_host = false;
        if self.session.errors() > 0 {
            return on_host;
        }
        let said = std::mem::take(&mut self.session.sink);
        self.acc.declare_targets.push(self.vars.len());
        self.acc.in_version_of_device = true;
        let on_device = self.second_version(|sema| sema.omp_construct(directive, kind, statement));
        self.acc.in_version_of_device = false;
        self.acc.declare_targets.pop();
        self.session.sink = said;
        match on_device {
            Some(on_device) => if_else(self.is_host(directive.span), on_host, on_device),
            None => on_host,
        }
    }

    /// A construct with a version for the host and one for devices.
    pub(super) fn two_versions(
        &mut self,
        directive: &Directive,
        kind: OmpKind,
        statement: &ast::Stmt,
    ) -> Stmt {
        let errors = self.session.sink.errors();
        self.acc.in_version_of_host = true;
        let on_host = self.omp_construct(directive, kind, statement);
        self.acc.in_version_of_host = false;
        if self.session.sink.errors() > errors {
            return on_host;
        }
        let region = TargetRegion { in_place: true, ..TargetRegion::of_function(self.vars.len()) };
        let outer = self.acc.target_region.replace(region);
        let on_device = self.second_version(|sema| match kind {
            OmpKind::TargetData => sema.construct_body(directive, statement),
            OmpKind::Target | OmpKind::TargetTeamsLoop(_) => sema.target_in_place(directive, statement),
            _ => sema.omp_in_target(directive, kind, statement),
        });
        self.acc.target_region = outer;
        match on_device {
            Some(on_device) => if_else(self.is_host(directive.span), on_host, on_device),
            None => on_host,
        }
    }

    /// Whether the host executes the statement.
    fn is_host(&mut self, span: Span) -> Expr {
        self.builtin_used(Builtin::AccOnDevice);
        let host = self.int(HOST, span);
        let ty = QualType::plain(IntKind::Int.type_id());
        Expr { kind: ExprKind::Builtin(Builtin::AccOnDevice, vec![host]), ty, span }
    }

    /// A statement that the host executes, and devices do not.
    pub(super) fn on_host_only(&mut self, statement: Stmt, otherwise: Stmt) -> Stmt {
        let condition = self.is_host(statement.span);
        if_else(condition, statement, otherwise)
    }

    /// Warns of a directive for the host inside of `target`. What else devices execute, the host may, too.
    pub(super) fn warn_in_place(&mut self, directive: &Directive, what: &str) {
        if self.enclosing_compute().is_none() {
            return;
        }
        let name = directive.kind.name();
        let message = format!("`{name}` inside of `target`: {what}");
        self.emit(Diagnostic::warning(ids::OMP_IN_PLACE, directive.name_span, message));
    }

    /// `target` in code of a device: one thread executes the statement where it stands, with copies of the
    /// variables that are firstprivate.
    pub(super) fn target_in_place(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let parts = directive.parts;
        self.check_repeated_private(&selected);
        let outside = self.vars.len();
        let (_, mapped) = self.omp_data(&selected, IfOf::Target, around);
        let mut known: Vec<VarId> = mapped.iter().map(|item| item.var).collect();
        let (mut private, mut first, mut declared) = (Vec::new(), Vec::new(), Vec::new());
        let has_loop = parts.has_loop();
        let alone = !has_loop && !parts.has(Parts::PARALLEL);
        let mut scalars_are_mapped = false;
        for clause in &selected {
            match &clause.kind {
                ClauseKind::Private(items) if alone => self.private_vars("private", items, &mut private),
                ClauseKind::FirstPrivate(items) if !has_loop => {
                    self.private_vars("firstprivate", items, &mut first);
                }
                ClauseKind::Reduction(op, items) | ClauseKind::ReductionOfTasks(op, items) if alone => {
                    self.device_reductions(*op, items, &mut Vec::new(), &mut declared);
                }
                ClauseKind::DefaultMap(what, MapCategory::All | MapCategory::Scalar) => {
                    scalars_are_mapped = !matches!(what, ImplicitMap::Default | ImplicitMap::FirstPrivate);
                }
                _ => {}
            }
            known.extend(self.named_in(clause));
        }
        let teams = parts.has(Parts::TEAMS);
        let sole_teams = teams || is_teams(statement);
        let region = TargetRegion { in_place: true, teams, sole_teams, ..TargetRegion::of_function(outside) };
        let outer = self.acc.target_region.replace(region);
        let body = if has_loop {
            self.omp_loop(directive, &selected, statement)
        } else if parts.has(Parts::PARALLEL) {
            self.omp_parallel(directive, &selected, statement)
        } else {
            self.construct_body(directive, statement)
        };
        self.acc.target_region = outer;
        let body = self.with_reduced(body, &declared);
        if !scalars_are_mapped {
            let written = super::nest::changed_objects(&body);
            first.extend(written.into_iter().filter(|var| {
                let object = &self.vars[var.0 as usize];
                (var.0 as usize) < outside
                    && self.types.is_scalar(object.ty.ty)
                    && !matches!(object.storage, Storage::Static { .. })
                    && !known.contains(var)
                    && !private.contains(var)
            }));
        }
        self.with_copies(body, &private, &first)
    }

    /// `target enter data` and others without a statement in code of a device, which has all data already.
    pub(super) fn data_in_place(&mut self, directive: &Directive) -> Stmt {
        clauses::select(directive, self.acc.target, &mut self.session.sink);
        self.warn_in_place(directive, "it has no effect there");
        nothing(directive.span)
    }
}
