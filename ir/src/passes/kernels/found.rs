//! What is known about loops, for what makes them parallel and what says so.

use super::counted::Count;
use super::located::Located;
use super::versions::Test;
use crate::acc::{LoopDirective, LoopKind, ReductionClause, ReductionOp};
use crate::analysis::depend::{Hindrance, Row};
use crate::analysis::sums::{Kind, Name};
use crate::analysis::survey::{Survey, Touch};
use crate::entities::{Local, Loop, Slot};
use crate::function::Body;
use crate::op::Operand;
use rustc_hash::FxHashMap;

/// Why a loop is sequential.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// What the analysis of dependences says.
    Hindrance(Hindrance),
    /// The number of iterations is not known before it.
    Uncounted,
    /// It writes an object that belongs to the region.
    OfRegion(Slot),
    /// Its iterations accumulate floating-point numbers, whose order is to be kept.
    StrictFp(Accumulator, ReductionOp),
}

/// What iterations accumulate in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accumulator {
    /// A scalar.
    Local(Local),
    /// What an access, by its place in [`Survey::touches`], is to.
    Element(usize),
}

/// A scalar in which iterations accumulate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    /// The scalar.
    pub local: Local,
    /// The operator.
    pub op: ReductionOp,
    /// Of integers with a sign.
    pub signed: bool,
}

/// The scalars in which the iterations of a loop accumulate, where some store what they have come to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scans {
    /// All of them, those that nobody stores included.
    pub sums: Vec<Sum>,
    /// Those whose values are stored.
    pub stored: Vec<Local>,
    /// Those whose last values are used behind the loop.
    pub lasts: Vec<Local>,
    /// The number of iterations, if that is a constant.
    pub trip: Option<i64>,
    /// A loop around is parallel, each iteration of which executes all of this one: nothing is divided.
    pub is_row: bool,
}

/// An array that each iteration writes before it reads it, so that each can have one for itself.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PrivateArray {
    /// The slot or global.
    pub var: Operand,
    /// An access of the loop that writes it.
    pub write: usize,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its alignment in bytes.
    pub align: u32,
    /// What the last iteration leaves in it is read behind the loop.
    pub is_kept: bool,
}

/// Why an array that iterations overwrite is not private.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shared {
    /// This access may read an element that the iteration has not written.
    Read(usize),
    /// It is read behind the loop, and the last iteration may not write all that others do; an access that
    /// writes it.
    Kept(usize),
    /// Copies for all iterations that run at once would be too large; an access that writes it.
    Large(usize),
}

/// What is known about a loop.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The loop.
    pub loop_: Loop,
    /// Why its iterations cannot run at once; `None`: they can, if the pairs in `apart` do not overlap, and
    /// the accesses in `rows` stay within their rows.
    pub reason: Option<Reason>,
    /// Pairs of accesses whose places in memory must not overlap.
    pub apart: Vec<(usize, usize)>,
    /// Accesses that must not leave their rows.
    pub rows: Vec<Row>,
    /// The survey makes assumptions about numbers ([`Survey::assumed`]).
    pub assumes: bool,
    /// What is to be tested of these.
    pub tests: Vec<Test>,
    /// Scalars in which iterations accumulate.
    pub sums: Vec<Sum>,
    /// Clauses of loops inside that hold for the loop, too.
    pub inherited: Vec<ReductionClause>,
    /// Accesses by which iterations accumulate onto elements of memory, with the operator.
    pub updates: Vec<(usize, ReductionOp)>,
    /// Scalars that each iteration sets for itself.
    pub private: Vec<Local>,
    /// Scalars that one iteration decides, by the conditions that do.
    pub located: Vec<Located>,
    /// Scalars in which iterations accumulate and that some store. As long as scans are the reason against
    /// the loop, it is not decided whether it is executed in parts.
    pub scans: Option<Scans>,
    /// Arrays that each iteration has for itself.
    pub arrays: Vec<PrivateArray>,
    /// Why arrays that iterations overwrite are not among them.
    pub shared: Vec<Shared>,
    /// Those and counters whose value from the last iteration is used behind the loop.
    pub lasts: Vec<Local>,
    /// Scalars that only some iterations of a loop set that the programmer calls independent, always before
    /// they read them, and whose value is used behind it.
    pub set_at_times: Vec<Local>,
    /// How to make a counted loop of it, if it is none.
    pub count: Option<Count>,
}

impl Finding {
    /// Whether something has to hold for the loop to be parallel that is known when it is reached.
    pub fn has_condition(&self) -> bool {
        !self.apart.is_empty() || !self.rows.is_empty() || self.assumes
    }

    /// Whether code behind the loop reads what its last iteration leaves.
    pub fn keeps_last(&self) -> bool {
        !self.lasts.is_empty() || !self.located.is_empty() || self.arrays.iter().any(|array| array.is_kept)
    }
}

/// The loops of a nest, outer loops before inner ones.
#[derive(Debug)]
pub struct Findings {
    /// What the accesses are.
    pub survey: Survey,
    /// One for each loop that is of interest.
    pub list: Vec<Finding>,
}

/// The object that an access is to, if it is to one for certain.
pub fn object_of(survey: &Survey, touch: &Touch) -> Option<Operand> {
    match survey.atoms.data(touch.root?).kind {
        Kind::Object(Name::Slot(slot)) => Some(Operand::Slot(slot)),
        Kind::Object(Name::Global(global)) => Some(Operand::Global(global)),
        _ => None,
    }
}

/// Whether the programmer's word counts: the levels of a loop are named, and nothing is known to the
/// contrary.
pub fn is_believed(directive: &LoopDirective, finding: &Finding) -> bool {
    let is_open = match &finding.reason {
        None => true,
        Some(Reason::Hindrance(hindrance)) => is_unknown(hindrance),
        Some(Reason::Uncounted | Reason::OfRegion(_) | Reason::StrictFp(..)) => false,
    };
    let names_levels = !directive.named_levels().is_empty();
    is_open && finding.updates.is_empty() && names_levels && directive.kind == LoopKind::Default
}

/// Whether a hindrance is something that is not known, rather than a dependence.
pub fn is_unknown(hindrance: &Hindrance) -> bool {
    matches!(hindrance, Hindrance::Subscript(..) | Hindrance::Alias(..) | Hindrance::Size)
}

/// Whether it is left to the analysis if a loop is parallel.
pub fn is_open(body: &Body, loop_: Loop, in_kernels: bool) -> bool {
    match &body.loops[loop_].directive {
        Some(directive) if in_kernels => !is_settled(directive),
        Some(directive) => directive.kind == LoopKind::Auto,
        None => in_kernels && body.associated(loop_).is_none(),
    }
}

/// Whether the programmer has said that a loop's iterations are independent, or are not to run at once.
pub fn is_settled(directive: &LoopDirective) -> bool {
    matches!(directive.kind, LoopKind::Seq | LoopKind::Independent)
}

/// What the analysis says of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    /// Independent.
    Parallel,
    /// Not independent for certain.
    Refuted,
    /// Neither is known.
    Undecided,
}

/// What the analysis says of the loops that it was asked about.
pub type Judgements = FxHashMap<Loop, Judged>;
