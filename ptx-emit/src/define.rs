//! A value for what some path reads before it writes.
//!
//! C leaves such a value open as long as nothing depends on it. But a predicate without one has broken a
//! driver's compiler even where only inactive lanes had it, so each of these locals is zero where its
//! function begins. This runs before iterations are repeated, while functions are short: repeating them makes
//! no new ones.
//!
//! Executors that find what has no value ([`crate::Options::keep_undefined`]) get the variables of the
//! program as they are. A part of an object begins for them as what the object's memory would hold, which
//! nobody wrote: copying a structure of which a member was never set is no mistake, reading a variable like
//! that is one.

use crate::library::is_library;
use crate::options::Options;
use crate::text::Reached;
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::{Liveness, Summaries};
use accrue_ir::entities::set_of;
use accrue_ir::{Access, Address, Body, Inst, Local, Module, Op, Operand, Pos, SlotData, Type};

/// Runs the pass on all functions that the device executes.
pub(crate) fn run(module: &mut Module, reached: &Reached, options: &Options) {
    for func in reached.with_code() {
        // What the user's functions do is what a simulator shows them; the library does it on purpose.
        let keep_named = options.keep_undefined && !is_library(module, func);
        if let Some(body) = &mut module.functions[func].body {
            define(body, keep_named);
        }
    }
}

fn define(body: &mut Body, keep_named: bool) {
    let entry = body.entry();
    let summaries = Summaries::of(body);
    let mut known = set_of(summaries.writes(entry).iter().copied());
    summaries.reads(entry).iter().for_each(|local| _ = known.remove(*local));
    body.params.iter().for_each(|local| _ = known.insert(*local));
    if summaries.crossing().iter().all(|local| known.contains(*local)) {
        return;
    }
    let live = Liveness::from_summaries(summaries, body, &Cfg::new(body));
    let mut undefined: Vec<_> = live.live_in(entry).filter(|local| !body.params.contains(local)).collect();
    let is_kept = |body: &Body, local: Local| keep_named && body.locals[local].name.is_some();
    undefined.retain(|local| !is_kept(body, *local) || body.locals[*local].is_part);
    undefined.sort_unstable();
    let (parts, others): (Vec<_>, Vec<_>) = undefined.into_iter().partition(|local| is_kept(body, *local));
    let mut ops: Vec<Op> = others
        .into_iter()
        .filter_map(|dst| Some(Op::Copy { dst, src: zero(body.locals[dst].ty)? }))
        .collect();
    if !parts.is_empty() {
        let addr = Address { base: Operand::Slot(body.slots.push(unwritten())), offset: 0 };
        ops.extend(parts.into_iter().map(|dst| {
            let access = Access::natural(body.locals[dst].ty);
            Op::Load { dst, addr, access }
        }));
    }
    let insts = ops.into_iter().map(|op| Inst { op, pos: Pos::none() });
    body.blocks[entry].insts.splice(0..0, insts);
}

/// Memory that nobody writes, for any part of an object.
fn unwritten() -> SlotData {
    let widest = Type::I64.bytes();
    SlotData::frame(widest.into(), widest, None)
}

/// Zero of a type that registers have.
fn zero(ty: Type) -> Option<Operand> {
    match ty {
        Type::F32 => Some(Operand::F32(0)),
        Type::F64 => Some(Operand::F64(0)),
        integer => (integer == Type::I1 || integer.is_word()).then_some(Operand::Int(integer, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::builder::Cursor;

    #[test]
    fn what_one_branch_leaves_open_begins_as_zero_or_as_unwritten_memory() {
        let mut body = Body::default();
        let [n, open, closed] = ["n", "open", "closed"].map(|name| body.local(Type::I64, Some(name.into())));
        body.params.push(n);
        let (entry, then, join) = (body.block(), body.block(), body.block());
        let one = Operand::Int(Type::I64, 1);
        let mut c = Cursor::new(&mut body, entry);
        c.assign(closed, one);
        let more = c.compare(accrue_ir::CmpOp::Lt, Operand::Local(n), one);
        c.branch(more, then, join);
        c.switch_to(then);
        c.assign(open, one);
        c.jump(join);
        c.switch_to(join);
        let sum = c.add(Operand::Local(open), Operand::Local(closed));
        c.ret(Some(sum));

        let mut kept = body.clone();
        define(&mut kept, true);
        assert_eq!(kept.blocks[entry].insts.len(), 2);
        define(&mut body, false);
        let zero = Op::Copy { dst: open, src: Operand::Int(Type::I64, 0) };
        assert_eq!(body.blocks[entry].insts.len(), 3);
        assert_eq!(body.blocks[entry].insts[0].op, zero);

        let mut part = kept.clone();
        part.locals[open].is_part = true;
        define(&mut part, true);
        let slot = part.slots.keys().next().expect("memory that nobody writes");
        let first = &part.blocks[entry].insts[0].op;
        let from = |addr: &Address| addr.base == Operand::Slot(slot);
        assert!(matches!(first, Op::Load { dst, addr, .. } if *dst == open && from(addr)), "{first:?}");
    }
}
