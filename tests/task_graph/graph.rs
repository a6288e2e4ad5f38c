//! The graph of tasks that a trace tells of, and the one that the `depend` clauses in it say.

use crate::waits::{Span, Waits};
use libtest_mimic::Failed;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// A task in the trace.
struct Task {
    /// The task that created it, and the thread that did, which tells implicit tasks apart.
    creator: (u64, u64),
    created: f64,
    /// When the last of its spans ended.
    ended: f64,
    depend: Vec<(u64, u64)>,
    is_target: bool,
    place: String,
}

/// What a trace says.
#[derive(Default)]
pub struct Graph {
    /// By their numbers, which grow with the time of creation within a creator.
    tasks: BTreeMap<u64, Task>,
    /// (task, what it depends on).
    edges: BTreeSet<(u64, u64)>,
    /// Target tasks that a queue waits for, or of which the host knows that they have ended.
    ordered: BTreeSet<(u64, u64)>,
    /// (time, task) where the host says that it knows of the end of a target task.
    known_ends: Vec<(f64, u64)>,
    /// Target tasks that tell the host of their end.
    tellers: BTreeSet<u64>,
    waits: Waits,
}

/// Runs a program on a device with memory of its own, and reads its trace.
pub fn traced(program: &Path, threads: u32) -> Result<Graph, Failed> {
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("accrue-graph-{}-{stem}-{threads}.json", std::process::id());
    let file = std::env::temp_dir().join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(["run", "-fopenmp", "--memory", "discrete", "--trace"]).arg(&file).arg(program);
    command.env("OMP_NUM_THREADS", threads.to_string()).env("ACC_DEVICE_TYPE", "host");
    let outcome = command.output()?;
    let text = std::fs::read_to_string(&file);
    // The system clears the folder, too.
    let _ = std::fs::remove_file(&file);
    if !outcome.status.success() {
        let errors = String::from_utf8_lossy(&outcome.stderr);
        return Err(format!("{}\n{errors}", outcome.status).into());
    }
    Graph::read(&serde_json::from_str(&text?)?)
}

impl Graph {
    fn read(trace: &Value) -> Result<Graph, Failed> {
        let events = trace.get("traceEvents").unwrap_or(trace).as_array().ok_or("the trace is no list")?;
        let mut graph = Graph::default();
        let mut ends: BTreeMap<u64, f64> = BTreeMap::new();
        for event in events {
            let args = &event["args"];
            let number = |key: &str| args[key].as_u64().unwrap_or(0);
            let (task, time) = (number("task"), event["ts"].as_f64().unwrap_or(0.0));
            graph.add_span(event);
            match (event["cat"].as_str(), event["name"].as_str()) {
                (Some("task"), Some("created")) => {
                    if args["target"] == true && args["deferred"] == false {
                        graph.waits.undeferred.insert(task);
                    }
                    let pair = |pair: &Value| Some((pair[0].as_u64()?, pair[1].as_u64()?));
                    let depend = args["depend"].as_array().map(|list| list.iter().filter_map(pair).collect());
                    graph.tasks.insert(
                        task,
                        Task {
                            creator: (number("parent"), event["tid"].as_u64().unwrap_or(0)),
                            created: time,
                            ended: f64::INFINITY,
                            depend: depend.unwrap_or_default(),
                            is_target: args["target"] == true,
                            place: args["place"].as_str().unwrap_or("?").to_owned(),
                        },
                    );
                }
                (Some("task"), Some("depends")) => _ = graph.edges.insert((task, number("on"))),
                (Some("target"), Some("after")) => {
                    graph.ordered.insert((task, number("on")));
                    if args["by"] == "end" {
                        graph.known_ends.push((time, number("on")));
                    }
                }
                (Some("target"), Some("tells the host")) => _ = graph.tellers.insert(task),
                (Some("task" | "target"), _) if task != 0 => {
                    let end = time + event["dur"].as_f64().unwrap_or(0.0);
                    ends.entry(task).and_modify(|last| *last = last.max(end)).or_insert(end);
                }
                _ => {}
            }
        }
        for (number, task) in &mut graph.tasks {
            match ends.get(number) {
                Some(&end) => task.ended = end,
                // A `taskwait` with `depend` executes nothing.
                None if !task.is_target => task.ended = task.created,
                None => {}
            }
        }
        Ok(graph)
    }

    /// Notes an event that is a wait, or the submission of a target task.
    fn add_span(&mut self, event: &Value) {
        let Some(duration) = event["dur"].as_f64() else { return };
        let list = match event["cat"].as_str() {
            Some("wait") => &mut self.waits.waits,
            Some("target") => &mut self.waits.submissions,
            _ => return,
        };
        let start = event["ts"].as_f64().unwrap_or(0.0);
        list.push(Span {
            thread: event["tid"].as_u64().unwrap_or(0),
            start,
            end: start + duration,
            name: event["name"].as_str().unwrap_or_default().to_owned(),
            tasks: event["args"]["tasks"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_u64)
                .collect(),
        });
    }

