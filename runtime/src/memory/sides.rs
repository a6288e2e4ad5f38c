//! Copies whose two sides may be in different memories: the program's own, or those of devices.

use super::state::Memory;
use super::table::Range;
use super::work::Work;
use crate::abi::ASYNC_SYNC;
use crate::check::is_on;
use crate::site::Site;
use crate::twin;
use std::ffi::c_void;
use std::ptr::{eq, with_exposed_provenance_mut};

/// The two sides of a copy; none is the program's own memory.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) to: Option<&'static Memory>,
    pub(crate) from: Option<&'static Memory>,
    pub(crate) site: Site<'a>,
}

/// The address of a number, of whichever memory.
pub(crate) fn address(number: u64) -> *mut c_void {
    with_exposed_provenance_mut(number as usize)
}

/// Synchronous work on a device.
pub(crate) fn work_on<T>(memory: &'static Memory, site: Site<'_>, what: impl FnOnce(&Work<'_>) -> T) -> T {
    let work = Work::begin(memory, ASYNC_SYNC, site);
    let result = what(&work);
    work.end();
    result
}

impl Sides<'_> {
    /// Copies; the host waits.
    ///
    /// # Safety
    /// There are so many bytes at both addresses, of the memory that each is in.
    pub(crate) unsafe fn copy(self, to: u64, from: u64, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let Sides { site, .. } = self;
        match (self.to, self.from) {
            // SAFETY: the caller's promise.
            (None, None) => unsafe { _ = libc::memmove(address(to), address(from), bytes) },
            (Some(memory), None) => work_on(memory, site, |work| {
                work.upload(to, Range { start: from, bytes: bytes as u64 }, "");
                // SAFETY: the caller's promise.
                unsafe { twin::copied_to(work, to, address(from).cast(), bytes) };
            }),
            (None, Some(memory)) => work_on(memory, site, |work| {
                work.returns(from, bytes as u64, None, "");
                // SAFETY: the caller's promise.
                if !unsafe { twin::copies_from(work, address(to).cast(), from, bytes) } {
                    work.download(from, Range { start: to, bytes: bytes as u64 }, "");
                }
            }),
            (Some(memory), Some(other)) if eq(memory, other) => {
                work_on(memory, site, |work| copy_within(work, to, from, bytes));
            }
            (Some(memory), Some(other)) => {
                let is_done =
                    work_on(memory, site, |work| copy_across(work, (memory, to), (other, from), bytes));
                if is_done {
                    return;
                }
                let mut buffer = vec![0u8; bytes];
                let between = buffer.as_mut_ptr().expose_provenance() as u64;
                // SAFETY: the caller's promise; the buffer has as many bytes.
                unsafe {
                    Sides { to: None, ..self }.copy(between, from, bytes);
                    Sides { from: None, ..self }.copy(to, between, bytes);
                }
            }
        }
    }

    /// Copies behind what is on a queue of a device, and before what comes there. Where neither side is the
    /// device's, or devices cannot do it by themselves, the host waits.
    ///
    /// # Safety
    /// As for [`Sides::copy`], until the queue has come to it.
    pub(crate) unsafe fn copy_on(
        self,
        (memory, queue): (&'static Memory, i64),
        to: u64,
        from: u64,
        bytes: usize,
    ) {
        let Sides { site, .. } = self;
        let work = Work::begin(memory, queue, site);
        let is_done = match (self.to, self.from) {
            (Some(target), Some(source)) if eq(target, memory) && eq(source, memory) => {
                copy_within(&work, to, from, bytes);
                true
            }
            (Some(target), Some(source)) if eq(target, memory) || eq(source, memory) => {
                copy_across(&work, (target, to), (source, from), bytes)
            }
            _ => false,
        };
        if !is_done {
            work.finish();
        }
        work.end();
        if !is_done {
            // SAFETY: the caller's promise.
            unsafe { self.copy(to, from, bytes) };
        }
    }
}

/// Copies within the memory of a device.
pub(crate) fn copy_within(work: &Work<'_>, to: u64, from: u64, bytes: usize) {
    work.copy(to, from, bytes as u64);
    twin::copied_within(work, to, from, bytes);
}

/// Copies between two devices without the host, on the queue of one of them; false if they cannot.
fn copy_across(
    work: &Work<'_>,
    (target, to): (&'static Memory, u64),
    (source, from): (&'static Memory, u64),
    bytes: usize,
) -> bool {
    // What is compared is fetched by the host.
    if is_on() {
        return false;
    }
    target.settle();
    source.settle();
    work.copy_across((&*target.device, to), (&*source.device, from), bytes)
}
