//! Scalars in locals instead of memory ([`promote`]), and in memory instead of locals.

use crate::entities::{Block, Local};
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
