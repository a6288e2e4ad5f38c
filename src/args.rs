//! The command line: what users type, options spelled as C compilers spell them.

use crate::warning_names;
use accrue::diagnostics::UNKNOWN_WARNING_OPTION;
use accrue::driver::{self, Compiled, DiagnosticFormat, Failure, Messages};
use accrue::shapes;
use accrue_frontend::cache;
use accrue_frontend::options::{
    MacroOption, Options as FrontendOptions, Target as FrontendTarget, WarningOptions,
};
use accrue_frontend::suggest::nearest;
use accrue_host_jit::{Gangs, HostTarget};
use accrue_ir::passes::trace::Traced;
use accrue_ir::passes::{Pipeline, Section};
use accrue_ir::target::Arithmetic;
use accrue_ir::verify::Verified;
use accrue_ptx_emit::{Arch, DefaultDims, Options, Shapes, Strategy};
use accrue_ptx_sim::Checks;
use accrue_runtime::plugin::{self, sim::Schedule};
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use rustc_hash::FxHashSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Compiles C with OpenACC directives, for the host at once or for NVIDIA GPUs.
#[derive(Parser, Debug)]
#[command(name = "accrue", version, about, max_term_width = 110, disable_help_subcommand = true)]
// As with C compilers, the last of several counts.
#[command(args_override_self = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads a command line; ends the process where it makes no sense, or asks for help.
    pub fn read(line: &[OsString]) -> Cli {
        Cli::read_run(line).unwrap_or_else(|| Cli::parse_from(line))
    }

    /// Reads a command line of `run`, whose start users wait for: a parser of that command alone takes a
    /// fraction of the time that one of all takes to be made. Everything but a command that can be carried
    /// out is left to the other, which knows what to say.
    fn read_run(line: &[OsString]) -> Option<Cli> {
        let line = line.get(1..).filter(|line| line.first().is_some_and(|command| command == "run"))?;
        let parser = clap::Command::new("run").args_override_self(true);
        let matches = RunArgs::augment_args(parser).try_get_matches_from(line).ok()?;
        Some(Cli { command: Command::Run(RunArgs::from_arg_matches(&matches).ok()?) })
    }
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Compile in memory and run `main`; exits with the program's status.
    Run(RunArgs),
    /// Run regions on a device and on the host, and compare their results; exits with 1 if they differ.
    Check(CheckArgs),
    /// Print the IR after a stage of the pipeline.
    Ir(IrArgs),
    /// Print the PTX of compute constructs, for NVIDIA GPUs.
    Ptx(PtxArgs),
    /// Print the Cranelift IR of the host code.
    Clif(ClifArgs),
    /// Say what the compiler decided about each directive, and why; or what a diagnostic means:
    /// `accrue explain ID`.
    Explain(ExplainArgs),
    /// Check a folder of golden cases.
    Golden(GoldenArgs),
    /// Execute a kernel of a PTX file in the simulator of NVIDIA GPUs, with all checks on.
    Sim(SimArgs),
    /// Print what a shell needs to complete command lines of accrue.
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands to a folder.
    Man(ManArgs),
}

#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub compile: CompileArgs,
    #[command(flatten)]
    pub resume: ResumeArgs,
    /// Where compute constructs run; without this option on the host, or as ACC_DEVICE_TYPE=multicore says.
    #[arg(long, value_enum, value_name = "DEVICE")]
    device: Option<Device>,
    /// Whether the host, as a device, sees the program's data or has copies of its own.
    #[arg(long, value_enum, default_value_t = Memory::Shared, value_name = "MEMORY")]
    pub memory: Memory,
    /// How many devices the program finds, where none of them is a piece of hardware; 1 without this option.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_DEVICES))]
    pub devices: Option<u32>,
    #[command(flatten)]
    pub reduction: ReductionArgs,
    #[command(flatten)]
    pub simulation: SimulationArgs,
    /// Gangs of the host device, 1 without this option: gang-redundant code runs this often, in turn. With
    /// `--device multicore`, the most threads; without this option and `ACC_NUM_CORES`, one per processor.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65535))]
    pub gangs: Option<u32>,
    /// Write what threads and devices do, as a trace that Perfetto and Chrome show.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Compile every function before `main` starts, on this many threads, instead of each on its first call.
    #[arg(long, value_name = "THREADS", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    pub eager: Option<usize>,
    /// Measure which shapes of gangs are fastest for the regions of the program, whose launches try several,
    /// and write them to FILE, or to NAME.tune.json beside the first source NAME.c, where `run` finds them.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with = "shapes")]
    pub tune: Option<Option<PathBuf>>,
    /// Shared libraries to load, as `-lNAME`.
    #[arg(short = 'l', value_name = "NAME")]
    pub libraries: Vec<String>,
    /// Folders to look for `-l` libraries in.
    #[arg(short = 'L', value_name = "DIR")]
    pub library_dirs: Vec<PathBuf>,
    /// Arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

