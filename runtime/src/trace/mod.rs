//! `--trace FILE`: what happens on the host's threads and on the devices' queues, as events of Chrome's trace
//! format, which Perfetto shows. Without the option every call here is one load.
//!
//! - [`writer`]: the file and its records;
//! - [`devices`]: work of devices, whose times are known when it is done;
//! - `nvtx`: the spans as ranges for NVIDIA's profilers.
//!
//! Process 1 is the host, with a row for each thread; each device is a process with a row for each queue.
//! The categories are
//!
//! | category | events |
//! | --- | --- |
//! | `task` | `created`, with number, place and dependences; `depends`, an edge of the graph; the spans of host tasks |
//! | `target` | the span in which a target task is submitted, and `after`: how it waits for another one |
//! | `wait` | spans in which a thread waits for tasks; those named `synchronise` wait for a device |
//! | `launch`, `copy` | work on a queue |

mod devices;
#[cfg(feature = "cuda")]
pub(crate) mod nvtx;
mod writer;

pub(crate) use devices::{between, expect, finish_devices, mark, work};
pub(crate) use writer::{finish, start};

use crate::abi::SourcePos;
use serde_json::{Value, json};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use writer::{Phase, Trace, trace};

thread_local! {
    /// The task whose directive this thread carries out.
    static TASK: Cell<u64> = const { Cell::new(0) };
}

/// Whether anything is written.
#[inline]
pub(crate) fn is_on() -> bool {
    trace().is_some()
}

/// A number for a new task, not 0, if anything is written.
#[inline]
pub(crate) fn number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    if is_on() { LAST.fetch_add(1, Ordering::Relaxed) + 1 } else { 0 }
}

/// A place in the program.
pub(crate) fn place(pos: Option<&SourcePos>) -> Value {
    pos.map_or(Value::Null, |pos| json!(format!("{}:{}", pos.file, pos.line)))
}

/// Something that happens at once.
#[inline]
pub(crate) fn instant(category: &'static str, name: &str, args: impl FnOnce() -> Value) {
    if let Some(trace) = trace() {
        let now = trace.now();
        trace.host(Phase::Instant, (category, name), (now, None), args());
    }
}

/// Something that takes a thread's time, from now until the value is dropped.
#[must_use]
pub(crate) struct Span(Option<Box<Open>>);

/// A span that has begun.
struct Open {
    /// Where it is written, and from when on.
    written: Option<(&'static Trace, f64)>,
    category: &'static str,
    name: String,
    args: Value,
    #[cfg(feature = "cuda")]
    _range: Option<nvtx::Range>,
}

/// Begins a span.
#[inline]
pub(crate) fn span(category: &'static str, name: &str, args: impl FnOnce() -> Value) -> Span {
    let trace = trace();
    if trace.is_none() && !has_ranges() {
        return Span(None);
    }
    let args = args();
    Span(Some(Box::new(Open {
        #[cfg(feature = "cuda")]
        _range: nvtx::is_on().then(|| match args["place"].as_str() {
            Some(place) => nvtx::Range::new(&format!("{name} {place}")),
            None => nvtx::Range::new(name),
        }),
        written: trace.map(|trace| (trace, trace.now())),
        category,
        name: name.to_owned(),
        args,
    })))
}

/// Whether a profiler wants to know of spans.
#[inline]
fn has_ranges() -> bool {
    #[cfg(feature = "cuda")]
    return nvtx::is_on();
    #[cfg(not(feature = "cuda"))]
    false
}

impl Open {
    #[cold]
    fn end(&mut self) {
        if let Some((trace, start)) = self.written {
            let times = (start, Some(trace.now() - start));
            trace.host(Phase::Complete, (self.category, &self.name), times, std::mem::take(&mut self.args));
        }
    }
}

impl Drop for Span {
    #[inline]
    fn drop(&mut self) {
        if let Some(open) = &mut self.0 {
            open.end();
        }
    }
}

/// Does what a target task asks of its device; work on queues is noted with the task's number.
pub(crate) fn in_task<T>(number: u64, work: impl FnOnce() -> T) -> T {
    let outer = TASK.replace(number);
    let result = work();
    TASK.set(outer);
    result
}
