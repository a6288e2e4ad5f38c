//! NVIDIA GPUs, through the driver, which is looked for when the program asks for one.
//!
//! A GPU is opened on its first use: its context, and the program's code, which the driver compiles then.
//! Queues are streams, events are the driver's, memory comes from a pool in the order of a stream. Copies on
//! asynchronous queues go through pinned memory ([`staging`]), so that they overlap with kernels and with the
//! host, and so do large ones that the host waits for, so that threads share them ([`shared_copy`]); small
//! ones behind a region that the host waits for are awaited together with it ([`late`]). Memory of scalars is
//! kept ([`small`]). Launches are put on a tape ([`tape`], [`tapes`]), which the driver gets as a graph
//! ([`graphs`], [`rhythm`]), together with kernels that copy scalars ([`helpers`]); where each launch is
//! timed, or with `ACCRUE_GRAPH=0`, the driver gets every launch when it comes.
//!
//! [`super::ptx`] says what an image of the program consists of, and decides the grid and the block.

mod chunks;
mod driver;
mod graphs;
mod helpers;
mod late;
mod module;
mod peers;
mod pieces;
mod rhythm;
mod shared_copy;
mod small;
mod staging;
mod tape;
mod tapes;

pub use driver::{Gpu, probe};

use super::ptx::{self, Block, Image};
use super::{
    Device, Error, Event, HostFunction, Launch, Native, Properties, Queue, Result, Runs, Shape, Status,
    is_timed,
};
use crate::abi::Object;
use crate::device::kind;
use cudarc::driver::sys;
use driver::{call_later, check, create_stream};
use graphs::Kernel;
use helpers::Helpers;
use late::Late;
use module::{Function, Module};
use rustc_hash::FxHashMap;
use small::Small;
use staging::Staging;
use std::ffi::{CString, c_int, c_void};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tape::{POKED, Tape};
use tapes::Tapes;

/// Copies of up to this many bytes the driver has read, or written, when its call returns.
const SMALL: usize = 16 << 10;

/// A GPU.
pub struct Cuda {
    gpu: Gpu,
    image: Arc<Image>,
    properties: Properties,
    opened: OnceLock<Result<Open>>,
}

/// A GPU in use.
struct Open {
    context: usize,
    module: Module,
    staging: Arc<Staging>,
    late: Late,
    small: Small,
    /// None if the driver gets every launch when it comes.
    tapes: Option<Arc<Tapes>>,
    /// CTAs that are resident at once, by the kernel and its threads.
    resident: Mutex<FxHashMap<(usize, u32), u32>>,
    /// Events that nobody uses: without and with times.
    events: Mutex<[Vec<usize>; 2]>,
}

/// Bytes of scratch memory that a queue keeps for its launches, at most.
const KEPT_SCRATCH: usize = 1 << 20;

impl Cuda {
    /// The device for a GPU.
    pub fn new(gpu: Gpu, image: Arc<Image>) -> Cuda {
        let properties = Properties {
            name: gpu.name.clone(),
            vendor: CString::from(c"Nvidia"),
            driver: driver::version(),
            memory: gpu.memory,
        };
        Cuda { gpu, image, properties, opened: OnceLock::new() }
    }

    /// The GPU, open and current on this thread.
    fn open(&self) -> Result<&Open> {
        let opened = self.opened.get_or_init(|| Open::new(&self.gpu, &self.image));
        let open = opened.as_ref().map_err(Error::clone)?;
        // SAFETY: the context lives as long as the process.
        check("cuCtxSetCurrent", unsafe { sys::cuCtxSetCurrent(open.context as sys::CUcontext) })?;
        Ok(open)
    }
}

impl Cuda {
    /// Scratch memory for a launch that comes on the tape next, all zero bytes. A queue keeps a piece for all
    /// its launches, which are done one after the other.
    fn scratch(&self, tape: &mut Tape, bytes: usize, queue: Queue) -> Result<u64> {
        if bytes == 0 {
            return Ok(0);
        }
        let address = match tape.scratch {
            Some((address, room)) if room >= bytes => address,
            smaller => {
                tape.flush()?;
                tape.scratch = None;
                // SAFETY: the driver gave the address; its users are on the stream.
                let free = |(address, _)| unsafe { sys::cuMemFreeAsync(address, stream(queue)) };
                smaller.map_or(Ok(()), |piece| check("free", free(piece)))?;
                let (mut address, room) = (0, bytes.next_power_of_two().max(small::BYTES));
                // SAFETY: the pointer is to a variable of the right type; the stream exists.
                let result = unsafe { sys::cuMemAllocAsync(&mut address, room, stream(queue)) };
                check(&format!("{room} bytes of device memory"), result)?;
                tape.scratch = Some((address, room));
                address
            }
        };
        tape.clear(address, bytes);
        Ok(address)
    }

