//! Decides which loops may run in parallel.
//!
//! Before: directives say what the programmer wrote. After: a loop with a directive is either sequential
//! ([`LoopKind::Seq`], no levels), or countable and known to be independent, with at least one level: those
//! that its clauses name, or [`Level::Unassigned`].
//!
//! This is the slot of the dependence analysis for `kernels` and `auto` (`docs/design/kernels.md`). Until it
//! exists, `independent` is honoured in `kernels` regions, and every other loop there, and every loop marked
//! `auto`, runs sequentially. A level without `independent` says where the loop is to run if it may, not that
//! it may (OpenACC 3.3, section 2.9.7): it is ignored with a warning.

mod counted;
mod decide;
mod scalars;

use super::env::{Env, Work, each_body};
use crate::acc::{ConstructKind, Level, LoopDirective, LoopKind};
use crate::entities::Loop;
use crate::function::{Body, FunctionKind, Routine};
use crate::module::Module;
use crate::report::{Decision, PassError, Warning, ids, topics};
use crate::target::RoutineCall;
use std::sync::Arc;

/// Why most loops in `kernels` are sequential.
const NOT_ANALYSED: &str = "in `kernels` without `independent`, and there is no dependence analysis yet";

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
    each_body(module, |work| {
        decide_function(work, env);
        Ok(())
    })
}

fn decide_function(work: Work<'_>, env: &mut Env<'_>) {
    let function = work.name();
    let data = &work.module.functions[work.func];
    let outside = match (&data.kind, &data.routine) {
        (FunctionKind::Region(region), _) => Around::Construct(region.construct),
        (FunctionKind::Normal, None) => Around::HostCode,
        (FunctionKind::Normal, Some(Routine { level: None, .. })) => Around::SeqRoutine,
        (FunctionKind::Normal, Some(Routine { level: Some(_), .. })) => Around::Routine,
    };
    let body = work.body;
    let constructs = body.live_entities().constructs;
    let kernels: Vec<_> =
        constructs.iter().filter(|&c| body.constructs[c].kind == ConstructKind::Kernels).collect();
    for construct in kernels {
        for decide::Judgement { loop_, is_parallel, reason } in decide::decide(body, construct) {
            let text = format!("{}: {reason}", if is_parallel { "parallel" } else { "not parallel" });
            let (pos, function) = (body.loops[loop_].pos, function.clone());
            env.report.decisions.push(Decision { pos, function, topic: topics::LOOP, text });
        }
    }
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
        let verdict = decide(directive, counted, around);
        if verdict == Err(NOT_ANALYSED) && !directive.levels.is_empty() {
            env.report.warnings.push(not_independent(directive, &function));
        }
        match verdict {
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

/// Takes levels from a loop of `kernels` that a loop around it or a routine called in it leaves no room for.
/// In `parallel` and `serial`, such levels are errors.
fn drop_levels(body: &mut Body, calls: &[RoutineCall], loop_: Loop, function: &Arc<str>, env: &mut Env<'_>) {
    let levels_of = |at: Loop| body.loops[at].directive.iter().flat_map(|directive| &directive.levels);
    let around =
        body.loops_around(body.loops[loop_].parent).flat_map(levels_of).max_by_key(|level| depth(**level));
    let called = calls.iter().filter(|call| body.loop_is_within(call.loop_, loop_));
    let called = called.min_by_key(|call| depth(call.level));
    let obstacle = |level: Level| match (around, &called) {
        (Some(&outer), _) if depth(level) <= depth(outer) => {
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
    if directive.levels.is_empty() {
        make_sequential(directive);
    }
}

/// One thread executes the loop: its clauses ask for no threads of the launch either.
fn make_sequential(directive: &mut LoopDirective) {
    directive.kind = LoopKind::Seq;
    directive.levels.clear();
    (directive.gang, directive.worker, directive.vector) = (None, None, None);
}

/// The warning that the levels of a loop in `kernels` do not make it parallel.
fn not_independent(directive: &LoopDirective, function: &Arc<str>) -> Warning {
    let levels: Vec<String> = directive.levels.iter().map(|level| format!("`{}`", level.name())).collect();
    let verb = if levels.len() == 1 { "is" } else { "are" };
    Warning {
        id: ids::CLAUSE_IGNORED,
        pos: directive.pos,
        function: function.clone(),
        message: format!(
            "{} {verb} ignored: the loop runs sequentially, since nothing says that its iterations are independent",
            levels.join(", ")
        ),
        notes: vec![
            "add `independent` if no iteration uses what another one writes; a variable that all iterations update \
             needs `reduction`, one that each sets for itself `private`"
                .to_owned(),
            "in `kernels`, a level alone does not make a loop parallel (OpenACC 3.3, section 2.9.7)".to_owned(),
        ],
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
        Around::Construct(ConstructKind::Kernels) => NOT_ANALYSED,
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

/// The loop whose `collapse` or `tile` a loop without a directive belongs to.
fn associated(body: &Body, inner: Loop) -> Option<(Loop, &LoopDirective)> {
    let parents = body.loops_around(body.loops[inner].parent);
    let (depth, outer) = parents.enumerate().find(|&(_, outer)| body.loops[outer].directive.is_some())?;
    let directive = body.loops[outer].directive.as_ref()?;
    let loops = (directive.collapse as usize).max(directive.tile.len());
    (depth + 1 < loops).then_some((outer, directive))
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
    match directive.kind {
        LoopKind::Auto => Err("`auto`, and there is no dependence analysis yet"),
        LoopKind::Independent => Ok(Some("`independent`")),
        LoopKind::Default | LoopKind::Seq => match around {
            Around::Construct(ConstructKind::Kernels) => Err(NOT_ANALYSED),
            Around::Construct(ConstructKind::Parallel | ConstructKind::Serial)
            | Around::Routine
            | Around::SeqRoutine
            | Around::HostCode => Ok(None),
        },
    }
}
