//! Where the 32 lanes of a warp are certainly together, so that a barrier need not bring them together first.
//!
//! In front of a barrier of the gang stands a `bar.warp.sync` with a mask that `ptxas` does not know
//! (`sync.rs` says why). It makes `ptxas` expect parted lanes at each later shuffle, too, and costs
//! registers: a sum of floats takes 38 with it and 32 without, with which a third more threads fit on a
//! processor. Lanes that have not parted since they last met do not need it:
//!
//! ```text
//!     for (...) s += a[i];        lanes leave the loop in different rounds: apart
//!     shfl.sync s, ...            all lanes exchange values: together
//!     @first st [part], s         one instruction with a guard parts nobody
//!     barrier.sync 0              needs no mask
//! ```
//!
//! Lanes stay together on a branch whose condition is one value for the warp: a worker's number, the number
//! of gangs.

use super::barrier::{BarrierKind, Rows};
use super::flow::Flow;
use accrue_ir::{
    BinaryOp, Block, BlockData, Body, FunctionKind, Inst, Level, Local, Op, Operand, Terminator, UnaryOp,
    map_below,
};
use cranelift_entity::SecondaryMap;

/// Values that a value is computed from, one after the other, before a condition is taken for one that
/// differs.
const MOST_STEPS: u32 = 32;
/// Guarded accesses that surely remain instructions with a guard: `ptxas` may jump over more.
const STAYS_GUARDED: usize = 2;

/// What is known of the warps of a function.
#[derive(Default)]
pub(super) struct Together {
    /// Blocks that no warp enters in parts.
    whole: SecondaryMap<Block, bool>,
}

impl Together {
    /// Looks at the blocks that are written, in their order. Lanes that call a routine may be apart already,
    /// so only regions have such blocks.
    pub(super) fn new(flow: &Flow<'_>, kind: &FunctionKind) -> Together {
        let (body, blocks, rows) = (flow.body(), flow.blocks(), Rows::of(kind));
        let insts = || blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        let is_barrier = |inst: &Inst| matches!(inst.op, Op::Barrier { .. });
        if !matches!(kind, FunctionKind::Region(_)) || !insts().any(is_barrier) {
            return Together::default();
        }
        let mut whole: SecondaryMap<Block, bool> = map_below(body.blocks.len());
        blocks.iter().for_each(|&block| whole[block] = true);
        let mut values = Values::new(body);
        let ways: Vec<Way> = blocks
            .iter()
            .enumerate()
            .map(|(index, &block)| Way::of(block, blocks.get(index + 1).copied(), flow, rows, &mut values))
            .collect();
        let mut shrinks = true;
        while shrinks {
            shrinks = false;
            for (&block, way) in blocks.iter().zip(&ways) {
                if way.joins || (whole[block] && way.keeps) {
                    continue;
                }
                body.blocks[block].term.successors(|to| {
                    let to = flow.destination(to);
                    shrinks |= whole[to];
                    whole[to] = false;
                });
            }
        }
        Together { whole }
    }

    /// Whether the lanes are together where a block begins.
    pub(super) fn at_start(&self, block: Block) -> bool {
        self.whole[block]
    }
}

/// Whether the lanes of a warp are together behind an operation, from whether they are before it. Calls and
/// operations that become loops, branches or the calls that `ptxas` makes of divisions part them.
pub(super) fn stays_together(op: &Op, rows: Rows, before: bool) -> bool {
    match op {
        Op::Shuffle { .. } | Op::LaneReduce { .. } => true,
        Op::Barrier { level } => {
            match BarrierKind::of(*level, rows) {
                Some(BarrierKind::Block | BarrierKind::Launch) => true,
                // What a row does to meet parts its lanes, unless the row is one warp.
                Some(BarrierKind::Row) => before && rows == Rows::Warps,
                None => false,
            }
        }
        Op::Copy { .. }
        | Op::Compare { .. }
        | Op::Convert { .. }
        | Op::Select { .. }
        | Op::Fma { .. }
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
fn parts_nobody(term: &Terminator, next: Option<Block>, flow: &Flow<'_>, values: &mut Values<'_>) -> bool {
    match term {
        Terminator::Branch { cond, then, otherwise } => {
            let (then, otherwise) = (flow.destination(*then), flow.destination(*otherwise));
            let is_guard = next == Some(then)
                && flow.is_guardable(then, otherwise)
                && flow.body().blocks[then].insts.len() <= STAYS_GUARDED;
            then == otherwise || is_guard || values.is_common(*cond, MOST_STEPS)
        }
        Terminator::Switch { value, .. } => values.is_common(*value, MOST_STEPS),
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => true,
    }
}

/// What becomes of a warp in a block.
struct Way {
    /// If it comes whole, it goes on whole.
    keeps: bool,
    /// However it comes, it goes on whole.
    joins: bool,
}

impl Way {
    fn of(block: Block, next: Option<Block>, flow: &Flow<'_>, rows: Rows, values: &mut Values<'_>) -> Way {
        let BlockData { insts, term, .. } = &flow.body().blocks[block];
        let ends = insts.iter().fold((true, false), |(whole, parted), inst| {
            (stays_together(&inst.op, rows, whole), stays_together(&inst.op, rows, parted))
        });
        let goes_on = ends.0 && parts_nobody(term, next, flow, values);
        Way { keeps: goes_on, joins: goes_on && ends.1 }
    }
}

/// Which values the lanes of a warp have in common: rows are whole warps.
struct Values<'b> {
    writes: SecondaryMap<Local, Write<'b>>,
}

/// How a local gets its value.
#[derive(Clone, Copy, Default)]
enum Write<'b> {
    /// Not at all.
    #[default]
    None,
    /// Once in the text, by this operation, which has not been looked at.
    Once(&'b Op),
    /// By a value that is known to be the same for all lanes, or not, whenever it is computed.
    Known(bool),
}

impl<'b> Values<'b> {
    fn new(body: &'b Body) -> Values<'b> {
        let mut writes: SecondaryMap<Local, Write<'b>> = map_below(body.locals.len());
        body.params.iter().for_each(|&param| writes[param] = Write::Known(true));
        for inst in body.blocks.values().flat_map(|block| &block.insts) {
            inst.op.defs(|local| {
                writes[local] = match writes[local] {
                    Write::None => Write::Once(&inst.op),
                    Write::Once(_) | Write::Known(_) => Write::Known(false),
                }
            });
        }
        Values { writes }
    }

    /// Whether the lanes of a warp read the same from an operand.
    fn is_common(&mut self, operand: Operand, steps: u32) -> bool {
        let local = match operand {
            Operand::Local(local) => local,
            Operand::Slot(_) => return false,
            Operand::Global(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {
                return true;
            }
        };
        let op = match self.writes[local] {
            Write::None => return false,
            Write::Known(is_common) => return is_common,
            Write::Once(op) if steps > 0 => op,
            Write::Once(_) => return false,
        };
        // What depends on itself changes from iteration to iteration.
        self.writes[local] = Write::Known(false);
        let is_common = match op {
            Op::DimPos { level, .. } => *level != Level::Vector,
            Op::DimSize { .. } => true,
            Op::Copy { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Convert { .. }
            | Op::Select { .. }
            | Op::Fma { .. } => {
                let mut all = true;
                op.operands(|operand| all = all && self.is_common(operand, steps - 1));
                all
            }
            _ => false,
        };
        self.writes[local] = Write::Known(is_common);
        is_common
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
