//! `declare mapper` (OpenMP 5.2, 5.8.8): what `map` and the motion clauses make of an object of a structure.
//!
//! The items of a mapper are analysed once, about a variable that stands for the object. Where an object is
//! mapped, its lvalue replaces the variable:
//!
//! ```text
//! declare mapper(vec v) map(v, v.p[0:v.n])        map(to: w)    copyin(w, w.p[0:w.n])
//! ```

use super::super::data::is_name;
use super::super::state::Mapper;
use super::super::visit::{VisitMut, walk_data_mut, walk_expr_mut};
use super::super::{clauses, ids};
use super::target::{around, modifiers};
use crate::ctype::{ArrayLen, CType, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive, MapperDeclaration, OmpMapKind, OmpMapModifiers};
use crate::sema::types::VlaMode;
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{MapKind, MapModifiers};
use std::sync::Arc;

/// Most elements of an array whose structures have a mapper.
const MOST_ELEMENTS: u64 = 64;

/// Mappers that one item needs inside of each other.
const MOST_NESTED: u32 = 4;

/// Items that a clause may become.
const MOST_ITEMS: usize = 1024;

/// The name of mappers without one.
const DEFAULT: &str = "default";

impl Sema<'_> {
    pub(super) fn declare_mapper(&mut self, directive: &Directive) {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let declaration = selected.iter().find_map(|clause| match &clause.kind {
            ClauseKind::DeclareMapper(declaration) => Some(&**declaration),
            _ => None,
        });
        let Some(MapperDeclaration { name, ty, var, span }) = declaration else { return };
        let ty = self.type_name(ty, VlaMode::Allowed);
        if ty.ty == TypeId::ERROR {
            return;
        }
        if !matches!(self.types.get(ty.ty), CType::Record(_)) || !self.types.is_complete(ty.ty) {
            let text = self.type_text(ty);
            let message = format!("a mapper is for a structure or union, which `{text}` is not");
            self.error(ids::MAPPER, *span, message);
            return;
        }
        self.enter_scope();
        let stands = self.new_var(Some(var.sym), QualType::plain(ty.ty), Storage::Auto, var.span);
        self.idents.bind(var.sym, Entity::Var(stands), var.span);
        let mut items = Vec::new();
        for clause in &selected {
            let ClauseKind::Map(kind, written, list) = &clause.kind else { continue };
            let mut found = Vec::new();
            self.data_items(MapKind::Copy, MapModifiers::default(), list, &mut found);
            items.extend(found.into_iter().map(|item| (*kind, *written, item)));
        }
        self.leave_scope();
        if let Some((_, _, other)) = items.iter().find(|(_, _, item)| item.var != stands) {
            let name = self.text(var.sym);
            let message = format!("a mapper maps parts of `{name}` only, which `{}` is not", other.name);
            self.error(ids::MAPPER, other.span, message);
            return;
        }
        let name = name.unwrap_or_else(|| self.session.interner.intern(DEFAULT));
        let here = self.mappers.depth();
        let mappers = &self.acc.mappers;
        let same = self.mappers.chain(name).take_while(|binding| binding.depth == here);
        let twice = same.filter(|binding| mappers[binding.entity].ty == ty.ty).map(|binding| binding.span);
        if let Some(first) = twice.last() {
            let text = self.type_text(ty);
            let message = format!("the mapper of `{text}` is declared twice in one scope");
            self.emit(Diagnostic::error(ids::MAPPER, *span, message).related(first, "first here"));
            return;
        }
        self.mappers.bind(name, self.acc.mappers.len(), *span);
        self.acc.mappers.push(Mapper { ty: ty.ty, var: stands, items });
    }

    /// The mapper of a type that a clause means.
    fn mapper_of(&mut self, ty: TypeId, written: OmpMapModifiers, span: Span) -> Option<usize> {
        if self.acc.mappers.is_empty() && written.mapper.is_none() {
            return None;
        }
        let name = written.mapper.unwrap_or_else(|| self.session.interner.intern(DEFAULT));
        let mappers = &self.acc.mappers;
        let found = self.mappers.chain(name).map(|binding| binding.entity).find(|&at| mappers[at].ty == ty);
        if found.is_none() && self.text(name) != DEFAULT {
            let (name, ty) = (self.text(name), self.type_text(QualType::plain(ty)));
            self.error(ids::MAPPER, span, format!("no mapper `{name}` is declared for `{ty}`"));
        }
        found
    }

    /// What is mapped of the items of a clause, by the mappers of their types.
    pub(super) fn mapped(
        &mut self,
        items: Vec<DataItem>,
        kind: OmpMapKind,
        written: OmpMapModifiers,
        meaning: fn(OmpMapKind) -> Option<MapKind>,
        out: &mut Vec<DataItem>,
    ) {
        for item in items {
            let element = self.element_type(&item);
            let Some(at) = element.and_then(|ty| self.mapper_of(ty, written, item.span)) else {
                out.push(item);
                continue;
            };
            let Some(objects) = self.objects(&item) else {
                let message = format!(
                    "a mapper for `{}` is supported for arrays of at most {MOST_ELEMENTS} structures, whose number is a constant",
                    item.name
                );
                self.error(ids::OMP_UNSUPPORTED, item.span, message);
                continue;
            };
            // The structures of an array are mapped together, and so is one behind a pointer that is a member
            // itself, whose members the runtime would look for beside that.
            let behind_member = match &item.shape {
                DataShape::Section { pointer, .. } => !matches!(pointer.kind, ExprKind::Var(_)),
                _ => false,
            };
            let is_alone = !behind_member && matches!(&objects[..], [(_, name)] if *name == item.name);
            let mapper = &self.acc.mappers[at];
            let (var, parts) = (mapper.var, mapper.items.clone());
            if !is_alone {
                out.push(item.clone());
            }
            for (object, name) in objects {
                for (own_kind, own, part) in &parts {
                    let kind = decayed(kind, *own_kind);
                    let released = || meaning(OmpMapKind::Release).filter(|_| kind == OmpMapKind::Alloc);
                    let Some(clause) = meaning(kind).or_else(released) else { continue };
                    let modifiers = MapModifiers {
                        required: item.modifiers.required,
                        ..modifiers(kind, OmpMapModifiers { always: written.always || own.always, ..*own })
                    };
                    let stands = &*self.var_text(var);
                    let rest = part.name.strip_prefix(stands).unwrap_or(&part.name);
                    let pointer = name.strip_prefix('*').filter(|pointer| is_name(pointer));
                    let name = match (pointer, rest.strip_prefix('.')) {
                        (Some(pointer), Some(member)) => format!("{pointer}->{member}").into(),
                        _ => format!("{name}{rest}").into(),
                    };
                    let (var_of_item, span) = (item.var, item.span);
                    let mut made =
                        DataItem { clause, modifiers, name, var: var_of_item, span, ..part.clone() };
                    let mut replace = Replace { var, object: &object };
                    let is_object = matches!(&part.shape, DataShape::Object(lvalue) if is_var(lvalue, var));
                    if is_alone && is_object {
                        // Of an element behind a pointer, the pointer is a part of the item.
                        made.shape = item.shape.clone();
                    }
                    walk_data_mut(&mut replace, std::slice::from_mut(&mut made));
                    if is_alone {
                        made.shape = self.behind_member(made.shape);
                    }
                    self.take_addresses(&made);
                    let first = out.len();
                    // Parts of other types have their own mappers.
                    match self.element_type(&made).is_some_and(|other| Some(other) != element) {
                        true if self.acc.mapping < MOST_NESTED && out.len() < MOST_ITEMS => {
                            self.acc.mapping += 1;
                            self.mapped(vec![made], kind, OmpMapModifiers::default(), meaning, out);
                            self.acc.mapping -= 1;
                        }
                        true => {
                            let message = format!(
                                "`{}` needs more mappers inside of each other than are supported",
                                made.name
                            );
                            self.error(ids::OMP_UNSUPPORTED, made.span, message);
                            return;
                        }
                        false => out.push(made),
                    }
                    if !is_alone {
                        let parts = out.split_off(first);
                        out.extend(parts.into_iter().filter(is_behind));
                    }
                }
            }
        }
    }

    /// Lets the mapper of its type say what is mapped of a variable without a clause, whose item is the one
    /// at `whole`.
    pub(in super::super) fn map_implicitly(
        &mut self,
        clause: MapKind,
        whole: usize,
        data: &mut Vec<DataItem>,
    ) {
        let kind = match clause {
            MapKind::Copy => OmpMapKind::ToFrom,
            MapKind::CopyIn => OmpMapKind::To,
            MapKind::CopyOut => OmpMapKind::From,
            MapKind::Create => OmpMapKind::Alloc,
            _ => return,
        };
        // Parts of the variable that clauses name are mapped as they say.
        let Some(item) = data.get(whole).cloned() else { return };
        if self.acc.mappers.is_empty() || data[..whole].iter().any(|other| other.var == item.var) {
            return;
        }
        let mut mapped = Vec::new();
        self.mapped(vec![item], kind, OmpMapModifiers::default(), around, &mut mapped);
        // The construct uses the variable itself, too.
        data.extend(mapped.into_iter().filter(is_behind));
    }

    /// The type of a mapped object, or of the elements of a mapped array.
    fn element_type(&self, item: &DataItem) -> Option<TypeId> {
        let ty = match &item.shape {
            DataShape::Object(object) | DataShape::Part { array: object, .. } => {
                self.types.innermost_element(object.ty).ty
            }
            DataShape::Section { pointer, rows, .. } if rows.is_empty() => {
                self.types.pointee(pointer.ty.ty)?.ty
            }
            DataShape::Section { .. } | DataShape::Pointer(_) => return None,
        };
        matches!(self.types.get(ty), CType::Record(_)).then_some(ty)
    }

    /// The objects that a mapped item consists of, with their names; none where their number is not known.
    fn objects(&mut self, item: &DataItem) -> Option<Vec<(Expr, Arc<str>)>> {
        let (pointer, runs) = match &item.shape {
            DataShape::Object(object) => {
                let CType::Array(element, length) = *self.types.get(object.ty.ty) else {
                    return Some(vec![(object.clone(), item.name.clone())]);
                };
                let ArrayLen::Known(count) = length else { return None };
                let pointer = self.to_rvalue(object.clone());
                return self.structures(pointer, element, 0, count, &item.name);
            }
            DataShape::Part { array, runs, .. } => (self.to_rvalue(array.clone()), runs),
            DataShape::Section { pointer, runs, .. } => (self.to_rvalue(pointer.clone()), runs),
            DataShape::Pointer(_) => return None,
        };
        let element = self.types.pointee(pointer.ty.ty)?;
        let size = self.types.size(element.ty).filter(|&size| size > 0)?;
        let lower = u64::try_from(self.const_int(&runs.lower)?).ok()?;
        let bytes = u64::try_from(self.const_int(&runs.bytes)?).ok()?;
        if !runs.strides.is_empty() {
            return None;
        }
        let name: Arc<str> = item.name.split('[').next().unwrap_or_default().into();
        self.structures(pointer, element, lower / size, bytes / size, &name)
    }

    fn structures(
        &mut self,
        pointer: Expr,
        element: QualType,
        first: u64,
        count: u64,
        name: &str,
    ) -> Option<Vec<(Expr, Arc<str>)>> {
        if count > MOST_ELEMENTS || !matches!(self.types.get(element.ty), CType::Record(_)) {
            return None;
        }
        let (span, ty) = (pointer.span, pointer.ty);
        let object = |index: u64| {
            let place = self.long(i128::from(index), span);
            let (pointer, place) = (Box::new(pointer.clone()), Box::new(place));
            let kind = ExprKind::PtrAdd { pointer, index: place, subtract: false };
            let address = Box::new(Expr { kind, ty, span });
            let lvalue = Expr { kind: ExprKind::Deref(address), ty: element, span };
            (lvalue, format!("{name}[{index}]").into())
        };
        Some((first..first.checked_add(count)?).map(object).collect())
    }
}

fn is_var(expr: &Expr, var: VarId) -> bool {
    matches!(expr.kind, ExprKind::Var(of) if of == var)
}

/// Whether an item is what a pointer leads to.
fn is_behind(item: &DataItem) -> bool {
    matches!(item.shape, DataShape::Section { .. })
}

/// What becomes of a part of a mapper in a clause (OpenMP 5.2, table 5.5).
fn decayed(clause: OmpMapKind, part: OmpMapKind) -> OmpMapKind {
    use OmpMapKind::{Alloc, Delete, From, Release, To, ToFrom};
    match (clause, part) {
        (Release | Delete | Alloc, _) => clause,
        (ToFrom, _) => part,
        (To, To | ToFrom) => To,
        (From, From | ToFrom) => From,
        (To | From, _) => Alloc,
    }
}

/// Puts an object in the place of the variable that stands for it.
struct Replace<'a> {
    var: VarId,
    object: &'a Expr,
}

impl VisitMut for Replace<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if is_var(expr, self.var) {
            *expr = self.object.clone();
        } else {
            walk_expr_mut(self, expr);
        }
    }
}
