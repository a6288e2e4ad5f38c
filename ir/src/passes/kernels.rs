//! Decides which loops may run in parallel.
//!
//! Before: directives say what the programmer wrote. After: a loop with a directive is either sequential
//! ([`LoopKind::Seq`], no levels), or countable and known to be independent, with at least one level: those
//! that its clauses name, or [`Level::Unassigned`].
//!
//! Loops of `kernels` that no directive speaks about, `auto` loops, and loops of `kernels` whose directive
//! names levels without `independent` (OpenACC 3.3, section 2.9.7) are as the analysis of dependences finds
//! them (`docs/design/kernels.md`). Where that leaves open whether the iterations of a loop with levels are
//! independent, the programmer is believed; where it proves the contrary, the loop is sequential, with a
//! warning. What the programmer calls independent is so; if it is proved not to be, there is a warning.

mod apply;
mod arrays;
mod copies;
mod counted;
mod decide;
mod do_loops;
mod flags;
mod found;
mod joint_bounds;
mod located;
mod nests;
mod scalars;
mod scans;
mod truths;
mod updates;
mod versions;
pub(super) mod words;

use super::env::{Env, Work, each_body};
use super::privatize::privatize_locals;
use crate::acc::{ConstructKind, LoopDirective, LoopKind, MapKind};
use crate::analysis::bases::Base;
use crate::analysis::callees::Callees;
use crate::analysis::cfg::Cfg;
use crate::analysis::depend::{Hindrance, slot_of};
use crate::analysis::loops::Nest;
use crate::analysis::summaries;
use crate::analysis::survey::Whole;
use crate::entities::{Block, Construct, Func, Local, Loop, Slot};
use crate::function::{Body, SlotKind};
use crate::module::Module;
use crate::op::{Op, Operand};
use crate::report::{Decision, PassError, Warning, ids, topics};
use crate::target::Arithmetic;
use crate::visit::Part;
use apply::Homes;
use cranelift_entity::EntitySet;
use decide::decide_loops;
use found::{Finding, Findings, Judged, Judgements, Reason};
use std::sync::Arc;
use versions::Test;
use words::Words;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    // Most modules have nothing that is analysed.
    let bodies = module.functions.values().filter_map(|data| data.body.as_deref());
    let is_analysed = |body: &Body| {
        body.constructs.values().any(|data| data.kind == ConstructKind::Kernels)
            || body.loops.values().any(|data| data.directive.is_some())
    };
    let signed_wraps = env.target.arithmetic().signed_wraps;
    let callees = bodies.into_iter().any(is_analysed).then(|| summaries::of(module, signed_wraps));
    each_body(module, |work| {
        let Work { module, func, body } = work;
        let written = body.loops.len();
        let judged = match &callees {
            Some(callees) => analyse(module, func, body, callees, env),
            None => Judgements::default(),
        };
        decide_loops(Work { module, func, body }, (&judged, written), env);
        Ok(())
    })
}

