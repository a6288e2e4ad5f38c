//! Gives a loop whose number of iterations is known before it its counted form.
//!
//! The loop counts with a new local; the locals that change by a constant in each iteration are computed from
//! it at the start of the body, and once more behind the loop, where their last values may be used.

use crate::analysis::accumulation;
use crate::analysis::compared::Compared;
use crate::analysis::sums::{Atom, Kind, Product, Sum};
use crate::analysis::survey::{LoopFacts, Survey, Whole, are_of_one_type};
use crate::builder::Cursor;
use crate::edit::clone::recompute;
use crate::edit::induction::{iteration, stepped_value, trip_count};
use crate::edit::split::split_exit;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, Induction, LoopData};
use crate::op::{BinaryOp, Class, CmpOp, ConvertOp, Op, Operand, Terminator, last_definition};
use crate::types::Type;
use crate::visit::Part;

/// How a loop counts.
#[derive(Clone, Debug)]
pub struct Count {
    /// The local that the header compares.
    local: Local,
    /// What the header makes of it before.
    conversions: Vec<(ConvertOp, Type)>,
    /// The type that is compared.
    ty: Type,
    /// What the left side changes by in each iteration; of a symbolic step the sign.
    step: i64,
    /// Its step is no constant.
    is_symbolic: bool,
    /// The comparison that lets an iteration run, `local` on the left.
    cmp: CmpOp,
    /// The right side, computed in the header.
    bound: Operand,
    /// The right side is a local that changes, too: `i < j`, both of 32 bits with a sign. The loop counts
    /// their difference.
    meets: bool,
    /// What is compared is made of the local: `i + 1` of `i + 1 < n`. The loop counts that.
    made: Option<Operand>,
    /// All locals that change by the same amount in each iteration, with it.
    inductions: Vec<(Local, Step)>,
}

/// What a local changes by in each iteration.
#[derive(Clone, Debug)]
enum Step {
    Constant(i64),
    /// A sum of numbers that nothing in the nest assigns, as products of locals with a constant before each:
    /// `2 * d` of `i += 2 * d`.
    Symbol(Vec<(Vec<Local>, i64)>),
}

impl Count {
    /// Of a loop with these facts; `None` if the number of its iterations is not known before it.
    pub fn of(whole: &Whole<'_>, survey: &Survey, facts: &LoopFacts, loop_: Loop) -> Option<Count> {
        let body = whole.body;
        let is_fixed = |operand: Operand| is_fixed(whole, operand, loop_);
        let data = &body.loops[loop_];
        let header = &body.blocks[data.header];
        let Terminator::Branch { cond, then, otherwise } = header.term else { return None };
        if then != data.body || otherwise != data.exit {
            return None;
        }
        // The header is executed once more than the body, and then its instructions are those of nobody.
        // A division by 0 ends the program before the loop, too.
        let is_plain = |op: &Op| op.class() == Class::Value || matches!(op, Op::Load { .. });
        if !header.insts.iter().all(|inst| is_plain(&inst.op)) {
            return None;
        }
        let compare = header.insts.iter().rev().find(|inst| inst.op.dst() == cond.as_local())?;
        let Op::Compare { op, a, b, .. } = compare.op else { return None };
        let step_of =
            |(local, step, _): &(Local, Sum, Sum)| Some((*local, Step::of(whole, survey, *local, step)?));
        let inductions: Option<Vec<(Local, Step)>> = facts.inductions.iter().map(step_of).collect();
        let inductions = inductions?;
        let step_of =
            |local: Local| inductions.iter().find(|(other, _)| *other == local).map(|(_, step)| step);
        // It is positive, or a loop up to a bound would not end.
        let counts_up = |local: Local, products: &[(Vec<Local>, i64)]| {
            let is_like = |other: &Local| body.locals[*other].ty == body.locals[local].ty;
            !whole.signed_wraps && products.iter().all(|(locals, _)| locals.iter().all(is_like))
        };
        let side = |operand: Operand| {
            let compared = Compared::of(body, &header.insts, operand.as_local()?);
            match step_of(compared.local)? {
                Step::Constant(step) => (*step != 0).then_some((compared, *step)),
                Step::Symbol(products) => counts_up(compared.local, products).then_some((compared, 1)),
            }
        };
        let (cmp, bound, (compared, step), other) = match (side(a), side(b)) {
            (Some(counter), None) if is_fixed(b) => (op, b, counter, 0),
            (None, Some(counter)) if is_fixed(a) => (accumulation::swapped(op), a, counter, 0),
            (Some(one), Some((other, step)))
                if can_meet(body, op, &one.0, &other)
                    && !matches!(step_of(other.local), Some(Step::Symbol(_))) =>
            {
                (op, Operand::Local(other.local), one, step)
            }
            (None, None) => return Count::of_made(whole, facts, (op, a, b), (loop_, inductions)),
            _ => return None,
        };
        let is_symbolic = matches!(step_of(compared.local), Some(Step::Symbol(_)));
        let step = step.checked_sub(other)?;
        let ty = body.operand_type(a);
        let are_numbers = inductions.iter().all(|&(local, _)| is_number(body.locals[local].ty));
        let is_ordered = !is_symbolic
            || other == 0 && matches!(cmp, CmpOp::Lt | CmpOp::Le) && compared.conversions.is_empty();
        // A pointer meets the end that it is compared with, whatever the size of an element.
        let meets_end = ty == Type::Ptr && cmp == CmpOp::Ne && step != 0 && compared.conversions.is_empty();
        // A narrow number that is known to count does not wrap around, nor does one of which that is tested.
        let widens = |op: ConvertOp| matches!(op, ConvertOp::SExt | ConvertOp::ZExt | ConvertOp::Bits);
        let is_exact = || {
            let is_tested = !survey.assumed.is_empty() && facts.step == Some(step);
            (matches!(body.locals[compared.local].ty, Type::I8 | Type::I16) || is_tested)
                && compared.conversions.iter().all(|(op, _)| widens(*op))
        };
        let counts_alike = compared.counts_alike(cmp, step) || is_exact();
        let counts = goes_towards(cmp, step) && counts_alike && is_ordered || meets_end && !is_symbolic;
        (counts && is_number(ty) && are_numbers).then_some(Count {
            local: compared.local,
            conversions: compared.conversions,
            ty,
            step,
            is_symbolic,
            cmp,
            bound,
            meets: other != 0,
            made: None,
            inductions,
        })
    }

