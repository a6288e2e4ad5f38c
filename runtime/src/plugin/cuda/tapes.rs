//! The tapes of a GPU's queues, and a thread that gives the driver what nobody adds to.
//!
//! A program may launch something, and compute on the host for long before it needs the result: what is left
//! on a tape would not begin before. So a thread looks at all tapes every now and then while there is
//! something on one, and gives those to the driver to which nothing has come since it looked last.

use super::helpers::{Answer, Helpers, WORD};
use super::tape::{Tape, Told, told};
use crate::plugin::Queue;
use cudarc::driver::sys;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// The tapes.
pub(super) struct Tapes {
    helpers: &'static Helpers,
    context: usize,
    tapes: RwLock<FxHashMap<Queue, Arc<Shared>>>,
    /// The thread, once there was something to look at.
    watcher: OnceLock<thread::Thread>,
    /// It looks; otherwise it waits to be woken.
    watches: AtomicBool,
}

/// A tape, which several threads may use.
pub(super) struct Shared(Mutex<Tape>);

impl Shared {
    /// The tape, for this thread alone.
    pub(super) fn lock(&self) -> MutexGuard<'_, Tape> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often the thread looks.
const INTERVAL: Duration = Duration::from_micros(100);
/// How often it finds nothing before it goes to sleep.
const BORED: u32 = 50;
/// How long the host asks for a number without a pause.
const EAGER: Duration = Duration::from_micros(50);

impl Tapes {
    pub(super) fn new(helpers: Helpers, context: usize) -> Tapes {
        Tapes {
            helpers: Box::leak(Box::new(helpers)),
            context,
            tapes: RwLock::default(),
            watcher: OnceLock::new(),
            watches: AtomicBool::new(false),
        }
    }

    /// The tape of a queue, which gets one with its first launch.
    pub(super) fn of(&self, queue: Queue, stream: sys::CUstream) -> Arc<Shared> {
        self.known(queue).unwrap_or_else(|| {
            let mut tapes = self.tapes.write().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(Shared(Mutex::new(Tape::new(stream as usize, self.helpers))));
            Arc::clone(tapes.entry(queue).or_insert_with(new))
        })
    }

    /// The tape of a queue, if it has one.
    pub(super) fn known(&self, queue: Queue) -> Option<Arc<Shared>> {
        self.tapes.read().unwrap_or_else(PoisonError::into_inner).get(&queue).cloned()
    }

    /// The queue ends.
    pub(super) fn remove(&self, queue: Queue) -> Option<Arc<Shared>> {
        self.tapes.write().unwrap_or_else(PoisonError::into_inner).remove(&queue)
    }

    /// Something has been left on a tape: the thread looks at it.
    pub(super) fn watch(self: &Arc<Self>) {
        if self.watches.load(Ordering::Relaxed) {
            return;
        }
        self.watches.store(true, Ordering::Relaxed);
        let watcher = self.watcher.get_or_init(|| {
            let tapes = Arc::downgrade(self);
            thread::spawn(move || look(&tapes)).thread().clone()
        });
        watcher.unpark();
    }

    /// Gives the driver what nobody has added to since the numbers of launches were taken; takes new ones.
    /// Says whether there is anything on a tape.
    fn look(&self, launches: &mut FxHashMap<Queue, u64>) -> bool {
        let tapes: Vec<(Queue, Arc<Shared>)> = {
            let tapes = self.tapes.read().unwrap_or_else(PoisonError::into_inner);
            tapes.iter().map(|(&queue, tape)| (queue, Arc::clone(tape))).collect()
        };
        let mut is_busy = false;
        for (queue, tape) in tapes {
            // Whoever holds it is adding to it.
            let Ok(mut tape) = tape.0.try_lock() else {
                is_busy = true;
                continue;
            };
            if tape.is_empty() {
                continue;
            }
            is_busy = true;
            if launches.insert(queue, tape.launches()) == Some(tape.launches()) {
                // An error of the driver shows when the host waits for the queue.
                let _ = tape.flush();
            }
        }
        is_busy
    }
}

/// What the thread does, for as long as there are tapes.
fn look(tapes: &Weak<Tapes>) {
    let mut launches = FxHashMap::default();
    let mut bored = 0;
    let context = tapes.upgrade().map_or(0, |tapes| tapes.context);
    // SAFETY: the context lives as long as the process.
    let current = unsafe { sys::cuCtxSetCurrent(context as sys::CUcontext) };
    if current != sys::CUresult::CUDA_SUCCESS {
        return;
    }
    while let Some(tapes) = tapes.upgrade() {
        bored = if tapes.look(&mut launches) { 0 } else { bored + 1 };
        if bored < BORED {
            drop(tapes);
            thread::sleep(INTERVAL);
        } else {
            tapes.watches.store(false, Ordering::Relaxed);
            // What was left on a tape before the flag fell is seen by one more look.
            bored = if tapes.look(&mut launches) { 0 } else { BORED };
            if bored > 0 && !tapes.watches.load(Ordering::Relaxed) {
                drop(tapes);
                thread::park();
            }
        }
    }
}

/// The host waits for what a stream tells. A stream that failed never does, so that the driver is asked
/// now and then. What has arrived is where copies to the host are expected to be.
pub(super) fn wait(awaited: Told, stream: sys::CUstream) -> sys::CUresult {
    match awaited {
        Told::Number(place, number) => {
            // SAFETY: the place is a tape's.
            let told = unsafe { told(place) };
            wait_until(stream, || (told.load(Ordering::Acquire) >= number).then_some(())).1
        }
        Told::Answers(places, count) => {
            for &place in &places[..count] {
                // SAFETY: the place is a slot of a copy, which is an answer until the bytes are in it.
                let (bytes, result) = wait_until(stream, || unsafe { Answer::at(place) }.get());
                let Some(bytes) = bytes else {
                    // A stream that is done without an error has answered.
                    let is_lost = result == sys::CUresult::CUDA_SUCCESS;
                    return if is_lost { sys::CUresult::CUDA_ERROR_UNKNOWN } else { result };
                };
                let slot = std::ptr::with_exposed_provenance_mut::<[u8; WORD]>(place);
                // SAFETY: the same.
                unsafe { slot.write(bytes) };
            }
            sys::CUresult::CUDA_SUCCESS
        }
    }
}

/// Asks until something is there, or the stream is done.
fn wait_until<T>(stream: sys::CUstream, ask: impl Fn() -> Option<T>) -> (Option<T>, sys::CUresult) {
    let begin = Instant::now();
    loop {
        if let Some(there) = ask() {
            return (Some(there), sys::CUresult::CUDA_SUCCESS);
        }
        if begin.elapsed() > EAGER {
            // SAFETY: the stream exists.
            let result = unsafe { sys::cuStreamSynchronize(stream) };
            return (ask(), result);
        }
        std::hint::spin_loop();
    }
}
