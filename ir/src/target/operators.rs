//! Reduction operators as IR: identities, combination, and the step between memory and promoted form.

use crate::acc::{RedType, ReductionOp};
use crate::builder::Cursor;
use crate::op::{Address, BinaryOp, CmpOp, ConvertOp, Operand, UnaryOp};
use crate::types::Type;

/// The type in which LOCAL and its slots hold a value: small integers are `i32`.
pub fn promoted(ty: RedType) -> Type {
    match ty.ty {
        Type::I8 | Type::I16 => Type::I32,
        other => other,
    }
}

/// Whether promotion changes a value's type.
pub fn is_promoted(ty: RedType) -> bool {
    promoted(ty) != ty.ty
}

/// Promotes a value of the type in memory.
pub fn promote(cursor: &mut Cursor<'_>, ty: RedType, value: Operand) -> Operand {
    if !is_promoted(ty) {
        return value;
    }
    let op = if ty.signed && !ty.boolean { ConvertOp::SExt } else { ConvertOp::ZExt };
    cursor.convert(op, promoted(ty), value)
}

/// The value in memory of a promoted value.
pub fn demote(cursor: &mut Cursor<'_>, ty: RedType, value: Operand) -> Operand {
    if is_promoted(ty) { cursor.convert(ConvertOp::Trunc, ty.ty, value) } else { value }
}

/// Loads an object of the reduction's type, promoted.
pub fn load_result(cursor: &mut Cursor<'_>, ty: RedType, addr: Address) -> Operand {
    let value = cursor.load(ty.ty, addr);
    promote(cursor, ty, value)
}

/// Stores a promoted value to an object of the reduction's type.
pub fn store_result(cursor: &mut Cursor<'_>, ty: RedType, addr: Address, value: Operand) {
    let value = demote(cursor, ty, value);
    cursor.store(addr, value);
}

/// The address of element `index` (an `i64`) of an array of the reduction's type.
pub fn element(cursor: &mut Cursor<'_>, ty: RedType, array: Address, index: Operand) -> Address {
    let base = cursor.index(array.base, index, i64::from(ty.ty.bytes()), array.offset);
    Address::at(base)
}

/// A constant of a promoted type: `value` converted to it.
fn constant(cursor: &mut Cursor<'_>, ty: Type, value: f64) -> Operand {
    match ty {
        Type::F32 => Operand::f32(value as f32),
        Type::F64 => Operand::f64(value),
        Type::F80 => cursor.convert(ConvertOp::FToF, ty, Operand::f64(value)),
        Type::C32 => cursor.complex(ty, Operand::f32(value as f32), Operand::f32(0.0)),
        Type::C64 => cursor.complex(ty, Operand::f64(value), Operand::f64(0.0)),
        Type::I1
        | Type::I8
        | Type::I16
        | Type::I32
        | Type::I64
        | Type::I128
        | Type::Ptr
        | Type::I8x16
        | Type::I16x8
        | Type::I32x4
        | Type::I64x2
        | Type::F32x4
        | Type::F64x2 => Operand::Int(ty, value as i64),
    }
}

/// The least (`least`) or largest value of an integer type, promoted.
fn integer_limit(cursor: &mut Cursor<'_>, ty: RedType, least: bool) -> Operand {
    let to = promoted(ty);
    let bits = ty.ty.int_bits().unwrap_or(64);
    if ty.boolean {
        return Operand::Int(to, i64::from(!least));
    }
    match (ty.signed, least) {
        (false, true) => Operand::Int(to, 0),
        // In the type's own width all ones is -1; promoted, it has leading zeros.
        (false, false) if ty.ty == to => Operand::Int(to, -1),
        (false, false) => Operand::Int(to, (1 << bits) - 1),
        (true, _) if bits <= 64 => {
            let min = i64::MIN >> (64 - bits);
            Operand::Int(to, if least { min } else { !min })
        }
        (true, _) => {
            // 128-bit limits lie outside the constants.
            let min =
                cursor.binary(BinaryOp::Shl, Operand::Int(to, 1), Operand::Int(to, i64::from(bits) - 1));
            if least { min } else { cursor.unary(UnaryOp::Not, min) }
        }
    }
}

