//! Values that calls take from their registers, loaded once in front of loops that call nothing.
//!
//! ```text
//!     before:  outer: inner: a[i] += s * b[i]; next i     f(); next j
//!     after:   outer: store s, slot; t = load slot
//!              inner: a[i] += t * b[i]; next i            f(); next j
//! ```
//!
//! No call keeps a floating-point register, so that `s` is in the frame while `f` runs. Cranelift's register
//! allocator divides a value that lives across several calls into one piece for each use, whatever loop that
//! is in: the inner loop would load `s` in each iteration, and store it where that goes around. `t` is a
//! value of its own that no call comes across. The same holds of whole numbers where more of them live across
//! calls than there are registers that calls keep.
//!
//! Before: code whose loops need their form no more. After: as above. The load is one that Cranelift does not
//! replace by what was stored, an atomic one.

use accrue_ir::analysis::cfg::{Cfg, Dominators};
use accrue_ir::analysis::liveness::{Liveness, reads};
use accrue_ir::edit::rename::Rename;
use accrue_ir::edit::split::split_edges;
use accrue_ir::{
    Access, Address, Block, Body, Class, Func, Inst, Local, Module, Op, Operand, Pos, SlotData, Terminator,
    Type,
};
use cranelift_entity::EntitySet;

/// Whole numbers that stay in registers across calls: `rbx` and `r12` to `r15`.
const KEPT_BY_CALLS: usize = 5;

/// Runs the pass on a function.
pub(crate) fn run(_: &Module, _: Func, body: &mut Body) {
    if !body.order.iter().any(|&block| calls(body, block)) {
        return;
    }
    let cfg = Cfg::new(body);
    let loops = loops_without_calls(body, &cfg);
    if loops.is_empty() {
        return;
    }
    let live = Liveness::new(body, &cfg);
    let across = across_calls(body, &cfg, &live);
    for blocks in loops {
        let values = given(body, &live, &across, &blocks);
        if !values.is_empty() {
            load_again(body, &cfg, &blocks, &values);
        }
    }
}

/// Whether something in a block is a call, or becomes one of the runtime.
fn calls(body: &Body, block: Block) -> bool {
    let is_call = |op: &Op| matches!(op.class(), Class::Call | Class::Directive);
    body.blocks[block].insts.iter().any(|inst| is_call(&inst.op))
}

/// The blocks of each outermost loop that calls nothing, its header first.
fn loops_without_calls(body: &Body, cfg: &Cfg) -> Vec<Vec<Block>> {
    let mut edges = Vec::new();
    for &latch in cfg.reverse_postorder() {
        body.blocks[latch].term.successors(|header| {
            if cfg.is_no_later(header, latch) {
                edges.push((header, latch));
            }
        });
    }
    if edges.is_empty() {
        return Vec::new();
    }
    let dominators = Dominators::new(cfg);
    let mut loops: Vec<Vec<Block>> = Vec::new();
    for (header, latch) in edges.into_iter().filter(|&(header, latch)| dominators.dominates(header, latch)) {
        let blocks = cfg.natural_loop(header, latch);
        match loops.iter_mut().find(|other| other[0] == header) {
            Some(known) => {
                let more: Vec<Block> = blocks.into_iter().filter(|block| !known.contains(block)).collect();
                known.extend(more);
            }
            None => loops.push(blocks),
        }
    }
    loops.retain(|blocks| !blocks.iter().any(|&block| calls(body, block)));
    // From the outside in.
    loops.sort_by_key(|blocks| std::cmp::Reverse(blocks.len()));
    let mut outermost: Vec<Vec<Block>> = Vec::new();
    for blocks in loops {
        if !outermost.iter().any(|other| other.contains(&blocks[0])) {
            outermost.push(blocks);
        }
    }
    outermost
}

