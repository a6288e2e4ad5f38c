//! Points in the work of queues that blocks of the present table wait for.

use crate::plugin::{Device, Event, Queue};
use std::fmt;

/// A point in the work of a queue, for as long as somebody may have to wait for it.
pub(crate) struct Mark {
    pub(super) device: &'static dyn Device,
    /// The queue.
    pub(crate) queue: Queue,
    pub(super) event: Event,
    /// A compute construct is behind it.
    pub(super) of_construct: bool,
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.device.release_event(self.event);
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {:?}", self.event, self.queue)
    }
}
