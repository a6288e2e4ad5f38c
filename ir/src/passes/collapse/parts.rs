//! Parts of inner loops that the threads of a gang execute.
//!
//! Where an iteration of a loop reduces in a loop inside ([`inner_sums`]), one thread for each is few threads
//! if the outer loop is short, and each has long to do. Lanes along the inner loop would be many, but where
//! neighbours of the outer loop are neighbours in memory, they load from as many places as there are lanes.
//! So a gang takes some neighbours, as many as fill what memory moves at once, and divides the inner loop of
//! each into as many parts as it has threads for.
//!
//! ```text
//!     before:  for each j, shared by all threads:        { s = 0; for each i: s += a[i][j]; y[j] = s; }
//!     after:   for each w neighbours, shared by gangs:
//!                  for each (p, j) of them, shared by threads:
//!                      { s = 0; t = 0; for i = p, p + parts, ...: t += a[i][j]; all[p][j] = t; }
//!                  for each j of them, shared by threads:
//!                      { s = 0; for each p: s += all[p][j]; y[j] = s; }
//! ```
//!
//! Loops with many iterations, or with few of the inner one, are executed as they are: how many there are is
//! known in front of the loop. The parts of an iteration are combined in the order of their numbers, so that
//! a result is the same in each run.
//!
//! [`inner_sums`]: crate::analysis::inner_sums

use super::iteration::{Copy, Original};
use super::numbers::int;
use crate::acc::{Level, LoopDirective};
use crate::analysis::inner_sums::InnerSums;
use crate::builder::Cursor;
use crate::edit::induction::{narrow_trip_count, trip_count};
use crate::edit::logical::{Logical, in_front, run_over};
use crate::edit::nest::bounds_before;
use crate::edit::split::part_ways;
use crate::entities::{Block, Loop, Slot};
use crate::function::{Body, Induction, LoopData, SlotData, SlotKind};
use crate::op::{Address, BinaryOp, CmpOp, ConvertOp, Operand};
use crate::target::{Parts, operators};
use crate::types::Type;

/// Divides a loop inside of another one. Whether that was possible.
pub(super) fn run(body: &mut Body, sums: &InnerSums, parts: &Parts) -> bool {
    let (outer, inner) = (sums.outer, sums.inner);
    let Some(directive) = body.loops[outer].directive.clone() else { return false };
    let Some((counted, code)) = bounds_before(body, &[outer, inner]) else { return false };
    let LoopData { preheader, exit, pos, .. } = body.loops[outer];
    let [before, plain] = part_ways(body, outer);
    body.blocks[preheader].insts.extend(code);

    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let [columns, rows] = [0, 1].map(|n| trip_count(&mut cursor, &counted[n]));
    let few = cursor.compare(CmpOp::ULt, columns, int(parts.most));
    let long = cursor.compare(CmpOp::UGe, rows, int(parts.least));
    let is_divided = cursor.binary(BinaryOp::And, few, long);
    let wide: Vec<Operand> = parts
        .widths
        .iter()
        .map(|&columns_for| {
            let is_wide = cursor.compare(CmpOp::UGe, columns, int(columns_for));
            cursor.convert(ConvertOp::ZExt, Type::I64, is_wide)
        })
        .collect();
    let log = wide.into_iter().fold(int(0), |log, one| cursor.add(log, one));
    let width = cursor.binary(BinaryOp::Shl, int(1), log);
    let mask = cursor.sub(width, int(1));
    let last = cursor.add(columns, mask);
    let groups = cursor.binary(BinaryOp::LShr, last, log);
    // A launch has gangs for the loop with the most iterations: this one has none where it is not executed.
    let groups = cursor.select(is_divided, groups, int(0));
    let count = cursor.binary(BinaryOp::LShr, int(parts.threads.into()), log);
    let init = cursor.copy(counted[0].init);
    cursor.branch(is_divided, before, plain);

    cursor.switch_to(before);
    let (of_gangs, of_threads) = directive.levels.iter().copied().partition(|level: &Level| level.is_gang());
    let threads = LoopDirective { levels: of_threads, ..LoopDirective::new(directive.kind, directive.pos) };
    let gangs = LoopDirective { levels: of_gangs, ..directive };
    let of_groups = cursor.counted(int(0), int(1), groups, |cursor, group| {
        let first = cursor.binary(BinaryOp::Shl, group, log);
        let mut writer = Writer {
            sums,
            counted: Induction { init, ..counted[0].clone() },
            slots: Vec::new(),
            parts: count,
            log,
        };
        writer.make_room(cursor, parts.threads);
        let each = |cursor: &mut Cursor<'_>, column: Operand, write: &dyn Fn(&mut Cursor<'_>, Operand)| {
            let number = cursor.add(first, column);
            let is_inside = cursor.compare(CmpOp::ULt, number, columns);
            cursor.if_then(is_inside, |cursor| write(cursor, number));
        };
        let of_parts = cursor.counted(int(0), int(1), int(parts.threads.into()), |cursor, thread| {
            let column = cursor.binary(BinaryOp::And, thread, mask);
            let part = cursor.binary(BinaryOp::LShr, thread, log);
            each(cursor, column, &|cursor, number| writer.write_part(cursor, number, (part, thread)));
        });
        let of_columns = cursor.counted(int(0), int(1), width, |cursor, column| {
            each(cursor, column, &|cursor, number| writer.write_rest(cursor, number, column));
        });
        for loop_ in [of_parts, of_columns] {
            cursor.body.loops[loop_].directive = Some(threads.clone());
        }
    });
    cursor.jump(exit);
    body.loops[of_groups].directive = Some(gangs);
    true
}

