//! A record of a level is written again only when all threads have read what it held.
//!
//! Mostly the barrier that ends partitioned mode sees to that. Between two stretches without partitioned code (an array
//! of variable length that each thread allocates, a call of a routine) nobody waits, and so the threads wait before the
//! second one. To be called for a level as soon as its stretches are rewritten: where threads wait, no level further in is in
//! single mode.

use super::{LEVELS, index};
use accrue_ir::cfg::Cfg;
use accrue_ir::{Block, Body, Callee, FunctionKind, Inst, Level, Module, Op, Operand, Slot};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// The records of a level.
pub struct Records {
    level: usize,
    /// Partitioned mode of workers ends with a barrier.
    workers_meet: bool,
    /// The slots that hold them.
    slots: FxHashSet<Slot>,
    /// Blocks in which the leader parts from the others, and a record is written afterwards.
    guards: FxHashSet<Block>,
}

impl Records {
    /// Of a level by its index in [`LEVELS`]; none so far.
    pub fn new(level: usize, workers_meet: bool) -> Records {
        Records { level, workers_meet, slots: FxHashSet::default(), guards: FxHashSet::default() }
    }

    /// A slot holds records.
    pub fn add_slot(&mut self, slot: Slot) {
        self.slots.insert(slot);
    }

    /// The leader parts from the others in this block, and writes a record afterwards.
    pub fn add_guard(&mut self, block: Block) {
        self.guards.insert(block);
    }

    /// Puts barriers where a record would be written too early. Who calls a routine may have read records just before.
    pub fn protect(&self, module: &Module, body: &mut Body, is_routine: bool) {
        if self.guards.is_empty() {
            return;
        }
        let before = self.flow(module, body, is_routine);
        for block in body.order.clone() {
            if before[block] && self.guards.contains(&block) {
                let data = &mut body.blocks[block];
                let pos = data.term_pos;
                data.insts.insert(0, Inst { op: Op::Barrier { level: LEVELS[self.level] }, pos });
            }
        }
    }

    /// Whether threads may still be reading a record where a block begins.
    fn flow(&self, module: &Module, body: &Body, is_routine: bool) -> SecondaryMap<Block, bool> {
        let mut before: SecondaryMap<Block, bool> = SecondaryMap::new();
        before[body.entry()] = is_routine && self.level > 0;
        let cfg = Cfg::new(body);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.reverse_postorder() {
                if self.through(module, body, block, before[block]) {
                    body.blocks[block].term.successors(|next| {
                        changed |= !before[next];
                        before[next] = true;
                    });
                }
            }
        }
        before
    }

    /// Whether threads may still be reading where a block ends.
    fn through(&self, module: &Module, body: &Body, block: Block, before: bool) -> bool {
        // If they are, they wait here.
        let mut reading = before && !self.guards.contains(&block);
        for inst in &body.blocks[block].insts {
            match &inst.op {
                Op::Join { level: Level::Worker, .. } if !self.workers_meet => {}
                Op::Barrier { level } | Op::Join { level, .. } if index(*level) <= self.level => {
                    reading = false;
                }
                Op::Load { addr, .. } => {
                    reading |= matches!(addr.base, Operand::Slot(slot) if self.slots.contains(&slot));
                }
                Op::Call { callee: Callee::Direct(func), .. } => {
                    let function = &module.functions[*func];
                    let level = function.routine.as_ref().and_then(|routine| routine.level);
                    let meets = matches!(function.kind, FunctionKind::Normal) && level.is_some();
                    reading |= meets && self.level > 0;
                }
                _ => {}
            }
        }
        reading
    }
}
