//! Interned text: identifiers, keywords, and the spellings of literals.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An interned spelling. Two symbols of one [`Interner`] are equal exactly when their texts are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// The table behind [`Symbol`]; one per translation unit. The keywords of [`crate::token::Keyword`] occupy its first
/// entries, so that "is this identifier a keyword" is one comparison.
pub struct Interner {
    map: FxHashMap<Arc<str>, Symbol>,
    texts: Vec<Arc<str>>,
}

impl Interner {
    /// A table that holds the keywords, in their order.
    pub fn new() -> Self {
        let mut interner = Interner { map: FxHashMap::default(), texts: Vec::new() };
        for keyword in crate::token::Keyword::ALL {
            interner.intern(keyword.spelling());
        }
        interner
    }

    /// The symbol of `text`, new or known.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.map.get(text) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.texts.len()).expect("fewer than 2^32 distinct spellings"));
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.map.insert(text, symbol);
        symbol
    }

    /// The text of `symbol`.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }

    /// The text of `symbol`, shared: the IR keeps names in this form.
    pub fn shared(&self, symbol: Symbol) -> Arc<str> {
        self.texts[symbol.0 as usize].clone()
    }
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}
