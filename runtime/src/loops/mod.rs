//! `accrue check --loops`: one run of the program on the host judges the loops that were called parallel.
//!
//! Compiled code tells of loops, of iterations and of accesses, as the pass `trace` lets it. A loop carries
//! something if two of its iterations access the same byte, one of them writing, and nothing exempts the
//! pair: two atomic accesses, an object that each iteration has for itself, one that the loop reduces.
//!
//! Time is counted in ticks: each iteration that begins is one. Of an earlier access its tick is enough to
//! find the loop that carries a dependence on it: the outermost of those that run now which was entered
//! before that tick and whose current iteration began after it. So no vector of iterations is kept, and
//! memory grows with the memory that the program touches, not with its iterations.
//!
//! - [`nest`]: loops that run, with their iterations;
//! - [`shadow`]: the last accesses of every byte;
//! - [`table`]: loops and accesses as the compiler names them;
//! - [`judge`]: which accesses depend on each other;
//! - [`report`]: what was found, and the end of the program.

mod judge;
mod nest;
mod report;
mod shadow;
pub(crate) mod table;

use crate::abi;
use judge::Judge;
use nest::Spare;
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_void};

pub(crate) use report::start;

thread_local! {
    /// Loops that this thread is in: what most accesses ask, and no more.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static JUDGE: RefCell<Judge> = RefCell::new(Judge::default());
}

/// Works on the thread's judge. A thread that ends, and an exit handler that interrupts the judge, have none.
fn with_judge(work: impl FnOnce(&mut Judge)) {
    // A failure is one of the two cases above.
    let _ = JUDGE.try_with(|judge| {
        if let Ok(mut judge) = judge.try_borrow_mut() {
            work(&mut judge);
            DEPTH.set(judge.depth());
        }
    });
}

/// The number of traced loops that the thread is in: the function behind
/// [`crate::abi::LOOP_MARK_SYMBOL`].
pub(crate) extern "C" fn mark() -> u32 {
    DEPTH.get()
}

/// A loop begins inside of `around` others: the function behind [`crate::abi::LOOP_ENTER_SYMBOL`].
///
/// # Safety
/// `table` is the program's: text as [`table`] reads it, with a zero byte at its end.
pub(crate) unsafe extern "C" fn enter(table: *const c_char, loop_: u32, around: u32) {
    // SAFETY: the caller's promise.
    unsafe { table::load(table) };
    with_judge(|judge| judge.enter(loop_, around));
}

/// An iteration of the loop inside of `around` others begins: the function behind
/// [`crate::abi::LOOP_ITERATE_SYMBOL`].
pub(crate) extern "C" fn iterate(around: u32) {
    with_judge(|judge| judge.iterate(around));
}

/// All loops but the outer `around` are left: the function behind [`crate::abi::LOOP_LEAVE_SYMBOL`].
pub(crate) extern "C" fn leave(around: u32) {
    if DEPTH.get() > around {
        with_judge(|judge| judge.leave(around));
    }
}

/// Says what the innermost loop may carry in an object: the function behind
/// [`crate::abi::LOOP_SPARE_SYMBOL`].
pub(crate) extern "C" fn spare(address: *const c_void, bytes: i64, how: u32) {
    let how = match how {
        abi::SPARE_REDUCED => Spare::Reduced,
        abi::SPARE_FLOW_COUNTS => Spare::AllButFlow,
        _ => Spare::All,
    };
    with_judge(|judge| judge.spare(range(address, bytes), how));
}

/// Memory is accessed: the function behind [`crate::abi::LOOP_ACCESS_SYMBOL`].
pub(crate) extern "C" fn access(address: *const c_void, bytes: i64, site: u32) {
    if DEPTH.get() > 0 {
        with_judge(|judge| judge.access(range(address, bytes), site));
    }
}

/// Memory becomes a new object, whatever was accessed there: the function behind
/// [`crate::abi::LOOP_FRESH_SYMBOL`].
pub(crate) extern "C" fn fresh(address: *const c_void, bytes: i64) {
    if DEPTH.get() > 0 {
        with_judge(|judge| judge.fresh(range(address, bytes)));
    }
}

/// A block of the C library's heap is given back: the function behind [`crate::abi::LOOP_FREED_SYMBOL`].
///
/// # Safety
/// The address is null or that of a block which was not given back yet.
pub(crate) unsafe extern "C" fn freed(address: *mut c_void) {
    if DEPTH.get() > 0 && !address.is_null() {
        // SAFETY: the caller's promise.
        let bytes = unsafe { libc::malloc_usable_size(address) };
        fresh(address, bytes as i64);
    }
}

/// The bytes from an address on; none if there are fewer than none.
fn range(address: *const c_void, bytes: i64) -> std::ops::Range<u64> {
    let start = address as u64;
    start..start.saturating_add(bytes.max(0) as u64)
}
