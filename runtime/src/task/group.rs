//! `taskgroup`: the tasks that its end waits for.

use crate::team::idle::Parker;
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// A thread sleeps until the group is empty.
const AWAITED: i64 = 1;
/// A task in [`Shared::count`].
const TASK: i64 = 2;

/// A group. Its memory is that of the thread that is in the construct.
pub(crate) struct Group {
    /// The construct around, or null.
    pub(crate) outer: *const Group,
    /// The address of the task that is in the construct.
    owner: *const (),
    /// [`TASK`] for each that the owner has created and that is not in `count`.
    begun: Cell<i64>,
    shared: Shared,
}

/// What threads need that execute tasks of the group: the owner, when it creates tasks, need not wait for
/// this memory.
#[repr(align(64))]
struct Shared {
    /// [`TASK`] for each task that others have created, less as many for those that are complete, and
    /// [`AWAITED`].
    count: AtomicI64,
    waiter: &'static Parker,
    /// Tasks that have not begun end without.
    cancelled: AtomicBool,
}

impl Group {
    /// An empty group inside another, for whose end this thread will wait; `owner` is the address of the task
    /// that is in the construct.
    pub(crate) fn new(outer: *const Group, owner: *const ()) -> Group {
        let waiter = Parker::of_this_thread();
        let shared = Shared { count: AtomicI64::new(0), waiter, cancelled: AtomicBool::new(false) };
        Group { outer, owner, begun: Cell::new(0), shared }
    }

    /// A task joins, which the task at the address `parent` creates.
    pub(crate) fn add(&self, parent: *const ()) {
        if ptr::eq(parent, self.owner) {
            self.begun.set(self.begun.get() + TASK);
        } else {
            self.shared.count.fetch_add(TASK, Ordering::Relaxed);
        }
    }

    /// A task is complete. The group may be gone when this returns.
    pub(crate) fn remove(&self) {
        let waiter = self.shared.waiter;
        if self.shared.count.fetch_sub(TASK, Ordering::AcqRel) == AWAITED + TASK {
            waiter.unpark();
        }
    }

    /// `cancel taskgroup`.
    pub(crate) fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Release);
    }

    /// Whether it is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Acquire)
    }

    /// Tasks that are not complete, for the thread that is in the construct.
    pub(crate) fn tasks(&self) -> u64 {
        ((self.shared.count.load(Ordering::Acquire) + self.begun.get()) / TASK).unsigned_abs()
    }

    /// This thread, which is in the construct, is about to sleep until the group is empty. Says whether it is
    /// not.
    pub(crate) fn await_tasks(&self) -> bool {
        let begun = self.begun.replace(0);
        self.shared.count.fetch_add(begun + AWAITED, Ordering::AcqRel) + begun != 0
    }

    /// This thread does not sleep any more.
    pub(crate) fn stop_awaiting(&self) {
        self.shared.count.fetch_sub(AWAITED, Ordering::AcqRel);
    }
}
