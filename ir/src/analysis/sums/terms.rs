//! The terms of a sum.

use super::Product;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// A product and the constant before it.
pub(super) type Term = (Product, i64);

/// Sums have no more terms than this as a rule: a pointer, a counter times its stride, a constant.
const FEW: usize = 3;

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

    /// Goes on in memory of its own.
    #[cold]
    fn spill(&mut self, more: &[Term]) {
        let mut many = Vec::with_capacity((self.len() + more.len()).next_power_of_two().max(4));
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
