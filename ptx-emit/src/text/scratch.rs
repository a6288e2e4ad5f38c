//! Scratch memory of a launch, in global memory: locks, counters, and what gangs share or shared memory
//! cannot hold.
//!
//! ```text
//! 0   u32 lock of the gangs      4   u32 gangs that are done
//! 8   u32 gangs at the barrier   12  u32 times that all of them were
//! 16  what exists once per launch
//! ... per gang: u32 lock of its workers, then its own objects
//! ```
//!
//! Every function of a module has objects of its own in it, so that its layout is the same for all of its
//! kernels.

use std::fmt::Write;

/// Offset of the lock of the gangs.
pub(super) const GANG_LOCK: i64 = 0;
/// Offset of the number of gangs that are done.
pub(super) const DONE: i64 = 4;
/// Offset of the number of gangs that wait at the barrier of the launch.
pub(super) const ARRIVED: i64 = 8;
/// Offset of the number of times that all gangs have met there.
pub(super) const GENERATION: i64 = 12;
/// Bytes before the launch's objects.
const HEADER: u64 = 16;

/// What lies one after the other.
#[derive(Clone, Copy, Debug)]
struct Area {
    bytes: u64,
    align: u32,
}

impl Area {
    fn take(&mut self, bytes: u64, align: u32) -> u64 {
        let offset = self.bytes.next_multiple_of(u64::from(align.max(1)));
        self.bytes = offset.saturating_add(bytes);
        self.align = self.align.max(align);
        offset
    }
}

/// The layout of the scratch memory of a module's launches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scratch {
    launch: Area,
    gang: Area,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { launch: Area { bytes: HEADER, align: 4 }, gang: Area { bytes: 4, align: 4 } }
    }
}

impl Scratch {
    /// Room for an object of the launch: its offset from the start.
    pub(super) fn take_of_launch(&mut self, bytes: u64, align: u32) -> u64 {
        self.launch.take(bytes, align)
    }

    /// Room for an object of each gang: its offset in the gang's part.
    pub(super) fn take_of_gang(&mut self, bytes: u64, align: u32) -> u64 {
        self.gang.take(bytes, align)
    }

    /// Where the gangs' parts begin: all that does not depend on the number of gangs.
    pub(super) fn gangs_start(&self) -> u64 {
        self.launch.bytes.next_multiple_of(u64::from(self.gang.align))
    }

    /// Bytes of a gang's part.
    pub(super) fn gang_bytes(&self) -> u64 {
        self.gang.bytes.next_multiple_of(u64::from(self.gang.align))
    }

    /// The layout, for people who launch a kernel themselves.
    pub(super) fn comment(&self) -> String {
        let mut text = String::new();
        if (self.gangs_start(), self.gang_bytes()) != (HEADER, 4) {
            let _ = writeln!(
                text,
                "// scratch: {} bytes and {} for each gang",
                self.gangs_start(),
                self.gang_bytes()
            );
        }
        text
    }
}
