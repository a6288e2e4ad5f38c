//! The forms of clause arguments, shared between OpenACC and OpenMP where they agree.

use super::cursor::Parse;
use super::{Parser, ids};
use crate::ast::{Expr, Ident};
use crate::clause_table::on;
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, DeviceTypeName, GangArgs, ReductionName, WaitArgs};
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind};
use accrue_ir::{MapKind, MapModifiers, ReductionOp};

/// Sets what a modifier says.
type SetModifier = fn(&mut MapModifiers);

/// The modifiers of data clauses, and the clauses that take each (OpenACC 3.4, 2.7).
const DATA_MODIFIERS: &[(&str, SetModifier, &[MapKind])] = {
    use MapKind::{Copy, CopyIn, CopyOut, Create};
    &[
        ("zero", |modifiers| modifiers.zero = true, &[CopyOut, Create]),
        ("readonly", |modifiers| modifiers.readonly = true, &[CopyIn]),
        (
            "always",
            |modifiers| (modifiers.always_in, modifiers.always_out) = (true, true),
            &[Copy, CopyIn, CopyOut],
        ),
        ("alwaysin", |modifiers| modifiers.always_in = true, &[Copy, CopyIn]),
        ("alwaysout", |modifiers| modifiers.always_out = true, &[Copy, CopyOut]),
        ("capture", |modifiers| modifiers.capture = true, &[Copy, CopyIn, CopyOut, Create]),
    ]
};

const DEVICE_TYPES: &[(&str, DeviceTypeName)] = &[
    ("host", DeviceTypeName::Host),
    ("not_host", DeviceTypeName::NotHost),
    ("default", DeviceTypeName::Default),
    ("nvidia", DeviceTypeName::Nvidia),
    ("radeon", DeviceTypeName::Radeon),
    ("multicore", DeviceTypeName::Multicore),
];

