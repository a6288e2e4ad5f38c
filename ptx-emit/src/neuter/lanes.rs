//! Single mode of lanes: a warp executes it as a whole, and its first lane alone has effects.
//!
//! ```text
//!     n = load [p]          @first  ld n, [p]          the first lane loads
//!                                   shfl n, n, 0       a branch depends on `n`: all lanes get it
//!     i = i + 1                     add i, i, 1        all lanes compute
//!     s = load [q]          @first  ld s, [q]          no branch depends on `s`
//!     s = s + i                     add s, s, i        right in the first lane, without meaning in lanes 1 to 31
//!     store [q], s          @first  st [q], s
//!     branch i < n                  bra i < n          all lanes go the same way
//! ```
//!
//! No lane ever takes a branch that its warp does not take, save around one straight run of effects, which
//! all lanes leave at the same place. A first lane that goes through loops of its own while 31 lanes wait for
//! it where the stretch ends is legal PTX, and code that the optimising `ptxas` breaks: it lets the 31 lanes
//! come to a barrier without the first, and a barrier counts one part of a warp for all of it.
//!
//! Two sets of locals decide which values travel; both disregard the order of instructions, which costs a
//! shuffle now and then, never a wrong value, as the first lane always has the right one:
//! - *needed*: terminators of the stretch depend on them, or operations that become code with branches, such
//!   as a product of complex numbers, which looks for NaN. They are sent as soon as an effect has written
//!   them.
//! - *own*: effects write them, or what depends on such a local. They are sent where the stretch is left, if
//!   they are live there.

use super::threads::{LEVELS, index};
use super::together::Alone;
use super::{Flow, Leader, Neuter, Stretch};
use crate::scalarize;
use accrue_ir::analysis::liveness;
use accrue_ir::builder::Cursor;
use accrue_ir::{
    Block, BlockData, Body, CmpOp, Inst, Level, Local, LoopData, Op, Operand, ShuffleMode, Terminator, Type,
};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

