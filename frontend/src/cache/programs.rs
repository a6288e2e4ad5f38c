//! Programs that were compiled up to their code: bytes that mean something to who keeps them.

use super::bytes::{Reader, Writer};
use super::store::{self, PROGRAMS};
use super::{Entry, Facts, compiler, current_folder, environment};
use std::path::Path;

/// What was kept of a program.
pub struct Program {
    file: Vec<u8>,
    /// Where in it the contents begin.
    start: usize,
}

impl Program {
    /// What [`keep`] was given.
    pub fn contents(&self) -> &[u8] {
        &self.file[self.start..]
    }
}

/// A key: this compiler, the environment as far as the front end asks it, and parts that the caller knows of,
/// the text of each source among them.
pub fn key<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Option<Vec<u8>> {
    let mut key = Writer::default();
    key.text(&compiler()?);
    environment(&mut key);
    current_folder(&mut key)?;
    parts.into_iter().for_each(|part| key.blob(part));
    Some(key.bytes)
}

/// The program of a key, if what was asked of the file system for it has the same answers now.
pub fn recall(folder: &Path, key: &[u8]) -> Option<Program> {
    let (file, start) = store::read(folder, &PROGRAMS, key)?;
    let mut input = Reader::new(&file[start..]);
    Facts::check(&mut input)?;
    let start = file.len() - input.rest().len();
    Some(Program { file, start })
}

/// Keeps a program, unless an answer of the file system may change unnoticed.
pub fn keep(folder: &Path, key: Vec<u8>, facts: &Facts, contents: &[u8]) {
    if !facts.are_settled() {
        return;
    }
    let mut out = Writer::default();
    facts.save(&mut out);
    out.bytes.extend_from_slice(contents);
    // Without a place to write to there is no cache.
    let _ = store::write(folder, &PROGRAMS, &Entry { key, contents: out });
}
