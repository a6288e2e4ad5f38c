//! The parser: from tokens to the syntax tree of [`crate::ast`]. C11 with the GNU extensions of headers and
//! of numerical codes, and the directives of OpenACC and OpenMP.
//!
//! Recursive descent; each function is named after the production of C11 annex A that it parses, with the
//! production above it. It looks ahead, it never backtracks. Only one thing depends on meaning, which names
//! are types, and [`scope`] follows that exactly.
//!
//! After an error parsing goes on behind it, so that one run reports independent errors; [`cursor`] has the
//! rules. What did not parse is in the tree as [`crate::ast::ExprKind::Error`] or
//! [`crate::ast::TypeSpec::Error`], or not at all.
//!
//! Recursion is bounded: every construct that nests counts against [`MAX_NESTING`], and beyond it the parser
//! reports `nesting-too-deep` and stops. Chains that programs make long are parsed in loops and are not
//! bounded: operands of binary operators and commas, `else if`, labels and `case`s. [`teardown`] has what
//! follows from that for trees.

mod asm;
mod attribute;
mod clause;
mod clause_args;
mod cursor;
mod declaration;
mod declarator;
mod directive;
mod dispatch;
mod expr;
use crate::diag::ids;
mod init;
mod omp;
mod omp_atomic;
mod postfix;
mod pragma;
mod primary;
mod record;
mod scope;
mod specifiers;
mod statement;
mod teardown;
mod variant;

#[cfg(test)]
mod tests;

use crate::ast::{Ident, Item, TranslationUnit, TypeSpec};
use crate::diag::{Diagnostic, Sink};
use crate::directive::Parts;
use crate::intern::{Interner, Symbol};
use crate::options::{Options, Standard, Target};
use crate::session::Session;
use crate::source::{Loc, Span};
use crate::token::{Keyword, Punct, Token, TokenKind};
use declaration::{DeclarationContext, DeclarationOrFunction};
use dispatch::Dispatched;
use rustc_hash::FxHashMap;
use std::mem;

/// How deep a program may nest: parentheses, blocks, statements in statements, structs, declarators,
/// initialisers. A level takes at most 4 KiB of stack in the parser, 6 KiB without optimisation: a stack of 8
/// MiB is always enough.
pub const MAX_NESTING: u32 = 1000;

/// Errors after which the parser gives up.
pub const MAX_ERRORS: u32 = 1000;

/// Parses a translation unit. Errors are in the session's sink; the tree has what parsed. `tokens` are what
/// the preprocessor returned; any sequence of tokens is met with errors, never with a panic.
pub fn parse(session: &mut Session, tokens: &[Token]) -> TranslationUnit {
    let mut items = Items::new(session, tokens);
    let mut unit = TranslationUnit::default();
    while let Some(item) = items.next(session) {
        unit.items.push(item);
    }
    unit.misread = items.misread();
    session.sink = items.into_sink();
    unit
}

/// A translation unit, one item after the other: whoever needs an item once can free it before the next one
/// is made, and works in memory that the caches have. The items take the session's diagnostics with them, so
/// that those of the parser stand together in front of what later stages report meanwhile.
pub struct Items<'a> {
    parser: Parser<'a>,
}

impl<'a> Items<'a> {
    /// Before the first item. `tokens` are what the preprocessor returned.
    pub fn new(session: &mut Session, tokens: &'a [Token]) -> Self {
        let sink = mem::take(&mut session.sink);
        let interner = mem::take(&mut session.interner);
        let Options { target, standard, .. } = session.options;
        let mut parser = Parser::new(interner, sink, (target, standard), tokens);
        mem::swap(&mut session.interner, &mut parser.interner);
        Items { parser }
    }

    /// The next item; none at the end.
    pub fn next(&mut self, session: &mut Session) -> Option<Item> {
        mem::swap(&mut session.interner, &mut self.parser.interner);
        let item = self.parser.next_item();
        mem::swap(&mut session.interner, &mut self.parser.interner);
        item
    }

