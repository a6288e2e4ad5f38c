//! The `#include <...>` lines that a program begins with: finding them, and the state behind them as the
//! cache of headers keeps it ([`crate::cache`]).

use super::include::{Main, folder_of};
use super::macros::MacroTable;
use super::search::FileKey;
use super::state::{Guard, OpenFile, Preprocessor};
use crate::cache::bytes::{Reader, Shift, Writer};
use crate::cache::skim::skim;
use crate::cache::{Entry, Facts, HEADERS, compiler, current_folder, environment, store, tokens};
use crate::intern::{Interner, Symbol};
use crate::lex::Lexer;
use crate::options::Standard;
use crate::source::{ReadingId, SourceMap};
use crate::token::{Token, TokenKind};
use std::ops::Range;
use std::sync::Arc;

/// The run of a main file, and the key of its state.
pub(super) struct Prefix {
    /// From its first directive to the line behind its last `#include`.
    range: Range<usize>,
    key: Vec<u8>,
}

/// The tokens of headers that the cache had, as they were written.
pub(super) struct Kept {
    file: Vec<u8>,
    index: Index,
    shift: Shift,
}

/// Where the tokens of headers are, and what they declare.
struct Index {
    /// Bytes from where the tokens begin, and from where they end, to the end of the file.
    tokens: Range<usize>,
    /// First token, last token, whether always needed.
    units: Vec<[u32; 3]>,
    /// Name, unit.
    names: Vec<[u32; 2]>,
}

impl Index {
    fn load(input: &mut Reader<'_>) -> Option<Index> {
        let count = input.number()?;
        let units = input.rows(count)?.collect();
        let count = input.number()?;
        let names = input.rows(count)?.collect();
        let count = input.number()? as usize;
        let before = input.rest().len();
        input.take(count.checked_mul(12)?)?;
        Some(Index { tokens: before..input.rest().len(), units, names })
    }
}

impl Kept {
    /// The tokens of the declarations that `program` names, and of those that these name.
    fn select(&self, program: &[Token]) -> Option<Vec<Token>> {
        let Index { tokens, units, names } = &self.index;
        let symbols = names.iter().map(|&[name, _]| name as usize + 1).max().unwrap_or(0);
        // By name: the last row of it, counted from 1, and the one before each row.
        let mut last = vec![0u32; symbols];
        let mut before = Vec::with_capacity(names.len());
        for (row, &[name, _]) in names.iter().enumerate() {
            before.push(std::mem::replace(&mut last[name as usize], row as u32 + 1));
        }
        let mut wanted: Vec<bool> = units.iter().map(|&[_, _, always]| always != 0).collect();
        let mut pending: Vec<usize> = (0..wanted.len()).filter(|&unit| wanted[unit]).collect();
        let mut name = |symbol: u32, pending: &mut Vec<usize>, wanted: &mut Vec<bool>| {
            let Some(mut row) = last.get_mut(symbol as usize).map(std::mem::take) else { return };
            while let Some(at) = (row as usize).checked_sub(1) {
                let unit = names[at][1] as usize;
                if !std::mem::replace(&mut wanted[unit], true) {
                    pending.push(unit);
                }
                row = before[at];
            }
        };
        for token in program.iter().filter(|token| token.kind == TokenKind::Ident) {
            name(token.sym.0, &mut pending, &mut wanted);
        }
        let (start, end) = (self.file.len() - tokens.start, self.file.len() - tokens.end);
        let rows = self.file.get(start..end)?.as_chunks::<12>().0;
        let word =
            |row: &[u8; 12], at: usize| u32::from_le_bytes(std::array::from_fn(|byte| row[4 * at + byte]));
        let is_ident = |row: &&[u8; 12]| word(row, 0) & 0xffff == tokens::IDENT;
        while let Some(unit) = pending.pop() {
            let [start, end, _] = units[unit];
            for row in rows.get(start as usize..end as usize)?.iter().filter(is_ident) {
                name(word(row, 1), &mut pending, &mut wanted);
            }
        }
        let chosen = units.iter().zip(&wanted).filter(|&(_, &wanted)| wanted);
        let rows = chosen.flat_map(|(&[start, end, _], _)| &rows[start as usize..end as usize]);
        rows.map(|row| tokens::read([0, 1, 2].map(|at| word(row, at)), self.shift)).collect()
    }
}

