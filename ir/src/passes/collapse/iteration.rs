//! Copies of the code of one iteration of a loop, for a number that is computed.

use crate::builder::Cursor;
use crate::edit::clone::BlockCopies;
use crate::edit::induction::induction_value;
use crate::edit::rename::Rename;
use crate::entities::{Block, Local, Loop};
use crate::function::Induction;
use crate::op::Operand;
use rustc_hash::FxHashMap;

/// What is copied.
pub(super) struct Original<'a> {
    pub(super) outer: Loop,
    /// How that loop counts, with operands that are known where the copy is.
    pub(super) counted: &'a Induction,
    /// The blocks, without the header and the latch of the loop.
    pub(super) code: &'a [Block],
    /// The loops whose blocks are among them, those around first.
    pub(super) inside: &'a [Loop],
}

/// A copy.
pub(super) struct Copy {
    pub(super) names: Rename,
    pub(super) blocks: BlockCopies,
    /// What the copied loops have become.
    pub(super) loops: FxHashMap<Loop, Loop>,
}

impl Original<'_> {
    /// Writes the code once more, in front of a block of the layout, for the iteration with this number, and
    /// leads to it. Edges out of it go where `outside` says; what a copied loop has left outside of the code,
    /// it leaves for the block.
    pub(super) fn copy(
        &self,
        cursor: &mut Cursor<'_>,
        number: Operand,
        before: Block,
        outside: impl Fn(Block) -> Block,
    ) -> Copy {
        let Original { outer, counted, code, inside } = *self;
        let first = cursor.body.loops[outer].body;
        let mut defined: Vec<Local> = vec![counted.iv];
        for &block in code {
            cursor.body.blocks[block].insts.iter().for_each(|inst| inst.op.defs(|local| defined.push(local)));
        }
        defined.sort_unstable();
        defined.dedup();
        let names = Rename::fresh(cursor.body, defined);
        let iv = names.local(counted.iv);
        induction_value(cursor, &Induction { iv, ..counted.clone() }, number);
        let blocks = BlockCopies::new(cursor.body, code);
        cursor.jump(blocks.of(first));
        let body = &mut *cursor.body;
        let around = body.blocks[before].loop_;
        blocks.fill(body, around, outside);
        let loops = blocks.copy_loops(body, inside, |_, data| {
            if data.parent == Some(outer) {
                data.parent = around;
            }
            if blocks.blocks().all(|copy| copy != data.exit) {
                data.exit = before;
            }
        });
        let made: Vec<Block> = blocks.blocks().collect();
        let copied: Vec<Loop> = inside.iter().filter_map(|loop_| loops.get(loop_).copied()).collect();
        names.apply(body, &made, &copied);
        let at = body.order.iter().position(|&block| block == before).unwrap_or(body.order.len());
        body.order.splice(at..at, made);
        Copy { names, blocks, loops }
    }
}
