//! Lets the target choose the levels of the loops for which the programmer named none.
//!
//! Before: such loops have the one level [`Level::Unassigned`]. After: they have the levels that the target gave them,
//! or none, and are sequential. A target on which all levels are one thread may leave them unassigned. In functions
//! that are neither regions nor routines no loop has a level.

use super::{Env, PassError, context, each_body};
use crate::acc::{Level, LoopKind};
use crate::module::Module;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let unassigned =
            |directive: &crate::acc::LoopDirective| directive.levels.contains(&Level::Unassigned);
        if !work.body.loops.values().filter_map(|data| data.directive.as_ref()).any(unassigned) {
            return Ok(());
        }
        env.target.assign_levels(context(work.module, work.func), work.body);
        for directive in work.body.loops.values_mut().filter_map(|data| data.directive.as_mut()) {
            if directive.levels.is_empty() {
                directive.kind = LoopKind::Seq;
            }
        }
        Ok(())
    })
}