impl Parser<'_> {
    /// `( expression )`.
    pub fn parenthesised_condition(&mut self) -> Parse<Expr> {
        let open = self.expect(Punct::LParen)?;
        let condition = self.expression()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(condition)
    }

    /// `( assignment-expression )`.
    pub fn parenthesised_argument(&mut self) -> Parse<Expr> {
        let open = self.expect(Punct::LParen)?;
        let argument = self.assignment_expression()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(argument)
    }

    /// `( assignment-expression , ... )`.
    pub fn argument_list(&mut self) -> Parse<Vec<Expr>> {
        let open = self.expect(Punct::LParen)?;
        let mut arguments = vec![self.assignment_expression()?];
        while self.eat(Punct::Comma) {
            arguments.push(self.assignment_expression()?);
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(arguments)
    }

    /// `( var , ... )`.
    pub fn var_list(&mut self) -> Parse<Vec<Expr>> {
        let open = self.expect(Punct::LParen)?;
        let list = self.vars()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(list)
    }

    /// `var , ...`.
    pub fn vars(&mut self) -> Parse<Vec<Expr>> {
        let mut list = vec![self.variable()?];
        while self.eat(Punct::Comma) {
            list.push(self.variable()?);
        }
        Ok(list)
    }

    /// `( word )`, one of `kinds`.
    pub fn parenthesised_word<T: Copy>(&mut self, clause: &str, kinds: &[(&str, T)]) -> Parse<T> {
        let open = self.expect(Punct::LParen)?;
        let kind = self.word_of(clause, kinds)?;
        self.expect_close(Punct::RParen, open)?;
        Ok(kind)
    }

    /// A word, one of `kinds`.
    pub fn word_of<T: Copy>(&mut self, clause: &str, kinds: &[(&str, T)]) -> Parse<T> {
        let known: Vec<&str> = kinds.iter().map(|&(text, _)| text).collect();
        let Some(word) = self.word() else {
            let known: Vec<_> = known.iter().map(|word| format!("`{word}`")).collect();
            return Err(self.expected(ids::EXPECTED_TOKEN, &known.join(" or ")));
        };
        if let Some(&(_, kind)) = kinds.iter().find(|(text, _)| *text == word) {
            self.bump();
            return Ok(kind);
        }
        let name = Ident { sym: self.tok.sym, span: Span::at(self.tok.loc) };
        Err(self.unknown_modifier(clause, name, &known))
    }

    /// Whether words separated by commas and ended by a colon come next.
    pub fn at_modifiers(&self) -> bool {
        let mut n = 0;
        loop {
            if !matches!(self.peek(n), TokenKind::Ident | TokenKind::Keyword(_)) {
                return false;
            }
            match self.peek(n + 1) {
                TokenKind::Punct(Punct::Colon) => return true,
                TokenKind::Punct(Punct::Comma) => n += 2,
                _ => return false,
            }
        }
    }

    // data-clause:
    //     name ( var-list )
    //     name ( modifier-list : var-list )
    pub fn data_clause(&mut self, clause: MapKind) -> Parse<ClauseKind> {
        let name = self.prev;
        let open = self.expect(Punct::LParen)?;
        let mut modifiers = MapModifiers::default();
        if self.at_modifiers() {
            let known: Vec<_> = DATA_MODIFIERS.iter().map(|&(word, set, of)| (word, (set, of))).collect();
            loop {
                let clause_name = self.interner.shared(name.sym);
                let (set, clauses) = self.word_of(&clause_name, &known)?;
                if clauses.contains(&clause) {
                    set(&mut modifiers);
                } else {
                    let message =
                        format!("`{}` is no modifier of `{clause_name}`", self.interner.text(self.prev.sym));
                    self.report(Diagnostic::error(ids::UNKNOWN_MODIFIER, Span::at(self.prev.loc), message));
                }
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::Colon)?;
        }
        let list = self.vars()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::Data(clause, modifiers, list))
    }

    // reduction ( operator : var-list )
    // reduction ( modifier , operator : var-list ), of OpenMP
    pub fn reduction_clause(&mut self, standard: u64) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let mut clause: fn(ReductionName, Vec<Expr>) -> ClauseKind = ClauseKind::Reduction;
        if self.word().is_some() && self.peek(1) == TokenKind::Punct(Punct::Comma) {
            let modifiers = [
                ("default", clause),
                ("task", ClauseKind::ReductionOfTasks),
                ("inscan", ClauseKind::InscanReduction),
            ];
            clause = self.word_of("reduction", &modifiers)?;
            self.bump();
        }
        let name = self.reduction_name(standard)?;
        self.expect(Punct::Colon)?;
        let list = self.vars()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(clause(name, list))
    }

    // reduction-identifier:
    //     operator
    //     identifier, of OpenMP
    pub fn reduction_name(&mut self, standard: u64) -> Parse<ReductionName> {
        let at = Span::at(self.tok.loc);
        let text = match self.tok.kind {
            TokenKind::Punct(punct) => punct.spelling(),
            _ => self.word().unwrap_or_default(),
        };
        let named = ReductionOp::ALL.iter().copied().find(|operator| operator.spelling() == text);
        let is_minus = self.at(Punct::Minus);
        let operator = named.or(is_minus.then_some(ReductionOp::Add));
        let is_identifier = standard == on::OPENMP && self.tok.kind == TokenKind::Ident;
        if operator.is_none() && !is_identifier {
            let found = self.describe(self.tok);
            let diagnostic =
                Diagnostic::error(ids::REDUCTION_OPERATOR, at, format!("{found} is no reduction operator"))
                    .note(ReductionName::operators());
            return Err(self.report_here(diagnostic));
        }
        let sym = match self.tok.kind {
            TokenKind::Punct(punct) => self.interner.intern(punct.spelling()),
            _ => self.tok.sym,
        };
        if is_minus && standard == on::OPENACC {
            self.sink.push(minus_is_plus(at));
        }
        self.bump();
        Ok(ReductionName { name: Ident { sym, span: at }, operator })
    }

    // wait ( wait-argument )
    // wait-argument:
    //     devnum : expression :(opt) queues-list
    // queues-list:
    //     queues :(opt) expression-list
    pub fn wait_arguments(&mut self) -> Parse<WaitArgs> {
        let open = self.expect(Punct::LParen)?;
        let mut args = WaitArgs { devnum: None, queues: Vec::new() };
        if self.at_word("devnum") && self.peek(1) == TokenKind::Punct(Punct::Colon) {
            self.bump();
            self.bump();
            args.devnum = Some(self.assignment_expression()?);
            self.expect(Punct::Colon)?;
        }
        if self.at_word("queues") && self.peek(1) == TokenKind::Punct(Punct::Colon) {
            self.bump();
            self.bump();
        }
        args.queues.push(self.assignment_expression()?);
        while self.eat(Punct::Comma) {
            args.queues.push(self.assignment_expression()?);
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(args)
    }

    /// Whether a word and a colon come next.
    fn at_named_argument(&self) -> bool {
        matches!(self.tok.kind, TokenKind::Ident | TokenKind::Keyword(_))
            && self.peek(1) == TokenKind::Punct(Punct::Colon)
    }

    // gang ( gang-arg-list )
    // gang-arg:
    //     num :(opt) expression
    //     dim : expression
    //     static : expression
    //     static : *
    pub fn gang_arguments(&mut self) -> Parse<GangArgs> {
        let open = self.expect(Punct::LParen)?;
        let mut args = GangArgs::default();
        loop {
            let first = self.tok;
            let known = if self.at_named_argument() {
                let name = self.bump_ident();
                self.bump();
                match (first.kind, self.interner.text(name.sym)) {
                    (TokenKind::Keyword(Keyword::Static), _) => {
                        let value = self.star_or_expression()?;
                        args.static_.replace(value).is_some()
                    }
                    (_, "num") => args.num.replace(self.assignment_expression()?).is_some(),
                    (_, "dim") => args.dim.replace(self.assignment_expression()?).is_some(),
                    _ => return Err(self.unknown_modifier("gang", name, &["num", "dim", "static"])),
                }
            } else {
                args.num.replace(self.assignment_expression()?).is_some()
            };
            if known {
                let span = self.span_from(first.loc);
                let message = "this argument of `gang` is given twice";
                return Err(self.report(Diagnostic::error(ids::DUPLICATE_ARGUMENT, span, message)));
            }
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(args)
    }

    /// `*` alone is none.
    fn star_or_expression(&mut self) -> Parse<Option<Expr>> {
        if self.at(Punct::Star)
            && matches!(self.peek(1), TokenKind::Punct(Punct::Comma | Punct::RParen) | TokenKind::PragmaEnd)
        {
            self.bump();
            return Ok(None);
        }
        Ok(Some(self.assignment_expression()?))
    }

    // worker ( num :(opt) expression )
    // vector ( length :(opt) expression )
    pub fn named_argument(&mut self, clause: &str, argument: &str) -> Parse<Option<Expr>> {
        if !self.at(Punct::LParen) {
            return Ok(None);
        }
        let open = self.bump().loc;
        if self.at_named_argument() {
            let name = self.bump_ident();
            if self.interner.text(name.sym) != argument {
                return Err(self.unknown_modifier(clause, name, &[argument]));
            }
            self.bump();
        }
        let value = self.assignment_expression()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(Some(value))
    }

    // collapse ( force :(opt) constant-expression )
    pub fn collapse_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let mut force = false;
        if self.at_named_argument() {
            let name = self.bump_ident();
            if self.interner.text(name.sym) != "force" {
                return Err(self.unknown_modifier("collapse", name, &["force"]));
            }
            self.bump();
            force = true;
        }
        let count = self.assignment_expression()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::Collapse { count, force })
    }

    // tile ( size-expression-list )
    // size-expression:
    //     *
    //     expression
    pub fn tile_arguments(&mut self) -> Parse<Vec<Option<Expr>>> {
        let open = self.expect(Punct::LParen)?;
        let mut sizes = vec![self.star_or_expression()?];
        while self.eat(Punct::Comma) {
            sizes.push(self.star_or_expression()?);
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(sizes)
    }

    // bind ( identifier )
    // bind ( string-literal )
    pub fn bind_argument(&mut self) -> Parse<Ident> {
        let open = self.expect(Punct::LParen)?;
        let first = self.tok.loc;
        let name = if self.tok.kind == TokenKind::String {
            Ident { sym: self.unquoted_string("a name")?, span: self.span_from(first) }
        } else {
            self.identifier("the name of a function, or a string")?
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(name)
    }

    // device_type ( device-type-list )
    // device_type ( * )
    pub fn device_types(&mut self) -> Parse<Vec<(DeviceTypeName, Ident)>> {
        let open = self.expect(Punct::LParen)?;
        let mut types: Vec<(DeviceTypeName, Ident)> = Vec::new();
        loop {
            types.push(self.device_type()?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        if types.len() > 1
            && let Some((_, star)) = types.iter().find(|(name, _)| *name == DeviceTypeName::Any)
        {
            let message = "`*` stands alone in `device_type`: it means every type that no other clause names";
            self.report_here(Diagnostic::error(ids::CLAUSE_ARGUMENT, star.span, message));
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(types)
    }

    /// Names are compared without regard to case, as other compilers do.
    fn device_type(&mut self) -> Parse<(DeviceTypeName, Ident)> {
        let Token { kind, loc, .. } = self.tok;
        if kind == TokenKind::Punct(Punct::Star) {
            self.bump();
            let sym = self.interner.intern("*");
            return Ok((DeviceTypeName::Any, Ident { sym, span: Span::at(loc) }));
        }
        let Some(word) = self.word() else {
            return Err(self.expected(ids::EXPECTED_IDENTIFIER, "a device type"));
        };
        let known = DEVICE_TYPES.iter().find(|(text, _)| text.eq_ignore_ascii_case(word));
        let name = known.map_or(DeviceTypeName::Other, |&(_, name)| name);
        Ok((name, self.bump_ident()))
    }
}

/// OpenMP had the operator for sums of what is subtracted.
fn minus_is_plus(at: Span) -> Diagnostic {
    let message = "`-` is not a reduction operator of OpenACC: partial results are added, as with `+`";
    Diagnostic::warning(ids::REDUCTION_MINUS, at, message).note("write `reduction(+:...)`")
}
