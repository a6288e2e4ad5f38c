//! Tests of the parser: what trees look like, which errors are found where, and that nothing breaks it.

mod directives;
mod errors;
mod robust;
mod trees;
mod write;

use crate::ast::TranslationUnit;
use crate::diag::Severity;
use crate::options::Options;
use crate::pp::{Input, preprocess};
use crate::session::Session;

/// Preprocesses and parses `text`.
fn parse(text: &str) -> (Session, TranslationUnit) {
    let mut session = Session::new(Options { openmp: true, default_dirs: false, ..Options::default() });
    let input = Input::Memory { name: "test.c".into(), text: text.as_bytes().to_vec() };
    let tokens = preprocess(&mut session, &input);
    let unit = super::parse(&mut session, &tokens);
    (session, unit)
}

/// The errors of `text`, as line and id, in the order they were found.
fn errors(text: &str) -> Vec<(u32, &'static str)> {
    let (session, _) = parse(text);
    let list = session.sink.list().iter();
    list.filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| {
            let at = session.sources.expansion(diagnostic.primary.first);
            (session.sources.position(at).map_or(0, |position| position.line), diagnostic.id)
        })
        .collect()
}

/// Runs `test` on a stack as large as the compiler's.
fn on_big_stack<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    let thread =
        std::thread::Builder::new().stack_size(64 << 20).spawn(test).expect("threads can be started");
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Checks that `text` parses without an error.
fn accept(text: &str) {
    let (session, _) = parse(text);
    assert!(session.sink.list().is_empty(), "{text}\n{:#?}", session.sink.list());
}
