//! Pinned memory through which copies on asynchronous queues go: from and to the program's own memory, which
//! the driver may move, it copies only while the host waits.
//!
//! A copy is cut into chunks; runs of bytes with gaps are packed in them ([`super::pieces`]). On the way up a
//! chunk is filled by the calling thread, and free again when its event has happened. On the way down the
//! stream itself calls back when a chunk has arrived, and the driver's thread copies it to its place, before
//! anything that comes later on the stream. What goes up again before it has come down is read by the stream,
//! too, when it comes to it.

use super::driver::{check, pinned};
use super::pieces::{Piece, pieces};
use crate::plugin::{Result, Runs};
use cudarc::driver::sys;
use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes of a chunk.
pub(super) const CHUNK: usize = 4 << 20;
/// Chunks of a device, at most.
const MOST: usize = 32;

/// How long to wait for a chunk before asking whether there is still hope.
const PATIENCE: Duration = Duration::from_millis(200);

/// The chunks of a device.
#[derive(Default)]
pub(super) struct Staging {
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Chunk>,
    /// Chunks on their way up, the oldest first, each with the event behind its copy.
    rising: Vec<(Chunk, usize)>,
    count: usize,
}

/// A range of the program's memory that is still to be written.
struct Falling {
    start: usize,
    end: usize,
    /// The stream that does it, and the device's [`Staging`], as an address.
    stream: usize,
    staging: usize,
}

/// What all devices are still to write.
static FALLING: Mutex<Vec<Falling>> = Mutex::new(Vec::new());

fn falling() -> MutexGuard<'static, Vec<Falling>> {
    FALLING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Who is still to write some bytes, with copies from devices.
#[derive(Default)]
pub(super) struct Writers {
    /// Streams of this device.
    streams: Vec<usize>,
    /// Other devices do, for which the program has let the stream wait.
    others: bool,
}

impl Writers {
    pub(super) fn is_empty(&self) -> bool {
        self.streams.is_empty() && !self.others
    }
}

/// Pinned memory of [`CHUNK`] bytes.
#[derive(Clone, Copy)]
struct Chunk(usize);

impl Chunk {
    fn pointer(self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.0)
    }
}

/// What the stream calls back with.
struct Arrival {
    staging: Arc<Staging>,
    chunk: Chunk,
    to: usize,
    piece: Piece,
}

/// What the stream calls back with before a chunk goes up.
struct Departure {
    chunk: Chunk,
    from: usize,
    piece: Piece,
}

