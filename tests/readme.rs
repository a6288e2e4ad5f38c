//! The README shows what accrue prints: each `$ accrue` in it is run here. `...` stands for any text, alone
//! on a line for any lines.

use std::process::Command;

struct Shown {
    command: String,
    lines: Vec<String>,
}

fn shown(text: &str) -> Vec<Shown> {
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    let block = |block: &str| {
        let (command, output) = block.split_once('\n').unwrap_or((block, ""));
        let command = command.strip_prefix("$ accrue ").expect("a block begins with a command").to_owned();
        Shown { command, lines: output.lines().map(str::to_owned).collect() }
    };
    blocks.map(block).collect()
}

/// Whether a line is what is shown, `...` being any text.
fn is_line(shown: &str, line: &str) -> bool {
    match shown.split_once("...") {
        Some((start, end)) => {
            line.len() >= start.len() + end.len() && line.starts_with(start) && line.ends_with(end)
        }
        None => shown == line,
    }
}

/// Whether an output is what is shown, `...` alone being any lines.
fn is_output(shown: &[String], output: &[&str]) -> bool {
    match shown {
        [] => output.is_empty(),
        [any, rest @ ..] if any == "..." => (0..=output.len()).any(|skip| is_output(rest, &output[skip..])),
        [first, rest @ ..] => {
            output.split_first().is_some_and(|(line, more)| is_line(first, line) && is_output(rest, more))
        }
    }
}

#[test]
fn the_readme_shows_what_is_printed() {
    let found = shown(include_str!("../README.md"));
    assert!(found.len() >= 3, "the README has examples");
    for Shown { command, lines } in found {
        let output = Command::new(env!("CARGO_BIN_EXE_accrue"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(command.split_whitespace())
            .output()
            .expect("the compiler starts");
        let printed = [output.stderr, output.stdout].concat();
        let printed = String::from_utf8_lossy(&printed);
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        assert!(is_output(&lines, &printed), "`accrue {command}` prints\n{}", printed.join("\n"));
    }
}

#[test]
fn dots_stand_for_any_text() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(is_output(&lines("a\n...\nb (...)"), &["a", "x", "y", "b (7)"]));
    assert!(is_output(&lines("a\n...\nb"), &["a", "b"]));
    assert!(!is_output(&lines("a\n...\nb"), &["a", "b", "c"]));
    assert!(!is_output(&lines("a...a"), &["a"]));
}
