//! `vprintf`: a format and values in memory, as the driver prints them.

use super::cta::CtaState;
use super::fault::Checked;
use super::launch::Worker;
use super::warp::{Now, Warp};

/// Widest field.
const WIDEST: usize = 4096;

/// A conversion of a format.
#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer.
    bytes: u32,
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
        let mut conversion = Conversion { bytes: 4, ..Conversion::default() };
        let mut next = |size: u32, at: &mut u64| -> Checked<u64> {
            *at = at.next_multiple_of(u64::from(size));
            let value = worker.peek(cta, warp, now, lane, *at, size)?;
            *at += u64::from(size);
            Ok(value)
        };
        while let Some(flag) = bytes.next_if(|byte| b"-+ #0".contains(byte)) {
            match flag {
                b'-' => conversion.left = true,
                b'+' => conversion.plus = true,
                b' ' => conversion.space = true,
                b'#' => conversion.alternative = true,
                _ => conversion.zero = true,
            }
        }
        if bytes.next_if_eq(&b'*').is_some() {
            let width = next(4, &mut at)? as i32;
            conversion.left |= width < 0;
            conversion.width = (width.unsigned_abs() as usize).min(WIDEST);
        }
        while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
            conversion.width = (conversion.width * 10 + usize::from(digit - b'0')).min(WIDEST);
        }
        if bytes.next_if_eq(&b'.').is_some() {
            let mut precision = 0;
            if bytes.next_if_eq(&b'*').is_some() {
                precision = (next(4, &mut at)? as i32).max(0) as usize;
            }
            while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
                precision = (precision * 10 + usize::from(digit - b'0')).min(WIDEST);
            }
            conversion.precision = Some(precision.min(WIDEST));
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
        let text = match kind {
            b'%' => vec![b'%'],
            b'c' => vec![next(4, &mut at)? as u8],
            b's' => {
                let address = next(8, &mut at)?;
                let mut text = worker.text(cta, warp, now, lane, address)?;
                text.truncate(conversion.precision.unwrap_or(usize::MAX));
                text
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let size = conversion.bytes.max(4);
                let value = next(size, &mut at)?;
                integer(&conversion, kind, value).into_bytes()
            }
            b'p' => format!("0x{:x}", next(8, &mut at)?).into_bytes(),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(next(8, &mut at)?);
                float(&conversion, kind, value).into_bytes()
            }
            other => vec![b'%', other],
        };
        pad(&mut out, &conversion, kind, &text);
    }
    Ok((out, count))
}

fn pad(out: &mut Vec<u8>, conversion: &Conversion, kind: u8, text: &[u8]) {
    let missing = conversion.width.saturating_sub(text.len());
    if conversion.left {
        out.extend_from_slice(text);
        out.extend(std::iter::repeat_n(b' ', missing));
        return;
    }
    let is_int = b"diuxXo".contains(&kind);
    let zeros = conversion.zero && !b"csp%".contains(&kind) && !(is_int && conversion.precision.is_some());
    if zeros {
        let sign = usize::from(text.first().is_some_and(|first| b"+- ".contains(first)));
        let prefix =
            sign + if text[sign..].starts_with(b"0x") || text[sign..].starts_with(b"0X") { 2 } else { 0 };
        out.extend_from_slice(&text[..prefix]);
        out.extend(std::iter::repeat_n(b'0', missing));
        out.extend_from_slice(&text[prefix..]);
    } else {
        out.extend(std::iter::repeat_n(b' ', missing));
        out.extend_from_slice(text);
    }
}

fn sign(conversion: &Conversion, negative: bool) -> &'static str {
    match (negative, conversion.plus, conversion.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

fn integer(conversion: &Conversion, kind: u8, value: u64) -> String {
    let shift = 64 - 8 * conversion.bytes;
    let unsigned = value << shift >> shift;
    let signed = ((value << shift) as i64) >> shift;
    let (front, digits) = match kind {
        b'd' | b'i' => (sign(conversion, signed < 0), signed.unsigned_abs().to_string()),
        b'u' => ("", unsigned.to_string()),
        b'o' => (if conversion.alternative { "0" } else { "" }, format!("{unsigned:o}")),
        b'X' => (if conversion.alternative && unsigned != 0 { "0X" } else { "" }, format!("{unsigned:X}")),
        _ => (if conversion.alternative && unsigned != 0 { "0x" } else { "" }, format!("{unsigned:x}")),
    };
    let least = conversion.precision.unwrap_or(1);
    let digits = if least == 0 && unsigned == 0 { String::new() } else { digits };
    format!("{front}{}{digits}", "0".repeat(least.saturating_sub(digits.len())))
}

fn float(conversion: &Conversion, kind: u8, value: f64) -> String {
    let front = sign(conversion, value.is_sign_negative());
    let magnitude = value.abs();
    let upper = kind.is_ascii_uppercase();
    let body = if magnitude.is_nan() {
        "nan".to_owned()
    } else if magnitude.is_infinite() {
        "inf".to_owned()
    } else {
        let precision = conversion.precision.unwrap_or(6);
        match kind.to_ascii_lowercase() {
            b'f' => format!("{magnitude:.precision$}"),
            b'e' => scientific(magnitude, precision),
            b'a' => hexadecimal(magnitude),
            _ => general(magnitude, precision.max(1), conversion.alternative),
        }
    };
    let text = format!("{front}{body}");
    if upper { text.to_ascii_uppercase() } else { text }
}

fn scientific(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general(value: f64, precision: usize, alternative: bool) -> String {
    let probe = format!("{value:.*e}", precision - 1);
    let exponent: i32 = probe.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let (text, tail) = if exponent < -4 || exponent >= precision as i32 {
        let text = scientific(value, precision - 1);
        let (digits, tail) = text.split_once('e').unwrap_or((&text, "+00"));
        (digits.to_owned(), format!("e{tail}"))
    } else {
        let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
        (format!("{value:.decimals$}"), String::new())
    };
    if alternative || !text.contains('.') {
        return format!("{text}{tail}");
    }
    format!("{}{tail}", text.trim_end_matches('0').trim_end_matches('.'))
}

fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    let (lead, exponent) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, exponent - 1023),
    };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_in_c() {
        let plain = || Conversion { bytes: 4, ..Conversion::default() };
        assert_eq!(integer(&plain(), b'd', 0xffff_ffff), "-1");
        assert_eq!(integer(&plain(), b'u', 0xffff_ffff), "4294967295");
        assert_eq!(integer(&Conversion { precision: Some(4), ..plain() }, b'x', 255), "00ff");
        assert_eq!(float(&plain(), b'f', 1.5), "1.500000");
        assert_eq!(float(&plain(), b'g', 0.0001), "0.0001");
        assert_eq!(float(&plain(), b'g', 1e10), "1e+10");
        assert_eq!(float(&plain(), b'g', 100000.0), "100000");
        assert_eq!(float(&plain(), b'e', 12345.678), "1.234568e+04");
        assert_eq!(float(&plain(), b'a', 1.5), "0x1.8p+0");
        assert_eq!(float(&plain(), b'f', -0.0), "-0.000000");
        assert_eq!(float(&plain(), b'G', f64::INFINITY), "INF");
        let mut out = Vec::new();
        pad(&mut out, &Conversion { zero: true, width: 6, ..plain() }, b'd', b"-12");
        assert_eq!(out, b"-00012");
    }
}
