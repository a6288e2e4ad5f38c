//! What a function contains that the rules about whole functions are about. Most functions have little of
//! it, and each rule that does not concern one saves a walk over all of its code.

use super::later;
use super::visit::{Visit, walk_expr, walk_stmt};
use crate::sema::Sema;
use crate::typed::*;

/// Which rules concern a function.
pub(super) struct Contents<'a> {
    sema: &'a Sema<'a>,
    in_expressions: bool,
    /// A construct asks for workers or lanes.
    pub(super) threads: bool,
    /// A loop reduces something.
    pub(super) reductions: bool,
    /// A directive of the host maps or updates something.
    pub(super) data: bool,
    /// It matters what the host does behind a construct.
    pub(super) later: bool,
    /// A loop has variables of its own.
    pub(super) private: bool,
}

impl<'a> Contents<'a> {
    /// Those of a function. `in_expressions`: some of its statements are in expressions.
    pub(super) fn of(sema: &'a Sema<'a>, body: &FunctionBody, in_expressions: bool) -> Contents<'a> {
        let mut contents = Contents {
            sema,
            in_expressions,
            threads: false,
            reductions: false,
            data: false,
            later: false,
            private: false,
        };
        body.body.iter().for_each(|stmt| contents.stmt(stmt));
        contents
    }
}

impl Visit for Contents<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Compute(compute) => {
                let [_, workers, lanes] = compute.dims.sizes();
                self.threads |= workers.is_some() || lanes.is_some();
                self.later |= later::concerns_compute(self.sema, compute);
            }
            StmtKind::Data(construct) => {
                self.data = true;
                self.later |= later::concerns(self.sema, &construct.data, false);
            }
            StmtKind::Executable(_) => self.data = true,
            StmtKind::Loop(l) => {
                self.reductions |= !l.reductions.is_empty();
                self.private |= !l.private.is_empty();
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        if self.in_expressions {
            walk_expr(self, expr);
        }
    }
}
