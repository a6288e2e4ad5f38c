//! Rows that the threads of a gang load and store for each other.
//!
//! Where each iteration of a loop goes through a row of memory that it has for itself ([`own_rows`]) and a
//! thread has an iteration, neighbouring threads access places a row apart: each access of a warp is to as
//! many places as it has threads. Memory moves whole sectors, which the cache has to keep for all threads
//! until they have gone through them. So the gang brings the rows of some iterations into memory of its own,
//! element by element in the order in which they lie there, and takes away what they have written.
//!
//! ```text
//!     before:  for each i, shared by all threads:          { ... x[i][k] ... y[i][k] = ... }
//!     after:   for each r neighbours, shared by gangs:
//!                  for each i and k, shared by threads:    t[i][k] = x[i][k];
//!                  for each i, shared by threads:          { ... t[i][k] ... u[i][k] = ... }
//!                  for each i and k, shared by threads:    y[i][k] = u[i][k];
//! ```
//!
//! The same place of neighbouring rows should be in another bank there: rows of a number of elements that
//! four divides, and those with gaps between them, get an odd number. The others are moved as if they were
//! one.
//!
//! How long rows are, whether they overlap, and whether rows of two objects are the same memory is known in
//! front of the loop: where it cannot be done, the loop is executed as it is.
//!
//! [`own_rows`]: crate::analysis::own_rows

use super::iteration::Original;
use super::numbers::int;
use crate::acc::{Level, LoopDirective};
use crate::analysis::own_rows::{OwnRows, Reach, Row};
use crate::analysis::sums::Atoms;
use crate::builder::Cursor;
use crate::edit::evaluate::{Ends, Evaluator};
use crate::edit::induction::trip_count;
use crate::edit::nest::bounds_before;
use crate::edit::split::part_ways;
use crate::entities::{Block, Local, Loop, Slot};
use crate::function::{Body, Induction, LoopData, SlotData, SlotKind};
use crate::op::{Address, BinaryOp, CmpOp, ConvertOp, Op, Operand, last_definition};
use crate::target::Staging;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// Bytes between the first and the last row of a gang that numbers of 32 bits are too small for.
const FAR: u64 = 1 << 31;

/// Lets the threads of a gang load and store rows for each other. Whether that was possible.
pub(super) fn run(body: &mut Body, rows: &OwnRows, staging: &Staging) -> bool {
    let Some(directive) = body.loops[rows.outer].directive.clone() else { return false };
    let Some((counted, code)) = bounds_before(body, &[rows.outer]) else { return false };
    let Some(plan) = Plan::of(rows, staging) else { return false };
    let LoopData { preheader, exit, pos, .. } = body.loops[rows.outer];
    body.blocks[preheader].insts.extend(code);
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let total = trip_count(&mut cursor, &counted[0]);
    let init = cursor.copy(counted[0].init);
    let counted = Induction { init, ..counted[0].clone() };
    let Some(front) = plan.measured(&mut cursor, total) else { return false };
    let groups = cursor.select(front.is_staged, front.groups, int(0));

    let [before, plain] = part_ways(body, rows.outer);
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    cursor.branch(front.is_staged, before, plain);
    cursor.switch_to(before);
    let (of_gangs, of_threads) = directive.levels.iter().copied().partition(|level: &Level| level.is_gang());
    let threads = LoopDirective { levels: of_threads, ..LoopDirective::new(directive.kind, directive.pos) };
    let gangs = LoopDirective { levels: of_gangs, ..directive };
    let of_groups = cursor.counted(int(0), int(1), groups, |cursor, group| {
        let first = cursor.binary(BinaryOp::Shl, group, front.log);
        let left = cursor.sub(total, first);
        let count = cursor.binary(BinaryOp::UMin, left, front.at_a_time);
        let declared_in = cursor.body.blocks[cursor.block].loop_;
        let frame = SlotData::frame(staging.room, 8, None);
        let slot = cursor.body.slots.push(SlotData { kind: SlotKind::GangPrivate, declared_in, ..frame });
        let writer = Writer { plan: &plan, front: &front, counted: &counted, slot, first, count };
        for loop_ in writer.write(cursor) {
            cursor.body.loops[loop_].directive = Some(threads.clone());
        }
    });
    cursor.jump(exit);
    body.loops[of_groups].directive = Some(gangs);
    true
}

