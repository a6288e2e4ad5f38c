//! Reads the values that travel beside a descriptor; [`crate::abi`] fixes their order.

use crate::abi::{ASYNC_SYNC, MapDesc};

/// The values of one directive, read front to back.
pub(crate) struct Values {
    next: *const u64,
}

/// `if`, `self`, `async`, `wait`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scheduling {
    /// `if` held or was absent.
    pub(crate) on_device: bool,
    /// The queue.
    pub(crate) queue: i64,
}

impl Scheduling {
    /// Whether the directive has an `async` clause.
    pub(crate) fn is_async(self) -> bool {
        self.queue != ASYNC_SYNC
    }
}

/// The values of one map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MapValues {
    /// First mapped byte.
    pub(crate) start: u64,
    /// Bytes.
    pub(crate) bytes: u64,
    /// Distance from the pointer's value to `start`.
    pub(crate) bias: u64,
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
        let (if_, self_, queue) = (self.next(), self.next(), self.next() as i64);
        let _devnum = self.next();
        for _ in 0..self.next() {
            self.next();
        }
        Scheduling { on_device: if_ != 0 && self_ == 0, queue }
    }

    pub(crate) fn map(&mut self, desc: &MapDesc) -> MapValues {
        let (start, bytes, bias) = (self.next(), self.next(), self.next());
        let _pointer_at = self.next();
        for _ in 0..desc.row_levels {
            self.next();
            self.next();
        }
        MapValues { start, bytes, bias }
    }
}
