//! Decides what becomes of the loops of a function: they get the levels that their directives name, levels
//! that are chosen later, or none.

use super::found::{Judged, Judgements};
use crate::acc::{ConstructData, ConstructKind, Level, LoopDirective, LoopKind, SizeClauses};
use crate::entities::Loop;
use crate::function::{Body, FunctionKind, Routine};
use crate::op::Pos;
use crate::passes::env::{Env, Work};
use crate::report::{Decision, Warning, ids, topics};
use crate::target::RoutineCall;
use cranelift_entity::EntityRef;
use std::sync::Arc;

/// Why a loop that is left to the analysis is sequential; what the analysis says has the particulars.
const NOT_INDEPENDENT: &str = "its iterations are not known to be independent";

/// What a loop stands in.
#[derive(Clone, Copy)]
enum Around {
    Construct(ConstructKind),
    /// `target` of OpenMP.
    Target,
    Routine,
    SeqRoutine,
    HostCode,
}

impl Around {
    fn construct(data: &ConstructData) -> Around {
        match data.dims.clauses {
            SizeClauses::OpenMp(_) if !data.kind.is_threaded() => Around::Target,
            _ => Around::Construct(data.kind),
        }
    }
}

/// Decides about the loops of a function, of which the first `written` ones are the program's: loops behind
/// these are second versions of them.
pub fn decide_loops(work: Work<'_>, (judged, written): (&Judgements, usize), env: &mut Env<'_>) {
    let function = work.name();
    let data = &work.module.functions[work.func];
    let outside = match (&data.kind, &data.routine) {
        (FunctionKind::Region(region), _) => Around::Construct(region.construct),
        (FunctionKind::Normal, None) | (FunctionKind::Threaded(_), _) => Around::HostCode,
        (FunctionKind::Normal, Some(Routine { level: None, .. })) => Around::SeqRoutine,
        (FunctionKind::Normal, Some(Routine { level: Some(_), .. })) => Around::Routine,
    };
    let body = work.body;
    let mut say = |pos: Pos, text: String| {
        let function = function.clone();
        env.report.decisions.push(Decision { pos, function, topic: topics::LOOP, text });
    };
    let mut in_kernels = Vec::new();
    for loop_ in body.loops.keys().collect::<Vec<_>>() {
        // A loop that is gone has no header.
        let Some(header) = body.blocks.get(body.loops[loop_].header) else { continue };
        let around =
            header.construct.map_or(outside, |construct| Around::construct(&body.constructs[construct]));
        let is_counted = body.loops[loop_].induction.is_some();
        let Some(directive) = &mut body.loops[loop_].directive else {
            let is_untold = loop_.index() < written && !judged.contains_key(&loop_);
            if env.explains
                && is_untold
                && let Some(text) = why_sequential(body, loop_, around)
            {
                say(body.loops[loop_].pos, text);
            }
            continue;
        };
        if let Some(text) = decide(directive, is_counted, around, judged.get(&loop_).copied())
            && loop_.index() < written
        {
            say(directive.pos, text);
        }
        if matches!(around, Around::Construct(ConstructKind::Kernels)) && !directive.levels.is_empty() {
            in_kernels.push(loop_);
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

/// Gives a loop with a directive levels, or makes it sequential; tells why where a reason is worth a line.
fn decide(
    directive: &mut LoopDirective,
    is_counted: bool,
    around: Around,
    judged: Option<Judged>,
) -> Option<String> {
    if directive.levels.is_empty() {
        directive.levels = directive.named_levels();
    }
    match may_be_parallel(directive, is_counted, around, judged) {
        Ok(why) => {
            if directive.levels.is_empty() {
                directive.levels.push(Level::Unassigned);
            }
            why.map(|why| format!("parallel: {why}"))
        }
        Err(why) => {
            directive.make_sequential();
            why.map(|why| format!("sequential: {why}"))
        }
    }
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
        Around::Target => "no directive shares it",
        Around::Construct(ConstructKind::Team | ConstructKind::Task) | Around::HostCode => return None,
    };
    let Some((outer, directive)) = body.associated(loop_) else {
        return Some(format!("sequential: {why}"));
    };
    let line = body.loops[outer].pos.line;
    let is_shared = directive.kind != LoopKind::Seq && !directive.levels.is_empty();
    (!is_shared).then(|| {
        format!("sequential: {} belongs to the loop at line {line}, which is", directive.nest_clause())
    })
}

/// `Ok` if the loop may be parallel, `Err` if it may not; with the reason where it is worth a line.
fn may_be_parallel(
    directive: &LoopDirective,
    is_counted: bool,
    around: Around,
    judged: Option<Judged>,
) -> Result<Option<&'static str>, Option<&'static str>> {
    if directive.kind == LoopKind::Seq {
        return Err(directive.scans.is_empty().then_some("`seq`"));
    }
    if !is_counted {
        return Err(Some("the number of iterations is not known before the loop"));
    }
    match around {
        Around::HostCode => return Err(Some("not inside a compute construct or an `acc routine`")),
        Around::SeqRoutine => return Err(Some("inside an `acc routine seq`")),
        Around::Routine | Around::Construct(_) | Around::Target => {}
    }
    let in_kernels = matches!(around, Around::Construct(ConstructKind::Kernels));
    match directive.kind {
        // The analysis has said why.
        LoopKind::Independent if judged.is_some() => Ok(None),
        LoopKind::Independent if matches!(around, Around::Target) => Ok(Some("as the directive says")),
        LoopKind::Independent => Ok(Some("`independent`")),
        LoopKind::Default
            if matches!(around, Around::Construct(ConstructKind::Serial))
                && judged == Some(Judged::Refuted) =>
        {
            Err(Some("its iterations depend on each other, and in `serial` one thread executes them"))
        }
        LoopKind::Default | LoopKind::Seq if !in_kernels => Ok(None),
        LoopKind::Auto | LoopKind::Default | LoopKind::Seq => {
            Err(judged.is_none().then_some(NOT_INDEPENDENT))
        }
    }
}
