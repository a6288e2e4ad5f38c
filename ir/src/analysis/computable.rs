//! Which numbers code in front of other code can compute.

use super::facts::is_number;
use super::sums::{Atom, Atoms, Kind, Sum};
use crate::op::{BinaryOp, CmpOp, ConvertOp};
use crate::types::Type;

/// Whether the value of an atom can be computed before the code, in 64 bits. `may_load` tells that of
/// elements of memory.
pub fn is_computable(atoms: &Atoms, atom: Atom, may_load: &impl Fn(&Atoms, Atom) -> bool) -> bool {
    let all = |sum: &Sum| sum.atoms().all(|atom| is_computable(atoms, atom, may_load));
    let data = atoms.data(atom);
    if data.varies.is_some() {
        return false;
    }
    match &data.kind {
        Kind::Entry(_) | Kind::Object(_) => true,
        Kind::Element { at, .. } => may_load(atoms, atom) && all(at),
        Kind::Binary(op, a, b) => is_plain(*op, b) && all(a) && all(b),
        Kind::Converted(ConvertOp::ZExt | ConvertOp::Trunc, _, value) => all(value),
        // From signed to unsigned, or back: of a number with a fraction, nothing is known.
        Kind::Converted(ConvertOp::Bits, Type::I32, value) => {
            all(value) && value.atoms().all(|atom| atoms.data(atom).range != (i64::MIN, i64::MAX))
        }
        Kind::Converted(ConvertOp::Bits, Type::I64, value) => all(value),
        Kind::Choice { cond, then, otherwise } => match &atoms.data(*cond).kind {
            // Narrow signed integers compare as wide ones do.
            Kind::Compare(CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge, ty, a, b) => {
                is_number(*ty) && [a, b, then, otherwise].into_iter().all(all)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether an operation on narrow integers has the same result on wide ones, and never traps: where a divisor
/// that is no constant is 0, whoever computes it takes another one.
fn is_plain(op: BinaryOp, b: &Sum) -> bool {
    match op {
        BinaryOp::SDiv | BinaryOp::SRem => b.as_constant().is_none_or(|divisor| divisor > 0),
        // Those of narrow unsigned numbers are ones of wide numbers with a sign by now.
        BinaryOp::UDiv | BinaryOp::URem => b.as_constant().is_some_and(|divisor| divisor > 1),
        BinaryOp::LShr => b.as_constant().is_some_and(|by| (1..64).contains(&by)),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::SMin | BinaryOp::SMax => true,
        BinaryOp::AShr => b.as_constant().is_some_and(|by| (0..64).contains(&by)),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::FDiv
        | BinaryOp::Shl
        | BinaryOp::UMin
        | BinaryOp::UMax
        | BinaryOp::FMin
        | BinaryOp::FMax
        | BinaryOp::CopySign
        | BinaryOp::Complex => false,
    }
}
