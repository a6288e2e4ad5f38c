//! Lets the target choose the levels of the loops for which the programmer named none, and then launch
//! dimensions.
//!
//! Before: such loops have the one level [`crate::Level::Unassigned`]. After: they have the levels that the
//! target gave them, or none, and are sequential. A target on which all levels are one thread may leave them
//! unassigned. In functions that are neither regions nor routines no loop has a level.
//!
//! Loops of functions that ask for the number of a gang, worker or lane are marked `in_order`: an element
//! that such a number chooses is the thread's own, and each of its iterations may use what the one before
//! left.

use super::ask_threads::{TEAM, routines};
use super::env::{Env, context, each_body};
use crate::acc::{Dims, LoopKind};
use crate::analysis::callers::callers_of;
use crate::entities::Func;
use crate::function::{Function, FunctionKind};
use crate::module::Module;
use crate::op::Op;
use crate::report::PassError;
use crate::target::RoutineCall;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    let launches = launches(module);
    // Functions that ask which thread executes them, or call one that does.
    let asking = callers_of(module, asking_for_numbers(module));
    each_body(module, |work| {
        let caller = &work.module.functions[work.func];
        let has_threads = caller.is_device_code();
        let calls = if has_threads { RoutineCall::all_in(work.module, work.body) } else { Vec::new() };
        if calls.is_empty() && !work.body.loops.values().any(|data| data.directive.is_some()) {
            return Ok(());
        }
        if asking[work.func] {
            for directive in work.body.loops.values_mut().filter_map(|data| data.directive.as_mut()) {
                directive.in_order = true;
            }
        }
        let context = context(work.module, work.func);
        let asked = launches.iter().find(|(func, _)| *func == work.func).map(|(_, dims)| dims);
        env.target.assign_levels(context, (&calls, asked), work.body, env.report);
        for directive in work.body.loops.values_mut().filter_map(|data| data.directive.as_mut()) {
            if directive.levels.is_empty() {
                directive.kind = LoopKind::Seq;
            }
        }
        Ok(())
    })?;
    choose_dims(module, env, launches);
    Ok(())
}

/// The functions that ask which thread, or which gang, executes them.
fn asking_for_numbers(module: &Module) -> Vec<Func> {
    let asks = |function: &Function| match function.body.as_deref() {
        Some(body) => {
            let mut insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
            insts.any(|inst| matches!(inst.op, Op::DimPos { .. }))
        }
        None => *function.name == *TEAM,
    };
    let asking = module.functions.iter().filter(|(_, function)| asks(function));
    asking.map(|(func, _)| func).chain(routines(module)).collect()
}

/// The regions, and what the program says of their dimensions.
fn launches(module: &Module) -> Vec<(Func, Dims)> {
    let mut launches: Vec<(Func, Dims)> = Vec::new();
    for body in module.functions.values().filter_map(|function| function.body.as_deref()) {
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            if let Op::Launch(launch) = &inst.op {
                launches.push((launch.region, launch.dims.clone()));
            }
        }
    }
    // What the program says of a region it says of the copies of which other shapes are tried.
    for (func, function) in &module.functions {
        let FunctionKind::Region(region) = &function.kind else { continue };
        let trial = region.shape.and_then(|shape| shape.trial);
        let said = trial.and_then(|trial| launches.iter().find(|(func, _)| *func == trial.of));
        if let Some((_, dims)) = said {
            launches.push((func, dims.clone()));
        }
    }
    launches
}

fn choose_dims(module: &mut Module, env: &mut Env<'_>, launches: Vec<(Func, Dims)>) {
    for (func, dims) in launches {
        let Function { kind: FunctionKind::Region(region), body: Some(body), .. } =
            &mut module.functions[func]
        else {
            continue;
        };
        env.target.choose_dims(func, &dims, region, body, env.report);
    }
}
