//! The device: memory, modules, launches.

use crate::code::{Code, Function};
use crate::error::LoadError;
use crate::exec;
use crate::exec::launch::{Checks, Kernel, Launch, Record, Shared, Work};
use crate::history::MostWork;
use crate::host_memory::HostMemory;
use crate::memory::device::{Allocation, Memory, Purpose};
use crate::memory::region::Region;
use crate::origins::Origins;
use crate::queue::{Asker, Order, QueueId, Queues};
use crate::race::segment::Segments;
use crate::report::{Kind, Report};
use crate::verify::Typing;
use std::fmt;
use std::num::NonZero;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

/// Most threads of a CTA.
const MOST_THREADS: u32 = 1024;
/// Most bytes of shared memory of a CTA.
const MOST_SHARED: u32 = 227 << 10;
/// Most of them that a kernel's own variables and those of what it calls can have: assemblers refuse more.
const MOST_STATIC: u32 = 48 << 10;

/// Cores of this machine. To find out takes as long as a small launch: files of the system are read.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

/// Takes what kernels print.
pub type Print = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// How a device is made.
#[derive(Clone)]
pub struct Config {
    /// Which of several devices it is, below 64: no two have an address of global memory in common.
    pub number: u32,
    /// Bytes of global memory.
    pub memory: u64,
    /// Bytes of the heap, from which kernels allocate; 8 MiB by default, as on GPUs whose host asks for no
    /// more.
    pub heap: u64,
    /// Bytes of stack of a thread; by default the 512 KiB that a GPU can give it.
    pub stack: u32,
    /// Host threads that execute CTAs; 0 for one per core.
    pub threads: usize,
    /// Processors that the device says it has, `%nsmid`.
    pub processors: u32,
    /// Which checks are made.
    pub checks: Checks,
    /// Instructions of threads after which a launch is given up; `None` for no limit.
    pub instruction_limit: Option<u64>,
    /// Takes what kernels print; standard output by default.
    pub print: Print,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            number: 0,
            memory: 16 << 30,
            heap: 8 << 20,
            stack: 512 << 10,
            threads: 0,
            processors: 16,
            checks: Checks::default(),
            instruction_limit: None,
            print: Arc::new(|text| {
                use std::io::Write;
                // A reader that has gone is no reason to stop the kernel.
                let _ = std::io::stdout().write_all(text);
            }),
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("memory", &self.memory)
            .field("heap", &self.heap)
            .field("stack", &self.stack)
            .field("threads", &self.threads)
            .field("processors", &self.processors)
            .field("checks", &self.checks)
            .field("instruction_limit", &self.instruction_limit)
            .finish_non_exhaustive()
    }
}

/// A simulated GPU. It can be used from several host threads at once; launches block their caller.
#[derive(Debug)]
pub struct Device {
    config: Config,
    pub(crate) memory: Memory,
    pub(crate) origins: Origins,
    pub(crate) segments: Segments,
    pub(crate) work: RwLock<Vec<Record>>,
    queues: Mutex<Queues>,
    pub(crate) host_memory: Mutex<HostMemory>,
    /// Held by whoever accesses memory; taken alone by what must not meet that.
    pub(crate) quiet: RwLock<()>,
    pub(crate) most_work: MostWork,
}

/// A module that was loaded.
#[derive(Clone, Debug)]
pub struct Module {
    code: Arc<Code>,
}

/// What is known of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelInfo {
    /// Its name.
    pub name: String,
    /// Its parameters in order: name, offset in the block of parameters, bytes.
    pub params: Vec<(String, u32, u32)>,
    /// Bytes of the block of parameters.
    pub param_bytes: u32,
    /// `.reqntid`
    pub required_threads: Option<[u32; 3]>,
    /// `.maxntid`, multiplied.
    pub max_threads: Option<u32>,
    /// Bytes of its own variables in local memory.
    pub local_bytes: u32,
}

