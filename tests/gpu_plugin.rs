//! The plugin for GPUs, against a library that has the names of the driver and whose kernels do nothing
//! (`tests/gpu/driver.c`): everything but the kernels is as on a GPU. It is compiled by the C compiler of the
//! machine; without one the test says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The folder that holds the library, or `None` if there is no C compiler.
fn driver() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER.get_or_init(build).as_deref()
}

fn build() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let (library, alias) = (folder.join("libcuda.so"), folder.join("libcuda.so.1"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu/driver.c");
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-pthread", "-w", "-o"]).arg(&library).arg(source);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("skipped: no C compiler: {error}");
            return None;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Two names of one library, which is loaded once.
    let _ = std::fs::remove_file(&alias);
    std::os::unix::fs::symlink("libcuda.so", alias).expect("the link can be made");
    Some(folder)
}

fn run(driver: &Path, program: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(["run", "--device", "cuda"]);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(program));
    command.env("LD_LIBRARY_PATH", driver).envs(variables.iter().copied());
    command.output().expect("accrue starts")
}

#[test]
fn bytes_arrive_and_nothing_is_left_over() {
    let Some(driver) = driver() else { return };
    let output = run(driver, "tests/gpu/copies.c", &[("DRIVER_REPORT", "1")]);
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        text,
        "2 devices, type 5, number 0\n\
         Device 1, Nvidia, CUDA Driver 12.8\n\
         through pinned memory: 0\n\
         directly: 0\n\
         behind a region: 1 eeeeeeee eeeeeeee 4\n\
         sum 5, object present 1\n\
         streams 1 0, handles 1 1\n\
         between devices: 0\n\
         device 1: 1\n\
         host 9\n",
        "{errors}"
    );
    assert_eq!(errors, "driver: 0 streams, 0 blocks of memory, 0 graphs left\n");
}

/// What `large_copies.c` and the driver say if all is well.
const DONE: &str = "wrong 0\ndriver: 0 streams, 0 blocks of memory, 0 graphs left\n";

#[test]
fn threads_share_large_copies() {
    let Some(driver) = driver() else { return };
    let pinned = |threads, able| {
        let variables = [("RAYON_NUM_THREADS", threads), ("DRIVER_PINS", able), ("DRIVER_REPORT", "1")];
        let output = run(driver, "tests/gpu/large_copies.c", &variables);
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let rest = text.strip_prefix(DONE).unwrap_or_else(|| panic!("{threads} {able}: {text}"));
        let number = rest.strip_prefix("driver: ").and_then(|rest| rest.strip_suffix(" MiB pinned\n"));
        number.and_then(|number| number.parse::<u32>().ok()).expect("the driver counts")
    };
    assert!(pinned("4", "1000") > 20);
    // Fewer chunks than the copies would like to have.
    assert!((16..=20).contains(&pinned("4", "20")));
    // The driver's own way.
    assert_eq!(pinned("4", "0"), 0);
    assert_eq!(pinned("2", "1000"), 0);
}

#[test]
fn large_copies_on_queues_come_in_groups() {
    let Some(driver) = driver() else { return };
    for (able, expected) in [("1000", DONE), ("20", DONE), ("0", "no pinned memory")] {
        let variables = [("ON_QUEUES", "1"), ("DRIVER_PINS", able), ("DRIVER_REPORT", "1")];
        let output = run(driver, "tests/gpu/large_copies.c", &variables);
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(expected), "{able}: {text}");
    }
}

/// Launches by the driver's counts: single ones, those of graphs, and the kernels of these.
fn counts(errors: &str) -> [u32; 3] {
    let line = errors.lines().find(|line| line.contains(" of graphs with ")).expect("the driver counts");
    let numbers: Vec<u32> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().expect("three counts")
}

#[test]
fn launches_become_graphs() {
    let Some(driver) = driver() else { return };
    let run = |variables: &[(&str, &str)]| {
        let report = [("DRIVER_REPORT", "1"), ("DRIVER_COUNTS", "1")];
        let output = run(driver, "tests/gpu/steps.c", &[&report, variables].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n", "{errors}");
        assert!(errors.contains("driver: 0 streams, 0 blocks of memory, 0 graphs left\n"), "{errors}");
        counts(&errors)
    };
    // 2,000 regions; a graph for each of the 500 that the host waits for, and few for the rest.
    const APART: (&str, &str) = ("ACCRUE_FUSE", "0");
    let [single, graphs, kernels] = run(&[APART]);
    assert!(kernels > 1500 && graphs < 1000, "{single} {graphs} {kernels}");
    let [single, graphs, _] = run(&[APART, ("ACCRUE_GRAPH", "0")]);
    assert!(single >= 2000 && graphs == 0, "{single} {graphs}");
    // A driver without them.
    let [single, graphs, _] = run(&[APART, ("DRIVER_REFUSES_GRAPHS", "1")]);
    assert!(single >= 2000 && graphs == 0, "{single} {graphs}");
    // Two of the constructs of a step are one launch.
    let [single, graphs, _] = run(&[("ACCRUE_GRAPH", "0")]);
    assert!((1500..2000).contains(&single) && graphs == 0, "{single} {graphs}");
}

#[test]
fn what_happens_is_told() {
    let Some(driver) = driver() else { return };
    let output = run(driver, "tests/gpu/copies.c", &[("ACCRUE_NOTIFY", "5"), ("ACCRUE_TIME", "1")]);
    let errors = String::from_utf8_lossy(&output.stderr);
    for wanted in [
        " line=41 device=nvidia:0 queue=4 num_gangs=4608 num_workers=4 vector_length=64 grid=4608x1x1 block=64x4x1\n",
        " line=41 device=nvidia:0 queue=4 for queue=3\n",
        "kernel us",
    ] {
        assert!(errors.contains(wanted), "no {wanted:?} in\n{errors}");
    }
}

#[test]
fn memory_that_kernels_need_themselves_is_asked_for_or_missed() {
    let Some(driver) = driver() else { return };
    // An eighth of 1 GiB is less than 8 MiB for each of 80 processors; the stack of a kernel whose functions
    // call themselves.
    for (program, limit) in [
        ("tests/acc/gangs_wait_for_the_heap.c", "limit 2 is 134217728"),
        ("tests/acc/recursion_beside_large_arrays.c", "limit 0 is 16384"),
    ] {
        let output = run(driver, program, &[("DRIVER_REPORT", "1")]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(limit), "no {limit:?} in\n{errors}");
    }
    let output = run(driver, "tests/gpu/copies.c", &[("DRIVER_IS_FULL", "1")]);
    let errors = String::from_utf8_lossy(&output.stderr);
    let wanted = "65536 bytes in each of the 163840 threads that the device holds want 10240 MiB of its memory, of which 1024 MiB are \
                  free";
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.contains(wanted), "{errors}");
}

#[test]
fn errors_of_the_device_name_the_line() {
    let Some(driver) = driver() else { return };
    let output = run(driver, "tests/gpu/copies.c", &[("DRIVER_FAILS", "1")]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("copies.c:44: wait: the GPU: an illegal memory access was encountered"),
        "{errors}"
    );
    let output = run(driver, "tests/gpu/copies.c", &[("ACC_DEVICE_NUM", "2")]);
    let errors = String::from_utf8_lossy(&output.stderr);
    let wanted = "ACC_DEVICE_NUM: device 2 out of range: there are 2 nvidia devices";
    assert!(errors.contains(wanted), "{errors}");
}