    /// The host waits for a device where the program asks for it, and a device tells it of the ends of just
    /// those target tasks that host tasks depend on.
    pub fn check_waits(&self, problems: &mut Vec<String>) {
        self.waits.check(problems);
        let mut wanted = BTreeSet::new();
        for &(task, on) in &self.edges {
            let (Some(later), Some(earlier)) = (self.tasks.get(&task), self.tasks.get(&on)) else { continue };
            let was_known = self.waits.known(on).is_some_and(|time| time <= later.created);
            if earlier.is_target && !later.is_target && !was_known {
                wanted.insert(on);
            }
        }
        for &task in wanted.symmetric_difference(&self.tellers) {
            let word = if self.tellers.contains(&task) { "needlessly tells" } else { "does not tell" };
            problems.push(format!("{} {word} the host of its end", self.name(task)));
        }
    }

    fn name(&self, task: u64) -> String {
        self.tasks.get(&task).map_or(format!("task {task}"), |known| format!("task {task} ({})", known.place))
    }

    /// Which tasks come before which, by way of others too; numbers count the tasks as they are created.
    pub fn order(&self) -> BTreeSet<(usize, usize)> {
        let index: BTreeMap<u64, usize> =
            self.tasks.keys().enumerate().map(|(at, &task)| (task, at)).collect();
        let mut before: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); index.len()];
        for (task, on) in self.wanted() {
            // A task depends on older ones, whose sets are complete.
            let (task, on) = (index[&task], index[&on]);
            let mut all = before[on].clone();
            all.insert(on);
            before[task].extend(all);
        }
        let pairs = before.into_iter().enumerate();
        pairs.flat_map(|(task, all)| all.into_iter().map(move |on| (task, on))).collect()
    }

    /// The edges of the trace are those of the clauses, but for tasks that had ended before.
    pub fn compare(&self, problems: &mut Vec<String>) {
        let wanted = self.wanted();
        for &(task, on) in self.edges.difference(&wanted) {
            let (task, on) = (self.name(task), self.name(on));
            problems.push(format!("{task} depends on {on}, which no clause says"));
        }
        for &(task, on) in wanted.difference(&self.edges) {
            let had_ended = match (self.tasks.get(&task), self.tasks.get(&on)) {
                (Some(task), Some(on)) => on.ended <= task.created,
                _ => false,
            };
            if !had_ended {
                problems.push(format!("{} does not depend on {}", self.name(task), self.name(on)));
            }
        }
    }

    /// What the clauses say (OpenMP 5.2, 15.9.5).
    fn wanted(&self) -> BTreeSet<(u64, u64)> {
        let mut tables: BTreeMap<(u64, u64), Table> = BTreeMap::new();
        let mut edges = BTreeSet::new();
        for (&number, task) in &self.tasks {
            let table = tables.entry(task.creator).or_default();
            for &(address, kind) in &task.depend {
                // Target tasks that exclude each other are in the order of their creation.
                let kind = if kind == MUTEXINOUTSET && task.is_target { INOUT } else { kind };
                let before = table.add(number, address, kind);
                edges.extend(before.into_iter().filter(|&on| on != number).map(|on| (number, on)));
            }
        }
        edges
    }

    /// Between target tasks there is an order of queues, and a host task is told of its predecessors' ends.
    pub fn check_order(&self, problems: &mut Vec<String>) {
        for &(time, on) in &self.known_ends {
            if self.tasks.get(&on).is_none_or(|task| task.ended > time) {
                problems.push(format!("{} had not ended at {time}", self.name(on)));
            }
        }
        for &(task, on) in &self.edges {
            let (Some(later), Some(earlier)) = (self.tasks.get(&task), self.tasks.get(&on)) else { continue };
            if !earlier.is_target {
                continue;
            }
            let is_told = self.tellers.contains(&on) || earlier.ended <= later.created;
            if later.is_target && !self.ordered.contains(&(task, on)) {
                problems.push(format!("no queue orders {} behind {}", self.name(task), self.name(on)));
            }
            if !later.is_target && !is_told {
                problems.push(format!("{} is not told of the end of {}", self.name(task), self.name(on)));
            }
        }
    }
}

const OUT: u64 = 2;
const INOUT: u64 = 3;
const MUTEXINOUTSET: u64 = 4;
const ALL_OUT: u64 = 7;
const ALL_INOUT: u64 = 8;

/// The dependences of the tasks of one creator.
#[derive(Default)]
struct Table {
    addresses: BTreeMap<u64, Generations>,
    /// The last task with `omp_all_memory`, which every address begins with.
    all: Option<u64>,
}

impl Table {
    /// Adds a task; gives what it depends on.
    fn add(&mut self, task: u64, address: u64, kind: u64) -> Vec<u64> {
        if matches!(kind, ALL_OUT | ALL_INOUT) {
            let mut before: Vec<u64> = self.all.replace(task).into_iter().collect();
            let known = std::mem::take(&mut self.addresses).into_values();
            before.extend(known.flat_map(|known| [known.current, known.previous].concat()));
            return before;
        }
        let fresh = || Generations { current: self.all.into_iter().collect(), ..Generations::default() };
        self.addresses.entry(address).or_insert_with(fresh).add(task, kind)
    }
}

/// The tasks that used an address last: those that do not depend on each other, and those before them.
#[derive(Default)]
struct Generations {
    kind: u64,
    current: Vec<u64>,
    previous: Vec<u64>,
}

impl Generations {
    /// Adds a task; gives what it depends on.
    fn add(&mut self, task: u64, kind: u64) -> Vec<u64> {
        let is_write = matches!(kind, OUT | INOUT);
        if is_write || kind != self.kind {
            self.previous = std::mem::take(&mut self.current);
            self.kind = if is_write { 0 } else { kind };
        }
        self.current.push(task);
        self.previous.clone()
    }
}
