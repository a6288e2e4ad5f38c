//! Addresses, loads, stores, and copies.

use super::rotate::made_by;
use super::{Lower, Val, own_memory};
use crate::abi::{Piece, scalar_type};
use crate::helpers::Helper;
use crate::names::Name;
use accrue_ir::{Access, Address, Init, Linkage, Local, Operand, Slot, SlotKind, Type};
use cranelift_codegen::ir::{
    InstBuilder, MemFlagsData, Opcode, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_entity::EntityRef;

/// Stack slots are aligned this much by the frame; more is arranged by rounding their address.
const FRAME_ALIGN: u32 = 16;
/// Copies up to this size are unrolled.
const INLINE_COPY: i64 = 128;

/// Bytes of the widest access.
const WIDEST: u32 = 16;

/// The widest access for a copy of an object that code has probably just written member by member: a load of
/// several members waits until all of them have reached the cache.
fn widest(bytes: u32, align: u32) -> u32 {
    const MOST_ACCESSES: u32 = 8;
    if matches!(align, 4 | 8) && bytes / align <= MOST_ACCESSES { align } else { WIDEST }
}

impl Lower<'_, '_> {
    /// The address as one value.
    pub(super) fn address_of(&mut self, address: Address) -> Value {
        let (base, offset) = self.base_offset(address);
        if offset == 0 { base } else { self.b.ins().iadd_imm_s(base, i64::from(offset)) }
    }

    /// The address as a value and an offset that an access can fold.
    pub(super) fn base_offset(&mut self, address: Address) -> (Value, i32) {
        let folded = i32::try_from(address.offset).ok();
        let base = match address.base {
            Operand::Slot(slot) => {
                // Cranelift takes no addresses in front of a slot.
                if let Some(offset) = folded.filter(|&offset| offset >= 0)
                    && self.slot_align(slot) <= FRAME_ALIGN
                {
                    let stack = self.stack_slot(slot);
                    return (self.b.ins().stack_addr(types::I64, stack, offset), 0);
                }
                self.slot_address(slot)
            }
            Operand::Global(global) => self.global_address(global),
            Operand::Func(func) => self.symbol(Name::Address(func)),
            Operand::Int(_, value) => {
                return (self.word(value.wrapping_add(address.offset)), 0);
            }
            Operand::Local(local) => {
                let (base, known) = self.read_sum(local);
                if let Some(offset) = folded.and_then(|offset| offset.checked_add(known)) {
                    return (base, offset);
                }
                self.read(local).first()
            }
            Operand::F32(_) | Operand::F64(_) => self.one(address.base),
        };
        match folded {
            Some(offset) => (base, offset),
            None => (self.b.ins().iadd_imm_s(base, address.offset), 0),
        }
    }

    fn slot_align(&self, slot: Slot) -> u32 {
        self.body.slots[slot].align
    }

    fn slot_address(&mut self, slot: Slot) -> Value {
        let align = self.slot_align(slot);
        let stack = self.stack_slot(slot);
        let address = self.b.ins().stack_addr(types::I64, stack, 0);
        if align <= FRAME_ALIGN {
            return address;
        }
        let last = self.b.ins().iadd_imm_s(address, i64::from(align - 1));
        self.b.ins().band_imm_s(last, -i64::from(align))
    }

    fn stack_slot(&mut self, slot: Slot) -> StackSlot {
        if let Some(stack) = self.slots[slot.index()] {
            return stack;
        }
        let data = &self.body.slots[slot];
        if let SlotKind::Mapped(_) = data.kind {
            unreachable!("{}: {slot} is still mapped", self.function.name);
        }
        let align = data.align.max(1);
        let extra = if align > FRAME_ALIGN { u64::from(align) } else { 0 };
        // Sizes were checked before anything was compiled.
        let size = u32::try_from(data.size.max(1) + extra).unwrap_or(u32::MAX);
        let align = if data.size >= u64::from(FRAME_ALIGN) { FRAME_ALIGN } else { align.min(FRAME_ALIGN) };
        let shift = align.trailing_zeros() as u8;
        let stack =
            self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, shift));
        self.slots[slot.index()] = Some(stack);
        stack
    }

    fn global_address(&mut self, global: accrue_ir::Global) -> Value {
        let data = &self.module.globals[global];
        if !data.thread_local {
            return self.symbol(Name::Global(global));
        }
        let thread_locals = self.symbol(Name::ThreadLocals);
        let index = self.word(i64::from(global.as_u32()));
        match data.init {
            Init::Extern if data.linkage != Linkage::Internal => {
                self.helper_one(Helper::ThreadLocalExtern, &[thread_locals, index])
            }
            Init::Extern | Init::Zero | Init::Bytes(..) => {
                // The symbol is the offset in the thread's block.
                let block = self.helper_one(Helper::ThreadLocals, &[thread_locals]);
                let offset = self.symbol(Name::Global(global));
                self.b.ins().iadd(block, offset)
            }
        }
    }

    /// `dst = base + index * scale + offset`.
    pub(super) fn index(&mut self, dst: Local, base: Operand, index: Operand, scale: i64, offset: i64) {
        let (base, folded) = self.base_offset(Address { base, offset });
        // The constant stays outermost, where accesses fold it.
        let (sum, offset) = match index {
            Operand::Int(_, index) => {
                let bytes = index.wrapping_mul(scale).wrapping_add(i64::from(folded));
                match i32::try_from(bytes) {
                    Ok(bytes) => (base, bytes),
                    Err(_) => (self.b.ins().iadd_imm_s(base, bytes), 0),
                }
            }
            _ => {
                let narrow = self.body.operand_type(index) == Type::I32;
                let mut index = self.one(index);
                if narrow {
                    index = self.b.ins().sextend(types::I64, index);
                }
                let scaled = match scale {
                    1 => index,
                    scale if scale > 0 && scale.count_ones() == 1 => {
                        self.b.ins().ishl_imm_u(index, i64::from(scale.trailing_zeros()))
                    }
                    scale => self.b.ins().imul_imm_s(index, scale),
                };
                (self.b.ins().iadd(base, scaled), folded)
            }
        };
        self.write_sum(dst, sum, offset);
    }

    fn flags(ty: Type, access: Access) -> MemFlagsData {
        let flags = MemFlagsData::new();
        // A fault in C is undefined, so accesses may be removed; only volatile ones must happen.
        let flags = if access.volatile { flags } else { flags.with_notrap() };
        if access.align >= ty.element().bytes().min(16) && access.align >= ty.bytes() {
            flags.with_aligned()
        } else {
            flags
        }
    }

    /// Loads a value.
    pub(super) fn load(&mut self, ty: Type, address: Address, access: Access) -> Val {
        let (base, offset) = self.base_offset(address);
        let flags = Self::flags(ty, access);
        if !access.volatile {
            return self.load_at(ty, base, offset, flags);
        }
        self.b.ins().sequence_point();
        let value = self.load_at(ty, base, offset, flags);
        self.b.ins().sequence_point();
        value
    }

    /// Stores a value.
    pub(super) fn store(&mut self, ty: Type, address: Address, value: Val, access: Access) {
        let (base, offset) = self.base_offset(address);
        let flags = Self::flags(ty, access);
        if access.volatile {
            self.b.ins().sequence_point();
        }
        match value {
            Val::One(value) if let Some(wide) = self.computed_wide(value) => {
                self.b.ins().istore32(flags, wide, base, offset);
            }
            value => self.store_at(ty, value, base, offset, flags),
        }
        if access.volatile {
            self.b.ins().sequence_point();
        }
    }

    /// The sum, difference or product of 64 bits that a value of 32 bits is the low half of. Cranelift
    /// computes what such a half is made of once more, with 32 bits, though all 64 are computed for others.
    fn computed_wide(&self, value: Value) -> Option<Value> {
        let dfg = &self.b.func.dfg;
        let (Opcode::Ireduce, inst) = made_by(dfg, value)? else { return None };
        let wide = dfg.inst_args(inst)[0];
        let (Opcode::Iadd | Opcode::Isub | Opcode::Imul, _) = made_by(dfg, wide)? else { return None };
        let types = (dfg.value_type(value), dfg.value_type(wide));
        (types == (types::I32, types::I64)).then_some(wide)
    }

    fn plus(&mut self, base: Value, offset: i32, more: i32) -> (Value, i32) {
        match offset.checked_add(more) {
            Some(sum) => (base, sum),
            None => (self.b.ins().iadd_imm_s(base, i64::from(offset)), more),
        }
    }

    /// Loads from a base and an offset.
    pub(super) fn load_at(&mut self, ty: Type, base: Value, offset: i32, flags: MemFlagsData) -> Val {
        let clif = scalar_type(ty);
        match ty {
            Type::C32 | Type::C64 => {
                let re = self.b.ins().load(clif, flags, base, offset);
                let (base, offset) = self.plus(base, offset, clif.bytes() as i32);
                Val::Pair(re, self.b.ins().load(clif, flags, base, offset))
            }
            Type::F80 => {
                let low = self.b.ins().load(types::I64, flags, base, offset);
                let (base, offset) = self.plus(base, offset, 8);
                Val::Pair(low, self.b.ins().uload16(types::I64, flags, base, offset))
            }
            Type::I1
            | Type::I8
            | Type::I16
            | Type::I32
            | Type::I64
            | Type::I128
            | Type::F32
            | Type::F64
            | Type::Ptr
            | Type::I8x16
            | Type::I16x8
            | Type::I32x4
            | Type::I64x2
            | Type::F32x4
            | Type::F64x2 => Val::One(self.b.ins().load(clif, flags, base, offset)),
        }
    }

    /// Stores to a base and an offset.
    pub(super) fn store_at(&mut self, ty: Type, value: Val, base: Value, offset: i32, flags: MemFlagsData) {
        match value {
            Val::One(value) => {
                self.b.ins().store(flags, value, base, offset);
            }
            Val::Pair(first, second) if ty == Type::F80 => {
                self.b.ins().store(flags, first, base, offset);
                let (base, offset) = self.plus(base, offset, 8);
                self.b.ins().istore16(flags, second, base, offset);
            }
            Val::Pair(first, second) => {
                self.b.ins().store(flags, first, base, offset);
                let (base, offset) = self.plus(base, offset, scalar_type(ty).bytes() as i32);
                self.b.ins().store(flags, second, base, offset);
            }
        }
    }

    /// Loads the bytes of a register piece, and nothing beyond them.
    pub(super) fn load_piece(&mut self, piece: Piece, address: Value) -> Value {
        let flags = MemFlagsData::new().with_notrap();
        let at = piece.offset as i32;
        let ty = crate::abi::piece_type(piece);
        if piece.bytes == 8 || piece.sse {
            return self.b.ins().load(ty, flags, address, at);
        }
        let mut value = None;
        let mut done = 0;
        for width in [4, 2, 1] {
            if piece.bytes & width == 0 {
                continue;
            }
            let offset = at + done as i32;
            let part = match width {
                4 => self.b.ins().uload32(flags, address, offset),
                2 => self.b.ins().uload16(types::I64, flags, address, offset),
                _ => self.b.ins().uload8(types::I64, flags, address, offset),
            };
            let part = if done == 0 { part } else { self.b.ins().ishl_imm_u(part, i64::from(done * 8)) };
            value = Some(match value {
                None => part,
                Some(value) => self.b.ins().bor(value, part),
            });
            done += width;
        }
        value.unwrap_or_else(|| self.word(0))
    }

    /// Stores the bytes of a register piece, and nothing beyond them.
    pub(super) fn store_piece(&mut self, piece: Piece, value: Value, address: Value) {
        let flags = MemFlagsData::new().with_notrap();
        let at = piece.offset as i32;
        if piece.bytes == 8 || piece.sse {
            self.b.ins().store(flags, value, address, at);
            return;
        }
        let mut done = 0;
        for width in [4, 2, 1] {
            if piece.bytes & width == 0 {
                continue;
            }
            let part = if done == 0 { value } else { self.b.ins().ushr_imm_u(value, i64::from(done * 8)) };
            let offset = at + done as i32;
            match width {
                4 => self.b.ins().istore32(flags, part, address, offset),
                2 => self.b.ins().istore16(flags, part, address, offset),
                _ => self.b.ins().istore8(flags, part, address, offset),
            };
            done += width;
        }
    }

    pub(super) fn mem_copy(&mut self, dst: Address, src: Address, bytes: Operand, align: u32) {
        let Operand::Int(_, bytes) = bytes else {
            let (to, from) = (self.address_of(dst), self.address_of(src));
            let bytes = self.one(bytes);
            self.helper(Helper::MemMove, &[to, from, bytes]);
            return;
        };
        let (to, to_offset) = self.base_offset(dst);
        let (from, from_offset) = self.base_offset(src);
        let room = i32::MAX - INLINE_COPY as i32;
        if (0..=INLINE_COPY).contains(&bytes) && to_offset < room && from_offset < room {
            let is_own = matches!(src.base, Operand::Slot(_));
            let widest = if is_own { widest(bytes as u32, align) } else { WIDEST };
            self.copy_inline((to, to_offset), (from, from_offset), bytes as u32, (align, widest));
            return;
        }
        let (to, from) = (self.address_of(dst), self.address_of(src));
        let bytes = self.word(bytes);
        self.helper(Helper::MemMove, &[to, from, bytes]);
    }

    /// Copies an object of known size.
    pub(super) fn copy_object(&mut self, to: Value, from: Value, bytes: u64, align: u64) {
        if bytes <= INLINE_COPY as u64 {
            let widest = widest(bytes as u32, align as u32);
            self.copy_inline((to, 0), (from, 0), bytes as u32, (align as u32, widest));
        } else {
            let bytes = self.word(bytes as i64);
            self.helper(Helper::MemMove, &[to, from, bytes]);
        }
    }

    /// Unrolled copy by accesses of up to `widest` bytes. Source and destination are the same object or
    /// disjoint, so order does not matter.
    fn copy_inline(&mut self, to: (Value, i32), from: (Value, i32), bytes: u32, (align, widest): (u32, u32)) {
        let plain = MemFlagsData::new().with_notrap();
        let mut done = 0;
        while done < bytes {
            let (width, ty) = match (bytes - done).min(widest) {
                16.. => (16, types::I8X16),
                8.. => (8, types::I64),
                4.. => (4, types::I32),
                2.. => (2, types::I16),
                _ => (1, types::I8),
            };
            let flags = if align >= width { plain.with_aligned() } else { plain };
            let value = self.b.ins().load(ty, flags, from.0, from.1 + done as i32);
            self.b.ins().store(flags, value, to.0, to.1 + done as i32);
            done += width;
        }
    }

    pub(super) fn mem_set(&mut self, dst: Address, value: Operand, bytes: Operand, align: u32) {
        if let (Operand::Int(_, value), Operand::Int(_, bytes)) = (value, bytes)
            && (0..=INLINE_COPY).contains(&bytes)
        {
            let (to, offset) = self.base_offset(dst);
            if offset < i32::MAX - INLINE_COPY as i32 {
                self.set_inline((to, offset), value as u8, bytes as u32, align);
                return;
            }
        }
        let to = self.address_of(dst);
        let value = self.one(value);
        let value = self.b.ins().uextend(types::I32, value);
        let bytes = self.one(bytes);
        self.helper(Helper::MemSet, &[to, value, bytes]);
    }

    fn set_inline(&mut self, to: (Value, i32), value: u8, bytes: u32, align: u32) {
        let plain = MemFlagsData::new().with_notrap();
        let pattern = i64::from_ne_bytes([value; 8]);
        let mut wide = None;
        let mut done = 0;
        while done < bytes {
            let left = bytes - done;
            let (width, value) = if left >= 16 {
                let value = *wide.get_or_insert_with(|| {
                    let byte = self.b.ins().iconst(types::I8, i64::from(value));
                    self.b.ins().splat(types::I8X16, byte)
                });
                (16, value)
            } else {
                let (width, ty, mask) = match left {
                    8.. => (8, types::I64, -1),
                    4.. => (4, types::I32, 0xffff_ffff),
                    2.. => (2, types::I16, 0xffff),
                    _ => (1, types::I8, 0xff),
                };
                (width, self.b.ins().iconst(ty, pattern & mask))
            };
            let flags = if align >= width { plain.with_aligned() } else { plain };
            self.b.ins().store(flags, value, to.0, to.1 + done as i32);
            done += width;
        }
    }

    /// Stores a scalar to the translation's own memory with its upper bits defined, as the ABI wants
    /// arguments.
    pub(super) fn store_argument(
        &mut self,
        ty: Type,
        extend: accrue_ir::Extend,
        value: Val,
        base: Value,
        offset: i32,
    ) {
        let value = match (ty, extend) {
            (Type::I8 | Type::I16 | Type::I32, accrue_ir::Extend::Sign) => {
                Val::One(self.b.ins().sextend(types::I64, value.first()))
            }
            (Type::I1 | Type::I8 | Type::I16 | Type::I32, _) => {
                Val::One(self.b.ins().uextend(types::I64, value.first()))
            }
            _ => value,
        };
        self.store_at(ty, value, base, offset, own_memory());
    }
}
