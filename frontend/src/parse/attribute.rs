//! Attributes: `__attribute__((...))` of GNU C, and `[[...]]` of C23, which GNU C takes in every mode.

use super::cursor::Parse;
use super::{Parser, ids};
use crate::ast::{Attribute, Expr, ExprKind, Ident};
use crate::intern::{Symbol, names};
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    // attribute-specifier-list:                                                        (GNU)
    //     __attribute__ ( ( attribute-list ) ) attribute-specifier-list(opt)
    pub fn attribute_specifiers(&mut self, into: &mut Vec<Attribute>) -> Parse<()> {
        loop {
            if self.at_keyword(Keyword::Attribute) {
                self.bump();
                let open = self.expect(Punct::LParen)?;
                let inner = self.expect(Punct::LParen)?;
                self.attribute_list(into, Punct::RParen)?;
                self.expect_close(Punct::RParen, inner)?;
                self.expect_close(Punct::RParen, open)?;
            } else if self.at_std_attributes() {
                let open = self.bump().loc;
                let inner = self.bump().loc;
                self.attribute_list(into, Punct::RBracket)?;
                self.expect_close(Punct::RBracket, inner)?;
                self.expect_close(Punct::RBracket, open)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Whether `[[` comes next.
    pub fn at_std_attributes(&self) -> bool {
        self.at(Punct::LBracket) && self.peek(1) == TokenKind::Punct(Punct::LBracket)
    }

    /// Whether attributes come next.
    pub fn at_attributes(&self) -> bool {
        self.at_keyword(Keyword::Attribute) || self.at_std_attributes()
    }

    /// The attributes that come next, if any.
    pub fn attributes(&mut self) -> Parse<Vec<Attribute>> {
        let mut attributes = Vec::new();
        self.attribute_specifiers(&mut attributes)?;
        Ok(attributes)
    }

    // attribute-list:
    //     attribute(opt)
    //     attribute-list , attribute(opt)
    fn attribute_list(&mut self, into: &mut Vec<Attribute>, close: Punct) -> Parse<()> {
        loop {
            if self.eat(Punct::Comma) {
                continue;
            }
            if self.at(close) {
                return Ok(());
            }
            let attribute = self.attribute()?;
            into.extend(attribute);
            if !self.at(Punct::Comma) {
                return Ok(());
            }
        }
    }

    // attribute:
    //     any-word
    //     any-word ( argument-list(opt) )
    //     prefix :: attribute                                                          (C23)
    fn attribute(&mut self) -> Parse<Option<Attribute>> {
        let mut name = self.attribute_name()?;
        if self.at(Punct::Colon) && self.peek(1) == TokenKind::Punct(Punct::Colon) {
            self.bump();
            self.bump();
            let prefix = name.sym;
            name = self.attribute_name()?;
            if !matches!(self.interner.text(prefix), "gnu" | "clang") {
                return Ok(self.foreign_attribute(prefix, name));
            }
        }
        let mut args = Vec::new();
        if self.at(Punct::LParen) {
            let open = self.bump().loc;
            while !self.at(Punct::RParen) {
                args.push(self.attribute_argument()?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect_close(Punct::RParen, open)?;
        }
        Ok(Some(Attribute { name, args }))
    }

    /// An attribute of another implementation: what stands in its parentheses is nothing that C has. Those of
    /// OpenMP are directives, or nobody wants to hear of them.
    fn foreign_attribute(&mut self, prefix: Symbol, mut name: Ident) -> Option<Attribute> {
        if self.at(Punct::LParen) {
            self.skip_group();
        }
        if prefix == names::OMP {
            return None;
        }
        let text = format!("{}::{}", self.interner.text(prefix), self.interner.text(name.sym));
        name.sym = self.interner.intern(&text);
        Some(Attribute { name, args: Vec::new() })
    }

    fn attribute_name(&mut self) -> Parse<Ident> {
        if !matches!(self.tok.kind, TokenKind::Ident | TokenKind::Keyword(_)) {
            return Err(self.expected(ids::EXPECTED_IDENTIFIER, "the name of an attribute"));
        }
        let mut name = self.bump_ident();
        let text = self.interner.text(name.sym);
        if let Some(bare) = text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"))
            && !bare.is_empty()
        {
            let bare = bare.to_owned();
            name.sym = self.interner.intern(&bare);
        }
        Ok(name)
    }

    /// An expression or a bare name: `mode(DI)`, `format(printf, 1, 2)`. A name that is also a type is a name
    /// here.
    fn attribute_argument(&mut self) -> Parse<Expr> {
        let bare = matches!(self.peek(1), TokenKind::Punct(Punct::Comma | Punct::RParen));
        if bare && matches!(self.tok.kind, TokenKind::Ident | TokenKind::Keyword(_)) {
            let ident = self.bump_ident();
            return Ok(Expr { kind: ExprKind::Ident(ident.sym), span: ident.span });
        }
        self.assignment_expression()
    }
}
