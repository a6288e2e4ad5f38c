//! What trees look like.

use super::write::Writer;
use super::{accept, parse};
use crate::ast::Item;

/// The items of the last function of `text`.
fn body(text: &str) -> String {
    let (session, unit) = parse(text);
    assert!(session.sink.list().is_empty(), "{text}\n{:#?}", session.sink.list());
    let Some(Item::Function(function)) = unit.items.last() else {
        panic!("no function at the end of {text}")
    };
    let text = Writer(&session.interner).stmt(&function.body);
    let inner = text.strip_prefix("{ ").and_then(|text| text.strip_suffix(" }"));
    inner.unwrap_or_default().to_owned()
}

fn in_function(text: &str) -> String {
    body(&format!("typedef int T; typedef int U; void f(void) {{ {text} }}"))
}

fn declared(text: &str) -> String {
    let (session, unit) = parse(text);
    assert!(session.sink.list().is_empty(), "{text}\n{:#?}", session.sink.list());
    match unit.items.last() {
        Some(Item::Declaration(declaration)) => Writer(&session.interner).declaration(declaration),
        other => panic!("{other:?} at the end of {text}"),
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)], write: impl Fn(&str) -> String) {
    for (text, expected) in cases {
        assert_eq!(write(text), *expected, "{text}");
    }
}

