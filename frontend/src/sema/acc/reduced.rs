//! What OpenMP reduces, and what a program declares for that: plain data, which [`super::State`] keeps, and
//! which `reduction.rs` and `omp/declare_reduction.rs` fill.

use crate::ctype::TypeId;
use crate::source::Span;
use crate::typed::{Combining, Expr, Init, ReductionItem, VarId};
use accrue_ir::ReductionOp;

/// What combines two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reducer {
    /// An operator of the language.
    Operator(ReductionOp),
    /// What a `declare reduction` says: the place in [`super::state::State::declared_reductions`].
    Declared(usize),
}

/// An item of a `reduction` clause. Those of an operator are a [`ReductionItem`] of the typed tree; so are
/// the others where threads of a device share loops. Elsewhere the analysis of OpenMP writes statements.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    /// What combines the copies.
    pub by: Reducer,
    /// The variable.
    pub var: VarId,
    /// As [`ReductionItem::section`].
    pub section: Option<(Expr, Expr)>,
    /// The item.
    pub span: Span,
    /// Whether a task takes part in the reduction of a construct around, by `in_reduction`.
    pub participates: bool,
    /// Of a task that takes part: a pointer to what its copy is combined with, the original of the construct
    /// that began the reduction.
    pub origin: Option<VarId>,
}

impl Reduced {
    /// An item of the typed tree, if an operator combines it.
    pub fn of_item(item: ReductionItem) -> Option<Reduced> {
        let ReductionItem { by: Combining::Operator(op), var, section, span } = item else { return None };
        let by = Reducer::Operator(op);
        Some(Reduced { by, var, section, span, participates: false, origin: None })
    }

    /// The item of the typed tree, if an operator combines its copies.
    pub fn by_operator(self) -> Result<ReductionItem, Box<Reduced>> {
        match self.by {
            Reducer::Operator(op) => {
                let by = Combining::Operator(op);
                Ok(ReductionItem { by, var: self.var, section: self.section, span: self.span })
            }
            Reducer::Declared(_) => Err(Box::new(self)),
        }
    }
}

/// A reduction that a program declares for a type.
pub(super) struct DeclaredReduction {
    /// The type, without qualifiers.
    pub ty: TypeId,
    /// Stands for `omp_out`, of that type, as the next three do for the others.
    pub out: VarId,
    /// `omp_in`.
    pub in_: VarId,
    /// `omp_priv`.
    pub private: VarId,
    /// `omp_orig`.
    pub original: VarId,
    /// Combines `omp_in` with `omp_out`.
    pub combiner: Expr,
    /// How a private copy starts.
    pub start: Start,
    /// Whether `omp_orig` is used.
    pub reads_original: bool,
    /// The functions made of it, once something needs them.
    pub functions: Option<Combining>,
}

/// How a private copy of a [`DeclaredReduction`] starts.
#[derive(Clone)]
pub(super) enum Start {
    /// With zeros.
    Zero,
    /// With a value.
    Value(Init),
    /// A call sets it.
    Call(Expr),
}
