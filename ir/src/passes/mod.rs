//! The pipeline from the front end's IR to IR that a code generator takes.
//!
//! [`PASSES`] is the whole of it, in order. Every pass is one file with one `run`; its module comment says what holds
//! before and after. Work on a pass can stop after any entry, and with `verify` the IR is verified after each, so that
//! a failure names the pass that broke it.
//!
//! Levels are assigned before the quads are inserted, not after as the documents have it: where a reduction needs a
//! dummy gang reduction depends on the levels of the loop and of the loops around it. Nothing is lost by it, since
//! the assignment is the target's hook in either place, and `Level::Unassigned` stays legal on loops and quads up to
//! `expand` for targets that do not choose.
//!
//! Here belongs what decides that a module is to be changed, with the parts that only this decision needs in a folder of
//! its own: the plan of a vectorized loop is `vectorize/plan`. A target's own list may have passes of this folder that
//! [`PASSES`] lacks ([`split_objects`]). Here does not belong a fact that a second pass asks, such as the loops inside a
//! loop ([`crate::analysis`]), nor a change that a second pass makes once it has decided, such as a renaming
//! ([`crate::edit`]).

pub mod assign_levels;
pub mod collapse;
pub mod dce;
mod env;
pub mod expand;
pub mod fold;
pub mod hoist;
pub mod kernels;
pub mod map_vars;
pub mod outline;
pub mod partition;
pub mod privatize;
pub mod promote_slots;
pub mod reach;
pub mod reductions;
pub mod rotate;
pub mod simplify_cfg;
pub mod split_objects;
pub mod terms;
#[cfg(test)]
mod testing;
pub mod vectorize;

pub use env::{Decision, Env, Fault, PassError, Report, Warning, ids, topics};

use crate::module::Module;
use crate::op::Pos;
use crate::target::Target;

/// An entry of the pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Name on the command line and in messages.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    run: fn(&mut Module, &mut Env<'_>) -> Result<(), PassError>,
}

/// The passes, in order.
pub const PASSES: &[Pass] = &[
    Pass { name: "lower", about: "the front end's IR, directives as annotations", run: |_, _| Ok(()) },
    Pass { name: "kernels", about: "decide which loops may run in parallel", run: kernels::run },
    Pass { name: "privatize", about: "give loops their own private variables", run: privatize::run },
    Pass { name: "outline", about: "cut compute constructs out into regions", run: outline::run },
    Pass { name: "promote-slots", about: "turn slots without address into locals", run: promote_slots::run },
    Pass { name: "assign-levels", about: "let the target choose levels of loops", run: assign_levels::run },
    Pass { name: "reach", about: "leave out what the target does not run", run: reach::run },
    Pass { name: "collapse", about: "merge nests of loops where the target wants it", run: collapse::run },
    Pass { name: "terms", about: "count the terms of reductions for who checks results", run: terms::run },
    Pass { name: "reductions", about: "insert markers, forks, joins and quads", run: reductions::run },
    Pass { name: "map-vars", about: "rewrite mapped variables to device addresses", run: map_vars::run },
    Pass { name: "partition", about: "share loops between threads", run: partition::run },
    Pass { name: "expand", about: "expand the abstract operations by the target's hooks", run: expand::run },
    Pass { name: "fold", about: "propagate copies, constants, addresses", run: fold::run },
    Pass { name: "dce", about: "remove operations without use", run: dce::run },
    Pass { name: "simplify-cfg", about: "remove and merge blocks", run: simplify_cfg::run },
    Pass { name: "hoist", about: "load variables before loops that only read them", run: hoist::run },
    Pass { name: "vectorize", about: "do several iterations of loops at once", run: vectorize::run },
    Pass { name: "rotate", about: "test loops at their end", run: rotate::run },
];

/// A pass of the pipeline, to stop after.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stage(usize);

impl Stage {
    /// The stage of this name.
    pub fn by_name(name: &str) -> Option<Stage> {
        PASSES.iter().position(|pass| pass.name == name).map(Stage)
    }

    /// Its pass.
    pub fn pass(self) -> &'static Pass {
        &PASSES[self.0]
    }
}

/// Runs the pipeline, up to and including `stop_after`.
pub fn pipeline(
    module: &mut Module,
    target: &mut dyn Target,
    stop_after: Option<Stage>,
    verify: bool,
) -> Result<Report, PassError> {
    let explains = target.explains();
    let mut env = Env { target, report: Report::default(), explains };
    let last = stop_after.map_or(PASSES.len(), |stage| stage.0 + 1);
    for pass in &PASSES[..last] {
        (pass.run)(module, &mut env).map_err(|error| PassError { pass: pass.name, ..error })?;
        if verify {
            verify_after(module, pass.name)?;
        }
    }
    Ok(env.report)
}

/// Verifies the module after a pass, of this pipeline or of a target.
pub fn verify_after(module: &Module, pass: &'static str) -> Result<(), PassError> {
    crate::verify::verify(module, pass).map_err(|errors| PassError {
        pass,
        fault: Fault::Defect,
        function: "".into(),
        pos: Pos::none(),
        message: errors.to_string(),
    })
}
