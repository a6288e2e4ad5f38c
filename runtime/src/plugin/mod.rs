//! What the runtime asks of a device: the interface that every plugin implements.
//!
//! A device is made with its image of the program: a second instance of it for a host ([`host::Image`]), PTX
//! for what executes that ([`ptx::Image`]). Image and program share names of regions and objects;
//! [`crate::abi::ProgramTable`] has the program's side.
//!
//! A [`Device`] has memory of its own, executes work on queues, and knows the program's code. Work on one
//! queue is done in order; queues are independent of each other until one waits for an event of another. A
//! device whose queues do their work at once is a correct implementation: all its events are done when they
//! are recorded.
//!
//! Errors that are known when a call returns come back from it; those that show later arrive with the event
//! that is recorded behind the work, or with [`Device::finish`]. All calls may come from any host thread.

#[cfg(feature = "cuda")]
pub mod cuda;
pub mod host;
#[cfg(any(feature = "cuda", feature = "sim"))]
pub mod ptx;
mod runs;
#[cfg(feature = "sim")]
pub mod sim;
mod timing;
pub mod tune;

pub use runs::{Runs, Stride};
pub(crate) use timing::{is_lazy, set_timed};
pub use timing::{is_timed, set_lazy};

use crate::abi::{Elements, LaunchDesc, Object};
use crate::finding::Finding;
use std::ffi::{c_int, c_void};
use std::fmt;
use std::time::Duration;

/// Why a device could not do what it was asked to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// In words.
    Failed(String),
    /// The program made a mistake.
    Found(Box<Finding>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Failed(text) => f.write_str(text),
            Error::Found(finding) => finding.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// The result of a device's work.
pub type Result<T> = std::result::Result<T, Error>;

/// A queue of a device; what the number means is the device's affair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Queue(pub u64);

/// A point in the work of a queue; what the number means is the device's affair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event(pub u64);

/// What has become of the work before an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Some of it is still to be done.
    Pending,
    /// All of it is done.
    Done,
    /// Some of it went wrong.
    Failed(Error),
}

/// What a program may ask about a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Properties {
    /// Its name, ended by a zero byte.
    pub name: std::ffi::CString,
    /// Who made it.
    pub vendor: std::ffi::CString,
    /// Version of what drives it.
    pub driver: std::ffi::CString,
    /// Bytes of its memory.
    pub memory: usize,
}

/// Who asks for work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asker<'a> {
    /// The directive or routine.
    pub what: &'a str,
    /// Its file and line; 0 if nobody knows.
    pub place: (&'a str, u32),
    /// What the program calls the queue; none if the host waits.
    pub queue: Option<i64>,
}

/// What a device calls on the host.
pub type HostFunction = Box<dyn FnOnce() + Send>;

/// A region to be executed.
pub struct Launch<'a> {
    /// The construct and its region.
    pub desc: &'a LaunchDesc,
    /// Gangs in x, y, z, workers, lanes, as the program gives them; 0 where it gives none.
    pub dims: [u64; 5],
    /// One value per parameter of the region: the launch owns them.
    pub args: Vec<u64>,
}

impl Launch<'_> {
    /// Arguments that devices add to those of the region, mostly no more.
    pub const MORE: usize = 24;
}

/// How a region was executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// CTAs of the grid, or gangs.
    pub grid: [u32; 3],
    /// Threads of a CTA: lanes with their padding, workers, 1.
    pub block: [u32; 3],
    /// Lanes that the program sees.
    pub lanes: u32,
    /// Events right before and right behind the region's work, where somebody wants to know its time
    /// ([`is_timed`]). Whoever asked for the launch gives them up.
    pub span: Option<(Event, Event)>,
    /// The launch tries one of several shapes.
    pub trial: Option<tune::Trial>,
}

/// How long the work of a device took by a clock of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VirtualTime {
    /// From the start to the end of the last work.
    pub makespan: Duration,
    /// The sum over all work: its time if nothing overlapped.
    pub serial: Duration,
}

/// A device with memory of its own.
pub trait Device: Send + Sync {
    /// The `acc_device_t` that the program knows it by.
    fn kind(&self) -> c_int;

    /// What is constant about it.
    fn properties(&self) -> &Properties;

    /// Bytes of its memory that are not in use.
    fn free_memory(&self) -> usize;

    /// Memory of so many bytes, more than 0, with contents of no meaning; messages may call it by the name.
    /// It may be used by work that comes later on the queue, and on others that wait for it.
    fn allocate(&self, bytes: usize, name: &str, queue: Queue) -> Result<u64>;

