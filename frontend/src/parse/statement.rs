//! Statements and blocks (C11 6.8).

use super::cursor::{Parse, Reported};
use super::declaration::{DeclarationContext, DeclarationOrFunction};
use super::{Parser, ids};
use crate::ast::{Attribute, BlockItem, Expr, ExprKind, ForInit, Ident, Stmt, StmtKind};
use crate::diag::Diagnostic;
use crate::source::{Loc, Span};
use crate::token::{Keyword, Punct, TokenKind};

/// Where a statement stands. Directives that are no statements of C may only stand in a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StatementContext {
    /// Among the items of a block.
    Block,
    /// As the body of another statement, or behind a label.
    Body,
}

/// A label in front of a statement.
enum Label {
    Named(Ident, Vec<Attribute>),
    Case(Expr, Option<Expr>),
    Default,
}

impl Parser<'_> {
    // compound-statement:
    //     { block-item-list(opt) }
    /// Opens no scope: the parameters of a function and its outermost block share one.
    pub fn function_body(&mut self) -> Parse<Stmt> {
        let open = self.expect(Punct::LBrace)?;
        let items = self.block_items(open)?;
        Ok(Stmt { kind: StmtKind::Compound(items), span: self.span_from(open) })
    }

    fn compound_statement(&mut self) -> Parse<StmtKind> {
        let open = self.bump().loc;
        self.scoped(|p| p.block_items(open)).map(StmtKind::Compound)
    }

    /// `{ ... }` of a statement expression.
    pub fn statement_expression(&mut self) -> Parse<Vec<BlockItem>> {
        let open = self.bump().loc;
        // A syntax error inside is dealt with inside, at statements that belong there.
        self.nested(|p| p.scoped(|p| p.block_items(open)))
    }

    /// Runs `parse` in a scope of its own.
    fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let depth = self.scopes.depth();
        self.scopes.push();
        let result = parse(self);
        self.scopes.pop_to(depth);
        result
    }

    // block-item-list:
    //     block-item
    //     block-item-list block-item
    fn block_items(&mut self, open: Loc) -> Parse<Vec<BlockItem>> {
        let outer_routine = self.pending_routine.take();
        let mut items = Vec::new();
        while !self.at(Punct::RBrace) && !self.at_end() {
            let start = self.pos;
            match self.block_item() {
                Ok(Some(item)) => {
                    self.check_routine_block_item(&item);
                    items.push(item);
                }
                Ok(None) => {}
                Err(Reported) => {
                    self.pending_routine = None;
                    self.sync_statement();
                }
            }
            if self.pos == start {
                self.bump();
            }
        }
        self.no_pending_routine();
        self.pending_routine = outer_routine;
        self.expect_close(Punct::RBrace, open)?;
        Ok(items)
    }

    // block-item:
    //     declaration
    //     statement
    fn block_item(&mut self) -> Parse<Option<BlockItem>> {
        match self.tok.kind {
            TokenKind::Keyword(Keyword::StaticAssert) => {
                return Ok(Some(BlockItem::StaticAssert(self.static_assert_declaration()?)));
            }
            TokenKind::Keyword(Keyword::Label) => {
                return Ok(Some(BlockItem::Stmt(self.local_labels()?)));
            }
            TokenKind::PragmaOther => return Ok(self.pragma().map(BlockItem::Pragma)),
            TokenKind::Ident if self.peek(1) == TokenKind::Punct(Punct::Colon) => {}
            TokenKind::Keyword(Keyword::Attribute) | TokenKind::Punct(Punct::LBracket)
                if self.at_attributes() =>
            {
                return self.attributed_item().map(Some);
            }
            _ if self.starts_declaration() => return self.block_declaration(Vec::new()).map(Some),
            _ => {}
        }
        Ok(Some(BlockItem::Stmt(self.statement(StatementContext::Block)?)))
    }

    fn block_declaration(&mut self, attributes: Vec<Attribute>) -> Parse<BlockItem> {
        Ok(match self.declaration_or_function(attributes, DeclarationContext::Block)? {
            DeclarationOrFunction::Declaration(declaration) => BlockItem::Declaration(declaration),
            DeclarationOrFunction::Function(function) => BlockItem::Function(function),
        })
    }

    /// What begins with attributes: a declaration, an attribute declaration, or a statement.
    fn attributed_item(&mut self) -> Parse<BlockItem> {
        let first = self.tok.loc;
        let attributes = self.attributes()?;
        if self.eat(Punct::Semi) {
            let span = self.span_from(first);
            return Ok(BlockItem::Stmt(Stmt { kind: StmtKind::Attributes(attributes), span }));
        }
        if self.starts_declaration() {
            return self.block_declaration(attributes);
        }
        // Attributes of other statements (`musttail`, ...) say nothing that must be known.
        Ok(BlockItem::Stmt(self.statement(StatementContext::Block)?))
    }

    // label-declaration:                                                               (GNU)
    //     __label__ identifier-list ;
    fn local_labels(&mut self) -> Parse<Stmt> {
        let first = self.bump().loc;
        let mut labels = Vec::new();
        loop {
            labels.push(self.identifier("the name of a label")?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_semi("label declaration")?;
        Ok(Stmt { kind: StmtKind::LocalLabels(labels), span: self.span_from(first) })
    }

    // statement:
    //     labeled-statement | compound-statement | expression-statement
    //     selection-statement | iteration-statement | jump-statement
    //     asm-statement | directive                                                    (extensions)
    pub fn statement(&mut self, context: StatementContext) -> Parse<Stmt> {
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
        }
        let statement = if labels.is_empty() {
            self.nested(|p| p.unlabelled_statement(context))?
        } else if context == StatementContext::Block && self.label_stands_alone() {
            Stmt { kind: StmtKind::Empty, span: Span::at(self.prev.loc) }
        } else {
            self.nested(|p| p.unlabelled_statement(StatementContext::Body))?
        };
        Ok(labels.into_iter().rev().fold(statement, |inner, (first, label)| {
            let span = Span { first, last: inner.span.last };
            let inner = Box::new(inner);
            let kind = match label {
                Label::Named(name, attributes) => StmtKind::Label(name, attributes, inner),
                Label::Case(low, high) => StmtKind::Case(low, high, inner),
                Label::Default => StmtKind::Default(inner),
            };
            Stmt { kind, span }
        }))
    }

    /// A label may stand before a declaration or at the end of a block (C23, and GNU C in every mode).
    fn label_stands_alone(&self) -> bool {
        self.at(Punct::RBrace)
            || self.at_keyword(Keyword::StaticAssert)
            || self.tok.kind == TokenKind::PragmaOther
            || self.starts_declaration_at(self.attributes_len(0))
    }

    // labeled-statement:
    //     identifier : statement
    //     case constant-expression : statement
    //     case constant-expression ... constant-expression : statement                  (GNU)
    //     default : statement
    fn label(&mut self) -> Parse<Option<(Loc, Label)>> {
        let first = self.tok.loc;
        let label = match self.tok.kind {
            TokenKind::Ident if self.peek(1) == TokenKind::Punct(Punct::Colon) => {
                let name = self.bump_ident();
                self.bump();
                let attributes =
                    if self.at_keyword(Keyword::Attribute) { self.attributes()? } else { Vec::new() };
                Label::Named(name, attributes)
            }
            TokenKind::Keyword(Keyword::Case) => {
                self.bump();
                let low = self.constant_expression()?;
                let high = if self.eat(Punct::Ellipsis) { Some(self.constant_expression()?) } else { None };
                self.expect(Punct::Colon)?;
                Label::Case(low, high)
            }
            TokenKind::Keyword(Keyword::Default) => {
                self.bump();
                self.expect(Punct::Colon)?;
                Label::Default
            }
            _ => return Ok(None),
        };
        Ok(Some((first, label)))
    }

    fn unlabelled_statement(&mut self, context: StatementContext) -> Parse<Stmt> {
        let first = self.tok.loc;
        let kind = match self.tok.kind {
            TokenKind::Punct(Punct::LBrace) => self.compound_statement()?,
            TokenKind::Punct(Punct::Semi) => {
                self.bump();
                StmtKind::Empty
            }
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::If => self.scoped(|p| p.if_statement())?,
                Keyword::Switch => self.scoped(|p| p.switch_statement())?,
                Keyword::While => self.scoped(|p| p.while_statement())?,
                Keyword::Do => self.scoped(|p| p.do_statement())?,
                Keyword::For => self.scoped(|p| p.for_statement())?,
                Keyword::Goto | Keyword::Continue | Keyword::Break | Keyword::Return => {
                    self.jump_statement(keyword)?
                }
                Keyword::Asm => self.asm_statement()?,
                Keyword::Else => return self.stray_else(context),
                Keyword::Attribute => return self.attributed_statement(context),
                _ if self.starts_declaration() => return self.declaration_as_statement(),
                _ => self.expression_statement()?,
            },
            TokenKind::PragmaAcc | TokenKind::PragmaOmp => return self.directive_statement(context),
            TokenKind::PragmaOther => {
                self.misplaced_pragma();
                return self.nested(|p| p.unlabelled_statement(context));
            }
            TokenKind::Ident if self.scopes.is_typedef(self.tok.sym) => {
                return self.declaration_as_statement();
            }
            TokenKind::Punct(Punct::LBracket) if self.at_std_attributes() => {
                return self.attributed_statement(context);
            }
            TokenKind::Punct(Punct::RBrace) | TokenKind::Eof | TokenKind::PragmaEnd => {
                return Err(self.expected(ids::EXPECTED_STATEMENT, "a statement"));
            }
            _ => self.expression_statement()?,
        };
        Ok(Stmt { kind, span: self.span_from(first) })
    }

    /// Attributes where a declaration may not stand.
    fn attributed_statement(&mut self, context: StatementContext) -> Parse<Stmt> {
        let first = self.tok.loc;
        let attributes = self.attributes()?;
        if self.eat(Punct::Semi) {
            return Ok(Stmt { kind: StmtKind::Attributes(attributes), span: self.span_from(first) });
        }
        self.nested(|p| p.unlabelled_statement(context))
    }

    /// An `else` of no `if`: reported; the statement behind it stands for itself.
    fn stray_else(&mut self, context: StatementContext) -> Parse<Stmt> {
        let at = Span::at(self.tok.loc);
        self.report_here(Diagnostic::error(ids::ELSE_WITHOUT_IF, at, "this `else` follows no `if`"));
        self.bump();
        self.nested(|p| p.unlabelled_statement(context))
    }

    /// A declaration that is the body of another statement: reported, and parsed for what it declares.
    fn declaration_as_statement(&mut self) -> Parse<Stmt> {
        let first = self.tok.loc;
        let message = "a declaration cannot stand here without braces around it";
        self.report_here(Diagnostic::error(ids::EXPECTED_STATEMENT, Span::at(first), message));
        self.block_declaration(Vec::new())?;
        Ok(Stmt { kind: StmtKind::Empty, span: self.span_from(first) })
    }

    // expression-statement:
    //     expression(opt) ;
    fn expression_statement(&mut self) -> Parse<StmtKind> {
        let expr = self.expression()?;
        self.expect_semi("statement")?;
        Ok(StmtKind::Expr(expr))
    }

    /// The body of another statement. An error in it ends there.
    pub fn body_statement(&mut self) -> Box<Stmt> {
        let first = self.tok.loc;
        match self.statement(StatementContext::Body) {
            Ok(statement) => Box::new(statement),
            Err(Reported) => {
                self.sync_statement();
                Box::new(Stmt { kind: StmtKind::Empty, span: Span::at(first) })
            }
        }
    }

    /// `( expression )` of a selection or iteration statement. An error in it ends at its closing
    /// parenthesis.
    fn condition(&mut self) -> Parse<Expr> {
        let open = self.expect(Punct::LParen)?;
        let result = self.expression().and_then(|condition| {
            self.expect_close(Punct::RParen, open)?;
            Ok(condition)
        });
        match result {
            Ok(condition) => Ok(condition),
            Err(Reported) => {
                self.skip_to_close_paren(false);
                Ok(Expr { kind: ExprKind::Error, span: self.span_from(open) })
            }
        }
    }

    // selection-statement:
    //     if ( expression ) statement
    //     if ( expression ) statement else statement
    /// A chain of `else if` is parsed in a loop.
    fn if_statement(&mut self) -> Parse<StmtKind> {
        let mut outer = Vec::new();
        let (mut first, mut condition, mut then);
        let mut otherwise = None;
        loop {
            first = self.bump().loc;
            condition = self.condition()?;
            then = self.body_statement();
            if !self.eat_keyword(Keyword::Else) {
                break;
            }
            if !self.at_keyword(Keyword::If) {
                otherwise = Some(self.body_statement());
                break;
            }
            outer.push((first, condition, then));
        }
        let last = self.prev.loc;
        let innermost = StmtKind::If { condition, then, otherwise };
        let mut inner_first = first;
        Ok(outer.into_iter().rev().fold(innermost, |inner, (first, condition, then)| {
            let span = Span { first: inner_first, last };
            inner_first = first;
            StmtKind::If { condition, then, otherwise: Some(Box::new(Stmt { kind: inner, span })) }
        }))
    }

    // selection-statement:
    //     switch ( expression ) statement
    fn switch_statement(&mut self) -> Parse<StmtKind> {
        self.bump();
        let value = self.condition()?;
        Ok(StmtKind::Switch(value, self.body_statement()))
    }

    // iteration-statement:
    //     while ( expression ) statement
    fn while_statement(&mut self) -> Parse<StmtKind> {
        self.bump();
        let condition = self.condition()?;
        Ok(StmtKind::While(condition, self.body_statement()))
    }

    // iteration-statement:
    //     do statement while ( expression ) ;
    fn do_statement(&mut self) -> Parse<StmtKind> {
        let first = self.bump().loc;
        let body = self.body_statement();
        if !self.eat_keyword(Keyword::While) {
            let diagnostic = self
                .expected_diagnostic(ids::EXPECTED_TOKEN, "`while`")
                .related(Span::at(first), "to match this `do`");
            return Err(self.report_here(diagnostic));
        }
        let condition = self.condition()?;
        self.expect_semi("`do` statement")?;
        Ok(StmtKind::DoWhile(body, condition))
    }

    // iteration-statement:
    //     for ( expression(opt) ; expression(opt) ; expression(opt) ) statement
    //     for ( declaration expression(opt) ; expression(opt) ) statement
    fn for_statement(&mut self) -> Parse<StmtKind> {
        self.bump();
        let open = self.expect(Punct::LParen)?;
        let (init, condition, step) = match self.for_head(open) {
            Ok(head) => head,
            Err(Reported) => {
                self.skip_to_close_paren(true);
                (ForInit::None, None, None)
            }
        };
        Ok(StmtKind::For { init, condition, step, body: self.body_statement() })
    }

    fn for_head(&mut self, open: Loc) -> Parse<(ForInit, Option<Expr>, Option<Expr>)> {
        let init = if self.eat(Punct::Semi) {
            ForInit::None
        } else if self.at_attributes() || self.starts_declaration() {
            let attributes = self.attributes()?;
            match self.declaration_or_function(attributes, DeclarationContext::NoFunction)? {
                DeclarationOrFunction::Declaration(declaration) => ForInit::Declaration(declaration),
                DeclarationOrFunction::Function(_) => ForInit::None,
            }
        } else {
            let init = self.expression()?;
            self.expect(Punct::Semi)?;
            ForInit::Expr(init)
        };
        let condition = if self.at(Punct::Semi) { None } else { Some(self.expression()?) };
        self.expect(Punct::Semi)?;
        let step = if self.at(Punct::RParen) { None } else { Some(self.expression()?) };
        self.expect_close(Punct::RParen, open)?;
        Ok((init, condition, step))
    }

    // jump-statement:
    //     goto identifier ;
    //     goto * expression ;                                                          (GNU)
    //     continue ;
    //     break ;
    //     return expression(opt) ;
    fn jump_statement(&mut self, keyword: Keyword) -> Parse<StmtKind> {
        self.bump();
        let (kind, what) = match keyword {
            Keyword::Goto if self.eat(Punct::Star) => {
                (StmtKind::GotoComputed(self.expression()?), "`goto` statement")
            }
            Keyword::Goto => (StmtKind::Goto(self.identifier("the name of a label")?), "`goto` statement"),
            Keyword::Continue => (StmtKind::Continue, "`continue` statement"),
            Keyword::Break => (StmtKind::Break, "`break` statement"),
            _ if self.at(Punct::Semi) => (StmtKind::Return(None), "`return` statement"),
            _ => (StmtKind::Return(Some(self.expression()?)), "`return` statement"),
        };
        self.expect_semi(what)?;
        Ok(kind)
    }
}
