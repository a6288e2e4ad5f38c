//! Clauses of a loop of OpenMP that are statements in it and around it: `firstprivate`, `lastprivate`,
//! `linear`, and `safelen`.

use super::super::copies::Copies;
use super::super::ids;
use super::super::visit::{Visit, VisitMut, is_pure};
use super::code::{Routine, conditional};
use super::nest::{LoopClauses, Writes};
use crate::ctype::{IntKind, QualType};
use crate::diag::Diagnostic;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use rustc_hash::FxHashMap;

/// Statements around a loop.
#[derive(Default)]
pub(super) struct Around {
    pub(super) before: Vec<Stmt>,
    after: Vec<Stmt>,
}

impl Around {
    /// The statements with the loop.
    pub(super) fn with(self, loop_: Stmt) -> Stmt {
        if self.before.is_empty() && self.after.is_empty() {
            return loop_;
        }
        let span = loop_.span;
        let mut list = self.before;
        list.push(loop_);
        list.extend(self.after);
        Stmt { kind: StmtKind::Block(list), span }
    }
}

/// A loop in chunks, whose iterations may be executed together.
pub(super) struct Chunks {
    pub(super) before: Vec<Stmt>,
    /// The number of the iteration that a chunk begins with, and the loop over chunks.
    chunk: VarId,
    over: CanonicalLoop,
}

impl Chunks {
    /// Puts the loop over chunks, whose directive is `outer`, around the loop over one.
    pub(super) fn around(self, outer: LoopConstruct, inner: LoopConstruct) -> Stmt {
        let span = inner.span;
        self.around_stmt(outer, Stmt { kind: StmtKind::Loop(Box::new(inner)), span })
    }

    /// The same around a statement with that loop.
    pub(super) fn around_stmt(self, mut outer: LoopConstruct, inner: Stmt) -> Stmt {
        let span = inner.span;
        outer.body = inner;
        outer.private.push(self.chunk);
        outer.loops.push(self.over);
        Stmt { kind: StmtKind::Loop(Box::new(outer)), span }
    }
}

/// How many neighbouring iterations stay together.
#[derive(Clone, Debug)]
pub(super) enum ChunkLength {
    /// As many as a clause says.
    Given(Expr),
    /// So many that each team has one chunk at most.
    ShareOfTeam,
}

