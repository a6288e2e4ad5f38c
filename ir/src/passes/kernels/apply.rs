//! Makes parallel loops of those that were found independent: the directive that a programmer would have
//! written, and memory for what all gangs have to know behind the loop.

use super::arrays::{give_copies, name};
use super::found::{Finding, Findings, PrivateArray, Sum, is_believed, is_open, is_settled};
use super::located::Located;
use super::updates;
use crate::acc::{Level, LoopDirective, LoopKind, RedType, ReductionClause, ReductionPart};
use crate::analysis::cfg::predecessors_of;
use crate::analysis::liveness::reads;
use crate::analysis::loops::Nest;
use crate::analysis::survey::Survey;
use crate::builder::Cursor;
use crate::edit::induction::{last_value, trip_count};
use crate::edit::memory;
use crate::edit::rename::Rename;
use crate::edit::split::{split_edges, split_exit};
use crate::entities::{Block, Construct, Local, Loop, Slot};
use crate::function::{Body, LoopData};
use crate::op::{CmpOp, Op, Operand, Terminator};
use crate::types::Type;
use std::sync::Arc;

/// Where scalars of a construct have their memory on the device.
#[derive(Debug, Default)]
pub struct Homes {
    /// Locals that stand for mapped scalars, or that were given memory.
    pub slots: Vec<(Local, Slot)>,
}

impl Homes {
    /// The memory of a scalar: one object for all gangs.
    fn of(&mut self, body: &mut Body, construct: Construct, local: Local) -> Slot {
        if let Some(&(_, slot)) = self.slots.iter().find(|(other, _)| *other == local) {
            return slot;
        }
        let slot = Homes::fresh(body, construct, local);
        self.slots.push((local, slot));
        slot
    }

    /// New memory for a scalar, one object for all gangs: gangs that begin late still read the mapped one.
    fn fresh(body: &mut Body, construct: Construct, local: Local) -> Slot {
        let slot = body.slot_for(local);
        let map = body.create_clause(slot, body.constructs[construct].pos);
        body.constructs[construct].maps.push(map);
        slot
    }
}

/// The loops of a nest that are to run in parallel, outer ones first.
pub fn choose<'a>(body: &Body, findings: &'a Findings, in_kernels: bool) -> Vec<&'a Finding> {
    let mut chosen: Vec<&Finding> = Vec::new();
    for finding in &findings.list {
        // Behind an inner loop, only its own thread could want to know the last value.
        let is_wanted_inside = finding.keeps_last() && has_parallel_around(body, &chosen, finding.loop_);
        if !is_wanted_inside && may_be_parallel(body, findings, finding, in_kernels) {
            chosen.push(finding);
        }
    }
    // Accumulating onto memory costs more than it gains where another loop of the nest is parallel without.
    if chosen.is_empty() && in_kernels {
        chosen.extend(findings.list.iter().find(|finding| may_be_atomic(body, findings, finding)));
    }
    chosen
}

/// Decides which loops that nothing but scans hinders are executed in parts, or are rows of a parallel loop
/// around: those that are left to the analysis, and inside of which no other loop is parallel.
pub fn settle_scans(body: &Body, findings: &mut Findings) {
    if !findings.list.iter().any(|finding| finding.scans.is_some()) {
        return;
    }
    let chosen = choose(body, findings, true);
    // Behind a row, only its own threads could want to know last values.
    let place = |finding: &Finding| {
        let scans = finding.scans.as_ref()?;
        let is_inside = |other: &&Finding| body.loop_is_within(Some(other.loop_), finding.loop_);
        let is_row = has_parallel_around(body, &chosen, finding.loop_);
        let is_free = is_open(body, finding.loop_, true) && !chosen.iter().any(is_inside);
        let keeps = !scans.lasts.is_empty() || !finding.lasts.is_empty();
        (is_free && !(is_row && keeps) && !scans.are_few(is_row)).then_some(is_row)
    };
    let places: Vec<Option<bool>> = findings.list.iter().map(place).collect();
    for (finding, place) in findings.list.iter_mut().zip(places) {
        match (&mut finding.scans, place) {
            (Some(scans), Some(is_row)) => (scans.is_row, finding.reason) = (is_row, None),
            _ => finding.scans = None,
        }
    }
}

