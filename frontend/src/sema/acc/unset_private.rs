//! Variables in `private` clauses that the code there reads and never sets.
//!
//! The copies have no values by the letter, so that a program cannot have meant them: it names the counter
//! of the loop around, or what it believes to be `firstprivate`. The variable is kept as it is, with a
//! warning:
//!
//! ```text
//! #pragma acc parallel loop
//! for (j ...)
//! #pragma acc loop private(j)                      `j` is that of the loop around
//!     for (i ...) b[i] = a[j][i];
//! ```

use super::ids;
use super::visit::{Visit, VisitMut, root_var, variables, walk_expr, walk_stmt, walk_stmt_mut};
use crate::diag::Diagnostic;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use rustc_hash::FxHashSet;

impl Sema<'_> {
    /// Takes such variables from the clauses of a compute construct, before attributes are determined that no
    /// clause names.
    pub(super) fn drop_unset_private(&mut self, compute: &mut Compute) {
        if compute.defaultmap.is_some() || self.session.errors() > 0 {
            return;
        }
        let mut dropped = self.unset(&mut compute.private, &compute.body, compute.span);
        let mut loops = Loops { sema: self, dropped: Vec::new() };
        loops.stmt(&mut compute.body);
        dropped.append(&mut loops.dropped);
        for (var, span) in dropped {
            let name = self.var_text(var);
            let message =
                format!("`{name}` is `private` here, where it is read and never set: the clause is ignored");
            self.emit(Diagnostic::warning(ids::PRIVATE_UNSET, span, message).note(format!(
                "a private `{name}` has no value: leave it out of the clause, or write `firstprivate({name})` on the construct"
            )));
        }
    }

    /// Takes the scalars from a clause that a statement reads and never sets.
    fn unset(&self, private: &mut Vec<VarId>, body: &Stmt, span: Span) -> Vec<(VarId, Span)> {
        let is_scalar = |var: &VarId| self.types.is_scalar(self.vars[var.0 as usize].ty.ty);
        if !private.iter().any(is_scalar) {
            return Vec::new();
        }
        let mut uses = Uses::default();
        uses.stmt(body);
        let is_unset =
            |var: &VarId| is_scalar(var) && uses.named.contains(var) && !uses.changed.contains(var);
        private.extract_if(.., |var| is_unset(var)).map(|var| (var, span)).collect()
    }
}

/// The loops of a construct.
struct Loops<'a, 's> {
    sema: &'a Sema<'s>,
    dropped: Vec<(VarId, Span)>,
}

impl VisitMut for Loops<'_, '_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::Loop(l) = &mut stmt.kind {
            let counters: Vec<VarId> = l.loops.iter().map(|canonical| canonical.var).collect();
            let (mut own, mut written): (Vec<VarId>, Vec<VarId>) =
                l.private.drain(..).partition(|var| counters.contains(var));
            self.dropped.append(&mut self.sema.unset(&mut written, &l.body, l.span));
            l.private.append(&mut written);
            l.private.append(&mut own);
        }
        walk_stmt_mut(self, stmt);
    }
}

/// The variables that a statement names, and those that it may change.
#[derive(Default)]
struct Uses {
    named: FxHashSet<VarId>,
    changed: FxHashSet<VarId>,
}

impl Visit for Uses {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Loop(l) => self.changed.extend(l.loops.iter().map(|canonical| canonical.var)),
            StmtKind::Atomic(_) => {
                let mut inside = Uses::default();
                walk_stmt(&mut inside, stmt);
                self.changed.extend(inside.named);
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => _ = self.named.insert(*var),
            ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::IncDec { target, .. } => self.changed.extend(root_var(target)),
            ExprKind::AddrOf(inner) => self.changed.extend(variables(inner).into_iter().map(|(var, _)| var)),
            _ => {}
        }
        walk_expr(self, expr);
    }
}
