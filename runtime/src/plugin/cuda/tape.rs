//! The kernels that a queue has for the driver, and what else a launch leaves to it.
//!
//! A launch is put on the tape of its queue, and the tape given to the driver as a whole, as a graph where
//! that is possible ([`super::graphs`]). While the host launches kernel after kernel, tapes get longer, twice
//! as long each time: what the driver has got then occupies the GPU for as long as the next tape takes to be
//! filled. A queue whose launches do not follow each other at once gives each to the driver when it comes.
//! Everything else that concerns a queue (copies, events, waiting) gives the tape to the driver first, and
//! [`super::watch`] does, if nothing comes any more.
//!
//! A long tape ends where the sequence of launches begins anew ([`super::rhythm`]), so that the launches of a
//! loop over time are the same tape again and again.

use super::driver::{check, pinned};
use super::graphs::{Graphs, Kernel, pointers};
use super::helpers::{Answer, CLEARED, Helpers, PUBLISHED, PUBLISHED_BYTES, RESETS, WORD};
use super::rhythm::Rhythm;
use crate::plugin::Result;
use cudarc::driver::sys;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Kernels of a long tape; twice as many, if the sequence does not begin anew before.
const MOST: usize = 64;
/// Launches that are this far apart are not put off.
const APART: Duration = Duration::from_micros(20);
/// Bytes of a value that is copied to the device as an argument.
pub(super) const POKED: usize = 8;
/// Words that one launch of `clear` has CTAs for.
const MOST_CLEARING: u32 = 64;

/// What a queue has before the driver has it.
pub(super) struct Tape {
    stream: usize,
    helpers: &'static Helpers,
    kernels: Vec<Kernel>,
    /// How many of them are the program's own.
    launched: usize,
    arguments: Vec<u64>,
    pace: Pace,
    rhythm: Rhythm,
    graphs: Graphs,
    /// Launches so far.
    launches: u64,
    /// Kernels that have been launched on this queue: mistakes of a launch show when it is the first.
    known: FxHashSet<usize>,
    /// What blocks of a few bytes hold.
    contents: FxHashMap<u64, Content>,
    /// Copies to the host that are made when somebody waits.
    pub(super) late: Vec<Late>,
    /// Where the stream tells how far it is, and the last number that it is to tell.
    told: Option<(usize, u64)>,
    /// Scratch memory of its launches, which are done one after the other: address and bytes.
    pub(super) scratch: Option<(u64, usize)>,
}

/// What a block held before a launch that has used it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Content {
    value: u64,
    bytes: usize,
    again: Again,
}

/// Whether a block holds again what it held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Again {
    No,
    /// It does, and nobody uses it.
    Idle,
    /// It does, and was allocated when there had been so many launches.
    Allocated(u64),
}

/// A copy of a few bytes to the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Late {
    /// Where from.
    pub(super) source: u64,
    /// Where to, in pinned memory.
    pub(super) slot: usize,
    pub(super) bytes: usize,
    /// Nobody needs what the block holds behind it.
    pub(super) is_last: bool,
}

/// How long tapes are.
#[derive(Debug)]
struct Pace {
    length: usize,
    last: Option<Instant>,
}

impl Pace {
    /// A launch comes at this time.
    fn comes(&mut self, now: Instant) {
        let is_apart = self.last.is_none_or(|last| now.saturating_duration_since(last) > APART);
        if is_apart {
            self.length = 1;
        }
        self.last = Some(now);
    }

    /// A tape went to the driver because it was long enough. The time that this took is not the program's.
    fn went(&mut self) {
        self.length = (2 * self.length).min(MOST);
        self.last = Some(Instant::now());
    }

    /// Somebody needed what is on the tape.
    fn ends(&mut self) {
        self.length = 1;
    }
}

impl Tape {
    pub(super) fn new(stream: usize, helpers: &'static Helpers) -> Tape {
        Tape {
            stream,
            helpers,
            kernels: Vec::new(),
            launched: 0,
            arguments: Vec::new(),
            pace: Pace { length: 1, last: None },
            rhythm: Rhythm::new(),
            graphs: Graphs::new(helpers.wait),
            launches: 0,
            known: FxHashSet::default(),
            contents: FxHashMap::default(),
            late: Vec::new(),
            told: None,
            scratch: None,
        }
    }

    fn stream(&self) -> sys::CUstream {
        self.stream as sys::CUstream
    }

