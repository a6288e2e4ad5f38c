//! What all host threads of a launch share, and what each has for itself.

use crate::alu::LANES;
use crate::code::{Code, Function};
use crate::memory::device::{Allocation, Memory};
use crate::memory::region::Region;
use crate::memory::space::Scope;
use crate::origins::{Follow, Origins};
use crate::queue::{Asker, HostAccess, QueueId};
use crate::race::clock::{Knowledge, join_into};
use crate::race::redundant::Redundant;
use crate::race::segment::Segments;
use crate::report::Report;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// Which checks are made. Addresses are always checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checks {
    /// Data races.
    pub races: bool,
    /// As far as races are looked for, also those that change no value: stores of what is there already, but
    /// for those that all CTAs make.
    pub quiet_races: bool,
    /// Reads of what nobody wrote.
    pub uninitialised: bool,
    /// Two lanes of a warp that want one lock.
    pub warp_locks: bool,
    /// Lanes of a warp that part meet only where all ways lead from there, as on GPUs whose warps have one
    /// program counter; what several lanes execute together is a mistake before. Off by default: PTX allows
    /// it.
    pub structured: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks { races: true, quiet_races: true, uninitialised: true, warp_locks: true, structured: false }
    }
}

/// Work that was asked for, for reports.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) queue: QueueId,
    /// Its number on the queue.
    pub(crate) sequence: u32,
    pub(crate) asker: Option<Arc<Asker>>,
    pub(crate) work: Work,
}

/// A launch, or an access by the host.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Kernel(Kernel),
    Host(HostAccess),
}

/// A kernel that was launched.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) code: Arc<Code>,
    pub(crate) name: String,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
}

/// A number on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Padded(AtomicU64);

/// What was told through a location: its address, and the CTA for narrow scopes.
type Told = FxHashMap<(u64, u32), Arc<Knowledge>>;

/// Shards of the table of what was told.
const SHARDS: usize = 64;
/// The CTA of releases that are for everybody.
const EVERYBODY: u32 = u32::MAX;

/// A launch.
pub(crate) struct Launch<'a> {
    pub(crate) code: &'a Arc<Code>,
    pub(crate) origins: &'a Origins,
    pub(crate) kernel: &'a Function,
    pub(crate) kernel_number: u32,
    pub(crate) number: u32,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) dynamic_shared: u32,
    pub(crate) params: &'a Region,
    pub(crate) memory: &'a Memory,
    pub(crate) segments: &'a Segments,
    pub(crate) first_segment: u32,
    pub(crate) all_before: bool,
    pub(crate) after: &'a (dyn Fn(u32) -> bool + Sync),
    pub(crate) past: &'a (dyn Fn(u32) -> Option<Record> + Sync),
    pub(crate) asker: Option<Arc<Asker>>,
    pub(crate) checks: Checks,
    pub(crate) print: &'a (dyn Fn(&[u8]) + Sync),
    pub(crate) processors: u32,
    /// Bytes of stack of a thread.
    pub(crate) stack: u32,
    pub(crate) instruction_limit: u64,
    pub(crate) shared: Shared,
}

/// What changes while a launch runs.
pub(crate) struct Shared {
    pub(super) stop: AtomicBool,
    pub(super) found: Mutex<Option<Box<Report>>>,
    /// What is reported if the launch ends without a worse mistake.
    suspected: OnceLock<Box<Report>>,
    told: Vec<Mutex<Told>>,
    told_any: AtomicBool,
    /// Changes of memory and the like, by host thread.
    changes: Vec<Padded>,
    /// Of threads and of warps, by host thread.
    instructions: Vec<[Padded; 2]>,
    /// By address, 1 while a host thread stores there.
    turns: Vec<Padded>,
    pub(super) redundant: Redundant,
    pub(super) next_cta: AtomicU32,
    /// By host thread, the count of changes at which it found all its CTAs waiting; `u64::MAX` when it has
    /// none.
    pub(super) idle: Mutex<Vec<Option<u64>>>,
    pub(super) started: Instant,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(crate) fn new(workers: usize) -> Shared {
        Shared {
            stop: AtomicBool::new(false),
            found: Mutex::new(None),
            suspected: OnceLock::new(),
            told: (0..SHARDS).map(|_| Mutex::default()).collect(),
            told_any: AtomicBool::new(false),
            changes: (0..workers).map(|_| Padded::default()).collect(),
            instructions: (0..workers).map(|_| Default::default()).collect(),
            turns: (0..SHARDS).map(|_| Padded::default()).collect(),
            redundant: Redundant::default(),
            next_cta: AtomicU32::new(0),
            idle: Mutex::new(vec![None; workers]),
            started: Instant::now(),
        }
    }

    /// Changes so far.
    pub(super) fn changes(&self) -> u64 {
        self.changes.iter().map(|count| count.0.load(Ordering::SeqCst)).sum()
    }

