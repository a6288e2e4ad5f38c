//! Loops of which each iteration reduces in one loop inside.
//!
//! `for (j) { s = 0; for (i) s += a[i][j] * x[i]; y[j] = s; }` is one: what an iteration does in front of the
//! inner loop and in it computes and loads only, and what it does behind uses nothing of the inner loop but
//! what that reduces. So several threads may each execute a part of the inner loop, all of them what stands
//! in front of it, and one of them what stands behind, once it has combined their parts.

use super::cfg::Cfg;
use super::effects::{may_be_copied, may_be_mixed};
use super::liveness::Liveness;
use super::loops::Nest;
use super::regroup::{is_about_one, leaves_nothing, may_be_regrouped, names_own_slot};
use crate::acc::{RedType, ReductionClause, ReductionOp, ReductionPart};
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, Induction, LoopData};
use crate::op::{Inst, Operand};
use crate::types::Type;
use rustc_hash::FxHashSet;

/// Bodies with more operations are none: they are written several times.
const MOST_OPERATIONS: usize = 256;

/// A loop that reduces in a loop inside.
#[derive(Clone, Debug)]
pub struct InnerSums {
    /// The outer loop.
    pub outer: Loop,
    /// The one inside that reduces.
    pub inner: Loop,
    /// The loops inside of that one, those around first.
    pub innermost: Vec<Loop>,
    /// What it reduces.
    pub sums: Vec<Sum>,
    /// Blocks of an iteration that do not come behind the inner loop, without the header of the outer one.
    pub before: Vec<Block>,
    /// The blocks of the inner loop.
    pub inside: Vec<Block>,
    /// Those that may come behind it, without the latch of the outer loop.
    pub behind: Vec<Block>,
}

/// A scalar that a loop reduces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sum {
    /// The scalar.
    pub local: Local,
    /// By which operator.
    pub op: ReductionOp,
    /// Its type.
    pub ty: RedType,
}

impl InnerSums {
    /// Of a loop, if it is one.
    pub fn of(body: &Body, outer: Loop) -> Option<InnerSums> {
        let is_fine = may_be_regrouped(body, outer);
        let reduces = |&at: &Loop| {
            let directive = body.loops[at].directive.as_ref();
            directive.is_some_and(|directive| is_about_one(directive) && !directive.reductions.is_empty())
        };
        let tree = body.loop_tree();
        let mut children = tree.into_iter().filter(|&at| body.loops[at].parent == Some(outer));
        let inner = children.next().filter(|inner| is_fine && reduces(inner))?;
        let clauses = &body.loops[inner].directive.as_ref()?.reductions;
        let sums = clauses.iter().map(|clause| Sum::of(body, clause)).collect::<Option<Vec<Sum>>>()?;
        let is_alone = children.next().is_none();
        let is_different =
            sums.iter().enumerate().all(|(n, sum)| sums[..n].iter().all(|s| s.local != sum.local));
        if !is_alone || !is_different {
            return None;
        }
        let nest = Nest::new(body);
        let (blocks, inside) = (nest.blocks(outer), nest.blocks(inner));
        let of_inner = &body.loops[inner];
        let LoopData { header, latch, .. } = body.loops[outer];
        let is_own = |block: Block| ![header, latch].contains(&block) && blocks.contains(&block);
        let behind = reachable(body, of_inner.exit, |block| is_own(block) && !inside.contains(&block));
        let rest = blocks.iter().copied().filter(|&block| is_own(block) && !inside.contains(&block));
        let before: Vec<Block> = rest.filter(|block| !behind.contains(block)).collect();
        let found = InnerSums { outer, inner, innermost: nest.inside(inner), sums, before, inside, behind };
        let stays =
            comes_to_it_once(body, &found) && found.may_be_divided(body) && found.hands_nothing_on(body);
        stays.then_some(found)
    }

