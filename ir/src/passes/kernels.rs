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
mod counted;
mod do_loops;
mod found;
mod located;
mod nests;
mod scalars;
mod updates;
mod versions;
mod words;

use super::env::{Env, Work, each_body};
use super::privatize::privatize_locals;
use crate::acc::{ConstructKind, Level, LoopDirective, LoopKind, MapKind};
use crate::analysis::callees::Callees;
use crate::analysis::cfg::Cfg;
use crate::analysis::depend::{Hindrance, slot_of};
use crate::analysis::survey::Whole;
use crate::entities::{Block, Construct, Func, Loop};
use crate::function::{Body, FunctionKind, Routine, SlotKind};
use crate::module::Module;
use crate::op::Operand;
use crate::report::{Decision, PassError, Warning, ids, topics};
use crate::target::{Arithmetic, RoutineCall};
use apply::Homes;
use cranelift_entity::EntityRef;
use found::{Finding, Findings, Reason, associated};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use versions::Apart;
use words::Words;

/// Why a loop that is left to the analysis is sequential; what the analysis says has the particulars.
const NOT_INDEPENDENT: &str = "its iterations are not known to be independent";

/// What a loop stands in.
#[derive(Clone, Copy)]
enum Around {
    Construct(ConstructKind),
    Routine,
    SeqRoutine,
    HostCode,
}

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    // Most modules have nothing that is analysed.
    let bodies = module.functions.values().filter_map(|data| data.body.as_deref());
    let is_analysed = |body: &Body| {
        body.constructs.values().any(|data| data.kind == ConstructKind::Kernels)
            || body.loops.values().any(|data| data.directive.is_some())
    };
    if !bodies.into_iter().any(is_analysed) {
        return each_body(module, |work| {
            let written = work.body.loops.len();
            decide_function(work, (&Judgements::default(), written), env);
            Ok(())
        });
    }
    let callees = Callees::new(module);
    each_body(module, |work| {
        let Work { module, func, body } = work;
        let written = body.loops.len();
        let judged = analyse(module, func, body, &callees, env);
        decide_function(Work { module, func, body }, (&judged, written), env);
        Ok(())
    })
}

/// What the analysis says of loops with directives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judged {
    /// Independent.
    Parallel,
    /// Not independent for certain.
    Refuted,
    /// Neither is known.
    Undecided,
}

type Judgements = FxHashMap<Loop, Judged>;

/// Finds out about the loops that the analysis is to decide about, and makes those of `kernels` parallel.
fn analyse(module: &Module, func: Func, body: &mut Body, callees: &Callees, env: &mut Env<'_>) -> Judgements {
    let function = &module.functions[func].name;
    let mut judged = Judgements::default();
    let arithmetic = env.target.arithmetic();
    let live = body.live_entities();
    let mut places: Vec<Option<Construct>> = live.constructs.iter().map(Some).collect();
    if module.functions[func].routine.is_some() {
        places.push(None);
    }
    let is_kernels = |body: &Body, place: &Option<Construct>| {
        place.is_some_and(|construct| body.constructs[construct].kind == ConstructKind::Kernels)
    };
    // Outside of `kernels`, few loops become others than they are: these nests are looked at together.
    let (kernels, others): (Vec<_>, Vec<_>) = places.into_iter().partition(|place| is_kernels(body, place));
    let nests = find_written(body, callees, &others, arithmetic);
    for findings in nests {
        tell(module, body, &findings, (function, false), env, &mut judged);
        let chosen = apply::choose(body, &findings, false);
        let chosen = versioned(body, &findings, chosen);
        apply::apply(body, None, &mut Homes::default(), (&findings.survey, &chosen));
    }
    for place in kernels {
        let slots = place.map(|construct| scalars::promote(body, construct)).unwrap_or_default();
        if let Some(construct) = place {
            privatize_locals(body, construct);
            do_loops::count(body, construct, arithmetic.signed_wraps);
            if env.explains {
                explain_cycles(body, construct, function, env);
            }
        }
        let mut homes = Homes { slots };
        let nests: Vec<Findings> = {
            let whole = Whole::new(body, callees).with_wrapping(arithmetic.signed_wraps);
            let loops = outermost(body, place).into_iter();
            loops.map(|loop_| nests::find(&whole, place, loop_, arithmetic.strict_fp, &|_| true)).collect()
        };
        for findings in &nests {
            tell(module, body, findings, (function, true), env, &mut judged);
            let chosen = apply::choose(body, findings, true);
            let chosen = versioned(body, findings, chosen);
            apply::apply(body, place, &mut homes, (&findings.survey, &chosen));
        }
        if let Some(construct) = place {
            apply::leave_in_memory(body, construct, &homes);
        }
    }
    judged
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

/// What is found out about loops with directives outside of `kernels`.
fn find_written(
    body: &Body,
    callees: &Callees,
    places: &[Option<Construct>],
    arithmetic: Arithmetic,
) -> Vec<Findings> {
    // `seq` says nothing about the iterations.
    let is_asked = |loop_: Loop| {
        let directive = body.loops[loop_].directive.as_ref();
        directive.is_some_and(|directive| directive.kind != LoopKind::Seq)
            || associated(body, loop_).is_some()
    };
    if !body.loops.keys().any(is_asked) {
        return Vec::new();
    }
    let whole = Whole::new(body, callees).with_wrapping(arithmetic.signed_wraps);
    let mut found = Vec::new();
    for &place in places {
        for loop_ in outermost(body, place) {
            if whole.nest.inside(loop_).into_iter().chain([loop_]).any(is_asked) {
                found.push(nests::find(&whole, place, loop_, arithmetic.strict_fp, &is_asked));
            }
        }
    }
    found
}

/// The loops of a nest that can be made parallel, after a second version was made for those that depend on
/// tests.
fn versioned<'a>(body: &mut Body, findings: &Findings, chosen: Vec<&'a Finding>) -> Vec<&'a Finding> {
    let mut tests: Vec<&Apart> = Vec::new();
    for test in chosen.iter().flat_map(|finding| &finding.tests) {
        if !tests.iter().any(|known| known.boxes == test.boxes) {
            tests.push(test);
        }
    }
    if tests.is_empty() || versions::split(body, &findings.survey, findings.outermost, &tests).is_some() {
        return chosen;
    }
    chosen.into_iter().filter(|finding| finding.tests.is_empty()).collect()
}

