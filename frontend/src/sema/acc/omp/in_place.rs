//! Constructs of threads and tasks in code of a device, which has no such threads: one thread executes their
//! statements where they stand.

use super::super::build::Wanted;
use super::super::clauses;
use super::super::copies::Copies;
use super::super::visit::VisitMut;
use super::code::declare;
use crate::ast;
use crate::ctype::QualType;
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
        // One thread adds to the variables themselves.
        let (mut by_operator, mut declared) = (Vec::new(), Vec::new());
        for clause in &selected {
            match &clause.kind {
                ClauseKind::If(e) => evaluated.extend(self.condition_argument("if", e)),
                ClauseKind::Final(e) => evaluated.extend(self.condition_argument("final", e)),
                ClauseKind::Priority(e) => evaluated.extend(self.int_argument("priority", e, Wanted::Any)),
                ClauseKind::NumThreads(e) => {
                    evaluated.extend(self.int_argument("num_threads", e, Wanted::Positive));
                }
                ClauseKind::Private(items) => self.private_vars("private", items, &mut private),
                ClauseKind::FirstPrivate(items) => self.private_vars("firstprivate", items, &mut first),
                ClauseKind::Shared(items) => {
                    for item in items {
                        self.plain_variable("shared", item);
                    }
                }
                ClauseKind::Reduction(op, items) | ClauseKind::ReductionOfTasks(op, items) => {
                    self.device_reductions(*op, items, &mut by_operator, &mut declared);
                }
                _ => {}
            }
        }
        let body = self.body_for_one(directive, statement);
        let body = self.with_reduced(body, &declared);
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
            let array = if initialised { self.copied_array(var, span) } else { Ok(None) };
            let copy = self.copy_of(var);
            copies.0.insert(var, copy);
            let (Ok(array), false) = (array, self.types.is_vla(ty.ty)) else {
                list.push(declare(copy, None, span));
                if initialised {
                    let (to, from) = (self.var_lvalue(copy, span), self.var_lvalue(var, span));
                    list.push(self.copy_object(to, from, span));
                }
                continue;
            };
            let init = array.or_else(|| {
                initialised.then(|| {
                    let lvalue = self.var_lvalue(var, span);
                    let ty = QualType::plain(ty.ty);
                    let value = Expr { kind: ExprKind::Load(Box::new(lvalue)), ty, span };
                    Init { entries: vec![InitEntry { offset: 0, bits: None, ty: ty.ty, value }] }
                })
            });
            list.push(Stmt { kind: StmtKind::Declare(copy, init), span });
        }
        copies.stmt(&mut body);
        list.push(body);
        Stmt { kind: StmtKind::Block(list), span }
    }
}