    /// A block of memory goes with its contents when a queue comes there, and the program reads the host's
    /// counterpart later, by its name. A device that knows whether regions left results there says so.
    fn dropped(&self, address: u64, name: &str, queue: Queue) -> Result<()> {
        let _ = (address, name, queue);
        Ok(())
    }

    /// The host is about to get memory of the device by a queue, which holds `elements`, where that is known.
    /// A device that knows whether values were ever set says so.
    fn returns(&self, address: u64, bytes: usize, elements: Option<&Elements>, queue: Queue) -> Result<()> {
        let _ = (address, bytes, elements, queue);
        Ok(())
    }

    /// Gives memory back when the queue's work so far is done. An error if it was never allocated.
    fn free(&self, address: u64, queue: Queue) -> Result<()>;

    /// Copies from host to device memory.
    ///
    /// # Safety
    /// The host's bytes may be read until the copy is done.
    unsafe fn upload(&self, to: u64, from: *const u8, bytes: usize, queue: Queue) -> Result<()>;

    /// As [`Device::upload`], but the bytes have been read when the call returns. Devices whose copies may
    /// read them later implement it.
    ///
    /// # Safety
    /// The host's bytes are there.
    unsafe fn upload_value(&self, to: u64, from: *const u8, bytes: usize, queue: Queue) -> Result<()> {
        // SAFETY: the caller's promise, as the copy has read them before it returns.
        unsafe { self.upload(to, from, bytes, queue) }
    }

    /// Copies from device to host memory.
    ///
    /// # Safety
    /// The host's bytes may be written until the copy is done.
    unsafe fn download(&self, to: *mut u8, from: u64, bytes: usize, queue: Queue) -> Result<()>;

    /// Bytes of the largest copy that [`Device::download_late`] makes; 0 if it makes none.
    fn late_bytes(&self) -> usize {
        0
    }

