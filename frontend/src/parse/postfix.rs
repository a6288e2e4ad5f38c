//! Postfix expressions (C11 6.5.2), and the items of directives' variable lists, which look much like them.

use super::cursor::Parse;
use super::{MAX_NESTING, Parser, ids};
use crate::ast::{Bounds, Expr, ExprKind, UnaryOp};
use crate::diag::Diagnostic;
use crate::source::{Loc, Span};
use crate::token::{Punct, TokenKind};

impl Parser<'_> {
    // postfix-expression:
    //     primary-expression
    //     postfix-expression [ expression ]
    //     postfix-expression ( argument-expression-list(opt) )
    //     postfix-expression . identifier
    //     postfix-expression -> identifier
    //     postfix-expression ++
    //     postfix-expression --
    //     ( type-name ) { initializer-list }
    pub fn postfix_expression(&mut self) -> Parse<Expr> {
        let primary = self.primary_expression()?;
        self.postfix_rest(primary)
    }

    /// The operators behind `base`. Each nests the tree, so their number is bounded.
    pub fn postfix_rest(&mut self, base: Expr) -> Parse<Expr> {
        let mut expr = base;
        for _ in 0..MAX_NESTING {
            let TokenKind::Punct(punct) = self.tok.kind else { return Ok(expr) };
            let first = expr.span.first;
            let kind = match punct {
                Punct::LBracket => {
                    let open = self.bump().loc;
                    let index = self.expression()?;
                    self.expect_close(Punct::RBracket, open)?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                Punct::LParen => {
                    let open = self.bump().loc;
                    let no_variants = self.variants.is_empty();
                    let (expr, adjusted) =
                        if no_variants { (expr, Vec::new()) } else { self.variant_of(expr)? };
                    let mut arguments = self.argument_expression_list(open)?;
                    for number in adjusted {
                        if let Some(argument) = arguments.get_mut(number) {
                            self.device_pointer(argument);
                        }
                    }
                    ExprKind::Call(Box::new(expr), arguments)
                }
                Punct::Dot | Punct::Arrow => self.member_access(expr)?,
                Punct::PlusPlus => {
                    self.bump();
                    ExprKind::PostInc(Box::new(expr))
                }
                Punct::MinusMinus => {
                    self.bump();
                    ExprKind::PostDec(Box::new(expr))
                }
                _ => return Ok(expr),
            };
            expr = Expr { kind, span: self.span_from(first) };
        }
        Err(self.long_chain())
    }

    fn long_chain(&mut self) -> super::cursor::Reported {
        let message = format!("more than {MAX_NESTING} postfix operators in a row are not supported");
        self.report_here(Diagnostic::error(ids::NESTING_TOO_DEEP, Span::at(self.tok.loc), message))
    }

    fn member_access(&mut self, base: Expr) -> Parse<ExprKind> {
        let arrow = self.at(Punct::Arrow);
        self.bump();
        let member = self.identifier("the name of a member")?;
        let base = Box::new(base);
        Ok(if arrow { ExprKind::Arrow(base, member) } else { ExprKind::Member(base, member) })
    }

    // argument-expression-list:
    //     assignment-expression
    //     argument-expression-list , assignment-expression
    fn argument_expression_list(&mut self, open: Loc) -> Parse<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.eat(Punct::RParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment_expression()?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(arguments)
    }

    // var:
    //     identifier
    //     ( var )
    //     * var
    //     var . identifier
    //     var -> identifier
    //     var [ expression ]
    //     var [ expression(opt) : expression(opt) ]
    //     var [ expression(opt) : expression(opt) : expression(opt) ]
    /// An item of a variable list: a variable, a member, an array element or an array section.
    pub fn variable(&mut self) -> Parse<Expr> {
        let first = self.tok.loc;
        let base = match self.tok.kind {
            TokenKind::Ident => {
                let ident = self.bump_ident();
                Expr { kind: ExprKind::Ident(ident.sym), span: ident.span }
            }
            TokenKind::Punct(Punct::Star) => {
                self.bump();
                let operand = self.nested(|p| p.variable())?;
                let span = Span { first, last: operand.span.last };
                return Ok(Expr { kind: ExprKind::Unary(UnaryOp::Deref, Box::new(operand)), span });
            }
            TokenKind::Punct(Punct::LParen) => {
                let open = self.bump().loc;
                let is_place = self.has_strides && !self.at_named_object();
                let inner = self.nested(|p| if is_place { p.expression() } else { p.variable() })?;
                self.expect_close(Punct::RParen, open)?;
                Expr { kind: ExprKind::Paren(Box::new(inner)), span: self.span_from(open) }
            }
            _ => return Err(self.expected(ids::EXPECTED_IDENTIFIER, "the name of a variable")),
        };
        self.variable_rest(base)
    }

    /// Whether the parentheses around the next tokens hold the name of an object, with members and brackets.
    /// In OpenMP, where any lvalue is an item, they may hold an address that is computed: `(p + 1)->x`.
    fn at_named_object(&self) -> bool {
        let (mut parens, mut brackets, mut is_behind_operand) = (0, 0, false);
        for n in 0.. {
            let kind = self.peek(n);
            match kind {
                TokenKind::Eof => return true,
                TokenKind::Punct(Punct::LBracket) => brackets += 1,
                TokenKind::Punct(Punct::RBracket) => brackets -= 1,
                _ if brackets > 0 => {}
                TokenKind::Punct(Punct::LParen) if !is_behind_operand => parens += 1,
                TokenKind::Punct(Punct::RParen) if parens == 0 => return true,
                TokenKind::Punct(Punct::RParen) => parens -= 1,
                TokenKind::Ident if !is_behind_operand => {}
                TokenKind::Punct(Punct::Star) if !is_behind_operand => {}
                TokenKind::Punct(Punct::Dot | Punct::Arrow) if is_behind_operand => {}
                _ => return false,
            }
            is_behind_operand =
                matches!(kind, TokenKind::Ident | TokenKind::Punct(Punct::RParen | Punct::RBracket));
        }
        true
    }

    fn variable_rest(&mut self, base: Expr) -> Parse<Expr> {
        let mut expr = base;
        for _ in 0..MAX_NESTING {
            let first = expr.span.first;
            let kind = match self.tok.kind {
                TokenKind::Punct(Punct::LBracket) => self.section(expr)?,
                TokenKind::Punct(Punct::Dot | Punct::Arrow) => self.member_access(expr)?,
                _ => return Ok(expr),
            };
            expr = Expr { kind, span: self.span_from(first) };
        }
        Err(self.long_chain())
    }

    /// `[index]`, `[lower : length]` or `[lower : length : stride]`.
    fn section(&mut self, base: Expr) -> Parse<ExprKind> {
        let open = self.bump().loc;
        let base = Box::new(base);
        let lower = self.section_bound()?;
        if !self.at(Punct::Colon)
            && let Some(index) = lower
        {
            self.expect_close(Punct::RBracket, open)?;
            return Ok(ExprKind::Index(base, Box::new(index)));
        }
        self.expect(Punct::Colon)?;
        let length = self.section_bound()?;
        let stride = if self.has_strides && self.eat(Punct::Colon) { self.section_bound()? } else { None };
        self.expect_close(Punct::RBracket, open)?;
        Ok(ExprKind::Section(base, Box::new(Bounds { lower, length, stride })))
    }

    fn section_bound(&mut self) -> Parse<Option<Expr>> {
        if self.at(Punct::Colon) || self.at(Punct::RBracket) { Ok(None) } else { self.expression().map(Some) }
    }
}
