//! The greatest value that a sum over counters takes.

use super::{Bounds, System, Unbounded, is_moving};
use crate::analysis::sums::{Atom, Atoms, Sum};

/// A number that is known before the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// A sum without counters.
    Sum(Sum),
    /// `plus + times * floor(dividend / divisor)`.
    Floor {
        /// Is added.
        plus: Sum,
        /// The factor of the quotient.
        times: i64,
        /// Is divided.
        dividend: Sum,
        /// At least 2.
        divisor: i64,
    },
    /// The least of these.
    Min(Vec<Bound>),
    /// The greatest of these.
    Max(Vec<Bound>),
}

impl Bound {
    /// This one less another one, if that is a constant.
    pub fn difference(&self, other: &Bound) -> Option<i64> {
        match (self, other) {
            (Bound::Sum(a), Bound::Sum(b)) => a.distance_from(b),
            (Bound::Floor { plus: a, .. }, Bound::Floor { plus: b, .. }) => {
                let difference = a.distance_from(b)?;
                (*self == other.shifted(difference)?).then_some(difference)
            }
            (Bound::Min(a), Bound::Min(b)) | (Bound::Max(a), Bound::Max(b)) if a.len() == b.len() => {
                let mut pairs = a.iter().zip(b).map(|(a, b)| a.difference(b));
                let first = pairs.next()??;
                pairs.all(|difference| difference == Some(first)).then_some(first)
            }
            _ => None,
        }
    }

    /// Adds the sums that it is computed from.
    pub fn sums<'a>(&'a self, found: &mut Vec<&'a Sum>) {
        match self {
            Bound::Sum(sum) => found.push(sum),
            Bound::Floor { plus, dividend, .. } => found.extend([plus, dividend]),
            Bound::Min(list) | Bound::Max(list) => list.iter().for_each(|bound| bound.sums(found)),
        }
    }

    fn shifted(&self, by: i64) -> Option<Bound> {
        let all = |list: &[Bound]| list.iter().map(|bound| bound.shifted(by)).collect::<Option<Vec<_>>>();
        Some(match self {
            Bound::Sum(sum) => Bound::Sum(sum.plus(1, &Sum::constant(by))?),
            Bound::Floor { plus, times, dividend, divisor } => Bound::Floor {
                plus: plus.plus(1, &Sum::constant(by))?,
                times: *times,
                dividend: dividend.clone(),
                divisor: *divisor,
            },
            Bound::Min(list) => Bound::Min(all(list)?),
            Bound::Max(list) => Bound::Max(all(list)?),
        })
    }

    /// Whether this one is less than or equal to another one for certain; `is_ordered` tells that of those
    /// that are no minimum or maximum.
    pub(super) fn is_at_most(&self, other: &Bound, is_ordered: &impl Fn(&Bound, &Bound) -> bool) -> bool {
        match (self, other) {
            (_, Bound::Min(all)) => all.iter().all(|other| self.is_at_most(other, is_ordered)),
            (Bound::Max(all), _) => all.iter().all(|own| own.is_at_most(other, is_ordered)),
            (Bound::Min(any), _) => any.iter().any(|own| own.is_at_most(other, is_ordered)),
            (_, Bound::Max(any)) => any.iter().any(|other| self.is_at_most(other, is_ordered)),
            _ => is_ordered(self, other),
        }
    }

    /// Whether this one is less than or equal to another one by constants.
    pub(super) fn is_below(&self, other: &Bound) -> bool {
        self.is_at_most(other, &|a, b| a.difference(b).is_some_and(|difference| difference <= 0))
    }

    /// The least, or the greatest, of some bounds, without those that say nothing beside the others.
    pub(super) fn pick(
        bounds: Vec<Bound>,
        least: bool,
        redundant: impl Fn(&Bound, &Bound) -> bool,
    ) -> Option<Bound> {
        if let [Bound::Sum(_) | Bound::Floor { .. }] = bounds[..] {
            return bounds.into_iter().next();
        }
        let mut kept: Vec<Bound> = Vec::with_capacity(bounds.len());
        let parts = |bound| match bound {
            Bound::Min(list) if least => list,
            Bound::Max(list) if !least => list,
            other => vec![other],
        };
        for bound in bounds.into_iter().flat_map(parts) {
            if kept.iter().any(|other| redundant(&bound, other)) {
                continue;
            }
            kept.retain(|other| !redundant(other, &bound));
            kept.push(bound);
        }
        match kept.len() {
            0 => None,
            1 => kept.pop(),
            _ if least => Some(Bound::Min(kept)),
            _ => Some(Bound::Max(kept)),
        }
    }
}

/// Looks for the byte farthest from the object's start, in one direction.
pub(super) struct Outermost<'a> {
    pub(super) atoms: &'a mut Atoms,
    /// What holds where there is an access.
    pub(super) guard: &'a System,
    /// All distances are multiples of this.
    pub(super) step: i64,
    /// 1 upwards, -1 downwards: distances are those from `fixed` in this direction.
    pub(super) sign: i64,
    /// The address without counters.
    pub(super) fixed: Sum,
    /// So many results may still be looked at.
    pub(super) left: usize,
}

