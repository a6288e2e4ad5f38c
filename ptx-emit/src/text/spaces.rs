//! Which locals of a kernel hold addresses of global memory.

use accrue_ir::bits::BitSet;
use accrue_ir::*;

/// The locals that only ever hold addresses derived from a kernel's parameters or from globals, or null. A kernel is given
/// nothing but addresses of global memory; routines are given any, so none of their locals count.
pub(super) fn global_pointers(function: &Function, body: &Body) -> BitSet<Local> {
    let mut global: BitSet<Local> = BitSet::new(body.locals.len());
    if !matches!(function.kind, FunctionKind::Region(_)) {
        return global;
    }
    for (local, data) in body.locals.iter() {
        if data.ty == Type::Ptr {
            global.insert(local);
        }
    }
    // From "all of them" down to what every definition agrees with.
    loop {
        let mut changed = false;
        for block in &body.order {
            for inst in &body.blocks[*block].insts {
                let keeps = |operand: Operand| match operand {
                    Operand::Local(local) => global.contains(local),
                    Operand::Global(_) => true,
                    Operand::Int(_, value) => value == 0,
                    Operand::Slot(_) | Operand::Func(_) | Operand::F32(_) | Operand::F64(_) => false,
                };
                let stays = match &inst.op {
                    Op::Copy { src, .. } => keeps(*src),
                    Op::Index { base, .. } => keeps(*base),
                    Op::Select { a, b, .. } => keeps(*a) && keeps(*b),
                    Op::Instance { .. } => true,
                    Op::Shuffle { src, .. } => keeps(*src),
                    _ => false,
                };
                if !stays {
                    inst.op.defs(|local| changed |= global.remove(local));
                }
            }
        }
        if !changed {
            return global;
        }
    }
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
            reductions: Vec::new(),
            parent: "main".into(),
            constant_dims: [0; 5],
            cooperative: false,
        }));
        let function = Function {
            name: "main.region0".into(),
            link_name: None,
            sig: Sig::from_u32(0),
            linkage: Linkage::Internal,
            kind,
            routine: None,
            noreturn: false,
            inline_hint: false,
            returns_twice: false,
            alias: None,
            body: None,
            pos: Pos::none(),
        };
        let global = global_pointers(&function, &body);
        assert!(global.contains(param) && global.contains(step));
        assert!(!global.contains(loaded) && !global.contains(mixed));
    }
}
