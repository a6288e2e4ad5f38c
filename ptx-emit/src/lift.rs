//! Computes in front of loops and branches what the code behind them computes again and again.
//!
//! Before: any code. After: what a block computes that only some iterations of a loop execute, and that is
//! the same in all of them, stands in front of the loop; what several ways behind a branch compute stands in
//! front of the branch, once:
//!
//! ```text
//!     before:  for k:  if (c) { s += x[n * 4 + k * m] }      if (d) { s += y[n * 8 + k * m] }
//!     after:   p = n * 4; q = n * 8
//!              for k:  t = k * m; if (c) { s += x[p + t] }   if (d) { s += y[q + t] }
//! ```
//!
//! `ptxas` does the like for blocks that each iteration executes, and not for others, as they might be
//! executed never. Here that is a matter of how much is saved: what is lifted is cheap and has no effect, and
//! each value takes registers meanwhile, so that there is a limit to what is lifted for a loop
//! ([`MOST_WORDS`]).
//!
//! Nor does it lift divisions and roots, which it makes branches and calls of. Where each iteration divides
//! the same, one in front of the loop does ([`Which::Dear`]); a device does not mind a division by zero.

use crate::text::Reached;
use accrue_ir::analysis::cfg::{Cfg, Dominators};
use accrue_ir::analysis::loops::Nest;
use accrue_ir::edit::rename::Rename;
use accrue_ir::passes::dce;
use accrue_ir::{
    BinaryOp, Block, Body, Class, Inst, Local, Loop, Module, Op, Operand, Pos, Type, UnaryOp, map_below,
};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;

/// Registers of 32 bits that values take that are lifted out of a loop, or in front of branches of its body.
const MOST_WORDS: u32 = 24;

/// How often the search for what several ways compute is repeated: operands must be lifted first.
const MOST_ROUNDS: usize = 8;

/// What is lifted out of a loop.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Which {
    /// What only some iterations compute, if it is cheap.
    Rare,
    /// What each iteration computes, if it is dear.
    Dear,
}

/// Runs the pass on all functions that the device executes.
pub(crate) fn run(module: &mut Module, reached: &Reached, which: Which) {
    for func in reached.with_code() {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        lift(&mut body, which);
        module.functions[func].body = Some(body);
    }
}

fn lift(body: &mut Body, which: Which) {
    let mut insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    if which == Which::Dear && !insts.any(|inst| is_dear(&inst.op)) {
        return;
    }
    let mut loops = body.loop_tree();
    // Of a loop whose iterations threads share, a thread has one or few.
    loops.retain(|&loop_| which == Which::Dear || !body.loops[loop_].is_partitioned());
    if loops.is_empty() {
        return;
    }
    let dominators = Dominators::new(&Cfg::new(body));
    let nest = Nest::new(body);
    // Inner loops first: what stands in front of one may go further.
    loops.reverse();
    let mut is_changed = false;
    for loop_ in loops {
        let latch = body.loops[loop_].latch;
        let is_rare = |&block: &Block| !dominators.dominates(block, latch);
        let left = match which {
            Which::Dear => MOST_WORDS - lift_out(body, loop_, &nest, which, is_rare),
            Which::Rare if !nest.own(loop_).iter().any(is_rare) => continue,
            Which::Rare => {
                let taken = lift_out(body, loop_, &nest, which, is_rare);
                lift_together(body, loop_, (&nest, &dominators), MOST_WORDS - taken)
            }
        };
        is_changed |= left < MOST_WORDS;
    }
    if is_changed {
        dce::clean(body);
    }
}

/// Whether an operation may be executed without need: it is cheap, and has no effect.
fn is_cheap(body: &Body, op: &Op) -> bool {
    let is_number = |local: Local| {
        matches!(body.locals[local].ty, Type::I32 | Type::I64 | Type::Ptr | Type::F32 | Type::F64)
    };
    let costs = match op {
        Op::Binary { op, .. } => {
            matches!(op, BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem | BinaryOp::FDiv)
        }
        Op::Unary { op, .. } => !matches!(op, UnaryOp::Neg | UnaryOp::Not),
        Op::Convert { .. } | Op::Index { .. } | Op::Fma { .. } => false,
        _ => true,
    };
    !costs && op.class() == Class::Value && op.effects().pure && op.dst().is_some_and(is_number)
}

/// Whether an operation has no effect, and takes many instructions that `ptxas` leaves where they are.
pub(crate) fn is_dear(op: &Op) -> bool {
    match op {
        Op::Binary { op, b, .. } => match op {
            BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => b.as_int().is_none(),
            BinaryOp::FDiv => true,
            _ => false,
        },
        Op::Unary { op: UnaryOp::Sqrt, .. } => true,
        _ => false,
    }
}

