//! Liveness of locals.
//!
//! A local is live where its value may still be read. Annotations read too: the operands of a live loop (its
//! bounds, its directive) and the variables its clauses name are read at the loop's header, those of a
//! construct at its entry, those of a region's reductions at its entry and where it returns, and an access to
//! a mapped slot reads the parameter that holds its address.
//!
//! Most locals are temporaries of one block; only locals of several blocks take part in the data flow, which
//! keeps the sets small.

use super::cfg::Cfg;
use crate::bits::BitMatrix;
use crate::entities::{Block, Local, Loop, map_below, set_of};
use crate::function::{Body, SlotKind};
use crate::op::{Op, Operand, Terminator};
use crate::visit::Part;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};

/// Which locals are live at the borders of blocks.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: BitMatrix<Block, Local>,
    live_out: BitMatrix<Block, Local>,
    // Between dense numbers of the locals that cross blocks, which the sets hold, and the locals.
    crossing: Vec<Local>,
    dense: SecondaryMap<Local, Option<Local>>,
}

/// Every local that an operation reads, the address parameters of mapped slots included.
pub fn reads(body: &Body, op: &Op, mut visit: impl FnMut(Local)) {
    op.parts(|part| reads_of_part(body, part, &mut visit));
}

/// The local that a part of an operation reads, if it reads one.
pub fn reads_of_part(body: &Body, part: Part<'_>, visit: &mut impl FnMut(Local)) {
    let Some(operand) = part.used_operand() else { return };
    match operand {
        Operand::Local(local) => visit(local),
        Operand::Slot(slot) => match body.slots[slot].kind {
            SlotKind::Mapped(local) => visit(local),
            SlotKind::Frame
            | SlotKind::GangPrivate
            | SlotKind::GangCopy
            | SlotKind::WorkerPrivate
            | SlotKind::Reduction
            | SlotKind::Broadcast
            | SlotKind::Launch
            | SlotKind::GangScratch => {}
        },
        Operand::Global(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
    }
}

/// The locals that each block reads before it writes them, and those it writes: where the data flow begins,
/// and where it can end when only locals are asked about that stay within blocks.
#[derive(Clone, Debug)]
pub struct Summaries {
    /// Lists, one after the other.
    locals: Vec<Local>,
    /// The places of a block's locals: first those it reads, then those it writes.
    places: SecondaryMap<Block, [u32; 3]>,
    // Between dense numbers of the locals that may cross blocks and these.
    crossing: Vec<Local>,
    dense: SecondaryMap<Local, Option<Local>>,
}

impl Summaries {
    /// Those of the blocks of the layout.
    pub fn of(body: &Body) -> Summaries {
        Summaries::about(body, |_| true, annotation_reads(body))
    }

    /// The same, about some locals only, with what is read besides the code: blocks in order, and the locals.
    fn about(
        body: &Body,
        is_asked: impl Fn(Local) -> bool,
        mut annotations: Vec<(Block, Local)>,
    ) -> Summaries {
        annotations.sort_unstable_by_key(|(block, _)| *block);
        let mut summaries = Summaries {
            locals: Vec::with_capacity(2 * body.locals.len()),
            places: map_below(body.blocks.len()),
            crossing: Vec::new(),
            dense: map_below(body.locals.len()),
        };
        // Twice the place of the last block that read a local before it wrote it, one more for one that wrote
        // it.
        let mut seen = vec![0; body.locals.len()];
        let mut writes = Vec::new();
        for (place, &block) in body.order.iter().enumerate() {
            let reads = &mut summaries.locals;
            let start = reads.len() as u32;
            let read = 2 * (place as u32 + 1);
            let first = annotations.partition_point(|(place, _)| *place < block);
            let of_block = annotations[first..].iter().take_while(|(place, _)| *place == block);
            reads.extend(of_block.map(|(_, local)| *local).filter(|&local| is_asked(local)));
            // Parts come in order: the operands that an operation reads, then its destination.
            let mut on_write = |local: Local, seen: &mut [u32]| {
                if is_asked(local) && std::mem::replace(&mut seen[local.index()], read + 1) != read + 1 {
                    writes.push(local);
                }
            };
            let mut on_read = |local: Local, seen: &mut [u32]| {
                if is_asked(local) && seen[local.index()] < read {
                    seen[local.index()] = read;
                    reads.push(local);
                }
            };
            let data = &body.blocks[block];
            for inst in &data.insts {
                inst.op.parts(|part| match part {
                    Part::Def(local) => on_write(*local, &mut seen),
                    Part::Value(Operand::Local(local)) => on_read(*local, &mut seen),
                    part => reads_of_part(body, part, &mut |local| on_read(local, &mut seen)),
                });
            }
            data.term.parts(|part| reads_of_part(body, part, &mut |local| on_read(local, &mut seen)));
            let middle = summaries.locals.len() as u32;
            summaries.locals.append(&mut writes);
            summaries.places[block] = [start, middle, summaries.locals.len() as u32];
            for &local in &summaries.locals[start as usize..middle as usize] {
                if summaries.dense[local].is_none() {
                    summaries.dense[local] = Some(Local::from_u32(summaries.crossing.len() as u32));
                    summaries.crossing.push(local);
                }
            }
        }
        summaries
    }

    /// The locals that some block reads before it writes them, each once: no other is live at a border of
    /// blocks.
    pub fn crossing(&self) -> &[Local] {
        &self.crossing
    }

    /// Whether a local is one of those.
    pub fn crosses(&self, local: Local) -> bool {
        self.dense[local].is_some()
    }

    /// What a block reads before it writes it.
    pub fn reads(&self, block: Block) -> &[Local] {
        let [start, middle, _] = self.places[block];
        &self.locals[start as usize..middle as usize]
    }

    /// What a block writes.
    pub fn writes(&self, block: Block) -> &[Local] {
        let [_, middle, end] = self.places[block];
        &self.locals[middle as usize..end as usize]
    }
}

/// What live loops and constructs read, and the blocks where they do.
pub fn annotation_reads(body: &Body) -> Vec<(Block, Local)> {
    let mut found = Vec::new();
    for loop_ in body.live_loops() {
        let data = &body.loops[loop_];
        data.parts(|part| reads_of_part(body, part, &mut |local| found.push((data.header, local))));
    }
    for construct in body.live_constructs() {
        let data = &body.constructs[construct];
        data.parts(|part| reads_of_part(body, part, &mut |local| found.push((data.entry, local))));
    }
    if !body.region_reductions.is_empty() {
        let returns = |block: &Block| matches!(body.blocks[*block].term, Terminator::Return(_));
        for block in body.order[..1].iter().chain(body.order.iter().filter(|block| returns(block))).copied() {
            let clauses = body.region_reductions.iter();
            clauses.for_each(|clause| clause.uses(|local| found.push((block, local))));
        }
    }
    found
}

impl Liveness {
    /// Solves the data flow over all blocks of the layout.
    pub fn new(body: &Body, cfg: &Cfg) -> Liveness {
        Liveness::from_summaries(Summaries::of(body), body, cfg)
    }

    /// Of some locals only, which takes little memory where a body is large. Others are live nowhere.
    pub fn about(body: &Body, cfg: &Cfg, is_asked: impl Fn(Local) -> bool) -> Liveness {
        Liveness::from_summaries(Summaries::about(body, is_asked, annotation_reads(body)), body, cfg)
    }

    /// The same, from what is known of the blocks.
    pub fn from_summaries(summaries: Summaries, body: &Body, cfg: &Cfg) -> Liveness {
        let sets = || BitMatrix::new(body.blocks.len(), summaries.crossing.len());
        let (mut live_in, mut writes, live_out) = (sets(), sets(), sets());
        for &block in &body.order {
            let number = |local: &Local| summaries.dense[*local];
            live_in.extend(block, summaries.reads(block).iter().filter_map(number));
            writes.extend(block, summaries.writes(block).iter().filter_map(number));
        }
        let Summaries { crossing, dense, .. } = summaries;
        let mut live = Liveness { live_in, live_out, crossing, dense };
        live.solve(body, cfg, &mut writes);
        live
    }

    /// From what blocks read to what is live.
    fn solve(&mut self, body: &Body, cfg: &Cfg, writes: &mut BitMatrix<Block, Local>) {
        let words = (self.live_in.single_words(), self.live_out.single_words(), writes.single_words());
        if let (Some(live_in), Some(live_out), Some(writes)) = words {
            // Most bodies: a set is a number.
            return visit_backwards(body, cfg, |block| {
                let at = block.index();
                body.blocks[block].term.successors(|next| {
                    live_out[at] |= live_in.get(next.index()).copied().unwrap_or_default();
                });
                let new = live_in[at] | live_out[at] & !writes[at];
                std::mem::replace(&mut live_in[at], new) != new
            });
        }
        visit_backwards(body, cfg, |block| {
            body.blocks[block].term.successors(|next| {
                self.live_out.union_with(block, self.live_in.row(next));
            });
            self.live_in.union_without(block, self.live_out.row(block), writes.row(block))
        });
    }

    /// The locals that are live where the block begins, each once.
    pub fn live_in(&self, block: Block) -> impl Iterator<Item = Local> + '_ {
        self.live_in.iter(block).map(|dense| self.crossing[dense.as_u32() as usize])
    }

    /// The locals that are live where the block ends, after its terminator, each once.
    pub fn live_out(&self, block: Block) -> impl Iterator<Item = Local> + '_ {
        self.live_out.iter(block).map(|dense| self.crossing[dense.as_u32() as usize])
    }

    /// Whether some block reads a local before it writes it; no other one is live at a border of blocks.
    pub fn crosses(&self, local: Local) -> bool {
        self.dense[local].is_some()
    }

    /// Whether a local is live where the block begins.
    pub fn is_live_in(&self, local: Local, block: Block) -> bool {
        self.dense[local].is_some_and(|dense| self.live_in.contains(block, dense))
    }

    /// What an iteration of a loop computes for itself in these blocks: nothing reads it in a later iteration
    /// or behind the loop, wherever the loop is left to. A `return` in a function that stands in the place of
    /// its call leaves to another block than the loop's exit, and so does a `goto`.
    pub fn own_of(&self, body: &Body, loop_: Loop, blocks: &[Block]) -> Vec<Local> {
        let header = body.loops[loop_].header;
        let inside = set_of(blocks.iter().copied());
        let mut behind = set_of([header, body.loops[loop_].exit]);
        for &block in blocks {
            body.blocks[block].term.successors(|to| _ = !inside.contains(to) && behind.insert(to));
        }
        let is_live_behind = |local| behind.iter().any(|block| self.is_live_in(local, block));
        let mut own: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
        let mut listed = Vec::new();
        for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
            inst.op.defs(|local| {
                if !is_live_behind(local) && own.insert(local) {
                    listed.push(local);
                }
            });
        }
        listed
    }

    /// Whether a local is live where the block ends.
    pub fn is_live_out(&self, local: Local, block: Block) -> bool {
        self.dense[local].is_some_and(|dense| self.live_out.contains(block, dense))
    }

    /// The locals that are live before the instruction with this index (its count: before the terminator).
    /// Walks the block from its end: for many places of one block, walk it yourself with [`reads`] and
    /// [`Op::defs`].
    pub fn live_before(&self, body: &Body, block: Block, index: usize) -> EntitySet<Local> {
        let mut live = set_of(self.live_out(block));
        let data = &body.blocks[block];
        data.term.parts(|part| {
            reads_of_part(body, part, &mut |local| {
                live.insert(local);
            });
        });
        for inst in data.insts.iter().skip(index).rev() {
            inst.op.defs(|local| {
                live.remove(local);
            });
            reads(body, &inst.op, |local| {
                live.insert(local);
            });
        }
        live
    }
}

