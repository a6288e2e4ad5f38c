//! Queues that lag behind the host: what is asked of them stands in line until something waits for it, and
//! then no more is done than what is waited for needs. A program that relies on more shows it.

use super::super::Result;
use super::clock::{Clock, Cost};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, OnceLock};

/// A point in the work of a queue.
#[derive(Debug)]
pub(super) struct Moment {
    queue: u64,
    /// When the queue came there, in nanoseconds of the virtual clock.
    reached: OnceLock<Result<u64>>,
}

impl Moment {
    /// What became of the work before it, if it is over: the time of its end.
    pub(super) fn reached(&self) -> Option<Result<u64>> {
        self.reached.get().cloned()
    }

    fn is_reached(&self) -> bool {
        self.reached.get().is_some()
    }
}

/// What stands in line.
enum Entry<W> {
    Work { work: W, asked: u64 },
    Moment { moment: Arc<Moment>, asked: u64 },
    Wait(Arc<Moment>),
}

/// What a queue is still to do.
struct Line<W> {
    entries: VecDeque<Entry<W>>,
    /// The end of what it has done, or its first error: nothing is done behind one.
    state: Result<u64>,
}

impl<W> Line<W> {
    fn pass(&mut self, time: u64) {
        if let Ok(now) = &mut self.state {
            *now = time.max(*now);
        }
    }

    /// Passes entries that need no work.
    fn settle(&mut self) {
        while let Some(entry) = self.entries.front() {
            match entry {
                Entry::Moment { moment, asked } => {
                    let state = self.state.clone().map(|now| now.max(*asked));
                    // It stands in one line, and once.
                    let _ = moment.reached.set(state);
                }
                Entry::Wait(moment) => match moment.reached() {
                    Some(Ok(time)) => self.pass(time),
                    Some(Err(error)) => self.state = self.state.clone().and(Err(error)),
                    None => return,
                },
                Entry::Work { .. } if self.state.is_ok() => return,
                Entry::Work { .. } => {}
            }
            self.entries.pop_front();
        }
    }
}

/// Work that is due.
pub(super) struct Due<W> {
    pub(super) work: W,
    queue: u64,
    ready: u64,
}

/// All queues, and the virtual clock.
pub(super) struct Lag<W> {
    lines: BTreeMap<u64, Line<W>>,
    /// The time of the latest work that the host has waited for.
    host: u64,
    /// Behind calls of the host, in the order in which they were asked for.
    calls: Vec<Arc<Moment>>,
    clock: Clock,
}

impl<W> Default for Lag<W> {
    fn default() -> Lag<W> {
        Lag { lines: BTreeMap::new(), host: 0, calls: Vec::new(), clock: Clock::default() }
    }
}

impl<W> Lag<W> {
    fn enter(&mut self, queue: u64, entry: Entry<W>) {
        let line = self.lines.entry(queue).or_insert_with(|| Line { entries: VecDeque::new(), state: Ok(0) });
        line.entries.push_back(entry);
        line.settle();
    }

    /// Work comes on a queue.
    pub(super) fn ask(&mut self, queue: u64, work: W) {
        self.enter(queue, Entry::Work { work, asked: self.host });
    }

    /// Work comes on a queue that the host hears of: a device does that of itself.
    pub(super) fn ask_for_call(&mut self, queue: u64, work: W) {
        self.ask(queue, work);
        let moment = self.record(queue);
        self.calls.push(moment);
    }

    /// Marks the point that the work of a queue has now.
    pub(super) fn record(&mut self, queue: u64) -> Arc<Moment> {
        let moment = Arc::new(Moment { queue, reached: OnceLock::new() });
        self.enter(queue, Entry::Moment { moment: Arc::clone(&moment), asked: self.host });
        moment
    }

    /// What comes on a queue is done behind a moment.
    pub(super) fn wait(&mut self, queue: u64, moment: &Arc<Moment>) {
        self.enter(queue, Entry::Wait(Arc::clone(moment)));
    }

    /// The next work on the way to a moment; none if that is reached. `path` is what the work on the way
    /// waits for, at first the moment alone. [`Lag::done`] must follow before anything else is due.
    pub(super) fn next(&mut self, path: &mut Vec<Arc<Moment>>) -> Option<Due<W>> {
        while let Some(moment) = path.last() {
            let queue = moment.queue;
            let Some(line) = self.lines.get_mut(&queue).filter(|_| !moment.is_reached()) else {
                path.pop();
                continue;
            };
            line.settle();
            match line.entries.pop_front() {
                Some(Entry::Work { work, asked }) => {
                    line.pass(asked);
                    let ready = line.state.clone().unwrap_or(asked);
                    return Some(Due { work, queue, ready });
                }
                Some(Entry::Wait(other)) => {
                    path.push(Arc::clone(&other));
                    line.entries.push_front(Entry::Wait(other));
                }
                Some(entry @ Entry::Moment { .. }) => line.entries.push_front(entry),
                None => _ = path.pop(),
            }
        }
        None
    }