/// The locals that live across a call and lose their registers there.
fn across_calls(body: &Body, cfg: &Cfg, live: &Liveness) -> EntitySet<Local> {
    let mut across = EntitySet::with_capacity(body.locals.len());
    for &block in cfg.reverse_postorder() {
        if calls(body, block) {
            let assigned = body.assigned([block]);
            let is_before = |&local: &Local| live.is_live_in(local, block) || assigned.contains(local);
            across.extend(live.live_out(block).filter(is_before));
        }
    }
    let is_whole = |&local: &Local| !is_float(body.locals[local].ty);
    let whole: Vec<Local> = across.iter().filter(is_whole).collect();
    if whole.len() <= KEPT_BY_CALLS {
        whole.into_iter().for_each(|local| _ = across.remove(local));
    }
    across
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

/// What a loop reads of these locals and does not change.
fn given(body: &Body, live: &Liveness, across: &EntitySet<Local>, blocks: &[Block]) -> Vec<Local> {
    let assigned = body.assigned(blocks.iter().copied());
    let mut read: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    for &block in blocks {
        let data = &body.blocks[block];
        data.insts.iter().for_each(|inst| reads(body, &inst.op, |local| _ = read.insert(local)));
        data.term.operands(|operand| _ = operand.as_local().map(|local| read.insert(local)));
    }
    let has_register = |ty| is_float(ty) || matches!(ty, Type::I32 | Type::I64 | Type::Ptr);
    let is_given = |&local: &Local| {
        across.contains(local)
            && !assigned.contains(local)
            && live.is_live_in(local, blocks[0])
            && has_register(body.locals[local].ty)
    };
    read.iter().filter(is_given).collect()
}

/// Gives a loop values of its own.
fn load_again(body: &mut Body, cfg: &Cfg, blocks: &[Block], values: &[Local]) {
    let header = blocks[0];
    let outside: Vec<Block> =
        cfg.predecessors(header).iter().copied().filter(|from| !blocks.contains(from)).collect();
    let preheader = match outside[..] {
        [] => return,
        [only] if body.blocks[only].term == Terminator::Jump(header) => only,
        _ => split_edges(body, &outside, header, Pos::none()),
    };
    let own = Rename::fresh(body, values.iter().copied());
    for &value in values {
        let ty = body.locals[value].ty;
        let slot = body.slots.push(SlotData::frame(u64::from(ty.bytes()), ty.bytes(), None));
        let addr = Address { base: Operand::Slot(slot), offset: 0 };
        let access = Access::natural(ty);
        let pos = Pos::none();
        body.blocks[preheader].insts.extend([
            Inst { op: Op::Store { ty, addr, src: Operand::Local(value), access }, pos },
            Inst { op: Op::AtomicLoad { dst: own.local(value), addr }, pos },
        ]);
    }
    own.apply(body, blocks, &[]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    /// A loop around a call and a loop that has `inside`, after the pass.
    fn after(inside: &str, around: &str) -> String {
        let text = format!(
            "signature sig0 (f64, ptr, i64)\nsignature sig1 ()\nfunction fn0.f sig0 external {{\n  \
             params v0, v1, v2\n  locals v0: f64\n  locals v1: ptr\n  locals v2, v3: i64\n  locals v4: f64\n  \
             locals v5: i1\n  locals v6: i64\nbb0:\n  v6 = copy 0i64\n  jump bb1\nbb1:\n  v3 = copy 0i64\n  jump bb2\n\
             bb2:\n{inside}\n  v3 = add v3, 1i64\n  v5 = cmp.lt v3, v2\n  branch v5, bb2, bb3\n\
             bb3:\n{around}\n  v6 = add v6, 1i64\n  v5 = cmp.lt v6, v2\n  branch v5, bb1, bb4\nbb4:\n  return\n}}\n\
             function fn1.g sig1 external\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let func = module.functions.keys().next().unwrap_or_else(|| panic!("{text}"));
        let mut body = module.functions[func].body.take().unwrap_or_else(|| panic!("{text}"));
        run(&module, func, &mut body);
        module.functions[func].body = Some(body);
        accrue_ir::verify::verify(&module, "around-calls").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    const SCALE: &str = "  v4 = load [v1]\n  v4 = mul v4, v0\n  store.f64 [v1], v4";
    const CALL: &str = "  call fn1.g() sig1";

    #[test]
    fn a_loop_beside_a_call_loads_once_in_front() {
        let text = after(SCALE, CALL);
        assert!(
            text.contains("store.f64 [s0], v0 untyped\n  v7 = atomic_load [s0]\n  jump bb2\nbb2:"),
            "{text}"
        );
        assert!(text.contains("mul v4, v7"), "{text}");
    }

    #[test]
    fn other_loops_stay() {
        for (inside, around) in [
            (SCALE, "  v4 = copy v0"),
            (&*format!("{SCALE}\n{CALL}"), CALL),
            (&*format!("{SCALE}\n  v0 = copy v4"), CALL),
            // Few whole numbers stay in registers.
            ("  store.i64 [v1], v2", CALL),
        ] {
            let text = after(inside, around);
            assert!(!text.contains("atomic_load"), "{text}");
        }
    }
}
