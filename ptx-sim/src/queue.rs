//! Queues: which launches come before which. Launches run when they are made; queues tell which of them could have run at
//! the same time on a device, so that races between them are found.

use rustc_hash::FxHashMap;

/// A queue of a device; the default one is its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct QueueId(u32);

/// A point in time: for each queue, how many of its launches are over.
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

    /// A launch on a queue: its number there, what is before it, and whether that is all.
    pub(crate) fn launch(&mut self, queue: QueueId) -> (u32, Event, bool) {
        let known = self.known.entry(queue).or_default();
        known.join(&self.host);
        let before = known.clone();
        let over = known.over.entry(queue).or_insert(0);
        *over += 1;
        let number = *over;
        let own = |event: &Event, queue: &QueueId| event.over.get(queue).copied().unwrap_or(0);
        let all = self.known.iter().all(|(other, event)| {
            *other == queue || before.covers(*other, own(event, other)) || own(event, other) == 0
        });
        (number, before, all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_know_what_they_wait_for() {
        let mut queues = Queues::default();
        let (a, b) = (queues.create(), queues.create());
        let (first, ..) = queues.launch(a);
        let (_, before, all) = queues.launch(b);
        assert!(!before.covers(a, first) && !all);
        let event = queues.record(a);
        queues.wait(b, &event);
        let (_, before, all) = queues.launch(b);
        assert!(before.covers(a, first) && all);
        let (second, before, _) = queues.launch(a);
        assert!(before.covers(a, first) && !before.covers(b, 1));
        queues.synchronize(&queues.record(a));
        let (_, before, all) = queues.launch(queues.create_default());
        assert!(before.covers(a, second) && !all);
    }

    impl Queues {
        fn create_default(&self) -> QueueId {
            QueueId::default()
        }
    }
}