    /// Puts a launch on the tape. Of one that the host may be about to wait for ([`Tape::publish`]) it is
    /// told when it does not ([`Tape::goes_on`]).
    pub(super) fn launch(&mut self, kernel: Kernel, arguments: &[u64], is_awaited: bool) -> Result<()> {
        self.pace.comes(Instant::now());
        self.launches += 1;
        let is_new = self.known.insert(kernel.function);
        let is_short = self.pace.length < MOST;
        if self.launched >= self.pace.length && (is_short || self.rhythm.begins(MOST))
            || self.launched >= 2 * MOST
        {
            self.submit()?;
            self.pace.went();
        }
        self.rhythm.launch(kernel.function);
        self.put(kernel, arguments);
        self.launched += 1;
        if is_new {
            self.submit()
        } else if is_awaited {
            Ok(())
        } else {
            self.goes_on()
        }
    }

    /// The host does not wait for what was launched last.
    pub(super) fn goes_on(&mut self) -> Result<()> {
        if self.pace.length == 1 {
            self.submit()?;
            self.pace.went();
        }
        Ok(())
    }

    fn put(&mut self, kernel: Kernel, arguments: &[u64]) {
        debug_assert_eq!(kernel.arguments as usize, arguments.len());
        self.kernels.push(kernel);
        self.arguments.extend_from_slice(arguments);
    }

    /// Puts a launch of one of the plugin's own kernels on the tape.
    fn help(&mut self, function: usize, ctas: u32, threads: u32, arguments: &[u64]) {
        let kernel = Kernel {
            function,
            grid: [ctas, 1, 1],
            block: [threads, 1, 1],
            arguments: arguments.len() as u32,
        };
        self.put(kernel, arguments);
    }

    /// Fills memory with zeros; its bytes are a multiple of four.
    pub(super) fn clear(&mut self, address: u64, bytes: usize) {
        let words = (bytes as u64).div_ceil(4);
        let ctas = words.div_ceil(u64::from(CLEARED)).min(u64::from(MOST_CLEARING)) as u32;
        self.help(self.helpers.clear, ctas, CLEARED, &[address, words]);
    }

    /// Copies up to [`POKED`] bytes to a block of the device. Mostly it holds them already: the launch
    /// before, which used the block in the same way, has left them there.
    pub(super) fn poke(&mut self, address: u64, bytes: &[u8]) {
        let mut value = [0; POKED];
        value[..bytes.len()].copy_from_slice(bytes);
        let value = u64::from_le_bytes(value);
        let content = Content { value, bytes: bytes.len(), again: Again::No };
        let held = self.contents.insert(address, content);
        if held != Some(Content { again: Again::Allocated(self.launches), ..content }) {
            self.help(self.helpers.poke, 1, 32, &[address, value, bytes.len() as u64]);
        }
    }

    /// A block that the queue has kept is used again.
    pub(super) fn allocated(&mut self, address: u64) {
        if let Some(content) = self.contents.get_mut(&address) {
            content.again =
                if content.again == Again::Idle { Again::Allocated(self.launches) } else { Again::No };
        }
    }

    /// Nobody knows what a block holds.
    pub(super) fn forget(&mut self, address: u64) {
        self.contents.remove(&address);
    }

    /// Nobody needs what a block holds behind the copies from it.
    pub(super) fn dropped(&mut self, address: u64) {
        for late in self.late.iter_mut().filter(|late| late.source == address) {
            late.is_last = true;
        }
    }

    /// Launches so far.
    pub(super) fn launches(&self) -> u64 {
        self.launches
    }

    /// Whether nothing is on the tape.
    pub(super) fn is_empty(&self) -> bool {
        self.kernels.is_empty()
    }

    /// Gives the tape to the driver, as somebody needs it.
    pub(super) fn flush(&mut self) -> Result<()> {
        if self.kernels.is_empty() {
            return Ok(());
        }
        self.pace.ends();
        self.submit()
    }

    fn submit(&mut self) -> Result<()> {
        if self.kernels.is_empty() {
            return Ok(());
        }
        let stream = self.stream();
        let result = match self.graphs.launch(&self.kernels, &self.arguments, stream) {
            true => Ok(()),
            false => self.submit_each(),
        };
        self.kernels.clear();
        self.arguments.clear();
        self.launched = 0;
        result
    }

    fn submit_each(&self) -> Result<()> {
        let mut rest = &self.arguments[..];
        for kernel in &self.kernels {
            let (own, others) = rest.split_at(kernel.arguments as usize);
            rest = others;
            // SAFETY: what is put on the tape has one value per parameter.
            check("launch", unsafe { start(kernel, own, false, self.stream()) })?;
        }
        Ok(())
    }

