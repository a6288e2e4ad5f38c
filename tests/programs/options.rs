//! The option matrix: every option of the command line that changes code is executed, in every setting, on a
//! sample of the test programs. An option that is neither in [`MATRIX`] nor in [`NO_CODE`] fails the test
//! `options/all`.

use crate::case::Case;
use crate::common::Compiler;
use accrue_ptx_emit::Arch;
use libtest_mimic::{Failed, Trial};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

/// A test program: its name and its file.
pub type Program = (String, PathBuf);

/// Where a setting is executed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    /// The host: programs with directives and plain C.
    Host,
    /// The simulator: programs with directives.
    Sim,
    /// Both.
    Both,
}

/// An option of `accrue run`, and its settings.
struct Row {
    option: &'static str,
    on: On,
    settings: &'static [&'static [&'static str]],
}

const fn row(option: &'static str, on: On, settings: &'static [&'static [&'static str]]) -> Row {
    Row { option, on, settings }
}

/// Options that change code. A name in front of a `=` is one of the features of `-f`.
const MATRIX: &[Row] = &[
    row("-O", On::Both, &[&["-O0"], &["-O1"], &["-O2"], &["-O3"], &["-Os"], &["-Ofast"]]),
    row(
        "--std",
        On::Host,
        &[&["-std=gnu99"], &["-std=gnu11"], &["-std=gnu17"], &["-std=gnu23"], &["-std=c11"], &["-std=c17"]],
    ),
    row("--device", On::Host, &[&["--device", "host"], &["--device", "host-discrete"]]),
    row("--device", On::Sim, &[&["--device", "sim"]]),
    row(
        "--device",
        On::Host,
        &[
            &["--device", "multicore"],
            &["--device", "multicore", "--gangs", "3", "--memory", "discrete"],
            &["--device", "multicore", "--gangs", "4", "--deterministic", "-O0"],
        ],
    ),
    row("--memory", On::Host, &[&["--memory", "shared"], &["--memory", "discrete"]]),
    row("--devices", On::Host, &[&["--memory", "discrete", "--devices", "2"]]),
    row("--devices", On::Sim, &[&["--devices", "3"]]),
    row(
        "--reduction",
        On::Sim,
        &[
            &["--reduction", "auto"],
            &["--reduction", "lock"],
            &["--reduction", "cas"],
            &["--reduction", "atomic"],
            &["--reduction", "tree"],
        ],
    ),
    row("--deterministic", On::Sim, &[&["--deterministic"], &["--deterministic", "--reduction", "lock"]]),
    row(
        "--gangs",
        On::Host,
        &[&["--gangs", "2"], &["--gangs", "33"], &["--gangs", "3", "--memory", "discrete"]],
    ),
    row("--eager", On::Both, &[&["--eager"], &["--eager=2"], &["--eager", "-O0"]]),
    row("--verify", On::Both, &[&["--verify"]]),
    row("--seed", On::Sim, &[&["--seed", "1"]]),
    row("--tune", On::Sim, &[&["--tune=/dev/null"], &["--tune=/dev/null", "--divergence", "structured"]]),
    row("--schedules", On::Sim, &[&["--schedules", "2"]]),
    // Schedules, too, in which lanes meet only where branches join.
    row(
        "--divergence",
        On::Sim,
        &[
            &["--divergence", "independent"],
            &["--divergence", "structured"],
            &["--divergence", "structured", "--schedules", "2"],
            &["--divergence", "structured", "-O0", "-fopenacc-dim=3:5:70"],
        ],
    ),
    row("--queues", On::Sim, &[&["--queues", "eager"], &["--queues", "lag"]]),
    row(
        "--arch",
        On::Sim,
        &[
            &["--arch", "sm_70"],
            &["--arch", "sm_75"],
            &["--arch", "sm_80"],
            &["--arch", "sm_86"],
            &["--arch", "sm_89"],
            &["--arch", "sm_90"],
            &["--arch", "sm_100"],
            &["--arch", "sm_120"],
        ],
    ),
    row("-f openacc", On::Both, &[&["-fopenacc"]]),
    row("-f no-openacc", On::Host, &[&["-fno-openacc"]]),
    row("-f openmp", On::Host, &[&["-fopenmp"]]),
    row("-f no-openmp", On::Host, &[&["-fno-openmp"]]),
    row("-f gnu89-inline", On::Host, &[&["-fgnu89-inline"]]),
    row("-f no-gnu89-inline", On::Host, &[&["-fno-gnu89-inline"]]),
    row(
        "-f openacc-dim=",
        On::Sim,
        &[
            &["-fopenacc-dim=1:1:1"],
            &["-fopenacc-dim=3:5:7"],
            &["-fopenacc-dim=33:2:100"],
            &["-fopenacc-dim=::1024"],
        ],
    ),
    row("-f implied-reductions", On::Both, &[&["-fimplied-reductions"]]),
    // On a device, programs that leave clauses out lose results with it.
    row("-f no-implied-reductions", On::Host, &[&["-fno-implied-reductions"]]),
    row("-f fast-math", On::Both, &[&["-ffast-math"], &["-ffast-math", "--deterministic"]]),
    row("-f fp-contract=", On::Both, &[&["-ffp-contract=off"], &["-ffp-contract=off", "-O0"]]),
    row(
        "-f shared-atomics",
        On::Sim,
        &[&["-fshared-atomics", "-fopenacc-dim=3:5:70"], &["-fshared-atomics", "--schedules", "2"]],
    ),
    row("-f no-shared-atomics", On::Sim, &[&["-fno-shared-atomics"]]),
    row("-f ipa-cp", On::Both, &[&["-fipa-cp"]]),
    row("-f no-ipa-cp", On::Both, &[&["-fno-ipa-cp"], &["-fno-ipa-cp", "-O0"]]),
    row("-f launch-numbers", On::Sim, &[&["-flaunch-numbers", "-fopenacc-dim=3:5:70"]]),
    row("-f no-launch-numbers", On::Sim, &[&["-fno-launch-numbers"], &["-fno-launch-numbers", "-O0"]]),
    row(
        "-f fuse-launches",
        On::Sim,
        &[&["-ffuse-launches", "-fopenacc-dim=3:5:70"], &["-fno-fuse-launches", "-ffuse-launches", "-O1"]],
    ),
    row("-f no-fuse-launches", On::Sim, &[&["-fno-fuse-launches"]]),
    row("--strict-fp", On::Both, &[&["--strict-fp"]]),
    row("-f strict-aliasing", On::Both, &[&["-fstrict-aliasing", "-O1"]]),
    row("-f no-strict-aliasing", On::Both, &[&["-fno-strict-aliasing"]]),
    row("-f header-cache", On::Both, &[&["-fheader-cache"]]),
    row("-f no-header-cache", On::Both, &[&["-fno-header-cache"]]),
    row("-f program-cache", On::Both, &[&["-fprogram-cache"]]),
    row("-f no-program-cache", On::Both, &[&["-fno-program-cache"]]),
    row("-f", On::Both, &[&["-f", "wrapv"], &["-f", "no-strict-overflow"]]),
];

