//! The host as a device with memory of its own: regions are host code, but see copies of the program's data in other
//! places. What a data clause does not bring there has contents that no program takes for its own, so that a missing
//! clause shows without any other device.
//!
//! Work is done when it is asked for, so queues are numbers and events are points in time. Regions, and the routines they
//! call, are a second copy of the program's code with objects of its own (see [`Code`]), as on any other device.

use super::{Device, Error, Event, Launch, Properties, Queue, Result, Shape, Status};
use crate::abi::HostEntry;
use crate::device::kind;
use crate::launch::number_of_gangs;
use std::alloc::{Layout, alloc, dealloc};
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString, c_int};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What memory is filled with when it is allocated and before it is freed: as an integer of any width a large negative
/// number, as a floating-point number a huge one, and an address that faults. (A NaN would escape checks that ask whether
/// a difference is too large.)
const POISON: u8 = 0xfb;

/// Makes an address one that no access can reach.
const OUT_OF_REACH: u64 = 0xfb00_0000_0000_0000;

/// Alignment of allocations: that of a cache line and a page of the widest vectors.
const ALIGN: usize = 256;

/// A question about an address.
pub type Predicate = Box<dyn Fn(u64) -> bool + Send + Sync>;

/// The program as the device has it.
pub struct Code {
    /// Code of the regions, by their names.
    pub regions: HashMap<String, HostEntry>,
    /// Whether an address is that of code, of the program or of a library.
    pub is_code: Predicate,
    /// The device's objects, by their addresses on the host.
    pub objects: HashMap<u64, u64>,
}

/// The device.
pub struct DiscreteHost {
    code: Code,
    properties: Properties,
    allocations: Mutex<BTreeMap<u64, Layout>>,
    queues: AtomicU64,
    start: Instant,
}

impl DiscreteHost {
    /// A device that executes this code.
    pub fn new(code: Code) -> DiscreteHost {
        DiscreteHost {
            code,
            properties: properties(),
            allocations: Mutex::default(),
            queues: AtomicU64::new(0),
            start: Instant::now(),
        }
    }

    fn allocations(&self) -> MutexGuard<'_, BTreeMap<u64, Layout>> {
        self.allocations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a program hears when it asks about the host.
pub(crate) fn properties() -> Properties {
    let version = concat!(env!("CARGO_PKG_VERSION"), "\0");
    let version = CStr::from_bytes_with_nul(version.as_bytes()).unwrap_or(c"");
    Properties {
        name: CString::from(c"host"),
        vendor: CString::from(c"accrue"),
        driver: version.to_owned(),
        memory: memory(libc::_SC_PHYS_PAGES),
    }
}

/// Bytes of the host's memory that are not in use.
pub(crate) fn free_memory() -> usize {
    memory(libc::_SC_AVPHYS_PAGES)
}

/// Bytes of so many pages as the system says; 0 if it does not know.
fn memory(pages: c_int) -> usize {
    // SAFETY: asks for numbers.
    let (pages, page) = unsafe { (libc::sysconf(pages), libc::sysconf(libc::_SC_PAGESIZE)) };
    match (usize::try_from(pages), usize::try_from(page)) {
        (Ok(pages), Ok(page)) => pages.saturating_mul(page),
        _ => 0,
    }
}

fn pointer(address: u64) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

impl Device for DiscreteHost {
    fn kind(&self) -> c_int {
        kind::HOST
    }

    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn free_memory(&self) -> usize {
        free_memory()
    }

    fn allocate(&self, bytes: usize, _: &str, _: Queue) -> Result<u64> {
        let no_memory = || Error::Failed(format!("out of memory: {bytes} bytes"));
        let layout = Layout::from_size_align(bytes.max(1), ALIGN).map_err(|_| no_memory())?;
        // SAFETY: the size is not zero.
        let block = unsafe { alloc(layout) };
        if block.is_null() {
            return Err(no_memory());
        }
        // SAFETY: the block is that large.
        unsafe { block.write_bytes(POISON, layout.size()) };
        let address = block.expose_provenance() as u64;
        self.allocations().insert(address, layout);
        Ok(address)
    }

    fn free(&self, address: u64, _: Queue) -> Result<()> {
        let layout = self
            .allocations()
            .remove(&address)
            .ok_or_else(|| Error::Failed("invalid device address".into()))?;
        // SAFETY: the block is one of `allocate`'s, and was not freed before.
        unsafe {
            pointer(address).write_bytes(POISON, layout.size());
            dealloc(pointer(address), layout);
        }
        Ok(())
    }

    unsafe fn upload(&self, to: u64, from: *const u8, bytes: usize, _: Queue) -> Result<()> {
        // SAFETY: the caller's promise for the host's bytes; the program's for those of the device.
        unsafe { pointer(to).copy_from(from, bytes) };
        Ok(())
    }

    unsafe fn download(&self, to: *mut u8, from: u64, bytes: usize, _: Queue) -> Result<()> {
        // SAFETY: as above.
        unsafe { to.copy_from(pointer(from), bytes) };
        Ok(())
    }

    fn copy(&self, to: u64, from: u64, bytes: usize, _: Queue) -> Result<()> {
        // SAFETY: the program names device memory of this size.
        unsafe { pointer(to).copy_from(pointer(from), bytes) };
        Ok(())
    }

    fn clear(&self, at: u64, bytes: usize, _: Queue) -> Result<()> {
        // SAFETY: the caller names device memory of this size.
        unsafe { pointer(at).write_bytes(0, bytes) };
        Ok(())
    }

    fn object(&self, host: u64) -> Option<u64> {
        self.code.objects.get(&host).copied()
    }

    /// A pointer into the host's memory faults, unless it is one to code; one that the program got from `acc_malloc`
    /// stays what it is.
    fn foreign(&self, host: u64) -> u64 {
        let allocations = self.allocations();
        let own = allocations
            .range(..=host)
            .next_back()
            .is_some_and(|(&start, layout)| host - start <= layout.size() as u64);
        if host == 0 || own || (self.code.is_code)(host) { host } else { host | OUT_OF_REACH }
    }

    unsafe fn launch(&self, launch: Launch<'_>, queue: Queue, _: &[Event]) -> Result<Shape> {
        let Launch { desc, dims, args } = launch;
        let Some(&entry) = self.code.regions.get(&*desc.region) else {
            return Err(Error::Failed("compiler bug: the region has no code for this device".into()));
        };
        let gangs = number_of_gangs(desc.kind, dims[0] as i64, crate::device::gangs());
        let from = self.record(queue)?;
        for gang in 0..gangs {
            // SAFETY: the caller's promise.
            unsafe { entry(args.as_ptr(), gang, gangs) };
        }
        let span = Some((from, self.record(queue)?));
        Ok(Shape { grid: [gangs as u32, 1, 1], block: [1; 3], lanes: 1, span })
    }

    fn create_queue(&self, _: bool) -> Result<Queue> {
        Ok(Queue(self.queues.fetch_add(1, Ordering::Relaxed)))
    }

    fn release_queue(&self, _: Queue) {}

    fn record(&self, _: Queue) -> Result<Event> {
        Ok(Event(u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)))
    }

    fn release_event(&self, _: Event) {}

    fn wait(&self, _: Queue, _: Event) -> Result<()> {
        Ok(())
    }

    fn query(&self, _: Event) -> Status {
        Status::Done
    }

    fn finish(&self, _: Queue) -> Result<()> {
        Ok(())
    }

    fn elapsed(&self, from: Event, to: Event) -> Option<Duration> {
        Some(Duration::from_nanos(to.0.saturating_sub(from.0)))
    }
}
