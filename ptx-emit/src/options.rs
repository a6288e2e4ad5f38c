//! What a user may choose about the code of a GPU.

use crate::arch::Arch;
use crate::dims::DefaultDims;
use crate::shapes::Shapes;
use accrue_ir::target::Arithmetic;
use accrue_ir::target::accumulate::Exclusion;

/// How the partial results of threads become one (`docs/design/reductions.md`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    /// A spin lock around load, operation and store: works for every type and operator.
    Lock,
    /// A compare-and-swap loop on 32 or 64 bits.
    Cas,
    /// One atomic instruction.
    Atomic,
    /// A place for each thread, and one group of lanes that combines all of them by shuffles, always in the
    /// same order.
    Tree,
}

impl Strategy {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Lock => "lock",
            Strategy::Cas => "cas",
            Strategy::Atomic => "atomic",
            Strategy::Tree => "tree",
        }
    }

    /// What keeps threads apart where they accumulate into one object. With `tree` they come one after the
    /// other.
    pub(crate) fn exclusion(self) -> Exclusion {
        match self {
            Strategy::Lock | Strategy::Tree => Exclusion::Around,
            Strategy::Cas => Exclusion::CompareAndSwap,
            Strategy::Atomic => Exclusion::Atomic,
        }
    }
}

/// Options of code generation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The GPU architecture.
    pub arch: Arch,
    /// Strategy of all reductions that can use it; `None` lets a table decide.
    pub strategy: Option<Strategy>,
    /// Results of reductions are the same bits in every run with the same launch dimensions.
    pub deterministic: bool,
    /// Launch dimensions where the program leaves them open.
    pub default_dims: DefaultDims,
    /// Workers and lanes of regions, as measurements have it or for them.
    pub shapes: Shapes,
    /// Collect what `accrue explain` tells.
    pub explain: bool,
    /// What passes have to know about arithmetic.
    pub arithmetic: Arithmetic,
    /// Constructs that go through the same iterations one behind the other become one launch.
    pub fuses: bool,
    /// Arguments stay arguments which all calls pass alike.
    pub keeps_arguments: bool,
    /// Gangs update copies of what they all update atomically, in shared memory.
    pub shared_atomics: bool,
    /// Launches hand over what all threads would compute alike, behind the other parameters.
    pub launch_numbers: bool,
    /// Flush denormals and approximate division and square root.
    pub fast_math: bool,
    /// Variables of the program that some path reads before it writes stay without a value, for executors
    /// that find that; `ptxas` refuses none, but what it makes of them is undefined. Arrays of variable
    /// length are allocated by PTX's own instruction, which such executors follow array by array.
    pub keep_undefined: bool,
}
