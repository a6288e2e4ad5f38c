//! Expressions with operators (C11 6.5.3 to 6.5.17).

use super::cursor::Parse;
use super::{Parser, ids};
use crate::ast::{BinaryOp, Expr, ExprKind, TypeName, UnaryOp};
use crate::diag::Diagnostic;
use crate::source::{Loc, Span};
use crate::token::{Keyword, Punct, TokenKind};

/// Operator and precedence of a binary operator; higher binds tighter.
#[inline]
fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    let TokenKind::Punct(punct) = kind else { return None };
    Some(match punct {
        Punct::PipePipe => (BinaryOp::LogOr, 1),
        Punct::AmpAmp => (BinaryOp::LogAnd, 2),
        Punct::Pipe => (BinaryOp::BitOr, 3),
        Punct::Caret => (BinaryOp::BitXor, 4),
        Punct::Amp => (BinaryOp::BitAnd, 5),
        Punct::EqEq => (BinaryOp::Eq, 6),
        Punct::Ne => (BinaryOp::Ne, 6),
        Punct::Lt => (BinaryOp::Lt, 7),
        Punct::Gt => (BinaryOp::Gt, 7),
        Punct::Le => (BinaryOp::Le, 7),
        Punct::Ge => (BinaryOp::Ge, 7),
        Punct::Shl => (BinaryOp::Shl, 8),
        Punct::Shr => (BinaryOp::Shr, 8),
        Punct::Plus => (BinaryOp::Add, 9),
        Punct::Minus => (BinaryOp::Sub, 9),
        Punct::Star => (BinaryOp::Mul, 10),
        Punct::Slash => (BinaryOp::Div, 10),
        Punct::Percent => (BinaryOp::Rem, 10),
        _ => return None,
    })
}

/// The operator of a compound assignment.
fn assignment_operator(kind: TokenKind) -> Option<BinaryOp> {
    let TokenKind::Punct(punct) = kind else { return None };
    Some(match punct {
        Punct::StarEq => BinaryOp::Mul,
        Punct::SlashEq => BinaryOp::Div,
        Punct::PercentEq => BinaryOp::Rem,
        Punct::PlusEq => BinaryOp::Add,
        Punct::MinusEq => BinaryOp::Sub,
        Punct::ShlEq => BinaryOp::Shl,
        Punct::ShrEq => BinaryOp::Shr,
        Punct::AmpEq => BinaryOp::BitAnd,
        Punct::CaretEq => BinaryOp::BitXor,
        Punct::PipeEq => BinaryOp::BitOr,
        _ => return None,
    })
}

