//! Loops that run, and when their iterations began.

use std::collections::VecDeque;
use std::ops::Range;

/// A moment: iterations of any loop that had begun before.
pub(super) type Tick = u64;

/// Stretches of iterations that a loop remembers. One of regular iterations is one stretch; of a loop with
/// more, the oldest iterations lose their numbers, which only messages tell.
const MOST_STRETCHES: usize = 1 << 16;

/// A loop that runs.
pub(super) struct Active {
    /// Its number in the program's table.
    pub(super) loop_: u32,
    /// When it was entered.
    pub(super) since: Tick,
    /// When its current iteration began.
    pub(super) current: Tick,
    iterations: Iterations,
    spared: Vec<(Range<u64>, Spare)>,
}

/// What a loop may carry in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spare {
    /// Anything: the object is the loop's own.
    All,
    /// Anything: the loop reduces it, in an object that begins to exist with its first iteration.
    Reduced,
    /// What copies of the object avoid: several threads have it each for itself, and execute several
    /// iterations each.
    AllButFlow,
}

impl Active {
    pub(super) fn new(loop_: u32, since: Tick) -> Active {
        Active { loop_, since, current: since, iterations: Iterations::default(), spared: Vec::new() }
    }

    /// Begins an iteration; gives its number.
    pub(super) fn iterate(&mut self, now: Tick) -> u64 {
        self.current = now;
        self.iterations.begin(now)
    }

    /// The iteration that ran at a moment, if it is remembered.
    pub(super) fn iteration_at(&self, tick: Tick) -> Option<u64> {
        self.iterations.at(tick)
    }

    /// Says what the loop may carry in an object; whether that was not known.
    pub(super) fn spare(&mut self, object: Range<u64>, how: Spare) -> bool {
        let is_new = !self.spared.contains(&(object.clone(), how));
        if is_new {
            self.spared.push((object, how));
        }
        is_new
    }

    /// What the loop may carry at an address.
    pub(super) fn spares(&self, address: u64) -> Option<Spare> {
        self.spared.iter().find(|(object, _)| object.contains(&address)).map(|(_, how)| *how)
    }
}

/// When the iterations of a loop began.
#[derive(Default)]
struct Iterations {
    begun: u64,
    stretches: VecDeque<Stretch>,
}

/// Iterations that began at regular distances.
struct Stretch {
    first: u64,
    count: u64,
    start: Tick,
    distance: Tick,
}

impl Iterations {
    fn begin(&mut self, now: Tick) -> u64 {
        let number = self.begun;
        self.begun += 1;
        if let Some(stretch) = self.stretches.back_mut() {
            if stretch.count == 1 {
                stretch.distance = now - stretch.start;
            }
            if now == stretch.start + stretch.count * stretch.distance {
                stretch.count += 1;
                return number;
            }
        }
        if self.stretches.len() == MOST_STRETCHES {
            self.stretches.pop_front();
        }
        self.stretches.push_back(Stretch { first: number, count: 1, start: now, distance: 1 });
        number
    }

    fn at(&self, tick: Tick) -> Option<u64> {
        let behind = self.stretches.partition_point(|stretch| stretch.start <= tick);
        let stretch = &self.stretches[behind.checked_sub(1)?];
        Some(stretch.first + ((tick - stretch.start) / stretch.distance).min(stretch.count - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_found_by_their_ticks() {
        let mut active = Active::new(0, 10);
        // Three iterations of 4 ticks, one of 7, and two of 1.
        for (number, start) in [11, 15, 19, 23, 30, 31].into_iter().enumerate() {
            assert_eq!(active.iterate(start), number as u64);
        }
        let ticks = [11, 14, 15, 18, 22, 23, 29, 30, 31, 40];
        let found = ticks.map(|tick| active.iteration_at(tick));
        assert_eq!(found, [0, 0, 1, 1, 2, 3, 3, 4, 5, 5].map(Some));
        assert_eq!(active.iteration_at(10), None, "before the first");
        let stretches = active.iterations.stretches.len();
        assert!(stretches <= 3, "{stretches}");
    }

    #[test]
    fn many_regular_iterations_are_one_stretch() {
        let mut active = Active::new(0, 0);
        for start in 0..100_000 {
            active.iterate(1 + 3 * start);
        }
        assert_eq!(active.iterations.stretches.len(), 1);
        assert_eq!(active.iteration_at(1 + 3 * 77_777 + 2), Some(77_777));
    }

    #[test]
    fn irregular_iterations_are_forgotten_oldest_first() {
        let mut active = Active::new(0, 0);
        let mut now = 0;
        for number in 0..4 * MOST_STRETCHES as u64 {
            now += 1 + number % 3 + number % 7;
            active.iterate(now);
        }
        assert_eq!(active.iterations.stretches.len(), MOST_STRETCHES);
        assert_eq!(active.iteration_at(1), None);
        assert_eq!(active.iteration_at(now), Some(4 * MOST_STRETCHES as u64 - 1));
    }

    #[test]
    fn spared_objects_are_ranges() {
        let mut active = Active::new(0, 0);
        active.spare(100..108, Spare::All);
        active.spare(100..108, Spare::All);
        active.spare(200..300, Spare::AllButFlow);
        assert_eq!(active.spared.len(), 2);
        let found = [99, 100, 107, 108, 299].map(|address| active.spares(address));
        assert_eq!(found, [None, Some(Spare::All), Some(Spare::All), None, Some(Spare::AllButFlow)]);
    }
}
