//! Where text came from: files, positions, and positions that went through a macro.
//!
//! A [`Loc`] is one `u32`. Its high bit tells the two kinds apart:
//! - a *file* location is an offset into the concatenation of all files a translation unit has read;
//! - a *macro* location is an index into the table of expanded tokens, each of which remembers where the
//!   token was spelled and the place the macro was used at. Following these links never ends in another macro
//!   location more than once per nesting level, so every location resolves to a chain that a diagnostic can
//!   print.

use crate::cache::bytes::{Reader, Shift, Writer};
use crate::headers;
use crate::intern::Symbol;
use std::cell::{Cell, OnceCell};
use std::sync::Arc;

/// One position of the translation unit; see the module comment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Loc(pub u32);

impl Loc {
    /// Set on locations of tokens that a macro expansion produced.
    pub const MACRO_BIT: u32 = 1 << 31;

    /// Whether the token at this location came out of a macro expansion.
    pub fn is_macro(self) -> bool {
        self.0 & Self::MACRO_BIT != 0
    }
}

/// A run of tokens: the locations of its first and its last token, both inclusive. The renderer measures the
/// last token when, and only when, a diagnostic is shown, so tokens need not carry their length through the
/// compiler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// Location of the first token.
    pub first: Loc,
    /// Location of the last token.
    pub last: Loc,
}

impl Span {
    /// The span of one token.
    pub fn at(loc: Loc) -> Self {
        Span { first: loc, last: loc }
    }

    /// From the first token of `self` to the last token of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { first: self.first, last: other.last }
    }
}

/// Readings of files in one translation unit: headers that include each other over and over end here.
const MAX_READINGS: usize = 1 << 20;

/// The name of a file, as the user knows it: what `__FILE__` says, after `#line`. A header that is read twice
/// has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// One reading of a file: a header that is read twice makes two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ReadingId(pub u32);

/// Where a location is, for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The file, after `#line`.
    pub file: FileId,
    /// The line, from 1, after `#line`.
    pub line: u32,
    /// The byte in the line, from 1.
    pub column: u32,
}

/// One use of a macro, in the chain of [`SourceMap::macro_uses`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroUse {
    /// The macro.
    pub name: Symbol,
    /// The place its name stands at; itself a macro location when another macro produced the name.
    pub site: Loc,
    /// Where the macro was defined.
    pub definition: Loc,
}

/// An index into the table of macro uses; the preprocessor makes one per expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UseId(u32);

/// `#line`: from `offset` on, lines count from `line` and belong to `file`.
struct LineMark {
    /// Offset in the file of the first line that is renumbered.
    offset: u32,
    line: u32,
    file: FileId,
}

/// The text of a reading with a zero byte behind it, which may not have been read.
struct Text {
    bytes: OnceCell<Arc<[u8]>>,
    /// With the zero byte.
    length: u32,
}

impl Text {
    /// The bytes; of a reading that the cache of headers has, they are in the file of this name. If that has
    /// another length now, it was changed while the compiler ran, and what it was is not known any more.
    fn of(&self, name: &str) -> &Arc<[u8]> {
        self.bytes.get_or_init(|| {
            let shipped = name.strip_prefix(headers::FOLDER).and_then(headers::find);
            let mut text = match shipped {
                Some((_, text)) => text.as_bytes().to_vec(),
                None => std::fs::read(name).unwrap_or_default(),
            };
            text.push(0);
            if text.len() != self.length as usize {
                text = vec![b' '; self.length as usize - 1];
                text.push(0);
            }
            text.into()
        })
    }
}

struct Reading {
    /// First offset in the concatenation; the end of the file has an offset of its own.
    start: u32,
    file: FileId,
    text: Text,
    /// The `#include` that asked for it.
    included_from: Option<Loc>,
    system: bool,
    /// From this offset on it is a system header (`#pragma GCC system_header`).
    system_from: u32,
    lines: OnceCell<Vec<u32>>,
    marks: Vec<LineMark>,
}

impl Reading {
    fn len(&self) -> u32 {
        self.text.length - 1
    }

