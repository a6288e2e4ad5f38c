//! `accrue run`: compile in memory and run `main`.

mod devices;
mod kept;
mod tune;

use crate::args::{Device, Memory, Queues, RunArgs, in_turn};
use crate::start::Status;
use crate::{compiling, findings};
use accrue::driver::{self, Compiled, Failure};
use accrue_host_jit::{CompileMode, Gangs, HostTarget, OptLevel, Options, Program, Roots, Symbols};
use accrue_ir::passes::trace::Traced;
use accrue_ir::passes::{self, Waiting};
use accrue_ir::verify::Verified;
use accrue_runtime::{Config, Tolerance};
use kept::Kept;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

/// A program that is ready to run, and its devices.
struct Ready {
    program: Program,
    config: Config,
}

/// What judges a run.
#[derive(Clone, Copy, Debug)]
pub enum Judge {
    /// Nothing: the program's status counts.
    Nobody,
    /// Every region runs twice, and results that differ by more than this are reported.
    Comparison(Tolerance),
    /// These loops are traced, and those called parallel that carry something are reported.
    Loops(Traced),
    /// Tasks of the host: the first race ends the program.
    Tasks,
}

/// Runs the command.
pub fn run(args: &RunArgs) -> Result<Status, Failure> {
    execute(args, Judge::Nobody)
}

/// Runs the program, and judges it.
pub fn execute(args: &RunArgs, judge: Judge) -> Result<Status, Failure> {
    if args.compile.preprocess_only {
        super::print(&compiling(|| args.compile.preprocess())?)?;
        return Ok(Status::SUCCESS);
    }
    devices::check(args)?;
    tune::check(args, judge)?;
    match judge {
        Judge::Loops(_) => check_sequential(args, "--loops")?,
        Judge::Tasks => check_sequential(args, "--tasks")?,
        // The program's own memory stands for that of the device.
        Judge::Comparison(_) if args.devices.is_some() => {
            let message = "`accrue check` compares the program's memory with that of one device: no `--devices` goes with it";
            return Err(Failure::Usage(message.to_owned()));
        }
        Judge::Nobody | Judge::Comparison(_) => {}
    }
    let Some(Ready { program, config }) = compiling(|| compile(args, judge))? else {
        return Ok(Status::SUCCESS);
    };
    accrue_runtime::configure(config);
    let arguments = arguments(args)?;
    if let Some(function) = program.function(accrue_runtime::abi::REGISTER_LIBRARY_SYMBOL) {
        // SAFETY: the interface gives a function of this name its type.
        unsafe { accrue_runtime::register_library(function) };
    }
    crate::start::restore_pipes();
    match program.run_main(&arguments) {
        // SAFETY: C's `exit` runs the program's exit handlers and flushes its streams, on the thread that ran
        // `main`.
        Some(status) => unsafe { libc::exit(status) },
        None => Err(Failure::Other("the program has no function `main`".into())),
    }
}

/// Refuses what would not run the iterations of each loop in their order, on the program's own memory.
fn check_sequential(args: &RunArgs, option: &str) -> Result<(), Failure> {
    let is_one_gang = args.gangs.is_none_or(|gangs| gangs == 1);
    if args.device() == Device::Host && args.memory == Memory::Shared && is_one_gang {
        return Ok(());
    }
    let message = "runs the program on the host, with one gang, on the program's memory";
    Err(Failure::Usage(format!("`{option}` {message}: no `--device`, `--memory` or `--gangs` goes with it")))
}

/// The host as the target of a run.
fn target(args: &RunArgs, judge: Judge) -> Result<HostTarget, Failure> {
    let is_of_device = matches!(args.device(), Device::Cuda | Device::Sim);
    Ok(host(args, judge)?.fusing(is_of_device && args.compile.fuses()?))
}

/// The same, as if it launched what the program says one by one.
fn host(args: &RunArgs, judge: Judge) -> Result<HostTarget, Failure> {
    let at_once = Gangs::AtOnce { ordered: args.reduction.deterministic };
    Ok(match judge {
        Judge::Nobody if args.device() == Device::Multicore => args.compile.host_target(at_once)?,
        Judge::Nobody => args.compile.host_target(in_turn(args.gangs.unwrap_or(1)))?,
        // As many gangs on the host as the device had.
        Judge::Comparison(_) if args.device() == Device::Multicore => {
            args.compile.host_target(at_once)?.counting_terms()
        }
        Judge::Comparison(_) => args.compile.host_target(Gangs::InTurn)?.counting_terms(),
        Judge::Loops(traced) => args.compile.host_target(Gangs::One)?.tracing(traced),
        Judge::Tasks => args.compile.host_target(Gangs::One)?.tracing(Traced::Tasks),
    })
}

/// The gangs of the host, for the runtime.
fn gangs(args: &RunArgs, has_leagues: bool) -> accrue_runtime::Gangs {
    match args.device() {
        _ if has_leagues => accrue_runtime::Gangs::Leagues,
        Device::Multicore => {
            accrue_runtime::Gangs::AtOnce { threads: args.gangs, ordered: args.reduction.deterministic }
        }
        Device::Host | Device::HostDiscrete | Device::Cuda | Device::Sim => {
            accrue_runtime::Gangs::InTurn(args.gangs.unwrap_or(1))
        }
    }
}

/// A program up to where its code is made.
struct Prepared {
    module: Verified,
    /// Passes that a function goes through when it is compiled.
    waiting: Waiting,
    /// See [`accrue_host_jit::has_leagues`].
    has_leagues: bool,
    judges_tasks: bool,
    /// The program before the first pass, for a device with code of its own.
    for_device: Option<Verified>,
}

