//! Reductions: types, variables, clauses that are missing or do not fit.

use super::{analyse, check, check_body, in_function, summary, summary_with};
use crate::options::Options;

#[test]
fn operators_and_types() {
    let types = [
        "char",
        "unsigned short",
        "int",
        "long long",
        "_Bool",
        "float",
        "double",
        "double _Complex",
        "int *",
    ];
    for (op, good) in [
        ("+", "iiiiiffc"),
        ("*", "iiiiiffc"),
        ("max", "iiiiiff-"),
        ("min", "iiiiiff-"),
        ("&", "iiiii---"),
        ("|", "iiiii---"),
        ("^", "iiiii---"),
        ("&&", "iiiiiffc"),
        ("||", "iiiiiffc"),
    ] {
        for (index, ty) in types.iter().enumerate() {
            let ok = good.as_bytes().get(index).is_some_and(|c| *c != b'-');
            let mark = if ok { "" } else { "//~ reduction-type" };
            check(&format!("void f({ty} v) {{\n#pragma acc parallel reduction({op}:v) {mark}\n;\n}}"));
        }
    }
}

#[test]
fn variables() {
    check_body("#pragma acc parallel loop reduction(+:arr)\nfor (i = 0; i < 10; i++) arr[i] += 1;");
    check_body("#pragma acc parallel loop reduction(+:arr[2:3])\nfor (i = 0; i < 10; i++) arr[i] += 1;");
    check_body(
        "#pragma acc parallel loop reduction(+:a[0:n]) copy(a[0:n])\nfor (i = 0; i < 10; i++) a[i] += 1;",
    );
    check_body("#pragma acc parallel reduction(+:st.n) //~ reduction-variable\n;");
    check_body("#pragma acc parallel reduction(+:st) //~ reduction-type\n;");
    check_body("#pragma acc parallel reduction(+:g) //~ not-a-variable\n;");
    check_body("#pragma acc parallel reduction(+:arr[8:3]) //~ array-section-bounds\n;");
    check_body("#pragma acc parallel reduction(+:s) reduction(*:s) //~ duplicate-variable\n;");
    check_body("#pragma acc parallel reduction(+:s) private(s) //~ duplicate-variable\n;");
    check_body("#pragma acc parallel reduction(+:s) firstprivate(s) //~ duplicate-variable\n;");
    check_body("#pragma acc parallel reduction(+:s) copy(s)\n;");
    check_body("#pragma acc parallel reduction(+:s) copyin(s) //~ reduction-data-clause\n;");
    check_body("#pragma acc parallel reduction(-:s) //~ reduction-minus\n;");
    check("struct P { double x, y[2]; };\nvoid f(struct P p) {\n#pragma acc parallel reduction(max:p)\n;\n}");
    check(
        "void f(void) {\nconst int c = 1;\n#pragma acc parallel reduction(+:c) //~ reduction-variable\n;\n}",
    );
}

#[test]
fn a_combined_construct_copies_the_result() {
    let source = in_function("#pragma acc parallel loop reduction(+:x)\nfor (i = 0; i < n; i++) x += a[i];");
    assert_eq!(
        summary(&source, false),
        [
            "Parallel implicit Copy(x: object) implicit NoCreate(a: pointer) firstprivate(n)",
            "loop Default x1 private(i) Add(x)"
        ]
    );
    let source = in_function("#pragma acc parallel reduction(max:x)\nx = 1;");
    assert_eq!(summary(&source, false), ["Parallel implicit Copy(x: object) Max(x)"]);
    let source = in_function("#pragma acc serial reduction(+:arr[2:3])\narr[2] = 1;");
    assert_eq!(summary(&source, false), ["Serial implicit Copy(arr: object) Add(arr[2:3])"]);
}

