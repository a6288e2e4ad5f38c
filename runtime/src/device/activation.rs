//! When devices are active. A device becomes active by `acc_init` or by the first directive or routine that
//! needs it, and inactive by `acc_shutdown`, with which all that is present there goes.

use super::choice::{CHANGING, choose_type, current, of_kind, require};
use super::environment;
use super::kind::{self, DeviceId};
use super::units::{Unit, units};
use crate::abi::ASYNC_SYNC;
use crate::direct::{self, Condition};
use crate::fatal::fatal;
use crate::prof::{self, Activity, Span};
use crate::site::{Site, Where};
use std::ffi::c_int;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};

impl Unit {
    /// Whether the device is active, held while that changes.
    fn activation(&'static self) -> MutexGuard<'static, bool> {
        self.activation.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whoever listens that the device changes, whose type the program has asked for by a name.
    fn start(&self, activity: Activity, asked: c_int, site: &Site<'_>, implicit: bool) -> Option<Span> {
        let device = DeviceId { kind: asked, ..self.id };
        prof::start(activity, implicit, || Where { site: *site, device, queue: ASYNC_SYNC })
    }

    /// Constructs of a host that shares the program's memory may be calls while it is active.
    fn tell(&self, is_active: bool) {
        if self.shares_memory() {
            direct::set(Condition::Active, is_active);
        }
    }

    /// Makes the device active, if it is not.
    fn activate(&'static self, asked: c_int, site: &Site<'_>, implicit: bool) {
        let mut active = self.activation();
        if *active {
            return;
        }
        CHANGING.set(true);
        let span = self.start(Activity::DeviceInit, asked, site, implicit);
        if let Some(memory) = self.memory() {
            memory.begin();
        }
        *active = true;
        self.active.store(true, Ordering::Release);
        self.tell(true);
        if let Some(span) = span {
            span.end();
        }
        CHANGING.set(false);
    }

    /// Makes the device inactive, if it is active.
    fn deactivate(&'static self, asked: c_int, site: &Site<'_>, implicit: bool) {
        let mut active = self.activation();
        if !*active {
            return;
        }
        if self.open_data.load(Ordering::Relaxed) > 0 && !implicit {
            drop(active);
            fatal(format_args!("the device cannot be shut down inside a data construct"));
        }
        CHANGING.set(true);
        let span = self.start(Activity::DeviceShutdown, asked, site, implicit);
        if let Some(memory) = self.memory() {
            memory.end();
        }
        *active = false;
        self.active.store(false, Ordering::Release);
        self.tell(false);
        if let Some(span) = span {
            span.end();
        }
        CHANGING.set(false);
    }
}

/// Makes the current device active on behalf of a directive or routine that needs it.
#[inline]
pub(crate) fn need(site: &Site<'_>) -> &'static Unit {
    let unit = current();
    need_unit(unit, site);
    unit
}

/// Makes a device active on behalf of a directive or routine that needs it.
#[inline]
pub(crate) fn need_unit(unit: &'static Unit, site: &Site<'_>) {
    if !unit.is_active() {
        need_inactive(unit, site);
    }
}

#[cold]
fn need_inactive(unit: &'static Unit, site: &Site<'_>) {
    // A callback that needs the device while it is being initialised finds the host as usable as ever.
    if CHANGING.get() {
        return;
    }
    environment::TYPE.require();
    environment::NUMBER.require();
    unit.activate(kind::DEFAULT, site, true);
}

/// `acc_init`, or `init` as a directive: the device of this type is the current one from now on, and active.
/// Nothing happens to one that is active already (OpenACC 3.3, sections 2.14.1 and 3.2.7).
pub(crate) fn init(device: c_int, site: &Site<'_>) {
    require(device);
    not_in_callback("init");
    choose_type(device);
    environment::NUMBER.require();
    current().activate(device, site, false);
}

/// `acc_shutdown`, or `shutdown` as a directive. Nothing happens to devices that are not active (OpenACC 3.3,
/// sections 2.14.2 and 3.2.8).
pub(crate) fn shutdown(device: c_int, site: &Site<'_>) {
    not_in_callback("shutdown");
    for unit in of_kind(device) {
        unit.deactivate(device, site, false);
    }
}

/// `acc_shutdown_device`.
pub(crate) fn shutdown_one(unit: &'static Unit) {
    not_in_callback("shutdown");
    unit.deactivate(unit.id.kind, &Site::routine("acc_shutdown_device"), false);
}

fn not_in_callback(what: &str) {
    if CHANGING.get() {
        fatal(format_args!("`{what}` in a callback of the device's own initialization or shutdown"));
    }
}

/// Makes all devices inactive. Says whether that was possible: a program that ends inside a callback, or
/// while another thread holds a device, has no time for ceremony.
pub(crate) fn shutdown_all() -> bool {
    let busy = |unit: &Unit| unit.activation.try_lock().is_err();
    if CHANGING.get() || units().all().any(busy) {
        return false;
    }
    for unit in units().all() {
        unit.deactivate(unit.id.kind, &Site::routine("exit"), true);
    }
    true
}