impl RunArgs {
    /// Where compute constructs run. Other values of the environment's variable choose among the devices that
    /// the program is compiled for; the runtime reads them.
    pub fn device(&self) -> Device {
        let is_multicore = || {
            let wanted = std::env::var_os("ACC_DEVICE_TYPE");
            wanted.is_some_and(|name| name.eq_ignore_ascii_case("multicore"))
        };
        self.device.unwrap_or_else(|| if is_multicore() { Device::Multicore } else { Device::Host })
    }

    /// What decides about a program up to where its code is made for the host, besides its sources.
    pub fn before_code(&self) -> String {
        // Whoever adds an option says whether it is one of these.
        let RunArgs {
            compile,
            resume,
            device: _,
            memory,
            devices: _,
            reduction,
            simulation,
            gangs,
            trace: _,
            eager: _,
            tune: _,
            libraries: _,
            library_dirs: _,
            args: _,
        } = self;
        let device = self.device();
        format!("{compile:?} {resume:?} {device:?} {memory:?} {reduction:?} {simulation:?} {gangs:?}")
    }
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Without `--device`, the device is the host with memory of its own.
    #[command(flatten)]
    pub run: RunArgs,
    /// Run on the host only, and report loops called parallel that carried something from one iteration to
    /// another; with `all`, say of the others what they carried, too.
    #[arg(
        long,
        value_enum,
        value_name = "LOOPS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "parallel",
        conflicts_with_all = ["abs", "rel", "ulp"]
    )]
    pub loops: Option<Loops>,
    /// Run on the host only, and report two tasks of OpenMP that access the same memory without order, one of
    /// them writing.
    #[arg(long, conflicts_with_all = ["loops", "abs", "rel", "ulp"])]
    pub tasks: bool,
    /// Floating-point results agree that are not further apart than this.
    #[arg(long, value_name = "X", value_parser = limit, help_heading = "Comparison")]
    pub abs: Option<f64>,
    /// The same in proportion to the larger one; without this and `--ulp` 1e-5 for float, 1e-12 for wider
    /// types.
    #[arg(long, value_name = "X", value_parser = limit, help_heading = "Comparison")]
    pub rel: Option<f64>,
    /// The same in units in the last place; 0 alone means the same bits.
    #[arg(long, value_name = "N", help_heading = "Comparison")]
    pub ulp: Option<u64>,
}

/// Which loops a check judges.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loops {
    /// Those called parallel.
    Parallel,
    /// All of compute constructs and routines.
    All,
}

impl From<Loops> for Traced {
    fn from(loops: Loops) -> Traced {
        match loops {
            Loops::Parallel => Traced::Parallel,
            Loops::All => Traced::All,
        }
    }
}

/// A tolerance: a number, not negative.
fn limit(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(limit) if limit >= 0.0 => Ok(limit),
        Ok(_) => Err("a tolerance is not negative".into()),
        Err(error) => Err(error.to_string()),
    }
}

// Which stages there are, no file says.
#[derive(Args, Debug)]
#[command(mut_arg("files", |files| files.required(false).required_unless_present("stage")))]
pub struct IrArgs {
    #[command(flatten)]
    pub compile: CompileArgs,
    /// Stage to print the IR after; `list` names them all. The last one without this option.
    #[arg(long, value_name = "NAME")]
    pub stage: Option<String>,
    #[command(flatten)]
    pub code: CodeArgs,
    #[command(flatten)]
    pub resume: ResumeArgs,
    /// Print this function only.
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Leave out where each instruction comes from, which is easier to read, but not the whole program.
    #[arg(long)]
    pub no_positions: bool,
    /// Gangs of the host device.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65535))]
    pub gangs: u32,
}

#[derive(Args, Debug)]
pub struct PtxArgs {
    /// Files that define `main` are programs of their own.
    #[command(flatten)]
    pub compile: CompileArgs,
    #[command(flatten)]
    pub resume: ResumeArgs,
    /// Write the PTX to this file.
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[arg(long, help = format!("GPU architecture: {}", arches()), value_name = "ARCH", default_value_t, value_parser = arch)]
    pub arch: Arch,
    /// Let ptxas judge the PTX, and show what each kernel needs.
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub reduction: ReductionArgs,
}

/// Where work begins.
#[derive(Args, Debug)]
pub struct ResumeArgs {
    /// Go on behind this stage: the file is what `accrue ir --stage NAME` printed for the same target; `-`
    /// reads it from standard input.
    #[arg(long, value_name = "NAME")]
    pub from_stage: Option<String>,
}

impl ResumeArgs {
    /// The passes that are left to run, up to and including `stop_after`.
    pub fn section<T: Pipeline>(&self, target: &T, stop_after: Option<&str>) -> Result<Section, Failure> {
        Section::new(target, self.from_stage.as_deref(), stop_after).map_err(|error| {
            Failure::Usage(format!("{error}; `accrue ir --stage list` names the stages in order"))
        })
    }
}

