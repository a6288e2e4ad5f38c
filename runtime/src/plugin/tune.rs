//! Which shape of a region is fastest: launches of a run take one after the other, and their times are
//! compared.
//!
//! A device that has a region's code in several shapes asks before each launch which of them it should take
//! ([`next`]); the time arrives when the device knows it. Candidate 0 is the shape that a launch has usually.
//!
//! A region may be launched with little and with much to do, and what is best for the one need not be for the
//! other; times of both say nothing beside each other. So launches belong to classes by how much there is to
//! do, a class for each power of two. A class tries its candidates in turn, so that a device whose speed
//! changes treats all alike, and then keeps to the best one. In the end the best shape of a region is the one
//! with which all its launches together would have taken the least time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Times of each candidate that a class waits for.
const SAMPLES: usize = 7;

/// A candidate that takes so many times as long as the best one, in hundredths, is not tried again.
const HOPELESS: u32 = 150;

/// Times after which a candidate may be hopeless.
const ENOUGH: usize = 2;

/// Hundredths of the usual shape's time below which another one is better: times of the same code differ by
/// that much.
const BETTER: u32 = 97;

/// A launch that is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial {
    region: usize,
    class: usize,
    candidate: usize,
    /// Not of a first launch, which waits for the driver to load the code.
    counts: bool,
}

/// What was found out about a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its name.
    pub region: String,
    /// How often it was launched.
    pub launches: u64,
    /// The mean time of a launch with each candidate, over all launches as they were; none where some class
    /// has not measured the candidate, or has found it hopeless.
    pub means: Vec<Option<Duration>>,
    /// The best candidate; none if there were too few launches to tell.
    pub best: Option<usize>,
}

/// Takes what a run has found out.
pub type Save = Box<dyn FnOnce(Vec<Outcome>) + Send>;

#[derive(Default)]
struct Class {
    /// What there is to do in its launches.
    work: u32,
    launches: u64,
    /// How often each candidate was started, and its times.
    candidates: Vec<(usize, Vec<Duration>)>,
}

struct Region {
    name: String,
    /// Whether each candidate was launched before.
    loaded: Vec<bool>,
    classes: Vec<Class>,
}

/// All that is measured.
#[derive(Default)]
struct Tuner {
    regions: Vec<Region>,
}

static TUNER: Mutex<(Tuner, Option<Save>)> = Mutex::new((Tuner { regions: Vec::new() }, None));

fn tuner() -> MutexGuard<'static, (Tuner, Option<Save>)> {
    TUNER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Somebody wants to know, and is told in the end.
pub(crate) fn start(save: Save) {
    tuner().1 = Some(save);
}

/// Whether shapes are tried.
pub(crate) fn is_on() -> bool {
    tuner().1.is_some()
}

/// The candidate of so many that a launch of a region takes, which has `work` to do.
pub fn next(region: &str, candidates: usize, work: u64) -> (usize, Trial) {
    let trial = tuner().0.next(region, candidates, work);
    (trial.candidate, trial)
}

/// A launch took so long.
pub(crate) fn measured(trial: Trial, time: Duration) {
    tuner().0.measured(trial, time);
}

/// The program ends, and all times have arrived.
pub(crate) fn finish() {
    let (tuner, save) = &mut *tuner();
    if let Some(save) = save.take() {
        save(tuner.regions.iter().map(Region::outcome).collect());
    }
}

