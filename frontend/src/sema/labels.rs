//! Statements that name labels, and the errors of jumps.

use super::jumps::{Breakable, Goto, Jumps, Region, RegionKind};
use super::{Sema, ids};
use crate::ast::Ident;
use crate::ctype::{QualType, TypeId};
use crate::diag::Diagnostic;
use crate::intern::Symbol;
use crate::source::Span;
use crate::typed::*;

impl Sema<'_> {
    /// `name:`; the label's id.
    pub(super) fn define_label(&mut self, name: Ident) -> LabelId {
        let Some(function) = &mut self.function else { return LabelId(0) };
        let jumps = &mut function.jumps;
        let label = jumps.label(name.sym);
        let region = jumps.current;
        let previous = jumps.labels[label.0 as usize].defined.replace((region, name.span));
        if let Some((_, previous)) = previous {
            let message = format!("duplicate label '{}'", self.text(name.sym));
            self.emit(
                Diagnostic::error(ids::DUPLICATE_LABEL, name.span, message)
                    .related(previous, "previous definition is here"),
            );
        }
        label
    }

    /// Analyses a statement a second time, which gives it labels of its own; none if that is an error, or if
    /// it jumps to labels elsewhere.
    pub(crate) fn second_version(&mut self, analyse: impl FnOnce(&mut Self) -> Stmt) -> Option<Stmt> {
        let before = self.function.as_mut().map(|function| function.jumps.suspend());
        let errors = self.session.errors();
        let made = analyse(self);
        let is_right = self.session.errors() == errors;
        let (Some(function), Some(before)) = (&mut self.function, before) else {
            return is_right.then_some(made);
        };
        function.jumps.resume(before, is_right).then_some(made)
    }

    /// A label that no name of the program means; whoever makes it places it.
    pub(crate) fn hidden_label(&mut self, name: &str) -> LabelId {
        let name = self.session.interner.intern(name);
        self.function.as_mut().map_or(LabelId(0), |function| function.jumps.new_label(name))
    }

    /// `goto name;`
    pub(super) fn goto_label(&mut self, name: Ident) -> LabelId {
        let Some(function) = &mut self.function else { return LabelId(0) };
        let jumps = &mut function.jumps;
        let label = jumps.label(name.sym);
        jumps.labels[label.0 as usize].used.get_or_insert(name.span);
        jumps.gotos.push(Goto { label, region: jumps.current, span: name.span });
        label
    }

    /// `&&name`.
    pub(super) fn label_address(&mut self, name: Ident, span: Span) -> Expr {
        let Some(function) = &mut self.function else {
            self.error(ids::UNDEFINED_LABEL, span, "label address used outside of a function");
            return self.error_expr(span);
        };
        let jumps = &mut function.jumps;
        let label = jumps.label(name.sym);
        let entry = &mut jumps.labels[label.0 as usize];
        entry.used.get_or_insert(name.span);
        entry.address_taken = true;
        Expr { kind: ExprKind::LabelAddr(label), ty: QualType::plain(TypeId::VOID_PTR), span }
    }

    /// A declaration of a variably modified object: what follows in its block is not to be jumped into.
    pub(super) fn enter_vla_scope(&mut self, name: Ident, ty: QualType) {
        if self.function.is_none() || !self.types.is_variably_modified(ty.ty) {
            return;
        }
        if let Some(function) = &mut self.function {
            function.jumps.enter(RegionKind::Vla(name.sym), name.span);
        }
    }

    /// Starts a construct that must not be branched into or out of; `name` is the directive, for messages.
    pub fn enter_construct(&mut self, name: &'static str, span: Span) {
        if let Some(function) = &mut self.function {
            function.jumps.enter(RegionKind::Construct(name), span);
            function.jumps.breakables.push(Breakable::Construct(name, span));
        }
    }

    /// Ends the innermost construct.
    pub fn leave_construct(&mut self) {
        let Some(function) = &mut self.function else { return };
        let jumps = &mut function.jumps;
        jumps.breakables.pop();
        while jumps.current != 0 {
            let region = jumps.regions[jumps.current as usize];
            jumps.current = region.parent;
            if matches!(region.kind, RegionKind::Construct(_)) {
                break;
            }
        }
    }

    /// The innermost construct around this place: its name and span.
    pub(crate) fn enclosing_construct(&self) -> Option<(&'static str, Span)> {
        let jumps = &self.function.as_ref()?.jumps;
        let mut at = jumps.current;
        while at != 0 {
            let region = jumps.regions[at as usize];
            if let RegionKind::Construct(name) = region.kind {
                return Some((name, region.span));
            }
            at = region.parent;
        }
        None
    }

    /// `break` (`continue` if `of_loop`): whether there is something to leave.
    pub(super) fn check_break(&mut self, of_loop: bool, span: Span) -> bool {
        let breakables = self.function.as_ref().map_or(&[][..], |function| &function.jumps.breakables);
        let found =
            breakables.iter().rev().copied().find(|breakable| !of_loop || *breakable != Breakable::Switch);
        let statement = if of_loop { "continue" } else { "break" };
        match found {
            Some(Breakable::Loop | Breakable::Switch) => true,
            Some(Breakable::Construct(name, start)) => {
                let message = format!("'{statement}' leaves the '{name}' construct");
                self.emit(
                    Diagnostic::error(ids::CONSTRUCT_BRANCH, span, message)
                        .related(start, "the construct begins here"),
                );
                false
            }
            None => {
                let place = if of_loop { "a loop" } else { "a loop or switch" };
                self.error(ids::STRAY_JUMP, span, format!("'{statement}' statement not within {place}"));
                false
            }
        }
    }

    /// A `case` label in the region of a switch body that jumps from the head of the switch must not enter.
    pub(super) fn check_case_region(&mut self, switch_region: u32, switch: Span, span: Span) {
        let Some(function) = &self.function else { return };
        if let Some((entered, region)) = function.jumps.crossed(switch_region, function.jumps.current) {
            self.bad_jump("switch jumps", switch, span, entered, region);
        }
    }

    fn bad_jump(&mut self, what: &str, span: Span, label: Span, entered: bool, region: Region) {
        let (id, message) = match (entered, region.kind) {
            (_, RegionKind::Vla(name)) => (
                ids::JUMP_INTO_VLA,
                format!("{what} into the scope of variably modified '{}'", self.text(name)),
            ),
            (_, RegionKind::StmtExpr) => {
                (ids::JUMP_INTO_STMT_EXPR, format!("{what} into a statement expression"))
            }
            (true, RegionKind::Construct(name)) => {
                (ids::CONSTRUCT_BRANCH, format!("{what} into the '{name}' construct"))
            }
            (false, RegionKind::Construct(name)) => {
                (ids::CONSTRUCT_BRANCH, format!("{what} out of the '{name}' construct"))
            }
            (_, RegionKind::Body) => return,
        };
        let diagnostic = Diagnostic::error(id, span, message).related(region.span, "which begins here");
        self.emit(if label == span { diagnostic } else { diagnostic.related(label, "label is here") });
    }

    /// Checks all jumps of a function whose body has been read; gives the names of its labels, and
    /// those whose address is taken.
    pub(super) fn check_labels(&mut self, jumps: Jumps) -> (Vec<Symbol>, Vec<LabelId>) {
        for label in &jumps.labels {
            if let (None, Some(used)) = (label.defined, label.used) {
                let message = format!("label '{}' used but not defined", self.text(label.name));
                self.error(ids::UNDEFINED_LABEL, used, message);
            }
        }
        for goto in &jumps.gotos {
            let Some((region, label)) = jumps.labels[goto.label.0 as usize].defined else { continue };
            if let Some((entered, region)) = jumps.crossed(goto.region, region) {
                self.bad_jump("jump", goto.span, label, entered, region);
            }
        }
        let names = jumps.labels.iter().map(|label| label.name).collect();
        let taken = (0..).zip(&jumps.labels).filter(|(_, label)| label.address_taken);
        (names, taken.map(|(index, _)| LabelId(index)).collect())
    }
}
