//! Dependences: a table per parent task, from addresses to the tasks that used them last.
//!
//! The tasks of an address come in generations. Those of a generation do not depend on each other, and each
//! depends on all of the generation before: a task with `out` or `inout` is one of its own, tasks in a row
//! with `in`, `mutexinoutset` or `inoutset` share one. So the last two generations are all that new tasks can
//! depend on. Host tasks of `mutexinoutset` exclude each other in the order in which they begin; a target
//! task is on its queue before others have ended, so that the order is that of their creation.

use super::node::{Held, Node, Ready};
use crate::fatal::fatal;
use crate::races;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A dependence as compiled code writes it, and the object behind an `omp_depend_t`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub(crate) struct Dependence {
    /// Of the variable; of a `depobj`, of the object.
    pub(crate) address: u64,
    /// Its kind.
    pub(crate) kind: u64,
}

const IN: u64 = 1;
const OUT: u64 = 2;
const INOUT: u64 = 3;
const MUTEXINOUTSET: u64 = 4;
const INOUTSET: u64 = 5;
const DEPOBJ: u64 = 6;
const ALL_OUT: u64 = 7;
const ALL_INOUT: u64 = 8;

/// What a generation has in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `out`, `inout`: one task.
    Write,
    /// `in`.
    Read,
    /// `mutexinoutset`.
    Exclude,
    /// `inoutset`.
    Set,
}

type Tasks = SmallVec<[Held; 2]>;

/// What is known of an address.
#[derive(Clone)]
struct Entry {
    kind: Kind,
    current: Tasks,
    previous: Tasks,
    /// Of tasks with `mutexinoutset`.
    exclusion: Option<Arc<Exclusion>>,
}

/// The dependences of a task's children.
#[derive(Default)]
pub(crate) struct Table {
    entries: FxHashMap<u64, Entry>,
    /// The last task with `omp_all_memory`: every address begins with it.
    all: Option<Held>,
    /// Entries that may be there before complete ones are looked for.
    most: usize,
}

/// Entries that no one looks at twice.
const FEW: usize = 1024;

impl Table {
    /// Whether no task can be one that a new one depends on.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.all.is_none()
    }

    /// All tasks are complete: nothing depends on them.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.all = None;
    }

    /// Enters a new task: `found` gets each task that it depends on, some of them more than once.
    ///
    /// # Safety
    /// The list's `depobj` lead to objects of dependences.
    pub(crate) unsafe fn register(&mut self, node: &Node, list: &[Dependence], found: &mut dyn FnMut(&Node)) {
        if self.entries.len() > self.most.max(FEW) && !races::is_on() {
            self.entries.retain(|_, entry| !entry.is_complete());
            self.most = 2 * self.entries.len();
        }
        for &dependence in list {
            // SAFETY: the caller's promise.
            let dependence = unsafe { resolve(dependence) };
            match kind(dependence) {
                Some(Kind::Exclude) if node.target.is_some() => {
                    self.register_one(node, dependence.address, Kind::Write, found);
                }
                Some(kind) => self.register_one(node, dependence.address, kind, found),
                None => self.register_all(node, found),
            }
        }
    }

    fn register_one(&mut self, node: &Node, address: u64, kind: Kind, found: &mut dyn FnMut(&Node)) {
        let all = &self.all;
        let entry = self.entries.entry(address).or_insert_with(|| {
            all.iter().for_each(is_entered);
            Entry {
                kind: Kind::Write,
                current: all.iter().cloned().collect(),
                previous: Tasks::new(),
                exclusion: None,
            }
        });
        if kind == Kind::Write || entry.kind != kind {
            entry.next_generation(kind);
        }
        let others = entry.previous.iter().map(Held::node).filter(|&other| !std::ptr::eq(other, node));
        others.for_each(found);
        if kind == Kind::Exclude {
            let exclusion = entry.exclusion.get_or_insert_default();
            // SAFETY: the node is new; nobody else looks at its exclusions before it may begin.
            let list = unsafe { &mut *node.exclusions.get() };
            if let Err(at) = list.binary_search_by_key(&Arc::as_ptr(exclusion), Arc::as_ptr) {
                list.insert(at, Arc::clone(exclusion));
            }
        }
        // A generation does not grow for ever: complete tasks are nobody's predecessors, but in the program's
        // order.
        let is_large = entry.current.len() >= 8 && entry.current.len().is_power_of_two();
        if is_large && !races::is_on() {
            entry.current.retain(|other| !other.node().is_complete());
        }
        entry.current.push(Held::new(node));
        entry.current.last().into_iter().for_each(is_entered);
    }

    fn register_all(&mut self, node: &Node, found: &mut dyn FnMut(&Node)) {
        for entry in self.entries.values() {
            // A generation to which the task itself belongs leaves it to the one before.
            for other in entry.current.iter().chain(&entry.previous) {
                if !std::ptr::eq(other.node(), node) {
                    found(other.node());
                }
            }
        }
        if let Some(all) = self.all.as_ref().filter(|all| !std::ptr::eq(all.node(), node)) {
            found(all.node());
        }
        self.entries.clear();
        self.all = Some(Held::new(node));
        self.all.iter().for_each(is_entered);
    }
}

