//! The cache: what is kept from one start of the compiler to the next. Whole programs, up to where their code
//! is made ([`programs`]), and of programs that are not kept, or have changed, the headers: what the
//! preprocessor has after the `#include <...>` lines that they begin with.
//!
//! Most of what a short program takes to compile is its system headers: thousands of lines to preprocess,
//! parse and analyse, of which the program names a handful. A file of the cache holds the state behind the
//! leading run of such lines ([`crate::pp`] finds it and takes the state): spellings, macros, where text came
//! from, and the tokens, divided into declarations ([`skim`]). Whoever starts with the same run, options and
//! headers reads one file instead, and hands the parser only the declarations that the program's own tokens
//! name, and those that these name in turn.
//!
//! What keeps it right:
//! - The name of a file is a hash of everything that decides about the state: the compiler itself, the
//!   options, the environment's search paths, the text of the run. The file holds these, too, and they are
//!   compared.
//! - With it stands what was asked of the file system and answered: each header with its identity, size and
//!   times, each place where one was looked for in vain, each folder that was listed. All of it is asked
//!   again.
//! - A state is kept only of a program that was compiled without an error, and whose run gave no diagnostic
//!   and read nothing but system headers. A program with a diagnostic of any kind is compiled again without
//!   the cache: what is told, a suggestion of a similar name for instance, does not depend on it.
//! - A file is ignored unless this user owns it and nobody else can write it, or the folder, and unless its
//!   checksum is right ([`store`]). Reading one that is wrong all the same gives nothing or a panic, never
//!   memory that is not its own.

pub(crate) mod bytes;
mod programs;
pub(crate) mod skim;
pub(crate) mod store;
pub(crate) mod tokens;

pub use programs::{Program, keep, key, recall};
pub use store::{HEADERS, Kind, PROGRAMS, folder};

use bytes::{Reader, Writer};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{SystemTime, UNIX_EPOCH};

/// What the file system says of a file: if it is the same, so is the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    /// Device and inode.
    pub(crate) file: (u64, u64),
    size: u64,
    /// When the contents, and when anything about the file changed: seconds and nanoseconds. Programs can set
    /// the first, but not the second.
    times: [i64; 4],
}

impl Stamp {
    /// Of a file or folder.
    pub(crate) fn new(data: &Metadata) -> Self {
        let times = [data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec()];
        Stamp { file: (data.dev(), data.ino()), size: data.size(), times }
    }

    /// Whether another change could have the same times: it was changed just now, or in the future.
    fn is_fresh(&self, now: i64) -> bool {
        const SECONDS: i64 = 2;
        self.times[0].max(self.times[2]) > now - SECONDS
    }
}

/// This build of the compiler: another one is another file.
pub(crate) fn compiler() -> Option<String> {
    Some(format!("{:?}", Stamp::new(&std::fs::metadata("/proc/self/exe").ok()?)))
}

/// Writes what the environment says of where headers are. Whether it says anything.
pub(crate) fn environment(key: &mut Writer) -> bool {
    let mut any = false;
    for name in ["CPATH", "C_INCLUDE_PATH"] {
        let value = std::env::var_os(name).unwrap_or_default();
        any |= !value.is_empty();
        key.blob(value.as_encoded_bytes());
    }
    any
}

/// Writes which folder names may be relative to.
pub(crate) fn current_folder(key: &mut Writer) -> Option<()> {
    key.blob(std::env::current_dir().ok()?.as_os_str().as_encoded_bytes());
    Some(())
}

/// A question to the file system, with the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// There was nothing of this name.
    Absent,
    /// Text, or a folder that was listed.
    Contents(Stamp),
    /// A folder, of which it matters only which one it is.
    Folder(u64, u64),
}

/// All that was asked of the file system for a program, in order.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    list: Vec<(String, Fact)>,
    /// An answer is none of these: nothing is kept.
    pub(crate) unsure: bool,
}

impl Facts {
    /// Notes an answer.
    pub(crate) fn note(&mut self, path: &str, fact: Fact) {
        self.list.push((path.to_owned(), fact));
    }

    /// Adds what was asked for another file of a program.
    pub fn extend(&mut self, others: Facts) {
        self.list.extend(others.list);
        self.unsure |= others.unsure;
    }

    /// Whether the answers, asked for again later, tell that something has changed since.
    pub(crate) fn are_settled(&self) -> bool {
        let Ok(now) = SystemTime::now().duration_since(UNIX_EPOCH) else { return false };
        let is_fresh =
            |fact: &Fact| matches!(fact, Fact::Contents(stamp) if stamp.is_fresh(now.as_secs() as i64));
        !self.unsure && !self.list.iter().any(|(_, fact)| is_fresh(fact))
    }

    pub(crate) fn save(&self, out: &mut Writer) {
        out.number(self.list.len() as u32);
        for (path, fact) in &self.list {
            out.text(path);
            match fact {
                Fact::Absent => out.number(0),
                Fact::Contents(stamp) => {
                    out.number(1);
                    [stamp.file.0, stamp.file.1, stamp.size].iter().for_each(|&word| out.wide(word));
                    stamp.times.iter().for_each(|&word| out.wide(word as u64));
                }
                Fact::Folder(device, inode) => {
                    out.number(2);
                    out.wide(*device);
                    out.wide(*inode);
                }
            }
        }
    }

    /// Reads what was saved, and asks again; none if an answer differs.
    pub(crate) fn check(input: &mut Reader<'_>) -> Option<Facts> {
        let mut facts = Facts::default();
        for _ in 0..input.number()? {
            let path = input.text()?;
            let data = std::fs::metadata(if path.is_empty() { "." } else { path });
            let fact = match input.number()? {
                0 => Fact::Absent,
                1 => {
                    let (file, size) = ((input.wide()?, input.wide()?), input.wide()?);
                    let mut time = || input.wide().map(|word| word as i64);
                    let times = [time()?, time()?, time()?, time()?];
                    Fact::Contents(Stamp { file, size, times })
                }
                2 => Fact::Folder(input.wide()?, input.wide()?),
                _ => return None,
            };
            let holds = match (&fact, data) {
                (Fact::Absent, Err(_)) => true,
                (Fact::Contents(stamp), Ok(data)) => *stamp == Stamp::new(&data),
                (Fact::Folder(device, inode), Ok(data)) => (*device, *inode) == (data.dev(), data.ino()),
                (Fact::Absent, Ok(_)) | (Fact::Contents(_) | Fact::Folder(..), Err(_)) => false,
            };
            if !holds {
                return None;
            }
            facts.note(path, fact);
        }
        Some(facts)
    }
}

/// A state that is to be kept if the program turns out to be right.
pub(crate) struct Entry {
    pub(crate) key: Vec<u8>,
    pub(crate) contents: Writer,
}
