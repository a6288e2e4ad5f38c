//! Declarations and function definitions (C11 6.7, 6.9.1).

use super::cursor::Parse;
use super::declarator::DeclaratorForm;
use super::specifiers::SpecifierContext;
use super::{Parser, ids};
use crate::ast::{
    Attribute, DeclSpecs, Declaration, Declarator, Derived, FunctionDef, InitDeclarator, Initializer, Params,
    StaticAssert, StorageClass, TypeSpec,
};
use crate::intern::Symbol;
use crate::source::Loc;
use crate::token::{Keyword, Punct, TokenKind};

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclarationContext {
    /// Outside functions.
    File,
    /// In a block.
    Block,
    /// In the head of a `for`, or between the head and the body of an old-style definition: no functions.
    NoFunction,
}

/// What begins with declaration specifiers.
pub(super) enum DeclarationOrFunction {
    Declaration(Declaration),
    Function(Box<FunctionDef>),
}

/// What may stand between a declarator and its initialiser.
struct DeclaratorTail {
    asm_label: Option<Symbol>,
    attributes: Vec<Attribute>,
}

impl Parser<'_> {
    // declaration:
    //     declaration-specifiers init-declarator-list(opt) ;
    pub fn declaration(&mut self) -> Parse<Declaration> {
        match self.declaration_or_function(Vec::new(), DeclarationContext::NoFunction)? {
            DeclarationOrFunction::Declaration(declaration) => Ok(declaration),
            DeclarationOrFunction::Function(_) => unreachable!("no functions in this context"),
        }
    }

    /// A declaration, or a function definition where the context has them. `attributes` were parsed before
    /// it.
    pub fn declaration_or_function(
        &mut self,
        attributes: Vec<Attribute>,
        context: DeclarationContext,
    ) -> Parse<DeclarationOrFunction> {
        let first = self.tok.loc;
        let start = self.pos;
        let specs = self.declaration_specifiers(attributes, SpecifierContext::Declaration)?;
        if self.at(Punct::Semi) && self.pos != start {
            self.bump();
            return Ok(self.finish_declaration(specs, Vec::new(), first));
        }
        if let TokenKind::Keyword(keyword) = self.tok.kind
            && self.semicolon_missing_after(&specs.ty, keyword)
        {
            self.expect_semi("definition of this type")?;
            return Ok(self.finish_declaration(specs, Vec::new(), first));
        }
        let plausible =
            matches!(self.tok.kind, TokenKind::Ident | TokenKind::Punct(Punct::Star | Punct::LParen));
        if self.pos == start && !plausible {
            let reported = self.expected(ids::EXPECTED_DECLARATION, "a declaration");
            self.lost |= self.bodies == 0;
            return Err(reported);
        }
        let declarator = self.declarator(DeclaratorForm::Named)?;
        self.declare(&specs, &declarator);
        let tail = self.declarator_tail()?;
        if context != DeclarationContext::NoFunction && self.at_function_body(&declarator) {
            let function = self.function_definition(specs, declarator, tail, first)?;
            return Ok(DeclarationOrFunction::Function(Box::new(function)));
        }
        let mut declarators = vec![self.init_declarator(declarator, tail)?];
        while self.eat(Punct::Comma) {
            let attributes = self.attributes()?;
            let declarator = self.declarator(DeclaratorForm::Named)?;
            self.declare(&specs, &declarator);
            let mut tail = self.declarator_tail()?;
            tail.attributes.extend(attributes);
            declarators.push(self.init_declarator(declarator, tail)?);
        }
        self.expect_semi("declaration")?;
        Ok(self.finish_declaration(specs, declarators, first))
    }

    fn finish_declaration(
        &mut self,
        specs: DeclSpecs,
        declarators: Vec<InitDeclarator>,
        first: Loc,
    ) -> DeclarationOrFunction {
        let span = self.span_from(first);
        DeclarationOrFunction::Declaration(Declaration { specs, declarators, span })
    }

    /// The scope of a name begins behind its declarator.
    fn declare(&mut self, specs: &DeclSpecs, declarator: &Declarator) {
        if let Some(name) = declarator.name {
            let typedef = matches!(specs.storage, Some((StorageClass::Typedef, _)));
            self.scopes.declare(name.sym, typedef);
        }
    }

    /// `asm("name")` and attributes, in either order.
    fn declarator_tail(&mut self) -> Parse<DeclaratorTail> {
        let mut tail = DeclaratorTail { asm_label: None, attributes: Vec::new() };
        loop {
            if self.at_attributes() {
                self.attribute_specifiers(&mut tail.attributes)?;
            } else if self.at_keyword(Keyword::Asm) {
                self.bump();
                let open = self.expect(Punct::LParen)?;
                tail.asm_label = Some(self.unquoted_string("the assembler name as a string")?);
                self.expect_close(Punct::RParen, open)?;
            } else {
                return Ok(tail);
            }
        }
    }

    // init-declarator:
    //     declarator
    //     declarator = initializer
    fn init_declarator(&mut self, declarator: Declarator, tail: DeclaratorTail) -> Parse<InitDeclarator> {
        let init = if self.eat(Punct::Eq) { Some(self.initializer()?) } else { None };
        Ok(InitDeclarator { declarator, asm_label: tail.asm_label, attributes: tail.attributes, init })
    }

    // initializer:
    //     assignment-expression
    //     { initializer-list }
    //     { initializer-list , }
    pub fn initializer(&mut self) -> Parse<Initializer> {
        if self.at(Punct::LBrace) {
            return Ok(Initializer::List(self.nested(|p| p.initializer_list())?));
        }
        Ok(Initializer::Expr(self.assignment_expression()?))
    }

    /// Whether the current token begins the rest of a function definition: the body, or old-style parameters.
    fn at_function_body(&self, declarator: &Declarator) -> bool {
        let Some(Derived::Function(function)) = declarator.derived.first() else { return false };
        match function.params {
            _ if self.at(Punct::LBrace) => true,
            Params::Identifiers(_) => self.starts_declaration(),
            Params::Unknown | Params::Prototype(_) => false,
        }
    }

    // function-definition:
    //     declaration-specifiers declarator declaration-list(opt) compound-statement
    fn function_definition(
        &mut self,
        specs: DeclSpecs,
        declarator: Declarator,
        tail: DeclaratorTail,
        first: Loc,
    ) -> Parse<FunctionDef> {
        // A typedef of a function cannot have a body; whoever wrote one meant a function.
        if let Some(name) = declarator.name {
            self.scopes.declare(name.sym, false);
        }
        let pending = self.pending_routine.take();
        let scopes = self.scopes.depth();
        self.scopes.push();
        self.declare_parameters(&declarator);
        self.bodies += 1;
        let body = self.nested(|p| {
            let mut old_style = Vec::new();
            while !p.at(Punct::LBrace) && p.starts_declaration() {
                old_style.push(p.declaration()?);
            }
            if !p.at(Punct::LBrace) {
                return Err(p.expected(ids::EXPECTED_TOKEN, "`{` and the body of the function"));
            }
            Ok((old_style, p.function_body()?))
        });
        self.bodies -= 1;
        self.scopes.pop_to(scopes);
        self.pending_routine = pending;
        let (old_style, body) = body?;
        Ok(FunctionDef {
            specs,
            declarator,
            asm_label: tail.asm_label,
            attributes: tail.attributes,
            old_style,
            body,
            span: self.span_from(first),
        })
    }

    // static_assert-declaration:
    //     _Static_assert ( constant-expression , string-literal ) ;
    //     _Static_assert ( constant-expression ) ;                                    (C23)
    pub fn static_assert_declaration(&mut self) -> Parse<StaticAssert> {
        let first = self.bump().loc;
        let open = self.expect(Punct::LParen)?;
        let condition = self.constant_expression()?;
        let message = if self.eat(Punct::Comma) {
            Some(self.string_literals("the message as a string")?)
        } else {
            None
        };
        self.expect_close(Punct::RParen, open)?;
        self.expect_semi("assertion")?;
        Ok(StaticAssert { condition, message, span: self.span_from(first) })
    }

    /// Whether this is the declaration of exactly one function, as far as its form says: a typedef of a
    /// function type may be behind a plain name.
    pub fn declares_one_function(declaration: &Declaration) -> bool {
        let [one] = declaration.declarators.as_slice() else { return false };
        if matches!(declaration.specs.storage, Some((StorageClass::Typedef, _))) {
            return false;
        }
        match one.declarator.derived.first() {
            Some(Derived::Function(_)) => true,
            Some(Derived::Pointer(_) | Derived::Array { .. }) => false,
            None => match declaration.specs.ty {
                TypeSpec::Typedef(_)
                | TypeSpec::TypeofExpr(_)
                | TypeSpec::TypeofType(_)
                | TypeSpec::Error => true,
                TypeSpec::Builtin(_)
                | TypeSpec::Record(_)
                | TypeSpec::Enum(_)
                | TypeSpec::Atomic(_)
                | TypeSpec::Unqualified(_)
                | TypeSpec::VaList
                | TypeSpec::Auto
                | TypeSpec::Missing => false,
            },
        }
    }
}
