//! Loops and accesses as the compiler names them, in the text that the pass `trace` leaves in the program.
//!
//! Each line is an entry; entries of a kind are numbered from 0 on. OPERATOR is that of a statement which
//! accumulates onto the object, or `.`.
//!
//! ```text
//! file NAME
//! loop FILE LINE COLUMN parallel|sequential counted|tested FUNCTION
//! at FILE LINE COLUMN read|write|atomic-read|atomic-write|use|set OPERATOR NAME
//! ```

use super::shadow::MOST_SITES;
use crate::fatal::fatal;
use crate::finding::Place;
use std::ffi::{CStr, c_char};
use std::sync::OnceLock;

static TABLE: OnceLock<Table> = OnceLock::new();

/// What the program says of its loops and accesses.
#[derive(Debug, Default)]
pub(crate) struct Table {
    files: Vec<String>,
    /// Loops.
    pub(super) loops: Vec<Loop>,
    /// Accesses.
    pub(crate) sites: Vec<Site>,
}

/// A loop.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// Where it is.
    pub(super) place: Place,
    /// Called parallel by the compiler or the programmer.
    pub(super) is_parallel: bool,
    /// Iterations that must begin for two to be whole, less one: the last of a loop that is no counted one
    /// may be no more than a test.
    pub(super) second: u64,
    /// The function it stands in.
    pub(super) function: String,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
    /// Reads memory atomically.
    AtomicRead,
    /// Writes memory atomically.
    AtomicWrite,
    /// Reads a scalar that is not in memory.
    Use,
    /// Writes a scalar that is not in memory.
    Set,
}

impl Kind {
    /// Whether it writes.
    pub(crate) fn writes(self) -> bool {
        matches!(self, Kind::Write | Kind::AtomicWrite | Kind::Set)
    }

    /// Whether it is an access of a scalar that every thread has for itself.
    pub(super) fn is_of_scalar(self) -> bool {
        matches!(self, Kind::Use | Kind::Set)
    }
}

/// An access in the program.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// Where it is.
    pub(crate) place: Place,
    /// What it does.
    pub(crate) kind: Kind,
    /// The operator by which the statement that it belongs to accumulates onto the object.
    pub(super) accumulates: Option<String>,
    /// The variable; empty if it is not known.
    pub(crate) name: String,
}

/// Reads the program's table, the first time.
///
/// # Safety
/// `text` is a C string that lives as long as the program.
pub(crate) unsafe fn load(text: *const c_char) {
    TABLE.get_or_init(|| {
        // SAFETY: the caller's promise.
        let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        let table =
            Table::parse(&text).unwrap_or_else(|line| fatal(format_args!("no entry of a table: {line}")));
        if table.sites.len() > MOST_SITES {
            let count = table.sites.len();
            fatal(format_args!("check: the program has {count} accesses; {MOST_SITES} can be told apart"));
        }
        table
    });
}

/// The program's table; none before a loop has run.
pub(crate) fn get() -> Option<&'static Table> {
    TABLE.get()
}

impl Table {
    /// Reads the text; the error is a line that is no entry.
    fn parse(text: &str) -> Result<Table, String> {
        let mut table = Table::default();
        text.lines().try_for_each(|line| table.entry(line).ok_or_else(|| line.to_owned()))?;
        Ok(table)
    }

    fn entry(&mut self, line: &str) -> Option<()> {
        let (what, rest) = line.split_once(' ')?;
        if what == "file" {
            self.files.push(rest.to_owned());
            return Some(());
        }
        let mut words = rest.splitn(6, ' ');
        let mut number = || words.next()?.parse::<u32>().ok();
        let [file, line, column] = [number()?, number()?, number()?];
        let place = Place { file: self.files.get(file as usize)?.clone(), line, column };
        let [first, second, name] = [words.next()?, words.next()?, words.next()?];
        match what {
            "loop" => self.loops.push(Loop {
                place,
                is_parallel: flag(first, ["sequential", "parallel"])?,
                second: if flag(second, ["counted", "tested"])? { 2 } else { 1 },
                function: name.to_owned(),
            }),
            "at" => {
                let kind = match first {
                    "read" => Kind::Read,
                    "write" => Kind::Write,
                    "atomic-read" => Kind::AtomicRead,
                    "atomic-write" => Kind::AtomicWrite,
                    "use" => Kind::Use,
                    "set" => Kind::Set,
                    _ => return None,
                };
                let accumulates = (second != ".").then(|| second.to_owned());
                self.sites.push(Site { place, kind, accumulates, name: name.to_owned() });
            }
            _ => return None,
        }
        Some(())
    }
}

/// Which of two words stands there.
fn flag(word: &str, [no, yes]: [&str; 2]) -> Option<bool> {
    if word == yes { Some(true) } else { (word == no).then_some(false) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_lines_of_text() {
        let text = "file a folder/x.c\nloop 0 3 5 parallel counted f\nloop 0 9 1 sequential tested g\n\
                    at 0 4 9 atomic-write + a\nat 0 4 11 use . \n";
        let table = Table::parse(text).expect("a table");
        assert_eq!(table.loops[0].place.to_string(), "a folder/x.c:3:5");
        let loops = table.loops.iter().map(|data| (data.is_parallel, data.second, &*data.function));
        assert_eq!(loops.collect::<Vec<_>>(), [(true, 1, "f"), (false, 2, "g")]);
        let sites = table.sites.iter().map(|site| (site.kind, site.accumulates.as_deref(), &*site.name));
        assert_eq!(sites.collect::<Vec<_>>(), [(Kind::AtomicWrite, Some("+"), "a"), (Kind::Use, None, "")]);
        let wrong =
            ["file", "loop 0 1 1 parallel counted", "file f\nat 1 1 1 read . a", "at 0 1 1 looks . a"];
        assert!(wrong.into_iter().all(|text| Table::parse(text).is_err()));
    }
}