    /// Makes the late copies, and lets the stream tell when all of it is done. A stream that has nothing on
    /// its tape does not.
    pub(super) fn publish(&mut self) -> Result<Option<Told>> {
        self.pace.ends();
        if self.kernels.is_empty() && self.late.is_empty() {
            return Ok(None);
        }
        let late = std::mem::take(&mut self.late);
        let told = match Told::answers(&late) {
            Some(answers) => {
                let copies = self.copies(&late);
                self.help(self.helpers.answer, 1, 32, &copies);
                answers
            }
            None => self.tell(&late)?,
        };
        self.submit()?;
        Ok(Some(told))
    }

    /// Makes the late copies, and writes a number behind them.
    fn tell(&mut self, late: &[Late]) -> Result<Told> {
        let (place, number) = match self.told {
            Some((place, number)) => (place, number + 1),
            None => (pinned(size_of::<u64>())?, 1),
        };
        if number == 1 {
            // SAFETY: the memory is ours, and aligned as pinned memory is.
            unsafe { told(place) }.store(0, Ordering::Relaxed);
        }
        self.told = Some((place, number));
        let mut groups = late.chunks(PUBLISHED).peekable();
        loop {
            let mut arguments = [0; 2 + 4 * PUBLISHED];
            arguments[2..].copy_from_slice(&self.copies(groups.next().unwrap_or_default()));
            let is_last = groups.peek().is_none();
            if is_last {
                arguments[..2].copy_from_slice(&[place as u64, number]);
            }
            self.help(self.helpers.publish, 1, PUBLISHED_BYTES as u32, &arguments);
            if is_last {
                return Ok(Told::Number(place, number));
            }
        }
    }

    /// The arguments that say what is copied.
    fn copies(&mut self, late: &[Late]) -> [u64; 4 * PUBLISHED] {
        let mut arguments = [0; 4 * PUBLISHED];
        for (copy, place) in late.iter().zip(arguments.chunks_exact_mut(4)) {
            let left = self.leave(copy);
            let bytes = copy.bytes as u64 | if left.is_some() { RESETS } else { 0 };
            place.copy_from_slice(&[copy.source, copy.slot as u64, bytes, left.unwrap_or(0)]);
        }
        arguments
    }

    /// What a block gets back behind a copy to the host: the value that it had before the launch, which the
    /// next one will mostly want.
    fn leave(&mut self, copy: &Late) -> Option<u64> {
        let content = self.contents.get_mut(&copy.source)?;
        let is_left = copy.is_last && content.bytes == copy.bytes;
        content.again = if is_left { Again::Idle } else { Again::No };
        is_left.then_some(content.value)
    }
}

/// How the host learns that a stream has come to an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Told {
    /// A place gets a number.
    Number(usize, u64),
    /// So many of the places get what is copied to them, each an [`Answer`].
    Answers([usize; PUBLISHED], usize),
}

impl Told {
    /// If the copies are few words, they are answers. Nothing has arrived at their places.
    fn answers(late: &[Late]) -> Option<Told> {
        let is_word = |late: &Late| {
            (late.bytes == WORD / 2 || late.bytes == WORD) && late.source.is_multiple_of(WORD as u64 / 2)
        };
        if late.is_empty() || late.len() > PUBLISHED || !late.iter().all(is_word) {
            return None;
        }
        let mut places = [0; PUBLISHED];
        for (place, late) in places.iter_mut().zip(late) {
            *place = late.slot;
            // SAFETY: slots are pinned memory of 64 bytes, aligned as much, and this one is the copy's.
            unsafe { Answer::at(late.slot) }.clear();
        }
        Some(Told::Answers(places, late.len()))
    }
}

/// The number that a stream tells.
///
/// # Safety
/// The place is one of [`Tape::publish`].
pub(super) unsafe fn told(place: usize) -> &'static AtomicU64 {
    // SAFETY: pinned memory of a tape stays as long as the process.
    unsafe { &*std::ptr::with_exposed_provenance::<AtomicU64>(place) }
}

/// Gives a kernel to the driver, whose gangs wait for each other if it is `cooperative`.
///
/// # Safety
/// There is one value per parameter of the kernel, each as wide as any.
pub(super) unsafe fn start(
    kernel: &Kernel,
    arguments: &[u64],
    cooperative: bool,
    stream: sys::CUstream,
) -> sys::CUresult {
    let ([x, y, z], [lanes, workers, depth]) = (kernel.grid, kernel.block);
    let handle = kernel.function as sys::CUfunction;
    let mut pointers = pointers(arguments);
    let pointers = pointers.as_mut_ptr();
    // SAFETY: the caller's promise; the driver copies the values before it returns.
    unsafe {
        if cooperative {
            sys::cuLaunchCooperativeKernel(handle, x, y, z, lanes, workers, depth, 0, stream, pointers)
        } else {
            let none = std::ptr::null_mut();
            sys::cuLaunchKernel(handle, x, y, z, lanes, workers, depth, 0, stream, pointers, none)
        }
    }
}
