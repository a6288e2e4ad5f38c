//! `scan` (OpenMP 5.2, 5.6): a loop with `reduction(inscan, ...)` whose body has two phases. The input phase
//! of an iteration makes a value, the scan phase reads the combination of all values up to there.
//!
//! Threads of a team go through the loop twice, each through one range: the first time through the input
//! phases, where they keep what the range has combined so far, the second time through the scan phases. In
//! between they learn what the ranges before have combined. One thread alone does both phases in turn.

use super::super::copies::Copies;
use super::super::ids;
use super::super::reduced::Reduced;
use super::super::state::Scan;
use super::super::visit::VisitMut;
use super::code::{Routine, block, conditional, declare, if_stmt};
use super::loops::{Iterations, MEMORY};
use super::private::Privates;
use super::sharing::DataClauses;
use crate::ctype::{QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, Directive, Parts, ScheduleKind};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use rustc_hash::FxHashMap;

/// The statements of a body behind its `scan` directive.
pub(super) struct ScanPhase {
    statements: Stmt,
    /// They are the input phase, and those before the scan phase.
    is_input: bool,
}

/// A variable of `reduction(inscan, ...)` in a loop that threads share. The pointers lead to the first of the
/// elements that are combined.
struct Scanned {
    item: Reduced,
    /// The number of elements, a `long`, where there may be several.
    length: Option<VarId>,
    /// Bytes of them, an `unsigned long`.
    size: VarId,
    /// The original.
    original: VarId,
    /// The thread's copy.
    copy: VarId,
    /// Row 0: what stands before the thread's range. Row n: what its first n iterations have combined.
    rows: VarId,
    /// What the range of each thread has combined.
    totals: VarId,
}

/// The clause `reduction(inscan, ...)` of a directive.
fn inscan_clause(directive: &Directive) -> Option<&Clause> {
    directive.clauses.iter().find(|clause| matches!(clause.kind, ClauseKind::InscanReduction(..)))
}

