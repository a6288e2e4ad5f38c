//! Leaves one thread where threads of a device exclude each other.
//!
//! Before: loops whose iterations come to `critical` or to locks, in functions that they call, have the
//! levels that the program gives them. After: they lose the levels inside of a gang for good, and the
//! launch around them has one gang, so that nobody has to wait. In OpenMP the threads of two teams do not
//! exclude each other, but programs count on it, and one team is as many as `num_teams` allows. Threads of
//! the host wait for each other: a `parallel` keeps its team.

use super::env::Env;
use crate::acc::Level;
use crate::analysis::callers::callers_of;
use crate::entities::{Func, Loop};
use crate::function::{Body, FunctionKind};
use crate::module::Module;
use crate::op::{Callee, Inst, Op, Operand};
use crate::report::PassError;
use crate::types::Type;
use cranelift_entity::SecondaryMap;

/// Routines by which threads exclude each other: that of `critical` in code of a device, and those of locks.
const EXCLUDING: [&str; 5] =
    ["__accrue_omp_alone", "omp_set_lock", "omp_test_lock", "omp_set_nest_lock", "omp_test_nest_lock"];

/// Runs the pass.
pub fn run(module: &mut Module, _: &mut Env<'_>) -> Result<(), PassError> {
    let routines = module.functions.iter().filter(|(_, function)| EXCLUDING.contains(&&*function.name));
    let routines: Vec<Func> = routines.map(|(func, _)| func).collect();
    if routines.is_empty() {
        return Ok(());
    }
    let excluding = callers_of(module, routines);
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
    let is_excluding = |inst: &Inst| match inst.op {
        Op::Call { callee: Callee::Direct(callee), .. } => excluding[callee],
        _ => false,
    };
    let mut loops: Vec<Loop> = Vec::new();
    for &block in &body.order {
        if body.blocks[block].insts.iter().any(is_excluding) {
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
