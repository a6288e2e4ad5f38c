//! What the constructs of the host's threads around a statement do with variables: plain data, which
//! [`super::State`] keeps, and which `omp/sharing.rs` fills and asks.

use crate::directive::{CancelKind, DefaultKind};
use crate::intern::Symbol;
use crate::source::Span;
use crate::typed::{LabelId, VarId};
use accrue_ir::ConstructKind;
use rustc_hash::FxHashMap;

/// What a clause makes of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attribute {
    /// Every thread sees the variable itself.
    Shared,
    /// A copy without a value.
    Private,
    /// A copy with the value from outside.
    FirstPrivate,
}

/// A construct around the statement being analysed, and what it does with variables.
pub(crate) struct Sharing {
    /// A team, a task, or none of them: a construct within a team.
    pub kind: Option<ConstructKind>,
    /// How many variables there were at its start: those with higher numbers are declared inside.
    pub outside: usize,
    /// What clauses say.
    pub attributes: FxHashMap<VarId, Attribute>,
    /// `default`.
    pub default: Option<DefaultKind>,
    /// Of a loop with `ordered`: the number of the running iteration, and whether its block was executed.
    pub ordered: Option<(VarId, VarId)>,
    /// Of a loop with `ordered(n)`.
    pub doacross: Option<Doacross>,
    /// It is a `teams`.
    pub is_league: bool,
    /// If it can be cancelled.
    pub cancel: Option<Cancellable>,
}

/// A construct that can be cancelled.
#[derive(Clone, Copy)]
pub(crate) struct Cancellable {
    pub kind: CancelKind,
    /// The name of its directive, by which its statement is known.
    pub place: Span,
    /// Its end, if something in it goes there.
    pub end: Option<LabelId>,
}

/// A nest of loops whose iterations wait for single ones: the variables by which its body knows it.
pub(crate) struct Doacross {
    /// The names of the loops' variables, outermost first.
    pub names: Vec<Option<Symbol>>,
    /// The loops, outermost first.
    pub loops: Vec<DoacrossLoop>,
    /// The number of the running iteration among all of the nest.
    pub current: VarId,
    /// What the body waits for.
    pub sinks: Vec<Sink>,
}

/// A loop of such a nest.
#[derive(Clone, Copy)]
pub(crate) struct DoacrossLoop {
    /// The number of its running iteration.
    pub number: VarId,
    /// How often it iterates.
    pub trip: VarId,
    /// Its step.
    pub step: VarId,
    /// Iterations of the nest in one of its iterations.
    pub stride: VarId,
}

/// An iteration that is waited for: how far away it is by the variables of the loops.
pub(crate) struct Sink {
    pub offsets: Vec<i128>,
    pub span: Span,
}
