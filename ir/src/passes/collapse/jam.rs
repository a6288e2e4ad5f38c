//! Several iterations of a merged nest that one thread executes together.
//!
//! Iterations of the two innermost loops of a nest often load the same: in a matrix product, all of a row
//! load the row, and all of a column the column. A thread that executes rows by columns of them together, one
//! operation of each after the other, loads what they have in common once. Their order is not defined, so
//! that any mixture is one that the program allows; each iteration computes what it always computes, in its
//! own order.
//!
//! ```text
//!     before:  for each (i, j):             for k: sum += x[i][k] * y[k][j]
//!     after:   for each (i, j), 2 by 1:     for k: t = y[k][j]; sum0 += x[i][k] * t; sum1 += x[i + 8][k] * t
//! ```
//!
//! The numbers of the merged loop first go through tiles, one number for all iterations that a thread
//! executes together, then through the columns beside them, of which a thread executes one in several rows,
//! and then through the rows that are left. Nests with few iterations have no tiles, or stay as they are:
//! there would be less for all threads to do. All iterations take the same way through the body, but for a
//! test in front of all of it ([`super::guard`]).

use super::guard::{self, Guard};
use super::numbers::{decompose, int, leave};
use super::tiling::split;
use crate::analysis::cfg::Cfg;
use crate::analysis::depends::{Counters, Depends};
use crate::analysis::effects::{may_be_copied, may_be_mixed};
use crate::analysis::liveness::Liveness;
use crate::builder::Cursor;
use crate::edit::rename::Rename;
use crate::edit::split::{block_before, block_like, redirect};
use crate::entities::{Block, Local, Loop, Slot};
use crate::function::{Body, LoopData, SlotKind};
use crate::op::{BinaryOp, CmpOp, Inst, Op, Operand, Terminator};
use crate::target::{FEWEST_GUARDED, FEWEST_JAMMED, FEWEST_THIN, Loads, Target, Tile};
use crate::types::Type;
use crate::visit::Part;
use rustc_hash::{FxHashMap, FxHashSet};

/// Bodies with more operations stay as they are.
const MOST_OPERATIONS: usize = 96;

/// On which of the two counters a value depends.
pub(super) const ROW: Counters = 1;
pub(super) const COLUMN: Counters = 2;

/// A merged nest, and what its counters are computed from.
pub(super) struct Merged<'a> {
    pub(super) loop_: Loop,
    pub(super) counter: Local,
    /// The blocks of the body but the latch; the first one is where it begins.
    pub(super) blocks: Vec<Block>,
    pub(super) trips: &'a [Operand],
    /// The logical iteration of each loop.
    pub(super) indices: Vec<Local>,
    /// How many iterations there are, and numbers of the merged loop as it is.
    pub(super) flat: Operand,
    pub(super) total: Operand,
}

/// How many iterations of the two loops a thread executes together, and of how many at least; of fewer ones,
/// but of `thin` at least, in one column.
#[derive(Clone, Copy)]
pub(super) struct Jammed {
    pub(super) sides: [u32; 2],
    pub(super) fewest: i64,
    pub(super) thin: Option<i64>,
}

/// Says what a thread executes together now, if that changed.
pub(super) fn run(body: &mut Body, merged: &Merged<'_>, tile: Tile, target: &dyn Target) -> Option<Jammed> {
    let guard = Guard::of(body, merged);
    let plan = Plan::guarded(body, merged, MOST_OPERATIONS, guard.as_ref())?;
    // Where iterations decide together, there is nothing to do for each.
    let guard =
        guard.filter(|guard| guard.cond().as_local().is_some_and(|cond| plan.depends.local(cond) != 0));
    let loads = Loads { has_rows: tile.has_rows, ..plan.loads(body, merged)? };
    let together = target.jams(&loads);
    if together == [1, 1] {
        return None;
    }
    debug_assert!(together.iter().all(|count| count.is_power_of_two()));
    let Some(guard) = guard else {
        apply(body, merged, &plan, (tile, together));
        let [high, wide] = together;
        let thin = i64::from(high) * FEWEST_THIN;
        return Some(match wide {
            1 => Jammed { sides: together, fewest: thin, thin: None },
            _ => Jammed { sides: together, fewest: FEWEST_JAMMED, thin: Some(thin) },
        });
    };
    if !plan.may_be_guarded(body, merged) {
        return None;
    }
    apply_guarded(body, merged, (&plan, &guard), (tile, together));
    Some(Jammed { sides: together, fewest: FEWEST_GUARDED, thin: None })
}

