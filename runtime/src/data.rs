//! Data directives on the host device: memory is shared, so nothing moves; what is checked is that the program asks for
//! something that exists.

use crate::abi::{ABSENT, DataDesc};
use crate::values::Values;
use crate::{device, fatal::fatal};
use accrue_ir::DataKind;

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
    if scheduling.is_async() {
        device::require_queue(scheduling.queue);
    }
    match desc.kind {
        DataKind::Init | DataKind::Shutdown | DataKind::Set => {
            let [device_type, number, queue] = [(); 3].map(|()| values.next() as i64);
            if scheduling.on_device {
                set(desc, device_type, number, queue);
            }
        }
        DataKind::HostDataBegin { .. } => {
            for (index, map) in desc.maps.iter().enumerate() {
                let map = values.map(map);
                // SAFETY: the caller promises one place per map.
                unsafe { *device_addresses.add(index) = map.start.wrapping_sub(map.bias) };
            }
        }
        DataKind::DataBegin
        | DataKind::DataEnd
        | DataKind::Enter
        | DataKind::Exit { .. }
        | DataKind::Update { .. }
        | DataKind::HostDataEnd
        | DataKind::DeclareBegin
        | DataKind::DeclareEnd => {
            for desc_map in &desc.maps {
                let map = values.map(desc_map);
                if (map.bytes as i64) < 0 {
                    fatal(format_args!(
                        "{}:{}: the section `{}` has a negative length",
                        desc_map.pos.file, desc_map.pos.line, desc_map.name
                    ));
                }
            }
        }
        DataKind::Wait => {}
    }
}

fn set(desc: &DataDesc, device_type: i64, number: i64, queue: i64) {
    if device_type != ABSENT {
        device::require(device_type as i32);
    }
    if number != ABSENT {
        device::require_number(number as i32);
    }
    if queue != ABSENT && desc.kind == DataKind::Set {
        device::require_queue(queue);
        device::set_default_queue(queue as i32);
    }
}
