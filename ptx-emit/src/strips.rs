//! How many rows of a nest a thread should execute together, one above the other.
//!
//! Where a thread goes through rows, it need not divide to find out which iteration is its own, and what an
//! iteration loads may be what those above and below it load: a stencil of 3 by 3 points loads 9 values for
//! one row, and 30 for 8 of them.

use accrue_ir::analysis::strides::{Access, Strides};
use accrue_ir::{Address, Block, Body, Inst, Local, Loop, LoopData, Op, Operand, Terminator, Type};
use cranelift_entity::EntitySet;
use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Range;

/// Threads of the smallest gangs: a processor has place for 32 gangs and for 64 warps.
pub(crate) const LEAST_THREADS: u32 = 64;

/// Rows for iterations that write once.
const MOST_ROWS: u32 = 8;
/// For those that write several times: each row of a strip is memory in another place.
const FEWER_ROWS: u32 = 4;

/// Fewer share too little for the registers that they take, but for one, which spares the divisions.
const FEWEST_ROWS: u32 = 4;

/// Accesses and operations of numbers that an iteration may have; where it takes several ways, operations of
/// any kind. The divisions that strips spare are little beside more of them, and the registers of several
/// rows are too many.
const MOST_WORK: usize = 96;

/// Registers of 32 bits for the numbers of all rows: a thread has 64, if a processor is to have four gangs.
const MOST_WORDS: u32 = 40;

/// The same with what several rows load, if the assembler keeps to the order of the code: it finds a better
/// one for 25 points around one of a plane, which take 76 with 8 rows. 27 doubles around every second point
/// of a cube, those of faces first and of corners last, take 80 with 4 rows, and do not fit.
const MOST_WORDS_WITH_SHARED: u32 = 76;

/// Bytes that a straight iteration loads which is better off in a tile than in a strip of one row: with 144
/// to 288 tiles take 0.8 to 0.95 of the time, with 60 to 128 they take 1.1 to 1.3 of it.
const MUCH_LOADED: u64 = 132;
/// The same where rows have many addresses, which each thread computes.
const MUCH_FROM_MANY: u64 = 96;

/// Registers of 32 bits of an address.
const ADDRESS_WORDS: u32 = 2;
/// The same for the addresses of all rows that share loads, where rows are as far from each other as the
/// launch says: four rows of 8 or 9 arrays are 1.05 to 1.2 times as fast as CUDA, those of 12 or 15 took 1.4
/// of its time. Rows that share nothing are computed one after the other.
const MOST_ADDRESS_WORDS: u32 = 80;

/// The number of rows; one where iterations cannot be mixed. Of straight ones that cannot, in a nest of two
/// loops, there are none: each thread has several iterations anywhere, which share what a thread begins with,
/// and one division for each is little. Gangs are started for rows and planes, too, and nothing else may be
/// there for them to do.
pub(crate) fn rows(body: &Body, nest: &[Loop]) -> Option<u32> {
    let [.., innermost] = nest else { return None };
    if !is_alone(body, nest) {
        return None;
    }
    let is_straight = is_straight(body, nest);
    let is_inside = |block: &&Block| body.loop_is_within(body.blocks[**block].loop_, *innermost);
    let insts = || body.order.iter().filter(is_inside).flat_map(|&block| &body.blocks[block].insts);
    let stores = insts().filter(|inst| matches!(inst.op, Op::Store { .. })).count();
    let loaded = made_of_loads(body, insts());
    let is_float = |dst: Local| matches!(body.locals[dst].ty, Type::F32 | Type::F64);
    let is_work = |inst: &&Inst| match inst.op {
        Op::Load { .. } | Op::Store { .. } => true,
        // On several ways, what decides is work, too.
        Op::Copy { .. } => false,
        _ if !is_straight => true,
        Op::Convert { dst, .. } => is_float(dst),
        _ => inst.op.dst().is_some_and(|dst| is_float(dst) || loaded.contains(dst)),
    };
    let may_be_mixed = |inst: &Inst| match &inst.op {
        Op::Load { access, .. } | Op::Store { access, .. } => !access.volatile,
        op => op.effects().pure,
    };
    let is_long = insts().filter(is_work).count() > MOST_WORK;
    if is_long || !is_straight || !insts().all(may_be_mixed) {
        return (nest.len() > 2 || !is_long && !is_straight).then_some(1);
    }
    let most = if stores > 1 { FEWER_ROWS } else { MOST_ROWS };
    let words = live_words(body, *innermost);
    let strides = LazyCell::new(|| Strides::of(body, nest[0]));
    let columns = LazyCell::new(|| Column::of(body, nest, &strides));
    let addresses = LazyCell::new(|| addresses_of_row(body, nest, &strides));
    let fits = |rows: &u32| {
        let own = rows * words;
        if own > MOST_WORDS {
            return false;
        }
        let shared = shared_words(&columns, *rows);
        own + shared <= MOST_WORDS_WITH_SHARED
            && (shared == 0 || rows * *addresses * ADDRESS_WORDS <= MOST_ADDRESS_WORDS)
    };
    std::iter::successors(Some(most), |rows| Some(rows / 2).filter(|rows| *rows >= FEWEST_ROWS))
        .find(fits)
        .or(Some(1))
}

