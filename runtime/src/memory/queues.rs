//! Which queue of a device an `async` number means.

use super::Memory;
use crate::abi::{ASYNC_NOVAL, ASYNC_SYNC};
use crate::api::queues::default_queue;
use crate::plugin::{Queue, Result};
use std::collections::BTreeMap;

/// The queues of a device.
#[derive(Default)]
pub(crate) struct Queues {
    /// Those that the program has used, by their number.
    numbered: BTreeMap<i64, Queue>,
    /// Those of synchronous work that nobody uses right now.
    idle: Vec<Queue>,
}

impl Queues {
    /// Every queue there is.
    pub(crate) fn into_all(self) -> impl Iterator<Item = Queue> {
        self.numbered.into_values().chain(self.idle)
    }
}

/// The number of the queue that an `async` argument means on this thread: `None` stands for synchronous.
pub(crate) fn resolve(number: i64) -> Option<i64> {
    let number = if number == ASYNC_SYNC || number >= 0 { number } else { default_queue() };
    (number != ASYNC_SYNC).then_some(if number < 0 { ASYNC_NOVAL } else { number })
}

impl Memory {
    /// The queue of this number, which begins to exist.
    pub(crate) fn queue(&self, number: i64) -> Result<Queue> {
        let mut queues = self.queues();
        if let Some(&queue) = queues.numbered.get(&number) {
            return Ok(queue);
        }
        let queue = self.device.create_queue(true)?;
        queues.numbered.insert(number, queue);
        Ok(queue)
    }

    /// The queue of this number, if the program has used it.
    pub(crate) fn known_queue(&self, number: i64) -> Option<Queue> {
        self.queues().numbered.get(&number).copied()
    }

    /// Lets a number mean another queue.
    pub(crate) fn set_queue(&self, number: i64, queue: Queue) {
        self.queues().numbered.insert(number, queue);
    }

    /// All queues that the program has used.
    pub(crate) fn known_queues(&self) -> Vec<(i64, Queue)> {
        self.queues().numbered.iter().map(|(&number, &queue)| (number, queue)).collect()
    }

    /// A queue for synchronous work, for one thread at a time.
    pub(super) fn borrow_queue(&self) -> Result<Queue> {
        let idle = self.queues().idle.pop();
        idle.map_or_else(|| self.device.create_queue(false), Ok)
    }

    /// Gives back what [`Memory::borrow_queue`] gave.
    pub(super) fn return_queue(&self, queue: Queue) {
        self.queues().idle.push(queue);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::queues::acc_set_default_async;

    #[test]
    fn numbers_without_a_queue_of_their_own() {
        assert_eq!(resolve(ASYNC_SYNC), None);
        assert_eq!(resolve(0), Some(0));
        assert_eq!(resolve(ASYNC_NOVAL), Some(ASYNC_NOVAL));
        acc_set_default_async(7);
        assert_eq!((resolve(ASYNC_NOVAL), resolve(3)), (Some(7), Some(3)));
        acc_set_default_async(ASYNC_SYNC as i32);
        assert_eq!(resolve(ASYNC_NOVAL), None);
    }
}
