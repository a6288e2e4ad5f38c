//! Sets of entities for many rows. A single set is an [`EntitySet`](cranelift_entity::EntitySet).

use cranelift_entity::EntityRef;
use std::marker::PhantomData;

fn elements<K: EntityRef>(words: &[u64]) -> impl Iterator<Item = K> + '_ {
    words.iter().enumerate().flat_map(|(i, word)| {
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

/// A set of ids below a limit for each row, all in one piece of memory.
#[derive(Clone, Debug)]
pub struct BitMatrix<R, K> {
    words: Vec<u64>,
    words_per_row: usize,
    key: PhantomData<(R, K)>,
}

impl<R: EntityRef, K: EntityRef> BitMatrix<R, K> {
    /// Empty sets for the rows below `rows`, of ids below `len`.
    pub fn new(rows: usize, len: usize) -> BitMatrix<R, K> {
        let words_per_row = len.div_ceil(64);
        BitMatrix { words: vec![0; rows * words_per_row], words_per_row, key: PhantomData }
    }

    /// The words of all rows, if a row has one.
    pub fn single_words(&mut self) -> Option<&mut [u64]> {
        (self.words_per_row == 1).then_some(&mut self.words)
    }

    /// The bits of a row; of one that is out of range none.
    pub fn row(&self, row: R) -> &[u64] {
        let start = row.index() * self.words_per_row;
        self.words.get(start..start + self.words_per_row).unwrap_or_default()
    }

    /// Adds a row of this or another matrix to a row.
    pub fn union_with(&mut self, row: R, more: &[u64]) {
        let start = row.index() * self.words_per_row;
        for (word, more) in self.words[start..].iter_mut().zip(more) {
            *word |= more;
        }
    }

    /// Adds what is in `more` and not in `without` to a row; true if that changed it.
    pub fn union_without(&mut self, row: R, more: &[u64], without: &[u64]) -> bool {
        let start = row.index() * self.words_per_row;
        let mut changed = false;
        for ((word, more), without) in self.words[start..].iter_mut().zip(more).zip(without) {
            let new = *word | more & !without;
            changed |= new != *word;
            *word = new;
        }
        changed
    }

    /// Adds ids to a row.
    pub fn extend(&mut self, row: R, keys: impl Iterator<Item = K>) {
        let start = row.index() * self.words_per_row;
        for key in keys {
            self.words[start + key.index() / 64] |= 1 << (key.index() % 64);
        }
    }

    /// Whether an id is in the set of a row.
    pub fn contains(&self, row: R, key: K) -> bool {
        let word = self.row(row).get(key.index() / 64);
        word.is_some_and(|word| word >> (key.index() % 64) & 1 == 1)
    }

    /// The elements of a row, in order of their ids.
    pub fn iter(&self, row: R) -> impl Iterator<Item = K> + '_ {
        elements(self.row(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::{Block, Local};

    #[test]
    fn rows_are_sets_of_their_own() {
        let (v, b) = (Local::from_u32, Block::from_u32);
        let mut matrix: BitMatrix<Block, Local> = BitMatrix::new(3, 70);
        matrix.extend(b(1), [v(3), v(69)].into_iter());
        assert_eq!(matrix.iter(b(1)).collect::<Vec<_>>(), [v(3), v(69)]);
        assert!(
            [0, 2, 3].iter().all(|&row| !matrix.contains(b(row), v(3)) && matrix.iter(b(row)).count() == 0)
        );
        let (row, mut other) = (matrix.row(b(1)).to_vec(), BitMatrix::<Block, Local>::new(3, 70));
        matrix.union_with(b(2), &row);
        other.extend(b(0), [v(3)].into_iter());
        assert!(matrix.union_without(b(0), &row, other.row(b(0))));
        assert!(!matrix.union_without(b(0), &row, other.row(b(0))));
        assert_eq!((matrix.iter(b(0)).collect::<Vec<_>>(), matrix.iter(b(2)).count()), (vec![v(69)], 2));
    }
}
