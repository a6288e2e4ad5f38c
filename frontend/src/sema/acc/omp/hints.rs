//! Directives that tell something: `error` the user, `assume`, `tile` and `unroll` the compiler, `allocate`
//! where variables are (OpenMP 5.2, 8.3, 8.5, 9 and 6.6).

use super::super::{clauses, ids, nothing};
use super::code::{Routine, block, effect};
use crate::ast;
use crate::ctype::{QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive};
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;

/// The largest alignment of a variable.
const MOST_ALIGNMENT: u32 = 4096;
/// What the traits of an allocator may ask for and programs do: a line of a cache.
const ALIGNMENT_OF_ALLOCATORS: u64 = 64;

impl Sema<'_> {
    /// `assume`, `tile`, `unroll`: what they say of their statement helps optimisers only.
    pub(super) fn assume(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        clauses::select(directive, self.acc.target, &mut self.session.sink);
        self.construct_body(directive, statement)
    }

    /// `allocate`: all allocators have the same memory, so that what matters is `align`.
    pub(super) fn allocate_directive(&mut self, directive: &Directive) {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let mut align = None;
        let mut names = None;
        for clause in selected {
            match &clause.kind {
                ClauseKind::Align(bytes) => align = self.constant_argument("align", bytes, MOST_ALIGNMENT),
                ClauseKind::Names(list) => names = Some(list),
                _ => {}
            }
        }
        if !self.is_alignment(align, directive.span) {
            return;
        }
        let Some(names) = names else {
            let message = "`#pragma omp allocate` needs a list of variables";
            self.error(ids::MISSING_CLAUSE, directive.name_span, message);
            return;
        };
        for name in names {
            let Some(Entity::Var(var)) = self.lookup(name.sym) else {
                let text = self.text(name.sym);
                let message = format!("`{text}` is not a variable: `allocate` does not take it");
                self.error(ids::NOT_A_VARIABLE, name.span, message);
                continue;
            };
            let object = &mut self.vars[var.0 as usize];
            object.align = object.align.max(align.map(u64::from));
        }
    }

    /// The clause `allocate`: private copies are on the stack, as far apart as allocators want them by
    /// default.
    pub(super) fn allocate_clause(
        &mut self,
        allocator: Option<&ast::Expr>,
        align: Option<&ast::Expr>,
        items: &[ast::Expr],
    ) {
        allocator.map(|allocator| self.rvalue(allocator));
        let align = align.and_then(|bytes| {
            let found = self.constant_argument("align", bytes, MOST_ALIGNMENT);
            found.filter(|_| self.is_alignment(found, bytes.span))
        });
        let bytes = align.map_or(ALIGNMENT_OF_ALLOCATORS, u64::from).max(ALIGNMENT_OF_ALLOCATORS);
        for item in items {
            if let Some(var) = self.plain_variable("allocate", item) {
                let object = &mut self.vars[var.0 as usize];
                object.copies_align = object.copies_align.max(Some(bytes));
            }
        }
    }

    /// Whether the argument of `align` is one; says so if not.
    fn is_alignment(&mut self, bytes: Option<u32>, span: Span) -> bool {
        let is_one = bytes.is_none_or(u32::is_power_of_two);
        if !is_one {
            self.error(ids::CLAUSE_ARGUMENT, span, "the argument of `align` must be a power of two");
        }
        is_one
    }

    /// `error`: a diagnostic, or with `at(execution)` a message of the program.
    pub(super) fn error_directive(&mut self, directive: &Directive) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let (mut is_fatal, mut is_executed, mut message) = (true, false, None);
        for clause in &selected {
            match &clause.kind {
                ClauseKind::At(execution) => is_executed = *execution,
                ClauseKind::Severity(fatal) => is_fatal = *fatal,
                ClauseKind::Message(text) => message = Some(text),
                _ => {}
            }
        }
        if is_executed {
            return self.error_at_execution(directive, message, is_fatal);
        }
        let text = message.map(|message| (self.literal(message), message.span));
        let text = match text {
            None => "`omp error` was encountered".to_owned(),
            Some((Some(text), _)) => format!("`omp error` was encountered: {text}"),
            Some((None, at)) => {
                self.error(ids::CLAUSE_ARGUMENT, at, "the message of `error` must be a string literal");
                return nothing(span);
            }
        };
        let diagnostic = match is_fatal {
            true => Diagnostic::error(ids::OMP_ERROR, directive.name_span, text),
            false => Diagnostic::warning(ids::OMP_WARNING, directive.name_span, text),
        };
        self.emit(diagnostic);
        nothing(span)
    }

    /// The characters of a string literal.
    fn literal(&mut self, text: &ast::Expr) -> Option<String> {
        let ast::ExprKind::String(spellings) = &text.kind else { return None };
        let (elements, _) = self.string_elements(spellings, text.span);
        Some(elements.into_iter().filter_map(char::from_u32).collect())
    }

    fn error_at_execution(
        &mut self,
        directive: &Directive,
        message: Option<&ast::Expr>,
        is_fatal: bool,
    ) -> Stmt {
        let span = directive.span;
        let place = self.place_argument(span);
        let message = match message {
            Some(message) => self.rvalue(message),
            None => self.int_expr(0, TypeId::INT, span),
        };
        if !self.types.is_pointer(message.ty.ty) && self.const_int(&message) != Some(0) {
            self.error(ids::CLAUSE_ARGUMENT, message.span, "the message of `error` must be a string");
            return block(Vec::new(), span);
        }
        let message = self.convert(message, place.ty.ty);
        let fatal = self.int_expr(is_fatal.into(), TypeId::INT, span);
        let told = self.do_routine(Routine::ERROR, vec![place, message, fatal], span);
        if self.is_host_code() && self.acc.declare_targets.is_empty() {
            return told;
        }
        // No device can write the message; one that is fatal ends the launch.
        let otherwise = match is_fatal {
            true => effect(Expr {
                kind: ExprKind::Builtin(Builtin::Trap, Vec::new()),
                ty: QualType::plain(TypeId::VOID),
                span,
            }),
            false => nothing(span),
        };
        self.on_host_only(told, otherwise)
    }
}
