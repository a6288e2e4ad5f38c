//! The element that a scalar leads to, kept beside the scalar.
//!
//! Before: the front end's code, with small functions in the place of their calls. After: in loops of
//! `kernels`, an element whose subscript the loop assigns under a condition is in a local, if what it is then
//! was loaded in the same iteration:
//!
//! ```text
//!     before:  for (...) if (x[i] > x[best]) best = i;
//!     after:   m = x[best]; for (...) if (x[i] > m) { best = i; m = x[i]; }
//! ```
//!
//! So the loop is a maximum with its place (`kernels/located.rs`), and `x` is accessed at `best` once, in
//! front of it, which a section can be made for. Without an iteration nothing is loaded: the test of the
//! first one stands in front.
//!
//! The loop may write nothing but whole variables, whose addresses nothing else has.

use super::ahead::{guard, has_test};
use super::env::Env;
use crate::acc::{ConstructKind, LoopDirective, LoopKind};
use crate::analysis::cfg::{Cfg, Dominators};
use crate::analysis::liveness::reads;
use crate::analysis::loops::Nest;
use crate::analysis::roots::{Root, Roots};
use crate::analysis::slot_uses::of_slots;
use crate::builder::Cursor;
use crate::edit::clone::recompute;
use crate::edit::rename::Rename;
use crate::entities::{Block, Local, Loop, Slot, map_below};
use crate::function::{Body, Function, LoopData};
use crate::module::Module;
use crate::op::{Address, Class, Inst, Op, Operand, Terminator};
use crate::report::PassError;
use crate::types::Type;
use cranelift_entity::SecondaryMap;
use std::cell::OnceCell;

/// Steps from an element to the scalar that leads to it.
const DEPTH: usize = 8;

/// Runs the pass.
pub fn run(module: &mut Module, _: &mut Env<'_>) -> Result<(), PassError> {
    for function in module.functions.values_mut() {
        let Some(mut body) = function.body.take() else { continue };
        follow(function, &mut body);
        function.body = Some(body);
    }
    Ok(())
}

fn follow(function: &Function, body: &mut Body) {
    let loops = loops(body);
    if loops.is_empty() {
        return;
    }
    let mut shape = Shape::of(body);
    for loop_ in loops {
        // One at a time: the next one is looked for in what this one left.
        while let Some(followed) = Followed::of(function, body, &shape, loop_) {
            followed.keep(body, loop_);
            shape = Shape::of(body);
        }
    }
}

/// Loops and ways of a body.
struct Shape {
    nest: Nest,
    /// Once a loop asks.
    dominators: OnceCell<Dominators>,
    /// How often locals are assigned, parameters by the call as well; once a loop asks.
    definitions: OnceCell<SecondaryMap<Local, u32>>,
}

impl Shape {
    fn of(body: &Body) -> Shape {
        Shape { nest: Nest::new(body), dominators: OnceCell::new(), definitions: OnceCell::new() }
    }
}

/// The loops that `kernels` decides about.
fn loops(body: &Body) -> Vec<Loop> {
    if !body.constructs.values().any(|construct| construct.kind == ConstructKind::Kernels) {
        return Vec::new();
    }
    let mut loops = body.live_loops();
    loops.retain(|&loop_| {
        let LoopData { header, ref directive, .. } = body.loops[loop_];
        let is_open = |directive: &LoopDirective| {
            matches!(directive.kind, LoopKind::Default | LoopKind::Auto)
                && directive.private.is_empty()
                && directive.reductions.is_empty()
        };
        body.blocks[header].construct.is_some_and(|at| body.constructs[at].kind == ConstructKind::Kernels)
            && directive.as_ref().is_none_or(is_open)
    });
    loops
}

/// A place in a body: an instruction of a block.
type At = (Block, usize);

/// A variable that an address is computed from.
#[derive(Clone, Copy, PartialEq)]
enum Variable {
    Local(Local),
    Slot(Slot),
}

/// An element, the variable that leads to it, and what it is behind each assignment of the variable.
struct Followed {
    load: At,
    /// What computes its address in the loop.
    needs: Vec<At>,
    assigned: Vec<(At, Local)>,
}

