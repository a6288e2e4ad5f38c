//! The rules of single mode (`docs/design/partitioning.md`), on small regions in the IR's text form. What the
//! pass wrote is executed, thread by thread, on expressions instead of numbers: the first lane of the first
//! worker, then another thread, which sees what the first put into records and shuffles. A thread that uses a
//! value that nobody gave it fails the test, and so does a lane that takes another way than the first lane of
//! its warp.

use super::*;
use accrue_ir::verify::verify;
use accrue_ir::{Address, BinaryOp, ConvertOp, ShuffleMode, SlotKind, text};
use std::collections::BTreeMap;

/// A module with a region of one worker-dimension test: parameters `v0.p` and `v1.n`.
fn program(dims: &str, declarations: &str, body: &str) -> String {
    format!(
        "signature sig0 (ptr, i64)\nsignature sig1 (i64) -> i64\nsignature sig2 ()\n\
         function fn0.\"main.region0\" sig0 internal\n  region parallel of \"main\" dims({dims}) {{\n    \
         param \"p\" pointer deviceptr\n    param \"n\" value i64\n  }} {{\n  params v0.p, v1.n\n  \
         locals v0.p: ptr\n  locals v1.n: i64\n{declarations}{body}}}\n\
         function fn1.ordinary sig1 external\n\
         function fn2.team sig2 external routine(worker)\n\
         function fn3.row sig2 external routine(vector)\n"
    )
}

/// Four workers, rows of a warp.
const WORKERS: &str = "1, 1, 1, 4, 32";
/// One worker, a row of a warp.
const LANES: &str = "1, 1, 1, 1, 32";
/// One worker, a row of four warps.
const LONG_ROW: &str = "1, 1, 1, 1, 128";

/// The body of the region after the pass.
fn neutered(dims: &str, declarations: &str, body: &str) -> Body {
    let ir = program(dims, declarations, body);
    let mut module = text::parse(&ir).unwrap_or_else(|error| panic!("{error}\n{ir}"));
    verify(&module, "input").unwrap_or_else(|error| panic!("{error}\n{ir}"));
    run(&mut module, false, &|_| false);
    verify(&module, "neuter").unwrap_or_else(|error| panic!("{error}\n{}", text::print(&module)));
    let region = module.functions.values_mut().next().and_then(|function| function.body.take());
    *region.unwrap_or_else(|| panic!("the region has no body"))
}

/// What the leader tells the others.
#[derive(Default)]
struct Told {
    /// What was written to a slot and offset, with the number of barriers before.
    slots: BTreeMap<(u32, i64), Vec<(usize, String)>>,
    /// Shuffles of the first lane of each warp, by worker and warp: destinations and values, in order.
    shuffles: BTreeMap<[i64; 2], Vec<(Local, String)>>,
    /// The ways that these lanes took.
    ways: BTreeMap<[i64; 2], Vec<Block>>,
}

/// A thread at work.
struct Thread<'a> {
    body: &'a Body,
    /// Worker and lane.
    position: [i64; 2],
    locals: BTreeMap<Local, String>,
    /// Stores, calls and barriers.
    events: Vec<String>,
    /// Blocks, without those that the first lane executes while the others are next to it.
    way: Vec<Block>,
    shuffles: usize,
}

