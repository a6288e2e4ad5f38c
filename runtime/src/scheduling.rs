//! When a directive does its work, and on which queue: the clauses that all of them share.

use crate::abi::{ASYNC_OF_DATA, ASYNC_SYNC};
use crate::device;
use crate::memory::Work;
use crate::queue_number::require_queue;
use crate::values::Values;
use smallvec::SmallVec;

/// `if`, `self`, `async`, `wait`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scheduling {
    /// `if` held or was absent.
    pub(crate) on_device: bool,
    /// The queue.
    pub(crate) queue: i64,
    /// It is that of the data region around, at whose end the host waits; to the program the directive is
    /// synchronous.
    pub(crate) of_data: bool,
    /// The queues to wait for first.
    pub(crate) waits_for: SmallVec<[i64; 2]>,
    /// `wait(devnum:)`: the device whose queues they are; negative if the clause does not say.
    pub(crate) devnum: i64,
}

impl Scheduling {
    /// The first values of every directive.
    pub(crate) fn read(values: &mut Values) -> Scheduling {
        let (if_, self_) = (values.next(), values.next());
        let (queue, devnum) = (values.next() as i64, values.next() as i64);
        let of_data = queue == ASYNC_OF_DATA;
        let queue = if of_data { ASYNC_SYNC } else { queue };
        let waits_for = (0..values.next()).map(|_| values.next() as i64).collect();
        Scheduling { on_device: if_ != 0 && self_ == 0, queue, of_data, waits_for, devnum }
    }

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
