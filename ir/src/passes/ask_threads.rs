//! Functions that a device calls learn which thread of their team executes them.
//!
//! Before: code asks with OpenMP's routines, `omp_get_thread_num` and its like, which tell what is true of a
//! team of one thread where the device has them at all. After: what is called in loops whose iterations
//! threads of a gang share is a copy that asks for workers and lanes, and so do these loops themselves; all
//! other code goes on to ask the routines.
//!
//! In the loop of a team, whose iterations are the threads, the routine in which these meet becomes an
//! operation. Where a device has no lanes, one thread executes the iterations in turn, and the routines go on
//! to know which one.
//!
//! The number of the team, and how many there are, all code of a device with lanes reads from registers: a
//! call would be one thread's, which tells the others.
//!
//! A function that is called by its address asks the routines, too. Where a gang has several threads, its
//! answer could be wrong, and is an error.

use super::env::Env;
use super::reach::{of_device, reached_from};
use crate::acc::{Level, MEET};
use crate::analysis::callers::callers_of;
use crate::builder::Cursor;
use crate::entities::{Block, Func, Local, Sig};
use crate::function::{Body, Function, FunctionKind, Linkage, LoopData};
use crate::module::{Init, Module};
use crate::op::{Callee, CmpOp, ConvertOp, Inst, Op, Operand, Pos};
use crate::report::{Fault, PassError};
use crate::types::{Extend, PassBy, Signature, Type};
use crate::visit::Part;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// What a routine answers in a loop that threads share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// The thread's number.
    Number,
    /// How many threads share the loop.
    Count,
    /// A constant: inner teams have one thread, and the team itself is one active level.
    One,
    /// In the loop of a team alone, nothing: all threads meet.
    Meet,
    /// There, too: whether it is the thread that executes a `single`.
    Chosen,
    /// There, too: the range of iterations that the thread has of a loop.
    Share,
    /// There, what the device does not have.
    Refused,
}

impl Answer {
    /// Whether the routine itself is right elsewhere: that of a team of one thread.
    fn is_of_team(self) -> bool {
        matches!(self, Answer::Meet | Answer::Chosen | Answer::Share | Answer::Refused)
    }
}

/// The routines that ask for the threads of a team.
const ROUTINES: [(&str, Answer); 18] = [
    (MEET, Answer::Meet),
    ("__accrue_omp_barrier", Answer::Meet),
    ("__accrue_omp_single_start", Answer::Chosen),
    ("__accrue_omp_loop_start", Answer::Share),
    ("__accrue_omp_loop_memory", Answer::Refused),
    ("__accrue_omp_reduce_start", Answer::Refused),
    ("__accrue_omp_ordered_start", Answer::Refused),
    ("__accrue_omp_ordered_called", Answer::Refused),
    ("__accrue_omp_doacross", Answer::Refused),
    ("__accrue_omp_copyprivate_give", Answer::Refused),
    ("__accrue_omp_copyprivate_take", Answer::Refused),
    ("__accrue_omp_cancel_barrier", Answer::Refused),
    ("omp_get_thread_num", Answer::Number),
    ("omp_get_num_threads", Answer::Count),
    ("omp_get_thread_limit", Answer::Count),
    ("omp_get_max_threads", Answer::One),
    ("omp_in_parallel", Answer::One),
    ("omp_get_active_level", Answer::One),
];

/// OpenMP's routines for the number of the team, and for that of all teams.
pub(super) const TEAM: &str = "omp_get_team_num";
const TEAMS: &str = "omp_get_num_teams";

/// The routine of a device's library that tells the range of a thread, from its number and that of all
/// threads.
const SHARE: &str = "__accrue_omp_share_of_team";

/// The routines that ask how many `parallel` are around a call: the front end answers them in a `target`
/// construct, and a function that is called there is not told.
pub const LEVEL_QUERIES: [&str; 3] = ["omp_get_level", "omp_get_ancestor_thread_num", "omp_get_team_size"];

/// The routines that a program declares and does not define. Some matter only where there are teams.
pub(super) fn routines(module: &Module) -> Vec<Func> {
    let has_teams =
        module.functions.values().any(|function| function.body.as_deref().is_some_and(Body::has_team));
    let is_routine =
        |function: &Function| answer(function).is_some_and(|answer| has_teams || !answer.is_of_team());
    module.functions.iter().filter(|(_, function)| is_routine(function)).map(|(func, _)| func).collect()
}