impl Thread<'_> {
    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Local(local) => {
                let name = &self.body.locals[local].name;
                let unknown = || format!("?{local}{}", name.as_deref().unwrap_or_default());
                self.locals.get(&local).cloned().unwrap_or_else(unknown)
            }
            Operand::Int(_, value) => value.to_string(),
            other => format!("{other:?}"),
        }
    }

    fn known(&self, operand: Operand, what: &str) -> String {
        let value = self.operand(operand);
        assert!(!value.contains('?'), "{:?} {what} {value}, which it was not told", self.position);
        value
    }

    /// Its worker, and its warp in the row.
    fn warp(&self) -> [i64; 2] {
        [self.position[0], self.position[1] / 32]
    }

    /// How many barriers the thread has passed.
    fn barriers(&self) -> usize {
        self.events.iter().filter(|event| event.starts_with("barrier")).count()
    }

    fn address(&self, addr: Address) -> String {
        format!("{}+{}", self.known(addr.base, "accesses"), addr.offset)
    }

    fn inst(&mut self, op: &Op, told: &mut Told) {
        let leads = self.position == [0, 0];
        let value = match op {
            Op::Copy { src, .. } => self.operand(*src),
            Op::DimPos { level: Level::Worker, .. } => self.position[0].to_string(),
            Op::DimPos { level: Level::Vector, .. } => self.position[1].to_string(),
            Op::Compare { op, a, b, .. } => match (self.operand(*a).parse(), self.operand(*b).parse::<i64>())
            {
                (Ok::<i64, _>(a), Ok(b)) if *op == CmpOp::Eq => i64::from(a == b).to_string(),
                (Ok(a), Ok(b)) if *op == CmpOp::Ne => i64::from(a != b).to_string(),
                (Ok(a), Ok(b)) if *op == CmpOp::ULt => i64::from(a < b).to_string(),
                _ => format!("{op:?}({},{})", self.operand(*a), self.operand(*b)),
            },
            Op::Convert { op: ConvertOp::ZExt | ConvertOp::SExt | ConvertOp::Trunc, src, .. } => {
                self.operand(*src)
            }
            Op::Binary { op, a, b, .. } => {
                match (self.operand(*a).parse(), self.operand(*b).parse::<i64>()) {
                    (Ok::<i64, _>(a), Ok(b)) if *op == BinaryOp::Add => (a + b).to_string(),
                    _ => format!("{op:?}({},{})", self.operand(*a), self.operand(*b)),
                }
            }
            Op::Load { addr: Address { base: Operand::Slot(slot), offset }, .. } => {
                // A thread sees what it wrote itself, and what another wrote before a barrier.
                let now = self.barriers();
                let writes = told.slots.get(&(slot.as_u32(), *offset)).into_iter().flatten().rev();
                let early = writes.clone().any(|(before, _)| *before == now) && !leads;
                let is_record = self.body.slots[*slot].name.is_none();
                assert!(!early || !is_record, "{:?} reads {slot} while it is written", self.position);
                let found = writes.into_iter().find(|(before, _)| leads || *before < now);
                found.map_or_else(|| format!("?{slot}+{offset}"), |(_, value)| value.clone())
            }
            Op::Load { addr, .. } => format!("load({})", self.address(*addr)),
            Op::Store { addr: Address { base: Operand::Slot(slot), offset }, src, .. } => {
                let value = self.known(*src, "stores");
                if self.body.slots[*slot].name.is_some() {
                    self.events.push(format!("store {slot}+{offset} {value}"));
                }
                let writes = told.slots.entry((slot.as_u32(), *offset)).or_default();
                writes.push((self.barriers(), value));
                return;
            }
            Op::Store { addr, src, .. } => {
                let event = format!("store {} {}", self.address(*addr), self.known(*src, "stores"));
                return self.events.push(event);
            }
            Op::Call { callee, args, .. } => {
                let args: Vec<String> = args.iter().map(|&arg| self.known(arg, "passes")).collect();
                let call = format!("call {callee:?}({})", args.join(","));
                self.events.push(call.clone());
                call
            }
            Op::Barrier { level } => return self.events.push(format!("barrier {level}")),
            Op::Shuffle { dst, src, by: Operand::Int(_, 0), mode: ShuffleMode::Index } => {
                self.shuffles += 1;
                let (warp, value) = (self.warp(), self.operand(*src));
                let sent = told.shuffles.entry(warp).or_default();
                if self.position[1] % 32 == 0 {
                    sent.push((*dst, value));
                }
                let (to, value) = &sent[self.shuffles - 1];
                assert_eq!(to, dst, "{:?} shuffles something else than its first lane", self.position);
                value.clone()
            }
            other => format!("{other:?}"),
        };
        if let Some(dst) = op.dst() {
            self.locals.insert(dst, value);
        }
    }

    /// Executes the body; `decide` says how branches go whose condition is no number.
    fn run(&mut self, told: &mut Told, decide: &dyn Fn(&str) -> bool) {
        let mut block = self.body.entry();
        loop {
            self.way.push(block);
            assert!(self.way.len() < 1000, "{:?} does not come to an end", self.position);
            let data = &self.body.blocks[block];
            data.insts.iter().for_each(|inst| self.inst(&inst.op, told));
            block = match &data.term {
                Terminator::Jump(next) => *next,
                Terminator::Branch { cond, then, otherwise } => {
                    let cond = self.known(*cond, "branches on");
                    let taken = cond.parse::<i64>().map_or_else(|_| decide(&cond), |value| value != 0);
                    self.pass_by(*then, *otherwise, taken, told)
                }
                Terminator::Switch { value, cases, default } => {
                    let value = self.known(*value, "switches on").parse().unwrap_or(i64::MIN);
                    let case = cases.iter().find(|(low, high, _)| (*low..=*high).contains(&value));
                    case.map_or(*default, |(_, _, target)| *target)
                }
                Terminator::Return(_) | Terminator::Unreachable => return,
            };
        }
    }
}