#[test]
fn missing_clause() {
    for (statement, bad) in [
        ("s += i;", true),
        ("s++;", true),
        ("s = s + i;", true),
        ("s = i * s;", true),
        ("s = s + i + j;", true),
        ("s = i - s;", false),
        ("x = fmax(x, a[i]);", true),
        ("if (a[i] > x) x = a[i];", true),
        ("x = a[i] < x ? a[i] : x;", true),
        ("a[i] += s;", false),
        ("{ s = i; s += 1; }", false),
        ("{ int s = 0; s += i; }", false),
        ("{\n#pragma acc atomic\ns += i;\n}", false),
    ] {
        let mark = if bad { "//~ missing-reduction" } else { "" };
        check_body(&format!("#pragma acc parallel loop {mark}\nfor (i = 0; i < 10; i++) {statement}"));
    }
    check_body("#pragma acc parallel loop private(s)\nfor (i = 0; i < 10; i++) s += i;");
    check_body("#pragma acc parallel loop seq\nfor (i = 0; i < 10; i++) s += i;");
    check_body("#pragma acc serial loop\nfor (i = 0; i < 10; i++) s += i;");
    check_body("#pragma acc kernels loop\nfor (i = 0; i < 10; i++) s += i;");
    check_body(
        "#pragma acc kernels loop independent //~ missing-reduction\nfor (i = 0; i < 10; i++) s += i;",
    );
}

#[test]
fn a_gang_loop_may_update_what_belongs_to_the_gang() {
    let update = |construct: &str, loop_: &str| {
        check_body(&format!(
            "#pragma acc parallel {construct}\n{{\n#pragma acc loop {loop_}\nfor (i = 0; i < 10; i++) s += i;\n}}"
        ));
    };
    update("private(s)", "gang");
    update("private(s)", "gang vector //~ missing-reduction");
    update("copy(s)", "gang //~ missing-reduction");
}

/// The text of the only message.
fn message(source: &str) -> String {
    let mut diagnostics = analyse(&in_function(source), false).diagnostics;
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    diagnostics.swap_remove(0).2
}

#[test]
fn messages_name_what_they_are_about() {
    let lost = "iterations of this loop update the gang's copy of `s` at the same time, which is lost behind the construct: `s` is `firstprivate`";
    assert_eq!(message("#pragma acc parallel loop\nfor (i = 0; i < 10; i++) s += i;"), lost);
    assert_eq!(message("#pragma acc parallel loop firstprivate(s)\nfor (i = 0; i < 10; i++) s += i;"), lost);
    let shared = message("#pragma acc parallel loop copy(s)\nfor (i = 0; i < 10; i++) s += i;");
    assert_eq!(shared, "iterations of this loop update the shared variable `s` at the same time");
    let private =
        "#pragma acc parallel private(s)\n#pragma acc loop gang vector\nfor (i = 0; i < 10; i++) s += i;";
    assert_eq!(message(private), "iterations of this loop update the gang's copy of `s` at the same time");
    let lacks = "this loop accumulates in `s` and needs a `reduction` clause for it";
    assert_eq!(message(&private.replace("gang vector", "vector")), lacks);
    let operators = |around: &str| {
        message(&format!(
            "#pragma acc {around}\n{{\n#pragma acc loop reduction(*:s)\nfor (j = 0; j < 9; j++) s *= 2;\n}}"
        ))
    };
    let text = "conflicting reduction operators for `s`: `*` here, `+` on the ";
    assert_eq!(operators("parallel reduction(+:s)"), format!("{text}`parallel` construct around it"));
    assert_eq!(
        operators("parallel loop reduction(+:s)\nfor (i = 0; i < 9; i++)"),
        format!("{text}loop around it")
    );
}

