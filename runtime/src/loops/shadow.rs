//! The last accesses of every byte.
//!
//! Pages have cells of 8 bytes until an access wants smaller ones: then each is replaced by as many with the
//! same contents. So neighbouring `char`s are apart, and arrays of `double` need one cell an element.

use super::nest::Tick;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

/// Bytes of a page, as a power of two.
const PAGE_SHIFT: u32 = 12;
/// Bytes of the largest cell, as a power of two.
const CELL_SHIFT: u32 = 3;
/// Pages whose places are found without a search.
const CACHED: usize = 64;
/// Bits of an access for the number of its site.
const SITE_BITS: u32 = 20;

/// Sites that can be told apart.
pub(super) const MOST_SITES: usize = 1 << SITE_BITS;
/// Ticks that can be told apart.
pub(super) const MOST_TICKS: Tick = 1 << (64 - SITE_BITS);

/// When and where memory was accessed; zero is "never", as the first tick is 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Access(u64);

impl Access {
    pub(super) fn new(tick: Tick, site: u32) -> Access {
        Access(tick << SITE_BITS | u64::from(site))
    }

    pub(super) fn tick(self) -> Tick {
        self.0 >> SITE_BITS
    }

    pub(super) fn site(self) -> u32 {
        (self.0 & (MOST_SITES as u64 - 1)) as u32
    }

    pub(super) fn happened(self) -> bool {
        self.0 != 0
    }
}

/// Accesses of one kind since the last plain write: what a later access can depend on.
///
/// Iterations go up, so that of the accesses since a loop was entered the first tells most: if any of them
/// was in an iteration before the current one, that was. One per loop that runs is enough. The last one, or
/// the last in an iteration before that one's, tells the shortest distance.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Since {
    firsts: SmallVec<[Access; 2]>,
    last: Access,
    before: Access,
}

impl Since {
    /// Adds an access. `entered` are the ticks at which the loops that run were entered, outermost first.
    pub(super) fn add(&mut self, access: Access, entered: impl DoubleEndedIterator<Item = Tick> + Clone) {
        if self.last.tick() != access.tick() {
            self.before = self.last;
        }
        self.last = access;
        let innermost = entered.clone().next_back().unwrap_or(0);
        if self.firsts.last().is_some_and(|last| last.tick() >= innermost) {
            return;
        }
        self.firsts.push(access);
        // What is not the first since any of the loops was entered.
        let mut before = 0;
        self.firsts.retain(|first| {
            let is_first = before == 0 || entered.clone().any(|tick| before < tick && tick <= first.tick());
            before = first.tick();
            is_first
        });
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Access> + '_ {
        let is_another = |access: &Access| access.happened() && !self.firsts.contains(access);
        self.firsts.iter().copied().chain([self.before, self.last].into_iter().filter(is_another))
    }

    fn clear(&mut self) {
        self.firsts.clear();
        (self.last, self.before) = Default::default();
    }
}

/// The last accesses of some bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// The last plain write.
    pub(super) write: Access,
    /// Plain reads since then.
    pub(super) reads: Since,
    /// Atomic accesses since then.
    pub(super) atomics: Option<Box<Atomics>>,
}

/// Atomic accesses since the last plain write.
#[derive(Clone, Debug, Default)]
pub(super) struct Atomics {
    pub(super) writes: Since,
    pub(super) reads: Since,
}

impl Cell {
    /// A plain write: what comes later depends on this one.
    pub(super) fn overwrite(&mut self, access: Access) {
        self.write = access;
        self.reads.clear();
        self.atomics = None;
    }
}

#[derive(Default)]
struct Page {
    /// Bytes of a cell, as a power of two.
    shift: u32,
    /// None while nothing was accessed.
    cells: Vec<Cell>,
}

impl Page {
    /// The cells of a part of the page, which they do not reach out of.
    fn cells(&mut self, part: &Range<u64>) -> &mut [Cell] {
        let wanted = (part.start | part.end).trailing_zeros().min(CELL_SHIFT);
        if self.cells.is_empty() {
            self.shift = wanted;
            self.cells.resize(1 << (PAGE_SHIFT - wanted), Cell::default());
        } else if wanted < self.shift {
            let copies = 1 << (self.shift - wanted);
            let cells = std::mem::take(&mut self.cells);
            self.cells = cells.into_iter().flat_map(|cell| std::iter::repeat_n(cell, copies)).collect();
            self.shift = wanted;
        }
        &mut self.cells[(part.start >> self.shift) as usize..(part.end >> self.shift) as usize]
    }
}

