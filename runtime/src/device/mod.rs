//! Which device the program uses: what the command line and the environment offer, and what each thread has chosen.

mod activation;
mod environment;
pub(crate) mod kind;
mod units;

pub(crate) use activation::{init, need, shutdown, shutdown_one};
pub(crate) use kind::Unusable;
pub(crate) use units::Unit;

use crate::abi::ProgramTable;
use crate::check::Tolerance;
use crate::fatal::{fatal, warn};
use crate::finding::{self, Render};
use crate::plugin::Device;
use crate::{check as checking, notify, prof, stats, time};
use environment::{NUMBER, TYPE};
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering};
use units::units;

/// What the command line says to the runtime.
#[derive(Default)]
pub struct Config {
    /// Gangs of the host device: gang-redundant code runs this often, in turn. At least one.
    pub gangs: u32,
    /// Devices besides the host, or in place of the host that shares memory with the program. All but the host are of
    /// one type.
    pub devices: Vec<Box<dyn Device>>,
    /// What the program has for devices; none if there are no devices.
    pub program: Option<&'static ProgramTable>,
    /// Regions run on the device and on the host, and results that differ by more than this are reported.
    pub check: Option<Tolerance>,
    /// How mistakes of the program are shown that a device finds.
    pub render: Option<Render>,
}

static GANGS: AtomicU32 = AtomicU32::new(1);

/// Sets up the runtime; to be called once, before the program starts.
///
/// An environment that asks for a device that is not there (OpenACC 3.3, chapter 4) is an error of the first directive
/// or routine that needs the device it names: programs without one run.
pub fn configure(config: Config) {
    GANGS.store(config.gangs.max(1), Ordering::Relaxed);
    if let Some(tolerance) = config.check {
        checking::start(tolerance);
    }
    config.render.into_iter().for_each(finding::show_by);
    units::set_up(config.devices, config.program.map_or(&[], ProgramTable::objects));
    environment::read();
    stats::start();
    notify::start();
    time::start();
    // SAFETY: the handler is a function of this process.
    if unsafe { libc::atexit(activation::at_exit) } != 0 {
        warn(format_args!("the end of the program cannot be observed; profiling libraries will miss it"));
    }
    prof::load_libraries();
}

/// Gangs of the host device.
pub(crate) fn gangs() -> u32 {
    GANGS.load(Ordering::Relaxed)
}

thread_local! {
    /// What this thread has chosen.
    static CHOSEN: Cell<Option<&'static Unit>> = const { Cell::new(None) };
    /// This thread is activating or shutting down a device: callbacks of the profiling interface may be running.
    static CHANGING: Cell<bool> = const { Cell::new(false) };
}

/// The type that `acc_device_default` stands for.
fn default_kind() -> c_int {
    TYPE.value().unwrap_or(kind::DEFAULT)
}

/// The device of a type and number.
fn find(wanted: c_int, number: c_int, default: c_int) -> Result<&'static Unit, Unusable> {
    let list = units().of(wanted, default)?;
    let found = usize::try_from(number).ok().and_then(|index| list.get(index));
    found.ok_or_else(|| {
        Unusable::OutOfRange(number, list.first().map_or(kind::HOST, |unit| unit.kind), list.len())
    })
}

/// The device that this thread uses.
#[inline]
pub(crate) fn current() -> &'static Unit {
    CHOSEN.get().unwrap_or_else(choose_default)
}

#[cold]
fn choose_default() -> &'static Unit {
    let default = default_kind();
    let number = NUMBER.value().unwrap_or(0);
    let unit = find(kind::DEFAULT, number, default).or_else(|_| find(kind::DEFAULT, 0, default));
    let unit = unit.unwrap_or_else(|error| fatal(format_args!("{error}")));
    CHOSEN.set(Some(unit));
    unit
}

/// The type that a number of the interface means.
fn meant(device: c_int) -> c_int {
    if device == kind::CURRENT { current().kind } else { device }
}

/// The devices of a type.
pub(crate) fn check(device: c_int) -> Result<&'static [Unit], Unusable> {
    units().of(meant(device), default_kind())
}

