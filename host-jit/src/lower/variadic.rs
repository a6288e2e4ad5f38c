//! `va_list`: the ABI's structure of two register offsets, the address of stack arguments, and the save area.

use super::entry::{SAVE_AREA, SAVED_XMMS};
use super::{Lower, Val, own_memory};
use crate::abi::{Class, Pieces, classify, scalar_type};
use accrue_ir::{Agg, AggregateLayout, Local, Operand, Type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

/// Offsets of the members of a `va_list`.
const GP_OFFSET: i32 = 0;
const FP_OFFSET: i32 = 4;
const OVERFLOW_AREA: i32 = 8;
const SAVED_REGISTERS: i32 = 16;

fn list_memory() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Lower<'_, '_> {
    pub(super) fn va_start(&mut self, list: Operand) {
        let list = self.one(list);
        let Some(state) = self.entry.variadic else {
            unreachable!("{}: va_start in a function that is not variadic", self.function.name);
        };
        let gp = self.b.ins().iconst(types::I32, i64::from(state.gprs * 8));
        let fp = self.b.ins().iconst(types::I32, i64::from(SAVED_XMMS + state.xmms * 16));
        self.b.ins().store(list_memory(), gp, list, GP_OFFSET);
        self.b.ins().store(list_memory(), fp, list, FP_OFFSET);
        let stack = self.b.ins().stack_load(types::I64, types::I64, state.stack_args, 0);
        let stack = self.b.ins().iadd_imm_s(stack, i64::from(state.stack_bytes));
        self.b.ins().store(list_memory(), stack, list, OVERFLOW_AREA);
        let saved = self.b.ins().stack_addr(types::I64, state.save_area, 0);
        self.b.ins().store(list_memory(), saved, list, SAVED_REGISTERS);
    }

    pub(super) fn va_copy(&mut self, dst: Operand, src: Operand) {
        let (dst, src) = (self.one(dst), self.one(src));
        for offset in [0, 8, 16] {
            let word = self.b.ins().load(types::I64, list_memory(), src, offset);
            self.b.ins().store(list_memory(), word, dst, offset);
        }
    }

    pub(super) fn va_arg(&mut self, dst: Local, list: Operand) {
        let list = self.one(list);
        let ty = self.local_type(dst);
        let address = match ty {
            Type::F80 => self.next_stacked(list, 16, 16),
            Type::F32 | Type::F64 => self.next_saved(list, FP_OFFSET, 16, SAVE_AREA, 8, 8),
            Type::I128 => self.next_saved(list, GP_OFFSET, 16, SAVED_XMMS, 16, 16),
            Type::C32 | Type::C64 => {
                let element = ty.element();
                let layout = AggregateLayout {
                    size: u64::from(ty.bytes()),
                    align: u64::from(element.bytes()),
                    leaves: vec![(0, element), (u64::from(element.bytes()), element)],
                };
                self.aggregate(list, &layout)
            }
            Type::I8x16 | Type::I16x8 | Type::I32x4 | Type::I64x2 | Type::F32x4 | Type::F64x2 => {
                self.next_saved(list, FP_OFFSET, 16, SAVE_AREA, 16, 16)
            }
            Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr => {
                self.next_saved(list, GP_OFFSET, 8, SAVED_XMMS, 8, 8)
            }
        };
        debug_assert!(scalar_type(ty).bytes() <= 16);
        let value = self.load_at(ty, address, 0, list_memory());
        self.write(dst, value);
    }

    pub(super) fn va_arg_aggregate(&mut self, dst: Local, list: Operand, agg: Agg) {
        let list = self.one(list);
        let module = self.module;
        let address = self.aggregate(list, &module.aggregates[agg]);
        self.write(dst, Val::One(address));
    }

    /// The address of an argument in the save area if it fits there, else on the stack. `bytes` is what it
    /// takes of the save area, whose part for its class ends at `end`.
    fn next_saved(&mut self, list: Value, member: i32, bytes: u32, end: u32, size: u32, align: u32) -> Value {
        let offset = self.b.ins().load(types::I32, list_memory(), list, member);
        let last = i64::from(end - bytes);
        let fits = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, offset, last);
        let next = self.b.ins().iadd_imm_s(offset, i64::from(bytes));
        let next = self.b.ins().select(fits, next, offset);
        self.b.ins().store(list_memory(), next, list, member);
        let saved = self.b.ins().load(types::I64, list_memory(), list, SAVED_REGISTERS);
        let offset = self.b.ins().uextend(types::I64, offset);
        let saved = self.b.ins().iadd(saved, offset);
        let stack = self.b.ins().load(types::I64, list_memory(), list, OVERFLOW_AREA);
        let aligned = self.align_up(stack, align);
        let next = self.b.ins().iadd_imm_s(aligned, i64::from(size.next_multiple_of(8)));
        let next = self.b.ins().select(fits, stack, next);
        self.b.ins().store(list_memory(), next, list, OVERFLOW_AREA);
        self.b.ins().select(fits, saved, aligned)
    }

    fn align_up(&mut self, address: Value, align: u32) -> Value {
        if align <= 8 {
            return address;
        }
        let last = self.b.ins().iadd_imm_s(address, i64::from(align - 1));
        self.b.ins().band_imm_s(last, -i64::from(align))
    }

    fn next_stacked(&mut self, list: Value, size: u32, align: u32) -> Value {
        let stack = self.b.ins().load(types::I64, list_memory(), list, OVERFLOW_AREA);
        let address = self.align_up(stack, align);
        let next = self.b.ins().iadd_imm_s(address, i64::from(size.next_multiple_of(8)));
        self.b.ins().store(list_memory(), next, list, OVERFLOW_AREA);
        address
    }

    fn aggregate(&mut self, list: Value, layout: &AggregateLayout) -> Value {
        let (size, align) = (layout.size as u32, layout.align as u32);
        match classify(layout) {
            Class::Empty => self.empty_object().first(),
            Class::Memory | Class::X87 => self.next_stacked(list, size, align),
            Class::Registers(pieces) => {
                let sse = pieces.iter().filter(|p| p.sse).count();
                let gpr = pieces.iter().count() - sse;
                match (gpr, sse) {
                    // Saved registers of one class are adjacent, and a single piece always is.
                    (gpr, 0) => {
                        let bytes = gpr as u32 * 8;
                        self.next_saved(list, GP_OFFSET, bytes, SAVED_XMMS, size, align)
                    }
                    (0, 1) => self.next_saved(list, FP_OFFSET, 16, SAVE_AREA, size, align),
                    (gpr, sse) => self.gather(list, layout, pieces, gpr as u32, sse as u32),
                }
            }
        }
    }

    /// An aggregate whose pieces lie apart in the save area is put together in a slot of this function.
    fn gather(
        &mut self,
        list: Value,
        layout: &AggregateLayout,
        pieces: Pieces,
        gprs: u32,
        xmms: u32,
    ) -> Value {
        let slot = self.temp_slot(layout.size as u32);
        let gp = self.b.ins().load(types::I32, list_memory(), list, GP_OFFSET);
        let fp = self.b.ins().load(types::I32, list_memory(), list, FP_OFFSET);
        let limit = |end: u32, bytes: u32| i64::from(end - bytes);
        let gp_fits =
            self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, gp, limit(SAVED_XMMS, gprs * 8));
        let fp_fits =
            self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, fp, limit(SAVE_AREA, xmms * 16));
        let fits = self.b.ins().band(gp_fits, fp_fits);
        let registers = self.b.create_block();
        let stack = self.b.create_block();
        let (done, address) = self.block_with_param(types::I64);
        self.b.ins().brif(fits, registers, &[], stack, &[]);

        self.b.seal_block(registers);
        self.b.switch_to_block(registers);
        let saved = self.b.ins().load(types::I64, list_memory(), list, SAVED_REGISTERS);
        let gp_wide = self.b.ins().uextend(types::I64, gp);
        let fp_wide = self.b.ins().uextend(types::I64, fp);
        let gp_at = self.b.ins().iadd(saved, gp_wide);
        let fp_at = self.b.ins().iadd(saved, fp_wide);
        let (mut gp_used, mut fp_used) = (0, 0);
        for piece in pieces.iter() {
            let (base, used) = if piece.sse { (fp_at, &mut fp_used) } else { (gp_at, &mut gp_used) };
            let word = self.b.ins().load(types::I64, list_memory(), base, *used);
            *used += if piece.sse { 16 } else { 8 };
            self.b.ins().stack_store(types::I64, word, slot, piece.offset as i32);
        }
        let gp = self.b.ins().iadd_imm_s(gp, i64::from(gp_used));
        let fp = self.b.ins().iadd_imm_s(fp, i64::from(fp_used));
        self.b.ins().store(list_memory(), gp, list, GP_OFFSET);
        self.b.ins().store(list_memory(), fp, list, FP_OFFSET);
        let object = self.b.ins().stack_addr(types::I64, slot, 0);
        self.b.ins().jump(done, &[object.into()]);

        self.b.seal_block(stack);
        self.b.switch_to_block(stack);
        let object = self.next_stacked(list, layout.size as u32, layout.align as u32);
        self.b.ins().jump(done, &[object.into()]);

        self.b.seal_block(done);
        self.b.switch_to_block(done);
        debug_assert!(own_memory().notrap());
        address
    }
}