/// Whether a loop may have rows that are worth it ([`pays`]): loops inside, or stores enough at places of
/// their own.
pub(super) fn may_pay(body: &Body, outer: Loop, staging: &Staging) -> bool {
    let is_inside = |block: &Block| body.loop_is_within(body.blocks[*block].loop_, outer);
    let blocks = || body.order.iter().filter(|block| is_inside(block));
    let stores =
        || blocks().flat_map(|&block| &body.blocks[block].insts).filter(|inst| inst.op.effects().writes);
    let has_loops = blocks().any(|&block| body.blocks[block].loop_ != Some(outer));
    has_loops || stores().count() as u64 * u64::from(Type::I64.bytes()) >= staging.stored
}

/// What is staged of a loop's rows.
struct Plan<'a> {
    rows: &'a OwnRows,
    staging: &'a Staging,
    /// The numbers of the rows that are staged.
    staged: Vec<usize>,
    /// Those that have to be at other places than others.
    tested: Vec<(usize, usize)>,
}

impl<'a> Plan<'a> {
    /// `None` if nothing is worth it.
    fn of(rows: &'a OwnRows, staging: &'a Staging) -> Option<Plan<'a>> {
        let is_staged = |&n: &usize| rows.rows[n].may_be_staged && pays(&rows.rows[n], staging);
        let mut staged: Vec<usize> = (0..rows.rows.len()).filter(is_staged).collect();
        // So that each begins where its elements may lie.
        staged.sort_by_key(|&n| std::cmp::Reverse(rows.rows[n].bytes));
        let is_of_staged = |pair: &&(usize, usize)| staged.contains(&pair.0) || staged.contains(&pair.1);
        let tested = rows.tested.iter().filter(is_of_staged).copied().collect();
        let has_any = !staged.is_empty();
        has_any.then_some(Plan { rows, staging, staged, tested })
    }

    fn staged(&self) -> impl Iterator<Item = &'a Row> + '_ {
        self.staged.iter().map(|&n| &self.rows.rows[n])
    }

    /// Writes in front of the loop what is known there of the rows; `None` if something cannot be computed.
    fn measured(&self, cursor: &mut Cursor<'_>, total: Operand) -> Option<Front> {
        let Staging { room, least, most, groups, shortest, .. } = *self.staging;
        let mut trips = FxHashMap::default();
        for loop_ in &self.rows.inside {
            if let Some(trip) = self.rows.trips.get(loop_) {
                trips.insert(*loop_, evaluator(cursor, &self.rows.atoms).sum(trip)?);
            }
        }
        let mut fits = cursor.compare(CmpOp::UGe, total, int(self.staging.fewest));
        let mut all = |cursor: &mut Cursor<'_>, holds| fits = cursor.binary(BinaryOp::And, fits, holds);
        let mut places = Vec::new();
        let mut bytes = int(0);
        for row in self.staged() {
            let place = Place::of(cursor, &self.rows.atoms, (row, &trips), bytes)?;
            let is_apart = cursor.compare(CmpOp::Ge, place.step, place.extent);
            all(cursor, is_apart);
            let is_long = cursor.compare(CmpOp::Ge, place.extent, int(shortest));
            all(cursor, is_long);
            // What a row without an end says is no number of bytes.
            let is_short = cursor.compare(CmpOp::Le, place.extent, int(room));
            all(cursor, is_short);
            let is_near = cursor.compare(CmpOp::Lt, place.step, int(FAR / u64::from(most)));
            all(cursor, is_near);
            bytes = cursor.add(bytes, place.pitch);
            places.push(place);
        }
        let mut log = int(u64::from(least.ilog2()));
        let mut rows = u64::from(least);
        let has_room = |cursor: &mut Cursor<'_>, rows: u64| {
            let taken = cursor.mul(bytes, int(rows));
            cursor.compare(CmpOp::ULe, taken, int(room))
        };
        let holds = has_room(cursor, rows);
        all(cursor, holds);
        while rows < u64::from(most) {
            rows *= 2;
            let has_room = has_room(cursor, rows);
            let are_many = cursor.compare(CmpOp::UGe, total, int(rows * groups));
            let both = cursor.binary(BinaryOp::And, has_room, are_many);
            let more = cursor.convert(ConvertOp::ZExt, Type::I64, both);
            log = cursor.add(log, more);
        }
        for &(a, b) in &self.tested {
            let [a, b] = [a, b].map(|n| {
                let row = &self.rows.rows[n];
                span(cursor, &self.rows.atoms, (row, &trips), total)
            });
            let are_apart = a?.are_apart(b?, cursor);
            all(cursor, are_apart);
        }
        let at_a_time = cursor.binary(BinaryOp::Shl, int(1), log);
        let last = cursor.sub(at_a_time, int(1));
        let rounded = cursor.add(total, last);
        let groups = cursor.binary(BinaryOp::LShr, rounded, log);
        Some(Front { places, log, at_a_time, groups, is_staged: fits })
    }
}

