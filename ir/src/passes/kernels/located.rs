//! Loops in which one iteration decides what scalars are: minima and maxima with their place, and values
//! that are assigned under a condition.
//!
//! ```c
//! if (a[i] > m) { m = a[i]; at = i; }
//! if (c[i]) last = x[i];
//! ```
//!
//! The iteration is found by parallel loops, and then its code is executed once more, for the scalars. For a
//! condition, it is the last one in which the condition holds: a maximum over numbers of iterations. For a
//! place, a first loop finds the maximum, and a second one the first iteration whose element equals it, or
//! the last one for `>=`; no iteration decides unless the maximum is better than the value from before the
//! loop.
//!
//! The code of such a loop must do nothing else: no memory is written, so that an iteration may be
//! repeated. Other branches may lead to the `if` or past it. Where several `if`s decide scalars of their own,
//! as those of a minimum and a maximum do, each gets a loop that leaves the others out. So do sums beside
//! them.

use super::copies::{Copy, redirect_exit};
use super::found::Sum;
use crate::acc::ReductionOp;
use crate::analysis::accumulation::swapped;
use crate::analysis::liveness::reads;
use crate::analysis::loops::Nest;
use crate::analysis::sums::{Atom, Atoms, Kind, Sum as Terms};
use crate::analysis::survey::{Survey, Whole};
use crate::builder::Cursor;
use crate::edit::induction::{induction_value, iteration};
use crate::edit::rename::Rename;
use crate::edit::split::{block_like, split_exit};
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, Induction, LoopData};
use crate::op::{BinaryOp, Class, CmpOp, Inst, Op, Operand, Terminator};
use crate::types::Type;

/// The extremum whose place is looked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Extremum {
    /// The scalar that holds it.
    pub local: Local,
    /// Minimum or maximum.
    pub op: ReductionOp,
    /// The comparison of an element, on the left, with it.
    cmp: CmpOp,
    /// The element, in the block of the branch.
    element: Operand,
}

/// Scalars that one iteration decides.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    /// The scalars, the extremum among them.
    pub locals: Vec<Local>,
    /// The extremum; `None`: the last iteration in which the condition holds decides.
    pub extremum: Option<Extremum>,
    /// The block that ends with the condition.
    decides: Block,
    /// The block that is executed where it holds.
    then: Block,
}

impl Located {
    /// Of a loop, for the scalars that its iterations carry: each is decided by one of these. None if
    /// something else becomes of any, or if a sum depends on what decides.
    pub fn of(
        whole: &Whole<'_>,
        survey: &Survey,
        loop_: Loop,
        locals: &[Local],
        sums: &[Sum],
    ) -> Vec<Located> {
        let blocks = whole.nest.blocks(loop_);
        let is_apart =
            |test: &Test| !sums.iter().any(|sum| is_assigned(whole.body, &test.way, usize::MAX, sum.local));
        let tests = Test::all(whole, loop_, &blocks, locals).into_iter().flatten();
        let located: Option<Vec<Located>> = tests
            .map(|(test, own)| is_apart(&test).then_some((test, own)))
            .map(|test| Located::by(whole.body, survey, loop_, &blocks, test?))
            .collect();
        let located = located.unwrap_or_default();
        let count: usize = located.iter().map(|located| located.locals.len()).sum();
        if count == locals.len() { located } else { Vec::new() }
    }

    /// Of what a condition decides.
    fn by(
        body: &Body,
        survey: &Survey,
        loop_: Loop,
        blocks: &[Block],
        (test, locals): (Test, Vec<Local>),
    ) -> Option<Located> {
        let compared = test.compared(body, blocks, &locals)?;
        let Test { decides, compare, then, .. } = test;
        let extremum = match compared {
            None => None,
            Some(local) => Some(extremum(body, survey, loop_, local, (decides, compare))?),
        };
        let is_scalar = |operand: Operand| operand.as_local().is_some_and(|local| locals.contains(&local));
        if extremum.is_some_and(|extremum| is_scalar(extremum.element)) {
            return None;
        }
        Some(Located { locals, extremum, decides, then })
    }

