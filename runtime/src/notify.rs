//! `ACCRUE_NOTIFY`: a line on standard error for what happens between host and device, when it is asked for.
//! The value is a sum: 1 launches, 2 copies, 4 waits, 8 regions that are entered and left, 16 allocations.

use crate::abi::SourcePos;
use crate::fatal::warn;
use crate::plugin::Shape;
use crate::site::{Site, Where};
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

const LAUNCHES: u32 = 1;
const COPIES: u32 = 2;
const WAITS: u32 = 4;
const REGIONS: u32 = 8;
const ALLOCATIONS: u32 = 16;

static WANTED: AtomicU32 = AtomicU32::new(0);

/// Reads the environment.
pub(crate) fn start() {
    let Some(value) = std::env::var_os("ACCRUE_NOTIFY").filter(|value| !value.is_empty()) else { return };
    match value.to_string_lossy().trim().parse::<u32>() {
        Ok(bits) => WANTED.store(bits, Ordering::Relaxed),
        Err(_) => warn(format_args!("ACCRUE_NOTIFY: `{}` is not a number", value.to_string_lossy())),
    }
}

#[inline]
fn wanted(what: u32) -> bool {
    WANTED.load(Ordering::Relaxed) & what != 0
}

/// Whether somebody wants to know anything.
#[inline]
pub(crate) fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed) != 0
}

/// Which way a copy goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    /// To the device.
    Upload,
    /// From the device.
    Download,
}

impl Direction {
    /// What the copy is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Direction::Upload => "upload",
            Direction::Download => "download",
        }
    }
}

/// The queue as programs number it.
struct Queue(i64);

impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            crate::abi::ASYNC_SYNC => f.write_str("sync"),
            crate::abi::ASYNC_NOVAL => f.write_str("default"),
            crate::queue_number::QUEUE_OF_TASK => f.write_str("task"),
            number => write!(f, "{number}"),
        }
    }
}

/// Place in the program, device and queue.
struct Shown<'a>(&'a Where<'a>);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Where { site: Site { pos, function, what, construct: _ }, device, queue } = *self.0;
        match pos {
            Some(SourcePos { file, line, .. }) => write!(f, "file={file} function={function} line={line}")?,
            None => write!(f, "routine={what}")?,
        }
        write!(f, " device={} queue={}", device, Queue(queue))
    }
}

/// A region is executed.
pub(crate) fn launch(at: &Where<'_>, region: &str, shape: &Shape) {
    if wanted(LAUNCHES) {
        let Shape { grid: [x, y, z], block, lanes, span: _, trial: _ } = *shape;
        warn(format_args!(
            "launch kernel {region} {} num_gangs={} num_workers={} vector_length={lanes} grid={x}x{y}x{z} block={}x{}x{}",
            Shown(at),
            x.saturating_mul(y).saturating_mul(z),
            block[1],
            block[0],
            block[1],
            block[2],
        ));
    }
}

/// Data are copied.
pub(crate) fn transfer(at: &Where<'_>, direction: Direction, name: &str, bytes: u64) {
    if wanted(COPIES) {
        let what = match direction {
            Direction::Upload => "upload data",
            Direction::Download => "download data",
        };
        warn(format_args!("{what} {} variable={name} bytes={bytes}", Shown(at)));
    }
}

/// Work waits for a queue.
pub(crate) fn wait(at: &Where<'_>, number: i64) {
    if wanted(WAITS) {
        warn(format_args!("wait {} for queue={}", Shown(at), Queue(number)));
    }
}

/// The host waits for a queue.
pub(crate) fn host_waits(site: &Site<'_>, number: i64) {
    if wanted(WAITS) {
        let (file, line) = site.place();
        warn(format_args!("wait file={file} line={line} {} for queue={}", site.what, Queue(number)));
    }
}

/// A construct is entered or left.
pub(crate) fn region(site: &Site<'_>, enter: bool) {
    if wanted(REGIONS) {
        let (file, line) = site.place();
        let verb = if enter { "enter" } else { "leave" };
        warn(format_args!("{verb} {} file={file} function={} line={line}", site.what, site.function));
    }
}

/// Device memory is taken.
pub(crate) fn allocation(at: &Where<'_>, name: &str, address: u64, bytes: u64) {
    if wanted(ALLOCATIONS) {
        warn(format_args!("allocate {} variable={name} address={address:#x} bytes={bytes}", Shown(at)));
    }
}

/// Device memory is given back.
pub(crate) fn free(at: &Where<'_>, name: &str, address: u64) {
    if wanted(ALLOCATIONS) {
        warn(format_args!("free {} variable={name} address={address:#x}", Shown(at)));
    }
}
