//! `dispatch`: the parser has chosen the function, what is left is the device that the call means.

use super::super::build::Wanted;
use super::super::clauses;
use super::code::{Routine, block};
use crate::ast;
use crate::ctype::TypeId;
use crate::directive::{ClauseKind, Directive};
use crate::sema::{Sema, ids};
use crate::typed::*;

impl Sema<'_> {
    /// The device's address in the place of a pointer to what is there: an argument of a call of `dispatch`.
    pub(in crate::sema) fn dispatched_pointer(&mut self, pointer: Expr) -> Expr {
        if self.is_device_code() || self.acc.target_region.is_some() || self.is_error(&pointer) {
            return pointer;
        }
        let (ty, span) = (pointer.ty.ty, pointer.span);
        if self.types.pointee(ty).is_none() {
            let message =
                "`adjust_args(need_device_ptr: ...)` takes this argument for a pointer, which it is not";
            self.error(ids::NOT_A_POINTER, span, message);
            return self.error_expr(span);
        }
        let host = self.convert(pointer, TypeId::VOID_PTR);
        let device = self.call_routine(Routine::DEVICE_POINTER, vec![host], span);
        self.convert(device, ty)
    }

    /// With `device`, the default device is that one during the call.
    pub(in crate::sema::acc) fn dispatch(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let device = selected.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Device(device) => self.int_argument("device", device, Wanted::Any),
            _ => None,
        });
        let body = self.stmt(statement);
        let Some(device) = device.filter(|_| !self.is_device_code() && self.acc.target_region.is_none())
        else {
            return body;
        };
        let former = self.call_routine(Routine::DEFAULT_DEVICE, Vec::new(), span);
        let (former, declared) = self.fresh(TypeId::INT, Some(former), span);
        let set = self.do_routine(Routine::SET_DEFAULT_DEVICE, vec![device], span);
        let former = self.var_value(former, span);
        let restore = self.do_routine(Routine::SET_DEFAULT_DEVICE, vec![former], span);
        block(vec![declared, set, body, restore], span)
    }
}
