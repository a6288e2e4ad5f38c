//! Synchronous constructs that the host has not waited for.
//!
//! A region that leaves nothing in the host's memory need not be waited for where its construct ends: the
//! next construct comes behind it on the same queue, and the program cannot tell. So a loop over time
//! launches one region after the other, as a program with `async` does. Whoever could tell settles first: a
//! copy to the host, a queue of another number, a target task, a device address or a stream that the program
//! gets, the time, the end. Devices allow it ([`Device::runs_ahead`]) whose regions can do nothing to the
//! host. Where several strands of the program use a device, each waits: its work is to go on beside that of
//! the others.
//!
//! [`Device::runs_ahead`]: crate::plugin::Device::runs_ahead

use super::state::Memory;
use crate::abi::SourcePos;
use crate::plugin::{Error, Queue, Result};
use crate::site::Site;
use crate::strand::Strand;
use std::fmt;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Constructs on a queue that the host has not waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owed {
    pub(super) queue: Queue,
    /// The first of them.
    since: Option<SourcePos>,
}

impl fmt::Display for Owed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it may be that of an earlier region: the host has not waited for one since ")?;
        match self.since {
            Some(pos) => write!(f, "{}:{}", pos.file.text(), pos.line)?,
            None => f.write_str("a construct before")?,
        }
        f.write_str(", and waits for each with ACCRUE_GRAPH=0")
    }
}

/// Devices that owe something.
static OWING: AtomicUsize = AtomicUsize::new(0);

/// Whether some device owes something.
#[inline]
pub(crate) fn is_owing() -> bool {
    OWING.load(Ordering::Relaxed) > 0
}

impl Memory {
    /// A construct ends whose region the host has not waited for.
    pub(super) fn owe(&self, queue: Queue, site: &Site<'_>) {
        if let Err(error) = self.device.goes_on(queue) {
            site.end(error);
        }
        let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
        if owed.is_none() {
            *owed = Some(Owed { queue, since: site.pos.copied() });
            OWING.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A strand of the program uses the device.
    pub(super) fn used_by(&self, strand: Strand) {
        if *self.strand.get_or_init(|| strand) != strand && !self.is_shared.swap(true, Ordering::Relaxed) {
            self.settle();
        }
    }

    /// Whether the host may go on without waiting for a construct of which nobody sees anything.
    pub(super) fn may_owe(&self) -> bool {
        !self.is_shared.load(Ordering::Relaxed) && self.device.runs_ahead()
    }

    /// The queue with work that the host has not waited for.
    pub(super) fn owing_queue(&self) -> Option<Queue> {
        self.owed.lock().unwrap_or_else(PoisonError::into_inner).map(|owed| owed.queue)
    }

    /// The host has waited for a queue.
    fn paid(&self, queue: Queue) -> Option<Owed> {
        let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
        let paid = owed.take_if(|owed| owed.queue == queue);
        if paid.is_some() {
            OWING.fetch_sub(1, Ordering::Relaxed);
        }
        paid
    }

    /// The host waits for a queue.
    pub(super) fn finish(&self, queue: Queue) -> Result<()> {
        let result = self.device.finish(queue);
        match (result, self.paid(queue)) {
            (Err(Error::Failed(text)), Some(owed)) => Err(Error::Failed(format!("{text} ({owed})"))),
            (result, _) => result,
        }
    }

    /// The host waits for what it has not waited for.
    pub(crate) fn settle(&self) {
        if !is_owing() {
            return;
        }
        let owed = *self.owed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Owed { queue, since }) = owed
            && let Err(error) = self.finish(queue)
        {
            Site { pos: since.as_ref(), ..Site::routine("a region that began here or later") }.end(error);
        }
    }
}
