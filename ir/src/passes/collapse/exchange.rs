//! Values that the threads of a gang hand each other in a merged nest.
//!
//! In a transposition, neighbours along one loop read neighbours in memory, and neighbours along the other
//! loop write them. Memory moves whole sectors, so that one of the two costs a sector per element, whichever
//! way lanes are given to iterations. Where the target wants it ([`Target::exchanges`]), a gang goes through
//! squares of the two loops, with lanes along one loop for some accesses and along the other loop for the
//! rest. The values cross over in memory of the gang.
//!
//! ```text
//!     before:  for each (i, j), shared by all threads:                            y[j][i] = x[i][j]
//!     after:   for each square, shared by gangs:
//!                  for each (i, j) of it, shared by threads, lanes along j:       t[i][j] = x[i][j]
//!                  for each (i, j) of it, shared by threads, lanes along i:       y[j][i] = t[i][j]
//! ```
//!
//! In squares over the edge of the nest, iterations that it does not have load what the last one does, but
//! nothing that iterations store, and store nothing. Nests of which a side turns out to be short are executed
//! as the program has them. The order of iterations is not defined, so that other iterations may come between
//! the accesses of one; those of one iteration keep their order as far as it matters.
//!
//! [`Target::exchanges`]: crate::target::Target::exchanges

use super::numbers::{decompose, int, leave};
use crate::acc::{Level, LoopDirective};
use crate::analysis::bases::{Base, Bases};
use crate::analysis::cfg::Cfg;
use crate::analysis::depends::Depends;
use crate::analysis::effects::may_be_mixed;
use crate::analysis::liveness::Liveness;
use crate::analysis::roots::Roots;
use crate::builder::Cursor;
use crate::edit::rename::Rename;
use crate::edit::split::part_ways;
use crate::entities::{Block, Local, Loop, Slot};
use crate::function::{Body, Function, LoopData, SlotData, SlotKind};
use crate::op::{Access, Address, BinaryOp, CmpOp, Inst, Op, Operand, Terminator};
use crate::target::Exchange;
use crate::types::Type;
use rustc_hash::FxHashSet;

/// Nests with fewer squares stay as they are: each gives work to one gang.
pub(super) const FEWEST: u32 = 16;

/// Bodies with more operations stay as they are: each is written several times.
const MOST_OPERATIONS: usize = 96;

/// A nest whose threads can exchange values.
pub(super) struct Plan<'a> {
    function: &'a Function,
    exchange: Exchange,
    /// The blocks of the body in the order in which they are executed, without the outermost latch.
    chain: Vec<Block>,
    /// The accesses along the outer loop: a block of the chain, and the number of instructions from the
    /// access to the end of the block, as the pass writes in front of the body.
    across: Vec<(Block, usize)>,
}

/// The merged loop.
pub(super) struct Merged<'a> {
    pub(super) loop_: Loop,
    pub(super) trips: &'a [Operand],
    /// How many iterations there are.
    pub(super) total: Operand,
    /// The logical iteration of each loop.
    pub(super) indices: &'a [Local],
}

impl<'a> Plan<'a> {
    /// For a nest of a function that is not merged yet; `None` if its iterations need more than their values
    /// exchanged.
    pub(super) fn of(
        (function, body): (&'a Function, &Body),
        nest: &[Loop],
        exchange: Exchange,
    ) -> Option<Plan<'a>> {
        let LoopData { body: first, latch, ref directive, .. } = body.loops[nest[0]];
        let reduces = directive.as_ref().is_some_and(|directive| !directive.reductions.is_empty());
        let chain = chain(body, nest)?;
        let insts = || chain.iter().flat_map(|&block| &body.blocks[block].insts);
        let is_fine = |inst: &Inst| may_be_mixed(body, &[], &inst.op);
        if reduces
            || !body.region_reductions.is_empty()
            || insts().count() > MOST_OPERATIONS
            || !insts().all(is_fine)
        {
            return None;
        }
        let counters: Vec<Local> =
            nest.iter().filter_map(|&loop_| Some(body.loops[loop_].induction.as_ref()?.iv)).collect();
        let live = Liveness::new(body, &Cfg::new(body));
        let mut stays = true;
        for inst in insts() {
            inst.op.defs(|local| {
                let is_handed_on = live.is_live_in(local, first) || live.is_live_in(local, latch);
                stays &= counters.contains(&local) || !is_handed_on;
            });
        }
        // What is written at one place by several iterations, their order decides.
        let of_all = u8::try_from((1u32 << counters.len().min(8)) - 1).ok()?;
        let depends = Depends::of(body, &chain, Vec::new(), &counters);
        let is_own = |inst: &Inst| match inst.op {
            Op::Store { addr, .. } => addr.base.as_local().is_some_and(|base| depends.local(base) == of_all),
            _ => true,
        };
        stays &= counters.len() <= 8 && insts().all(is_own);
        // The steps of counters go when the nest is merged.
        let steps = |block: Block| nest.iter().any(|&loop_| body.loops[loop_].latch == block);
        stays &= !exchange.across.iter().any(|&(block, _)| steps(block));
        let from_end = |&(block, at): &(Block, usize)| (block, body.blocks[block].insts.len() - at);
        let across = exchange.across.iter().map(from_end).collect();
        let plan = Plan { function, exchange, chain, across };
        let (insts, across) = plan.insts(body);
        (stays && keeps_order(body, &insts, &across)).then_some(plan)
    }

