//! Copying and filling memory.

use super::error::Result;
use super::function::{FunctionWriter, ins};
use super::operand::{Base, Place, Value};
use super::register::{Class, Reg};
use accrue_ir::*;

/// Most accesses that stand one after the other; more become a loop.
const UNROLLED: u64 = 32;
/// Widest access.
const WIDEST: u32 = 8;

/// What a fill or a copy moves in one step.
enum Source {
    /// From here.
    Memory(Place),
    /// The byte, eight times, in a 64-bit register.
    Bytes(Value),
}

impl FunctionWriter<'_, '_> {
    pub(super) fn mem_copy(&mut self, dst: Address, src: Address, bytes: Operand, align: u32) -> Result<()> {
        let src = self.place(src, Space::Generic)?;
        let dst = self.place(dst, Space::Generic)?;
        let bytes = self.value(bytes)?;
        self.transfer(&dst, &Source::Memory(src), bytes, align);
        Ok(())
    }

    pub(super) fn mem_set(&mut self, dst: Address, value: Operand, bytes: Operand, align: u32) -> Result<()> {
        let byte = self.value(value)?;
        self.fill(dst, byte, bytes, align)
    }

    /// Sets bytes to one that stands zero-extended.
    pub(super) fn fill(&mut self, dst: Address, byte: Value, bytes: Operand, align: u32) -> Result<()> {
        let bytes_of = match byte {
            Value::Int(byte) => Value::Int(i64::from_le_bytes([byte as u8; 8])),
            byte => {
                let (wide, all) = (self.temp(Class::B64), self.temp(Class::B64));
                ins!(self, "cvt.u64.u32 {wide}, {byte}");
                ins!(self, "mul.lo.s64 {all}, {wide}, {}", i64::from_le_bytes([1; 8]));
                all.into()
            }
        };
        let dst = self.place(dst, Space::Generic)?;
        let bytes = self.value(bytes)?;
        self.transfer(&dst, &Source::Bytes(bytes_of), bytes, align);
        Ok(())
    }

    /// Clears what was just allocated.
    pub(super) fn clear(&mut self, start: Reg, bytes: Value) {
        let dst = Place { space: Space::Generic, base: Base::Reg(start), offset: 0 };
        self.transfer(&dst, &Source::Bytes(Value::Int(0)), bytes, WIDEST);
    }

    /// A part of the frame for arguments in memory, which no two calls use at once.
    pub(super) fn argument_area(&mut self, bytes: u64) -> Place {
        let offset = match self.scratch_area {
            Some((offset, size)) if size >= bytes => offset,
            _ => {
                let offset = self.layout.frame_place(bytes, WIDEST);
                self.scratch_area = Some((offset, bytes));
                offset
            }
        };
        self.frame_at(offset)
    }

    fn transfer(&mut self, dst: &Place, source: &Source, bytes: Value, align: u32) {
        let step = u64::from(align.clamp(1, WIDEST));
        match bytes {
            Value::Int(bytes) if (bytes.max(0) as u64).div_ceil(step) <= UNROLLED => {
                self.unrolled(dst, source, 0, bytes.max(0) as u64, step);
            }
            Value::Int(bytes) => {
                let bytes = bytes as u64;
                let whole = bytes / step * step;
                self.looped(dst, source, Value::Int(0), Value::Int(whole as i64), step);
                self.unrolled(dst, source, whole, bytes, step);
            }
            bytes => {
                let whole = if step == 1 {
                    bytes
                } else {
                    let whole = self.temp(Class::B64);
                    ins!(self, "and.b64 {whole}, {bytes}, {}", -(step as i64));
                    whole.into()
                };
                self.looped(dst, source, Value::Int(0), whole, step);
                if step > 1 {
                    self.looped(dst, source, whole, bytes, 1);
                }
            }
        }
    }

    /// Moves the bytes from `start` to `end`, both constant; narrower accesses finish what is left.
    fn unrolled(&mut self, dst: &Place, source: &Source, start: u64, end: u64, step: u64) {
        let (mut at, mut step) = (start, step);
        while at < end {
            while step > end - at {
                step /= 2;
            }
            let from = match source {
                Source::Memory(place) => Source::Memory(place.plus(at)),
                Source::Bytes(value) => Source::Bytes(*value),
            };
            self.step(&dst.plus(at), &from, step);
            at += step;
        }
    }

    /// Moves the bytes from `start` to `end` in a loop.
    fn looped(&mut self, dst: &Place, source: &Source, start: Value, end: Value, step: u64) {
        let (at, more) = (self.temp(Class::B64), self.temp(Class::Pred));
        let (again, done) = (self.label("copy"), self.label("copied"));
        ins!(self, "mov.b64 {at}, {}", start);
        let runs_always = matches!((start, end), (Value::Int(start), Value::Int(end)) if start < end);
        if !runs_always {
            ins!(self, "setp.ge.u64 {more}, {at}, {end}");
            ins!(self, "@{more} bra {done}");
        }
        let to = self.in_base(dst);
        let from = match source {
            Source::Memory(place) => Source::Memory(self.in_base(place)),
            Source::Bytes(value) => Source::Bytes(*value),
        };
        self.place_label(again);
        let from = match &from {
            Source::Memory(place) => Source::Memory(self.moved(place, at)),
            Source::Bytes(value) => Source::Bytes(*value),
        };
        let to = self.moved(&to, at);
        self.step(&to, &from, step);
        ins!(self, "add.s64 {at}, {at}, {step}");
        ins!(self, "setp.lt.u64 {more}, {at}, {end}");
        ins!(self, "@{more} bra {again}");
        if !runs_always {
            self.place_label(done);
        }
    }

    /// A place whose base is in a register of 64 bits.
    fn in_base(&mut self, place: &Place) -> Place {
        let base = self.generic(&Place { offset: 0, ..place.clone() }, false);
        Place { base: Base::Reg(base), ..place.clone() }
    }

    /// The place `by` bytes further.
    fn moved(&mut self, place: &Place, by: Reg) -> Place {
        let Base::Reg(base) = place.base else { return place.clone() };
        let sum = self.temp(Class::B64);
        ins!(self, "add.s64 {sum}, {base}, {by}");
        Place { base: Base::Reg(sum), ..place.clone() }
    }

    fn step(&mut self, dst: &Place, source: &Source, step: u64) {
        let class = if step == 8 { Class::B64 } else { Class::B32 };
        let bits = step * 8;
        let value: Value = match source {
            Source::Memory(place) => {
                let reg = self.temp(class);
                ins!(self, "ld{}.u{bits} {reg}, {place}", place.space_name());
                reg.into()
            }
            Source::Bytes(Value::Int(bytes)) => {
                Value::Int(if bits == 64 { *bytes } else { *bytes & ((1 << bits) - 1) })
            }
            Source::Bytes(value) if step == 8 => *value,
            Source::Bytes(value) => {
                let low = self.temp(Class::B32);
                ins!(self, "cvt.u32.u64 {low}, {value}");
                low.into()
            }
        };
        ins!(self, "st{}.u{bits} {dst}, {value}", dst.space_name());
    }
}
