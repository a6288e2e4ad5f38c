//! Interned text: identifiers, keywords, and the spellings of literals.

use crate::cache::bytes::{Reader, Writer};
use crate::token::Keyword;
use std::sync::Arc;

/// An interned spelling. Two symbols of one [`Interner`] are equal exactly when their texts are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// The table behind [`Symbol`]; one per translation unit. The keywords of [`crate::token::Keyword`] occupy
/// its first entries, so that "is this identifier a keyword" is one comparison; their alternative spellings
/// come next, then the [`names`] the preprocessor asks for.
///
/// Texts lie one behind the other in one string: a header-heavy program has thousands of distinct spellings,
/// and an allocation for each would cost more than lexing them.
pub struct Interner {
    /// Open addressing, a power of two in size: 0, or a symbol's number + 1.
    slots: Vec<u32>,
    entries: Vec<Entry>,
    text: String,
}

struct Entry {
    hash: u32,
    start: u32,
    len: u32,
}

/// Bytes of distinct text one translation unit may have; what would exceed it is an error before it gets
/// here.
pub const MAX_TEXT: usize = 1 << 31;

macro_rules! names {
    ($($name:ident = $text:literal,)*) => {
        /// Symbols that every [`Interner`] has at the same place.
        #[allow(missing_docs, reason = "each constant is named after its spelling")]
        pub mod names {
            use super::{FIRST_NAME, Symbol};
            #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "mirrors the constants below")]
            enum Index { $($name,)* }
            $(pub const $name: Symbol = Symbol(FIRST_NAME + Index::$name as u32);)*
            pub(super) const TEXTS: &[&str] = &[$($text,)*];
        }
    };
}

const FIRST_NAME: u32 = (Keyword::ALL.len() + Keyword::ALTERNATIVES.len() + Keyword::C23.len()) as u32;

names! {
    DEFINE = "define",
    UNDEF = "undef",
    INCLUDE = "include",
    INCLUDE_NEXT = "include_next",
    IMPORT = "import",
    EMBED = "embed",
    IFDEF = "ifdef",
    IFNDEF = "ifndef",
    ELIF = "elif",
    ELIFDEF = "elifdef",
    ELIFNDEF = "elifndef",
    ENDIF = "endif",
    LINE = "line",
    ERROR = "error",
    WARNING = "warning",
    PRAGMA = "pragma",
    IDENT = "ident",
    SCCS = "sccs",
    ASSERT = "assert",
    UNASSERT = "unassert",
    DEFINED = "defined",
    PRAGMA_OPERATOR = "_Pragma",
    VA_ARGS = "__VA_ARGS__",
    VA_OPT = "__VA_OPT__",
    ACC = "acc",
    OMP = "omp",
    ONCE = "once",
    GCC = "GCC",
    STDC = "STDC",
    PACK = "pack",
    WEAK = "weak",
    REDEFINE_EXTNAME = "redefine_extname",
    SCALAR_STORAGE_ORDER = "scalar_storage_order",
    MESSAGE = "message",
    PUSH_MACRO = "push_macro",
    POP_MACRO = "pop_macro",
    POISON = "poison",
    SYSTEM_HEADER = "system_header",
    DIAGNOSTIC = "diagnostic",
    DEPENDENCY = "dependency",
    FILE = "__FILE__",
    LINE_NUMBER = "__LINE__",
    DATE = "__DATE__",
    TIME = "__TIME__",
    TIMESTAMP = "__TIMESTAMP__",
    BASE_FILE = "__BASE_FILE__",
    FILE_NAME = "__FILE_NAME__",
    COUNTER = "__COUNTER__",
    INCLUDE_LEVEL = "__INCLUDE_LEVEL__",
    HAS_INCLUDE = "__has_include",
    HAS_INCLUDE_NEXT = "__has_include_next",
    HAS_ATTRIBUTE = "__has_attribute",
    HAS_BUILTIN = "__has_builtin",
    HAS_C_ATTRIBUTE = "__has_c_attribute",
    HAS_EMBED = "__has_embed",
    ZERO = "0",
    ONE = "1",
    EMPTY = "",
    EMPTY_STRING = "\"\"",
}

impl Interner {
    /// A table that holds the keywords, in their order, and what follows them.
    pub fn new() -> Self {
        let mut interner = Interner {
            slots: vec![0; 1 << 13],
            entries: Vec::with_capacity(1 << 12),
            text: String::with_capacity(1 << 16),
        };
        let keywords = Keyword::ALL.iter().map(|keyword| keyword.spelling());
        let alternatives = Keyword::ALTERNATIVES.iter().chain(Keyword::C23).map(|&(text, _)| text);
        for text in keywords.chain(alternatives).chain(names::TEXTS.iter().copied()) {
            interner.intern(text);
        }
        debug_assert_eq!(interner.entries.len(), FIRST_NAME as usize + names::TEXTS.len(), "no text twice");
        interner
    }

