//! Functions that compute numbers from numbers, and do nothing else: threads may call them each for itself.

use super::routines::{is_private, level_of};
use accrue_ir::{Access, Address, Body, Callee, Effects, Func, Module, Op, PassBy, Type};
use cranelift_entity::SecondaryMap;

/// Which functions are so.
pub(super) struct Computing {
    known: SecondaryMap<Func, bool>,
}

impl Computing {
    /// Of a module before its calls of the device's library are linked, which offers functions by name.
    pub fn of(module: &Module, offers: &dyn Fn(&str) -> bool) -> Computing {
        let mut known = SecondaryMap::new();
        // What a function calls is seldom behind it; where it is, or where functions call each other, the
        // answer is no.
        for func in module.functions.keys() {
            known[func] = computes(module, func, &known, offers);
        }
        Computing { known }
    }

    /// What an operation does: a call of such a function computes.
    pub fn effects(&self, op: &Op) -> Effects {
        match self.is_call(op) {
            true => Effects { pure: true, ..Effects::default() },
            false => op.effects(),
        }
    }

    /// Whether an operation is the call of such a function.
    pub fn is_call(&self, op: &Op) -> bool {
        is_call(op, &self.known)
    }
}

fn is_call(op: &Op, known: &SecondaryMap<Func, bool>) -> bool {
    matches!(op, Op::Call { callee: Callee::Direct(func), .. } if known[*func])
}

fn computes(
    module: &Module,
    func: Func,
    known: &SecondaryMap<Func, bool>,
    offers: &dyn Fn(&str) -> bool,
) -> bool {
    let function = &module.functions[func];
    let signature = &module.signatures[function.sig];
    let is_number = |by: &PassBy| matches!(by, PassBy::Scalar(ty, _) if *ty != Type::Ptr);
    let is_float = |by: &PassBy| matches!(by, PassBy::Scalar(Type::F32 | Type::F64, _));
    if signature.variadic
        || !signature.params.iter().all(is_number)
        || !signature.result.as_ref().is_some_and(is_number)
        || level_of(module, func).is_some()
    {
        return false;
    }
    match function.body.as_deref() {
        Some(body) => {
            let mut insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
            insts.all(|inst| is_computation(body, &inst.op) || is_call(&inst.op, known))
        }
        // Functions of whole numbers may tell which thread calls.
        None => signature.params.iter().any(is_float) && offers(&function.name),
    }
}

/// Whether an operation has to do with nothing but the thread's own values and objects.
fn is_computation(body: &Body, op: &Op) -> bool {
    let is_own =
        |addr: &Address, access: &Access| !access.volatile && is_private(body, addr.base, access.space);
    match op {
        Op::Load { addr, access, .. } | Op::Store { addr, access, .. } => is_own(addr, access),
        Op::DimPos { .. } | Op::Instance { .. } | Op::LoopShare { .. } => false,
        op => {
            let effects = op.effects();
            effects.pure && !effects.reads
        }
    }
}
