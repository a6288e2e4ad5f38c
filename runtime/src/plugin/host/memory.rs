//! The discrete host's memory: blocks between pages that nobody may touch, so that an access behind or before
//! a block faults; and what is told of such a fault.
//!
//! ```text
//! | no access | ....block | no access |           the block ends where the page behind it begins
//! ```
//!
//! Pointers that clauses bring along, in a struct for instance, are those of the host. As long as they are in
//! a block, they are kept as addresses that no access can reach; what goes back to the host is as it was.

use crate::abi::{ElementPart, Elements, ScalarKind};
use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// What memory is filled with when it is allocated and before it is freed: as an integer of any width a large
/// negative number, as a floating-point number a huge one, and an address that faults. (A NaN would escape
/// checks that ask whether a difference is too large.)
const POISON: u8 = 0xfb;

/// Makes an address one that no access can reach.
const OUT_OF_REACH: u64 = 0xfb00_0000_0000_0000;

/// The bits of an address that may differ.
const REACH: u64 = (1 << 48) - 1;

/// Bytes of a page.
const PAGE: usize = 4096;

/// Alignment of memory without pages of its own.
const ALIGN: usize = 256;

/// Bytes of a pointer.
const POINTER: u64 = 8;

/// So many pointers to the host's memory are known by their names.
const MOST_STRAYS: usize = 4096;

/// The memory of all discrete hosts: addresses are those of one process.
static MEMORY: Mutex<Memory> = Mutex::new(Memory { blocks: BTreeMap::new(), strays: BTreeMap::new() });

/// See [`MEMORY`].
pub(super) struct Memory {
    /// By their first bytes.
    blocks: BTreeMap<u64, Block>,
    /// Pointers to memory without a copy that regions got, and what they are called.
    strays: BTreeMap<u64, String>,
}

struct Block {
    /// The number of the device whose memory it is.
    device: u32,
    bytes: usize,
    name: Arc<str>,
    place: Place,
    /// Parts with pointers in them, by their first bytes.
    parts: BTreeMap<u64, Part>,
}

/// Where a block is.
enum Place {
    /// A mapping of the kernel, pages without access at its ends.
    Pages { start: usize, bytes: usize },
    /// The heap, when the kernel has no more mappings.
    Heap(Layout),
}

/// Elements that hold pointers.
struct Part {
    bytes: u64,
    elements: &'static Elements,
}

fn is_pointer(part: &ElementPart) -> bool {
    part.kind() == ScalarKind::Pointer
}

/// The memory.
pub(super) fn memory() -> MutexGuard<'static, Memory> {
    MEMORY.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn pointer(address: u64) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

impl Memory {
    /// A block of so many bytes, more than 0, in the memory of a device; none if there is no memory.
    pub(super) fn allocate(&mut self, bytes: usize, name: &str, device: u32) -> Option<u64> {
        let (address, place) = pages(bytes).or_else(|| heap(bytes))?;
        // SAFETY: the block is that large.
        unsafe { pointer(address).write_bytes(POISON, bytes) };
        let block = Block { device, bytes, name: name.into(), place, parts: BTreeMap::new() };
        self.blocks.insert(address, block);
        super::took(bytes);
        Some(address)
    }

    /// Gives a block of a device back; whether there was one.
    pub(super) fn free(&mut self, address: u64, device: u32) -> bool {
        if self.blocks.get(&address).is_none_or(|block| block.device != device) {
            return false;
        }
        let Some(block) = self.blocks.remove(&address) else { return false };
        super::gave_back(block.bytes);
        match block.place {
            // SAFETY: the mapping is one of `pages`, and nobody uses it any more.
            Place::Pages { start, bytes } => unsafe {
                libc::munmap(pointer(start as u64).cast(), bytes);
            },
            // SAFETY: the block is one of `heap`, and was not freed before.
            Place::Heap(layout) => unsafe {
                pointer(address).write_bytes(POISON, block.bytes);
                dealloc(pointer(address), layout);
            },
        }
        true
    }

    fn holder(&self, address: u64) -> Option<(u64, &Block)> {
        let (&start, block) = self.blocks.range(..=address).next_back()?;
        (address - start <= block.bytes as u64).then_some((start, block))
    }

