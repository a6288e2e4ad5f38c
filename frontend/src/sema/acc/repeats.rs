//! Variables that one directive names twice.
//!
//! OpenACC 3.3 forbids it on `declare` only (section 2.13). Elsewhere a clause that says again what another
//! has said is worth a warning; an error are clauses that contradict each other, and two addresses for one
//! variable of a region.

use super::data::{attaches, item_base};
use super::ids;
use super::reduced::Reduced;
use super::subarrays::without_brackets;
use super::text::expr_text;
use super::visit::{is_pure, same_expr};
use crate::ast;
use crate::clause_table::data_name;
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind};
use crate::sema::Sema;
use crate::typed::*;
use accrue_ir::{MapKind, MapModifiers};

/// What a directive does with two items about one variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repeats {
    /// A compute construct, `host_data`: the variable has one address inside, so that it has one section.
    OneAddress,
    /// A compute construct of OpenMP: the same, but a pointer member of a structure may be mapped with what
    /// it points to.
    OneAddressOfVariable,
    /// `data`: each section is mapped, once.
    EachSection,
    /// `enter data`, `exit data`: each item counts, as the specification says (section 2.6.7).
    Counted,
}

impl Sema<'_> {
    /// Warns of variables that stand in two items of one directive; items that say the same become one.
    pub(super) fn resolve_repeats(&mut self, items: &mut Vec<DataItem>, repeats: Repeats) {
        let mut kept: Vec<DataItem> = Vec::with_capacity(items.len());
        for item in items.drain(..) {
            let base = item_base(&item);
            let of_variable =
                |other: &&mut DataItem| !attaches(other.clause) && same_expr(item_base(other), base);
            let mut others: Vec<&mut DataItem> = kept.iter_mut().filter(of_variable).collect();
            if attaches(item.clause) || others.is_empty() {
                kept.push(item);
                continue;
            }
            let device = |clause| clause == MapKind::DevicePtr;
            let contradicts = others.iter().find(|other| device(other.clause) != device(item.clause));
            if let Some(first) = contradicts {
                let diagnostic = self.contradiction(&item, first);
                self.emit(diagnostic);
                continue;
            }
            let is_same = |other: &&mut &mut DataItem| {
                same_part(&other.shape, &item.shape)
                    || self.is_whole(&other.shape, &item.shape)
                    || self.is_whole(&item.shape, &other.shape)
            };
            match others.iter_mut().find(is_same) {
                Some(first) => {
                    // What two `map` clauses of OpenMP say of one variable counts together.
                    if repeats != Repeats::OneAddressOfVariable || first.clause == item.clause {
                        let diagnostic = self.repetition(&item, first, repeats);
                        self.emit(diagnostic);
                    }
                    if repeats == Repeats::Counted {
                        kept.push(item);
                    } else {
                        first.clause = both(first.clause, item.clause);
                        first.modifiers = all_modifiers(first.clause, first.modifiers, item.modifiers);
                    }
                }
                None if repeats == Repeats::OneAddress
                    || repeats == Repeats::OneAddressOfVariable && matches!(base.kind, ExprKind::Var(_)) =>
                {
                    let diagnostic = self.two_sections(&item, others[0]);
                    self.emit(diagnostic);
                }
                None => kept.push(item),
            }
        }
        *items = kept;
    }

    /// What the `map` clauses of one data directive of OpenMP say of the same storage in different ways
    /// counts together, and once: `to` beside `from`, `alloc` beside `to`, in any order.
    pub(super) fn unite_maps(&mut self, items: &mut Vec<DataItem>) {
        let mut kept: Vec<DataItem> = Vec::with_capacity(items.len());
        for item in items.drain(..) {
            let is_same = |other: &&mut DataItem| {
                other.clause != item.clause
                    && !attaches(other.clause)
                    && same_expr(item_base(other), item_base(&item))
                    && same_part(&other.shape, &item.shape)
            };
            match kept.iter_mut().find(is_same).filter(|_| !attaches(item.clause)) {
                Some(first) => {
                    first.clause = both(first.clause, item.clause);
                    first.modifiers = all_modifiers(first.clause, first.modifiers, item.modifiers);
                }
                None => kept.push(item),
            }
        }
        *items = kept;
    }

    /// Whether a section of an array is the whole of it, `a[0:N]` of `float a[N]`, and the other item is
    /// that.
    fn is_whole(&self, object: &DataShape, part: &DataShape) -> bool {
        let (DataShape::Object(object), DataShape::Part { runs, rows, .. }) = (object, part) else {
            return false;
        };
        let number = |expr| self.const_int(expr);
        let size = self.types.size(object.ty.ty);
        rows.is_empty()
            && runs.strides.is_empty()
            && number(&runs.lower) == Some(0)
            && number(&runs.bytes).is_some_and(|bytes| size.is_some_and(|size| bytes == i128::from(size)))
    }

    /// How messages call the object of an item, without its section.
    fn base_text(&self, item: &DataItem) -> String {
        match item_base(item).kind {
            ExprKind::Var(var) => self.var_text(var),
            _ => item.name.to_string(),
        }
    }

    fn contradiction(&self, item: &DataItem, first: &DataItem) -> Diagnostic {
        let (name, clause) = (self.base_text(item), data_name(item.clause));
        let message = format!(
            "`{name}` is in `{}` and in `{clause}`, which exclude each other",
            data_name(first.clause)
        );
        Diagnostic::error(ids::DUPLICATE_VARIABLE, item.span, message).related(first.span, "first here")
    }

    fn repetition(&self, item: &DataItem, first: &DataItem, repeats: Repeats) -> Diagnostic {
        let name_of = |item: &DataItem| match repeats {
            Repeats::OneAddressOfVariable => "map",
            _ => data_name(item.clause),
        };
        let (clause, before) = (name_of(item), name_of(first));
        let clauses = match clause == before {
            true => format!("twice in `{clause}`"),
            false => format!("in `{before}` and in `{clause}`"),
        };
        let mut message = format!("`{}` is {clauses} of one directive", item.name);
        let mut note = "naming it once is enough".to_owned();
        if repeats == Repeats::Counted {
            message.push_str(": its reference counter changes twice");
            "name it once, unless that is meant".clone_into(&mut note);
        } else if clause != before {
            note = format!("treated as `{}`", data_name(both(first.clause, item.clause)));
        }
        Diagnostic::warning(ids::REPEATED_VARIABLE, item.span, message)
            .related(first.span, "first here")
            .note(note)
    }

    /// The error for two different sections where a variable has one address.
    pub(super) fn two_sections(&self, item: &DataItem, first: &DataItem) -> Diagnostic {
        let message = format!(
            "`{}` and `{}` are two parts of one variable, which has one address here",
            first.name, item.name
        );
        Diagnostic::error(ids::TWO_SECTIONS, item.span, message)
            .related(first.span, "the first part")
            .note("name a section that contains both")
    }

    /// Warns of items that stand twice in `private`, or twice in `firstprivate`. A variable has one private
    /// copy, so two different sections of it are an error.
    pub(super) fn check_repeated_private(&mut self, clauses: &[&Clause]) {
        let mut seen: Vec<(&str, String, String, &ast::Expr)> = Vec::new();
        for clause in clauses {
            let (name, items) = match &clause.kind {
                ClauseKind::Private(items) => ("private", items),
                ClauseKind::FirstPrivate(items) => ("firstprivate", items),
                _ => continue,
            };
            for item in items {
                let text = expr_text(item, &self.session.interner);
                let var = expr_text(without_brackets(item), &self.session.interner);
                let first = seen.iter().find(|(other, base, ..)| *other == name && *base == var);
                if let Some((_, _, before, first)) = first {
                    let message = format!("`{var}` is twice in `{name}` of one directive");
                    let diagnostic = if *before == text {
                        Diagnostic::warning(ids::REPEATED_VARIABLE, item.span, message)
                            .note("naming it once is enough")
                    } else {
                        Diagnostic::error(ids::DUPLICATE_VARIABLE, item.span, message)
                            .note("a variable has one private copy: name a section that contains both")
                    };
                    self.emit(diagnostic.related(first.span, "first here"));
                    continue;
                }
                seen.push((name, var, text, item));
            }
        }
    }

    /// Whether `item` reduces what `first` reduces, with the same operator; warns if so.
    pub(super) fn repeats_reduction(&mut self, first: &Reduced, item: &Reduced) -> bool {
        let same_section = match (&first.section, &item.section) {
            (None, None) => true,
            (Some((lower, count)), Some((low, length))) => {
                same_value(lower, low) && same_value(count, length)
            }
            _ => false,
        };
        if first.by != item.by || !same_section {
            return false;
        }
        let message =
            format!("`{}` is twice in `reduction` clauses of one directive", self.var_text(item.var));
        let diagnostic = Diagnostic::warning(ids::REPEATED_VARIABLE, item.span, message)
            .related(first.span, "first here")
            .note("naming it once is enough");
        self.emit(diagnostic);
        true
    }
}

