//! What the threads of a team share.

use super::idle::Parker;
use super::shared_loop::SharedLoop;
use crate::task::node::{Ended, Held, Ready};
use crossbeam_deque::{Stealer, Worker};
use crossbeam_utils::CachePadded;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Worksharing loops with `nowait` that the first thread may be ahead of the last.
pub(crate) const LOOPS: usize = 8;

/// A team.
pub(crate) struct Team {
    /// One for each thread, by number.
    pub(crate) slots: Box<[Slot]>,
    /// Parallel regions around, this one included; 0 of an initial task.
    pub(crate) level: u32,
    /// Those of them that have more than one thread.
    pub(crate) active_level: u32,
    /// For the region around the team.
    pub(crate) parent: *const (),
    /// Barriers that are over, and in the lower half threads that have come to the next. Threads that wait
    /// read it all the time, which whatever else were in its cache line would be slow by.
    pub(crate) barrier: CachePadded<AtomicU64>,
    /// The same of the barriers at the ends of regions, to which all threads come even if the region is
    /// cancelled.
    pub(crate) end: CachePadded<AtomicU64>,
    /// `cancel parallel`: the threads go to the end of the region.
    cancelled: AtomicBool,
    /// Threads that sleep, or are about to, and could execute tasks.
    sleepers: AtomicU32,
    /// Threads that wait, and have found no task when they looked last.
    pub(crate) hungry: AtomicU32,
    /// Ready tasks that are in no deque: another thread than a member made them ready, or a member that
    /// must not execute them stole them.
    pub(crate) beside: Pile,
    /// Ready tasks with a priority.
    pub(crate) urgent: Pile,
    /// Target tasks that are submitted, and that the host does not know to be done.
    pub(crate) outstanding: Heap,
    /// Those of them that a device has told to be done.
    pub(crate) finished: Heap,
    /// Tasks that a thread of another team has completed.
    completed_elsewhere: AtomicU64,
    /// `single` constructs that some thread has begun.
    pub(crate) singles: AtomicU64,
    /// What `copyprivate` hands over.
    pub(crate) copyprivate: AtomicPtr<u8>,
    /// Worksharing loops, in turn.
    pub(crate) loops: [SharedLoop; LOOPS],
}

// SAFETY: `parent` leads to what outlives the team's region and is only read; a slot's deque is used by the
// slot's thread only, the rest is shared as its types say.
unsafe impl Send for Team {}
// SAFETY: see above.
unsafe impl Sync for Team {}

/// What a thread has in its team.
#[repr(align(128))]
pub(crate) struct Slot {
    /// Ready tasks; used by the slot's thread only.
    pub(crate) deque: Worker<Ready>,
    /// The other end of the deque.
    pub(crate) stealer: Stealer<Ready>,
    /// Tasks that the thread has created; written by it only.
    created: AtomicU64,
    /// Tasks that the thread has completed; written by it only.
    completed: AtomicU64,
    /// Children of the thread's implicit task that are complete.
    pub(crate) ended: Ended,
    /// Where the thread sleeps.
    parker: AtomicPtr<Parker>,
    /// [`AWAKE`], [`AT_BARRIER`] or [`IN_TASK`].
    asleep: AtomicU32,
}

/// The thread of a slot does not sleep.
const AWAKE: u32 = 0;
/// It sleeps where it may execute any task.
const AT_BARRIER: u32 = 1;
/// It sleeps where it may execute some tasks.
const IN_TASK: u32 = 2;

/// Ready tasks behind a lock.
#[derive(Default)]
pub(crate) struct Pile {
    count: AtomicUsize,
    tasks: Mutex<VecDeque<Ready>>,
}

impl Pile {
    /// Whether there seems to be none.
    pub(crate) fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    fn tasks(&self) -> MutexGuard<'_, VecDeque<Ready>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task behind those of its priority.
    pub(crate) fn push(&self, task: Ready) {
        let mut tasks = self.tasks();
        let at = tasks.partition_point(|other| other.priority() >= task.priority());
        tasks.insert(at, task);
        self.count.store(tasks.len(), Ordering::Relaxed);
    }

    /// Takes the first task that may be executed.
    pub(crate) fn pop(&self, may: impl Fn(&Ready) -> bool) -> Option<Ready> {
        if self.is_empty() {
            return None;
        }
        let mut tasks = self.tasks();
        let task = tasks.iter().position(may).and_then(|at| tasks.remove(at));
        self.count.store(tasks.len(), Ordering::Relaxed);
        task
    }
}

/// Tasks behind a lock, in the order in which they came.
#[derive(Default)]
pub(crate) struct Heap {
    count: AtomicUsize,
    tasks: Mutex<Vec<Held>>,
}

impl Heap {
    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.count.load(Ordering::Acquire) == 0
    }

    /// Adds a task.
    pub(crate) fn push(&self, task: Held) {
        self.change(|tasks| tasks.push(task));
    }

    /// Takes all.
    pub(crate) fn take(&self) -> Vec<Held> {
        if self.is_empty() { Vec::new() } else { self.change(std::mem::take) }
    }

    /// Looks at all, and takes some.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Vec<Held>) -> T) -> T {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut tasks);
        self.count.store(tasks.len(), Ordering::Release);
        result
    }
}

impl Slot {
    fn new() -> Slot {
        let deque = Worker::new_lifo();
        let stealer = deque.stealer();
        Slot {
            deque,
            stealer,
            created: AtomicU64::new(0),
            completed: AtomicU64::new(0),
            ended: Ended::default(),
            parker: AtomicPtr::default(),
            asleep: AtomicU32::new(AWAKE),
        }
    }

