//! How many iterations the gangs of a launch share, as the host can compute it from the launch's arguments:
//! what decides how many gangs are worth starting.

use super::count::Count;
use crate::{arch, dims, levels};
use accrue_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::iter;

/// The loop over gangs of a region with the most iterations.
#[derive(Clone, Debug)]
pub struct GangLoops {
    loops: Vec<GangLoop>,
    /// Whether gangs in y and z are worth starting, and what gangs in x, y and z share then.
    beside: Option<(Count, [Count; 3])>,
    most_workers: u32,
    /// Where the launch chooses how many lanes share a row: how many iterations the loops over lanes have;
    /// `None` of one whose length each row decides.
    rows: Option<(Row, Vec<Option<Count>>)>,
}

/// Gangs of a launch that have something to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Busy {
    /// How many, in x, y, z.
    pub gangs: [u64; 3],
    /// Times as many as can be resident of which all are worth starting, rather than only as many as can be
    /// resident.
    pub most_waves: u32,
    /// Gangs in x that are worth starting where all would be too many, with enough iterations for each of
    /// their threads.
    pub fewer: u64,
}

#[derive(Clone, Debug)]
struct GangLoop {
    count: Count,
    /// Workers, lanes share its iterations, too.
    workers: bool,
    lanes: bool,
    /// All threads of the gang share what is inside.
    of_all: bool,
    most_waves: u32,
    /// Iterations that are enough for a thread; none where gangs or lanes combine what they have, for which
    /// few gangs are best.
    repeated: Option<u32>,
}

/// Times as many gangs as can be resident of a region whose iterations are short: with more, a thread is
/// better off with several iterations at once.
const SHORT_WAVES: u32 = 4;

/// The same of a region whose iterations are long and may differ: the device gives gangs to whoever has time.
/// To begin costs a thread some thirty instructions, which several iterations share.
const LONG_WAVES: u32 = 128;

/// The same of merged loops with iterations that are not short for what they do: where a thread begins, it
/// divides.
const MERGED_WAVES: u32 = 16;

/// The same of merged loops that divide in each iteration: what a thread has done for one does not help with
/// the next one.
const DIVIDING_WAVES: u32 = u32::MAX;

/// Iterations of a thread that make up for its beginning, where it executes fewer than [`FEW_AT_ONCE`] at
/// once. If it executes more, it is done when it has done that: the device has other gangs that begin to
/// load meanwhile, and a thread that stays would first wait for all that it has loaded.
const ITERATIONS: u32 = 16;
const FEW_AT_ONCE: u32 = 8;

/// Operations of an iteration that is not short.
const MUCH: usize = 64;

impl GangLoops {
    /// Those of a region, if the number of their iterations can be computed.
    pub(super) fn of(region: &RegionData, body: &Body) -> Option<GangLoops> {
        let shared = Shared::of(body, |_| true);
        let found =
            || shared.loops.iter().filter_map(|&loop_| Some((loop_, body.loops[loop_].directive.as_ref()?)));
        let combines = found().any(|(_, directive)| !directive.reductions.is_empty())
            || body
                .slots
                .values()
                .any(|slot| matches!(slot.kind, SlotKind::GangCopy | SlotKind::GangScratch));
        let loops: Option<Vec<GangLoop>> = found()
            .map(|(loop_, directive)| {
                let bound = body.loops[loop_].induction.as_ref()?.bound;
                let [workers, lanes] =
                    [Level::Worker, Level::Vector].map(|level| directive.levels.contains(&level));
                // Each gang has its part in combining.
                let most_waves = if combines { 1 } else { waves(body, loop_, directive) };
                let at_once = directive.at_once;
                let each = if at_once < FEW_AT_ONCE { ITERATIONS } else { at_once };
                let repeated = (lanes && !combines).then_some(each);
                let (count, of_all) = (Count::of(body, bound)?, is_of_all(body, loop_));
                Some(GangLoop { count, workers, lanes, of_all, most_waves, repeated })
            })
            .collect();
        let beside = body.beside.as_ref().and_then(|Beside { used, counts: [x, y, z], .. }| {
            let count = |value| Count::of(body, value);
            Some((count(*used)?, [count(*x)?, count(*y)?, count(*z)?]))
        });
        let most_workers = most_workers(region, body);
        let rows = region.row.and_then(|row| Some((row, over_lanes(body)?)));
        Some(GangLoops { loops: loops.filter(|loops| !loops.is_empty())?, beside, most_workers, rows })
    }

    /// The lanes that a launch with these arguments has on a device with so many processors, where the launch
    /// chooses and can compute how long rows are.
    pub fn lanes(&self, args: &[u64], processors: u32) -> Option<u32> {
        let (row, counts) = self.rows.as_ref()?;
        let [rows, ..] = self.gangs(args, 1, 1)?.gangs;
        // A triangle has as many columns as rows.
        let trip =
            |count: &Option<Count>| count.as_ref().map_or(Some(rows / 2), |count| count.evaluate(args));
        let trips: Option<Vec<u64>> = counts.iter().map(trip).collect();
        Some(levels::rows::lanes(*row, trips?.into_iter().min()?, Some(rows), processors))
    }