/// Whether a loop is known or believed to be independent, and what it needs can be given to it.
fn may_be_parallel(body: &Body, findings: &Findings, finding: &Finding, in_kernels: bool) -> bool {
    let directive = body.loops[finding.loop_].directive.as_ref();
    let is_believed = in_kernels && directive.is_some_and(|directive| is_believed(directive, finding));
    let needs_nothing = |inner: &Finding| {
        inner.reason.is_none()
            && !inner.has_condition()
            && inner.updates.is_empty()
            && inner.lasts.is_empty()
            && inner.arrays.is_empty()
            && inner.located.is_empty()
            && inner.scans.is_none()
    };
    let is_proved = finding.reason.is_none()
        && finding.updates.is_empty()
        && associated_with(body, findings, finding.loop_).all(needs_nothing);
    let needs_memory = !finding.sums.is_empty() || finding.keeps_last() || finding.scans.is_some();
    let is_one_loop = directive.is_none_or(|directive| directive.collapse == 1);
    is_open(body, finding.loop_, in_kernels)
        && (!needs_memory || in_kernels && is_one_loop)
        && (is_believed || is_proved)
}

/// Whether a loop of `kernels` is independent but for accumulations onto memory, which can be atomic.
fn may_be_atomic(body: &Body, findings: &Findings, finding: &Finding) -> bool {
    let directive = body.loops[finding.loop_].directive.as_ref();
    let needs_more = !finding.lasts.is_empty() || !finding.arrays.is_empty() || !finding.located.is_empty();
    (finding.reason.is_none() && !finding.updates.is_empty() && !needs_more)
        && !has_parallel_around(body, &[], finding.loop_)
        && directive.is_none_or(|directive| !is_settled(directive) && directive.collapse == 1)
        && body.associated(finding.loop_).is_none()
        && updates::are_single_steps(body, &findings.survey, &finding.updates)
}

/// What is known about the inner loops that `collapse` or `tile` makes one loop with this one.
fn associated_with<'a>(
    body: &'a Body,
    findings: &'a Findings,
    loop_: Loop,
) -> impl Iterator<Item = &'a Finding> {
    findings
        .list
        .iter()
        .filter(move |inner| body.associated(inner.loop_).is_some_and(|(outer, _)| outer == loop_))
}

fn has_parallel_around(body: &Body, chosen: &[&Finding], loop_: Loop) -> bool {
    body.loops_around(body.loops[loop_].parent).any(|around| {
        let directive = body.loops[around].directive.as_ref();
        chosen.iter().any(|other| other.loop_ == around)
            || directive.is_some_and(|directive| directive.kind == LoopKind::Independent)
    })
}

/// Makes the chosen loops of a nest parallel.
pub fn apply(
    body: &mut Body,
    construct: Option<Construct>,
    homes: &mut Homes,
    (survey, chosen): (&Survey, &[&Finding]),
) {
    for finding in chosen.iter().filter(|finding| !finding.updates.is_empty()) {
        updates::make_atomic(body, survey, &finding.updates);
    }
    // Inner loops first: what an outer loop moves before itself must not be what an inner one still looks
    // for.
    for finding in chosen.iter().rev() {
        let loop_ = finding.loop_;
        if let Some(count) = &finding.count {
            count.apply(body, loop_);
        }
        if let (false, Some(construct)) = (finding.located.is_empty(), construct) {
            for (loop_, located) in Located::distribute(&finding.located, &finding.sums, body, loop_) {
                let blocks = Nest::new(body).blocks(loop_);
                for (part, sum) in located.apply(body, loop_, &blocks) {
                    let clauses = reduce_in_memory(body, (construct, homes), part, &[sum], &[]);
                    direct(body, part, clauses);
                }
            }
            if finding.sums.is_empty() {
                continue;
            }
        }
        if let (Some(scans), Some(construct)) = (&finding.scans, construct) {
            match scans.is_row {
                true => scans.mark(body, loop_),
                false => scans.apply(body, (construct, homes), loop_, &finding.lasts),
            }
            continue;
        }
        let is_outer = !has_parallel_around(body, chosen, loop_);
        let mut clauses = match construct {
            Some(construct) if is_outer => {
                reduce_in_memory(body, (construct, homes), loop_, &finding.sums, &finding.lasts)
            }
            _ => {
                let sums = finding.sums.iter();
                sums.map(|&sum| clause(body, construct, sum, Operand::Local(sum.local), loop_)).collect()
            }
        };
        clauses.extend(finding.inherited.iter().cloned());
        direct(body, loop_, clauses);
        name_private(body, finding, chosen);
        give_copies(body, loop_, &finding.arrays);
    }
}

