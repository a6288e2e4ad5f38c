//! What the threads of a team share of a worksharing loop.

use super::icvs::{DYNAMIC, STATIC};
use crate::fatal::fatal;
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A worksharing loop as the team sees it.
#[repr(align(128))]
pub(crate) struct SharedLoop {
    /// The number of the loop, among those of the region, that has it now: 0, 1, ... in a new team.
    pub(crate) turn: AtomicU64,
    /// Chunks or iterations that have been given to threads.
    pub(crate) given: AtomicU64,
    /// Iterations behind which an `ordered` block may be executed.
    pub(crate) ordered: AtomicU64,
    /// Threads that have left it.
    pub(crate) left: AtomicU32,
    /// What the loop keeps for all of them.
    pub(crate) memory: LoopMemory,
    /// `cancel for`, `cancel sections`.
    pub(crate) cancelled: AtomicBool,
    /// Of a loop whose iterations wait for single ones: how far each part of it is.
    pub(crate) doacross: AtomicPtr<Progress>,
}

/// Memory of a loop. Its first user makes it.
#[derive(Default)]
pub(crate) struct LoopMemory(Mutex<Vec<Line>>);

/// As aligned as any type of a program.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl LoopMemory {
    /// Zeros, if nobody has written. The first user says how many.
    pub(crate) fn get(&self, bytes: usize) -> *mut u8 {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.is_empty() {
            lines.resize(bytes.div_ceil(size_of::<Line>()), Line([0; 64]));
        }
        lines.as_mut_ptr().cast()
    }

    /// Nobody uses it any more.
    pub(crate) fn free(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Vec::new();
    }
}

impl SharedLoop {
    /// That of the loop with this number in the region.
    pub(super) fn new(turn: usize) -> SharedLoop {
        SharedLoop {
            turn: AtomicU64::new(turn as u64),
            given: AtomicU64::new(0),
            ordered: AtomicU64::new(0),
            left: AtomicU32::new(0),
            memory: LoopMemory::default(),
            cancelled: AtomicBool::new(false),
            doacross: AtomicPtr::new(null_mut()),
        }
    }

    /// Nobody waits for its iterations any more.
    pub(super) fn end_doacross(&self) {
        let made = self.doacross.swap(null_mut(), Ordering::AcqRel);
        if !made.is_null() {
            // SAFETY: a thread that came to the loop made it, and no thread is in the loop any more.
            drop(unsafe { Box::from_raw(made) });
        }
    }
}

impl Drop for SharedLoop {
    fn drop(&mut self) {
        self.end_doacross();
    }
}

/// How far the parts of a loop are.
pub(crate) struct Progress {
    /// Iterations of a part, but that the first `larger` parts have one more.
    size: u64,
    larger: u64,
    published: Box<[AtomicU64]>,
}

impl Progress {
    /// That of a loop in which nothing is done yet.
    pub(super) fn new(kind: c_int, chunk: u64, trip: u64, threads: u64) -> Progress {
        let (size, larger) = match kind {
            STATIC if chunk == 0 => (trip / threads, trip % threads),
            STATIC | DYNAMIC => (chunk, 0),
            // The size of a chunk is not known from the number of an iteration.
            _ => (1, 0),
        };
        let rest = trip - larger * (size + 1);
        let parts = larger + if size == 0 { 0 } else { rest.div_ceil(size) };
        let mut published = Vec::new();
        let fits = usize::try_from(parts).is_ok_and(|parts| published.try_reserve_exact(parts).is_ok());
        if !fits {
            fatal(format_args!("a loop with `ordered(n)` has {parts} parts, for which there is no memory"));
        }
        published.extend((0..parts).map(|_| AtomicU64::new(0)));
        Progress { size, larger, published: published.into_boxed_slice() }
    }

    /// The part of an iteration of the shared loop.
    pub(super) fn part(&self, iteration: u64) -> &AtomicU64 {
        let front = self.larger * (self.size + 1);
        let part = match iteration.checked_sub(front) {
            None => iteration / (self.size + 1),
            Some(behind) => self.larger + behind / self.size,
        };
        &self.published[part as usize]
    }
}
