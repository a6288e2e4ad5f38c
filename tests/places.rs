//! The lists of CONTRIBUTING, which say what must be touched to add an IR operation, a clause or a reduction
//! operator, are complete: they name exactly the files in which existing ones stand.

use std::collections::BTreeSet;
use std::path::Path;

/// The sources of the crates, the front end's first: clauses are its own affair.
const SOURCES: [&str; 7] =
    ["frontend/src", "ir/src", "host-jit/src", "ptx-emit/src", "ptx-sim/src", "runtime/src", "src"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The Rust files of a folder and of the folders below, without modules that exist for tests only.
fn sources(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        if entry.path().is_dir() && name != "tests" {
            files.extend(sources(&path));
        } else if name.ends_with(".rs") && !["tests.rs", "testing.rs", "random.rs"].contains(&name.as_str()) {
            files.push(path);
        }
    }
    files
}

/// The code of a file: no comments, no strings, no tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.flat_map(|line| line.split('"').step_by(2).chain(["\n"])).collect()
}

/// The files of some folders whose code has one of the names.
fn places(folders: &[&str], names: &[&str]) -> BTreeSet<String> {
    let is_named = |path: &String| {
        let code = code(&read(path));
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        code.split(|c: char| !is_word(c)).any(|word| names.contains(&word))
    };
    folders.iter().flat_map(|folder| sources(folder)).filter(is_named).collect()
}

/// The first path of each item of the numbered list below a heading of CONTRIBUTING.
fn listed(heading: &str) -> BTreeSet<String> {
    let page = read("CONTRIBUTING.md");
    let section = page.split("\n## ").find(|section| section.lines().next() == Some(heading));
    let section = section.unwrap_or_else(|| panic!("no section `{heading}`"));
    let mut paths = BTreeSet::new();
    for item in items(section) {
        let path = item.split('`').skip(1).step_by(2).find(|span| span.contains('/'));
        paths.insert(path.unwrap_or_else(|| panic!("no path in `{item}`")).to_owned());
    }
    assert!(!paths.is_empty(), "no list below `{heading}`");
    paths
}

/// The items of a numbered list, each with the lines that continue it.
fn items(section: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in section.lines() {
        let is_first = line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        match items.last_mut() {
            _ if is_first => items.push(line.to_owned()),
            Some(item) if line.starts_with(' ') => item.push_str(line),
            _ => {}
        }
    }
    items
}

/// Checks that the files in which `names` stand are those that a list names, themselves or by their folder,
/// and that there are no more than `limit`.
fn check(heading: &str, folders: &[&str], names: &[&str], limit: usize) {
    let (found, listed) = (places(folders, names), listed(heading));
    let is_in = |file: &str, place: &str| file == place || file.starts_with(&format!("{place}/"));
    let missing: Vec<&String> =
        found.iter().filter(|file| !listed.iter().any(|place| is_in(file, place))).collect();
    let needless: Vec<&String> =
        listed.iter().filter(|place| !found.iter().any(|file| is_in(file, place))).collect();
    assert!(missing.is_empty(), "`{heading}` does not name where {names:?} stand: {missing:?}");
    assert!(needless.is_empty(), "`{heading}` names places that {names:?} are not in: {needless:?}");
    assert!(found.len() <= limit, "{names:?} stand in {} files: {found:?}", found.len());
}

/// Operations that no pass treats in its own way.
#[test]
fn an_operation_has_eight_places() {
    for name in ["Op::InsertLane", "Op::VaStart", "Op::FrameAddress"] {
        check("Adding an IR operation", &SOURCES[1..], &[name], 8);
    }
}

#[test]
fn a_clause_has_five_places() {
    for names in [
        ["ClauseKind::VectorLength", "VectorLength", "vector_length"],
        ["ClauseKind::Async", "Async", "async_"],
        ["ClauseKind::DefaultAsync", "DefaultAsync", "default_async"],
    ] {
        check("Adding a clause", &SOURCES[..1], &names, 5);
    }
}

#[test]
fn a_reduction_operator_has_nine_places() {
    let names = ["ReductionOp::Max", "ReductionOp::Min", "ReductionOp::BitXor"];
    check("Adding a reduction operator", &SOURCES, &names, 9);
}
