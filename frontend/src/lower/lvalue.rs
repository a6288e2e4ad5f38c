//! Places: what lvalues denote.

use super::function::{FnLower, Home, pointer_address, slot_address};
use super::globals::constant_int;
use super::types::{Repr, repr};
use crate::ctype::{ArrayLen, CType, QualType, Record, TypeId};
use crate::typed::{CastKind, Expr, ExprKind};
use accrue_ir::{
    Access, Address, BinaryOp, CmpOp, ConvertOp, Local, Op, Operand, Space, Terminator, Type, UnaryOp,
};
use std::num::NonZeroU32;

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    pub(super) addr: Address,
    /// Known alignment of the address, in bytes.
    pub(super) align: u32,
    pub(super) volatile: bool,
    pub(super) atomic: bool,
    /// Whether C's rule of effective types holds: not for members of unions.
    pub(super) typed: bool,
}

/// A bit-field: `width` bits from bit `shift` of the little-endian integer of `bytes` bytes at `memory`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitField {
    pub(super) memory: Memory,
    /// The integer type that holds those bytes in a register; wider than them where no integer of memory
    /// fits.
    unit: Type,
    bytes: u32,
    shift: u32,
    width: u32,
    signed: bool,
    /// The type of the value: what the C type of the member is in the IR.
    value: Type,
}

impl BitField {
    /// Whether one integer of memory is its unit.
    pub(super) fn is_integer(self) -> bool {
        self.bytes == self.unit.bytes()
    }

    /// `width` of its bits, from this one on.
    pub(super) fn part(self, first: u32, width: u32) -> BitField {
        BitField { shift: self.shift + first, width, ..self }
    }
}

/// What an lvalue is evaluated for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To read or write it: subscripts of arrays are in range.
    Access,
    /// For its address, which may be that of the end of an array.
    Address,
}

/// What an lvalue denotes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Local(Local),
    /// Real or imaginary part of a complex local.
    Part(Local, bool),
    Memory(Memory),
    Bits(BitField),
}

/// What a pointer expression leads to.
#[derive(Clone, Copy)]
struct Reached {
    addr: Address,
    /// Whether what is accessed there is typed: not if it is seen to lie in a union.
    typed: bool,
    /// The alignment, if that is one of an array which is a part of a known object, such as a packed
    /// structure. Of other pointers their type says it.
    align: u32,
}

/// The alignment of whatever a pointer is declared to lead to.
const ANY: u32 = 1 << 30;

/// The widest access of any device, in bytes: nobody asks for more.
const WIDEST: u32 = 16;

/// The alignment that an address keeps after an offset is added.
fn align_at(align: u32, offset: i64) -> u32 {
    match offset {
        0 => align,
        _ => align.min(1 << offset.trailing_zeros().min(30)),
    }
}

impl Memory {
    fn at(addr: Address, align: u32, ty: QualType, typed: bool) -> Memory {
        Memory { addr, align, volatile: ty.quals.volatile, atomic: ty.quals.atomic, typed }
    }

    /// Memory of any kind.
    pub(super) fn untyped(addr: Address, align: u32) -> Memory {
        Memory { addr, align, volatile: false, atomic: false, typed: false }
    }

    /// How a scalar is accessed here. More than its own alignment is said, too: members of a structure that
    /// has an alignment of its own can be accessed together.
    fn access(self, scalar: Type) -> Access {
        let align = self.align.min(scalar.align().max(WIDEST));
        Access { align, space: Space::Generic, volatile: self.volatile, typed: self.typed }
    }

    /// The place `offset` bytes further.
    pub(super) fn offset(self, offset: i64) -> Memory {
        let addr = Address { offset: self.addr.offset.wrapping_add(offset), ..self.addr };
        Memory { addr, align: align_at(self.align, offset), ..self }
    }
}

impl FnLower<'_, '_> {
    fn type_align(&self, ty: QualType) -> u32 {
        match repr(&self.m.unit.types, ty.ty) {
            Repr::Void => 1,
            Repr::Scalar(_) | Repr::Memory => self.m.unit.types.align_of(ty).max(1) as u32,
        }
    }

