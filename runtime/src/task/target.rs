//! A directive that is a target task: the node is made from its clauses, and submitted when it is ready.

use super::clauses::{Clauses, register};
use super::events;
use super::node::{Code, Held, Node, Parts, Target, Work};
use super::submit::{end, submit, submit_with};
use super::wait::{Awaited, wait};
use crate::abi::{TASK_DETACHABLE, TASK_FINAL};
use crate::memory::Memory;
use crate::team::member::Member;
use crate::trace;
use crate::values::Kept;
use serde_json::json;

/// A directive that is a target task: submits it, now or when it is ready. The values are those behind the
/// task's clauses; `copy` makes the copy that outlives the directive.
pub(crate) fn create(
    member: &Member,
    (memory, code): (&'static Memory, Code),
    is_deferred: bool,
    clauses: &Clauses,
    values: *const u64,
    copy: impl FnOnce() -> Kept,
) {
    let parent = member.task();
    let parts = Parts {
        work: Work::Nothing,
        target: Some(Box::new(Target::new(memory, code))),
        piece: None,
        parent,
        priority: clauses.priority(),
        is_final: parent.is_final || clauses.flags & TASK_FINAL != 0,
        is_awaited: !is_deferred || parent.is_final,
        edges: clauses.count as usize,
        args: 0,
        bytes: 0,
    };
    let place = Node::create(parts);
    member.slot().count_created();
    // SAFETY: the node is new, and this thread has its reference.
    let node = unsafe { place.as_ref() };
    // The program may fulfil the event, and others learn of the task's end, before this function returns.
    let held = Held::new(node);
    node.set_waiter(member.parker);
    if clauses.flags & TASK_DETACHABLE != 0 && clauses.event != 0 {
        events::bind(clauses.event, node);
    }
    // SAFETY: the clauses are those of the directive that is being executed.
    let predecessors = unsafe { register(member, node, clauses.depends()) };
    if node.is_awaited {
        node.release_guard(predecessors);
        wait(member, Awaited::Predecessors(node));
        let queue = submit_with(place, Some(values));
        let span = trace::span("wait", "synchronise", || json!({ "tasks": [node.number] }));
        if let Err(error) = memory.device.finish(queue) {
            code.site.end(error);
        }
        drop(span);
        end(node);
        wait(member, Awaited::Completion(held.node()));
    } else if predecessors == 0 {
        node.release_guard(0);
        submit_with(place, Some(values));
    } else {
        if let Some(target) = &node.target {
            target.state().values = Some(copy());
        }
        if node.release_guard(predecessors) {
            submit(place);
        }
    }
}
