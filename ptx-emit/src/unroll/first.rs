//! Sequential loops with branches, calls or divisions: several iterations load before any of them goes on.
//!
//! The assembler moves a load in front of what stands before it in the same block, but not in front of a
//! branch or a call, and a division of doubles has one inside. So each iteration of such a loop waits for its
//! own loads, and a kernel with few warps waits with it. What a load needs is known earlier: most addresses
//! are made of the counter and of what does not change in the loop, or of what such a load gives.
//!
//! ```text
//!     before:  i < n?           yes: x = a[i]; if (x > 0) s += f(x); i++; again
//!     after:   i < n - 1?       yes: x0 = a[i]; x1 = a[i + 1]; if (x0 > 0) ...; if (x1 > 0) ...; i += 2; again
//!              i < n?           yes: as before
//! ```
//!
//! That is right where nothing writes what is loaded while the kernel runs, for iterations that are executed
//! for certain: the loop has no way out but its test.

use super::ahead::write;
use super::counted::Counted;
use super::facts::{Facts, definitions};
use super::{DEAR, Plan, in_order};
use crate::lift::is_dear;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::clone::BlockCopies;
use accrue_ir::edit::rename::Rename;
use accrue_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Registers of 32 bits of all iterations at once, at most.
const REGISTERS: usize = 32;

/// Iterations at once, and operations of all of them, at most.
const MOST: usize = 8;
const OPERATIONS: usize = 512;

/// What a call counts for.
const CALL: usize = 16;

/// Loads of a body that need not wait for anything of their iteration, with what computes their addresses.
pub(super) struct FirstLoads {
    /// The operations, by their places in the first block.
    insts: Vec<usize>,
    /// What they define: each iteration has its own.
    own: Vec<Local>,
    /// Addresses among that, made of the counter, that only these loads access: each iteration loads so many
    /// bytes behind the first one's for each that its counter is ahead.
    stepped: FxHashMap<Local, i64>,
}

impl Plan {
    /// For a sequential loop with no other inside of it, and these blocks in layout order.
    pub(super) fn with_loads_first(
        body: &Body,
        loop_: Loop,
        blocks: &[Block],
        facts: &Facts<'_>,
    ) -> Option<Plan> {
        let counted = Counted::of(body, loop_, facts)?;
        if counted.is_shared || counted.step.as_int().is_none() {
            return None;
        }
        let blocks = in_order(body, &body.loops[loop_], blocks)?;
        let insts = || blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        let (mut operations, mut waits, mut steps) = (0, blocks.len() > 1, 0);
        for inst in insts() {
            let is_call = matches!(inst.op.class(), Class::Call);
            let may_be_copied =
                matches!(inst.op.class(), Class::Value | Class::Memory | Class::Atomic | Class::Call);
            if !may_be_copied || inst.op.effects().synchronises.is_some() && !is_call {
                return None;
            }
            let mut changes = false;
            inst.op.defs(|local| {
                changes |= [counted.bound, counted.step].contains(&Operand::Local(local));
                steps += usize::from(local == counted.counter);
            });
            if changes {
                return None;
            }
            let is_dear = is_dear(&inst.op);
            waits |= is_call || is_dear;
            operations += if is_call {
                CALL
            } else if is_dear {
                DEAR
            } else {
                1
            };
        }
        if !waits || steps != 1 {
            return None;
        }
        let (first, registers) = FirstLoads::of(body, loop_, &blocks, (counted, facts))?;
        let mut times = MOST;
        while times > 1 && (registers * times > REGISTERS || operations * times > OPERATIONS) {
            times /= 2;
        }
        if let Some(iterations) = counted.iterations(body, loop_, facts) {
            times = iterations.fit(times);
        }
        (times > 1).then_some(Plan {
            loop_,
            blocks,
            counted,
            operations,
            times,
            is_shortest: false,
            is_of_row: false,
            ahead: None,
            first: Some(first),
            tail: None,
        })
    }
}