    /// Gives each of several conditions a loop of its own, one behind the other. Sums have the first loop.
    pub fn distribute(all: &[Located], sums: &[Sum], body: &mut Body, loop_: Loop) -> Vec<(Loop, Located)> {
        let blocks = Nest::new(body).blocks(loop_);
        let located = all.iter().flat_map(|located| located.locals.iter().copied());
        let sums: Vec<Local> = sums.iter().map(|sum| sum.local).collect();
        let locals: Vec<Local> = located.chain(sums.iter().copied()).collect();
        let of_sums = usize::from(!sums.is_empty());
        let LoopData { preheader, pos, .. } = body.loops[loop_];
        let mut last = loop_;
        let mut made: Vec<(Loop, Vec<Located>)> = vec![(loop_, all.to_vec())];
        for _ in 1..all.len() + of_sums {
            let exit = split_exit(body, last);
            let enter = block_like(body, preheader, exit, pos);
            let (next, copy) = Copy::of_loop(body, loop_, &blocks, (enter, exit), &locals);
            redirect_exit(body, last, enter);
            // There, sums are what they have come to.
            let adds = |inst: &Inst| inst.op.dst().is_some_and(|dst| sums.contains(&dst));
            for block in copy.copies.blocks() {
                body.blocks[block].insts.retain(|inst| !adds(inst));
            }
            made.push((next, all.iter().map(|located| located.copied(&copy)).collect()));
            last = next;
        }
        let made = made.into_iter().enumerate().filter_map(|(n, (loop_, mut all))| {
            let own = n.checked_sub(of_sums);
            for (_, other) in all.iter().enumerate().filter(|(n, _)| Some(*n) != own) {
                if let Terminator::Branch { otherwise, .. } = body.blocks[other.decides].term {
                    body.blocks[other.decides].term = Terminator::Jump(otherwise);
                }
            }
            own.map(|own| (loop_, all.swap_remove(own)))
        });
        let made = made.collect();
        body.remove_unreachable();
        made
    }

    fn copied(&self, copy: &Copy) -> Located {
        let extremum = self.extremum.map(|it| Extremum { element: copy.rename.operand(it.element), ..it });
        let (decides, then) = (copy.copies.of(self.decides), copy.copies.of(self.then));
        Located { locals: self.locals.clone(), extremum, decides, then }
    }

    /// Rewrites a counted loop; the loops that it becomes, with what each reduces. Nothing is changed, and
    /// there are none, if the number of an iteration cannot be told.
    pub fn apply(&self, body: &mut Body, loop_: Loop, blocks: &[Block]) -> Vec<(Loop, Sum)> {
        let LoopData { preheader, pos, .. } = body.loops[loop_];
        let Some(induction) = body.loops[loop_].induction.clone() else { return Vec::new() };
        // Where the scalars are computed, and what follows.
        let done = split_exit(body, loop_);
        let chosen = block_like(body, preheader, done, pos);
        let test = block_like(body, preheader, chosen, pos);
        let number = body.temp(Type::I64);
        let is_first =
            self.extremum.is_some_and(|e| matches!(e.cmp, CmpOp::Lt | CmpOp::Gt | CmpOp::ULt | CmpOp::UGt));
        let (op, none) = if is_first { (ReductionOp::Min, i64::MAX) } else { (ReductionOp::Max, -1) };
        let none = Operand::Int(Type::I64, none);
        self.execute_again(body, loop_, blocks, (chosen, done), number);
        let mut made = Vec::new();
        let (searched, then) = match self.extremum {
            None => {
                self.rename_scalars(body, blocks);
                redirect_exit(body, loop_, test);
                (loop_, self.then)
            }
            Some(extremum) => {
                let best = body.local_like(extremum.local);
                let (sum, second) = self.find_best(body, loop_, blocks, test, (extremum, best));
                made.push((loop_, sum));
                // The best element is better than what there was before the loop.
                let mut cursor = Cursor::with_pos(body, test, pos);
                let better =
                    cursor.compare(extremum.cmp, Operand::Local(best), Operand::Local(extremum.local));
                let kept = cursor.select(better, Operand::Local(number), none);
                cursor.assign(number, kept);
                second
            }
        };
        let preheader = body.loops[searched].preheader;
        Cursor::with_pos(body, preheader, pos).assign(number, none);
        let induction = body.loops[searched].induction.clone().unwrap_or(induction);
        let combine = if is_first { BinaryOp::SMin } else { BinaryOp::SMax };
        Cursor::at_start(body, then, pos, |cursor| {
            let own = iteration(cursor, &induction);
            cursor.op(Op::Binary { dst: number, op: combine, a: Operand::Local(number), b: own });
        });
        made.push((searched, Sum { local: number, op, signed: true }));
        let mut cursor = Cursor::with_pos(body, test, pos);
        let found = cursor.compare(CmpOp::Ne, Operand::Local(number), none);
        cursor.terminate(Terminator::Branch { cond: found, then: chosen, otherwise: done });
        // What a first loop did where its condition held.
        body.remove_unreachable();
        made
    }