    /// What a launch that failed is told with.
    fn launch_error(&self, function: &Function, shape: &Shape, error: Error) -> Error {
        let [lanes, workers, _] = shape.block;
        let mut text = format!("{error} (grid {:?}, {lanes} lanes, {workers} workers)", shape.grid);
        if error == driver::error("launch", sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY) {
            let free = self.free_memory() as u64;
            let message = ptx::local_memory_message(function.local_bytes, self.gpu.threads(), free);
            text = format!("{text}: {message}");
        }
        Error::Failed(text)
    }
}

impl Open {
    /// Works with the tape of a queue, which gets one if it has none; `None` if the queue has no tape.
    fn with_tape<T>(&self, queue: Queue, work: impl FnOnce(&mut Tape) -> Result<T>) -> Result<Option<T>> {
        // The program gives its own streams work without a word.
        let Some(tapes) = self.tapes.as_ref().filter(|_| queue.0 & ADOPTED == 0) else { return Ok(None) };
        let shared = tapes.of(queue, stream(queue));
        let mut tape = shared.lock();
        let result = work(&mut tape)?;
        if !tape.is_empty() {
            tapes.watch();
        }
        Ok(Some(result))
    }

    /// Gives the driver what it has not got of a queue, before other work comes there.
    fn flush(&self, queue: Queue) -> Result<()> {
        match self.tapes.as_ref().and_then(|tapes| tapes.known(queue)) {
            Some(tape) => tape.lock().flush(),
            None => Ok(()),
        }
    }

    /// The same before something is written to device memory other than by a region.
    fn flush_for(&self, address: u64, queue: Queue) -> Result<()> {
        let Some(tape) = self.tapes.as_ref().and_then(|tapes| tapes.known(queue)) else { return Ok(()) };
        let mut tape = tape.lock();
        tape.forget(address);
        tape.flush()
    }

    fn new(gpu: &Gpu, image: &Image) -> Result<Open> {
        let mut context = std::ptr::null_mut();
        // SAFETY: the device exists; the pointer is to a variable of the type that the function asks for.
        unsafe {
            check("cuDevicePrimaryCtxRetain", sys::cuDevicePrimaryCtxRetain(&mut context, gpu.device))?;
            check("cuCtxSetCurrent", sys::cuCtxSetCurrent(context))?;
        }
        if gpu.has_pools {
            keep_memory(gpu)?;
        }
        let heap = image.has_heap.then(|| ptx::heap(gpu.processors, gpu.memory as u64));
        let limits = [
            (
                sys::CUlimit::CU_LIMIT_STACK_SIZE,
                image.open_stack.or(image.has_heap.then_some(ptx::HEAP_STACK)),
            ),
            (sys::CUlimit::CU_LIMIT_MALLOC_HEAP_SIZE, heap),
        ];
        for (limit, bytes) in limits {
            if let Some(bytes) = bytes.and_then(|bytes| usize::try_from(bytes).ok()) {
                // SAFETY: the context is current. A GPU that cannot have so much keeps what it has.
                let _ = unsafe { sys::cuCtxSetLimit(limit, bytes) };
            }
        }
        Ok(Open {
            context: context as usize,
            module: module::load(image)?,
            staging: Arc::default(),
            late: Late::default(),
            small: Small::default(),
            tapes: tapes(gpu, image, context as usize)?,
            resident: Mutex::default(),
            events: Mutex::default(),
        })
    }

    /// How many CTAs of `threads` threads can be on the GPU at once.
    fn resident(&self, gpu: &Gpu, function: &Function, threads: u32) -> Result<u32> {
        let mut known = self.resident.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&resident) = known.get(&(function.handle, threads)) {
            return Ok(resident);
        }
        let mut blocks = 0;
        let handle = function.handle as sys::CUfunction;
        // SAFETY: the function is of a module that stays loaded; the pointer is to a variable of the right
        // type.
        let result = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, handle, threads as c_int, 0)
        };
        check("cuOccupancyMaxActiveBlocksPerMultiprocessor", result)?;
        let resident = u32::try_from(blocks).unwrap_or(0).max(1).saturating_mul(gpu.processors);
        known.insert((function.handle, threads), resident);
        Ok(resident)
    }
}