pub(super) struct Plan {
    pub(super) depends: Depends,
    live: Liveness,
}

/// What the locals of a body are called in each of the iterations that a thread executes together, those of a
/// row one after the other. Iterations share the names of what is the same for them.
pub(super) struct Names {
    of: Vec<Rename>,
    sides: [u32; 2],
}

impl Names {
    /// How many iterations there are.
    pub(super) fn count(&self) -> u32 {
        self.of.len() as u32
    }

    /// The name of a local in a row and a column.
    pub(super) fn local(&self, local: Local, [row, column]: [u32; 2]) -> Local {
        self.of[(row * self.sides[1] + column) as usize].local(local)
    }

    pub(super) fn operand(&self, operand: Operand, number: u32) -> Operand {
        self.of[number as usize].operand(operand)
    }

    /// An operation of one of the iterations.
    pub(super) fn op(&self, op: &Op, number: u32) -> Op {
        let mut op = op.clone();
        op.parts_mut(|part| self.of[number as usize].part(part));
        op
    }

    /// For which of the iterations an operation is written: for one of those that it is the same for.
    pub(super) fn numbers(&self, plan: &Plan, op: &Op) -> impl Iterator<Item = u32> + use<> {
        let counters = plan.depends.op(op);
        let [high, wide] = self.sides;
        let rows = if counters & ROW != 0 { high } else { 1 };
        let columns = if counters & COLUMN != 0 { wide } else { 1 };
        (0..rows).flat_map(move |row| (0..columns).map(move |column| row * wide + column))
    }
}

impl Plan {
    /// For a body that may be written again, as iterations hand nothing on: that of one iteration.
    pub(super) fn of_one(body: &Body, merged: &Merged<'_>, most_operations: usize) -> Option<Plan> {
        let LoopData { latch, ref directive, .. } = body.loops[merged.loop_];
        let reduces = directive.as_ref().is_some_and(|directive| !directive.reductions.is_empty());
        if reduces || !body.region_reductions.is_empty() {
            return None;
        }
        let inside: FxHashSet<Block> = merged.blocks.iter().copied().collect();
        let insts = || merged.blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        if insts().count() > most_operations || !insts().all(|inst| may_be_copied(&inst.op)) {
            return None;
        }
        let live = Liveness::new(body, &Cfg::new(body));
        let first = merged.blocks[0];
        let mut stays = true;
        for inst in insts() {
            inst.op.defs(|local| stays &= !live.is_live_in(local, first) && !live.is_live_in(local, latch));
        }
        let [.., row, column] = merged.indices[..] else { return None };
        let own = own_slots(body, merged, &inside);
        let depends = Depends::of(body, &merged.blocks, own, &[row, column]);
        for &block in &merged.blocks {
            body.blocks[block].term.successors(|to| stays &= to == latch || inside.contains(&to));
        }
        let is_simple = |loop_: Loop| {
            let directive = body.loops[loop_].directive.as_ref();
            directive.is_none_or(|directive| directive.levels.is_empty())
        };
        stays &= loops_inside(body, merged).into_iter().all(is_simple);
        stays.then_some(Plan { depends, live })
    }

    /// For a body whose iterations may be mixed: they all take the same way through it, and hand nothing on.
    pub(super) fn of(body: &Body, merged: &Merged<'_>, most_operations: usize) -> Option<Plan> {
        Plan::guarded(body, merged, most_operations, None)
    }

