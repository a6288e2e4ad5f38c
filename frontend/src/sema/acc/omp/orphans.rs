//! `parallel` in a function that devices execute: who calls it decides how many threads there are.
//!
//! One thread of a gang calls the function in front of its loops, or in its own ones over gangs: the others
//! come, too, and share what the `parallel` is. In a loop that they share already, from the host and through
//! a pointer, the function has one thread. The front end writes the first form, with the levels inside of a
//! gang; the pass `orphans` makes the other one of it where nobody can come.
//!
//! What `if` and `num_threads` say is known where the construct is executed only, when the threads are there:
//! if they are too many, one executes the statement, which stands there a second time.

use super::super::build::Wanted;
use super::super::clauses;
use super::super::levels::bits;
use super::super::target_region::{TargetRegion, Team};
use super::code::{block, if_else};
use super::nest::levels_of;
use crate::ast;
use crate::directive::{ClauseKind, Directive, IfOf, OmpKind, Parts};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// What clauses say of the threads of a `parallel`.
#[derive(Default)]
struct Bounds {
    /// One thread, in any case.
    is_one: bool,
    /// Whether the threads of the gang may execute it, an `int` that is known at run time.
    holds: Option<Expr>,
    /// The number in `num_threads`, if it is a constant.
    most: Option<Expr>,
}

impl Sema<'_> {
    /// A `parallel` construct in a function that devices execute.
    pub(super) fn omp_orphan(&mut self, directive: &Directive, kind: OmpKind, statement: &ast::Stmt) -> Stmt {
        let made = self.orphan_of_team(directive, kind, statement);
        match directive.parts.has(Parts::DISTRIBUTE) {
            true => self.on_first_team(made, directive.span),
            false => made,
        }
    }

    fn orphan_of_team(&mut self, directive: &Directive, kind: OmpKind, statement: &ast::Stmt) -> Stmt {
        self.acc.has_orphans = true;
        let outside = self.vars.len();
        let bounds = self.bounds_of_orphan(directive);
        if bounds.is_one {
            return self.orphan_in(TargetRegion::of_function(outside), directive, kind, statement);
        }
        let (team, taken, most_threads) = (Team::Initial, bits::GANG, bounds.most);
        let region = TargetRegion { team, taken, most_threads, ..TargetRegion::of_function(outside) };
        let shared = self.orphan_in(region, directive, kind, statement);
        let is_shared = levels_of(&shared) != 0 && self.session.errors() == 0;
        let Some(holds) = bounds.holds.filter(|_| is_shared) else { return shared };
        let said = std::mem::take(&mut self.session.sink);
        let region = TargetRegion::of_function(outside);
        let alone = self.second_version(|sema| sema.orphan_in(region, directive, kind, statement));
        // What is true of both has been said.
        let again = std::mem::replace(&mut self.session.sink, said);
        match alone {
            Some(alone) => if_else(holds, shared, alone),
            None => {
                self.session.sink.append(again);
                shared
            }
        }
    }

    /// The construct, with such threads around.
    fn orphan_in(
        &mut self,
        region: TargetRegion,
        directive: &Directive,
        kind: OmpKind,
        statement: &ast::Stmt,
    ) -> Stmt {
        let outer = self.acc.target_region.replace(region);
        let made = self.omp_in_target(directive, kind, statement);
        let region = std::mem::replace(&mut self.acc.target_region, outer);
        let Some(size) = region.and_then(|region| region.team_size) else { return made };
        let threads = self.threads_of_team(directive.span);
        let declared = self.initialised(size, threads);
        block(vec![declared, made], directive.span)
    }

    fn bounds_of_orphan(&mut self, directive: &Directive) -> Bounds {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let mut bounds = Bounds::default();
        for clause in selected {
            let holds = match &clause.kind {
                ClauseKind::NumThreads(threads) => {
                    let Some(most) = self.int_argument("num_threads", threads, Wanted::Positive) else {
                        continue;
                    };
                    let known = self.const_int(&most);
                    bounds.is_one |= known == Some(1);
                    bounds.most = known.map(|_| most.clone());
                    let threads = self.threads_of_team(clause.span);
                    self.op(BinaryOp::Ge, most, threads)
                }
                ClauseKind::If(condition) | ClauseKind::IfOf(IfOf::Parallel, condition) => {
                    let Some(condition) = self.condition_argument("if", condition) else { continue };
                    let zero = self.int(0, clause.span);
                    match self.const_int(&condition) {
                        Some(value) => {
                            bounds.is_one |= value == 0;
                            continue;
                        }
                        None => self.op(BinaryOp::Ne, condition, zero),
                    }
                }
                _ => continue,
            };
            bounds.holds = Some(match bounds.holds.take() {
                Some(others) => self.op(BinaryOp::LogAnd, others, holds),
                None => holds,
            });
        }
        bounds
    }

    /// How many threads a gang has.
    fn threads_of_team(&mut self, span: Span) -> Expr {
        let (workers, lanes) = self.threads_of_gang(span);
        let ty = lanes.ty;
        Expr { kind: ExprKind::Binary(BinaryOp::Mul, workers, lanes), ty, span }
    }
}
