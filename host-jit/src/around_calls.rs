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
//! calls than there are registers that calls keep, and of what a loop changes: a sum that goes on behind the
//! call is stored where the loop ends, and loaded there.
//!
//! What is used in no deeper loop than the calls that it lives across would have registers in the loops
//! between for a part of an iteration as well: it is stored where it is assigned, loaded where it is used.
//!
//! Before: code whose loops need their form no more. After: as above. The load is one that Cranelift does not
//! replace by what was stored, an atomic one.

use accrue_ir::analysis::cfg::{Cfg, Dominators, NaturalLoop};
use accrue_ir::analysis::liveness::{Liveness, reads};
use accrue_ir::edit::rename::Rename;
use accrue_ir::edit::split::split_edges;
use accrue_ir::entities::set_of;
use accrue_ir::{
    Access, Address, Block, Body, Class, Func, Inst, Local, Module, Op, Operand, Pos, Slot, SlotData,
    Terminator, Type,
};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;

/// Whole numbers that stay in registers across calls: `rbx` and `r12` to `r15`.
const KEPT_BY_CALLS: usize = 5;

/// Runs the pass on a function.
pub(crate) fn run(_: &Module, _: Func, body: &mut Body) {
    if !body.order.iter().any(|&block| calls(body, block)) {
        return;
    }
    let cfg = Cfg::new(body);
    keep_in_memory(body, &cfg);
    let loops = loops_without_calls(body, &cfg);
    if loops.is_empty() {
        return;
    }
    let live = Liveness::new(body, &cfg);
    let across = across_calls(body, &cfg, &live);
    let found: Vec<Found> = loops.into_iter().map(|blocks| found(body, &live, &across, blocks)).collect();
    let own = found.into_iter().filter(|loop_| !loop_.values.is_empty()).map(|loop_| Own::of(body, loop_));
    let own: Vec<Own> = own.collect();
    // What leaves one loop may enter the next: it has to be back in its place by then.
    own.iter().for_each(|loop_| loop_.bring_back(body));
    own.iter().for_each(|loop_| loop_.load_again(body));
}

/// A loop, and what it takes from registers that calls do not keep.
struct Found {
    /// Its blocks, the header first.
    blocks: Vec<Block>,
    /// What it reads, or goes on from.
    values: Vec<Local>,
    /// Blocks to which it is left, with the values that it has changed and that are used from there on.
    exits: Vec<(Block, Vec<Local>)>,
}

/// Whether something in a block is a call, or becomes one of the runtime.
fn calls(body: &Body, block: Block) -> bool {
    let is_call = |op: &Op| matches!(op.class(), Class::Call | Class::Directive);
    body.blocks[block].insts.iter().any(|inst| is_call(&inst.op))
}

