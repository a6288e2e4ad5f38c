//! Directives and functions that depend on where they stand: `metadirective` and `declare variant` (OpenMP
//! 5.2, 7).
//!
//! The constructs around and the device are known while parsing, and so is the choice, unless a condition of
//! the user is no constant. The statement of a `metadirective` is then parsed once for each directive that it
//! may have, and a call of a function with variants calls what a conditional expression gives:
//!
//! ```text
//! metadirective when(user={condition(n > 9)}: parallel for) default(simd)    if (n > 9) ... else ...
//! f(x)                                                                       (n > 9 ? f_large : f)(x)
//! ```

use super::cursor::{Parse, Reported};
use super::directive::Placement;
use super::dispatch::Dispatched;
use super::omp::words_of;
use super::statement::StatementContext;
use super::{Parser, ids};
use crate::ast::{
    BinaryOp, Declarator, Derived, Expr, ExprKind, Ident, Item, Params, Stmt, StmtKind, UnaryOp,
};
use crate::diag::Diagnostic;
use crate::directive::{Directive, DirectiveKind, OmpKind, Parts};
use crate::intern::Symbol;
use crate::options::Target;
use crate::source::{Loc, Span};
use crate::token::{Punct, TokenKind};
use std::cmp::Reverse;

/// Versions of one statement: each `metadirective` in it that is decided at run time multiplies them.
const MOST_VERSIONS: usize = 64;

/// What a selector wants, where that is possible.
#[derive(Default)]
struct Chance {
    /// Of two that hold, the higher one is meant.
    score: u64,
    /// What must be true at run time.
    condition: Option<Expr>,
}

/// A directive of a `metadirective`.
struct Choice {
    chance: Chance,
    is_default: bool,
    /// Its tokens; none means no directive.
    tokens: Option<(usize, usize)>,
}

/// A function that is called in the place of another one.
#[derive(Clone)]
pub(super) struct Variant {
    name: Symbol,
    /// The position of its selector.
    selector: usize,
    /// The parameters for which it wants addresses of the device in calls of `dispatch`, by their numbers.
    adjusted: Vec<usize>,
}

/// Where a selector is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the current token.
    Here,
    /// Anywhere in the program: what is false there is false everywhere.
    Anywhere,
}

#[derive(Clone, Copy)]
enum TraitSet {
    Construct,
    Device,
    TargetDevice,
    Implementation,
    User,
}