/// The routines that a program declares and that threads of a gang cannot ask in a team of theirs.
pub(super) fn refused_by_teams(module: &Module) -> impl Iterator<Item = Func> {
    let is_refused = |function: &Function| answer(function) == Some(Answer::Refused);
    module.functions.iter().filter(move |(_, function)| is_refused(function)).map(|(func, _)| func)
}

/// Whether a function is one of the routines that ask for the threads of a team, or let them meet.
pub fn asks_for_threads(function: &Function) -> bool {
    answer(function).is_some()
}

/// What a function answers, if it is one of the routines and the program does not define it.
fn answer(function: &Function) -> Option<Answer> {
    let is_it = |&&(name, _): &&(&str, Answer)| function.body.is_none() && *name == *function.name;
    ROUTINES.iter().find(is_it).map(|&(_, answer)| answer)
}

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    // Where devices have lanes, code for them has none of these routines, and says so.
    match env.target.has_lanes() {
        true => answer_teams(module),
        false => refuse_levels(module)?,
    }
    let routines = routines(module);
    if routines.is_empty() {
        return Ok(());
    }
    let has_lanes = env.target.has_lanes();
    let asking = callers_of(module, routines);
    let mut copies = Copies { asking, of: FxHashMap::default(), open: Vec::new(), share: None };
    if has_lanes {
        refuse_addresses(module, &copies.asking)?;
    }
    let functions: Vec<Func> = module.functions.keys().collect();
    for func in functions {
        let function = &mut module.functions[func];
        if !copies.asking[func] || !function.is_device_code() {
            continue;
        }
        let Some(mut body) = function.body.take() else { continue };
        for around in [Around::Loop, Around::Team] {
            let is_there = |&block: &Block| Around::of(&body, block) == Some(around);
            let blocks: Vec<Block> = body.order.iter().copied().filter(is_there).collect();
            if around == Around::Loop || has_lanes {
                copies.answer_in((module, func), &mut body, &blocks, around)?;
            }
        }
        module.functions[func].body = Some(body);
    }
    while let Some((copy, around)) = copies.open.pop() {
        let Some(mut body) = module.functions[copy].body.take() else { continue };
        let all = body.order.clone();
        copies.answer_in((module, copy), &mut body, &all, around)?;
        module.functions[copy].body = Some(body);
    }
    Ok(())
}

/// What is around code that threads of a gang execute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Around {
    /// A loop whose iterations they share.
    Loop,
    /// The loop of a team, of which each is one.
    Team,
}

impl Around {
    fn of(body: &Body, block: Block) -> Option<Around> {
        let mut loops = body.loops_around(body.blocks[block].loop_).map(|loop_| &body.loops[loop_]);
        let is_inner = |level: &Level| matches!(level, Level::Worker | Level::Vector);
        let is_shared = |data: &LoopData| {
            data.directive.as_ref().is_some_and(|directive| directive.levels.iter().any(is_inner))
        };
        if body.is_in_team(block) {
            return Some(Around::Team);
        }
        loops.any(is_shared).then_some(Around::Loop)
    }
}

/// Functions that ask, and their copies for loops that threads share.
struct Copies {
    asking: SecondaryMap<Func, bool>,
    of: FxHashMap<(Func, Around), Func>,
    /// Copies whose calls are those of the original.
    open: Vec<(Func, Around)>,
    /// [`SHARE`], once something calls it.
    share: Option<(Func, Sig)>,
}

impl Copies {
    /// Answers what these blocks ask, and has them call copies.
    fn answer_in(
        &mut self,
        (module, func): (&mut Module, Func),
        body: &mut Body,
        blocks: &[Block],
        around: Around,
    ) -> Result<(), PassError> {
        for &block in blocks {
            let asks = |inst: &Inst| matches!(inst.op, Op::Call { callee: Callee::Direct(func), .. } if self.asking[func]);
            if !body.blocks[block].insts.iter().any(asks) {
                continue;
            }
            for mut inst in std::mem::take(&mut body.blocks[block].insts) {
                let Op::Call { dst, callee: Callee::Direct(callee), args, .. } = &mut inst.op else {
                    body.blocks[block].insts.push(inst);
                    continue;
                };
                let answer = answer(&module.functions[*callee]);
                match answer.filter(|answer| around == Around::Team || !answer.is_of_team()) {
                    Some(Answer::Refused) => return Err(refused(module, func, inst.pos)),
                    Some(answer) => {
                        let share = (answer == Answer::Share).then(|| self.share_of_team(module));
                        write_answer(body, block, (answer, *dst), (share, args), inst.pos);
                        continue;
                    }
                    None if answer.is_none() && self.asking[*callee] => {
                        *callee = self.copy_of(module, *callee, around);
                    }
                    None => {}
                }
                body.blocks[block].insts.push(inst);
            }
        }
        Ok(())
    }