/// The blocks of each outermost loop that calls nothing, its header first.
fn loops_without_calls(body: &Body, cfg: &Cfg) -> Vec<Vec<Block>> {
    let mut loops = cfg.natural_loops();
    loops.retain(|natural| !natural.blocks.iter().any(|block| calls(body, block)));
    let mut outermost: Vec<Vec<Block>> = Vec::new();
    for NaturalLoop { header, blocks, .. } in loops {
        if !outermost.iter().any(|other| other.contains(&header)) {
            let others = blocks.iter().filter(|&block| block != header);
            outermost.push(std::iter::once(header).chain(others).collect());
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
    across.extend(behind_calls(body, &across));
    add_unchanged(body, cfg, &mut across);
    let is_whole = |&local: &Local| !is_float(body.locals[local].ty);
    let whole: Vec<Local> = across.iter().filter(is_whole).collect();
    if whole.len() <= KEPT_BY_CALLS {
        whole.into_iter().for_each(|local| _ = across.remove(local));
    }
    across
}

/// The floating-point numbers that arithmetic makes such locals of. Cranelift computes where a value is used
/// first, so that these are what lives across the call.
fn behind_calls(body: &Body, across: &EntitySet<Local>) -> Vec<Local> {
    let mut sources: FxHashMap<Local, Vec<Local>> = FxHashMap::default();
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        let (effects, dst) = (inst.op.effects(), inst.op.dst());
        if let Some(dst) = dst.filter(|_| effects.pure && !effects.reads) {
            inst.op.uses(|local| sources.entry(dst).or_default().push(local));
        }
    }
    let mut reached = across.clone();
    let mut work: Vec<Local> = across.iter().collect();
    let mut found = Vec::new();
    while let Some(local) = work.pop() {
        for &source in sources.get(&local).into_iter().flatten() {
            if reached.insert(source) {
                work.push(source);
                if is_float(body.locals[source].ty) {
                    found.push(source);
                }
            }
        }
    }
    found
}

/// Adds the floating-point numbers that arithmetic makes of such locals alone: Cranelift moves it in front of
/// the loops that leave them as they are, calls in these loops or not.
fn add_unchanged(body: &Body, cfg: &Cfg, across: &mut EntitySet<Local>) {
    if across.is_empty() {
        return;
    }
    let definitions = body.definitions();
    for inst in cfg.reverse_postorder().iter().flat_map(|&block| &body.blocks[block].insts) {
        let effects = inst.op.effects();
        let is_made = |&dst: &Local| {
            is_float(body.locals[dst].ty) && definitions[dst] == 1 && effects.pure && !effects.reads
        };
        let Some(dst) = inst.op.dst().filter(is_made) else { continue };
        let (mut all, mut any) = (true, false);
        inst.op.uses(|local| {
            all &= across.contains(local) && definitions[local] <= 1;
            any = true;
        });
        if all && any {
            across.insert(dst);
        }
    }
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

/// What a loop reads of these locals, but for those that it changes for itself only.
fn found(body: &Body, live: &Liveness, across: &EntitySet<Local>, blocks: Vec<Block>) -> Found {
    let assigned = body.assigned(blocks.iter().copied());
    let mut read: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    let mut exits: Vec<(Block, Vec<Local>)> = Vec::new();
    for &block in &blocks {
        let data = &body.blocks[block];
        data.insts.iter().for_each(|inst| reads(body, &inst.op, |local| _ = read.insert(local)));
        data.term.operands(|operand| _ = operand.as_local().map(|local| read.insert(local)));
        data.term.successors(|to| {
            if !blocks.contains(&to) && exits.iter().all(|(known, _)| *known != to) {
                exits.push((to, Vec::new()));
            }
        });
    }
    let has_register = |ty| is_float(ty) || matches!(ty, Type::I32 | Type::I64 | Type::Ptr);
    let mut values = Vec::new();
    for local in read.iter() {
        if !across.contains(local)
            || !live.is_live_in(local, blocks[0])
            || !has_register(body.locals[local].ty)
        {
            continue;
        }
        if !assigned.contains(local) {
            values.push(local);
            continue;
        }
        let mut goes_on = false;
        for (_, changed) in exits.iter_mut().filter(|(to, _)| live.is_live_in(local, *to)) {
            changed.push(local);
            goes_on = true;
        }
        if goes_on {
            values.push(local);
        }
    }
    exits.retain(|(_, changed)| !changed.is_empty());
    Found { blocks, values, exits }
}

/// Keeps in memory floating-point numbers that live across calls and are not used in deeper loops than those.
fn keep_in_memory(body: &mut Body, cfg: &Cfg) {
    let floats: EntitySet<Local> =
        set_of(body.locals.keys().filter(|&local| is_float(body.locals[local].ty)));
    // Most functions that call others have none.
    if floats.is_empty() {
        return;
    }
    let mut across: SecondaryMap<Local, Option<usize>> = SecondaryMap::new();
    let (live, depths) = (Liveness::new(body, cfg), Depths::of(body, cfg));
    for &block in cfg.reverse_postorder() {
        if calls(body, block) && depths.always[block] {
            let assigned = body.assigned([block]);
            for local in live.live_out(block).filter(|&local| floats.contains(local)) {
                if live.is_live_in(local, block) && !assigned.contains(local) {
                    across[local] = across[local].max(Some(depths.depth[block]));
                }
            }
        }
    }
    if across.values().all(Option::is_none) {
        return;
    }
    for &block in cfg.reverse_postorder() {
        let data = &body.blocks[block];
        let mut used = |local: Local| {
            if across.get(local).is_some_and(|depth| depth.is_some_and(|depth| depth < depths.depth[block])) {
                across[local] = None;
            }
        };
        for inst in &data.insts {
            reads(body, &inst.op, &mut used);
            inst.op.defs(&mut used);
        }
        data.term.operands(|operand| _ = operand.as_local().map(&mut used));
    }
    let mut slots: SecondaryMap<Local, Option<Slot>> = SecondaryMap::new();
    for local in floats.iter().filter(|&local| across.get(local).is_some_and(Option::is_some)) {
        let bytes = body.locals[local].ty.bytes();
        slots[local] = Some(body.slots.push(SlotData::frame(u64::from(bytes), bytes, None)));
    }
    for block in body.order.clone() {
        through_slots(body, block, &slots);
    }
}

/// Stores behind each assignment of such a local in a block, and loads in front of each use.
fn through_slots(body: &mut Body, block: Block, slots: &SecondaryMap<Local, Option<Slot>>) {
    let pos = Pos::none();
    let slot_of = |local: Local| slots.get(local).copied().flatten();
    let at = |slot: Slot| Address { base: Operand::Slot(slot), offset: 0 };
    let store = |body: &Body, local: Local, slot: Slot| {
        let ty = body.locals[local].ty;
        let (src, access) = (Operand::Local(local), Access::natural(ty));
        Inst { op: Op::Store { ty, addr: at(slot), src, access }, pos }
    };
    let insts = std::mem::take(&mut body.blocks[block].insts);
    let mut all: Vec<Inst> = Vec::with_capacity(insts.len());
    if block == body.entry() {
        let params = body.params.iter().filter_map(|&param| Some(store(body, param, slot_of(param)?)));
        all.extend(params);
    }
    let mut found: Vec<Local> = Vec::new();
    let load = |body: &mut Body, all: &mut Vec<Inst>, found: &[Local]| {
        let mut loaded: Vec<(Operand, Operand)> = Vec::new();
        for &local in found {
            if let Some(slot) = slot_of(local)
                && loaded.iter().all(|(known, _)| *known != Operand::Local(local))
            {
                let ty = body.locals[local].ty;
                let dst = body.temp(ty);
                all.push(Inst { op: Op::Load { dst, addr: at(slot), access: Access::natural(ty) }, pos });
                loaded.push((Operand::Local(local), Operand::Local(dst)));
            }
        }
        loaded
    };
    let renamed = |loaded: &[(Operand, Operand)], operand: Operand| {
        loaded.iter().find(|(known, _)| *known == operand).map_or(operand, |(_, dst)| *dst)
    };
    for mut inst in insts {
        found.clear();
        reads(body, &inst.op, |local| found.push(local));
        let loaded = load(body, &mut all, &found);
        inst.op.map_operands(|operand| renamed(&loaded, operand));
        found.clear();
        inst.op.defs(|local| found.push(local));
        all.push(inst);
        all.extend(found.iter().filter_map(|&local| Some(store(body, local, slot_of(local)?))));
    }
    found.clear();
    body.blocks[block].term.operands(|operand| found.extend(operand.as_local()));
    let loaded = load(body, &mut all, &found);
    body.blocks[block].term.map_operands(|operand| renamed(&loaded, operand));
    body.blocks[block].insts = all;
}

/// How deep in loops blocks are.
struct Depths {
    depth: SecondaryMap<Block, usize>,
    /// Each iteration of the innermost loop executes the block, or each call of the function.
    always: SecondaryMap<Block, bool>,
}

impl Depths {
    fn of(body: &Body, cfg: &Cfg) -> Depths {
        let dominators = Dominators::new(cfg);
        let loops = cfg.natural_loops();
        let mut depth: SecondaryMap<Block, usize> = SecondaryMap::new();
        let mut always: SecondaryMap<Block, bool> = SecondaryMap::new();
        let ends = |&&block: &&Block| matches!(body.blocks[block].term, Terminator::Return { .. });
        let returns: Vec<Block> = cfg.reverse_postorder().iter().filter(ends).copied().collect();
        let each = |block: Block, of: &[Block]| of.iter().all(|&last| dominators.dominates(block, last));
        for &block in cfg.reverse_postorder() {
            let around = || loops.iter().filter(|natural| natural.blocks.contains(block));
            depth[block] = around().count();
            always[block] =
                each(block, around().next_back().map_or(&returns, |innermost| &innermost.latches));
        }
        Depths { depth, always }
    }
}

/// The block in front of a loop, made if there is none.
fn preheader(body: &mut Body, blocks: &[Block]) -> Block {
    let header = blocks[0];
    let mut outside = leading_to(body, header);
    outside.retain(|from| !blocks.contains(from));
    match outside[..] {
        [only] if body.blocks[only].term == Terminator::Jump(header) => only,
        _ => split_edges(body, &outside, header, Pos::none()),
    }
}

/// A loop with values of its own.
struct Own {
    loop_: Found,
    locals: Rename,
    /// What each value goes through.
    slots: FxHashMap<Local, Slot>,
}

impl Own {
    fn of(body: &mut Body, loop_: Found) -> Own {
        let locals = Rename::fresh(body, loop_.values.iter().copied());
        let frame = |value: &Local| {
            let ty = body.locals[*value].ty;
            (*value, body.slots.push(SlotData::frame(u64::from(ty.bytes()), ty.bytes(), None)))
        };
        let slots = loop_.values.iter().map(frame).collect();
        Own { loop_, locals, slots }
    }

    /// Gives values that the loop has changed back where it is left.
    fn bring_back(&self, body: &mut Body) {
        for (to, changed) in &self.loop_.exits {
            let mut leaving = leading_to(body, *to);
            leaving.retain(|from| self.loop_.blocks.contains(from));
            let behind = split_edges(body, &leaving, *to, Pos::none());
            for &value in changed {
                self.through(body, behind, [self.locals.local(value), value], value);
            }
        }
    }

    /// Loads the values in front of the loop.
    fn load_again(&self, body: &mut Body) {
        let Found { blocks, values, .. } = &self.loop_;
        let preheader = preheader(body, blocks);
        for &value in values {
            self.through(body, preheader, [value, self.locals.local(value)], value);
        }
        self.locals.apply(body, blocks, &[]);
    }

    /// Stores one local in the slot of a value, and loads another one from there.
    fn through(&self, body: &mut Body, block: Block, [from, to]: [Local; 2], value: Local) {
        let ty = body.locals[value].ty;
        let addr = Address { base: Operand::Slot(self.slots[&value]), offset: 0 };
        let (src, access, pos) = (Operand::Local(from), Access::natural(ty), Pos::none());
        body.blocks[block].insts.extend([
            Inst { op: Op::Store { ty, addr, src, access }, pos },
            Inst { op: Op::AtomicLoad { dst: to, addr }, pos },
        ]);
    }
}

/// The blocks that may go on with another one.
fn leading_to(body: &Body, to: Block) -> Vec<Block> {
    let leads = |&from: &Block| {
        let mut any = false;
        body.blocks[from].term.successors(|next| any |= next == to);
        any
    };
    body.order.iter().copied().filter(leads).collect()
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
        ran(&text)
    }

    fn ran(text: &str) -> String {
        let mut module = parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
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

    /// Arithmetic in front of the inner loop, on what the outer one leaves as it is.
    #[test]
    fn so_does_what_is_made_of_such_values_alone() {
        let scale = "  v4 = load [v1]\n  v4 = mul v4, v7\n  v4 = add v4, v0\n  store.f64 [v1], v4";
        let of = |arithmetic: &str| {
            let text = format!(
                "signature sig0 (f64, ptr, i64)\nsignature sig1 ()\nfunction fn0.f sig0 external {{\n  \
                 params v0, v1, v2\n  locals v0: f64\n  locals v1: ptr\n  locals v2, v3: i64\n  \
                 locals v4: f64\n  locals v5: i1\n  locals v6: i64\n  locals v7: f64\nbb0:\n  \
                 v6 = copy 0i64\n  jump bb1\nbb1:\n  v3 = copy 0i64\n{arithmetic}\n  jump bb2\n\
                 bb2:\n{scale}\n  v3 = add v3, 1i64\n  v5 = cmp.lt v3, v2\n  branch v5, bb2, bb3\n\
                 bb3:\n{CALL}\n  v6 = add v6, 1i64\n  v5 = cmp.lt v6, v2\n  branch v5, bb1, bb4\nbb4:\n  return\n}}\n\
                 function fn1.g sig1 external\n"
            );
            ran(&text).matches("= atomic_load").count()
        };
        assert_eq!(of("  v7 = sub 1.0f64, v0"), 2);
        assert_eq!(of("  v4 = load [v1]\n  v7 = sub v4, v0"), 1);
    }

    #[test]
    fn a_sum_goes_through_memory_where_its_loop_begins_and_ends() {
        let text = after("  v4 = load [v1]\n  v0 = add v0, v4", CALL);
        assert!(text.contains("store.f64 [s0], v0 untyped\n  v7 = atomic_load [s0]"), "{text}");
        assert!(text.contains("v7 = add v7, v4"), "{text}");
        assert!(text.contains("store.f64 [s0], v7 untyped\n  v0 = atomic_load [s0]"), "{text}");
        let text = after(&format!("{SCALE}\n  v0 = copy v4"), CALL);
        assert!(text.contains("mul v4, v7") && text.contains("v7 = copy v4"), "{text}");
        assert!(text.contains("store.f64 [s0], v7 untyped\n  v0 = atomic_load [s0]"), "{text}");
    }

    /// A loop that is left to the header of another one.
    #[test]
    fn a_sum_goes_on_in_the_next_loop() {
        let again = "  v0 = mul v0, 2.0f64\n  v3 = add v3, 1i64\n  v5 = cmp.lt v3, 9i64\n  branch v5, bb3, bb5\nbb5:\n";
        let text = after("  v4 = load [v1]\n  v0 = add v0, v4", &format!("{again}{CALL}"));
        let sums: Vec<&str> = text.lines().filter(|line| line.contains("v0")).map(str::trim).collect();
        let through = ["store.f64 [s0], v0 untyped", "v0 = atomic_load [s0]"];
        let next = ["store.f64 [s1], v0 untyped", "v0 = atomic_load [s1]"];
        assert_eq!(sums[2..], [through, next].concat(), "{text}");
    }

    #[test]
    fn what_only_code_around_the_loop_uses_is_in_memory() {
        let around = format!("{CALL}\n  store.f64 [v1], v0");
        let text = after("  store.i64 [v1], v3", &around);
        assert!(text.contains("bb0:\n  store.f64 [s0], v0 untyped\n"), "{text}");
        assert!(text.contains("v7 = load [s0] untyped\n  store.f64 [v1], v7\n"), "{text}");
        // The inner loop uses it more often than calls take its register.
        let text = after(SCALE, &around);
        assert!(text.contains("mul v4, v7") && !text.contains(" load [s0]"), "{text}");
    }

    /// What is computed in front of a call and used behind it is computed behind it.
    #[test]
    fn arithmetic_of_sums_is_done_behind_calls() {
        let text = after(
            "  v4 = load [v1]\n  v0 = add v0, v4",
            &format!("  v4 = mul v0, 3.0f64\n{CALL}\n  store.f64 [v1], v4\n  v0 = copy 0.0f64"),
        );
        assert!(text.contains("v7 = add v7, v4") && text.contains("v0 = atomic_load [s0]"), "{text}");
    }

    #[test]
    fn other_loops_stay() {
        for (inside, around) in [
            (SCALE, "  v4 = copy v0"),
            (&*format!("{SCALE}\n{CALL}"), CALL),
            // Set anew before it is read.
            ("  v0 = load [v1]\n  store.f64 [v1 + 8], v0", CALL),
            // Few whole numbers stay in registers.
            ("  store.i64 [v1], v2", CALL),
        ] {
            let text = after(inside, around);
            assert!(!text.contains("atomic_load"), "{text}");
        }
    }
}
