//! What queues of the simulated device do, one step after the other: at once, or late.

use super::super::ptx;
use super::super::{Error, HostFunction, Result, Runs};
use super::clock::{Cost, PROCESSORS};
use super::progress::Progress;
use super::{Simulated, THREADS_WITH_MEMORY, WORD, found, memory_error, schedules};
use crate::fatal::tell;
use crate::races::course::Moment;
use crate::races::memory::{self, Access};
use accrue_ptx_sim as sim;

/// Threads of a warp.
const WARP: u64 = 32;

/// Where the bytes of a copy to the device come from.
pub(super) enum Source {
    /// Memory of the host, read when the copy is made.
    Place(usize),
    /// They were read when the copy was asked for.
    Bytes(Box<[u8]>),
}

/// A kernel that was launched.
pub(super) struct Kernel {
    /// Its name in the module.
    pub(super) entry: String,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    /// One for each argument of the region.
    pub(super) values: Vec<u64>,
    /// One for each parameter behind the launch's own memory.
    pub(super) last: Vec<u64>,
    /// Bytes of the launch's own memory.
    pub(super) scratch: u64,
    /// What is shown while it takes long.
    pub(super) title: String,
}

/// A step of a queue.
pub(super) enum Step {
    Upload {
        to: u64,
        from: Source,
        runs: Runs,
    },
    Download {
        to: usize,
        from: u64,
        runs: Runs,
    },
    Copy {
        to: u64,
        from: u64,
        bytes: u64,
    },
    Clear {
        at: u64,
        bytes: u64,
    },
    Free {
        address: u64,
    },
    Launch(Box<Kernel>),
    /// The contents of a block are lost, of which the host has another copy by this name.
    Drop {
        address: u64,
        name: String,
    },
    /// The host is about to get memory, of elements of one type or not.
    Return {
        address: u64,
        bytes: u64,
        is_of_one_type: bool,
    },
    /// Calls the host, which knows then that the work before is done.
    Call {
        function: HostFunction,
        before: sim::Event,
    },
}

/// A step and its place among all.
pub(super) struct Asked {
    pub(super) step: Step,
    pub(super) order: sim::Order,
    /// Where the host was that asked for a copy, if tasks are judged.
    pub(super) moment: Option<Moment>,
}

impl Asked {
    /// An error of a step that is done later than it was asked for says who asked.
    pub(super) fn late_error(order: &sim::Order, error: Error) -> Error {
        let Some(asker) = order.asker() else { return error };
        let place = asker.place.as_ref().map_or(String::new(), |(file, line)| format!(" at {file}:{line}"));
        match error {
            Error::Failed(text) => Error::Failed(format!("`{}`{place}: {text}", asker.what)),
            Error::Found(mut finding) => {
                let is_there =
                    finding.place.as_ref().zip(asker.place.as_ref()).is_some_and(|(found, (file, line))| {
                        (found.file.as_str(), found.line) == (file.as_str(), *line)
                    });
                if !is_there {
                    finding.notes.push(format!("asked for by `{}`{place}", asker.what));
                }
                Error::Found(finding)
            }
        }
    }
}

impl Simulated {
    /// Does a step.
    pub(super) fn carry_out(&self, Asked { step, order, moment }: Asked) -> Result<Cost> {
        let refuse = |report: Box<sim::Report>| found::error(&report, None);
        let access = |access, address, bytes: u64| {
            self.device.access(&order, access, (address, bytes)).map_err(refuse)
        };
        let touch = |access, host: usize, device, bytes: u64, changes| {
            let place = host as u64..host as u64 + bytes;
            self.device.touch_host(&order, access, place.clone(), device, changes).map_err(refuse)?;
            let copy = match access {
                sim::HostAccess::CopyOut => Access::CopyOut(changes),
                _ => Access::CopyIn,
            };
            let found = moment.as_ref().and_then(|moment| memory::add(moment, place, copy));
            found.map_or(Ok(()), |finding| Err(Error::Found(finding)))
        };
        // A function of the host may ask for work itself.
        let is_call = matches!(step, Step::Call { .. });
        let _alone = if is_call { None } else { self.alone() };
        match step {
            Step::Upload { to, from, runs } => {
                runs.offsets().try_for_each(|at| {
                    access(sim::HostAccess::CopyIn, to + at, runs.bytes)?;
                    let data = match &from {
                        // SAFETY: whoever asked has promised that the bytes are there until the copy is done.
                        Source::Place(place) => unsafe {
                            let first = std::ptr::with_exposed_provenance::<u8>(*place).add(at as usize);
                            touch(sim::HostAccess::CopyIn, first.addr(), to + at, runs.bytes, false)?;
                            std::slice::from_raw_parts(first, runs.bytes as usize)
                        },
                        Source::Bytes(bytes) => &bytes[at as usize..(at + runs.bytes) as usize],
                    };
                    self.device.copy_in(to + at, data).map_err(memory_error)
                })?;
                Ok(Cost::Upload(runs.total()))
            }
            Step::Download { to, from, runs } => {
                runs.offsets().try_for_each(|at| {
                    access(sim::HostAccess::CopyOut, from + at, runs.bytes)?;
                    // SAFETY: as above.
                    let data = unsafe {
                        let first = std::ptr::with_exposed_provenance_mut::<u8>(to).add(at as usize);
                        std::slice::from_raw_parts_mut(first, runs.bytes as usize)
                    };
                    // Bytes that nobody wrote come as poison: C allows to copy out an array that is written
                    // in part.
                    let mut bytes = vec![0; data.len()];
                    self.device.copy_out(from + at, &mut bytes).map_err(memory_error)?;
                    let changes = *data != bytes[..];
                    touch(sim::HostAccess::CopyOut, data.as_ptr().addr(), from + at, runs.bytes, changes)?;
                    data.copy_from_slice(&bytes);
                    Ok(())
                })?;
                Ok(Cost::Download(runs.total()))
            }
            Step::Copy { to, from, bytes } => {
                access(sim::HostAccess::CopyFrom, from, bytes)?;
                access(sim::HostAccess::CopyTo, to, bytes)?;
                self.device.copy(to, from, bytes).map_err(memory_error)?;
                Ok(Cost::Within(bytes))
            }
            Step::Clear { at, bytes } => {
                access(sim::HostAccess::Fill, at, bytes)?;
                self.device.set(at, 0, bytes).map_err(memory_error)?;
                Ok(Cost::Within(bytes))
            }
            Step::Free { address } => {
                access(sim::HostAccess::Free, address, 0)?;
                self.device.free(address).map_err(memory_error)?;
                Ok(Cost::Nothing)
            }
            Step::Launch(kernel) => self.execute(*kernel, &order),
            Step::Drop { address, name } => {
                if let Some(site) = self.device.lost_result(address) {
                    tell(&found::lost(&site, &name));
                }
                Ok(Cost::Nothing)
            }
            Step::Return { address, bytes, is_of_one_type } => {
                self.check_output(address, bytes, is_of_one_type).map(|()| Cost::Nothing)
            }
            Step::Call { function, before } => {
                self.device.synchronize(&before);
                function();
                Ok(Cost::Nothing)
            }
        }
    }