    /// Whether an address is in a block of a device, or right behind one.
    pub(super) fn holds(&self, address: u64, device: u32) -> bool {
        self.holder(address).is_some_and(|(_, block)| block.device == device)
    }

    /// Notes what a part of a block holds.
    pub(super) fn describe(&mut self, address: u64, bytes: u64, elements: &'static Elements) {
        if !elements.parts().iter().any(is_pointer) {
            return;
        }
        let Some((start, _)) = self.holder(address) else { return };
        if let Some(block) = self.blocks.get_mut(&start) {
            block.parts.insert(address, Part { bytes, elements });
        }
    }

    /// The addresses in a range where blocks have pointers.
    fn pointers(&self, start: u64, bytes: u64) -> Vec<u64> {
        let Some((_, block)) = self.holder(start) else { return Vec::new() };
        let end = start + bytes;
        let mut found = Vec::new();
        for (&first, part) in block.parts.range(..end) {
            let size = part.elements.bytes;
            let begin = start.saturating_sub(first) / size;
            for element in begin..part.bytes.min(end - first).div_ceil(size) {
                for scalar in part.elements.parts().iter().filter(|scalar| is_pointer(scalar)) {
                    let at = first + element * size + scalar.offset;
                    found.extend((0..scalar.count).map(|n| at + n * POINTER));
                }
            }
        }
        found.retain(|&at| at >= start && at + POINTER <= end);
        found
    }

    /// Bytes of the host have come to a block: its pointers in them become such that no access can reach,
    /// unless `is_own`.
    pub(super) fn hide(&mut self, start: u64, bytes: usize, is_own: impl Fn(u64) -> bool) {
        let Some((_, block)) = self.holder(start) else { return };
        let (name, device) = (Arc::clone(&block.name), block.device);
        for at in self.pointers(start, bytes as u64) {
            let place = pointer(at).cast::<u64>();
            // SAFETY: the address is in a block.
            let value = unsafe { place.read_unaligned() };
            if value == 0 || value > REACH || self.holds(value, device) || is_own(value) {
                continue;
            }
            self.note(value, || format!("a pointer in `{name}'"));
            // SAFETY: as above.
            unsafe { place.write_unaligned(value | OUT_OF_REACH) };
        }
    }

    /// Bytes of a block have gone to `to`: its pointers are again those of the host.
    pub(super) fn reveal(&self, to: *mut u8, start: u64, bytes: usize) {
        for at in self.pointers(start, bytes as u64) {
            // SAFETY: as many bytes as were copied are there.
            unsafe {
                let place = to.add((at - start) as usize).cast::<u64>();
                let value = place.read_unaligned();
                if value & !REACH == OUT_OF_REACH {
                    place.write_unaligned(value & REACH);
                }
            }
        }
    }

    fn note(&mut self, host: u64, name: impl FnOnce() -> String) {
        if self.strays.len() < MOST_STRAYS {
            self.strays.entry(host).or_insert_with(name);
        }
    }

    /// What a region gets for a pointer of the host, called `name`, whose memory has no copy.
    pub(super) fn stray(&mut self, host: u64, name: &str) -> u64 {
        self.note(host, || format!("`{name}'"));
        host | OUT_OF_REACH
    }
}

/// A block that ends at a page without access.
fn pages(bytes: usize) -> Option<(u64, Place)> {
    let inner = bytes.checked_next_multiple_of(PAGE)?;
    let all = inner.checked_add(2 * PAGE)?;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), all, libc::PROT_NONE, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    let address = start.expose_provenance() + PAGE;
    // SAFETY: the pages are in the mapping.
    unsafe {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        if libc::mprotect(pointer(address as u64).cast(), inner, access) != 0 {
            libc::munmap(start, all);
            return None;
        }
    }
    let place = Place::Pages { start: address - PAGE, bytes: all };
    Some(((address + inner - bytes) as u64, place))
}

/// A block of the heap.
fn heap(bytes: usize) -> Option<(u64, Place)> {
    let layout = Layout::from_size_align(bytes, ALIGN).ok()?;
    // SAFETY: the size is not zero.
    let block = unsafe { alloc(layout) };
    (!block.is_null()).then(|| (block.expose_provenance() as u64, Place::Heap(layout)))
}

