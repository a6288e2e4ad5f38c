//! Barriers of a team. A thread that waits there executes tasks, and no thread leaves before all tasks of the
//! team are complete.

use super::idle::Idle;
use super::member::{Member, known};
use crate::task::run::{Search, run_one};
use crate::task::submit::synchronise;
use crate::trace;
use serde_json::json;
use std::ptr;
use std::sync::atomic::Ordering;

/// The lower half of [`super::state::Team::barrier`]: threads that have come.
const COME: u64 = (1 << 32) - 1;

/// Waits for all threads and all tasks of the team.
pub(crate) fn barrier(member: &Member) {
    let team = &*member.team;
    let all = u64::from(team.size());
    let constraint = member.constraint.replace(ptr::null());
    let over = team.barrier.fetch_add(1, Ordering::AcqRel) & !COME;
    let _span = trace::span("wait", "barrier", || json!({}));
    let mut idle = Idle::default();
    let is_over = || team.barrier.load(Ordering::Acquire) & !COME != over;
    let have_all_come = || team.barrier.load(Ordering::Acquire) == over | all;
    while !is_over() {
        if run_one(member) == Search::Executed {
            idle = Idle::default();
        } else if have_all_come() && team.open_tasks() == 0 {
            let next = over.wrapping_add(COME + 1);
            if team.barrier.compare_exchange(over | all, next, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                team.wake_all();
            }
        } else if have_all_come() && synchronise(team, team.open_tasks(), |_| true) {
            idle = Idle::default();
        } else if idle.pass() {
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
