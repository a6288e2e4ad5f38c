//! How host threads wait: they spin for a moment if every thread can have a processor, and else let others
//! run; then they sleep until somebody wakes them.

use super::environment::environment;
use super::processors::processors;
use libc::{FUTEX_PRIVATE_FLAG, FUTEX_WAIT, FUTEX_WAKE, SYS_futex, timespec};
use std::hint::spin_loop;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// Rounds of waiting that a thread spins, some 3 ms, which is a slice of time: on a busy machine, a thread
/// that sleeps before the one that it has just woken gets a processor makes every barrier wait for the
/// scheduler.
const SPINS: u32 = 6000;
/// Pauses of the processor in such a round.
const PAUSES: u32 = 32;
/// Rounds in which a thread lets others run, where there are more threads than processors. On a busy machine
/// each may take as long as a slice of time, and whoever sleeps is woken sooner.
const YIELDS: u32 = 2;

/// Threads of all teams, the first thread of the program included.
static RUNNING: AtomicU32 = AtomicU32::new(1);

/// Adds `more` threads to those that run, as many of them as `limit` allows in all. Gives their number.
pub(crate) fn add_running(more: u32, limit: u32) -> u32 {
    let room = |running: u32| more.min(limit.saturating_sub(running));
    let before = RUNNING.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| Some(n + room(n)));
    // The update always gives a number.
    room(before.unwrap_or(limit))
}

/// Threads of a team have come to its end.
pub(crate) fn remove_running(count: u32) {
    RUNNING.fetch_sub(count, Ordering::Relaxed);
}

/// Sleeps while the word has this value, for `most` at the longest. May return early.
pub(crate) fn sleep_while(word: &AtomicU32, value: u32, most: Option<Duration>) {
    let time = most.map(|most| timespec {
        tv_sec: most.as_secs().try_into().unwrap_or(libc::time_t::MAX),
        tv_nsec: most.subsec_nanos().into(),
    });
    let time = time.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: the word is alive, and the time is null or alive.
    unsafe { libc::syscall(SYS_futex, word.as_ptr(), FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value, time) };
}

/// Wakes at most `count` threads that sleep on the word. Nothing is read or written there.
pub(crate) fn wake(word: *const AtomicU32, count: i32) {
    // SAFETY: the kernel only compares the address with those that threads sleep on.
    unsafe { libc::syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count) };
}

/// Where a thread sleeps. A wake-up that comes first is not lost: the next sleep returns at once.
pub(crate) struct Parker {
    state: AtomicU32,
}

const EMPTY: u32 = 0;
const NOTIFIED: u32 = 1;
const ASLEEP: u32 = 2;

impl Parker {
    /// That of this thread. It lives as long as the process, so that a late wake-up finds it.
    pub(crate) fn of_this_thread() -> &'static Parker {
        thread_local! {
            static PARKER: &'static Parker =
                Box::leak(Box::new(Parker { state: AtomicU32::new(EMPTY) }));
        }
        PARKER.with(|parker| *parker)
    }

    /// Sleeps until somebody wakes the thread, for `most` at the longest.
    pub(crate) fn park(&self, most: Option<Duration>) {
        if self.state.compare_exchange(EMPTY, ASLEEP, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            sleep_while(&self.state, ASLEEP, most);
        }
        self.state.swap(EMPTY, Ordering::SeqCst);
    }

    /// Wakes the thread.
    pub(crate) fn unpark(&self) {
        if self.state.swap(NOTIFIED, Ordering::SeqCst) == ASLEEP {
            wake(&raw const self.state, 1);
        }
    }
}

/// The rounds of a wait.
#[derive(Default)]
pub(crate) struct Idle<'a> {
    rounds: u32,
    /// Where the thread counts from its second round on, as one that has found no task: in the first one most
    /// barriers end, and each count takes the team's memory from the processor of another thread.
    hungry: Option<&'a AtomicU32>,
    /// The thread does not spin, whoever runs.
    is_crowded: bool,
}

impl Drop for Idle<'_> {
    fn drop(&mut self) {
        if let Some(hungry) = self.hungry.filter(|_| self.rounds > 1) {
            hungry.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl<'a> Idle<'a> {
    /// The rounds of a thread that looks for tasks, counted in `hungry` while it finds none.
    pub(crate) fn looking(hungry: &'a AtomicU32) -> Idle<'a> {
        Idle { hungry: Some(hungry), ..Idle::default() }
    }

    /// The rounds of a thread of a pool, which has made so many besides the first of the program: those that
    /// have no team would take the processors of others if they spun.
    pub(crate) fn of_pool(made: u32) -> Idle<'a> {
        Idle { is_crowded: made >= processors(), ..Idle::default() }
    }

    /// Passes a moment. Says whether the thread has waited so long that it should sleep.
    pub(crate) fn pass(&mut self) -> bool {
        self.pass_unless(|| false)
    }

    /// The same, but a thread that spins goes on as soon as a condition holds.
    pub(crate) fn pass_unless(&mut self, holds: impl Fn() -> bool) -> bool {
        let is_crowded = self.is_crowded || RUNNING.load(Ordering::Relaxed) > processors();
        let can_spin = !is_crowded && !environment().is_passive;
        self.rounds += 1;
        if let Some(hungry) = self.hungry.filter(|_| self.rounds == 2) {
            hungry.fetch_add(1, Ordering::Relaxed);
        }
        if can_spin && self.rounds <= SPINS {
            for _ in 0..PAUSES {
                if holds() {
                    break;
                }
                spin_loop();
            }
            false
        } else if !can_spin && self.rounds <= YIELDS {
            thread::yield_now();
            false
        } else {
            true
        }
    }

    /// Passes a moment, asleep if it has been long: for waits that nobody ends by a wake-up.
    pub(crate) fn pass_or_sleep(&mut self) {
        self.pass_or_sleep_unless(|| false);
    }

    fn pass_or_sleep_unless(&mut self, holds: impl Fn() -> bool) {
        if self.pass_unless(holds) {
            thread::sleep(Duration::from_micros(50));
        }
    }
}

/// Waits for a condition that another thread makes true.
pub(crate) fn wait_until(holds: impl Fn() -> bool) {
    let mut idle = Idle::default();
    while !holds() {
        idle.pass_or_sleep_unless(&holds);
    }
}