    /// Of a loop whose header compares a number that it makes of locals which step.
    fn of_made(
        whole: &Whole<'_>,
        facts: &LoopFacts,
        (op, a, b): (CmpOp, Operand, Operand),
        (loop_, inductions): (Loop, Vec<(Local, Step)>),
    ) -> Option<Count> {
        let (cmp, made, bound) = match (is_fixed(whole, a, loop_), is_fixed(whole, b, loop_)) {
            (false, true) => (op, a, b),
            (true, false) => (accumulation::swapped(op), b, a),
            _ => return None,
        };
        let step = facts.step?;
        let ty = whole.body.operand_type(made);
        let is_signed = matches!(cmp, CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge);
        // An unsigned number comes to its bound before it wraps around, as `Compared::counts_alike` says.
        let counts = goes_towards(cmp, step)
            && !whole.signed_wraps
            && (is_signed || step.unsigned_abs().is_power_of_two());
        let (local, _) = *inductions.iter().find(|(_, step)| !matches!(step, Step::Constant(0)))?;
        let are_numbers = inductions.iter().all(|&(local, _)| is_number(whole.body.locals[local].ty));
        (counts && matches!(ty, Type::I32 | Type::I64) && are_numbers).then_some(Count {
            local,
            conversions: Vec::new(),
            ty,
            step,
            is_symbolic: false,
            cmp,
            bound,
            meets: false,
            made: Some(made),
            inductions,
        })
    }

    /// The local that the header compares.
    pub fn local(&self) -> Local {
        self.local
    }

    /// Whether the counter tells the number of an iteration by a constant.
    pub fn has_numbers(&self) -> bool {
        !self.is_symbolic
    }

