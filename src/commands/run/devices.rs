//! The devices of `accrue run`, with the program's code on them.

use crate::args::{Device, Memory, RunArgs};
use accrue::driver::{self, Failure};
use accrue_host_jit::{Object, Program};
use accrue_ir::{DeclareKind, MapKind, Module};
use accrue_ptx_emit::Arch;
use accrue_ptx_emit::text::{self, Ptx};
use accrue_runtime::abi::HostEntry;
use accrue_runtime::plugin::cuda::{self, Cuda};
use accrue_runtime::plugin::host::{self, DiscreteHost};
use accrue_runtime::plugin::ptx::{Code, Kernel};
use accrue_runtime::plugin::sim::Simulated;
use accrue_runtime::plugin::{self, Declared};
use std::collections::HashMap;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

/// Refuses what makes no sense, or is not there yet.
pub fn check(args: &RunArgs) -> Result<(), Failure> {
    let wrong = |message: &str| Err(Failure::Usage(message.to_owned()));
    match (args.device, args.memory) {
        (Device::Multicore, _) => wrong("not yet: `--device multicore` is not supported"),
        (Device::Cuda | Device::Sim, Memory::Discrete) => {
            wrong("`--memory discrete` is about the host as a device; a GPU always has memory of its own")
        }
        (Device::Host | Device::HostDiscrete | Device::Cuda, _) if args.simulation.is_given() => wrong(
            "`--seed`, `--schedules`, `--sim-limit`, `--races`, `--divergence` and `--arch` are options of `--device sim`",
        ),
        (Device::Host | Device::HostDiscrete | Device::Cuda | Device::Sim, _) => Ok(()),
    }
}

/// What the program declares for devices.
pub fn declared(program: &Program) -> Vec<Declared> {
    let declared = |object: Object| Declared {
        name: object.name,
        host: object.address as u64,
        bytes: object.bytes,
        link: object.declare == DeclareKind::Map(MapKind::Link),
    };
    program.declared().into_iter().map(declared).collect()
}

/// The host as a device with memory of its own. `copy` is the program once more, with objects of its own.
pub fn discrete_host(program: Program, copy: Program) -> Box<dyn plugin::Device> {
    let regions: HashMap<String, HostEntry> = copy
        .regions()
        .into_iter()
        .map(|(name, address)| {
            let code = std::ptr::with_exposed_provenance::<c_void>(address);
            // SAFETY: the code of a region is a `HostEntry`.
            (name.to_string(), unsafe { std::mem::transmute::<*const c_void, HostEntry>(code) })
        })
        .collect();
    let pairs = program.declared().into_iter().zip(copy.declared());
    let objects = pairs.map(|(host, device)| (host.address as u64, device.address as u64)).collect();
    let own = copy.objects();
    let is_object = move |address: usize| {
        let next = own.partition_point(|&(start, _)| start <= address);
        own[..next].last().is_some_and(|&(start, bytes)| (address - start) as u64 <= bytes)
    };
    accrue_host_jit::explain_faults(host::explain);
    Box::new(DiscreteHost::new(host::Code {
        regions,
        is_own: Box::new(move |address| {
            let address = address as usize;
            is_object(address) || program.is_code(address) || copy.is_code(address) || is_in_library(address)
        }),
        objects,
    }))
}

/// Whether an address belongs to a library of this process, or to accrue itself.
fn is_in_library(address: usize) -> bool {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the function looks the address up, and does not read from it.
    unsafe { libc::dladdr(std::ptr::without_provenance(address), info.as_mut_ptr()) != 0 }
}

/// The GPUs of this machine, with the regions compiled for the oldest of them. Without any there are none, and regions run
/// on the host: the program is told so.
pub fn gpus(
    module: Module,
    args: &RunArgs,
    program: &Program,
) -> Result<Vec<Box<dyn plugin::Device>>, Failure> {
    let gpus = match cuda::probe() {
        Ok(gpus) => gpus,
        Err(error) => {
            driver::report(&format!(
                "accrue: warning: no GPU can be used, regions run on the host: {error}\n"
            ));
            return Ok(Vec::new());
        }
    };
    let capability = gpus.iter().map(|gpu| gpu.capability).min().unwrap_or(0);
    let newest = Arch::all().rev().find(|arch| arch.number() <= capability);
    let Some(arch) = newest else {
        let oldest = Arch::all().next().unwrap_or_default();
        let message = format!("a GPU of this machine is older than {oldest}: its capability is {capability}");
        return Err(Failure::Other(message));
    };
    let code = Arc::new(ptx(module, args, arch, program)?);
    let device = |gpu| -> Box<dyn plugin::Device> { Box::new(Cuda::new(gpu, Arc::clone(&code))) };
    Ok(gpus.into_iter().map(device).collect())
}

/// A simulated GPU, with the regions compiled for it.
pub fn simulated(
    module: Module,
    args: &RunArgs,
    program: &Program,
) -> Result<Box<dyn plugin::Device>, Failure> {
    let arch = args.simulation.arch.unwrap_or_default();
    let code = ptx(module, args, arch, program)?;
    Ok(Box::new(Simulated::new(code, args.simulation.options(args.reduction.deterministic))))
}

/// The regions for GPUs of an architecture and newer ones.
fn ptx(module: Module, args: &RunArgs, arch: Arch, program: &Program) -> Result<Code, Failure> {
    let mut options = args.compile.ptx_options(arch, &args.reduction)?;
    // The simulator tells of them.
    options.keep_undefined = args.device == Device::Sim;
    let ptx = driver::ptx(module, &options, args.compile.verify, &args.compile.messages())?;
    Ok(code(ptx, &program.declared()))
}

/// What the runtime needs of the emitted module.
fn code(ptx: Ptx, declared: &[Object]) -> Code {
    let kernel = |kernel: text::Kernel| {
        let text::Kernel {
            region,
            entry,
            dims,
            cooperative,
            wanted_gangs,
            most_long_rows,
            scratch,
            scratch_per_gang,
        } = kernel;
        let kernel =
            Kernel { entry, dims, cooperative, wanted_gangs, most_long_rows, scratch, scratch_per_gang };
        (region.to_string(), kernel)
    };
    let symbol = |object: &Object| ptx.objects.iter().find(|symbol| symbol.name == object.name);
    let objects = declared
        .iter()
        .filter_map(|object| Some((object.address as u64, symbol(object)?.symbol.clone())))
        .collect();
    let empty = ptx.kernels.is_empty();
    Code {
        ptx: if empty { String::new() } else { ptx.text },
        kernels: ptx.kernels.into_iter().map(kernel).collect(),
        open_stack: ptx.open_stack,
        has_heap: ptx.has_heap,
        objects,
    }
}
