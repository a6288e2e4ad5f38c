//! `accrue run --tune`: launches try shapes, the best ones are written to a file, and runs and other commands
//! take them from there.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of its own for each test, with the text.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tune_{name}"));
    std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

fn accrue(args: &[&str], file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(args).arg(file);
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A region that shares a loop by all levels, one whose rows lanes share, one with a shape of its own, and
/// one that is launched twice only. The program ends with 0 if all results are right.
const PROGRAM: &str = r"
enum { N = 300, STEPS = 90 };
static int a[N], sums[N];

static void add(int n)
{
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
        a[i] += i;
}

static void rows(int n)
{
#pragma acc parallel loop gang present(a, sums)
    for (int i = 0; i < n; i++) {
        int sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += a[j] - i;
        sums[i] = sum;
    }
}

int main(void)
{
    int wrong = 0, most = 0;
#pragma acc data copy(a) copyout(sums)
    {
        for (int step = 0; step < STEPS; step++) {
            add(step % 2 ? N : N / 8);
            rows(40);
#pragma acc parallel loop gang worker vector num_workers(2) vector_length(32) reduction(max : most) present(a)
            for (int i = 0; i < N; i++)
                most = most > a[i] ? most : a[i];
        }
        for (int twice = 0; twice < 2; twice++) {
#pragma acc parallel loop present(a)
            for (int i = 0; i < N; i++)
                a[i] -= i;
        }
    }
    for (int i = 0; i < N; i++)
        wrong += a[i] != i * ((i < N / 8 ? STEPS : STEPS / 2) - 2);
    for (int i = 0; i < 40; i++) {
        int sum = 0;
        for (int j = 0; j < 40; j++)
            sum += j * (j < N / 8 ? STEPS : STEPS / 2) - i;
        wrong += sums[i] != sum;
    }
    return wrong || most != (N - 1) * (STEPS / 2);
}
";

/// A file of shapes with one region.
fn shapes(device: &str, region: &str, code: &str, shape: &str) -> String {
    format!(
        r#"{{ "device": "{device}", "regions": [
  {{ "region": "{region}", "code": "{code}", "launches": 9, "usual_us": 2.0, "best_us": 1.0, "shape": {shape} }} ] }}"#
    )
}

#[test]
fn a_run_measures_and_writes_what_it_has_found() {
    let program = file("measures.c", PROGRAM);
    let found = program.with_extension("tune.json");
    let output = accrue(&["run", "--device", "sim", "--tune"], &program);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let text = std::fs::read_to_string(&found).expect("a file");
    let measured: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(measured["device"], "accrue simulator");
    let regions = measured["regions"].as_array().expect("regions");
    let names: Vec<&str> = regions.iter().filter_map(|region| region["region"].as_str()).collect();
    assert_eq!(names, ["add.region0", "rows.region0"], "{text}");
    for region in regions {
        let [usual, best] = ["usual_us", "best_us"].map(|time| region[time].as_f64().expect("a time"));
        assert!(0.0 < best && best <= usual, "{text}");
        assert_eq!(region["launches"], 90);
    }
    assert!(told(&output).contains("main.region1: launched 2 times, too few"), "{}", told(&output));
    // The next run finds the file, and does the same.
    let output = accrue(&["run", "--device", "sim"], &program);
    assert_eq!((output.status.code(), &*told(&output)), (Some(0), ""));
}

/// The code of the first region, as a run has written it.
fn code_of_first(program: &Path) -> String {
    let found = program.with_extension("json");
    let output = accrue(&["run", "--device", "sim", &format!("--tune={}", found.display())], program);
    assert!(output.status.success(), "{}", told(&output));
    let measured: Value =
        serde_json::from_str(&std::fs::read_to_string(&found).expect("a file")).expect("JSON");
    measured["regions"][0]["code"].as_str().expect("a code").to_owned()
}

