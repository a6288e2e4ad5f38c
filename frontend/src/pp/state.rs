//! What the preprocessor keeps, and what every part of it does: lex the next token, report.

use super::frames::Expansion;
use super::macros::{MacroId, MacroTable};
use super::search::{FileKey, Files, SearchPath};
use crate::diag::{Diagnostic, Id, ids};
use crate::intern::Symbol;
use crate::lex::{Context, Dialect, Lexer, NO_SYMBOL};
use crate::session::Session;
use crate::source::{FileId, Loc, ReadingId, Span};
use crate::token::{Token, TokenKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Errors after which nothing more is read: it may be no text at all.
pub(super) const MAX_ERRORS: usize = 200;

/// Bytes one token made by `#` or `##` may have.
const MAX_TOKEN: usize = 1 << 24;

/// Bytes all spellings together may have.
const MAX_SPELLINGS: usize = 1 << 30;

/// An `#if` that is open.
pub(super) struct Conditional {
    /// Its `#`.
    pub(super) loc: Loc,
    /// Whether one of its groups was compiled.
    pub(super) taken: bool,
    /// Where `#else` was.
    pub(super) else_loc: Option<Loc>,
}

/// A text that is being read.
pub(super) struct OpenFile {
    pub(super) reading: ReadingId,
    pub(super) name: FileId,
    /// The directory it was found in, with a separator at the end, or nothing for the working directory:
    /// where `#include "..."` looks first.
    pub(super) folder: String,
    /// Its place in the search path, if it was found by searching.
    pub(super) found_in: Option<usize>,
    pub(super) conditionals: Vec<Conditional>,
    pub(super) guard: Guard,
    /// The file on disk, for what is to be remembered about it.
    pub(super) key: Option<FileKey>,
}

/// Whether a file is wrapped in `#ifndef X` ... `#endif`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// Nothing was read yet.
    Start,
    /// Inside of the `#ifndef`, which is the first conditional of the file.
    Inside(Symbol),
    /// Behind its `#endif`.
    After(Symbol),
    /// There is none.
    None,
}

/// The state of the preprocessor.
pub(super) struct Preprocessor<'s> {
    pub(super) session: &'s mut Session,
    pub(super) dialect: Dialect,
    /// Reads the innermost text.
    pub(super) lexer: Lexer,
    /// The lexers of the texts that include it, outermost first.
    pub(super) outer: Vec<Lexer>,
    /// The texts that are open, outermost first.
    pub(super) open: Vec<OpenFile>,
    /// Whether the next token decides about an include guard.
    pub(super) watch_guard: bool,
    pub(super) macros: MacroTable,
    pub(super) expansion: Expansion,
    /// How many macro calls are collecting arguments.
    pub(super) collecting: u32,
    /// Whether an `#if` is being evaluated.
    pub(super) in_condition: bool,
    pub(super) work: u64,
    /// The lexer has the first lines of the main file only.
    pub(super) in_prefix: bool,
    /// Set after an error behind which nothing can be read.
    pub(super) stopped: bool,
    /// Where headers are searched; made when the first is.
    pub(super) search: Option<SearchPath>,
    pub(super) files: Files,
    pub(super) base_file: FileId,
    pub(super) counter: u32,
    pub(super) pushed_macros: FxHashMap<Symbol, Vec<MacroId>>,
    /// The tokens of a pragma on its way from the directive to the main loop.
    pub(super) pragma: Vec<Token>,
    pub(super) params: Vec<Symbol>,
    pub(super) out: Vec<Token>,
    /// The end of the main file.
    pub(super) end: Option<Loc>,
}

impl<'s> Preprocessor<'s> {
    /// A preprocessor that has read nothing yet.
    pub(super) fn new(session: &'s mut Session) -> Self {
        let dialect = Dialect::new(&session.options);
        let base_file = session.sources.file("<none>");
        Preprocessor {
            lexer: Lexer::new(Arc::from([0]), Loc::default(), true, &dialect),
            dialect,
            outer: Vec::new(),
            open: Vec::new(),
            watch_guard: false,
            macros: MacroTable::new(),
            expansion: Expansion::default(),
            collecting: 0,
            in_condition: false,
            work: 0,
            in_prefix: false,
            stopped: false,
            search: None,
            files: Files::default(),
            base_file,
            counter: 0,
            pushed_macros: FxHashMap::default(),
            pragma: Vec::new(),
            params: Vec::new(),
            out: Vec::with_capacity(1 << 14),
            end: None,
            session,
        }
    }

