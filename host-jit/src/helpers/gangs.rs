//! The gang that a thread executes, for routines: a region itself gets it as arguments.

use std::cell::Cell;

thread_local! {
    static GANG: Cell<(u64, u64)> = const { Cell::new((0, 1)) };
}

/// Says which gang of how many the thread executes from now on.
pub(crate) extern "C" fn enter(gang: u64, gangs: u64) {
    GANG.set((gang, gangs));
}

/// The gang.
pub(crate) extern "C" fn gang() -> u64 {
    GANG.get().0
}

/// The number of gangs.
pub(crate) extern "C" fn gangs() -> u64 {
    GANG.get().1
}