    /// The blocks of an iteration, without the header and the latch of the outer loop.
    fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        [&self.before, &self.inside, &self.behind].into_iter().flatten().copied()
    }

    /// Whether several threads may execute the code up to the end of the inner loop, and another one the code
    /// in front of it again with what follows. The iterations of the outer loop are independent, so that no
    /// other one writes what this one loads, and it writes nothing itself until the inner loop is done.
    fn may_be_divided(&self, body: &Body) -> bool {
        let insts = |blocks: &[Block]| -> Vec<&Inst> {
            blocks.iter().flat_map(|&block| &body.blocks[block].insts).collect()
        };
        let only_reads = |inst: &&Inst| may_be_mixed(body, &[], &inst.op) && !inst.op.effects().writes;
        let [before, inside, behind] = [&self.before, &self.inside, &self.behind].map(|list| insts(list));
        before.len() + inside.len() + behind.len() <= MOST_OPERATIONS
            && before.iter().chain(&inside).all(only_reads)
            && behind.iter().all(|inst| may_be_copied(&inst.op) && !names_own_slot(body, inst))
    }

    /// What the inner loop assigns.
    fn defined_inside(&self, body: &Body) -> FxHashSet<Local> {
        let mut found = FxHashSet::default();
        let insts = self.inside.iter().flat_map(|&block| &body.blocks[block].insts);
        insts.for_each(|inst| inst.op.defs(|local| _ = found.insert(local)));
        found
    }

    /// Whether no iteration of the outer loop leaves a value to a later one or to the code behind, and the
    /// inner loop leaves nothing but what it reduces, and hands nothing else from iteration to iteration.
    fn hands_nothing_on(&self, body: &Body) -> bool {
        let live = Liveness::new(body, &Cfg::new(body));
        let (outer, inner) = (&body.loops[self.outer], &body.loops[self.inner]);
        let counter = |data: &LoopData| data.induction.as_ref().map(|Induction { iv, .. }| *iv);
        let (Some(of_outer), Some(of_inner)) = (counter(outer), counter(inner)) else { return false };
        let is_reduced = |local: Local| self.sums.iter().any(|sum| sum.local == local);
        let is_own = |&local: &Local| {
            is_reduced(local)
                || !live.is_live_in(local, inner.exit)
                    && (local == of_inner || !live.is_live_in(local, inner.header))
        };
        leaves_nothing(body, &live, self.outer, self.blocks())
            && self.defined_inside(body).iter().all(is_own)
            && !is_reduced(of_outer)
            && !is_reduced(of_inner)
    }
}

impl Sum {
    fn of(body: &Body, clause: &ReductionClause) -> Option<Sum> {
        let (Operand::Local(local), &[ReductionPart { offset: 0, ty, count: None }]) =
            (clause.var, &clause.parts[..])
        else {
            return None;
        };
        let is_plain = matches!(ty.ty, Type::I32 | Type::I64 | Type::F32 | Type::F64)
            && !ty.boolean
            && !clause.pointee
            && clause.lower.is_none()
            && body.locals[local].ty == ty.ty;
        is_plain.then_some(Sum { local, op: clause.op, ty })
    }
}

/// The blocks that code comes to from a block on, as long as they are wanted.
fn reachable(body: &Body, from: Block, is_wanted: impl Fn(Block) -> bool) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if is_wanted(block) && !found.contains(&block) {
            found.push(block);
            body.blocks[block].term.successors(|to| open.push(to));
        }
    }
    found
}

