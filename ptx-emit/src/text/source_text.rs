//! Names and paths of the source in PTX, which is ASCII.

use std::borrow::Cow;

/// Text from the source, on one line and harmless in a comment.
pub(super) fn comment_text(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        return text.into();
    }
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            _ if c.is_control() => ascii.push(' '),
            _ if c.is_ascii() => ascii.push(c),
            // As C writes a character by its number.
            '\0'..='\u{ffff}' => ascii.push_str(&format!("\\u{:04X}", u32::from(c))),
            _ => ascii.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    ascii.into()
}

/// A path as it may stand between quotes. PTX is ASCII, and ptxas knows no way to write a quote: such
/// characters are written as in the addresses of files, `%C3%A9`.
pub(super) fn quoted_path(path: &str) -> Cow<'_, str> {
    let is_plain =
        |byte: u8| (byte.is_ascii_graphic() || byte == b' ') && !matches!(byte, b'"' | b'%' | b'\\');
    if path.bytes().all(is_plain) {
        return path.into();
    }
    let encode =
        |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(encode).collect()
}

/// The last part of a path, for comments.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
