//! The program's code for devices that execute accrue's PTX, and how its kernels are launched: for the GPU,
//! and for whatever else executes PTX. `accrue-ptx-emit` documents what is relied on here.

mod image;
mod shape;

pub use image::{Busy, Gangs, Image, Kernel, Work};
pub use shape::{Block, Shapes, scratch, values};

/// Bytes of the device's heap for each of its processors: a gang takes what its threads share of it, where
/// the length is known at run time only.
const HEAP_PER_PROCESSOR: u64 = 8 << 20;

/// Bytes of stack of a thread whose kernel may use the heap: the code by which `compute-sanitizer` watches
/// the heap needs more than the 1 KiB that a driver gives, and more than 4.
pub const HEAP_STACK: u64 = 16 << 10;

/// Bytes of the heap of a device with this number of processors and this many bytes of memory.
pub fn heap(processors: u32, memory: u64) -> u64 {
    (HEAP_PER_PROCESSOR * u64::from(processors)).min(memory / 8)
}

/// What is said where variables of threads do not fit: `bytes` in each thread, `threads` of them on the
/// device at once.
pub fn local_memory_message(bytes: u64, threads: u64, free: u64) -> String {
    let wanted = bytes.saturating_mul(threads) >> 20;
    format!(
        "variables of {bytes} bytes in each of the {threads} threads that the device holds want {wanted} MiB of its memory, of which \
         {} MiB are free",
        free >> 20
    )
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
