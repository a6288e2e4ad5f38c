//! How many lanes share a row: an iteration of a loop over gangs in which loops over lanes do all the work.
//!
//! One warp for each row needs no barrier, and is best for short rows. Two things speak for more lanes where
//! nobody says how many there are. Code often goes through a row several times, as a softmax does: the fewer
//! rows are under way at the same time, the more of them stay in the device's cache until then. That counts
//! where rows are parts of memory, not where all rows read the same, as the bodies of an n-body code do. And
//! a few long rows leave most of the device without work if each has one warp. Against it speaks that all
//! lanes take part in each reduction at the end of a row.
//!
//! The number depends on the length of a row. Where that is a constant, so is the number; where the host
//! computes it in front of the launch, the launch chooses.

use super::{have_scans, uses};
use crate::arch;
use crate::recipe::{recipe, recipe_from};
use accrue_ir::analysis::strides::{Facts, Strides};
use accrue_ir::target::{Context, RoutineCall};
use accrue_ir::{
    BinaryOp, Body, ConvertOp, FunctionKind, Induction, Level, Local, Loop, Op, Operand, RegionData, Row,
};

/// Most lanes of a row.
const MOST: u64 = 512;

/// Bytes of a row for each of its lanes: 64 threads of each of 32 warps of 132 processors go through 17 MB at
/// the same time then, which is less than a cache of 50 MB that also takes what they write.
const BYTES: u64 = 64;

/// Iterations that are left for a lane, at least, for each reduction that it takes part in; those with loops
/// of their own are long enough alone.
const LEAST: u64 = 8;

/// Threads that should have something to do for each processor of a device, twice as many as it has room
/// for: they are not done at the same time. And those of a large device.
const BUSY: u64 = 4096;
const ALL_BUSY: u64 = 128 * BUSY;

/// Threads of a gang that has several rows.
pub const OF_ROWS: u32 = 256;

/// How many lanes a region has where nobody says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lanes {
    /// As regions have that are not about rows.
    #[default]
    Usual,
    /// So many.
    Constant(u32),
    /// As many as the launch chooses for the length of a row.
    Launch(Row),
}

impl Lanes {
    /// Whether a gang has room for one row only.
    pub fn fill_gangs(self) -> bool {
        matches!(self, Lanes::Constant(lanes) if lanes >= OF_ROWS)
    }
}

/// The lanes for rows of `trip` iterations. `rows`: how many rows there are, if that is known; `processors`:
/// of the device.
pub fn lanes(row: Row, trip: u64, rows: Option<u64>, processors: u32) -> u32 {
    wanted(row, trip, rows, u64::from(processors) * BUSY)
}

fn wanted(row: Row, trip: u64, rows: Option<u64>, busy: u64) -> u32 {
    let warp = u64::from(arch::WARP);
    let least = if row.has_loops && row.reductions == 0 { 1 } else { LEAST };
    let most = (trip / least / u64::from(row.reductions.max(1))).clamp(warp, MOST);
    let long = trip.saturating_mul(row.stride.into()) / BYTES;
    let few = rows.map_or(0, |rows| busy / rows.max(1));
    1 << long.max(few).clamp(warp, most).ilog2()
}

/// The lanes of a region of which nobody says how many there are.
pub fn of_region(context: Context<'_>, calls: &[RoutineCall], body: &Body) -> Lanes {
    let FunctionKind::Region(region) = context.kind else { return Lanes::Usual };
    // Scans are a warp's.
    if !calls.is_empty() || !uses(body, Level::Vector) || have_scans(body) {
        return Lanes::Usual;
    }
    find(region, body).unwrap_or_default()
}

