//! The values of locals at a place.

use super::super::sums::Sum;
use crate::entities::Local;

/// Locals with their values. There are some dozens, most of which are set in the order of their numbers, so
/// that a list in that order is cloned and searched faster than a table.
#[derive(Debug, Default)]
pub(super) struct Known {
    values: Vec<(Local, Sum)>,
}

impl Clone for Known {
    fn clone(&self) -> Known {
        // What is cloned goes on along another way, where more is set.
        let mut values = Vec::with_capacity(self.values.len() + MORE);
        values.extend_from_slice(&self.values);
        Known { values }
    }
}

/// Values that a block sets.
const MORE: usize = 16;

impl Known {
    fn place(&self, local: Local) -> Result<usize, usize> {
        match self.values.last() {
            Some((last, _)) if *last >= local => {
                self.values.binary_search_by_key(&local, |(local, _)| *local)
            }
            _ => Err(self.values.len()),
        }
    }

    /// The value of a local, if it has one.
    pub fn get(&self, local: Local) -> Option<&Sum> {
        self.place(local).ok().map(|at| &self.values[at].1)
    }

    /// Gives a local a value.
    pub fn set(&mut self, local: Local, value: Sum) {
        match self.place(local) {
            Ok(at) => self.values[at].1 = value,
            Err(at) => self.values.insert(at, (local, value)),
        }
    }

    /// Forgets the values for which a condition does not hold.
    pub fn retain(&mut self, mut keeps: impl FnMut(Local, &Sum) -> bool) {
        self.values.retain(|(local, value)| keeps(*local, value));
    }

    /// The locals that have another value elsewhere, or a value in one of both places only, in order.
    pub fn different(&self, other: &Known) -> Vec<Local> {
        let (mut left, mut right) = (&self.values[..], &other.values[..]);
        let mut found = Vec::new();
        while let ([a, after_a @ ..], [b, after_b @ ..]) = (left, right) {
            if a != b {
                found.push(a.0.min(b.0));
            }
            if a.0 <= b.0 {
                left = after_a;
            }
            if b.0 <= a.0 {
                right = after_b;
            }
        }
        found.extend(left.iter().chain(right).map(|(local, _)| *local));
        found
    }
}