/// Whether regions see copies of the program's data, on a device that executes the host's code.
fn is_discrete(args: &RunArgs, judge: Judge) -> bool {
    match args.device() {
        Device::HostDiscrete => true,
        Device::Host | Device::Multicore => {
            args.memory == Memory::Discrete || matches!(judge, Judge::Comparison(_))
        }
        Device::Cuda | Device::Sim => false,
    }
}

/// The target of a program with leagues ([`accrue_host_jit::has_leagues`]).
fn target_with_leagues(args: &RunArgs, target: &HostTarget) -> Result<HostTarget, Failure> {
    Ok(args.compile.host_target(Gangs::InTurn)?.fusing(target.fuses()))
}

/// Compiles the program up to there; `None` if only its syntax was to be checked.
fn prepare(args: &RunArgs, judge: Judge, kept: Option<Kept>) -> Result<Option<Prepared>, Failure> {
    let mut target = target(args, judge)?;
    // A stage that does not exist is told of before anything else.
    args.resume.section(&target, None)?;
    let Compiled { module, facts } =
        args.compile.program_to_run(&args.resume, &target, args.device().frontend())?;
    if args.compile.syntax_only() {
        return Ok(None);
    }
    let module = accrue_host_jit::keep_reached(module);
    let has_one_gang = args.device() != Device::Multicore && in_turn(args.gangs.unwrap_or(1)) == Gangs::One;
    let has_leagues = matches!(judge, Judge::Nobody) && has_one_gang && accrue_host_jit::has_leagues(&module);
    if has_leagues {
        target = target_with_leagues(args, &target)?;
    }
    // Queues that lag are asked for to find mistakes in the order of tasks.
    let is_judged = matches!(judge, Judge::Nobody) && args.simulation.queues == Some(Queues::Lag);
    if is_judged && accrue_host_jit::has_tasks(&module) {
        target = target.tracing(Traced::Tasks);
    }
    let judges_tasks = target.traces_tasks();
    let section = args.resume.section(&target, None)?;
    let for_device = matches!(args.device(), Device::Cuda | Device::Sim).then(|| module.clone());
    let messages = args.compile.messages();
    let (module, report, waiting) =
        driver::prepare_for_host(module, &mut target, section, args.compile.verify, &messages)?;
    // Else the device's passes say the same, and more.
    let told = for_device.is_none() && messages.warn(&module, report, is_discrete(args, judge))?;
    if let Some((kept, facts)) = kept.zip(facts)
        && !told
    {
        kept.keep(&args.compile.files, &module, has_leagues, &facts);
    }
    Ok(Some(Prepared { module, waiting, has_leagues, judges_tasks, for_device }))
}

/// A program that was kept, with what is left to do for it.
fn resume(args: &RunArgs, module: Verified, has_leagues: bool) -> Result<Prepared, Failure> {
    let mut target = target(args, Judge::Nobody)?;
    if has_leagues {
        target = target_with_leagues(args, &target)?;
    }
    let waiting = passes::waiting(&target);
    Ok(Prepared { module, waiting, has_leagues, judges_tasks: false, for_device: None })
}

/// The program; `None` if only its syntax was to be checked.
fn compile(args: &RunArgs, judge: Judge) -> Result<Option<Ready>, Failure> {
    let kept = if matches!(judge, Judge::Nobody) { Kept::of(args) } else { None };
    let prepared = match kept.as_ref().and_then(Kept::recall) {
        Some((module, has_leagues)) => resume(args, module, has_leagues)?,
        None => match prepare(args, judge, kept)? {
            Some(prepared) => prepared,
            None => return Ok(None),
        },
    };
    let Prepared { module, waiting, has_leagues, judges_tasks, for_device } = prepared;
    let check = match judge {
        Judge::Comparison(tolerance) => Some(tolerance),
        Judge::Nobody | Judge::Loops(_) | Judge::Tasks => None,
    };
    let optimize = args.compile.optimize().map_err(Failure::Usage)?;
    let options = Options {
        opt: if optimize == 0 { OptLevel::None } else { OptLevel::Speed },
        mode: args.eager.map_or(CompileMode::Lazy, |threads| CompileMode::Eager(threads.max(1))),
        verify: args.compile.verify,
        roots: Roots::Main,
        waiting,
    };
    let module = Arc::new(module);
    let load = |table: Vec<accrue_runtime::symbols::Symbol>| {
        let symbols =
            Symbols { runtime: &table, libraries: &args.libraries, library_dirs: &args.library_dirs };
        let program = accrue_host_jit::compile(Arc::clone(&module), &options, symbols);
        program.map_err(|error| Failure::Other(error.to_string()))
    };
    let program = load(accrue_runtime::symbols::table())?;
    let render = Some(findings::render(args.compile.messages().format));
    let judges_loops = matches!(judge, Judge::Loops(_));
    let trace = args.trace.clone();
    let mut config = Config {
        gangs: gangs(args, has_leagues),
        check,
        judges_loops,
        judges_tasks,
        trace,
        render,
        ..Config::default()
    };
    if is_discrete(args, judge) {
        let copies = (0..args.devices.unwrap_or(1)).map(|_| load(accrue_runtime::symbols::table_on_device()));
        config.devices = devices::discrete_hosts(program, copies.collect::<Result<_, _>>()?)?;
    }
    if let Some(module) = for_device {
        let devices = match args.device() {
            Device::Sim => devices::simulated(module, args)?,
            Device::Cuda | Device::Host | Device::HostDiscrete | Device::Multicore => {
                devices::gpus(module, args)?
            }
        };
        config.devices = devices.all;
        config.tune = tune::save(args, devices.name, devices.tried);
    }
    if check.is_some() {
        if config.devices.is_empty() {
            return Err(Failure::Other("there is no device to compare the host with".into()));
        }
        config.devices.truncate(1);
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
