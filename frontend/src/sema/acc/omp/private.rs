//! Private copies of variables within a team: made before the code that uses them, given back behind it.

use super::super::copies::Copies;
use super::super::visit::VisitMut;
use super::code::{declare, if_stmt};
use super::conditional::Conditional;
use super::reduce::Combiners;
use super::sharing::DataClauses;
use crate::ctype::TypeId;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use rustc_hash::FxHashMap;

/// The private copies of a construct.
pub(super) struct Privates {
    /// Declares them, with the values they start with.
    pub before: Vec<Stmt>,
    /// Combines those of reductions with their originals.
    pub after: Vec<Stmt>,
    /// Done behind all by the thread that executes the last iteration or section.
    pub finals: Vec<Stmt>,
    /// What the copies of `linear` variables hold in iteration 0, and their steps.
    linear: Vec<(VarId, VarId, Option<Expr>)>,
    /// `lastprivate(conditional: ...)`, with the number of the running iteration, from 1 on.
    pub conditional: Option<(VarId, Vec<Conditional>)>,
    copies: Copies,
    pub reducing: super::reduce::Reducing,
}

impl Privates {
    /// Lets code work on the copies.
    pub fn rewrite(&mut self, code: &mut Stmt) {
        self.copies.stmt(code);
        self.reducing.rewrite(code);
    }
}

impl Sema<'_> {
    /// The copies that clauses ask for, but for variables that the construct looks after itself. `shared`:
    /// other threads execute the construct, too.
    pub(super) fn privates(
        &mut self,
        data: &DataClauses,
        own: &[VarId],
        shared: bool,
        span: Span,
    ) -> Privates {
        let combining = match (shared, data.reduces_in_tasks) {
            (true, false) => Combiners::Threads,
            (true, true) => Combiners::ThreadsAndTasks,
            (false, _) => Combiners::OneThread,
        };
        let mut out = Privates {
            before: Vec::new(),
            after: Vec::new(),
            finals: Vec::new(),
            linear: Vec::new(),
            conditional: None,
            copies: Copies(FxHashMap::default()),
            reducing: self.reducing(&data.reductions, combining, span),
        };
        let mut reads_what_is_written = false;
        let linear = data.linear.iter().map(|(var, _)| *var);
        let vars: Vec<VarId> = data.private.iter().chain(&data.firstprivate).copied().collect();
        for var in vars.into_iter().chain(data.lastprivate.iter().copied()).chain(linear) {
            if own.contains(&var) || out.copies.0.contains_key(&var) {
                continue;
            }
            let copy = self.copy_of(var);
            out.copies.0.insert(var, copy);
            out.before.push(declare(copy, None, span));
            let (to, from) = (self.var_lvalue(copy, span), self.var_lvalue(var, span));
            let step = data.linear.iter().find(|(linear, _)| *linear == var).map(|(_, step)| step.clone());
            let goes_out = step.is_some() || data.lastprivate.contains(&var);
            let started = data.starts.iter().find(|(started, _)| *started == var).map(|&(_, start)| start);
            if let Some(step) = step {
                let value = match started {
                    Some(start) => self.var_value(start, span),
                    None => self.to_rvalue(from.clone()),
                };
                let (start, declared) = self.fresh(value.ty.ty, Some(value), span);
                out.before.push(declared);
                out.linear.push((copy, start, step));
                reads_what_is_written |= started.is_none();
            } else if let Some(start) = started {
                let start = self.var_lvalue(start, span);
                out.before.push(self.copy_object(to.clone(), start, span));
            } else if data.firstprivate.contains(&var) {
                out.before.push(self.copy_object(to.clone(), from.clone(), span));
                reads_what_is_written |= goes_out;
            }
            if data.conditional.contains(&var) {
                self.watch(&mut out, var, copy, span);
            } else if goes_out {
                out.finals.push(self.copy_object(from, to, span));
            }
        }
        out.before.append(&mut out.reducing.before);
        if (reads_what_is_written || out.reducing.reads_original) && shared {
            // A thread may be through before another one has begun.
            out.before.push(self.barrier(span));
        }
        if data.reduces_in_tasks && shared {
            let (mut enter, mut leave) = self.known_copies(&out.reducing, span);
            out.before.append(&mut enter);
            out.after.push(self.barrier(span));
            out.after.append(&mut leave);
        }
        out.after.append(&mut out.reducing.after);
        out
    }

    /// What an iteration begins with: values of `linear` variables, and its number.
    pub(super) fn iteration_starts(&mut self, privates: &Privates, index: VarId, span: Span) -> Vec<Stmt> {
        let one = self.int_expr(1, TypeId::ULONG, span);
        let mut out = self.number_iteration(privates, index, one, span);
        for (copy, start, step) in &privates.linear {
            let number = self.var_value(index, span);
            let number = self.convert(number, TypeId::LONG);
            let step = match step {
                Some(step) => self.convert(step.clone(), TypeId::LONG),
                None => self.int_expr(1, TypeId::LONG, span),
            };
            let offset = self.op(BinaryOp::Mul, number, step);
            let start = self.var_value(*start, span);
            let value = self.op(BinaryOp::Add, start, offset);
            out.push(self.assign_var(*copy, value, span));
        }
        out
    }

    /// A variable that is set by the thread that executes the last of `trip` iterations, where a range of
    /// them ends at `to`: its declaration, and what sets it behind the range.
    pub(super) fn last_flag(&mut self, to: VarId, trip: VarId, span: Span) -> (VarId, Stmt, Stmt) {
        let zero = self.int_expr(0, TypeId::INT, span);
        let (flag, declared) = self.fresh(TypeId::INT, Some(zero), span);
        let (a, b) = (self.var_value(to, span), self.var_value(trip, span));
        let is_last = self.op(BinaryOp::Eq, a, b);
        let one = self.int_expr(1, TypeId::INT, span);
        let set = self.assign_var(flag, one, span);
        (flag, declared, if_stmt(is_last, vec![set], span))
    }
}
