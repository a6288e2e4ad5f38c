use crate::diag::{Diagnostic, ids, render_json, render_text};
use crate::options::Options;
use crate::pp::{Input, preprocess};
use crate::session::Session;
use crate::source::Span;

fn session(text: &str, configure: impl FnOnce(&mut Options)) -> Session {
    let mut options = Options::default();
    configure(&mut options);
    let mut session = Session::new(options);
    preprocess(&mut session, &Input::Memory { name: "a.c".into(), text: text.into() });
    session
}

#[test]
fn text_shows_the_line_and_the_macros() {
    let text = "#define BAD @\n#define OUTER BAD + 1\nint x = OUTER;\n";
    let shown = render_text(&session(text, |_| {}), false);
    let expected = "\
error[stray-character]: stray `@` in program
 --> a.c:1:13
  |
1 | #define BAD @
  |             ^
  |
note: in expansion of macro `BAD`
 --> a.c:2:15
  |
2 | #define OUTER BAD + 1
  |               ^^^
note: in expansion of macro `OUTER`
 --> a.c:3:9
  |
3 | int x = OUTER;
  |         ^^^^^

";
    assert_eq!(shown, expected);
}

#[test]
fn colours_only_when_asked_for() {
    let s = session("@", |_| {});
    assert!(!render_text(&s, false).contains('\x1b'));
    assert!(render_text(&s, true).contains('\x1b'));
}

#[test]
fn long_lines_are_cut() {
    let text = format!("int x; {} @ {}\n", "a ".repeat(500_000), "\u{e9} ".repeat(1000));
    let shown = render_text(&session(&text, |_| {}), false);
    assert!(shown.len() < 1500, "{}", shown.len());
    assert!(shown.contains('@'));
}

#[test]
fn odd_places_do_not_panic() {
    for text in [
        "@",
        "\u{201c}",
        "x\n\n#if",
        "#if 1\n",
        "\"\u{e9}",
        "\t\t@\t",
        "#include <nope.h>",
        "#define f(x\nf(\n",
    ] {
        let s = session(text, |_| {});
        render_text(&s, true);
        for line in render_json(&s).lines() {
            serde_json::from_str::<serde_json::Value>(line).expect("one object per line");
        }
    }
    let mut bytes = b"\xe9\xe9\xe9 @ \xc3".to_vec();
    bytes.extend([0, 0xff, b'\\']);
    let mut s = Session::new(Options::default());
    preprocess(&mut s, &Input::Memory { name: "a.c".into(), text: bytes });
    render_text(&s, false);
    render_json(&s);
}

#[test]
fn json_has_places() {
    let s = session("int a;\n  foo @ bar\n", |_| {});
    let value: serde_json::Value = serde_json::from_str(&render_json(&s)).expect("one line");
    assert_eq!(value["id"], "stray-character");
    assert_eq!(value["severity"], "error");
    assert_eq!((&value["file"], &value["line"], &value["column"]), (&"a.c".into(), &2.into(), &7.into()));
    assert_eq!((&value["end"]["line"], &value["end"]["column"]), (&2.into(), &8.into()));
}

#[test]
fn options_decide_about_warnings() {
    let ids = |s: &mut Session| (s.errors(), s.sink.list().iter().map(|d| d.id).collect::<Vec<_>>());
    let text = "#pragma nothing\n#warning w\n";
    assert_eq!(ids(&mut session(text, |_| {})), (0, vec!["unknown-pragmas", "cpp"]));
    assert_eq!(ids(&mut session(text, |o| o.warnings.none = true)), (0, vec![]));
    assert_eq!(ids(&mut session(text, |o| o.warnings.apply("no-cpp"))), (0, vec!["unknown-pragmas"]));
    assert_eq!(ids(&mut session(text, |o| o.warnings.apply("error=cpp"))).0, 1);
    assert_eq!(ids(&mut session(text, |o| o.warnings.apply("error"))).0, 2);
    assert_eq!(ids(&mut session(&format!("# 1 \"h.h\" 3\n{text}"), |_| {})), (0, vec![]));
}

#[test]
fn what_is_shown_is_bounded() {
    let mut session = session("", |_| {});
    let long = "x".repeat(5000);
    for n in 0..1500 {
        session.sink.push(Diagnostic::error(ids::UNDECLARED, Span::default(), format!("{n} {long}")));
    }
    session.sink.push(Diagnostic::warning(ids::OVERFLOW, Span::default(), "a warning"));
    let shown = render_json(&session);
    assert_eq!((shown.lines().count(), session.errors()), (1002, 1500));
    assert!(shown.lines().all(|line| line.len() < 1200), "messages are cut");
    let last: Vec<&str> = shown.lines().skip(1000).collect();
    assert!(
        last[0].contains("overflow") && last[1].contains("500 more errors and 0 more warnings"),
        "{last:?}"
    );
    assert!(render_text(&session, false).contains("500 more errors"));
}