    /// Executes the iteration with a number once more, from one block up to another.
    fn execute_again(
        &self,
        body: &mut Body,
        loop_: Loop,
        blocks: &[Block],
        (from, to): (Block, Block),
        number: Local,
    ) {
        let LoopData { header, body: first, latch, pos, .. } = body.loops[loop_];
        let Some(induction) = body.loops[loop_].induction.clone() else { return };
        let around = body.blocks[from].loop_;
        let again = Copy::new(body, blocks, around, &self.locals, to);
        body.blocks[again.copies.of(header)].term = Terminator::Jump(again.copies.of(first));
        body.blocks[again.copies.of(latch)].term = Terminator::Jump(to);
        let iv = again.rename.local(induction.iv);
        let mut cursor = Cursor::with_pos(body, from, pos);
        induction_value(&mut cursor, &Induction { iv, ..induction }, Operand::Local(number));
        cursor.terminate(Terminator::Jump(again.copies.of(header)));
    }

    /// Lets a loop find the best element, and another one behind it the place, from which control goes to
    /// `exit`. Returns what the loop reduces, and the other loop with the block where it has found the place.
    fn find_best(
        &self,
        body: &mut Body,
        loop_: Loop,
        blocks: &[Block],
        exit: Block,
        (extremum, best): (Extremum, Local),
    ) -> (Sum, (Loop, Block)) {
        let LoopData { preheader, pos, .. } = body.loops[loop_];
        let enter = block_like(body, preheader, exit, pos);
        let second = self.search(body, loop_, blocks, (enter, exit), (extremum, best));
        let rename = self.rename_scalars(body, blocks);
        let reduced = rename.local(extremum.local);
        self.accumulate(body, extremum, reduced);
        Cursor::with_pos(body, preheader, pos).assign(reduced, Operand::Local(extremum.local));
        redirect_exit(body, loop_, enter);
        Cursor::at_start(body, enter, pos, |cursor| cursor.assign(best, Operand::Local(reduced)));
        let signed = !matches!(extremum.cmp, CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe);
        (Sum { local: reduced, op: extremum.op, signed }, second)
    }

    /// Lets a loop assign other locals than the scalars, which keep their values from before it.
    fn rename_scalars(&self, body: &mut Body, blocks: &[Block]) -> Rename {
        let rename = Rename::fresh(body, self.locals.iter().copied());
        rename.apply(body, blocks, &[]);
        rename
    }

    /// Lets a loop do no more than find the best element. That no comparison with a NaN holds makes no
    /// difference: the place is looked for by comparisons.
    fn accumulate(&self, body: &mut Body, extremum: Extremum, reduced: Local) {
        let Terminator::Branch { otherwise, .. } = body.blocks[self.decides].term else { return };
        let is_float = body.locals[reduced].ty.is_float();
        let is_unsigned = matches!(extremum.cmp, CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe);
        let op = match (extremum.op == ReductionOp::Max, is_float, is_unsigned) {
            (true, true, _) => BinaryOp::FMax,
            (true, false, true) => BinaryOp::UMax,
            (true, false, false) => BinaryOp::SMax,
            (false, true, _) => BinaryOp::FMin,
            (false, false, true) => BinaryOp::UMin,
            (false, false, false) => BinaryOp::SMin,
        };
        let pos = body.blocks[self.decides].term_pos;
        Cursor::with_pos(body, self.decides, pos).op(Op::Binary {
            dst: reduced,
            op,
            a: Operand::Local(reduced),
            b: extremum.element,
        });
        body.blocks[self.decides].term = Terminator::Jump(otherwise);
    }

    /// The loop that looks for the place of the best element; the block where it is found comes with it.
    fn search(
        &self,
        body: &mut Body,
        loop_: Loop,
        blocks: &[Block],
        (enter, exit): (Block, Block),
        (extremum, best): (Extremum, Local),
    ) -> (Loop, Block) {
        let (second, copy) = Copy::of_loop(body, loop_, blocks, (enter, exit), &[]);
        let decides = copy.copies.of(self.decides);
        let element = copy.rename.operand(extremum.element);
        // The comparison becomes another one, so that nothing reads the scalar.
        let Terminator::Branch { cond, .. } = body.blocks[decides].term else {
            return (second, copy.copies.of(self.then));
        };
        let own = copy.rename.local(extremum.local);
        let insts = std::mem::take(&mut body.blocks[decides].insts);
        body.blocks[decides].insts = insts
            .into_iter()
            .filter_map(|mut inst| {
                if inst.op.dst().is_some() && inst.op.dst() == cond.as_local() {
                    inst.op = Op::Compare {
                        dst: cond.as_local()?,
                        op: CmpOp::Eq,
                        a: element,
                        b: Operand::Local(best),
                    };
                    return Some(inst);
                }
                let mut is_read = false;
                reads(body, &inst.op, |read| is_read |= read == own);
                (!is_read).then_some(inst)
            })
            .collect();
        (second, copy.copies.of(self.then))
    }
}