impl Followed {
    /// The first of a loop.
    fn of(function: &Function, body: &Body, shape: &Shape, loop_: Loop) -> Option<Followed> {
        let Shape { nest, dominators, definitions } = shape;
        let blocks = nest.blocks(loop_);
        let LoopData { header, latch, .. } = body.loops[loop_];
        let is_branch = |&&block: &&Block| matches!(body.blocks[block].term, Terminator::Branch { .. });
        if !blocks.iter().filter(is_branch).any(|&block| block != header)
            || !nest.inside(loop_).is_empty()
            || !nest.exits(body, loop_).is_empty()
            || !has_test(body, &body.loops[loop_])
            || !assigns_only(body, &blocks)
        {
            return None;
        }
        let dominators = dominators.get_or_init(|| Dominators::new(&Cfg::new(body)));
        let definitions = definitions.get_or_init(|| body.definitions());
        let known = Known::new(body, latch, &blocks, (dominators, definitions));
        let loads = known.loads();
        // Each iteration comes past it, the first one as well.
        let mut always = loads.iter().copied().filter(|&(block, _)| dominators.dominates(block, latch));
        always.find_map(|load| known.followed(load, &loads).filter(|_| known.stays_as_it_is(function, load)))
    }

    /// Gives the element a local.
    fn keep(self, body: &mut Body, loop_: Loop) {
        let Followed { load: (block, index), needs, assigned } = self;
        let load = body.blocks[block].insts[index].clone();
        let Op::Load { dst, .. } = load.op else { return };
        let kept = body.local_like(dst);
        body.blocks[block].insts[index].op = Op::Copy { dst, src: Operand::Local(kept) };
        let ops: Vec<Op> =
            needs.iter().map(|&(block, index)| body.blocks[block].insts[index].op.clone()).collect();
        // From the last one on, as each moves those behind it.
        let mut assigned = assigned;
        assigned.sort_unstable_by_key(|&((block, index), _)| (block, std::cmp::Reverse(index)));
        for ((block, index), element) in assigned {
            let op = Op::Copy { dst: kept, src: Operand::Local(element) };
            let pos = body.blocks[block].insts[index].pos;
            body.blocks[block].insts.insert(index + 1, Inst { op, pos });
        }
        let LoopData { preheader, header, .. } = body.loops[loop_];
        let ahead = guard(body, loop_);
        // What looks for the bounds of loops takes a temporary for one that is assigned once.
        let of_test = body.assigned([header]);
        Rename::fresh(body, of_test.iter()).apply(body, &[preheader], &[]);
        let mut cursor = Cursor::with_pos(body, ahead, load.pos);
        let copies = recompute(&mut cursor, ops.iter().chain([&load.op]));
        cursor.op(Op::Copy { dst: kept, src: copies.operand(Operand::Local(dst)) });
        for &(block, index) in needs.iter().rev() {
            let dst = body.blocks[block].insts[index].op.dst();
            if dst.is_some_and(|dst| !is_read(body, dst)) {
                body.blocks[block].insts.remove(index);
            }
        }
    }
}

/// Whether anything reads a local.
fn is_read(body: &Body, local: Local) -> bool {
    let mut is_read = false;
    let mut note = |other: Local| is_read |= other == local;
    for &block in &body.order {
        body.blocks[block].insts.iter().for_each(|inst| reads(body, &inst.op, &mut note));
        body.blocks[block].term.uses(&mut note);
    }
    is_read
}

/// Whether code does nothing but assign variables.
fn assigns_only(body: &Body, blocks: &[Block]) -> bool {
    let is_assignment = |inst: &Inst| match &inst.op {
        Op::Store { ty, addr, access, .. } => !access.volatile && whole(body, *addr, *ty).is_some(),
        op => op.class() == Class::Value || op.effects().pure,
    };
    blocks.iter().all(|&block| body.blocks[block].insts.iter().all(is_assignment))
}

/// The slot that an access is to, if it is to all of it.
fn whole(body: &Body, addr: Address, ty: Type) -> Option<Slot> {
    let slot = addr.base.as_slot()?;
    (addr.offset == 0 && body.slots[slot].size == u64::from(ty.bytes())).then_some(slot)
}

/// What is known of a loop's code.
struct Known<'a> {
    body: &'a Body,
    latch: Block,
    blocks: &'a [Block],
    dominators: &'a Dominators,
    definitions: &'a SecondaryMap<Local, u32>,
    /// Where the loop assigns a local.
    assigned: SecondaryMap<Local, Vec<At>>,
}

