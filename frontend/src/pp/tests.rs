use super::state::MAX_ERRORS;
use super::*;
use crate::options::{MacroOption, Options};

/// The spellings of all tokens joined by spaces, and the ids of all diagnostics.
fn run_with(text: &str, configure: impl FnOnce(&mut Options)) -> (String, Vec<&'static str>) {
    let mut options = Options::default();
    configure(&mut options);
    let mut session = Session::new(options);
    let tokens = preprocess(&mut session, &Input::Memory { name: "a.c".into(), text: text.into() });
    assert_eq!(tokens.last().map(|token| token.kind), Some(TokenKind::Eof));
    let mut words = Vec::new();
    for token in tokens {
        words.push(match token.kind {
            TokenKind::Punct(punct) => punct.spelling().to_owned(),
            TokenKind::PragmaAcc => "<acc".to_owned(),
            TokenKind::PragmaOmp => "<omp".to_owned(),
            TokenKind::PragmaOther => "<pragma".to_owned(),
            TokenKind::PragmaEnd => ">".to_owned(),
            TokenKind::Eof => continue,
            _ => session.interner.text(token.sym).to_owned(),
        });
    }
    (words.join(" "), session.sink.list().iter().map(|d| d.id).collect())
}

/// The spellings of a text without errors.
fn run(text: &str) -> String {
    let (words, ids) = run_with(text, |_| {});
    assert_eq!(ids, Vec::<&str>::new(), "{text}");
    words
}

fn errors(text: &str) -> Vec<&'static str> {
    run_with(text, |_| {}).1
}

/// C11 6.10.3.5, example 3
#[test]
fn standard_example_3() {
    let text = "\
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
";
    let expected = "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; \
        f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; \
        int i [ ] = { 1 , 23 , 4 , 5 , } ; char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;";
    assert_eq!(run(text), expected);
}

/// C11 6.10.3.5, examples 4 to 7
#[test]
fn standard_examples_4_to_7() {
    let text = r##"
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
== 0) str(: @\n), s);
xstr(INCFILE(2).h) glue(HIGH, LOW); xglue(HIGH, LOW)
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
join(x, y)
#define t(x,y,z) x ## y ## z
t(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) t(,,) end
#define showlist(...) puts(#__VA_ARGS__)
showlist(The first, second, and third items.);
"##;
    let expected = r##"printf ( "x" "1" "= %d, x" "2" "= %s" , x1 , x2 ) ; fputs ( "strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n" , s ) ; "vers2.h" "hello" ; "hello" ", world" "x ## y" 123 45 67 89 10 11 12 end puts ( "The first, second, and third items." ) ;"##;
    assert_eq!(run(text), expected);
}

#[test]
fn variable_arguments() {
    let text = "#define a(f, args...) p(f , ##args)\n#define b(f, ...) p(f, ## __VA_ARGS__)\n#define c(...) p(x, ##__VA_ARGS__)\n";
    assert_eq!(
        run(&format!("{text}a(1) a(1,2,3) b(1) b(1,2)")),
        "p ( 1 ) p ( 1 , 2 , 3 ) p ( 1 ) p ( 1 , 2 )"
    );
    assert_eq!(run(&format!("{text}a(1,) c() c(2)")), "p ( 1 , ) p ( x ) p ( x , 2 )");
    let strict = run_with(&format!("{text}c()"), |o| assert!(o.set_standard("c11")));
    assert_eq!(strict.0, "p ( x , )");
}

#[test]
fn painting() {
    assert_eq!(run("#define A B\n#define B A x\nA B"), "A x B x");
    assert_eq!(run("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"), "2 * 9 * g");
    assert_eq!(run("#define N(x) x\n#define G0(a) N(G1)(a)\n#define G1(a) N(a)\nG0(42)"), "42");
    assert_eq!(run("#define foo foo a bar\n#define bar foo\nfoo"), "foo a foo");
    assert_eq!(run("#define f() x\nf\n() f + f"), "x f + f");
}

