//! Many-way branches.

use super::Lower;
use accrue_ir::{Block, Operand};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use cranelift_frontend::Switch;

/// Ranges of up to this many values become entries of their own, where a jump table may take them.
const SMALL_RANGE: i64 = 64;
/// So few cases are compared one by one: each comparison is predicted by itself, an indirect jump costs more.
const FEW_CASES: usize = 4;
/// At most this many entries come from ranges, so that code stays linear in the program.
const RANGE_ENTRIES: i64 = 1024;

impl Lower<'_, '_> {
    pub(super) fn switch(&mut self, value: Operand, cases: &[(i64, i64, Block)], default: Block) {
        let ty = self.type_of(value);
        let narrow = self.one(value);
        let clif = self.b.func.dfg.value_type(narrow);
        let default = self.block(default);
        // Cases are 64-bit numbers; wider values are compared in full first.
        let value = if clif == types::I128 { self.wide_value(narrow, default) } else { narrow };
        let clif = self.b.func.dfg.value_type(value);
        let mask = if clif.bits() >= 64 { u64::MAX } else { (1 << clif.bits()) - 1 };
        let mut table = Switch::new();
        let mut from_ranges = 0;
        for &(low, high, block) in cases {
            let target = self.block(block);
            let span = high.wrapping_sub(low);
            if cases.len() > FEW_CASES
                && (0..SMALL_RANGE).contains(&span)
                && from_ranges + span <= RANGE_ENTRIES
            {
                from_ranges += span;
                for case in low..=high {
                    let index = u128::from(case as u64 & mask);
                    // The first of several equal cases is the one that counts.
                    if !table.entries().contains_key(&index) {
                        table.set_entry(index, target);
                    }
                }
                continue;
            }
            if low > high {
                continue;
            }
            let next = self.b.create_block();
            let low_bits = low as u64 & mask;
            let start = self.b.ins().iconst(clif, low_bits as i64);
            let inside = if span == 0 {
                self.b.ins().icmp(IntCC::Equal, value, start)
            } else {
                let distance = self.b.ins().isub(value, start);
                let last = self.b.ins().iconst(clif, (span as u64 & mask) as i64);
                self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, distance, last)
            };
            self.b.ins().brif(inside, target, &[], next, &[]);
            self.b.seal_block(next);
            self.b.switch_to_block(next);
        }
        debug_assert!(ty.int_bits().is_some());
        table.emit(&mut self.b, value, default);
    }

    fn wide_value(
        &mut self,
        value: cranelift_codegen::ir::Value,
        default: cranelift_codegen::ir::Block,
    ) -> cranelift_codegen::ir::Value {
        let low = self.b.ins().ireduce(types::I64, value);
        let again = self.b.ins().sextend(types::I128, low);
        let fits = self.b.ins().icmp(IntCC::Equal, value, again);
        let next = self.b.create_block();
        self.b.ins().brif(fits, next, &[], default, &[]);
        self.b.seal_block(next);
        self.b.switch_to_block(next);
        low
    }
}