/// Options that change no code, and why; an option with a value stands for that value only.
const NO_CODE: &[(&str, &str)] = &[
    ("-h", "prints"),
    ("--trace", "writes a file: tests/task_graph"),
    ("-E", "prints"),
    ("--diagnostics", "prints"),
    ("-W", "which warnings are given"),
    ("-w", "which warnings are given; every program of the matrix is compiled with it"),
    ("-I", "where files are found: tests of the preprocessor"),
    ("--iquote", "where files are found: tests of the preprocessor"),
    ("--isystem", "where files are found: tests of the preprocessor"),
    ("--include", "what is compiled: tests of the preprocessor"),
    ("-D", "what is compiled: headers of test programs"),
    ("-U", "what is compiled: tests of the preprocessor"),
    ("-l", "which libraries are loaded: headers of test programs"),
    ("-L", "which libraries are loaded"),
    ("--from-stage", "where work begins: tests/resume.rs"),
    ("--shapes", "what `-fopenacc-dim=` could say, for each region: tests/tune.rs"),
    ("--races", "which races the simulator reports: tests/sim.rs and tests/defects.rs"),
    ("--sim-limit", "when a launch is given up"),
    ("--device cuda", "needs a GPU: tests/gpu/run.py and tests/random/run.py run it"),
    ("-f syntax-only", "no code at all"),
    ("check", "what `accrue check` accepts as equal: tests/check.rs"),
    ("ptx", "where PTX goes, and whether ptxas judges it: tests/ptx.rs; its code is that of `--device sim`"),
    ("ir", "prints"),
    ("clif", "prints"),
    ("explain", "prints"),
    ("golden", "compares files"),
    ("sim", "how a kernel that is there is executed: tests/sim.rs"),
];

