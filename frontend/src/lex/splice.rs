//! Line splices and trigraphs (C11 5.1.1.2, phases 1 and 2).

use std::sync::Arc;

/// Leads from offsets in a text without splices to offsets in the original.
pub struct Offsets {
    /// From the first offset on (in the copy), the original is at the second, byte for byte.
    runs: Vec<(u32, u32)>,
}

impl Offsets {
    /// The offset in the original.
    pub fn original(&self, pos: usize) -> usize {
        let index = self.runs.partition_point(|&(copy, _)| copy as usize <= pos) - 1;
        let (copy, original) = self.runs[index];
        original as usize + (pos - copy as usize)
    }
}

/// The length of the line splice at `pos`, if there is one: a backslash and a line end, between which editors
/// may have left white space.
pub fn length(text: &[u8], pos: usize) -> Option<usize> {
    if text.get(pos) != Some(&b'\\') {
        return None;
    }
    let rest = &text[pos + 1..];
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    (rest.get(blanks) == Some(&b'\n')).then_some(blanks + 2)
}

/// The start of the line splice that ends just before `pos`.
pub fn start_before(text: &[u8], pos: usize) -> Option<usize> {
    let line = text[..pos].strip_suffix(b"\n")?;
    let blanks = line.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    let end = line.len() - blanks;
    (end > 0 && line[end - 1] == b'\\').then(|| end - 1)
}

/// Whether the line that `pos` is in ends in a splice.
pub fn in_line(text: &[u8], pos: usize) -> bool {
    let end = memchr::memchr(b'\n', &text[pos..]);
    end.is_some_and(|at| start_before(text, pos + at + 1).is_some_and(|start| start >= pos))
}

/// A copy of `text` from offset `from` on, without splices and, if wanted, without trigraphs.
pub fn remove(text: &[u8], from: usize, trigraphs: bool) -> (Arc<[u8]>, Offsets) {
    let mut copy = Vec::with_capacity(text.len() - from);
    let mut runs = vec![(0, from as u32)];
    let mut pos = from;
    while pos < text.len() {
        let trigraph = if trigraphs { trigraph(&text[pos..]) } else { None };
        let backslash = if trigraph == Some(b'\\') { 3 } else { 1 };
        let is_backslash = text[pos] == b'\\' || trigraph == Some(b'\\');
        let spliced = if is_backslash {
            let rest = &text[pos + backslash..];
            let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
            (rest.get(blanks) == Some(&b'\n')).then_some(backslash + blanks + 1)
        } else {
            None
        };
        match (spliced, trigraph) {
            (Some(len), _) => {
                pos += len;
                runs.push((copy.len() as u32, pos as u32));
            }
            (None, Some(byte)) => {
                copy.push(byte);
                pos += 3;
                runs.push((copy.len() as u32, pos as u32));
            }
            (None, None) => {
                copy.push(text[pos]);
                pos += 1;
            }
        }
    }
    (copy.into(), Offsets { runs })
}

/// The character a trigraph stands for (C11 5.2.1.1).
fn trigraph(text: &[u8]) -> Option<u8> {
    Some(match text {
        [b'?', b'?', b'=', ..] => b'#',
        [b'?', b'?', b'(', ..] => b'[',
        [b'?', b'?', b'/', ..] => b'\\',
        [b'?', b'?', b')', ..] => b']',
        [b'?', b'?', b'\'', ..] => b'^',
        [b'?', b'?', b'<', ..] => b'{',
        [b'?', b'?', b'!', ..] => b'|',
        [b'?', b'?', b'>', ..] => b'}',
        [b'?', b'?', b'-', ..] => b'~',
        _ => return None,
    })
}
