//! What all stages of one translation unit share.

use crate::cache::{Entry, Facts, HEADERS, store};
use crate::diag::{Severity, Sink};
use crate::intern::Interner;
use crate::options::Options;
use crate::source::SourceMap;

/// The state of one translation unit: the stages borrow it in turn, from the preprocessor to lowering. The
/// fields are public so that a stage can borrow them apart from each other.
pub struct Session {
    /// The files read, and what locations mean.
    pub sources: SourceMap,
    /// All spellings.
    pub interner: Interner,
    /// The diagnostics so far.
    pub sink: Sink,
    /// What was asked of the file system so far.
    pub facts: Facts,
    /// What the cache of headers is to get if there are no errors.
    pub(crate) entry: Option<Entry>,
    /// Whether the headers came from the cache: declarations that the program does not name are missing then.
    pub is_cached: bool,
    /// The command line.
    pub options: Options,
}

impl Session {
    /// A session that has read nothing yet.
    pub fn new(options: Options) -> Self {
        Session {
            sources: SourceMap::default(),
            interner: Interner::new(),
            sink: Sink::default(),
            facts: Facts::default(),
            entry: None,
            is_cached: false,
            options,
        }
    }

    /// Applies the warning options to the diagnostics that are new: `-w`, `-Wno-ID`, `-Werror`, and that
    /// system headers are not warned about. Called at the end of each stage, before its errors are counted.
    pub fn settle(&mut self) {
        let Session { sources, sink, options, .. } = self;
        let warnings = &options.warnings;
        sink.settle(|diagnostic| {
            if diagnostic.severity == Severity::Error {
                return true;
            }
            let quiet = !warnings.system_headers && sources.is_system(diagnostic.primary.first);
            if quiet || !warnings.enabled(diagnostic.id) {
                return false;
            }
            if warnings.is_error(diagnostic.id) {
                diagnostic.severity = Severity::Error;
            }
            true
        });
    }

    /// Gives the cache of headers what it did not have, after the program was found to be right.
    pub fn keep_headers(&mut self) {
        if let (Some(entry), Some(folder)) = (self.entry.take(), &self.options.header_cache) {
            // Without a place to write to there is no cache.
            let _ = store::write(folder, &HEADERS, &entry);
        }
    }

    /// Number of errors so far, warnings that options make errors included.
    pub fn errors(&mut self) -> usize {
        self.settle();
        self.sink.errors()
    }
}