/// Which code a command is about.
#[derive(Args, Debug)]
pub struct CodeArgs {
    /// The device that is compiled for.
    #[arg(long, value_enum, default_value_t = Target::Host, value_name = "TARGET")]
    pub target: Target,
    /// Architecture of the target `ptx`.
    #[arg(long, value_name = "ARCH", default_value_t, value_parser = arch)]
    pub arch: Arch,
    #[command(flatten)]
    pub reduction: ReductionArgs,
}

/// How reductions are done on a GPU.
#[derive(Args, Debug)]
pub struct ReductionArgs {
    /// How threads of a GPU combine their results, where the type and operator allow it.
    #[arg(long, value_enum, default_value_t = Reduction::Auto, value_name = "STRATEGY")]
    pub reduction: Reduction,
    /// Reductions give the same bits in every run with the same launch dimensions.
    #[arg(long)]
    pub deterministic: bool,
}

/// How `--device sim` simulates.
#[derive(Args, Debug)]
pub struct SimulationArgs {
    /// Replay one schedule of each launch.
    #[arg(long, value_name = "N", help_heading = "Simulator")]
    pub seed: Option<u64>,
    /// Try so many schedules of each launch, from the seed on.
    #[arg(long, value_name = "K", help_heading = "Simulator", value_parser = clap::value_parser!(u64).range(1..))]
    pub schedules: Option<u64>,
    /// Give a launch up after so many instructions, each thread counted; 20000000000 without this option.
    #[arg(long, value_name = "N", help_heading = "Simulator")]
    pub sim_limit: Option<u64>,
    /// Architecture that regions are compiled for; sm_90 without this option.
    #[arg(long, value_name = "ARCH", help_heading = "Simulator", value_parser = arch)]
    pub arch: Option<Arch>,
    /// Which races are mistakes; strict without this option.
    #[arg(long, value_enum, value_name = "CLASS", help_heading = "Simulator")]
    pub races: Option<Races>,
    /// Where lanes of a warp meet that have parted; independent without this option.
    #[arg(long, value_enum, value_name = "MODE", help_heading = "Simulator")]
    pub divergence: Option<Divergence>,
    /// When queues do their work; eager without this option.
    #[arg(long, value_enum, value_name = "WHEN", help_heading = "Simulator")]
    pub queues: Option<Queues>,
}

/// When queues of the simulated device do their work.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Queues {
    /// When it is asked for.
    #[default]
    Eager,
    /// As late as order allows, when something waits for it; times are those of a virtual clock.
    Lag,
}

/// Where lanes of a warp that have parted meet again.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Divergence {
    /// Wherever they come to the same instruction: threads make progress independently.
    #[default]
    Independent,
    /// Only where all ways from the branch that parted them lead; what lanes do together before is a mistake.
    Structured,
}

/// Which races the simulator reports.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Races {
    /// All of them.
    #[default]
    Strict,
    /// Those that may change a value: not equal stores.
    Values,
}

impl SimulationArgs {
    /// Whether any of them is given.
    pub fn is_given(&self) -> bool {
        self.seed.is_some()
            || self.schedules.is_some()
            || self.sim_limit.is_some()
            || self.arch.is_some()
            || self.races.is_some()
            || self.divergence.is_some()
            || self.queues.is_some()
    }

    /// As one of the devices takes them. Schedules must leave the same bits if the program is compiled to be
    /// deterministic.
    pub fn options(&self, deterministic: bool, number: u32) -> plugin::sim::Options {
        let first = self.seed.unwrap_or(0);
        let schedule = match (self.schedules, self.seed) {
            (Some(count), _) if deterministic => Schedule::SameBits { first, count },
            (Some(count), _) => Schedule::Seeds { first, count },
            (None, Some(seed)) => Schedule::Seed(seed),
            (None, None) => Schedule::Free,
        };
        let instruction_limit = self.sim_limit.unwrap_or(INSTRUCTION_LIMIT);
        let checks = Checks {
            quiet_races: self.races.unwrap_or_default() == Races::Strict,
            structured: self.divergence.unwrap_or_default() == Divergence::Structured,
            ..Checks::default()
        };
        let queues = match self.queues.unwrap_or_default() {
            Queues::Eager => plugin::sim::Queues::Eager,
            Queues::Lag => plugin::sim::Queues::Lag,
        };
        plugin::sim::Options { schedule, instruction_limit, checks, queues, number }
    }
}

/// Devices of a program, at most: each host with memory of its own is one more instance of the program.
const MOST_DEVICES: i64 = 16;

/// Instructions of a launch, each thread counted: some minutes, after which it is taken for endless.
const INSTRUCTION_LIMIT: u64 = 20_000_000_000;

/// The gangs of a host that has so many, which one thread executes.
pub fn in_turn(gangs: u32) -> Gangs {
    if gangs > 1 { Gangs::InTurn } else { Gangs::One }
}

