//! From a report of the simulator to a message in the words of OpenACC.

use super::super::Error;
use crate::abi::ASYNC_NOVAL;
use crate::data::{END_OF_DATA, END_OF_DECLARE};
use crate::finding::{Finding, LOST_RESULT, Place};
use crate::queue_number::QUEUE_OF_TASK;
use accrue_ptx_sim::{Asker, HostAccess, Kind, MemoryPlace, Report, Site};

/// Objects up to this size are variables that iterations share; larger ones have elements.
const MOST_OF_A_SCALAR: u64 = 16;
/// Names that the compiler gives to memory of its own begin so.
const OWN: &str = "__accrue";

/// A mistake as the error of a device.
pub(super) fn error(report: &Report, seed: Option<u64>) -> Error {
    Error::Found(Box::new(finding(report, seed)))
}

fn finding(report: &Report, seed: Option<u64>) -> Finding {
    let mut finding = Finding { id: report.kind.id(), ..Finding::default() };
    let mut sides = (report.at.as_ref(), report.other.as_ref());
    // What was asked for first may be done last: who asks has to wait for those that have asked before.
    if report.is_between_queues && asked(sides.0) < asked(sides.1) {
        sides = (sides.1, sides.0);
    }
    let text = match sides {
        (Some(at), Some(other)) if report.is_between_queues => {
            finding.help.push(remedy(at, other));
            unordered(at, other, report.memory.as_ref())
        }
        _ => {
            finding.help.extend(advice(report));
            report.message.clone()
        }
    };
    finding.message = format!("{}: {text}", report.kind.name());
    if let Some(at) = sides.0 {
        finding.place = place(at);
        let text = action(at);
        finding.label = text.strip_prefix("earlier ").unwrap_or(&text).to_owned();
    }
    if let Some(other) = sides.1 {
        finding.related.push((place(other), action(other)));
    }
    finding.notes.extend(report.memory.as_ref().map(MemoryPlace::to_string));
    if !report.kernel.is_empty() {
        finding.notes.push(format!("in kernel `{}`", report.kernel));
    }
    finding.notes.extend(report.notes.iter().cloned());
    finding.notes.extend(seed.map(|seed| format!("--seed {seed} replays this schedule")));
    finding
}

/// When the directive of a side has asked for its work, as a number.
fn asked(site: Option<&Site>) -> u64 {
    site.and_then(|site| site.asker.as_ref()).map_or(0, |asker| asker.number)
}

/// Results that no clause copies back, though the program goes on to read the host's variable.
pub(super) fn lost(site: &Site, name: &str) -> Finding {
    Finding {
        is_warning: true,
        id: LOST_RESULT.to_owned(),
        message: format!(
            "what is written here is freed before anything reads it or copies it back, and the host reads its own `{name}' later"
        ),
        place: place(site),
        label: action(site),
        help: vec![format!(
            "`copyout({name})` or `copy({name})` brings it back, in OpenMP `map(from: {name})` or `map(tofrom: {name})`"
        )],
        ..Finding::default()
    }
}

/// An array in which the host gets copies of memory that nobody wrote.
pub(super) fn copied(report: &Report) -> Finding {
    let mut finding = finding(report, None);
    finding.is_warning = true;
    finding.message.clone_from(&report.message);
    finding
}

fn place(site: &Site) -> Option<Place> {
    let (file, line, column) = site.source.clone()?;
    Some(Place { file, line, column })
}

/// What a side does, and where that is in the PTX.
fn action(site: &Site) -> String {
    let mut text = site.action.clone();
    if let Some(thread) = site.thread {
        text += &format!(" by {thread}");
    }
    if let Some(number) = queue_of(site) {
        text += &format!(", on {}", queue(number));
    }
    match (&site.kernel, site.ptx_line) {
        (_, 0) => {}
        (Some(kernel), line) => text += &format!(" (PTX line {line} in kernel `{kernel}`)"),
        (None, line) => text += &format!(" (PTX line {line})"),
    }
    text
}

fn queue(number: i64) -> String {
    match number {
        ASYNC_NOVAL => "the queue of `async` without a number".to_owned(),
        QUEUE_OF_TASK => "the queue of a task".to_owned(),
        number => format!("queue {number}"),
    }
}