/// The identity of an operator on a type, promoted (OpenACC 3.3 section 2.5.15). May emit code, where the
/// constant cannot be written as an operand.
pub fn identity(cursor: &mut Cursor<'_>, op: ReductionOp, ty: RedType) -> Operand {
    let to = promoted(ty);
    let float = ty.ty.is_float();
    match op {
        ReductionOp::Add | ReductionOp::BitOr | ReductionOp::BitXor | ReductionOp::LogOr => {
            constant(cursor, to, 0.0)
        }
        ReductionOp::Mul | ReductionOp::LogAnd => constant(cursor, to, 1.0),
        ReductionOp::BitAnd if ty.boolean => Operand::Int(to, 1),
        ReductionOp::BitAnd => Operand::Int(to, -1),
        ReductionOp::Max if float => constant(cursor, to, f64::NEG_INFINITY),
        ReductionOp::Min if float => constant(cursor, to, f64::INFINITY),
        ReductionOp::Max => integer_limit(cursor, ty, true),
        ReductionOp::Min => integer_limit(cursor, ty, false),
        ReductionOp::Declared(_) => unreachable!("elements of a declared reduction have no operand"),
    }
}

/// The binary operation that a reduction operator is on a type; `None` for the logical ones, which are
/// several, and for what a program declares.
pub fn binary_op(op: ReductionOp, ty: RedType) -> Option<BinaryOp> {
    let float = ty.ty.is_float();
    Some(match op {
        ReductionOp::Add => BinaryOp::Add,
        ReductionOp::Mul => BinaryOp::Mul,
        ReductionOp::Max if float => BinaryOp::FMax,
        ReductionOp::Max if ty.signed => BinaryOp::SMax,
        ReductionOp::Max => BinaryOp::UMax,
        ReductionOp::Min if float => BinaryOp::FMin,
        ReductionOp::Min if ty.signed => BinaryOp::SMin,
        ReductionOp::Min => BinaryOp::UMin,
        ReductionOp::BitAnd => BinaryOp::And,
        ReductionOp::BitOr => BinaryOp::Or,
        ReductionOp::BitXor => BinaryOp::Xor,
        ReductionOp::LogAnd | ReductionOp::LogOr | ReductionOp::Declared(_) => return None,
    })
}

/// `value != 0`, for any promoted type.
pub fn truth(cursor: &mut Cursor<'_>, value: Operand) -> Operand {
    let ty = cursor.body.operand_type(value);
    let zero = constant(cursor, ty, 0.0);
    cursor.compare(CmpOp::Ne, value, zero)
}

/// 1 or 0 of a promoted type, as a truth value says.
pub fn from_truth(cursor: &mut Cursor<'_>, ty: Type, value: Operand) -> Operand {
    if ty.is_int() {
        return cursor.convert(ConvertOp::ZExt, ty, value);
    }
    let one = constant(cursor, ty, 1.0);
    let zero = constant(cursor, ty, 0.0);
    cursor.select(value, one, zero)
}

/// `a OP b` on promoted values; the result of C `_Bool` is 0 or 1.
pub fn emit_op(cursor: &mut Cursor<'_>, op: ReductionOp, ty: RedType, a: Operand, b: Operand) -> Operand {
    let to = promoted(ty);
    match binary_op(op, ty) {
        Some(binary) => {
            let result = cursor.binary(binary, a, b);
            // Of 0 and 1 only a sum can leave 0 and 1.
            if ty.boolean && op == ReductionOp::Add {
                let nonzero = truth(cursor, result);
                from_truth(cursor, to, nonzero)
            } else {
                result
            }
        }
        None => {
            let a = truth(cursor, a);
            let b = truth(cursor, b);
            let both =
                cursor.binary(if op == ReductionOp::LogAnd { BinaryOp::And } else { BinaryOp::Or }, a, b);
            from_truth(cursor, to, both)
        }
    }
}
