//! Callbacks, and what switches them on and off.
//!
//! An event reaches a callback if four switches are on: the callback's own, the event's, the one of all
//! events, and the one of the thread. A callback that is registered several times is called once, and stays
//! until it is unregistered as often.

use super::events::Event;
use super::types::Callback;
use crate::direct::{self, Condition};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// `acc_register_t`.
mod how {
    use std::ffi::c_int;
    pub(super) const REG: c_int = 0;
    pub(super) const TOGGLE: c_int = 1;
    pub(super) const TOGGLE_PER_THREAD: c_int = 2;
}

struct Entry {
    callback: Callback,
    registrations: u32,
    enabled: bool,
}

/// The callbacks of one event, in the order in which they are called.
struct Callbacks {
    entries: Vec<Entry>,
    enabled: bool,
}

pub(super) struct Registry {
    events: [Callbacks; Event::COUNT],
    enabled: bool,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry::new());
/// Whether any callback is registered: what every directive asks.
static IN_USE: AtomicBool = AtomicBool::new(false);

thread_local! {
    static THREAD_ENABLED: Cell<bool> = const { Cell::new(true) };
}

impl Registry {
    pub(super) const fn new() -> Registry {
        let events = [const { Callbacks { entries: Vec::new(), enabled: true } }; Event::COUNT];
        Registry { events, enabled: true }
    }

    fn add(&mut self, event: Event, callback: Callback) {
        let entries = &mut self.events[event.index()].entries;
        if let Some(entry) = find(entries, callback) {
            entry.registrations = entry.registrations.saturating_add(1);
            return;
        }
        let entry = Entry { callback, registrations: 1, enabled: true };
        // What ends is told in the reverse order, so that the tools' calls nest.
        let at = if event.is_end() { 0 } else { entries.len() };
        entries.insert(at, entry);
    }

    fn remove(&mut self, event: Event, callback: Callback) {
        let entries = &mut self.events[event.index()].entries;
        if let Some(entry) = find(entries, callback) {
            entry.registrations -= 1;
        }
        entries.retain(|entry| entry.registrations > 0);
    }

    fn toggle(&mut self, event: Option<Event>, callback: Option<Callback>, on: bool) {
        match (event, callback) {
            (None, None) => self.enabled = on,
            (Some(event), None) => self.events[event.index()].enabled = on,
            (Some(event), Some(callback)) => {
                if let Some(entry) = find(&mut self.events[event.index()].entries, callback) {
                    entry.enabled = on;
                }
            }
            // A callback of no event.
            (None, Some(_)) => {}
        }
    }

    /// Carries out `acc_prof_register` (`on`) or `acc_prof_unregister`, the switch of the thread excepted.
    /// Requests that make no sense are ignored: the interface has no way to report them.
    fn change(&mut self, event: Option<Event>, callback: Option<Callback>, how: c_int, on: bool) {
        match (how, event, callback) {
            (how::REG, Some(event), Some(callback)) if on => self.add(event, callback),
            (how::REG, Some(event), Some(callback)) => self.remove(event, callback),
            (how::TOGGLE, event, callback) => self.toggle(event, callback, on),
            _ => {}
        }
    }

    fn is_empty(&self) -> bool {
        self.events.iter().all(|callbacks| callbacks.entries.is_empty())
    }

    /// Who is to be told of an event.
    pub(super) fn called(&self, event: Event) -> Vec<Callback> {
        let callbacks = &self.events[event.index()];
        if !self.enabled || !callbacks.enabled {
            return Vec::new();
        }
        callbacks.entries.iter().filter(|entry| entry.enabled).map(|entry| entry.callback).collect()
    }
}

fn find(entries: &mut [Entry], callback: Callback) -> Option<&mut Entry> {
    entries.iter_mut().find(|entry| std::ptr::fn_addr_eq(entry.callback, callback))
}

/// The registry. It is never held while a callback runs, so callbacks may register others.
pub(super) fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether events can reach anybody from this thread.
#[inline]
pub(crate) fn in_use() -> bool {
    IN_USE.load(Ordering::Relaxed) && THREAD_ENABLED.get()
}

fn change(event: c_int, callback: Option<Callback>, how: c_int, on: bool) {
    let known = Event::from_number(event);
    if event != Event::NONE && known.is_none() {
        return;
    }
    if how == how::TOGGLE_PER_THREAD {
        if known.is_none() && callback.is_none() {
            THREAD_ENABLED.set(on);
        }
        return;
    }
    let mut registry = registry();
    registry.change(known, callback, how, on);
    IN_USE.store(!registry.is_empty(), Ordering::Relaxed);
    direct::set(Condition::Unheard, registry.is_empty());
}