/// What is computed from numbers that are loaded: other integers say where they are.
fn made_of_loads<'a>(body: &Body, insts: impl Iterator<Item = &'a Inst>) -> EntitySet<Local> {
    let mut loaded = EntitySet::with_capacity(body.locals.len());
    for Inst { op, .. } in insts {
        let mut is_loaded = matches!(op, Op::Load { .. });
        op.uses(|local| is_loaded |= loaded.contains(local));
        if let Some(dst) = op.dst().filter(|_| is_loaded) {
            loaded.insert(dst);
        }
    }
    loaded
}

/// Registers of 32 bits that the numbers take which a straight iteration of a loop has in use at the same
/// time. An operation of one row is followed by that of the next, so that each row takes as many.
fn live_words(body: &Body, loop_: Loop) -> u32 {
    let words = |local: Local| match body.locals[local].ty {
        ty @ (Type::F32 | Type::F64) => ty.bytes() / 4,
        _ => 0,
    };
    let mut live = EntitySet::with_capacity(body.locals.len());
    let (mut now, mut most) = (0, 0);
    let is_inside = |block: &&Block| body.loop_is_within(body.blocks[**block].loop_, loop_);
    for inst in
        body.order.iter().rev().filter(is_inside).flat_map(|&block| body.blocks[block].insts.iter().rev())
    {
        inst.op.defs(|local| now -= if live.remove(local) { words(local) } else { 0 });
        inst.op.uses(|local| now += if live.insert(local) { words(local) } else { 0 });
        most = most.max(now);
    }
    most
}

/// Loads of an iteration that other rows of a strip have, too: the values above and below a point.
struct Column {
    words: u32,
    /// Where each load is in the code, and how many rows above the first one of the column.
    loads: Vec<(usize, i64)>,
}

