//! Ready tasks are found, executed and completed.
//!
//! A task that is tied to a thread and waits there lets the thread execute only its own descendants (OpenMP
//! 5.2, 12.9), so that no task ever waits for a lock that a task below it on the same stack holds. At a
//! barrier there is no such limit. Tasks are never nested on a stack otherwise than by waiting or by being
//! executed at once: one that another has made ready goes into the deque of the thread.

use super::depend::{give_exclusions, is_exclusive, take_exclusions};
use super::node::{Node, Ready, Work, drop_reference};
use super::submit::{hear, submit};
use crate::abi::{ConstructKind, LaunchDesc};
use crate::gangs::execute::{GangCode, execute_gangs};
use crate::races::tasks as races;
use crate::team::idle::Parker;
use crate::team::member::Member;
use crate::trace;
use crossbeam_deque::Steal;
use serde_json::json;
use std::ptr::NonNull;

/// What became of the search for a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Search {
    /// A task was executed.
    Executed,
    /// There was none.
    Nothing,
    /// There was one that must not be executed now.
    Refused,
}

/// Whether the thread may execute a task where it is.
fn may(member: &Member, task: &Ready) -> bool {
    // SAFETY: the constraint is a task below on the stack.
    let Some(constraint) = (unsafe { member.constraint.get().as_ref() }) else { return true };
    // SAFETY: a task that is ready is not complete.
    let ancestors = unsafe { task.node().ancestors() };
    let mut inner = ancestors.take_while(|node| node.depth >= constraint.depth);
    inner.any(|node| std::ptr::eq(node, constraint))
}

/// Executes a ready task, if there is one that the thread may execute here.
pub(crate) fn run_one(member: &Member) -> Search {
    let team = &*member.team;
    team.finished.take().iter().for_each(|task| hear(task.node()));
    let found = team.urgent.pop(|task| may(member, task));
    let found = found.or_else(|| own(member)).or_else(|| team.beside.pop(|task| may(member, task)));
    let (found, refused) = match found {
        Some(task) => (Some(task), false),
        None if team.size() > 1 => steal(member),
        None => (None, false),
    };
    match found {
        Some(task) => {
            start(member, task);
            Search::Executed
        }
        None if refused => Search::Refused,
        None => Search::Nothing,
    }
}

/// The last task in the thread's own deque. If that may not be executed, none below it may: what comes into
/// the deque while a task waits are its descendants.
fn own(member: &Member) -> Option<Ready> {
    let deque = &member.slot().deque;
    let task = deque.pop()?;
    if may(member, &task) {
        return Some(task);
    }
    deque.push(task);
    None
}

/// The oldest task of another thread, and whether there was one that may not be executed here.
fn steal(member: &Member) -> (Option<Ready>, bool) {
    let team = &*member.team;
    let size = team.size();
    for step in 0..size {
        let victim = (member.victim.get() + step) % size;
        if victim == member.number {
            continue;
        }
        let stealer = &team.slots[victim as usize].stealer;
        loop {
            match stealer.steal() {
                Steal::Success(task) if may(member, &task) => {
                    member.victim.set(victim);
                    return (Some(task), false);
                }
                Steal::Success(task) => {
                    team.beside.push(task);
                    team.wake_one();
                    return (None, true);
                }
                Steal::Empty => break,
                Steal::Retry => {}
            }
        }
    }
    (None, false)
}

/// Executes a task whose predecessors are complete, unless it has to wait for an exclusion.
fn start(member: &Member, task: Ready) {
    if !is_exclusive(task.node()) {
        return execute(member, task);
    }
    match take_exclusions(task.node(), Some(Ready(task.0))) {
        Ok(()) => execute(member, task),
        Err(others) => others.into_iter().for_each(|other| enqueue(Some(member), other)),
    }
}

/// Executes a task whose predecessors are complete, and that has its exclusions.
pub(crate) fn execute(member: &Member, task: Ready) {
    execute_code(member, task.0, task.node().args());
    if task.node().end() {
        complete(Some(member), task.0);
    }
}

