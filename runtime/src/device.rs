//! Which device the program uses: environment variables, what it has chosen since, and whether the device is active.
//!
//! There is one device, the host, number 0. It becomes active by `acc_init` or by the first directive or routine that
//! needs it, and inactive by `acc_shutdown`; nothing but the events of the profiling interface and the errors of wrong
//! order depends on that.

use crate::fatal::{failed, fatal, warn};
use crate::prof::{self, Activity, Construct};
use std::cell::Cell;
use std::ffi::c_int;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// `acc_device_t`, as `openacc.h` numbers it.
pub(crate) mod kind {
    use std::ffi::c_int;
    pub(crate) const CURRENT: c_int = -1;
    pub(crate) const NONE: c_int = 0;
    pub(crate) const DEFAULT: c_int = 1;
    pub(crate) const HOST: c_int = 2;
    pub(crate) const NOT_HOST: c_int = 4;
    pub(crate) const NVIDIA: c_int = 5;
    pub(crate) const RADEON: c_int = 8;
}

/// What the command line says to the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Gangs of the host device: gang-redundant code runs this often, in turn.
    pub gangs: u32,
}

static GANGS: AtomicU32 = AtomicU32::new(1);

/// What is wrong with an environment variable, if anything. It is reported when the device that it names is needed, and
/// forgotten once the program has chosen for itself.
struct Variable {
    error: OnceLock<String>,
    overridden: AtomicBool,
}

static TYPE: Variable = Variable::new();
static NUMBER: Variable = Variable::new();

impl Variable {
    const fn new() -> Variable {
        Variable { error: OnceLock::new(), overridden: AtomicBool::new(false) }
    }

    /// Reads the variable; empty ones count as absent.
    fn read(&self, name: &str, check: fn(&str) -> Result<(), String>) {
        let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else { return };
        if let Err(message) = check(&value.to_string_lossy()) {
            // A second call changes nothing: the environment is the same.
            let _ = self.error.set(format!("{name}: {message}"));
        }
    }

    fn override_(&self) {
        self.overridden.store(true, Ordering::Relaxed);
    }

    /// Ends the program if the variable is wrong and still matters.
    fn require(&self) {
        if let Some(message) = self.error.get()
            && !self.overridden.load(Ordering::Relaxed)
        {
            fatal(format_args!("{message}"));
        }
    }
}

/// Sets up the runtime; to be called once, before the program starts.
///
/// An environment that asks for a device that is not there (OpenACC 3.3, chapter 4) is an error of the first directive
/// or routine that needs the device it names: programs without one run.
pub fn configure(config: Config) {
    GANGS.store(config.gangs.max(1), Ordering::Relaxed);
    TYPE.read("ACC_DEVICE_TYPE", check_type);
    NUMBER.read("ACC_DEVICE_NUM", check_number_text);
    crate::stats::start();
    // SAFETY: the handler is a function of this process.
    if unsafe { libc::atexit(at_exit) } != 0 {
        warn(format_args!("the end of the program cannot be observed; profiling libraries will miss it"));
    }
    prof::load_libraries();
}

fn check_type(name: &str) -> Result<(), String> {
    let known = ["host", "default"].iter().any(|known| name.eq_ignore_ascii_case(known));
    if known { Ok(()) } else { Err(format!("device type `{name}` is not available")) }
}

fn check_number_text(number: &str) -> Result<(), String> {
    match number.trim().parse::<c_int>() {
        Ok(number) if number >= 0 => check_number(number).map_err(|error| error.to_string()),
        _ => Err(format!("`{number}` is not the number of a device")),
    }
}

/// Gangs of the host device.
pub(crate) fn gangs() -> u32 {
    GANGS.load(Ordering::Relaxed)
}

