//! Constants and string literals (C11 6.4.4, 6.4.5): from their spelling to a value and a type.

use super::binary_float::{self, Extended};
use super::{Sema, ids};
use crate::ctype::{ArrayLen, FloatKind, IntKind, QualType, TypeId};
use crate::intern::Symbol;
use crate::options::Standard;
use crate::source::Span;
use crate::typed::{Expr, ExprKind, FloatConst, StringLit};

/// The prefix of a character constant or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    Plain,
    Utf8,
    Char16,
    Char32,
    Wide,
}

impl Encoding {
    fn of(spelling: &str) -> (Encoding, &str) {
        for (prefix, encoding) in
            [("u8", Encoding::Utf8), ("u", Encoding::Char16), ("U", Encoding::Char32), ("L", Encoding::Wide)]
        {
            if let Some(rest) = spelling.strip_prefix(prefix) {
                return (encoding, rest);
            }
        }
        (Encoding::Plain, spelling)
    }

    /// The type of an element.
    pub fn element(self) -> IntKind {
        match self {
            Encoding::Plain | Encoding::Utf8 => IntKind::Char,
            Encoding::Char16 => IntKind::UShort,
            Encoding::Char32 => IntKind::UInt,
            Encoding::Wide => IntKind::Int,
        }
    }
}

/// One element of the text between quotes.
enum Unit {
    /// A character of the source, or of a universal character name: to be encoded.
    Char(char),
    /// A numeric escape or a byte that is no UTF-8: goes in as it is.
    Value(u32),
}