/// The variable that says whether launches are put off: not if it is 0.
const GRAPH: &str = "ACCRUE_GRAPH";

/// The first version of the driver's interface whose graphs say how kernels depend on each other.
const WITH_GRAPHS: c_int = 12030;

/// The tapes, if this driver and the environment allow them.
fn tapes(gpu: &Gpu, image: &Image, context: usize) -> Result<Option<Arc<Tapes>>> {
    let is_refused = std::env::var_os(GRAPH).is_some_and(|value| value == "0");
    if is_refused || is_timed() || !gpu.has_pools || driver::number() < WITH_GRAPHS {
        return Ok(None);
    }
    Ok(Some(Arc::new(Tapes::new(Helpers::load(image.ptx.contains(helpers::WAIT))?, context))))
}

/// Lets the pool keep what is given back to it, instead of returning it to the system whenever the host
/// waits.
fn keep_memory(gpu: &Gpu) -> Result<()> {
    let pool = pool(gpu)?;
    let mut threshold = u64::MAX;
    let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    let value = (&raw mut threshold).cast::<c_void>();
    // SAFETY: the pointer is to a variable of the type that the function asks for.
    check("cuMemPoolSetAttribute", unsafe { sys::cuMemPoolSetAttribute(pool, attribute, value) })
}

/// The pool that memory of a device is taken from.
fn pool(gpu: &Gpu) -> Result<sys::CUmemoryPool> {
    let mut pool = std::ptr::null_mut();
    // SAFETY: the pointer is to a variable of the type that the function asks for.
    let result = unsafe { sys::cuDeviceGetDefaultMemPool(&mut pool, gpu.device) };
    check("cuDeviceGetDefaultMemPool", result).map(|()| pool)
}

/// Bytes that the pool keeps and nothing uses; 0 where that cannot be said.
fn kept_memory(gpu: &Gpu) -> usize {
    use sys::CUmemPool_attribute::{CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, CU_MEMPOOL_ATTR_USED_MEM_CURRENT};
    if !gpu.has_pools {
        return 0;
    }
    let Ok(pool) = pool(gpu) else { return 0 };
    let bytes = |attribute: sys::CUmemPool_attribute| {
        let mut bytes = 0u64;
        let value = (&raw mut bytes).cast::<c_void>();
        // SAFETY: the pointer is to a variable of the type that the function asks for.
        let result = unsafe { sys::cuMemPoolGetAttribute(pool, attribute, value) };
        check("cuMemPoolGetAttribute", result).ok().and_then(|()| usize::try_from(bytes).ok())
    };
    let [reserved, used] =
        [CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, CU_MEMPOOL_ATTR_USED_MEM_CURRENT].map(bytes);
    reserved.zip(used).map_or(0, |(reserved, used)| reserved.saturating_sub(used))
}

/// Bytes of the largest atomic access to a smaller object.
const WORD: usize = 4;

/// What the number of a queue holds besides the stream, whose address leaves the last bits free.
const ASYNCHRONOUS: u64 = 1;
/// The stream is the program's own.
const ADOPTED: u64 = 2;

fn stream(queue: Queue) -> sys::CUstream {
    (queue.0 & !(ASYNCHRONOUS | ADOPTED)) as usize as sys::CUstream
}

fn is_asynchronous(queue: Queue) -> bool {
    queue.0 & ASYNCHRONOUS != 0
}

fn event(event: Event) -> sys::CUevent {
    (event.0 & !TIMED) as usize as sys::CUevent
}

/// The event has a time.
const TIMED: u64 = 1;

