//! Launches regions on the host device.

use crate::abi::{ArgDesc, HostEntry, LaunchDesc};
use crate::fatal::fatal;
use crate::prof::{self, Activity, Construct};
use crate::values::{MapValues, Values};
use crate::{cuda, device, stats};
use accrue_ir::ConstructKind;
use smallvec::SmallVec;
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
    scheduling.check();
    let parent = construct(desc.kind);
    device::need(parent);
    // The construct is synchronous here, whatever its `async` says.
    let span = prof::start(Activity::ComputeConstruct, parent, false, crate::abi::ASYNC_SYNC);
    let dims = [(); 5].map(|()| values.next());
    let maps = maps(desc, &mut values);
    stats::region();
    if scheduling.on_device && cuda::is_loaded() {
        cuda::launch(desc, &mut values, dims, &maps);
    } else {
        on_host(desc, &mut values, dims[0] as i64, &maps);
    }
    if let Some(span) = span {
        span.end();
    }
}

fn on_host(desc: &LaunchDesc, values: &mut Values, gangs: i64, maps: &[MapValues]) {
    let mut args = Arguments::new();
    for arg in &desc.args {
        args.push(match *arg {
            ArgDesc::Address(map) => maps[map as usize].start,
            ArgDesc::Pointer(map) => maps[map as usize].pointer(),
            ArgDesc::Value => values.next(),
        });
    }
    let entry = host_entry(desc);
    let gangs = number_of_gangs(desc.kind, gangs, device::gangs());
    for gang in 0..gangs {
        // SAFETY: there is one argument per parameter, in the order of the descriptor.
        unsafe { entry(args.as_ptr(), gang, gangs) };
    }
}

fn construct(kind: ConstructKind) -> Construct {
    match kind {
        ConstructKind::Parallel => Construct::Parallel,
        ConstructKind::Serial => Construct::Serial,
        ConstructKind::Kernels => Construct::Kernels,
    }
}

/// Most regions take few arguments, and need no memory of the heap for them.
type Arguments = SmallVec<[u64; 16]>;

/// The maps of a launch.
fn maps(desc: &LaunchDesc, values: &mut Values) -> SmallVec<[MapValues; 16]> {
    let mut maps = SmallVec::new();
    for map in &desc.maps {
        let value = values.map(map);
        value.check(map);
        maps.push(value);
    }
    maps
}

fn host_entry(desc: &LaunchDesc) -> HostEntry {
    let code = desc.host_entry.load(Ordering::Acquire);
    if code.is_null() {
        fatal(format_args!(
            "{}:{}: compiler bug: the region `{}` has no host code",
            desc.pos.file, desc.pos.line, desc.region
        ));
    }
    // SAFETY: the compiler stores the address of a `HostEntry` there.
    unsafe { std::mem::transmute::<*mut u8, HostEntry>(code) }
}

/// Gangs of a launch, which run in turn, each the whole region.
///
/// That is one unless the command line configures more; then a number that the program asks for still bounds it, so that
/// `num_gangs(1)` means one, and `serial` always has one. So has `kernels`, whose statements outside loops are to be
/// executed once and not by every gang. Of a `num_gangs` with several arguments the first counts: in
/// its further dimensions the host has one gang each.
fn number_of_gangs(kind: ConstructKind, asked: i64, configured: u32) -> u64 {
    let configured = u64::from(configured);
    match (kind, asked) {
        (ConstructKind::Serial | ConstructKind::Kernels, _) => 1,
        (ConstructKind::Parallel, 1..) => configured.min(asked as u64),
        (ConstructKind::Parallel, _) => configured,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{ASYNC_SYNC, MapDesc, SourcePos};
    use accrue_ir::{MapKind, MapModifiers};
    use std::sync::atomic::AtomicPtr;

    #[test]
    fn gangs() {
        assert_eq!(number_of_gangs(ConstructKind::Parallel, 0, 3), 3);
        assert_eq!(number_of_gangs(ConstructKind::Parallel, 1, 3), 1);
        assert_eq!(number_of_gangs(ConstructKind::Kernels, 2, 3), 1);
        assert_eq!(number_of_gangs(ConstructKind::Parallel, 100, 3), 3);
        assert_eq!(number_of_gangs(ConstructKind::Parallel, -5, 3), 3);
        assert_eq!(number_of_gangs(ConstructKind::Serial, 0, 3), 1);
        assert_eq!(number_of_gangs(ConstructKind::Parallel, 8, 1), 1);
    }

    /// Writes its arguments where the first one points.
    unsafe extern "C" fn region(args: *const u64, gang: u64, gangs: u64) {
        // SAFETY: the test launches it with three arguments, the first the address of five numbers.
        unsafe {
            let out = std::ptr::with_exposed_provenance_mut::<u64>(*args as usize);
            *out.add(1) = *args.add(1);
            *out.add(2) = *args.add(2);
            *out.add(3) += 1;
            *out.add(4) = gang + 10 * gangs;
        }
    }

    #[test]
    fn arguments_arrive_in_order() {
        let pos = SourcePos { file: "test.c".into(), line: 1 };
        let map = |row_levels| MapDesc {
            kind: MapKind::Copy,
            modifiers: MapModifiers::default(),
            implicit: false,
            name: "a".into(),
            through_pointer: true,
            row_levels,
            pos: pos.clone(),
        };
        let desc = LaunchDesc {
            kind: ConstructKind::Parallel,
            region: "main$region0".into(),
            host_entry: AtomicPtr::new(region as *mut u8),
            maps: vec![map(0), map(1)],
            args: vec![ArgDesc::Address(0), ArgDesc::Value, ArgDesc::Pointer(1)],
            wait: true,
            pos: pos.clone(),
        };
        let mut out = [0u64; 5];
        let address = out.as_mut_ptr().expose_provenance() as u64;
        let scheduling = [1, 0, ASYNC_SYNC as u64, u64::MAX, 2, 7, 8];
        let dims = [1, 0, 0, 0, 0];
        let maps = [address, 40, 0, 0, 1000, 64, 96, 0, 5, 6];
        let values: Vec<u64> = [&scheduling[..], &dims, &maps, &[77]].concat();
        // SAFETY: the values are those that the descriptor calls for.
        unsafe { launch(&desc, values.as_ptr()) };
        assert_eq!(out, [0, 77, 1000 - 96, 1, 10]);
    }
}