    /// The number of the outer loop in the nest.
    pub(super) fn outer(&self) -> usize {
        self.exchange.outer
    }

    /// Iterations of the two loops that make a square.
    pub(super) fn side(&self) -> u32 {
        self.exchange.side
    }

    /// The operations of an iteration, and which of them are the accesses along the outer loop.
    fn insts(&self, body: &Body) -> (Vec<Inst>, Vec<usize>) {
        let (mut insts, mut across) = (Vec::new(), Vec::new());
        for &block in &self.chain {
            let data = &body.blocks[block].insts;
            let of_block = self.across.iter().filter(|(other, _)| *other == block);
            across.extend(of_block.map(|(_, from_end)| insts.len() + data.len() - from_end));
            insts.extend(data.iter().cloned());
        }
        (insts, across)
    }

    /// Memory of the gang for the values of an access in a square.
    fn slot(&self, cursor: &mut Cursor<'_>, inst: &Inst) -> Slot {
        let side = u64::from(self.exchange.side);
        let bytes = u64::from(value_type(cursor.body, inst).bytes());
        // Another element in each row, so that a column is spread over the banks of the memory.
        let size = side * (side + 1) * bytes;
        let declared_in = cursor.body.blocks[cursor.block].loop_;
        let slot = SlotData {
            kind: SlotKind::GangPrivate,
            declared_in,
            ..SlotData::frame(size, bytes as u32, None)
        };
        cursor.body.slots.push(slot)
    }

    /// Writes the squares in front of the merged loop, which is left for nests that are too short.
    pub(super) fn apply(&self, body: &mut Body, merged: &Merged<'_>) {
        let Merged { loop_, trips, total, indices } = *merged;
        let LoopData { preheader, exit, pos, directive, .. } = body.loops[loop_].clone();
        let Some(directive) = directive else { return };
        let (insts, across) = self.insts(body);
        let is_own = are_own(&Roots::new(self.function, body), &insts);
        let mut defined = Vec::new();
        insts.iter().for_each(|inst| inst.op.defs(|local| defined.push(local)));
        let [before, plain] = part_ways(body, loop_);

        let side = int(self.exchange.side.into());
        let pair = [self.exchange.outer, trips.len() - 1];
        let mut cursor = Cursor::with_pos(body, preheader, pos);
        let [high, wide] = pair.map(|at| cursor.compare(CmpOp::UGe, trips[at], side));
        let mut counts = trips.to_vec();
        for at in pair {
            let last = cursor.add(trips[at], int(u64::from(self.exchange.side) - 1));
            counts[at] = cursor.binary(BinaryOp::LShr, last, int(self.exchange.side.ilog2().into()));
        }
        let squares = counts.iter().copied().fold(int(1), |product, count| cursor.mul(product, count));
        let many = cursor.compare(CmpOp::UGe, squares, int(FEWEST.into()));
        let is_long = [wide, many].into_iter().fold(high, |all, one| cursor.binary(BinaryOp::And, all, one));
        // A launch has gangs for the loop with the most iterations: the other one has none.
        let left = cursor.select(is_long, int(0), total);
        cursor.branch(is_long, before, plain);
        leave(cursor.body, loop_, total, left);

        cursor.switch_to(before);
        let squares = cursor.select(is_long, squares, int(0));
        let of_gangs: Vec<Level> = directive.levels.iter().copied().filter(|level| level.is_gang()).collect();
        let gangs = LoopDirective { levels: of_gangs, collapse: 1, ..directive };
        let loop_ = cursor.counted(int(0), int(1), squares, |cursor, number| {
            let mut starts = decompose(cursor, number, &counts);
            pair.into_iter().for_each(|at| starts[at] = cursor.mul(starts[at], side));
            let mut names = Rename::default();
            for (&index, &start) in indices.iter().zip(&starts) {
                let name = cursor.body.local_like(index);
                cursor.assign(name, start);
                names.locals.insert(index, name);
            }
            let ends = pair.map(|at| cursor.add(starts[at], side));
            let [high, wide] = [0, 1].map(|n| cursor.compare(CmpOp::ULe, ends[n], trips[pair[n]]));
            let is_whole = cursor.binary(BinaryOp::And, high, wide);
            let corner = pair.map(|at| starts[at]);
            let mut threads = LoopDirective::new(directive.kind, directive.pos);
            threads.levels = vec![Level::Worker, Level::Vector];
            let square = Square {
                plan: self,
                insts: &insts,
                is_own: &is_own,
                across: &across,
                defined: &defined,
                slots: across.iter().map(|&at| self.slot(cursor, &insts[at])).collect(),
                names,
                pair: pair.map(|at| indices[at]),
                corner,
                threads,
            };
            let [inside, edge, join] = [(); 3].map(|()| cursor.new_block());
            cursor.branch(is_whole, inside, edge);
            cursor.switch_to(inside);
            square.write(cursor, None);
            cursor.jump(join);
            cursor.switch_to(edge);
            square.write(cursor, Some(pair.map(|at| trips[at])));
            cursor.jump(join);
            cursor.switch_to(join);
        });
        cursor.jump(exit);
        body.loops[loop_].directive = Some(gangs);
    }
}

