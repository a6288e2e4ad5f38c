//! Primary expressions (C11 6.5.1) and the built-ins whose operands are types.

use super::cursor::Parse;
use super::{Parser, ids};
use crate::ast::{
    BuiltinType, DeclSpecs, Declarator, Designator, Expr, ExprKind, TypeName, TypeSpec, UnaryOp,
};
use crate::intern::{Symbol, names};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    // primary-expression:
    //     identifier
    //     constant
    //     string-literal
    //     ( expression )
    //     generic-selection
    //     ( compound-statement )                                                       (GNU)
    pub fn primary_expression(&mut self) -> Parse<Expr> {
        let token = self.tok;
        let kind = match token.kind {
            TokenKind::Ident if self.scopes.is_typedef(token.sym) => {
                let text = self.interner.text(token.sym);
                let what = format!("an expression (`{text}` is a type)");
                return Err(self.expected(ids::EXPECTED_EXPRESSION, &what));
            }
            TokenKind::Ident => match self.iterator_value(token.sym) {
                Some(value) => value,
                None => ExprKind::Ident(token.sym),
            },
            TokenKind::Number => ExprKind::Number(token.sym),
            TokenKind::Char => ExprKind::Char(token.sym),
            TokenKind::String => {
                let literals = self.string_literals("a string literal")?;
                return Ok(Expr { kind: ExprKind::String(literals), span: self.span_from(token.loc) });
            }
            TokenKind::Punct(Punct::LParen) => return self.parenthesised(),
            TokenKind::Keyword(keyword) => return self.keyword_expression(keyword),
            _ => return Err(self.expected(ids::EXPECTED_EXPRESSION, "an expression")),
        };
        self.bump();
        Ok(Expr { kind, span: Span::at(token.loc) })
    }

    /// The value of an iterator of OpenMP, if a clause is being read for one.
    fn iterator_value(&mut self, name: Symbol) -> Option<ExprKind> {
        let (_, value) = *self.iterator_values.iter().rev().find(|(iterator, _)| *iterator == name)?;
        let number = ExprKind::Number(self.interner.intern(&value.unsigned_abs().to_string()));
        if value >= 0 {
            return Some(number);
        }
        let span = Span::at(self.tok.loc);
        let negative = ExprKind::Unary(UnaryOp::Minus, Box::new(Expr { kind: number, span }));
        Some(ExprKind::Paren(Box::new(Expr { kind: negative, span })))
    }

    /// `( expression )` or `({ ... })`.
    fn parenthesised(&mut self) -> Parse<Expr> {
        let open = self.bump().loc;
        let kind = if self.at(Punct::LBrace) {
            ExprKind::StmtExpr(self.statement_expression()?)
        } else {
            ExprKind::Paren(Box::new(self.expression()?))
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(Expr { kind, span: self.span_from(open) })
    }

    fn keyword_expression(&mut self, keyword: Keyword) -> Parse<Expr> {
        let first = self.tok.loc;
        let kind = match keyword {
            Keyword::FuncName => {
                self.bump();
                ExprKind::FuncName
            }
            Keyword::Generic => self.generic_selection()?,
            Keyword::True | Keyword::False => self.constant_of(BuiltinType::Bool, keyword == Keyword::True),
            Keyword::Nullptr => self.constant_of(BuiltinType::Nullptr, false),
            Keyword::BuiltinVaArg => self.builtin(|p| {
                let list = p.assignment_expression()?;
                p.expect(Punct::Comma)?;
                Ok(ExprKind::VaArg(Box::new(list), p.boxed_type_name()?))
            })?,
            Keyword::BuiltinOffsetof => self.builtin(|p| {
                let ty = p.boxed_type_name()?;
                p.expect(Punct::Comma)?;
                let mut path = vec![Designator::Field(p.identifier("the name of a member")?)];
                path.extend(p.designator_list()?);
                Ok(ExprKind::Offsetof(ty, path))
            })?,
            Keyword::BuiltinTypesCompatible => self.builtin(|p| {
                let one = p.boxed_type_name()?;
                p.expect(Punct::Comma)?;
                Ok(ExprKind::TypesCompatible(one, p.boxed_type_name()?))
            })?,
            Keyword::BuiltinChooseExpr => self.builtin(|p| {
                let condition = Box::new(p.assignment_expression()?);
                p.expect(Punct::Comma)?;
                let one = Box::new(p.assignment_expression()?);
                p.expect(Punct::Comma)?;
                Ok(ExprKind::ChooseExpr(condition, one, Box::new(p.assignment_expression()?)))
            })?,
            _ => return Err(self.expected(ids::EXPECTED_EXPRESSION, "an expression")),
        };
        Ok(Expr { kind, span: self.span_from(first) })
    }

    /// A keyword that stands for 0 or 1 of a type.
    fn constant_of(&mut self, ty: BuiltinType, is_one: bool) -> ExprKind {
        let span = Span::at(self.bump().loc);
        let specs = DeclSpecs::of_type(TypeSpec::Builtin(ty), span);
        let declarator = Declarator { name: None, derived: Vec::new(), span };
        let number = Expr { kind: ExprKind::Number(if is_one { names::ONE } else { names::ZERO }), span };
        ExprKind::Cast(Box::new(TypeName { specs, declarator }), Box::new(number))
    }

    /// The name of a built-in, and its operands in parentheses.
    fn builtin(&mut self, operands: impl FnOnce(&mut Self) -> Parse<ExprKind>) -> Parse<ExprKind> {
        self.bump();
        let open = self.expect(Punct::LParen)?;
        let kind = operands(self)?;
        self.expect_close(Punct::RParen, open)?;
        Ok(kind)
    }

    fn boxed_type_name(&mut self) -> Parse<Box<TypeName>> {
        Ok(Box::new(self.type_name()?))
    }

    // generic-selection:
    //     _Generic ( assignment-expression , generic-assoc-list )
    // generic-association:
    //     type-name : assignment-expression
    //     default : assignment-expression
    fn generic_selection(&mut self) -> Parse<ExprKind> {
        self.builtin(|p| {
            let control = Box::new(p.assignment_expression()?);
            let mut associations = Vec::new();
            p.expect(Punct::Comma)?;
            loop {
                let name = if p.eat_keyword(Keyword::Default) { None } else { Some(p.type_name()?) };
                p.expect(Punct::Colon)?;
                associations.push((name, p.assignment_expression()?));
                if !p.eat(Punct::Comma) {
                    break;
                }
            }
            Ok(ExprKind::Generic(control, associations))
        })
    }
}
