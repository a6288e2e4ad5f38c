//! Programs built to be too deep, too long or too large: an error or an answer, never a crash, and in linear
//! time.

use super::{analyse, reports};

/// Runs on a stack as large as the command line gives the front end.
fn on_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap();
    thread.join().unwrap();
}

fn accepted(program: &str) -> bool {
    let (session, unit) = analyse(program);
    assert!(unit.is_some() || session.sink.errors() > 0, "rejected without an error");
    unit.is_some()
}

#[test]
fn deep_nesting_is_accepted_or_reported() {
    on_large_stack(|| {
        for depth in [300, 900, 5000] {
            let wrapped = |open: &str, inner: &str, close: &str| {
                format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
            };
            for text in [
                format!("int f(int a) {{ return {}; }}", wrapped("(", "a", ")")),
                format!("int f(int a) {{ return {}; }}", wrapped("-(", "a", ")")),
                format!("int f(int a) {{ return {}; }}", wrapped("a ? a : (", "a", ")")),
                format!("int f(int a) {{ {} return 0; }}", wrapped("{", "a = 1;", "}")),
                format!("int f(int a) {{ {} return 0; }}", wrapped("if (a) ", "a = 1;", "")),
                format!("int f(int a) {{ {} return 0; }}", wrapped("if (a) a = 2; else ", "a = 1;", "")),
                format!("int f(int *a) {{ return {}; }}", wrapped("a[", "0", "]")),
                format!("int f(int a) {{ return {}; }}", wrapped("f(", "a", ")")),
                format!("int f(int a) {{ return {}; }}", wrapped("({ ", "a", "; })")),
                format!("int x = {};", wrapped("{", "1", "}")),
                format!("int {} x;", "*".repeat(depth)),
                format!("int x{};", "[1]".repeat(depth)),
                format!("{} int a; {};", "struct {".repeat(depth), "} a;".repeat(depth)),
            ] {
                accepted(&text);
            }
        }
    });
}

#[test]
fn long_chains_are_accepted_or_reported() {
    on_large_stack(|| {
        assert!(accepted(&format!("int f(int a) {{ return a{}; }}", " + a".repeat(3000))));
        assert!(!accepted(&format!("int f(int a) {{ return a{}; }}", " + a".repeat(100_000))));
        assert!(accepted(&format!("int x[] = {{ {} }};", "1, ".repeat(100_000))));
        accepted(&format!("int f(int a) {{ return a{}; }}", ", a".repeat(10_000)));
        accepted(&format!("int f(int a) {{ {} return a; }}", "a = a + 1; ".repeat(20_000)));
    });
}

#[test]
fn nested_types_do_not_multiply_the_work() {
    let mut program = "struct s0 { int a; };\n".to_owned();
    for index in 1..60 {
        program.push_str(&format!(
            "struct s{index} {{ struct s{} *p, *q; struct s{} a[1]; }};\n",
            index - 1,
            index - 1
        ));
    }
    program.push_str("struct s59 x, y; void f(void) { x = y; }");
    assert!(accepted(&program), "{:?}", reports(&analyse(&program).0));
}

#[test]
fn sizes_that_overflow_are_reported() {
    for program in [
        "int a[0x4000000000000000][2];",
        "struct s { char a[0x7fffffffffffffff]; char b[0x7fffffffffffffff]; };",
        "int a[1][0xffffffffffffffff];",
    ] {
        assert!(!accepted(program), "{program}");
    }
}
