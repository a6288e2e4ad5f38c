//! Numbers of instructions that a header promises.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Several goldens of a case, blessed at the same time, change one header.
static WRITING: Mutex<()> = Mutex::new(());

/// How many instructions of some names a golden has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// The case file.
    pub case: PathBuf,
    /// The line of its header, from 1.
    pub line: usize,
    /// The golden's suffix.
    pub suffix: String,
    /// Names and numbers, in the order of the header.
    pub expected: Vec<(String, usize)>,
}

/// Whether a line of code is an instruction of a name.
fn is_instruction(line: &str, name: &str) -> bool {
    let line = line.trim_start();
    let line = match line.strip_prefix('@') {
        Some(guarded) => guarded.split_once(' ').map_or("", |(_, rest)| rest),
        None => line,
    };
    line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', ' ', ';']))
}

impl Counts {
    /// Reads `SUFFIX`, and `NAME=NUMBER` separated by spaces.
    pub(crate) fn read(case: PathBuf, line: usize, suffix: &str, text: &str) -> Result<Counts, String> {
        let mut expected = Vec::new();
        for word in text.split_whitespace() {
            let read = word.split_once('=').and_then(|(name, number)| Some((name, number.parse().ok()?)));
            let (name, number) = read.ok_or_else(|| format!("`{word}` is not NAME=NUMBER"))?;
            expected.push((name.to_owned(), number));
        }
        if expected.is_empty() {
            return Err("the numbers of instructions are missing after the colon".into());
        }
        Ok(Counts { case, line, suffix: suffix.to_owned(), expected })
    }

    /// The numbers of a text.
    pub fn of(&self, text: &str) -> Vec<(String, usize)> {
        let count = |name: &str| text.lines().filter(|line| is_instruction(line, name)).count();
        self.expected.iter().map(|(name, _)| (name.clone(), count(name))).collect()
    }

    /// The mistakes in the numbers of a text; empty if they are right.
    pub fn complaint(&self, text: &str) -> Option<String> {
        let found = self.of(text);
        if found == self.expected {
            return None;
        }
        let wrong = self.expected.iter().zip(&found).filter(|(expected, found)| expected != found);
        let list: Vec<String> = wrong
            .map(|((name, expected), (_, found))| {
                format!("{found} of `{name}`, where {expected} are promised")
            })
            .collect();
        let (case, line) = (self.case.display(), self.line);
        Some(format!("{case}:{line}: the golden has {}", list.join("; ")))
    }

    /// Writes the numbers of a text into the header; whether that changed it.
    pub fn bless(&self, text: &str) -> io::Result<bool> {
        if self.complaint(text).is_none() {
            return Ok(false);
        }
        let _turn = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let source = fs::read_to_string(&self.case)?;
        let numbers: Vec<String> =
            self.of(text).iter().map(|(name, number)| format!("{name}={number}")).collect();
        let header = format!("//! count {}: {}", self.suffix, numbers.join(" "));
        let changed = source.split_inclusive('\n').enumerate().map(|(index, line)| {
            if index + 1 == self.line { header.clone() + "\n" } else { line.to_owned() }
        });
        fs::write(&self.case, changed.collect::<String>())?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> Result<Counts, String> {
        Counts::read("a.c".into(), 2, "ptx", text)
    }

    #[test]
    fn instructions_are_counted_by_name_behind_guards_too() {
        let text = "\tbar.sync 0;\n\t@%p1 bar.warp.sync 0xffffffff;\n\tbarrier.sync 1, 64;\n\tred.add [bar], 1;\n\tret;\n";
        let counts = counts("bar=2 bar.warp=1 red=1 ret=1 atom=0").unwrap();
        assert_eq!(counts.complaint(text), None);
    }

    #[test]
    fn a_wrong_number_is_named_with_its_place() {
        let complaint = counts("shfl=2 bar=0").unwrap().complaint("\tshfl.sync.down.b32 %r1;\n").unwrap();
        assert_eq!(complaint, "a.c:2: the golden has 1 of `shfl`, where 2 are promised");
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        assert!(counts("shfl=").is_err() && counts("shfl").is_err() && counts("").is_err());
    }

    #[test]
    fn blessing_corrects_the_header_only() {
        let case = tempfile::NamedTempFile::new().unwrap();
        let file = case.path();
        fs::write(file, "//! golden ptx: ptx\n//! count ptx: shfl=7\nint x;\n").unwrap();
        let counts = Counts::read(file.to_owned(), 2, "ptx", "shfl=7").unwrap();
        assert!(counts.bless("\tshfl.sync.b32 1;\n").unwrap());
        let text = fs::read_to_string(file).unwrap();
        assert_eq!(text, "//! golden ptx: ptx\n//! count ptx: shfl=1\nint x;\n");
    }
}
