//! Where tasks begin, wait and end.

use super::clock::Clock;
#[cfg(feature = "sim")]
use super::course::Moment;
use super::course::{Course, Ends, Kind, lock};
use super::{is_on, memory};
use crate::abi::SourcePos;
use crate::finding::Place;
use crate::task::node::Node;
use crate::team::member::known;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex};

/// What locks, atomic objects and the like hand on, by their addresses.
static HANDED_ON: Mutex<Option<FxHashMap<usize, Clock>>> = Mutex::new(None);

thread_local! {
    /// The target task that the thread submits.
    static SUBMITTED: RefCell<Option<Arc<Course>>> = const { RefCell::new(None) };
    /// The chain of the course of which the thread told last that it is about to read an atomic object, and
    /// the object.
    static READ: Cell<(u32, usize)> = const { Cell::new((0, 0)) };
}

/// The course of the code that the thread executes; none before there are tasks or teams.
pub(super) fn current() -> Option<Arc<Course>> {
    // A thread that ends submits nothing.
    let submitted = SUBMITTED.try_with(|course| course.borrow().clone()).ok().flatten();
    let course = submitted.or_else(|| known().and_then(|member| of(member.task())))?;
    let (chain, read) = READ.take();
    if read != 0 && chain == course.chain {
        learn(&course, read);
    }
    Some(course)
}

/// The course of a task. A task that its creator has executed at once has none of its own, and nor have the
/// teams of a league.
fn of(mut node: &Node) -> Option<Arc<Course>> {
    loop {
        if let Some(course) = node.course.get() {
            return Some(Arc::clone(course));
        }
        // SAFETY: a parent stays as long as a task that it executes itself.
        node = unsafe { node.parent.as_ref() }?;
    }
}

/// The same; an initial task begins if there is none.
fn found(node: &Node) -> Arc<Course> {
    memory::activate();
    of(node).unwrap_or_else(|| Arc::clone(node.course.get_or_init(Course::initial)))
}

/// A task is created.
pub(crate) fn created(parent: &Node, node: &Node, pos: Option<&SourcePos>) {
    if is_on() {
        let kind = if node.target.is_some() { Kind::Target } else { Kind::Task };
        let place = pos.map(place_of);
        let course = found(parent).begin(kind, place, None);
        // The node is new.
        let _ = node.course.set(course);
    }
}

fn place_of(pos: &SourcePos) -> Place {
    Place { file: pos.file.text().to_owned(), line: pos.line, column: 0 }
}

/// A new task comes behind another one.
pub(crate) fn depends(node: &Node, on: &Node) {
    if let (Some(course), Some(other)) = (node.course.get(), on.course.get()) {
        course.follow(other);
    }
}

/// All that a task comes behind has ended, and it begins.
pub(crate) fn begins(node: &Node) {
    let Some(course) = node.course.get() else { return };
    course.start();
    // SAFETY: the task is ready: its exclusions do not change any more.
    let exclusions = unsafe { &*node.exclusions.get() };
    exclusions.iter().for_each(|exclusion| learn(course, Arc::as_ptr(exclusion).addr()));
}

/// The code of a host task has ended.
pub(crate) fn leaves(node: &Node) {
    let Some(course) = node.course.get() else { return };
    // SAFETY: as above.
    let exclusions = unsafe { &*node.exclusions.get() };
    exclusions.iter().for_each(|exclusion| tell(course, Arc::as_ptr(exclusion).addr()));
}

/// A task is complete; nobody has been told yet.
pub(crate) fn ends(node: &Node) {
    let Some(course) = node.course.get() else { return };
    if !node.group.is_null() {
        tell(course, node.group.addr());
    }
    tell(course, node.team.addr());
    course.end();
}

/// The event of a task has happened, which is not over before.
pub(crate) fn fulfils(node: &Node) {
    if let (Some(course), Some(here)) = (node.course.get(), current_if_on()) {
        course.learn(&here.publish());
    }
}

