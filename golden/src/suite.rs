//! Many goldens at a time.

use crate::case::{Case, Golden};
use crate::run::{Outcome, RunError, check};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How goldens are checked.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The compiler.
    pub compiler: PathBuf,
    /// Write the golden files instead of comparing with them.
    pub bless: bool,
    /// How many run at a time; at least one does.
    pub jobs: usize,
    /// How long each may take.
    pub timeout: Option<Duration>,
}

/// A golden that was checked.
#[derive(Debug)]
pub struct Finished<'a> {
    /// The case.
    pub case: &'a Case,
    /// The golden.
    pub golden: &'a Golden,
    /// What became of it.
    pub outcome: Result<Outcome, RunError>,
    /// How long it took.
    pub time: Duration,
}

impl Suite {
    /// Checks the goldens and tells of each in their order, as soon as those before it are finished. Ends
    /// early with an error of `tell`.
    pub fn run<'a, E: Send>(
        &self,
        goldens: &[(&'a Case, &'a Golden)],
        tell: impl FnMut(Finished<'a>) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        struct Told<'a, F, E> {
            waiting: Vec<Option<Finished<'a>>>,
            next: usize,
            tell: F,
            failed: Option<E>,
        }
        let told = Mutex::new(Told {
            waiting: goldens.iter().map(|_| None).collect(),
            next: 0,
            tell,
            failed: None::<E>,
        });
        let begun = AtomicUsize::new(0);
        let work = || {
            while let index = begun.fetch_add(1, Ordering::Relaxed)
                && let Some(&(case, golden)) = goldens.get(index)
            {
                let start = Instant::now();
                let outcome = check(&self.compiler, golden, self.bless, self.timeout);
                let told = &mut *told.lock().unwrap_or_else(PoisonError::into_inner);
                if told.failed.is_some() {
                    return;
                }
                told.waiting[index] = Some(Finished { case, golden, outcome, time: start.elapsed() });
                while let Some(finished) = told.waiting.get_mut(told.next).and_then(Option::take) {
                    told.next += 1;
                    if let Err(error) = (told.tell)(finished) {
                        told.failed = Some(error);
                        return;
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.jobs.clamp(1, goldens.len().max(1)) {
                scope.spawn(work);
            }
            work();
        });
        told.into_inner().unwrap_or_else(PoisonError::into_inner).failed.map_or(Ok(()), Err)
    }
}
