//! A simulated NVIDIA GPU: the regions' PTX, executed on the CPU by `accrue-ptx-sim`, with all its checks.
//!
//! Work is done when it is asked for. Queues and events only say what is ordered, so that the simulator knows
//! which launches could have met each other on a GPU. The first mistake that it finds is the error of the
//! launch.

mod found;
mod progress;
mod schedules;

use super::ptx::{self, Block, Image, Kernel};
use super::{Asker, Device, Error, Event, Launch, Properties, Queue, Result, Shape, Status, is_timed};
use crate::abi::{ElementPart, Elements, Object};
use crate::device::kind;
use crate::fatal::tell;
use accrue_ptx_sim as sim;
use progress::Progress;
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, CString, c_int};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

pub use schedules::Schedule;

/// Processors of the simulated GPU: few, so that programs that leave the number of gangs open are not slow.
const PROCESSORS: u32 = 4;
/// Threads that one of them holds where the program leaves the number of gangs open.
const THREADS_PER_PROCESSOR: u32 = 1024;
/// CTAs that one of them holds then, at most.
const CTAS_PER_PROCESSOR: u32 = 2;
/// CTAs that can wait for each other: as many as the simulator schedules at once.
const TOGETHER: u32 = 24;
/// Bytes of a word: allocations are whole words.
const WORD: u64 = 4;
/// Bytes of its memory.
const MEMORY: u64 = 16 << 30;
/// Threads that one of its processors could hold: as many have local memory.
const THREADS_WITH_MEMORY: u64 = 2048;
/// Bytes of local memory that a thread can have.
const MOST_STACK: u32 = 512 << 10;

/// What the user chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Which schedules are executed.
    pub schedule: Schedule,
    /// Instructions after which a launch is given up, each thread counted.
    pub instruction_limit: u64,
    /// Which checks are made.
    pub checks: sim::Checks,
}

/// The device.
pub struct Simulated {
    device: sim::Device,
    image: Image,
    options: Options,
    properties: Properties,
    module: OnceLock<Result<sim::Module>>,
    order: Mutex<Order>,
    /// Places in kernels that the user was warned of: functions and PTX lines.
    told: Mutex<HashSet<Option<(String, u32)>>>,
}

/// Queues and events by their numbers.
#[derive(Default)]
struct Order {
    queues: HashMap<u64, SimQueue>,
    events: HashMap<u64, (sim::Event, Instant)>,
    next: u64,
}

/// A queue.
#[derive(Clone, Copy)]
struct SimQueue {
    id: sim::QueueId,
    /// The host does not wait for what is on it.
    asynchronous: bool,
}

impl Order {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

impl Simulated {
    /// A device that executes the code of an image.
    pub fn new(image: Image, options: Options) -> Simulated {
        let device = sim::Device::new(sim::Config {
            memory: MEMORY,
            heap: ptx::heap(PROCESSORS, MEMORY),
            stack: image.open_stack.map_or(MOST_STACK, |bytes| bytes as u32),
            processors: PROCESSORS,
            instruction_limit: Some(options.instruction_limit),
            checks: options.checks,
            print: std::sync::Arc::new(print),
            ..sim::Config::default()
        });
        Simulated {
            device,
            image,
            options,
            properties: properties(),
            module: OnceLock::new(),
            order: Mutex::default(),
            told: Mutex::default(),
        }
    }

    /// The program's code, loaded on its first use.
    fn module(&self) -> Result<Option<&sim::Module>> {
        if self.image.ptx.is_empty() {
            return Ok(None);
        }
        let loaded = self.module.get_or_init(|| {
            let refused =
                |error| Error::Failed(format!("compiler bug: the simulator refuses the code:\n{error}"));
            self.device.load(&self.image.ptx).map_err(refused)
        });
        loaded.as_ref().map(Some).map_err(Error::clone)
    }

    fn order(&self) -> MutexGuard<'_, Order> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self) -> MutexGuard<'_, HashSet<Option<(String, u32)>>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queue(&self, queue: Queue) -> SimQueue {
        let none = SimQueue { id: sim::QueueId::default(), asynchronous: true };
        self.order().queues.get(&queue.0).copied().unwrap_or(none)
    }