/// Gives the iterations of loops that the programmer calls independent the scalars and arrays that each
/// sets before it reads them: by their clauses, all would share one. The last iteration's values are kept
/// as they are of other loops; where `collapse` makes one loop of several, and of what only some iterations
/// set, the value from before the loop stays, which is as good as any by OpenACC. A loop inside of a
/// parallel one, whose last value the iteration around uses, becomes sequential; tells of these, with what
/// is used of each.
pub fn separate_iterations(
    body: &mut Body,
    (construct, homes): (Construct, &mut Homes),
    findings: &Findings,
    chosen: &[&Finding],
) -> Vec<(Loop, Arc<str>)> {
    let mut sequential = Vec::new();
    for finding in findings.list.iter().rev() {
        let loop_ = finding.loop_;
        let directive = body.loops[loop_].directive.as_ref();
        let Some(directive) = directive.filter(|directive| directive.kind == LoopKind::Independent) else {
            continue;
        };
        let is_one_loop = directive.collapse == 1;
        let is_outer = !has_parallel_around(body, chosen, loop_);
        let kept = finding.arrays.iter().find(|array| array.is_kept).map(|array| name(body, array.var));
        let last = finding.lasts.first().map(|&local| body.locals[local].label());
        if let (false, Some(name)) = (is_outer, kept.or(last)) {
            sequential.push((loop_, name));
            continue;
        }
        let is_of_all = |array: &PrivateArray| {
            associated_with(body, findings, loop_)
                .all(|inner| inner.arrays.iter().any(|other| other.var == array.var))
        };
        let arrays: Vec<PrivateArray> = finding
            .arrays
            .iter()
            .filter(|array| is_of_all(array))
            .map(|array| PrivateArray { is_kept: array.is_kept && is_one_loop, ..*array })
            .collect();
        if is_outer {
            let lost: Vec<Local> = match is_one_loop {
                true => {
                    reduce_in_memory(body, (construct, &mut *homes), loop_, &[], &finding.lasts);
                    name_private(body, finding, chosen);
                    finding.set_at_times.clone()
                }
                false => finding.lasts.iter().chain(&finding.set_at_times).copied().collect(),
            };
            let rename = Rename::fresh(body, lost);
            if !rename.is_empty() {
                let nest = Nest::new(body);
                rename.apply(body, &nest.blocks(loop_), &nest.inside(loop_));
            }
        }
        give_copies(body, loop_, &arrays);
    }
    // Loops inside of these have been looked at as loops inside of parallel ones.
    for &(loop_, _) in &sequential {
        if let Some(directive) = &mut body.loops[loop_].directive {
            directive.make_sequential();
        }
    }
    sequential
}

