//! Records of accesses, and the check of a new access against them.

use super::clock::Knowledge;
use super::segment::Segments;
use std::sync::atomic::{AtomicU64, Ordering};

const SEGMENT_BITS: u32 = 28;
const LANE_SHIFT: u32 = 28;
const PC_SHIFT: u32 = 33;
const PC_BITS: u32 = 21;
const MASK_SHIFT: u32 = 54;
/// Since what all of the launch know, only the value was stored that was there.
const SILENT: u64 = 1 << 58;
const ATOMIC: u64 = 1 << 59;
/// Atomic among the threads of a CTA only.
const NARROW: u64 = 1 << 60;
/// Several threads wrote the same value here, which was let pass.
const SAME: u64 = 1 << 61;
/// Something written here before was read.
const USED: u64 = 1 << 62;
/// The host copied.
const HOST: u64 = 1 << 63;

/// An access of a lane to some of four bytes. Zero is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell(pub(crate) u64);

impl Cell {
    pub(crate) fn new(segment: u32, lane: u32, pc: u32) -> Cell {
        let pc = u64::from(pc) & ((1 << PC_BITS) - 1);
        Cell(u64::from(segment) | u64::from(lane) << LANE_SHIFT | pc << PC_SHIFT)
    }

    /// A copy by the host.
    pub(crate) fn of_host(segment: u32) -> Cell {
        Cell(Cell::new(segment, 0, 0).0 | HOST)
    }

    pub(crate) fn is_host(self) -> bool {
        self.0 & HOST != 0
    }

    pub(crate) fn with_lane(self, lane: u32) -> Cell {
        Cell(self.0 | u64::from(lane) << LANE_SHIFT)
    }

    pub(crate) fn atomic(self, narrow: bool) -> Cell {
        Cell(self.0 | ATOMIC | if narrow { NARROW } else { 0 })
    }

    fn with_mask(self, mask: u8) -> Cell {
        Cell(self.0 | u64::from(mask) << MASK_SHIFT)
    }

    pub(crate) fn segment(self) -> u32 {
        (self.0 & ((1 << SEGMENT_BITS) - 1)) as u32
    }

    /// The same of a segment that has another number now.
    pub(crate) fn with_segment(self, segment: u32) -> Cell {
        Cell(self.0 & !((1 << SEGMENT_BITS) - 1) | u64::from(segment))
    }

    pub(crate) fn lane(self) -> u32 {
        (self.0 >> LANE_SHIFT & 31) as u32
    }

    pub(crate) fn pc(self) -> u32 {
        (self.0 >> PC_SHIFT & ((1 << PC_BITS) - 1)) as u32
    }

    fn mask(self) -> u8 {
        (self.0 >> MASK_SHIFT & 0xf) as u8
    }

    pub(crate) fn is_atomic(self) -> bool {
        self.0 & ATOMIC != 0
    }

    fn same_thread(self, other: Cell) -> bool {
        (self.0 ^ other.0) & ((1 << PC_SHIFT) - 1) == 0
    }
}

/// What the accessing thread knows.
pub(crate) struct Viewer<'a> {
    pub(crate) segments: &'a Segments,
    pub(crate) launch: u32,
    /// First segment of this launch.
    pub(crate) first_segment: u32,
    /// Whether an earlier launch ended before this one began.
    pub(crate) after: &'a dyn Fn(u32) -> bool,
    pub(crate) all_before: bool,
    pub(crate) cta: u32,
    pub(crate) warp: u32,
    /// All of the CTA is known up to this clock.
    pub(crate) cta_base: u32,
    pub(crate) warp_base: &'a [u32; 32],
    pub(crate) know: &'a [Option<std::sync::Arc<Knowledge>>],
}

impl Viewer<'_> {
    /// Whether an access happened before all that the launch does, or there is none.
    fn all_know(&self, earlier: Cell) -> bool {
        earlier.0 == 0 || earlier.segment() < self.first_segment && self.all_before
    }

    /// Whether an earlier access happened before what `me` does.
    #[inline]
    fn ordered(&self, earlier: Cell, me: Cell) -> bool {
        let number = earlier.segment();
        if number < self.first_segment && self.all_before {
            return true;
        }
        if earlier.same_thread(me) {
            return true;
        }
        self.ordered_slowly(earlier, me)
    }

    fn ordered_slowly(&self, earlier: Cell, me: Cell) -> bool {
        let segment = self.segments.get(earlier.segment());
        if segment.launch != self.launch {
            return (self.after)(segment.launch);
        }
        let lane = me.lane() as usize;
        if segment.cta == self.cta {
            let own = segment.warp == self.warp;
            if segment.clock <= self.cta_base
                || own && (earlier.lane() == me.lane() || segment.clock <= self.warp_base[lane])
            {
                return true;
            }
        }
        self.know
            .get(lane)
            .and_then(Option::as_ref)
            .is_some_and(|know| know.covers(segment.cta, segment.warp, earlier.lane(), segment.clock))
    }

    /// Atomics do not race with each other, unless one is for its CTA only and they are of two.
    fn both_atomic(&self, earlier: Cell, me: Cell) -> bool {
        if !(earlier.is_atomic() && me.is_atomic()) {
            return false;
        }
        (earlier.0 | me.0) & NARROW == 0 || self.segments.get(earlier.segment()).cta == self.cta
    }

    #[inline]
    fn races(&self, earlier: Cell, me: Cell) -> bool {
        earlier.0 != 0
            && earlier.mask() & me.mask() != 0
            && !self.ordered(earlier, me)
            && !self.both_atomic(earlier, me)
    }
}

