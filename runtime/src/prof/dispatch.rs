//! Makes events and hands them to the callbacks.

use super::registry::{in_use, registry};
use super::types::{ApiInfo, Details, EventInfo, ProfInfo};
use crate::abi::ASYNC_SYNC;
use crate::device::{self, Unit};
use crate::memory::Site;
use std::cell::Cell;
use std::ffi::{CString, c_int, c_long};

/// `acc_event_t`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub(crate) enum Event {
    DeviceInitStart = 1,
    DeviceInitEnd,
    DeviceShutdownStart,
    DeviceShutdownEnd,
    RuntimeShutdown,
    Create,
    Delete,
    Alloc,
    Free,
    EnterDataStart,
    EnterDataEnd,
    ExitDataStart,
    ExitDataEnd,
    UpdateStart,
    UpdateEnd,
    ComputeConstructStart,
    ComputeConstructEnd,
    EnqueueLaunchStart,
    EnqueueLaunchEnd,
    EnqueueUploadStart,
    EnqueueUploadEnd,
    EnqueueDownloadStart,
    EnqueueDownloadEnd,
    WaitStart,
    WaitEnd,
}

impl Event {
    /// `acc_ev_none`: in a registration it stands for all events.
    pub(super) const NONE: c_int = 0;
    /// Number of events.
    pub(super) const COUNT: usize = Event::ALL.len();
    const ALL: [Event; 25] = [
        Event::DeviceInitStart,
        Event::DeviceInitEnd,
        Event::DeviceShutdownStart,
        Event::DeviceShutdownEnd,
        Event::RuntimeShutdown,
        Event::Create,
        Event::Delete,
        Event::Alloc,
        Event::Free,
        Event::EnterDataStart,
        Event::EnterDataEnd,
        Event::ExitDataStart,
        Event::ExitDataEnd,
        Event::UpdateStart,
        Event::UpdateEnd,
        Event::ComputeConstructStart,
        Event::ComputeConstructEnd,
        Event::EnqueueLaunchStart,
        Event::EnqueueLaunchEnd,
        Event::EnqueueUploadStart,
        Event::EnqueueUploadEnd,
        Event::EnqueueDownloadStart,
        Event::EnqueueDownloadEnd,
        Event::WaitStart,
        Event::WaitEnd,
    ];

    pub(super) fn from_number(number: c_int) -> Option<Event> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        Event::ALL.get(index).copied()
    }

    pub(super) fn index(self) -> usize {
        self as usize - 1
    }

    /// Whether the event ends something that another one has started.
    pub(super) fn is_end(self) -> bool {
        match self {
            Event::DeviceInitEnd
            | Event::DeviceShutdownEnd
            | Event::RuntimeShutdown
            | Event::Delete
            | Event::Free
            | Event::EnterDataEnd
            | Event::ExitDataEnd
            | Event::UpdateEnd
            | Event::ComputeConstructEnd
            | Event::EnqueueLaunchEnd
            | Event::EnqueueUploadEnd
            | Event::EnqueueDownloadEnd
            | Event::WaitEnd => true,
            Event::DeviceInitStart
            | Event::DeviceShutdownStart
            | Event::Create
            | Event::Alloc
            | Event::EnterDataStart
            | Event::ExitDataStart
            | Event::UpdateStart
            | Event::ComputeConstructStart
            | Event::EnqueueLaunchStart
            | Event::EnqueueUploadStart
            | Event::EnqueueDownloadStart
            | Event::WaitStart => false,
        }
    }
}

/// `acc_construct_t`: what brought an event about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub(crate) enum Construct {
    Parallel = 0,
    Kernels = 1,
    Data = 3,
    EnterData = 4,
    ExitData = 5,
    HostData = 6,
    Declare = 8,
    Init = 9,
    Shutdown = 10,
    Set = 11,
    Update = 12,
    Wait = 14,
    RuntimeApi = 15,
    Serial = 16,
}

impl Construct {
    /// Whether a region is executed.
    pub(crate) fn is_compute(self) -> bool {
        matches!(self, Construct::Parallel | Construct::Kernels | Construct::Serial)
    }
}

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

/// Tells whoever listens that an activity starts. `None` if nobody does; who begins to listen meanwhile is not told of
/// the end.
#[inline]
pub(crate) fn start(activity: Activity, site: &Site<'_>, implicit: bool, queue: i64) -> Option<Span> {
    if in_use() {
        let unit = device::current();
        Some(start_for(activity, site, implicit, queue, (unit.kind, unit.number)))
    } else {
        None
    }
}

impl Activity {
    /// As [`start`], for a device whose type the program has asked for by a name.
    pub(crate) fn start_on(self, unit: &Unit, asked: c_int, site: &Site<'_>, implicit: bool) -> Option<Span> {
        in_use().then(|| start_for(self, site, implicit, ASYNC_SYNC, (asked, unit.number)))
    }
}

#[cold]
fn start_for(
    activity: Activity,
    site: &Site<'_>,
    implicit: bool,
    queue: i64,
    device: (c_int, c_int),
) -> Span {
    let (start, end) = activity.events();
    let mut objects = Box::new(Objects::new(start, site, implicit, queue, device));
    objects.end = end;
    objects.dispatch(start);
    Span(objects)
}

/// Tells whoever listens that something starts on a queue of the current device that has more to it than its kind.
#[inline]
pub(crate) fn start_with(
    activity: Activity,
    site: &Site<'_>,
    queue: i64,
    details: impl FnOnce() -> Details,
) -> Option<Span> {
    if !in_use() {
        return None;
    }
    let (start, end) = activity.events();
    let mut objects = Box::new(Objects::with(start, site, queue, details()));
    objects.end = end;
    objects.dispatch(start);
    Some(Span(objects))
}

/// Tells whoever listens that device memory was taken, or is given back.
#[inline]
pub(crate) fn memory(event: Event, site: &Site<'_>, queue: i64, details: impl FnOnce() -> Details) {
    if in_use() {
        Objects::with(event, site, queue, details()).dispatch(event);
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
    fn new(
        event: Event,
        site: &Site<'_>,
        implicit: bool,
        queue: i64,
        (kind, number): (c_int, c_int),
    ) -> Objects {
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
    fn with(event: Event, site: &Site<'_>, queue: i64, details: Details) -> Objects {
        let unit = device::current();
        let mut objects = Objects::new(event, site, true, queue, (unit.kind, unit.number));
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
            // SAFETY: the program registered it as a function of this type; the three objects are alive and ours.
            unsafe { callback(&mut self.prof, &mut self.event, &mut self.api) };
        }
        IN_CALLBACK.set(false);
    }
}

/// Tells that the runtime ends with the program.
pub(crate) fn runtime_shutdown() {
    if !in_use() {
        return;
    }
    let (event, unit) = (Event::RuntimeShutdown, device::current());
    Objects::new(event, &Site::routine(""), true, ASYNC_SYNC, (unit.kind, unit.number)).dispatch(event);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_header() {
        for (index, event) in Event::ALL.into_iter().enumerate() {
            assert_eq!(event.index(), index);
            assert_eq!(Event::from_number(index as c_int + 1), Some(event));
        }
        assert_eq!(Event::from_number(Event::NONE), None);
        assert_eq!(Event::from_number(-1), None);
        assert_eq!(Event::from_number(26), None);
        assert_eq!(Event::WaitEnd as c_int, 25);
        assert_eq!(Event::UpdateStart as c_int, 14);
    }
}
