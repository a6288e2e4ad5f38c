//! Directives: their names, where they may stand, and the statements that belong to them.

use super::cursor::Parse;
use super::statement::StatementContext;
use super::{Parser, ids};
use crate::ast::{BlockItem, Item, Stmt, StmtKind};
use crate::clause_table::on;
use crate::diag::Diagnostic;
use crate::directive::{
    AtomicKind, Clause, ClauseKind, Directive, DirectiveKind, OmpKind, Parts, Transformation, takes_statement,
};
use crate::source::{Loc, Span};
use crate::token::{Keyword, Punct, Token, TokenKind};

/// What helps where a loop has directives of both models, as programs have that a tool converted.
const ONE_MODEL: &str = "a loop follows directives of one model: `-fno-openacc` leaves those of OpenACC out; without \
     `-fopenmp`, those of OpenMP are ignored";

/// A note that offers the candidate most like `word`, if one is like it.
pub(super) fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let best = crate::suggest::nearest(word, candidates)?;
    Some(format!("did you mean `{best}`?"))
}

/// First words of OpenACC directives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Parallel,
    Serial,
    Kernels,
    Loop,
    Data,
    Enter,
    Exit,
    HostData,
    Update,
    Atomic,
    Cache,
    Declare,
    Routine,
    Wait,
    Init,
    Shutdown,
    Set,
}

const NAMES: &[(&str, Name)] = &[
    ("parallel", Name::Parallel),
    ("serial", Name::Serial),
    ("kernels", Name::Kernels),
    ("loop", Name::Loop),
    ("data", Name::Data),
    ("enter", Name::Enter),
    ("exit", Name::Exit),
    ("host_data", Name::HostData),
    ("update", Name::Update),
    ("atomic", Name::Atomic),
    ("cache", Name::Cache),
    ("declare", Name::Declare),
    ("routine", Name::Routine),
    ("wait", Name::Wait),
    ("init", Name::Init),
    ("shutdown", Name::Shutdown),
    ("set", Name::Set),
];

/// Where a directive may stand.
pub(super) enum Placement {
    /// Before the statement it applies to.
    Construct,
    /// Before a `for`.
    Loop,
    /// As any statement.
    Statement,
    /// Between the statements of a block, nowhere else: a program without its directives must mean the same.
    Block,
    /// As [`Self::Block`], and outside functions.
    BlockOrFile,
    /// Outside functions.
    File,
}