    /// Whether there were syntax errors so far, other than inside directives.
    pub fn misread(&self) -> bool {
        self.parser.gave_up || self.parser.errors > self.parser.directive_errors
    }

    /// Whether there were errors so far.
    pub fn failed(&self) -> bool {
        self.parser.gave_up || self.parser.errors > 0
    }

    /// The diagnostics that the session had before, and the parser's.
    pub fn into_sink(self) -> Sink {
        self.parser.sink
    }
}

/// Names with a meaning in the grammar that are no keywords.
struct Names {
    va_list: Symbol,
    int128: Symbol,
    uint128: Symbol,
    float128: Symbol,
}

struct Parser<'a> {
    tokens: &'a [Token],
    /// Index of `tok`.
    pos: usize,
    /// The current token.
    tok: Token,
    /// The token before it; `Eof` at the start.
    prev: Token,
    /// The token behind the last one, which marks the end.
    eof: Token,
    /// The session's while an item is parsed.
    interner: Interner,
    sink: Sink,
    scopes: scope::Scopes,
    names: Names,
    depth: u32,
    errors: u32,
    /// How many of the errors are inside directives.
    directive_errors: u32,
    gave_up: bool,
    /// The braces do not match: what stands outside functions belongs inside one. Errors about that are not
    /// reported before the next whole function.
    lost: bool,
    /// Number of function bodies around the current token.
    bodies: u32,
    /// Sections may have strides: the clauses are OpenMP's.
    has_strides: bool,
    /// The values that iterators of OpenMP have in the items of a clause that are read for each of them.
    iterator_values: Vec<(Symbol, i64)>,
    /// Where the last error was reported.
    last_error: Option<usize>,
    /// A `routine` directive without a name that waits for its function.
    pending_routine: Option<Span>,
    /// The device that constructs are compiled for.
    target: Target,
    /// The language standard.
    standard: Standard,
    /// Where a directive inside of another one ends.
    directive_end: Option<usize>,
    /// The constructs of OpenMP around the current token, innermost last.
    constructs: Vec<Parts>,
    /// What brings the innermost loop of a directive around the current token into another order.
    reordered: Option<(&'static str, Span)>,
    /// What the next call is of which `dispatch` tells.
    dispatched: Option<Dispatched>,
    /// Variables that hold addresses of the device already, by a clause of `dispatch`.
    device_pointers: Vec<Symbol>,
    /// `declare target` without a list that have not ended.
    declare_targets: usize,
    /// How many versions of the current statement there are.
    versions: usize,
    /// `begin metadirective` that have not ended.
    begun: u32,
    /// Functions that are called in the place of others.
    variants: FxHashMap<Symbol, Vec<variant::Variant>>,
    /// Those of `declare variant` that wait for their function.
    pending_variants: Vec<(variant::Variant, Vec<Ident>)>,
    /// The positions of the selectors of `begin declare variant` that have not ended.
    variant_blocks: Vec<usize>,
    /// The functions of the `begin declare variant` just read are not for this implementation.
    skips_block: bool,
}

impl<'a> Parser<'a> {
    fn new(
        mut interner: Interner,
        sink: Sink,
        (target, standard): (Target, Standard),
        tokens: &'a [Token],
    ) -> Self {
        let names = Names {
            va_list: interner.intern("__builtin_va_list"),
            int128: interner.intern("__int128_t"),
            uint128: interner.intern("__uint128_t"),
            float128: interner.intern("__float128"),
        };
        let mut scopes = scope::Scopes::default();
        for name in [names.va_list, names.int128, names.uint128, names.float128] {
            scopes.declare(name, true);
        }
        let loc = tokens.last().map_or(Loc::default(), |token| token.loc);
        let eof = Token { kind: TokenKind::Eof, flags: Token::LINE_START, sym: names.va_list, loc };
        let mut parser = Parser {
            tokens,
            pos: 0,
            tok: eof,
            prev: eof,
            eof,
            interner,
            sink,
            scopes,
            names,
            depth: 0,
            errors: 0,
            directive_errors: 0,
            gave_up: false,
            lost: false,
            bodies: 0,
            has_strides: false,
            iterator_values: Vec::new(),
            last_error: None,
            pending_routine: None,
            target,
            standard,
            directive_end: None,
            constructs: Vec::new(),
            reordered: None,
            dispatched: None,
            device_pointers: Vec::new(),
            declare_targets: 0,
            versions: 1,
            begun: 0,
            variants: FxHashMap::default(),
            pending_variants: Vec::new(),
            variant_blocks: Vec::new(),
            skips_block: false,
        };
        parser.jump(0);
        parser
    }

