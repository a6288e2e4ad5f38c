//! Every diagnostic that users may see, whichever stage reports it: the front end's registry, and what comes
//! after it. Each id is written where the code names it; here it gets its meaning.

use accrue_frontend::diag::{Id, Level, ids as frontend_ids};
use accrue_ir::passes::ids;
use accrue_ptx_emit::{OUTDATED, dims};
use accrue_ptx_sim::Kind;
use accrue_runtime::finding;
use std::borrow::Cow;

/// Id of what a device cannot do.
pub const DEVICE_UNSUPPORTED: &str = "device-unsupported";
/// Id of what the host's expansion cannot do.
pub const HOST_UNSUPPORTED: &str = "host-unsupported";
/// Id of a name behind `-W` that does nothing.
pub const UNKNOWN_WARNING_OPTION: &str = "unknown-warning-option";

/// When a diagnostic is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// While the program is compiled; `-W` options concern its warnings.
    Compiler,
    /// While the program runs: in the simulator, or where its loops are judged.
    Run,
}

/// What is known of an id.
#[derive(Clone, Debug)]
pub struct Known {
    /// Kebab-case.
    pub name: Cow<'static, str>,
    /// Error or warning.
    pub level: Level,
    /// When it is found.
    pub stage: Stage,
    /// One sentence, lower case, without a full stop.
    pub meaning: &'static str,
    /// A page of Markdown, with a program marked `c wrong` and one marked `c right`.
    pub explanation: Option<&'static str>,
}

/// Ids of the passes and of the command line.
const COMPILER: [Id; 10] = [
    Id {
        name: dims::ids::SIZE_REDUCED,
        level: Level::Warning,
        meaning: "a clause asks for more gangs, workers or lanes than a GPU can have",
        explanation: None,
    },
    Id {
        name: dims::ids::VECTOR_PADDED,
        level: Level::Warning,
        meaning: "a vector length is no multiple of a warp, and is rounded up",
        explanation: None,
    },
    Id {
        name: dims::ids::CLAUSE_IGNORED,
        level: Level::Warning,
        meaning: "a clause has no effect on the device",
        explanation: Some(include_str!("explanations/clause-ignored.md")),
    },
    Id {
        name: ids::INDEPENDENT_REFUTED,
        level: Level::Warning,
        meaning: "a directive says that the iterations of a loop are independent, and they are not",
        explanation: Some(include_str!("explanations/independent-refuted.md")),
    },
    Id {
        name: ids::REDUNDANT_GANG_LOOP,
        level: Level::Warning,
        meaning: "every gang executes a loop that `auto` leaves sequential, and writes what the gangs share",
        explanation: Some(include_str!("explanations/redundant-gang-loop.md")),
    },
    Id {
        name: ids::IMPLICIT_SECTION,
        level: Level::Warning,
        meaning: "a pointer of a construct has no data clause: what accrue maps, or why it cannot (only with `-Wimplicit-section`)",
        explanation: None,
    },
    Id {
        name: DEVICE_UNSUPPORTED,
        level: Level::Error,
        meaning: "code of a construct or routine that accrue cannot compile for a GPU",
        explanation: None,
    },
    Id {
        name: HOST_UNSUPPORTED,
        level: Level::Error,
        meaning: "code that accrue cannot compile for the host",
        explanation: None,
    },
    Id {
        name: OUTDATED,
        level: Level::Warning,
        meaning: "what `accrue run --tune` has measured is not used: a region has changed, or the device is another one",
        explanation: None,
    },
    Id {
        name: UNKNOWN_WARNING_OPTION,
        level: Level::Warning,
        meaning: "a `-W` option names no warning of accrue, GCC or Clang, or one that no option changes",
        explanation: None,
    },
];

/// What is found in a run beside the [`Kind`]s of the simulator.
const RUN: [Id; 2] = [
    Id {
        name: finding::CARRIED_DEPENDENCE,
        level: Level::Error,
        meaning: "a loop that is called parallel carried something from one iteration to another; `accrue check --loops` finds it",
        explanation: None,
    },
    Id {
        name: finding::LOST_RESULT,
        level: Level::Warning,
        meaning: "what a region wrote is freed before anything reads it, and the host goes on with its own values",
        explanation: Some(include_str!("explanations/lost-result.md")),
    },
];

/// All ids, in alphabetical order.
pub fn all() -> Vec<Known> {
    let registered = frontend_ids::ALL.iter().chain(&COMPILER).map(|id| (id, Stage::Compiler));
    let registered = registered.chain(RUN.iter().map(|id| (id, Stage::Run))).map(|(id, stage)| Known {
        name: id.name.into(),
        level: id.level,
        stage,
        meaning: id.meaning,
        explanation: id.explanation,
    });
    let mut all: Vec<Known> = registered.chain(Kind::ALL.iter().map(|&kind| of_simulator(kind))).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn of_simulator(kind: Kind) -> Known {
    let explanation = match kind {
        Kind::Race => Some(include_str!("explanations/data-race.md")),
        Kind::OutOfBounds => Some(include_str!("explanations/out-of-bounds.md")),
        Kind::Uninitialised => Some(include_str!("explanations/uninitialised-value.md")),
        _ => None,
    };
    // A copy of memory that nobody wrote is a warning, unless the value matters.
    let level = if kind == Kind::Uninitialised { Level::Either } else { Level::Error };
    Known { name: kind.id().into(), level, stage: Stage::Run, meaning: kind.meaning(), explanation }
}
