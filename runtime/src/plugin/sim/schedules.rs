//! Which schedules of a launch are executed, and whether they agree.

use super::super::{Error, Result};
use super::found;
use crate::fatal::warn;
use accrue_ptx_sim::{Device, LaunchArgs, Module, Stats};

/// What a user chooses about schedules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// On all cores of the host, as it comes.
    Free,
    /// The one of a seed.
    Seed(u64),
    /// Those of so many seeds, from the first on.
    Seeds {
        /// The first.
        first: u64,
        /// How many.
        count: u64,
    },
    /// As [`Schedule::Seeds`], and all must leave the same bits behind.
    SameBits {
        /// The first.
        first: u64,
        /// How many.
        count: u64,
    },
}

/// Executes a launch; gives what it took, of several schedules the last one. `scratch` is memory whose
/// contents do not matter afterwards.
pub(super) fn execute(
    device: &Device,
    module: &Module,
    kernel: &str,
    args: &LaunchArgs<'_>,
    schedule: Schedule,
    scratch: u64,
) -> Result<Stats> {
    let (first, count, same_bits) = match schedule {
        Schedule::Free => {
            return device.launch(module, kernel, args).map_err(|report| found::error(&report, None));
        }
        Schedule::Seed(seed) => {
            let args = LaunchArgs { seed: Some(seed), ..*args };
            let launched = device.launch(module, kernel, &args);
            return launched.map_err(|report| found::error(&report, Some(seed)));
        }
        Schedule::Seeds { first, count } => (first, count, false),
        Schedule::SameBits { first, count } => (first, count, true),
    };
    let seeds = first..first.saturating_add(count);
    let outcome = device
        .try_schedules(module, kernel, args, seeds, &[scratch])
        .map_err(|(seed, report)| found::error(&report, Some(seed)))?;
    let Some(difference) = outcome.difference else { return Ok(outcome.last) };
    if same_bits {
        return Err(Error::Failed(format!("schedules do not agree: {difference}")));
    }
    warn(format_args!(
        "warning: kernel `{kernel}`: schedules do not agree: {difference}; sums of floating-point numbers may differ so \
         without --deterministic"
    ));
    Ok(outcome.last)
}
