//! From a span to lines of text that can be shown.

use crate::lex::token_length;
use crate::session::Session;
use crate::source::{Loc, Position, SourceMap, Span};
use std::ops::Range;

/// Bytes of one excerpt; what is longer is cut around the place it is about.
const MAX_EXCERPT: usize = 240;

/// Bytes that a span over several lines may have to be shown as a whole.
const MAX_BLOCK: usize = 4000;

/// A place in a file, with the text around it.
pub(super) struct Place {
    pub file: String,
    pub start: Position,
    /// Behind the last byte.
    pub end: Position,
    /// The line, or the lines.
    pub excerpt: String,
    /// The place in the excerpt.
    pub range: Range<usize>,
}

/// The file location to show for a token: where it is written, except that a macro of a system header is
/// shown where the program uses it.
pub(super) fn shown(sources: &SourceMap, loc: Loc) -> Loc {
    let spelling = sources.spelling(loc);
    if loc.is_macro() && sources.is_system(spelling) { sources.expansion(loc) } else { spelling }
}

/// The location behind the token at a file location.
fn end_of_token(sources: &SourceMap, loc: Loc) -> Loc {
    let Some((line, text)) = sources.line(loc) else { return loc };
    let offset = (loc.0 - line.0) as usize;
    let rest = text.get(offset..).unwrap_or_default();
    Loc(loc.0 + token_length(rest) as u32)
}

/// The place of a span; none if it is in no file.
pub(super) fn place(session: &Session, span: Span) -> Option<Place> {
    let sources = &session.sources;
    let first = shown(sources, span.first);
    let start = sources.position(first)?;
    let last = shown(sources, span.last);
    let same_file = sources.reading(first) == sources.reading(last) && first <= last;
    let last = if same_file { last } else { first };
    let (line, text) = sources.line(first)?;
    let (last_line, last_text) = sources.line(last)?;
    let end = end_of_token(sources, last);
    let block_len = (last_line.0 - line.0) as usize + last_text.len();
    let offset = (first.0 - line.0) as usize;
    let (bytes, end) = if last_line == line {
        (text, end)
    } else if block_len <= MAX_BLOCK {
        let reading = sources.reading(first)?;
        let from = (line.0 - sources.start(reading).0) as usize;
        (sources.text(reading).get(from..from + block_len)?, end)
    } else {
        (text, Loc(line.0 + text.len() as u32))
    };
    let end_offset = ((end.0 - line.0) as usize).clamp(offset.min(bytes.len()), bytes.len());
    let (excerpt, range) = cut(bytes, offset.min(bytes.len())..end_offset, last_line == line);
    let end = match sources.position(end) {
        Some(end) if end.file == start.file => end,
        _ => start,
    };
    Some(Place { file: sources.file_name(start.file).to_owned(), start, end, excerpt, range })
}

/// The text of an excerpt and the place in it. A long line is cut on both sides.
pub(super) fn cut(bytes: &[u8], range: Range<usize>, single_line: bool) -> (String, Range<usize>) {
    let mut window = 0..bytes.len();
    if single_line && bytes.len() > MAX_EXCERPT {
        let shown = range.len().min(MAX_EXCERPT / 2);
        let margin = (MAX_EXCERPT - shown) / 2;
        window = range.start.saturating_sub(margin)..(range.start + shown + margin).min(bytes.len());
        // Not through a character.
        let continues = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
        while window.start > 0 && continues(window.start) {
            window.start -= 1;
        }
        while window.end < bytes.len() && continues(window.end) {
            window.end += 1;
        }
    }
    let end = range.end.min(window.end).max(range.start);
    let part = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).into_owned();
    let mut text = String::new();
    if window.start > 0 {
        text.push_str("...");
    }
    text.push_str(&part(window.start..range.start));
    let from = text.len();
    text.push_str(&part(range.start..end));
    let to = text.len();
    text.push_str(&part(end..window.end));
    if window.end < bytes.len() {
        text.push_str("...");
    }
    (text, from..to)
}
