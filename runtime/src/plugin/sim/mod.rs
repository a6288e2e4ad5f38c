//! A simulated NVIDIA GPU: the regions' PTX, executed on the CPU by `accrue-ptx-sim`, with all its checks.
//!
//! Work is done when it is asked for, or with [`Queues::Lag`] when something waits for it. Queues and events
//! say what is ordered, so that the simulator knows which launches could have met each other on a GPU. The
//! first mistake that it finds is the error of the launch.
//!
//! - [`step`]: what queues do;
//! - [`lag`]: which of it is due; [`clock`]: how long it takes there;
//! - [`schedules`]: orders of a launch's threads; [`found`]: mistakes in words.

mod clock;
mod found;
mod lag;
mod progress;
mod schedules;
mod step;

use super::ptx::{self, Block, Image, Kernel};
use super::{
    Asker, Device, Error, Event, HostFunction, Launch, Properties, Queue, Result, Runs, Shape, Status,
    VirtualTime, is_timed, set_lazy,
};
use crate::abi::{ElementPart, Elements, Object};
use crate::device::kind;
use crate::races::tasks as races;
use accrue_ptx_sim as sim;
use clock::PROCESSORS;
use lag::{Lag, Moment};
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, CString, c_int};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use step::{Asked, Kernel as Launched, Source, Step};

pub use schedules::Schedule;

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
    /// When queues do their work.
    pub queues: Queues,
    /// Which of several simulated devices it is.
    pub number: u32,
}

/// When queues do their work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Queues {
    /// When it is asked for.
    #[default]
    Eager,
    /// When something waits for it, and then no more than that needs; with a virtual clock.
    Lag,
}

/// The device.
pub struct Simulated {
    device: sim::Device,
    image: Arc<Image>,
    options: Options,
    properties: Properties,
    module: OnceLock<Result<sim::Module>>,
    state: Mutex<State>,
    /// Held by whoever does work that queues have put off.
    working: Mutex<()>,
    /// Held by what uses memory, if launches are repeated on the same memory: what another thread of the host
    /// writes meanwhile would be taken back.
    memory: Mutex<()>,
    /// Places in kernels that the user was warned of: functions and PTX lines.
    told: Mutex<HashSet<Option<(String, u32)>>>,
}

/// Queues and events by their numbers.
#[derive(Default)]
struct State {
    queues: HashMap<u64, SimQueue>,
    events: HashMap<u64, SimEvent>,
    next: u64,
    /// What queues are still to do, if they lag.
    lag: Option<Lag<Asked>>,
}

/// A queue.
#[derive(Clone, Copy)]
struct SimQueue {
    id: sim::QueueId,
    /// The host does not wait for what is on it.
    asynchronous: bool,
}

/// A point in the work of a queue.
#[derive(Clone)]
struct SimEvent {
    order: sim::Event,
    when: When,
}

#[derive(Clone)]
enum When {
    /// Real time: everything before was done then.
    Then(Instant),
    /// Virtual time.
    Later(Arc<Moment>),
}

