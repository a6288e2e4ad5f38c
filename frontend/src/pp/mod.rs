//! The preprocessor: from the text of a translation unit to the tokens the parser reads (C11 5.1.1.2, phases 1 to 4).
//!
//! The main loop asks for one macro-expanded token after the other. Directives are carried out when the lexer meets
//! them, wherever the token was asked for, also among the arguments of a macro call. `_Pragma` stays an ordinary
//! identifier until it comes out of the main loop.

mod builtin;
mod condition;
mod directive;
mod expand;
mod include;
mod macros;
mod pragma;
mod predefined;
mod print;
#[cfg(test)]
mod tests;

use crate::diag::{Diagnostic, Id, ids};
use crate::intern::{Symbol, names};
use crate::lex::{Context, Dialect, Lexer, NO_SYMBOL, describe_unknown};
use crate::session::Session;
use crate::source::{FileId, Loc, ReadingId, Span};
use crate::token::{Punct, Token, TokenKind};
use directive::Conditional;
use expand::Expansion;
use include::{Directory, FileKey, Files};
use macros::{MacroId, MacroTable};
pub use print::print;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The main file of a translation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A file to read.
    Path(PathBuf),
    /// Text in memory, with the name that diagnostics and `__FILE__` show.
    Memory {
        /// The name shown.
        name: String,
        /// The text; not necessarily UTF-8.
        text: Vec<u8>,
    },
}

/// Tokens that macros may produce and consume before the translation unit is given up: about a second's worth, and ten
/// times what a program of 100,000 lines needs.
const WORK_LIMIT: u64 = 1 << 24;

/// Errors after which nothing more is read: it may be no text at all.
const MAX_ERRORS: usize = 200;

/// Bytes one token made by `#` or `##` may have.
const MAX_TOKEN: usize = 1 << 24;

/// Bytes all spellings together may have.
const MAX_SPELLINGS: usize = 1 << 30;

/// Preprocesses a whole translation unit. The result ends in `Eof`, also after errors, which are in the session's sink.
pub fn preprocess(session: &mut Session, input: &Input) -> Vec<Token> {
    let mut preprocessor = Preprocessor::new(session);
    preprocessor.open_predefined();
    preprocessor.drain();
    preprocessor.open_command_line();
    preprocessor.drain();
    preprocessor.open_main(input);
    preprocessor.drain();
    let mut out = preprocessor.out;
    let loc = out.last().map_or(Loc::default(), |token| token.loc);
    let end = preprocessor.end.unwrap_or(loc);
    session.settle();
    out.push(Token { kind: TokenKind::Eof, flags: Token::LINE_START, sym: NO_SYMBOL, loc: end });
    out
}

/// A text that is being read.
struct OpenFile {
    reading: ReadingId,
    name: FileId,
    /// The directory it was found in, with a separator at the end, or nothing for the working directory: where
    /// `#include "..."` looks first.
    folder: String,
    /// Its place in the search path, if it was found by searching.
    found_in: Option<usize>,
    conditionals: Vec<Conditional>,
    guard: Guard,
    /// The file on disk, for what is to be remembered about it.
    key: Option<FileKey>,
}

/// Whether a file is wrapped in `#ifndef X` ... `#endif`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    /// Nothing was read yet.
    Start,
    /// Inside of the `#ifndef`, which is the first conditional of the file.
    Inside(Symbol),
    /// Behind its `#endif`.
    After(Symbol),
    /// There is none.
    None,
}

struct Preprocessor<'s> {
    session: &'s mut Session,
    dialect: Dialect,
    /// Reads the innermost text.
    lexer: Lexer,
    /// The lexers of the texts that include it, outermost first.
    outer: Vec<Lexer>,
    /// The texts that are open, outermost first.
    open: Vec<OpenFile>,
    /// Whether the next token decides about an include guard.
    watch_guard: bool,
    macros: MacroTable,
    expansion: Expansion,
    /// How many macro calls are collecting arguments.
    collecting: u32,
    /// Whether an `#if` is being evaluated.
    in_condition: bool,
    work: u64,
    /// Set after an error behind which nothing can be read.
    stopped: bool,
    search: Vec<Directory>,
    /// Where the search for `<...>` starts.
    bracket_start: usize,
    files: Files,
    base_file: FileId,
    counter: u32,
    pushed_macros: FxHashMap<Symbol, Vec<MacroId>>,
    /// The tokens of a pragma on its way from the directive to the main loop.
    pragma: Vec<Token>,
    params: Vec<Symbol>,
    out: Vec<Token>,
    /// The end of the main file.
    end: Option<Loc>,
}