/// Choice of `--reduction`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    Auto,
    Lock,
    Cas,
    Atomic,
    Tree,
}

fn arch(name: &str) -> Result<Arch, String> {
    Arch::by_name(name).ok_or_else(|| format!("no such architecture; there are {}", arches()))
}

/// The names of all architectures.
fn arches() -> String {
    Arch::all().map(|arch| arch.to_string()).collect::<Vec<_>>().join(", ")
}

/// What code is generated for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The host, on one thread.
    Host,
    /// The host, whose threads execute gangs.
    Multicore,
    /// NVIDIA GPUs.
    Ptx,
}

impl Target {
    /// The device that `device_type` clauses are resolved for.
    pub fn frontend(self) -> FrontendTarget {
        match self {
            Target::Host => FrontendTarget::Host,
            Target::Multicore => FrontendTarget::Multicore,
            Target::Ptx => FrontendTarget::Nvidia,
        }
    }
}

#[derive(Args, Debug)]
pub struct ClifArgs {
    #[command(flatten)]
    pub compile: CompileArgs,
    #[command(flatten)]
    pub resume: ResumeArgs,
    /// Print this function only.
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Gangs of the host device.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65535))]
    pub gangs: u32,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// In the place of files, ids of diagnostics are explained.
    #[command(flatten)]
    pub compile: CompileArgs,
    /// List the ids of all diagnostics.
    #[arg(long, exclusive = true)]
    pub list_ids: bool,
    /// In the place of files, a trace: how the dependences of tasks were kept in that run.
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    pub trace: Option<PathBuf>,
    /// The device whose code is explained.
    #[arg(long, value_enum, default_value_t = Target::Ptx, value_name = "TARGET")]
    pub target: Target,
    /// Architecture of the target `ptx`.
    #[arg(long, value_name = "ARCH", default_value_t, value_parser = arch)]
    pub arch: Arch,
    #[command(flatten)]
    pub reduction: ReductionArgs,
    /// Lines for people, or JSON.
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct GoldenArgs {
    /// Folder that holds the cases, or a case.
    pub folder: PathBuf,
    /// Write the golden files instead of comparing with them.
    #[arg(long)]
    pub bless: bool,
    /// Only goldens whose path in the folder contains this text; may be given several times.
    #[arg(long, value_name = "TEXT")]
    pub filter: Vec<String>,
    /// Goldens that are checked at a time; as many as there are processors, if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// How long a golden may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub timeout: Duration,
    /// How results are written.
    #[arg(long, value_enum, default_value_t = GoldenFormat::Text, value_name = "FORMAT")]
    pub format: GoldenFormat,
}

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell; what is printed goes where it looks for completions.
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

#[derive(Args, Debug)]
pub struct ManArgs {
    /// Folder to write the pages to, `accrue.1` and one per command; made if there is none.
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoldenFormat {
    /// What differs, and a line in the end.
    Text,
    /// A JSON object a line for each golden, and one for all.
    Json,
    /// XML as JUnit and its like write it.
    Junit,
}

/// The words behind `-f` that mean something, to suggest one for a misspelt word.
const FEATURES: [&str; 28] = [
    "openacc",
    "no-openacc",
    "openmp",
    "no-openmp",
    "openacc-dim=",
    "implied-reductions",
    "no-implied-reductions",
    "syntax-only",
    "fp-contract=",
    "fast-math",
    "shared-atomics",
    "no-shared-atomics",
    "fuse-launches",
    "no-fuse-launches",
    "launch-numbers",
    "no-launch-numbers",
    "ipa-cp",
    "no-ipa-cp",
    "wrapv",
    "no-strict-overflow",
    "strict-aliasing",
    "no-strict-aliasing",
    "header-cache",
    "no-header-cache",
    "program-cache",
    "no-program-cache",
    "gnu89-inline",
    "no-gnu89-inline",
];

/// A time that is not zero.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

#[derive(Args, Debug)]
pub struct SimArgs {
    /// PTX of any compiler.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The kernel; may be left out when there is one only.
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// CTAs in x, y, z.
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = dimensions)]
    pub grid: [u32; 3],
    /// Threads of a CTA in x, y, z; without this option what the kernel requires, or 32.
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = dimensions)]
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory.
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub shared: u32,
    /// A parameter, in order: TYPE:VALUE, or buf:COUNT:TYPE[=VALUE|=iota] for a pointer to an array,
    /// undefined without a value.
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    pub params: Vec<String>,
    /// Print the array of a parameter afterwards; the first parameter is 0.
    #[arg(long = "print", value_name = "PARAMETER")]
    pub print: Vec<usize>,
    /// Replay one schedule.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Try so many schedules, from the seed on.
    #[arg(long, value_name = "K")]
    pub schedules: Option<u64>,
    /// Host threads; 0 for one per core.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Give up after so many instructions, each thread counted.
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Which races are mistakes.
    #[arg(long, value_enum, value_name = "CLASS", default_value_t = Races::Strict)]
    pub races: Races,
    /// Where lanes of a warp meet that have parted.
    #[arg(long, value_enum, value_name = "MODE", default_value_t = Divergence::Independent)]
    pub divergence: Divergence,
    /// Leave out a check.
    #[arg(long = "no-check", value_enum, value_name = "CHECK")]
    pub unchecked: Vec<Check>,
}

