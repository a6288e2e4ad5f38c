//! `accrue explain ID`: what a diagnostic means, with a wrong program and a right one where that helps.

use accrue::diagnostics::{Known, Stage, all};
use accrue::driver::Failure;
use accrue_frontend::diag::Level;
use accrue_frontend::suggest::nearest;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The most ids that a word nobody knows may have meant.
const MOST_SUGGESTED: usize = 3;

/// The ids that stand in the place of files: words in kebab-case, the first of which is no file.
pub fn asked(files: &[PathBuf]) -> Option<Vec<&str>> {
    let words: Option<Vec<&str>> = files.iter().map(|file| word(file)).collect();
    words.filter(|_| files.first().is_some_and(|file| !file.exists()))
}

fn word(file: &Path) -> Option<&str> {
    let text = file.to_str()?;
    let is_kebab = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') && text != "-";
    is_kebab.then_some(text)
}

/// All ids, a line each.
pub fn list() -> String {
    let all = all();
    let width = all.iter().map(|known| known.name.len()).max().unwrap_or_default();
    let line = |Known { name, level, meaning, .. }: &Known| {
        format!("{name:width$}  {:16}  {meaning}\n", level.name())
    };
    all.iter().map(line).collect()
}

/// The explanations of ids.
pub fn explain(names: &[&str], as_json: bool) -> Result<String, Failure> {
    let all = all();
    let mut texts = Vec::with_capacity(names.len());
    for name in names {
        let known = all.iter().find(|known| known.name == *name).ok_or_else(|| unknown(name, &all))?;
        texts.push(if as_json { object(known).to_string() + "\n" } else { text(known) });
    }
    Ok(texts.join(if as_json { "" } else { "\n" }))
}

fn object(known: &Known) -> serde_json::Value {
    let Known { name, level, meaning, explanation, .. } = known;
    json!({ "id": name, "severity": level.name(), "meaning": meaning, "explanation": explanation })
}

fn text(known: &Known) -> String {
    let Known { name, level, stage, meaning, explanation } = known;
    let mut text = format!("{name} ({}): {meaning}\n", level.name());
    match (stage, level) {
        (Stage::Compiler, Level::Error) => {}
        (Stage::Compiler, Level::Warning) => {
            text += &format!("-Wno-{name} silences it, -Werror={name} makes it an error.\n");
        }
        (Stage::Compiler, Level::Either) => {
            text += &format!("Where it is a warning, -Wno-{name} silences it.\n");
        }
        (Stage::Run, _) => {
            text += "Found while the program runs in the simulator: `accrue run --device sim`.\n"
        }
    }
    if let Some(page) = explanation {
        text.push('\n');
        plain(page, &mut text);
    }
    text
}

/// A page without its marks: programs are indented, and headed by what they are.
fn plain(page: &str, out: &mut String) {
    let mut in_program = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some("c wrong") => *out += "Wrong:\n\n",
            Some("c right") => *out += "Right:\n\n",
            Some(_) => {}
            None if in_program && !line.is_empty() => *out += &format!("    {line}\n"),
            None => *out += &format!("{line}\n"),
        }
        in_program ^= line.starts_with("```");
    }
}

fn unknown(name: &str, all: &[Known]) -> Failure {
    let mut near: Vec<&str> = Vec::new();
    while near.len() < MOST_SUGGESTED {
        let left = all.iter().map(|known| known.name.as_ref()).filter(|known| !near.contains(known));
        match nearest(name, left) {
            Some(found) => near.push(found),
            None => break,
        }
    }
    // `duplicate` may stand for several.
    let containing = all.iter().map(|known| known.name.as_ref()).filter(|known| known.contains(name));
    let more: Vec<&str> = containing.filter(|known| !near.contains(known)).collect();
    near.extend(more.into_iter().take(MOST_SUGGESTED.saturating_sub(near.len())));
    let quoted: Vec<String> = near.iter().map(|id| format!("`{id}`")).collect();
    let meant = match quoted.as_slice() {
        [] => String::new(),
        quoted => format!("; did you mean {}?", quoted.join(" or ")),
    };
    Failure::Usage(format!(
        "`{name}` is neither a file nor the id of a diagnostic{meant} (`accrue explain --list-ids` lists them)"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_no_ids() {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(asked(&files(&["missing-reduction"])), Some(vec!["missing-reduction"]));
        assert_eq!(asked(&files(&["missing-reduction", "main"])), Some(vec!["missing-reduction", "main"]));
        // A file that is not there, standard input, and a folder of this crate.
        ["no-such-file.c", "-", "src", "a/b"]
            .iter()
            .for_each(|name| assert_eq!(asked(&files(&[name])), None));
        assert_eq!(asked(&files(&["missing-reduction", "a.c"])), None);
    }

    #[test]
    fn unknown_ids_get_the_nearest() {
        let error = |name: &str| explain(&[name], false).expect_err("no such id").to_string();
        assert!(error("missing-reducton").contains("did you mean `missing-reduction`"));
        assert!(error("duplicate").contains("`declare-duplicate` or `duplicate-argument` or"));
        assert!(error("zebra").starts_with("`zebra` is neither a file nor the id of a diagnostic (`accrue"));
    }

    #[test]
    fn programs_are_headed_and_indented() {
        let text = explain(&["missing-reduction"], false).expect("an id");
        let start = "missing-reduction (warning): iterations update a shared variable";
        assert!(text.starts_with(start) && text.contains("-Wno-missing-reduction silences it"), "{text}");
        assert!(
            text.contains("\nWrong:\n\n    double sum(") && text.contains("\nRight:\n\n    double"),
            "{text}"
        );
        assert!(!text.contains("```"), "{text}");
    }

    #[test]
    fn every_id_can_be_explained() {
        for known in all() {
            let text = explain(&[known.name.as_ref()], false).expect("it is known");
            assert!(text.contains(known.meaning), "{text}");
        }
        assert_eq!(list().lines().count(), all().len());
    }
}