    /// Offsets at which lines start.
    fn lines(&self, name: &str) -> &[u32] {
        self.lines.get_or_init(|| {
            let text = &self.text.of(name)[..self.len() as usize];
            let mut lines = Vec::with_capacity(text.len() / 24 + 1);
            lines.push(0);
            lines.extend(memchr::memchr_iter(b'\n', text).map(|at| at as u32 + 1));
            lines
        })
    }
}

#[derive(Clone, Copy)]
struct MacroToken {
    spelling: Loc,
    used: UseId,
}

/// The line a location was last found in: statements are asked for in order, so the next one is near.
#[derive(Clone, Copy)]
struct LastLine {
    start: u32,
    end: u32,
    file: FileId,
    line: u32,
}

/// The files of a translation unit and its macro expansions: resolves a [`Loc`].
#[derive(Default)]
pub struct SourceMap {
    names: Vec<Arc<str>>,
    readings: Vec<Reading>,
    tokens: Vec<MacroToken>,
    /// So many of them come from the cache of headers, with locations as they were when they were written:
    /// few are ever asked for.
    kept: (usize, Shift),
    uses: Vec<MacroUse>,
    last_line: Cell<Option<LastLine>>,
}

impl SourceMap {
    /// Writes all of it for the cache of headers; `main` is the main file's reading, whose text will be
    /// another one. False if that cannot be told from the others, or one of these is no system header.
    pub(crate) fn save(&self, main: ReadingId, out: &mut Writer) -> bool {
        let main_file = self.readings[main.0 as usize].file;
        out.number(self.readings[main.0 as usize].start);
        out.number(self.readings[main.0 as usize].text.length);
        out.numbers([main.0, main_file.0, self.names.len() as u32, self.readings.len() as u32]);
        self.names.iter().for_each(|name| out.text(name));
        let mut is_clear = true;
        for (number, reading) in self.readings.iter().enumerate() {
            let is_main = number == main.0 as usize;
            let is_user = !reading.system || reading.system_from != 0;
            // What stands before the main file is the compiler's and the command line's.
            is_clear &= is_main || reading.file != main_file && (number < main.0 as usize || !is_user);
            let Reading { file, text, included_from, system, system_from, marks, .. } = reading;
            let included_from = included_from.map_or(0, |loc| loc.0);
            out.numbers([file.0, text.length, included_from, u32::from(*system), *system_from]);
            out.number(marks.len() as u32);
            marks.iter().for_each(|mark| out.numbers([mark.offset, mark.line, mark.file.0]));
            // The texts of these are in no file.
            out.blob(if number < main.0 as usize { self.bytes(reading) } else { &[] });
        }
        out.number(self.tokens.len() as u32);
        let tokens = (0..self.tokens.len()).filter_map(|number| self.token(number));
        tokens.for_each(|token| out.numbers([token.spelling.0, token.used.0]));
        out.number(self.uses.len() as u32);
        self.uses.iter().for_each(|used| out.numbers([used.name.0, used.site.0, used.definition.0]));
        is_clear
    }

