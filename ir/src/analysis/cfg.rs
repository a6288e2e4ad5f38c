//! Facts about the control-flow graph: reachable blocks, predecessors, orders, dominators, natural loops.

use crate::entities::{Block, map_below, set_of};
use crate::function::Body;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use smallvec::SmallVec;
use std::cmp::Ordering;

impl Body {
    /// The blocks that may stand in the layout: those control reaches from the entry, and those that a loop
    /// or construct with such a block names (the latch of a loop that always breaks, say), and the blocks
    /// after them.
    pub fn reachable(&self) -> EntitySet<Block> {
        let mut reached = EntitySet::with_capacity(self.blocks.len());
        let mut loops = EntitySet::with_capacity(self.loops.len());
        let mut constructs = EntitySet::with_capacity(self.constructs.len());
        let mut work: Vec<Block> = self.order.first().copied().into_iter().collect();
        while let Some(block) = work.pop() {
            let Some(data) = self.blocks.get(block) else { continue };
            if !reached.insert(block) {
                continue;
            }
            data.term.successors(|next| work.push(next));
            for loop_ in self.loops_around(data.loop_) {
                if !loops.insert(loop_) {
                    break;
                }
                let data = &self.loops[loop_];
                work.extend([data.preheader, data.header, data.body, data.latch, data.exit]);
            }
            for construct in self.constructs_around(data.construct) {
                if !constructs.insert(construct) {
                    break;
                }
                let data = &self.constructs[construct];
                work.extend([data.entry, data.exit]);
            }
        }
        reached
    }
}

/// Edges and orders of a body's graph, as it was when this was made.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Predecessors, those of a block together, and where they are.
    preds: Vec<Block>,
    preds_of: SecondaryMap<Block, [u32; 2]>,
    rpo: Vec<Block>,
    unreached: Vec<Block>,
    number: SecondaryMap<Block, u32>,
}

/// [`Cfg::number`] of a block that control does not reach.
const UNREACHED: u32 = u32::MAX;
/// The same of one in the layout, before it is known whether control reaches it, and before its place is.
const LEFT: u32 = UNREACHED - 1;
const FOUND: u32 = UNREACHED - 2;

impl Cfg {
    /// The graph of a body whose block ids are in range. Edges out of detached blocks do not count.
    pub fn new(body: &Body) -> Cfg {
        let edges = Edges::of(body);
        let (preds, preds_of) = edges.predecessors(body);
        let mut number = SecondaryMap::with_default(UNREACHED);
        number.resize(body.blocks.len());
        // A jump out of the layout is the verifier's to report; it must not lead anywhere here.
        body.order.iter().for_each(|&block| number[block] = LEFT);
        let mut rpo = Vec::with_capacity(body.order.len());
        if let Some(&entry) = body.order.first() {
            edges.postorder(entry, &mut number, &mut rpo);
        }
        rpo.reverse();
        for (i, &block) in rpo.iter().enumerate() {
            number[block] = i as u32;
        }
        let unreached: Vec<Block> =
            body.order.iter().copied().filter(|block| number[*block] == LEFT).collect();
        unreached.iter().for_each(|&block| number[block] = UNREACHED);
        Cfg { preds, preds_of, rpo, unreached, number }
    }

