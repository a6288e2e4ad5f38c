//! Where headers are: the search path, the files on disk, and what is remembered about them.

use crate::cache::bytes::{Reader, Writer};
use crate::cache::{Fact, Facts, Stamp};
use crate::intern::Symbol;
use crate::options::Options;
use crate::source::Loc;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of one file.
const MAX_FILE: u64 = 1 << 30;

/// One place of the search path.
pub(super) struct Directory {
    /// With a separator at the end; none for the headers that accrue ships.
    pub(super) path: Option<String>,
    pub(super) system: bool,
    /// What is in it, if that is known: most headers are in the last directory, and asking the system for
    /// each of them in each directory before takes longer than lexing them.
    pub(super) entries: Option<FxHashSet<String>>,
}

impl Directory {
    fn new(path: &Path, system: bool) -> Self {
        Directory { path: Some(with_separator(path)), system, entries: None }
    }

    /// With its entries, unless there are many.
    fn listed(path: &Path, facts: &mut Facts) -> Self {
        const MANY: usize = 200;
        // Before it is read: what changes meanwhile is seen the next time.
        let stamp = std::fs::metadata(path).ok().map(|data| Stamp::new(&data));
        facts.note(&path.to_string_lossy(), stamp.map_or(Fact::Absent, Fact::Contents));
        let names = std::fs::read_dir(path).ok().map(|entries| {
            let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
            names.take(MANY + 1).collect::<FxHashSet<String>>()
        });
        Directory { entries: names.filter(|names| names.len() <= MANY), ..Directory::new(path, true) }
    }

    /// Whether a header may be in it.
    pub(super) fn may_have(&self, name: &str) -> bool {
        let first = name.split('/').next().unwrap_or(name);
        // `.` and `..` are in no listing.
        first.starts_with('.') || self.entries.as_ref().is_none_or(|entries| entries.contains(first))
    }
}

/// A file on disk, however it was reached: device and inode, or the number of a shipped header.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum FileKey {
    Disk(u64, u64),
    Shipped(usize),
}

impl FileKey {
    /// Of a file on disk.
    pub(super) fn of(stamp: Stamp) -> FileKey {
        let (device, inode) = stamp.file;
        FileKey::Disk(device, inode)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        let (kind, first, second) = match *self {
            FileKey::Disk(device, inode) => (0, device, inode),
            FileKey::Shipped(index) => (1, index as u64, 0),
        };
        out.number(kind);
        out.wide(first);
        out.wide(second);
    }

    pub(super) fn load(input: &mut Reader<'_>) -> Option<FileKey> {
        let (kind, first, second) = (input.number()?, input.wide()?, input.wide()?);
        Some(if kind == 0 { FileKey::Disk(first, second) } else { FileKey::Shipped(first as usize) })
    }
}

/// What was read before.
#[derive(Default)]
pub(super) struct Files {
    /// By name: which file it is and its text.
    pub(super) known: FxHashMap<String, (FileKey, Arc<[u8]>)>,
    /// Files that need not be read again once the macro is defined.
    pub(super) guards: FxHashMap<FileKey, Symbol>,
    /// Files with `#pragma once`, and those that `#import` read.
    pub(super) once: FxHashSet<FileKey>,
    /// What the file system was asked.
    pub(super) facts: Facts,
    /// An `#include` whose line is still to be read to its end.
    pub(super) pending: Option<Found>,
}

/// A file that was found.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) key: FileKey,
    pub(super) text: Arc<[u8]>,
    pub(super) found_in: Option<usize>,
    pub(super) system: bool,
    pub(super) from: Loc,
}

/// Why there is no text.
pub(super) enum Problem {
    NotFound,
    Unreadable(String),
}

fn with_separator(path: &Path) -> String {
    let mut text = path.to_string_lossy().into_owned();
    if !text.is_empty() && !text.ends_with('/') {
        text.push('/');
    }
    text
}

/// The directories to search.
pub(super) struct SearchPath {
    pub(super) directories: Vec<Directory>,
    /// Where the search for `<...>` starts.
    pub(super) bracket_start: usize,
}

impl SearchPath {
    /// What the options, the environment and the system say.
    pub(super) fn new(options: &Options, facts: &mut Facts) -> SearchPath {
        let (directories, bracket_start) = search_path(options, facts);
        SearchPath { directories, bracket_start }
    }
}