    /// The arguments that the numbers are computed from.
    pub fn arguments(&self) -> Vec<usize> {
        let of_loops = self.loops.iter().map(|each| &each.count);
        let of_beside = self.beside.iter().flat_map(|(used, counts)| iter::once(used).chain(counts));
        let of_rows = self.rows.iter().flat_map(|(_, counts)| counts).flatten();
        let counts = of_loops.chain(of_beside).chain(of_rows);
        let found: BTreeSet<usize> = counts.flat_map(Count::arguments).collect();
        found.into_iter().collect()
    }

    /// Most workers of a launch that has as many as a row of a nest has use for; 0 if it has not.
    pub fn most_workers(&self) -> u32 {
        self.most_workers
    }

    /// Whether workers, or they and their lanes, have iterations of their own, and there may be any number of
    /// workers.
    pub fn has_rows(&self) -> bool {
        let is_flat = self.beside.is_none() && self.most_workers > 0;
        self.loops.iter().all(|each| match each.of_all {
            true => is_flat,
            false => each.workers && (!each.lanes || is_flat),
        })
    }

    /// Gangs that have something to do in a launch with these arguments, workers and lanes. `None` if that
    /// cannot be said.
    pub fn gangs(&self, args: &[u64], workers: u32, lanes: u32) -> Option<Busy> {
        let busy = |each: &GangLoop| {
            let at_once = if each.workers { u64::from(workers) } else { 1 }
                * if each.lanes { u64::from(lanes) } else { 1 };
            let gangs = each.count.evaluate(args)?.div_ceil(at_once.max(1));
            let fewer = each.repeated.map_or(1, |repeated| gangs.div_ceil(repeated.into()));
            Some(Busy { gangs: [gangs, 1, 1], most_waves: each.most_waves, fewer })
        };
        let mut flat = Busy { gangs: [1; 3], most_waves: 1, fewer: 1 };
        for each in &self.loops {
            let each = busy(each)?;
            flat = if each.gangs[0] > flat.gangs[0] { each } else { flat };
        }
        let Some((used, counts)) = &self.beside else { return Some(flat) };
        if used.evaluate(args)? == 0 {
            return Some(flat);
        }
        let [x, y, z] = counts.each_ref().map(|count| count.evaluate(args));
        let at_once = u64::from(workers) * u64::from(lanes);
        let gangs = [x?.div_ceil(at_once.max(1)), y?, z?].map(|gangs| gangs.max(1));
        Some(Busy { gangs, most_waves: u32::MAX, fewer: 1 })
    }
}

/// The loops that still have blocks of their own.
fn live_loops(body: &Body) -> FxHashSet<Loop> {
    body.order.iter().filter_map(|&block| body.blocks[block].loop_).collect()
}

/// How many iterations the loops over lanes of a region have, those of which that can be computed from its
/// arguments.
fn over_lanes(body: &Body) -> Option<Vec<Option<Count>>> {
    let live = live_loops(body);
    let over_lanes = body.loops.iter().filter(|(loop_, data)| {
        let directive = data.directive.as_ref().filter(|_| live.contains(loop_));
        directive.is_some_and(|directive| directive.levels == [Level::Vector])
    });
    let bounds = over_lanes.map(|(_, data)| Some(data.induction.as_ref()?.bound));
    let bounds = bounds.collect::<Option<Vec<Operand>>>().filter(|bounds| !bounds.is_empty())?;
    Some(bounds.into_iter().map(|bound| Count::of(body, bound)).collect())
}

/// Times as many gangs as can be resident that are worth it for a loop over gangs.
fn waves(body: &Body, loop_: Loop, directive: &LoopDirective) -> u32 {
    let shared = Shared::of(body, |other| other == loop_);
    let operations: usize = shared.inside.iter().map(|&block| body.blocks[block].insts.len()).sum();
    let counts_through = directive.collapse > 1;
    match (shared.divides(body), shared.calls_or_loops(body), operations > MUCH) {
        (true, ..) if counts_through => DIVIDING_WAVES,
        (true, ..) | (_, true, _) => LONG_WAVES,
        (_, _, true) if counts_through => MERGED_WAVES,
        (_, _, true) => LONG_WAVES,
        (_, _, false) => SHORT_WAVES,
    }
}

/// Whether iterations of loops over gangs are long: they are rows that lanes share, whose loops may have been
/// written out, or have loops inside that a thread executes alone, but for those in which it comes to its
/// rows and planes.
pub(super) fn are_long(body: &Body) -> bool {
    let of_nest = match &body.beside {
        Some(Beside { counts: [.., Operand::Int(_, 1)], .. }) => 1,
        Some(_) => 2,
        None => 0,
    };
    let shared = Shared::of(body, |_| true);
    let is_of_rows = |&loop_: &Loop| {
        let directive = body.loops[loop_].directive.as_ref();
        directive.is_some_and(|directive| !directive.levels.contains(&Level::Vector))
    };
    shared.loops.iter().any(is_of_rows) || shared.loops_inside(body) > of_nest
}

