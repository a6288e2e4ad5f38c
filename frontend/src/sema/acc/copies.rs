//! Copies that stand for variables in a part of a function.

use super::visit::{VisitMut, walk_expr_mut, walk_stmt_mut};
use crate::typed::*;
use rustc_hash::FxHashMap;

/// Replaces variables by their copies.
pub(super) struct Copies(pub(super) FxHashMap<VarId, VarId>);

impl Copies {
    fn var(&self, var: &mut VarId) {
        *var = self.0.get(var).copied().unwrap_or(*var);
    }

    fn reduced(&self, items: &mut [ReductionItem]) {
        items.iter_mut().for_each(|item| self.var(&mut item.var));
    }
}

impl VisitMut for Copies {
    fn stmt(&mut self, stmt: &mut Stmt) {
        let data = |items: &mut Vec<DataItem>| items.iter_mut().for_each(|item| self.var(&mut item.var));
        match &mut stmt.kind {
            StmtKind::Loop(construct) => {
                self.reduced(&mut construct.reductions);
                construct.private.iter_mut().for_each(|var| self.var(var));
            }
            StmtKind::Compute(compute) => {
                data(&mut compute.data);
                self.reduced(&mut compute.reductions);
                compute.private.iter_mut().chain(&mut compute.firstprivate).for_each(|var| self.var(var));
            }
            StmtKind::Threaded(threaded) => {
                threaded.captures.iter_mut().for_each(|(var, _)| self.var(var));
            }
            StmtKind::Data(construct) => data(&mut construct.data),
            StmtKind::Executable(executable) => data(&mut executable.data),
            StmtKind::HostData(construct) => {
                construct.vars.iter_mut().for_each(|(item, _)| self.var(&mut item.var));
            }
            _ => {}
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
