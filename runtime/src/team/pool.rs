//! The operating system's threads behind teams, and behind the gangs of regions. They are made when they are
//! needed first, and wait for another team or launch when theirs has ended; they end with the process.

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
pub(crate) struct Job {
    /// Called with the two values below.
    pub(crate) run: unsafe fn(*const (), u32),
    pub(crate) data: *const (),
    pub(crate) number: u32,
}

/// A thread of the pool.
pub(crate) struct Thread {
    job: UnsafeCell<Option<Job>>,
    /// Whether there is a job that the thread has not taken.
    has_job: AtomicBool,
    parker: AtomicPtr<Parker>,
}

// SAFETY: the job is written by the one who has the thread from the pool, before `has_job` becomes true and
// after the last job has ended or was taken back; it is read by the thread when it has made `has_job` false.
unsafe impl Sync for Thread {}

/// Threads of a team or a launch without its first.
pub(crate) type Threads = SmallVec<[&'static Thread; 15]>;

/// Threads that have nothing to do. The last one is taken first, so that the same threads come to the same
/// numbers in consecutive teams, and with them their thread-local objects.
static IDLE: Mutex<Vec<&'static Thread>> = Mutex::new(Vec::new());

/// Threads that were ever made.
static MADE: AtomicU32 = AtomicU32::new(0);

/// Takes `count` threads out of the pool; the first of them is to have the lowest number.
pub(crate) fn take(count: usize) -> Threads {
    let mut threads: Threads =
        take_last(&mut IDLE.lock().unwrap_or_else(PoisonError::into_inner), count).collect();
    threads.extend((threads.len()..count).map(|_| new_thread()));
    threads
}

/// Gives them back.
pub(crate) fn give(threads: Threads) {
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
            "no thread for a parallel region: {error}; OMP_NUM_THREADS, OMP_THREAD_LIMIT or ACC_NUM_CORES ask for \
             fewer"
        ));
    }
    thread
}

impl Thread {
    /// Gives the thread a job.
    ///
    /// # Safety
    /// The caller has the thread from the pool, which runs its last job or has ended it, unless that was
    /// taken back; this one may be run.
    pub(crate) unsafe fn start(&self, job: Job) {
        // SAFETY: the caller's promise.
        unsafe { *self.job.get() = Some(job) };
        self.has_job.store(true, Ordering::SeqCst);
        let parker = self.parker.load(Ordering::SeqCst);
        // SAFETY: parkers live for ever.
        if let Some(parker) = unsafe { parker.as_ref() } {
            parker.unpark();
        }
    }

    /// Takes the job back, unless the thread has begun with it.
    pub(crate) fn take_back(&self) -> bool {
        self.has_job.compare_exchange(true, false, Ordering::SeqCst, Ordering::SeqCst).is_ok()
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
            // It may have been taken back.
            if !self.take_back() {
                continue;
            }
            // SAFETY: there is a job, and the next one is not written before this one runs.
            let job = unsafe { *self.job.get() };
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
