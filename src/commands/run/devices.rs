//! The devices of `accrue run`, with the program's code on them.

use super::tune;
use crate::args::{Device, Memory, RunArgs};
use accrue::driver::{self, Failure};
use accrue_host_jit::Program;
use accrue_ir::passes::Section;
use accrue_ir::verify::Verified;
use accrue_ptx_emit::Arch;
use accrue_ptx_emit::text::{self, Ptx};
use accrue_runtime::abi::ProgramTable;
use accrue_runtime::plugin;
use accrue_runtime::plugin::cuda::{self, Cuda};
use accrue_runtime::plugin::host::{self, DiscreteHost};
use accrue_runtime::plugin::ptx::{Busy, Image, Kernel, Work};
use accrue_runtime::plugin::sim::Simulated;
use std::collections::HashMap;
use std::sync::Arc;

/// Refuses what makes no sense, or is not there yet.
pub fn check(args: &RunArgs) -> Result<(), Failure> {
    let wrong = |message: &str| Err(Failure::Usage(message.to_owned()));
    match (args.device(), args.memory) {
        (Device::Cuda | Device::Sim, Memory::Discrete) => {
            wrong("`--memory discrete` is about the host as a device; a GPU always has memory of its own")
        }
        (Device::Host | Device::Multicore, Memory::Shared) | (Device::Cuda, _) if args.devices.is_some() => {
            wrong("`--devices` is about simulated GPUs and hosts with memory of their own")
        }
        (Device::Cuda | Device::Sim, _) if args.resume.from_stage.is_some() => {
            wrong("`--from-stage` goes on with the code of one target; `--device` wants that of host and GPU")
        }
        (Device::Host | Device::HostDiscrete | Device::Multicore | Device::Cuda, _)
            if args.simulation.is_given() =>
        {
            wrong(
                "`--seed`, `--schedules`, `--sim-limit`, `--races`, `--divergence`, `--queues` and `--arch` are options of \
             `--device sim`",
            )
        }
        _ => Ok(()),
    }
}

/// Hosts as devices with memory of their own. `copies` are the program once more for each, with objects of
/// their own.
pub fn discrete_hosts(
    program: Program,
    copies: Vec<Program>,
) -> Result<Vec<Box<dyn plugin::Device>>, Failure> {
    accrue_host_jit::explain_faults(host::explain);
    let instances: Arc<[Program]> = std::iter::once(program).chain(copies.iter().copied()).collect();
    let device = |(number, copy): (u32, Program)| -> Result<Box<dyn plugin::Device>, Failure> {
        let (is_object, instances) = (copy.object_test(), Arc::clone(&instances));
        let is_own = move |address| {
            let address = address as usize;
            is_object(address) || instances.iter().any(|instance| instance.is_code(address))
        };
        let image = host::Image { table: table(&copy)?, is_own: Box::new(is_own), number };
        Ok(Box::new(DiscreteHost::new(image)))
    };
    (0..).zip(copies).map(device).collect()
}

/// What a program has for devices.
pub fn table(program: &Program) -> Result<&'static ProgramTable, Failure> {
    program.table().map_err(|error| Failure::Other(error.to_string()))
}

/// The GPUs of this machine, with the regions compiled for the oldest of them. Without any there are none,
/// and regions run on the host: the program is told so.
pub fn gpus(module: Verified, args: &RunArgs) -> Result<Devices, Failure> {
    let gpus = match cuda::probe() {
        Ok(gpus) => gpus,
        Err(error) => {
            driver::report(&format!(
                "accrue: warning: no GPU can be used, regions run on the host: {error}\n"
            ));
            return Ok(Devices { all: Vec::new(), name: String::new(), tried: Tried::new() });
        }
    };
    let capability = gpus.iter().map(|gpu| gpu.capability).min().unwrap_or(0);
    let newest = Arch::all().rev().find(|arch| arch.number() <= capability);
    let Some(arch) = newest else {
        let oldest = Arch::all().next().unwrap_or_default();
        let message = format!("a GPU of this machine is older than {oldest}: its capability is {capability}");
        return Err(Failure::Other(message));
    };
    let oldest = gpus.iter().find(|gpu| gpu.capability == capability);
    let name = oldest.map_or_else(String::new, cuda::Gpu::name);
    let (image, tried) = image(module, args, (arch, &name))?;
    let image = Arc::new(image);
    let device = |gpu| -> Box<dyn plugin::Device> { Box::new(Cuda::new(gpu, Arc::clone(&image))) };
    Ok(Devices { all: gpus.into_iter().map(device).collect(), name, tried })
}

