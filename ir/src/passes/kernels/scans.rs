//! Loops whose iterations store what a sum has come to.
//!
//! ```c
//! for (i = 0; i < n; i++) { s += x[i]; p[i] = s; }
//! ```
//!
//! The iterations are divided into parts, one behind the other. A first loop over the parts computes what
//! each adds. A second one combines, for each part, what the parts before it add, and executes the iterations
//! of the part in order from there:
//!
//! ```text
//!     parallel for each part but the last:
//!         t = 0; parallel for each iteration of the part: t += x[i]
//!         totals[part] = t
//!     parallel for each part:
//!         t = 0; parallel for each part before it: t += totals[...]
//!         s = s before the loop + t
//!         for each iteration of the part: s += x[i]; p[i] = s
//! ```
//!
//! The first loop has the code of the iterations without what only stores need. It must have no effect, and
//! must load nothing that the iteration itself has stored before. How many parts there are, a device decides
//! by the number of iterations alone, so that results do not depend on the number of its threads; the host
//! has one, which needs no first loop.

use super::apply::{Homes, clause, direct, reduce_in_memory};
use super::copies::{Copy, redirect_exit};
use super::found::{Scans, Sum};
use crate::acc::{LoopDirective, LoopKind, RedType};
use crate::analysis::depend::across::may_meet;
use crate::analysis::liveness::reads;
use crate::analysis::loops::Nest;
use crate::analysis::scalars::Role;
use crate::analysis::slices::{dependent, needed};
use crate::analysis::sums::Sum as Terms;
use crate::analysis::survey::{LoopFacts, Survey, Whole};
use crate::builder::Cursor;
use crate::edit::induction::{narrow_trip_count, trip_count};
use crate::edit::logical::{Logical, in_front, run_over};
use crate::edit::rename::Rename;
use crate::entities::{Block, Construct, Local, Loop, Slot};
use crate::function::{Body, Induction, LoopData, SlotData};
use crate::op::{Address, BinaryOp, Class, ConvertOp, Op, Operand, Terminator};
use crate::target::{DEVICE_HOST, operators};
use crate::types::Type;

/// The logarithm of the number of parts that a device has at most: as many warps as are resident at once on
/// the largest GPUs.
const LOG_OF_PARTS: i64 = 13;

/// The logarithm of the number of iterations that a part has at least: several for each lane of a warp.
const LOG_OF_LEAST: i64 = 8;

/// Lanes of a warp.
const LANES: i64 = 32;

/// Loops that are known to have fewer iterations stay as they are: starting another loop takes longer.
const FEWEST: i64 = 1 << 10;

/// Rows that are known to have fewer are better off with a thread each.
const FEWEST_OF_ROW: i64 = 2 * LANES;

impl Scans {
    /// Of a loop that nothing but its scans hinders, if it can be executed in parts; `apart` has pairs of
    /// accesses that a test keeps apart.
    pub fn of(
        whole: &Whole<'_>,
        survey: &Survey,
        (loop_, facts): (Loop, &LoopFacts),
        apart: &[(usize, usize)],
    ) -> Option<Scans> {
        let body = whole.body;
        let data = &body.loops[loop_];
        let is_plain = data.directive.as_ref().is_none_or(|directive| {
            let has_none = directive.private.is_empty() && directive.reductions.is_empty();
            has_none && directive.named_levels().is_empty() && directive.collapse == 1
        });
        if !is_plain
            || body.associated(loop_).is_some()
            || !whole.nest.inside(loop_).is_empty()
            || !whole.nest.exits(body, loop_).is_empty()
        {
            return None;
        }
        let trip = facts.trip.as_ref().and_then(Terms::as_constant);
        let mut scans = Scans { trip, ..Scans::default() };
        for &(local, role) in &facts.scalars {
            let (op, signed) = match role {
                Role::Private => continue,
                Role::Reduction { op, signed } => (op, signed),
                Role::Scan { op, signed } => {
                    scans.stored.push(local);
                    (op, signed)
                }
                Role::Carried => return None,
            };
            let ty = body.locals[local].ty;
            let is_scalar = matches!(ty, Type::I32 | Type::I64 | Type::F32 | Type::F64);
            if !is_scalar || operators::binary_op(op, red_type(ty, signed)).is_none() {
                return None;
            }
            scans.sums.push(Sum { local, op, signed });
            if whole.live.is_live_in(local, data.exit) {
                scans.lasts.push(local);
            }
        }
        (!scans.stored.is_empty() && scans.are_known_alone(whole, survey, loop_, apart)).then_some(scans)
    }