    /// The slot's thread has created a task.
    pub(crate) fn count_created(&self) {
        self.created.store(self.created.load(Ordering::Relaxed) + 1, Ordering::Release);
    }

    /// The slot's thread has completed a task.
    pub(crate) fn count_completed(&self) {
        self.completed.store(self.completed.load(Ordering::Relaxed) + 1, Ordering::Release);
    }
}

impl Team {
    /// A team of `size` threads in the region of another.
    pub(crate) fn new(size: u32, level: u32, active_level: u32, parent: *const ()) -> Team {
        Team {
            slots: (0..size).map(|_| Slot::new()).collect(),
            level,
            active_level,
            parent,
            barrier: CachePadded::default(),
            end: CachePadded::default(),
            cancelled: AtomicBool::new(false),
            sleepers: AtomicU32::new(0),
            hungry: AtomicU32::new(0),
            beside: Pile::default(),
            urgent: Pile::default(),
            outstanding: Heap::default(),
            finished: Heap::default(),
            completed_elsewhere: AtomicU64::new(0),
            singles: AtomicU64::new(0),
            copyprivate: AtomicPtr::default(),
            loops: std::array::from_fn(SharedLoop::new),
        }
    }

    /// The team of another region, which has come to its end.
    pub(crate) fn reuse(&mut self, level: u32, active_level: u32, parent: *const ()) {
        (self.level, self.active_level, self.parent) = (level, active_level, parent);
        self.singles = AtomicU64::new(0);
        if std::mem::take(self.cancelled.get_mut()) {
            // Some threads may not have come to a barrier or a loop that others have begun.
            self.barrier = CachePadded::default();
            self.loops = std::array::from_fn(SharedLoop::new);
        }
        for (turn, shared_loop) in self.loops.iter_mut().enumerate() {
            shared_loop.turn = AtomicU64::new(turn as u64);
        }
    }

    /// `cancel parallel`: whoever waits goes on.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        self.wake_all();
    }

    /// Whether the region is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Threads of the team.
    pub(crate) fn size(&self) -> u32 {
        self.slots.len() as u32
    }

    /// A thread that is no member has completed a task.
    pub(crate) fn count_completed_elsewhere(&self) {
        self.completed_elsewhere.fetch_add(1, Ordering::Release);
    }

    /// Tasks that are not complete. Completed ones are counted first: tasks that are created meanwhile can
    /// only make the number too large. If all members are at a barrier, and it is 0, it stays 0.
    pub(crate) fn open_tasks(&self) -> u64 {
        let sum = |of: fn(&Slot) -> &AtomicU64| {
            self.slots.iter().map(|slot| of(slot).load(Ordering::Acquire)).fold(0, u64::wrapping_add)
        };
        let elsewhere = self.completed_elsewhere.load(Ordering::Acquire);
        let completed = elsewhere.wrapping_add(sum(|slot| &slot.completed));
        fence(Ordering::SeqCst);
        sum(|slot| &slot.created).wrapping_sub(completed)
    }

    /// Whether there seem to be ready tasks.
    pub(crate) fn has_ready(&self) -> bool {
        !self.beside.is_empty()
            || !self.finished.is_empty()
            || !self.urgent.is_empty()
            || self.slots.iter().any(|slot| !slot.stealer.is_empty())
    }

    /// The thread of a slot sleeps until it is woken, for `most` at the longest, unless the condition holds,
    /// which whoever makes it true does before he looks for sleepers.
    pub(crate) fn sleep_unless(
        &self,
        number: u32,
        parker: &'static Parker,
        most: Option<Duration>,
        holds: impl FnOnce() -> bool,
    ) {
        let slot = &self.slots[number as usize];
        slot.parker.store(std::ptr::from_ref(parker).cast_mut(), Ordering::Release);
        slot.asleep.store(if most.is_some() { IN_TASK } else { AT_BARRIER }, Ordering::SeqCst);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if !holds() {
            parker.park(most);
        }
        slot.asleep.store(AWAKE, Ordering::SeqCst);
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// A task is ready: wakes a thread, if one sleeps.
    #[inline]
    pub(crate) fn wake_one(&self) {
        if self.size() > 1 {
            fence(Ordering::SeqCst);
            if self.sleepers.load(Ordering::Relaxed) > 0 && !self.wake(AT_BARRIER, 1) {
                self.wake(IN_TASK, 1);
            }
        }
    }

    /// Wakes all threads that sleep.
    pub(crate) fn wake_all(&self) {
        fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            self.wake(AT_BARRIER, usize::MAX);
            self.wake(IN_TASK, usize::MAX);
        }
    }

    /// Wakes threads that sleep in this way. Says whether there was one.
    #[cold]
    fn wake(&self, way: u32, most: usize) -> bool {
        let is_asleep = |slot: &&Slot| {
            slot.asleep.compare_exchange(way, AWAKE, Ordering::SeqCst, Ordering::SeqCst).is_ok()
        };
        let mut any = false;
        for slot in self.slots.iter().filter(is_asleep).take(most) {
            any = true;
            // SAFETY: the thread has set its parker before it said that it sleeps; parkers live for ever.
            if let Some(parker) = unsafe { slot.parker.load(Ordering::Acquire).as_ref() } {
                parker.unpark();
            }
        }
        any
    }
}