/// Why a program cannot use a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unusable {
    /// Not a device type at all.
    Unknown(c_int),
    /// A device type that can stand for no device, in a place that needs one.
    Nothing,
    /// Any device but the host.
    NotHost,
    /// A device type that this runtime has no devices of.
    Absent(&'static str),
    /// No device of this number.
    OutOfRange(c_int),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Unknown(number) => write!(f, "unknown device type {number}"),
            Unusable::Nothing => f.write_str("acc_device_none is no device"),
            Unusable::NotHost => f.write_str("no device found other than the host"),
            Unusable::Absent(name) => {
                write!(f, "device type {name} not supported: no such device is available")
            }
            Unusable::OutOfRange(number) => {
                write!(f, "device {number} out of range: there is one host device, number 0")
            }
        }
    }
}

/// Whether a device type can be used.
pub(crate) fn check(device: c_int) -> Result<(), Unusable> {
    match device {
        kind::HOST | kind::DEFAULT | kind::CURRENT => Ok(()),
        kind::NONE => Err(Unusable::Nothing),
        kind::NOT_HOST => Err(Unusable::NotHost),
        kind::NVIDIA => Err(Unusable::Absent("nvidia")),
        kind::RADEON => Err(Unusable::Absent("radeon")),
        other => Err(Unusable::Unknown(other)),
    }
}

/// Whether a device number exists.
pub(crate) fn check_number(number: c_int) -> Result<(), Unusable> {
    if number == 0 { Ok(()) } else { Err(Unusable::OutOfRange(number)) }
}

/// Ends the program unless the device type can be used.
pub(crate) fn require(device: c_int) {
    if let Err(error) = check(device) {
        fatal(format_args!("{error}"));
    }
    if device != kind::HOST {
        TYPE.require();
    }
}

/// Ends the program unless the device number exists.
pub(crate) fn require_number(number: c_int) {
    if let Err(error) = check_number(number) {
        fatal(format_args!("{error}"));
    }
}

/// The program chooses a type of device: ends it unless it can be used.
pub(crate) fn choose_type(device: c_int) {
    require(device);
    TYPE.override_();
}

/// The program chooses a device by its number: ends it unless it exists. A negative one stands for the default.
pub(crate) fn choose_number(number: c_int) {
    require_number(number.max(0));
    NUMBER.override_();
}

/// How the device became active.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Activation {
    Inactive,
    /// By a directive or routine that needs it.
    Implicit,
    /// By `acc_init`.
    Explicit,
}

static ACTIVATION: Mutex<Activation> = Mutex::new(Activation::Inactive);
/// Mirrors [`ACTIVATION`] for those who need the device and nearly always find it active.
static ACTIVE: AtomicBool = AtomicBool::new(false);
/// Data constructs that have begun and not ended.
static OPEN_DATA: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// This thread is activating or shutting down the device: callbacks of the profiling interface may be running.
    static CHANGING: Cell<bool> = const { Cell::new(false) };
}

fn activation() -> MutexGuard<'static, Activation> {
    ACTIVATION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the device active on behalf of `parent`, which needs it.
#[inline]
pub(crate) fn need(parent: Construct) {
    if !ACTIVE.load(Ordering::Acquire) {
        need_inactive(parent);
    }
}

#[cold]
fn need_inactive(parent: Construct) {
    // A callback that needs the device while it is being initialised finds the host as usable as ever.
    if CHANGING.get() {
        return;
    }
    TYPE.require();
    NUMBER.require();
    let mut state = activation();
    if *state == Activation::Inactive {
        activate(&mut state, Activation::Implicit, kind::DEFAULT, parent, true);
    }
}

fn activate(state: &mut Activation, how: Activation, device: c_int, parent: Construct, implicit: bool) {
    CHANGING.set(true);
    let span = Activity::DeviceInit.start_on(device, parent, implicit);
    *state = how;
    ACTIVE.store(true, Ordering::Release);
    if let Some(span) = span {
        span.end();
    }
    CHANGING.set(false);
}

/// `acc_init`: an error if it was called before and `acc_shutdown` was not.
pub(crate) fn init(device: c_int) {
    choose_type(device);
    NUMBER.require();
    not_in_callback("acc_init");
    let mut state = activation();
    match *state {
        Activation::Inactive => {
            activate(&mut state, Activation::Explicit, device, Construct::RuntimeApi, false)
        }
        Activation::Implicit => *state = Activation::Explicit,
        Activation::Explicit => {
            drop(state);
            fatal(format_args!("acc_init: device already active"));
        }
    }
}