    /// The memory of an object of this type.
    fn typed(&self, addr: Address, align: u32, ty: QualType) -> Memory {
        Memory::at(addr, align, ty, self.m.unit.strict_aliasing)
    }

    /// The place of an lvalue that is read or written; its parts are evaluated.
    pub(super) fn place(&mut self, expr: &Expr) -> Place {
        self.place_for(expr, Purpose::Access)
    }

    /// The place of an lvalue whose address is taken.
    pub(super) fn place_of_address(&mut self, expr: &Expr) -> Place {
        self.place_for(expr, Purpose::Address)
    }

    fn place_for(&mut self, expr: &Expr, purpose: Purpose) -> Place {
        match &expr.kind {
            ExprKind::Var(id) if self.is_global(*id) => {
                let global = self.m.global(*id);
                let align = self.m.module.globals[global].align;
                let addr = Address { base: Operand::Global(global), offset: 0 };
                Place::Memory(self.typed(addr, align, expr.ty))
            }
            ExprKind::Var(id) => match self.home(*id) {
                Home::Local(local) => Place::Local(local),
                Home::Slot(slot) => {
                    let align = self.body.slots[slot].align;
                    Place::Memory(self.typed(slot_address(slot), align, expr.ty))
                }
                Home::Indirect(pointer) => {
                    let align = self.type_align(expr.ty);
                    Place::Memory(self.typed(pointer_address(pointer), align, expr.ty))
                }
            },
            ExprKind::String(id) => {
                let global = self.m.string(*id);
                let addr = Address { base: Operand::Global(global), offset: 0 };
                Place::Memory(self.typed(addr, self.m.module.globals[global].align, expr.ty))
            }
            ExprKind::Deref(pointer) => {
                let Reached { addr, typed, align } = self.address_through(pointer, purpose);
                let align = self.type_align(expr.ty).min(align);
                Place::Memory(Memory::at(addr, align, expr.ty, typed))
            }
            ExprKind::Member(base, record, field) => {
                let base = self.place_for(base, purpose);
                self.member(expr, base, *record, *field)
            }
            ExprKind::Part(base, imaginary) => match self.place_for(base, purpose) {
                Place::Local(local) => Place::Part(local, *imaginary),
                Place::Memory(memory) => {
                    let size = self.m.unit.types.bytes(expr.ty.ty) as i64;
                    Place::Memory(memory.offset(if *imaginary { size } else { 0 }))
                }
                Place::Part(..) | Place::Bits(_) => unreachable!("only complex objects have parts"),
            },
            ExprKind::CompoundLiteral(id, init) => self.compound_literal(expr, *id, init.as_ref()),
            _ => Place::Memory(self.record(expr)),
        }
    }

    fn compound_literal(
        &mut self,
        expr: &Expr,
        id: crate::typed::VarId,
        init: Option<&crate::typed::Init>,
    ) -> Place {
        if self.is_static(id) {
            let global = self.m.global(id);
            let addr = Address { base: Operand::Global(global), offset: 0 };
            return Place::Memory(self.typed(addr, self.m.module.globals[global].align, expr.ty));
        }
        match self.home(id) {
            Home::Local(local) => {
                let value = match init.and_then(|init| init.entries.last()) {
                    Some(entry) => self.value(&entry.value),
                    None => self.zero(self.body.locals[local].ty),
                };
                self.copy(local, value);
                Place::Local(local)
            }
            Home::Slot(slot) => {
                let (size, align) = (self.body.slots[slot].size, self.body.slots[slot].align);
                match init {
                    Some(init) => self.init_memory(slot_address(slot), size, align, init),
                    None => self.clear(slot_address(slot), size, align),
                }
                Place::Memory(self.typed(slot_address(slot), align, expr.ty))
            }
            Home::Indirect(_) => unreachable!("compound literals are no VLAs"),
        }
    }