    /// The work that was due is done.
    pub(super) fn done(&mut self, (queue, ready): (u64, u64), outcome: Result<Cost>) {
        let end = outcome.map(|cost| self.clock.book(ready, cost));
        if let Some(line) = self.lines.get_mut(&queue) {
            line.state = end;
            line.settle();
        }
    }

    /// The first call of the host that is still to come.
    pub(super) fn next_call(&mut self) -> Option<Arc<Moment>> {
        self.calls.first().cloned()
    }

    /// The host knows that a moment is reached, and of the calls that came on the way.
    pub(super) fn learn(&mut self, moment: &Moment) {
        let calls = self.calls.extract_if(.., |call| call.is_reached());
        let reached = calls.filter_map(|call| call.reached()).chain(moment.reached());
        self.host = reached.filter_map(Result::ok).fold(self.host, u64::max);
        if self.lines.values().all(|line| line.entries.is_empty()) {
            self.clock.forget(self.host);
        }
    }

    /// The last points of all queues.
    pub(super) fn ends(&mut self) -> Vec<Arc<Moment>> {
        let queues: Vec<u64> = self.lines.keys().copied().collect();
        queues.into_iter().map(|queue| self.record(queue)).collect()
    }

    /// A queue gets no more work, and has none left.
    pub(super) fn release(&mut self, queue: u64) {
        self.lines.remove(&queue);
    }

    /// What [`Clock::totals`] says.
    pub(super) fn totals(&self) -> (u64, u64) {
        self.clock.totals()
    }
}

impl<W> Due<W> {
    /// What [`Lag::done`] has to know, and the work.
    pub(super) fn take(self) -> ((u64, u64), W) {
        ((self.queue, self.ready), self.work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::Error;

    /// Does what a moment needs; gives the work in the order in which it was done.
    fn reach(lag: &mut Lag<u32>, goal: &Arc<Moment>) -> Vec<u32> {
        let (mut path, mut all) = (vec![Arc::clone(goal)], Vec::new());
        while let Some(due) = lag.next(&mut path) {
            let (at, work) = due.take();
            all.push(work);
            let outcome = if work < 100 { Ok(Cost::Within(512)) } else { Err(Error::Failed("no".into())) };
            lag.done(at, outcome);
        }
        lag.learn(goal);
        all
    }

    #[test]
    fn only_what_is_waited_for_is_done() {
        let mut lag = Lag::default();
        lag.ask(1, 10);
        let first = lag.record(1);
        lag.ask(1, 11);
        lag.ask(2, 20);
        lag.wait(2, &first);
        lag.ask(2, 21);
        lag.ask(3, 30);
        let second = lag.record(2);
        assert!(first.reached().is_none());
        assert_eq!(reach(&mut lag, &second), [20, 10, 21]);
        assert_eq!(first.reached(), Some(Ok(2001)));
        assert_eq!(second.reached(), Some(Ok(4002)));
        assert!(reach(&mut lag, &second).is_empty());
        // The host has waited, so that what it asks for comes later.
        lag.ask(4, 40);
        let last = lag.record(4);
        assert_eq!(reach(&mut lag, &last), [40]);
        assert_eq!((last.reached(), lag.totals()), (Some(Ok(6003)), (6003, 4 * 2001)));
        let ends = lag.ends();
        assert_eq!(ends.iter().flat_map(|end| reach(&mut lag, end)).collect::<Vec<_>>(), [11, 30]);
        assert_eq!(lag.totals(), (6003, 6 * 2001));
    }

    #[test]
    fn an_error_reaches_what_waits_for_it() {
        let mut lag = Lag::default();
        let before = lag.record(1);
        assert_eq!(before.reached(), Some(Ok(0)), "nothing is in front of it");
        lag.ask(1, 100);
        lag.ask(1, 12);
        let failed = lag.record(1);
        lag.ask(2, 20);
        let beside = lag.record(2);
        lag.wait(2, &failed);
        lag.ask_for_call(2, 21);
        let Some(call) = lag.next_call() else { panic!("it has not come yet") };
        assert_eq!(reach(&mut lag, &call), [20, 100]);
        assert_eq!(beside.reached(), Some(Ok(2001)));
        let error = || Some(Err(Error::Failed("no".into())));
        assert_eq!((failed.reached(), call.reached()), (error(), error()));
        assert!(lag.next_call().is_none());
    }
}
