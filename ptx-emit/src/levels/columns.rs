//! Sums of columns: loops that reduce in a loop inside, and whose neighbouring iterations load neighbours in
//! memory.
//!
//! In `for (j) { s = 0; for (i) s += a[i][j]; y[j] = s; }`, lanes along `i` would each load from another row,
//! so that they belong to `j`. Where that leaves most of a device without work, the threads of a gang share
//! the inner loop, too, a few columns at a time ([`Target::parts`]).
//!
//! [`Target::parts`]: accrue_ir::target::Target::parts

use crate::arch;
use accrue_ir::analysis::inner_sums::InnerSums;
use accrue_ir::analysis::strides::{Constants, Strides};
use accrue_ir::target::Parts;
use accrue_ir::{Body, Level, Loop};

/// Rows of lanes of a gang where nobody says: with 512 threads, sums of 1,024 to 8,192 columns take 0.7 to
/// 0.95 of the time that they take with 256, and 0.95 to 1.3 of that with 1,024, of which each has half as
/// many registers (H200).
pub const WORKERS: u32 = 16;

/// Threads of a gang that are worth it, at least.
const FEWEST_THREADS: u32 = 64;

/// From so many columns on, a thread for each is enough: sums of 65,536 columns take as long either way.
const MOST: u64 = 1 << 16;

/// Shorter columns are not worth combining.
const LEAST: u64 = 128;

/// From how many columns on a gang takes 2, 4, 8, 16, 32: few gangs leave most processors without work, and
/// fewer than 8 floats are less than memory moves at once.
const WIDTHS: [u64; 5] = [2, 4, 1024, 4096, 8192];

/// The sums of columns that a loop is, if they may be long enough, and not too many.
pub fn sums(body: &Body, outer: Loop) -> Option<InnerSums> {
    let sums = InnerSums::of(body, outer)?;
    let constants = Constants::of(body);
    let trip = |loop_: Loop| constants.trip(body.loops[loop_].induction.as_ref()?);
    let are_few = trip(outer).is_none_or(|columns| columns < MOST);
    let are_long = trip(sums.inner).is_none_or(|rows| rows >= LEAST);
    (are_few && are_long && go_along(body, &sums)).then_some(sums)
}

/// Whether a loop of a region that all threads share is sums of columns.
pub fn has_sums(body: &Body) -> bool {
    body.loop_tree().into_iter().any(|loop_| is_flat(body, loop_) && sums(body, loop_).is_some())
}

/// Whether the lanes of gangs share a loop, and their workers if they have any.
pub fn is_flat(body: &Body, loop_: Loop) -> bool {
    let Some(directive) = &body.loops[loop_].directive else { return false };
    [Level::Gang, Level::Vector].iter().all(|level| directive.levels.contains(level))
        && !directive.levels.iter().any(|level| matches!(level, Level::Gang2 | Level::Gang3))
}

/// How a gang of so many threads shares sums of columns.
pub fn parts(threads: u32) -> Option<Parts> {
    let fits = threads.is_power_of_two() && threads >= FEWEST_THREADS;
    fits.then_some(Parts { threads, most: MOST, least: LEAST, widths: WIDTHS })
}

/// Whether the inner loop accesses neighbours for neighbouring iterations of the outer one, and goes along no
/// rows that each of these has for itself.
fn go_along(body: &Body, sums: &InnerSums) -> bool {
    const SECTOR: i64 = arch::SECTOR as i64;
    let strides = Strides::of(body, sums.outer);
    let inside = || strides.accesses().filter(|at| body.loop_is_within(Some(at.loop_), sums.inner));
    let is_near = |by: Option<i64>| by.is_some_and(|by| by.abs() < SECTOR);
    let [of_columns, of_rows] = [sums.outer, sums.inner].map(|along| {
        let strides = &strides;
        move |access| strides.stride(body, access, along)
    });
    inside().any(|at| of_columns(at).is_some_and(|by| by.abs() == at.bytes) && !is_near(of_rows(at)))
        && inside().all(|at| is_near(of_columns(at)) || !is_near(of_rows(at)))
}
