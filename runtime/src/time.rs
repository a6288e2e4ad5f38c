//! `ACCRUE_TIME`: at the end of the program a table of what each line of it did on devices: launches with
//! the constructs that have joined, their grid and block, copies with their bytes, and the time of both.

use crate::device::units::units;
use crate::fatal::warn;
use crate::plugin::tune::{self, Trial};
use crate::plugin::{Device, Event, Queue, Shape, VirtualTime, is_timed, set_timed};
use crate::site::Site;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

static RECORD: Mutex<Record> =
    Mutex::new(Record { lines: BTreeMap::new(), pending: Vec::new(), most_pending: MANY });

/// Somebody wants the table.
static IS_WANTED: AtomicBool = AtomicBool::new(false);

/// A line of the program; routines of the API have line 0 and their name for a file.
type Line = (String, u32, String);

#[derive(Clone, Copy, Default)]
struct Total {
    launches: u64,
    /// Constructs behind the one of the line that are a part of each launch.
    fused: u32,
    kernel: Duration,
    shape: Option<Shape>,
    copies: u64,
    bytes: u64,
    copying: Duration,
}

/// What takes time.
#[derive(Clone, Copy)]
enum Work {
    Copy,
    /// It may be measured for another purpose, too.
    Kernel(Option<Trial>),
}

/// Work whose time is not known yet.
struct Pending {
    device: &'static dyn Device,
    line: Line,
    work: Work,
    from: Event,
    to: Event,
}

struct Record {
    lines: BTreeMap<Line, Total>,
    pending: Vec<Pending>,
    /// Work that is not known to be finished piles up to this number before it is looked at again.
    most_pending: usize,
}

/// So much is not looked at.
const MANY: usize = 32;

/// Reads the environment.
pub(crate) fn start() {
    let wanted = std::env::var_os("ACCRUE_TIME").is_some_and(|value| !value.is_empty() && value != "0");
    IS_WANTED.store(wanted, Ordering::Relaxed);
    if wanted {
        set_timed(true);
    }
}

fn is_wanted() -> bool {
    IS_WANTED.load(Ordering::Relaxed)
}

fn record() -> MutexGuard<'static, Record> {
    RECORD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn line(site: &Site<'_>) -> Line {
    match site.pos {
        Some(pos) => (pos.file.to_string(), pos.line, site.function.to_owned()),
        None => (site.what.to_owned(), 0, String::new()),
    }
}

/// Does a copy of `bytes` bytes on a queue of a device, and takes its time.
pub(crate) fn transfer(
    site: &Site<'_>,
    device: &'static dyn Device,
    queue: Queue,
    bytes: u64,
    copy: impl FnOnce(),
) {
    if !is_wanted() {
        return copy();
    }
    let from = device.record(queue).ok();
    copy();
    let span = from.zip(device.record(queue).ok());
    let mut record = record();
    let total = record.lines.entry(line(site)).or_default();
    total.copies += 1;
    total.bytes += bytes;
    record.add(site, device, span, Work::Copy);
}

/// Whether the events around a launch are taken here ([`launch`]), and nobody else can have them.
pub(crate) fn takes_spans() -> bool {
    is_wanted() || is_timed() && tune::is_on()
}

/// Counts a launch on a device; the events around it if they are not needed.
pub(crate) fn launch(
    site: &Site<'_>,
    device: &'static dyn Device,
    shape: &Shape,
    fused: u32,
) -> Option<(Event, Event)> {
    if is_wanted() {
        let mut record = record();
        let total = record.lines.entry(line(site)).or_default();
        total.launches += 1;
        total.fused = total.fused.max(fused);
        total.shape = Some(*shape);
        record.add(site, device, shape.span, Work::Kernel(shape.trial));
    } else if takes_spans() {
        record().add(site, device, shape.span, Work::Kernel(shape.trial));
    } else {
        return shape.span;
    }
    None
}

impl Record {
    /// Notes work between two events.
    fn add(
        &mut self,
        site: &Site<'_>,
        device: &'static dyn Device,
        span: Option<(Event, Event)>,
        work: Work,
    ) {
        if let Some((from, to)) = span {
            self.pending.push(Pending { device, line: line(site), work, from, to });
        }
        if self.pending.len() >= self.most_pending {
            self.settle();
            // Each piece is looked at twice in the mean, however far the host is ahead.
            self.most_pending = (2 * self.pending.len()).max(MANY);
        }
    }

