//! Freeing trees without deep recursion.
//!
//! The parser bounds how deep a tree nests ([`super::MAX_NESTING`]), except along spines that real programs
//! make long and that it therefore builds in a loop: the left operands of binary operators and commas,
//! `else if`, and the statements behind labels. The drop glue would recurse along them; here it does not.
//! Whoever walks a tree must follow these four spines in a loop, too.

use crate::ast::{Expr, ExprKind, Stmt, StmtKind};
use std::mem;

impl Drop for Expr {
    fn drop(&mut self) {
        while let ExprKind::Binary(_, _, left, _) | ExprKind::Comma(left, _) = &mut self.kind {
            let left = mem::replace(&mut left.kind, ExprKind::Error);
            self.kind = left;
        }
    }
}

impl Drop for Stmt {
    fn drop(&mut self) {
        while let StmtKind::If { otherwise: Some(next), .. }
        | StmtKind::Label(_, _, next)
        | StmtKind::Case(_, _, next)
        | StmtKind::Default(next) = &mut self.kind
        {
            let next = mem::replace(&mut next.kind, StmtKind::Empty);
            self.kind = next;
        }
    }
}