/// Writes what the threads of a gang do for some neighbours of the outer loop.
struct Writer<'a> {
    sums: &'a InnerSums,
    /// How the outer loop counts.
    counted: Induction,
    /// What each thread has reduced, one for each of the sums.
    slots: Vec<Slot>,
    /// Into how many parts the inner loop is divided.
    parts: Operand,
    /// The logarithm of the number of neighbours.
    log: Operand,
}

impl Writer<'_> {
    fn make_room(&mut self, cursor: &mut Cursor<'_>, threads: u32) {
        let declared_in = cursor.body.blocks[cursor.block].loop_;
        for sum in &self.sums.sums {
            let bytes = sum.ty.ty.bytes();
            let frame = SlotData::frame(u64::from(threads * bytes), bytes, None);
            let slot = SlotData { kind: SlotKind::GangPrivate, declared_in, ..frame };
            self.slots.push(cursor.body.slots.push(slot));
        }
    }

    /// Where a part of a sum is.
    fn place(&self, cursor: &mut Cursor<'_>, n: usize, thread: Operand) -> Address {
        let bytes = i64::from(self.sums.sums[n].ty.ty.bytes());
        Address::at(cursor.index(Operand::Slot(self.slots[n]), thread, bytes, 0))
    }

    /// A part of the inner loop in one iteration of the outer one, up to where its results are kept.
    fn write_part(&self, cursor: &mut Cursor<'_>, number: Operand, (part, thread): (Operand, Operand)) {
        let InnerSums { inner, ref before, ref inside, ref sums, .. } = *self.sums;
        let [keep, end] = [(); 2].map(|()| cursor.new_block());
        let exit = cursor.body.loops[inner].exit;
        let code: Vec<Block> = before.iter().chain(inside).copied().collect();
        let outside = |to| if to == exit { keep } else { end };
        let copy = self.copy(cursor, number, (&code, true), keep, outside);
        cursor.switch_to(keep);
        for (n, sum) in sums.iter().enumerate() {
            let at = self.place(cursor, n, thread);
            cursor.store(at, Operand::Local(copy.names.local(sum.local)));
        }
        cursor.jump(end);
        if let Some(&inner) = copy.loops.get(&inner) {
            let preheader = cursor.body.loops[inner].preheader;
            let mut cursor = Cursor::with_pos(cursor.body, preheader, cursor.pos);
            for sum in sums {
                let identity = operators::identity(&mut cursor, sum.op, sum.ty);
                cursor.assign(copy.names.local(sum.local), identity);
            }
            if let Some((mut cursor, counted)) = in_front(cursor.body, inner) {
                let narrow = narrow_trip_count(&mut cursor, &counted);
                let end = narrow.unwrap_or_else(|| trip_count(&mut cursor, &counted));
                let ty = cursor.body.operand_type(end);
                let [from, step] = [part, self.parts].map(|number| match ty {
                    Type::I64 => number,
                    _ => cursor.convert(ConvertOp::Trunc, ty, number),
                });
                run_over(cursor.body, inner, &counted, Logical { ty, from, step, end, in_chunks: false });
            }
        }
        cursor.switch_to(end);
    }

    /// One iteration of the outer loop, with what the parts of the inner one have reduced in its place.
    fn write_rest(&self, cursor: &mut Cursor<'_>, number: Operand, column: Operand) {
        let InnerSums { inner, ref before, ref behind, ref sums, .. } = *self.sums;
        let [combine, end] = [(); 2].map(|()| cursor.new_block());
        let LoopData { header, exit, .. } = cursor.body.loops[inner];
        let code: Vec<Block> = before.iter().chain(behind).copied().collect();
        let outside = |to| if to == header { combine } else { end };
        let copy = self.copy(cursor, number, (&code, false), combine, outside);
        cursor.switch_to(combine);
        cursor.counted(int(0), int(1), self.parts, |cursor, part| {
            let row = cursor.binary(BinaryOp::Shl, part, self.log);
            let thread = cursor.add(row, column);
            for (n, sum) in sums.iter().enumerate() {
                let at = self.place(cursor, n, thread);
                let (local, value) = (copy.names.local(sum.local), cursor.load(sum.ty.ty, at));
                let both = operators::emit_op(cursor, sum.op, sum.ty, Operand::Local(local), value);
                cursor.assign(local, both);
            }
        });
        cursor.jump(copy.blocks.of(exit));
        cursor.switch_to(end);
    }

    /// Some code of an iteration; the inner loop is in it, or is not.
    fn copy(
        &self,
        cursor: &mut Cursor<'_>,
        number: Operand,
        (code, has_inner): (&[Block], bool),
        before: Block,
        outside: impl Fn(Block) -> Block,
    ) -> Copy {
        let InnerSums { outer, inner, ref innermost, .. } = *self.sums;
        let inside: Vec<Loop> = [inner].iter().chain(innermost).copied().filter(|_| has_inner).collect();
        Original { outer, counted: &self.counted, code, inside: &inside }
            .copy(cursor, number, before, outside)
    }
}
