//! What is live in the layout of a construct.

use crate::analysis::liveness::{annotation_reads, reads_of_part};
use crate::bits::BitMatrix;
use crate::entities::{Block, Local, map_below};
use crate::function::Body;
use crate::visit::Part;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Which of some locals are live in front of which blocks of a layout. The layout is a small part of a
/// function as a rule, so that the sets have rows for its blocks only, and columns for these locals.
pub(super) struct Live {
    /// The places of blocks and of locals, by which the sets have them.
    rows: SecondaryMap<Block, PackedOption<Block>>,
    columns: SecondaryMap<Local, PackedOption<Local>>,
    live_in: BitMatrix<Block, Local>,
    live_out: BitMatrix<Block, Local>,
}

impl Live {
    /// Of the locals that are asked about; others are live nowhere. `behind` is what is live in front of
    /// blocks of the layout because of the rest of the function.
    pub(super) fn of(
        body: &Body,
        asked: &EntitySet<Local>,
        behind: impl Iterator<Item = (Block, Local)>,
    ) -> Live {
        let mut rows: SecondaryMap<Block, PackedOption<Block>> = map_below(body.blocks.len());
        let mut columns: SecondaryMap<Local, PackedOption<Local>> = map_below(body.locals.len());
        (0..).zip(&body.order).for_each(|(place, &block)| rows[block] = Block::from_u32(place).into());
        let mut count = 0;
        for local in asked.iter() {
            columns[local] = Local::from_u32(count).into();
            count += 1;
        }
        let sets = || BitMatrix::new(body.order.len(), count as usize);
        let (mut live_in, live_out, mut written) = (sets(), sets(), sets());
        for (block, local) in annotation_reads(body).into_iter().chain(behind) {
            if let Some(row) = rows[block].expand() {
                live_in.extend(row, columns[local].expand().into_iter());
            }
        }
        for (row, &block) in (0..).map(Block::from_u32).zip(&body.order) {
            // Parts come in order: the operands that an operation reads, then its destination.
            body.blocks[block].parts(|part| match part {
                Part::Def(local) => written.extend(row, columns[*local].expand().into_iter()),
                part => reads_of_part(body, part, &mut |local| {
                    let column = columns[local].expand().filter(|&column| !written.contains(row, column));
                    live_in.extend(row, column.into_iter());
                }),
            });
        }
        let mut live = Live { rows, columns, live_in, live_out };
        while live.step(body, &written) {}
        live
    }

    /// Adds to each block what it lets pass of what is live behind it; false if there is nothing new.
    fn step(&mut self, body: &Body, written: &BitMatrix<Block, Local>) -> bool {
        let Live { rows, live_in, live_out, .. } = self;
        let mut changed = false;
        for &block in body.order.iter().rev() {
            let Some(row) = rows[block].expand() else { continue };
            body.blocks[block].term.successors(|next| {
                rows[next].expand().into_iter().for_each(|next| live_out.union_with(row, live_in.row(next)));
            });
            changed |= live_in.union_without(row, live_out.row(row), written.row(row));
        }
        changed
    }

    /// Whether a local is live where a block begins.
    pub(super) fn is_live_in(&self, local: Local, block: Block) -> bool {
        let places = self.rows[block].expand().zip(self.columns[local].expand());
        places.is_some_and(|(row, column)| self.live_in.contains(row, column))
    }
}
