//! Data directives. On a device that shares memory with the program nothing moves; what is checked is that
//! the program asks for something that exists.

use crate::abi::{ABSENT, DataDesc, DataKind, TASK_NOWAIT};
use crate::api::queues;
use crate::check::is_on;
use crate::device::{self, Unit, kind};
use crate::memory::{Counter, Entry, Item, Mark, Memory, Work};
use crate::notify;
use crate::plugin::Queue;
use crate::prof::events::Construct;
use crate::prof::{self, Activity};
use crate::scheduling::Scheduling;
use crate::site::{Site, Where};
use crate::task::clauses::Clauses;
use crate::task::create::taskwait_depend;
use crate::task::node::Code;
use crate::task::target;
use crate::team::member::{current, strand};
use crate::twin;
use crate::values::{MapValues, Values};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::Arc;

thread_local! {
    /// Structured lifetimes that this thread is inside of: what their directives entered, and where.
    static OPEN: RefCell<Vec<Open>> = const { RefCell::new(Vec::new()) };
}

/// What asks for the work at the end of a `data` construct.
pub(crate) const END_OF_DATA: &str = "the end of this data region";

/// What asks for the work at the end of a construct that is several launches.
const END_OF_KERNELS: &str = "the end of this kernels construct";

/// What asks for the work where a function with `declare` returns.
pub(crate) const END_OF_DECLARE: &str = "the return from the function of this `declare`";

/// A structured lifetime.
struct Open {
    unit: &'static Unit,
    /// Nothing was entered if the device shares memory, or the directive's `if` did not hold.
    entries: Option<SmallVec<[Entry; 4]>>,
    /// That of the launches inside.
    queue: Option<Queue>,
}

/// The queue that the innermost structured lifetime of this thread has for the launches inside.
pub(crate) fn open_queue() -> Option<Queue> {
    OPEN.with_borrow(|open| open.last()?.queue)
}

/// The device of the innermost structured lifetime of this thread.
fn open_unit() -> Option<&'static Unit> {
    OPEN.with_borrow(|open| open.last().map(|open| open.unit))
}

/// Carries out a data directive: the function behind [`crate::abi::DATA_SYMBOL`].
///
/// # Safety
/// `desc` is a descriptor that the compiler made, `values` has the values it calls for, and
/// `device_addresses` has room for one value per map if the directive starts a `host_data` construct.
pub(crate) unsafe extern "C" fn data(desc: *const DataDesc, values: *const u64, device_addresses: *mut u64) {
    // SAFETY: the caller promises a descriptor; descriptors live as long as the program.
    let desc = unsafe { DataDesc::read(desc) };
    // SAFETY: the caller promises the values of this descriptor.
    let mut values = unsafe { Values::new(values) };
    let mut scheduling = Scheduling::read(&mut values);
    let clauses = desc.is(DataDesc::TASK).then(|| Clauses::read(&mut values));
    scheduling.check();
    let activity = match desc.kind() {
        DataKind::DataBegin | DataKind::Enter | DataKind::HostDataBegin | DataKind::DeclareBegin => {
            Activity::EnterData
        }
        DataKind::DataEnd | DataKind::Exit | DataKind::HostDataEnd | DataKind::DeclareEnd => {
            Activity::ExitData
        }
        DataKind::Update => Activity::Update,
        DataKind::Wait => return wait(desc, &scheduling),
        DataKind::Init | DataKind::Shutdown | DataKind::Set => {
            let [device_type, number, queue] = [(); 3].map(|()| values.next() as i64);
            if scheduling.on_device {
                choose(desc, device_type, number, queue);
            }
            return;
        }
    };
    let site = named(site(desc), &scheduling);
    let unit = match desc.kind() {
        // The device of its start, whatever the default is by now.
        DataKind::DataEnd => open_unit().unwrap_or_else(|| scheduling.unit(&site)),
        _ => scheduling.unit(&site),
    };
    if let Some(clauses) = clauses.filter(|clauses| clauses.make_a_task()) {
        return task(desc, unit.memory().filter(|_| scheduling.on_device), clauses, &values);
    }
    let at = || Where { site, device: unit.id, queue: scheduling.queue };
    let span = prof::start(activity, false, at);
    let maps = maps(desc, &mut values);
    let items = items(desc, &maps);
    let step = Step { desc, scheduling: &scheduling, items: &items, unit };
    if desc.kind() == DataKind::HostDataBegin {
        for (index, &item) in items.iter().enumerate() {
            // SAFETY: the caller promises one place per map.
            unsafe { *device_addresses.add(index) = step.use_device(item) };
        }
    }
    step.carry_out();
    if let Some(span) = span {
        span.end();
    }
}

