//! Copies that stand for variables in a part of a function.

use super::visit::{VisitMut, walk_expr_mut, walk_stmt_mut};
use crate::ctype::{ArrayLen, CType, IntKind, QualType};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use rustc_hash::FxHashMap;

/// Most elements of an array that a construct has a copy of with its values: each is copied by itself.
const MOST_ELEMENTS: usize = 256;

/// An array is too long to be copied element by element.
pub(super) struct TooLong;

impl Sema<'_> {
    /// The initial value of a copy of an array; none for what is no array.
    pub(super) fn copied_array(&mut self, var: VarId, span: Span) -> Result<Option<Init>, TooLong> {
        let lvalue = self.var_lvalue(var, span);
        if !self.types.is_array(lvalue.ty.ty) {
            return Ok(None);
        }
        let mut entries = Vec::new();
        self.copied_parts(lvalue, 0, &mut entries)?;
        Ok(Some(Init { entries }))
    }

    fn copied_parts(&mut self, lvalue: Expr, offset: u64, out: &mut Vec<InitEntry>) -> Result<(), TooLong> {
        let span = lvalue.span;
        let CType::Array(element, ArrayLen::Known(count)) = *self.types.get(lvalue.ty.ty) else {
            let ty = QualType::plain(lvalue.ty.ty);
            let value = Expr { kind: ExprKind::Load(Box::new(lvalue)), ty, span };
            out.push(InitEntry { offset, bits: None, ty: ty.ty, value });
            return Ok(());
        };
        let Some(size) = self.types.size(element.ty).filter(|_| count <= MOST_ELEMENTS as u64) else {
            return Err(TooLong);
        };
        for index in 0..count {
            if out.len() >= MOST_ELEMENTS {
                return Err(TooLong);
            }
            let pointer = self.to_rvalue(lvalue.clone());
            let ty = pointer.ty;
            let place = Expr {
                kind: ExprKind::Int(index.into()),
                ty: QualType::plain(IntKind::Long.type_id()),
                span,
            };
            let kind =
                ExprKind::PtrAdd { pointer: Box::new(pointer), index: Box::new(place), subtract: false };
            let address = Expr { kind, ty, span };
            let inner = Expr { kind: ExprKind::Deref(Box::new(address)), ty: element, span };
            self.copied_parts(inner, offset + index * size, out)?;
        }
        Ok(())
    }
}

/// Replaces variables by their copies.
#[derive(Default)]
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
                let counters = construct.loops.iter_mut().map(|one| &mut one.var);
                let shared = construct.team.iter_mut().flatten();
                construct.private.iter_mut().chain(counters).chain(shared).for_each(|var| self.var(var));
            }
            StmtKind::For { canonical, any_order, .. } => {
                canonical.iter_mut().for_each(|one| self.var(&mut one.var));
                self.reduced(any_order);
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