/// The blocks of a body that takes one way through the nest, in order.
fn chain(body: &Body, nest: &[Loop]) -> Option<Vec<Block>> {
    let LoopData { body: first, latch, .. } = body.loops[nest[0]];
    let mut chain = vec![first];
    let mut block = first;
    while chain.len() <= body.order.len() {
        let Terminator::Jump(to) = body.blocks[block].term else { return None };
        let loop_ = nest.iter().map(|&loop_| &body.loops[loop_]).find(|data| data.header == to);
        block = match loop_ {
            Some(data) if data.latch == block => data.exit,
            Some(data) => data.body,
            None => to,
        };
        if block == latch {
            return Some(chain);
        }
        chain.push(block);
    }
    None
}

/// Whether an iteration does the same if its loads along the outer loop come first and its stores last.
fn keeps_order(body: &Body, insts: &[Inst], across: &[usize]) -> bool {
    let bases = Bases::new(body);
    let accesses: Vec<(usize, Base, bool)> = (0..)
        .zip(insts)
        .filter_map(|(at, inst)| match inst.op {
            Op::Load { addr, .. } => Some((at, bases.of(addr.base), false)),
            Op::Store { addr, .. } => Some((at, bases.of(addr.base), true)),
            _ => None,
        })
        .collect();
    let may_pass = |&(at, base, is_store): &(usize, Base, bool)| {
        accesses.iter().all(|&(other, of_other, other_stores)| {
            let is_passed = if is_store { other > at && !across.contains(&other) } else { other < at };
            !is_passed || !(is_store || other_stores) || bases.differ(base, of_other)
        })
    };
    let is_computed =
        |&at: &usize| address(insts, at).into_iter().all(|at| !matches!(insts[at].op, Op::Load { .. }));
    across.iter().all(is_computed) && accesses.iter().filter(|(at, ..)| across.contains(at)).all(may_pass)
}

/// The operations that the address of an access is computed from, in order.
fn address(insts: &[Inst], at: usize) -> Vec<usize> {
    let (Op::Load { addr, .. } | Op::Store { addr, .. }) = insts[at].op else { return Vec::new() };
    let mut wanted: FxHashSet<Local> = addr.base.as_local().into_iter().collect();
    let mut needed = Vec::new();
    for n in (0..at).rev() {
        let mut is_needed = false;
        insts[n].op.defs(|local| is_needed |= wanted.remove(&local));
        if is_needed {
            insts[n].op.uses(|local| _ = wanted.insert(local));
            needed.push(n);
        }
    }
    needed.reverse();
    needed
}

/// The loop along which neighbouring lanes execute neighbouring iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lanes {
    AlongOuter,
    AlongInner,
}

