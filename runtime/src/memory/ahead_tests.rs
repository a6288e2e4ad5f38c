//! When the host waits for a device that runs ahead, and what a construct that comes again finds.

use super::entry::Item;
use super::table::Range;
use super::{Counter, Memory, Side, Work, may_repeat};
use crate::abi::{
    ASYNC_SYNC, ArgDesc, ArgKind, Array, ConstructKind, LaunchDesc, MapDesc, MapKind, Object, ProgramTable,
    SourcePos, Str, VERSION,
};
use crate::device::kind::{self, DeviceId};
use crate::plugin::host::{DiscreteHost, Image};
use crate::plugin::{Device, Event, Launch, Properties, Queue, Result, Shape, Status};
use crate::prof::events::Construct;
use crate::site::Site;
use crate::values::Values;
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A host with memory of its own that says it runs ahead, and counts how often somebody waits.
struct Ahead {
    host: DiscreteHost,
    waits: Arc<AtomicU32>,
}

impl Device for Ahead {
    fn kind(&self) -> c_int {
        kind::NVIDIA
    }

    fn properties(&self) -> &Properties {
        self.host.properties()
    }

    fn free_memory(&self) -> usize {
        self.host.free_memory()
    }

    fn allocate(&self, bytes: usize, name: &str, queue: Queue) -> Result<u64> {
        self.host.allocate(bytes, name, queue)
    }

    fn free(&self, address: u64, queue: Queue) -> Result<()> {
        self.host.free(address, queue)
    }

    unsafe fn upload(&self, to: u64, from: *const u8, bytes: usize, queue: Queue) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.host.upload(to, from, bytes, queue) }
    }

    unsafe fn download(&self, to: *mut u8, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.host.download(to, from, bytes, queue) }
    }

    fn late_bytes(&self) -> usize {
        64
    }

    fn copy(&self, to: u64, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        self.host.copy(to, from, bytes, queue)
    }

    fn clear(&self, at: u64, bytes: usize, queue: Queue) -> Result<()> {
        self.host.clear(at, bytes, queue)
    }

    fn object(&self, object: &Object) -> Option<u64> {
        self.host.object(object)
    }

    fn owns(&self, address: u64) -> bool {
        self.host.owns(address)
    }

    unsafe fn launch(&self, launch: Launch<'_>, queue: Queue, after: &[Event]) -> Result<Shape> {
        // SAFETY: the caller's promise.
        unsafe { self.host.launch(launch, queue, after) }
    }

    fn runs_ahead(&self) -> bool {
        true
    }

    fn launches_later(&self) -> bool {
        true
    }

    fn create_queue(&self, asynchronous: bool) -> Result<Queue> {
        self.host.create_queue(asynchronous)
    }

    fn release_queue(&self, queue: Queue) {
        self.host.release_queue(queue);
    }

    fn record(&self, queue: Queue) -> Result<Event> {
        self.host.record(queue)
    }

    fn release_event(&self, event: Event) {
        self.host.release_event(event);
    }

    fn wait(&self, queue: Queue, event: Event) -> Result<()> {
        self.host.wait(queue, event)
    }

    fn query(&self, event: Event) -> Status {
        self.host.query(event)
    }

    fn finish(&self, queue: Queue) -> Result<()> {
        self.waits.fetch_add(1, Ordering::Relaxed);
        self.host.finish(queue)
    }

    fn elapsed(&self, from: Event, to: Event) -> Option<Duration> {
        self.host.elapsed(from, to)
    }
}

/// The device, and how often somebody has waited.
fn memory() -> (&'static Memory, Arc<AtomicU32>) {
    let table = Box::leak(Box::new(ProgramTable::new(&[], &[])));
    let host = DiscreteHost::new(Image { table, is_own: Box::new(|_| false), number: 0 });
    let waits = Arc::new(AtomicU32::new(0));
    let device = Ahead { host, waits: Arc::clone(&waits) };
    let id = DeviceId { kind: kind::NVIDIA, number: 0 };
    (Box::leak(Box::new(Memory::new(Box::new(device), id, &[]))), waits)
}

const SITE: Site<'static> =
    Site { pos: None, function: "test", what: "parallel", construct: Construct::Parallel };