impl Sema<'_> {
    /// A preprocessing number.
    pub(super) fn number(&mut self, spelling: Symbol, span: Span) -> Expr {
        let spelling = self.session.interner.shared(spelling);
        // Digit separators say nothing.
        let text = if spelling.contains('\'') { spelling.replace('\'', "").into() } else { spelling };
        let hex = text.starts_with("0x") || text.starts_with("0X");
        let bytes = text.as_bytes();
        let floating = bytes.contains(&b'.')
            || if hex {
                text.contains(['p', 'P'])
            } else {
                text.contains(['e', 'E']) && !text.starts_with("0b")
            };
        let result = if floating { self.floating(&text, hex, span) } else { self.integer(&text, span) };
        match result {
            Ok(expr) => expr,
            Err(message) => {
                self.error(ids::INVALID_CONSTANT, span, message);
                self.error_expr(span)
            }
        }
    }

    fn integer(&mut self, text: &str, span: Span) -> Result<Expr, String> {
        let (radix, digits) = match text.as_bytes() {
            [b'0', b'x' | b'X', ..] => (16, &text[2..]),
            [b'0', b'b' | b'B', ..] => (2, &text[2..]),
            [b'0', _, ..] => (8, &text[1..]),
            _ => (10, text),
        };
        let end =
            digits.find(|c: char| !c.is_digit(if radix < 10 { 10 } else { radix })).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        if digits.is_empty() && radix != 8 {
            return Err(format!("invalid suffix '{suffix}' on integer constant"));
        }
        let (mut value, mut overflow) = (0u64, false);
        for c in digits.chars() {
            let Some(digit) = c.to_digit(radix) else {
                let name = if radix == 8 { "octal" } else { "binary" };
                return Err(format!("invalid digit '{c}' in {name} constant"));
            };
            let (scaled, o1) = value.overflowing_mul(u64::from(radix));
            let (sum, o2) = scaled.overflowing_add(u64::from(digit));
            (value, overflow) = (sum, overflow || o1 || o2);
        }
        if overflow {
            self.warn(ids::OVERFLOW, span, "integer constant is too large for its type");
        }
        let lower = suffix.to_ascii_lowercase();
        let imaginary = lower.contains(['i', 'j']);
        if lower.contains("wb") {
            return Err("bit-precise integers (`_BitInt`) are not supported".to_owned());
        }
        let (unsigned, rank) = match lower.replace(['i', 'j'], "").as_str() {
            "" => (false, IntKind::Int),
            "u" => (true, IntKind::Int),
            "l" => (false, IntKind::Long),
            "ul" | "lu" => (true, IntKind::Long),
            "ll" => (false, IntKind::LongLong),
            "ull" | "llu" => (true, IntKind::LongLong),
            _ => return Err(format!("invalid suffix '{suffix}' on integer constant")),
        };
        if suffix.contains("lL") || suffix.contains("Ll") {
            return Err(format!("invalid suffix '{suffix}' on integer constant"));
        }
        let kind = self.integer_kind(value, radix == 10, unsigned, rank, span);
        if imaginary {
            // GNU C has complex integers; their arithmetic is that of complex doubles but for division.
            return Ok(self.imaginary(FloatConst::Double(value as f64), FloatKind::Double, span));
        }
        Ok(self.int_expr(i128::from(value), kind.type_id(), span))
    }

    /// The first type of the list of C11 6.4.4.1 that holds the value.
    fn integer_kind(
        &mut self,
        value: u64,
        decimal: bool,
        unsigned: bool,
        rank: IntKind,
        span: Span,
    ) -> IntKind {
        let c89 = self.session.options.standard == Standard::C89;
        let ladder = [
            (IntKind::Int, false),
            (IntKind::UInt, true),
            (IntKind::Long, false),
            (IntKind::ULong, true),
            (IntKind::LongLong, false),
            (IntKind::ULongLong, true),
        ];
        let allowed = |kind: IntKind, is_unsigned: bool| {
            kind.rank() >= rank.rank()
                && if is_unsigned { unsigned || !decimal || c89 && kind == IntKind::ULong } else { !unsigned }
        };
        for (kind, is_unsigned) in ladder {
            if allowed(kind, is_unsigned) && kind.holds(i128::from(value)) {
                return kind;
            }
        }
        // Not unsigned, as in C89: what is negated or compared stays right, as with GCC.
        self.warn(ids::OVERFLOW, span, "integer constant does not fit 'long long': it is an '__int128'");
        IntKind::Int128
    }

    fn floating(&mut self, text: &str, hex: bool, span: Span) -> Result<Expr, String> {
        let body = if hex { &text[2..] } else { text };
        let mut digits = Vec::with_capacity(body.len());
        let (mut exponent, mut seen_point) = (0i64, false);
        let mut rest = body.char_indices().peekable();
        let radix = if hex { 16 } else { 10 };
        let mut end = body.len();
        while let Some(&(at, c)) = rest.peek() {
            if c == '.' {
                if seen_point {
                    return Err("too many decimal points in number".to_owned());
                }
                seen_point = true;
            } else if let Some(digit) = c.to_digit(radix) {
                digits.push(digit as u8);
                exponent -= i64::from(seen_point);
            } else {
                end = at;
                break;
            }
            rest.next();
        }
        if digits.is_empty() {
            return Err("floating constant has no digits".to_owned());
        }
        let mut suffix = &body[end..];
        let mut written = 0i64;
        if let Some(tail) = suffix.strip_prefix(if hex { ['p', 'P'] } else { ['e', 'E'] }) {
            let unsigned = tail.strip_prefix(['+', '-']).unwrap_or(tail);
            let length = unsigned.bytes().take_while(u8::is_ascii_digit).count();
            if length == 0 {
                return Err("exponent has no digits".to_owned());
            }
            written = unsigned[..length].parse::<i64>().unwrap_or(1 << 40).min(1 << 40);
            if tail.starts_with('-') {
                written = -written;
            }
            suffix = &unsigned[length..];
        } else if hex {
            return Err("hexadecimal floating constants require an exponent".to_owned());
        }
        let (kind, imaginary) = float_suffix(suffix)?;
        let value = if hex {
            hex_value(&digits, exponent * 4 + written, kind)
        } else {
            decimal_value(&body[..body.len() - suffix.len()], &digits, exponent + written, kind)
        };
        if is_infinite(value) {
            let message = format!("floating constant exceeds range of '{}'", kind.name());
            self.warn(ids::OVERFLOW, span, message);
        }
        if imaginary {
            return Ok(self.imaginary(value, kind, span));
        }
        Ok(Expr { kind: ExprKind::Float(value), ty: QualType::plain(kind.type_id()), span })
    }

    fn imaginary(&mut self, value: FloatConst, kind: FloatKind, span: Span) -> Expr {
        let part = |value| {
            Box::new(Expr { kind: ExprKind::Float(value), ty: QualType::plain(kind.type_id()), span })
        };
        let zero = match value {
            FloatConst::Double(_) => FloatConst::Double(0.0),
            FloatConst::Extended(_) => FloatConst::Extended([0; 10]),
        };
        let ty = QualType::plain(kind.complex_id());
        Expr { kind: ExprKind::Complex(part(zero), part(value)), ty, span }
    }

    /// A character constant.
    pub(super) fn character(&mut self, spelling: Symbol, span: Span) -> Expr {
        let text = self.session.interner.shared(spelling);
        let (encoding, quoted) = Encoding::of(&text);
        let units = self.units(quoted, encoding, span);
        let mut elements = Vec::new();
        for unit in units {
            encode(unit, encoding, &mut elements);
        }
        if elements.is_empty() {
            self.error(ids::INVALID_CONSTANT, span, "empty character constant");
            return self.error_expr(span);
        }
        if encoding != Encoding::Plain {
            if elements.len() > 1 {
                self.warn(ids::MULTICHAR, span, "character constant too long for its type");
            }
            let kind = if encoding == Encoding::Utf8 { IntKind::UChar } else { encoding.element() };
            let value = elements.last().map_or(0, |&value| i128::from(value));
            return self.int_expr(kind.wrap(value), kind.type_id(), span);
        }
        if elements.len() > 4 {
            self.warn(ids::MULTICHAR, span, "character constant too long for its type");
        } else if elements.len() > 1 {
            self.warn(ids::MULTICHAR, span, "multi-character character constant");
        }
        let value = if let [single] = elements[..] {
            i128::from(single as u8 as i8)
        } else {
            IntKind::Int.wrap(
                elements
                    .iter()
                    .fold(0i128, |value, &byte| (value << 8 | i128::from(byte & 0xff)) & 0xffff_ffff),
            )
        };
        self.int_expr(value, TypeId::INT, span)
    }

    /// Adjacent string literals: an lvalue of array type.
    pub(super) fn string(&mut self, spellings: &[Symbol], span: Span) -> Expr {
        let (elements, encoding) = self.string_elements(spellings, span);
        self.string_expr(&elements, encoding, span)
    }

    /// The elements of adjacent string literals, without a terminator.
    pub(in crate::sema) fn string_elements(
        &mut self,
        spellings: &[Symbol],
        span: Span,
    ) -> (Vec<u32>, Encoding) {
        let mut encoding = Encoding::Plain;
        let mut texts = Vec::with_capacity(spellings.len());
        for &spelling in spellings {
            let text = self.session.interner.shared(spelling);
            let (this, _) = Encoding::of(&text);
            if this != Encoding::Plain {
                if encoding != Encoding::Plain && encoding != this {
                    self.error(
                        ids::INVALID_CONSTANT,
                        span,
                        "concatenation of string literals with different encodings",
                    );
                }
                encoding = this;
            }
            texts.push(text);
        }
        let mut elements = Vec::new();
        for text in texts {
            let (_, quoted) = Encoding::of(&text);
            for unit in self.units(quoted, encoding, span) {
                encode(unit, encoding, &mut elements);
            }
        }
        (elements, encoding)
    }

    /// The lvalue of a string of these elements; equal strings share their array.
    pub(super) fn string_expr(&mut self, elements: &[u32], encoding: Encoding, span: Span) -> Expr {
        let is_char8 = encoding == Encoding::Utf8 && self.session.options.standard >= Standard::C23;
        let kind = if is_char8 { IntKind::UChar } else { encoding.element() };
        let mut bytes = Vec::with_capacity((elements.len() + 1) * kind.size() as usize);
        for &element in elements.iter().chain(&[0]) {
            bytes.extend_from_slice(&element.to_le_bytes()[..kind.size() as usize]);
        }
        let len = ArrayLen::Known(elements.len() as u64 + 1);
        let ty = self.types.array_of(QualType::plain(kind.type_id()), len);
        let next = crate::typed::StrId(self.strings.len() as u32);
        let id = *self.string_ids.entry((bytes.clone(), ty)).or_insert(next);
        if id == next {
            self.strings.push(StringLit { bytes, ty });
        }
        Expr { kind: ExprKind::String(id), ty: QualType::plain(ty), span }
    }

    /// Splits what is between the quotes.
    fn units(&mut self, quoted: &str, encoding: Encoding, span: Span) -> Vec<Unit> {
        let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("");
        let mut units = Vec::with_capacity(inner.len());
        let mut rest = inner;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            if c != '\\' {
                units.push(Unit::Char(c));
                continue;
            }
            let (unit, after) = self.escape(rest, encoding, span);
            units.push(unit);
            rest = after;
        }
        units
    }

    /// An escape sequence, after its backslash.
    fn escape<'t>(&mut self, text: &'t str, encoding: Encoding, span: Span) -> (Unit, &'t str) {
        let Some(c) = text.chars().next() else { return (Unit::Value(u32::from(b'\\')), text) };
        let after = &text[c.len_utf8()..];
        let simple = match c {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => u32::from(c),
            '0'..='7' => return self.numeric_escape(text, 8, 3, encoding, span),
            'x' => return self.numeric_escape(after, 16, usize::MAX, encoding, span),
            'u' => return self.universal_character(after, 4, span),
            'U' => return self.universal_character(after, 8, span),
            _ => {
                self.warn(ids::UNKNOWN_ESCAPE, span, format!("unknown escape sequence: '\\{c}'"));
                return (Unit::Char(c), after);
            }
        };
        (Unit::Value(simple), after)
    }

    fn numeric_escape<'t>(
        &mut self,
        text: &'t str,
        radix: u32,
        most: usize,
        encoding: Encoding,
        span: Span,
    ) -> (Unit, &'t str) {
        let length = text.bytes().take(most).take_while(|&byte| (byte as char).is_digit(radix)).count();
        if length == 0 {
            self.error(ids::INVALID_CONSTANT, span, "\\x used with no following hex digits");
        }
        let value = text[..length].bytes().fold(0u64, |value, byte| {
            (value * u64::from(radix) + u64::from((byte as char).to_digit(radix).unwrap_or(0)))
                .min(u64::from(u32::MAX) + 1)
        });
        if value >> (encoding.element().size() * 8) != 0 {
            let name = if radix == 8 { "octal" } else { "hex" };
            self.warn(ids::OVERFLOW, span, format!("{name} escape sequence out of range"));
        }
        (Unit::Value(value as u32), &text[length..])
    }

    fn universal_character<'t>(&mut self, text: &'t str, length: usize, span: Span) -> (Unit, &'t str) {
        let value = text.get(..length).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match value.and_then(char::from_u32) {
            Some(c) => (Unit::Char(c), &text[length..]),
            None => {
                self.error(ids::INVALID_CONSTANT, span, "not a valid universal character name");
                (Unit::Char('?'), text)
            }
        }
    }
}

