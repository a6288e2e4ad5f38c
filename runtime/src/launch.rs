//! Executes regions: on the device that the program uses, or on the host's own code and data.

use crate::abi::{ASYNC_SYNC, ArgDesc, ArgKind, ConstructKind, LaunchDesc, MapDesc, MapKind, TASK_NOWAIT};
use crate::check::is_on;
use crate::gangs::execute::{GangCode, execute_gangs};
use crate::gangs::number_of_gangs;
use crate::memory::{Counter, Entry, Item, Mark, Memory, Work, may_repeat};
use crate::plugin::{Error, Launch, Queue};
use crate::prof::events::Construct;
use crate::prof::{self, Activity};
use crate::scheduling::Scheduling;
use crate::site::{Site, Where};
use crate::task::clauses::Clauses;
use crate::task::create::create;
use crate::task::node::Code;
use crate::task::target;
use crate::team::fork::fork;
use crate::team::icvs::Icvs;
use crate::team::member::{current, strand};
use crate::twin::{Silence, Twin};
use crate::values::{MapValues, Values};
use crate::{data, device, notify, stats, time, trace};
use serde_json::json;
use smallvec::SmallVec;
use std::ffi::CString;
use std::sync::Arc;

/// Runs a region: the function behind [`crate::abi::LAUNCH_SYMBOL`].
///
/// # Safety
/// `desc` is a descriptor that the compiler made, whose host code is set, and `values` has the values it
/// calls for.
pub(crate) unsafe extern "C" fn launch(desc: *const LaunchDesc, values: *const u64) {
    // SAFETY: the caller promises a descriptor; descriptors live as long as the program.
    let desc = unsafe { LaunchDesc::read(desc) };
    // SAFETY: the caller promises the values of this descriptor.
    let mut values = unsafe { Values::new(values) };
    match desc.kind() {
        ConstructKind::Team => team(desc, &mut values),
        ConstructKind::Task => task(desc, &mut values),
        ConstructKind::Parallel | ConstructKind::Serial | ConstructKind::Kernels => {
            compute(desc, values, Place::Host);
        }
    }
}

/// The same in code of a device that is host code: the construct is executed where it stands, in the device's
/// memory, as if an `if` clause said so.
///
/// # Safety
/// As for [`launch`].
pub(crate) unsafe extern "C" fn launch_on_device(desc: *const LaunchDesc, values: *const u64) {
    // SAFETY: the caller's promise.
    let (read, kept) = unsafe { (LaunchDesc::read(desc), Values::new(values)) };
    match read.kind() {
        // SAFETY: the caller's promise.
        ConstructKind::Team | ConstructKind::Task => unsafe { launch(desc, values) },
        ConstructKind::Parallel | ConstructKind::Serial | ConstructKind::Kernels => {
            compute(read, kept, Place::Device);
        }
    }
}

/// Whose code comes to a construct.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Host,
    Device,
}

/// A compute construct. The three stand apart so that none pays for another's frame.
#[inline(never)]
fn compute(desc: &'static LaunchDesc, mut values: Values, place: Place) {
    if place == Place::Host && execute_plainly(desc, values.clone()) {
        return;
    }
    let mut scheduling = Scheduling::read(&mut values);
    scheduling.on_device &= place == Place::Host;
    let clauses = desc.is(LaunchDesc::TASK).then(|| Clauses::read(&mut values));
    scheduling.check();
    let site = match scheduling.is_openmp() {
        true => Site { what: "target", ..site(desc) },
        false => site(desc),
    };
    let unit = scheduling.unit(&site);
    let memory = unit.memory().filter(|_| scheduling.on_device);
    if let Some(clauses) = clauses.filter(|clauses| place == Place::Host && clauses.make_a_task()) {
        return target_task(desc, memory, clauses, &mut values);
    }
    // In the program's own memory the construct is synchronous, whatever its `async` says.
    let queue = if memory.is_some() { scheduling.queue } else { ASYNC_SYNC };
    let at = || Where { site, device: unit.id, queue };
    let span = prof::start(Activity::ComputeConstruct, false, at);
    let dims = [(); DIMS].map(|()| values.next());
    match memory {
        Some(memory) => {
            let at = at();
            notify::region(&site, true);
            let work = match data::open_queue().filter(|_| scheduling.of_data) {
                Some(queue) => Work::resume(memory, queue, site),
                None => Work::begin(memory, scheduling.queue, site),
            };
            scheduling.wait_on(&work, desc.wait());
            on_device(desc, (&work, &at), scheduling.counter(), dims, values);
            work.end();
            notify::region(&site, false);
        }
        None => {
            let maps = maps(desc, &mut values);
            // Who asks how often a device was used does not mean this.
            if device::is_only_shared_host() {
                stats::region();
            }
            let gangs = number_of_gangs(desc, dims[0] as i64);
            match scheduling.is_openmp() {
                true => with_own_variables(|| on_host(desc, &mut values, gangs, &maps)),
                false => on_host(desc, &mut values, gangs, &maps),
            }
        }
    }
    if let Some(span) = span {
        span.end();
    }
}