#[test]
fn idle_threads() {
    let of = |clauses: &str, inner: &str| {
        let source =
            format!("#pragma acc parallel loop gang {clauses}\nfor (i = 0; i < 10; i++) {{ {inner} }}");
        analyse(&in_function(&source), false)
            .diagnostics
            .into_iter()
            .map(|(_, _, text)| text)
            .collect::<Vec<_>>()
    };
    let lanes = "127 of 128 lanes are idle: no loop of the construct is shared by `vector`";
    assert_eq!(of("vector_length(128)", "a[i] = 1;"), [lanes]);
    assert_eq!(of("vector_length(128)", "for (j = 0; j < 4; j++) a[j] = 1;"), [lanes]);
    let workers = "3 of 4 workers are idle: no loop of the construct is shared by `worker`";
    assert_eq!(of("num_workers(4) vector", "a[i] = 1;"), [workers]);
    assert_eq!(of("vector_length(n)", "a[i] = 1;").len(), 1);
    let loops = |clause: &str| format!("\n#pragma acc loop {clause}\nfor (j = 0; j < 4; j++) a[j] = 1;");
    assert_eq!(of("num_workers(4) vector_length(32)", &loops("worker")).len(), 1);
    assert_eq!(of("num_workers(4) vector_length(32)", &loops("seq")).len(), 2);
    for (clauses, inner) in [
        ("vector_length(1)", "a[i] = 1;".to_owned()),
        ("vector vector_length(128)", "a[i] = 1;".to_owned()),
        ("vector_length(128)", loops("vector")),
        ("vector_length(128) num_workers(4)", loops("")),
        ("vector_length(128)", "a[i] = __builtin_goacc_parlevel_id(2);".to_owned()),
    ] {
        assert_eq!(of(clauses, &inner), [""; 0], "{clauses} {inner}");
    }
    check(
        "#pragma acc routine vector\nvoid r(void);\nvoid f(int n) {\n#pragma acc parallel loop gang vector_length(64)\nfor (int i = 0; i < n; i++) r();\n}",
    );
    check(
        "#pragma acc routine seq\nvoid r(void);\nvoid f(int n) {\n#pragma acc parallel loop gang vector_length(64) //~ idle-threads\nfor (int i = 0; i < n; i++) r();\n}",
    );
    check_body("#pragma acc kernels vector_length(64)\n#pragma acc loop gang\nfor (i = 0; i < 9; i++) ;");
}

/// A `parallel` construct around some code.
fn gangs(clauses: &str, code: &str) {
    check_body(&format!("#pragma acc parallel {clauses}\n{{\n{code}\n}}"));
}

#[test]
fn what_gangs_reduce_is_read_before_it_is_complete() {
    let sum = "#pragma acc loop gang reduction(+:s)\nfor (i = 0; i < 9; i++) s += i;\n";
    let own = "int t = 0;\n#pragma acc loop gang reduction(+:t)\nfor (i = 0; i < 9; i++) t += i;\n";
    let read = |loop_: &str, code: &str| format!("{loop_}{code} //~ partial-gang-result");
    gangs("copy(x)", &read(sum, "x = s;"));
    gangs("copy(x)", &read(own, "x = t;"));
    gangs("copy(x) num_gangs(n)", &read(sum, "if (s > 3) x = 1;"));
    gangs("copy(x) reduction(+:s)", &read(sum, "x = s;"));
    gangs("copy(x)", &read(&sum.replace("gang ", ""), "x = s;"));
    gangs(
        "copy(arr) copy(x)",
        &read(&sum.replace("s)", "arr)").replace("s +=", "arr[i & 3] +="), "x = arr[1];"),
    );
    gangs("copy(x)", &read(sum, "\n#pragma acc loop gang\nfor (j = 0; j < 9; j++)\na[j] = s;"));
    let top = format!("for (j = 0; j < 3; j++) {{\nif (s > 9) break; //~ partial-gang-result\n{sum}}}");
    gangs("", &top);
    // One gang; gangs that wait for each other; parts that are put together.
    gangs("copy(x) num_gangs(1)", &format!("{sum}x = s;"));
    check_body(&format!("#pragma acc kernels copy(x)\n{{\n{sum}x = s;\n}}"));
    gangs("copy(x)", &format!("{own}\n#pragma acc atomic\nx += t;"));
    gangs("", &format!("{sum}{sum}"));
    gangs("reduction(+:s)", &format!("{sum}s += 2;"));
    gangs("copy(x)", &format!("{own}t = 3; x = t;"));
    gangs("copy(x)", &format!("x = s;\n{sum}"));
}

#[test]
fn what_gangs_reduce_in_their_own_variables_is_lost() {
    let sum = |clauses: &str| format!("#pragma acc loop gang {clauses}\nfor (i = 0; i < 9; i++) s += i;");
    let warned = sum("reduction(+:s) //~ lost-gang-result");
    let quiet = sum("reduction(+:s)");
    gangs("private(s)", &format!("s = 3;\n{warned}"));
    gangs("firstprivate(s) num_gangs(4)", &warned);
    gangs("", &format!("int s = 0;\n{warned}"));
    gangs("firstprivate(s)", &format!("{warned}\n{quiet}"));
    check_body(
        "#pragma acc parallel loop gang firstprivate(s) reduction(+:s) //~ lost-gang-result\nfor (i = 0; i < 9; i++) s += i;",
    );
    // The gangs share it, there is one, they put their parts together, or the construct does.
    gangs("", &quiet);
    gangs("copy(s)", &quiet);
    gangs("num_gangs(1) firstprivate(s)", &quiet);
    gangs("reduction(+:s)", &quiet);
    gangs("copy(x)", &format!("int s = 0;\n{quiet}\n#pragma acc atomic\nx += s;"));
    check_body(&format!("#pragma acc kernels\n{{\nint s = 0;\n{quiet}\n}}"));
}

