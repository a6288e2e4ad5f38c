//! What the constructs of the host's threads around a statement do with variables: plain data, which
//! [`super::State`] keeps, and which `omp/sharing.rs` fills and asks.

use crate::directive::DefaultKind;
use crate::typed::VarId;
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
}
