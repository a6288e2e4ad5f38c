//! `accrue sim` as users type it.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

fn accrue(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().expect("the compiler starts")
}

/// A kernel, with the options of `accrue ptx`.
fn emitted(name: &str, options: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let file = file.to_str().expect("the path is text");
    let args = ["ptx", "golden/cases/reductions/worker_vector.c", "-o", file];
    let output = accrue(&[&args, options].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    file.to_owned()
}

/// Simulates a kernel that is launched with nothing but what the program passes.
fn sim(args: &[&str]) -> Output {
    static KERNEL: OnceLock<String> = OnceLock::new();
    let kernel = KERNEL.get_or_init(|| emitted("sim.ptx", &["-fno-launch-numbers"]));
    accrue(&[&["sim", kernel], args].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_kernel_runs_and_its_result_is_printed() {
    let args =
        ["--grid", "2", "--arg", "buf:4:f64", "--arg", "u32:4", "--arg", "buf:64:u8=0", "--print", "0"];
    let output = sim(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "3 3 3 3\n");
    let output = sim(&[&args[..], &["--schedules", "3"]].concat());
    assert_eq!(text(&output.stdout), "3 3 3 3\n");
}

#[test]
fn a_mistake_is_reported_with_its_lines() {
    let output = sim(&["--arg", "buf:4:f64", "--arg", "u32:5", "--arg", "buf:64:u8=0", "--seed", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(shown.contains("out of bounds") && shown.contains("worker_vector.c:15:9"), "{shown}");
    assert!(shown.contains("--seed 1 replays"), "{shown}");
}

#[test]
fn wrong_usage_says_what_is_right() {
    let output = sim(&["--arg", "u32:4"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("out (8 bytes), n (4 bytes)"));
    let args = ["--arg", "buf:4:f64", "--arg", "u32:4", "--arg", "buf:64:u8=0"];
    let output = accrue(&[&["sim", &emitted("sim_known.ptx", &[])], &args[..]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`accrue ptx -fno-launch-numbers`"), "{}", text(&output.stderr));
}

/// The simulator follows arrays of variable length one by one; a GPU gets them as parts of frames and blocks
/// of the heap.
#[test]
fn arrays_of_variable_length_as_a_gpu_gets_them() {
    let accrue = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
        let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output();
        let output = output.expect("the compiler starts");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let program = "tests/sim/variable_arrays.c";
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/variable_arrays.ptx");
    accrue(&["ptx", "--verify", program, "-o", file]);
    let ptx = std::fs::read_to_string(file).expect("it was written");
    assert!(!ptx.contains("alloca") && ptx.contains("malloc"));
    let wanted = accrue(&["run", program]);
    assert_eq!(accrue(&["run", "--device", "sim", program]), wanted);
    let arguments = ["--grid", "2", "--arg", "buf:64:s32", "--arg", "buf:64:u8=0", "--print", "0"];
    let printed = accrue(&[&["sim", file][..], &arguments].concat());
    assert_eq!(printed.split_whitespace().collect::<Vec<_>>(), wanted.split_whitespace().collect::<Vec<_>>());
}

/// Devices of one run: none has an address of another, and messages tell them apart.
#[test]
fn several_devices_are_told_apart() {
    let run = |options: &[&str], defines: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).env("ACCRUE_NOTIFY", "1").arg("run").args(options);
        let output = command.args(defines).arg("tests/sim/pointer_of_another_device.c").output();
        let output = output.expect("the compiler starts");
        (output.status.code(), text(&output.stderr))
    };
    let two = ["--device", "sim", "--devices", "2"];
    let (status, shown) = run(&two, &[]);
    assert_eq!(status, Some(0), "{shown}");
    assert!(shown.contains(" device=nvidia:0 ") && shown.contains(" device=nvidia:1 "), "{shown}");
    let (status, shown) = run(&two, &["-DMIXED"]);
    assert!(status == Some(1) && shown.contains("error[out-of-bounds]"), "{shown}");
    let hosts = ["--memory", "discrete", "--devices", "2"];
    assert_eq!(run(&hosts, &[]).0, Some(0));
    let mut check = Command::new(env!("CARGO_BIN_EXE_accrue"));
    check.current_dir(env!("CARGO_MANIFEST_DIR")).args(["check", "--device", "sim", "--devices", "2"]);
    let output = check.arg("tests/sim/pointer_of_another_device.c").output().expect("the compiler starts");
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("one device"), "{output:?}");
    let (status, shown) = run(&["--devices", "2"], &[]);
    assert!(
        status == Some(2) && shown.contains("simulated GPUs and hosts with memory of their own"),
        "{shown}"
    );
}
