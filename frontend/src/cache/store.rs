//! The folder of the cache: reading a file that can be trusted, and writing one that others can.

use super::Entry;
use super::bytes::{Reader, Writer, checksum};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What files hold. Each kind has room of its own, so that one does not push out the other.
#[derive(Debug)]
pub struct Kind {
    /// What every file begins with; the number counts changes of the form.
    magic: [u8; 16],
    /// How the names of files end.
    extension: &'static str,
    /// The option `-f` that wants them, or not with `no-` in front of it.
    pub feature: &'static str,
    /// Says with the value 0 that there is to be none.
    variable: &'static str,
    /// Bytes of a file.
    largest: u64,
    /// Files, and bytes of all of them together.
    most: (usize, u64),
}

/// States of the preprocessor behind system headers.
pub static HEADERS: Kind = Kind {
    magic: *b"accrue-headers-1",
    extension: "headers",
    feature: "header-cache",
    variable: "ACCRUE_HEADER_CACHE",
    largest: 16 << 20,
    most: (100, 32 << 20),
};

/// Programs whose code is still to be made. One of 100,000 lines takes 7 MiB.
pub static PROGRAMS: Kind = Kind {
    magic: *b"accrue-program-1",
    extension: "program",
    feature: "program-cache",
    variable: "ACCRUE_PROGRAM_CACHE",
    largest: 32 << 20,
    most: (100, 64 << 20),
};

/// Bytes in front of the contents: [`Kind::magic`] and the checksum.
const HEAD: usize = 32;
/// How the names of files end that are being written.
const UNFINISHED: &str = "unfinished";
/// After so long, whoever was writing has given up.
const ABANDONED: Duration = Duration::from_secs(600);

/// Where the environment wants the cache; none if it says nothing, or that there is to be none for this kind
/// (`ACCRUE_HEADER_CACHE=0`).
pub fn folder(kind: &Kind) -> Option<PathBuf> {
    if std::env::var_os(kind.variable).is_some_and(|value| value == "0") {
        return None;
    }
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    Some(caches.join("accrue"))
}

/// Whether this user owns it, and nobody else can write it.
fn is_private(data: &Metadata) -> bool {
    // SAFETY: the call has no preconditions.
    data.uid() == unsafe { libc::geteuid() } && data.mode() & 0o022 == 0
}

fn path(folder: &Path, kind: &Kind, key: &[u8]) -> PathBuf {
    let [first, second] = checksum(key);
    folder.join(format!("{first:016x}{second:016x}.{}", kind.extension))
}

/// The file for a key, and where in it the contents begin; none if there is no file that can be trusted.
pub(crate) fn read(folder: &Path, kind: &Kind, key: &[u8]) -> Option<(Vec<u8>, usize)> {
    let is_folder = |data: &Metadata| data.is_dir() && is_private(data);
    fs::symlink_metadata(folder).ok().filter(is_folder)?;
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let mut file = OpenOptions::new().read(true).custom_flags(flags).open(path(folder, kind, key)).ok()?;
    let data = file.metadata().ok()?;
    if !data.is_file() || !is_private(&data) || data.len() > kind.largest {
        return None;
    }
    let mut bytes = Vec::with_capacity(data.len() as usize + 1);
    file.read_to_end(&mut bytes).ok()?;
    let (head, contents) = bytes.split_at_checked(HEAD)?;
    if *head != self::head(kind, contents) {
        return None;
    }
    let mut reader = Reader::new(contents);
    let is_meant = reader.blob()? == key;
    let start = bytes.len() - reader.rest().len();
    is_meant.then_some((bytes, start))
}

fn head(kind: &Kind, contents: &[u8]) -> [u8; HEAD] {
    let [first, second] = checksum(contents);
    let mut head = [0; HEAD];
    head[..16].copy_from_slice(&kind.magic);
    head[16..24].copy_from_slice(&first.to_le_bytes());
    head[24..].copy_from_slice(&second.to_le_bytes());
    head
}

/// Keeps an entry. If that is not possible, the next start is as slow as this one, which is nobody's error.
pub(crate) fn write(folder: &Path, kind: &Kind, entry: &Entry) -> Option<()> {
    let mut contents = Writer::default();
    contents.blob(&entry.key);
    contents.bytes.extend_from_slice(&entry.contents.bytes);
    if (contents.bytes.len() + HEAD) as u64 > kind.largest {
        return None;
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder).ok()?;
    fs::symlink_metadata(folder).ok().filter(|data| data.is_dir() && is_private(data))?;
    make_room(folder, kind, contents.bytes.len() as u64);
    let path = path(folder, kind, &entry.key);
    // Readers see all of it or nothing, and several writers do not disturb each other.
    let unfinished = path.with_extension(format!("{}.{UNFINISHED}", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished).ok()?;
    let written = write_to(file, &head(kind, &contents.bytes), &contents.bytes)
        .and_then(|()| fs::rename(&unfinished, &path));
    if written.is_err() {
        // It may be gone already.
        let _ = fs::remove_file(&unfinished);
    }
    written.ok()
}

fn write_to(mut file: File, head: &[u8], contents: &[u8]) -> std::io::Result<()> {
    file.write_all(head)?;
    file.write_all(contents)
}

/// Removes the files of a kind that were written first, until there is room for another one of `length`
/// bytes.
fn make_room(folder: &Path, kind: &Kind, length: u64) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let now = SystemTime::now();
    let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(data) = entry.metadata() else { continue };
        let Ok(changed) = data.modified() else { continue };
        match path.extension().and_then(OsStr::to_str) {
            Some(extension) if extension == kind.extension => files.push((changed, data.len(), path)),
            Some(UNFINISHED) if now.duration_since(changed).is_ok_and(|age| age > ABANDONED) => {
                // Somebody else may have removed it.
                let _ = fs::remove_file(&path);
            }
            _ => {}
        }
    }
    files.sort();
    let mut bytes = files.iter().map(|&(_, length, _)| length).sum::<u64>() + length;
    let mut count = files.len() + 1;
    for (_, length, path) in files {
        if count <= kind.most.0 && bytes <= kind.most.1 {
            break;
        }
        // Somebody else may have removed it.
        let _ = fs::remove_file(path);
        (count, bytes) = (count - 1, bytes - length);
    }
}
