//! Teams of all threads of a gang become functions, of which one thread of the host executes an instance
//! each.
//!
//! Before: the loop of a team (`team` in `ir/src/acc.rs`) calls the routine in which its iterations meet, or
//! a function that may. After: its body is a function of the number of the iteration, which the runtime calls
//! for all of them and changes between where they meet (`runtime/src/gangs/team.rs`).
//!
//! ```text
//!     before:  for t in 0..n { a[t] = x;  meet;  b[t] = a[t + 1] }
//!     after:   record = (address of a, x, address of b);  run_team(body, record, n)
//! ```
//!
//! A loop whose iterations neither meet nor ask who they are stays one.

use accrue_ir::analysis::callers::callers_of;
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::analysis::loops::Nest;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::compact::compact;
use accrue_ir::passes::ask_threads::asks_for_threads;
use accrue_ir::report::{Fault, PassError};
use accrue_ir::{
    Address, Block, Body, Callee, Extend, Func, Function, FunctionKind, Induction, Inst, Linkage, Local,
    Loop, LoopData, Module, Op, Operand, PassBy, Pos, Signature, SlotData, Terminator, Type,
};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// The routine that executes the threads of a team.
const RUN: &str = "__accrue_omp_run_team";
/// Bytes between two values of a record: those of the largest.
const STEP: u64 = 16;

/// Runs the pass.
pub(crate) fn run(module: &mut Module) -> Result<(), PassError> {
    let has_team = |function: &Function| function.body.as_deref().is_some_and(Body::has_team);
    let with_teams: Vec<Func> =
        module.functions.keys().filter(|&func| has_team(&module.functions[func])).collect();
    if with_teams.is_empty() {
        return Ok(());
    }
    let routines = module.functions.iter().filter(|(_, function)| asks_for_threads(function));
    let asking = callers_of(module, routines.map(|(func, _)| func).collect());
    for func in with_teams {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        let teams: Vec<Loop> =
            body.loop_tree().into_iter().filter(|&loop_| body.loops[loop_].is_team()).collect();
        let mut result = Ok(());
        for loop_ in teams {
            let blocks = Nest::new(&body).blocks(loop_).to_vec();
            if result.is_ok() && may_ask(&body, &blocks, &asking) {
                result = outline(module, func, &mut body, (loop_, &blocks));
            }
        }
        compact(&mut body);
        module.functions[func].body = Some(body);
        result?;
    }
    Ok(())
}

/// Whether code may come to a place where it matters which thread executes it.
fn may_ask(body: &Body, blocks: &[Block], asking: &SecondaryMap<Func, bool>) -> bool {
    blocks.iter().flat_map(|&block| &body.blocks[block].insts).any(|inst| match &inst.op {
        Op::Call { callee: Callee::Direct(func), .. } => asking[*func],
        Op::Call { callee: Callee::Indirect(_), .. } => true,
        _ => false,
    })
}

/// A value that the function of a team gets.
#[derive(Clone, Copy, PartialEq)]
enum Captured {
    Value(Local),
    /// The address of an object, which is in this local there.
    Object(Operand, Local),
}

/// Makes a function of the body of a team's loop, and its call of the loop.
fn outline(
    module: &mut Module,
    func: Func,
    body: &mut Body,
    (loop_, blocks): (Loop, &[Block]),
) -> Result<(), PassError> {
    let LoopData { preheader, header, body: first, latch, exit, pos, .. } = body.loops[loop_];
    let name = module.functions[func].name.clone();
    let defect = |message: &str| PassError {
        pass: "teams",
        fault: Fault::Defect,
        function: name.clone(),
        pos,
        message: message.to_owned(),
    };
    let Some(Induction { iv, bound, .. }) = body.loops[loop_].induction.clone() else {
        return Err(defect("the threads of a team are not counted"));
    };
    ask_in_front(body, blocks, (preheader, pos));
    let live = Liveness::new(body, &Cfg::new(body));
    let inside: Vec<Block> = blocks.iter().copied().filter(|&block| block != header).collect();
    // What only the threads use is each one's own, even if an older value seems to come round a loop.
    let outside: Vec<Block> = body.order.iter().copied().filter(|block| !blocks.contains(block)).collect();
    let written = body.assigned(inside.iter().copied());
    let leaves = |local: Local| local != iv && live.is_live_in(local, exit) && is_used(body, &outside, local);
    if written.iter().any(leaves) {
        return Err(defect("a thread of a team leaves a value behind"));
    }
    let mut given = body.assigned(outside.iter().copied());
    body.params.iter().for_each(|&param| _ = given.insert(param));
    let comes_in = |&local: &Local| local != iv && given.contains(local) && is_used(body, &inside, local);
    let mut code = body.clone();
    let mut captured: Vec<Captured> = live.live_in(first).filter(comes_in).map(Captured::Value).collect();
    captured.extend(take_objects(&mut code, &inside, loop_));
    into_function(&mut code, (loop_, iv), (&inside, first, latch), &captured, pos);
    let code =
        declare(module, format!("{name}.team{}", loop_.as_u32()), &[Type::Ptr, Type::I32], Some(code), pos);
    let routine = match module.functions.iter().find(|(_, function)| &*function.name == RUN) {
        Some((func, _)) => func,
        None => declare(module, RUN.to_owned(), &[Type::Ptr, Type::Ptr, Type::I32], None, pos),
    };
    let bytes = (captured.len() as u64 * STEP).max(STEP);
    let record = Operand::Slot(body.slots.push(SlotData::frame(bytes, STEP as u32, None)));
    let sig = module.functions[routine].sig;
    body.blocks[preheader].term = Terminator::Jump(exit);
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    for (place, value) in places(record).zip(&captured) {
        let value = match *value {
            Captured::Value(local) => Operand::Local(local),
            Captured::Object(object, _) => object,
        };
        cursor.store(place, value);
    }
    cursor.call(Callee::Direct(routine), sig, vec![Operand::Func(code), record, bound], None);
    body.dissolve_loop(loop_);
    body.loops[loop_] = LoopData::dead();
    body.remove_unreachable();
    Ok(())
}