/// Whether an atomic read takes in a plain write beside what it is for. Code that updates a byte or two by
/// compare-and-swap of a whole word reads the word, and other threads may write the rest of it; of the word,
/// only that the rest is unchanged matters.
fn reads_beside(read: Cell, write: Cell) -> bool {
    read.is_atomic() && !write.is_atomic() && read.mask() & !write.mask() != 0
}

/// A conflicting access that is not ordered with the new one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    pub(crate) earlier: Cell,
    /// Whether that was a write.
    pub(crate) write: bool,
    /// The value was there before and after.
    pub(crate) is_quiet: bool,
}

impl Conflict {
    fn new(earlier: Cell, write: bool) -> Conflict {
        Conflict { earlier, write, is_quiet: false }
    }
}

/// The first write of a kernel, if there are such, and nobody has ever read what was written.
pub(crate) fn only_written(cells: &[AtomicU64]) -> Option<Cell> {
    let mut found = None;
    for cells in cells.chunks_exact(3) {
        let [write, reads @ ..] = cells else { continue };
        let write = Cell(write.load(Ordering::Acquire));
        if write.0 == 0 {
            continue;
        }
        if write.0 & USED != 0 || reads.iter().any(|read| read.load(Ordering::Acquire) != 0) {
            return None;
        }
        found = found.or(Some(write).filter(|write| !write.is_host()));
    }
    found
}

/// What an access to some of four bytes races with; it is not recorded.
pub(crate) fn look(
    cells: &[AtomicU64],
    me: Cell,
    mask: u8,
    is_write: bool,
    viewer: &Viewer<'_>,
) -> Option<Conflict> {
    let [write, reads @ ..] = cells else { return None };
    let me = me.with_mask(mask);
    let written = Cell(write.load(Ordering::Acquire));
    if viewer.races(written, me) {
        return Some(Conflict::new(written, true));
    }
    let mut reads = reads.iter().map(|read| Cell(read.load(Ordering::Acquire))).filter(|_| is_write);
    reads.find(|read| viewer.races(*read, me)).map(|earlier| Conflict::new(earlier, false))
}

/// Records a read of some of four bytes. `forgive` is asked about a race with writes of a value that was
/// there.
#[inline]
pub(crate) fn read(
    cells: &[AtomicU64],
    me: Cell,
    mask: u8,
    viewer: &Viewer<'_>,
    forgive: impl FnOnce() -> bool,
) -> Option<Conflict> {
    let [write, first, second] = cells else { return None };
    let me = me.with_mask(mask);
    let written = Cell(write.load(Ordering::Acquire));
    let is_quiet = written.0 & (SAME | SILENT) != 0;
    let raced = !reads_beside(me, written) && viewer.races(written, me) && !(is_quiet && forgive());
    let known = Cell(first.load(Ordering::Acquire));
    if known.0 == 0 || known.same_thread(me) || viewer.ordered(known, me) {
        first.store(me.0, Ordering::Release);
    } else {
        second.store(me.0, Ordering::Release);
    }
    raced.then_some(Conflict { is_quiet, ..Conflict::new(written, true) })
}