impl Module {
    /// The kernels, by name.
    pub fn kernels(&self) -> impl Iterator<Item = KernelInfo> + '_ {
        self.code.by_name.values().filter_map(|number| self.info(*number))
    }

    /// A kernel.
    pub fn kernel(&self, name: &str) -> Option<KernelInfo> {
        self.code.by_name.get(name).and_then(|number| self.info(*number))
    }

    fn info(&self, number: u32) -> Option<KernelInfo> {
        let function = self.code.functions.get(number as usize).filter(|function| function.entry)?;
        Some(KernelInfo {
            name: function.name.clone(),
            params: function
                .param_layout
                .iter()
                .map(|(offset, bytes, name)| (name.clone(), *offset, *bytes))
                .collect(),
            param_bytes: function.param_bytes,
            required_threads: function.required_threads,
            max_threads: function.max_threads,
            local_bytes: function.local_bytes,
        })
    }

    /// Address and bytes of a variable in global or constant memory.
    pub fn global(&self, name: &str) -> Option<(u64, u64)> {
        let found = self.code.globals.iter().find(|(known, _)| known == name);
        found.map(|(_, allocation)| (allocation.base, allocation.region.bytes()))
    }
}

/// A launch.
#[derive(Clone, Copy, Debug)]
pub struct LaunchArgs<'a> {
    /// CTAs in each dimension.
    pub grid: [u32; 3],
    /// Threads of a CTA in each dimension.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// The block of parameters, laid out as [`KernelInfo::params`] says.
    pub params: &'a [u8],
    /// The queue that the launch belongs to: what is on others runs beside it, unless it waits.
    pub queue: QueueId,
    /// Its place there, if it was taken before ([`Device::take_place`]).
    pub order: Option<&'a Order>,
    /// Decides the schedule; the same seed gives the same. Without one, CTAs run on all host threads.
    pub seed: Option<u64>,
}

impl Default for LaunchArgs<'_> {
    fn default() -> Self {
        LaunchArgs {
            grid: [1; 3],
            block: [1; 3],
            dynamic_shared: 0,
            params: &[],
            queue: QueueId::default(),
            order: None,
            seed: None,
        }
    }
}

/// What a launch took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Instructions, each thread counted.
    pub instructions: u64,
    /// Instructions, each of a warp counted once however many of its threads execute it.
    pub warp_instructions: u64,
    /// CTAs.
    pub ctas: u64,
    /// Time on the host.
    pub time: Duration,
}

/// What several schedules of a launch took and left.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedules {
    /// What the last one took.
    pub last: Stats,
    /// Where the first one and another one left different contents, if they did.
    pub difference: Option<Difference>,
}

/// Where two schedules left different contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Their seeds.
    pub seeds: (u64, u64),
    /// The allocation.
    pub object: String,
    /// The byte in it.
    pub offset: u64,
    /// Bytes of the allocation.
    pub size: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { seeds: (first, second), object, offset, size } = self;
        write!(
            f,
            "seeds {first} and {second} leave different contents from byte {offset} of `{object}` on ({size} bytes)"
        )
    }
}

/// Why memory of the device cannot be used so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MemoryError {
    /// There is not so much.
    #[error("{wanted} bytes are not left on the device: {used} of {all} are in use")]
    OutOfMemory {
        /// What was asked for.
        wanted: u64,
        /// What is in use.
        used: u64,
        /// What there is in all.
        all: u64,
    },
    /// No allocation holds all of a stretch.
    #[error("{bytes} bytes at 0x{address:x} are in no allocation of the device")]
    Wild {
        /// Its start.
        address: u64,
        /// Its length.
        bytes: u64,
    },
    /// No allocation begins there.
    #[error("no allocation begins at 0x{0:x}")]
    NotAllocated(u64),
}

impl Device {
    /// A device without anything on it.
    pub fn new(config: Config) -> Device {
        Device {
            memory: Memory::new(config.memory, config.heap, config.number),
            config,
            origins: Origins::default(),
            segments: Segments::new(),
            work: RwLock::new(Vec::new()),
            queues: Mutex::new(Queues::default()),
            host_memory: Mutex::default(),
            quiet: RwLock::new(()),
            most_work: MostWork::default(),
        }
    }

    /// Reads, verifies and decodes a module, and allocates its variables.
    pub fn load(&self, ptx: &str) -> Result<Module, LoadError> {
        let module = crate::read::module(ptx)?;
        let code = crate::lower::lower(&module, &self.memory, Typing::Loose)?;
        Ok(Module { code: Arc::new(code) })
    }

    /// Frees the variables of a module.
    pub fn unload(&self, module: &Module) {
        for (_, allocation) in &module.code.globals {
            self.memory.free(allocation.base, |_| true);
        }
    }

