//! Tests of the analysis from source text: what is accepted, what is reported and where, layouts and values
//! that GCC 12 gives the same programs.

mod accept;
mod errors;
mod images;
mod layout;
mod robust;

use crate::options::Options;
use crate::parse::parse;
use crate::pp::{self, Input};
use crate::session::Session;
use crate::typed::Unit;

/// Analyses a text; the session has the diagnostics.
fn analyse_with(options: Options, text: &str) -> (Session, Option<Unit>) {
    let mut session = Session::new(options);
    let input = Input::Memory { name: "test.c".to_owned(), text: text.as_bytes().to_vec() };
    let tokens = pp::preprocess(&mut session, &input);
    let tree = parse(&mut session, &tokens);
    let unit = super::analyze(&mut session, &tree);
    session.settle();
    (session, unit)
}

fn analyse(text: &str) -> (Session, Option<Unit>) {
    analyse_with(Options::default(), text)
}

/// What was reported: `line id`, in order.
fn reports(session: &Session) -> Vec<String> {
    let place = |diagnostic: &crate::diag::Diagnostic| {
        let line = session.sources.position(diagnostic.primary.first).map_or(0, |position| position.line);
        format!("{line} {}", diagnostic.id)
    };
    session.sink.list().iter().map(place).collect()
}
