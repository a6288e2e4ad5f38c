//! The last accesses of every byte.

use super::nest::Tick;
use smallvec::SmallVec;

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

/// The last accesses of all memory.
pub(super) type Shadow = crate::shadow::Shadow<Cell>;

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

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
