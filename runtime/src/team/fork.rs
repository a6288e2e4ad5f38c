//! Parallel regions: a team is made, executes the region, and ends.

use super::barrier;
use super::icvs::Icvs;
use super::idle::{add_running, remove_running};
use super::member::{Member, current, with};
use super::pool::{self, Job};
use super::processors::processors;
use super::state::Team;
use crate::abi::HostEntry;
use crate::omp::affinity::display_once;
use crate::races::tasks::{self as races, Fork};
use std::cell::Cell;
use std::hint::spin_loop;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Every team has one thread.
static SERIAL: AtomicBool = AtomicBool::new(false);

/// From now on every team has one thread: a run that judges the program follows one way through it.
pub(crate) fn execute_serially() {
    SERIAL.store(true, Ordering::Relaxed);
}

/// What the threads of a new team begin with. It is there until the first of them leaves the last barrier.
struct Region {
    team: Arc<Team>,
    entry: HostEntry,
    args: *const u64,
    icvs: Icvs,
    fork: Option<Fork>,
}

thread_local! {
    /// The team of the last region that this thread began, for the next.
    static LAST: Cell<Option<Arc<Team>>> = const { Cell::new(None) };
}

/// How long to wait for the other threads to let go of a team that could be used again.
const PATIENCE: u32 = 200;

/// Executes a region by a new team.
///
/// # Safety
/// `entry` is the host code of a region, and `args` has one value per parameter.
pub(crate) unsafe fn fork(entry: HostEntry, args: *const u64, asked: i64, is_parallel: bool) {
    let member = current();
    let icvs = member.task().icvs.get();
    let more = if is_parallel { more_threads(member, &icvs, asked) } else { 0 };
    let level = member.team.level + 1;
    let active_level = member.team.active_level + u32::from(more > 0);
    let team = new_team(more + 1, level, active_level, ptr::from_ref(member).cast());
    let region = Region { team, entry, args, icvs: icvs.of_team(level), fork: races::fork(member.task()) };
    if more == 0 {
        execute(&region, 0);
    } else {
        let threads = pool::take(more as usize);
        for (number, thread) in (1..).zip(&threads) {
            // SAFETY: the thread is from the pool, and this one does not leave the region before all of them
            // have come to its last barrier.
            unsafe { thread.start(Job { run, data: (&raw const region).cast(), number }) };
        }
        execute(&region, 0);
        pool::give(threads);
        remove_running(more);
    }
    region.fork.iter().for_each(|fork| fork.join(Arc::as_ptr(&region.team)));
    // The thread may be about to end.
    let _ = LAST.try_with(|last| last.set(Some(region.team)));
}

/// How many threads a new team has besides this one (OpenMP 5.2, 10.1.1).
fn more_threads(member: &Member, icvs: &Icvs, asked: i64) -> u32 {
    if member.team.active_level >= icvs.active_levels || SERIAL.load(Ordering::Relaxed) {
        return 0;
    }
    let wanted = if asked == 0 { icvs.threads } else { u32::try_from(asked.max(1)).unwrap_or(u32::MAX) };
    let wanted = if icvs.is_dynamic { wanted.min(processors()) } else { wanted };
    let wanted = wanted.min(icvs.thread_limit);
    add_running(wanted.saturating_sub(1), icvs.thread_limit)
}

fn new_team(size: u32, level: u32, active_level: u32, parent: *const ()) -> Arc<Team> {
    let last = LAST.try_with(Cell::take).ok().flatten();
    if let Some(mut team) = last.filter(|team| team.size() == size) {
        for _ in 0..PATIENCE {
            if let Some(alone) = Arc::get_mut(&mut team) {
                alone.reuse(level, active_level, parent);
                return team;
            }
            spin_loop();
        }
    }
    Arc::new(Team::new(size, level, active_level, parent))
}

/// # Safety
/// `data` is a region that is there until all threads of its team have come to its last barrier.
unsafe fn run(data: *const (), number: u32) {
    // SAFETY: the caller's promise.
    execute(unsafe { &*data.cast::<Region>() }, number);
}

fn execute(region: &Region, number: u32) {
    let member = Member::new(Arc::clone(&region.team), number, region.icvs);
    with(&member, |member| {
        region.fork.iter().for_each(|fork| fork.thread(&member.implicit));
        display_once();
        // SAFETY: the promise of the caller of `fork`.
        unsafe { (region.entry)(region.args, 0, 1) };
        races::thread_ends(&member.implicit);
        barrier::end(member);
    });
}
