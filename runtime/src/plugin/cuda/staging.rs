//! Copies between the program's memory and a device through pinned memory ([`super::chunks`]): the program's
//! own memory, which the driver may move, it copies only while the host waits, and with one thread.
//!
//! A copy is cut into pieces of a chunk at most; runs of bytes with gaps are packed in them
//! ([`super::pieces`]). Some pieces at a time are filled, or emptied, by as many threads, while the device
//! copies those before. On the way up the calling thread waits until chunks are filled; they are free again
//! when their event has happened. On the way down the stream itself calls back when chunks have arrived, and
//! they are emptied before anything that comes later on the stream, or the host waits for them. What goes up
//! again before it has come down is read by the stream, too, when it comes to it.

use super::chunks::{CHUNK, Chunk, Chunks, Happening, MOST};
use super::driver::{call_later, check, create_stream};
use super::pieces::{Piece, pieces};
use super::shared_copy;
use crate::plugin::{Result, Runs};
use cudarc::driver::sys;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that a thread copies at a time.
const PART: u64 = 256 << 10;
/// Pieces that are filled or emptied together, at most.
const TOGETHER: usize = 16;
/// Chunks for a copy that the host waits for, at most: some are filled, some on their way, some next.
const AT_ONCE: usize = 3 * TOGETHER;

/// Bytes of a copy that the host waits for from which on it is worth several threads.
const SHARED: u64 = 4 << 20;
/// Threads that are faster together than the driver's one, at least.
const ENOUGH: usize = 4;
/// Bytes that the driver copies in the time that it takes to make the chunks.
const WORTH: u64 = 64 << 20;

/// What a device has for such copies.
#[derive(Default)]
pub(super) struct Staging {
    chunks: Chunks,
    /// Bytes of large copies that the host has waited for.
    waited: AtomicU64,
}

/// A range of the program's memory that is still to be written.
struct Falling {
    place: Range<usize>,
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

/// Pieces that are copied together, each through a chunk.
#[derive(Clone)]
struct Group {
    pieces: Vec<Piece>,
    chunks: Vec<Chunk>,
    /// The place on the host, and the address on the device, that the pieces count from.
    host: usize,
    device: sys::CUdeviceptr,
}

impl Group {
    /// The range on the host that holds the pieces.
    fn place(&self) -> Range<usize> {
        let starts = self.pieces.iter().map(|piece| self.host + piece.at as usize);
        let ends = self.pieces.iter().map(|piece| self.host + piece.at as usize + piece.extent());
        starts.min().unwrap_or(0)..ends.max().unwrap_or(0)
    }

    /// What is copied within the host's memory.
    fn parts(&self) -> Vec<Part> {
        let pieces = self.pieces.iter().zip(&self.chunks);
        let parts = pieces.flat_map(|(piece, chunk)| {
            piece.parts(PART).map(|(rows, offset)| Part { rows, host: self.host, chunk: *chunk, offset })
        });
        parts.collect()
    }

    /// # Safety
    /// The pieces may be read; nobody else uses the chunks.
    unsafe fn fill(&self) {
        // SAFETY: the caller's promise; a chunk has room for a piece.
        shared_copy::each(self.parts(), |part| unsafe { part.rows.gather(part.packed(), part.host()) });
    }

    /// # Safety
    /// The pieces may be written; nobody else uses the chunks.
    unsafe fn empty(&self) {
        // SAFETY: the caller's promise; a chunk has all of its piece.
        shared_copy::each(self.parts(), |part| unsafe { part.rows.scatter(part.host(), part.packed()) });
    }

    /// The stream copies the chunks to the device.
    ///
    /// # Safety
    /// The chunks are filled when the stream comes to it; it is one of the current context.
    unsafe fn rise(&self, stream: sys::CUstream) -> Result<()> {
        self.pieces.iter().zip(&self.chunks).try_for_each(|(&piece, chunk)| {
            // SAFETY: the caller's promise.
            unsafe { upload(self.device + piece.at, chunk.pointer(), piece, piece.packed(), stream) }
        })
    }

