//! Passes from the front end's IR to IR that a code generator takes.
//!
//! Each target has one list of them, [`Pipeline::PASSES`], in which passes of its own stand between those of
//! this folder, the constants of [`Pass`]. Every pass is one file with one entry; its module comment says
//! what holds before and after. A run can stop and start after any entry, and with `verify` the IR is
//! verified after each, so that a failure names the pass that broke it.
//!
//! Levels are assigned before the quads are inserted, not after as the documents have it: where a reduction
//! needs a dummy gang reduction depends on the levels of the loop and of the loops around it. Nothing is lost
//! by it, since the assignment is the target's hook in either place, and `Level::Unassigned` stays legal on
//! loops and quads up to `expand` for targets that do not choose.
//!
//! Here belongs what decides that a module is to be changed, with the parts that only this decision needs in
//! a folder of its own: the plan of a vectorized loop is `vectorize/plan`. [`inline`] is no
//! entry of a list, nor is what it runs on bodies that have changed: a pass of each target says what calls
//! what. Here does not belong a fact that a second pass asks, such as the loops inside a loop
//! ([`crate::analysis`]), nor a change that a second pass makes once it has decided, such as a renaming
//! ([`crate::edit`]).

mod addresses;
pub mod ahead;
mod arguments;
pub mod ask_threads;
pub mod assign_levels;
mod by_value;
pub mod choose;
pub mod collapse;
mod constant_data;
mod contract;
pub mod dce;
mod elements;
mod env;
pub mod exclude;
pub mod expand;
pub mod fold;
mod followed;
mod fuse;
pub mod hoist;
pub mod inline;
pub mod kernels;
pub mod map_vars;
mod orphans;
pub mod outline;
mod overwritten;
pub mod partition;
mod pipeline;
pub mod privatize;
pub mod promote_slots;
pub mod reach;
mod reciprocals;
pub mod reductions;
mod remember;
pub mod rotate;
pub mod sections;
pub mod signs;
pub mod simplify_cfg;
pub mod split_kernels;
pub mod split_objects;
mod steps;
mod tables;
mod tasks;
pub mod terms;
#[cfg(test)]
mod testing;
mod thread_jumps;
pub mod trace;
mod unite;
mod unread;
mod unroll_whole;
pub mod updates;
pub mod vectorize;
mod widen;

pub use crate::report::{Decision, Fault, Limit, PassError, Report, Warning, ids, topics};
pub use env::Env;
pub use pipeline::{Failed, OfEach, Pass, Pipeline, Section, SectionError, Waiting, run, run_now, waiting};

use crate::target::Target;
use choose::Machine;
use trace::Traced;

/// The passes of this folder as entries of any target's list.
macro_rules! passes {
    ($($entry:ident = $name:literal, $about:literal, $run:expr;)*) => {
        impl<T: Target> Pass<T> {
            $(
                #[doc = concat!("`", $name, "`: ", $about, ".")]
                pub const $entry: Pass<T> =
                    Pass::new($name, $about, |module, env| $run(module, &mut env.for_any_target()));
            )*
        }
    };
}

/// Those that work on one function.
macro_rules! passes_of_each {
    ($($entry:ident = $name:literal, $about:literal, $run:expr;)*) => {
        impl<T: Target> Pass<T> {
            $(
                #[doc = concat!("`", $name, "`: ", $about, ".")]
                pub const $entry: Pass<T> = Pass::of_each($name, $about, $run);
            )*
        }
    };
}

