//! The barriers of a level, and which of two adjacent ones is enough.

use accrue_ir::{FunctionKind, Level};

/// Which threads a barrier makes wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum BarrierKind {
    /// Those of a row.
    Row,
    /// Those of the block.
    Block,
    /// Those of the launch.
    Launch,
}

impl BarrierKind {
    /// Which barrier makes the threads of a level meet; none for levels that have none.
    pub(crate) fn of(level: Level, rows: Rows) -> Option<BarrierKind> {
        match level {
            Level::Worker => Some(BarrierKind::Block),
            Level::Vector if rows == Rows::Gang => Some(BarrierKind::Block),
            Level::Vector => Some(BarrierKind::Row),
            Level::Gang => Some(BarrierKind::Launch),
            Level::Gang2 | Level::Gang3 | Level::Unassigned => None,
        }
    }

    /// Whether this barrier adds nothing directly after (or before) the other one.
    pub(crate) fn is_covered_by(self, other: BarrierKind) -> bool {
        self <= other
    }
}

/// What is known of the rows of a function's launches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rows {
    /// Each is one warp.
    Warps,
    /// There is one, which is the whole gang.
    Gang,
    /// Each is several warps, and there may be several.
    Long,
    /// Nothing.
    Any,
}

impl Rows {
    pub(crate) fn of(kind: &FunctionKind) -> Rows {
        let FunctionKind::Region(region) = kind else { return Rows::Any };
        match region.constant_dims {
            [.., 1..=32] => Rows::Warps,
            [.., 1, _] => Rows::Gang,
            [.., 0] => Rows::Any,
            _ => Rows::Long,
        }
    }
}

/// A barrier in the text of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BarrierMark {
    pub(super) kind: BarrierKind,
    /// Where it begins and ends.
    pub(super) start: usize,
    pub(super) end: usize,
}
