//! Says how dependences of tasks are kept: by the order of a queue or an event, by a call of the host, by a
//! wait. Changes nothing.
//!
//! Before: constructs and data directives of tasks name the array of their dependences, which code in front
//! of them fills. What is found there is the variable that each item begins with; whether two items that
//! begin with one variable are one place is known to the program only.

use super::env::Env;
use crate::acc::{Scheduling, TaskClauses};
use crate::entities::{Block, Construct, Local, Slot};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Callee, Op, Operand, Pos};
use crate::report::{Decision, PassError, topics};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The routine behind `taskwait`.
const TASKWAIT: &str = "__accrue_omp_taskwait";
/// Words of a dependence: its address and its kind.
const WORD: i64 = 8;
/// Kinds of which tasks in a row do not depend on each other: `in`, `inoutset`.
const SHARING: [i64; 2] = [1, 5];
/// `mutexinoutset`, of which host tasks in a row do not.
const EXCLUDING: i64 = 4;
/// Kinds that name no variable: `depobj`, `omp_all_memory`.
const WITHOUT_NAME: [i64; 3] = [6, 7, 8];

/// A directive that makes a task.
struct Task {
    pos: Pos,
    /// Its block, or the first one of its construct, and its place there.
    place: (Block, usize),
    /// Blocks to which control can come behind it.
    behind: FxHashSet<Block>,
    /// The construct of threads that it stands in.
    around: Option<Construct>,
    is_target: bool,
    is_awaited: bool,
    depends: Depends,
}

/// What is known of its dependences.
enum Depends {
    /// Names of variables and kinds.
    Known(Vec<(Arc<str>, i64)>),
    /// They have iterators.
    Computed,
}

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    for function in module.functions.values() {
        if let Some(body) = &function.body {
            let say = |(pos, text): (Pos, String)| {
                env.report.decisions.push(Decision {
                    pos,
                    function: Arc::clone(&function.name),
                    topic: topics::TASK,
                    text,
                });
            };
            explain(module, body).into_iter().for_each(say);
        }
    }
    Ok(())
}

fn explain(module: &Module, body: &Body) -> Vec<(Pos, String)> {
    let tasks = tasks(module, body);
    let mut said = Vec::new();
    for task in &tasks {
        if let Depends::Computed = task.depends {
            let text =
                "the dependences have iterators: what the task is behind is known when the program runs";
            said.push((task.pos, text.to_owned()));
        }
        for other in tasks.iter().filter(|other| task.may_be_behind(other)) {
            said.extend(task.shared(other).map(|name| (task.pos, task.edge(other, &name))));
        }
        if task.is_target && task.is_awaited {
            said.push((task.pos, "the task has no `nowait`: the host waits for its end".to_owned()));
        }
    }
    if tasks.iter().any(|task| task.is_target) {
        let text =
            "`taskwait`: the host waits once, for all target tasks before it that are not known to be done";
        said.extend(taskwaits(module, body).map(|pos| (pos, text.to_owned())));
    }
    said
}

impl Task {
    /// Whether the other may be created before this one, by the same task.
    fn may_be_behind(&self, other: &Task) -> bool {
        let ((block, at), (other_block, other_at)) = (self.place, other.place);
        let is_before = block == other_block && other_at < at || other.behind.contains(&block);
        is_before && self.around == other.around
    }

    /// Variables of which both name places, one of them so that it has to wait for the other.
    fn shared(&self, other: &Task) -> impl Iterator<Item = Arc<str>> {
        let mut names: Vec<Arc<str>> = Vec::new();
        if let (Depends::Known(mine), Depends::Known(its)) = (&self.depends, &other.depends) {
            for (name, kind) in mine {
                let is_shared =
                    SHARING.contains(kind) || *kind == EXCLUDING && !self.is_target && !other.is_target;
                let waits = |(its_name, its_kind): &(Arc<str>, i64)| {
                    its_name == name && (kind != its_kind || !is_shared)
                };
                if its.iter().any(waits) && !names.contains(name) {
                    names.push(Arc::clone(name));
                }
            }
        }
        names.into_iter()
    }

    /// How this task is kept behind another one.
    fn edge(&self, other: &Task, name: &str) -> String {
        let kind = if other.is_target { "target task" } else { "host task" };
        let whom = match self.pos == other.pos {
            true => format!("earlier {kind}s of this directive"),
            false => format!("the {kind} at line {}", other.pos.line),
        };
        let how = match (other.is_target, self.is_target) {
            (true, true) => "on one device by the order of a queue, or an event; the host does not wait",
            (true, false) => "by a host function of its queue, which lets this task begin",
            (false, true) => "by the thread that ends it, which submits this task",
            (false, false) => "by a count, among threads of the host",
        };
        format!("`{name}`: behind {whom}, if both name the same place: {how}")
    }
}

