//! Pragmas that are no directives.

use super::cursor::Parse;
use super::{Parser, ids};
use crate::ast::Pragma;
use crate::diag::Diagnostic;
use crate::intern::Symbol;
use crate::source::Span;
use crate::token::{Punct, TokenKind};

/// The pragmas whose meaning the syntax tree keeps. All others say nothing that must be known (`GCC ivdep`,
/// `unroll`, ...), and stand wherever they like.
fn has_meaning(name: &str) -> bool {
    matches!(name, "pack" | "weak" | "redefine_extname" | "scalar_storage_order" | "STDC")
}

impl Parser<'_> {
    /// Goes past pragmas without meaning and past stray characters, which the preprocessor has reported.
    #[cold]
    pub fn skip_meaningless(&mut self) {
        loop {
            match self.tok.kind {
                TokenKind::Unknown => {}
                TokenKind::PragmaOther => {
                    if self
                        .tokens
                        .get(self.pos + 1)
                        .is_some_and(|name| has_meaning(self.interner.text(name.sym)))
                    {
                        return;
                    }
                    while !matches!(self.tok.kind, TokenKind::PragmaEnd | TokenKind::Eof) {
                        self.step();
                    }
                }
                _ => return,
            }
            if self.tok.kind != TokenKind::Eof {
                self.step();
            }
        }
    }

    /// To the next token, whatever it is.
    fn step(&mut self) {
        self.pos += 1;
        self.tok = self.tokens.get(self.pos).copied().unwrap_or(self.eof);
    }

    /// The pragma that begins at the current token; none if it is malformed, which is reported, or changes
    /// nothing.
    pub fn pragma(&mut self) -> Option<Pragma> {
        self.bump();
        let name = self.tok;
        let result = self.pragma_body();
        if result.is_ok() && self.tok.kind != TokenKind::PragmaEnd {
            let message = format!("extra text behind `#pragma {}`", self.interner.text(name.sym));
            self.report_here(Diagnostic::error(ids::PRAGMA_SYNTAX, Span::at(self.tok.loc), message));
        }
        self.skip_to_pragma_end();
        result.ok().flatten()
    }

    fn skip_to_pragma_end(&mut self) {
        while !self.at_end() {
            self.bump();
        }
        if self.tok.kind == TokenKind::PragmaEnd {
            self.bump();
        }
    }

    /// A pragma with a meaning in the middle of a statement: reported and skipped.
    pub fn misplaced_pragma(&mut self) {
        let message = "this pragma cannot stand inside a statement";
        self.report_here(Diagnostic::error(ids::MISPLACED_PRAGMA, Span::at(self.tok.loc), message));
        self.bump();
        self.skip_to_pragma_end();
    }

    fn pragma_body(&mut self) -> Parse<Option<Pragma>> {
        let name = self.bump();
        match self.interner.text(name.sym) {
            "pack" => self.pragma_pack().map(Some),
            "weak" => {
                let weak = self.identifier("the name of a symbol")?;
                let target =
                    if self.eat(Punct::Eq) { Some(self.identifier("the name of a symbol")?) } else { None };
                Ok(Some(Pragma::Weak(weak, target)))
            }
            "redefine_extname" => {
                let old = self.identifier("the name of a function")?;
                Ok(Some(Pragma::RedefineExtname(old, self.identifier("the name of a symbol")?)))
            }
            "STDC" => {
                let what = self.pragma_word("the name of a switch")?;
                Ok(Some(Pragma::Stdc(what, self.pragma_word("`ON`, `OFF` or `DEFAULT`")?)))
            }
            _ => self.scalar_storage_order(Span::at(name.loc)),
        }
    }

    fn pragma_word(&mut self, what: &str) -> Parse<Symbol> {
        match self.tok.kind {
            TokenKind::Ident | TokenKind::Keyword(_) => Ok(self.bump().sym),
            _ => Err(self.expected(ids::PRAGMA_SYNTAX, what)),
        }
    }

    /// `scalar_storage_order big-endian | little-endian | default`: big-endian structs are not supported.
    fn scalar_storage_order(&mut self, at: Span) -> Parse<Option<Pragma>> {
        let order = self.pragma_word("a byte order")?;
        let big = self.interner.text(order) == "big";
        if self.eat(Punct::Minus) {
            self.pragma_word("`endian`")?;
        }
        if big {
            let message = "structs in big-endian order are not supported";
            return Err(self.report(Diagnostic::error(ids::UNSUPPORTED_PRAGMA, at, message)));
        }
        Ok(None)
    }

    // pack ( number(opt) )
    // pack ( push )
    // pack ( push , number )
    // pack ( push , identifier , number )
    // pack ( pop )
    // pack ( pop , identifier )
    fn pragma_pack(&mut self) -> Parse<Pragma> {
        let open = self.expect(Punct::LParen)?;
        let pragma = match self.tok.kind {
            TokenKind::Punct(Punct::RParen) => Pragma::Pack(None),
            TokenKind::Number => Pragma::Pack(self.pack_alignment()?),
            _ => {
                let word = self.pragma_word("`push`, `pop` or an alignment")?;
                let push = match self.interner.text(word) {
                    "push" => true,
                    "pop" => false,
                    _ => {
                        let at = Span::at(self.prev.loc);
                        let message = "`#pragma pack` takes `push`, `pop` or an alignment";
                        return Err(self.report_here(Diagnostic::error(ids::PRAGMA_SYNTAX, at, message)));
                    }
                };
                let mut alignment = None;
                while self.eat(Punct::Comma) {
                    if push && self.tok.kind == TokenKind::Number {
                        alignment = self.pack_alignment()?;
                        break;
                    }
                    self.identifier("a name for this setting")?;
                }
                if push { Pragma::PackPush(alignment) } else { Pragma::PackPop }
            }
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(pragma)
    }

    /// 0 means the default, as no number does.
    fn pack_alignment(&mut self) -> Parse<Option<u32>> {
        let token = self.bump();
        match self.interner.text(token.sym) {
            "0" => Ok(None),
            text => match text.parse::<u32>() {
                Ok(n @ (1 | 2 | 4 | 8 | 16)) => Ok(Some(n)),
                Ok(_) | Err(_) => {
                    let message = "the alignment of `#pragma pack` is 1, 2, 4, 8 or 16";
                    let at = Span::at(token.loc);
                    Err(self.report_here(Diagnostic::error(ids::PRAGMA_SYNTAX, at, message)))
                }
            },
        }
    }
}