    /// The stream copies from the device to the chunks.
    ///
    /// # Safety
    /// Nobody else uses the chunks when the stream comes to it; it is one of the current context.
    unsafe fn fall(&self, stream: sys::CUstream) -> Result<()> {
        self.pieces.iter().zip(&self.chunks).try_for_each(|(&piece, chunk)| {
            // SAFETY: the caller's promise.
            unsafe { download(chunk.pointer(), self.device + piece.at, piece.packed(), piece, stream) }
        })
    }
}

/// A part of a piece, which one thread copies.
struct Part {
    rows: Piece,
    /// The place on the host that its rows count from.
    host: usize,
    chunk: Chunk,
    /// Bytes of the piece in front of it.
    offset: usize,
}

impl Part {
    fn host(&self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.host + self.rows.at as usize)
    }

    fn packed(&self) -> *mut u8 {
        self.chunk.pointer().wrapping_add(self.offset)
    }
}

/// What is left of a copy.
struct Rest {
    pieces: VecDeque<Piece>,
    host: usize,
    device: sys::CUdeviceptr,
}

impl Rest {
    fn new(host: *const u8, device: sys::CUdeviceptr, runs: &Runs) -> Rest {
        let pieces = pieces(runs, CHUNK as u64).into();
        Rest { pieces, host: host.expose_provenance(), device }
    }

    fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// How many chunks the next pieces would like to have.
    fn wanted(&self) -> usize {
        self.pieces.len().min(TOGETHER)
    }

    /// The next pieces, one for each of the chunks, of which there are [`Rest::wanted`] at most.
    fn next(&mut self, chunks: Vec<Chunk>) -> Group {
        let pieces = self.pieces.drain(..chunks.len()).collect();
        Group { pieces, chunks, host: self.host, device: self.device }
    }
}

/// A stream that goes on from where another one is.
struct Beside(sys::CUstream);

impl Beside {
    fn new(stream: sys::CUstream) -> Result<Beside> {
        let beside = Beside(create_stream()?);
        Happening::record(stream)?.hold(beside.0).map(|()| beside)
    }

    /// What comes later on the other stream waits for what this one has to do so far.
    fn join(&self, stream: sys::CUstream) -> Result<()> {
        Happening::record(self.0)?.hold(stream)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // SAFETY: the stream is ours; work on it is still done.
        let _ = unsafe { sys::cuStreamDestroy_v2(self.0) };
    }
}

/// What the stream calls back with.
struct Arrival {
    staging: Arc<Staging>,
    group: Group,
}

impl Staging {
    /// Who is still to write some of these bytes.
    pub(super) fn writers(&self, from: *const u8, bytes: usize) -> Writers {
        let (start, end) = (from.addr(), from.addr().saturating_add(bytes));
        let mut writers = Writers::default();
        for range in falling().iter().filter(|range| start < range.place.end && range.place.start < end) {
            match range.staging == std::ptr::from_ref(self).addr() {
                true => writers.streams.push(range.stream),
                false => writers.others = true,
            }
        }
        writers.streams.sort_unstable();
        writers.streams.dedup();
        writers
    }

    /// Whether a copy that the host waits for had better go through chunks: a large one, if there are threads
    /// for it, once so much has been copied that the chunks are worth their making.
    pub(super) fn is_faster(&self, runs: &Runs) -> bool {
        runs.is_one()
            && runs.bytes >= SHARED
            && self.waited.fetch_add(runs.bytes, Ordering::Relaxed) + runs.bytes >= WORTH
            // Asking starts the threads.
            && rayon::current_num_threads() >= ENOUGH
            && self.chunks.exist(TOGETHER)
    }

    /// A range of the program's memory was written.
    fn has_fallen(&self, place: &Range<usize>) {
        let mut all = falling();
        let own = std::ptr::from_ref(self).addr();
        if let Some(index) = all.iter().position(|range| range.place == *place && range.staging == own) {
            all.swap_remove(index);
        }
    }