impl State {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn queue(&self, queue: Queue) -> SimQueue {
        let none = SimQueue { id: sim::QueueId::default(), asynchronous: true };
        self.queues.get(&queue.0).copied().unwrap_or(none)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Simulated {
    /// The name of the device.
    pub const NAME: &CStr = c"accrue simulator";

    /// A device that executes the code of an image.
    pub fn new(image: Arc<Image>, options: Options) -> Simulated {
        let device = sim::Device::new(sim::Config {
            number: options.number,
            memory: MEMORY,
            heap: ptx::heap(PROCESSORS, MEMORY),
            stack: image.open_stack.map_or(MOST_STACK, |bytes| bytes as u32),
            processors: PROCESSORS,
            instruction_limit: Some(options.instruction_limit),
            checks: options.checks,
            print: std::sync::Arc::new(print),
            ..sim::Config::default()
        });
        let lag = match options.queues {
            Queues::Eager => None,
            Queues::Lag => {
                set_lazy();
                Some(Lag::default())
            }
        };
        Simulated {
            device,
            image,
            options,
            properties: properties(),
            module: OnceLock::new(),
            state: Mutex::new(State { lag, ..State::default() }),
            working: Mutex::default(),
            memory: Mutex::default(),
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

    /// Keeps other threads from memory as long as launches may put it back.
    fn alone(&self) -> Option<MutexGuard<'_, ()>> {
        let repeats = matches!(self.options.schedule, Schedule::Seeds { .. } | Schedule::SameBits { .. });
        repeats.then(|| lock(&self.memory))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn told(&self) -> MutexGuard<'_, HashSet<Option<(String, u32)>>> {
        lock(&self.told)
    }

    /// Bytes of memory that are not in use.
    fn unused(&self) -> u64 {
        let (used, all) = self.device.memory_usage();
        all.saturating_sub(used)
    }

    /// A step comes on a queue: takes its place, and does it now unless queues lag.
    fn enqueue(&self, queue: Queue, step: Step) -> Result<()> {
        let mut state = self.state();
        let SimQueue { id, asynchronous } = state.queue(queue);
        // Where queues lag, work that was asked for before may be done behind what the host waits for.
        let is_eager = state.lag.is_none();
        let host_waits = match step {
            Step::Launch(_) => false,
            Step::Drop { .. } | Step::Return { .. } | Step::Call { .. } => true,
            Step::Upload { .. }
            | Step::Download { .. }
            | Step::Copy { .. }
            | Step::Clear { .. }
            | Step::Free { .. } => !asynchronous && is_eager,
        };
        let is_call = matches!(step, Step::Call { .. });
        let is_copy = matches!(step, Step::Upload { .. } | Step::Download { .. });
        let moment = if is_copy { races::moment() } else { None };
        let asked = Asked { step, order: self.device.take_place(id, host_waits), moment };
        match &mut state.lag {
            Some(lag) if is_call => lag.ask_for_call(queue.0, asked),
            Some(lag) => lag.ask(queue.0, asked),
            None => {
                drop(state);
                self.carry_out(asked)?;
            }
        }
        Ok(())
    }

    /// Does what is before a moment of a queue that lags, and no more; at most so many steps.
    fn reach(&self, goal: &Arc<Moment>, most: usize) {
        let _alone = lock(&self.working);
        let mut path = vec![Arc::clone(goal)];
        for _ in 0..most {
            let due = self.state().lag.as_mut().and_then(|lag| lag.next(&mut path));
            let Some((at, asked)) = due.map(lag::Due::take) else { break };
            let order = asked.order.clone();
            let outcome = self.carry_out(asked).map_err(|error| Asked::late_error(&order, error));
            if let Some(lag) = &mut self.state().lag {
                lag.done(at, outcome);
            }
        }
        if let Some(lag) = &mut self.state().lag {
            lag.learn(goal);
        }
    }

    /// Does all work that there is.
    fn catch_up(&self) {
        let ends = self.state().lag.as_mut().map(Lag::ends);
        ends.iter().flatten().for_each(|end| self.reach(end, usize::MAX));
    }

    fn shape(&self, info: &sim::KernelInfo, kernel: &Kernel, dims: [u64; 5], args: &[u64]) -> Shape {
        let most_threads = info.max_threads.unwrap_or(u32::MAX);
        let block = Block::new(kernel, dims, most_threads).with_parts_of_rows(kernel, args).with_lanes(
            kernel,
            args,
            (PROCESSORS, most_threads),
        );
        let gangs_are_given = [kernel.dims[0], kernel.wanted_gangs] != [0; 2] || dims[0] != 0;
        let resident = if gangs_are_given { TOGETHER } else { resident(block.threads()) };
        // Gangs without work show what is wrong with code that all gangs execute.
        let mut shape = block.shape(kernel, dims, None, resident);
        let busy = kernel.work.as_ref().and_then(|work| (work.gangs)(args, block.workers, block.lanes));
        for (index, busy) in busy.iter().flat_map(|busy| busy.gangs.iter().enumerate().skip(1)) {
            if [kernel.dims[index].into(), dims[index]] == [0; 2] {
                shape.grid[index] = (*busy).clamp(1, BESIDE) as u32;
            }
        }
        shape
    }
}

/// Most CTAs above and behind each other of a kernel that can use them: each has several rows and planes.
const BESIDE: u64 = 3;

/// CTAs of `threads` threads that the device holds where the program leaves their number open.
fn resident(threads: u32) -> u32 {
    PROCESSORS * (THREADS_PER_PROCESSOR / threads.max(1)).clamp(1, CTAS_PER_PROCESSOR)
}

/// What a program hears when it asks about the device.
fn properties() -> Properties {
    let version = concat!(env!("CARGO_PKG_VERSION"), "\0");
    let version = CStr::from_bytes_with_nul(version.as_bytes()).unwrap_or(c"");
    Properties {
        name: CString::from(Simulated::NAME),
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
    let ty = |part: &ElementPart| (part.kind(), part.bytes);
    let first = elements.parts().first().map(ty);
    // Parts of a union overlap, and so do the bytes of bit-fields.
    let span = |part: &ElementPart| (part.offset, part.offset + u64::from(part.bytes) * part.count);
    let mut spans: Vec<(u64, u64)> = elements.parts().iter().map(span).collect();
    spans.sort_unstable();
    let known =
        spans.iter().fold(0, |known, &(start, end)| if start <= known { end.max(known) } else { known });
    elements.parts().iter().all(|part| Some(ty(part)) == first) && known == elements.bytes
}

fn memory_error(error: sim::MemoryError) -> Error {
    match error {
        sim::MemoryError::NotAllocated(_) => Error::Failed("invalid device address".into()),
        sim::MemoryError::OutOfMemory { .. } => Error::Failed(format!("out of memory: {error}")),
        sim::MemoryError::Wild { .. } => Error::Failed(error.to_string()),
    }
}

impl Device for Simulated {
    fn kind(&self) -> c_int {
        kind::NVIDIA
    }

    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn free_memory(&self) -> usize {
        self.unused() as usize
    }

    fn allocate(&self, bytes: usize, name: &str, _: Queue) -> Result<u64> {
        // Atomic updates of 8 and 16 bits are made on the whole word, which a GPU's allocations always have.
        let whole = (bytes as u64).next_multiple_of(WORD);
        let address = self.device.alloc(whole, name).or_else(|_| {
            // What is to be freed may be enough.
            self.catch_up();
            self.device.alloc(whole, name)
        });
        let address = address.map_err(memory_error)?;
        let _alone = self.alone();
        self.device.set(address + bytes as u64, 0, whole - bytes as u64).map_err(memory_error)?;
        Ok(address)
    }

    fn dropped(&self, address: u64, name: &str, queue: Queue) -> Result<()> {
        self.enqueue(queue, Step::Drop { address, name: name.to_owned() })
    }

    fn returns(&self, address: u64, bytes: usize, elements: Option<&Elements>, queue: Queue) -> Result<()> {
        let is_of_one_type = elements.is_some_and(is_of_one_type);
        self.enqueue(queue, Step::Return { address, bytes: bytes as u64, is_of_one_type })
    }

    fn free(&self, address: u64, queue: Queue) -> Result<()> {
        self.enqueue(queue, Step::Free { address })
    }

    unsafe fn upload(&self, to: u64, from: *const u8, bytes: usize, queue: Queue) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.upload_runs(to, from, &Runs::one(bytes as u64), queue) }
    }

    unsafe fn upload_value(&self, to: u64, from: *const u8, bytes: usize, queue: Queue) -> Result<()> {
        // SAFETY: the caller's promise.
        let bytes = unsafe { std::slice::from_raw_parts(from, bytes) };
        let runs = Runs::one(bytes.len() as u64);
        self.enqueue(queue, Step::Upload { to, from: Source::Bytes(bytes.into()), runs })
    }

    unsafe fn download(&self, to: *mut u8, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.download_runs(to, from, &Runs::one(bytes as u64), queue) }
    }

