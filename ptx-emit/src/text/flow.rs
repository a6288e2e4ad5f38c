//! The blocks of a function that are written, and where control goes between them.

use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::{Access, Block, BlockData, Body, Inst, Op, Operand, Terminator, Type};
use cranelift_entity::SecondaryMap;

/// Accesses that are guarded one by one; more are jumped over.
const MOST_GUARDED: usize = 8;

/// Control flow as the text has it.
pub(super) struct Flow<'p> {
    body: &'p Body,
    /// None of a function without a body.
    graph: Option<&'p Cfg>,
    /// Blocks that are written, in order.
    blocks: Vec<Block>,
    forward: SecondaryMap<Block, Option<Block>>,
}

impl<'p> Flow<'p> {
    /// The flow of a body, of which some operations have no text.
    pub(super) fn new(body: &'p Body, graph: Option<&'p Cfg>, has_no_text: impl Fn(&Op) -> bool) -> Flow<'p> {
        let is_reachable = |block: &Block| graph.is_some_and(|graph| graph.is_reachable(*block));
        let blocks = body.order.iter().copied().filter(is_reachable).collect();
        let mut flow = Flow { body, graph, blocks, forward: SecondaryMap::new() };
        flow.find_forwards(has_no_text);
        flow.blocks.retain(|block| flow.forward[*block].is_none());
        flow
    }

    pub(super) fn graph(&self) -> Option<&'p Cfg> {
        self.graph
    }

    pub(super) fn body(&self) -> &'p Body {
        self.body
    }

    /// Blocks that are written, in order.
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Where a jump to a block really goes.
    pub(super) fn destination(&self, block: Block) -> Block {
        self.forward[block].unwrap_or(block)
    }

    /// Where a block goes on in any case, if there is one such place.
    pub(super) fn only_successor(&self, term: &Terminator) -> Option<Block> {
        match term {
            Terminator::Branch { cond: Operand::Int(_, value), then, otherwise } => {
                Some(if value & 1 == 0 { *otherwise } else { *then })
            }
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => {
                let mut only = None;
                let mut several = false;
                term.successors(|block| {
                    let block = self.destination(block);
                    several |= only.is_some_and(|known| known != block);
                    only = Some(block);
                });
                only.filter(|_| !several)
            }
            Terminator::Return(_) | Terminator::Unreachable => None,
        }
    }

    /// Whether a block does nothing but access memory between a branch that may go round it, and the place
    /// where both ways meet. Each of its accesses is one instruction, which a guard can switch off.
    pub(super) fn is_guardable(&self, block: Block, around: Block) -> bool {
        let BlockData { insts, term, .. } = &self.body.blocks[block];
        let meets = matches!(term, Terminator::Jump(to) if self.destination(*to) == around);
        let is_one_way = || self.graph.is_some_and(|graph| graph.predecessors(block).len() == 1);
        let is_whole = |ty: Type, access: &Access| ty.is_word() && access.align >= ty.bytes();
        let is_access = |inst: &Inst| match &inst.op {
            Op::Load { dst, access, .. } => is_whole(self.body.locals[*dst].ty, access),
            Op::Store { ty, access, .. } => is_whole(*ty, access),
            _ => false,
        };
        meets && insts.len() <= MOST_GUARDED && is_one_way() && insts.iter().all(is_access)
    }

    /// Blocks that do nothing but jump are not written; jumps to them go where they lead. So do branches
    /// whose two ways lead to one place, as those of an `if` with an empty body in front of `continue`.
    fn find_forwards(&mut self, has_no_text: impl Fn(&Op) -> bool) {
        // Backwards, so that a chain's end is mostly known already; what is known last may join the ways of a
        // branch.
        let mut grows = true;
        while grows {
            grows = false;
            for &block in self.blocks.iter().rev() {
                let mut end = block;
                let mut steps = 0;
                while let Some(next) = self.passes_on(end, &has_no_text) {
                    end = self.destination(next);
                    steps += 1;
                    // A ring of empty blocks is an endless loop, and stays one.
                    if steps > self.blocks.len() {
                        end = block;
                        break;
                    }
                }
                if end != block && self.forward[block] != Some(end) {
                    self.forward[block] = Some(end);
                    grows = true;
                }
            }
        }
    }

    /// Where a block leads that does nothing else.
    fn passes_on(&self, block: Block, has_no_text: impl Fn(&Op) -> bool) -> Option<Block> {
        let data = &self.body.blocks[block];
        let copies_itself = |op: &Op| matches!(*op, Op::Copy { dst, src } if src == Operand::Local(dst));
        let is_silent = |inst: &Inst| copies_itself(&inst.op) || has_no_text(&inst.op);
        let passes = block != self.body.entry() && data.insts.iter().all(is_silent);
        if passes { self.only_successor(&data.term) } else { None }
    }
}
