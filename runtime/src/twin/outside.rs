//! What the program does to device memory outside of regions: the host's counterparts follow.

use crate::check::{Array, Images, compared, is_on, regions};
use crate::memory::table::Range;
use crate::memory::{Item, Memory, Work};
use std::cell::RefCell;

/// Data that a `host_data` construct hands out.
struct Lent {
    host: u64,
    device: u64,
    contents: Vec<u8>,
}

/// A `host_data` construct.
struct Loan {
    lent: Vec<Lent>,
    /// Regions that had run when it began.
    regions: u64,
}

thread_local! {
    /// The `host_data` constructs that this thread is inside of.
    static LOANS: RefCell<Vec<Loan>> = const { RefCell::new(Vec::new()) };
}

/// A `host_data` construct begins: code that is no region may change what it names.
pub(crate) fn lend(items: &[Item<'_>], work: Option<&Work<'_>>) {
    if !is_on() {
        return;
    }
    let mut loan = Loan { lent: Vec::new(), regions: regions() };
    if let Some(work) = work {
        for item in items {
            if let Some((Range { start, bytes }, device)) = work.memory.copy_of(item) {
                let mut contents = vec![0; bytes as usize];
                work.fetch(device, &mut contents, &item.desc.name);
                loan.lent.push(Lent { host: start, device, contents });
            }
        }
    }
    LOANS.with_borrow_mut(|loans| loans.push(loan));
}

/// The construct ends. What has changed on the device and by no region changes on the host.
pub(crate) fn take_back(work: Option<&Work<'_>>) {
    let Some(loan) = LOANS.with_borrow_mut(Vec::pop) else { return };
    let Some(work) = work.filter(|_| loan.regions == regions()) else { return };
    for Lent { host, device, contents } in loan.lent {
        let mut now = vec![0; contents.len()];
        work.fetch(device, &mut now, "");
        let host = std::ptr::with_exposed_provenance_mut::<u8>(host as usize);
        for (index, (before, now)) in contents.into_iter().zip(now).enumerate() {
            if before != now {
                // SAFETY: the data were present, so that so many bytes are there.
                unsafe { *host.add(index) = now };
            }
        }
    }
}

/// The host's counterpart of bytes of device memory, if they are a copy of any.
fn counterpart(memory: &Memory, device: u64, bytes: usize) -> Option<*mut u8> {
    let host = is_on().then(|| memory.host_range(device, bytes as u64)).flatten()?;
    Some(std::ptr::with_exposed_provenance_mut(host as usize))
}

/// The program copied from the host's memory into the device's.
///
/// # Safety
/// As for the copy.
pub(crate) unsafe fn copied_to(work: &Work<'_>, to: u64, from: *const u8, bytes: usize) {
    if let Some(host) = counterpart(work.memory, to, bytes) {
        // SAFETY: the caller's promise; the counterpart has as many bytes.
        unsafe { host.copy_from(from, bytes) };
    }
}

/// The program copied within the device's memory.
pub(crate) fn copied_within(work: &Work<'_>, to: u64, from: u64, bytes: usize) {
    let Some(host) = counterpart(work.memory, to, bytes) else { return };
    match counterpart(work.memory, from, bytes) {
        // SAFETY: both counterparts have so many bytes.
        Some(source) => unsafe { host.copy_from(source, bytes) },
        None => {
            let mut contents = vec![0; bytes];
            work.fetch(from, &mut contents, "");
            // SAFETY: as above.
            unsafe { host.copy_from(contents.as_ptr(), bytes) };
        }
    }
}

/// The program copies from the device's memory into the host's. Says whether that is done: a copy of host
/// memory is compared with that, and the host's bytes are what the program gets.
///
/// # Safety
/// As for the copy.
pub(crate) unsafe fn copies_from(work: &Work<'_>, to: *mut u8, from: u64, bytes: usize) -> bool {
    let Some(source) = counterpart(work.memory, from, bytes) else { return false };
    let mut device = vec![0; bytes];
    work.fetch(from, &mut device, "");
    work.memory.with_block_at(source.expose_provenance() as u64, |block| {
        let array = Array {
            name: block.name,
            elements: block.elements,
            first: block.range.start,
            region: block.region.as_deref(),
            terms: block.terms,
        };
        let offset = (source.expose_provenance() as u64).saturating_sub(block.range.start);
        // SAFETY: the counterpart has so many bytes.
        let host = unsafe { std::slice::from_raw_parts(source, bytes) };
        compared(&work.site, Images { host, device: &device, gaps: 0 }, offset, array);
    });
    // SAFETY: the caller's promise.
    unsafe { to.copy_from(source, bytes) };
    true
}
