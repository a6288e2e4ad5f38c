//! How host threads wait: they spin for a moment if every thread can have a processor, let others run, and
//! then sleep until somebody wakes them.

use libc::{FUTEX_PRIVATE_FLAG, FUTEX_WAIT, FUTEX_WAKE, SYS_futex, timespec};
use std::hint::spin_loop;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// Rounds of waiting that a thread spins, some 10 us.
const SPINS: u32 = 20;
/// Pauses of the processor in such a round.
const PAUSES: u32 = 32;
/// Rounds behind them in which the thread lets others run. On a busy machine each may take as long as a slice
/// of time, and whoever sleeps is woken sooner.
const YIELDS: u32 = 2;

/// Threads of all teams, the first thread of the program included.
static RUNNING: AtomicU32 = AtomicU32::new(1);

/// Processors that the process may use.
pub(crate) fn processors() -> u32 {
    static COUNT: OnceLock<u32> = OnceLock::new();
    *COUNT.get_or_init(|| {
        thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(u32::MAX))
    })
}

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
pub(crate) struct Idle {
    rounds: u32,
}

impl Idle {
    /// Passes a moment. Says whether the thread has waited so long that it should sleep.
    pub(crate) fn pass(&mut self) -> bool {
        let spins = if RUNNING.load(Ordering::Relaxed) <= processors() { SPINS } else { 0 };
        self.rounds += 1;
        if self.rounds <= spins {
            (0..PAUSES).for_each(|_| spin_loop());
            false
        } else if self.rounds <= spins + YIELDS {
            thread::yield_now();
            false
        } else {
            true
        }
    }

    /// Passes a moment, asleep if it has been long: for waits that nobody ends by a wake-up.
    pub(crate) fn pass_or_sleep(&mut self) {
        if self.pass() {
            thread::sleep(Duration::from_micros(50));
        }
    }
}

/// Waits for a condition that another thread makes true.
pub(crate) fn wait_until(mut holds: impl FnMut() -> bool) {
    let mut idle = Idle::default();
    while !holds() {
        idle.pass_or_sleep();
    }
}
