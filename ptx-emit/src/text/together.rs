//! Where the 32 lanes of a warp are certainly together, so that a barrier need not bring them together first.
//!
//! In front of a barrier of the gang stands a `bar.warp.sync` with a mask that `ptxas` does not know (`sync.rs` says why). It makes
//! `ptxas` expect parted lanes at each later shuffle, too, and costs registers: a sum of floats takes 38 with it and 32 without, with
//! which a third more threads fit on a processor. Lanes that have not parted since they last met do not need it:
//!
//! ```text
//!     for (...) s += a[i];        lanes leave the loop in different rounds: apart
//!     shfl.sync s, ...            all lanes exchange values: together
//!     @first st [part], s         one instruction with a guard parts nobody
//!     barrier.sync 0              needs no mask
//! ```
//!
//! Lanes stay together on a branch whose condition is one value for the warp: a worker's number, the number of gangs.

use super::function::FunctionWriter;
use super::sync::Rows;
use accrue_ir::bits::BitSet;
use accrue_ir::*;
use cranelift_entity::SecondaryMap;

/// Guarded accesses that surely remain instructions with a guard: `ptxas` may jump over more.
const STAYS_GUARDED: usize = 2;

/// What is known of the warps of a function.
#[derive(Default)]
pub(super) struct Together {
    /// Blocks that no warp enters in parts.
    whole: SecondaryMap<Block, bool>,
}

impl Together {
    /// Whether the lanes are together where a block begins.
    pub(super) fn at_start(&self, block: Block) -> bool {
        self.whole[block]
    }
}

impl FunctionWriter<'_, '_> {
    /// Looks at the blocks that are written, in their order. Lanes that call a routine may be apart already.
    pub(super) fn find_together(&self, blocks: &[Block]) -> Together {
        let mut whole: SecondaryMap<Block, bool> = SecondaryMap::new();
        if self.region().is_none() {
            return Together { whole };
        }
        blocks.iter().for_each(|&block| whole[block] = true);
        let uniform = self.find_uniform();
        let mut shrinks = true;
        while shrinks {
            shrinks = false;
            for (index, &block) in blocks.iter().enumerate() {
                let BlockData { insts, term, .. } = &self.body.blocks[block];
                let end =
                    insts.iter().fold(whole[block], |before, inst| self.stay_together(&inst.op, before));
                let goes_on = end && self.parts_nobody(term, blocks.get(index + 1).copied(), &uniform);
                term.successors(|to| {
                    let to = self.destination(to);
                    shrinks |= whole[to] && !goes_on;
                    whole[to] &= goes_on;
                });
            }
        }
        Together { whole }
    }

    /// Whether the lanes of a warp are together behind an operation, from whether they are before it. Calls and operations that
    /// become loops, branches or the calls that `ptxas` makes of divisions part them.
    pub(super) fn stay_together(&self, op: &Op, before: bool) -> bool {
        match op {
            Op::Shuffle { .. } | Op::LaneReduce { .. } => true,
            Op::Barrier { level: Level::Worker | Level::Gang } => true,
            Op::Barrier { level: Level::Vector } => match Rows::of(&self.function.kind) {
                Rows::Gang => true,
                Rows::Warps => before,
                Rows::Long | Rows::Any => false,
            },
            Op::Copy { .. }
            | Op::Compare { .. }
            | Op::Convert { .. }
            | Op::Select { .. }
            | Op::Index { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::DimSize { .. }
            | Op::DimPos { .. } => before,
            Op::Unary { op: UnaryOp::Neg | UnaryOp::Not | UnaryOp::FAbs, .. } => before,
            Op::Binary { op, .. } => before && is_one_instruction(*op),
            _ => false,
        }
    }

    /// Whether all lanes of a warp that come to the end of a block together go on together.
    fn parts_nobody(&self, term: &Terminator, next: Option<Block>, uniform: &BitSet<Local>) -> bool {
        match term {
            Terminator::Branch { cond, then, otherwise } => {
                let (then, otherwise) = (self.destination(*then), self.destination(*otherwise));
                let is_guard = next == Some(then)
                    && self.is_guardable(then, otherwise)
                    && self.body.blocks[then].insts.len() <= STAYS_GUARDED;
                then == otherwise || is_guard || is_common(cond, uniform)
            }
            Terminator::Switch { value, .. } => is_common(value, uniform),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => true,
        }
    }

    /// Locals that are written once, with a value that the lanes of a warp have in common: rows are whole warps.
    fn find_uniform(&self) -> BitSet<Local> {
        let body = self.body;
        let mut writes: SecondaryMap<Local, u8> = SecondaryMap::new();
        body.params.iter().for_each(|&param| writes[param] = 1);
        let insts = || body.blocks.values().flat_map(|block| &block.insts);
        insts().for_each(|inst| inst.op.defs(|local| writes[local] = writes[local].saturating_add(1)));
        let mut uniform = BitSet::new(body.locals.len());
        for &param in body.params.iter().filter(|param| writes[**param] == 1) {
            uniform.insert(param);
        }
        let mut grows = true;
        while grows {
            grows = false;
            for inst in insts() {
                let Some(dst) = inst.op.dst().filter(|dst| writes[*dst] == 1) else { continue };
                let follows = match &inst.op {
                    Op::DimPos { level, .. } => *level != Level::Vector,
                    Op::DimSize { .. } => true,
                    Op::Copy { .. }
                    | Op::Unary { .. }
                    | Op::Binary { .. }
                    | Op::Compare { .. }
                    | Op::Convert { .. }
                    | Op::Select { .. } => {
                        let mut all = true;
                        inst.op.operands(|operand| all &= is_common(&operand, &uniform));
                        all
                    }
                    _ => false,
                };
                grows |= follows && uniform.insert(dst);
            }
        }
        uniform
    }
}

/// Whether the lanes of a warp read the same from an operand.
fn is_common(operand: &Operand, uniform: &BitSet<Local>) -> bool {
    match operand {
        Operand::Local(local) => uniform.contains(*local),
        Operand::Slot(_) => false,
        Operand::Global(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => true,
    }
}

/// Whether an operation is never a call that `ptxas` makes, as divisions are.
fn is_one_instruction(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::SMin
        | BinaryOp::SMax
        | BinaryOp::UMin
        | BinaryOp::UMax
        | BinaryOp::FMin
        | BinaryOp::FMax
        | BinaryOp::CopySign => true,
        BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::FDiv
        | BinaryOp::Complex => false,
    }
}
