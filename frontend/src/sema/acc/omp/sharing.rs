//! Data sharing (OpenMP 5.2, 5.1): what each construct of the host's threads does with the variables of its
//! surroundings. Clauses decide, then `default`, then the rules for variables that nobody names.

use super::super::copies::Copies;
use super::super::ids;
use super::super::implicit::Uses;
use super::super::reduced::Reduced;
use super::super::sharing::{Attribute, Sharing};
use super::super::visit::{Visit, VisitMut, walk_expr};
use crate::ast;
use crate::ctype::QualType;
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, DefaultKind, Directive, Parts};
use crate::intern::Symbol;
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;
use accrue_ir::ConstructKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Clauses that say what happens to variables.
#[derive(Default)]
pub(super) struct DataClauses {
    pub shared: Vec<VarId>,
    pub private: Vec<VarId>,
    pub firstprivate: Vec<VarId>,
    pub lastprivate: Vec<VarId>,
    pub linear: Vec<(VarId, Option<Expr>)>,
    pub reductions: Vec<Reduced>,
    /// Those of `lastprivate` that get the value of the last assignment.
    pub conditional: Vec<VarId>,
    /// `reduction(inscan, ...)`.
    pub inscan: Vec<Reduced>,
    pub default: Option<DefaultKind>,
    /// What copies start with, where that is not the variable itself.
    pub starts: Vec<(VarId, VarId)>,
    /// Tasks may add to the private copies of the reductions.
    pub reduces_in_tasks: bool,
}

impl DataClauses {
    /// Variables that get a last value.
    pub fn given_back(&self) -> impl Iterator<Item = VarId> + '_ {
        self.lastprivate.iter().copied().chain(self.linear.iter().map(|&(var, _)| var))
    }

    /// What the clauses make of variables.
    pub fn attributes(&self) -> FxHashMap<VarId, Attribute> {
        let shared = self.shared.iter().map(|&var| (var, Attribute::Shared));
        let linear = self.linear.iter().map(|(var, _)| var);
        let reduced = self.reductions.iter().chain(&self.inscan).map(|item| &item.var);
        let private = self.private.iter().chain(&self.lastprivate).chain(linear).chain(reduced);
        let private = private.map(|&var| (var, Attribute::Private));
        let firstprivate = self.firstprivate.iter().map(|&var| (var, Attribute::FirstPrivate));
        shared.chain(private).chain(firstprivate).collect()
    }
}

