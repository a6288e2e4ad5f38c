//! What compiled code calls where tasks are judged.

use super::memory::{self, Access};
use super::tasks::{current, passes};
use crate::fatal::fatal_text;
use crate::loops::table::{self, Kind};
use std::ffi::{c_char, c_void};
use std::ops::Range;

/// A function begins, which knows the names of accesses: the function behind
/// [`crate::abi::TASK_TABLE_SYMBOL`].
///
/// # Safety
/// `text` is the program's: as [`table`] reads it, with a zero byte at its end.
pub(crate) unsafe extern "C" fn table(text: *const c_char) {
    // SAFETY: the caller's promise.
    unsafe { table::load(text) };
}

/// Memory is accessed: the function behind [`crate::abi::TASK_ACCESS_SYMBOL`].
pub(crate) extern "C" fn access(address: *const c_void, bytes: i64, site: u32) {
    if !memory::is_active() {
        return;
    }
    let Some(course) = current() else { return };
    if let Some(finding) = memory::add(&course.moment(), range(address, bytes), Access::Code(site)) {
        fatal_text(&finding.text());
    }
    let kind = table::get().and_then(|table| Some(table.sites.get(site as usize)?.kind));
    if let Some(kind @ (Kind::AtomicRead | Kind::AtomicWrite)) = kind {
        passes(&course, address.addr(), kind == Kind::AtomicWrite);
    }
}

/// Memory becomes a new object, whatever was accessed there: the function behind
/// [`crate::abi::TASK_FRESH_SYMBOL`].
pub(crate) extern "C" fn fresh(address: *const c_void, bytes: i64) {
    if memory::is_active() {
        memory::forget(range(address, bytes));
    }
}

/// A block of the C library's heap is given back: the function behind [`crate::abi::TASK_FREED_SYMBOL`].
///
/// # Safety
/// The address is null or that of a block which was not given back yet.
pub(crate) unsafe extern "C" fn freed(address: *mut c_void) {
    if memory::is_active() && !address.is_null() {
        // SAFETY: the caller's promise.
        let bytes = unsafe { libc::malloc_usable_size(address) };
        fresh(address, bytes as i64);
    }
}

/// The bytes from an address on; none if there are fewer than none.
fn range(address: *const c_void, bytes: i64) -> Range<u64> {
    let start = address as u64;
    start..start.saturating_add(bytes.max(0) as u64)
}
