//! Clauses: found by their names, parsed by their forms, and the messages about wrong ones.

use super::cursor::{Parse, Reported};
use super::directive::did_you_mean;
use super::{Parser, ids};
use crate::ast::Ident;
use crate::clause_table::{self, ClauseRow, Form, bits, on};
use crate::diag::Diagnostic;
use crate::directive::{BindKind, Clause, ClauseKind, DirectiveKind, OmpKind};
use crate::options::Target;
use crate::source::Span;
use crate::token::{Punct, TokenKind};

impl Parser<'_> {
    // clause-list:
    //     clause
    //     clause-list ,(opt) clause
    /// Parses the rest of a directive of a standard ([`on`]), behind its name: the clauses, and whether these
    /// are all. One with an error is skipped if its end can be found.
    pub fn clauses(&mut self, directive: &DirectiveKind, standard: u64) -> (Vec<Clause>, bool) {
        let (mut clauses, mut are_all) = (Vec::new(), true);
        let mut first = true;
        let is_omp = matches!(directive, DirectiveKind::Omp(_));
        let around = std::mem::replace(&mut self.has_strides, is_omp);
        while !self.at_end() {
            // OpenMP 5.1 has a comma in front of the first one, too.
            let may_be_comma = !first || is_omp;
            if may_be_comma && self.eat(Punct::Comma) && self.at_end() {
                self.expected(ids::EXPECTED_CLAUSE, "a clause");
                break;
            }
            first = false;
            let start = self.pos;
            match self.clause(directive, standard) {
                Ok(clause) => clauses.extend(clause),
                Err(Reported) => {
                    are_all = false;
                    self.skip_clause(start);
                }
            }
            if self.pos == start {
                break;
            }
        }
        self.has_strides = around;
        (clauses, are_all)
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

    /// A clause; none for one that has no effect here.
    fn clause(&mut self, directive: &DirectiveKind, standard: u64) -> Parse<Option<Clause>> {
        let name = self.tok.loc;
        let Some(word) = self.word() else {
            return Err(self.expected(ids::EXPECTED_CLAUSE, "a clause"));
        };
        let Some(row) = clause_table::find(word, standard, bits(directive)) else {
            // Whoever does not know an assumption of another implementation passes over it.
            let assumes = matches!(directive, DirectiveKind::Omp(OmpKind::Assume | OmpKind::Assumes));
            if assumes && word.starts_with("ext_") {
                self.bump();
                if self.at(Punct::LParen) {
                    self.skip_arguments()?;
                }
                return Ok(None);
            }
            return Err(self.unknown_clause(standard));
        };
        if matches!(row.form, Form::NotOnGpu) && self.target == Target::Nvidia {
            let message = format!("the clause `{word}` is not supported in code of a GPU");
            return Err(self.report_here(Diagnostic::error(
                ids::UNSUPPORTED_CLAUSE,
                Span::at(name),
                message,
            )));
        }
        if matches!(row.form, Form::Ignored | Form::IgnoredWord(_) | Form::Affinity | Form::NotOnGpu)
            && !row.is_for_all(standard)
            && !row.is_on(directive)
        {
            let message = format!("`{word}` is not valid on `#pragma {}`", directive.name());
            return Err(self.report_here(Diagnostic::error(
                ids::CLAUSE_NOT_ALLOWED,
                Span::at(name),
                message,
            )));
        }
        self.bump();
        let kind = self.clause_kind(row, standard)?;
        Ok(kind.map(|kind| Clause { row, kind, span: self.span_from(name) }))
    }

    /// What stands behind a clause's name.
    fn clause_kind(&mut self, row: &'static ClauseRow, standard: u64) -> Parse<Option<ClauseKind>> {
        let opens = self.at(Punct::LParen);
        Ok(Some(match row.form {
            Form::Bare(clause) => clause(),
            Form::Condition(clause) => clause(self.parenthesised_condition()?),
            Form::OptionalCondition(clause) if opens => clause(Some(self.parenthesised_condition()?)),
            Form::Argument(clause) => clause(self.parenthesised_argument()?),
            Form::OptionalArgument(clause) if opens => clause(Some(self.parenthesised_argument()?)),
            Form::OptionalCondition(clause) | Form::OptionalArgument(clause) => clause(None),
            Form::Arguments(clause) => clause(self.argument_list()?),
            Form::NamedArgument(argument, clause) => clause(self.named_argument(row.name, argument)?),
            Form::Variables(clause) => clause(self.var_list()?),
            Form::Data(clause) => self.data_clause(clause)?,
            Form::Default(kinds) => ClauseKind::Default(self.parenthesised_word(row.name, kinds)?),
            Form::Skipped(clause) => {
                self.skip_arguments()?;
                clause()
            }
            Form::If => self.if_clause()?,
            Form::Wait if opens => ClauseKind::Wait(Some(self.wait_arguments()?)),
            Form::Wait => ClauseKind::Wait(None),
            Form::DeviceType => ClauseKind::DeviceType(self.device_types()?),
            Form::Reduction => self.reduction_clause(standard)?,
            Form::Gang if opens => ClauseKind::Gang(Some(self.gang_arguments()?)),
            Form::Gang => ClauseKind::Gang(None),
            Form::Collapse => self.collapse_clause()?,
            Form::Tile => ClauseKind::Tile(self.tile_arguments()?),
            Form::Bind => ClauseKind::Bind(self.bind_argument()?),
            Form::Depend => self.depend_clause()?,
            Form::DepobjDepend => self.depobj_depend()?,
            Form::DepobjUpdate => self.depobj_update()?,
            Form::Schedule => self.schedule_clause()?,
            Form::Linear => self.linear_clause()?,
            Form::Aligned => self.aligned_clause()?,
            Form::LastPrivate => self.lastprivate_clause()?,
            Form::At => {
                let words = [("compilation", false), ("execution", true)];
                ClauseKind::At(self.parenthesised_word(row.name, &words)?)
            }
            Form::Severity => ClauseKind::Severity(
                self.parenthesised_word(row.name, &[("fatal", true), ("warning", false)])?,
            ),
            Form::DistSchedule => self.dist_schedule_clause()?,
            Form::Doacross => self.doacross_clause(row.name)?,
            Form::Nowait if opens => match self.parenthesised_argument()? {
                never if self.constant(&never) == Some(0) => return Ok(None),
                always if self.constant(&always).is_some() => ClauseKind::Nowait,
                // Whoever need not wait may.
                _ => return Ok(None),
            },
            Form::Nowait => ClauseKind::Nowait,
            Form::Strict(clause) => {
                let (strict, argument) = self.strict_argument(row.name)?;
                clause(strict, argument)
            }
            Form::Reducing(clause) => match self.reduction_clause(standard)? {
                ClauseKind::Reduction(op, items) => clause(op, items),
                other => other,
            },
            Form::Names => return Err(Reported),
            Form::Order => self.order_clause()?,
            Form::BindTo => {
                let kinds = [
                    ("teams", BindKind::Teams),
                    ("parallel", BindKind::Parallel),
                    ("thread", BindKind::Thread),
                ];
                ClauseKind::BindTo(self.parenthesised_word(row.name, &kinds)?)
            }
            Form::Map => self.map_clause()?,
            Form::NumTeams => self.num_teams_clause()?,
            Form::Allocate => self.allocate_clause()?,
            Form::Motion(to) => self.motion_clause(to)?,
            Form::DefaultMap => self.defaultmap_clause()?,
            Form::Device => ClauseKind::Device(self.device_argument()?),
            Form::Affinity => {
                self.affinity_clause()?;
                return Ok(None);
            }
            Form::IgnoredWord(words) => {
                let words: Vec<(&str, ())> = words.iter().map(|&word| (word, ())).collect();
                self.parenthesised_word(row.name, &words)?;
                return Ok(None);
            }
            Form::Ignored | Form::NotOnGpu => {
                if opens {
                    self.skip_arguments()?;
                }
                return Ok(None);
            }
        }))
    }

    /// Reports that the current word is no clause of a standard.
    fn unknown_clause(&mut self, standard: u64) -> Reported {
        let model = if standard == on::OPENACC { "OpenACC" } else { "OpenMP" };
        // The second word of a combined construct stands where clauses do.
        let combined = (standard == on::OPENACC).then_some("loop");
        let names = clause_table::names(standard).chain(combined);
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