impl Sema<'_> {
    /// `inscan` stands on loops that the threads or lanes of one team share.
    pub(super) fn check_inscan(&mut self, directive: &Directive) {
        let parts = directive.parts;
        let shared = parts.has(Parts::FOR.with(Parts::SIMD));
        let elsewhere = parts.has(Parts::TASKLOOP.with(Parts::TEAMS).with(Parts::DISTRIBUTE));
        if let Some(clause) = inscan_clause(directive)
            && (!shared || elsewhere)
        {
            let message = "`inscan` is for the loops of `for` and `simd` in one team";
            self.error(ids::CLAUSE_NOT_ALLOWED, clause.span, message);
        }
    }

    /// A schedule is the loop's own where `scan` decides about the ranges. Says whether all is right.
    pub(super) fn check_scan(&mut self, clauses: &[&Clause], iterations: &Iterations, span: Span) -> bool {
        let mut is_right = true;
        for clause in clauses {
            if let ClauseKind::Schedule(..) | ClauseKind::Ordered(_) = clause.kind {
                let message =
                    format!("`{}` and `reduction(inscan, ...)` exclude each other", clause.row.name);
                self.error(ids::CONFLICTING_CLAUSES, clause.span, message);
                is_right = false;
            }
        }
        if iterations.is_ragged {
            let message = "`reduction(inscan, ...)` of a nest that is no box, in a loop that threads share, \
                           is not supported";
            let diagnostic = Diagnostic::error(ids::OMP_UNSUPPORTED, span, message);
            self.emit(diagnostic.note("`collapse` the loops only whose bounds do not depend on each other"));
            is_right = false;
        }
        is_right
    }

    /// Analyses the body of a loop, which may have `inscan` variables: also what [`Scan::found`] is then.
    pub(super) fn scan_body(
        &mut self,
        directive: &Directive,
        vars: Vec<VarId>,
        body: impl FnOnce(&mut Self) -> Stmt,
    ) -> (Stmt, Option<(VarId, bool)>) {
        if inscan_clause(directive).is_none() {
            return (body(self), None);
        }
        self.acc.scans.push(Scan { vars, found: None });
        let body = body(self);
        (body, self.acc.scans.pop().and_then(|scan| scan.found))
    }

    /// `scan`: leaves a mark where it stands.
    pub(super) fn scan_directive(&mut self, directive: &Directive) -> Stmt {
        let span = directive.span;
        let mark = self.hidden_var(QualType::plain(TypeId::INT), span);
        let mut named = Vec::new();
        let mut is_exclusive = false;
        for clause in &directive.clauses {
            if let ClauseKind::Scan(exclusive, items) = &clause.kind {
                is_exclusive = *exclusive;
                for item in items {
                    match self.item_variable(item) {
                        Some(var) => named.push((var, item.span)),
                        None => self.error(ids::DATA_ITEM, item.span, "`scan` takes variables"),
                    }
                }
            }
        }
        let Some(scan) = self.acc.scans.last_mut() else {
            let message = "`scan` stands in no loop that has `reduction(inscan, ...)`";
            self.error(ids::DIRECTIVE_PLACEMENT, directive.name_span, message);
            return block(Vec::new(), span);
        };
        let first = scan.found.is_none();
        scan.found = Some((mark, is_exclusive));
        let missing = scan.vars.iter().find(|var| !named.iter().any(|(other, _)| other == *var)).copied();
        // What is wrong with variables of the clause has been reported.
        let is_foreign = |(var, _): &&(VarId, Span)| !scan.vars.is_empty() && !scan.vars.contains(var);
        let foreign = named.iter().find(is_foreign).copied();
        if !first {
            let message = "a loop has one `scan` directive";
            self.error(ids::DIRECTIVE_PLACEMENT, directive.name_span, message);
        }
        if let Some((var, span)) = foreign {
            let message = format!("`{}` is in no `reduction(inscan, ...)` of the loop", self.var_text(var));
            self.error(ids::DATA_ITEM, span, message);
        } else if let Some(var) = missing {
            let name = self.var_text(var);
            let message = format!("`{name}` is in `reduction(inscan, ...)`, and not in `scan`");
            self.error(ids::DATA_ITEM, span, message);
        }
        declare(mark, None, span)
    }

    /// The statements of a loop's body before and behind its `scan` directive. `None` after an error.
    pub(super) fn scan_phases(
        &mut self,
        body: Stmt,
        found: Option<(VarId, bool)>,
        directive: &Directive,
    ) -> Option<(Stmt, ScanPhase)> {
        let span = body.span;
        if let (StmtKind::Block(mut list), Some((mark, is_input))) = (body.kind, found)
            && let Some(at) =
                list.iter().position(|stmt| matches!(stmt.kind, StmtKind::Declare(var, _) if var == mark))
        {
            let statements = block(list.split_off(at), span);
            return Some((block(list, span), ScanPhase { statements, is_input }));
        }
        let message = "a loop with `reduction(inscan, ...)` wants a `scan` directive directly in its body";
        let diagnostic = Diagnostic::error(ids::DIRECTIVE_PLACEMENT, directive.name_span, message);
        self.emit(diagnostic.note("write `#pragma omp scan inclusive(...)` between the two phases"));
        None
    }

    /// Both phases of an iteration where one thread executes the loop. The variables themselves hold what has
    /// been combined.
    pub(super) fn phases_in_turn(&mut self, first: Stmt, scan: ScanPhase, items: &[Reduced]) -> Stmt {
        let span = first.span;
        let (first, second) = match scan.is_input {
            true => (first, self.with_reduced(scan.statements, items)),
            false => (self.with_reduced(first, items), scan.statements),
        };
        block(vec![first, second], span)
    }

    /// A loop with `scan` that the threads of a team share.
    pub(super) fn scan_loop(
        &mut self,
        mut data: DataClauses,
        mut iterations: Iterations,
        mut list: Vec<Stmt>,
        waits: bool,
        span: Span,
    ) -> Stmt {
        let Some(scan) = iterations.scan.take() else { return block(list, span) };
        let trip = iterations.trip;
        let mut items = std::mem::take(&mut data.inscan);
        self.fix_sections(&mut items, &mut list, span);
        let own = iterations.originals();
        let mut privates = self.privates(&data, &own, true, span);
        let wanted: Vec<VarId> = data.given_back().collect();
        privates.finals.extend(self.final_values(&iterations, &wanted, span));
        list.append(&mut privates.before);
        let (from, to) = self.scan_range(trip, &mut list, span);
        let (mut copies, _) = self.reducing_alone(&items);
        if items.iter().any(|item| !copies.copies.0.contains_key(&item.var)) {
            // What its operator cannot combine has been reported.
            return block(list, span);
        }
        list.append(&mut copies.before);
        let mut scanned = self.scanned(items, &copies.copies, (from, to), &mut list, span);
        let watched = privates.conditional.as_ref().map_or(0, |(_, vars)| vars.len());
        self.place_totals(&mut scanned, watched, &mut list, span);

        let mut second = self.again(&iterations, scan.statements);
        for phase in [&mut iterations.body, &mut second.body] {
            self.mark_assignments(&privates, phase);
        }
        let (input, reading) = match scan.is_input {
            true => (second, iterations),
            false => (iterations, second),
        };
        let mut inputs = self.input_phases(&scanned, input, (from, to), scan.is_input, &privates, span);
        let mut readings = self.scan_phase(&scanned, reading, (from, to), scan.is_input, &privates, span);
        for pass in [&mut inputs, &mut readings] {
            copies.rewrite(pass);
            privates.rewrite(pass);
        }
        list.push(inputs);
        list.extend(self.keep_last_assignments(&privates, span));
        self.exchange(&scanned, (from, to), trip, &mut list, span);
        list.push(readings);
        list.extend(self.keep_last_assignments(&privates, span));
        list.extend(self.last_assignments(&privates, span));
        for one in &scanned {
            let rows = self.var_value(one.rows, span);
            let rows = self.convert(rows, TypeId::VOID_PTR);
            list.push(self.do_routine(Routine::FREE, vec![rows], span));
        }
        list.push(self.do_routine(Routine::LOOP_END, Vec::new(), span));
        list.append(&mut privates.after);
        if !privates.finals.is_empty() {
            let is_last = self.has_last(from, to, trip, span);
            list.push(if_stmt(is_last, privates.finals, span));
        }
        if waits {
            list.push(self.do_routine(Routine::BARRIER, Vec::new(), span));
        }
        block(list, span)
    }

    /// The thread's range of iterations: empty where it has none.
    fn scan_range(&mut self, trip: VarId, list: &mut Vec<Stmt>, span: Span) -> (VarId, VarId) {
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let [(from, first), (to, second)] =
            [(); 2].map(|()| self.fresh(TypeId::ULONG, Some(zero.clone()), span));
        list.extend([first, second]);
        let schedule = self.int_expr(ScheduleKind::Static as i128 + MEMORY, TypeId::INT, span);
        let chunk = self.int_expr(0, TypeId::LONG, span);
        let mut args = vec![self.place_argument(span), schedule, chunk, self.var_value(trip, span)];
        args.extend([from, to].map(|var| self.var_address(var, span)));
        list.push(self.do_routine(Routine::LOOP_START, args, span));
        (from, to)
    }

    /// Pointers and rows for each variable.
    fn scanned(
        &mut self,
        items: Vec<Reduced>,
        copies: &Copies,
        (from, to): (VarId, VarId),
        list: &mut Vec<Stmt>,
        span: Span,
    ) -> Vec<Scanned> {
        let count = self.row_behind(to, from, span);
        let mut made = Vec::new();
        for item in items {
            let element = self.reduced_element(&item).ty;
            let pointer = self.types.pointer_to(QualType::plain(element));
            let copy = copies.0.get(&item.var).copied().unwrap_or(item.var);
            let [original, copy] =
                [item.var, copy].map(|var| self.first_element(&item, var, pointer, list, span));
            let mut size = self.size_expr(element, span);
            let length = item.section.clone().map(|(_, length)| {
                let (length, declared) = self.fresh(TypeId::LONG, Some(length), span);
                list.push(declared);
                length
            });
            if let Some(length) = length {
                let length = self.var_value(length, span);
                size = self.op(BinaryOp::Mul, length, size);
            }
            let (size, declared) = self.fresh(TypeId::ULONG, Some(size), span);
            list.push(declared);
            let of_row = self.var_value(size, span);
            let all = self.op(BinaryOp::Mul, count.clone(), of_row);
            let rows = self.call_routine(Routine::MALLOC, vec![all], span);
            let (rows, declared) = self.fresh(pointer, Some(rows), span);
            list.push(declared);
            made.push(Scanned { item, length, size, original, copy, rows, totals: rows });
        }
        made
    }

    /// Lets the totals lie in memory of the loop, those of each variable at a multiple of 64 bytes, behind
    /// the numbers that [`Self::last_assignments`] keeps there for so many variables.
    fn place_totals(&mut self, scanned: &mut [Scanned], watched: usize, list: &mut Vec<Stmt>, span: Span) {
        const ALIGN: u64 = 64;
        let first = (watched as u64 * 8).next_multiple_of(ALIGN);
        let mut bytes = self.int_expr(first.into(), TypeId::ULONG, span);
        let mut places = Vec::new();
        for one in &*scanned {
            let (place, declared) = self.fresh(TypeId::ULONG, Some(bytes), span);
            list.push(declared);
            places.push(place);
            let threads = self.call_routine(Routine::NUM_THREADS, Vec::new(), span);
            let threads = self.convert(threads, TypeId::ULONG);
            let size = self.var_value(one.size, span);
            let own = self.op(BinaryOp::Mul, threads, size);
            let [more, mask] =
                [ALIGN - 1, !(ALIGN - 1)].map(|value| self.int_expr(value.into(), TypeId::ULONG, span));
            let own = self.op(BinaryOp::Add, own, more);
            let own = self.op(BinaryOp::BitAnd, own, mask);
            let start = self.var_value(place, span);
            bytes = self.op(BinaryOp::Add, start, own);
        }
        let memory = self.call_routine(Routine::LOOP_MEMORY, vec![bytes], span);
        let chars = self.types.pointer_to(QualType::plain(TypeId::CHAR));
        let (memory, declared) = self.fresh(chars, Some(memory), span);
        list.push(declared);
        for (one, place) in scanned.iter_mut().zip(places) {
            let (start, place) = (self.var_value(memory, span), self.var_value(place, span));
            let start = self.pointer_add(start, place, false, span);
            let pointer = self.vars[one.rows.0 as usize].ty.ty;
            let start = self.convert(start, pointer);
            let (totals, declared) = self.fresh(pointer, Some(start), span);
            list.push(declared);
            one.totals = totals;
        }
    }

    /// A pointer to the first element that is combined, in a variable like that of the clause.
    fn first_element(
        &mut self,
        item: &Reduced,
        var: VarId,
        pointer: TypeId,
        list: &mut Vec<Stmt>,
        span: Span,
    ) -> VarId {
        let (made, declared) = match &item.section {
            Some((lower, _)) => {
                let (first, declared) = self.fresh(TypeId::LONG, Some(lower.clone()), span);
                list.push(declared);
                self.section(var, pointer, Some(first), span)
            }
            None => {
                let address = self.var_address(var, span);
                self.fresh(pointer, Some(address), span)
            }
        };
        list.push(declared);
        made
    }

    /// Does something for each element, whose number it gets.
    fn each_element(
        &mut self,
        one: &Scanned,
        span: Span,
        body: impl FnOnce(&mut Self, Expr) -> Vec<Stmt>,
    ) -> Stmt {
        match one.length {
            Some(length) => {
                let [loop_] = self.each(length, span, |sema, index| {
                    let list = body(sema, index);
                    block(list, span)
                });
                loop_
            }
            None => {
                let first = self.int_expr(0, TypeId::LONG, span);
                let list = body(self, first);
                block(list, span)
            }
        }
    }

    /// An element of a row, by the row's number.
    fn in_row(&mut self, one: &Scanned, rows: VarId, row: Expr, element: Expr, span: Span) -> Expr {
        let mut at = self.convert(row, TypeId::LONG);
        if let Some(length) = one.length {
            let length = self.var_value(length, span);
            at = self.op(BinaryOp::Mul, at, length);
        }
        let at = self.op(BinaryOp::Add, at, element);
        self.element_at(rows, at, span)
    }

    /// The same iterations with another body, which has loop variables of its own.
    fn again(&mut self, iterations: &Iterations, mut body: Stmt) -> Iterations {
        let mut loops = iterations.loops.clone();
        let mut copies = Copies(FxHashMap::default());
        for counted in &mut loops {
            let var = self.copy_of(counted.var);
            copies.0.insert(counted.var, var);
            counted.var = var;
        }
        copies.stmt(&mut body);
        let Iterations { trip, is_ragged, .. } = *iterations;
        Iterations {
            loops,
            inner: Vec::new(),
            is_ragged,
            current: None,
            trip,
            body,
            scan: None,
            by: None,
            reductions: Vec::new(),
        }
    }

    /// The thread's input phases: each combines into the thread's copy, which goes to the iteration's row.
    fn input_phases(
        &mut self,
        scanned: &[Scanned],
        mut input: Iterations,
        (from, to): (VarId, VarId),
        is_second: bool,
        privates: &Privates,
        span: Span,
    ) -> Stmt {
        let items: Vec<Reduced> = scanned.iter().map(|one| one.item.clone()).collect();
        let body = std::mem::replace(&mut input.body, block(Vec::new(), span));
        input.body = self.with_reduced(body, &items);
        let each = |sema: &mut Self, index| {
            let mut before = sema.iteration_starts(privates, index, span);
            before.extend(sema.number_phase(privates, index, is_second, span));
            let mut behind = Vec::new();
            for one in scanned {
                let row = sema.row_behind(index, from, span);
                behind.push(sema.each_element(one, span, |sema, element| {
                    let to = sema.in_row(one, one.rows, row, element.clone(), span);
                    let from = sema.element_at(one.copy, element, span);
                    vec![sema.copy_object(to, from, span)]
                }));
            }
            (before, behind)
        };
        let mut list = Vec::new();
        let ranges = self.run_iterations(input, (from, to), each, &mut list, span);
        list.push(ranges);
        block(list, span)
    }

    /// The number of the row that holds what the range has combined behind an iteration.
    fn row_behind(&mut self, index: VarId, from: VarId, span: Span) -> Expr {
        let row = self.row_before(index, from, span);
        let one = self.int_expr(1, TypeId::ULONG, span);
        self.op(BinaryOp::Add, row, one)
    }

    fn row_before(&mut self, index: VarId, from: VarId, span: Span) -> Expr {
        let (a, b) = (self.var_value(index, span), self.var_value(from, span));
        self.op(BinaryOp::Sub, a, b)
    }

    /// Whether the thread's range ends with the last iteration.
    fn has_last(&mut self, from: VarId, to: VarId, trip: VarId, span: Span) -> Expr {
        let [from, end, trip] = [from, to, trip].map(|var| self.var_value(var, span));
        let some = self.op(BinaryOp::Lt, from, end.clone());
        let is_end = self.op(BinaryOp::Eq, end, trip);
        self.op(BinaryOp::LogAnd, some, is_end)
    }

    /// Row 0 becomes what stands before the thread's range; the last range gives the original its value.
    fn exchange(
        &mut self,
        scanned: &[Scanned],
        (from, to): (VarId, VarId),
        trip: VarId,
        list: &mut Vec<Stmt>,
        span: Span,
    ) {
        let thread = self.call_routine(Routine::THREAD_NUM, Vec::new(), span);
        let (thread, declared) = self.fresh(TypeId::ULONG, Some(thread), span);
        list.push(declared);
        let [first, end] = [from, to].map(|var| self.var_value(var, span));
        let has_range = self.op(BinaryOp::Lt, first, end);
        let own = scanned.iter().map(|one| self.give_total(one, thread, span)).collect();
        list.push(if_stmt(has_range, own, span));
        list.push(self.do_routine(Routine::BARRIER, Vec::new(), span));
        // Where there are fewer iterations than threads, the first threads have one each.
        let [number, all] = [thread, trip].map(|var| self.var_value(var, span));
        let is_less = self.op(BinaryOp::Lt, number.clone(), all.clone());
        let (before, declared) = self.fresh(TypeId::ULONG, Some(conditional(is_less, number, all)), span);
        list.push(declared);
        for one in scanned {
            list.extend(self.take_totals(one, before, span));
        }
        list.push(self.do_routine(Routine::BARRIER, Vec::new(), span));
        let is_last = self.has_last(from, to, trip, span);
        let results = scanned.iter().map(|one| self.give_result(one, span)).collect();
        list.push(if_stmt(is_last, results, span));
    }

    /// The thread's total goes to where the others find it.
    fn give_total(&mut self, one: &Scanned, thread: VarId, span: Span) -> Stmt {
        let number = self.var_value(thread, span);
        self.each_element(one, span, |sema, element| {
            let to = sema.in_row(one, one.totals, number, element.clone(), span);
            let from = sema.element_at(one.copy, element, span);
            vec![sema.copy_object(to, from, span)]
        })
    }

    /// Row 0 becomes the original, combined with the totals of as many threads as `before` says.
    fn take_totals(&mut self, one: &Scanned, before: VarId, span: Span) -> [Stmt; 2] {
        let original = self.each_element(one, span, |sema, element| {
            let to = sema.element_at(one.rows, element.clone(), span);
            let from = sema.element_at(one.original, element, span);
            vec![sema.copy_object(to, from, span)]
        });
        let zero = self.int_expr(0, TypeId::ULONG, span);
        let (other, declared) = self.fresh(TypeId::ULONG, Some(zero), span);
        let number = self.var_value(other, span);
        let added = self.each_element(one, span, |sema, element| {
            let to = sema.element_at(one.rows, element.clone(), span);
            let from = sema.in_row(one, one.totals, number, element, span);
            vec![sema.fold(one.item.by, to, from, span)]
        });
        let loop_ = self.counting(other, before, vec![added], span);
        [original, block(vec![declared, loop_], span)]
    }

    /// The original becomes what stands before the thread's range, combined with the thread's total.
    fn give_result(&mut self, one: &Scanned, span: Span) -> Stmt {
        self.each_element(one, span, |sema, element| {
            let result = sema.element_at(one.original, element.clone(), span);
            let before = sema.element_at(one.rows, element.clone(), span);
            let own = sema.element_at(one.copy, element, span);
            vec![sema.copy_object(result.clone(), before, span), sema.fold(one.item.by, result, own, span)]
        })
    }

    /// The thread's scan phases: its copy holds what everything before has combined.
    fn scan_phase(
        &mut self,
        scanned: &[Scanned],
        reading: Iterations,
        (from, to): (VarId, VarId),
        is_exclusive: bool,
        privates: &Privates,
        span: Span,
    ) -> Stmt {
        let each = |sema: &mut Self, index| {
            let mut before = sema.iteration_starts(privates, index, span);
            before.extend(sema.number_phase(privates, index, !is_exclusive, span));
            for one in scanned {
                before.push(sema.each_element(one, span, |sema, element| {
                    let copy = sema.element_at(one.copy, element.clone(), span);
                    let outside = sema.element_at(one.rows, element.clone(), span);
                    let mut list = vec![sema.copy_object(copy.clone(), outside, span)];
                    let row = match is_exclusive {
                        true => sema.row_before(index, from, span),
                        false => sema.row_behind(index, from, span),
                    };
                    let inside = sema.in_row(one, one.rows, row.clone(), element, span);
                    let added = sema.fold(one.item.by, copy, inside, span);
                    let zero = sema.int_expr(0, TypeId::ULONG, span);
                    let some = sema.op(BinaryOp::Gt, row, zero);
                    list.push(if_stmt(some, vec![added], span));
                    list
                }));
            }
            (before, Vec::new())
        };
        let mut list = Vec::new();
        let ranges = self.run_iterations(reading, (from, to), each, &mut list, span);
        list.push(ranges);
        block(list, span)
    }
}