    fn check_output(&self, address: u64, bytes: u64, is_of_one_type: bool) -> Result<()> {
        let output = self.device.check_output(address, bytes);
        let copied = output.map_err(|report| found::error(&report, None))?;
        // Structures are copied with members that have no value.
        if let Some(report) = copied.filter(|_| is_of_one_type) {
            let is_new =
                self.told().insert(report.at.as_ref().map(|site| (site.function.clone(), site.ptx_line)));
            if is_new {
                tell(&found::copied(&report));
            }
        }
        Ok(())
    }

    fn execute(&self, kernel: Kernel, order: &sim::Order) -> Result<Cost> {
        let no_kernel = || Error::Failed("compiler bug: the region has no kernel".into());
        let module = self.module()?.ok_or_else(no_kernel)?;
        let info = module.kernel(&kernel.entry).ok_or_else(no_kernel)?;
        let (local, threads) = (u64::from(info.local_bytes), u64::from(PROCESSORS) * THREADS_WITH_MEMORY);
        let free = self.unused();
        if local * threads > free {
            return Err(Error::Failed(ptx::local_memory_message(local, threads, free)));
        }
        // Zero bytes cannot be allocated, and atomic updates may be made on whole words.
        let bytes = kernel.scratch.max(1).next_multiple_of(WORD);
        let scratch = self.device.alloc(bytes, "the launch's own memory").map_err(memory_error)?;
        self.device.set(scratch, 0, bytes).map_err(memory_error)?;
        let values: Vec<u64> = kernel.values.into_iter().chain([scratch]).chain(kernel.last).collect();
        let params = parameters(&info, &values)?;
        let (grid, block) = (kernel.grid, kernel.block);
        let args = sim::LaunchArgs {
            grid,
            block,
            params: &params,
            order: Some(order),
            ..sim::LaunchArgs::default()
        };
        let progress = Progress::start(kernel.title);
        let schedule = self.options.schedule;
        let stats = schedules::execute(&self.device, module, &kernel.entry, &args, schedule, scratch)?;
        drop(progress);
        self.device.free(scratch).map_err(memory_error)?;
        let threads: u64 = block.iter().map(|&dim| u64::from(dim)).product();
        let warps = stats.ctas * threads.div_ceil(WARP);
        Ok(Cost::Kernel { warps, instructions: stats.warp_instructions })
    }
}

/// Bytes of a value of a launch.
const VALUE: usize = 8;

/// The block of parameters of a kernel. Narrow parameters are the first bytes of their values, arrays are
/// several values.
fn parameters(info: &sim::KernelInfo, values: &[u64]) -> Result<Vec<u8>> {
    let wanted: usize = info.params.iter().map(|(_, _, bytes)| (*bytes as usize).div_ceil(VALUE)).sum();
    let given = values.len();
    if wanted != given {
        let message = format!("compiler bug: the kernel takes {wanted} values, {given} are given");
        return Err(Error::Failed(message));
    }
    let mut bytes = values.iter().flat_map(|value| value.to_le_bytes());
    let mut block = vec![0; info.param_bytes as usize];
    for (_, offset, size) in &info.params {
        let (start, size) = (*offset as usize, *size as usize);
        let value: Vec<u8> = bytes.by_ref().take(size.next_multiple_of(VALUE)).collect();
        if let Some(place) = block.get_mut(start..start + size) {
            place.copy_from_slice(&value[..size]);
        }
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_their_widths() {
        let info = sim::KernelInfo {
            name: "k".into(),
            params: vec![("a".into(), 0, 8), ("b".into(), 8, 1), ("c".into(), 12, 4), ("d".into(), 16, 16)],
            param_bytes: 32,
            required_threads: None,
            max_threads: None,
            local_bytes: 0,
        };
        let block = parameters(&info, &[1, u64::MAX, 3, 4, 5]).expect("there are as many values");
        assert_eq!(block[..16], [1, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 3, 0, 0, 0]);
        assert_eq!(block[16..], [4, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
        assert!(parameters(&info, &[1]).is_err());
    }
}