/// Whether a row is worth it: neighbouring threads touch places that are far apart, and most of the elements
/// between the ends of the row, in loops. A place of its own is loaded once, with its neighbours in the same
/// sector, unless a loop comes back to it and the row is too long for registers; stores of single elements
/// are each one of memory.
fn pays(row: &Row, staging: &Staging) -> bool {
    let step = row.step.as_constant();
    let is_far = step.is_none_or(|step| step >= staging.shortest as i64);
    let along = || row.reaches.iter().flat_map(|reach| &reach.along);
    if along().next().is_some() {
        return is_far && along().any(|&(by, _)| by.abs() <= 2 * row.bytes);
    }
    let extent = |wanted: &dyn Fn(&Reach) -> bool| {
        let places = || row.reaches.iter().filter(|reach| wanted(reach)).map(|reach| reach.first);
        places().max().zip(places().min()).map_or(0, |(last, first)| last - first + row.bytes)
    };
    let are_vectors = step.is_some_and(|step| step % i64::from(staging.vector) == 0);
    let is_only_written = row.reaches.iter().all(|reach| reach.writes);
    let stores = is_only_written && !are_vectors && extent(&|_| true) >= staging.stored as i64;
    is_far && (stores || extent(&|reach| !reach.around.is_empty()) >= staging.repeated as i64)
}

/// What is known in front of the loop.
struct Front {
    /// Where each of the staged rows is.
    places: Vec<Place>,
    /// Iterations that a gang takes at a time, and the logarithm of that.
    at_a_time: Operand,
    log: Operand,
    /// How many times that is.
    groups: Operand,
    is_staged: Operand,
}

/// The ends of accesses to a row, in bytes from where they count from.
fn ends_of<'r>(
    cursor: &mut Cursor<'_>,
    reaches: impl Iterator<Item = &'r Reach>,
    trips: &FxHashMap<Loop, Operand>,
    bytes: i64,
) -> Ends {
    let mut ends = Ends { low: long(i64::MAX), high: long(i64::MIN) };
    let mut known: Vec<&Reach> = Vec::new();
    for reach in reaches {
        let is_same = |other: &&Reach| {
            (other.first, &other.along, &other.around) == (reach.first, &reach.along, &reach.around)
        };
        if known.iter().any(is_same) {
            continue;
        }
        known.push(reach);
        let (mut low, mut high) = (long(reach.first), long(reach.first + bytes));
        for &(by, loop_) in &reach.along {
            let last = cursor.sub(trips[&loop_], int(1));
            let distance = cursor.mul(last, long(by));
            let end = if by > 0 { &mut high } else { &mut low };
            *end = cursor.add(*end, distance);
        }
        for loop_ in &reach.around {
            let is_executed = cursor.compare(CmpOp::Gt, trips[loop_], int(0));
            low = cursor.select(is_executed, low, long(i64::MAX));
            high = cursor.select(is_executed, high, long(i64::MIN));
        }
        ends.low = cursor.binary(BinaryOp::SMin, ends.low, low);
        ends.high = cursor.binary(BinaryOp::SMax, ends.high, high);
    }
    ends
}

/// How many bytes are between ends.
fn extent_of(cursor: &mut Cursor<'_>, Ends { low, high }: Ends) -> Operand {
    let are_some = cursor.compare(CmpOp::Gt, high, low);
    let extent = cursor.sub(high, low);
    cursor.select(are_some, extent, int(0))
}