    unsafe fn upload_runs(&self, to: u64, from: *const u8, runs: &Runs, queue: Queue) -> Result<()> {
        let from = Source::Place(from.expose_provenance());
        self.enqueue(queue, Step::Upload { to, from, runs: runs.clone() })
    }

    unsafe fn download_runs(&self, to: *mut u8, from: u64, runs: &Runs, queue: Queue) -> Result<()> {
        self.enqueue(queue, Step::Download { to: to.expose_provenance(), from, runs: runs.clone() })
    }

    fn copy(&self, to: u64, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        self.enqueue(queue, Step::Copy { to, from, bytes: bytes as u64 })
    }

    fn clear(&self, at: u64, bytes: usize, queue: Queue) -> Result<()> {
        self.enqueue(queue, Step::Clear { at, bytes: bytes as u64 })
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
        let (at, trial) = kernel.next(desc.region.text(), &args);
        let kernel = at.map_or(kernel, |at| &kernel.trials[at]);
        let module = self.module()?.ok_or_else(no_kernel)?;
        let info = module.kernel(&kernel.entry).ok_or_else(no_kernel)?;
        for &event in after {
            self.wait(queue, event)?;
        }
        let shape = self.shape(&info, kernel, dims, &args);
        let handed_over = ptx::values(kernel, &args, &shape)?;
        let lanes = (kernel.dims[4] == 0).then_some(u64::from(shape.lanes));
        let scratch =
            ptx::scratch(kernel, &shape).ok_or_else(|| Error::Failed("more gangs than memory".into()))?;
        let launched = Launched {
            entry: kernel.entry.clone(),
            grid: shape.grid,
            block: shape.block,
            values: args,
            last: lanes.into_iter().chain(handed_over.iter().copied()).collect(),
            scratch: scratch as u64,
            title: format!("{} ({}:{})", desc.region, desc.pos.file, desc.pos.line),
        };
        let from = if is_timed() { Some(self.record(queue)?) } else { None };
        self.enqueue(queue, Step::Launch(Box::new(launched)))?;
        let span = from.map(|from| Ok((from, self.record(queue)?))).transpose()?;
        Ok(Shape { span, trial, ..shape })
    }

