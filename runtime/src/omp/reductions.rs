//! Which private copies stand for which originals of reductions that tasks take part in (OpenMP 5.2, 5.5.11):
//! a task combines its copy with the original even where the code around it sees another task's copy, which
//! that task may be changing at the same time.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

struct Entry {
    copy: usize,
    bytes: usize,
    original: usize,
}

static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// How many there are: mostly none, which takes no lock to find out. Who asks about a copy has been told of
/// its address after it was entered, so that no order is needed.
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn entries() -> MutexGuard<'static, Vec<Entry>> {
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn find(entries: &[Entry], place: usize) -> Option<&Entry> {
    entries.iter().rev().find(|entry| place.wrapping_sub(entry.copy) < entry.bytes)
}

/// Until [`reduce_leave`], `bytes` from `copy` on stand for those from `original` on.
pub extern "C" fn reduce_enter(copy: *mut c_void, bytes: usize, original: *mut c_void) {
    let (copy, original) = (copy.addr(), original.expose_provenance());
    if copy == original && COUNT.load(Ordering::Relaxed) == 0 {
        return;
    }
    let mut entries = entries();
    if copy == original && find(&entries, copy).is_none() {
        return;
    }
    entries.push(Entry { copy, bytes, original });
    COUNT.store(entries.len(), Ordering::Relaxed);
}

/// The copy's life ends.
pub extern "C" fn reduce_leave(copy: *mut c_void) {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return;
    }
    let mut entries = entries();
    if let Some(at) = entries.iter().rposition(|entry| entry.copy == copy.addr()) {
        entries.remove(at);
    }
    COUNT.store(entries.len(), Ordering::Relaxed);
}

/// What a task that sees `place` combines its copy with.
pub extern "C" fn reduce_origin(place: *mut c_void) -> *mut c_void {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return place;
    }
    match find(&entries(), place.addr()) {
        Some(entry) => std::ptr::with_exposed_provenance_mut(entry.original + (place.addr() - entry.copy)),
        None => place,
    }
}