fn find(region: &RegionData, body: &Body) -> Option<Lanes> {
    let levels = |loop_: Loop| body.loops[loop_].directive.as_ref().map_or(&[][..], |d| &d.levels);
    let is_row = |loop_: Loop| matches!(levels(loop_), [Level::Gang] | [Level::Gang, Level::Worker]);
    let shared: Vec<Loop> = body.loop_tree().into_iter().filter(|&at| !levels(at).is_empty()).collect();
    let (rows, over_lanes): (Vec<Loop>, Vec<Loop>) = shared.into_iter().partition(|&at| is_row(at));
    let is_in_row = |&at: &Loop| {
        let around = body.loops_around(body.loops[at].parent);
        levels(at) == [Level::Vector] && around.into_iter().any(|up| rows.contains(&up))
    };
    let mut directives = body.loops.values().filter_map(|data| data.directive.as_ref());
    let is_said =
        directives.any(|directive| directive.worker.flatten().or(directive.vector.flatten()).is_some());
    if is_said || region.constant_dims[4] != 0 || !over_lanes.iter().all(is_in_row) {
        return None;
    }
    let strides: Option<Vec<u32>> = rows.iter().map(|&row| stride(body, row, &over_lanes)).collect();
    let reductions = |&at: &Loop| body.loops[at].directive.as_ref().map_or(0, |d| d.reductions.len());
    let reductions = over_lanes.iter().map(reductions).sum::<usize>() as u32;
    let facts = Facts::new(body);
    let has_loops = over_lanes.iter().all(|&at| !facts.nest.inside(at).is_empty());
    let row = Row { stride: strides?.into_iter().max()?, reductions, has_loops };
    let length = |&at: &Loop| Length::of(body, &facts, at).or_else(|| Length::of_triangle(body, at));
    let lengths: Option<Vec<Length>> = over_lanes.iter().map(length).collect();
    let lengths: Option<Vec<u64>> = lengths?.into_iter().map(Length::constant).collect();
    let Some(lengths) = lengths else { return Some(Lanes::Launch(row)) };
    let count = rows.iter().map(|&row| Length::of(body, &facts, row)?.constant()).sum::<Option<u64>>();
    Some(Lanes::Constant(wanted(row, lengths.into_iter().min()?, count, ALL_BUSY)))
}

/// How many iterations a loop has, with the loops that its directive takes in.
enum Length {
    Constant(u64),
    /// The host can compute it in front of a launch.
    KnownBefore,
    /// Each row has a length of its own, up to the number of rows.
    OfRow,
}

impl Length {
    /// None if nobody can tell before the loop.
    fn of(body: &Body, facts: &Facts, loop_: Loop) -> Option<Length> {
        let nest = nest(body, loop_)?;
        let inductions = || nest.iter().filter_map(|&at| body.loops[at].induction.as_ref());
        match inductions().map(|induction| facts.constants.trip(induction)).product() {
            Some(trips) => Some(Length::Constant(trips)),
            None => inductions().all(|counts| is_known_before(body, counts)).then_some(Length::KnownBefore),
        }
    }

    /// Of a loop that begins or ends with the number of the row: `j <= i`, or from `i` on to where rows end.
    fn of_triangle(body: &Body, loop_: Loop) -> Option<Length> {
        let row = body.loops[loop_].parent?;
        let [of_rows, of_lanes] =
            [row, loop_].map(|at| Some((nest(body, at)?, body.loops[at].induction.as_ref()?)));
        let ((rows, of_rows), (lanes, of_lanes)) = of_rows.zip(of_lanes)?;
        let ends_with_rows = || match [of_lanes, of_rows].map(|counts| original(body, counts.bound)) {
            [Some(of_lanes), Some(of_rows)] => of_lanes == of_rows,
            _ => false,
        };
        let is_number = |value: Operand| is_near(body, value, of_rows.iv);
        let is_shared = body.loops[row].is_partitioned();
        let is_triangle = is_number(of_lanes.bound) && recipe(body, of_lanes.init).is_some()
            || is_number(of_lanes.init) && ends_with_rows();
        (is_shared && is_triangle && rows.len() == 1 && lanes.len() == 1).then_some(Length::OfRow)
    }

    fn constant(self) -> Option<u64> {
        match self {
            Length::Constant(trips) => Some(trips),
            Length::KnownBefore | Length::OfRow => None,
        }
    }
}

