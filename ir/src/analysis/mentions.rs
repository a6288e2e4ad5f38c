//! How far the mentions of a local reach.
//!
//! Without liveness, this is what tells that a value does not matter outside of a loop or block: nothing
//! else mentions the local. Annotations of loops and the parameter list mention locals, too.

use super::liveness;
use crate::entities::{Block, Local, Loop};
use crate::function::Body;
use cranelift_entity::SecondaryMap;

#[derive(Clone, Copy, PartialEq, Default)]
enum Reach {
    #[default]
    Nowhere,
    Block(Block),
    Loop(Loop),
    Anywhere,
}

/// Where locals are mentioned.
#[derive(Debug)]
pub struct Mentions {
    reach: SecondaryMap<Local, Reach>,
}

impl std::fmt::Debug for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reach::Nowhere => f.write_str("nowhere"),
            Reach::Block(block) => write!(f, "{block}"),
            Reach::Loop(loop_) => write!(f, "{loop_}"),
            Reach::Anywhere => f.write_str("anywhere"),
        }
    }
}

impl Mentions {
    /// Of all locals of a body.
    pub fn new(body: &Body) -> Mentions {
        let mut mentions = Mentions { reach: SecondaryMap::with_capacity(body.locals.len()) };
        body.params.iter().for_each(|&local| mentions.reach[local] = Reach::Anywhere);
        for &block in &body.order {
            let data = &body.blocks[block];
            let mut note = |local| mentions.note(body, local, block);
            for inst in &data.insts {
                liveness::reads(body, &inst.op, &mut note);
                inst.op.defs(&mut note);
            }
            data.term.uses(note);
        }
        body.annotations(|part| {
            part.used().into_iter().for_each(|local| mentions.reach[local] = Reach::Anywhere);
        });
        mentions
    }

    fn note(&mut self, body: &Body, local: Local, block: Block) {
        let in_loop = |block: Block| body.blocks[block].loop_.map_or(Reach::Anywhere, Reach::Loop);
        let reach = &mut self.reach[local];
        *reach = match *reach {
            Reach::Nowhere => Reach::Block(block),
            Reach::Block(known) if known == block => return,
            Reach::Block(known) if in_loop(known) == in_loop(block) => in_loop(block),
            Reach::Loop(known) if body.blocks[block].loop_ == Some(known) => return,
            Reach::Block(_) | Reach::Loop(_) | Reach::Anywhere => Reach::Anywhere,
        };
    }

    /// Whether all mentions of a local are in one block.
    pub fn in_one_block(&self, local: Local) -> bool {
        matches!(self.reach[local], Reach::Block(_))
    }

    /// Whether all mentions of a local are in blocks of this loop itself, not of loops in it.
    pub fn only_in(&self, body: &Body, local: Local, loop_: Loop) -> bool {
        match self.reach[local] {
            Reach::Nowhere => true,
            Reach::Block(block) => body.blocks[block].loop_ == Some(loop_),
            Reach::Loop(known) => known == loop_,
            Reach::Anywhere => false,
        }
    }
}