    /// Copies to the device. The program's bytes have been read when this returns, unless there are
    /// [`Staging::writers`] of them: then the stream reads them, after these. The host goes on meanwhile, or
    /// waits for the copy next.
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
        goes_on: bool,
    ) -> Result<()> {
        let most = if goes_on { MOST } else { AT_ONCE };
        let is_awaited = !writers.is_empty();
        for writer in writers.streams.into_iter().filter(|&writer| writer != stream as usize) {
            Happening::record(writer as sys::CUstream)?.hold(stream)?;
        }
        let mut rest = Rest::new(from, to, runs);
        while !rest.is_empty() {
            let group = rest.next(self.chunks.take(rest.wanted(), most, stream)?);
            // SAFETY: the caller's promise; the chunks are ours, and no copy from them is under way.
            let result = unsafe {
                let filled = match is_awaited {
                    true => call_later(stream, departs, group.clone()),
                    false => {
                        group.fill();
                        Ok(())
                    }
                };
                filled.and_then(|()| group.rise(stream)).and_then(|()| Happening::record(stream))
            };
            match result {
                Ok(behind) => self.chunks.rise(group.chunks, behind),
                Err(error) => {
                    self.chunks.give(group.chunks);
                    return Err(error);
                }
            }
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
        let mut rest = Rest::new(to, from, runs);
        // While the stream waits for chunks to be emptied, another one copies to the next.
        let beside = (rest.pieces.len() > TOGETHER).then(|| Beside::new(stream)).transpose()?;
        while !rest.is_empty() {
            let group = rest.next(self.chunks.take(rest.wanted(), MOST, stream)?);
            // SAFETY: the caller's promise; the chunks are ours.
            let falls = unsafe {
                match &beside {
                    None => group.fall(stream),
                    Some(beside) => group.fall(beside.0).and_then(|()| beside.join(stream)),
                }
            };
            falls
                .and_then(|()| self.empty_later(group.clone(), stream))
                .inspect_err(|_| self.chunks.give(group.chunks))?;
        }
        Ok(())
    }

    /// Copies from the device. The host waits for it.
    ///
    /// # Safety
    /// The bytes may be written; the stream is one of the current context.
    pub(super) unsafe fn download_now(
        &self,
        to: *mut u8,
        from: sys::CUdeviceptr,
        runs: &Runs,
        stream: sys::CUstream,
    ) -> Result<()> {
        let mut rest = Rest::new(to, from, runs);
        let mut coming = VecDeque::new();
        while !(rest.is_empty() && coming.is_empty()) {
            if !rest.is_empty() && coming.len() * TOGETHER < AT_ONCE {
                let chunks = match coming.is_empty() {
                    true => Some(self.chunks.take(rest.wanted(), AT_ONCE, stream)?),
                    // Who has chunks does not wait for more.
                    false => self.chunks.try_take(rest.wanted(), AT_ONCE)?,
                };
                if let Some(chunks) = chunks {
                    let group = rest.next(chunks);
                    // SAFETY: the caller's promise; the chunks are ours.
                    unsafe { group.fall(stream)? };
                    coming.push_back((group, Happening::record(stream)?));
                    continue;
                }
            }
            if let Some((group, behind)) = coming.pop_front() {
                behind.wait("copy from the device")?;
                // SAFETY: the caller's promise; the copies to the chunks are done.
                unsafe { group.empty() };
                self.chunks.give(group.chunks);
            }
        }
        Ok(())
    }

    /// Lets the stream empty chunks when it comes to it.
    fn empty_later(self: &Arc<Staging>, group: Group, stream: sys::CUstream) -> Result<()> {
        let place = group.place();
        falling().push(Falling {
            place: place.clone(),
            stream: stream as usize,
            staging: Arc::as_ptr(self).addr(),
        });
        let arrival = Arrival { staging: Arc::clone(self), group };
        // SAFETY: the promise of the caller of `download`; `arrived` takes the box.
        unsafe { call_later(stream, arrived, arrival) }.inspect_err(|_| self.has_fallen(&place))
    }
}

/// Chunks have arrived.
unsafe extern "C" fn arrived(data: *mut c_void) {
    // SAFETY: `empty_later` handed the box over.
    let Arrival { staging, group } = *unsafe { Box::from_raw(data.cast::<Arrival>()) };
    // SAFETY: the promise of the caller of `download`; nobody else uses the chunks.
    unsafe { group.empty() };
    staging.has_fallen(&group.place());
    staging.chunks.give(group.chunks);
}

/// Chunks are about to go up.
unsafe extern "C" fn departs(data: *mut c_void) {
    // SAFETY: `upload` handed the box over.
    let group = unsafe { Box::from_raw(data.cast::<Group>()) };
    // SAFETY: the promise of the caller of `upload`; nobody else uses the chunks.
    unsafe { group.fill() };
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