impl Sema<'_> {
    /// The variable that an item of a clause is, or is a section of.
    pub(super) fn item_variable(&self, item: &ast::Expr) -> Option<VarId> {
        match &item.kind {
            ast::ExprKind::Index(base, _) | ast::ExprKind::Section(base, ..) => self.item_variable(base),
            ast::ExprKind::Ident(name) => match self.lookup(*name)? {
                Entity::Var(var) => Some(var),
                _ => None,
            },
            _ => None,
        }
    }

    /// The variables that a clause says something about.
    pub(super) fn named_in(&self, clause: &Clause) -> Vec<VarId> {
        let items = match &clause.kind {
            ClauseKind::Private(items)
            | ClauseKind::FirstPrivate(items)
            | ClauseKind::LastPrivate(items)
            | ClauseKind::ConditionalLastPrivate(items)
            | ClauseKind::Shared(items)
            | ClauseKind::Linear(items, _)
            | ClauseKind::Reduction(_, items)
            | ClauseKind::ReductionOfTasks(_, items)
            | ClauseKind::InReduction(_, items)
            | ClauseKind::TaskReduction(_, items)
            | ClauseKind::InscanReduction(_, items) => items,
            _ => return Vec::new(),
        };
        items.iter().filter_map(|item| self.item_variable(item)).collect()
    }

    /// The clauses about variables among those of a directive.
    pub(super) fn data_clauses(&mut self, clauses: &[&Clause]) -> DataClauses {
        self.check_repeated_private(clauses);
        let mut out = DataClauses::default();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Shared(items) => {
                    for item in items {
                        let var = self.plain_variable("shared", item);
                        out.shared.extend(var.filter(|var| !out.shared.contains(var)));
                    }
                }
                ClauseKind::Private(items) => self.private_vars("private", items, &mut out.private),
                ClauseKind::FirstPrivate(items) => {
                    self.private_vars("firstprivate", items, &mut out.firstprivate);
                }
                ClauseKind::LastPrivate(items) => {
                    self.private_vars("lastprivate", items, &mut out.lastprivate);
                }
                ClauseKind::ConditionalLastPrivate(items) => {
                    let mut vars = Vec::new();
                    self.private_vars("lastprivate", items, &mut vars);
                    self.scalars_only(clause, &mut vars);
                    out.conditional.extend(&vars);
                    out.lastprivate.extend(vars);
                }
                ClauseKind::Linear(items, step) => {
                    let step = step.as_ref().map(|step| self.rvalue(step));
                    let mut vars = Vec::new();
                    self.private_vars("linear", items, &mut vars);
                    out.linear.extend(vars.into_iter().map(|var| (var, step.clone())));
                }
                ClauseKind::Reduction(op, items) | ClauseKind::TaskReduction(op, items) => {
                    self.reduced_items(*op, items, &mut out.reductions);
                }
                ClauseKind::InReduction(op, items) => {
                    let first = out.reductions.len();
                    self.reduced_items(*op, items, &mut out.reductions);
                    out.reductions[first..].iter_mut().for_each(|item| item.participates = true);
                }
                ClauseKind::ReductionOfTasks(op, items) => {
                    self.reduced_items(*op, items, &mut out.reductions);
                    out.reduces_in_tasks = true;
                }
                ClauseKind::InscanReduction(name, items) => {
                    self.reduced_items(*name, items, &mut out.inscan);
                }
                ClauseKind::Default(kind) => out.default = Some(*kind),
                ClauseKind::Allocate(allocator, align, items) => {
                    self.allocate_clause(allocator.as_ref(), align.as_ref(), items);
                }
                _ => {}
            }
        }
        self.check_one_attribute(&out, clauses);
        out
    }

    /// A variable has one attribute, but for `firstprivate` with `lastprivate`.
    fn check_one_attribute(&mut self, data: &DataClauses, clauses: &[&Clause]) {
        let reduced: Vec<VarId> = data.reductions.iter().chain(&data.inscan).map(|item| item.var).collect();
        let linear: Vec<VarId> = data.linear.iter().map(|&(var, _)| var).collect();
        let lists: [(&str, &[VarId]); 6] = [
            ("shared", &data.shared),
            ("private", &data.private),
            ("firstprivate", &data.firstprivate),
            ("lastprivate", &data.lastprivate),
            ("linear", &linear),
            ("reduction", &reduced),
        ];
        for (at, (first, vars)) in lists.iter().enumerate() {
            for (second, others) in &lists[at + 1..] {
                if (*first, *second) == ("firstprivate", "lastprivate") {
                    continue;
                }
                let Some(var) = vars.iter().find(|var| others.contains(var)) else { continue };
                let name = self.var_text(*var);
                let span = clauses.iter().find(|clause| clause.row.name == *second);
                let span = span.map_or(self.vars[var.0 as usize].span, |clause| clause.span);
                let message = format!("`{name}` is in `{first}` and `{second}` of one construct");
                self.error(ids::DUPLICATE_VARIABLE, span, message);
            }
        }
    }

    /// Starts a construct that has attributes of its own.
    pub(super) fn enter_sharing(&mut self, kind: Option<ConstructKind>, data: &DataClauses) {
        let (mut attributes, default) = (data.attributes(), data.default);
        for item in data.reductions.iter().chain(&data.inscan) {
            // Of a section behind a pointer, the elements are what is reduced.
            if self.types.is_pointer(self.vars[item.var.0 as usize].ty.ty) {
                attributes.insert(item.var, Attribute::FirstPrivate);
            }
        }
        let outside = self.vars.len();
        let (ordered, doacross, cancel) = (None, None, None);
        let is_league = false;
        let made = Sharing { kind, outside, attributes, default, ordered, doacross, is_league, cancel };
        self.acc.sharing.push(made);
    }

    /// Ends it.
    pub(super) fn leave_sharing(&mut self) {
        self.acc.sharing.pop();
    }

    /// Whether all threads of the innermost team have a variable in common, as far as the constructs around
    /// tell: what a task that does not name the variable shares.
    fn is_shared_by_team(&self, var: VarId) -> bool {
        for around in self.acc.sharing.iter().rev() {
            if var.0 as usize >= around.outside {
                return false;
            }
            match (around.attributes.get(&var), around.kind, around.default) {
                (Some(Attribute::Private | Attribute::FirstPrivate), ..) => return false,
                (Some(Attribute::Shared), Some(ConstructKind::Team), _) => return true,
                (None, Some(_), Some(DefaultKind::FirstPrivate | DefaultKind::Private)) => return false,
                (None, Some(ConstructKind::Team), _) => return true,
                (Some(Attribute::Shared) | None, ..) => {}
            }
        }
        false
    }

    /// What a thread of the innermost team has for itself, as far as the constructs around tell.
    fn is_private_in_team(&self, var: VarId) -> bool {
        let is_static = matches!(self.vars[var.0 as usize].storage, Storage::Static { .. });
        let team = self.acc.sharing.iter().rev().find(|around| around.kind.is_some());
        team.filter(|team| team.kind == Some(ConstructKind::Team)).is_some_and(|team| {
            match (team.attributes.get(&var), team.default) {
                (Some(attribute), _) => *attribute != Attribute::Shared,
                (None, _) if var.0 as usize >= team.outside => !is_static,
                (None, default) => matches!(default, Some(DefaultKind::FirstPrivate | DefaultKind::Private)),
            }
        })
    }

    /// An error for clauses of which a directive has one at most.
    pub(super) fn check_one_of(&mut self, clauses: &[&Clause], first: &str, second: &str) {
        let has = |name| clauses.iter().find(|clause| clause.row.name == name);
        if let (Some(_), Some(clause)) = (has(first), has(second)) {
            let message = format!("`{first}` and `{second}` exclude each other");
            self.error(ids::CONFLICTING_CLAUSES, clause.span, message);
        }
    }

    /// What threads combine or give back belongs to all of them.
    pub(super) fn check_common(&mut self, directive: &Directive, clauses: &[&Clause]) {
        if !directive.parts.has(Parts::PARALLEL) {
            self.check_first(clauses);
        }
        for clause in clauses {
            let (ClauseKind::LastPrivate(items)
            | ClauseKind::ConditionalLastPrivate(items)
            | ClauseKind::Reduction(_, items)
            | ClauseKind::ReductionOfTasks(_, items)
            | ClauseKind::InscanReduction(_, items)) = &clause.kind
            else {
                continue;
            };
            for item in items {
                let Some(var) = self.item_variable(item).filter(|&var| self.is_private_in_team(var)) else {
                    continue;
                };
                // Through pointers of their own, threads may come to the same elements.
                if self.types.is_pointer(self.vars[var.0 as usize].ty.ty) {
                    continue;
                }
                let (name, what) = (self.var_text(var), clause.row.name);
                let message = format!("`{name}` in `{what}`: each thread of the `parallel` has its own");
                let note = "declare it outside of `parallel`, and let no clause there make it private";
                self.emit(Diagnostic::error(ids::DATA_ITEM, item.span, message).note(note));
            }
        }
    }

    /// What threads that share work begin with is the team's, too: a clause of `parallel` that gives each
    /// thread a copy leaves none.
    fn check_first(&mut self, clauses: &[&Clause]) {
        for clause in clauses {
            let ClauseKind::FirstPrivate(items) = &clause.kind else { continue };
            for item in items {
                let Some(var) = self.item_variable(item) else { continue };
                let team = self.acc.sharing.iter().rev().find(|around| around.kind.is_some());
                let team = team.filter(|team| team.kind == Some(ConstructKind::Team));
                let is_copied = team
                    .and_then(|team| team.attributes.get(&var))
                    .is_some_and(|attribute| *attribute != Attribute::Shared);
                if is_copied && !self.types.is_pointer(self.vars[var.0 as usize].ty.ty) {
                    let name = self.var_text(var);
                    let message =
                        format!("`{name}` in `firstprivate`: each thread of the `parallel` has its own");
                    let note = "leave the clause out: a thread may use its own copy";
                    self.emit(Diagnostic::error(ids::DATA_ITEM, item.span, message).note(note));
                }
            }
        }
    }

    /// A variable that one thread hands to the others is one that each of them has.
    pub(super) fn check_given(&mut self, var: VarId, span: Span) {
        let is_copied = |around: &Sharing| {
            matches!(around.attributes.get(&var), Some(Attribute::Private | Attribute::FirstPrivate))
        };
        let is_shared = match self.vars[var.0 as usize].storage {
            Storage::Thread { .. } => false,
            Storage::Static { .. } => !self.acc.sharing.iter().any(is_copied),
            Storage::Auto | Storage::Param(_) => self.is_shared_by_team(var),
        };
        if is_shared {
            let message = format!("`{}` in `copyprivate`: all threads share it", self.var_text(var));
            let note = "`copyprivate` takes variables that are `private` or `threadprivate`";
            self.emit(Diagnostic::error(ids::DATA_ITEM, span, message).note(note));
        }
    }

    /// What a construct does with the variables of its surroundings that its body uses. The construct is the
    /// innermost of [`super::super::State::sharing`] no more.
    pub(super) fn captures(
        &mut self,
        sharing: &Sharing,
        body: &mut Stmt,
        directive: Span,
    ) -> Vec<(VarId, CaptureKind)> {
        let uses = Uses::of(&self.types, body).list;
        let written = Written::of(body);
        let mut captures = Vec::new();
        let mut copies = Vec::new();
        for (var, span) in uses {
            if var.0 as usize >= sharing.outside || self.acc.locks.contains(&var) {
                continue;
            }
            let object = &self.vars[var.0 as usize];
            let is_private = |around: &Sharing| {
                matches!(around.attributes.get(&var), Some(Attribute::Private | Attribute::FirstPrivate))
            };
            let is_static = matches!(object.storage, Storage::Static { .. } | Storage::Thread { .. })
                && !self.acc.sharing.iter().any(is_private);
            let kind = match (sharing.attributes.get(&var), sharing.default) {
                (Some(Attribute::Shared | Attribute::Private), _) => CaptureKind::Shared,
                (Some(Attribute::FirstPrivate), _) => CaptureKind::FirstPrivate,
                // What the compiler has made, a length for instance, does not change.
                _ if object.name.is_none() => CaptureKind::FirstPrivate,
                _ if matches!(object.storage, Storage::Thread { .. }) => continue,
                (None, Some(default)) if self.must_be_named(var, default) => {
                    self.no_attribute(var, span, directive, default);
                    continue;
                }
                (None, Some(DefaultKind::FirstPrivate)) => CaptureKind::FirstPrivate,
                (None, Some(DefaultKind::Private)) => {
                    copies.push(var);
                    continue;
                }
                (None, Some(DefaultKind::Shared)) => CaptureKind::Shared,
                (None, Some(DefaultKind::None | DefaultKind::Present) | None) => {
                    let is_task = sharing.kind == Some(ConstructKind::Task);
                    match is_static || !is_task || self.is_shared_by_team(var) {
                        true => CaptureKind::Shared,
                        false => CaptureKind::FirstPrivate,
                    }
                }
            };
            // One with static storage needs no capture, but a private copy that stands for it in a construct
            // around does.
            if kind == CaptureKind::Shared
                && (sharing.kind == Some(ConstructKind::Task) || written.vars.contains(&var))
            {
                // An array of variable length is known by its address anyway.
                self.vars[var.0 as usize].in_memory = true;
            }
            captures.push((var, kind));
        }
        // The runtime's copies lie as close together as their types allow.
        let is_allocated = |&(var, kind): &(VarId, CaptureKind)| {
            let object = &self.vars[var.0 as usize];
            kind == CaptureKind::FirstPrivate && object.copies_align.is_some()
        };
        let allocated: Vec<VarId> =
            captures.iter().copied().filter(is_allocated).map(|(var, _)| var).collect();
        if !allocated.is_empty() {
            let taken = std::mem::replace(&mut body.kind, StmtKind::Block(Vec::new()));
            *body = self.with_copies(Stmt { kind: taken, span: body.span }, &[], &allocated);
        }
        if !copies.is_empty() {
            let taken = std::mem::replace(&mut body.kind, StmtKind::Block(Vec::new()));
            let copied = Stmt { kind: taken, span: body.span };
            *body = self.with_private(copied, &copies);
        }
        captures
    }

    /// What `default` of `teams` on the host makes of the variables of its surroundings that its body uses
    /// and that are not known otherwise.
    pub(super) fn default_of_league(
        &mut self,
        directive: &Directive,
        (known, outside): (&[VarId], usize),
        body: &Stmt,
        own: &mut DataClauses,
    ) {
        let default = directive.clauses.iter().find_map(|clause| match clause.kind {
            ClauseKind::Default(kind) => Some(kind),
            _ => None,
        });
        let Some(default) =
            default.filter(|kind| !matches!(kind, DefaultKind::Shared | DefaultKind::Present))
        else {
            return;
        };
        for (var, span) in Uses::of(&self.types, body).list {
            let object = &self.vars[var.0 as usize];
            let is_thread = matches!(object.storage, Storage::Thread { .. });
            let has_rule = object.name.is_none() || is_thread || self.acc.locks.contains(&var);
            if var.0 as usize >= outside || has_rule || known.contains(&var) {
                continue;
            }
            match default {
                _ if self.must_be_named(var, default) => {
                    self.no_attribute(var, span, directive.name_span, default);
                }
                DefaultKind::Private => own.private.push(var),
                _ => own.firstprivate.push(var),
            }
        }
    }

    /// Whether `default` leaves a variable without a rule: that of `firstprivate` and `private` is not about
    /// variables of file scope.
    fn must_be_named(&self, var: VarId, default: DefaultKind) -> bool {
        let is_of_file = |name: Symbol| {
            let mut bindings = self.idents.chain(name);
            bindings
                .any(|binding| binding.depth == 0 && matches!(binding.entity, Entity::Var(at) if at == var))
        };
        match default {
            DefaultKind::None => true,
            DefaultKind::FirstPrivate | DefaultKind::Private => {
                self.vars[var.0 as usize].name.is_some_and(is_of_file)
            }
            DefaultKind::Shared | DefaultKind::Present => false,
        }
    }

    fn no_attribute(&mut self, var: VarId, span: Span, directive: Span, default: DefaultKind) {
        let name = self.var_text(var);
        let (kind, why) = match default {
            DefaultKind::FirstPrivate => ("firstprivate", ": that is not about variables of file scope"),
            DefaultKind::Private => ("private", ": that is not about variables of file scope"),
            DefaultKind::None | DefaultKind::Shared | DefaultKind::Present => ("none", ""),
        };
        self.emit(
            Diagnostic::error(
                ids::DEFAULT_NONE,
                span,
                format!("`{name}` is in no clause of the construct, which has `default({kind})`{why}"),
            )
            .related(directive, "the construct")
            .note(format!("write `shared({name})` or `firstprivate({name})`")),
        );
    }

    /// A new variable like another one.
    pub(super) fn copy_of(&mut self, var: VarId) -> VarId {
        let object = &self.vars[var.0 as usize];
        let (name, ty, span) = (object.name, QualType::plain(object.ty.ty), object.span);
        let (align, in_memory) = (object.align.max(object.copies_align), object.in_memory);
        let copy = self.new_var(name, ty, Storage::Auto, span);
        let object = &mut self.vars[copy.0 as usize];
        (object.align, object.in_memory) = (align, object.in_memory || in_memory);
        copy
    }

    /// Gives a body copies of its own of variables, without values.
    pub(super) fn with_private(&mut self, mut body: Stmt, vars: &[VarId]) -> Stmt {
        if vars.is_empty() {
            return body;
        }
        let span = body.span;
        let mut copies = Copies(FxHashMap::default());
        let mut list = Vec::new();
        for &var in vars {
            let copy = self.copy_of(var);
            copies.0.insert(var, copy);
            list.push(super::code::declare(copy, None, span));
        }
        copies.stmt(&mut body);
        list.push(body);
        super::code::block(list, span)
    }
}

