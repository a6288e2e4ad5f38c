//! Operations on constants.

use crate::constants::{self, unsigned, width};
use crate::entities::Local;
use crate::function::Body;
use crate::op::{BinaryOp, CmpOp, ConvertOp, Op, Operand, UnaryOp};
use crate::types::Type;

/// The result of an operation on constants, or of one that leaves its operand alone, as a copy; of a quotient
/// by a power of two the product, which is rounded alike.
pub fn evaluate(body: &Body, op: &Op) -> Option<Op> {
    let (dst, src) = match *op {
        Op::Unary { dst, op, src } => (dst, unary(op, src)?),
        Op::Binary { dst, op: BinaryOp::FDiv, a, b } if float(a).is_none() => {
            let b = reciprocal(b)?;
            return Some(match is_one(b) {
                true => Op::Copy { dst, src: a },
                false => Op::Binary { dst, op: BinaryOp::Mul, a, b },
            });
        }
        Op::Binary { dst, op, a, b } => (dst, binary(body, dst, op, a, b)?),
        Op::Compare { dst, op, a, b } => (dst, Operand::bool(compare(op, a, b)?)),
        Op::Convert { dst, op, src } => (dst, convert(body, dst, op, src)?),
        Op::Select { dst, cond, a, b } => match cond {
            Operand::Int(_, value) => (dst, if value != 0 { a } else { b }),
            _ if a == b => (dst, a),
            _ => return None,
        },
        _ => return None,
    };
    Some(Op::Copy { dst, src })
}

/// A number as a constant of a type.
fn normal(ty: Type, value: i64) -> Option<Operand> {
    Some(Operand::Int(ty, constants::normal(ty, value)?))
}