/// Programs, or all of a folder, that do not run in a setting, or print something else there, as they should:
/// what occurs in the setting, how their names begin, and why.
const NOT_WITH: &[(&str, &str, &str)] = &[
    ("-std=", "tests/c/c23", "it needs C23"),
    ("-std=", "tests/acc/c23_", "it needs C23"),
    ("-std=gnu23", "tests/c/old_style_calls", "C23 has no functions without a prototype"),
    ("-std=gnu23", "tests/c/old_style_functions", "C23 has no functions without a prototype"),
    ("-std=gnu23", "tests/c/tentative_definitions", "C23 has no functions without a prototype"),
    ("-std=c1", "tests/c/time_and_environment", "C's letter hides the names of POSIX"),
    ("-std=c1", "tests/c/complex_mixed", "C's letter hides `M_PI`"),
    ("-std=c1", "examples/fourier", "C's letter hides `M_PI`"),
    ("-std=c1", "tests/acc/implicit_sections", "C's letter hides `MAP_ANONYMOUS`"),
    ("-std=c1", "tests/c/string_functions", "C's letter hides the names of POSIX"),
    ("-std=c1", "tests/c/options_given_twice", "it has `typeof`, a word of GNU C"),
    ("-std=c1", "tests/c/statement_expressions", "it has `typeof`, a word of GNU C"),
    ("-std=c1", "tests/c/typeof_computed_lengths", "it has `typeof`, a word of GNU C"),
    ("-ffast-math", "tests/goldens/launches", "prints all digits of numbers that may be rounded otherwise"),
    ("-O0", "tests/c/options_given_twice", "it asks whether the last `-O` is another one"),
    ("-f wrapv", "tests/acc/implicit_sections", "sums that may wrap around have no sections"),
    ("-f wrapv", "tests/acc/versions_at_run_time", "sums that may wrap around have no sections"),
    ("-f no-strict-overflow", "tests/acc/implicit_sections", "sums that may wrap around have no sections"),
    ("-f no-strict-overflow", "tests/acc/versions_at_run_time", "sums that may wrap around have no sections"),
    ("-f wrapv", "tests/acc/kernels_known_at_times", "sums that may wrap around have no sections"),
    (
        "-f no-strict-overflow",
        "tests/acc/kernels_known_at_times",
        "sums that may wrap around have no sections",
    ),
    ("-f no-strict-overflow", "tests/goldens/other", "sums that may wrap around have no sections"),
    ("-f no-strict-overflow", "tests/acc/packed_arrays", "sums that may wrap around have no sections"),
    ("-f wrapv", "tests/acc/packed_arrays", "sums that may wrap around have no sections"),
    ("-f wrapv", "tests/acc/unsigned_sections", "sums that may wrap around have no sections"),
    ("-f no-strict-overflow", "tests/acc/unsigned_sections", "sums that may wrap around have no sections"),
    ("-f wrapv", "tests/goldens/other", "sums that may wrap around have no sections"),
    ("--gangs", "tests/omp/target_num_teams", "it counts the teams that it asks for"),
    ("--memory shared", "tests/data/", "prints what the device has"),
    ("--memory shared", "tests/api/profiling", "prints what is copied"),
    ("--memory discrete", "tests/api/device_rules", "prints whether memory is shared"),
    ("--memory discrete", "tests/api/profiling", "uses host memory that is not on the device"),
    ("host-discrete", "tests/api/device_rules", "prints whether memory is shared"),
    ("host-discrete", "tests/api/profiling", "uses host memory that is not on the device"),
    ("--gangs", "tests/data/repeated_clauses", "every gang adds to a sum"),
    ("--gangs", "tests/omp/members_mapped_apart", "every gang adds to members"),
    (
        "--gangs 33",
        "tests/goldens/reductions",
        "the sign of a zero of a complex product depends on the order",
    ),
    ("-ffast-math", "tests/acc/kernels_phases", "compares with numbers that may be rounded otherwise"),
    ("--schedules", "examples/hello", "each schedule prints"),
    ("--schedules", "tests/acc/print_sizes", "each schedule prints"),
    ("--schedules", "tests/goldens/single_mode", "each schedule prints"),
    ("-fno-openmp", "tests/omp/", "prints what threads and tasks did"),
    ("-fno-openmp", "examples/task_", "has copies of its own in tasks"),
    ("-fno-openmp", "tests/acc/omp_nests", "prints variables of which loops have copies"),
    ("-fno-openmp", "tests/acc/omp_data", "prints what the device has"),
    ("-fno-openacc", "tests/data/", "prints what the device has"),
    ("-fno-openacc", "tests/api/", "prints what directives did"),
    ("-fno-openacc", "tests/acc/gang_static", "asks for the number of its gang"),
    ("-fno-openacc", "tests/acc/nohost", "has code for devices only"),
    ("-fno-openacc", "tests/acc/case06_specification", "a private copy begins with the identity"),
    ("-fno-openacc", "tests/acc/private_subarrays", "`private` keeps what is outside"),
    ("-fno-openacc", "tests/acc/static_loop_variables", "`private` keeps what is outside"),
    ("-fno-openacc", "tests/acc/variable_array_sections", "`firstprivate` keeps what is outside"),
    ("-fno-openacc", "tests/goldens/reductions", "a private copy begins with the identity"),
];