/// Visits blocks, each at least once and after those behind it where that is possible, until a visit, which
/// says whether it changed what holds at the start of the block, changes nothing for those before it.
fn visit_backwards(body: &Body, cfg: &Cfg, mut visit: impl FnMut(Block) -> bool) {
    let mut queued = vec![false; body.blocks.len()];
    let mut work: Vec<Block> = Vec::with_capacity(body.order.len());
    // Popped from the end: unreached blocks last, reached blocks in postorder.
    work.extend_from_slice(cfg.unreached());
    work.extend_from_slice(cfg.reverse_postorder());
    work.iter().for_each(|block| queued[block.index()] = true);
    while let Some(block) = work.pop() {
        queued[block.index()] = false;
        if visit(block) {
            for &pred in cfg.predecessors(block) {
                if !std::mem::replace(&mut queued[pred.index()], true) {
                    work.push(pred);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Cursor;
    use crate::function::SlotData;
    use crate::op::CmpOp;
    use crate::types::Type;

    #[test]
    fn a_sum_is_live_around_its_loop_and_a_temporary_nowhere() {
        let mut body = Body::default();
        let (sum, n) = (body.local(Type::I64, Some("sum".into())), body.local(Type::I64, Some("n".into())));
        let (entry, header, latch, exit) = (body.block(), body.block(), body.block(), body.block());
        let mut c = Cursor::new(&mut body, entry);
        c.assign(sum, Operand::Int(Type::I64, 0));
        c.jump(header);
        c.switch_to(header);
        let more = c.compare(CmpOp::Lt, Operand::Local(sum), Operand::Local(n));
        c.branch(more, latch, exit);
        c.switch_to(latch);
        let next = c.add(Operand::Local(sum), Operand::Int(Type::I64, 1));
        c.assign(sum, next);
        c.jump(header);
        c.switch_to(exit);
        c.ret(Some(Operand::Local(sum)));

        let live = Liveness::new(&body, &Cfg::new(&body));
        assert!(live.is_live_in(n, entry) && !live.is_live_in(sum, entry) && live.is_live_out(sum, entry));
        assert_eq!(live.live_in(header).count(), 2);
        assert!(live.is_live_in(sum, exit) && !live.is_live_in(n, exit));
        let next = next.as_local().expect("a temporary");
        assert!(!live.is_live_out(next, latch));
        assert!(live.live_before(&body, latch, 1).contains(next));
        assert!(!live.live_before(&body, latch, 1).contains(sum));
    }

    #[test]
    fn the_order_of_blocks_is_not_that_of_their_numbers() {
        let mut body = Body::default();
        let [x, y] = ["x", "y"].map(|name| body.local(Type::I64, Some(name.into())));
        let (entry, last, middle) = (body.block(), body.block(), body.block());
        body.order = vec![entry, middle, last];
        Cursor::new(&mut body, entry).jump(middle);
        let mut c = Cursor::new(&mut body, middle);
        c.assign(y, Operand::Local(x));
        c.jump(last);
        Cursor::new(&mut body, last).ret(Some(Operand::Local(x)));
        let live = Liveness::new(&body, &Cfg::new(&body));
        assert!(live.is_live_in(x, last) && live.is_live_out(x, middle) && !live.is_live_in(y, middle));
    }

    #[test]
    fn a_mapped_slot_keeps_its_parameter_alive() {
        let mut body = Body::default();
        let param = body.temp(Type::Ptr);
        let slot = body.slots.push(SlotData {
            size: 8,
            align: 8,
            name: None,
            restrict: false,
            kind: SlotKind::Mapped(param),
            declared_in: None,
        });
        let (entry, next) = (body.block(), body.block());
        Cursor::new(&mut body, entry).jump(next);
        Cursor::new(&mut body, next).store(slot, Operand::Int(Type::I64, 1));
        let live = Liveness::new(&body, &Cfg::new(&body));
        assert!(live.is_live_in(param, entry));
    }
}