    /// Instructions so far, those of threads and those of warps.
    pub(crate) fn instructions(&self) -> (u64, u64) {
        let sum = |of: usize| self.instructions.iter().map(|all| all[of].0.load(Ordering::Relaxed)).sum();
        (sum(0), sum(1))
    }

    /// Ends the launch with a report; the first one counts.
    pub(super) fn fail(&self, report: Box<Report>) {
        lock(&self.found).get_or_insert(report);
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Waits until no other host thread stores near an address, and keeps others from it as long as the
    /// result is held.
    pub(super) fn turn(&self, address: u64) -> Option<Turn<'_>> {
        if self.changes.len() == 1 {
            return None;
        }
        let taken = &self.turns[(address >> 3) as usize % SHARDS].0;
        while taken.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
        Some(Turn(taken))
    }

    /// Keeps the first report of a mistake that others may be behind.
    pub(super) fn suspect(&self, report: impl FnOnce() -> Box<Report>) {
        self.suspected.get_or_init(report);
    }

    pub(crate) fn take_report(&self) -> Option<Box<Report>> {
        lock(&self.found).take().or_else(|| self.suspected.get().cloned())
    }

    fn shard(&self, address: u64) -> MutexGuard<'_, Told> {
        lock(&self.told[(address >> 3) as usize % SHARDS])
    }

    /// Tells all who will read from an address.
    pub(super) fn tell(&self, address: u64, cta: u32, scope: Scope, what: &Arc<Knowledge>) {
        let mut told = self.shard(address);
        let mut add = |to: u32| {
            let mut known = told.remove(&(address, to));
            join_into(&mut known, what);
            told.extend(known.map(|known| ((address, to), known)));
        };
        add(cta);
        if scope == Scope::Gpu {
            add(EVERYBODY);
        }
        self.told_any.store(true, Ordering::SeqCst);
    }

    /// What was told through an address to a thread of a CTA.
    pub(super) fn hear(&self, address: u64, cta: u32, scope: Scope) -> Option<Arc<Knowledge>> {
        if !self.told_any.load(Ordering::SeqCst) {
            return None;
        }
        let told = self.shard(address);
        let mut heard = told.get(&(address, cta)).cloned();
        if scope == Scope::Gpu
            && let Some(all) = told.get(&(address, EVERYBODY))
        {
            join_into(&mut heard, all);
        }
        heard
    }
}

/// A host thread's turn to store.
pub(super) struct Turn<'a>(&'a AtomicU64);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}

/// A host thread that executes CTAs.
pub(super) struct Worker<'l> {
    pub(super) launch: &'l Launch<'l>,
    pub(super) index: usize,
    /// Allocations by address, and what they were taken at.
    pub(super) view: Vec<Arc<Allocation>>,
    pub(super) version: u64,
    /// What becomes of values that nobody set.
    pub(super) follow: Follow<'l>,
    /// By instruction, which allocation or variable it accessed last.
    pub(super) cache: Vec<u32>,
    pub(super) changes: u64,
    pub(super) instructions: u64,
    pub(super) warp_instructions: u64,
    /// For schedules by chance.
    pub(super) rng: Option<Rng>,
}

impl<'l> Worker<'l> {
    pub(super) fn new(launch: &'l Launch<'l>, index: usize, rng: Option<Rng>) -> Worker<'l> {
        let (view, version) = launch.memory.all();
        Worker {
            launch,
            index,
            view,
            version,
            follow: Follow::new(launch.checks.uninitialised, launch.code, launch.origins),
            cache: vec![0; launch.code.insts.len()],
            changes: 0,
            instructions: 0,
            warp_instructions: 0,
            rng,
        }
    }

    /// Notes that something changed that others may wait for.
    #[inline]
    pub(super) fn changed(&mut self) {
        self.changes += 1;
        self.launch.shared.changes[self.index].0.store(self.changes, Ordering::SeqCst);
    }

    pub(super) fn publish_count(&self) {
        let [threads, warps] = &self.launch.shared.instructions[self.index];
        threads.0.store(self.instructions, Ordering::Relaxed);
        warps.0.store(self.warp_instructions, Ordering::Relaxed);
    }

    /// The allocation around an access, by number.
    pub(super) fn find(&mut self, address: u64, bytes: u64) -> Option<usize> {
        for fresh in [false, true] {
            if fresh {
                if self.version == self.launch.memory.version() {
                    return None;
                }
                (self.view, self.version) = self.launch.memory.all();
            }
            let after = self.view.partition_point(|allocation| allocation.base <= address);
            let found = after.checked_sub(1).filter(|index| {
                let allocation = &self.view[*index];
                address.checked_add(bytes).is_some_and(|end| end <= allocation.end())
                    && !allocation.is_freed()
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// Random numbers, the same for the same seed.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Mostly small, of so many bits at most.
    pub(super) fn short(&mut self, bits: usize) -> usize {
        let bits = self.below(bits + 1);
        self.below(1 << bits)
    }

    /// Below a bound.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// An array of `None`, for each lane.
pub(super) fn nothing<T>() -> Vec<Option<T>> {
    (0..LANES).map(|_| None).collect()
}