/// The mistake of two sides that are on queues.
fn unordered(later: &Site, earlier: &Site, memory: Option<&MemoryPlace>) -> String {
    let name = memory.and_then(|memory| memory.object.as_deref()).map(|name| format!("`{name}`"));
    let name = name.unwrap_or_else(|| "memory".to_owned());
    let who = match &later.asker {
        Some(asker) if later.host.is_some() => who(asker),
        _ => "this region".to_owned(),
    };
    let whom = match queue_of(earlier) {
        Some(number) => queue(number),
        None => "work of another thread of the host".to_owned(),
    };
    let (does, did) = (verb(later, &name), verb(earlier, "it"));
    if let (Some(QUEUE_OF_TASK), Some(asker)) = (queue_of(earlier), &earlier.asker) {
        let line = asker.place.as_ref().map_or(String::new(), |(_, line)| format!(" at line {line}"));
        return format!("{who} {does} and does not depend on the task `{}`{line}, which {did}", asker.what);
    }
    format!("{who} {does} and does not wait for {whom}, which {did}")
}

fn queue_of(site: &Site) -> Option<i64> {
    site.asker.as_ref().and_then(|asker| asker.queue)
}

fn who(asker: &Asker) -> String {
    match waits_by(asker) {
        Waits::Directive => asker.what.clone(),
        Waits::Routine => format!("`{}`", asker.what),
        Waits::Clause => format!("this `{}`", asker.what),
    }
}

fn verb(site: &Site, what: &str) -> String {
    match site.host {
        None if site.is_write => format!("writes {what}"),
        None => format!("reads {what}"),
        Some(HostAccess::CopyOut) => format!("copies {what} to the host"),
        Some(HostAccess::CopyIn) => format!("copies {what} to the device"),
        Some(HostAccess::CopyFrom) => format!("copies {what} to other memory of the device"),
        Some(HostAccess::CopyTo) => format!("copies other memory of the device to {what}"),
        Some(HostAccess::Fill) => format!("clears {what}"),
        Some(HostAccess::Free) => format!("frees {what}"),
    }
}

/// What to write so that one side waits for the other.
fn remedy(later: &Site, earlier: &Site) -> String {
    let number = queue_of(earlier);
    let Some(asker) = later.asker.as_deref() else {
        return "let one queue wait for the other".to_owned();
    };
    if number == Some(QUEUE_OF_TASK) {
        return match asker.queue {
            Some(QUEUE_OF_TASK) => "name what both use in their `depend` clauses".to_owned(),
            _ => "write `#pragma omp taskwait` before it".to_owned(),
        };
    }
    let clause = match number {
        None => return "let the threads of the host wait for each other".to_owned(),
        Some(ASYNC_NOVAL) => "wait".to_owned(),
        Some(number) => format!("wait({number})"),
    };
    match waits_by(asker) {
        Waits::Clause => {
            let same = asker.queue.and(number).filter(|number| *number >= 0);
            let or = same.map(|number| format!(", or use queue {number} for both: `async({number})`"));
            format!("add `{clause}` to this `{}`{}", asker.what, or.unwrap_or_default())
        }
        Waits::Directive => format!("write `#pragma acc {clause}` before {}", asker.what),
        Waits::Routine => match number {
            Some(number) if number >= 0 => format!("call `acc_wait({number})` before it"),
            _ => "call `acc_wait_all()` before it".to_owned(),
        },
    }
}

/// How the work of a directive or routine is made to wait.
enum Waits {
    Clause,
    Directive,
    Routine,
}

fn waits_by(asker: &Asker) -> Waits {
    match &*asker.what {
        END_OF_DATA | END_OF_DECLARE => Waits::Directive,
        name if name.starts_with("acc_") || name.starts_with("omp_") => Waits::Routine,
        _ => Waits::Clause,
    }
}

