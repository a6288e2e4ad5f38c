//! The threads that enter a function, by level.

use accrue_ir::{Func, FunctionKind, Level, Module};

/// The threads that enter a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threads {
    /// In single mode at the start, by index in [`LEVELS`].
    pub(super) single: [bool; 3],
    /// How many there are, by index in [`LEVELS`]; 0 if known at run time only.
    pub(super) size: [u32; 3],
    /// Gangs wait for each other.
    pub(super) gangs_wait: bool,
}

impl Threads {
    pub(super) fn of(module: &Module, func: Func) -> Option<Threads> {
        let function = &module.functions[func];
        match (&function.kind, function.routine.as_ref().and_then(|routine| routine.level)) {
            (FunctionKind::Region(region), _) => {
                let [gangs, _, _, workers, lanes] = region.constant_dims;
                let gangs_wait = region.cooperative;
                Some(Threads { single: [gangs_wait, true, true], size: [gangs, workers, lanes], gangs_wait })
            }
            (FunctionKind::Normal, None) | (FunctionKind::Threaded(_), _) => None,
            (FunctionKind::Normal, Some(level)) => {
                let single = [false, level != Level::Vector, true];
                Some(Threads { single, size: [0; 3], gangs_wait: false })
            }
        }
    }
}

/// The levels, from the outside in.
pub(super) const LEVELS: [Level; 3] = [Level::Gang, Level::Worker, Level::Vector];

/// Where a level is in [`LEVELS`].
pub(super) fn index(level: Level) -> usize {
    match level {
        Level::Gang | Level::Gang2 | Level::Gang3 | Level::Unassigned => 0,
        Level::Worker => 1,
        Level::Vector => 2,
    }
}
