//! `dispatch` (OpenMP 5.2, 7.6): a call for which variants are meant that want this construct.
//!
//! Which function is called is known while parsing, but for conditions of the program, for which there is a
//! version of the statement each:
//!
//! ```text
//! dispatch depend(in: x) nocontext(n < 9)  f(x);
//!     taskwait depend(in: x)
//!     if (n < 9) f(x); else dispatch f_dispatched(x);
//! ```

use super::cursor::Parse;
use super::{Parser, ids};
use crate::ast::{BlockItem, Expr, ExprKind, Stmt, StmtKind};
use crate::clause_table::{self, bits, on};
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive, DirectiveKind, OmpKind, Parts};
use crate::source::{Loc, Span};

/// What the next call is, which `dispatch` is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dispatched {
    /// One in that construct.
    Inside,
    /// One in no such construct: `nocontext`.
    Outside,
    /// One of the function itself: `novariants`.
    Itself,
}

impl Parser<'_> {
    /// Has an argument replaced by the device's address, unless a clause says that it is one.
    pub(super) fn device_pointer(&mut self, argument: &mut Expr) {
        if matches!(argument.kind, ExprKind::Ident(name) if self.device_pointers.contains(&name)) {
            return;
        }
        let span = argument.span;
        let host = std::mem::replace(argument, Expr { kind: ExprKind::Error, span });
        argument.kind = ExprKind::DevicePointer(Box::new(host));
    }

    /// The construct behind its directive.
    pub(super) fn dispatch(&mut self, mut directive: Directive, first: Loc) -> Parse<Stmt> {
        let mut waits = Vec::new();
        let mut conditions = Vec::new();
        self.device_pointers.clear();
        for clause in std::mem::take(&mut directive.clauses) {
            match clause.kind {
                ClauseKind::IsDevicePtr(items) => {
                    let name = |item: &Expr| match item.kind {
                        ExprKind::Ident(name) => Some(name),
                        _ => None,
                    };
                    self.device_pointers.extend(items.iter().filter_map(name));
                }
                ClauseKind::Depend(..) => waits.push(clause),
                ClauseKind::NoVariants(condition) => conditions.insert(0, (condition, Dispatched::Itself)),
                ClauseKind::NoContext(condition) => conditions.push((condition, Dispatched::Outside)),
                // Nobody but the caller executes the call.
                ClauseKind::Nowait => {}
                _ => directive.clauses.push(clause),
            }
        }
        let start = self.pos;
        let mut versions = Vec::new();
        let mut otherwise = Dispatched::Inside;
        for (condition, called) in conditions {
            match self.constant(&condition) {
                Some(0) => {}
                Some(_) => {
                    otherwise = called;
                    break;
                }
                None => versions.push((condition, self.dispatched(called, start, &directive)?)),
            }
        }
        let mut body = self.dispatched(otherwise, start, &directive)?;
        for (condition, then) in versions.into_iter().rev() {
            let span = then.span;
            let (then, otherwise) = (Box::new(then), Some(Box::new(body)));
            body = Stmt { kind: StmtKind::If { condition, then, otherwise }, span };
        }
        let span = Span { first, last: body.span.last };
        let (name_span, at) = (directive.name_span, directive.span);
        body = Stmt { kind: StmtKind::Directive(Box::new(directive), Some(Box::new(body))), span };
        if waits.is_empty() {
            return Ok(body);
        }
        let kind = DirectiveKind::Omp(OmpKind::Taskwait);
        for clause in &mut waits {
            // The clause is one of `taskwait` now.
            clause.row = clause_table::find("depend", on::OPENMP, bits(&kind)).unwrap_or(clause.row);
        }
        let is_complete = true;
        let wait =
            Directive { kind, parts: Parts::default(), clauses: waits, is_complete, name_span, span: at };
        let wait = Stmt { kind: StmtKind::Directive(Box::new(wait), None), span: at };
        Ok(Stmt { kind: StmtKind::Compound(vec![BlockItem::Stmt(wait), BlockItem::Stmt(body)]), span })
    }

    /// The statement at a position, with its call being one of these.
    fn dispatched(&mut self, called: Dispatched, start: usize, directive: &Directive) -> Parse<Stmt> {
        self.jump(start);
        self.dispatched = Some(called);
        let statement = *self.body_statement();
        self.dispatched = None;
        if !is_call(&statement) {
            let message = "`dispatch` applies to a call, or to an assignment of what a call returns";
            let diagnostic = Diagnostic::error(ids::EXPECTED_STATEMENT, statement.span, message);
            return Err(self.report(diagnostic.related(directive.span, "the directive")));
        }
        Ok(statement)
    }
}

fn is_call(statement: &Stmt) -> bool {
    let called = |expr: &Expr| matches!(expr.kind, ExprKind::Call(..));
    match &statement.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign(_, value), .. }) => called(value),
        StmtKind::Expr(expr) => called(expr),
        _ => false,
    }
}