/// Finds out about the loops that the analysis is to decide about, and makes those of `kernels` parallel.
fn analyse(module: &Module, func: Func, body: &mut Body, callees: &Callees, env: &mut Env<'_>) -> Judgements {
    let function = &module.functions[func].name;
    let mut judged = Judgements::default();
    let arithmetic = env.target.arithmetic();
    let is_kernels = |construct: &Construct| body.constructs[*construct].kind == ConstructKind::Kernels;
    let (kernels, others): (Vec<Construct>, Vec<Construct>) =
        body.live_constructs().into_iter().partition(is_kernels);
    // The code of a routine is in no construct.
    let of_routine = module.functions[func].routine.is_some().then_some(None);
    let others: Vec<Option<Construct>> = others.into_iter().map(Some).chain(of_routine).collect();
    // Outside of `kernels`, little is rewritten, so that the body is looked at once for all nests.
    let nests = find_written(body, callees, &others, (arithmetic, env.explains));
    for findings in nests {
        let chosen = apply::choose(body, &findings, false);
        tell(module, body, (&findings, &chosen), (function, false), env, &mut judged);
        let chosen = versioned(body, &findings, chosen);
        apply::apply(body, None, &mut Homes::default(), (&findings.survey, &chosen));
    }
    // All constructs are looked at together: what is known about a body is found out once.
    let mut prepared: Vec<(Construct, Homes)> = Vec::with_capacity(kernels.len());
    if kernels.is_empty() {
        return judged;
    }
    let in_memory = scalars::in_memory(body);
    let loops = body.live_loops();
    let mut blocks = body.blocks_of_constructs();
    for &construct in &kernels {
        let header = |loop_: Loop| &body.blocks[body.loops[loop_].header];
        let own: Vec<Loop> =
            loops.iter().copied().filter(|&loop_| header(loop_).construct == Some(construct)).collect();
        let (mut own_blocks, count) = (std::mem::take(&mut blocks[construct]), body.blocks.len());
        let slots = scalars::promote(body, construct, &own_blocks, &in_memory);
        prepared.push((construct, Homes { slots }));
        scalars::promote_private(body, construct, &in_memory);
        privatize_locals(body, construct);
        if body.blocks.len() > count {
            own_blocks = body.construct_blocks(construct);
        }
        truths::look_through(body, &own_blocks);
        do_loops::count(body, &own, arithmetic.signed_wraps);
        joint_bounds::join(body, &own);
    }
    let found = find_in_kernels(body, callees, &kernels, arithmetic);
    let mut blocks = body.blocks_of_constructs();
    for ((construct, mut homes), nests) in prepared.into_iter().zip(found) {
        let place = Some(construct);
        let (mut own_blocks, count) = (std::mem::take(&mut blocks[construct]), body.blocks.len());
        if env.explains {
            explain_cycles(body, construct, function, env);
        }
        for findings in &nests {
            let chosen = apply::choose(body, findings, true);
            tell(module, body, (findings, &chosen), (function, true), env, &mut judged);
            let sequential = apply::separate_iterations(body, (construct, &mut homes), findings, &chosen);
            for (loop_, name) in sequential {
                let text = format!(
                    "sequential: the last iteration's value of `{name}` is used behind the loop, in an iteration of a parallel one"
                );
                let (pos, function) = (body.loops[loop_].pos, function.clone());
                env.report.decisions.push(Decision { pos, function, topic: topics::LOOP, text });
            }
            let chosen = versioned(body, findings, chosen);
            apply::apply(body, place, &mut homes, (&findings.survey, &chosen));
        }
        if body.blocks.len() > count {
            own_blocks = body.construct_blocks(construct);
        }
        apply::leave_in_memory(body, &own_blocks, &homes);
        capture_lengths(body, construct, &own_blocks);
    }
    judged
}

/// What is found out about the nests of each `kernels` construct, once flags are sums.
fn find_in_kernels(
    body: &mut Body,
    callees: &Callees,
    kernels: &[Construct],
    arithmetic: Arithmetic,
) -> Vec<Vec<Findings>> {
    let look = |whole: &Whole<'_>| -> Vec<Vec<Findings>> {
        let live = whole.body.live_loops();
        let of_construct = |&construct: &Construct| {
            let find = |loop_| nests::find(whole, Some(construct), loop_, arithmetic.strict_fp, &|_| true);
            outermost(whole.body, &live, Some(construct)).map(find).collect()
        };
        kernels.iter().map(of_construct).collect()
    };
    let flags = {
        let whole = Whole::new(body, callees).with_wrapping(arithmetic.signed_wraps);
        let flags = flags::of(&whole);
        if flags.is_empty() {
            return look(&whole);
        }
        flags
    };
    flags.iter().for_each(|flag| flag.accumulate(body));
    look(&Whole::new(body, callees).with_wrapping(arithmetic.signed_wraps))
}

/// Lets a construct have the values of locals that only tests in it mention: a length that the construct did
/// not need, as it loads the variable again that the length was computed from.
fn capture_lengths(body: &mut Body, construct: Construct, blocks: &[Block]) {
    let mut assigned: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    let mut read: Vec<Local> = Vec::new();
    let data = &body.constructs[construct];
    data.parts(|part| match part {
        Part::Value(operand) | Part::Variable(operand) => {
            operand.as_local().into_iter().for_each(|local| _ = assigned.insert(local));
        }
        _ => {}
    });
    let mut note = |part: Part<'_>| match part {
        Part::Def(local) => _ = assigned.insert(*local),
        part => read.extend(part.used().filter(|&local| body.locals[local].ty.is_int())),
    };
    for code in blocks.iter().map(|&block| &body.blocks[block]) {
        code.insts.iter().for_each(|inst| inst.op.parts(&mut note));
        code.term.parts(&mut note);
    }
    read.retain(|&local| !assigned.contains(local));
    read.sort_unstable();
    read.dedup();
    let pos = data.pos;
    for local in read {
        let clause = body.private_clause(local, pos);
        body.constructs[construct].firstprivate.push(clause);
    }
}

