//! Types of devices.

use std::ffi::c_int;
use std::fmt;

/// `acc_device_current`.
pub(crate) const CURRENT: c_int = -1;
/// `acc_device_none`.
pub(crate) const NONE: c_int = 0;
/// `acc_device_default`.
pub(crate) const DEFAULT: c_int = 1;
/// `acc_device_host`.
pub(crate) const HOST: c_int = 2;
/// `acc_device_not_host`.
pub(crate) const NOT_HOST: c_int = 4;
/// `acc_device_nvidia`.
pub(crate) const NVIDIA: c_int = 5;
/// `acc_device_radeon`.
pub(crate) const RADEON: c_int = 8;

/// A device as programs name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DeviceId {
    /// Its type.
    pub(crate) kind: c_int,
    /// Its number among those of its type.
    pub(crate) number: c_int,
}

/// How messages and `ACC_DEVICE_TYPE` spell a type that devices have.
pub(crate) fn name(kind: c_int) -> &'static str {
    match kind {
        HOST => "host",
        NVIDIA => "nvidia",
        RADEON => "radeon",
        _ => "unknown",
    }
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
    /// No device of this number, type and their count.
    OutOfRange(c_int, c_int, usize),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Unusable::Unknown(number) => write!(f, "unknown device type {number}"),
            Unusable::Nothing => f.write_str("acc_device_none is no device"),
            Unusable::NotHost => f.write_str("no device found other than the host"),
            Unusable::Absent(name) => {
                write!(f, "device type {name} not supported: no such device is available")
            }
            Unusable::OutOfRange(number, kind, 1) => {
                write!(f, "device {number} out of range: there is one {} device, number 0", name(kind))
            }
            Unusable::OutOfRange(number, kind, count) => {
                write!(f, "device {number} out of range: there are {count} {} devices", name(kind))
            }
        }
    }
}
