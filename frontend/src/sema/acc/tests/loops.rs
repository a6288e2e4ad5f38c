//! Loop directives: form, nests, kinds, levels, routines.

use super::{check, check_body, in_function, summary};

#[test]
fn what_is_a_counted_loop() {
    for header in [
        "i = 0; i < 10; i++",
        "i = 10; i > 0; i--",
        "i = 0; i <= n; i += 2",
        "i = 0; i != 10; ++i",
        "int q = 0; q < n; q = q + 1",
        "i = n; 0 <= i; i -= 3",
        "double *p = a; p < a + 10; p++",
    ] {
        check_body(&format!("#pragma acc parallel loop\nfor ({header}) ;"));
    }
    // An unsigned number is never below zero.
    check_body("#pragma acc parallel loop\nfor (unsigned u = 9; u >= 0; u--) ; //~ loop-not-canonical");
    check_body("#pragma acc parallel loop\nfor (unsigned u = 9; u >= 1; u--) ;");
    for header in ["x = 0; x < 10; x++", "i = 0; i < 10; i *= 2", "i = 0; n < 10; i++", ";;", "i = 0; ; i++"]
    {
        check_body(&format!("#pragma acc parallel loop\nfor ({header}) ; //~ loop-not-canonical"));
    }
}

#[test]
fn a_sequential_loop_may_have_any_form() {
    check_body(
        "#pragma acc parallel\n{\n#pragma acc loop seq\nfor (i = 1; i < 10; i *= 2) if (a[i] > 0) break;\n}",
    );
    check_body(
        "#pragma acc parallel\n{\n#pragma acc loop\nfor (i = 1; i < 10; i++) if (a[i] > 0) break; //~ loop-break\n}",
    );
    check_body(
        "#pragma acc parallel loop\nfor (i = 1; i < 10; i++) { while (1) break; switch (n) { case 1: break; } }",
    );
}

#[test]
fn bodies_that_change_the_loop_variable() {
    for change in ["i++", "i += 2", "i = 3", "for (i = 0; i < 3; i++) ;"] {
        check_body(&format!(
            "#pragma acc parallel loop\nfor (i = 0; i < 10; i++) {{ {change}; }} //~ counter-changed"
        ));
    }
    check_body("#pragma acc parallel loop\nfor (i = 0; i < 10; i++) { int i = 1; i++; a[i] = 1; }");
    check_body("#pragma acc parallel loop seq\nfor (i = 0; i < 10; i++) { i++; }");
    check_body("#pragma acc parallel loop\nfor (i = 0; i < 10; i++) for (j = 0; j < 9; j++) a[j] = i;");
}

#[test]
fn bodies_that_change_a_bound() {
    for kind in ["", "seq", "auto", "gang", "independent"] {
        check_body(&format!(
            "#pragma acc parallel\n{{\n#pragma acc loop {kind}\nfor (i = 0; i < n; i++) n = 3; //~ loop-bound-changed\n}}"
        ));
    }
    check_body(
        "#pragma acc parallel loop copy(n)\nfor (i = 0; i < n % 7; i++) {\n#pragma acc atomic\nn += 3; //~ loop-bound-changed\n}",
    );
    check_body(
        "#pragma acc parallel loop\nfor (i = 0; i < 10; i++)\n#pragma acc loop seq\nfor (j = 0; j < i; j++) i = 3; //~ counter-changed loop-bound-changed",
    );
    // Another variable of the name, one of each iteration, and what another loop has as its bound.
    check_body("#pragma acc parallel loop\nfor (i = 0; i < n; i++) { int n = 1; n++; a[i] = n; }");
    check_body("#pragma acc parallel\n{\n#pragma acc loop private(n)\nfor (i = 0; i < n; i++) n = 1;\n}");
    check_body("#pragma acc parallel\n{\nn = 3;\n#pragma acc loop\nfor (i = 0; i < n; i++) a[i] = 1;\n}");
}