fn current_if_on() -> Option<Arc<Course>> {
    if is_on() { current() } else { None }
}

/// A thread has waited for the children of its task.
pub(crate) fn children_ended(parent: &Node) {
    if is_on()
        && let Some(course) = of(parent)
    {
        course.await_children();
        calm(&course);
    }
}

/// A thread has waited for a task.
pub(crate) fn ended(node: &Node) {
    if let (Some(course), Some(other)) = (current_if_on(), node.course.get()) {
        course.come_behind(other);
        calm(&course);
    }
}

/// Where nothing is left to be ordered, accesses are forgotten.
fn calm(course: &Course) {
    if course.is_alone() {
        course.begin_anew();
        memory::forget_all();
        *lock(&HANDED_ON) = None;
    }
}

/// What the thread has done comes before what others do behind [`acquires`] of the same place.
#[inline]
pub(crate) fn releases<T: ?Sized>(place: *const T) {
    if is_on() {
        hand_on(place.addr());
    }
}

#[cold]
fn hand_on(place: usize) {
    current().iter().for_each(|course| tell(course, place));
}

/// The other side of [`releases`].
#[inline]
pub(crate) fn acquires<T: ?Sized>(place: *const T) {
    if is_on() {
        take_on(place.addr());
    }
}

#[cold]
fn take_on(place: usize) {
    current().iter().for_each(|course| learn(course, place));
}

/// Nothing is handed on there any more.
pub(crate) fn is_gone<T>(place: *const T) {
    if is_on()
        && let Some(all) = &mut *lock(&HANDED_ON)
    {
        all.remove(&place.addr());
    }
}

/// The thread has told that it reads an atomic object, and writes it perhaps. Another thread may write it
/// before this one reads: what it hands on is learned before anything else is done.
pub(super) fn passes(course: &Course, place: usize, is_write: bool) {
    learn(course, place);
    if is_write {
        tell(course, place);
    }
    READ.set((course.chain, place));
}

fn tell(course: &Course, place: usize) {
    let clock = course.publish();
    lock(&HANDED_ON).get_or_insert_default().entry(place).or_default().join(&clock);
}

fn learn(course: &Course, place: usize) {
    if let Some(clock) = lock(&HANDED_ON).as_ref().and_then(|all| all.get(&place)) {
        course.learn(clock);
    }
}

/// Where the thread is, for what a device does on its behalf.
#[cfg(feature = "sim")]
pub(crate) fn moment() -> Option<Moment> {
    Some(current_if_on()?.moment())
}

/// The thread submits a target task meanwhile.
pub(crate) fn submitting<T>(node: &Node, work: impl FnOnce() -> T) -> T {
    let Some(course) = node.course.get() else { return work() };
    begins(node);
    let outer = SUBMITTED.replace(Some(Arc::clone(course)));
    let result = work();
    SUBMITTED.set(outer);
    result
}

/// What the threads of a team begin with, and where their ends are noted.
pub(crate) struct Fork {
    course: Arc<Course>,
    ends: Arc<Mutex<Ends>>,
}

/// A team begins.
pub(crate) fn fork(task: &Node) -> Option<Fork> {
    is_on().then(|| Fork { course: found(task), ends: Arc::default() })
}

impl Fork {
    /// A thread of the team begins its implicit task.
    pub(crate) fn thread(&self, implicit: &Node) {
        // The node is new.
        let _ = implicit.course.set(self.course.begin(Kind::Thread, None, Some(&self.ends)));
    }

    /// All threads and tasks of the team have ended.
    pub(crate) fn join<T>(&self, team: *const T) {
        self.course.await_ends(&self.ends);
        learn(&self.course, team.addr());
        is_gone(team);
        calm(&self.course);
    }
}

/// A thread of a team has come to the end of the region: tasks that it executes there are no part of its own.
pub(crate) fn thread_ends(implicit: &Node) {
    implicit.course.get().into_iter().for_each(|course| course.end());
}
