//! Plain updates of memory instead of atomic ones, in loops that no other thread can disturb.
//!
//! Before: optimised code of regions, with atomic operations. After: a loop of a region that has some, and
//! calls nothing that may start a thread, has two versions; a process with a single thread executes the one
//! whose updates are plain, which costs a fifth, and which the passes behind can keep in registers.
//!
//! Whether a process has other threads is a byte of the C library ([`ALONE_SYMBOL`]), which such a loop reads
//! once: nobody else can start a thread while the only one there is executes the loop.

use crate::definitions::external_name;
use accrue_ir::analysis::callers::callers_of;
use accrue_ir::analysis::library;
use accrue_ir::analysis::loops::Nest;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::version::add_version;
use accrue_ir::{
    Access, Block, Body, Callee, Class, CmpOp, Func, Function, FunctionKind, Global, GlobalData, Init, Inst,
    Loop, Module, Op, Operand, Terminator, Type,
};
use accrue_runtime::abi::ALONE_SYMBOL;
use cranelift_entity::SecondaryMap;

/// Instructions of a loop that are worth a second version.
const MOST: usize = 500;

/// Runs the pass.
pub(crate) fn run(module: &mut Module) {
    let is_region = |func: &Func| matches!(module.functions[*func].kind, FunctionKind::Region(_));
    let has_atomics = |func: &Func| {
        let body = module.functions[*func].body.as_deref();
        body.is_some_and(|body| body.order.iter().any(|&block| is_shared(body, block)))
    };
    let regions: Vec<Func> = module.functions.keys().filter(is_region).filter(has_atomics).collect();
    if regions.is_empty() {
        return;
    }
    let starting = may_start_threads(module);
    let mut word = None;
    for func in regions {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        for loop_ in chosen(&body, &starting) {
            let word = *word.get_or_insert_with(|| declare_word(module));
            rewrite(&mut body, loop_, word);
        }
        module.functions[func].body = Some(body);
    }
}

/// The byte that is not 0 as long as the process has one thread.
fn declare_word(module: &mut Module) -> Global {
    module.globals.push(GlobalData::external(ALONE_SYMBOL, 1, 1, Init::Extern))
}

/// Whether an operation has a plain form.
fn has_plain_form(op: &Op) -> bool {
    matches!(
        op,
        Op::AtomicRmw { .. }
            | Op::AtomicSwap { .. }
            | Op::AtomicLoad { .. }
            | Op::AtomicStore { .. }
            | Op::Fence
    )
}

fn is_shared(body: &Body, block: Block) -> bool {
    body.blocks[block].insts.iter().any(|inst| has_plain_form(&inst.op))
}

/// Functions that call, in the end, something that is not known to leave threads alone.
fn may_start_threads(module: &Module) -> SecondaryMap<Func, bool> {
    let may_itself = |function: &Function| match &function.body {
        Some(body) => {
            let mut insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
            insts.any(|inst| is_unknown(&inst.op))
        }
        None => library::accesses(external_name(function)).is_none(),
    };
    let found = module.functions.iter().filter(|(_, function)| may_itself(function));
    callers_of(module, found.map(|(func, _)| func).collect())
}

/// Whether an operation leads to code that is not known here.
fn is_unknown(op: &Op) -> bool {
    match op {
        Op::Call { callee, .. } => !matches!(callee, Callee::Direct(_)),
        op => op.class() == Class::Directive,
    }
}

/// The outermost loops with atomic operations in which no thread is started.
fn chosen(body: &Body, starting: &SecondaryMap<Func, bool>) -> Vec<Loop> {
    let nest = Nest::new(body);
    let starts = |op: &Op| match op {
        Op::Call { callee: Callee::Direct(func), .. } => starting[*func],
        op => is_unknown(op),
    };
    let is_fit = |&loop_: &Loop| {
        let blocks = nest.blocks(loop_);
        let mut insts = blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        let data = &body.loops[loop_];
        body.blocks[data.preheader].term == Terminator::Jump(data.header)
            && blocks.iter().any(|&block| is_shared(body, block))
            && blocks.iter().map(|&block| body.blocks[block].insts.len()).sum::<usize>() <= MOST
            && !insts
                .any(|inst| matches!(inst.op.class(), Class::Abstract | Class::Threads) || starts(&inst.op))
    };
    let fit: Vec<Loop> = body.live_loops().into_iter().filter(is_fit).collect();
    let is_inside_another =
        |loop_: Loop| body.loops_around(body.loops[loop_].parent).any(|it| fit.contains(&it));
    fit.iter().copied().filter(|&loop_| !is_inside_another(loop_)).collect()
}

/// Makes two versions of a loop.
fn rewrite(body: &mut Body, loop_: Loop, word: Global) {
    let blocks = Nest::new(body).blocks(loop_);
    let preheader = body.loops[loop_].preheader;
    let mut cursor = Cursor::with_pos(body, preheader, body.loops[loop_].pos);
    let alone = cursor.load(Type::I8, word);
    let alone = cursor.compare(CmpOp::Ne, alone, Operand::Int(Type::I8, 0));
    add_version(body, loop_, alone, |_| {});
    for block in blocks {
        if is_shared(body, block) {
            let insts = std::mem::take(&mut body.blocks[block].insts);
            for inst in insts {
                make_plain(body, block, inst);
            }
        }
    }
}

/// Appends an instruction to a block, an atomic one in its plain form.
fn make_plain(body: &mut Body, block: Block, inst: Inst) {
    let mut cursor = Cursor::with_pos(body, block, inst.pos);
    let (dst, result) = match inst.op {
        Op::AtomicRmw { dst, op, ty, addr, value, reversed, result_new } => {
            let old = cursor.load(ty, addr);
            let (a, b) = if reversed { (value, old) } else { (old, value) };
            let new = cursor.binary(op, a, b);
            cursor.store(addr, new);
            (dst, if result_new { new } else { old })
        }
        Op::AtomicSwap { dst, ty, addr, value } => {
            let old = cursor.load(ty, addr);
            cursor.store(addr, value);
            (dst, old)
        }
        Op::AtomicLoad { dst, addr } => {
            let access = Access::natural(cursor.body.locals[dst].ty);
            return cursor.op(Op::Load { dst, addr, access });
        }
        Op::AtomicStore { ty: _, addr, src } => return cursor.store(addr, src),
        Op::Fence => return,
        op => return cursor.op(op),
    };
    if let Some(dst) = dst {
        cursor.op(Op::Copy { dst, src: result });
    }
}
