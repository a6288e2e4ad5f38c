//! Brings in the functions of the device's library that a program calls.
//!
//! Before: the program is as the passes ahead of this one leave it, and may call functions that nothing
//! defines. After: what the library has of them is part of it. Each source comes from the front end as the
//! program did ([`crate::DeviceLibrary::module`]) and goes through the passes ahead of this one, too, as a
//! module of its own; `neuter` finds no region in it, `scalarize` finds what it finds in the program. From
//! here on program and library are one module.

use crate::target::PtxTarget;
use crate::text::{self, Reached};
use accrue_ir::passes::{Env, Section, run as run_passes};
use accrue_ir::report::{Fault, PassError, Report};
use accrue_ir::verify::Verified;
use accrue_ir::{Module, Pos, link_units};
use rustc_hash::FxHashSet;

/// Name of the pass in the list.
pub const NAME: &str = "link";

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_, PtxTarget>) -> Result<(), PassError> {
    let mut added: FxHashSet<usize> = FxHashSet::default();
    loop {
        let reached = text::reach(module)?;
        let wanted = wanted(&reached, env.target, &mut added);
        if wanted.is_empty() {
            env.target.reached = Some(reached);
            return Ok(());
        }
        let mut units = vec![std::mem::take(module)];
        for source in wanted {
            units.push(lowered(source, env)?);
        }
        *module = link_units::link(units).map_err(|errors| error(Fault::Limit, errors.to_string()))?;
    }
}

/// The sources that define what is missing, but for those that were added before.
fn wanted(reached: &Reached, target: &PtxTarget, added: &mut FxHashSet<usize>) -> Vec<usize> {
    let sources = reached.missing().iter().filter_map(|name| target.library.source_of(name));
    let mut wanted: Vec<usize> = sources.collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted.retain(|&source| added.insert(source));
    wanted
}

/// A source as this pass finds the program.
fn lowered(source: usize, env: &Env<'_, PtxTarget>) -> Result<Module, PassError> {
    let defect = |problem: String| error(Fault::Defect, format!("the device's library: {problem}"));
    let module = env.target.library.module(source).map_err(defect)?;
    let mut target = env.target.for_library();
    let section = Section::before(&target, NAME).map_err(|error| defect(error.to_string()))?;
    // What the library does otherwise than asked is nothing that a user could change.
    let mut report = Report::default();
    run_passes(module, &mut target, section, env.verifies, &mut report)
        .map(Verified::into_module)
        .map_err(|failed| defect(failed.error.to_string()))
}

fn error(fault: Fault, message: String) -> PassError {
    PassError { pass: NAME, fault, function: "".into(), pos: Pos::none(), message }
}
