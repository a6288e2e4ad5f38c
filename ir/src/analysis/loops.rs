//! Facts about the loop tree: which loops and constructs are alive, which loops are around a block, and the
//! tree from the outside in.
//!
//! A loop or construct has no "deleted" mark: it is *alive* while a block of the layout belongs to it (or to
//! a loop inside it). A pass that dissolves a loop takes its blocks out of it and is done; ids of dead loops
//! stay, and nothing looks at their data again.

use crate::acc::LoopDirective;
use crate::entities::{Block, Construct, Loop, map_below};
use crate::function::Body;
use cranelift_entity::EntitySet;
use cranelift_entity::SecondaryMap;

/// Which entities of a body count.
#[derive(Clone, Debug)]
pub struct LiveEntities {
    /// Blocks in the layout.
    pub blocks: EntitySet<Block>,
    /// Loops that a block of the layout belongs to, and their parents.
    pub loops: EntitySet<Loop>,
    /// Constructs that a block of the layout belongs to.
    pub constructs: EntitySet<Construct>,
}

impl Body {
    /// Which blocks, loops and constructs are alive. Ids out of range are skipped.
    pub fn live_entities(&self) -> LiveEntities {
        let mut live = LiveEntities {
            blocks: EntitySet::with_capacity(self.blocks.len()),
            loops: EntitySet::with_capacity(self.loops.len()),
            constructs: EntitySet::with_capacity(self.constructs.len()),
        };
        // Most blocks are where the one before them in the layout is.
        let mut last = (None, None);
        for &block in &self.order {
            let Some(data) = self.blocks.get(block) else { continue };
            live.blocks.insert(block);
            if std::mem::replace(&mut last, (data.loop_, data.construct)) == (data.loop_, data.construct) {
                continue;
            }
            for loop_ in self.loops_around(data.loop_) {
                if !live.loops.insert(loop_) {
                    break;
                }
            }
            for construct in self.constructs_around(data.construct) {
                if !live.constructs.insert(construct) {
                    break;
                }
            }
        }
        live
    }

    /// The loops that are alive, in order of their numbers.
    pub fn live_loops(&self) -> Vec<Loop> {
        let mut is_live: SecondaryMap<Loop, bool> = map_below(self.loops.len());
        let mut last = None;
        for block in self.order.iter().filter_map(|&block| self.blocks.get(block)) {
            if std::mem::replace(&mut last, block.loop_) == block.loop_ {
                continue;
            }
            for loop_ in self.loops_around(block.loop_) {
                if std::mem::replace(&mut is_live[loop_], true) {
                    break;
                }
            }
        }
        self.loops.keys().filter(|&loop_| is_live[loop_]).collect()
    }

    /// The constructs that are alive, in order of their numbers.
    pub fn live_constructs(&self) -> Vec<Construct> {
        let mut is_live: SecondaryMap<Construct, bool> = map_below(self.constructs.len());
        let mut last = None;
        for block in self.order.iter().filter_map(|&block| self.blocks.get(block)) {
            if std::mem::replace(&mut last, block.construct) == block.construct {
                continue;
            }
            for construct in self.constructs_around(block.construct) {
                if std::mem::replace(&mut is_live[construct], true) {
                    break;
                }
            }
        }
        self.constructs.keys().filter(|&construct| is_live[construct]).collect()
    }

    /// The blocks of a construct, in the order of the layout.
    pub fn construct_blocks(&self, construct: Construct) -> Vec<Block> {
        let is_inside = |block: &Block| self.blocks[*block].construct == Some(construct);
        self.order.iter().copied().filter(is_inside).collect()
    }

    /// The same of all constructs: to look through the layout for each takes a time that grows with the
    /// square of a function's length.
    pub fn blocks_of_constructs(&self) -> SecondaryMap<Construct, Vec<Block>> {
        let mut found: SecondaryMap<Construct, Vec<Block>> = map_below(self.constructs.len());
        for &block in &self.order {
            if let Some(construct) = self.blocks[block].construct {
                found[construct].push(block);
            }
        }
        found
    }

