//! What is known of a `target` construct of OpenMP while its statement is analysed.

use crate::source::Span;
use crate::typed::{Expr, ReductionItem, VarId};
use accrue_ir::ThreadBound;

/// A bound of the number of threads of a team.
pub(super) struct Limit {
    /// The clause that it comes from.
    pub(super) clause: ThreadBound,
    /// An `int`.
    pub(super) bound: Expr,
}

/// The `target` construct around the statement being analysed.
pub(crate) struct TargetRegion {
    /// The number of variables there were at its start: those from here on are its own.
    pub(super) outside: usize,
    /// The levels that constructs around the statement use.
    pub(super) taken: u8,
    /// `teams` is around it.
    pub(super) teams: bool,
    /// `teams` is the statement of the construct.
    pub(super) sole_teams: bool,
    /// The threads that execute the statement.
    pub(super) team: Team,
    /// How many `parallel` constructs are around it.
    pub(super) nested: u8,
    /// The `parallel` around the statement that has one thread because its statement is more than loops,
    /// until somebody has been told.
    pub(super) alone: Option<Span>,
    /// The innermost `parallel` around it is shared by threads.
    pub(super) shared_loop: bool,
    /// So is some `parallel` around it.
    pub(super) in_parallel: bool,
    /// A construct that one thread at a time executes is in the innermost loop analysed so far.
    pub(super) exclusive: bool,
    /// Arguments of `num_teams`.
    pub(super) num_teams: Option<Expr>,
    /// Bounds of the number of threads of a team.
    pub(super) limits: Vec<Limit>,
    /// What variables that are both `firstprivate` and `lastprivate` begin with: the host's copies.
    pub(super) first_values: Vec<(VarId, VarId)>,
    /// `reduction` of a `teams` construct of its own.
    pub(super) reductions: Vec<ReductionItem>,
    /// Arrays of variable length in `private` of the construct itself.
    pub(super) private_arrays: Vec<VarId>,
    /// Such arrays in `firstprivate` of it.
    pub(super) first_arrays: Vec<VarId>,
    /// Variables in `detach` of tasks, which have been executed.
    pub(super) events: Vec<VarId>,
    /// What teams reduce starts from the original, or there is a `critical`, which holds for all teams of gcc
    /// and clang: there is one team.
    pub(super) one_team: bool,
    /// It is no launch, but a statement of code that a device executes in any case.
    pub(super) in_place: bool,
    /// It is no construct, but a function that devices execute: nobody knows what is around a call.
    pub(super) in_function: bool,
    /// In a function, the most threads that share a loop: a constant that `num_threads` says.
    pub(super) most_threads: Option<Expr>,
    /// The number of variables there were where the innermost `parallel` began.
    pub(super) team_outside: Option<usize>,
    /// Variables of which constructs in that `parallel` have copies.
    pub(super) own: Vec<VarId>,
    /// Variables of which each team has a copy, as clauses of `teams` say.
    pub(super) of_teams: Vec<VarId>,
    /// The innermost team of all threads of the gang.
    pub(super) gang_team: Option<GangTeam>,
    /// How many threads such teams have, if there are any.
    pub(super) team_size: Option<VarId>,
    /// Variables of the gang through which a thread of the innermost one gives values to the others.
    pub(super) given: Vec<VarId>,
}

/// A team of all threads of a gang: variables with the number of the thread and with that of all threads,
/// both
/// `int`.
#[derive(Clone, Copy, Debug)]
pub(super) struct GangTeam {
    pub(super) number: VarId,
    pub(super) size: VarId,
}

impl TargetRegion {
    /// Bounds the number of threads of a team.
    pub(super) fn bound(&mut self, clause: ThreadBound, bound: Option<Expr>) {
        self.limits.extend(bound.map(|bound| Limit { clause, bound }));
    }

    pub(super) fn new(outside: usize, teams: bool, sole_teams: bool) -> TargetRegion {
        TargetRegion {
            outside,
            taken: 0,
            teams,
            sole_teams,
            team: Team::Initial,
            nested: 0,
            alone: None,
            shared_loop: false,
            in_parallel: false,
            exclusive: false,
            num_teams: None,
            limits: Vec::new(),
            first_values: Vec::new(),
            reductions: Vec::new(),
            private_arrays: Vec::new(),
            first_arrays: Vec::new(),
            events: Vec::new(),
            one_team: false,
            in_place: false,
            in_function: false,
            most_threads: None,
            team_outside: None,
            own: Vec::new(),
            of_teams: Vec::new(),
            gang_team: None,
            team_size: None,
            given: Vec::new(),
        }
    }

    /// Whether all threads of the innermost team have a variable in common: what a task shares that does not
    /// name the variable.
    pub(super) fn is_shared_by_team(&self, var: VarId) -> bool {
        self.team_outside.is_some_and(|outside| (var.0 as usize) < outside) && !self.own.contains(&var)
    }

    /// Whether a `parallel` may have several threads here.
    pub(super) fn team_is_free(&self) -> bool {
        matches!(self.team, Team::Initial)
    }

    /// Whether a `parallel` here is the outermost of a function, whose clauses have been looked at.
    pub(super) fn is_orphan(&self) -> bool {
        self.in_function && self.team_is_free()
    }

    /// What surrounds a statement of a function that devices execute: one thread, whose loops nobody shares.
    pub(super) fn of_function(outside: usize) -> TargetRegion {
        let region = TargetRegion::new(outside, false, false);
        TargetRegion { team: Team::One, taken: u8::MAX, in_function: true, ..region }
    }
}

/// The threads that execute a statement of a `target` construct.
#[derive(Clone, Debug, Default)]
pub(super) enum Team {
    /// The initial thread: no `parallel` is around.
    #[default]
    Initial,
    /// Those of a `parallel` whose statement is loops, which have its clauses.
    Threads(Box<TeamClauses>),
    /// All of the gang, each of which executes the statement: [`TargetRegion::gang_team`].
    Gang,
    /// One thread of its own.
    One,
}

/// Clauses of a `parallel` that its loops have.
#[derive(Clone, Debug, Default)]
pub(super) struct TeamClauses {
    pub(super) private: Vec<VarId>,
    pub(super) first: Vec<VarId>,
    pub(super) reductions: Vec<ReductionItem>,
}
