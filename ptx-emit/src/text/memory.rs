//! Addresses, loads and stores.

use super::call_graph::Target;
use super::error::Result;
use super::function::{FunctionWriter, ins, put};
use super::name::RESULT;
use super::operand::{Base, Place, Value};
use super::register::{Class, Reg};
use super::shared::{Home, SlotPlace};
use accrue_ir::*;
use std::rc::Rc;

impl FunctionWriter<'_, '_> {
    /// A type as memory instructions name it.
    pub(super) fn memory_type(&self, ty: Type) -> Result<&'static str> {
        Ok(match ty {
            Type::I8 => "u8",
            Type::I16 => "u16",
            Type::I32 => "u32",
            Type::I64 | Type::Ptr => "u64",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::I1 => return Err(self.error("a truth value in memory (a mistake in accrue)")),
            Type::F80
            | Type::I128
            | Type::C32
            | Type::C64
            | Type::I8x16
            | Type::I16x8
            | Type::I32x4
            | Type::I64x2
            | Type::F32x4
            | Type::F64x2 => {
                self.class(ty)?;
                ""
            }
        })
    }

    /// Where an access goes. `hint` is what the access itself says about its space.
    pub(super) fn place(&mut self, addr: Address, hint: Space) -> Result<Place> {
        let is_shared = matches!(addr.base, Operand::Local(local) if self.shared_pointers.contains(local));
        let hint = if is_shared { Space::Shared } else { hint };
        let place = match addr.base {
            Operand::Slot(slot) => self.slot_place(slot, addr.offset)?,
            Operand::Global(global) => {
                self.demands.globals.insert(global);
                let base = Base::Symbol(self.program.globals[global].clone());
                Place { space: Space::Global, base, offset: addr.offset }
            }
            Operand::Local(local) if self.shared_offsets.contains(local) => {
                Place { space: Space::Shared, base: Base::Reg(self.local(local)?), offset: addr.offset }
            }
            Operand::Local(local) if self.global_pointers.contains(local) => {
                Place { space: Space::Global, base: Base::Reg(self.local(local)?), offset: addr.offset }
            }
            Operand::Local(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {
                let mut base = Base::Reg(self.reg(addr.base)?);
                let mut offset = addr.offset;
                // Generic addresses of global memory are addresses in it; the other spaces have windows of
                // their own, which an address without its offset may not be in.
                if let Space::Shared | Space::Local = hint {
                    let generic = self.generic(&Place { space: Space::Generic, base, offset }, false);
                    let own = self.temp(Class::B64);
                    let space = if hint == Space::Shared { "shared" } else { "local" };
                    ins!(self, "cvta.to.{space}.u64 {own}, {generic}");
                    (base, offset) = (Base::Reg(own), 0);
                }
                let space = if hint == Space::Param { Space::Generic } else { hint };
                Place { space, base, offset }
            }
        };
        Ok(self.reachable(place))
    }

    /// Offsets in an instruction have 32 bits.
    fn reachable(&mut self, place: Place) -> Place {
        if i32::try_from(place.offset).is_ok() && i32::try_from(place.offset.wrapping_add(4096)).is_ok() {
            return place;
        }
        let base = match &place.base {
            Base::Reg(reg) => self.temp(reg.class),
            Base::Symbol(_) => self.temp(Class::B64),
        };
        match &place.base {
            Base::Reg(reg) if reg.class == Class::B32 => {
                ins!(self, "add.s32 {base}, {reg}, {}", place.offset as i32);
            }
            Base::Reg(reg) => ins!(self, "add.s64 {base}, {reg}, {}", Value::Int(place.offset)),
            Base::Symbol(name) => {
                ins!(self, "mov.u64 {base}, {name}");
                ins!(self, "add.s64 {base}, {base}, {}", Value::Int(place.offset));
            }
        }
        Place { base: Base::Reg(base), offset: 0, ..place }
    }

    fn slot_place(&mut self, slot: Slot, offset: i64) -> Result<Place> {
        let Some(place) = self.layout.places[slot].clone() else {
            return Err(
                self.error("a mapped variable was not rewritten to its address (a mistake in accrue)")
            );
        };
        let mut offset = offset.wrapping_add(place.offset as i64);
        let base = match place.home {
            Home::Array(name) => Base::Symbol(name),
            Home::Launch => Base::Reg(self.scratch()),
            Home::Gang => {
                offset = offset.wrapping_add(self.program.scratch.gangs_start() as i64);
                Base::Reg(self.gang_part())
            }
        };
        if place.stride == 0 {
            return Ok(Place { space: place.space, base, offset });
        }
        let row = match self.worker_slots[slot] {
            Some(row) => row,
            None => {
                let is_shared = place.space == Space::Shared;
                let class = if is_shared { Class::B32 } else { Class::B64 };
                let (row, worker, start) = (self.temp(class), self.temp(Class::B32), self.temp(class));
                self.worker_slots[slot] = Some(row);
                self.once(|w| {
                    put!(w, ["mov.u32"], worker, "%tid.y");
                    match &base {
                        Base::Symbol(name) => put!(w, ["mov.", class.name()], start, &**name),
                        Base::Reg(reg) => put!(w, ["mov.", class.name()], start, *reg),
                    }
                    let name = if is_shared { "mad.lo.s32" } else { "mad.wide.u32" };
                    put!(w, [name], row, worker, Value::Int(place.stride as i64), start);
                });
                row
            }
        };
        Ok(Place { space: place.space, base: Base::Reg(row), offset })
    }

    /// The address of a gang's instance of a slot.
    pub(super) fn instance(&mut self, dst: Local, slot: Operand, gang: Operand) -> Result<()> {
        let place = match slot {
            Operand::Slot(slot) => self.layout.places[slot].clone(),
            _ => None,
        };
        let Some(SlotPlace { home: Home::Gang, offset, stride: 0, .. }) = place else {
            return Err(
                self.error("an instance of a slot that other gangs do not reach (a mistake in accrue)")
            );
        };
        let (gang, scratch) = (self.reg(gang)?, self.scratch());
        let (part, dst) = (self.temp(Class::B64), self.local(dst)?);
        let layout = &self.program.scratch;
        ins!(self, "mad.wide.u32 {part}, {gang}, {}, {scratch}", layout.gang_bytes());
        ins!(self, "add.s64 {dst}, {part}, {}", layout.gangs_start() + offset);
        Ok(())
    }

    /// An address as a generic pointer.
    pub(super) fn address_value(&mut self, addr: Address) -> Result<Reg> {
        let place = self.place(addr, Space::Generic)?;
        let is_named = matches!(addr.base, Operand::Slot(_) | Operand::Global(_));
        Ok(self.generic(&place, is_named))
    }

    /// The generic address of a place; `named` says that its base belongs to its space.
    pub(super) fn generic(&mut self, place: &Place, named: bool) -> Reg {
        let mut address = match &place.base {
            Base::Reg(reg) if reg.class == Class::B32 => {
                let wide = self.temp(Class::B64);
                put!(self, ["cvt.u64.u32"], wide, *reg);
                wide
            }
            Base::Reg(reg) => *reg,
            Base::Symbol(name) => {
                let reg = self.temp(Class::B64);
                put!(self, ["mov.u64"], reg, &**name);
                reg
            }
        };
        if named {
            let generic = self.temp(Class::B64);
            put!(self, ["cvta", place.space_name(), ".u64"], generic, address);
            address = generic;
        }
        if place.offset != 0 {
            let sum = self.temp(Class::B64);
            put!(self, ["add.s64"], sum, address, Value::Int(place.offset));
            address = sum;
        }
        address
    }

    /// The address of a slot in shared memory, of 32 bits.
    pub(super) fn shared_offset(&mut self, slot: Slot) -> Result<Reg> {
        let Place { base, offset, .. } = self.slot_place(slot, 0)?;
        let start = match base {
            Base::Reg(reg) => reg,
            Base::Symbol(name) => {
                let start = self.temp(Class::B32);
                put!(self, ["mov.u32"], start, &*name);
                start
            }
        };
        if offset == 0 {
            return Ok(start);
        }
        let address = self.temp(Class::B32);
        put!(self, ["add.s32"], address, start, Value::Int(offset));
        Ok(address)
    }

    /// The address of an element in shared memory, of 32 bits: addresses wrap around as those of 64 bits do.
    fn index_in_shared(
        &mut self,
        dst: Local,
        base: Operand,
        index: Operand,
        scale: i64,
        offset: i64,
    ) -> Result<()> {
        let base = self.value_for(dst, base)?;
        let short = |value: i64| Value::Int(i64::from(value as i32));
        let (offset, product) = match index {
            Operand::Int(_, index) => (index.wrapping_mul(scale).wrapping_add(offset), None),
            index => {
                let mut index = self.reg(index)?;
                if index.class == Class::B64 {
                    let low = self.temp(Class::B32);
                    put!(self, ["cvt.u32.u64"], low, index);
                    index = low;
                }
                if scale != 1 {
                    let product = self.temp(Class::B32);
                    put!(self, ["mul.lo.s32"], product, index, short(scale));
                    index = product;
                }
                (offset, Some(index))
            }
        };
        let dst = self.local(dst)?;
        match product {
            None if short(offset) == Value::Int(0) => put!(self, ["mov.b32"], dst, base),
            None => put!(self, ["add.s32"], dst, base, short(offset)),
            Some(product) if short(offset) == Value::Int(0) => put!(self, ["add.s32"], dst, base, product),
            Some(product) => {
                let sum = self.temp(Class::B32);
                put!(self, ["add.s32"], sum, base, product);
                put!(self, ["add.s32"], dst, sum, short(offset));
            }
        }
        Ok(())
    }

    /// The address of a function.
    pub(super) fn function_address(&mut self, func: Func) -> Result<Reg> {
        let Target::Function(target) = self.program.targets.of(func) else {
            return Err(self.no_device_version(func));
        };
        let name = self.program.functions[target].clone();
        let reg = self.temp(Class::B64);
        ins!(self, "mov.u64 {reg}, {name}");
        Ok(reg)
    }

    pub(super) fn index(
        &mut self,
        dst: Local,
        base: Operand,
        index: Operand,
        scale: i64,
        offset: i64,
    ) -> Result<()> {
        if self.shared_offsets.contains(dst) {
            return self.index_in_shared(dst, base, index, scale, offset);
        }
        if let Operand::Int(_, index) = index {
            let offset = index.wrapping_mul(scale).wrapping_add(offset);
            let base = self.value(base)?;
            let dst = self.local(dst)?;
            if offset == 0 {
                put!(self, ["mov.b64"], dst, base);
            } else {
                put!(self, ["add.s64"], dst, base, Value::Int(offset));
            }
            return Ok(());
        }
        let (base, index) = (self.value(base)?, self.reg(index)?);
        let dst = self.local(dst)?;
        let sum = if offset == 0 { dst } else { self.temp(Class::B64) };
        // A product and a sum: `ptxas` makes one instruction of them, and two of a `mad`.
        let product = if base == sum.into() { self.temp(Class::B64) } else { sum };
        match (index.class, i32::try_from(scale)) {
            (Class::B32, Ok(_)) => put!(self, ["mul.wide.s32"], product, index, Value::Int(scale)),
            (Class::B32, Err(_)) => {
                let wide = self.temp(Class::B64);
                put!(self, ["cvt.s64.s32"], wide, index);
                put!(self, ["mul.lo.s64"], product, wide, Value::Int(scale));
            }
            _ if scale == 1 => {
                put!(self, ["add.s64"], sum, base, index);
                return self.behind(dst, sum, offset);
            }
            _ if scale > 0 && scale.count_ones() == 1 => {
                put!(self, ["shl.b64"], product, index, Value::Int(scale.trailing_zeros().into()));
            }
            _ => put!(self, ["mul.lo.s64"], product, index, Value::Int(scale)),
        }
        put!(self, ["add.s64"], sum, base, product);
        self.behind(dst, sum, offset)
    }

    /// An address behind another one, if they differ.
    fn behind(&mut self, dst: Reg, from: Reg, offset: i64) -> Result<()> {
        if offset != 0 {
            put!(self, ["add.s64"], dst, from, Value::Int(offset));
        }
        Ok(())
    }

    pub(super) fn load(&mut self, dst: Local, addr: Address, access: Access) -> Result<()> {
        let ty = self.body.locals[dst].ty;
        let name = self.memory_type(ty)?;
        let place = self.place(addr, access.space)?;
        let dst = self.local(dst)?;
        let space = place.space_name();
        if access.align >= ty.bytes() {
            let volatile = volatile(&place, access);
            let constant = self.constant(&place, addr, access);
            put!(self, ["ld", volatile, space, constant, ".", name], dst, &place);
            return Ok(());
        }
        let whole = self.load_pieces(&place, u64::from(ty.bytes()), access);
        match dst.class {
            Class::B64 | Class::F64 => ins!(self, "mov.b64 {dst}, {whole}"),
            _ if ty == Type::F32 => {
                let low = self.temp(Class::B32);
                ins!(self, "cvt.u32.u64 {low}, {whole}");
                ins!(self, "mov.b32 {dst}, {low}");
            }
            _ => ins!(self, "cvt.u32.u64 {dst}, {whole}"),
        }
        Ok(())
    }

    /// What a load says whose memory nothing writes.
    pub(super) fn constant(&mut self, place: &Place, addr: Address, access: Access) -> &'static str {
        let is_constant = place.space == Space::Global && !access.volatile && self.is_constant(addr.base);
        if is_constant { ".nc" } else { "" }
    }

    /// Up to eight bytes that are less aligned than their size, zero-extended to 64 bits.
    fn load_pieces(&mut self, place: &Place, bytes: u64, access: Access) -> Reg {
        let (space, volatile) = (place.space_name(), volatile(place, access));
        let step = u64::from(access.align.max(1));
        let mut whole: Option<Reg> = None;
        for offset in (0..bytes).step_by(step as usize) {
            let (piece, wide) = (self.temp(Class::B32), self.temp(Class::B64));
            ins!(self, "ld{volatile}{space}.u{} {piece}, {}", step * 8, place.plus(offset));
            ins!(self, "cvt.u64.u32 {wide}, {piece}");
            whole = Some(match whole {
                None => wide,
                Some(low) => {
                    let (shifted, both) = (self.temp(Class::B64), self.temp(Class::B64));
                    ins!(self, "shl.b64 {shifted}, {wide}, {}", offset * 8);
                    ins!(self, "or.b64 {both}, {low}, {shifted}");
                    both
                }
            });
        }
        whole.unwrap_or_else(|| self.in_register(Class::B64, Value::Int(0)))
    }

    pub(super) fn store(&mut self, ty: Type, addr: Address, src: Operand, access: Access) -> Result<()> {
        let name = self.memory_type(ty)?;
        let src = self.value(src)?;
        let place = self.place(addr, access.space)?;
        let space = place.space_name();
        let volatile = volatile(&place, access);
        if access.align >= ty.bytes() {
            put!(self, ["st", volatile, space, ".", name], &place, src);
            return Ok(());
        }
        let class = self.class(ty)?;
        let src = self.in_register(class, src);
        let bits = self.as_bits(src);
        let step = u64::from(access.align.max(1));
        for offset in (0..u64::from(ty.bytes())).step_by(step as usize) {
            let mut piece = bits;
            if offset > 0 {
                piece = self.temp(bits.class);
                ins!(self, "shr.{} {piece}, {bits}, {}", unsigned(bits.class), offset * 8);
            }
            if piece.class == Class::B64 {
                let low = self.temp(Class::B32);
                ins!(self, "cvt.u32.u64 {low}, {piece}");
                piece = low;
            }
            ins!(self, "st{volatile}{space}.u{} {}, {piece}", step * 8, place.plus(offset));
        }
        Ok(())
    }

    /// The bits of a value as an integer of the same width.
    pub(super) fn as_bits(&mut self, src: Reg) -> Reg {
        let (class, name) = match src.class {
            Class::F32 => (Class::B32, "b32"),
            Class::F64 => (Class::B64, "b64"),
            Class::Pred | Class::B32 | Class::B64 => return src,
        };
        let bits = self.temp(class);
        ins!(self, "mov.{name} {bits}, {src}");
        bits
    }

    pub(super) fn stack_alloc(&mut self, dst: Local, bytes: Operand, align: u32) -> Result<()> {
        let bytes = self.reg(bytes)?;
        let dst = self.local(dst)?;
        let (some, own) = (self.temp(Class::B64), self.temp(Class::B64));
        // Nothing may be allocated by zero bytes.
        ins!(self, "max.u64 {some}, {bytes}, 1");
        ins!(self, "alloca.u64 {own}, {some}, {align}");
        ins!(self, "cvta.local.u64 {dst}, {own}");
        Ok(())
    }

    /// A place in the frame.
    pub(super) fn frame_place(&mut self, bytes: u64, align: u32) -> Place {
        let offset = self.layout.frame_place(bytes, align);
        self.frame_at(offset)
    }

    /// The place at an offset in the frame.
    pub(super) fn frame_at(&self, offset: u64) -> Place {
        Place { space: Space::Local, base: Base::Symbol(super::name::FRAME.into()), offset: offset as i64 }
    }

    /// The place of a parameter or a result in the parameter space.
    pub(super) fn param_place(name: &Rc<str>) -> Place {
        Place { space: Space::Param, base: Base::Symbol(name.clone()), offset: 0 }
    }

    /// The place of the function's result.
    pub(super) fn result_place() -> Place {
        Self::param_place(&RESULT.into())
    }
}

fn unsigned(class: Class) -> &'static str {
    if class == Class::B64 { "u64" } else { "u32" }
}

/// What a volatile access says. Nobody else sees the memory of a thread, and PTX knows no volatile accesses
/// to it.
fn volatile(place: &Place, access: Access) -> &'static str {
    if access.volatile && place.space != Space::Local { ".volatile" } else { "" }
}