    /// The same for a body around which there may be a test that each iteration decides for itself.
    fn guarded(
        body: &Body,
        merged: &Merged<'_>,
        most_operations: usize,
        guard: Option<&Guard>,
    ) -> Option<Plan> {
        let plan = Plan::of_one(body, merged, most_operations)?;
        // What is written at the same place by all iterations of a row or column, their order decides.
        let is_own = |inst: &Inst| match inst.op {
            Op::Store { addr, .. } => addr.base.as_local().map_or_else(
                || plan.depends.is_own(addr.base),
                |base| plan.depends.local(base) == ROW | COLUMN,
            ),
            _ => true,
        };
        let stays = |inst: &Inst| may_be_mixed(body, plan.depends.own(), &inst.op) && is_own(inst);
        let is_for_all = |block: Block| {
            let mut same = true;
            body.blocks[block].term.uses(|local| same &= plan.depends.local(local) == 0);
            same || guard.is_some_and(|guard| guard.block() == block)
        };
        let may_be = |&block: &Block| body.blocks[block].insts.iter().all(stays) && is_for_all(block);
        merged.blocks.iter().all(may_be).then_some(plan)
    }

    /// Whether iterations that do not pass a test may execute the body but for what is guarded one by one:
    /// nothing of that is in a loop, where it would take long.
    fn may_be_guarded(&self, body: &Body, merged: &Merged<'_>) -> bool {
        merged.blocks.iter().all(|&block| {
            let is_in_loop = body.blocks[block].loop_ != Some(merged.loop_);
            body.blocks[block].insts.iter().all(|inst| match guard::is_of_one(self, &inst.op) {
                true => !is_in_loop,
                false => self.depends.op(&inst.op) != ROW | COLUMN || !inst.op.effects().writes,
            })
        })
    }

    /// What the innermost loops of the body load; `None` if there is no loop.
    fn loads(&self, body: &Body, merged: &Merged<'_>) -> Option<Loads> {
        let loops = loops_inside(body, merged);
        let has_inner: FxHashSet<Loop> = loops.iter().filter_map(|&loop_| body.loops[loop_].parent).collect();
        let mut loads = Loads::default();
        for &block in &merged.blocks {
            let Some(loop_) = body.blocks[block].loop_ else { continue };
            if !loops.contains(&loop_) || has_inner.contains(&loop_) {
                continue;
            }
            for inst in &body.blocks[block].insts {
                if let Op::Load { addr, .. } = inst.op {
                    let class = addr.base.as_local().map_or(0, |base| self.depends.local(base));
                    loads.by_class[usize::from(class)] += 1;
                }
            }
        }
        for &loop_ in &loops {
            let carried = self.live.live_in(body.loops[loop_].header);
            let words = |local: Local| body.locals[local].ty.bytes().div_ceil(4);
            let own = carried.filter(|&local| self.depends.local(local) == ROW | COLUMN);
            loads.carried = loads.carried.max(own.map(words).sum());
        }
        (!loops.is_empty()).then_some(loads)
    }

    /// Names for so many rows and columns of iterations.
    pub(super) fn names(&self, body: &mut Body, merged: &Merged<'_>, [high, wide]: [u32; 2]) -> Names {
        let mut all: Vec<Rename> = (0..high * wide).map(|_| Rename::default()).collect();
        let mut locals: FxHashSet<Local> = FxHashSet::default();
        for &block in &merged.blocks {
            body.blocks[block].insts.iter().for_each(|inst| inst.op.defs(|local| _ = locals.insert(local)));
        }
        locals.extend(&merged.indices);
        let mut locals: Vec<Local> = locals.into_iter().collect();
        locals.sort_unstable();
        for local in locals {
            let [rows, columns] = [(ROW, high), (COLUMN, wide)]
                .map(|(class, count)| if self.depends.local(local) & class != 0 { count } else { 1 });
            let versions: Vec<Local> = (0..rows * columns).map(|_| body.local_like(local)).collect();
            for (number, rename) in (0..).zip(&mut all) {
                let version = number / wide % rows * columns + number % wide % columns;
                rename.locals.insert(local, versions[version as usize]);
            }
        }
        for rename in &mut all {
            for &slot in self.depends.own() {
                let data = body.slots[slot].clone();
                rename.slots.insert(slot, Operand::Slot(body.slots.push(data)));
            }
        }
        Names { of: all, sides: [high, wide] }
    }