impl Thread<'_> {
    /// Where a thread goes on behind a branch. A block that comes back to the other way is executed on the
    /// spot by those for whom the condition holds, and leaves the rest without what it writes.
    fn pass_by(&mut self, then: Block, otherwise: Block, taken: bool, told: &mut Told) -> Block {
        let data = &self.body.blocks[then];
        let is_beside = matches!(data.term, Terminator::Jump(to) if to == otherwise);
        match (is_beside, taken) {
            (false, true) => then,
            (false, false) => otherwise,
            (true, true) => {
                data.insts.iter().for_each(|inst| self.inst(&inst.op, told));
                otherwise
            }
            (true, false) => {
                let defs = data.insts.iter().filter_map(|inst| inst.op.dst());
                self.locals.extend(defs.map(|local| (local, format!("?{local}"))));
                otherwise
            }
        }
    }
}

/// Events of the leader and of another thread.
fn events(body: &Body, other: [i64; 2], decide: &dyn Fn(&str) -> bool) -> [Vec<String>; 2] {
    let mut told = Told::default();
    let mut of = |position: [i64; 2]| {
        let mut locals: BTreeMap<Local, String> = BTreeMap::new();
        locals.extend(body.params.iter().zip(["p", "n"]).map(|(&local, name)| (local, name.to_owned())));
        let mut thread = Thread { body, position, locals, events: Vec::new(), way: Vec::new(), shuffles: 0 };
        thread.run(&mut told, decide);
        let warp = thread.warp();
        if position[1] % 32 == 0 {
            told.ways.insert(warp, thread.way);
        } else {
            // The last block may be the end of the lanes that the first one leaves behind.
            let way = &thread.way[..thread.way.len() - 1];
            assert!(told.ways[&warp].starts_with(way), "{position:?}: {way:?}, not {:?}", told.ways[&warp]);
        }
        thread.events
    };
    let leader = of([0, 0]);
    let first = [other[0], other[1] / 32 * 32];
    if first != [0, 0] && first != other {
        of(first);
    }
    [leader, of(other)]
}

fn never(condition: &str) -> bool {
    panic!("nothing was to depend on {condition}")
}

fn without_barriers(events: &[String]) -> Vec<&str> {
    events.iter().map(String::as_str).filter(|event| !event.starts_with("barrier")).collect()
}

fn barriers<'a>(events: &'a [String], level: &str) -> Vec<&'a str> {
    let is_one = |event: &&str| event.strip_prefix("barrier ") == Some(level);
    events.iter().map(String::as_str).filter(is_one).collect()
}

/// Whether a barrier of workers comes before the first store.
fn waits_before_stores(events: &[String]) -> bool {
    let first = |start: &str| events.iter().position(|event| event.starts_with(start));
    first("barrier worker").is_some_and(|barrier| first("store").is_none_or(|store| barrier < store))
}

fn records(body: &Body) -> Vec<u64> {
    let used = body.slots.values().filter(|data| data.name.is_none());
    used.filter(|data| matches!(data.kind, SlotKind::Broadcast | SlotKind::WorkerPrivate))
        .map(|d| d.size)
        .collect()
}

#[test]
fn idle_workers_follow_the_branch_that_the_first_one_took() {
    let body = neutered(
        WORKERS,
        "  locals v2: i64\n  locals v3: i1\n",
        "bb0:\n  v2 = load [v0.p]\n  store.i64 [v0.p + 8], v2\n  v3 = cmp.gt v2, v1.n\n  branch v3, bb1, bb2\n\
         bb1:\n  fork worker\n  store.i64 [v0.p + 16], 1i64\n  join worker\n  jump bb3\n\
         bb2:\n  fork worker\n  store.i64 [v0.p + 24], 2i64\n  join worker\n  jump bb3\n\
         bb3:\n  return\n",
    );
    for (taken, store) in [(true, "store p+16 1"), (false, "store p+24 2")] {
        let [leader, idle] = events(&body, [1, 0], &|_| taken);
        assert_eq!(without_barriers(&leader), ["store p+8 load(p+0)", store]);
        assert_eq!(without_barriers(&idle), [store]);
        assert_eq!(barriers(&leader, "worker"), barriers(&idle, "worker"));
    }
}

