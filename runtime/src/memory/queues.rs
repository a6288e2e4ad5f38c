//! The queues of a device, by the numbers that the program gives them.

use crate::plugin::Queue;
use std::collections::BTreeMap;

/// The queues of a device.
#[derive(Default)]
pub(crate) struct Queues {
    /// Those that the program has used, by their number.
    pub(super) numbered: BTreeMap<i64, Queue>,
    /// Those of synchronous work that nobody uses right now.
    pub(super) idle: Vec<Queue>,
    /// Those of target tasks.
    pub(super) tasks: Vec<TaskQueue>,
}

/// A queue of target tasks.
pub(super) struct TaskQueue {
    pub(super) queue: Queue,
    /// Chains of tasks that are on it.
    pub(super) users: u32,
    /// The device prefers its work.
    pub(super) is_urgent: bool,
}

impl Queues {
    /// Every queue there is.
    pub(crate) fn into_all(self) -> impl Iterator<Item = Queue> {
        self.numbered.into_values().chain(self.idle).chain(self.tasks.into_iter().map(|known| known.queue))
    }
}