/// A check of the simulator.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Data races.
    Races,
    /// Reads of what nobody wrote.
    Uninitialised,
    /// Two lanes of a warp that want one lock.
    WarpLocks,
}

fn dimensions(text: &str) -> Result<[u32; 3], String> {
    let mut all = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > 3 {
        return Err("there are three dimensions".to_owned());
    }
    for (dimension, part) in all.iter_mut().zip(parts) {
        *dimension = part.parse().map_err(|_| format!("`{part}` is no number"))?;
    }
    Ok(all)
}

/// Options that all commands on source files take.
#[derive(Args, Debug)]
pub struct CompileArgs {
    /// C source files, linked together; a file that ends in `.ir` holds the text form of the IR.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Folder to look for headers in.
    #[arg(short = 'I', value_name = "DIR")]
    include_dirs: Vec<PathBuf>,
    /// Folder to look for headers in, for `#include "..."` only.
    #[arg(long = "iquote", value_name = "DIR", help_heading = "Options of C compilers")]
    quote_dirs: Vec<PathBuf>,
    /// As -I, searched later, warnings in it silenced.
    #[arg(long = "isystem", value_name = "DIR", help_heading = "Options of C compilers")]
    system_dirs: Vec<PathBuf>,
    /// Read this file before the source.
    #[arg(long = "include", value_name = "FILE", help_heading = "Options of C compilers")]
    includes: Vec<String>,
    /// Define a macro: NAME or NAME=BODY.
    #[arg(short = 'D', value_name = "MACRO")]
    defines: Vec<String>,
    /// Undefine a macro.
    #[arg(short = 'U', value_name = "NAME")]
    undefines: Vec<String>,
    /// Language standard: c89, c99, c11, c17, c23, or gnu89 ... gnu23.
    #[arg(
        long = "std",
        value_name = "STANDARD",
        help_heading = "Options of C compilers",
        overrides_with = "standard"
    )]
    standard: Option<String>,
    /// A file with shapes of gangs that a run has measured; without this option, `run` takes NAME.tune.json
    /// beside the first source NAME.c, if it was measured on the same device.
    #[arg(long, value_name = "FILE")]
    pub shapes: Option<PathBuf>,
    /// Optimisation: 0 for the fastest compilation, 1 to 3 for fast code.
    #[arg(short = 'O', value_name = "LEVEL", num_args = 1, default_value = "2", overrides_with = "optimize")]
    optimize: String,
    /// Warnings: `all`, `error`, `no-ID`, `error=ID`, ...
    #[arg(short = 'W', value_name = "WARNING")]
    warnings: Vec<String>,
    /// No warnings.
    #[arg(short = 'w')]
    no_warnings: bool,
    /// Features: `openacc` (on), `no-openacc`, `openmp`, `openacc-dim=G:W:V`, `no-implied-reductions`,
    /// `no-shared-atomics`, `no-fuse-launches`, `no-launch-numbers`, `no-ipa-cp`, `no-strict-aliasing`,
    /// `no-header-cache`, `no-program-cache`, `syntax-only`.
    #[arg(short = 'f', value_name = "FEATURE", allow_hyphen_values = true)]
    features: Vec<String>,
    /// Leave loops sequential that accumulate floating-point numbers, where no clause says that the order may
    /// change.
    #[arg(long)]
    strict_fp: bool,
    /// Stop after preprocessing and print the result.
    #[arg(short = 'E')]
    pub preprocess_only: bool,
    /// How diagnostics are written to standard error.
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    pub diagnostics: Format,
    /// Verify the IR after every pass, and the PTX that is made of it.
    #[arg(long)]
    pub verify: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// This thread, in this process.
    Host,
    /// The host with memory of its own: `host` with `--memory discrete`.
    HostDiscrete,
    /// NVIDIA GPUs.
    Cuda,
    /// A simulated NVIDIA GPU, with checks of every access.
    Sim,
    /// All processors of the host: gangs are executed by threads, on the program's data.
    Multicore,
}

impl Device {
    /// The device that `device_type` clauses are resolved for.
    pub fn frontend(self) -> FrontendTarget {
        match self {
            Device::Cuda | Device::Sim => FrontendTarget::Nvidia,
            Device::Host | Device::HostDiscrete => FrontendTarget::Host,
            Device::Multicore => FrontendTarget::Multicore,
        }
    }
}

/// Memory of the host as a device.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// The program's own: nothing is copied.
    Shared,
    /// Memory of its own, so that a missing data clause shows.
    Discrete,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Text,
    Json,
}