/// The same in code of a device that is host code, where all data are where they are used: `host_data` gets
/// their addresses, other directives do nothing.
///
/// # Safety
/// As for [`data`].
pub(crate) unsafe extern "C" fn data_on_device(
    desc: *const DataDesc,
    values: *const u64,
    device_addresses: *mut u64,
) {
    // SAFETY: the caller promises a descriptor; descriptors live as long as the program.
    let desc = unsafe { DataDesc::read(desc) };
    // SAFETY: the caller promises the values of this descriptor.
    let mut values = unsafe { Values::new(values) };
    if desc.kind() != DataKind::HostDataBegin {
        return;
    }
    _ = Scheduling::read(&mut values);
    for (index, map) in maps(desc, &mut values).iter().enumerate() {
        // SAFETY: the caller promises one place per map.
        unsafe { *device_addresses.add(index) = map.pointer() };
    }
}

type Maps = SmallVec<[MapValues; 4]>;

fn maps(desc: &DataDesc, values: &mut Values) -> Maps {
    let map = |desc| {
        let map = values.map(desc);
        map.check(desc);
        map
    };
    desc.maps().iter().map(map).collect()
}

fn items<'a>(desc: &DataDesc, maps: &'a Maps) -> SmallVec<[Item<'a>; 4]> {
    desc.maps().iter().zip(maps).map(|(desc, values)| Item { desc, values }).collect()
}

/// A directive that is a target task. In the program's own memory there are only its dependences.
fn task(desc: &'static DataDesc, memory: Option<&'static Memory>, clauses: &Clauses, values: &Values) {
    let is_deferred = clauses.flags & TASK_NOWAIT != 0 && !is_on();
    let Some(memory) = memory else {
        // SAFETY: the clauses are those of the directive that is being executed.
        return unsafe { taskwait_depend(current(), clauses, is_deferred) };
    };
    let site = of_openmp(site(desc));
    let place = std::ptr::from_ref(desc).cast();
    let code = Code { carry_out: carry_out_task, desc: place, site, strand: strand() };
    let copy = || values.copy(0, desc.maps(), 0);
    target::create(current(), (memory, code), is_deferred, clauses, values.place(), copy);
}

/// Submits a directive that is a target task.
///
/// # Safety
/// The code is that of a data directive, and the values are those behind the task's clauses.
unsafe fn carry_out_task(
    code: &Code,
    memory: &'static Memory,
    queue: Queue,
    values: *const u64,
) -> Arc<Mark> {
    // SAFETY: the caller's promise; descriptors live as long as the program.
    let desc: &'static DataDesc = unsafe { &*code.desc.cast() };
    // SAFETY: the caller's promise.
    let mut values = unsafe { Values::new(values) };
    let maps = maps(desc, &mut values);
    let work = Work::of_task(memory, queue, (code.site, code.strand));
    let at = work.at();
    let activity = match desc.kind() {
        DataKind::Enter => Activity::EnterData,
        DataKind::Exit => Activity::ExitData,
        _ => Activity::Update,
    };
    let span = prof::start(activity, false, || at);
    carry_out(desc, &items(desc, &maps), Counter::Single, &work);
    let mark = work.end_of_task();
    span.into_iter().for_each(prof::Span::end);
    mark
}

/// Does what a directive without a region says.
fn carry_out(desc: &DataDesc, items: &[Item<'_>], counter: Counter, work: &Work<'_>) {
    let memory = work.memory;
    match desc.kind() {
        DataKind::Enter => {
            let counter = match counter {
                Counter::Structured => Counter::Dynamic,
                counter => counter,
            };
            memory.enter(items, counter, work);
        }
        DataKind::Exit if counter == Counter::Single => memory.exit_single(items, work),
        DataKind::Exit => {
            items.iter().for_each(|&item| memory.exit_item(item, desc.is(DataDesc::FINALIZE), work));
        }
        DataKind::Update => {
            let if_present = desc.is(DataDesc::IF_PRESENT);
            items.iter().for_each(|&item| memory.update_item(item, if_present, counter, work));
        }
        kind => work.site.fail(format_args!("a directive of kind {} cannot be a task", kind.number())),
    }
}

/// Where a directive is, and which one.
fn site(desc: &DataDesc) -> Site<'_> {
    let (what, construct) = match desc.kind() {
        DataKind::DataBegin | DataKind::DataEnd => ("data", Construct::Data),
        DataKind::Enter => ("enter data", Construct::EnterData),
        DataKind::Exit => ("exit data", Construct::ExitData),
        DataKind::Update => ("update", Construct::Update),
        DataKind::HostDataBegin | DataKind::HostDataEnd => ("host_data", Construct::HostData),
        DataKind::DeclareBegin | DataKind::DeclareEnd => ("declare", Construct::Declare),
        DataKind::Wait => ("wait", Construct::Wait),
        DataKind::Init => ("init", Construct::Init),
        DataKind::Shutdown => ("shutdown", Construct::Shutdown),
        DataKind::Set => ("set", Construct::Set),
    };
    Site { pos: Some(&desc.pos), function: desc.function.text(), what, construct }
}

