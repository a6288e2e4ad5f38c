//! Data that refers to code and to data: bytes with relocations.

use accrue_ir::{Func, Global};

/// What an address in an object is one of, besides the object itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    /// A function, by the address that the program sees.
    Function(Func),
    /// An object with static storage duration.
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
    pub addend: i64,
}

/// An object as its program starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DataObject {
    /// Its contents, zero where addresses belong.
    pub bytes: Vec<u8>,
    /// Zeros behind the contents.
    pub zeros: usize,
    /// Its alignment.
    pub align: usize,
    /// The addresses.
    pub relocations: Vec<Relocation>,
}

/// Bytes of an address.
pub(crate) const WORD: usize = 8;

impl Default for DataObject {
    fn default() -> DataObject {
        DataObject { bytes: Vec::new(), zeros: 0, align: 1, relocations: Vec::new() }
    }
}

impl DataObject {
    /// Bytes and zeros.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len() + self.zeros
    }

    /// Room for `bytes` bytes behind the bytes that are there.
    pub(crate) fn reserve(&mut self, bytes: usize, align: usize) -> usize {
        let start = self.bytes.len().next_multiple_of(align);
        self.bytes.resize(start + bytes, 0);
        self.align = self.align.max(align);
        start
    }

    /// Writes bytes into room that was reserved.
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Puts an address into room that was reserved.
    pub(crate) fn relocate(&mut self, offset: usize, target: Option<Symbol>, addend: usize) {
        self.relocations.push(Relocation { offset, target, addend: addend as i64 });
    }

    /// Puts an object behind this one, and gives its offset; `None` if the sum of the sizes is no address.
    pub(crate) fn append(&mut self, part: DataObject) -> Option<usize> {
        let start = self.size().checked_next_multiple_of(part.align)?;
        let end = start.checked_add(part.size())?;
        if !part.bytes.is_empty() {
            self.bytes.resize(start, 0);
            self.bytes.extend(part.bytes);
        }
        self.zeros = end - self.bytes.len();
        self.align = self.align.max(part.align);
        let moved = |relocation: Relocation| Relocation { offset: relocation.offset + start, ..relocation };
        self.relocations.extend(part.relocations.into_iter().map(moved));
        Some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(bytes: &[u8], zeros: usize, align: usize) -> DataObject {
        DataObject { bytes: bytes.to_vec(), zeros, align, relocations: Vec::new() }
    }

    #[test]
    fn zeros_are_written_only_between_bytes() {
        let mut all = object(&[1, 2, 3], 5, 4);
        assert_eq!(all.append(object(&[], 100, 16)), Some(16));
        assert_eq!((all.bytes.len(), all.size(), all.align), (3, 116, 16));
        let mut last = object(&[0; 8], 0, 8);
        last.relocate(0, None, 7);
        assert_eq!(all.append(last), Some(120));
        assert_eq!((all.bytes.len(), all.size()), (128, 128));
        assert_eq!(all.relocations[0].offset, 120);
        assert_eq!(all.append(object(&[], usize::MAX, 1)), None);
    }

    #[test]
    fn room_is_aligned() {
        let mut object = DataObject::default();
        let text = object.reserve(3, 1);
        let record = object.reserve(16, 8);
        object.write(text, b"abc");
        assert_eq!((text, record, object.align), (0, 8, 8));
        assert_eq!(object.bytes[..4], *b"abc\0");
    }
}
