//! On which of the counters of a nest values depend.

use crate::entities::{Block, Local, Slot, map_below};
use crate::function::Body;
use crate::op::{Op, Operand};
use cranelift_entity::SecondaryMap;

/// Some of the counters: a bit for each, the first one the lowest.
pub type Counters = u8;

/// What the code of a nest depends on, by way of all definitions in it.
#[derive(Debug)]
pub struct Depends {
    locals: SecondaryMap<Local, Counters>,
    own: Vec<Slot>,
    all: Counters,
}

impl Depends {
    /// Of some blocks on the first eight of some counters. `own`: objects of which each iteration has one.
    pub fn of(body: &Body, blocks: &[Block], own: Vec<Slot>, counters: &[Local]) -> Depends {
        let mut locals: SecondaryMap<Local, Counters> = map_below(body.locals.len());
        let mut all = 0;
        for (n, &counter) in counters.iter().take(8).enumerate() {
            locals[counter] = 1 << n;
            all |= 1 << n;
        }
        let mut depends = Depends { locals, own, all };
        loop {
            let mut changed = false;
            for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
                let used = depends.uses(&inst.op);
                inst.op.defs(|local| {
                    changed |= depends.locals[local] | used != depends.locals[local];
                    depends.locals[local] |= used;
                });
            }
            if !changed {
                return depends;
            }
        }
    }

    /// What a local depends on.
    pub fn local(&self, local: Local) -> Counters {
        self.locals[local]
    }

    /// What an operation, or the other values of what it defines, depends on.
    pub fn op(&self, op: &Op) -> Counters {
        let mut counters = self.uses(op);
        op.defs(|local| counters |= self.locals[local]);
        counters
    }

    /// What the operands of an operation depend on.
    fn uses(&self, op: &Op) -> Counters {
        let mut counters = 0;
        op.uses(|local| counters |= self.locals[local]);
        op.parts(|part| {
            if part.used_operand().is_some_and(|operand| self.is_own(operand)) {
                counters = self.all;
            }
        });
        counters
    }

    /// Objects of which each iteration has one.
    pub fn own(&self) -> &[Slot] {
        &self.own
    }

    /// Whether that is such an object.
    pub fn is_own(&self, base: Operand) -> bool {
        matches!(base, Operand::Slot(slot) if self.own.contains(&slot))
    }
}
