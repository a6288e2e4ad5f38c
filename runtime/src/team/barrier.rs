//! Barriers of a team. A thread that waits there executes tasks, and no thread leaves before all tasks of the
//! team are complete, unless the region is cancelled.

use super::idle::Idle;
use super::member::{Member, known};
use crate::races::tasks as races;
use crate::task::run::{Search, run_one};
use crate::task::submit::{advance_devices, synchronise};
use crate::trace;
use serde_json::json;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The lower half of [`super::state::Team::barrier`]: threads that have come.
const COME: u64 = (1 << 32) - 1;

/// Waits for all threads and all tasks of the team, unless its region is cancelled. Says whether it is.
pub(crate) fn barrier(member: &Member) -> bool {
    if !member.team.is_cancelled() {
        let team = Arc::as_ptr(&member.team);
        races::releases(team);
        wait(member, &member.team.barrier, || member.team.is_cancelled());
        races::acquires(team);
        races::children_ended(member.task());
    }
    member.team.is_cancelled()
}

/// The end of the region: waits for all threads and all tasks of the team.
pub(crate) fn end(member: &Member) {
    wait(member, &member.team.end, || false);
}

fn wait(member: &Member, barrier: &AtomicU64, is_cancelled: impl Fn() -> bool) {
    let team = &*member.team;
    let all = u64::from(team.size());
    let constraint = member.constraint.replace(ptr::null());
    let over = barrier.fetch_add(1, Ordering::AcqRel) & !COME;
    let _span = trace::span("wait", "barrier", || json!({}));
    let mut idle = Idle::looking(&team.hungry);
    let is_over = || barrier.load(Ordering::Acquire) & !COME != over || is_cancelled();
    let have_all_come = || barrier.load(Ordering::Acquire) == over | all;
    while !is_over() {
        // In this order: only when all have come does a number of 0 stay so.
        let all_are_here = have_all_come();
        let open = team.open_tasks();
        if all_are_here && open == 0 {
            let next = over.wrapping_add(COME + 1);
            if barrier.compare_exchange(over | all, next, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                team.wake_all();
            }
        } else if (open > 0 && run_one(member) == Search::Executed)
            || (all_are_here && synchronise(team, open, |_| true))
            || advance_devices()
        {
            idle = Idle::looking(&team.hungry);
        } else if idle.pass_unless(is_over) {
            let is_awake = || is_over() || team.has_ready() || (have_all_come() && team.open_tasks() == 0);
            team.sleep_unless(member.number, member.parker, None, is_awake);
        }
    }
    member.constraint.set(constraint);
    // SAFETY: this thread executes its implicit task.
    if let Some(table) = unsafe { member.task().table() } {
        table.clear();
    }
}

/// The program ends: tasks of its initial task are completed, unless it ends in the middle of something.
pub(crate) fn end_initial() {
    if let Some(member) = known().filter(|member| member.is_initial()) {
        barrier(member);
    }
}
