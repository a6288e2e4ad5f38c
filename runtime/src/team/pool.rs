//! The operating system's threads behind teams. They are made when a team needs them first, and wait for
//! another team when theirs has ended; they end with the process.

use super::environment::environment;
use super::idle::{Idle, Parker};
use crate::fatal::fatal;
use smallvec::SmallVec;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What a thread is to do.
#[derive(Clone, Copy)]
pub(super) struct Job {
    /// Called with the two values below.
    pub(super) run: unsafe fn(*const (), u32),
    pub(super) data: *const (),
    pub(super) number: u32,
}

/// A thread of the pool.
pub(super) struct Thread {
    job: UnsafeCell<Option<Job>>,
    /// Whether there is a job that the thread has not taken.
    has_job: AtomicBool,
    parker: AtomicPtr<Parker>,
}

// SAFETY: the job is written by the one who has the thread from the pool while `has_job` is false, and taken
// by the thread while it is true.
unsafe impl Sync for Thread {}

/// Threads of a team without its first.
pub(super) type Threads = SmallVec<[&'static Thread; 15]>;

/// Threads that have no team. The last one is taken first, so that the same threads come to the same numbers
/// in consecutive teams, and with them their thread-local objects.
static IDLE: Mutex<Vec<&'static Thread>> = Mutex::new(Vec::new());

/// Threads that were ever made.
static MADE: AtomicU32 = AtomicU32::new(0);

/// Takes `count` threads out of the pool; the first of them is to have the lowest number.
pub(super) fn take(count: usize) -> Threads {
    let mut threads: Threads =
        take_last(&mut IDLE.lock().unwrap_or_else(PoisonError::into_inner), count).collect();
    threads.extend((threads.len()..count).map(|_| new_thread()));
    threads
}

/// Gives them back.
pub(super) fn give(threads: Threads) {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).extend(threads.into_iter().rev());
}

/// The last elements of a list, the very last one first.
fn take_last<T>(list: &mut Vec<T>, count: usize) -> impl Iterator<Item = T> {
    let kept = list.len().saturating_sub(count);
    list.drain(kept..).rev()
}

fn new_thread() -> &'static Thread {
    MADE.fetch_add(1, Ordering::Relaxed);
    let thread: &'static Thread = Box::leak(Box::new(Thread {
        job: UnsafeCell::new(None),
        has_job: AtomicBool::new(false),
        parker: AtomicPtr::default(),
    }));
    let builder = thread::Builder::new().name("accrue-omp".into()).stack_size(environment().stack);
    if let Err(error) = builder.spawn(|| thread.serve()) {
        fatal(format_args!(
            "no thread for a parallel region: {error}; OMP_NUM_THREADS or OMP_THREAD_LIMIT ask for fewer"
        ));
    }
    thread
}

impl Thread {
    /// Gives the thread a job.
    ///
    /// # Safety
    /// The caller has the thread from the pool, and the job may be run.
    pub(super) unsafe fn start(&self, job: Job) {
        // SAFETY: the thread has taken its last job, and whoever gives it one has it from the pool.
        unsafe { *self.job.get() = Some(job) };
        self.has_job.store(true, Ordering::SeqCst);
        let parker = self.parker.load(Ordering::SeqCst);
        // SAFETY: parkers live for ever.
        if let Some(parker) = unsafe { parker.as_ref() } {
            parker.unpark();
        }
    }

    fn serve(&self) {
        let parker = Parker::of_this_thread();
        self.parker.store(std::ptr::from_ref(parker).cast_mut(), Ordering::SeqCst);
        loop {
            let mut idle = Idle::of_pool(MADE.load(Ordering::Relaxed));
            let has_job = || self.has_job.load(Ordering::SeqCst);
            while !has_job() {
                if idle.pass_unless(has_job) {
                    parker.park(None);
                }
            }
            // SAFETY: there is a job, which nobody else touches.
            let job = unsafe { (*self.job.get()).take() };
            self.has_job.store(false, Ordering::SeqCst);
            if let Some(Job { run, data, number }) = job {
                // SAFETY: the promise of the caller of `start`.
                unsafe { run(data, number) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::take_last;

    #[test]
    fn threads_keep_their_numbers() {
        let mut idle = vec![3, 2, 1];
        for count in [3, 1, 2, 3] {
            let taken: Vec<u32> = take_last(&mut idle, count).collect();
            assert_eq!(taken, (1..=count as u32).collect::<Vec<_>>());
            idle.extend(taken.into_iter().rev());
        }
        assert_eq!(take_last(&mut idle, 9).count(), 3);
    }
}
