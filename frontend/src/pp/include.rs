//! `#include`: which file is meant, and how it is opened and closed.

use super::Input;
use super::search::{FileKey, Found, Problem, SearchPath, read};
use super::state::{Guard, OpenFile, Preprocessor};
use crate::cache::Fact;
use crate::diag::{Diagnostic, ids};
use crate::headers;
use crate::intern::names;
use crate::lex::{Context, Lexer};
use crate::session::Session;
use crate::source::{Loc, ReadingId, Span};
use crate::token::{Punct, Token, TokenKind};
use std::path::Path;
use std::sync::Arc;

/// Files that include each other: so deep and no deeper.
const MAX_DEPTH: usize = 200;

/// The text of the main file.
pub(super) struct Main {
    pub(super) name: String,
    /// With a zero byte behind it.
    pub(super) text: Arc<[u8]>,
    pub(super) key: Option<FileKey>,
}

impl Main {
    /// Reads it; what is wrong if that fails.
    pub(super) fn read(input: &Input) -> Result<Main, String> {
        match input {
            Input::Memory { name, text } => {
                let text = text.iter().copied().chain([0]).collect::<Vec<u8>>().into();
                Ok(Main { name: name.clone(), text, key: None })
            }
            Input::Path(path) => {
                let name = path.to_string_lossy().into_owned();
                match read(path, false) {
                    Ok((stamp, text)) => Ok(Main { name, text, key: Some(FileKey::of(stamp)) }),
                    Err(Problem::NotFound) => Err(format!("cannot read `{name}`: no such file")),
                    Err(Problem::Unreadable(reason)) => Err(format!("cannot read `{name}`: {reason}")),
                }
            }
        }
    }
}