fn median(times: &[Duration]) -> Option<Duration> {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

impl Tuner {
    fn next(&mut self, name: &str, candidates: usize, work: u64) -> Trial {
        let found = self.regions.iter().position(|region| region.name == name);
        let region = found.unwrap_or_else(|| {
            self.regions.push(Region {
                name: name.to_owned(),
                loaded: vec![false; candidates],
                classes: Vec::new(),
            });
            self.regions.len() - 1
        });
        let Region { loaded, classes, .. } = &mut self.regions[region];
        let work = u64::BITS - work.leading_zeros();
        let found = classes.iter().position(|class| class.work == work);
        let class = found.unwrap_or_else(|| {
            let candidates = vec![Default::default(); candidates];
            classes.push(Class { work, launches: 0, candidates });
            classes.len() - 1
        });
        let candidate = classes[class].next(loaded);
        let counts = std::mem::replace(&mut loaded[candidate], true);
        let class_data = &mut classes[class];
        class_data.launches += 1;
        class_data.candidates[candidate].0 += usize::from(counts);
        Trial { region, class, candidate, counts }
    }

    fn measured(&mut self, trial: Trial, time: Duration) {
        if trial.counts {
            self.regions[trial.region].classes[trial.class].candidates[trial.candidate].1.push(time);
        }
    }
}

impl Class {
    /// The candidate of the next launch: one that was never loaded, then the one that was tried least of
    /// those that are worth it, then the best one.
    fn next(&self, loaded: &[bool]) -> usize {
        if let Some(new) = loaded.iter().position(|loaded| !loaded) {
            return new;
        }
        let open =
            |&candidate: &usize| self.candidates[candidate].0 < SAMPLES && !self.is_hopeless(candidate);
        let least = (0..loaded.len()).filter(open).min_by_key(|&candidate| self.candidates[candidate].0);
        least.or_else(|| self.best()).unwrap_or(0)
    }

    fn median(&self, candidate: usize) -> Option<Duration> {
        median(&self.candidates[candidate].1)
    }

    fn best(&self) -> Option<usize> {
        let known =
            (0..self.candidates.len()).filter_map(|candidate| Some((self.median(candidate)?, candidate)));
        known.min().map(|(_, candidate)| candidate)
    }

    fn is_hopeless(&self, candidate: usize) -> bool {
        let times = &self.candidates[candidate].1;
        let Some(least) = times.iter().min().filter(|_| times.len() >= ENOUGH) else { return false };
        let best = self.best().and_then(|best| self.median(best));
        best.is_some_and(|best| *least * 100 > best * HOPELESS)
    }

    /// The time of a launch with a candidate, if it is worth considering.
    fn time(&self, candidate: usize) -> Option<Duration> {
        self.median(candidate).filter(|_| candidate == 0 || !self.is_hopeless(candidate))
    }
}

impl Region {
    fn outcome(&self) -> Outcome {
        let launches: u64 = self.classes.iter().map(|class| class.launches).sum();
        // Classes of which not even the usual shape was measured say nothing.
        let classes: Vec<&Class> = self.classes.iter().filter(|class| class.time(0).is_some()).collect();
        let weight: u64 = classes.iter().map(|class| class.launches).sum();
        let mean = |candidate: usize| {
            let times = classes
                .iter()
                .map(|class| Some(class.time(candidate)?.as_secs_f64() * class.launches as f64));
            let sum: f64 = times.sum::<Option<f64>>()?;
            (weight > 0).then(|| Duration::from_secs_f64(sum / weight as f64))
        };
        let means: Vec<Option<Duration>> = (0..self.loaded.len()).map(mean).collect();
        let others = means.iter().enumerate().skip(1);
        let fastest = others.filter_map(|(candidate, mean)| Some((mean.as_ref()?, candidate))).min();
        let usual = means.first().copied().flatten();
        let are_hopeless =
            (1..means.len()).all(|candidate| classes.iter().any(|class| class.is_hopeless(candidate)));
        let best = match (usual, fastest) {
            (Some(usual), Some((time, candidate))) if *time * 100 < usual * BETTER => Some(candidate),
            (Some(_), Some(_)) => Some(0),
            (Some(_), None) => are_hopeless.then_some(0),
            (None, _) => None,
        };
        Outcome { region: self.name.clone(), launches, means, best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Launches of a region that take as long as their work and candidate say; the work of each launch.
    fn outcome(
        works: impl IntoIterator<Item = u64>,
        time: impl Fn(u64, usize) -> u64,
    ) -> (Outcome, Vec<usize>) {
        let (mut tuner, mut taken) = (Tuner::default(), Vec::new());
        for work in works {
            let trial = tuner.next("r", 3, work);
            taken.push(trial.candidate);
            tuner.measured(trial, Duration::from_micros(time(work, trial.candidate)));
        }
        (tuner.regions[0].outcome(), taken)
    }

    #[test]
    fn every_candidate_has_its_turn_and_the_best_one_the_rest() {
        let (outcome, taken) = outcome([1000; 40], |_, candidate| [10, 8, 9][candidate]);
        assert_eq!(outcome.best, Some(1));
        assert_eq!(outcome.means, [10, 8, 9].map(|time| Some(Duration::from_micros(time))));
        assert_eq!(taken[..6], [0, 1, 2, 0, 1, 2]);
        assert_eq!(taken[24..], [1; 16]);
    }

    #[test]
    fn what_is_hopeless_is_left() {
        let (outcome, taken) = outcome([1000; 40], |_, candidate| [10, 30, 9][candidate]);
        assert_eq!((outcome.best, outcome.means[1]), (Some(2), None));
        assert_eq!(taken.iter().filter(|&&candidate| candidate == 1).count(), 1 + ENOUGH);
    }

    #[test]
    fn the_usual_shape_is_the_best_where_all_else_is_hopeless() {
        let (outcome, _) = outcome([1000; 40], |_, candidate| [10, 30, 40][candidate]);
        assert_eq!((outcome.best, &outcome.means[1..]), (Some(0), &[None, None][..]));
    }

    #[test]
    fn launches_count_by_what_they_do() {
        // Candidate 1 is better for much, candidate 2 for little; most of the time goes to what is much.
        let time = |work: u64, candidate: usize| match work {
            100_000 => [100, 80, 120][candidate],
            _ => [10, 12, 8][candidate],
        };
        let works = |little: usize| (0..400).map(move |at| if at % little == 0 { 100_000 } else { 10 });
        assert_eq!(outcome(works(2), time).0.best, Some(1));
        assert_eq!(outcome(works(40), time).0.best, Some(2));
    }

    #[test]
    fn little_is_no_reason() {
        assert_eq!(outcome([7; 60], |_, candidate| [100, 98, 120][candidate]).0.best, Some(0));
        // A first launch says nothing, and a candidate must have had a second one.
        let (outcome, _) = outcome([7; 3], |_, _| 5);
        assert_eq!((outcome.best, outcome.launches), (None, 3));
    }
}