/// Variables that code may write, or that it takes the address of.
#[derive(Default)]
pub(super) struct Written {
    pub vars: FxHashSet<VarId>,
}

impl Written {
    pub fn of(body: &Stmt) -> Written {
        let mut written = Written::default();
        written.stmt(body);
        written
    }

    fn root(&mut self, lvalue: &Expr) {
        match &lvalue.kind {
            ExprKind::Var(var) => _ = self.vars.insert(*var),
            ExprKind::Member(base, ..) | ExprKind::Part(base, _) => self.root(base),
            _ => {}
        }
    }
}

impl Visit for Written {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Atomic(atomic) = &stmt.kind {
            match &**atomic {
                Atomic::Read { v, .. } => self.root(v),
                Atomic::Write { x, .. } => self.root(x),
                Atomic::Update { x, capture, .. } => {
                    self.root(x);
                    capture.iter().for_each(|(v, _)| self.root(v));
                }
                Atomic::Exchange { v, x, .. } => [v, x].into_iter().for_each(|lvalue| self.root(lvalue)),
                Atomic::Compare(compare) => {
                    self.root(&compare.x);
                    compare.capture.iter().for_each(|(v, _)| self.root(v));
                    compare.result.iter().for_each(|r| self.root(r));
                }
            }
        }
        super::super::visit::walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::IncDec { target, .. }
            | ExprKind::AddrOf(target) => self.root(target),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// The variables that the loops of a nest count with, where they are not declared there: outermost first.
pub(super) fn loop_variables(sema: &Sema<'_>, statement: &ast::Stmt, loops: u32) -> Vec<VarId> {
    let outside = for_starts(statement, loops).into_iter().filter_map(|init| match init {
        ast::ForInit::Expr(first) => assigned_name(first),
        _ => None,
    });
    let var = |name| match sema.lookup(name) {
        Some(crate::sema::Entity::Var(var)) => Some(var),
        _ => None,
    };
    outside.filter_map(var).collect()
}

/// The names that the loops of a nest count with, outermost first.
pub(super) fn loop_names(statement: &ast::Stmt, loops: u32) -> Vec<Option<Symbol>> {
    let name = |init: &ast::ForInit| match init {
        ast::ForInit::Expr(first) => assigned_name(first),
        ast::ForInit::Declaration(declaration) => {
            declaration.declarators.first()?.declarator.name.map(|name| name.sym)
        }
        ast::ForInit::None => None,
    };
    for_starts(statement, loops).into_iter().map(name).collect()
}

fn assigned_name(first: &ast::Expr) -> Option<Symbol> {
    let ast::ExprKind::Assign(target, _) = &first.kind else { return None };
    match target.kind {
        ast::ExprKind::Ident(name) => Some(name),
        _ => None,
    }
}

/// How the loops of a nest begin, outermost first.
fn for_starts(statement: &ast::Stmt, loops: u32) -> Vec<&ast::ForInit> {
    let mut found = Vec::new();
    let mut next = Some(statement);
    while let Some(stmt) = next
        && found.len() < loops as usize
    {
        next = match &stmt.kind {
            ast::StmtKind::Compound(items) => items.iter().find_map(|item| match item {
                ast::BlockItem::Stmt(inner) if holds_loop(inner) => Some(inner),
                _ => None,
            }),
            ast::StmtKind::For { init, body, .. } => {
                found.push(init);
                Some(body)
            }
            _ => None,
        };
    }
    found
}

/// Whether a loop stands in the statement with nothing but braces and other statements around it.
fn holds_loop(stmt: &ast::Stmt) -> bool {
    match &stmt.kind {
        ast::StmtKind::Compound(items) => {
            items.iter().any(|item| matches!(item, ast::BlockItem::Stmt(inner) if holds_loop(inner)))
        }
        ast::StmtKind::For { .. } => true,
        _ => false,
    }
}