impl Outermost<'_> {
    /// The address at the greatest value of `distance / over`, with the counters, in order, and the bounds
    /// that each has when those before it are projected out.
    pub(super) fn greatest(
        &mut self,
        distance: &Sum,
        over: i64,
        counters: &[(Atom, Bounds)],
    ) -> Result<Bound, Unbounded> {
        let Some(((counter, bounds), outer)) = counters.split_first() else {
            return self.address(distance, over);
        };
        let (factor, rest) = distance.linear_in(*counter).ok_or(Unbounded::Shape)?;
        if factor == Sum::default() {
            return self.greatest(distance, over, outer);
        }
        self.left = self.left.checked_sub(1).ok_or(Unbounded::Size)?;
        let Bounds { lower, upper } = bounds;
        let has_counters = factor.atoms().any(|atom| is_moving(self.atoms, atom));
        let at = |search: &mut Self, (bound, number): &(Sum, i64)| {
            let (distance, over) = replaced(&factor, &rest, bound, *number, over).ok_or(Unbounded::Shape)?;
            search.greatest(&distance, over, outer)
        };
        let minus = factor.scaled(-1).ok_or(Unbounded::Shape)?;
        // Each of several bounds holds, so that one that leads on is enough: `n` of `j < i + s && j < n`.
        let (mut results, mut why) = (Vec::new(), Unbounded::Loop(*counter));
        let mut note = |result: Result<Bound, Unbounded>| match result {
            Ok(bound) => results.push(bound),
            Err(other) => why = other,
        };
        if !has_counters && self.guard.proves(self.atoms, &factor) {
            upper.iter().for_each(|bound| note(at(self, bound)));
        } else if !has_counters && self.guard.proves(self.atoms, &minus) {
            lower.iter().for_each(|bound| note(at(self, bound)));
        } else {
            for low in lower {
                for high in upper {
                    let ends = at(self, high).and_then(|high| Ok(vec![high, at(self, low)?]));
                    note(ends.and_then(|ends| self.farthest(ends).ok_or(Unbounded::Loop(*counter))));
                }
            }
        }
        self.nearest(results).ok_or(why)
    }

    /// The address at a distance without counters.
    fn address(&self, distance: &Sum, over: i64) -> Result<Bound, Unbounded> {
        let divisor = over.checked_mul(self.step).ok_or(Unbounded::Shape)?;
        let is_whole = over == 1 && distance.terms().all(|(_, factor)| factor % self.step == 0);
        if is_whole {
            return self.fixed.plus(self.sign, distance).map(Bound::Sum).ok_or(Unbounded::Shape);
        }
        if let (dividend, constant) = distance.without_constant()
            && dividend == Sum::default()
        {
            let steps = constant.div_euclid(divisor) * self.step * self.sign;
            return self.fixed.plus(1, &Sum::constant(steps)).map(Bound::Sum).ok_or(Unbounded::Shape);
        }
        let (plus, times) = (self.fixed.clone(), self.step * self.sign);
        Ok(Bound::Floor { plus, times, dividend: distance.clone(), divisor })
    }

    /// The bound that is nearest to the object's start: each of them holds.
    fn nearest(&self, bounds: Vec<Bound>) -> Option<Bound> {
        let is_least = self.sign > 0;
        // Of two upper bounds, the greater one says nothing.
        Bound::pick(
            bounds,
            is_least,
            |a, b| if is_least { self.is_ordered(b, a) } else { self.is_ordered(a, b) },
        )
    }

    /// The bound that is farthest: one of them holds.
    fn farthest(&self, bounds: Vec<Bound>) -> Option<Bound> {
        let is_least = self.sign < 0;
        Bound::pick(
            bounds,
            is_least,
            |a, b| if is_least { self.is_ordered(b, a) } else { self.is_ordered(a, b) },
        )
    }

    /// Whether the first is less than or equal to the second for certain.
    fn is_ordered(&self, a: &Bound, b: &Bound) -> bool {
        a.is_at_most(b, &|a, b| match (a, b) {
            (Bound::Sum(a), Bound::Sum(b)) => {
                b.plus(-1, a).is_some_and(|difference| self.guard.proves(self.atoms, &difference))
            }
            _ => b.difference(a).is_some_and(|difference| difference >= 0),
        })
    }
}

/// `(factor * counter + rest) / over` where the counter is `bound / number`.
fn replaced(factor: &Sum, rest: &Sum, bound: &Sum, number: i64, over: i64) -> Option<(Sum, i64)> {
    let is_divisible = number == 1 || factor.terms().all(|(_, factor)| factor % number == 0);
    if is_divisible {
        let quotient = factor.clone().divided(number);
        return Some((rest.plus(1, &quotient.times(bound)?)?, over));
    }
    Some((rest.scaled(number)?.plus(1, &factor.times(bound)?)?, over.checked_mul(number)?))
}
