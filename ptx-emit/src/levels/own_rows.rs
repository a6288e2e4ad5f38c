//! Rows that threads have each for themselves, with a thread for each iteration of a loop.

use crate::arch;
use accrue_ir::target::Staging;
use accrue_ir::{Body, Loop};

/// Bytes of shared memory for rows: what a gang has without asking for more, but for some that the rest of a
/// launch may need.
const ROOM: u64 = 44 << 10;

/// Where each row has a loop in a loop, so many threads of a gang have to have something to do, at least:
/// they take longer to go through the rows than all threads to bring them.
const LEAST_DEEP: u32 = 128;

/// How the threads of a gang load and store such rows for each other.
pub fn staging(body: &Body, outer: Loop) -> Staging {
    let is_deep = |at: Loop| {
        let mut around = body.loops_around(body.loops[at].parent).take_while(|&up| up != outer);
        body.loop_is_within(Some(at), outer) && at != outer && around.next().is_some()
    };
    Staging {
        room: ROOM,
        least: if body.loops.keys().any(is_deep) { LEAST_DEEP } else { arch::WARP },
        most: 256,
        // Each processor has room for four gangs.
        groups: 512,
        fewest: 256,
        // Of less, each thread has what its neighbour has loaded.
        shortest: arch::SECTOR.into(),
        stored: 64,
        repeated: 128,
        vector: 16,
    }
}
