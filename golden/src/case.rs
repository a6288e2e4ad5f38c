//! Cases: what the header of a file asks for.

use crate::count::Counts;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One expected text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Golden {
    /// The golden file's name: the case's without extension, a dot, and the suffix of the header line.
    pub path: PathBuf,
    /// Arguments of the compiler.
    pub args: Vec<String>,
    /// Numbers of instructions that the text has.
    pub counts: Option<Counts>,
}

/// A source file with its goldens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// Its goldens, in the order of its header.
    pub goldens: Vec<Golden>,
}

/// A header that cannot be understood, or a folder that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// The file could not be read.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line of the header is none that the harness knows.
    #[error("{path}:{line}: {message}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

impl Case {
    /// Reads the header of a file. A file without one is no case: `None`.
    pub fn read(path: &Path) -> Result<Option<Case>, HeaderError> {
        let bytes = fs::read(path).map_err(|error| HeaderError::Io { path: path.into(), error })?;
        let text = String::from_utf8_lossy(&bytes);
        let mut goldens: Vec<Golden> = Vec::new();
        let mut reader = Opening::default();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let place = reader.place(line);
            let Some(option) = line.strip_prefix("//!").filter(|_| place != Place::Comment) else { continue };
            let line = index + 1;
            let failed = |message| HeaderError::Line { path: path.into(), line, message };
            if place == Place::Code {
                if is_header(option) {
                    return Err(failed("a header stands before the first line of code".into()));
                }
                continue;
            }
            match option.trim_start().strip_prefix("count ") {
                Some(count) => promise(path, line, count, &mut goldens).map_err(failed)?,
                None => goldens.push(golden(path, option).map_err(failed)?),
            }
        }
        Ok((!goldens.is_empty()).then(|| Case { path: path.into(), goldens }))
    }
}

/// Where a line of a source file stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Among the comments that open the file.
    Opening,
    /// Inside of a comment of several lines.
    Comment,
    /// At or behind the first line of code.
    Code,
}

/// Reads the comments that open a file, line by line.
#[derive(Default)]
struct Opening {
    in_comment: bool,
    is_over: bool,
}

impl Opening {
    /// Where the next line stands.
    fn place(&mut self, line: &str) -> Place {
        if self.is_over {
            return Place::Code;
        }
        let starts_in_comment = self.in_comment;
        let mut rest = line;
        loop {
            if self.in_comment {
                let Some((_, behind)) = rest.split_once("*/") else { break };
                (self.in_comment, rest) = (false, behind);
            }
            rest = rest.trim_start();
            if let Some(inner) = rest.strip_prefix("/*") {
                (self.in_comment, rest) = (true, inner);
            } else {
                self.is_over = !(rest.is_empty() || rest.starts_with("//"));
                break;
            }
        }
        match (starts_in_comment, self.is_over) {
            (true, false) => Place::Comment,
            (_, true) => Place::Code,
            (false, false) => Place::Opening,
        }
    }
}

/// Whether a line was meant for the harness, wherever it stands.
fn is_header(option: &str) -> bool {
    let option = option.trim_start();
    (option.starts_with("golden ") || option.starts_with("count ")) && option.contains(':')
}

/// Reads the promise of a `count` line into the golden that it is about, which stands above.
fn promise(path: &Path, line: usize, option: &str, goldens: &mut [Golden]) -> Result<(), String> {
    let (suffix, numbers) = option.split_once(':').ok_or("expected `count SUFFIX: NAME=NUMBER ...`")?;
    let suffix = suffix.trim();
    let golden = goldens.iter_mut().find(|golden| golden.path == path.with_extension(suffix));
    let golden = golden.ok_or_else(|| format!("no golden `{suffix}` stands above"))?;
    golden.counts = Some(Counts::read(path.into(), line, suffix, numbers)?);
    Ok(())
}