    /// Rewrites the loop.
    pub fn apply(&self, body: &mut Body, loop_: Loop) {
        let LoopData { preheader, header, body: first, latch, pos, .. } = body.loops[loop_];
        let after = split_exit(body, loop_);
        let head = std::mem::take(&mut body.blocks[header].insts);
        // The bound and the first values, before the loop.
        let mut cursor = Cursor::with_pos(body, preheader, pos);
        let before = recompute(&mut cursor, head.iter().map(|inst| &inst.op));
        let bound = before.operand(self.bound);
        let made = self.made.map(|made| before.operand(made));
        let firsts: Vec<Operand> =
            self.inductions.iter().map(|&(local, _)| first_value(&mut cursor, local)).collect();
        let (init, bound) = match made {
            Some(made) => (made, cursor.copy(bound)),
            None => self.ends(&mut cursor, &firsts, bound),
        };
        let ty = cursor.body.operand_type(init);
        let counter = cursor.temp(ty);
        let name = cursor.body.locals[self.local].name.clone();
        cursor.body.locals[counter].name = name;
        let steps: Vec<Operand> =
            self.inductions.iter().map(|(local, step)| step.operand(&mut cursor, *local)).collect();
        let own = self.inductions.iter().position(|(local, _)| *local == self.local);
        let step = own.filter(|_| self.is_symbolic).map_or(Operand::Int(ty, self.step), |own| steps[own]);
        let induction = Induction { iv: counter, init, bound, step, cmp: self.cmp };
        cursor.assign(counter, init);
        // Behind the loop: the trip count gives the last values.
        let trip = trip_count(&mut cursor, &induction);
        Cursor::at_start(body, after, pos, |cursor| {
            self.values(cursor, (&firsts, &steps), trip);
            head.iter().for_each(|inst| cursor.op(inst.op.clone()));
        });
        let mut cursor = Cursor::with_pos(body, header, pos);
        let runs = cursor.compare(self.cmp, Operand::Local(counter), bound);
        if let Terminator::Branch { cond, .. } = &mut body.blocks[header].term {
            *cond = runs;
        }
        Cursor::at_start(body, first, pos, |cursor| {
            let own = cursor.body.locals[self.local].ty;
            let others = self.inductions.iter().any(|(local, _)| *local != self.local);
            if others || own == Type::Ptr || self.made.is_some() {
                let number = iteration(cursor, &induction);
                self.values(cursor, (&firsts, &steps), number);
            } else {
                let counter = Operand::Local(counter);
                let value = if own == ty { counter } else { cursor.convert(ConvertOp::Trunc, own, counter) };
                cursor.assign(self.local, value);
            }
            head.iter().for_each(|inst| cursor.op(inst.op.clone()));
        });
        let mut cursor = Cursor::with_pos(body, latch, pos);
        cursor.op(Op::Binary { dst: counter, op: BinaryOp::Add, a: Operand::Local(counter), b: step });
        body.loops[loop_].induction = Some(induction);
    }

    /// The first value of the counter and its bound, in front of the loop.
    fn ends(&self, cursor: &mut Cursor<'_>, firsts: &[Operand], bound: Operand) -> (Operand, Operand) {
        let first = |local: Local| {
            let at = self.inductions.iter().position(|(other, _)| *other == local);
            at.map_or(Operand::Local(local), |at| firsts[at])
        };
        let own = first(self.local);
        if self.meets {
            let other = bound.as_local().map_or(bound, first);
            let [own, other] = [own, other].map(|end| cursor.convert(ConvertOp::SExt, Type::I64, end));
            return (cursor.sub(own, other), Operand::Int(Type::I64, 0));
        }
        let init = self.conversions.iter().fold(own, |value, &(op, ty)| cursor.convert(op, ty, value));
        if self.ty == Type::Ptr {
            let [init, bound] = [init, bound].map(|end| cursor.convert(ConvertOp::Bits, Type::I64, end));
            return (init, bound);
        }
        (init, cursor.copy(bound))
    }

    /// Assigns every induction its value in an iteration.
    fn values(&self, cursor: &mut Cursor<'_>, (firsts, steps): (&[Operand], &[Operand]), iteration: Operand) {
        for (&(local, _), (&first, &step)) in self.inductions.iter().zip(firsts.iter().zip(steps)) {
            stepped_value(cursor, local, (first, step), iteration);
        }
    }
}

impl Step {
    /// The step of a local; `None` if it is made of something else than numbers that the nest leaves alone.
    fn of(whole: &Whole<'_>, survey: &Survey, local: Local, step: &Sum) -> Option<Step> {
        if let Some(step) = step.as_constant() {
            return Some(Step::Constant(step));
        }
        let body = whole.body;
        let blocks = whole.nest.blocks(survey.outermost);
        let kept = |atom: Atom| {
            let Kind::Entry(local) = survey.atoms.data(atom).kind else { return None };
            let is_number = matches!(body.locals[local].ty, Type::I32 | Type::I64);
            (is_number && writers(body, &blocks, local).is_empty()).then_some(local)
        };
        let term = |(product, factor): (&Product, i64)| {
            let locals: Option<Vec<Local>> = product.iter().map(|&atom| kept(atom)).collect();
            Some((locals?, factor))
        };
        let is_stepped = matches!(body.locals[local].ty, Type::I32 | Type::I64 | Type::Ptr);
        is_stepped.then(|| step.terms().map(term).collect::<Option<_>>())?.map(Step::Symbol)
    }

