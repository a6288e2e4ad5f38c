//! Lets the threads of a gang share what OpenMP's `parallel` is in a function that one of them calls.
//!
//! Before: loops of ordinary functions have levels inside of a gang (`worker`, `vector`), and ask for its
//! threads, though nobody knows who calls. After: calls by the one thread of a gang that executes what no
//! loop shares lead to a copy of the function, a routine of workers, which all threads enter; calls in it
//! lead to copies, too. The function itself has one thread: its loops are sequential, and what asks for
//! threads is answered.
//!
//! ```c
//! void row(float *a, int n) {
//! #pragma omp parallel for
//!     for (int i = 0; i < n; i++) a[i] *= 2;      // row: one thread. row$gang: `worker vector`
//! }
//! #pragma omp target teams distribute
//! for (int i = 0; i < m; i++) row(a[i], n);       // row$gang
//! #pragma omp target teams distribute parallel for
//! for (int i = 0; i < m; i++) row(a[i], n);       // row
//! ```
//!
//! A function that calls itself has one thread: shared memory of a routine exists once. So has one that
//! starts regions of a device itself, one whose team would call what a team of a gang cannot have, such as
//! `critical` in a function, and whatever an address leads to. A warning tells of a call that could have had
//! more.
//!
//! The launch has no more threads than constants in `num_threads` of the functions allow. Bounds that the
//! front end gives to constructs for the sake of their calls alone are dropped where no function shares
//! anything.

use super::ask_threads::refused_by_teams;
use super::env::Env;
use super::exclude;
use crate::acc::{ConstructKind, Level, LoopKind, MEET, SizeClauses, ThreadBound};
use crate::analysis::call_order::callees_first;
use crate::analysis::callers::callers_of;
use crate::entities::{Block, Construct, Func, Loop};
use crate::function::{Body, Function, FunctionKind, Routine};
use crate::module::Module;
use crate::op::{Callee, Inst, Op, Operand, Pos};
use crate::report::{Decision, PassError, Report, Warning, ids, topics};
use crate::types::Type;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Lanes of a worker where the number of threads has a bound.
const LANES: u32 = 32;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    let has_orphans = |function: &Function| {
        let body = function.body.as_deref().filter(|_| !function.is_device_code());
        body.is_some_and(|body| orphans(body).next().is_some())
    };
    let found: Vec<Func> =
        module.functions.iter().filter(|(_, function)| has_orphans(function)).map(|(func, _)| func).collect();
    let has_lanes = env.target.has_lanes();
    let mut teams = match found.is_empty() {
        true => Teams::default(),
        false => Teams::of(module, &found, has_lanes),
    };
    let functions: Vec<Func> = module.functions.keys().collect();
    for func in functions {
        let has_constructs = |body: &mut Box<Body>| !body.constructs.is_empty();
        let Some(mut body) = module.functions[func].body.take_if(has_constructs) else { continue };
        for construct in body.constructs.keys().collect::<Vec<_>>() {
            teams.enter((module, func), &mut body, construct, env.report);
        }
        module.functions[func].body = Some(body);
    }
    while let Some(copy) = teams.open.pop() {
        let Some(mut body) = module.functions[copy].body.take() else { continue };
        let single = single(&body, None);
        teams.call_copies((module, copy), &mut body, &single, env.report);
        module.functions[copy].body = Some(body);
    }
    if teams.may_be_alone {
        for &copy in teams.copies.values() {
            let Some(body) = module.functions[copy].body.as_deref_mut() else { continue };
            for loop_ in orphans(body).collect::<Vec<_>>() {
                body.loops[loop_].directive.iter_mut().for_each(|directive| directive.in_order = true);
            }
        }
    }
    for func in module.functions.keys().collect::<Vec<_>>() {
        let function = &module.functions[func];
        if function.is_device_code() && (has_lanes || !is_copy(function)) {
            continue;
        }
        let Some(mut body) = module.functions[func].body.take() else { continue };
        leave_one_thread(module, &mut body);
        module.functions[func].body = Some(body);
    }
    Ok(())
}

/// The loops of a function that threads of a gang may share, in none of its constructs.
fn orphans(body: &Body) -> impl Iterator<Item = Loop> {
    body.loops.keys().filter(|&loop_| {
        let data = &body.loops[loop_];
        let is_outside = body.blocks.get(data.header).is_some_and(|header| header.construct.is_none());
        is_outside
            && data.directive.as_ref().is_some_and(|directive| {
                directive.named_levels().iter().any(|level| matches!(level, Level::Worker | Level::Vector))
            })
    })
}

/// The blocks of a construct, or of a function, that one thread of a gang executes.
fn single(body: &Body, construct: Option<Construct>) -> Vec<Block> {
    let is_shared = |loop_: Loop| {
        body.loops[loop_].directive.as_ref().is_some_and(|directive| {
            let levels = directive.named_levels();
            directive.kind != LoopKind::Seq
                && (levels.is_empty() || levels.iter().any(|level| !level.is_gang()))
        })
    };
    let is_single = |&block: &Block| {
        let data = &body.blocks[block];
        data.construct == construct && !body.loops_around(data.loop_).any(is_shared)
    };
    body.order.iter().copied().filter(is_single).collect()
}

