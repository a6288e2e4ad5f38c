//! Single mode: what is not inside a loop over workers or lanes is executed once per gang or worker
//! (`docs/design/partitioning.md`).
//!
//! Before: forks and joins of workers and lanes mark where partitioned mode begins and ends, and all threads
//! execute all code. After: forks and joins are gone, and code in single mode has the effect of one
//! execution.
//!
//! The unit is the *stretch*: a connected piece of the control-flow graph that is all in single mode of a
//! level, its inner branches and loops included. Of a gang the first worker runs through it, of a row of
//! several warps the first warp; the other warps wait where the stretch is left.
//!
//! ```text
//!     guard:    first worker?  yes: stretch ... publish   no: meet
//!     publish:  record = locals that the stretch changed and later code reads, and the number of the exit
//!     meet:     barrier; changed locals = record; continue at the exit
//! ```
//!
//! - Warps are never divided: a guard is a question to whole warps, and the 32 lanes of the warp that leads
//!   follow each branch together. Effects in single mode of lanes are the first lane's ([`lanes`]).
//! - A stretch that only computes on locals, or reads memory, is executed by all threads instead, with calls
//!   of functions that do no more ([`computing`]): that costs no more than waiting. If it reads, a barrier keeps those that are done from overwriting what others
//!   still read.
//! - So is one that all threads can follow without asking the leader ([`together`]): they compute, the first
//!   one alone has effects, and they meet where the stretch is left.
//! - Conditional branches inside a stretch concern the leading warps only; those by which it is left are
//!   followed by everyone, because the exit is part of the record.
//! - Calls of ordinary functions belong to the stretch. Routines with loops over the level are called by all
//!   of its threads, and end the stretch; their threads meet before they return.
//! - Locals hold the same value in all threads at the start of a stretch, which keeps redundant execution
//!   together: what partitioned code writes and later code reads is in memory ([`crate::storage`]) or comes
//!   out of a reduction.
//! - In `kernels` with several gang loops, gangs wait for each other, and single mode of gangs is treated
//!   alike: the first gang leads, the record is in the launch's scratch memory, and the barrier is one of the
//!   whole launch.
//! - The last stretch of a region needs no meeting: all threads but the first of the level end before it.
//! - Gangs first, then workers, then lanes: a stretch of lanes may be part of one of workers.

mod computing;
mod explain;
mod lanes;
mod modes;
mod publish;
mod reuse;
mod routines;
mod stacks;
#[cfg(test)]
mod tests;
mod threads;
mod together;
mod written;

use crate::arch::WARP;
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::analysis::roots::Roots;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::split::{block_before, redirect, split_edges};
use accrue_ir::passes::Decision;
use accrue_ir::{
    Block, Body, CmpOp, Func, FunctionKind, Level, Local, Loop, LoopData, Module, Op, Operand, Pos, Space,
    Terminator, Type, map_below,
};
use computing::Computing;
use cranelift_entity::EntitySet;
use cranelift_entity::SecondaryMap;
use modes::Modes;
use reuse::Records;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use threads::{LEVELS, Threads, index};
use written::Written;

pub(crate) use routines::is_private;

/// Runs the pass on all regions and routines. What it decided is told if that is wanted. The device's library
/// has functions with the names that it `offers`.
pub fn run(module: &mut Module, explain: bool, offers: &dyn Fn(&str) -> bool) -> Vec<Decision> {
    let mut notes = Vec::new();
    let computing = Computing::of(module, offers);
    for func in module.functions.keys().collect::<Vec<_>>() {
        let Some(threads) = Threads::of(module, func) else { continue };
        let Some(mut body) = module.functions[func].body.take() else { continue };
        stacks::share(module, &mut body, threads);
        let name = match &module.functions[func].kind {
            FunctionKind::Region(region) => region.parent.clone(),
            FunctionKind::Normal | FunctionKind::Threaded(_) => module.functions[func].name.clone(),
        };
        let notes = explain.then_some(&mut notes);
        let is_routine = matches!(module.functions[func].kind, FunctionKind::Normal);
        let records = Records::new(0, true);
        Neuter {
            func,
            name,
            module,
            computing: &computing,
            body: &mut body,
            threads,
            is_routine,
            notes,
            records,
            first: [None; 3],
            roots: None,
            written: None,
            pieces: FxHashMap::default(),
        }
        .function();
        module.functions[func].body = Some(body);
    }
    notes
}

