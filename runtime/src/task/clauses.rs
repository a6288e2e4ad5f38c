//! The clauses of a task as compiled code passes them, and what `depend` makes of a new task.

use super::depend::{Dependence, Table, resolve};
use super::node::{Node, Work};
use super::submit::want_end;
use crate::abi::TASK_NOWAIT;
use crate::races::tasks as races;
use crate::team::environment::environment;
use crate::team::member::Member;
use crate::trace;
use crate::values::Values;
use serde_json::json;

/// The clauses of a task, where they stand among the values of its directive: a copy would be read in halves
/// that the processor has to put together first.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Clauses {
    /// Address of the dependences.
    pub(crate) depends: u64,
    /// Their number.
    pub(crate) count: u64,
    /// A sum of the `TASK_*` constants.
    pub(crate) flags: u64,
    /// `priority`.
    pub(crate) priority: i64,
    /// The event of `detach`, or 0.
    pub(crate) event: u64,
}

impl Clauses {
    /// Those behind the scheduling of a directive with the flag `TASK`, which is being carried out as long as
    /// they are used.
    #[inline]
    pub(crate) fn read<'a>(values: &mut Values) -> &'a Clauses {
        let clauses = values.place().cast::<Clauses>();
        values.skip(size_of::<Clauses>() / size_of::<u64>());
        // SAFETY: the directive has these values, in this order, and they stand until it is carried out.
        unsafe { &*clauses }
    }

    /// Whether a directive with these clauses is more than its work: others depend on it, or it is deferred.
    pub(crate) fn make_a_task(&self) -> bool {
        self.count > 0 || self.flags & TASK_NOWAIT != 0 || self.event != 0
    }

    /// The dependences.
    ///
    /// # Safety
    /// Compiled code made the clauses, and its array still stands.
    pub(crate) unsafe fn depends<'a>(&self) -> &'a [Dependence] {
        if self.count == 0 {
            return &[];
        }
        let first = std::ptr::with_exposed_provenance(self.depends as usize);
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(first, self.count as usize) }
    }

    /// The priority, as far as the environment allows.
    pub(crate) fn priority(&self) -> u32 {
        u32::try_from(self.priority.max(0)).unwrap_or(u32::MAX).min(environment().most_priority)
    }
}

/// Finds the predecessors of a new task; gives their number.
///
/// # Safety
/// The dependences are a directive's.
pub(crate) unsafe fn register(member: &Member, node: &Node, depends: &[Dependence]) -> u32 {
    let pos = match (&node.work, &node.target) {
        (Work::Host(desc, _) | Work::Loop(desc), _) => Some(&desc.pos),
        (Work::Nothing, target) => target.as_ref().and_then(|target| target.code.site.pos),
    };
    races::created(member.task(), node, pos);
    trace::instant("task", "created", || {
        // SAFETY: the dependences are a directive's.
        let known = depends.iter().map(|&item| unsafe { resolve(item) });
        let list: Vec<[u64; 2]> = known.map(|item| [item.address, item.kind]).collect();
        let (device, parent) = (node.target.is_some(), member.task().number);
        json!({
            "task": node.number,
            "parent": parent,
            "place": trace::place(pos),
            "depend": list,
            "target": device,
            "deferred": !node.is_awaited,
        })
    });
    if depends.is_empty() {
        return 0;
    }
    // SAFETY: this thread executes the parent.
    let table = unsafe { member.task().table() }.get_or_insert_with(Box::<Table>::default);
    let mut count = 0;
    let mut found = |other: &Node| {
        trace::instant("task", "depends", || json!({ "task": node.number, "on": other.number }));
        races::depends(node, other);
        if other.precede(node, count, depends.len()) {
            count += 1;
            if node.target.is_none() {
                want_end(other);
            }
        }
    };
    // SAFETY: the caller's promise.
    unsafe { table.register(node, depends, &mut found) };
    count as u32
}
