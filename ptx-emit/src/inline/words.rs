//! Small copies from memory to memory, as loads of their elements and stores behind them.
//!
//! Copies of structures of which neither side has become locals are left: `y[at[i]] = x[i]`. A load that
//! stands as such can be told to read memory that nobody writes, be shared and moved, and be one access with
//! its neighbours. What is copied may overlap only if it is the same, so that the order of loads and stores
//! does not matter.

use crate::text::Reached;
use accrue_ir::builder::Cursor;
use accrue_ir::{Access, Address, Module, Op, Operand, Space, Type};

/// Bytes of a copy, at most: sixteen registers.
const MOST: i64 = 64;

/// Writes the copies of all functions that the device executes.
pub(super) fn run(module: &mut Module, reached: &Reached) {
    for func in reached.with_code() {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        let is_small = |op: &Op| matches!(op, Op::MemCopy { bytes: Operand::Int(_, bytes), .. } if (1..=MOST).contains(bytes));
        for block in body.order.clone() {
            if !body.blocks[block].insts.iter().any(|inst| is_small(&inst.op)) {
                continue;
            }
            for inst in std::mem::take(&mut body.blocks[block].insts) {
                match inst.op {
                    Op::MemCopy { dst, src, bytes: Operand::Int(_, bytes), align } if is_small(&inst.op) => {
                        copy(&mut Cursor::with_pos(&mut body, block, inst.pos), (dst, src), bytes, align);
                    }
                    _ => body.blocks[block].insts.push(inst),
                }
            }
        }
        module.functions[func].body = Some(body);
    }
}

/// The widest elements that the alignment permits; narrower ones finish what is left.
fn copy(cursor: &mut Cursor<'_>, (dst, src): (Address, Address), bytes: i64, align: u32) {
    let types = [(8, Type::I64), (4, Type::I32), (2, Type::I16), (1, Type::I8)];
    let mut values = Vec::new();
    let mut at = 0;
    for (size, ty) in types.into_iter().filter(|&(size, _)| size <= i64::from(align.max(1))) {
        let access = Access { align: size as u32, space: Space::Generic, volatile: false, typed: false };
        while bytes - at >= size {
            values.push((at, cursor.load_with(ty, src.plus(at), access), access));
            at += size;
        }
    }
    for (at, value, access) in values {
        cursor.store_with(dst.plus(at), value, access);
    }
}