    fn member(&mut self, expr: &Expr, base: Place, record: crate::ctype::RecordId, field: u32) -> Place {
        let base = match base {
            Place::Memory(memory) => memory,
            Place::Local(_) | Place::Part(..) | Place::Bits(_) => unreachable!("structs live in memory"),
        };
        let types = &self.m.unit.types;
        let record = &types.records[record.0 as usize];
        let fields = record.fields.as_ref().expect("members are named on complete types");
        let index = field as usize;
        let field = &fields[index];
        let mut memory = base.offset(field.offset as i64);
        memory.volatile |= expr.ty.quals.volatile;
        memory.atomic = expr.ty.quals.atomic;
        memory.typed &= !record.is_union;
        let Some((bit, width)) = field.bits else { return Place::Memory(memory) };
        let ty = field.ty.ty;
        let Repr::Scalar(value) = repr(types, ty) else { unreachable!("bit-fields are integers") };
        let signed = types.is_signed(ty);
        if let Some((start, unit)) = shared_unit(record, index, types.bytes(ty)) {
            let at = base.offset(start as i64);
            let memory = Memory { addr: at.addr, align: at.align, ..memory };
            let shift = (field.offset * 8 + u64::from(bit) - start * 8) as u32;
            return Place::Bits(BitField { memory, unit, bytes: unit.bytes(), shift, width, signed, value });
        }
        self.bit_field(memory, bit, width, value, signed, record_end(record.size, field.offset))
    }

    /// Picks the narrowest integer that covers a bit-field and does not reach past `room` bytes from its
    /// unit; in packed structs, where there may be none, exactly the bytes that the bit-field touches.
    pub(super) fn bit_field(
        &mut self,
        memory: Memory,
        bit: u32,
        width: u32,
        value: Type,
        signed: bool,
        room: u64,
    ) -> Place {
        for unit in [Type::I8, Type::I16, Type::I32, Type::I64] {
            let bytes = unit.bytes();
            // Aligned units first, so that an ordinary struct needs no unaligned access.
            for start in [bit / 8 / bytes * bytes, bit / 8] {
                let covers = bit >= start * 8 && bit + width <= (start + bytes) * 8;
                if covers && u64::from(start + bytes) <= room {
                    let memory = memory.offset(i64::from(start));
                    let shift = bit - start * 8;
                    return Place::Bits(BitField { memory, unit, bytes, shift, width, signed, value });
                }
            }
        }
        let (start, shift) = (bit / 8, bit % 8);
        let bytes = (shift + width).div_ceil(8);
        let unit = match bytes {
            0..=4 => Type::I32,
            5..=8 => Type::I64,
            _ => Type::I128,
        };
        let memory = memory.offset(i64::from(start));
        Place::Bits(BitField { memory, unit, bytes, shift, width, signed, value })
    }

