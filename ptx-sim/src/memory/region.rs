//! A stretch of memory: its bytes, which of them are defined, and who accessed them last.
//!
//! CTAs on several host threads access it at once. All accesses are atomic operations of the host, relaxed;
//! what a program may rely on, its own atomics and fences, maps to operations of the host that are as strong
//! on all targets that matter: read-modify-writes are sequentially consistent here.

use crate::origin::Origin;
use crate::race::cell::Cell;
use rustc_hash::FxHashMap;
use std::alloc::Layout;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// What undefined bytes read as.
pub(crate) const POISON: u64 = 0xa5a5_a5a5_a5a5_a5a5;
/// Bytes that share a record of accesses.
pub(crate) const GRANULE: u64 = 4;
/// Words of such a record: the last write, and two reads.
pub(crate) const CELLS: usize = 3;

/// 128-bit operations are rare; they take turns.
static WIDE: Mutex<()> = Mutex::new(());

/// Memory with a shadow.
#[derive(Debug)]
pub(crate) struct Region {
    words: Box<[AtomicU64]>,
    bytes: u64,
    /// A bit per byte.
    defined: Box<[AtomicU8]>,
    all_defined: AtomicBool,
    cells: OnceLock<Box<[AtomicU64]>>,
    spoilt: Spoilt,
}

/// What was stored that has no value, and matters to whoever reads it, by its number of the four bytes: which
/// bytes, and where they come from. Bytes that were written since are defined, whatever stands here.
#[derive(Debug, Default)]
struct Spoilt {
    any: AtomicBool,
    words: Mutex<FxHashMap<u64, (u8, Origin)>>,
}

impl Spoilt {
    fn words(&self) -> MutexGuard<'_, FxHashMap<u64, (u8, Origin)>> {
        self.words.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A type of which zero bits are a value.
trait Zero {}
impl Zero for AtomicU8 {}
impl Zero for AtomicU64 {}

/// Zeroed memory, not touched before it is used; `None` if the host has not so much.
fn zeroed<T: Zero>(count: usize) -> Option<Box<[T]>> {
    if count == 0 {
        return Some(Box::default());
    }
    let layout = Layout::array::<T>(count).ok()?;
    // SAFETY: the layout has a size; zero bits are a value of the type; the box owns what was allocated for
    // just this layout.
    unsafe {
        let start = std::alloc::alloc_zeroed(layout).cast::<T>();
        if start.is_null() {
            return None;
        }
        Some(Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, count)))
    }
}

/// Ones for so many bytes, as many bits.
pub(crate) fn byte_mask(bytes: u32) -> u8 {
    if bytes >= 8 { 0xff } else { (1 << bytes) - 1 }
}

impl Region {
    /// Undefined memory; `None` if the host has not so much.
    pub(crate) fn new(bytes: u64) -> Option<Region> {
        let words = usize::try_from(bytes.div_ceil(8)).ok()?;
        Some(Region {
            words: zeroed(words)?,
            bytes,
            defined: zeroed(words)?,
            all_defined: AtomicBool::new(false),
            cells: OnceLock::new(),
            spoilt: Spoilt::default(),
        })
    }

