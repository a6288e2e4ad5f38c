//! Tells whether a loop only accumulates into a variable.
//!
//! If every read of the variable feeds nothing but an update `v = v OP e`, then every value it ever has is
//! `original OP something`, and a single thread may run the loop on the variable itself. Otherwise the
//! program can see that its private copy starts at the identity. A use that is not recognised counts as one,
//! which is always right and costs one operation per loop.
//!
//! Recognised are chains of the operator (`v + a - b`), conversions around them, minimum and maximum as
//! operations, as selections, as calls of `fmin` and `fmax`, and as `if (e > v) v = e`.

use super::super::env::Work;
use super::scope::Scope;
use crate::acc::ReductionOp;
use crate::analysis::accumulation::{Choice, library_operator, operator, takes_either};
use crate::entities::{Block, Func, Local, Loop, map_below};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Callee, Inst, Op, Operand, Terminator};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// How deep expressions are followed.
const MAX_DEPTH: u32 = 16;

/// How a local is used in its function.
#[derive(Clone, Copy, Default)]
struct Facts {
    uses: u32,
    defs: u32,
    /// Block and index of its last definition.
    def: Option<(Block, u32)>,
}

/// Definitions and uses of a function's locals, and predecessors of its blocks. Stays true while operations
/// are replaced in place.
pub struct Definitions {
    locals: SecondaryMap<Local, Facts>,
    predecessors: SecondaryMap<Block, (u32, Option<Block>)>,
}

impl Definitions {
    /// Of a body.
    pub fn new(body: &Body) -> Definitions {
        let mut locals: SecondaryMap<Local, Facts> = map_below(body.locals.len());
        let mut predecessors: SecondaryMap<Block, (u32, Option<Block>)> = map_below(body.blocks.len());
        for &param in &body.params {
            locals[param].defs += 1;
        }
        for &block in &body.order {
            let data = &body.blocks[block];
            for (index, inst) in data.insts.iter().enumerate() {
                inst.op.uses(|local| locals[local].uses += 1);
                inst.op.defs(|local| {
                    locals[local].defs += 1;
                    locals[local].def = Some((block, index as u32));
                });
            }
            data.term.uses(|local| locals[local].uses += 1);
            data.term.successors(|to| {
                predecessors[to].0 += 1;
                predecessors[to].1 = Some(block);
            });
        }
        for data in body.loops.values() {
            data.uses(|local| locals[local].uses += 1);
        }
        Definitions { locals, predecessors }
    }

    /// Number of edges into a block.
    pub fn entries(&self, block: Block) -> u32 {
        self.predecessors[block].0
    }

    /// The instruction that alone defines a local.
    pub fn only<'a>(&self, body: &'a Body, local: Local) -> Option<&'a Inst> {
        let facts = self.locals[local];
        let (block, index) = facts.def.filter(|_| facts.defs == 1)?;
        body.blocks[block].insts.get(index as usize)
    }

    /// Whether the scope, without the loops in `skipped`, uses `var` otherwise than to accumulate by `op`.
    pub fn escapes(
        &self,
        work: &Work<'_>,
        scope: &Scope,
        skipped: &[Loop],
        var: Local,
        op: ReductionOp,
    ) -> bool {
        let skipped: FxHashSet<Loop> = skipped.iter().copied().collect();
        let mut matcher =
            Matcher { definitions: self, body: work.body, module: work.module, var, op, explained: 0 };
        let mut reads = 0;
        for &block in &scope.blocks {
            let data = &work.body.blocks[block];
            if data.loop_.is_some_and(|loop_| skipped.contains(&loop_)) {
                continue;
            }
            data.term.uses(|local| reads += u32::from(local == var));
            for (index, inst) in data.insts.iter().enumerate() {
                inst.op.uses(|local| reads += u32::from(local == var));
                if inst.op.dst() == Some(var) && !matcher.is_update(block, index, &inst.op) {
                    return true;
                }
            }
        }
        for &loop_ in scope.loops.iter().filter(|loop_| !skipped.contains(loop_)) {
            let data = &work.body.loops[loop_];
            data.operands(|operand| reads += u32::from(operand == Operand::Local(var)));
        }
        reads != matcher.explained
    }
}

