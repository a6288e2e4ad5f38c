//! Nothing that is fed to the parser makes it panic, overflow its stack, or run for long.

use super::{errors, on_big_stack, parse};
use crate::options::Options;
use crate::parse::MAX_NESTING;
use crate::session::Session;
use crate::source::Loc;
use crate::token::{Keyword, Punct, Token, TokenKind};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn repeated(before: &str, unit: &str, times: usize, after: &str) -> String {
    format!("{before}{}{after}", unit.repeat(times))
}

#[test]
fn long_chains_are_no_nesting() {
    // Also on the small stack of a test thread: neither parsing nor freeing them recurses.
    let n = 100_000;
    for text in [
        repeated("int x = 0", " + 1", n, ";"),
        repeated("int x = 0", " + 1 * 2", n, ";"),
        repeated("void f(void) { 0", ", 1", n, "; }"),
        repeated("int f(int a) { ", "if (a) a++; else ", n, "a--; }"),
        repeated("int f(int a) { switch (a) { ", "case 1: ", n, "; } }"),
        repeated("int f(int a) { ", "l: ", n, "; }"),
        repeated("int a[] = { ", "1, ", n, "};"),
        repeated("int f(int a) { ", "a++; ", n, "}"),
        repeated("enum { ", "A, ", n, "};"),
        repeated("int ", "a, ", n, "b;"),
    ] {
        assert_eq!(errors(&text), [], "{}", &text[..40]);
    }
    // The tree is freed when the chain ends in an error, too.
    assert_eq!(errors(&repeated("int x = 0", " + 1", n, " + ;")), [(1, "expected-expression")]);
}

#[test]
fn deep_nesting_is_an_error() {
    let cases = [
        ("int x = ", "(", "1"),
        ("int x = ", "- ", "1"),
        ("int x = ", "(int) ", "1"),
        ("int x = ", "sizeof ", "x"),
        ("int x = ", "__extension__ ", "1"),
        ("int x = (", "__extension__ ", "int) 1"),
        ("int x = ", "a[", "1"),
        ("int x = ", "f(", "1"),
        ("int x = ", "a = ", "1"),
        ("int x = ", "a ? ", "1"),
        ("int x = ", "a ? b : ", "1"),
        ("int x = ", "a || b && c | d ^ e & f == g < h << i + j * (", "1"),
        ("int x = ", "({ ", "1; "),
        ("int x = ", "_Generic(", "1"),
        ("int x = a", "[0]", ""),
        ("int x = a", "++", ""),
        ("int x = a", ".b", ""),
        ("int x = ", "{ ", "1"),
        ("int x = ", "(int[]) { ", "1"),
        ("int x = { ", ".a", " = 1"),
        ("void f(void) ", "{ ", ""),
        ("void f(void) { ", "if (1) ", ";"),
        ("void f(void) { ", "for (;;) { ", ";"),
        ("void f(void) { ", "do ", ";"),
        ("void f(void) { ", "else ", ";"),
        ("void f(void) { ", "\n#pragma acc parallel\n", ";"),
        ("void f(void) { ", "\n#pragma acc paralel\nif (1)", ";"),
        ("void f(void) { if (1) ", "\n#pragma pack(1)\n", ";"),
        ("void f(void) { ", "void g(void) { ", ";"),
        ("void f(void) {\n#pragma acc parallel copy(", "*", "a)\n;"),
        ("void f(void) {\n#pragma acc parallel copy(", "(", "a)\n;"),
        ("int ", "(", "x"),
        ("int ", "(*", "x"),
        ("int ", "*", "x"),
        ("int x", "[1]", ""),
        ("int x", "(int (", "int"),
        ("struct { ", "struct { ", "int a;"),
        ("", "struct { enum { A = sizeof(", "int a;"),
        ("typeof(", "typeof(", "int) x;"),
        ("_Alignas(", "_Alignas(", "int) x;"),
        ("_Atomic(", "_Atomic(", "int) x;"),
        ("int x __attribute__((a(", "b(", "1)));"),
        ("void f(void) ", "[[a]] ", ";"),
    ];
    for (before, unit, after) in cases {
        let text = repeated(before, unit, 100_000, after);
        let ids = on_big_stack(move || errors(&text));
        // Designators are a flat list; stray `else`s and pragmas are errors on the way.
        let too_deep = ids.iter().any(|(_, id)| *id == "nesting-too-deep" || *id == "too-many-errors");
        let flat = unit == ".a" || unit == "[[a]] " || before == "int x = (";
        assert!(too_deep || flat, "{before}{unit}: {:?}", &ids[..ids.len().min(5)]);
    }
}

#[test]
fn ordinary_nesting_is_fine() {
    let n = MAX_NESTING as usize / 4;
    for text in [
        format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)),
        format!("void f(void) {}{}", "{ if (1) ".repeat(n / 2), "; }".repeat(n / 2)),
        format!("void f(void) {{ {}; }}", "for (;;) ".repeat(n)),
        format!("int x = {}1{};", "{".repeat(n), "}".repeat(n)),
        format!("int {}x{};", "(*".repeat(n), ")[2]".repeat(n)),
        format!("int x = {}1;", "a ? b : ".repeat(n)),
    ] {
        assert_eq!(on_big_stack(move || errors(&text)), []);
    }
}