/// The code of a square.
struct Square<'a> {
    plan: &'a Plan<'a>,
    insts: &'a [Inst],
    is_own: &'a [bool],
    across: &'a [usize],
    /// What the operations define.
    defined: &'a [Local],
    /// Through which the values of each access along the outer loop go.
    slots: Vec<Slot>,
    /// The logical iterations of the other loops.
    names: Rename,
    /// Those of the two loops, and where the square begins in both.
    pair: [Local; 2],
    corner: [Operand; 2],
    /// The directive of loops that the threads of the gang share.
    threads: LoopDirective,
}

/// An iteration of a square that a thread executes: its names, and where its values are in each of the slots
/// from a place that the iterations of a thread have in common, in elements.
struct Iteration {
    names: Rename,
    distance: u32,
    /// Whether the nest has it, if that is not known.
    exists: Option<Operand>,
}

impl Square<'_> {
    /// `edge`: how many iterations both loops have, if the square is not whole.
    fn write(&self, cursor: &mut Cursor<'_>, edge: Option<[Operand; 2]>) {
        let is_load = |at: usize| matches!(self.insts[at].op, Op::Load { .. });
        let (loads, stores): (Vec<usize>, Vec<usize>) =
            (0..self.across.len()).partition(|&n| is_load(self.across[n]));
        if !loads.is_empty() {
            self.share(cursor, (Lanes::AlongOuter, edge), |square, cursor, place, all| {
                square.write_loads(cursor, &loads, place, all);
            });
        }
        self.share(cursor, (Lanes::AlongInner, edge), Self::write_body);
        if !stores.is_empty() {
            self.share(cursor, (Lanes::AlongOuter, edge), |square, cursor, place, all| {
                square.write_stores(cursor, &stores, place, all);
            });
        }
    }

    /// Writes a loop whose iterations the threads of the gang share: all of a square. `write` gets the place
    /// of a thread in the slots, and the iterations that it executes together.
    fn share(
        &self,
        cursor: &mut Cursor<'_>,
        (lanes, edge): (Lanes, Option<[Operand; 2]>),
        write: impl FnOnce(&Self, &mut Cursor<'_>, Operand, &[Iteration]),
    ) {
        let Exchange { side, rows, .. } = self.plan.exchange;
        let loop_ = cursor.counted(int(0), int(1), int((rows * side).into()), |cursor, number| {
            let (lane, row) = super::tiling::split(cursor, number, side);
            let (high, wide) = if lanes == Lanes::AlongInner { (row, lane) } else { (lane, row) };
            let start = cursor.mul(high, int(u64::from(side) + 1));
            let place = cursor.add(start, wide);
            let first = [high, wide];
            let all: Vec<Iteration> = (0..side / rows)
                .map(|n| {
                    let further = int((n * rows).into());
                    let pair = [0, 1].map(|at| {
                        let at_first = cursor.add(self.corner[at], first[at]);
                        let steps = (at == 0) == (lanes == Lanes::AlongInner);
                        if steps { cursor.add(at_first, further) } else { at_first }
                    });
                    let distance = n * rows * if lanes == Lanes::AlongInner { side + 1 } else { 1 };
                    let (pair, exists) = match edge {
                        Some(trips) => within(cursor, pair, trips),
                        None => (pair, None),
                    };
                    Iteration { names: self.iteration(cursor, pair), distance, exists }
                })
                .collect();
            write(self, cursor, place, &all);
        });
        cursor.body.loops[loop_].directive = Some(self.threads.clone());
    }

    /// The names of an iteration, which this sets.
    fn iteration(&self, cursor: &mut Cursor<'_>, values: [Operand; 2]) -> Rename {
        let mut names = Rename::fresh(cursor.body, self.defined.iter().copied());
        names.locals.extend(&self.names.locals);
        for (index, value) in self.pair.into_iter().zip(values) {
            let name = cursor.body.local_like(index);
            cursor.assign(name, value);
            names.locals.insert(index, name);
        }
        names
    }

    /// The address in a slot of the value of an iteration.
    fn in_slot(&self, cursor: &mut Cursor<'_>, n: usize, place: Operand, iteration: &Iteration) -> Address {
        let bytes = i64::from(value_type(cursor.body, &self.insts[self.across[n]]).bytes());
        let slot = Operand::Slot(self.slots[n]);
        Address::at(cursor.index(slot, place, bytes, bytes * i64::from(iteration.distance)))
    }

    /// Loads along the outer loop, into the slots.
    fn write_loads(&self, cursor: &mut Cursor<'_>, loads: &[usize], place: Operand, all: &[Iteration]) {
        for &n in loads {
            let at = self.across[n];
            let needed = address(self.insts, at).into_iter().chain([at]);
            for at in needed {
                all.iter().for_each(|iteration| self.execute(cursor, at, &self.insts[at], iteration));
            }
            let Some(value) = self.insts[at].op.dst() else { continue };
            for iteration in all {
                let to = self.in_slot(cursor, n, place, iteration);
                cursor.store(to, Operand::Local(iteration.names.local(value)));
            }
        }
    }

    /// All but the accesses along the outer loop, whose values are in the slots.
    fn write_body(&self, cursor: &mut Cursor<'_>, place: Operand, all: &[Iteration]) {
        for (at, inst) in self.insts.iter().enumerate() {
            for iteration in all {
                let Some(n) = self.across.iter().position(|&across| across == at) else {
                    self.execute(cursor, at, inst, iteration);
                    continue;
                };
                let addr = self.in_slot(cursor, n, place, iteration);
                let access = Access::natural(value_type(cursor.body, inst));
                match inst.op {
                    Op::Store { src, .. } => cursor.store_with(addr, iteration.names.operand(src), access),
                    ref op => {
                        let dst = op.dst().map(|dst| iteration.names.local(dst));
                        dst.into_iter().for_each(|dst| cursor.op(Op::Load { dst, addr, access }));
                    }
                }
            }
        }
    }

    /// Stores along the outer loop, from the slots.
    fn write_stores(&self, cursor: &mut Cursor<'_>, stores: &[usize], place: Operand, all: &[Iteration]) {
        for &n in stores {
            let at = self.across[n];
            for at in address(self.insts, at) {
                all.iter().for_each(|iteration| self.execute(cursor, at, &self.insts[at], iteration));
            }
            let ty = value_type(cursor.body, &self.insts[at]);
            let values: Vec<Operand> = all
                .iter()
                .map(|iteration| {
                    let from = self.in_slot(cursor, n, place, iteration);
                    cursor.load(ty, from)
                })
                .collect();
            for (iteration, value) in all.iter().zip(values) {
                let mut inst = self.insts[at].clone();
                if let Op::Store { src, .. } = &mut inst.op {
                    *src = value;
                }
                self.execute(cursor, at, &inst, iteration);
            }
        }
    }

    /// Writes an operation of the body, perhaps with another operand, with the names of an iteration. One
    /// that does not exist leaves out what is an iteration's own.
    fn execute(&self, cursor: &mut Cursor<'_>, at: usize, inst: &Inst, iteration: &Iteration) {
        let mut op = inst.op.clone();
        op.parts_mut(|part| iteration.names.part(part));
        let pos = std::mem::replace(&mut cursor.pos, inst.pos);
        match iteration.exists.filter(|_| self.is_own[at]) {
            Some(exists) => cursor.if_then(exists, |cursor| cursor.op(op)),
            None => cursor.op(op),
        }
        cursor.pos = pos;
    }
}

