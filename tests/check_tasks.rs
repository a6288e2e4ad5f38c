//! `accrue check --tasks`: programs whose tasks race, and their neighbours that do not. The same is looked for
//! in the simulator with queues that lag, where copies of target tasks count, too.

use std::path::Path;
use std::process::{Command, Output};

/// Runs a program whose text is in a file of its own. The body of `main` begins on line 2.
fn run(name: &str, command: &[&str], threads: &str, program: &str) -> Output {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tasks_{name}.c"));
    std::fs::write(&path, program).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut process = Command::new(env!("CARGO_BIN_EXE_accrue"));
    process.args(command).args(["-fopenmp", "--verify", "-w"]).arg(path).env_remove("ACC_DEVICE_TYPE");
    process.env("NO_COLOR", "1").env("OMP_NUM_THREADS", threads);
    process.output().unwrap_or_else(|error| panic!("{process:?}: {error}"))
}

/// Variables, and a function with an orphaned task and its wait.
const DECLARATIONS: &str = "#include <omp.h>\n#include <stdlib.h>\n#include <string.h>\n\
    static int x, y, v[64]; static omp_lock_t lock; static int own;\n#pragma omp threadprivate(own)\n\
    static int use(int *p) { int here[4] = {1, 2, 3, 4}; here[x & 3] += *p; return here[1]; }\n\
    static int fib(int n) { int a, b; if (n < 2) return n;\n\
    _Pragma(\"omp task shared(a)\") a = fib(n - 1);\n_Pragma(\"omp task shared(b)\") b = fib(n - 2);\n\
    _Pragma(\"omp taskwait\") return a + b; }\n#line 1\n";

fn in_single(statements: &str) -> String {
    format!(
        "{DECLARATIONS}int main(void) {{ omp_init_lock(&lock); _Pragma(\"omp parallel\") _Pragma(\"omp single\") {{\n\
         {statements}\n}} return 0; }}\n"
    )
}

const CHECK: &[&str] = &["check", "--tasks"];
const LAG: &[&str] = &["run", "--device", "sim", "--queues", "lag"];

#[track_caller]
fn is_right(name: &str, statements: &str) {
    for (command, threads) in [(CHECK, "1"), (LAG, "1"), (LAG, "4")] {
        let output = run(name, command, threads, &in_single(statements));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.is_empty(), "{name}: {command:?}\n{text}");
    }
}

/// The two lines that race, in the order in which one thread comes to them, which must both be named.
#[track_caller]
fn races(name: &str, ways: &[&[&str]], statements: &str, lines: [u32; 2]) {
    for command in ways {
        let output = run(name, command, "1", &in_single(statements));
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {command:?}\n{text}");
        assert!(text.contains("error[data-race]: data race: nothing orders "), "{name}: {text}");
        let names = |line: &u32| text.contains(&format!("tasks_{name}.c:{line}:"));
        assert!(lines.iter().all(names), "{name}: {lines:?}\n{text}");
    }
}

#[test]
fn tasks_without_order_race() {
    let both = &[CHECK, LAG][..];
    races("write_read", both, "#pragma omp task\nx = 1;\n#pragma omp task depend(in: x)\ny = x;", [3, 5]);
    races(
        "read_write",
        both,
        "#pragma omp task depend(out: y)\ny = x;\n#pragma omp task depend(out: x)\nx = 1;",
        [3, 5],
    );
    races("same", both, "for (int i = 0; i < 2; i++)\n#pragma omp task\nx = 1;", [4, 4]);
    races("creator", both, "#pragma omp task\nx = 1;\nx = 2;", [3, 4]);
    races(
        "other_places",
        both,
        "#pragma omp task depend(out: v[0:4])\nv[2] = 1;\n#pragma omp task depend(in: v[2])\ny = v[2];",
        [3, 5],
    );
    // `taskwait` waits for children only.
    races(
        "grandchild",
        both,
        "#pragma omp task\n{\n#pragma omp task\nx = 1;\n}\n#pragma omp taskwait\ny = x;",
        [5, 8],
    );
    races(
        "loop",
        both,
        "#pragma omp taskloop grainsize(1)\nfor (int i = 0; i < 4; i++)\nv[i / 2]++;",
        [4, 4],
    );
    races(
        "library",
        both,
        "#pragma omp task\nmemset(v, 0, sizeof v);\n#pragma omp task\nuse(&v[63]);",
        [3, 6],
    );
    races(
        "atomic",
        both,
        "#pragma omp task\n{\n#pragma omp atomic\nx++;\n}\n#pragma omp task\nx = 0;",
        [4, 8],
    );
    races(
        "behind_a_lock",
        both,
        "#pragma omp task\n{\nomp_set_lock(&lock);\nomp_unset_lock(&lock);\nx = 1;\n}\n\
         #pragma omp task\n{\nomp_set_lock(&lock);\nomp_unset_lock(&lock);\nx = 2;\n}",
        [6, 12],
    );
}