/// The loops of a construct, or of a routine, that are in no other one there.
fn outermost(body: &Body, construct: Option<Construct>) -> Vec<Loop> {
    let is_ours = |loop_: Loop| body.blocks[body.loops[loop_].header].construct == construct;
    let live = body.live_entities().loops;
    let ours = live.iter().filter(|&loop_| is_ours(loop_));
    ours.filter(|&loop_| !body.loops[loop_].parent.is_some_and(is_ours)).collect()
}

/// Says what is found out about the loops of a nest.
fn tell(
    module: &Module,
    body: &Body,
    findings: &Findings,
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
                    in_kernels && directive.is_some_and(|directive| apply::is_believed(directive, finding));
                env.report.loops.push(words.verdict(finding, is_believed, function));
            }
        }
        if let (Judged::Refuted, Some(directive)) = (state, directive)
            && let Some(Reason::Hindrance(Hindrance::Carried { earlier, later, distance, .. })) =
                finding.reason
            && claims_independence(directive, in_kernels)
            && !is_of_each_gang(body, findings, finding.loop_, earlier)
        {
            let dependence = words.carried((earlier, later), distance, true);
            env.report.warnings.push(refuted(directive, in_kernels, function, &dependence));
        }
    }
}

fn decide_function(work: Work<'_>, (judged, written): (&Judgements, usize), env: &mut Env<'_>) {
    let function = work.name();
    let data = &work.module.functions[work.func];
    let outside = match (&data.kind, &data.routine) {
        (FunctionKind::Region(region), _) => Around::Construct(region.construct),
        (FunctionKind::Normal, None) => Around::HostCode,
        (FunctionKind::Normal, Some(Routine { level: None, .. })) => Around::SeqRoutine,
        (FunctionKind::Normal, Some(Routine { level: Some(_), .. })) => Around::Routine,
    };
    let body = work.body;
    let mut in_kernels = Vec::new();
    for loop_ in body.loops.keys().collect::<Vec<_>>() {
        let data = &mut body.loops[loop_];
        let counted = data.induction.is_some();
        // A loop that is gone has no header.
        let Some(header) = body.blocks.get(data.header) else { continue };
        let around =
            header.construct.map_or(outside, |construct| Around::Construct(body.constructs[construct].kind));
        let Some(directive) = &mut data.directive else {
            if env.explains
                // A loop of a second version is another one's.
                && loop_.index() < written
                && !judged.contains_key(&loop_)
                && let Some(text) = why_sequential(body, loop_, around)
            {
                let (pos, function) = (body.loops[loop_].pos, function.clone());
                env.report.decisions.push(Decision { pos, function, topic: topics::LOOP, text });
            }
            continue;
        };
        if directive.levels.is_empty() {
            directive.levels = named_levels(directive);
        }
        if env.explains && !directive.tile.is_empty() {
            let text = "`tile` makes no tiles: the iterations of the outermost loop are shared one by one"
                .to_owned();
            let (pos, function) = (directive.pos, function.clone());
            env.report.decisions.push(Decision { pos, function, topic: topics::LOOP, text });
        }
        if matches!(around, Around::Construct(ConstructKind::Kernels)) && !directive.levels.is_empty() {
            in_kernels.push(loop_);
        }
        let verdict = decide(directive, counted, around, judged.get(&loop_).copied());
        match verdict {
            // A loop that the analysis has made is another one's.
            Ok(Some(_)) if loop_.index() >= written => {}
            Err(_) if loop_.index() >= written => make_sequential(directive),
            Ok(None) => {}
            Ok(Some(why)) => env.report.decisions.push(Decision {
                pos: directive.pos,
                function: function.clone(),
                topic: topics::LOOP,
                text: format!("parallel: {why}"),
            }),
            Err(why) => {
                make_sequential(directive);
                env.report.decisions.push(Decision {
                    pos: directive.pos,
                    function: function.clone(),
                    topic: topics::LOOP,
                    text: format!("sequential: {why}"),
                });
            }
        }
        if verdict.is_ok() && directive.levels.is_empty() {
            directive.levels.push(Level::Unassigned);
        }
    }
    if in_kernels.is_empty() {
        return;
    }
    let calls = RoutineCall::all_in(work.module, body);
    // Outer loops first.
    for loop_ in in_kernels {
        drop_levels(body, &calls, loop_, &function, env);
    }
}