impl Parser<'_> {
    /// The text of the current token, if it is an identifier or a keyword.
    pub fn word(&self) -> Option<&str> {
        match self.tok.kind {
            TokenKind::Ident | TokenKind::Keyword(_) => Some(self.interner.text(self.tok.sym)),
            _ => None,
        }
    }

    /// Whether the current token is the word `text`.
    pub fn at_word(&self, text: &str) -> bool {
        self.word() == Some(text)
    }

    /// Steps over the current token if it is the word `text`.
    pub fn eat_word(&mut self, text: &str) -> bool {
        let found = self.at_word(text);
        if found {
            self.bump();
        }
        found
    }

    /// The directive that begins at the current token, and where it may stand. The whole line is consumed,
    /// whatever is wrong with it.
    fn directive(&mut self) -> Parse<(Directive, Placement)> {
        let omp = self.tok.kind == TokenKind::PragmaOmp;
        let first = self.bump().loc;
        let errors = self.errors;
        let result = if omp {
            self.omp_directive(first)
        } else {
            self.acc_directive(first).map(|directive| (directive, false))
        };
        self.directive_errors += self.errors - errors;
        while !self.at_end() {
            self.bump();
        }
        if self.tok.kind == TokenKind::PragmaEnd {
            self.bump();
        }
        result.map(|(directive, loops)| {
            let placement = if loops { Placement::Loop } else { placement(&directive.kind) };
            (directive, placement)
        })
    }

    // acc-directive:
    //     directive-name clause-list(opt)
    fn acc_directive(&mut self, first: Loc) -> Parse<Directive> {
        let name_first = self.tok.loc;
        let Some(word) = self.word() else {
            return Err(self.expected(ids::UNKNOWN_DIRECTIVE, "the name of a directive"));
        };
        let Some(&(_, name)) = NAMES.iter().find(|(text, _)| *text == word) else {
            let message = format!("`{word}` is no directive of OpenACC");
            let suggestions = NAMES.iter().map(|(text, _)| *text).chain(["enter data", "exit data"]);
            let mut diagnostic = Diagnostic::error(ids::UNKNOWN_DIRECTIVE, Span::at(name_first), message);
            if word == "end" {
                diagnostic = diagnostic.note("in C, a directive ends with the statement behind it");
            } else if let Some(note) = did_you_mean(word, suggestions) {
                diagnostic = diagnostic.note(note);
            }
            return Err(self.report_here(diagnostic));
        };
        self.bump();
        let mut kind = match name {
            Name::Parallel => DirectiveKind::Parallel { loop_: self.eat_word("loop") },
            Name::Serial => DirectiveKind::Serial { loop_: self.eat_word("loop") },
            Name::Kernels => DirectiveKind::Kernels { loop_: self.eat_word("loop") },
            Name::Loop => DirectiveKind::Loop,
            Name::Data => DirectiveKind::Data,
            Name::Enter | Name::Exit => {
                if !self.eat_word("data") {
                    return Err(self.expected(ids::UNKNOWN_DIRECTIVE, "`data`"));
                }
                if name == Name::Enter { DirectiveKind::EnterData } else { DirectiveKind::ExitData }
            }
            Name::HostData => DirectiveKind::HostData,
            Name::Update => DirectiveKind::Update,
            Name::Atomic => DirectiveKind::Atomic(self.atomic_kind()),
            Name::Cache => DirectiveKind::Cache { readonly: false, list: Vec::new() },
            Name::Declare => DirectiveKind::Declare,
            Name::Routine => DirectiveKind::Routine(None),
            Name::Wait => DirectiveKind::Wait(None),
            Name::Init => DirectiveKind::Init,
            Name::Shutdown => DirectiveKind::Shutdown,
            Name::Set => DirectiveKind::Set,
        };
        let name_span = self.span_from(name_first);
        match &mut kind {
            DirectiveKind::Cache { readonly, list } => self.cache_arguments(readonly, list)?,
            DirectiveKind::Routine(name) if self.at(Punct::LParen) => {
                let open = self.bump().loc;
                *name = Some(self.identifier("the name of a function")?);
                self.expect_close(Punct::RParen, open)?;
            }
            DirectiveKind::Wait(args) if self.at(Punct::LParen) => *args = Some(self.wait_arguments()?),
            _ => {}
        }
        let (clauses, is_complete) = self.clauses(&kind, on::OPENACC);
        let span = self.span_from(first);
        Ok(Directive { kind, parts: Parts::default(), clauses, is_complete, name_span, span })
    }

    /// `read`, `write`, `update` or `capture`, if there; `update capture` is the specification's other
    /// spelling of `capture`.
    pub fn atomic_kind(&mut self) -> AtomicKind {
        let mut found = None;
        loop {
            let kind = match self.word() {
                Some("read") => AtomicKind::Read,
                Some("write") => AtomicKind::Write,
                Some("update") => AtomicKind::Update,
                Some("capture") => AtomicKind::Capture,
                _ => return found.unwrap_or(AtomicKind::Update),
            };
            match found {
                None => found = Some(kind),
                Some(AtomicKind::Update) if kind == AtomicKind::Capture => found = Some(kind),
                Some(_) => self.atomic_clash(),
            }
            self.bump();
        }
    }

    fn atomic_clash(&mut self) {
        let message = "`atomic` takes one of `read`, `write`, `update`, `capture` and `update capture`";
        self.report_here(Diagnostic::error(ids::ATOMIC_CLAUSES, Span::at(self.tok.loc), message));
    }

    // cache ( var-list )
    // cache ( readonly : var-list )
    fn cache_arguments(&mut self, readonly: &mut bool, list: &mut Vec<crate::ast::Expr>) -> Parse<()> {
        let open = self.expect(Punct::LParen)?;
        if self.at_word("readonly") && self.peek(1) == TokenKind::Punct(Punct::Colon) {
            self.bump();
            self.bump();
            *readonly = true;
        }
        loop {
            list.push(self.variable()?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, open)?;
        if !self.at_end() {
            return Err(self.expected(ids::EXPECTED_TOKEN, "the end of the directive"));
        }
        Ok(())
    }

    /// A directive outside functions.
    pub fn external_directive(&mut self) -> Option<Item> {
        if self.variant_declaration() {
            return None;
        }
        self.no_pending_routine();
        let (directive, placement) = self.directive().ok()?;
        match placement {
            Placement::BlockOrFile | Placement::File => {
                match directive.kind {
                    DirectiveKind::Routine(None) => self.pending_routine = Some(directive.span),
                    DirectiveKind::Omp(OmpKind::DeclareTarget) if !has_list(&directive) => {
                        self.declare_targets += 1;
                    }
                    DirectiveKind::Omp(OmpKind::EndDeclareTarget) => {
                        self.declare_targets = self.declare_targets.saturating_sub(1);
                    }
                    _ => {}
                }
                Some(Item::Directive(Box::new(directive)))
            }
            Placement::Construct | Placement::Loop | Placement::Statement | Placement::Block => {
                let message = format!("`{}` cannot stand outside functions", spelling(&directive.kind));
                self.report(Diagnostic::error(ids::MISPLACED_DIRECTIVE, directive.span, message));
                self.lost |= takes_statement(&directive.kind);
                None
            }
        }
    }

    /// A directive where none may stand: reported and skipped.
    pub fn misplaced_directive(&mut self, place: &str) {
        let first = self.tok.loc;
        if let Ok((directive, _)) = self.directive()
            && !matches!(directive.kind, DirectiveKind::Omp(OmpKind::Nothing))
        {
            let message = format!("`{}` cannot stand {place}", spelling(&directive.kind));
            let span = Span { first, last: directive.span.last };
            self.report(Diagnostic::error(ids::MISPLACED_DIRECTIVE, span, message));
        }
    }

    /// A directive in a function, with the statement that belongs to it.
    pub fn directive_statement(&mut self, context: StatementContext) -> Parse<Stmt> {
        let first = self.tok.loc;
        if let Some(chosen) = self.metadirective(context)? {
            return Ok(chosen);
        }
        let Ok((directive, placement)) = self.directive() else {
            return self.without_directive(context, first);
        };
        let misplaced = match placement {
            Placement::Construct => return self.construct(directive, false, context, first),
            Placement::Loop => return self.construct(directive, true, context, first),
            Placement::Statement => None,
            // It stands in front of a statement, whose place that is.
            Placement::Block | Placement::BlockOrFile
                if context == StatementContext::Body && only_tells(&directive) =>
            {
                let body = self.statement(context)?;
                let span = Span { first, last: body.span.last };
                return Ok(Stmt {
                    kind: StmtKind::Directive(Box::new(directive), Some(Box::new(body))),
                    span,
                });
            }
            Placement::Block | Placement::BlockOrFile if context == StatementContext::Block => None,
            Placement::Block | Placement::BlockOrFile => Some("anywhere but directly in a block"),
            Placement::File => Some("inside a function"),
        };
        if let Some(place) = misplaced {
            let message = format!("`{}` cannot stand {place}", spelling(&directive.kind));
            let mut diagnostic = Diagnostic::error(ids::MISPLACED_DIRECTIVE, directive.span, message);
            if context == StatementContext::Body {
                diagnostic = diagnostic.note("put braces around it, or an empty statement behind the label");
            }
            self.report(diagnostic);
        } else if matches!(directive.kind, DirectiveKind::Routine(None)) {
            self.no_pending_routine();
            self.pending_routine = Some(directive.span);
        }
        let span = directive.span;
        Ok(Stmt { kind: StmtKind::Directive(Box::new(directive), None), span })
    }

    /// A directive that needs a statement, and the statement.
    pub(super) fn construct(
        &mut self,
        directive: Directive,
        needs_loop: bool,
        context: StatementContext,
        first: Loc,
    ) -> Parse<Stmt> {
        if let DirectiveKind::Omp(OmpKind::Ordered) = directive.kind
            && let Some(transformation) = self.reordered
        {
            self.order_is_lost((directive.kind.name(), directive.name_span), transformation);
        }
        let reordered = if needs_loop { self.skip_loop_transformations(&directive) } else { self.reordered };
        let is_omp = matches!(directive.kind, DirectiveKind::Omp(_));
        let braces = if needs_loop { self.braces_around_loop() } else { 0 };
        if braces > 0 && !is_omp {
            let message = format!("the loop of `{}` stands in braces", spelling(&directive.kind));
            let diagnostic = Diagnostic::warning(ids::LOOP_IN_BRACES, Span::at(self.tok.loc), message)
                .note("OpenACC wants the loop right behind its directive, and other compilers may, too");
            self.sink.push(diagnostic);
        }
        let missing =
            if needs_loop { !self.at_keyword(Keyword::For) } else { self.at(Punct::RBrace) || self.at_end() };
        if missing {
            let (id, what) = if needs_loop {
                (ids::EXPECTED_LOOP, "a `for` loop")
            } else {
                (ids::EXPECTED_STATEMENT, "a statement")
            };
            let name = spelling(&directive.kind);
            let found = self.describe(self.tok);
            let mut diagnostic =
                Diagnostic::error(id, Span::at(self.tok.loc), format!("expected {what} before {found}"))
                    .related(directive.span, format!("`{name}` applies to it"));
            let other = if is_omp { TokenKind::PragmaAcc } else { TokenKind::PragmaOmp };
            if needs_loop && self.tok.kind == other {
                diagnostic = diagnostic.note(ONE_MODEL);
            }
            let reported = self.report_here(diagnostic);
            if !needs_loop {
                return Err(reported);
            }
            if self.at(Punct::LParen) {
                // A `for` without its `for`: its head would be three errors more.
                self.bump();
                self.skip_to_close_paren(true);
            }
            return self.without_directive(context, first);
        }
        if matches!(directive.kind, DirectiveKind::Omp(OmpKind::Dispatch)) {
            return self.dispatch(directive, first);
        }
        // `target data` is a construct of the host.
        let parts = match directive.kind {
            DirectiveKind::Omp(OmpKind::TargetData) => Parts::default(),
            _ => directive.parts,
        };
        self.constructs.push(parts);
        let outer = std::mem::replace(&mut self.reordered, reordered);
        let body = self.body_statement();
        self.reordered = outer;
        self.constructs.pop();
        for _ in 0..braces {
            if !self.at(Punct::RBrace) {
                let (name, found) = (spelling(&directive.kind), self.describe(self.tok));
                let message = format!("expected `}}` behind the loop, not {found}");
                let diagnostic = Diagnostic::error(ids::EXPECTED_LOOP, Span::at(self.tok.loc), message);
                let related = format!("`{name}` applies to the loop, which has to be alone in its braces");
                self.report(diagnostic.related(directive.span, related));
                self.skip_statements();
            }
            self.bump();
        }
        let span = Span { first, last: body.span.last };
        Ok(Stmt { kind: StmtKind::Directive(Box::new(directive), Some(body)), span })
    }

    /// `tile`, `unroll` and their like between a directive and its loop: a loop of the same iterations, which the
    /// directive executes in whatever order it likes. Gives what brings the loops into another order: where a
    /// program can tell, that is no answer.
    fn skip_loop_transformations(&mut self, around: &Directive) -> Option<(&'static str, Span)> {
        let mut reordered = None;
        let transforms = |parser: &Self| {
            let name = parser.tokens.get(parser.pos + 1).map(|name| parser.interner.text(name.sym));
            parser.tok.kind == TokenKind::PragmaOmp
                && matches!(name, Some("tile" | "unroll" | "interchange" | "reverse"))
        };
        while transforms(self) {
            // What is wrong with it has been reported.
            let Ok((made, _)) = self.directive() else { continue };
            let DirectiveKind::Omp(OmpKind::LoopTransformation(which)) = made.kind else { continue };
            let reorders = match which {
                Transformation::Reverse | Transformation::Interchange => true,
                Transformation::Tile => made
                    .clauses
                    .iter()
                    .any(|clause| matches!(&clause.kind, ClauseKind::Sizes(list) if list.len() > 1)),
                Transformation::Unroll => {
                    self.check_a_loop_is_left(around, &made);
                    false
                }
            };
            if reorders {
                reordered = Some((made.kind.name(), made.name_span));
                self.check_order_is_free(around, (made.kind.name(), made.name_span));
            }
        }
        reordered
    }

    /// Reports a directive whose loop `unroll full` dissolves.
    fn check_a_loop_is_left(&mut self, around: &Directive, unroll: &Directive) {
        let full = unroll.clauses.iter().find(|clause| matches!(clause.kind, ClauseKind::Full));
        if let Some(full) = full {
            let message = "`unroll full` leaves no loop for the directive around it";
            let diagnostic = Diagnostic::error(ids::EXPECTED_LOOP, full.span, message);
            let note = "`partial` leaves one";
            self.report(diagnostic.related(around.span, "the directive").note(note));
        }
    }

    /// Reports what tells in which order iterations are executed, around a transformation of their loops.
    fn check_order_is_free(&mut self, around: &Directive, transformation: (&str, Span)) {
        let is_of_order = |clause: &&Clause| {
            matches!(
                clause.kind,
                ClauseKind::Ordered(_)
                    | ClauseKind::LastPrivate(_)
                    | ClauseKind::ConditionalLastPrivate(_)
                    | ClauseKind::Linear(..)
                    | ClauseKind::InscanReduction(..)
            )
        };
        let told = match around.kind {
            DirectiveKind::Omp(OmpKind::LoopTransformation(_)) => {
                Some((around.kind.name(), around.name_span))
            }
            _ => around.clauses.iter().find(is_of_order).map(|clause| (clause.row.name, clause.span)),
        };
        if let Some(told) = told {
            self.order_is_lost(told, transformation);
        }
    }

    /// Reports a directive or clause that tells the order of a loop, which a transformation changes.
    fn order_is_lost(&mut self, (what, span): (&str, Span), (name, place): (&str, Span)) {
        let message = format!("`{what}` with loops that `{name}` brings into another order is not supported");
        let diagnostic = Diagnostic::error(ids::OMP_UNSUPPORTED, span, message);
        let note = "write the loops in the order that is meant";
        self.report(diagnostic.related(place, "the transformation").note(note));
    }

    /// Skips what is left of a block.
    fn skip_statements(&mut self) {
        let mut depth = 0;
        while !self.at_end() && (depth > 0 || !self.at(Punct::RBrace)) {
            depth += i32::from(self.at(Punct::LBrace)) - i32::from(self.at(Punct::RBrace));
            self.bump();
        }
    }

    /// Braces around nothing but a loop, which compilers take for the loop: skips those that open, and counts
    /// them.
    fn braces_around_loop(&mut self) -> usize {
        let kinds = self.tokens[self.pos..].iter().map(|token| token.kind);
        let braces = kinds.take_while(|kind| *kind == TokenKind::Punct(Punct::LBrace)).count();
        let is_loop = |token: &Token| token.kind == TokenKind::Keyword(Keyword::For);
        if braces == 0 || !self.tokens.get(self.pos + braces).is_some_and(is_loop) {
            return 0;
        }
        for _ in 0..braces {
            self.bump();
        }
        braces
    }

    /// Goes on after a directive with an error as if it were not there.
    pub(super) fn without_directive(&mut self, context: StatementContext, first: Loc) -> Parse<Stmt> {
        match context {
            StatementContext::Block => Ok(Stmt { kind: StmtKind::Empty, span: Span::at(first) }),
            StatementContext::Body => self.statement(context),
        }
    }

    /// Reports a `routine` directive without a name that is still waiting for its function.
    pub fn no_pending_routine(&mut self) {
        if let Some(span) = self.pending_routine.take() {
            let message = "`#pragma acc routine` without a name must be followed by one function";
            self.report(Diagnostic::error(ids::ROUTINE_WITHOUT_FUNCTION, span, message));
        }
    }

    /// Lets `item` answer a waiting `routine` directive.
    pub fn check_routine_item(&mut self, item: &Item) {
        match item {
            Item::Function(_) => self.pending_routine = None,
            Item::Declaration(declaration) if Self::declares_one_function(declaration) => {
                self.pending_routine = None;
            }
            // A directive looks after this itself; other statements are no declarations.
            Item::Directive(_) | Item::StaticAssert(_) | Item::Pragma(_) => {}
            Item::Declaration(_) | Item::Asm(_) => self.no_pending_routine(),
        }
    }

    /// As [`Self::check_routine_item`], in a block.
    pub fn check_routine_block_item(&mut self, item: &BlockItem) {
        match item {
            BlockItem::Function(_) => self.pending_routine = None,
            BlockItem::Declaration(declaration) if Self::declares_one_function(declaration) => {
                self.pending_routine = None;
            }
            BlockItem::Stmt(Stmt { kind: StmtKind::Directive(directive, _), .. })
                if matches!(directive.kind, DirectiveKind::Routine(None)) => {}
            BlockItem::StaticAssert(_) | BlockItem::Pragma(_) => {}
            BlockItem::Declaration(_) | BlockItem::Stmt(_) => self.no_pending_routine(),
        }
    }
}