/// Programs of each kind for a setting; the next setting takes others.
const SAMPLE: usize = 7;

/// The trials: one per setting, device and program, and the one that counts the options.
pub fn trials(
    compiler: &Arc<Compiler>,
    directives: &[Program],
    plain: &[Program],
    run: fn(&Case, &Compiler, &str, &[String]) -> Result<(), Failed>,
) -> Vec<Trial> {
    let mut trials = vec![Trial::test("options/all", every_option_is_in_a_list)];
    if !compiler.is_accrue() {
        return trials;
    }
    let settings = MATRIX.iter().flat_map(|row| row.settings.iter().map(|&setting| (row.on, setting)));
    for (at, (on, setting)) in settings.enumerate() {
        let mut add = |program: &Program, more: &[&str]| {
            let words: Vec<String> = setting.iter().chain(more).map(|&word| word.to_owned()).collect();
            let (name, path) = program.clone();
            let setting = words.join(" ");
            let is_left_out =
                NOT_WITH.iter().any(|&(part, start, _)| setting.contains(part) && name.starts_with(start));
            if is_left_out || crate::is_left_out(&name, &words) {
                return;
            }
            let name = format!("options {setting}/{name}");
            let owned = Arc::clone(compiler);
            trials.push(Trial::test(name.clone(), move || run(&Case::read(&path)?, &owned, &name, &words)));
        };
        if on != On::Sim {
            sample(directives, at).chain(sample(plain, at)).for_each(|program| add(program, &[]));
        }
        if on != On::Host {
            let device: &[&str] = if setting[0] == "--device" { &[] } else { &["--device", "sim"] };
            sample(directives, at).for_each(|program| add(program, device));
        }
    }
    trials
}

/// Some programs, others for each number; with `ACCRUE_ALL_OPTIONS` in the environment all of them.
fn sample(programs: &[Program], at: usize) -> impl Iterator<Item = &Program> {
    let step = programs.len().div_ceil(SAMPLE).max(1);
    let step = if std::env::var_os("ACCRUE_ALL_OPTIONS").is_some() { 1 } else { step };
    programs.iter().skip(at % step).step_by(step)
}