impl<'s> Preprocessor<'s> {
    fn new(session: &'s mut Session) -> Self {
        let dialect = Dialect::new(&session.options);
        let (search, bracket_start) = include::search_path(&session.options);
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
            stopped: false,
            search,
            bracket_start,
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

    /// The main loop: until the outermost text ends.
    fn drain(&mut self) {
        loop {
            let token = self.next_expanded();
            match token.kind {
                TokenKind::Eof => return,
                TokenKind::PragmaAcc | TokenKind::PragmaOmp | TokenKind::PragmaOther => {
                    self.emit_pragma(token)
                }
                TokenKind::Ident if token.sym == names::PRAGMA_OPERATOR => self.pragma_operator(token),
                TokenKind::Unknown => self.report_unknown(token),
                _ => self.out.push(token),
            }
        }
    }

    fn report_unknown(&mut self, token: Token) {
        let (id, message) = describe_unknown(self.text(token.sym));
        self.error(id, token.loc, message);
    }

    /// The next token of the text, directives carried out.
    fn next_from_text(&mut self) -> Token {
        loop {
            let token = self.lex();
            match token.kind {
                TokenKind::Punct(Punct::Hash) if token.flags & Token::LINE_START != 0 => {
                    if let Some(token) = self.directive(token) {
                        return token;
                    }
                    if self.stopped {
                        return self.eof();
                    }
                    // A pragma among the arguments of a call has become tokens.
                    if !self.frames_are_used_up() {
                        return self.next_from_frames();
                    }
                }
                TokenKind::Eof => {
                    // A macro call ends in the file it starts in.
                    if self.collecting > 0 || !self.close_file() {
                        return token;
                    }
                }
                _ => {
                    if self.watch_guard {
                        self.set_guard(Guard::None);
                    }
                    return token;
                }
            }
        }
    }

    /// The next token of the text as it stands.
    #[inline]
    fn lex(&mut self) -> Token {
        let Session { interner, sink, .. } = &mut *self.session;
        self.lexer.next(&mut Context { interner, sink, dialect: &self.dialect })
    }

    fn paren_follows_in_text(&mut self) -> bool {
        let Session { interner, sink, .. } = &mut *self.session;
        self.lexer.next_is_paren(&mut Context { interner, sink, dialect: &self.dialect })
    }

    /// The kind of the token that `text` is, and its symbol; none if it is no token, or several.
    fn lex_one(&mut self, text: &str) -> Option<(TokenKind, Symbol)> {
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

    fn lexer_for(&self, text: &str, base: Loc) -> Lexer {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        Lexer::new(bytes.into(), base, self.lexer.is_system(), &self.dialect)
    }

    /// Whether a spelling is small enough to be kept; if not, preprocessing stops.
    fn may_intern(&mut self, text: &str, loc: Loc) -> bool {
        let fits = text.len() <= MAX_TOKEN && self.session.interner.text_len() + text.len() <= MAX_SPELLINGS;
        if !fits && !self.stopped {
            self.stop(ids::MACRO_LIMIT, loc, "macro expansion produces too much text");
        }
        fits
    }

    fn eof(&self) -> Token {
        Token { kind: TokenKind::Eof, flags: Token::LINE_START, sym: NO_SYMBOL, loc: self.lexer.loc() }
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.session.interner.text(symbol)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.session.sink.push(diagnostic);
    }

    /// An error, unless it follows from one that nothing is read behind.
    fn error(&mut self, id: &'static Id, loc: Loc, message: impl Into<String>) {
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

    fn warning(&mut self, id: &'static Id, loc: Loc, message: impl Into<String>) {
        self.report(Diagnostic::warning(id, Span::at(loc), message));
    }

    /// An error behind which nothing is read.
    fn stop(&mut self, id: &'static Id, loc: Loc, message: impl Into<String>) {
        self.error(id, loc, message);
        self.stopped = true;
    }

    fn set_guard(&mut self, guard: Guard) {
        self.watch_guard = matches!(guard, Guard::Start | Guard::After(_));
        if let Some(file) = self.open.last_mut() {
            file.guard = guard;
        }
    }
}
