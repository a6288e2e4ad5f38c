//! `accrue completions` and `accrue man` know every command and option that `--help` lists.

use std::path::Path;
use std::process::{Command, Output};

fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// What accrue prints for arguments that it must accept.
fn accrue(arguments: &[&str]) -> String {
    let output = output(Command::new(env!("CARGO_BIN_EXE_accrue")).args(arguments));
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The commands that `accrue --help` lists.
fn commands() -> Vec<String> {
    let help = accrue(&["--help"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names: Vec<String> =
        lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    assert!(names.len() > 9 && names.contains(&"man".to_owned()), "{names:?}");
    names
}

/// The options that the help of a command lists, long ones only.
fn options(command: &str) -> Vec<String> {
    let help = accrue(&[command, "--help"]);
    let lines =
        help.lines().map(str::trim_start).filter(|line| line.starts_with('-') && !line.starts_with("- "));
    let words = lines.flat_map(|line| line.split([' ', ',', '[', '='])).filter(|word| word.starts_with("--"));
    words.map(str::to_owned).collect()
}

#[test]
fn every_shell_gets_every_command_and_option() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = accrue(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&*command), "{shell}: {command}");
            for option in options(&command) {
                // `fish` writes the dashes another way.
                let name = option.trim_start_matches('-');
                assert!(script.contains(name), "{shell}: {command} {option}");
            }
        }
    }
}

#[test]
fn a_shell_that_is_none_is_refused() {
    let output = output(Command::new(env!("CARGO_BIN_EXE_accrue")).args(["completions", "tcsh"]));
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("possible values: bash"), "{output:?}");
}

/// The script does its work in a shell: words that are begun are completed.
#[test]
fn bash_completes() {
    let script = r#"
        eval "$("$0" completions bash)"
        complete_words() {
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _accrue accrue "${@: -1}" "${@: -2:1}"
        }
        complete_words accrue exp; echo "${COMPREPLY[@]}"
        complete_words accrue run --dev; echo "${COMPREPLY[@]}"
        complete_words accrue run --device ""; echo "${COMPREPLY[@]}"
    "#;
    let output = output(Command::new("bash").args(["--norc", "-c", script, env!("CARGO_BIN_EXE_accrue")]));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text, "explain\n--device --devices\nhost host-discrete cuda sim multicore\n", "{output:?}");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man/1");
    let _ = std::fs::remove_dir_all(&folder);
    let arguments = ["man", &folder.to_string_lossy()];
    assert_eq!(accrue(&arguments), "");
    let page = |name: &str| {
        let file = folder.join(format!("{name}.1"));
        std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    let main = page("accrue");
    assert_eq!(main, accrue(&["man"]));
    // A dash without a backslash would be shown as a hyphen.
    for command in commands() {
        assert!(main.contains(&format!("accrue\\-{command}(1)")), "{command}: {main}");
        let text = page(&format!("accrue-{command}"));
        assert!(text.contains(&format!(".TH accrue-{command} 1 ")), "{text}");
        for option in options(&command) {
            assert!(text.contains(&option.replace('-', "\\-")), "{command} {option}: {text}");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml/man");
    let output = output(Command::new(env!("CARGO_BIN_EXE_accrue")).arg("man").arg(&manifest));
    assert_eq!(output.status.code(), Some(1));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(messages.starts_with("accrue: cannot write manual pages to "), "{messages}");
}
