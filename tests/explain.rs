//! The registry of diagnostics: each id that code emits is in it, each id in it is emitted, and the programs
//! that explain an id behave as their page says. And what the command line makes of it: `accrue explain ID`,
//! names behind `-W`.

use accrue::diagnostics::{self, Stage};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn accrue(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(args).env_remove("ACC_DEVICE_TYPE").env("NO_COLOR", "1");
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file of the test's own.
fn scratch(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("explain_{name}.c"));
    std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// The text of the sources in a folder, tests left out.
fn sources(folder: &str) -> String {
    let mut text = String::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("the folder can be read");
        for path in entries.map(|entry| entry.expect("the folder can be read").path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let all = std::fs::read_to_string(&path).expect("the source can be read");
                text += all.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            }
        }
    }
    text
}

/// The word that a text begins with.
fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// A diagnostic of the front end takes an entry of the registry, so that none can be missing. The other way
/// round the compiler reports an unused constant; here as well, for `cargo test` alone.
#[test]
fn the_front_end_emits_every_id_it_registers() {
    let registry = std::fs::read_to_string(root().join("frontend/src/diag/ids.rs")).expect("it can be read");
    let code = sources("frontend/src");
    let entries = registry.lines().filter_map(|line| {
        let (level, rest) = line.trim().split_once(' ')?;
        matches!(level, "error" | "warning" | "either").then(|| word(rest))
    });
    let mut count = 0;
    for name in entries {
        let path = format!("ids::{name}");
        let is_used = code.split(&path).skip(1).any(|rest| word(rest).is_empty());
        assert!(is_used, "nothing emits {name}");
        count += 1;
    }
    let registered = accrue_frontend::diag::ids::ALL.len();
    assert_eq!(count, registered, "entries this test has read, and entries there are");
}

/// The crates below the front end's registry name their ids themselves: each is known, and what is known of
/// them is theirs.
#[test]
fn what_comes_after_the_front_end_emits_ids_of_the_registry() {
    let code = ["ir/src", "ptx-emit/src", "host-jit/src", "runtime/src", "src"].map(sources).concat();
    let known = diagnostics::all();
    let constants: Vec<(&str, &str)> = code
        .split("const ")
        .filter_map(|text| {
            let (name, rest) = text.split_once(": &str = \"")?;
            (word(name) == name).then_some((name, rest.split('"').next()?))
        })
        .collect();
    let value = |name: &str| constants.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let mut emitted: Vec<&str> = Vec::new();
    // Fields of warnings and findings, and the ids that functions of the driver take.
    let fields = code.split(" id: ").skip(1);
    for text in fields {
        let path = text.split([',', '}', '\n']).next().unwrap_or_default().trim_end_matches(".to_owned()");
        let id = match path.strip_prefix('"') {
            Some(literal) => Some(literal.trim_end_matches('"')),
            None => value(path.rsplit("::").next().unwrap_or_default()),
        };
        emitted.extend(id);
    }
    for name in ["DEVICE_UNSUPPORTED", "HOST_UNSUPPORTED", "UNKNOWN_WARNING_OPTION"] {
        // Declared once, and named elsewhere.
        assert!(code.matches(name).count() > 1, "{name}");
        emitted.extend(value(name));
    }
    assert!(emitted.contains(&"clause-ignored") && emitted.contains(&"routine-variable"), "{emitted:?}");
    for id in &emitted {
        assert!(known.iter().any(|known| known.name == *id), "`{id}` is not in the registry");
    }
    let of_front_end = |id: &str| accrue_frontend::diag::ids::ALL.iter().any(|known| known.name == id);
    let of_simulator = |id: &str| accrue_ptx_sim::Kind::ALL.iter().any(|kind| kind.id() == id);
    for known in known.iter().filter(|known| !of_front_end(&known.name) && !of_simulator(&known.name)) {
        assert!(emitted.contains(&known.name.as_ref()), "nothing emits `{}`", known.name);
    }
    // Each kind of the simulator's mistakes is made somewhere.
    let simulator = sources("ptx-sim/src");
    for kind in accrue_ptx_sim::Kind::ALL {
        assert!(simulator.contains(&format!("Kind::{kind:?}")), "nothing reports {kind:?}");
    }
}

#[test]
fn ids_are_written_once() {
    let all = diagnostics::all();
    for pair in all.windows(2) {
        assert_ne!(pair[0].name, pair[1].name);
    }
    for known in &all {
        let plain = known.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        assert!(plain && !known.meaning.is_empty() && !known.meaning.ends_with('.'), "{known:?}");
    }
}

/// The program of a page, and how it is compiled: a comment in its first line says it, if it is run.
fn program<'a>(page: &'a str, kind: &str) -> (&'a str, Vec<&'a str>) {
    let text = page.split(&format!("```c {kind}\n")).nth(1).and_then(|rest| rest.split("```").next());
    let text = text.unwrap_or_else(|| panic!("no {kind} program in\n{page}"));
    let command = text.strip_prefix("// accrue ").and_then(|rest| rest.split(" FILE").next());
    (text, command.map_or_else(|| vec!["ptx"], |command| command.split_whitespace().collect()))
}

