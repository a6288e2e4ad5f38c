//! Which errors are found, and on which line.

use super::{errors, parse};

#[track_caller]
fn check(cases: &[(&str, &[(u32, &str)])]) {
    for (text, expected) in cases {
        assert_eq!(errors(text), *expected, "{text}");
    }
}

#[test]
fn one_mistake_is_one_error() {
    check(&[
        ("int f(void) { return 1 }\nint g(void) { return 2; }", &[(1, "expected-token")]),
        (
            "int f(void) {\n  int a = 1\n  int b = 2;\n  a = b\n  return a;\n}",
            &[(2, "expected-token"), (4, "expected-token")],
        ),
        ("int x\nint y;", &[(1, "expected-token")]),
        ("struct s { int a; }\nint f(void) { return 0; }", &[(1, "expected-token")]),
        ("struct s { int a }\n;", &[]),
        ("int f(int a, b c) { return a; }", &[(1, "unknown-type")]),
        ("int f(a, int b);", &[(1, "unknown-type")]),
        ("foo x;\nfoo *y;\nint z;", &[(1, "unknown-type"), (2, "unknown-type")]),
        ("void f(void) { foo x; foo y = 1; int z; }", &[(1, "unknown-type"), (1, "unknown-type")]),
        ("int f(void) { return (1 + ; }\nint g;", &[(1, "expected-expression")]),
        ("int a[3;\nint b;", &[(1, "expected-token")]),
        ("int f(void) { if (1 return 2; else return 3; }", &[(1, "expected-token")]),
        ("int f(int n) { for (int i = 0; i < n i++) n++; return n; }", &[(1, "expected-token")]),
        ("int f(int n) { for (;;; ) { n++; } return n; }", &[(1, "expected-expression")]),
        ("int f(int n) { while n { n++; } return n; }", &[(1, "expected-token")]),
        ("int f(int n) { do n++; until (n); return n; }\nint x;", &[(1, "expected-token")]),
        ("void f(void) { else f(); f(); }", &[(1, "else-without-if")]),
        ("void f(void) { if (1) int x = 2; f(); }", &[(1, "expected-statement")]),
        ("void f(void) { case: f(); }", &[(1, "expected-expression")]),
        ("void f(void) { goto; f(); }", &[(1, "expected-identifier")]),
        ("void f(void) { int = 3; f(); }", &[(1, "expected-identifier")]),
        (
            "void f(void) { f(1,); f(,1); f(1 2); }",
            &[(1, "expected-expression"), (1, "expected-expression"), (1, "expected-token")],
        ),
        (
            "void f(void) { a.1; a->; a[]; }",
            &[(1, "expected-token"), (1, "expected-identifier"), (1, "expected-expression")],
        ),
        (
            "void f(void) { int x = (int) ; x = sizeof(int; x = 1; }",
            &[(1, "expected-expression"), (1, "expected-token")],
        ),
        (
            "typedef int T; void f(void) { x = T; x = int; }",
            &[(1, "expected-expression"), (1, "expected-expression")],
        ),
        (
            "enum { }; enum e { A, , B }; enum; struct; union 3;",
            &[
                (1, "empty-enum"),
                (1, "expected-identifier"),
                (1, "expected-token"),
                (1, "expected-token"),
                (1, "expected-token"),
            ],
        ),
        ("int f(void);\n}\nint x;", &[(2, "extraneous-brace")]),
        ("int main( { return 0; }\nint x y;", &[(1, "expected-type"), (2, "expected-token")]),
        ("+;\nint x;", &[(1, "expected-declaration")]),
        (
            "void f(int n) { n++; } }\nfor (;;) { n++; } return n;\n}\nint x y;\nint g(void) { 1 }",
            &[(1, "extraneous-brace"), (5, "expected-token")],
        ),
        (
            "void f(int n)\n  int i = 3;\n  for (i = 0; i < n; i++) {\n    n++;\n  }\n  n = 2; return;\n}\nint g(void) { 1 }",
            &[(1, "expected-token"), (3, "expected-declaration"), (8, "expected-token")],
        ),
        ("int x = ;\nint y = {1, ;\nint z;", &[(1, "expected-expression"), (2, "expected-expression")]),
        ("int f(void) { return _Generic(1, int: 2, 3); }", &[(1, "expected-type")]),
        (
            "_Static_assert(1, 2); _Static_assert(); int x;",
            &[(1, "expected-string"), (1, "expected-expression")],
        ),
        (
            "void f(void) { asm(1); asm(\"\" : 3); asm(\"\" :: \"r\" 3); }",
            &[(1, "expected-string"), (1, "expected-string"), (1, "expected-token")],
        ),
        (
            "int x __attribute__((a b)); int y __attribute__(c); int z;",
            &[(1, "expected-token"), (1, "expected-token")],
        ),
        ("void f(void) { ({ 1 + ; }); f(); }", &[(1, "expected-expression")]),
        ("void f(void) { x = a ? b; f(); }", &[(1, "expected-token")]),
    ]);
}