impl Preprocessor<'_> {
    /// The run that the main file begins with, if its state may be in the cache.
    pub(super) fn prefix(&self, main: &Main) -> Option<Prefix> {
        let options = &self.session.options;
        if options.header_cache.is_none()
            || options.warnings.system_headers
            || !options.forced_includes.is_empty()
        {
            return None;
        }
        let range = find(&main.text, options.gnu || options.standard >= Standard::C99)?;
        let mut key = Writer::default();
        key.text(&compiler()?);
        key.text(&format!("{options:?}"));
        let mut has_folders = [&options.quote_dirs, &options.include_dirs, &options.system_dirs]
            .iter()
            .any(|folders| !folders.is_empty());
        has_folders |= environment(&mut key);
        if has_folders {
            current_folder(&mut key)?;
        }
        key.blob(&main.text[range.clone()]);
        Some(Prefix { range, key: key.bytes })
    }

    /// Goes on behind the run with the state that the cache has of it; none, and nothing changed, if it has
    /// none.
    pub(super) fn resume(&mut self, main: &Main, prefix: &Prefix) -> Option<Kept> {
        let (file, start) = store::read(self.session.options.header_cache.as_ref()?, &HEADERS, &prefix.key)?;
        let mut input = Reader::new(&file[start..]);
        let facts = Facts::check(&mut input)?;
        let was = input.number()?;
        let text = Arc::clone(&main.text);
        let name = (&*main.name, Arc::clone(&text));
        let (sources, reading) = SourceMap::load(&mut input, name, (was, prefix.range.start as u32))?;
        let interner = Interner::load(&mut input)?;
        let macros = MacroTable::load(&mut input)?;
        let (counter, work) = (input.number()?, input.wide()?);
        let mut guards = Vec::new();
        for _ in 0..input.number()? {
            guards.push((FileKey::load(&mut input)?, Symbol(input.number()?)));
        }
        let mut once = Vec::new();
        for _ in 0..input.number()? {
            once.push(FileKey::load(&mut input)?);
        }
        let index = Index::load(&mut input)?;
        let shift = input.shift;

        (self.session.sources, self.session.interner) = (sources, interner);
        (self.macros, self.counter, self.work) = (macros, counter, work);
        self.files.facts.extend(facts);
        self.files.guards.extend(guards);
        self.files.once.extend(once);
        let base = self.session.sources.start(reading);
        let lexer = Lexer::new(text, base, false, &self.dialect);
        self.outer.push(std::mem::replace(&mut self.lexer, lexer));
        let name = self.session.sources.file(&main.name);
        self.open.push(OpenFile {
            reading,
            name,
            folder: folder_of(&main.name).to_owned(),
            found_in: None,
            conditionals: Vec::new(),
            guard: Guard::None,
            key: main.key,
        });
        self.base_file = name;
        self.note_end(reading);
        self.lexer.skip_to(prefix.range.end);
        Some(Kept { file, index, shift })
    }

    /// Reads the run of the main file, which was just opened, and takes the state behind it.
    pub(super) fn read_prefix(&mut self, main: &Main, prefix: Prefix) {
        let Some(file) = self.open.last() else { return };
        let (reading, base) = (file.reading, self.session.sources.start(file.reading));
        let text: Vec<u8> = main.text[..prefix.range.end].iter().copied().chain([0]).collect();
        self.lexer = Lexer::new(text.into(), base, false, &self.dialect);
        self.in_prefix = true;
        self.drain();
        self.in_prefix = false;
        if self.stopped {
            return;
        }
        self.session.entry = self.state(reading, prefix.range.start, prefix.key);
        self.lexer = Lexer::new(Arc::clone(&main.text), base, false, &self.dialect);
        self.lexer.skip_to(prefix.range.end);
    }

    /// The state for the cache; none if it does not belong there.
    fn state(&mut self, main: ReadingId, first: usize, key: Vec<u8>) -> Option<Entry> {
        self.drop_used_frames();
        let is_plain = self.session.sink.list().is_empty()
            && self.expansion.frames.is_empty()
            && self.expansion.carried_space == 0
            && self.pushed_macros.is_empty()
            && self.open.len() == 1
            && self.open.iter().all(|file| file.conditionals.is_empty())
            && self.files.facts.are_settled();
        if !is_plain {
            return None;
        }
        let mut out = Writer::default();
        self.files.facts.save(&mut out);
        out.number(first as u32);
        if !self.session.sources.save(main, &mut out) {
            return None;
        }
        self.session.interner.save(&mut out);
        self.macros.save(&mut out);
        out.number(self.counter);
        out.wide(self.work);
        out.number(self.files.guards.len() as u32);
        for (key, name) in &self.files.guards {
            key.save(&mut out);
            out.number(name.0);
        }
        out.number(self.files.once.len() as u32);
        self.files.once.iter().for_each(|key| key.save(&mut out));
        let units = skim(&self.out, &self.session.interner);
        out.number(units.list.len() as u32);
        for unit in &units.list {
            out.numbers([unit.tokens.start, unit.tokens.end, u32::from(unit.always)]);
        }
        out.number(units.names.len() as u32);
        units.names.iter().for_each(|&(name, unit)| out.numbers([name.0, unit]));
        out.number(self.out.len() as u32);
        self.out.iter().for_each(|&token| tokens::write(&mut out, token));
        Some(Entry { key, contents: out })
    }

    /// Puts what the program needs of the headers in front of its own tokens. False if what was kept is
    /// damaged.
    pub(super) fn add_kept(&mut self, kept: &Kept) -> bool {
        let Some(tokens) = kept.select(&self.out) else { return false };
        self.out.splice(0..0, tokens);
        true
    }
}