/// The functions that are called by one thread there, by their names.
fn called<'a>(module: &'a Module, body: &'a Body, blocks: &'a [Block]) -> impl Iterator<Item = Func> + 'a {
    let insts = blocks.iter().flat_map(|&block| &body.blocks[block].insts);
    insts.filter_map(|inst| match inst.op {
        Op::Call { callee: Callee::Direct(func), .. } if is_plain(&module.functions[func]) => Some(func),
        _ => None,
    })
}

/// Whether a function is one of C, which no directive makes a routine.
fn is_plain(function: &Function) -> bool {
    matches!(function.kind, FunctionKind::Normal) && function.routine.is_none()
}

/// Whether a function is what this pass has made of another one.
fn is_copy(function: &Function) -> bool {
    function.routine.as_ref().is_some_and(|routine| routine.implicit)
}

/// Functions whose loops the threads of a gang share.
#[derive(Default)]
struct Teams {
    /// Whether there are any: the host has the same copies as a device, so that launches are the same, and
    /// one thread for them.
    has_lanes: bool,
    /// Whether the threads of a gang may enter a function.
    share: SecondaryMap<Func, bool>,
    /// Whether a function leads to one with such loops.
    lead: SecondaryMap<Func, bool>,
    /// The most threads that may enter, if constants say.
    most: SecondaryMap<Func, Option<u32>>,
    copies: FxHashMap<Func, Func>,
    /// Copies whose calls are those of the original.
    open: Vec<Func>,
    /// A launch may turn out to have one thread.
    may_be_alone: bool,
}

impl Teams {
    /// Given the functions with such loops of their own.
    fn of(module: &Module, found: &[Func], has_lanes: bool) -> Teams {
        let mut callees: SecondaryMap<Func, Vec<Func>> = SecondaryMap::new();
        let lead = callers_of(module, found.to_vec());
        for (func, function) in module.functions.iter().filter(|(func, _)| lead[*func]) {
            let Some(body) = function.body.as_deref() else { continue };
            let single = single(body, None);
            callees[func] = called(module, body, &single).filter(|&callee| lead[callee]).collect();
        }
        let refused = exclude::routines(module).into_iter().chain(refused_by_teams(module)).collect();
        let refused = callers_of(module, refused);
        let (order, recursive) = callees_first(&callees, module.functions.keys().filter(|&func| lead[func]));
        let mut teams = Teams { has_lanes, lead, ..Teams::default() };
        for func in order {
            let function = &module.functions[func];
            let Some(body) = function.body.as_deref().filter(|_| is_plain(function)) else { continue };
            let own = found.contains(&func);
            teams.share[func] = !recursive.contains(func)
                && body.live_constructs().is_empty()
                && !teams_call(body, &refused)
                && (own || callees[func].iter().any(|&callee| teams.share[callee]));
            let of_callees = callees[func].iter().filter_map(|&callee| teams.most[callee]);
            let of_loops = orphans(body).filter_map(|loop_| bound(body, loop_));
            teams.most[func] = of_callees.chain(of_loops).min().filter(|_| teams.share[func]);
        }
        teams
    }

    /// Has a construct of OpenMP call copies, and gives its launch their threads. Without calls, it needs
    /// bounds for its own loops only.
    fn enter(
        &mut self,
        (module, func): (&mut Module, Func),
        body: &mut Body,
        construct: Construct,
        report: &mut Report,
    ) {
        let data = &body.constructs[construct];
        let is_target = matches!(data.kind, ConstructKind::Parallel | ConstructKind::Serial)
            && matches!(data.dims.clauses, SizeClauses::OpenMp(_));
        if !is_target {
            return;
        }
        let single = single(body, Some(construct));
        let most = called(module, body, &single).filter_map(|callee| self.most[callee]).min();
        let enters = self.call_copies((module, func), body, &single, report);
        let (has_loops, has_team) = own_threads(body, construct);
        let data = &mut body.constructs[construct];
        let dims = &mut data.dims;
        if !enters {
            if !has_loops {
                (dims.workers, dims.vector) = (None, None);
            }
            return;
        }
        if data.kind == ConstructKind::Serial {
            data.kind = ConstructKind::Parallel;
            dims.gangs[0] = Some(Operand::Int(Type::I32, 1));
        }
        let threads = [dims.workers, dims.vector].map(|size| size.map(Operand::as_int));
        let known = match threads {
            [None, None] => None,
            [workers, lanes] => {
                Some(workers.flatten().zip(lanes.flatten()).map(|(workers, lanes)| workers * lanes))
            }
        };
        if let Some(most) = most.filter(|_| !has_team)
            && known.is_none_or(|known| known.is_some_and(|known| known > i64::from(most)))
        {
            let size = |size: u32| Some(Operand::Int(Type::I32, i64::from(size)));
            (dims.workers, dims.vector) = (size((most / LANES).max(1)), size(most.min(LANES)));
            dims.clauses = SizeClauses::OpenMp(ThreadBound::NumThreads);
        }
        self.may_be_alone |= known.is_some_and(|known| known.is_none_or(|known| known <= 1));
    }