fn construct(memory: &'static Memory) -> Work<'static> {
    Work::begin(memory, ASYNC_SYNC, SITE)
}

#[test]
fn the_host_waits_when_it_could_tell() {
    let (memory, waits) = memory();
    let waited = || waits.swap(0, Ordering::Relaxed);
    construct(memory).end();
    construct(memory).end();
    assert_eq!(waited(), 0);
    memory.settle();
    memory.settle();
    assert_eq!(waited(), 1, "once for both");
    construct(memory).end();
    assert!(memory.queue(3).is_ok());
    assert_eq!(waited(), 1, "another queue begins");
    construct(memory).end();
    Work::begin(memory, ASYNC_SYNC, Site::routine("acc_update_self")).end();
    assert_eq!(waited(), 1, "other directives are done when they end, and so is what was before");
    memory.settle();
    assert_eq!(waited(), 0);
    construct(memory).end();
    assert_eq!(memory.device_address(8), None);
    assert_eq!(waited(), 1, "the program asks for an address");
}

#[test]
fn copies_are_waited_for() {
    let (memory, waits) = memory();
    let mut data = [1i64, 2, 3];
    let range = Range { start: data.as_mut_ptr().expose_provenance() as u64, bytes: 24 };
    let work = construct(memory);
    let device = work.allocate(24, "data");
    work.upload(device, range, "data");
    work.end();
    assert_eq!(waits.swap(0, Ordering::Relaxed), 1, "the program may change the data now");
    let work = construct(memory);
    work.upload(device, Range { bytes: 8, ..range }, "data");
    work.end();
    assert_eq!(waits.load(Ordering::Relaxed), 0, "a value was read when it was sent");
    let work = construct(memory);
    work.download(device, range, "data");
    work.free(device, "data");
    work.end();
    assert_eq!(waits.load(Ordering::Relaxed), 1);
    assert_eq!(data, [1, 2, 3]);
}

#[test]
fn several_strands_wait_for_each_construct() {
    let (memory, waits) = memory();
    construct(memory).end();
    assert_eq!(waits.load(Ordering::Relaxed), 0);
    std::thread::spawn(move || construct(memory).end()).join().expect("the thread ends");
    assert_eq!(waits.swap(0, Ordering::Relaxed), 2, "for what the first has left, and for its own");
    construct(memory).end();
    assert_eq!(waits.load(Ordering::Relaxed), 1);
}

/// A construct with one map of `present` and one scalar.
fn desc() -> &'static LaunchDesc {
    let map = MapDesc {
        name: Str::new("data"),
        pos: SourcePos { file: Str::new("t.c"), line: 1 },
        rows: Array::new(&[]),
        elements: None,
        members: Array::new(&[]),
        kind: MapKind::Present.number(),
        flags: 0,
        strides: 0,
    };
    let arg = |kind: ArgKind| ArgDesc { name: Str::new(""), kind: kind.number(), map: 0 };
    Box::leak(Box::new(LaunchDesc {
        version: VERSION,
        kind: ConstructKind::Parallel.number(),
        host_entry: None,
        region: Str::new("test$region0"),
        function: Str::new("test"),
        pos: SourcePos { file: Str::new("t.c"), line: 1 },
        maps: Array::new(vec![map].leak()),
        args: Array::new(vec![arg(ArgKind::Address), arg(ArgKind::Value)].leak()),
        flags: 0,
        fused: 0,
    }))
}

/// Executes the construct as a launch does; gives the arguments, and whether they were known.
fn execute(memory: &'static Memory, desc: &LaunchDesc, words: &[u64]) -> (Vec<u64>, bool) {
    let work = construct(memory);
    // SAFETY: these are the values of a map and of a scalar.
    let mut values = unsafe { Values::new(words.as_ptr()) };
    if let Some(args) = memory.again(desc, &mut values, &work, |args| args) {
        work.end();
        return (args, true);
    }
    let map = values.map(&desc.maps()[0]);
    let items = [Item { desc: &desc.maps()[0], values: &map }];
    let entries = memory.enter(&items, Counter::Structured, &work);
    let args = vec![entries[0].device.expect("it is present"), values.next()];
    work.leave_early();
    memory.leave(&entries, &work);
    if may_repeat(desc, &entries) {
        memory.remember(desc, &words[..4], (&entries, &args), &work);
    }
    work.end();
    (args, false)
}

#[test]
fn a_construct_that_comes_again_finds_its_data() {
    let (memory, _) = memory();
    let mut data = [[1i64; 4], [2; 4]];
    let start = data.as_mut_ptr().expose_provenance() as u64;
    let whole = Range { start, bytes: 64 };
    let enter = |range| {
        let work = Work::begin(memory, ASYNC_SYNC, Site::routine("acc_copyin"));
        let device = memory.enter_range_of_routine(range, super::Routine::CopyIn, &work);
        work.end();
        device
    };
    let device = enter(whole);
    let desc = desc();
    let first = |scalar| [start, 32, 0, 0, scalar];
    let second = |scalar| [start + 32, 32, 0, 0, scalar];
    assert_eq!(execute(memory, desc, &first(5)), (vec![device, 5], false));
    assert_eq!(execute(memory, desc, &first(6)), (vec![device, 6], true), "scalars are those of this time");
    assert_eq!(execute(memory, desc, &second(7)), (vec![device + 32, 7], false));
    assert_eq!(execute(memory, desc, &first(8)), (vec![device, 8], true));
    assert_eq!(execute(memory, desc, &second(9)), (vec![device + 32, 9], true));
    // A block comes and another goes: the construct's own is where it was.
    let mut other = [0i64; 4];
    enter(Range { start: other.as_mut_ptr().expose_provenance() as u64, bytes: 32 });
    assert_eq!(execute(memory, desc, &first(1)), (vec![device, 1], true));
    // Its own goes, and comes back elsewhere.
    let work = Work::begin(memory, ASYNC_SYNC, Site::routine("acc_delete"));
    memory.exit(whole, super::Exit { copyout: false, finalize: true }, &work);
    work.end();
    assert!(!memory.is_present(whole), "no counter was left");
    let half = Range { bytes: 32, ..whole };
    let device = enter(half);
    assert_eq!(execute(memory, desc, &first(2)).0, [device, 2]);
    // Another queue asks when the construct is done: what it has marked is no mark of what comes.
    let work = Work::begin(memory, 4, Site::routine("acc_update_self_async"));
    memory.update(half, Side::Host, &work);
    work.end();
    assert_eq!(execute(memory, desc, &first(3)), (vec![device, 3], false));
}
