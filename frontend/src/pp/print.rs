//! `-E`: the token stream as text that can be compiled again.

use crate::intern::Interner;
use crate::lex::{self, NO_SYMBOL};
use crate::session::Session;
use crate::source::Position;
use crate::token::{Token, TokenKind};
use std::fmt::Write;

/// Line ends that are written out; a larger gap takes a line marker.
const MAX_GAP: u32 = 8;

/// The text of a preprocessed translation unit, with line markers as GCC writes them.
pub fn print(session: &Session, tokens: &[Token]) -> String {
    let mut printer =
        Printer { session, text: String::with_capacity(tokens.len() * 6), at: None, last: None };
    for &token in tokens {
        printer.token(token);
    }
    printer.fresh_line();
    printer.text
}

struct Printer<'a> {
    session: &'a Session,
    text: String,
    /// The line the text is at.
    at: Option<Position>,
    /// The token before, if it is on the same line.
    last: Option<Token>,
}

impl Printer<'_> {
    fn token(&mut self, token: Token) {
        let starts_line = token.flags & Token::LINE_START != 0;
        match token.kind {
            TokenKind::Eof => return,
            TokenKind::PragmaAcc | TokenKind::PragmaOmp | TokenKind::PragmaOther => {
                self.go_to(token);
                self.fresh_line();
                self.text.push_str(match token.kind {
                    TokenKind::PragmaAcc => "#pragma acc",
                    TokenKind::PragmaOmp => "#pragma omp",
                    _ => "#pragma",
                });
                // What follows on the line must not be joined to the name.
                self.last = Some(Token { kind: TokenKind::Ident, ..token });
                return;
            }
            TokenKind::PragmaEnd => {
                self.fresh_line();
                return;
            }
            _ if starts_line || self.last.is_none() => self.go_to(token),
            _ => {}
        }
        let spelling = spelling(&self.session.interner, token);
        let spaced = token.flags & Token::SPACE_BEFORE != 0;
        if let Some(last) = self.last
            && (spaced || self.would_join(last, spelling))
        {
            self.text.push(' ');
        }
        self.text.push_str(spelling);
        self.last = Some(token);
    }

    fn fresh_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
            if let Some(at) = &mut self.at {
                at.line = at.line.saturating_add(1);
            }
        }
        self.last = None;
    }

    /// Brings the text to the line of a token.
    fn go_to(&mut self, token: Token) {
        let Some(to) = self.session.sources.position(token.loc) else { return };
        if let Some(at) = self.at
            && at.file == to.file
            && at.line <= to.line
            && to.line - at.line <= MAX_GAP
        {
            for _ in at.line..to.line {
                self.text.push('\n');
                self.last = None;
            }
            self.at = Some(to);
            return;
        }
        self.fresh_line();
        let name = self.session.sources.file_name(to.file).replace('\\', "\\\\").replace('"', "\\\"");
        let system = if self.session.sources.is_system(token.loc) { " 3" } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "# {} \"{name}\"{system}", to.line);
        self.at = Some(to);
    }

    /// Whether two tokens without a space between them would be read as something else.
    fn would_join(&self, last: Token, next: &str) -> bool {
        let left = spelling(&self.session.interner, last);
        let (Some(end), Some(start)) = (left.chars().next_back(), next.chars().next()) else { return false };
        let is_word = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$') || !char.is_ascii();
        match last.kind {
            TokenKind::Ident | TokenKind::Keyword(_) => is_word(start) || matches!(start, '"' | '\''),
            TokenKind::Number => is_word(start) || matches!(start, '.' | '+' | '-'),
            TokenKind::Punct(_) => {
                let joined: String = [left, next].concat();
                let alone = lex::token_length(left.as_bytes());
                lex::token_length(joined.as_bytes()) != alone
                    || end == '.' && (start == '.' || start.is_ascii_digit())
                    || end == '/' && matches!(start, '/' | '*')
                    || end == '%' && start == ':'
            }
            _ => false,
        }
    }
}

/// The text of a token.
fn spelling(interner: &Interner, token: Token) -> &str {
    match token.kind {
        TokenKind::Punct(punct) if token.sym == NO_SYMBOL => punct.spelling(),
        _ => interner.text(token.sym),
    }
}