#[test]
fn branches_inside_a_stretch_concern_the_leader_only() {
    let body = neutered(
        WORKERS,
        "  locals v2: i64\n  locals v3: i1\n",
        "bb0:\n  v2 = load [v0.p]\n  v3 = cmp.gt v2, v1.n\n  branch v3, bb1, bb2\n\
         bb1:\n  store.i64 [v0.p], 1i64\n  jump bb3\nbb2:\n  store.i64 [v0.p], 2i64\n  jump bb3\n\
         bb3:\n  fork worker\n  store.i64 [v0.p + 8], v1.n\n  join worker\n  return\n",
    );
    for (taken, store) in [(true, "store p+0 1"), (false, "store p+0 2")] {
        let [leader, idle] = events(&body, [3, 0], &|_| taken);
        assert_eq!(without_barriers(&leader), [store, "store p+8 n"]);
        assert_eq!(without_barriers(&idle), ["store p+8 n"]);
    }
    assert!(records(&body).is_empty(), "there is one way to go on, and nothing to tell");
}

#[test]
fn ordinary_functions_are_called_by_the_first_worker_and_their_results_broadcast() {
    let body = neutered(
        WORKERS,
        "  locals v2: i64\n",
        "bb0:\n  v2 = call fn1.ordinary(v1.n) sig1\n  fork worker\n  store.i64 [v0.p], v2\n  join worker\n  return\n",
    );
    let [leader, idle] = events(&body, [2, 0], &never);
    let call = "call Direct(fn1)(n)";
    assert_eq!(without_barriers(&leader), [call, &format!("store p+0 {call}")]);
    assert_eq!(without_barriers(&idle), [format!("store p+0 {call}")]);
    assert_eq!(records(&body), [8]);
    assert_eq!(barriers(&idle, "worker").len(), 2, "one before the record is read, one at the join");
}

#[test]
fn routines_are_called_by_all_of_their_threads() {
    let body = neutered(
        WORKERS,
        "",
        "bb0:\n  store.i64 [v0.p], v1.n\n  call fn2.team() sig2\n  store.i64 [v0.p + 8], v1.n\n  return\n",
    );
    for other in [[2, 0], [0, 5], [3, 31]] {
        let [leader, idle] = events(&body, other, &never);
        assert_eq!(without_barriers(&leader), ["store p+0 n", "call Direct(fn2)()", "store p+8 n"]);
        assert_eq!(without_barriers(&idle), ["call Direct(fn2)()"]);
    }
    // A routine of lanes is called by all lanes of the first worker.
    let body = neutered(WORKERS, "", "bb0:\n  call fn3.row() sig2\n  return\n");
    let [leader, lane] = events(&body, [0, 7], &never);
    let [_, worker] = events(&body, [1, 7], &never);
    assert_eq!(without_barriers(&leader), ["call Direct(fn3)()"]);
    assert_eq!(without_barriers(&lane), ["call Direct(fn3)()"]);
    assert!(without_barriers(&worker).is_empty(), "{worker:?}");
}

#[test]
fn scalars_that_later_code_reads_are_broadcast_and_no_others() {
    let body = neutered(
        WORKERS,
        "  locals v2.sum, v3.temporary, v4.unused: i64\n",
        "bb0:\n  v3.temporary = load [v0.p]\n  v2.sum = add v3.temporary, v1.n\n  v4.unused = mul v2.sum, 2i64\n  \
         store.i64 [v0.p + 8], v4.unused\n  fork worker\n  store.i64 [v0.p + 16], v2.sum\n  join worker\n  return\n",
    );
    let [_, idle] = events(&body, [1, 0], &never);
    assert_eq!(without_barriers(&idle), ["store p+16 Add(load(p+0),n)"]);
    assert_eq!(records(&body), [8], "`sum` alone");
}

#[test]
fn what_only_computes_is_executed_by_all_and_broadcasts_nothing() {
    let body = neutered(
        WORKERS,
        "  locals v2: i64\n",
        "bb0:\n  v2 = add v1.n, 5i64\n  fork worker\n  store.i64 [v0.p], v2\n  join worker\n  return\n",
    );
    let [leader, idle] = events(&body, [1, 0], &never);
    assert_eq!(without_barriers(&idle), without_barriers(&leader));
    assert_eq!(barriers(&idle, "worker").len(), 1, "the join");
    assert!(records(&body).is_empty());
}

#[test]
fn what_reads_memory_is_executed_by_all_before_a_barrier() {
    let body = neutered(
        WORKERS,
        "  locals v2: i64\n",
        "bb0:\n  v2 = load [v0.p]\n  fork worker\n  store.i64 [v0.p], v2\n  join worker\n  return\n",
    );
    let [leader, idle] = events(&body, [1, 0], &never);
    assert_eq!(idle, leader);
    assert!(waits_before_stores(&idle), "nobody writes what others still read: {idle:?}");
    let volatile =
        "bb0:\n  v2 = load [v0.p] volatile\n  fork worker\n  store.i64 [v0.p], v2\n  join worker\n  return\n";
    assert_eq!(records(&neutered(WORKERS, "  locals v2: i64\n", volatile)), [8], "volatile: read once");
}