passes! {
    LOWER = "lower", "the front end's IR, directives as annotations", |_, _| Ok(());
    TASKS = "tasks", "say how dependences of tasks are kept", tasks::run;
    OUTLINE_THREADS = "outline-threads", "cut what threads of the host execute out into functions", outline::run_threads;
    ORPHANS = "orphans", "let threads of a gang share `parallel` in functions", orphans::run;
    CONSTANT_DATA = "constant-data", "leave constant objects to the device's code", constant_data::run;
    INLINE_EARLY = "inline-early", "put small functions where `kernels` calls them", inline::early::run;
    FOLLOWED = "followed", "keep the elements that scalars of `kernels` lead to", followed::run;
    ROUTINES = "routines", "say which functions are routines", reach::explain_routines;
    INLINE_REGIONS = "inline-regions", "put small functions where regions call them", inline::early::run_in_regions;
    SECTIONS = "sections", "map what pointers without a clause lead to", sections::run;
    KERNELS = "kernels", "decide which loops may run in parallel", kernels::run;
    WIDEN = "widen", "subscript with sums of 64-bit numbers", |module, _| {
        widen::run_on_all(module);
        Ok(())
    };
    WIDEN_REGIONS = "widen", "subscript with sums of 64-bit numbers", |module, _| {
        widen::run_on_regions(module);
        Ok(())
    };
    SIGNS = "signs", "take out conversions between signed and unsigned numbers", signs::run;
    PRIVATIZE = "privatize", "give loops their own private variables", privatize::run;
    SPLIT_KERNELS = "split-kernels", "make a launch of each nest of `kernels`", split_kernels::run;
    FUSE = "fuse", "make one launch of constructs that go through the same iterations", fuse::run;
    ARGUMENTS = "arguments", "write numbers that are known where they are read", arguments::run;
    OUTLINE = "outline", "cut compute constructs out into regions", outline::run;
    PROMOTE_SLOTS = "promote-slots", "turn slots without address into locals", promote_slots::run;
    TRACE = "trace", "tell the runtime what loops called parallel do", |module, env| trace::run(module, env, Traced::Parallel);
    TRACE_ALL = "trace-all", "tell the runtime what all loops of regions do", |module, env| trace::run(module, env, Traced::All);
    TRACE_TASKS = "trace-tasks", "tell the runtime what tasks of the host access", |module, env| trace::run(module, env, Traced::Tasks);
    EXCLUDE = "exclude", "leave one thread where threads exclude each other", exclude::run;
    ASSIGN_LEVELS = "assign-levels", "let the target choose levels of loops", assign_levels::run;
    ASK_THREADS = "ask-threads", "tell functions of a device which thread they are", ask_threads::run;
    UNROLL_WHOLE = "unroll-whole", "write loops of a few iterations out", unroll_whole::run;
    ELEMENTS = "elements", "choose among the few elements of a thread's array", elements::run;
    TABLES = "tables", "read constant tables while compiling", tables::run;
    UNITE = "unite", "map objects of which host and device would have one each", unite::run;
    REACH = "reach", "leave out what the target does not run", reach::run;
    UPDATES = "updates", "reduce what all iterations update alike", updates::run;
    HOLD = "hold", "keep what an inner loop updates where it was stored", ahead::hold;
    COLLAPSE = "collapse", "merge nests of loops where the target wants it", collapse::run;
    TERMS = "terms", "count the terms of reductions for who checks results", terms::run;
    REDUCTIONS = "reductions", "insert markers, forks, joins and quads", reductions::run;
    MAP_VARS = "map-vars", "rewrite mapped variables to device addresses", map_vars::run;
    PARTITION = "partition", "share loops between threads", partition::run;
    EXPAND = "expand", "expand the abstract operations by the target's hooks", expand::run;
    FOLD = "fold", "propagate copies, constants, addresses", fold::run;
    DCE = "dce", "remove operations without use", dce::run;
    SIMPLIFY_CFG = "simplify-cfg", "remove and merge blocks", simplify_cfg::run;
    UNREAD = "unread", "remove what is overwritten before it is read", unread::run;
    CONTRACT = "contract", "round a product and its sum once", contract::run;
}

passes_of_each! {
    HOIST = "hoist", "load variables before loops that only read them", |module, _, body| hoist::rewrite(module, body);
    AHEAD = "ahead", "load in front of a loop what each iteration would load", ahead::run;
    RECIPROCALS = "reciprocals", "multiply by the reciprocal of what a loop divides by", reciprocals::run;
    VECTORIZE = "vectorize", "do several iterations of loops at once", vectorize::run;
    VECTORIZE_FAST = "vectorize", "do several iterations of loops at once", vectorize::run_in_any_order;
    CONTRACT_REST = "contract-rest", "round products and sums of the host once", contract::contract_rest;
    ROTATE = "rotate", "test loops at their end", |_, _, body| rotate::rewrite(body);
    STEPS = "steps", "make addresses from addresses, term by term", |_, _, body| steps::rewrite(body);
    REMEMBER = "remember", "use again what was loaded, stored or compared", remember::run;
    CHOOSE = "choose", "compute both ways of short branches, and choose", |_, _, body| choose::rewrite(body, Machine::Host);
    OVERWRITTEN = "overwritten", "remove stores that others overwrite", overwritten::run;
}
