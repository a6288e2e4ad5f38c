//! Copies that stand for variables in a part of a function.

use super::visit::{VisitMut, walk_expr_mut, walk_stmt_mut};
use crate::typed::*;
use rustc_hash::FxHashMap;

/// Replaces variables by their copies.
pub(super) struct Copies(pub(super) FxHashMap<VarId, VarId>);

impl VisitMut for Copies {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::Loop(construct) = &mut stmt.kind {
            let reduced = construct.reductions.iter_mut().map(|item| &mut item.var);
            for var in reduced.chain(&mut construct.private) {
                *var = self.0.get(var).copied().unwrap_or(*var);
            }
        }
        walk_stmt_mut(self, stmt);
    }

    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Var(var) = &mut expr.kind
            && let Some(copy) = self.0.get(var)
        {
            *var = *copy;
        }
        walk_expr_mut(self, expr);
    }
}
