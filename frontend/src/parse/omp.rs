//! OpenMP: the directives and clauses of tasks and of `target`.

use super::cursor::{Parse, Reported};
use super::directive::did_you_mean;
use super::{Parser, ids};
use crate::ast::{BinaryOp, Bounds, Expr, ExprKind};
use crate::clause_table::{self, bits, on};
use crate::diag::Diagnostic;
use crate::directive::{
    CancelKind, Clause, ClauseKind, DependItem, DependKind, DepobjAction, Directive, DirectiveKind,
    DoacrossKind, IfOf, ImplicitMap, MapCategory, MapperDeclaration, OmpIterator, OmpKind, OmpMapKind,
    OmpMapModifiers, Parts, ReductionDeclaration, ReductionStart, ScheduleKind, ScheduleModifiers,
    Transformation,
};
use crate::intern::Symbol;
use crate::source::{Loc, Span};
use crate::token::{Punct, TokenKind};

/// Items that a clause with iterators may become.
const MOST_ITEMS: usize = 1024;

/// Words that can be part of a directive's name.
const WORDS: &[&str] = &[
    "target",
    "data",
    "enter",
    "exit",
    "update",
    "declare",
    "end",
    "begin",
    "task",
    "taskwait",
    "taskgroup",
    "taskyield",
    "taskloop",
    "parallel",
    "single",
    "master",
    "masked",
    "critical",
    "barrier",
    "teams",
    "distribute",
    "for",
    "simd",
    "loop",
    "sections",
    "section",
    "ordered",
    "atomic",
    "flush",
    "threadprivate",
    "reduction",
    "mapper",
    "variant",
    "cancel",
    "cancellation",
    "point",
    "scan",
    "requires",
    "allocate",
    "depobj",
    "metadirective",
    "assume",
    "assumes",
    "nothing",
    "error",
    "interop",
    "dispatch",
    "tile",
    "unroll",
    "interchange",
    "reverse",
    "scope",
    "workshare",
];

/// Names that OpenMP 6.0 writes as one word, and 5.2 as several.
const JOINED: &[(&str, &[&str])] = &[
    ("target_data", &["target", "data"]),
    ("target_enter_data", &["target", "enter", "data"]),
    ("target_exit_data", &["target", "exit", "data"]),
    ("target_update", &["target", "update"]),
    ("declare_target", &["declare", "target"]),
    ("declare_variant", &["declare", "variant"]),
    ("declare_reduction", &["declare", "reduction"]),
    ("declare_mapper", &["declare", "mapper"]),
    ("declare_simd", &["declare", "simd"]),
    ("cancellation_point", &["cancellation", "point"]),
];

/// The words of OpenMP 5.2 that a word is, if it can be part of a directive's name.
pub(super) fn words_of(word: &str) -> Option<&'static [&'static str]> {
    let joined = JOINED.iter().find(|(name, _)| *name == word).map(|(_, words)| *words);
    joined.or_else(|| WORDS.iter().find(|known| **known == word).map(std::slice::from_ref))
}

/// Directives of one kind each.
const EXACT: &[(&[&str], OmpKind)] = &[
    (&["target"], OmpKind::Target),
    (&["target", "data"], OmpKind::TargetData),
    (&["target", "enter", "data"], OmpKind::TargetEnterData),
    (&["target", "exit", "data"], OmpKind::TargetExitData),
    (&["target", "update"], OmpKind::TargetUpdate),
    (&["declare", "target"], OmpKind::DeclareTarget),
    (&["begin", "declare", "target"], OmpKind::DeclareTarget),
    (&["requires"], OmpKind::Requires),
    (&["end", "declare", "target"], OmpKind::EndDeclareTarget),
    (&["task"], OmpKind::Task),
    (&["taskwait"], OmpKind::Taskwait),
    (&["taskgroup"], OmpKind::Taskgroup),
    (&["dispatch"], OmpKind::Dispatch),
    (&["parallel"], OmpKind::Parallel),
    (&["single"], OmpKind::Single),
    (&["master"], OmpKind::Master),
    (&["masked"], OmpKind::Master),
    (&["critical"], OmpKind::Critical),
    (&["barrier"], OmpKind::Barrier),
    (&["section"], OmpKind::Section),
    (&["ordered"], OmpKind::Ordered),
    (&["ordered", "simd"], OmpKind::Ordered),
    (&["scope"], OmpKind::Scope),
    (&["taskyield"], OmpKind::Taskyield),
    (&["flush"], OmpKind::Flush),
    (&["threadprivate"], OmpKind::Threadprivate),
    (&["depobj"], OmpKind::Depobj),
    (&["declare", "reduction"], OmpKind::DeclareReduction),
    (&["declare", "mapper"], OmpKind::DeclareMapper),
    (&["declare", "simd"], OmpKind::DeclareSimd),
    (&["allocate"], OmpKind::Allocate),
    (&["tile"], OmpKind::LoopTransformation(Transformation::Tile)),
    (&["unroll"], OmpKind::LoopTransformation(Transformation::Unroll)),
    (&["interchange"], OmpKind::LoopTransformation(Transformation::Interchange)),
    (&["reverse"], OmpKind::LoopTransformation(Transformation::Reverse)),
    (&["scan"], OmpKind::Scan),
    (&["nothing"], OmpKind::Nothing),
    (&["error"], OmpKind::Error),
    (&["assume"], OmpKind::Assume),
    (&["assumes"], OmpKind::Assumes),
    (&["begin", "assumes"], OmpKind::Assumes),
    (&["end", "assumes"], OmpKind::Assumes),
    (&["cancel", "parallel"], OmpKind::Cancel(CancelKind::Parallel)),
    (&["cancel", "for"], OmpKind::Cancel(CancelKind::For)),
    (&["cancel", "sections"], OmpKind::Cancel(CancelKind::Sections)),
    (&["cancel", "taskgroup"], OmpKind::Cancel(CancelKind::Taskgroup)),
    (&["cancellation", "point", "parallel"], OmpKind::CancellationPoint(CancelKind::Parallel)),
    (&["cancellation", "point", "for"], OmpKind::CancellationPoint(CancelKind::For)),
    (&["cancellation", "point", "sections"], OmpKind::CancellationPoint(CancelKind::Sections)),
    (&["cancellation", "point", "taskgroup"], OmpKind::CancellationPoint(CancelKind::Taskgroup)),
];

