//! The device that each thread uses: the one that the program has chosen there, or else the environment.

use super::environment::{NUMBER, TYPE};
use super::kind::{self, Unusable};
use super::units::{Unit, units};
use crate::fatal::fatal;
use std::cell::Cell;
use std::ffi::c_int;

thread_local! {
    /// What this thread has chosen.
    static CHOSEN: Cell<Option<&'static Unit>> = const { Cell::new(None) };
    /// This thread is activating or shutting down a device: callbacks of the profiling interface may be
    /// running.
    pub(super) static CHANGING: Cell<bool> = const { Cell::new(false) };
}

/// The type that `acc_device_default` stands for.
fn default_kind() -> c_int {
    TYPE.value().unwrap_or(kind::DEFAULT)
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
    let unit =
        units().find(kind::DEFAULT, number, default).or_else(|_| units().find(kind::DEFAULT, 0, default));
    let unit = unit.unwrap_or_else(|error| fatal(format_args!("{error}")));
    CHOSEN.set(Some(unit));
    unit
}

/// The type that a number of the interface means.
fn meant(device: c_int) -> c_int {
    if device == kind::CURRENT { current().id.kind } else { device }
}

/// The devices of a type.
pub(crate) fn check(device: c_int) -> Result<&'static [Unit], Unusable> {
    units().of(meant(device), default_kind())
}

/// The devices of a type; ends the program if it cannot be used.
pub(super) fn of_kind(device: c_int) -> &'static [Unit] {
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
    let found = units().find(meant(device), number, default_kind());
    found.unwrap_or_else(|error| fatal(format_args!("{error}")))
}

/// The device of the current type with this number; ends the program if there is none.
pub(crate) fn numbered(number: c_int) -> &'static Unit {
    let found = units().find(current().id.kind, number, kind::DEFAULT);
    found.unwrap_or_else(|error| fatal(format_args!("{error}")))
}

/// The number that this thread uses of a type: that of the current device, if it has the type.
pub(crate) fn number_of(device: c_int) -> c_int {
    let list = of_kind(device);
    let current = current();
    if list.iter().any(|unit| std::ptr::eq(unit, current)) { current.id.number } else { 0 }
}

/// The program chooses a type of device: ends it unless it can be used. The number stays, if the type has it.
pub(crate) fn choose_type(device: c_int) {
    let list = of_kind(device);
    let number = current().id.number;
    let kept = usize::try_from(number).ok().and_then(|index| list.get(index)).or(list.first());
    TYPE.override_();
    CHOSEN.set(kept);
}

/// The program chooses a device by its number and type: ends it unless it exists. A negative number stands
/// for the default.
pub(crate) fn choose_number(number: c_int, device: c_int) {
    let wanted = if device == kind::NONE { current().id.kind } else { meant(device) };
    let found = units().find(wanted, number.max(0), default_kind());
    NUMBER.override_();
    CHOSEN.set(Some(found.unwrap_or_else(|error| fatal(format_args!("{error}")))));
}

/// `acc_get_device_type`: none as long as the device is being initialised.
pub(crate) fn current_type() -> c_int {
    if CHANGING.get() {
        return kind::NONE;
    }
    TYPE.require();
    current().id.kind
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
        let number = |number| units().find(kind::HOST, number, kind::DEFAULT).map(|unit| unit.id.number);
        assert_eq!(number(0), Ok(0));
        assert_eq!(
            number(1).unwrap_err().to_string(),
            "device 1 out of range: there is one host device, number 0"
        );
        assert_eq!(Unusable::Unknown(99).to_string(), "unknown device type 99");
    }
}
