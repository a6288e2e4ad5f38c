//! GPU architectures, and what this crate decides by them: which instruction an operation becomes.

use accrue_ir::{BinaryOp, Type};
use accrue_ptx_isa::{Need, TARGETS, Version};
use std::fmt;

/// Lanes of a warp.
pub const WARP: u32 = 32;

/// Bytes that a GPU's memory moves at once.
pub(crate) const SECTOR: u32 = 32;

/// An architecture that PTX can be emitted for: a row of [`TARGETS`] that says so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Arch(u32);

impl Default for Arch {
    fn default() -> Arch {
        Arch(90)
    }
}

impl Arch {
    /// All of them, oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Arch> {
        TARGETS.iter().filter(|target| target.is_compiled_for).map(|target| Arch(target.number))
    }

    /// The number in its name: 70 for `sm_70`.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The architecture of a name such as `sm_90`.
    pub fn by_name(name: &str) -> Option<Arch> {
        Arch::all().find(|arch| arch.to_string() == name)
    }

    /// The oldest PTX version that knows it.
    pub fn version(self) -> Version {
        accrue_ptx_isa::first_version(self.0)
    }

    /// Whether it has an instruction, given with its modifiers.
    pub fn has(self, instruction: &str) -> bool {
        let there = Need { target: self.0, version: (u32::MAX, u32::MAX) };
        accrue_ptx_isa::need_above(instruction, there) == there
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.0)
    }
}

/// The instruction that asks whether the threads of a row of several warps have come to the row's barrier
/// object; none where there are no such objects. One that may sleep, if there is one, is faster.
pub fn row_wait(arch: Arch) -> Option<&'static str> {
    let waits = ["mbarrier.try_wait.shared.b64", "mbarrier.test_wait.shared.b64"];
    waits.into_iter().find(|wait| arch.has(wait))
}

/// How many rows of several warps can meet, if not any number of them: without barrier objects they meet at
/// barriers with numbers, of which there are 16, and one of these is for the whole gang.
pub fn most_long_rows(arch: Arch) -> Option<u32> {
    if row_wait(arch).is_some() { None } else { Some(15) }
}

/// The operation and type of `redux.sync` for an operation on 32-bit integers over the lanes of a warp, if it
/// is one.
pub fn lane_reduction(op: BinaryOp) -> Option<&'static str> {
    match op {
        BinaryOp::Add => Some("add.s32"),
        BinaryOp::SMin => Some("min.s32"),
        BinaryOp::SMax => Some("max.s32"),
        BinaryOp::UMin => Some("min.u32"),
        BinaryOp::UMax => Some("max.u32"),
        BinaryOp::And => Some("and.b32"),
        BinaryOp::Or => Some("or.b32"),
        BinaryOp::Xor => Some("xor.b32"),
        BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::FDiv
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::FMin
        | BinaryOp::FMax
        | BinaryOp::CopySign
        | BinaryOp::Complex => None,
    }
}

/// An atomic instruction, `atom.OP.TYPE` or `red.OP.TYPE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeAtomic {
    /// Its operation.
    pub op: &'static str,
    /// Its type.
    pub ty: &'static str,
    /// The value is negated first: there is no subtraction.
    pub negate: bool,
}

/// The instruction that does `*p = *p op value` on a type in memory, if an architecture has one. 64-bit
/// signed addition is spelled `.u64`; floats have no atomic minimum and maximum anywhere, and a product is
/// nowhere atomic.
pub fn native_atomic(arch: Arch, op: BinaryOp, ty: Type) -> Option<NativeAtomic> {
    let wide = match ty {
        Type::I32 => false,
        Type::I64 | Type::Ptr => true,
        Type::F32 | Type::F64 => {
            let ty = if ty == Type::F32 { "f32" } else { "f64" };
            let negate = match op {
                BinaryOp::Add => false,
                BinaryOp::Sub => true,
                _ => return None,
            };
            return available(arch, NativeAtomic { op: "add", ty, negate });
        }
        _ => return None,
    };
    let by_width = |narrow: &'static str, other: &'static str| if wide { other } else { narrow };
    let (op, ty, negate) = match op {
        BinaryOp::Add => ("add", by_width("u32", "u64"), false),
        BinaryOp::Sub => ("add", by_width("u32", "u64"), true),
        BinaryOp::And => ("and", by_width("b32", "b64"), false),
        BinaryOp::Or => ("or", by_width("b32", "b64"), false),
        BinaryOp::Xor => ("xor", by_width("b32", "b64"), false),
        BinaryOp::SMin => ("min", by_width("s32", "s64"), false),
        BinaryOp::SMax => ("max", by_width("s32", "s64"), false),
        BinaryOp::UMin => ("min", by_width("u32", "u64"), false),
        BinaryOp::UMax => ("max", by_width("u32", "u64"), false),
        BinaryOp::Mul
        | BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::FDiv
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::FMin
        | BinaryOp::FMax
        | BinaryOp::CopySign
        | BinaryOp::Complex => return None,
    };
    available(arch, NativeAtomic { op, ty, negate })
}

fn available(arch: Arch, atomic: NativeAtomic) -> Option<NativeAtomic> {
    arch.has(&format!("atom.{}.{}", atomic.op, atomic.ty)).then_some(atomic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_architecture_without_an_option_is_one_of_all() {
        assert!(Arch::all().any(|arch| arch == Arch::default()));
        assert_eq!(Arch::by_name("sm_90"), Some(Arch::default()));
        assert_eq!(Arch::by_name("sm_72"), None, "code is not written for it");
    }

    #[test]
    fn rows_meet_at_objects_where_there_are_some() {
        assert_eq!((row_wait(Arch(75)), most_long_rows(Arch(75))), (None, Some(15)));
        assert_eq!(row_wait(Arch(80)), Some("mbarrier.test_wait.shared.b64"));
        assert_eq!(row_wait(Arch(90)), Some("mbarrier.try_wait.shared.b64"));
        assert!(Arch::all().all(|arch| most_long_rows(arch).is_some() == (arch.number() < 80)));
    }

    #[test]
    fn atomics_exist_for_sums_and_not_for_float_extremes() {
        let sum = native_atomic(Arch(70), BinaryOp::Sub, Type::I64);
        assert_eq!(sum, Some(NativeAtomic { op: "add", ty: "u64", negate: true }));
        assert_eq!(native_atomic(Arch(120), BinaryOp::FMax, Type::F64), None);
        assert_eq!(native_atomic(Arch(120), BinaryOp::Add, Type::I8), None);
    }
}
