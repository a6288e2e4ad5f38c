//! Directives of OpenMP in the syntax of attributes: `[[omp::directive(parallel for)]]` and
//! `[[omp::sequence(directive(parallel), directive(for))]]`.
//!
//! They become the tokens of pragmas, so that the parser knows one syntax. A directive that stands alone, as
//! `[[omp::directive(barrier)]];`, belongs to the empty statement, which may be the body of another one, where
//! a pragma may not be: braces around both make it a block.

use crate::diag::{Diagnostic, Sink, ids};
use crate::intern::{Interner, names};
use crate::lex::NO_SYMBOL;
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind};
use std::ops::Range;

/// Makes pragmas of the directives among the tokens of a translation unit.
pub(super) fn become_pragmas(tokens: Vec<Token>, interner: &Interner, sink: &mut Sink) -> Vec<Token> {
    let mut rewriter = Rewriter { tokens: &tokens, interner, sink, out: Vec::new() };
    let mut at = 0;
    let mut copied = 0;
    while at + 1 < tokens.len() {
        if !is(tokens[at], Punct::LBracket) || !is(tokens[at + 1], Punct::LBracket) {
            at += 1;
            continue;
        }
        let Some(end) = rewriter.matching(at) else {
            at += 1;
            continue;
        };
        if rewriter.names_directive(at + 2..end - 1) {
            rewriter.out.extend_from_slice(&tokens[copied..at]);
            rewriter.attributes(at, end);
            copied = rewriter.skipped(end);
        }
        at = end + 1;
    }
    if copied == 0 {
        return tokens;
    }
    let mut out = rewriter.out;
    out.extend_from_slice(&tokens[copied..]);
    out
}

fn is(token: Token, punct: Punct) -> bool {
    token.kind == TokenKind::Punct(punct)
}

fn punct(punct: Punct, like: Token) -> Token {
    Token { kind: TokenKind::Punct(punct), flags: 0, sym: NO_SYMBOL, loc: like.loc }
}

struct Rewriter<'a> {
    tokens: &'a [Token],
    interner: &'a Interner,
    sink: &'a mut Sink,
    out: Vec<Token>,
}

impl Rewriter<'_> {
    /// The position of the bracket or parenthesis that closes the one at `open`.
    fn matching(&self, open: usize) -> Option<usize> {
        let mut depth = 0u32;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => depth += 1,
                TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                TokenKind::PragmaEnd | TokenKind::PragmaAcc | TokenKind::PragmaOmp => return None,
                _ => {}
            }
        }
        None
    }

    /// The attributes of a list, between its brackets.
    fn list(&self, inside: Range<usize>) -> Vec<Range<usize>> {
        let (mut parts, mut start, mut at) = (Vec::new(), inside.start, inside.start);
        while at < inside.end {
            match self.tokens[at].kind {
                TokenKind::Punct(Punct::Comma) => {
                    parts.push(start..at);
                    start = at + 1;
                }
                TokenKind::Punct(Punct::LParen) => at = self.matching(at).unwrap_or(at),
                _ => {}
            }
            at += 1;
        }
        parts.push(start..inside.end);
        parts
    }

    /// Where the name of an attribute `omp::name` stands.
    fn name(&self, part: &Range<usize>) -> Option<usize> {
        let [prefix, first, second, _, ..] = self.tokens[part.clone()] else { return None };
        let is_omp = prefix.kind == TokenKind::Ident && prefix.sym == names::OMP;
        (is_omp && is(first, Punct::Colon) && is(second, Punct::Colon)).then_some(part.start + 3)
    }

    fn names_directive(&self, inside: Range<usize>) -> bool {
        self.list(inside).iter().any(|part| self.name(part).is_some())
    }

    /// Whether the empty statement that the attributes stand before is the body of another one.
    fn is_body(&self, open: usize, end: usize) -> bool {
        let before = open.checked_sub(1).map(|at| self.tokens[at].kind);
        self.tokens.get(end + 1).is_some_and(|token| is(*token, Punct::Semi))
            && matches!(
                before,
                Some(
                    TokenKind::Punct(Punct::RParen | Punct::Colon)
                        | TokenKind::Keyword(Keyword::Else | Keyword::Do)
                )
            )
    }

    /// Where the tokens go on that are copied as they are.
    fn skipped(&self, end: usize) -> usize {
        let closes_body = self.out.last().is_some_and(|token| is(*token, Punct::RBrace));
        if closes_body { end + 2 } else { end + 1 }
    }

    /// Adds what the attributes between the brackets at `open` and `end` become.
    fn attributes(&mut self, open: usize, end: usize) {
        let bracket = self.tokens[open];
        let is_body = self.is_body(open, end);
        if is_body {
            self.out.push(punct(Punct::LBrace, bracket));
        }
        let mut others = Vec::new();
        for part in self.list(open + 2..end - 1) {
            match self.name(&part) {
                Some(name) => self.attribute(name..part.end),
                None => others.push(part),
            }
        }
        if is_body {
            self.out.extend([punct(Punct::Semi, bracket), punct(Punct::RBrace, bracket)]);
        } else if others.iter().any(|part| !part.is_empty()) {
            self.out.extend([punct(Punct::LBracket, bracket); 2]);
            for part in others {
                self.out.extend_from_slice(&self.tokens[part]);
                self.out.push(punct(Punct::Comma, bracket));
            }
            self.out.extend([punct(Punct::RBracket, bracket); 2]);
        }
    }

    // directive-attr:
    //     directive ( directive-name ,(opt) clauses )
    //     sequence ( omp ::(opt) directive-attr , ... )
    /// `range` begins with the name.
    fn attribute(&mut self, range: Range<usize>) {
        let name = self.tokens[range.start];
        let arguments = self.tokens.get(range.start + 1).filter(|token| is(**token, Punct::LParen));
        let close = arguments.and_then(|_| self.matching(range.start + 1));
        let inside = match close {
            Some(close) if close + 1 == range.end => range.start + 2..close,
            _ => return self.report(name),
        };
        match self.interner.text(name.sym) {
            "directive" => {
                let kind = TokenKind::PragmaOmp;
                self.out.push(Token {
                    kind,
                    flags: name.flags | Token::LINE_START,
                    sym: names::PRAGMA,
                    loc: name.loc,
                });
                let end = self.tokens[inside.end];
                self.out.extend_from_slice(&self.tokens[inside]);
                self.out.push(Token { kind: TokenKind::PragmaEnd, sym: NO_SYMBOL, ..end });
            }
            "sequence" => {
                for part in self.list(inside) {
                    let start = self.name(&part).unwrap_or(part.start);
                    match part.is_empty() {
                        true => self.report(name),
                        false => self.attribute(start..part.end),
                    }
                }
            }
            _ => self.report(name),
        }
    }

    fn report(&mut self, name: Token) {
        let message = "an attribute of OpenMP is `omp::directive(...)` or `omp::sequence(...)`";
        self.sink.push(Diagnostic::error(ids::UNKNOWN_DIRECTIVE, Span::at(name.loc), message));
    }
}
