//! `--device multicore`: gangs of regions on threads of the host.

use std::path::PathBuf;
use std::process::{Command, Output};

const FOUR: [&str; 4] = ["--device", "multicore", "--gangs", "4"];

/// A command of accrue on a program; `name` is that of a file that no other test writes. Words `NAME=VALUE`
/// are variables of the environment.
fn accrue(name: &str, words: &[&str], program: &str) -> Output {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("multicore_{name}.c"));
    std::fs::write(&path, program).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.env_remove("ACC_DEVICE_TYPE").env_remove("ACC_NUM_CORES").env("NO_COLOR", "1");
    for word in words {
        match word.split_once('=').filter(|(name, _)| name.starts_with("ACC_")) {
            Some((name, value)) => command.env(name, value),
            None => command.arg(word),
        };
    }
    command.arg(path).output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a program prints that ends well and says nothing else.
fn prints(name: &str, words: &[&str], program: &str) -> String {
    let output = accrue(name, &[&["run"], words].concat(), program);
    let errors = text(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{words:?}: {}\n{errors}", output.status);
    text(&output.stdout)
}

/// Prints the number of gangs of a region that asks for no number.
const COUNT: &str = r#"#include <stdio.h>
int main(void)
{
    int gangs = 0, a[9];
#pragma acc parallel copy(gangs)
    {
#pragma acc atomic
        gangs++;
#pragma acc loop gang
        for (int i = 0; i < 9; i++)
            a[i] = i;
    }
    printf("%d", gangs + a[8] - 8);
    return 0;
}
"#;

#[test]
fn the_command_line_and_the_environment_say_how_many_threads_there_are() {
    assert_eq!(prints("count", &FOUR, COUNT), "4");
    assert_eq!(prints("count", &["--device", "multicore", "ACC_NUM_CORES=3"], COUNT), "3");
    assert_eq!(prints("count", &[&FOUR[..], &["ACC_NUM_CORES=3"]].concat(), COUNT), "3");
    assert_eq!(prints("count", &["ACC_DEVICE_TYPE=multicore", "ACC_NUM_CORES=5"], COUNT), "5");
    assert_eq!(prints("count", &["ACC_NUM_CORES=5"], COUNT), "1");
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
    assert_eq!(prints("count", &["--device", "multicore"], COUNT), processors.to_string());
    let wrong = accrue("count", &["run", "--device", "multicore", "--gangs", "2", "ACC_NUM_CORES=x"], COUNT);
    assert_eq!((text(&wrong.stdout), wrong.status.success()), ("2".to_owned(), true));
    assert!(text(&wrong.stderr).contains("ACC_NUM_CORES: `x' is not a number of cores"));
    let other = accrue("count", &["run", "--device", "host", "ACC_DEVICE_TYPE=multicore"], COUNT);
    assert_eq!(other.status.code(), Some(1), "{}", text(&other.stdout));
    assert!(text(&other.stderr).contains("`--device multicore`"), "{}", text(&other.stderr));
}

#[test]
fn a_region_has_the_gangs_that_it_asks_for_and_not_more_threads() {
    let program = "#include <stdio.h>\n#include <pthread.h>\n#include <unistd.h>\n\
        static pthread_t who[1000];\nint main(void)\n{\n    int gangs = 0, threads = 0;\n\
        #pragma acc parallel loop gang num_gangs(1000) reduction(+:gangs)\n\
        for (int i = 0; i < 1000; i++) {\n        who[i] = pthread_self();\n        usleep(10);\n        gangs++;\n    }\n\
        for (int i = 0; i < 1000; i++) {\n        int seen = 0;\n\
        for (int j = 0; j < i; j++) seen |= pthread_equal(who[i], who[j]);\n        threads += !seen;\n    }\n\
        printf(\"%d %d\", gangs, threads >= 2 && threads <= 4);\n    return 0;\n}\n";
    assert_eq!(prints("many", &FOUR, program), "1000 1");
    let serial = COUNT.replace("acc parallel", "acc serial");
    assert_eq!(prints("serial", &FOUR, &serial), "1");
    let alone = COUNT.replace("loop gang", "loop worker");
    assert_eq!(prints("alone", &FOUR, &alone), "1");
    let asked = COUNT.replace("copy(gangs)", "copy(gangs) num_gangs(70)");
    assert_eq!(prints("asked", &FOUR, &asked), "70");
}

#[test]
fn kernels_have_gangs_where_these_need_not_wait() {
    // Each gang would add to the count if the statements before the loop were executed by all of them.
    let program = "#include <stdio.h>\n#include <pthread.h>\n#include <unistd.h>\nstatic pthread_t who[64];\n\
        static double a[64];\nint main(void)\n{\n    int threads = 0;\n#pragma acc kernels\n    {\n\
        #pragma acc loop independent\n        for (int i = 0; i < 64; i++) {\n            who[i] = pthread_self();\n\
        usleep(500);\n            a[i] = i;\n        }\n    }\n\
        for (int i = 0; i < 64; i++) {\n        int seen = 0;\n\
        for (int j = 0; j < i; j++) seen |= pthread_equal(who[i], who[j]);\n        threads += !seen;\n    }\n\
        int count = 0;\n    double last = 0;\n#pragma acc kernels copy(count, last)\n    {\n        count++;\n\
        #pragma acc loop independent\n        for (int i = 0; i < 64; i++) a[i] += count;\n\
        last = a[63];\n        count++;\n    }\n\
        printf(\"%d %d %g\", threads > 1, count, last);\n    return 0;\n}\n";
    assert_eq!(prints("kernels", &FOUR, program), "1 2 64");
}

#[test]
fn threads_and_teams_launch_at_once() {
    let program = "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\nenum { N = 1000, ROUNDS = 100 };\n\
        static long sum(long seed)\n{\n    long s = 0;\n    int a[N];\n\
        #pragma acc parallel loop copyout(a)\n    for (int i = 0; i < N; i++) a[i] = i + seed;\n\
        #pragma acc parallel loop reduction(+:s) copyin(a)\n    for (int i = 0; i < N; i++) s += a[i];\n\
        return s;\n}\n\
        static void *work(void *seed)\n{\n    for (long r = 0; r < ROUNDS; r++)\n\
        if (sum((long)seed + r) != N * (N - 1L) / 2 + N * ((long)seed + r)) abort();\n    return 0;\n}\n\
        int main(void)\n{\n    pthread_t threads[4];\n\
        for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, (void *)i);\n    work((void *)9);\n\
        for (long i = 0; i < 4; i++) pthread_join(threads[i], 0);\n\
        #pragma omp parallel num_threads(3)\n    work((void *)5);\n    work((void *)7);\n\
        puts(\"done\");\n    return 0;\n}\n";
    for options in
        [&FOUR[..], &["--device", "multicore", "--gangs", "4", "--deterministic"], &["--device", "multicore"]]
    {
        assert_eq!(prints("at_once", &[options, &["-fopenmp"]].concat(), program), "done\n", "{options:?}");
    }
}

#[test]
fn variables_that_are_private_are_the_gangs_own() {
    let program = "#include <stdio.h>\n#include <string.h>\nstatic int out[64];\nstatic int twice(int x)\n{\n\
        static _Thread_local int own;\n    own = x;\n    return own * 2;\n}\n\
        int main(void)\n{\n    int scratch[300], n = 300, wrong = 0;\n    double first[3] = { 1, 2, 3 };\n\
        #pragma acc parallel num_gangs(64) private(scratch) firstprivate(first)\n    {\n        int variable[n];\n\
        #pragma acc loop gang\n        for (int i = 0; i < 64; i++) {\n\
        for (int k = 0; k < 300; k++) scratch[k] = variable[k] = i;\n            first[1] += i;\n\
        for (int k = 0; k < 300; k++) out[i] += (scratch[k] == i) + (variable[k] == i);\n\
        out[i] += (first[1] == 2 + i) + twice(i);\n        }\n    }\n\
        for (int i = 0; i < 64; i++) wrong += out[i] != 601 + 2 * i;\n    printf(\"%d %g\", wrong, first[1]);\n\
        return 0;\n}\n";
    assert_eq!(prints("private", &[&FOUR[..], &["-w"]].concat(), program), "0 2");
}

/// How a program ends whose region does something in its last iteration.
fn ends(name: &str, what: &str) -> (Option<i32>, String) {
    let program = format!(
        "#include <stdlib.h>\n#include <unistd.h>\nint *nowhere, zero;\nint main(void)\n{{\n    int x = 1;\n\
         #pragma acc parallel loop\n    for (int i = 0; i < 4; i++) {{\n        usleep(2000);\n        if (i == 3) {{ {what} }}\n\
         }}\n    return x;\n}}\n"
    );
    let output = accrue(name, &[&["run"], &FOUR[..]].concat(), &program);
    (output.status.code(), text(&output.stderr))
}

#[test]
fn what_ends_the_program_in_a_gang_ends_it() {
    assert_eq!(ends("exit", "exit(7);"), (Some(7), String::new()));
    for (name, what, said) in [
        ("fault", "*nowhere = 1;", "invalid memory access"),
        ("abort", "abort();", "aborted"),
        ("divide", "x = 3 / zero;", "arithmetic exception"),
    ] {
        let (status, errors) = ends(name, what);
        assert!(status.is_none() && errors.contains(said), "{name}: {status:?}\n{errors}");
    }
}

/// What a program with sums of floats prints, as bits.
fn bits(options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("ACC_DEVICE_TYPE").env_remove("ACC_NUM_CORES");
    command
        .args(["run", "-w", "-DSIZE=100001", "-DROWS=90", "-DGANGS=9"])
        .args(options)
        .arg("tests/gpu/bits.c");
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn deterministic_means_the_bits_of_gangs_in_turn() {
    let expected = bits(&["--gangs", "9"]);
    for run in 0..10 {
        assert_eq!(
            bits(&["--device", "multicore", "--gangs", "9", "--deterministic"]),
            expected,
            "run {run}"
        );
    }
    let memory = ["--device", "multicore", "--gangs", "9", "--deterministic", "--memory", "discrete"];
    assert_eq!(bits(&memory), expected);
}

#[test]
fn check_compares_gangs_at_once_with_gangs_in_turn() {
    let wrong = "int main(void)\n{\n    int last = 0, a[4000];\n#pragma acc parallel loop gang copy(last, a)\n\
        for (int i = 0; i < 4000; i++) {\n        a[i] = i;\n    }\n    return a[3999] != 3999;\n}\n";
    let output = accrue("check", &[&["check"], &FOUR[..]].concat(), wrong);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("agree"), "{}", text(&output.stderr));
    let loops = accrue("check", &["check", "--loops", "--device", "multicore"], wrong);
    assert_eq!(loops.status.code(), Some(2));
}

#[test]
fn explain_tells_who_executes_what() {
    let program = "void f(int n, float *a, float *s, _Complex double *c)\n{\n    float t = 0;\n    _Complex double u = 0;\n\
        #pragma acc parallel loop reduction(+:t, u) copy(a[:n])\n    for (int i = 0; i < n; i++) t += a[i], u *= a[i];\n\
        #pragma acc parallel loop num_gangs(8) copy(a[:n])\n    for (int i = 0; i < n; i++)\n\
        #pragma acc loop vector\n        for (int j = 0; j < 3; j++) a[i] = j;\n    *s = t;\n    *c = u;\n}\n"
        .replace("u *=", "u +=");
    let explain = |words: &[&str]| {
        let output = accrue("explain", &[&["explain", "--target", "multicore"], words].concat(), &program);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let said = explain(&[]);
    for line in [
        "launch: one gang per thread",
        "launch: 8 gangs, by at most as many threads as there are",
        "level: the loop is shared by gangs, a block of iterations each",
        "level: each gang that comes to the loop executes all of it",
        "reduction: gangs combine by an atomic + on f32",
        "reduction: gangs combine under a lock: the host has no atomic + on c64",
    ] {
        assert!(said.contains(line), "no {line:?} in\n{said}");
    }
    assert!(explain(&["--deterministic"]).contains("reduction: gangs combine in their order"));
}
