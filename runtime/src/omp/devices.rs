//! Devices by OpenMP's numbers (5.2, 18.7): those with memory of their own have the numbers from 0, and the
//! host that runs the program, the *initial device*, comes behind them or is -1.

use super::threads::pause;
use crate::device::{self, Unit};
use crate::gangs::region;
use crate::team::icvs::Icvs;
use crate::team::member::current;
use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt;
use std::ptr::null;
use std::sync::OnceLock;

/// `omp_initial_device` of OpenMP 5.2.
const INITIAL_DEVICE: c_int = -1;

/// `omp_invalid_device`.
const INVALID_DEVICE: c_int = -4;

/// `omp_default_device` of OpenMP 6.0.
const DEFAULT_DEVICE: c_int = -5;

/// A device as OpenMP sees it.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// The host, with the program's own memory.
    Initial,
    /// A device with memory of its own.
    Device(&'static Unit),
}

/// No device has this number.
#[derive(Debug)]
pub(crate) struct NoDevice(i64);

impl fmt::Display for NoDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoDevice(number) = self;
        match devices().len() {
            0 => write!(f, "device {number} does not exist: there is only the host, number 0"),
            1 => write!(
                f,
                "device {number} does not exist: there is one device, number 0, and the host, number 1"
            ),
            count => write!(
                f,
                "device {number} does not exist: there are {count} devices, from number 0, and the host, number {count}"
            ),
        }
    }
}

/// The devices with memory of their own; none with `OMP_TARGET_OFFLOAD=disabled`.
fn devices() -> &'static [Unit] {
    static DISABLED: OnceLock<bool> = OnceLock::new();
    let disabled = || {
        let value = std::env::var("OMP_TARGET_OFFLOAD").unwrap_or_default();
        value.trim().eq_ignore_ascii_case("disabled")
    };
    if *DISABLED.get_or_init(disabled) { &[] } else { device::separate() }
}

/// The device of a number.
pub(crate) fn place_of(number: i64) -> Result<Place, NoDevice> {
    let devices = devices();
    match usize::try_from(number) {
        Ok(index) if index < devices.len() => Ok(Place::Device(&devices[index])),
        Ok(index) if index == devices.len() => Ok(Place::Initial),
        Err(_) if number == i64::from(INITIAL_DEVICE) => Ok(Place::Initial),
        Err(_) if number == i64::from(DEFAULT_DEVICE) => {
            let number = i64::from(default_number());
            if number < 0 && number != i64::from(INITIAL_DEVICE) {
                Err(NoDevice(number))
            } else {
                place_of(number)
            }
        }
        _ => Err(NoDevice(number)),
    }
}

/// The number of the device that directives without `device` mean.
pub(crate) fn default_number() -> c_int {
    static ENVIRONMENT: OnceLock<c_int> = OnceLock::new();
    current().task().icvs.get().device.unwrap_or_else(|| {
        *ENVIRONMENT.get_or_init(|| {
            let value = std::env::var("OMP_DEFAULT_DEVICE").ok();
            value.and_then(|value| value.trim().parse().ok()).filter(|&number| number >= 0).unwrap_or(0)
        })
    })
}

/// `omp_set_default_device`.
pub extern "C" fn omp_set_default_device(number: c_int) {
    if number == DEFAULT_DEVICE {
        return;
    }
    let icvs = &current().task().icvs;
    icvs.set(Icvs { device: Some(number), ..icvs.get() });
}

/// `omp_get_default_device`.
pub extern "C" fn omp_get_default_device() -> c_int {
    default_number()
}

/// `omp_get_num_devices`.
pub extern "C" fn omp_get_num_devices() -> c_int {
    devices().len().try_into().unwrap_or(c_int::MAX)
}

/// `omp_get_initial_device`.
pub extern "C" fn omp_get_initial_device() -> c_int {
    omp_get_num_devices()
}