#[test]
fn aggregates_are_shared_and_written_once() {
    let body = neutered(
        WORKERS,
        "  slot s0.array size 64 align 8 gang_private\n  locals v2: i64\n",
        "bb0:\n  store.i64 [s0.array], v1.n\n  store.i64 [s0.array + 8], 7i64\n  fork worker\n  v2 = load [s0.array + 8]\n  \
         store.i64 [v0.p], v2\n  join worker\n  return\n",
    );
    let [leader, idle] = events(&body, [1, 0], &never);
    assert_eq!(without_barriers(&leader), ["store s0+0 n", "store s0+8 7", "store p+0 7"]);
    assert_eq!(without_barriers(&idle), ["store p+0 7"]);
    assert!(records(&body).is_empty(), "the array is not part of a record");
    assert!(waits_before_stores(&idle), "{idle:?}");
}

#[test]
fn writes_through_pointers_reach_what_they_point_to_before_the_others_go_on() {
    // `q` points to `x`, whose address is taken, so that it is in shared memory: the barrier makes the write
    // seen.
    let body = neutered(
        WORKERS,
        "  slot s0.x size 8 align 8 gang_private\n  locals v2.q: ptr\n  locals v3: i64\n",
        "bb0:\n  v2.q = copy s0.x\n  store.i64 [v2.q], v1.n\n  fork worker\n  v3 = load [s0.x]\n  store.i64 [v0.p], 1i64\n  \
         join worker\n  return\n",
    );
    let [leader, idle] = events(&body, [1, 0], &never);
    assert_eq!(without_barriers(&leader), ["store Slot(s0)+0 n", "store p+0 1"]);
    assert_eq!(without_barriers(&idle), ["store p+0 1"]);
    assert_eq!(barriers(&leader, "worker"), barriers(&idle, "worker"));
    assert_eq!(barriers(&idle, "worker").len(), 2);
}

#[test]
fn lanes_are_told_by_shuffles_and_long_rows_by_a_record() {
    let (locals, code) = (
        "  locals v2: i64\n",
        "bb0:\n  v2 = call fn1.ordinary(v1.n) sig1\n  fork vector\n  store.i64 [v0.p], v2\n  join vector\n  return\n",
    );
    let short = neutered(LANES, locals, code);
    assert!(records(&short).is_empty(), "shuffles need no memory");
    let long = neutered(LONG_ROW, locals, code);
    assert_eq!(records(&long), [8]);
    for (body, lane) in [(&short, 31), (&long, 100)] {
        let [leader, idle] = events(body, [0, lane], &never);
        assert_eq!(without_barriers(&leader).len(), 2);
        assert_eq!(without_barriers(&idle), ["store p+0 call Direct(fn1)(n)"]);
        assert!(barriers(&leader, "worker").is_empty(), "one worker has nobody to wait for");
        assert_eq!(barriers(&leader, "vector"), barriers(&idle, "vector"));
    }
}

#[test]
fn values_of_every_type_reach_the_others() {
    for (ty, zero, record) in [
        ("i1", "true", 1),
        ("i8", "1i8", 1),
        ("i32", "1i32", 4),
        ("f64", "v5", 8),
        ("ptr", "v0.p", 8),
        ("i128", "1i128", 16),
        ("c32", "v6", 8),
        ("c64", "v7", 16),
    ] {
        let code = format!(
            "bb0:\n  call fn1.ordinary(v1.n) sig1\n  v2 = copy {zero}\n  fork LEVEL\n  v3 = copy v2\n  \
             store.i64 [v0.p], v1.n\n  join LEVEL\n  jump bb1\nbb1:\n  v4 = copy v3\n  return\n"
        );
        let locals =
            format!("  locals v2, v3, v4: {ty}\n  locals v5: f64\n  locals v6: c32\n  locals v7: c64\n");
        // The others are told what came out of an effect; what they can compute, they have.
        let effect = "v8 = call fn1.ordinary(v1.n) sig1\n  v2 = ";
        let from_call = match ty {
            "i1" => "cmp.gt v8, 0i64",
            "i8" | "i32" => "convert.trunc v8",
            "i128" => "convert.sext v8",
            "f64" => "convert.stof v8",
            "ptr" => "convert.bits v8",
            _ => "complex v9, v9",
        };
        let part = match ty {
            "c32" | "c64" => "v9 = convert.stof v8\n  v2 = ",
            _ => "v2 = ",
        };
        let effect = effect.replace("v2 = ", part) + from_call;
        let code = code.replace(&format!("v2 = copy {zero}"), &effect);
        let real = if ty == "c32" { "f32" } else { "f64" };
        let locals = format!("{locals}  locals v8: i64\n  locals v9: {real}\n");
        let workers = neutered(WORKERS, &locals, &code.replace("LEVEL", "worker"));
        assert!(records(&workers).contains(&record), "{ty}: {:?}", records(&workers));
        let lanes = neutered(LANES, &locals, &code.replace("LEVEL", "vector"));
        let shuffles = |op: &Op| matches!(op, Op::Shuffle { mode: ShuffleMode::Index, .. });
        let count = lanes.order.iter().flat_map(|&block| &lanes.blocks[block].insts);
        assert_eq!(count.filter(|inst| shuffles(&inst.op)).count(), 1, "{ty}");
    }
}