    /// Whether what the scalars add up to can be computed without everything else that the loop does.
    fn are_known_alone(
        &self,
        whole: &Whole<'_>,
        survey: &Survey,
        loop_: Loop,
        apart: &[(usize, usize)],
    ) -> bool {
        let body = whole.body;
        let blocks = whole.nest.blocks(loop_);
        let locals = self.locals();
        let needed = needed(body, &blocks, &locals);
        // A part knows no value of the scalars, so that nothing else may depend on them.
        let unknown = dependent(body, &blocks, &locals);
        let mut by_unknown = false;
        for &block in &blocks {
            body.blocks[block].term.uses(|local| by_unknown |= unknown.contains(local));
        }
        let is_harmless = |&(block, n): &(Block, usize)| {
            let op = &body.blocks[block].insts[n].op;
            let mut is_known = true;
            reads(body, op, |local| is_known &= !unknown.contains(local));
            match op {
                Op::Load { access, .. } => !access.volatile && is_known,
                Op::Call { .. } => !whole.writes(op) && is_known && !by_unknown,
                op if op.effects().pure => op.class() == Class::Value,
                // A division.
                op => op.class() == Class::Value && is_known && !by_unknown,
            }
        };
        let is_alike = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|n| &survey.touches[n]);
            a.address == b.address && a.bytes == b.bytes && a.ty == b.ty && a.facts == b.facts
        };
        let is_tested = |a: usize, b: usize| {
            let is_pair = |&(x, y): &(usize, usize)| {
                is_alike(a, x) && is_alike(b, y) || is_alike(a, y) && is_alike(b, x)
            };
            apart.iter().any(is_pair)
        };
        let own = |n: &usize| body.loop_is_within(Some(survey.touches[*n].loop_), loop_);
        let touches: Vec<usize> = (0..survey.touches.len()).filter(own).collect();
        let loads = touches.iter().copied().filter(|&n| {
            let touch = &survey.touches[n];
            !touch.writes && needed.contains(&touch.at)
        });
        let mut stored_before = loads.flat_map(|load| {
            let stores = touches.iter().copied().filter(move |&store| store < load);
            stores.filter(|&store| survey.touches[store].writes).map(move |store| (store, load))
        });
        needed.iter().all(is_harmless)
            && !stored_before.any(|(store, load)| {
                may_meet((whole, survey), loop_, (store, load)) && !is_tested(store, load)
            })
    }

    /// Whether the loop is known to be too short, as a row of a parallel loop or by itself.
    pub fn are_few(&self, is_row: bool) -> bool {
        self.trip.is_some_and(|trip| trip < if is_row { FEWEST_OF_ROW } else { FEWEST })
    }

    fn locals(&self) -> Vec<Local> {
        self.sums.iter().map(|sum| sum.local).collect()
    }

    /// Whether a scalar holds floating-point numbers.
    pub fn rounds(&self, body: &Body) -> bool {
        self.sums.iter().any(|sum| body.locals[sum.local].ty.is_float())
    }

    /// Rewrites a counted loop; `lasts` are other scalars that keep the value of the last iteration.
    pub fn apply(
        &self,
        body: &mut Body,
        (construct, homes): (Construct, &mut Homes),
        loop_: Loop,
        lasts: &[Local],
    ) {
        let LoopData { preheader, header, pos, .. } = body.loops[loop_];
        let Some(Induction { iv, init, .. }) = body.loops[loop_].induction else { return };
        // A copy of the loop counts by another local.
        if init == Operand::Local(iv) {
            let init = Cursor::with_pos(body, preheader, pos).copy(init);
            body.loops[loop_].induction.iter_mut().for_each(|induction| induction.init = init);
        }
        let blocks = Nest::new(body).blocks(loop_);
        let needed = needed(body, &blocks, &self.locals());
        let (first, copy) = Copy::of_loop(body, loop_, &blocks, (preheader, header), &[]);
        copy.copies.keep(body, &needed);
        let totals: Vec<Slot> = self.sums.iter().map(|sum| room(body, construct, sum.local)).collect();
        let known = body.order.len();
        let added = self.renamed(|local| copy.rename.local(local));
        let behind = add_up(body, (construct, first), (&added, &totals));

        body.loops[loop_].preheader = behind;
        body.blocks[behind].term = Terminator::Jump(header);
        let kept: Vec<Local> = self.lasts.iter().chain(lasts).copied().collect();
        reduce_in_memory(body, (construct, homes), loop_, &[], &kept);
        self.execute(body, (construct, loop_), &totals);
        // The new blocks in front of what follows, as far as the layout goes.
        let made = body.order.split_off(known);
        let at = body.order.iter().position(|&block| block == header).unwrap_or(known);
        body.order.splice(at..at, made);
    }

    /// Executes the iterations of each part in order, from what the parts before it add up to.
    fn execute(&self, body: &mut Body, (construct, loop_): (Construct, Loop), totals: &[Slot]) {
        let exit = body.loops[loop_].exit;
        let Some((mut cursor, counted)) = in_front(body, loop_) else { return };
        let parts = Parts::of(&mut cursor, &counted);
        let old: Vec<Operand> = self.sums.iter().map(|sum| cursor.copy(Operand::Local(sum.local))).collect();
        let before: Vec<Sum> =
            self.sums.iter().map(|sum| Sum { local: cursor.body.local_like(sum.local), ..*sum }).collect();
        let mut earlier = None;
        let around = cursor.counted(int(0), int(1), parts.count, |cursor, part| {
            start(cursor, &before);
            earlier = Some(cursor.counted(int(0), int(1), part, |cursor, number| {
                for (sum, &slot) in before.iter().zip(totals) {
                    let at = place(cursor, (sum, slot), number);
                    let total = cursor.load(cursor.body.locals[sum.local].ty, at);
                    let both = combine(cursor, sum, Operand::Local(sum.local), total);
                    cursor.assign(sum.local, both);
                }
            }));
            for ((sum, before), &old) in self.sums.iter().zip(&before).zip(&old) {
                let value = combine(cursor, sum, old, Operand::Local(before.local));
                cursor.assign(sum.local, value);
            }
            parts.run(cursor, (loop_, &counted), part);
        });
        cursor.jump(exit);
        let (around, inner) = exchange(body, around, loop_);
        share(body, construct, (around, earlier), &before);
        self.mark(body, inner);
    }

    /// Says what the iterations of a loop, which nothing else makes depend on each other, accumulate, so that
    /// lanes may execute it. Its scalars become locals that nothing mentions but the loop and what sets them
    /// in front of it.
    pub fn mark(&self, body: &mut Body, loop_: Loop) {
        let clause_of = |sum: &Sum| clause(body, None, *sum, Operand::Local(sum.local), loop_);
        let scans = self.sums.iter().map(clause_of).collect();
        let pos = body.loops[loop_].pos;
        body.loops[loop_].directive = Some(LoopDirective { scans, ..LoopDirective::new(LoopKind::Seq, pos) });
        let rename = Rename::fresh(body, self.locals());
        let nest = Nest::new(body);
        rename.apply(body, &nest.blocks(loop_), &[loop_]);
        let mut cursor = Cursor::with_pos(body, body.loops[loop_].preheader, pos);
        for local in self.locals() {
            cursor.assign(rename.local(local), Operand::Local(local));
        }
    }

    /// The same sums in other locals.
    fn renamed(&self, to: impl Fn(Local) -> Local) -> Vec<Sum> {
        self.sums.iter().map(|sum| Sum { local: to(sum.local), ..*sum }).collect()
    }
}