    /// The next token of the text as it stands.
    #[inline]
    pub(super) fn lex(&mut self) -> Token {
        let Session { interner, sink, .. } = &mut *self.session;
        self.lexer.next(&mut Context { interner, sink, dialect: &self.dialect })
    }

    pub(super) fn paren_follows_in_text(&mut self) -> bool {
        let Session { interner, sink, .. } = &mut *self.session;
        self.lexer.next_is_paren(&mut Context { interner, sink, dialect: &self.dialect })
    }

    /// The kind of the token that `text` is, and its symbol; none if it is no token, or several.
    pub(super) fn lex_one(&mut self, text: &str) -> Option<(TokenKind, Symbol)> {
        let bytes = text.as_bytes();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if bytes.first()?.is_ascii_digit() && bytes.iter().all(is_word) {
            return Some((TokenKind::Number, self.session.interner.intern(text)));
        }
        if bytes.iter().all(is_word) {
            let sym = self.session.interner.intern(text);
            return Some((self.dialect.identifier_kind(sym), sym));
        }
        let mut lexer = self.lexer_for(text, Loc::default());
        let Session { interner, sink, .. } = &mut *self.session;
        // `//` and `/*` are no tokens, and must not be reported as comments.
        if text.starts_with("//") || text.starts_with("/*") {
            return None;
        }
        let token = lexer.next(&mut Context { interner, sink, dialect: &self.dialect });
        (lexer.at_end() && token.kind != TokenKind::Eof && token.kind != TokenKind::Unknown)
            .then_some((token.kind, token.sym))
    }

    pub(super) fn lexer_for(&self, text: &str, base: Loc) -> Lexer {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        Lexer::new(bytes.into(), base, self.lexer.is_system(), &self.dialect)
    }

    /// Whether a spelling is small enough to be kept; if not, preprocessing stops.
    pub(super) fn may_intern(&mut self, text: &str, loc: Loc) -> bool {
        let fits = text.len() <= MAX_TOKEN && self.session.interner.text_len() + text.len() <= MAX_SPELLINGS;
        if !fits && !self.stopped {
            self.stop(ids::MACRO_LIMIT, loc, "macro expansion produces too much text");
        }
        fits
    }

    pub(super) fn eof(&self) -> Token {
        Token { kind: TokenKind::Eof, flags: Token::LINE_START, sym: NO_SYMBOL, loc: self.lexer.loc() }
    }

    pub(super) fn text(&self, symbol: Symbol) -> &str {
        self.session.interner.text(symbol)
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.session.sink.push(diagnostic);
    }

    /// An error, unless it follows from one that nothing is read behind.
    pub(super) fn error(&mut self, id: &'static Id, loc: Loc, message: impl Into<String>) {
        if self.stopped {
            return;
        }
        self.report(Diagnostic::error(id, Span::at(loc), message));
        if self.session.sink.errors() >= MAX_ERRORS {
            self.stopped = true;
            self.report(Diagnostic::error(
                ids::TOO_MANY_ERRORS,
                Span::at(loc),
                "too many errors; stopping here",
            ));
        }
    }

    pub(super) fn warning(&mut self, id: &'static Id, loc: Loc, message: impl Into<String>) {
        self.report(Diagnostic::warning(id, Span::at(loc), message));
    }

    /// An error behind which nothing is read.
    pub(super) fn stop(&mut self, id: &'static Id, loc: Loc, message: impl Into<String>) {
        self.error(id, loc, message);
        self.stopped = true;
    }

    pub(super) fn set_guard(&mut self, guard: Guard) {
        self.watch_guard = matches!(guard, Guard::Start | Guard::After(_));
        if let Some(file) = self.open.last_mut() {
            file.guard = guard;
        }
    }
}
