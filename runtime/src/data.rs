//! Data directives on the host device: memory is shared, so nothing moves; what is checked is that the program asks for
//! something that exists.

use crate::abi::{ABSENT, ASYNC_SYNC, DataDesc};
use crate::api::queues;
use crate::device::{self, kind};
use crate::prof::{self, Activity, Construct};
use crate::values::{Scheduling, Values};
use accrue_ir::DataKind;
use std::ffi::c_int;

/// Carries out a data directive: the function behind [`crate::abi::DATA_SYMBOL`].
///
/// # Safety
/// `desc` is a descriptor that the compiler made, `values` has the values it calls for, and `device_addresses` has room
/// for one value per map if the directive starts a `host_data` construct.
pub(crate) unsafe extern "C" fn data(desc: *const DataDesc, values: *const u64, device_addresses: *mut u64) {
    // SAFETY: the caller promises a descriptor; descriptors live as long as the program.
    let desc = unsafe { &*desc };
    // SAFETY: the caller promises the values of this descriptor.
    let mut values = unsafe { Values::new(values) };
    let scheduling = values.scheduling();
    scheduling.check();
    let (activity, construct) = match desc.kind {
        DataKind::DataBegin => (Activity::EnterData, Construct::Data),
        DataKind::DataEnd => (Activity::ExitData, Construct::Data),
        DataKind::Enter => (Activity::EnterData, Construct::EnterData),
        DataKind::Exit { .. } => (Activity::ExitData, Construct::ExitData),
        DataKind::Update { .. } => (Activity::Update, Construct::Update),
        DataKind::HostDataBegin { .. } => (Activity::EnterData, Construct::HostData),
        DataKind::HostDataEnd => (Activity::ExitData, Construct::HostData),
        DataKind::DeclareBegin => (Activity::EnterData, Construct::Declare),
        DataKind::DeclareEnd => (Activity::ExitData, Construct::Declare),
        DataKind::Wait => return wait(scheduling),
        DataKind::Init | DataKind::Shutdown | DataKind::Set => {
            let [device_type, number, queue] = [(); 3].map(|()| values.next() as i64);
            if scheduling.on_device {
                choose(desc.kind, device_type, number, queue);
            }
            return;
        }
    };
    device::need(construct);
    let span = prof::start(activity, construct, false, scheduling.queue);
    for (index, desc_map) in desc.maps.iter().enumerate() {
        let map = values.map(desc_map);
        map.check(desc_map);
        if let DataKind::HostDataBegin { .. } = desc.kind {
            // SAFETY: the caller promises one place per map.
            unsafe { *device_addresses.add(index) = map.pointer() };
        }
    }
    if let Some(span) = span {
        span.end();
    }
    count_open(desc.kind);
}

/// Keeps count of the data constructs that are open.
fn count_open(kind: DataKind) {
    match kind {
        DataKind::DataBegin | DataKind::HostDataBegin { .. } => device::open_data(),
        DataKind::DataEnd | DataKind::HostDataEnd => device::close_data(),
        DataKind::Enter
        | DataKind::Exit { .. }
        | DataKind::Update { .. }
        | DataKind::DeclareBegin
        | DataKind::DeclareEnd
        | DataKind::Wait
        | DataKind::Init
        | DataKind::Shutdown
        | DataKind::Set => {}
    }
}

/// `wait`: with `async` a queue waits, which it has done; without, the host does.
fn wait(scheduling: Scheduling) {
    if scheduling.on_device && !scheduling.is_async() {
        queues::wait(scheduling.waits_for.unwrap_or(ASYNC_SYNC), Construct::Wait);
    }
}

/// `init`, `shutdown`, `set`: a number that is absent leaves things as they are.
fn choose(directive: DataKind, device_type: i64, number: i64, queue: i64) {
    let narrow = |value: i64| c_int::try_from(value).unwrap_or(c_int::MAX);
    if number != ABSENT {
        device::choose_number(narrow(number));
    }
    let device = if device_type == ABSENT { kind::DEFAULT } else { narrow(device_type) };
    match directive {
        DataKind::Init => device::init_directive(device),
        DataKind::Shutdown => device::shutdown_directive(device),
        _ => {
            if device_type != ABSENT {
                device::choose_type(device);
                device::need(Construct::Set);
            }
            if queue != ABSENT {
                queues::acc_set_default_async(narrow(queue));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{MapDesc, SourcePos};
    use accrue_ir::{MapKind, MapModifiers};

    /// Values of a directive without clauses.
    const SCHEDULING: [u64; 5] = [1, 0, ASYNC_SYNC as u64, u64::MAX, 0];

    fn desc(kind: DataKind, maps: usize) -> DataDesc {
        let pos = SourcePos { file: "test.c".into(), line: 3 };
        let map = MapDesc {
            kind: MapKind::UseDevice,
            modifiers: MapModifiers::default(),
            implicit: false,
            name: "p".into(),
            through_pointer: true,
            row_levels: 0,
            pos: pos.clone(),
        };
        DataDesc { kind, maps: vec![map; maps], wait: false, pos }
    }

    #[test]
    fn host_data_gives_the_pointers_themselves() {
        let mut addresses = [0; 2];
        let values = [&SCHEDULING[..], &[1000, 8, 0, 0], &[2000, 8, 24, 0]].concat();
        // SAFETY: the values are those that the descriptor calls for, and there is a place for each map.
        unsafe {
            data(
                &desc(DataKind::HostDataBegin { if_present: false }, 2),
                values.as_ptr(),
                addresses.as_mut_ptr(),
            );
            data(&desc(DataKind::HostDataEnd, 2), values.as_ptr(), std::ptr::null_mut());
        }
        assert_eq!(addresses, [1000, 1976]);
    }

    #[test]
    fn set_changes_the_default_queue() {
        let set = |on_device: u64, queue: i64| {
            let mut values = [&SCHEDULING[..], &[ABSENT as u64, ABSENT as u64, queue as u64]].concat();
            values[0] = on_device;
            // SAFETY: the values are those that the descriptor calls for.
            unsafe { data(&desc(DataKind::Set, 0), values.as_ptr(), std::ptr::null_mut()) };
        };
        set(1, 5);
        assert_eq!(queues::acc_get_default_async(), 5);
        set(0, 6);
        assert_eq!(queues::acc_get_default_async(), 5);
        set(1, ABSENT);
        assert_eq!(queues::acc_get_default_async(), 5);
    }
}
