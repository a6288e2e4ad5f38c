//! The preprocessor: from the text of a translation unit to the tokens the parser reads (C11 5.1.1.2, phases 1 to 4).

use crate::session::Session;
use crate::token::Token;
use std::path::PathBuf;

/// The main file of a translation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A file to read.
    Path(PathBuf),
    /// Text in memory, with the name that diagnostics and `__FILE__` show.
    Memory {
        /// The name shown.
        name: String,
        /// The text; not necessarily UTF-8.
        text: Vec<u8>,
    },
}

/// Preprocesses a whole translation unit. The result ends in `Eof`, also after errors, which are in the session's sink.
pub fn preprocess(session: &mut Session, input: &Input) -> Vec<Token> {
    let _ = (session, input);
    Vec::new()
}
