//! `accrue check --loops`: programs whose parallel loops carry something, and their neighbours that do not.

use std::path::Path;
use std::process::{Command, Output};

/// Checks a program whose text is in a file of its own.
fn check(name: &str, options: &[&str], program: &str) -> Output {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("loops_{name}.c"));
    std::fs::write(&path, program).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.arg("check").args(options).args(["--verify", "-w"]).arg(path).env_remove("ACC_DEVICE_TYPE");
    command.env("NO_COLOR", "1").output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// A program of declarations and statements of `main`; `N` is 24. Line 1 has the declarations, statements
/// begin on line 2.
fn program(declarations: &str, statements: &str) -> String {
    format!(
        "#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n{}\n#line 1\n{}\n",
        "enum { N = 24 };",
        format_args!(
            "{declarations} int main(void) {{ double a[N + 8] = {{0}}, b[N + 8] = {{0}}, c[N][N] = {{{{0}}}}; int x[N + 8] = {{0}};\n{statements}\nreturn 0; }}"
        )
    )
}

/// What the check says of a program.
fn said(name: &str, options: &[&str], program: &str, status: i32) -> String {
    let output = check(name, options, program);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{name}:\n{program}\n{text}");
    text
}

/// Nothing is reported of a number of parallel loops.
#[track_caller]
fn is_right(name: &str, loops: usize, declarations: &str, statements: &str) {
    let text = said(name, &["--loops"], &program(declarations, statements), 0);
    let plural = if loops == 1 { "" } else { "s" };
    let summary = format!("{loops} loop{plural} called parallel, {loops} ran, none carried something");
    assert!(text.contains(&summary), "{name}: {text}");
}

/// What is expected of a report: the line of the loop, the relation and the object, the two places as line,
/// what is said there, and the distance.
struct Wrong<'a> {
    line: u32,
    what: &'a str,
    accesses: [(u32, &'a str); 2],
    distance: u64,
}

/// Exactly these loops are reported, by their lines.
#[track_caller]
fn is_wrong(name: &str, declarations: &str, statements: &str, expected: &[Wrong<'_>]) {
    let text = said(name, &["--loops"], &program(declarations, statements), 1);
    let reports: Vec<&str> =
        text.split("error[carried-dependence]: the loop is called parallel, and ").skip(1).collect();
    assert_eq!(reports.len(), expected.len(), "{name}: {text}");
    for (report, Wrong { line, what, accesses, distance }) in reports.into_iter().zip(expected) {
        assert!(report.starts_with(what), "{name}: {what}\n{report}");
        let places: Vec<&str> =
            report.lines().filter_map(|line| line.trim_start().strip_prefix("--> ")).collect();
        let is_at = |place: &str, line: u32| place.contains(&format!(".c:{line}:"));
        let lines = [*line, accesses[0].0, accesses[1].0];
        assert!(
            places.len() == 3 && places.iter().zip(lines).all(|(place, line)| is_at(place, line)),
            "{name}: {report}"
        );
        for (_, text) in accesses {
            assert!(report.contains(&format!("note: {text} here\n")), "{name}: {text}\n{report}");
        }
        assert!(report.contains(&format!("distance {distance}\n")), "{name}: {report}");
    }
}

const FLOW: &str = "an iteration reads what an earlier one writes";
const ANTI: &str = "an iteration writes what an earlier one reads";
const OUTPUT: &str = "two iterations write the same place";

#[test]
fn values_that_flow() {
    for (name, clause) in [("claimed", "parallel loop"), ("independent", "kernels loop independent")] {
        is_wrong(
            name,
            "",
            &format!("#pragma acc {clause}\nfor (int i = 3; i < N; i++)\na[i] = a[i - 3] + 1;"),
            &[Wrong {
                line: 3,
                what: FLOW,
                accesses: [(4, "iteration 0 writes `a`"), (4, "iteration 3 reads it")],
                distance: 3,
            }],
        );
    }
    // The nearest of two: through another name, in another statement, with a counter that goes down.
    is_wrong(
        "names",
        "static void add(double *p, const double *q) { *p += *q; }",
        "double *d = a;\n#pragma acc parallel loop copy(a, d[0:N])\nfor (int i = N - 1; i > 4; i -= 2) {\na[i] = i;\nadd(&b[i], &d[i + 4]);\n}",
        &[Wrong {
            line: 4,
            what: FLOW,
            accesses: [(5, "iteration 0 writes `a`"), (1, "iteration 2 reads `q`")],
            distance: 2,
        }],
    );
    is_wrong(
        "scalar",
        "",
        "int k = 0;\n#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\nx[i] = k;\nk += i;\n}",
        &[Wrong {
            line: 4,
            what: FLOW,
            accesses: [(6, "iteration 0 writes `k`"), (5, "iteration 1 reads it")],
            distance: 1,
        }],
    );
    is_wrong(
        "mapped_scalar",
        "",
        "int k = 0;\n#pragma acc parallel loop copy(k)\nfor (int i = 0; i < N; i++) {\nif (i % 5 == 0) k = i;\nx[i] = k;\n}",
        &[Wrong {
            line: 4,
            what: FLOW,
            accesses: [(5, "iteration 0 writes `k`"), (6, "iteration 1 reads it")],
            distance: 1,
        }],
    );
}

#[test]
fn places_that_are_written_twice_or_behind_a_read() {
    is_wrong(
        "output",
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\nx[i % 6] = i;",
        &[Wrong {
            line: 3,
            what: OUTPUT,
            accesses: [(4, "iteration 0 writes `x`"), (4, "iteration 6 writes it")],
            distance: 6,
        }],
    );
    is_wrong(
        "anti",
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\na[i] = a[i + 2];",
        &[Wrong {
            line: 3,
            what: ANTI,
            accesses: [(4, "iteration 0 reads `a`"), (4, "iteration 2 writes it")],
            distance: 2,
        }],
    );
    // Every iteration reads an element, and a late one writes it: the last read before that counts.
    is_wrong(
        "late",
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\nb[i] = a[0];\nif (i == 9)\na[0] = b[i];\n}",
        &[Wrong {
            line: 3,
            what: FLOW,
            accesses: [(6, "iteration 9 writes `a`"), (4, "iteration 10 reads it")],
            distance: 1,
        }],
    );
    is_wrong(
        "late_anti",
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\nif (i == N - 1)\na[0] = i;\nelse\nb[i] = a[0];\n}",
        &[Wrong {
            line: 3,
            what: ANTI,
            accesses: [(7, "iteration 22 reads `a`"), (5, "iteration 23 writes it")],
            distance: 1,
        }],
    );
}

