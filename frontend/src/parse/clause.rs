//! Clauses of OpenACC: their names, and what is done about wrong ones.

use super::cursor::{Parse, Reported};
use super::directive::did_you_mean;
use super::{Parser, ids};
use crate::ast::Ident;
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, DefaultKind, DirectiveKind};
use crate::source::Span;
use crate::token::{Punct, TokenKind};
use accrue_ir::MapKind;

/// What a clause's name says about its arguments.
#[derive(Clone, Copy)]
enum Name {
    If,
    SelfClause,
    Async,
    Wait,
    NumGangs,
    NumWorkers,
    VectorLength,
    DeviceType,
    DeviceNum,
    DefaultAsync,
    Default,
    Data(MapKind),
    Private,
    FirstPrivate,
    Reduction,
    Gang,
    Worker,
    Vector,
    Seq,
    Auto,
    Independent,
    Collapse,
    Tile,
    Finalize,
    IfPresent,
    Bind,
    Nohost,
}

/// All clauses of OpenACC 3.3, and their names in OpenACC 1.0 and 2.0.
const NAMES: &[(&str, Name)] = &[
    ("if", Name::If),
    ("self", Name::SelfClause),
    ("async", Name::Async),
    ("wait", Name::Wait),
    ("num_gangs", Name::NumGangs),
    ("num_workers", Name::NumWorkers),
    ("vector_length", Name::VectorLength),
    ("device_type", Name::DeviceType),
    ("dtype", Name::DeviceType),
    ("device_num", Name::DeviceNum),
    ("default_async", Name::DefaultAsync),
    ("default", Name::Default),
    ("copy", Name::Data(MapKind::Copy)),
    ("copyin", Name::Data(MapKind::CopyIn)),
    ("copyout", Name::Data(MapKind::CopyOut)),
    ("create", Name::Data(MapKind::Create)),
    ("no_create", Name::Data(MapKind::NoCreate)),
    ("present", Name::Data(MapKind::Present)),
    ("deviceptr", Name::Data(MapKind::DevicePtr)),
    ("attach", Name::Data(MapKind::Attach)),
    ("detach", Name::Data(MapKind::Detach)),
    ("delete", Name::Data(MapKind::Delete)),
    ("use_device", Name::Data(MapKind::UseDevice)),
    ("host", Name::Data(MapKind::UpdateSelf)),
    ("device", Name::Data(MapKind::UpdateDevice)),
    ("device_resident", Name::Data(MapKind::DeviceResident)),
    ("link", Name::Data(MapKind::Link)),
    ("pcopy", Name::Data(MapKind::Copy)),
    ("present_or_copy", Name::Data(MapKind::Copy)),
    ("pcopyin", Name::Data(MapKind::CopyIn)),
    ("present_or_copyin", Name::Data(MapKind::CopyIn)),
    ("pcopyout", Name::Data(MapKind::CopyOut)),
    ("present_or_copyout", Name::Data(MapKind::CopyOut)),
    ("pcreate", Name::Data(MapKind::Create)),
    ("present_or_create", Name::Data(MapKind::Create)),
    ("private", Name::Private),
    ("firstprivate", Name::FirstPrivate),
    ("reduction", Name::Reduction),
    ("gang", Name::Gang),
    ("worker", Name::Worker),
    ("vector", Name::Vector),
    ("seq", Name::Seq),
    ("auto", Name::Auto),
    ("independent", Name::Independent),
    ("collapse", Name::Collapse),
    ("tile", Name::Tile),
    ("finalize", Name::Finalize),
    ("if_present", Name::IfPresent),
    ("bind", Name::Bind),
    ("nohost", Name::Nohost),
];

