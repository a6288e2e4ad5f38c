//! `accrue check`: programs that compute the same on the host and on a device, and programs that do not.

use std::path::Path;
use std::process::{Command, Output};

/// Checks a program whose text is in a file of its own.
fn check(name: &str, options: &[&str], program: &str) -> Output {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("check_{name}.c"));
    std::fs::write(&path, program).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.arg("check").args(options).arg(path).env_remove("ACC_DEVICE_TYPE");
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program agrees; gives what it printed, and what the check said.
#[track_caller]
fn agrees(name: &str, options: &[&str], program: &str) -> (String, String) {
    let output = check(name, options, program);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    (text(&output.stdout), errors)
}

/// The program diverges; gives what the check said.
#[track_caller]
fn diverges(name: &str, options: &[&str], program: &str) -> String {
    let output = check(name, options, program);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("first divergence"), "{errors}");
    errors
}

#[track_caller]
fn says(text: &str, part: &str) {
    assert!(text.contains(part), "{part}\nis not in\n{text}");
}

const AGREES: &str = r#"
#include <complex.h>
#include <math.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

struct body { char kind; double at[3]; float mass; };

static void outside(double *a, int n) { acc_memcpy_to_device(a + n - 1, &(double){-1}, sizeof *a); }

int main(void)
{
    int n = 1000, printed = 0;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), sum = 0, back = 0;
    float _Complex product = 1;
    struct body bodies[10];
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc data copyin(a[0:n]) copyout(b[0:n])
    {
#pragma acc parallel loop async(1)
        for (int i = 0; i < n; i++)
            b[i] = i == 5 ? NAN : a[i] / 3;
#pragma acc parallel loop reduction(+:sum) async(1) present(b[0:n])
        for (int i = 0; i < n; i++)
            sum += i == 5 ? 0 : b[i];
#pragma acc update self(b[10:20]) async(1)
#pragma acc wait
    }
#pragma acc parallel loop copyout(bodies) reduction(*:product)
    for (int i = 0; i < 10; i++) {
        bodies[i].kind = 'a' + i;
        bodies[i].mass = i;
        for (int k = 0; k < 3; k++)
            bodies[i].at[k] = i * k;
        product *= 1 + i * 0.1f * I;
    }
    double *d = acc_malloc(n * sizeof *d);
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < n; i++)
        d[i] = i;
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < n; i++)
        d[i] += 1;
    acc_memcpy_from_device(&back, d + 7, sizeof back);
    acc_free(d);
    acc_copyin(a, n * sizeof *a);
#pragma acc host_data use_device(a)
    outside(a, n);
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
        a[i] += 1;
    acc_copyout(a, n * sizeof *a);
#pragma acc serial copy(printed)
    {
        printf("in a region\n");
        printed++;
    }
    printf("%g %g %g %g %d\n", sum, back, a[7], a[n - 1], printed);
    return 3;
}
"#;

#[test]
fn a_program_that_agrees_goes_on_as_on_the_host() {
    for options in [&[][..], &["--gangs", "3"], &["--device", "host-discrete", "--ulp", "0"]] {
        let (printed, said) = agrees("agrees", options, AGREES);
        assert_eq!(printed, "in a region\n166498 8 8 0 1\n");
        says(&said, "the program itself ended with status 3");
        says(&said, "host and device agree: 7 regions, ");
    }
}

#[test]
fn a_copy_that_is_missing() {
    let said = diverges(
        "copyin",
        &[],
        "int main(void)\n{\n    float a[50], b[50];\n    for (int i = 0; i < 50; i++)\n        a[i] = i;\n\
         #pragma acc data create(a) copyout(b)\n    {\n#pragma acc parallel loop\n\
         for (int i = 0; i < 50; i++)\n    b[i] = i < 10 ? i : a[i];\n    }\n    return b[20] != 20;\n}\n",
    );
    says(&said, "check_copyin.c:6: data: first divergence: `b', element 10: host 10.0, device -2.6167546e36");
    says(&said, "40 elements of `b' differ there");
    says(&said, "the last region that used `b' is at ");
    says(&said, "check_copyin.c:8 (main)");
    says(
        &said,
        "differ: 40 of 50 elements, in 1 of 1 arrays, after 1 regions; largest error 1.000e0 relative",
    );
    // The program goes on with the host's results.
    assert!(!said.contains("the program itself"), "{said}");
}