/// Where rows of an object are.
struct Place {
    /// Bytes from the object to where reaches count from in the first iteration, and from row to row.
    from: Operand,
    step: Operand,
    /// The first byte of a row, from there, and the number of bytes.
    low: Operand,
    extent: Operand,
    /// The elements that are loaded for an iteration, and those that it has stored.
    loaded: Ends,
    stored: Ends,
    /// Bytes from row to row in memory of the gang, and those of the objects in front of it there, for each
    /// row.
    pitch: Operand,
    before: Operand,
    /// Rows follow each other without a gap, there as well.
    is_dense: Operand,
}

impl Place {
    fn of(
        cursor: &mut Cursor<'_>,
        atoms: &Atoms,
        (row, trips): (&Row, &FxHashMap<Loop, Operand>),
        before: Operand,
    ) -> Option<Place> {
        let [from, step] = values(cursor, atoms, row)?;
        let [loaded, stored] =
            [false, true].map(|writes| ends_of(cursor, row.certain(writes), trips, row.bytes));
        let low = cursor.binary(BinaryOp::SMin, loaded.low, stored.low);
        let high = cursor.binary(BinaryOp::SMax, loaded.high, stored.high);
        let extent = extent_of(cursor, Ends { low, high });
        // Two threads in the same bank take less time than what a gap in each row takes to leave.
        let odd = cursor.binary(BinaryOp::And, extent, long(4 * row.bytes - 1));
        let is_spread = cursor.compare(CmpOp::Ne, odd, int(0));
        let is_next = cursor.compare(CmpOp::Eq, extent, step);
        let is_dense = cursor.binary(BinaryOp::And, is_spread, is_next);
        let padded = cursor.binary(BinaryOp::Or, extent, long(row.bytes));
        let pitch = cursor.select(is_dense, extent, padded);
        Some(Place { from, step, low, extent, loaded, stored, pitch, before, is_dense })
    }
}

/// Bytes from the object to the first row, and from row to row.
fn values(cursor: &mut Cursor<'_>, atoms: &Atoms, row: &Row) -> Option<[Operand; 2]> {
    let mut evaluator = evaluator(cursor, atoms);
    Some([evaluator.sum(&row.from)?, evaluator.sum(&row.step)?])
}

/// For sums over values in front of the loop.
fn evaluator<'a, 'b>(cursor: &'b mut Cursor<'_>, atoms: &'a Atoms) -> Evaluator<'a, 'b> {
    let (block, pos) = (cursor.block, cursor.pos);
    Evaluator::new(Cursor::with_pos(cursor.body, block, pos), atoms, &|_| None)
}

/// The addresses between which all rows of an object lie.
fn span(
    cursor: &mut Cursor<'_>,
    atoms: &Atoms,
    (row, trips): (&Row, &FxHashMap<Loop, Operand>),
    total: Operand,
) -> Option<Ends> {
    let [from, step] = values(cursor, atoms, row)?;
    let ends = ends_of(cursor, row.reaches.iter(), trips, row.bytes);
    let last = cursor.sub(total, int(1));
    let distance = cursor.mul(last, step);
    let base = cursor.convert(ConvertOp::Bits, Type::I64, row.base);
    let base = cursor.add(base, from);
    let is_empty = cursor.compare(CmpOp::Le, ends.high, ends.low);
    let [low, high] = [(ends.low, BinaryOp::SMin), (ends.high, BinaryOp::SMax)].map(|(end, op)| {
        let further = cursor.binary(op, distance, int(0));
        let moved = cursor.add(end, further);
        let moved = cursor.add(base, moved);
        cursor.select(is_empty, end, moved)
    });
    Some(Ends { low, high })
}

/// Writes what a gang does for some iterations.
struct Writer<'a> {
    plan: &'a Plan<'a>,
    front: &'a Front,
    /// How the loop counts.
    counted: &'a Induction,
    /// Where the rows are.
    slot: Slot,
    /// The number of the first iteration, and how many there are.
    first: Operand,
    count: Operand,
}