    /// Has blocks that one thread executes call copies; whether there are any.
    fn call_copies(
        &mut self,
        (module, func): (&mut Module, Func),
        body: &mut Body,
        blocks: &[Block],
        report: &mut Report,
    ) -> bool {
        let mut any = false;
        for &block in blocks {
            for inst in &mut body.blocks[block].insts {
                let Op::Call { callee: Callee::Direct(callee), .. } = &mut inst.op else { continue };
                if self.share[*callee] {
                    *callee = self.copy_of(module, *callee, report);
                    any = true;
                } else if self.has_lanes && self.lead[*callee] && is_plain(&module.functions[*callee]) {
                    report.warnings.push(one_thread(module, (func, *callee), inst.pos));
                }
            }
        }
        any
    }

    fn copy_of(&mut self, module: &mut Module, func: Func, report: &mut Report) -> Func {
        if let Some(&copy) = self.copies.get(&func) {
            return copy;
        }
        let original = &module.functions[func];
        if self.has_lanes {
            report.decisions.push(Decision {
                pos: original.pos,
                function: original.name.clone(),
                topic: topics::ROUTINE,
                text: "one thread of a gang calls it outside of loops that threads share: the others share \
                       its `parallel`"
                    .to_owned(),
            });
        }
        let level = self.has_lanes.then_some(Level::Worker);
        let routine = Routine { level, bind: None, nohost: false, implicit: true };
        let copy = Function { routine: Some(routine), ..original.internal_copy("gang") };
        let copy = module.functions.push(copy);
        self.copies.insert(func, copy);
        self.open.push(copy);
        copy
    }
}

/// Whether the threads of a team call one of these functions.
fn teams_call(body: &Body, functions: &SecondaryMap<Func, bool>) -> bool {
    let blocks = body.order.iter().filter(|&&block| body.is_in_team(block));
    let mut insts = blocks.flat_map(|&block| &body.blocks[block].insts);
    insts.any(|inst| matches!(inst.op, Op::Call { callee: Callee::Direct(func), .. } if functions[func]))
}

/// The most threads that may share a loop, if a constant says.
fn bound(body: &Body, loop_: Loop) -> Option<u32> {
    let most = body.loops[loop_].directive.as_ref()?.worker.flatten()?;
    u32::try_from(most.as_int()?).ok()
}

/// Whether a construct has loops that threads of a gang share, and whether one is that of a team, for which
/// the launch has exactly as many threads as it says.
fn own_threads(body: &Body, construct: Construct) -> (bool, bool) {
    let mut found = (false, false);
    for data in body.loops.values() {
        let Some(directive) = &data.directive else { continue };
        if body.blocks.get(data.header).is_some_and(|header| header.construct == Some(construct)) {
            found.0 |= directive.named_levels().iter().any(|level| !level.is_gang());
            found.1 |= directive.team.is_some();
        }
    }
    found
}

/// Tells that one thread executes what the threads of a gang could share.
fn one_thread(module: &Module, (func, callee): (Func, Func), pos: Pos) -> Warning {
    let callee = &module.functions[callee].name;
    Warning {
        id: ids::ONE_THREAD,
        pos,
        function: module.functions[func].name.clone(),
        message: format!("one thread of the device executes each `parallel` that `{callee}` leads to"),
        notes: vec![
            "a function that calls itself, or starts regions of a device, has one thread, and so has one whose \
             threads wait for each other in functions that they call"
                .to_owned(),
        ],
    }
}

/// Answers what the code of a function outside of its constructs asks one thread. The levels of loops, the
/// pass `kernels` takes away, as from all loops in ordinary functions.
fn leave_one_thread(module: &Module, body: &mut Body) {
    if !body.loops.values().any(|data| data.directive.is_some()) {
        return;
    }
    for loop_ in orphans(body).collect::<Vec<_>>() {
        body.loops[loop_].directive.iter_mut().for_each(|directive| directive.team = None);
    }
    let meets = |inst: &Inst| matches!(inst.op, Op::Call { callee: Callee::Direct(func), .. } if *module.functions[func].name == *MEET);
    for &block in &body.order {
        let data = &mut body.blocks[block];
        if data.construct.is_some() {
            continue;
        }
        data.insts.retain(|inst| !meets(inst));
        for inst in &mut data.insts {
            let (dst, answer) = match inst.op {
                Op::DimSize { dst, level: Level::Worker | Level::Vector } => (dst, 1),
                Op::DimPos { dst, level: Level::Worker | Level::Vector } => (dst, 0),
                _ => continue,
            };
            inst.op = Op::Copy { dst, src: Operand::Int(body.locals[dst].ty, answer) };
        }
    }
}
