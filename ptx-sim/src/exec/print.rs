//! `vprintf`: a format and values in memory, as the driver prints them, which leaves numbers to the C library
//! of the host.

use super::cta::CtaState;
use super::fault::Checked;
use super::launch::Worker;
use super::warp::{Now, Warp};
use std::ffi::{CString, c_char};
use std::fmt::Write;

/// Widest field.
const WIDEST: usize = 4096;

/// A conversion of a format.
struct Conversion {
    /// Of `-+ #0`.
    flags: String,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer.
    bytes: u32,
}

/// What a conversion prints as a number.
#[derive(Clone, Copy)]
enum Number {
    Integer(u64),
    Float(f64),
}

impl Default for Conversion {
    fn default() -> Self {
        Conversion { flags: String::new(), width: 0, precision: None, bytes: 4 }
    }
}

impl Conversion {
    /// Adds characters to the width.
    fn pad(&self, out: &mut Vec<u8>, text: &[u8]) {
        let blanks = std::iter::repeat_n(b' ', self.width.saturating_sub(text.len()));
        if self.flags.contains('-') {
            out.extend_from_slice(text);
            out.extend(blanks);
        } else {
            out.extend(blanks);
            out.extend_from_slice(text);
        }
    }

    /// Adds a number, as the C library of the host prints it by the conversion `kind`.
    fn number(&self, out: &mut Vec<u8>, kind: u8, value: Number) {
        let mut format = format!("%{}", self.flags);
        // A width of 0 would be the flag.
        if self.width > 0 {
            let _ = write!(format, "{}", self.width);
        }
        if let Some(precision) = self.precision {
            let _ = write!(format, ".{precision}");
        }
        format.push_str(match (kind, self.bytes) {
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', 1) => "hh",
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', 2) => "h",
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', 8) => "l",
            _ => "",
        });
        format.push(char::from(kind));
        let Ok(format) = CString::new(format) else { return };
        // The longest number, one of 309 digits in front of its point, fits a buffer of this size.
        let mut text = vec![0u8; 2 * WIDEST + 512];
        let at = text.as_mut_ptr().cast::<c_char>();
        // SAFETY: The format has one conversion, which takes an integer of at most 64 bits, a pointer or a
        // `double`, and the value is one; no more than the buffer's length is written.
        let length = unsafe {
            match value {
                Number::Integer(value) => libc::snprintf(at, text.len(), format.as_ptr(), value),
                Number::Float(value) => libc::snprintf(at, text.len(), format.as_ptr(), value),
            }
        };
        text.truncate(usize::try_from(length).unwrap_or(0));
        out.append(&mut text);
    }
}

/// The text of a format with its values, and how many conversions it has.
pub(super) fn format(
    worker: &mut Worker<'_>,
    cta: &CtaState,
    warp: &Warp,
    now: Now,
    lane: usize,
    format: &[u8],
    values: u64,
) -> Checked<(Vec<u8>, u32)> {
    let mut out = Vec::with_capacity(format.len());
    let mut at = values;
    let mut count = 0;
    let mut bytes = format.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut conversion = Conversion::default();
        let mut next = |size: u32, at: &mut u64| -> Checked<u64> {
            *at = at.next_multiple_of(u64::from(size));
            let value = worker.peek(cta, warp, now, lane, *at, size)?;
            *at += u64::from(size);
            Ok(value)
        };
        while let Some(flag) = bytes.next_if(|byte| b"-+ #0".contains(byte)) {
            conversion.flags.push(char::from(flag));
        }
        if bytes.next_if_eq(&b'*').is_some() {
            let width = next(4, &mut at)? as i32;
            if width < 0 {
                conversion.flags.push('-');
            }
            conversion.width = (width.unsigned_abs() as usize).min(WIDEST);
        }
        while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
            conversion.width = (conversion.width * 10 + usize::from(digit - b'0')).min(WIDEST);
        }
        if bytes.next_if_eq(&b'.').is_some() {
            let mut precision = Some(0);
            if bytes.next_if_eq(&b'*').is_some() {
                // One below zero is none.
                precision = usize::try_from(next(4, &mut at)? as i32).ok();
            }
            while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
                precision =
                    precision.map(|precision| (precision * 10 + usize::from(digit - b'0')).min(WIDEST));
            }
            conversion.precision = precision.map(|precision| precision.min(WIDEST));
        }
        while let Some(length) = bytes.next_if(|byte| b"hlLjzt".contains(byte)) {
            conversion.bytes = match (length, conversion.bytes) {
                (b'h', 2) => 1,
                (b'h', _) => 2,
                _ => 8,
            };
        }
        let Some(kind) = bytes.next() else { break };
        count += u32::from(kind != b'%');
        match kind {
            b'%' => out.push(b'%'),
            b'c' => conversion.pad(&mut out, &[next(4, &mut at)? as u8]),
            b's' => {
                let address = next(8, &mut at)?;
                let mut text = worker.text(cta, warp, now, lane, address)?;
                text.truncate(conversion.precision.unwrap_or(usize::MAX));
                conversion.pad(&mut out, &text);
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let value = next(conversion.bytes.max(4), &mut at)?;
                conversion.number(&mut out, kind, Number::Integer(value));
            }
            b'p' => {
                conversion.bytes = 8;
                let value = next(8, &mut at)?;
                conversion.number(&mut out, kind, Number::Integer(value));
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(next(8, &mut at)?);
                conversion.number(&mut out, kind, Number::Float(value));
            }
            other => out.extend([b'%', other]),
        }
    }
    Ok((out, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(conversion: &Conversion, kind: u8, value: Number) -> String {
        let mut out = Vec::new();
        conversion.number(&mut out, kind, value);
        String::from_utf8(out).expect("numbers are ASCII")
    }

    #[test]
    fn numbers_print_as_in_c() {
        let plain = Conversion::default;
        let integer =
            |conversion: &Conversion, kind, value| printed(conversion, kind, Number::Integer(value));
        let float = |conversion: &Conversion, kind, value| printed(conversion, kind, Number::Float(value));
        assert_eq!(integer(&plain(), b'd', 0xffff_ffff), "-1");
        assert_eq!(integer(&plain(), b'u', 0xffff_ffff), "4294967295");
        assert_eq!(integer(&Conversion { bytes: 1, ..plain() }, b'd', 0x1ff), "-1");
        assert_eq!(integer(&Conversion { precision: Some(4), ..plain() }, b'x', 255), "00ff");
        assert_eq!(integer(&Conversion { flags: "#".to_owned(), ..plain() }, b'o', 0), "0");
        assert_eq!(
            integer(&Conversion { flags: "0".to_owned(), width: 6, ..plain() }, b'd', -12i64 as u64),
            "-00012"
        );
        assert_eq!(float(&plain(), b'f', -0.0), "-0.000000");
        assert_eq!(float(&plain(), b'G', f64::INFINITY), "INF");
        assert_eq!(float(&Conversion { precision: Some(3), ..plain() }, b'a', 0.1), "0x1.99ap-4");
        let widest = Conversion { width: WIDEST, precision: Some(WIDEST), ..plain() };
        assert_eq!(float(&widest, b'f', f64::MAX).len(), 309 + 1 + WIDEST);
    }

    #[test]
    fn characters_are_padded() {
        let mut out = Vec::new();
        Conversion { width: 4, ..Conversion::default() }.pad(&mut out, b"ab");
        Conversion { width: 3, flags: "-".to_owned(), ..Conversion::default() }.pad(&mut out, b"c");
        assert_eq!(out, b"  abc  ");
    }
}