/// Gives the results of a loop, sums and last values, memory that all gangs see behind it. Returns the
/// clauses of the sums.
pub(super) fn reduce_in_memory(
    body: &mut Body,
    (construct, homes): (Construct, &mut Homes),
    loop_: Loop,
    sums: &[Sum],
    lasts: &[Local],
) -> Vec<ReductionClause> {
    if sums.is_empty() && lasts.is_empty() {
        return Vec::new();
    }
    let sums: Vec<(Sum, Slot)> =
        sums.iter().map(|&sum| (sum, homes.of(body, construct, sum.local))).collect();
    let lasts: Vec<(Local, Slot)> =
        lasts.iter().map(|&local| (local, Homes::fresh(body, construct, local))).collect();
    let nest = Nest::new(body);
    let (blocks, inner) = (nest.blocks(loop_), nest.inside(loop_));
    let mut clauses = Vec::new();
    for &(sum, slot) in &sums {
        memory::demote(body, &blocks, &inner, sum.local, slot);
        clauses.push(clause(body, Some(construct), sum, Operand::Slot(slot), loop_));
    }
    exchange(body, loop_, &sums, &lasts);
    clauses
}

/// Gives a loop its own copies of scalars in which loops inside of it accumulate: a clause there names them.
fn name_private(body: &mut Body, finding: &Finding, chosen: &[&Finding]) {
    let inside = |other: &&&Finding| {
        other.loop_ != finding.loop_ && body.loop_is_within(Some(other.loop_), finding.loop_)
    };
    let sums: Vec<Local> =
        chosen.iter().filter(inside).flat_map(|other| &other.sums).map(|sum| sum.local).collect();
    for &local in finding.private.iter().chain(&finding.lasts).filter(|local| sums.contains(local)) {
        let private = body.private_clause(local, body.loops[finding.loop_].pos);
        if let Some(directive) = &mut body.loops[finding.loop_].directive {
            directive.private.push(private);
        }
    }
}

/// The clause of a sum. Its type is that of the elements of a clause which maps it: a local does not know of
/// `bool`. But the order of a minimum or maximum is the one in which the loop compares, which may be that of
/// another type: `if ((long)a[i] > (long)m)` of an unsigned `m`.
pub(super) fn clause(
    body: &Body,
    construct: Option<Construct>,
    sum: Sum,
    var: Operand,
    loop_: Loop,
) -> ReductionClause {
    let name = body.locals[sum.local].label();
    let maps = construct.map(|construct| &body.constructs[construct].maps);
    let mapped = maps.into_iter().flatten().find(|map| map.var == Some(var));
    let declared = mapped.and_then(|map| map.elements.as_ref()?.parts.first()).map(|part| part.ty);
    let ty = body.locals[sum.local].ty;
    let compared = RedType { ty, signed: sum.signed, boolean: false };
    let ty = match declared.filter(|declared| declared.ty == ty) {
        Some(declared) if sum.op.is_extremum() => RedType { boolean: declared.boolean, ..compared },
        Some(declared) => declared,
        None => compared,
    };
    let part = ReductionPart { offset: 0, ty, count: None };
    let pos = body.loops[loop_].pos;
    ReductionClause { op: sum.op, name, var, pointee: false, lower: None, parts: vec![part], pos }
}

/// Gives a loop the directive of an independent one.
pub(super) fn direct(body: &mut Body, loop_: Loop, clauses: Vec<ReductionClause>) {
    let data = &mut body.loops[loop_];
    let pos = data.pos;
    let directive = data.directive.get_or_insert_with(|| LoopDirective::new(LoopKind::Independent, pos));
    directive.kind = LoopKind::Independent;
    if directive.levels.is_empty() && directive.named_levels().is_empty() {
        directive.levels.push(Level::Unassigned);
    }
    for clause in clauses {
        if !directive.reductions.iter().any(|written| written.var == clause.var) {
            directive.reductions.push(clause);
        }
    }
}

