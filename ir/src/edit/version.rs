//! A second version of a loop.

use super::clone::BlockCopies;
use super::split::{block_like, split_exit};
use crate::analysis::loops::Nest;
use crate::entities::{Block, Loop};
use crate::function::{Body, LoopData};
use crate::op::{Operand, Terminator};

/// Puts a copy of a loop, with all loops inside, beside it: where `holds`, a truth value known at the end of
/// the preheader, is 0, the copy is executed instead of the loop. `of_copy` changes what is known of a copied
/// loop. The preheader leads to the header only, and blocks name nothing that may occur once only (see
/// [`BlockCopies`]).
pub fn add_version(body: &mut Body, loop_: Loop, holds: Operand, mut of_copy: impl FnMut(&mut LoopData)) {
    let LoopData { preheader, header, exit, pos, .. } = body.loops[loop_];
    let nest = Nest::new(body);
    let mut loops = vec![loop_];
    loops.extend(nest.inside(loop_));
    let originals: Vec<Block> = nest.blocks(loop_);
    // A way out and a way in for each of both.
    let left = split_exit(body, loop_);
    let enter = block_like(body, preheader, header, pos);
    let enter_copy = block_like(body, preheader, left, pos);
    let left_copy = block_like(body, preheader, left, pos);
    let copies = BlockCopies::new(body, &originals);
    copies.fill(body, None, |to| if to == left { left_copy } else { to });
    copies.copy_loops(body, &loops, |original, data| {
        if original == loop_ {
            (data.preheader, data.exit) = (enter_copy, left_copy);
        }
        of_copy(data);
    });
    let at = body.order.iter().position(|&block| block == left_copy).unwrap_or(body.order.len());
    let made: Vec<Block> = copies.blocks().collect();
    body.order.splice(at..at, made);
    body.blocks[enter].term = Terminator::Jump(header);
    body.blocks[enter_copy].term = Terminator::Jump(copies.of(header));
    body.blocks[left_copy].term = Terminator::Jump(exit);
    body.loops[loop_].preheader = enter;
    body.blocks[preheader].term = Terminator::Branch { cond: holds, then: enter, otherwise: enter_copy };
}