/// Which operations touch memory that iterations write: others must not do that in their place.
fn are_own(roots: &Roots, insts: &[Inst]) -> Vec<bool> {
    let stores = || insts.iter().filter(|inst| inst.op.effects().writes);
    let may_be = |load: Address, inst: &Inst| match inst.op {
        Op::Store { addr, .. } => !roots.are_apart(roots.of(load.base), roots.of(addr.base)),
        _ => true,
    };
    let is_own = |inst: &Inst| match inst.op {
        Op::Load { addr, .. } => stores().any(|store| may_be(addr, store)),
        ref op => op.effects().writes,
    };
    insts.iter().map(is_own).collect()
}

/// The type of the value that an access loads or stores.
fn value_type(body: &Body, inst: &Inst) -> Type {
    match inst.op {
        Op::Store { ty, .. } => ty,
        ref op => op.dst().map_or(Type::I8, |dst| body.locals[dst].ty),
    }
}

/// The iterations that are the nearest to these in a nest, and whether it has these.
fn within(
    cursor: &mut Cursor<'_>,
    pair: [Operand; 2],
    trips: [Operand; 2],
) -> ([Operand; 2], Option<Operand>) {
    let [high, wide] = [0, 1].map(|at| cursor.compare(CmpOp::ULt, pair[at], trips[at]));
    let nearest = [0, 1].map(|at| {
        let last = cursor.sub(trips[at], int(1));
        cursor.binary(BinaryOp::UMin, pair[at], last)
    });
    (nearest, Some(cursor.binary(BinaryOp::And, high, wide)))
}
