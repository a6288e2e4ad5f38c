//! What is known of every byte of memory that somebody asked about.
//!
//! Pages have cells of 8 bytes until an access wants smaller ones: then each is replaced by as many with the
//! same contents. So neighbouring `char`s are apart, and arrays of `double` need one cell an element.

use rustc_hash::FxHashMap;
use std::ops::Range;

/// Bytes of a page, as a power of two.
const PAGE_SHIFT: u32 = 12;
/// Bytes of the largest cell, as a power of two.
const CELL_SHIFT: u32 = 3;
/// Pages whose places are found without a search.
const CACHED: usize = 64;

/// A page of cells.
struct Page<C> {
    /// Bytes of a cell, as a power of two.
    shift: u32,
    /// None while nothing was accessed.
    cells: Vec<C>,
}

impl<C> Default for Page<C> {
    fn default() -> Page<C> {
        Page { shift: 0, cells: Vec::new() }
    }
}

impl<C: Clone + Default> Page<C> {
    /// The cells of a part of the page, which they do not reach out of.
    fn cells(&mut self, part: &Range<u64>) -> &mut [C] {
        let wanted = (part.start | part.end).trailing_zeros().min(CELL_SHIFT);
        if self.cells.is_empty() {
            self.shift = wanted;
            self.cells.resize(1 << (PAGE_SHIFT - wanted), C::default());
        } else if wanted < self.shift {
            let copies = 1 << (self.shift - wanted);
            let cells = std::mem::take(&mut self.cells);
            self.cells = cells.into_iter().flat_map(|cell| std::iter::repeat_n(cell, copies)).collect();
            self.shift = wanted;
        }
        &mut self.cells[(part.start >> self.shift) as usize..(part.end >> self.shift) as usize]
    }
}

/// What is known of all memory.
pub(crate) struct Shadow<C> {
    pages: Vec<Page<C>>,
    places: FxHashMap<u64, usize>,
    cached: Box<[(u64, usize); CACHED]>,
}

impl<C> Default for Shadow<C> {
    fn default() -> Shadow<C> {
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

impl<C: Clone + Default> Shadow<C> {
    /// Visits the cells of some bytes, each with its first address.
    pub(crate) fn visit(&mut self, bytes: Range<u64>, mut visit: impl FnMut(u64, &mut C)) {
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

    /// Forgets what is known of some bytes.
    pub(crate) fn forget(&mut self, bytes: Range<u64>) {
        for (number, part) in parts(bytes) {
            let Some(&place) = self.places.get(&number) else { continue };
            let page = &mut self.pages[place];
            if part == (0..1 << PAGE_SHIFT) {
                page.cells = Vec::new();
            } else if !page.cells.is_empty() {
                page.cells(&part).fill(C::default());
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
