//! `loop` directives: clauses, the associated loops, and where the directive stands.

use super::between::{Around, Between, Jump, first_jump, with_statements};
use super::build::Wanted;
use super::visit::variables;
use super::{Enclosing, ids, nothing};
use crate::ast;
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, Directive};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, LoopKind};

/// The most loops that `collapse` and `tile` may name.
pub(super) const MAX_NEST: u32 = 64;

/// A nest of associated loops.
pub(super) struct Nest {
    pub loops: Vec<CanonicalLoop>,
    pub between: Vec<Vec<Stmt>>,
    pub body: Stmt,
}

/// The statement that must be a loop of a nest, split at the loop.
struct Split {
    loop_: Option<Stmt>,
    around: Around,
}

impl Sema<'_> {
    /// A `loop` construct, alone or as the inner part of a combined one.
    pub(super) fn loop_construct(
        &mut self,
        directive: &Directive,
        clauses: &[&Clause],
        statement: &ast::Stmt,
    ) -> Stmt {
        self.check_loop_kinds(clauses);
        self.check_orphan(directive);
        let mut construct = LoopConstruct::new(LoopKind::Default, nothing(statement.span), directive.span);
        self.check_repeated_private(clauses);
        for clause in clauses {
            self.loop_clause(directive, clause, &mut construct);
        }
        self.drop_private_of_reduced(&mut construct);
        self.enter_construct(directive.kind.name(), directive.name_span);
        self.acc.constructs.push(Enclosing::Loop);
        let typed = self.stmt(statement);
        self.acc.constructs.pop();
        self.leave_construct();
        let between = if construct.collapse_force { Between::Forced } else { Between::Nothing };
        self.associate(&mut construct, typed, statement, between);
        let what = if construct.tile.len() > 1 { "tile" } else { "collapse" };
        self.check_rectangular(&construct.loops, what);
        self.private_subarrays(clauses, &mut construct.body);
        Stmt { kind: StmtKind::Loop(Box::new(construct)), span: directive.span.to(statement.span) }
    }

    /// A reduction's variable is private to each thread anyway, so `private` adds nothing; GCC accepts both.
    pub(super) fn drop_private_of_reduced(&mut self, construct: &mut LoopConstruct) {
        for item in &construct.reductions {
            if !construct.private.contains(&item.var) {
                continue;
            }
            construct.private.retain(|&var| var != item.var);
            let name = self.var_text(item.var);
            let message =
                format!("`{name}` is in `reduction` and `private` of one loop: `private` is ignored");
            self.warn(ids::DUPLICATE_VARIABLE, item.span, message);
        }
    }

    /// `seq`, `auto`, `independent` and the levels (OpenACC 3.3 sections 2.9.5 to 2.9.7).
    fn check_loop_kinds(&mut self, clauses: &[&Clause]) {
        let find =
            |name: &str| clauses.iter().find(|clause| clause.row.name == name).map(|clause| clause.span);
        // The levels of `auto` are those of a loop that turns out to be independent.
        let rules: [(&str, &[&str]); 2] =
            [("seq", &["auto", "independent", "gang", "worker", "vector"]), ("auto", &["independent"])];
        for (name, others) in rules {
            let Some(span) = find(name) else { continue };
            for other in others {
                let Some(place) = find(other) else { continue };
                let message = format!("`{name}` contradicts `{other}` on one loop");
                let diagnostic = Diagnostic::error(ids::LOOP_KIND, span, message);
                self.emit(diagnostic.related(place, format!("`{other}`")));
                return;
            }
        }
        if let (Some(tile), Some(collapse)) = (find("tile"), find("collapse")) {
            self.emit(
                Diagnostic::error(ids::CONFLICTING_CLAUSES, tile, "`tile` and `collapse` exclude each other")
                    .related(collapse, "`collapse`"),
            );
        }
    }

    fn check_orphan(&mut self, directive: &Directive) {
        if self.enclosing_compute().is_some() || self.current_routine().is_some() {
            return;
        }
        self.emit(
            Diagnostic::error(
                ids::ORPHAN_LOOP,
                directive.name_span,
                "`loop` stands outside of compute constructs and routines",
            )
            .note("write `parallel loop`, or mark the function with `#pragma acc routine`"),
        );
    }

    fn loop_clause(&mut self, directive: &Directive, clause: &Clause, construct: &mut LoopConstruct) {
        match &clause.kind {
            ClauseKind::Seq => construct.kind = LoopKind::Seq,
            ClauseKind::Auto => construct.kind = LoopKind::Auto,
            ClauseKind::Independent => construct.kind = LoopKind::Independent,
            ClauseKind::Gang(args) => construct.gang = Some(self.gang_args(clause, args.as_ref())),
            ClauseKind::Worker(arg) => {
                construct.worker = Some(self.level_argument("worker", clause.span, arg.as_ref()));
            }
            ClauseKind::Vector(arg) => {
                construct.vector = Some(self.level_argument("vector", clause.span, arg.as_ref()));
            }
            ClauseKind::Collapse { count, force } => {
                construct.collapse = self.constant_argument("collapse", count, MAX_NEST).unwrap_or(1);
                construct.collapse_force = *force;
            }
            ClauseKind::Tile(sizes) => {
                if sizes.len() > MAX_NEST as usize {
                    self.error(
                        ids::CLAUSE_ARGUMENT,
                        clause.span,
                        format!("`tile` takes at most {MAX_NEST} sizes"),
                    );
                    return;
                }
                construct.tile = sizes.iter().map(|size| self.tile_size(size.as_ref())).collect();
            }
            ClauseKind::Private(items) => self.private_items("private", items, &mut construct.private),
            ClauseKind::Reduction(op, items) => {
                self.reduction_items(*op, items, &mut construct.reductions);
            }
            _ => {
                debug_assert!(false, "`{}` is no clause of `loop`", directive.kind.name());
            }
        }
    }

    fn tile_size(&mut self, size: Option<&ast::Expr>) -> Option<Expr> {
        let size = size?;
        let found = self.rvalue(size);
        if self.types.is_integer(found.ty.ty) && self.const_int(&found).is_none() {
            self.emit(
                Diagnostic::warning(
                    ids::TILE_SIZE,
                    size.span,
                    "a size of `tile` must be a constant: taken as `*`",
                )
                .note("a tile of `*` has the size that the compiler chooses"),
            );
            return None;
        }
        let value = self.constant_argument("tile", size, i32::MAX as u32)?;
        Some(self.long(i128::from(value), size.span))
    }

    fn gang_args(&mut self, clause: &Clause, args: Option<&crate::directive::GangArgs>) -> GangArgs {
        let mut out = GangArgs { num: None, static_: None, dim: 1 };
        let Some(args) = args else { return out };
        if let Some(num) = &args.num {
            out.num = self.level_argument("gang", clause.span, Some(num));
        }
        if let Some(dim) = &args.dim {
            out.dim = self.constant_argument("gang(dim:)", dim, 3).map_or(1, |d| d as u8);
        }
        out.static_ = match &args.static_ {
            None => None,
            Some(None) => Some(None),
            Some(Some(size)) => self.int_argument("gang(static:)", size, Wanted::Positive).map(Some),
        };
        out
    }

    /// The argument of a level: legal in `kernels` only, where no other clause gives the number.
    fn level_argument(&mut self, level: &str, span: Span, arg: Option<&ast::Expr>) -> Option<Expr> {
        let arg = arg?;
        let value = self.int_argument(level, arg, Wanted::Positive);
        let (place, what) = match self.enclosing_compute() {
            Some((ConstructKind::Kernels, _)) => return value,
            Some((ConstructKind::Parallel, place)) => (place, "the `parallel` construct"),
            Some((ConstructKind::Serial | ConstructKind::Team | ConstructKind::Task, place)) => {
                (place, "the `serial` construct")
            }
            None => match &self.function {
                Some(function) => (self.functions[function.id.0 as usize].span, "the function"),
                None => return value,
            },
        };
        let clause = match level {
            "gang" => "num_gangs",
            "worker" => "num_workers",
            _ => "vector_length",
        };
        self.emit(
            Diagnostic::error(
                ids::LOOP_LEVEL_ARGUMENT,
                span,
                format!("`{level}` takes an argument only on loops in `kernels`"),
            )
            .related(place, format!("the loop is in {what}"))
            .note(format!("on `parallel`, write `{clause}` on the construct")),
        );
        None
    }

    /// Finds the loops the directive applies to and fills in the construct.
    pub(super) fn associate(
        &mut self,
        construct: &mut LoopConstruct,
        typed: Stmt,
        statement: &ast::Stmt,
        between: Between,
    ) {
        let tiles = u32::try_from(construct.tile.len()).unwrap_or(MAX_NEST);
        let count = construct.collapse.max(tiles).max(1);
        if spine_loop(&typed).is_none() {
            self.error(ids::LOOP_NOT_FOR, statement.span, "a `loop` directive applies to a `for` statement");
            construct.body = typed;
            return;
        }
        let seq = construct.kind == LoopKind::Seq && count == 1;
        if seq && self.is_free_form(&typed) {
            construct.body = typed;
            return;
        }
        let what = if tiles > 1 { "tile" } else { "collapse" };
        let Some(nest) = self.nest(typed, count, between, what, construct.span) else { return };
        self.check_breaks(&nest.body);
        for canonical in &nest.loops {
            if !construct.private.contains(&canonical.var) {
                construct.private.push(canonical.var);
            }
        }
        construct.loops = nest.loops;
        construct.between = nest.between;
        construct.body = nest.body;
    }

    /// A `seq` loop may be any `for`.
    fn is_free_form(&mut self, typed: &Stmt) -> bool {
        let Some(for_) = spine_loop(typed) else { return true };
        let StmtKind::For { body, .. } = &for_.kind else { return true };
        self.canonical_loop(for_).is_err() || first_jump(body, Jump::Break).is_some()
    }

    pub(super) fn nest(
        &mut self,
        typed: Stmt,
        count: u32,
        between: Between,
        what: &str,
        place: Span,
    ) -> Option<Nest> {
        let mut nest = Nest {
            loops: Vec::new(),
            between: Vec::new(),
            body: Stmt { kind: StmtKind::Block(Vec::new()), span: typed.span },
        };
        let mut current = typed;
        let mut in_body = Vec::new();
        for level in 0..count {
            let span = current.span;
            let Split { loop_, mut around } = split(current);
            let Some(for_) = loop_ else {
                let at = around.before.first().map_or(span, |s| s.span);
                let directive = around.before.iter().find(|s| matches!(s.kind, StmtKind::Loop(_)));
                let mut diagnostic = Diagnostic::error(
                    ids::LOOP_NEST,
                    directive.map_or(at, |s| s.span),
                    format!("not enough perfectly nested loops: `{what}` wants {count}, here are {level}"),
                )
                .related(place, "the directive");
                if directive.is_some() {
                    diagnostic =
                        diagnostic.note("a loop of the nest cannot have a `loop` directive of its own");
                }
                self.emit(diagnostic);
                return None;
            };
            let before = around.before.first().map(|s| (s, "before"));
            let stray = before.or(around.after.first().map(|s| (s, "behind")));
            if let Some((stray, where_)) = stray.filter(|_| level == 0 || between == Between::Nothing) {
                self.emit(
                    Diagnostic::error(
                        ids::LOOP_NEST,
                        stray.span,
                        format!("loops are not perfectly nested: this stands {where_} the inner loop"),
                    )
                    .related(place, format!("`{what}` wants {count} loops with nothing between them")),
                );
                return None;
            }
            match self.canonical_loop(&for_) {
                Ok(canonical) => {
                    if between == Between::Intervening && !self.may_stand_between(&around, &canonical, place)
                    {
                        return None;
                    }
                    nest.loops.push(canonical);
                }
                Err(reason) => {
                    self.emit(
                        Diagnostic::error(
                            ids::LOOP_NOT_CANONICAL,
                            reason.span,
                            format!("the loop is not a counted loop: {}", reason.text),
                        )
                        .related(place, "the directive")
                        .note("a loop directive wants `for (i = first; i < last; i += step)`, also with `<=`, `>`, `>=`, `!=`"),
                    );
                    return None;
                }
            }
            if level > 0 {
                let forced = between == Between::Forced;
                nest.between.push(if forced { std::mem::take(&mut around.before) } else { Vec::new() });
            }
            in_body.push(around);
            let StmtKind::For { body, .. } = for_.kind else { return None };
            current = *body;
        }
        nest.body = with_statements(current, in_body);
        Some(nest)
    }

    pub(super) fn check_breaks(&mut self, body: &Stmt) {
        if let Some(span) = first_jump(body, Jump::Break) {
            self.emit(
                Diagnostic::error(ids::LOOP_BREAK, span, "`break` leaves a loop with a directive")
                    .note("the number of iterations of a parallel loop must be known before it starts"),
            );
        }
    }

    /// Bounds of inner loops do not depend on outer ones.
    pub(super) fn check_rectangular(&mut self, loops: &[CanonicalLoop], what: &str) {
        for (index, inner) in loops.iter().enumerate() {
            let parts = [(&inner.init, "initial value"), (&inner.bound, "bound"), (&inner.step, "step")];
            for (expr, part) in parts {
                let Some((outer, span)) = loops[..index]
                    .iter()
                    .find_map(|outer| first_use(expr, outer.var).map(|span| (outer, span)))
                else {
                    continue;
                };
                let name = self.var_text(outer.var);
                self.emit(
                    Diagnostic::error(
                        ids::LOOP_NOT_RECTANGULAR,
                        span,
                        format!("the {part} of this loop depends on `{name}` of an outer loop of the `{what}` nest"),
                    )
                    .related(outer.span, format!("the loop over `{name}`")),
                );
                return;
            }
        }
    }
}