/// Where locals are assigned.
struct Definitions {
    counts: SecondaryMap<Local, u32>,
    /// The block of the last assignment.
    blocks: SecondaryMap<Local, Option<Block>>,
    /// Assigned in the loop, other than in its latch.
    inside: EntitySet<Local>,
    /// Assigned in the latch.
    stepped: EntitySet<Local>,
}

impl Definitions {
    fn of(body: &Body, loop_: Loop, nest: &Nest) -> Definitions {
        let locals = body.locals.len();
        let mut found = Definitions {
            counts: map_below(locals),
            blocks: map_below(locals),
            inside: EntitySet::with_capacity(locals),
            stepped: EntitySet::with_capacity(locals),
        };
        body.params.iter().for_each(|&param| found.counts[param] += 1);
        for &block in &body.order {
            for inst in &body.blocks[block].insts {
                inst.op.defs(|local| {
                    found.counts[local] += 1;
                    found.blocks[local] = Some(block);
                });
            }
        }
        let latch = body.loops[loop_].latch;
        for block in nest.blocks(loop_) {
            let of_block = if block == latch { &mut found.stepped } else { &mut found.inside };
            for inst in &body.blocks[block].insts {
                inst.op.defs(|local| _ = of_block.insert(local));
            }
        }
        found
    }

    fn changes(&self, local: Local) -> bool {
        self.inside.contains(local) || self.stepped.contains(local)
    }
}

/// The same operation whatever it writes to, to compare it with another.
fn without_result(op: &Op) -> Op {
    let mut op = op.clone();
    op.map_defs(|_| Local::from_u32(0));
    op
}

fn words(ty: Type) -> u32 {
    ty.bytes().div_ceil(4)
}

/// Lets some locals stand for others where blocks read them.
fn substitute(body: &mut Body, blocks: &[Block], instead: &Rename) {
    for &block in blocks {
        let data = &mut body.blocks[block];
        for inst in &mut data.insts {
            inst.op.map_operands(|operand| instead.operand(operand));
        }
        data.term.map_operands(|operand| instead.operand(operand));
    }
}

/// The block and the number of an instruction in it.
type Place = (Block, usize);

/// A value that may be lifted out of a loop.
struct Value {
    /// The operation, without its result.
    op: Op,
    /// The local that is left to have the value.
    local: Local,
    pos: Pos,
    /// It is what is looked for, not only a part of that.
    is_wanted: bool,
    /// How often what is not lifted uses it.
    uses: usize,
}

/// Lifts some of what is computed out of a loop, and what that is made of. Gives the words that it takes.
/// `is_rare`: not each iteration executes a block.
fn lift_out(
    body: &mut Body,
    loop_: Loop,
    nest: &Nest,
    which: Which,
    is_rare: impl Fn(&Block) -> bool,
) -> u32 {
    let own = nest.own(loop_);
    let known = Definitions::of(body, loop_, nest);
    let mut values: Vec<Value> = Vec::new();
    // The number of the value that a local has.
    let mut numbers: FxHashMap<Local, usize> = FxHashMap::default();
    let insts = own.iter().flat_map(|block| body.blocks[*block].insts.iter().map(move |inst| (block, inst)));
    for (block, inst) in insts {
        let Some(dst) = inst.op.dst().filter(|dst| known.counts[*dst] == 1) else { continue };
        let mut stays = true;
        inst.op.uses(|local| stays &= !known.changes(local) || numbers.contains_key(&local));
        let is_dear = which == Which::Dear && is_dear(&inst.op) && !is_rare(block);
        if !stays || !is_dear && !is_cheap(body, &inst.op) {
            continue;
        }
        let is_wanted = match which {
            Which::Rare => is_rare(block),
            Which::Dear => is_dear,
        };
        let mut op = without_result(&inst.op);
        op.map_operands(|operand| match operand {
            Operand::Local(local) => {
                Operand::Local(numbers.get(&local).map_or(local, |&number| values[number].local))
            }
            other => other,
        });
        let alike = values
            .iter()
            .position(|value| value.op == op && body.locals[value.local].ty == body.locals[dst].ty);
        numbers.insert(dst, alike.unwrap_or(values.len()));
        match alike {
            // What one block computes anyway, `ptxas` lifts for others, too.
            Some(number) => values[number].is_wanted &= is_wanted,
            None => values.push(Value { op, local: dst, pos: inst.pos, is_wanted, uses: 0 }),
        }
    }
    if values.is_empty() {
        return 0;
    }
    let mut note =
        |local: Local| numbers.get(&local).into_iter().for_each(|&number| values[number].uses += 1);
    for &block in &body.order {
        let data = &body.blocks[block];
        for inst in &data.insts {
            if inst.op.dst().is_none_or(|dst| !numbers.contains_key(&dst)) {
                inst.op.uses(&mut note);
            }
        }
        data.term.uses(&mut note);
    }
    // Those that are used most, with what they are made of, as far as there is room for them.
    let mut wanted: Vec<usize> =
        (0..values.len()).filter(|&number| values[number].is_wanted && values[number].uses > 0).collect();
    wanted.sort_by_key(|&number| std::cmp::Reverse(values[number].uses));
    let mut taken = 0;
    wanted.retain(|&number| {
        let more = taken + words(body.locals[values[number].local].ty);
        let fits = more <= MOST_WORDS;
        taken = if fits { more } else { taken };
        fits
    });
    let mut is_lifted = vec![false; values.len()];
    while let Some(number) = wanted.pop() {
        if !std::mem::replace(&mut is_lifted[number], true) {
            values[number].op.uses(|local| wanted.extend(numbers.get(&local)));
        }
    }
    numbers.retain(|_, number| is_lifted[*number]);
    let locals: Vec<Local> = values.iter().map(|value| value.local).collect();
    for &block in own {
        for inst in &mut body.blocks[block].insts {
            let number = inst.op.dst().and_then(|dst| Some((dst, *numbers.get(&dst)?)));
            if let Some((dst, number)) = number.filter(|(dst, number)| *dst != locals[*number]) {
                inst.op = Op::Copy { dst, src: Operand::Local(locals[number]) };
            }
        }
        let is_gone = |inst: &Inst| {
            inst.op.dst().is_some_and(|dst| numbers.get(&dst).is_some_and(|&number| locals[number] == dst))
        };
        body.blocks[block].insts.retain(|inst| !is_gone(inst));
    }
    let instead = numbers.iter().map(|(&local, &number)| (local, locals[number])).collect();
    substitute(body, own, &Rename { locals: instead, ..Rename::default() });
    let front = &mut body.blocks[body.loops[loop_].preheader].insts;
    for (Value { mut op, local, pos, .. }, _) in values.into_iter().zip(is_lifted).filter(|(_, is)| *is) {
        op.map_defs(|_| local);
        front.push(Inst { op, pos });
    }
    taken
}