fn golden(path: &Path, option: &str) -> Result<Golden, String> {
    let (head, args) = option.split_once(':').ok_or("expected `golden SUFFIX: ARGUMENTS`")?;
    let suffix = match head.split_whitespace().collect::<Vec<_>>()[..] {
        ["golden", suffix] => suffix,
        _ => {
            return Err(format!(
                "unknown option `{}`: expected `golden SUFFIX: ARGUMENTS` or `count SUFFIX: NAME=NUMBER ...`",
                head.trim()
            ));
        }
    };
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut args: Vec<String> = args.split_whitespace().map(str::to_owned).collect();
    if args.is_empty() {
        return Err("the compiler's arguments are missing after the colon".into());
    }
    let mut named = false;
    for arg in args.iter_mut().filter(|arg| *arg == "{}") {
        arg.clone_from(&file);
        named = true;
    }
    if !named {
        args.push(file);
    }
    Ok(Golden { path: path.with_extension(suffix), args, counts: None })
}

/// All cases of a folder and the folders in it, by path; or the case in a file.
pub fn scan(folder: &Path) -> Result<Vec<Case>, HeaderError> {
    let mut cases = Vec::new();
    if folder.is_file() {
        cases.extend(Case::read(folder)?);
    } else {
        visit(folder, &mut cases)?;
    }
    cases.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(cases)
}

fn visit(folder: &Path, cases: &mut Vec<Case>) -> Result<(), HeaderError> {
    let failed = |error| HeaderError::Io { path: folder.into(), error };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            visit(&path, cases)?;
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "ir") {
            // A golden text in the IR's form starts with no header, so it is no case.
            cases.extend(Case::read(&path)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_line_names_a_file_and_arguments() {
        let golden = golden(Path::new("a/b.c"), " golden quads.ir: ir --stage reductions").unwrap();
        assert_eq!(golden.path, Path::new("a/b.quads.ir"));
        assert_eq!(golden.args, ["ir", "--stage", "reductions", "b.c"]);
    }

    #[test]
    fn a_header_may_stand_behind_other_comments() {
        let places = |text: &str| {
            let mut reader = Opening::default();
            text.lines().map(|line| reader.place(line)).collect::<Vec<_>>()
        };
        let (opening, comment, code) = (Place::Opening, Place::Comment, Place::Code);
        assert_eq!(places("// c\n\n//! golden\nint x;\n//! golden"), [opening, opening, opening, code, code]);
        assert_eq!(places("/* a\n//! golden\n*/ // b\n//! golden"), [opening, comment, comment, opening]);
        assert_eq!(places("/* a */ /* b\n*/ int x;\n//"), [opening, code, code]);
        assert_eq!(places("#include <stdio.h>\n//! golden"), [code, code]);
        assert!(is_header(" golden out: run") && is_header("count ptx: bar=1"));
        assert!(!is_header(" golden rules of C") && !is_header("brief: x"));
    }

    #[test]
    fn counts_belong_to_a_golden_above_them() {
        let mut goldens = [golden(Path::new("a.c"), " golden ptx: ptx").unwrap()];
        promise(Path::new("a.c"), 2, "ptx: shfl=5 bar=0", &mut goldens).unwrap();
        let counts = goldens[0].counts.as_ref().unwrap();
        assert_eq!(counts.expected, [("shfl".to_owned(), 5), ("bar".to_owned(), 0)]);
        assert!(promise(Path::new("a.c"), 2, "lock.ptx: shfl=5", &mut goldens).is_err());
    }

    #[test]
    fn braces_place_the_file() {
        let golden = golden(Path::new("b.c"), "golden out: run {} -- x").unwrap();
        assert_eq!(golden.args, ["run", "b.c", "--", "x"]);
    }

    #[test]
    fn misspelt_options_are_errors() {
        assert!(golden(Path::new("b.c"), " gloden out: run").unwrap_err().contains("gloden"));
        assert!(golden(Path::new("b.c"), " golden out:").is_err());
        assert!(golden(Path::new("b.c"), " golden out").is_err());
    }
}
