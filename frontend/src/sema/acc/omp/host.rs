//! Constructs of the host's threads and tasks.

use super::super::build::Wanted;
use super::super::copies::Copies;
use super::super::visit::VisitMut;
use super::super::{clauses, ids};
use crate::ast;
use crate::ctype::QualType;
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive};
use crate::sema::Sema;
use crate::typed::*;
use rustc_hash::FxHashMap;

impl Sema<'_> {
    /// `task`, `parallel`, `single` and others that one thread runs where they stand.
    pub(super) fn omp_in_place(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        self.check_repeated_private(&selected);
        let mut evaluated = Vec::new();
        let (mut private, mut first) = (Vec::new(), Vec::new());
        for clause in &selected {
            match &clause.kind {
                ClauseKind::If(e) => evaluated.extend(self.condition_argument("if", e)),
                ClauseKind::Final(e) => evaluated.extend(self.condition_argument("final", e)),
                ClauseKind::Priority(e) => evaluated.extend(self.int_argument("priority", e, Wanted::Any)),
                ClauseKind::NumThreads(e) => {
                    evaluated.extend(self.int_argument("num_threads", e, Wanted::Positive));
                }
                ClauseKind::Depend(_, items) => self.depend_items(items),
                ClauseKind::Private(items) => self.private_vars("private", items, &mut private),
                ClauseKind::FirstPrivate(items) => self.private_vars("firstprivate", items, &mut first),
                ClauseKind::Shared(items) => {
                    for item in items {
                        self.plain_variable("shared", item);
                    }
                }
                ClauseKind::Reduction(op, items) => {
                    let mut checked = Vec::new();
                    self.reduction_items(*op, items, &mut checked);
                }
                _ => {}
            }
        }
        self.enter_construct(directive.kind.name(), directive.name_span);
        let body = self.stmt(statement);
        self.leave_construct();
        let body = self.with_copies(body, &private, &first);
        let span = directive.span.to(statement.span);
        Stmt { kind: StmtKind::OmpInline(evaluated, Box::new(body)), span }
    }

    /// Gives `body` its own copies of variables.
    pub(super) fn with_copies(&mut self, mut body: Stmt, private: &[VarId], first: &[VarId]) -> Stmt {
        if private.is_empty() && first.is_empty() {
            return body;
        }
        let span = body.span;
        let mut list = Vec::new();
        let mut copies = Copies(FxHashMap::default());
        for (var, initialised) in private.iter().map(|v| (*v, false)).chain(first.iter().map(|v| (*v, true)))
        {
            let ty = self.vars[var.0 as usize].ty;
            if self.types.is_vla(ty.ty) || initialised && self.copied_array(var, span).is_err() {
                let name = self.var_text(var);
                self.emit(Diagnostic::error(
                    ids::OMP_UNSUPPORTED,
                    span,
                    format!("a private copy of the array `{name}` is not supported on this directive"),
                ));
                continue;
            }
            let copy = self.hidden_var(QualType::plain(ty.ty), span);
            self.vars[copy.0 as usize].in_memory = self.vars[var.0 as usize].in_memory;
            let array = if initialised { self.copied_array(var, span).ok().flatten() } else { None };
            let init = array.or_else(|| {
                initialised.then(|| {
                    let lvalue = self.var_lvalue(var, span);
                    let ty = QualType::plain(ty.ty);
                    let value = Expr { kind: ExprKind::Load(Box::new(lvalue)), ty, span };
                    Init { entries: vec![InitEntry { offset: 0, bits: None, ty: ty.ty, value }] }
                })
            });
            list.push(Stmt { kind: StmtKind::Declare(copy, init), span });
            copies.0.insert(var, copy);
        }
        copies.stmt(&mut body);
        list.push(body);
        Stmt { kind: StmtKind::Block(list), span }
    }
}
