//! Target tasks: launches and data directives that a device does when its queues come to them.
//!
//! A target task is submitted as soon as all host tasks that it depends on are complete, and all target tasks
//! submitted, by the thread that finds this out. What is submitted waits for the marks of the target tasks
//! that it depends on; the host does not. So a whole graph is on the queues before its first kernel ends. A
//! task that depends on one that nothing else goes on with takes its queue, others one from a pool.
//!
//! That a target task is complete is learned in two ways. Where a host task depends on it, the device calls
//! the host. Else the host asks when it needs to know: at a `taskwait`, a barrier, the end of a `taskgroup`,
//! one queue waits for the marks of all tasks in question, and the host for this queue.

use super::node::{Held, Node, Target};
use super::run::complete;
use crate::device::units::{Unit, units};
use crate::memory::{Mark, Memory};
use crate::plugin::{Device, Error, Queue, Status, is_lazy};
use crate::races::tasks as races;
use crate::site::Site;
use crate::team::idle::{Idle, Parker};
use crate::team::state::Team;
use crate::trace;
use crate::values::Kept;
use serde_json::json;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How often an event of another device is asked for before the host waits for it.
const QUERIES: u32 = 64;

/// Submits a task that is ready, and those that only waited for that.
pub(crate) fn submit(task: NonNull<Node>) {
    submit_with(task, None);
}

/// The same from values that are not a copy. Gives the queue of the first task.
pub(crate) fn submit_with(task: NonNull<Node>, values: Option<*const u64>) -> Queue {
    let mut ready = VecDeque::new();
    let queue = submit_one(task, values, &mut ready);
    while let Some(task) = ready.pop_front() {
        submit_one(task, None, &mut ready);
    }
    queue
}

/// Submits one task. `ready` gets those that need not wait any longer.
fn submit_one(task: NonNull<Node>, values: Option<*const u64>, ready: &mut VecDeque<NonNull<Node>>) -> Queue {
    // SAFETY: a task that is not complete is alive.
    let node = unsafe { task.as_ref() };
    // As soon as the task is known to be submitted, another thread may wait for it and complete it.
    let _held = Held::new(node);
    let Some(target) = &node.target else { unreachable!("only target tasks are submitted") };
    let Target { memory, code, .. } = **target;
    let fail = |error| -> ! { code.site.end(error) };
    let _span = trace::span(
        "target",
        code.site.what,
        || json!({ "task": node.number, "place": trace::place(code.site.pos) }),
    );
    let (predecessors, copied) = {
        let mut state = target.state();
        (std::mem::take(&mut state.predecessors), state.values.take())
    };
    let is_urgent = node.is_urgent();
    let continued = predecessors.iter().find_map(|other| continue_queue(memory, is_urgent, other.node()));
    let queue =
        continued.unwrap_or_else(|| memory.borrow_task_queue(is_urgent)).unwrap_or_else(|error| fail(error));
    for other in &predecessors {
        let how = follow(&*memory.device, queue, other.node()).unwrap_or_else(|error| fail(error));
        node.trace_order(other.node(), how);
    }
    let values = values.or_else(|| copied.as_ref().map(Kept::place));
    // SAFETY: the values are those of the directive, or their copy.
    let carry_out = || unsafe { (code.carry_out)(&code, memory, queue, values.unwrap_or(std::ptr::null())) };
    let mark = trace::in_task(node.number, || races::submitting(node, carry_out));
    if !node.is_awaited {
        // SAFETY: a team stays while its tasks are not complete.
        unsafe { &*node.team }.outstanding.push(Held::new(node));
    }
    let waiting = {
        let mut state = target.state();
        if state.is_awaited {
            state.told_on = Some(call_back(node, memory, &mark).unwrap_or_else(|error| fail(error)));
        }
        state.mark = Some(mark);
        std::mem::take(&mut state.waiting)
    };
    for other in waiting {
        // SAFETY: a task that has not been submitted is alive.
        let successor = unsafe { other.as_ref() };
        if let Some(target) = &successor.target {
            target.state().predecessors.push(Held::new(node));
        }
        if successor.is_awaited {
            let waiter = successor.waiter();
            if successor.release() {
                waiter.into_iter().for_each(Parker::unpark);
            }
        } else if successor.release() {
            ready.push_back(other);
        }
    }
    queue
}

