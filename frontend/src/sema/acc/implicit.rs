//! Data attributes that nobody wrote: what a compute construct does with the variables its body uses
//! (OpenACC 3.3 sections 2.6.1, 2.6.2 and 2.5.14).

use super::data::{Behind, behind, covers, item_base};
use super::visit::{
    Visit, VisitMut, is_pure, root_var, same_expr, walk_expr, walk_expr_mut, walk_loop, walk_stmt,
    walk_stmt_mut,
};
use super::{Enclosing, ids};
use crate::ctype::{ArrayLen, CType, TypeId, TypeTable};
use crate::diag::Diagnostic;
use crate::directive::{DefaultKind, ImplicitMap};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, MapKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which variables a piece of code uses that are not its own.
pub(super) struct Uses<'a> {
    types: &'a TypeTable,
    /// Variables with the place of their first use, in the order of the source.
    pub list: Vec<(VarId, Span)>,
    seen: FxHashSet<VarId>,
    /// Declared in the code itself.
    own: FxHashSet<VarId>,
    /// How many enclosing loops have a private copy.
    private: FxHashMap<VarId, u32>,
    /// Variables in `reduction` clauses of loops, unless an enclosing loop has made them private.
    pub reduced: FxHashSet<VarId>,
    /// Types whose lengths have been looked at.
    types_seen: FxHashSet<TypeId>,
}

impl<'a> Uses<'a> {
    pub(super) fn of(types: &'a TypeTable, body: &Stmt) -> Self {
        let mut uses = Uses {
            types,
            list: Vec::new(),
            seen: FxHashSet::default(),
            own: FxHashSet::default(),
            private: FxHashMap::default(),
            reduced: FxHashSet::default(),
            types_seen: FxHashSet::default(),
        };
        uses.stmt(body);
        uses
    }

    fn used(&mut self, var: VarId, span: Span) {
        if !self.own.contains(&var) && self.private.get(&var).is_none_or(|n| *n == 0) && self.seen.insert(var)
        {
            self.list.push((var, span));
        }
    }

    /// The hidden variables that hold the lengths of a variably modified type.
    fn lengths(&mut self, ty: TypeId, span: Span) {
        if !self.types_seen.insert(ty) {
            return;
        }
        match *self.types.get(ty) {
            CType::Array(element, len) => {
                if let ArrayLen::Variable(var) = len {
                    self.used(var, span);
                }
                self.lengths(element.ty, span);
            }
            CType::Pointer(target) => self.lengths(target.ty, span),
            _ => {}
        }
    }
}