    // translation-unit:
    //     external-declaration
    //     translation-unit external-declaration
    fn next_item(&mut self) -> Option<Item> {
        let mut found = None;
        while found.is_none() && self.tok.kind != TokenKind::Eof {
            let start = self.pos;
            let scopes = self.scopes.depth();
            match self.external_declaration() {
                Ok(Some(mut item)) => {
                    self.variants_of_item(&mut item);
                    self.check_routine_item(&item);
                    if matches!(item, Item::Function(_)) {
                        self.lost = false;
                    }
                    if !self.lost || !is_untyped(&item) {
                        found = Some(item);
                    }
                }
                Ok(None) => {}
                Err(cursor::Reported) => {
                    self.scopes.pop_to(scopes);
                    self.pending_routine = None;
                    self.sync_declaration();
                }
            }
            if self.pos == start {
                self.bump();
            }
        }
        if found.is_none() {
            self.no_pending_routine();
        }
        found
    }

    // external-declaration:
    //     function-definition
    //     declaration
    fn external_declaration(&mut self) -> cursor::Parse<Option<Item>> {
        match self.tok.kind {
            TokenKind::Punct(Punct::Semi) => {
                self.bump();
                Ok(None)
            }
            TokenKind::Punct(Punct::RBrace) => {
                let message = "this `}` matches no `{`";
                let at = Span::at(self.tok.loc);
                self.report_here(Diagnostic::error(ids::EXTRANEOUS_BRACE, at, message));
                self.lost = true;
                self.bump();
                Ok(None)
            }
            TokenKind::Keyword(keyword) if cursor::begins_statement(keyword) => {
                let message = "a statement cannot stand outside functions";
                let at = Span::at(self.tok.loc);
                let reported = self.report_here(Diagnostic::error(ids::EXPECTED_DECLARATION, at, message));
                self.lost = true;
                Err(reported)
            }
            TokenKind::Keyword(Keyword::StaticAssert) => {
                Ok(Some(Item::StaticAssert(self.static_assert_declaration()?)))
            }
            TokenKind::Keyword(Keyword::Asm) => Ok(Some(Item::Asm(self.file_scope_asm()?))),
            TokenKind::PragmaAcc | TokenKind::PragmaOmp => Ok(self.external_directive()),
            TokenKind::PragmaOther => Ok(self.pragma().map(Item::Pragma)),
            TokenKind::PragmaEnd => {
                self.bump();
                Ok(None)
            }
            _ => {
                let attributes = self.attributes()?;
                if !attributes.is_empty() && self.eat(Punct::Semi) {
                    return Ok(None);
                }
                Ok(Some(match self.declaration_or_function(attributes, DeclarationContext::File)? {
                    DeclarationOrFunction::Declaration(declaration) => Item::Declaration(declaration),
                    DeclarationOrFunction::Function(function) => Item::Function(function),
                }))
            }
        }
    }
}

/// A declaration without a type: where the braces do not match, this was a statement.
fn is_untyped(item: &Item) -> bool {
    matches!(item, Item::Declaration(declaration) if matches!(declaration.specs.ty, TypeSpec::Missing))
}
