//! The lexer: from bytes to preprocessing tokens (C11 5.1.1.2, phases 1 to 3).
//!
//! It works on the bytes of the file as they are. Line splices between tokens are white space; the first
//! splice (or, with `-std=c*`, trigraph) *inside* a token makes the lexer replace the rest of the file by a
//! copy without any, and a table that leads back to the offsets of the original. So the usual file is never
//! copied, and the unusual one is copied once.
//!
//! A character that starts no token is no error here, because it may be skipped or lie in a macro that is
//! never used: it becomes a token of kind `Unknown`, and whoever passes tokens on to the parser reports it
//! with [`describe_unknown`].

mod chars;
mod splice;

use crate::diag::{Diagnostic, Id, Sink, ids};
use crate::intern::{Interner, Symbol};
use crate::options::{Options, Standard};
use crate::source::{Loc, Span};
use crate::token::{Keyword, Punct, Token, TokenKind};
use chars::{IDENT, NUMBER, SPACE, class};
use splice::Offsets;
use std::sync::Arc;

/// What the chosen language standard changes about tokens.
pub struct Dialect {
    /// The kind of each symbol that is a keyword in some standard, by its number.
    kinds: Vec<TokenKind>,
    line_comments: bool,
    trigraphs: bool,
    unicode_literals: bool,
    is_c23: bool,
}

impl Dialect {
    /// The dialect of a command line.
    pub fn new(options: &Options) -> Self {
        let kind = |keyword: Keyword| {
            let known = match keyword {
                Keyword::Asm => options.gnu,
                Keyword::Typeof => options.gnu || options.standard >= Standard::C23,
                Keyword::Constexpr
                | Keyword::False
                | Keyword::Nullptr
                | Keyword::True
                | Keyword::TypeofUnqual => options.standard >= Standard::C23,
                Keyword::Inline => options.gnu || options.standard >= Standard::C99,
                Keyword::Restrict => options.standard >= Standard::C99,
                _ => true,
            };
            if known { TokenKind::Keyword(keyword) } else { TokenKind::Ident }
        };
        let primary = Keyword::ALL.iter().map(|&keyword| kind(keyword));
        let alternatives = Keyword::ALTERNATIVES.iter().map(|&(_, keyword)| TokenKind::Keyword(keyword));
        let of_c23 = Keyword::C23.iter().map(|&(_, keyword)| match options.standard {
            Standard::C23 => TokenKind::Keyword(keyword),
            _ => TokenKind::Ident,
        });
        Dialect {
            kinds: primary.chain(alternatives).chain(of_c23).collect(),
            line_comments: options.gnu || options.standard >= Standard::C99,
            trigraphs: !options.gnu && options.standard < Standard::C23,
            is_c23: options.standard >= Standard::C23,
            unicode_literals: options.standard >= Standard::C11
                || options.gnu && options.standard >= Standard::C99,
        }
    }

    /// Whether an interned identifier is a keyword.
    #[inline]
    pub fn identifier_kind(&self, symbol: Symbol) -> TokenKind {
        self.kinds.get(symbol.0 as usize).copied().unwrap_or(TokenKind::Ident)
    }
}

/// What the lexer needs of the translation unit while it makes a token.
pub struct Context<'a> {
    /// Where spellings go.
    pub interner: &'a mut Interner,
    /// Where errors go.
    pub sink: &'a mut Sink,
    /// The language standard.
    pub dialect: &'a Dialect,
}

/// Reads the tokens of one text.
pub struct Lexer {
    /// The text, and a zero byte that is not part of it.
    text: Arc<[u8]>,
    pos: usize,
    /// Location of the first byte of the original text.
    base: u32,
    /// Set once the text is a copy without splices.
    offsets: Option<Box<Offsets>>,
    at_line_start: bool,
    /// [`Token::SYSTEM`] or nothing, for every token.
    system: u8,
    in_directive: bool,
    nul_reported: bool,
}

/// A token of an intermediate step: kind, length in bytes, spelling.
type Scanned = (TokenKind, usize, Symbol);

