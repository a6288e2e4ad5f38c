//! `accrue run`: compile in memory and run `main`.

mod devices;

use crate::args::{Device, Memory, RunArgs};
use crate::{compiling, findings};
use accrue::driver::{self, Failure};
use accrue_host_jit::{CompileMode, OptLevel, Options, Program, Roots, Symbols};
use accrue_runtime::{Config, Tolerance};
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;
use std::sync::Arc;

/// A program that is ready to run, and its devices.
struct Ready {
    program: Program,
    config: Config,
}

/// Runs the command.
pub fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    execute(args, None)
}

/// Runs the program; with a tolerance, every region twice, and compares.
pub fn execute(args: &RunArgs, check: Option<Tolerance>) -> Result<ExitCode, Failure> {
    if args.compile.preprocess_only {
        super::print(&compiling(|| args.compile.preprocess())?)?;
        return Ok(ExitCode::SUCCESS);
    }
    devices::check(args)?;
    let Some(Ready { program, config }) = compiling(|| compile(args, check))? else {
        return Ok(ExitCode::SUCCESS);
    };
    accrue_runtime::configure(config);
    let arguments = arguments(args)?;
    if let Some(function) = program.function(accrue_runtime::abi::REGISTER_LIBRARY_SYMBOL) {
        // SAFETY: the interface gives a function of this name its type.
        unsafe { accrue_runtime::register_library(function) };
    }
    match program.run_main(&arguments) {
        // SAFETY: C's `exit` runs the program's exit handlers and flushes its streams, on the thread that ran
        // `main`.
        Some(status) => unsafe { libc::exit(status) },
        None => Err(Failure::Other("the program has no function `main`".into())),
    }
}

/// The program; `None` if only its syntax was to be checked.
fn compile(args: &RunArgs, check: Option<Tolerance>) -> Result<Option<Ready>, Failure> {
    // A check runs as many gangs on the host as the device did.
    let gangs = if check.is_some() { args.gangs.max(2) } else { args.gangs };
    let target = args.compile.host_target(gangs)?;
    let mut target = if check.is_some() { target.counting_terms() } else { target };
    let section = args.resume.section(&target, None)?;
    let module = args.compile.program(&args.resume, &target)?;
    if args.compile.syntax_only() {
        return Ok(None);
    }
    let module = accrue_host_jit::keep_reached(module);
    let for_device = matches!(args.device, Device::Cuda | Device::Sim).then(|| module.clone());
    let is_discrete = match args.device {
        Device::HostDiscrete => true,
        Device::Host => args.memory == Memory::Discrete || check.is_some(),
        Device::Cuda | Device::Sim | Device::Multicore => false,
    };
    let messages = args.compile.messages();
    let (module, report) =
        driver::lower_for_host(module, &mut target, section, args.compile.verify, &messages)?;
    if for_device.is_none() {
        // Else the device's passes say the same, and more.
        messages.warn(&module, report, is_discrete)?;
    }
    let optimize = args.compile.optimize().map_err(Failure::Usage)?;
    let options = Options {
        opt: if optimize == 0 { OptLevel::None } else { OptLevel::Speed },
        mode: args.eager.map_or(CompileMode::Lazy, |threads| CompileMode::Eager(threads.max(1))),
        verify: args.compile.verify,
        roots: Roots::Main,
    };
    let module = Arc::new(module);
    let load = || {
        let table = accrue_runtime::symbols::table();
        let symbols =
            Symbols { runtime: &table, libraries: &args.libraries, library_dirs: &args.library_dirs };
        let program = accrue_host_jit::compile(Arc::clone(&module), options, symbols);
        program.map_err(|error| Failure::Other(error.to_string()))
    };
    let program = load()?;
    let render = Some(findings::render(args.compile.messages().format));
    let mut config = Config { gangs: args.gangs, check, render, ..Config::default() };
    if is_discrete {
        config.devices.push(devices::discrete_host(program, load()?)?);
    }
    if let Some(module) = for_device {
        config.devices = match args.device {
            Device::Sim => vec![devices::simulated(module, args)?],
            Device::Cuda | Device::Host | Device::HostDiscrete | Device::Multicore => {
                devices::gpus(module, args)?
            }
        };
    }
    if check.is_some() && config.devices.is_empty() {
        return Err(Failure::Other("there is no device to compare the host with".into()));
    }
    if !config.devices.is_empty() {
        config.program = Some(devices::table(&program)?);
    }
    Ok(Some(Ready { program, config }))
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