/// The directive's name in its own standard.
fn named<'a>(site: Site<'a>, scheduling: &Scheduling) -> Site<'a> {
    if scheduling.is_openmp() { of_openmp(site) } else { site }
}

fn of_openmp(site: Site<'_>) -> Site<'_> {
    let what = match site.what {
        "data" | "host_data" => "target data",
        "enter data" => "target enter data",
        "exit data" => "target exit data",
        "update" => "target update",
        what => what,
    };
    Site { what, ..site }
}

/// A directive that is being carried out.
struct Step<'a> {
    desc: &'a DataDesc,
    scheduling: &'a Scheduling,
    items: &'a [Item<'a>],
    unit: &'static Unit,
}

impl<'a> Step<'a> {
    fn site(&self) -> Site<'a> {
        named(site(self.desc), self.scheduling)
    }

    fn use_device(&self, item: Item<'_>) -> u64 {
        match self.unit.memory() {
            Some(memory) if self.scheduling.on_device => {
                memory.use_device(item, self.desc.is(DataDesc::IF_PRESENT))
            }
            _ => item.values.pointer(),
        }
    }

    /// Work on the device of this directive, or of the one that it ends.
    fn work(&self, unit: &'static Unit) -> Option<Work<'a>> {
        self.work_on(unit, None)
    }

    /// The same on a queue that the start of the region has left.
    fn work_on(&self, unit: &'static Unit, queue: Option<Queue>) -> Option<Work<'a>> {
        let memory = unit.memory().filter(|_| self.scheduling.on_device)?;
        let work = match queue {
            Some(queue) => Work::resume(memory, queue, self.site()),
            None => Work::begin(memory, self.scheduling.queue, self.site()),
        };
        match self.desc.kind() {
            DataKind::DataEnd if queue.is_some() => work.ask_as(END_OF_KERNELS),
            DataKind::DataEnd => work.ask_as(END_OF_DATA),
            DataKind::DeclareEnd => work.ask_as(END_OF_DECLARE),
            _ => {}
        }
        self.scheduling.wait_on(&work, self.desc.is(DataDesc::WAIT));
        Some(work)
    }

    fn carry_out(&self) {
        match self.desc.kind() {
            DataKind::DataBegin | DataKind::DeclareBegin => {
                notify::region(&self.site(), true);
                let (mut entries, mut queue) = (None, None);
                if let Some(work) = self.work(self.unit) {
                    entries = Some(work.memory.enter(self.items, self.scheduling.counter(), &work));
                    if self.scheduling.of_data {
                        queue = Some(work.suspend());
                    } else {
                        work.end();
                    }
                }
                OPEN.with_borrow_mut(|open| open.push(Open { unit: self.unit, entries, queue }));
            }
            DataKind::DataEnd | DataKind::DeclareEnd => {
                let open = OPEN.with_borrow_mut(Vec::pop);
                if let Some(Open { unit, entries: Some(entries), queue }) = open
                    && let Some(mut work) = self.work_on(unit, queue)
                {
                    if queue.is_some() {
                        work.waits = true;
                        let late = work.memory.device.late_bytes() as u64;
                        if late == 0 || is_on() || entries.iter().any(|entry| entry.may_return_more(late)) {
                            // Copies to the host would wait for the launches with the present table locked.
                            work.finish();
                        } else {
                            work.leave_early();
                        }
                        if !entries.iter().any(|entry| entry.may_have_sent_more(size_of::<u64>() as u64)) {
                            work.end_construct();
                        }
                    }
                    work.memory.leave(&entries, &work);
                    work.end();
                }
                notify::region(&self.site(), false);
            }
            DataKind::Enter | DataKind::Exit | DataKind::Update => {
                if let Some(work) = self.work(self.unit) {
                    carry_out(self.desc, self.items, self.scheduling.counter(), &work);
                    work.end();
                }
            }
            DataKind::HostDataBegin => self.beside(|work| twin::lend(self.items, work)),
            DataKind::HostDataEnd => self.beside(twin::take_back),
            DataKind::Wait | DataKind::Init | DataKind::Shutdown | DataKind::Set => {}
        }
        match self.desc.kind() {
            DataKind::DataBegin | DataKind::HostDataBegin => self.unit.open_data(),
            DataKind::DataEnd | DataKind::HostDataEnd => self.unit.close_data(),
            DataKind::Enter
            | DataKind::Exit
            | DataKind::Update
            | DataKind::DeclareBegin
            | DataKind::DeclareEnd
            | DataKind::Wait
            | DataKind::Init
            | DataKind::Shutdown
            | DataKind::Set => {}
        }
    }

    /// Does what only a check of results has to do.
    fn beside(&self, what: impl FnOnce(Option<&Work<'_>>)) {
        if is_on() {
            let work = self.work(self.unit);
            what(work.as_ref());
            work.into_iter().for_each(Work::end);
        }
    }
}

/// `wait`: with `async` a queue waits; without, the host does.
fn wait(desc: &DataDesc, scheduling: &Scheduling) {
    if !scheduling.on_device {
        return;
    }
    let site = site(desc);
    let unit = scheduling.awaited().unwrap_or_else(device::current);
    if scheduling.is_async() {
        if let Some(memory) = unit.memory() {
            queues::make_wait(scheduling.queue, memory, scheduling.queues_of(memory), site);
        }
        return;
    }
    match &scheduling.waits_for[..] {
        [] => queues::wait(unit, None, site),
        some => some.iter().for_each(|&queue| queues::wait(unit, Some(queue), site)),
    }
}

/// `init`, `shutdown`, `set`: a number that is absent leaves things as they are.
fn choose(desc: &DataDesc, device_type: i64, number: i64, queue: i64) {
    let narrow = |value: i64| c_int::try_from(value).unwrap_or(c_int::MAX);
    let device = if device_type == ABSENT { kind::DEFAULT } else { narrow(device_type) };
    if number != ABSENT {
        device::choose_number(narrow(number), if device_type == ABSENT { kind::CURRENT } else { device });
    }
    match desc.kind() {
        DataKind::Init => device::init(device, &site(desc)),
        DataKind::Shutdown => device::shutdown(device, &site(desc)),
        _ => {
            if device_type != ABSENT {
                device::choose_type(device);
                device::need(&site(desc));
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
    use crate::abi::{ASYNC_SYNC, Array, MapDesc, MapKind, SourcePos, Str, VERSION};

    /// Values of a directive without clauses.
    const SCHEDULING: [u64; 6] = [ABSENT as u64, 1, 0, ASYNC_SYNC as u64, u64::MAX, 0];

    const POS: SourcePos = SourcePos { file: Str::new("test.c"), line: 3 };

    const MAP: MapDesc = MapDesc {
        name: Str::new("p"),
        pos: POS,
        rows: Array::new(&[]),
        elements: None,
        members: Array::new(&[]),
        kind: MapKind::UseDevice.number(),
        flags: MapDesc::THROUGH_POINTER,
        strides: 0,
    };

    const fn desc(kind: DataKind, maps: &'static [MapDesc]) -> DataDesc {
        DataDesc {
            version: VERSION,
            kind: kind.number(),
            flags: 0,
            function: Str::new("main"),
            pos: POS,
            maps: Array::new(maps),
        }
    }

    #[test]
    fn host_data_gives_the_pointers_themselves() {
        static BEGIN: DataDesc = desc(DataKind::HostDataBegin, &[MAP, MAP]);
        static END: DataDesc = desc(DataKind::HostDataEnd, &[MAP, MAP]);
        let mut addresses = [0; 2];
        let values = [&SCHEDULING[..], &[1000, 8, 0, 0], &[2000, 8, 24, 0]].concat();
        // SAFETY: the values are those that the descriptor calls for, and there is a place for each map.
        unsafe {
            data(&BEGIN, values.as_ptr(), addresses.as_mut_ptr());
            data(&END, values.as_ptr(), std::ptr::null_mut());
        }
        assert_eq!(addresses, [1000, 1976]);
    }

    #[test]
    fn set_changes_the_default_queue() {
        static SET: DataDesc = desc(DataKind::Set, &[]);
        let set = |on_device: u64, queue: i64| {
            let mut values = [&SCHEDULING[..], &[ABSENT as u64, ABSENT as u64, queue as u64]].concat();
            values[1] = on_device;
            // SAFETY: the values are those that the descriptor calls for.
            unsafe { data(&SET, values.as_ptr(), std::ptr::null_mut()) };
        };
        set(1, 5);
        assert_eq!(queues::acc_get_default_async(), 5);
        set(0, 6);
        assert_eq!(queues::acc_get_default_async(), 5);
        set(1, ABSENT);
        assert_eq!(queues::acc_get_default_async(), 5);
    }
}
