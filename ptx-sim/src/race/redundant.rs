//! Stores of the same value by every CTA of a launch: code that all gangs execute.
//!
//! OpenACC has all gangs execute what stands outside of loops over gangs, and so store the same values in the
//! same places. That is no race that anybody could avoid, as long as every gang does it, by the same of its
//! threads, and nobody reads the value who has not stored it before. Where the grid has more dimensions, the
//! CTAs along some of them count.

use super::cell::Cell;
use crate::special::coordinates;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Stores of a value in one place.
#[derive(Clone, Debug)]
struct Stores {
    /// The first one and a later one.
    sides: [Cell; 2],
    ctas: FxHashSet<u32>,
}

/// All such stores of a launch, by address.
#[derive(Debug, Default)]
pub(crate) struct Redundant {
    stores: Mutex<FxHashMap<u64, Stores>>,
}

impl Redundant {
    fn stores(&self) -> MutexGuard<'_, FxHashMap<u64, Stores>> {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A CTA stores what another one stored before.
    pub(crate) fn add(&self, address: u64, earlier: (Cell, u32), later: (Cell, u32)) {
        let none = || Stores { sides: [earlier.0, later.0], ctas: FxHashSet::default() };
        self.stores().entry(address).or_insert_with(none).ctas.extend([earlier.1, later.1]);
    }

    /// Whether a CTA is one of those that stored a value.
    pub(crate) fn holds(&self, address: u64, cta: u32) -> bool {
        self.stores().get(&address).is_some_and(|stores| stores.ctas.contains(&cta))
    }

    /// After the launch: an address where only some CTAs stored the value, and two of the stores.
    pub(crate) fn partial(&self, grid: [u32; 3]) -> Option<(u64, [Cell; 2])> {
        let all = self.stores();
        let partial = all.iter().filter(|(_, stores)| !is_whole(&stores.ctas, grid));
        partial.map(|(address, stores)| (*address, stores.sides)).min_by_key(|(address, _)| *address)
    }
}

/// Whether CTAs are all those along some of the grid's dimensions.
fn is_whole(ctas: &FxHashSet<u32>, grid: [u32; 3]) -> bool {
    let all: Vec<[u32; 3]> = ctas.iter().map(|cta| coordinates(*cta, grid)).collect();
    let along = |dim: usize| {
        let is_fixed = all.windows(2).all(|pair| pair[0][dim] == pair[1][dim]);
        if is_fixed { 1 } else { grid[dim] as usize }
    };
    all.len() == along(0) * along(1) * along(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctas_along_dimensions_are_whole() {
        let of = |ctas: &[u32]| is_whole(&ctas.iter().copied().collect(), [3, 2, 1]);
        assert!(of(&[0, 1, 2, 3, 4, 5]));
        assert!(of(&[0, 1, 2]) && of(&[3, 4, 5]) && of(&[1, 4]));
        assert!(!of(&[0, 1]) && !of(&[0, 4]) && !of(&[0, 1, 2, 3]));
    }
}