/// Sums of `float` in another order differ by more than a single value may; what the order cannot explain is
/// reported.
#[test]
fn limits_know_the_terms_of_reductions() {
    let program = |term: &str, clause: &str| {
        format!(
            "#include <openacc.h>\nint main(void)\n{{\n    enum {{ N = 400000 }};\n    static float a[N];\n    float s = 0, row[4];\n\
             for (int i = 0; i < N; i++)\n    a[i] = 0.1f;\n\
             #pragma acc parallel loop reduction(+:s)\n    for (int i = 0; i < N; i++)\n    s += {term};\n\
             #pragma acc parallel loop gang\n    for (int j = 0; j < 4; j++) {{\n    float r = 0;\n\
             #pragma acc loop {clause}\n    for (int i = 0; i < N / 4; i++)\n    r += a[j * (N / 4) + i];\n    row[j] = r;\n    }}\n\
             return s < row[1];\n}}\n"
        )
    };
    let sim = ["--device", "sim", "-O0"];
    let (_, said) = agrees("terms", &sim, &program("a[i]", "vector reduction(+:r)"));
    says(&said, "largest error ");
    let said = diverges(
        "no_terms",
        &["--device", "sim", "-O0", "--rel", "1e-5"],
        &program("a[i]", "vector reduction(+:r)"),
    );
    assert!(!said.contains("another order"), "{said}");
    let said =
        diverges("wrong_terms", &sim, &program("acc_on_device(acc_device_nvidia) ? 0.11f : a[i]", "seq"));
    says(&said, "that is more than sums of 400000 terms in another order explain");
}

/// What lies between the runs of a section is not compared; an element counts from the first one of the
/// section.
#[test]
fn sections_with_gaps_are_compared_run_by_run() {
    let program = |update: &str| {
        format!(
            "int main(void)\n{{\n    static double a[6][10];\n    int n = 6;\n\
             #pragma acc data create(a)\n    {{\n#pragma acc parallel loop\n\
             for (int i = 0; i < n; i++)\n    a[i][4] = a[i][5] = i;\n\
             #pragma acc update self({update})\n    }}\n    return 0;\n}}\n"
        )
    };
    let (_, said) = agrees("column", &[], &program("a[0:n][4:2]"));
    says(&said, "host and device agree: 1 regions, 1 arrays, 12 elements compared");
    let said = diverges("columns", &[], &program("a[1:4][5:2]"));
    says(&said, "first divergence: `a[1:4][5:2]', element 1: host 0.0, device");
    says(&said, "4 elements of `a[1:4][5:2]' differ there");
    says(&said, "differ: 4 of 8 elements");
}

#[test]
fn an_update_that_is_missing() {
    let said = diverges(
        "update",
        &[],
        "int main(void)\n{\n    int a[4] = {1, 2, 3, 4}, sum = 0;\n#pragma acc enter data copyin(a)\n    a[2] = 30;\n\
         #pragma acc parallel loop reduction(+:sum)\n    for (int i = 0; i < 4; i++)\n        sum += a[i];\n\
         #pragma acc exit data delete(a)\n    return sum != 37;\n}\n",
    );
    says(&said, "check_update.c:6: parallel: first divergence: `sum', element 0: host 37, device 10");
}

#[test]
fn what_each_side_draws_for_itself() {
    // Both sides draw from one sequence.
    let said = diverges(
        "random",
        &[],
        "#include <stdlib.h>\nint main(void)\n{\n    struct { char tag; long drawn[2]; } r[3] = {0};\n\
         #pragma acc serial copy(r)\n    r[1].drawn[1] = random();\n    return 0;\n}\n",
    );
    says(&said, "check_random.c:5: serial: first divergence: `r', element 1, byte 16 of it: host ");
}

#[test]
fn a_global_that_is_never_updated() {
    let program = |ty: &str, value: &str| {
        format!(
            "{ty} scale = 1;\n#pragma acc declare copyin(scale)\n#pragma acc routine seq\n{ty} f({ty} x) {{ return x * scale; }}\n\
             int main(void)\n{{\n    {ty} a[3];\n    scale = {value};\n#pragma acc parallel loop copyout(a)\n\
             for (int i = 0; i < 3; i++)\n        a[i] = f(i + 1);\n    return 0;\n}}\n"
        )
    };
    let double = program("double", "1 + 1e-9");
    says(
        &diverges("double", &[], &double),
        "`a', element 0: host 1.000000001, device 1.0 (relative error 1.000e-9)",
    );
    diverges("double", &["--ulp", "1000"], &double);
    diverges("double", &["--abs", "1e-10"], &double);
    for options in [["--rel", "1e-8"], ["--abs", "1e-8"], ["--ulp", "10000000"]] {
        says(&agrees("double", &options, &double).1, "largest error 1.000e-9 relative");
    }
    let float = program("float", "1.000001f");
    agrees("float", &[], &float);
    diverges("float", &["--ulp", "0"], &float);
    says(&diverges("short", &["--abs", "5"], &program("short", "-2")), "`a', element 0: host -2, device 1");
}

