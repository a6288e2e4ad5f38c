//! What blocks write.

use crate::analysis::bases::{Base, Bases};
use crate::entities::Block;
use crate::function::Body;
use crate::op::{Op, Operand};

/// What blocks write in memory.
pub struct Written {
    bases: Bases,
    /// What addresses of stores are derived from; `None` if that may be anything.
    stores: Option<Vec<Base>>,
}

impl Written {
    /// Of some blocks of a body.
    pub fn new(body: &Body, blocks: &[Block]) -> Written {
        let bases = Bases::new(body);
        let mut stores = Some(Vec::new());
        for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
            match inst.op {
                Op::Store { addr, .. } => stores.iter_mut().for_each(|list| list.push(bases.of(addr.base))),
                // Counts as writing because it may trap.
                Op::Binary { .. } => {}
                ref op if op.effects().writes => stores = None,
                _ => {}
            }
        }
        Written { bases, stores }
    }

    /// Whether nothing is written that an address is derived from.
    pub fn leaves(&self, base: Operand) -> bool {
        let base = self.bases.of(base);
        let differ = |&other: &Base| self.bases.differ(other, base);
        self.stores.as_ref().is_some_and(|stores| stores.iter().all(differ))
    }
}