/// Records a write of some of four bytes. `silent` tells whether the value is there already; then `forgive`
/// is asked about a race.
#[inline]
pub(crate) fn write(
    cells: &[AtomicU64],
    me: Cell,
    mask: u8,
    viewer: &Viewer<'_>,
    silent: impl Fn() -> bool,
    forgive: impl FnOnce(Conflict) -> bool,
) -> Option<Conflict> {
    let [write, first, second] = cells else { return None };
    let me = me.with_mask(mask);
    let written = Cell(write.load(Ordering::Acquire));
    let mut conflict = viewer.races(written, me).then_some(Conflict::new(written, true));
    let mut used = written.0 & USED;
    for read in [first, second] {
        let earlier = Cell(read.load(Ordering::Acquire));
        if written.0 != 0 && earlier.0 != 0 {
            used = USED;
        }
        if conflict.is_none() && !reads_beside(earlier, me) && viewer.races(earlier, me) {
            conflict = Some(Conflict::new(earlier, false));
        }
    }
    match &mut conflict {
        // Who wrote the same value before does so again; the others' writes are still known.
        None if written.0 & SAME != 0 && silent() => return None,
        Some(conflict) if silent() => {
            conflict.is_quiet = true;
            if forgive(*conflict) {
                write.store(written.0 | SAME, Ordering::Release);
                return None;
            }
        }
        _ => {}
    }
    let changes_nothing = (written.0 & SILENT != 0 || viewer.all_know(written)) && silent();
    write.store(me.0 | used | if changes_nothing { SILENT } else { 0 }, Ordering::Release);
    if conflict.is_none() {
        for read in [first, second] {
            if read.load(Ordering::Relaxed) != 0 {
                read.store(0, Ordering::Release);
            }
        }
    }
    conflict
}

#[cfg(test)]
mod tests {
    use super::super::segment::Segment;
    use super::*;

    #[test]
    fn cells_hold_what_they_were_made_of() {
        let cell = Cell::new(12345, 0, 678).with_lane(31).atomic(false);
        assert_eq!((cell.segment(), cell.lane(), cell.pc(), cell.is_atomic()), (12345, 31, 678, true));
    }

    #[test]
    fn accesses_without_order_race() {
        let segments = Segments::new();
        let of =
            |warp, clock| segments.add(Segment { launch: 1, cta: 0, warp, clock }).expect("there are few");
        let (first, second) = (of(0, 1), of(1, 1));
        let know = [const { None }; 32];
        let viewer = |warp, cta_base| Viewer {
            segments: &segments,
            launch: 1,
            first_segment: 1,
            after: &|_| true,
            all_before: true,
            cta: 0,
            warp,
            cta_base,
            warp_base: &[0; 32],
            know: &know,
        };
        let cells: [AtomicU64; 3] = Default::default();
        assert!(write(&cells, Cell::new(first, 0, 5), 0xf, &viewer(0, 0), || false, |_| false).is_none());
        // Same thread, another lane, another warp, the same after a barrier.
        assert!(read(&cells, Cell::new(first, 0, 6), 0xf, &viewer(0, 0), || false).is_none());
        let conflict = read(&cells, Cell::new(first, 1, 6), 0xf, &viewer(0, 0), || false).expect("a race");
        assert_eq!(conflict.earlier.pc(), 5);
        assert!(read(&cells, Cell::new(second, 0, 6), 0xf, &viewer(1, 0), || false).is_some());
        assert!(read(&cells, Cell::new(second, 0, 6), 0xf, &viewer(1, 1), || false).is_none());
        // The same value: what is let pass does not hide it from others.
        let cells: [AtomicU64; 3] = Default::default();
        let store = |segment, warp, forgive| {
            write(&cells, Cell::new(segment, 0, 5), 0xf, &viewer(warp, 0), || true, |_| forgive)
        };
        assert!(store(first, 0, false).is_none());
        assert!(store(second, 1, false).is_some_and(|conflict| conflict.is_quiet && conflict.write));
        let cells: [AtomicU64; 3] = Default::default();
        let store = |segment, warp, forgive| {
            write(&cells, Cell::new(segment, 0, 5), 0xf, &viewer(warp, 0), || true, |_| forgive)
        };
        assert!(
            store(first, 0, true).is_none()
                && store(second, 1, true).is_none()
                && store(first, 0, true).is_none()
        );
        let load = |forgive| read(&cells, Cell::new(second, 0, 6), 0xf, &viewer(1, 0), || forgive);
        assert!(load(true).is_none() && load(false).is_some_and(|conflict| conflict.is_quiet));
        // Other bytes, atomics.
        let cells: [AtomicU64; 3] = Default::default();
        assert!(write(&cells, Cell::new(first, 0, 5), 0x3, &viewer(0, 0), || false, |_| false).is_none());
        assert!(write(&cells, Cell::new(second, 0, 5), 0xc, &viewer(1, 0), || false, |_| false).is_none());
        let cells: [AtomicU64; 3] = Default::default();
        assert!(
            write(&cells, Cell::new(first, 0, 5).atomic(false), 0xf, &viewer(0, 0), || false, |_| false)
                .is_none()
        );
        assert!(
            write(&cells, Cell::new(second, 0, 5).atomic(false), 0xf, &viewer(1, 0), || false, |_| false)
                .is_none()
        );
        assert!(write(&cells, Cell::new(second, 1, 5), 0xf, &viewer(1, 0), || false, |_| false).is_some());
    }
}
