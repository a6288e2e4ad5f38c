//! Constants.

use super::ast::Number;
use super::lex::Token;
use super::{DEEPEST, Reader};
use crate::error::Result;

impl Reader<'_> {
    /// A number that is a count or a line.
    pub(super) fn small_number(&mut self) -> Result<u32> {
        let pos = self.pos();
        let value = self.number_token()?;
        match value {
            Number::Int(value) if u32::try_from(value).is_ok() => Ok(value as u32),
            _ => Err(crate::error::Problem::new(pos, "this number is too large")),
        }
    }

    /// A constant expression of integers.
    pub(super) fn integer(&mut self) -> Result<u64> {
        let pos = self.pos();
        match self.number()? {
            Number::Int(value) => Ok(value),
            Number::F32(_) | Number::F64(_) => {
                Err(crate::error::Problem::new(pos, "an integer is expected here"))
            }
        }
    }

    /// A constant, or an expression of integers with the operators of C, `+ - * / % << >> & | ^`, by their
    /// precedence.
    pub(super) fn number(&mut self) -> Result<Number> {
        self.binary(0, 0)
    }

    fn binary(&mut self, least: u8, depth: usize) -> Result<Number> {
        let mut left = self.unary(depth)?;
        loop {
            let Token::Punct(first) = self.peek() else { return Ok(left) };
            let double = self.peek_at(1) == Token::Punct(first);
            let (precedence, length) = match first {
                b'*' | b'/' | b'%' => (6, 1),
                b'+' | b'-' => (5, 1),
                b'<' | b'>' if double => (4, 2),
                b'&' if !double => (3, 1),
                b'^' => (2, 1),
                b'|' if !double => (1, 1),
                _ => return Ok(left),
            };
            if precedence <= least {
                return Ok(left);
            }
            self.at += length;
            let right = self.binary(precedence, depth + 1)?;
            let (Number::Int(a), Number::Int(b)) = (left, right) else {
                return self.problem("expressions of floating-point constants are not simulated");
            };
            let value = match first {
                b'*' => Some(a.wrapping_mul(b)),
                b'/' => (a as i64).checked_div(b as i64).map(|value| value as u64),
                b'%' => (a as i64).checked_rem(b as i64).map(|value| value as u64),
                b'+' => Some(a.wrapping_add(b)),
                b'-' => Some(a.wrapping_sub(b)),
                b'<' => Some(a.checked_shl(b as u32).unwrap_or(0)),
                b'>' => Some(a.checked_shr(b as u32).unwrap_or(0)),
                b'&' => Some(a & b),
                b'^' => Some(a ^ b),
                _ => Some(a | b),
            };
            let Some(value) = value else { return self.problem("a division by zero") };
            left = Number::Int(value);
        }
    }

    fn unary(&mut self, depth: usize) -> Result<Number> {
        if depth > DEEPEST {
            return self.problem("this expression is nested too deeply");
        }
        if self.accept(b'+') {
            return self.unary(depth + 1);
        }
        if self.accept(b'-') {
            return Ok(match self.unary(depth + 1)? {
                Number::Int(value) => Number::Int(value.wrapping_neg()),
                Number::F32(bits) => Number::F32(bits ^ (1 << 31)),
                Number::F64(bits) => Number::F64(bits ^ (1 << 63)),
            });
        }
        if self.accept(b'~') {
            return match self.unary(depth + 1)? {
                Number::Int(value) => Ok(Number::Int(!value)),
                Number::F32(_) | Number::F64(_) => self.problem("`~` takes an integer"),
            };
        }
        if self.accept(b'(') {
            // A cast.
            if matches!(self.peek(), super::Token::Directive("s64" | "u64")) {
                self.at += 1;
                self.expect(b')')?;
                return self.unary(depth + 1);
            }
            let value = self.binary(0, depth + 1)?;
            self.expect(b')')?;
            return Ok(value);
        }
        self.number_token()
    }

    pub(super) fn number_token(&mut self) -> Result<Number> {
        let Token::Number(text) = self.peek() else { return self.expected("a number") };
        let Some(number) = parse(text) else { return self.problem(format!("`{text}` is no number")) };
        self.at += 1;
        Ok(number)
    }
}

/// The value of a number's text.
fn parse(text: &str) -> Option<Number> {
    let digits = |text: &str, radix| u64::from_str_radix(text.trim_end_matches('U'), radix).ok();
    let prefix = text.get(..2).unwrap_or_default();
    let rest = text.get(2..).unwrap_or_default();
    let exact = |count: usize| rest.len() == count && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(match prefix {
        "0x" | "0X" => Number::Int(digits(rest, 16)?),
        "0b" | "0B" => Number::Int(digits(rest, 2)?),
        "0f" | "0F" if exact(8) => Number::F32(u32::from_str_radix(rest, 16).ok()?),
        "0d" | "0D" if exact(16) => Number::F64(u64::from_str_radix(rest, 16).ok()?),
        _ if text.contains(['.', 'e', 'E']) => Number::F64(text.parse::<f64>().ok()?.to_bits()),
        _ if text.len() > 1 && text.starts_with('0') => Number::Int(digits(text, 8)?),
        _ => Number::Int(digits(text, 10)?),
    })
}