/// Punctuators carry this symbol, except for digraphs, which carry their spelling.
pub const NO_SYMBOL: Symbol = Symbol(0);

impl Lexer {
    /// A lexer at the start of a text that ends in a zero byte, whose first byte is at `base`.
    pub fn new(text: Arc<[u8]>, base: Loc, system: bool, dialect: &Dialect) -> Self {
        debug_assert_eq!(text.last(), Some(&0));
        let mut lexer = Lexer {
            text,
            pos: 0,
            base: base.0,
            offsets: None,
            at_line_start: true,
            system: if system { Token::SYSTEM } else { 0 },
            in_directive: false,
            nul_reported: false,
        };
        if lexer.text.starts_with(b"\xef\xbb\xbf") {
            lexer.pos = 3;
        }
        if dialect.trigraphs && memchr::memmem::find(&lexer.text, b"??").is_some() {
            lexer.remove_splices(lexer.pos, true);
        }
        lexer
    }

    /// The location of the next byte.
    pub fn loc(&self) -> Loc {
        self.loc_of(self.pos)
    }

    /// The offset of the next byte in the original text.
    pub fn offset(&self) -> u32 {
        self.loc().0 - self.base
    }

    fn loc_of(&self, pos: usize) -> Loc {
        let offset = match &self.offsets {
            Some(offsets) => offsets.original(pos),
            None => pos,
        };
        Loc(self.base + offset as u32)
    }

    /// From here on the text is a system header.
    pub fn set_system(&mut self) {
        self.system = Token::SYSTEM;
    }

    /// Goes to the start of a line, before anything was read. Nothing in front of it may be a splice.
    pub fn skip_to(&mut self, offset: usize) {
        debug_assert!(self.at_line_start, "nothing was read");
        self.pos = match &self.offsets {
            None => offset,
            Some(offsets) => (0..self.text.len()).find(|&pos| offsets.original(pos) >= offset).unwrap_or(0),
        };
    }

    /// Whether tokens are those of a system header.
    pub fn is_system(&self) -> bool {
        self.system != 0
    }

    /// From here to the end of the line, the line end is a token: `PragmaEnd`.
    pub fn start_directive(&mut self) {
        self.in_directive = true;
    }

    /// Line ends are white space again.
    pub fn end_directive(&mut self) {
        self.in_directive = false;
    }

    /// Whether everything is read.
    pub fn at_end(&self) -> bool {
        self.pos + 1 >= self.text.len()
    }

    fn remove_splices(&mut self, from: usize, trigraphs: bool) {
        let (text, offsets) = splice::remove(&self.text, from, trigraphs);
        self.text = text;
        self.offsets = Some(Box::new(offsets));
        self.pos = 0;
    }

    /// Whether a line splice starts at `pos`: a backslash, white space that editors leave there, and the line
    /// end.
    fn is_splice(&self, pos: usize) -> bool {
        self.offsets.is_none() && splice::length(&self.text, pos).is_some()
    }

    /// The next token. Past the end it is `Eof` again and again; in a directive, `PragmaEnd` first.
    #[inline]
    pub fn next(&mut self, cx: &mut Context<'_>) -> Token {
        let mut flags = self.system;
        if self.at_line_start {
            flags |= Token::LINE_START;
        }
        loop {
            let byte = self.text[self.pos];
            match byte {
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => {
                    self.pos += 1;
                    flags |= Token::SPACE_BEFORE;
                }
                b'\n' if self.in_directive => return self.end_of_line(flags),
                b'\n' => {
                    self.pos += 1;
                    flags = self.system | Token::LINE_START;
                }
                b'/' if self.skip_comment(cx) => flags |= Token::SPACE_BEFORE,
                b'\\' if self.is_splice(self.pos) => {
                    self.pos += splice::length(&self.text, self.pos).unwrap_or(1);
                    flags |= Token::SPACE_BEFORE;
                }
                0 if self.at_end() && self.in_directive => return self.end_of_line(flags),
                0 if self.at_end() => {
                    self.at_line_start = true;
                    let loc = self.loc();
                    return Token { kind: TokenKind::Eof, flags, sym: NO_SYMBOL, loc };
                }
                0 => {
                    self.skip_nul(cx);
                    flags |= Token::SPACE_BEFORE;
                }
                _ => break,
            }
        }
        self.at_line_start = false;
        loop {
            if let Some((kind, len, sym)) = self.scan(cx) {
                let loc = self.loc();
                self.pos += len;
                return Token { kind, flags, sym, loc };
            }
            // A splice inside the token: without it, the same bytes are scanned once more.
            self.remove_splices(self.pos, cx.dialect.trigraphs);
        }
    }