/// Says of loops that labels and `goto` make, which are none of the loop tree, that they are not analysed.
fn explain_cycles(body: &Body, construct: Construct, function: &Arc<str>, env: &mut Env<'_>) {
    let cfg = Cfg::new(body);
    let live = body.live_entities().loops;
    let is_of_tree = |block: Block| live.iter().any(|loop_| body.loops[loop_].header == block);
    for &block in cfg.reverse_postorder() {
        if body.blocks[block].construct != Some(construct) || is_of_tree(block) {
            continue;
        }
        let back = |pred: &&Block| cfg.is_no_later(block, **pred);
        if let Some(&end) = cfg.predecessors(block).iter().find(back) {
            env.report.loops.push(words::of_cycle(body.blocks[end].term_pos, function));
        }
    }
}

/// What is found out about loops with directives outside of `kernels`; `explains`: of all of them, rather
/// than of those where it makes a difference.
fn find_written(
    body: &Body,
    callees: &Callees,
    places: &[Option<Construct>],
    (arithmetic, explains): (Arithmetic, bool),
) -> Vec<Findings> {
    // `seq` says nothing about the iterations.
    let is_asked = |loop_: Loop| {
        let directive = body.loops[loop_].directive.as_ref();
        directive.is_some_and(|directive| directive.kind != LoopKind::Seq) || body.associated(loop_).is_some()
    };
    if !body.loops.keys().any(is_asked) {
        return Vec::new();
    }
    let nest = Nest::new(body);
    // Other loops than `auto` ones are what the programmer says; that iterations need each other for certain,
    // which is worth a warning, is shown by what they write.
    let makes_a_difference = |loop_: Loop| {
        explains
            || found::is_open(body, loop_, false)
            || nest.blocks(loop_).iter().any(|&block| writes_memory(body, callees, block))
    };
    let is_wanted = |&(_, loop_): &(Option<Construct>, Loop)| {
        let mut asked = nest.inside(loop_).into_iter().chain([loop_]).filter(|&loop_| is_asked(loop_));
        asked.any(makes_a_difference)
    };
    let live = body.live_loops();
    let outermost =
        places.iter().flat_map(|&place| outermost(body, &live, place).map(move |loop_| (place, loop_)));
    let wanted: Vec<(Option<Construct>, Loop)> = outermost.filter(is_wanted).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let whole = Whole::new(body, callees).with_wrapping(arithmetic.signed_wraps);
    let find = |(place, loop_)| nests::find(&whole, place, loop_, arithmetic.strict_fp, &is_asked);
    wanted.into_iter().map(find).collect()
}

/// Whether a block accesses memory in order to write it.
fn writes_memory(body: &Body, callees: &Callees, block: Block) -> bool {
    body.blocks[block].insts.iter().any(|inst| match &inst.op {
        Op::Store { .. } | Op::MemCopy { .. } | Op::MemSet { .. } => true,
        Op::Call { callee, dest, .. } => dest.is_some() || callees.writes(*callee),
        _ => false,
    })
}

/// The loops of a nest that can be made parallel, after a second version was made for those that depend on
/// tests.
fn versioned<'a>(body: &mut Body, findings: &Findings, chosen: Vec<&'a Finding>) -> Vec<&'a Finding> {
    let mut tests: Vec<&Test> = Vec::new();
    for test in chosen.iter().flat_map(|finding| &finding.tests) {
        if !tests.iter().any(|known| known.is_alike(test)) {
            tests.push(test);
        }
    }
    if tests.is_empty() || versions::split(body, &findings.survey, &tests).is_some() {
        return chosen;
    }
    chosen.into_iter().filter(|finding| finding.tests.is_empty()).collect()
}