impl Visit for Uses<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declare(var, _) => {
                self.own.insert(*var);
                walk_stmt(self, stmt);
            }
            StmtKind::VlaSize(var, _) => {
                walk_stmt(self, stmt);
                self.own.insert(*var);
            }
            StmtKind::Loop(l) => {
                for item in &l.reductions {
                    if self.private.get(&item.var).is_none_or(|n| *n == 0) && !self.own.contains(&item.var) {
                        self.used(item.var, item.span);
                        self.reduced.insert(item.var);
                    }
                }
                let mut vars: Vec<VarId> = l.private.clone();
                vars.extend(l.loops.iter().map(|c| c.var));
                for var in &vars {
                    *self.private.entry(*var).or_insert(0) += 1;
                }
                walk_loop(self, l);
                for var in &vars {
                    if let Some(n) = self.private.get_mut(var) {
                        *n -= 1;
                    }
                }
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => {
                self.used(*var, expr.span);
                if self.types.is_variably_modified(expr.ty.ty) {
                    self.lengths(expr.ty.ty, expr.span);
                }
            }
            ExprKind::CompoundLiteral(var, _) => {
                self.own.insert(*var);
            }
            ExprKind::PtrAdd { .. } | ExprKind::PtrDiff(..) | ExprKind::Cast(..)
                if self.types.is_variably_modified(expr.ty.ty) =>
            {
                self.lengths(expr.ty.ty, expr.span);
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// What an implicit attribute makes of a variable.
enum Attribute {
    FirstPrivate,
    Map(MapKind, Box<DataShape>),
    /// What the pointer leads to, as far as the construct uses it.
    Used(Box<Expr>),
    Nothing,
}

impl Attribute {
    fn map(clause: MapKind, shape: DataShape) -> Self {
        Attribute::Map(clause, Box::new(shape))
    }
}

impl Sema<'_> {
    /// Adds the implicit attributes of the variables the construct's body uses.
    pub(super) fn implicit_attributes(&mut self, compute: &mut Compute, name: &str) {
        compute.firstprivate_written = compute.firstprivate.len();
        let uses = Uses::of(&self.types, &compute.body);
        let (list, reduced) = (uses.list, uses.reduced);
        for (var, span) in list {
            let written = compute.data.iter().any(|item| covers(item, var))
                || compute.private.contains(&var)
                || compute.firstprivate.contains(&var);
            if written || !self.check_host_data(var, span) {
                continue;
            }
            let on_construct = compute.reductions.iter().any(|item| item.var == var);
            match self.attribute(compute, name, var, span, reduced.contains(&var) || on_construct) {
                Attribute::FirstPrivate => compute.firstprivate.push(var),
                Attribute::Map(clause, shape) => {
                    let whole = compute.data.len();
                    self.add_implicit(compute, clause, var, *shape, span);
                    self.attach_members(compute, var);
                    if compute.defaultmap.is_some() {
                        self.map_implicitly(clause, whole, &mut compute.data);
                    }
                }
                Attribute::Used(pointer) => {
                    self.add_implicit(compute, MapKind::NoCreate, var, DataShape::Pointer(*pointer), span);
                    if let Some(item) = compute.data.last_mut() {
                        item.modifiers.by_use = true;
                    }
                }
                Attribute::Nothing => {}
            }
        }
        self.reduction_copies(compute);
        self.note_members(compute);
    }

    /// Sections through pointer members of `var` that a data construct around this one maps: the members of
    /// the device's copy of `var` must point to them.
    fn attach_members(&mut self, compute: &mut Compute, var: VarId) {
        let enclosing = self.acc.constructs.iter().filter_map(|construct| match construct {
            Enclosing::Data { items, .. } => Some(items),
            Enclosing::Compute { .. } | Enclosing::HostData { .. } | Enclosing::Loop => None,
        });
        for item in enclosing.flatten().filter(|item| item.var == var) {
            let DataShape::Section { pointer, runs, .. } = &item.shape else { continue };
            let written = compute.data.iter().any(|other| same_expr(item_base(other), pointer));
            if !written && self.is_part_of_variable(pointer) && runs.values().all(is_pure) {
                let clause = MapKind::NoCreate;
                compute.data.push(DataItem { clause, implicit: true, ..item.clone() });
            }
        }
    }

    /// `s.p`, `s.t.p`, `a[1].p`, `a[1]`: a part of a variable, not of what a pointer points to. A subscript
    /// that may have changed since could lead out of the array.
    fn is_part_of_variable(&self, lvalue: &Expr) -> bool {
        let base = match &lvalue.kind {
            ExprKind::Member(base, ..) => base,
            ExprKind::Deref(element) => match &element.kind {
                ExprKind::PtrAdd { pointer, index, .. } if self.const_int(index).is_some() => {
                    let ExprKind::Decay(array) = &pointer.kind else { return false };
                    array
                }
                _ => return false,
            },
            _ => return false,
        };
        matches!(base.kind, ExprKind::Var(_)) || self.is_part_of_variable(base)
    }

    /// Variables reduced by the construct itself that its body does not name.
    fn reduction_copies(&mut self, compute: &mut Compute) {
        for index in 0..compute.reductions.len() {
            let (var, span) = (compute.reductions[index].var, compute.reductions[index].span);
            let mapped = compute.data.iter().any(|item| covers(item, var))
                || compute.private.contains(&var)
                || compute.firstprivate.contains(&var);
            if mapped || !self.check_host_data(var, span) {
                continue;
            }
            let lvalue = self.var_lvalue(var, span);
            let (clause, shape) = match self.reduced_section(compute, var) {
                Some(section) => (MapKind::Copy, section),
                None if self.types.is_pointer(lvalue.ty.ty) => {
                    (MapKind::NoCreate, DataShape::Pointer(lvalue))
                }
                None => (MapKind::Copy, DataShape::Object(lvalue)),
            };
            self.add_implicit(compute, clause, var, shape, span);
        }
    }

    /// The section through a pointer that the construct, or the loop it is combined with, reduces.
    fn reduced_section(&mut self, compute: &Compute, var: VarId) -> Option<DataShape> {
        let combined = match &compute.body.kind {
            StmtKind::Loop(inner) if inner.span == compute.span => &inner.reductions[..],
            _ => &[],
        };
        let item = compute.reductions.iter().chain(combined).find(|item| item.var == var)?;
        let ((first, count), span) = (item.section.clone()?, item.span);
        let pointer = self.var_lvalue(var, span);
        let CType::Pointer(target) = *self.types.get(pointer.ty.ty) else { return None };
        if !is_pure(&first) || !is_pure(&count) {
            return None;
        }
        let element = self.types.innermost_element(target);
        let size = self.long_size(element.ty, span);
        let (lower, bytes) = (self.long_mul(first, size.clone()), self.long_mul(count, size));
        Some(DataShape::Section { pointer, runs: Runs::one(lower, bytes), rows: Vec::new() })
    }

    fn add_implicit(
        &mut self,
        compute: &mut Compute,
        clause: MapKind,
        var: VarId,
        shape: DataShape,
        span: Span,
    ) {
        let item = DataItem {
            clause,
            modifiers: accrue_ir::MapModifiers::default(),
            implicit: true,
            name: self.var_text(var).into(),
            var,
            shape,
            members: Vec::new(),
            span,
        };
        self.take_addresses(&item);
        compute.data.push(item);
    }

    fn attribute(
        &mut self,
        compute: &Compute,
        name: &str,
        var: VarId,
        span: Span,
        reduced: bool,
    ) -> Attribute {
        let object = &self.vars[var.0 as usize];
        let (ty, hidden) = (object.ty, object.name.is_none());
        if ty.ty == TypeId::ERROR {
            return Attribute::Nothing;
        }
        if let Some(attribute) = self.visible_clause(compute, var, span) {
            return attribute;
        }
        if hidden && self.types.is_scalar(ty.ty) {
            return Attribute::FirstPrivate;
        }
        if let Storage::Thread { .. } = self.vars[var.0 as usize].storage {
            let text = self.var_text(var);
            self.error(
                ids::THREAD_LOCAL_VARIABLE,
                span,
                format!("`{text}` is thread-local and cannot be used in a compute construct"),
            );
            return Attribute::Nothing;
        }
        let is_shared = compute
            .defaultmap
            .as_ref()
            .is_some_and(|map| map.shared.contains(&var) || map.back.contains(&var));
        if compute.default == Some(DefaultKind::None) && !reduced && !is_shared {
            let text = self.var_text(var);
            self.emit(
                Diagnostic::error(
                    ids::DEFAULT_NONE,
                    span,
                    format!("`{text}` is not in a data clause of the enclosing `{name}` construct, where `default(none)` holds"),
                )
                .related(compute.span, format!("the enclosing `{name}` construct")),
            );
            return Attribute::Nothing;
        }
        if let Some(map) = &compute.defaultmap {
            return self.omp_attribute(compute, &map.clone(), var, span);
        }
        let lvalue = self.var_lvalue(var, span);
        if self.types.is_pointer(ty.ty) {
            return match self.reduced_section(compute, var) {
                Some(section) => Attribute::map(MapKind::Copy, section),
                None if compute.maps_by_use && compute.default != Some(DefaultKind::Present) => {
                    Attribute::Used(Box::new(lvalue))
                }
                None => Attribute::map(MapKind::NoCreate, DataShape::Pointer(lvalue)),
            };
        }
        if !self.types.is_complete(ty.ty) {
            let (text, ty_text) = (self.var_text(var), self.type_text(ty));
            self.error(
                ids::NOT_MAPPABLE,
                span,
                format!("`{text}` of type `{ty_text}` has no known size and cannot be copied to the device"),
            );
            return Attribute::Nothing;
        }
        let scalar = self.types.is_scalar(ty.ty);
        let clause = if reduced {
            MapKind::Copy
        } else if scalar {
            if compute.kind != ConstructKind::Kernels {
                return Attribute::FirstPrivate;
            }
            if ty.quals.const_ { MapKind::CopyIn } else { MapKind::Copy }
        } else if compute.default == Some(DefaultKind::Present) {
            MapKind::Present
        } else if self.types.innermost_element(ty).quals.const_ || ty.quals.const_ {
            MapKind::CopyIn
        } else {
            MapKind::Copy
        };
        Attribute::map(clause, DataShape::Object(lvalue))
    }

    /// The same by the rules of OpenMP. What surrounds the construct does not matter: data that are present
    /// are not copied.
    fn omp_attribute(&mut self, compute: &Compute, map: &DefaultMap, var: VarId, span: Span) -> Attribute {
        let ty = self.vars[var.0 as usize].ty;
        let section = self.reduced_section(compute, var);
        // `defaultmap` is about what no clause names, be it by a member or by what a pointer leads to.
        let is_base = |item: &DataItem| root_var(item_base(item)) == Some(var);
        let is_named = section.is_some() || map.back.contains(&var) || compute.data.iter().any(is_base);
        let implicit = match is_named {
            true => Some(ImplicitMap::Default),
            false => self.implicit_map(map, var, span, compute.span),
        };
        let Some(implicit) = implicit else { return Attribute::Nothing };
        let lvalue = self.var_lvalue(var, span);
        let pointer = self.types.is_pointer(ty.ty);
        if let Some(section) = section {
            return Attribute::map(MapKind::Copy, section);
        }
        if !self.types.is_complete(ty.ty) {
            let (text, ty_text) = (self.var_text(var), self.type_text(ty));
            let message =
                format!("`{text}` of type `{ty_text}` has no known size and cannot be copied to the device");
            self.error(ids::NOT_MAPPABLE, span, message);
            return Attribute::Nothing;
        }
        let clause = match implicit {
            _ if map.back.contains(&var) => MapKind::Copy,
            ImplicitMap::Default | ImplicitMap::None if pointer => {
                let shape = self.by_element(compute, var).unwrap_or(DataShape::Pointer(lvalue));
                return Attribute::map(MapKind::NoCreate, shape);
            }
            ImplicitMap::Default | ImplicitMap::None if self.types.is_scalar(ty.ty) => {
                return Attribute::FirstPrivate;
            }
            ImplicitMap::Default | ImplicitMap::None => {
                let constant = self.types.innermost_element(ty).quals.const_ || ty.quals.const_;
                if constant { MapKind::CopyIn } else { MapKind::Copy }
            }
            ImplicitMap::FirstPrivate => return Attribute::FirstPrivate,
            ImplicitMap::Alloc => MapKind::Create,
            ImplicitMap::To => MapKind::CopyIn,
            ImplicitMap::From => MapKind::CopyOut,
            ImplicitMap::ToFrom => MapKind::Copy,
            ImplicitMap::Present => MapKind::Present,
        };
        Attribute::map(clause, DataShape::Object(lvalue))
    }

    /// Where clauses map members of one element behind a pointer, as in `map(p[i].x)`, the place of these
    /// tells where the pointer leads: what it points to itself may not be there.
    fn by_element(&mut self, compute: &Compute, var: VarId) -> Option<DataShape> {
        let mut first: Option<(DataShape, Option<Expr>)> = None;
        for item in &compute.data {
            // A section comes with the pointer that leads to it.
            let shape = match &item.shape {
                DataShape::Section { pointer, .. } => DataShape::Object(pointer.clone()),
                shape => shape.clone(),
            };
            let (DataShape::Object(object) | DataShape::Part { array: object, .. }) = &shape else {
                continue;
            };
            let Some(Behind { pointer, index, .. }) = behind(object) else { continue };
            if !matches!(pointer.kind, ExprKind::Var(of) if of == var) {
                continue;
            }
            // The first structure is where the pointer leads; which members of it are used is known.
            let target = self.types.pointee(pointer.ty.ty).and_then(|target| self.types.record(target.ty));
            let is_told = index.map_or(target.is_none(), is_pure);
            let is_same = |(_, known): &(DataShape, Option<Expr>)| match (index, known) {
                (Some(index), Some(known)) => same_expr(index, known),
                (index, known) => index.is_none() && known.is_none(),
            };
            if !is_told || !first.as_ref().is_none_or(is_same) {
                return None;
            }
            let index = index.cloned();
            first = first.or(Some((shape, index)));
        }
        let (shape, _) = first?;
        Some(self.behind_pointer(shape, |_, pointer| Some(pointer.clone())))
    }

    /// Whether a `declare` directive or a data construct around the statement being analysed names the
    /// variable.
    pub(super) fn is_named_outside(&self, var: VarId) -> bool {
        let mut constructs = self.acc.constructs.iter();
        self.vars[var.0 as usize].declare.is_some()
            || constructs.any(|construct| match construct {
                Enclosing::Data { items, .. } => items.iter().any(|item| covers(item, var)),
                Enclosing::Compute { .. } | Enclosing::HostData { .. } | Enclosing::Loop => false,
            })
    }

    /// What a `declare` directive or a data construct around the compute construct says of the variable.
    fn visible_clause(&mut self, compute: &Compute, var: VarId, span: Span) -> Option<Attribute> {
        // In OpenMP a scalar is `firstprivate` though it is mapped around the construct.
        let is_scalar = self.types.is_scalar(self.vars[var.0 as usize].ty.ty);
        let counts = compute.defaultmap.is_none() || !is_scalar;
        let enclosing =
            self.acc.constructs.iter().rev().filter(|_| counts).find_map(|construct| match construct {
                Enclosing::Data { items, .. } => {
                    let items: Vec<&DataItem> = items.iter().filter(|item| covers(item, var)).collect();
                    let whole = items.iter().position(|item| matches!(item.shape, DataShape::Object(_)));
                    let item = *items.get(whole.unwrap_or(0))?;
                    let is_other_part = |other: &&&DataItem| {
                        !std::ptr::eq(**other, item) && matches!(other.shape, DataShape::Part { .. })
                    };
                    let second = items.iter().find(is_other_part).filter(|_| whole.is_none());
                    Some((item, second.copied()))
                }
                _ => None,
            });
        let lvalue = self.var_lvalue(var, span);
        if let Some((item, second)) = enclosing {
            if let Some(second) = second {
                let diagnostic = self.two_sections(second, item);
                let name = self.var_text(var);
                self.emit(Diagnostic { primary: span, ..diagnostic }.note(format!(
                    "or put a clause on the compute construct that says which part of `{name}` it uses"
                )));
                return Some(Attribute::Nothing);
            }
            let (clause, shape) = match (&item.shape, item.clause) {
                (_, MapKind::DevicePtr) => (MapKind::DevicePtr, DataShape::Pointer(lvalue)),
                (DataShape::Section { .. } | DataShape::Pointer(_), _) => {
                    (MapKind::NoCreate, DataShape::Pointer(lvalue))
                }
                // Of an array the part that is present is used; another device may have nothing of it.
                (DataShape::Part { .. } | DataShape::Object(_), _) => {
                    (MapKind::Copy, DataShape::Object(lvalue))
                }
            };
            return Some(Attribute::map(clause, shape));
        }
        let object = &self.vars[var.0 as usize];
        let global = matches!(object.storage, Storage::Static { .. });
        // What follows `declare target` is declared by its end.
        let follows = self.acc.declare_targets.first().is_some_and(|&start| var.0 as usize >= start);
        let declared = object.declare.or((global && follows).then_some(MapKind::Create))?;
        Some(match declared {
            MapKind::DevicePtr => Attribute::map(MapKind::DevicePtr, DataShape::Pointer(lvalue)),
            MapKind::Link => Attribute::map(MapKind::Copy, DataShape::Object(lvalue)),
            _ if global => Attribute::Nothing,
            // The clause is about what the pointer leads to.
            MapKind::Present if self.types.is_pointer(object.ty.ty) => {
                Attribute::map(MapKind::NoCreate, DataShape::Pointer(lvalue))
            }
            _ => Attribute::map(MapKind::Present, DataShape::Object(lvalue)),
        })
    }
}

/// Gives compute constructs a private copy of the objects that only their loops have private copies of: code
/// of the construct must not refer to objects in memory that none of its clauses names. Whether an object is
/// in memory is known when its function is complete. `in_expressions`: some statements are in expressions.
pub(super) fn privatise_loop_objects(
    vars: &[Var],
    types: &TypeTable,
    body: &mut FunctionBody,
    in_expressions: bool,
) {
    struct Constructs<'a>(&'a [Var], &'a TypeTable, bool);
    impl VisitMut for Constructs<'_> {
        fn stmt(&mut self, stmt: &mut Stmt) {
            let StmtKind::Compute(compute) = &mut stmt.kind else {
                walk_stmt_mut(self, stmt);
                return;
            };
            let mut found = LoopObjects { in_expressions: self.2, ..LoopObjects::default() };
            found.stmt(&compute.body);
            for var in found.private {
                let object = &self.0[var.0 as usize];
                let in_memory = object.in_memory
                    || !self.1.is_scalar(object.ty.ty)
                    || matches!(object.storage, Storage::Static { .. } | Storage::Thread { .. });
                let named = compute.private.contains(&var)
                    || compute.firstprivate.contains(&var)
                    || compute.data.iter().any(|item| covers(item, var));
                if in_memory && !named && !found.own.contains(&var) {
                    compute.private.push(var);
                }
            }
        }

        fn expr(&mut self, expr: &mut Expr) {
            if self.2 {
                walk_expr_mut(self, expr);
            }
        }
    }
    let mut constructs = Constructs(vars, types, in_expressions);
    for stmt in &mut body.body {
        constructs.stmt(stmt);
    }
}

/// The private variables of loops, and the variables declared among them.
#[derive(Default)]
struct LoopObjects {
    in_expressions: bool,
    private: Vec<VarId>,
    own: FxHashSet<VarId>,
}

impl Visit for LoopObjects {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declare(var, _) => {
                self.own.insert(*var);
            }
            StmtKind::Loop(l) => {
                self.private.extend(&l.private);
                self.own.extend(l.loops.iter().filter(|c| c.declared).map(|c| c.var));
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        if self.in_expressions {
            walk_expr(self, expr);
        }
    }
}