#[test]
fn white_space_in_strings() {
    let text = "#define E\n#define s(x) #x\n#define xs(x) s(x)\n";
    assert_eq!(run(&format!("{text}xs(a E+b) xs(-E-) s(  a   \n b/**/c )")), r#""a +b" "--" "a b c""#);
}

#[test]
fn conditionals() {
    for (condition, holds) in [
        ("1", true),
        ("defined X || defined(__FILE__)", true),
        ("-1 > 0u", true),
        ("-1 > 0", false),
        ("0 && 1/0", false),
        ("1 || 1/0", true),
        ("1 ? 2 : 1/0", true),
        ("(2 || 3) != 1", false),
        ("'\\377' < 0 && 'ab' == 24930 && L'\\xff' == 255", true),
        ("0x7fffffffffffffff + 1 < 0", true),
        ("0xffffffffffffffff == ~0ull", true),
        ("-8 >> 1 == -4 && 1 << 3 == 8 && 7 % -4 == 3", true),
        ("0b101 == 5 && 010 == 8", true),
        ("undefined_name", false),
        ("1 - 1 - 1 == -1 && 2 * 3 + 4 == 10", true),
        ("(-9223372036854775807 - 1) / -1 < 0", true),
        ("__has_include(<stddef.h>) && !__has_include(\"no.h\")", true),
        ("__has_attribute(__packed__) && !__has_attribute(nonsense)", true),
        ("__has_builtin(__builtin_expect)", true),
        ("int", false),
    ] {
        let text = format!("#if {condition}\nyes\n#else\nno\n#endif");
        assert_eq!(run(&text), if holds { "yes" } else { "no" }, "{condition}");
    }
    assert_eq!(run("#define D defined(E)\n#define E\n#if D\nyes\n#endif"), "yes");
    assert_eq!(run("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#elif 1/0\nd\n#else\ne\n#endif"), "c");
    assert_eq!(run("#if 0\ndon't \"/* \n#bogus ' \n/* \n#endif */\n#endif\nok"), "ok");
}

#[test]
fn broken_conditionals() {
    for text in [
        "#if\n#endif",
        "#if 1 +\n#endif",
        "#if (1\n#endif",
        "#if 1.0\n#endif",
        "#if 1/0\n#endif",
        "#if 08\n#endif",
    ] {
        assert_eq!(errors(text), ["condition"], "{text}");
    }
    for text in ["#endif", "#else", "#elif 1", "#if 1", "#if 0", "#if 1\n#else\n#else\n#endif"] {
        assert_eq!(errors(text), ["conditional"], "{text}");
    }
    assert_eq!(errors(&format!("#if {}1\n#endif", "(".repeat(100_000))), ["condition"]);
    assert_eq!(errors(&format!("#if {}1\n#endif", "-".repeat(100_000))), ["condition"]);
}

#[test]
fn pragmas() {
    assert_eq!(run("#define N 4\n#pragma acc parallel num_gangs(N)\nx"), "<acc parallel num_gangs ( 4 ) > x");
    assert_eq!(
        run("#define P(x) _Pragma(#x)\n#define N 4\nP(acc loop tile(N, N)) for"),
        "<acc loop tile ( 4 , 4 ) > for"
    );
    assert_eq!(run("#define M(x) x\nM(a\n#pragma acc wait\nb)"), "a <acc wait > b");
    assert_eq!(run("#pragma omp parallel\nx"), "x");
    assert_eq!(run_with("#define N 2\n#pragma omp f(N)", |o| o.openmp = true).0, "<omp f ( 2 ) >");
    assert_eq!(run_with("#pragma acc wait\nx", |o| o.openacc = false).0, "x");
    assert_eq!(
        run("#define pack 1\n#pragma pack(push, 1)\n#pragma STDC FP_CONTRACT ON"),
        "<pragma pack ( push , 1 ) > <pragma STDC FP_CONTRACT ON >"
    );
    assert_eq!(
        run("#define A 1\n#pragma push_macro(\"A\")\n#define B\n#undef A\nA\n#pragma pop_macro(\"A\")\nA"),
        "A 1"
    );
    assert_eq!(errors("#pragma zap"), ["unknown-pragmas"]);
    assert_eq!(errors("#pragma GCC poison A\nA"), ["poisoned"]);
    assert_eq!(errors("_Pragma(1)"), ["pragma-operator"]);
}

#[test]
fn lines_and_names() {
    assert_eq!(
        run("__LINE__\n__LINE__ __FILE__\n#line 40 \"x.c\"\n__LINE__ __FILE__"),
        "1 2 \"a.c\" 40 \"x.c\""
    );
    assert_eq!(run("# 7 \"y.c\"\n__LINE__ __FILE__ __BASE_FILE__"), "7 \"y.c\" \"a.c\"");
    assert_eq!(run("#define L 90\n#line L\n__LINE__ __COUNTER__ __COUNTER__"), "90 0 1");
    assert_eq!(run("#define f(x) x __LINE__\n\nf(\n1)"), "1 3");
    assert_eq!(errors("#line x"), ["line-directive"]);
}

#[test]
fn definitions() {
    assert_eq!(errors("#define A 1\n#define A 1\n#define A  1"), Vec::<&str>::new());
    assert_eq!(errors("#define A 1\n#define A 2"), ["macro-redefined"]);
    assert_eq!(errors("#define f(x) x\n#define f(y) y"), ["macro-redefined"]);
    for text in ["#define", "#define 1", "#define defined", "#undef \"x\""] {
        assert_eq!(errors(text), ["macro-name"], "{text}");
    }
    for text in
        ["#define f(x", "#define f(x,x)", "#define f(..., x)", "#define f(1)", "#define f(__VA_ARGS__)"]
    {
        assert_eq!(errors(text), ["macro-parameter"], "{text}");
    }
    for text in ["#define f(x) #y", "#define f(x) ##x", "#define A x##", "#define f(x) #"] {
        assert_eq!(errors(text), ["macro-body"], "{text}");
    }
    assert_eq!(errors("#define f(x) x\nf(1,2)"), ["macro-arguments"]);
    assert_eq!(errors("#define f(x) x\nf(1"), ["macro-arguments"]);
    assert_eq!(errors("#define f(x) x\n#if f(1\n#endif"), ["macro-arguments"]);
    assert_eq!(errors("#define c(a,b) a##b\nc(+,/)"), ["token-paste"]);
    assert_eq!(errors("#defin A"), ["directive"]);
}

#[test]
fn options_from_the_command_line() {
    let (words, ids) = run_with("A B f(3) C", |options| {
        options.macros = vec![
            MacroOption::Define("A".into()),
            MacroOption::Define("B=2 b".into()),
            MacroOption::Define("f(x)=x+x".into()),
            MacroOption::Define("C".into()),
            MacroOption::Undef("C".into()),
        ];
    });
    assert_eq!((words.as_str(), ids.len()), ("1 2 b 3 + 3 C", 0));
    assert_eq!(run("_OPENACC __ACCRUE__ __STDC_VERSION__"), "202211 1 201710L");
    assert_eq!(
        run("_OPENMP __clang__ __STRICT_ANSI__ __OPTIMIZE__"),
        "_OPENMP __clang__ __STRICT_ANSI__ __OPTIMIZE__"
    );
    let all = |options: &mut Options| {
        assert!(options.set_standard("c99"));
        (options.openmp, options.openacc, options.optimize) = (true, false, 2);
    };
    let text = "_OPENMP _OPENACC __STDC_VERSION__ __STRICT_ANSI__ __OPTIMIZE__ linux";
    assert_eq!(run_with(text, all).0, "201811 _OPENACC 199901L 1 1 linux");
}

#[test]
fn what_grows_without_bound_is_stopped() {
    let mut text = String::from("#define X0 x x\n");
    for i in 1..60 {
        text.push_str(&format!("#define X{i} X{} X{}\n", i - 1, i - 1));
    }
    assert_eq!(errors(&format!("{text}X59")), ["macro-limit"]);
    let mut text = String::from("#define C(a) D(a,a)\n#define D(a,b) a##b\n");
    text.push_str(&format!("{}x{}", "C(".repeat(60), ")".repeat(60)));
    assert_eq!(errors(&text), ["macro-limit"]);
    let deep = format!("#define f(x) x\n{}1{}", "f(".repeat(5000), ")".repeat(5000));
    assert_eq!(errors(&deep), ["macro-limit"]);
    let strings = format!("#define S(x) #x\n#define X(x) S(x)\n{}\"a\"{}", "X(".repeat(60), ")".repeat(60));
    assert_eq!(errors(&strings), ["macro-limit"]);
}

#[test]
fn errors_are_bounded() {
    let ids = errors(&"@ ".repeat(10_000));
    assert_eq!((ids.len(), ids.last()), (MAX_ERRORS + 1, Some(&"too-many-errors")));
}

#[test]
fn long_chains_need_no_stack() {
    let mut text = String::from("#define A0 end\n");
    for i in 1..20_000 {
        text.push_str(&format!("#define A{i} A{}\n", i - 1));
    }
    assert_eq!(run(&format!("{text}A19999")), "end");
}

#[test]
fn unreadable_files_are_errors() {
    for (path, id) in [("/no/such/file.c", "cannot-read"), ("/", "cannot-read")] {
        let mut session = Session::new(Options::default());
        preprocess(&mut session, &Input::Path(path.into()));
        assert_eq!(session.sink.list().iter().map(|d| d.id).collect::<Vec<_>>(), [id]);
    }
    assert_eq!(errors("#include \"no.h\"\n@"), ["include"]);
    assert_eq!(errors("#include </>"), ["include"]);
    assert_eq!(errors("#include"), ["include"]);
    assert_eq!(errors("#include <>"), ["include"]);
}

#[test]
fn shipped_headers() {
    let text = "#include <openacc.h>\n#include <stddef.h>\n#include <stddef.h>\n__INCLUDE_LEVEL__";
    let (words, ids) = run_with(text, |options| options.default_dirs = false);
    assert_eq!(ids, Vec::<&str>::new());
    assert!(words.contains("acc_device_nvidia = 5") && words.ends_with(" 0"));
    assert_eq!(words.matches("size_t ;").count(), 1);
}

#[test]
fn files_and_guards() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("sub")).expect("a temporary directory");
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("a temporary file");
    write("guarded.h", "#ifndef G\n#define G\nguarded\n#endif\n");
    write("once.h", "#pragma once\nonce\n");
    write("plain.h", "plain");
    write("self.h", "#include \"self.h\"\n#include \"self.h\"\n");
    write("sub/plain.h", "sub\n#include_next <plain.h>\n");
    write("macro.h", "__FILE_NAME__ __INCLUDE_LEVEL__");
    let with = |text: &str| {
        run_with(text, |options| {
            options.include_dirs = vec![dir.join("sub"), dir.to_owned()];
        })
    };
    assert_eq!(with("#include <guarded.h>\n#include \"guarded.h\"").0, "guarded");
    assert_eq!(with("#include <once.h>\n#include \"once.h\"").0, "once");
    assert_eq!(with("#import <macro.h>\n#import <macro.h>").0, "\"macro.h\" 1");
    assert_eq!(with("#include <plain.h>").0, "sub plain");
    assert_eq!(with("#define H <macro.h>\n#include H\nx").0, "\"macro.h\" 1 x");
    assert_eq!(with("#include <self.h>\nx").1, ["include-depth"]);
}