#[test]
fn sizes_that_are_no_int() {
    check_body("#pragma acc parallel loop num_gangs(2147483647)\nfor (i = 0; i < 10; i++) a[i] = 1;");
    check_body(
        "#pragma acc parallel loop num_gangs(2147483648) //~ clause-value\nfor (i = 0; i < 10; i++) a[i] = 1;",
    );
}

#[test]
fn queues_that_do_not_exist() {
    check_body("#pragma acc parallel loop async(-3) wait(0)\nfor (i = 0; i < 10; i++) a[i] = 1;");
    check_body("#pragma acc parallel loop async(-4) //~ clause-value\nfor (i = 0; i < 10; i++) a[i] = 1;");
    check_body("#pragma acc wait(-9) //~ clause-value");
}

#[test]
fn nests() {
    check_body(
        "#pragma acc parallel loop collapse(2)\nfor (i = 0; i < 4; i++) { for (j = 0; j < 5; j++) mat[i][j] = 0; }",
    );
    check_body("#pragma acc parallel loop collapse(2)\nfor (i = 0; i < 4; i++)\n x = 1; //~ loop-nest");
    check_body(
        "#pragma acc parallel loop collapse(2)\nfor (i = 0; i < 4; i++) {\nx = 1; //~ loop-nest\nfor (j = 0; j < 5; j++) ; }",
    );
    check_body(
        "#pragma acc parallel loop collapse(2)\nfor (i = 0; i < 4; i++) { for (j = 0; j < 5; j++) ;\ng(a); //~ loop-nest\n}",
    );
    check_body(
        "#pragma acc parallel loop collapse(force:2)\nfor (i = 0; i < 4; i++) { x = 1; for (j = 0; j < 5; j++) ; }",
    );
    check_body(
        "#pragma acc parallel loop collapse(force:2)\nfor (i = 0; i < 4; i++) { ; for (j = 0; j < 5; j++) ; x = 1; }",
    );
    check_body(
        "#pragma acc parallel loop collapse(2)\nfor (i = 0; i < 4; i++)\nfor (j = i; j < 5; j++) ; //~ loop-not-rectangular",
    );
    check_body(
        "#pragma acc parallel loop tile(2,2)\nfor (i = 0; i < 4; i++)\nfor (j = 0; j < i; j++) ; //~ loop-not-rectangular",
    );
    check_body("#pragma acc parallel loop tile(2)\nfor (i = 0; i < 4; i++)\nfor (j = 0; j < i; j++) ;");
    check_body("#pragma acc parallel loop tile(*,4)\nfor (i = 0; i < 4; i++)\nfor (j = 0; j < 9; j++) ;");
    check_body("#pragma acc parallel loop tile(n) //~ tile-size\nfor (i = 0; i < 4; i++) ;");
    check_body("#pragma acc parallel loop tile(-3) //~ clause-argument\nfor (i = 0; i < 4; i++) ;");
    check_body("#pragma acc parallel loop collapse(0) //~ clause-argument\nfor (i = 0; i < 4; i++) ;");
}

#[test]
fn kinds_exclude_each_other() {
    for (clauses, bad) in [
        ("seq", false),
        ("gang worker vector", false),
        ("independent gang", false),
        ("seq gang", true),
        ("seq auto", true),
        ("auto vector", false),
        ("auto gang worker", false),
        ("independent auto", true),
        ("seq independent", true),
    ] {
        let mark = if bad { "//~ loop-kind" } else { "" };
        check_body(&format!("#pragma acc parallel loop {clauses} {mark}\nfor (i = 0; i < 4; i++) ;"));
    }
}

