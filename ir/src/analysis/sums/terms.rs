//! The terms of a sum.

use super::Product;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// A product and the constant before it.
pub(super) type Term = (Product, i64);

/// Sums have one or two terms as a rule.
const FEW: usize = 2;

/// Terms in a row. Nothing is cloned as often, so that a few are copied as one piece of memory.
#[derive(Clone, Debug)]
pub(super) enum Terms {
    /// So many of these.
    Few(u8, [Term; FEW]),
    /// More than fit there, or as many as are left of those.
    Many(Vec<Term>),
}

impl Terms {
    pub fn one(term: Term) -> Terms {
        let mut few = [NONE; FEW];
        few[0] = term;
        Terms::Few(1, few)
    }

    #[inline]
    pub fn push(&mut self, term: Term) {
        match self {
            Terms::Few(count, few) => match few.get_mut(usize::from(*count)) {
                Some(place) => {
                    *place = term;
                    *count += 1;
                }
                None => self.spill(&[term]),
            },
            Terms::Many(many) => many.push(term),
        }
    }

    #[inline]
    pub fn extend_from_slice(&mut self, more: &[Term]) {
        match self {
            Terms::Few(count, few) => {
                let end = usize::from(*count) + more.len();
                match few.get_mut(usize::from(*count)..end) {
                    Some(places) => {
                        places.copy_from_slice(more);
                        *count = end as u8;
                    }
                    None => self.spill(more),
                }
            }
            Terms::Many(many) => many.extend_from_slice(more),
        }
    }

    /// Puts a term in front of the one with a number.
    #[inline]
    pub fn insert(&mut self, at: usize, mut term: Term) {
        match self {
            Terms::Few(count, few) if usize::from(*count) < FEW => {
                few.iter_mut().skip(at).for_each(|place| std::mem::swap(place, &mut term));
                *count += 1;
            }
            Terms::Few(..) => {
                self.spill(&[]);
                self.insert(at, term);
            }
            Terms::Many(many) => many.insert(at, term),
        }
    }

    /// Takes out the term with a number.
    #[inline]
    pub fn remove(&mut self, at: usize) {
        match self {
            Terms::Few(count, few) => {
                let mut term = NONE;
                few.iter_mut().skip(at).rev().for_each(|place| std::mem::swap(place, &mut term));
                *count -= 1;
            }
            Terms::Many(many) => _ = many.remove(at),
        }
    }

    /// Goes on in memory of its own.
    #[cold]
    fn spill(&mut self, more: &[Term]) {
        let mut many = Vec::with_capacity((self.len() + more.len() + 1).next_power_of_two());
        many.extend_from_slice(self);
        many.extend_from_slice(more);
        *self = Terms::Many(many);
    }

    pub fn retain(&mut self, keeps: impl Fn(&Term) -> bool) {
        if !self.iter().all(&keeps) {
            let mut kept = Terms::default();
            self.iter().filter(|term| keeps(term)).for_each(|term| kept.push(*term));
            *self = kept;
        }
    }
}

/// What stands behind a few terms.
const NONE: Term = (Product::NONE, 0);

impl Default for Terms {
    fn default() -> Terms {
        Terms::Few(0, [NONE; FEW])
    }
}

impl From<&[Term]> for Terms {
    #[inline]
    fn from(terms: &[Term]) -> Terms {
        let mut new = Terms::default();
        new.extend_from_slice(terms);
        new
    }
}

impl Deref for Terms {
    type Target = [Term];

    #[inline]
    fn deref(&self) -> &[Term] {
        match self {
            Terms::Few(count, few) => &few[..usize::from(*count).min(FEW)],
            Terms::Many(many) => many,
        }
    }
}

impl DerefMut for Terms {
    fn deref_mut(&mut self) -> &mut [Term] {
        match self {
            Terms::Few(count, few) => &mut few[..usize::from(*count).min(FEW)],
            Terms::Many(many) => many,
        }
    }
}

impl PartialEq for Terms {
    #[inline]
    fn eq(&self, other: &Terms) -> bool {
        self[..] == other[..]
    }
}

impl Eq for Terms {}

impl Hash for Terms {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_and_many_are_one_list() {
        let mut terms = Terms::default();
        let mut list: Vec<Term> = Vec::new();
        for n in 0..40 {
            let at = (7 * n) % (list.len() + 1);
            if n % 5 < 3 || list.is_empty() {
                terms.insert(at, (Product::NONE, n as i64));
                list.insert(at, (Product::NONE, n as i64));
            } else {
                terms.remove(at % list.len());
                list.remove(at % list.len());
            }
            assert_eq!(terms[..], list[..]);
            assert_eq!(terms, terms.clone());
        }
        while !list.is_empty() {
            terms.remove(0);
            list.remove(0);
            assert_eq!(terms[..], list[..]);
        }
    }
}
