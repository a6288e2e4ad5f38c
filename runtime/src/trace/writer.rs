//! The file: records are written as they come, so that a program that fails leaves what it had come to.

use crate::fatal::warn;
use serde::Serialize;
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// The process of the host's threads.
const HOST: u64 = 1;

/// A trace that is being written.
pub(super) struct Trace {
    start: Instant,
    /// None when the trace has ended.
    file: Mutex<Option<BufWriter<File>>>,
}

/// What kind of record it is: `ph`.
#[derive(Clone, Copy, Serialize)]
pub(super) enum Phase {
    /// With a duration.
    #[serde(rename = "X")]
    Complete,
    /// A moment.
    #[serde(rename = "i")]
    Instant,
    /// A name of a row or a process.
    #[serde(rename = "M")]
    Metadata,
}

/// An event, as the format spells it.
#[derive(Serialize)]
struct Record<'a> {
    name: &'a str,
    cat: &'a str,
    ph: Phase,
    ts: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    pid: u64,
    tid: u64,
    args: Value,
}

static TRACE: OnceLock<Trace> = OnceLock::new();

/// The trace, if one is written.
#[inline]
pub(super) fn trace() -> Option<&'static Trace> {
    TRACE.get()
}

/// Begins a trace. To be called before the program starts.
pub(crate) fn start(path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    // The first record stands for itself, all others follow a comma. Readers take a list without an end.
    let host = Record {
        name: "process_name",
        cat: "",
        ph: Phase::Metadata,
        ts: 0.0,
        dur: None,
        pid: HOST,
        tid: 0,
        args: json!({ "name": "host" }),
    };
    file.write_all(b"[")?;
    serde_json::to_writer(&mut file, &host)?;
    TRACE.get_or_init(|| Trace { start: Instant::now(), file: Mutex::new(Some(file)) });
    Ok(())
}

/// Ends the trace.
pub(crate) fn finish() {
    if let Some(trace) = trace() {
        let file = trace.file.lock().unwrap_or_else(PoisonError::into_inner).take();
        let end = |mut file: BufWriter<File>| file.write_all(b"]\n").and_then(|()| file.flush());
        if let Some(Err(error)) = file.map(end) {
            warn(format_args!("cannot write the trace: {error}"));
        }
    }
}

impl Trace {
    /// Microseconds since the start.
    pub(super) fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1e6
    }

    /// Writes an event of this thread.
    pub(super) fn host(&self, ph: Phase, name: (&str, &str), times: (f64, Option<f64>), args: Value) {
        static LAST: AtomicU64 = AtomicU64::new(0);
        thread_local! {
            static THREAD: Cell<u64> = const { Cell::new(0) };
        }
        if THREAD.get() == 0 {
            THREAD.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
            self.name("thread_name", (HOST, THREAD.get()), &format!("thread {}", THREAD.get() - 1));
        }
        self.event(ph, name, times, (HOST, THREAD.get()), args);
    }

    /// Writes an event of a row of a process.
    pub(super) fn event(
        &self,
        ph: Phase,
        (cat, name): (&str, &str),
        (ts, dur): (f64, Option<f64>),
        (pid, tid): (u64, u64),
        args: Value,
    ) {
        self.write(&Record { name, cat, ph, ts, dur, pid, tid, args });
    }

    /// Names a row or a process.
    pub(super) fn name(&self, what: &str, row: (u64, u64), name: &str) {
        self.event(Phase::Metadata, ("", what), (0.0, None), row, json!({ "name": name }));
    }

    fn write(&self, record: &Record<'_>) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = file.as_mut() {
            // A full disk is told of at the end, where the rest cannot be written either.
            let _ = file.write_all(b",\n").map(|()| serde_json::to_writer(file, record));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_those_of_the_format() {
        let record = Record {
            name: "f",
            cat: "task",
            ph: Phase::Complete,
            ts: 1.5,
            dur: Some(2.0),
            pid: HOST,
            tid: 7,
            args: json!({ "task": 3 }),
        };
        let text = serde_json::to_string(&record).expect("it is plain data");
        assert_eq!(
            text,
            r#"{"name":"f","cat":"task","ph":"X","ts":1.5,"dur":2.0,"pid":1,"tid":7,"args":{"task":3}}"#
        );
    }
}
