//! The options of a case, read from the line comments that open its file.

use crate::common::Message;
use std::path::{Path, PathBuf};

/// One C program and what is expected of it. A line `// word: value` of the opening comment is an option:
///
/// | option | meaning |
/// | --- | --- |
/// | `args` | arguments of the program |
/// | `options` | options of the compiler; `NAME=VALUE` sets a variable of the environment |
/// | `also` | run once more with these options too; may stand several times |
/// | `sources` | further sources, relative to the file's folder |
/// | `status` | exit status, 0 if not given |
/// | `expect-error`, `expect-warning` | `ID at LINE`: the case is only diagnosed, and must give exactly these |
/// | `expect-text` | occurs in the text of the diagnostics |
///
/// Any other word before a colon and a blank is an error.
#[derive(Debug)]
pub struct Case {
    /// The file itself and the further sources.
    pub sources: Vec<PathBuf>,
    /// Options of the compiler.
    pub options: Vec<String>,
    /// Options of further runs.
    pub also: Vec<Vec<String>>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Expected exit status.
    pub status: i32,
    /// File with the expected output.
    pub expected: PathBuf,
    /// Expected diagnostics.
    pub diagnostics: Vec<Message>,
    /// Texts that the diagnostics contain.
    pub hints: Vec<String>,
}

impl Case {
    /// Reads the header of a C file.
    pub fn read(path: &Path) -> Result<Case, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Case::parse(path, &text)
    }

    /// Reads the header in the text of a C file.
    pub fn parse(path: &Path, text: &str) -> Result<Case, String> {
        let mut case = Case {
            sources: vec![path.to_owned()],
            options: Vec::new(),
            also: Vec::new(),
            args: Vec::new(),
            status: 0,
            expected: path.with_extension("out"),
            diagnostics: Vec::new(),
            hints: Vec::new(),
        };
        for (number, line) in text.lines().enumerate() {
            let Some(comment) = line.strip_prefix("//") else { break };
            if let Some((word, value)) = option(comment) {
                case.set(word, value)
                    .map_err(|problem| format!("{}:{}: {problem}", path.display(), number + 1))?;
            }
        }
        Ok(case)
    }

    fn set(&mut self, word: &str, value: &str) -> Result<(), String> {
        let words = || value.split_whitespace().map(str::to_owned);
        match word {
            "args" => self.args.extend(words()),
            "options" => self.options.extend(words()),
            "also" => self.also.push(words().collect()),
            "sources" => {
                let folder = self.sources[0].parent().unwrap_or(Path::new("")).to_owned();
                self.sources.extend(words().map(|name| folder.join(name)));
            }
            "status" => self.status = value.parse().map_err(|_| format!("status {value:?} is no number"))?,
            "expect-error" => self.diagnostics.push(message("error", value)?),
            "expect-warning" => self.diagnostics.push(message("warning", value)?),
            "expect-text" => self.hints.push(value.to_owned()),
            _ => return Err(format!("unknown option {word:?}")),
        }
        Ok(())
    }
}

/// Splits `word: value`; other comments are prose.
fn option(comment: &str) -> Option<(&str, &str)> {
    let (word, value) = comment.trim_start().split_once(": ")?;
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    is_word.then(|| (word, value.trim()))
}

fn message(severity: &str, value: &str) -> Result<Message, String> {
    let told = || format!("{value:?} is not `ID at LINE`");
    let (id, line) = value.split_once(" at ").ok_or_else(told)?;
    Ok(Message {
        severity: severity.to_owned(),
        id: id.trim().to_owned(),
        line: line.trim().parse().map_err(|_| told())?,
    })
}
