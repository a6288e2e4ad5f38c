//! GPU architectures: names, PTX versions, and which operation exists where.

use accrue_ir::{BinaryOp, Type};
use std::fmt;

/// An architecture that PTX can be emitted for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[allow(missing_docs, reason = "the variants are the names")]
pub enum Arch {
    Sm70,
    Sm75,
    Sm80,
    Sm86,
    Sm89,
    #[default]
    Sm90,
    Sm100,
    Sm120,
}

/// A PTX version, `.version MAJOR.MINOR`.
pub type Version = (u8, u8);

impl Arch {
    /// All of them, oldest first.
    pub const ALL: &'static [Arch] =
        &[Arch::Sm70, Arch::Sm75, Arch::Sm80, Arch::Sm86, Arch::Sm89, Arch::Sm90, Arch::Sm100, Arch::Sm120];

    /// The number in its name: 70 for `sm_70`.
    pub fn number(self) -> u32 {
        match self {
            Arch::Sm70 => 70,
            Arch::Sm75 => 75,
            Arch::Sm80 => 80,
            Arch::Sm86 => 86,
            Arch::Sm89 => 89,
            Arch::Sm90 => 90,
            Arch::Sm100 => 100,
            Arch::Sm120 => 120,
        }
    }

    /// The architecture of a name such as `sm_90`.
    pub fn by_name(name: &str) -> Option<Arch> {
        Arch::ALL.iter().copied().find(|arch| arch.to_string() == name)
    }

    /// The oldest PTX version that knows it.
    pub fn version(self) -> Version {
        match self {
            Arch::Sm70 => (6, 0),
            Arch::Sm75 => (6, 3),
            Arch::Sm80 => (7, 0),
            Arch::Sm86 => (7, 1),
            Arch::Sm89 | Arch::Sm90 => (7, 8),
            Arch::Sm100 => (8, 6),
            Arch::Sm120 => (8, 7),
        }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.number())
    }
}

/// What an instruction asks of the module that it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// Number of the first architecture that has it.
    pub arch: u32,
    /// First PTX version that knows it.
    pub version: Version,
}

/// A row of the table of features: an instruction that carries all of these modifiers needs this much.
type Row = (&'static [&'static str], u32, Version);

/// Everything that this crate emits, and that is not as old as PTX 5.0 and `sm_30`, by the name of the instruction.
fn rows(opcode: &str) -> &'static [Row] {
    match opcode {
        "activemask" => &[(&[], 30, (6, 2))],
        "alloca" | "stacksave" | "stackrestore" => &[(&[], 52, (7, 3))],
        "atom" | "red" => &[
            (&["relaxed"], 70, (6, 0)),
            (&["acquire"], 70, (6, 0)),
            (&["release"], 70, (6, 0)),
            (&["acq_rel"], 70, (6, 0)),
            (&["cta"], 60, (5, 0)),
            (&["gpu"], 60, (5, 0)),
            (&["sys"], 60, (5, 0)),
            (&["add", "f64"], 60, (5, 0)),
            (&["cas", "b16"], 70, (6, 3)),
        ],
        "bar" => &[(&["warp"], 30, (6, 0))],
        "barrier" | "brx" => &[(&[], 30, (6, 0))],
        "fence" => &[(&[], 70, (6, 0))],
        "ld" => &[(&["relaxed"], 70, (6, 0)), (&["acquire"], 70, (6, 0))],
        "match" => &[(&[], 70, (6, 0))],
        "mbarrier" => &[(&[], 80, (7, 0)), (&["try_wait"], 90, (7, 8))],
        "nanosleep" => &[(&[], 70, (6, 3))],
        "redux" => &[(&[], 80, (7, 0))],
        "shfl" | "vote" => &[(&["sync"], 30, (6, 0))],
        "st" => &[(&["relaxed"], 70, (6, 0)), (&["release"], 70, (6, 0))],
        _ => &[],
    }
}