/// The tasks of a body, in the order of their places.
fn tasks(module: &Module, body: &Body) -> Vec<Task> {
    let names = Names::new(module, body);
    let mut tasks = Vec::new();
    let live = body.live_entities().constructs;
    for construct in live.iter() {
        let data = &body.constructs[construct];
        let is_target = !data.kind.is_threaded();
        let place = (data.entry, 0);
        let made = names.task((data.pos, place), &data.scheduling, is_target);
        tasks.extend(made.map(|task| Task { behind: from(body, [data.exit]), around: data.parent, ..task }));
    }
    for &block in &body.order {
        for (at, inst) in body.blocks[block].insts.iter().enumerate() {
            let Op::Data(data) = &inst.op else { continue };
            let made = names.task((inst.pos, (block, at)), &data.scheduling, true);
            let around = body.blocks[block].construct;
            tasks.extend(made.map(|task| Task { behind: from(body, next(body, block)), around, ..task }));
        }
    }
    tasks.sort_by_key(|task| (task.pos.file, task.pos.line, task.pos.column));
    tasks
}

fn next(body: &Body, block: Block) -> Vec<Block> {
    let mut next = Vec::new();
    body.blocks[block].term.successors(|block| next.push(block));
    next
}

/// Blocks that control can come to from some on.
fn from(body: &Body, first: impl IntoIterator<Item = Block>) -> FxHashSet<Block> {
    let mut reached = FxHashSet::default();
    let mut work: Vec<Block> = first.into_iter().collect();
    while let Some(block) = work.pop() {
        if reached.insert(block) {
            work.extend(next(body, block));
        }
    }
    reached
}

/// Where the body calls the routine behind `taskwait`.
fn taskwaits<'a>(module: &'a Module, body: &'a Body) -> impl Iterator<Item = Pos> + 'a {
    let insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    insts.filter_map(|inst| match &inst.op {
        Op::Call { callee: Callee::Direct(func), .. } => {
            (&*module.functions[*func].name == TASKWAIT).then_some(inst.pos)
        }
        _ => None,
    })
}

/// What values in a body stand for.
struct Names<'a> {
    module: &'a Module,
    body: &'a Body,
    /// Operations by what they write, of locals that one operation writes.
    made: FxHashMap<Local, &'a Op>,
    /// Values of the words of arrays of dependences.
    words: FxHashMap<(Slot, i64), Operand>,
}

impl<'a> Names<'a> {
    fn new(module: &'a Module, body: &'a Body) -> Names<'a> {
        let (mut made, mut words, mut several) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            if let Some(dst) = inst.op.dst()
                && made.insert(dst, &inst.op).is_some()
            {
                several.push(dst);
            }
            if let Op::Store { addr, src, .. } = &inst.op
                && let Operand::Slot(slot) = addr.base
            {
                words.insert((slot, addr.offset), *src);
            }
        }
        several.iter().for_each(|local| _ = made.remove(local));
        Names { module, body, made, words }
    }

    fn task(
        &self,
        (pos, place): (Pos, (Block, usize)),
        scheduling: &Scheduling,
        is_target: bool,
    ) -> Option<Task> {
        let clauses = scheduling.task.as_ref()?;
        let depends = self.depends(clauses);
        let is_awaited = match clauses.flags {
            Operand::Int(_, flags) => is_target && flags & i64::from(TaskClauses::NOWAIT) == 0,
            _ => false,
        };
        Some(Task { pos, place, behind: FxHashSet::default(), around: None, is_target, is_awaited, depends })
    }

    fn depends(&self, clauses: &TaskClauses) -> Depends {
        let (array, count) = match (clauses.depends, clauses.count) {
            (Operand::Slot(array), Operand::Int(_, count)) => (array, count),
            (_, Operand::Int(_, 0)) => return Depends::Known(Vec::new()),
            _ => return Depends::Computed,
        };
        let item = |index: i64| {
            let word = |number: i64| self.words.get(&(array, (2 * index + number) * WORD));
            let &Operand::Int(_, kind) = word(1)? else { return None };
            match WITHOUT_NAME.contains(&kind) {
                true => None,
                false => Some((self.name(*word(0)?)?, kind)),
            }
        };
        Depends::Known((0..count).filter_map(item).collect())
    }

    /// The variable that an address begins with.
    fn name(&self, value: Operand) -> Option<Arc<str>> {
        match value {
            Operand::Slot(slot) => self.body.slots[slot].name.clone(),
            Operand::Global(global) => Some(Arc::clone(&self.module.globals[global].name)),
            Operand::Local(local) => match self.made.get(&local) {
                Some(Op::Convert { src, .. } | Op::Copy { src, .. }) => self.name(*src),
                Some(Op::Index { base, .. }) => self.name(*base),
                Some(Op::Load { addr, .. }) => self.name(addr.base),
                Some(_) | None => self.body.locals[local].name.clone(),
            },
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => None,
        }
    }
}