impl Writer<'_> {
    /// Returns the loops that the threads of the gang share.
    fn write(&self, cursor: &mut Cursor<'_>) -> Vec<Loop> {
        let all = || self.plan.staged().zip(&self.front.places);
        let mut shared = Vec::new();
        for staged in all().filter(|(row, _)| row.certain(false).next().is_some()) {
            shared.extend(self.write_elements(cursor, staged, Way::In));
        }
        shared.push(cursor.counted(int(0), int(1), self.count, |cursor, number| {
            self.write_iteration(cursor, number);
        }));
        for staged in all().filter(|(row, _)| row.is_written()) {
            shared.extend(self.write_elements(cursor, staged, Way::Out));
        }
        shared
    }

    /// Writes loops over elements of the rows that move them between the object and memory of the gang.
    fn write_elements(&self, cursor: &mut Cursor<'_>, (row, place): (&Row, &Place), way: Way) -> [Loop; 2] {
        let ends = if way == Way::In { place.loaded } else { place.stored };
        let extent = extent_of(cursor, ends);
        let wide = cursor.binary(BinaryOp::LShr, extent, int(row.bytes.ilog2().into()));
        let elements = cursor.mul(wide, self.count);
        let at_first = cursor.mul(self.first, place.step);
        let outside = cursor.add(place.from, at_first);
        let outside = cursor.add(outside, ends.low);
        let outside = cursor.index(row.base, outside, 1, 0);
        let start = self.start(cursor, place);
        let within = cursor.sub(ends.low, place.low);
        let inside = cursor.add(start, within);
        let inside = cursor.index(Operand::Slot(self.slot), inside, 1, 0);

        let is_whole = cursor.compare(CmpOp::Eq, extent, place.extent);
        let is_dense = cursor.binary(BinaryOp::And, is_whole, place.is_dense);
        let [dense, apart, join] = [(); 3].map(|()| cursor.new_block());
        cursor.branch(is_dense, dense, apart);

        cursor.switch_to(dense);
        let together = cursor.counted(int(0), int(1), elements, |cursor, number| {
            let places = [outside, inside].map(|start| cursor.index(start, number, row.bytes, 0));
            way.move_element(cursor, row, places);
        });
        cursor.jump(join);

        cursor.switch_to(apart);
        let [wide, step, pitch] = [wide, place.step, place.pitch].map(|value| narrow(cursor, value));
        let wide = cursor.convert(ConvertOp::ZExt, Type::I64, wide);
        let row_by_row = cursor.counted(int(0), int(1), elements, |cursor, number| {
            let high = cursor.binary(BinaryOp::UDiv, number, wide);
            let covered = cursor.mul(high, wide);
            let low = cursor.sub(number, covered);
            let [high, low] = [high, low].map(|number| narrow(cursor, number));
            let places = [(outside, step), (inside, pitch)].map(|(start, step)| {
                let of_row = cursor.mul(high, step);
                let of_row = cursor.convert(ConvertOp::SExt, Type::I64, of_row);
                let of_row = cursor.index(start, of_row, 1, 0);
                let low = cursor.convert(ConvertOp::SExt, Type::I64, low);
                cursor.index(of_row, low, row.bytes, 0)
            });
            way.move_element(cursor, row, places);
        });
        cursor.jump(join);
        cursor.switch_to(join);
        [together, row_by_row]
    }

    /// Where the rows of an object begin in memory of the gang.
    fn start(&self, cursor: &mut Cursor<'_>, place: &Place) -> Operand {
        cursor.mul(place.before, self.front.at_a_time)
    }

    /// An iteration, with its number among those of the gang.
    fn write_iteration(&self, cursor: &mut Cursor<'_>, number: Operand) {
        let rows = self.plan.rows;
        let iteration = cursor.add(self.first, number);
        let instead: Vec<Instead> = self
            .plan
            .staged()
            .zip(&self.front.places)
            .map(|(row, place)| {
                let of_row = cursor.mul(iteration, place.step);
                let of_row = cursor.add(of_row, place.low);
                let from = cursor.add(place.from, of_row);
                let start = self.start(cursor, place);
                let of_row = cursor.mul(number, place.pitch);
                let to = cursor.add(start, of_row);
                let distance = cursor.sub(to, from);
                Instead { base: row.base, row: cursor.index(Operand::Slot(self.slot), distance, 1, 0) }
            })
            .collect();
        let end = cursor.new_block();
        let original =
            Original { outer: rows.outer, counted: self.counted, code: &rows.blocks, inside: &rows.inside };
        let copy = original.copy(cursor, iteration, end, |_| end);
        let mut moved: FxHashMap<Block, Vec<(usize, Instead)>> = FxHashMap::default();
        for (row, &instead) in self.plan.staged().zip(&instead) {
            for Reach { at: (block, n), .. } in &row.reaches {
                moved.entry(*block).or_default().push((*n, instead));
            }
        }
        for &block in &rows.blocks {
            if let Some(moved) = moved.get(&block) {
                redirect(cursor.body, copy.blocks.of(block), moved);
            }
        }
        cursor.switch_to(end);
    }
}