/// Whether every module may have an instruction of this name, whatever its modifiers.
pub fn is_ancient(mnemonic: &str) -> bool {
    let opcode = mnemonic.bytes().position(|byte| byte == b'.').unwrap_or(mnemonic.len());
    rows(&mnemonic[..opcode]).is_empty()
}

/// What an instruction, written with its modifiers (`atom.relaxed.gpu.add.u32`), needs. What is in every module anyway
/// needs nothing.
pub fn requirement(mnemonic: &str) -> Requirement {
    let mut needed = Requirement { arch: 0, version: (0, 0) };
    let opcode = mnemonic.bytes().position(|byte| byte == b'.').unwrap_or(mnemonic.len());
    let rows = rows(&mnemonic[..opcode]);
    if rows.is_empty() {
        return needed;
    }
    let parts = mnemonic[opcode..].split('.').skip(1);
    for (modifiers, arch, version) in rows {
        if modifiers.iter().all(|modifier| parts.clone().any(|part| part == *modifier)) {
            needed.arch = needed.arch.max(*arch);
            needed.version = needed.version.max(*version);
        }
    }
    needed
}

/// The instruction that asks whether the threads of a row of several warps have come to the row's barrier object; none where
/// there are no such objects. One that may sleep, if there is one, is faster.
pub fn row_wait(arch: Arch) -> Option<&'static str> {
    let waits = ["mbarrier.try_wait.shared.b64", "mbarrier.test_wait.shared.b64"];
    waits.into_iter().find(|wait| requirement(wait).arch <= arch.number())
}

/// How many rows of several warps can meet, if not any number of them: without barrier objects they meet at barriers with
/// numbers, of which there are 16, and one of these is for the whole gang.
pub fn most_long_rows(arch: Arch) -> Option<u32> {
    if row_wait(arch).is_some() { None } else { Some(15) }
}

/// The operation and type of `redux.sync` for an operation on 32-bit integers over the lanes of a warp, if it is one.
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

/// The instruction that does `*p = *p op value` on a type in memory, if an architecture has one. 64-bit signed addition is
/// spelled `.u64`; floats have no atomic minimum and maximum anywhere, and a product is nowhere atomic.
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
    let needed = requirement(&format!("atom.{}.{}", atomic.op, atomic.ty));
    (needed.arch <= arch.number()).then_some(atomic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_decide_what_an_instruction_needs() {
        assert_eq!(requirement("add.s32").version, (0, 0));
        assert_eq!(requirement("bar.sync").arch, 0);
        assert_eq!(requirement("bar.warp.sync").version, (6, 0));
        assert_eq!(requirement("atom.relaxed.gpu.cas.b16"), Requirement { arch: 70, version: (6, 3) });
        assert_eq!(requirement("redux.sync.add.s32").arch, 80);
    }

    #[test]
    fn rows_meet_at_objects_where_there_are_some() {
        assert_eq!((row_wait(Arch::Sm75), most_long_rows(Arch::Sm75)), (None, Some(15)));
        assert_eq!(row_wait(Arch::Sm80), Some("mbarrier.test_wait.shared.b64"));
        assert_eq!(row_wait(Arch::Sm90), Some("mbarrier.try_wait.shared.b64"));
        assert_eq!(requirement("mbarrier.arrive.shared.b64"), Requirement { arch: 80, version: (7, 0) });
        assert!(Arch::ALL.iter().all(|arch| most_long_rows(*arch).is_some() == (arch.number() < 80)));
    }

    #[test]
    fn atomics_exist_for_sums_and_not_for_float_extremes() {
        let sum = native_atomic(Arch::Sm70, BinaryOp::Sub, Type::I64);
        assert_eq!(sum, Some(NativeAtomic { op: "add", ty: "u64", negate: true }));
        assert_eq!(native_atomic(Arch::Sm120, BinaryOp::FMax, Type::F64), None);
        assert_eq!(native_atomic(Arch::Sm120, BinaryOp::Add, Type::I8), None);
    }
}