/// The run in a text: `#include <...>` and `#define` lines, with nothing but white space and comments around
/// them and nothing in them that has more than one reading.
fn find(text: &[u8], line_comments: bool) -> Option<Range<usize>> {
    let (mut at, mut first, mut end) = (0, None, None);
    loop {
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &text[at..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(0)];
        if rest.starts_with(b"/*") {
            let length = memchr::memmem::find(&rest[2..], b"*/")? + 4;
            if rest[..length].contains(&b'\\') {
                break;
            }
            at += length;
        } else if line.starts_with(b"//") && line_comments && !line.contains(&b'\\') {
            at += line.len();
        } else if let Some(directive) = line.strip_prefix(b"#") {
            let directive = directive.trim_ascii();
            if let Some(rest) = directive.strip_prefix(b"include") {
                if !is_header(rest.trim_ascii_start(), line_comments) {
                    break;
                }
                end = Some(at + line.len() + 1);
            } else if !directive.strip_prefix(b"define").is_some_and(is_definition) {
                break;
            }
            first = first.or(Some(at));
            at += line.len() + 1;
        } else {
            break;
        }
    }
    Some(first?..end?)
}

/// `<...>`, and at most a comment behind it.
fn is_header(text: &[u8], line_comments: bool) -> bool {
    let Some(length) = text.strip_prefix(b"<").and_then(|text| memchr::memchr(b'>', text)) else {
        return false;
    };
    let behind = text[length + 2..].trim_ascii();
    let is_comment = line_comments && behind.starts_with(b"//")
        || behind.starts_with(b"/*")
            && memchr::memmem::find(&behind[2..], b"*/") == Some(behind.len().wrapping_sub(4));
    (behind.is_empty() || is_comment) && !text.iter().any(|byte| b"\\?".contains(byte))
}

/// The rest of a `#define` without literals, comments and splices.
fn is_definition(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_whitespace) && !text.iter().any(|byte| b"\\?/\"'#".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        find(&[text.as_bytes(), b"\0"].concat(), true).map(|range| &text[range])
    }

    #[test]
    fn the_run_ends_behind_its_last_include() {
        assert_eq!(found("/* a */\n// b\n#include <a.h>\nint x;"), Some("#include <a.h>\n"));
        let all = "#define _GNU_SOURCE 1\n\n# include <a.h> // why\n#include\t<b/c.h>  /* b */\n";
        assert_eq!(found(&format!("{all}#define N 3\nint x;")), Some(all));
        let first = "#include <a.h>\n";
        for other in [
            "#include \"b.h\"\n",
            "#include NAME\n",
            "#include <b.h> x\n",
            "#include <b.h> /* a */ /* b */\n",
            "#include <b.h> /* a\n*/\n",
            "#include_next <b.h>\n",
            "#include <b.h>",
            "#ifdef A\n",
            "#define A \\\n",
            "#define A /* b\n",
            "// a \\\n",
            "#pragma once\n",
        ] {
            assert_eq!(found(&format!("{first}{other}#include <c.h>\n")), Some(first), "{other}");
        }
        assert_eq!(found("int x;\n#include <a.h>\n"), None);
        assert_eq!(found("#define A 1\n"), None);
        assert_eq!(found("/* a"), None);
        assert_eq!(found(""), None);
    }
}