impl Parser<'_> {
    // expression:
    //     assignment-expression
    //     expression , assignment-expression
    pub fn expression(&mut self) -> Parse<Expr> {
        let mut left = self.assignment_expression()?;
        while self.eat(Punct::Comma) {
            let right = self.assignment_expression()?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    // assignment-expression:
    //     conditional-expression
    //     unary-expression assignment-operator assignment-expression
    /// Any conditional expression is taken on the left: that it cannot be assigned to is a better message
    /// than a syntax error.
    pub fn assignment_expression(&mut self) -> Parse<Expr> {
        self.nested(|p| {
            let left = p.conditional_expression()?;
            if p.eat(Punct::Eq) {
                let right = p.assignment_expression()?;
                let span = left.span.to(right.span);
                return Ok(Expr { kind: ExprKind::Assign(Box::new(left), Box::new(right)), span });
            }
            let Some(op) = assignment_operator(p.tok.kind) else { return Ok(left) };
            let op_span = Span::at(p.bump().loc);
            let right = p.assignment_expression()?;
            let span = left.span.to(right.span);
            Ok(Expr { kind: ExprKind::AssignOp(op, op_span, Box::new(left), Box::new(right)), span })
        })
    }

    // constant-expression:
    //     conditional-expression
    pub fn constant_expression(&mut self) -> Parse<Expr> {
        self.nested(|p| p.conditional_expression())
    }

    // conditional-expression:
    //     logical-OR-expression
    //     logical-OR-expression ? expression : conditional-expression
    //     logical-OR-expression ? : conditional-expression                             (GNU)
    fn conditional_expression(&mut self) -> Parse<Expr> {
        let condition = self.binary_expression()?;
        if self.at(Punct::Question) { self.conditional_rest(condition) } else { Ok(condition) }
    }

    fn conditional_rest(&mut self, condition: Expr) -> Parse<Expr> {
        let question = self.bump().loc;
        let then = if self.at(Punct::Colon) { None } else { Some(Box::new(self.expression()?)) };
        if !self.eat(Punct::Colon) {
            let related = Span::at(question);
            let diagnostic = self.expected_diagnostic(ids::EXPECTED_TOKEN, "`:`");
            return Err(self.report_here(diagnostic.related(related, "to match this `?`")));
        }
        let otherwise = self.nested(|p| p.conditional_expression())?;
        let span = condition.span.to(otherwise.span);
        let kind = ExprKind::Conditional(Box::new(condition), then, Box::new(otherwise));
        Ok(Expr { kind, span })
    }

    // logical-OR-expression ... multiplicative-expression:
    //     the ten levels of binary operators, by precedence climbing
    fn binary_expression(&mut self) -> Parse<Expr> {
        let left = self.cast_expression()?;
        self.binary_rest(left, 1)
    }

    /// The operators and operands behind `left`, as far as the operators bind at least as tight as `min`.
    /// Operators of equal precedence are taken in a loop: sums may have any number of terms.
    fn binary_rest(&mut self, mut left: Expr, min: u8) -> Parse<Expr> {
        while let Some((op, precedence)) = binary_operator(self.tok.kind) {
            if precedence < min {
                break;
            }
            let op_span = Span::at(self.bump().loc);
            let mut right = self.cast_expression()?;
            if binary_operator(self.tok.kind).is_some_and(|(_, next)| next > precedence) {
                right = self.binary_rest(right, precedence + 1)?;
            }
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, op_span, Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    // cast-expression:
    //     unary-expression
    //     ( type-name ) cast-expression
    /// A parenthesised type before a brace is a compound literal, a postfix expression.
    pub fn cast_expression(&mut self) -> Parse<Expr> {
        let has_storage = self.at(Punct::LParen) && self.starts_literal_storage(1);
        if !has_storage && (!self.at(Punct::LParen) || !self.starts_type_name(1)) {
            return self.unary_expression();
        }
        let open = self.bump().loc;
        let name = if has_storage { self.literal_type_name()? } else { self.type_name()? };
        self.expect_close(Punct::RParen, open)?;
        if self.at(Punct::LBrace) {
            let literal = self.compound_literal(name, open)?;
            return self.postfix_rest(literal);
        }
        self.no_storage(&name);
        let operand = self.nested(|p| p.cast_expression())?;
        let span = Span { first: open, last: operand.span.last };
        Ok(Expr { kind: ExprKind::Cast(Box::new(name), Box::new(operand)), span })
    }

    // unary-expression:
    //     postfix-expression
    //     ++ unary-expression
    //     -- unary-expression
    //     unary-operator cast-expression
    //     sizeof unary-expression | sizeof ( type-name )
    //     _Alignof unary-expression | _Alignof ( type-name )                            (the first is GNU)
    //     && identifier                                                                (GNU)
    //     __extension__ cast-expression                                                (GNU)
    //     __real__ cast-expression | __imag__ cast-expression                           (GNU)
    fn unary_expression(&mut self) -> Parse<Expr> {
        let first = self.tok.loc;
        let op = match self.tok.kind {
            TokenKind::Punct(Punct::Amp) => UnaryOp::AddrOf,
            TokenKind::Punct(Punct::Star) => UnaryOp::Deref,
            TokenKind::Punct(Punct::Plus) => UnaryOp::Plus,
            TokenKind::Punct(Punct::Minus) => UnaryOp::Minus,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::BitNot,
            TokenKind::Punct(Punct::Bang) => UnaryOp::Not,
            TokenKind::Punct(Punct::PlusPlus) => UnaryOp::PreInc,
            TokenKind::Punct(Punct::MinusMinus) => UnaryOp::PreDec,
            TokenKind::Keyword(Keyword::Real) => UnaryOp::Real,
            TokenKind::Keyword(Keyword::Imag) => UnaryOp::Imag,
            TokenKind::Keyword(Keyword::Sizeof | Keyword::Alignof) => return self.sizeof_expression(),
            TokenKind::Keyword(Keyword::Extension) => {
                self.bump();
                return self.nested(|p| p.cast_expression());
            }
            TokenKind::Punct(Punct::AmpAmp) => {
                self.bump();
                let label = self.identifier("the name of a label")?;
                return Ok(Expr { kind: ExprKind::LabelAddr(label), span: self.span_from(first) });
            }
            _ => return self.postfix_expression(),
        };
        self.bump();
        let operand = self.nested(|p| p.cast_expression())?;
        let span = Span { first, last: operand.span.last };
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span })
    }

    fn sizeof_expression(&mut self) -> Parse<Expr> {
        let first = self.tok.loc;
        let size = self.at_keyword(Keyword::Sizeof);
        self.bump();
        let has_storage = self.at(Punct::LParen) && self.starts_literal_storage(1);
        let operand = if has_storage || self.at(Punct::LParen) && self.starts_type_name(1) {
            let open = self.bump().loc;
            let name = if has_storage { self.literal_type_name()? } else { self.type_name()? };
            self.expect_close(Punct::RParen, open)?;
            if !self.at(Punct::LBrace) {
                self.no_storage(&name);
                let name = Box::new(name);
                let kind = if size { ExprKind::SizeofType(name) } else { ExprKind::AlignofType(name) };
                return Ok(Expr { kind, span: self.span_from(first) });
            }
            let literal = self.compound_literal(name, open)?;
            self.postfix_rest(literal)?
        } else {
            self.nested(|p| p.unary_expression())?
        };
        let operand = Box::new(operand);
        let kind = if size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
        Ok(Expr { kind, span: self.span_from(first) })
    }

    /// Reports a storage class in a type name that is not that of a compound literal.
    fn no_storage(&mut self, name: &TypeName) {
        let specs = &name.specs;
        if specs.storage.is_some() || specs.thread_local || specs.constexpr {
            let at = specs.storage.map_or(specs.span, |(_, span)| span);
            let message = "a storage class can stand in the type of a compound literal only";
            self.report(Diagnostic::error(ids::MISPLACED_SPECIFIER, at, message));
        }
    }

    /// `( type-name )`, which the caller has parsed, `{ ... }`.
    fn compound_literal(&mut self, name: crate::ast::TypeName, open: Loc) -> Parse<Expr> {
        let list = self.nested(|p| p.initializer_list())?;
        let kind = ExprKind::CompoundLiteral(Box::new(name), list);
        Ok(Expr { kind, span: self.span_from(open) })
    }
}