/// Lets a loop add up its parts but for the last one, in locals that are its own, each into its place of
/// memory; the block behind it.
fn add_up(
    body: &mut Body,
    (construct, loop_): (Construct, Loop),
    (sums, totals): (&[Sum], &[Slot]),
) -> Block {
    let preheader = body.loops[loop_].preheader;
    let Some((mut cursor, counted)) = in_front(body, loop_) else { return preheader };
    let parts = Parts::of(&mut cursor, &counted);
    let but_the_last = cursor.sub(parts.count, int(1));
    let around = cursor.counted(int(0), int(1), but_the_last, |cursor, part| {
        start(cursor, sums);
        parts.run(cursor, (loop_, &counted), part);
        for (sum, &slot) in sums.iter().zip(totals) {
            let at = place(cursor, (sum, slot), part);
            cursor.store(at, Operand::Local(sum.local));
        }
    });
    let behind = cursor.block;
    let (around, inner) = exchange(body, around, loop_);
    share(body, construct, (around, Some(inner)), sums);
    behind
}

/// Exchanges the numbers of a loop over parts and of the one inside, which is older, as loops around others
/// are older than these. Tells the numbers that they have now. What the program says about the loop, it has
/// said of all of it.
fn exchange(body: &mut Body, around: Loop, inner: Loop) -> (Loop, Loop) {
    let other = |loop_: Loop| match loop_ {
        _ if loop_ == around => inner,
        _ if loop_ == inner => around,
        _ => loop_,
    };
    let data = body.loops[around].clone();
    body.loops[around] = std::mem::replace(&mut body.loops[inner], data);
    body.loops[around].directive = None;
    body.loops.values_mut().for_each(|data| data.parent = data.parent.map(other));
    body.blocks.values_mut().for_each(|data| data.loop_ = data.loop_.map(other));
    body.slots.values_mut().for_each(|data| data.declared_in = data.declared_in.map(other));
    (inner, around)
}

