//! `taskgroup`: the tasks that its end waits for.

use crate::team::idle::Parker;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A thread sleeps until the group is empty.
const AWAITED: u64 = 1 << 63;

/// A group. Its memory is that of the thread that is in the construct.
pub(crate) struct Group {
    /// The construct around, or null.
    pub(crate) outer: *const Group,
    /// Tasks that are not complete.
    count: AtomicU64,
    waiter: &'static Parker,
    /// Tasks that have not begun end without.
    cancelled: AtomicBool,
}

impl Group {
    /// An empty group inside another, for whose end this thread will wait.
    pub(crate) fn new(outer: *const Group) -> Group {
        let waiter = Parker::of_this_thread();
        Group { outer, count: AtomicU64::new(0), waiter, cancelled: AtomicBool::new(false) }
    }

    /// A task joins.
    pub(crate) fn add(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// A task is complete. The group may be gone when this returns.
    pub(crate) fn remove(&self) {
        let waiter = self.waiter;
        if self.count.fetch_sub(1, Ordering::AcqRel) == AWAITED | 1 {
            waiter.unpark();
        }
    }

    /// `cancel taskgroup`.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
    }

    /// Whether it is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Tasks that are not complete.
    pub(crate) fn tasks(&self) -> u64 {
        self.count.load(Ordering::Acquire) & !AWAITED
    }

    /// This thread is about to sleep until the group is empty. Says whether it is not.
    pub(crate) fn await_tasks(&self) -> bool {
        self.count.fetch_or(AWAITED, Ordering::AcqRel) & !AWAITED != 0
    }

    /// This thread does not sleep any more.
    pub(crate) fn stop_awaiting(&self) {
        self.count.fetch_and(!AWAITED, Ordering::AcqRel);
    }
}