impl Device for Cuda {
    fn kind(&self) -> c_int {
        kind::NVIDIA
    }

    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn free_memory(&self) -> usize {
        let (mut free, mut total) = (0, 0);
        // SAFETY: the pointers are to variables of the types that the function asks for.
        let known = self
            .open()
            .and_then(|_| check("cuMemGetInfo", unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) }));
        if known.is_ok() { free.saturating_add(kept_memory(&self.gpu)) } else { 0 }
    }

    fn allocate(&self, bytes: usize, _: &str, queue: Queue) -> Result<u64> {
        let open = self.open()?;
        // The program may destroy its own streams without a word.
        let is_small = self.gpu.has_pools && bytes <= small::BYTES && queue.0 & ADOPTED == 0;
        if is_small && let Some(address) = open.small.take(queue) {
            if let Some(tape) = open.tapes.as_ref().and_then(|tapes| tapes.known(queue)) {
                tape.lock().allocated(address);
            }
            return Ok(address);
        }
        let mut address = 0;
        // Atomic updates of small types access the word around them.
        let bytes = if is_small { small::BYTES } else { bytes.next_multiple_of(WORD) };
        // SAFETY: the pointer is to a variable of the type that the functions ask for; the stream exists.
        let result = unsafe {
            match self.gpu.has_pools {
                true => sys::cuMemAllocAsync(&mut address, bytes, stream(queue)),
                false => sys::cuMemAlloc_v2(&mut address, bytes),
            }
        };
        check(&format!("{bytes} bytes of device memory"), result)?;
        if is_small {
            open.small.allocated(address);
        }
        Ok(address)
    }

    fn free(&self, address: u64, queue: Queue) -> Result<()> {
        let open = self.open()?;
        if open.small.keep(address, (queue.0 & ADOPTED == 0).then_some(queue)) {
            if let Some(tape) = open.tapes.as_ref().and_then(|tapes| tapes.known(queue)) {
                tape.lock().dropped(address);
            }
            return Ok(());
        }
        open.flush_for(address, queue)?;
        // SAFETY: the driver knows what it has allocated; the stream exists.
        let result = unsafe {
            match self.gpu.has_pools {
                true => sys::cuMemFreeAsync(address, stream(queue)),
                // Waits for all work of the device.
                false => sys::cuMemFree_v2(address),
            }
        };
        match result {
            sys::CUresult::CUDA_ERROR_INVALID_VALUE => Err(Error::Failed("invalid device address".into())),
            result => check("free", result),
        }
    }

    unsafe fn upload(&self, to: u64, from: *const u8, bytes: usize, queue: Queue) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.upload_runs(to, from, &Runs::one(bytes as u64), queue) }
    }

    unsafe fn download(&self, to: *mut u8, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.download_runs(to, from, &Runs::one(bytes as u64), queue) }
    }

    unsafe fn upload_runs(&self, to: u64, from: *const u8, runs: &Runs, queue: Queue) -> Result<()> {
        let open = self.open()?;
        let writers = open.staging.writers(from, runs.extent() as usize);
        let is_value = runs.is_one() && runs.bytes <= POKED as u64 && writers.is_empty();
        if is_value && open.small.is_live(to) {
            // SAFETY: the caller's promise.
            let bytes = unsafe { std::slice::from_raw_parts(from, runs.bytes as usize) };
            let poked = open.with_tape(queue, |tape| {
                tape.poke(to, bytes);
                Ok(())
            })?;
            if poked.is_some() {
                return Ok(());
            }
        }
        open.flush_for(to, queue)?;
        // The driver reads a few bytes before it returns, but not those of several rows.
        let is_read_later = runs.bytes > SMALL as u64 || !runs.is_one();
        let goes_on = is_asynchronous(queue) && is_read_later || !writers.is_empty();
        if goes_on || open.staging.is_faster(runs) {
            // SAFETY: the caller's promise; the stream exists.
            return unsafe { open.staging.upload(to, from, runs, stream(queue), writers, goes_on) };
        }
        pieces::pieces(runs, u64::MAX).into_iter().try_for_each(|piece| {
            // SAFETY: as above.
            unsafe {
                staging::upload(to + piece.at, from.add(piece.at as usize), piece, piece, stream(queue))
            }
        })
    }

    unsafe fn download_runs(&self, to: *mut u8, from: u64, runs: &Runs, queue: Queue) -> Result<()> {
        let open = self.open()?;
        open.flush(queue)?;
        if is_asynchronous(queue) {
            // SAFETY: the caller's promise; the stream exists.
            return unsafe { open.staging.download(to, from, runs, stream(queue)) };
        }
        if open.staging.is_faster(runs) {
            // SAFETY: as above.
            return unsafe { open.staging.download_now(to, from, runs, stream(queue)) };
        }
        pieces::pieces(runs, u64::MAX).into_iter().try_for_each(|piece| {
            // SAFETY: as above.
            unsafe {
                staging::download(to.add(piece.at as usize), from + piece.at, piece, piece, stream(queue))
            }
        })
    }

    fn late_bytes(&self) -> usize {
        late::MOST
    }

    unsafe fn download_late(&self, to: *mut u8, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        let open = self.open()?;
        let late = open.late.expect((to, from, bytes), queue)?;
        if open.small.is_live(from) {
            let expected = open.with_tape(queue, |tape| {
                tape.late.push(late);
                Ok(())
            })?;
            if expected.is_some() {
                return Ok(());
            }
        }
        open.flush(queue)?;
        let place = std::ptr::with_exposed_provenance_mut::<c_void>(late.slot);
        // SAFETY: the slot is the copy's, and large enough; the stream exists.
        check("copy from the device", unsafe { sys::cuMemcpyDtoHAsync_v2(place, from, bytes, stream(queue)) })
    }

    fn copy(&self, to: u64, from: u64, bytes: usize, queue: Queue) -> Result<()> {
        self.open()?.flush_for(to, queue)?;
        // SAFETY: the driver knows what is device memory; the stream exists.
        check("copy within the device", unsafe { sys::cuMemcpyDtoDAsync_v2(to, from, bytes, stream(queue)) })
    }

    fn copy_across(
        &self,
        to: (&dyn Device, u64),
        from: (&dyn Device, u64),
        bytes: usize,
        queue: Queue,
    ) -> Result<bool> {
        // SAFETY: the driver knows what is device memory; the stream exists.
        unsafe { peers::copy(to, from, bytes, || self.open()?.flush(queue).map(|()| stream(queue))) }
    }

    fn clear(&self, at: u64, bytes: usize, queue: Queue) -> Result<()> {
        self.open()?.flush_for(at, queue)?;
        // SAFETY: as above.
        check("clear memory", unsafe { sys::cuMemsetD8Async(at, 0, bytes, stream(queue)) })
    }

    fn object(&self, object: &Object) -> Option<u64> {
        self.open().ok()?.module.objects.get(object.name.text()).copied()
    }

    fn owns(&self, address: u64) -> bool {
        if self.open().is_err() {
            return false;
        }
        // The driver looks the address up, and knows none of the C library's.
        let attribute = |attribute| {
            let mut value = 0u32;
            // SAFETY: the attributes that are asked for are numbers of this width.
            let result = unsafe { sys::cuPointerGetAttribute((&raw mut value).cast(), attribute, address) };
            (result == sys::CUresult::CUDA_SUCCESS).then_some(value)
        };
        let is_device = attribute(sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
            == Some(sys::CUmemorytype::CU_MEMORYTYPE_DEVICE as u32);
        is_device
            && attribute(sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
                .is_some_and(|number| c_int::try_from(number) == Ok(self.gpu.device))
    }

    unsafe fn launch(&self, launch: Launch<'_>, queue: Queue, after: &[Event]) -> Result<Shape> {
        let open = self.open()?;
        let Launch { desc, dims, args } = launch;
        let function = open.module.functions.get(desc.region.text());
        let function =
            function.ok_or_else(|| Error::Failed("compiler bug: the region has no kernel".into()))?;
        let (at, trial) = function.kernel.next(desc.region.text(), &args);
        let function = at.map_or(function, |at| &function.trials[at]);
        let kernel = &function.kernel;
        for &event in after {
            self.wait(queue, event)?;
        }
        let (shape, values) = function.shapes.get(kernel, dims, &args, || {
            let block = Block::new(kernel, dims, function.most_threads);
            let block = block
                .with_parts_of_rows(kernel, &args)
                .with_lanes(kernel, &args, (self.gpu.processors, function.most_threads))
                .with_rows(kernel, dims, &args, self.gpu.processors);
            let resident = open.resident(&self.gpu, function, block.threads())?;
            Ok(block.shape(kernel, dims, Some(&args), resident))
        })?;
        let bytes =
            ptx::scratch(kernel, &shape).ok_or_else(|| Error::Failed("more gangs than memory".into()))?;
        function.divide_fast_memory(&self.gpu, &shape)?;
        let kernel = Kernel { function: function.handle, grid: shape.grid, block: shape.block, arguments: 0 };
        let mut args = args;
        args.push(0);
        let scratch_at = args.len() - 1;
        if function.kernel.dims[4] == 0 {
            args.push(u64::from(shape.lanes));
        }
        args.extend_from_slice(&values);
        let kernel = Kernel { arguments: args.len() as u32, ..kernel };
        let failed = |error| self.launch_error(function, &shape, error);
        if !function.kernel.cooperative && bytes <= KEPT_SCRATCH {
            let launched = open.with_tape(queue, |tape| {
                args[scratch_at] = self.scratch(tape, bytes, queue)?;
                tape.launch(kernel, &args, !is_asynchronous(queue)).map_err(failed)
            })?;
            if launched.is_some() {
                return Ok(shape);
            }
        }
        if bytes > 0 {
            args[scratch_at] = self.allocate(bytes, "", queue)?;
            self.clear(args[scratch_at], bytes, queue)?;
        }
        open.flush(queue)?;
        let from = if is_timed() { Some(self.record(queue)?) } else { None };
        // SAFETY: the caller's promise; what `accrue-ptx-emit` says of kernels follows it.
        let result = unsafe { tape::start(&kernel, &args, function.kernel.cooperative, stream(queue)) };
        check("launch", result).map_err(failed)?;
        let span = from.map(|from| Ok((from, self.record(queue)?))).transpose()?;
        if bytes > 0 {
            self.free(args[scratch_at], queue)?;
        }
        Ok(Shape { span, trial, ..shape })
    }

    fn launches_later(&self) -> bool {
        true
    }

    fn goes_on(&self, queue: Queue) -> Result<()> {
        match self.open()?.tapes.as_ref().and_then(|tapes| tapes.known(queue)) {
            Some(tape) => tape.lock().goes_on(),
            None => Ok(()),
        }
    }

    fn runs_ahead(&self) -> bool {
        !self.image.waits && !self.gpu.sees_host && self.open().is_ok_and(|open| open.tapes.is_some())
    }

    fn create_queue(&self, asynchronous: bool) -> Result<Queue> {
        self.open()?;
        Ok(Queue(create_stream()? as u64 | if asynchronous { ASYNCHRONOUS } else { 0 }))
    }

    fn create_urgent_queue(&self) -> Result<Queue> {
        self.open()?;
        let (mut stream, mut least, mut greatest) = (std::ptr::null_mut(), 0, 0);
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the pointers are to variables of the types that the functions ask for.
        unsafe {
            check(
                "cuCtxGetStreamPriorityRange",
                sys::cuCtxGetStreamPriorityRange(&mut least, &mut greatest),
            )?;
            check(
                "cuStreamCreateWithPriority",
                sys::cuStreamCreateWithPriority(&mut stream, flags, greatest),
            )?;
        }
        Ok(Queue(stream as u64 | ASYNCHRONOUS))
    }

    fn release_queue(&self, queue: Queue) {
        if queue.0 & ADOPTED != 0 {
            return;
        }
        if let Ok(open) = self.open() {
            if let Some(tape) = open.tapes.as_ref().and_then(|tapes| tapes.remove(queue)) {
                let mut tape = tape.lock();
                let _ = tape.flush();
                tape.scratch.take().into_iter().for_each(|(address, _)| _ = self.free(address, queue));
            }
            open.small.leave(queue).into_iter().for_each(|address| _ = self.free(address, queue));
            // SAFETY: the stream is one of `create_queue`'s; work on it is still done.
            let _ = unsafe { sys::cuStreamDestroy_v2(stream(queue)) };
        }
    }

    fn record(&self, queue: Queue) -> Result<Event> {
        let open = self.open()?;
        open.flush(queue)?;
        let timed = is_timed();
        let idle = open.events.lock().unwrap_or_else(PoisonError::into_inner)[usize::from(timed)].pop();
        let event = match idle {
            Some(event) => event as sys::CUevent,
            None => {
                let mut event = std::ptr::null_mut();
                let timing = if timed { 0 } else { sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32 };
                // SAFETY: the pointer is to a variable of the type that the function asks for.
                check("cuEventCreate", unsafe { sys::cuEventCreate(&mut event, timing) })?;
                event
            }
        };
        // SAFETY: event and stream exist.
        check("cuEventRecord", unsafe { sys::cuEventRecord(event, stream(queue)) })?;
        Ok(Event(event as u64 | if timed { TIMED } else { 0 }))
    }

    fn marks_at_once(&self, queue: Queue) -> bool {
        queue.0 & ADOPTED != 0
    }

    fn release_event(&self, released: Event) {
        if let Ok(open) = self.open() {
            let mut events = open.events.lock().unwrap_or_else(PoisonError::into_inner);
            events[usize::from(released.0 & TIMED != 0)].push(event(released) as usize);
        }
    }

    fn wait(&self, queue: Queue, awaited: Event) -> Result<()> {
        self.open()?.flush(queue)?;
        // SAFETY: stream and event exist. What the stream waits for is fixed by this call: the event may be
        // reused.
        check("cuStreamWaitEvent", unsafe { sys::cuStreamWaitEvent(stream(queue), event(awaited), 0) })
    }

    /// A stream may wait for events of any context.
    fn wait_for_other(&self, queue: Queue, other: &dyn Device, event: Event) -> Result<bool> {
        if other.kind() != self.kind() {
            return Ok(false);
        }
        self.wait(queue, event).map(|()| true)
    }

    fn query(&self, asked: Event) -> Status {
        if let Err(error) = self.open() {
            return Status::Failed(error);
        }
        // SAFETY: the event exists.
        match unsafe { sys::cuEventQuery(event(asked)) } {
            sys::CUresult::CUDA_SUCCESS => Status::Done,
            sys::CUresult::CUDA_ERROR_NOT_READY => Status::Pending,
            failed => Status::Failed(driver::error("the GPU", failed)),
        }
    }

    fn finish(&self, queue: Queue) -> Result<()> {
        let open = self.open()?;
        let told = match open.tapes.as_ref().and_then(|tapes| tapes.known(queue)) {
            Some(tape) => tape.lock().publish()?,
            None => None,
        };
        let mut result = told.map_or(sys::CUresult::CUDA_SUCCESS, |told| tapes::wait(told, stream(queue)));
        // What regions print is shown by the driver's own waits only.
        if result == sys::CUresult::CUDA_SUCCESS && (told.is_none() || self.image.waits) {
            // SAFETY: the stream exists.
            result = unsafe { sys::cuStreamSynchronize(stream(queue)) };
        }
        let result = check("the GPU", result);
        if !is_asynchronous(queue) {
            open.late.arrive(queue, result.is_ok());
        }
        result
    }

    fn call_host(&self, queue: Queue, function: HostFunction) -> Result<()> {
        self.open()?.flush(queue)?;
        // SAFETY: the stream exists; `call` takes the box.
        unsafe { call_later(stream(queue), call, function) }
    }

    fn elapsed(&self, from: Event, to: Event) -> Option<Duration> {
        self.open().ok()?;
        let mut milliseconds = 0.0f32;
        // SAFETY: the events exist; the pointer is to a variable of the type that the function asks for.
        let result = unsafe { sys::cuEventElapsedTime(&mut milliseconds, event(from), event(to)) };
        let known = result == sys::CUresult::CUDA_SUCCESS;
        known.then(|| Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3))
    }

    fn native(&self, handle: Native) -> *mut c_void {
        let Ok(open) = self.open() else { return std::ptr::null_mut() };
        match handle {
            Native::Device => (&raw const self.gpu.device).cast_mut().cast(),
            Native::Context => open.context as *mut c_void,
            Native::Stream(queue) => stream(queue).cast(),
        }
    }

    fn adopt_queue(&self, native: *mut c_void) -> Option<Queue> {
        (!native.is_null()).then(|| Queue(native.expose_provenance() as u64 | ASYNCHRONOUS | ADOPTED))
    }
}

/// The driver calls this from a thread of its own.
unsafe extern "C" fn call(data: *mut c_void) {
    // SAFETY: `call_host` handed the box over.
    let function = unsafe { Box::from_raw(data.cast::<HostFunction>()) };
    function();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_queues_hold_the_stream() {
        let queue = Queue(0x7f00_1230 | ASYNCHRONOUS);
        assert_eq!((stream(queue) as u64, is_asynchronous(queue)), (0x7f00_1230, true));
        assert!(!is_asynchronous(Queue(0x7f00_1230)));
        assert_eq!(event(Event(0x5500 | TIMED)) as u64, 0x5500);
    }
}