    /// The blocks with an edge to this one, each once.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        let [start, end] = self.preds_of[block];
        &self.preds[start as usize..end as usize]
    }

    /// The blocks control reaches from the entry, in reverse postorder: a block comes before its successors,
    /// save along back edges.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.rpo
    }

    /// The blocks of the layout that control does not reach, in layout order.
    pub fn unreached(&self) -> &[Block] {
        &self.unreached
    }

    /// Whether control reaches the block from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.number[block] != UNREACHED
    }

    /// Whether a block comes before another one, or is it, in reverse postorder: an edge from the other one
    /// to it is a back edge.
    pub fn is_no_later(&self, block: Block, other: Block) -> bool {
        self.number[block] <= self.number[other]
    }

    /// Which of two blocks comes first in reverse postorder.
    pub fn in_order(&self, a: Block, b: Block) -> Ordering {
        self.number[a].cmp(&self.number[b])
    }

    /// The blocks of the natural loop of a back edge: those that reach `latch` without passing `header`, and
    /// both. `header` comes first.
    pub fn natural_loop(&self, header: Block, latch: Block) -> Vec<Block> {
        let mut blocks = vec![header];
        let mut seen = set_of(blocks.iter().copied());
        let mut work = vec![latch];
        while let Some(block) = work.pop() {
            if seen.insert(block) {
                blocks.push(block);
                work.extend_from_slice(self.predecessors(block));
            }
        }
        blocks
    }

    /// The natural loops of the graph, each in front of those inside of it: one for each block that dominates
    /// a block in front of it.
    pub fn natural_loops(&self) -> Vec<NaturalLoop> {
        let mut edges = Vec::new();
        for &header in &self.rpo {
            let leads_back = |&from: &Block| self.number[from] != UNREACHED && self.is_no_later(header, from);
            let before = self.predecessors(header).iter().copied().filter(leads_back);
            edges.extend(before.map(|latch| (header, latch)));
        }
        if edges.is_empty() {
            return Vec::new();
        }
        let dominators = Dominators::new(self);
        let mut loops: Vec<NaturalLoop> = Vec::new();
        for (header, latch) in
            edges.into_iter().filter(|&(header, latch)| dominators.dominates(header, latch))
        {
            let blocks = self.natural_loop(header, latch);
            match loops.last_mut().filter(|last| last.header == header) {
                Some(last) => {
                    last.latches.push(latch);
                    last.blocks.extend(blocks);
                }
                None => loops.push(NaturalLoop { header, latches: vec![latch], blocks: set_of(blocks) }),
            }
        }
        loops.sort_by_key(|found| std::cmp::Reverse(found.blocks.iter().count()));
        loops
    }
}

/// A loop of a graph, whether a body lists it or not.
#[derive(Clone, Debug)]
pub struct NaturalLoop {
    /// The block through which control enters it.
    pub header: Block,
    /// The blocks that lead back there.
    pub latches: Vec<Block>,
    /// All of its blocks, the header among them.
    pub blocks: EntitySet<Block>,
}

/// The blocks of the layout with an edge to a block, each once and in order: for one who asks about a block
/// or two, which is not worth a [`Cfg`].
pub fn predecessors_of(body: &Body, block: Block) -> Vec<Block> {
    body.order.iter().copied().filter(|&from| body.blocks[from].term.leads_to(block)).collect()
}

/// The edges between the blocks of the layout, each once.
struct Edges {
    /// Both ends, those out of a block together, in the order of the layout and of its successors.
    list: Vec<(Block, Block)>,
    /// Where those out of a block are.
    out_of: Vec<[u32; 2]>,
}

impl Edges {
    fn of(body: &Body) -> Edges {
        let mut list: Vec<(Block, Block)> = Vec::with_capacity(2 * body.order.len());
        let mut out_of = vec![[0; 2]; body.blocks.len()];
        // One more than the place of the last block that led to a block: several edges between two blocks
        // count once.
        let mut last = vec![0; body.blocks.len()];
        for (place, &block) in (1..).zip(&body.order) {
            let start = list.len() as u32;
            body.blocks[block].term.successors(|to| {
                if std::mem::replace(&mut last[to.index()], place) != place {
                    list.push((block, to));
                }
            });
            out_of[block.index()] = [start, list.len() as u32];
        }
        Edges { list, out_of }
    }

    /// The blocks with an edge to each block, those of a block together and in layout order, and where they
    /// are.
    fn predecessors(&self, body: &Body) -> (Vec<Block>, SecondaryMap<Block, [u32; 2]>) {
        let mut places: SecondaryMap<Block, [u32; 2]> = map_below(body.blocks.len());
        self.list.iter().for_each(|&(_, to)| places[to][1] += 1);
        let mut start = 0;
        for place in places.values_mut() {
            let count = std::mem::replace(place, [start; 2])[1];
            start += count;
        }
        let mut preds = vec![Block::from_u32(0); self.list.len()];
        for &(from, to) in &self.list {
            let [_, end] = &mut places[to];
            preds[*end as usize] = from;
            *end += 1;
        }
        (preds, places)
    }

