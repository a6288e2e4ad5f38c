//! When devices are active. A device becomes active by `acc_init` or by the first directive or routine that needs it, and
//! inactive by `acc_shutdown`, with which all that is present there goes.

use super::units::{Activation, Unit, units};
use super::{CHANGING, current, environment, of_kind, require};
use crate::fatal::{failed, fatal};
use crate::prof::{self, Activity, Construct};
use crate::time;
use std::ffi::c_int;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};

impl Unit {
    fn activation(&'static self) -> MutexGuard<'static, Activation> {
        self.activation.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn activate(
        &'static self,
        state: &mut Activation,
        how: Activation,
        asked: c_int,
        parent: Construct,
        implicit: bool,
    ) {
        CHANGING.set(true);
        let span = Activity::DeviceInit.start_on(asked, parent, implicit);
        if let Some(memory) = self.memory() {
            memory.begin();
        }
        *state = how;
        self.active.store(true, Ordering::Release);
        if let Some(span) = span {
            span.end();
        }
        CHANGING.set(false);
    }

    /// Says whether there was something to shut down.
    fn deactivate(&'static self, asked: c_int, parent: Construct, implicit: bool) -> bool {
        let mut state = self.activation();
        if *state == Activation::Inactive {
            return false;
        }
        if self.open_data.load(Ordering::Relaxed) > 0 && !implicit {
            drop(state);
            fatal(format_args!("the device cannot be shut down inside a data construct"));
        }
        CHANGING.set(true);
        let span = Activity::DeviceShutdown.start_on(asked, parent, implicit);
        if let Some(memory) = self.memory() {
            memory.end();
        }
        *state = Activation::Inactive;
        self.active.store(false, Ordering::Release);
        if let Some(span) = span {
            span.end();
        }
        CHANGING.set(false);
        true
    }
}

/// Makes the current device active on behalf of `parent`, which needs it.
#[inline]
pub(crate) fn need(parent: Construct) -> &'static Unit {
    let unit = current();
    if !unit.active.load(Ordering::Acquire) {
        need_inactive(unit, parent);
    }
    unit
}

#[cold]
fn need_inactive(unit: &'static Unit, parent: Construct) {
    // A callback that needs the device while it is being initialised finds the host as usable as ever.
    if CHANGING.get() {
        return;
    }
    environment::TYPE.require();
    environment::NUMBER.require();
    let mut state = unit.activation();
    if *state == Activation::Inactive {
        unit.activate(&mut state, Activation::Implicit, super::kind::DEFAULT, parent, true);
    }
}

/// The device of this type that `acc_init` means: it is the current one from now on.
fn initialised(device: c_int) -> &'static Unit {
    super::choose_type(device);
    environment::NUMBER.require();
    current()
}

/// `acc_init`: an error if it was called before and `acc_shutdown` was not.
pub(crate) fn init(device: c_int) {
    require(device);
    not_in_callback("acc_init");
    let unit = initialised(device);
    let mut state = unit.activation();
    match *state {
        Activation::Inactive => {
            unit.activate(&mut state, Activation::Explicit, device, Construct::RuntimeApi, false);
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
    require(device);
    not_in_callback("init");
    let unit = initialised(device);
    let mut state = unit.activation();
    if *state == Activation::Inactive {
        unit.activate(&mut state, Activation::Explicit, device, Construct::Init, false);
    }
}

/// `acc_shutdown`: an error if no device of the type is active.
pub(crate) fn shutdown(device: c_int) {
    not_in_callback("acc_shutdown");
    if !deactivate_all(device, Construct::RuntimeApi) {
        fatal(format_args!("acc_shutdown: no device initialized"));
    }
}

/// `acc_shutdown_device`: an error if the device is not active.
pub(crate) fn shutdown_one(unit: &'static Unit) {
    not_in_callback("acc_shutdown_device");
    if !unit.deactivate(unit.kind, Construct::RuntimeApi, false) {
        fatal(format_args!("acc_shutdown_device: no device initialized"));
    }
}

/// `shutdown` as a directive: repeats are harmless.
pub(crate) fn shutdown_directive(device: c_int) {
    not_in_callback("shutdown");
    deactivate_all(device, Construct::Shutdown);
}

fn deactivate_all(device: c_int, parent: Construct) -> bool {
    let mut any = false;
    for unit in of_kind(device) {
        any |= unit.deactivate(device, parent, false);
    }
    any
}

fn not_in_callback(what: &str) {
    if CHANGING.get() {
        fatal(format_args!("{what} in a callback of the device's own initialization or shutdown"));
    }
}

/// The program ends: profiling libraries hear of the devices and of the runtime for the last time.
pub(super) extern "C" fn at_exit() {
    // A program that ends inside a callback, or while another thread holds a device, has no time for ceremony.
    let busy = |unit: &Unit| unit.activation.try_lock().is_err();
    if failed() || CHANGING.get() || units().all().any(busy) {
        return;
    }
    for unit in units().all() {
        unit.deactivate(unit.kind, Construct::RuntimeApi, true);
    }
    time::finish();
    prof::runtime_shutdown();
}
