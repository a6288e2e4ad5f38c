//! Queues: which launches and copies come before which. Work is done when it is asked for; queues tell what
//! could have run at the same time on a device, so that races are found.

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
}

/// What comes before some work on a queue.
#[derive(Clone, Debug)]
pub(crate) struct Before {
    event: Event,
    /// Whether that is all there is.
    pub(crate) all: bool,
}

impl Before {
    pub(crate) fn covers(&self, queue: QueueId, sequence: u32) -> bool {
        self.event.covers(queue, sequence)
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

    /// What comes before the next work on a queue.
    pub(crate) fn before(&mut self, queue: QueueId) -> Before {
        let known = self.known.entry(queue).or_default();
        known.join(&self.host);
        let event = known.clone();
        let own = |event: &Event, queue: &QueueId| event.over.get(queue).copied().unwrap_or(0);
        let all = self.known.iter().all(|(other, known)| {
            *other == queue || event.covers(*other, own(known, other)) || own(known, other) == 0
        });
        Before { event, all }
    }

    /// Work on a queue: its number there, and what is before it.
    pub(crate) fn add(&mut self, queue: QueueId) -> (u32, Before) {
        let before = self.before(queue);
        let over = self.known.entry(queue).or_default().over.entry(queue).or_insert(0);
        *over += 1;
        (*over, before)
    }

    pub(crate) fn set_asker(&mut self, queue: QueueId, asker: Asker) {
        self.askers.insert(queue, Arc::new(asker));
    }

    pub(crate) fn asker(&self, queue: QueueId) -> Option<Arc<Asker>> {
        self.askers.get(&queue).cloned()
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
        let (first, _) = queues.add(a);
        let (_, before) = queues.add(b);
        assert!(!before.covers(a, first) && !before.all);
        let event = queues.record(a);
        queues.wait(b, &event);
        let (_, before) = queues.add(b);
        assert!(before.covers(a, first) && before.all);
        let (second, before) = queues.add(a);
        assert!(before.covers(a, first) && !before.covers(b, 1));
        queues.synchronize(&queues.record(a));
        let (_, before) = queues.add(QueueId::default());
        assert!(before.covers(a, second) && !before.all);
        queues.synchronize(&queues.record(b));
        queues.synchronize(&queues.record(QueueId::default()));
        assert!(queues.before(a).all);
    }
}
