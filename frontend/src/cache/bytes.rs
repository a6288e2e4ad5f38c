//! Numbers and texts one behind the other, and a checksum. Everything is little endian and a multiple of four
//! bytes long.

/// What is to be written.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn number(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn wide(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Numbers whose count is known otherwise, or written by the caller.
    pub(crate) fn numbers<const N: usize>(&mut self, values: [u32; N]) {
        values.iter().for_each(|&value| self.number(value));
    }

    pub(crate) fn blob(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u32);
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }
}

/// How locations in the main file and behind it have moved since they were written: the text in front of its
/// first directive, and all of it, have other lengths in another program.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Shift {
    /// The main file as it was: its first location, and the one behind its last.
    pub(crate) main: (u32, u32),
    /// From here on they are numbers of tokens that macros made, and stay what they are.
    pub(crate) macros: u32,
    /// What is added to locations in it.
    pub(crate) inside: u32,
    /// What is added to those of the headers.
    pub(crate) behind: u32,
}

impl Shift {
    /// Where a location is now.
    #[inline]
    pub(crate) fn apply(&self, loc: u32) -> u32 {
        let by = match loc {
            _ if loc < self.main.0 || loc >= self.macros => 0,
            _ if loc < self.main.1 => self.inside,
            _ => self.behind,
        };
        loc.wrapping_add(by)
    }
}

/// What was read.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    /// For locations.
    pub(crate) shift: Shift,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, shift: Shift::default() }
    }

    /// What was not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(taken)
    }

    pub(crate) fn number(&mut self) -> Option<u32> {
        let (first, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u32::from_le_bytes(*first))
    }

    pub(crate) fn wide(&mut self) -> Option<u64> {
        let (first, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u64::from_le_bytes(*first))
    }

    /// `count` rows of numbers.
    pub(crate) fn rows<const N: usize>(
        &mut self,
        count: u32,
    ) -> Option<impl ExactSizeIterator<Item = [u32; N]> + Clone + use<'a, N>> {
        let bytes = self.take((count as usize).checked_mul(4 * N)?)?;
        let rows = bytes.as_chunks::<4>().0.as_chunks::<N>().0;
        Some(rows.iter().map(|row| row.map(u32::from_le_bytes)))
    }

    pub(crate) fn blob(&mut self) -> Option<&'a [u8]> {
        let length = self.number()? as usize;
        self.take(length.checked_next_multiple_of(4)?).map(|bytes| &bytes[..length])
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.blob()?).ok()
    }
}

/// A hash of 128 bits: of a key for the name of its file, of contents as their checksum. Eight words are
/// multiplied in pairs into four independent states at a time, since contents are checked at every start.
pub(crate) fn checksum(bytes: &[u8]) -> [u64; 2] {
    const KEYS: [u64; 4] =
        [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3];
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product as u64) ^ (product >> 64) as u64
    };
    let mut states = KEYS.map(|key| key ^ bytes.len() as u64);
    let mut step = |block: &[u8; 64]| {
        for ((state, pair), key) in states.iter_mut().zip(block.as_chunks::<16>().0).zip(KEYS) {
            let words = pair.as_chunks::<8>().0;
            let [a, b] = [0, 1].map(|at| u64::from_le_bytes(words[at]));
            *state = state.rotate_left(29) ^ fold(*state ^ a, key ^ b);
        }
    };
    let (blocks, rest) = bytes.as_chunks::<64>();
    blocks.iter().for_each(&mut step);
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    step(&last);
    let [a, b, c, d] = states;
    let mix = |x: u64, y: u64| fold(x ^ KEYS[1], y ^ KEYS[2]).wrapping_add(x.rotate_left(17) ^ y);
    [mix(mix(a, b), mix(c, d)), mix(mix(c, a), mix(d, b))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_and_the_length_count() {
        let bytes: Vec<u8> = (0..100).collect();
        let right = checksum(&bytes);
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let wrong = checksum(&changed);
            assert!(wrong[0] != right[0] && wrong[1] != right[1], "bit {bit}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert_ne!(checksum(&longer), right);
    }
}
