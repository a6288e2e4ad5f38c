//! Scalars in locals instead of memory ([`promote`]), and in memory instead of locals ([`demote`]).

use crate::builder::Cursor;
use crate::entities::{Block, Local, Loop, Slot};
use crate::function::{Body, LoopData};
use crate::op::{Address, Op, Operand};
use crate::visit::PartMut;

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

/// Lets blocks load and store a slot instead of reading and assigning a local. Clauses of loops name the
/// slot; bounds and the arguments of clauses, which are evaluated before their loop, are loaded there.
pub fn demote(body: &mut Body, blocks: &[Block], loops: &[Loop], local: Local, slot: Slot) {
    for &block in blocks {
        demote_in(body, block, local, slot);
    }
    for &loop_ in loops {
        body.loops[loop_].parts_mut(|part| {
            if let PartMut::Variable(variable) = part {
                *variable = replaced(*variable, local, Operand::Slot(slot));
            }
        });
        let LoopData { preheader, pos, .. } = body.loops[loop_];
        let mut is_read = false;
        body.loops[loop_].operands(|operand| is_read |= operand == Operand::Local(local));
        if is_read {
            let ty = body.locals[local].ty;
            let value = Cursor::with_pos(body, preheader, pos).load(ty, slot);
            body.loops[loop_].map_operands(|operand| replaced(operand, local, value));
        }
    }
}

fn demote_in(body: &mut Body, block: Block, local: Local, slot: Slot) {
    let ty = body.locals[local].ty;
    let insts = std::mem::take(&mut body.blocks[block].insts);
    let mut cursor = Cursor::new(body, block);
    for mut inst in insts {
        cursor.pos = inst.pos;
        let (mut is_read, mut is_written) = (false, false);
        inst.op.operands(|operand| is_read |= operand == Operand::Local(local));
        inst.op.defs(|written| is_written |= written == local);
        if is_read {
            let value = cursor.load(ty, slot);
            inst.op.map_operands(|operand| replaced(operand, local, value));
        }
        if is_written {
            let value = cursor.temp(ty);
            inst.op.map_defs(|written| if written == local { value } else { written });
            cursor.op(inst.op);
            cursor.store(slot, Operand::Local(value));
        } else {
            cursor.op(inst.op);
        }
    }
    let mut term = cursor.body.blocks[block].term.clone();
    let mut is_read = false;
    term.operands(|operand| is_read |= operand == Operand::Local(local));
    if is_read {
        cursor.pos = cursor.body.blocks[block].term_pos;
        let value = cursor.load(ty, slot);
        term.map_operands(|operand| replaced(operand, local, value));
        cursor.terminate(term);
    }
}

fn replaced(operand: Operand, local: Local, by: Operand) -> Operand {
    if operand == Operand::Local(local) { by } else { operand }
}
