//! What of a loop's code some of its locals are computed by.

use super::liveness::reads;
use crate::entities::{Block, Local};
use crate::function::Body;
use crate::op::Inst;
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;

/// The instructions of some blocks that are needed to know locals at their end, by block and number: those
/// that assign them, those that decide which way control takes, and whatever these use.
pub fn needed(body: &Body, blocks: &[Block], locals: &[Local]) -> FxHashSet<(Block, usize)> {
    let mut wanted: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    wanted.extend(locals.iter().copied());
    for &block in blocks {
        body.blocks[block].term.uses(|local| _ = wanted.insert(local));
    }
    let mut found: FxHashSet<(Block, usize)> = FxHashSet::default();
    loop {
        let known = found.len();
        for (block, n, inst) in insts(body, blocks) {
            let mut is_wanted = false;
            inst.op.defs(|local| is_wanted |= wanted.contains(local));
            if is_wanted && found.insert((block, n)) {
                reads(body, &inst.op, |local| _ = wanted.insert(local));
            }
        }
        if found.len() == known {
            return found;
        }
    }
}

/// The locals that some blocks compute from other ones, with these.
pub fn dependent(body: &Body, blocks: &[Block], locals: &[Local]) -> EntitySet<Local> {
    let mut found: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    found.extend(locals.iter().copied());
    loop {
        let mut grows = false;
        for (_, _, inst) in insts(body, blocks) {
            let mut depends = false;
            reads(body, &inst.op, |local| depends |= found.contains(local));
            inst.op.defs(|local| grows |= depends && found.insert(local));
        }
        if !grows {
            return found;
        }
    }
}

fn insts<'a>(body: &'a Body, blocks: &'a [Block]) -> impl Iterator<Item = (Block, usize, &'a Inst)> {
    let of_block =
        |&block: &Block| body.blocks[block].insts.iter().enumerate().map(move |(n, inst)| (block, n, inst));
    blocks.iter().flat_map(of_block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;
    use cranelift_entity::EntityRef;

    const PROGRAM: &str = "\
signature sig0 (ptr, i32)
function fn0.f sig0 external {
  params v0.p, v1.s
  locals v0.p: ptr
  locals v1.s, v2, v3: i32
  locals v4: i1
  locals v5: i32
bb0:
  v2 = load [v0.p]
  v3 = mul v2, 2i32
  v4 = cmp.lt v2, 9i32
  branch v4, bb1, bb2
bb1:
  v1.s = add v1.s, v2
  v5 = add v1.s, v3
  store.i32 [v0.p + 4], v5
  jump bb2
bb2:
  return
}
";

    #[test]
    fn what_is_stored_alone_is_not_needed() {
        let module = text::parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        let body = module.functions.values().next().and_then(|function| function.body.as_deref());
        let body = body.expect("a body");
        let sum = Local::new(1);
        let mut found: Vec<(usize, usize)> =
            needed(body, &body.order, &[sum]).into_iter().map(|(block, n)| (block.index(), n)).collect();
        found.sort_unstable();
        assert_eq!(found, [(0, 0), (0, 2), (1, 0)]);
        let dependent: Vec<usize> =
            dependent(body, &body.order, &[sum]).iter().map(|local| local.index()).collect();
        assert_eq!(dependent, [1, 5]);
    }
}