/// What is known of a fault at an address, in words; none is one that no memory can have: a register may hold
/// it. For handlers of signals: nothing is waited for.
pub fn explain(address: Option<u64>, registers: &[u64]) -> Option<String> {
    let memory = match MEMORY.try_lock() {
        Ok(memory) => memory,
        Err(TryLockError::Poisoned(memory)) => memory.into_inner(),
        Err(TryLockError::WouldBlock) => return None,
    };
    if let Some(address) = address {
        let (start, Block { bytes, name, .. }, distance) = memory.beside(address)?;
        let side = match address {
            _ if address < start => format!("{distance} bytes before"),
            _ if distance == 0 => "right behind".to_owned(),
            _ => format!("{distance} bytes behind"),
        };
        return Some(format!("{side} the {bytes} bytes of `{name}' on the device"));
    }
    for register in registers.iter().filter(|register| *register & !REACH == OUT_OF_REACH) {
        let host = register & REACH;
        if let Some((_, name)) = memory.strays.range(..=host).next_back() {
            return Some(format!("{name} leads to the host's memory, which has no copy on the device"));
        }
    }
    let unset = u64::from_ne_bytes([POISON; 8]);
    let is_unset = |register: &u64| register.abs_diff(unset) < 1 << 32;
    registers.iter().any(is_unset).then(|| "a pointer on the device that nobody has set".to_owned())
}

impl Memory {
    /// The block next to whose bytes an address is, and how far from its last or first byte.
    fn beside(&self, address: u64) -> Option<(u64, &Block, u64)> {
        let before = self.blocks.range(..=address).next_back();
        let behind = self.blocks.range(address..).next();
        let is_near = |block: &Block| match block.place {
            Place::Pages { start, bytes } => (start..start + bytes).contains(&(address as usize)),
            Place::Heap(_) => false,
        };
        let (&start, block) = [before, behind].into_iter().flatten().find(|(_, block)| is_near(block))?;
        let end = start + block.bytes as u64;
        match address {
            _ if address < start => Some((start, block, start - address)),
            _ if address >= end => Some((start, block, address - end)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::Array;

    #[test]
    fn blocks_end_at_pages_without_access() {
        let mut memory = memory();
        for bytes in [1, 7, 4095, 4096, 4097, 100_000] {
            let address = memory.allocate(bytes, "a", 0).expect("memory");
            assert_eq!((address as usize + bytes) % PAGE, 0);
            assert!(memory.holds(address, 0) && memory.holds(address + bytes as u64, 0));
            assert!(!memory.holds(address, 1) && !memory.free(address, 1));
            assert_eq!(memory.beside(address + bytes as u64 + 8).map(|(.., distance)| distance), Some(8));
            assert!(memory.beside(address).is_none());
            assert!(memory.free(address, 0) && !memory.free(address, 0));
        }
    }

    #[test]
    fn pointers_of_the_host_are_out_of_reach_until_they_are_back() {
        static ELEMENTS: Elements = Elements {
            bytes: 16,
            parts: Array::new(&[
                ElementPart { offset: 0, count: 1, kind: ScalarKind::Signed.number(), bytes: 4 },
                ElementPart { offset: 8, count: 1, kind: ScalarKind::Pointer.number(), bytes: 8 },
            ]),
        };
        let mut memory = memory();
        let own = memory.allocate(8, "own", 1).expect("memory");
        let block = memory.allocate(48, "structs", 1).expect("memory");
        memory.describe(block, 48, &ELEMENTS);
        let words = [1, 0x7000_1234_5678, OUT_OF_REACH | 5, own, 3, 0x5000];
        // SAFETY: the block has six words.
        unsafe { pointer(block).cast::<[u64; 6]>().write_unaligned(words) };
        memory.hide(block, 48, |address| address == 0x5000);
        // SAFETY: as above.
        let hidden = unsafe { pointer(block).cast::<[u64; 6]>().read_unaligned() };
        let mut expected = words;
        expected[1] |= OUT_OF_REACH;
        assert_eq!(hidden, expected);
        let mut back = [hidden[1], hidden[2]];
        memory.reveal(back.as_mut_ptr().cast(), block + 8, 16);
        assert_eq!(back, [words[1], words[2]]);
        memory.free(block, 1);
        memory.free(own, 1);
    }
}