#[test]
fn level_arguments_belong_to_kernels() {
    check_body("#pragma acc kernels loop gang(4) worker(2) vector(32)\nfor (i = 0; i < 4; i++) ;");
    check_body("#pragma acc parallel loop gang(static:4)\nfor (i = 0; i < 4; i++) ;");
    check_body("#pragma acc parallel loop gang(dim:2)\nfor (i = 0; i < 4; i++) ;");
    check_body("#pragma acc parallel loop gang(dim:4) //~ clause-argument\nfor (i = 0; i < 4; i++) ;");
    for clause in ["gang(4)", "gang(num:4)", "worker(2)", "vector(length:32)"] {
        check_body(&format!(
            "#pragma acc parallel loop {clause} //~ loop-level-argument\nfor (i = 0; i < 4; i++) ;"
        ));
    }
    check_body("#pragma acc kernels loop gang(1.5) //~ clause-argument\nfor (i = 0; i < 4; i++) ;");
    check_body("#pragma acc kernels loop gang(-2) //~ clause-value\nfor (i = 0; i < 4; i++) ;");
}

fn nested(outer: &str, inner: &str, mark: &str) -> String {
    in_function(&format!(
        "#pragma acc parallel\n#pragma acc loop {outer}\nfor (i = 0; i < 4; i++)\n#pragma acc loop {inner} {mark}\nfor (j = 0; j < 4; j++) ;"
    ))
}

#[test]
fn levels_nest_outside_in() {
    for (outer, inner, good) in [
        ("gang", "worker", true),
        ("gang", "worker vector", true),
        ("gang worker", "vector", true),
        ("worker", "vector", true),
        ("seq", "gang vector", true),
        ("gang(dim:2)", "gang(dim:1)", true),
        ("gang", "gang", false),
        ("worker", "gang", false),
        ("vector", "worker", false),
        ("vector", "vector", false),
        ("gang vector", "vector", false),
        ("gang(dim:1)", "gang(dim:2)", false),
    ] {
        check(&nested(outer, inner, if good { "" } else { "//~ loop-level-nesting" }));
        check(&nested(outer, inner, "").replace("acc parallel", "acc kernels"));
    }
}

/// OpenACC 3.3, sections 2.5.4 and 2.9.11.
#[test]
fn reductions_beside_several_dimensions_of_gangs() {
    let body = "\nfor (i = 0; i < 4; i++) x += i;";
    let bad = " //~ conflicting-clauses";
    check_body(&format!("#pragma acc parallel num_gangs(2, 3) reduction(+: x){bad}\nx += 1;"));
    check_body("#pragma acc parallel num_gangs(2) reduction(+: x)\nx += 1;");
    for (gangs, level, wrong) in [
        ("2, 3", "gang", true),
        ("2, 3", "", true),
        ("2, 3", "gang(dim: 2)", true),
        ("2, 1", "gang vector", false),
        ("1, 3", "gang(dim: 2)", false),
        ("2", "gang", false),
    ] {
        let bad = if wrong { bad } else { "" };
        let (several, on_loop) = (format!("num_gangs({gangs})"), format!("{level} reduction(+: x)"));
        check_body(&format!("#pragma acc parallel {several}\n#pragma acc loop {on_loop}{bad}{body}"));
        check_body(&format!("#pragma acc parallel loop {several} {on_loop}{bad}{body}"));
    }
    // The least of equal numbers is one of them.
    check_body(&format!(
        "#pragma acc parallel num_gangs(2)\n#pragma acc loop gang(dim: 2) reduction(min: x){body}"
    ));
    // Each gang has a variable of its own.
    check_body(&format!(
        "#pragma acc parallel num_gangs(2) reduction(+: x)\n#pragma acc loop gang(dim: 2) reduction(+: x){body}"
    ));
    check_body(
        "#pragma acc parallel loop num_gangs(2, 3) gang(dim: 2) reduction(+: x)\nfor (i = 0; i < 4; i++)\n\
         #pragma acc loop gang reduction(+: x)\nfor (int k = 0; k < 4; k++) x += k;",
    );
}

