//! Reads the values that travel beside a descriptor; [`crate::abi`] fixes their order.

use crate::abi::{MapDesc, MapKind};
use crate::fatal::fatal;
use crate::plugin::{Runs, Stride};
use smallvec::SmallVec;

/// The values of one directive, read front to back.
#[derive(Clone)]
pub(crate) struct Values {
    next: *const u64,
}

/// Values of a directive that is carried out later.
pub(crate) struct Kept {
    words: Vec<u64>,
    /// Of `firstprivate` objects; the values lead there.
    _bytes: Vec<u8>,
}

impl Kept {
    /// The first value.
    pub(crate) fn place(&self) -> *const u64 {
        self.words.as_ptr()
    }
}

/// A level of rows behind an array of pointers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// First byte within each row.
    pub(crate) lower: u64,
    /// What of each row.
    pub(crate) runs: Runs,
}

/// The values of one map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MapValues {
    /// First mapped byte.
    pub(crate) start: u64,
    /// Which bytes from there on: a single run, unless it is a map of `update`.
    pub(crate) runs: Runs,
    /// Distance from the pointer's value to `start`.
    pub(crate) bias: u64,
    /// Where the pointer is in memory; 0 if it is not.
    pub(crate) pointer_at: u64,
    /// Rows behind an array of pointers, the outer ones first.
    pub(crate) rows: SmallVec<[Row; 1]>,
}

impl MapValues {
    /// The pointer that the section is reached through.
    pub(crate) fn pointer(&self) -> u64 {
        self.start.wrapping_sub(self.bias)
    }

    /// Ends the program if there is no such section, or the clause does not take it.
    pub(crate) fn check(&self, desc: &MapDesc) {
        let is_update = matches!(desc.kind(), MapKind::UpdateSelf | MapKind::UpdateDevice);
        let all = || [&self.runs].into_iter().chain(self.rows.iter().map(|row| &row.runs));
        let problem = if all().any(|runs| (runs.bytes as i64) < 0) {
            "has a negative length"
        } else if all().any(Runs::overlap) {
            "leaves its array"
        } else if !is_update && !all().all(Runs::is_one) {
            "is not contiguous: only `update' takes parts of several rows"
        } else {
            return;
        };
        fatal(format_args!("{}:{}: the section `{}' {problem}", desc.pos.file, desc.pos.line, desc.name));
    }
}

impl Values {
    /// # Safety
    /// `values` points to as many values as the descriptor they are read for calls for, for as long as `self`
    /// is used.
    pub(crate) unsafe fn new(values: *const u64) -> Values {
        Values { next: values }
    }

    /// Where the next value is.
    pub(crate) fn place(&self) -> *const u64 {
        self.next
    }

    /// The next values, if they are those of maps.
    pub(crate) fn of_maps(&self, maps: &[MapDesc]) -> &[u64] {
        let of_runs = |strides: u32| 2 * strides as usize;
        let of_map = |map: &MapDesc| {
            let rows = map.rows.list().iter().map(|&strides| 2 + of_runs(strides));
            4 + of_runs(map.strides) + rows.sum::<usize>()
        };
        // SAFETY: `new` was promised them, and [`Values::map`] reads so many of each.
        unsafe { std::slice::from_raw_parts(self.next, maps.iter().map(of_map).sum()) }
    }

    /// A copy of the values from here on: `before` of them, those of the maps, and `behind`. The bytes of
    /// `firstprivate` objects are copied, too.
    pub(crate) fn copy(&self, before: usize, maps: &[MapDesc], behind: usize) -> Kept {
        let mut end = self.clone();
        // SAFETY: the readers of the values would get there, too.
        end.next = unsafe { end.next.add(before) };
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for desc in maps {
            // SAFETY: both are places in the same list.
            let place = unsafe { end.next.offset_from_unsigned(self.next) };
            let map = end.map(desc);
            if desc.kind() == MapKind::FirstPrivate {
                let object = std::ptr::with_exposed_provenance::<u8>(map.start as usize);
                places.push((place, bytes.len()));
                // SAFETY: the program says that so many bytes are at this address.
                bytes.extend_from_slice(unsafe {
                    std::slice::from_raw_parts(object, map.runs.bytes as usize)
                });
            }
        }
        // SAFETY: as above.
        let count = unsafe { end.next.offset_from_unsigned(self.next) } + behind;
        // SAFETY: the readers of the values would read so many.
        let mut words = unsafe { std::slice::from_raw_parts(self.next, count) }.to_vec();
        for (place, at) in places {
            words[place] = bytes[at..].as_ptr().expose_provenance() as u64;
        }
        Kept { words, _bytes: bytes }
    }

    pub(crate) fn next(&mut self) -> u64 {
        // SAFETY: `new` was promised enough values for what the descriptor says, and readers follow the
        // descriptor.
        unsafe {
            let value = *self.next;
            self.next = self.next.add(1);
            value
        }
    }

    pub(crate) fn map(&mut self, desc: &MapDesc) -> MapValues {
        let (start, bytes, bias, pointer_at) = (self.next(), self.next(), self.next(), self.next());
        let runs = self.runs(bytes, desc.strides);
        let row = |&strides| {
            let (lower, bytes) = (self.next(), self.next());
            Row { lower, runs: self.runs(bytes, strides) }
        };
        let rows = desc.rows.list().iter().map(row).collect();
        MapValues { start, runs, bias, pointer_at, rows }
    }

    /// Start, bytes and pointer of a map that is a single run, as those of variables are. Other maps are left
    /// to [`Values::map`].
    #[inline]
    pub(crate) fn single_run(&mut self, desc: &MapDesc) -> Option<(u64, u64, u64)> {
        // SAFETY: as for `next`: these four values are the first of every map.
        let [start, bytes, bias, _] = unsafe { *self.next.cast::<[u64; 4]>() };
        if desc.strides > 0 || !desc.rows.list().is_empty() || (bytes as i64) < 0 {
            return None;
        }
        // SAFETY: as above.
        self.next = unsafe { self.next.add(4) };
        Some((start, bytes, start.wrapping_sub(bias)))
    }

    /// Leaves out values that the reader does not need.
    #[inline]
    pub(crate) fn skip(&mut self, count: usize) {
        // SAFETY: as for `next`.
        self.next = unsafe { self.next.add(count) };
    }

    /// Runs of `bytes` bytes; the strides follow. A negative number of runs has a negative length in all.
    fn runs(&mut self, bytes: u64, strides: u32) -> Runs {
        if strides == 0 {
            return Runs::one(bytes);
        }
        let list: SmallVec<[Stride; 4]> =
            (0..strides).map(|_| Stride { count: self.next(), distance: self.next() }).collect();
        let is_negative = |value: u64| (value as i64) < 0;
        if is_negative(bytes) || list.iter().any(|stride| is_negative(stride.count)) {
            return Runs::one(u64::MAX);
        }
        Runs::new(bytes, list.into_iter().rev())
    }
}
