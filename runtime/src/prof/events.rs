//! What happens, and what brought it about, as `acc_prof.h` numbers them.

use std::ffi::c_int;

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