#[test]
fn routines_limit_levels() {
    for (routine, loop_, id) in [
        ("gang", "gang vector", ""),
        ("worker", "worker", ""),
        ("vector", "vector", ""),
        ("seq", "seq", ""),
        ("worker", "gang", "loop-level-routine"),
        ("vector", "worker", "loop-level-routine"),
        ("seq", "vector", "loop-level-routine"),
        ("gang", "gang reduction(+:s)", "orphan-gang-reduction"),
        ("gang", "reduction(+:s)", "orphan-gang-reduction"),
        ("gang", "worker reduction(+:s)", ""),
        ("vector", "vector reduction(+:s)", ""),
    ] {
        let mark = if id.is_empty() { String::new() } else { format!("//~ {id}") };
        let body = if loop_.contains("reduction") { "s += i;" } else { ";" };
        check(&format!(
            "#pragma acc routine {routine}\nint r(int s, int n) {{\n#pragma acc loop {loop_} {mark}\nfor (int i = 0; i < n; i++) {body}\nreturn s; }}"
        ));
    }
    check("void r(int n) {\n#pragma acc loop //~ orphan-loop\nfor (int i = 0; i < n; i++) ;\n}");
}

#[test]
fn calls_of_routines() {
    for (routine, loop_, good) in [
        ("seq", "vector", true),
        ("vector", "gang worker", true),
        ("worker", "gang", true),
        ("gang", "seq", true),
        ("vector", "vector", false),
        ("worker", "worker", false),
        ("gang", "vector", false),
        ("gang", "gang", false),
    ] {
        let mark = if good { "" } else { "//~ routine-call" };
        check(&format!(
            "#pragma acc routine {routine}\nvoid r(void);\nvoid f(int n) {{\n#pragma acc parallel\n#pragma acc loop {loop_}\nfor (int i = 0; i < n; i++)\nr(); {mark}\n}}"
        ));
    }
    check(
        "void w(void);\n#pragma acc routine(w) worker\n#pragma acc routine vector\nvoid v(void) {\nw(); //~ routine-call\n}",
    );
}

#[test]
fn loop_variables_are_private() {
    let source = in_function(
        "#pragma acc parallel loop collapse(2)\nfor (i = 0; i < 4; i++) for (int q = 0; q < 5; q++) mat[i][q] = n;",
    );
    assert_eq!(
        summary(&source, false),
        ["Parallel implicit Copy(mat: object) firstprivate(n)", "loop Default x2 private(i,q)"]
    );
}

#[test]
fn constructs_do_not_nest() {
    check_body("#pragma acc parallel\n{\n#pragma acc parallel //~ construct-nesting\n;\n}");
    check_body("#pragma acc kernels\n{\n#pragma acc data copy(x) //~ construct-nesting\n;\n}");
    check_body("#pragma acc parallel\n{\n#pragma acc update self(x) //~ construct-nesting\n}");
    check_body(
        "#pragma acc data copy(arr)\n{\n#pragma acc parallel\narr[0] = 1;\n#pragma acc update self(arr)\n}",
    );
    check("#pragma acc routine\nvoid r(void) {\n#pragma acc parallel //~ construct-nesting\n;\n}");
}

#[test]
fn builtins_of_the_device() {
    check("void f(void) {\n__builtin_goacc_parlevel_id(0); //~ parlevel\n}");
    check("void f(void) {\n#pragma acc parallel\n__builtin_goacc_parlevel_id(2);\n}");
    check("#pragma acc routine\nvoid f(int n) {\n__builtin_goacc_parlevel_size(n); //~ parlevel\n}");
    check("#pragma acc routine\nvoid f(void) {\n__builtin_goacc_parlevel_size(3); //~ parlevel\n}");
}

#[test]
fn jumps_stay_inside_of_constructs() {
    check_body("#pragma acc parallel\n{\nif (n) goto out; //~ construct-branch\n}\nout: ;");
    check_body("goto in; //~ construct-branch\n#pragma acc data\n{ in: ; }");
    check_body("#pragma acc kernels\nreturn; //~ construct-branch");
    check_body("while (n) {\n#pragma acc data\n{\nbreak; //~ construct-branch\n}\n}");
    check_body("#pragma acc parallel\n{ if (n) goto on; x = 1; on: ; }");
}
