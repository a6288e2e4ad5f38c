//! Macro definitions: their table, and `#define`.

use super::Preprocessor;
use crate::diag::{Diagnostic, ids};
use crate::intern::{Symbol, names};
use crate::source::{Loc, Span};
use crate::token::{Punct, Token, TokenKind};
use std::ops::Range;

/// An index into [`MacroTable::macros`]; 0 means "no macro".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroId(pub u32);

impl MacroId {
    /// Not a macro.
    pub const NONE: MacroId = MacroId(0);
}

/// Macros that have no body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `__FILE__`
    File,
    /// `__FILE_NAME__`: without its directory.
    FileName,
    /// `__BASE_FILE__`: the main file.
    BaseFile,
    /// `__LINE__`
    Line,
    /// `__DATE__`
    Date,
    /// `__TIME__`
    Time,
    /// `__TIMESTAMP__`: when the main file was changed.
    Timestamp,
    /// `__COUNTER__`
    Counter,
    /// `__INCLUDE_LEVEL__`
    IncludeLevel,
    /// `__has_include`
    HasInclude,
    /// `__has_include_next`
    HasIncludeNext,
    /// `__has_attribute`
    HasAttribute,
    /// `__has_builtin`
    HasFunction,
    /// A name that `#pragma GCC poison` forbids.
    Poisoned,
}

/// What kind of macro it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MacroKind {
    /// `#define N ...`
    Object,
    /// `#define N(...) ...`
    Function {
        /// Number of parameters; a variadic one counts.
        params: u16,
        /// Whether the last parameter takes all arguments that are left.
        variadic: bool,
    },
    /// Made by the preprocessor.
    Builtin(Builtin),
}

/// A definition.
pub struct Macro {
    pub kind: MacroKind,
    /// The body, in [`MacroTable::bodies`].
    pub body: Range<u32>,
    /// Whether the body has `#` or `##`.
    pub has_operators: bool,
    /// Where the name was defined.
    pub loc: Loc,
    /// How many expansions of it are being read; while there are any, its name is not expanded.
    pub active: u32,
}

/// A token of a body. The operators `#` and `##` are flags of their operands. `__VA_OPT__(` and its `)` stand in the body
/// as the brackets that [`BodyToken::OPTION_START`] and [`BodyToken::OPTION_END`] mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyToken {
    pub token: Token,
    /// The parameter it names, or one of the constants below.
    pub param: u16,
    /// `#` stands before it.
    pub stringify: bool,
    /// `##` stands after it.
    pub paste: bool,
}

impl BodyToken {
    /// Not a parameter.
    pub const NO_PARAM: u16 = u16::MAX;
    /// `__VA_OPT__(`: what follows counts only if the variable argument has tokens.
    pub const OPTION_START: u16 = u16::MAX - 1;
    /// The `)` that ends it.
    pub const OPTION_END: u16 = u16::MAX - 2;

    /// The parameter it names.
    pub fn parameter(self) -> Option<usize> {
        (self.param < BodyToken::OPTION_END).then_some(usize::from(self.param))
    }
}

/// All definitions, past ones included: an expansion may outlive an `#undef` in its arguments.
pub struct MacroTable {
    /// By symbol number.
    slots: Vec<MacroId>,
    pub macros: Vec<Macro>,
    pub bodies: Vec<BodyToken>,
}

impl MacroTable {
    pub fn new() -> Self {
        let mut table = MacroTable {
            slots: vec![MacroId::NONE; 1 << 12],
            macros: Vec::with_capacity(1 << 11),
            bodies: Vec::with_capacity(1 << 13),
        };
        // The entry that stands for "no macro".
        table.push(MacroKind::Object, 0..0, Loc::default());
        for (name, builtin) in [
            (names::FILE, Builtin::File),
            (names::FILE_NAME, Builtin::FileName),
            (names::BASE_FILE, Builtin::BaseFile),
            (names::LINE_NUMBER, Builtin::Line),
            (names::DATE, Builtin::Date),
            (names::TIME, Builtin::Time),
            (names::TIMESTAMP, Builtin::Timestamp),
            (names::COUNTER, Builtin::Counter),
            (names::INCLUDE_LEVEL, Builtin::IncludeLevel),
            (names::HAS_INCLUDE, Builtin::HasInclude),
            (names::HAS_INCLUDE_NEXT, Builtin::HasIncludeNext),
            (names::HAS_ATTRIBUTE, Builtin::HasAttribute),
            (names::HAS_BUILTIN, Builtin::HasFunction),
        ] {
            table.define_builtin(name, builtin);
        }
        table
    }

    fn push(&mut self, kind: MacroKind, body: Range<u32>, loc: Loc) -> MacroId {
        let has_operators =
            self.bodies[body.start as usize..body.end as usize].iter().any(|t| t.stringify || t.paste);
        self.macros.push(Macro { kind, body, has_operators, loc, active: 0 });
        MacroId(self.macros.len() as u32 - 1)
    }

    /// Gives a name a meaning that no text defines.
    pub fn define_builtin(&mut self, name: Symbol, builtin: Builtin) {
        let id = self.push(MacroKind::Builtin(builtin), 0..0, Loc::default());
        self.set(name, id);
    }

    /// The macro of a name.
    #[inline]
    pub fn get(&self, name: Symbol) -> MacroId {
        self.slots.get(name.0 as usize).copied().unwrap_or(MacroId::NONE)
    }

    /// Gives a name a macro, or none.
    pub fn set(&mut self, name: Symbol, id: MacroId) {
        let slot = name.0 as usize;
        if slot >= self.slots.len() {
            self.slots.resize((slot + 1).next_power_of_two(), MacroId::NONE);
        }
        self.slots[slot] = id;
    }

    pub fn is_defined(&self, name: Symbol) -> bool {
        let id = self.get(name);
        id != MacroId::NONE
            && !matches!(self.macros[id.0 as usize].kind, MacroKind::Builtin(Builtin::Poisoned))
    }

    pub fn body(&self, range: &Range<u32>) -> &[BodyToken] {
        &self.bodies[range.start as usize..range.end as usize]
    }

    /// Whether two definitions are the same (C11 6.10.3p2).
    fn same(&self, a: &Macro, kind: &MacroKind, body: &[BodyToken]) -> bool {
        let old = self.body(&a.body);
        let same_token = |(index, (x, y)): (usize, (&BodyToken, &BodyToken))| {
            let space = |t: &BodyToken| index > 0 && t.token.flags & Token::SPACE_BEFORE != 0;
            (x.token.kind, x.token.sym, x.param, x.stringify, x.paste, space(x))
                == (y.token.kind, y.token.sym, y.param, y.stringify, y.paste, space(y))
        };
        a.kind == *kind && old.len() == body.len() && old.iter().zip(body).enumerate().all(same_token)
    }
}

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
                    if stringify.is_some() {
                        return self.bad_body(start, token, "not supported: `#` before `__VA_OPT__`");
                    }
                    if option.is_some() {
                        return self.bad_body(start, token, "`__VA_OPT__` cannot stand inside `__VA_OPT__`");
                    }
                    self.push_bracket(token, BodyToken::OPTION_START);
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
                    self.push_bracket(token, BodyToken::OPTION_END);
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

    fn push_bracket(&mut self, token: Token, param: u16) {
        self.macros.bodies.push(BodyToken { token, param, stringify: false, paste: false });
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