    fn create_queue(&self, asynchronous: bool) -> Result<Queue> {
        let queue = SimQueue { id: self.device.new_queue(), asynchronous };
        let mut state = self.state();
        let number = state.number();
        state.queues.insert(number, queue);
        Ok(Queue(number))
    }

    fn release_queue(&self, queue: Queue) {
        let end = self.state().lag.as_mut().map(|lag| lag.record(queue.0));
        end.iter().for_each(|end| self.reach(end, usize::MAX));
        let mut state = self.state();
        if let Some(lag) = &mut state.lag {
            lag.release(queue.0);
        }
        if let Some(SimQueue { id, .. }) = state.queues.remove(&queue.0) {
            self.device.release_queue(id);
        }
    }

    fn record(&self, queue: Queue) -> Result<Event> {
        let mut state = self.state();
        let order = self.device.record(state.queue(queue).id);
        let when = match &mut state.lag {
            Some(lag) => When::Later(lag.record(queue.0)),
            None => When::Then(Instant::now()),
        };
        let number = state.number();
        state.events.insert(number, SimEvent { order, when });
        Ok(Event(number))
    }

    fn marks_at_once(&self, _: Queue) -> bool {
        true
    }

    fn release_event(&self, event: Event) {
        self.state().events.remove(&event.0);
    }

    fn wait(&self, queue: Queue, event: Event) -> Result<()> {
        let state = self.state();
        if let Some(SimEvent { order, .. }) = state.events.get(&event.0) {
            self.device.wait(state.queue(queue).id, order);
        }
        drop(state);
        self.guard(queue, event)
    }

    /// The program must ask for the order that it needs.
    fn guard(&self, queue: Queue, event: Event) -> Result<()> {
        let state = &mut *self.state();
        if let (Some(lag), Some(SimEvent { when: When::Later(moment), .. })) =
            (&mut state.lag, state.events.get(&event.0))
        {
            lag.wait(queue.0, moment);
        }
        Ok(())
    }

