//! Where text came from: files, positions, and positions that went through a macro.
//!
//! A [`Loc`] is one `u32`. Its high bit tells the two kinds apart:
//! - a *file* location is an offset into the concatenation of all files a translation unit has read;
//! - a *macro* location is an index into the table of expanded tokens, each of which remembers where the token was
//!   spelled and the place the macro was used at. Following these links never ends in another macro location more
//!   than once per nesting level, so every location resolves to a chain that a diagnostic can print.

/// One position of the translation unit; see the module comment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Loc(pub u32);

impl Loc {
    /// Set on locations of tokens that a macro expansion produced.
    pub const MACRO_BIT: u32 = 1 << 31;

    /// Whether the token at this location came out of a macro expansion.
    pub fn is_macro(self) -> bool {
        self.0 & Self::MACRO_BIT != 0
    }
}

/// A run of tokens: the locations of its first and its last token, both inclusive. The renderer measures the last
/// token when, and only when, a diagnostic is shown, so tokens need not carry their length through the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// Location of the first token.
    pub first: Loc,
    /// Location of the last token.
    pub last: Loc,
}

impl Span {
    /// The span of one token.
    pub fn at(loc: Loc) -> Self {
        Span { first: loc, last: loc }
    }

    /// From the first token of `self` to the last token of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { first: self.first, last: other.last }
    }
}

/// The files of a translation unit and its macro expansions: resolves a [`Loc`].
#[derive(Default)]
pub struct SourceMap {}