/// Whether all that a directive does is done by the compiler: `nothing`, and `error` without `at(execution)`.
fn only_tells(directive: &Directive) -> bool {
    match directive.kind {
        DirectiveKind::Omp(OmpKind::Nothing) => true,
        DirectiveKind::Omp(OmpKind::Error) => {
            !directive.clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::At(true)))
        }
        _ => false,
    }
}

/// Whether a `declare target` names variables or functions.
fn has_list(directive: &Directive) -> bool {
    let lists = |clause: &Clause| matches!(clause.kind, ClauseKind::Motion(..) | ClauseKind::Link(_));
    directive.clauses.iter().any(lists)
}

pub(super) fn placement(kind: &DirectiveKind) -> Placement {
    match kind {
        DirectiveKind::Loop
        | DirectiveKind::Parallel { loop_: true }
        | DirectiveKind::Serial { loop_: true }
        | DirectiveKind::Kernels { loop_: true } => Placement::Loop,
        DirectiveKind::Parallel { loop_: false }
        | DirectiveKind::Serial { loop_: false }
        | DirectiveKind::Kernels { loop_: false }
        | DirectiveKind::Data
        | DirectiveKind::HostData
        | DirectiveKind::Atomic(_) => Placement::Construct,
        DirectiveKind::Cache { .. } => Placement::Statement,
        DirectiveKind::Declare | DirectiveKind::Routine(_) => Placement::BlockOrFile,
        DirectiveKind::EnterData
        | DirectiveKind::ExitData
        | DirectiveKind::Update
        | DirectiveKind::Wait(_)
        | DirectiveKind::Init
        | DirectiveKind::Shutdown
        | DirectiveKind::Set => Placement::Block,
        DirectiveKind::Omp(omp) => match omp {
            OmpKind::Target
            | OmpKind::TargetData
            | OmpKind::Task
            | OmpKind::Taskgroup
            | OmpKind::Dispatch
            | OmpKind::Parallel
            | OmpKind::Single
            | OmpKind::Master
            | OmpKind::Critical
            | OmpKind::Combined(_)
            | OmpKind::Section
            | OmpKind::Ordered
            | OmpKind::Scope
            | OmpKind::Assume
            | OmpKind::TargetTeamsLoop(_) => Placement::Construct,
            OmpKind::LoopTransformation(_) => Placement::Loop,
            OmpKind::DeclareTarget => Placement::BlockOrFile,
            OmpKind::EndDeclareTarget | OmpKind::Requires => Placement::File,
            OmpKind::TargetEnterData
            | OmpKind::TargetExitData
            | OmpKind::TargetUpdate
            | OmpKind::Taskwait
            | OmpKind::Barrier
            | OmpKind::Taskyield
            | OmpKind::Flush
            | OmpKind::Depobj
            | OmpKind::Scan
            | OmpKind::Doacross
            | OmpKind::Cancel(_)
            | OmpKind::CancellationPoint(_)
            | OmpKind::Unsupported => Placement::Block,
            OmpKind::Threadprivate
            | OmpKind::DeclareReduction
            | OmpKind::DeclareMapper
            | OmpKind::DeclareSimd
            | OmpKind::Allocate
            | OmpKind::Nothing
            | OmpKind::Error
            | OmpKind::Assumes => Placement::BlockOrFile,
        },
    }
}

/// A directive as it is written.
fn spelling(kind: &DirectiveKind) -> String {
    match kind {
        // Many combinations of words; the line is shown anyway.
        DirectiveKind::Omp(OmpKind::TargetTeamsLoop(_) | OmpKind::Combined(_)) => "#pragma omp".to_owned(),
        _ => format!("#pragma {}", kind.name()),
    }
}