/// Of live loops, those of a construct, or of a routine, that are in no other one there.
fn outermost<'a>(
    body: &'a Body,
    live: &'a [Loop],
    construct: Option<Construct>,
) -> impl Iterator<Item = Loop> + 'a {
    let is_ours = move |loop_: Loop| body.blocks[body.loops[loop_].header].construct == construct;
    live.iter()
        .copied()
        .filter(move |&loop_| is_ours(loop_) && !body.loops[loop_].parent.is_some_and(is_ours))
}

/// Says what is found out about the loops of a nest, of which some are chosen to be parallel.
fn tell(
    module: &Module,
    body: &Body,
    (findings, chosen): (&Findings, &[&Finding]),
    (function, in_kernels): (&Arc<str>, bool),
    env: &mut Env<'_>,
    judged: &mut Judgements,
) {
    let words = Words { module, body, survey: &findings.survey };
    for finding in &findings.list {
        let directive = body.loops[finding.loop_].directive.as_ref();
        let state = match &finding.reason {
            None if finding.updates.is_empty() => Judged::Parallel,
            Some(Reason::Hindrance(Hindrance::Carried { is_certain: true, .. })) => Judged::Refuted,
            _ => Judged::Undecided,
        };
        if found::is_open(body, finding.loop_, in_kernels) {
            judged.insert(finding.loop_, state);
            if env.explains {
                let is_believed =
                    in_kernels && directive.is_some_and(|directive| found::is_believed(directive, finding));
                let is_chosen = chosen.iter().any(|other| other.loop_ == finding.loop_);
                let unclaimed =
                    (!in_kernels && !is_chosen).then(|| words.unclaimed(finding, function)).flatten();
                let mut verdict = unclaimed.unwrap_or_else(|| words.verdict(finding, is_believed, function));
                if in_kernels && !is_chosen && finding.reason.is_none() && directive.is_some() {
                    verdict.text.push_str(match chosen {
                        [] => "; no atomic operation does that in one step, so that it runs sequentially",
                        _ => "; another loop of the nest is parallel, so that this one runs sequentially",
                    });
                }
                env.report.loops.push(verdict);
            }
        }
        if let Some(directive) = directive
            && state != Judged::Parallel
            && directive.kind == LoopKind::Auto
            && let Some(touch) = written_by_each_gang(body, findings, finding.loop_)
        {
            let what = format!("`{}`", words.object(touch));
            env.report.warnings.push(redundant(directive, function, &what));
        }
        let is_default = directive.is_some_and(|directive| directive.kind == LoopKind::Default);
        if state == Judged::Refuted && is_default && is_in_serial(body, finding.loop_) {
            judged.insert(finding.loop_, state);
        }
        if let (Judged::Refuted, Some(directive)) = (state, directive)
            && let Some(Reason::Hindrance(Hindrance::Carried { earlier, later, distance, .. })) =
                finding.reason
            && claims_independence(body, finding.loop_, directive, in_kernels)
            && !is_of_each_gang(body, findings, finding.loop_, earlier)
            && !is_rewritten(body, findings, finding.loop_, (earlier, later))
        {
            let dependence = words.carried((earlier, later), distance, true);
            env.report.warnings.push(refuted(directive, in_kernels, function, &dependence));
        }
    }
}

fn is_in_serial(body: &Body, loop_: Loop) -> bool {
    let construct = body.blocks[body.loops[loop_].header].construct;
    construct.is_some_and(|construct| body.constructs[construct].kind == ConstructKind::Serial)
}

/// Whether the directive of a loop says that its iterations are independent. In `serial`, one thread executes
/// them, so that only the word itself does.
fn claims_independence(body: &Body, loop_: Loop, directive: &LoopDirective, in_kernels: bool) -> bool {
    match directive.kind {
        // Threads of a team keep each other in order.
        _ if directive.team.is_some() => false,
        LoopKind::Seq | LoopKind::Auto => false,
        LoopKind::Independent => true,
        LoopKind::Default if is_in_serial(body, loop_) => false,
        LoopKind::Default => !in_kernels || !directive.named_levels().is_empty(),
    }
}