fn encode(unit: Unit, encoding: Encoding, elements: &mut Vec<u32>) {
    match (unit, encoding) {
        (Unit::Value(value), _) => elements.push(value),
        (Unit::Char(c), Encoding::Plain | Encoding::Utf8) => {
            elements.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        (Unit::Char(c), Encoding::Char16) => {
            elements.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u)))
        }
        (Unit::Char(c), Encoding::Char32 | Encoding::Wide) => elements.push(u32::from(c)),
    }
}

fn float_suffix(suffix: &str) -> Result<(FloatKind, bool), String> {
    let lower = suffix.to_ascii_lowercase();
    let imaginary = lower.contains(['i', 'j']);
    let kind = match lower.replace(['i', 'j'], "").as_str() {
        "" | "d" | "f64" | "f32x" => FloatKind::Double,
        "f" | "f32" => FloatKind::Float,
        "l" | "f64x" | "w" => FloatKind::LongDouble,
        "df" | "dd" | "dl" => return Err("decimal floating types are not supported".to_owned()),
        "q" | "f128" => return Err("constants of 128-bit floating types are not supported".to_owned()),
        _ => return Err(format!("invalid suffix '{suffix}' on floating constant")),
    };
    Ok((kind, imaginary))
}

fn hex_value(digits: &[u8], exponent: i64, kind: FloatKind) -> FloatConst {
    let (mut value, mut exponent, mut sticky) = (0u128, exponent, false);
    for &digit in digits {
        if value >> 120 == 0 {
            value = value << 4 | u128::from(digit);
        } else {
            sticky |= digit != 0;
            exponent += 4;
        }
    }
    let exponent = exponent.clamp(-100_000, 100_000) as i32;
    match kind {
        FloatKind::Float => FloatConst::Double(f64::from(binary_float::to_single(value, exponent, sticky))),
        FloatKind::Double => FloatConst::Double(binary_float::to_double(value, exponent, sticky)),
        FloatKind::LongDouble => {
            FloatConst::Extended(Extended::rounded(false, value, exponent, sticky).to_bytes())
        }
    }
}

fn decimal_value(text: &str, digits: &[u8], exponent: i64, kind: FloatKind) -> FloatConst {
    match kind {
        // The library's conversions round correctly; the text has the form they expect.
        FloatKind::Float => FloatConst::Double(f64::from(text.parse::<f32>().unwrap_or(f32::NAN))),
        FloatKind::Double => FloatConst::Double(text.parse::<f64>().unwrap_or(f64::NAN)),
        FloatKind::LongDouble => {
            FloatConst::Extended(binary_float::decimal_to_extended(digits, exponent).to_bytes())
        }
    }
}

fn is_infinite(value: FloatConst) -> bool {
    match value {
        FloatConst::Double(value) => value.is_infinite(),
        FloatConst::Extended(bytes) => matches!(Extended::from_bytes(bytes), Extended::Infinite(_)),
    }
}
