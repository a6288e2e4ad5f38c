//! Copies within the host's memory that several threads share.
//!
//! The calling thread begins at once, and others help as soon as they are awake: on a virtual machine that
//! takes as long as to copy half a megabyte, and a copy whose caller waited for them took twice as long.

use crossbeam_utils::Backoff;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads that help, at most: more do not make memory faster.
const HELPERS: usize = 15;
/// Parts that nobody is asked to help with.
const FEW: usize = 2;

struct Shared<T> {
    parts: Vec<T>,
    copy: fn(&T),
    /// The next part to be taken.
    next: AtomicUsize,
    /// Parts that are copied.
    done: AtomicUsize,
    /// Threads that have been asked to help.
    helpers: AtomicUsize,
}

/// Calls `copy` with each part, in this thread and in others.
pub(super) fn each<T: Send + Sync + 'static>(parts: Vec<T>, copy: fn(&T)) {
    if parts.len() <= FEW {
        return parts.iter().for_each(copy);
    }
    let zero = AtomicUsize::default;
    let shared = Arc::new(Shared { parts, copy, next: zero(), done: zero(), helpers: zero() });
    shared.ask();
    shared.work();
    let backoff = Backoff::new();
    while shared.done.load(Ordering::Acquire) < shared.parts.len() {
        backoff.snooze();
    }
}

impl<T: Send + Sync + 'static> Shared<T> {
    /// Two threads are asked to help, each of which asks two others: to wake one takes some microseconds.
    fn ask(self: &Arc<Self>) {
        let most = HELPERS.min(rayon::current_num_threads() - 1);
        for _ in 0..2 {
            let is_left = self.next.load(Ordering::Relaxed) < self.parts.len();
            if !is_left || self.helpers.fetch_add(1, Ordering::Relaxed) >= most {
                return;
            }
            let shared = Arc::clone(self);
            rayon::spawn(move || {
                shared.ask();
                shared.work();
            });
        }
    }

    fn work(&self) {
        while let Some(part) = self.parts.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            (self.copy)(part);
            self.done.fetch_add(1, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_copied_once() {
        for count in [0, 1, 2, 3, 100, 1000] {
            let counts: Arc<Vec<AtomicUsize>> = Arc::new((0..count).map(|_| AtomicUsize::new(0)).collect());
            each((0..count).map(|part| (Arc::clone(&counts), part)).collect(), |(counts, part)| {
                counts[*part].fetch_add(1, Ordering::Relaxed);
            });
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{count}");
        }
    }
}
