//! Declarations outside functions, told apart without parsing them: where each ends and which names it
//! declares. A program gets those of its headers that it names, and those that these name.
//!
//! The grammar is followed as far as that takes: specifiers with the tags and enumerators they define,
//! declarators, initialisers, bodies. A name that is overlooked makes a program that uses it wrong, and wrong
//! programs are compiled without the cache; what is left out is never seen to be missing otherwise. So what
//! has a meaning although nobody names it is always kept: what defines an object or function with external
//! linkage, assertions, pragmas, constructors.

use crate::intern::{Interner, Symbol};
use crate::token::{Keyword, Punct, Token, TokenKind};
use std::ops::Range;

/// A declaration outside functions, or several where one would not be complete without the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    /// Its tokens.
    pub(crate) tokens: Range<u32>,
    /// It is needed whether or not it is named.
    pub(crate) always: bool,
}

/// The declarations of a run of headers.
#[derive(Default, Debug)]
pub(crate) struct Units {
    /// In order; they cover all tokens.
    pub(crate) list: Vec<Unit>,
    /// Which names the units declare, by their place in the list.
    pub(crate) names: Vec<(Symbol, u32)>,
}

/// Divides tokens into units. Directives speak of what follows them or begin and end regions: with any among
/// the tokens, and where brackets do not match, all of them are one unit.
pub(crate) fn skim(tokens: &[Token], interner: &Interner) -> Units {
    let mut skimmer = Skimmer { tokens, interner, at: 0, names: Vec::new(), always: false };
    let mut units = Units::default();
    while skimmer.at < tokens.len() {
        let start = skimmer.at as u32;
        skimmer.always = false;
        skimmer.names.clear();
        let is_directive = matches!(skimmer.kind(), TokenKind::PragmaAcc | TokenKind::PragmaOmp);
        if is_directive || skimmer.unit().is_none() {
            let all = Unit { tokens: 0..tokens.len() as u32, always: true };
            return Units { list: vec![all], names: Vec::new() };
        }
        let number = units.list.len() as u32;
        units.names.extend(skimmer.names.iter().map(|&name| (name, number)));
        units.list.push(Unit { tokens: start..skimmer.at as u32, always: skimmer.always });
    }
    units
}

struct Skimmer<'a> {
    tokens: &'a [Token],
    interner: &'a Interner,
    at: usize,
    names: Vec<Symbol>,
    always: bool,
}