/// Simulated GPUs, with the regions compiled for them.
pub fn simulated(module: Verified, args: &RunArgs) -> Result<Devices, Failure> {
    let arch = args.simulation.arch.unwrap_or_default();
    let name = Simulated::NAME.to_string_lossy().into_owned();
    let (image, tried) = image(module, args, (arch, &name))?;
    let image = Arc::new(image);
    let device = |number| -> Box<dyn plugin::Device> {
        let options = args.simulation.options(args.reduction.deterministic, number);
        Box::new(Simulated::new(Arc::clone(&image), options))
    };
    Ok(Devices { all: (0..args.devices.unwrap_or(1)).map(device).collect(), name, tried })
}

/// Devices of a run that execute PTX.
pub struct Devices {
    /// All of them.
    pub all: Vec<Box<dyn plugin::Device>>,
    /// The name of the one that they were compiled for.
    pub name: String,
    /// What is tried on them.
    pub tried: Tried,
}

/// The regions of which shapes are tried: what their code is, and the shapes beside the usual one.
pub type Tried = HashMap<String, (u64, Vec<[u32; 2]>)>;

/// The image of the program for GPUs of an architecture and newer ones, for the one of a name before all.
fn image(module: Verified, args: &RunArgs, (arch, name): (Arch, &str)) -> Result<(Image, Tried), Failure> {
    let mut options = args.compile.ptx_options(arch, &args.reduction)?;
    options.shapes = tune::shapes(args, name)?;
    // The simulator tells of them.
    options.keep_undefined = args.device() == Device::Sim;
    let ptx = driver::ptx(module, &options, Section::WHOLE, args.compile.verify, &args.compile.messages())?;
    let waits = may_show(&ptx.text, &args.libraries);
    let (image, tried) = image_of(ptx);
    Ok((Image { waits, ..image }, tried))
}

/// Whether somebody besides the runtime may see when a region is done, or what it leaves in the device's
/// memory: regions that print or end the program, libraries other than those that every program has.
fn may_show(ptx: &str, libraries: &[String]) -> bool {
    let is_usual = |name: &String| matches!(&**name, "c" | "dl" | "m" | "pthread" | "rt");
    ["vprintf", "__assertfail", "trap;"].iter().any(|shown| ptx.contains(shown))
        || !libraries.iter().all(is_usual)
}

/// What the runtime needs of the emitted module, and what is tried of it.
fn image_of(ptx: Ptx) -> (Image, Tried) {
    let empty = ptx.kernels.is_empty();
    let (mut kernels, mut tried) = (HashMap::new(), Tried::new());
    let (trials, originals): (Vec<_>, Vec<_>) =
        ptx.kernels.into_iter().partition(|kernel| kernel.trial.is_some());
    for original in originals {
        kernels.insert(original.region.to_string(), kernel_of(original));
    }
    for trial in trials {
        let region = trial.region.to_string();
        let Some((kernel, (shape, code))) = kernels.get_mut(&region).zip(trial.trial) else { continue };
        let (_, shapes) = tried.entry(region).or_insert((code, Vec::new()));
        // A clause counts more than what is tried, and some regions use one level only.
        if kernel.dims != trial.dims && kernel.trials.iter().all(|other| other.dims != trial.dims) {
            // What came of it, where that is a constant: of a level that no loop uses there is one thread.
            let [.., workers, lanes] = trial.dims;
            let sizes = [[workers, shape[0]], [lanes, shape[1]]];
            shapes.push(sizes.map(|[is, tried]| if is > 0 { is } else { tried }));
            kernel.trials.push(kernel_of(trial));
        }
    }
    let image = Image {
        ptx: if empty { String::new() } else { ptx.text },
        kernels,
        open_stack: ptx.open_stack,
        has_heap: ptx.has_heap,
        waits: false,
        objects: ptx.objects.into_iter().map(|object| (object.name.to_string(), object.symbol)).collect(),
    };
    (image, tried)
}

/// What the runtime needs of a kernel.
fn kernel_of(kernel: text::Kernel) -> Kernel {
    let text::Kernel {
        entry,
        dims,
        cooperative,
        wanted_gangs,
        gang_loops,
        at_launch,
        most_long_rows,
        scratch,
        scratch_per_gang,
        region: _,
        trial: _,
    } = kernel;
    let work = gang_loops.map(|loops| {
        let loops = Arc::new(loops);
        let of_rows = Arc::clone(&loops);
        Work {
            reads: loops.arguments(),
            has_rows: loops.has_rows(),
            most_workers: loops.most_workers(),
            lanes: Arc::new(move |args, processors| of_rows.lanes(args, processors)),
            values: Arc::new(move |args, sizes| at_launch.values(args, sizes)),
            gangs: Arc::new(move |args, workers, lanes| {
                let text::Busy { gangs, most_waves, fewer } = loops.gangs(args, workers, lanes)?;
                Some(Busy { gangs, most_waves, fewer })
            }),
        }
    });
    Kernel {
        entry,
        dims,
        cooperative,
        wanted_gangs,
        work,
        most_long_rows,
        scratch,
        scratch_per_gang,
        trials: Vec::new(),
    }
}