impl Sema<'_> {
    /// Gives iterations their own copies of variables, and variables their values behind the loop. Those of
    /// which each chunk has a copy are left to the caller with `of_chunk`.
    pub(super) fn loop_values(
        &mut self,
        construct: &mut LoopConstruct,
        clauses: &LoopClauses,
        last: &[VarId],
        of_chunk: Option<&mut Vec<VarId>>,
    ) -> Around {
        let mut around = Around::default();
        if !clauses.first.is_empty() {
            // A variable that is lastprivate, too, gets its copy there.
            // An array that is only read needs none.
            let mut writes = Writes::default();
            writes.stmt(&construct.body);
            let is_written = |var: &VarId| writes.0.contains(var);
            let needs_copy = |var: &VarId| {
                !last.contains(var)
                    && (is_written(var) || !self.types.is_array(self.vars[var.0 as usize].ty.ty))
            };
            let first: Vec<VarId> = clauses.first.iter().copied().filter(needs_copy).collect();
            if let Some(of_chunk) = of_chunk {
                *of_chunk = first;
            } else {
                let body = std::mem::replace(&mut construct.body, super::super::nothing(construct.span));
                construct.body = self.with_copies(body, &[], &first);
            }
        }
        if last.is_empty() && clauses.linear.is_empty() {
            return around;
        }
        let trips = self.trips(construct, &mut around);
        let linear: Vec<_> = clauses
            .linear
            .iter()
            .filter(|(var, _)| !construct.loops.iter().any(|one| one.var == *var))
            .cloned()
            .collect();
        if clauses.is_distributed
            && let Some((var, _)) = linear.first()
        {
            // Each team would leave its value in what others begin with.
            let name = self.var_text(*var);
            let message =
                format!("`linear` of a loop that teams share takes its own variables, not `{name}`");
            self.error(ids::CLAUSE_NOT_ALLOWED, construct.span, message);
            return around;
        }
        self.linear_values(construct, &linear, &trips, &mut around);
        let also_first = |var: &VarId| clauses.first.contains(var);
        self.last_values(construct, last, also_first, &trips, &mut around);
        around
    }

    /// Variables with the numbers of iterations of the associated loops.
    pub(super) fn trips(&mut self, construct: &mut LoopConstruct, around: &mut Around) -> Vec<VarId> {
        let mut trips = Vec::new();
        for index in 0..construct.loops.len() {
            // Evaluated once, so that they can be used again.
            let ty = self.vars[construct.loops[index].var.0 as usize].ty.ty;
            let compare = construct.loops[index].compare_type;
            for (part, ty) in [(0, ty), (1, compare), (2, IntKind::Long.type_id())] {
                let one = &mut construct.loops[index];
                let place = [&mut one.init, &mut one.bound, &mut one.step].into_iter().nth(part);
                let Some(place) = place.filter(|place| !matches!(place.kind, ExprKind::Int(_))) else {
                    continue;
                };
                let span = place.span;
                let value = place.clone();
                let var = self.hidden_var(QualType::plain(ty), span);
                around.before.push(self.initialised(var, value));
                let value = self.value_of(var, span);
                let one = &mut construct.loops[index];
                match part {
                    0 => one.init = value,
                    1 => one.bound = value,
                    _ => one.step = value,
                }
            }
            let one = construct.loops[index].clone();
            let count = self.trip_count(&one);
            let trip = self.hidden_var(QualType::plain(IntKind::Long.type_id()), one.span);
            around.before.push(self.initialised(trip, count));
            trips.push(trip);
        }
        trips
    }

    /// How often a loop iterates; not positive if never.
    pub(super) fn trip_count(&mut self, one: &CanonicalLoop) -> Expr {
        let span = one.span;
        let distance = self.distance(one.bound.clone(), one.init.clone());
        let step = one.step.clone();
        let rounded = match one.cmp {
            BinaryOp::Lt => {
                let less = self.long_sub(step.clone(), self.long(1, span));
                self.long_add(distance, less)
            }
            BinaryOp::Gt => {
                let more = self.long_add(step.clone(), self.long(1, span));
                self.long_add(distance, more)
            }
            BinaryOp::Le | BinaryOp::Ge => self.long_add(distance, step.clone()),
            _ => distance,
        };
        self.long_div(rounded, step)
    }

    /// `a - b` in elements, as 64 bits.
    fn distance(&mut self, a: Expr, b: Expr) -> Expr {
        if self.types.is_pointer(a.ty.ty) {
            let (ty, span) = (QualType::plain(IntKind::Long.type_id()), a.span);
            return Expr { kind: ExprKind::PtrDiff(Box::new(a), Box::new(b)), ty, span };
        }
        let (a, b) = (self.as_long(a), self.as_long(b));
        self.long_sub(a, b)
    }

    /// The value of a scalar.
    pub(super) fn value_of(&mut self, var: VarId, span: Span) -> Expr {
        let lvalue = self.var_lvalue(var, span);
        let ty = QualType::plain(lvalue.ty.ty);
        Expr { kind: ExprKind::Load(Box::new(lvalue)), ty, span }
    }

    /// Which iteration of a loop its variable stands for.
    fn iteration(&mut self, one: &CanonicalLoop) -> Expr {
        let value = self.value_of(one.var, one.span);
        let distance = self.distance(value, one.init.clone());
        self.long_div(distance, one.step.clone())
    }

    /// `linear`: in each iteration the variable begins with what the iterations before have added.
    fn linear_values(
        &mut self,
        construct: &mut LoopConstruct,
        linear: &[(VarId, Option<Expr>)],
        trips: &[VarId],
        around: &mut Around,
    ) {
        let span = construct.span;
        let mut copies = Copies(FxHashMap::default());
        let mut list = Vec::new();
        for (var, step) in linear {
            let step = match step {
                Some(step) if is_pure(step) => self.as_long(step.clone()),
                Some(step) => {
                    self.error(ids::CLAUSE_ARGUMENT, step.span, "the step of `linear` must not have effects");
                    return;
                }
                None => self.long(1, span),
            };
            let before = self.value_of(*var, span);
            let mut number = self.long(0, span);
            for (one, trip) in construct.loops.clone().iter().zip(trips) {
                let trip = self.value_of(*trip, span);
                number = self.long_mul(number, trip);
                let iteration = self.iteration(one);
                number = self.long_add(number, iteration);
            }
            let offset = self.long_mul(number, step.clone());
            let value = self.advanced(before.clone(), offset);
            let copy = self.copy_of(*var);
            list.push(self.initialised(copy, value));
            copies.0.insert(*var, copy);
            let mut all = self.long(1, span);
            for trip in trips {
                let trip = self.value_of(*trip, span);
                let trip = self.not_negative(trip);
                all = self.long_mul(all, trip);
            }
            let offset = self.long_mul(all, step);
            let value = self.advanced(before, offset);
            around.after.push(self.assigned(*var, value));
        }
        if list.is_empty() {
            return;
        }
        copies.stmt(&mut construct.body);
        list.push(std::mem::replace(&mut construct.body, super::super::nothing(span)));
        construct.body = Stmt { kind: StmtKind::Block(list), span };
    }

    /// A number or pointer, `offset` further.
    pub(super) fn advanced(&mut self, value: Expr, offset: Expr) -> Expr {
        let (ty, span) = (value.ty, value.span);
        if self.types.is_pointer(ty.ty) {
            let (pointer, index) = (Box::new(value), Box::new(offset));
            return Expr { kind: ExprKind::PtrAdd { pointer, index, subtract: false }, ty, span };
        }
        let wide = self.as_long(value);
        let sum = self.long_add(wide, offset);
        self.convert(sum, ty.ty)
    }

    /// The declaration of a counter of its own for an iteration with this number, which stands for the
    /// loop's from here on.
    pub(super) fn own_counter(
        &mut self,
        one: &CanonicalLoop,
        number: Expr,
        copies: &mut Copies,
        span: Span,
    ) -> Stmt {
        let offset = self.long_mul(number, one.step.clone());
        let value = self.advanced(one.init.clone(), offset);
        let counter = &self.vars[one.var.0 as usize];
        let (ty, name, in_memory) = (counter.ty.ty, counter.name, counter.in_memory);
        let own = self.hidden_var(QualType::plain(ty), span);
        let copy = &mut self.vars[own.0 as usize];
        (copy.name, copy.in_memory) = (name, in_memory);
        copies.0.insert(one.var, own);
        self.initialised(own, value)
    }

    fn not_negative(&self, value: Expr) -> Expr {
        let zero = Expr { kind: ExprKind::Int(0), ty: value.ty, span: value.span };
        let positive = self.comparison(BinaryOp::Gt, value.clone(), zero.clone());
        conditional(positive, value, zero)
    }

    pub(super) fn comparison(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let (ty, span) = (QualType::plain(IntKind::Int.type_id()), a.span);
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
    }

    fn assigned(&mut self, var: VarId, value: Expr) -> Stmt {
        let span = value.span;
        let target = self.var_lvalue(var, span);
        let ty = QualType::plain(target.ty.ty);
        let kind = ExprKind::Assign(Box::new(target), Box::new(value));
        Stmt { kind: StmtKind::Expr(Expr { kind, ty, span }), span }
    }

    /// `lastprivate`: the last iteration leaves its values in the variables. That of a loop has its value
    /// behind the loop.
    fn last_values(
        &mut self,
        construct: &mut LoopConstruct,
        last: &[VarId],
        also_first: impl Fn(&VarId) -> bool,
        trips: &[VarId],
        around: &mut Around,
    ) {
        if last.is_empty() {
            return;
        }
        let span = construct.span;
        let mut copies = Copies(FxHashMap::default());
        let (mut declared, mut results) = (Vec::new(), Vec::new());
        for &var in last {
            let ty = QualType::plain(self.vars[var.0 as usize].ty.ty);
            if let Some(index) = construct.loops.iter().position(|one| one.var == var) {
                let own = self.hidden_var(ty, span);
                self.vars[own.0 as usize].name = self.vars[var.0 as usize].name;
                self.vars[own.0 as usize].in_memory = self.vars[var.0 as usize].in_memory;
                copies.0.insert(var, own);
                construct.loops[index].var = own;
                construct.private.retain(|&other| other != var);
                construct.private.push(own);
                let value = self.value_of(own, span);
                let step = construct.loops[index].step.clone();
                let value = self.advanced(value, step);
                results.push(self.assigned(var, value));
                continue;
            }
            if self.types.is_array(ty.ty) {
                if self.types.size(ty.ty).is_none() {
                    let name = self.var_text(var);
                    let message = format!(
                        "`lastprivate` of `{name}`, an array of variable length, is not supported inside of `target`"
                    );
                    self.emit(Diagnostic::error(ids::OMP_UNSUPPORTED, span, message));
                    continue;
                }
                if also_first(&var) {
                    let name = self.var_text(var);
                    let message = format!(
                        "`firstprivate` and `lastprivate` of the array `{name}` are not supported together inside of `target`"
                    );
                    self.emit(Diagnostic::error(ids::OMP_UNSUPPORTED, span, message));
                    continue;
                }
                let copy = self.copy_of(var);
                declared.push(Stmt { kind: StmtKind::Declare(copy, None), span });
                let (own, shared) = (self.var_lvalue(copy, span), self.var_lvalue(var, span));
                copies.0.insert(var, copy);
                results.push(self.copy_object(shared, own, span));
                continue;
            }
            let copy = self.copy_of(var);
            let init = also_first(&var).then(|| {
                let first = self.first_value(var, around, span);
                self.value_of(first, span)
            });
            declared.push(match init {
                Some(value) => self.initialised(copy, value),
                None => Stmt { kind: StmtKind::Declare(copy, None), span },
            });
            copies.0.insert(var, copy);
            let value = self.value_of(copy, span);
            results.push(self.assigned(var, value));
        }
        copies.stmt(&mut construct.body);
        let mut condition: Option<Expr> = None;
        for (one, trip) in construct.loops.clone().iter().zip(trips) {
            let iteration = self.iteration(one);
            let trip = self.value_of(*trip, span);
            let end = self.long_sub(trip, self.long(1, span));
            let is_last = self.comparison(BinaryOp::Eq, iteration, end);
            condition = Some(match condition {
                Some(outer) => self.comparison(BinaryOp::LogAnd, outer, is_last),
                None => is_last,
            });
        }
        let Some(condition) = condition else { return };
        let results = Stmt { kind: StmtKind::Block(results), span };
        declared.push(std::mem::replace(&mut construct.body, super::super::nothing(span)));
        declared.push(Stmt { kind: StmtKind::If(condition, Box::new(results), None), span });
        construct.body = Stmt { kind: StmtKind::Block(declared), span };
    }

    /// What holds the value that copies of a variable begin with while one of them is given back to it.
    fn first_value(&mut self, var: VarId, around: &mut Around, span: Span) -> VarId {
        let known = self.acc.target_region.as_ref().and_then(|region| {
            region.first_values.iter().find(|(other, _)| *other == var).map(|&(_, first)| first)
        });
        known.unwrap_or_else(|| {
            let (first, declared) = self.initialised_copy(var, span);
            around.before.push(declared);
            first
        })
    }

    /// Makes two loops of a nest: one over chunks of `length` iterations, and one over those of a chunk. With
    /// `of_team`, chunks of that length come first, in each of which the others begin anew.
    ///
    /// `safelen(n)`: iterations less than n apart may be executed together, so that lanes share n of them at
    /// a time, and wait for each other behind them.
    pub(super) fn in_chunks(
        &mut self,
        construct: &mut LoopConstruct,
        length: ChunkLength,
        of_team: Option<ChunkLength>,
    ) -> Option<Chunks> {
        let mut around = Around::default();
        let trips = self.trips(construct, &mut around);
        let loops = std::mem::take(&mut construct.loops);
        let span = construct.span;
        let long = QualType::plain(IntKind::Long.type_id());
        let mut trip = self.value_of(*trips.first()?, span);
        for &inner in &trips[1..] {
            // Two loops without iterations are no nest with many.
            let inner = self.value_of(inner, span);
            let (outer, inner) = (self.not_negative(trip), self.not_negative(inner));
            trip = self.long_mul(outer, inner);
        }
        if trips.len() > 1 {
            trip = self.evaluated_once(trip, &mut around);
        }
        let length = self.chunk_length(length, &trip, &mut around);
        let (chunk, number) = (self.hidden_var(long, span), self.hidden_var(long, span));
        let (at, zero, one) = (self.value_of(chunk, span), self.long(0, span), self.long(1, span));
        let of_team = of_team.map(|of_team| self.chunk_length(of_team, &trip, &mut around));
        let divides = |sema: &Self, team: &Expr| match (sema.const_int(team), sema.const_int(&length)) {
            (Some(team), Some(length)) => length != 0 && team % length == 0,
            _ => false,
        };
        let of_team = of_team.filter(|of_team| !divides(self, of_team));
        let (from, limit, count, step) = match of_team {
            None => (at, trip.clone(), trip, length.clone()),
            Some(team) => {
                let in_team = self.rounded_up(team.clone(), length.clone());
                let in_team = self.evaluated_once(in_team, &mut around);
                let teams = self.rounded_up(trip.clone(), team.clone());
                let count = self.long_mul(teams, in_team.clone());
                let which = self.long_div(at.clone(), in_team.clone());
                let begin = self.long_mul(which, team.clone());
                let within = self.long_rem(at, in_team);
                let offset = self.long_mul(within, length.clone());
                let from = self.long_add(begin.clone(), offset);
                let end = self.long_add(begin, team);
                (from, self.less_of(end, trip), count, one.clone())
            }
        };
        let behind = self.long_add(from.clone(), length);
        let end = self.less_of(behind, limit);
        let counted = |var, init, bound, step| CanonicalLoop {
            var,
            declared: true,
            init,
            cmp: BinaryOp::Lt,
            bound,
            compare_type: long.ty,
            step,
            span,
        };
        // The variables of the loops follow from the number of the iteration.
        let mut copies = Copies(FxHashMap::default());
        let mut list = Vec::new();
        let mut index = self.value_of(number, span);
        for (level, (one, trip)) in loops.iter().zip(&trips).enumerate().rev() {
            let trip = self.value_of(*trip, span);
            let own_index = match level {
                0 => index.clone(),
                _ => self.long_rem(index.clone(), trip.clone()),
            };
            index = self.long_div(index, trip);
            list.push(self.own_counter(one, own_index, &mut copies, span));
        }
        let mut body = std::mem::replace(&mut construct.body, super::super::nothing(span));
        copies.stmt(&mut body);
        list.push(body);
        construct.body = Stmt { kind: StmtKind::Block(list), span };
        construct.private.retain(|var| !loops.iter().any(|one| one.var == *var));
        construct.private.push(number);
        construct.loops = vec![counted(number, from, end, one)];
        let over = counted(chunk, zero, count, step);
        Some(Chunks { before: around.before, chunk, over })
    }

    /// The length of the chunks of a loop with `trip` iterations.
    fn chunk_length(&mut self, length: ChunkLength, trip: &Expr, around: &mut Around) -> Expr {
        let length = match length {
            ChunkLength::Given(length) => length,
            ChunkLength::ShareOfTeam => {
                let teams = self.call_routine(Routine::NUM_TEAMS, Vec::new(), trip.span);
                let teams = self.as_long(teams);
                let share = self.rounded_up(trip.clone(), teams);
                let (share, one) = (self.evaluated_once(share, around), self.long(1, trip.span));
                // No iterations make no chunks of no length.
                conditional(self.comparison(BinaryOp::Lt, share.clone(), one.clone()), one, share)
            }
        };
        self.evaluated_once(length, around)
    }

    /// A 64-bit value in a hidden variable, unless it is a constant.
    pub(super) fn evaluated_once(&mut self, value: Expr, around: &mut Around) -> Expr {
        let value = self.as_long(value);
        if self.const_int(&value).is_some() {
            return value;
        }
        let span = value.span;
        let var = self.hidden_var(QualType::plain(IntKind::Long.type_id()), span);
        around.before.push(self.initialised(var, value));
        self.value_of(var, span)
    }

    /// How many parts of a length there are, the last perhaps shorter.
    fn rounded_up(&mut self, all: Expr, length: Expr) -> Expr {
        let one = self.long(1, all.span);
        let more = self.long_sub(length.clone(), one);
        let all = self.long_add(all, more);
        self.long_div(all, length)
    }

    pub(super) fn less_of(&self, a: Expr, b: Expr) -> Expr {
        let is_less = self.comparison(BinaryOp::Lt, a.clone(), b.clone());
        conditional(is_less, a, b)
    }
}
