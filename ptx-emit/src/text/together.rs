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
//! Lanes stay together on a branch whose condition is one value for the warp: a worker's number, the counter
//! of a loop that all lanes go around together.

use super::barrier::{BarrierKind, Rows};
use super::flow::Flow;
use accrue_ir::{
    BinaryOp, Block, BlockData, Body, FunctionKind, Inst, Level, Local, Op, Operand, Terminator, UnaryOp,
    entities::set_of, map_below,
};
use cranelift_entity::{EntitySet, SecondaryMap};

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
        let mut assignments: Vec<Assignment<'_>> = Vec::with_capacity(body.locals.len());
        let way = |&block: &Block| Way::of((block, &body.blocks[block]), rows, &mut assignments);
        let ways: Vec<Way> = blocks.iter().map(way).collect();
        // From "all of them" down to what agrees with the rest. A value that lanes together get from values
        // that they have in common they have in common, too.
        let mut differ = never_assigned(body, blocks);
        let mut shrinks = true;
        while shrinks {
            shrinks = false;
            assignments.retain(|&Assignment { local, op, block, is_together }| {
                let is_common = !differ.contains(local)
                    && (is_together || whole[block])
                    && gives_common(op, &differ, Who::Warp);
                shrinks |= !is_common && differ.insert(local);
                is_common
            });
            for (index, (&block, way)) in blocks.iter().zip(&ways).enumerate() {
                let term = &body.blocks[block].term;
                let comes_whole = if whole[block] { way.keeps } else { way.joins };
                let next = blocks.get(index + 1).copied();
                if comes_whole && parts_nobody(term, next, flow, &differ) {
                    continue;
                }
                term.successors(|to| {
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
        Op::Binary { op, b, .. } => before && is_straight(*op, *b),
        _ => false,
    }
}

/// Whether all lanes of a warp that come to the end of a block together go on together.
fn parts_nobody(term: &Terminator, next: Option<Block>, flow: &Flow<'_>, differ: &EntitySet<Local>) -> bool {
    match term {
        Terminator::Branch { cond, then, otherwise } => {
            let (then, otherwise) = (flow.destination(*then), flow.destination(*otherwise));
            let is_guard = next == Some(then)
                && flow.is_guardable(then, otherwise)
                && flow.body().blocks[then].insts.len() <= STAYS_GUARDED;
            then == otherwise || is_guard || is_common(*cond, differ)
        }
        Terminator::Switch { value, .. } => is_common(*value, differ),
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => true,
    }
}

/// What becomes of a warp on the way to the end of a block.
struct Way {
    /// If it comes whole, it stays whole.
    keeps: bool,
    /// However it comes, it is whole.
    joins: bool,
}

impl Way {
    /// Through a block, whose assignments are added to a list.
    fn of<'a>(
        (block, data): (Block, &'a BlockData),
        rows: Rows,
        assignments: &mut Vec<Assignment<'a>>,
    ) -> Way {
        let (mut way, mut is_together) = (Way { keeps: true, joins: false }, false);
        for Inst { op, .. } in &data.insts {
            let [if_together, if_apart] = [true, false].map(|before| stays_together(op, rows, before));
            way.keeps = if way.keeps { if_together } else { if_apart };
            way.joins = if way.joins { if_together } else { if_apart };
            is_together |= if_apart;
            op.defs(|local| assignments.push(Assignment { local, op, block, is_together }));
        }
        way
    }
}

/// Where a local gets a value.
struct Assignment<'a> {
    local: Local,
    op: &'a Op,
    block: Block,
    /// The lanes have met in the block, so that all of them execute it if any does.
    is_together: bool,
}

/// Whether the lanes of a warp read the same from an operand; rows are whole warps.
pub(super) fn is_common(operand: Operand, differ: &EntitySet<Local>) -> bool {
    match operand {
        Operand::Local(local) => !differ.contains(local),
        Operand::Slot(_) => false,
        Operand::Global(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => true,
    }
}

/// Locals of which nothing says that lanes read the same.
pub(super) fn never_assigned(body: &Body, blocks: &[Block]) -> EntitySet<Local> {
    let mut never: EntitySet<Local> = set_of(body.locals.keys());
    body.params.iter().for_each(|&param| _ = never.remove(param));
    for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
        inst.op.defs(|local| _ = never.remove(local));
    }
    never
}

/// Threads of which something is said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Warp,
    Gang,
}

/// Whether all lanes of a warp get the same from an operation that they execute together, or all threads of a
/// gang from one that they execute between the same barriers.
pub(super) fn gives_common(op: &Op, differ: &EntitySet<Local>, who: Who) -> bool {
    match op {
        Op::DimPos { level, .. } => *level != Level::Vector && (who == Who::Warp || *level != Level::Worker),
        Op::DimSize { .. } => true,
        // What threads branch on is not written while they load it.
        Op::Load { addr, .. } => who == Who::Gang && is_common(addr.base, differ),
        Op::Copy { .. }
        | Op::Unary { .. }
        | Op::Binary { .. }
        | Op::Compare { .. }
        | Op::Convert { .. }
        | Op::Select { .. }
        | Op::Fma { .. } => {
            let mut all = true;
            op.operands(|operand| all = all && is_common(operand, differ));
            all
        }
        _ => false,
    }
}

/// Whether an operation is never a call that `ptxas` makes, as divisions are but for those by constants.
fn is_straight(op: BinaryOp, b: Operand) -> bool {
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
        BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => matches!(b, Operand::Int(..)),
        BinaryOp::FDiv | BinaryOp::Complex => false,
    }
}
