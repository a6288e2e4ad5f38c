//! What is said to the user after the front end: warnings, decisions for `accrue explain`, limits, and errors
//! of passes.

use crate::acc::ReductionOp;
use crate::op::Pos;
use std::fmt;
use std::sync::Arc;

/// Ids of warnings that are given in several places.
pub mod ids {
    /// A clause has no effect.
    pub const CLAUSE_IGNORED: &str = "clause-ignored";
    /// A pointer that no clause names gets a section, or none can be found.
    pub const IMPLICIT_SECTION: &str = "implicit-section";
    /// A directive says that the iterations of a loop are independent, and they are not.
    pub const INDEPENDENT_REFUTED: &str = "independent-refuted";
    /// Every gang executes a loop that is left sequential, and writes what they share.
    pub const REDUNDANT_GANG_LOOP: &str = "redundant-gang-loop";
    /// One thread executes a `parallel` of a function that the threads of a gang could share. The front end
    /// finds others.
    pub const ONE_THREAD: &str = "omp-one-thread";
    /// A routine uses a variable that is not on the device. The front end finds variables that are never
    /// there.
    pub const ROUTINE_VARIABLE: &str = "routine-variable";
}

/// The topics of decisions. `docs/explain.md` describes them for users.
pub mod topics {
    /// Whether a loop may run in parallel.
    pub const LOOP: &str = "loop";
    /// Which levels share a loop.
    pub const LEVEL: &str = "level";
    /// How dependences of tasks are kept.
    pub const TASK: &str = "task";
    /// Launch dimensions.
    pub const LAUNCH: &str = "launch";
    /// A clause that is not followed to the letter.
    pub const CLAUSE: &str = "clause";
    /// What data clauses move, and attributes that no clause gives.
    pub const DATA: &str = "data";
    /// A function that becomes code for the device though no directive says so.
    pub const ROUTINE: &str = "routine";
    /// How the results of threads become one.
    pub const REDUCTION: &str = "reduction";
    /// Atomic updates that are made in another way than one by one.
    pub const ATOMIC: &str = "atomic";
    /// What one thread executes for all.
    pub const LEADER: &str = "leader";
    /// What all threads execute alike.
    pub const REDUNDANT: &str = "redundant";
    /// What the threads that waited are told.
    pub const BROADCAST: &str = "broadcast";
}

/// What the compiler decided about a loop or construct, for `accrue explain`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The directive or loop.
    pub pos: Pos,
    /// The function, or the region's parent.
    pub function: Arc<str>,
    /// What it is about, a word that programs may look for: one of [`topics`].
    pub topic: &'static str,
    /// What, and why.
    pub text: String,
}

/// Whether a loop is parallel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Its iterations are independent.
    Parallel,
    /// They are if a condition holds, which is tested at run time.
    Versioned,
    /// They are not, or may not be.
    Sequential,
}

impl Outcome {
    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Parallel => "parallel",
            Outcome::Versioned => "versioned",
            Outcome::Sequential => "sequential",
        }
    }
}

/// What the analysis of dependences found out about a loop, for `accrue explain`: a decision of the topic
/// [`topics::LOOP`] with its parts (`docs/kernels.md` describes them for users).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopVerdict {
    /// The loop.
    pub pos: Pos,
    /// The function, or the region's parent.
    pub function: Arc<str>,
    /// Whether it is parallel.
    pub outcome: Outcome,
    /// Why it is not: a word that programs may look for.
    pub reason: Option<&'static str>,
    /// The access that comes first, or what stands in the way.
    pub from: Option<Pos>,
    /// The access that depends on it.
    pub to: Option<Pos>,
    /// How many iterations are from one to the other.
    pub distance: Option<i64>,
    /// What is tested at run time.
    pub condition: Option<String>,
    /// Scalars that each iteration has for itself.
    pub private: Vec<Arc<str>>,
    /// Scalars that keep the value of the last iteration.
    pub last: Vec<Arc<str>>,
    /// Variables in which iterations accumulate.
    pub reductions: Vec<(ReductionOp, Arc<str>)>,
    /// Variables in which iterations accumulate, and whose values in between they use.
    pub scans: Vec<(ReductionOp, Arc<str>)>,
    /// All of it in words.
    pub text: String,
}

/// Something that the program asks for and does not get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Stable kebab-case id, for `-W` options.
    pub id: &'static str,
    /// The clause.
    pub pos: Pos,
    /// The function, or the region's parent.
    pub function: Arc<str>,
    /// One short sentence, lower case, without a full stop.
    pub message: String,
    /// What to write instead.
    pub notes: Vec<String>,
}

/// What passes have to say besides the IR.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// In order of functions.
    pub warnings: Vec<Warning>,
    /// Objects that the program takes for one, and of which a device with memory of its own has another: an
    /// error there.
    pub divided: Vec<Warning>,
    /// In order of passes, and of functions and loops within a pass.
    pub decisions: Vec<Decision>,
    /// In order of functions, outer loops before inner ones.
    pub loops: Vec<LoopVerdict>,
}

impl Report {
    /// Leaves one of warnings that say the same of one place.
    pub fn warn_once(&mut self) {
        for warnings in [&mut self.warnings, &mut self.divided] {
            let all = std::mem::take(warnings);
            for warning in all {
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
            }
        }
    }
}

/// Something that the program asks for, that is known not to be supported, and that a hook of a target found:
/// the pass that called the hook makes a [`PassError`] of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Where.
    pub pos: Pos,
    /// What is not supported.
    pub message: String,
}

/// Why a pass gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The IR breaks the rules: a defect of this compiler.
    Defect,
    /// The program asks for something that is known not to be supported.
    Limit,
}

/// A pass could not do its work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassError {
    /// The pass.
    pub pass: &'static str,
    /// Whose fault it is.
    pub fault: Fault,
    /// The function it was working on.
    pub function: Arc<str>,
    /// Where.
    pub pos: Pos,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for PassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pass `{}`, function `{}`: {}", self.pass, self.function, self.message)
    }
}

impl std::error::Error for PassError {}
