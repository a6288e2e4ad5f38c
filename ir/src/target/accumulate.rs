//! Accumulation into one object that several threads may share: `*at = *at OP value`.

use super::operators;
use crate::acc::{RedType, ReductionOp};
use crate::builder::Cursor;
use crate::op::{Address, CmpOp, ConvertOp, Op, Operand};
use crate::types::Type;

/// What keeps the accumulations of several threads apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exclusion {
    /// The code around: a locked section, or that one thread executes it.
    Around,
    /// A loop that tries again if another thread was faster, on 32 or 64 bits.
    CompareAndSwap,
    /// One atomic operation; [`Exclusion::Around`] for the logical operators, which are no single operation.
    Atomic,
}

/// Writes the accumulation of a promoted value into an object of type `ty`.
pub fn accumulate(
    cursor: &mut Cursor<'_>,
    exclusion: Exclusion,
    op: ReductionOp,
    ty: RedType,
    at: Address,
    value: Operand,
) {
    match (exclusion, operators::binary_op(op, ty)) {
        (Exclusion::Atomic, Some(binary)) => {
            cursor.op(Op::AtomicRmw {
                dst: None,
                op: binary,
                ty: ty.ty,
                addr: at,
                value,
                reversed: false,
                result_new: false,
            });
        }
        (Exclusion::CompareAndSwap, _) => compare_and_swap(cursor, op, ty, at, value),
        (Exclusion::Around | Exclusion::Atomic, _) => {
            let old = operators::load_result(cursor, ty, at);
            let new = operators::emit_op(cursor, op, ty, old, value);
            operators::store_result(cursor, ty, at, new);
        }
    }
}

/// `do new = old OP value; while (!cas(at, old, new));`
fn compare_and_swap(cursor: &mut Cursor<'_>, op: ReductionOp, ty: RedType, at: Address, value: Operand) {
    let bits = match ty.ty {
        Type::F32 => Type::I32,
        Type::F64 => Type::I64,
        other => other,
    };
    let old = cursor.temp(bits);
    let first = cursor.atomic_load(bits, at);
    cursor.assign(old, first);
    let again = cursor.new_block();
    cursor.jump_into(again);
    let in_memory = value_of(cursor, ty.ty, Operand::Local(old));
    let before = operators::promote(cursor, ty, in_memory);
    let after = operators::emit_op(cursor, op, ty, before, value);
    let after = operators::demote(cursor, ty, after);
    let desired = bits_of(cursor, bits, after);
    let found = cursor.atomic_cas(at, Operand::Local(old), desired);
    let failed = cursor.compare(CmpOp::Ne, found, Operand::Local(old));
    cursor.assign(old, found);
    let done = cursor.new_block();
    cursor.branch(failed, again, done);
    cursor.switch_to(done);
}

/// The value that bits in memory stand for.
fn value_of(cursor: &mut Cursor<'_>, ty: Type, bits: Operand) -> Operand {
    match ty {
        Type::F32 | Type::F64 => cursor.convert(ConvertOp::Bits, ty, bits),
        _ => bits,
    }
}

/// The bits in memory of a value.
fn bits_of(cursor: &mut Cursor<'_>, to: Type, value: Operand) -> Operand {
    match cursor.body.operand_type(value) {
        Type::F32 | Type::F64 => cursor.convert(ConvertOp::Bits, to, value),
        _ => value,
    }
}
