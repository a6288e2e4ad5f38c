//! Courses: what the program does in order, and what it orders before and behind.

use super::clock::Clock;
use crate::finding::Place;
use std::ops::DerefMut;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Whose course it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// An initial task's.
    Initial,
    /// A thread's of a team.
    Thread,
    /// A host task's.
    Task,
    /// A target task's.
    Target,
}

/// What reports say of a course.
#[derive(Debug)]
pub(crate) struct About {
    /// Whose it is.
    pub(crate) kind: Kind,
    /// The directive.
    pub(crate) place: Option<Place>,
    /// The initial task that it comes from, by its chain: how threads are ordered that the program has made
    /// otherwise, nobody knows.
    pub(crate) root: u32,
}

/// What one waits for who waits for several courses.
#[derive(Default, Debug)]
pub(crate) struct Ends {
    clock: Clock,
    /// Chains of courses that have ended, each with its last time.
    chains: Vec<(u32, u32)>,
}

/// A course.
#[derive(Debug)]
pub(crate) struct Course {
    /// For reports.
    pub(crate) about: Arc<About>,
    pub(super) chain: u32,
    generation: u32,
    state: Mutex<State>,
    /// Where its end is noted.
    outer: Option<Arc<Mutex<Ends>>>,
    /// Tasks that it has created, and that have ended.
    children: Arc<Mutex<Ends>>,
    /// What is over where it has ended.
    end: OnceLock<Clock>,
}

#[derive(Debug)]
struct State {
    time: u32,
    known: Clock,
    /// What it comes behind as soon as it begins.
    behind: Vec<Arc<Course>>,
    /// Chains on which its children may go on, each with its last time.
    chains: Vec<(u32, u32)>,
}

/// Where a course is.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(super) about: Arc<About>,
    pub(super) chain: u32,
    pub(super) time: u32,
    pub(super) known: Clock,
}

/// The last times of all chains on which courses have ended.
static CHAINS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
/// Courses that have not ended, but for initial tasks.
static OPEN: AtomicUsize = AtomicUsize::new(0);
/// How often all was over: chains of different generations have nothing to do with each other.
static GENERATION: AtomicU32 = AtomicU32::new(0);
/// Initial tasks.
static INITIAL: AtomicUsize = AtomicUsize::new(0);

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn new_chain() -> u32 {
    let mut chains = lock(&CHAINS);
    chains.push(0);
    chains.len() as u32 - 1
}

impl Course {
    fn new(
        about: About,
        (chain, time): (u32, u32),
        known: Clock,
        outer: Option<Arc<Mutex<Ends>>>,
    ) -> Arc<Course> {
        let state = State { time, known, behind: Vec::new(), chains: Vec::new() };
        Arc::new(Course {
            about: Arc::new(about),
            chain,
            generation: GENERATION.load(Ordering::Relaxed),
            state: Mutex::new(state),
            outer,
            children: Arc::default(),
            end: OnceLock::new(),
        })
    }

    /// An initial task's: nothing is known of what was before.
    pub(crate) fn initial() -> Arc<Course> {
        INITIAL.fetch_add(1, Ordering::Relaxed);
        let chain = new_chain();
        let about = About { kind: Kind::Initial, place: None, root: chain };
        Course::new(about, (chain, 1), Clock::default(), None)
    }

    /// One that begins here; its end is noted as that of a child, or where `outer` says.
    pub(crate) fn begin(
        &self,
        kind: Kind,
        place: Option<Place>,
        outer: Option<&Arc<Mutex<Ends>>>,
    ) -> Arc<Course> {
        OPEN.fetch_add(1, Ordering::Relaxed);
        let outer = outer.unwrap_or(&self.children);
        let known = self.publish();
        let chain = lock(&self.state).chains.pop();
        let (chain, last) = chain.unwrap_or_else(|| (new_chain(), 0));
        let about = About { kind, place, root: self.about.root };
        Course::new(about, (chain, last + 1), known, Some(Arc::clone(outer)))
    }

    /// It comes behind another one, which ends before this one starts.
    pub(crate) fn follow(&self, other: &Arc<Course>) {
        if other.generation == GENERATION.load(Ordering::Relaxed) {
            lock(&self.state).behind.push(Arc::clone(other));
        }
    }

    /// What it comes behind is over.
    pub(crate) fn start(&self) {
        let behind = std::mem::take(&mut lock(&self.state).behind);
        behind.iter().for_each(|other| self.learn(&other.at_end()));
    }

    /// It has ended.
    pub(crate) fn end(&self) {
        let clock = self.publish();
        let State { time, chains, .. } = &mut *lock(&self.state);
        let mut chains = std::mem::take(chains);
        chains.push((self.chain, *time));
        lock(&CHAINS)[self.chain as usize] = *time;
        // A course ends once.
        let _ = self.end.set(clock.clone());
        if let Some(outer) = &self.outer {
            let ends = &mut *lock(outer);
            ends.clock.join(&clock);
            ends.chains.append(&mut chains);
        }
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }

    /// What is over behind it. A target task that has not ended does nothing that would change this.
    fn at_end(&self) -> Clock {
        self.end.get().cloned().unwrap_or_else(|| self.over(&lock(&self.state)))
    }

    fn over(&self, state: &State) -> Clock {
        let mut clock = state.known.clone();
        clock.pass(self.chain, state.time);
        clock
    }

    /// What is over by now; what comes is later than that.
    pub(super) fn publish(&self) -> Clock {
        let mut state = lock(&self.state);
        let clock = self.over(&state);
        state.time += 1;
        clock
    }

    /// It comes behind what is over by a clock.
    pub(super) fn learn(&self, clock: &Clock) {
        lock(&self.state).known.join(clock);
    }

    /// It comes behind another one that has ended.
    pub(crate) fn come_behind(&self, other: &Course) {
        self.learn(&other.at_end());
    }

    /// It has waited for its children.
    pub(crate) fn await_children(&self) {
        self.await_ends(&self.children);
    }

    /// It has waited for courses.
    pub(crate) fn await_ends(&self, ends: &Mutex<Ends>) {
        let Ends { clock, mut chains } = std::mem::take(lock(ends).deref_mut());
        let mut state = lock(&self.state);
        state.known.join(&clock);
        state.chains.append(&mut chains);
    }

    /// Whether nothing but this initial task is left, and all that was comes before what it does.
    pub(crate) fn is_alone(&self) -> bool {
        if self.about.kind != Kind::Initial
            || OPEN.load(Ordering::Relaxed) > 0
            || INITIAL.load(Ordering::Relaxed) > 1
        {
            return false;
        }
        let state = lock(&self.state);
        let last = lock(&CHAINS);
        (0..).zip(last.iter()).all(|(chain, &time)| chain == self.chain || state.known.covers(chain, time))
    }

    /// All that was is over: what is known of it takes memory and time only. To be called of a course that is
    /// alone.
    pub(crate) fn begin_anew(&self) {
        GENERATION.fetch_add(1, Ordering::Relaxed);
        lock(&CHAINS).truncate(self.chain as usize + 1);
        *lock(&self.children) = Ends::default();
        let mut state = lock(&self.state);
        (state.known, state.chains) = Default::default();
    }

    /// Where it is.
    pub(crate) fn moment(&self) -> Moment {
        let state = lock(&self.state);
        let about = Arc::clone(&self.about);
        Moment { about, chain: self.chain, time: state.time, known: state.known.clone() }
    }
}