impl From<Format> for DiagnosticFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => DiagnosticFormat::Text,
            Format::Json => DiagnosticFormat::Json,
        }
    }
}

impl CompileArgs {
    /// Options of the code generator for GPUs.
    pub fn ptx_options(&self, arch: Arch, reduction: &ReductionArgs) -> Result<Options, Failure> {
        let strategy = match reduction.reduction {
            Reduction::Auto => None,
            Reduction::Lock => Some(Strategy::Lock),
            Reduction::Cas => Some(Strategy::Cas),
            Reduction::Atomic => Some(Strategy::Atomic),
            Reduction::Tree => Some(Strategy::Tree),
        };
        let deterministic = reduction.deterministic;
        let default_dims = self.default_dims().map_err(Failure::Usage)?;
        let shapes = match &self.shapes {
            Some(file) => shapes::read_named(file)?.shapes(file)?,
            None => Shapes::Usual,
        };
        Ok(Options {
            arch,
            strategy,
            deterministic,
            default_dims,
            shapes,
            explain: false,
            arithmetic: self.arithmetic(),
            fuses: self.fuses()?,
            keeps_arguments: self.keeps_arguments(),
            shared_atomics: self.shared_atomics(),
            launch_numbers: self.launch_numbers(),
            fast_math: self.fast_math(),
            keep_undefined: false,
        })
    }

    /// What passes have to know about arithmetic.
    fn arithmetic(&self) -> Arithmetic {
        Arithmetic {
            strict_fp: self.strict_fp,
            signed_wraps: self.signed_wraps(),
            contracts: self.contracts(),
            fast_math: self.fast_math(),
        }
    }

    /// Whether signed integers wrap around; the last option counts.
    fn signed_wraps(&self) -> bool {
        let of = |feature: &String| match feature.as_str() {
            "wrapv" | "no-strict-overflow" => Some(true),
            "no-wrapv" | "strict-overflow" => Some(false),
            _ => None,
        };
        self.features.iter().rev().find_map(of).unwrap_or(false)
    }

    /// Whether a feature is switched on, `-fNAME`, or off, `-fno-NAME`; the last option counts.
    fn is_on(&self, name: &str) -> Option<bool> {
        self.features.iter().rev().find_map(|feature| match feature.strip_prefix("no-") {
            Some(off) => (off == name).then_some(false),
            None => (feature == name).then_some(true),
        })
    }

    /// Whether constructs that go through the same iterations become one launch; the last option counts, and
    /// the environment more. Without optimisation each stays what the program has.
    pub fn fuses(&self) -> Result<bool, Failure> {
        let is_wanted = self.is_on("fuse-launches").unwrap_or(true);
        let is_off = std::env::var_os("ACCRUE_FUSE").is_some_and(|value| value == "0");
        Ok(is_wanted && !is_off && self.optimize().map_err(Failure::Usage)? > 0)
    }

    /// Whether arguments stay arguments which all calls pass alike; the last option counts.
    fn keeps_arguments(&self) -> bool {
        self.is_on("ipa-cp") == Some(false)
    }

    /// Whether gangs update copies of what all of them update atomically; the last option counts.
    fn shared_atomics(&self) -> bool {
        self.is_on("shared-atomics").unwrap_or(true)
    }

    /// Whether launches hand over what all threads would compute alike; the last option counts.
    fn launch_numbers(&self) -> bool {
        self.is_on("launch-numbers").unwrap_or(true)
    }

    /// Whether calculation may be inexact; the last option counts.
    fn fast_math(&self) -> bool {
        self.is_on("fast-math") == Some(true)
    }

    /// Whether code of devices rounds a product and the sum that takes it once. The last option counts, and
    /// `-ffast-math` is one.
    fn contracts(&self) -> bool {
        let of = |feature: &String| match feature.as_str() {
            "fast-math" => self.fast_math().then_some(true),
            other => other.strip_prefix("fp-contract=").map(|mode| mode != "off"),
        };
        self.features.iter().rev().find_map(of).unwrap_or(true)
    }

    /// The last `-fopenacc-dim=`.
    fn default_dims(&self) -> Result<DefaultDims, String> {
        let given = self.features.iter().rev().find_map(|feature| feature.strip_prefix("openacc-dim="));
        given.map_or(Ok(DefaultDims::default()), |text| {
            DefaultDims::parse(text).map_err(|error| format!("-fopenacc-dim={text}: {error}"))
        })
    }

    /// How what comes after the front end is told.
    pub fn messages(&self) -> Messages {
        Messages { format: self.diagnostics.into(), warnings: self.warning_options() }
    }

    /// Which warnings are given.
    fn warning_options(&self) -> WarningOptions {
        let mut options = WarningOptions { none: self.no_warnings, ..WarningOptions::default() };
        self.warnings.iter().for_each(|warning| options.apply(warning));
        options
    }

