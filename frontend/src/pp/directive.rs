//! Directives and conditional groups (C11 6.10, 6.10.1, 6.10.4 to 6.10.6).

use super::state::{Conditional, Guard, Preprocessor};
use crate::diag::{Diagnostic, ids};
use crate::intern::{Symbol, names};
use crate::lex::Context;
use crate::session::Session;
use crate::source::Span;
use crate::suggest;
use crate::token::{Keyword, Punct, Token, TokenKind};

/// The conditionals that may be open in one file.
const MAX_CONDITIONALS: usize = 100_000;

/// The keywords that are names of directives too.
fn is(token: Token, name: Symbol) -> bool {
    matches!(token.kind, TokenKind::Ident) && token.sym == name
}

impl Preprocessor<'_> {
    /// Carries out the directive whose `#` was just read. A pragma that goes to the parser comes back as the
    /// token that starts it; its tokens wait in `self.pragma`.
    pub(super) fn directive(&mut self, hash: Token) -> Option<Token> {
        let collecting = std::mem::take(&mut self.collecting);
        self.lexer.start_directive();
        let name = self.lex();
        let may_guard = is(name, names::IFNDEF) || name.kind == TokenKind::Keyword(Keyword::If);
        if self.watch_guard && !may_guard {
            self.set_guard(Guard::None);
        }
        let pragma = match name.kind {
            TokenKind::Keyword(Keyword::If) => self.if_directive(hash),
            TokenKind::Keyword(Keyword::Else) => self.else_directive(name),
            TokenKind::Ident if name.sym == names::PRAGMA => self.pragma_directive(name, collecting > 0),
            TokenKind::Ident => self.named_directive(hash, name),
            TokenKind::Number => self.line_directive(name, true),
            TokenKind::PragmaEnd => None,
            _ => {
                self.error(ids::DIRECTIVE, name.loc, "expected the name of a directive behind `#`");
                None
            }
        };
        self.end_directive();
        self.collecting = collecting;
        pragma
    }

    /// Directives that give no token.
    fn named_directive(&mut self, hash: Token, name: Token) -> Option<Token> {
        match name.sym {
            names::DEFINE => self.define(),
            names::UNDEF => self.undef(),
            names::INCLUDE | names::INCLUDE_NEXT | names::IMPORT => self.include_directive(name),
            names::EMBED => self.embed_directive(),
            names::IFDEF => self.ifdef_directive(hash, "ifdef", true),
            names::IFNDEF => self.ifdef_directive(hash, "ifndef", false),
            names::ELIF | names::ELIFDEF | names::ELIFNDEF => self.elif_directive(name),
            names::ENDIF => self.endif_directive(name),
            names::LINE => {
                let token = self.next_expanded();
                self.line_directive(token, false);
            }
            names::ERROR => {
                let text = self.lexer.rest_of_line();
                self.error(ids::ERROR_DIRECTIVE, name.loc, format!("#error {text}"));
            }
            names::WARNING => {
                let text = self.lexer.rest_of_line();
                self.warning(ids::CPP, name.loc, format!("#warning {text}"));
            }
            names::IDENT | names::SCCS => {}
            names::ASSERT | names::UNASSERT => {
                let message = format!("not supported: #{}", self.text(name.sym));
                self.error(ids::DIRECTIVE, name.loc, message);
            }
            _ => self.unknown_directive(name),
        }
        None
    }

    fn unknown_directive(&mut self, name: Token) {
        const NAMES: &[&str] = &[
            "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "line", "error",
            "warning", "pragma", "embed",
        ];
        let text = self.text(name.sym);
        let mut error =
            Diagnostic::error(ids::DIRECTIVE, Span::at(name.loc), format!("invalid directive #{text}"));
        if let Some(near) = suggest::nearest(text, NAMES.iter().copied()) {
            error = error.note(format!("did you mean `#{near}`?"));
        }
        self.report(error);
    }

    /// Reads what is left of the line, without looking at it.
    fn end_directive(&mut self) {
        let Session { interner, sink, .. } = &mut *self.session;
        self.lexer.skip_line(&mut Context { interner, sink, dialect: &self.dialect });
        self.lexer.end_directive();
        self.open_pending_include();
    }

    /// Warns when there is something left of the line.
    pub(super) fn expect_end(&mut self, directive: &str) {
        let token = self.lex();
        if token.kind != TokenKind::PragmaEnd && token.kind != TokenKind::Eof {
            let message = format!("extra tokens at the end of #{directive} directive");
            self.warning(ids::EXTRA_TOKENS, token.loc, message);
        }
    }

    fn push_conditional(&mut self, hash: Token, taken: bool) {
        let Some(file) = self.open.last_mut() else { return };
        if file.conditionals.len() >= MAX_CONDITIONALS {
            self.stop(ids::CONDITIONAL, hash.loc, "too many conditionals are open");
            return;
        }
        file.conditionals.push(Conditional { loc: hash.loc, taken, else_loc: None });
        if !taken {
            self.skip_groups();
        }
    }

    fn if_directive(&mut self, hash: Token) -> Option<Token> {
        let watched = self.watch_guard;
        let (taken, not_defined) = self.condition();
        self.start_guard(watched, not_defined);
        self.push_conditional(hash, taken);
        None
    }

    fn ifdef_directive(&mut self, hash: Token, directive: &str, wanted: bool) {
        let watched = self.watch_guard;
        // An `#ifdef` without a name opens a group all the same; it is not compiled.
        let name = self.macro_name(directive);
        if name.is_some() {
            self.expect_end(directive);
        }
        self.start_guard(watched, name.filter(|_| !wanted).map(|name| name.sym));
        let taken = name.is_some_and(|name| self.macros.is_defined(name.sym) == wanted);
        self.push_conditional(hash, taken);
    }

    /// At a first directive that asks whether a macro is *not* defined, an include guard may start.
    fn start_guard(&mut self, watched: bool, name: Option<Symbol>) {
        if watched {
            let at_start = self.open.last().is_some_and(|file| file.guard == Guard::Start);
            self.set_guard(name.filter(|_| at_start).map_or(Guard::None, Guard::Inside));
        }
    }

    /// A directive that opens another group of the outermost conditional: it is no include guard.
    fn spoil_guard(&mut self) {
        let Some(file) = self.open.last() else { return };
        if file.conditionals.len() == 1 && matches!(file.guard, Guard::Inside(_)) {
            self.set_guard(Guard::None);
        }
    }

    /// `#elif` behind a group that was compiled.
    fn elif_directive(&mut self, name: Token) {
        self.spoil_guard();
        if self.in_conditional(name) {
            self.check_after_else(name);
            self.skip_groups();
        }
    }

    /// `#else` behind a group that was compiled.
    fn else_directive(&mut self, name: Token) -> Option<Token> {
        self.spoil_guard();
        if self.in_conditional(name) {
            self.check_after_else(name);
            self.mark_else(name);
            self.expect_end("else");
            self.skip_groups();
        }
        None
    }

    fn endif_directive(&mut self, name: Token) {
        if self.in_conditional(name) {
            self.expect_end("endif");
            self.pop_conditional();
        }
    }

    fn in_conditional(&mut self, name: Token) -> bool {
        let found = self.open.last().is_some_and(|file| !file.conditionals.is_empty());
        if !found {
            let message = format!("#{} without #if", self.text(name.sym));
            self.error(ids::CONDITIONAL, name.loc, message);
        }
        found
    }

    fn conditional(&mut self) -> Option<&mut Conditional> {
        self.open.last_mut()?.conditionals.last_mut()
    }

    fn mark_else(&mut self, name: Token) {
        if let Some(conditional) = self.conditional() {
            conditional.else_loc.get_or_insert(name.loc);
        }
    }

    fn check_after_else(&mut self, name: Token) {
        let Some(previous) = self.conditional().and_then(|conditional| conditional.else_loc) else { return };
        let message = format!("#{} after #else", self.text(name.sym));
        let error = Diagnostic::error(ids::CONDITIONAL, Span::at(name.loc), message);
        self.report(error.related(Span::at(previous), "the #else is here"));
    }

    fn pop_conditional(&mut self) {
        let Some(file) = self.open.last_mut() else { return };
        file.conditionals.pop();
        if file.conditionals.is_empty()
            && let Guard::Inside(name) = file.guard
        {
            self.set_guard(Guard::After(name));
        }
    }

    /// Skips groups of the innermost conditional until one is to be compiled, or its `#endif`. Called in a
    /// directive, returns in a directive.
    fn skip_groups(&mut self) {
        let mut depth = 0u32;
        loop {
            let Session { interner, sink, .. } = &mut *self.session;
            let mut cx = Context { interner, sink, dialect: &self.dialect };
            self.lexer.skip_line(&mut cx);
            self.lexer.end_directive();
            if !self.lexer.skip_to_directive(&mut cx) {
                return;
            }
            self.lexer.start_directive();
            let name = self.lex();
            match name.kind {
                TokenKind::Keyword(Keyword::If) => depth += 1,
                TokenKind::Keyword(Keyword::Else) if depth == 0 => {
                    self.spoil_guard();
                    self.check_after_else(name);
                    self.mark_else(name);
                    if self.take_group(true) {
                        self.expect_end("else");
                        return;
                    }
                }
                TokenKind::Ident => match name.sym {
                    names::IFDEF | names::IFNDEF => depth += 1,
                    names::ENDIF if depth > 0 => depth -= 1,
                    names::ENDIF => {
                        self.expect_end("endif");
                        self.pop_conditional();
                        return;
                    }
                    names::ELIF | names::ELIFDEF | names::ELIFNDEF if depth == 0 => {
                        self.spoil_guard();
                        self.check_after_else(name);
                        if self.elif_holds(name) {
                            return;
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// Whether the group of an `#elif` that was reached by skipping is to be compiled.
    fn elif_holds(&mut self, name: Token) -> bool {
        let Some(conditional) = self.conditional() else { return false };
        if conditional.taken || conditional.else_loc.is_some() {
            return false;
        }
        let holds = match name.sym {
            names::ELIF => self.condition().0,
            _ => {
                let wanted = name.sym == names::ELIFDEF;
                let directive = if wanted { "elifdef" } else { "elifndef" };
                self.macro_name(directive).is_some_and(|name| self.macros.is_defined(name.sym) == wanted)
            }
        };
        self.take_group(holds)
    }

    /// Compiles the group at hand if `holds` and no group before it was compiled.
    fn take_group(&mut self, holds: bool) -> bool {
        let Some(conditional) = self.conditional() else { return false };
        let take = holds && !conditional.taken;
        conditional.taken |= take;
        take
    }

    /// At the end of a file: what is open is an error.
    pub(super) fn check_conditionals(&mut self) {
        let Some(file) = self.open.last_mut() else { return };
        for conditional in std::mem::take(&mut file.conditionals) {
            self.error(ids::CONDITIONAL, conditional.loc, "unterminated conditional directive");
        }
    }

    /// `#line`, behind its first token; or a line marker of preprocessed text (`# 1 "file" 3`).
    fn line_directive(&mut self, number: Token, is_marker: bool) -> Option<Token> {
        let text = self.text(number.sym);
        let is_digits = number.kind == TokenKind::Number && text.bytes().all(|byte| byte.is_ascii_digit());
        let line = text.parse().ok().filter(|&line: &u32| is_digits && line <= i32::MAX as u32);
        let Some(line) = line else {
            self.error(
                ids::LINE_DIRECTIVE,
                number.loc,
                "expected a line number (digits, at most 2147483647)",
            );
            return None;
        };
        let next = if is_marker { self.lex() } else { self.next_expanded() };
        let mut file = None;
        match next.kind {
            TokenKind::String => {
                let name = super::pragma::unquote(self.text(next.sym));
                file = Some(self.session.sources.file(&name));
                let mut flag = self.lex();
                while is_marker && flag.kind == TokenKind::Number {
                    if self.text(flag.sym) == "3" {
                        self.mark_system();
                    }
                    flag = self.lex();
                }
                if flag.kind != TokenKind::PragmaEnd && flag.kind != TokenKind::Eof {
                    self.warning(ids::EXTRA_TOKENS, flag.loc, "extra tokens at the end of #line directive");
                }
            }
            TokenKind::PragmaEnd | TokenKind::Eof => {}
            _ => {
                self.error(ids::LINE_DIRECTIVE, next.loc, "expected a file name in quotes");
                return None;
            }
        }
        let Session { interner, sink, .. } = &mut *self.session;
        self.lexer.skip_line(&mut Context { interner, sink, dialect: &self.dialect });
        if let Some(open) = self.open.last_mut() {
            if let Some(file) = file {
                open.name = file;
            }
            self.session.sources.mark_line(open.reading, self.lexer.offset() + 1, line, file);
        }
        None
    }

    /// From here on the text is a system header.
    pub(super) fn mark_system(&mut self) {
        if let Some(open) = self.open.last() {
            self.session.sources.set_system(open.reading, self.lexer.offset());
            self.lexer.set_system();
        }
    }

    /// Whether a token is the end of a directive.
    pub(super) fn is_end(token: Token) -> bool {
        matches!(token.kind, TokenKind::PragmaEnd | TokenKind::Eof)
    }

    /// Whether a token is the given punctuator.
    pub(super) fn is_punct(token: Token, punct: Punct) -> bool {
        token.kind == TokenKind::Punct(punct)
    }
}