    /// A construct and those around it, innermost first; stops at an id out of range and at a parent that is
    /// not older.
    pub fn constructs_around(&self, innermost: Option<Construct>) -> impl Iterator<Item = Construct> + '_ {
        let mut next = innermost;
        std::iter::from_fn(move || {
            let construct = next?;
            let data = self.constructs.get(construct)?;
            next = data.parent.filter(|&parent| parent < construct);
            Some(construct)
        })
    }

    /// Whether code whose innermost construct is `inner` belongs to a construct.
    pub fn construct_is_within(&self, inner: Option<Construct>, construct: Construct) -> bool {
        self.constructs_around(inner).any(|around| around == construct)
    }

    /// A loop and its parents, innermost first; stops at an id out of range and at a parent that is not
    /// older.
    pub fn loops_around(&self, innermost: Option<Loop>) -> impl Iterator<Item = Loop> + '_ {
        let mut next = innermost;
        std::iter::from_fn(move || {
            let loop_ = next?;
            let data = self.loops.get(loop_)?;
            next = data.parent.filter(|parent| *parent < loop_);
            Some(loop_)
        })
    }

    /// The loop whose `collapse` or `tile` takes in an inner loop, which has no directive of its own, and the
    /// directive.
    pub fn associated(&self, inner: Loop) -> Option<(Loop, &LoopDirective)> {
        let parents = self.loops_around(self.loops[inner].parent);
        let (depth, outer) = parents.enumerate().find(|&(_, outer)| self.loops[outer].directive.is_some())?;
        let directive = self.loops[outer].directive.as_ref()?;
        (depth + 1 < directive.collapse as usize).then_some((outer, directive))
    }

    /// A loop and so many loops in all, one in the other, outermost first; `None` if they are not nested like
    /// that, or not counted.
    pub fn nest_of(&self, outermost: Loop, depth: usize) -> Option<Vec<Loop>> {
        let mut nest = vec![outermost];
        while nest.len() < depth {
            let mut inside = self.loops.keys().filter(|&at| self.loops[at].parent == nest.last().copied());
            let next = inside.next().filter(|_| inside.next().is_none())?;
            nest.push(next);
        }
        nest.iter().all(|&loop_| self.loops[loop_].induction.is_some()).then_some(nest)
    }

    /// Whether `inner` is `outer` or nested in it.
    pub fn loop_is_within(&self, mut inner: Option<Loop>, outer: Loop) -> bool {
        // Parents are older.
        while let Some(loop_) = inner.filter(|&loop_| loop_ >= outer) {
            let Some(data) = self.loops.get(loop_) else { return false };
            if loop_ == outer {
                return true;
            }
            inner = data.parent.filter(|&parent| parent < loop_);
        }
        false
    }
}

/// Loops by parent, and blocks by innermost loop.
#[derive(Debug)]
pub struct Nest {
    children: Lists<Loop>,
    own: Lists<Block>,
}

impl Nest {
    /// Of a body as it is now.
    pub fn new(body: &Body) -> Nest {
        let children = || body.loops.iter().filter_map(|(loop_, data)| Some((data.parent?, loop_)));
        let own = || body.order.iter().filter_map(|&block| Some((body.blocks[block].loop_?, block)));
        Nest { children: Lists::of(body, children), own: Lists::of(body, own) }
    }

    /// The loops inside a loop, at any depth, itself not included; outer before inner.
    pub fn inside(&self, loop_: Loop) -> Vec<Loop> {
        let mut list = self.children.get(loop_).to_vec();
        let mut next = 0;
        while next < list.len() {
            list.extend_from_slice(self.children.get(list[next]));
            next += 1;
        }
        list
    }

    /// The blocks of a loop without those of inner loops, in layout order.
    pub fn own(&self, loop_: Loop) -> &[Block] {
        self.own.get(loop_)
    }

    /// The edges that leave a loop other than at its exit, for other code of the body: those of `break`, not
    /// of `return`.
    pub fn exits(&self, body: &Body, loop_: Loop) -> Vec<(Block, Block)> {
        let data = &body.loops[loop_];
        let mut exits = Vec::new();
        for block in self.blocks(loop_) {
            let from = body.blocks[block].loop_;
            body.blocks[block].term.successors(|to| {
                let target = body.blocks[to].loop_;
                let stays = target == from || body.loop_is_within(target, loop_);
                if !stays && (block, to) != (data.header, data.exit) {
                    exits.push((block, to));
                }
            });
        }
        exits
    }

    /// Whether the function or the program may end in a loop.
    pub fn ends_within(&self, body: &Body, loop_: Loop) -> bool {
        self.blocks(loop_).iter().any(|&block| body.blocks[block].term.targets().is_empty())
    }

    /// The blocks of a loop, those of inner loops included.
    pub fn blocks(&self, loop_: Loop) -> Vec<Block> {
        let inside = self.inside(loop_);
        let count = inside.iter().map(|&inner| self.own.get(inner).len()).sum::<usize>();
        let mut list = Vec::with_capacity(self.own.get(loop_).len() + count);
        list.extend_from_slice(self.own.get(loop_));
        inside.iter().for_each(|&inner| list.extend_from_slice(self.own.get(inner)));
        list
    }
}

/// A list for each loop, all in one piece of memory.
#[derive(Debug)]
struct Lists<T> {
    all: Vec<T>,
    places: SecondaryMap<Loop, [u32; 2]>,
}

impl<T: Copy> Lists<T> {
    /// Of elements with their loops: those of a loop in their order.
    fn of<I: Iterator<Item = (Loop, T)>>(body: &Body, elements: impl Fn() -> I) -> Lists<T> {
        let mut places: SecondaryMap<Loop, [u32; 2]> = map_below(body.loops.len());
        elements().for_each(|(loop_, _)| places[loop_][1] += 1);
        let mut start = 0;
        for place in places.values_mut() {
            let count = std::mem::replace(place, [start; 2])[1];
            start += count;
        }
        let Some((_, first)) = elements().next() else { return Lists { all: Vec::new(), places } };
        let mut all = vec![first; start as usize];
        for (loop_, element) in elements() {
            let [_, end] = &mut places[loop_];
            all[*end as usize] = element;
            *end += 1;
        }
        Lists { all, places }
    }

    fn get(&self, loop_: Loop) -> &[T] {
        let [start, end] = self.places[loop_];
        &self.all[start as usize..end as usize]
    }
}
