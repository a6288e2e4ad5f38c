//! `declare target`.

use crate::ast;
use crate::sema::{Entity, Sema};
use accrue_ir::MapKind;

impl Sema<'_> {
    pub(super) fn declare_target(&mut self, item: &ast::Expr) {
        if let ast::ExprKind::Ident(symbol) = item.kind
            && let Some(Entity::Func(function)) = self.lookup(symbol)
        {
            self.functions[function.0 as usize].referenced = true;
            return;
        }
        if let Some(var) = self.plain_variable("declare target", item) {
            self.vars[var.0 as usize].declare = Some(MapKind::Create);
        }
    }
}