    /// The host is about to access memory, by a queue.
    fn access(&self, queue: Queue, access: sim::HostAccess, address: u64, bytes: usize) -> Result<()> {
        let SimQueue { id, asynchronous } = self.queue(queue);
        let result = self.device.access(id, access, (address, bytes as u64), !asynchronous);
        result.map_err(|report| found::error(&report, None))
    }

    fn shape(&self, info: &sim::KernelInfo, kernel: &Kernel, dims: [u64; 5]) -> Shape {
        let block = Block::new(kernel, dims, info.max_threads.unwrap_or(u32::MAX));
        let gangs_are_given = [kernel.dims[0], kernel.wanted_gangs] != [0; 2] || dims[0] != 0;
        let resident = if gangs_are_given { TOGETHER } else { resident(block.threads()) };
        block.shape(kernel, dims, resident)
    }
}

/// CTAs of `threads` threads that the device holds where the program leaves their number open.
fn resident(threads: u32) -> u32 {
    PROCESSORS * (THREADS_PER_PROCESSOR / threads.max(1)).clamp(1, CTAS_PER_PROCESSOR)
}

/// What a program hears when it asks about the device.
fn properties() -> Properties {
    let version = concat!(env!("CARGO_PKG_VERSION"), "\0");
    let version = CStr::from_bytes_with_nul(version.as_bytes()).unwrap_or(c"");
    Properties {
        name: CString::from(c"accrue simulator"),
        vendor: CString::from(c"Nvidia"),
        driver: version.to_owned(),
        memory: MEMORY as usize,
    }
}

/// What kernels print comes in the order of what the program prints: through the C library's stream.
fn print(text: &[u8]) {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    // SAFETY: the stream exists as long as the process; the text is as long as it says.
    unsafe { libc::fwrite(text.as_ptr().cast(), 1, text.len(), stdout) };
}

/// Whether an array holds nothing but numbers of a type.
fn is_of_one_type(elements: &Elements) -> bool {
    let bytes = |part: &ElementPart| u64::from(part.bytes) * part.count;
    let ty = |part: &ElementPart| (part.kind(), part.bytes);
    let first = elements.parts().first().map(ty);
    elements.parts().iter().all(|part| Some(ty(part)) == first)
        && elements.parts().iter().map(bytes).sum::<u64>() == elements.bytes
}

fn memory_error(error: sim::MemoryError) -> Error {
    match error {
        sim::MemoryError::NotAllocated(_) => Error::Failed("invalid device address".into()),
        sim::MemoryError::OutOfMemory { .. } => Error::Failed(format!("out of memory: {error}")),
        sim::MemoryError::Wild { .. } => Error::Failed(error.to_string()),
    }
}

/// The block of parameters of a kernel. Narrow parameters are the first bytes of their values.
fn parameters(info: &sim::KernelInfo, values: &[u64]) -> Result<Vec<u8>> {
    if info.params.len() != values.len() {
        let (wanted, given) = (info.params.len(), values.len());
        return Err(Error::Failed(format!(
            "compiler bug: the kernel takes {wanted} values, {given} are given"
        )));
    }
    let mut block = vec![0; info.param_bytes as usize];
    for ((_, offset, bytes), value) in info.params.iter().zip(values) {
        let (start, bytes) = (*offset as usize, (*bytes as usize).min(8));
        if let Some(place) = block.get_mut(start..start + bytes) {
            place.copy_from_slice(&value.to_le_bytes()[..bytes]);
        }
    }
    Ok(block)
}

impl Device for Simulated {
    fn kind(&self) -> c_int {
        kind::NVIDIA
    }

    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn free_memory(&self) -> usize {
        let (used, all) = self.device.memory_usage();
        all.saturating_sub(used) as usize
    }

    fn allocate(&self, bytes: usize, name: &str, _: Queue) -> Result<u64> {
        // Atomic updates of 8 and 16 bits are made on the whole word, which a GPU's allocations always have.
        let whole = (bytes as u64).next_multiple_of(WORD);
        let address = self.device.alloc(whole, name).map_err(memory_error)?;
        self.device.set(address + bytes as u64, 0, whole - bytes as u64).map_err(memory_error)?;
        Ok(address)
    }

    fn dropped(&self, address: u64, name: &str) {
        if let Some(site) = self.device.lost_result(address) {
            tell(&found::lost(&site, name));
        }
    }

