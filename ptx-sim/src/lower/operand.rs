//! Operands: registers of the right type, constants, addresses.

use super::function::FunctionLowerer;
use super::symbol::Symbol;
use crate::code::{Addr, Dst, PredDst, PredSrc, SINK, Src};
use crate::error::Result;
use crate::memory::address;
use crate::memory::space::Space;
use crate::read::ast::{AddressBase, Number, Operand};
use crate::special::{self, Found};
use crate::ty::{Class, Ty};
use crate::verify::{self, Typing};

/// The rule by which a register is judged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Fits,
    Holds,
    /// As `Fits`, for moves, which take bits of any kind.
    Moves,
}

/// An address operand: of memory, or of slots in the parameter space of functions.
pub(super) enum Place {
    Memory(Addr),
    Slots { slot: u32, bytes: u32, offset: u64 },
}

impl<'a> FunctionLowerer<'_, 'a, '_> {
    fn judge(&self, name: &str, register: Ty, ty: Ty, rule: Rule) -> Result<()> {
        let fine = match (self.typing, rule) {
            (Typing::Loose, Rule::Holds) => verify::holds(register, ty),
            (Typing::Exact, Rule::Moves) if ty.class() == Class::Bits => verify::fits(register, ty),
            (Typing::Exact, _) => verify::is_exactly(register, ty),
            (Typing::Loose, Rule::Fits | Rule::Moves) => verify::fits(register, ty),
        };
        if fine { Ok(()) } else { self.misfit(name, register, ty) }
    }

    fn misfit<T>(&self, name: &str, register: Ty, ty: Ty) -> Result<T> {
        self.problem(format!("`{name}` is declared as {register}, and the instruction works on {ty}"))
    }

    /// A register by its name: slot and declared type.
    pub(super) fn register(&self, name: &str) -> Result<(u32, Ty)> {
        match self.find(name) {
            Some(Symbol::Register { slot, ty }) => Ok((slot, ty)),
            Some(Symbol::Predicate(_)) => self.problem(format!("`{name}` is a predicate")),
            Some(_) => self.problem(format!("`{name}` is no register")),
            None => self.problem(format!("`{name}` is not declared")),
        }
    }

    /// A value of a type.
    pub(super) fn src(&mut self, operand: &Operand<'a>, ty: Ty) -> Result<Src> {
        self.src_by(operand, ty, Rule::Fits)
    }

    pub(super) fn src_by(&mut self, operand: &Operand<'a>, ty: Ty, rule: Rule) -> Result<Src> {
        match operand {
            Operand::Number(number) => {
                let value = self.number(*number, ty)?;
                Ok(self.constant(value))
            }
            Operand::Name("WARP_SZ", 0) => Ok(self.constant(32)),
            Operand::Name(name, 0) => match special::by_name(name) {
                Some(Found::Constant(special, own)) => {
                    if !verify::holds(own, ty) {
                        return self.misfit(name, own, ty);
                    }
                    Ok(Src(Src::SPECIAL | special as u32))
                }
                Some(Found::Clock(..)) => self.problem(format!("`{name}` is read by `mov` only")),
                None => {
                    let (slot, own) = self.register(name)?;
                    self.judge(name, own, ty, rule)?;
                    Ok(Src::slot(slot))
                }
            },
            _ => self.problem(format!("a register or constant of type {ty} is expected")),
        }
    }

    /// The bits of a constant of a type.
    pub(super) fn number(&self, number: Number, ty: Ty) -> Result<u64> {
        let fits = |bits: u32| ty.bits() == bits && matches!(ty.class(), Class::Float | Class::Bits);
        Ok(match number {
            Number::Int(value) if ty.is_int() => value & ty.mask(),
            Number::F32(bits) if fits(32) => u64::from(bits),
            Number::F64(bits) if fits(64) => bits,
            Number::F64(bits) if ty == Ty::F32 && self.typing == Typing::Loose => {
                u64::from((f64::from_bits(bits) as f32).to_bits())
            }
            Number::Int(_) | Number::F32(_) | Number::F64(_) => {
                return self.problem(format!("this constant is not of type {ty}"));
            }
        })
    }

    /// A register that is written.
    pub(super) fn dst(&mut self, operand: &Operand<'a>, ty: Ty) -> Result<Dst> {
        self.dst_by(operand, ty, Rule::Fits).map(|(dst, _)| dst)
    }

    /// A register that is written, and its own type.
    pub(super) fn dst_by(&mut self, operand: &Operand<'a>, ty: Ty, rule: Rule) -> Result<(Dst, Ty)> {
        match operand {
            Operand::Name("_", 0) => Ok((SINK, ty)),
            Operand::Name(name, 0) => {
                let (slot, own) = self.register(name)?;
                self.judge(name, own, ty, rule)?;
                Ok((Dst(slot), own))
            }
            _ => self.problem(format!("a register of type {ty} is expected")),
        }
    }

    /// A predicate that is read.
    pub(super) fn pred(&self, operand: &Operand<'a>) -> Result<PredSrc> {
        let (name, negated) = match operand {
            Operand::Name(name, 0) => (name, false),
            Operand::Not(name) => (name, true),
            Operand::Number(Number::Int(value)) => return Ok(PredSrc::Constant(*value != 0)),
            _ => return self.problem("a predicate is expected"),
        };
        match self.find(name) {
            Some(Symbol::Predicate(index)) => Ok(PredSrc::Slot { index, negated }),
            Some(_) => self.problem(format!("`{name}` is no predicate")),
            None => self.problem(format!("`{name}` is not declared")),
        }
    }

