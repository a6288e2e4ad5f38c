//! What all stages of one translation unit share.

use crate::diag::Sink;
use crate::intern::Interner;
use crate::options::Options;
use crate::source::SourceMap;

/// The state of one translation unit: the stages borrow it in turn, from the preprocessor to lowering. The fields are
/// public so that a stage can borrow them apart from each other.
pub struct Session {
    /// The files read, and what locations mean.
    pub sources: SourceMap,
    /// All spellings.
    pub interner: Interner,
    /// The diagnostics so far.
    pub sink: Sink,
    /// The command line.
    pub options: Options,
}

impl Session {
    /// A session that has read nothing yet.
    pub fn new(options: Options) -> Self {
        Session { sources: SourceMap::default(), interner: Interner::new(), sink: Sink::default(), options }
    }
}
