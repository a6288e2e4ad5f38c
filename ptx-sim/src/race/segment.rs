//! Segments: who did something, and when by the clock of its warp.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Segments of a chunk.
const CHUNK: usize = 1 << 14;
/// Most chunks; more segments are not told apart.
const CHUNKS: usize = 1 << 14;

/// A stretch of a warp's execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) launch: u32,
    pub(crate) cta: u32,
    pub(crate) warp: u32,
    pub(crate) clock: u32,
}

type Chunk = Box<[[AtomicU32; 4]]>;

/// All segments since the device was made, by number. Zero is none.
#[derive(Debug)]
pub(crate) struct Segments {
    chunks: Box<[OnceLock<Chunk>]>,
    next: AtomicU32,
}

impl Segments {
    pub(crate) fn new() -> Segments {
        Segments { chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(), next: AtomicU32::new(1) }
    }

    /// The number that the next one gets.
    pub(crate) fn next(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }

    /// Whether so many are used that accesses should be forgotten.
    pub(crate) fn is_crowded(&self) -> bool {
        self.next() as usize > CHUNK * CHUNKS / 2
    }

    /// Begins anew; the caller has made everybody forget the numbers.
    pub(crate) fn reset(&self) {
        self.next.store(1, Ordering::Relaxed);
    }

    /// A new segment; `None` when there are too many.
    pub(crate) fn add(&self, segment: Segment) -> Option<u32> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let index = number as usize;
        let Some(chunk) = self.chunks.get(index / CHUNK) else {
            self.next.store((CHUNK * CHUNKS) as u32, Ordering::Relaxed);
            return None;
        };
        let chunk =
            chunk.get_or_init(|| (0..CHUNK).map(|_| std::array::from_fn(|_| AtomicU32::new(0))).collect());
        let Segment { launch, cta, warp, clock } = segment;
        for (field, value) in chunk[index % CHUNK].iter().zip([launch, cta, warp, clock]) {
            field.store(value, Ordering::Relaxed);
        }
        Some(number)
    }

    /// What a number stands for. Who read the number from a cell sees what was stored before.
    pub(crate) fn get(&self, number: u32) -> Segment {
        let index = number as usize;
        let found = self.chunks.get(index / CHUNK).and_then(OnceLock::get).map(|chunk| &chunk[index % CHUNK]);
        let field = |at: usize| found.map_or(0, |fields| fields[at].load(Ordering::Relaxed));
        Segment { launch: field(0), cta: field(1), warp: field(2), clock: field(3) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_found_by_their_numbers() {
        let segments = Segments::new();
        let segment = |clock| Segment { launch: 1, cta: 2, warp: 3, clock };
        let numbers: Vec<u32> =
            (0..CHUNK as u32 + 5).filter_map(|clock| segments.add(segment(clock))).collect();
        assert_eq!(numbers.len(), CHUNK + 5);
        for (clock, number) in numbers.iter().enumerate() {
            assert_eq!(segments.get(*number), segment(clock as u32));
        }
    }
}
