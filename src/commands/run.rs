//! `accrue run`: compile in memory and run `main`.

use crate::args::{Device, RunArgs};
use crate::compiling;
use accrue::driver::{self, Failure, Messages};
use accrue_host_jit::{CompileMode, OptLevel, Options, Program, Roots, Symbols};
use accrue_ir::Module;
use accrue_ptx_emit::Arch;
use accrue_runtime::Config;
use accrue_runtime::cuda::{self, Kernel};
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the command.
pub fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    if args.compile.preprocess_only {
        super::print(&compiling(|| args.compile.preprocess())?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(program) = compiling(|| compile(args))? else { return Ok(ExitCode::SUCCESS) };
    accrue_runtime::configure(Config { gangs: args.gangs });
    let arguments = arguments(args)?;
    if let Some(function) = program.function(accrue_runtime::abi::REGISTER_LIBRARY_SYMBOL) {
        // SAFETY: the interface gives a function of this name its type.
        unsafe { accrue_runtime::register_library(function) };
    }
    match program.run_main(&arguments) {
        // SAFETY: C's `exit` runs the program's exit handlers and flushes its streams, on the thread that ran `main`.
        Some(status) => unsafe { libc::exit(status) },
        None => Err(Failure::Other("the program has no function `main`".into())),
    }
}

/// The program; `None` if only its syntax was to be checked.
fn compile(args: &RunArgs) -> Result<Option<Program>, Failure> {
    let mut module = args.compile.compile()?;
    if args.compile.syntax_only() {
        return Ok(None);
    }
    accrue_host_jit::keep_reached(&mut module);
    let mut target = args.compile.host_target(args.gangs)?;
    if args.device == Device::Cuda {
        load_on_gpu(module.clone(), args)?;
    }
    driver::run_passes(&mut module, &mut target, None, args.compile.verify)?;
    let optimize = args.compile.optimize().map_err(Failure::Usage)?;
    let options = Options {
        opt: if optimize == 0 { OptLevel::None } else { OptLevel::Speed },
        mode: args.eager.map_or(CompileMode::Lazy, |threads| CompileMode::Eager(threads.max(1))),
        verify: args.compile.verify,
        roots: Roots::Main,
    };
    let table = accrue_runtime::symbols::table();
    let symbols = Symbols { runtime: &table, libraries: &args.libraries, library_dirs: &args.library_dirs };
    let program = accrue_host_jit::compile(Arc::new(module), options, symbols);
    program.map(Some).map_err(|error| Failure::Other(error.to_string()))
}

/// Compiles the regions for the GPU of this machine, and loads them.
fn load_on_gpu(module: Module, args: &RunArgs) -> Result<(), Failure> {
    let failed = |error: cuda::Unavailable| Failure::Other(format!("cannot use the GPU: {error}"));
    let device = cuda::open().map_err(failed)?;
    let newest = Arch::ALL.iter().rev().copied().find(|arch| arch.number() <= device.capability);
    let Some(arch) = newest else {
        let message =
            format!("the GPU is older than {}: its capability is {}", Arch::ALL[0], device.capability);
        return Err(Failure::Other(message));
    };
    let options = args.compile.ptx_options(arch, &args.reduction)?;
    let warnings = args.compile.warning_options();
    let messages = Messages { format: args.compile.diagnostics.into(), warnings: &warnings };
    let ptx = driver::ptx(module, &options, args.compile.verify, messages)?;
    let kernels = ptx.kernels.into_iter().map(|kernel| {
        let accrue_ptx_emit::text::Kernel { region, entry, dims, cooperative, scratch, scratch_per_gang } =
            kernel;
        (region.to_string(), Kernel { entry, dims, cooperative, scratch, scratch_per_gang })
    });
    cuda::load(device, &ptx.text, kernels.collect()).map_err(failed)
}

/// `argv` of the program: its name is the first file's without extension.
fn arguments(args: &RunArgs) -> Result<Vec<CString>, Failure> {
    let name = args.compile.files[0].with_extension("");
    let all = std::iter::once(name.as_os_str()).chain(args.args.iter().map(|arg| arg.as_os_str()));
    all.map(c_string).collect()
}

fn c_string(text: &OsStr) -> Result<CString, Failure> {
    CString::new(text.as_bytes()).map_err(|_| Failure::Usage("an argument contains a zero byte".into()))
}