/// New tasks find a task.
fn is_entered(task: &Held) {
    task.node().target.iter().for_each(|target| target.is_entered(true));
}

impl Entry {
    fn next_generation(&mut self, kind: Kind) {
        // What comes behind a write depends on that alone.
        let before_last = self.previous.iter().filter(|_| self.kind != Kind::Write);
        let last = self.current.iter().filter(|_| kind == Kind::Write);
        for target in before_last.chain(last).filter_map(|task| task.node().target.as_ref()) {
            target.is_entered(false);
        }
        std::mem::swap(&mut self.previous, &mut self.current);
        self.current.clear();
        self.kind = kind;
    }

    fn is_complete(&self) -> bool {
        self.current.iter().chain(&self.previous).all(|task| task.node().is_complete())
    }
}

/// The kind of a dependence; none of `omp_all_memory`. One that nobody knows ends the program.
fn kind(dependence: Dependence) -> Option<Kind> {
    match dependence.kind {
        IN => Some(Kind::Read),
        OUT | INOUT => Some(Kind::Write),
        MUTEXINOUTSET => Some(Kind::Exclude),
        INOUTSET => Some(Kind::Set),
        ALL_OUT | ALL_INOUT => None,
        other => fatal(format_args!(
            "a dependence of the unknown kind {other}: the program is newer, or an omp_depend_t was never \
             initialised"
        )),
    }
}

/// Ends the program if a dependence has a kind that nobody knows.
///
/// # Safety
/// As for [`resolve`].
pub(crate) unsafe fn check(list: &[Dependence]) {
    for &dependence in list {
        // SAFETY: the caller's promise.
        kind(unsafe { resolve(dependence) });
    }
}

/// The dependence behind a `depobj`.
///
/// # Safety
/// The address of a `depobj` leads to an object of a dependence.
pub(crate) unsafe fn resolve(dependence: Dependence) -> Dependence {
    if dependence.kind != DEPOBJ {
        return dependence;
    }
    let object = std::ptr::with_exposed_provenance::<Dependence>(dependence.address as usize);
    // SAFETY: the caller's promise.
    unsafe { object.read() }
}

/// What tasks with `mutexinoutset` of one address have one after the other.
#[derive(Default)]
pub(crate) struct Exclusion {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_taken: bool,
    waiting: Vec<Ready>,
}

impl Exclusion {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self) -> Vec<Ready> {
        let mut state = self.state();
        state.is_taken = false;
        std::mem::take(&mut state.waiting)
    }
}

/// Takes the exclusions of a task that may begin otherwise. If another task has one of them, nothing is
/// taken: `waiting` is left there, and the caller gets the tasks that waited for those it has had meanwhile.
pub(crate) fn take_exclusions(node: &Node, waiting: Option<Ready>) -> Result<(), Vec<Ready>> {
    // SAFETY: the task is ready: its exclusions do not change any more. Another thread may execute and free
    // it once it waits, so that the list is copied.
    let list: SmallVec<[Arc<Exclusion>; 4]> = unsafe { &*node.exclusions.get() }.iter().cloned().collect();
    for (index, exclusion) in list.iter().enumerate() {
        let mut state = exclusion.state();
        if state.is_taken {
            state.waiting.extend(waiting);
            drop(state);
            return Err(list[..index].iter().flat_map(|taken| taken.give_back()).collect());
        }
        state.is_taken = true;
    }
    Ok(())
}

/// Gives back the exclusions of a task that has ended; gives the tasks that waited for them.
pub(crate) fn give_exclusions(node: &Node) -> Vec<Ready> {
    // SAFETY: as above.
    let list = unsafe { &*node.exclusions.get() };
    list.iter().flat_map(|exclusion| exclusion.give_back()).collect()
}

/// Whether a task has exclusions.
pub(crate) fn is_exclusive(node: &Node) -> bool {
    // SAFETY: as above.
    !unsafe { &*node.exclusions.get() }.is_empty()
}