#[test]
fn operators_bind_as_in_c() {
    let cases = [
        ("a + b * c - d;", "<<a Add <b Mul c>> Sub d>;"),
        ("a << b + c < d & e == f;", "<<<a Shl <b Add c>> Lt d> BitAnd <e Eq f>>;"),
        ("a || b && c | d ^ e & f;", "<a LogOr <b LogAnd <c BitOr <d BitXor <e BitAnd f>>>>>;"),
        ("a = b += c ? d : e ? g : h;", "<a = <b Add= <c ? d : <e ? g : h>>>>;"),
        ("a ?: b, c;", "<<a ?  : b> , c>;"),
        ("a ? b, c : d;", "<a ? <b , c> : d>;"),
        ("- a ++ . b -> c [ d ] ( e , g );", "<Minus a++.b->c[d](e, g)>;"),
        ("* & a -- - -- b;", "<<Deref <AddrOf a-->> Sub <PreDec b>>;"),
        ("! a == ~ b;", "<<Not a> Eq <BitNot b>>;"),
        ("sizeof a [ 1 ] + sizeof ( a ) . b;", "<<sizeof a[1]> Add <sizeof (a).b>>;"),
        ("__extension__ __real__ a * __imag__ b;", "<<Real a> Mul <Imag b>>;"),
        ("goto * & & a;", "goto *<AddrOf <AddrOf a>>;"),
        ("p = && l; l : ;", "<p = &&l>; l: ;"),
        (r#"s = "a" "b";"#, r#"<s = "a" "b">;"#),
    ];
    check(&cases, in_function);
}

#[test]
fn casts_literals_and_parentheses_are_told_apart() {
    let cases = [
        ("a = (T) + b;", "<a = <cast T <Plus b>>>;"),
        ("a = (b) + c;", "<a = <(b) Add c>>;"),
        ("a = (T) (b) * c;", "<a = <<cast T (b)> Mul c>>;"),
        ("a = (T) { 1 } . x;", "<a = <literal T {1}>.x>;"),
        ("a = - (T []) { 1, 2 } [ 0 ];", "<a = <Minus <literal array  of T {1, 2}>[0]>>;"),
        ("a = sizeof (T) + 1;", "<a = <<sizeof type T> Add 1>>;"),
        ("a = sizeof (T) { 1 } + 1;", "<a = <<sizeof <literal T {1}>> Add 1>>;"),
        ("a = _Alignof (T *) + _Alignof b;", "<a = <<alignof type pointer to T> Add <alignof b>>>;"),
        (
            "a = (const T * (*) (U)) b;",
            "<a = <cast pointer to function (U) returning pointer to const T b>>;",
        ),
        ("a = __builtin_offsetof(struct s, x[1].y);", "<a = Offsetof>;"),
        ("a = ({ T x = 1; x; });", "<a = StmtExpr>;"),
        ("a = _Generic(b, T: 1, default: 2);", "<a = Generic>;"),
    ];
    check(&cases, in_function);
}

#[test]
fn declarators_read_outwards() {
    let cases = [
        ("int *a[3];", "a: array 3 of pointer to Int;"),
        ("int (*a)[3];", "a: pointer to array 3 of Int;"),
        (
            "int (*f(double x))(int);",
            "f: function (x: Double) returning pointer to function (Int) returning Int;",
        ),
        (
            "void (*signal(int, void (*)(int)))(int);",
            "signal: function (Int, pointer to function (Int) returning Void) returning pointer to function (Int) returning Void;",
        ),
        ("char const *const *p, q;", "p: pointer to const pointer to const Char; q: const Char;"),
        (
            "int f(), g(void), h(a, b);",
            "f: function (?) returning Int; g: function () returning Int; h: function (a b) returning Int;",
        ),
        (
            "int printf(const char *restrict, ...);",
            "printf: function (pointer to const Char, ...) returning Int;",
        ),
        ("typedef int T; int f(int (T));", "f: function (function (T) returning Int) returning Int;"),
        (
            "typedef int T; int f(int (t), T (*)(T));",
            "f: function (t: Int, pointer to function (T) returning T) returning Int;",
        ),
        ("typedef int T; int f(T T);", "f: function (T: T) returning Int;"),
        (
            "int f(int n, int a[static 4][n], int b[*]);",
            "f: function (n: Int, a: array 4 of array n of Int, b: array * of Int) returning Int;",
        ),
        ("void (__attribute__((noreturn)) *f)(void);", "f: pointer to function () returning Void;"),
        (
            "int f(int (__attribute__((unused)) *p), int (__attribute__((unused)) int));",
            "f: function (p: pointer to Int, function (Int) returning Int) returning Int;",
        ),
    ];
    check(&cases, declared);
}

#[test]
fn words_make_types() {
    let cases = [
        ("long unsigned int long a;", "a: ULongLong;"),
        ("short a; signed b; unsigned char c; char signed d;", "d: SChar;"),
        ("int short unsigned a;", "a: UShort;"),
        ("double long a;", "a: LongDouble;"),
        ("_Complex a;", "a: ComplexDouble;"),
        ("long _Complex double a;", "a: ComplexLongDouble;"),
        ("float _Complex a;", "a: ComplexFloat;"),
        ("unsigned __int128 a;", "a: UInt128;"),
        ("__int128_t a;", "a: Int128;"),
        ("_Float32 a;", "a: Float;"),
        ("_Complex _Float64 a;", "a: ComplexDouble;"),
        ("_Float64x a;", "a: LongDouble;"),
        ("_Complex _Float128 a;", "a: Float128;"),
        ("__builtin_va_list a;", "a: VaList;"),
        ("__auto_type a = 1;", "a: Auto = 1;"),
        ("_Atomic(int) a;", "a: atomic Int;"),
        ("_Atomic int a;", "a: Int;"),
        ("typedef int T; const T T1;", "T1: const T;"),
        ("int x; typeof(x) y;", "y: typeof x;"),
        ("typedef int T; __typeof__(T *) y;", "y: typeof type pointer to T;"),
        ("a, b;", "a: Missing; b: Missing;"),
    ];
    check(&cases, declared);
}

#[test]
fn names_are_types_exactly_where_their_scope_says() {
    let cases = [
        ("T * x;", "x: pointer to T;"),
        ("int T; T * x;", "T: Int; <T Mul x>;"),
        ("{ int T; T * x; } T * x;", "{ T: Int; <T Mul x>; } x: pointer to T;"),
        ("T T = sizeof(T); T * 2;", "T: T = <sizeof (T)>; <T Mul 2>;"),
        ("enum { T } e = T; T + 1;", "e: enum = T; <T Add 1>;"),
        ("typedef T V; V x; { V V; V * 2; } V * y;", "V: T; x: V; { V: V; <V Mul 2>; } y: pointer to V;"),
        ("for (int T = 0; T < 1; T++) T * 2; T x;", "for <T Mul 2>; x: T;"),
        ("struct { T T; } s; s . T; T x;", "s: struct ; s.T; x: T;"),
        ("struct T { int U; } ; T x; U y;", " x: T; y: U;"),
        ("T : x; goto T; T y;", "T: x; goto T; y: T;"),
        (
            "int g(T T, int n[sizeof(T)]); T x;",
            "g: function (T: T, n: array <sizeof (T)> of Int) returning Int; x: T;",
        ),
        ("void g(enum { U } e); U x;", "g: function (e: enum) returning Void; x: U;"),
        ("int (*p)(T) = 0; T (x);", "p: pointer to function (T) returning Int = 0; x: T;"),
        ("if (sizeof(enum { T })) T + 1; T x;", "if <sizeof type enum> then <T Add 1>; x: T;"),
        ("extern T T; T + 1;", "T: T; <T Add 1>;"),
        ("unsigned T; T + 1;", "T: UInt; <T Add 1>;"),
        ("const T; T x;", " x: T;"),
    ];
    // `const T;` declares nothing: the name is the type.
    check(&cases, in_function);
    let cases = [
        ("typedef int T; void f(int T) { T * 2; }", "<T Mul 2>;"),
        ("typedef int T; void f(a, b) T a; int b; { T * b; }", "b: pointer to T;"),
        ("typedef int T; void f(enum { T } a) { T * 2; }", "<T Mul 2>;"),
        ("typedef int T; int (*f(int a))(int T) { T * a; }", "a: pointer to T;"),
        ("typedef int T; void T2(int T); void f(void) { T * a; }", "a: pointer to T;"),
    ];
    check(&cases, body);
    accept("int f(a, b) int a; double b; { return a; }");
}

#[test]
fn statements() {
    let cases = [
        ("if (a) if (b) c; else d;", "if a then if b then c; else d;"),
        ("if (a) b; else if (c) d; else e;", "if a then b; else if c then d; else e;"),
        ("switch (a) { case 1: case 2 ... 3: default: b; }", "Switch"),
        ("x: y: z: a;", "x: y: z: a;"),
        ("{ x: }", "{ x: ; }"),
        ("x: int y; x2: T z;", "x: ; y: Int; x2: ; z: T;"),
        ("x: __attribute__((unused)); y;", "x: ; y;"),
        ("__label__ x, y;", "LocalLabels"),
        ("__attribute__((fallthrough));", "Attributes"),
        ("[[fallthrough]];", "Attributes"),
        ("int g(int n) { return n; } g(1);", "nested function g(1);"),
        (";;;", "; ; ;"),
        ("_Static_assert(1); _Static_assert(1, \"x\" \"y\");", "assertion assertion"),
        ("__extension__ T x; __extension__ (x);", "x: T; (x);"),
    ];
    check(&cases, in_function);
}

#[test]
fn initialisers() {
    let cases = [
        ("int a[] = { 1, [5] = 2, [7 ... 9] = 3, };", "a: array  of Int = {1, [5]=2, [7...9]=3};"),
        ("struct s a = { .x.y[2] = { 1 }, z: 2 };", "a: struct s = {.x.y[2]={1}, .z=2};"),
        ("int a[3] = { [1] 2, {} };", "a: array 3 of Int = {[1]=2, {}};"),
        ("int a = 1, b, c = { 2 };", "a: Int = 1; b: Int; c: Int = {2};"),
    ];
    check(&cases, declared);
}

#[test]
fn gnu_c_of_headers() {
    accept(
        r#"
        __extension__ typedef long long int quad;
        extern int printf (const char *__restrict format, ...) __asm__ ("" "my_printf")
            __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__format__ (__printf__, 1, 2)));
        typedef struct { char c __attribute__ ((__aligned__ (16))); } __attribute__ ((packed)) s_t;
        typedef int word __attribute__ ((mode (SI)));
        struct __attribute__ ((may_alias)) tagged { int : 3, a : 4; unsigned : 0; ; struct { int x; }; union { int y; }; };
        enum { ONE __attribute__ ((deprecated)), TWO = 2, } __attribute__ ((packed));
        enum tag; struct empty { };
        extern __inline __attribute__ ((__gnu_inline__)) int __attribute__ ((const)) one (void) { return 1; }
        static _Noreturn void die (void), (*handler) (void) = die;
        _Thread_local static int t; static __thread int u; _Alignas (16) char a16; _Alignas (double) char ad;
        int x asm ("real_x") __attribute__ ((unused)) = 3, __attribute__ ((unused)) y;
        asm (".globl x");
        ;
        [[maybe_unused]] static int z;
        [[gnu::unused, deprecated ("no")]] int z2;
        int asms (int a) {
            asm volatile ("" ::: "memory");
            asm ("nop");
            __asm__ __volatile__ ("add %1, %0" : "=r" (a), [out] "+m" (x) : "0" (a), "i" (3) : "cc", "memory");
            asm goto ("" : : : : done);
            asm volatile ("" : : "r" (a));
        done:
            return __builtin_va_arg (*(__builtin_va_list *) 0, int);
        }
        void (*fp[2]) (int (*) (char), double [*]) ;
        int (__cdecl_like) (void);
        int knr (a, p, f) register int a; char *p; int (*f) (); { return a + *p + f (); }
        main () { return 0; }
        "#,
    );
}

