//! Results of reductions, which launches leave in memory.

use super::parts::{Part, nests};
use crate::analysis::liveness::reads;
use crate::analysis::loops::Nest;
use crate::builder::Cursor;
use crate::entities::{Construct, Local, Loop, Slot};
use crate::function::{Body, SlotData, SlotKind};
use crate::op::{Access, Operand};
use crate::visit::Part as CodePart;
use std::collections::BTreeSet;

/// Lets locals that nests reduce to be in memory, if anything else mentions them: a launch leaves its result
/// there. `None` if one of them is a variable of a clause.
pub(super) fn keep_sums_in_memory(body: &mut Body, construct: Construct, parts: &[Part]) -> Option<()> {
    let nest = Nest::new(body);
    for outer in nests(parts) {
        let loops: Vec<Loop> = nest.inside(outer).into_iter().chain([outer]).collect();
        let directives = loops.iter().filter_map(|&loop_| body.loops[loop_].directive.as_ref());
        let reduced: BTreeSet<Local> = directives
            .flat_map(|directive| &directive.reductions)
            .filter(|clause| !clause.pointee)
            .filter_map(|clause| clause.var.as_local())
            .collect();
        let blocks = nest.blocks(outer);
        for local in reduced {
            let is_outside = body.order.iter().any(|block| {
                let mut mentions = false;
                body.blocks[*block].parts(|part| match part {
                    CodePart::Def(other) | CodePart::NamedLocal(other) => mentions |= *other == local,
                    CodePart::Value(operand) | CodePart::Variable(operand) => {
                        mentions |= *operand == Operand::Local(local)
                    }
                    CodePart::Address(address) => mentions |= address.base == Operand::Local(local),
                    _ => {}
                });
                mentions && !blocks.contains(block)
            });
            if !is_outside {
                continue;
            }
            let data = &body.constructs[construct];
            let mut is_in_clause = false;
            data.parts(|part| {
                if let CodePart::Variable(operand) | CodePart::Value(operand) = part {
                    is_in_clause |= *operand == Operand::Local(local);
                }
            });
            if is_in_clause {
                return None;
            }
            into_memory(body, construct, local);
        }
    }
    Some(())
}

/// Makes a slot of a local in all of a construct.
fn into_memory(body: &mut Body, construct: Construct, local: Local) {
    let slot = home(body, local);
    let ty = body.locals[local].ty;
    for block in body.order.clone() {
        if body.blocks[block].construct != Some(construct) {
            continue;
        }
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut cursor = Cursor::new(body, block);
        for mut inst in insts {
            cursor.pos = inst.pos;
            let mut is_read = false;
            reads(cursor.body, &inst.op, |other| is_read |= other == local);
            if is_read {
                let value = cursor.load_with(ty, slot, Access::natural(ty));
                inst.op
                    .map_operands(|operand| if operand == Operand::Local(local) { value } else { operand });
            }
            let mut is_written = false;
            inst.op.defs(|other| is_written |= other == local);
            if is_written {
                let fresh = cursor.temp(ty);
                inst.op.map_defs(|other| if other == local { fresh } else { other });
                cursor.op(inst.op);
                cursor.store_with(slot, Operand::Local(fresh), Access::natural(ty));
            } else {
                cursor.op(inst.op);
            }
        }
        let mut is_read = false;
        cursor.body.blocks[block].term.operands(|operand| is_read |= operand == Operand::Local(local));
        if is_read {
            let value = cursor.load_with(ty, slot, Access::natural(ty));
            cursor.body.blocks[block]
                .term
                .map_operands(|operand| if operand == Operand::Local(local) { value } else { operand });
        }
    }
    let ids: Vec<Loop> = body.loop_tree();
    for loop_ in ids {
        let Some(directive) = &mut body.loops[loop_].directive else { continue };
        for clause in &mut directive.reductions {
            if clause.var == Operand::Local(local) {
                clause.var = Operand::Slot(slot);
            }
        }
    }
}

/// A slot for a local's values.
pub(super) fn home(body: &mut Body, local: Local) -> Slot {
    let data = &body.locals[local];
    let (size, align, name) = (data.ty.bytes().into(), data.ty.align(), data.name.clone());
    body.slots.push(SlotData { size, align, name, kind: SlotKind::Frame, declared_in: None, restrict: false })
}