/// What threads execute alike, and what a branch on a parameter leads to.
#[test]
fn warps_go_together_where_no_branch_asks_for_what_an_effect_gave() {
    let locals = "  locals v2, v3: i64\n  locals v4: i1\n";
    let code = "bb0:\n  v4 = cmp.gt v1.n, 5i64\n  v2 = copy 1i64\n  branch v4, bb1, bb2\n\
         bb1:\n  v2 = add v1.n, 1i64\n  store.i64 [v0.p], v2\n  jump bb2\n\
         bb2:\n  fork LEVEL\n  store.i64 [v0.p + 8], v2\n  join LEVEL\n  return\n";
    for (dims, level, other) in [(WORKERS, "worker", [2, 0]), (LONG_ROW, "vector", [0, 100])] {
        let body = neutered(dims, locals, &code.replace("LEVEL", level));
        assert!(records(&body).is_empty(), "all of them know `v2` and where to go on");
        for taken in [true, false] {
            let [leader, idle] = events(&body, other, &|_| taken);
            assert_eq!(without_barriers(&leader).len(), if taken { 2 } else { 1 }, "{leader:?}");
            assert_eq!(without_barriers(&idle).len(), 1, "{idle:?}");
            assert_eq!(barriers(&leader, level), barriers(&idle, level));
            assert_eq!(barriers(&idle, level).len(), 2, "what is written is there, and the join");
        }
        // What the branch depends on may come out of the store, as far as anybody knows.
        let asks = code.replace("v4 = cmp.gt v1.n, 5i64", "v3 = load [v0.p]\n  v4 = cmp.gt v3, 5i64");
        let body = neutered(dims, locals, &asks.replace("LEVEL", level));
        assert_eq!(records(&body), [8], "`v2`: one way out of the stretch");
    }
}

#[test]
fn warps_going_together_read_what_the_stretch_does_not_write() {
    let read = |from: &str, to: &str| {
        let body = neutered(
            LONG_ROW,
            "  locals v2: i64\n  slot s0.x size 8 align 8 gang_private\n",
            &format!(
                "bb0:\n  v2 = load [{from}]\n  store.i64 [{to}], 3i64\n  fork vector\n  store.i64 [v0.p + 8], v2\n  \
                 join vector\n  return\n"
            ),
        );
        let [leader, idle] = events(&body, [0, 70], &never);
        assert_eq!(without_barriers(&leader).len(), 2, "{leader:?}");
        assert_eq!(without_barriers(&idle).len(), 1, "{idle:?}");
        records(&body)
    };
    assert!(read("v0.p", "s0.x").is_empty());
    assert_eq!(read("v0.p", "v0.p"), [8]);
}

#[test]
fn loops_of_single_mode_are_the_leaders() {
    let body = neutered(
        WORKERS,
        "  locals v2: i64\n  locals v3: i1\n  loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n",
        "bb0:\n  v2 = copy 0i64\n  jump bb1\nbb1 loop0:\n  v3 = cmp.lt v2, v1.n\n  branch v3, bb2, bb3\n\
         bb2 loop0:\n  store.i64 [v0.p], v2\n  v2 = add v2, 1i64\n  jump bb1\n\
         bb3:\n  fork worker\n  store.i64 [v0.p + 8], v2\n  join worker\n  return\n",
    );
    assert_eq!(records(&body), [8], "the others get `v2`");
}

/// How many shuffles a body has.
fn shuffles(body: &Body) -> usize {
    let insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    insts.filter(|inst| matches!(inst.op, Op::Shuffle { .. })).count()
}