    /// Writes all of it.
    pub(crate) fn save(&self, out: &mut Writer) {
        out.number(self.entries.len() as u32);
        self.entries.iter().for_each(|entry| out.numbers([entry.hash, entry.start, entry.len]));
        out.number(self.slots.len() as u32);
        self.slots.iter().for_each(|&slot| out.number(slot));
        out.text(&self.text);
    }

    /// The table that was written, with room for more.
    pub(crate) fn load(input: &mut Reader<'_>) -> Option<Interner> {
        let count = input.number()?;
        let rows = input.rows::<3>(count)?;
        let mut entries = Vec::with_capacity(rows.len() * 2);
        entries.extend(rows.map(|[hash, start, len]| Entry { hash, start, len }));
        let count = input.number()?;
        let slots = input.rows::<1>(count)?.map(|[slot]| slot).collect::<Vec<u32>>();
        let known = input.text()?;
        let mut text = String::with_capacity(known.len() * 2);
        text.push_str(known);
        slots.len().is_power_of_two().then_some(Interner { slots, entries, text })
    }

    /// The symbol of `text`, new or known.
    #[inline]
    pub fn intern(&mut self, text: &str) -> Symbol {
        let hash = hash(text.as_bytes());
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                0 => return self.insert(text, hash, at),
                slot => {
                    let entry = &self.entries[slot as usize - 1];
                    if entry.hash == hash && self.slice(entry) == text {
                        return Symbol(slot - 1);
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn insert(&mut self, text: &str, hash: u32, at: usize) -> Symbol {
        assert!(
            self.text.len() + text.len() <= MAX_TEXT,
            "the preprocessor bounds the text of a translation unit"
        );
        let number = self.entries.len() as u32;
        self.entries.push(Entry { hash, start: self.text.len() as u32, len: text.len() as u32 });
        self.text.push_str(text);
        self.slots[at] = number + 1;
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        }
        Symbol(number)
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![0; mask + 1];
        for (number, entry) in self.entries.iter().enumerate() {
            let mut at = entry.hash as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = number as u32 + 1;
        }
    }

    #[inline]
    fn slice(&self, entry: &Entry) -> &str {
        &self.text[entry.start as usize..][..entry.len as usize]
    }

    /// The text of `symbol`.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.slice(&self.entries[symbol.0 as usize])
    }

    /// The text of `symbol`, shared: the IR keeps names in this form.
    pub fn shared(&self, symbol: Symbol) -> Arc<str> {
        self.text(symbol).into()
    }

    /// Number of distinct spellings.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never, but for what stands in for a table: the keywords are always there.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Bytes of all distinct spellings together.
    pub fn text_len(&self) -> usize {
        self.text.len()
    }
}

impl Default for Interner {
    /// A table without anything, not even the keywords: what stands in for one that is elsewhere.
    fn default() -> Self {
        Interner { slots: Vec::new(), entries: Vec::new(), text: String::new() }
    }
}

/// Eight bytes at a time; the last step may overlap the one before, which costs nothing and avoids a byte
/// loop.
#[inline]
fn hash(bytes: &[u8]) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |h: u64, word: u64| (h.rotate_left(23) ^ word).wrapping_mul(K);
    let mut h = bytes.len() as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        h = mix(h, u64::from_le_bytes(*word));
    }
    if let Some(last) = bytes.last_chunk::<8>() {
        if !rest.is_empty() {
            h = mix(h, u64::from_le_bytes(*last));
        }
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        h = mix(h, u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last)));
    } else {
        let word = rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        h = mix(h, word);
    }
    (h >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_names_have_fixed_places() {
        let interner = Interner::new();
        for (i, keyword) in Keyword::ALL.iter().enumerate() {
            assert_eq!(interner.text(Symbol(i as u32)), keyword.spelling());
        }
        assert_eq!(interner.text(names::DEFINE), "define");
        assert_eq!(interner.text(names::EMPTY), "");
    }

    #[test]
    fn equal_texts_share_a_symbol_through_growth() {
        let mut interner = Interner::new();
        let symbols: Vec<_> = (0..20_000).map(|i| interner.intern(&format!("name{i}"))).collect();
        for (i, &symbol) in symbols.iter().enumerate() {
            assert_eq!(interner.intern(&format!("name{i}")), symbol);
            assert_eq!(interner.text(symbol), format!("name{i}"));
        }
    }
}