#[test]
fn gang_redundant_code_runs_as_often_on_both_sides() {
    let (printed, _) = agrees(
        "gangs",
        &["--gangs", "5"],
        "#include <stdio.h>\nint main(void)\n{\n    int x = 0, y = 0;\n#pragma acc parallel num_gangs(4) copy(x)\n    {\n\
         #pragma acc atomic\n        x++;\n    }\n#pragma acc kernels copy(y)\n    y++;\n\
         printf(\"%d %d\\n\", x, y);\n    return 0;\n}\n",
    );
    assert_eq!(printed, "4 1\n");
}

#[test]
fn rows_and_members_are_numbers() {
    let said = diverges(
        "rows",
        &[],
        "#include <stdlib.h>\nstruct s { int n; float *v; };\nint main(void)\n{\n    double **m = malloc(3 * sizeof *m);\n\
         for (int i = 0; i < 3; i++)\n        m[i] = calloc(4, sizeof **m);\n    float v[8] = {0};\n    struct s s = {8, v};\n\
         #pragma acc data copy(s) copy(s.v[0:8])\n    {\n#pragma acc parallel loop present(s)\n\
         for (int i = 0; i < 8; i++)\n        s.v[i] = i;\n    }\n    if (v[7] != 7)\n        abort();\n\
         #pragma acc parallel loop copyout(m[0:3][0:4])\n    for (int i = 0; i < 3; i++)\n\
         for (int k = 0; k < 3; k++)\n            m[i][k] = k;\n    return 0;\n}\n",
    );
    says(&said, "`m[0:3][0:4]', element 3: host 0.0, device -");
    says(&said, "differ: 3 of ");
}

#[test]
fn what_cannot_be_checked_is_said() {
    let empty = "int main(void) { return 0; }\n";
    says(&agrees("empty", &[], empty).1, "nothing came back from a device (0 regions ran there)");
    for options in [["--rel", "-1"], ["--abs", "x"], ["--ulp", "-1"], ["--gangs", "0"]] {
        let output = check("empty", &options, empty);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {}", text(&output.stderr));
    }
    let unknown = "int main(void)\n{\n    int *p = (int *)64;\n#pragma acc serial deviceptr(p)\n    { int *q = p; (void)q; }\n}\n";
    let output = check("unknown", &[], unknown);
    assert_eq!(output.status.code(), Some(1));
    says(
        &text(&output.stderr),
        "`p': `accrue check` knows device memory of acc_malloc and of data clauses only",
    );
    let absent = "int main(void)\n{\n    int a[3];\n#pragma acc parallel loop present(a)\n    for (int i = 0; i < 3; i++) a[i] = i;\n}\n";
    let output = check("absent", &[], absent);
    assert_eq!(output.status.code(), Some(1));
    assert!(!text(&output.stderr).contains("agree"), "{}", text(&output.stderr));
}

/// The simulator in a schedule of its own; the options say how threads meet, too.
const IN_SIMULATOR: [&[&str]; 3] = [
    &["--device", "sim"],
    &["--device", "sim", "--seed", "1", "--reduction", "lock"],
    &["--device", "sim", "--seed", "2", "--deterministic"],
];

#[test]
fn the_simulator_agrees() {
    for options in IN_SIMULATOR {
        let (printed, said) = agrees("agrees_sim", options, AGREES);
        assert_eq!(printed, "in a region\n166498 8 8 0 1\n");
        says(&said, "the program itself ended with status 3");
        // Two of the constructs, of few iterations each, are one launch.
        says(&said, "host and device agree: 6 regions, 8 arrays, ");
    }
}

/// A sum that is rounded, by the host and by the device in different order, and one that is exact in any.
const ROUNDED: &str = "
int main(void)
{
    float sum = 0, a[3000];
    double exact = 0;
    for (int i = 0; i < 3000; i++)
        a[i] = i * i % 1009 * 0.1f;
#pragma acc parallel loop reduction(+:sum)
    for (int i = 0; i < 3000; i++)
        sum += a[i];
#pragma acc parallel loop reduction(+:exact)
    for (int i = 0; i < 3000; i++)
        exact += i;
    return sum < 8000 || exact != 2999 * 1500;
}
";

