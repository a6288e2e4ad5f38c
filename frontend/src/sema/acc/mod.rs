//! OpenACC and OpenMP: from directives to constructs.
//!
//! A directive's clauses are first reduced to those that are legal and apply to the target ([`clauses`]),
//! then each is analysed by its topic; the statement behind the directive is analysed with the construct on
//! the stack of [`State::constructs`], and what depends on the statement (implicit data attributes,
//! associated loops) follows. Rules that need a whole function ([`levels`], [`warn`]) are checked when its
//! body is complete.

mod accumulation;
mod atomic;
mod atomic_compare;
mod between;
mod build;
mod clauses;
mod construct;
mod contents;
mod copies;
mod data;
mod declare;
mod executable;
mod gang_results;
mod idle;
mod implicit;
mod later;
mod levels;
mod loops;
mod members;
mod omp;
mod reduced;
mod reduction;
mod repeats;
mod routine;
mod sharing;
mod stale_bounds;
mod state;
mod subarrays;
mod target_region;
mod temporaries;
mod text;
mod unset_private;
pub(crate) mod visit;
mod warn;

#[cfg(test)]
mod tests;

pub(crate) use state::{Enclosing, State};

use super::Sema;
use crate::ast;
use crate::diag::{Diagnostic, ids};
use crate::directive::{Directive, DirectiveKind};
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, Routine};
use contents::Contents;

