//! Bytes in several runs at regular distances: `update self(a[0:n][0:1])` means the first element of each of
//! n rows.

use smallvec::SmallVec;

/// What is inside of it, so many times, at a distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stride {
    /// How often.
    pub count: u64,
    /// Bytes from one start to the next.
    pub distance: u64,
}

/// Runs of bytes, the same on both sides of a copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runs {
    /// Bytes of a run.
    pub bytes: u64,
    /// How runs follow each other, the innermost stride first; none for a single run. Each leaves a gap, and
    /// none counts to one.
    pub strides: SmallVec<[Stride; 2]>,
}

impl Runs {
    /// A single run.
    pub fn one(bytes: u64) -> Runs {
        Runs { bytes, strides: SmallVec::new() }
    }

    /// Runs with strides from the innermost on. Those that touch become one.
    pub fn new(bytes: u64, strides: impl IntoIterator<Item = Stride>) -> Runs {
        let mut runs = Runs::one(bytes);
        for Stride { count, distance } in strides {
            let (number, unit) = match runs.strides.last_mut() {
                None => (&mut runs.bytes, 1),
                Some(inner) => (&mut inner.count, inner.distance),
            };
            if count == 1 {
                continue;
            }
            if number.checked_mul(unit) == Some(distance) {
                *number = number.saturating_mul(count);
            } else {
                runs.strides.push(Stride { count, distance });
            }
        }
        if runs.strides.iter().any(|stride| stride.count == 0) { Runs::one(0) } else { runs }
    }

    /// Whether it is a single run.
    pub fn is_one(&self) -> bool {
        self.strides.is_empty()
    }

    /// Bytes of all runs.
    pub fn total(&self) -> u64 {
        self.strides.iter().fold(self.bytes, |bytes, stride| bytes.saturating_mul(stride.count))
    }

    /// Bytes from the start of the first run to the end of the last.
    pub fn extent(&self) -> u64 {
        self.strides.iter().fold(self.bytes, |bytes, stride| {
            bytes.saturating_add(stride.distance.saturating_mul(stride.count.saturating_sub(1)))
        })
    }

    /// Whether a run begins before another ends: then the program's section leaves the array that it is one
    /// of.
    pub fn overlap(&self) -> bool {
        let mut inner = Runs::one(self.bytes);
        self.strides.iter().any(|&stride| {
            let overlaps = stride.distance < inner.extent();
            inner.strides.push(stride);
            overlaps
        })
    }

    /// Where the runs start, in the order of memory.
    pub fn offsets(&self) -> impl Iterator<Item = u64> + use<'_> {
        let runs = self.strides.iter().fold(1u64, |runs, stride| runs.saturating_mul(stride.count));
        (0..if self.bytes == 0 { 0 } else { runs }).map(|index| {
            let place = |(left, offset): (u64, u64), stride: &Stride| {
                (left / stride.count, offset + left % stride.count * stride.distance)
            };
            self.strides.iter().fold((index, 0), place).1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(bytes: u64, strides: &[(u64, u64)]) -> Runs {
        Runs::new(bytes, strides.iter().map(|&(count, distance)| Stride { count, distance }))
    }

    #[test]
    fn runs_that_touch_are_one() {
        assert_eq!(runs(40, &[(10, 40), (3, 400)]), Runs::one(1200));
        assert_eq!(runs(8, &[(1, 40), (3, 400)]), runs(8, &[(3, 400)]));
        assert_eq!(runs(8, &[(10, 40), (3, 400)]), runs(8, &[(30, 40)]));
        assert_eq!(runs(16, &[(10, 40), (2, 1000)]).strides.len(), 2);
        assert_eq!(runs(16, &[(10, 40), (0, 1000)]), Runs::one(0));
        assert!(runs(0, &[(4, 8)]).offsets().next().is_none());
    }

    #[test]
    fn offsets_are_in_the_order_of_memory() {
        let halo = runs(4, &[(3, 20), (2, 100)]);
        assert_eq!(halo.offsets().collect::<Vec<_>>(), [0, 20, 40, 100, 120, 140]);
        assert_eq!((halo.total(), halo.extent(), halo.overlap()), (24, 144, false));
        assert_eq!(Runs::one(5).offsets().collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn runs_overlap_where_a_section_leaves_its_array() {
        assert!(runs(24, &[(3, 20)]).overlap());
        assert!(runs(4, &[(6, 20), (2, 100)]).overlap());
        assert!(!runs(4, &[(5, 20), (2, 101)]).overlap());
        assert!(runs(1, &[(u64::MAX, 2), (2, 3)]).overlap(), "sizes that no memory has");
    }
}