/// `omp_get_device_num`: the device that executes this.
pub extern "C" fn omp_get_device_num() -> c_int {
    let number = region().and_then(|region| region.device).and_then(|number| c_int::try_from(number).ok());
    number.unwrap_or_else(|| omp_get_initial_device())
}

/// The names of the devices, the host's last.
fn uids() -> &'static [CString] {
    static UIDS: OnceLock<Vec<CString>> = OnceLock::new();
    UIDS.get_or_init(|| {
        let names = (0..devices().len()).map(|number| format!("accrue-device-{number}"));
        names.chain(["accrue-host".to_owned()]).filter_map(|name| CString::new(name).ok()).collect()
    })
}

/// `omp_get_uid_from_device` of OpenMP 6.0: null for what is no device.
pub extern "C" fn omp_get_uid_from_device(number: c_int) -> *const c_char {
    let number = if number == DEFAULT_DEVICE { default_number() } else { number };
    let number = if number == INITIAL_DEVICE { omp_get_initial_device() } else { number };
    let found = usize::try_from(number).ok().and_then(|number| uids().get(number));
    found.map_or(null(), |uid| uid.as_ptr())
}

/// `omp_get_device_from_uid` of OpenMP 6.0.
///
/// # Safety
/// `uid` is null or leads to a string.
pub unsafe extern "C" fn omp_get_device_from_uid(uid: *const c_char) -> c_int {
    if uid.is_null() {
        return INVALID_DEVICE;
    }
    // SAFETY: the caller's promise.
    let uid = unsafe { CStr::from_ptr(uid) };
    let found = uids().iter().position(|known| known.as_c_str() == uid);
    found.and_then(|number| c_int::try_from(number).ok()).unwrap_or(INVALID_DEVICE)
}

/// `omp_is_initial_device`.
pub extern "C" fn omp_is_initial_device() -> c_int {
    region().is_none_or(|region| region.device.is_none()).into()
}

/// The number of the team that executes this, and how many its league has: in regions, teams are gangs.
fn team() -> (u64, u64) {
    region().map_or_else(
        || {
            let (number, count) = current().task().icvs.get().team;
            (number.into(), count.into())
        },
        |region| region.gang,
    )
}

/// `omp_get_num_teams`.
pub extern "C" fn omp_get_num_teams() -> c_int {
    team().1.try_into().unwrap_or(c_int::MAX)
}

/// `omp_get_team_num`.
pub extern "C" fn omp_get_team_num() -> c_int {
    team().0.try_into().unwrap_or(c_int::MAX)
}

/// `omp_pause_resource`: there is nothing to give back; 0 says that this worked.
pub extern "C" fn omp_pause_resource(kind: c_int, device: c_int) -> c_int {
    if place_of(device.into()).is_ok() { pause(kind) } else { -1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gangs::{HostRegion, in_region};

    #[test]
    fn the_only_device_is_the_host() {
        assert!(matches!(place_of(0), Ok(Place::Initial)));
        assert!(matches!(place_of(-1), Ok(Place::Initial)));
        assert_eq!(
            place_of(7).map(|_| ()).unwrap_err().to_string(),
            "device 7 does not exist: there is only the host, number 0"
        );
        assert_eq!((omp_get_num_devices(), omp_get_initial_device(), omp_get_device_num()), (0, 0, 0));
        assert_eq!(
            (omp_pause_resource(1, 0), omp_pause_resource(3, 0), omp_pause_resource(2, 9)),
            (0, -1, -1)
        );
    }

    #[test]
    fn a_region_has_teams() {
        assert_eq!((omp_is_initial_device(), omp_get_team_num(), omp_get_num_teams()), (1, 0, 1));
        in_region(HostRegion { gang: (2, 3), device: Some(0), turn: std::ptr::null() }, || {
            assert_eq!((omp_is_initial_device(), omp_get_team_num(), omp_get_num_teams()), (0, 2, 3));
        });
        assert_eq!(omp_get_num_teams(), 1);
    }
}
