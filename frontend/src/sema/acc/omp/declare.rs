//! `declare target` and `requires`.

use super::super::clauses;
use super::super::ids;
use super::super::visit::{Visit, walk_expr};
use crate::ast;
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive, Requirement};
use crate::sema::{Entity, Sema};
use crate::typed::*;
use accrue_ir::MapKind;

impl Sema<'_> {
    /// `declare target` and `begin declare target`: without a list the declarations up to `end declare
    /// target`.
    pub(super) fn declare_target(&mut self, directive: &Directive) {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let mut named = false;
        for clause in &selected {
            let (items, kind) = match &clause.kind {
                ClauseKind::Motion(_, _, items) => (items, MapKind::Create),
                ClauseKind::Link(items) => (items, MapKind::Link),
                _ => continue,
            };
            named = true;
            for item in items {
                self.declare_target_item(item, kind);
            }
        }
        if named {
            return;
        }
        if self.function.is_some() {
            let message = "`#pragma omp declare target` in a function needs a list of variables";
            self.error(ids::MISSING_CLAUSE, directive.name_span, message);
            return;
        }
        self.acc.declare_targets.push(self.vars.len());
    }

    /// `end declare target`.
    pub(super) fn end_declare_target(&mut self, directive: &Directive) {
        let Some(start) = self.acc.declare_targets.pop() else {
            self.error(
                ids::DIRECTIVE_PLACEMENT,
                directive.name_span,
                "`#pragma omp end declare target` without `#pragma omp declare target`",
            );
            return;
        };
        for index in start..self.vars.len() {
            if matches!(self.vars[index].storage, Storage::Static { .. }) {
                self.declare_on_device(VarId(index as u32), MapKind::Create);
            }
        }
    }

    fn declare_target_item(&mut self, item: &ast::Expr, kind: MapKind) {
        if let ast::ExprKind::Ident(symbol) = item.kind
            && let Some(Entity::Func(function)) = self.lookup(symbol)
        {
            self.functions[function.0 as usize].referenced = true;
            return;
        }
        let Some(var) = self.plain_variable("declare target", item) else { return };
        let object = &self.vars[var.0 as usize];
        if !matches!(object.storage, Storage::Static { .. }) {
            let (name, declared) = (self.var_text(var), object.span);
            let message =
                format!("`{name}` does not have static storage duration, as `declare target` wants");
            let diagnostic = Diagnostic::error(ids::DECLARE_PLACEMENT, item.span, message);
            self.emit(diagnostic.related(declared, "declared here"));
            return;
        }
        self.declare_on_device(var, kind);
    }

    /// A variable exists on devices, and with it those whose addresses are in its initial value.
    pub(super) fn declare_on_device(&mut self, var: VarId, kind: MapKind) {
        let object = &mut self.vars[var.0 as usize];
        if object.declare.is_some() {
            return;
        }
        object.declare = Some(kind);
        let mut addresses = Addresses::default();
        for entry in object.init.iter().flat_map(|init| &init.entries) {
            addresses.expr(&entry.value);
        }
        for other in addresses.0 {
            if matches!(self.vars[other.0 as usize].storage, Storage::Static { .. }) {
                self.declare_on_device(other, MapKind::Create);
            }
        }
    }

    /// `requires`. No device shares the program's memory but the host, so that it executes what needs that.
    pub(super) fn requires(&mut self, directive: &Directive) {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        if selected.is_empty() && directive.clauses.is_empty() {
            self.error(ids::MISSING_CLAUSE, directive.name_span, "`#pragma omp requires` has no clauses");
        }
        for clause in selected {
            let ClauseKind::Requires(requirement) = clause.kind else { continue };
            match requirement {
                Requirement::UnifiedSharedMemory if self.acc.on_initial_device => {}
                Requirement::UnifiedSharedMemory => {
                    let message = "`target` constructs run on the host: no other device shares its memory";
                    self.emit(Diagnostic::warning(ids::OMP_REQUIRES, clause.span, message));
                    self.acc.on_initial_device = true;
                }
                Requirement::ReverseOffload => {
                    let message =
                        "`reverse_offload` is not supported: devices cannot start regions of the host";
                    self.error(ids::OMP_UNSUPPORTED, clause.span, message);
                }
                // Addresses of different devices differ, atomic operations of all are sequentially consistent
                // or need not be, and allocators are functions that the host has.
                Requirement::Harmless => {}
            }
        }
    }
}

/// The variables whose addresses an expression has.
#[derive(Default)]
struct Addresses(Vec<VarId>);

impl Visit for Addresses {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Var(var) = expr.kind {
            self.0.push(var);
        }
        walk_expr(self, expr);
    }
}