impl Parser<'_> {
    // omp-directive:
    //     directive-name clause-list(opt)
    /// Also returns whether it is for loops only.
    pub fn omp_directive(&mut self, first: Loc) -> Parse<(Directive, bool)> {
        let name_first = self.tok.loc;
        let mut words: Vec<&'static str> = Vec::new();
        while let Some(parts) = self.word().and_then(words_of)
            // `reduction(...)` and `update(...)` are clauses, unless they come first, and so is `ordered`.
            && (words.is_empty() || *parts != ["ordered"])
            && (words.is_empty() || self.peek(1) != TokenKind::Punct(Punct::LParen) || ends_name(&words))
        {
            words.extend(parts);
            self.bump();
        }
        if words.is_empty() {
            return Err(self.unknown_omp_directive());
        }
        let name_span = self.span_from(name_first);
        if matches!(words[..], ["cancel"] | ["cancellation", "point"]) {
            // OpenMP 5.1 has a comma in front of the first clause, and takes the construct for one.
            if self.eat(Punct::Comma)
                && let Some(parts) = self.word().and_then(words_of)
            {
                words.extend(parts);
                self.bump();
            }
        }
        if matches!(words[..], ["cancel"] | ["cancellation", "point"]) {
            return Err(self.expected(ids::EXPECTED_CLAUSE, "`parallel`, `for`, `sections` or `taskgroup`"));
        }
        if matches!(words[..], ["scan"] | ["ordered"]) {
            self.eat(Punct::Comma);
        }
        let mut clauses = Vec::new();
        let kind = match classify(&words) {
            Some(OmpKind::Unsupported) => {
                return Err(self.unsupported_omp(name_span, &words.join(" ")));
            }
            Some(OmpKind::Ordered) if self.at_word("depend") || self.at_word("doacross") => {
                DirectiveKind::Omp(OmpKind::Doacross)
            }
            Some(kind) => DirectiveKind::Omp(kind),
            None => {
                let (kind, found) = self.omp_atomic_clauses()?;
                clauses = found;
                DirectiveKind::Atomic(kind)
            }
        };
        match kind {
            DirectiveKind::Omp(OmpKind::Critical) if self.at(Punct::LParen) => {
                clauses.extend(self.names_clause("the name of a critical section")?);
            }
            DirectiveKind::Omp(OmpKind::Threadprivate | OmpKind::Allocate) => {
                clauses.extend(self.names_clause("a variable")?);
            }
            DirectiveKind::Omp(OmpKind::Flush) => self.flush_arguments()?,
            DirectiveKind::Omp(OmpKind::Depobj) => clauses.extend(self.depobj_target()?),
            DirectiveKind::Omp(OmpKind::Scan) => clauses.push(self.scan_clause()?),
            DirectiveKind::Omp(OmpKind::DeclareReduction) => clauses.push(self.reduction_declaration()?),
            DirectiveKind::Omp(OmpKind::DeclareMapper) => clauses.push(self.mapper_declaration()?),
            DirectiveKind::Omp(OmpKind::DeclareTarget) if self.at(Punct::LParen) => {
                let first = self.tok.loc;
                let row = clause_table::find("to", on::OPENMP, bits(&kind));
                let kind = ClauseKind::Motion(true, OmpMapModifiers::default(), self.var_list()?);
                clauses.extend(row.map(|row| Clause { row, kind, span: self.span_from(first) }));
            }
            _ => {}
        }
        let (listed, is_complete) = self.clauses(&kind, on::OPENMP);
        clauses.extend(listed);
        let parts = match kind {
            // The construct is named, and not begun.
            DirectiveKind::Omp(OmpKind::Cancel(_) | OmpKind::CancellationPoint(_)) => Parts::default(),
            _ if clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Simd)) => {
                Parts::of(&words).with(Parts::SIMD)
            }
            _ => Parts::of(&words),
        };
        let loops = matches!(kind, DirectiveKind::Omp(OmpKind::TargetTeamsLoop(_) | OmpKind::Combined(_)))
            && parts.has_loop();
        let span = self.span_from(first);
        Ok((Directive { kind, parts, clauses, is_complete, name_span, span }, loops))
    }

    fn unknown_omp_directive(&mut self) -> Reported {
        let Some(word) = self.word() else {
            return self.expected(ids::UNKNOWN_DIRECTIVE, "the name of a directive");
        };
        let at = Span::at(self.tok.loc);
        let mut diagnostic =
            Diagnostic::error(ids::UNKNOWN_DIRECTIVE, at, format!("`{word}` is no directive of OpenMP"));
        let names = WORDS.iter().chain(JOINED.iter().map(|(name, _)| name)).copied();
        if let Some(note) = did_you_mean(word, names) {
            diagnostic = diagnostic.note(note);
        }
        self.report_here(diagnostic)
    }

    fn unsupported_omp(&mut self, span: Span, name: &str) -> Reported {
        let message = format!("`#pragma omp {name}` is not supported");
        self.report_here(Diagnostic::error(ids::UNSUPPORTED_DIRECTIVE, span, message))
    }

    /// Parentheses whose contents have no effect here.
    pub fn skip_arguments(&mut self) -> Parse<()> {
        let open = self.tok.loc;
        if !self.at(Punct::LParen) {
            self.expect(Punct::LParen)?;
        }
        self.skip_group();
        if self.prev.kind != TokenKind::Punct(Punct::RParen) {
            self.expect_close(Punct::RParen, open)?;
        }
        Ok(())
    }

    // if ( directive-name :(opt) expression )
    pub fn if_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let mut n = 0;
        while matches!(self.peek(n), TokenKind::Ident | TokenKind::Keyword(_)) {
            n += 1;
        }
        let mut of = None;
        if n > 0 && self.peek(n) == TokenKind::Punct(Punct::Colon) {
            let words = [
                ("target", IfOf::Target),
                ("teams", IfOf::Teams),
                ("parallel", IfOf::Parallel),
                ("simd", IfOf::Simd),
                ("task", IfOf::Task),
                ("taskloop", IfOf::Task),
                ("cancel", IfOf::Cancel),
                ("target_data", IfOf::TargetData),
                ("target_enter_data", IfOf::TargetData),
                ("target_exit_data", IfOf::TargetData),
                ("target_update", IfOf::TargetData),
            ];
            of = Some(self.word_of("if", &words)?);
            // `target data`, `target enter data`, `target exit data`, `target update`.
            while !self.eat(Punct::Colon) {
                self.word_of("if", &["data", "enter", "exit", "update"].map(|word| (word, ())))?;
                of = Some(IfOf::TargetData);
            }
        }
        let condition = self.expression()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(match of {
            Some(of) => ClauseKind::IfOf(of, condition),
            None => ClauseKind::If(condition),
        })
    }

    // depend ( iterator-modifier ,(opt) dependence-type : locator-list )
    pub fn depend_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let mut iterators = Vec::new();
        if self.at_word("iterator") && self.peek(1) == TokenKind::Punct(Punct::LParen) {
            iterators = self.iterators()?;
            self.expect(Punct::Comma)?;
        }
        let kind = self.depend_kind("depend")?;
        self.expect(Punct::Colon)?;
        let list = self.depend_items()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::Depend(kind, iterators, list))
    }

    fn depend_kind(&mut self, clause: &str) -> Parse<DependKind> {
        let kinds = [
            ("in", DependKind::In),
            ("out", DependKind::Out),
            ("inout", DependKind::InOut),
            ("mutexinoutset", DependKind::MutexInOutSet),
            ("inoutset", DependKind::InOutSet),
            ("depobj", DependKind::Depobj),
        ];
        self.word_of(clause, &kinds)
    }

    fn depend_items(&mut self) -> Parse<Vec<DependItem>> {
        let mut items = Vec::new();
        loop {
            if self.at_word("omp_all_memory") {
                self.bump();
                items.push(DependItem::AllMemory);
            } else {
                items.push(DependItem::Place(self.depend_place()?));
            }
            if !self.eat(Punct::Comma) {
                return Ok(items);
            }
        }
    }

    /// A variable, a section, or any other lvalue, `*p` for instance.
    fn depend_place(&mut self) -> Parse<Expr> {
        match self.tok.kind {
            TokenKind::Ident if self.peek(1) != TokenKind::Punct(Punct::LParen) => self.variable(),
            _ => self.assignment_expression(),
        }
    }

    // affinity ( locator-list )
    // affinity ( iterator ( iterator-specifier , ... ) : locator-list )
    /// Where a task would run best, which changes nothing here.
    pub fn affinity_clause(&mut self) -> Parse<()> {
        let open = self.expect(Punct::LParen)?;
        if self.at_word("iterator") && self.peek(1) == TokenKind::Punct(Punct::LParen) {
            self.iterators()?;
            self.expect(Punct::Colon)?;
        }
        loop {
            let is_place =
                matches!(self.tok.kind, TokenKind::Ident | TokenKind::Punct(Punct::Star | Punct::LParen));
            if !is_place {
                return Err(self.expected(ids::DATA_ITEM, "a variable or a section"));
            }
            self.depend_place()?;
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(())
    }

    // iterator ( iterator-specifier , ... )
    // iterator-specifier:
    //     type-name(opt) identifier = expression : expression
    //     type-name(opt) identifier = expression : expression : expression
    fn iterators(&mut self) -> Parse<Vec<OmpIterator>> {
        self.bump();
        let open = self.expect(Punct::LParen)?;
        let mut list = Vec::new();
        loop {
            let plain = self.tok.kind == TokenKind::Ident && self.peek(1) == TokenKind::Punct(Punct::Eq);
            let ty = if plain { None } else { Some(Box::new(self.type_name()?)) };
            let name = self.identifier("the name of an iterator")?;
            self.expect(Punct::Eq)?;
            let begin = self.assignment_expression()?;
            self.expect(Punct::Colon)?;
            let end = self.assignment_expression()?;
            let step = if self.eat(Punct::Colon) { Some(self.assignment_expression()?) } else { None };
            list.push(OmpIterator { ty, name, begin, end, step });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(list)
    }

    // ( identifier , ... )
    fn names_clause(&mut self, what: &str) -> Parse<Option<Clause>> {
        let first = self.tok.loc;
        let open = self.expect(Punct::LParen)?;
        let mut names = vec![self.identifier(what)?];
        while self.eat(Punct::Comma) {
            names.push(self.identifier(what)?);
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(Some(Clause {
            row: clause_table::NAMES,
            kind: ClauseKind::Names(names),
            span: self.span_from(first),
        }))
    }

    // ( reduction-identifier : type-name-list : combiner ) initializer-clause(opt)
    // initializer-clause:
    //     initializer ( omp_priv = initializer )
    //     initializer ( function-call )
    fn reduction_declaration(&mut self) -> Parse<Clause> {
        let first = self.tok.loc;
        let open = self.expect(Punct::LParen)?;
        let name = self.reduction_name(on::OPENMP)?;
        self.expect(Punct::Colon)?;
        let mut types = Vec::new();
        loop {
            let first = self.tok.loc;
            let ty = self.type_name()?;
            types.push((ty, self.span_from(first)));
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::Colon)?;
        let combiner = self.expression()?;
        self.expect_close(Punct::RParen, open)?;
        self.eat(Punct::Comma);
        let mut start = None;
        if self.eat_word("initializer") {
            let open = self.expect(Punct::LParen)?;
            start = Some(if self.at_word("omp_priv") && self.peek(1) == TokenKind::Punct(Punct::Eq) {
                self.bump();
                self.bump();
                ReductionStart::Value(self.initializer()?)
            } else {
                ReductionStart::Call(self.assignment_expression()?)
            });
            self.expect_close(Punct::RParen, open)?;
        }
        let declaration = ReductionDeclaration { name, types, combiner, start };
        let kind = ClauseKind::DeclareReduction(Box::new(declaration));
        Ok(Clause { row: clause_table::NAMES, kind, span: self.span_from(first) })
    }

    // ( identifier :(opt) type-name identifier )
    fn mapper_declaration(&mut self) -> Parse<Clause> {
        let first = self.tok.loc;
        let open = self.expect(Punct::LParen)?;
        let is_named = matches!(self.tok.kind, TokenKind::Ident | TokenKind::Keyword(_))
            && self.peek(1) == TokenKind::Punct(Punct::Colon);
        let name = is_named.then(|| self.bump_ident().sym);
        if is_named {
            self.bump();
        }
        let ty = self.type_name()?;
        let var = self.identifier("the name of what is mapped")?;
        self.expect_close(Punct::RParen, open)?;
        let span = self.span_from(first);
        let declaration = MapperDeclaration { name, ty, var, span };
        let kind = ClauseKind::DeclareMapper(Box::new(declaration));
        Ok(Clause { row: clause_table::NAMES, kind, span })
    }

    // inclusive ( var-list )
    // exclusive ( var-list )
    fn scan_clause(&mut self) -> Parse<Clause> {
        let first = self.tok.loc;
        let is_exclusive = self.word_of("scan", &[("inclusive", false), ("exclusive", true)])?;
        let kind = ClauseKind::Scan(is_exclusive, self.var_list()?);
        Ok(Clause { row: clause_table::NAMES, kind, span: self.span_from(first) })
    }

    // ( depobj )
    fn depobj_target(&mut self) -> Parse<Option<Clause>> {
        let first = self.tok.loc;
        let object = self.parenthesised_argument()?;
        let kind = ClauseKind::DepobjTarget(object);
        Ok(Some(Clause { row: clause_table::NAMES, kind, span: self.span_from(first) }))
    }

    // depend ( dependence-type : locator )
    pub fn depobj_depend(&mut self) -> Parse<ClauseKind> {
        let first = self.tok.loc;
        let ClauseKind::Depend(kind, iterators, items) = self.depend_clause()? else { return Err(Reported) };
        if !iterators.is_empty() {
            let message = "`iterator` has no meaning on `depobj`, whose object holds one dependence";
            return Err(self.report(Diagnostic::error(
                ids::UNKNOWN_MODIFIER,
                self.span_from(first),
                message,
            )));
        }
        if items.iter().any(|item| matches!(item, DependItem::AllMemory)) {
            let message = "`omp_all_memory` has no meaning on `depobj`, whose object is about one place";
            let diagnostic = Diagnostic::error(ids::DATA_ITEM, self.span_from(first), message);
            return Err(self.report(diagnostic.note("`depend(inout: omp_all_memory)` stands on the task")));
        }
        Ok(ClauseKind::DepobjAction(DepobjAction::Depend(kind, items)))
    }

    // update ( dependence-type )
    pub fn depobj_update(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let kind = self.depend_kind("update")?;
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::DepobjAction(DepobjAction::Update(kind)))
    }

    // schedule ( modifier-list :(opt) kind )
    // schedule ( modifier-list :(opt) kind , chunk )
    pub fn schedule_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let mut modifiers = ScheduleModifiers::default();
        if self.at_modifiers() {
            type Set = fn(&mut ScheduleModifiers);
            let words: [(&str, Set); 3] = [
                ("monotonic", |modifiers| modifiers.monotonic = true),
                ("nonmonotonic", |modifiers| modifiers.nonmonotonic = true),
                ("simd", |_| {}),
            ];
            self.word_of("schedule", &words)?(&mut modifiers);
            while self.eat(Punct::Comma) {
                self.word_of("schedule", &words)?(&mut modifiers);
            }
            self.expect(Punct::Colon)?;
        }
        let kinds = [
            ("static", ScheduleKind::Static),
            ("dynamic", ScheduleKind::Dynamic),
            ("guided", ScheduleKind::Guided),
            ("auto", ScheduleKind::Auto),
            ("runtime", ScheduleKind::Runtime),
        ];
        let kind = self.word_of("schedule", &kinds)?;
        let chunk = if self.eat(Punct::Comma) { Some(self.assignment_expression()?) } else { None };
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::Schedule(kind, chunk, modifiers))
    }

    // dist_schedule ( static )
    // dist_schedule ( static , chunk )
    pub fn dist_schedule_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        self.word_of("dist_schedule", &[("static", ())])?;
        let chunk = if self.eat(Punct::Comma) { Some(self.assignment_expression()?) } else { None };
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::DistSchedule(chunk))
    }

    // order ( modifier :(opt) concurrent )
    pub fn order_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let mut reproducible = false;
        if self.at_modifiers() {
            reproducible = self.word_of("order", &[("reproducible", true), ("unconstrained", false)])?;
            self.expect(Punct::Colon)?;
        }
        self.word_of("order", &[("concurrent", ())])?;
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::Order { reproducible })
    }

    // ( expression )
    // ( strict : expression )
    pub fn strict_argument(&mut self, clause: &str) -> Parse<(bool, Expr)> {
        let open = self.expect(Punct::LParen)?;
        let strict = self.peek(1) == TokenKind::Punct(Punct::Colon);
        if strict {
            self.word_of(clause, &[("strict", ())])?;
            self.bump();
        }
        let argument = self.assignment_expression()?;
        self.expect_close(Punct::RParen, open)?;
        Ok((strict, argument))
    }

    // map ( var-list )
    // map ( modifier-list ,(opt) map-type : var-list )
    pub fn map_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let iterators = self.at_iterators()?;
        let mut kind = OmpMapKind::ToFrom;
        let mut modifiers = OmpMapModifiers::default();
        if self.at_map_modifiers() {
            loop {
                let kinds = [
                    ("to", Some(OmpMapKind::To)),
                    ("from", Some(OmpMapKind::From)),
                    ("tofrom", Some(OmpMapKind::ToFrom)),
                    ("alloc", Some(OmpMapKind::Alloc)),
                    ("release", Some(OmpMapKind::Release)),
                    ("delete", Some(OmpMapKind::Delete)),
                    ("always", None),
                    ("close", None),
                    ("present", None),
                    ("self", None),
                ];
                if self.at_word("mapper") && self.peek(1) == TokenKind::Punct(Punct::LParen) {
                    modifiers.mapper = Some(self.mapper_modifier()?);
                    if !self.eat(Punct::Comma) && self.at(Punct::Colon) {
                        break;
                    }
                    continue;
                }
                modifiers.always |= self.at_word("always");
                modifiers.present |= self.at_word("present");
                modifiers.is_self |= self.at_word("self");
                if let Some(found) = self.word_of("map", &kinds)? {
                    kind = found;
                }
                if !self.eat(Punct::Comma) && self.at(Punct::Colon) {
                    break;
                }
            }
            self.expect(Punct::Colon)?;
        }
        let items = self.pos;
        let list = self.vars()?;
        self.expect_close(Punct::RParen, open)?;
        let list = self.items_of_all(list, items, iterators, "map")?;
        Ok(ClauseKind::Map(kind, modifiers, list))
    }

    /// Steps over an `iterator` modifier of a clause that moves data, if there is one: its position.
    fn at_iterators(&mut self) -> Parse<Option<usize>> {
        if !self.at_word("iterator") || self.peek(1) != TokenKind::Punct(Punct::LParen) {
            return Ok(None);
        }
        let place = self.pos;
        self.iterators()?;
        if !self.eat(Punct::Comma) && self.at(Punct::Colon) {
            self.bump();
        }
        Ok(Some(place))
    }

    /// What the items that begin at the token `items` are together for all values of their iterators: `a[i]`
    /// for all `i` is a section, any other item one for each value.
    fn items_of_all(
        &mut self,
        list: Vec<Expr>,
        items: usize,
        iterators: Option<usize>,
        clause: &str,
    ) -> Parse<Vec<Expr>> {
        let Some(place) = iterators else { return Ok(list) };
        let (pos, prev, span) = (self.pos, self.prev, list.first().map(|item| item.span));
        self.jump(place);
        let iterators = self.iterators()?;
        let names = |item: &Expr| iterators.iter().any(|iterator| !does_not_name(item, iterator.name.sym));
        let varies: Vec<bool> = list.iter().map(names).collect();
        let found = match self.sections_of(list, place)? {
            Some(sections) => Ok(sections),
            None => {
                let mut found = Vec::new();
                let counted = self.for_each_value(place, 0, (items, &varies), &mut found);
                self.iterator_values.clear();
                if counted? { Ok(found) } else { Err(span) }
            }
        };
        self.jump(pos);
        self.prev = prev;
        found.map_err(|span| self.not_counted(clause, span.unwrap_or_default()))
    }

    /// The sections that items with an iterator are, if each is one.
    fn sections_of(&mut self, list: Vec<Expr>, place: usize) -> Parse<Option<Vec<Expr>>> {
        let mut sections = Vec::new();
        for mut item in list {
            // Each section has expressions of its own, and the beginning is in two of them.
            self.jump(place);
            let first = self.iterators()?;
            self.jump(place);
            let second = self.iterators()?;
            let (Ok([one]), Some(other)) = (<[OmpIterator; 1]>::try_from(first), second.into_iter().next())
            else {
                return Ok(None);
            };
            let span = item.span;
            let kind = std::mem::replace(&mut item.kind, ExprKind::Ident(one.name.sym));
            let section = match kind {
                ExprKind::Index(base, index)
                    if one.step.is_none()
                        && matches!(index.kind, ExprKind::Ident(name) if name == one.name.sym)
                        && does_not_name(&base, one.name.sym) =>
                {
                    let (end, begin) = (Box::new(other.end), Box::new(other.begin));
                    let length = Expr { kind: ExprKind::Binary(BinaryOp::Sub, span, end, begin), span };
                    let (lower, length) = (Some(one.begin), Some(length));
                    ExprKind::Section(base, Box::new(Bounds { lower, length, stride: None }))
                }
                _ => return Ok(None),
            };
            sections.push(Expr { kind: section, span });
        }
        Ok(Some(sections))
    }

    /// Reads the items that begin at a token for each value of the iterators at `place`, of which the first
    /// `known` have theirs, and those that do not vary with them once; not, if a range is no constant or
    /// there are too many items.
    fn for_each_value(
        &mut self,
        place: usize,
        known: usize,
        items: (usize, &[bool]),
        found: &mut Vec<Expr>,
    ) -> Parse<bool> {
        self.jump(place);
        let iterators = self.iterators()?;
        let Some(OmpIterator { name, begin, end, step, .. }) = iterators.get(known) else {
            let ((first, varies), is_first) = (items, found.is_empty());
            self.jump(first);
            let read = self.vars()?.into_iter().zip(varies);
            found.extend(read.filter(|(_, varies)| is_first || **varies).map(|(item, _)| item));
            return Ok(found.len() <= MOST_ITEMS);
        };
        let step = step.as_ref().map_or(Some(1), |step| self.constant_sum(step));
        let (Some(mut value), Some(end), Some(step)) =
            (self.constant_sum(begin), self.constant_sum(end), step)
        else {
            return Ok(false);
        };
        if step == 0 {
            return Ok(false);
        }
        while if step > 0 { value < end } else { value > end } {
            self.iterator_values.push((name.sym, value));
            let counted = self.for_each_value(place, known + 1, items, found)?;
            self.iterator_values.pop();
            let Some(next) = value.checked_add(step).filter(|_| counted) else { return Ok(counted) };
            value = next;
        }
        Ok(true)
    }

    /// The value of a bound of an iterator: of constants, their sums and products.
    fn constant_sum(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.constant_sum(inner),
            ExprKind::Binary(op, _, a, b) => {
                let (a, b) = (self.constant_sum(a)?, self.constant_sum(b)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Sub => a.checked_sub(b),
                    BinaryOp::Mul => a.checked_mul(b),
                    BinaryOp::Div => a.checked_div(b),
                    _ => None,
                }
            }
            _ => self.constant(expr),
        }
    }

    fn not_counted(&mut self, clause: &str, span: Span) -> Reported {
        let message = format!(
            "an `iterator` of `{clause}` is supported for sections and for at most {MOST_ITEMS} items, whose number is a constant"
        );
        let note =
            "write a loop around `target enter data`, `target exit data` or `target update` of one item";
        self.report(Diagnostic::error(ids::OMP_UNSUPPORTED, span, message).note(note))
    }

    // mapper ( identifier )
    fn mapper_modifier(&mut self) -> Parse<Symbol> {
        self.bump();
        let open = self.expect(Punct::LParen)?;
        let name = match self.tok.kind {
            TokenKind::Ident | TokenKind::Keyword(_) => self.bump_ident().sym,
            _ => return Err(self.expected(ids::EXPECTED_IDENTIFIER, "the name of a mapper")),
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(name)
    }

    /// Whether words, with or without commas between them, and a colon come next.
    fn at_map_modifiers(&self) -> bool {
        let is_word = |n| matches!(self.peek(n), TokenKind::Ident | TokenKind::Keyword(_));
        let mut n = 0;
        while is_word(n) {
            n += 1;
            if self.peek(n) == TokenKind::Punct(Punct::LParen) && is_word(n + 1) {
                n += 2 + usize::from(self.peek(n + 2) == TokenKind::Punct(Punct::RParen));
            }
            n += usize::from(self.peek(n) == TokenKind::Punct(Punct::Comma));
        }
        n > 0 && self.peek(n) == TokenKind::Punct(Punct::Colon)
    }

    // num_teams ( expression )
    // num_teams ( lower-bound : upper-bound )
    /// There are as many teams as the upper bound says.
    pub fn num_teams_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let mut teams = self.assignment_expression()?;
        if self.eat(Punct::Colon) {
            teams = self.assignment_expression()?;
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::NumTeams(teams))
    }

    // allocate ( var-list )
    // allocate ( expression : var-list )
    // allocate ( allocator ( expression ) , align ( expression ) : var-list )
    pub fn allocate_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let (mut allocator, mut align, mut items) = (None, None, Vec::new());
        let has_modifiers = |parser: &Self| {
            (parser.at_word("allocator") || parser.at_word("align"))
                && parser.peek(1) == TokenKind::Punct(Punct::LParen)
        };
        while has_modifiers(self) {
            let place = if self.at_word("align") { &mut align } else { &mut allocator };
            self.bump();
            *place = Some(self.parenthesised_argument()?);
            if !self.eat(Punct::Comma) {
                self.expect(Punct::Colon)?;
                break;
            }
        }
        loop {
            let item = self.assignment_expression()?;
            if items.is_empty() && allocator.is_none() && align.is_none() && self.eat(Punct::Colon) {
                allocator = Some(item);
                continue;
            }
            items.push(item);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::Allocate(allocator, align, items))
    }

    // to ( var-list )
    // to ( present : var-list )
    // to ( mapper ( identifier ) : var-list )
    pub fn motion_clause(&mut self, to: bool) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let clause = if to { "to" } else { "from" };
        let iterators = self.at_iterators()?;
        let mut modifiers = OmpMapModifiers::default();
        if self.at_map_modifiers() {
            while !self.eat(Punct::Colon) {
                if self.at_word("mapper") {
                    modifiers.mapper = Some(self.mapper_modifier()?);
                } else {
                    self.word_of(clause, &[("present", ())])?;
                    modifiers.present = true;
                }
                self.eat(Punct::Comma);
            }
        }
        let items = self.pos;
        let list = self.vars()?;
        self.expect_close(Punct::RParen, open)?;
        let list = self.items_of_all(list, items, iterators, clause)?;
        Ok(ClauseKind::Motion(to, modifiers, list))
    }

    // defaultmap ( implicit-behavior )
    // defaultmap ( implicit-behavior : category )
    pub fn defaultmap_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let behaviors = [
            ("alloc", ImplicitMap::Alloc),
            ("to", ImplicitMap::To),
            ("from", ImplicitMap::From),
            ("tofrom", ImplicitMap::ToFrom),
            ("firstprivate", ImplicitMap::FirstPrivate),
            ("none", ImplicitMap::None),
            ("default", ImplicitMap::Default),
            ("present", ImplicitMap::Present),
        ];
        let behavior = self.word_of("defaultmap", &behaviors)?;
        let categories = [
            ("scalar", MapCategory::Scalar),
            ("aggregate", MapCategory::Aggregate),
            ("pointer", MapCategory::Pointer),
            ("all", MapCategory::All),
        ];
        let category =
            if self.eat(Punct::Colon) { self.word_of("defaultmap", &categories)? } else { MapCategory::All };
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::DefaultMap(behavior, category))
    }

    // linear ( var-list )
    // linear ( var-list : step )
    // linear ( val ( var-list ) )
    // linear ( val ( var-list ) : step )
    // linear ( var-list : modifiers ), each `val` or `step ( step )`
    pub fn linear_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let list = if self.at_word("val") && self.peek(1) == TokenKind::Punct(Punct::LParen) {
            self.bump();
            self.var_list()?
        } else {
            self.vars()?
        };
        let mut step = None;
        if self.eat(Punct::Colon) {
            loop {
                let ends = [Punct::RParen, Punct::Comma].map(TokenKind::Punct);
                let modifier = self.at_word("val") && ends.contains(&self.peek(1));
                let named = self.at_word("step") && self.peek(1) == TokenKind::Punct(Punct::LParen);
                if modifier {
                    self.bump();
                } else if named {
                    let (pos, prev) = (self.pos, self.prev);
                    self.bump();
                    step = Some(self.parenthesised_argument()?);
                    if !ends.contains(&self.tok.kind) {
                        // A call of a function `step` in an expression.
                        self.jump(pos);
                        self.prev = prev;
                        step = Some(self.assignment_expression()?);
                    }
                } else {
                    step = Some(self.assignment_expression()?);
                }
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::Linear(list, step))
    }

    // aligned ( var-list )
    // aligned ( var-list : alignment )
    pub fn aligned_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let list = self.vars()?;
        let alignment = if self.eat(Punct::Colon) { Some(self.assignment_expression()?) } else { None };
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::Aligned(list, alignment))
    }

    // flush
    // flush ( var-list )
    // flush memory-order
    fn flush_arguments(&mut self) -> Parse<()> {
        let has_order = self.word().is_some();
        if has_order {
            let orders = ["seq_cst", "acq_rel", "release", "acquire"].map(|order| (order, ()));
            self.word_of("flush", &orders)?;
        }
        let open = Span::at(self.tok.loc);
        if self.at(Punct::LParen) {
            self.skip_arguments()?;
            if has_order {
                let message = "`flush` has a list of variables or a memory order, not both";
                self.report(Diagnostic::error(ids::CONFLICTING_CLAUSES, open, message));
            }
        }
        Ok(())
    }

    // lastprivate ( var-list )
    // lastprivate ( conditional : var-list )
    pub fn lastprivate_clause(&mut self) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let mut clause: fn(Vec<Expr>) -> ClauseKind = ClauseKind::LastPrivate;
        if self.at_modifiers() {
            let conditional: fn(Vec<Expr>) -> ClauseKind = ClauseKind::ConditionalLastPrivate;
            clause = self.word_of("lastprivate", &[("conditional", conditional)])?;
            self.expect(Punct::Colon)?;
        }
        let list = self.vars()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(clause(list))
    }

    // depend ( source )
    // depend ( sink : iteration-vector )
    // doacross ( source : omp_cur_iteration(opt) )
    // doacross ( sink : iteration-vector )
    // doacross ( sink : omp_cur_iteration - 1 )
    pub fn doacross_clause(&mut self, clause: &str) -> Parse<ClauseKind> {
        let open = self.expect(Punct::LParen)?;
        let is_source = self.word_of(clause, &[("source", true), ("sink", false)])?;
        let kind = if is_source {
            if self.eat(Punct::Colon) && self.at_word("omp_cur_iteration") {
                self.bump();
            }
            DoacrossKind::Source
        } else {
            self.expect(Punct::Colon)?;
            if self.at_word("omp_cur_iteration") {
                self.bump();
                self.expect(Punct::Minus)?;
                DoacrossKind::Before(self.assignment_expression()?)
            } else {
                let mut vector = vec![self.assignment_expression()?];
                while self.eat(Punct::Comma) {
                    vector.push(self.assignment_expression()?);
                }
                DoacrossKind::Sink(vector)
            }
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(ClauseKind::Doacross(kind))
    }

    // device ( device_num :(opt) expression )
    pub fn device_argument(&mut self) -> Parse<Expr> {
        let open = self.expect(Punct::LParen)?;
        if self.word().is_some() && self.peek(1) == TokenKind::Punct(Punct::Colon) {
            self.word_of("device", &[("device_num", ())])?;
            self.bump();
        }
        let device = self.assignment_expression()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(device)
    }
}