#[test]
fn host_tasks_race_with_copies_of_target_tasks() {
    let lag = &[LAG][..];
    races(
        "copy_in",
        lag,
        "#pragma omp task depend(out: y)\nx = 1;\n#pragma omp target nowait depend(out: x) map(to: x) map(from: y)\ny = x;",
        [3, 4],
    );
    races(
        "copy_out",
        lag,
        "#pragma omp target nowait depend(out: x) map(from: x)\nx = 1;\n#pragma omp task depend(out: y)\ny = x;",
        [2, 5],
    );
    races(
        "update",
        lag,
        "#pragma omp target enter data map(to: x)\n#pragma omp target\nx = 7;\n#pragma omp target update from(x) nowait\nx = 2;",
        [5, 6],
    );
}

#[test]
fn what_is_ordered_does_not_race() {
    is_right("depend", "#pragma omp task depend(out: x)\nx = 1;\n#pragma omp task depend(in: x)\ny = x;");
    is_right(
        "target",
        "#pragma omp task depend(out: x)\nx = 1;\n#pragma omp target nowait depend(inout: x) map(tofrom: x)\nx++;\n\
         #pragma omp task depend(in: x)\ny = x;",
    );
    is_right("readers", "x = 1;\nfor (int i = 0; i < 9; i++)\n#pragma omp task\nv[i] = x;");
    is_right("wait", "#pragma omp task\nx = 1;\n#pragma omp taskwait\nx = 2;\n#pragma omp task\nx = 3;");
    is_right(
        "wait_for_one",
        "#pragma omp task depend(out: x)\nx = 1;\n#pragma omp task depend(out: y)\ny = 1;\n\
         #pragma omp taskwait depend(in: x)\nx = 2;",
    );
    is_right(
        "group",
        "#pragma omp taskgroup\n{\n#pragma omp task\n{\n#pragma omp task\nx = 1;\n}\n}\nx = 2;",
    );
    is_right("undeferred", "#pragma omp task if(0)\nx = 1;\n#pragma omp task\nx = 2;");
    is_right(
        "excluding",
        "for (int i = 0; i < 9; i++)\n#pragma omp task depend(mutexinoutset: x)\nx += i;\n\
         #pragma omp task depend(in: x)\ny = x;",
    );
    is_right(
        "locks",
        "for (int i = 0; i < 9; i++)\n#pragma omp task\n{\nomp_set_lock(&lock);\nx += i;\nomp_unset_lock(&lock);\n\
         #pragma omp critical\ny += i;\n#pragma omp atomic\nv[0] += i;\n}",
    );
    is_right(
        "reductions",
        "int s = 0;\n#pragma omp taskgroup task_reduction(+: s)\nfor (int i = 0; i < 9; i++)\n\
         #pragma omp task in_reduction(+: s)\ns += i;\nx = s;\n\
         #pragma omp taskloop reduction(+: s) grainsize(2)\nfor (int i = 0; i < 9; i++)\ns += i;\nx = s;",
    );
    is_right("neighbours", "char *c = (char *)v;\nfor (int i = 0; i < 9; i++)\n#pragma omp task\nc[i] = i;");
    is_right(
        "event",
        "omp_event_handle_t event;\n#pragma omp task detach(event) depend(out: x)\n;\n\
         #pragma omp task depend(in: x)\ny = x;\nx = 1;\nomp_fulfill_event(event);",
    );
}

/// Memory that is another object later is no reason for a report.
#[test]
fn objects_have_lifetimes() {
    is_right("frames", "for (int i = 0; i < 9; i++)\n#pragma omp task\nv[i] = use(&v[i]);");
    is_right("recursion", "x = fib(10);");
    is_right(
        "heap",
        "for (int i = 0; i < 9; i++)\n#pragma omp task\n{\nint *p = malloc(40);\np[3] = i;\nv[i] = p[3];\nfree(p);\n}",
    );
    is_right(
        "copies",
        "int here[8] = {1};\nfor (int i = 0; i < 9; i++)\n#pragma omp task firstprivate(here)\nhere[i & 7] = i;",
    );
    is_right("threads", "for (int i = 0; i < 9; i++)\n#pragma omp task\nown++;");
}

#[test]
fn other_ways_to_run_do_not_go_with_it() {
    for options in [&["--device", "sim"][..], &["--memory", "discrete"], &["--loops"], &["--ulp", "0"]] {
        let command = [CHECK, options].concat();
        let output = run("usage", &command, "1", "int main(void) { return 0; }");
        assert_eq!(output.status.code(), Some(2), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