    /// Copies from device to host memory on a queue that is not asynchronous: the bytes are there behind the
    /// next [`Device::finish`], which alone waits.
    ///
    /// # Safety
    /// The host's bytes may be written until then.
    unsafe fn download_late(&self, to: *mut u8, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.download(to, from, bytes, queue) }
    }

    /// Copies runs of bytes from host to device memory, where they have the same distances.
    ///
    /// # Safety
    /// As for [`Device::upload`].
    unsafe fn upload_runs(&self, to: u64, from: *const u8, runs: &Runs, queue: Queue) -> Result<()> {
        runs.offsets().try_for_each(|at| {
            // SAFETY: the caller's promise.
            unsafe { self.upload(to + at, from.add(at as usize), runs.bytes as usize, queue) }
        })
    }

    /// Copies runs of bytes from device to host memory, where they have the same distances.
    ///
    /// # Safety
    /// As for [`Device::download`].
    unsafe fn download_runs(&self, to: *mut u8, from: u64, runs: &Runs, queue: Queue) -> Result<()> {
        runs.offsets().try_for_each(|at| {
            // SAFETY: the caller's promise.
            unsafe { self.download(to.add(at as usize), from + at, runs.bytes as usize, queue) }
        })
    }

    /// Copies within the device's memory.
    fn copy(&self, to: u64, from: u64, bytes: usize, queue: Queue) -> Result<()>;

    /// Copies from the memory of one device to that of another, one of which this is, on a queue of this one.
    /// False if it cannot: then the host has to.
    fn copy_across(
        &self,
        to: (&dyn Device, u64),
        from: (&dyn Device, u64),
        bytes: usize,
        queue: Queue,
    ) -> Result<bool> {
        let _ = (to, from, bytes, queue);
        Ok(false)
    }

    /// Fills memory with zero bytes.
    fn clear(&self, at: u64, bytes: usize, queue: Queue) -> Result<()>;

    /// The address of the device's copy of an object that the program declares for it, if its image of the
    /// program has one.
    fn object(&self, object: &Object) -> Option<u64>;

    /// Whether an address is one of the device's own memory, which the program got from the device or its
    /// library.
    fn owns(&self, address: u64) -> bool;

    /// What a region gets for a pointer of this name that leads to no mapped data.
    fn foreign(&self, host: u64, name: &str) -> u64 {
        let _ = name;
        host
    }

    /// What a part of a block holds. A device that knows the host's pointers from its own looks at those.
    fn describe(&self, address: u64, bytes: u64, elements: &'static Elements) {
        let _ = (address, bytes, elements);
    }

    /// Writes an address of the device into its memory.
    fn write_pointer(&self, at: u64, value: u64, queue: Queue) -> Result<()> {
        let bytes = value.to_le_bytes();
        // SAFETY: the bytes are there.
        unsafe { self.upload_value(at, bytes.as_ptr(), bytes.len(), queue) }
    }

    /// Executes a region, after what the events stand for.
    ///
    /// # Safety
    /// The values are those that the region's code takes.
    unsafe fn launch(&self, launch: Launch<'_>, queue: Queue, after: &[Event]) -> Result<Shape>;

    /// Whether regions can do nothing to the host that a program could see before it waits for them: print,
    /// end the program, write the host's memory.
    fn runs_ahead(&self) -> bool {
        false
    }

    /// Whether [`Device::launch`] returns before the region is executed, so that nothing meanwhile asks what
    /// is present.
    fn launches_later(&self) -> bool {
        false
    }

    /// The host goes on without waiting for a queue that is not asynchronous: a device that runs ahead begins
    /// what it has put off.
    fn goes_on(&self, queue: Queue) -> Result<()> {
        let _ = queue;
        Ok(())
    }

    /// A new queue. The host does not wait for work on an asynchronous one, other than by [`Device::finish`].
    fn create_queue(&self, asynchronous: bool) -> Result<Queue>;

    /// A new asynchronous queue whose work the device begins before that of others, where it can choose.
    fn create_urgent_queue(&self) -> Result<Queue> {
        self.create_queue(true)
    }

    /// Gives up a queue. Work that is on it is still done.
    fn release_queue(&self, queue: Queue);

    /// Marks the point that the work of a queue has now.
    fn record(&self, queue: Queue) -> Result<Event>;

    /// Whether [`Device::record`] is called for each point that somebody may ever wait for, rather than when
    /// somebody does. A device that looks for what is in no order needs that; so does a queue that may go
    /// without a word.
    fn marks_at_once(&self, queue: Queue) -> bool {
        let _ = queue;
        false
    }

    /// Gives up an event.
    fn release_event(&self, event: Event);

    /// Makes a queue wait for an event of this device. The host does not wait.
    fn wait(&self, queue: Queue, event: Event) -> Result<()>;

    /// Makes a queue wait for an event of another device. False if it cannot: then the host has to.
    fn wait_for_other(&self, queue: Queue, other: &dyn Device, event: Event) -> Result<bool> {
        let _ = (queue, other, event);
        Ok(false)
    }

    /// As [`Device::wait`], where the program did not ask for it, nor may rely on it: the runtime is careful
    /// with memory that it frees or copies. A device that looks for mistakes of the program does not take it
    /// for an order.
    fn guard(&self, queue: Queue, event: Event) -> Result<()> {
        self.wait(queue, event)
    }

    /// Tells which directive asks for the work that comes on a queue from now on, for messages.
    fn ask(&self, queue: Queue, asker: Asker<'_>) {
        let _ = (queue, asker);
    }

    /// Asks whether an event has happened, without waiting for it.
    fn query(&self, event: Event) -> Status;

    /// The host waits until all work of a queue is done.
    fn finish(&self, queue: Queue) -> Result<()>;

    /// Calls a function of the host when all work of a queue so far is done. It is short, and asks nothing of
    /// a device. May be called from any thread, also from this one before the call returns.
    fn call_host(&self, queue: Queue, function: HostFunction) -> Result<()> {
        self.finish(queue)?;
        function();
        Ok(())
    }

    /// The host has nothing else to do: a device that puts work off until something waits for it goes on with
    /// what it calls the host for. Says whether it did anything.
    fn advance(&self) -> Result<bool> {
        Ok(false)
    }

    /// What all work took so far by the device's own clock, if it has one that this machine's speed does not
    /// matter for.
    fn virtual_time(&self) -> Option<VirtualTime> {
        None
    }

    /// Time from one event to a later one, once both have happened.
    fn elapsed(&self, from: Event, to: Event) -> Option<Duration>;

    /// The vendor's own handles, for programs that use its libraries: null where there are none.
    fn native(&self, handle: Native) -> *mut c_void {
        let _ = handle;
        std::ptr::null_mut()
    }

    /// The queue that stands for one of the vendor's own, if the device has such.
    fn adopt_queue(&self, native: *mut c_void) -> Option<Queue> {
        let _ = native;
        None
    }
}

/// A handle of the vendor's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Native {
    /// The device.
    Device,
    /// Its context.
    Context,
    /// The stream behind a queue.
    Stream(Queue),
}
