use super::*;
use crate::diag::Sink;

/// The spellings of all tokens, joined by `|`, and the ids of all diagnostics.
fn lex_with(options: &Options, text: &[u8]) -> (String, Vec<&'static str>, Vec<u32>) {
    let (mut interner, mut sink, dialect) = (Interner::new(), Sink::default(), Dialect::new(options));
    let text: Vec<u8> = text.iter().copied().chain([0]).collect();
    let mut lexer = Lexer::new(text.into(), Loc(0), false, &dialect);
    let (mut out, mut locs) = (Vec::new(), Vec::new());
    loop {
        let token = lexer.next(&mut Context { interner: &mut interner, sink: &mut sink, dialect: &dialect });
        match token.kind {
            TokenKind::Eof => break,
            TokenKind::Punct(punct) => out.push(punct.spelling().to_owned()),
            TokenKind::Unknown => out.push(format!("?{}", interner.text(token.sym))),
            _ => out.push(interner.text(token.sym).to_owned()),
        }
        locs.push(token.loc.0);
    }
    (out.join("|"), sink.list().iter().map(|d| d.id).collect(), locs)
}

fn lex(text: &str) -> String {
    lex_with(&Options::default(), text.as_bytes()).0
}

#[test]
fn longest_match() {
    assert_eq!(lex("a+++++b"), "a|++|++|+|b");
    assert_eq!(lex("x<<=y>>=z...w..v"), "x|<<=|y|>>=|z|...|w|.|.|v");
    assert_eq!(lex("0x1e+1 .5e-3.f 1..2 1.e+E"), "0x1e+1|.5e-3.f|1..2|1.e+E");
    assert_eq!(lex("<::><%%>%:%:%:%"), "[|]|{|}|##|#|%");
}

#[test]
fn literals() {
    assert_eq!(lex(r#"L"a\"b" u8"x" U'c' 'it''\'' LL"s""#), r#"L"a\"b"|u8"x"|U'c'|'it'|'\''|LL|"s""#);
    assert_eq!(lex("\"open\nx"), "?\"open|x");
    assert_eq!(lex("'"), "?'");
    assert_eq!(lex("\"\\"), "?\"\\");
    let (text, ids, _) = lex_with(&Options::default(), b"\"caf\xe9\"");
    assert_eq!((text.as_str(), ids.len()), ("\"caf\\351\"", 0));
}

#[test]
fn splices_between_and_inside_tokens() {
    let (text, _, locs) = lex_with(&Options::default(), b"a \\\n b c\\\nd e \"x\\\ny\" +\\\n\\\n+ f");
    assert_eq!(text, "a|b|cd|e|\"xy\"|++|f");
    assert_eq!(locs, [0, 5, 7, 12, 14, 21, 28]);
    assert_eq!(lex("// a \\\n b\nc"), "c");
    assert_eq!(lex("/\\\n* x *\\\n/ c /\\\n/ d"), "c");
    assert_eq!(lex("a\\  \r\nb"), "ab");
}

#[test]
fn trigraphs_only_in_strict_mode() {
    let mut strict = Options::default();
    assert!(strict.set_standard("c11"));
    assert_eq!(lex_with(&strict, b"??=??( a ??/\nb \"??/\"\"").0, "#|[|a|b|\"\\\"\"");
    assert_eq!(lex("a??b"), "a|?|?|b");
}

#[test]
fn identifiers() {
    assert_eq!(lex("$a caf\u{e9} caf\\u00e9 \\U000000e9x"), "$a|caf\u{e9}|caf\u{e9}|\u{e9}x");
    assert_eq!(lex("a\u{201c}b \\q @"), "a|?\u{201c}|b|?\\|q|?@");
    assert_eq!(lex_with(&Options::default(), b"a\xffb\xc3").0, "a|?\\xff|b|?\\xc3");
}

#[test]
fn comments() {
    assert_eq!(lex("a/**/b/*/ x */c//d"), "a|b|c");
    assert_eq!(lex_with(&Options::default(), b"a /* b").1, ["unterminated-comment"]);
    let mut strict = Options::default();
    assert!(strict.set_standard("c89"));
    assert_eq!(lex_with(&strict, b"a //**/ b").0, "a|/|b");
}

#[test]
fn zero_bytes_are_reported_once() {
    let (text, ids, _) = lex_with(&Options::default(), b"a\0\0b\0c");
    assert_eq!((text.as_str(), ids), ("a|b|c", vec!["null-character"]));
}

#[test]
fn every_prefix_of_odd_text_ends() {
    let text = b"L\"\\\n\\u00\\'??/\n/*\\\n*/%:%<:..\xc3\xa9\xe2\x80\0#\\";
    let mut strict = Options::default();
    assert!(strict.set_standard("c11"));
    for options in [Options::default(), strict] {
        for end in 0..=text.len() {
            for start in 0..end {
                lex_with(&options, &text[start..end]);
            }
        }
    }
}

#[test]
fn token_lengths() {
    for (text, len) in [("abc+", 3), ("12.5e3;", 6), ("L\"a\\\"b\" c", 7), ("<<= 1", 3), ("'x", 2), ("", 0)] {
        assert_eq!(token_length(text.as_bytes()), len, "{text}");
    }
}
