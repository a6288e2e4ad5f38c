//! Atomic operations: one instruction where PTX has it, else a loop around compare-and-swap, for 8 and 16
//! bits on the 32-bit word that contains them.
//!
//! They order nothing else, as OpenACC has it. A sum of floats in global memory flushes denormals: the
//! instruction does. In the memory of one thread, where PTX has no atomics, plain accesses do; where a
//! pointer may lead there or elsewhere, the code asks it.

use super::error::Result;
use super::function::{FunctionWriter, ins, put};
use super::operand::{Base, Place, Value};
use super::register::{Class, Reg};
use crate::arch;
use accrue_ir::*;

/// What happens to the value in memory.
#[derive(Clone, Copy)]
pub(super) struct Rmw {
    pub(super) op: BinaryOp,
    pub(super) ty: Type,
    pub(super) value: Operand,
    pub(super) reversed: bool,
    pub(super) result_new: bool,
}

/// Where a narrow object is in its word.
struct Part {
    word: Place,
    /// Bits below it.
    shift: Reg,
    /// All bits but its own.
    others: Reg,
    mask: u32,
}

impl FunctionWriter<'_, '_> {
    /// A type as memory instructions name it, if a device can access it in one step.
    fn atomic_type(&self, ty: Type) -> Result<&'static str> {
        if ty == Type::I128 {
            return Err(
                self.error("a device has no atomic operations on `__int128`, only on 64 bits and less")
            );
        }
        self.memory_type(ty)
    }

    fn bit_name(ty: Type) -> &'static str {
        if ty.bytes() == 8 { "b64" } else { "b32" }
    }

    fn bit_class(ty: Type) -> Class {
        if ty.bytes() == 8 { Class::B64 } else { Class::B32 }
    }

    /// Writes `bits` into `dst`, which is of the type that they are of.
    fn give_bits(&mut self, dst: Reg, bits: Reg) {
        let name = if matches!(dst.class, Class::B64 | Class::F64) { "b64" } else { "b32" };
        ins!(self, "mov.{name} {dst}, {bits}");
    }

    /// Writes an access to wherever an address leads. Where that may be the memory of one thread, the address
    /// decides when the code runs: atomic instructions fault there.
    fn wherever(
        &mut self,
        addr: Address,
        mut write: impl FnMut(&mut Self, &Place) -> Result<()>,
    ) -> Result<()> {
        let place = self.place(addr, Space::Generic)?;
        if place.space != Space::Generic || !self.may_be_own(addr.base) {
            return write(self, &place);
        }
        // Without its offset an address may lead elsewhere.
        let pointer = self.generic(&place, false);
        let (is_own, local) = (self.temp(Class::Pred), self.temp(Class::B64));
        let (own, done) = (self.label("own"), self.label("done"));
        ins!(self, "isspacep.local {is_own}, {pointer}");
        ins!(self, "@{is_own} bra {own}");
        write(self, &place)?;
        ins!(self, "bra {done}");
        self.place_label(own);
        ins!(self, "cvta.to.local.u64 {local}, {pointer}");
        write(self, &Place { space: Space::Local, base: Base::Reg(local), offset: 0 })?;
        self.place_label(done);
        Ok(())
    }

    pub(super) fn atomic_rmw(&mut self, dst: Option<Local>, addr: Address, rmw: Rmw) -> Result<()> {
        self.atomic_type(rmw.ty)?;
        let value = (self.value(rmw.value)?, self.type_of(rmw.value));
        self.wherever(addr, |w, place| w.rmw_at(dst, place, rmw, value))
    }

    fn rmw_at(
        &mut self,
        dst: Option<Local>,
        place: &Place,
        rmw: Rmw,
        (value, amount): (Value, Type),
    ) -> Result<()> {
        let native = arch::native_atomic(self.program.options.arch, rmw.op, rmw.ty)
            .filter(|native| !(rmw.reversed && native.negate) && place.space != Space::Local);
        let class = self.class(rmw.ty)?;
        let Some(native) = native else {
            let (old, new) = self.update(place, rmw.ty, |w, old| {
                let new = w.temp(class);
                w.apply(new, rmw, old, (value, amount))?;
                Ok(new)
            })?;
            if let Some(dst) = dst {
                let dst = self.local(dst)?;
                ins!(self, "mov.{} {dst}, {}", class.name(), if rmw.result_new { new } else { old });
            }
            return Ok(());
        };
        let operand = match value {
            value if !native.negate => value,
            Value::Int(number) => Value::Int(number.wrapping_neg()),
            Value::F32(bits) => Value::F32(bits ^ (1 << 31)),
            Value::F64(bits) => Value::F64(bits ^ (1 << 63)),
            Value::Reg(positive) => {
                let negative = self.temp(class);
                self.unary_into(negative, UnaryOp::Neg, rmw.ty, positive)?;
                negative.into()
            }
        };
        let (op, ty, space) = (native.op, native.ty, place.space_name());
        let Some(dst) = dst else {
            put!(self, ["red.relaxed.gpu", space, ".", op, ".", ty], place, operand);
            return Ok(());
        };
        let dst = self.local(dst)?;
        if rmw.result_new {
            let old = self.temp(class);
            put!(self, ["atom.relaxed.gpu", space, ".", op, ".", ty], old, place, operand);
            return self.apply(dst, rmw, old, (value, amount));
        }
        put!(self, ["atom.relaxed.gpu", space, ".", op, ".", ty], dst, place, operand);
        Ok(())
    }

    fn apply(&mut self, dst: Reg, rmw: Rmw, old: Reg, (value, amount): (Value, Type)) -> Result<()> {
        if rmw.reversed {
            return self.binary(dst, rmw.op, rmw.ty, value, (old.into(), rmw.ty));
        }
        self.binary(dst, rmw.op, rmw.ty, old.into(), (value, amount))
    }

    /// Replaces the value in memory by what `new` makes of it, as one step; gives the old and the new one.
    fn update(
        &mut self,
        place: &Place,
        ty: Type,
        new: impl FnOnce(&mut Self, Reg) -> Result<Reg>,
    ) -> Result<(Reg, Reg)> {
        let old = {
            let class = self.class(ty)?;
            self.temp(class)
        };
        if place.space == Space::Local {
            let name = self.memory_type(ty)?;
            ins!(self, "ld.local.{name} {old}, {place}");
            let new = new(self, old)?;
            ins!(self, "st.local.{name} {place}, {new}");
            return Ok((old, new));
        }
        let part = (ty.bytes() < 4).then(|| self.part(place, ty));
        let word = part.as_ref().map_or_else(|| place.clone(), |part| part.word.clone());
        let (name, class, space) = (Self::bit_name(ty), Self::bit_class(ty), word.space_name());
        let (current, found) = (self.temp(class), self.temp(class));
        let lost = self.temp(Class::Pred);
        let again = self.label("atomic");
        ins!(self, "ld.relaxed.gpu{space}.{name} {current}, {word}");
        self.place_label(again);
        match &part {
            Some(part) => self.extract(part, old, current),
            None => self.give_bits(old, current),
        }
        let new = new(self, old)?;
        let bits = self.as_bits(new);
        let desired = match &part {
            Some(part) => self.insert(part, current, bits),
            None => bits,
        };
        ins!(self, "atom.relaxed.gpu{space}.cas.{name} {found}, {word}, {current}, {desired}");
        ins!(self, "setp.ne.{name} {lost}, {found}, {current}");
        ins!(self, "mov.{name} {current}, {found}");
        ins!(self, "@{lost} bra {again}");
        Ok((old, new))
    }

    /// The word around a narrow object.
    fn part(&mut self, place: &Place, ty: Type) -> Part {
        let address = self.generic(place, false);
        let (word, low, byte) = (self.temp(Class::B64), self.temp(Class::B32), self.temp(Class::B32));
        let (shift, own, others) = (self.temp(Class::B32), self.temp(Class::B32), self.temp(Class::B32));
        let mask = if ty == Type::I8 { 0xff } else { 0xffff };
        ins!(self, "and.b64 {word}, {address}, -4");
        ins!(self, "cvt.u32.u64 {low}, {address}");
        ins!(self, "and.b32 {byte}, {low}, 3");
        ins!(self, "shl.b32 {shift}, {byte}, 3");
        ins!(self, "shl.b32 {own}, {mask}, {shift}");
        ins!(self, "not.b32 {others}, {own}");
        Part { word: Place { space: place.space, base: Base::Reg(word), offset: 0 }, shift, others, mask }
    }

    fn extract(&mut self, part: &Part, dst: Reg, word: Reg) {
        let low = self.temp(Class::B32);
        ins!(self, "shr.u32 {low}, {word}, {}", part.shift);
        ins!(self, "and.b32 {dst}, {low}, {}", part.mask);
    }

    fn insert(&mut self, part: &Part, word: Reg, value: Reg) -> Reg {
        let (kept, moved, merged) = (self.temp(Class::B32), self.temp(Class::B32), self.temp(Class::B32));
        ins!(self, "and.b32 {kept}, {word}, {}", part.others);
        ins!(self, "shl.b32 {moved}, {value}, {}", part.shift);
        ins!(self, "or.b32 {merged}, {kept}, {moved}");
        merged
    }

    pub(super) fn atomic_swap(
        &mut self,
        dst: Option<Local>,
        ty: Type,
        addr: Address,
        value: Operand,
    ) -> Result<()> {
        self.atomic_type(ty)?;
        let value = self.reg(value)?;
        self.wherever(addr, |w, place| w.swap_at(dst, ty, place, value))
    }

    fn swap_at(&mut self, dst: Option<Local>, ty: Type, place: &Place, value: Reg) -> Result<()> {
        let old = if ty.bytes() < 4 || place.space == Space::Local {
            self.update(place, ty, |_, _| Ok(value))?.0
        } else {
            let (bits, old) = (self.as_bits(value), self.temp(Self::bit_class(ty)));
            let (space, name) = (place.space_name(), Self::bit_name(ty));
            ins!(self, "atom.relaxed.gpu{space}.exch.{name} {old}, {place}, {bits}");
            old
        };
        if let Some(dst) = dst {
            let dst = self.local(dst)?;
            let old = self.as_bits(old);
            self.give_bits(dst, old);
        }
        Ok(())
    }

    pub(super) fn atomic_cas(
        &mut self,
        dst: Local,
        ty: Type,
        addr: Address,
        expected: Operand,
        desired: Operand,
    ) -> Result<()> {
        self.atomic_type(ty)?;
        let (expected, desired) = (self.reg(expected)?, self.reg(desired)?);
        self.wherever(addr, |w, place| w.cas_at(dst, ty, place, (expected, desired)))
    }

    fn cas_at(&mut self, dst: Local, ty: Type, place: &Place, (expected, desired): (Reg, Reg)) -> Result<()> {
        let (expected, desired) = (self.as_bits(expected), self.as_bits(desired));
        let (name, space) = (Self::bit_name(ty), place.space_name());
        let old = self.temp(Self::bit_class(ty));
        if place.space == Space::Local {
            let bits = ty.bytes() * 8;
            let (same, stored) = (self.temp(Class::Pred), self.temp(old.class));
            ins!(self, "ld.local.u{bits} {old}, {place}");
            ins!(self, "setp.eq.{name} {same}, {old}, {expected}");
            ins!(self, "selp.{name} {stored}, {desired}, {old}, {same}");
            ins!(self, "st.local.u{bits} {place}, {stored}");
        } else if ty.bytes() < 4 {
            self.narrow_cas(place, ty, old, expected, desired);
        } else {
            put!(self, ["atom.relaxed.gpu", space, ".cas.", name], old, place, expected, desired);
        }
        let dst = self.local(dst)?;
        self.give_bits(dst, old);
        Ok(())
    }

    /// Tries until the object differs from what is expected, or no neighbour in the word has changed
    /// meanwhile.
    fn narrow_cas(&mut self, place: &Place, ty: Type, old: Reg, expected: Reg, desired: Reg) {
        let part = self.part(place, ty);
        let (word, space) = (part.word.clone(), part.word.space_name());
        let (current, found) = (self.temp(Class::B32), self.temp(Class::B32));
        let (differs, lost) = (self.temp(Class::Pred), self.temp(Class::Pred));
        let (again, done) = (self.label("atomic"), self.label("done"));
        ins!(self, "ld.relaxed.gpu{space}.b32 {current}, {word}");
        self.place_label(again);
        self.extract(&part, old, current);
        ins!(self, "setp.ne.b32 {differs}, {old}, {expected}");
        ins!(self, "@{differs} bra {done}");
        let merged = self.insert(&part, current, desired);
        ins!(self, "atom.relaxed.gpu{space}.cas.b32 {found}, {word}, {current}, {merged}");
        ins!(self, "setp.ne.b32 {lost}, {found}, {current}");
        ins!(self, "mov.b32 {current}, {found}");
        ins!(self, "@{lost} bra {again}");
        self.place_label(done);
    }

    pub(super) fn atomic_load(&mut self, dst: Local, addr: Address) -> Result<()> {
        let name = self.atomic_type(self.body.locals[dst].ty)?;
        self.wherever(addr, |w, place| {
            let dst = w.local(dst)?;
            let order = if place.space == Space::Local { "" } else { ".relaxed.gpu" };
            ins!(w, "ld{order}{}.{name} {dst}, {place}", place.space_name());
            Ok(())
        })
    }

    pub(super) fn atomic_store(&mut self, ty: Type, addr: Address, src: Operand) -> Result<()> {
        let name = self.atomic_type(ty)?;
        let src = self.value(src)?;
        self.wherever(addr, |w, place| {
            let order = if place.space == Space::Local { "" } else { ".relaxed.gpu" };
            ins!(w, "st{order}{}.{name} {place}, {src}", place.space_name());
            Ok(())
        })
    }
}
