//! ARCHITECTURE.md and CONTRIBUTING.md name only files that exist.

use std::path::Path;

#[test]
fn documents_name_existing_paths() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let text = std::fs::read_to_string(root.join(document)).expect("the document can be read");
        let missing: Vec<&str> = paths(&text).filter(|path| !root.join(path).exists()).collect();
        assert!(missing.is_empty(), "{document} names paths that do not exist: {missing:?}");
    }
}

/// The listings of the reduction that the page follows from the pragma to PTX are those of today.
#[test]
fn listings_are_what_the_tool_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("the file can be read");
    let page = read("ARCHITECTURE.md");
    let section = page.split("### One reduction").nth(1).expect("the page has the section");
    let case = root.join("golden/cases/reductions/worker_vector");
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

/// What looks like a path of the repository: code spans and link targets with a slash, or with a known extension.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let spans = text.split('`').skip(1).step_by(2);
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    spans.chain(links).filter(|span| {
        let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
        let folder = [
            "frontend", "ir", "host-jit", "ptx-sim", "runtime", "golden", "tests", "src", "examples", "docs",
            "bench", ".ci",
        ];
        plain
            && (span.contains('/') && folder.contains(&span.split('/').next().unwrap_or_default())
                || span.ends_with(".md"))
    })
}
