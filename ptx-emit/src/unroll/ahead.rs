//! Bodies of one way whose repetitions load before the first of them stores.

use super::counted::Counted;
use super::facts::Facts;
use accrue_ir::analysis::roots::Root;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::rename::Rename;
use accrue_ir::{Address, BinaryOp, Block, Body, Inst, Local, Loop, LoopData, Op, Terminator};

/// The body of a loop whose repetitions load before they store.
pub(super) struct LoadsAhead {
    /// All operations, in order.
    insts: Vec<Inst>,
    /// The number of those up to the last load.
    loads: usize,
    /// Locals that each repetition has for itself.
    own: Vec<Local>,
}

impl LoadsAhead {
    /// For a loop whose counter is set once, if it takes one way, computes and loads at first, and stores
    /// then.
    pub(super) fn of(
        body: &Body,
        loop_: Loop,
        blocks: &[Block],
        counter: Local,
        facts: &Facts<'_>,
    ) -> Option<LoadsAhead> {
        let LoopData { header, exit, .. } = body.loops[loop_];
        let next = blocks.iter().copied().skip(1).chain([header]);
        if !blocks.iter().zip(next).all(|(&block, next)| body.blocks[block].term == Terminator::Jump(next)) {
            return None;
        }
        let insts: Vec<Inst> = blocks.iter().flat_map(|&block| &body.blocks[block].insts).cloned().collect();
        let loads = insts.iter().rposition(|inst| matches!(inst.op, Op::Load { .. }))? + 1;
        let writes = |inst: &Inst| matches!(inst.op, Op::Store { .. } | Op::AtomicRmw { .. });
        if insts[..loads].iter().any(writes) || !insts[loads..].iter().any(writes) {
            return None;
        }
        // Iterations of one thread share what is its own: the elements that it reduces, for instance.
        let roots = facts.roots(body);
        let root = |addr: &Address| roots.of(addr.base);
        let is_shared = |addr: &Address| matches!(root(addr), Root::Param(_) | Root::Global(_));
        let stored: Vec<&Address> = insts[loads..]
            .iter()
            .filter_map(|inst| match &inst.op {
                Op::Store { addr, .. } | Op::AtomicRmw { addr, .. } => Some(addr),
                _ => None,
            })
            .collect();
        let is_independent = |addr: &Address| {
            let apart = |stored: &&Address| roots.are_apart(root(addr), root(stored));
            is_shared(addr) && stored.iter().all(|stored| is_shared(stored)) || stored.iter().all(apart)
        };
        if !insts.iter().all(|inst| !matches!(&inst.op, Op::Load { addr, .. } if !is_independent(addr))) {
            return None;
        }
        let live = facts.liveness(body);
        let (mut own, mut carried) = (Vec::new(), Vec::new());
        let mut stays = true;
        for inst in &insts {
            inst.op.defs(|local| match live.is_live_in(local, header) {
                _ if local == counter => {}
                true => carried.push(local),
                false if live.is_live_in(local, exit) => stays = false,
                false if !own.contains(&local) => own.push(local),
                false => {}
            });
        }
        for inst in &insts[..loads] {
            inst.op.defs(|local| stays &= local != counter && !carried.contains(&local));
            inst.op.uses(|local| stays &= !carried.contains(&local));
        }
        // Behind the step the counter is that of the next iteration.
        let step = insts.iter().position(|inst| inst.op.dst() == Some(counter))?;
        insts[step + 1..].iter().for_each(|inst| inst.op.uses(|local| stays &= local != counter));
        stays.then_some(LoadsAhead { insts, loads, own })
    }

    /// Writes the repetitions.
    pub(super) fn write(&self, cursor: &mut Cursor<'_>, counted: Counted, times: usize) {
        let Some(counter) = counted.iv.as_local() else { return };
        let mut at = counted.iv;
        let all: Vec<Rename> = (0..times)
            .map(|number| {
                let mut names = Rename::fresh(cursor.body, self.own.iter().copied());
                if number > 0 {
                    at = cursor.add(at, counted.step);
                    names.locals.extend(at.as_local().map(|at| (counter, at)));
                }
                self.insts[..self.loads].iter().for_each(|inst| write(cursor, inst, &names));
                names
            })
            .collect();
        let is_step = |inst: &&Inst| inst.op.dst() == Some(counter);
        for names in &all {
            let rest = self.insts[self.loads..].iter().filter(|inst| !is_step(inst));
            rest.for_each(|inst| write(cursor, inst, names));
        }
        cursor.op(Op::Binary { dst: counter, op: BinaryOp::Add, a: at, b: counted.step });
    }
}

/// Writes an operation with the names of a repetition.
pub(super) fn write(cursor: &mut Cursor<'_>, inst: &Inst, names: &Rename) {
    let mut op = inst.op.clone();
    op.parts_mut(|part| names.part(part));
    cursor.pos = inst.pos;
    cursor.op(op);
}