/// What takes the place of an object where its row is in memory of the gang.
#[derive(Clone, Copy)]
struct Instead {
    base: Operand,
    /// As far in front of the row as the object is in front of its own.
    row: Operand,
}

/// Makes accesses of a block, by their numbers, accesses to memory of the gang.
fn redirect(body: &mut Body, block: Block, moved: &[(usize, Instead)]) {
    let insts = std::mem::take(&mut body.blocks[block].insts);
    // The addresses that accesses have instead, by where theirs are computed.
    let mut computed: Vec<(usize, Operand, Local)> = Vec::new();
    let mut addresses: FxHashMap<usize, Address> = FxHashMap::default();
    let mut open = Vec::new();
    for &(n, instead) in moved {
        let (Op::Load { addr, .. } | Op::Store { addr, .. }) = insts[n].op else { continue };
        let made = addr.base.as_local().and_then(|local| last_definition(&insts[..n], local));
        let is_made = |at: &usize| matches!(insts[*at].op, Op::Index { base, .. } if base == instead.base);
        if addr.base == instead.base {
            addresses.insert(n, Address { base: instead.row, offset: addr.offset });
        } else if let Some(at) = made.filter(is_made) {
            let known = computed.iter().find(|&&(of, row, _)| (of, row) == (at, instead.row)).copied();
            let local = known.map_or_else(|| body.temp(Type::Ptr), |(.., local)| local);
            if known.is_none() {
                computed.push((at, instead.row, local));
            }
            addresses.insert(n, Address { base: Operand::Local(local), offset: addr.offset });
        } else {
            open.push((n, instead));
        }
    }
    let mut cursor = Cursor::new(body, block);
    for (n, mut inst) in insts.into_iter().enumerate() {
        cursor.pos = inst.pos;
        if let Some((_, instead)) = open.iter().find(|(at, _)| *at == n)
            && let Op::Load { addr, .. } | Op::Store { addr, .. } = inst.op
        {
            let [address, base] =
                [addr.base, instead.base].map(|of| cursor.convert(ConvertOp::Bits, Type::I64, of));
            let distance = cursor.sub(address, base);
            let base = cursor.index(instead.row, distance, 1, 0);
            addresses.insert(n, Address { base, offset: addr.offset });
        }
        if let Some(&address) = addresses.get(&n)
            && let Op::Load { addr, access, .. } | Op::Store { addr, access, .. } = &mut inst.op
        {
            (*addr, access.typed) = (address, false);
        }
        cursor.op(inst.op.clone());
        for &(_, row, local) in computed.iter().filter(|(at, ..)| *at == n) {
            let mut op = inst.op.clone();
            if let Op::Index { dst, base, .. } = &mut op {
                (*dst, *base) = (local, row);
            }
            cursor.op(op);
        }
    }
}

/// The low half of a number.
fn narrow(cursor: &mut Cursor<'_>, value: Operand) -> Operand {
    cursor.convert(ConvertOp::Trunc, Type::I32, value)
}

/// Where elements of rows go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Into memory of the gang.
    In,
    /// Out of it.
    Out,
}

impl Way {
    /// Moves an element. `places`: in the object, and in memory of the gang.
    fn move_element(self, cursor: &mut Cursor<'_>, row: &Row, places: [Operand; 2]) {
        let [object, own] = places;
        let (from, to) = if self == Way::In { (object, own) } else { (own, object) };
        let ty = if row.bytes == 4 { Type::I32 } else { Type::I64 };
        let value = cursor.load(ty, Address::at(from));
        cursor.store(Address::at(to), value);
    }
}

/// A constant of 64 bits with a sign.
fn long(value: i64) -> Operand {
    Operand::Int(Type::I64, value)
}