impl Parser<'_> {
    /// Whether the directive at the current token is called by these words.
    fn at_omp(&self, words: &[&str]) -> bool {
        self.omp_name(words).is_some()
    }

    /// How many tokens they are with `#pragma omp`, if it is at them: `declare_variant` is one word of
    /// OpenMP 6.0.
    fn omp_name(&self, words: &[&str]) -> Option<usize> {
        if self.tok.kind != TokenKind::PragmaOmp {
            return None;
        }
        let (mut rest, mut length) = (words, 1);
        while !rest.is_empty() {
            let word = self.interner.text(self.tokens.get(self.pos + length)?.sym);
            rest = match words_of(word) {
                Some(parts) => rest.strip_prefix(parts)?,
                None => rest.strip_prefix([word].as_slice())?,
            };
            length += 1;
        }
        Some(length)
    }

    /// Steps over `#pragma omp` and words if it is at them.
    fn eat_omp(&mut self, words: &[&str]) -> bool {
        let length = self.omp_name(words);
        (0..length.unwrap_or(0)).for_each(|_| _ = self.bump());
        length.is_some()
    }

    /// A `metadirective` in a function, with its statement; none where there is none.
    pub fn metadirective(&mut self, context: StatementContext) -> Parse<Option<Stmt>> {
        let first = self.tok.loc;
        let begins = self.at_omp(&["begin", "metadirective"]);
        if !begins && !self.at_omp(&["metadirective"]) {
            return self.end_metadirective(first);
        }
        for _ in 0..2 + usize::from(begins) {
            self.bump();
        }
        let errors = self.errors;
        let choices = self.choices();
        self.directive_errors += self.errors - errors;
        self.end_of_directive();
        self.begun += u32::from(begins);
        let Ok(choices) = choices else { return self.without_directive(context, first).map(Some) };
        let versions = self.versions;
        self.versions = versions.saturating_mul(choices.len());
        let statement = if self.versions > MOST_VERSIONS {
            let message = format!("a statement with more than {MOST_VERSIONS} versions is not supported");
            self.report(Diagnostic::error(ids::NESTING_TOO_DEEP, Span::at(first), message));
            self.without_directive(context, first)
        } else {
            self.versions_of_statement(choices, context, first)
        };
        self.versions = versions;
        statement.map(Some)
    }

    /// `end metadirective`, which is behind the statement.
    fn end_metadirective(&mut self, first: Loc) -> Parse<Option<Stmt>> {
        if self.begun == 0 || !self.at_omp(&["end", "metadirective"]) {
            return Ok(None);
        }
        self.begun -= 1;
        for _ in 0..3 {
            self.bump();
        }
        if !self.at_end() {
            self.expected(ids::EXPECTED_TOKEN, "the end of the directive");
        }
        self.end_of_directive();
        Ok(Some(Stmt { kind: StmtKind::Empty, span: self.span_from(first) }))
    }

    fn end_of_directive(&mut self) {
        while !self.at_end() {
            self.bump();
        }
        if self.tok.kind == TokenKind::PragmaEnd {
            self.bump();
        }
    }

    /// The statement at the current token, with each of the directives.
    fn versions_of_statement(
        &mut self,
        choices: Vec<Choice>,
        context: StatementContext,
        first: Loc,
    ) -> Parse<Stmt> {
        let start = self.pos;
        let mut found = Vec::new();
        for choice in choices {
            let directive = choice.tokens.and_then(|tokens| self.directive_among(tokens, first));
            found.push((choice.chance.condition, directive));
        }
        self.jump(start);
        if found.iter().all(|(_, directive)| directive.is_none()) {
            return self.without_directive(context, first);
        }
        let is_construct =
            |placement: &Placement| matches!(placement, Placement::Construct | Placement::Loop);
        let takes = found.iter().any(|(_, found)| matches!(found, Some((_, at)) if is_construct(at)));
        let mut end = start;
        let mut versions = Vec::new();
        for (condition, directive) in found {
            self.jump(start);
            let statement = match directive {
                Some((directive, placement @ (Placement::Construct | Placement::Loop))) => {
                    let needs_loop = matches!(placement, Placement::Loop);
                    self.construct(directive, needs_loop, StatementContext::Body, first)?
                }
                Some((directive, _)) => {
                    let span = directive.span;
                    Stmt { kind: StmtKind::Directive(Box::new(directive), None), span }
                }
                None if takes => *self.body_statement(),
                None => Stmt { kind: StmtKind::Empty, span: Span::at(first) },
            };
            end = end.max(self.pos);
            versions.push((condition, statement));
        }
        self.jump(end);
        let mut made = None;
        for (condition, statement) in versions.into_iter().rev() {
            made = Some(match condition {
                None => statement,
                Some(condition) => {
                    let span = statement.span;
                    let otherwise = made.map(Box::new);
                    let then = Box::new(statement);
                    Stmt { kind: StmtKind::If { condition, then, otherwise }, span }
                }
            });
        }
        made.ok_or(Reported)
    }

    /// The directive that tokens of another one make; none for `nothing`, and where something is wrong.
    fn directive_among(&mut self, (from, to): (usize, usize), first: Loc) -> Option<(Directive, Placement)> {
        self.jump(from);
        self.directive_end = Some(to);
        let errors = self.errors;
        let directive = self.omp_directive(first);
        self.directive_end = None;
        self.directive_errors += self.errors - errors;
        let (directive, loops) = directive.ok()?;
        if matches!(directive.kind, DirectiveKind::Omp(OmpKind::Nothing)) {
            return None;
        }
        let placement = if loops { Placement::Loop } else { super::directive::placement(&directive.kind) };
        Some((directive, placement))
    }

    // metadirective-clause:
    //     when ( context-selector : directive-variant(opt) )
    //     default ( directive-variant(opt) )
    //     otherwise ( directive-variant(opt) )
    /// What may be meant here, the likeliest first; the last one has no condition.
    fn choices(&mut self) -> Parse<Vec<Choice>> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut ended = false;
        while !self.at_end() {
            self.eat(Punct::Comma);
            let at = Span::at(self.tok.loc);
            let words = [("when", false), ("default", true), ("otherwise", true)];
            let is_ended = std::mem::replace(&mut ended, self.at_word("otherwise"));
            let is_default = self.word_of("metadirective", &words)?;
            // Before OpenMP 5.2, which named it `otherwise`, `default` stood anywhere among them.
            if is_default && choices.iter().any(|choice| choice.is_default) {
                let message = "`metadirective` has one `default` or `otherwise`";
                return Err(self.report(Diagnostic::error(ids::DUPLICATE_ARGUMENT, at, message)));
            }
            if is_ended {
                let message = "`otherwise` is the last clause of `metadirective`";
                return Err(self.report(Diagnostic::error(ids::DUPLICATE_ARGUMENT, at, message)));
            }
            let open = self.expect(Punct::LParen)?;
            let mut chance = Some(Chance::default());
            if !is_default {
                chance = self.context_selector(Place::Here)?;
                self.expect(Punct::Colon)?;
            }
            let from = self.pos;
            let mut depth = 0usize;
            while !self.at_end() && (depth > 0 || !self.at(Punct::RParen)) {
                match self.bump().kind {
                    TokenKind::Punct(Punct::LParen) => depth += 1,
                    TokenKind::Punct(Punct::RParen) => depth -= 1,
                    _ => {}
                }
            }
            let tokens = (self.pos > from).then_some((from, self.pos));
            self.expect_close(Punct::RParen, open)?;
            choices.extend(chance.map(|chance| Choice { chance, is_default, tokens }));
        }
        choices.sort_by_key(|choice| (choice.is_default, Reverse(choice.chance.score)));
        match choices.iter().position(|choice| choice.chance.condition.is_none()) {
            Some(last) => choices.truncate(last + 1),
            None => choices.push(Choice { chance: Chance::default(), is_default: true, tokens: None }),
        }
        Ok(choices)
    }

    // context-selector:
    //     trait-set-selector
    //     context-selector , trait-set-selector
    // trait-set-selector:
    //     name = { trait-selector , ... }
    /// None if it cannot hold.
    fn context_selector(&mut self, place: Place) -> Parse<Option<Chance>> {
        let sets = [
            ("construct", TraitSet::Construct),
            ("device", TraitSet::Device),
            ("target_device", TraitSet::TargetDevice),
            ("implementation", TraitSet::Implementation),
            ("user", TraitSet::User),
        ];
        let mut chance = Some(Chance::default());
        loop {
            let set = self.word_of("a context selector", &sets)?;
            self.expect(Punct::Eq)?;
            let open = self.expect(Punct::LBrace)?;
            let found = match set {
                TraitSet::Construct => self.construct_traits(place)?,
                _ => self.traits(set, place)?,
            };
            self.expect_close(Punct::RBrace, open)?;
            chance = both(chance, found);
            if !self.eat(Punct::Comma) {
                return Ok(chance);
            }
        }
    }

    /// The names of constructs, which are around in this order.
    fn construct_traits(&mut self, place: Place) -> Parse<Option<Chance>> {
        let known = [
            ("target", Parts::TARGET),
            ("teams", Parts::TEAMS),
            ("parallel", Parts::PARALLEL),
            ("for", Parts::FOR),
            ("simd", Parts::SIMD),
            ("dispatch", Parts::DISPATCH),
        ];
        let mut wanted = Vec::new();
        loop {
            wanted.push(self.word_of("construct", &known)?);
            if self.at(Punct::LParen) {
                self.skip_arguments()?;
            }
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        if place == Place::Anywhere {
            return Ok(Some(Chance::default()));
        }
        let mut around = &self.constructs_around()[..];
        let mut score = 0;
        for part in wanted.into_iter().rev() {
            let Some(at) = around.iter().rposition(|&around| around == part) else { return Ok(None) };
            score += 1 << at.min(40);
            around = &around[..at];
        }
        Ok(Some(Chance { score, condition: None }))
    }

    /// The constructs of selectors around the current token, innermost last.
    fn constructs_around(&self) -> Vec<Parts> {
        let known = [Parts::TARGET, Parts::TEAMS, Parts::PARALLEL, Parts::FOR, Parts::SIMD, Parts::DISPATCH];
        let of_functions = (self.declare_targets > 0).then_some(Parts::TARGET);
        let dispatch = (self.dispatched == Some(Dispatched::Inside)).then_some(Parts::DISPATCH);
        let all = of_functions.into_iter().chain(self.constructs.iter().copied()).chain(dispatch);
        all.flat_map(|parts| known.into_iter().filter(move |&part| parts.has(part))).collect()
    }

    // trait-selector:
    //     name
    //     name ( score(opt) property , ... )
    // score:
    //     score ( expression ) :
    fn traits(&mut self, set: TraitSet, place: Place) -> Parse<Option<Chance>> {
        let mut chance = Some(Chance::default());
        loop {
            let name = match self.tok.kind {
                TokenKind::Ident | TokenKind::Keyword(_) => self.bump_ident(),
                _ => return Err(self.expected(ids::EXPECTED_IDENTIFIER, "the name of a trait")),
            };
            let mut score = 0;
            let mut found = Some(Chance::default());
            if self.at(Punct::LParen) {
                let open = self.bump().loc;
                if self.at_word("score") && self.peek(1) == TokenKind::Punct(Punct::LParen) {
                    self.bump();
                    let given = self.parenthesised_argument()?;
                    score = self.constant(&given).and_then(|score| u64::try_from(score).ok()).unwrap_or(0);
                    self.expect(Punct::Colon)?;
                }
                found = self.properties(set, name, place)?;
                self.expect_close(Punct::RParen, open)?;
            } else if matches!(set, TraitSet::Implementation) {
                // What `requires` may ask for: none of it is known to hold.
                found = None;
            }
            if let Some(found) = &mut found {
                found.score = found.score.saturating_add(score);
            }
            chance = both(chance, found);
            if !self.eat(Punct::Comma) {
                return Ok(chance);
            }
        }
    }

    /// What stands in the parentheses of a trait.
    fn properties(&mut self, set: TraitSet, name: Ident, place: Place) -> Parse<Option<Chance>> {
        let text = self.interner.shared(name.sym);
        let level = match (set, &*text) {
            (TraitSet::User, "condition") => return self.user_condition(),
            (TraitSet::Device | TraitSet::TargetDevice, "kind") => 0,
            (TraitSet::Device | TraitSet::TargetDevice, "arch") => 1,
            (TraitSet::Device | TraitSet::TargetDevice, "isa") => 2,
            (TraitSet::Implementation, "vendor" | "extension" | "requires" | "atomic_default_mem_order") => 0,
            (TraitSet::TargetDevice, "device_num") => {
                let message =
                    "the trait `device_num` is not supported: `target_device` is about the default device";
                return Err(self.report(Diagnostic::error(ids::UNKNOWN_MODIFIER, name.span, message)));
            }
            _ => {
                let message = format!("`{text}` is no trait that this selector has");
                return Err(self.report(Diagnostic::error(ids::UNKNOWN_MODIFIER, name.span, message)));
            }
        };
        let mut holds = true;
        loop {
            let word = match self.tok.kind {
                TokenKind::String => self.unquoted_string("a name")?,
                TokenKind::Ident | TokenKind::Keyword(_) => self.bump_ident().sym,
                _ => return Err(self.expected(ids::EXPECTED_IDENTIFIER, "a name")),
            };
            if self.at(Punct::LParen) {
                self.skip_arguments()?;
            }
            let word = self.interner.text(word);
            holds &= match set {
                TraitSet::Implementation => &*text == "vendor" && word == "accrue",
                _ => self.is_device(word, matches!(set, TraitSet::TargetDevice), place),
            };
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        let score = match set {
            TraitSet::Implementation => 0,
            _ => 1 << (self.constructs_around().len().min(40) + level),
        };
        Ok(holds.then_some(Chance { score, condition: None }))
    }

    /// Whether the device that executes this code, or the default device, is of a kind.
    fn is_device(&self, word: &str, is_default_device: bool, place: Place) -> bool {
        let is_gpu = self.target == Target::Nvidia;
        let (may_be_gpu, may_be_host) = match place {
            Place::Anywhere => (is_gpu, true),
            Place::Here => {
                let on_device = is_default_device
                    || self.declare_targets > 0
                    || self.constructs.iter().any(|parts| parts.has(Parts::TARGET));
                (is_gpu && on_device, !(is_gpu && on_device))
            }
        };
        match word {
            "any" => true,
            "host" | "cpu" | "x86_64" | "x86" | "sse" | "sse2" => may_be_host,
            "nohost" | "gpu" | "nvptx" | "nvptx64" => may_be_gpu,
            _ => false,
        }
    }

    /// `expression`: none if it is 0.
    fn user_condition(&mut self) -> Parse<Option<Chance>> {
        let condition = self.expression()?;
        Ok(match self.constant(&condition) {
            Some(0) => None,
            Some(_) => Some(Chance::default()),
            None => Some(Chance { score: 0, condition: Some(condition) }),
        })
    }

    /// The value of an expression of numbers.
    pub(super) fn constant(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Number(text) => {
                let text = self.interner.text(*text).trim_end_matches(['u', 'U', 'l', 'L']);
                match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                    Some(digits) => i64::from_str_radix(digits, 16).ok(),
                    None if text.len() > 1 && text.starts_with('0') => i64::from_str_radix(text, 8).ok(),
                    None => text.parse().ok(),
                }
            }
            ExprKind::Paren(inner) => self.constant(inner),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(i64::from(self.constant(inner)? == 0)),
            ExprKind::Unary(UnaryOp::Minus, inner) => self.constant(inner)?.checked_neg(),
            ExprKind::Binary(op, _, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                Some(i64::from(match op {
                    BinaryOp::Eq => a == b,
                    BinaryOp::Ne => a != b,
                    BinaryOp::Lt => a < b,
                    BinaryOp::Le => a <= b,
                    BinaryOp::Gt => a > b,
                    BinaryOp::Ge => a >= b,
                    BinaryOp::LogAnd => a != 0 && b != 0,
                    BinaryOp::LogOr => a != 0 || b != 0,
                    _ => return None,
                }))
            }
            _ => None,
        }
    }

    /// `declare variant`, `begin declare variant` and `end declare variant` outside of functions; false where
    /// there is none.
    pub fn variant_declaration(&mut self) -> bool {
        let errors = self.errors;
        let end: &[&str] = &["end", "declare", "variant"];
        let result = if self.eat_omp(&["declare", "variant"]) {
            self.declare_variant()
        } else if self.eat_omp(&["begin", "declare", "variant"]) {
            self.begin_declare_variant()
        } else if self.at_omp(end) && self.variant_blocks.pop().is_some() {
            self.eat_omp(end);
            Ok(())
        } else {
            return false;
        };
        if result.is_ok() && !self.at_end() {
            self.expected(ids::EXPECTED_TOKEN, "the end of the directive");
        }
        self.directive_errors += self.errors - errors;
        self.end_of_directive();
        if self.skips_block {
            self.skips_block = false;
            self.skip_variant_block();
        }
        true
    }

    // declare variant ( identifier ) match ( context-selector ) adjust_args ( ... )(opt)
    fn declare_variant(&mut self) -> Parse<()> {
        let open = self.expect(Punct::LParen)?;
        let name = self.identifier("the name of a function")?;
        self.expect_close(Punct::RParen, open)?;
        let mut selector = None;
        let mut pointers = Vec::new();
        while !self.at_end() {
            self.eat(Punct::Comma);
            if self.word_of("declare variant", &[("match", true), ("adjust_args", false)])? {
                selector = Some(self.match_clause(Place::Anywhere)?.1);
            } else {
                pointers.extend(self.adjusted_parameters()?);
            }
        }
        let Some(selector) = selector else { return Err(self.expected(ids::EXPECTED_CLAUSE, "`match`")) };
        let variant = Variant { name: name.sym, selector, adjusted: Vec::new() };
        self.pending_variants.push((variant, pointers));
        Ok(())
    }

    // ( nothing | need_device_ptr : parameter , ... )
    fn adjusted_parameters(&mut self) -> Parse<Vec<Ident>> {
        let open = self.expect(Punct::LParen)?;
        let is_adjusted = self.word_of("adjust_args", &[("need_device_ptr", true), ("nothing", false)])?;
        self.expect(Punct::Colon)?;
        let mut parameters = Vec::new();
        loop {
            parameters.push(self.identifier("the name of a parameter")?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, open)?;
        parameters.retain(|_| is_adjusted);
        Ok(parameters)
    }

    /// `( context-selector )`: whether it can hold, and its position.
    fn match_clause(&mut self, place: Place) -> Parse<(bool, usize)> {
        let open = self.expect(Punct::LParen)?;
        let selector = self.pos;
        let chance = self.context_selector(place)?;
        self.expect_close(Punct::RParen, open)?;
        Ok((chance.is_some(), selector))
    }

    // begin declare variant match ( context-selector )
    fn begin_declare_variant(&mut self) -> Parse<()> {
        self.word_of("begin declare variant", &[("match", ())])?;
        let (holds, selector) = self.match_clause(Place::Anywhere)?;
        self.skips_block = !holds;
        if holds {
            self.variant_blocks.push(selector);
        }
        Ok(())
    }

    /// Goes behind the `end declare variant` of functions that are for other implementations.
    fn skip_variant_block(&mut self) {
        let mut depth = 1;
        while depth > 0 && self.tok.kind != TokenKind::Eof {
            depth += usize::from(self.at_omp(&["begin", "declare", "variant"]));
            depth -= usize::from(self.at_omp(&["end", "declare", "variant"]));
            self.bump();
        }
        self.end_of_directive();
    }

    /// Connects a function with the variants that were declared in front of it; a function of `begin declare
    /// variant` becomes one.
    pub fn variants_of_item(&mut self, item: &mut Item) {
        if self.pending_variants.is_empty() && self.variant_blocks.is_empty() {
            return;
        }
        let declarator: Option<&mut Declarator> = match item {
            Item::Function(function) => {
                if let Some(&selector) = self.variant_blocks.last()
                    && let Some(name) = &mut function.declarator.name
                {
                    let count = self.variants.values().map(Vec::len).sum::<usize>();
                    let text = format!("{}.variant{count}", self.interner.text(name.sym));
                    let base = std::mem::replace(&mut name.sym, self.interner.intern(&text));
                    let variant = Variant { name: name.sym, selector, adjusted: Vec::new() };
                    self.variants.entry(base).or_default().push(variant);
                    return;
                }
                Some(&mut function.declarator)
            }
            Item::Declaration(declaration) if Self::declares_one_function(declaration) => {
                declaration.declarators.first_mut().map(|one| &mut one.declarator)
            }
            Item::Directive(_) | Item::Pragma(_) => return,
            Item::Declaration(_) | Item::Asm(_) | Item::StaticAssert(_) => None,
        };
        let variants = std::mem::take(&mut self.pending_variants);
        match declarator.and_then(|declarator| Some((declarator.name?, &declarator.derived))) {
            Some((name, derived)) => {
                for (mut variant, pointers) in variants {
                    variant.adjusted = self.parameter_numbers(name, derived, &pointers);
                    self.variants.entry(name.sym).or_default().push(variant);
                }
            }
            None if variants.is_empty() => {}
            None => {
                let message = "`#pragma omp declare variant` must be followed by one function";
                let at = Span::at(self.prev.loc);
                self.report(Diagnostic::error(ids::ROUTINE_WITHOUT_FUNCTION, at, message));
            }
        }
    }

    /// Which parameters of a function these are.
    fn parameter_numbers(&mut self, function: Ident, derived: &[Derived], wanted: &[Ident]) -> Vec<usize> {
        let names: Vec<Option<Symbol>> = match derived.first() {
            Some(Derived::Function(function)) => match &function.params {
                Params::Prototype(params) => {
                    params.iter().map(|param| param.declarator.name.map(|name| name.sym)).collect()
                }
                Params::Identifiers(names) => names.iter().map(|name| Some(name.sym)).collect(),
                Params::Unknown => Vec::new(),
            },
            Some(Derived::Pointer(_) | Derived::Array { .. }) | None => Vec::new(),
        };
        let mut numbers = Vec::new();
        for parameter in wanted {
            match names.iter().position(|&name| name == Some(parameter.sym)) {
                Some(number) => numbers.push(number),
                None => {
                    let (parameter_text, function) =
                        (self.interner.text(parameter.sym), self.interner.text(function.sym));
                    let message = format!("`{parameter_text}` is no parameter of `{function}`");
                    self.report(Diagnostic::error(ids::UNDECLARED, parameter.span, message));
                }
            }
        }
        numbers
    }

    /// What a call of `callee` calls here, and the numbers of the arguments for which it wants addresses of
    /// the device.
    pub fn variant_of(&mut self, callee: Expr) -> Parse<(Expr, Vec<usize>)> {
        // Calls in the arguments are not what `dispatch` is about.
        let dispatched = self.dispatched.take();
        let ExprKind::Ident(name) = callee.kind else { return Ok((callee, Vec::new())) };
        if dispatched == Some(Dispatched::Itself) {
            return Ok((callee, Vec::new()));
        }
        let Some(variants) = self.variants.get(&name).cloned() else { return Ok((callee, Vec::new())) };
        let (pos, prev) = (self.pos, self.prev);
        let mut found = Vec::new();
        for variant in variants {
            self.jump(variant.selector);
            self.dispatched = dispatched;
            let chance = self.context_selector(Place::Here);
            self.dispatched = None;
            self.jump(pos);
            self.prev = prev;
            let Some(chance) = chance? else { continue };
            found.push((chance, variant));
        }
        found.sort_by_key(|(chance, _)| Reverse(chance.score));
        if let Some(last) = found.iter().position(|(chance, _)| chance.condition.is_none()) {
            found.truncate(last + 1);
        }
        let span = callee.span;
        let mut adjusted = Vec::new();
        if dispatched.is_some() && found.iter().any(|(_, variant)| !variant.adjusted.is_empty()) {
            if let [(Chance { condition: None, .. }, variant)] = &found[..] {
                adjusted.clone_from(&variant.adjusted);
            } else {
                let message = "`adjust_args(need_device_ptr: ...)` of a variant is not supported beside conditions of \
                               the program, which decide at run time";
                self.report(Diagnostic::error(ids::OMP_UNSUPPORTED, span, message));
            }
        }
        let mut called = callee;
        for (chance, variant) in found.into_iter().rev() {
            let variant = Expr { kind: ExprKind::Ident(variant.name), span };
            called = match chance.condition {
                None => variant,
                Some(condition) => {
                    let (condition, variant) = (Box::new(condition), Box::new(variant));
                    let kind = ExprKind::Conditional(condition, Some(variant), Box::new(called));
                    Expr { kind, span }
                }
            };
        }
        Ok((called, adjusted))
    }
}

/// Both selectors at once.
fn both(a: Option<Chance>, b: Option<Chance>) -> Option<Chance> {
    let (a, b) = (a?, b?);
    let condition = match (a.condition, b.condition) {
        (Some(x), Some(y)) => {
            let span = x.span;
            let kind = ExprKind::Binary(BinaryOp::LogAnd, span, Box::new(x), Box::new(y));
            Some(Expr { kind, span })
        }
        (x, y) => x.or(y),
    };
    Some(Chance { score: a.score.saturating_add(b.score), condition })
}