/// Whether a directive says that the iterations of its loop are independent.
fn claims_independence(directive: &LoopDirective, in_kernels: bool) -> bool {
    match directive.kind {
        LoopKind::Seq | LoopKind::Auto => false,
        LoopKind::Independent => true,
        LoopKind::Default => !in_kernels || !named_levels(directive).is_empty(),
    }
}

/// Whether a loop that only gangs share accesses an object of which each gang has one: `firstprivate(x)`, or
/// a variable that the region declares. Gangs do not meet there, and a program may count on the iterations
/// that one gang has.
fn is_of_each_gang(body: &Body, findings: &Findings, loop_: Loop, touch: usize) -> bool {
    let Some(directive) = &body.loops[loop_].directive else { return false };
    let levels = named_levels(directive);
    let Some(slot) = slot_of(&findings.survey, &findings.survey.touches[touch]) else { return false };
    let construct = body.blocks[body.loops[loop_].header].construct;
    let maps = construct.into_iter().flat_map(|construct| &body.constructs[construct].maps);
    let mut shared = maps.filter(|map| map.kind != MapKind::FirstPrivate).map(|map| map.var);
    levels.iter().any(|level| level.is_gang())
        && levels.iter().all(|level| level.is_gang())
        && body.slots[slot].kind == SlotKind::Frame
        && !shared.any(|var| var == Some(Operand::Slot(slot)))
}

/// Takes levels from a loop of `kernels` that a loop around it or a routine called in it leaves no room for,
/// such as those of a gang loop inside of a gang loop. In `parallel` and `serial`, such levels are errors.
fn drop_levels(body: &mut Body, calls: &[RoutineCall], loop_: Loop, function: &Arc<str>, env: &mut Env<'_>) {
    let levels_of = |at: Loop| body.loops[at].directive.iter().flat_map(|directive| &directive.levels);
    let around =
        body.loops_around(body.loops[loop_].parent).flat_map(levels_of).max_by_key(|level| depth(**level));
    let called = calls.iter().filter(|call| body.loop_is_within(call.loop_, loop_));
    let called = called.min_by_key(|call| depth(call.level));
    let obstacle = |level: Level| match (around, &called) {
        // What has no level yet is given one that fits.
        _ if level == Level::Unassigned => None,
        (Some(&outer), _) if outer != Level::Unassigned && depth(level) <= depth(outer) => {
            Some(format!("the loop is inside of a `{}` loop", outer.name()))
        }
        (_, Some(call)) if depth(level) >= depth(call.level) => {
            Some(format!("a `routine {}` is called in the loop", call.level.name()))
        }
        _ => None,
    };
    let dropped: Vec<(Level, String)> =
        levels_of(loop_).filter_map(|&level| Some((level, obstacle(level)?))).collect();
    let Some(directive) = &mut body.loops[loop_].directive else { return };
    for (level, why) in dropped {
        directive.levels.retain(|&kept| kept != level);
        // The clause asks for no threads of the launch either.
        match level {
            Level::Gang | Level::Gang2 | Level::Gang3 => directive.gang = None,
            Level::Worker => directive.worker = None,
            Level::Vector => directive.vector = None,
            Level::Unassigned => {}
        }
        let (pos, function) = (directive.pos, function.clone());
        let message = format!("`{}` is ignored: {why}", level.name());
        let text = message.clone();
        env.report.decisions.push(Decision { pos, function: function.clone(), topic: topics::CLAUSE, text });
        env.report.warnings.push(Warning {
            id: ids::CLAUSE_IGNORED,
            pos,
            function,
            message,
            notes: Vec::new(),
        });
    }
    // The loop is parallel all the same: it gets what the loops around it leave free, if anything.
    if directive.levels.is_empty() && directive.kind != LoopKind::Seq {
        directive.levels.push(Level::Unassigned);
    }
}