#[test]
fn every_gang_contributes_the_result_of_a_loop() {
    let sum = |clauses: &str| format!("#pragma acc loop {clauses}\nfor (j = 0; j < 9; j++) s += j;");
    let warned = sum("worker reduction(+:s) //~ redundant-gang-reduction");
    let quiet = sum("worker reduction(+:s)");
    gangs("num_gangs(4) num_workers(2) copy(s)", &warned);
    gangs("num_gangs(n) copy(s)", &warned);
    gangs("copy(s)", &format!("#pragma acc loop gang\nfor (i = 0; i < 9; i++) a[i] = 1;\n{warned}"));
    gangs("copy(s)", &quiet);
    gangs("num_gangs(1) copy(s)", &quiet);
    gangs("num_gangs(4) private(s)", &quiet);
    gangs("num_gangs(4) reduction(+:s)", &quiet);
    gangs("num_gangs(4)", &format!("int s = 0;\n{quiet}"));
    gangs("num_gangs(4) copy(s)", &sum("gang reduction(+:s)"));
    gangs("num_gangs(4) copy(s)", &sum("worker reduction(max:s)").replace("s += j", "s = j > s ? j : s"));
    let nested = format!("#pragma acc loop gang reduction(+:s)\nfor (i = 0; i < 9; i++) {{\n{quiet}\n}}");
    gangs("num_gangs(4) copy(s)", &nested);
}

fn nest(outer: &str, middle: &str, inner: &str) -> String {
    in_function(&format!(
        "#pragma acc parallel\n#pragma acc loop {outer}\nfor (i = 0; i < 4; i++)\n#pragma acc loop {middle}\nfor (j = 0; j < 4; j++)\n#pragma acc loop {inner}\nfor (k = 0; k < 4; k++) s += 1;"
    ))
}

#[test]
fn nested_clauses() {
    check(&nest("reduction(+:s)", "reduction(+:s)", "reduction(+:s)"));
    check(&nest("reduction(+:s)", " //~ nested-reduction-missing", "reduction(+:s)"));
    check(&nest("reduction(+:s)", "seq", "reduction(+:s)"));
    check(&nest("reduction(+:s)", "reduction(+:s)", " //~ nested-reduction-missing"));
    check(&nest("reduction(+:s)", "reduction(*:s) //~ nested-reduction-operator", "reduction(*:s)"));
}

/// Clauses of the loops of a nest, of the outermost first.
fn clauses(source: &str, implied_reductions: bool) -> Vec<String> {
    let options = Options { implied_reductions, ..Options::default() };
    let lines = summary_with(source, options);
    let of_loop = |line: &String| line.split_once(')').map(|(_, clauses)| clauses.trim().to_owned());
    lines.iter().filter(|line| line.starts_with("loop")).filter_map(of_loop).collect()
}

#[test]
fn clauses_are_carried_inward() {
    let all = ["Add(s)"; 3];
    for (middle, inner) in [("reduction(+:s)", ""), ("", "reduction(+:s)"), ("", "")] {
        assert_eq!(clauses(&nest("reduction(+:s)", middle, inner), true), all, "{middle}, {inner}");
    }
    assert_eq!(clauses(&nest("reduction(+:s)", "", ""), false), ["Add(s)", "", ""]);
    // Sequential loops need none; another operator is the user's to decide.
    assert_eq!(clauses(&nest("reduction(+:s)", "seq", ""), true), ["Add(s)", "", "Add(s)"]);
    assert_eq!(clauses(&nest("reduction(*:s)", "", ""), true), ["Mul(s)", "", ""]);
    assert_eq!(clauses(&nest("reduction(+:s)", "", "reduction(*:s)"), true), ["Add(s)", "", "Mul(s)"]);
    assert_eq!(clauses(&nest("reduction(+:s)", "private(s)", ""), true), ["Add(s)", "", "Add(s)"]);
    assert_eq!(clauses(&nest("reduction(+:s)", "private(s)", ""), false), ["Add(s)", "", ""]);
}

