//! Declarators and parameter lists (C11 6.7.6, 6.7.7).

use super::cursor::{Parse, Reported};
use super::specifiers::SpecifierContext;
use super::{MAX_NESTING, Parser, ids};
use crate::ast::{
    Attribute, BuiltinType, Declarator, Derived, FunctionDeclarator, Ident, Param, Params, Qualifiers,
    TypeSpec,
};
use crate::diag::Diagnostic;
use crate::options::Standard;
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclaratorForm {
    /// It must.
    Named,
    /// It must not: type names.
    Abstract,
    /// It may: parameters.
    Either,
}

impl Parser<'_> {
    // declarator:
    //     pointer(opt) direct-declarator
    // abstract-declarator:
    //     pointer
    //     pointer(opt) direct-abstract-declarator
    pub fn declarator(&mut self, form: DeclaratorForm) -> Parse<Declarator> {
        let start = self.pos;
        let first = self.tok.loc;
        let mut declarator = Declarator { name: None, derived: Vec::new(), span: Span::at(first) };
        self.declarator_into(&mut declarator, form)?;
        if self.pos != start {
            declarator.span = self.span_from(first);
        }
        Ok(declarator)
    }

    fn declarator_into(&mut self, into: &mut Declarator, form: DeclaratorForm) -> Parse<()> {
        if !self.at(Punct::Star) {
            return self.direct_declarator(into, form);
        }
        let mut pointers = Vec::new();
        while self.eat(Punct::Star) {
            let qualifiers = self.pointer_qualifiers()?;
            pointers.push(Derived::Pointer(qualifiers));
        }
        self.direct_declarator(into, form)?;
        into.derived.extend(pointers.into_iter().rev());
        self.check_derivations(into)
    }

    // pointer:
    //     * type-qualifier-list(opt)
    //     * type-qualifier-list(opt) pointer
    fn pointer_qualifiers(&mut self) -> Parse<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        loop {
            match self.tok.kind {
                // What attributes say of a pointer in the middle of a declarator has no meaning here.
                TokenKind::Keyword(Keyword::Attribute) => {
                    self.attributes()?;
                }
                TokenKind::Keyword(keyword) => {
                    if !add_qualifier(&mut qualifiers, keyword) {
                        return Ok(qualifiers);
                    }
                    self.bump();
                }
                _ => return Ok(qualifiers),
            }
        }
    }

    // direct-declarator:
    //     identifier
    //     ( declarator )
    //     direct-declarator [ ... ]
    //     direct-declarator ( parameter-type-list )
    //     direct-declarator ( identifier-list(opt) )
    // direct-abstract-declarator:
    //     ( abstract-declarator )
    //     direct-abstract-declarator(opt) [ ... ]
    //     direct-abstract-declarator(opt) ( parameter-type-list(opt) )
    fn direct_declarator(&mut self, into: &mut Declarator, form: DeclaratorForm) -> Parse<()> {
        match self.tok.kind {
            TokenKind::Ident if form != DeclaratorForm::Abstract => into.name = Some(self.bump_ident()),
            TokenKind::Punct(Punct::LParen) if self.paren_is_declarator(form) => {
                let open = self.bump().loc;
                self.attributes()?;
                self.nested(|p| p.declarator_into(into, form))?;
                self.expect_close(Punct::RParen, open)?;
            }
            _ if form == DeclaratorForm::Named => {
                return Err(self.expected(ids::EXPECTED_IDENTIFIER, "a name"));
            }
            _ => {}
        }
        loop {
            match self.tok.kind {
                TokenKind::Punct(Punct::LBracket) if !self.at_std_attributes() => {
                    let array = self.array_declarator()?;
                    into.derived.push(array);
                }
                TokenKind::Punct(Punct::LBracket) => {
                    self.attributes()?;
                }
                TokenKind::Punct(Punct::LParen) => {
                    let function = self.nested(|p| p.function_declarator())?;
                    into.derived.push(Derived::Function(Box::new(function)));
                }
                _ => return self.check_derivations(into),
            }
        }
    }

    /// Types are walked recursively, so their depth is bounded like any other nesting.
    fn check_derivations(&mut self, declarator: &Declarator) -> Parse<()> {
        if declarator.derived.len() <= MAX_NESTING as usize {
            return Ok(());
        }
        let message = format!("a declarator of more than {MAX_NESTING} parts is not supported");
        Err(self.report_here(Diagnostic::error(ids::NESTING_TOO_DEEP, Span::at(self.tok.loc), message)))
    }

    /// Whether the current `(` encloses a declarator; otherwise it begins the parameters of a nameless
    /// function.
    fn paren_is_declarator(&self, form: DeclaratorForm) -> bool {
        if form == DeclaratorForm::Named {
            return true;
        }
        match self.peek(1) {
            TokenKind::Punct(Punct::RParen | Punct::Ellipsis) => false,
            // `(__attribute__((...)) *f)` or `(__attribute__((...)) int x)`: what follows the attributes
            // decides.
            TokenKind::Keyword(Keyword::Attribute) => !self.starts_type_name(1 + self.attributes_len(1)),
            TokenKind::Keyword(Keyword::Register) => false,
            TokenKind::Ident => form == DeclaratorForm::Either && !self.starts_type_name(1),
            _ => !self.starts_type_name(1),
        }
    }

    /// Number of tokens of the attributes that begin `n` behind the current token.
    pub fn attributes_len(&self, n: usize) -> usize {
        let bracket = TokenKind::Punct(Punct::LBracket);
        let mut end = n;
        loop {
            match self.peek(end) {
                TokenKind::Keyword(Keyword::Attribute) => end += 1,
                kind if kind == bracket && self.peek(end + 1) == bracket => {}
                _ => break,
            }
            let mut open = 0usize;
            loop {
                match self.peek(end) {
                    TokenKind::Punct(Punct::LParen | Punct::LBracket) => open += 1,
                    TokenKind::Punct(Punct::RParen | Punct::RBracket) => open = open.saturating_sub(1),
                    TokenKind::Eof | TokenKind::PragmaEnd => return end - n,
                    _ => {}
                }
                end += 1;
                if open == 0 {
                    break;
                }
            }
        }
        end - n
    }

    // direct-declarator [ type-qualifier-list(opt) assignment-expression(opt) ]
    // direct-declarator [ static type-qualifier-list(opt) assignment-expression ]
    // direct-declarator [ type-qualifier-list static assignment-expression ]
    // direct-declarator [ type-qualifier-list(opt) * ]
    fn array_declarator(&mut self) -> Parse<Derived> {
        let open = self.bump().loc;
        let mut qualifiers = Qualifiers::default();
        let mut static_ = false;
        while let TokenKind::Keyword(keyword) = self.tok.kind {
            if keyword == Keyword::Static {
                static_ = true;
            } else if !add_qualifier(&mut qualifiers, keyword) {
                break;
            }
            self.bump();
        }
        let star = self.at(Punct::Star) && self.peek(1) == TokenKind::Punct(Punct::RBracket);
        let mut size = None;
        if star {
            self.bump();
        } else if !self.at(Punct::RBracket) {
            size = Some(Box::new(self.assignment_expression()?));
        }
        self.expect_close(Punct::RBracket, open)?;
        Ok(Derived::Array { size, star, static_, qualifiers })
    }

    /// `( parameter-type-list )`, `( identifier-list )` or `( )`. The scope of the parameters ends here; the
    /// body of a definition declares them again.
    fn function_declarator(&mut self) -> Parse<FunctionDeclarator> {
        let open = self.bump().loc;
        while matches!(self.tok.kind, TokenKind::PragmaAcc | TokenKind::PragmaOmp) {
            self.misplaced_directive("in a parameter list");
        }
        if self.eat(Punct::RParen) {
            let is_prototype = self.standard >= Standard::C23;
            let params = if is_prototype { Params::Prototype(Vec::new()) } else { Params::Unknown };
            return Ok(FunctionDeclarator { params, variadic: false });
        }
        if self.at_identifier_list() {
            let params = Params::Identifiers(self.identifier_list()?);
            self.expect_close(Punct::RParen, open)?;
            return Ok(FunctionDeclarator { params, variadic: false });
        }
        let scopes = self.scopes.depth();
        self.scopes.push();
        let mut params = Vec::new();
        let variadic = match self.parameter_type_list(&mut params) {
            Ok(variadic) => {
                self.scopes.pop_to(scopes);
                self.expect_close(Punct::RParen, open).map(|_| variadic)
            }
            Err(reported) => Err(reported),
        };
        self.scopes.pop_to(scopes);
        let variadic = match variadic {
            Ok(variadic) => variadic,
            Err(Reported) => {
                // A definition's body is worth parsing even if a parameter is wrong.
                self.skip_to_close_paren(false);
                if self.prev.kind != TokenKind::Punct(Punct::RParen) && !self.at(Punct::LBrace) {
                    return Err(Reported);
                }
                false
            }
        };
        if let [param] = params.as_slice()
            && is_void(param)
        {
            params.clear();
        }
        Ok(FunctionDeclarator { params: Params::Prototype(params), variadic })
    }

    /// Whether nothing but names stands in these parentheses, the first of which is no type.
    fn at_identifier_list(&self) -> bool {
        if self.tok.kind != TokenKind::Ident || self.scopes.is_typedef(self.tok.sym) {
            return false;
        }
        let mut n = 1;
        while self.peek(n) == TokenKind::Punct(Punct::Comma) && self.peek(n + 1) == TokenKind::Ident {
            n += 2;
        }
        self.peek(n) == TokenKind::Punct(Punct::RParen)
    }

    // identifier-list:
    //     identifier
    //     identifier-list , identifier
    fn identifier_list(&mut self) -> Parse<Vec<Ident>> {
        let mut names = Vec::new();
        loop {
            names.push(self.identifier("the name of a parameter")?);
            if !self.eat(Punct::Comma) {
                return Ok(names);
            }
        }
    }

    // parameter-type-list:
    //     parameter-list
    //     parameter-list , ...
    /// Returns whether the list ends in `...`.
    fn parameter_type_list(&mut self, params: &mut Vec<Param>) -> Parse<bool> {
        loop {
            if self.eat(Punct::Ellipsis) {
                return Ok(true);
            }
            params.push(self.parameter_declaration()?);
            if !self.eat(Punct::Comma) {
                return Ok(false);
            }
        }
    }

    // parameter-declaration:
    //     declaration-specifiers declarator
    //     declaration-specifiers abstract-declarator(opt)
    fn parameter_declaration(&mut self) -> Parse<Param> {
        while matches!(self.tok.kind, TokenKind::PragmaAcc | TokenKind::PragmaOmp) {
            self.misplaced_directive("in a parameter list");
        }
        let start = self.pos;
        let attributes = self.attributes()?;
        let specs = self.declaration_specifiers(attributes, SpecifierContext::Parameter)?;
        if self.pos == start {
            return Err(self.expected(ids::EXPECTED_TYPE, "the type of a parameter"));
        }
        let declarator = self.declarator(DeclaratorForm::Either)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name.sym, false);
        }
        let attributes: Vec<Attribute> = self.attributes()?;
        Ok(Param { specs, declarator, attributes })
    }

    /// Declares what the parameter list of `declarator` declares, for the body of a definition.
    pub fn declare_parameters(&mut self, declarator: &Declarator) {
        let Some(Derived::Function(function)) = declarator.derived.first() else { return };
        match &function.params {
            Params::Unknown => {}
            Params::Identifiers(names) => {
                for name in names {
                    self.scopes.declare(name.sym, false);
                }
            }
            Params::Prototype(params) => {
                for param in params {
                    if let TypeSpec::Enum(spec) = &param.specs.ty {
                        for (name, _) in spec.constants.iter().flatten() {
                            self.scopes.declare(name.sym, false);
                        }
                    }
                    if let Some(name) = param.declarator.name {
                        self.scopes.declare(name.sym, false);
                    }
                }
            }
        }
    }
}

/// `(void)`.
fn is_void(param: &Param) -> bool {
    matches!(param.specs.ty, TypeSpec::Builtin(BuiltinType::Void))
        && param.declarator.name.is_none()
        && param.declarator.derived.is_empty()
        && param.specs.qualifiers == Qualifiers::default()
        && param.specs.storage.is_none()
}

/// Adds the qualifier that `keyword` is; false if it is none.
fn add_qualifier(qualifiers: &mut Qualifiers, keyword: Keyword) -> bool {
    match keyword {
        Keyword::Const => qualifiers.const_ = true,
        Keyword::Volatile => qualifiers.volatile = true,
        Keyword::Restrict => qualifiers.restrict = true,
        Keyword::Atomic => qualifiers.atomic = true,
        _ => return false,
    }
    true
}
