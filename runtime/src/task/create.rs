//! A `task` construct: the node is made from the values of its launch, and started or left to the team.

use super::clauses::{Clauses, register};
use super::depend::{Dependence, check, is_exclusive, take_exclusions};
use super::events;
use super::node::{Held, Node, Parts, Ready, Work};
use super::run::{Search, enqueue, execute, execute_included, run_one};
use super::taskloop;
use super::wait::{Awaited, wait};
use crate::abi::{ArgKind, LaunchDesc, MapKind, TASK_DETACHABLE, TASK_FINAL, TASK_LOOP};
use crate::team::idle::Idle;
use crate::team::member::Member;
use crate::values::Values;
use crate::{races, trace};
use smallvec::SmallVec;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

/// Tasks that may be executed at once, each on the stack of the task that creates it. Those behind are
/// executed when the stack is shorter.
const MOST_NESTED: u32 = 64;

/// Ready tasks of a thread, beyond which it executes new ones at once: that they wait any longer would cost
/// memory and gain nothing.
const MANY: usize = 256;

/// Ready tasks of a thread, beside one for each thread, beyond which tasks of its tasks are executed at once
/// as long as nobody looks for one.
const FEW: usize = 2;

/// The arguments of a task: what is known of them before the node is made.
pub(super) struct Arguments<'a> {
    desc: &'static LaunchDesc,
    /// Of each map, its start, its pointer, and of `firstprivate` ones the bytes.
    maps: SmallVec<[(u64, u64, usize); 16]>,
    values: &'a mut Values,
}

impl<'a> Arguments<'a> {
    /// Those of a task whose values are read next, with [`Arguments::read`].
    #[inline(always)]
    pub(super) fn new(desc: &'static LaunchDesc, values: &'a mut Values) -> Arguments<'a> {
        Arguments { desc, maps: SmallVec::new(), values }
    }

    /// Reads the maps, into where they stay: a list that is moved is copied whole, and read behind that.
    #[inline(always)]
    pub(super) fn read(&mut self) {
        for map in self.desc.maps() {
            let (start, bytes, pointer) = self.values.single_run(map).unwrap_or_else(|| {
                let value = self.values.map(map);
                value.check(map);
                (value.start, value.runs.bytes, value.pointer())
            });
            let bytes = if map.kind() == MapKind::FirstPrivate { bytes } else { 0 };
            self.maps.push((start, pointer, bytes as usize));
        }
    }

    /// Room for the bytes, each object at a multiple of [`ALIGN`].
    pub(super) fn bytes(&self) -> usize {
        self.maps.iter().map(|&(_, _, bytes)| bytes.next_multiple_of(ALIGN)).sum()
    }

    /// The arguments, in the order of the descriptor.
    pub(super) fn list(&mut self) -> impl Iterator<Item = u64> {
        self.desc.args().iter().map(|arg| match arg.kind() {
            ArgKind::Address => self.maps[arg.map as usize].0,
            ArgKind::Pointer => self.maps[arg.map as usize].1,
            ArgKind::Value | ArgKind::PointerValue => self.values.next(),
        })
    }

    /// Writes arguments and bytes to where they belong in the node.
    fn write(&mut self, node: &Node) {
        let count = self.desc.args().len();
        let mut place = if self.bytes() > 0 { node.bytes(count) } else { std::ptr::null_mut() };
        races::entries::fresh(place.cast(), self.bytes() as i64);
        for (start, _, bytes) in self.maps.iter_mut().filter(|(.., bytes)| *bytes > 0) {
            let from = std::ptr::with_exposed_provenance::<u8>(*start as usize);
            // SAFETY: the node has room for the bytes, and the program says that they are at this address.
            unsafe { place.copy_from_nonoverlapping(from, *bytes) };
            *start = place.expose_provenance() as u64;
            place = place.wrapping_add(bytes.next_multiple_of(ALIGN));
        }
        for (index, value) in self.list().enumerate() {
            // SAFETY: the node has room for as many arguments as the descriptor says.
            unsafe { node.args().add(index).write(value) };
        }
    }
}

/// The copy of a `firstprivate` object begins at a multiple of this: the largest alignment of a C object that
/// compilers know without being told.
const ALIGN: usize = 64;

/// A `task` construct, or a target task in the program's own memory, which so many gangs execute in turn:
/// creates the task, and executes it if it is to be executed at once.
#[inline(always)]
pub(crate) fn create(
    member: &Member,
    (desc, gangs): (&'static LaunchDesc, u64),
    is_deferred: bool,
    clauses: &Clauses,
    values: &mut Values,
) {
    let parent = member.task();
    let is_final = parent.is_final || clauses.flags & TASK_FINAL != 0;
    let is_awaited = !is_deferred || parent.is_final;
    if clauses.flags & TASK_LOOP != 0 {
        let kind = Kind { is_final, is_awaited, may_be_included: false };
        return create_loop(member, desc, kind, clauses, values);
    }
    let may_be_included = may_be_included(member, is_awaited, clauses);
    if may_be_included && desc.maps().is_empty() {
        // All arguments are values, and stand there in their order.
        return execute_included(member, (desc, gangs), is_final, values.place());
    }
    let kind = Kind { is_final, is_awaited, may_be_included };
    create_with_maps(member, (desc, gangs), kind, (0, clauses), values);
}

/// What is known of a task before its arguments.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) is_final: bool,
    pub(super) is_awaited: bool,
    pub(super) may_be_included: bool,
}