    /// Allocates global memory; reports call it by the name. Its contents are undefined.
    pub fn alloc(&self, bytes: u64, name: &str) -> Result<u64, MemoryError> {
        match self.memory.alloc(bytes, name.to_owned(), Purpose::Host) {
            Some(allocation) => Ok(allocation.base),
            None => {
                let (used, all) = self.memory.usage();
                Err(MemoryError::OutOfMemory { wanted: bytes, used, all })
            }
        }
    }

    /// Frees an allocation.
    pub fn free(&self, address: u64) -> Result<(), MemoryError> {
        let freed = self.memory.free(address, |purpose| purpose == Purpose::Host);
        if freed { Ok(()) } else { Err(MemoryError::NotAllocated(address)) }
    }

    /// Bytes in use, and bytes in all.
    pub fn memory_usage(&self) -> (u64, u64) {
        self.memory.usage()
    }

    /// Whether an address is in an allocation.
    pub fn holds(&self, address: u64) -> bool {
        self.memory.holding(address, 1).is_some()
    }

    pub(crate) fn holding(&self, address: u64, bytes: u64) -> Result<Arc<Allocation>, MemoryError> {
        self.memory.holding(address, bytes).ok_or(MemoryError::Wild { address, bytes })
    }

    /// A queue. Work on one queue comes one after the other.
    pub fn new_queue(&self) -> QueueId {
        self.lock_queues().create()
    }

    /// Says who asks for the work that comes on a queue, until this is called again.
    pub fn set_asker(&self, queue: QueueId, asker: Asker) {
        self.lock_queues().set_asker(queue, asker);
    }

    /// A queue gets no more work.
    pub fn release_queue(&self, queue: QueueId) {
        self.lock_queues().release(queue);
    }

    /// What a queue has done and waited for so far; another queue can wait for it.
    pub fn record(&self, queue: QueueId) -> crate::queue::Event {
        self.lock_queues().record(queue)
    }

    /// Takes the place of a launch or an access on a queue, which is done now or later, but once: it comes
    /// after what the queue has done and waited for so far. `host_waits`: the host waits for it before it
    /// asks for anything else.
    pub fn take_place(&self, queue: QueueId, host_waits: bool) -> Order {
        self.lock_queues().take_place(queue, host_waits)
    }

    /// What comes on a queue comes after the event.
    pub fn wait(&self, queue: QueueId, event: &crate::queue::Event) {
        self.lock_queues().wait(queue, event);
    }

    /// The host waits for the event: whatever it launches from now on comes after it.
    pub fn synchronize(&self, event: &crate::queue::Event) {
        self.lock_queues().synchronize(event);
    }

    pub(crate) fn lock_queues(&self) -> std::sync::MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes a kernel; returns when it has ended, or with the first mistake that it made. Memory keeps
    /// what was written until then.
    pub fn launch(&self, module: &Module, kernel: &str, args: &LaunchArgs<'_>) -> Result<Stats, Box<Report>> {
        let bad = |message: String| bad_launch(kernel, message);
        let code = &module.code;
        let number = code.by_name.get(kernel).copied().unwrap_or(u32::MAX);
        let Some(function) = code.functions.get(number as usize).filter(|function| function.entry) else {
            return Err(bad(format!("the module has no kernel `{kernel}`")));
        };
        check_launch(function, args).map_err(bad)?;
        let _running = self.while_quiet();
        self.execute(module, function, number, args)
    }

    pub(crate) fn checks(&self) -> Checks {
        self.config.checks
    }

    fn work(&self) -> RwLockReadGuard<'_, Vec<Record>> {
        self.work.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much work there was so far.
    pub(crate) fn work_so_far(&self) -> u32 {
        self.work().len() as u32
    }

    /// Work that there was.
    pub(crate) fn record_of(&self, number: u32) -> Option<Record> {
        self.work().get(number as usize).cloned()
    }

    /// Whether work was before a place.
    pub(crate) fn is_before(&self, number: u32, order: &Order) -> bool {
        self.work().get(number as usize).is_some_and(|record| order.is_behind(record.queue, record.sequence))
    }

    /// Gives work its number.
    pub(crate) fn enroll(&self, order: &Order, work: Work) -> u32 {
        let &Order { queue, sequence, ref asker, .. } = order;
        let mut all = self.work.write().unwrap_or_else(PoisonError::into_inner);
        all.push(Record { queue, sequence, asker: asker.clone(), work });
        (all.len() - 1) as u32
    }

