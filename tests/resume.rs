//! Work goes on from a dump of any stage as if it had not been interrupted: `accrue ir --from-stage` and its
//! like.

use accrue::driver::{self, DiagnosticFormat};
use accrue_frontend::options::{Options, WarningOptions};
use accrue_frontend::pp::Input;
use accrue_frontend::session::Session;
use accrue_host_jit::{Gangs, HostTarget};
use accrue_ir::LoopData;
use accrue_ir::passes::{self, Pipeline, Section};
use accrue_ir::report::Report;
use accrue_ir::text;
use accrue_ir::verify::Verified;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs for passes that no example and no golden case needs: objects of called functions, arrays of
/// variable length, questions for threads.
const OTHERS: [&str; 4] = [
    "tests/acc/objects_of_called_functions.c",
    "tests/acc/private_variable_arrays.c",
    "tests/nests/small_functions.c",
    "tests/omp/target_callee_threads.c",
];

/// The examples, the golden cases, and [`OTHERS`].
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("examples"), root.join("golden/cases")];
    let mut sources: Vec<PathBuf> = OTHERS.iter().map(|path| root.join(path)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                sources.push(path);
            }
        }
    }
    sources.sort();
    sources
}

/// Runs a section of the list of a target that knows nothing of what came before.
fn run<T: Pipeline>(
    module: Verified,
    new: impl Fn() -> T,
    start: Option<&str>,
    stop: Option<&str>,
) -> (Verified, T) {
    let mut target = new();
    let section = Section::new(&target, start, stop).unwrap_or_else(|error| panic!("{error}"));
    let module = passes::run(module, &mut target, section, false, &mut Report::default())
        .unwrap_or_else(|failed| panic!("after {start:?}: {}", failed.error));
    (module, target)
}

/// The code of a module of which each function is finished alone, as `accrue run` does when it is called.
fn finished_one_by_one<T: Pipeline>(module: Verified, new: impl Fn() -> T) -> String {
    let now = passes::run_now(module, &mut new(), Section::WHOLE, true, &mut Report::default());
    let (module, waiting) = now.unwrap_or_else(|failed| panic!("{}", failed.error));
    let (module, mut finished) = (module.into_module(), Vec::new());
    for (func, function) in &module.functions {
        if let Some(mut body) = function.body.clone() {
            waiting.run(&module, func, &mut body).unwrap_or_else(|error| panic!("{error}"));
            finished.push((func, body));
        }
    }
    let mut module = module;
    for (func, body) in finished {
        module.functions[func].body = Some(body);
    }
    text::print(&module)
}

/// Targets and passes that have changed some program.
type Changed = Mutex<BTreeSet<(&'static str, &'static str)>>;

/// Compares the code of a program with that of its dumps, one after each stage. Notes which passes change it.
fn check<T: Pipeline>(
    module: &Verified,
    new: impl Fn() -> T,
    code: impl Fn(&Verified, T) -> String,
    changed: &Changed,
) {
    let mut previous = text::print(module);
    let (whole, target) = run(module.clone(), &new, None, None);
    let (last, wanted) = (text::print(&whole), code(&whole, target));
    let alone = finished_one_by_one(module.clone(), &new);
    assert!(alone == last, "other IR of functions that wait:\n{}", difference(&last, &alone));
    let (mut module, mut before) = (module.clone(), None);
    for pass in new().passes() {
        (module, _) = run(module, &new, before, Some(pass.name));
        before = Some(pass.name);
        let dump = text::print(&module);
        if dump != previous {
            changed.lock().expect("a set").insert((new().name(), pass.name));
        }
        let resumed = text::parse(&dump).unwrap_or_else(|error| panic!("{}: {error}\n{dump}", pass.name));
        let resumed =
            Verified::check(resumed, pass.name).unwrap_or_else(|rejected| panic!("{}", rejected.errors));
        let (resumed, target) = run(resumed, &new, before, None);
        let found = code(&resumed, target);
        assert!(found == wanted, "other code from `{}` on:\n{}", pass.name, difference(&wanted, &found));
        let found = text::print(&resumed);
        previous = dump;
        assert!(found == last, "other IR from `{}` on:\n{}", pass.name, difference(&last, &found));
    }
}

fn difference(wanted: &str, found: &str) -> String {
    similar::TextDiff::from_lines(wanted, found).unified_diff().to_string()
}

/// Those of the command line where they say nothing.
fn gpu_options() -> accrue_ptx_emit::Options {
    accrue_ptx_emit::Options { shared_atomics: true, fuses: true, ..accrue_ptx_emit::Options::default() }
}

fn check_source(source: &PathBuf, changed: &Changed) {
    let warnings = WarningOptions { none: true, ..WarningOptions::default() };
    let options = Options { warnings, openmp: true, ..Options::default() };
    let module = driver::compile(std::slice::from_ref(source), &options, DiagnosticFormat::Text)
        .unwrap_or_else(|error| panic!("{error}"))
        .module;
    let clif = |module: &Verified, _: HostTarget| accrue_host_jit::clif(module, None);
    check(&module, || HostTarget::new(Gangs::One), clif, changed);
    check(&module, || HostTarget::new(Gangs::InTurn).counting_terms(), clif, changed);
    let options = gpu_options();
    let ptx = |module: &Verified, target| {
        accrue_ptx_emit::text(module, target).unwrap_or_else(|error| panic!("{error}")).text
    };
    check(&module, || driver::gpu(&options), ptx, changed);
}

