//! The list of GPUs.

use crate::lift::Which;
use crate::options::Options;
use crate::target::PtxTarget;
use crate::text::{EmitError, Reached, Tame};
use crate::{
    addresses, align, alloca, angles, barriers, carry, conditions, copies, define, ends, inline, late, lift,
    link_library, narrow, neuter, once, printf, reload, scalarize, scans, shapes, share, surplus, unroll,
};
use accrue_ir::Module;
use accrue_ir::passes::choose::{self, Machine};
use accrue_ir::passes::{Env, Pass, Pipeline, ahead};
use accrue_ir::report::{Fault, PassError};

impl Pipeline for PtxTarget {
    const PASSES: &'static [Pass<PtxTarget>] = &[
        Pass::LOWER,
        Pass::TASKS.when(|target| target.options.explain),
        Pass::OUTLINE_THREADS,
        Pass::ORPHANS,
        Pass::CONSTANT_DATA,
        Pass::INLINE_EARLY,
        Pass::FOLLOWED,
        Pass::SECTIONS,
        Pass::KERNELS,
        Pass::ARGUMENTS,
        Pass::PRIVATIZE,
        Pass::SPLIT_KERNELS,
        Pass::FUSE.when(|target| target.options.fuses),
        Pass::OUTLINE,
        Pass::PROMOTE_SLOTS,
        Pass::ROUTINES.when(|target| target.options.explain),
        Pass::INLINE_REGIONS,
        Pass::WIDEN_REGIONS.when(|target| !target.options.arithmetic.signed_wraps),
        Pass::SIGNS,
        choosing("choose-early", "choose before what takes one way is shared"),
        Pass::EXCLUDE,
        Pass::new(
            "shapes",
            "give regions the shapes that are measured",
            |module, env: &mut Env<'_, PtxTarget>| {
                let said = shapes::run(module, &env.target.options.shapes);
                env.report.decisions.extend(said.decisions);
                env.report.warnings.extend(said.warnings);
                Ok(())
            },
        )
        .when(|target: &PtxTarget| target.options.shapes.is_unusual()),
        Pass::ASSIGN_LEVELS,
        Pass::ASK_THREADS,
        Pass::UNITE,
        Pass::UNROLL_WHOLE,
        Pass::TABLES,
        Pass::ELEMENTS,
        Pass::REACH,
        Pass::UNREAD,
        Pass::HOLD,
        Pass::COLLAPSE,
        Pass::UPDATES,
        Pass::new(
            "copies",
            "update copies of histograms, one for each gang",
            |module, env: &mut Env<'_, PtxTarget>| {
                env.report.decisions.extend(copies::run(module, &env.target.options));
                Ok(())
            },
        )
        .when(|target: &PtxTarget| target.options.shared_atomics),
        Pass::REDUCTIONS,
        Pass::MAP_VARS,
        Pass::new("scans", "let lanes tell each other what they add", |module, _| {
            scans::run(module);
            Ok(())
        }),
        Pass::PARTITION,
        Pass::EXPAND,
        Pass::FOLD,
        Pass::DCE,
        Pass::SIMPLIFY_CFG,
        Pass::CONTRACT.when(|target| target.options.arithmetic.contracts),
        Pass::new(
            "neuter",
            "execute single mode once, tell the other threads",
            |module, env: &mut Env<'_, PtxTarget>| {
                let library = env.target.library;
                let offers = |name: &str| library.source_of(name).is_some();
                env.report.decisions.extend(neuter::run(module, env.explains, &offers));
                Ok(())
            },
        ),
        Pass::new("surplus", "let threads that are none of a team come to where it meets", |module, _| {
            surplus::run(module);
            Ok(())
        }),
        Pass::new("stack", "give arrays of variable length a part of the frame", |module, _| {
            alloca::run(module);
            Ok(())
        })
        .when(|target: &PtxTarget| !target.options.keep_undefined),
        Pass::new("scalarize", "take complex numbers and 128-bit integers apart", |module, _| {
            scalarize::run(module);
            Ok(())
        }),
        Pass::new("printf", "put widths and precisions that are arguments into formats", |module, _| {
            printf::run(module);
            Ok(())
        }),
        Pass::new("once", "leave shared loops after the only iteration of a thread", |module, _| {
            once::run(module);
            Ok(())
        }),
        Pass::new("carry", "carry quotients of counters from iteration to iteration", |module, _| {
            carry::run(module);
            Ok(())
        }),
        Pass::new(
            "narrow",
            "divide without signs what has none, in 32 bits what has no more",
            |module, _| {
                narrow::run(module);
                Ok(())
            },
        ),
        Pass::new("angles", "compute sine and cosine of one angle at once", |module, _| {
            angles::run(module);
            Ok(())
        }),
        Pass::new(link_library::NAME, "bring in what is called of the device's library", link_library::run),
        Pass::new("inline", "put functions where they are called, make locals of objects", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| inline::run(module, reached))
        }),
        Pass::new("few", "write out what each lane has few iterations of", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| {
                unroll::write_out(module, &reached);
                Ok(reached)
            })
        }),
        Pass::new("define", "give a value to what some path reads before it writes", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, options| {
                define::run(module, &reached, options);
                Ok(reached)
            })
        }),
        choosing("choose", "compute both ways of short branches, and choose"),
        Pass::new("addresses", "step from address to address by the terms of subscripts", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| {
                addresses::run(module, &reached);
                Ok(reached)
            })
        }),
        Pass::new("share", "compute and load once what is computed or loaded again", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| {
                share::run(module, &reached);
                Ok(reached)
            })
        }),
        Pass::new(
            "lift",
            "compute in front of loops and branches what is computed again behind",
            |module, env| {
                knowing_what_is_reached(module, env, |module, reached, _| {
                    lift::run(module, &reached, Which::Rare);
                    Ok(reached)
                })
            },
        ),
        Pass::new("ahead", "load in front of a loop what each iteration would load", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| {
                let tame = Tame::new(module, &reached);
                ahead::run_on(module, reached.with_code(), &|func| tame.is_quiet(func));
                Ok(reached)
            })
        }),
        Pass::new("quotients", "divide once for all iterations that divide the same", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| {
                lift::run(module, &reached, Which::Dear);
                Ok(reached)
            })
        }),
        Pass::new("late", "store behind the loads that follow", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| {
                late::run(module, &reached);
                Ok(reached)
            })
        }),
        Pass::new("unroll", "do several iterations of short loops at once", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| {
                unroll::run(module, &reached);
                Ok(reached)
            })
        }),
        Pass::new("reload", "load in each iteration what would take too many registers", |module, _| {
            reload::run(module);
            Ok(())
        }),
        Pass::new("conditions", "decide at once what two tests in a row decide", |module, _| {
            conditions::run(module);
            Ok(())
        })
        // What the second test alone looks at may have no value.
        .when(|target: &PtxTarget| !target.options.keep_undefined),
        choosing("choose-rest", "choose what other passes have left to branches"),
        Pass::new("align", "ask once whether elements side by side are aligned", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| {
                align::run(module, &reached);
                Ok(reached)
            })
        }),
        Pass::new("barriers", "drop barriers that keep no accesses in order", |module, env| {
            knowing_what_is_reached(module, env, |module, reached, _| {
                barriers::run(module, &reached);
                Ok(reached)
            })
        }),
        Pass::new("ends", "drop barriers that nothing follows", |module, _| {
            ends::run(module);
            Ok(())
        }),
    ];
}

/// Short branches of what the device executes become choices. What is not chosen may have no value.
const fn choosing(name: &'static str, about: &'static str) -> Pass<PtxTarget> {
    Pass::new(name, about, |module, _| {
        crate::partitioned_bodies(module).for_each(|body| choose::rewrite(body, Machine::Gpu));
        Ok(())
    })
    .when(|target: &PtxTarget| !target.options.keep_undefined)
}

/// Runs a pass over a linked program that needs to know what the device executes of it, and says what that is
/// afterwards.
fn knowing_what_is_reached(
    module: &mut Module,
    env: &mut Env<'_, PtxTarget>,
    pass: impl FnOnce(&mut Module, Reached, &Options) -> Result<Reached, EmitError>,
) -> Result<(), PassError> {
    let reached = env.target.take_reached(module)?;
    env.target.reached = Some(pass(module, reached, &env.target.options)?);
    Ok(())
}

impl From<EmitError> for PassError {
    /// What a pass found that has no form in PTX.
    fn from(error: EmitError) -> PassError {
        let EmitError { function, pos, message } = error;
        PassError { pass: "", fault: Fault::Limit, function: function.into(), pos, message }
    }
}
