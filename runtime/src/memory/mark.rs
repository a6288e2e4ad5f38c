//! Points in the work of queues that blocks of the present table and target tasks wait for.
//!
//! A mark costs the host and the device an event, and most marks nobody ever waits for: the one who comes
//! next is on the same queue. So the event is recorded when somebody asks for it. What came on the queue
//! meanwhile is before the event, too: who waits then waits longer than it has to, but for nothing that could
//! wait for it.

use crate::plugin::{Device, Event, Queue, Result};
use crate::strand::Strand;
use smallvec::SmallVec;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A point in the work of a queue, for as long as somebody may have to wait for it.
pub(crate) struct Mark {
    pub(super) device: &'static dyn Device,
    /// The queue.
    pub(crate) queue: Queue,
    event: OnceLock<Event>,
    /// Who may rely on waiting for it.
    pub(super) promise: Promise,
    /// Queues that wait for it, each with whether the program may rely on that.
    followers: Mutex<SmallVec<[(Queue, bool); 2]>>,
}

/// Whether a program may rely on work of one queue that waits for a mark of another one. If not, the runtime
/// waits only to be careful with memory, and a device that looks for mistakes of the program reports them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Promise {
    /// To everybody: before it there is work that a thread of the host waits for. Another thread finds the
    /// data present meanwhile, and cannot know that its copy is still on the way.
    All,
    /// To compute constructs, as to a construct of this strand: which of them makes, fills and frees the data
    /// that they share is not theirs to know. To other strands, too, which cannot wait for it.
    Constructs(Strand),
    /// To nobody: whoever writes an asynchronous data directive, or calls such a routine, has to let others
    /// wait.
    None,
}

impl Mark {
    /// Behind what is on a queue now, and what comes until somebody asks for its event.
    pub(crate) fn new(device: &'static dyn Device, queue: Queue, promise: Promise) -> Mark {
        Mark { device, queue, event: OnceLock::new(), promise, followers: Mutex::default() }
    }

    /// Whether nobody has asked for its event: it comes to be behind what the queue gets meanwhile.
    pub(super) fn is_open(&self) -> bool {
        self.event.get().is_none()
    }

    /// Lets a queue wait for it, as the program may rely on or not. All that comes on the queue later is
    /// behind the mark, so that one wait is enough.
    pub(super) fn lead(&self, queue: Queue, is_promised: bool) -> Result<()> {
        let mut followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
        if followers.contains(&(queue, is_promised)) {
            return Ok(());
        }
        let event = self.event()?;
        match is_promised {
            true => self.device.wait(queue, event)?,
            false => self.device.guard(queue, event)?,
        }
        followers.push((queue, is_promised));
        Ok(())
    }

    /// Its event.
    pub(crate) fn event(&self) -> Result<Event> {
        if let Some(&event) = self.event.get() {
            return Ok(event);
        }
        let event = self.device.record(self.queue)?;
        let first = *self.event.get_or_init(|| event);
        if first != event {
            // Another thread was faster.
            self.device.release_event(event);
        }
        Ok(first)
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.event.take().into_iter().for_each(|event| self.device.release_event(event));
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {:?}", self.event, self.queue)
    }
}
