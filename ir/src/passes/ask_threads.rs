//! Functions that a device calls learn which thread of their team executes them.
//!
//! Before: code asks with OpenMP's routines, `omp_get_thread_num` and its like, which tell what is true of a
//! team of one thread where the device has them at all. After: what is called in loops whose iterations
//! threads of a gang share is a copy that asks for workers and lanes, and so do these loops themselves; all
//! other code goes on to ask the routines.
//!
//! A function that is called by its address asks the routines, too. Where a gang has several threads, its
//! answer could be wrong, and is an error.

use super::env::Env;
use super::reach::{of_device, reached_from};
use crate::acc::Level;
use crate::analysis::callers::callers_of;
use crate::entities::{Block, Func, Local};
use crate::function::{Body, Function, FunctionKind, Linkage};
use crate::module::{Init, Module};
use crate::op::{BinaryOp, Callee, Inst, Op, Operand, Pos};
use crate::report::{Fault, PassError};
use crate::types::Type;
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
}

/// The routines that ask for the threads of a team.
const ROUTINES: [(&str, Answer); 6] = [
    ("omp_get_thread_num", Answer::Number),
    ("omp_get_num_threads", Answer::Count),
    ("omp_get_thread_limit", Answer::Count),
    ("omp_get_max_threads", Answer::One),
    ("omp_in_parallel", Answer::One),
    ("omp_get_active_level", Answer::One),
];

/// The routines that ask how many `parallel` are around a call: the front end answers them in a `target`
/// construct, and a function that is called there is not told.
pub const LEVEL_QUERIES: [&str; 3] = ["omp_get_level", "omp_get_ancestor_thread_num", "omp_get_team_size"];

/// The routines that a program declares and does not define.
pub(super) fn routines(module: &Module) -> Vec<Func> {
    let is_routine = |function: &Function| function.body.is_none() && answer(function).is_some();
    module.functions.iter().filter(|(_, function)| is_routine(function)).map(|(func, _)| func).collect()
}

fn answer(function: &Function) -> Option<Answer> {
    ROUTINES.iter().find(|(name, _)| *name == &*function.name).map(|&(_, answer)| answer)
}

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    // Where devices have lanes, code for them has none of these routines, and says so.
    if !env.target.has_lanes() {
        refuse_levels(module)?;
    }
    let routines = routines(module);
    if routines.is_empty() {
        return Ok(());
    }
    let mut copies =
        Copies { asking: callers_of(module, routines), of: FxHashMap::default(), open: Vec::new() };
    if env.target.has_lanes() {
        refuse_addresses(module, &copies.asking)?;
    }
    let functions: Vec<Func> = module.functions.keys().collect();
    for func in functions {
        let function = &mut module.functions[func];
        if !copies.asking[func] || !function.is_device_code() {
            continue;
        }
        let Some(mut body) = function.body.take() else { continue };
        let shared: Vec<Block> =
            body.order.iter().copied().filter(|&block| is_shared_by_threads(&body, block)).collect();
        copies.answer_in(module, &mut body, &shared);
        module.functions[func].body = Some(body);
    }
    while let Some(copy) = copies.open.pop() {
        let Some(mut body) = module.functions[copy].body.take() else { continue };
        let all = body.order.clone();
        copies.answer_in(module, &mut body, &all);
        module.functions[copy].body = Some(body);
    }
    Ok(())
}

/// Whether threads of a gang share a loop around a block.
fn is_shared_by_threads(body: &Body, block: Block) -> bool {
    body.loops_around(body.blocks[block].loop_).any(|loop_| {
        let levels = body.loops[loop_].directive.as_ref().map(|directive| &directive.levels[..]);
        levels.unwrap_or_default().iter().any(|level| matches!(level, Level::Worker | Level::Vector))
    })
}

/// Functions that ask, and their copies for loops that threads share.
struct Copies {
    asking: SecondaryMap<Func, bool>,
    of: FxHashMap<Func, Func>,
    /// Copies whose calls are those of the original.
    open: Vec<Func>,
}

impl Copies {
    /// Answers what these blocks ask, and has them call copies.
    fn answer_in(&mut self, module: &mut Module, body: &mut Body, blocks: &[Block]) {
        for &block in blocks {
            let asks = |inst: &Inst| matches!(inst.op, Op::Call { callee: Callee::Direct(func), .. } if self.asking[func]);
            if !body.blocks[block].insts.iter().any(asks) {
                continue;
            }
            for mut inst in std::mem::take(&mut body.blocks[block].insts) {
                if let Op::Call { dst, callee: Callee::Direct(func), .. } = &mut inst.op
                    && self.asking[*func]
                {
                    let callee = &module.functions[*func];
                    match answer(callee).filter(|_| callee.body.is_none()) {
                        Some(answer) => {
                            if let Some(dst) = *dst {
                                write_answer(body, block, (answer, dst), inst.pos);
                            }
                            continue;
                        }
                        None => *func = self.copy_of(module, *func),
                    }
                }
                body.blocks[block].insts.push(inst);
            }
        }
    }

    /// The copy of a function that asks. One whose body is being rewritten is a routine that calls itself,
    /// and is left as it is.
    fn copy_of(&mut self, module: &mut Module, func: Func) -> Func {
        if let Some(&copy) = self.of.get(&func) {
            return copy;
        }
        let original = &module.functions[func];
        if original.body.is_none() {
            return func;
        }
        let copy = Function {
            name: format!("{}$threads", original.name).into(),
            link_name: None,
            linkage: Linkage::Internal,
            ..original.clone()
        };
        let copy = module.functions.push(copy);
        self.of.insert(func, copy);
        self.open.push(copy);
        copy
    }
}

/// Writes an answer at the end of a block.
fn write_answer(body: &mut Body, block: Block, (answer, dst): (Answer, Local), pos: Pos) {
    let write = |body: &mut Body, op: Op| body.blocks[block].insts.push(Inst { op, pos });
    let ask = |body: &mut Body, op: fn(Local, Level) -> Op, level: Level| {
        let temp = body.temp(Type::I32);
        write(body, op(temp, level));
        Operand::Local(temp)
    };
    let size = |dst, level| Op::DimSize { dst, level };
    let position = |dst, level| Op::DimPos { dst, level };
    let op = match answer {
        Answer::One => Op::Copy { dst, src: Operand::Int(Type::I32, 1) },
        Answer::Count => {
            let a = ask(body, size, Level::Worker);
            let b = ask(body, size, Level::Vector);
            Op::Binary { dst, op: BinaryOp::Mul, a, b }
        }
        Answer::Number => {
            let worker = ask(body, position, Level::Worker);
            let lanes = ask(body, size, Level::Vector);
            let first = body.temp(Type::I32);
            write(body, Op::Binary { dst: first, op: BinaryOp::Mul, a: worker, b: lanes });
            let lane = ask(body, position, Level::Vector);
            Op::Binary { dst, op: BinaryOp::Add, a: Operand::Local(first), b: lane }
        }
    };
    write(body, op);
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
