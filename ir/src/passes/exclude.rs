//! Leaves one thread where threads of a device exclude each other.
//!
//! Before: loops whose iterations come to `critical` or to locks, in functions that they call, have the
//! levels that the program gives them. After: they lose the levels inside of a gang for good, and the
//! launch around them has one gang, so that nobody has to wait. In OpenMP the threads of two teams do not
//! exclude each other, but programs count on it, and one team is as many as `num_teams` allows. Threads of
//! the host wait for each other: a `parallel` keeps its team. A team of all threads of a gang cannot do with
//! one thread, since others come to its barriers: on a device with lanes, it is refused.

use super::env::Env;
use crate::acc::Level;
use crate::analysis::callers::callers_of;
use crate::entities::{Func, Loop};
use crate::function::{Body, FunctionKind};
use crate::module::Module;
use crate::op::{Callee, Inst, Op, Operand};
use crate::report::{Fault, PassError};
use crate::types::Type;
use cranelift_entity::SecondaryMap;

/// Routines by which threads exclude each other: that of `critical` in code of a device, and those of locks.
const EXCLUDING: [&str; 5] =
    ["__accrue_omp_alone", "omp_set_lock", "omp_test_lock", "omp_set_nest_lock", "omp_test_nest_lock"];

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    let routines = routines(module);
    if routines.is_empty() {
        return Ok(());
    }
    let excluding = callers_of(module, routines);
    if env.target.has_lanes() {
        refuse_teams(module, &excluding)?;
    }
    let mut regions: SecondaryMap<Func, bool> = SecondaryMap::new();
    for (func, function) in &mut module.functions {
        if let FunctionKind::Region(region) = &mut function.kind
            && excluding[func]
        {
            region.constant_dims[..3].fill(1);
            regions[func] = true;
        }
    }
    for body in module.functions.values_mut().filter_map(|function| function.body.as_deref_mut()) {
        leave_one_gang(body, &regions);
        leave_one_thread(body, &excluding);
    }
    Ok(())
}

/// The routines by which threads exclude each other, if the program names any.
pub(super) fn routines(module: &Module) -> Vec<Func> {
    let routines = module.functions.iter().filter(|(_, function)| EXCLUDING.contains(&&*function.name));
    routines.map(|(func, _)| func).collect()
}

/// Refuses teams whose threads exclude each other.
fn refuse_teams(module: &Module, excluding: &SecondaryMap<Func, bool>) -> Result<(), PassError> {
    for function in module.functions.values() {
        let Some(body) = function.body.as_deref() else { continue };
        let blocks = body.order.iter().filter(|&&block| body.is_in_team(block));
        if let Some(inst) =
            blocks.flat_map(|&block| &body.blocks[block].insts).find(|inst| is_excluding(inst, excluding))
        {
            return Err(PassError {
                pass: "",
                fault: Fault::Limit,
                function: function.name.clone(),
                pos: inst.pos,
                message: "threads of a device exclude each other here, in a `parallel` that is more than loops: \
                          locks, and `critical` in functions, are possible only in loops of `parallel for`, which \
                          one thread executes then; write `atomic`, or `critical` in the `parallel` itself"
                    .to_owned(),
            });
        }
    }
    Ok(())
}

fn is_excluding(inst: &Inst, excluding: &SecondaryMap<Func, bool>) -> bool {
    match inst.op {
        Op::Call { callee: Callee::Direct(callee), .. } => excluding[callee],
        _ => false,
    }
}

/// Launches of these regions have one gang.
fn leave_one_gang(body: &mut Body, regions: &SecondaryMap<Func, bool>) {
    for &block in &body.order {
        for inst in &mut body.blocks[block].insts {
            if let Op::Launch(launch) = &mut inst.op
                && regions[launch.region]
            {
                launch.dims.gangs = [Some(Operand::Int(Type::I32, 1)), None, None];
            }
        }
    }
}

/// Takes the levels inside of a gang from the loops in which such functions are called.
fn leave_one_thread(body: &mut Body, excluding: &SecondaryMap<Func, bool>) {
    let mut loops: Vec<Loop> = Vec::new();
    for &block in &body.order {
        if body.blocks[block].insts.iter().any(|inst| is_excluding(inst, excluding)) {
            loops.extend(body.loops_around(body.blocks[block].loop_));
        }
    }
    for loop_ in loops {
        if let Some(directive) = &mut body.loops[loop_].directive {
            directive.levels.retain(|level| !matches!(level, Level::Worker | Level::Vector));
            (directive.worker, directive.vector, directive.in_order) = (None, None, true);
        }
    }
}
