//! Words of the text form.

use std::fmt;

/// Why a text is not a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was expected there, and what was found.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Letters, digits, `_`, `$`, `.`, not starting with a digit.
    Word,
    /// A number with what follows it immediately, such as a type.
    Number,
    /// A text in quotes, which are part of the token.
    String,
    /// Anything else: one character, or one of `&&`, `||`, `->`, `..=`, `...`.
    Punct,
    /// The end of the text.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Byte offset in the text.
    pub(super) at: usize,
}

impl Token<'_> {
    /// How an error message calls it.
    pub(super) fn describe(&self) -> String {
        const LONGEST: usize = 40;
        match self.kind {
            Kind::End => "the end of the text".to_owned(),
            Kind::Word | Kind::Number | Kind::String | Kind::Punct if self.text.chars().count() > LONGEST => {
                format!("`{}...`", self.text.chars().take(LONGEST).collect::<String>())
            }
            Kind::Word | Kind::Number | Kind::String | Kind::Punct => format!("`{}`", self.text),
        }
    }
}

/// Cuts a text into tokens.
#[derive(Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0 }
    }

    /// An error at a byte offset.
    pub(super) fn error(&self, at: usize, message: String) -> ParseError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ParseError {
            line: before.bytes().filter(|b| *b == b'\n').count() + 1,
            column: before[start..].chars().count() + 1,
            message,
        }
    }

    fn byte(&self, index: usize) -> u8 {
        self.text.as_bytes().get(index).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.byte(self.at) {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.byte(self.at + 1) == b'/' => {
                    self.at = self.text[self.at..].find('\n').map_or(self.text.len(), |n| self.at + n);
                }
                _ => return,
            }
        }
    }

    /// The next token; at the end, [`Kind::End`] for ever.
    pub(super) fn token(&mut self) -> Result<Token<'t>, ParseError> {
        self.skip_blanks();
        let at = self.at;
        let kind = match self.byte(at) {
            _ if at >= self.text.len() => Kind::End,
            b'"' => self.string()?,
            b'0'..=b'9' => self.number(),
            b'-' if self.byte(at + 1).is_ascii_digit() => self.number(),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' => {
                while is_word(self.byte(self.at)) || self.byte(self.at) == b'.' {
                    self.at += 1;
                }
                Kind::Word
            }
            _ => self.punctuation(),
        };
        Ok(Token { kind, text: &self.text[at..self.at], at })
    }

    fn string(&mut self) -> Result<Kind, ParseError> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.byte(self.at) {
                b'"' => {
                    self.at += 1;
                    return Ok(Kind::String);
                }
                _ if self.at >= self.text.len() => {
                    return Err(
                        self.error(start, "expected `\"` at the end of the text in quotes".to_owned())
                    );
                }
                b'\n' => {
                    return Err(self.error(start, "expected `\"` before the end of the line".to_owned()));
                }
                b'\\' if self.at + 1 < self.text.len() => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn digits(&mut self) {
        while self.byte(self.at).is_ascii_digit() {
            self.at += 1;
        }
    }

    fn number(&mut self) -> Kind {
        self.at += 1;
        self.digits();
        if self.byte(self.at) == b'.' && self.byte(self.at + 1).is_ascii_digit() {
            self.at += 1;
            self.digits();
        }
        if self.byte(self.at) == b'e' {
            let sign = usize::from(matches!(self.byte(self.at + 1), b'+' | b'-'));
            if self.byte(self.at + 1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.digits();
            }
        }
        while is_word(self.byte(self.at)) {
            self.at += 1;
        }
        Kind::Number
    }

    fn punctuation(&mut self) -> Kind {
        let rest = &self.text[self.at..];
        let long = ["..=", "...", "&&", "||", "->"].into_iter().find(|long| rest.starts_with(long));
        self.at += match long {
            Some(long) => long.len(),
            None => rest.chars().next().map_or(0, char::len_utf8),
        };
        Kind::Punct
    }

    /// The bytes that a text in quotes stands for.
    pub(super) fn unquote(&self, token: &Token<'t>) -> Result<Vec<u8>, ParseError> {
        let inner = token.text.get(1..token.text.len().saturating_sub(1)).unwrap_or("");
        let mut bytes = Vec::with_capacity(inner.len());
        let mut chars = inner.char_indices();
        while let Some((i, c)) = chars.next() {
            if c != '\\' {
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            let bad = || {
                let message = r#"expected one of `\\`, `\"`, `\n`, `\t`, `\xNN`, `\u{N}`"#.to_owned();
                self.error(token.at + 1 + i, message)
            };
            match chars.next().map(|(_, c)| c) {
                Some('n') => bytes.push(b'\n'),
                Some('t') => bytes.push(b'\t'),
                Some(c @ ('"' | '\\')) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                Some('x') => {
                    let digits: String = chars.by_ref().take(2).map(|(_, c)| c).collect();
                    let valid = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_hexdigit());
                    bytes
                        .push(valid.then(|| u8::from_str_radix(&digits, 16).ok()).flatten().ok_or_else(bad)?);
                }
                Some('u') => {
                    let digits: String = chars.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').collect();
                    let code = digits.strip_prefix('{').and_then(|hex| u32::from_str_radix(hex, 16).ok());
                    let c = code.and_then(char::from_u32).ok_or_else(bad)?;
                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return Err(bad()),
            }
        }
        Ok(bytes)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut lexer = Lexer::new(text);
        let mut list = Vec::new();
        loop {
            let token = lexer.token().expect("a token");
            if token.kind == Kind::End {
                return list;
            }
            list.push(token.text);
        }
    }

    #[test]
    fn tokens_are_cut_where_the_grammar_needs_it() {
        assert_eq!(
            words("v3.sum = cmp.lt -1i8, 2.5e-7f64 // end"),
            ["v3.sum", "=", "cmp.lt", "-1i8", ",", "2.5e-7f64"]
        );
        assert_eq!(words("-4..=-1: bb1"), ["-4", "..=", "-1", ":", "bb1"]);
        assert_eq!(words("[s4.a - 8]@1:2&&|"), ["[", "s4.a", "-", "8", "]", "@", "1", ":", "2", "&&", "|"]);
        assert_eq!(words("v1.\"a \\\" b\" é"), ["v1.", "\"a \\\" b\"", "é"]);
    }

    #[test]
    fn unfinished_texts_and_bad_escapes_have_a_place() {
        let mut lexer = Lexer::new("a\n  \"b");
        lexer.token().expect("a word");
        let error = lexer.token().expect_err("no end");
        assert_eq!((error.line, error.column), (2, 3));
        for text in ["\"\\q\"", "\"\\x1\"", "\"\\u{d800}\"", "\"\\", "\"\\u{\""] {
            let mut lexer = Lexer::new(text);
            let result = lexer.token().and_then(|token| lexer.unquote(&token));
            assert!(result.is_err(), "{text} is accepted");
        }
    }
}
