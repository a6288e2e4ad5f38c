//! `declare` and `routine`.

use super::{check, summary};

#[test]
fn declare_at_file_scope() {
    check(
        "int a, b[3], *p, c, d;\n#pragma acc declare create(a) copyin(b) deviceptr(p) link(c) device_resident(d)\n",
    );
    for clause in ["copy", "copyout", "present"] {
        check(&format!("int a;\n#pragma acc declare {clause}(a) //~ declare-placement\n"));
    }
    check("int a;\n#pragma acc declare create(a, a) //~ declare-duplicate\n");
    check("int a;\n#pragma acc declare create(a)\n#pragma acc declare link(a) //~ declare-duplicate\n");
    check("int a[4];\n#pragma acc declare create(a[0:2]) //~ data-item\n");
    check("#pragma acc declare //~ missing-clause\n");
    check("int a;\n#pragma acc data copy(a) //~ misplaced-directive\n");
}

#[test]
fn declare_in_a_function() {
    check("void f(int p[3]) { int a, b;\n#pragma acc declare copy(a) present(b) copyin(p)\n}");
    check("void f(int n, int *p) {\n#pragma acc declare copyin(p[0:n]) //~ declare-section\n}");
    check("void f(void) { int a;\n#pragma acc declare link(a) //~ declare-placement\n}");
    check("void f(void) { int a; {\n#pragma acc declare copy(a) //~ declare-placement\n} }");
    check("void f(void) { extern int e;\n#pragma acc declare copy(e) //~ declare-placement\n}");
    check("void f(void) { extern int e;\n#pragma acc declare create(e)\n}");
    let lines = summary(
        "void f(void) { int a[3];\n#pragma acc declare create(a)\n#pragma acc parallel\na[0] = 1;\n}",
        false,
    );
    assert_eq!(lines, ["declare Create(a: object)", "Parallel implicit Present(a: object)"]);
    let lines = summary(
        "int a[3];\n#pragma acc declare create(a)\nvoid f(void) {\n#pragma acc parallel\na[0] = 1;\n}",
        false,
    );
    assert_eq!(lines, ["Parallel"]);
}

#[test]
fn routine_directives() {
    check("#pragma acc routine seq\nint r(int x) { return x; }");
    check("int r(int);\n#pragma acc routine(r) vector\nint r(int x) { return x; }");
    check("#pragma acc routine gang worker //~ conflicting-clauses\nvoid r(void);");
    check("#pragma acc routine gang gang //~ duplicate-clause\nvoid r(void);");
    check("#pragma acc routine(nope) seq //~ routine-name\n");
    check("int v;\n#pragma acc routine(v) seq //~ routine-name\n");
    check("void r(void);\n#pragma acc routine(r) seq\n#pragma acc routine(r) gang //~ routine-conflict\n");
    check("#pragma acc routine seq nohost\nvoid r(void);\n#pragma acc routine(r) seq //~ routine-conflict\n");
    check("#pragma acc routine seq\nvoid r(void);\n#pragma acc routine seq\nvoid r(void) { }");
    check("void r(void) { }\n#pragma acc routine(r) seq //~ routine-late\n");
    check("void r(void);\nvoid f(void) { r(); }\n#pragma acc routine(r) seq //~ routine-late\n");
}

#[test]
fn variables_of_routines() {
    check("int v; //~ routine-variable\n#pragma acc routine\nvoid r(void) { v = 1; }");
    check(
        "int v; //~ routine-variable\n#pragma acc declare link(v)\n#pragma acc routine\nvoid r(void) { v = 1; }",
    );
    check("int *v;\n#pragma acc declare deviceptr(v)\n#pragma acc routine\nvoid r(void) { *v = 1; }");
    check("int v;\n#pragma acc declare create(v)\n#pragma acc routine\nvoid r(void) { v = 1; }");
    check("#pragma acc routine\nint r(void) { static int own; return own; }");
    check("const int c = 1, d[2] = {1, 2};\n#pragma acc routine\nint r(int i) { return c + d[i]; }");
}
