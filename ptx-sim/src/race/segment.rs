//! Segments: who did something, and when by the clock of its warp.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Segments of a chunk.
const CHUNK: usize = 1 << 14;
/// Most chunks; more segments are not told apart.
const CHUNKS: usize = 1 << 14;
/// Segments that are always told apart.
const FEW: usize = 1 << 16;
/// Segments that leave numbers for those of a launch.
const MANY: usize = CHUNK * CHUNKS / 2;

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
    /// Where it should be looked for those that nobody names.
    most: AtomicU32,
    /// How often numbers have been given anew.
    numbering: AtomicU32,
}

impl Segments {
    pub(crate) fn new() -> Segments {
        Segments {
            chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(1),
            most: AtomicU32::new(FEW as u32),
            numbering: AtomicU32::new(0),
        }
    }

    /// The number that the next one gets.
    pub(crate) fn next(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }

    /// Whether there are so many that it should be looked for those that nobody names.
    pub(crate) fn is_crowded(&self) -> bool {
        self.next() > self.most.load(Ordering::Relaxed)
    }

    /// Another number as soon as a segment may have another number.
    pub(crate) fn numbering(&self) -> u32 {
        self.numbering.load(Ordering::Relaxed)
    }

    /// Begins anew; the caller has made everybody forget the numbers.
    pub(crate) fn reset(&self) {
        self.next.store(1, Ordering::Relaxed);
        self.numbering.fetch_add(1, Ordering::Relaxed);
    }

    /// Forgets all but those that are named, gives their new numbers by the old ones, and the work that they
    /// belong to its new number. It is looked again when there are twice as many, or `enough`. Nobody else
    /// uses the segments meanwhile.
    pub(crate) fn keep(&self, named: &[bool], work: impl Fn(u32) -> u32, enough: usize) -> Vec<u32> {
        let mut numbers = vec![0; named.len()];
        self.next.store(1, Ordering::Relaxed);
        for old in (1..named.len()).filter(|old| named[*old]) {
            let segment = self.get(old as u32);
            // Numbers only become smaller, so that no segment is overwritten that is still to be kept.
            numbers[old] = self.add(Segment { launch: work(segment.launch), ..segment }).unwrap_or(0);
        }
        self.numbering.fetch_add(1, Ordering::Relaxed);
        let most = FEW.max(2 * self.next() as usize).max(enough).min(MANY);
        self.most.store(most as u32, Ordering::Relaxed);
        numbers
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

    #[test]
    fn segments_that_are_named_are_kept() {
        let segments = Segments::new();
        let all: Vec<u32> = (0..10)
            .filter_map(|clock| segments.add(Segment { launch: clock, cta: 0, warp: 0, clock }))
            .collect();
        let named: Vec<bool> = (0..segments.next()).map(|number| number % 3 == 2).collect();
        let numbering = segments.numbering();
        let numbers = segments.keep(&named, |work| work + 100, 0);
        assert_eq!(numbers, [0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0]);
        assert_eq!((all.len(), segments.next(), segments.is_crowded()), (10, 4, false));
        assert_ne!(segments.numbering(), numbering);
        let kept: Vec<(u32, u32)> =
            (1..4).map(|number| segments.get(number)).map(|s| (s.launch, s.clock)).collect();
        assert_eq!(kept, [(101, 1), (104, 4), (107, 7)]);
    }
}