/// Executes a task before its parent goes on; it is none of the graph.
pub(crate) fn execute_included(
    member: &Member,
    code: (&'static LaunchDesc, u64),
    is_final: bool,
    args: *const u64,
) {
    execute_numbered(member, code, is_final, (args, 0));
}

/// The same for a task with this number in its loop.
#[inline(always)]
pub(super) fn execute_numbered(
    member: &Member,
    (desc, gangs): (&'static LaunchDesc, u64),
    is_final: bool,
    (args, number): (*const u64, u64),
) {
    let node = Node::included(&member.spares, Work::Host(desc, gangs), member.task(), is_final);
    // SAFETY: the node is new, and this thread's.
    unsafe { node.as_ref() }.number_in_loop.set(number);
    execute_code(member, node, args);
    // SAFETY: the parent is the task that this thread executes.
    unsafe { Node::end_included(&member.spares, node) };
}

#[inline(always)]
fn execute_code(member: &Member, place: NonNull<Node>, args: *const u64) {
    // SAFETY: the caller has a reference to the node.
    let node = unsafe { place.as_ref() };
    let outer = member.current.replace(place);
    let constraint = member.constraint.replace(node);
    member.nested.set(member.nested.get() + 1);
    node.set_waiter(member.parker);
    races::begins(node);
    if node.is_cancelled() || member.team.is_cancelled() {
        node.forget_event();
    } else {
        match node.work {
            Work::Host(desc, gangs) => call(desc, gangs, node.number, args),
            Work::Loop(desc) => execute_piece(member, node, desc),
            Work::Nothing => {}
        }
    }
    races::leaves(node);
    // SAFETY: the task has ended, and this thread has executed it.
    let table = unsafe { node.table() };
    if table.is_some() {
        *table = None;
    }
    member.nested.set(member.nested.get() - 1);
    member.constraint.set(constraint);
    member.current.set(outer);
}

/// Executes tasks of a `taskloop` for which the node stands.
fn execute_piece(member: &Member, node: &Node, desc: &'static LaunchDesc) {
    while let Some(numbers) = node.piece.as_ref().and_then(|piece| piece.next()) {
        for number in numbers {
            execute_numbered(member, (desc, 1), node.is_final, (node.args(), number));
        }
    }
}

#[inline(always)]
fn call(desc: &'static LaunchDesc, gangs: u64, number: u64, args: *const u64) {
    let _span = trace::is_on().then(|| span(desc, number));
    let entry = desc.entry();
    // SAFETY: the arguments were made from the descriptor: one for each parameter.
    unsafe {
        match desc.kind() {
            ConstructKind::Task => entry(args, 0, gangs),
            _ => execute_gangs(GangCode { entry, args, device: None }, gangs),
        }
    }
}

#[cold]
fn span(desc: &LaunchDesc, number: u64) -> trace::Span {
    let place = trace::place(Some(&desc.pos));
    trace::span("task", &desc.region, || json!({ "task": number, "place": place }))
}

/// A task has ended, and its event has happened: its successors may begin, and whoever waits for it goes on.
/// The member is the one whose thread this is, if it is one of the task's team.
pub(crate) fn complete(member: Option<&Member>, task: NonNull<Node>) {
    // SAFETY: the reference of the one who executes the task is given up at the end.
    let node = unsafe { task.as_ref() };
    races::ends(node);
    if is_exclusive(node) {
        give_exclusions(node).into_iter().for_each(|other| enqueue(member, other));
    }
    for successor in node.close() {
        release(member, successor);
    }
    if node.is_awaited {
        node.waiter().into_iter().for_each(Parker::unpark);
    }
    // SAFETY: a group stays until its tasks are complete.
    if let Some(group) = unsafe { node.group.as_ref() } {
        group.remove();
    }
    node.leave_parent();
    let team = node.team;
    // SAFETY: the reference is the one that `Ready` handed on.
    unsafe { drop_reference(node) };
    match member {
        Some(member) => member.slot().count_completed(),
        None => {
            // SAFETY: whoever is no member has made sure that the team stays.
            let team = unsafe { &*team };
            team.count_completed_elsewhere();
            team.wake_all();
        }
    }
}

/// A predecessor of a task is complete.
fn release(member: Option<&Member>, successor: NonNull<Node>) {
    // SAFETY: a task that has not begun is alive; its creator's reference is handed on with it.
    let node = unsafe { successor.as_ref() };
    if node.is_awaited {
        // The waiter may execute the task, and free it, as soon as it has no predecessors.
        let waiter = node.waiter();
        if node.release() {
            waiter.into_iter().for_each(Parker::unpark);
        }
    } else if node.release() {
        match node.target {
            Some(_) => submit(successor),
            None => enqueue(member, Ready(successor)),
        }
    }
}

/// Hands a ready task to the team.
pub(crate) fn enqueue(member: Option<&Member>, task: Ready) {
    let team = task.node().team;
    // SAFETY: a team stays while it has tasks; this one is not complete, or its team is the caller's.
    let team = unsafe { &*team };
    if task.priority() > 0 {
        team.urgent.push(task);
    } else {
        match member {
            Some(member) => member.slot().deque.push(task),
            None => team.beside.push(task),
        }
    }
    team.wake_one();
}