struct Neuter<'a> {
    func: Func,
    /// The function, or the region's parent.
    name: Arc<str>,
    module: &'a Module,
    computing: &'a Computing,
    body: &'a mut Body,
    threads: Threads,
    is_routine: bool,
    /// Where the user wants to know.
    notes: Option<&'a mut Vec<Decision>>,
    /// Those of the level that is being rewritten.
    records: Records,
    /// For each level whether a thread is the first, once something asks.
    first: [Option<Local>; 3],
    /// What addresses are made from, once something asks.
    roots: Option<Rc<Roots>>,
    /// What the function writes, once something asks.
    written: Option<Rc<Written>>,
    /// Blocks of single mode, each with those that it was divided into.
    pieces: FxHashMap<Block, Vec<Block>>,
}

/// A connected piece of code in single mode.
struct Stretch {
    blocks: FxHashSet<Block>,
    /// In layout order.
    order: Vec<Block>,
}

/// Facts about the code before the stretches of a level are rewritten. They stay true for what the others
/// ask: only edges into and out of a stretch change with it, and what its end reads, it gives the same value.
struct Flow {
    cfg: Cfg,
    /// Where a stretch has a leader.
    live: Option<Liveness>,
}

impl Flow {
    /// Those of some locals that are read from a block on.
    fn live_in(&self, locals: &[Local], block: Block) -> Vec<Local> {
        let is_live = |local: &Local| self.live.as_ref().is_some_and(|live| live.is_live_in(*local, block));
        locals.iter().copied().filter(is_live).collect()
    }
}

/// Who executes a stretch while others wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leader {
    /// The first gang or worker of the level; the first lane, if its row never meets again.
    First,
    /// The lanes of the row's first warp.
    FirstWarp,
}

/// Where threads that went round a stretch wait for its leader.
struct Meeting {
    block: Block,
    /// The leader writes a record that they read.
    has_record: bool,
    /// Blocks between the stretch and this one, which the leader executes.
    published: Vec<Block>,
}

impl Meeting {
    fn without_record(block: Block) -> Meeting {
        Meeting { block, has_record: false, published: Vec::new() }
    }
}

/// How a stretch is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// By every thread; `reads` memory that other code may write.
    Redundantly { reads: bool },
    /// By the first gang, worker or lane: see [`Neuter::neuter`].
    ByLeader,
    /// By every thread, but for effects: see [`together`].
    Together,
}

