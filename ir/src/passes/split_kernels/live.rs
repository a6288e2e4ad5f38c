//! What is live in the layout of a construct.

use crate::analysis::liveness::{annotation_reads, reads_of_part};
use crate::entities::{Block, Local, map_below};
use crate::function::Body;
use crate::visit::Part;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Which of some locals are live in front of which blocks of a layout. The layout is a small part of a
/// function as a rule, so that the sets have rows for its blocks only, and columns for these locals.
pub(super) struct Live {
    /// Places of blocks and of locals in the sets, from 1 on; 0 of those that are not there.
    rows: SecondaryMap<Block, u32>,
    columns: SecondaryMap<Local, u32>,
    /// Words of a row.
    width: usize,
    live_in: Vec<u64>,
}

impl Live {
    /// Of the locals that are asked about; others are live nowhere. `behind` is what is live in front of
    /// blocks of the layout because of the rest of the function.
    pub(super) fn of(
        body: &Body,
        asked: &EntitySet<Local>,
        behind: impl Iterator<Item = (Block, Local)>,
    ) -> Live {
        let mut rows: SecondaryMap<Block, u32> = map_below(body.blocks.len());
        let mut columns: SecondaryMap<Local, u32> = map_below(body.locals.len());
        (1..).zip(&body.order).for_each(|(place, &block)| rows[block] = place);
        let mut count = 0;
        for local in asked.iter() {
            count += 1;
            columns[local] = count;
        }
        let width = (count as usize).div_ceil(64);
        let mut live_in = vec![0; body.order.len() * width];
        let mut written = vec![0; body.order.len() * width];
        let column = |local: Local| (columns[local] as usize).checked_sub(1);
        for (block, local) in annotation_reads(body).into_iter().chain(behind) {
            if let (Some(row), Some(column)) = ((rows[block] as usize).checked_sub(1), column(local)) {
                live_in[row * width + column / 64] |= 1 << (column % 64);
            }
        }
        for (row, &block) in body.order.iter().enumerate() {
            let row = row * width..(row + 1) * width;
            let (read, written) = (&mut live_in[row.clone()], &mut written[row]);
            // Parts come in order: the operands that an operation reads, then its destination.
            body.blocks[block].parts(|part| match part {
                Part::Def(local) => {
                    if let Some(column) = column(*local) {
                        written[column / 64] |= 1 << (column % 64);
                    }
                }
                part => reads_of_part(body, part, &mut |local| {
                    if let Some(column) = column(local) {
                        read[column / 64] |= (1 << (column % 64)) & !written[column / 64];
                    }
                }),
            });
        }
        let mut live = Live { rows, columns, width, live_in };
        while live.step(body, &written) {}
        live
    }

    /// Adds to each block what it lets pass of what is live behind it; false if there is nothing new.
    fn step(&mut self, body: &Body, written: &[u64]) -> bool {
        let Live { rows, width, live_in, .. } = self;
        let mut changed = false;
        for (row, &block) in body.order.iter().enumerate().rev() {
            body.blocks[block].term.successors(|next| {
                let Some(next) = (rows[next] as usize).checked_sub(1) else { return };
                for word in 0..*width {
                    let at = row * *width + word;
                    let new = live_in[at] | live_in[next * *width + word] & !written[at];
                    changed |= std::mem::replace(&mut live_in[at], new) != new;
                }
            });
        }
        changed
    }

    /// Whether a local is live where a block begins.
    pub(super) fn is_live_in(&self, local: Local, block: Block) -> bool {
        let places = [self.rows[block], self.columns[local]].map(|place| (place as usize).checked_sub(1));
        let [Some(row), Some(column)] = places else { return false };
        self.live_in[row * self.width + column / 64] >> (column % 64) & 1 == 1
    }
}