    /// The step of a local as a number, in bytes that of a pointer, in front of the loop.
    fn operand(&self, cursor: &mut Cursor<'_>, local: Local) -> Operand {
        let ty = match cursor.body.locals[local].ty {
            Type::Ptr => Type::I64,
            ty => ty,
        };
        let products = match self {
            Step::Constant(step) => return Operand::Int(ty, *step),
            Step::Symbol(products) => products,
        };
        let mut total = None;
        for (locals, factor) in products {
            let mut term = (*factor != 1 || locals.is_empty()).then_some(Operand::Int(ty, *factor));
            for &local in locals {
                let other = match (cursor.body.locals[local].ty, ty) {
                    (Type::I32, Type::I64) => cursor.convert(ConvertOp::SExt, ty, Operand::Local(local)),
                    (Type::I64, Type::I32) => cursor.convert(ConvertOp::Trunc, ty, Operand::Local(local)),
                    _ => Operand::Local(local),
                };
                term = Some(term.map_or(other, |term| cursor.mul(other, term)));
            }
            total = total.into_iter().chain(term).reduce(|a, b| cursor.add(a, b));
        }
        total.unwrap_or(Operand::Int(ty, 0))
    }
}

/// The value of a local where a loop begins: a constant if it is one, so that whoever plans the launch
/// knows how many iterations the loop has.
fn first_value(cursor: &mut Cursor<'_>, local: Local) -> Operand {
    let before = &cursor.body.blocks[cursor.block].insts;
    match last_definition(before, local).map(|at| &before[at].op) {
        Some(&Op::Copy { src, .. }) if src.as_int().is_some() => src,
        _ => cursor.copy(Operand::Local(local)),
    }
}

/// Whether values of a type are counted with.
fn is_number(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr)
}

/// The places where some blocks assign a local.
pub fn writers(body: &Body, blocks: &[Block], local: Local) -> Vec<(Block, usize)> {
    let mut found = Vec::new();
    for &block in blocks {
        for (n, inst) in body.blocks[block].insts.iter().enumerate() {
            inst.op.defs(|written| {
                if written == local {
                    found.push((block, n));
                }
            });
        }
    }
    found
}

/// Whether an operand of a loop's header has the same value in all iterations.
fn is_fixed(whole: &Whole<'_>, operand: Operand, loop_: Loop) -> bool {
    is_fixed_before(whole, operand, (loop_, usize::MAX))
}

/// The same of an operand of the instruction with a number in the header. What a later one assigns there is
/// from the iteration before.
fn is_fixed_before(whole: &Whole<'_>, operand: Operand, (loop_, before): (Loop, usize)) -> bool {
    let Operand::Local(local) = operand else { return true };
    let body = whole.body;
    let header = body.loops[loop_].header;
    let (n, op) = match writers(body, &whole.nest.blocks(loop_), local)[..] {
        [] => return true,
        // Computed in the header, once, from fixed values.
        [(block, n)] if block == header && n < before => (n, &body.blocks[header].insts[n].op),
        _ => return false,
    };
    let mut fixed = true;
    op.parts(|part| match part {
        Part::Value(value) => fixed &= is_fixed_before(whole, *value, (loop_, n)),
        Part::Address(address) => {
            fixed &= is_fixed_before(whole, address.base, (loop_, n))
                && is_unwritten(whole, address.base, op, loop_);
        }
        _ => {}
    });
    fixed
}

/// Whether no store of the loop can write what a load of its header reads.
fn is_unwritten(whole: &Whole<'_>, base: Operand, load: &Op, loop_: Loop) -> bool {
    let base = whole.bases.of(base);
    let Op::Load { dst, .. } = load else { return false };
    let ty = Some(whole.body.locals[*dst].ty);
    whole.nest.blocks(loop_).into_iter().flat_map(|block| &whole.body.blocks[block].insts).all(|inst| {
        match &inst.op {
            Op::Store { addr, ty: stored, .. } => {
                whole.bases.differ(base, whole.bases.of(addr.base)) || !are_of_one_type(ty, Some(*stored))
            }
            op => !whole.writes(op),
        }
    })
}

/// Whether two locals that move towards each other are numbers whose difference fits in 64 bits.
fn can_meet(body: &Body, cmp: CmpOp, a: &Compared, b: &Compared) -> bool {
    let is_plain = |side: &Compared| side.conversions.is_empty() && body.locals[side.local].ty == Type::I32;
    let is_ordered = matches!(cmp, CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge);
    is_ordered && is_plain(a) && is_plain(b)
}

/// Whether a counter with this step comes to the bound of a comparison, which lets iterations run until then.
pub fn goes_towards(cmp: CmpOp, step: i64) -> bool {
    match cmp {
        CmpOp::Lt | CmpOp::Le | CmpOp::ULt | CmpOp::ULe => step > 0,
        CmpOp::Gt | CmpOp::Ge | CmpOp::UGt | CmpOp::UGe => step < 0,
        CmpOp::Ne => step == 1 || step == -1,
        CmpOp::Eq | CmpOp::Unordered => false,
    }
}
