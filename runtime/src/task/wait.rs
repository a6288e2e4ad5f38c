//! Waiting for tasks: `taskwait`, the end of a `taskgroup`, tasks that their creator waits for. The thread
//! executes tasks meanwhile.

use super::blocks;
use super::group::Group;
use super::node::Node;
use super::run::{Search, run_one};
use super::submit::{advance_devices, synchronise};
use crate::races::tasks as races;
use crate::team::idle::Idle;
use crate::team::member::Member;
use crate::trace;
use serde_json::json;
use std::ptr::NonNull;
use std::time::Duration;

/// A thread that is asleep in a task looks for tasks this often: nobody knows which of them it may execute.
const NAP: Duration = Duration::from_millis(1);

/// What a thread waits for.
#[derive(Clone, Copy)]
pub(crate) enum Awaited<'a> {
    /// The end of all children of the task that the thread executes.
    Children(&'a Node),
    /// The end of all tasks of a group.
    Group(&'a Group),
    /// The end of all predecessors of a task that the thread starts itself.
    Predecessors(&'a Node),
    /// The end of such a task.
    Completion(&'a Node),
}

impl Awaited<'_> {
    fn name(self) -> &'static str {
        match self {
            Awaited::Children(_) => "taskwait",
            Awaited::Group(_) => "taskgroup",
            Awaited::Predecessors(_) => "predecessors",
            Awaited::Completion(_) => "end of a task",
        }
    }

    fn is_over(self) -> bool {
        match self {
            Awaited::Children(node) => node.children() == 0,
            Awaited::Group(group) => group.tasks() == 0,
            Awaited::Predecessors(node) => node.may_begin(),
            Awaited::Completion(node) => node.is_complete(),
        }
    }

    /// The thread will sleep unless it is over, and wants to be woken.
    fn arm(self) -> bool {
        match self {
            Awaited::Children(node) => !node.await_children(),
            Awaited::Group(group) => !group.await_tasks(),
            Awaited::Predecessors(_) | Awaited::Completion(_) => self.is_over(),
        }
    }

    fn disarm(self) {
        match self {
            Awaited::Children(node) => node.stop_awaiting(),
            Awaited::Group(group) => group.stop_awaiting(),
            Awaited::Predecessors(_) | Awaited::Completion(_) => {}
        }
    }
}

/// Executes tasks until the wait is over.
pub(crate) fn wait(member: &Member, awaited: Awaited<'_>) {
    wait_for(member, awaited);
    match awaited {
        Awaited::Children(parent) => races::children_ended(parent),
        Awaited::Group(group) => {
            races::acquires(group);
            races::is_gone(group);
        }
        Awaited::Predecessors(_) => {}
        Awaited::Completion(node) => races::ended(node),
    }
}

fn wait_for(member: &Member, awaited: Awaited<'_>) {
    let team = &*member.team;
    if awaited.is_over() {
        return;
    }
    let _span = trace::span("wait", awaited.name(), || json!({}));
    let mut idle = Idle::looking(&team.hungry);
    while !awaited.is_over() {
        let search = run_one(member);
        if search == Search::Executed {
            idle = Idle::looking(&team.hungry);
            continue;
        }
        let is_done = match awaited {
            Awaited::Children(parent) => {
                synchronise(team, parent.children(), |task| std::ptr::eq(task.parent, parent))
            }
            Awaited::Group(group) => synchronise(team, group.tasks(), |task| std::ptr::eq(task.group, group)),
            Awaited::Predecessors(_) | Awaited::Completion(_) => false,
        };
        if is_done || advance_devices() {
            continue;
        }
        // Whoever steals what it must not execute had better not go on at once.
        if idle.pass_unless(|| awaited.is_over()) || search == Search::Refused {
            let had_ready = team.has_ready();
            let is_over = || awaited.arm() || (!had_ready && team.has_ready());
            team.sleep_unless(member.number, member.parker, Some(NAP), is_over);
            awaited.disarm();
        }
    }
}

/// `taskwait`.
pub(crate) fn taskwait(member: &Member) {
    let node = member.task();
    wait(member, Awaited::Children(node));
    // SAFETY: this thread executes the task.
    if let Some(table) = unsafe { node.table() } {
        table.clear();
    }
}

/// `taskyield`.
pub(crate) fn taskyield(member: &Member) {
    if run_one(member) != Search::Executed {
        advance_devices();
    }
}

/// `taskgroup`: the construct begins.
pub(crate) fn begin_group(member: &Member) {
    let task = member.task();
    let place = blocks::take(size_of::<Group>()).cast::<Group>();
    // SAFETY: the block is large enough, and nobody's.
    unsafe { place.write(Group::new(task.inner_group.get(), std::ptr::from_ref(task).cast())) };
    task.inner_group.set(place.as_ptr());
}

/// Its end.
pub(crate) fn end_group(member: &Member) {
    let node = member.task();
    let place = node.inner_group.get();
    // SAFETY: `begin_group` made it, and the construct is the innermost.
    let group = unsafe { &*place };
    wait(member, Awaited::Group(group));
    node.inner_group.set(group.outer);
    if let Some(block) = NonNull::new(place.cast_mut()) {
        // SAFETY: all tasks of the group are complete, and it has nothing that must be dropped.
        unsafe { blocks::give(block.cast(), size_of::<Group>()) };
    }
}
