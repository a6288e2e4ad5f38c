//! Loads variables once before a loop that only reads them.
//!
//! Before: any code. After: a load of a global or slot that nothing in the loop around it can write stands in
//! front of the outermost such loop; in the loop its value is copied. Only variables are loaded early, whole
//! and from a fixed place, since that is no mistake even if the loop does not run. The code generator moves
//! arithmetic on them out of the loop by itself.
//!
//! A store through a pointer of unknown origin may write any global, unless it is of another kind
//! ([`MemoryKind`]): `p[i] = 0.5` leaves a global pointer as it was. A call may write everything, and so may
//! any other operation that writes memory and names none.

use crate::analysis::bases::{Base, Bases};
use crate::entities::{Local, Loop};
use crate::function::{Body, Linkage, SlotKind};
use crate::module::Module;
use crate::op::{Inst, MemoryKind, Op, Operand};
use crate::types::Type;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Loops that write more different objects than this are taken to write everything.
const MAX_BASES: usize = 16;

/// What the code of a loop writes.
#[derive(Clone, Default)]
struct Written {
    everything: bool,
    bases: Vec<(Base, MemoryKind)>,
}

impl Written {
    fn add(&mut self, base: Base, kind: MemoryKind) {
        if !self.bases.contains(&(base, kind)) {
            self.bases.push((base, kind));
            self.everything |= self.bases.len() > MAX_BASES;
        }
    }

    fn op(&mut self, bases: &Bases, op: &Op) {
        match op {
            Op::Store { ty, addr, access, .. } if !access.volatile => {
                self.add(bases.of(addr.base), access.kind(*ty));
            }
            Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } => {
                self.add(bases.of(dst.base), MemoryKind::Any);
            }
            // Counts as writing because it may trap, which no load minds.
            Op::Binary { .. } => {}
            _ => self.everything |= op.effects().writes,
        }
    }

    fn may_be(&self, bases: &Bases, base: Base, kind: MemoryKind) -> bool {
        let may_be = |&(written, of): &(Base, MemoryKind)| !bases.differ(written, base) && !of.is_apart(kind);
        self.everything || self.bases.iter().any(may_be)
    }
}

/// A variable's part, in a form that can be looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    loop_: Loop,
    base: Base,
    offset: i64,
    ty: Type,
}

/// Runs the pass on one function.
pub fn rewrite(module: &Module, body: &mut Body) {
    let mut candidates = Vec::new();
    for &block in &body.order {
        let data = &body.blocks[block];
        if data.loop_.is_none() {
            continue;
        }
        for (index, inst) in data.insts.iter().enumerate() {
            if is_variable(module, body, &inst.op) {
                candidates.push((block, index));
            }
        }
    }
    if candidates.is_empty() {
        return;
    }
    let bases = Bases::new(body);
    let written = written(body, &bases);
    let mut early: FxHashMap<Place, Local> = FxHashMap::default();
    for (block, index) in candidates {
        let Inst { ref op, pos } = body.blocks[block].insts[index];
        let Op::Load { dst, addr, access } = *op else { continue };
        let base = bases.of(addr.base);
        let ty = body.locals[dst].ty;
        let clean = |loop_: &Loop| !written[*loop_].may_be(&bases, base, access.kind(ty));
        let Some(loop_) = body.loops_around(body.blocks[block].loop_).take_while(clean).last() else {
            continue;
        };
        let place = Place { loop_, base, offset: addr.offset, ty };
        let value = *early.entry(place).or_insert_with(|| {
            let value = body.temp(ty);
            let preheader = body.loops[loop_].preheader;
            body.blocks[preheader].insts.push(Inst { op: Op::Load { dst: value, addr, access }, pos });
            value
        });
        body.blocks[block].insts[index].op = Op::Copy { dst, src: Operand::Local(value) };
    }
}