impl Preprocessor<'_> {
    /// Opens the main file, or tells why there is none.
    pub(super) fn open_main(&mut self, main: &Result<Main, String>) {
        if self.stopped {
            return;
        }
        let main = match main {
            Ok(main) => main,
            Err(message) => {
                self.stop(ids::CANNOT_READ, Loc::default(), message.clone());
                return;
            }
        };
        let folder = folder_of(&main.name).to_owned();
        self.base_file = self.session.sources.file(&main.name);
        let from = None;
        self.open_text(&main.name, folder, Arc::clone(&main.text), from, false);
        if let Some(file) = self.open.last_mut() {
            file.key = main.key;
            let reading = file.reading;
            self.note_end(reading);
        }
    }

    /// Remembers where the main file ends.
    pub(super) fn note_end(&mut self, main: ReadingId) {
        let start = self.session.sources.start(main);
        self.end = Some(Loc(start.0 + self.session.sources.text(main).len() as u32));
    }

    /// Opens a text on top of the open texts.
    pub(super) fn open_text(
        &mut self,
        name: &str,
        folder: String,
        text: Arc<[u8]>,
        from: Option<Loc>,
        system: bool,
    ) {
        let file = self.session.sources.file(name);
        let Some(reading) = self.session.sources.add(file, text.clone(), from, system) else {
            let loc = from.unwrap_or_default();
            self.stop(
                ids::TOO_MUCH_SOURCE,
                loc,
                "the files of this translation unit are too large or too many together",
            );
            return;
        };
        let start = self.session.sources.start(reading);
        let lexer = Lexer::new(text, start, system, &self.dialect);
        self.outer.push(std::mem::replace(&mut self.lexer, lexer));
        self.open.push(OpenFile {
            reading,
            name: file,
            folder,
            found_in: None,
            conditionals: Vec::new(),
            guard: Guard::Start,
            key: None,
        });
        self.watch_guard = true;
    }

    /// Closes the text that has come to its end; false if it was the outermost one.
    pub(super) fn close_file(&mut self) -> bool {
        self.check_conditionals();
        let Some(file) = self.open.pop() else { return false };
        if let (Guard::After(name), Some(key)) = (file.guard, file.key) {
            self.files.guards.insert(key, name);
        }
        if let Some(lexer) = self.outer.pop() {
            self.lexer = lexer;
        }
        // The `#include` was a directive of the outer file: whatever guard that has was decided before.
        self.watch_guard =
            self.open.last().is_some_and(|file| matches!(file.guard, Guard::Start | Guard::After(_)));
        !self.open.is_empty()
    }

    /// `#include`, `#include_next`, `#import`, behind the name.
    pub(super) fn include_directive(&mut self, directive: Token) {
        let text = self.text(directive.sym).to_owned();
        let Some((name, loc)) = self.header_argument(&text) else { return };
        if name.len() <= 2 {
            self.error(ids::INCLUDE, loc, format!("empty file name in #{text}"));
            return;
        }
        let next = directive.sym == names::INCLUDE_NEXT;
        match self.find(&name, next) {
            Ok(mut found) => {
                found.from = loc;
                self.include(found, loc, directive.sym == names::IMPORT);
            }
            Err(problem) => {
                let bare = &name[1..name.len() - 1];
                let message = match problem {
                    Problem::NotFound => format!("cannot find the header `{bare}`"),
                    Problem::Unreadable(reason) => format!("cannot read the header `{bare}`: {reason}"),
                };
                let mut error = Diagnostic::error(ids::INCLUDE, Span::at(loc), message);
                if bare.ends_with("intrin.h") {
                    error = error.note(headers::NO_INTRINSICS);
                }
                self.report(error);
                self.stopped = true;
            }
        }
    }

    /// The name of the header with its delimiters, after macro expansion if it needs one.
    fn header_argument(&mut self, directive: &str) -> Option<(String, Loc)> {
        let (name, loc, is_written) = self.header_name_argument(directive)?;
        if is_written {
            self.expect_end(directive);
        }
        Some((name, loc))
    }

    /// The name of the header, of a directive whose line goes on behind it, and whether it is written there.
    pub(super) fn header_name_argument(&mut self, directive: &str) -> Option<(String, Loc, bool)> {
        let Session { interner, sink, .. } = &mut *self.session;
        let mut cx = Context { interner, sink, dialect: &self.dialect };
        if let Some((name, loc)) = self.lexer.header_name(&mut cx) {
            return Some((name, loc, true));
        }
        let first = self.next_expanded();
        let name = self.header_from_tokens(first, |pp| pp.next_expanded());
        if name.is_none() && !self.stopped {
            let message = format!("#{directive} expects \"FILE\" or <FILE>");
            self.error(ids::INCLUDE, first.loc, message);
        }
        Some((name?, first.loc, false))
    }

    /// A header name made of tokens, the first of which was read (C11 6.10.2p4).
    fn header_from_tokens(
        &mut self,
        first: Token,
        mut next: impl FnMut(&mut Self) -> Token,
    ) -> Option<String> {
        match first.kind {
            TokenKind::String => {
                let text = self.text(first.sym);
                text.starts_with('"').then(|| text.to_owned())
            }
            TokenKind::Punct(Punct::Lt) => {
                let mut name = String::from("<");
                loop {
                    let token = next(self);
                    if Self::is_end(token) {
                        return None;
                    }
                    if token.flags & Token::SPACE_BEFORE != 0 {
                        name.push(' ');
                    }
                    name.push_str(self.spelling(token));
                    if Self::is_punct(token, Punct::Gt) {
                        return Some(name);
                    }
                }
            }
            _ => None,
        }
    }

    pub(super) fn find(&mut self, name: &str, next: bool) -> Result<Found, Problem> {
        let bare = &name[1..name.len() - 1];
        let quoted = name.starts_with('"');
        if bare.starts_with('/') {
            return self.load(String::new(), bare, None, false);
        }
        let file = self.open.last();
        let is_system = self.lexer.is_system();
        let (options, facts) = (&self.session.options, &mut self.files.facts);
        let search = self.search.get_or_insert_with(|| SearchPath::new(options, facts));
        let (bracket_start, directories) = (search.bracket_start, search.directories.len());
        let found_in = file.and_then(|file| file.found_in);
        let start = match found_in {
            Some(index) if next => index + 1,
            _ if quoted => 0,
            _ => bracket_start,
        };
        // A problem with a file that exists is better told than "not found", but a later directory may still
        // have it.
        let mut problem = Problem::NotFound;
        if quoted && !next {
            let folder = file.map(|file| file.folder.clone()).unwrap_or_default();
            if folder == headers::FOLDER {
                if let Some(found) = self.load_shipped(bare, None) {
                    return Ok(found);
                }
            } else {
                match self.load(folder, bare, found_in, is_system) {
                    Ok(found) => return Ok(found),
                    Err(Problem::NotFound) => {}
                    Err(other) => problem = other,
                }
            }
        }
        for index in start..directories {
            let Some(directory) = self.search.as_ref().map(|search| &search.directories[index]) else {
                break;
            };
            match &directory.path {
                None => {
                    if let Some(found) = self.load_shipped(bare, Some(index)) {
                        return Ok(found);
                    }
                }
                Some(_) if !directory.may_have(bare) => {}
                Some(path) => {
                    let (folder, system) = (path.clone(), directory.system);
                    match self.load(folder, bare, Some(index), system) {
                        Ok(found) => return Ok(found),
                        Err(Problem::NotFound) => {}
                        Err(other) => problem = other,
                    }
                }
            }
        }
        Err(problem)
    }

    fn load(
        &mut self,
        folder: String,
        bare: &str,
        found_in: Option<usize>,
        system: bool,
    ) -> Result<Found, Problem> {
        let name = folder + bare;
        let (key, text) = match self.files.known.get(&name) {
            Some((key, text)) => (*key, text.clone()),
            None => {
                let answer = read(Path::new(&name), true);
                match &answer {
                    Ok((stamp, _)) => self.files.facts.note(&name, Fact::Contents(*stamp)),
                    Err(Problem::NotFound) => self.files.facts.note(&name, Fact::Absent),
                    Err(Problem::Unreadable(_)) => self.files.facts.unsure = true,
                }
                let (stamp, text) = answer?;
                let key = FileKey::of(stamp);
                self.files.known.insert(name.clone(), (key, text.clone()));
                (key, text)
            }
        };
        let folder = folder_of(&name).to_owned();
        Ok(Found { name, folder, key, text, found_in, system, from: Loc::default() })
    }

    fn load_shipped(&self, bare: &str, found_in: Option<usize>) -> Option<Found> {
        let (index, text) = headers::find(bare)?;
        let text: Vec<u8> = text.bytes().chain([0]).collect();
        Some(Found {
            name: format!("{}{bare}", headers::FOLDER),
            folder: headers::FOLDER.to_owned(),
            key: FileKey::Shipped(index),
            text: text.into(),
            found_in,
            system: true,
            from: Loc::default(),
        })
    }

    /// Reads a header unless it is known that it has nothing more to say.
    fn include(&mut self, found: Found, loc: Loc, import: bool) {
        let guarded = self.files.guards.get(&found.key).is_some_and(|&name| self.macros.is_defined(name));
        if guarded || self.files.once.contains(&found.key) {
            return;
        }
        if import {
            self.files.once.insert(found.key);
        }
        if self.open.len() > MAX_DEPTH {
            let message = format!("#include is nested more than {MAX_DEPTH} files deep");
            let error = Diagnostic::error(ids::INCLUDE_DEPTH, Span::at(loc), message);
            self.report(error.note("a header may be including itself"));
            self.stopped = true;
            return;
        }
        self.files.pending = Some(found);
    }

    /// Opens the header whose `#include` line is now read to its end.
    pub(super) fn open_pending_include(&mut self) {
        let Some(found) = self.files.pending.take() else { return };
        self.open_text(&found.name, found.folder, found.text, Some(found.from), found.system);
        if let Some(file) = self.open.last_mut() {
            (file.key, file.found_in) = (Some(found.key), found.found_in);
        }
    }

    /// `#pragma once`
    pub(super) fn mark_once(&mut self) {
        if let Some(key) = self.open.last().and_then(|file| file.key) {
            self.files.once.insert(key);
        }
    }

    /// `__has_include(...)`, behind its name: whether the header can be found. None after an error.
    pub(super) fn has_include(&mut self, name: Token, next: bool) -> Option<bool> {
        let what = self.text(name.sym).to_owned();
        let open = self.next_raw();
        if !Self::is_punct(open, Punct::LParen) {
            self.error(ids::CONDITION, open.loc, format!("missing `(` after `{what}`"));
            return None;
        }
        let header = self.header_in_parentheses();
        let Some(header) = header else {
            self.error(ids::CONDITION, open.loc, format!("`{what}` expects \"FILE\" or <FILE>"));
            return None;
        };
        let close = self.next_raw();
        if !Self::is_punct(close, Punct::RParen) {
            self.error(ids::CONDITION, close.loc, format!("missing `)` after `{what}`"));
            return None;
        }
        Some(header.len() > 2 && self.find(&header, next).is_ok())
    }

    /// The header name behind the `(` of `__has_include` and `__has_embed`.
    pub(super) fn header_in_parentheses(&mut self) -> Option<String> {
        if let Some(header) = self.header_in_text() {
            return Some(header);
        }
        let first = self.next_expanded();
        self.header_from_tokens(first, |pp| pp.next_expanded())
    }

    /// A header name where the text, and no macro, goes on.
    fn header_in_text(&mut self) -> Option<String> {
        if !self.frames_are_used_up() {
            return None;
        }
        let Session { interner, sink, .. } = &mut *self.session;
        let mut cx = Context { interner, sink, dialect: &self.dialect };
        self.lexer.header_name(&mut cx).map(|(name, _)| name)
    }
}

/// The folder part of a name, with its separator.
pub(super) fn folder_of(name: &str) -> &str {
    name.rfind('/').map_or("", |at| &name[..=at])
}