    fn execute(
        &self,
        module: &Module,
        function: &Function,
        kernel_number: u32,
        args: &LaunchArgs<'_>,
    ) -> Result<Stats, Box<Report>> {
        let ctas: u64 = args.grid.iter().map(|dim| u64::from(*dim)).product();
        let threads = if self.config.threads == 0 { cores() } else { self.config.threads };
        let workers = if args.seed.is_some() { 1 } else { threads.min(ctas as usize).max(1) };
        let params = Region::small(args.params.len().max(1) as u64);
        params.copy_in(0, args.params);
        params.define_all();
        let kernel = Kernel {
            code: module.code.clone(),
            name: function.name.clone(),
            grid: args.grid,
            block: args.block,
        };
        let order = args.order.cloned().unwrap_or_else(|| self.take_place(args.queue, false));
        let number = self.enroll(&order, Work::Kernel(kernel));
        let ordered = |other: u32| self.is_before(other, &order);
        let past = |other: u32| self.record_of(other);
        let print = &*self.config.print;
        let launch = Launch {
            code: &module.code,
            origins: &self.origins,
            kernel: function,
            kernel_number,
            number,
            grid: args.grid,
            block: args.block,
            dynamic_shared: args.dynamic_shared,
            params: &params,
            memory: &self.memory,
            segments: &self.segments,
            first_segment: self.segments.next(),
            all_before: self.lock_queues().is_behind_all(&order),
            after: &ordered,
            past: &past,
            asker: order.asker.clone(),
            checks: self.config.checks,
            print,
            processors: self.config.processors.max(1),
            stack: self.config.stack,
            instruction_limit: self.config.instruction_limit.unwrap_or(u64::MAX),
            shared: Shared::new(workers),
        };
        let started = Instant::now();
        exec::run(&launch, workers, args.seed)?;
        let (instructions, warp_instructions) = launch.shared.instructions();
        Ok(Stats { instructions, warp_instructions, ctas, time: started.elapsed() })
    }

    /// Executes a kernel with each of several seeds, each time on the memory as it is now; gives the first
    /// mistake and its seed. Memory keeps what the last one wrote. What differs between the schedules is
    /// told, except in the allocations that begin at the addresses of `aside`.
    pub fn try_schedules(
        &self,
        module: &Module,
        kernel: &str,
        args: &LaunchArgs<'_>,
        seeds: std::ops::Range<u64>,
        aside: &[u64],
    ) -> Result<Schedules, (u64, Box<Report>)> {
        let lacking = |seed| {
            let message = "the host lacks memory for a copy of the device's".to_owned();
            (seed, bad_launch(kernel, message))
        };
        let before = self.snapshot(&[]).ok_or_else(|| lacking(seeds.start))?;
        let numbering = self.segments.numbering();
        let mut result = Schedules::default();
        let mut after = Vec::new();
        for seed in seeds.clone() {
            // Numbers that were given anew mean other accesses.
            let with_accesses = self.segments.numbering() == numbering;
            for (contents, allocation) in &before {
                allocation.region.restore(contents, with_accesses);
            }
            let args = LaunchArgs { seed: Some(seed), ..*args };
            result.last = self.launch(module, kernel, &args).map_err(|report| (seed, report))?;
            if seed == seeds.start {
                after = self.snapshot(aside).ok_or_else(|| lacking(seed))?;
            } else if result.difference.is_none() {
                result.difference = difference(&after, (seeds.start, seed));
            }
        }
        Ok(result)
    }

    /// The contents of all allocations but some.
    fn snapshot(&self, aside: &[u64]) -> Option<Vec<(Region, Arc<Allocation>)>> {
        let all = self.memory.all().0.into_iter().filter(|allocation| !aside.contains(&allocation.base));
        all.map(|allocation| Some((allocation.region.snapshot()?, allocation))).collect()
    }
}

/// The first byte that a schedule left otherwise than the first one.
fn difference(first: &[(Region, Arc<Allocation>)], seeds: (u64, u64)) -> Option<Difference> {
    first.iter().find_map(|(contents, allocation)| {
        let offset = allocation.region.first_difference(contents)?;
        Some(Difference { seeds, object: allocation.name.clone(), offset, size: allocation.region.bytes() })
    })
}

