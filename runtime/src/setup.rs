//! The start of the runtime, and its end with the program.

use crate::abi::ProgramTable;
use crate::check::{self, Tolerance};
use crate::device::activation::shutdown_all;
use crate::device::{current, environment, is_only_shared_host, units};
use crate::direct::{self, Condition};
use crate::fatal::{failed, warn};
use crate::finding::{self, Render};
use crate::gangs::Gangs;
use crate::plugin::{Device, set_timed, tune};
use crate::prof_libraries::load_libraries;
use crate::team::barrier::end_initial;
use crate::team::fork::execute_serially;
use crate::{gangs, loops, notify, prof, races, stats, time, trace};
use std::path::PathBuf;

/// What the command line says to the runtime.
#[derive(Default)]
pub struct Config {
    /// Gangs of the host: each executes the whole region.
    pub gangs: Gangs,
    /// Devices besides the host, or in place of the host that shares memory with the program. All but the
    /// host are of one type.
    pub devices: Vec<Box<dyn Device>>,
    /// What the program has for devices; none if there are no devices.
    pub program: Option<&'static ProgramTable>,
    /// Regions run on the device and on the host, and results that differ by more than this are reported.
    pub check: Option<Tolerance>,
    /// Loops are judged by what they carry: the program's code traces them.
    pub judges_loops: bool,
    /// Tasks are judged by what orders their accesses: the program's code tells of these.
    pub judges_tasks: bool,
    /// Launches try the shapes that the devices' code has, and what they find is told in the end.
    pub tune: Option<tune::Save>,
    /// Where a trace of the run is written.
    pub trace: Option<PathBuf>,
    /// How mistakes of the program are shown that a device finds.
    pub render: Option<Render>,
}

/// Sets up the runtime; to be called once, before the program starts.
///
/// An environment that asks for a device that is not there (OpenACC 3.3, chapter 4) is an error of the first
/// directive or routine that needs the device it names: programs without one run.
pub fn configure(config: Config) {
    gangs::configure(config.gangs);
    if config.check.is_some() || config.judges_loops {
        execute_serially();
    }
    if let Some(tolerance) = config.check {
        check::start(tolerance);
    }
    if config.judges_loops {
        loops::start();
    }
    if config.judges_tasks {
        races::start();
    }
    config.render.into_iter().for_each(finding::show_by);
    units::set_up(config.devices, config.program.map_or(&[], ProgramTable::objects));
    environment::read();
    stats::start();
    let is_alone = is_only_shared_host() && gangs::is_one() && !stats::is_wanted();
    direct::set(Condition::Alone, is_alone);
    notify::start();
    time::start();
    #[cfg(feature = "cuda")]
    trace::nvtx::start();
    if let Some(save) = config.tune {
        tune::start(save);
        set_timed(true);
    }
    if let Some(path) = config.trace {
        match trace::start(&path) {
            Ok(()) => set_timed(true),
            Err(error) => warn(format_args!("cannot write the trace {}: {error}", path.display())),
        }
    }
    // SAFETY: the handler is a function of this process.
    if unsafe { libc::atexit(at_exit) } != 0 {
        warn(format_args!("the end of the program cannot be observed; profiling libraries will miss it"));
    }
    load_libraries();
}

/// The program ends: its last tasks are completed, and profiling libraries hear of the devices and of the
/// runtime for the last time.
extern "C" fn at_exit() {
    if !failed() {
        end_initial();
    }
    if !failed() && shutdown_all() {
        time::finish();
        tune::finish();
        prof::runtime_shutdown(current().id);
    }
    trace::finish_devices();
    trace::finish();
}