/// `init` as a directive: repeats are harmless.
pub(crate) fn init_directive(device: c_int) {
    choose_type(device);
    NUMBER.require();
    not_in_callback("init");
    let mut state = activation();
    if *state == Activation::Inactive {
        activate(&mut state, Activation::Explicit, device, Construct::Init, false);
    }
}

/// `acc_shutdown`: an error if the device is not active.
pub(crate) fn shutdown(device: c_int) {
    require(device);
    not_in_callback("acc_shutdown");
    if !deactivate(device, Construct::RuntimeApi, false) {
        fatal(format_args!("acc_shutdown: no device initialized"));
    }
}

/// `shutdown` as a directive: repeats are harmless.
pub(crate) fn shutdown_directive(device: c_int) {
    require(device);
    not_in_callback("shutdown");
    deactivate(device, Construct::Shutdown, false);
}

/// Says whether there was something to shut down.
fn deactivate(device: c_int, parent: Construct, implicit: bool) -> bool {
    let mut state = activation();
    if *state == Activation::Inactive {
        return false;
    }
    if OPEN_DATA.load(Ordering::Relaxed) > 0 && !implicit {
        drop(state);
        fatal(format_args!("the device cannot be shut down inside a data construct"));
    }
    CHANGING.set(true);
    let span = Activity::DeviceShutdown.start_on(device, parent, implicit);
    *state = Activation::Inactive;
    ACTIVE.store(false, Ordering::Release);
    if let Some(span) = span {
        span.end();
    }
    CHANGING.set(false);
    true
}

fn not_in_callback(what: &str) {
    if CHANGING.get() {
        fatal(format_args!("{what} in a callback of the device's own initialization or shutdown"));
    }
}

/// `acc_get_device_type`: none as long as the only device is being initialised.
pub(crate) fn current_type() -> c_int {
    if CHANGING.get() {
        return kind::NONE;
    }
    TYPE.require();
    kind::HOST
}

/// A data construct begins.
pub(crate) fn open_data() {
    OPEN_DATA.fetch_add(1, Ordering::Relaxed);
}

/// A data construct ends.
pub(crate) fn close_data() {
    OPEN_DATA.fetch_sub(1, Ordering::Relaxed);
}

/// The program ends: profiling libraries hear of the device and of the runtime for the last time.
extern "C" fn at_exit() {
    // A program that ends inside a callback, or while another thread holds the device, has no time for ceremony.
    if failed() || CHANGING.get() || ACTIVATION.try_lock().is_err() {
        return;
    }
    deactivate(kind::HOST, Construct::RuntimeApi, true);
    prof::runtime_shutdown();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_types() {
        for usable in [kind::HOST, kind::DEFAULT, kind::CURRENT] {
            assert_eq!(check(usable), Ok(()));
        }
        assert_eq!(check(kind::NONE), Err(Unusable::Nothing));
        assert_eq!(check(kind::NOT_HOST), Err(Unusable::NotHost));
        assert_eq!(check(kind::NVIDIA), Err(Unusable::Absent("nvidia")));
        for unknown in [-2, 3, 6, 9, 99] {
            assert_eq!(check(unknown), Err(Unusable::Unknown(unknown)));
        }
        assert_eq!(check_number(0), Ok(()));
        assert_eq!(
            check_number(1).unwrap_err().to_string(),
            "device 1 out of range: there is one host device, number 0"
        );
        assert_eq!(Unusable::Unknown(99).to_string(), "unknown device type 99");
    }

    #[test]
    fn environment() {
        assert_eq!((check_type("HOST"), check_type("default")), (Ok(()), Ok(())));
        assert!(check_type("nvidia").unwrap_err().contains("`nvidia` is not available"));
        assert_eq!(check_number_text(" 0 "), Ok(()));
        assert!(check_number_text("1").unwrap_err().contains("device 1 out of range"));
        for number in ["-1", "one", "99999999999"] {
            assert!(
                check_number_text(number).unwrap_err().contains("is not the number of a device"),
                "{number}"
            );
        }
    }
}
