//! What a device that executes PTX knows of the program.

use crate::plugin::tune::{self, Trial};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Gangs that have something to do, in x, y and z.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Busy {
    /// How many.
    pub gangs: [u64; 3],
    /// Times as many in x as can be resident that are worth starting: where even that is too few, as many are
    /// started as can be resident, and each does more.
    pub most_waves: u32,
    /// So many in x are started instead, if that is more than can be resident.
    pub fewer: u64,
}

/// The same from the arguments of a launch, its workers and its lanes; `None` if that cannot be said of these
/// arguments.
pub type Gangs = dyn Fn(&[u64], u32, u32) -> Option<Busy> + Send + Sync;

/// How many lanes a launch should have, from its arguments and the processors of the device, where the launch
/// chooses; `None` if it does not, or that cannot be said of these arguments.
pub type Lanes = dyn Fn(&[u64], u32) -> Option<u32> + Send + Sync;

/// Values that a launch hands over behind the others, from its arguments and from how many gangs in x, y and
/// z, workers and lanes it has; `None` if they cannot be computed from these.
pub type Values = dyn Fn(&[u64], [u32; 5]) -> Option<Vec<u64>> + Send + Sync;

/// What the gangs of a kernel share.
#[derive(Clone)]
pub struct Work {
    /// The arguments that the numbers below are computed from.
    pub reads: Vec<usize>,
    /// How many have something to do.
    pub gangs: Arc<Gangs>,
    /// How many lanes are worth it.
    pub lanes: Arc<Lanes>,
    /// What the kernel's threads need not compute.
    pub values: Arc<Values>,
    /// Workers, or they and their lanes, have iterations of their own, and nothing else: there may be any
    /// number of them.
    pub has_rows: bool,
    /// Workers and lanes go through the rows of a nest, or share loops, and do nothing else: so many workers
    /// at most, and any smaller number. 0 where the number is fixed.
    pub most_workers: u32,
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("has_rows", &self.has_rows).finish_non_exhaustive()
    }
}

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
    /// What its gangs share, if the host can tell.
    pub work: Option<Work>,
    /// Most workers that can have more than 32 lanes; none if as many can as there is room for.
    pub most_long_rows: Option<u32>,
    /// Bytes of scratch memory, besides those of the gangs.
    pub scratch: u64,
    /// Bytes of scratch memory for each gang.
    pub scratch_per_gang: u64,
    /// The same region in other shapes, which launches try.
    pub trials: Vec<Kernel>,
}

impl Kernel {
    /// Which of [`Kernel::trials`] a launch takes, none for the kernel itself, and what is measured thereby.
    pub fn next(&self, region: &str, args: &[u64]) -> (Option<usize>, Option<Trial>) {
        if self.trials.is_empty() {
            return (None, None);
        }
        let busy = self.work.as_ref().and_then(|work| (work.gangs)(args, 1, 1));
        let work = busy.map_or(0, |busy| busy.gangs.into_iter().fold(1, u64::saturating_mul));
        let (candidate, trial) = tune::next(region, 1 + self.trials.len(), work);
        (candidate.checked_sub(1), Some(trial))
    }
}

/// The program as such devices have it.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// All of it; empty if there are no regions.
    pub ptx: String,
    /// Its kernels, by the name of the region.
    pub kernels: HashMap<String, Kernel>,
    /// Bytes of stack that a thread must be given, if nobody knows how many it needs: functions call each
    /// other in a circle or through pointers.
    pub open_stack: Option<u64>,
    /// Kernels allocate on the device's heap.
    pub has_heap: bool,
    /// The host waits for each synchronous construct: regions print or may end the program, or other
    /// libraries may look at the device's memory.
    pub waits: bool,
    /// What PTX calls the objects in it, by their names in the program.
    pub objects: HashMap<String, String>,
}
