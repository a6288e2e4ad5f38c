//! What gangs of the host do, for `accrue explain --target multicore`.

use crate::reduce::{Gangs, Way};
use accrue_ir::report::{Decision, Report, topics};
use accrue_ir::target::{Context, Emitter};
use accrue_ir::{Body, ConstructKind, Dims, Level, Operand, RedObject, Reduction, RegionData};
use std::sync::Arc;

/// Tells of each loop with a directive who executes its iterations.
pub(crate) fn levels(context: Context<'_>, body: &Body, report: &mut Report) {
    for directive in body.loops.values().filter_map(|data| data.directive.as_ref()) {
        let has_gangs = directive.levels.contains(&Level::Gang);
        let in_chunks = directive.gang.as_ref().is_some_and(|gang| matches!(gang.static_, Some(Some(_))));
        let text = match (has_gangs, in_chunks) {
            (true, true) => "the loop is shared by gangs, chunk after chunk: as `static` says",
            (true, false) => "the loop is shared by gangs, a block of iterations each",
            (false, _) => {
                "each gang that comes to the loop executes all of it: gangs share only the loop outside"
            }
        };
        let (pos, function) = (directive.pos, context.name.clone());
        report.decisions.push(Decision { pos, function, topic: topics::LEVEL, text: text.to_owned() });
    }
}

/// Tells how many gangs a region has.
pub(crate) fn launch(asked: &Dims, region: &RegionData, body: &Body, report: &mut Report) {
    let text = match (region.construct, region.constant_dims[0], asked.gangs[0]) {
        (ConstructKind::Kernels | ConstructKind::Parallel, 1, None) if !has_gang_loop(body) => {
            "one gang, on the thread that launches: no loop is shared by gangs".to_owned()
        }
        (ConstructKind::Kernels, 1, None) => {
            "one gang, on the thread that launches: gangs would have to wait for each other".to_owned()
        }
        (_, 1, _) => "one gang, on the thread that launches".to_owned(),
        (_, _, Some(Operand::Int(_, gangs))) => {
            format!("{gangs} gangs, by at most as many threads as there are")
        }
        (_, _, Some(_)) => {
            "as many gangs as the program says, by at most as many threads as there are".to_owned()
        }
        (_, _, None) => "one gang per thread".to_owned(),
    };
    let pos = body.blocks[body.entry()].term_pos;
    report.decisions.push(Decision { pos, function: region.parent.clone(), topic: topics::LAUNCH, text });
}

/// Whether gangs share a loop.
pub(crate) fn has_gang_loop(body: &Body) -> bool {
    let mut directives = body.loops.values().filter_map(|data| data.directive.as_ref());
    directives.any(|directive| directive.levels.contains(&Level::Gang))
}

/// Tells how gangs combine their results.
pub(crate) fn reduction(emit: &mut Emitter<'_>, function: &Arc<str>, gangs: Gangs, call: &Reduction) {
    let is_array = matches!(call.object, RedObject::Array { .. });
    let operation = format!("{} on {}", call.op.spelling(), call.ty.ty);
    let text = match gangs.way(call.op, call.ty, is_array) {
        Way::Alone => return,
        Way::InTurn => {
            format!("gangs combine in their order: --deterministic, and {operation} depends on the order")
        }
        Way::Atomic => format!("gangs combine by an atomic {operation}"),
        Way::Locked if is_array => "gangs combine their arrays under a lock".to_owned(),
        Way::Locked => format!("gangs combine under a lock: the host has no atomic {operation}"),
    };
    let (pos, function) = (emit.pos, function.clone());
    emit.report.decisions.push(Decision { pos, function, topic: topics::REDUCTION, text });
}
