//! Remainders and quotients of counters in addresses: `i % n`, `t & 1`, `i / 2`.
//!
//! One is projected out as a counter is, between bounds of its own. They are those of all values it takes,
//! and no others, if nothing else goes with the counters of its dividend, and if that of a remainder goes by
//! one from an end that is known to another one.

use super::is_moving;
use crate::analysis::facts::{Fact, excludes};
use crate::analysis::sums::{Atom, Atoms, Kind, Sum};
use crate::op::BinaryOp;

/// A remainder that is not below zero, or a quotient.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Quotient {
    pub(super) atom: Atom,
    dividend: Sum,
    divisor: Sum,
    is: Is,
}

/// What is left of a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Is {
    /// The quotient by a constant, rounded downwards.
    Whole,
    /// The remainder; `is_positive`: the divisor is known to be above zero. That by another one is that by
    /// its magnitude.
    Rest { is_positive: bool },
}

/// Between what a remainder or quotient is.
pub(super) struct Between {
    /// Sums that are zero or more.
    pub(super) facts: Vec<Sum>,
    /// It takes the values at the ends.
    pub(super) is_exact: bool,
    /// And all those between.
    pub(super) is_dense: bool,
}

/// One more than a mask has to be a number, too.
const MOST_MASK: i64 = i64::MAX - 1;

impl Quotient {
    /// An atom, if it is one whose dividend is known not to be below zero; `is_fine` tells of atoms that are
    /// counters, or known before the code.
    pub(super) fn of(
        atoms: &Atoms,
        facts: &[Fact],
        atom: Atom,
        is_fine: &impl Fn(&Atoms, Atom) -> bool,
    ) -> Option<Quotient> {
        let Kind::Binary(op, dividend, divisor) = &atoms.data(atom).kind else { return None };
        let is_below = |sum: &Sum, least: i64| {
            let below = Sum::constant(least - 1).plus(-1, sum).map(Fact::AtLeastZero);
            below.is_none_or(|below| !excludes(atoms, facts, &below))
        };
        let all_fine = |sum: &Sum| sum.atoms().all(|atom| is_fine(atoms, atom));
        let is_known = is_moving(atoms, atom)
            && all_fine(dividend)
            && all_fine(divisor)
            && !divisor.atoms().any(|atom| is_moving(atoms, atom))
            && !is_below(dividend, 0);
        if !is_known {
            return None;
        }
        let (divisor, is) = match (op, divisor.as_constant()) {
            (BinaryOp::And, Some(mask @ 0..=MOST_MASK)) if mask & (mask + 1) == 0 => {
                (Sum::constant(mask + 1), Is::Rest { is_positive: true })
            }
            (BinaryOp::URem, _) => (divisor.clone(), Is::Rest { is_positive: true }),
            (BinaryOp::SRem, _) => (divisor.clone(), Is::Rest { is_positive: !is_below(divisor, 1) }),
            (BinaryOp::SDiv | BinaryOp::UDiv, Some(1..)) => (divisor.clone(), Is::Whole),
            (BinaryOp::AShr | BinaryOp::LShr, Some(by @ 0..=31)) => (Sum::constant(1 << by), Is::Whole),
            _ => return None,
        };
        Some(Quotient { atom, dividend: dividend.clone(), divisor, is })
    }

