//! Launches regions on the host device.

use crate::abi::{ArgDesc, HostEntry, LaunchDesc};
use crate::values::{MapValues, Values};
use crate::{device, stats};
use std::sync::atomic::Ordering;

/// Runs a region: the function behind [`crate::abi::LAUNCH_SYMBOL`].
///
/// # Safety
/// `desc` is a descriptor that the compiler made, whose host code is set, and `values` has the values it calls for.
pub(crate) unsafe extern "C" fn launch(desc: *const LaunchDesc, values: *const u64) {
    // SAFETY: the caller promises a descriptor; descriptors live as long as the program.
    let desc = unsafe { &*desc };
    // SAFETY: the caller promises the values of this descriptor.
    let mut values = unsafe { Values::new(values) };
    let scheduling = values.scheduling();
    if scheduling.is_async() {
        device::require_queue(scheduling.queue);
    }
    let [gangs_x, gangs_y, gangs_z, _workers, _lanes] = [(); 5].map(|()| values.next());
    let maps: Vec<MapValues> = desc.maps.iter().map(|map| values.map(map)).collect();
    let args: Vec<u64> = desc
        .args
        .iter()
        .map(|arg| match *arg {
            ArgDesc::Address(map) => maps[map as usize].start,
            ArgDesc::Pointer(map) => {
                let map = maps[map as usize];
                map.start.wrapping_sub(map.bias)
            }
            ArgDesc::Value => values.next(),
        })
        .collect();
    stats::region();
    let code = desc.host_entry.load(Ordering::Acquire);
    assert!(!code.is_null(), "region `{}` has no host code", desc.region);
    // SAFETY: the compiler stores the address of a `HostEntry` there.
    let entry = unsafe { std::mem::transmute::<*mut u8, HostEntry>(code) };
    let gangs = number_of_gangs(desc, [gangs_x, gangs_y, gangs_z]);
    for gang in 0..gangs {
        // SAFETY: there is one argument per parameter, in the order of the descriptor.
        unsafe { entry(args.as_ptr(), gang, gangs) };
    }
}

/// The host runs one gang unless the command line says otherwise; then a number that the program asks for still bounds
/// it, so that `num_gangs(1)` means one.
fn number_of_gangs(desc: &LaunchDesc, asked: [u64; 3]) -> u64 {
    let configured = u64::from(device::gangs());
    if desc.kind == accrue_ir::ConstructKind::Serial {
        return 1;
    }
    // Dimensions beyond the first have one gang each on the host.
    match asked[0] as i64 {
        1.. => configured.min(asked[0]),
        _ => configured,
    }
}