    /// Appends what control reaches of the blocks that are left, and marks it as found.
    fn postorder(&self, entry: Block, number: &mut SecondaryMap<Block, u32>, out: &mut Vec<Block>) {
        number[entry] = FOUND;
        let mut stack = Vec::with_capacity(self.out_of.len().min(64));
        stack.push((entry, self.out_of[entry.index()]));
        while let Some((block, [next, end])) = stack.last_mut() {
            if next == end {
                out.push(*block);
                stack.pop();
                continue;
            }
            let (_, target) = self.list[*next as usize];
            *next += 1;
            if number[target] == LEFT {
                number[target] = FOUND;
                stack.push((target, self.out_of[target.index()]));
            }
        }
    }
}

/// The dominator tree of the blocks that control reaches.
#[derive(Clone, Debug)]
pub struct Dominators {
    parent: SecondaryMap<Block, Option<Block>>,
    // Entry and exit times of a walk over the tree: a block dominates those whose interval lies in its own.
    interval: SecondaryMap<Block, (u32, u32)>,
}

impl Dominators {
    /// Computes the tree by iteration over reverse postorder (Cooper, Harvey, Kennedy), which settles in two
    /// rounds on reducible graphs.
    pub fn new(cfg: &Cfg) -> Dominators {
        // Everything by number in reverse postorder; the entry is its own dominator while computing.
        let count = cfg.rpo.len();
        let mut idom = vec![UNREACHED; count];
        if count > 0 {
            idom[0] = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (i, &block) in cfg.rpo.iter().enumerate().skip(1) {
                let mut new = UNREACHED;
                for pred in cfg.predecessors(block) {
                    let pred = cfg.number[*pred];
                    if pred == UNREACHED || idom[pred as usize] == UNREACHED {
                        continue;
                    }
                    new = if new == UNREACHED { pred } else { meet(&idom, new, pred) };
                }
                if idom[i] != new {
                    idom[i] = new;
                    changed = true;
                }
            }
        }
        Dominators::from_tree(cfg, &idom)
    }

    fn from_tree(cfg: &Cfg, idom: &[u32]) -> Dominators {
        let mut children: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); idom.len()];
        let blocks = cfg.rpo.iter().map(|block| block.index() + 1).max().unwrap_or(0);
        let mut parent: SecondaryMap<Block, Option<Block>> = map_below(blocks);
        for (i, &dominator) in idom.iter().enumerate().skip(1) {
            children[dominator as usize].push(i as u32);
            parent[cfg.rpo[i]] = Some(cfg.rpo[dominator as usize]);
        }
        let mut interval: SecondaryMap<Block, (u32, u32)> = map_below(blocks);
        let mut time = 0;
        let mut stack: Vec<(u32, usize)> = Vec::with_capacity(idom.len().min(64));
        if !idom.is_empty() {
            stack.push((0, 0));
        }
        while let Some((node, next)) = stack.last_mut() {
            let block = cfg.rpo[*node as usize];
            if *next == 0 {
                time += 1;
                interval[block] = (time, time);
            }
            match children[*node as usize].get(*next).copied() {
                Some(child) => {
                    *next += 1;
                    stack.push((child, 0));
                }
                None => {
                    interval[block].1 = time;
                    stack.pop();
                }
            }
        }
        Dominators { parent, interval }
    }

    /// The closest other block that control passes on every way to this one; `None` for the entry and for
    /// blocks control does not reach.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.parent[block]
    }

    /// Whether control passes `a` on every way to `b`; a block dominates itself. False if either is not
    /// reached.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let ((start, end), (inner, _)) = (self.interval[a], self.interval[b]);
        start != 0 && start <= inner && inner <= end
    }
}

