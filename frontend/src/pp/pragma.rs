//! Pragmas and the `_Pragma` operator (C11 6.10.6, 6.10.9).

use super::macros::{Builtin, MacroId};
use super::state::Preprocessor;
use crate::diag::{Diagnostic, ids};
use crate::intern::names;
use crate::lex::{Context, NO_SYMBOL};
use crate::session::Session;
use crate::source::{Loc, Span};
use crate::suggest;
use crate::token::{Punct, Token, TokenKind};

/// The text of a string literal without prefix and quotes, `\"` and `\\` undone (C11 6.10.9p1).
pub(super) fn unquote(literal: &str) -> String {
    let body = literal.split_once('"').map_or("", |(_, rest)| rest.strip_suffix('"').unwrap_or(rest));
    let mut text = String::with_capacity(body.len());
    let mut chars = body.chars().peekable();
    while let Some(char) = chars.next() {
        match chars.peek() {
            Some(&next @ ('"' | '\\')) if char == '\\' => {
                text.push(next);
                chars.next();
            }
            _ => text.push(char),
        }
    }
    text
}

impl Preprocessor<'_> {
    /// `#pragma`, behind its name. A pragma for the parser gives the token that starts it; its tokens are
    /// left in `self.pragma`. Among the arguments of a macro call it becomes a `_Pragma`, which the arguments
    /// can hold.
    pub(super) fn pragma_directive(&mut self, name: Token, in_arguments: bool) -> Option<Token> {
        if in_arguments {
            let text = self.lexer.rest_of_line();
            let quoted = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
            if !self.may_intern(&quoted, name.loc) {
                return None;
            }
            let sym = self.session.interner.intern(&quoted);
            let token = |kind, sym| Token { kind, flags: Token::SPACE_BEFORE, sym, loc: name.loc };
            let punct = |punct| token(TokenKind::Punct(punct), NO_SYMBOL);
            self.push_tokens(&[
                token(TokenKind::Ident, names::PRAGMA_OPERATOR),
                punct(Punct::LParen),
                token(TokenKind::String, sym),
                punct(Punct::RParen),
            ]);
            return None;
        }
        let mut tokens = std::mem::take(&mut self.pragma);
        tokens.clear();
        loop {
            let token = self.lex();
            if Self::is_end(token) {
                break;
            }
            tokens.push(token);
        }
        self.pragma = tokens;
        self.classify_pragma(name)
    }

    /// Carries out the pragma in `self.pragma`, or gives the token that starts it.
    fn classify_pragma(&mut self, at: Token) -> Option<Token> {
        let start =
            |kind| Some(Token { kind, flags: at.flags | Token::LINE_START, sym: at.sym, loc: at.loc });
        let first = *self.pragma.first()?;
        let second = self.pragma.get(1).copied().filter(|token| token.kind == TokenKind::Ident);
        let second = second.map_or(names::EMPTY, |token| token.sym);
        if first.kind != TokenKind::Ident {
            self.unknown_pragma(first);
            return None;
        }
        match (first.sym, second) {
            (names::ACC, _) if self.session.options.openacc => return start(TokenKind::PragmaAcc),
            (names::OMP, _) if self.session.options.openmp => return start(TokenKind::PragmaOmp),
            // Whoever turns a family off does not want to hear of it.
            (names::ACC | names::OMP, _) => {}
            (names::ONCE, _) if self.open.len() > 1 => self.mark_once(),
            (names::ONCE, _) => self.warning(ids::PRAGMA_ONCE, first.loc, "#pragma once in the main file"),
            (names::PUSH_MACRO, _) => self.push_macro(first),
            (names::POP_MACRO, _) => self.pop_macro(first),
            (names::MESSAGE, _) => self.pragma_message(first, 1, false),
            (names::GCC, names::POISON) => self.poison(),
            (names::GCC, names::SYSTEM_HEADER) => {
                if self.open.len() > 1 {
                    self.mark_system();
                }
            }
            (names::GCC, names::ERROR) => self.pragma_message(first, 2, true),
            (names::GCC, names::WARNING) => self.pragma_message(first, 2, false),
            (names::GCC, names::DEPENDENCY) => {}
            (names::GCC | names::STDC | names::PACK | names::WEAK, _)
            | (names::REDEFINE_EXTNAME | names::SCALAR_STORAGE_ORDER, _) => {
                return start(TokenKind::PragmaOther);
            }
            _ => self.unknown_pragma(first),
        }
        None
    }

    fn unknown_pragma(&mut self, first: Token) {
        if first.flags & Token::SYSTEM == 0 {
            let name = self.spelling(first).to_owned();
            let message = format!("unknown pragma `{name}` is ignored");
            let mut warning = Diagnostic::warning(ids::UNKNOWN_PRAGMAS, Span::at(first.loc), message);
            if let Some(near) = suggest::nearest(&name, ["acc", "omp"]) {
                warning = warning.note(format!("did you mean `#pragma {near}`?"));
            }
            self.report(warning);
        }
    }

    /// The name in the string of `push_macro("X")`.
    fn macro_in_string(&mut self, first: Token) -> Option<crate::intern::Symbol> {
        let name = match self.pragma[1..] {
            [open, string, close]
                if Self::is_punct(open, Punct::LParen)
                    && string.kind == TokenKind::String
                    && Self::is_punct(close, Punct::RParen) =>
            {
                unquote(self.text(string.sym))
            }
            _ => {
                let message = format!("`{}` expects (\"NAME\")", self.text(first.sym));
                self.warning(ids::UNKNOWN_PRAGMAS, first.loc, message);
                return None;
            }
        };
        Some(self.session.interner.intern(&name))
    }

    fn push_macro(&mut self, first: Token) {
        if let Some(name) = self.macro_in_string(first) {
            let id = self.macros.get(name);
            self.pushed_macros.entry(name).or_default().push(id);
        }
    }

    fn pop_macro(&mut self, first: Token) {
        if let Some(name) = self.macro_in_string(first)
            && let Some(id) = self.pushed_macros.get_mut(&name).and_then(Vec::pop)
        {
            self.macros.set(name, id);
        }
    }

    fn poison(&mut self) {
        for index in 2..self.pragma.len() {
            let token = self.pragma[index];
            if !matches!(token.kind, TokenKind::Ident | TokenKind::Keyword(_)) {
                self.error(ids::POISONED, token.loc, "expected a name to poison");
                return;
            }
            if self.macros.get(token.sym) != MacroId::NONE {
                let message = format!("poisoning the macro `{}`", self.text(token.sym));
                self.warning(ids::POISONED, token.loc, message);
            }
            self.macros.define_builtin(token.sym, Builtin::Poisoned);
        }
    }

    /// `#pragma message`, `GCC warning`, `GCC error`: a diagnostic of the string literals from token `from`
    /// on.
    fn pragma_message(&mut self, first: Token, from: usize, is_error: bool) {
        let is_string = |token: &&Token| token.kind == TokenKind::String;
        let text: String = self
            .pragma
            .iter()
            .skip(from)
            .filter(is_string)
            .map(|token| unquote(self.text(token.sym)))
            .collect();
        if is_error {
            self.error(ids::PRAGMA_MESSAGE, first.loc, text);
        } else {
            self.warning(ids::PRAGMA_MESSAGE, first.loc, text);
        }
    }

    /// Passes the pragma in `self.pragma`, which starts with `start`, to the parser.
    pub(super) fn emit_pragma(&mut self, start: Token) {
        let tokens = std::mem::take(&mut self.pragma);
        self.out.push(start);
        match start.kind {
            TokenKind::PragmaAcc | TokenKind::PragmaOmp => {
                let mut out = std::mem::take(&mut self.out);
                self.expand_tokens(&tokens[1..], &mut out);
                self.out = out;
            }
            _ => self.out.extend_from_slice(&tokens),
        }
        let loc = self.out.last().map_or(start.loc, |token| token.loc);
        self.out.push(Token { kind: TokenKind::PragmaEnd, flags: 0, sym: NO_SYMBOL, loc });
        self.pragma = tokens;
    }

    /// `_Pragma("...")`, behind `_Pragma`.
    pub(super) fn pragma_operator(&mut self, at: Token) {
        let open = self.next_expanded();
        let string = self.next_expanded();
        let close = self.next_expanded();
        let well_formed = Self::is_punct(open, Punct::LParen)
            && string.kind == TokenKind::String
            && Self::is_punct(close, Punct::RParen);
        if !well_formed {
            if !self.stopped {
                self.error(ids::PRAGMA_OPERATOR, at.loc, "`_Pragma` takes a string literal in parentheses");
            }
            return;
        }
        let literal = self.text(string.sym);
        // Where text and literal agree byte for byte, the tokens have places of their own inside of it.
        let exact = literal.starts_with('"') && !literal.contains('\\') && !string.loc.is_macro();
        let text = unquote(literal);
        let mut lexer = self.lexer_for(&text, Loc(string.loc.0.wrapping_add(1)));
        lexer.start_directive();
        let mut tokens = std::mem::take(&mut self.pragma);
        tokens.clear();
        let Session { interner, sink, .. } = &mut *self.session;
        let mut cx = Context { interner, sink, dialect: &self.dialect };
        loop {
            let mut token = lexer.next(&mut cx);
            if Self::is_end(token) {
                break;
            }
            token.flags &= !Token::LINE_START;
            if !exact {
                token.loc = string.loc;
            }
            tokens.push(token);
        }
        self.pragma = tokens;
        if let Some(start) = self.classify_pragma(at) {
            self.emit_pragma(start);
        }
    }
}
