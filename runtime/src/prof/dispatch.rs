//! Makes events and hands them to the callbacks.

use super::events::Event;
use super::registry::{in_use, registry};
use super::types::{ApiInfo, Details, EventInfo, ProfInfo};
use crate::abi::ASYNC_SYNC;
use crate::device::kind::DeviceId;
use crate::site::{Site, Where};
use std::cell::Cell;
use std::ffi::{CString, c_int, c_long};

/// What an event of its start and an event of its end surround.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Activity {
    DeviceInit,
    DeviceShutdown,
    EnterData,
    ExitData,
    Update,
    ComputeConstruct,
    Wait,
    EnqueueLaunch,
    EnqueueUpload,
    EnqueueDownload,
}

impl Activity {
    fn events(self) -> (Event, Event) {
        match self {
            Activity::DeviceInit => (Event::DeviceInitStart, Event::DeviceInitEnd),
            Activity::DeviceShutdown => (Event::DeviceShutdownStart, Event::DeviceShutdownEnd),
            Activity::EnterData => (Event::EnterDataStart, Event::EnterDataEnd),
            Activity::ExitData => (Event::ExitDataStart, Event::ExitDataEnd),
            Activity::Update => (Event::UpdateStart, Event::UpdateEnd),
            Activity::ComputeConstruct => (Event::ComputeConstructStart, Event::ComputeConstructEnd),
            Activity::Wait => (Event::WaitStart, Event::WaitEnd),
            Activity::EnqueueLaunch => (Event::EnqueueLaunchStart, Event::EnqueueLaunchEnd),
            Activity::EnqueueUpload => (Event::EnqueueUploadStart, Event::EnqueueUploadEnd),
            Activity::EnqueueDownload => (Event::EnqueueDownloadStart, Event::EnqueueDownloadEnd),
        }
    }
}

/// An activity that has started. Its end sees what callbacks of the start have left in `tool_info`.
pub(crate) struct Span(Box<Objects>);

/// What callbacks see.
struct Objects {
    end: Event,
    prof: ProfInfo,
    event: EventInfo,
    api: ApiInfo,
    /// Holds the names that `prof` and `event` point to.
    _names: [Option<CString>; 3],
}

thread_local! {
    /// A callback is running: what it does makes no events, so that a tool cannot call itself without end.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Tells whoever listens that an activity starts. `None` if nobody does, which costs a launch next to
/// nothing; who begins to listen meanwhile is not told of the end.
#[inline]
pub(crate) fn start<'a>(activity: Activity, implicit: bool, at: impl FnOnce() -> Where<'a>) -> Option<Span> {
    if in_use() { Some(start_objects(activity, |event| Objects::new(event, &at(), implicit))) } else { None }
}

/// Tells whoever listens that something starts on a queue that has more to it than its kind.
#[inline]
pub(crate) fn start_with(
    activity: Activity,
    at: &Where<'_>,
    details: impl FnOnce() -> Details,
) -> Option<Span> {
    if !in_use() {
        return None;
    }
    Some(start_objects(activity, |event| Objects::with(event, at, details())))
}

#[cold]
fn start_objects(activity: Activity, objects: impl FnOnce(Event) -> Objects) -> Span {
    let (start, end) = activity.events();
    let mut objects = Box::new(objects(start));
    objects.end = end;
    objects.dispatch(start);
    Span(objects)
}

/// Tells whoever listens that device memory was taken, or is given back.
#[inline]
pub(crate) fn memory(event: Event, at: &Where<'_>, details: impl FnOnce() -> Details) {
    if in_use() {
        Objects::with(event, at, details()).dispatch(event);
    }
}

impl Span {
    /// Tells of the end.
    pub(crate) fn end(mut self) {
        let end = self.0.end;
        if in_use() {
            self.0.dispatch(end);
        }
    }
}

impl Objects {
    fn new(event: Event, at: &Where<'_>, implicit: bool) -> Objects {
        let Where { site, device: DeviceId { kind, number }, queue } = *at;
        let (file, line) = site.place();
        let name = |text: &str| CString::new(text).ok().filter(|name| !name.is_empty());
        let names = [name(file), name(site.function), None];
        Objects {
            end: event,
            prof: ProfInfo::new(event as c_int, (kind, number), queue as c_long).at(&names, line),
            event: EventInfo::new(event as c_int, site.construct as c_int, implicit),
            api: ApiInfo::new(kind),
            _names: names,
        }
    }

    /// With the details of a data or launch event.
    fn with(event: Event, at: &Where<'_>, details: Details) -> Objects {
        let mut objects = Objects::new(event, at, true);
        objects.event = objects.event.with(&details);
        objects._names[2] = details.name;
        objects
    }

    fn dispatch(&mut self, event: Event) {
        if IN_CALLBACK.get() {
            return;
        }
        self.prof.event_type = event as c_int;
        self.event.event_type = event as c_int;
        let callbacks = registry().called(event);
        IN_CALLBACK.set(true);
        for callback in callbacks {
            // SAFETY: the program registered it as a function of this type; the three objects are alive and
            // ours.
            unsafe { callback(&mut self.prof, &mut self.event, &mut self.api) };
        }
        IN_CALLBACK.set(false);
    }
}

/// Tells that the runtime ends with the program, while the program uses this device.
pub(crate) fn runtime_shutdown(device: DeviceId) {
    if in_use() {
        let event = Event::RuntimeShutdown;
        let at = Where { site: Site::routine(""), device, queue: ASYNC_SYNC };
        Objects::new(event, &at, true).dispatch(event);
    }
}