fn float(value: Operand) -> Option<f64> {
    match value {
        Operand::F32(bits) => Some(f32::from_bits(bits).into()),
        Operand::F64(bits) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// Whether an operand is the float constant 1, by which a product has the other factor's bits.
fn is_one(value: Operand) -> bool {
    float(value) == Some(1.0)
}

/// One divided by a float constant, if that is a number without rounding: by a power of two whose reciprocal
/// is no subnormal number, which code that treats those as zero would lose.
fn reciprocal(value: Operand) -> Option<Operand> {
    match value {
        Operand::F64(bits) => {
            let (value, inverse) = (f64::from_bits(bits), f64::from_bits(bits).recip());
            let is_power = bits << (64 - (f64::MANTISSA_DIGITS - 1)) == 0;
            (is_power && value.is_normal() && inverse.is_normal()).then(|| Operand::f64(inverse))
        }
        Operand::F32(bits) => {
            let (value, inverse) = (f32::from_bits(bits), f32::from_bits(bits).recip());
            let is_power = bits << (32 - (f32::MANTISSA_DIGITS - 1)) == 0;
            (is_power && value.is_normal() && inverse.is_normal()).then(|| Operand::f32(inverse))
        }
        _ => None,
    }
}

/// A float constant, unless it is a NaN.
fn real(value: f64) -> Option<Operand> {
    (!value.is_nan()).then(|| Operand::f64(value))
}

fn real32(value: f32) -> Option<Operand> {
    (!value.is_nan()).then(|| Operand::f32(value))
}

fn unary(op: UnaryOp, src: Operand) -> Option<Operand> {
    match (op, src) {
        (UnaryOp::Neg, Operand::Int(ty, value)) => normal(ty, value.wrapping_neg()),
        (UnaryOp::Neg, Operand::F64(bits)) => Some(Operand::F64(bits ^ 1 << 63)),
        (UnaryOp::Neg, Operand::F32(bits)) => Some(Operand::F32(bits ^ 1 << 31)),
        (UnaryOp::Not, Operand::Int(ty, value)) => normal(ty, !value),
        (UnaryOp::Ctz, Operand::Int(ty, value)) => {
            let bits = width(ty)?;
            normal(ty, unsigned(ty, value)?.trailing_zeros().min(bits).into())
        }
        _ => None,
    }
}

fn binary(body: &Body, dst: Local, op: BinaryOp, a: Operand, b: Operand) -> Option<Operand> {
    match (a, b) {
        (Operand::Int(ty, a), Operand::Int(amount, b)) => {
            Some(Operand::Int(ty, constants::binary(op, ty, a, amount, b)?))
        }
        (Operand::F64(a), Operand::F64(b)) if body.locals[dst].ty == Type::F64 => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            match op {
                BinaryOp::Add => real(a + b),
                BinaryOp::Sub => real(a - b),
                BinaryOp::Mul => real(a * b),
                BinaryOp::FDiv => real(a / b),
                _ => None,
            }
        }
        (Operand::F32(a), Operand::F32(b)) if body.locals[dst].ty == Type::F32 => {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            match op {
                BinaryOp::Add => real32(a + b),
                BinaryOp::Sub => real32(a - b),
                BinaryOp::Mul => real32(a * b),
                BinaryOp::FDiv => real32(a / b),
                _ => None,
            }
        }
        (_, factor) if op == BinaryOp::Mul && is_one(factor) => Some(a),
        (factor, _) if op == BinaryOp::Mul && is_one(factor) => Some(b),
        (_, Operand::Int(ty, value)) => with_constant(op, a, ty, value, false),
        (Operand::Int(ty, value), _) => with_constant(op, b, ty, value, true),
        _ => None,
    }
}

/// Neutral and absorbing elements.
fn with_constant(op: BinaryOp, other: Operand, ty: Type, value: i64, reversed: bool) -> Option<Operand> {
    match (op, value) {
        (BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor, 0) => Some(other),
        (BinaryOp::Mul, 1) => Some(other),
        (BinaryOp::Mul | BinaryOp::And, 0) => Some(Operand::Int(ty, 0)),
        (BinaryOp::And, -1) => Some(other),
        (BinaryOp::Sub | BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, 0) if !reversed => Some(other),
        (BinaryOp::SDiv | BinaryOp::UDiv, 1) if !reversed => Some(other),
        _ => None,
    }
}

fn compare(op: CmpOp, a: Operand, b: Operand) -> Option<bool> {
    if let (Operand::Int(ty, a), Operand::Int(_, b)) = (a, b) {
        return constants::compare(op, ty, a, b);
    }
    if let (Some(a), Some(b)) = (float(a), float(b)) {
        return Some(match op {
            CmpOp::Eq => a == b,
            CmpOp::Ne => a != b,
            CmpOp::Lt => a < b,
            CmpOp::Le => a <= b,
            CmpOp::Gt => a > b,
            CmpOp::Ge => a >= b,
            CmpOp::Unordered => a.is_nan() || b.is_nan(),
            CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe => return None,
        });
    }
    None
}

fn convert(body: &Body, dst: Local, op: ConvertOp, src: Operand) -> Option<Operand> {
    let to = body.locals[dst].ty;
    match (op, src) {
        (ConvertOp::SExt, Operand::Int(Type::I1, value)) => normal(to, -(value & 1)),
        (ConvertOp::SExt, Operand::Int(_, value)) if to.is_int() => Some(Operand::Int(to, value)),
        (ConvertOp::ZExt, Operand::Int(from, value)) => normal(to, unsigned(from, value)? as i64),
        (ConvertOp::Trunc, Operand::Int(from, value)) if width(from).is_some() => normal(to, value),
        (ConvertOp::Bits, Operand::Int(_, value)) if width(to).is_some() => normal(to, value),
        (ConvertOp::Bits, Operand::Int(_, value)) if to == Type::F64 => Some(Operand::F64(value as u64)),
        (ConvertOp::Bits, Operand::Int(_, value)) if to == Type::F32 => Some(Operand::F32(value as u32)),
        (ConvertOp::SToF, Operand::Int(from, value)) if width(from).is_some() => match to {
            Type::F64 => Some(Operand::f64(value as f64)),
            Type::F32 => Some(Operand::f32(value as f32)),
            _ => None,
        },
        (ConvertOp::UToF, Operand::Int(from, value)) => {
            let value = unsigned(from, value)?;
            match to {
                Type::F64 => Some(Operand::f64(value as f64)),
                Type::F32 => Some(Operand::f32(value as f32)),
                _ => None,
            }
        }
        (ConvertOp::Bits, _) if body.operand_type(src) == to => Some(src),
        (ConvertOp::FToF, Operand::F32(bits)) if to == Type::F64 => real(f32::from_bits(bits).into()),
        (ConvertOp::FToF, Operand::F64(bits)) if to == Type::F32 => real32(f64::from_bits(bits) as f32),
        _ => None,
    }
}