impl Parser<'_> {
    // clause-list:
    //     clause
    //     clause-list ,(opt) clause
    /// Parses what is left of a directive.
    pub fn acc_clauses(&mut self, directive: &DirectiveKind) -> Vec<Clause> {
        self.clause_list(|p| p.acc_clause(directive).map(Some))
    }

    /// Clauses parsed by `clause`, which returns none for one that means nothing here. A clause with an error is
    /// skipped if its end can be found.
    pub fn clause_list(&mut self, clause: impl Fn(&mut Self) -> Parse<Option<ClauseKind>>) -> Vec<Clause> {
        let mut clauses = Vec::new();
        let mut first = true;
        while !self.at_end() {
            if !first && self.eat(Punct::Comma) && self.at_end() {
                self.expected(ids::EXPECTED_CLAUSE, "a clause");
                break;
            }
            first = false;
            let start = self.pos;
            let name = self.tok.loc;
            match clause(self) {
                Ok(Some(kind)) => clauses.push(Clause { kind, span: self.span_from(name) }),
                Ok(None) => {}
                Err(Reported) => self.skip_clause(start),
            }
            if self.pos == start {
                break;
            }
        }
        clauses
    }

    /// After an error in the clause that begins at `start`: goes behind it, or to the end of the directive.
    fn skip_clause(&mut self, start: usize) {
        let kind = |at: usize| self.tokens.get(at).map_or(TokenKind::Eof, |token| token.kind);
        let mut end = start;
        if matches!(kind(start), TokenKind::Ident | TokenKind::Keyword(_)) {
            end += 1;
            let mut open = 0usize;
            loop {
                match kind(end) {
                    TokenKind::Punct(Punct::LParen) => open += 1,
                    TokenKind::Punct(Punct::RParen) if open > 0 => open -= 1,
                    TokenKind::Eof | TokenKind::PragmaEnd => break,
                    _ => {}
                }
                if open == 0 {
                    end += usize::from(kind(end) == TokenKind::Punct(Punct::RParen) && end > start + 1);
                    break;
                }
                end += 1;
            }
        }
        if end > start && end >= self.pos {
            self.jump(end);
        } else {
            while !self.at_end() {
                self.bump();
            }
        }
    }

    fn acc_clause(&mut self, directive: &DirectiveKind) -> Parse<ClauseKind> {
        let Some(word) = self.word() else {
            return Err(self.expected(ids::EXPECTED_CLAUSE, "a clause"));
        };
        let Some(&(_, name)) = NAMES.iter().find(|(text, _)| *text == word) else {
            // The second word of a combined construct stands where clauses do.
            let names = NAMES.iter().map(|&(text, _)| text).chain(std::iter::once("loop"));
            return Err(self.unknown_clause("OpenACC", names));
        };
        self.bump();
        Ok(match name {
            Name::If => ClauseKind::If(self.parenthesised_condition()?),
            Name::SelfClause if matches!(directive, DirectiveKind::Update) => {
                self.data_clause(MapKind::UpdateSelf)?
            }
            Name::SelfClause => {
                let condition =
                    if self.at(Punct::LParen) { Some(self.parenthesised_condition()?) } else { None };
                ClauseKind::SelfCondition(condition)
            }
            Name::Async => {
                let queue = if self.at(Punct::LParen) { Some(self.parenthesised_argument()?) } else { None };
                ClauseKind::Async(queue)
            }
            Name::Wait => {
                let args = if self.at(Punct::LParen) { Some(self.wait_arguments()?) } else { None };
                ClauseKind::Wait(args)
            }
            Name::NumGangs => ClauseKind::NumGangs(self.argument_list()?),
            Name::NumWorkers => ClauseKind::NumWorkers(self.parenthesised_argument()?),
            Name::VectorLength => ClauseKind::VectorLength(self.parenthesised_argument()?),
            Name::DeviceType => ClauseKind::DeviceType(self.device_types()?),
            Name::DeviceNum => ClauseKind::DeviceNum(self.parenthesised_argument()?),
            Name::DefaultAsync => ClauseKind::DefaultAsync(self.parenthesised_argument()?),
            Name::Default => {
                let kinds = [("none", DefaultKind::None), ("present", DefaultKind::Present)];
                ClauseKind::Default(self.parenthesised_word("default", &kinds)?)
            }
            Name::Data(clause) => self.data_clause(clause)?,
            Name::Private => ClauseKind::Private(self.var_list()?),
            Name::FirstPrivate => ClauseKind::FirstPrivate(self.var_list()?),
            Name::Reduction => self.reduction_clause()?,
            Name::Gang => {
                let args = if self.at(Punct::LParen) { Some(self.gang_arguments()?) } else { None };
                ClauseKind::Gang(args)
            }
            Name::Worker => ClauseKind::Worker(self.level_argument("worker", "num")?),
            Name::Vector => ClauseKind::Vector(self.level_argument("vector", "length")?),
            Name::Seq => ClauseKind::Seq,
            Name::Auto => ClauseKind::Auto,
            Name::Independent => ClauseKind::Independent,
            Name::Collapse => self.collapse_clause()?,
            Name::Tile => ClauseKind::Tile(self.tile_arguments()?),
            Name::Finalize => ClauseKind::Finalize,
            Name::IfPresent => ClauseKind::IfPresent,
            Name::Bind => ClauseKind::Bind(self.bind_argument()?),
            Name::Nohost => ClauseKind::Nohost,
        })
    }

    /// Reports that the current word is no clause of `model`.
    pub fn unknown_clause<'a>(&mut self, model: &str, names: impl Iterator<Item = &'a str>) -> Reported {
        let word = self.word().unwrap_or_default();
        let at = Span::at(self.tok.loc);
        let mut diagnostic =
            Diagnostic::error(ids::UNKNOWN_CLAUSE, at, format!("`{word}` is no clause of {model}"));
        if let Some(note) = did_you_mean(word, names) {
            diagnostic = diagnostic.note(note);
        }
        self.report_here(diagnostic)
    }

    /// Reports that `name` is no modifier or argument of `clause`, which has `known`.
    pub fn unknown_modifier(&mut self, clause: &str, name: Ident, known: &[&str]) -> Reported {
        let word = self.interner.text(name.sym);
        let mut diagnostic = Diagnostic::error(
            ids::UNKNOWN_MODIFIER,
            name.span,
            format!("`{word}` has no meaning in `{clause}`"),
        );
        if let Some(note) = did_you_mean(word, known.iter().copied()) {
            diagnostic = diagnostic.note(note);
        } else if !known.is_empty() {
            let known: Vec<_> = known.iter().map(|word| format!("`{word}`")).collect();
            diagnostic = diagnostic.note(format!("it takes {}", known.join(", ")));
        }
        self.report_here(diagnostic)
    }
}
