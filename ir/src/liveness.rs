//! Liveness of locals.
//!
//! A local is live where its value may still be read. Annotations read too: the operands of a live loop (its bounds,
//! its directive) and the variables its clauses name are read at the loop's header, those of a construct at its
//! entry, and an access to a mapped slot reads the parameter that holds its address.
//!
//! Most locals are temporaries of one block; only the others take part in the data flow, which keeps the sets small.

use crate::bits::BitSet;
use crate::cfg::Cfg;
use crate::entities::*;
use crate::function::*;
use crate::op::*;
use crate::visit::Part;
use cranelift_entity::SecondaryMap;

/// Which locals are live at the borders of blocks.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: SecondaryMap<Block, BitSet<Local>>,
    live_out: SecondaryMap<Block, BitSet<Local>>,
    // Between dense numbers of the locals that cross blocks, which the sets hold, and the locals.
    crossing: Vec<Local>,
    dense: SecondaryMap<Local, Option<Local>>,
}

/// Every local that an operation reads, the address parameters of mapped slots included.
pub fn reads(body: &Body, op: &Op, mut visit: impl FnMut(Local)) {
    op.parts(|part| reads_of_part(body, part, &mut visit));
}

fn reads_of_part(body: &Body, part: Part<'_>, visit: &mut impl FnMut(Local)) {
    let operand = match part {
        Part::Value(operand) | Part::Variable(operand) => *operand,
        Part::Address(address) => address.base,
        Part::NamedLocal(local) => Operand::Local(*local),
        Part::Def(_)
        | Part::Func(_)
        | Part::Sig(_)
        | Part::Agg(_)
        | Part::Block(_)
        | Part::Loop(_)
        | Part::Construct(_)
        | Part::Red(_)
        | Part::Pos(_) => return,
    };
    match operand {
        Operand::Local(local) => visit(local),
        Operand::Slot(slot) => match body.slots[slot].kind {
            SlotKind::Mapped(local) => visit(local),
            SlotKind::Frame
            | SlotKind::GangPrivate
            | SlotKind::WorkerPrivate
            | SlotKind::Reduction
            | SlotKind::Broadcast
            | SlotKind::Launch
            | SlotKind::GangScratch => {}
        },
        Operand::Global(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
    }
}

/// What a block reads before it writes it, and what it writes.
#[derive(Clone, Default)]
struct Summary {
    reads: Vec<Local>,
    writes: Vec<Local>,
}

fn summarise(
    body: &Body,
    block: Block,
    annotations: &[Local],
    written: &mut SecondaryMap<Local, u32>,
) -> Summary {
    let stamp = block.as_u32() + 1;
    let mut summary = Summary { reads: annotations.to_vec(), writes: Vec::new() };
    let data = &body.blocks[block];
    for inst in &data.insts {
        reads(body, &inst.op, |local| {
            if written[local] != stamp {
                summary.reads.push(local);
            }
        });
        inst.op.defs(|local| {
            if written[local] != stamp {
                written[local] = stamp;
                summary.writes.push(local);
            }
        });
    }
    data.term.parts(|part| {
        reads_of_part(body, part, &mut |local| {
            if written[local] != stamp {
                summary.reads.push(local);
            }
        });
    });
    summary
}

/// What live loops and constructs read, by the block where they do.
fn annotation_reads(body: &Body) -> SecondaryMap<Block, Vec<Local>> {
    let mut found: SecondaryMap<Block, Vec<Local>> = SecondaryMap::new();
    let live = body.live_entities();
    for loop_ in live.loops.iter() {
        let data = &body.loops[loop_];
        data.parts(|part| reads_of_part(body, part, &mut |local| found[data.header].push(local)));
    }
    for construct in live.constructs.iter() {
        let data = &body.constructs[construct];
        data.parts(|part| reads_of_part(body, part, &mut |local| found[data.entry].push(local)));
    }
    found
}

impl Liveness {
    /// Solves the data flow over all blocks of the layout.
    pub fn new(body: &Body, cfg: &Cfg) -> Liveness {
        let annotations = annotation_reads(body);
        let mut written = SecondaryMap::with_capacity(body.locals.len());
        let mut summaries: SecondaryMap<Block, Summary> = SecondaryMap::with_capacity(body.blocks.len());
        let mut crossing = Vec::new();
        let mut dense: SecondaryMap<Local, Option<Local>> = SecondaryMap::with_capacity(body.locals.len());
        for &block in &body.order {
            let summary = summarise(body, block, &annotations[block], &mut written);
            // Only what some block reads from outside can be live at a border.
            for &local in &summary.reads {
                if dense[local].is_none() {
                    dense[local] = Some(Local::from_u32(crossing.len() as u32));
                    crossing.push(local);
                }
            }
            summaries[block] = summary;
        }
        let mut live = Liveness {
            live_in: SecondaryMap::with_capacity(body.blocks.len()),
            live_out: SecondaryMap::with_capacity(body.blocks.len()),
            crossing,
            dense,
        };
        live.solve(body, cfg, &summaries);
        live
    }

    fn solve(&mut self, body: &Body, cfg: &Cfg, summaries: &SecondaryMap<Block, Summary>) {
        let mut queued = BitSet::new(body.blocks.len());
        let mut work: Vec<Block> = Vec::with_capacity(body.order.len());
        // Popped from the end: unreached blocks last, the others in postorder.
        work.extend_from_slice(cfg.unreached());
        work.extend_from_slice(cfg.reverse_postorder());
        work.iter().for_each(|block| {
            queued.insert(*block);
        });
        while let Some(block) = work.pop() {
            queued.remove(block);
            let mut out: BitSet<Local> = BitSet::new(self.crossing.len());
            body.blocks[block].term.successors(|next| {
                out.union_with(&self.live_in[next]);
            });
            let mut live = out.clone();
            self.live_out[block] = out;
            let Summary { reads, writes } = &summaries[block];
            for dense in writes.iter().filter_map(|local| self.dense[*local]) {
                live.remove(dense);
            }
            for dense in reads.iter().filter_map(|local| self.dense[*local]) {
                live.insert(dense);
            }
            if self.live_in[block].union_with(&live) {
                for &pred in cfg.predecessors(block) {
                    if queued.insert(pred) {
                        work.push(pred);
                    }
                }
            }
        }
    }

    /// The locals that are live where the block begins, each once.
    pub fn live_in(&self, block: Block) -> impl Iterator<Item = Local> + '_ {
        self.live_in[block].iter().map(|dense| self.crossing[dense.as_u32() as usize])
    }

    /// The locals that are live where the block ends, after its terminator, each once.
    pub fn live_out(&self, block: Block) -> impl Iterator<Item = Local> + '_ {
        self.live_out[block].iter().map(|dense| self.crossing[dense.as_u32() as usize])
    }

    /// Whether a local is live where the block begins.
    pub fn is_live_in(&self, local: Local, block: Block) -> bool {
        self.dense[local].is_some_and(|dense| self.live_in[block].contains(dense))
    }

    /// Whether a local is live where the block ends.
    pub fn is_live_out(&self, local: Local, block: Block) -> bool {
        self.dense[local].is_some_and(|dense| self.live_out[block].contains(dense))
    }

    /// The locals that are live before the instruction with this index (its count: before the terminator). Walks the
    /// block from its end: for many places of one block, walk it yourself with [`reads`] and [`Op::defs`].
    pub fn live_before(&self, body: &Body, block: Block, index: usize) -> BitSet<Local> {
        let mut live: BitSet<Local> = self.live_out(block).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Cursor;
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
    fn a_mapped_slot_keeps_its_parameter_alive() {
        let mut body = Body::default();
        let param = body.temp(Type::Ptr);
        let slot = body.slots.push(SlotData {
            size: 8,
            align: 8,
            name: None,
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