    /// What bounds it; `facts` are the sums that are zero or more where it is used, and `others` what else is
    /// computed from counters there.
    pub(super) fn between(&self, atoms: &mut Atoms, facts: &[Sum], others: &[&Sum]) -> Option<Between> {
        let value = Sum::atom(self.atom);
        let ends = self.ends(atoms, facts, others);
        let is_positive = match self.is {
            Is::Whole => return self.whole_between(atoms, value, ends),
            Is::Rest { is_positive } => is_positive,
        };
        let divisor = if is_positive {
            self.divisor.clone()
        } else {
            let kind = Kind::Binary(BinaryOp::SMax, self.divisor.clone(), self.divisor.scaled(-1)?);
            Sum::atom(atoms.intern(kind, None, (0, i64::MAX)))
        };
        let last = divisor.plus(-1, &value)?.plus(1, &Sum::constant(-1))?;
        let mut between = Between { facts: vec![value.clone(), last], is_exact: false, is_dense: false };
        let Some((low, high)) = ends else { return Some(between) };
        if let Some(divisor) = divisor.as_constant() {
            // Where both ends have one quotient, it goes from the one's remainder to the other's.
            let mut rest =
                |end: &Sum, other: &Sum| end.plus(divisor.checked_neg()?, &quotient(atoms, other, divisor));
            let (least, most) = (rest(&low, &high)?, rest(&high, &low)?);
            between.facts.extend([value.plus(-1, &least)?, most.plus(-1, &value)?]);
            between.is_exact = true;
            // Others come around to zero before all numbers up to the divisor were there.
            between.is_dense = divisor == 2 || low == Sum::default();
        } else if low == Sum::default() {
            between.facts.push(high.plus(-1, &value)?);
            (between.is_exact, between.is_dense) = (true, true);
        } else if high.distance_from(&low.plus(1, &divisor)?).is_some_and(|rest| rest >= -1) {
            // So many numbers in a row leave every remainder: `(i + 1) % n`, `i` below `n`.
            (between.is_exact, between.is_dense) = (true, true);
        }
        Some(between)
    }

    /// The same of a quotient, which goes from that of one end to that of the other.
    fn whole_between(&self, atoms: &mut Atoms, value: Sum, ends: Option<(Sum, Sum)>) -> Option<Between> {
        let by = self.divisor.as_constant()?;
        let (least, most) = match &ends {
            Some((low, high)) => (quotient(atoms, low, by), quotient(atoms, high, by)),
            None => {
                let above = self.dividend.plus(by.checked_neg()?, &value)?;
                let below = above.scaled(-1)?.plus(1, &Sum::constant(by - 1))?;
                return Some(Between { facts: vec![above, below], is_exact: false, is_dense: false });
            }
        };
        let facts = vec![value.plus(-1, &least)?, most.plus(-1, &value)?];
        Some(Between { facts, is_exact: true, is_dense: self.steps_by_one() })
    }

    /// The least and the greatest dividend, if it takes these whatever other counters are, and of a remainder
    /// all numbers between.
    fn ends(&self, atoms: &Atoms, facts: &[Sum], others: &[&Sum]) -> Option<(Sum, Sum)> {
        let moving = |sum: &Sum| sum.atoms().filter(|&atom| is_moving(atoms, atom)).count();
        let counter = self.dividend.atoms().find(|&atom| is_moving(atoms, atom))?;
        let has = |sum: &Sum| self.goes_with(atoms, sum, counter);
        let (step, first) = self.dividend.linear_in(counter)?;
        let step = step.as_constant().filter(|step| step.abs() == 1 || self.is == Is::Whole)?;
        if moving(&first) != 0 || others.iter().any(|other| has(other)) {
            return None;
        }
        let mut last = None;
        for fact in facts.iter().filter(|fact| has(fact)) {
            let (factor, rest) = fact.linear_in(counter)?;
            match factor.as_constant()? {
                1 if rest == Sum::default() => {}
                -1 if moving(&rest) == 0 && last.is_none() => last = Some(rest),
                _ => return None,
            }
        }
        let other = first.plus(step, &last?)?;
        Some(if step > 0 { (first, other) } else { (other, first) })
    }

    /// Whether the dividend goes by one.
    fn steps_by_one(&self) -> bool {
        self.dividend.terms().all(|(product, factor)| product.is_empty() || factor.abs() == 1)
    }

    /// Whether a sum has a counter, or something that is computed from it, other than this one.
    fn goes_with(&self, atoms: &Atoms, sum: &Sum, counter: Atom) -> bool {
        sum.atoms().any(|atom| {
            atom == counter
                || atom != self.atom && {
                    let mut depends = false;
                    atoms
                        .data(atom)
                        .kind
                        .inputs(|input| depends |= input.atoms().any(|atom| atom == counter));
                    depends
                }
        })
    }
}

/// The quotient of a number that is not below zero by a constant.
fn quotient(atoms: &mut Atoms, number: &Sum, by: i64) -> Sum {
    match number.as_constant() {
        Some(number) => Sum::constant(number.div_euclid(by)),
        None => {
            let kind = Kind::Binary(BinaryOp::SDiv, number.clone(), Sum::constant(by));
            Sum::atom(atoms.intern(kind, None, (i64::MIN, i64::MAX)))
        }
    }
}
