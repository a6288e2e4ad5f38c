//! The documents name only files that exist, and what the repository consists of is described.

use std::path::{Path, PathBuf};

/// Words with a slash that are no paths of the repository: the document, the word, and what it is.
const NO_PATHS: &[(&str, &str, &str)] = &[
    ("docs/conformance.md", "gcc.c-torture/execute", "a folder of GCC's tests"),
    ("docs/golden.md", "tests/sum.c", "a case of the reader's own"),
    ("docs/testing.md", "options/all", "the name of a test"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What a folder of the repository holds, hidden and ignored files left out; in order.
fn entries(folder: &str) -> Vec<PathBuf> {
    let ignored = read(".gitignore");
    let is_shown = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let place = format!("/{}", path.strip_prefix(root()).unwrap_or(path).display());
        !name.starts_with('.') && !ignored.lines().any(|line| line == place)
    };
    let found = std::fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut paths: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).filter(is_shown).collect();
    paths.sort();
    paths
}

/// The name of a file or folder.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files of a folder and of the folders below whose names end in `end`, by their paths in the repository.
fn files(folder: &str, end: &str) -> Vec<String> {
    let of = |path: PathBuf| match path.strip_prefix(root()).unwrap_or(&path).display().to_string() {
        folder if path.is_dir() => files(&folder, end),
        file if file.ends_with(end) => vec![file],
        _ => Vec::new(),
    };
    entries(folder).into_iter().flat_map(of).collect()
}

#[test]
fn documents_name_existing_paths() {
    let documents = files("", ".md");
    for known in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/golden.md", "examples/README.md"] {
        assert!(documents.iter().any(|document| document == known), "{documents:?}");
    }
    for document in documents {
        let text = read(&document);
        let beside = root().join(&document).with_file_name("");
        let is_known = |path: &str| {
            NO_PATHS.iter().any(|&(other, word, _)| document == other && path == word)
                || beside.join(path).exists()
                || root().join(path).exists()
        };
        let missing: Vec<&str> = paths(&text).filter(|path| !is_known(path)).collect();
        assert!(missing.is_empty(), "{document} names paths that do not exist: {missing:?}");
    }
}

/// Tables, grammars, code, and a command that is one word in quotes have lines of their own.
#[test]
fn comments_end_by_column_110() {
    let mut wide = Vec::new();
    for file in files("", ".rs") {
        let mut in_code = false;
        for (index, line) in read(&file).lines().enumerate() {
            let comment = line.trim_start().strip_prefix("//").unwrap_or_default();
            let text = comment.trim_start_matches(['/', '!']);
            in_code ^= text.starts_with(" ```");
            let is_prose =
                text.starts_with(' ') && !["  ", " |", " `"].iter().any(|start| text.starts_with(start));
            if is_prose && !in_code && line.chars().count() > 110 {
                wide.push(format!("{file}:{}", index + 1));
            }
        }
    }
    assert!(wide.is_empty(), "comments beyond column 110: {}", wide.join(" "));
}

/// A folder, crate, page, example or benchmark that is new has a place where it is described.
#[test]
fn what_is_there_is_described() {
    let architecture = read("ARCHITECTURE.md");
    let pages = [read("README.md"), architecture.clone()].concat();
    let examples = read("examples/README.md");
    let mut missing = Vec::new();
    let mut is_in = |text: &str, wanted: String, document: &str| {
        if !text.contains(&wanted) {
            missing.push(format!("{document}: {wanted}"));
        }
    };
    for path in entries("").iter().filter(|path| path.is_dir()) {
        let folder = name(path);
        is_in(&architecture, format!("`{folder}`"), "ARCHITECTURE.md");
        let manifest = format!("{folder}/Cargo.toml");
        if root().join(&manifest).exists() && folder != "fuzz" {
            let text = read(&manifest);
            let package = text.split('"').nth(1).unwrap_or_default();
            is_in(&architecture, format!("| `{folder}` | `{package}` |"), "the crates of ARCHITECTURE.md");
        }
    }
    for path in ["bench", "benches"].iter().flat_map(|folder| entries(folder)) {
        let place = path.strip_prefix(root()).unwrap_or(&path).display();
        is_in(&architecture, format!("`{place}`"), "ARCHITECTURE.md");
    }
    for path in entries("docs") {
        is_in(&pages, format!("](docs/{})", name(&path)), "README.md or ARCHITECTURE.md");
    }
    for path in entries("examples").iter().filter(|path| path.extension().is_some_and(|end| end == "c")) {
        is_in(&examples, format!("]({})", name(path)), "examples/README.md");
    }
    assert!(missing.is_empty(), "not described: {missing:#?}");
}

/// Programs that are compiled bring no compiler along: what the runtime needs of them is in its interface,
/// `abi`.
#[test]
fn the_runtime_knows_no_ir() {
    let manifest = read("runtime/Cargo.toml");
    assert!(manifest.contains("libc.workspace"), "the runtime's dependencies are there");
    for part in ["accrue-ir", "accrue-frontend", "accrue-host-jit", "accrue-ptx-emit", "cranelift"] {
        assert!(!manifest.contains(part), "runtime/Cargo.toml names {part}");
    }
}

/// The listings of the reduction that the page follows from the pragma to PTX are those of today.
#[test]
fn listings_are_what_the_tool_prints() {
    let page = read("ARCHITECTURE.md");
    let section = page.split("### One reduction").nth(1).expect("the page has the section");
    let case = root().join("golden/cases/reductions/worker_vector");
    let printed: String = ["c", "reductions.ir", "ptx"]
        .map(|extension| read(case.with_extension(extension).to_str().unwrap_or_default()))
        .concat();
    let listings = section.split("```").skip(1).step_by(2).flat_map(|block| block.lines().skip(1));
    let mut compared = 0;
    for line in listings.map(str::trim).filter(|line| !line.is_empty() && *line != "...") {
        // A comment of the page stands behind two blanks.
        let code = line.split("  ").next().unwrap_or(line).trim();
        assert!(printed.lines().any(|other| other.trim() == code), "not printed: {line}");
        compared += 1;
    }
    assert!(compared > 15, "{compared} lines");
}

/// What looks like a path of the repository: code spans and targets of links with a slash, or pages; and in
/// listings of commands the words that begin with a folder of the repository.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let is_plain = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let listings = || text.split("```").enumerate();
    let prose = listings().filter(|(at, _)| at % 2 == 0).flat_map(|(_, part)| {
        let spans = part.split('`').skip(1).step_by(2);
        let links = part.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        spans.chain(links)
    });
    let prose = prose.filter(|word| word.contains('/') || word.ends_with(".md"));
    let commands = listings().filter(|(at, part)| at % 2 == 1 && part.starts_with("sh\n"));
    let words = commands.flat_map(|(_, part)| part.split_whitespace()).filter(|word| {
        let folder = word.split_once('/').map(|(folder, _)| folder);
        folder.is_some_and(|folder| !folder.is_empty() && folder != "." && root().join(folder).is_dir())
    });
    prose.chain(words).filter(is_plain)
}
