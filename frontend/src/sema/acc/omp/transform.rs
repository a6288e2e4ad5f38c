//! `tile`, `interchange` and `reverse`: the order in which one thread executes the iterations of a nest. Under a
//! directive that shares the loop, the parser leaves them out.

use super::super::between::Between;
use super::super::build::Wanted;
use super::super::copies::Copies;
use super::super::loops::MAX_NEST;
use super::super::visit::VisitMut;
use super::super::{clauses, ids, nothing};
use super::code::{block, declare};
use super::loop_values::Around;
use crate::ast::{self, BinaryOp};
use crate::ctype::{IntKind, QualType};
use crate::directive::{ClauseKind, Directive, Transformation};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::LoopKind;
use rustc_hash::FxHashMap;

/// A loop over numbers of iterations.
struct Counted {
    var: VarId,
    from: Expr,
    to: Expr,
    step: Expr,
}

impl Sema<'_> {
    /// The loops of a directive that transforms them.
    pub(super) fn transformed(
        &mut self,
        directive: &Directive,
        which: Transformation,
        statement: &ast::Stmt,
    ) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let typed = self.construct_body(directive, statement);
        let (mut sizes, mut order) = (None, None);
        for clause in selected {
            match &clause.kind {
                ClauseKind::Sizes(list) => sizes = Some((list, clause.span)),
                ClauseKind::Permutation(list) => order = Some((list, clause.span)),
                ClauseKind::Partial(Some(factor)) => {
                    self.constant_argument("partial", factor, u32::MAX);
                }
                _ => {}
            }
        }
        if which == Transformation::Unroll {
            return typed;
        }
        let mut lengths = Vec::new();
        let mut places = vec![1, 0];
        let count = match which {
            Transformation::Tile => {
                let Some((list, _)) = sizes else {
                    self.error(ids::MISSING_CLAUSE, directive.name_span, "`#pragma omp tile` needs `sizes`");
                    return typed;
                };
                lengths = list
                    .iter()
                    .filter_map(|size| self.int_argument("sizes", size, Wanted::Positive))
                    .collect::<Vec<_>>();
                if lengths.len() != list.len() {
                    return typed;
                }
                lengths.len()
            }
            Transformation::Interchange => {
                if let Some((list, place)) = order {
                    let Some(found) = self.permutation(list, place) else { return typed };
                    places = found;
                }
                places.len()
            }
            Transformation::Reverse | Transformation::Unroll => 1,
        };
        let Some(count) = u32::try_from(count).ok().filter(|&count| count <= MAX_NEST) else {
            self.error(ids::OMP_UNSUPPORTED, span, format!("more than {MAX_NEST} loops are not supported"));
            return typed;
        };
        let mut construct = LoopConstruct::new(LoopKind::Seq, nothing(statement.span), span);
        let what = directive.kind.name().trim_start_matches("omp ");
        let Some(nest) = self.nest(typed, count, Between::Nothing, what, span) else { return nothing(span) };
        self.check_breaks(&nest.body);
        self.check_rectangular(&nest.loops, what);
        (construct.loops, construct.body) = (nest.loops, nest.body);
        let mut around = Around::default();
        let trips = self.trips(&mut construct, &mut around);
        let long = QualType::plain(IntKind::Long.type_id());
        let numbers: Vec<VarId> = trips.iter().map(|_| self.hidden_var(long, span)).collect();
        let whole = |sema: &mut Self, index: usize| Counted {
            var: numbers[index],
            from: sema.long(0, span),
            to: sema.value_of(trips[index], span),
            step: sema.long(1, span),
        };
        let loops: Vec<Counted> = match which {
            Transformation::Tile => {
                let mut grid = Vec::new();
                let mut tiles = Vec::new();
                for (index, length) in lengths.into_iter().enumerate() {
                    let length = self.evaluated_once(length, &mut around);
                    let start = self.hidden_var(long, span);
                    let from = self.value_of(start, span);
                    let all = whole(self, index);
                    let behind = self.long_add(from.clone(), length.clone());
                    let to = self.less_of(behind, all.to.clone());
                    tiles.push(Counted { from, to, ..whole(self, index) });
                    grid.push(Counted { var: start, step: length, ..all });
                }
                grid.into_iter().chain(tiles).collect()
            }
            Transformation::Interchange => places.iter().map(|&place| whole(self, place)).collect(),
            Transformation::Reverse | Transformation::Unroll => vec![whole(self, 0)],
        };
        let is_reversed = which == Transformation::Reverse;
        let body = self.body_at(construct, &numbers, is_reversed.then_some(&trips), span);
        let made = loops.into_iter().rev().fold(body, |body, one| self.counting_loop(one, body, span));
        around.with(made)
    }

    /// The numbers of loops in `permutation`, from 0 on.
    fn permutation(&mut self, list: &[ast::Expr], place: Span) -> Option<Vec<usize>> {
        let most = u32::try_from(list.len()).unwrap_or(u32::MAX);
        let mut places = Vec::new();
        for number in list {
            places.push(self.constant_argument("permutation", number, most)? as usize - 1);
        }
        let mut sorted = places.clone();
        sorted.sort_unstable();
        if list.len() < 2 || sorted.iter().enumerate().any(|(index, &place)| index != place) {
            let message = format!("`permutation` takes each number from 1 to {} once", list.len().max(2));
            self.error(ids::CLAUSE_ARGUMENT, place, message);
            return None;
        }
        Some(places)
    }

    /// The body of a nest, given the numbers of the iterations; counted from the last one on with `reversed`.
    fn body_at(
        &mut self,
        construct: LoopConstruct,
        numbers: &[VarId],
        reversed: Option<&Vec<VarId>>,
        span: Span,
    ) -> Stmt {
        let mut copies = Copies(FxHashMap::default());
        let mut list = Vec::new();
        for (index, one) in construct.loops.iter().enumerate() {
            let mut number = self.value_of(numbers[index], span);
            if let Some(trips) = reversed {
                let one = self.long(1, span);
                let trip = self.value_of(trips[index], span);
                let last = self.long_sub(trip, one);
                number = self.long_sub(last, number);
            }
            list.push(self.own_counter(one, number, &mut copies, span));
        }
        let mut body = construct.body;
        copies.stmt(&mut body);
        list.push(body);
        block(list, span)
    }

    fn counting_loop(&mut self, one: Counted, body: Stmt, span: Span) -> Stmt {
        let at = self.value_of(one.var, span);
        let condition = self.comparison(BinaryOp::Lt, at.clone(), one.to);
        let next = self.long_add(at, one.step);
        let Stmt { kind: StmtKind::Expr(step), .. } = self.assign_var(one.var, next, span) else {
            return nothing(span);
        };
        let kind = StmtKind::For {
            init: vec![declare(one.var, Some(one.from), span)],
            condition: Some(condition),
            step: Some(step),
            body: Box::new(body),
            canonical: None,
            any_order: Vec::new(),
        };
        Stmt { kind, span }
    }
}