/// What `accrue COMMAND --help` lists: options, and `OPTION VALUE` for each possible value.
fn listed(command: &str) -> BTreeSet<String> {
    let mut help = Command::new(env!("CARGO_BIN_EXE_accrue"));
    let output = help.args([command, "--help"]).output().unwrap_or_else(|error| panic!("{help:?}: {error}"));
    let mut found = BTreeSet::new();
    let mut last = String::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let line = line.trim_start();
        if line.starts_with('-') && !line.starts_with("- ") {
            last = line.split([' ', ',', '[', '=']).next().unwrap_or_default().to_owned();
            found.insert(last.clone());
        } else if let Some(values) = line.strip_prefix("[possible values: ") {
            let values = values.trim_end_matches(']').split(", ");
            found.extend(values.map(|value| format!("{last} {value}")));
        } else if let Some(value) = line.strip_prefix("- ").and_then(|line| line.split(':').next()) {
            found.insert(format!("{last} {value}"));
        }
    }
    found
}

/// The features of `-f` that `src/args.rs` lists, and those that it asks for.
fn features() -> BTreeSet<String> {
    let source = include_str!("../../src/args.rs");
    let list = source.split_once("const FEATURES: ").and_then(|(_, rest)| rest.split_once("];"));
    let words = list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2);
    let mut found: BTreeSet<String> = words.map(|word| format!("-f {word}")).collect();
    assert!(!found.is_empty(), "src/args.rs has no list of features");
    for before in ["has(\"", "strip_prefix(\"openacc", "starts_with(\"openacc", "                \""] {
        for (at, _) in source.match_indices(before) {
            let rest = &source[at + before.find('"').unwrap_or_default() + 1..];
            let (name, after) = rest.split_once('"').unwrap_or_default();
            if before.starts_with("    ") && !after.starts_with(" => ") {
                continue;
            }
            found.insert(format!("-f {name}"));
        }
    }
    found
}

/// Fails if the command line has an option, or a value of one, that is in none of the lists, or if a list
/// names one that is gone.
fn every_option_is_in_a_list() -> Result<(), Failed> {
    let mut options = listed("run");
    // The features and the architectures are known one by one.
    options.remove("-f");
    options.extend(features());
    options.extend(Arch::all().map(|arch| format!("--arch {arch}")));
    for command in ["check", "ptx", "ir", "clif", "explain", "golden", "sim", "completions", "man"] {
        let own = listed(command).into_iter().filter(|option| command == "sim" || !options.contains(option));
        let own: Vec<String> = own.map(|option| format!("{command} {option}")).collect();
        options.extend(own.into_iter().filter(|option| !option.ends_with(" -f") && !option.ends_with(" -h")));
    }

    let is_executed = |option: &str| {
        MATRIX
            .iter()
            .any(|row| row.option == option || row.settings.iter().any(|words| words.join(" ") == option))
    };
    let changes_no_code = |option: &str| {
        NO_CODE.iter().any(|&(name, _)| option == name || option.starts_with(&format!("{name} ")))
    };
    let executed = options.iter().filter(|option| is_executed(option)).count();
    let is_known = |option: &str| is_executed(option) || changes_no_code(option);
    let missing: Vec<&String> = options.iter().filter(|option| !is_known(option)).collect();
    if !missing.is_empty() {
        return Err(
            format!("neither in MATRIX nor in NO_CODE of tests/programs/options.rs: {missing:?}").into()
        );
    }
    let is_there =
        |name: &str| options.iter().any(|option| option == name || option.starts_with(&format!("{name} ")));
    let named = MATRIX.iter().map(|row| row.option).chain(NO_CODE.iter().map(|&(name, _)| name));
    let gone: Vec<&str> = named.filter(|name| !is_there(name)).collect();
    if !gone.is_empty() {
        return Err(format!("in a list, but not on the command line: {gone:?}").into());
    }
    let settings: usize = MATRIX.iter().map(|row| row.settings.len()).sum();
    println!(
        "options and values: {executed} executed in {settings} settings, {} that change no code",
        NO_CODE.len()
    );
    Ok(())
}
