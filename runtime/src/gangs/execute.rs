//! Executes the gangs of a launch: on one thread, one after the other, or by threads of the pool that teams
//! have, too ([`pool`]).
//!
//! The launching thread takes gang 0, and each thread of the pool the gang of its own number, so that in
//! consecutive launches a gang finds its data in the caches of the same processor. Gangs beyond the number of
//! threads go to whoever is free, in their order. A thread that has not begun when the launching one finds no
//! more of these loses its gang to that: nobody waits for a thread that the system lets sleep, and a region
//! that takes less time than waking a thread is executed where it was launched. A region whose
//! launches have all been short of late ([`recent`]) does not begin with others at all.
//!
//! A gang that launches does so on its own thread; a launch that finds the threads in use by teams or by
//! launches of other threads takes those that are left. So there is no thread to wait for that waits itself.

use super::recent;
use super::{Configured, HostRegion, configured, in_region, region};
use crate::abi::HostEntry;
use crate::team::idle::{Idle, Parker, add_running, remove_running, wait_until};
use crate::team::lock;
use crate::team::pool::{self, Job};
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What every gang executes.
#[derive(Clone, Copy)]
pub(crate) struct GangCode {
    /// The host code of a region.
    pub(crate) entry: HostEntry,
    /// One value per parameter.
    pub(crate) args: *const u64,
    /// The number of a device with memory of its own; none where the memory is the program's.
    pub(crate) device: Option<u32>,
}

/// Executes the gangs of a launch.
///
/// # Safety
/// The code is that of a region, with its arguments.
pub(crate) unsafe fn execute_gangs(code: GangCode, gangs: u64) {
    let Configured { threads, ordered, .. } = configured();
    if threads > 1 && gangs > 1 && region().is_none() {
        let recent = recent::of(code.entry);
        if recent.is_short() {
            return recent.note(in_turn_timed(code, gangs));
        }
        let wanted = u32::try_from(gangs).unwrap_or(u32::MAX).min(threads) - 1;
        let more = add_running(wanted, threads);
        if more > 0 {
            recent.note(at_once(code, gangs, more, ordered));
            return remove_running(more);
        }
    }
    in_turn(code, gangs);
}

fn in_turn_timed(code: GangCode, gangs: u64) -> Duration {
    let start = Instant::now();
    in_turn(code, gangs);
    start.elapsed()
}

fn in_turn(code: GangCode, gangs: u64) {
    for gang in 0..gangs {
        gang_of(code, (gang, gangs), ptr::null());
    }
}

fn gang_of(GangCode { entry, args, device }: GangCode, gang: (u64, u64), turn: *const AtomicU64) {
    // SAFETY: the promise of the caller of `execute_gangs`.
    in_region(HostRegion { gang, device, turn }, || unsafe { entry(args, gang.0, gang.1) });
}

/// A launch that several threads execute. It is there until all of them have left it.
struct Launch {
    code: GangCode,
    gangs: u64,
    /// The first gang that is nobody's yet.
    next: AtomicU64,
    /// Gangs that are done, all of them before any other.
    done: AtomicU64,
    ordered: bool,
    /// Threads of the pool that have not left, and may not have begun.
    busy: AtomicU32,
    /// Where the launching thread sleeps.
    launching: &'static Parker,
}

/// Executes the gangs by this thread and `more` threads of the pool; if they are ordered, each ends behind
/// those before it. Gives the time that one thread would take for all of them, judging by the first.
pub(super) fn at_once(code: GangCode, gangs: u64, more: u32, ordered: bool) -> Duration {
    let launch = Launch {
        code,
        gangs,
        next: AtomicU64::new(u64::from(more) + 1),
        done: AtomicU64::new(0),
        ordered,
        busy: AtomicU32::new(more),
        launching: Parker::of_this_thread(),
    };
    let threads = pool::take(more as usize);
    for (number, thread) in (1..).zip(&threads) {
        // SAFETY: the thread is from the pool, and this one does not leave before it has ended or lost the
        // job.
        unsafe { thread.start(Job { run, data: (&raw const launch).cast(), number }) };
    }
    let start = Instant::now();
    launch.gang(0);
    let time = start.elapsed();
    if !ordered {
        // Where there are many gangs, threads that begin late help with them.
        launch.rest();
    }
    for (gang, thread) in (1..).zip(&threads) {
        if thread.take_back() {
            launch.busy.fetch_sub(1, Ordering::Relaxed);
            launch.gang(gang);
        }
    }
    launch.rest();
    let is_alone = || launch.busy.load(Ordering::Acquire) == 0;
    let mut idle = Idle::default();
    while !is_alone() {
        if idle.pass_unless(is_alone) {
            launch.launching.park(None);
        }
    }
    pool::give(threads);
    time.saturating_mul(u32::try_from(gangs).unwrap_or(u32::MAX))
}

/// # Safety
/// `data` is a launch that is there until the thread has left it.
unsafe fn run(data: *const (), number: u32) {
    // SAFETY: the caller's promise.
    let launch = unsafe { &*data.cast::<Launch>() };
    launch.gang(number.into());
    launch.rest();
    let launching = launch.launching;
    // From here on the launch may be gone.
    if launch.busy.fetch_sub(1, Ordering::AcqRel) == 1 {
        launching.unpark();
    }
}

impl Launch {
    fn gang(&self, gang: u64) {
        let turn = if self.ordered { &raw const self.done } else { ptr::null() };
        gang_of(self.code, (gang, self.gangs), turn);
        if self.ordered {
            wait_for(&self.done, gang);
            self.done.store(gang + 1, Ordering::Release);
        }
    }

    /// Gangs that are nobody's.
    fn rest(&self) {
        loop {
            let gang = self.next.fetch_add(1, Ordering::Relaxed);
            if gang >= self.gangs {
                break;
            }
            self.gang(gang);
        }
    }
}

/// Waits until the gangs before one are done. The first of those that are not is always being executed: the
/// launching thread of ordered gangs takes the lowest gang that nobody has begun before it takes any of those
/// beyond the number of threads, threads of the pool begin with their own, and further ones are taken in
/// their order.
fn wait_for(done: &AtomicU64, gang: u64) {
    wait_until(|| done.load(Ordering::Acquire) == gang);
}

/// Waits until the gangs before the one that this thread executes are done: the function behind
/// [`crate::abi::GANG_AWAIT_TURN_SYMBOL`].
pub(crate) extern "C" fn await_turn() {
    if let Some(HostRegion { gang: (gang, _), turn, .. }) = region() {
        // SAFETY: the launch is there as long as one of its gangs is executed.
        if let Some(done) = unsafe { turn.as_ref() } {
            wait_for(done, gang);
        }
    }
}

/// One lock for all launches: gangs hold it for the time that an array takes to be added.
static LOCK: AtomicU32 = AtomicU32::new(0);

/// Keeps other gangs from combining results: the function behind [`crate::abi::GANG_LOCK_SYMBOL`].
pub(crate) extern "C" fn lock() {
    lock::lock(&LOCK);
}

/// Lets them again: the function behind [`crate::abi::GANG_UNLOCK_SYMBOL`].
pub(crate) extern "C" fn unlock() {
    lock::unlock(&LOCK);
}