#[test]
fn shapes_of_a_file_count_where_the_program_says_nothing() {
    let program = file("counts.c", PROGRAM);
    let code = code_of_first(&program);
    let threads = |shape: &str, more: &[&str]| {
        let found = file("counts_shapes.json", &shapes("whatever", "add.region0", &code, shape));
        let option = format!("--shapes={}", found.display());
        let output = accrue(&[&["ptx", &option], more].concat(), &program);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let kernel = text.split(".visible .entry add").nth(1).expect("a kernel");
        let line = kernel.lines().find(|line| line.starts_with(".reqntid")).expect("a line");
        line.to_owned()
    };
    assert_eq!(threads("[4, 32]", &[]), ".reqntid 32, 4, 1");
    assert_eq!(threads("[1, 128]", &[]), ".reqntid 128, 1, 1");
    assert_eq!(threads("[4, 32]", &["-fopenacc-dim=:2:"]), ".reqntid 32, 2, 1");
    let explained = |shape: &str| {
        let found = file("counts_explained.json", &shapes("whatever", "add.region0", &code, shape));
        let output = accrue(&["explain", &format!("--shapes={}", found.display())], &program);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = explained("[4, 32]");
    assert!(text.contains("measured as best: 4 workers of 32 lanes"), "{text}");
    assert!(text.contains("a launch has G gangs of 4 workers of 32 lanes"), "{text}");
}

#[test]
fn what_was_measured_of_something_else_is_not_used() {
    let program = file("else.c", PROGRAM);
    let found = program.with_extension("tune.json");
    std::fs::write(&found, shapes("accrue simulator", "rows.region0", "1234", "[4, 32]")).expect("a file");
    let output = accrue(&["run", "--device", "sim"], &program);
    let text = told(&output);
    assert!(output.status.success() && text.contains("[shapes-outdated]"), "{text}");
    assert!(text.contains("tune_else.c:14") && text.contains("its code has changed"), "{text}");
    std::fs::write(&found, shapes("another", "rows.region0", "1234", "[4, 32]")).expect("a file");
    let output = accrue(&["run", "--device", "sim"], &program);
    let text = told(&output);
    assert!(output.status.success() && text.contains("measured on `another`"), "{text}");
    let output = accrue(&["run", "--device", "sim", "-Wno-shapes-outdated"], &program);
    assert_eq!((output.status.success(), &*told(&output)), (true, ""));
}

#[test]
fn what_makes_no_sense_is_an_error() {
    let program = file("senseless.c", "int main(void) { return 0; }\n");
    let error = |args: &[&str]| {
        let output = accrue(args, &program);
        assert!(!output.status.success(), "{args:?}");
        told(&output)
    };
    assert!(error(&["run", "--tune"]).contains("`--tune` measures launches of `--device cuda`"));
    assert!(error(&["run", "--device", "sim", "--tune", "--deterministic"]).contains("would differ"));
    assert!(error(&["run", "--device", "sim", "--tune", "--shapes=a"]).contains("cannot be used with"));
    assert!(error(&["check", "--device", "sim", "--tune"]).contains("`--tune`"));
    assert!(error(&["ptx", "--shapes=no such file"]).contains("no such file"));
    for (text, wanted) in [
        ("{", "tune_wrong.json: EOF while parsing"),
        (r#"{ "device": "a", "regions": [], "more": 1 }"#, "unknown field `more`"),
        (&shapes("a", "r", "x", "[1, 32]"), "region `r`: `code` is no hexadecimal number"),
        (&shapes("a", "r", "1", "[0, 32]"), "region `r`: `shape` is not two numbers from 1 to 1024"),
    ] {
        let found = file("wrong.json", text);
        let text = error(&["ptx", &format!("--shapes={}", found.display())]);
        assert!(text.contains(wanted), "{text}");
    }
    // Without a launch there is nothing to write.
    let output = accrue(&["run", "--device", "sim", "--tune"], &program);
    assert!(output.status.success() && told(&output).contains("not written"), "{}", told(&output));
}