#[test]
fn bytes_and_wholes() {
    is_right(
        "chars",
        1,
        "static char s[N];",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\ns[i] = i;",
    );
    is_wrong(
        "words",
        "static char s[N + 4];",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\nmemset(&s[i], i, 3);",
        &[Wrong {
            line: 3,
            what: OUTPUT,
            accesses: [(4, "iteration 0 writes `s`"), (4, "iteration 1 writes it")],
            distance: 1,
        }],
    );
    let structs = "struct point { char tag; double at[2]; }; static struct point p[N + 1];";
    is_right(
        "structs",
        1,
        structs,
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\nstruct point q = p[i];\nq.at[0] += 1;\np[i] = q;\n}",
    );
    is_wrong(
        "struct_copies",
        structs,
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\np[i + 1] = p[i];",
        &[Wrong {
            line: 3,
            what: FLOW,
            accesses: [(4, "iteration 0 writes `p`"), (4, "iteration 1 reads it")],
            distance: 1,
        }],
    );
    is_wrong(
        "members",
        structs,
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\np[i].tag = 1;\np[i].at[1] = p[i + 1].at[1];\n}",
        &[Wrong {
            line: 3,
            what: ANTI,
            accesses: [(5, "iteration 0 reads `p`"), (5, "iteration 1 writes it")],
            distance: 1,
        }],
    );
    is_wrong(
        "aggregates",
        "struct wide { double v[9]; }; static struct wide w[N + 1]; static struct wide next(struct wide f) { f.v[8] += 1; return f; }",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\nw[i + 1] = next(w[i]);",
        &[Wrong {
            line: 3,
            what: FLOW,
            accesses: [(4, "iteration 0 writes `w`"), (4, "iteration 1 reads it")],
            distance: 1,
        }],
    );
}

