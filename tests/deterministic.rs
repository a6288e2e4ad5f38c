//! `--deterministic`: the same bits in every schedule of the simulator, for sums and products of floats over
//! gangs, workers and lanes.

use std::process::Command;

/// Shapes of launches: gangs, workers, lanes. Constructs that name numbers of their own keep those.
const SHAPES: [&str; 4] = ["4:3:32", "3:8:64", "7:1:1024", "5:32:7"];
const SEEDS: u32 = 20;

/// What the program prints in the schedule of a seed.
fn bits(shape: &str, seed: u32, options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("ACC_DEVICE_TYPE", "nvidia");
    command.args(["run", "-w", "--device", "sim", "--seed", &seed.to_string()]);
    command.args(["-DSIZE=1501", "-DROWS=30", "-DGANGS=9"]);
    command.arg(format!("-fopenacc-dim={shape}")).args(options).arg("tests/gpu/bits.c");
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && messages.is_empty(), "{command:?}\n{messages}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.split_whitespace().filter(|word| word.contains("0x")).count(), 17, "{text}");
    text
}

/// The first seed whose schedule gives other bits than the first one's.
fn differs(shape: &str, options: &[&str]) -> Option<u32> {
    let expected = bits(shape, 1, options);
    (2..=SEEDS).find(|&seed| bits(shape, seed, options) != expected)
}

#[test]
fn every_schedule_gives_the_same_bits() {
    for shape in SHAPES {
        assert_eq!(differs(shape, &["--deterministic"]), None, "{shape}");
    }
}

#[test]
fn schedules_give_different_bits_without_it() {
    for strategy in ["auto", "lock", "cas", "atomic"] {
        let seed = differs(SHAPES[0], &["--reduction", strategy]);
        assert!(seed.is_some(), "{strategy}: the test above cannot fail");
    }
}

#[test]
fn strategies_do_not_matter_to_it() {
    let expected = bits(SHAPES[0], 1, &["--deterministic"]);
    for strategy in ["lock", "cas", "atomic", "tree"] {
        let found = bits(SHAPES[0], 2, &["--deterministic", "--reduction", strategy]);
        assert_eq!(found, expected, "{strategy}");
    }
}
