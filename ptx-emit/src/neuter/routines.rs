//! Calls of routines that all threads of a level execute together, and the ends of such routines.
//!
//! Who calls such a routine goes on as if the call were a barrier: what the routine wrote is there, and what
//! it read may be overwritten. So its threads meet before they return, unless none has used memory since they
//! met last. An object that is passed or returned by value is memory, too: all threads copy the argument out
//! of the caller's object, and the result into objects of their own, from which one thread fills the
//! caller's.

use super::threads::{Threads, index};
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::aggregate;
use accrue_ir::{
    Address, Block, Body, Callee, Func, FunctionKind, Inst, Level, Module, Op, Operand, PassBy, Pos,
    SlotKind, Space, Terminator,
};
use cranelift_entity::SecondaryMap;

/// The level of a routine that several threads execute together.
pub fn level_of(module: &Module, func: Func) -> Option<Level> {
    let function = &module.functions[func];
    match function.kind {
        FunctionKind::Normal => function.routine.as_ref().and_then(|routine| routine.level),
        FunctionKind::Region(_) | FunctionKind::Threaded(_) => None,
    }
}

/// Whether an address is memory of the thread that uses it.
pub fn is_private(body: &Body, base: Operand, space: Space) -> bool {
    match base {
        Operand::Slot(slot) => body.slots[slot].kind == SlotKind::Frame,
        _ => matches!(space, Space::Local | Space::Param),
    }
}

/// Before single mode is rewritten: what routines return by value goes to objects of the threads' own, and is
/// copied by code of the caller.
pub fn take_results(module: &Module, body: &mut Body) {
    let takes_object = |inst: &Inst| matches!(inst.op, Op::Call { dest: Some(_), .. });
    for block in body.order.clone() {
        if !body.blocks[block].insts.iter().any(takes_object) {
            continue;
        }
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut out: Vec<Inst> = Vec::with_capacity(insts.len());
        for mut inst in insts {
            let copy = take_result(module, body, &mut inst.op);
            let pos = inst.pos;
            out.push(inst);
            out.extend(copy.map(|op| Inst { op, pos }));
        }
        body.blocks[block].insts = out;
    }
}

/// Changes the destination of a call; returns the copy that belongs behind it.
fn take_result(module: &Module, body: &mut Body, op: &mut Op) -> Option<Op> {
    let Op::Call { callee: Callee::Direct(func), dest: Some(dest), .. } = op else { return None };
    level_of(module, *func)?;
    let PassBy::Aggregate(agg) = module.signatures[module.functions[*func].sig].result? else { return None };
    if is_private(body, *dest, Space::Generic) {
        return None;
    }
    let own = Operand::Slot(body.slots.push(aggregate::slot(module, agg)));
    let caller = std::mem::replace(dest, own);
    Some(aggregate::copy(module, agg, Address::at(caller), Address::at(own)))
}

/// When single mode has been rewritten: the threads of a routine meet before they return.
pub fn meet_at_returns(module: &Module, func: Func, body: &mut Body, threads: Threads) {
    let signature = &module.signatures[module.functions[func].sig];
    let level = if threads.single[index(Level::Worker)] { Level::Worker } else { Level::Vector };
    let takes_objects = signature.params.iter().any(|pass| matches!(pass, PassBy::Aggregate(_)));
    let in_use = uses(body, level, takes_objects);
    let result = match signature.result {
        Some(PassBy::Aggregate(agg)) => Some(agg),
        Some(PassBy::Scalar(..)) | None => None,
    };
    for block in body.order.clone() {
        let Terminator::Return(value) = body.blocks[block].term else { continue };
        let from = value.filter(|&value| !is_private(body, value, Space::Generic));
        let pos = body.blocks[block].term_pos;
        if let (Some(agg), Some(from)) = (result, from) {
            let own = Operand::Slot(body.slots.push(aggregate::slot(module, agg)));
            let op = aggregate::copy(module, agg, Address::at(own), Address::at(from));
            body.blocks[block].insts.push(Inst { op, pos });
            body.blocks[block].term = Terminator::Return(Some(own));
            meet(body, block, level, pos);
        } else if in_use[block] {
            meet(body, block, level, pos);
        }
    }
}