impl Staging {
    /// Who is still to write some of these bytes.
    pub(super) fn writers(&self, from: *const u8, bytes: usize) -> Writers {
        let (start, end) = (from.addr(), from.addr().saturating_add(bytes));
        let mut writers = Writers::default();
        for range in falling().iter().filter(|range| start < range.end && range.start < end) {
            match range.staging == std::ptr::from_ref(self).addr() {
                true => writers.streams.push(range.stream),
                false => writers.others = true,
            }
        }
        writers.streams.sort_unstable();
        writers.streams.dedup();
        writers
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A chunk that nobody uses. Waits for one if there are as many as there may be; not for ever: after an
    /// error of the device no stream goes on.
    fn take(&self, stream: sys::CUstream) -> Result<Chunk> {
        let mut state = self.state();
        loop {
            if let Some(chunk) = state.idle.pop() {
                return Ok(chunk);
            }
            // SAFETY: the event was recorded, and belongs to the chunk.
            let query = |event: usize| unsafe { sys::cuEventQuery(event as sys::CUevent) };
            let is_done = |event: usize| query(event) != sys::CUresult::CUDA_ERROR_NOT_READY;
            if let Some(index) = state.rising.iter().position(|&(_, event)| is_done(event)) {
                let (chunk, event) = state.rising.remove(index);
                release_event(event);
                return Ok(chunk);
            }
            if state.count < MOST {
                state.count += 1;
                drop(state);
                return pinned(CHUNK).map(Chunk);
            }
            if state.rising.is_empty() {
                state = self.freed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
                // SAFETY: the stream is one of the current context.
                match unsafe { sys::cuStreamQuery(stream) } {
                    sys::CUresult::CUDA_SUCCESS | sys::CUresult::CUDA_ERROR_NOT_READY => continue,
                    failed => check("copy on a queue", failed)?,
                }
                continue;
            }
            let (chunk, event) = state.rising.remove(0);
            drop(state);
            // SAFETY: as above.
            let result = unsafe { sys::cuEventSynchronize(event as sys::CUevent) };
            release_event(event);
            check("copy to the device", result)?;
            return Ok(chunk);
        }
    }

    /// A range of the program's memory was written.
    fn has_fallen(&self, place: usize, bytes: usize) {
        let mut all = falling();
        let own = std::ptr::from_ref(self).addr();
        let is_it = |range: &Falling| (range.start, range.end, range.staging) == (place, place + bytes, own);
        if let Some(index) = all.iter().position(is_it) {
            all.swap_remove(index);
        }
    }

    fn give(&self, chunk: Chunk) {
        self.state().idle.push(chunk);
        self.freed.notify_one();
    }

    /// Copies to the device. The program's bytes have been read when this returns, unless there are
    /// [`Staging::writers`] of them: then the stream reads them, after these.
    ///
    /// # Safety
    /// The bytes may be read; the stream is one of the current context.
    pub(super) unsafe fn upload(
        &self,
        to: sys::CUdeviceptr,
        from: *const u8,
        runs: &Runs,
        stream: sys::CUstream,
        writers: Writers,
    ) -> Result<()> {
        let is_awaited = !writers.is_empty();
        for writer in writers.streams.into_iter().filter(|&writer| writer != stream as usize) {
            follow(stream, writer as sys::CUstream)?;
        }
        for piece in pieces(runs, CHUNK as u64) {
            let chunk = self.take(stream)?;
            let mut event = std::ptr::null_mut();
            // SAFETY: the caller's promise; the chunk is ours, and no copy from it is under way.
            let result = unsafe {
                let from = from.add(piece.at as usize);
                let filled = match is_awaited {
                    true => fill_later(chunk, from, piece, stream),
                    false => {
                        piece.gather(chunk.pointer(), from);
                        Ok(())
                    }
                };
                filled
                    .and_then(|()| upload(to + piece.at, chunk.pointer(), piece, piece.packed(), stream))
                    .and_then(|()| check("cuEventCreate", sys::cuEventCreate(&mut event, DISABLE_TIMING)))
                    .and_then(|()| check("cuEventRecord", sys::cuEventRecord(event, stream)))
            };
            if let Err(error) = result {
                self.give(chunk);
                return Err(error);
            }
            self.state().rising.push((chunk, event as usize));
        }
        Ok(())
    }

    /// Copies from the device. The program's bytes are written when the stream comes to it.
    ///
    /// # Safety
    /// The bytes may be written until then; the stream is one of the current context.
    pub(super) unsafe fn download(
        self: &Arc<Staging>,
        to: *mut u8,
        from: sys::CUdeviceptr,
        runs: &Runs,
        stream: sys::CUstream,
    ) -> Result<()> {
        for piece in pieces(runs, CHUNK as u64) {
            let chunk = self.take(stream)?;
            let staging = Arc::clone(self);
            // SAFETY: the caller's promise.
            let place = unsafe { to.add(piece.at as usize) }.expose_provenance();
            let arrival = Box::into_raw(Box::new(Arrival { staging, chunk, to: place, piece }));
            falling().push(Falling {
                start: place,
                end: place + piece.extent(),
                stream: stream as usize,
                staging: Arc::as_ptr(self).addr(),
            });
            // SAFETY: the chunk is ours, and large enough; `arrived` takes what the box holds, once.
            let result = unsafe {
                download(chunk.pointer(), from + piece.at, piece.packed(), piece, stream).and_then(|()| {
                    check("cuLaunchHostFunc", sys::cuLaunchHostFunc(stream, Some(arrived), arrival.cast()))
                })
            };
            if let Err(error) = result {
                // SAFETY: the stream did not take it.
                drop(unsafe { Box::from_raw(arrival) });
                self.has_fallen(place, piece.extent());
                self.give(chunk);
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Events of chunks need no times.
const DISABLE_TIMING: u32 = 2;

/// A chunk has arrived: the driver calls this from a thread of its own, and no function of the driver may be
/// called here.
unsafe extern "C" fn arrived(data: *mut c_void) {
    // SAFETY: `download` handed the box over.
    let arrival = unsafe { Box::from_raw(data.cast::<Arrival>()) };
    let to = std::ptr::with_exposed_provenance_mut::<u8>(arrival.to);
    // SAFETY: the promise of the caller of `download`; nobody else uses the chunk.
    unsafe { arrival.piece.scatter(to, arrival.chunk.pointer()) };
    arrival.staging.has_fallen(arrival.to, arrival.piece.extent());
    arrival.staging.give(arrival.chunk);
}

/// Makes a stream wait for what another one has to do so far.
fn follow(stream: sys::CUstream, other: sys::CUstream) -> Result<()> {
    let mut event = std::ptr::null_mut();
    // SAFETY: the pointer is to a variable of the type that the function asks for; the streams exist, as work
    // on them is not done. What the stream waits for is fixed when it is told.
    unsafe {
        check("cuEventCreate", sys::cuEventCreate(&mut event, DISABLE_TIMING))?;
        let waits = check("cuEventRecord", sys::cuEventRecord(event, other))
            .and_then(|()| check("cuStreamWaitEvent", sys::cuStreamWaitEvent(stream, event, 0)));
        release_event(event as usize);
        waits
    }
}

/// Lets the stream fill a chunk when it comes to it.
///
/// # Safety
/// The bytes may be read then; the stream is one of the current context.
unsafe fn fill_later(chunk: Chunk, from: *const u8, piece: Piece, stream: sys::CUstream) -> Result<()> {
    let departure = Box::into_raw(Box::new(Departure { chunk, from: from.expose_provenance(), piece }));
    // SAFETY: `departs` takes what the box holds, once.
    let result = unsafe { sys::cuLaunchHostFunc(stream, Some(departs), departure.cast()) };
    check("cuLaunchHostFunc", result).inspect_err(|_| {
        // SAFETY: the stream did not take it.
        drop(unsafe { Box::from_raw(departure) });
    })
}

/// A chunk is about to go up: as [`arrived`].
unsafe extern "C" fn departs(data: *mut c_void) {
    // SAFETY: `fill_later` handed the box over.
    let departure = unsafe { Box::from_raw(data.cast::<Departure>()) };
    let from = std::ptr::with_exposed_provenance::<u8>(departure.from);
    // SAFETY: the promise of the caller of `fill_later`; nobody else uses the chunk.
    unsafe { departure.piece.gather(departure.chunk.pointer(), from) };
}

/// Copies a piece to the device: `piece` says where its rows are there, `on_host` where they are on the host.
///
/// # Safety
/// The host's bytes may be read until the stream has done it; the stream is one of the current context.
pub(super) unsafe fn upload(
    to: sys::CUdeviceptr,
    from: *const u8,
    piece: Piece,
    on_host: Piece,
    stream: sys::CUstream,
) -> Result<()> {
    let from = from.cast::<c_void>();
    // SAFETY: the caller's promise.
    check("copy to the device", unsafe {
        if piece.is_one() {
            sys::cuMemcpyHtoDAsync_v2(to, from, piece.total(), stream)
        } else {
            let mut copy = planes(on_host, piece);
            (copy.srcMemoryType, copy.srcHost) = (HOST, from);
            (copy.dstMemoryType, copy.dstDevice) = (DEVICE, to);
            sys::cuMemcpy3DAsync_v2(&copy, stream)
        }
    })
}

/// Copies a piece from the device: `on_host` says where its rows are on the host, `piece` where they are on
/// the device.
///
/// # Safety
/// The host's bytes may be written until the stream has done it; the stream is one of the current context.
pub(super) unsafe fn download(
    to: *mut u8,
    from: sys::CUdeviceptr,
    on_host: Piece,
    piece: Piece,
    stream: sys::CUstream,
) -> Result<()> {
    let to = to.cast::<c_void>();
    // SAFETY: the caller's promise.
    check("copy from the device", unsafe {
        if piece.is_one() {
            sys::cuMemcpyDtoHAsync_v2(to, from, piece.total(), stream)
        } else {
            let mut copy = planes(piece, on_host);
            (copy.srcMemoryType, copy.srcDevice) = (DEVICE, from);
            (copy.dstMemoryType, copy.dstHost) = (HOST, to);
            sys::cuMemcpy3DAsync_v2(&copy, stream)
        }
    })
}

const HOST: sys::CUmemorytype = sys::CUmemorytype_enum::CU_MEMORYTYPE_HOST;
const DEVICE: sys::CUmemorytype = sys::CUmemorytype_enum::CU_MEMORYTYPE_DEVICE;

/// The copy of rows and planes, without the two places.
fn planes(from: Piece, to: Piece) -> sys::CUDA_MEMCPY3D {
    let height = |piece: Piece| (piece.planes.distance / piece.rows.distance) as usize;
    sys::CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: HOST,
        srcHost: std::ptr::null(),
        srcDevice: 0,
        srcArray: std::ptr::null_mut(),
        reserved0: std::ptr::null_mut(),
        srcPitch: from.rows.distance as usize,
        srcHeight: height(from),
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: HOST,
        dstHost: std::ptr::null_mut(),
        dstDevice: 0,
        dstArray: std::ptr::null_mut(),
        reserved1: std::ptr::null_mut(),
        dstPitch: to.rows.distance as usize,
        dstHeight: height(to),
        WidthInBytes: from.bytes as usize,
        Height: from.rows.count as usize,
        Depth: from.planes.count as usize,
    }
}

fn release_event(event: usize) {
    // SAFETY: the event is one of `upload`'s, and nobody uses it any more.
    let _ = unsafe { sys::cuEventDestroy_v2(event as sys::CUevent) };
}