impl Sema<'_> {
    /// Analyses a directive in a function, with the statement it applies to. Constructs are bracketed by
    /// [`Sema::enter_construct`] and [`Sema::leave_construct`] around the analysis of their statement.
    pub(crate) fn directive_stmt(&mut self, directive: &Directive, body: Option<&ast::Stmt>) -> Stmt {
        self.acc.has_directives = true;
        let Some(body) = body else { return self.standalone(directive) };
        match &directive.kind {
            DirectiveKind::Parallel { .. } | DirectiveKind::Serial { .. } | DirectiveKind::Kernels { .. } => {
                self.compute_construct(directive, body)
            }
            DirectiveKind::Loop => {
                let clauses = clauses::select(directive, self.acc.target, &mut self.session.sink);
                self.loop_construct(directive, &clauses, body)
            }
            DirectiveKind::Data => self.data_construct(directive, body),
            DirectiveKind::HostData => self.host_data_construct(directive, body),
            DirectiveKind::Atomic(kind) => self.atomic_construct(directive, *kind, body),
            DirectiveKind::Omp(kind) => {
                self.nested_omp(directive, *kind, |sema| sema.omp_construct(directive, *kind, body))
            }
            DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::Update
            | DirectiveKind::Cache { .. }
            | DirectiveKind::Declare
            | DirectiveKind::Routine(_)
            | DirectiveKind::Wait(_)
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set => {
                let first = self.standalone(directive);
                let span = directive.span.to(body.span);
                let second = self.stmt(body);
                Stmt { kind: StmtKind::Block(vec![first, second]), span }
            }
        }
    }

    /// A directive without a statement.
    fn standalone(&mut self, directive: &Directive) -> Stmt {
        match &directive.kind {
            DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::Update
            | DirectiveKind::Wait(_)
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set => self.executable(directive),
            DirectiveKind::Cache { list, .. } => self.cache(directive, list),
            DirectiveKind::Declare => self.declare_in_block(directive),
            DirectiveKind::Routine(_) => {
                self.error(
                    ids::ROUTINE_PLACEMENT,
                    directive.name_span,
                    "`#pragma acc routine` must be at file scope",
                );
                nothing(directive.span)
            }
            DirectiveKind::Omp(kind) => {
                self.nested_omp(directive, *kind, |sema| sema.omp_standalone(directive, *kind))
            }
            DirectiveKind::Parallel { .. }
            | DirectiveKind::Serial { .. }
            | DirectiveKind::Kernels { .. }
            | DirectiveKind::Loop
            | DirectiveKind::Data
            | DirectiveKind::HostData
            | DirectiveKind::Atomic(_) => {
                self.error(
                    ids::DIRECTIVE_PLACEMENT,
                    directive.name_span,
                    format!("`#pragma {}` is not followed by a statement", directive.kind.name()),
                );
                nothing(directive.span)
            }
        }
    }

    /// Analyses a directive outside of functions.
    pub(crate) fn directive_item(&mut self, directive: &Directive) {
        self.no_function_declared();
        match &directive.kind {
            DirectiveKind::Declare => self.declare_global(directive),
            DirectiveKind::Routine(name) => self.routine_directive(directive, name.as_ref()),
            DirectiveKind::Omp(kind) => self.omp_item(directive, *kind),
            DirectiveKind::Parallel { .. }
            | DirectiveKind::Serial { .. }
            | DirectiveKind::Kernels { .. }
            | DirectiveKind::Loop
            | DirectiveKind::Data
            | DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::HostData
            | DirectiveKind::Update
            | DirectiveKind::Atomic(_)
            | DirectiveKind::Cache { .. }
            | DirectiveKind::Wait(_)
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set => self.error(
                ids::DIRECTIVE_PLACEMENT,
                directive.name_span,
                format!("`#pragma {}` stands outside of a function", directive.kind.name()),
            ),
        }
    }

    /// Called when the body of a function is complete: rules about the whole of it, and what could not be
    /// known before.
    pub(crate) fn function_finished(&mut self, function: FuncId, body: &mut FunctionBody) {
        let has_directives = std::mem::take(&mut self.acc.has_directives);
        let in_expressions = std::mem::take(&mut self.acc.in_expressions);
        let has_orphans = std::mem::take(&mut self.acc.has_orphans);
        if !has_directives && self.functions[function.0 as usize].routine.is_none() {
            return;
        }
        self.check_levels(function, body, in_expressions, has_orphans);
        self.check_routine_variables(function, body);
        if self.functions[function.0 as usize].routine.is_some() {
            self.complete_orphan_reductions(body);
        }
        let Contents { threads, reductions, data, later, private, .. } =
            Contents::of(self, body, in_expressions);
        // A clause with an error was left out: its absence is no news.
        if self.session.sink.errors() == 0 {
            if threads {
                self.warn_idle_threads(body);
            }
            if reductions {
                self.warn_gang_results(body);
            }
            if data {
                self.warn_stale_bounds(body);
            }
        }
        if later {
            self.apply_later_uses(body);
        }
        // Temporaries of loops are what the host does not read later.
        if private || later {
            implicit::privatise_loop_objects(&self.vars, &self.types, body, in_expressions);
        }
    }

    /// Called where a definition has a parameter that is declared as an array.
    pub(crate) fn array_parameter(&mut self, var: VarId, length: &ast::Expr) {
        let length = self.rvalue(length);
        let length = self.const_int(&length).and_then(|length| u64::try_from(length).ok());
        if let Some(length) = length.filter(|&length| length > 0) {
            self.acc.array_params.insert(var, length);
        }
    }

    /// Called where the function being analysed uses a builtin.
    pub(crate) fn builtin_used(&mut self, builtin: Builtin) {
        let asks = matches!(builtin, Builtin::ParlevelId | Builtin::ParlevelSize);
        self.acc.has_directives |= asks;
        self.acc.in_expressions |= asks;
    }

    /// The innermost compute construct around the statement being analysed, and its directive.
    pub(super) fn enclosing_compute(&self) -> Option<(ConstructKind, Span)> {
        self.acc.constructs.iter().rev().find_map(|c| match c {
            Enclosing::Compute { kind, span } => Some((*kind, *span)),
            Enclosing::Data { .. } | Enclosing::HostData { .. } | Enclosing::Loop => None,
        })
    }

    /// `routine` of the function being analysed.
    fn current_routine(&self) -> Option<&Routine> {
        let function = self.function.as_ref()?;
        self.functions[function.id.0 as usize].routine.as_ref()
    }

    /// Whether a construct that the host executes may stand here; says so if not.
    fn check_host_code(&mut self, directive: &Directive) -> bool {
        let Some((kind, place)) = self.enclosing_compute() else { return true };
        let name = directive.kind.name();
        self.emit(
            Diagnostic::error(
                ids::CONSTRUCT_NESTING,
                directive.name_span,
                format!("`{name}` inside of a `{}` construct", kind.name()),
            )
            .related(place, "the construct around it")
            .note("code of a compute construct runs on the device, which cannot start this"),
        );
        false
    }
}

/// An empty statement.
fn nothing(span: Span) -> Stmt {
    Stmt { kind: StmtKind::Block(Vec::new()), span }
}
