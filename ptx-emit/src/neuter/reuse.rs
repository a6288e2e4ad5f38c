//! A record of a level is written again only when all threads have read what it held.
//!
//! Mostly the barrier that ends partitioned mode sees to that. Between two stretches without partitioned code
//! (an array of variable length that each thread allocates, a call of a routine) nobody waits, and so the
//! threads wait before the second one. To be called for a level as soon as its stretches are rewritten: where
//! threads wait, no level further in is in single mode.

use super::threads::{LEVELS, index};
use accrue_ir::analysis::cfg::Cfg;
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
    /// Blocks in which the leading warp leaves the other warps, and a record is written afterwards.
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

    /// The leading warp leaves the other warps in this block, and writes a record afterwards.
    pub fn add_guard(&mut self, block: Block) {
        self.guards.insert(block);
    }

    /// Puts barriers where a record would be written too early. Who calls a routine may have read records
    /// just before.
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

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text;
    use std::collections::BTreeMap;

    const WORKER: usize = 1;
    const VECTOR: usize = 2;

    /// The blocks that protection lets begin with a barrier of the level, of a body in which `s0` holds
    /// records and `guards` are the blocks where leaders part.
    fn protected(level: usize, workers_meet: bool, is_routine: bool, guards: &[u32], code: &str) -> Vec<u32> {
        let ir = format!(
            "signature sig0 (i1, i1)\nsignature sig1 ()\n\
             function fn0.\"main.region0\" sig0 internal\n  region parallel of \"main\" dims(1, 1, 1, 4, 32) {{\n    \
             param \"p\" value i1\n    param \"q\" value i1\n  }} {{\n  params v0.p, v1.q\n  locals v0.p, v1.q: i1\n  \
             locals v2: i64\n  slot s0 size 8 align 8 broadcast\n  slot s1.other size 8 align 8 gang_private\n{code}}}\n\
             function fn1.ordinary sig1 external\n\
             function fn2.team sig1 external routine(worker)\n\
             function fn3.alone sig1 external routine(seq)\n"
        );
        let mut module = text::parse(&ir).unwrap_or_else(|error| panic!("{error}\n{ir}"));
        let region = module.functions.values_mut().next().and_then(|function| function.body.take());
        let mut body = *region.unwrap_or_else(|| panic!("the region has no body"));
        let mut records = Records::new(level, workers_meet);
        records.add_slot(Slot::from_u32(0));
        guards.iter().for_each(|&guard| records.add_guard(Block::from_u32(guard)));
        let before: BTreeMap<Block, usize> =
            body.order.iter().map(|&block| (block, body.blocks[block].insts.len())).collect();
        records.protect(&module, &mut body, is_routine);
        let waits = |block: &Block| {
            let insts = &body.blocks[*block].insts;
            let level = LEVELS[level];
            insts.len() > before[block] && matches!(insts[0].op, Op::Barrier { level: of } if of == level)
        };
        body.order.iter().filter(|block| waits(block)).map(|block| block.as_u32()).collect()
    }

    fn of_workers(guards: &[u32], code: &str) -> Vec<u32> {
        protected(WORKER, true, false, guards, code)
    }

    #[test]
    fn a_record_that_was_read_is_not_written_before_all_have_met() {
        let code = "bb0:\n  v2 = load [s0]\n  jump bb1\nbb1:\n  v2 = copy 1i64\n  return\n";
        assert_eq!(of_workers(&[1], code), [1]);
        // What others read in the meantime is no record.
        assert_eq!(of_workers(&[1], &code.replace("[s0]", "[s1.other]")), []);
        // The first record of all.
        assert_eq!(of_workers(&[0], code), []);
        assert_eq!(of_workers(&[], code), []);
    }

    #[test]
    fn threads_that_have_met_since_need_not_wait() {
        let between = |what: &str| {
            format!(
                "bb0:\n  v2 = load [s0]\n  jump bb1\nbb1:\n  {what}\n  jump bb2\nbb2:\n  v2 = copy 1i64\n  return\n"
            )
        };
        for what in ["barrier worker", "join worker", "barrier gang"] {
            assert_eq!(of_workers(&[2], &between(what)), [], "{what}");
        }
        // Lanes of one worker meet without the other workers.
        for what in ["barrier vector", "join vector", "v2 = copy 2i64"] {
            assert_eq!(of_workers(&[2], &between(what)), [2], "{what}");
        }
        // A record read after the meeting counts again.
        assert_eq!(of_workers(&[2], &between("barrier worker\\n  v2 = load [s0]").replace("\\n", "\n")), [2]);
    }

    #[test]
    fn lanes_meet_with_their_worker() {
        let between = |what: &str| {
            format!("bb0:\n  v2 = load [s0]\n  {what}\n  jump bb1\nbb1:\n  v2 = copy 1i64\n  return\n")
        };
        for what in ["barrier vector", "join vector", "barrier worker", "join worker"] {
            assert_eq!(protected(VECTOR, true, false, &[1], &between(what)), [], "{what}");
        }
        // One worker has nobody to meet: there is no barrier at the end of its loops.
        assert_eq!(protected(VECTOR, false, false, &[1], &between("join worker")), [1]);
        assert_eq!(protected(VECTOR, false, false, &[1], &between("barrier worker")), []);
    }

    #[test]
    fn one_way_on_which_they_still_read_is_enough() {
        let code = "bb0:\n  branch v0.p, bb1, bb2\nbb1:\n  v2 = load [s0]\n  jump bb3\nbb2:\n  barrier worker\n  jump bb3\n\
                    bb3:\n  v2 = copy 1i64\n  return\n";
        assert_eq!(of_workers(&[3], code), [3]);
        assert_eq!(of_workers(&[3], &code.replace("v2 = load [s0]", "v2 = copy 0i64")), []);
    }

    #[test]
    fn the_record_of_the_iteration_before() {
        // The guard comes before the reads, but for the way around the loop.
        let code = "bb0:\n  jump bb1\nbb1:\n  v2 = copy 1i64\n  jump bb2\nbb2:\n  v2 = load [s0]\n  branch v0.p, bb1, bb3\n\
                    bb3:\n  return\n";
        assert_eq!(of_workers(&[1], code), [1]);
        assert_eq!(of_workers(&[1], &code.replace("v2 = load [s0]", "v2 = load [s0]\n  join worker")), []);
        // A guard that waits clears the way for the next one.
        let two = "bb0:\n  v2 = load [s0]\n  jump bb1\nbb1:\n  v2 = copy 1i64\n  jump bb2\nbb2:\n  v2 = copy 2i64\n  return\n";
        assert_eq!(of_workers(&[1, 2], two), [1]);
    }

    #[test]
    fn routines_have_records_too() {
        // Who called may have read one just before; gangs are not told anything in routines.
        let code = "bb0:\n  v2 = copy 1i64\n  return\n";
        assert_eq!(protected(WORKER, true, true, &[0], code), [0]);
        assert_eq!(protected(0, true, true, &[0], code), []);
        // What a routine with a level leaves behind is unknown; others have no records.
        let call = |name: &str| {
            format!("bb0:\n  call {name}() sig1\n  jump bb1\nbb1:\n  v2 = copy 1i64\n  return\n")
        };
        assert_eq!(of_workers(&[1], &call("fn2.team")), [1]);
        assert_eq!(of_workers(&[1], &call("fn1.ordinary")), []);
        assert_eq!(of_workers(&[1], &call("fn3.alone")), []);
    }
}