impl<'a> Known<'a> {
    fn new(
        body: &'a Body,
        latch: Block,
        blocks: &'a [Block],
        (dominators, definitions): (&'a Dominators, &'a SecondaryMap<Local, u32>),
    ) -> Known<'a> {
        let mut assigned: SecondaryMap<Local, Vec<At>> = map_below(body.locals.len());
        for &block in blocks {
            for (index, inst) in body.blocks[block].insts.iter().enumerate() {
                inst.op.defs(|local| assigned[local].push((block, index)));
            }
        }
        Known { body, latch, blocks, dominators, definitions, assigned }
    }

    /// Where each iteration computes a local that has no other value.
    fn temporary(&self, local: Local) -> Option<At> {
        match self.assigned[local].as_slice() {
            &[at] if self.definitions[local] == 1 => Some(at),
            _ => None,
        }
    }

    fn op(&self, (block, index): At) -> &'a Op {
        &self.body.blocks[block].insts[index].op
    }

    /// The loads through pointers.
    fn loads(&self) -> Vec<At> {
        let body = self.body;
        let of_block = |&block: &Block| {
            let insts = body.blocks[block].insts.iter().enumerate();
            insts.filter_map(move |(index, inst)| match inst.op {
                Op::Load { dst, addr, access } if !access.volatile => {
                    whole(body, addr, body.locals[dst].ty).is_none().then_some((block, index))
                }
                _ => None,
            })
        };
        self.blocks.iter().flat_map(of_block).collect()
    }

    /// What the only operation of the loop that assigns a local is, behind copies.
    fn made(&self, operand: Operand) -> (Operand, Option<At>) {
        let mut operand = operand;
        for _ in 0..DEPTH {
            let Some(at) = operand.as_local().and_then(|local| self.temporary(local)) else { break };
            match self.op(at) {
                Op::Copy { src, .. } => operand = *src,
                _ => return (operand, Some(at)),
            }
        }
        (operand, None)
    }

    /// The variable that an address depends on, and what computes it from that, in order. None if it depends
    /// on several, or on what else the loop changes.
    fn variable(&self, base: Operand) -> Option<(Variable, Vec<At>)> {
        let (mut variable, mut needs) = (None, Vec::new());
        self.collect(base, DEPTH, &mut variable, &mut needs)?;
        Some((variable?, needs))
    }

    fn collect(
        &self,
        operand: Operand,
        depth: usize,
        variable: &mut Option<Variable>,
        needs: &mut Vec<At>,
    ) -> Option<()> {
        let Some(local) = operand.as_local() else { return Some(()) };
        let found = match self.temporary(local) {
            None if self.assigned[local].is_empty() => return Some(()),
            Some(at) if matches!(self.op(at), Op::Copy { .. }) || self.op(at).effects().pure => {
                if needs.contains(&at) {
                    return Some(());
                }
                let op = self.op(at);
                let is_read = match *op {
                    Op::Load { dst, addr, access } if !access.volatile => {
                        let slot = whole(self.body, addr, self.body.locals[dst].ty)?;
                        (!self.stores(slot).is_empty()).then_some(Variable::Slot(slot))
                    }
                    _ if op.effects().reads => return None,
                    _ => {
                        let mut is_found = Some(());
                        let depth = depth.checked_sub(1)?;
                        op.operands(|operand| {
                            is_found = is_found.and_then(|()| self.collect(operand, depth, variable, needs));
                        });
                        is_found?;
                        None
                    }
                };
                needs.push(at);
                match is_read {
                    Some(found) => found,
                    None => return Some(()),
                }
            }
            _ => Variable::Local(local),
        };
        (*variable.get_or_insert(found) == found).then_some(())
    }

    /// Whether the loop writes nothing where a load loads: variables, whose addresses nothing else has.
    fn stays_as_it_is(&self, function: &Function, load: At) -> bool {
        let uses = of_slots(self.body);
        let Op::Load { addr, .. } = *self.op(load) else { return false };
        let root = Roots::new(function, self.body).of(addr.base);
        self.written().all(|slot| uses[slot].are_plain() && root != Root::Slot(slot))
    }

    /// The slots that are written.
    fn written(&self) -> impl Iterator<Item = Slot> {
        let insts = self.blocks.iter().flat_map(|&block| &self.body.blocks[block].insts);
        insts.filter_map(|inst| match inst.op {
            Op::Store { addr, .. } => addr.base.as_slot(),
            _ => None,
        })
    }

    /// The stores of a slot.
    fn stores(&self, slot: Slot) -> Vec<At> {
        let is_store =
            |inst: &Inst| matches!(inst.op, Op::Store { addr, .. } if addr.base == Operand::Slot(slot));
        let of_block = |&block: &Block| {
            let insts = self.body.blocks[block].insts.iter().enumerate();
            insts.filter(move |(_, inst)| is_store(inst)).map(move |(index, _)| (block, index))
        };
        self.blocks.iter().flat_map(of_block).collect()
    }

    /// What a load's element is from iteration to iteration.
    fn followed(&self, load: At, loads: &[At]) -> Option<Followed> {
        let Op::Load { addr, .. } = *self.op(load) else { return None };
        let (variable, needs) = self.variable(addr.base)?;
        // What is computed in the block of the load is of the variable as it is there.
        if needs.iter().any(|&(block, _)| block != load.0) {
            return None;
        }
        let assignments = match variable {
            Variable::Local(local) => self.assigned[local].clone(),
            Variable::Slot(slot) => self.stores(slot),
        };
        let mut assigned = Vec::with_capacity(assignments.len());
        for at in assignments {
            let value = match *self.op(at) {
                Op::Copy { src, .. } | Op::Store { src, .. } => src,
                _ => return None,
            };
            // What each iteration assigns, such as a counter, is no scalar that waits for a condition.
            if at.0 == load.0 || self.dominators.dominates(at.0, self.latch) {
                return None;
            }
            let is_it = |&&other: &&At| other != load && self.is_element(load, other, (variable, at, value));
            let Op::Load { dst, .. } = *self.op(*loads.iter().find(is_it)?) else { return None };
            assigned.push((at, dst));
        }
        Some(Followed { load, needs, assigned })
    }

    /// Whether `other` has loaded, where the variable is assigned, what `load` loads behind that.
    fn is_element(&self, load: At, other: At, (variable, at, value): (Variable, At, Operand)) -> bool {
        let (Op::Load { dst, addr, access }, Op::Load { dst: to, addr: from, access: how }) =
            (self.op(load), self.op(other))
        else {
            return false;
        };
        let is_before =
            if other.0 == at.0 { other.1 < at.1 } else { self.dominators.dominates(other.0, at.0) };
        is_before
            && self.temporary(*to).is_some()
            && self.body.locals[*dst].ty == self.body.locals[*to].ty
            && access == how
            && addr.offset == from.offset
            && self.are_same(addr.base, from.base, (variable, value), DEPTH)
    }

    /// Whether an operand is, with a value in the place of the variable, another one.
    fn are_same(&self, a: Operand, b: Operand, with: (Variable, Operand), depth: usize) -> bool {
        let (variable, value) = with;
        let ((a, by), (b, other)) = (self.made(a), self.made(b));
        let reads = match by.map(|at| self.op(at)) {
            Some(&Op::Load { addr, .. }) => addr.base.as_slot().map(Variable::Slot),
            _ => a.as_local().map(Variable::Local),
        };
        if reads == Some(variable) {
            return self.is_value(self.made(value), (b, other));
        }
        let (Some(by), Some(other)) = (by, other) else { return self.is_value((a, by), (b, other)) };
        let (mut of, mut others) = (Vec::new(), Vec::new());
        let (op, like) = (self.op(by), self.op(other));
        op.operands(|operand| of.push(operand));
        like.operands(|operand| others.push(operand));
        if op.effects().reads {
            return self.is_value((a, Some(by)), (b, Some(other)));
        }
        let Some(depth) = depth.checked_sub(1) else { return false };
        is_alike(op, like)
            && of.len() == others.len()
            && of.iter().zip(others).all(|(&a, b)| self.are_same(a, b, with, depth))
    }

    /// Whether two operands, and what makes them, are one value all over an iteration: a counter is assigned
    /// at its end.
    fn is_value(&self, (a, by): (Operand, Option<At>), (b, other): (Operand, Option<At>)) -> bool {
        let at_end = |assigned: &[At]| assigned.iter().all(|&(block, _)| block == self.latch);
        let slot = |at: Option<At>| match *self.op(at?) {
            Op::Load { dst, addr, .. } => whole(self.body, addr, self.body.locals[dst].ty),
            _ => None,
        };
        match (slot(by), slot(other)) {
            (Some(slot), Some(same)) => slot == same && at_end(&self.stores(slot)),
            _ => {
                let stays = |local: Local| {
                    let assigned = &self.assigned[local];
                    assigned.is_empty() || self.temporary(local).is_some() || at_end(assigned)
                };
                a == b && by == other && a.as_local().is_none_or(stays)
            }
        }
    }
}

