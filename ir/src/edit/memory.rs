//! Scalars in locals instead of memory ([`promote`]), and in memory instead of locals ([`demote`]).

use crate::builder::Cursor;
use crate::entities::{Block, Local, Loop, Slot};
use crate::function::Body;
use crate::op::{Address, Op, Operand};

/// Lets blocks read and assign locals instead of memory. `local_at` says which local has the value of an
/// address; loads and stores there become copies.
pub fn promote(body: &mut Body, blocks: &[Block], local_at: impl Fn(&Address) -> Option<Local>) {
    for &block in blocks {
        for inst in &mut body.blocks[block].insts {
            let copy = match &inst.op {
                Op::Load { dst, addr, .. } => {
                    local_at(addr).map(|local| Op::Copy { dst: *dst, src: Operand::Local(local) })
                }
                Op::Store { addr, src, .. } => local_at(addr).map(|dst| Op::Copy { dst, src: *src }),
                _ => None,
            };
            if let Some(copy) = copy {
                inst.op = copy;
            }
        }
    }
}

/// Lets blocks load and store a slot instead of reading and assigning a local, and lets the reductions of
/// loops name the slot.
pub fn demote(body: &mut Body, blocks: &[Block], loops: &[Loop], local: Local, slot: Slot) {
    let ty = body.locals[local].ty;
    let old = Operand::Local(local);
    for &block in blocks {
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut cursor = Cursor::new(body, block);
        for mut inst in insts {
            cursor.pos = inst.pos;
            let mut is_read = false;
            inst.op.operands(|operand| is_read |= operand == old);
            if is_read {
                let value = cursor.load(ty, slot);
                inst.op.map_operands(|operand| if operand == old { value } else { operand });
            }
            let mut is_written = false;
            inst.op.defs(|other| is_written |= other == local);
            if is_written {
                let value = cursor.temp(ty);
                inst.op.map_defs(|other| if other == local { value } else { other });
                cursor.op(inst.op);
                cursor.store(slot, Operand::Local(value));
            } else {
                cursor.op(inst.op);
            }
        }
        let mut term = cursor.body.blocks[block].term.clone();
        let mut is_read = false;
        term.operands(|operand| is_read |= operand == old);
        if is_read {
            cursor.pos = cursor.body.blocks[block].term_pos;
            let value = cursor.load(ty, slot);
            term.map_operands(|operand| if operand == old { value } else { operand });
            cursor.terminate(term);
        }
    }
    for &loop_ in loops {
        let directive = body.loops[loop_].directive.iter_mut();
        for clause in directive.flat_map(|directive| &mut directive.reductions) {
            if clause.var == old {
                clause.var = Operand::Slot(slot);
            }
        }
    }
}
