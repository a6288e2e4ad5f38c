//! Text to tokens.

use crate::error::{Pos, Problem, Result};

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Token<'a> {
    /// An opcode with its modifiers, a register, a label, a symbol.
    Word(&'a str),
    /// `.word`, less its dot.
    Directive(&'a str),
    /// Digits and what belongs to them, as written.
    Number(&'a str),
    /// Text between quotes, escapes as written.
    Text(&'a str),
    /// One character.
    Punct(u8),
    /// The end of the text.
    End,
}

/// A token and where it stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Spanned<'a> {
    pub(crate) token: Token<'a>,
    pub(crate) pos: Pos,
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
}

/// The tokens of a text; the last one is `End`.
pub(crate) fn tokens(text: &str) -> Result<Vec<Spanned<'_>>> {
    let mut lexer = Lexer { text, at: 0, line: 1, line_start: 0 };
    let mut list = Vec::with_capacity(text.len() / 4);
    loop {
        lexer.skip_blanks()?;
        let pos = lexer.pos();
        let token = lexer.next()?;
        list.push(Spanned { token, pos });
        if token == Token::End {
            return Ok(list);
        }
    }
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'%')
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%')
}

impl<'a> Lexer<'a> {
    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn pos(&self) -> Pos {
        let column = self.at - self.line_start + 1;
        Pos { line: self.line, column: u32::try_from(column).unwrap_or(u32::MAX) }
    }

    fn newline(&mut self) {
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
    }

    fn skip_blanks(&mut self) -> Result<()> {
        while let Some(&byte) = self.bytes().get(self.at) {
            match (byte, self.peek(1)) {
                (b'\n', _) => {
                    self.at += 1;
                    self.newline();
                }
                (byte, _) if byte.is_ascii_whitespace() || byte == 0 => self.at += 1,
                (b'/', b'/') => {
                    let rest = &self.bytes()[self.at..];
                    self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                }
                (b'/', b'*') => self.skip_block_comment()?,
                _ => break,
            }
        }
        Ok(())
    }

    fn skip_block_comment(&mut self) -> Result<()> {
        let start = self.pos();
        self.at += 2;
        loop {
            match (self.bytes().get(self.at), self.peek(1)) {
                (None, _) => return Err(Problem::new(start, "this comment has no end")),
                (Some(b'*'), b'/') => {
                    self.at += 2;
                    return Ok(());
                }
                (Some(b'\n'), _) => {
                    self.at += 1;
                    self.newline();
                }
                _ => self.at += 1,
            }
        }
    }

    fn next(&mut self) -> Result<Token<'a>> {
        let start = self.at;
        let Some(&byte) = self.bytes().get(start) else { return Ok(Token::End) };
        if starts_word(byte) {
            self.word();
            return Ok(Token::Word(&self.text[start..self.at]));
        }
        match byte {
            b'.' if starts_word(self.peek(1)) => {
                self.at += 1;
                while continues_name(self.peek(0)) {
                    self.at += 1;
                }
                Ok(Token::Directive(&self.text[start + 1..self.at]))
            }
            b'0'..=b'9' => {
                self.number();
                Ok(Token::Number(&self.text[start..self.at]))
            }
            b'"' => self.quoted(),
            byte if byte.is_ascii_punctuation() => {
                self.at += 1;
                Ok(Token::Punct(byte))
            }
            _ => {
                let character = self.text[start..].chars().next().unwrap_or('?');
                Err(Problem::new(self.pos(), format!("{character:?} has no meaning in PTX")))
            }
        }
    }

    /// Dots and `::` belong to a word when a name follows them.
    fn word(&mut self) {
        loop {
            while continues_name(self.peek(0)) {
                self.at += 1;
            }
            if self.peek(0) == b'.' && continues_name(self.peek(1)) {
                self.at += 1;
            } else if self.peek(0) == b':' && self.peek(1) == b':' && continues_name(self.peek(2)) {
                self.at += 2;
            } else {
                return;
            }
        }
    }

    fn number(&mut self) {
        let decimal = !(self.peek(0) == b'0' && self.peek(1).is_ascii_alphabetic());
        while continues_name(self.peek(0)) || (decimal && self.peek(0) == b'.') {
            let exponent = decimal && matches!(self.peek(0), b'e' | b'E');
            self.at += 1;
            if exponent && matches!(self.peek(0), b'+' | b'-') && self.peek(1).is_ascii_digit() {
                self.at += 1;
            }
        }
    }

    fn quoted(&mut self) -> Result<Token<'a>> {
        let (start, pos) = (self.at + 1, self.pos());
        self.at += 1;
        loop {
            match self.bytes().get(self.at) {
                None | Some(b'\n') => return Err(Problem::new(pos, "this text has no closing quote")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Token::Text(&self.text[start..self.at - 1]));
                }
                Some(b'\\') if self.at + 1 < self.text.len() => self.at += 2,
                Some(_) => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token<'_>> {
        tokens(text).expect("the text has tokens").into_iter().map(|spanned| spanned.token).collect()
    }

    #[test]
    fn words_keep_their_modifiers_and_directives_are_single() {
        assert_eq!(
            kinds(".reg.u64 %r<4>; ld.global.L1::evict_last.u32 $L:"),
            [
                Token::Directive("reg"),
                Token::Directive("u64"),
                Token::Word("%r"),
                Token::Punct(b'<'),
                Token::Number("4"),
                Token::Punct(b'>'),
                Token::Punct(b';'),
                Token::Word("ld.global.L1::evict_last.u32"),
                Token::Word("$L"),
                Token::Punct(b':'),
                Token::End,
            ]
        );
    }

    #[test]
    fn comments_count_lines() {
        let list = tokens("// one\n/* two\nthree */ word").expect("the text has tokens");
        assert_eq!(list[0].pos, Pos { line: 3, column: 10 });
    }

    #[test]
    fn what_does_not_end_is_an_error() {
        assert!(tokens("/* ").is_err());
        assert!(tokens("\"abc\n\"").is_err());
        assert!(tokens("\"\\").is_err());
    }

    #[test]
    fn numbers_end_where_they_should() {
        assert_eq!(kinds("0f3F800000 1.5e-3 0x1F 7.8")[..4].len(), 4);
        assert_eq!(kinds("1.5e-3")[0], Token::Number("1.5e-3"));
        assert_eq!(kinds("4-1")[0], Token::Number("4"));
    }
}