    /// Adds the times of all work that is finished.
    fn settle(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let device = pending.device;
            let Some(time) = device.elapsed(pending.from, pending.to) else {
                self.pending.push(pending);
                continue;
            };
            let total = self.lines.entry(pending.line).or_default();
            match pending.work {
                Work::Copy => total.copying += time,
                Work::Kernel(trial) => {
                    total.kernel += time;
                    trial.into_iter().for_each(|trial| tune::measured(trial, time));
                }
            }
            device.release_event(pending.from);
            device.release_event(pending.to);
        }
    }

    fn table(&self) -> String {
        let header = [
            "line",
            "function",
            "launches",
            "fused",
            "grid",
            "block",
            "kernel us",
            "copies",
            "bytes",
            "copy us",
        ];
        let mut rows = vec![header.map(str::to_owned)];
        for ((file, line, function), total) in &self.lines {
            let place = if *line == 0 { file.clone() } else { format!("{file}:{line}") };
            let shape = |pick: fn(&Shape) -> [u32; 3]| {
                total.shape.as_ref().map_or("-".to_owned(), |shape| {
                    let [x, y, z] = pick(shape);
                    if (y, z) == (1, 1) { x.to_string() } else { format!("{x}x{y}x{z}") }
                })
            };
            rows.push([
                place,
                if function.is_empty() { "-".to_owned() } else { function.clone() },
                total.launches.to_string(),
                total.fused.to_string(),
                shape(|shape| shape.grid),
                shape(|shape| shape.block),
                total.kernel.as_micros().to_string(),
                total.copies.to_string(),
                total.bytes.to_string(),
                total.copying.as_micros().to_string(),
            ]);
        }
        align(&rows)
    }
}

/// Columns side by side: the first two to the left, numbers to the right.
fn align<const N: usize>(rows: &[[String; N]]) -> String {
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Writing to a string cannot fail.
            let _ = match column {
                0 => write!(text, "{cell:<width$}"),
                1 => write!(text, "  {cell:<width$}"),
                _ => write!(text, "  {cell:>width$}"),
            };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// The program ends, and all work is finished: shows the table.
pub(crate) fn finish() {
    let mut record = record();
    record.settle();
    if !is_wanted() {
        return;
    }
    warn(format_args!("time by line of the program\n{}", record.table().trim_end()));
    let clocks = units().all().filter_map(|unit| unit.memory()?.device.virtual_time());
    clocks.for_each(|time| warn(format_args!("{}", overlap(time))));
}

/// What a device's own clock says of all its work.
fn overlap(VirtualTime { makespan, serial }: VirtualTime) -> String {
    let [from_start, one_by_one] = [makespan, serial].map(|time| time.as_secs_f64() * 1e6);
    let ratio = if makespan.is_zero() { 1.0 } else { one_by_one / from_start };
    format!("virtual clock: makespan {from_start:.3} us, serial sum {one_by_one:.3} us, ratio {ratio:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_row_per_line() {
        let mut record = Record { lines: BTreeMap::new(), pending: Vec::new(), most_pending: MANY };
        let shape = Shape { grid: [132, 1, 1], block: [32, 4, 1], lanes: 32, span: None, trial: None };
        let kernel = Total {
            launches: 2,
            fused: 1,
            kernel: Duration::from_micros(17),
            shape: Some(shape),
            ..Total::default()
        };
        let copy = Total { copies: 1, bytes: 4096, copying: Duration::from_micros(3), ..Total::default() };
        record.lines.insert(("a.c".into(), 10, "main".into()), kernel);
        record.lines.insert(("acc_copyin".into(), 0, String::new()), copy);
        assert_eq!(
            record.table(),
            "line        function  launches  fused  grid   block  kernel us  copies  bytes  copy us\n\
             a.c:10      main             2      1   132  32x4x1         17       0      0        0\n\
             acc_copyin  -                0      0     -       -          0       1   4096        3\n"
        );
    }

    #[test]
    fn overlap_is_told_in_figures() {
        let time = |serial| VirtualTime { makespan: serial / 4, serial };
        let text = overlap(time(Duration::from_nanos(10_000)));
        assert_eq!(text, "virtual clock: makespan 2.500 us, serial sum 10.000 us, ratio 4.00");
        assert!(overlap(time(Duration::ZERO)).ends_with("ratio 1.00"));
    }
}