/// Whether an operation loads a part of a variable that exists for certain, from a fixed place.
fn is_variable(module: &Module, body: &Body, op: &Op) -> bool {
    let Op::Load { dst, addr, access } = op else { return false };
    let size = match addr.base {
        Operand::Slot(slot) if body.slots[slot].kind == SlotKind::Frame => body.slots[slot].size,
        Operand::Global(global) => {
            let data = &module.globals[global];
            if data.thread_local || data.linkage == Linkage::Weak {
                return false;
            }
            data.size
        }
        _ => return false,
    };
    let bytes = i64::from(body.locals[*dst].ty.bytes());
    let end = addr.offset.checked_add(bytes).and_then(|end| u64::try_from(end).ok());
    !access.volatile && addr.offset >= 0 && end.is_some_and(|end| end <= size)
}

/// What each loop writes, with the loops in it.
fn written(body: &Body, bases: &Bases) -> SecondaryMap<Loop, Written> {
    let mut written: SecondaryMap<Loop, Written> = SecondaryMap::with_capacity(body.loops.len());
    for &block in &body.order {
        let data = &body.blocks[block];
        if let Some(loop_) = data.loop_ {
            data.insts.iter().for_each(|inst| written[loop_].op(bases, &inst.op));
        }
    }
    // Children come after their parents.
    for loop_ in body.loops.keys().rev() {
        if let Some(parent) = body.loops[loop_].parent {
            let inner = written[loop_].clone();
            written[parent].everything |= inner.everything;
            inner.bases.into_iter().for_each(|(base, kind)| written[parent].add(base, kind));
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// A loop that loads a global pointer, and does something else.
    fn loads_left(inside: &str) -> usize {
        let source = format!(
            "file file0 \"a.c\"
            signature sig0 (ptr, i64)
            signature sig1 ()
            global g0.p internal size 8 align 8 zero @1:1
            global g1.q internal size 8 align 8 zero @1:1
            function fn0.other sig1 external @1:1
            function fn1.f sig0 external @1:1 {{
              params v0, v1
              locals v0: ptr
              locals v1: i64
              locals v2: ptr
              locals v3: i64
              locals v4: i1
              slot s0 size 8 align 8
              loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 @1:1
            bb0:
              v3 = copy 0i64
              jump bb1
            bb1 loop0:
              v4 = cmp.lt v3, v1
              branch v4, bb2, bb3
            bb2 loop0:
              v2 = load [g0.p]
              {inside}
              v3 = add v3, 1i64
              jump bb1
            bb3:
              return
            }}"
        );
        let mut module = text::parse(&source).expect("the text is right");
        let func = module.functions.keys().next_back().expect("a function");
        let mut body = module.functions[func].body.take().expect("a body");
        rewrite(&module, &mut body);
        let block = body.loops[Loop::from_u32(0)].body;
        body.blocks[block].insts.iter().filter(|inst| matches!(inst.op, Op::Load { .. })).count()
    }

    #[test]
    fn what_may_be_written_is_loaded_again() {
        assert_eq!(loads_left(""), 0);
        assert_eq!(loads_left("store.i64 [g1.q], v3"), 0);
        assert_eq!(loads_left("store.i64 [v2], v3"), 0);
        assert_eq!(loads_left("store.i64 [s0], v3"), 0);
        assert_eq!(loads_left("v3 = sdiv v3, v1"), 0);
        assert_eq!(loads_left("store.ptr [g0.p], v0"), 1);
        assert_eq!(loads_left("store.i64 [g0.p], v3 untyped"), 1);
        assert_eq!(loads_left("store.i64 [v2], v3 untyped"), 1);
        assert_eq!(loads_left("store.ptr [v2], v2"), 1);
        assert_eq!(loads_left("store.i8 [v2], 1i8"), 1);
        assert_eq!(loads_left("call fn0.other() sig1"), 1);
        assert_eq!(loads_left("fence"), 1);
        assert_eq!(loads_left("v2 = load [g0.p] volatile"), 2);
    }
}
