//! Semantic analysis: from the syntax tree to the typed tree.
//!
//! One [`Sema`] per translation unit. Expressions come back typed, with every conversion explicit and with
//! constant operands folded: an integer constant expression is an [`ExprKind::Int`] by the time it is looked
//! at. What did not type-check has [`TypeId::ERROR`], with which everything is compatible, so that one
//! mistake is reported once.

pub(crate) mod acc;
mod atomics;
mod attributes;
mod binary_float;
mod builtins;
mod call;
pub mod constant;
mod convert;
mod decl;
mod designators;
mod expr;
mod function;
mod init;
mod jumps;
mod labels;
mod literal;
mod loops;
mod operators;
mod record;
mod scope;
mod special;
mod state;
mod stmt;
mod types;

#[cfg(test)]
mod tests;

use crate::ast;
use crate::diag::{Diagnostic, ids};
use crate::parse::{Items, parse};
use crate::session::Session;
use crate::source::Span;
use crate::token::Token;
use crate::typed::Unit;
use std::mem;

pub use scope::{Binding, Entity};
pub use state::Sema;

impl Sema<'_> {
    fn item(&mut self, item: &ast::Item) {
        match item {
            ast::Item::Declaration(declaration) => {
                let mut out = Vec::new();
                self.declaration(declaration, &mut out);
            }
            ast::Item::Function(function) => self.function_definition(function),
            ast::Item::StaticAssert(assertion) => self.static_assert(assertion),
            ast::Item::Asm(span) => self.error(ids::ASM_UNSUPPORTED, *span, "assembly code is not supported"),
            ast::Item::Directive(directive) => self.directive_item(directive),
            ast::Item::Pragma(pragma) => self.pragma(pragma),
        }
    }
}

/// Analyses a translation unit; none if there are errors, which are in the session's sink.
pub fn analyze(session: &mut Session, unit: &ast::TranslationUnit) -> Option<Unit> {
    let mut sema = Sema::new(session);
    for item in &unit.items {
        sema.item(item);
    }
    finish(sema)
}

/// Parses and analyses a translation unit, each item as soon as it is there, and frees its tree; none if
/// there are errors, which are in the session's sink. Nothing is told of the analysis where the syntax is
/// wrong.
pub fn parse_and_analyze(session: &mut Session, tokens: &[Token]) -> Option<Unit> {
    let mut items = Items::new(session, tokens);
    let mut sema = Sema::new(session);
    while let Some(item) = items.next(sema.session) {
        if !items.failed() {
            sema.item(&item);
        }
    }
    let (failed, misread) = (items.failed(), items.misread());
    let found = mem::replace(&mut sema.session.sink, items.into_sink());
    if !failed {
        sema.session.sink.append(found);
        return finish(sema);
    }
    if misread {
        return None;
    }
    // Directives are wrong, and the rest is analysed. What is told of it depends on whether there are errors,
    // of which the first items knew nothing.
    let told = mem::take(&mut session.sink);
    let tree = parse(session, tokens);
    session.sink = told;
    analyze(session, &tree)
}

fn finish(mut sema: Sema<'_>) -> Option<Unit> {
    sema.no_function_declared();
    sema.finish_objects();
    sema.finish_functions();
    let Sema { session, types, vars, functions, strings, broken, may_alias, .. } = sema;
    if broken && session.errors() == 0 {
        // What was left out of the tree has been reported where it was left out; without that, say so here.
        let message = "a part of the program could not be analysed";
        session.sink.push(Diagnostic::error(ids::NOT_ANALYSED, Span::default(), message));
    }
    if session.errors() > 0 {
        return None;
    }
    let strict_aliasing = session.options.strict_aliasing && !may_alias;
    Some(Unit { types, vars, functions, strings, strict_aliasing })
}