    /// A predicate that is written.
    pub(super) fn pred_name(&self, name: &str) -> Result<PredDst> {
        match self.find(name) {
            _ if name == "_" => Ok(0),
            Some(Symbol::Predicate(index)) => Ok(index),
            Some(_) => self.problem(format!("`{name}` is no predicate")),
            None => self.problem(format!("`{name}` is not declared")),
        }
    }

    pub(super) fn pred_dst(&self, operand: &Operand<'a>) -> Result<PredDst> {
        match operand {
            Operand::Name(name, 0) => self.pred_name(name),
            _ => self.problem("a predicate is expected"),
        }
    }

    /// Exactly `N` operands.
    pub(super) fn exactly<'o, const N: usize>(&self, ops: &'o [Operand<'a>]) -> Result<&'o [Operand<'a>; N]> {
        match ops.try_into() {
            Ok(ops) => Ok(ops),
            Err(_) => self.problem(format!("{N} operands are expected, not {}", ops.len())),
        }
    }

    /// The elements of `{...}`, or the one operand.
    pub(super) fn elements<'o>(operand: &'o Operand<'a>) -> &'o [Operand<'a>] {
        match operand {
            Operand::Vector(list) => list,
            _ => std::slice::from_ref(operand),
        }
    }

    /// The address in brackets.
    pub(super) fn place(&mut self, operand: &Operand<'a>, space: Space) -> Result<Place> {
        let Operand::Address(base, offset) = operand else { return self.problem("an address is expected") };
        let offset = *offset;
        let name = match base {
            AddressBase::Absolute => {
                let base = self.constant(0);
                return Ok(Place::Memory(Addr { space, base: Some(base), offset, is_narrow: false }));
            }
            AddressBase::Name(name) => *name,
        };
        let fixed = |this: &mut Self, address: u64| {
            let base = this.constant(address);
            Ok(Place::Memory(Addr { space, base: Some(base), offset, is_narrow: false }))
        };
        let mismatch = |this: &Self, is: &str| {
            this.problem(format!("`{name}` is {is}, and the access is to {} memory", space.name()))
        };
        match self.find(name) {
            Some(Symbol::Register { slot, ty }) => {
                let narrow = match space {
                    Space::Shared => true,
                    Space::Local | Space::Const | Space::Param => self.typing == Typing::Loose,
                    _ => false,
                };
                let fine = ty.is_int() && (ty.bits() == 64 || (ty.bits() == 32 && narrow));
                if !fine {
                    return self.problem(format!("`{name}` is declared as {ty} and cannot hold an address"));
                }
                let base = Some(Src::slot(slot));
                Ok(Place::Memory(Addr { space, base, offset, is_narrow: ty.bits() == 32 }))
            }
            Some(Symbol::Words(words)) if matches!(space, Space::Param) => {
                let Ok(offset) = u64::try_from(offset) else {
                    return self.problem("an access before a parameter");
                };
                Ok(Place::Slots { slot: words.slot, bytes: words.bytes, offset })
            }
            Some(Symbol::Words(_)) => mismatch(self, "a parameter"),
            Some(Symbol::KernelParam { offset, .. }) if space == Space::Param => {
                fixed(self, address::PARAM + u64::from(offset))
            }
            Some(Symbol::KernelParam { .. }) => mismatch(self, "a parameter"),
            Some(Symbol::Local { offset: start }) if matches!(space, Space::Local | Space::Generic) => {
                let offset = i64::from(start).wrapping_add(offset);
                Ok(Place::Memory(Addr { space: Space::Local, base: None, offset, is_narrow: false }))
            }
            Some(Symbol::Local { .. }) => mismatch(self, "local"),
            Some(Symbol::Shared { offset: start }) if matches!(space, Space::Shared | Space::Generic) => {
                let base = self.constant(u64::from(start));
                Ok(Place::Memory(Addr { space: Space::Shared, base: Some(base), offset, is_narrow: false }))
            }
            Some(Symbol::Shared { .. }) => mismatch(self, "shared"),
            Some(Symbol::Global { address, constant }) => {
                let fine = space == Space::Generic || constant == (space == Space::Const);
                if !fine || !matches!(space, Space::Generic | Space::Global | Space::Const) {
                    return mismatch(self, if constant { "constant" } else { "global" });
                }
                fixed(self, address)
            }
            Some(Symbol::Undefined) => self.problem(format!("`{name}` is declared and defined nowhere")),
            Some(Symbol::Predicate(_) | Symbol::Function(_) | Symbol::Builtin(_)) => {
                self.problem(format!("`{name}` is no address of data"))
            }
            None => self.problem(format!("`{name}` is not declared")),
        }
    }

    /// An address of memory.
    pub(super) fn memory_place(&mut self, operand: &Operand<'a>, space: Space) -> Result<Addr> {
        match self.place(operand, space)? {
            Place::Memory(addr) => Ok(addr),
            Place::Slots { .. } => self.problem("this instruction does not work on parameters"),
        }
    }
}