/// `;` and `{}`.
fn is_empty(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Block(list) if list.iter().all(is_empty))
}

/// The `for` of a statement that is one, perhaps in braces.
fn spine_loop(stmt: &Stmt) -> Option<&Stmt> {
    match &stmt.kind {
        StmtKind::For { .. } => Some(stmt),
        StmtKind::Block(list) => match list.as_slice() {
            [one] => spine_loop(one),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a loop stands in the statement with nothing but braces and other statements around it.
fn holds_loop(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::For { .. } => true,
        StmtKind::Block(list) => list.iter().any(holds_loop),
        _ => false,
    }
}

fn split(stmt: Stmt) -> Split {
    let mut out = Split { loop_: None, around: Around::default() };
    let mut after: Vec<Vec<Stmt>> = Vec::new();
    let mut current = stmt;
    loop {
        match current.kind {
            StmtKind::Block(list) => {
                let Some(position) = list.iter().position(holds_loop) else {
                    out.around.before.extend(list);
                    break;
                };
                let mut rest = list;
                let tail = rest.split_off(position + 1);
                let Some(next) = rest.pop() else { break };
                out.around.before.extend(rest);
                after.push(tail);
                current = next;
            }
            StmtKind::For { .. } => {
                out.loop_ = Some(current);
                break;
            }
            _ => {
                out.around.before.push(current);
                break;
            }
        }
    }
    out.around.after.extend(after.into_iter().rev().flatten());
    out.around.before.retain(|stmt| !is_empty(stmt));
    out.around.after.retain(|stmt| !is_empty(stmt));
    out
}

/// Where an expression first uses a variable.
fn first_use(expr: &Expr, var: VarId) -> Option<Span> {
    variables(expr).into_iter().find_map(|(used, span)| (used == var).then_some(span))
}
