//! What is over: of each chain, the last time that is.

use smallvec::SmallVec;
use std::sync::Arc;

/// Entries beside the base at most: more are put into a base of their own.
const MOST: usize = 16;

/// A time for each chain. Tasks of one creator have most of it in common, and share that.
#[derive(Clone, Default, Debug)]
pub(super) struct Clock {
    base: Arc<[u32]>,
    beside: SmallVec<[(u32, u32); 4]>,
}

impl Clock {
    fn time(&self, chain: u32) -> u32 {
        let beside = self.beside.iter().filter(|(other, _)| *other == chain).map(|(_, time)| *time);
        beside.chain(self.base.get(chain as usize).copied()).max().unwrap_or(0)
    }

    /// Whether a time of a chain, from 1 on, is over.
    pub(super) fn covers(&self, chain: u32, time: u32) -> bool {
        self.time(chain) >= time
    }

    /// A time of a chain is over.
    pub(super) fn pass(&mut self, chain: u32, time: u32) {
        if self.covers(chain, time) {
            return;
        }
        match self.beside.iter_mut().find(|(other, _)| *other == chain) {
            Some(entry) => entry.1 = time,
            None => self.beside.push((chain, time)),
        }
        if self.beside.len() > MOST {
            self.set_base(&[]);
        }
    }

    /// What is over by another clock is over.
    pub(super) fn join(&mut self, other: &Clock) {
        if !Arc::ptr_eq(&self.base, &other.base) && !other.base.is_empty() {
            if self.base.is_empty() {
                self.base = Arc::clone(&other.base);
            } else {
                self.set_base(&other.base);
            }
        }
        other.beside.iter().for_each(|&(chain, time)| self.pass(chain, time));
    }

    /// Makes a base of its own, with that of another clock.
    fn set_base(&mut self, other: &[u32]) {
        let beside = std::mem::take(&mut self.beside);
        let of_beside = beside.iter().map(|(chain, _)| *chain as usize + 1).max().unwrap_or(0);
        let mut all = self.base.to_vec();
        all.resize(all.len().max(other.len()).max(of_beside), 0);
        all.iter_mut().zip(other).for_each(|(time, other)| *time = (*time).max(*other));
        for (chain, time) in beside {
            let known = &mut all[chain as usize];
            *known = time.max(*known);
        }
        self.base = all.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_stays_so() {
        let (mut first, mut second) = (Clock::default(), Clock::default());
        for chain in 0..100 {
            first.pass(chain, chain + 1);
            first.pass(chain, 1);
        }
        assert!(first.covers(99, 100) && !first.covers(99, 101) && !first.covers(100, 1));
        second.pass(7, 50);
        second.pass(200, 3);
        let mut both = second.clone();
        both.join(&first);
        assert!(both.covers(7, 50) && both.covers(99, 100) && both.covers(200, 3) && !both.covers(200, 4));
        first.join(&second);
        assert!(first.covers(7, 50) && first.covers(0, 1) && first.covers(200, 3));
        assert!(!second.covers(0, 1), "the other one is as it was");
    }
}
