//! Character classes.

/// The byte may continue an identifier.
pub const IDENT: u8 = 1;
/// The byte may continue a preprocessing number, signs after an exponent aside.
pub const NUMBER: u8 = 2;
/// The byte is white space within a line.
pub const SPACE: u8 = 4;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        if b.is_ascii_alphanumeric() || b == b'_' || b == b'$' {
            classes[byte] |= IDENT;
        }
        if b.is_ascii_alphanumeric() || b == b'_' || b == b'.' {
            classes[byte] |= NUMBER;
        }
        if matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c) {
            classes[byte] |= SPACE;
        }
        byte += 1;
    }
    classes
};

/// The classes of a byte.
#[inline]
pub fn class(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

/// The character at the start of `text` and its length; none if the bytes are not UTF-8.
pub fn decode(text: &[u8]) -> Option<(char, usize)> {
    let len = match text.first()? {
        0..128 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return None,
    };
    let char = std::str::from_utf8(text.get(..len)?).ok()?.chars().next()?;
    Some((char, len))
}

/// `\uXXXX` or `\UXXXXXXXX` at the start of `text` (C11 6.4.3).
pub fn universal_name(text: &[u8]) -> Option<(char, usize)> {
    let digits = match text.get(1)? {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let digits = text.get(2..2 + digits)?;
    let mut code = 0;
    for &digit in digits {
        code = code << 4 | char::from(digit).to_digit(16)?;
    }
    Some((char::from_u32(code)?, 2 + digits.len()))
}

/// C11 D.1: characters that may stand in an identifier, apart from those of ASCII.
const ALLOWED: &[(u32, u32)] = &[
    (0xa8, 0xa8),
    (0xaa, 0xaa),
    (0xad, 0xad),
    (0xaf, 0xaf),
    (0xb2, 0xb5),
    (0xb7, 0xba),
    (0xbc, 0xbe),
    (0xc0, 0xd6),
    (0xd8, 0xf6),
    (0xf8, 0xff),
    (0x100, 0x167f),
    (0x1681, 0x180d),
    (0x180f, 0x1fff),
    (0x200b, 0x200d),
    (0x202a, 0x202e),
    (0x203f, 0x2040),
    (0x2054, 0x2054),
    (0x2060, 0x206f),
    (0x2070, 0x218f),
    (0x2460, 0x24ff),
    (0x2776, 0x2793),
    (0x2c00, 0x2dff),
    (0x2e80, 0x2fff),
    (0x3004, 0x3007),
    (0x3021, 0x302f),
    (0x3031, 0xd7ff),
    (0xf900, 0xfd3d),
    (0xfd40, 0xfdcf),
    (0xfdf0, 0xfe44),
    (0xfe47, 0xfffd),
    (0x10000, 0x1fffd),
    (0x20000, 0x2fffd),
    (0x30000, 0x3fffd),
    (0x40000, 0xefffd),
];

/// C11 D.2: of those, the ones that may not come first.
const NOT_FIRST: &[(u32, u32)] = &[(0x300, 0x36f), (0x1dc0, 0x1dff), (0x20d0, 0x20ff), (0xfe20, 0xfe2f)];

/// Whether a character may stand in an identifier, as its first character or later.
pub fn in_identifier(char: char, first: bool) -> bool {
    let code = char as u32;
    if code < 128 {
        return class(code as u8) & IDENT != 0 && !(first && char.is_ascii_digit());
    }
    let is_in = |ranges: &[(u32, u32)]| ranges.iter().any(|&(from, to)| (from..=to).contains(&code));
    is_in(ALLOWED) && !(first && is_in(NOT_FIRST))
}

/// A literal with bytes that are not UTF-8 (Latin-1, as a rule), each of them as an octal escape: spellings
/// are UTF-8, and the escape gives the same byte.
pub fn escape_invalid(literal: &[u8]) -> String {
    let mut text = String::with_capacity(literal.len() + 16);
    for chunk in literal.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\{byte:03o}"));
        }
    }
    text
}