/// `acc_prof_register`.
pub extern "C" fn acc_prof_register(event: c_int, callback: Option<Callback>, how: c_int) {
    change(event, callback, how, true);
}

/// `acc_prof_unregister`.
pub extern "C" fn acc_prof_unregister(event: c_int, callback: Option<Callback>, how: c_int) {
    change(event, callback, how, false);
}

/// `acc_prof_register`, `acc_prof_unregister`.
pub(crate) type Register = extern "C" fn(c_int, Option<Callback>, c_int);
/// `acc_prof_lookup`.
pub(crate) type Lookup = unsafe extern "C" fn(*const c_char) -> *const c_void;

/// `acc_register_library`, where the program calls it and defines none: nobody wants to be registered.
pub extern "C" fn acc_register_library(_register: Register, _unregister: Register, _lookup: Lookup) {}

#[cfg(test)]
mod tests {
    use super::super::types::{ApiInfo, EventInfo, ProfInfo};
    use super::*;

    // Bodies differ, so that the functions have different addresses.
    unsafe extern "C" fn first(info: *mut ProfInfo, _: *mut EventInfo, _: *mut ApiInfo) {
        assert!(!info.is_null());
    }
    unsafe extern "C" fn second(_: *mut ProfInfo, info: *mut EventInfo, _: *mut ApiInfo) {
        assert!(!info.is_null());
    }

    fn names(registry: &Registry, event: Event) -> Vec<&'static str> {
        let name =
            |callback| if std::ptr::fn_addr_eq(callback, first as Callback) { "first" } else { "second" };
        registry.called(event).into_iter().map(name).collect()
    }

    fn registry(event: Event) -> Registry {
        let mut registry = Registry::new();
        registry.change(Some(event), Some(first), how::REG, true);
        registry.change(Some(event), Some(second), how::REG, true);
        registry
    }

    #[test]
    fn ends_are_told_in_reverse() {
        let start = Event::ComputeConstructStart;
        assert_eq!(names(&registry(start), start), ["first", "second"]);
        let end = Event::ComputeConstructEnd;
        assert_eq!(names(&registry(end), end), ["second", "first"]);
    }

    #[test]
    fn registrations_are_counted() {
        let event = Event::UpdateStart;
        let mut registry = registry(event);
        registry.change(Some(event), Some(first), how::REG, true);
        assert_eq!(names(&registry, event), ["first", "second"]);
        registry.change(Some(event), Some(first), how::REG, false);
        assert_eq!(names(&registry, event), ["first", "second"]);
        registry.change(Some(event), Some(first), how::REG, false);
        registry.change(Some(event), Some(first), how::REG, false);
        assert_eq!(names(&registry, event), ["second"]);
        registry.change(Some(event), Some(second), how::REG, false);
        assert!(registry.is_empty());
    }

    #[test]
    fn switches() {
        let event = Event::UpdateStart;
        let mut registry = registry(event);
        registry.change(Some(event), Some(second), how::TOGGLE, false);
        assert_eq!(names(&registry, event), ["first"]);
        // The switch of the callback survives that of the event.
        registry.change(Some(event), None, how::TOGGLE, false);
        assert!(names(&registry, event).is_empty());
        registry.change(Some(event), None, how::TOGGLE, true);
        assert_eq!(names(&registry, event), ["first"]);
        registry.change(None, None, how::TOGGLE, false);
        assert!(names(&registry, event).is_empty());
        registry.change(None, None, how::TOGGLE, true);
        // Registered once more, it stays off.
        registry.change(Some(event), Some(second), how::REG, true);
        assert_eq!(names(&registry, event), ["first"]);
        registry.change(Some(event), Some(second), how::TOGGLE, true);
        assert_eq!(names(&registry, event), ["first", "second"]);
    }

    #[test]
    fn a_removed_callback_comes_back_switched_on() {
        let event = Event::UpdateStart;
        let mut registry = registry(event);
        registry.change(Some(event), Some(first), how::TOGGLE, false);
        registry.change(Some(event), Some(first), how::REG, false);
        registry.change(Some(event), Some(first), how::REG, true);
        assert_eq!(names(&registry, event), ["second", "first"]);
    }

    #[test]
    fn nonsense_is_ignored() {
        let event = Event::UpdateStart;
        let mut registry = registry(event);
        registry.change(Some(event), None, how::REG, true);
        registry.change(None, Some(first), how::REG, true);
        registry.change(None, Some(first), how::TOGGLE, false);
        registry.change(Some(event), Some(first), 77, false);
        assert_eq!(names(&registry, event), ["first", "second"]);
    }
}
