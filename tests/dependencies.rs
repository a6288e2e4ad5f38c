//! Every dependency that a `Cargo.toml` of the repository declares is used by the crate's own sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the compiler depends on only for the features that dependencies of tests want, see [`features`].
const FOR_FEATURES: [&str; 5] = ["either", "getrandom", "indexmap", "once_cell", "scopeguard"];

/// Dependencies of a manifest: the section each is declared in, and its name.
fn declared(manifest: &str) -> Vec<(&str, &str)> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
            // `[dependencies.NAME]` is a section of its own.
            if let Some((before, name)) = name.rsplit_once("dependencies.") {
                found.push((before, name));
            }
        } else if section.ends_with("dependencies") && !line.starts_with('#') {
            let end = line.find([' ', '.', '=']).unwrap_or(line.len());
            found.extend(
                (end > 0).then(|| (section.strip_suffix("dependencies").unwrap_or(""), &line[..end])),
            );
        }
    }
    found
}

/// Whether code names a crate: in a path, or alone in a `use`. Comments do not count.
fn names_crate(source: &str, name: &str) -> bool {
    let name = name.replace('-', "_");
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    source.lines().map(|line| line.split("//").next().unwrap_or_default()).any(|line| {
        line.match_indices(&name).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            let is_path = after.starts_with("::") && !before.ends_with(is_letter) && !before.ends_with("::");
            let is_use =
                before.trim_end().ends_with("use") && (after.starts_with(';') || after.starts_with(" as "));
            // `::half` is the crate, where a module has the same name.
            let is_root_path =
                before.strip_suffix("::").is_some_and(|rest| rest.ends_with([' ', '(', '<', '&']));
            is_path || is_use || (is_root_path && after.starts_with("::"))
        })
    })
}

/// The Rust sources below a folder, those of other crates left out.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir()
            && path.file_name().is_some_and(|name| name != "target")
            && !path.join("Cargo.toml").exists()
        {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// What a manifest declares and its crate does not use.
fn unused(root: &Path, folder: &Path, crates: &[PathBuf]) -> Vec<String> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let manifest = read(&folder.join("Cargo.toml"));
    let code: Vec<(bool, String)> = sources(folder)
        .iter()
        .map(|path| {
            (
                path.starts_with(folder.join("src")) || path.starts_with(folder.join("fuzz_targets")),
                read(path),
            )
        })
        .collect();
    let is_used = |section: &str, name: &str| match section {
        // What the workspace declares, some member takes.
        "workspace." => crates.iter().any(|other| {
            let manifest = read(&other.join("Cargo.toml"));
            let wanted = format!("{name}.workspace");
            manifest.lines().any(|line| line.starts_with(&wanted))
        }),
        "" if folder == root && FOR_FEATURES.contains(&name) => true,
        // Tests and benchmarks do not make a dependency of the crate itself.
        "" => code.iter().any(|(is_own, text)| *is_own && names_crate(text, name)),
        _ => code.iter().any(|(_, text)| names_crate(text, name)),
    };
    let declared = declared(&manifest);
    let has_section = manifest.contains("dependencies]");
    assert_eq!(has_section, !declared.is_empty(), "{}: its dependencies are not found", folder.display());
    let path = folder.join("Cargo.toml");
    let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
    let unused = declared.into_iter().filter(|(section, name)| !is_used(section, name));
    unused.map(|(section, name)| format!("{shown}: {name} in [{section}dependencies]")).collect()
}

#[test]
fn every_dependency_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(root).expect("the repository can be read").flatten();
    let members = entries.map(|entry| entry.path()).filter(|path| path.join("Cargo.toml").exists());
    let mut crates: Vec<PathBuf> = members.chain([root.to_owned()]).collect();
    crates.sort();
    assert!(crates.len() > 8, "{crates:?}");

    let found: Vec<String> = crates.iter().flat_map(|folder| unused(root, folder, &crates)).collect();
    assert!(found.is_empty(), "declared and not used; remove these: {found:#?}");
}

/// Packages of a build, each with its features.
fn features(words: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["tree", "--offline", "--prefix", "none"]);
    let output = command.args(["--format", "{p}|{f}"]).args(words).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some((package, features)) = line.trim_end_matches(" (*)").split_once('|') {
            found.entry(package.to_owned()).or_default().insert(features.to_owned());
        }
    }
    found
}

/// A dependency with other features is another one, and all that depends on it is compiled for both.
#[test]
fn tests_compile_no_dependency_again() {
    let compiler = features(&["--edges", "normal,build"]);
    let tests = features(&["--workspace"]);
    let other: Vec<_> = compiler
        .iter()
        .filter_map(|(package, features)| {
            let missing: Vec<_> = features.difference(&tests[package]).collect();
            (!missing.is_empty()).then_some((package, missing, &tests[package]))
        })
        .collect();
    assert!(compiler.len() > 80 && tests.len() > 120, "{compiler:?} {tests:?}");
    assert!(other.is_empty(), "features of the compiler's build, and of that of tests: {other:#?}");
}

/// The fuzz target is no member of the workspace, so that no build here would miss a crate of ours in its
/// manifest.
#[test]
fn the_fuzz_target_declares_what_it_uses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("fuzz");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let declared: Vec<&str> = declared(&manifest).into_iter().map(|(_, name)| name).collect();
    let code: String =
        sources(&folder).iter().map(|path| std::fs::read_to_string(path).expect("a source")).collect();
    let ours = ["accrue-frontend", "accrue-host-jit", "accrue-ir", "accrue-ptx-emit", "accrue-runtime"];
    let missing: Vec<&str> =
        ours.into_iter().filter(|name| names_crate(&code, name) && !declared.contains(name)).collect();
    assert!(missing.is_empty(), "fuzz/Cargo.toml lacks {missing:?}");
}

#[test]
fn manifests_and_sources_are_read() {
    let manifest = "[dependencies]\n# a-b\nc.workspace = true\nd-e = { path = \"..\" }\n\n[lints]\nx = 1\n\n\
                    [dev-dependencies]\nf = \"1\"\n[target.'cfg(unix)'.dependencies.g]\nversion = \"1\"\n";
    let found: Vec<_> =
        declared(manifest).into_iter().map(|(section, name)| format!("{section}|{name}")).collect();
    assert_eq!(found, ["|c", "|d-e", "dev-|f", "target.'cfg(unix)'.|g"]);
    for (source, name, expected) in [
        ("use a_b::C;", "a-b", true),
        ("let x = (a_b::c(), 1);", "a-b", true),
        ("use a_b;", "a-b", true),
        ("use ::half::f16;", "half", true),
        ("// a_b::C", "a-b", false),
        ("use other::half::f16;", "half", false),
        ("use data_b::C;", "a-b", false),
        ("let a_b = 1;", "a-b", false),
    ] {
        assert_eq!(names_crate(source, name), expected, "{source}");
    }
}
