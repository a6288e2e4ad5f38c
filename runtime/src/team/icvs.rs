//! Internal control variables (OpenMP 5.2, chapter 2): those of a task's data environment, which its children
//! inherit, and those of the device, which the environment sets.

use super::environment::environment;
use std::ffi::c_int;

/// `omp_sched_static` and the kinds behind it.
pub(crate) const STATIC: c_int = 1;
pub(crate) const DYNAMIC: c_int = 2;
pub(crate) const GUIDED: c_int = 3;
pub(crate) const AUTO: c_int = 4;
/// The modifier of a kind.
pub(crate) const MONOTONIC: c_int = c_int::MIN;

/// Levels of active regions that may be nested.
pub(crate) const MOST_LEVELS: u32 = 255;

/// The variables of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Icvs {
    /// nthreads-var: threads of the next team.
    pub(crate) threads: u32,
    /// max-active-levels-var.
    pub(crate) active_levels: u32,
    /// run-sched-var: kind, with its modifier, and chunk.
    pub(crate) schedule: (c_int, c_int),
    /// dyn-var.
    pub(crate) is_dynamic: bool,
    /// default-device-var, if the program has set it.
    pub(crate) device: Option<c_int>,
    /// thread-limit-var: threads of the contention group that the task belongs to.
    pub(crate) thread_limit: u32,
    /// nteams-var: teams of a league, 0 if nothing is said.
    pub(crate) teams: u32,
    /// teams-thread-limit-var: threads of a team of a league, 0 if nothing is said.
    pub(crate) teams_thread_limit: u32,
    /// The number of the team in its league, and how many the league has.
    pub(crate) team: (u32, u32),
}

impl Icvs {
    /// Those of an initial task.
    pub(crate) fn initial() -> Icvs {
        environment().icvs
    }

    /// Those of the implicit tasks of a team at a level of nesting, from 1. `OMP_NUM_THREADS` may have a
    /// number for each level.
    pub(crate) fn of_team(self, level: u32) -> Icvs {
        let threads = environment().threads_by_level.get(level as usize);
        Icvs { threads: threads.copied().unwrap_or(self.threads), ..self }
    }
}
