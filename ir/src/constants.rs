//! What operations give for integers that are known, in the form that constants have: a number of at most 64
//! bits, extended with its sign to an `i64`; truth values are 0 and 1.
//!
//! The interpreter of the passes' tests (`passes/testing/machine.rs`) says the same in its own words, since
//! it judges what is computed here.

use crate::op::{BinaryOp, CmpOp};
use crate::types::Type;

/// Width of a type whose constants are complete in 64 bits.
pub(crate) fn width(ty: Type) -> Option<u32> {
    ty.int_bits().filter(|bits| *bits <= 64)
}

/// The last bits of a number as a constant of a type holds them. `None` for types that are no integers of at
/// most 64 bits.
pub fn normal(ty: Type, value: i64) -> Option<i64> {
    let bits = width(ty)?;
    Some(if ty == Type::I1 { value & 1 } else { value << (64 - bits) >> (64 - bits) })
}

/// The value of a constant as an unsigned number.
pub fn unsigned(ty: Type, value: i64) -> Option<u64> {
    let bits = width(ty)?;
    Some((value as u64) << (64 - bits) >> (64 - bits))
}

/// `a op b` for numbers of a type, of which a shift's amount may have another one. `None` where that is no
/// integer, and where the operation traps.
pub fn binary(op: BinaryOp, ty: Type, a: i64, amount: Type, b: i64) -> Option<i64> {
    let bits = width(ty)?;
    let (x, y) = (unsigned(ty, a)?, unsigned(amount, b)?);
    let shift = (y % u64::from(bits)) as u32;
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        // Traps stay where they are.
        BinaryOp::SDiv | BinaryOp::SRem if b == 0 || b == -1 => return None,
        BinaryOp::UDiv | BinaryOp::URem if b == 0 => return None,
        BinaryOp::SDiv => a / b,
        BinaryOp::SRem => a % b,
        BinaryOp::UDiv => (x / y) as i64,
        BinaryOp::URem => (x % y) as i64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => (x << shift) as i64,
        BinaryOp::LShr => (x >> shift) as i64,
        BinaryOp::AShr => a >> shift,
        BinaryOp::SMin => a.min(b),
        BinaryOp::SMax => a.max(b),
        BinaryOp::UMin => x.min(y) as i64,
        BinaryOp::UMax => x.max(y) as i64,
        BinaryOp::FDiv | BinaryOp::FMin | BinaryOp::FMax | BinaryOp::CopySign | BinaryOp::Complex => {
            return None;
        }
    };
    normal(ty, value)
}

/// Whether a comparison of two numbers of a type holds.
pub fn compare(op: CmpOp, ty: Type, a: i64, b: i64) -> Option<bool> {
    let (x, y) = (unsigned(ty, a)?, unsigned(ty, b)?);
    Some(match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Lt => a < b,
        CmpOp::Le => a <= b,
        CmpOp::Gt => a > b,
        CmpOp::Ge => a >= b,
        CmpOp::ULt => x < y,
        CmpOp::ULe => x <= y,
        CmpOp::UGt => x > y,
        CmpOp::UGe => x >= y,
        CmpOp::Unordered => return None,
    })
}