/// Whether an object that names, members and subscripts make is the same whatever a variable holds.
fn does_not_name(object: &Expr, variable: Symbol) -> bool {
    match &object.kind {
        ExprKind::Ident(name) => *name != variable,
        ExprKind::Number(_) => true,
        ExprKind::Member(inner, _) | ExprKind::Arrow(inner, _) | ExprKind::Paren(inner) => {
            does_not_name(inner, variable)
        }
        ExprKind::Index(base, index) => does_not_name(base, variable) && does_not_name(index, variable),
        _ => false,
    }
}

/// Whether a word that stands before a parenthesis still belongs to the name that `words` begin.
fn ends_name(words: &[&str]) -> bool {
    matches!(words, ["declare"])
}

/// What the words of a name mean together; none for `atomic`, which is OpenACC's.
fn classify(words: &[&str]) -> Option<OmpKind> {
    if words.first() == Some(&"atomic") {
        return None;
    }
    if let Some(&(_, kind)) = EXACT.iter().find(|(name, _)| *name == words) {
        return Some(kind);
    }
    let parts = Parts::of(words);
    let of_device = ["target", "teams", "distribute", "parallel", "for", "simd", "loop"];
    let of_host = ["masked", "master", "sections", "taskloop"];
    let known = words.iter().all(|word| of_device.contains(word) || of_host.contains(word));
    Some(match (known, parts.has(Parts::TARGET)) {
        (false, _) => OmpKind::Unsupported,
        (true, false) => OmpKind::Combined(parts),
        (true, true) if words.iter().any(|word| of_host.contains(word)) => OmpKind::Unsupported,
        (true, true) => OmpKind::TargetTeamsLoop(parts),
    })
}
