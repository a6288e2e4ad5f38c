//! What the compiler makes of loops without directives: each file in `tests/nests` is a program whose loops
//! say what is expected of them, and which prints the same everywhere.
//!
//! A comment in the line of a loop says the verdict and, where it matters, why:
//!
//! ```c
//! for (int i = 1; i < n; i++) // expect: sequential: carried a, distance 1
//! for (int i = 0; i < n; i++) // expect: parallel: private t, last u, reduction + s
//! for (int i = 0; i < n; i++) // expect: versioned: if p q
//! ```
//!
//! Verdicts, reasons and the names of fields are those of `accrue explain --format json`; `docs/kernels.md`
//! lists them. What stands behind `if` are variables that the condition names. All last values, reductions
//! and distances that a decision has are expected. `// warn: ID` in the line of a directive expects a
//! warning. The comments that open a file say what it is about; `// not run: REASON` is for programs whose
//! result is not defined, and `// options: OPTIONS` for what is about an option.
//!
//! The explanations are golden files, `NAME.explain` beside the programs.

#[path = "nests/expectation.rs"]
mod expectation;

use expectation::{Expectation, expectations, warnings};
use goldenfile::Mint;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Fewer programs than this are a folder that was not found.
const LEAST: usize = 100;

/// Where each program runs; the first is what the others must agree with.
const WAYS: &[(&str, &[&str])] = &[
    ("serial", &["run", "-fno-openacc"]),
    ("host", &["run", "--verify"]),
    ("gangs", &["run", "--verify", "--gangs", "3"]),
    ("discrete", &["run", "--verify", "--memory", "discrete"]),
    ("multicore", &["run", "--verify", "--device", "multicore", "--gangs", "4"]),
    ("sim", &["run", "--verify", "--device", "sim", "--races=strict"]),
    ("sim-seed", &["run", "--device", "sim", "--races=strict", "--seed", "5", "--divergence", "structured"]),
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = vec![Trial::test("harness/expectations", expectations_are_read)];
    let programs = programs();
    let count = programs.len();
    trials.push(Trial::test("harness/programs", move || match count < LEAST {
        true => Err(format!("{count} programs").into()),
        false => Ok(()),
    }));
    for path in programs {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let of = path.clone();
        trials.push(Trial::test(format!("{name}/verdicts"), move || verdicts_are_right(&of)));
        let of = path.clone();
        trials.push(Trial::test(format!("{name}/explanation"), move || explanation_is_golden(&of)));
        let is_run = std::fs::read_to_string(&path).is_ok_and(|text| !text.contains("// not run: "));
        for &(way, options) in WAYS[1..].iter().filter(|_| is_run) {
            let of = path.clone();
            trials.push(Trial::test(format!("{name}/{way}"), move || prints_the_same(&of, options)));
        }
        if is_run {
            trials.push(Trial::test(format!("{name}/loops"), move || no_verdict_is_refuted(&path)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nests");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .collect();
    paths.sort();
    paths
}

/// Runs accrue in the folder of the programs, where a program has a short name, with the program's options.
fn accrue(path: &Path, options: &[&str]) -> Result<Output, Failed> {
    let folder = path.parent().ok_or("a program stands in a folder")?;
    let source = std::fs::read_to_string(path)?;
    let own = source.lines().find_map(|line| line.strip_prefix("// options: ")).unwrap_or_default();
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command
        .current_dir(folder)
        .args(options)
        .args(own.split_whitespace())
        .arg(path.file_name().ok_or("a program has a name")?);
    let device = if options.contains(&"sim") { "nvidia" } else { "host" };
    command.env("ACC_DEVICE_TYPE", device).env("NO_COLOR", "1").env("LC_ALL", "C");
    Ok(command.output()?)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a program without its warnings; what it printed.
fn printed(path: &Path, options: &[&str]) -> Result<String, Failed> {
    let mut options = options.to_vec();
    options.push("-w");
    let output = accrue(path, &options)?;
    let errors = text(&output.stderr);
    if output.status.success() && errors.is_empty() {
        return Ok(text(&output.stdout));
    }
    Err(format!("{}: {}\n{errors}", options.join(" "), output.status).into())
}

fn prints_the_same(path: &Path, options: &[&str]) -> Result<(), Failed> {
    let (expected, found) = (printed(path, WAYS[0].1)?, printed(path, options)?);
    let good = !expected.is_empty() && expected == found;
    if good { Ok(()) } else { Err(format!("printed\n{found}instead of\n{expected}").into()) }
}

/// `check --loops` ends with an error if a loop that was called parallel carried something.
fn no_verdict_is_refuted(path: &Path) -> Result<(), Failed> {
    let output = accrue(path, &["check", "--loops", "-w"])?;
    if output.status.success() { Ok(()) } else { Err(text(&output.stderr).into()) }
}

/// The lines about loops, with all that was warned of.
fn explanation_is_golden(path: &Path) -> Result<(), Failed> {
    let output = accrue(path, &["explain"])?;
    let lines = text(&output.stdout);
    let lines: Vec<&str> = lines.lines().filter(|line| line.contains(": loop: ")).collect();
    let folder = path.parent().ok_or("a program stands in a folder")?;
    let mut mint = Mint::new(folder);
    let name = path.with_extension("explain");
    let mut golden = mint.new_goldenfile(name.file_name().ok_or("a program has a name")?)?;
    writeln!(golden, "{}", lines.join("\n"))?;
    golden.write_all(&output.stderr)?;
    Ok(())
}

/// Each loop with an expectation has one verdict, the expected one, and the expected warnings are given.
fn verdicts_are_right(path: &Path) -> Result<(), Failed> {
    let source = std::fs::read_to_string(path)?;
    let output = accrue(path, &["explain", "--format", "json", "--diagnostics", "json"])?;
    let objects = |bytes: &[u8]| -> Vec<Value> {
        text(bytes).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    let decisions: Vec<Value> = objects(&output.stdout)
        .into_iter()
        .filter(|decision| decision["topic"] == "loop" && decision["verdict"].is_string())
        .collect();
    let expected = expectations(&source)?;
    if expected.is_empty() && warnings(&source).is_empty() {
        return Err("the file expects nothing".into());
    }
    let mut wrong: Vec<String> =
        expected.iter().filter_map(|expectation| complaint(expectation, &decisions)).collect();
    let told = objects(&accrue(path, &["ptx", "--diagnostics", "json"])?.stderr);
    let marked = warnings(&source);
    let alarms = told.iter().filter(|told| told["id"] == "independent-refuted");
    let is_marked = |told: &&Value| marked.iter().any(|&(line, id)| told["id"] == id && told["line"] == line);
    wrong.extend(alarms.filter(|told| !is_marked(told)).map(|told| format!("a false alarm: {told}")));
    for (line, id) in marked {
        if !told.iter().any(|warning| warning["id"] == id && warning["line"] == line) {
            wrong.push(format!("{line}: no warning `{id}`: {told:?}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// What is wrong with the decision about the loop in a line.
fn complaint(expectation: &Expectation, decisions: &[Value]) -> Option<String> {
    let line = expectation.line;
    let mut of_line = decisions.iter().filter(|decision| decision["line"] == line);
    let (Some(decision), None) = (of_line.next(), of_line.next()) else {
        let count = decisions.iter().filter(|decision| decision["line"] == line).count();
        return Some(format!("{line}: {count} verdicts, expected `{}`", expectation.text));
    };
    let missed = expectation.missed(decision);
    (!missed.is_empty())
        .then(|| format!("{line}: expected `{}`, without {missed}: {decision}", expectation.text))
}

fn expectations_are_read() -> Result<(), Failed> {
    let source = "int x;\nfor (;;) // expect: parallel: private t, reduction + s\nfor (;;) // expect: sequential: carried a, distance 3\n";
    let found = expectations(source)?;
    let json = |text: &str| -> Result<Value, Failed> { Ok(serde_json::from_str(text)?) };
    let parallel =
        json(r#"{"verdict":"parallel","private":["u","t"],"reductions":[{"op":"+","name":"s"}]}"#)?;
    let further =
        json(r#"{"verdict":"parallel","private":["t"],"last":["v"],"reductions":[{"op":"+","name":"s"}]}"#)?;
    let carried = |distance: i64| {
        json(&format!(
            r#"{{"verdict":"sequential","reason":"carried","distance":{distance},"text":"`a[i]` is used"}}"#
        ))
    };
    let [first @ Expectation { line: 2, .. }, second @ Expectation { line: 3, .. }] = &found[..] else {
        return Err(format!("{found:?}").into());
    };
    let met = [first.missed(&parallel), second.missed(&carried(3)?)];
    let missed = [first.missed(&carried(3)?), first.missed(&further), second.missed(&carried(2)?)];
    let good = met.iter().all(String::is_empty) && missed.iter().all(|text| !text.is_empty());
    let typos = [
        "// expect: paralel",
        "// expect: sequential",
        "// expect: parallel: distance many",
        "// expect: parallel: reduction s",
    ];
    let typo = typos.iter().find(|typo| expectations(typo).is_ok());
    if good && typo.is_none() { Ok(()) } else { Err(format!("{met:?} {missed:?} {typo:?}").into()) }
}