/// Executes a construct in the program's own memory that has nothing to it but its region: no clause that
/// says when or where, no section of several runs, nobody who is told. False, and nothing is done, if there
/// is more.
#[inline]
fn execute_plainly(desc: &LaunchDesc, mut values: Values) -> bool {
    if !Scheduling::is_plain(&mut values) || desc.is(LaunchDesc::TASK) || prof::in_use() || stats::is_wanted()
    {
        return false;
    }
    let unit = device::current();
    if !unit.is_active() || unit.memory().is_some() {
        return false;
    }
    let asked = values.next() as i64;
    values.skip(DIMS - 1);
    let mut args = Arguments::new();
    if !read_plain_arguments(desc, values, &mut args) {
        return false;
    }
    let code = GangCode { entry: desc.entry(), args: args.as_ptr(), device: None };
    // SAFETY: there is one argument per parameter, in the order of the descriptor.
    unsafe { execute_gangs(code, number_of_gangs(desc, asked)) };
    true
}

/// Reads the arguments of a region in the program's own memory, where all maps are single runs of bytes, into
/// where they stay. False if there are others.
#[inline]
fn read_plain_arguments(desc: &LaunchDesc, mut values: Values, args: &mut Arguments) -> bool {
    let mut maps: SmallVec<[(u64, u64); 8]> = SmallVec::new();
    for map in desc.maps() {
        let Some((start, _, pointer)) = values.single_run(map) else { return false };
        maps.push((start, pointer));
    }
    for arg in desc.args() {
        args.push(match arg.kind() {
            ArgKind::Address => maps[arg.map as usize].0,
            ArgKind::Pointer => maps[arg.map as usize].1,
            ArgKind::Value | ArgKind::PointerValue => values.next(),
        });
    }
    true
}

/// OpenMP's `parallel`: forks a team, whose threads execute the region, and joins it.
#[inline(never)]
fn team(desc: &LaunchDesc, values: &mut Values) {
    let is_parallel = Scheduling::read_condition(values);
    let [threads, ..] = [(); DIMS].map(|()| values.next());
    let mut args = Arguments::new();
    if !read_plain_arguments(desc, values.clone(), &mut args) {
        let maps = maps(desc, values);
        args = host_arguments(desc, values, &maps);
    }
    // SAFETY: there is one argument per parameter, in the order of the descriptor.
    unsafe { fork(desc.entry(), args.as_ptr(), threads as i64, is_parallel) };
}

/// A task of the host.
fn task(desc: &'static LaunchDesc, values: &mut Values) {
    let is_deferred = Scheduling::read_condition(values);
    let clauses = Clauses::read(values);
    values.skip(DIMS);
    create(current(), (desc, 1), is_deferred, clauses, values);
}

/// The arguments of a region in the program's own memory.
fn host_arguments(desc: &LaunchDesc, values: &mut Values, maps: &[MapValues]) -> Arguments {
    let argument = |arg: &ArgDesc| match arg.kind() {
        ArgKind::Address => maps[arg.map as usize].start,
        ArgKind::Pointer => maps[arg.map as usize].pointer(),
        ArgKind::Value | ArgKind::PointerValue => values.next(),
    };
    desc.args().iter().map(argument).collect()
}