fn meet(body: &mut Body, block: Block, level: Level, pos: Pos) {
    Cursor::with_pos(body, block, pos).barrier(level);
}

/// Whether threads may be using shared memory where a block ends.
fn uses(body: &Body, level: Level, at_entry: bool) -> SecondaryMap<Block, bool> {
    let cfg = Cfg::new(body);
    let mut before: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut after: SecondaryMap<Block, bool> = SecondaryMap::new();
    before[body.entry()] = at_entry;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.reverse_postorder() {
            let in_use = through(body, block, level, before[block]);
            after[block] = in_use;
            if in_use {
                body.blocks[block].term.successors(|next| {
                    changed |= !before[next];
                    before[next] = true;
                });
            }
        }
    }
    after
}

fn through(body: &Body, block: Block, level: Level, before: bool) -> bool {
    body.blocks[block].insts.iter().fold(before, |in_use, inst| match &inst.op {
        Op::Barrier { level: of } if index(*of) <= index(level) => false,
        Op::Load { addr, access, .. } | Op::Store { addr, access, .. } => {
            in_use || !is_private(body, addr.base, access.space)
        }
        // A division that may trap.
        Op::Binary { .. } => in_use,
        op => {
            let effects = op.effects();
            in_use || effects.synchronises.is_none() && (effects.reads || effects.writes)
        }
    })
}

#[cfg(test)]
mod tests {
    use accrue_ir::{Block, Body, Op, Terminator, text};

    /// The body of a routine after the pass.
    fn neutered(level: &str, code: &str) -> Body {
        let ir = format!(
            "aggregate agg0 size 16 align 8 leaves(0 i64, 8 i64)\n\
             signature sig0 (ptr) -> i32\nsignature sig1 (ptr) -> agg0\n\
             function fn0.\"f\" sig0 internal routine({level}) {{\n  params v0.p\n  locals v0.p: ptr\n  \
             locals v1: i32\n  slot s0 size 16 align 8 gang_private\n{code}}}\n\
             function fn1.objects sig1 external routine(vector)\n"
        );
        let mut module = text::parse(&ir).unwrap_or_else(|error| panic!("{error}\n{ir}"));
        super::super::run(&mut module, false, &|_| false);
        let body = module.functions.values_mut().next().and_then(|function| function.body.take());
        *body.unwrap_or_else(|| panic!("the routine has no body"))
    }

    /// Whether threads meet right before they return.
    fn meet(level: &str, code: &str) -> bool {
        let body = neutered(level, code);
        let returns = |block: &Block| matches!(body.blocks[*block].term, Terminator::Return(_));
        let mut last =
            body.order.iter().copied().filter(returns).map(|block| body.blocks[block].insts.last());
        last.any(|inst| inst.is_some_and(|inst| matches!(inst.op, Op::Barrier { .. })))
    }

    #[test]
    fn threads_meet_behind_the_last_use_of_memory() {
        for level in ["vector", "worker", "gang"] {
            assert!(meet(level, "bb0:\n  v1 = load [v0.p]\n  return v1\n"), "{level}");
            assert!(!meet(level, "bb0:\n  v1 = copy 3i32\n  return v1\n"), "{level}");
        }
        let then =
            |what: &str| format!("bb0:\n  v1 = load [v0.p]\n  {what}\n  v1 = copy 3i32\n  return v1\n");
        assert!(!meet("vector", &then("barrier vector")));
        assert!(!meet("worker", &then("barrier worker")));
        // The lanes have met, the workers have not.
        assert!(meet("worker", &then("barrier vector")));
    }

    #[test]
    fn results_go_to_objects_of_the_threads_first() {
        let body = neutered("worker", "bb0:\n  call fn1.objects(v0.p) sig1 to s0\n  return 0i32\n");
        let insts = || body.order.iter().flat_map(|&block| &body.blocks[block].insts);
        let own = insts().find_map(|inst| match inst.op {
            Op::Call { dest, .. } => dest,
            _ => None,
        });
        let copied = insts().any(|inst| match &inst.op {
            Op::MemCopy { dst, src, .. } => Some(src.base) == own && src.base != dst.base,
            _ => false,
        });
        assert!(copied, "the caller's object is filled from {own:?}");
    }
}