/// All tasks of a `taskloop`. Few of them are executed at once where a single task would be.
#[inline(never)]
fn create_loop(
    member: &Member,
    desc: &'static LaunchDesc,
    kind: Kind,
    clauses: &Clauses,
    values: &mut Values,
) {
    let tasks = member.tasks_of_loop.take();
    let is_small = tasks <= MANY as u64 || member.team.size() == 1;
    let may_be_included = kind.is_awaited || is_small && may_as_well_execute(member);
    taskloop::create(member, desc, Kind { may_be_included, ..kind }, (tasks, clauses), values);
}

/// A task with this number in its loop.
#[inline(never)]
pub(super) fn create_with_maps(
    member: &Member,
    (desc, gangs): (&'static LaunchDesc, u64),
    kind: Kind,
    (number, clauses): (u64, &Clauses),
    values: &mut Values,
) {
    let Kind { is_final, is_awaited, may_be_included } = kind;
    let mut arguments = Arguments::new(desc, values);
    arguments.read();
    let bytes = arguments.bytes();
    if may_be_included && bytes == 0 {
        let mut list: SmallVec<[u64; 16]> = SmallVec::new();
        arguments.list().for_each(|value| list.push(value));
        return execute_included(member, (desc, gangs), is_final, list.as_ptr());
    }
    let place = Node::create(Parts {
        work: Work::Host(desc, gangs),
        target: None,
        piece: None,
        parent: member.task(),
        priority: clauses.priority(),
        is_final,
        is_awaited,
        edges: clauses.count as usize,
        args: desc.args().len(),
        bytes,
    });
    member.slot().count_created();
    // SAFETY: the node is new, and this thread has its reference.
    let node = unsafe { place.as_ref() };
    node.number_in_loop.set(number);
    if clauses.flags & TASK_DETACHABLE != 0 && clauses.event != 0 {
        events::bind(clauses.event, node);
    }
    arguments.write(node);
    // SAFETY: the clauses are those of the directive that is being executed.
    let depends = unsafe { clauses.depends() };
    submit(member, place, depends);
}

/// Enters a new task into the graph, and starts it or leaves it to the team.
pub(crate) fn submit(member: &Member, place: NonNull<Node>, depends: &[Dependence]) {
    // SAFETY: this thread has the reference of the new node.
    let node = unsafe { place.as_ref() };
    if node.is_awaited {
        node.set_waiter(member.parker);
    }
    // SAFETY: the dependences are those of the directive that is being executed.
    let predecessors = unsafe { register(member, node, depends) };
    let is_ready = node.release_guard(predecessors);
    if node.is_awaited {
        await_task(member, Ready(place));
    } else if is_ready {
        if is_to_be_executed_now(member, node) {
            execute(member, Ready(place))
        } else {
            enqueue(Some(member), Ready(place))
        }
    }
}

/// Whether a task that is ready as soon as it is created is executed at once.
fn is_to_be_executed_now(member: &Member, node: &Node) -> bool {
    may_as_well_execute(member) && !is_exclusive(node)
}

/// Whether nothing is gained by leaving a task for later: nobody else is there to execute it, or others wait
/// already. What a task creates, it executes itself as long as all threads are busy and the next that is not
/// finds something: tasks that create tasks would else fill the graph with what one thread does anyway.
#[inline]
fn may_as_well_execute(member: &Member) -> bool {
    let team = &*member.team;
    if member.nested.get() >= MOST_NESTED {
        return false;
    }
    let ready = || member.slot().deque.len();
    let nobody_looks = || team.hungry.load(Ordering::Relaxed) == 0;
    team.size() == 1
        || ready() > MANY
        || !member.task().is_implicit() && nobody_looks() && ready() > FEW + team.size() as usize
}

/// Whether somebody wants to know of each task: a trace, or the search for races.
pub(super) fn are_all_told() -> bool {
    trace::is_on() || races::is_on()
}

/// Whether a task is executed at once, and nobody can learn that it was ever in the graph: no other task is
/// there that it could depend on, and none that depends on it is created before it has ended.
#[inline(always)]
fn may_be_included(member: &Member, is_awaited: bool, clauses: &Clauses) -> bool {
    if clauses.event != 0 || are_all_told() || !(is_awaited || may_as_well_execute(member)) {
        return false;
    }
    // SAFETY: this thread executes the parent.
    let is_alone =
        clauses.count == 0 || unsafe { member.task().table() }.as_ref().is_none_or(|table| table.is_empty());
    if is_alone {
        // SAFETY: the clauses are those of the directive that is being executed.
        unsafe { check(clauses.depends()) };
    }
    is_alone
}

/// Waits for the predecessors of a task, executes it, and waits for its end.
fn await_task(member: &Member, task: Ready) {
    let held = Held::new(task.node());
    wait(member, Awaited::Predecessors(held.node()));
    let mut idle = Idle::default();
    while let Err(others) = take_exclusions(held.node(), None) {
        others.into_iter().for_each(|other| enqueue(Some(member), other));
        if run_one(member) != Search::Executed {
            idle.pass_or_sleep();
        }
    }
    execute(member, task);
    wait(member, Awaited::Completion(held.node()));
}

/// `taskwait` with `depend`: a task without code, for whose predecessors the thread waits, or with `nowait`
/// only later tasks do.
///
/// # Safety
/// The clauses are those of the directive that is being executed.
pub(crate) unsafe fn taskwait_depend(member: &Member, clauses: &Clauses, is_deferred: bool) {
    let parent = member.task();
    let parts = Parts {
        work: Work::Nothing,
        target: None,
        piece: None,
        parent,
        priority: 0,
        is_final: parent.is_final,
        is_awaited: !is_deferred,
        edges: clauses.count as usize,
        args: 0,
        bytes: 0,
    };
    let place = Node::create(parts);
    member.slot().count_created();
    // SAFETY: the caller's promise.
    submit(member, place, unsafe { clauses.depends() });
}