#[test]
fn rounding_in_the_simulator_is_within_its_tolerance() {
    let sim = |options: &[&'static str]| [&["--device", "sim", "--deterministic"], options].concat();
    for options in [&[][..], &["--ulp", "1000"], &["--rel", "1e-4"], &["--abs", "1"]] {
        says(
            &agrees("rounded", &sim(options), ROUNDED).1,
            "host and device agree: 1 regions, 3 arrays, 3002 elements",
        );
        let apart = [&sim(options)[..], &["-fno-fuse-launches"]].concat();
        says(
            &agrees("rounded", &apart, ROUNDED).1,
            "host and device agree: 2 regions, 3 arrays, 3002 elements",
        );
    }
    // With the order fixed, some shape of the launch rounds otherwise than the host.
    let shapes =
        ["-fopenacc-dim=3:1:32", "-fopenacc-dim=5:2:32", "-fopenacc-dim=7:4:64", "-fopenacc-dim=2:1:1024"];
    let differing = shapes
        .into_iter()
        .find(|shape| check("rounded", &sim(&["--ulp", "0", shape]), ROUNDED).status.code() == Some(1));
    let Some(shape) = differing else { panic!("no shape rounds otherwise: the tolerances are not tested") };
    for options in [&["--ulp", "0"][..], &["--rel", "1e-12"], &["--rel", "1e-12", "--abs", "1e-12"]] {
        let said = diverges("rounded", &sim(&[options, &[shape]].concat()), ROUNDED);
        says(&said, "check_rounded.c:8: parallel: first divergence: `sum', element 0: host ");
        says(&said, "differ: 1 of 3002 elements, in 1 of 3 arrays, after 1 regions");
        // The program goes on with the host's results.
        assert!(!said.contains("the program itself"), "{said}");
    }
    for options in [["--ulp", "1000"], ["--abs", "1"]] {
        agrees("rounded", &sim(&[&options[..], &[shape]].concat()), ROUNDED);
    }
}

#[test]
fn an_update_that_is_missing_in_the_simulator() {
    let program = "int main(void)\n{\n    int a[4] = {1, 2, 3, 4}, sum = 0;\n#pragma acc enter data copyin(a)\n    a[2] = 30;\n\
                   #pragma acc parallel loop reduction(+:sum)\n    for (int i = 0; i < 4; i++)\n        sum += a[i];\n\
                   #pragma acc exit data delete(a)\n    return sum != 37;\n}\n";
    for options in IN_SIMULATOR {
        let said = diverges("update_sim", options, program);
        says(&said, "check_update_sim.c:6: parallel: first divergence: `sum', element 0: host 37, device 10");
    }
}

/// What the simulator finds ends the check.
#[track_caller]
fn is_reported(name: &str, program: &str, parts: &[&str]) {
    for options in IN_SIMULATOR {
        let output = check(name, &[options, &["-w"]].concat(), program);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        parts.iter().for_each(|part| says(&said, part));
        assert!(!said.contains("agree") && !said.contains("differ"), "{said}");
    }
}

#[test]
fn what_the_simulator_reports() {
    is_reported(
        "copyin_sim",
        "int main(void)\n{\n    float a[50], b[50];\n    for (int i = 0; i < 50; i++)\n        a[i] = i;\n\
         #pragma acc data create(a) copyout(b)\n    {\n#pragma acc parallel loop\n\
         for (int i = 0; i < 50; i++)\n    b[i] = i < 10 ? i : 2 * a[i];\n    }\n    return b[20] != 40;\n}\n",
        &["check_copyin_sim.c:10:", "uninitialised value", "of `b` (200 bytes)"],
    );
    is_reported(
        "race",
        "int main(void)\n{\n    int sum = 0;\n#pragma acc parallel loop copy(sum)\n    for (int i = 0; i < 3000; i++)\n\
         sum += i;\n    return 0;\n}\n",
        &["check_race.c:6:", "data race", "byte 0 of `sum` (4 bytes)"],
    );
    is_reported(
        "bounds",
        "#include <stdlib.h>\nint main(void)\n{\n    int *a = calloc(100, sizeof *a);\n#pragma acc parallel loop copy(a[0:50])\n\
         for (int i = 0; i < 51; i++)\n        a[i] = i;\n    return 0;\n}\n",
        &["check_bounds.c:7:", "out of bounds"],
    );
}
