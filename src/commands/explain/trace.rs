//! `accrue explain --trace FILE`: how the dependences of tasks were kept in a run, from its trace: by the order
//! of a queue, by an event, by a call of the host, or by a wait of the host.

use accrue::driver::Failure;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How one task came to be behind another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum How {
    /// Both are target tasks, on one queue of a device.
    Queue,
    /// Both are target tasks of a device, whose queue waits.
    Event,
    /// A host task behind a target task.
    Call,
    /// A target task behind a host task.
    Submission,
    /// Both are host tasks.
    Host,
    /// Target tasks of two devices; the host asked, or waited.
    Device,
    /// The task before was known to have ended.
    Ended,
}

impl How {
    const ALL: [How; 7] =
        [How::Queue, How::Event, How::Call, How::Submission, How::Host, How::Device, How::Ended];

    /// In JSON.
    fn name(self) -> &'static str {
        match self {
            How::Queue => "queue",
            How::Event => "event",
            How::Call => "host-function",
            How::Submission => "submission",
            How::Host => "host",
            How::Device => "host-wait",
            How::Ended => "ended",
        }
    }

    fn text(self) -> &'static str {
        match self {
            How::Queue => "the same queue, in order",
            How::Event => "an event, which another queue waits for; the host does not",
            How::Call => "a host function: the queue tells the host, where the task waits",
            How::Submission => "submission: the thread that ends the host task submits the target task",
            How::Host => "a count among tasks of the host",
            How::Device => "a wait of the host for another device",
            How::Ended => "nothing: the task before was known to have ended",
        }
    }
}

/// Dependences of tasks of one directive on those of another that were kept alike.
type Kept = (Place, Place, How);

/// File and line.
type Place = (String, u64);

#[derive(Default)]
struct Task {
    place: Place,
    is_target: bool,
}

/// What a trace tells.
#[derive(Default)]
struct Run {
    tasks: BTreeMap<u64, Task>,
    /// (task, the one before).
    edges: BTreeSet<(u64, u64)>,
    /// Of target tasks, what the runtime says.
    after: BTreeMap<(u64, u64), How>,
    tellers: BTreeSet<u64>,
    /// Waits of the host for a device.
    waits: u64,
}

/// The explanation of a trace.
pub fn explain(file: &Path, as_json: bool) -> Result<String, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Other(format!("{}: {error}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| failed(&error))?;
    let trace: Value = serde_json::from_str(&text).map_err(|error| {
        failed(&format_args!(
            "not a trace of `accrue run --trace`: {error}; that of a run that failed has no end"
        ))
    })?;
    let events = trace.as_array().ok_or_else(|| failed(&"not a trace of `accrue run --trace`"))?;
    let run = Run::read(events);
    Ok(if as_json { run.objects() } else { run.lines() })
}

fn place(args: &Value) -> Place {
    let text = args["place"].as_str().unwrap_or_default();
    match text.rsplit_once(':') {
        Some((file, line)) => (file.to_owned(), line.parse().unwrap_or(0)),
        None => (text.to_owned(), 0),
    }
}

impl Run {
    fn read(events: &[Value]) -> Run {
        let mut run = Run::default();
        for event in events {
            let args = &event["args"];
            let number = |key: &str| args[key].as_u64().unwrap_or(0);
            let (task, pair) = (number("task"), (number("task"), number("on")));
            match (event["cat"].as_str(), event["name"].as_str()) {
                (Some("task"), Some("created")) => {
                    let is_target = args["target"] == true;
                    run.tasks.insert(task, Task { place: place(args), is_target });
                }
                (Some("task"), Some("depends")) => _ = run.edges.insert(pair),
                (Some("target"), Some("after")) => {
                    let how = match args["by"].as_str() {
                        Some("queue") => How::Queue,
                        Some("event") => How::Event,
                        Some("query" | "synchronise") => How::Device,
                        _ => How::Ended,
                    };
                    run.after.insert(pair, how);
                }
                (Some("target"), Some("tells the host")) => _ = run.tellers.insert(task),
                // Devices start and end with waits that nobody asked for.
                (Some("wait"), Some("synchronise"))
                    if args["tasks"].is_array() || args["place"].is_string() =>
                {
                    run.waits += 1;
                }
                _ => {}
            }
        }
        run
    }

    fn how(&self, (task, on): (u64, u64)) -> How {
        let is_target = |task: u64| self.tasks.get(&task).is_some_and(|task| task.is_target);
        match (is_target(on), is_target(task)) {
            (true, true) => self.after.get(&(task, on)).copied().unwrap_or(How::Ended),
            (true, false) if self.tellers.contains(&on) => How::Call,
            (true, false) => How::Ended,
            (false, true) => How::Submission,
            (false, false) => How::Host,
        }
    }

    /// The edges, as the directives have them, each with its number.
    fn kept(&self) -> BTreeMap<Kept, u64> {
        let place = |task: u64| self.tasks.get(&task).map(|task| task.place.clone()).unwrap_or_default();
        let mut kept = BTreeMap::new();
        for &(task, on) in &self.edges {
            *kept.entry((place(task), place(on), self.how((task, on)))).or_insert(0) += 1;
        }
        kept
    }

    fn total(&self, how: How) -> usize {
        self.edges.iter().filter(|&&edge| self.how(edge) == how).count()
    }

    fn lines(&self) -> String {
        let mut text = String::new();
        for (((file, line), (_, before), how), count) in self.kept() {
            let times = if count == 1 { String::new() } else { format!(", {count} times") };
            // A `taskwait` with `depend` is a task of its own.
            let at = if file.is_empty() { "taskwait".to_owned() } else { format!("{file}:{line}") };
            text += &format!("{at}: task: behind line {before} by {}{times}\n", how.text());
        }
        let totals = How::ALL.map(|how| (how.name(), self.total(how)));
        let shown: Vec<String> = totals
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        let shown = if shown.is_empty() { "none".to_owned() } else { shown.join(", ") };
        let targets = self.tasks.values().filter(|task| task.is_target).count();
        text += &format!("target tasks: {targets}; dependences: {shown}\n");
        text += &format!(
            "waits of the host for a device: {}; calls of the host: {}\n",
            self.waits,
            self.tellers.len()
        );
        text
    }

    fn objects(&self) -> String {
        let mut text = String::new();
        for (((file, line), (before_file, before), how), count) in self.kept() {
            let place = |file: String, line: u64| json!({ "file": file, "line": line });
            let mut object = place(file, line);
            object["topic"] = "task".into();
            object["behind"] = place(before_file, before);
            object["by"] = how.name().into();
            object["count"] = count.into();
            text += &format!("{object}\n");
        }
        let targets = self.tasks.values().filter(|task| task.is_target).count();
        let mut total =
            json!({ "topic": "total", "targets": targets, "waits": self.waits, "calls": self.tellers.len() });
        for how in How::ALL {
            total[how.name()] = self.total(how).into();
        }
        text += &format!("{total}\n");
        text
    }
}