    /// Writes the body once more with the operations of all iterations that a thread executes together, into
    /// a loop, in front of its latch or of a block that leads there. Gives the first block. `guard`: the test
    /// that has been asked, and which iterations pass.
    pub(super) fn copy(
        &self,
        body: &mut Body,
        merged: &Merged<'_>,
        (names, guard): (&Names, Option<(&Guard, Operand)>),
        end: Block,
    ) -> Block {
        let renames = &names.of;
        let copied = guard.map_or_else(|| merged.blocks.clone(), |(guard, _)| guard.passed(body, merged));
        let mut blocks: FxHashMap<Block, Block> =
            copied.iter().map(|&block| (block, block_before(body, end))).collect();
        blocks.insert(body.loops[merged.loop_].latch, end);
        let block_of = |block: Block| blocks.get(&block).copied().unwrap_or(block);
        let mut loops: FxHashMap<Loop, Loop> = FxHashMap::default();
        for loop_ in loops_inside(body, merged) {
            let data = body.loops[loop_].clone();
            let mut copy = LoopData {
                preheader: block_of(data.preheader),
                header: block_of(data.header),
                body: block_of(data.body),
                latch: block_of(data.latch),
                exit: block_of(data.exit),
                directive: None,
                ..data
            };
            copy.parts_mut(|part| renames[0].part(part));
            loops.insert(loop_, body.loops.push(copy));
        }
        let copies: Vec<Loop> = loops.values().copied().collect();
        loops.extend(body.blocks[end].loop_.map(|into| (merged.loop_, into)));
        let loop_of = |loop_: Option<Loop>| loop_.map(|loop_| loops.get(&loop_).copied().unwrap_or(loop_));
        for &copy in &copies {
            body.loops[copy].parent = loop_of(body.loops[copy].parent);
        }
        for rename in renames {
            for renamed in rename.slots.values() {
                if let Operand::Slot(slot) = *renamed {
                    body.slots[slot].declared_in = body.blocks[end].loop_;
                }
            }
        }
        for &block in &copied {
            let mut data = body.blocks[block].clone();
            data.loop_ = loop_of(data.loop_);
            data.term.map_successors(block_of);
            data.term.parts_mut(|part| renames[0].part(part));
            let (insts, mut term, pos) = (std::mem::take(&mut data.insts), data.term.clone(), data.term_pos);
            let copy = block_of(block);
            body.blocks[copy] = data;
            let mut cursor = Cursor::with_pos(body, copy, pos);
            let mut passing = None;
            if let Some((guard, bits)) = guard {
                passing = Some(bits);
                if guard.block() == block {
                    term = Terminator::Jump(block_of(guard.inside));
                }
            }
            for inst in insts {
                cursor.pos = inst.pos;
                let passing = passing.filter(|_| guard::is_of_one(self, &inst.op));
                for number in names.numbers(self, &inst.op) {
                    let op = names.op(&inst.op, number);
                    match passing {
                        Some(passing) => {
                            let passes = guard::has_any(&mut cursor, passing, 1 << number);
                            cursor.if_then(passes, |cursor| cursor.op(op));
                        }
                        None => cursor.op(op),
                    }
                }
            }
            cursor.pos = pos;
            cursor.terminate(term);
            let last = cursor.block;
            for &loop_ in &copies {
                let data = &mut body.loops[loop_];
                for role in [&mut data.preheader, &mut data.latch].into_iter().filter(|at| **at == copy) {
                    *role = last;
                }
            }
        }
        block_of(merged.blocks[0])
    }
}

/// The loops in the body of a merged nest.
pub(super) fn loops_inside(body: &Body, merged: &Merged<'_>) -> Vec<Loop> {
    let mut loops: Vec<Loop> = merged.blocks.iter().filter_map(|&block| body.blocks[block].loop_).collect();
    loops.sort_unstable();
    loops.dedup();
    loops.retain(|&loop_| loop_ != merged.loop_);
    loops
}

