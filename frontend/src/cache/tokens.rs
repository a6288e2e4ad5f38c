//! Tokens as three numbers.

use super::bytes::{Shift, Writer};
use crate::intern::Symbol;
use crate::source::Loc;
use crate::token::{Keyword, Punct, Token, TokenKind};

/// Writes a token.
pub(crate) fn write(out: &mut Writer, token: Token) {
    out.numbers([kind_number(token.kind) | u32::from(token.flags) << 16, token.sym.0, token.loc.0]);
}

/// The number of [`TokenKind::Ident`].
pub(crate) const IDENT: u32 = 0;

/// A kind as a number below 65,536.
fn kind_number(kind: TokenKind) -> u32 {
    match kind {
        TokenKind::Ident => IDENT,
        TokenKind::Number => 1,
        TokenKind::Char => 2,
        TokenKind::String => 3,
        TokenKind::PragmaAcc => 4,
        TokenKind::PragmaOmp => 5,
        TokenKind::PragmaOther => 6,
        TokenKind::PragmaEnd => 7,
        TokenKind::Unknown => 8,
        TokenKind::Eof => 9,
        TokenKind::Keyword(keyword) => 0x100 | keyword as u32,
        TokenKind::Punct(punct) => 0x200 | punct as u32,
    }
}

/// The token that [`write`] wrote.
#[inline]
pub(crate) fn read([first, sym, loc]: [u32; 3], shift: Shift) -> Option<Token> {
    let kind = match (first >> 8 & 0xff, first & 0xff) {
        (0, IDENT) => TokenKind::Ident,
        (1, keyword) => TokenKind::Keyword(*Keyword::ALL.get(keyword as usize)?),
        (2, punct) => TokenKind::Punct(*Punct::ALL.get(punct as usize)?),
        (0, 1) => TokenKind::Number,
        (0, 2) => TokenKind::Char,
        (0, 3) => TokenKind::String,
        (0, 4) => TokenKind::PragmaAcc,
        (0, 5) => TokenKind::PragmaOmp,
        (0, 6) => TokenKind::PragmaOther,
        (0, 7) => TokenKind::PragmaEnd,
        (0, 8) => TokenKind::Unknown,
        (0, 9) => TokenKind::Eof,
        _ => return None,
    };
    let loc = Loc(shift.apply(loc));
    Some(Token { kind, flags: (first >> 16) as u8, sym: Symbol(sym), loc })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::bytes::Reader;

    #[test]
    fn tokens_come_back() {
        let kinds = Keyword::ALL.iter().map(|&keyword| TokenKind::Keyword(keyword));
        let kinds = kinds.chain(Punct::ALL.iter().map(|&punct| TokenKind::Punct(punct)));
        let others = [TokenKind::Ident, TokenKind::Number, TokenKind::Char, TokenKind::String];
        let pragmas = [TokenKind::PragmaAcc, TokenKind::PragmaOmp, TokenKind::PragmaOther];
        let rest = [TokenKind::PragmaEnd, TokenKind::Unknown, TokenKind::Eof];
        for kind in kinds.chain(others).chain(pragmas).chain(rest) {
            let written = Token { kind, flags: 9, sym: Symbol(70_000), loc: Loc(5) };
            let mut out = Writer::default();
            write(&mut out, written);
            let rows = Reader::new(&out.bytes).rows::<3>(1).and_then(|mut rows| rows.next());
            assert_eq!(rows.and_then(|row| read(row, Shift::default())), Some(written));
        }
    }
}