    fn returns(&self, address: u64, bytes: usize, elements: Option<&Elements>) -> Result<()> {
        let output = self.device.check_output(address, bytes as u64);
        let copied = output.map_err(|report| found::error(&report, None))?;
        // Structures are copied with members that have no value.
        if let Some(report) = copied.filter(|_| elements.is_some_and(is_of_one_type)) {
            let is_new =
                self.told().insert(report.at.as_ref().map(|site| (site.function.clone(), site.ptx_line)));
            if is_new {
                tell(&found::copied(&report));
            }
        }
        Ok(())
    }

    fn free(&self, address: u64, queue: Queue) -> Result<()> {
        self.access(queue, sim::HostAccess::Free, address, 0)?;
        self.device.free(address).map_err(memory_error)
    }

    unsafe fn upload(&self, to: u64, from: *const u8, bytes: usize, queue: Queue) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        self.access(queue, sim::HostAccess::CopyIn, to, bytes)?;
        // SAFETY: the caller's promise.
        let data = unsafe { std::slice::from_raw_parts(from, bytes) };
        self.device.copy_in(to, data).map_err(memory_error)
    }

    unsafe fn download(&self, to: *mut u8, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        self.access(queue, sim::HostAccess::CopyOut, from, bytes)?;
        // SAFETY: the caller's promise.
        let data = unsafe { std::slice::from_raw_parts_mut(to, bytes) };
        // Bytes that nobody wrote come as poison: C allows to copy out an array that is written in part.
        self.device.copy_out(from, data).map_err(memory_error)?;
        Ok(())
    }

    fn copy(&self, to: u64, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        self.access(queue, sim::HostAccess::CopyFrom, from, bytes)?;
        self.access(queue, sim::HostAccess::CopyTo, to, bytes)?;
        self.device.copy(to, from, bytes as u64).map_err(memory_error)
    }

    fn clear(&self, at: u64, bytes: usize, queue: Queue) -> Result<()> {
        self.access(queue, sim::HostAccess::Fill, at, bytes)?;
        self.device.set(at, 0, bytes as u64).map_err(memory_error)
    }

    fn object(&self, object: &Object) -> Option<u64> {
        let symbol = self.image.objects.get(object.name.text())?;
        let (address, _) = self.module().ok()??.global(symbol)?;
        Some(address)
    }

    fn owns(&self, address: u64) -> bool {
        self.device.holds(address)
    }

    unsafe fn launch(&self, launch: Launch<'_>, queue: Queue, after: &[Event]) -> Result<Shape> {
        let Launch { desc, dims, args } = launch;
        let no_kernel = || Error::Failed("compiler bug: the region has no kernel".into());
        let kernel = self.image.kernels.get(desc.region.text()).ok_or_else(no_kernel)?;
        let module = self.module()?.ok_or_else(no_kernel)?;
        let info = module.kernel(&kernel.entry).ok_or_else(no_kernel)?;
        for &event in after {
            self.wait(queue, event)?;
        }
        let shape = self.shape(&info, kernel, dims);
        let (local, threads) = (u64::from(info.local_bytes), u64::from(PROCESSORS) * THREADS_WITH_MEMORY);
        let free = self.free_memory() as u64;
        if local * threads > free {
            return Err(Error::Failed(ptx::local_memory_message(local, threads, free)));
        }
        let bytes =
            ptx::scratch(kernel, &shape).ok_or_else(|| Error::Failed("more gangs than memory".into()))?;
        // Zero bytes cannot be allocated, and atomic updates may be made on whole words.
        let bytes = bytes.max(1).next_multiple_of(WORD as usize);
        let scratch = self.device.alloc(bytes as u64, "the launch's own memory").map_err(memory_error)?;
        self.device.set(scratch, 0, bytes as u64).map_err(memory_error)?;
        let mut values: Vec<u64> = args.into_iter().chain([scratch]).collect();
        if kernel.dims[4] == 0 {
            values.push(u64::from(shape.lanes));
        }
        let params = parameters(&info, &values)?;
        let args = sim::LaunchArgs {
            grid: shape.grid,
            block: shape.block,
            dynamic_shared: 0,
            params: &params,
            queue: self.queue(queue).id,
            seed: None,
        };
        let from = if is_timed() { Some(self.record(queue)?) } else { None };
        let progress = Progress::start(desc);
        schedules::execute(&self.device, module, &kernel.entry, &args, self.options.schedule, scratch)?;
        drop(progress);
        let span = from.map(|from| Ok((from, self.record(queue)?))).transpose()?;
        self.device.free(scratch).map_err(memory_error)?;
        Ok(Shape { span, ..shape })
    }

