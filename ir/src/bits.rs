//! A dense set of entities.

use cranelift_entity::EntityRef;
use std::marker::PhantomData;

/// A set of ids, one bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitSet<K> {
    words: Vec<u64>,
    key: PhantomData<K>,
}

impl<K: EntityRef> BitSet<K> {
    /// An empty set with room for the ids below `len`; inserting others grows it.
    pub fn new(len: usize) -> BitSet<K> {
        BitSet { words: vec![0; len.div_ceil(64)], key: PhantomData }
    }

    /// Whether the id is in the set.
    pub fn contains(&self, key: K) -> bool {
        self.words.get(key.index() / 64).is_some_and(|word| word >> (key.index() % 64) & 1 == 1)
    }

    /// Adds an id; true if it was not there.
    pub fn insert(&mut self, key: K) -> bool {
        let index = key.index() / 64;
        if index >= self.words.len() {
            self.words.resize(index + 1, 0);
        }
        let bit = 1 << (key.index() % 64);
        let new = self.words[index] & bit == 0;
        self.words[index] |= bit;
        new
    }

    /// Removes an id; true if it was there.
    pub fn remove(&mut self, key: K) -> bool {
        match self.words.get_mut(key.index() / 64) {
            Some(word) => {
                let bit = 1 << (key.index() % 64);
                let old = *word & bit != 0;
                *word &= !bit;
                old
            }
            None => false,
        }
    }

    /// Adds all of another set; true if that changed this one.
    pub fn union_with(&mut self, other: &BitSet<K>) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changed = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    /// Whether it has no element.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The elements, in order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(K::new(i * 64 + bit))
            })
        })
    }
}

impl<K: EntityRef> Default for BitSet<K> {
    fn default() -> BitSet<K> {
        BitSet::new(0)
    }
}

impl<K: EntityRef> FromIterator<K> for BitSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(items: I) -> BitSet<K> {
        let mut set = BitSet::new(0);
        for item in items {
            set.insert(item);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::Local;

    #[test]
    fn a_set_remembers_what_it_was_told() {
        let v = Local::from_u32;
        let mut set: BitSet<Local> = [v(200), v(3), v(64)].into_iter().collect();
        assert_eq!(set.iter().map(|l| l.as_u32()).collect::<Vec<_>>(), [3, 64, 200]);
        assert!(!set.insert(v(64)) && set.insert(v(63)));
        assert!(set.remove(v(3)) && !set.remove(v(3)) && !set.contains(v(1000)));
        let mut small = BitSet::new(1);
        assert!(small.union_with(&set) && !small.union_with(&set));
        assert_eq!(small.iter().count(), 3);
    }
}