impl Neuter<'_> {
    /// Lets the first warp of each row execute a stretch of single mode as a whole.
    pub(super) fn lead_lanes(&mut self, stretch: &Stretch, flow: &Flow) {
        let mut blocks = stretch.order.clone();
        if self.is_one_warp() {
            self.settle_lanes(stretch, flow);
        } else {
            blocks.extend(self.lead(stretch, flow, Level::Vector, Leader::FirstWarp));
        }
        // Reading is the first lane's, too: for what it writes, other lanes would otherwise have to wait.
        let alone = Alone::all(Level::Vector);
        let needed = self.needed(&blocks, &alone);
        for block in blocks {
            self.separate_effects(block, &needed, &alone);
        }
    }

    /// Whether an operation of a stretch is executed by the first thread alone.
    pub(super) fn is_effect(&self, op: &Op, alone: &Alone) -> bool {
        self.needs_leader(op) || self.computing.effects(op).reads && !alone.is_read_by_all(op)
    }

    /// Where a stretch is left, the lanes of the warp meet, and are told what later code reads.
    fn settle_lanes(&mut self, stretch: &Stretch, flow: &Flow) {
        let own = self.own(stretch, &Alone::all(Level::Vector));
        for to in self.targets(&self.exits(stretch)) {
            let told = flow.live_in(&own, to);
            self.explain_broadcast(stretch, Level::Vector, &told, 1);
            let meets = match self.body.blocks[to].insts.first().map(|inst| &inst.op) {
                Some(Op::Barrier { .. }) => true,
                Some(Op::Join { level, .. }) => *level != Level::Worker || !self.is_one_worker(),
                _ => false,
            };
            if meets && told.is_empty() {
                continue;
            }
            self.before_target(stretch, to, |cursor| {
                // From here on, the other lanes of the warp see what the first lane wrote to memory.
                cursor.barrier(Level::Vector);
                told.into_iter().for_each(|local| send(cursor, local));
            });
        }
    }

    /// Locals whose values the first thread alone knows where the stretch is left, in order.
    pub(super) fn own(&self, stretch: &Stretch, alone: &Alone) -> Vec<Local> {
        let needed = self.needed(&stretch.order, alone);
        let mut own: FxHashSet<Local> = FxHashSet::default();
        let insts = || stretch.order.iter().flat_map(|&block| &self.body.blocks[block].insts);
        for inst in insts().filter(|inst| self.is_effect(&inst.op, alone)) {
            inst.op.defs(|local| _ = own.insert(local));
        }
        own.retain(|local| !needed.contains(*local));
        let mut grows = !own.is_empty();
        while grows {
            grows = false;
            for inst in insts() {
                let mut depends = false;
                liveness::reads(self.body, &inst.op, |local| depends |= own.contains(&local));
                if depends {
                    inst.op.defs(|local| grows |= !needed.contains(local) && own.insert(local));
                }
            }
        }
        let mut own: Vec<Local> = own.into_iter().collect();
        own.sort_unstable();
        own
    }

    /// Locals that branches of some blocks depend on through what these blocks compute.
    pub(super) fn needed(&self, blocks: &[Block], alone: &Alone) -> EntitySet<Local> {
        let body = &*self.body;
        let mut needed: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
        for &block in blocks {
            body.blocks[block].term.uses(|local| _ = needed.insert(local));
            let takes_branches =
                |inst: &&Inst| scalarize::takes_branches(body, &inst.op) || self.computing.is_call(&inst.op);
            for inst in body.blocks[block].insts.iter().filter(takes_branches) {
                liveness::reads(body, &inst.op, |local| _ = needed.insert(local));
            }
        }
        let mut grows = true;
        while grows {
            grows = false;
            // Backwards, as most operands are written shortly before.
            for inst in blocks.iter().rev().flat_map(|&block| body.blocks[block].insts.iter().rev()) {
                let mut leads = false;
                inst.op.defs(|local| leads |= needed.contains(local));
                if leads && !self.is_effect(&inst.op, alone) {
                    liveness::reads(body, &inst.op, |local| grows |= needed.insert(local));
                }
            }
        }
        needed
    }

    /// Gives each run of effects in a block a block of its own, which the first thread of the level executes.
    pub(super) fn separate_effects(&mut self, block: Block, needed: &EntitySet<Local>, alone: &Alone) {
        if !self.body.blocks[block].insts.iter().any(|inst| self.is_effect(&inst.op, alone)) {
            return;
        }
        self.dissolve_headed_by(block);
        let step = self.take_step(block);
        let data = &mut self.body.blocks[block];
        let insts = std::mem::take(&mut data.insts);
        let term = std::mem::replace(&mut data.term, Terminator::Unreachable);
        let mut run = Run::default();
        let mut pieces = vec![block];
        for inst in insts {
            if self.is_effect(&inst.op, alone) {
                run.push(self.body, inst);
            } else {
                // What the run does not touch may as well come before it, so that runs grow.
                if run.touches(self.body, &inst.op) {
                    self.execute_first(std::mem::take(&mut run), needed, alone.level, &mut pieces);
                }
                let at = last_of(&pieces, block);
                self.body.blocks[at].insts.push(inst);
            }
        }
        self.execute_first(run, needed, alone.level, &mut pieces);
        let at = last_of(&pieces, block);
        self.body.blocks[at].insts.extend(step);
        self.body.blocks[at].term = term;
        self.pieces.insert(block, pieces);
    }

    /// Takes the step of a counted loop out of its latch, to be put where the latch jumps back. A loop whose
    /// variable the latch uses otherwise is taken apart.
    fn take_step(&mut self, block: Block) -> Option<Inst> {
        let loop_ = self.body.blocks[block].loop_?;
        let LoopData { latch, induction, .. } = &self.body.loops[loop_];
        let iv = induction.as_ref().filter(|_| *latch == block)?.iv;
        let insts = &self.body.blocks[block].insts;
        let at = insts.iter().position(|inst| inst.op.dst() == Some(iv))?;
        let mut operands: SmallVec<[Local; 2]> = SmallVec::new();
        liveness::reads(self.body, &insts[at].op, |local| operands.push(local));
        let is_last_use = insts[at + 1..].iter().all(|inst| {
            let mut uses = false;
            liveness::reads(self.body, &inst.op, |local| uses |= local == iv);
            inst.op.defs(|local| uses |= operands.contains(&local));
            !uses
        });
        if !is_last_use {
            self.body.dissolve_loop(loop_);
            return None;
        }
        Some(self.body.blocks[block].insts.remove(at))
    }

    /// Lets the first thread execute a run behind the last of some blocks, and all go on in another block.
    fn execute_first(&mut self, run: Run, needed: &EntitySet<Local>, level: Level, pieces: &mut Vec<Block>) {
        let (Some(inst), Some(&at)) = (run.insts.first(), pieces.last()) else { return };
        let pos = inst.pos;
        let first = *self.first[index(level)].get_or_insert_with(|| self.body.temp(Type::I1));
        let BlockData { term_pos, loop_, construct, .. } = self.body.blocks[at];
        let rest = BlockData { insts: Vec::new(), term: Terminator::Unreachable, term_pos, loop_, construct };
        let rest = self.body.blocks.push(rest);
        let term = Terminator::Jump(rest);
        let alone = BlockData { insts: run.insts, term, term_pos: pos, loop_, construct };
        let alone = self.body.blocks.push(alone);
        pieces.extend([alone, rest]);
        let mut cursor = Cursor::with_pos(self.body, at, pos);
        for &local in &run.defs {
            // The others have some value, too: registers without one have broken drivers.
            if let (false, Some(zero)) = (run.reads.contains(&local), zero(cursor.body.locals[local].ty)) {
                cursor.assign(local, zero);
            }
        }
        cursor.branch(Operand::Local(first), alone, rest);
        self.body.blocks[at].term_pos = pos;
        let mut cursor = Cursor::with_pos(self.body, rest, pos);
        run.defs
            .into_iter()
            .filter(|local| needed.contains(*local))
            .for_each(|local| send(&mut cursor, local));
    }

    /// When all stretches of lanes are rewritten: puts the blocks that came out of a block into the layout
    /// behind it.
    pub(super) fn place_pieces(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        if pieces.is_empty() {
            return;
        }
        let order = std::mem::take(&mut self.body.order);
        for block in order {
            match pieces.get(&block) {
                Some(pieces) => self.body.order.extend(pieces),
                None => self.body.order.push(block),
            }
        }
        for data in self.body.loops.values_mut() {
            for role in [&mut data.preheader, &mut data.latch] {
                if let Some(end) = pieces.get(role).and_then(|pieces| pieces.last()) {
                    *role = *end;
                }
            }
        }
    }

    /// Takes the loop apart that a block is the header of: the branch that leaves the loop moves out of the
    /// block.
    fn dissolve_headed_by(&mut self, block: Block) {
        let Some(loop_) = self.body.blocks[block].loop_ else { return };
        if self.body.loops[loop_].header == block {
            self.body.dissolve_loop(loop_);
        }
    }

    /// At the start of the function: whether a thread is the first of its level.
    pub(super) fn find_first(&mut self) {
        let entry = self.body.entry();
        for (level, first) in LEVELS.into_iter().zip(self.first) {
            let Some(first) = first else { continue };
            let mut cursor = Cursor::before(self.body, entry, 0);
            let position = cursor.dim_pos(level);
            let zero = Operand::Int(Type::I32, 0);
            cursor.op(Op::Compare { dst: first, op: CmpOp::Eq, a: position, b: zero });
        }
    }

    /// Whether a stretch of lanes with a leader is the last thing that the threads of a region do. Its lanes
    /// need not meet again: the first goes on alone, and the others end.
    pub(super) fn is_last(&self, stretch: &Stretch) -> bool {
        !self.is_routine && self.exits(stretch).into_iter().all(|(_, to)| self.only_returns(to))
    }
}

