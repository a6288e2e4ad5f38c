//! Global memory: allocations at addresses that are never used twice, with space between them.

use super::address::GLOBAL;
use super::region::Region;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

/// Bytes before and after an allocation that belong to nobody, at least.
const RED_ZONE: u64 = 512;
/// Alignment of allocations.
const ALIGN: u64 = 512;
/// Addresses of devices are so far apart, as a power of two: none is that of another device's allocation.
const DEVICE_SHIFT: u32 = 42;
/// Freed allocations that are remembered, for reports.
const REMEMBERED: usize = 4096;

/// What an allocation is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A variable of a module.
    Variable,
    /// One that is only read.
    Constant,
    /// From the host.
    Host,
    /// From `malloc` in a kernel.
    Heap,
}

/// An allocation in global memory.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub(crate) base: u64,
    pub(crate) region: Region,
    pub(crate) name: String,
    pub(crate) purpose: Purpose,
    pub(crate) freed: AtomicBool,
    /// Launches that had been made when the host, or a copy on the device, last read from it.
    pub(crate) copied: AtomicU32,
}

impl Allocation {
    pub(crate) fn end(&self) -> u64 {
        self.base + self.region.bytes()
    }

    pub(crate) fn is_freed(&self) -> bool {
        self.freed.load(Ordering::Relaxed)
    }
}

#[derive(Debug)]
struct Inner {
    /// By address.
    live: Vec<Arc<Allocation>>,
    /// (base, bytes, name), oldest first.
    freed: Vec<(u64, u64, String)>,
    next: u64,
    used: u64,
    /// Of these, bytes on the heap.
    heap_used: u64,
}

/// All allocations.
#[derive(Debug)]
pub(crate) struct Memory {
    inner: RwLock<Inner>,
    /// Changes with each allocation.
    version: AtomicU64,
    capacity: u64,
    /// Bytes of the heap.
    heap: u64,
}

impl Memory {
    /// That of a device, the one of this `number`, which says where its addresses begin.
    pub(crate) fn new(capacity: u64, heap: u64, number: u32) -> Memory {
        let next = GLOBAL + (1 << 32) + (u64::from(number) << DEVICE_SHIFT);
        let inner = Inner { live: Vec::new(), freed: Vec::new(), next, used: 0, heap_used: 0 };
        Memory { inner: RwLock::new(inner), version: AtomicU64::new(1), capacity, heap }
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Inner> {
        self.inner.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Inner> {
        self.inner.write().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Allocates; `None` when there is not so much.
    pub(crate) fn alloc(&self, bytes: u64, name: String, purpose: Purpose) -> Option<Arc<Allocation>> {
        let mut inner = self.write();
        if bytes > self.capacity.saturating_sub(inner.used) {
            return None;
        }
        let on_heap = if purpose == Purpose::Heap { bytes } else { 0 };
        if on_heap > self.heap.saturating_sub(inner.heap_used) {
            return None;
        }
        let region = Region::new(bytes)?;
        let base = inner.next;
        inner.next = (base + bytes + RED_ZONE).next_multiple_of(ALIGN);
        inner.used += bytes;
        inner.heap_used += on_heap;
        let freed = AtomicBool::new(false);
        let copied = AtomicU32::new(0);
        let allocation = Arc::new(Allocation { base, region, name, purpose, freed, copied });
        inner.live.push(allocation.clone());
        self.version.fetch_add(1, Ordering::Release);
        Some(allocation)
    }

    /// Frees the allocation that begins at an address, if one does.
    pub(crate) fn free(&self, base: u64, allowed: impl Fn(Purpose) -> bool) -> bool {
        let mut inner = self.write();
        let Ok(index) = inner.live.binary_search_by_key(&base, |allocation| allocation.base) else {
            return false;
        };
        if !allowed(inner.live[index].purpose) {
            return false;
        }
        let allocation = inner.live.remove(index);
        allocation.freed.store(true, Ordering::Relaxed);
        let bytes = allocation.region.bytes();
        inner.used -= bytes;
        inner.heap_used -= if allocation.purpose == Purpose::Heap { bytes } else { 0 };
        if inner.freed.len() == REMEMBERED {
            inner.freed.remove(0);
        }
        inner.freed.push((allocation.base, bytes, allocation.name.clone()));
        self.version.fetch_add(1, Ordering::Release);
        true
    }

    /// The allocation around an address, with up to a red zone on each side.
    pub(crate) fn near(&self, address: u64) -> Option<Arc<Allocation>> {
        let inner = self.read();
        let after = inner.live.partition_point(|allocation| allocation.base <= address);
        let before = after.checked_sub(1).map(|index| &inner.live[index]);
        let next = inner.live.get(after);
        before
            .filter(|allocation| address < allocation.end() + RED_ZONE)
            .or_else(|| next.filter(|allocation| address + RED_ZONE >= allocation.base))
            .cloned()
    }

    /// The allocation that holds a stretch.
    pub(crate) fn holding(&self, address: u64, bytes: u64) -> Option<Arc<Allocation>> {
        let found = self.near(address)?;
        let inside = address >= found.base && address.checked_add(bytes)? <= found.end();
        inside.then_some(found)
    }

    /// What was freed at an address: (base, bytes, name).
    pub(crate) fn freed_at(&self, address: u64) -> Option<(u64, u64, String)> {
        let inner = self.read();
        let found = inner
            .freed
            .iter()
            .rev()
            .find(|(base, bytes, _)| (*base..base + bytes.max(&1)).contains(&address));
        found.cloned()
    }

    /// All allocations by address, and the version that they belong to.
    pub(crate) fn all(&self) -> (Vec<Arc<Allocation>>, u64) {
        let inner = self.read();
        (inner.live.clone(), self.version())
    }

    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Bytes that are allocated, and how many there are in all.
    pub(crate) fn usage(&self) -> (u64, u64) {
        (self.read().used, self.capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_not_reused() {
        let memory = Memory::new(1 << 20, 1000, 0);
        let name = |name: &str| name.to_owned();
        let first = memory.alloc(100, name("a"), Purpose::Host).expect("there is memory");
        let second = memory.alloc(100, name("b"), Purpose::Host).expect("there is memory");
        assert!(second.base >= first.end() + RED_ZONE);
        assert!(memory.holding(first.base + 50, 50).is_some());
        assert!(memory.holding(first.base + 51, 50).is_none());
        assert!(memory.near(first.end() + 3).is_some_and(|near| near.name == "a"));
        assert!(memory.free(first.base, |_| true));
        assert!(!memory.free(first.base, |_| true));
        assert_eq!(memory.freed_at(first.base + 4).map(|freed| freed.2), Some(name("a")));
        let third = memory.alloc(100, name("c"), Purpose::Host).expect("there is memory");
        assert!(third.base > second.base);
        assert!(memory.alloc(1 << 20, name("d"), Purpose::Host).is_none());
        // The heap is a part of it.
        let block = memory.alloc(600, name("e"), Purpose::Heap).expect("there is room on the heap");
        assert!(memory.alloc(600, name("f"), Purpose::Heap).is_none());
        assert!(memory.free(block.base, |purpose| purpose == Purpose::Heap));
        assert!(memory.alloc(600, name("g"), Purpose::Heap).is_some());
    }
}
