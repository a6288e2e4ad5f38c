//! Reads the values that travel beside a descriptor; [`crate::abi`] fixes their order.

use crate::abi::{ASYNC_SYNC, MapDesc, MapKind};
use crate::api::queues::require_queue;
use crate::device;
use crate::fatal::fatal;
use crate::memory::Work;
use crate::plugin::{Runs, Stride};
use smallvec::SmallVec;

/// The values of one directive, read front to back.
#[derive(Clone)]
pub(crate) struct Values {
    next: *const u64,
}

/// `if`, `self`, `async`, `wait`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scheduling {
    /// `if` held or was absent.
    pub(crate) on_device: bool,
    /// The queue.
    pub(crate) queue: i64,
    /// The queues to wait for first.
    pub(crate) waits_for: SmallVec<[i64; 2]>,
    /// `wait(devnum:)`: the device whose queues they are; negative if the clause does not say.
    pub(crate) devnum: i64,
}

impl Scheduling {
    /// Whether the directive has an `async` clause.
    pub(crate) fn is_async(&self) -> bool {
        self.queue != ASYNC_SYNC
    }

    /// Ends the program unless queues and device exist.
    pub(crate) fn check(&self) {
        require_queue(self.queue);
        self.waits_for.iter().for_each(|&queue| require_queue(queue));
        if self.devnum >= 0 {
            device::numbered(self.devnum.try_into().unwrap_or(i32::MAX));
        }
    }
}

impl Scheduling {
    /// Lets work wait for the queues of a `wait` clause, all of them if it names none.
    pub(crate) fn wait_on(&self, work: &Work<'_>, wait: bool) {
        if wait && self.waits_for.is_empty() {
            work.wait_for_all();
        }
        for &queue in &self.waits_for {
            work.wait_for_number(queue);
        }
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
    /// `values` points to as many values as the descriptor they are read for calls for, for as long as `self` is used.
    pub(crate) unsafe fn new(values: *const u64) -> Values {
        Values { next: values }
    }

    pub(crate) fn next(&mut self) -> u64 {
        // SAFETY: `new` was promised enough values for what the descriptor says, and readers follow the descriptor.
        unsafe {
            let value = *self.next;
            self.next = self.next.add(1);
            value
        }
    }

    pub(crate) fn scheduling(&mut self) -> Scheduling {
        let (if_, self_, queue, devnum) = (self.next(), self.next(), self.next() as i64, self.next() as i64);
        let waits_for = (0..self.next()).map(|_| self.next() as i64).collect();
        Scheduling { on_device: if_ != 0 && self_ == 0, queue, waits_for, devnum }
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
