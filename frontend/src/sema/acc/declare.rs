//! `declare`: data on the device for as long as a variable lives (OpenACC 3.3 section 2.13).

use super::clauses;
use super::{ids, nothing};
use crate::ast;
use crate::clause_table::data_name;
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive};
use crate::sema::{Entity, Sema};
use crate::typed::*;
use accrue_ir::MapKind;

/// Clauses for objects that live as long as the program.
fn for_globals(clause: MapKind) -> bool {
    matches!(
        clause,
        MapKind::Create | MapKind::CopyIn | MapKind::DevicePtr | MapKind::DeviceResident | MapKind::Link
    )
}

impl Sema<'_> {
    /// `declare` at file scope.
    pub(super) fn declare_global(&mut self, directive: &Directive) {
        for item in self.declare_items(directive) {
            self.declare_for_ever(&item, "at file scope");
        }
    }

    /// `declare` in a function: data that lives as long as the block.
    pub(super) fn declare_in_block(&mut self, directive: &Directive) -> Stmt {
        let mut local = Vec::new();
        for item in self.declare_items(directive) {
            match self.vars[item.var.0 as usize].storage {
                Storage::Static { .. } | Storage::Thread { .. } => {
                    self.declare_for_ever(&item, "for a variable with static storage duration");
                }
                Storage::Auto | Storage::Param(_) => {
                    if self.check_local(&item) && self.first_declare(&item) {
                        local.push(item);
                    }
                }
            }
        }
        if local.is_empty() {
            return nothing(directive.span);
        }
        Stmt { kind: StmtKind::DeclareData(local), span: directive.span }
    }

    fn declare_items(&mut self, directive: &Directive) -> Vec<DataItem> {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let mut items = Vec::new();
        for clause in selected {
            let ClauseKind::Data(which, modifiers, list) = &clause.kind else { continue };
            for expr in list {
                if let ast::ExprKind::Section(..) | ast::ExprKind::Index(..) = expr.kind {
                    let message = "`declare` takes whole variables, not an array section";
                    if self.function.is_none() {
                        self.error(ids::DATA_ITEM, expr.span, message);
                        continue;
                    }
                    // In a function the bounds can be evaluated, and other compilers do.
                    self.emit(Diagnostic::warning(ids::DECLARE_SECTION, expr.span, message));
                }
                self.data_items(*which, *modifiers, std::slice::from_ref(expr), &mut items);
            }
        }
        if directive.clauses.is_empty() {
            self.error(ids::MISSING_CLAUSE, directive.name_span, "`#pragma acc declare` has no clauses");
        }
        items
    }

    /// `declare` for an object that lives as long as the program.
    fn declare_for_ever(&mut self, item: &DataItem, place: &str) {
        if !for_globals(item.clause) {
            let clause = data_name(item.clause);
            self.emit(
                Diagnostic::error(
                    ids::DECLARE_PLACEMENT,
                    item.span,
                    format!("invalid use of `{clause}` of `declare` {place}"),
                )
                .note("`create`, `copyin`, `deviceptr`, `device_resident` and `link` are allowed"),
            );
            return;
        }
        self.first_declare(item);
    }

    /// Notes the directive; an error if there is one already.
    fn first_declare(&mut self, item: &DataItem) -> bool {
        if let Some(first) = self.acc.declares.get(&item.var).copied() {
            let name = self.var_text(item.var);
            self.emit(
                Diagnostic::error(
                    ids::DECLARE_DUPLICATE,
                    item.span,
                    format!("`{name}` is used more than once with `#pragma acc declare`"),
                )
                .related(first, "first here"),
            );
            return false;
        }
        self.acc.declares.insert(item.var, item.span);
        // What a section maps is what the pointer points to, not the pointer.
        if !matches!(item.shape, DataShape::Section { .. } | DataShape::Part { .. }) {
            self.vars[item.var.0 as usize].declare = Some(item.clause);
        }
        true
    }

    fn check_local(&mut self, item: &DataItem) -> bool {
        let name = self.var_text(item.var);
        if item.clause == MapKind::Link {
            self.error(
                ids::DECLARE_PLACEMENT,
                item.span,
                format!("`{name}` must be a global variable to be in `declare link`"),
            );
            return false;
        }
        if !self.is_of_this_scope(item) {
            let declared = self.vars[item.var.0 as usize].span;
            self.emit(
                Diagnostic::error(
                    ids::DECLARE_PLACEMENT,
                    item.span,
                    format!("`{name}` must be declared in the same scope as `#pragma acc declare`"),
                )
                .related(declared, "declared in another scope"),
            );
            return false;
        }
        true
    }

    fn is_of_this_scope(&self, item: &DataItem) -> bool {
        let object = &self.vars[item.var.0 as usize];
        if let Storage::Param(_) = object.storage {
            return true;
        }
        let Some(name) = object.name else { return false };
        self.idents.get_here(name).is_some_and(|b| b.entity == Entity::Var(item.var))
    }
}