impl FirstLoads {
    /// Those of a loop, and how many registers they take.
    fn of(
        body: &Body,
        loop_: Loop,
        blocks: &[Block],
        (counted, facts): (Counted, &Facts<'_>),
    ) -> Option<(FirstLoads, usize)> {
        let definitions = definitions(body, blocks);
        let own: FxHashSet<Local> = facts.liveness(body).own_of(body, loop_, blocks).into_iter().collect();
        let data = &body.blocks[*blocks.first()?];
        let mut movable: FxHashMap<Local, usize> = FxHashMap::default();
        let mut loads = Vec::new();
        // Behind the step the counter is that of the next iteration.
        let steps = |(_, inst): &(usize, &Inst)| inst.op.dst() != Some(counted.counter);
        for (at, inst) in data.insts.iter().enumerate().take_while(steps) {
            let Some(dst) = inst.op.dst().filter(|dst| own.contains(dst) && definitions[dst] == 1) else {
                continue;
            };
            let mut is_known = true;
            inst.op.uses(|local| {
                is_known &= local == counted.counter
                    || movable.contains_key(&local)
                    || !definitions.contains_key(&local);
            });
            is_known &= facts.gives_the_same(body, &inst.op) && !is_dear(&inst.op);
            if is_known {
                movable.insert(dst, at);
                loads.extend(matches!(inst.op, Op::Load { .. }).then_some(at));
            }
        }
        let registers: usize = loads
            .iter()
            .filter_map(|&at| data.insts[at].op.dst())
            .map(|dst| if matches!(body.locals[dst].ty, Type::I64 | Type::F64 | Type::Ptr) { 2 } else { 1 })
            .sum();
        let mut wanted = loads;
        let mut insts: Vec<usize> = Vec::new();
        while let Some(at) = wanted.pop() {
            if !insts.contains(&at) {
                insts.push(at);
                data.insts[at].op.uses(|local| wanted.extend(movable.get(&local)));
            }
        }
        insts.sort_unstable();
        let own: Vec<Local> = insts.iter().filter_map(|&at| data.insts[at].op.dst()).collect();
        let mut stepped: FxHashMap<Local, i64> = FxHashMap::default();
        for &at in &insts {
            if let Op::Index { dst, base, index, scale, .. } = data.insts[at].op
                && index == counted.iv
                && base.as_local().is_none_or(|base| !movable.contains_key(&base))
            {
                stepped.insert(dst, scale);
            }
        }
        for &block in blocks {
            for (at, inst) in body.blocks[block].insts.iter().enumerate() {
                let is_access = block == blocks[0]
                    && insts.contains(&at)
                    && matches!(inst.op, Op::Load { addr, .. } if addr.base.as_local().is_some());
                inst.op.uses(|local| _ = !is_access && stepped.remove(&local).is_some());
            }
            body.blocks[block].term.uses(|local| _ = stepped.remove(&local));
        }
        (registers > 0).then_some((FirstLoads { insts, own, stepped }, registers))
    }

    /// Takes the loads out of copies of the loop's body, which begin with copies of the block `first`, and
    /// writes them to a block in front of all.
    pub(super) fn write(
        &self,
        body: &mut Body,
        (copies, first, at_front): (&[BlockCopies], Block, Block),
        counted: Counted,
    ) {
        let insts: Vec<Inst> = self.insts.iter().map(|&at| body.blocks[first].insts[at].clone()).collect();
        let mut at = counted.iv;
        let stepped = |local: &Local| counted.step.as_int().and(self.stepped.get(local));
        let addresses = Rename::fresh(body, self.own.iter().copied().filter(|own| stepped(own).is_some()));
        for (index, copy) in (0i64..).zip(copies) {
            let of_copy = self.own.iter().copied().filter(|own| stepped(own).is_none());
            let mut names = Rename::fresh(body, of_copy);
            names.locals.extend(&addresses.locals);
            let mut number = 0..;
            body.blocks[copy.of(first)]
                .insts
                .retain(|_| number.next().is_none_or(|number| !self.insts.contains(&number)));
            let blocks: Vec<Block> = copy.blocks().collect();
            names.apply(body, &blocks, &[]);
            let mut cursor = Cursor::with_pos(body, at_front, insts[0].pos);
            if index > 0 {
                at = cursor.add(at, counted.step);
                names.locals.extend(at.as_local().map(|at| (counted.counter, at)));
            }
            for inst in &insts {
                if index > 0 && inst.op.dst().is_some_and(|dst| stepped(&dst).is_some()) {
                    continue;
                }
                let mut inst = inst.clone();
                inst.op.addresses_mut(|address| {
                    let scale = address.base.as_local().and_then(|base| stepped(&base).copied());
                    let by = scale.zip(counted.step.as_int()).map(|(scale, step)| scale.wrapping_mul(step));
                    let by = by.map_or(0, |by| by.wrapping_mul(index));
                    address.offset = address.offset.wrapping_add(by);
                });
                write(&mut cursor, &inst, &names);
            }
        }
    }
}
