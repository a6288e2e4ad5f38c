//! Which device the program uses: environment variables, and what it has chosen since.

use crate::fatal::fatal;
use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

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
static DEFAULT_QUEUE: AtomicI32 = AtomicI32::new(-1);

/// Sets up the runtime; to be called before the program starts. Ends the process with a message if the environment
/// asks for a device that is not there (OpenACC 3.3, chapter 4).
pub fn configure(config: Config) {
    GANGS.store(config.gangs.max(1), Ordering::Relaxed);
    if let Ok(name) = std::env::var("ACC_DEVICE_TYPE") {
        match name.to_ascii_lowercase().as_str() {
            "" | "host" | "default" => {}
            other => fatal(format_args!("ACC_DEVICE_TYPE: device type `{other}` is not available")),
        }
    }
    if let Ok(number) = std::env::var("ACC_DEVICE_NUM")
        && number.trim().parse() != Ok(0)
    {
        fatal(format_args!("ACC_DEVICE_NUM: there is no host device number `{number}`"));
    }
    crate::stats::start();
}

/// Gangs of the host device.
pub(crate) fn gangs() -> u32 {
    GANGS.load(Ordering::Relaxed)
}

/// Name of a device type, for messages.
pub(crate) fn name(device: c_int) -> &'static str {
    match device {
        kind::CURRENT => "current",
        kind::NONE => "none",
        kind::DEFAULT => "default",
        kind::HOST => "host",
        kind::NOT_HOST => "not_host",
        kind::NVIDIA => "nvidia",
        kind::RADEON => "radeon",
        _ => "unknown",
    }
}

/// Whether a device type stands for the host here.
pub(crate) fn is_host(device: c_int) -> bool {
    matches!(device, kind::HOST | kind::DEFAULT | kind::CURRENT)
}

/// Ends the program unless the device type can be used.
pub(crate) fn require(device: c_int) {
    match device {
        kind::HOST | kind::DEFAULT | kind::CURRENT => {}
        kind::NOT_HOST => fatal(format_args!("no device found other than the host")),
        kind::NVIDIA | kind::RADEON => fatal(format_args!("device type `{}` is not available", name(device))),
        other => fatal(format_args!("unknown device type {other}")),
    }
}

/// Ends the program unless the device number exists.
pub(crate) fn require_number(number: c_int) {
    if number != 0 {
        fatal(format_args!("device {number} out of range: there is one host device, number 0"));
    }
}

/// The queue of `async` without argument; `acc_async_noval` until the program sets one.
pub(crate) fn default_queue() -> c_int {
    DEFAULT_QUEUE.load(Ordering::Relaxed)
}

pub(crate) fn set_default_queue(queue: c_int) {
    DEFAULT_QUEUE.store(queue, Ordering::Relaxed);
}

/// Ends the program unless the number is one that `async` may have: not negative, or one of the special values.
pub(crate) fn require_queue(queue: i64) {
    if queue < -3 {
        fatal(format_args!("invalid async argument: {queue}"));
    }
}