/// Whether two expressions surely have the same value.
fn same_value(a: &Expr, b: &Expr) -> bool {
    same_expr(a, b) && is_pure(a)
}

/// Whether two items of one variable surely select the same bytes.
fn same_part(a: &DataShape, b: &DataShape) -> bool {
    match (a, b) {
        (DataShape::Object(_), DataShape::Object(_)) | (DataShape::Pointer(_), DataShape::Pointer(_)) => true,
        (DataShape::Part { runs: x, rows: xs, .. }, DataShape::Part { runs: y, rows: ys, .. })
        | (DataShape::Section { runs: x, rows: xs, .. }, DataShape::Section { runs: y, rows: ys, .. }) => {
            same_runs(x, y) && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same_runs(x, y))
        }
        _ => false,
    }
}

fn same_runs(a: &Runs, b: &Runs) -> bool {
    a.strides.len() == b.strides.len() && a.values().zip(b.values()).all(|(x, y)| same_value(x, y))
}

/// The one clause that does what two data clauses of a construct do together. Data that must be present is
/// not copied; else all copies are made that either asks for.
fn both(a: MapKind, b: MapKind) -> MapKind {
    const BY_STRENGTH: [MapKind; 6] = [
        MapKind::Present,
        MapKind::Copy,
        MapKind::CopyIn,
        MapKind::CopyOut,
        MapKind::Create,
        MapKind::NoCreate,
    ];
    let copies = [MapKind::CopyIn, MapKind::CopyOut];
    if a != b && copies.contains(&a) && copies.contains(&b) {
        return MapKind::Copy;
    }
    BY_STRENGTH.into_iter().find(|&clause| clause == a || clause == b).unwrap_or(a)
}

/// The modifiers of a clause that does what two did.
fn all_modifiers(clause: MapKind, a: MapModifiers, b: MapModifiers) -> MapModifiers {
    MapModifiers {
        zero: (a.zero || b.zero) && matches!(clause, MapKind::Create | MapKind::CopyOut),
        readonly: a.readonly && b.readonly,
        always_in: a.always_in || b.always_in,
        always_out: a.always_out || b.always_out,
        capture: a.capture || b.capture,
        read_later: a.read_later || b.read_later,
        by_use: a.by_use && b.by_use,
        required: a.required || b.required,
        finalize: a.finalize || b.finalize,
    }
}
