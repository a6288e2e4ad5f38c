//! What a construct consists of, in the order of execution.

use crate::analysis::cfg::{Cfg, Dominators, predecessors_of};
use crate::analysis::loops::Nest;
use crate::edit::split::split_edges;
use crate::entities::{Block, Construct, Loop};
use crate::function::Body;

/// Straight code, and what follows it.
#[derive(Debug)]
pub struct Part {
    /// Code without parallel loops. Each element is a block that all ways pass, with the blocks on the ways
    /// from it to the next such block. In front of a loop, the last one is its preheader.
    pub straight: Vec<Vec<Block>>,
    /// What control comes to next.
    pub then: Then,
}

/// What follows straight code.
#[derive(Debug)]
pub enum Then {
    /// A parallel loop with all that is inside of it.
    Nest(Loop),
    /// A sequential loop around parallel ones.
    Loop(Loop, Vec<Part>),
    /// The end of the construct, or of the loop around.
    End,
}

/// What a construct consists of, with the loops and the graph of the body by which that was found.
#[derive(Debug)]
pub struct Layout {
    /// The parts.
    pub parts: Vec<Part>,
    /// The loops.
    pub nest: Nest,
}

/// The parts of a construct, which gets a block of the host before its entry and another one in front of its
/// exit. `None` if a parallel loop is somewhere else than in sequential loops.
pub fn of(body: &mut Body, construct: Construct) -> Option<Layout> {
    let (entry, exit, pos) = {
        let data = &body.constructs[construct];
        (data.entry, data.exit, data.pos)
    };
    let is_inside = |block: &Block| body.blocks[*block].construct == Some(construct);
    let (inner, outer): (Vec<Block>, Vec<Block>) =
        predecessors_of(body, entry).into_iter().partition(is_inside);
    let mut leaving = predecessors_of(body, exit);
    leaving.retain(is_inside);
    if !inner.is_empty() || outer.is_empty() || leaving.is_empty() {
        return None;
    }
    split_edges(body, &outer, entry, pos);
    let after = split_edges(body, &leaving, exit, pos);
    body.constructs[construct].exit = after;

    let cfg = Cfg::new(body);
    let finder = Finder { body, nest: Nest::new(body), dominators: Dominators::new(&cfg), cfg };
    let blocks = body.construct_blocks(construct);
    let around = body.blocks[entry].loop_;
    let last = finder.dominators.immediate(after)?;
    // Code that control does not reach belongs to no part.
    let is_whole = blocks.iter().all(|&block| finder.cfg.is_reachable(block));
    let parts = if is_whole { finder.parts(&blocks, (entry, last), around)? } else { return None };
    let Finder { nest, .. } = finder;
    Some(Layout { parts, nest })
}

/// The outermost parallel loops.
pub fn nests(parts: &[Part]) -> Vec<Loop> {
    parts
        .iter()
        .flat_map(|part| match &part.then {
            Then::Nest(loop_) => vec![*loop_],
            Then::Loop(_, parts) => nests(parts),
            Then::End => Vec::new(),
        })
        .collect()
}

struct Finder<'a> {
    body: &'a Body,
    nest: Nest,
    dominators: Dominators,
    cfg: Cfg,
}

impl Finder<'_> {
    /// The parts of some blocks, which all ways enter at `first` and leave from `last`; `around` is the
    /// innermost loop around them.
    fn parts(
        &self,
        blocks: &[Block],
        (first, last): (Block, Block),
        around: Option<Loop>,
    ) -> Option<Vec<Part>> {
        let mut spine = vec![last];
        while let Some(&at) = spine.last()
            && at != first
        {
            spine.push(self.dominators.immediate(at)?);
        }
        spine.reverse();
        let (mut parts, mut straight) = (Vec::new(), Vec::new());
        for (n, &at) in spine.iter().enumerate() {
            let belongs = |block: &Block| {
                self.dominators.dominates(at, *block)
                    && spine.get(n + 1).is_none_or(|&next| !self.dominators.dominates(next, *block))
            };
            let region: Vec<Block> = blocks.iter().copied().filter(belongs).collect();
            let inner = self.body.blocks[at].loop_.filter(|&loop_| Some(loop_) != around);
            // Code that a `goto` has made a circle of, which is no loop of the tree, has no order.
            let is_parallel =
                |loop_: Loop| self.body.loops[loop_].is_partitioned() || self.holds_parallel(loop_);
            let goes_on = |to: Block| {
                !blocks.contains(&to)
                    || self.dominators.dominates(at, to) && (to != at || inner.is_some_and(is_parallel))
            };
            let goes_back = |block: &Block| {
                let targets = self.body.blocks[*block].term.targets();
                targets.into_iter().any(|to| !goes_on(to))
            };
            if region.iter().any(goes_back) {
                return None;
            }
            match inner {
                Some(loop_) if is_parallel(loop_) => {
                    let data = &self.body.loops[loop_];
                    let is_whole = region
                        .iter()
                        .all(|&block| self.body.loop_is_within(self.body.blocks[block].loop_, loop_));
                    if data.header != at || data.parent != around || !is_whole || self.has_other_exits(loop_)
                    {
                        return None;
                    }
                    let then = if self.body.loops[loop_].is_partitioned() {
                        Then::Nest(loop_)
                    } else {
                        let inside: Vec<Block> = region.into_iter().filter(|&block| block != at).collect();
                        Then::Loop(loop_, self.parts(&inside, (data.body, data.latch), Some(loop_))?)
                    };
                    parts.push(Part { straight: std::mem::take(&mut straight), then });
                }
                _ => {
                    let has_nest = |&block: &Block| {
                        let loops = self.body.loops_around(self.body.blocks[block].loop_);
                        loops
                            .take_while(|&at| Some(at) != around)
                            .any(|at| self.body.loops[at].is_partitioned())
                    };
                    if region.iter().any(has_nest) {
                        return None;
                    }
                    straight.push(region);
                }
            }
        }
        parts.push(Part { straight, then: Then::End });
        // In front of every loop is its preheader, and at the end the exit or latch of one.
        parts.iter().all(|part| !part.straight.is_empty()).then_some(parts)
    }

    fn holds_parallel(&self, loop_: Loop) -> bool {
        self.nest.inside(loop_).into_iter().any(|inner| self.body.loops[inner].is_partitioned())
    }

    /// Whether control leaves a loop otherwise than from its header, the function included.
    fn has_other_exits(&self, loop_: Loop) -> bool {
        !self.nest.exits(self.body, loop_).is_empty() || self.nest.ends_within(self.body, loop_)
    }
}