    fn create_queue(&self, asynchronous: bool) -> Result<Queue> {
        let queue = SimQueue { id: self.device.new_queue(), asynchronous };
        let mut order = self.order();
        let number = order.number();
        order.queues.insert(number, queue);
        Ok(Queue(number))
    }

    fn release_queue(&self, queue: Queue) {
        if let Some(SimQueue { id, .. }) = self.order().queues.remove(&queue.0) {
            self.device.release_queue(id);
        }
    }

    fn record(&self, queue: Queue) -> Result<Event> {
        let event = self.device.record(self.queue(queue).id);
        let mut order = self.order();
        let number = order.number();
        order.events.insert(number, (event, Instant::now()));
        Ok(Event(number))
    }

    fn release_event(&self, event: Event) {
        self.order().events.remove(&event.0);
    }

    fn wait(&self, queue: Queue, event: Event) -> Result<()> {
        let queue = self.queue(queue);
        if let Some((event, _)) = self.order().events.get(&event.0) {
            self.device.wait(queue.id, event);
        }
        Ok(())
    }

    /// The program must ask for the order that it needs.
    fn guard(&self, _: Queue, _: Event) -> Result<()> {
        Ok(())
    }

    fn ask(&self, queue: Queue, asker: Asker<'_>) {
        let Asker { what, place: (file, line), queue: number } = asker;
        let place = (line > 0).then(|| (file.to_owned(), line));
        let asker = sim::Asker { what: what.to_owned(), place, queue: number };
        self.device.set_asker(self.queue(queue).id, asker);
    }

    /// Who has asked, and heard that it is done, may rely on it.
    fn query(&self, event: Event) -> Status {
        if let Some((event, _)) = self.order().events.get(&event.0) {
            self.device.synchronize(event);
        }
        Status::Done
    }

    fn finish(&self, queue: Queue) -> Result<()> {
        self.device.synchronize(&self.device.record(self.queue(queue).id));
        Ok(())
    }

    fn elapsed(&self, from: Event, to: Event) -> Option<Duration> {
        let order = self.order();
        let ((_, from), (_, to)) = (order.events.get(&from.0)?, order.events.get(&to.0)?);
        Some(to.saturating_duration_since(*from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_small() {
        assert_eq!([32, 512, 1024].map(resident), [8, 8, 4]);
    }

    #[test]
    fn parameters_have_their_widths() {
        let info = sim::KernelInfo {
            name: "k".into(),
            params: vec![("a".into(), 0, 8), ("b".into(), 8, 1), ("c".into(), 12, 4)],
            param_bytes: 16,
            required_threads: None,
            max_threads: None,
            local_bytes: 0,
        };
        let block = parameters(&info, &[1, u64::MAX, 3]).expect("there are as many values");
        assert_eq!(block, [1, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 3, 0, 0, 0]);
        assert!(parameters(&info, &[1]).is_err());
    }

    #[test]
    fn queues_and_events_order_and_tell_time() {
        let options =
            Options { schedule: Schedule::Free, instruction_limit: 1, checks: sim::Checks::default() };
        let device = Simulated::new(Image::default(), options);
        let queue = device.create_queue(true).expect("there can be many");
        let (from, to) = (device.record(queue), device.record(queue));
        let (from, to) = (from.expect("a point in time"), to.expect("a point in time"));
        assert!(device.elapsed(from, to).is_some());
        assert_eq!(device.query(to), Status::Done);
        device.release_event(from);
        assert_eq!(device.elapsed(from, to), None);
        let memory = device.allocate(16, "a", queue).expect("there is memory");
        assert_eq!(device.free_memory(), MEMORY as usize - 16);
        assert!(device.free(memory + 8, queue).is_err());
        assert!(device.clear(memory + 8, 16, queue).is_err());
    }
}