    #[cold]
    fn end_of_line(&mut self, flags: u8) -> Token {
        self.at_line_start = true;
        Token { kind: TokenKind::PragmaEnd, flags, sym: NO_SYMBOL, loc: self.loc() }
    }

    #[cold]
    fn skip_nul(&mut self, cx: &mut Context<'_>) {
        if !self.nul_reported {
            self.nul_reported = true;
            let span = Span::at(self.loc());
            let message = "the file contains zero bytes; it may not be a text file";
            cx.sink.push(Diagnostic::error(ids::NULL_CHARACTER, span, message));
        }
        while self.text[self.pos] == 0 && !self.at_end() {
            self.pos += 1;
        }
    }

    /// One token at the current position, which is no white space; none if a splice must be removed first.
    #[inline]
    fn scan(&self, cx: &mut Context<'_>) -> Option<Scanned> {
        let rest = &self.text[self.pos..];
        match rest[0] {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.scan_identifier(cx),
            b'0'..=b'9' => self.scan_number(cx),
            b'.' if rest[1].is_ascii_digit() => self.scan_number(cx),
            quote @ (b'"' | b'\'') => self.scan_quoted(cx, 0, quote),
            128.. => self.scan_wide_identifier(cx),
            b'\\' => self.scan_wide_identifier(cx),
            _ => self.scan_punct(cx),
        }
    }

    #[inline]
    fn scan_identifier(&self, cx: &mut Context<'_>) -> Option<Scanned> {
        let rest = &self.text[self.pos..];
        let mut len = 1;
        while class(rest[len]) & IDENT != 0 {
            len += 1;
        }
        match rest[len] {
            quote @ (b'"' | b'\'') if is_literal_prefix(&rest[..len], quote, cx.dialect) => {
                return self.scan_quoted(cx, len, quote);
            }
            b'\\' | 128.. => return self.scan_wide_identifier(cx),
            _ => {}
        }
        let sym = cx.interner.intern(ascii(&rest[..len]));
        Some((cx.dialect.identifier_kind(sym), len, sym))
    }

    /// An identifier that is not all ASCII, or a stray character. Universal character names become the
    /// characters they name, so that both spellings are one identifier.
    #[cold]
    fn scan_wide_identifier(&self, cx: &mut Context<'_>) -> Option<Scanned> {
        let rest = &self.text[self.pos..];
        let mut name = String::new();
        let mut len = 0;
        loop {
            let (char, char_len) = match rest[len] {
                byte if class(byte) & IDENT != 0 => (char::from(byte), 1),
                b'\\' if self.is_splice(self.pos + len) => return None,
                b'\\' => match chars::universal_name(&rest[len..]) {
                    Some(found) => found,
                    None => break,
                },
                128.. => match chars::decode(&rest[len..]) {
                    Some(found) => found,
                    None => break,
                },
                _ => break,
            };
            if !chars::in_identifier(char, name.is_empty()) {
                break;
            }
            name.push(char);
            len += char_len;
        }
        if name.is_empty() {
            return Some(stray(rest, cx));
        }
        let sym = cx.interner.intern(&name);
        Some((cx.dialect.identifier_kind(sym), len, sym))
    }

