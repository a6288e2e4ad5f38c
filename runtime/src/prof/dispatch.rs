//! Makes events and hands them to the callbacks.

use super::registry::{in_use, registry};
use super::types::{ApiInfo, Details, EventInfo, ProfInfo};
use crate::abi::ASYNC_SYNC;
use crate::device;
use std::cell::Cell;
use std::ffi::{c_int, c_long};

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
    /// Holds the name that `event` points to.
    _details: Option<Details>,
}

thread_local! {
    /// A callback is running: what it does makes no events, so that a tool cannot call itself without end.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Tells whoever listens that an activity starts. `None` if nobody does; who begins to listen meanwhile is not told of
/// the end.
#[inline]
pub(crate) fn start(activity: Activity, parent: Construct, implicit: bool, queue: i64) -> Option<Span> {
    if in_use() { Some(start_for(activity, parent, implicit, queue, device::current().kind)) } else { None }
}

impl Activity {
    /// As [`start`], where the device type has a name of its own: what the program has asked for.
    pub(crate) fn start_on(self, device: c_int, parent: Construct, implicit: bool) -> Option<Span> {
        in_use().then(|| start_for(self, parent, implicit, ASYNC_SYNC, device))
    }
}

#[cold]
fn start_for(activity: Activity, parent: Construct, implicit: bool, queue: i64, device: c_int) -> Span {
    let (start, end) = activity.events();
    let mut objects = Box::new(Objects {
        end,
        prof: ProfInfo::new(start as c_int, device, queue as c_long),
        event: EventInfo::new(start as c_int, parent as c_int, implicit),
        api: ApiInfo::new(device),
        _details: None,
    });
    objects.dispatch(start);
    Span(objects)
}

/// Tells whoever listens that something starts on a queue that has more to it than its kind.
pub(crate) fn start_with(
    activity: Activity,
    parent: Construct,
    queue: i64,
    details: impl FnOnce() -> Details,
) -> Option<Span> {
    if !in_use() {
        return None;
    }
    let (start, end) = activity.events();
    let mut objects = Box::new(Objects::new(start, parent, queue, details()));
    objects.end = end;
    objects.dispatch(start);
    Some(Span(objects))
}

/// Tells whoever listens that device memory was taken, or is given back.
#[inline]
pub(crate) fn memory(event: Event, parent: Construct, queue: i64, details: impl FnOnce() -> Details) {
    if in_use() {
        Objects::new(event, parent, queue, details()).dispatch(event);
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
    fn new(event: Event, parent: Construct, queue: i64, details: Details) -> Objects {
        let device = device::current().kind;
        Objects {
            end: event,
            prof: ProfInfo::new(event as c_int, device, queue as c_long),
            event: EventInfo::new(event as c_int, parent as c_int, true).with(&details),
            api: ApiInfo::new(device),
            _details: Some(details),
        }
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
    let event = Event::RuntimeShutdown;
    let mut objects = Objects {
        end: event,
        prof: ProfInfo::new(event as c_int, device::current().kind, ASYNC_SYNC as c_long),
        event: EventInfo::new(event as c_int, Construct::RuntimeApi as c_int, true),
        api: ApiInfo::new(device::current().kind),
        _details: None,
    };
    objects.dispatch(event);
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
