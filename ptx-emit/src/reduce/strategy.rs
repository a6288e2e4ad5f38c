//! Which strategy combines the results of threads: one table, in one place.

use crate::options::{Options, Strategy};
use accrue_ir::{Level, RedType, ReductionOp, Type};

/// What is combined, and among whom.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// The threads that meet: gangs or workers.
    pub level: Level,
    /// By which operator.
    pub op: ReductionOp,
    /// What is in memory.
    pub ty: RedType,
    /// They combine arrays, element by element.
    pub is_array: bool,
    /// Every thread can have a place of its own.
    pub has_places: bool,
    /// No loop is shared between the gangs that meet. With one gang, what follows may read the result, so
    /// that it is not left to the end of the launch; with more, all of them add the same, in whatever order.
    pub is_redundant: bool,
}

/// Whether PTX has an atomic instruction of this operation on this type, in shared and in global memory.
pub fn has_atomic(op: ReductionOp, ty: RedType) -> bool {
    if ty.boolean {
        return false;
    }
    match op {
        ReductionOp::Add => matches!(ty.ty, Type::I32 | Type::I64 | Type::F32 | Type::F64),
        ReductionOp::Max
        | ReductionOp::Min
        | ReductionOp::BitAnd
        | ReductionOp::BitOr
        | ReductionOp::BitXor => matches!(ty.ty, Type::I32 | Type::I64),
        ReductionOp::Mul | ReductionOp::LogAnd | ReductionOp::LogOr | ReductionOp::Declared(_) => false,
    }
}

/// Whether a compare-and-swap of this width exists; smaller types go through the word that holds them. A
/// `float _Complex` is as wide as one that exists, but aligned for half of it only.
fn has_cas(op: ReductionOp, ty: RedType) -> bool {
    op.declared().is_none()
        && matches!(ty.ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64)
}

impl Meeting {
    /// The strategy: the one that keeps the order if that was promised, the one that was asked for if it can,
    /// else the fastest that can.
    pub fn strategy(self, options: &Options) -> Strategy {
        let Meeting { level, op, ty, is_array, has_places, is_redundant } = self;
        if op.declared().is_some_and(|declared| declared.reads_original) {
            // There is one gang, and workers have started when they meet.
            return if level == Level::Worker { Strategy::Tree } else { Strategy::Lock };
        }
        if options.deterministic && op.depends_on_order(ty.ty) && !is_redundant {
            return Strategy::Tree;
        }
        let is_float = matches!(ty.ty, Type::F32 | Type::F64);
        match options.strategy {
            Some(Strategy::Lock) => Strategy::Lock,
            Some(Strategy::Tree) if has_places && !is_redundant => Strategy::Tree,
            Some(Strategy::Cas) if has_cas(op, ty) => Strategy::Cas,
            Some(Strategy::Atomic) if has_atomic(op, ty) => Strategy::Atomic,
            // Shared memory has atomic instructions for integers only; sums of floats are loops around one.
            None if level == Level::Worker && !is_array && (is_float || !has_atomic(op, ty)) => {
                Strategy::Tree
            }
            _ if has_atomic(op, ty) => Strategy::Atomic,
            _ if has_cas(op, ty) => Strategy::Cas,
            // A lock lets one worker at a time add its array; so does taking turns, without a word in global
            // memory.
            None if level == Level::Worker => Strategy::Tree,
            // Functions of the program take their time, which gangs would wait for one after the other.
            None if op.declared().is_some() && has_places && !is_redundant => Strategy::Tree,
            _ => Strategy::Lock,
        }
    }

    /// Why [`Meeting::strategy`] came to its answer, for people.
    pub fn reason(self, options: &Options) -> String {
        let Meeting { op, ty, .. } = self;
        let operation = match op.declared() {
            Some(_) => "a function of the program".to_owned(),
            None => format!("{} on {}", op.spelling(), ty.ty),
        };
        match (options.strategy, self.strategy(options)) {
            (_, Strategy::Tree) if options.deterministic && op.depends_on_order(ty.ty) => {
                format!("--deterministic, and {operation} depends on the order")
            }
            (Some(asked), chosen) if asked == chosen => "asked for".to_owned(),
            (_, Strategy::Atomic) => format!("PTX has an atomic instruction for {operation}"),
            (_, Strategy::Cas) => format!("PTX has no atomic instruction for {operation}"),
            (_, Strategy::Lock) => format!("PTX has no compare-and-swap for {operation}"),
            (_, Strategy::Tree) if has_atomic(op, ty) => {
                format!("in shared memory, an atomic {operation} is a loop of compare-and-swap")
            }
            (_, Strategy::Tree) => format!("PTX has no atomic instruction for {operation}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(level: Level, op: ReductionOp, ty: Type, asked: Option<Strategy>) -> Strategy {
        let ty = RedType { ty, signed: true, boolean: false };
        Meeting { level, op, ty, is_array: false, has_places: true, is_redundant: false }
            .strategy(&Options { strategy: asked, ..Options::default() })
    }

    #[test]
    fn the_fastest_that_exists_is_chosen() {
        assert_eq!(strategy(Level::Gang, ReductionOp::Add, Type::F64, None), Strategy::Atomic);
        assert_eq!(strategy(Level::Gang, ReductionOp::Max, Type::F64, None), Strategy::Cas);
        assert_eq!(strategy(Level::Gang, ReductionOp::Mul, Type::C64, None), Strategy::Lock);
        assert_eq!(strategy(Level::Worker, ReductionOp::Add, Type::F64, None), Strategy::Tree);
        assert_eq!(strategy(Level::Worker, ReductionOp::Add, Type::I32, None), Strategy::Atomic);
    }

    #[test]
    fn what_is_asked_for_is_done_where_it_exists() {
        let gang = |op, ty, asked| strategy(Level::Gang, op, ty, Some(asked));
        assert_eq!(gang(ReductionOp::Add, Type::F64, Strategy::Lock), Strategy::Lock);
        assert_eq!(gang(ReductionOp::Add, Type::C64, Strategy::Cas), Strategy::Lock);
        assert_eq!(gang(ReductionOp::Add, Type::C32, Strategy::Cas), Strategy::Lock);
        assert_eq!(gang(ReductionOp::Mul, Type::F32, Strategy::Atomic), Strategy::Cas);
        assert_eq!(gang(ReductionOp::Mul, Type::C64, Strategy::Tree), Strategy::Tree);
    }

    #[test]
    fn order_is_kept_where_it_matters() {
        let options = Options { strategy: Some(Strategy::Atomic), deterministic: true, ..Options::default() };
        let meeting = |op, ty| Meeting {
            level: Level::Gang,
            op,
            ty: RedType { ty, signed: true, boolean: false },
            is_array: false,
            has_places: true,
            is_redundant: false,
        };
        assert_eq!(meeting(ReductionOp::Add, Type::F32).strategy(&options), Strategy::Tree);
        assert_eq!(meeting(ReductionOp::Add, Type::I32).strategy(&options), Strategy::Atomic);
        assert_eq!(meeting(ReductionOp::Max, Type::F32).strategy(&options), Strategy::Cas);
        let redundant = Meeting { is_redundant: true, ..meeting(ReductionOp::Add, Type::F32) };
        assert_eq!(redundant.strategy(&options), Strategy::Atomic);
    }
}