#[test]
fn loops_that_accumulate_in_what_belongs_to_an_iteration_have_the_clause() {
    let of = |around: &str, own: &str, inner: &str, statement: &str| {
        let text = format!(
            "#pragma acc {around}\nfor (i = 0; i < 4; i++) {{\n{own}\n#pragma acc loop {inner}\n\
             for (j = 0; j < 4; j++) {statement}\na[i] = s; }}"
        );
        clauses(&in_function(&text), true).swap_remove(1)
    };
    assert_eq!(of("parallel loop", "int s = 0;", "", "s += a[j];"), "Add(s)");
    assert_eq!(of("parallel loop private(s)", "s = 0;", "vector", "if (a[j] > s) s = a[j];"), "Max(s)");
    assert_eq!(of("kernels loop independent", "s = 0;", "independent", "s *= a[j];"), "Mul(s)");
    // Each iteration uses what the ones before it left.
    assert_eq!(of("parallel loop", "int s = 0;", "", "a[s++] = j;"), "");
    assert_eq!(of("parallel loop", "int s = 0;", "", "{ s += j; a[j] = s; }"), "");
    // One for all: by the clause in `parallel`, and what the program wants is open.
    assert_eq!(of("parallel loop copy(s)", "s = 0;", "", "s += j;"), "");
    assert_eq!(of("parallel loop copy(s)", ";", "seq", "s += j;"), "");
}

#[test]
fn independent_loops_of_kernels_that_accumulate_have_the_clause() {
    let of = |statement: &str| {
        let text = format!("#pragma acc kernels loop independent\nfor (i = 0; i < 4; i++) {statement}");
        clauses(&in_function(&text), true).swap_remove(0)
    };
    assert_eq!(of("s += a[i];"), "Add(s)");
    assert_eq!(of("{ if (a[i] > 2) s++; }"), "Add(s)");
    assert_eq!(of("{ s += a[i]; a[i] = s; }"), "");
    assert_eq!(of("{ s += a[i]; s *= 2; }"), "");
}

#[test]
fn constructs_and_elements_are_carried_inward_too() {
    let body = |construct: &str, statement: &str| {
        let text =
            format!("#pragma acc {construct}\n{{\n#pragma acc loop\nfor (i = 0; i < 4; i++) {statement}\n}}");
        clauses(&in_function(&text), true)
    };
    assert_eq!(body("parallel reduction(+:s)", "s -= i;"), ["Add(s)"]);
    assert_eq!(body("parallel reduction(max:x)", "if (i > 1 && a[i] > x) x = a[i];"), ["Max(x)"]);
    assert_eq!(body("parallel reduction(+:arr)", "arr[i & 1] = 2 + arr[i & 1];"), ["Add(arr[0:10])"]);
    assert_eq!(body("parallel reduction(+:arr[2:3])", "arr[2]++;"), ["Add(arr[2:3])"]);
    assert_eq!(body("parallel reduction(+:s)", "a[i] = s;"), [""]);
    assert_eq!(body("parallel reduction(+:s)", "s *= 2;"), [""]);
    assert_eq!(body("parallel reduction(+:s)", "{ int s = 0; s++; }"), [""]);
    assert_eq!(body("serial reduction(+:s)", "s++;"), [""]);
    check_body(
        "#pragma acc parallel reduction(+:s)\n{\n#pragma acc loop //~ nested-reduction-missing\n\
         for (i = 0; i < 4; i++) s *= 2;\n}",
    );
}

#[test]
fn a_section_that_is_carried_inward_takes_its_length_along() {
    let text =
        "#pragma acc parallel reduction(+:a[0:n])\n{\n#pragma acc loop\nfor (i = 0; i < 4; i++) a[i]++;\n}";
    let lines = summary(&in_function(text), false);
    assert!(lines[0].contains("firstprivate(n)") && lines[1].ends_with("Add(a[0:?])"), "{lines:?}");
}