/// The queue of a predecessor, if the task may go on there.
///
/// What else depends on the predecessor must not wait for the task, too: its mark gets an event before the
/// task comes behind it.
fn continue_queue(memory: &Memory, is_urgent: bool, other: &Node) -> Option<Result<Queue, Error>> {
    let target = other.target.as_ref().filter(|target| std::ptr::eq(target.memory, memory))?;
    if is_urgent != other.is_urgent() {
        return None;
    }
    let mark = Arc::clone(target.state().mark.as_ref()?);
    let is_first = !target.is_continued.swap(true, Ordering::AcqRel);
    let needs_event = is_first && target.can_be_found();
    is_first.then(|| if needs_event { mark.event().map(|_| mark.queue) } else { Ok(mark.queue) })
}

/// Makes a queue wait for the mark of a task, or the host, if the task is another device's. Says what the
/// order comes from.
fn follow(device: &dyn Device, queue: Queue, other: &Node) -> Result<&'static str, Error> {
    let Some(target) = other.target.as_ref().filter(|_| !other.is_complete()) else { return Ok("end") };
    let Some(mark) = target.state().mark.clone() else { return Ok("end") };
    let its_device = &*target.memory.device;
    if std::ptr::addr_eq(its_device, device) {
        return if mark.queue == queue {
            Ok("queue")
        } else {
            device.wait(queue, mark.event()?).map(|()| "event")
        };
    }
    let fail = |error| -> ! { target.code.site.end(error) };
    let event = mark.event().unwrap_or_else(|error| fail(error));
    if device.wait_for_other(queue, its_device, event)? {
        return Ok("event");
    }
    let mut idle = Idle::default();
    for _ in 0..QUERIES {
        match its_device.query(event) {
            Status::Done => return Ok("query"),
            Status::Failed(error) => fail(error),
            Status::Pending => idle.pass_or_sleep(),
        }
    }
    its_device.finish(mark.queue).unwrap_or_else(|error| fail(error));
    Ok("synchronise")
}

/// A host task depends on a target task: the device is to tell of its end.
pub(crate) fn want_end(node: &Node) {
    let Some(target) = &node.target else { return };
    let mut state = target.state();
    if !std::mem::replace(&mut state.is_awaited, true)
        && let Some(mark) = &state.mark
    {
        let queue = call_back(node, target.memory, mark);
        state.told_on = Some(queue.unwrap_or_else(|error| target.code.site.end(error)));
    }
}

/// Lets the device tell when it has come to an event behind a task. A queue of its own, which this gives,
/// does that, so that neither later work delays it nor it later work.
fn call_back(node: &Node, memory: &'static Memory, mark: &Mark) -> Result<Queue, Error> {
    // SAFETY: a node's team comes from an `Arc`, and stays while it has tasks.
    let team: Arc<Team> = unsafe {
        Arc::increment_strong_count(node.team);
        Arc::from_raw(node.team)
    };
    let idle = is_lazy().then(|| Arc::clone(&team));
    let task = Held::new(node);
    let queue = memory.borrow_task_queue(false)?;
    memory.device.wait(queue, mark.event()?)?;
    // No device may be asked for anything in there, and no lock be taken that a thread holds which asks one:
    // a driver may wait for this function, in a call that makes a queue for instance. A thread of the team
    // completes the task.
    let tell = move || {
        team.finished.push(task);
        team.wake_all();
    };
    trace::instant("target", "tells the host", || json!({ "task": node.number }));
    memory.device.call_host(queue, Box::new(tell))?;
    // Threads that have nothing to do make a device come to the call that puts it off.
    idle.into_iter().for_each(|team| team.wake_all());
    Ok(queue)
}