    /// pp-number (C11 6.4.8)
    fn scan_number(&self, cx: &mut Context<'_>) -> Option<Scanned> {
        let rest = &self.text[self.pos..];
        let mut len = 1;
        loop {
            let byte = rest[len];
            let signed = matches!(byte, b'+' | b'-') && matches!(rest[len - 1], b'e' | b'E' | b'p' | b'P');
            let separates = byte == b'\'' && cx.dialect.is_c23 && class(rest[len + 1]) & IDENT != 0;
            if class(byte) & NUMBER == 0 && !signed && !separates {
                break;
            }
            len += 1;
        }
        if rest[len] == b'\\' && self.is_splice(self.pos + len) {
            return None;
        }
        Some((TokenKind::Number, len, cx.interner.intern(ascii(&rest[..len]))))
    }

    /// A character constant or a string literal whose prefix has `prefix` bytes.
    fn scan_quoted(&self, cx: &mut Context<'_>, prefix: usize, quote: u8) -> Option<Scanned> {
        let rest = &self.text[self.pos..];
        let mut len = prefix + 1;
        let closed = loop {
            match memchr::memchr3(quote, b'\\', b'\n', &rest[len..]) {
                Some(at) => len += at,
                None => {
                    len = rest.len() - 1;
                    break false;
                }
            }
            match rest[len] {
                b'\\' if self.is_splice(self.pos + len) => return None,
                // The byte after a backslash at the very end is the zero byte behind the text.
                b'\\' if len + 2 < rest.len() => len += 2,
                b'\\' => len += 1,
                byte => break byte == quote,
            }
        };
        if !closed {
            let sym = cx.interner.intern(&String::from_utf8_lossy(&rest[..len]));
            return Some((TokenKind::Unknown, len, sym));
        }
        len += 1;
        let kind = if quote == b'"' { TokenKind::String } else { TokenKind::Char };
        let sym = match std::str::from_utf8(&rest[..len]) {
            Ok(text) => cx.interner.intern(text),
            Err(_) => cx.interner.intern(&chars::escape_invalid(&rest[..len])),
        };
        Some((kind, len, sym))
    }

    fn scan_punct(&self, cx: &mut Context<'_>) -> Option<Scanned> {
        let rest = &self.text[self.pos..];
        // Bytes past the end count as zero, which continues nothing.
        let at = |index: usize| rest.get(index).copied().unwrap_or(0);
        if at(1) == b'\\' && self.is_splice(self.pos + 1) {
            return None;
        }
        let Some((punct, len)) = punctuator([rest[0], at(1), at(2), at(3)]) else {
            return Some(stray(rest, cx));
        };
        if (2..=len).any(|index| at(index) == b'\\' && self.is_splice(self.pos + index)) {
            return None;
        }
        // A digraph has another length than what it stands for.
        let sym = match len == punct.spelling().len() {
            true => NO_SYMBOL,
            false => cx.interner.intern(ascii(&rest[..len])),
        };
        Some((TokenKind::Punct(punct), len, sym))
    }

    /// Skips the comment at the current position, if one starts there.
    fn skip_comment(&mut self, cx: &mut Context<'_>) -> bool {
        let mut next = self.pos + 1;
        while self.is_splice(next) {
            next += splice::length(&self.text, next).unwrap_or(1);
        }
        match self.text[next] {
            b'*' => self.skip_block_comment(next + 1, cx),
            b'/' if cx.dialect.line_comments => self.skip_line_comment(next + 1),
            _ => return false,
        }
        true
    }

    fn skip_block_comment(&mut self, body: usize, cx: &mut Context<'_>) {
        let end = self.text.len() - 1;
        let mut pos = body;
        while let Some(at) = memchr::memchr(b'/', &self.text[pos.min(end)..end]) {
            let slash = pos + at;
            let mut star = slash;
            while star > body && self.offsets.is_none() && self.text[star - 1] == b'\n' {
                match splice::start_before(&self.text, star) {
                    Some(start) if start > body => star = start,
                    _ => break,
                }
            }
            pos = slash + 1;
            if star > body && self.text[star - 1] == b'*' {
                self.pos = pos;
                return;
            }
        }
        let span = Span::at(self.loc());
        let message = "this comment is not terminated";
        cx.sink.push(Diagnostic::error(ids::UNTERMINATED_COMMENT, span, message));
        self.pos = end;
    }

