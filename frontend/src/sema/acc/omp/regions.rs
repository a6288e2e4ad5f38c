//! What a directive of OpenMP is for the rules about nesting, and whether it keeps them.

use super::super::ids;
use super::loops::bound_to;
use super::nesting::{Region, Role, fault};
use crate::diag::Diagnostic;
use crate::directive::{BindKind, ClauseKind, Directive, OmpKind, Parts, takes_statement};
use crate::sema::Sema;

impl Sema<'_> {
    /// Analyses a construct of OpenMP by `analyse`, for which it is around what that analyses.
    pub(in super::super) fn nested_omp<T>(
        &mut self,
        directive: &Directive,
        kind: OmpKind,
        analyse: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outside = self.acc.regions.len();
        let regions = self.regions_of(directive, kind);
        self.check_nesting(directive, &regions);
        if takes_statement(&directive.kind) {
            self.acc.regions.extend(regions);
        }
        let analysed = analyse(self);
        self.acc.regions.truncate(outside);
        analysed
    }

    /// Says if a directive must not stand where it does.
    fn check_nesting(&mut self, directive: &Directive, regions: &[Region]) {
        let Some(first) = regions.first() else { return };
        let Some((around, why)) = fault(first, &self.acc.regions) else { return };
        let message = match (first.role, around.role) {
            (Role::Critical, Role::Critical) => "`omp critical` inside of one of the same name".to_owned(),
            _ => format!("`{}` inside of `{}`", directive.kind.name(), around.name),
        };
        let diagnostic = Diagnostic::error(ids::CONSTRUCT_NESTING, directive.name_span, message)
            .related(around.place, "the construct around it")
            .note(why);
        self.emit(diagnostic);
    }

    /// What a directive is for the rules, from outer to inner; nothing if there are none about it.
    fn regions_of(&self, directive: &Directive, kind: OmpKind) -> Vec<Region> {
        let parts = directive.parts;
        let roles = match kind {
            OmpKind::Target
            | OmpKind::TargetTeamsLoop(_)
            | OmpKind::Parallel
            | OmpKind::Combined(_)
            | OmpKind::Master => self.roles_of_parts(directive),
            OmpKind::Task => vec![Role::Tasks],
            OmpKind::Single => vec![Role::Worksharing],
            OmpKind::Scope => vec![Role::Scope],
            OmpKind::Critical => vec![Role::Critical],
            OmpKind::Ordered if parts.has(Parts::SIMD) => vec![Role::OrderedSimd],
            OmpKind::Ordered => vec![Role::Ordered],
            OmpKind::Barrier => vec![Role::Barrier],
            OmpKind::Taskgroup
            | OmpKind::TargetData
            | OmpKind::TargetEnterData
            | OmpKind::TargetExitData
            | OmpKind::TargetUpdate
            | OmpKind::Taskwait
            | OmpKind::Taskyield
            | OmpKind::Doacross
            | OmpKind::Cancel(_)
            | OmpKind::CancellationPoint(_)
            | OmpKind::Depobj => vec![Role::Other],
            OmpKind::Section
            | OmpKind::Dispatch
            | OmpKind::Flush
            | OmpKind::DeclareTarget
            | OmpKind::EndDeclareTarget
            | OmpKind::Requires
            | OmpKind::Threadprivate
            | OmpKind::DeclareReduction
            | OmpKind::DeclareMapper
            | OmpKind::DeclareSimd
            | OmpKind::Allocate
            | OmpKind::LoopTransformation(_)
            | OmpKind::Scan
            | OmpKind::Nothing
            | OmpKind::Error
            | OmpKind::Assume
            | OmpKind::Assumes
            | OmpKind::Unsupported => Vec::new(),
        };
        let lock = directive.clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Names(names) if kind == OmpKind::Critical => names.first().map(|name| name.sym),
            _ => None,
        });
        let concurrent = parts.has(Parts::LOOP)
            || directive.clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Order { .. }));
        let (name, place) = (directive.kind.name(), directive.name_span);
        roles.into_iter().map(|role| Region { role, concurrent, lock, name, place }).collect()
    }

    /// The constructs that the name of a directive combines.
    fn roles_of_parts(&self, directive: &Directive) -> Vec<Role> {
        let of_loop = if self.loop_is_shared(directive) { Role::SharedLoop } else { Role::Loop };
        let roles = [
            (Parts::TARGET, Role::Target),
            (Parts::TEAMS, Role::Teams),
            (Parts::DISTRIBUTE, Role::Distribute),
            (Parts::PARALLEL, Role::Parallel),
            (Parts::MASKED, Role::Masked),
            (Parts::FOR.with(Parts::SECTIONS), Role::Worksharing),
            (Parts::TASKLOOP, Role::Tasks),
            (Parts::LOOP, of_loop),
            (Parts::SIMD, Role::Simd),
        ];
        roles.into_iter().filter(|&(part, _)| directive.parts.has(part)).map(|(_, role)| role).collect()
    }

    /// Whether the threads of a team share the iterations of a `loop`. Inside of another `loop`, the thread
    /// that has the iteration executes all of it. Programs for GPUs write `loop bind(parallel)` in `teams
    /// loop` for the inner level, too.
    pub(super) fn loop_is_shared(&self, directive: &Directive) -> bool {
        let bind = bound_to(&directive.clauses);
        let is_loop = |region: &Region| matches!(region.role, Role::Loop | Role::SharedLoop);
        let own = |region: &&Region| is_loop(region) && region.place == directive.name_span;
        // While it is being analysed, it is around what stands in it.
        if let Some(region) = self.acc.regions.iter().rev().find(own) {
            return region.role == Role::SharedLoop;
        }
        let decides = |region: &&Region| region.begins_team() || is_loop(region);
        let closest = || self.acc.regions.iter().rev().find(decides);
        match bind {
            Some(BindKind::Parallel) => !self.is_in_loop_of_league(),
            Some(BindKind::Teams | BindKind::Thread) => false,
            None => {
                directive.parts.has(Parts::PARALLEL)
                    || closest().is_some_and(|region| region.role == Role::Parallel)
            }
        }
    }

    /// Whether the closest loop is a `loop` whose iterations teams share, without a `parallel` inside.
    fn is_in_loop_of_league(&self) -> bool {
        let mut regions = self.acc.regions.iter().rev();
        let closest = regions.find(|region| region.begins_team() || region.role != Role::Other);
        closest.is_some_and(|region| region.role == Role::Loop)
            && regions.next().is_some_and(|region| region.role == Role::Teams)
    }
}