#[test]
fn printed_text_reads_back() {
    let text = "#define E\n#define m -\n#pragma acc loop tile(E 2)\nint a = 1 - -m E-2;\n#pragma pack(1)\n\n\n\nx+E+ .5 E. x E\"s\"\n";
    let mut session = Session::new(Options::default());
    let tokens = preprocess(&mut session, &Input::Memory { name: "a.c".into(), text: text.into() });
    let printed = print(&session, &tokens);
    assert_eq!(run(&printed), run(text), "{printed}");
    assert!(
        printed.contains("#pragma acc loop tile(2)") || printed.contains("#pragma acc loop tile( 2)"),
        "{printed}"
    );
}

/// C23 6.10.5.1: `__VA_OPT__`, also beside `##`.
#[test]
fn optional_tokens() {
    let text = "\
#define F(a, ...) f(0 __VA_OPT__(,) __VA_ARGS__)
#define G(x, ...) x __VA_OPT__(and (__VA_ARGS__))|
#define H(x, ...) x ## __VA_OPT__(a x) ## b
#define EMPTY
F(1) F(1, 2) F(1, EMPTY) G(one) G(one, two, three) H(p) H(p, 1) H(, 1)
";
    let expected = "f ( 0 ) f ( 0 , 2 ) f ( 0 ) one | one and ( two , three ) | pb pa pb a b";
    assert_eq!(run(text), expected);
    for text in [
        "#define A(...) __VA_OPT__ 1\n",
        "#define A(...) __VA_OPT__(a\n",
        "#define A(...) __VA_OPT__(a ##)\n",
    ] {
        assert_eq!(errors(text), ["macro-body"], "{text}");
    }
}

/// C23 6.10.5.2, example 3 and what it leads to: `#` before `__VA_OPT__`.
#[test]
fn optional_tokens_as_a_string() {
    let text = "\
#define TWO 2
#define S(x, ...) #__VA_OPT__(x TWO x##x __VA_ARGS__)
#define P(x, ...) L ## #__VA_OPT__(x) z
a S(a) b
c S(a, b, c) d
P(q, 1) P(q)";
    assert_eq!(run(text), "a \"\" b c \"a TWO aa b, c\" d L\"q\" z L\"\" z");
}