/// Objects that the body of a merged nest declares, and that nothing else names.
fn own_slots(body: &Body, merged: &Merged<'_>, inside: &FxHashSet<Block>) -> Vec<Slot> {
    let mut own: Vec<Slot> = body
        .slots
        .iter()
        .filter(|(_, data)| {
            data.kind == SlotKind::Frame && body.loop_is_within(data.declared_in, merged.loop_)
        })
        .map(|(slot, _)| slot)
        .collect();
    let mut keep = |part: Part<'_>| {
        if let Some(Operand::Slot(slot)) = part.used_operand() {
            own.retain(|&other| other != slot);
        }
    };
    body.annotations(&mut keep);
    for &block in body.order.iter().filter(|block| !inside.contains(block)) {
        body.blocks[block].insts.iter().for_each(|inst| inst.op.parts(&mut keep));
        body.blocks[block].term.parts(&mut keep);
    }
    own
}

/// Where the numbers of a merged loop lead, if it is long enough.
struct Ways<'a> {
    merged: &'a Merged<'a>,
    /// A block for each way: numbers of the first ones, of the next ones, of the rest.
    starts: [Block; 3],
    /// What the numbers of each way are, from zero on.
    numbers: [Operand; 3],
}

impl<'a> Ways<'a> {
    /// Writes the choice in front of the body. `counts`: how many numbers each way has. The cursor stands
    /// where these were computed, in front of the loop.
    fn new(mut cursor: Cursor<'_>, merged: &'a Merged<'a>, fewest: i64, counts: [Operand; 3]) -> Ways<'a> {
        let Merged { loop_, counter, flat, total, .. } = *merged;
        let is_used = cursor.compare(CmpOp::UGe, flat, Operand::Int(Type::I64, fewest));
        let all = counts.into_iter().reduce(|a, b| cursor.add(a, b)).unwrap_or(total);
        let bound = cursor.select(is_used, all, total);
        let body = cursor.body;
        leave(body, loop_, total, bound);
        let LoopData { header, body: first, pos, .. } = body.loops[loop_];
        let [head, choose, rest, a, b, c] = [(); 6].map(|()| block_like(body, first, first, pos));
        redirect(body, header, first, head);
        body.loops[loop_].body = head;
        Cursor::with_pos(body, head, pos).branch(is_used, choose, first);
        let number = Operand::Local(counter);
        let mut cursor = Cursor::with_pos(body, choose, pos);
        let is_first = cursor.compare(CmpOp::ULt, number, counts[0]);
        cursor.branch(is_first, a, rest);
        let mut cursor = Cursor::with_pos(body, rest, pos);
        let left = cursor.sub(number, counts[0]);
        let is_next = cursor.compare(CmpOp::ULt, left, counts[1]);
        cursor.branch(is_next, b, c);
        let last = Cursor::with_pos(body, c, pos).sub(left, counts[1]);
        Ways { merged, starts: [a, b, c], numbers: [number, left, last] }
    }

    /// Continues one of the ways, with the iterations that its number stands for if both of the innermost
    /// loops have so many, from there on.
    fn one_by_one(&self, body: &mut Body, way: usize, (pair, from): ([Operand; 2], [Operand; 2])) {
        let mut cursor = self.start(body, way);
        let values = self.values(&mut cursor, way, pair, from);
        self.merged.indices.iter().zip(values).for_each(|(&index, value)| cursor.assign(index, value));
        cursor.jump(self.merged.blocks[0]);
    }

    fn start<'b>(&self, body: &'b mut Body, way: usize) -> Cursor<'b> {
        let pos = body.loops[self.merged.loop_].pos;
        Cursor::with_pos(body, self.starts[way], pos)
    }

    /// The logical iterations that the number of a way stands for.
    fn values(
        &self,
        cursor: &mut Cursor<'_>,
        way: usize,
        pair: [Operand; 2],
        from: [Operand; 2],
    ) -> Vec<Operand> {
        let inner = self.merged.trips.len() - 2;
        let mut values = decompose(cursor, self.numbers[way], &self.merged.counts(pair));
        for (at, from) in from.into_iter().enumerate().filter(|&(_, from)| from != int(0)) {
            values[inner + at] = cursor.add(values[inner + at], from);
        }
        values
    }
}