    /// The routine that tells the range of a thread.
    fn share_of_team(&mut self, module: &mut Module) -> (Func, Sig) {
        *self.share.get_or_insert_with(|| {
            let word = |ty| PassBy::Scalar(ty, Extend::None);
            let params =
                vec![word(Type::I32), word(Type::I32), word(Type::I64), word(Type::Ptr), word(Type::Ptr)];
            let result = Some(word(Type::I32));
            let sig = module.signatures.push(Signature { params, result, variadic: false });
            let function =
                Function { linkage: Linkage::External, ..Function::declared(SHARE.into(), sig, Pos::none()) };
            (module.functions.push(function), sig)
        })
    }

    /// The copy of a function that asks. One whose body is being rewritten is a routine that calls itself,
    /// and is left as it is.
    fn copy_of(&mut self, module: &mut Module, func: Func, around: Around) -> Func {
        if let Some(&copy) = self.of.get(&(func, around)) {
            return copy;
        }
        let original = &module.functions[func];
        if original.body.is_none() {
            return func;
        }
        let suffix = match around {
            Around::Loop => "threads",
            Around::Team => "team",
        };
        let copy = original.internal_copy(suffix);
        let copy = module.functions.push(copy);
        self.of.insert((func, around), copy);
        self.open.push((copy, around));
        copy
    }
}

/// A construct of threads, in a function that those of a gang call, that a GPU does not have.
fn refused(module: &Module, func: Func, pos: Pos) -> PassError {
    PassError {
        pass: "",
        fault: Fault::Limit,
        function: module.functions[func].name.clone(),
        pos,
        message: "threads of a device execute this construct together, in a function that their `parallel` calls: \
                  a reduction of more than one sum, `copyprivate` and what is in order are possible only where \
                  the `parallel` itself stands"
            .to_owned(),
    }
}

/// Writes an answer at the end of a block. A share is told by a call with the arguments of the routine, but
/// for the place, the schedule and the chunk.
fn write_answer(
    body: &mut Body,
    block: Block,
    (answer, dst): (Answer, Option<Local>),
    (share, args): (Option<(Func, Sig)>, &[Operand]),
    pos: Pos,
) {
    let mut cursor = Cursor::with_pos(body, block, pos);
    if answer == Answer::Meet {
        cursor.meet();
        return;
    }
    let Some(dst) = dst else { return };
    let value = match answer {
        Answer::One | Answer::Meet | Answer::Refused => Operand::Int(Type::I32, 1),
        Answer::Count => count(&mut cursor),
        Answer::Number => number(&mut cursor),
        Answer::Chosen => {
            let number = number(&mut cursor);
            let is_first = cursor.compare(CmpOp::Eq, number, Operand::Int(Type::I32, 0));
            cursor.convert(ConvertOp::ZExt, Type::I32, is_first)
        }
        Answer::Share => {
            let (number, count) = (number(&mut cursor), count(&mut cursor));
            let args: Vec<Operand> =
                [number, count].into_iter().chain(args.iter().skip(3).copied()).collect();
            let Some((routine, sig)) = share else { return };
            match cursor.call(Callee::Direct(routine), sig, args, Some(Type::I32)) {
                Some(some) => some,
                None => return,
            }
        }
    };
    cursor.assign(dst, value);
}