    /// What was written, with a main file of another name and text, whose first `#include` stands at `first`
    /// where it stood at `was`. Sets how locations move; returns the main file's reading.
    pub(crate) fn load(
        input: &mut Reader<'_>,
        (name, text): (&str, Arc<[u8]>),
        (was, first): (u32, u32),
    ) -> Option<(SourceMap, ReadingId)> {
        let (start, length) = (input.number()?, input.number()?);
        let shift = Shift {
            main: (start, start.checked_add(length)?),
            macros: Loc::MACRO_BIT,
            inside: first.wrapping_sub(was),
            behind: (text.len() as u32).wrapping_sub(length),
        };
        input.shift = shift;
        let [main, main_file] = [input.number()?, input.number()?];
        let (names, readings) = (input.number()?, input.number()?);
        let mut map = SourceMap::default();
        for number in 0..names {
            let known = input.text()?;
            // A header that has the main file's name is the same file to those who read names.
            if number != main_file && known == name {
                return None;
            }
            map.names.push(if number == main_file { name.into() } else { known.into() });
        }
        for number in 0..readings {
            let row = input.rows::<6>(1)?.next()?;
            let [file, length, included_from, system, system_from, marks] = row;
            let included_from = (included_from != 0).then(|| Loc(shift.apply(included_from)));
            let mark = |[offset, line, file]: [u32; 3]| LineMark { offset, line, file: FileId(file) };
            let marks = input.rows::<3>(marks)?.map(mark).collect();
            let kept = input.blob()?;
            let text = match number {
                _ if number == main => {
                    Text { length: text.len() as u32, bytes: OnceCell::from(Arc::clone(&text)) }
                }
                _ if kept.is_empty() => Text { length, bytes: OnceCell::new() },
                _ => Text { length, bytes: OnceCell::from(Arc::from(kept)) },
            };
            let start = map.readings.last().map_or(1, |last| last.start + last.text.length);
            if start as usize + text.length as usize >= Loc::MACRO_BIT as usize {
                return None;
            }
            let (file, system, lines) = (FileId(file), system != 0, OnceCell::new());
            map.readings.push(Reading {
                start,
                file,
                text,
                included_from,
                system,
                system_from,
                lines,
                marks,
            });
        }
        let count = input.number()?;
        let token = |[spelling, used]: [u32; 2]| MacroToken { spelling: Loc(spelling), used: UseId(used) };
        map.tokens.extend(input.rows::<2>(count)?.map(token));
        map.kept = (map.tokens.len(), shift);
        let count = input.number()?;
        let used = |[name, site, definition]: [u32; 3]| MacroUse {
            name: Symbol(name),
            site: Loc(shift.apply(site)),
            definition: Loc(shift.apply(definition)),
        };
        map.uses.extend(input.rows::<3>(count)?.map(used));
        (map.readings.get(main as usize)?.start == start).then_some((map, ReadingId(main)))
    }

