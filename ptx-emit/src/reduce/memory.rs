//! Accumulation into one object by many threads: `*at = *at OP value`.

use crate::options::Strategy;
use accrue_ir::target::{Emitter, operators};
use accrue_ir::{Address, CmpOp, ConvertOp, Operand, RedType, ReductionOp, Type};

/// Writes the accumulation of a promoted value into an object of type `ty`. [`Strategy::Lock`] relies on the locked
/// section around it, [`Strategy::Tree`] on being alone.
pub fn accumulate(
    emit: &mut Emitter<'_>,
    strategy: Strategy,
    op: ReductionOp,
    ty: RedType,
    at: Address,
    value: Operand,
) {
    match (strategy, operators::binary_op(op, ty)) {
        (Strategy::Atomic, Some(binary)) => {
            emit.op(accrue_ir::Op::AtomicRmw {
                dst: None,
                op: binary,
                ty: ty.ty,
                addr: at,
                value,
                reversed: false,
                result_new: false,
            });
        }
        (Strategy::Cas, _) => compare_and_swap(emit, op, ty, at, value),
        (Strategy::Lock | Strategy::Atomic | Strategy::Tree, _) => {
            let old = operators::load_result(emit, ty, at);
            let new = operators::emit_op(emit, op, ty, old, value);
            operators::store_result(emit, ty, at, new);
        }
    }
}

/// `do new = old OP value; while (!cas(at, old, new));`
fn compare_and_swap(emit: &mut Emitter<'_>, op: ReductionOp, ty: RedType, at: Address, value: Operand) {
    let bits = match ty.ty {
        Type::F32 => Type::I32,
        Type::F64 => Type::I64,
        other => other,
    };
    let old = emit.temp(bits);
    let first = emit.atomic_load(bits, at);
    emit.assign(old, first);
    let again = emit.new_block();
    emit.jump_into(again);
    let in_memory = value_of(emit, ty.ty, Operand::Local(old));
    let before = operators::promote(emit, ty, in_memory);
    let after = operators::emit_op(emit, op, ty, before, value);
    let after = operators::demote(emit, ty, after);
    let desired = bits_of(emit, bits, after);
    let found = emit.atomic_cas(at, Operand::Local(old), desired);
    let failed = emit.compare(CmpOp::Ne, found, Operand::Local(old));
    emit.assign(old, found);
    let done = emit.new_block();
    emit.branch(failed, again, done);
    emit.switch_to(done);
}

/// The value that bits in memory stand for.
fn value_of(emit: &mut Emitter<'_>, ty: Type, bits: Operand) -> Operand {
    match ty {
        Type::F32 | Type::F64 => emit.convert(ConvertOp::Bits, ty, bits),
        _ => bits,
    }
}

/// The bits in memory of a value.
fn bits_of(emit: &mut Emitter<'_>, to: Type, value: Operand) -> Operand {
    match emit.body.operand_type(value) {
        Type::F32 | Type::F64 => emit.convert(ConvertOp::Bits, to, value),
        _ => value,
    }
}