struct Matcher<'a> {
    definitions: &'a Definitions,
    body: &'a Body,
    module: &'a Module,
    var: Local,
    op: ReductionOp,
    /// Reads of the variable that were found to feed updates.
    explained: u32,
}

impl Matcher<'_> {
    fn is_update(&mut self, block: Block, index: usize, op: &Op) -> bool {
        let before = self.explained;
        if self.op_accumulates(op, MAX_DEPTH) {
            return true;
        }
        self.explained = before;
        self.is_guarded(block, index, op)
    }

    /// The operation that alone defines a local.
    fn only_def(&self, local: Local) -> Option<&Op> {
        self.definitions.only(self.body, local).map(|inst| &inst.op)
    }

    /// Whether an operand is the variable's value, or an accumulation onto it that is used for nothing else.
    fn accumulates(&mut self, operand: Operand, depth: u32) -> bool {
        let Operand::Local(local) = operand else { return false };
        if local == self.var {
            self.explained += 1;
            return true;
        }
        if depth == 0 || self.definitions.locals[local].uses != 1 {
            return false;
        }
        let Some(op) = self.only_def(local).cloned() else { return false };
        self.op_accumulates(&op, depth - 1)
    }

    /// Whether exactly one of two operands accumulates.
    fn either(&mut self, a: Operand, b: Operand, depth: u32) -> bool {
        let before = self.explained;
        if self.accumulates(a, depth) {
            return true;
        }
        self.explained = before;
        self.accumulates(b, depth)
    }

    fn op_accumulates(&mut self, op: &Op, depth: u32) -> bool {
        match op {
            Op::Copy { src, .. } | Op::Convert { src, .. } => self.accumulates(*src, depth),
            Op::Binary { op, a, b, .. } if operator(*op) == Some(self.op) => match takes_either(*op) {
                true => self.either(*a, *b, depth),
                false => self.accumulates(*a, depth),
            },
            Op::Select { cond, a, b, .. } => self.is_selection(*cond, *a, *b),
            Op::Call { callee: Callee::Direct(func), args, .. } => match args[..] {
                [a, b] if self.is_library_operator(*func) => self.either(a, b, depth),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_library_operator(&self, func: Func) -> bool {
        library_operator(&self.module.functions[func].name) == Some(self.op)
    }

    /// A copy of the variable's value, or the value itself; with the number of reads that explains.
    fn is_value(&self, operand: Operand, depth: u32) -> bool {
        let Operand::Local(local) = operand else { return false };
        if local == self.var {
            return true;
        }
        if depth == 0 || self.definitions.locals[local].uses != 1 {
            return false;
        }
        match self.only_def(local) {
            Some(Op::Copy { src, .. } | Op::Convert { src, .. }) => self.is_value(*src, depth - 1),
            _ => false,
        }
    }

    /// `e better v ? e : v`, either way round: two reads.
    fn is_selection(&mut self, cond: Operand, a: Operand, b: Operand) -> bool {
        let (candidate, negated) = match (self.is_value(a, MAX_DEPTH), self.is_value(b, MAX_DEPTH)) {
            (false, true) => (a, false),
            (true, false) => (b, true),
            (true, true) | (false, false) => return false,
        };
        let Some(cond) = cond.as_local().filter(|&cond| self.definitions.locals[cond].uses == 1) else {
            return false;
        };
        let Some(compared) = self.better(cond, negated) else { return false };
        let same = self.same(compared, candidate, MAX_DEPTH);
        self.explained += if same { 2 } else { 0 };
        same
    }

    /// If a condition says that some operand is better than the variable (or, `negated`, that it is not), the
    /// operand.
    fn better(&self, cond: Local, negated: bool) -> Option<Operand> {
        let Some(Op::Compare { op, a, b, .. }) = self.only_def(cond) else { return None };
        let (other, var_first) = match (self.is_value(*a, MAX_DEPTH), self.is_value(*b, MAX_DEPTH)) {
            (true, false) => (*b, true),
            (false, true) => (*a, false),
            (true, true) | (false, false) => return None,
        };
        let choice = Choice { cmp: *op, new_is_first: !var_first, new_if_true: !negated };
        (operator(choice.extremum()?)? == self.op).then_some(other)
    }

    /// `if (e better v) v = e`: one read, in the comparison.
    fn is_guarded(&mut self, block: Block, index: usize, op: &Op) -> bool {
        let (Op::Copy { src, .. } | Op::Convert { src, .. }) = op else { return false };
        let (1, Some(guard)) = self.definitions.predecessors[block] else { return false };
        let Terminator::Branch { cond: Operand::Local(cond), then, otherwise } = self.body.blocks[guard].term
        else {
            return false;
        };
        if then == otherwise || self.definitions.locals[cond].uses != 1 {
            return false;
        }
        let Some(compared) = self.better(cond, block == otherwise) else { return false };
        // Between the comparison and the assignment nothing may change what the two expressions read.
        let quiet = |inst: &Inst| inst.op.effects().pure;
        let insts = &self.body.blocks[guard].insts;
        let Some(compare) = insts.iter().rposition(|inst| inst.op.dst() == Some(cond)) else { return false };
        let start = insts[..compare].iter().rposition(|inst| !quiet(inst)).map_or(0, |last| last + 1);
        let fresh = |local: Local| {
            let facts = self.definitions.locals[local];
            facts.def.is_none_or(|(at, index)| at != guard || index as usize >= start)
        };
        let same = self.same_fresh(compared, *src, MAX_DEPTH, &fresh)
            && insts[compare..].iter().all(quiet)
            && self.body.blocks[block].insts[..index].iter().all(quiet);
        self.explained += u32::from(same);
        same
    }

    fn same(&self, a: Operand, b: Operand, depth: u32) -> bool {
        self.same_fresh(a, b, depth, &|_| true)
    }

    /// Whether two operands have the same value, going by how they were computed. `fresh` tells whether a
    /// local that was loaded from memory is recent enough.
    fn same_fresh(&self, a: Operand, b: Operand, depth: u32, fresh: &dyn Fn(Local) -> bool) -> bool {
        if a == b {
            return a != Operand::Local(self.var);
        }
        let (Operand::Local(x), Operand::Local(y)) = (a, b) else { return false };
        if depth == 0 {
            return false;
        }
        let (Some(p), Some(q)) = (self.only_def(x), self.only_def(y)) else { return false };
        let same = |a: &Operand, b: &Operand| self.same_fresh(*a, *b, depth - 1, fresh);
        match (p, q) {
            (Op::Load { addr: m, access: f, .. }, Op::Load { addr: n, access: g, .. }) => {
                f == g
                    && !f.volatile
                    && m.offset == n.offset
                    && same(&m.base, &n.base)
                    && fresh(x)
                    && fresh(y)
            }
            (Op::Copy { src: s, .. }, Op::Copy { src: t, .. }) => same(s, t),
            (Op::Convert { op: o, src: s, .. }, Op::Convert { op: u, src: t, .. }) => {
                o == u && self.body.locals[x].ty == self.body.locals[y].ty && same(s, t)
            }
            (Op::Unary { op: o, src: s, .. }, Op::Unary { op: u, src: t, .. }) => o == u && same(s, t),
            (Op::Binary { op: o, a: s, b: t, .. }, Op::Binary { op: u, a: v, b: w, .. }) => {
                o == u && same(s, v) && same(t, w)
            }
            (
                Op::Index { base: s, index: t, scale: k, offset: l, .. },
                Op::Index { base: v, index: w, scale: m, offset: n, .. },
            ) => (k, l) == (m, n) && same(s, v) && same(t, w),
            _ => false,
        }
    }
}