/// A `target` has a data environment of its own: what it sets is forgotten at its end.
fn with_own_variables(region: impl FnOnce()) {
    let variables = &current().task().icvs;
    let outer = variables.replace(Icvs::initial());
    region();
    variables.set(outer);
}

fn on_host(desc: &LaunchDesc, values: &mut Values, gangs: u64, maps: &[MapValues]) {
    let args = host_arguments(desc, values, maps);
    let code = GangCode { entry: desc.entry(), args: args.as_ptr(), device: None };
    // SAFETY: there is one argument per parameter, in the order of the descriptor.
    unsafe { execute_gangs(code, gangs) };
}

/// A region that is a target task: on the device, or by a thread of the host.
fn target_task(
    desc: &'static LaunchDesc,
    memory: Option<&'static Memory>,
    clauses: &Clauses,
    values: &mut Values,
) {
    let member = current();
    let is_deferred = clauses.flags & TASK_NOWAIT != 0 && !is_on();
    let Some(memory) = memory else {
        if device::is_only_shared_host() {
            stats::region();
        }
        let [gangs, ..] = [(); DIMS].map(|()| values.next());
        let gangs = number_of_gangs(desc, gangs as i64);
        return create(member, (desc, gangs), is_deferred, clauses, values);
    };
    let site = Site { what: "target", ..site(desc) };
    let code = Code { carry_out, desc: std::ptr::from_ref(desc).cast(), site, strand: strand() };
    let copy = || {
        let arguments = desc.args().iter().filter(|arg| arg.kind().is_value()).count();
        values.copy(DIMS, desc.maps(), arguments)
    };
    target::create(member, (memory, code), is_deferred, clauses, values.place(), copy);
}

/// Submits a region that is a target task.
///
/// # Safety
/// The code is that of a launch, and the values are those behind the task's clauses.
unsafe fn carry_out(code: &Code, memory: &'static Memory, queue: Queue, values: *const u64) -> Arc<Mark> {
    // SAFETY: the caller's promise; descriptors live as long as the program.
    let desc: &'static LaunchDesc = unsafe { &*code.desc.cast() };
    // SAFETY: the caller's promise.
    let mut values = unsafe { Values::new(values) };
    let dims = [(); DIMS].map(|()| values.next());
    let work = Work::of_task(memory, queue, (code.site, code.strand));
    let at = work.at();
    let span = prof::start(Activity::ComputeConstruct, false, || at);
    notify::region(&code.site, true);
    on_device(desc, (&work, &at), Counter::Single, dims, values);
    let mark = work.end_of_task();
    notify::region(&code.site, false);
    span.into_iter().for_each(prof::Span::end);
    mark
}

