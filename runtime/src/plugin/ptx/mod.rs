//! The program's code for devices that execute accrue's PTX, and how its kernels are launched: for the GPU, and for
//! whatever else executes PTX. `accrue-ptx-emit` documents what is relied on here.

mod shape;

pub use shape::{Block, scratch};

use std::collections::HashMap;

/// What a launch needs to know about a kernel.
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    /// Its name in PTX.
    pub entry: String,
    /// Constant launch dimensions: gangs in x, y, z, workers, lanes; 0 where the launch decides.
    pub dims: [u32; 5],
    /// Gangs wait for each other, so that all of them must be resident at once.
    pub cooperative: bool,
    /// Gangs in x of a launch that asks for no number, where `dims` has none; 0 leaves it to the device.
    pub wanted_gangs: u32,
    /// Most workers that can have more than 32 lanes; none if as many can as there is room for.
    pub most_long_rows: Option<u32>,
    /// Bytes of scratch memory, besides those of the gangs.
    pub scratch: u64,
    /// Bytes of scratch memory for each gang.
    pub scratch_per_gang: u64,
}

/// Bytes of the device's heap for each of its processors: a gang takes what its threads share of it, where the length is known at
/// run time only.
const HEAP_PER_PROCESSOR: u64 = 8 << 20;

/// Bytes of stack of a thread whose kernel may use the heap: the code by which `compute-sanitizer` watches the heap needs more than
/// the 1 KiB that a driver gives, and more than 4.
pub const HEAP_STACK: u64 = 16 << 10;

/// Bytes of the heap of a device with this number of processors and this many bytes of memory.
pub fn heap(processors: u32, memory: u64) -> u64 {
    (HEAP_PER_PROCESSOR * u64::from(processors)).min(memory / 8)
}

/// What is said where variables of threads do not fit: `bytes` in each thread, `threads` of them on the device at once.
pub fn local_memory_message(bytes: u64, threads: u64, free: u64) -> String {
    let wanted = bytes.saturating_mul(threads) >> 20;
    format!(
        "variables of {bytes} bytes in each of the {threads} threads that the device holds want {wanted} MiB of its memory, of which \
         {} MiB are free",
        free >> 20
    )
}

/// The program as such devices have it.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// All of it; empty if there are no regions.
    pub ptx: String,
    /// Its kernels, by the name of the region.
    pub kernels: HashMap<String, Kernel>,
    /// Bytes of stack that a thread must be given, if nobody knows how many it needs: functions call each other in a circle or
    /// through pointers.
    pub open_stack: Option<u64>,
    /// Kernels allocate on the device's heap.
    pub has_heap: bool,
    /// What PTX calls the objects in it, by their names in the program.
    pub objects: HashMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_is_a_part_of_memory() {
        assert_eq!(heap(132, 140 << 30), 1056 << 20);
        assert_eq!(heap(80, 2 << 30), 256 << 20);
    }

    #[test]
    fn how_much_local_memory_is_wanted_is_said() {
        let message = local_memory_message(65536, 2048 * 132, 12 << 30);
        assert!(message.contains("65536 bytes in each of the 270336 threads"), "{message}");
        assert!(message.contains("want 16896 MiB of its memory, of which 12288 MiB are free"), "{message}");
    }
}