impl Merged<'_> {
    /// The trip counts with others for the two innermost loops.
    fn counts(&self, pair: [Operand; 2]) -> Vec<Operand> {
        self.trips[..self.trips.len() - 2].iter().copied().chain(pair).collect()
    }

    /// How many numbers it takes to go through that.
    fn product(&self, cursor: &mut Cursor<'_>, pair: [Operand; 2]) -> Operand {
        self.counts(pair).into_iter().fold(int(1), |product, count| cursor.mul(product, count))
    }

    /// The logical iterations that a number in tiles stands for. `tiles`: how many there are one above the
    /// other and side by side; `apart`: how far apart they begin in both directions.
    fn in_tiles(
        &self,
        cursor: &mut Cursor<'_>,
        (number, tile): (Operand, Tile),
        tiles: [Operand; 2],
        apart: [u32; 2],
    ) -> Vec<Operand> {
        let (column, above) = split(cursor, number, tile.columns);
        let (row, of_tile) = split(cursor, above, tile.rows);
        let mut values = decompose(cursor, of_tile, &self.counts(tiles));
        let inner = self.trips.len() - 2;
        for (at, within, size) in [(inner, row, apart[0]), (inner + 1, column, apart[1])] {
            let start = cursor.mul(values[at], int(size.into()));
            values[at] = cursor.add(start, within);
        }
        values
    }

    /// Sets the logical iterations that a thread executes together: those from `values` on, with these
    /// distances from the first row and the first column.
    fn set(&self, cursor: &mut Cursor<'_>, names: &Names, values: &[Operand], distances: [&[Operand]; 2]) {
        let inner = self.trips.len() - 2;
        for (&index, &value) in self.indices.iter().zip(values) {
            cursor.assign(names.local(index, [0, 0]), value);
        }
        for (side, distances) in distances.into_iter().enumerate() {
            for (number, &distance) in (1..).zip(distances) {
                let value = cursor.add(values[inner + side], distance);
                let at = if side == 0 { [number, 0] } else { [0, number] };
                cursor.assign(names.local(self.indices[inner + side], at), value);
            }
        }
    }
}

/// Rows that a thread executes together are as far apart as a part of all rows is high, so that few are left.
/// Columns are next to each other in a tile; of those beside the last tile a thread executes one in as many
/// rows, and so it does of all if there are few iterations.
fn apply(body: &mut Body, merged: &Merged<'_>, plan: &Plan, (tile, [high, wide]): (Tile, [u32; 2])) {
    let Merged { loop_, trips, .. } = *merged;
    let LoopData { preheader, latch, pos, .. } = body.loops[loop_];
    let [below, right] = [trips[trips.len() - 2], trips[trips.len() - 1]];
    let log = |size: u32| int(size.ilog2().into());
    let width = tile.columns * wide;

    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let rows = cursor.binary(BinaryOp::LShr, below, log(high));
    let apart: Vec<Operand> = (1..high).map(|row| cursor.mul(rows, int(row.into()))).collect();
    let covered = cursor.mul(rows, int(high.into()));
    let left = cursor.sub(below, covered);
    let up = cursor.add(rows, int(u64::from(tile.rows) - 1));
    let mut tiles =
        [cursor.binary(BinaryOp::LShr, up, log(tile.rows)), cursor.binary(BinaryOp::LShr, right, log(width))];
    if wide > 1 {
        let are_many = cursor.compare(CmpOp::UGe, merged.flat, Operand::Int(Type::I64, FEWEST_JAMMED));
        tiles[1] = cursor.select(are_many, tiles[1], int(0));
    }
    let tiled = cursor.mul(tiles[1], int(width.into()));
    let beside = cursor.sub(right, tiled);
    let in_tiles = merged.product(&mut cursor, tiles);
    let in_tiles = cursor.mul(in_tiles, int((tile.rows * tile.columns).into()));
    let [in_rows, in_rest] = [[rows, beside], [left, right]].map(|pair| merged.product(&mut cursor, pair));
    let ways = Ways::new(cursor, merged, i64::from(high) * FEWEST_THIN, [in_tiles, in_rows, in_rest]);
    ways.one_by_one(body, 2, ([left, right], [covered, int(0)]));

    let names = plan.names(body, merged, [high, wide]);
    let copies = plan.copy(body, merged, (&names, None), latch);
    let mut cursor = ways.start(body, 0);
    let values = merged.in_tiles(&mut cursor, (ways.numbers[0], tile), tiles, [tile.rows, width]);
    let is_inside = cursor.compare(CmpOp::ULt, values[trips.len() - 2], rows);
    let inside = block_like(cursor.body, copies, copies, pos);
    cursor.branch(is_inside, inside, latch);
    cursor.switch_to(inside);
    let further: Vec<Operand> = (1..wide).map(|column| int((column * tile.columns).into())).collect();
    merged.set(&mut cursor, &names, &values, [&apart, &further]);
    cursor.jump(copies);

    let (names, copies) = match wide {
        1 => (names, copies),
        _ => {
            let names = plan.names(body, merged, [high, 1]);
            let copies = plan.copy(body, merged, (&names, None), latch);
            (names, copies)
        }
    };
    let mut cursor = ways.start(body, 1);
    let values = ways.values(&mut cursor, 1, [rows, beside], [int(0), tiled]);
    merged.set(&mut cursor, &names, &values, [&apart, &[]]);
    cursor.jump(copies);
}

