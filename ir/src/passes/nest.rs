//! The loop tree from the outside in.

use crate::entities::*;
use crate::function::*;
use cranelift_entity::SecondaryMap;

/// Loops by parent, and blocks by innermost loop.
#[derive(Debug)]
pub struct Nest {
    children: SecondaryMap<Loop, Vec<Loop>>,
    own: SecondaryMap<Loop, Vec<Block>>,
}

impl Nest {
    /// Of a body as it is now.
    pub fn new(body: &Body) -> Nest {
        let mut nest = Nest { children: map_below(body.loops.len()), own: map_below(body.loops.len()) };
        for (loop_, data) in &body.loops {
            if let Some(parent) = data.parent {
                nest.children[parent].push(loop_);
            }
        }
        for &block in &body.order {
            if let Some(loop_) = body.blocks[block].loop_ {
                nest.own[loop_].push(block);
            }
        }
        nest
    }

    /// The loops inside a loop, at any depth, itself not included; outer before inner.
    pub fn inside(&self, loop_: Loop) -> Vec<Loop> {
        let mut list = self.children[loop_].clone();
        let mut next = 0;
        while next < list.len() {
            list.extend_from_slice(&self.children[list[next]]);
            next += 1;
        }
        list
    }

    /// The blocks of a loop, those of inner loops included.
    pub fn blocks(&self, loop_: Loop) -> Vec<Block> {
        let mut list = self.own[loop_].clone();
        for inner in self.inside(loop_) {
            list.extend_from_slice(&self.own[inner]);
        }
        list
    }
}
