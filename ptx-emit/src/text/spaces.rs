//! Which locals of a function hold addresses of which memory.

use super::shared::Layout;
use accrue_ir::*;
use cranelift_entity::EntitySet;
use smallvec::{SmallVec, smallvec};

/// The locals that only ever hold addresses derived from a kernel's parameters or from globals, or null. A
/// kernel is given nothing but addresses of global memory; routines are given any, so none of their locals
/// count.
pub(crate) fn global_pointers(function: &Function, body: &Body) -> EntitySet<Local> {
    if !matches!(function.kind, FunctionKind::Region(_)) {
        return EntitySet::with_capacity(body.locals.len());
    }
    let leads = |operand| matches!(operand, Operand::Global(_) | Operand::Int(_, 0));
    held(body, &[], leads, |op| matches!(op, Op::Instance { .. }))
}

/// The locals that only ever hold addresses derived from objects in shared memory.
pub(super) fn shared_pointers(body: &Body, layout: &Layout) -> EntitySet<Local> {
    let is_shared =
        |slot: Slot| layout.places[slot].as_ref().is_some_and(|place| place.space == Space::Shared);
    if !body.slots.keys().any(is_shared) {
        return EntitySet::with_capacity(body.locals.len());
    }
    let leads = |operand| matches!(operand, Operand::Slot(slot) if is_shared(slot));
    held(body, &body.params, leads, |_| false)
}

/// Those of some locals with addresses in shared memory that need not be generic addresses: memory is
/// accessed there, and other such addresses are computed from them. Shared memory is small, so that 32 bits
/// are enough.
pub(super) fn shared_offsets(body: &Body, shared: &EntitySet<Local>) -> EntitySet<Local> {
    let mut short = shared.clone();
    if shared.iter().next().is_none() {
        return short;
    }
    // An address is short like those that it is computed from, or none of them is.
    let mut alike: Vec<SmallVec<[Operand; 3]>> = Vec::new();
    let mut be_generic = |operand: Operand| _ = operand.as_local().map(|local| short.remove(local));
    for &block in &body.order {
        let BlockData { insts, term, .. } = &body.blocks[block];
        for Inst { op, .. } in insts {
            match *op {
                Op::Load { .. } => {}
                Op::Store { src, .. } => be_generic(src),
                Op::Index { dst, base: a, .. } | Op::Copy { dst, src: a } => {
                    alike.push(smallvec![Operand::Local(dst), a]);
                }
                Op::Select { dst, a, b, .. } => alike.push(smallvec![Operand::Local(dst), a, b]),
                ref op => {
                    op.operands(&mut be_generic);
                    op.defs(|local| be_generic(Operand::Local(local)));
                }
            }
        }
        term.operands(&mut be_generic);
    }
    let is_in = |set: &EntitySet<Local>, operand: &Operand| {
        operand.as_local().is_some_and(|local| set.contains(local))
    };
    alike.retain(|all| all.iter().any(|operand| is_in(shared, operand)));
    let mut changed = true;
    while changed {
        changed = false;
        alike.retain(|all| {
            let are_short =
                all.iter().all(|operand| is_in(&short, operand) || matches!(operand, Operand::Slot(_)));
            if !are_short {
                all.iter().filter_map(|operand| operand.as_local()).for_each(|local| _ = short.remove(local));
                changed = true;
            }
            are_short
        });
    }
    short
}

/// The locals, but for some, that only ever hold what is derived from addresses that lead to a space: of
/// certain operands, and what certain operations give.
fn held(
    body: &Body,
    but: &[Local],
    leads: impl Fn(Operand) -> bool,
    gives: impl Fn(&Op) -> bool,
) -> EntitySet<Local> {
    let mut held: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    for (local, data) in body.locals.iter() {
        if data.ty == Type::Ptr && !but.contains(&local) {
            held.insert(local);
        }
    }
    // From "all of them" down to what every definition agrees with.
    let all = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    let mut definitions: Vec<(Local, &Op)> = Vec::new();
    for inst in all {
        inst.op.defs(|local| {
            if held.contains(local) {
                definitions.push((local, &inst.op));
            }
        });
    }
    let mut changed = true;
    while changed {
        changed = false;
        definitions.retain(|&(local, op)| {
            let keeps = |operand: Operand| match operand {
                Operand::Local(local) => held.contains(local),
                operand => leads(operand),
            };
            let stays = match op {
                Op::Copy { src, .. } => keeps(*src),
                Op::Index { base, .. } => keeps(*base),
                Op::Select { a, b, .. } => keeps(*a) && keeps(*b),
                Op::Shuffle { src, .. } => keeps(*src),
                op => gives(op),
            };
            if !stays {
                changed |= held.remove(local);
            }
            stays
        });
    }
    held
}

