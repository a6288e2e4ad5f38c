//! Accesses that go around a ring: `b[(i + k) % n]`, whose length is a number that is not known.
//!
//! A remainder is its dividend less a multiple of the divisor, whatever the signs. Two of them by one divisor
//! are equal only if the dividends are a multiple of it apart, which no two iterations of a loop are that
//! runs at most once around. The product of divisor and quotient is in no system of linear conditions.

use super::super::facts::{Fact, excludes};
use super::super::sums::{Kind, Product, Sum};
use super::Question;
use crate::op::BinaryOp;

/// An address as a place in a ring: `fixed + factor * ((step * counter + start) % length)`.
struct Place<'a> {
    fixed: Sum,
    factor: i64,
    step: i64,
    start: Sum,
    length: &'a Sum,
}

impl Question<'_> {
    /// Whether both accesses are to one ring, and the loop ends before it comes to a place again.
    pub(super) fn stays_ahead(&self) -> bool {
        self.comes_again().is_some_and(|again| excludes(self.atoms(), &self.later.facts, &again))
    }

    /// What the later iteration would have to be for the accesses to meet; `None` if that is not known.
    fn comes_again(&self) -> Option<Fact> {
        let [a, b] = self.distances_from_root()?;
        let (a, b) = (self.place(&a)?, self.place(&b)?);
        let is_apart = a.factor.checked_abs()? >= self.earlier.bytes.max(self.later.bytes);
        let is_one_ring = a.fixed == b.fixed && a.length == b.length;
        if !is_apart || !is_one_ring || (a.factor, a.step) != (b.factor, b.step) {
            return None;
        }
        // How far the later place is ahead, if it is that of the next iteration, and at most.
        let step = a.step.checked_abs()?;
        let gap = b.start.distance_from(&a.start)?.checked_mul(a.step.signum())?;
        let is_ahead = step.checked_add(gap)? > 0;
        let most = Sum::atom(self.counter()?).scaled(step)?.plus(1, &Sum::constant(gap))?;
        is_ahead.then(|| Fact::exceeds(&most, a.length, 0)).flatten()
    }

    /// A distance from the root as a place in a ring.
    fn place(&self, distance: &Sum) -> Option<Place<'_>> {
        let changes = |product: &Product| product.iter().any(|&atom| self.pair.changes(atom));
        let only = |sum: &Sum| {
            let mut terms = sum.terms();
            let term = terms.next().filter(|_| terms.next().is_none());
            term.and_then(|(product, factor)| Some((Sum::term(*product, 1).as_atom()?, factor)))
        };
        let (moving, fixed) = distance.split(changes);
        let (remainder, factor) = only(&moving)?;
        let Kind::Binary(BinaryOp::SRem, dividend, length) = &self.atoms().data(remainder).kind else {
            return None;
        };
        let (moving, start) = dividend.split(changes);
        let (counter, step) = only(&moving)?;
        let is_fixed = length.atoms().all(|atom| !self.pair.changes(atom));
        let is_place = is_fixed && Some(counter) == self.counter();
        is_place.then_some(Place { fixed, factor, step, start, length })
    }
}
