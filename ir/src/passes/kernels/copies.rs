//! Loops once more, for what is rewritten as several loops.

use crate::builder::Cursor;
use crate::edit::clone::BlockCopies;
use crate::edit::rename::Rename;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, LoopData};
use crate::op::Terminator;

/// Blocks of a loop once more, with locals of their own.
pub struct Copy {
    /// The blocks.
    pub copies: BlockCopies,
    /// The locals that they assign.
    pub rename: Rename,
}

impl Copy {
    /// Copies blocks into a loop, in front of a block. Locals that they assign get others, but for those
    /// that are kept.
    pub fn new(
        body: &mut Body,
        blocks: &[Block],
        loop_: Option<Loop>,
        kept: &[Local],
        before: Block,
    ) -> Copy {
        let copies = BlockCopies::new(body, blocks);
        copies.fill(body, loop_, |to| to);
        let made: Vec<Block> = copies.blocks().collect();
        let assigned = body.assigned(blocks.iter().copied());
        let rename = Rename::fresh(body, assigned.iter().filter(|local| !kept.contains(local)));
        rename.apply(body, &made, &[]);
        let at = body.order.iter().position(|&block| block == before).unwrap_or(body.order.len());
        body.order.splice(at..at, made);
        Copy { copies, rename }
    }

    /// Copies a loop: control comes to it from `enter`, and goes on to `exit`.
    pub fn of_loop(
        body: &mut Body,
        loop_: Loop,
        blocks: &[Block],
        (enter, exit): (Block, Block),
        kept: &[Local],
    ) -> (Loop, Copy) {
        let mut data = body.loops[loop_].clone();
        let pos = data.pos;
        let second = body.loops.push(data.clone());
        let copy = Copy::new(body, blocks, Some(second), kept, exit);
        data.parts_mut(|part| copy.rename.part(part));
        data.map_blocks(|block| copy.copies.of(block));
        let left = std::mem::replace(&mut data.exit, exit);
        data.preheader = enter;
        body.blocks[data.header].term.map_successors(|to| if to == left { exit } else { to });
        if let Some(induction) = &data.induction {
            Cursor::with_pos(body, enter, pos).assign(induction.iv, induction.init);
        }
        body.blocks[enter].term = Terminator::Jump(data.header);
        body.loops[second] = data;
        (second, copy)
    }
}

/// Lets a loop lead elsewhere when it ends.
pub fn redirect_exit(body: &mut Body, loop_: Loop, to: Block) {
    let LoopData { header, exit, .. } = body.loops[loop_];
    body.blocks[header].term.map_successors(|next| if next == exit { to } else { next });
    body.loops[loop_].exit = to;
}