    fn ask(&self, queue: Queue, asker: Asker<'_>) {
        let Asker { what, place: (file, line), queue: number } = asker;
        let place = (line > 0).then(|| (file.to_owned(), line));
        let asker = sim::Asker { what: what.to_owned(), place, queue: number, ..sim::Asker::default() };
        self.device.set_asker(self.state().queue(queue).id, asker);
    }

    /// Who has asked, and heard that it is done, may rely on it. Each question about work that is put off
    /// brings it a step on, so that who goes on asking comes to the end.
    fn query(&self, event: Event) -> Status {
        let Some(SimEvent { order, when }) = self.state().events.get(&event.0).cloned() else {
            return Status::Done;
        };
        if let When::Later(moment) = when {
            self.reach(&moment, 1);
            match moment.reached() {
                Some(Ok(_)) => {}
                Some(Err(error)) => return Status::Failed(error),
                None => return Status::Pending,
            }
        }
        self.device.synchronize(&order);
        Status::Done
    }

    fn finish(&self, queue: Queue) -> Result<()> {
        let (order, moment) = {
            let mut state = self.state();
            let order = self.device.record(state.queue(queue).id);
            (order, state.lag.as_mut().map(|lag| lag.record(queue.0)))
        };
        if let Some(moment) = moment {
            self.reach(&moment, usize::MAX);
            moment.reached().transpose()?;
        }
        self.device.synchronize(&order);
        Ok(())
    }

    fn call_host(&self, queue: Queue, function: HostFunction) -> Result<()> {
        let before = self.device.record(self.state().queue(queue).id);
        self.enqueue(queue, Step::Call { function, before })
    }

    fn advance(&self) -> Result<bool> {
        let Some(call) = self.state().lag.as_mut().and_then(Lag::next_call) else { return Ok(false) };
        self.reach(&call, usize::MAX);
        call.reached().transpose().map(|_| true)
    }

    fn virtual_time(&self) -> Option<VirtualTime> {
        let (makespan, serial) = self.state().lag.as_ref()?.totals();
        let [makespan, serial] = [makespan, serial].map(Duration::from_nanos);
        Some(VirtualTime { makespan, serial })
    }

    fn elapsed(&self, from: Event, to: Event) -> Option<Duration> {
        let state = self.state();
        match (&state.events.get(&from.0)?.when, &state.events.get(&to.0)?.when) {
            (When::Then(from), When::Then(to)) => Some(to.saturating_duration_since(*from)),
            (When::Later(from), When::Later(to)) => {
                let (from, to) = (from.reached()?.ok()?, to.reached()?.ok()?);
                Some(Duration::from_nanos(to.saturating_sub(from)))
            }
            (When::Then(_), When::Later(_)) | (When::Later(_), When::Then(_)) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{Array, ScalarKind};

    #[test]
    fn grids_are_small() {
        assert_eq!([32, 512, 1024].map(resident), [8, 8, 4]);
    }

    /// Two bit-fields in the first byte, one in the next two, and a byte of padding.
    #[test]
    fn bits_in_one_byte_fill_no_padding() {
        const fn byte(offset: u64, count: u64) -> ElementPart {
            ElementPart { offset, count, kind: ScalarKind::Unsigned.number(), bytes: 1 }
        }
        static BITS: [ElementPart; 3] = [byte(0, 1), byte(0, 1), byte(1, 2)];
        static BYTES: [ElementPart; 3] = [byte(0, 1), byte(0, 2), byte(1, 3)];
        assert!(!is_of_one_type(&Elements { bytes: 4, parts: Array::new(&BITS) }));
        assert!(is_of_one_type(&Elements { bytes: 4, parts: Array::new(&BYTES) }));
    }

    #[test]
    fn queues_and_events_order_and_tell_time() {
        let options = Options {
            schedule: Schedule::Free,
            instruction_limit: 1,
            checks: sim::Checks::default(),
            queues: Queues::Eager,
            number: 0,
        };
        let device = Simulated::new(Arc::default(), options);
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
