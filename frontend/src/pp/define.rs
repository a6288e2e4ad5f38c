//! `#define` and `#undef` (C11 6.10.3).

use super::macros::{BodyToken, Builtin, MacroId, MacroKind};
use super::state::Preprocessor;
use crate::diag::{Diagnostic, ids};
use crate::intern::{Symbol, names};
use crate::source::Span;
use crate::token::{Punct, Token, TokenKind};
use std::ops::Range;

impl Preprocessor<'_> {
    /// The name that follows `#define`, `#undef`, `#ifdef` and `#ifndef`.
    pub(super) fn macro_name(&mut self, directive: &str) -> Option<Token> {
        let token = self.lex();
        match token.kind {
            TokenKind::Ident | TokenKind::Keyword(_) if token.sym != names::DEFINED => Some(token),
            TokenKind::Ident => {
                self.error(ids::MACRO_NAME, token.loc, "`defined` cannot be used as a macro name");
                None
            }
            TokenKind::PragmaEnd => {
                self.error(
                    ids::MACRO_NAME,
                    token.loc,
                    format!("no macro name given in #{directive} directive"),
                );
                None
            }
            _ => {
                self.error(ids::MACRO_NAME, token.loc, "macro names must be identifiers");
                None
            }
        }
    }

    /// `#define`, behind its name.
    pub(super) fn define(&mut self) {
        let Some(name) = self.macro_name("define") else { return };
        let mut params = std::mem::take(&mut self.params);
        params.clear();
        let mut first = self.lex();
        let mut kind = MacroKind::Object;
        let spaced = first.flags & Token::SPACE_BEFORE != 0;
        if first.kind == TokenKind::Punct(Punct::LParen) && !spaced {
            match self.parameters(&mut params) {
                Some(variadic) => kind = MacroKind::Function { params: params.len() as u16, variadic },
                None => {
                    self.params = params;
                    return;
                }
            }
            first = self.lex();
        } else if !spaced && first.kind != TokenKind::PragmaEnd {
            self.warning(ids::MACRO_WHITESPACE, first.loc, "missing white space after the macro name");
        }
        if let Some(body) = self.body(&kind, &params, first) {
            self.install(name, kind, body);
        }
        self.params = params;
    }

    /// The parameters, behind `(`; whether the macro is variadic.
    fn parameters(&mut self, params: &mut Vec<Symbol>) -> Option<bool> {
        let mut token = self.lex();
        if token.kind == TokenKind::Punct(Punct::RParen) {
            return Some(false);
        }
        loop {
            let mut variadic = false;
            match token.kind {
                TokenKind::Ident | TokenKind::Keyword(_) => {
                    if token.sym == names::VA_ARGS {
                        let message = "`__VA_ARGS__` can only stand in the body of a variadic macro";
                        self.error(ids::MACRO_PARAMETER, token.loc, message);
                        return None;
                    }
                    if params.contains(&token.sym) {
                        let message = format!("duplicate macro parameter `{}`", self.text(token.sym));
                        self.error(ids::MACRO_PARAMETER, token.loc, message);
                        return None;
                    }
                    params.push(token.sym);
                }
                TokenKind::Punct(Punct::Ellipsis) => {
                    params.push(names::VA_ARGS);
                    variadic = true;
                }
                _ => {
                    self.error(ids::MACRO_PARAMETER, token.loc, "expected a parameter name");
                    return None;
                }
            }
            if params.len() >= usize::from(BodyToken::OPTION_END) {
                self.error(ids::MACRO_PARAMETER, token.loc, "not supported: so many macro parameters");
                return None;
            }
            token = self.lex();
            if !variadic && token.kind == TokenKind::Punct(Punct::Ellipsis) {
                variadic = true;
                token = self.lex();
            }
            match token.kind {
                TokenKind::Punct(Punct::RParen) => return Some(variadic),
                TokenKind::Punct(Punct::Comma) if !variadic => token = self.lex(),
                _ => {
                    let expected = if variadic { "expected `)`" } else { "expected `,` or `)`" };
                    self.error(
                        ids::MACRO_PARAMETER,
                        token.loc,
                        format!("{expected} in macro parameter list"),
                    );
                    return None;
                }
            }
        }
    }

    /// The body, whose first token is `token`, appended to the bodies of all macros.
    fn body(&mut self, kind: &MacroKind, params: &[Symbol], mut token: Token) -> Option<Range<u32>> {
        let (is_function, variadic) = match *kind {
            MacroKind::Function { variadic, .. } => (true, variadic),
            MacroKind::Object | MacroKind::Builtin(_) => (false, false),
        };
        let start = self.macros.bodies.len();
        let mut stringify = None;
        // Parentheses open in the `__VA_OPT__` at hand.
        let mut option: Option<u32> = None;
        while token.kind != TokenKind::PragmaEnd && token.kind != TokenKind::Eof {
            match token.kind {
                TokenKind::Punct(Punct::HashHash) if stringify.is_none() => {
                    match self.macros.bodies[start..].last_mut() {
                        Some(last) if last.param != BodyToken::OPTION_START => last.paste = true,
                        _ => {
                            return self.bad_body(
                                start,
                                token,
                                "`##` cannot stand at either end of a macro body",
                            );
                        }
                    }
                }
                TokenKind::Punct(Punct::Hash) if is_function && stringify.is_none() => {
                    stringify = Some(token)
                }
                TokenKind::Ident if token.sym == names::VA_OPT && variadic => {
                    if option.is_some() {
                        return self.bad_body(start, token, "`__VA_OPT__` cannot stand inside `__VA_OPT__`");
                    }
                    let hash = stringify.take();
                    self.push_bracket(hash.unwrap_or(token), BodyToken::OPTION_START, hash.is_some());
                    token = self.lex();
                    if token.kind != TokenKind::Punct(Punct::LParen) {
                        return self.bad_body(start, token, "`__VA_OPT__` is not followed by `(`");
                    }
                    option = Some(0);
                }
                TokenKind::Punct(Punct::RParen) if option == Some(0) && stringify.is_none() => {
                    if self.macros.bodies[start..].last().is_some_and(|last| last.paste) {
                        return self.bad_body(
                            start,
                            token,
                            "`##` cannot stand at either end of `__VA_OPT__`",
                        );
                    }
                    self.push_bracket(token, BodyToken::OPTION_END, false);
                    option = None;
                }
                _ => {
                    let mut param = BodyToken::NO_PARAM;
                    if let Some(open) = &mut option {
                        match token.kind {
                            TokenKind::Punct(Punct::LParen) => *open += 1,
                            TokenKind::Punct(Punct::RParen) => *open -= 1,
                            _ => {}
                        }
                    }
                    if let TokenKind::Ident | TokenKind::Keyword(_) = token.kind {
                        if let Some(index) = params.iter().position(|&name| name == token.sym) {
                            param = index as u16;
                        } else if token.sym == names::VA_ARGS {
                            let message = "`__VA_ARGS__` can only stand in the body of a variadic macro";
                            self.warning(ids::MACRO_BODY, token.loc, message);
                        }
                    }
                    if let Some(hash) = stringify.take() {
                        if param == BodyToken::NO_PARAM {
                            return self.bad_body(start, hash, "`#` is not followed by a macro parameter");
                        }
                        let space = Token::SPACE_BEFORE;
                        token.flags = token.flags & !space | hash.flags & space;
                        self.macros.bodies.push(BodyToken { token, param, stringify: true, paste: false });
                    } else {
                        self.macros.bodies.push(BodyToken { token, param, stringify: false, paste: false });
                    }
                }
            }
            token = self.lex();
        }
        if let Some(hash) = stringify {
            return self.bad_body(start, hash, "`#` is not followed by a macro parameter");
        }
        if option.is_some() {
            return self.bad_body(start, token, "`__VA_OPT__` has no closing `)`");
        }
        if let Some(last) = self.macros.bodies[start..].last()
            && last.paste
        {
            let last = last.token;
            return self.bad_body(start, last, "`##` cannot stand at either end of a macro body");
        }
        Some(start as u32..self.macros.bodies.len() as u32)
    }

    fn push_bracket(&mut self, token: Token, param: u16, stringify: bool) {
        self.macros.bodies.push(BodyToken { token, param, stringify, paste: false });
    }

    fn bad_body(&mut self, start: usize, at: Token, message: &str) -> Option<Range<u32>> {
        self.macros.bodies.truncate(start);
        self.error(ids::MACRO_BODY, at.loc, message);
        None
    }

    fn install(&mut self, name: Token, kind: MacroKind, body: Range<u32>) {
        let old = self.macros.get(name.sym);
        if old != MacroId::NONE {
            let old = &self.macros.macros[old.0 as usize];
            if self.macros.same(old, &kind, self.macros.body(&body)) {
                self.macros.bodies.truncate(body.start as usize);
                return;
            }
            let (previous, text) = (old.loc, self.text(name.sym));
            if let MacroKind::Builtin(builtin) = old.kind {
                if builtin == Builtin::Poisoned {
                    let message = format!("use of poisoned `{text}`");
                    self.error(ids::POISONED, name.loc, message);
                    return;
                }
                let message = format!("built-in macro `{text}` is redefined");
                self.warning(ids::BUILTIN_MACRO_REDEFINED, name.loc, message);
            } else {
                let message = format!("macro `{text}` is redefined differently");
                let warning = Diagnostic::warning(ids::MACRO_REDEFINED, Span::at(name.loc), message);
                self.report(warning.related(Span::at(previous), "the previous definition is here"));
            }
        }
        let id = self.macros.push(kind, body, name.loc);
        self.macros.set(name.sym, id);
    }

    /// `#undef`, behind its name.
    pub(super) fn undef(&mut self) {
        let Some(name) = self.macro_name("undef") else { return };
        let id = self.macros.get(name.sym);
        if let MacroKind::Builtin(builtin) = self.macros.macros[id.0 as usize].kind {
            if builtin == Builtin::Poisoned {
                return;
            }
            let message = format!("undefining the built-in macro `{}`", self.text(name.sym));
            self.warning(ids::BUILTIN_MACRO_REDEFINED, name.loc, message);
        }
        self.macros.set(name.sym, MacroId::NONE);
        self.expect_end("undef");
    }
}