    /// The program before the first pass that is left to run for the target: compiled, or read from a dump.
    pub fn program(
        &self,
        resume: &ResumeArgs,
        target: &impl Pipeline,
        device: FrontendTarget,
    ) -> Result<Verified, Failure> {
        Ok(self.program_with(resume, target, |options| options.target = device)?.module)
    }

    /// The same to be run at once: headers may come from the cache, which leaves declarations out, and of a
    /// single file what `main` does not reach is checked only.
    pub fn program_to_run(
        &self,
        resume: &ResumeArgs,
        target: &impl Pipeline,
        device: FrontendTarget,
    ) -> Result<Compiled, Failure> {
        let header_cache = self.cache(&cache::HEADERS);
        let only_reached = self.files.len() == 1 && !self.syntax_only();
        self.program_with(resume, target, |options| {
            (options.target, options.header_cache, options.only_reached) =
                (device, header_cache, only_reached);
        })
    }

    /// The folder of what is kept of a kind; none if that is switched off.
    pub fn cache(&self, kind: &cache::Kind) -> Option<PathBuf> {
        if self.is_on(kind.feature).unwrap_or(true) { cache::folder(kind) } else { None }
    }

    fn program_with(
        &self,
        resume: &ResumeArgs,
        target: &impl Pipeline,
        adapt: impl FnOnce(&mut FrontendOptions),
    ) -> Result<Compiled, Failure> {
        let Some(stage) = &resume.from_stage else {
            self.check_files()?;
            let mut options = self.frontend()?;
            adapt(&mut options);
            return driver::compile(&self.files, &options, self.diagnostics.into());
        };
        self.check_warnings()?;
        Ok(Compiled { module: driver::resume(&self.files, stage, target.name())?, facts: None })
    }

    /// The same for programs, each with its name: a dump is one.
    pub fn programs(
        &self,
        resume: &ResumeArgs,
        target: &impl Pipeline,
        device: FrontendTarget,
    ) -> Result<Vec<(String, Verified)>, Failure> {
        if resume.from_stage.is_none() {
            return self.compile_programs(device);
        }
        let module = self.program(resume, target, device)?;
        Ok(vec![(self.files[0].display().to_string(), module)])
    }

    /// Compiles the files as programs, each with its name: one if they have one `main` between them, else
    /// each file.
    pub fn compile_programs(&self, device: FrontendTarget) -> Result<Vec<(String, Verified)>, Failure> {
        let options = FrontendOptions { target: device, ..self.frontend()? };
        driver::compile_programs(&self.files, &options, self.diagnostics.into())
    }

    /// Files that are no C, and arguments of the program without `--` before them.
    fn check_files(&self) -> Result<(), Failure> {
        const OTHERS: [&str; 13] =
            ["o", "a", "so", "cpp", "cc", "cxx", "C", "cu", "f", "f90", "F90", "s", "S"];
        for (index, file) in self.files.iter().enumerate() {
            let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
            let shown = file.display();
            if OTHERS.contains(&extension) {
                return Err(Failure::Usage(format!("`{shown}` is not C: accrue compiles C source files")));
            }
            if index > 0 && !matches!(extension, "c" | "h" | "i" | "ir") && !file.exists() {
                let hint = "arguments of the program stand behind `--`";
                return Err(Failure::Usage(format!("there is no file `{shown}`; {hint}")));
            }
        }
        Ok(())
    }

    /// The preprocessed text of the files.
    pub fn preprocess(&self) -> Result<String, Failure> {
        driver::preprocess(&self.files, &self.frontend()?, self.diagnostics.into())
    }

    /// Whether `check_warnings` has something to say.
    pub fn has_unknown_warnings(&self) -> bool {
        self.warnings.iter().any(|option| warning_names::complaint(option).is_some())
    }

    /// Warns of `-W` options that do nothing; an error if the options make that warning one.
    fn check_warnings(&self) -> Result<(), Failure> {
        let messages = self.messages();
        let mut told = FxHashSet::default();
        for option in self.warnings.iter().filter(|option| told.insert(option.as_str())) {
            if let Some(complaint) = warning_names::complaint(option) {
                messages.complain(UNKNOWN_WARNING_OPTION, complaint)?;
            }
        }
        Ok(())
    }

    /// The front end's options, once what is wrong with them is told.
    fn frontend(&self) -> Result<FrontendOptions, Failure> {
        self.check_warnings()?;
        self.frontend_options().map_err(Failure::Usage)
    }