#[test]
fn wrong_programs_get_the_diagnostic_and_right_ones_none() {
    let mut pages = 0;
    for known in diagnostics::all() {
        let Some(page) = known.explanation else { continue };
        pages += 1;
        for kind in ["wrong", "right"] {
            let (text, mut args) = program(page, kind);
            assert_eq!(args[0] == "run", known.stage == Stage::Run, "{}", known.name);
            let file = scratch(&format!("{}_{kind}", known.name), text);
            args.extend(["--diagnostics=json", file.to_str().expect("a plain path")]);
            let output = accrue(&args);
            let said = errors(&output);
            if kind == "wrong" {
                assert!(said.contains(&format!("\"id\":\"{}\"", known.name)), "{}: {said}", known.name);
            } else {
                assert!(output.status.success() && said.is_empty(), "{}: {said}", known.name);
            }
        }
    }
    assert!(pages > 25, "{pages}");
}

#[test]
fn explain_takes_ids() {
    let output = accrue(&["explain", "missing-reduction", "idle-threads"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(
        text.starts_with("missing-reduction (warning): ") && text.contains("\nidle-threads (warning): "),
        "{text}"
    );

    let output = accrue(&["explain", "missing-reducton"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("did you mean `missing-reduction`"), "{}", errors(&output));

    let output = accrue(&["explain", "--format", "json", "undeclared"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!((object["id"].as_str(), object["severity"].as_str()), (Some("undeclared"), Some("error")));

    let output = accrue(&["explain", "--list-ids"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().count(), diagnostics::all().len(), "{}", errors(&output));

    // A name of a file stays one.
    let output = accrue(&["explain", "no-such-file.c"]);
    assert!(errors(&output).contains("no-such-file.c") && !errors(&output).contains("id of a diagnostic"));
}

#[test]
fn sections_are_warnings_on_request() {
    let text = "void f(int n, double *p, double *q, int *list)\n{\n#pragma acc parallel loop\n    for (int i = 0; i < n; i++)\n\
                p[i] = q[list[i]];\n}\nint main(void) { return 0; }\n";
    let file = scratch("sections", text);
    let run =
        |options: &[&str]| accrue(&[&["ptx"], options, &[file.to_str().expect("a plain path")]].concat());
    let output = run(&["-Wall"]);
    assert!(output.status.success() && !errors(&output).contains("implicit-section"), "{}", errors(&output));
    let output = run(&["-Wimplicit-section"]);
    let told = errors(&output);
    assert!(output.status.success(), "{told}");
    for text in [
        "warning[implicit-section]: `p`: implicit `copyout(p[0:n])`, from the accesses at line 5",
        "warning[implicit-section]: `list`: implicit `copyin(list[0:n])`, from the accesses at line 5",
        "warning[implicit-section]: `q`: not mapped by the `parallel` construct: which element line 5 uses",
    ] {
        assert!(told.contains(text), "{told}");
    }
    assert_eq!(run(&["-Werror=implicit-section"]).status.code(), Some(1));
}

#[test]
fn unknown_warning_options_are_told() {
    let file = scratch("options", "int main(void) { return 0; }\n");
    let run = |options: &[&str]| {
        let mut args = vec!["run"];
        args.extend(options);
        args.push(file.to_str().expect("a plain path"));
        accrue(&args)
    };
    let told = "warning[unknown-warning-option]: unknown warning option `-Wno-missing-reducton`; did you mean \
                `-Wno-missing-reduction`?";
    // The second start finds what the first one keeps of a program without warnings.
    for _ in 0..2 {
        let output = run(&["-Wno-missing-reducton"]);
        assert!(output.status.success() && errors(&output).trim() == told, "{}", errors(&output));
    }
    // Once, although it is given twice.
    let output = run(&["-Wno-missing-reducton", "-Wno-missing-reducton"]);
    assert_eq!(errors(&output).matches("unknown-warning-option").count(), 1, "{}", errors(&output));
    let output = run(&["-Wzebra-stripes", "--diagnostics=json"]);
    assert!(errors(&output).starts_with("{\"id\":\"unknown-warning-option\",\"severity\":\"warning\""));

    // Errors for those who ask for them, nothing for those who do not want to know, and nothing where another
    // compiler's option is given.
    assert_eq!(run(&["-Werror", "-Wzebra-stripes"]).status.code(), Some(1));
    let silent: [&[&str]; 4] = [
        &["-w", "-Wzebra-stripes"],
        &["-Wno-unknown-warning-option", "-Wzebra-stripes"],
        &[
            "-Wall",
            "-Wextra",
            "-Wconversion",
            "-Wno-unused-parameter",
            "-Werror=vla",
            "-Wformat=2",
            "-pedantic",
        ],
        &[
            "-Wno-missing-reduction",
            "-Werror=idle-threads",
            "-Wno-error=clause-ignored",
            "-Werror",
            "-Wl,--as-needed",
        ],
    ];
    for options in silent {
        let output = run(options);
        assert!(output.status.success() && errors(&output).is_empty(), "{options:?}: {}", errors(&output));
    }
}

#[test]
fn a_product_in_kernels_is_tiled_like_one_of_parallel() {
    let product = |directive: &str| {
        format!(
            "void product(double a[1024][1024], double b[1024][1024], double c[1024][1024])\n{{\n#pragma acc {directive} \
             present(a[0:1024], b[0:1024], c[0:1024])\n    for (int i = 0; i < 1024; i++)\n        for (int j = 0; j < 1024; j++) {{\n            \
             double s = 0;\n            for (int k = 0; k < 1024; k++)\n                s += a[i][k] * b[k][j];\n            \
             c[i][j] = s;\n        }}\n}}\n"
        )
    };
    for directive in ["kernels", "parallel loop collapse(2)"] {
        let file = scratch(&directive[..6], &product(directive));
        let output = accrue(&["explain", file.to_str().expect("a plain path")]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("a thread executes 4 by 4 together"), "{directive}:\n{text}");
    }
}