/// The same where a test says of each iteration whether there is anything to do: rows are next to each other,
/// so that most of a thread's iterations pass it, or none.
fn apply_guarded(
    body: &mut Body,
    merged: &Merged<'_>,
    (plan, guard): (&Plan, &Guard),
    (tile, [high, wide]): (Tile, [u32; 2]),
) {
    let Merged { loop_, trips, ref indices, .. } = *merged;
    let LoopData { preheader, latch, pos, .. } = body.loops[loop_];
    let inner = trips.len() - 2;
    let sides = [tile.rows * high, tile.columns * wide];

    // How many tiles there are, and what they leave.
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let tiles = [0, 1]
        .map(|side| cursor.binary(BinaryOp::LShr, trips[inner + side], int(sides[side].ilog2().into())));
    let [below, beside] = [0, 1].map(|side| {
        let covered = cursor.mul(tiles[side], int(sides[side].into()));
        (covered, cursor.sub(trips[inner + side], covered))
    });
    let [under, right] = [[below.1, trips[inner + 1]], [below.0, beside.1]];
    let in_tiles = merged.product(&mut cursor, tiles);
    let in_tiles = cursor.mul(in_tiles, int((tile.rows * tile.columns).into()));
    let [in_rest, in_right] = [under, right].map(|pair| merged.product(&mut cursor, pair));
    let ways = Ways::new(cursor, merged, FEWEST_GUARDED, [in_tiles, in_rest, in_right]);
    ways.one_by_one(body, 1, (under, [below.0, int(0)]));
    ways.one_by_one(body, 2, (right, [int(0), beside.0]));

    let mut cursor = ways.start(body, 0);
    let values = merged.in_tiles(&mut cursor, (ways.numbers[0], tile), tiles, sides);
    let further =
        |count: u32, size: u32| -> Vec<Operand> { (1..count).map(|n| int((n * size).into())).collect() };
    let [tested, names] = [(); 2].map(|()| plan.names(cursor.body, merged, [high, wide]));
    merged.set(&mut cursor, &tested, &values, [&further(high, tile.rows), &further(wide, tile.columns)]);
    let passing = guard.test(&mut cursor, plan, &tested, latch);
    for (&index, &value) in indices[..inner].iter().zip(&values) {
        cursor.assign(names.local(index, [0, 0]), value);
    }
    let rows = (0..high).map(|row| ([row, 0], ((1u32 << wide) - 1) << (row * wide)));
    let of_column = |column| (0..high).fold(0, |all, row| all | 1u32 << (row * wide + column));
    let columns = (0..wide).map(|column| ([0, column], of_column(column)));
    guard::choose(&mut cursor, passing, indices[inner], (&tested, &names), rows);
    guard::choose(&mut cursor, passing, indices[inner + 1], (&tested, &names), columns);
    let last = cursor.block;
    let copies = plan.copy(body, merged, (&names, Some((guard, passing))), latch);
    Cursor::with_pos(body, last, pos).jump(copies);
}