    /// The front end's options; the error is a usage message.
    fn frontend_options(&self) -> Result<FrontendOptions, String> {
        let mut options = FrontendOptions {
            quote_dirs: self.quote_dirs.clone(),
            include_dirs: self.include_dirs.clone(),
            system_dirs: self.system_dirs.clone(),
            forced_includes: self.includes.clone(),
            optimize: self.optimize()?,
            strict_aliasing: self.optimize()? > 1,
            warnings: self.warning_options(),
            ..FrontendOptions::default()
        };
        options.macros.extend(self.defines.iter().cloned().map(MacroOption::Define));
        options.macros.extend(self.undefines.iter().cloned().map(MacroOption::Undef));
        if let Some(standard) = &self.standard
            && !options.set_standard(standard)
        {
            return Err(format!("unknown standard `{standard}` in -std="));
        }
        for feature in &self.features {
            match feature.as_str() {
                "openacc" => options.openacc = true,
                "no-openacc" => options.openacc = false,
                "openmp" => options.openmp = true,
                "no-openmp" => options.openmp = false,
                "implied-reductions" => options.implied_reductions = true,
                "no-implied-reductions" => options.implied_reductions = false,
                "strict-aliasing" => options.strict_aliasing = true,
                "no-strict-aliasing" => options.strict_aliasing = false,
                "gnu89-inline" => options.gnu89_inline = true,
                "no-gnu89-inline" => options.gnu89_inline = false,
                "syntax-only" | "shared-atomics" | "no-shared-atomics" | "fuse-launches"
                | "no-fuse-launches" | "launch-numbers" | "no-launch-numbers" | "ipa-cp" | "no-ipa-cp"
                | "header-cache" | "no-header-cache" | "program-cache" | "no-program-cache" => {}
                "fp-contract=fast" | "fp-contract=on" | "fp-contract=off" => {}
                _ if feature.starts_with("fp-contract=") => {
                    return Err(format!("`-f{feature}`: known are `fast`, `on` and `off`"));
                }
                _ if feature.starts_with("openacc-dim=") => {
                    self.default_dims()?;
                }
                _ if known_and_ignored(feature) => {}
                _ if changes_meaning(feature) => {
                    return Err(format!(
                        "option `-f{feature}` is not supported: it changes what programs mean"
                    ));
                }
                other => {
                    let meant = nearest(other, FEATURES).map(|word| format!("; did you mean `-f{word}`?"));
                    driver::report(&format!(
                        "accrue: warning: unknown option `-f{other}` is ignored{}\n",
                        meant.unwrap_or_default()
                    ));
                }
            }
        }
        Ok(options)
    }

    /// The number after `-O`.
    pub fn optimize(&self) -> Result<u8, String> {
        match self.optimize.as_str() {
            "0" => Ok(0),
            "1" | "g" => Ok(1),
            "2" | "s" | "z" => Ok(2),
            "3" | "fast" => Ok(3),
            other if other.parse::<u32>().is_ok() => Ok(3),
            other => Err(format!("unknown optimisation level `-O{other}`")),
        }
    }

    /// The host as a target.
    pub fn host_target(&self, gangs: Gangs) -> Result<HostTarget, Failure> {
        let target = HostTarget::new(gangs).with_arithmetic(self.arithmetic());
        let target = target.keeping_arguments(self.keeps_arguments());
        let optimize = self.optimize().map_err(Failure::Usage)?;
        Ok(if optimize == 0 { target.without_vectors() } else { target })
    }

    /// Whether to stop after semantic analysis.
    pub fn syntax_only(&self) -> bool {
        self.features.iter().any(|feature| feature == "syntax-only")
    }
}

/// Features of GCC and Clang that change nothing here: what they ask for is so, concerns files that are not
/// written, or permits what is not made use of.
fn known_and_ignored(feature: &str) -> bool {
    const IGNORED: [&str; 11] = [
        "PIC",
        "pic",
        "PIE",
        "pie",
        "wrapv",
        "common",
        "builtin",
        "signed-char",
        "exceptions",
        "lto",
        "fast-math",
    ];
    const PREFIXES: [&str; 32] = [
        "offload",
        "diagnostics-",
        "message-length=",
        "visibility=",
        "stack-",
        "omit-frame-pointer",
        "strict-",
        "math-errno",
        "trapping-math",
        "finite-math-only",
        "associative-math",
        "reciprocal-math",
        "signed-zeros",
        "unsafe-math-optimizations",
        "excess-precision=",
        "unroll-",
        "peel-loops",
        "inline",
        "tree-",
        "ipa-",
        "lto=",
        "vect",
        "slp-vectorize",
        "sched",
        "gcse",
        "align-",
        "prefetch-",
        "profile-",
        "function-sections",
        "data-sections",
        "color-diagnostics",
        "asynchronous-unwind-tables",
    ];
    let positive = feature.strip_prefix("no-").unwrap_or(feature);
    IGNORED.contains(&positive) || PREFIXES.iter().any(|prefix| positive.starts_with(prefix))
}

/// Features that a program may depend on: to ignore them would compute something else.
fn changes_meaning(feature: &str) -> bool {
    const FEATURES: [&str; 7] = [
        "unsigned-char",
        "no-signed-char",
        "short-enums",
        "short-wchar",
        "pack-struct",
        "single-precision-constant",
        "unsigned-bitfields",
    ];
    FEATURES.iter().any(|known| feature.starts_with(known))
}
