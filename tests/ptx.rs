//! Every program of this repository with compute constructs, as PTX: `ptxas` accepts it for an old, a common
//! and a new architecture, without a warning.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const ARCHITECTURES: [&str; 3] = ["sm_70", "sm_90", "sm_120"];

/// Programs that have no PTX, and what the compiler says instead.
const REFUSED: [(&str, &str); 5] = [
    ("case11_conflicting_clauses.c", "error[duplicate-variable]"),
    ("case14_branches.c", "error[construct-branch]"),
    ("case15_misspelt.c", "error[unknown-clause]"),
    ("constructs_in_callees.c", "a compute construct in code that runs on a device"),
    ("never_ending.c", "function `fflush` has no device version"),
];

const FOLDERS: [&str; 8] = [
    "examples",
    "tests/acc",
    "golden/cases/reductions",
    "golden/cases/atomics",
    "golden/cases/single_mode",
    "golden/cases/ptx",
    "golden/cases/explain",
    "bench/loops",
];

fn programs(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in folders {
        let folder = root.join(folder);
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let paths = entries.map(|entry| entry.unwrap_or_else(|error| panic!("{error}")).path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")));
    }
    found.sort();
    assert!(found.len() > 20 * folders.len().min(4), "{found:?}");
    found
}

/// The options of a program's head that say which language it is in.
fn language(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().take(5).filter_map(|line| line.strip_prefix("// options:"));
    let words = lines.flat_map(str::split_whitespace);
    words.filter(|word| word.starts_with("-std=") || *word == "-fopenmp").map(str::to_owned).collect()
}

/// Status and messages of `accrue ptx --check`.
fn check(path: &Path, arch: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(["ptx", "--check", "--verify", "-w", "--arch", arch]).args(language(path)).arg(path);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What is not as expected of one program.
fn complaint(path: &Path, arch: &str) -> Option<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (status, messages) = check(path, arch);
    let as_expected = match REFUSED.iter().find(|(refused, _)| *refused == name) {
        Some((_, message)) => status == Some(1) && messages.contains(message),
        None => status == Some(0) && messages.is_empty(),
    };
    (!as_expected).then(|| format!("{name}: status {status:?}\n{messages}"))
}

/// Judges all programs of folders, on all processors: one of three tests like this is the last.
fn judge(folders: &[&str], arch: &str) {
    let programs = programs(folders);
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = std::iter::from_fn(|| programs.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.filter_map(|path| complaint(path, arch)).collect::<Vec<String>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter().flat_map(|one| one.join().expect("no program stops the test")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn volta() {
    judge(&FOLDERS, ARCHITECTURES[0]);
}

#[test]
fn hopper() {
    judge(&FOLDERS, ARCHITECTURES[1]);
}

#[test]
fn blackwell() {
    judge(&FOLDERS, ARCHITECTURES[2]);
}

/// The examples are for every architecture.
#[test]
fn examples_for_the_others() {
    for arch in ["sm_75", "sm_80", "sm_86", "sm_89", "sm_100"] {
        judge(&["examples"], arch);
    }
}

#[test]
fn sums_do_not_spill() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["examples/pi.c", "examples/dot.c", "bench/loops/sum.c", "bench/loops/row_sums.c"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
        command.args(["ptx", "--check", "-w"]).arg(root.join(name));
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.lines().count() > 0, "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(text.lines().all(|line| line.ends_with(" 0 bytes stack, 0 bytes spilled")), "{name}\n{text}");
    }
}

#[test]
fn output_goes_to_the_file_that_is_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("named.ptx");
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(["ptx", "-o"]).arg(&file).arg(root.join("examples/pi.c"));
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert!(text.contains(".visible .entry main$region0("), "{text}");
}

/// A program in a folder of its own, and what `accrue ptx` with these arguments says about it.
fn ptx_of(name: &str, text: &str, arguments: &[&str], path: &str) -> (Option<i32>, String, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptx_of");
    std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
    std::fs::write(folder.join(name), text).unwrap_or_else(|error| panic!("{error}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command
        .current_dir(&folder)
        .arg("ptx")
        .arg(name)
        .args(arguments)
        .env("PATH", path)
        .env_remove("CUDA_HOME");
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const SUM: &str = "\
int main(void)
{
    double s = 0;
#pragma acc parallel loop reduction(+ : s)
    for (int i = 0; i < 9; i++)
        s += i;
    return s != 36;
}
";

#[test]
fn names_that_ptx_has_no_characters_for() {
    let text = SUM.replace("main", "größe").replace(" s", " 和").replace(": s", ": 和");
    let path = std::env::var("PATH").unwrap_or_default();
    let (status, kernels, messages) = ptx_of("na\"me é 100%.c", &text, &["--check"], &path);
    assert_eq!((status, &*messages), (Some(0), ""), "{kernels}");
    assert!(kernels.starts_with("na\"me é 100%.c: sm_90: "), "{kernels}");
    let (_, ptx, _) = ptx_of("na\"me é 100%.c", &text, &["-o", "-"], &path);
    assert!(ptx.is_ascii() && ptx.contains("na%22me %C3%A9 100%25.c"), "{ptx}");
}

#[test]
fn more_memory_than_a_thread_has_is_refused() {
    let path = std::env::var("PATH").unwrap_or_default();
    let with = |size: &str| {
        let text = SUM.replace("        s += i;", &format!("{{ char a[{size}]; a[i] = i; s += a[i % 9]; }}"));
        ptx_of(&format!("local_{size}.c"), &text, &["--check"], &path)
    };
    assert_eq!(with("524288").0, Some(0));
    let (status, _, messages) = with("524289");
    assert_eq!(status, Some(1));
    assert!(
        messages.contains("error[device-unsupported]: variables of 524289 bytes in each thread"),
        "{messages}"
    );
}

/// The IR of a host, which has loops that are gone, is no IR of a GPU, but nothing to stumble over.
#[test]
fn finished_ir_is_taken() {
    let path = std::env::var("PATH").unwrap_or_default();
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("finished.c");
    std::fs::write(&source, SUM).unwrap_or_else(|error| panic!("{error}"));
    let ir = Command::new(env!("CARGO_BIN_EXE_accrue")).arg("ir").arg(&source).output();
    let ir = ir.unwrap_or_else(|error| panic!("{error}")).stdout;
    let (status, kernels, messages) =
        ptx_of("finished.ir", &String::from_utf8_lossy(&ir), &["--check"], &path);
    assert_eq!((status, &*messages), (Some(0), ""), "{kernels}");
}

/// A stand-in for ptxas that runs a shell script; returns the path to search.
#[cfg(unix)]
fn stand_in(name: &str, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stand_in").join(name);
    let file = folder.join("ptxas");
    let written = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&file, format!("#!/bin/sh\n{script}\n")))
        .and_then(|()| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)));
    written.unwrap_or_else(|error| panic!("{error}"));
    format!("{}:/usr/bin:/bin", folder.display())
}

#[cfg(unix)]
#[test]
fn what_is_wrong_with_ptxas_is_told() {
    let silent = stand_in("silent", "exit 3");
    let (status, _, messages) = ptx_of("sum.c", SUM, &["--check"], &silent);
    assert_eq!(status, Some(1));
    assert!(messages.contains("sum.c: ptxas failed without a message: exit status: 3"), "{messages}");
    let refuses = stand_in("refuses", "echo 'ptxas x.ptx, line 60; error   : Unknown symbol' >&2; exit 255");
    let (status, _, messages) = ptx_of("é.c", SUM, &["--check"], &refuses);
    assert_eq!(status, Some(1));
    assert!(
        messages.starts_with("é.c:") && messages.contains("(PTX line 60): ptxas error: Unknown"),
        "{messages}"
    );
}

/// The folder for temporary files is everybody's: a name that can be foreseen may be a link by the time it is
/// written.
#[cfg(unix)]
#[test]
fn temporary_names_cannot_be_foreseen() {
    let scratch = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let file = |name: &str| scratch.path().join(name);
    let written = std::fs::write(file("victim"), "mine").and_then(|()| std::fs::write(file("sum.c"), SUM));
    written.unwrap_or_else(|error| panic!("{error}"));
    // The process that the shell becomes keeps its number.
    let script = "ln -s victim accrue-$$.ptx && exec \"$0\" ptx --check sum.c";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_accrue")]).current_dir(scratch.path());
    command.env("TMPDIR", scratch.path()).env("PATH", stand_in("accepts", "exit 0"));
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::read_to_string(file("victim")).unwrap_or_else(|error| panic!("{error}")), "mine");
    let left = std::fs::read_dir(scratch.path()).map_or(0, Iterator::count);
    assert_eq!(left, 3, "`victim`, `sum.c` and the link");
}