/// Whether a loop that only gangs share accesses an object of which each gang has one: `firstprivate(x)`, or
/// a variable that the region declares. Gangs do not meet there, and a program may count on the iterations
/// that one gang has.
fn is_of_each_gang(body: &Body, findings: &Findings, loop_: Loop, touch: usize) -> bool {
    let Some(directive) = &body.loops[loop_].directive else { return false };
    let levels = directive.named_levels();
    levels.iter().any(|level| level.is_gang())
        && levels.iter().all(|level| level.is_gang())
        && own_slot(body, findings, loop_, touch).is_some()
}

/// Whether all that iterations do to each other is that they overwrite a scalar of the construct's own, such
/// as the counter of an inner loop that the function declares. Nobody reads what the last one leaves.
fn is_rewritten(body: &Body, findings: &Findings, loop_: Loop, (earlier, later): (usize, usize)) -> bool {
    let touches = &findings.survey.touches;
    touches[earlier].writes
        && touches[later].writes
        && own_slot(body, findings, loop_, earlier).is_some_and(|slot| body.slots[slot].size <= 16)
}

/// A write of a loop that no loop around it lets gangs share, in a `parallel` construct whose clause asks for
/// gangs, to an object that these have in common: if the loop is sequential, each of them writes.
fn written_by_each_gang(body: &Body, findings: &Findings, loop_: Loop) -> Option<usize> {
    let construct = &body.constructs[body.blocks[body.loops[loop_].header].construct?];
    let has_gangs = construct.dims.gangs[0].is_some_and(|gangs| !matches!(gangs, Operand::Int(_, 1)));
    let is_shared_outside = body
        .loops_around(body.loops[loop_].parent)
        .any(|outer| body.loops[outer].directive.as_ref().is_some_and(|outer| outer.kind != LoopKind::Seq));
    if construct.kind != ConstructKind::Parallel || !has_gangs || is_shared_outside {
        return None;
    }
    let shared = construct.maps.iter().filter(|map| map.kind != MapKind::FirstPrivate).map(|map| map.var);
    let touches = &findings.survey.touches;
    touches.iter().position(|touch| {
        let var = match touch.base {
            Base::Slot(slot) => Some(Operand::Slot(slot)),
            Base::Global(global) => Some(Operand::Global(global)),
            Base::Unknown => None,
        };
        touch.writes
            && body.loop_is_within(Some(touch.loop_), loop_)
            && (var.is_none() || shared.clone().any(|other| other == var))
    })
}

/// The slot of an access, if the construct around a loop has the object to itself.
fn own_slot(body: &Body, findings: &Findings, loop_: Loop, touch: usize) -> Option<Slot> {
    let slot = slot_of(&findings.survey, &findings.survey.touches[touch])?;
    let construct = body.blocks[body.loops[loop_].header].construct;
    let maps = construct.into_iter().flat_map(|construct| &body.constructs[construct].maps);
    let mut shared = maps.filter(|map| map.kind != MapKind::FirstPrivate).map(|map| map.var);
    let is_own =
        body.slots[slot].kind == SlotKind::Frame && !shared.any(|var| var == Some(Operand::Slot(slot)));
    is_own.then_some(slot)
}

/// The warning that gangs do the same, each for itself.
fn redundant(directive: &LoopDirective, function: &Arc<str>, what: &str) -> Warning {
    Warning {
        id: ids::REDUNDANT_GANG_LOOP,
        pos: directive.pos,
        function: function.clone(),
        message: format!(
            "the loop is sequential, so that each gang executes all of it, and writes {what}, which the gangs share"
        ),
        notes: vec!["with `num_gangs(1)`, or in `serial`, it is executed once".to_owned()],
    }
}

/// The warning that a loop is not what its directive says.
fn refuted(directive: &LoopDirective, in_kernels: bool, function: &Arc<str>, dependence: &str) -> Warning {
    let is_followed = directive.kind == LoopKind::Independent || !in_kernels;
    let note = if is_followed {
        "the loop runs in parallel all the same, as the directive says: its results depend on the order of iterations"
    } else {
        "the loop runs sequentially: in `kernels`, a level alone does not make a loop parallel (OpenACC 3.3, section \
         2.9.7)"
    };
    Warning {
        id: ids::INDEPENDENT_REFUTED,
        pos: directive.pos,
        function: function.clone(),
        message: format!("the iterations of the loop are not independent: {dependence}"),
        notes: vec![note.to_owned()],
    }
}
