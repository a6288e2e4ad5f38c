//! Rows that threads have each for themselves, with a thread for each iteration of a loop.

use crate::arch;
use accrue_ir::target::Staging;
use accrue_ir::{Body, Loop};

/// Bytes of shared memory for rows: a processor has room for as many for each of ten gangs, so that few
/// threads less are resident where rows turn out to be too long. Of longer rows, 16 at a time take 1.5 times
/// as long as a thread for each without all this, on an H200.
const ROOM: u64 = 22 << 10;

/// Threads that a gang has at least: of smaller gangs, too few would be resident.
const FEWEST_THREADS: u32 = 128;

/// Where each row has a loop in a loop, so many threads of a gang have to have something to do, at least:
/// they take longer to go through the rows than all threads to bring them.
const LEAST_DEEP: u32 = 64;

/// How the threads of a gang load and store such rows for each other. `threads`: how many it has; 0 if the
/// launch says.
pub fn staging(body: &Body, outer: Loop, threads: u32) -> Option<Staging> {
    let is_deep = |at: Loop| {
        let mut around = body.loops_around(body.loops[at].parent).take_while(|&up| up != outer);
        body.loop_is_within(Some(at), outer) && at != outer && around.next().is_some()
    };
    let staging = Staging {
        room: ROOM,
        least: if body.loops.keys().any(is_deep) { LEAST_DEEP } else { arch::WARP },
        most: 128,
        // Some for each processor.
        groups: 1024,
        fewest: 256,
        // Of less, each thread has what its neighbour has loaded.
        shortest: arch::SECTOR.into(),
        stored: 64,
        repeated: 128,
        vector: 16,
    };
    (threads == 0 || threads >= FEWEST_THREADS).then_some(staging)
}
