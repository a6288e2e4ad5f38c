//! `dispatch`: the parser has chosen the function, what is left is the device that the call means.

use super::super::build::Wanted;
use super::super::clauses;
use super::code::{Routine, block};
use crate::ast;
use crate::ctype::TypeId;
use crate::directive::{ClauseKind, Directive};
use crate::sema::Sema;
use crate::typed::*;

impl Sema<'_> {
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