/// Where the values of a record are.
fn places(record: Operand) -> impl Iterator<Item = Address> {
    (0..).map(move |index: i64| Address { base: record, offset: index * STEP as i64 })
}

/// Asks in front of a team's loop which gang executes it: its function is not told.
fn ask_in_front(body: &mut Body, blocks: &[Block], (preheader, pos): (Block, Pos)) {
    let mut answers = Vec::new();
    for &block in blocks {
        for at in 0..body.blocks[block].insts.len() {
            let op = &body.blocks[block].insts[at].op;
            let (Op::DimPos { dst, .. } | Op::DimSize { dst, .. }) = *op else { continue };
            let mut asked = op.clone();
            let answer = body.local_like(dst);
            asked.map_defs(|_| answer);
            answers.push(Inst { op: asked, pos });
            body.blocks[block].insts[at].op = Op::Copy { dst, src: Operand::Local(answer) };
        }
    }
    body.blocks[preheader].insts.extend(answers);
}

fn is_used(body: &Body, blocks: &[Block], local: Local) -> bool {
    let mut is_used = false;
    for &block in blocks {
        body.blocks[block].parts(|part| is_used |= part.used() == Some(local));
    }
    is_used
}

/// Lets code reach objects that are declared outside of the loop by their addresses: these, each with the
/// local that holds it.
fn take_objects(code: &mut Body, blocks: &[Block], loop_: Loop) -> Vec<Captured> {
    let mut locals: FxHashMap<Operand, Local> = FxHashMap::default();
    let mut taken = Vec::new();
    let outside: Vec<bool> =
        code.slots.values().map(|data| !code.loop_is_within(data.declared_in, loop_)).collect();
    for &block in blocks {
        let mut data = std::mem::replace(&mut code.blocks[block], Body::empty_block());
        data.map_operands(|operand| match operand {
            Operand::Slot(slot) if outside[slot.as_u32() as usize] => {
                let local = *locals.entry(operand).or_insert_with(|| {
                    let local = code.temp(Type::Ptr);
                    taken.push(Captured::Object(operand, local));
                    local
                });
                Operand::Local(local)
            }
            _ => operand,
        });
        code.blocks[block] = data;
    }
    taken
}

/// Leaves of a body the code of one iteration, with the record and the number of the iteration as parameters.
fn into_function(
    code: &mut Body,
    (loop_, iv): (Loop, Local),
    (blocks, first, latch): (&[Block], Block, Block),
    captured: &[Captured],
    pos: Pos,
) {
    let entry = code.detached_block();
    let (record, number) = (code.temp(Type::Ptr), code.temp(Type::I32));
    code.params = vec![record, number];
    code.order = std::iter::once(entry).chain(blocks.iter().copied()).collect();
    code.region_reductions.clear();
    code.beside = None;
    code.dissolve_loop(loop_);
    code.loops[loop_] = LoopData::dead();
    for data in code.loops.values_mut().filter(|data| data.parent.is_some_and(|parent| parent < loop_)) {
        data.parent = None;
    }
    for &block in blocks {
        let data = &mut code.blocks[block];
        if data.loop_.is_some_and(|around| around < loop_) {
            data.loop_ = None;
        }
    }
    let end = &mut code.blocks[latch];
    end.insts.retain(|inst| inst.op.dst() != Some(iv));
    end.term = Terminator::Return(None);
    let mut cursor = Cursor::with_pos(code, entry, pos);
    for (place, value) in places(Operand::Local(record)).zip(captured) {
        let (Captured::Value(local) | Captured::Object(_, local)) = *value;
        let ty = cursor.body.locals[local].ty;
        let loaded = cursor.load(ty, place);
        cursor.assign(local, loaded);
    }
    cursor.assign(iv, Operand::Local(number));
    cursor.jump(first);
    code.remove_unreachable();
    compact(code);
}

/// A new function, with the parameters of these types.
fn declare(module: &mut Module, name: String, params: &[Type], body: Option<Body>, pos: Pos) -> Func {
    let params = params.iter().map(|&ty| PassBy::Scalar(ty, Extend::None)).collect();
    let sig = module.signatures.push(Signature { params, result: None, variadic: false });
    module.functions.push(Function {
        linkage: if body.is_some() { Linkage::Internal } else { Linkage::External },
        kind: FunctionKind::Normal,
        body: body.map(Box::new),
        ..Function::declared(name.into(), sig, pos)
    })
}
