//! With `--memory discrete`, an access to memory that is not on the device ends the program: with the line,
//! and with the variable that leads there.

use std::path::Path;
use std::process::Command;

/// What a program says whose access ends it.
fn fault(name: &str, option: &str, statements: &str) -> String {
    let (said, code) = run(name, option, statements);
    assert_eq!(code, None, "{name} {option} goes on: {said}");
    said
}

/// What a program says that has these statements in `main`, from line 5 on, and its status.
fn run(name: &str, option: &str, statements: &str) -> (String, Option<i32>) {
    let head = "#include <stdlib.h>\ntypedef struct { int n; double *x; } vector;\nint main(void) {\nint n = 100; double *a = calloc(n, 8), *b = calloc(n, 8); vector v = {n, a};\n";
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fault_{name}{option}.c"));
    let text = format!("{head}{statements}\nreturn a[n - 1] + b[n - 1] + v.n > 1e9;\n}}\n");
    std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    let output = command.args(["run", "-w", "-fopenmp", option, "--memory", "discrete"]).arg(&path).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (said, output.status.code())
}

/// Programs, by their names and statements, end with what they have to say.
fn are_told(cases: &[(&str, &str, &str)]) {
    for &(name, statements, wanted) in cases {
        for option in ["-O0", "-O2"] {
            let (said, code) = run(name, option, statements);
            assert!(said.contains(wanted), "{name} {option}: {said}");
            assert_eq!(code, Some(1), "{name} {option}: {said}");
        }
    }
}

#[test]
fn members_that_do_not_lie_together_are_no_structure() {
    let region = "#pragma acc enter data copyin(v.x[0:n])\n#pragma acc parallel loop copyin(v.n) present(v.x[0:n])\nfor (int i = 0; i < v.n; i++)\n  v.x[i] = i;";
    let data = "#pragma acc enter data copyin(v.x[0:n])\n#pragma acc enter data copyin(v.n, v.x[0:n])";
    let cases = [
        (
            "members",
            region,
            "the region uses `v.n' and `v.x', members of one structure that were mapped by different",
        ),
        (
            "members_of_data",
            data,
            "`v.n' and `v.x[0:n]' are members of one structure, but were mapped by different",
        ),
    ];
    are_told(&cases);
}

/// The code finds all members from the structure's address, so that one which another directive has mapped
/// elsewhere would be some other number.
#[test]
fn members_that_were_mapped_apart_are_told() {
    let apart =
        "the region uses `v.n' and `v.x', members of one structure that were mapped by different directives";
    let cases = [
        (
            "apart",
            "#pragma acc enter data copyin(v.x)\n#pragma acc parallel copy(v.n)\nv.n += v.x != 0;",
            apart,
        ),
        (
            "apart_pointer",
            "vector *p = &v;\n#pragma acc enter data copyin(p->x)\n#pragma acc parallel copy(p->n)\np->n += p->x != 0;",
            "the region uses `p->n' and `p->x', members",
        ),
        (
            "apart_target",
            "#pragma omp target enter data map(to: v.x)\n#pragma omp target map(tofrom: v.n)\nv.n += v.x != 0;",
            apart,
        ),
        (
            "apart_unknown",
            "#pragma acc enter data copyin(v.x)\n#pragma acc parallel copy(v.n)\n{ vector *p = &v; p->n += p->x != 0; }",
            "the region uses `v.n' and `v.x', members",
        ),
        (
            "absent",
            "#pragma acc enter data copyin(v.x[0:n])\n#pragma acc parallel loop present(v.x[0:n])\nfor (int i = 0; i < 4; i++)\n  v.x[i] = v.n;",
            "the region uses `v.n', which is not present on the device, while `v.x' of the same structure is",
        ),
        (
            "absent_in_loop",
            "vector *p = &v;\n#pragma acc data copy(p->x[0:n])\n#pragma acc kernels\nfor (int i = 0; i < p->n; i++)\n  p->x[i] = i;",
            "the region uses `p->n', which is not present on the device, while `p->x' of the same structure is",
        ),
    ];
    are_told(&cases);
}

#[test]
fn accesses_outside_of_what_is_mapped_name_the_variable_and_the_line() {
    let cases = [
        (
            "behind",
            "#pragma acc parallel loop copy(a[0:n-1])\nfor (int i = 0; i < n; i++)\n  a[i] = i;",
            "of `a[0:n-1]' on the device",
        ),
        (
            "before",
            "#pragma acc parallel loop create(a[0:512])\nfor (int i = 0; i < n; i++)\n  a[i - 100] = i;",
            "before the 4096 bytes of `a[0:512]' on the device",
        ),
        (
            "no_clause",
            "#pragma acc parallel loop copyin(a[0:n])\nfor (int i = 0; i < n; i++)\n  b[(int)a[i]] = i;",
            "`b' leads to the host's memory, which has no copy on the device",
        ),
        (
            "firstprivate",
            "#pragma acc parallel loop firstprivate(b)\nfor (int i = 0; i < n; i++)\n  b[i] = i;",
            "`b' leads to the host's memory",
        ),
        (
            "member",
            "#pragma acc parallel loop copyin(v)\nfor (int i = 0; i < v.n; i++)\n  v.x[i] *= 2;",
            "a pointer in `v' leads to the host's memory",
        ),
        (
            "unset",
            "#pragma acc parallel loop create(v)\nfor (int i = 0; i < 9; i++)\n  v.x[i] = 2;",
            "a pointer on the device that nobody has set",
        ),
    ];
    for (name, statements, expected) in cases {
        for option in ["-O0", "-O2"] {
            let said = fault(name, option, statements);
            let place = format!("fault_{name}{option}.c:7: ");
            assert!(said.contains(expected) && said.contains(&place), "{name} {option}: {said}");
        }
    }
}