    /// The integers of memory that make up the bytes of a bit-field's unit: (offset, type).
    fn pieces(bits: BitField) -> impl Iterator<Item = (u32, Type)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let fits = |ty: &Type| ty.bytes() <= bits.bytes - at;
            let ty = [Type::I128, Type::I64, Type::I32, Type::I16, Type::I8].into_iter().find(fits)?;
            at += ty.bytes();
            Some((at - ty.bytes(), ty))
        })
    }

    fn load_unit(&mut self, bits: BitField) -> Operand {
        let mut whole = None;
        for (offset, ty) in Self::pieces(bits) {
            let memory = bits.memory.offset(i64::from(offset));
            let piece = self.load(ty, memory.addr, memory.align.min(ty.align()), memory.volatile);
            let piece = self.resize(piece, bits.unit, false);
            whole = Some(match whole {
                None => piece,
                Some(low) => {
                    let by = Operand::Int(Type::I32, i64::from(offset * 8));
                    let high = self.binary(BinaryOp::Shl, piece, by);
                    self.binary(BinaryOp::Or, low, high)
                }
            });
        }
        whole.unwrap_or(Operand::Int(bits.unit, 0))
    }

    fn store_unit(&mut self, bits: BitField, whole: Operand) {
        for (offset, ty) in Self::pieces(bits) {
            let memory = bits.memory.offset(i64::from(offset));
            let piece = match offset {
                0 => whole,
                _ => {
                    let by = Operand::Int(Type::I32, i64::from(offset * 8));
                    self.binary(BinaryOp::LShr, whole, by)
                }
            };
            let piece = self.resize(piece, ty, false);
            self.store(ty, memory.addr, piece, memory.align.min(ty.align()), memory.volatile);
        }
    }

    /// The address a pointer expression evaluates to, constant offsets kept apart.
    pub(super) fn pointer_address_of(&mut self, pointer: &Expr) -> Address {
        self.address_through(pointer, Purpose::Address).addr
    }

    /// As [`Self::pointer_address_of`]; `purpose` says what for.
    fn address_through(&mut self, pointer: &Expr, purpose: Purpose) -> Reached {
        match &pointer.kind {
            ExprKind::AddrOf(place) | ExprKind::Decay(place) if !self.is_function(place.ty.ty) => {
                let decays = matches!(pointer.kind, ExprKind::Decay(_));
                match self.place_for(place, if decays { purpose } else { Purpose::Address }) {
                    Place::Memory(Memory { addr, typed, align, .. }) => {
                        Reached { addr, typed, align: if decays { align } else { ANY } }
                    }
                    Place::Local(_) | Place::Part(..) | Place::Bits(_) => {
                        unreachable!("what has its address taken lives in memory")
                    }
                }
            }
            ExprKind::Cast(CastKind::Pointer, inner) if self.is_pointer(inner.ty.ty) => {
                Reached { align: ANY, ..self.address_through(inner, Purpose::Address) }
            }
            ExprKind::PtrAdd { pointer: base, index, subtract } => {
                self.indexed(base, index, *subtract, purpose)
            }
            _ => {
                let base = self.value(pointer);
                let typed = self.m.unit.strict_aliasing;
                Reached { addr: Address { base, offset: 0 }, typed, align: ANY }
            }
        }
    }

    pub(super) fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.m.unit.types.get(ty), CType::Function(_))
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.m.unit.types.get(ty), CType::Pointer(_))
    }

    fn indexed(&mut self, base: &Expr, index: &Expr, subtract: bool, purpose: Purpose) -> Reached {
        let array = match &base.kind {
            ExprKind::Decay(array) if purpose == Purpose::Access => Some(array),
            _ => None,
        };
        let reached = self.address_through(base, array.map_or(Purpose::Address, |_| purpose));
        let address = reached.addr;
        let CType::Pointer(pointee) = *self.m.unit.types.get(base.ty.ty) else {
            unreachable!("pointer arithmetic is on pointers")
        };
        let size = match repr(&self.m.unit.types, pointee.ty) {
            Repr::Void => Operand::Int(Type::I64, 1),
            Repr::Scalar(_) | Repr::Memory => self.size_of(pointee.ty),
        };
        let sign = if subtract { -1 } else { 1 };
        if let (Some(index), Some(size)) = (constant_int(index), size.as_int()) {
            let offset = index.wrapping_mul(size).wrapping_mul(sign);
            let addr = Address { offset: address.offset.wrapping_add(offset), ..address };
            return Reached { addr, align: align_at(reached.align, offset), ..reached };
        }
        // The index may change the variable that the base is read from.
        let address = Address { base: self.protect(address.base, index), ..address };
        let index = self.index_value(index);
        let (index, scale, align) = match size.as_int() {
            Some(size) => (index, size.wrapping_mul(sign), align_at(reached.align, size)),
            None => {
                let align = reached.align.min(self.type_align(pointee));
                (self.binary(BinaryOp::Mul, index, size), sign, align)
            }
        };
        let extent = array.filter(|_| !subtract).and_then(|array| self.extent(array.ty.ty));
        let dst = self.temp(Type::Ptr);
        let Address { base, offset } = address;
        self.emit(Op::Index { dst, base, index, scale, offset, extent });
        Reached { addr: pointer_address(dst), align, ..reached }
    }

    /// The value of a subscript, which is a number with a sign for [`Op::Index`].
    fn index_value(&mut self, index: &Expr) -> Operand {
        let value = self.value(index);
        self.change_sign(value, self.m.unit.types.is_signed(index.ty.ty), true)
    }

    /// The number of elements of an array, if that is constant. One of a single element says nothing: old
    /// programs end a structure with such an array, and give it room for more.
    fn extent(&self, array: TypeId) -> Option<NonZeroU32> {
        let CType::Array(_, ArrayLen::Known(count)) = *self.m.unit.types.get(array) else { return None };
        NonZeroU32::new(u32::try_from(count).ok()?).filter(|count| count.get() > 1)
    }

    /// Keeps the present value of a variable that evaluating `later` might change.
    pub(super) fn protect(&mut self, operand: Operand, later: &Expr) -> Operand {
        if is_simple(later) { operand } else { self.snapshot(operand) }
    }

    /// The value in a place.
    pub(super) fn read(&mut self, place: Place, ty: TypeId) -> Operand {
        match place {
            Place::Local(local) => Operand::Local(local),
            Place::Part(local, imaginary) => {
                let op = if imaginary { UnaryOp::Im } else { UnaryOp::Re };
                self.unary(op, Operand::Local(local))
            }
            Place::Memory(memory) => {
                let Repr::Scalar(scalar) = repr(&self.m.unit.types, ty) else {
                    unreachable!("only scalars are read as values")
                };
                if memory.atomic && scalar.bytes() <= 8 && !scalar.is_complex() {
                    let dst = self.temp(scalar);
                    self.emit(Op::AtomicLoad { dst, addr: memory.addr });
                    return Operand::Local(dst);
                }
                self.load_with(scalar, memory.addr, memory.access(scalar))
            }
            Place::Bits(bits) => self.read_bits(bits),
        }
    }

    fn read_bits(&mut self, bits: BitField) -> Operand {
        let BitField { unit, shift, width, signed, value, .. } = bits;
        let whole = self.load_unit(bits);
        let unit_bits = unit.bytes() * 8;
        let field = if signed {
            let up = Operand::Int(Type::I32, i64::from(unit_bits - width - shift));
            let down = Operand::Int(Type::I32, i64::from(unit_bits - width));
            let high = if up.as_int() == Some(0) { whole } else { self.binary(BinaryOp::Shl, whole, up) };
            if down.as_int() == Some(0) { high } else { self.binary(BinaryOp::AShr, high, down) }
        } else {
            let low = match shift {
                0 => whole,
                _ => self.binary(BinaryOp::LShr, whole, Operand::Int(Type::I32, i64::from(shift))),
            };
            if shift + width == unit_bits { low } else { self.mask(low, unit, width) }
        };
        self.resize(field, value, signed)
    }

    /// The low `width` bits.
    fn mask(&mut self, value: Operand, ty: Type, width: u32) -> Operand {
        if width < 64 {
            return self.binary(BinaryOp::And, value, Operand::Int(ty, (1i64 << width) - 1));
        }
        let up = Operand::Int(Type::I32, i64::from(ty.bytes() * 8 - width));
        let high = self.binary(BinaryOp::Shl, value, up);
        self.binary(BinaryOp::LShr, high, up)
    }

    /// An integer in another width.
    pub(super) fn resize(&mut self, value: Operand, to: Type, signed: bool) -> Operand {
        let from = self.ty(value);
        match to.bytes().cmp(&from.bytes()) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Less => self.convert_op(ConvertOp::Trunc, value, to),
            std::cmp::Ordering::Greater => {
                self.convert_op(if signed { ConvertOp::SExt } else { ConvertOp::ZExt }, value, to)
            }
        }
    }

    /// Stores a scalar in a place; the result is the value the place has then.
    pub(super) fn write(&mut self, place: Place, ty: TypeId, value: Operand) -> Operand {
        match place {
            Place::Local(local) => {
                self.copy(local, value);
                Operand::Local(local)
            }
            Place::Part(local, imaginary) => {
                let complex = self.body.locals[local].ty;
                let other = if imaginary { UnaryOp::Re } else { UnaryOp::Im };
                let other = self.unary(other, Operand::Local(local));
                let (re, im) = if imaginary { (other, value) } else { (value, other) };
                self.emit(Op::Binary { dst: local, op: BinaryOp::Complex, a: re, b: im });
                debug_assert!(complex.is_complex());
                value
            }
            Place::Memory(memory) => {
                let Repr::Scalar(scalar) = repr(&self.m.unit.types, ty) else {
                    unreachable!("only scalars are written as values")
                };
                if memory.atomic && scalar.bytes() <= 8 && !scalar.is_complex() {
                    self.emit(Op::AtomicStore { ty: scalar, addr: memory.addr, src: value });
                } else {
                    let access = memory.access(scalar);
                    self.emit(Op::Store { ty: scalar, addr: memory.addr, src: value, access });
                }
                value
            }
            Place::Bits(bits) => self.write_bits(bits, value),
        }
    }

    fn write_bits(&mut self, bits: BitField, value: Operand) -> Operand {
        let BitField { unit, shift, width, signed, value: value_type, .. } = bits;
        let unit_bits = unit.bytes() * 8;
        let field = self.resize(value, unit, false);
        let field = if width == unit_bits { field } else { self.mask(field, unit, width) };
        let shift_by = Operand::Int(Type::I32, i64::from(shift));
        let moved = if shift == 0 { field } else { self.binary(BinaryOp::Shl, field, shift_by) };
        let whole = if width == unit_bits {
            moved
        } else {
            let old = self.load_unit(bits);
            let hole = self.hole(unit, shift, width);
            let rest = self.binary(BinaryOp::And, old, hole);
            self.binary(BinaryOp::Or, rest, moved)
        };
        self.store_unit(bits, whole);
        if !signed || width == unit_bits {
            return self.resize(field, value_type, signed);
        }
        let amount = Operand::Int(Type::I32, i64::from(unit_bits - width));
        let high = self.binary(BinaryOp::Shl, field, amount);
        let extended = self.binary(BinaryOp::AShr, high, amount);
        self.resize(extended, value_type, true)
    }

    /// All ones but for the bits of a field.
    fn hole(&mut self, unit: Type, shift: u32, width: u32) -> Operand {
        if unit != Type::I128 {
            let ones = if width == 64 { -1 } else { (1i64 << width) - 1 };
            let bits = !(ones << shift);
            let spare = 64 - unit.bytes() * 8;
            return Operand::Int(unit, bits << spare >> spare);
        }
        let ones = self.mask(Operand::Int(unit, -1), unit, width);
        let moved = self.binary(BinaryOp::Shl, ones, Operand::Int(Type::I32, i64::from(shift)));
        self.unary(UnaryOp::Not, moved)
    }

    /// Replaces the value of a place by `change` of it, in one atomic step where the object is atomic;
    /// returns (old, new).
    pub(super) fn update(
        &mut self,
        place: Place,
        ty: TypeId,
        change: impl FnOnce(&mut Self, Operand) -> Operand,
    ) -> (Operand, Operand) {
        if let Place::Memory(memory) = place
            && memory.atomic
            && let Repr::Scalar(scalar) = repr(&self.m.unit.types, ty)
            && scalar.bytes() <= 8
        {
            return self.compare_and_swap_loop(memory.addr, scalar, change);
        }
        let old = self.read(place, ty);
        let old = self.snapshot(old);
        let new = change(self, old);
        let new = self.write(place, ty, new);
        (old, new)
    }

    /// `do new = change(old); while (!cas(addr, old, new))`.
    pub(super) fn compare_and_swap_loop(
        &mut self,
        addr: Address,
        ty: Type,
        change: impl FnOnce(&mut Self, Operand) -> Operand,
    ) -> (Operand, Operand) {
        let bits = bits_of(ty);
        let current = self.temp(bits);
        self.emit(Op::AtomicLoad { dst: current, addr });
        let [retry, done] = [(); 2].map(|()| self.new_block());
        self.fall_into(retry);
        let old = self.reinterpret(Operand::Local(current), ty);
        let new = change(self, old);
        let desired = self.reinterpret(new, bits);
        let found = self.temp(bits);
        let expected = Operand::Local(current);
        self.emit(Op::AtomicCas { dst: found, ty: bits, addr, expected, desired });
        let same = self.compare(CmpOp::Eq, Operand::Local(found), expected);
        let again = self.new_block();
        self.terminate(Terminator::Branch { cond: same, then: done, otherwise: again });
        self.start(again);
        self.copy(current, Operand::Local(found));
        self.jump(retry);
        self.start(done);
        (old, new)
    }

    /// The same bits as another type of the same size.
    pub(super) fn reinterpret(&mut self, value: Operand, to: Type) -> Operand {
        let from = self.ty(value);
        if from == to {
            return value;
        }
        if from.is_complex() || to.is_complex() || from == Type::F80 || to == Type::F80 {
            let slot = self.slot(16, 16, None);
            self.store(from, slot_address(slot), value, from.align(), false);
            return self.load(to, slot_address(slot), to.align(), false);
        }
        self.convert_op(ConvertOp::Bits, value, to)
    }

    /// Truth of `_Bool` objects is stored as 0 or 1, so a value of the type is already normal.
    pub(super) fn is_bool_type(&self, ty: TypeId) -> bool {
        self.m.unit.types.is_bool(ty)
    }
}

