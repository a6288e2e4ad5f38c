//! Constant data that refers to code and to itself: bytes with relocations.

use crate::error::Error;
use accrue_ir::{Func, Global};

/// What an address in an object is one of, besides the object itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    /// A function, by the address that the program sees.
    Function(Func),
    /// A global.
    Global(Global),
}

/// A 64-bit address within an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Relocation {
    /// Where it is.
    pub offset: usize,
    /// What it is the address of; none for the object itself.
    pub target: Option<Symbol>,
    /// How many bytes behind that it leads.
    pub addend: usize,
}

/// An object that nobody changes once it is complete.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct DataObject {
    /// Its contents, zero where addresses belong.
    pub bytes: Vec<u8>,
    /// The addresses.
    pub relocations: Vec<Relocation>,
}

/// Bytes of an address, and alignment of every object.
const WORD: usize = 8;

impl DataObject {
    /// Room for `bytes` bytes behind what is there.
    pub(crate) fn reserve(&mut self, bytes: usize, align: usize) -> usize {
        let start = self.bytes.len().next_multiple_of(align);
        self.bytes.resize(start + bytes, 0);
        start
    }

    /// Writes bytes into room that was reserved.
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Puts an address into room that was reserved.
    pub(crate) fn relocate(&mut self, offset: usize, target: Option<Symbol>, addend: usize) {
        self.relocations.push(Relocation { offset, target, addend });
    }

    /// Copies the object into memory that the process keeps, and gives its address there; `resolve` gives those of
    /// symbols.
    pub(crate) fn place(
        mut self,
        mut resolve: impl FnMut(Symbol) -> Result<usize, Error>,
    ) -> Result<usize, Error> {
        let memory = vec![0u64; self.bytes.len().div_ceil(WORD)].leak();
        let start = memory.as_mut_ptr().expose_provenance();
        for Relocation { offset, target, addend } in std::mem::take(&mut self.relocations) {
            let address = match target {
                None => start,
                Some(symbol) => resolve(symbol)?,
            };
            self.write(offset, &(address + addend).to_le_bytes());
        }
        self.bytes.resize(memory.len() * WORD, 0);
        for (word, bytes) in memory.iter_mut().zip(self.bytes.as_chunks::<WORD>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Ok(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn addresses_are_filled_in() {
        let mut object = DataObject::default();
        let record = object.reserve(16, 8);
        let text = object.reserve(3, 1);
        object.write(text, b"abc");
        object.relocate(record, None, text);
        object.relocate(record + 8, Some(Symbol::Function(Func::new(5))), 0);
        let resolve = |symbol| {
            assert_eq!(symbol, Symbol::Function(Func::new(5)));
            Ok(1005)
        };
        let address = object.place(resolve).expect("there is such a function");
        assert_eq!(address % WORD, 0);
        // SAFETY: the object is two words and three bytes long.
        let (words, text) = unsafe {
            let words = *std::ptr::with_exposed_provenance::<[usize; 2]>(address);
            (words, *std::ptr::with_exposed_provenance::<[u8; 3]>(words[0]))
        };
        assert_eq!((words, &text), ([address + 16, 1005], b"abc"));
    }
}