/// Answers in place what asks for the number of the team, and for that of all teams.
fn answer_teams(module: &mut Module) {
    let named = |name: &str| {
        let is_it = |function: &Function| function.body.is_none() && *function.name == *name;
        module.functions.iter().find(|(_, function)| is_it(function)).map(|(func, _)| func)
    };
    let routines = [TEAM, TEAMS].map(named);
    if routines == [None; 2] {
        return;
    }
    for body in module.functions.values_mut().filter_map(|function| function.body.as_deref_mut()) {
        for &block in &body.order {
            body.blocks[block].insts.retain_mut(|inst| {
                let Op::Call { dst, callee: Callee::Direct(callee), .. } = inst.op else { return true };
                let Some(index) = routines.iter().position(|&routine| routine == Some(callee)) else {
                    return true;
                };
                let Some(dst) = dst else { return false };
                let level = Level::Gang;
                inst.op = if index == 0 { Op::DimPos { dst, level } } else { Op::DimSize { dst, level } };
                true
            });
        }
    }
}

/// How many threads share a loop.
fn count(cursor: &mut Cursor<'_>) -> Operand {
    let (workers, lanes) = (cursor.dim_size(Level::Worker), cursor.dim_size(Level::Vector));
    cursor.mul(workers, lanes)
}

/// The number of the thread among them.
fn number(cursor: &mut Cursor<'_>) -> Operand {
    let (worker, lanes) = (cursor.dim_pos(Level::Worker), cursor.dim_size(Level::Vector));
    let first = cursor.mul(worker, lanes);
    let lane = cursor.dim_pos(Level::Vector);
    cursor.add(first, lane)
}

/// Refuses functions that a region calls and that ask how many `parallel` are around the call.
fn refuse_levels(module: &Module) -> Result<(), PassError> {
    let asks = |func: Func| {
        let function = &module.functions[func];
        function.body.is_none() && LEVEL_QUERIES.contains(&&*function.name)
    };
    if !module.functions.keys().any(asks) {
        return Ok(());
    }
    let reached = reached_from(module, |function| matches!(function.kind, FunctionKind::Region(_)));
    for (func, inst) in insts_of(module, &reached) {
        let Op::Call { callee: Callee::Direct(callee), .. } = inst.op else { continue };
        if asks(callee) {
            let routine = &module.functions[callee].name;
            return Err(PassError {
                pass: "",
                fault: Fault::Limit,
                function: module.functions[func].name.clone(),
                pos: inst.pos,
                message: format!(
                    "`{routine}` is asked in a function that a `target` construct calls: the construct knows \
                     what is around it, the function does not; ask in the construct, and pass the answer on"
                ),
            });
        }
    }
    Ok(())
}

/// The instructions of functions, each with its function.
fn insts_of<'a>(
    module: &'a Module,
    functions: &SecondaryMap<Func, bool>,
) -> impl Iterator<Item = (Func, &'a Inst)> {
    let bodies = module
        .functions
        .iter()
        .filter(|(func, _)| functions[*func])
        .filter_map(|(func, function)| Some((func, function.body.as_deref()?)));
    bodies.flat_map(|(func, body)| {
        body.order.iter().flat_map(|&block| &body.blocks[block].insts).map(move |inst| (func, inst))
    })
}

/// Refuses calls by addresses where one of the functions that ask may be called so.
fn refuse_addresses(module: &Module, asking: &SecondaryMap<Func, bool>) -> Result<(), PassError> {
    let reached = of_device(module);
    let mut named = SecondaryMap::with_default(false);
    let mut call = None;
    for (func, inst) in insts_of(module, &reached) {
        if matches!(inst.op, Op::Call { callee: Callee::Indirect(_), .. }) {
            call.get_or_insert((func, inst.pos));
        }
        inst.op.parts(|part: Part<'_>| note(part.operand(), &mut named));
    }
    for global in module.globals.values() {
        if let Init::Bytes(_, relocations) = &global.init {
            relocations.iter().for_each(|relocation| note(Some(relocation.target), &mut named));
        }
    }
    let by_address = module.functions.keys().find(|&func| named[func] && asking[func] && reached[func]);
    let (Some((caller, pos)), Some(asking)) = (call, by_address) else { return Ok(()) };
    Err(PassError {
        pass: "",
        fault: Fault::Limit,
        function: module.functions[caller].name.clone(),
        pos,
        message: format!(
            "a call by an address may lead to `{}`, which asks for the threads of its team: on a device, only a \
             function that is called by its name knows them; call it by its name, or pass the answer on",
            module.functions[asking].name
        ),
    })
}

fn note(operand: Option<Operand>, named: &mut SecondaryMap<Func, bool>) {
    if let Some(Operand::Func(func)) = operand {
        named[func] = true;
    }
}