/// The integer of memory, with its offset in the record, that a bit-field shares with the bit-fields right
/// beside it: a load of the whole behind a store of a part would wait until the store has left the processor.
/// To threads they are one object, too (C11, 3.14). None where no aligned integer covers them and nothing
/// else, so that each has a unit of its own.
fn shared_unit(record: &Record, index: usize, type_bytes: u64) -> Option<(u64, Type)> {
    let fields = record.fields.as_deref()?;
    let bits = |index: usize| {
        let field = fields.get(index)?;
        let (bit, width) = field.bits.filter(|&(_, width)| width > 0)?;
        let start = field.offset * 8 + u64::from(bit);
        Some(start..start + u64::from(width))
    };
    let beside = |index: Option<usize>| bits(index.filter(|_| !record.is_union)?);
    let own = bits(index)?;
    // Each type has units of its own, of which the run may have several.
    let type_bits = type_bytes * 8;
    let room = own.start / type_bits * type_bits..(own.start / type_bits + 1) * type_bits;
    let (mut run, mut first, mut last) = (own.clone(), index, index);
    while let Some(before) = beside(first.checked_sub(1)).filter(|before| before.end == run.start) {
        run.start = before.start;
        first -= 1;
    }
    while let Some(behind) = beside(Some(last + 1)).filter(|behind| behind.start == run.end) {
        run.end = behind.end;
        last += 1;
    }
    let next = match fields.get(last + 1).filter(|_| !record.is_union) {
        Some(next) => next.offset + u64::from(next.bits.map_or(0, |(bit, _)| bit / 8)),
        None => record.size,
    };
    let limit = next.max(run.end.div_ceil(8)).min(record.size);
    let shared = run.start.max(room.start)..run.end.min(room.end);
    [Type::I8, Type::I16, Type::I32, Type::I64].into_iter().find_map(|unit| {
        let bytes = u64::from(unit.bytes());
        let at = shared.start / 8 / bytes * bytes;
        let covers = at * 8 <= own.start.min(shared.start) && own.end.max(shared.end) <= (at + bytes) * 8;
        (covers && run.start / 8 <= at && at + bytes <= limit).then_some((at, unit))
    })
}