/// The loops that a loop's directive is about, if they are nested as they should be.
fn nest(body: &Body, loop_: Loop) -> Option<Vec<Loop>> {
    let depth = body.loops[loop_].directive.as_ref().map_or(1, |directive| directive.collapse);
    body.nest_of(loop_, depth as usize)
}

/// Whether the host can compute in front of a launch how many iterations a loop has.
fn is_known_before(body: &Body, induction: &Induction) -> bool {
    [induction.init, induction.bound, induction.step].into_iter().all(|value| recipe(body, value).is_some())
}

/// What a value is a copy of, if it never changes.
fn original(body: &Body, value: Operand) -> Option<Operand> {
    let ops = recipe(body, value)?;
    match ops.first() {
        None => Some(value),
        Some(&Op::Copy { src, .. }) if ops.iter().all(|op| matches!(op, Op::Copy { .. })) => Some(src),
        Some(_) => None,
    }
}

/// Whether a value is a counter, or a constant more or less.
fn is_near(body: &Body, value: Operand, counter: Local) -> bool {
    let Some(ops) = recipe_from(body, value, &[counter]) else { return false };
    let keeps = |op: &Op| match op {
        Op::Copy { .. } | Op::Convert { op: ConvertOp::SExt, .. } => true,
        Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, a, b, .. } => {
            [a, b].iter().any(|by| by.as_int().is_some())
        }
        _ => false,
    };
    let from = ops.iter().any(|op| {
        let mut is_used = false;
        op.operands(|operand| is_used |= operand == Operand::Local(counter));
        is_used
    });
    ops.iter().all(keeps) && (from || value == Operand::Local(counter))
}

/// The most bytes from what an iteration of a loop over lanes touches to what the next one touches, of memory
/// that other rows do not touch; 0 if all rows touch the same. None if that cannot be said.
fn stride(body: &Body, row: Loop, over_lanes: &[Loop]) -> Option<u32> {
    /// More are as good as none: neighbours are in other lines of the cache.
    const FAR: u64 = 64;
    let strides = Strides::of(body, row);
    let of_rows = nest(body, row)?;
    let mut most = 0;
    for &loop_ in over_lanes.iter().filter(|&&at| body.loop_is_within(Some(at), row)) {
        let innermost = nest(body, loop_)?.last().copied()?;
        for access in strides.accesses().filter(|access| body.loop_is_within(Some(access.loop_), loop_)) {
            if of_rows.iter().any(|&row| strides.stride(body, access, row) != Some(0)) {
                let apart = strides.stride(body, access, innermost).unwrap_or(access.bytes);
                most = most.max(apart.unsigned_abs().min(FAR));
            }
        }
    }
    Some(most as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_and_few_rows_have_more_lanes() {
        let of = |trip, row, rows| lanes(row, trip, Some(rows), 132);
        let lanes =
            |trip, stride, reductions, rows| of(trip, Row { stride, reductions, has_loops: false }, rows);
        let many = |trip, stride| lanes(trip, stride, 2, 1 << 20);
        assert_eq!([64, 512, 1024, 4096, 16384].map(|trip| many(trip, 4)), [32, 32, 64, 256, 512]);
        assert_eq!([256, 512, 1024, 2048].map(|trip| many(trip, 8)), [32, 32, 64, 128]);
        // All rows go through the same memory.
        assert_eq!([1024, 1 << 20].map(|trip| many(trip, 0)), [32, 32]);
        // A row of 40 iterations has nothing to do for more than a warp.
        assert_eq!(many(40, 64), 32);
        let few = |rows| lanes(4096, 4, 1, rows);
        assert_eq!([4, 64, 1024, 4096, 1 << 20].map(few), [512, 512, 512, 256, 256]);
        assert_eq!([1, 2, 6, 100].map(|reductions| lanes(2048, 16, reductions, 4096)), [256, 128, 32, 32]);
        assert_eq!(lanes(0, 8, 0, 0), 32);
        // Each iteration is long.
        assert_eq!(of(256, Row { stride: 8, reductions: 0, has_loops: true }, 512), 256);
        assert_eq!(of(256, Row { stride: 8, reductions: 1, has_loops: true }, 512), 32);
    }
}
