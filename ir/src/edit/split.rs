//! New blocks between blocks that there are.

use crate::entities::{Block, Loop};
use crate::function::{BlockData, Body, LoopData};
use crate::op::{Pos, Terminator};

/// A new block in front of another in the layout, in no loop. Nothing leads to it yet.
pub fn block_before(body: &mut Body, block: Block) -> Block {
    let fresh = body.detached_block();
    let at = body.order.iter().position(|&other| other == block).unwrap_or(body.order.len());
    body.order.insert(at, fresh);
    fresh
}

/// A new block in front of another in the layout, in the loop and construct of a third one. Nothing leads to
/// it yet.
pub fn block_like(body: &mut Body, like: Block, before: Block, pos: Pos) -> Block {
    let fresh = block_before(body, before);
    let BlockData { loop_, construct, .. } = body.blocks[like];
    let data = &mut body.blocks[fresh];
    (data.loop_, data.construct, data.term_pos) = (loop_, construct, pos);
    fresh
}

/// A new block behind a loop, to which its header leads, in the construct of the loop.
pub fn split_exit(body: &mut Body, loop_: Loop) -> Block {
    let LoopData { header, exit, pos, .. } = body.loops[loop_];
    let fresh = split_edges(body, &[header], exit, pos);
    body.blocks[fresh].construct = body.blocks[header].construct;
    fresh
}

/// Parts the way to a loop in two: a block that leads nowhere yet, for another form of the loop, and the
/// loop's new preheader. The old one is to branch to them.
pub fn part_ways(body: &mut Body, loop_: Loop) -> [Block; 2] {
    let LoopData { preheader, header, pos, .. } = body.loops[loop_];
    split_exit(body, loop_);
    let [before, plain] = [(); 2].map(|()| block_like(body, preheader, header, pos));
    body.blocks[plain].term = Terminator::Jump(header);
    body.loops[loop_].preheader = plain;
    [before, plain]
}

/// Lets every edge from a block to `old` lead to `new`.
pub fn redirect(body: &mut Body, from: Block, old: Block, new: Block) {
    body.blocks[from].term.map_successors(|to| if to == old { new } else { to });
}

/// A new block on the edges from some blocks to another, which it jumps to from `pos`. It is in the loop of
/// that block. A header among `from` keeps its loop: the exit or body that it led to is now the new block. An
/// edge that enters a loop other than from its preheader has made that loop one with two entries, so that the
/// loop is dissolved.
pub fn split_edges(body: &mut Body, from: &[Block], to: Block, pos: Pos) -> Block {
    let fresh = block_before(body, to);
    for &from in from {
        let [inner, outer] = [from, to].map(|block| body.blocks[block].loop_);
        let leaves = outer.is_none_or(|outer| body.loop_is_within(inner, outer));
        if !leaves {
            while let Some(loop_) = body.blocks[to].loop_
                && !body.loop_is_within(inner, loop_)
            {
                body.dissolve_loop(loop_);
            }
        }
        for data in body.loops.values_mut().filter(|data| data.header == from) {
            for role in [&mut data.exit, &mut data.body] {
                if *role == to {
                    *role = fresh;
                }
            }
        }
        redirect(body, from, to, fresh);
    }
    let loop_ = body.blocks[to].loop_;
    let data = &mut body.blocks[fresh];
    (data.loop_, data.term, data.term_pos) = (loop_, Terminator::Jump(to), pos);
    fresh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::cfg::tests::graph;

    fn with_loop(edges: &[&[u32]], [preheader, header, first, latch, exit]: [u32; 5]) -> (Body, Loop) {
        let mut body = graph(edges);
        let [preheader, header, first, latch, exit] =
            [preheader, header, first, latch, exit].map(Block::from_u32);
        let loop_ =
            body.loops.push(LoopData { preheader, header, body: first, latch, exit, ..LoopData::dead() });
        for block in [header, first, latch] {
            body.blocks[block].loop_ = Some(loop_);
        }
        (body, loop_)
    }

    #[test]
    fn a_block_on_the_edge_out_of_a_loop_is_its_exit() {
        let (mut body, loop_) = with_loop(&[&[1], &[2, 4], &[3], &[1], &[]], [0, 1, 2, 3, 4]);
        let b = Block::from_u32;
        let fresh = split_edges(&mut body, &[b(1)], b(4), Pos::none());
        assert_eq!(body.order, [b(0), b(1), b(2), b(3), fresh, b(4)]);
        assert_eq!(body.blocks[b(1)].term.targets().as_slice(), [b(2), fresh]);
        assert_eq!((body.blocks[fresh].loop_, body.loops[loop_].exit), (None, fresh));
        assert_eq!(body.blocks[fresh].term, Terminator::Jump(b(4)));
    }

    #[test]
    fn a_loop_that_a_split_edge_enters_beside_its_header_is_dissolved() {
        let (mut body, _) = with_loop(&[&[1, 2], &[2, 4], &[3], &[1], &[]], [0, 1, 2, 3, 4]);
        let b = Block::from_u32;
        let fresh = split_edges(&mut body, &[b(0)], b(2), Pos::none());
        assert_eq!(body.blocks[b(0)].term.targets().as_slice(), [b(1), fresh]);
        assert!(body.blocks.values().all(|data| data.loop_.is_none()));
    }
}
