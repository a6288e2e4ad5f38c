//! Copies of code: of operations and of blocks within their body ([`recompute`], [`BlockCopies`]), and of a
//! body within another ([`BodyCopy`]).

use super::rename::Rename;
use crate::builder::Cursor;
use crate::entities::{Block, Construct, Local, Loop, Red, Slot};
use crate::function::{BlockData, Body, LocalData, LoopData, SlotData};
use crate::op::{Inst, Op, Operand, Pos};
use crate::visit::PartMut;
use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};

/// Writes operations once more, with temporaries for their results: the bound of a loop before the loop, for
/// instance, without touching what the loop itself assigns. Tells which temporary stands for which local.
pub fn recompute<'a>(cursor: &mut Cursor<'_>, ops: impl IntoIterator<Item = &'a Op>) -> Rename {
    let mut copies = Rename::default();
    for op in ops {
        let mut op = op.clone();
        op.map_operands(|operand| copies.operand(operand));
        op.map_defs(|local| {
            let copy = cursor.temp(cursor.body.locals[local].ty);
            copies.locals.insert(local, copy);
            copy
        });
        cursor.op(op);
    }
    copies
}

/// Blocks that do again what some blocks of the same body do, to the same locals.
///
/// Only the graph is copied. Operations keep the ids that they name, so that the blocks must not name what
/// may occur once only: a loop (`head`, `fork`), a reduction (`fini`).
#[derive(Debug)]
pub struct BlockCopies {
    /// In the order of the originals.
    pairs: Vec<(Block, Block)>,
    by_original: FxHashMap<Block, Block>,
}

impl BlockCopies {
    /// New blocks outside of the layout, which are empty until [`BlockCopies::fill`].
    pub fn new(body: &mut Body, originals: &[Block]) -> BlockCopies {
        let pairs: Vec<(Block, Block)> =
            originals.iter().map(|&original| (original, body.detached_block())).collect();
        let by_original = pairs.iter().copied().collect();
        BlockCopies { pairs, by_original }
    }

    /// The copies, in the order of the originals.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.pairs.iter().map(|&(_, copy)| copy)
    }

    /// The copy of a block; a block without a copy stands for itself.
    pub fn of(&self, block: Block) -> Block {
        self.by_original.get(&block).copied().unwrap_or(block)
    }

    /// Writes the copies, as blocks of a loop. Edges between originals lead from copy to copy; `outside` says
    /// where other edges lead, for instance from the latch not to the header but to the next copy of the
    /// body.
    pub fn fill(&self, body: &mut Body, loop_: Option<Loop>, outside: impl Fn(Block) -> Block) {
        for &(original, copy) in &self.pairs {
            let mut data = body.blocks[original].clone();
            data.loop_ = loop_;
            data.term.map_successors(|to| self.by_original.get(&to).copied().unwrap_or_else(|| outside(to)));
            body.blocks[copy] = data;
        }
    }

    /// Leaves instructions out of the copies, once [`BlockCopies::fill`] has written these: all but those
    /// that are wanted of the originals.
    pub fn keep(&self, body: &mut Body, wanted: &FxHashSet<(Block, usize)>) {
        for &(original, copy) in &self.pairs {
            let mut numbers = 0..;
            body.blocks[copy]
                .insts
                .retain(|_| numbers.next().is_some_and(|n| wanted.contains(&(original, n))));
        }
    }

    /// Copies loops whose blocks have copies, those around before those inside, once [`BlockCopies::fill`]
    /// has written the blocks, which are then blocks of these loops. A loop whose parent is not copied keeps
    /// it, and blocks of it without a copy stay those of the copy, unless `of_copy` changes what is known of
    /// the copy of a loop. Tells which loop is a copy of which.
    pub fn copy_loops(
        &self,
        body: &mut Body,
        loops: &[Loop],
        mut of_copy: impl FnMut(Loop, &mut LoopData),
    ) -> FxHashMap<Loop, Loop> {
        let mut copies: FxHashMap<Loop, Loop> = FxHashMap::default();
        for &original in loops {
            let mut data = body.loops[original].clone();
            data.parent = data.parent.map(|parent| copies.get(&parent).copied().unwrap_or(parent));
            data.map_blocks(|block| self.of(block));
            of_copy(original, &mut data);
            copies.insert(original, body.loops.push(data));
        }
        for &(original, copy) in &self.pairs {
            if let Some(&of) = body.blocks[original].loop_.and_then(|of| copies.get(&of)) {
                body.blocks[copy].loop_ = Some(of);
            }
        }
        copies
    }
}

