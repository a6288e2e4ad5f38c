//! Queues: which launches and copies come before which. They tell what could have run at the same time on a
//! device, so that races are found, whenever the work is done: what comes before it is settled when it is
//! asked for ([`Order`]).

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A queue of a device; the default one is its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct QueueId(u32);

/// Who asks for work on a queue, for reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asker {
    /// The directive or routine.
    pub what: String,
    /// File and line.
    pub place: Option<(String, u32)>,
    /// What the program calls the queue; none if the host waits for what it asked for.
    pub queue: Option<i64>,
    /// Its number among all that have asked, from 1; 0 before it has.
    pub number: u64,
}

/// What the host asks the device to do with memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostAccess {
    /// Copies from it to the host.
    CopyOut,
    /// Copies to it from the host.
    CopyIn,
    /// Copies from it to other memory of the device.
    CopyFrom,
    /// Copies to it from other memory of the device.
    CopyTo,
    /// Fills it.
    Fill,
    /// Frees it.
    Free,
}

impl HostAccess {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            HostAccess::CopyOut => "copy to the host",
            HostAccess::CopyIn => "copy to the device",
            HostAccess::CopyFrom => "copy from here on the device",
            HostAccess::CopyTo => "copy to here on the device",
            HostAccess::Fill => "fill",
            HostAccess::Free => "end of its lifetime",
        }
    }

    /// Whether the memory is not what it was afterwards.
    pub fn writes(self) -> bool {
        !matches!(self, HostAccess::CopyOut | HostAccess::CopyFrom)
    }
}

/// A point in time: for each queue, how much of its work is over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Event {
    over: FxHashMap<QueueId, u32>,
}

impl Event {
    pub(crate) fn covers(&self, queue: QueueId, sequence: u32) -> bool {
        self.over.get(&queue).is_some_and(|over| *over >= sequence)
    }

    fn join(&mut self, other: &Event) {
        for (queue, over) in &other.over {
            let known = self.over.entry(*queue).or_insert(0);
            *known = (*known).max(*over);
        }
    }
}

/// All queues.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    created: u32,
    /// What each has done and waited for.
    known: FxHashMap<QueueId, Event>,
    /// What the host has waited for.
    host: Event,
    /// Who asks for the work that comes on each from now on.
    askers: FxHashMap<QueueId, Arc<Asker>>,
    /// How many have asked.
    asked: u64,
}

/// The place of some work among that of all queues, taken when it is asked for.
#[derive(Clone, Debug)]
pub struct Order {
    pub(crate) queue: QueueId,
    /// Its number on the queue; 0 if the host waits for it at once, so that nothing comes beside it.
    pub(crate) sequence: u32,
    /// What comes before it.
    before: Event,
    pub(crate) asker: Option<Arc<Asker>>,
}

impl Order {
    /// Who has asked for the work.
    pub fn asker(&self) -> Option<&Asker> {
        self.asker.as_deref()
    }

    /// Whether work comes before the place. Schedules of one launch that are tried in turn share theirs.
    pub(crate) fn is_behind(&self, queue: QueueId, sequence: u32) -> bool {
        queue == self.queue && sequence <= self.sequence || self.before.covers(queue, sequence)
    }
}

impl Queues {
    pub(crate) fn create(&mut self) -> QueueId {
        self.created += 1;
        QueueId(self.created)
    }

    pub(crate) fn record(&self, queue: QueueId) -> Event {
        self.known.get(&queue).cloned().unwrap_or_default()
    }

    pub(crate) fn wait(&mut self, queue: QueueId, event: &Event) {
        self.known.entry(queue).or_default().join(event);
    }

    pub(crate) fn synchronize(&mut self, event: &Event) {
        self.host.join(event);
    }

    /// Work on a queue takes its place there; what the host waits for at once has no number.
    pub(crate) fn take_place(&mut self, queue: QueueId, host_waits: bool) -> Order {
        let asker = self.askers.get(&queue).cloned();
        let known = self.known.entry(queue).or_default();
        known.join(&self.host);
        let before = known.clone();
        let mut sequence = 0;
        if !host_waits {
            let over = known.over.entry(queue).or_insert(0);
            *over += 1;
            sequence = *over;
        }
        Order { queue, sequence, before, asker }
    }

    /// Whether all work of other queues comes before a place, as far as it has been asked for by now.
    pub(crate) fn is_behind_all(&self, order: &Order) -> bool {
        self.known.iter().all(|(other, known)| {
            let own = known.over.get(other).copied().unwrap_or(0);
            *other == order.queue || own == 0 || order.is_behind(*other, own)
        })
    }

    pub(crate) fn set_asker(&mut self, queue: QueueId, asker: Asker) {
        self.asked += 1;
        self.askers.insert(queue, Arc::new(Asker { number: self.asked, ..asker }));
    }

    /// Forgets a queue that gets no more work.
    pub(crate) fn release(&mut self, queue: QueueId) {
        self.askers.remove(&queue);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_know_what_they_wait_for() {
        let mut queues = Queues::default();
        let (a, b) = (queues.create(), queues.create());
        let first = queues.take_place(a, false);
        let beside = queues.take_place(b, false);
        assert!(!beside.is_behind(a, first.sequence) && !queues.is_behind_all(&beside));
        let event = queues.record(a);
        queues.wait(b, &event);
        let behind = queues.take_place(b, false);
        assert!(behind.is_behind(a, first.sequence) && queues.is_behind_all(&behind));
        let second = queues.take_place(a, false);
        assert!(second.is_behind(a, first.sequence) && !second.is_behind(b, 1));
        assert!(!queues.is_behind_all(&behind), "there is more on the other queue by now");
        queues.synchronize(&queues.record(a));
        let behind = queues.take_place(QueueId::default(), false);
        assert!(behind.is_behind(a, second.sequence) && !queues.is_behind_all(&behind));
        queues.synchronize(&queues.record(b));
        queues.synchronize(&queues.record(QueueId::default()));
        let last = queues.take_place(a, true);
        assert!(last.sequence == 0 && queues.is_behind_all(&last));
    }
}