/// Most workers of a region, where a launch chooses how many there are and more would be none of use: as many
/// as the rows of a nest say, or usual gangs where all threads share loops one by one. 0 elsewhere.
pub(super) fn most_workers(region: &RegionData, body: &Body) -> u32 {
    let is_flat = |&loop_: &Loop| shares_all(body, loop_) || is_of_all(body, loop_);
    if let Some(beside) = &body.beside {
        return beside.most_workers;
    }
    if !region.open_workers || region.constant_dims[3..] != [0, arch::WARP] {
        return 0;
    }
    let shared = Shared::of(body, |_| true).loops;
    if !shared.is_empty() && shared.iter().all(is_flat) { dims::DEFAULT_WORKERS } else { 0 }
}

/// Whether workers and lanes share a loop.
fn shares_all(body: &Body, loop_: Loop) -> bool {
    let directive = body.loops[loop_].directive.as_ref();
    directive.is_some_and(|directive| {
        [Level::Worker, Level::Vector].iter().all(|level| directive.levels.contains(level))
    })
}

/// Whether gangs share a loop, and all threads of each the loops inside of it, one by one.
fn is_of_all(body: &Body, loop_: Loop) -> bool {
    let is_shared_inside =
        |&at: &Loop| at != loop_ && body.loop_is_within(Some(at), loop_) && body.loops[at].is_partitioned();
    let mut inside = body.loops.keys().filter(is_shared_inside).peekable();
    !shares_all(body, loop_) && inside.peek().is_some() && inside.all(|at| shares_all(body, at))
}

/// The loops over gangs of a region.
struct Shared {
    loops: Vec<Loop>,
    /// All blocks of them, in layout order.
    inside: Vec<Block>,
}

impl Shared {
    fn of(body: &Body, is_wanted: impl Fn(Loop) -> bool) -> Shared {
        let live = live_loops(body);
        let is_over_gangs = |loop_: &Loop| {
            let directive = body.loops[*loop_].directive.as_ref().filter(|_| live.contains(loop_));
            directive.is_some_and(|directive| directive.levels.contains(&Level::Gang)) && is_wanted(*loop_)
        };
        let loops: Vec<Loop> = body.loops.keys().filter(is_over_gangs).collect();
        let is_inside =
            |block: &Block| body.loops_around(body.blocks[*block].loop_).any(|loop_| loops.contains(&loop_));
        let inside = body.order.iter().copied().filter(is_inside).collect();
        Shared { loops, inside }
    }

    fn has(&self, body: &Body, is_wanted: impl Fn(&Op) -> bool) -> bool {
        self.inside.iter().any(|&block| body.blocks[block].insts.iter().any(|inst| is_wanted(&inst.op)))
    }

    /// Whether iterations divide integers.
    fn divides(&self, body: &Body) -> bool {
        self.has(body, |op| matches!(op, Op::Binary { op: BinaryOp::UDiv, .. }))
    }

    /// Whether an iteration takes long, or differently long: it has loops or calls inside.
    fn calls_or_loops(&self, body: &Body) -> bool {
        self.has(body, |op| matches!(op, Op::Call { .. })) || self.loops_inside(body) > 0
    }

    /// Ways back in the code that lead into no loop that is shared.
    fn loops_inside(&self, body: &Body) -> usize {
        let places: FxHashMap<Block, usize> = self.inside.iter().copied().zip(0..).collect();
        let is_header = |block: Block| self.loops.iter().any(|&loop_| body.loops[loop_].header == block);
        let leads_back = |&(at, &block): &(usize, &Block)| {
            let mut back = false;
            body.blocks[block].term.successors(|to| {
                back |= !is_header(to) && places.get(&to).is_some_and(|&place| place <= at);
            });
            back
        };
        self.inside.iter().enumerate().filter(leads_back).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gangs_share_what_their_threads_do_not_do_at_once() {
        let of = |count, workers, lanes| GangLoop {
            count: Count::constant(count),
            workers,
            lanes,
            of_all: false,
            most_waves: 1,
            repeated: None,
        };
        let gangs = |loops: Vec<GangLoop>| {
            Some(GangLoops { loops, beside: None, most_workers: 0, rows: None }.gangs(&[], 8, 32)?.gangs[0])
        };
        assert_eq!(gangs(vec![of(1000, true, true)]), Some(4));
        assert_eq!(gangs(vec![of(1000, true, false), of(1000, true, true)]), Some(125));
        assert_eq!(gangs(vec![of(0, false, false)]), Some(1));
        assert_eq!(gangs(vec![of(-1, false, false)]), None);
        let fewer = |repeated| {
            let loops = vec![GangLoop { repeated, ..of(100_000, true, true) }];
            Some(GangLoops { loops, beside: None, most_workers: 0, rows: None }.gangs(&[], 8, 32)?.fewer)
        };
        assert_eq!([fewer(None), fewer(Some(8)), fewer(Some(16))], [Some(1), Some(49), Some(25)]);
    }
}