fn meet(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::builder::Cursor;
    use crate::op::Operand;
    use crate::types::Type;

    /// A body with one block per list of successors.
    pub(crate) fn graph(edges: &[&[u32]]) -> Body {
        let mut body = Body::default();
        let cond = Operand::Local(body.temp(Type::I1));
        for _ in edges {
            body.block();
        }
        for (i, targets) in edges.iter().enumerate() {
            let mut c = Cursor::new(&mut body, Block::from_u32(i as u32));
            match targets {
                [] => c.ret(None),
                [a] => c.jump(Block::from_u32(*a)),
                [a, b] => c.branch(cond, Block::from_u32(*a), Block::from_u32(*b)),
                more => panic!("too many successors: {more:?}"),
            }
        }
        body
    }

    #[test]
    fn natural_loops_come_from_the_outside_in_with_all_their_latches() {
        let loops = |edges: &[&[u32]]| -> Vec<(u32, Vec<u32>, Vec<u32>)> {
            let found = Cfg::new(&graph(edges)).natural_loops();
            let numbers = |blocks: Vec<Block>| {
                let mut numbers: Vec<u32> = blocks.into_iter().map(|block| block.as_u32()).collect();
                numbers.sort_unstable();
                numbers
            };
            found
                .into_iter()
                .map(|NaturalLoop { header, latches, blocks }| {
                    (header.as_u32(), numbers(latches), numbers(blocks.iter().collect()))
                })
                .collect()
        };
        assert_eq!(loops(&[&[1], &[2, 5], &[3, 4], &[1], &[1], &[]]), [(1, vec![3, 4], vec![1, 2, 3, 4])]);
        // A loop of one block inside of another one.
        assert_eq!(
            loops(&[&[1], &[2], &[2, 3], &[1, 4], &[]]),
            [(1, vec![3], vec![1, 2, 3]), (2, vec![2], vec![2])]
        );
        // Two entries into a cycle; a block that is not reached leads back.
        assert_eq!(loops(&[&[1, 2], &[2], &[1, 3], &[]]), []);
        assert_eq!(loops(&[&[1, 2], &[4], &[4], &[1], &[]]), []);
    }

    #[test]
    fn dominators_agree_with_removal_of_blocks() {
        let graphs: [&[&[u32]]; 4] = [
            &[&[1], &[2, 5], &[3, 4], &[1], &[1], &[]],
            &[&[1, 2], &[3], &[3], &[4, 6], &[5], &[4, 3], &[]],
            // Irreducible: two entries into a cycle.
            &[&[1, 2], &[2], &[1, 3], &[]],
            // Block 3 is not reached.
            &[&[1, 2], &[4], &[4], &[1], &[]],
        ];
        for edges in graphs {
            let body = graph(edges);
            let cfg = Cfg::new(&body);
            let dominators = Dominators::new(&cfg);
            for a in body.blocks.keys() {
                // What the entry still reaches when control may not pass `a`.
                let mut seen = set_of([a]);
                let mut work = vec![body.entry()];
                while let Some(block) = work.pop() {
                    if seen.insert(block) {
                        work.extend(body.blocks[block].term.targets());
                    }
                }
                for b in body.blocks.keys() {
                    let reached = cfg.is_reachable(a) && cfg.is_reachable(b);
                    let expected = reached && (a == b || !seen.contains(b));
                    assert_eq!(dominators.dominates(a, b), expected, "{a} dominates {b} in {edges:?}");
                }
            }
        }
    }

    #[test]
    fn orders_and_loops() {
        let body = graph(&[&[1], &[2, 4], &[3], &[1], &[], &[4]]);
        let cfg = Cfg::new(&body);
        let b = Block::from_u32;
        assert_eq!(cfg.reverse_postorder().len(), 5);
        assert_eq!(cfg.unreached(), [b(5)]);
        assert_eq!(cfg.predecessors(b(1)), [b(0), b(3)]);
        let mut blocks = cfg.natural_loop(b(1), b(3));
        blocks.sort();
        assert_eq!(blocks, [b(1), b(2), b(3)]);
    }
}