impl Skimmer<'_> {
    fn kind(&self) -> TokenKind {
        self.kind_at(self.at)
    }

    fn kind_at(&self, at: usize) -> TokenKind {
        self.tokens.get(at).map_or(TokenKind::Eof, |token| token.kind)
    }

    fn is(&self, punct: Punct) -> bool {
        self.kind() == TokenKind::Punct(punct)
    }

    /// One unit. None where the tokens are not understood.
    fn unit(&mut self) -> Option<()> {
        if self.kind() == TokenKind::PragmaOther {
            self.always = true;
            while self.kind() != TokenKind::PragmaEnd {
                if self.kind() == TokenKind::Eof {
                    return None;
                }
                self.at += 1;
            }
            self.at += 1;
            return Some(());
        }
        let mut linkage = Linkage::default();
        // The identifier that is the declarator's name if nothing but its end follows.
        let mut candidate = None;
        let mut has_declarator = false;
        let mut is_prototype = false;
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::Semi) => {
                    self.name(candidate, &mut has_declarator);
                    self.at += 1;
                    self.always |= has_declarator && !linkage.is_invisible && !is_prototype;
                    return Some(());
                }
                TokenKind::Punct(Punct::Comma) => {
                    self.name(candidate.take(), &mut has_declarator);
                    self.at += 1;
                }
                TokenKind::Punct(Punct::Eq) => {
                    self.name(candidate.take(), &mut has_declarator);
                    // An object that is initialised is defined, whatever is written before it.
                    self.always |= linkage.is_extern;
                    self.initialiser()?;
                }
                TokenKind::Punct(Punct::LParen) => {
                    let end = self.closing()?;
                    let first = self.kind_at(self.at + 1);
                    let points = matches!(first, TokenKind::Punct(Punct::Star | Punct::Caret));
                    let called = self.kind_at(end + 1) == TokenKind::Punct(Punct::LParen);
                    if candidate.is_none() && !has_declarator || points || called {
                        // The declarator stands in parentheses, behind a specifier.
                        candidate = self.first_name(end);
                        self.name(candidate.take(), &mut has_declarator);
                    } else {
                        self.name(candidate.take(), &mut has_declarator);
                        is_prototype = true;
                    }
                    self.group(end);
                }
                TokenKind::Punct(Punct::LBracket) => {
                    self.name(candidate.take(), &mut has_declarator);
                    let end = self.closing()?;
                    self.group(end);
                }
                TokenKind::Punct(Punct::LBrace) => {
                    self.name(candidate, &mut has_declarator);
                    let end = self.closing()?;
                    self.group(end);
                    self.always |= !linkage.is_static_or_inline;
                    return Some(());
                }
                TokenKind::Keyword(Keyword::Struct | Keyword::Union | Keyword::Enum) => self.tag()?,
                TokenKind::Keyword(
                    Keyword::Attribute | Keyword::Typeof | Keyword::Alignas | Keyword::Asm,
                ) => {
                    let declares = matches!(self.kind(), TokenKind::Keyword(Keyword::Attribute));
                    if declares || self.kind() == TokenKind::Keyword(Keyword::Asm) {
                        // Only a declarator has these behind an identifier, or a specifier, which nobody
                        // else declares.
                        self.name(candidate.take(), &mut has_declarator);
                    }
                    self.always |= self.kind() == TokenKind::Keyword(Keyword::Asm) && !has_declarator;
                    self.at += 1;
                    if self.is(Punct::LParen) {
                        let end = self.closing()?;
                        self.group(end);
                    }
                }
                TokenKind::Keyword(keyword) => {
                    self.always |= keyword == Keyword::StaticAssert;
                    linkage.meet(keyword);
                    self.at += 1;
                }
                TokenKind::Ident => {
                    candidate = self.tokens.get(self.at).map(|token| token.sym);
                    self.at += 1;
                }
                TokenKind::Punct(Punct::Star | Punct::Colon) | TokenKind::Number => self.at += 1,
                _ => return None,
            }
        }
    }

    fn name(&mut self, name: Option<Symbol>, has_declarator: &mut bool) {
        if let Some(name) = name {
            self.names.push(name);
            *has_declarator = true;
        }
    }

    /// `struct`, `union` or `enum`, with what it defines.
    fn tag(&mut self) -> Option<()> {
        let is_enum = self.kind() == TokenKind::Keyword(Keyword::Enum);
        self.at += 1;
        let mut tag = None;
        loop {
            match self.kind() {
                TokenKind::Keyword(Keyword::Attribute) => {
                    self.at += 1;
                    let end = self.closing()?;
                    self.group(end);
                }
                TokenKind::Ident if tag.is_none() => {
                    tag = self.tokens.get(self.at).map(|token| token.sym);
                    self.at += 1;
                }
                _ => break,
            }
        }
        if self.is(Punct::LBrace) {
            self.names.extend(tag);
            let end = self.closing()?;
            if is_enum {
                self.enumerators(end);
            } else {
                self.members(end)?;
            }
        } else if self.is(Punct::Semi) {
            self.names.extend(tag);
        }
        Some(())
    }

    /// The members of a structure, of which only those matter that define tags.
    fn members(&mut self, end: usize) -> Option<()> {
        self.at += 1;
        while self.at < end {
            match self.kind() {
                TokenKind::Keyword(Keyword::Struct | Keyword::Union | Keyword::Enum) => self.tag()?,
                _ => self.at += 1,
            }
        }
        self.at = end + 1;
        Some(())
    }

    fn enumerators(&mut self, end: usize) {
        let mut begins = true;
        for at in self.at + 1..end {
            match self.kind_at(at) {
                TokenKind::Ident if begins => self.names.push(self.tokens[at].sym),
                _ => {}
            }
            begins = self.kind_at(at) == TokenKind::Punct(Punct::Comma);
        }
        self.at = end + 1;
    }

    /// Behind `=`, up to the comma or semicolon that ends it.
    fn initialiser(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::Comma | Punct::Semi) => return Some(()),
                TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => {
                    let end = self.closing()?;
                    self.group(end);
                }
                TokenKind::Eof => return None,
                _ => self.at += 1,
            }
        }
    }

    /// The place of the bracket that closes the one at hand.
    fn closing(&self) -> Option<usize> {
        let mut depth = 0u32;
        for (at, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token.kind {
                TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => depth += 1,
                TokenKind::Punct(Punct::RParen | Punct::RBrace | Punct::RBracket) => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                TokenKind::PragmaAcc | TokenKind::PragmaOmp => return None,
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Steps over a bracket and what it closes. What is called before or behind `main` is not named by
    /// anybody, and what is kept for other tools need not be.
    fn group(&mut self, end: usize) {
        const NAMELESS: [&str; 6] =
            ["constructor", "__constructor__", "destructor", "__destructor__", "used", "__used__"];
        let tokens = &self.tokens[self.at..end];
        let mut names = tokens.iter().filter(|token| token.kind == TokenKind::Ident);
        self.always |= names.any(|token| NAMELESS.contains(&self.interner.text(token.sym)));
        self.at = end + 1;
    }

    /// The first identifier in parentheses: the name of the declarator there.
    fn first_name(&self, end: usize) -> Option<Symbol> {
        let inside = &self.tokens[self.at..end];
        inside.iter().find(|token| token.kind == TokenKind::Ident).map(|token| token.sym)
    }
}

/// What the specifiers say about who sees what is declared.
#[derive(Default)]
struct Linkage {
    is_extern: bool,
    is_static_or_inline: bool,
    /// It defines nothing that another translation unit could name.
    is_invisible: bool,
}

impl Linkage {
    fn meet(&mut self, keyword: Keyword) {
        match keyword {
            Keyword::Extern => (self.is_extern, self.is_invisible) = (true, true),
            Keyword::Static | Keyword::Inline => (self.is_static_or_inline, self.is_invisible) = (true, true),
            Keyword::Typedef => self.is_invisible = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::pp::{Input, preprocess};
    use crate::session::Session;

    /// The names of each unit, with `!` for one that is always needed.
    fn skimmed(text: &str) -> Vec<String> {
        let mut session = Session::new(Options { default_dirs: false, ..Options::default() });
        let input = Input::Memory { name: "t.c".into(), text: text.as_bytes().to_vec() };
        let mut tokens = preprocess(&mut session, &input);
        tokens.pop();
        let units = skim(&tokens, &session.interner);
        let mut at = 0;
        for unit in &units.list {
            assert_eq!(unit.tokens.start, at, "{text}");
            at = unit.tokens.end;
        }
        assert_eq!(at as usize, tokens.len(), "{text}");
        let names = |number: usize| {
            let of = units.names.iter().filter(|&&(_, unit)| unit == number as u32);
            of.map(|&(name, _)| session.interner.text(name)).collect::<Vec<_>>().join(" ")
        };
        let unit = |(number, unit): (usize, &Unit)| {
            format!("{}{}", if unit.always { "!" } else { "" }, names(number))
        };
        units.list.iter().enumerate().map(unit).collect()
    }

    #[test]
    fn declarations_are_known_by_what_they_declare() {
        for (text, names) in [
            ("extern int printf(const char *restrict f, ...);", "printf"),
            ("extern size_t fread(void *p, size_t n) __attribute__((pure));", "fread"),
            ("int f(FILE *stream);", "f"),
            ("typedef unsigned long int size_t;", "size_t"),
            ("typedef struct _IO_FILE FILE;", "FILE"),
            ("typedef int (*compare)(const void *, const void *);", "compare"),
            ("typedef size_t (*compare)(const void *, const void *);", "compare"),
            ("extern void (*signal(int sig, void (*handler)(int)))(int);", "signal"),
            ("extern int (isalpha)(int);", "isalpha"),
            (
                "struct tm { int tm_sec; struct in { int x; } a; enum { ONE, TWO = ONE + 1 } b; };",
                "tm in ONE TWO",
            ),
            ("typedef struct { int quot, rem; } div_t;", "div_t"),
            ("struct __attribute__((packed)) { int a; } extern x, *y;", "x y"),
            ("struct later;", "later"),
            ("enum color { RED = f(1, 2), GREEN };", "color RED GREEN"),
            ("extern int a, *b, c[3], (*d)[2];", "a b c d"),
            ("extern char *environ __asm__(\"env\");", "environ"),
            ("static inline int twice(int x) { return 2 * x; }", "twice"),
            ("extern inline int twice(int x) { return 2 * x; }", "twice"),
            ("static const int table[] = { 1, 2 }, n = 2;", "table n"),
            ("int once(int x) { return x; }", "!once"),
            ("int object;", "!object"),
            ("int object = 3;", "!object"),
            ("extern int object = 3;", "!object"),
            ("_Static_assert(sizeof(int) == 4, \"\");", "!"),
            ("static void __attribute__((constructor)) first(void) { }", "!first"),
            ("__extension__ typedef struct { long long int quot; } lldiv_t;", "lldiv_t"),
            ("extern double gamma(double) __attribute__((x)); ", "gamma"),
            ("typedef float real __attribute__((mode(DF)));", "real"),
        ] {
            assert_eq!(skimmed(text), [names], "{text}");
        }
    }

    #[test]
    fn units_follow_each_other() {
        let text =
            "typedef int a;\n#pragma pack(push)\nstruct b { a c; };\n#pragma pack(pop)\nint d(struct b *);";
        assert_eq!(skimmed(text), ["a", "!", "b", "!", "d"]);
    }

    #[test]
    fn what_is_not_understood_is_one_unit() {
        for text in
            ["int a; #pragma acc routine\n", "int a;\n#pragma acc routine\nint b(void);", "int f( {", "}"]
        {
            assert_eq!(skimmed(text).len(), 1, "{text}");
        }
    }
}