/// Whether an operand is the address of an object in the frame.
fn is_frame(body: &Body, operand: Operand) -> bool {
    matches!(operand, Operand::Slot(slot) if body.slots[slot].kind == SlotKind::Frame)
}

/// The locals that may hold addresses of a thread's own memory. `escapes` says whether such addresses are in
/// memory or go through calls anywhere in the program; if not, they come from the function's own frame only.
pub(super) fn own_pointers(
    module: &Module,
    function: &Function,
    body: &Body,
    escapes: bool,
) -> EntitySet<Local> {
    let mut own: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    let signature = &module.signatures[function.sig];
    let is_region = matches!(function.kind, FunctionKind::Region(_));
    for (index, &param) in body.params.iter().enumerate() {
        let is_object = matches!(signature.params.get(index), Some(PassBy::Aggregate(_)));
        if is_object || escapes && !is_region {
            own.insert(param);
        }
    }
    loop {
        let mut changed = false;
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            let may_be = match &inst.op {
                Op::StackAlloc { .. } => true,
                // What was put into memory, and what others give.
                Op::Load { .. }
                | Op::Call { .. }
                | Op::AtomicRmw { .. }
                | Op::AtomicSwap { .. }
                | Op::AtomicCas { .. }
                | Op::AtomicLoad { .. } => escapes,
                // Whatever is computed from an address.
                op => {
                    let mut derived = false;
                    op.operands(|operand| {
                        derived |= is_frame(body, operand)
                            || matches!(operand, Operand::Local(local) if own.contains(local));
                    });
                    derived
                }
            };
            if may_be {
                inst.op.defs(|local| {
                    let can_hold = matches!(body.locals[local].ty, Type::Ptr | Type::I64);
                    changed |= can_hold && own.insert(local);
                });
            }
        }
        if !changed {
            return own;
        }
    }
}

/// Whether a function puts addresses of its frame into memory, or gives them to others.
pub(super) fn frame_escapes(module: &Module, function: &Function, body: &Body) -> bool {
    let has_frame = body.slots.values().any(|data| data.kind == SlotKind::Frame)
        || module.signatures[function.sig].params.iter().any(|pass| matches!(pass, PassBy::Aggregate(_)))
        || body
            .order
            .iter()
            .any(|&block| body.blocks[block].insts.iter().any(|i| matches!(i.op, Op::StackAlloc { .. })));
    if !has_frame {
        return false;
    }
    let own = own_pointers(module, function, body, false);
    let leads = |operand: Operand| {
        is_frame(body, operand) || matches!(operand, Operand::Local(local) if own.contains(local))
    };
    body.order.iter().any(|&block| {
        let data = &body.blocks[block];
        let given = data.insts.iter().any(|inst| match &inst.op {
            Op::Store { src, .. } | Op::AtomicStore { src, .. } => leads(*src),
            Op::AtomicRmw { value, .. } | Op::AtomicSwap { value, .. } => leads(*value),
            Op::AtomicCas { desired, .. } => leads(*desired),
            Op::Call { args, .. } => args.iter().any(|&arg| leads(arg)),
            _ => false,
        });
        given || matches!(data.term, Terminator::Return(Some(value)) if leads(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::builder::Cursor;

    #[test]
    fn steps_from_a_parameter_stay_global_and_loaded_pointers_do_not() {
        let mut body = Body::default();
        let local = |body: &mut Body| body.local(Type::Ptr, None);
        let (param, step, loaded, mixed) =
            (local(&mut body), local(&mut body), local(&mut body), local(&mut body));
        body.params.push(param);
        let entry = body.block();
        let mut cursor = Cursor::new(&mut body, entry);
        let stepped = cursor.index(Operand::Local(param), Operand::Int(Type::I64, 1), 8, 0);
        cursor.assign(step, stepped);
        let found = cursor.load(Type::Ptr, Address::at(Operand::Local(step)));
        cursor.assign(loaded, found);
        cursor.assign(mixed, Operand::Local(step));
        cursor.assign(mixed, Operand::Local(loaded));
        let kind = FunctionKind::Region(Box::new(RegionData {
            construct: ConstructKind::Parallel,
            params: Vec::new(),
            parent: "main".into(),
            constant_dims: [0; 5],
            cooperative: false,
            wanted_gangs: 0,
            open_workers: false,
            row: None,
            shape: None,
        }));
        let function = Function {
            linkage: Linkage::Internal,
            kind,
            ..Function::declared("main.region0".into(), Sig::from_u32(0), Pos::none())
        };
        let global = global_pointers(&function, &body);
        assert!(global.contains(param) && global.contains(step));
        assert!(!global.contains(loaded) && !global.contains(mixed));
    }
}