/// What the entities of a body are called in another body that contains a copy of it.
///
/// Locals, slots, loops and reductions are numbered behind those of the containing body. Code of the copied
/// body that is in no loop is in the loop around the place of the copy, and the entry goes on in the block at
/// that place.
#[derive(Debug)]
pub struct BodyCopy {
    /// The copy of each local.
    values: Vec<Operand>,
    /// The distance from the number of a local, slot, loop or reduction to that of its copy.
    locals: usize,
    slots: usize,
    loops: usize,
    reductions: u32,
    blocks: Vec<Block>,
    /// The loop around the copy.
    around: Option<Loop>,
    /// The construct around the copy.
    construct: Option<Construct>,
    /// The position of code without one.
    pos: Pos,
}

impl BodyCopy {
    /// Makes room in `body` for everything of `from` but its loops and code. Code that has no position gets
    /// `pos`; variables keep their names if `has_names`.
    pub fn new(body: &mut Body, from: &Body, at: Block, pos: Pos, has_names: bool) -> BodyCopy {
        let mut copy = BodyCopy {
            values: Vec::with_capacity(from.locals.len()),
            locals: body.locals.len(),
            slots: body.slots.len(),
            loops: body.loops.len(),
            reductions: body.reductions,
            blocks: vec![at; from.blocks.len()],
            around: body.blocks[at].loop_,
            construct: body.blocks[at].construct,
            pos,
        };
        for data in from.locals.values() {
            let name = data.name.clone().filter(|_| has_names);
            // What `restrict` promises, it promises for one call of the copied function.
            let local = body.locals.push(LocalData { name, restrict: false, ..*data });
            copy.values.push(Operand::Local(local));
        }
        for data in from.slots.values() {
            let (name, declared_in) = (data.name.clone().filter(|_| has_names), copy.loop_(data.declared_in));
            body.slots.push(SlotData { name, restrict: false, declared_in, ..data.clone() });
        }
        body.reductions += from.reductions;
        for &block in from.order.iter().skip(1) {
            copy.blocks[block.index()] = copy.detached_in(body, copy.loop_(from.blocks[block].loop_));
        }
        copy
    }

    /// Lets a value of the containing body stand for a local that the copied code does not write.
    pub fn substitute(&mut self, local: Local, value: Operand) {
        self.values[local.index()] = value;
    }

    /// Adds the loops of the copied body. Not part of [`BodyCopy::new`], since bounds may be locals that are
    /// substituted.
    pub fn add_loops(&self, body: &mut Body, from: &Body) {
        for data in from.loops.values() {
            let mut data = data.clone();
            data.parts_mut(|part| self.part(part));
            data.parent = data.parent.or(self.around);
            body.loops.push(data);
        }
    }

    /// Appends the instructions of a block to `to`, and ends it alike.
    pub fn append(&self, body: &mut Body, from: &BlockData, to: Block) {
        let located = |pos: Pos| if pos.line == 0 { self.pos } else { pos };
        let data = &mut body.blocks[to];
        data.insts.extend(from.insts.iter().map(|inst| {
            let mut op = inst.op.clone();
            op.parts_mut(|part| self.part(part));
            Inst { op, pos: located(inst.pos) }
        }));
        data.term = from.term.clone();
        data.term.parts_mut(|part| self.part(part));
        data.term_pos = located(from.term_pos);
    }

    /// A new block outside of the layout, in the loop around the copy.
    pub fn block_around(&self, body: &mut Body) -> Block {
        self.detached_in(body, self.around)
    }

    /// The copy of a block of the layout.
    pub fn block(&self, block: Block) -> Block {
        self.blocks[block.index()]
    }

    /// The copy of an operand.
    pub fn operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Local(local) => self.values[local.index()],
            Operand::Slot(slot) => Operand::Slot(Slot::new(self.slots + slot.index())),
            Operand::Global(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {
                operand
            }
        }
    }

    /// Whether an operand is the address of a slot that came with the copy, or later.
    pub fn is_own_slot(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Slot(slot) if slot.index() >= self.slots)
    }

    fn loop_(&self, loop_: Option<Loop>) -> Option<Loop> {
        loop_.map_or(self.around, |loop_| Some(Loop::new(self.loops + loop_.index())))
    }

    fn detached_in(&self, body: &mut Body, loop_: Option<Loop>) -> Block {
        let block = body.detached_block();
        (body.blocks[block].loop_, body.blocks[block].construct) = (loop_, self.construct);
        block
    }

    fn part(&self, part: PartMut<'_>) {
        match part {
            PartMut::Value(operand) | PartMut::Variable(operand) => *operand = self.operand(*operand),
            PartMut::Address(address) => address.base = self.operand(address.base),
            PartMut::Def(local) | PartMut::NamedLocal(local) => {
                *local = Local::new(self.locals + local.index())
            }
            PartMut::Block(block) => *block = self.blocks[block.index()],
            PartMut::Loop(loop_) => *loop_ = Loop::new(self.loops + loop_.index()),
            PartMut::Red(red) => *red = Red::from_u32(self.reductions + red.as_u32()),
            PartMut::Func(_)
            | PartMut::Sig(_)
            | PartMut::Agg(_)
            | PartMut::Construct(_)
            | PartMut::Pos(_) => {}
        }
    }
}
