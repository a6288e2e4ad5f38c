//! The graph of tasks that a program has, as its trace tells, is the one that its `depend` clauses say, and no
//! host waits between target tasks that depend on each other.
//!
//! Each program in `tests/omp` and `examples` with target tasks is one test for each number of threads. It is
//! executed on a device with memory of its own. From the `depend` clauses of the tasks in the trace, in the
//! order of their creation, the test works out anew which tasks depend on which.

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = Vec::new();
    for folder in ["tests/omp", "examples"] {
        for path in programs(&root.join(folder)) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            for threads in [1, 2, 8] {
                let path = path.clone();
                let name = format!("{folder}/{stem} {threads} threads");
                trials.push(Trial::test(name, move || check(&path, threads)));
            }
        }
    }
    trials.push(Trial::test("harness/there are programs", has_programs));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Programs with target tasks, of which none is expected to be refused.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_one = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "c")
            && std::fs::read_to_string(path).is_ok_and(|text| {
                let is_task = |line: &str| line.contains("#pragma omp target") && line.contains("depend(");
                text.lines().any(is_task) && !text.contains("// expect-error")
            })
    };
    let mut found: Vec<PathBuf> = entries.filter(is_one).collect();
    found.sort();
    found
}

fn has_programs() -> Result<(), Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match programs(&root.join("tests/omp")).len() {
        0..5 => Err("fewer than five programs with target tasks in tests/omp".into()),
        _ => Ok(()),
    }
}

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
struct Graph {
    /// By their numbers, which grow with the time of creation within a creator.
    tasks: BTreeMap<u64, Task>,
    /// (task, what it depends on).
    edges: BTreeSet<(u64, u64)>,
    /// Target tasks that a queue waits for.
    ordered: BTreeSet<(u64, u64)>,
    /// Target tasks that tell the host of their end.
    tellers: BTreeSet<u64>,
}

fn check(path: &Path, threads: u32) -> Result<(), Failed> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = format!("accrue-graph-{}-{stem}-{threads}.json", std::process::id());
    let file = std::env::temp_dir().join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(["run", "-fopenmp", "--memory", "discrete", "--trace"]).arg(&file).arg(path);
    command.env("OMP_NUM_THREADS", threads.to_string()).env("ACC_DEVICE_TYPE", "host");
    let outcome = command.output()?;
    let text = std::fs::read_to_string(&file);
    // The system clears the folder, too.
    let _ = std::fs::remove_file(&file);
    if !outcome.status.success() {
        let errors = String::from_utf8_lossy(&outcome.stderr);
        return Err(format!("{}\n{errors}", outcome.status).into());
    }
    let graph = Graph::read(&serde_json::from_str(&text?)?)?;
    let mut problems = Vec::new();
    graph.compare(&mut problems);
    graph.check_order(&mut problems);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
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
            match (event["cat"].as_str(), event["name"].as_str()) {
                (Some("task"), Some("created")) => {
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
                (Some("target"), Some("after")) => _ = graph.ordered.insert((task, number("on"))),
                (Some("target"), Some("tells the host")) => _ = graph.tellers.insert(task),
                (Some("task" | "target"), _) if task != 0 => {
                    let end = time + event["dur"].as_f64().unwrap_or(0.0);
                    ends.entry(task).and_modify(|last| *last = last.max(end)).or_insert(end);
                }
                _ => {}
            }
        }
        for (task, end) in ends {
            if let Some(task) = graph.tasks.get_mut(&task) {
                task.ended = end;
            }
        }
        Ok(graph)
    }

    fn name(&self, task: u64) -> String {
        self.tasks.get(&task).map_or(format!("task {task}"), |known| format!("task {task} ({})", known.place))
    }

    /// The edges of the trace are those of the clauses, but for tasks that had ended before.
    fn compare(&self, problems: &mut Vec<String>) {
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
                let before = table.add(number, address, kind);
                edges.extend(before.into_iter().filter(|&on| on != number).map(|on| (number, on)));
            }
        }
        edges
    }

    /// Between target tasks there is an order of queues, and a host task is told of its predecessors' ends.
    fn check_order(&self, problems: &mut Vec<String>) {
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