#[test]
fn pragmas_are_kept_or_skipped() {
    use crate::ast::Pragma;
    let (session, unit) = parse(
        "#pragma pack(push, 4)\n#pragma pack(push, name, 2)\n#pragma pack(pop)\n#pragma pack()\n#pragma pack(1)\n\
         #pragma weak a = b\n#pragma redefine_extname c d\n#pragma STDC FP_CONTRACT OFF\n#pragma GCC optimize 3\n\
         #pragma scalar_storage_order default\nint x =\n#pragma GCC ivdep\n1;",
    );
    assert!(session.sink.list().is_empty(), "{:#?}", session.sink.list());
    let mut pragmas: Vec<&Pragma> = Vec::new();
    for item in &unit.items {
        if let Item::Pragma(pragma) = item {
            pragmas.push(pragma);
        }
    }
    assert_eq!(
        pragmas[..5],
        [
            &Pragma::PackPush(Some(4)),
            &Pragma::PackPush(Some(2)),
            &Pragma::PackPop,
            &Pragma::Pack(None),
            &Pragma::Pack(Some(1)),
        ]
    );
    assert!(matches!(
        pragmas[5..],
        [Pragma::Weak(_, Some(_)), Pragma::RedefineExtname(..), Pragma::Stdc(..)]
    ));
}