#[test]
fn nests_are_judged_loop_by_loop() {
    is_right(
        "rows",
        2,
        "",
        "#pragma acc parallel loop collapse(2)\nfor (int i = 0; i < N; i++)\nfor (int j = 0; j < N; j++)\nc[i][j] += i;",
    );
    // The outer loop carries nothing where the inner one does, and the other way round.
    is_wrong(
        "inner",
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\n{\n#pragma acc loop\nfor (int j = 2; j < N; j++)\nc[i][j] = c[i][j - 2];\n}",
        &[Wrong {
            line: 6,
            what: FLOW,
            accesses: [(7, "iteration 0 writes `c`"), (7, "iteration 2 reads it")],
            distance: 2,
        }],
    );
    is_wrong(
        "outer",
        "",
        "#pragma acc parallel loop collapse(2)\nfor (int i = 1; i < N; i++)\nfor (int j = 2; j < N; j++)\nc[i][j] = c[i - 1][j - 2];",
        &[Wrong {
            line: 3,
            what: FLOW,
            accesses: [(5, "iteration 0 writes `c`"), (5, "iteration 1 reads it")],
            distance: 1,
        }],
    );
    // A sequential loop around a parallel one carries what it likes, and so does one inside.
    is_right(
        "around",
        1,
        "",
        "#pragma acc parallel\n#pragma acc loop seq\nfor (int k = 1; k < N; k++)\n{\n#pragma acc loop\nfor (int i = 0; i < N; i++)\nfor (int j = 1; j < N; j++)\nc[i][j] += c[i][j - 1] + k;\n}",
    );
    is_wrong(
        "triangle",
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\nfor (int j = 0; j <= i; j++)\nb[j] = i;",
        &[Wrong {
            line: 3,
            what: OUTPUT,
            accesses: [(5, "iteration 0 writes `b`"), (5, "iteration 1 writes it")],
            distance: 1,
        }],
    );
}

#[test]
fn what_an_iteration_has_for_itself() {
    is_right(
        "declared",
        1,
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\ndouble w[4];\nfor (int k = 0; k < 4; k++) w[k] = i;\nfor (int k = 1; k < 4; k++) w[k] += w[k - 1];\na[i] = w[3];\n}",
    );
    is_right(
        "private",
        3,
        "",
        "double w[4]; int k;\n#pragma acc parallel loop private(w, k)\nfor (int i = 0; i < N; i++) {\nfor (k = 0; k < 4; k++) w[k] = i;\na[i] = w[3];\n}\n#pragma acc parallel loop collapse(2) private(w)\nfor (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {\nfor (int k = 0; k < 4; k++) w[k] = i;\nc[i][j] = w[3];\n}",
    );
    is_right(
        "gangs",
        1,
        "",
        "double w[4];\n#pragma acc parallel private(w)\n{\n#pragma acc loop gang\nfor (int i = 0; i < N; i++) {\nfor (int k = 0; k < 4; k++) w[k] = i;\na[i] = w[3];\n}\n}",
    );
    is_wrong(
        "gangs_flow",
        "",
        "double w[4];\n#pragma acc parallel private(w)\n{\nw[0] = 0;\n#pragma acc loop gang\nfor (int i = 0; i < N; i++) {\na[i] = w[0];\nw[0] = i;\n}\n}",
        &[Wrong {
            line: 7,
            what: FLOW,
            accesses: [(9, "iteration 0 writes `w`"), (8, "iteration 1 reads it")],
            distance: 1,
        }],
    );
    is_right(
        "temporary",
        1,
        "",
        "double t;\n#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\nt = a[i];\nb[i] = t * t;\n}",
    );
    is_right(
        "frames",
        1,
        "static double f(int n) { double w[3]; w[0] = n; w[1] = n < 1 ? 0 : f(n - 1); w[2] = w[0] + w[1]; return w[2]; }",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\na[i] = f(i % 5);",
    );
    is_right(
        "heap",
        1,
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\ndouble *w = malloc(80), v[i + 1], part;\nw[0] = v[i] = i;\nw[1] = w[0] + v[i] + modf(a[i], &part) + part;\na[i] = w[1];\nfree(w);\n}",
    );
    is_wrong(
        "statics",
        "static int next(void) { static int n; return ++n; }",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++)\nx[i] = next();",
        &[Wrong {
            line: 3,
            what: FLOW,
            accesses: [(1, "iteration 0 writes `n`"), (1, "iteration 1 reads it")],
            distance: 1,
        }],
    );
}

#[test]
fn reductions_and_atomics() {
    is_right(
        "sums",
        4,
        "",
        "double s = 0, m[3] = {0}, *p = b;\n#pragma acc parallel loop reduction(+:s, m)\nfor (int i = 0; i < N; i++) {\ns += a[i];\nm[i % 3] += i;\n}\n#pragma acc parallel loop reduction(+:p[2:3]) copy(p[0:N])\nfor (int i = 0; i < N; i++)\np[2 + i % 3] += i;\n#pragma acc parallel loop gang reduction(+:s)\nfor (int i = 0; i < N; i++) {\n#pragma acc loop vector reduction(+:s)\nfor (int j = 0; j < N; j++) s += c[i][j];\n}",
    );
    is_right(
        "inner_sums",
        2,
        "",
        "#pragma acc parallel loop gang\nfor (int i = 0; i < N; i++) {\ndouble s = 0;\n#pragma acc loop vector reduction(+:s)\nfor (int j = 0; j < N; j++) s += c[i][j];\nb[i] = s;\n}",
    );
    is_wrong(
        "outer_sum",
        "",
        "double s = 0;\n#pragma acc parallel loop gang copy(s)\nfor (int i = 0; i < N; i++) {\n#pragma acc loop vector reduction(+:s)\nfor (int j = 0; j < N; j++) s += c[i][j];\n}",
        &[Wrong {
            line: 4,
            what: FLOW,
            accesses: [(5, "iteration 0 writes `s`"), (5, "iteration 1 reads it")],
            distance: 1,
        }],
    );
    is_right(
        "atomics",
        1,
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\nint old;\n#pragma acc atomic capture\n{ old = x[0]; x[0] += i; }\n#pragma acc atomic read\nold = x[0];\nb[i] = old;\n}",
    );
    is_wrong(
        "half_atomic",
        "",
        "#pragma acc parallel loop\nfor (int i = 0; i < N; i++) {\n#pragma acc atomic\nx[i % 4] += i;\nif (i == 8)\nx[1] = 0;\n}",
        &[Wrong {
            line: 3,
            what: OUTPUT,
            accesses: [(7, "iteration 8 writes `x`"), (4, "iteration 9 writes it")],
            distance: 1,
        }],
    );
}

