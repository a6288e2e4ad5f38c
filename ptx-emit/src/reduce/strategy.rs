//! Which strategy accumulates into an object that many threads share: one table, in one place.

use crate::options::{Options, Strategy};
use accrue_ir::{RedType, ReductionOp, Type};

/// Whether PTX has an atomic instruction of this operation on this type, in shared and in global memory.
pub fn has_atomic(op: ReductionOp, ty: RedType) -> bool {
    if ty.boolean {
        return false;
    }
    match op {
        ReductionOp::Add => matches!(ty.ty, Type::I32 | Type::I64 | Type::F32 | Type::F64),
        ReductionOp::Max
        | ReductionOp::Min
        | ReductionOp::BitAnd
        | ReductionOp::BitOr
        | ReductionOp::BitXor => matches!(ty.ty, Type::I32 | Type::I64),
        ReductionOp::Mul | ReductionOp::LogAnd | ReductionOp::LogOr => false,
    }
}

/// Whether a compare-and-swap of this width exists; smaller types go through the word that holds them.
fn has_cas(ty: RedType) -> bool {
    matches!(ty.ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::C32)
}

/// The strategy of a reduction: the one that was asked for if it can, else the fastest that can.
pub fn choose(options: &Options, op: ReductionOp, ty: RedType) -> Strategy {
    match options.strategy {
        Some(Strategy::Lock) => Strategy::Lock,
        Some(Strategy::Cas) if has_cas(ty) => Strategy::Cas,
        _ if has_atomic(op, ty) => Strategy::Atomic,
        _ if has_cas(ty) => Strategy::Cas,
        _ => Strategy::Lock,
    }
}

/// Why [`choose`] came to its answer, for people.
pub fn reason(options: &Options, op: ReductionOp, ty: RedType) -> String {
    let operation = format!("{} on {}", op.spelling(), ty.ty);
    match (options.strategy, choose(options, op, ty)) {
        (Some(asked), chosen) if asked == chosen => "asked for".to_owned(),
        (_, Strategy::Atomic) => format!("PTX has an atomic instruction for {operation}"),
        (_, Strategy::Cas) => format!("PTX has no atomic instruction for {operation}"),
        (_, Strategy::Lock) => format!("{operation} is too wide for compare-and-swap"),
    }
}