    /// A few bytes.
    pub(crate) fn small(bytes: u64) -> Region {
        let none = || Region {
            words: Box::default(),
            bytes: 0,
            defined: Box::default(),
            all_defined: AtomicBool::new(false),
            cells: OnceLock::new(),
            spoilt: Spoilt::default(),
        };
        Region::new(bytes).unwrap_or_else(none)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The records of accesses; none if the host lacks memory for them.
    pub(crate) fn cells(&self) -> &[AtomicU64] {
        let count = self.bytes.div_ceil(GRANULE) as usize * CELLS;
        // Without memory for them, races are not found.
        self.cells.get_or_init(|| zeroed(count).unwrap_or_default())
    }

    /// The records of accesses, if there were any.
    pub(crate) fn known_cells(&self) -> Option<&[AtomicU64]> {
        self.cells.get().map(|cells| &**cells)
    }

    /// The record of the last write to the word of a byte.
    pub(crate) fn write_cell(&self, offset: u64) -> Option<Cell> {
        let index = (offset / GRANULE) as usize * CELLS;
        let cell = Cell(self.known_cells()?.get(index)?.load(Ordering::Acquire));
        (cell.0 != 0).then_some(cell)
    }

    /// Forgets all accesses.
    pub(crate) fn forget_accesses(&self) {
        if let Some(cells) = self.cells.get() {
            cells.iter().for_each(|cell| cell.store(0, Ordering::Relaxed));
        }
    }

    /// The place of an access. Callers have checked bounds and alignment; this does so again, for the sake of
    /// the pointer.
    fn place(&self, offset: u64, bytes: u32) -> *mut u8 {
        assert!(
            offset.is_multiple_of(u64::from(bytes))
                && offset + u64::from(bytes) <= self.words.len() as u64 * 8
        );
        // SAFETY: the offset is inside of the words.
        unsafe { self.words.as_ptr().cast::<u8>().cast_mut().add(offset as usize) }
    }

    /// A naturally aligned value of 1, 2, 4 or 8 bytes, zero-extended.
    #[inline]
    pub(crate) fn load(&self, offset: u64, bytes: u32) -> u64 {
        let place = self.place(offset, bytes);
        // SAFETY: the place is inside of the words, which are atomics, and aligned for its size.
        unsafe {
            match bytes {
                1 => u64::from(AtomicU8::from_ptr(place).load(Ordering::Acquire)),
                2 => u64::from(AtomicU16::from_ptr(place.cast()).load(Ordering::Acquire)),
                4 => u64::from(AtomicU32::from_ptr(place.cast()).load(Ordering::Acquire)),
                _ => AtomicU64::from_ptr(place.cast()).load(Ordering::Acquire),
            }
        }
    }

    #[inline]
    pub(crate) fn store(&self, offset: u64, bytes: u32, value: u64) {
        let place = self.place(offset, bytes);
        // SAFETY: as for `load`.
        unsafe {
            match bytes {
                1 => AtomicU8::from_ptr(place).store(value as u8, Ordering::Release),
                2 => AtomicU16::from_ptr(place.cast()).store(value as u16, Ordering::Release),
                4 => AtomicU32::from_ptr(place.cast()).store(value as u32, Ordering::Release),
                _ => AtomicU64::from_ptr(place.cast()).store(value, Ordering::Release),
            }
        }
    }

    /// Replaces a value of 2, 4 or 8 bytes by what `new` makes of it; gives the old one.
    pub(crate) fn modify(&self, offset: u64, bytes: u32, mut new: impl FnMut(u64) -> u64) -> u64 {
        let place = self.place(offset, bytes);
        macro_rules! update {
            ($atomic:ty, $int:ty) => {{
                // SAFETY: as for `load`.
                let atomic = unsafe { <$atomic>::from_ptr(place.cast()) };
                let mut old = atomic.load(Ordering::SeqCst);
                loop {
                    let next = new(old as u64) as $int;
                    match atomic.compare_exchange(old, next, Ordering::SeqCst, Ordering::SeqCst) {
                        Ok(_) => return old as u64,
                        Err(found) => old = found,
                    }
                }
            }};
        }
        match bytes {
            2 => update!(AtomicU16, u16),
            4 => update!(AtomicU32, u32),
            _ => update!(AtomicU64, u64),
        }
    }

    /// As `modify`, on 16 bytes.
    pub(crate) fn modify_wide(&self, offset: u64, new: impl FnOnce([u64; 2]) -> [u64; 2]) -> [u64; 2] {
        let _turn = WIDE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let old = [self.load(offset, 8), self.load(offset + 8, 8)];
        let next = new(old);
        self.store(offset, 8, next[0]);
        self.store(offset + 8, 8, next[1]);
        old
    }

    /// Which bytes of an aligned access are defined, one bit each.
    #[inline]
    pub(crate) fn defined(&self, offset: u64, bytes: u32) -> u8 {
        if self.all_defined.load(Ordering::Relaxed) {
            return byte_mask(bytes);
        }
        let all = self.defined.get((offset / 8) as usize).map_or(0, |mask| mask.load(Ordering::Relaxed));
        all >> (offset % 8) & byte_mask(bytes)
    }

    /// Marks bytes of an aligned access as defined.
    #[inline]
    pub(crate) fn define(&self, offset: u64, mask: u8) {
        if self.all_defined.load(Ordering::Relaxed) {
            return;
        }
        let Some(byte) = self.defined.get((offset / 8) as usize) else { return };
        let mask = mask << (offset % 8);
        if byte.load(Ordering::Relaxed) & mask != mask {
            byte.fetch_or(mask, Ordering::Relaxed);
        }
    }

    /// Marks everything as defined.
    pub(crate) fn define_all(&self) {
        self.all_defined.store(true, Ordering::Relaxed);
    }

    /// Marks bytes of an aligned access as undefined; `spoils` is where they come from, if that matters to
    /// who reads them.
    pub(crate) fn undefine(&self, offset: u64, mask: u8, spoils: Option<Origin>) {
        self.note_spoilt(offset, mask, spoils);
        if self.all_defined.swap(false, Ordering::Relaxed) {
            self.defined.iter().for_each(|byte| byte.store(0xff, Ordering::Relaxed));
        }
        if let Some(byte) = self.defined.get((offset / 8) as usize) {
            byte.fetch_and(!(mask << (offset % 8)), Ordering::Relaxed);
        }
    }

    fn note_spoilt(&self, offset: u64, mask: u8, spoils: Option<Origin>) {
        if spoils.is_none() && !self.spoilt.any.load(Ordering::Relaxed) {
            return;
        }
        let wide = u64::from(mask) << (offset % GRANULE);
        let mut words = self.spoilt.words();
        for part in 0..3 {
            let touched = (wide >> (GRANULE * part)) as u8 & 0xf;
            if touched == 0 {
                continue;
            }
            let word = offset / GRANULE + part;
            let kept = words.get(&word).filter(|(bytes, _)| bytes & !touched != 0).copied();
            match (spoils, kept) {
                (Some(origin), kept) => {
                    let before = kept.map_or(0, |(bytes, _)| bytes);
                    words.insert(word, (before | touched, origin));
                }
                (None, Some((bytes, origin))) => _ = words.insert(word, (bytes & !touched, origin)),
                (None, None) => _ = words.remove(&word),
            }
        }
        self.spoilt.any.store(!words.is_empty(), Ordering::Relaxed);
    }

    /// Where undefined bytes of an access come from, if they were stored and that matters.
    pub(crate) fn spoilt(&self, offset: u64, bytes: u32) -> Option<Origin> {
        if !self.spoilt.any.load(Ordering::Relaxed) {
            return None;
        }
        let words = self.spoilt.words();
        (offset..offset + u64::from(bytes)).find_map(|at| {
            let (mask, origin) = words.get(&(at / GRANULE))?;
            (mask >> (at % GRANULE) & 1 == 1 && !self.byte_defined(at)).then_some(*origin)
        })
    }

    /// The first byte of a stretch that was stored without a value, where that matters, and where it comes
    /// from.
    pub(crate) fn first_spoilt(&self, offset: u64, bytes: u64) -> Option<(u64, Origin)> {
        if !self.spoilt.any.load(Ordering::Relaxed) {
            return None;
        }
        let words = self.spoilt.words();
        let stretch = offset..offset + bytes;
        let spoilt = words.iter().filter_map(|(word, (mask, origin))| {
            let bytes = (0..GRANULE).filter(|byte| mask >> byte & 1 == 1).map(|byte| word * GRANULE + byte);
            let mut bytes = bytes.filter(|at| stretch.contains(at) && !self.byte_defined(*at));
            bytes.next().map(|at| (at, *origin))
        });
        spoilt.min_by_key(|(at, _)| *at)
    }

    /// Writes from the host; what lies outside is left out.
    pub(crate) fn copy_in(&self, offset: u64, data: &[u8]) {
        let end = self.bytes.min(offset + data.len() as u64);
        let mut at = offset;
        while at < end {
            let from = (at - offset) as usize;
            if at.is_multiple_of(8) && end - at >= 8 {
                let mut word = [0; 8];
                word.copy_from_slice(&data[from..from + 8]);
                self.store(at, 8, u64::from_le_bytes(word));
                self.define(at, 0xff);
                at += 8;
            } else {
                self.store(at, 1, data[from].into());
                self.define(at, 1);
                at += 1;
            }
        }
        if offset == 0 && end == self.bytes {
            self.all_defined.store(true, Ordering::Relaxed);
        }
    }

    /// Reads for the host; undefined bytes are poison. Gives whether all were defined.
    pub(crate) fn copy_out(&self, offset: u64, data: &mut [u8]) -> bool {
        let mut all = true;
        for (index, byte) in data.iter_mut().enumerate() {
            let at = offset + index as u64;
            if at >= self.bytes {
                break;
            }
            let defined = self.defined(at, 1) == 1;
            all &= defined;
            *byte = if defined { self.load(at, 1) as u8 } else { POISON as u8 };
        }
        all
    }

    /// The bytes of a stretch that are not defined.
    pub(crate) fn undefined(&self, offset: u64, bytes: u64) -> impl Iterator<Item = u64> {
        let end = if self.all_defined.load(Ordering::Relaxed) { offset } else { offset + bytes };
        (offset..end).filter(|at| !self.byte_defined(*at))
    }

    /// Whether any byte of a stretch is defined.
    pub(crate) fn any_defined(&self, offset: u64, bytes: u64) -> bool {
        self.all_defined.load(Ordering::Relaxed) && bytes > 0
            || (offset..offset + bytes).any(|at| self.byte_defined(at))
    }

    /// Whether a byte is defined.
    pub(crate) fn byte_defined(&self, offset: u64) -> bool {
        self.defined(offset, 1) == 1
    }

    /// A copy, with the records of accesses if there are any.
    pub(crate) fn snapshot(&self) -> Option<Region> {
        let copy = Region::new(self.bytes)?;
        copy.take(self);
        if let Some(cells) = self.cells.get() {
            let same = zeroed::<AtomicU64>(cells.len())?;
            copy_words(&same, cells);
            let _ = copy.cells.set(same);
        }
        Some(copy)
    }

    /// The first byte that is not as in a region of the same size.
    pub(crate) fn first_difference(&self, other: &Region) -> Option<u64> {
        let byte = |region: &Region, at| region.byte_defined(at).then(|| region.load(at, 1));
        let differs = |at: &u64| byte(self, *at) != byte(other, *at);
        (0..self.words.len() as u64)
            .map(|word| word * 8)
            .filter(|at| {
                let defined = self.defined(*at, 8);
                defined != other.defined(*at, 8) || self.load(*at, 8) != other.load(*at, 8)
            })
            .find_map(|at| (at..self.bytes.min(at + 8)).find(differs))
    }

    /// Takes the contents of a region of the same size, and its records of accesses if they still mean
    /// something.
    pub(crate) fn restore(&self, from: &Region, with_accesses: bool) {
        self.take(from);
        match from.cells.get().filter(|_| with_accesses) {
            Some(cells) => copy_words(self.cells(), cells),
            None => self.forget_accesses(),
        }
    }

    fn take(&self, from: &Region) {
        copy_words(&self.words, &from.words);
        for (to, from) in self.defined.iter().zip(&from.defined) {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.all_defined.store(from.all_defined.load(Ordering::Relaxed), Ordering::Relaxed);
        let any = from.spoilt.any.load(Ordering::Relaxed);
        if any || self.spoilt.any.load(Ordering::Relaxed) {
            self.spoilt.words().clone_from(&from.spoilt.words());
            self.spoilt.any.store(any, Ordering::Relaxed);
        }
    }
}

fn copy_words(to: &[AtomicU64], from: &[AtomicU64]) {
    for (to, from) in to.iter().zip(from) {
        to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_defined_by_writing_them() {
        let region = Region::small(24);
        assert_eq!(region.defined(8, 8), 0);
        region.store(12, 4, 7);
        region.define(12, byte_mask(4));
        assert_eq!(region.defined(8, 8), 0xf0);
        region.copy_in(0, &[1; 24]);
        assert_eq!(region.defined(16, 8), 0xff);
        region.undefine(16, 1, None);
        assert_eq!((region.defined(16, 8), region.defined(8, 8)), (0xfe, 0xff));
        let mut data = [0; 8];
        assert!(!region.copy_out(16, &mut data));
        assert_eq!(data[..2], [POISON as u8, 1]);
    }

    #[test]
    fn modification_gives_the_old_value() {
        let region = Region::small(16);
        assert_eq!(region.modify(4, 4, |old| old + 5), 0);
        assert_eq!(region.modify(4, 4, |old| old + 5), 5);
        assert_eq!(region.load(0, 8), 10 << 32);
        assert_eq!(region.modify_wide(0, |_| [1, 2]), [10 << 32, 0]);
        assert_eq!(region.load(8, 2), 2);
    }
}
