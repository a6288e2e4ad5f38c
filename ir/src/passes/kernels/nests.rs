//! What is found out about the loops of a nest.

use super::apply::settle_scans;
use super::counted::Count;
use super::found::{
    Accumulator, Finding, Findings, PrivateArray, Reason, Scans, Shared, Sum, is_believed, is_open,
    is_unknown, object_of,
};
use super::located::Located;
use super::versions::find_tests;
use crate::acc::{ConstructKind, LoopDirective, LoopKind, ReductionClause};
use crate::analysis::depend::{Asked, Hindrance, InRange, Verdict, judge, slot_of};
use crate::analysis::facts::fits;
use crate::analysis::liveness::Summaries;
use crate::analysis::private::{Coverage, arrays, is_read_behind};
use crate::analysis::scalars::Role;
use crate::analysis::sums::{Kind, Name, Sum as Terms};
use crate::analysis::survey::{LoopFacts, Survey, Touch, Whole};
use crate::edit::induction::has_numbers;
use crate::entities::{Block, Construct, Local, Loop, Slot, set_of};
use crate::function::{Body, LoopData, SlotKind};
use crate::op::{Operand, Terminator};
use crate::passes::reductions::bounds::are_known;
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::EntitySet;

/// Larger arrays are not copied for all iterations that run at once.
const MOST_BYTES: u64 = 1 << 14;

/// Finds out about a loop and all loops inside, as far as they are of interest.
///
/// `strict_fp`: floating-point numbers are accumulated in order where no clause says otherwise.
pub fn find(
    whole: &Whole<'_>,
    construct: Option<Construct>,
    loop_: Loop,
    strict_fp: bool,
    is_asked: &dyn Fn(Loop) -> bool,
) -> Findings {
    let mut loops = vec![loop_];
    loops.extend(whole.nest.inside(loop_));
    loops.retain(|&loop_| is_asked(loop_));
    let in_kernels = construct.is_some_and(|it| whole.body.constructs[it].kind == ConstructKind::Kernels);
    let is_auto = |&loop_: &Loop| {
        let directive = whole.body.loops[loop_].directive.as_ref();
        directive.is_some_and(|directive| directive.kind == LoopKind::Auto)
    };
    // Of a nest that the programmer has decided about, proofs that this was wrong are worth a warning.
    let asked = if in_kernels || loops.iter().any(is_auto) { Asked::Independence } else { Asked::Refutation };
    let nest = Asking { whole, construct, loops, asked, strict_fp };
    let findings = nest.find(Survey::of(whole, loop_));
    if asked == Asked::Independence && findings.survey.is_open && findings.list.iter().any(is_not_known) {
        let survey = Survey::assuming(whole, loop_);
        if !survey.is_wrong {
            let others = nest.find(survey);
            let parallel =
                |findings: &Findings| findings.list.iter().filter(|it| it.reason.is_none()).count();
            if parallel(&others) > parallel(&findings) {
                return others;
            }
        }
    }
    findings
}

/// Whether it may be that unsigned numbers are all that keeps a loop from being parallel.
fn is_not_known(finding: &Finding) -> bool {
    match &finding.reason {
        Some(Reason::Hindrance(hindrance)) => is_unknown(hindrance),
        Some(Reason::Uncounted) => true,
        Some(Reason::OfRegion(_) | Reason::StrictFp(..)) | None => false,
    }
}

/// What is asked about a nest.
struct Asking<'a> {
    whole: &'a Whole<'a>,
    construct: Option<Construct>,
    loops: Vec<Loop>,
    asked: Asked,
    strict_fp: bool,
}