#[test]
fn specifiers_that_do_not_go_together() {
    check(&[
        ("long long long a; int b;", &[(1, "conflicting-specifiers")]),
        ("int float a; int b;", &[(1, "conflicting-specifiers")]),
        ("short long a; short short b;", &[(1, "conflicting-specifiers"), (1, "duplicate-specifier")]),
        (
            "unsigned float a; signed unsigned b; unsigned unsigned c;",
            &[(1, "conflicting-specifiers"), (1, "conflicting-specifiers"), (1, "duplicate-specifier")],
        ),
        ("long char a; long long double b; void int c; _Bool signed d;", &[(1, "conflicting-specifiers"); 4]),
        ("long _Float64 a; unsigned _Float32 b;", &[(1, "conflicting-specifiers"); 2]),
        (
            "_Complex int a; _Complex char b; _Complex void c; double _Imaginary d;",
            &[
                (1, "unsupported-type"),
                (1, "unsupported-type"),
                (1, "conflicting-specifiers"),
                (1, "unsupported-type"),
            ],
        ),
        ("struct s { int a; } int b;", &[(1, "conflicting-specifiers")]),
        ("typedef int T; T int a; int b;", &[(1, "conflicting-specifiers")]),
        (
            "static extern int a; static static int b; typedef auto int c;",
            &[(1, "conflicting-specifiers"), (1, "duplicate-specifier"), (1, "conflicting-specifiers")],
        ),
        (
            "struct s { static int a; inline int b; }; void f(static int a, register int b);",
            &[(1, "misplaced-specifier"); 3],
        ),
        (
            "void f(void) { (static int) 1; sizeof(extern int); }",
            &[(1, "misplaced-specifier"), (1, "expected-expression")],
        ),
        ("const const volatile const int a; int const long b; static _Thread_local int c;", &[]),
    ]);
}

#[test]
fn pragmas_that_are_wrong() {
    check(&[
        ("#pragma pack(3)\nint x;", &[(1, "pragma-syntax")]),
        ("#pragma pack(push, 4\nint x;", &[(1, "expected-token")]),
        (
            "#pragma pack(pus)\n#pragma pack\n#pragma weak 3\nint x;",
            &[(1, "pragma-syntax"), (2, "expected-token"), (3, "expected-identifier")],
        ),
        ("#pragma pack(1) x\nint x;", &[(1, "pragma-syntax")]),
        ("#pragma scalar_storage_order big-endian\nint x;", &[(1, "unsupported-pragma")]),
        ("void f(void) { if (1)\n#pragma STDC FP_CONTRACT ON\nf(); }", &[(2, "misplaced-pragma")]),
        ("struct s {\n#pragma pack(1)\n int a; };", &[]),
    ]);
}

#[test]
fn an_open_brace_is_pointed_at() {
    let (session, _) = parse("int f(void) {\n  if (1) {\n    f();\n}\n");
    let [error] = session.sink.list() else { panic!("{:#?}", session.sink.list()) };
    assert_eq!(error.id, "expected-token");
    assert_eq!(error.message, "expected `}` after `}`, at the end of the file");
    let (place, text) = &error.related[0];
    assert_eq!(text, "to match this `{`");
    assert_eq!(session.sources.position(place.first).map(|p| (p.line, p.column)), Some((1, 13)));
}

#[test]
fn messages_say_what_is_missing_and_where() {
    let cases = [
        ("int f(void) { return 1 }", "expected `;` to end the `return` statement before `}`"),
        ("int f(void) { return 1\n}", "expected `;` to end the `return` statement after `1`"),
        ("int f(void) { return (2; }", "expected `)` before `;`"),
        ("typedef int T; int f(void) { return T; }", "expected an expression (`T` is a type) before `T`"),
        ("flaot x;", "unknown type name `flaot`"),
        ("long char x;", "`char` cannot be combined with the type before it"),
        ("void f(void) { x.; }", "expected the name of a member before `;`"),
        ("int f(int, 3);", "expected the type of a parameter before `3`"),
    ];
    for (text, expected) in cases {
        let (session, _) = parse(text);
        assert_eq!(session.sink.list()[0].message, expected, "{text}");
    }
}

#[test]
fn misspelt_types_are_suggested() {
    for (text, note) in [
        ("flaot x;", "did you mean `float`?"),
        ("typedef int matrix_t; matirx_t x;", "did you mean `matrix_t`?"),
        ("void f(void) { unsinged x; }", "did you mean `unsigned`?"),
        ("__m256d x;", "accrue has no vector intrinsics of any processor"),
    ] {
        let (session, _) = parse(text);
        assert_eq!(session.sink.list()[0].notes, [note], "{text}");
    }
}

#[test]
fn errors_in_one_function_leave_the_others_alone() {
    let text = "int f(void) { return +; }\nint g(void) { int a[; }\nint h(void { return 1; }\nint i(void) { if }\n\
                int j(void) { return 1 1; }\nint k(void) { return 0; }";
    assert_eq!(
        errors(text),
        [
            (1, "expected-expression"),
            (2, "expected-expression"),
            (3, "expected-token"),
            (4, "expected-token"),
            (5, "expected-token"),
        ]
    );
}
