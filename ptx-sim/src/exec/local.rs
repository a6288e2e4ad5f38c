//! The stack of a thread.

use crate::memory::region::{POISON, byte_mask};
use crate::origin::Origin;
use rustc_hash::FxHashMap;

/// Largest stack of a thread.
pub(super) const MOST_STACK: u32 = 1 << 20;
/// The first address; what lies below is nobody's.
pub(super) const FIRST: u32 = 16;

/// Memory of one thread.
#[derive(Clone, Default, Debug)]
pub(super) struct LocalStack {
    words: Vec<u64>,
    /// A bit per byte.
    defined: Vec<u8>,
    /// By word, where undefined bytes come from that were stored there, if that matters.
    spoilt: FxHashMap<u32, Origin>,
}

impl LocalStack {
    /// Makes a stretch exist, and undefined.
    pub(super) fn open(&mut self, start: u32, end: u32) {
        let words = end.div_ceil(8) as usize;
        if self.words.len() < words {
            self.words.resize(words, POISON);
            self.defined.resize(words, 0);
        }
        for at in start..end.min(start.next_multiple_of(8)) {
            self.defined[at as usize / 8] &= !(1 << (at % 8));
        }
        let (first, last) = ((start.div_ceil(8) as usize).min(words), words);
        self.defined[first..last].fill(0);
        if !self.spoilt.is_empty() {
            self.spoilt.retain(|word, _| *word < start.div_ceil(8));
        }
    }

    /// Where undefined bytes of a word come from that were stored there.
    pub(super) fn spoilt(&self, at: u32) -> Option<Origin> {
        self.spoilt.get(&(at / 8)).copied()
    }

    /// Notes where undefined bytes come from that are stored.
    pub(super) fn spoil(&mut self, at: u32, bytes: u32, defined: u8, origin: Option<Origin>) {
        if defined == byte_mask(bytes) {
            return;
        }
        match origin {
            Some(origin) => _ = self.spoilt.insert(at / 8, origin),
            None if self.spoilt.is_empty() => {}
            None => _ = self.spoilt.remove(&(at / 8)),
        }
    }

    /// A value of up to eight bytes, and a bit for each that is defined.
    pub(super) fn load(&self, at: u32, bytes: u32) -> (u64, u8) {
        let (index, shift) = (at as usize / 8, at % 8);
        let value = self.words.get(index).copied().unwrap_or(POISON) >> (8 * shift);
        let value = if bytes >= 8 { value } else { value & ((1 << (8 * bytes)) - 1) };
        let defined = self.defined.get(index).copied().unwrap_or(0) >> shift & byte_mask(bytes);
        (value, defined)
    }

    /// Stores; gives whether anything changed.
    pub(super) fn store(&mut self, at: u32, bytes: u32, value: u64, defined: u8) -> bool {
        let (index, shift) = (at as usize / 8, at % 8);
        let (Some(word), Some(known)) = (self.words.get_mut(index), self.defined.get_mut(index)) else {
            return false;
        };
        let mask = if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
        let new = (*word & !(mask << (8 * shift))) | (value & mask) << (8 * shift);
        let bits = byte_mask(bytes) << shift;
        let new_known = (*known & !bits) | (defined << shift) & bits;
        let changed = new != *word || new_known != *known;
        *word = new;
        *known = new_known;
        changed
    }
}