#[test]
fn lanes_follow_branches_on_what_the_first_one_read() {
    // The harness sees to it that lane 9 takes the first lane's way.
    let body = neutered(
        LANES,
        "  locals v2, v3: i64\n  locals v4: i1\n",
        "bb0:\n  v2 = load [v0.p]\n  store.i64 [v0.p], 0i64\n  v4 = cmp.gt v2, v1.n\n  branch v4, bb1, bb2\n\
         bb1:\n  store.i64 [v0.p + 8], v2\n  jump bb2\n\
         bb2:\n  fork vector\n  store.i64 [v0.p + 16], v1.n\n  join vector\n  return\n",
    );
    for taken in [true, false] {
        let [leader, lane] = events(&body, [0, 9], &|_| taken);
        assert_eq!(without_barriers(&leader).len(), if taken { 3 } else { 2 });
        assert_eq!(without_barriers(&lane), ["store p+16 n"]);
        assert_eq!(barriers(&leader, "vector"), barriers(&lane, "vector"));
    }
    assert_eq!(shuffles(&body), 1, "`v2` alone: the lanes compare it themselves");
}

#[test]
fn values_on_which_no_branch_depends_travel_where_the_stretch_is_left() {
    // A sum over memory: one shuffle behind the loop, none in it.
    let body = neutered(
        LANES,
        "  locals v2.k, v3.sum, v4: i64\n  locals v5: i1\n",
        "bb0:\n  v2.k = copy 0i64\n  v3.sum = copy 0i64\n  jump bb1\n\
         bb1:\n  v5 = cmp.lt v2.k, v1.n\n  branch v5, bb2, bb3\n\
         bb2:\n  v4 = load [v0.p]\n  v3.sum = add v3.sum, v4\n  store.i64 [v0.p], v3.sum\n  \
         v2.k = add v2.k, 1i64\n  jump bb1\n\
         bb3:\n  fork vector\n  store.i64 [v0.p + 8], v3.sum\n  join vector\n  return\n",
    );
    let two = |condition: &str| !condition.contains("Lt(2");
    let [leader, lane] = events(&body, [0, 31], &two);
    assert_eq!(without_barriers(&leader).len(), 3);
    assert_eq!(without_barriers(&lane), without_barriers(&leader)[2..]);
    assert_eq!(shuffles(&body), 1);
}

#[test]
fn the_bound_of_a_loop_travels_once() {
    let body = neutered(
        LANES,
        "  locals v2.k, v3.bound: i64\n  locals v4: i1\n  \
         loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4 for v2.k = 0i64, lt v3.bound, step 1i64\n",
        "bb0:\n  v3.bound = load [v0.p]\n  v2.k = copy 0i64\n  jump bb1\n\
         bb1 loop0:\n  v4 = cmp.lt v2.k, v3.bound\n  branch v4, bb2, bb4\n\
         bb2 loop0:\n  store.i64 [v0.p + 8], v2.k\n  jump bb3\n\
         bb3 loop0:\n  v2.k = add v2.k, 1i64\n  jump bb1\n\
         bb4:\n  fork vector\n  store.i64 [v0.p + 16], v1.n\n  join vector\n  return\n",
    );
    assert_eq!(shuffles(&body), 1);
    assert!(body.loops.values().any(|data| data.induction.is_some()), "the loop is not counted any more");
    let [leader, lane] = events(&body, [0, 1], &|condition| !condition.contains("Lt(2"));
    assert_eq!(without_barriers(&leader).len(), 3);
    assert_eq!(without_barriers(&lane), ["store p+16 n"]);
}

#[test]
fn the_lanes_that_nothing_waits_for_end_before_the_last_stretch() {
    let body = neutered(
        LANES,
        "  locals v2: i64\n  locals v3: i1\n",
        "bb0:\n  fork vector\n  store.i64 [v0.p], v1.n\n  join vector\n  jump bb1\n\
         bb1:\n  v2 = load [v0.p]\n  v3 = cmp.gt v2, v1.n\n  branch v3, bb2, bb3\n\
         bb2:\n  store.i64 [v0.p + 8], v2\n  return\n\
         bb3:\n  return\n",
    );
    let [leader, lane] = events(&body, [0, 4], &|_| true);
    assert_eq!(without_barriers(&leader), ["store p+0 n", "store p+8 load(p+0)"]);
    assert_eq!(without_barriers(&lane), ["store p+0 n"]);
    assert_eq!(shuffles(&body), 0);
}