/// One thread executes the loop: its clauses ask for no threads of the launch either.
fn make_sequential(directive: &mut LoopDirective) {
    directive.kind = LoopKind::Seq;
    directive.levels.clear();
    (directive.gang, directive.worker, directive.vector) = (None, None, None);
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

/// How far inside a level stands; what has no level yet is given a fitting one later.
fn depth(level: Level) -> u8 {
    match level {
        Level::Unassigned => 0,
        Level::Gang3 => 1,
        Level::Gang2 => 2,
        Level::Gang => 3,
        Level::Worker => 4,
        Level::Vector => 5,
    }
}

/// Why a loop without a directive is sequential, if it is one of a device and does not belong to a loop that
/// is shared with it by `collapse`: what becomes of that one is decided later.
fn why_sequential(body: &Body, loop_: Loop, around: Around) -> Option<String> {
    let why = match around {
        Around::Construct(ConstructKind::Kernels) => NOT_INDEPENDENT,
        Around::Construct(ConstructKind::Parallel | ConstructKind::Serial)
        | Around::Routine
        | Around::SeqRoutine => "no `loop` directive",
        Around::HostCode => return None,
    };
    let Some((outer, directive)) = associated(body, loop_) else {
        return Some(format!("sequential: {why}"));
    };
    let line = body.loops[outer].pos.line;
    if directive.collapse < 2 {
        return Some(format!(
            "sequential: `tile` on the loop at line {line} shares that loop's iterations, each of which runs this loop"
        ));
    }
    let is_shared = directive.kind != LoopKind::Seq && !directive.levels.is_empty();
    (!is_shared).then(|| {
        format!("sequential: `collapse({})` belongs to the loop at line {line}, which is", directive.collapse)
    })
}

/// The levels that a directive's clauses name, outermost first.
fn named_levels(directive: &LoopDirective) -> Vec<Level> {
    let gang = directive.gang.as_ref().map(|gang| Level::of_gangs(gang.dim));
    let worker = directive.worker.as_ref().map(|_| Level::Worker);
    let vector = directive.vector.as_ref().map(|_| Level::Vector);
    [gang, worker, vector].into_iter().flatten().collect()
}

/// `Ok` if the loop may be parallel, with a reason where one was needed; `Err` with the reason why it may
/// not.
fn decide(
    directive: &LoopDirective,
    counted: bool,
    around: Around,
    judged: Option<Judged>,
) -> Result<Option<&'static str>, &'static str> {
    if directive.kind == LoopKind::Seq {
        return Err("`seq`");
    }
    if !counted {
        return Err("the number of iterations is not known before the loop");
    }
    match around {
        Around::HostCode => return Err("not inside a compute construct or an `acc routine`"),
        Around::SeqRoutine => return Err("inside an `acc routine seq`"),
        Around::Routine | Around::Construct(_) => {}
    }
    let in_kernels = matches!(around, Around::Construct(ConstructKind::Kernels));
    match directive.kind {
        // The analysis has said why.
        LoopKind::Independent if judged.is_some() => Ok(None),
        LoopKind::Independent => Ok(Some("`independent`")),
        LoopKind::Auto => Err(NOT_INDEPENDENT),
        LoopKind::Default | LoopKind::Seq if !in_kernels => Ok(None),
        LoopKind::Default | LoopKind::Seq => Err(NOT_INDEPENDENT),
    }
}