/// The last accesses of all memory.
pub(super) struct Shadow {
    pages: Vec<Page>,
    places: FxHashMap<u64, usize>,
    cached: Box<[(u64, usize); CACHED]>,
}

impl Default for Shadow {
    fn default() -> Shadow {
        Shadow { pages: Vec::new(), places: FxHashMap::default(), cached: Box::new([(u64::MAX, 0); CACHED]) }
    }
}

/// The pages that some bytes are on, with the part of each, counted from the start of the page.
fn parts(bytes: Range<u64>) -> impl Iterator<Item = (u64, Range<u64>)> {
    const SIZE: u64 = 1 << PAGE_SHIFT;
    let mut start = bytes.start;
    std::iter::from_fn(move || {
        if start >= bytes.end {
            return None;
        }
        let (page, from) = (start >> PAGE_SHIFT, start % SIZE);
        let to = (from + (bytes.end - start)).min(SIZE);
        start += to - from;
        Some((page, from..to))
    })
}

impl Shadow {
    /// Visits the cells of some bytes, each with its first address.
    pub(super) fn visit(&mut self, bytes: Range<u64>, mut visit: impl FnMut(u64, &mut Cell)) {
        for (number, part) in parts(bytes) {
            let place = self.place(number);
            let page = &mut self.pages[place];
            let cells = page.cells(&part);
            let size = (part.end - part.start) / cells.len() as u64;
            let start = (number << PAGE_SHIFT) + part.start;
            for (address, cell) in (start..).step_by(size as usize).zip(cells) {
                visit(address, cell);
            }
        }
    }

    /// Forgets the accesses of some bytes.
    pub(super) fn forget(&mut self, bytes: Range<u64>) {
        for (number, part) in parts(bytes) {
            let Some(&place) = self.places.get(&number) else { continue };
            let page = &mut self.pages[place];
            if part == (0..1 << PAGE_SHIFT) {
                page.cells = Vec::new();
            } else if !page.cells.is_empty() {
                page.cells(&part).fill(Cell::default());
            }
        }
    }

    fn place(&mut self, number: u64) -> usize {
        let cached = &mut self.cached[number as usize % CACHED];
        if cached.0 != number {
            let place = *self.places.entry(number).or_insert_with(|| {
                self.pages.push(Page::default());
                self.pages.len() - 1
            });
            *cached = (number, place);
        }
        cached.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(shadow: &mut Shadow, bytes: Range<u64>, tick: Tick) {
        shadow.visit(bytes, |_, cell| cell.overwrite(Access::new(tick, 0)));
    }

    fn ticks(shadow: &mut Shadow, bytes: Range<u64>) -> Vec<Tick> {
        let mut found = Vec::new();
        shadow.visit(bytes, |_, cell| found.push(cell.write.tick()));
        found
    }

    #[test]
    fn cells_are_as_small_as_accesses() {
        let mut shadow = Shadow::default();
        write(&mut shadow, 4096..4104, 1);
        write(&mut shadow, 4104..4112, 2);
        assert_eq!(ticks(&mut shadow, 4096..4112), [1, 2]);
        write(&mut shadow, 4100..4101, 3);
        assert_eq!(ticks(&mut shadow, 4096..4112), [1, 1, 1, 1, 3, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn objects_cross_pages() {
        let mut shadow = Shadow::default();
        write(&mut shadow, 8188..8196, 7);
        assert_eq!(ticks(&mut shadow, 8184..8200), [0, 7, 7, 0]);
        shadow.forget(8190..8193);
        assert_eq!(
            ticks(&mut shadow, 8184..8200),
            [0, 0, 7, 0, 0, 7, 7, 7, 0, 0, 0, 0],
            "one page has cells of 2 bytes, the other of 1"
        );
        shadow.forget(0..1 << 20);
        assert_eq!(ticks(&mut shadow, 8184..8200), [0, 0]);
    }

    #[test]
    fn firsts_are_kept_per_loop() {
        let mut since = Since::default();
        let at = |tick| Access::new(tick, 0);
        // An outer loop entered at 1, an inner one at 2, 12 and 22.
        for inner in [2, 12, 22] {
            for tick in inner + 1..inner + 5 {
                since.add(at(tick), [1, inner].into_iter());
            }
        }
        assert_eq!(since.iter().collect::<Vec<_>>(), [at(3), at(23), at(25), at(26)]);
        since.add(at(40), [30].into_iter());
        assert_eq!(since.iter().collect::<Vec<_>>(), [at(3), at(40), at(26)], "the last loop alone runs");
    }
}
