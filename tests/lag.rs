//! Queues of the simulated device that lag behind the host (`--queues lag`): what the host sees before it
//! waits, and what the virtual clock says. Programs in `tests/lag`; all others about devices are executed so
//! by the test `programs`.

use std::path::Path;
use std::process::{Command, Output};

/// Runs a program of the folder in the simulator.
fn run(program: &str, options: &[&str]) -> Output {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lag").join(program);
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(["run", "-fopenmp", "--device", "sim"]).args(options).arg(path);
    command.env("ACC_DEVICE_TYPE", "nvidia").env("ACCRUE_TIME", "1").env("OMP_NUM_THREADS", "1");
    command.output().expect("the compiler starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The makespan and the serial sum in microseconds, and what of the table is above them.
fn clock(output: &Output) -> (f64, f64) {
    let shown = text(&output.stderr);
    assert!(output.status.success(), "{shown}");
    let figure = |name: &str| -> Option<f64> {
        let (_, rest) = shown.split_once(name)?;
        rest.split_whitespace().next()?.parse().ok()
    };
    figure("makespan ").zip(figure("serial sum ")).unwrap_or_else(|| panic!("no clock in\n{shown}"))
}

#[test]
fn the_host_sees_what_a_late_device_gives() {
    let late = run("early_read.c", &["--queues", "lag"]);
    let wanted = "before the wait: 0 0\nbehind the wait: 5 12\nbehind the question: 10 24, asked more than once: 1\n\
                  changed before the wait: 2\n";
    assert_eq!(text(&late.stdout), wanted, "{}", text(&late.stderr));
    let eager = run("early_read.c", &[]);
    assert!(text(&eager.stdout).starts_with("before the wait: 5 12\n"), "{}", text(&eager.stdout));
    assert!(!text(&eager.stderr).contains("makespan"), "work that is done at once has no virtual clock");
}

#[test]
fn independent_tasks_overlap() {
    let output = run("independent.c", &["--queues", "lag", "--seed", "1"]);
    let (makespan, serial) = clock(&output);
    assert!(makespan * 2.5 < serial, "{makespan} of {serial}");
    let again = clock(&run("independent.c", &["--queues", "lag", "--seed", "1"]));
    assert_eq!((makespan, serial), again, "the clock does not know this machine");
}

#[test]
fn a_chain_does_not_overlap() {
    let (makespan, serial) = clock(&run("chain.c", &["--queues", "lag"]));
    assert!((makespan - serial).abs() < 0.002, "{makespan} of {serial}");
}

#[test]
fn a_wait_between_tasks_ends_the_overlap() {
    let (makespan, serial) = clock(&run("waits.c", &["--queues", "lag"]));
    assert!((makespan - serial).abs() < 0.002, "{makespan} of {serial}");
}

/// Each asks in another way whether the device is done, and none waits for it.
#[test]
fn whoever_asks_comes_to_the_end() {
    let output = run("asking.c", &["--queues", "lag"]);
    assert_eq!(text(&output.stdout), "43\n84\n65\n", "{}", text(&output.stderr));
}

#[test]
fn a_late_mistake_names_who_asked() {
    let output = run("late_mistake.c", &["--queues", "lag"]);
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    for wanted in ["out of bounds", "late_mistake.c:11:", "asked for by `parallel` at", "late_mistake.c:9"] {
        assert!(shown.contains(wanted), "no {wanted:?} in\n{shown}");
    }
    assert!(text(&output.stdout).contains("the host goes on"), "it is found when the host waits");
}

/// Whatever is done first: the directive that was to wait for the other is told of, and the other one shown.
#[test]
fn races_between_queues_name_both_directives() {
    let cases: [(&str, &[&str]); 4] = [
        (
            "race_of_update.c",
            &[
                "this `target update` copies `a` to the host and does not depend on the task `target` at line 9",
                "race_of_update.c:11:1",
                "race_of_update.c:10:5",
            ],
        ),
        (
            "race_of_maps.c",
            &["does not depend on the task `target` at line 7", "race_of_maps.c:9:1", "race_of_maps.c:7:1"],
        ),
        (
            "race_of_kernels.c",
            &[
                "this region reads `a` and does not depend on the task `target` at line 9",
                "race_of_kernels.c:13:5",
                "race_of_kernels.c:10:5",
            ],
        ),
        (
            "race_of_queues.c",
            &[
                "this `update` copies `a` to the host and does not wait for queue 1",
                "race_of_queues.c:11:1",
                "race_of_queues.c:10:5",
            ],
        ),
    ];
    for (program, wanted) in cases {
        for queues in ["eager", "lag"] {
            let output = run(program, &["--queues", queues]);
            let shown = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{program} {queues}: {shown}");
            for wanted in wanted {
                assert!(shown.contains(wanted), "{program} {queues}: no {wanted:?} in\n{shown}");
            }
        }
    }
}