    fn skip_line_comment(&mut self, body: usize) {
        let end = self.text.len() - 1;
        let mut pos = body;
        loop {
            match memchr::memchr(b'\n', &self.text[pos..end]) {
                Some(at) => pos += at,
                None => {
                    pos = end;
                    break;
                }
            }
            let continued = self.offsets.is_none()
                && splice::start_before(&self.text, pos + 1).is_some_and(|start| start >= body);
            if !continued {
                break;
            }
            pos += 1;
        }
        self.pos = pos;
    }

    /// Whether the next token of the line, or in a text outside of a directive of the next lines, is `(`.
    /// Reads nothing: what a macro's name is followed by decides whether it is a call.
    pub fn next_is_paren(&mut self, cx: &mut Context<'_>) -> bool {
        let (pos, at_line_start) = (self.pos, self.at_line_start);
        let found = loop {
            let byte = self.text[self.pos];
            match byte {
                b'(' => break true,
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => self.pos += 1,
                b'\n' if !self.in_directive => self.pos += 1,
                b'/' if self.skip_comment(cx) => {}
                b'\\' if self.is_splice(self.pos) => {
                    self.pos += splice::length(&self.text, self.pos).unwrap_or(1);
                }
                _ => break false,
            }
        };
        (self.pos, self.at_line_start) = (pos, at_line_start);
        found
    }

    /// The name of an `#include` if one starts here, delimiters included: `<...>` or `"..."`.
    pub fn header_name(&mut self, cx: &mut Context<'_>) -> Option<(String, Loc)> {
        loop {
            let byte = self.text[self.pos];
            match byte {
                b' ' | b'\t' | b'\r' => self.pos += 1,
                b'/' if self.skip_comment(cx) => {}
                b'\\' if self.is_splice(self.pos) => {
                    self.pos += splice::length(&self.text, self.pos).unwrap_or(1);
                }
                _ => break,
            }
        }
        let close = match self.text[self.pos] {
            b'<' => b'>',
            b'"' => b'"',
            _ => return None,
        };
        let rest = &self.text[self.pos + 1..self.text.len() - 1];
        let at = memchr::memchr2(close, b'\n', rest).filter(|&at| rest[at] == close)?;
        let loc = self.loc();
        let name = String::from_utf8_lossy(&self.text[self.pos..self.pos + at + 2]).into_owned();
        self.pos += at + 2;
        Some((name, loc))
    }

    /// The text from here to the end of the line, comments and all, without white space at both ends. Used
    /// for `#error` and for pragmas, whose text need not consist of tokens.
    pub fn rest_of_line(&mut self) -> String {
        if self.offsets.is_none() && splice::in_line(&self.text, self.pos) {
            self.remove_splices(self.pos, false);
        }
        let end = self.text.len() - 1;
        let len = memchr::memchr(b'\n', &self.text[self.pos..end]).unwrap_or(end - self.pos);
        let text = String::from_utf8_lossy(&self.text[self.pos..self.pos + len]).trim().to_owned();
        self.pos += len;
        text
    }

    /// Skips to the end of the line, comments that span lines included, without making tokens.
    pub fn skip_line(&mut self, cx: &mut Context<'_>) {
        while !matches!(self.text[self.pos], b'\n') && !self.at_end() {
            let byte = self.text[self.pos];
            match byte {
                b'/' if self.skip_comment(cx) => {}
                b'"' | b'\'' => self.skip_quoted(),
                b'\\' if self.is_splice(self.pos) => {
                    self.pos += splice::length(&self.text, self.pos).unwrap_or(1);
                }
                _ => self.pos += 1,
            }
            while class(self.text[self.pos]) & (IDENT | SPACE) != 0 {
                self.pos += 1;
            }
        }
    }

