//! Walking the tokens: what comes next, what is expected, and where to go on after an error.
//!
//! A parsing function that fails has reported why and returns [`Reported`]; its caller resynchronises, or
//! passes it on to one that does. An error at a token at which one was reported already says nothing new and
//! is dropped.

use super::{MAX_ERRORS, MAX_NESTING, Parser, ids};
use crate::ast::Ident;
use crate::diag::{Diagnostic, Id};
use crate::intern::Symbol;
use crate::source::{Loc, Span};
use crate::token::{Keyword, Punct, Token, TokenKind};

/// An error that is in the sink.
#[derive(Debug)]
pub(super) struct Reported;

/// What parsing functions return.
pub(super) type Parse<T> = Result<T, Reported>;

impl Parser<'_> {
    /// The kind of the token `n` behind the current one.
    #[inline]
    pub fn peek(&self, n: usize) -> TokenKind {
        self.tokens.get(self.pos + n).map_or(TokenKind::Eof, |token| token.kind)
    }

    /// Whether the current token is this punctuator.
    #[inline]
    pub fn at(&self, punct: Punct) -> bool {
        self.tok.kind == TokenKind::Punct(punct)
    }

    /// Whether the current token is this keyword.
    #[inline]
    pub fn at_keyword(&self, keyword: Keyword) -> bool {
        self.tok.kind == TokenKind::Keyword(keyword)
    }

    /// Whether the tokens, or those of the directive being parsed, are used up.
    pub fn at_end(&self) -> bool {
        matches!(self.tok.kind, TokenKind::Eof | TokenKind::PragmaEnd) || self.directive_end == Some(self.pos)
    }

    /// Steps over the current token and returns it. The end is never passed.
    #[inline]
    pub fn bump(&mut self) -> Token {
        let token = self.tok;
        if token.kind != TokenKind::Eof {
            self.prev = token;
            self.jump(self.pos + 1);
        }
        token
    }

    /// Goes to the token at `pos`, past what the parser has no use for there.
    #[inline]
    pub fn jump(&mut self, pos: usize) {
        self.pos = pos;
        self.tok = self.tokens.get(pos).copied().unwrap_or(self.eof);
        if matches!(self.tok.kind, TokenKind::PragmaOther | TokenKind::Unknown) {
            self.skip_meaningless();
        }
    }

    /// Steps over the current token if it is `punct`.
    #[inline]
    pub fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    /// Steps over the current token if it is `keyword`.
    #[inline]
    pub fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    /// The span from `first` to the token before the current one.
    #[inline]
    pub fn span_from(&self, first: Loc) -> Span {
        Span { first, last: self.prev.loc }
    }

    /// Runs `parse` one level deeper; when that is too deep, reports it and gives up on the rest of the
    /// program.
    #[inline]
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    #[cold]
    fn too_deep(&mut self) -> Reported {
        let message = format!("this nests deeper than {MAX_NESTING} levels, which is not supported");
        self.give_up(Diagnostic::error(ids::NESTING_TOO_DEEP, Span::at(self.tok.loc), message))
    }

    /// Reports `diagnostic` as the last one, and goes to the end of the tokens.
    fn give_up(&mut self, diagnostic: Diagnostic) -> Reported {
        if !self.gave_up {
            self.gave_up = true;
            self.sink.push(diagnostic);
        }
        self.jump(self.tokens.len());
        Reported
    }

    /// Reports a diagnostic.
    #[cold]
    pub fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.gave_up || self.lost && self.bodies == 0 {
            return Reported;
        }
        self.errors += 1;
        if self.errors > MAX_ERRORS {
            let message = format!("more than {MAX_ERRORS} errors; the rest of the program is not read");
            return self.give_up(Diagnostic::error(ids::TOO_MANY_ERRORS, diagnostic.primary, message));
        }
        self.sink.push(diagnostic);
        Reported
    }

    /// Reports an error at the current token, unless there is one.
    #[cold]
    pub fn report_here(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.last_error == Some(self.pos) {
            return Reported;
        }
        self.last_error = Some(self.pos);
        self.report(diagnostic)
    }

    /// Reports that `what` is missing before the current token.
    #[cold]
    pub fn expected(&mut self, id: &'static Id, what: &str) -> Reported {
        let diagnostic = self.expected_diagnostic(id, what);
        self.report_here(diagnostic)
    }

    /// "expected `what`": blames the token that stands there instead or, when a line or the program ended
    /// there, the one after which it is missing.
    pub fn expected_diagnostic(&self, id: &'static Id, what: &str) -> Diagnostic {
        let line_ended = self.at_end() || self.tok.flags & Token::LINE_START != 0;
        if line_ended && self.prev.kind != TokenKind::Eof {
            let end = match self.tok.kind {
                TokenKind::PragmaEnd => ", at the end of the directive",
                TokenKind::Eof => ", at the end of the file",
                _ => "",
            };
            let after = self.describe(self.prev);
            Diagnostic::error(id, Span::at(self.prev.loc), format!("expected {what} after {after}{end}"))
        } else {
            let before = self.describe(self.tok);
            Diagnostic::error(id, Span::at(self.tok.loc), format!("expected {what} before {before}"))
        }
    }

    /// A token, for a message.
    pub fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Punct(punct) => format!("`{}`", punct.spelling()),
            TokenKind::Ident | TokenKind::Keyword(_) | TokenKind::Number => {
                format!("`{}`", self.interner.text(token.sym))
            }
            TokenKind::Char => "a character constant".into(),
            TokenKind::String => "a string literal".into(),
            TokenKind::PragmaAcc => "`#pragma acc`".into(),
            TokenKind::PragmaOmp => "`#pragma omp`".into(),
            TokenKind::PragmaOther => "`#pragma`".into(),
            TokenKind::PragmaEnd => "the end of the directive".into(),
            TokenKind::Unknown => "a stray character".into(),
            TokenKind::Eof => "the end of the file".into(),
        }
    }

    /// Steps over `punct`, or reports that it is missing.
    #[inline]
    pub fn expect(&mut self, punct: Punct) -> Parse<Loc> {
        if self.at(punct) {
            return Ok(self.bump().loc);
        }
        Err(self.expected(ids::EXPECTED_TOKEN, &format!("`{}`", punct.spelling())))
    }

    /// Steps over the bracket that closes the one at `open`, or reports that it is missing.
    #[inline]
    pub fn expect_close(&mut self, close: Punct, open: Loc) -> Parse<Loc> {
        if self.at(close) {
            return Ok(self.bump().loc);
        }
        let opening = match close {
            Punct::RBrace => "{",
            Punct::RBracket => "[",
            _ => "(",
        };
        let diagnostic = self
            .expected_diagnostic(ids::EXPECTED_TOKEN, &format!("`{}`", close.spelling()))
            .related(Span::at(open), format!("to match this `{opening}`"));
        Err(self.report_here(diagnostic))
    }

    /// Steps over `;`, or reports that it is missing after `what`. Where a line or a block ends, nothing but
    /// the `;` is missing and parsing goes on.
    pub fn expect_semi(&mut self, what: &str) -> Parse<()> {
        if self.eat(Punct::Semi) {
            return Ok(());
        }
        let reported = self.expected(ids::EXPECTED_TOKEN, &format!("`;` to end the {what}"));
        let only_missing = self.at_end() || self.at(Punct::RBrace) || self.tok.flags & Token::LINE_START != 0;
        if only_missing { Ok(()) } else { Err(reported) }
    }

    /// An identifier.
    #[inline]
    pub fn identifier(&mut self, what: &str) -> Parse<Ident> {
        if self.tok.kind == TokenKind::Ident {
            return Ok(self.bump_ident());
        }
        Err(self.expected(ids::EXPECTED_IDENTIFIER, what))
    }

    /// Steps over the current token, which stands for a name.
    #[inline]
    pub fn bump_ident(&mut self) -> Ident {
        let token = self.bump();
        Ident { sym: token.sym, span: Span::at(token.loc) }
    }

    /// Adjacent string literals.
    pub fn string_literals(&mut self, what: &str) -> Parse<Vec<Symbol>> {
        if self.tok.kind != TokenKind::String {
            return Err(self.expected(ids::EXPECTED_STRING, what));
        }
        let mut literals = Vec::new();
        while self.tok.kind == TokenKind::String {
            literals.push(self.bump().sym);
        }
        Ok(literals)
    }

    /// The contents of adjacent string literals without quotes, as one symbol. Escape sequences stay as they
    /// are: this is for the names of functions and sections, constraints and the like.
    pub fn unquoted_string(&mut self, what: &str) -> Parse<Symbol> {
        let literals = self.string_literals(what)?;
        let mut text = String::new();
        for literal in literals {
            let spelling = self.interner.text(literal);
            let start = spelling.find('"').map_or(spelling.len(), |quote| quote + 1);
            let body = &spelling[start..];
            text.push_str(body.strip_suffix('"').unwrap_or(body));
        }
        Ok(self.interner.intern(&text))
    }

    /// Steps over one token, or over a bracketed group as far as it is balanced. Stops at the end of a
    /// directive.
    pub fn skip_group(&mut self) {
        let mut open = 0usize;
        let mut pragmas = 0usize;
        loop {
            match self.tok.kind {
                TokenKind::Eof => return,
                TokenKind::PragmaAcc | TokenKind::PragmaOmp | TokenKind::PragmaOther => pragmas += 1,
                TokenKind::PragmaEnd if pragmas == 0 => return,
                TokenKind::PragmaEnd => pragmas -= 1,
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => open += 1,
                TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                    open = open.saturating_sub(1);
                }
                _ => {}
            }
            self.bump();
            if open == 0 && pragmas == 0 {
                return;
            }
        }
    }

    /// After an error inside parentheses: goes behind the `)` that closes them, unless a brace or the end
    /// comes first. With `semis`, a `;` does not stop the search either: the parentheses are those of a
    /// `for`.
    pub fn skip_to_close_paren(&mut self, semis: bool) {
        let mut open = 0usize;
        loop {
            match self.tok.kind {
                TokenKind::Punct(Punct::LParen) => open += 1,
                TokenKind::Punct(Punct::RParen) if open == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::RParen) => open -= 1,
                TokenKind::Punct(Punct::LBrace | Punct::RBrace) | TokenKind::Eof | TokenKind::PragmaEnd => {
                    return;
                }
                TokenKind::Punct(Punct::Semi) if !semis => return,
                TokenKind::PragmaAcc | TokenKind::PragmaOmp | TokenKind::PragmaOther => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// After an error in a statement or member: goes behind the next `;`, or to what ends the block or surely
    /// begins another statement.
    pub fn sync_statement(&mut self) {
        let start = self.pos;
        loop {
            match self.tok.kind {
                TokenKind::Punct(Punct::Semi) => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::RBrace) | TokenKind::Eof | TokenKind::PragmaEnd => return,
                TokenKind::Punct(Punct::LBrace) => {
                    self.skip_group();
                    match self.tok.kind {
                        TokenKind::Punct(Punct::Semi | Punct::Comma | Punct::RParen | Punct::RBracket) => {
                            continue;
                        }
                        _ => return,
                    }
                }
                TokenKind::PragmaAcc | TokenKind::PragmaOmp | TokenKind::PragmaOther => {
                    if self.pos != start {
                        return;
                    }
                    self.skip_group();
                    continue;
                }
                TokenKind::Keyword(keyword)
                    if self.pos != start
                        && self.tok.flags & Token::LINE_START != 0
                        && begins_statement(keyword) =>
                {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// After an error outside functions: goes behind the next `;` or function body, or to a line that surely
    /// begins another declaration.
    pub fn sync_declaration(&mut self) {
        let start = self.pos;
        loop {
            match self.tok.kind {
                TokenKind::Punct(Punct::Semi) => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::LBrace) => {
                    self.skip_group();
                    match self.tok.kind {
                        TokenKind::Punct(_) => continue,
                        _ => return,
                    }
                }
                TokenKind::Eof => return,
                TokenKind::PragmaAcc | TokenKind::PragmaOmp | TokenKind::PragmaOther => {
                    if self.pos != start {
                        return;
                    }
                    self.skip_group();
                    continue;
                }
                TokenKind::Keyword(_)
                    if self.pos != start
                        && self.tok.flags & Token::LINE_START != 0
                        && self.starts_declaration() =>
                {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }
}

/// Keywords that begin a statement and nothing else.
pub(super) fn begins_statement(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::If
            | Keyword::For
            | Keyword::While
            | Keyword::Do
            | Keyword::Switch
            | Keyword::Return
            | Keyword::Goto
            | Keyword::Break
            | Keyword::Continue
            | Keyword::Case
            | Keyword::Default
    )
}