/// Makes a loop over parts parallel, and the one inside of it that reduces.
fn share(body: &mut Body, construct: Construct, (around, inner): (Loop, Option<Loop>), sums: &[Sum]) {
    let Some(inner) = inner else { return };
    let clauses = sums
        .iter()
        .map(|&sum| clause(body, Some(construct), sum, Operand::Local(sum.local), inner))
        .collect();
    direct(body, inner, clauses);
    direct(body, around, Vec::new());
    let pos = body.loops[around].pos;
    let private: Vec<_> = sums.iter().map(|sum| body.private_clause(sum.local, pos)).collect();
    if let Some(directive) = &mut body.loops[around].directive {
        directive.private.extend(private);
    }
}

/// How the iterations of a loop are divided.
struct Parts {
    /// The number of iterations.
    trip: Operand,
    /// It is 2^31 at most.
    is_narrow: bool,
    /// Those of a part; the last ones may have fewer, or none.
    length: Operand,
    /// How many parts there are.
    count: Operand,
}

impl Parts {
    /// In front of a loop. Nothing in this code may be known to the host: a device decides for itself.
    fn of(cursor: &mut Cursor<'_>, counted: &Induction) -> Parts {
        // As subscripts are numbers of 32 bits then, strides are seen.
        let narrow = narrow_trip_count(cursor, counted);
        let trip = match narrow {
            Some(Operand::Int(_, trip)) => int(trip),
            Some(trip) => cursor.convert(ConvertOp::ZExt, Type::I64, trip),
            None => trip_count(cursor, counted),
        };
        let host = cursor.temp(Type::I1);
        cursor.op(Op::OnDevice { dst: host, device: Operand::Int(Type::I32, DEVICE_HOST) });
        let host = Operand::Local(host);
        let quotient = |cursor: &mut Cursor<'_>, log: i64| {
            let up = cursor.add(trip, int((1 << log) - 1));
            cursor.binary(BinaryOp::LShr, up, int(log))
        };
        let share = quotient(cursor, LOG_OF_PARTS);
        // Lanes begin where a sector of memory does, if the loop does.
        let up = cursor.add(share, int(LANES - 1));
        let rows = cursor.binary(BinaryOp::And, up, int(-LANES));
        let length = cursor.binary(BinaryOp::SMax, rows, int(1 << LOG_OF_LEAST));
        let least = quotient(cursor, LOG_OF_LEAST);
        let count = cursor.binary(BinaryOp::SMin, least, int(1 << LOG_OF_PARTS));
        let length = cursor.select(host, trip, length);
        let count = cursor.select(host, int(1), count);
        Parts { trip, is_narrow: narrow.is_some(), length, count }
    }

    /// Lets a loop run over the iterations of a part.
    fn run(&self, cursor: &mut Cursor<'_>, (loop_, counted): (Loop, &Induction), part: Operand) {
        let first = cursor.mul(part, self.length);
        let from = cursor.binary(BinaryOp::SMin, first, self.trip);
        let behind = cursor.add(from, self.length);
        let end = cursor.binary(BinaryOp::SMin, behind, self.trip);
        let ty = if self.is_narrow { Type::I32 } else { Type::I64 };
        let [from, end] = [from, end].map(|number| match self.is_narrow {
            true => cursor.convert(ConvertOp::Trunc, ty, number),
            false => number,
        });
        let preheader = cursor.block;
        let parent = cursor.body.blocks[preheader].loop_;
        let after = cursor.new_block();
        redirect_exit(cursor.body, loop_, after);
        let data = &mut cursor.body.loops[loop_];
        (data.parent, data.preheader) = (parent, preheader);
        let header = data.header;
        cursor.jump(header);
        let iterations = Logical { ty, from, step: Operand::Int(ty, 1), end, in_chunks: false };
        run_over(cursor.body, loop_, counted, iterations);
        cursor.switch_to(after);
    }
}