/// Whether two operations do the same with their operands.
fn is_alike(a: &Op, b: &Op) -> bool {
    let plain = |op: &Op| {
        let mut op = op.clone();
        op.map_operands(|_| Operand::Int(Type::I64, 0));
        op.map_defs(|_| Local::from_u32(0));
        op
    };
    plain(a) == plain(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// The loop `if (x[i] > x[best]) best = i;` with other code in front of its condition, where the
    /// condition holds, and behind that: whether the element at `best` has a local then.
    fn is_kept([before, inside, behind]: [&str; 3]) -> bool {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, i32, i32)\nfunction fn0.f sig0 external {{\n  params v0.x, v1.n, v2.best\n  \
             locals v0.x: ptr\n  locals v1.n, v2.best, v3.i: i32\n  locals v4: i1\n  locals v5: i64\n  locals v6: ptr\n  \
             locals v7: i32\n  locals v8: i64\n  locals v9: ptr\n  locals v10: i32\n  locals v11: i1\n  locals v12: i32\n  \
             slot s0.other size 4 align 4\n  \
             loop loop0 preheader bb1 header bb2 body bb3 latch bb5 exit bb6\n  \
             construct construct0 kernels entry bb1 exit bb7 {{\n  }}\nbb0:\n  jump bb1\nbb1 construct0:\n  \
             v3.i = copy 1i32\n  jump bb2\nbb2 loop0 construct0:\n  v4 = cmp.lt v3.i, v1.n\n  branch v4, bb3, bb6\n\
             bb3 loop0 construct0:\n  {before}v5 = convert.sext v3.i\n  v6 = index v0.x + v5 * 4\n  v7 = load [v6]\n  \
             v8 = convert.sext v2.best\n  v9 = index v0.x + v8 * 4\n  v10 = load [v9]\n  v11 = cmp.gt v7, v10\n  \
             branch v11, bb4, bb5\nbb4 loop0 construct0:\n  {inside}jump bb5\nbb5 loop0 construct0:\n  {behind}\
             v12 = add v3.i, 1i32\n  v3.i = copy v12\n  jump bb2\nbb6 construct0:\n  jump bb7\nbb7:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let func = module.functions.keys().next().expect("a function");
        let mut body = module.functions[func].body.take().expect("a body");
        follow(&module.functions[func], &mut body);
        module.functions[func].body = Some(body);
        crate::verify::verify(&module, "followed").unwrap_or_else(|errors| panic!("{errors}"));
        let text = print(&module);
        let of_loop = text.split("bb3 loop0").nth(1).expect("the loop");
        of_loop.matches(" = load [").count() == 1
    }

    const ASSIGNED: &str = "v2.best = copy v3.i\n  ";

    #[test]
    fn an_element_that_was_loaded() {
        assert!(is_kept(["", ASSIGNED, ""]));
        assert!(is_kept(["", ASSIGNED, "store.i32 [s0.other], v3.i\n  "]));
    }

    #[test]
    fn another_element_than_was_loaded() {
        assert!(!is_kept(["", "v2.best = copy v1.n\n  ", ""]));
        assert!(!is_kept(["", "v2.best = add v3.i, 1i32\n  ", ""]));
        assert!(!is_kept(["v3.i = add v3.i, v1.n\n  ", ASSIGNED, ""]));
        // What the iteration loaded is of another number than that which is assigned.
        let moved = "v12 = add v3.i, 2i32\n  v3.i = copy v12\n  v2.best = copy v3.i\n  ";
        assert!(!is_kept(["", moved, ""]));
    }

    #[test]
    fn a_scalar_of_each_iteration() {
        assert!(!is_kept(["", "", ASSIGNED]));
        assert!(!is_kept([ASSIGNED, "", ""]));
    }

    #[test]
    fn an_element_that_may_be_written() {
        assert!(!is_kept(["", ASSIGNED, "store.i32 [v0.x + 8], 7i32\n  "]));
    }
}
