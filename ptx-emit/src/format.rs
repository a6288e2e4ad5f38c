//! Formats of `printf`: the driver knows fewer than C, and prints what it does not know as it stands.

use accrue_ir::{Init, Module, Operand};

/// What must happen to an argument before it is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    /// Nothing.
    Plain,
    /// It is a width or a precision, for which a `*` stands at this byte of the format.
    Size(usize),
    /// `hh` and `h`: the value is cut to 8 or 16 bits, and extended again by its sign or not.
    Narrow {
        /// Bits that count.
        bits: u32,
        /// `d` and `i`.
        signed: bool,
    },
}

/// The lengths of C, longest first.
const LENGTHS: [&[u8]; 9] = [b"hh", b"ll", b"h", b"l", b"z", b"j", b"t", b"q", b"L"];

/// A format as the driver understands it, and its arguments; or what in it no device can print.
pub(crate) fn rewrite(format: &[u8]) -> Result<(Vec<u8>, Vec<Argument>), String> {
    let mut out = Vec::with_capacity(format.len() + 8);
    let mut arguments = Vec::new();
    let mut rest = format.split(|byte| *byte == 0).next().unwrap_or_default();
    while let Some((&byte, after)) = rest.split_first() {
        out.push(byte);
        rest = after;
        if byte == b'%' {
            rest = conversion(rest, &mut out, &mut arguments)?;
        }
    }
    out.push(0);
    Ok((out, arguments))
}

/// The bytes of a format that is a string literal.
pub(crate) fn literal(module: &Module, format: Operand) -> Option<&[u8]> {
    let Operand::Global(global) = format else { return None };
    let data = &module.globals[global];
    match &data.init {
        Init::Bytes(bytes, relocations) if data.constant && relocations.is_empty() => Some(bytes),
        Init::Zero if data.constant => Some(&[]),
        Init::Bytes(..) | Init::Zero | Init::Extern => None,
    }
}

/// One conversion, from behind its `%`; gives what follows it.
fn conversion<'a>(
    format: &'a [u8],
    out: &mut Vec<u8>,
    arguments: &mut Vec<Argument>,
) -> Result<&'a [u8], String> {
    let mut rest = format;
    let unknown = |rest: &[u8]| {
        let end = format.len() - rest.len().saturating_sub(1);
        let text = String::from_utf8_lossy(&format[..end]).into_owned();
        format!("a device cannot print `%{text}`")
    };
    while let Some((&byte, after)) = rest.split_first() {
        match byte {
            b'*' => {
                arguments.push(Argument::Size(out.len()));
                out.push(byte);
            }
            // Groups of digits are empty in the locale of C.
            b'\'' => {}
            b'-' | b'+' | b' ' | b'#' | b'.' | b'0'..=b'9' => out.push(byte),
            _ => break,
        }
        rest = after;
    }
    let length: &[u8] = LENGTHS.iter().copied().find(|length| rest.starts_with(length)).unwrap_or_default();
    rest = &rest[length.len()..];
    let Some((&kind, after)) = rest.split_first() else { return Err(unknown(rest)) };
    let mut argument = Argument::Plain;
    match (kind, length) {
        (b'%', b"") => {
            out.push(kind);
            return Ok(after);
        }
        (b'd' | b'i' | b'u' | b'o' | b'x' | b'X', length) => {
            let signed = matches!(kind, b'd' | b'i');
            match length {
                b"" => {}
                b"hh" => argument = Argument::Narrow { bits: 8, signed },
                b"h" => argument = Argument::Narrow { bits: 16, signed },
                b"L" => return Err(unknown(rest)),
                _ => out.extend_from_slice(b"ll"),
            }
            out.push(kind);
        }
        (b'F', b"" | b"l") => out.push(b'f'),
        (b'f' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', b"" | b"l") | (b'c' | b's' | b'p', b"") => {
            out.push(kind);
        }
        _ => return Err(unknown(rest)),
    }
    arguments.push(argument);
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(format: &str) -> String {
        match rewrite(format.as_bytes()) {
            Ok((bytes, arguments)) => {
                let bytes = bytes.strip_suffix(&[0]).expect("a zero ends it");
                format!("{} {}", String::from_utf8_lossy(bytes), arguments.len())
            }
            Err(message) => message,
        }
    }

    #[test]
    fn lengths_become_those_that_the_driver_knows() {
        assert_eq!(text("%zu %td %jx %ld %lld %d%%"), "%llu %lld %llx %lld %lld %d%% 6");
        assert_eq!(text("%-8.3lf|%+e|%*d|%'d"), "%-8.3f|%+e|%*d|%d 5");
        assert_eq!(text("%5s %c %p %F"), "%5s %c %p %f 4");
        let (_, arguments) = rewrite(b"%hhd %hx").expect("known");
        let narrow = |bits, signed| Argument::Narrow { bits, signed };
        assert_eq!(arguments, [narrow(8, true), narrow(16, false)]);
        let (_, arguments) = rewrite(b"a %-*.*f").expect("known");
        assert_eq!(arguments, [Argument::Size(4), Argument::Size(6), Argument::Plain]);
    }

    #[test]
    fn what_a_device_cannot_print_is_named() {
        assert_eq!(text("%Lf"), "a device cannot print `%Lf`");
        assert_eq!(text("%n"), "a device cannot print `%n`");
        assert_eq!(text("%ls"), "a device cannot print `%ls`");
        assert_eq!(text("100%"), "a device cannot print `%`");
    }
}