/// What to write instead of a mistake in a region.
fn advice(report: &Report) -> Option<String> {
    let memory = report.memory.as_ref();
    let name = memory.and_then(|memory| memory.object.as_deref()).filter(|name| !name.starts_with(OWN));
    let is_scalar = memory.is_some_and(|memory| memory.size <= MOST_OF_A_SCALAR);
    let is_mixed = match (&report.at, &report.other) {
        (Some(at), Some(other)) => at.is_atomic != other.is_atomic,
        _ => false,
    };
    Some(match (report.kind, name) {
        (Kind::QuietRace, _) if is_scalar => "`atomic write` and `atomic read` order such accesses; `--races=values` lets \
                                              races of equal values pass"
            .to_owned(),
        (Kind::QuietRace, _) => "iterations that need each other's elements are for a sequential loop, or for two arrays; `--races=values` \
                                 lets races of equal values pass"
            .to_owned(),
        (Kind::Race, _) if is_mixed => {
            "make the other access atomic, too: `atomic read` or `atomic write`".to_owned()
        }
        (Kind::Race, Some(name)) if is_scalar => format!(
            "a sum over iterations needs `reduction(+: {name})`, an update an `atomic` directive, a temporary `private({name})`"
        ),
        (Kind::Race, Some(_)) => {
            "iterations that need each other's elements are for a sequential loop, updates of the same \
             element for an `atomic` directive"
                .to_owned()
        }
        (Kind::HostPointer, _) => {
            "a data clause brings what the pointer leads to onto the device, as `copy(p[0:n])`, or `map(p[:n])`".to_owned()
        }
        (Kind::DivergentBarrier | Kind::DivergentLanes | Kind::Deadlock, _) => {
            "barriers, shuffles and votes are the compiler's own, as C has none: this is a defect of accrue, not of the program"
                .to_owned()
        }
        (Kind::OutOfBounds, Some(name)) => {
            format!(
                "the data clause of `{name}` names too few elements, the index is wrong, or a pointer leads to what \
                 follows `{name}` on the host and has no data of its own on the device"
            )
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn site(what: &str, queue: Option<i64>, is_write: bool, in_kernel: bool) -> Site {
        let thread = accrue_ptx_sim::Thread { cta: [0; 3], thread: [0; 3], warp: 0, lane: 0 };
        Site {
            action: if in_kernel { "write of 4 bytes" } else { "copy to the host" }.to_owned(),
            is_write,
            is_atomic: false,
            kernel: None,
            function: String::new(),
            ptx_line: 0,
            source: None,
            thread: in_kernel.then_some(thread),
            host: (!in_kernel).then_some(HostAccess::CopyOut),
            asker: Some(Arc::new(Asker { what: what.to_owned(), queue, ..Asker::default() })),
        }
    }

    #[test]
    fn what_to_write_depends_on_both_sides() {
        let kernel = |queue| site("parallel", queue, true, true);
        let cases = [
            (
                site(END_OF_DATA, None, false, false),
                kernel(Some(1)),
                "write `#pragma acc wait(1)` before the end of this data region",
            ),
            (site("update", None, false, false), kernel(Some(3)), "add `wait(3)` to this `update`"),
            (site("update", None, false, false), kernel(Some(-1)), "add `wait` to this `update`"),
            (
                kernel(Some(2)),
                kernel(Some(1)),
                "add `wait(1)` to this `parallel`, or use queue 1 for both: `async(1)`",
            ),
            (site("acc_copyout", None, false, false), kernel(Some(0)), "call `acc_wait(0)` before it"),
            (site("acc_copyout", None, false, false), kernel(Some(-1)), "call `acc_wait_all()` before it"),
            (kernel(Some(2)), kernel(None), "let the threads of the host wait for each other"),
        ];
        for (later, earlier, wanted) in cases {
            assert_eq!(remedy(&later, &earlier), wanted);
        }
        let end = site("end of data", None, false, false);
        assert_eq!(
            unordered(&kernel(Some(2)), &Site { asker: kernel(Some(-1)).asker, ..end }, None),
            "this region writes memory and does not wait for the queue of `async` without a number, which copies it to the host"
        );
        assert_eq!(
            unordered(&site("update", None, false, false), &kernel(Some(1)), None),
            "this `update` copies memory to the host and does not wait for queue 1, which writes it"
        );
    }
}
