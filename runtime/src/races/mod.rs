//! Races of OpenMP's tasks: accesses of host code and copies of target tasks to the same memory of the host,
//! one of them a write, that nothing orders.
//!
//! Compiled code tells of accesses where the pass `trace-tasks` has run, devices of copies. Which of them are
//! ordered is a question of the program, not of the run: a task comes behind what its creator did before,
//! behind tasks that `depend` names, and before whatever waits for it (`taskwait`, `taskgroup`, a barrier).
//! So one thread is enough to find that two tasks could have met.
//!
//! A *course* is what is done in order: an implicit task's code, or a task's. Courses share *chains*, as one
//! may go on where another one has ended whose end it knows; a moment is a chain and a time on it. A clock
//! says for each chain what time of it is over, and each course has one: an access is ordered behind an
//! earlier one if the clock of its course covers the moment of that.
//!
//! Locks, atomic accesses, `ordered` and the like order what they order in this run: what they leave open is
//! not reported, as nothing tells it from what a program means. Of two implicit tasks nothing is reported,
//! nor of two target tasks, whose copies the simulator judges itself.
//!
//! - [`clock`]: what is over; [`course`]: what is done in order;
//! - [`memory`]: the last accesses of every byte, and what is wrong with the next;
//! - [`tasks`]: where tasks begin, wait and end;
//! - [`entries`]: what compiled code calls.

mod clock;
pub(crate) mod course;
pub(crate) mod entries;
pub(crate) mod memory;
pub(crate) mod tasks;

use std::sync::atomic::{AtomicBool, Ordering};

static ON: AtomicBool = AtomicBool::new(false);

/// Whether races are looked for.
#[inline]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Races are looked for from now on: the program's code tells of its accesses.
pub(crate) fn start() {
    ON.store(true, Ordering::Relaxed);
}