#[test]
fn every_stage_of_every_target_can_be_resumed() {
    let sources = sources();
    assert!(sources.len() > 60, "{sources:?}");
    let (next, wrong, changed) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Changed::default());
    let work = || {
        while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
            if std::panic::catch_unwind(|| check_source(source, &changed)).is_err() {
                wrong.lock().expect("a list").push(source);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let wrong = wrong.into_inner().expect("a list");
    assert!(wrong.is_empty(), "{wrong:?}");
    // A pass that does nothing for a target is not in its list.
    let changed = changed.into_inner().expect("a set");
    let hosts = [HostTarget::new(Gangs::One), HostTarget::new(Gangs::InTurn).counting_terms()];
    let of_hosts = hosts.iter().flat_map(HostTarget::passes).map(|pass| ("host", pass.name));
    let gpu = driver::gpu(&gpu_options());
    let listed = of_hosts.chain(gpu.passes().map(|pass| ("ptx", pass.name)));
    let idle: Vec<_> =
        listed.filter(|(_, name)| *name != "lower").filter(|pass| !changed.contains(pass)).collect();
    assert!(idle.is_empty(), "these change no program: {idle:?}");
}

/// Runs the command line with a text as standard input.
fn accrue(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    // A command that ends before it has read its input closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// What a command prints, which must succeed.
fn printed(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let output = accrue(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn the_command_line_resumes_what_it_printed() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/dot.c");
    for target in ["host", "ptx"] {
        let ir = ["ir", "-w", "--target", target];
        let list = printed(&[&ir[..], &["--stage", "list", source]].concat(), b"");
        let list = String::from_utf8(list).expect("a list");
        let last = printed(&[&ir[..], &[source]].concat(), b"");
        let commands: &[&str] = if target == "host" { &["clif", "run"] } else { &["ptx"] };
        let wanted: Vec<_> = commands.iter().map(|command| printed(&[command, "-w", source], b"")).collect();
        for stage in list.lines().filter_map(|line| line.split_whitespace().next()) {
            let dump = printed(&[&ir[..], &["--stage", stage, source]].concat(), b"");
            let resume = ["--from-stage", stage, "-"];
            assert!(printed(&[&ir[..], &resume].concat(), &dump) == last, "{target}, {stage}");
            let again = [&ir[..], &["--stage", stage], &resume].concat();
            assert!(printed(&again, &dump) == dump, "{target}, {stage}");
            for (command, wanted) in commands.iter().zip(&wanted) {
                let found = printed(&[&[*command, "-w"], &resume[..]].concat(), &dump);
                assert!(found == *wanted, "{command}, {stage}");
            }
        }
    }
}

#[test]
fn what_cannot_be_resumed_is_wrong_usage() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/dot.c");
    let dump = printed(&["ir", "-w", "--stage", "fold", source], b"");
    let from = |stage| ["--from-stage", stage, "-"];
    for (arguments, message) in [
        ([&["ir"], &from("folding")[..]].concat(), "unknown stage `folding` of target host"),
        ([&["ir"], &from("neuter")[..]].concat(), "unknown stage `neuter` of target host"),
        (
            [&["ir", "--stage", "outline"], &from("fold")[..]].concat(),
            "stage `outline` comes before stage `fold`",
        ),
        (
            [&["ptx"], &from("fold")[..]].concat(),
            "is from stage `fold` of target host, not from stage `fold` of target ptx",
        ),
        ([&["clif"], &from("dce")[..]].concat(), "is from stage `fold` of target host, not from stage `dce`"),
        (
            [&["run"], &from("lower")[..]].concat(),
            "is from stage `fold` of target host, not from stage `lower`",
        ),
        ([&["run", "--device", "sim"], &from("fold")[..]].concat(), "goes on with the code of one target"),
        (vec!["ir", "--from-stage", "fold", source], "is no `.ir` file"),
        (vec!["ir", "--from-stage", "fold", "a.ir", "b.ir"], "--from-stage takes one file"),
    ] {
        let output = accrue(&arguments, &dump);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && messages.contains(message), "{arguments:?}: {messages}");
    }
}

/// Whoever edits a dump may leave what is left of a loop where no pass has dissolved one yet.
#[test]
fn what_is_left_of_loops_disturbs_no_stage() {
    let source = Input::Memory {
        name: "left.c".to_owned(),
        text: b"void f(float *a, int n)\n{\n    float s = 0;\n#pragma acc parallel loop copy(a[0:n]) reduction(+:s)\n    \
                for (int i = 0; i < n; i++)\n        s += a[i];\n    a[0] = s;\n}\n"
            .to_vec(),
    };
    let module = driver::translate(&mut Session::new(Options::default()), &source).expect("it compiles");
    let gpu = || driver::gpu(&gpu_options());
    // Before, what a loop in a construct names is a variable without a clause.
    for pass in gpu().passes().skip_while(|pass| pass.name != "outline") {
        let (before, _) = run(module.clone(), gpu, None, Some(pass.name));
        let mut left = before.into_module();
        for body in left.functions.values_mut().filter_map(|function| function.body.as_deref_mut()) {
            let directed: Vec<_> =
                body.loops.values().filter(|data| data.directive.is_some()).cloned().collect();
            body.loops.extend(directed.into_iter().map(LoopData::dissolved));
        }
        let text = text::print(&left);
        let left = text::parse(&text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", pass.name));
        let left = Verified::check(left, pass.name).unwrap_or_else(|rejected| panic!("{}", rejected.errors));
        let (left, target) = run(left, gpu, Some(pass.name), None);
        let ptx = accrue_ptx_emit::text(&left, target).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ptx.kernels.len(), 1, "{}", pass.name);
    }
}