    /// Skips a literal in text that is not compiled; a quote that nothing closes on its line is skipped
    /// alone.
    fn skip_quoted(&mut self) {
        let quote = self.text[self.pos];
        let mut pos = self.pos + 1;
        loop {
            match self.text[pos] {
                b'\n' => break,
                0 if pos + 1 >= self.text.len() => break,
                b'\\' if self.is_splice(pos) => pos += splice::length(&self.text, pos).unwrap_or(1),
                b'\\' if pos + 2 < self.text.len() => pos += 2,
                byte => {
                    pos += 1;
                    if byte == quote {
                        self.pos = pos;
                        return;
                    }
                }
            }
        }
        // An apostrophe in prose must not hide a comment that starts behind it, nor cost a scan of the line
        // each.
        self.pos = if quote == b'\'' { self.pos + 1 } else { pos };
    }

    /// In text that is not compiled: moves to behind the `#` of the next line that has one; false at the end.
    pub fn skip_to_directive(&mut self, cx: &mut Context<'_>) -> bool {
        loop {
            let byte = self.text[self.pos];
            match byte {
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => self.pos += 1,
                b'\n' => {
                    self.pos += 1;
                    self.at_line_start = true;
                }
                b'/' if self.skip_comment(cx) => {}
                b'\\' if self.is_splice(self.pos) => {
                    self.pos += splice::length(&self.text, self.pos).unwrap_or(1);
                }
                b'#' => {
                    self.pos += 1;
                    self.at_line_start = false;
                    return true;
                }
                b'%' if self.text[self.pos + 1] == b':' => {
                    self.pos += 2;
                    self.at_line_start = false;
                    return true;
                }
                0 if self.at_end() => return false,
                _ => self.skip_line(cx),
            }
        }
    }
}

/// The length in bytes of the token at the start of `text`, which ends in a zero byte: for the renderer,
/// which knows where a token starts.
pub fn token_length(text: &[u8]) -> usize {
    let Some(&first) = text.first() else { return 0 };
    let in_word = |byte: &u8| class(*byte) & IDENT != 0 || *byte >= 128;
    let word = text.iter().take_while(|byte| in_word(byte)).count();
    let quoted = |from: usize, quote: u8| {
        let mut escaped = false;
        for (index, &byte) in text.iter().enumerate().skip(from + 1) {
            match byte {
                b'\n' => return index,
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                _ if byte == quote => return index + 1,
                _ => {}
            }
        }
        text.len()
    };
    match (first, text.get(word)) {
        (b'0'..=b'9', _) => text.iter().take_while(|byte| class(**byte) & NUMBER != 0).count(),
        (_, Some(&quote @ (b'"' | b'\''))) if word <= 2 => quoted(word, quote),
        _ if word > 0 => word,
        _ => {
            let at = |index: usize| text.get(index).copied().unwrap_or(0);
            punctuator([first, at(1), at(2), at(3)]).map_or(1, |(_, len)| len)
        }
    }
}

/// What is wrong with a token of kind `Unknown` that was spelled like this: a message and the id of the
/// diagnostic.
pub fn describe_unknown(spelling: &str) -> (&'static Id, String) {
    match spelling.trim_start_matches(['L', 'u', 'U', '8']).chars().next() {
        Some(quote @ ('"' | '\'')) => {
            (ids::UNTERMINATED_LITERAL, format!("missing terminating `{quote}` character"))
        }
        Some(char) if char.is_control() || !char.is_ascii() => {
            let code = if spelling.starts_with("\\x") {
                spelling.to_owned()
            } else {
                format!("U+{:04X}", char as u32)
            };
            (ids::STRAY_CHARACTER, format!("stray character `{spelling}` ({code}) in program"))
        }
        _ => (ids::STRAY_CHARACTER, format!("stray `{spelling}` in program")),
    }
}

#[cold]
fn stray(rest: &[u8], cx: &mut Context<'_>) -> Scanned {
    let (spelling, len) = match chars::decode(rest) {
        Some((char, len)) => (char.to_string(), len),
        None => (format!("\\x{:02x}", rest[0]), 1),
    };
    (TokenKind::Unknown, len, cx.interner.intern(&spelling))
}