    /// The id of a file name, new or known.
    pub fn file(&mut self, name: &str) -> FileId {
        let known = self.names.iter().position(|known| **known == *name);
        FileId(known.unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        }) as u32)
    }

    /// The name of a file.
    pub fn file_name(&self, file: FileId) -> &str {
        &self.names[file.0 as usize]
    }

    /// Adds one reading of a file whose text ends in a zero byte that is not part of it; none when the space
    /// of locations is used up, or files were read too often.
    pub(crate) fn add(
        &mut self,
        file: FileId,
        text: Arc<[u8]>,
        included_from: Option<Loc>,
        system: bool,
    ) -> Option<ReadingId> {
        debug_assert_eq!(text.last(), Some(&0));
        // Offset 0 is left out, so that a default location belongs to no file.
        let start = self.readings.last().map_or(1, |last| last.start + last.text.length);
        let end = start as usize + text.len();
        if end >= Loc::MACRO_BIT as usize || self.readings.len() >= MAX_READINGS {
            return None;
        }
        let system_from = if system { 0 } else { u32::MAX };
        let (lines, marks) = (OnceCell::new(), Vec::new());
        let text = Text { length: text.len() as u32, bytes: OnceCell::from(text) };
        self.readings.push(Reading { start, file, text, included_from, system, system_from, lines, marks });
        Some(ReadingId(self.readings.len() as u32 - 1))
    }

    /// The location of the first byte of a reading.
    pub fn start(&self, reading: ReadingId) -> Loc {
        Loc(self.readings[reading.0 as usize].start)
    }

    /// The text of a reading.
    pub fn text(&self, reading: ReadingId) -> &[u8] {
        let reading = &self.readings[reading.0 as usize];
        &self.bytes(reading)[..reading.len() as usize]
    }

    fn bytes<'a>(&'a self, reading: &'a Reading) -> &'a Arc<[u8]> {
        reading.text.of(self.file_name(reading.file))
    }

    /// Whether a word stands in the text of any file read, other than those of the system.
    pub(crate) fn mentions(&self, word: &[u8]) -> bool {
        let mut own = self.readings.iter().filter(|reading| !reading.system);
        own.any(|reading| self.bytes(reading).windows(word.len()).any(|part| part == word))
    }

    /// The `#include` a reading comes from; none for the main file.
    pub fn included_from(&self, reading: ReadingId) -> Option<Loc> {
        self.readings[reading.0 as usize].included_from
    }

    /// From `offset` of a reading on, it is a system header.
    pub(crate) fn set_system(&mut self, reading: ReadingId, offset: u32) {
        let reading = &mut self.readings[reading.0 as usize];
        if !reading.system {
            (reading.system, reading.system_from) = (true, offset);
        }
    }

    /// `#line`: the line that starts at `offset` of a reading is line `line` of `file`, if one is named.
    pub(crate) fn mark_line(&mut self, reading: ReadingId, offset: u32, line: u32, file: Option<FileId>) {
        let reading = &mut self.readings[reading.0 as usize];
        let file = file.or(reading.marks.last().map(|mark| mark.file)).unwrap_or(reading.file);
        reading.marks.push(LineMark { offset, line, file });
        self.last_line.set(None);
    }

    /// Records that a macro is used.
    pub(crate) fn add_use(&mut self, used: MacroUse) -> UseId {
        self.uses.push(used);
        UseId(self.uses.len() as u32 - 1)
    }

    /// The location of a token that a use of a macro produced, spelled at `spelling`.
    #[inline]
    pub(crate) fn add_macro_token(&mut self, spelling: Loc, used: UseId) -> Loc {
        let number = self.tokens.len() as u32;
        debug_assert!(number < Loc::MACRO_BIT, "the preprocessor bounds the number of expanded tokens");
        self.tokens.push(MacroToken { spelling, used });
        Loc(Loc::MACRO_BIT | number)
    }

    fn macro_token(&self, loc: Loc) -> Option<MacroToken> {
        if loc.is_macro() { self.token((loc.0 & !Loc::MACRO_BIT) as usize) } else { None }
    }

    /// The macro token with a number.
    fn token(&self, number: usize) -> Option<MacroToken> {
        let (kept, shift) = &self.kept;
        let mut token = *self.tokens.get(number)?;
        if number < *kept {
            token.spelling = Loc(shift.apply(token.spelling.0));
        }
        Some(token)
    }

    /// The reading that a file location is in.
    pub fn reading(&self, loc: Loc) -> Option<ReadingId> {
        if loc.is_macro() {
            return None;
        }
        let index = self.readings.partition_point(|reading| reading.start <= loc.0).checked_sub(1)?;
        Some(ReadingId(index as u32))
    }

    /// The file location at which the token's text was written.
    pub fn spelling(&self, mut loc: Loc) -> Loc {
        while let Some(token) = self.macro_token(loc) {
            loc = token.spelling;
        }
        loc
    }

    /// The file location of the outermost macro use the token came through; the location itself if there is
    /// none.
    pub fn expansion(&self, mut loc: Loc) -> Loc {
        while let Some(token) = self.macro_token(loc) {
            loc = self.uses[token.used.0 as usize].site;
        }
        loc
    }

    /// The uses of macros that a token came through, innermost first.
    pub fn macro_uses(&self, loc: Loc) -> Vec<MacroUse> {
        // An argument has been through the macros its text came from and through those it was handed to. A
        // use is recorded before the uses inside it, so their numbers order them.
        let mut uses = Vec::new();
        let mut pending = vec![loc];
        while let Some(loc) = pending.pop() {
            if let Some(token) = self.macro_token(loc)
                && !uses.contains(&token.used.0)
            {
                uses.push(token.used.0);
                pending.push(token.spelling);
                pending.push(self.uses[token.used.0 as usize].site);
            }
        }
        uses.sort_unstable_by(|a, b| b.cmp(a));
        uses.into_iter().map(|used| self.uses[used as usize]).collect()
    }

    /// Where the token was written, or, for a token of a macro's body, where the outermost macro was used:
    /// the place that a statement of the program is at. None for a location of no file.
    pub fn position(&self, loc: Loc) -> Option<Position> {
        let loc = self.expansion(loc);
        if let Some(last) = self.last_line.get()
            && (last.start..last.end).contains(&loc.0)
        {
            return Some(Position { file: last.file, line: last.line, column: loc.0 - last.start + 1 });
        }
        let reading = &self.readings[self.reading(loc)?.0 as usize];
        let offset = loc.0 - reading.start;
        let lines = reading.lines(self.file_name(reading.file));
        let index = lines.partition_point(|&start| start <= offset) - 1;
        let end = lines.get(index + 1).copied().unwrap_or(reading.len() + 1);
        let mark = reading.marks.partition_point(|mark| mark.offset <= lines[index]).checked_sub(1);
        let (file, line) = match mark.map(|mark| &reading.marks[mark]) {
            Some(mark) => {
                let first = lines.partition_point(|&start| start < mark.offset);
                (mark.file, mark.line.wrapping_add((index - first.min(index)) as u32))
            }
            None => (reading.file, index as u32 + 1),
        };
        let (start, end) = (reading.start + lines[index], reading.start + end);
        self.last_line.set(Some(LastLine { start, end, file, line }));
        Some(Position { file, line, column: loc.0 - start + 1 })
    }

    /// Where the token's text was written, macro bodies included.
    pub fn spelling_position(&self, loc: Loc) -> Option<Position> {
        self.position(self.spelling(loc))
    }

    /// The line of the text that a file location is in: the location of its first byte, and its bytes without
    /// the line end.
    pub fn line(&self, loc: Loc) -> Option<(Loc, &[u8])> {
        let id = self.reading(loc)?;
        let reading = &self.readings[id.0 as usize];
        let offset = loc.0 - reading.start;
        let lines = reading.lines(self.file_name(reading.file));
        let index = lines.partition_point(|&start| start <= offset) - 1;
        let start = lines[index];
        let end = lines.get(index + 1).map_or(reading.len(), |next| next - 1);
        let text = &self.bytes(reading)[start as usize..end as usize];
        Some((Loc(reading.start + start), text.strip_suffix(b"\r").unwrap_or(text)))
    }

    /// Whether the place the token is used at is in a system header.
    pub fn is_system(&self, loc: Loc) -> bool {
        let loc = self.expansion(loc);
        self.reading(loc).is_some_and(|id| {
            let reading = &self.readings[id.0 as usize];
            reading.system && loc.0 - reading.start >= reading.system_from
        })
    }

    /// The `#include` directives through which a file location was reached, innermost first.
    pub fn include_stack(&self, loc: Loc) -> Vec<Loc> {
        let mut stack = Vec::new();
        let mut from = self.reading(self.expansion(loc)).and_then(|id| self.included_from(id));
        while let Some(loc) = from {
            stack.push(loc);
            from = self.reading(loc).and_then(|id| self.included_from(id));
        }
        stack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> (SourceMap, ReadingId) {
        let mut map = SourceMap::default();
        let file = map.file("a.c");
        let text: Vec<u8> = text.bytes().chain([0]).collect();
        let id = map.add(file, text.into(), None, false).expect("small");
        (map, id)
    }

    fn at(map: &SourceMap, loc: Loc) -> (String, u32, u32) {
        let p = map.position(loc).expect("in a file");
        (map.file_name(p.file).to_owned(), p.line, p.column)
    }

    #[test]
    fn positions_count_from_one_and_follow_line_marks() {
        let (mut map, id) = map("ab\ncd\nef\ngh");
        let start = map.start(id).0;
        assert_eq!(at(&map, Loc(start)), ("a.c".into(), 1, 1));
        assert_eq!(at(&map, Loc(start + 4)), ("a.c".into(), 2, 2));
        assert_eq!(at(&map, Loc(start + 11)), ("a.c".into(), 4, 3));
        let other = map.file("b.c");
        map.mark_line(id, 6, 100, Some(other));
        assert_eq!(at(&map, Loc(start + 4)), ("a.c".into(), 2, 2));
        assert_eq!(at(&map, Loc(start + 6)), ("b.c".into(), 100, 1));
        assert_eq!(at(&map, Loc(start + 9)), ("b.c".into(), 101, 1));
    }

    #[test]
    fn macro_chains_are_innermost_first() {
        let (mut map, id) = map("M(N) body");
        let start = map.start(id).0;
        let m = MacroUse { name: Symbol(1), site: Loc(start), definition: Loc(start) };
        let n = MacroUse { name: Symbol(2), site: Loc(start + 2), definition: Loc(start) };
        let (outer, inner) = (map.add_use(m), map.add_use(n));
        let in_argument = map.add_macro_token(Loc(start + 5), inner);
        let substituted = map.add_macro_token(in_argument, outer);
        assert_eq!(map.macro_uses(substituted), [n, m]);
        assert_eq!(map.spelling(substituted), Loc(start + 5));
        assert_eq!(map.expansion(substituted), Loc(start));
        assert_eq!(map.position(Loc::default()), None);
    }
}
