//! Reads the values that travel beside a descriptor; [`crate::abi`] fixes their order.

use crate::abi::{ASYNC_SYNC, MapDesc};
use crate::api::queues::{is_queue, require_queue};
use crate::device;
use crate::fatal::fatal;

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
    /// The first queue to wait for, if there is one.
    pub(crate) waits_for: Option<i64>,
    devnum: i64,
    bad_queue: Option<i64>,
}

impl Scheduling {
    /// Whether the directive has an `async` clause.
    pub(crate) fn is_async(self) -> bool {
        self.queue != ASYNC_SYNC
    }

    /// Ends the program unless queues and device exist.
    pub(crate) fn check(self) {
        require_queue(self.queue);
        if let Some(queue) = self.bad_queue {
            require_queue(queue);
        }
        if self.devnum >= 0 {
            device::require_number(self.devnum.try_into().unwrap_or(i32::MAX));
        }
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

impl MapValues {
    /// The pointer that the section is reached through.
    pub(crate) fn pointer(self) -> u64 {
        self.start.wrapping_sub(self.bias)
    }

    /// Ends the program if the section's length is negative.
    pub(crate) fn check(self, desc: &MapDesc) {
        if (self.bytes as i64) < 0 {
            fatal(format_args!(
                "{}:{}: the section `{}` has a negative length",
                desc.pos.file, desc.pos.line, desc.name
            ));
        }
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
        let (mut waits_for, mut bad_queue) = (None, None);
        for _ in 0..self.next() {
            let queue = self.next() as i64;
            waits_for = waits_for.or(Some(queue));
            if !is_queue(queue) {
                bad_queue = Some(queue);
            }
        }
        Scheduling { on_device: if_ != 0 && self_ == 0, queue, waits_for, devnum, bad_queue }
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