impl Asking<'_> {
    fn find(&self, survey: Survey) -> Findings {
        let &Asking { whole, construct, asked, strict_fp, .. } = self;
        let in_range = InRange::default();
        let of = |&loop_: &Loop| finding((whole, &survey), construct, (loop_, asked), &in_range);
        let mut list: Vec<Finding> = self.loops.iter().map(of).collect();
        if strict_fp {
            list.iter_mut().for_each(|finding| keep_order(whole.body, &survey, finding));
        }
        let mut findings = Findings { survey, list };
        settle_scans(whole.body, &mut findings);
        if asked == Asked::Independence {
            find_tests(whole, construct, &mut findings);
        }
        findings
    }
}

/// Leaves a loop sequential that accumulates floating-point numbers: extrema, too, whose NaNs and signs of
/// zeros depend on the order.
fn keep_order(body: &Body, survey: &Survey, finding: &mut Finding) {
    let rounds = |ty: Type| ty.is_float() || ty.is_complex();
    let of_clause = |sum: &Sum| {
        let directive = body.loops[finding.loop_].directive.as_ref();
        let mut clauses = directive.into_iter().flat_map(|directive| &directive.reductions);
        clauses.any(|clause| clause.var == Operand::Local(sum.local))
    };
    let sum = finding.sums.iter().find(|sum| rounds(body.locals[sum.local].ty) && !of_clause(sum));
    let sum = sum.map(|sum| (Accumulator::Local(sum.local), sum.op));
    // Such a scan stays what hinders the loop.
    finding.scans = finding.scans.take().filter(|scans| !scans.rounds(body));
    let update = finding.updates.iter().find(|(touch, _)| survey.touches[*touch].ty.is_some_and(rounds));
    let update = update.map(|&(touch, op)| (Accumulator::Element(touch), op));
    if let (None, Some((accumulator, op))) = (&finding.reason, sum.or(update)) {
        finding.reason = Some(Reason::StrictFp(accumulator, op));
    }
}

