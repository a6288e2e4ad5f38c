//! Structs, unions and enumerations (C11 6.7.2.1, 6.7.2.2).

use super::cursor::{Parse, Reported};
use super::declarator::DeclaratorForm;
use super::specifiers::SpecifierContext;
use super::{Parser, ids};
use crate::ast::{
    Declarator, EnumSpec, Expr, FieldDeclarator, Ident, Member, RecordSpec, TypeName, TypeSpec,
};
use crate::diag::Diagnostic;
use crate::source::{Loc, Span};
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    // struct-or-union-specifier:
    //     struct-or-union identifier(opt) { struct-declaration-list }
    //     struct-or-union identifier
    pub fn struct_or_union_specifier(&mut self) -> Parse<RecordSpec> {
        let first = self.tok.loc;
        let is_union = self.at_keyword(Keyword::Union);
        self.bump();
        let mut attributes = self.attributes()?;
        let tag = (self.tok.kind == TokenKind::Ident).then(|| self.bump_ident());
        let mut members = None;
        if self.at(Punct::LBrace) {
            members = Some(self.nested(|p| p.struct_declaration_list())?);
            self.attribute_specifiers(&mut attributes)?;
        } else if tag.is_none() {
            let what = if is_union { "a tag or `{` for this union" } else { "a tag or `{` for this struct" };
            return Err(self.expected(ids::EXPECTED_TOKEN, what));
        }
        Ok(RecordSpec { is_union, tag, members, attributes, span: self.span_from(first) })
    }

    // struct-declaration-list:
    //     struct-declaration
    //     struct-declaration-list struct-declaration
    fn struct_declaration_list(&mut self) -> Parse<Vec<Member>> {
        let open = self.bump().loc;
        let mut members = Vec::new();
        while !self.at(Punct::RBrace) && !self.at_end() {
            let start = self.pos;
            match self.struct_declaration() {
                Ok(Some(member)) => members.push(member),
                Ok(None) => {}
                Err(Reported) => self.sync_statement(),
            }
            if self.pos == start {
                self.bump();
            }
        }
        self.expect_close(Punct::RBrace, open)?;
        Ok(members)
    }

    // struct-declaration:
    //     specifier-qualifier-list struct-declarator-list(opt) ;
    //     static_assert-declaration
    fn struct_declaration(&mut self) -> Parse<Option<Member>> {
        match self.tok.kind {
            TokenKind::Punct(Punct::Semi) => {
                self.bump();
                return Ok(None);
            }
            TokenKind::Keyword(Keyword::StaticAssert) => {
                return Ok(Some(Member::StaticAssert(self.static_assert_declaration()?)));
            }
            TokenKind::PragmaOther => return Ok(self.pragma().map(Member::Pragma)),
            TokenKind::PragmaAcc | TokenKind::PragmaOmp => {
                self.misplaced_directive("among the members of a struct");
                return Ok(None);
            }
            _ => {}
        }
        let first = self.tok.loc;
        let start = self.pos;
        let attributes = self.attributes()?;
        let specs = self.declaration_specifiers(attributes, SpecifierContext::SpecifierQualifierList)?;
        if self.pos == start || matches!(specs.ty, TypeSpec::Missing) {
            return Err(self.expected(ids::EXPECTED_TYPE, "the type of a member"));
        }
        let mut declarators = Vec::new();
        if !self.at(Punct::Semi) {
            loop {
                declarators.push(self.struct_declarator()?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        if self.at(Punct::RBrace) && !declarators.is_empty() {
            // GCC accepts it, and so do old programs.
            let message = "no `;` at the end of the struct or union";
            let here = Span::at(self.tok.loc);
            self.sink.push(Diagnostic::warning(ids::EXPECTED_TOKEN, here, message));
        } else {
            self.expect_semi("member")?;
        }
        Ok(Some(Member::Field { specs, declarators, span: self.span_from(first) }))
    }

    // struct-declarator:
    //     declarator
    //     declarator(opt) : constant-expression
    fn struct_declarator(&mut self) -> Parse<FieldDeclarator> {
        let mut attributes = self.attributes()?;
        let declarator = if self.at(Punct::Colon) {
            Declarator { name: None, derived: Vec::new(), span: Span::at(self.tok.loc) }
        } else {
            self.declarator(DeclaratorForm::Named)?
        };
        let width = if self.eat(Punct::Colon) { Some(self.constant_expression()?) } else { None };
        self.attribute_specifiers(&mut attributes)?;
        Ok(FieldDeclarator { declarator, width, attributes })
    }

    // enum-specifier:
    //     enum identifier(opt) enum-type-specifier(opt) { enumerator-list ,(opt) }
    //     enum identifier enum-type-specifier(opt)
    // enum-type-specifier:                                                             (C23)
    //     : specifier-qualifier-list
    pub fn enum_specifier(&mut self) -> Parse<EnumSpec> {
        let first = self.bump().loc;
        let mut attributes = self.attributes()?;
        let tag = (self.tok.kind == TokenKind::Ident).then(|| self.bump_ident());
        let mut underlying = None;
        // `enum tag : 3` in a structure is a bit-field.
        if self.at(Punct::Colon) && self.starts_type_name(1) {
            self.bump();
            let specs = self.declaration_specifiers(Vec::new(), SpecifierContext::SpecifierQualifierList)?;
            let declarator = Declarator { name: None, derived: Vec::new(), span: specs.span };
            underlying = Some(TypeName { specs, declarator });
        }
        let mut constants = None;
        if self.at(Punct::LBrace) {
            let open = self.bump().loc;
            constants = Some(self.nested(|p| p.enumerator_list(open))?);
            self.attribute_specifiers(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.expected(ids::EXPECTED_TOKEN, "a tag or `{` for this enumeration"));
        }
        Ok(EnumSpec { tag, underlying, constants, attributes, span: self.span_from(first) })
    }

    // enumerator-list:
    //     enumerator
    //     enumerator-list , enumerator
    fn enumerator_list(&mut self, open: Loc) -> Parse<Vec<(Ident, Option<Expr>)>> {
        let mut constants = Vec::new();
        while !self.at(Punct::RBrace) {
            match self.enumerator() {
                Ok(constant) => constants.push(constant),
                Err(Reported) => {
                    self.skip_enumerator();
                    if self.at_end() || self.at(Punct::Semi) {
                        return Err(Reported);
                    }
                }
            }
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        let close = self.expect_close(Punct::RBrace, open)?;
        if constants.is_empty() {
            let span = Span { first: open, last: close };
            self.report(Diagnostic::error(ids::EMPTY_ENUM, span, "an enumeration needs a constant"));
        }
        Ok(constants)
    }

    // enumerator:
    //     enumeration-constant
    //     enumeration-constant = constant-expression
    fn enumerator(&mut self) -> Parse<(Ident, Option<Expr>)> {
        let name = self.identifier("the name of an enumeration constant")?;
        let mut ignored = Vec::new();
        self.attribute_specifiers(&mut ignored)?;
        let value = if self.eat(Punct::Eq) { Some(self.constant_expression()?) } else { None };
        self.scopes.declare(name.sym, false);
        Ok((name, value))
    }

    fn skip_enumerator(&mut self) {
        while !self.at_end()
            && !matches!(self.tok.kind, TokenKind::Punct(Punct::Comma | Punct::RBrace | Punct::Semi))
        {
            self.skip_group();
        }
    }
}