/// Writes scalars to memory before a loop and reads them behind it, if it has run.
fn exchange(body: &mut Body, loop_: Loop, sums: &[(Sum, Slot)], lasts: &[(Local, Slot)]) {
    let LoopData { preheader, pos, .. } = body.loops[loop_];
    let Some(induction) = body.loops[loop_].induction.clone() else { return };
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    for &(sum, slot) in sums {
        cursor.store(slot, Operand::Local(sum.local));
    }
    // Iterations assign the scalar: its value from before the loop is another one, which no thread changes.
    let olds: Vec<Operand> = lasts.iter().map(|&(local, _)| cursor.copy(Operand::Local(local))).collect();
    let trip = trip_count(&mut cursor, &induction);
    let last = last_value(&mut cursor, &induction, trip);
    let after = split_exit(body, loop_);
    Cursor::at_start(body, after, pos, |cursor| {
        let ran = cursor.compare(CmpOp::Ne, trip, Operand::Int(Type::I64, 0));
        let summed = sums.iter().map(|&(sum, slot)| (sum.local, slot, Operand::Local(sum.local)));
        let kept = lasts.iter().zip(&olds).map(|(&(local, slot), &old)| (local, slot, old));
        for (local, slot, old) in summed.chain(kept) {
            let ty = cursor.body.locals[local].ty;
            let kept = cursor.load(ty, slot);
            let value = cursor.select(ran, kept, old);
            cursor.assign(local, value);
        }
    });
    if !lasts.is_empty() {
        keep_last(body, loop_, (induction.iv, last), lasts);
    }
}

/// Leaves a scalar in its memory where nothing but loops accumulates in it: the local that stood for it would
/// only be loaded and stored, by code between and behind the loops for which all gangs would wait.
pub fn leave_in_memory(body: &mut Body, blocks: &[Block], homes: &Homes) {
    for &(local, slot) in &homes.slots {
        let mut gone: Vec<(Block, usize)> = Vec::new();
        let mut accumulates = false;
        let is_all = blocks.iter().all(|&block| {
            let insts = &body.blocks[block].insts;
            insts.iter().enumerate().all(|(n, inst)| {
                let is_selected = |value: Operand| {
                    let made = insts[..n].iter().rev().find(|inst| inst.op.dst() == value.as_local());
                    matches!(made.map(|inst| &inst.op), Some(Op::Select { b, .. }) if *b == Operand::Local(local))
                };
                match inst.op {
                    Op::Load { dst, addr, .. } if dst == local => {
                        gone.push((block, n));
                        addr.base == Operand::Slot(slot)
                    }
                    Op::Store { addr, src, .. } if src == Operand::Local(local) => {
                        gone.push((block, n));
                        addr.base == Operand::Slot(slot)
                    }
                    Op::Copy { dst, src } if dst == local => {
                        gone.push((block, n));
                        accumulates = true;
                        is_selected(src)
                    }
                    Op::Select { b: Operand::Local(old), .. } if old == local => {
                        gone.push((block, n));
                        true
                    }
                    ref op => {
                        let mut is_other = true;
                        reads(body, op, |read| is_other &= read != local);
                        is_other && op.dst() != Some(local)
                    }
                }
            })
        });
        if is_all && accumulates {
            for (block, n) in gone.into_iter().rev() {
                body.blocks[block].insts.remove(n);
            }
        }
    }
}

/// Lets the last iteration leave its values in memory.
fn keep_last(body: &mut Body, loop_: Loop, (counter, last): (Local, Operand), lasts: &[(Local, Slot)]) {
    let LoopData { latch, pos, .. } = body.loops[loop_];
    let preds = predecessors_of(body, latch);
    let test = split_edges(body, &preds, latch, pos);
    let store = split_edges(body, &[test], latch, pos);
    for block in [test, store] {
        body.blocks[block].construct = body.blocks[latch].construct;
    }
    // The counter goes on in the latch; what the program assigns there comes before.
    let insts = &mut body.blocks[latch].insts;
    let end = insts.iter().position(|inst| inst.op.dst() == Some(counter)).unwrap_or(insts.len());
    body.blocks[test].insts = insts.drain(..end).collect();
    let mut cursor = Cursor::with_pos(body, test, pos);
    let is_last = cursor.compare(CmpOp::Eq, Operand::Local(counter), last);
    cursor.terminate(Terminator::Branch { cond: is_last, then: store, otherwise: latch });
    let mut cursor = Cursor::with_pos(body, store, pos);
    for &(local, slot) in lasts {
        cursor.store(slot, Operand::Local(local));
    }
}
