//! Finds out after how many launches a queue begins anew: the period of a loop over time.
//!
//! A tape that ends where the period does holds the same kernels each time, and is the same graph. What comes
//! is compared with what came a period before; when that is not the same any more, the last four launches
//! say where to look: as far back as they came in this order before.

use rustc_hash::FxHashMap;

/// Launches that are remembered; a power of two.
const REMEMBERED: usize = 512;
/// Longest period.
const LONGEST: u64 = REMEMBERED as u64 / 2;
/// Launches in a row that say where a period may have begun.
const IN_ROW: usize = 4;
/// Sequences of so many launches that are remembered.
const SEQUENCES: usize = 1024;

/// The launches of a queue.
#[derive(Debug)]
pub(super) struct Rhythm {
    /// The last kernels.
    kernels: Vec<usize>,
    /// Launches so far.
    count: u64,
    /// 0 if there is none.
    period: u64,
    /// Launches in a row that were those of a period before.
    same: u64,
    /// Where a period begins, once there was a whole one.
    begin: Option<u64>,
    /// Where the last four kernels came last.
    places: FxHashMap<[usize; IN_ROW], u64>,
}

impl Rhythm {
    pub(super) fn new() -> Rhythm {
        Rhythm {
            kernels: vec![0; REMEMBERED],
            count: 0,
            period: 0,
            same: 0,
            begin: None,
            places: FxHashMap::default(),
        }
    }

    fn at(&self, place: u64) -> usize {
        self.kernels[place as usize % REMEMBERED]
    }

    /// A kernel is launched.
    pub(super) fn launch(&mut self, kernel: usize) {
        let now = self.count;
        self.count += 1;
        self.kernels[now as usize % REMEMBERED] = kernel;
        if self.period > 0 && self.at(now - self.period) == kernel {
            self.same += 1;
            if self.same >= self.period {
                self.begin.get_or_insert(now + 1);
            }
        } else {
            (self.period, self.same, self.begin) = (0, 0, None);
        }
        if now < IN_ROW as u64 {
            return;
        }
        if self.places.len() >= SEQUENCES {
            self.places.clear();
        }
        let row = std::array::from_fn(|back| self.at(now - back as u64));
        let before = self.places.insert(row, now);
        if self.period == 0
            && let Some(before) = before.filter(|before| now - before <= LONGEST)
        {
            (self.period, self.same) = (now - before, IN_ROW as u64);
        }
    }

    /// Whether the next launch is the first of a period, or begins a part of `length` launches of a longer
    /// one. True if there is no period.
    pub(super) fn begins(&self, length: usize) -> bool {
        self.begin.is_none_or(|begin| {
            let place = (self.count - begin) % self.period;
            place.is_multiple_of(length as u64)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the parts of a sequence that is repeated begin, by the place in it, over the last of many
    /// repetitions.
    fn begins(sequence: &[usize], length: usize) -> Vec<usize> {
        let mut rhythm = Rhythm::new();
        let mut found = Vec::new();
        for round in 0..20 {
            for (place, &kernel) in sequence.iter().enumerate() {
                if round == 19 && rhythm.begins(length) {
                    found.push(place);
                }
                rhythm.launch(kernel);
            }
        }
        found
    }

    #[test]
    fn a_period_begins_in_one_place() {
        assert_eq!(begins(&[1, 2, 3, 4, 5], 64).len(), 1);
        assert_eq!(begins(&[1, 1, 2, 1, 1, 2, 1, 1, 3, 1, 1, 3, 1, 1], 64).len(), 1);
        assert_eq!(begins(&[7], 64), [0]);
        let long: Vec<usize> = (0..100).collect();
        assert_eq!(begins(&long, 64).len(), 2);
        let longer: Vec<usize> = (0..1000).collect();
        assert_eq!(begins(&longer, 64).len(), 1000, "there is no period");
    }

    #[test]
    fn another_sequence_is_another_period() {
        let mut rhythm = Rhythm::new();
        (0..100).for_each(|step| rhythm.launch(step % 3));
        assert_eq!(rhythm.period, 3);
        (0..100).for_each(|step| rhythm.launch(10 + step % 7));
        assert_eq!(rhythm.period, 7);
    }
}
