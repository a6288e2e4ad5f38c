//! Designators of initialisers (C11 6.7.9p6): from what is written to the part it leads to.

use super::{Sema, ids};
use crate::ast::{self, Designator};
use crate::ctype::{CType, QualType, TypeId};
use crate::source::Span;

/// One step from an object to a part of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Field(u32),
    Index(u64),
    Range(u64, u64),
}

impl Step {
    /// The part that a designation leads to; the last one of a range.
    pub(super) fn last(self) -> u64 {
        match self {
            Step::Field(index) => u64::from(index),
            Step::Index(index) | Step::Range(_, index) => index,
        }
    }
}

impl Sema<'_> {
    /// The steps of a designation, from the type outwards in.
    pub(super) fn resolve(&mut self, ty: QualType, designators: &[Designator]) -> Option<Vec<Step>> {
        let mut steps = Vec::with_capacity(designators.len());
        let mut ty = ty.ty;
        for designator in designators {
            match designator {
                Designator::Field(name) => {
                    let Some(record) = self.types.record(ty) else {
                        self.error(
                            ids::INVALID_DESIGNATOR,
                            name.span,
                            "field name not in record or union initializer",
                        );
                        return None;
                    };
                    let Some(path) = self.find_field(record, name.sym) else {
                        let message = format!(
                            "'{}' has no member named '{}'",
                            self.type_text(QualType::plain(ty)),
                            self.text(name.sym)
                        );
                        self.error(ids::NO_SUCH_MEMBER, name.span, message);
                        return None;
                    };
                    for (record, index) in path {
                        ty = self.field(record, index).ty.ty;
                        steps.push(Step::Field(index));
                    }
                }
                Designator::Index(index) => {
                    let (element, count) = self.designated_array(ty, index.span)?;
                    let at = self.designator_index(index, count)?;
                    steps.push(Step::Index(at));
                    ty = element;
                }
                Designator::Range(low, high) => {
                    let (element, count) = self.designated_array(ty, low.span)?;
                    let (from, to) =
                        (self.designator_index(low, count)?, self.designator_index(high, count)?);
                    if from > to {
                        self.error(ids::INVALID_DESIGNATOR, low.span, "empty index range in initializer");
                        return None;
                    }
                    steps.push(Step::Range(from, to));
                    ty = element;
                }
            }
        }
        Some(steps)
    }

    fn designated_array(&mut self, ty: TypeId, span: Span) -> Option<(TypeId, u64)> {
        match *self.types.get(ty) {
            CType::Array(element, _) => Some((element.ty, self.part_count(ty))),
            _ => {
                self.error(ids::INVALID_DESIGNATOR, span, "array index in non-array initializer");
                None
            }
        }
    }

    fn designator_index(&mut self, index: &ast::Expr, count: u64) -> Option<u64> {
        let value = self.rvalue(index);
        if self.is_error(&value) {
            return None;
        }
        let message = match self.const_int(&value) {
            None => "nonconstant array index in initializer",
            Some(at) => match u64::try_from(at) {
                Ok(at) if at < count && at < 1 << 48 => return Some(at),
                _ => "array index in initializer exceeds array bounds",
            },
        };
        self.error(ids::INVALID_DESIGNATOR, value.span, message);
        None
    }
}
