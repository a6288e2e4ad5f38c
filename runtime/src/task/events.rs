//! Events of tasks with `detach`. A program fulfils them from any thread, also one that OpenMP does not know.

use super::node::{Held, Node};
use super::run::complete;
use crate::fatal::fatal;
use crate::races::tasks as races;
use crate::team::state::Team;
use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Events that are not fulfilled, by their handles.
#[derive(Default)]
struct Events {
    last: u64,
    open: HashMap<u64, (Held, Arc<Team>)>,
}

static EVENTS: Mutex<Option<Events>> = Mutex::new(None);

fn events() -> MutexGuard<'static, Option<Events>> {
    EVENTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A handle for the event of a task that comes next: the program has it in its variable before the task takes
/// its copy of that.
pub(crate) fn reserve() -> u64 {
    let mut events = events();
    let events = events.get_or_insert_default();
    events.last += 1;
    events.last
}

/// A task that has not begun gets the event of a handle.
pub(crate) fn bind(handle: u64, node: &Node) {
    node.set_detachable();
    // SAFETY: a node's team comes from an `Arc`, and stays while it has tasks.
    let team = unsafe {
        Arc::increment_strong_count(node.team);
        Arc::from_raw(node.team)
    };
    let mut events = events();
    let events = events.get_or_insert_default();
    events.open.insert(handle, (Held::new(node), team));
}

/// The event has happened.
pub(crate) fn fulfill(handle: u64) {
    let open = events().as_mut().and_then(|events| events.open.remove(&handle));
    let Some((task, _team)) = open else {
        fatal(format_args!("omp_fulfill_event: no task waits for this event"));
    };
    races::fulfils(task.node());
    if task.node().end() {
        complete(None, NonNull::from(task.node()));
    }
}