/// Bytes that were found to be ASCII one by one.
#[inline]
fn ascii(bytes: &[u8]) -> &str {
    debug_assert!(bytes.is_ascii());
    // SAFETY: every caller has looked at each of these bytes and found an ASCII character; ASCII is UTF-8.
    unsafe { std::str::from_utf8_unchecked(bytes) }
}

fn is_literal_prefix(prefix: &[u8], quote: u8, dialect: &Dialect) -> bool {
    match prefix {
        b"L" => true,
        b"u" | b"U" => dialect.unicode_literals,
        b"u8" => dialect.is_c23 || dialect.unicode_literals && quote == b'"',
        _ => false,
    }
}

/// The longest punctuator at the start of four bytes (C11 6.4.6), digraphs folded.
#[inline]
fn punctuator(bytes: [u8; 4]) -> Option<(Punct, usize)> {
    use Punct::*;
    let [first, second, third, fourth] = bytes;
    Some(match (first, second, third) {
        (b'[', ..) => (LBracket, 1),
        (b']', ..) => (RBracket, 1),
        (b'(', ..) => (LParen, 1),
        (b')', ..) => (RParen, 1),
        (b'{', ..) => (LBrace, 1),
        (b'}', ..) => (RBrace, 1),
        (b';', ..) => (Semi, 1),
        (b',', ..) => (Comma, 1),
        (b'~', ..) => (Tilde, 1),
        (b'?', ..) => (Question, 1),
        (b'.', b'.', b'.') => (Ellipsis, 3),
        (b'.', ..) => (Dot, 1),
        (b'-', b'>', _) => (Arrow, 2),
        (b'-', b'-', _) => (MinusMinus, 2),
        (b'-', b'=', _) => (MinusEq, 2),
        (b'-', ..) => (Minus, 1),
        (b'+', b'+', _) => (PlusPlus, 2),
        (b'+', b'=', _) => (PlusEq, 2),
        (b'+', ..) => (Plus, 1),
        (b'&', b'&', _) => (AmpAmp, 2),
        (b'&', b'=', _) => (AmpEq, 2),
        (b'&', ..) => (Amp, 1),
        (b'|', b'|', _) => (PipePipe, 2),
        (b'|', b'=', _) => (PipeEq, 2),
        (b'|', ..) => (Pipe, 1),
        (b'*', b'=', _) => (StarEq, 2),
        (b'*', ..) => (Star, 1),
        (b'!', b'=', _) => (Ne, 2),
        (b'!', ..) => (Bang, 1),
        (b'/', b'=', _) => (SlashEq, 2),
        (b'/', ..) => (Slash, 1),
        (b'%', b':', b'%') if fourth == b':' => (HashHash, 4),
        (b'%', b'=', _) => (PercentEq, 2),
        (b'%', b'>', _) => (RBrace, 2),
        (b'%', b':', _) => (Hash, 2),
        (b'%', ..) => (Percent, 1),
        (b'<', b'<', b'=') => (ShlEq, 3),
        (b'<', b'<', _) => (Shl, 2),
        (b'<', b'=', _) => (Le, 2),
        (b'<', b':', _) => (LBracket, 2),
        (b'<', b'%', _) => (LBrace, 2),
        (b'<', ..) => (Lt, 1),
        (b'>', b'>', b'=') => (ShrEq, 3),
        (b'>', b'>', _) => (Shr, 2),
        (b'>', b'=', _) => (Ge, 2),
        (b'>', ..) => (Gt, 1),
        (b'=', b'=', _) => (EqEq, 2),
        (b'=', ..) => (Eq, 1),
        (b'^', b'=', _) => (CaretEq, 2),
        (b'^', ..) => (Caret, 1),
        (b':', b'>', _) => (RBracket, 2),
        (b':', ..) => (Colon, 1),
        (b'#', b'#', _) => (HashHash, 2),
        (b'#', ..) => (Hash, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