impl Column {
    /// Those of straight iterations of a nest, with the loads that share nothing, each alone.
    fn of(body: &Body, nest: &[Loop], strides: &Strides) -> Vec<Column> {
        let &[.., row, innermost] = nest else { return Vec::new() };
        let load = |access: Access<'_>| match body.blocks[access.at.0].insts[access.at.1].op {
            Op::Load { dst, addr, .. } if access.loop_ == innermost && is_shared(addr) => {
                Some(body.locals[dst].ty.bytes().div_ceil(4))
            }
            _ => None,
        };
        let loads = strides.accesses().filter_map(|access| Some((access, load(access)?)));
        let mut columns: Vec<(Access<'_>, Column)> = Vec::new();
        for (at, (access, words)) in loads.enumerate() {
            let rows = |(first, _): &(Access<'_>, Column)| strides.iterations_ahead((access, *first), row);
            let found = columns.iter_mut().find_map(|column| Some((rows(column)?, column)));
            match found {
                Some((rows, (_, column))) => column.loads.push((at, rows)),
                None => columns.push((access, Column { words, loads: vec![(at, 0)] })),
            }
        }
        columns.into_iter().map(|(_, column)| column).collect()
    }

    /// From the first to the last load of what several of so many rows load, and the registers in between.
    fn spans(&self, rows: u32) -> Vec<(Range<usize>, u32)> {
        let mut loads = self.loads.clone();
        loads.sort_by_key(|&(_, row)| row);
        let are_near = |a: &(usize, i64), b: &(usize, i64)| b.1 - a.1 < i64::from(rows);
        let groups = loads.chunk_by(are_near).filter(|group| group[0].1 != group[group.len() - 1].1);
        groups
            .map(|group| {
                let loaded = |&(_, row): &(usize, i64)| (0..i64::from(rows)).map(move |own| own + row);
                let distinct: BTreeSet<i64> = group.iter().flat_map(loaded).collect();
                let places = || group.iter().map(|&(at, _)| at);
                let span = places().min().unwrap_or(0)..places().max().unwrap_or(0);
                (span, distinct.len() as u32 * self.words)
            })
            .collect()
    }
}

/// Whether iterations that would go through rows one by one are better off where the threads of a gang share
/// rows side by side: they load much, part of it what those of rows nearby load, so that a division is little
/// beside it.
pub(crate) fn are_better_off_in_tiles(body: &Body, nest: &[Loop]) -> bool {
    let Some(&innermost) = nest.last() else { return false };
    // What few nests do is asked first: strides take a walk through the nest.
    let loaded = if is_straight(body, nest) { loaded(body, innermost) } else { 0 };
    if loaded <= MUCH_FROM_MANY || rows(body, nest).is_some_and(|rows| rows > 1) {
        return false;
    }
    let strides = Strides::of(body, nest[0]);
    let columns = Column::of(body, nest, &strides);
    let has_neighbours = columns.iter().any(|column| {
        let mut rows: Vec<i64> = column.loads.iter().map(|&(_, row)| row).collect();
        rows.sort_unstable();
        rows.windows(2).any(|pair| pair[0] != pair[1] && pair[1] - pair[0] < i64::from(MOST_ROWS))
    });
    let addresses = || FEWEST_ROWS * addresses_of_row(body, nest, &strides) * ADDRESS_WORDS;
    has_neighbours && (loaded > MUCH_LOADED || loaded > MUCH_FROM_MANY && addresses() > MOST_ADDRESS_WORDS)
}

/// Whether other iterations may load from there, too: what one has for itself is in registers later.
fn is_shared(addr: Address) -> bool {
    !matches!(addr.base, Operand::Slot(_))
}

/// Bytes that an iteration of a loop without loops inside loads.
fn loaded(body: &Body, loop_: Loop) -> u64 {
    let own = body.order.iter().filter(|&&block| body.blocks[block].loop_ == Some(loop_));
    let loads = own.flat_map(|&block| &body.blocks[block].insts).filter_map(|inst| match inst.op {
        Op::Load { dst, addr, .. } if is_shared(addr) => Some(dst),
        _ => None,
    });
    loads.map(|dst| u64::from(body.locals[dst].ty.bytes())).sum()
}

/// How many addresses each row of a strip has for itself: none where rows are a constant number of bytes from
/// each other, which instructions have room for.
fn addresses_of_row(body: &Body, nest: &[Loop], strides: &Strides) -> u32 {
    let &[.., row, innermost] = nest else { return 0 };
    let mut apart: Vec<Access<'_>> = Vec::new();
    for access in strides.accesses().filter(|access| access.loop_ == innermost) {
        let is_same = |&other: &Access<'_>| {
            strides.are_beside(access, other) || strides.iterations_ahead((access, other), row).is_some()
        };
        if strides.stride(body, access, row).is_none() && !apart.iter().any(is_same) {
            apart.push(access);
        }
    }
    apart.len() as u32
}

/// Registers of 32 bits that the values take at a time which several rows of a strip load: each stays from
/// the first to the last of its loads.
fn shared_words(columns: &[Column], rows: u32) -> u32 {
    let spans: Vec<(Range<usize>, u32)> = columns.iter().flat_map(|column| column.spans(rows)).collect();
    let at_once =
        |at: usize| spans.iter().filter(|(span, _)| span.contains(&at)).map(|(_, words)| words).sum();
    spans.iter().map(|(span, _)| at_once(span.start)).max().unwrap_or(0)
}

/// Whether iterations of a nest all take the same way, without a loop.
fn is_straight(body: &Body, nest: &[Loop]) -> bool {
    let is_inside = |block: Block| body.loop_is_within(body.blocks[block].loop_, nest[0]);
    let counts = |block: Block| nest.iter().any(|&loop_| body.loops[loop_].header == block);
    let jumps = |block: Block| matches!(body.blocks[block].term, Terminator::Jump(_)) || counts(block);
    let has_loop_inside = body.loops.values().any(|data| data.parent == nest.last().copied());
    !has_loop_inside && body.order.iter().all(|&block| !is_inside(block) || jumps(block))
}

/// Whether nothing around a nest has an effect: any number of gangs may execute it.
fn is_alone(body: &Body, nest: &[Loop]) -> bool {
    let is_outside = |block: &&Block| !body.loop_is_within(body.blocks[**block].loop_, nest[0]);
    let is_quiet = |inst: &Inst| inst.op.effects().pure || matches!(inst.op, Op::Load { .. });
    let is_shared = |data: &LoopData| data.directive.as_ref().is_some_and(|each| !each.levels.is_empty());
    // More gangs would be seen by who asks for his own.
    let asks = |inst: &Inst| matches!(inst.op, Op::DimPos { .. } | Op::DimSize { .. });
    !body.order.iter().any(|&block| body.blocks[block].insts.iter().any(asks))
        && body.order.iter().filter(is_outside).all(|&block| body.blocks[block].insts.iter().all(is_quiet))
        && body.region_reductions.is_empty()
        && body.loops.iter().all(|(loop_, data)| !is_shared(data) || nest.contains(&loop_))
}
