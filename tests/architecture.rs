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
