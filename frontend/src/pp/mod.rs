//! The preprocessor: from the text of a translation unit to the tokens the parser reads (C11 5.1.1.2, phases
//! 1 to 4).
//!
//! The main loop asks for one macro-expanded token after the other. Directives are carried out when the lexer
//! meets them, wherever the token was asked for, also among the arguments of a macro call. `_Pragma` stays an
//! ordinary identifier until it comes out of the main loop.

mod attributes;
mod builtin;
mod condition;
mod define;
mod directive;
mod embed;
mod expand;
mod frames;
mod include;
mod macros;
mod pragma;
mod predefined;
mod prefix;
mod print;
mod search;
mod state;
#[cfg(test)]
mod tests;

use crate::diag::ids;
use crate::intern::names;
use crate::lex::{NO_SYMBOL, describe_unknown};
use crate::session::Session;
use crate::source::Loc;
use crate::token::{Punct, Token, TokenKind};
use include::Main;
pub use print::print;
use state::{Guard, Preprocessor};
use std::path::PathBuf;

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

/// Preprocesses a whole translation unit. The result ends in `Eof`, also after errors, which are in the
/// session's sink.
pub fn preprocess(session: &mut Session, input: &Input) -> Vec<Token> {
    let main = Main::read(input);
    let mut preprocessor = Preprocessor::new(session);
    let prefix = main.as_ref().ok().and_then(|main| Some((main, preprocessor.prefix(main)?)));
    let kept = prefix.as_ref().and_then(|(main, prefix)| preprocessor.resume(main, prefix));
    if kept.is_none() {
        preprocessor.open_predefined();
        preprocessor.drain();
        preprocessor.open_command_line();
        preprocessor.drain();
        preprocessor.open_main(&main);
        if let Some((main, prefix)) = prefix {
            preprocessor.read_prefix(main, prefix);
        }
    }
    preprocessor.drain();
    let is_cached = kept.is_some();
    if kept.is_some_and(|kept| !preprocessor.add_kept(&kept)) {
        preprocessor.error(ids::CANNOT_READ, Loc::default(), "a file of the header cache is damaged");
    }
    preprocessor.session.is_cached = is_cached;
    preprocessor.session.facts = std::mem::take(&mut preprocessor.files.facts);
    let mut out = preprocessor.out;
    let loc = out.last().map_or(Loc::default(), |token| token.loc);
    let end = preprocessor.end.unwrap_or(loc);
    session.settle();
    if session.options.openmp {
        out = attributes::become_pragmas(out, &session.interner, &mut session.sink);
    }
    out.push(Token { kind: TokenKind::Eof, flags: Token::LINE_START, sym: NO_SYMBOL, loc: end });
    out
}

impl Preprocessor<'_> {
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
                    let is_prefix = self.in_prefix && self.open.len() == 1;
                    if self.collecting > 0 || is_prefix || !self.close_file() {
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
}