#[test]
fn endless_errors_end() {
    let text = "x = ; ".repeat(100_000);
    assert_eq!(errors(&text).last(), Some(&(1, "too-many-errors")));
    let text = format!("typedef int T; {}", "Tx y; ".repeat(100_000));
    assert_eq!(errors(&text).last(), Some(&(1, "too-many-errors")));
}

/// Every token there is.
fn any_token() -> impl Strategy<Value = TokenKind> {
    prop_oneof![
        8 => Just(TokenKind::Ident),
        2 => Just(TokenKind::Number),
        1 => Just(TokenKind::String),
        1 => Just(TokenKind::Char),
        1 => Just(TokenKind::Unknown),
        1 => Just(TokenKind::PragmaAcc),
        1 => Just(TokenKind::PragmaOmp),
        1 => Just(TokenKind::PragmaOther),
        3 => Just(TokenKind::PragmaEnd),
        1 => Just(TokenKind::Eof),
        8 => proptest::sample::select(Keyword::ALL).prop_map(TokenKind::Keyword),
        16 => proptest::sample::select(Punct::ALL).prop_map(TokenKind::Punct),
        12 => proptest::sample::select(&[Punct::LParen, Punct::RParen, Punct::LBrace, Punct::RBrace, Punct::Semi, Punct::Comma][..])
            .prop_map(TokenKind::Punct),
    ]
}

/// Words that mean something in a directive, and some that are names.
const WORDS: &[&str] = &[
    "parallel",
    "loop",
    "data",
    "enter",
    "routine",
    "cache",
    "wait",
    "atomic",
    "read",
    "copy",
    "reduction",
    "gang",
    "num",
    "target",
    "teams",
    "task",
    "map",
    "to",
    "depend",
    "in",
    "pack",
    "push",
    "weak",
    "x",
    "y",
    "T",
    "__builtin_va_list",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn token_soup_is_survived(soup in prop::collection::vec((any_token(), 0..WORDS.len(), any::<bool>()), 0..300)) {
        let mut session = Session::new(Options::default());
        let mut tokens = Vec::new();
        for (at, (kind, word, line)) in soup.into_iter().enumerate() {
            let text = match kind {
                TokenKind::Keyword(keyword) => keyword.spelling(),
                TokenKind::Number => "8",
                TokenKind::String => "\"s\"",
                TokenKind::Char => "'c'",
                _ => WORDS[word],
            };
            let sym = session.interner.intern(text);
            let flags = if line { Token::LINE_START } else { 0 };
            tokens.push(Token { kind, flags, sym, loc: Loc(at as u32 + 1) });
        }
        super::super::parse(&mut session, &tokens);
    }

    #[test]
    fn mutated_programs_are_survived(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<prop::sample::Index>()), 1..12)
    ) {
        let mut words: Vec<&str> = PROGRAM.split_inclusive([' ', '\n']).collect();
        for (at, edit, other) in edits {
            let at = at.index(words.len());
            let other = words[other.index(words.len())];
            match edit {
                0 => { words.remove(at); }
                1 => words.insert(at, other),
                2 => words[at] = other,
                _ => words.truncate(at + 1),
            }
            if words.is_empty() {
                break;
            }
        }
        parse(&words.concat());
    }
}

/// A bit of everything, its tokens apart.
const PROGRAM: &str = "typedef unsigned long size_t ; struct point { double x , y ; unsigned f : 3 ; union { int a ; } ; } ;\n\
extern int printf ( const char * restrict format , ... ) __attribute__ ( ( format ( printf , 1 , 2 ) ) ) ;\n\
enum color { RED , GREEN = 2 , BLUE } ; static int ( * table [ 2 ] ) ( int ) = { [ 0 ] = 0 , 0 } ;\n\
#pragma acc routine seq\n\
static inline int add ( int a , int b ) { return a + b * ( int ) 3.0 ; }\n\
int old ( a , b ) int a ; double b ; { return a ? : ( int ) b ; }\n\
int main ( int argc , char * * argv ) {\n\
  float sum = 0 , v [ 100 ] ; struct point p = { . x = 1 , . y = 2 } ; size_t n = sizeof ( struct point ) ;\n\
#pragma acc data copy ( v [ 0 : 100 ] )\n\
  {\n\
#pragma acc parallel loop gang vector reduction ( + : sum ) copyin ( readonly : p ) async ( 1 ) wait ( 2 , 3 )\n\
    for ( int i = 0 ; i < 100 ; i ++ ) { sum += v [ i ] * p . x ; if ( i == 3 ) continue ; else sum -- ; }\n\
#pragma acc update self ( v [ : n ] ) if ( argc > 1 )\n\
  }\n\
  switch ( argc ) { case 1 ... 3 : { do { n -- ; } while ( n ) ; break ; } default : goto out ; }\n\
  n = ( { int t = 3 ; t ; } ) + _Generic ( n , size_t : 1 , default : 2 ) ; asm volatile ( \"\" : \"+r\" ( n ) : : \"memory\" ) ;\n\
#pragma omp target teams distribute parallel for map ( tofrom : v ) depend ( in : n )\n\
  for ( ; ; ) ;\n\
out : return ( int ) sum && printf ( \"%f\\n\" , sum ) ; }\n";

#[test]
fn the_program_to_mutate_is_right() {
    assert_eq!(errors(PROGRAM), []);
}
