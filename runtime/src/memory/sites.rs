//! What constructs have found when they were executed, for when they come again ([`super::again`]).

use super::mark::Mark;
use super::table::Range;
use crate::plugin::Queue;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::Arc;

/// What constructs have found, by a hash of their descriptors and values.
pub(super) type Sites = FxHashMap<u64, FoundBefore>;

/// Constructs that are remembered, at most.
pub(super) const REMEMBERED: usize = 4096;

/// What a construct has found.
#[derive(Debug)]
pub(super) struct FoundBefore {
    /// The address of its descriptor.
    pub(super) desc: usize,
    /// The values of its maps.
    pub(super) words: Box<[u64]>,
    /// What its region gets, but for values of scalars.
    pub(super) args: Box<[Option<u64>]>,
    /// What its clauses named, and where that was.
    pub(super) places: SmallVec<[(Range, u64); 4]>,
    /// The changes of the table when its blocks were last looked for.
    pub(super) changes: Cell<u64>,
    /// The queue of its region.
    pub(super) queue: Queue,
    /// Until when the blocks are used.
    pub(super) mark: Arc<Mark>,
}
