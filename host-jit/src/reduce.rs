//! Reductions over the gangs of the host: every gang adds its own part to RESULT.
//!
//! Gangs that run in turn just do so. Those that run at the same time combine by one of three ways, chosen by
//! what is combined:
//!
//! | way | for |
//! | --- | --- |
//! | in turn | what depends on the order, if the order was promised: a gang waits until those before it are done |
//! | atomic | scalars of up to eight bytes: an instruction, or a loop of compare-and-swap |
//! | locked | all else: wider types, complex numbers, which may straddle cache lines, logical operators, arrays |

use accrue_ir::target::accumulate::{Exclusion, accumulate};
use accrue_ir::target::{Emitter, operators};
use accrue_ir::{
    Address, Callee, Function, Operand, Pos, RedType, Reduction, ReductionKind, ReductionOp, Signature, Type,
};

/// The function that waits until the gangs before this one are done: `extern "C" fn()`.
pub(crate) const AWAIT_TURN: &str = "__accrue_gang_await_turn";
/// The function that keeps other gangs from combining: `extern "C" fn()`.
pub(crate) const LOCK: &str = "__accrue_gang_lock";
/// The function that lets them again: `extern "C" fn()`.
pub(crate) const UNLOCK: &str = "__accrue_gang_unlock";

/// How the gangs of a region are executed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Gangs {
    /// There is one.
    #[default]
    One,
    /// A number that is known when a region starts, one after the other.
    InTurn,
    /// The same, by several threads.
    AtOnce {
        /// Results have the bits of [`Gangs::InTurn`].
        ordered: bool,
    },
}

impl Gangs {
    /// Whether a region may have more than one.
    pub fn are_several(self) -> bool {
        self != Gangs::One
    }

    /// Whether they combine scalars by atomic operations.
    pub(crate) fn combine_atomically(self) -> bool {
        self == Gangs::AtOnce { ordered: false }
    }

    /// How they combine by an operator values of a type in memory, or arrays of it.
    pub(crate) fn way(self, op: ReductionOp, ty: RedType, is_array: bool) -> Way {
        match self {
            Gangs::One | Gangs::InTurn => Way::Alone,
            Gangs::AtOnce { ordered: true } if op.depends_on_order(ty.ty) => Way::InTurn,
            Gangs::AtOnce { .. } if !is_array && is_atomic(op, ty) => Way::Atomic,
            Gangs::AtOnce { .. } => Way::Locked,
        }
    }
}

/// How gangs combine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// No two of them are there at a time.
    Alone,
    /// Each waits for those before it.
    InTurn,
    /// By an atomic operation.
    Atomic,
    /// Under the lock.
    Locked,
}

/// Whether the host has an atomic operation, or a compare-and-swap to make it of.
fn is_atomic(op: ReductionOp, ty: RedType) -> bool {
    let is_scalar =
        matches!(ty.ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64) && !ty.boolean;
    is_scalar && operators::binary_op(op, ty).is_some()
}

/// A call of a scalar quad at a gang level with a RESULT.
pub(crate) fn scalar(
    emit: &mut Emitter<'_>,
    gangs: Gangs,
    call: &Reduction,
    result: Address,
    local: Operand,
) -> Operand {
    let &Reduction { op, ty, .. } = call;
    match call.kind {
        ReductionKind::Init => operators::identity(emit, op, ty),
        ReductionKind::Fini if gangs.way(op, ty, false) == Way::Atomic => {
            let value = operators::demote(emit, ty, local);
            accumulate(emit, Exclusion::Atomic, op, ty, result, value);
            local
        }
        ReductionKind::Fini => {
            bracket(emit, gangs.way(op, ty, false), |emit| {
                accumulate(emit, Exclusion::Around, op, ty, result, local);
            });
            local
        }
        ReductionKind::Setup | ReductionKind::Teardown => local,
    }
}

/// Code that adds an array to its RESULT, written so that no other gang does at the same time.
pub(crate) fn exclusive(
    emit: &mut Emitter<'_>,
    gangs: Gangs,
    call: &Reduction,
    code: impl FnOnce(&mut Emitter<'_>),
) {
    bracket(emit, gangs.way(call.op, call.ty, true), code);
}

fn bracket(emit: &mut Emitter<'_>, way: Way, code: impl FnOnce(&mut Emitter<'_>)) {
    match way {
        Way::InTurn => call(emit, AWAIT_TURN),
        Way::Locked => call(emit, LOCK),
        Way::Alone | Way::Atomic => {}
    }
    code(emit);
    if way == Way::Locked {
        call(emit, UNLOCK);
    }
}

/// Calls a function of the runtime.
fn call(emit: &mut Emitter<'_>, name: &str) {
    let declared = emit.module.functions.iter().find(|(_, function)| *function.name == *name);
    let (func, sig) = match declared {
        Some((func, function)) => (func, function.sig),
        None => {
            let sig = emit.module.signatures.push(Signature::default());
            (emit.module.functions.push(Function::declared(name.into(), sig, Pos::none())), sig)
        }
    };
    emit.call(Callee::Direct(func), sig, Vec::new(), None);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(ordered: bool, op: ReductionOp, ty: Type) -> Way {
        let ty = RedType { ty, signed: true, boolean: false };
        Gangs::AtOnce { ordered }.way(op, ty, false)
    }

    #[test]
    fn each_type_has_its_way() {
        assert_eq!(way(false, ReductionOp::Add, Type::F64), Way::Atomic);
        assert_eq!(way(false, ReductionOp::Min, Type::I8), Way::Atomic);
        assert_eq!(way(false, ReductionOp::LogAnd, Type::I32), Way::Locked);
        assert_eq!(way(false, ReductionOp::Mul, Type::C32), Way::Locked);
        assert_eq!(way(false, ReductionOp::Max, Type::F80), Way::Locked);
        let boolean = RedType { ty: Type::I8, signed: false, boolean: true };
        assert_eq!(Gangs::AtOnce { ordered: false }.way(ReductionOp::BitOr, boolean, false), Way::Locked);
        let ty = RedType { ty: Type::I32, signed: true, boolean: false };
        assert_eq!(Gangs::AtOnce { ordered: true }.way(ReductionOp::Add, ty, true), Way::Locked);
        assert_eq!(Gangs::InTurn.way(ReductionOp::Add, ty, true), Way::Alone);
    }

    #[test]
    fn order_is_kept_where_it_matters() {
        assert_eq!(way(true, ReductionOp::Add, Type::F32), Way::InTurn);
        assert_eq!(way(true, ReductionOp::Mul, Type::C64), Way::InTurn);
        assert_eq!(way(true, ReductionOp::Max, Type::F64), Way::Atomic);
        assert_eq!(way(true, ReductionOp::Add, Type::I64), Way::Atomic);
    }
}
