//! Work of devices. Each piece is between two events of its queue; their times, in relation to a first event
//! of the device, are asked for when all work is done, or when much has piled up.

use super::TASK;
use super::writer::{Phase, Trace, trace};
use crate::device::{Unit, separate};
use crate::plugin::{Device, Event, Queue};
use serde_json::{Value, json};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pieces of work that may pile up.
const MANY: usize = 4096;

/// What is known of the devices.
static DEVICES: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// A device that has done something.
struct Known {
    device: &'static dyn Device,
    /// An event, and when it was recorded on the host: the device had nothing to do then.
    base: (Event, f64),
    pending: Vec<Piece>,
    /// Queues that have names.
    queues: Vec<Queue>,
}

/// A piece of work.
struct Piece {
    category: &'static str,
    name: String,
    queue: Queue,
    span: (Event, Event),
    args: Value,
}

fn devices() -> MutexGuard<'static, Vec<Known>> {
    DEVICES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says that there will be work on a queue, if a trace is written.
#[inline]
pub(crate) fn expect(device: &'static dyn Device, queue: Queue) -> Option<()> {
    let trace = trace()?;
    let mut devices = devices();
    if !devices.iter().any(|known| std::ptr::addr_eq(known.device, device)) {
        let base = (device.record(queue).ok()?, trace.now());
        devices.push(Known { device, base, pending: Vec::new(), queues: Vec::new() });
    }
    Some(())
}

/// Marks the start of work on a queue, if a trace is written.
#[inline]
pub(crate) fn mark(device: &'static dyn Device, queue: Queue) -> Option<Event> {
    expect(device, queue)?;
    device.record(queue).ok()
}

/// The work behind a mark is on its queue.
pub(crate) fn work(
    device: &'static dyn Device,
    queue: Queue,
    from: Option<Event>,
    (category, name): (&'static str, &str),
    args: impl FnOnce() -> Value,
) {
    let span = from.and_then(|from| Some((from, device.record(queue).ok()?)));
    between(device, queue, span, (category, name), args);
}

/// Work that was expected is between two events, which are given up.
pub(crate) fn between(
    device: &'static dyn Device,
    queue: Queue,
    span: Option<(Event, Event)>,
    (category, name): (&'static str, &str),
    args: impl FnOnce() -> Value,
) {
    let Some(span) = span else { return };
    let Some(trace) = trace() else {
        device.release_event(span.0);
        device.release_event(span.1);
        return;
    };
    let mut args = args();
    if TASK.get() != 0 {
        args["task"] = json!(TASK.get());
    }
    let mut devices = devices();
    let known = devices.iter_mut().zip(2..).find(|(known, _)| std::ptr::addr_eq(known.device, device));
    let Some((known, process)) = known else { return };
    known.pending.push(Piece { category, name: name.to_owned(), queue, span, args });
    if known.pending.len() > MANY {
        known.settle(trace, process);
    }
}

/// All work is done: writes what is left.
pub(crate) fn finish_devices() {
    let Some(trace) = trace() else { return };
    for (known, process) in devices().iter_mut().zip(2..) {
        known.settle(trace, process);
    }
}

impl Known {
    /// The device's name, with its number if there are several.
    fn name(&self) -> String {
        let name = self.device.properties().name.to_string_lossy().into_owned();
        let is_it = |unit: &'static Unit| {
            unit.memory().is_some_and(|memory| std::ptr::addr_eq(&raw const *memory.device, self.device))
        };
        match separate().iter().position(is_it) {
            Some(number) if separate().len() > 1 => format!("{name} {number}"),
            _ => name,
        }
    }

    /// Writes the pieces that are done.
    fn settle(&mut self, trace: &Trace, process: u64) {
        for piece in std::mem::take(&mut self.pending) {
            let (from, to) = piece.span;
            let (base, start) = self.base;
            let times = self.device.elapsed(base, from).zip(self.device.elapsed(from, to));
            let Some((before, during)) = times else {
                self.pending.push(piece);
                continue;
            };
            if self.queues.is_empty() {
                trace.name("process_name", (process, 0), &self.name());
            }
            let row = self.queues.iter().position(|&queue| queue == piece.queue).unwrap_or_else(|| {
                self.queues.push(piece.queue);
                let row = self.queues.len() as u64 - 1;
                trace.name("thread_name", (process, row), &format!("queue {row}"));
                row as usize
            });
            let microseconds = |time: std::time::Duration| time.as_secs_f64() * 1e6;
            let times = (start + microseconds(before), Some(microseconds(during)));
            let name = (piece.category, &*piece.name);
            trace.event(Phase::Complete, name, times, (process, row as u64), piece.args);
            self.device.release_event(from);
            self.device.release_event(to);
        }
    }
}
