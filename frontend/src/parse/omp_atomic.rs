//! The clauses of OpenMP's `atomic` (OpenMP 5.2, 15.8.4). Every access is sequentially consistent, so that
//! memory orders and hints are read, checked, and have no effect.

use super::cursor::Parse;
use super::{Parser, ids};
use crate::clause_table::on;
use crate::diag::Diagnostic;
use crate::directive::{AtomicKind, Clause, DirectiveKind};
use crate::source::Span;
use crate::token::Punct;

/// Memory orders.
const ORDERS: [&str; 5] = ["seq_cst", "acq_rel", "acquire", "release", "relaxed"];

/// What the clauses say.
#[derive(Default)]
struct AtomicClauses {
    /// `read`, `write`, `update` or `capture`; `capture` where `update` stands there, too.
    access: Option<AtomicKind>,
    compare: bool,
    /// `weak` or `fail`, which stand with `compare` only.
    of_compare: Option<(&'static str, Span)>,
    order: Option<(&'static str, Span)>,
}

impl Parser<'_> {
    // atomic-clause-list:
    //     atomic-clause
    //     atomic-clause-list ,(opt) atomic-clause
    // atomic-clause: one of
    //     read write update capture compare weak seq_cst acq_rel acquire release relaxed
    //     fail ( memory-order )
    //     hint ( expression )
    /// The kind of an `atomic`, whose clauses may stand in any order, and clauses of other directives.
    pub fn omp_atomic_clauses(&mut self) -> Parse<(AtomicKind, Vec<Clause>)> {
        let mut clauses = AtomicClauses::default();
        let mut others = Vec::new();
        while !self.at_end() {
            self.eat(Punct::Comma);
            let word = self.word().unwrap_or_default();
            let at = Span::at(self.tok.loc);
            let access = match word {
                "read" => Some(AtomicKind::Read),
                "write" => Some(AtomicKind::Write),
                "update" => Some(AtomicKind::Update),
                "capture" => Some(AtomicKind::Capture),
                _ => None,
            };
            if let Some(kind) = access {
                self.bump();
                self.add_access(&mut clauses, kind, at);
            } else if word == "compare" {
                self.bump();
                clauses.compare = true;
            } else if word == "weak" {
                self.bump();
                clauses.of_compare = Some(("weak", at));
            } else if word == "fail" {
                self.bump();
                clauses.of_compare = Some(("fail", at));
                self.fail_argument()?;
            } else if let Some(order) = ORDERS.into_iter().find(|order| *order == word) {
                self.bump();
                if let Some((other, _)) = clauses.order.replace((order, at)) {
                    self.atomic_error(at, format!("`atomic` has two memory orders, `{other}` and `{order}`"));
                }
            } else {
                others.extend(self.clauses(&DirectiveKind::Atomic(AtomicKind::Update), on::OPENMP).0);
            }
        }
        Ok((self.checked_atomic(&clauses), others))
    }

    fn add_access(&mut self, clauses: &mut AtomicClauses, kind: AtomicKind, at: Span) {
        clauses.access = Some(match (clauses.access, kind) {
            (None, kind) => kind,
            (Some(AtomicKind::Update), AtomicKind::Capture)
            | (Some(AtomicKind::Capture), AtomicKind::Update) => AtomicKind::Capture,
            (Some(former), _) => {
                let message = "`atomic` takes one of `read`, `write`, `update` and `capture`";
                self.atomic_error(at, message.into());
                former
            }
        });
    }

    // fail ( memory-order )
    fn fail_argument(&mut self) -> Parse<()> {
        let open = self.expect(Punct::LParen)?;
        self.word_of("fail", &["seq_cst", "acquire", "relaxed"].map(|word| (word, ())))?;
        self.expect_close(Punct::RParen, open)?;
        Ok(())
    }

    /// The kind, after a look at what does not fit together.
    fn checked_atomic(&mut self, clauses: &AtomicClauses) -> AtomicKind {
        let access = clauses.access.unwrap_or(AtomicKind::Update);
        let end = Span::at(self.prev.loc);
        match (access, clauses.compare) {
            (AtomicKind::Read | AtomicKind::Write, true) => {
                self.atomic_error(end, "`compare` stands with `update` and `capture` only".into());
            }
            (_, true) => {}
            (_, false) => {
                if let Some((name, at)) = clauses.of_compare {
                    self.atomic_error(at, format!("`{name}` stands with `compare` only"));
                }
            }
        }
        match (access, clauses.order) {
            (AtomicKind::Read, Some((order @ "release", at))) => {
                self.atomic_error(at, format!("`atomic read` cannot be `{order}`: it writes nothing"));
            }
            (AtomicKind::Write, Some((order @ "acquire", at))) => {
                self.atomic_error(at, format!("`atomic write` cannot be `{order}`: it reads nothing"));
            }
            _ => {}
        }
        match access {
            AtomicKind::Capture if clauses.compare => AtomicKind::CompareCapture,
            AtomicKind::Update if clauses.compare => AtomicKind::Compare,
            access => access,
        }
    }

    fn atomic_error(&mut self, at: Span, message: String) {
        self.report_here(Diagnostic::error(ids::ATOMIC_CLAUSES, at, message));
    }
}