#[test]
fn a_sequential_loop_around_workers_waits_in_every_iteration() {
    let body = neutered(
        WORKERS,
        "  locals v2.k, v3: i64\n  locals v4: i1\n",
        "bb0:\n  v2.k = copy 0i64\n  jump bb1\n\
         bb1:\n  v4 = cmp.lt v2.k, v1.n\n  branch v4, bb2, bb3\n\
         bb2:\n  store.i64 [v0.p], v2.k\n  fork worker\n  v3 = load [v0.p]\n  store.i64 [v0.p + 8], v3\n  join worker\n  \
         v2.k = add v2.k, 1i64\n  jump bb1\n\
         bb3:\n  return\n",
    );
    let two = |condition: &str| !condition.contains("Lt(2");
    let [leader, idle] = events(&body, [1, 0], &two);
    assert_eq!(without_barriers(&leader).len(), 4, "{leader:?}");
    assert_eq!(without_barriers(&idle).len(), 2, "{idle:?}");
    assert_eq!(barriers(&leader, "worker"), barriers(&idle, "worker"));
    assert!(barriers(&idle, "worker").len() >= 4, "{idle:?}");
}

#[test]
fn a_sequential_loop_that_reads_stays_a_loop() {
    // All execute the header and the rest of the body, which reads; the way from there to the lanes waits.
    let body = neutered(
        LANES,
        "  slot s0.a size 64 align 8 gang_private\n  locals v2.t, v3, v4: i64\n  locals v5: i1\n  \
         loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4 for v2.t = 0i64, lt 2i64, step 1i64\n",
        "bb0:\n  v2.t = copy 0i64\n  jump bb1\n\
         bb1 loop0:\n  v5 = cmp.lt v2.t, 2i64\n  branch v5, bb2, bb4\n\
         bb2 loop0:\n  fork vector\n  v3 = load [s0.a]\n  store.i64 [v0.p], v3\n  join vector\n  v4 = load [s0.a + 8]\n  \
         jump bb3\n\
         bb3 loop0:\n  v2.t = add v2.t, 1i64\n  jump bb1\n\
         bb4:\n  return\n",
    );
    assert!(body.loops.values().any(|data| data.induction.is_some()), "the loop is not counted any more");
}

#[test]
fn a_record_is_written_again_when_all_have_read_it() {
    // Both stretches end where each thread allocates, and nobody waits at that.
    let body = neutered(
        WORKERS,
        "  locals v2, v3: i64\n  locals v4, v5: ptr\n",
        "bb0:\n  v2 = call fn1.ordinary(v1.n) sig1\n  v4 = stack_alloc v2 align 8 each\n  \
         v3 = call fn1.ordinary(v2) sig1\n  v5 = stack_alloc v3 align 8 each\n  fork worker\n  \
         store.i64 [v0.p], v2\n  store.i64 [v0.p + 8], v3\n  join worker\n  return\n",
    );
    let [leader, idle] = events(&body, [1, 0], &never);
    assert_eq!(without_barriers(&leader)[2..], without_barriers(&idle));
    assert_eq!(barriers(&idle, "worker").len(), 4, "two records, one wait between them, and the join");
    assert_eq!(barriers(&leader, "worker"), barriers(&idle, "worker"));
}

#[test]
fn a_return_from_single_mode_is_a_return_of_all() {
    let body = neutered(
        WORKERS,
        "  locals v2: i64\n  locals v3: i1\n",
        "bb0:\n  v2 = load [v0.p]\n  store.i64 [v0.p], 0i64\n  v3 = cmp.eq v2, v1.n\n  branch v3, bb1, bb2\n\
         bb1:\n  return\n\
         bb2:\n  fork worker\n  store.i64 [v0.p + 8], 1i64\n  join worker\n  return\n",
    );
    for (leaves, stores) in [(true, 0), (false, 1)] {
        let [leader, idle] = events(&body, [1, 0], &|_| leaves);
        assert_eq!(without_barriers(&idle).len(), stores);
        assert_eq!(without_barriers(&leader).len(), stores + 1);
        assert_eq!(barriers(&leader, "worker"), barriers(&idle, "worker"));
    }
}

#[test]
fn lanes_of_every_worker_have_a_leader_of_their_own() {
    let body = neutered(
        WORKERS,
        "  locals v2: i32\n  locals v3, v4: i64\n",
        "bb0:\n  fork worker\n  v2 = dim_pos worker\n  v3 = convert.zext v2\n  v4 = call fn1.ordinary(v3) sig1\n  fork vector\n  \
         store.i64 [v0.p], v4\n  join vector\n  join worker\n  return\n",
    );
    let [first, _] = events(&body, [0, 0], &never);
    assert_eq!(without_barriers(&first), ["call Direct(fn1)(0)", "store p+0 call Direct(fn1)(0)"]);
    let [_, other_worker] = events(&body, [2, 0], &never);
    assert!(without_barriers(&other_worker).contains(&"call Direct(fn1)(2)"), "{other_worker:?}");
}
