//! Threads, schedules, time (OpenMP 5.2, 18.2, 18.3, 18.10, 18.11). Settings belong to the task that makes
//! them, and to the tasks and teams that it creates later.

use crate::device::settle_all;
use crate::gangs::region;
use crate::gangs::team::{TeamThread, team_thread};
use crate::task::events;
use crate::team::environment::{environment, show};
use crate::team::icvs::{AUTO, Icvs, MONOTONIC, MOST_LEVELS};
use crate::team::member::{Member, current};
use crate::team::processors::processors;
use std::ffi::{c_double, c_int};
use std::sync::OnceLock;
use std::time::Instant;

static START: OnceLock<Instant> = OnceLock::new();

/// `omp_get_wtime`: seconds since some time in the past.
pub extern "C" fn omp_get_wtime() -> c_double {
    settle_all();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// `omp_get_wtick`: seconds between ticks.
pub extern "C" fn omp_get_wtick() -> c_double {
    1e-9
}

/// Routines that answer "one": `omp_get_num_teams`, ...
pub extern "C" fn one() -> c_int {
    1
}

/// Routines that answer "zero" or "no".
pub extern "C" fn zero() -> c_int {
    0
}

fn number(value: u32) -> c_int {
    c_int::try_from(value).unwrap_or(c_int::MAX)
}

fn icvs() -> Icvs {
    current().task().icvs.get()
}

fn change(change: impl FnOnce(&mut Icvs)) {
    let own = &current().task().icvs;
    let mut icvs = own.get();
    change(&mut icvs);
    own.set(icvs);
}

/// `omp_get_num_procs`.
pub extern "C" fn omp_get_num_procs() -> c_int {
    number(processors())
}

/// `omp_set_num_threads`: a number below 1 stands for one.
pub extern "C" fn omp_set_num_threads(threads: c_int) {
    change(|icvs| icvs.threads = u32::try_from(threads).unwrap_or(1).max(1));
}

/// What is asked of a team: where a device executes the code, the host too, of the gang's or of the one
/// thread of a team.
fn of_team((of_gang, of_one): (fn(TeamThread) -> u32, u32), of_host: impl FnOnce(&Member) -> u32) -> c_int {
    number(match (team_thread(), region()) {
        (Some(thread), _) => of_gang(thread),
        (None, Some(_)) => of_one,
        (None, None) => of_host(current()),
    })
}

/// `omp_get_num_threads`.
pub extern "C" fn omp_get_num_threads() -> c_int {
    of_team((|thread| thread.size, 1), |member| member.team.size())
}

/// `omp_get_max_threads`.
pub extern "C" fn omp_get_max_threads() -> c_int {
    of_team((|_| 1, 1), |member| member.task().icvs.get().threads)
}

/// `omp_get_thread_num`.
pub extern "C" fn omp_get_thread_num() -> c_int {
    of_team((|thread| thread.number, 0), |member| member.number)
}

/// `omp_get_thread_limit`.
pub extern "C" fn omp_get_thread_limit() -> c_int {
    of_team((|thread| thread.size, 1), |member| member.task().icvs.get().thread_limit)
}

/// `omp_set_num_teams`: a number below 1 says nothing.
pub extern "C" fn omp_set_num_teams(teams: c_int) {
    if teams > 0 {
        change(|icvs| icvs.teams = teams.unsigned_abs());
    }
}

/// `omp_get_max_teams`: 0 if nothing is said.
pub extern "C" fn omp_get_max_teams() -> c_int {
    number(icvs().teams)
}

/// `omp_set_teams_thread_limit`: a number below 1 says nothing.
pub extern "C" fn omp_set_teams_thread_limit(limit: c_int) {
    if limit > 0 {
        change(|icvs| icvs.teams_thread_limit = limit.unsigned_abs());
    }
}

/// `omp_get_teams_thread_limit`: 0 if nothing is said.
pub extern "C" fn omp_get_teams_thread_limit() -> c_int {
    number(icvs().teams_thread_limit)
}

/// `omp_in_parallel`.
pub extern "C" fn omp_in_parallel() -> c_int {
    (omp_get_active_level() > 0).into()
}

/// `omp_get_cancellation`.
pub extern "C" fn omp_get_cancellation() -> c_int {
    environment().cancellation.into()
}

/// `omp_display_env`: nothing is known that only a verbose text has.
pub extern "C" fn omp_display_env(_verbose: c_int) {
    show(environment());
}

/// `omp_in_final`.
pub extern "C" fn omp_in_final() -> c_int {
    current().task().is_final.into()
}

/// `omp_in_explicit_task`: whether a construct made the task that the caller executes.
pub extern "C" fn omp_in_explicit_task() -> c_int {
    (!current().task().is_implicit()).into()
}

/// `omp_get_max_task_priority`.
pub extern "C" fn omp_get_max_task_priority() -> c_int {
    number(environment().most_priority)
}

/// `omp_set_dynamic`.
pub extern "C" fn omp_set_dynamic(on: c_int) {
    change(|icvs| icvs.is_dynamic = on != 0);
}

/// `omp_get_dynamic`.
pub extern "C" fn omp_get_dynamic() -> c_int {
    icvs().is_dynamic.into()
}

/// `omp_get_supported_active_levels`.
pub extern "C" fn omp_get_supported_active_levels() -> c_int {
    number(MOST_LEVELS)
}

/// `omp_set_max_active_levels`: clipped to the number of levels that are supported; negative ones are
/// ignored.
pub extern "C" fn omp_set_max_active_levels(levels: c_int) {
    if let Ok(levels) = u32::try_from(levels) {
        change(|icvs| icvs.active_levels = levels.min(MOST_LEVELS));
    }
}

/// `omp_get_max_active_levels`.
pub extern "C" fn omp_get_max_active_levels() -> c_int {
    number(icvs().active_levels)
}

/// `omp_set_nested`: all levels or one, unless the program has chosen a number.
pub extern "C" fn omp_set_nested(on: c_int) {
    change(|icvs| match on != 0 {
        true if icvs.active_levels <= 1 => icvs.active_levels = MOST_LEVELS,
        false if icvs.active_levels > 1 => icvs.active_levels = 1,
        true | false => {}
    });
}

/// `omp_get_nested`: whether another region would be active here.
pub extern "C" fn omp_get_nested() -> c_int {
    let member = current();
    let levels = member.task().icvs.get().active_levels;
    (levels > 1 && levels > member.team.active_level).into()
}

/// `omp_get_level`.
pub extern "C" fn omp_get_level() -> c_int {
    of_team((|_| 1, 0), |member| member.team.level)
}

/// `omp_get_active_level`.
pub extern "C" fn omp_get_active_level() -> c_int {
    of_team((|_| 1, 0), |member| member.team.active_level)
}

/// The place of this thread, or of its ancestor, in the team at a level.
fn ancestor<'a>(level: c_int) -> Option<&'a Member> {
    let level = u32::try_from(level).ok()?;
    let mut member = current();
    while member.team.level > level {
        member = member.parent()?;
    }
    (member.team.level == level).then_some(member)
}

/// What is asked of a level: a region of a device has its own 0.
fn of_level(level: c_int, of_device: c_int, of_host: fn(&Member) -> u32) -> c_int {
    match region() {
        Some(_) if level == 0 => of_device,
        Some(_) => -1,
        None => ancestor(level).map_or(-1, |member| number(of_host(member))),
    }
}

/// `omp_get_ancestor_thread_num`.
pub extern "C" fn omp_get_ancestor_thread_num(level: c_int) -> c_int {
    of_level(level, 0, |member| member.number)
}

/// `omp_get_team_size`.
pub extern "C" fn omp_get_team_size(level: c_int) -> c_int {
    of_level(level, 1, |member| member.team.size())
}

/// `omp_set_schedule`. A kind that does not exist is ignored; a chunk size below 1 stands for the default.
pub extern "C" fn omp_set_schedule(schedule: c_int, chunk: c_int) {
    if (1..=AUTO).contains(&(schedule & !MONOTONIC)) {
        change(|icvs| icvs.schedule = (schedule, chunk.max(0)));
    }
}

/// `omp_get_schedule`.
///
/// # Safety
/// Both pointers lead to places for a number.
pub unsafe extern "C" fn omp_get_schedule(schedule: *mut c_int, chunk: *mut c_int) {
    let (known, size) = icvs().schedule;
    // SAFETY: the caller's promise.
    unsafe {
        schedule.write(known);
        chunk.write(size);
    }
}

/// `omp_pause_resource_t`.
const PAUSE_SOFT: c_int = 1;
const PAUSE_HARD: c_int = 2;

/// What `omp_pause_resource` answers for a device that exists: there is nothing to give back, and 0 says that
/// this worked.
pub(super) fn pause(kind: c_int) -> c_int {
    if matches!(kind, PAUSE_SOFT | PAUSE_HARD) { 0 } else { -1 }
}

/// `omp_pause_resource_all`.
pub extern "C" fn omp_pause_resource_all(kind: c_int) -> c_int {
    pause(kind)
}

/// `omp_fulfill_event`: the event of a task with `detach`.
pub extern "C" fn omp_fulfill_event(event: usize) {
    events::fulfill(event as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> (c_int, c_int) {
        let (mut kind, mut chunk) = (0, 0);
        // SAFETY: two numbers.
        unsafe { omp_get_schedule(&mut kind, &mut chunk) };
        (kind, chunk)
    }

    #[test]
    fn settings_read_back() {
        assert_eq!(schedule(), (2, 1));
        omp_set_schedule(3, 16);
        assert_eq!(schedule(), (3, 16));
        omp_set_schedule(1 | MONOTONIC, -1);
        assert_eq!(schedule(), (1 | MONOTONIC, 0));
        omp_set_schedule(99, 1);
        assert_eq!(schedule(), (1 | MONOTONIC, 0));
        omp_set_dynamic(5);
        assert_eq!(omp_get_dynamic(), 1);
        omp_set_max_active_levels(7);
        assert_eq!((omp_get_max_active_levels(), omp_get_nested()), (7, 1));
        omp_set_max_active_levels(c_int::MAX);
        assert_eq!(omp_get_max_active_levels(), omp_get_supported_active_levels());
        omp_set_max_active_levels(0);
        omp_set_max_active_levels(-1);
        assert_eq!((omp_get_max_active_levels(), omp_get_nested()), (0, 0));
        omp_set_nested(1);
        assert_eq!(omp_get_max_active_levels(), omp_get_supported_active_levels());
        omp_set_num_threads(7);
        assert_eq!(omp_get_max_threads(), 7);
        omp_set_num_threads(-1);
        assert_eq!(omp_get_max_threads(), 1);
    }

    #[test]
    fn an_initial_task_has_one_thread() {
        assert_eq!((omp_get_num_threads(), omp_get_thread_num(), omp_in_parallel()), (1, 0, 0));
        assert_eq!((omp_get_ancestor_thread_num(0), omp_get_ancestor_thread_num(1)), (0, -1));
        assert_eq!((omp_get_team_size(0), omp_get_team_size(-1)), (1, -1));
        assert_eq!((omp_pause_resource_all(1), omp_pause_resource_all(3)), (0, -1));
        assert_eq!((omp_get_level(), omp_get_active_level(), omp_in_final()), (0, 0, 0));
        assert!(omp_get_num_procs() >= 1);
        let before = omp_get_wtime();
        assert!(omp_get_wtime() >= before);
    }
}
