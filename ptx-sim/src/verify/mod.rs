//! The rules that a module must keep to be executed: which types fit which registers, and which target and
//! version an instruction needs. Lowering asks them for each instruction and collects what is wrong.

pub(crate) mod needs;

use crate::ty::{Class, Ty};

/// How closely registers must fit the types of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Typing {
    /// As PTX has it: untyped registers hold anything of their size.
    Loose,
    /// As accrue writes it: a register that holds a float is declared as one, and no register is wider than
    /// what it is used for.
    Exact,
}

/// Whether a register of accrue's can be an operand of an instruction's type: integers up to 32 bits live in
/// 32.
pub(crate) fn is_exactly(register: Ty, instruction: Ty) -> bool {
    if register == Ty::Pred || instruction == Ty::Pred {
        return register == instruction;
    }
    register.bits() == instruction.bits().max(32) && register.is_float() == instruction.is_float()
}

/// Whether a register can be an operand of an instruction's type: as wide, and of the same kind unless one is
/// untyped.
pub(crate) fn fits(register: Ty, instruction: Ty) -> bool {
    if register == Ty::Pred || instruction == Ty::Pred {
        return register == instruction;
    }
    register.bits() == instruction.bits() && kinds_agree(register, instruction)
}

/// As [`fits`], for loads, stores and conversions: the register may be wider than an integer.
pub(crate) fn holds(register: Ty, instruction: Ty) -> bool {
    if fits(register, instruction) {
        return true;
    }
    instruction.class() != Class::Pred
        && register.class() != Class::Pred
        && register.bits() > instruction.bits()
        && register.bits() <= 64
        && (instruction.is_int() || matches!(instruction, Ty::F16 | Ty::Bf16))
        && kinds_agree(register, instruction)
}

fn kinds_agree(register: Ty, instruction: Ty) -> bool {
    let float = |ty: Ty| ty.class() == Class::Float;
    let bits = |ty: Ty| ty.class() == Class::Bits;
    if bits(register) || bits(instruction) {
        return true;
    }
    // Halves live in registers of untyped or unsigned bits in the output of some compilers.
    let half = matches!(instruction, Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2);
    float(register) == float(instruction) || (half && register.class() == Class::Unsigned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_types_are_those_of_the_declaration() {
        assert!(is_exactly(Ty::B32, Ty::U8) && is_exactly(Ty::B64, Ty::S64) && is_exactly(Ty::F32, Ty::F32));
        assert!(
            !is_exactly(Ty::B32, Ty::F32) && !is_exactly(Ty::F64, Ty::B64) && !is_exactly(Ty::B64, Ty::U32)
        );
        assert!(!is_exactly(Ty::B32, Ty::Pred));
    }

    #[test]
    fn registers_fit_their_types() {
        assert!(fits(Ty::B32, Ty::F32));
        assert!(fits(Ty::U32, Ty::S32));
        assert!(!fits(Ty::F32, Ty::U32));
        assert!(!fits(Ty::B64, Ty::S32));
        assert!(!fits(Ty::B32, Ty::Pred));
        assert!(holds(Ty::B32, Ty::U8));
        assert!(!holds(Ty::B32, Ty::U64));
        assert!(!holds(Ty::F64, Ty::F32));
    }
}