fn last_of(pieces: &[Block], block: Block) -> Block {
    pieces.last().copied().unwrap_or(block)
}

/// Consecutive effects, executed by the first thread.
#[derive(Default)]
struct Run {
    insts: Vec<Inst>,
    /// Locals that are read before the run writes them.
    reads: FxHashSet<Local>,
    /// Locals that it writes, in order of their first writes.
    defs: Vec<Local>,
}

impl Run {
    fn push(&mut self, body: &Body, inst: Inst) {
        liveness::reads(body, &inst.op, |local| {
            if !self.defs.contains(&local) {
                self.reads.insert(local);
            }
        });
        inst.op.defs(|local| {
            if !self.defs.contains(&local) {
                self.defs.push(local);
            }
        });
        self.insts.push(inst);
    }

    /// Whether an operation that has no effects must stay behind the run.
    fn touches(&self, body: &Body, op: &Op) -> bool {
        let mut touches = false;
        liveness::reads(body, op, |local| touches |= self.defs.contains(&local));
        op.defs(|local| touches |= self.defs.contains(&local) || self.reads.contains(&local));
        touches
    }
}

/// Gives all lanes of the warp what a local is in the first.
fn send(cursor: &mut Cursor<'_>, local: Local) {
    let value = cursor.shuffle(ShuffleMode::Index, Operand::Local(local), Operand::Int(Type::I32, 0));
    cursor.assign(local, value);
}

/// Zero of a type that constants have.
fn zero(ty: Type) -> Option<Operand> {
    match ty {
        Type::F32 => Some(Operand::F32(0)),
        Type::F64 => Some(Operand::F64(0)),
        integer => (integer == Type::I1 || integer.is_word()).then_some(Operand::Int(integer, 0)),
    }
}