fn bad_launch(kernel: &str, message: String) -> Box<Report> {
    Box::new(Report {
        kind: Kind::BadLaunch,
        kernel: kernel.to_owned(),
        at: None,
        other: None,
        memory: None,
        message,
        notes: Vec::new(),
        is_between_queues: false,
    })
}

/// What is wrong with a launch, if anything.
fn check_launch(function: &Function, args: &LaunchArgs<'_>) -> Result<(), String> {
    let threads = args.block.iter().try_fold(1u32, |a, b| a.checked_mul(*b));
    let limits = [i32::MAX as u32, 65535, 65535];
    let grid_fits = args.grid.iter().zip(limits).all(|(dim, limit)| (1..=limit).contains(dim));
    let ctas = args.grid.iter().map(|dim| u64::from(*dim)).product::<u64>();
    if !grid_fits || ctas > u64::from(u32::MAX) / 2 {
        return Err(format!("a grid of {:?} CTAs", args.grid));
    }
    let Some(threads) = threads.filter(|threads| (1..=MOST_THREADS).contains(threads)) else {
        return Err(format!("a CTA of {:?} threads; {MOST_THREADS} are the most", args.block));
    };
    if args.block[2] > 64 {
        return Err("a CTA is at most 64 threads deep".to_owned());
    }
    if let Some(required) = function.required_threads.filter(|required| *required != args.block) {
        return Err(format!("the kernel requires CTAs of {required:?} threads, not {:?}", args.block));
    }
    if let Some(most) = function.max_threads.filter(|most| threads > *most) {
        return Err(format!("the kernel takes at most {most} threads in a CTA, not {threads}"));
    }
    if function.shared_bytes > MOST_STATIC {
        let bytes = function.shared_bytes;
        return Err(format!("{bytes} bytes of variables in shared memory; {MOST_STATIC} are the most"));
    }
    let shared = u64::from(function.shared_bytes) + u64::from(args.dynamic_shared);
    if shared > u64::from(MOST_SHARED) {
        return Err(format!("{shared} bytes of shared memory; {MOST_SHARED} are the most"));
    }
    if args.params.len() != function.param_bytes as usize {
        let (given, wanted) = (args.params.len(), function.param_bytes);
        return Err(format!("{given} bytes of parameters are given, and the kernel takes {wanted}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_modules_are_for_several_host_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Device>();
        shared::<Module>();
    }

    #[test]
    fn variables_in_shared_memory_are_limited() {
        let device = Device::new(Config::default());
        let load = |bytes: u32| {
            let text = format!(
                ".version 7.0\n.target sm_70\n.address_size 64\n.shared .align 4 .b8 a[4096];\n.shared .align 4 .b8 b[{bytes}];\n\
                 .visible .entry k()\n{{\nst.shared.u32 [a], 1;\nst.shared.u32 [b], 1;\nret;\n}}\n\
                 .visible .entry small()\n{{\nst.shared.u32 [a], 1;\nret;\n}}\n"
            );
            device.load(&text).expect("a module")
        };
        let launch = |module: &Module, name: &str| device.launch(module, name, &LaunchArgs::default());
        launch(&load(45056), "k").expect("it is as much as there is");
        let larger = load(45060);
        let error = launch(&larger, "k").expect_err("it is more than there is");
        assert!(error.message.contains("49156 bytes of variables in shared memory"), "{error}");
        launch(&larger, "small").expect("it names only one of them");
    }

    #[test]
    fn memory_is_limited_and_checked() {
        let device = Device::new(Config { memory: 1000, ..Config::default() });
        let address = device.alloc(600, "a").expect("there is memory");
        assert!(matches!(device.alloc(600, "b"), Err(MemoryError::OutOfMemory { used: 600, .. })));
        assert!(device.copy_in(address + 590, &[0; 20]).is_err());
        device.set(address, 7, 10).expect("it is inside");
        device.copy(address + 20, address + 5, 10).expect("it is inside");
        let mut data = [0; 30];
        assert_eq!(device.copy_out(address, &mut data), Ok(Some(10)));
        assert_eq!((data[9], data[24], device.copy_out(address + 20, &mut data[..10])), (7, 7, Ok(Some(5))));
        device.free(address).expect("it was allocated");
        assert_eq!(device.free(address), Err(MemoryError::NotAllocated(address)));
        let huge = Device::new(Config { memory: u64::MAX, ..Config::default() });
        assert!(huge.alloc(1 << 60, "more than any host has").is_err());
    }
}
