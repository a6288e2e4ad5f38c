//! Where a reduction is active.

use crate::entities::{Block, Loop};

/// The code in which a reduction is active.
pub struct Scope {
    /// The loop that it is; none for a whole region.
    pub loop_: Option<Loop>,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// The loops whose annotations are inside.
    pub loops: Vec<Loop>,
}
