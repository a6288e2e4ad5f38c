//! Chunks of pinned memory, between the program's own memory, which the driver may move, and a device.

use super::driver::{check, pinned_pages};
use crate::plugin::Result;
use cudarc::driver::sys;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes of a chunk: one thread copies them in about the time in which the driver's copies of sixteen follow
/// each other.
pub(super) const CHUNK: usize = 1 << 20;
/// Chunks of a device, at most: copies on queues let the host go on while there are any.
pub(super) const MOST: usize = 128;

/// How long to wait for a chunk before asking whether there is still hope.
const PATIENCE: Duration = Duration::from_millis(200);
/// Events of chunks need no times.
const DISABLE_TIMING: u32 = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;

/// Pinned memory of [`CHUNK`] bytes.
#[derive(Clone, Copy)]
pub(super) struct Chunk(usize);

impl Chunk {
    pub(super) fn pointer(self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.0)
    }
}

/// The chunks of a device.
#[derive(Default)]
pub(super) struct Chunks {
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Chunk>,
    /// Chunks on their way up, the oldest first, with the event behind their copies.
    rising: Vec<(Vec<Chunk>, Happening)>,
    count: usize,
}

impl State {
    /// Chunks that have come up are idle.
    fn land(&mut self) {
        for (chunks, _) in self.rising.extract_if(.., |(_, behind)| behind.has_happened()) {
            self.idle.extend(chunks);
        }
    }
}

impl Chunks {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Up to `wanted` chunks that nobody uses, if there are any; new ones while the device has less than
    /// `most`.
    pub(super) fn try_take(&self, wanted: usize, most: usize) -> Result<Option<Vec<Chunk>>> {
        let mut state = self.state();
        if state.idle.is_empty() {
            state.land();
        }
        let kept = state.idle.len().saturating_sub(wanted);
        if kept < state.idle.len() {
            return Ok(Some(state.idle.split_off(kept)));
        }
        let count = wanted.min(most.saturating_sub(state.count));
        if count == 0 {
            return Ok(None);
        }
        state.count += count;
        drop(state);
        match pinned_pages(count * CHUNK) {
            Ok(memory) => Ok(Some((0..count).map(|index| Chunk(memory + index * CHUNK)).collect())),
            Err(error) => {
                let mut state = self.state();
                state.count -= count;
                if state.count == 0 { Err(error) } else { Ok(None) }
            }
        }
    }

    /// Whether there are any; if not, tries to make so many.
    pub(super) fn exist(&self, wanted: usize) -> bool {
        if self.state().count == 0
            && let Ok(Some(chunks)) = self.try_take(wanted, wanted)
        {
            self.give(chunks);
        }
        self.state().count > 0
    }

    /// Up to `wanted` chunks that nobody uses. Waits if there are as many as there may be; not for ever:
    /// after an error of the device no stream goes on. Who has chunks and waits for more may wait for ever.
    pub(super) fn take(&self, wanted: usize, most: usize, stream: sys::CUstream) -> Result<Vec<Chunk>> {
        loop {
            if let Some(chunks) = self.try_take(wanted, most)? {
                return Ok(chunks);
            }
            let mut state = self.state();
            if !state.idle.is_empty() {
                continue;
            }
            if state.rising.is_empty() {
                drop(self.freed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner));
                // SAFETY: the stream is one of the current context.
                match unsafe { sys::cuStreamQuery(stream) } {
                    sys::CUresult::CUDA_SUCCESS | sys::CUresult::CUDA_ERROR_NOT_READY => {}
                    failed => check("copy on a queue", failed)?,
                }
                continue;
            }
            let (chunks, behind) = state.rising.remove(0);
            drop(state);
            behind.wait("copy to the device")?;
            self.give(chunks);
        }
    }

    /// Nobody uses the chunks any more once this has happened.
    pub(super) fn rise(&self, chunks: Vec<Chunk>, behind: Happening) {
        self.state().rising.push((chunks, behind));
    }

    /// Nobody uses the chunks any more.
    pub(super) fn give(&self, chunks: Vec<Chunk>) {
        self.state().idle.extend(chunks);
        self.freed.notify_all();
    }
}

/// An event behind what a stream had to do when it was recorded.
pub(super) struct Happening(usize);

impl Happening {
    pub(super) fn record(stream: sys::CUstream) -> Result<Happening> {
        let mut event = std::ptr::null_mut();
        // SAFETY: the pointer is to a variable of the type that the function asks for; the stream exists.
        unsafe {
            check("cuEventCreate", sys::cuEventCreate(&mut event, DISABLE_TIMING))?;
            let happening = Happening(event as usize);
            check("cuEventRecord", sys::cuEventRecord(event, stream)).map(|()| happening)
        }
    }

    fn event(&self) -> sys::CUevent {
        self.0 as sys::CUevent
    }

    /// Whether it has happened, or never will after an error.
    fn has_happened(&self) -> bool {
        // SAFETY: the event was recorded, and belongs to this value.
        unsafe { sys::cuEventQuery(self.event()) != sys::CUresult::CUDA_ERROR_NOT_READY }
    }

    /// The host waits for it; `what` is what an error says of it.
    pub(super) fn wait(self, what: &str) -> Result<()> {
        // SAFETY: as above.
        check(what, unsafe { sys::cuEventSynchronize(self.event()) })
    }

    /// What comes later on a stream waits for it.
    pub(super) fn hold(self, stream: sys::CUstream) -> Result<()> {
        // SAFETY: as above; the stream exists. What it waits for is fixed when it is told.
        check("cuStreamWaitEvent", unsafe { sys::cuStreamWaitEvent(stream, self.event(), 0) })
    }
}

impl Drop for Happening {
    fn drop(&mut self) {
        // SAFETY: nobody else uses the event.
        let _ = unsafe { sys::cuEventDestroy_v2(self.event()) };
    }
}