/// Whether an iteration comes to the inner loop at most once, by its preheader, leaves it by its header, and
/// ends in the latch of the outer loop.
fn comes_to_it_once(body: &Body, found: &InnerSums) -> bool {
    let (outer, inner) = (&body.loops[found.outer], &body.loops[found.inner]);
    let all: FxHashSet<Block> = found.blocks().collect();
    let inside: FxHashSet<Block> = found.inside.iter().copied().collect();
    let mut stays = found.before.contains(&inner.preheader);
    for block in found.blocks() {
        body.blocks[block].term.successors(|to| {
            stays &= match (inside.contains(&block), inside.contains(&to)) {
                (true, true) => true,
                (true, false) => block == inner.header && to == inner.exit,
                (false, true) => block == inner.preheader && to == inner.header,
                (false, false) => to == outer.latch || all.contains(&to),
            };
        });
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::Func;
    use crate::text;

    /// Whether `for (j) { v5 = 0; BEFORE for (k) { v9 = v6; v5 += v9; INSIDE } BEHIND p[j] = v5; }` may be
    /// divided, with what stands behind the outer loop.
    fn is_found([before, inside, behind, after]: [&str; 4]) -> bool {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, i32)\nfunction fn0.r sig0 internal\n  \
             region parallel of \"main\" dims(0, 1, 1, 8, 32) {{\n    param \"p\" pointer present\n    \
             param \"n\" value i32 bytes 4\n  }} {{\n  params v0.p, v1.n\n  locals v0.p: ptr\n  \
             locals v1.n, v2.j, v3.k, v4.last, v5.s: i32\n  locals v6: i1\n  locals v7: i64\n  locals v8: ptr\n  \
             locals v9: i32\n  slot s0.own size 8 align 4\n\
             loop loop0 preheader bb0 header bb1 body bb2 latch bb6 exit bb7 for v2.j = 0i32, lt v1.n, step 1i32 \
             {{\n directive levels(gang, worker, vector) }}\n\
             loop loop1 in loop0 preheader bb2 header bb3 body bb4 latch bb4 exit bb5 for v3.k = 0i32, lt v1.n, \
             step 1i32 {{\n directive seq\n reduction + \"s\" v5.s parts(0 i32 signed) }}\n\
             bb0: v2.j = copy 0i32 v4.last = copy 0i32 jump bb1\n\
             bb1 loop0: v6 = cmp.lt v2.j, v1.n branch v6, bb2, bb7\n\
             bb2 loop0: v5.s = copy 0i32 {before} v3.k = copy 0i32 jump bb3\n\
             bb3 loop1: v6 = cmp.lt v3.k, v1.n branch v6, bb4, bb5\n\
             bb4 loop1: v9 = copy v3.k v5.s = add v5.s, v9 {inside} v3.k = add v3.k, 1i32 jump bb3\n\
             bb5 loop0: v7 = convert.sext v2.j v8 = index v0.p + v7 * 4 {behind} store.i32 [v8], v5.s jump bb6\n\
             bb6 loop0: v2.j = add v2.j, 1i32 jump bb1\nbb7: {after} return\n}}\n"
        );
        let module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let body = module.functions[Func::from_u32(0)].body.as_deref().expect("a body");
        InnerSums::of(body, Loop::from_u32(0)).is_some()
    }

    #[test]
    fn only_what_is_reduced_leaves_the_inner_loop() {
        assert!(is_found([""; 4]));
        // A load in front, and any value of the iteration behind.
        assert!(is_found(["v4.last = load [v0.p]", "", "v5.s = add v5.s, v4.last", ""]));
        // The last value of the inner loop, its counter, and what goes from iteration to iteration.
        assert!(!is_found(["", "", "v5.s = add v5.s, v9", ""]));
        assert!(!is_found(["", "", "v5.s = add v5.s, v3.k", ""]));
        assert!(!is_found(["v4.last = copy 1i32", "v5.s = add v5.s, v4.last v4.last = copy v3.k", "", ""]));
    }

    #[test]
    fn nothing_but_the_end_of_an_iteration_has_effects() {
        assert!(is_found(["", "", "store.i32 [v8], 1i32", ""]));
        assert!(!is_found(["store.i32 [v0.p], 1i32", "", "", ""]));
        assert!(!is_found(["", "store.i32 [v0.p], 1i32", "", ""]));
        assert!(!is_found(["", "", "store.i32 [s0], 1i32", ""]));
        assert!(!is_found(["v4.last = load [v0.p] volatile", "", "", ""]));
    }

    #[test]
    fn iterations_of_the_outer_loop_leave_nothing() {
        assert!(!is_found(["", "", "v4.last = copy v5.s", "store.i32 [v0.p], v4.last"]));
        assert!(!is_found(["", "", "v4.last = add v4.last, 1i32", "store.i32 [v0.p], v4.last"]));
        assert!(!is_found(["", "", "", "store.i32 [v0.p], v2.j"]));
    }
}