/// The host has nothing else to do: devices that put work off go on with what they call the host for. Says
/// whether one did anything.
pub(crate) fn advance_devices() -> bool {
    is_lazy()
        && units().all().filter_map(Unit::memory).any(|memory| {
            let result = memory.device.advance();
            result.unwrap_or_else(|error| Site::routine("target").end(error))
        })
}

/// A thread of the team hears what the device has told: that it has done a task.
pub(crate) fn hear(node: &Node) {
    if let Some(target) = &node.target {
        let queue = target.state().told_on.take();
        queue.into_iter().for_each(|queue| target.memory.return_task_queue(queue));
    }
    end(node);
}

/// The device has done a task.
pub(crate) fn end(node: &Node) {
    let Some(target) = &node.target else { return };
    if target.is_done.swap(true, Ordering::AcqRel) {
        return;
    }
    if let Some(mark) =
        target.state().mark.as_ref().filter(|_| !target.is_continued.swap(true, Ordering::AcqRel))
    {
        target.memory.return_task_queue(mark.queue);
    }
    if node.end() {
        complete(None, NonNull::from(node));
    }
}

/// If all the `open` tasks that a thread waits for are submitted target tasks, the host waits for these. Says
/// whether it has.
pub(crate) fn synchronise(team: &Team, open: u64, is_awaited: impl Fn(&Node) -> bool) -> bool {
    if open == 0 || team.outstanding.is_empty() {
        return false;
    }
    let tasks: Vec<Held> = team.outstanding.change(|all| {
        all.retain(|task| !task.node().is_complete());
        let is_wanted = |task: &Held| is_awaited(task.node());
        let count = all.iter().filter(|task| is_wanted(task)).count();
        if count as u64 == open { all.extract_if(.., |task| is_wanted(task)).collect() } else { Vec::new() }
    });
    let mut rest: Vec<&Node> = tasks.iter().map(Held::node).collect();
    while let Some(memory) = rest.last().and_then(|node| node.target.as_ref()).map(|target| target.memory) {
        let is_here =
            |node: &&Node| node.target.as_ref().is_some_and(|target| std::ptr::eq(target.memory, memory));
        let (here, elsewhere): (Vec<&Node>, Vec<&Node>) = rest.into_iter().partition(is_here);
        if let Err(error) = finish(memory, &here) {
            fail(&here, error);
        }
        rest = elsewhere;
    }
    tasks.iter().for_each(|task| end(task.node()));
    !tasks.is_empty()
}

/// The host waits for tasks of a device, in the order of their submission: one queue waits for the last mark
/// of each.
fn finish(memory: &'static Memory, tasks: &[&Node]) -> Result<(), Error> {
    let mut marks: SmallVec<[Arc<Mark>; 8]> = SmallVec::new();
    for mark in tasks.iter().rev().filter_map(|node| node.target.as_ref()?.state().mark.clone()) {
        if marks.iter().all(|other| other.queue != mark.queue) {
            marks.push(mark);
        }
    }
    let queue = memory.borrow_queue()?;
    for mark in marks {
        memory.device.wait(queue, mark.event()?)?;
    }
    let span = trace::span(
        "wait",
        "synchronise",
        || json!({ "tasks": tasks.iter().map(|node| node.number).collect::<Vec<_>>() }),
    );
    memory.device.finish(queue)?;
    drop(span);
    memory.return_queue(queue);
    Ok(())
}

/// Ends the program at the first of the tasks that has failed.
fn fail(tasks: &[&Node], error: Error) -> ! {
    for target in tasks.iter().filter_map(|node| node.target.as_ref()) {
        let mark = target.state().mark.clone();
        let status = mark.map(|mark| mark.event().map(|event| target.memory.device.query(event)));
        if let Some(Ok(Status::Failed(error)) | Err(error)) = status {
            target.code.site.end(error);
        }
    }
    match tasks.first().and_then(|node| node.target.as_ref()) {
        Some(target) => target.code.site.end(error),
        None => crate::fatal::fatal(format_args!("{error}")),
    }
}