/// The devices of a type; ends the program if it cannot be used.
fn of_kind(device: c_int) -> &'static [Unit] {
    let list = check(device).unwrap_or_else(|error| fatal(format_args!("{error}")));
    if device != kind::HOST {
        TYPE.require();
    }
    list
}

/// Ends the program unless the device type can be used.
pub(crate) fn require(device: c_int) {
    of_kind(device);
}

/// The device of a type and number; ends the program if there is none.
pub(crate) fn unit(device: c_int, number: c_int) -> &'static Unit {
    of_kind(device);
    let found = find(meant(device), number, default_kind());
    found.unwrap_or_else(|error| fatal(format_args!("{error}")))
}

/// The device of the current type with this number; ends the program if there is none.
pub(crate) fn numbered(number: c_int) -> &'static Unit {
    let found = find(current().kind, number, kind::DEFAULT);
    found.unwrap_or_else(|error| fatal(format_args!("{error}")))
}

/// The number that this thread uses of a type: that of the current device, if it has the type.
pub(crate) fn number_of(device: c_int) -> c_int {
    let list = of_kind(device);
    let current = current();
    if list.iter().any(|unit| std::ptr::eq(unit, current)) { current.number } else { 0 }
}

/// The program chooses a type of device: ends it unless it can be used. The number stays, if the type has it.
pub(crate) fn choose_type(device: c_int) {
    let list = of_kind(device);
    let number = current().number;
    let kept = usize::try_from(number).ok().and_then(|index| list.get(index)).or(list.first());
    TYPE.override_();
    CHOSEN.set(kept);
}

/// The program chooses a device by its number and type: ends it unless it exists. A negative number stands for the
/// default.
pub(crate) fn choose_number(number: c_int, device: c_int) {
    let wanted = if device == kind::NONE { current().kind } else { meant(device) };
    let found = find(wanted, number.max(0), default_kind());
    NUMBER.override_();
    CHOSEN.set(Some(found.unwrap_or_else(|error| fatal(format_args!("{error}")))));
}

/// Whether there is no device with memory of its own.
pub(crate) fn is_only_shared_host() -> bool {
    units().all().all(|unit| unit.memory().is_none())
}

/// `acc_get_device_type`: none as long as the device is being initialised.
pub(crate) fn current_type() -> c_int {
    if CHANGING.get() {
        return kind::NONE;
    }
    TYPE.require();
    current().kind
}

impl Unit {
    /// A data construct begins.
    pub(crate) fn open_data(&self) {
        self.open_data.fetch_add(1, Ordering::Relaxed);
    }

    /// A data construct ends.
    pub(crate) fn close_data(&self) {
        self.open_data.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_types() {
        for usable in [kind::HOST, kind::DEFAULT, kind::CURRENT] {
            assert!(check(usable).is_ok());
        }
        let refused = |device| check(device).map(|_| ()).unwrap_err();
        assert_eq!(refused(kind::NONE), Unusable::Nothing);
        assert_eq!(refused(kind::NOT_HOST), Unusable::NotHost);
        assert_eq!(refused(kind::NVIDIA), Unusable::Absent("nvidia"));
        for unknown in [-2, 3, 6, 9, 99] {
            assert_eq!(refused(unknown), Unusable::Unknown(unknown));
        }
        let number = |number| find(kind::HOST, number, kind::DEFAULT).map(|unit| unit.number);
        assert_eq!(number(0), Ok(0));
        assert_eq!(
            number(1).unwrap_err().to_string(),
            "device 1 out of range: there is one host device, number 0"
        );
        assert_eq!(Unusable::Unknown(99).to_string(), "unknown device type 99");
    }

    #[test]
    fn environment_variables() {
        use environment::{check_number, check_type};
        assert_eq!((check_type("HOST"), check_type("default")), (Ok(kind::HOST), Ok(kind::DEFAULT)));
        assert!(check_type("nvidia").unwrap_err().contains("`nvidia` is not available"));
        assert_eq!(check_number(" 0 "), Ok(0));
        assert!(check_number("1").unwrap_err().contains("device 1 out of range"));
        for number in ["-1", "one", "99999999999"] {
            assert!(check_number(number).unwrap_err().contains("is not the number of a device"), "{number}");
        }
    }
}