/// Enters the data clauses, executes the region with the addresses that they give, and leaves them; all on
/// the queue of the construct.
fn on_device(
    desc: &LaunchDesc,
    (work, at): (&Work<'_>, &Where<'_>),
    counter: Counter,
    dims: [u64; DIMS],
    mut values: Values,
) {
    let (site, memory) = (at.site, work.memory);
    if let Some(launched) = launch_again(desc, work, dims, &mut values) {
        stats::region();
        launched.unwrap_or_else(|error| site.end(of_region(desc, error)));
        return;
    }
    let start = values.clone();
    let words = start.of_maps(desc.maps());
    let maps = &maps(desc, &mut values)[..];
    let tell = |activity| prof::start(activity, true, || *at);
    let items: SmallVec<[Item<'_>; 4]> =
        desc.maps().iter().zip(maps).map(|(desc, values)| Item { desc, values }).collect();
    let span = tell(Activity::EnterData);
    let entries = memory.enter(&items, counter, work);
    span.into_iter().for_each(prof::Span::end);
    let twin = is_on().then(|| Twin::new(desc, &items, &entries, values.clone(), work));
    let mut args = Vec::with_capacity(desc.args().len() + Launch::MORE);
    args.extend(desc.args().iter().map(|arg| {
        let map = arg.map as usize;
        match arg.kind() {
            ArgKind::Address => entries[map].device.unwrap_or(maps[map].start),
            ArgKind::Pointer => pointer(memory, &items[map], &entries[map]),
            ArgKind::Value => values.next(),
            ArgKind::PointerValue => memory.device.foreign(values.next(), &arg.name),
        }
    }));
    let repeated = may_repeat(desc, &entries).then(|| args.clone());
    stats::region();
    let span = enqueue(desc, dims, at);
    let launch = Launch { desc, dims, args };
    let failed = |error: Error| -> ! {
        let hint = without_copies(&items, &entries);
        match error {
            Error::Failed(_) if hint.is_empty() => site.end(of_region(desc, error)),
            Error::Failed(error) => site.end(of_region(desc, Error::Failed(format!("{error} ({hint})")))),
            Error::Found(mut finding) => {
                finding.notes.extend(Some(hint).filter(|hint| !hint.is_empty()));
                site.found(*finding)
            }
        }
    };
    let silence = Silence::begin();
    // Between events of its own, a launch would be as long as the host takes for it.
    let from = if time::takes_spans() {
        trace::mark(&*memory.device, work.queue)
    } else {
        trace::expect(&*memory.device, work.queue);
        None
    };
    // SAFETY: there is one argument per parameter, in the order of the descriptor.
    let result = unsafe { memory.device.launch(launch, work.queue, &[]) };
    let shape = result.unwrap_or_else(|error| failed(error));
    span.into_iter().for_each(prof::Span::end);
    notify::launch(&work.at(), &desc.region, &shape);
    let span = time::launch(&site, &*memory.device, &shape, desc.fused);
    let (device, name) = (&*memory.device, ("launch", &*desc.region));
    let details = || json!({ "grid": shape.grid, "block": shape.block, "place": trace::place(site.pos) });
    match from {
        Some(from) => trace::work(device, work.queue, Some(from), name, details),
        None => trace::between(device, work.queue, span, name, details),
    }
    let leave = || {
        let span = tell(Activity::ExitData);
        memory.leave(&entries, work);
        span.into_iter().for_each(prof::Span::end);
    };
    // Other copies to the host would wait for the region with the present table locked.
    let late = memory.device.late_bytes() as u64;
    let leaves_early =
        late > 0 && work.waits && twin.is_none() && !entries.iter().any(|entry| entry.may_return_more(late));
    if leaves_early {
        work.leave_early();
        leave();
    }
    let need_not_wait = leaves_early && work.stays_on_device();
    if (work.waits && !need_not_wait || twin.is_some())
        && let Err(error) = work.try_finish()
    {
        failed(error);
    }
    drop(silence);
    if let Some(twin) = twin {
        twin.run(desc, &entries, (dims[0], &shape), work);
    }
    if !leaves_early {
        leave();
    }
    if let Some(args) = repeated {
        memory.remember(desc, words, (&entries, &args), work);
    }
}

/// Launches a region whose construct comes as it came the last time; `None`, and nothing is done, if it does
/// not. The host waits if it has to.
fn launch_again(
    desc: &LaunchDesc,
    work: &Work<'_>,
    dims: [u64; DIMS],
    values: &mut Values,
) -> Option<Result<(), Error>> {
    let device = &work.memory.device;
    let launched = work.memory.again(desc, values, work, |args| {
        // SAFETY: there is one argument per parameter, in the order of the descriptor.
        unsafe { device.launch(Launch { desc, dims, args }, work.queue, &[]) }
    })?;
    let must_wait = work.waits && !work.stays_on_device();
    Some(launched.and_then(|_| if must_wait { work.try_finish() } else { Ok(()) }))
}

/// An error of a region, by its name.
fn of_region(desc: &LaunchDesc, error: Error) -> Error {
    match error {
        Error::Failed(error) => Error::Failed(format!("the region `{}`: {error}", desc.region)),
        found => found,
    }
}

/// Names the pointers that the region got as they are, since nothing they lead to has a copy.
fn without_copies(items: &[Item<'_>], entries: &[Entry]) -> String {
    let plain = items.iter().zip(entries).filter(|(item, entry)| {
        item.desc.kind() == MapKind::NoCreate && entry.device.is_none() && item.values.pointer() != 0
    });
    let names: Vec<String> = plain.map(|(item, _)| format!("`{}'", item.desc.name)).collect();
    if names.is_empty() {
        return String::new();
    }
    format!("no data on the device behind {}", names.join(", "))
}

/// Tells of a launch; dimensions that the device chooses count as 1.
fn enqueue(desc: &LaunchDesc, dims: [u64; DIMS], at: &Where<'_>) -> Option<prof::Span> {
    prof::start_with(Activity::EnqueueLaunch, at, || {
        let [x, y, z, workers, lanes] = dims.map(|dim| dim.max(1));
        let gangs = x.saturating_mul(y).saturating_mul(z);
        prof::Details { name: CString::new(desc.region.text()).ok(), numbers: [gangs, workers, lanes] }
    })
}

/// The pointer that a region gets for one of the program.
fn pointer(memory: &Memory, item: &Item<'_>, entry: &Entry) -> u64 {
    let values = item.values;
    match entry.device {
        Some(device) => device.wrapping_sub(values.bias),
        None if item.desc.kind() != MapKind::DevicePtr
            && values.runs.bytes == 0
            && item.desc.is(MapDesc::IMPLICIT) =>
        {
            memory.device.foreign(values.pointer(), &item.desc.name)
        }
        None => values.pointer(),
    }
}

/// Where a construct is, and which one.
fn site(desc: &LaunchDesc) -> Site<'_> {
    let kind = desc.kind();
    let construct = match kind {
        ConstructKind::Parallel => Construct::Parallel,
        ConstructKind::Serial => Construct::Serial,
        ConstructKind::Kernels => Construct::Kernels,
        ConstructKind::Team | ConstructKind::Task => Construct::RuntimeApi,
    };
    Site { pos: Some(&desc.pos), function: desc.function.text(), what: kind.name(), construct }
}

/// Values that are the dimensions of a launch.
const DIMS: usize = 5;

/// Most regions take few arguments, and need no memory of the heap for them.
type Arguments = SmallVec<[u64; 16]>;

/// The maps of a launch.
fn maps(desc: &LaunchDesc, values: &mut Values) -> SmallVec<[MapValues; 4]> {
    let mut maps = SmallVec::new();
    for map in desc.maps() {
        let value = values.map(map);
        value.check(map);
        maps.push(value);
    }
    maps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{ABSENT, ArgDesc, Array, SourcePos, Str, VERSION};

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
        const POS: SourcePos = SourcePos { file: Str::new("test.c"), line: 1 };
        const fn map(rows: &'static [u32]) -> MapDesc {
            MapDesc {
                name: Str::new("a"),
                pos: POS,
                rows: Array::new(rows),
                elements: None,
                members: Array::new(&[]),
                kind: MapKind::Copy.number(),
                flags: MapDesc::THROUGH_POINTER,
                strides: 0,
            }
        }
        const fn arg(kind: ArgKind, map: u32) -> ArgDesc {
            ArgDesc { name: Str::new(""), kind: kind.number(), map }
        }
        static DESC: LaunchDesc = LaunchDesc {
            version: VERSION,
            kind: ConstructKind::Parallel.number(),
            host_entry: Some(region),
            region: Str::new("main$region0"),
            function: Str::new("main"),
            pos: POS,
            maps: Array::new(&[map(&[]), map(&[0])]),
            args: Array::new(&[arg(ArgKind::Address, 0), arg(ArgKind::Value, 0), arg(ArgKind::Pointer, 1)]),
            flags: LaunchDesc::WAIT,
            fused: 0,
        };
        let mut out = [0u64; 5];
        let address = out.as_mut_ptr().expose_provenance() as u64;
        let scheduling = [ABSENT as u64, 1, 0, ASYNC_SYNC as u64, u64::MAX, 2, 7, 8];
        let dims = [1, 0, 0, 0, 0];
        let maps = [address, 40, 0, 0, 1000, 64, 96, 0, 5, 6];
        let values: Vec<u64> = [&scheduling[..], &dims, &maps, &[77]].concat();
        // SAFETY: the values are those that the descriptor calls for.
        unsafe { launch(&DESC, values.as_ptr()) };
        assert_eq!(out, [0, 77, 1000 - 96, 1, 10]);
    }
}