/// Bytes from a bit-field's unit to the end of its record.
fn record_end(size: u64, offset: u64) -> u64 {
    size.saturating_sub(offset)
}

/// Whether evaluating an expression changes no variable: constants, variables, and arithmetic on them.
pub(super) fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Var(_)
        | ExprKind::Func(_)
        | ExprKind::String(_) => true,
        ExprKind::Load(inner) | ExprKind::Decay(inner) | ExprKind::AddrOf(inner) | ExprKind::Deref(inner) => {
            is_simple(inner)
        }
        ExprKind::Cast(_, inner) | ExprKind::Unary(_, inner) | ExprKind::Member(inner, ..) => {
            is_simple(inner)
        }
        ExprKind::Part(inner, _) => is_simple(inner),
        ExprKind::Binary(_, a, b) | ExprKind::PtrDiff(a, b) | ExprKind::Complex(a, b) => {
            is_simple(a) && is_simple(b)
        }
        ExprKind::PtrAdd { pointer, index, .. } => is_simple(pointer) && is_simple(index),
        _ => false,
    }
}

/// The type in which compare-and-swap compares a scalar. The comparison is on bits: floats travel as
/// integers, or NaNs would never compare equal.
pub(super) fn bits_of(ty: Type) -> Type {
    match ty {
        Type::F32 => Type::I32,
        Type::F64 | Type::C32 | Type::Ptr => Type::I64,
        Type::C64 | Type::F80 => Type::I128,
        other => other,
    }
}
