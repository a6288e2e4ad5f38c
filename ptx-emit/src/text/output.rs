//! What writing a module gives: its text, and what a launch needs to know of it.

use super::at_launch::AtLaunch;
use super::iterations::GangLoops;
use std::sync::Arc;

/// A module as PTX.
#[derive(Clone, Debug)]
pub struct Ptx {
    /// All of it.
    pub text: String,
    /// Its kernels, in order.
    pub kernels: Vec<Kernel>,
    /// Bytes of stack that a thread must be given, if nobody knows how many it needs: functions call each
    /// other in a circle or through pointers.
    pub open_stack: Option<u64>,
    /// Kernels allocate on the device's heap.
    pub has_heap: bool,
    /// Objects of the program that `acc declare` gives a copy on the device, where the text has them.
    pub objects: Vec<Object>,
    /// Where the program itself may read variables that it has not set; [`crate::Options::keep_undefined`]
    /// leaves such reads.
    pub unset: Vec<Unset>,
}

impl Ptx {
    /// Whether a register of a function is a variable that the program may read before it sets it.
    pub fn is_unset(&self, function: &str, register: &str) -> bool {
        let mut of_function = self.unset.iter().filter(|unset| unset.function == function);
        of_function.any(|unset| unset.registers.iter().any(|unset| unset == register))
    }
}

/// The registers of a function's variables that may be read before they are set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unset {
    /// The function's name in the text.
    pub function: String,
    /// The registers' names.
    pub registers: Vec<String>,
}

/// An object with `acc declare`; see [`accrue_ir::GlobalData::declare`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name in the IR.
    pub name: Arc<str>,
    /// Its name in the text.
    pub symbol: String,
}

/// How a kernel is launched; see the crate's documentation.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Name of the region in the IR: of the original, where this is a copy of which another shape is tried.
    pub region: Arc<str>,
    /// What it tries, if it is such a copy: how many workers and lanes, and the region's code
    /// ([`crate::Found::fingerprint`]).
    pub trial: Option<([u32; 2], u64)>,
    /// Name of the entry in the text.
    pub entry: String,
    /// Constant launch dimensions: gangs in x, y, z, workers, lanes; 0 where the launch decides.
    pub dims: [u32; 5],
    /// Gangs wait for each other, so that all of them must be resident at once.
    pub cooperative: bool,
    /// Gangs in x of a launch that asks for no number, where `dims` has none; 0 leaves it to the launch.
    pub wanted_gangs: u32,
    /// Its loops over gangs, if the host can compute how many iterations they have.
    pub gang_loops: Option<GangLoops>,
    /// The last values that it takes.
    pub at_launch: AtLaunch,
    /// Most workers that can have more than 32 lanes; none if as many can as there is room for.
    pub most_long_rows: Option<u32>,
    /// Bytes of scratch memory, besides those of the gangs; 0 if the kernel uses none.
    pub scratch: u64,
    /// Bytes of scratch memory for each gang.
    pub scratch_per_gang: u64,
}