fn finding(
    (whole, survey): (&Whole<'_>, &Survey),
    construct: Option<Construct>,
    (loop_, asked): (Loop, Asked),
    in_range: &InRange,
) -> Finding {
    let body = whole.body;
    let own = Own { whole, body, construct, loop_, asked };
    let (verdict, arrays, shared, lacks_copies) = own.verdict((whole, survey), in_range);
    let Verdict { hindrance, is_by_scans, apart, rows, updates } = verdict;
    let mut finding = Finding {
        loop_,
        reason: hindrance.map(|hindrance| match hindrance {
            Hindrance::Scalar(local) if is_flag(body, loop_, local) => Reason::Uncounted,
            hindrance => Reason::Hindrance(hindrance),
        }),
        apart,
        rows,
        assumes: !survey.assumed.is_empty(),
        tests: Vec::new(),
        sums: Vec::new(),
        inherited: own.inherited(survey),
        updates: updates.into_iter().collect(),
        private: Vec::new(),
        located: Vec::new(),
        scans: None,
        arrays,
        shared,
        lasts: Vec::new(),
        set_at_times: Vec::new(),
        count: None,
    };
    finding.updates.sort_unstable_by_key(|(touch, _)| *touch);
    let Some(facts) = survey.loops.get(&loop_) else { return finding };
    add_scalars(whole, facts, &mut finding);
    finding.set_at_times = own.set_at_times(facts);
    if own.is_in_kernels() && !lacks_copies {
        locate(whole, survey, facts, &mut finding);
        if is_by_scans {
            divide((whole, survey), &own, facts, &mut finding);
        }
    }
    if may_run(&own, &finding)
        && let Some(slot) = own.of_region(survey, &finding)
    {
        finding.reason = Some(Reason::OfRegion(slot));
    }
    if may_run(&own, &finding) {
        count(whole, survey, facts, &mut finding);
    }
    finding
}

/// Whether a loop can be parallel, as far as it is looked at: nothing hinders it, or the programmer is
/// believed about what does.
fn may_run(own: &Own<'_>, finding: &Finding) -> bool {
    let directive = own.body.loops[finding.loop_].directive.as_ref();
    let is_believed = || directive.is_some_and(|directive| is_believed(directive, finding));
    finding.reason.is_none() || own.is_in_kernels() && is_believed()
}

/// Adds what becomes of scalars that the loop assigns.
fn add_scalars(whole: &Whole<'_>, facts: &LoopFacts, finding: &mut Finding) {
    let exit = whole.body.loops[finding.loop_].exit;
    for &(local, role) in &facts.scalars {
        match role {
            Role::Reduction { op, signed } => finding.sums.push(Sum { local, op, signed }),
            Role::Private => {
                if whole.live.is_live_in(local, exit) {
                    finding.lasts.push(local);
                } else if whole.body.locals[local].name.is_some() {
                    finding.private.push(local);
                }
            }
            Role::Carried | Role::Scan { .. } => {}
        }
    }
}

/// Looks whether one iteration decides the scalars that the loop carries.
fn locate(whole: &Whole<'_>, survey: &Survey, facts: &LoopFacts, finding: &mut Finding) {
    let is_by_scalar = matches!(finding.reason, Some(Reason::Hindrance(Hindrance::Scalar(_))));
    if is_by_scalar && finding.lasts.is_empty() {
        let carried = facts.scalars.iter().filter(|(_, role)| *role == Role::Carried);
        let carried: Vec<Local> = carried.map(|&(local, _)| local).collect();
        finding.located = Located::of(whole, survey, finding.loop_, &carried, &finding.sums);
        if !finding.located.is_empty() {
            finding.reason = None;
        }
    }
}

/// Looks whether a loop that nothing but scans hinders can be executed in parts.
fn divide((whole, survey): (&Whole<'_>, &Survey), own: &Own<'_>, facts: &LoopFacts, finding: &mut Finding) {
    let is_plain = finding.arrays.is_empty() && finding.updates.is_empty() && finding.inherited.is_empty();
    if !is_plain || own.of_region(survey, finding).is_some() {
        return;
    }
    finding.scans = Scans::of(whole, survey, (finding.loop_, facts), &finding.apart);
    if finding.scans.is_none() {
        return;
    }
    let reason = finding.reason.take();
    count(whole, survey, facts, finding);
    if finding.reason.is_some() {
        (finding.scans, finding.count) = (None, None);
    }
    finding.reason = reason;
}

/// Finds how to make a counted loop of one that is none; a loop that cannot become one is sequential.
fn count(whole: &Whole<'_>, survey: &Survey, facts: &LoopFacts, finding: &mut Finding) {
    let (body, loop_) = (whole.body, finding.loop_);
    let induction = body.loops[loop_].induction.as_ref();
    // A loop with a directive counts already, but by its own counter only.
    let counter = induction.map(|induction| induction.iv);
    let moves =
        |(local, step, _): &&(Local, Terms, Terms)| Some(*local) != counter && step.as_constant() != Some(0);
    let other = facts.inductions.iter().find(moves).map(|(local, ..)| *local);
    if counter.is_none() || other.is_some() {
        finding.count = (is_one_loop(body, loop_) && whole.nest.exits(body, loop_).is_empty())
            .then(|| Count::of(whole, survey, facts, loop_))
            .flatten();
        // Which iteration it is that decides, a step that is no constant does not tell.
        if finding.count.as_ref().is_some_and(|count| !count.has_numbers())
            && let Some(located) = finding.located.pop()
        {
            finding.reason = Some(Reason::Hindrance(Hindrance::Scalar(located.locals[0])));
            finding.located.clear();
            return;
        }
        if finding.count.is_none() {
            let scalar = counter.and(other).map(|local| Reason::Hindrance(Hindrance::Scalar(local)));
            finding.reason = Some(scalar.unwrap_or(Reason::Uncounted));
        }
    } else if let (Some(located), Some(induction)) = (finding.located.first(), induction)
        && !has_numbers(body, induction)
    {
        finding.reason = Some(Reason::Hindrance(Hindrance::Scalar(located.locals[0])));
        finding.located.clear();
    }
}

/// Whether `collapse` and `tile` make no other loop one with this one.
fn is_one_loop(body: &Body, loop_: Loop) -> bool {
    match &body.loops[loop_].directive {
        Some(directive) => directive.collapse == 1,
        // One that counts without a directive belongs to that of a loop around it.
        None => body.loops[loop_].induction.is_none(),
    }
}

/// Whether the header of a loop asks for nothing but a truth value that the iteration before has left: that
/// of a `do` loop which does not count.
fn is_flag(body: &Body, loop_: Loop, local: Local) -> bool {
    let header = &body.blocks[body.loops[loop_].header];
    header.insts.is_empty()
        && matches!(header.term, Terminator::Branch { cond: Operand::Local(cond), .. } if cond == local)
}

/// Whether what an access may be to begins and ends within so many bytes from a place of its object on.
fn is_within(survey: &Survey, touch: &Touch, (start, bytes): (i64, i64)) -> bool {
    let place = touch.root.and_then(|root| touch.address.plus(-1, &Terms::atom(root)));
    place.is_some_and(|place| fits(&survey.atoms, &touch.facts, &place, (start, start + bytes - touch.bytes)))
}

/// Which objects each iteration of a loop has for itself.
struct Own<'a> {
    whole: &'a Whole<'a>,
    body: &'a Body,
    construct: Option<Construct>,
    loop_: Loop,
    asked: Asked,
}

impl Own<'_> {
    /// The verdict of the analysis of dependences; with arrays that iterations have for themselves, if that
    /// makes the loop parallel, why others that hinder it are not, and whether copies of arrays would have to
    /// be made that are not: what else hinders the loop is then not all.
    fn verdict(
        &self,
        (whole, survey): (&Whole<'_>, &Survey),
        in_range: &InRange,
    ) -> (Verdict, Vec<PrivateArray>, Vec<Shared>, bool) {
        let judged = |is_exempt: &dyn Fn(&Touch) -> bool| {
            judge((whole, survey), (self.loop_, self.asked), in_range, is_exempt)
        };
        let verdict = judged(&|touch| self.is_exempt(survey, touch));
        let is_by_memory = matches!(
            verdict.hindrance,
            Some(Hindrance::Carried { .. } | Hindrance::Subscript(..) | Hindrance::Alias(..))
        );
        let is_open = is_open(self.body, self.loop_, self.is_in_kernels());
        let is_said = self.is_said_independent();
        if !is_by_memory || !(is_open || is_said) {
            return (verdict, Vec::new(), Vec::new(), false);
        }
        let (private, shared) = self.arrays(whole, survey);
        if private.is_empty() {
            return (verdict, private, shared, false);
        }
        let is_private = |touch: &Touch| {
            let var = object_of(survey, touch);
            private.iter().any(|array| Some(array.var) == var)
        };
        let verdict = judged(&|touch| self.is_exempt(survey, touch) || is_private(touch));
        let may_run = match &verdict.hindrance {
            None => true,
            // If the programmer is believed, the copies are needed, too.
            Some(hindrance) => is_said || is_unknown(hindrance) && self.names_levels(),
        };
        let private = if may_run { private } else { Vec::new() };
        (verdict, private, shared, !may_run)
    }

    /// The programmer calls a loop of `kernels` independent, or the one that it belongs to by `collapse`.
    fn is_said_independent(&self) -> bool {
        let own = self.body.loops[self.loop_].directive.as_ref();
        let directive = own.or_else(|| Some(self.body.associated(self.loop_)?.1));
        self.is_in_kernels() && directive.is_some_and(|directive| directive.kind == LoopKind::Independent)
    }

    /// Scalars that some iterations of a loop set before they read them, and none sets in any other way, so
    /// that nobody can tell whose value is left behind an independent loop.
    fn set_at_times(&self, facts: &LoopFacts) -> Vec<Local> {
        let LoopData { header, body: first, exit, .. } = self.body.loops[self.loop_];
        let is_left = |&(local, role): &(Local, Role)| {
            matches!(role, Role::Carried | Role::Scan { .. }) && self.whole.live.is_live_in(local, exit)
        };
        let left: Vec<Local> =
            facts.scalars.iter().copied().filter(is_left).map(|(local, _)| local).collect();
        if left.is_empty() || !self.is_said_independent() {
            return Vec::new();
        }
        let summaries = Summaries::of(self.body);
        let inside = set_of(self.whole.nest.blocks(self.loop_));
        let is_exposed = |local: Local| {
            let mut seen: EntitySet<Block> = EntitySet::with_capacity(self.body.blocks.len());
            let mut work = vec![first];
            seen.insert(header);
            while let Some(block) = work.pop() {
                if !inside.contains(block) || !seen.insert(block) {
                    continue;
                }
                if summaries.reads(block).contains(&local) {
                    return true;
                }
                if !summaries.writes(block).contains(&local) {
                    self.body.blocks[block].term.successors(|next| work.push(next));
                }
            }
            summaries.reads(header).contains(&local)
        };
        left.into_iter()
            .filter(|&local| {
                self.reduction(self.loop_, Operand::Local(local)).is_none() && !is_exposed(local)
            })
            .collect()
    }

    /// The programmer names levels of the loop, so that its word counts where nothing is known.
    fn names_levels(&self) -> bool {
        let directive = self.body.loops[self.loop_].directive.as_ref();
        let names = |directive: &LoopDirective| {
            !directive.named_levels().is_empty() && directive.kind == LoopKind::Default
        };
        self.is_in_kernels() && directive.is_some_and(names)
    }

    fn is_exempt(&self, survey: &Survey, touch: &Touch) -> bool {
        let Some(root) = touch.root else { return false };
        match survey.atoms.data(root).kind {
            Kind::Object(Name::Slot(slot)) => {
                self.declares(slot) || self.copies(survey, Operand::Slot(slot), touch)
            }
            Kind::Object(Name::Global(global)) => {
                self.copies(survey, Operand::Global(global), touch) && !touch.is_by_name()
            }
            _ => false,
        }
    }

    /// The loop's body declares it.
    fn declares(&self, slot: Slot) -> bool {
        self.body.loop_is_within(self.body.slots[slot].declared_in, self.loop_)
    }

    /// The directive of the loop, or of one inside, has private copies of it for iterations.
    fn is_private(&self, var: Operand) -> bool {
        self.inside().any(|loop_| self.has_private(loop_, var))
    }

    /// Whether an access of a variable is to a copy, or to what is reduced. Private copies of a loop inside
    /// are none for the code beside that.
    fn copies(&self, survey: &Survey, var: Operand, touch: &Touch) -> bool {
        self.is_copy(touch, var) || self.reduces(survey, var) && self.is_reduced(survey, var, touch)
    }

    /// Whether the loop only adds to a variable, or combines values with it in another way: by a clause of
    /// its own, or in loops inside, all with clauses of one operator. In `s = 0; loop reduction(+ : s)`, or
    /// where `s` is read beside the loop inside, iterations of the loop around use what the ones before it
    /// left.
    fn reduces(&self, survey: &Survey, var: Operand) -> bool {
        if self.reduction(self.loop_, var).is_some() {
            return true;
        }
        let mut operators = self.touches(survey, var).map(|touch| self.reduction_at(touch, var));
        let Some(Some(first)) = operators.next() else { return false };
        // All of its elements are reduced around the loop: where they are has to be known there.
        let order = self.body.order.iter().copied();
        let is_inside = |&block: &Block| self.body.loop_is_within(self.body.blocks[block].loop_, self.loop_);
        let blocks: Vec<Block> = order.filter(is_inside).collect();
        let is_same =
            |clause: &ReductionClause| clause.op == first.op && are_known(self.body, &blocks, clause);
        is_same(first) && operators.all(|clause| clause.is_some_and(is_same))
    }

    /// The clauses of loops inside that the loop needs, too.
    fn inherited(&self, survey: &Survey) -> Vec<ReductionClause> {
        let mut clauses: Vec<ReductionClause> = Vec::new();
        for touch in &survey.touches {
            let Some(var) = object_of(survey, touch) else { continue };
            if let Some(clause) = self.reduction_at(touch, var)
                && self.body.loop_is_within(Some(touch.loop_), self.loop_)
                && clauses.iter().all(|other| other.var != var)
                && !self.is_copy(touch, var)
                && self.reduction(self.loop_, var).is_none()
                && self.reduces(survey, var)
            {
                clauses.push(clause.clone());
            }
        }
        clauses
    }

    /// Whether an access is to what a clause names of its variable: in `reduction(+ : t[0:4])`, `t[4]` is an
    /// element as any other. Sections that are known at run time only have nothing beside them if all
    /// accesses have one form.
    fn is_reduced(&self, survey: &Survey, var: Operand, touch: &Touch) -> bool {
        let own = self.reduction(self.loop_, var);
        let Some(clause) = own.or_else(|| self.reduction_at(touch, var)) else { return false };
        let parts: Option<Vec<(i64, i64)>> = clause
            .parts
            .iter()
            .map(|part| {
                let count = part.count.map_or(Some(1), Operand::as_int)?;
                Some((part.offset, count.checked_mul(i64::from(part.ty.ty.bytes()))?))
            })
            .collect();
        let Some(parts) = parts.filter(|_| clause.lower.is_none()) else {
            let has_form = |other: &Touch| other.address.distance_from(&touch.address).is_some();
            return self.touches(survey, var).all(has_form);
        };
        let size = match var {
            Operand::Slot(slot) => Some(self.body.slots[slot].size),
            Operand::Global(global) => self.whole.callees.layout(global).map(|(bytes, _)| bytes),
            _ => None,
        };
        let all: i64 = parts.iter().map(|(_, bytes)| bytes).sum();
        let is_whole = u64::try_from(all).is_ok_and(|all| size.is_some_and(|size| size <= all));
        is_whole || parts.into_iter().any(|part| is_within(survey, touch, part))
    }

    /// The accesses of the loop to a variable.
    fn touches<'s>(&'s self, survey: &'s Survey, var: Operand) -> impl Iterator<Item = &'s Touch> {
        survey.touches.iter().filter(move |touch| {
            object_of(survey, touch) == Some(var)
                && self.body.loop_is_within(Some(touch.loop_), self.loop_)
                && !self.is_copy(touch, var)
        })
    }

    /// The clause of the outermost loop inside of the loop and around an access that reduces a variable.
    fn reduction_at(&self, touch: &Touch, var: Operand) -> Option<&ReductionClause> {
        let around = self.body.loops_around(Some(touch.loop_)).take_while(|&loop_| loop_ != self.loop_);
        around.filter_map(|loop_| self.reduction(loop_, var)).last()
    }

    /// Whether a loop around an access, the loop itself or one inside, has private copies of the variable.
    fn is_copy(&self, touch: &Touch, var: Operand) -> bool {
        let is_around = |loop_| self.body.loop_is_within(Some(touch.loop_), loop_);
        self.inside().any(|loop_| is_around(loop_) && self.has_private(loop_, var))
    }

    /// The loop and those in it.
    fn inside(&self) -> impl Iterator<Item = Loop> {
        self.body.loops.keys().filter(|&loop_| self.body.loop_is_within(Some(loop_), self.loop_))
    }

    fn has_private(&self, loop_: Loop, var: Operand) -> bool {
        let directive = self.body.loops[loop_].directive.as_ref();
        directive.is_some_and(|directive| directive.private.iter().any(|private| private.var == var))
    }

    /// The clause by which a loop's directive reduces a variable.
    fn reduction(&self, loop_: Loop, var: Operand) -> Option<&ReductionClause> {
        let directive = self.body.loops[loop_].directive.as_ref()?;
        directive.reductions.iter().find(|clause| clause.var == var)
    }

    fn is_in_kernels(&self) -> bool {
        self.construct.is_some_and(|place| self.body.constructs[place].kind == ConstructKind::Kernels)
    }

    /// Arrays that iterations could have for themselves, and why others cannot be.
    fn arrays(&self, whole: &Whole<'_>, survey: &Survey) -> (Vec<PrivateArray>, Vec<Shared>) {
        let (mut private, mut shared) = (Vec::new(), Vec::new());
        for array in arrays(whole, survey, self.loop_) {
            let write = array.write;
            let (var, bytes, align) = match array.name {
                Name::Slot(slot) => {
                    let data = &self.body.slots[slot];
                    (Operand::Slot(slot), data.size, data.align)
                }
                Name::Global(global) => {
                    let Some((bytes, align)) = whole.callees.layout(global) else { continue };
                    (Operand::Global(global), bytes, align)
                }
                Name::Func(_) | Name::F32(_) | Name::F64(_) => continue,
            };
            let is_declared = matches!(array.name, Name::Slot(slot) if self.declares(slot));
            if is_declared || self.is_private(var) || self.reduces(survey, var) {
                continue;
            }
            let evenly = match array.coverage {
                Coverage::Covered { evenly } => evenly,
                Coverage::Exposed(read) => {
                    shared.push(Shared::Read(read));
                    continue;
                }
            };
            let is_kept = is_read_behind(whole, self.loop_, array.name);
            if bytes > MOST_BYTES {
                shared.push(Shared::Large(write));
            } else if is_kept && !(evenly && self.is_in_kernels()) {
                shared.push(Shared::Kept(write));
            } else {
                private.push(PrivateArray { var, write, bytes, align, is_kept });
            }
        }
        (private, shared)
    }

    /// An object of the region that the loop writes, and of which no iteration has its own.
    fn of_region(&self, survey: &Survey, finding: &Finding) -> Option<Slot> {
        let is_inside = |touch: &&Touch| self.body.loop_is_within(Some(touch.loop_), self.loop_);
        survey.touches.iter().filter(|touch| touch.writes).filter(is_inside).find_map(|touch| {
            let slot = slot_of(survey, touch)?;
            let var = Operand::Slot(slot);
            let is_private = finding.arrays.iter().any(|array| array.var == var && !array.is_kept);
            let is_own =
                self.declares(slot) || self.is_private(var) || self.reduces(survey, var) || is_private;
            (!is_own && self.is_of_region(slot)).then_some(slot)
        })
    }

    /// It is an object that a device has for the region only, and not at one place for all threads.
    fn is_of_region(&self, slot: Slot) -> bool {
        let Some(construct) = self.construct else { return false };
        let maps = &self.body.constructs[construct].maps;
        self.body.slots[slot].kind == SlotKind::Frame
            && !maps.iter().any(|map| map.var == Some(Operand::Slot(slot)))
            && self.is_named_within(construct, slot)
    }

    /// The construct's code names an object. `float *p = a;` before it leads to one of the host's, and what
    /// is mapped then is `p`.
    fn is_named_within(&self, construct: Construct, slot: Slot) -> bool {
        let own = self.body.order.iter().map(|&block| &self.body.blocks[block]);
        own.filter(|data| data.construct == Some(construct)).flat_map(|data| &data.insts).any(|inst| {
            let mut is_named = false;
            inst.op.parts(|part| match part {
                Part::Value(&operand) => is_named |= operand == Operand::Slot(slot),
                Part::Address(address) => is_named |= address.base == Operand::Slot(slot),
                _ => {}
            });
            is_named
        })
    }
}