impl Neuter<'_> {
    fn function(&mut self) {
        if self.threads.gangs_wait {
            modes::wait_after_routines(self.module, self.body);
        }
        routines::take_results(self.module, self.body);
        modes::split(self.module, self.body);
        for (index, level) in LEVELS.into_iter().enumerate() {
            // One worker has nobody to wait for. Lanes are never alone: a row is a warp at least.
            let is_alone = match level {
                Level::Vector => false,
                Level::Worker => self.is_one_worker(),
                Level::Gang | Level::Gang2 | Level::Gang3 | Level::Unassigned => !self.threads.gangs_wait,
            };
            if is_alone {
                continue;
            }
            let modes = Modes::of(self.module, self.body, self.threads.single);
            let cfg = Cfg::new(self.body);
            let stretches = self.stretches(&modes, &cfg, index);
            let manners: Vec<Manner> = stretches.iter().map(|stretch| self.manner(stretch, level)).collect();
            let planned = || stretches.iter().zip(manners.iter().copied());
            let guarded: Vec<&Stretch> = planned()
                .filter(|(stretch, manner)| *manner == Manner::ByLeader && self.is_guarded(stretch, level))
                .map(|(stretch, _)| stretch)
                .collect();
            self.dissolve_loops(&guarded);
            let tells = |&manner: &Manner| matches!(manner, Manner::ByLeader | Manner::Together);
            let live = manners.iter().any(tells).then(|| Liveness::new(self.body, &cfg));
            let flow = Flow { cfg, live };
            self.records = Records::new(index, !self.is_one_worker());
            for (stretch, manner) in planned() {
                self.neuter(stretch, manner, &flow, level);
            }
            self.place_pieces();
            self.records.protect(self.module, self.body, self.is_routine);
        }
        self.join_marks();
        self.find_first();
        if self.is_routine {
            routines::meet_at_returns(self.module, self.func, self.body, self.threads);
        }
        // Ways out of what is never left.
        self.body.remove_unreachable();
    }

    fn is_one_worker(&self) -> bool {
        self.threads.size[index(Level::Worker)] == 1
    }

    /// Whether a row is known to be one warp.
    fn is_one_warp(&self) -> bool {
        (1..=WARP).contains(&self.threads.size[index(Level::Vector)])
    }

    /// Whether some threads go round a stretch that has a leader.
    fn is_guarded(&self, stretch: &Stretch, level: Level) -> bool {
        level != Level::Vector || !self.is_one_warp() || self.is_last(stretch)
    }

    /// Forks have done their work; joins become barriers.
    fn join_marks(&mut self) {
        let alone = self.is_one_worker();
        for &block in &self.body.order {
            let insts = &mut self.body.blocks[block].insts;
            insts.retain_mut(|inst| match inst.op {
                Op::Fork { .. } => false,
                Op::Join { level, .. } => {
                    inst.op = Op::Barrier { level };
                    !(alone && level == Level::Worker)
                }
                _ => true,
            });
        }
    }

    /// The stretches of single mode of a level.
    fn stretches(&self, modes: &Modes, cfg: &Cfg, level: usize) -> Vec<Stretch> {
        let mut place: SecondaryMap<Block, u32> = map_below(self.body.blocks.len());
        for (index, &block) in self.body.order.iter().enumerate() {
            place[block] = index as u32;
        }
        let mut seen: EntitySet<Block> = EntitySet::with_capacity(self.body.blocks.len());
        let mut found = Vec::new();
        for &start in &self.body.order {
            if !modes.is_single(start, level) || !seen.insert(start) {
                continue;
            }
            let mut blocks = FxHashSet::default();
            let mut stack = vec![start];
            blocks.insert(start);
            while let Some(block) = stack.pop() {
                let mut visit = |next: Block| {
                    if modes.is_single(next, level) && seen.insert(next) {
                        blocks.insert(next);
                        stack.push(next);
                    }
                };
                self.body.blocks[block].term.successors(&mut visit);
                cfg.predecessors(block).iter().copied().for_each(&mut visit);
            }
            let mut order: Vec<Block> = blocks.iter().copied().collect();
            order.sort_unstable_by_key(|block| place[*block]);
            found.push(Stretch { blocks, order });
        }
        found
    }

    fn neuter(&mut self, stretch: &Stretch, manner: Manner, flow: &Flow, level: Level) {
        if stretch.order.is_empty() {
            return;
        }
        self.explain_manner(stretch, level, manner);
        match manner {
            Manner::Redundantly { reads: false } => {}
            Manner::Redundantly { reads: true } => self.settle(stretch, level),
            Manner::Together => self.go_together(stretch, flow, level),
            Manner::ByLeader if level == Level::Vector && !self.is_last(stretch) => {
                self.lead_lanes(stretch, flow);
            }
            Manner::ByLeader => _ = self.lead(stretch, flow, level, Leader::First),
        }
    }

    fn position(&self, stretch: &Stretch) -> Pos {
        let of_block = |&block: &Block| self.body.blocks[block].insts.first().map(|inst| inst.pos);
        stretch.order.iter().find_map(of_block).unwrap_or_else(Pos::none)
    }

    fn manner(&mut self, stretch: &Stretch, level: Level) -> Manner {
        let written = self.written();
        let mut reads = false;
        for &block in &stretch.order {
            for inst in &self.body.blocks[block].insts {
                if self.needs_leader(&inst.op) {
                    let together = self.can_go_together(stretch, level);
                    return if together { Manner::Together } else { Manner::ByLeader };
                }
                reads |= self.reads_shared(&inst.op, &written);
            }
        }
        Manner::Redundantly { reads }
    }

    /// Whether an operation is to be executed once only.
    fn needs_leader(&self, op: &Op) -> bool {
        match op {
            Op::Load { addr, access, .. } if self.is_private(addr.base, access.space) => access.volatile,
            // A division that traps does so in every thread.
            Op::Binary { .. } => false,
            op => !self.computing.effects(op).pure,
        }
    }

    /// Whether an operation reads what other threads may write.
    fn reads_shared(&self, op: &Op, written: &Written) -> bool {
        match op {
            Op::Load { addr, access, .. } => {
                !self.is_private(addr.base, access.space) && !written.never(addr.base)
            }
            op => self.computing.effects(op).reads,
        }
    }

    /// What addresses are made from.
    fn roots(&mut self) -> Rc<Roots> {
        let function = &self.module.functions[self.func];
        self.roots.get_or_insert_with(|| Rc::new(Roots::new(function, self.body))).clone()
    }

    /// What the function writes.
    fn written(&mut self) -> Rc<Written> {
        if let Some(written) = &self.written {
            return written.clone();
        }
        let roots = self.roots();
        let insts = self.body.order.iter().flat_map(|&block| &self.body.blocks[block].insts);
        let written = Rc::new(Written::by(&roots, self.computing, insts.map(|inst| &inst.op)));
        self.written.insert(written).clone()
    }

    fn is_private(&self, base: Operand, space: Space) -> bool {
        routines::is_private(self.body, base, space)
    }

    /// Puts a barrier where a stretch is left, which is where partitioned mode begins.
    fn settle(&mut self, stretch: &Stretch, level: Level) {
        for to in self.targets(&self.exits(stretch)) {
            self.before_target(stretch, to, |cursor| cursor.barrier(level));
        }
    }

    /// Writes code on the edges from a stretch to one of its targets.
    fn before_target(&mut self, stretch: &Stretch, to: Block, write: impl FnOnce(&mut Cursor<'_>)) {
        if let Some((between, pos)) = self.block_before_target(stretch, to) {
            write(&mut Cursor::with_pos(self.body, between, pos));
        }
    }

    /// A block on the edges from a stretch to one of its targets.
    fn block_before_target(&mut self, stretch: &Stretch, to: Block) -> Option<(Block, Pos)> {
        let edges = self.exits(stretch).into_iter().filter(|&(_, target)| target == to);
        let from: Vec<Block> = edges.map(|(from, _)| from).collect();
        let pos = self.body.blocks[*from.first()?].term_pos;
        Some((split_edges(self.body, &from, to, pos), pos))
    }

    /// Where edges lead, each block once.
    fn targets(&self, edges: &[(Block, Block)]) -> Vec<Block> {
        edges.iter().fold(Vec::new(), |mut all, &(_, to)| {
            if !all.contains(&to) {
                all.push(to);
            }
            all
        })
    }

    /// Edges out of a stretch.
    fn exits(&self, stretch: &Stretch) -> Vec<(Block, Block)> {
        let mut exits = Vec::new();
        for &block in &stretch.order {
            self.body.blocks[block].term.successors(|to| {
                if !stretch.blocks.contains(&to) && !exits.contains(&(block, to)) {
                    exits.push((block, to));
                }
            });
        }
        exits
    }

    /// Lets the leader execute a stretch, and tells the threads that went round it. Gives the blocks that the
    /// leader executes besides.
    fn lead(&mut self, stretch: &Stretch, flow: &Flow, level: Level, leader: Leader) -> Vec<Block> {
        self.gather_returns(stretch);
        let exits = self.exits(stretch);
        let entries = self.entries(stretch, flow);
        let targets = self.targets(&exits);
        let changed = self.changed(stretch, flow, &targets);
        self.explain_broadcast(stretch, level, &changed, targets.len());
        let pos = self.position(stretch);
        let ends = changed.is_empty() && targets.iter().all(|&target| self.only_returns(target));
        let meeting = match targets[..] {
            [] => Meeting::without_record(self.endless(pos)),
            [first] if ends => Meeting::without_record(first),
            [first, ..] if ends && !self.is_routine => Meeting::without_record(first),
            _ => self.meeting(level, &exits, &targets, &changed, pos),
        };
        for entry in entries {
            let guard = self.guard((stretch, flow), (level, leader), entry, meeting.block, pos);
            if meeting.has_record {
                self.records.add_guard(guard);
            }
        }
        meeting.published
    }

    /// Where those wait for whom a leader never comes back.
    fn endless(&mut self, pos: Pos) -> Block {
        let wait = self.body.block();
        Cursor::with_pos(self.body, wait, pos).jump(wait);
        wait
    }

    /// Whether a block does nothing but return, so that nobody needs to wait before it.
    fn only_returns(&self, block: Block) -> bool {
        let data = &self.body.blocks[block];
        data.insts.is_empty() && matches!(data.term, Terminator::Return(None))
    }

    /// Takes the loops apart that stretches with a leader cut: they have several entries afterwards.
    fn dissolve_loops(&mut self, stretches: &[&Stretch]) {
        let body = &*self.body;
        let around = |block: Block| body.loops_around(body.blocks[block].loop_);
        let mut sizes: SecondaryMap<Loop, u32> = map_below(body.loops.len());
        for loop_ in body.order.iter().flat_map(|&block| around(block)) {
            sizes[loop_] += 1;
        }
        let mut cut: EntitySet<Loop> = EntitySet::with_capacity(body.loops.len());
        for stretch in stretches {
            let mut inside: FxHashMap<Loop, u32> = FxHashMap::default();
            for loop_ in stretch.order.iter().flat_map(|&block| around(block)) {
                *inside.entry(loop_).or_default() += 1;
            }
            for (loop_, count) in inside {
                let LoopData { preheader, exit, .. } = &body.loops[loop_];
                let is_whole = count == sizes[loop_]
                    && stretch.blocks.contains(preheader)
                    && stretch.blocks.contains(exit);
                if !is_whole {
                    cut.insert(loop_);
                }
            }
        }
        for loop_ in cut.iter() {
            self.body.dissolve_loop(loop_);
        }
    }

    /// Returns inside a stretch become exits to a return outside of it.
    fn gather_returns(&mut self, stretch: &Stretch) {
        let returns: Vec<(Block, Option<Operand>)> = stretch
            .order
            .iter()
            .filter_map(|&block| match self.body.blocks[block].term {
                Terminator::Return(value) => Some((block, value)),
                _ => None,
            })
            .collect();
        let Some(&(_, value)) = returns.first() else { return };
        let result = value.map(|value| {
            let ty = self.body.operand_type(value);
            self.body.temp(ty)
        });
        let target = self.body.block();
        self.body.blocks[target].term = Terminator::Return(result.map(Operand::Local));
        for (block, value) in returns {
            let pos = self.body.blocks[block].term_pos;
            self.body.blocks[target].term_pos = pos;
            let mut cursor = Cursor::with_pos(self.body, block, pos);
            if let (Some(result), Some(value)) = (result, value) {
                cursor.assign(result, value);
            }
            cursor.jump(target);
        }
    }

    /// Blocks of a stretch that are entered from outside.
    fn entries(&self, stretch: &Stretch, flow: &Flow) -> Vec<Block> {
        let is_entry = |&block: &Block| {
            block == self.body.entry()
                || flow.cfg.predecessors(block).iter().any(|from| !stretch.blocks.contains(from))
        };
        stretch.order.iter().copied().filter(is_entry).collect()
    }

    /// Locals that a stretch writes and code behind it reads.
    fn changed(&self, stretch: &Stretch, flow: &Flow, targets: &[Block]) -> Vec<Local> {
        let mut written: FxHashSet<Local> = FxHashSet::default();
        for &block in &stretch.order {
            for inst in &self.body.blocks[block].insts {
                inst.op.defs(|local| {
                    written.insert(local);
                });
            }
        }
        let mut changed: Vec<Local> = written
            .into_iter()
            .filter(|&local| targets.iter().any(|&target| self.is_read_from(flow, target, local)))
            .collect();
        changed.sort();
        changed
    }

    /// Whether the value of a local is read from a block on, which may be the return of
    /// [`Neuter::gather_returns`].
    fn is_read_from(&self, flow: &Flow, block: Block, local: Local) -> bool {
        match self.body.blocks[block].term {
            Terminator::Return(Some(value)) if value == Operand::Local(local) => true,
            _ => flow.live.as_ref().is_some_and(|live| live.is_live_in(local, block)),
        }
    }

    /// Sends threads other than the leader past the stretch; gives the block in which they part.
    fn guard(
        &mut self,
        (stretch, flow): (&Stretch, &Flow),
        (level, leader): (Level, Leader),
        entry: Block,
        meet: Block,
        pos: Pos,
    ) -> Block {
        let from: Vec<Block> = flow
            .cfg
            .predecessors(entry)
            .iter()
            .copied()
            .filter(|block| !stretch.blocks.contains(block))
            .collect();
        let guard = block_before(self.body, entry);
        let mut cursor = Cursor::with_pos(self.body, guard, pos);
        let position = cursor.dim_pos(level);
        let leads = match leader {
            Leader::First => cursor.compare(CmpOp::Eq, position, Operand::Int(Type::I32, 0)),
            Leader::FirstWarp => {
                cursor.compare(CmpOp::ULt, position, Operand::Int(Type::I32, i64::from(WARP)))
            }
        };
        cursor.branch(leads, entry, meet);
        for block in from {
            redirect(self.body, block, entry, guard);
        }
        guard
    }
}

/// The exits of a stretch, numbered by target.
fn number(targets: &[Block]) -> FxHashMap<Block, i64> {
    targets.iter().copied().zip(0..).collect()
}