/// An `if` that decides scalars, of a loop whose blocks do nothing but compute and read.
struct Test {
    /// The block that ends with the condition.
    decides: Block,
    /// The comparison there.
    compare: usize,
    /// The first block where it holds.
    then: Block,
    /// The blocks where it holds, up to where both ways meet.
    way: Vec<Block>,
}

impl Test {
    /// Those of a loop, each with the scalars that are assigned where it holds; none if any is assigned
    /// elsewhere, too.
    fn all(
        whole: &Whole<'_>,
        loop_: Loop,
        blocks: &[Block],
        locals: &[Local],
    ) -> Option<Vec<(Test, Vec<Local>)>> {
        let body = whole.body;
        let header = body.loops[loop_].header;
        let mut branches = Vec::new();
        for &block in blocks {
            if body.blocks[block].loop_ != Some(loop_) || !is_repeatable(whole, block) {
                return None;
            }
            match body.blocks[block].term {
                Terminator::Jump(_) => {}
                Terminator::Branch { .. } if block == header => {}
                Terminator::Branch { cond, then, otherwise } => branches.push((block, cond, then, otherwise)),
                _ => return None,
            }
        }
        let is_alone = branches.len() == 1;
        let mut found: Vec<(Test, Vec<Local>)> = Vec::new();
        for branch in branches {
            let Some(test) = Test::of(whole, loop_, branch, is_alone) else { continue };
            let mut own = locals.to_vec();
            own.retain(|&local| is_assigned(body, &test.way, usize::MAX, local));
            if own.iter().any(|local| found.iter().any(|(_, known)| known.contains(local))) {
                return None;
            }
            if !own.is_empty() {
                found.push((test, own));
            }
        }
        Some(found)
    }

    /// Of a branch; `is_alone`: it is the only one of the loop, so that nothing depends on where its ways
    /// meet.
    fn of(
        whole: &Whole<'_>,
        loop_: Loop,
        (decides, cond, then, otherwise): (Block, Operand, Block, Block),
        is_alone: bool,
    ) -> Option<Test> {
        let body = whole.body;
        let latch = body.loops[loop_].latch;
        let mut way = Vec::new();
        let mut at = then;
        while at != otherwise && at != latch && whole.cfg.predecessors(at).len() == 1 {
            way.push(at);
            let Terminator::Jump(next) = body.blocks[at].term else { return None };
            at = next;
        }
        let meets = is_alone || behind_jumps(body, at) == behind_jumps(body, otherwise);
        if !meets || way.is_empty() || whole.cfg.predecessors(otherwise).len() == 1 && is_alone {
            return None;
        }
        let compare = body.blocks[decides].insts.iter().rposition(|inst| inst.op.dst() == cond.as_local())?;
        // The comparison becomes another one where the place is looked for, for the branch alone.
        let mut uses = 0;
        for &block in &whole.nest.blocks(loop_) {
            let mut note = |local: Local| uses += u32::from(cond == Operand::Local(local));
            body.blocks[block].insts.iter().for_each(|inst| reads(body, &inst.op, &mut note));
            body.blocks[block].term.uses(note);
        }
        (uses == 1).then_some(Test { decides, compare, then, way })
    }

    /// The scalar that the condition compares, if there is one; `None` if the loop reads or assigns scalars
    /// anywhere else than where the condition holds, or reads them there before it has assigned them.
    fn compared(&self, body: &Body, blocks: &[Block], locals: &[Local]) -> Option<Option<Local>> {
        let Test { decides, compare, ref way, .. } = *self;
        let mut compared = None;
        for &block in blocks {
            let position = way.iter().position(|&other| other == block);
            for (n, inst) in body.blocks[block].insts.iter().enumerate() {
                let mut fits = true;
                reads(body, &inst.op, |read| {
                    if !locals.contains(&read) {
                        return;
                    }
                    if block == decides && is_compared(body, blocks, (decides, compare), n) {
                        compared = Some(read);
                    } else {
                        fits &=
                            position.is_some_and(|position| is_assigned(body, &way[..=position], n, read));
                    }
                });
                inst.op.defs(|written| fits &= !locals.contains(&written) || position.is_some());
                if !fits {
                    return None;
                }
            }
        }
        Some(compared)
    }
}