fn search_path(options: &Options, facts: &mut Facts) -> (Vec<Directory>, usize) {
    let user = |path: &PathBuf| Directory::new(path, false);
    let system = |path: &PathBuf| Directory::new(path, true);
    let from_environment = |name: &str| -> Vec<PathBuf> {
        std::env::var_os(name)
            .map(|value| std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()).collect())
            .unwrap_or_default()
    };
    let mut list: Vec<Directory> = options.quote_dirs.iter().map(user).collect();
    let bracket_start = list.len();
    list.extend(options.include_dirs.iter().map(user));
    list.extend(from_environment("CPATH").iter().map(user));
    list.extend(options.system_dirs.iter().map(system));
    list.extend(from_environment("C_INCLUDE_PATH").iter().map(system));
    list.push(Directory { path: None, system: true, entries: None });
    if options.default_dirs {
        let [library, target, general] =
            ["/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"].map(Path::new);
        let listed = [library, target].map(|path| Directory::listed(path, facts));
        list.extend(listed);
        list.push(Directory::new(general, true));
    }
    (without_repeats(list, bracket_start, facts), bracket_start)
}

/// `-I` of a directory that is searched as a system directory anyway changes nothing; of directories named
/// twice, the first counts. Otherwise `#include_next` would find the same file again.
fn without_repeats(list: Vec<Directory>, bracket_start: usize, facts: &mut Facts) -> Vec<Directory> {
    let mut identity = |directory: &Directory| {
        let path = directory.path.as_ref()?;
        let data = std::fs::metadata(if path.is_empty() { "." } else { path }).ok();
        let identity = data.map(|data| (data.dev(), data.ino()));
        facts.note(path, identity.map_or(Fact::Absent, |(device, inode)| Fact::Folder(device, inode)));
        identity
    };
    let ids: Vec<_> = list.iter().map(&mut identity).collect();
    let is_repeated = |index: usize| {
        let same = |other: usize| ids[other].is_some() && ids[other] == ids[index];
        let earlier =
            (bracket_start..index).any(|other| same(other) && list[other].system == list[index].system);
        let system = !list[index].system && (0..list.len()).any(|other| same(other) && list[other].system);
        index >= bracket_start && (earlier || system)
    };
    let repeated: Vec<bool> = (0..list.len()).map(is_repeated).collect();
    let missing = |index: usize| list[index].path.is_some() && ids[index].is_none() && index >= bracket_start;
    let dropped: Vec<bool> = (0..list.len()).map(|index| repeated[index] || missing(index)).collect();
    list.into_iter().zip(dropped).filter(|(_, dropped)| !dropped).map(|(directory, _)| directory).collect()
}

/// What the system says of a file, and all of its text, with the zero byte the lexer wants behind it.
pub(super) fn read(path: &Path, regular_only: bool) -> Result<(Stamp, Arc<[u8]>), Problem> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Problem::NotFound,
        _ => Problem::Unreadable(error.to_string()),
    };
    let mut open = OpenOptions::new();
    if regular_only {
        // To open a pipe that nobody writes to would wait for ever. Of regular files the flag says nothing.
        open.custom_flags(libc::O_NONBLOCK);
    }
    let mut file = open.read(true).open(path).map_err(unreadable)?;
    let data = file.metadata().map_err(unreadable)?;
    if data.is_dir() {
        return Err(Problem::Unreadable("it is a directory".to_owned()));
    }
    if regular_only && !data.is_file() {
        return Err(Problem::Unreadable("it is not a regular file".to_owned()));
    }
    let text = match data.len() {
        // Files of the system that are made as they are read have no length, either.
        length if data.is_file() && length > 0 => read_known(&mut file, length.min(MAX_FILE) as usize),
        _ => read_unknown(file),
    };
    let text = text.map_err(unreadable)?;
    if text.len() as u64 > MAX_FILE {
        return Err(Problem::Unreadable("it is too large".to_owned()));
    }
    Ok((Stamp::new(&data), text))
}

/// The first `length` bytes of a file and a zero byte; most headers take one request to the system. A file
/// that has become shorter meanwhile ends where it does.
fn read_known(file: &mut File, length: usize) -> std::io::Result<Arc<[u8]>> {
    let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, length + 1).collect();
    let mut filled = 0;
    if let Some(room) = Arc::get_mut(&mut bytes) {
        while filled < length {
            match file.read(&mut room[filled..length]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(if filled == length { bytes } else { bytes[..filled].iter().copied().chain([0]).collect() })
}

/// All of a file whose length the system does not know, as of a pipe, and a zero byte.
fn read_unknown(file: File) -> std::io::Result<Arc<[u8]>> {
    let mut text = Vec::new();
    file.take(MAX_FILE).read_to_end(&mut text)?;
    text.push(0);
    Ok(text.into())
}