/// Memory for what parts add up to in a scalar.
fn room(body: &mut Body, construct: Construct, local: Local) -> Slot {
    let data = &body.locals[local];
    let bytes = data.ty.bytes();
    let slot = SlotData::frame(u64::from(bytes) << LOG_OF_PARTS, bytes, data.name.clone());
    let slot = body.slots.push(slot);
    let map = body.create_clause(slot, body.constructs[construct].pos);
    body.constructs[construct].maps.push(map);
    slot
}

/// Where the total of a part is.
fn place(cursor: &mut Cursor<'_>, (sum, slot): (&Sum, Slot), part: Operand) -> Address {
    let bytes = i64::from(cursor.body.locals[sum.local].ty.bytes());
    Address::at(cursor.index(Operand::Slot(slot), part, bytes, 0))
}

/// Lets sums start at nothing.
fn start(cursor: &mut Cursor<'_>, sums: &[Sum]) {
    for sum in sums {
        let ty = red_type(cursor.body.locals[sum.local].ty, sum.signed);
        let identity = operators::identity(cursor, sum.op, ty);
        cursor.assign(sum.local, identity);
    }
}

/// Two sums together.
fn combine(cursor: &mut Cursor<'_>, sum: &Sum, a: Operand, b: Operand) -> Operand {
    let ty = red_type(cursor.body.locals[sum.local].ty, sum.signed);
    operators::emit_op(cursor, sum.op, ty, a, b)
}

fn red_type(ty: Type, signed: bool) -> RedType {
    RedType { ty, signed, boolean: false }
}

fn int(value: i64) -> Operand {
    Operand::Int(Type::I64, value)
}
