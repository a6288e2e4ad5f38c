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
        let insts = one_way(body, loop_, blocks)?;
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
        step_at_end(&insts, counter)?;
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

/// The operations of a body with these blocks, in order, if it takes one way.
pub(super) fn one_way(body: &Body, loop_: Loop, blocks: &[Block]) -> Option<Vec<Inst>> {
    let next = blocks.iter().copied().skip(1).chain([body.loops[loop_].header]);
    let mut jumps =
        blocks.iter().zip(next).map(|(&block, next)| body.blocks[block].term == Terminator::Jump(next));
    let insts = || blocks.iter().flat_map(|&block| &body.blocks[block].insts).cloned().collect();
    jumps.all(|is_one_way| is_one_way).then(insts)
}

/// The place of a counter's step, if nothing behind it reads the counter: there it is that of the next
/// iteration.
pub(super) fn step_at_end(insts: &[Inst], counter: Local) -> Option<usize> {
    let step = insts.iter().position(|inst| inst.op.dst() == Some(counter))?;
    let mut is_read = false;
    insts[step + 1..].iter().for_each(|inst| inst.op.uses(|local| is_read |= local == counter));
    (!is_read).then_some(step)
}

/// Writes an operation with the names of a repetition.
pub(super) fn write(cursor: &mut Cursor<'_>, inst: &Inst, names: &Rename) {
    let mut op = inst.op.clone();
    op.parts_mut(|part| names.part(part));
    cursor.pos = inst.pos;
    cursor.op(op);
}
