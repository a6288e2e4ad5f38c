//! OpenACC and OpenMP: from directives to constructs.

use super::Sema;
use crate::ast;
use crate::diag::Diagnostic;
use crate::directive::Directive;
use crate::typed::{FuncId, Stmt, StmtKind};

/// What the analysis of directives keeps between calls.
#[derive(Default)]
pub(crate) struct State {}

impl Sema<'_> {
    /// Analyses a directive in a function, with the statement it applies to. Constructs are bracketed by
    /// [`Sema::enter_construct`] and [`Sema::leave_construct`] around the analysis of their statement.
    pub(crate) fn directive_stmt(&mut self, directive: &Directive, body: Option<&ast::Stmt>) -> Stmt {
        self.emit(Diagnostic::error(
            "directive-unsupported",
            directive.name_span,
            "directive is not supported",
        ));
        match body {
            Some(body) => self.stmt(body),
            None => Stmt { kind: StmtKind::Block(Vec::new()), span: directive.span },
        }
    }

    /// Analyses a directive outside of functions.
    pub(crate) fn directive_item(&mut self, directive: &Directive) {
        self.emit(Diagnostic::error(
            "directive-unsupported",
            directive.name_span,
            "directive is not supported",
        ));
    }

    /// Called for every declaration of a function, before its body: `routine` without a name applies to the next one.
    pub(crate) fn function_declared(&mut self, _function: FuncId) {}

    /// Called where something other than a function was declared, and at the end of the translation unit.
    pub(crate) fn no_function_declared(&mut self) {}
}
