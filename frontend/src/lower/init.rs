//! Initialisers of automatic objects.

use super::function::FnLower;
use super::lvalue::{Memory, Place};
use super::types::{Repr, repr};
use crate::typed::{ExprKind, Init, InitEntry};
use accrue_ir::{Address, Op, Operand, Type};
use std::ops::Range;

impl FnLower<'_, '_> {
    /// Sets memory to zero.
    pub(super) fn clear(&mut self, dst: Address, size: u64, align: u32) {
        if size > 0 {
            let bytes = Operand::Int(Type::I64, size as i64);
            self.emit(Op::MemSet { dst, value: Operand::Int(Type::I8, 0), bytes, align });
        }
    }

    /// Initialises the `size` bytes at `addr`; what no entry names becomes zero.
    pub(super) fn init_memory(&mut self, addr: Address, size: u64, align: u32, init: &Init) {
        let types = &self.m.unit.types;
        let whole = match &init.entries[..] {
            [only] => only.offset == 0 && only.bits.is_none() && types.bytes(only.ty) >= size,
            _ => false,
        };
        if !whole && !self.covers(init, size) {
            self.clear(addr, size, align);
        }
        let memory = Memory::untyped(addr, align);
        for index in 0..init.entries.len() {
            self.init_entry(memory, size, &init.entries, index);
        }
    }

    /// Whether the entries follow each other without a gap, so that nothing need be cleared first.
    fn covers(&self, init: &Init, size: u64) -> bool {
        let mut end = 0;
        for entry in &init.entries {
            if entry.bits.is_some() || entry.offset != end {
                return false;
            }
            end += self.m.unit.types.bytes(entry.ty);
        }
        end == size
    }

    fn init_entry(&mut self, object: Memory, size: u64, entries: &[InitEntry], index: usize) {
        let entry = &entries[index];
        let memory = object.offset(entry.offset as i64);
        if let (Some((bit, width)), Repr::Scalar(ty)) = (entry.bits, repr(&self.m.unit.types, entry.ty)) {
            let signed = self.m.unit.types.is_signed(entry.ty);
            let value = self.value(&entry.value);
            let room = u64::from(ty.bytes()).min(size.saturating_sub(entry.offset));
            // Bit-fields of one integer are written by it, so that what loads it finds one store.
            let all = bits_beside(entries, index, bit..bit + width);
            let place = match self.bit_field(memory, all.start, all.end - all.start, ty, signed, room) {
                Place::Bits(bits) if bits.is_integer() => Place::Bits(bits.part(bit - all.start, width)),
                _ => self.bit_field(memory, bit, width, ty, signed, room),
            };
            self.write(place, entry.ty, value);
            return;
        }
        match (&entry.value.kind, repr(&self.m.unit.types, entry.ty)) {
            (ExprKind::String(id), Repr::Memory) => self.init_string(memory, *id, entry),
            (_, Repr::Memory) => self.record_into(&entry.value, memory),
            (_, Repr::Scalar(ty)) => {
                let value = self.value(&entry.value);
                self.store(ty, memory.addr, value, memory.align.min(ty.align()), false);
            }
            (_, Repr::Void) => self.effect(&entry.value),
        }
    }

    /// A string as the value of a character array: cut off, or padded with zeros.
    fn init_string(&mut self, memory: Memory, id: crate::typed::StrId, entry: &InitEntry) {
        let global = self.m.string(id);
        let source = Address { base: Operand::Global(global), offset: 0 };
        let size = self.m.unit.types.bytes(entry.ty);
        let length = self.m.module.globals[global].size.min(size);
        self.copy_memory(memory.addr, source, length, 1);
        if length < size {
            let rest = memory.offset(length as i64);
            self.clear(rest.addr, size - length, rest.align);
        }
    }
}

/// The bits of one unit that the entries right beside a bit-field's write, its own `bits` among them.
fn bits_beside(entries: &[InitEntry], index: usize, bits: Range<u32>) -> Range<u32> {
    let entry = &entries[index];
    let of_unit = |other: &&InitEntry| other.offset == entry.offset && other.ty == entry.ty;
    let before = entries[..index].iter().rev().take_while(of_unit);
    let beside = before.chain(entries[index + 1..].iter().take_while(of_unit));
    beside
        .filter_map(|other| other.bits)
        .fold(bits, |all, (bit, width)| all.start.min(bit)..all.end.max(bit + width))
}
