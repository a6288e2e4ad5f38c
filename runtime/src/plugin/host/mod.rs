//! The host as a device with memory of its own: regions are host code, but see copies of the program's data
//! in other places. What a data clause does not bring there has contents that no program takes for its own,
//! so that a missing clause shows without any other device.
//!
//! Work is done when it is asked for, so queues are numbers and events are points in time. Regions, and the
//! routines they call, are a second copy of the program's code with objects of its own (see [`Image`]), as on
//! any other device.

mod memory;

pub use memory::explain;

use super::{Device, Error, Event, Launch, Properties, Queue, Result, Shape, Status};
use crate::abi::{Elements, HostEntry, Object, ProgramTable};
use crate::device::kind;
use crate::gangs::execute::{GangCode, execute_gangs};
use crate::gangs::number_of_gangs;
use memory::{memory, pointer};
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_int};
use std::mem::MaybeUninit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A question about an address.
pub type Predicate = Box<dyn Fn(u64) -> bool + Send + Sync>;

/// The program as the device has it: a second instance, with objects of its own.
pub struct Image {
    /// The second instance.
    pub table: &'static ProgramTable,
    /// Whether an address is one of the program's code, in any instance, or of an object of the second one.
    pub is_own: Predicate,
    /// Which of several such devices it is for.
    pub number: u32,
}

/// The device.
pub struct DiscreteHost {
    /// Code of the regions, by their names.
    regions: HashMap<&'static str, HostEntry>,
    /// Addresses of the device's objects, by their names.
    objects: HashMap<&'static str, u64>,
    is_own: Predicate,
    number: u32,
    properties: Properties,
    queues: AtomicU64,
    start: Instant,
}

impl DiscreteHost {
    /// A device that executes the code of an image.
    pub fn new(image: Image) -> DiscreteHost {
        let Image { table, is_own, number } = image;
        let regions = table.regions().iter();
        DiscreteHost {
            regions: regions.filter_map(|region| Some((region.name.text(), region.entry?))).collect(),
            objects: table.objects().iter().map(|object| (object.name.text(), object.address)).collect(),
            is_own,
            number,
            properties: properties(),
            queues: AtomicU64::new(0),
            start: Instant::now(),
        }
    }

    /// Whether an address means the same to the device as to the host: one of code, or of an object of the
    /// device's.
    fn is_own(&self, address: u64) -> bool {
        (self.is_own)(address) || is_in_library(address)
    }
}

/// Whether an address belongs to a library of this process, or to its executable.
fn is_in_library(address: u64) -> bool {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the function looks the address up, and does not read from it.
    unsafe { libc::dladdr(std::ptr::without_provenance(address as usize), info.as_mut_ptr()) != 0 }
}

/// What a program hears when it asks about the host.
pub(crate) fn properties() -> Properties {
    let version = concat!(env!("CARGO_PKG_VERSION"), "\0");
    let version = CStr::from_bytes_with_nul(version.as_bytes()).unwrap_or(c"");
    Properties {
        name: CString::from(c"host"),
        vendor: CString::from(c"accrue"),
        driver: version.to_owned(),
        memory: pages(libc::_SC_PHYS_PAGES),
    }
}

/// Bytes that the program has of its devices that are the host.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// The program has got so many bytes of the host as a device.
pub(crate) fn took(bytes: usize) {
    TAKEN.fetch_add(bytes, Ordering::Relaxed);
}

/// The program has given so many bytes back.
pub(crate) fn gave_back(bytes: usize) {
    let less = |taken: usize| Some(taken.saturating_sub(bytes));
    let _ = TAKEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
}

/// Bytes of the host's memory that are not in use. The system counts pages, and those that others take and
/// give back, too: what the program takes is counted here, so that there is less of it afterwards.
pub(crate) fn free_memory() -> usize {
    static FIRST: OnceLock<usize> = OnceLock::new();
    let (now, taken) = (pages(libc::_SC_AVPHYS_PAGES), TAKEN.load(Ordering::Relaxed));
    let first = FIRST.get_or_init(|| now.saturating_add(taken));
    now.min(first.saturating_sub(taken))
}

/// Bytes of a number of pages that the system names; 0 if the system does not know it.
fn pages(pages: c_int) -> usize {
    // SAFETY: asks for numbers.
    let (pages, page) = unsafe { (libc::sysconf(pages), libc::sysconf(libc::_SC_PAGESIZE)) };
    match (usize::try_from(pages), usize::try_from(page)) {
        (Ok(pages), Ok(page)) => pages.saturating_mul(page),
        _ => 0,
    }
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

    fn allocate(&self, bytes: usize, name: &str, _: Queue) -> Result<u64> {
        let block = memory().allocate(bytes.max(1), name, self.number);
        block.ok_or_else(|| Error::Failed(format!("out of memory: {bytes} bytes")))
    }

    fn free(&self, address: u64, _: Queue) -> Result<()> {
        match memory().free(address, self.number) {
            true => Ok(()),
            false => Err(Error::Failed("invalid device address".into())),
        }
    }

    fn describe(&self, address: u64, bytes: u64, elements: &'static Elements) {
        memory().describe(address, bytes, elements);
    }

    fn write_pointer(&self, at: u64, value: u64, _: Queue) -> Result<()> {
        // SAFETY: the caller names device memory of this size.
        unsafe { pointer(at).cast::<u64>().write_unaligned(value) };
        Ok(())
    }

    unsafe fn upload(&self, to: u64, from: *const u8, bytes: usize, _: Queue) -> Result<()> {
        // SAFETY: the caller's promise for the host's bytes; the program's for those of the device.
        unsafe { pointer(to).copy_from(from, bytes) };
        memory().hide(to, bytes, |address| self.is_own(address));
        Ok(())
    }

    unsafe fn download(&self, to: *mut u8, from: u64, bytes: usize, _: Queue) -> Result<()> {
        // SAFETY: as above.
        unsafe { to.copy_from(pointer(from), bytes) };
        memory().reveal(to, from, bytes);
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

    fn object(&self, object: &Object) -> Option<u64> {
        self.objects.get(object.name.text()).copied()
    }

    fn owns(&self, address: u64) -> bool {
        memory().holds(address, self.number)
    }

    /// A pointer into the host's memory faults, unless it is one to code; one that the program got from
    /// `acc_malloc` stays what it is.
    fn foreign(&self, host: u64, name: &str) -> u64 {
        let mut memory = memory();
        let reaches = host == 0 || memory.holds(host, self.number) || self.is_own(host);
        if reaches { host } else { memory.stray(host, name) }
    }

    unsafe fn launch(&self, launch: Launch<'_>, queue: Queue, _: &[Event]) -> Result<Shape> {
        let Launch { desc, dims, args } = launch;
        let Some(&entry) = self.regions.get(desc.region.text()) else {
            return Err(Error::Failed("compiler bug: the region has no code for this device".into()));
        };
        let gangs = number_of_gangs(desc, dims[0] as i64);
        let from = self.record(queue)?;
        let code = GangCode { entry, args: args.as_ptr(), device: Some(self.number) };
        // SAFETY: the caller's promise.
        unsafe { execute_gangs(code, gangs) };
        let span = Some((from, self.record(queue)?));
        Ok(Shape { grid: [gangs as u32, 1, 1], block: [1; 3], lanes: 1, span, trial: None })
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