/// Where control comes to from a block, past those that do nothing but jump.
fn behind_jumps(body: &Body, mut block: Block) -> Block {
    let mut left = body.blocks.len();
    while let Terminator::Jump(next) = body.blocks[block].term
        && body.blocks[block].insts.is_empty()
        && left > 0
    {
        (block, left) = (next, left - 1);
    }
    block
}

/// Whether a block only computes and reads, so that it may be executed once more.
fn is_repeatable(whole: &Whole<'_>, block: Block) -> bool {
    whole.body.blocks[block].insts.iter().all(|inst| match &inst.op {
        Op::Load { access, .. } => !access.volatile,
        op @ Op::Call { .. } => !whole.writes(op),
        op => op.class() == Class::Value && !op.effects().writes,
    })
}

/// Whether a local is assigned in one of some blocks, in the last of them before an instruction.
fn is_assigned(body: &Body, blocks: &[Block], before: usize, local: Local) -> bool {
    let Some((&last, earlier)) = blocks.split_last() else { return false };
    let assigns = |block: Block, most: usize| {
        body.blocks[block].insts.iter().take(most).any(|inst| inst.op.dst() == Some(local))
    };
    earlier.iter().any(|&block| assigns(block, usize::MAX)) || assigns(last, before)
}

/// Whether an instruction is the comparison that decides, or the copy that is made for nothing but it.
fn is_compared(body: &Body, blocks: &[Block], (decides, compare): (Block, usize), inst: usize) -> bool {
    let insts = &body.blocks[decides].insts;
    let Op::Compare { a, b, .. } = insts[compare].op else { return false };
    let Op::Copy { dst, .. } = insts[inst].op else { return inst == compare };
    let mut uses = 0;
    for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
        reads(body, &inst.op, |read| uses += u32::from(read == dst));
    }
    uses == 1 && [a, b].contains(&Operand::Local(dst)) && inst < compare
}

/// The extremum that a loop keeps in a local, by the comparison with it.
fn extremum(
    body: &Body,
    survey: &Survey,
    loop_: Loop,
    local: Local,
    (decides, compare): (Block, usize),
) -> Option<Extremum> {
    let insts = &body.blocks[decides].insts;
    let Op::Compare { op, a, b, .. } = insts[compare].op else { return None };
    // The scalar itself, or a copy of it.
    let is_own = |operand: Operand| {
        let copy = insts[..compare].iter().rev().find(|inst| inst.op.dst() == operand.as_local());
        operand == Operand::Local(local)
            || operand.as_local().is_some()
                && matches!(copy, Some(Inst { op: Op::Copy { src, .. }, .. }) if *src == Operand::Local(local))
    };
    let (cmp, element) = match (is_own(a), is_own(b)) {
        (false, true) => (op, a),
        (true, false) => (swapped(op), b),
        _ => return None,
    };
    let op = match cmp {
        CmpOp::Lt | CmpOp::Le | CmpOp::ULt | CmpOp::ULe => ReductionOp::Min,
        CmpOp::Gt | CmpOp::Ge | CmpOp::UGt | CmpOp::UGe => ReductionOp::Max,
        CmpOp::Eq | CmpOp::Ne | CmpOp::Unordered => return None,
    };
    // What is assigned is what was compared.
    let kept = &survey.loops.get(&loop_)?.kept;
    let made = kept.iter().find(|(other, _)| *other == local)?.1.as_atom()?;
    let is_it = is_choice_by_itself(&survey.atoms, made);
    (is_it && body.operand_type(element) == body.locals[local].ty).then_some(Extremum {
        local,
        op,
        cmp,
        element,
    })
}

/// Whether a value is one of two that are compared, by that comparison, or nothing under other conditions.
fn is_choice_by_itself(atoms: &Atoms, value: Atom) -> bool {
    let Kind::Choice { cond, then, otherwise } = &atoms.data(value).kind else { return false };
    if let Kind::Compare(_, _, x, y) = &atoms.data(*cond).kind
        && (then == x && otherwise == y || then == y && otherwise == x)
    {
        return true;
    }
    [then, otherwise].into_iter().filter_map(Terms::as_atom).any(|arm| is_choice_by_itself(atoms, arm))
}