#[test]
fn loops_that_do_not_run_and_programs_that_fail() {
    let text = said(
        "idle",
        &["--loops"],
        &program(
            "",
            "int n = 0;\n#pragma acc parallel loop if(n)\nfor (int i = 0; i < n; i++)\na[i] = 1;\nif (n)\n{\n#pragma acc parallel loop\nfor (int i = 1; i < N; i++)\na[i] = a[i - 1];\n}",
        ),
        0,
    );
    assert!(text.contains("2 loops called parallel, 1 ran, none carried something"), "{text}");
    let text = said("status", &["--loops"], "int main(void) { return 3; }", 0);
    assert!(text.contains("the program itself ended with status 3"), "{text}");
    assert!(text.contains("0 loops called parallel"), "{text}");
    for options in
        [&["--loops", "--gangs", "2"][..], &["--loops", "--memory", "discrete"], &["--loops", "--ulp", "0"]]
    {
        said("usage", options, "int main(void) { return 0; }", 2);
    }
}

/// What `--loops=all` says of sequential loops, by line.
#[test]
fn sequential_loops() {
    let statements = "double t, s = 0; int k = 0;\n#pragma acc parallel copy(s, t, k)\n{\n\
        #pragma acc loop seq\nfor (int i = 0; i < N; i++)\na[i] = i;\n\
        for (int i = 0; i < N; i++)\ns += a[i] + 1;\n\
        for (int i = 0; i < N; i++) {\nt = a[i];\nb[i] = t;\n}\n\
        for (int i = 1; i < N; i++)\na[i] = a[i - 1];\n\
        for (int i = 0; i < N; i++) {\nif (a[i] > 2) break;\n}\n\
        while (k < N)\nx[k++] = 1;\n\
        for (int i = 0; i < N; i++)\nfor (int j = 0; j < 1; j++)\nx[i + j] = 1;\n\
        for (int i = 0; i < N; i++)\nb[i] = b[i + 1];\n}";
    let text = said("all", &["--loops=all"], &program("", statements), 0);
    let expected = [
        (6, "carried nothing in this run"),
        (8, "carried nothing in this run but reductions of `s`"),
        (10, "carried nothing in this run but what private copies of `t` avoid"),
        (14, "carried a dependence in this run: writes `a` at "),
        (16, "carried nothing in this run"),
        (19, "carried nothing in this run"),
        (21, "carried nothing in this run"),
        (22, "had no second iteration in this run"),
        // No copy for each iteration helps: the values come from before the loop.
        (24, "carried a dependence in this run: reads `b` at "),
    ];
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(": sequential: ")).collect();
    assert_eq!(lines.len(), expected.len(), "{text}");
    for (line, (number, verdict)) in lines.iter().zip(expected) {
        let is_whole = line.ends_with(verdict) || verdict.ends_with(' ');
        assert!(
            line.contains(&format!(".c:{number}:")) && line.contains(verdict) && is_whole,
            "{verdict}\n{text}"
        );
    }
    assert!(text.contains("; 9 sequential, 9 ran, 4 of them carried nothing"), "{text}");
}

/// Threads of a team may read what others have left in front of a barrier; the loop over teams is judged.
#[test]
fn threads_of_a_team_keep_each_other_in_order() {
    let team = "#pragma omp target teams distribute map(tofrom : a)\nfor (int g = 0; g < 2; g++) {\nint part[N];\n\
                #pragma omp parallel num_threads(N)\n{\nint t = omp_get_thread_num();\npart[t] = t;\n\
                #pragma omp barrier\na[g] = part[N - 1];\n}\n}";
    let team = program("int omp_get_thread_num(void);", team);
    let text = said("team", &["--loops", "-fopenmp"], &team, 0);
    assert!(text.contains("1 loop called parallel, 1 ran, none carried something"), "{text}");
    let wrong = team.replace("a[g] =", "a[0] +=");
    let text = said("league", &["--loops", "-fopenmp"], &wrong, 1);
    assert!(text.contains("1 loop called parallel, 1 ran, 1 carried something"), "{text}");
}
