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

/// The program as such devices have it.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// All of it; empty if there are no regions.
    pub ptx: String,
    /// Its kernels, by the name of the region.
    pub kernels: HashMap<String, Kernel>,
    /// Nobody knows how much stack a thread needs: functions call each other in a circle or through pointers, or have arrays of
    /// variable length.
    pub has_open_stack: bool,
    /// Names of objects in it, by the addresses of those objects on the host.
    pub objects: HashMap<u64, String>,
}