/// Lifts in front of branches what several ways behind them compute, as long as there are words left. Gives
/// how many still are.
fn lift_together(
    body: &mut Body,
    loop_: Loop,
    (nest, dominators): (&Nest, &Dominators),
    mut left: u32,
) -> u32 {
    let latch = body.loops[loop_].latch;
    let mut blocks = nest.own(loop_).to_vec();
    blocks.retain(|&block| block != latch);
    for _ in 0..MOST_ROUNDS {
        let known = Definitions::of(body, loop_, nest);
        let mut groups: Vec<(Op, Type, Vec<Place>)> = Vec::new();
        for &block in &blocks {
            for (n, inst) in body.blocks[block].insts.iter().enumerate() {
                let Some(dst) = inst.op.dst().filter(|dst| known.counts[*dst] == 1) else { continue };
                if !is_cheap(body, &inst.op) {
                    continue;
                }
                let (op, ty) = (without_result(&inst.op), body.locals[dst].ty);
                match groups.iter_mut().find(|(other, of, _)| *other == op && *of == ty) {
                    Some((.., places)) => places.push((block, n)),
                    None => groups.push((op, ty, vec![(block, n)])),
                }
            }
        }
        let mut instead = Rename::default();
        for (mut op, ty, places) in groups {
            let Some(front) = common(dominators, &places).filter(|front| blocks.contains(front)) else {
                continue;
            };
            let mut is_known = true;
            op.uses(|local| {
                let comes_before = known.counts[local] == 1
                    && known.blocks[local].is_some_and(|block| dominators.dominates(block, front));
                is_known &= !known.inside.contains(local) || comes_before;
            });
            let more = words(ty);
            if !is_known || more > left {
                continue;
            }
            left -= more;
            let value = body.temp(ty);
            let pos = body.blocks[places[0].0].insts[places[0].1].pos;
            for (block, n) in places {
                let inst = &mut body.blocks[block].insts[n];
                if let Some(dst) = inst.op.dst() {
                    inst.op = Op::Copy { dst, src: Operand::Local(value) };
                    instead.locals.insert(dst, value);
                }
            }
            op.map_defs(|_| value);
            body.blocks[front].insts.push(Inst { op, pos });
        }
        if instead.is_empty() {
            break;
        }
        substitute(body, &blocks, &instead);
    }
    left
}

/// The block that all ways to some places lead through last, if it is none of theirs and they are several.
fn common(dominators: &Dominators, places: &[Place]) -> Option<Block> {
    let (&(first, _), rest) = places.split_first()?;
    let mut front = first;
    for &(block, _) in rest {
        while !dominators.dominates(front, block) {
            front = dominators.immediate(front)?;
        }
    }
    places.iter().all(|&(block, _)| block != front).then_some(front)
}
