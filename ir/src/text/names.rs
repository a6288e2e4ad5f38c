//! Spellings of enums in the text form: one table per enum, used by printer and parser alike.

use crate::acc::{
    ConstructKind, DataKind, Level, LoopKind, MapKind, ReductionKind, ReductionOp, ThreadBound,
};
use crate::function::Linkage;
use crate::op::{BinaryOp, CmpOp, ConvertOp, LoopShare, ShuffleMode, Space, UnaryOp};
use crate::types::{Extend, Type};

/// An enum without fields that is written as one word.
pub(super) trait Named: Sized + Copy + 'static {
    /// Every variant.
    const ALL: &'static [Self];

    /// Its spelling.
    fn spelling(self) -> &'static str;

    /// The variant of a spelling.
    fn from_spelling(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.spelling() == text)
    }
}

// The match makes a missing variant a compile error.
macro_rules! named {
    ($type:ident { $($variant:ident = $text:literal,)* }) => {
        impl Named for $type {
            const ALL: &'static [Self] = &[$($type::$variant),*];

            fn spelling(self) -> &'static str {
                match self {
                    $($type::$variant => $text,)*
                }
            }
        }
    };
    ($type:ident by $method:ident { $($variant:ident,)* }) => {
        impl Named for $type {
            const ALL: &'static [Self] = &[$($type::$variant),*];

            fn spelling(self) -> &'static str {
                match self {
                    $($type::$variant)|* => self.$method(),
                }
            }
        }
    };
}

named!(Type by name {
    I1, I8, I16, I32, I64, I128, F32, F64, F80, C32, C64, Ptr, I8x16, I16x8, I32x4, I64x2, F32x4, F64x2,
});
named!(Level by name { Gang, Gang2, Gang3, Worker, Vector, Unassigned, });
named!(ConstructKind by name { Parallel, Serial, Kernels, Team, Task, });
named!(ThreadBound by name { ThreadLimit, NumThreads, If, });
named!(ReductionKind by name { Setup, Init, Fini, Teardown, });

impl Named for ReductionOp {
    const ALL: &'static [ReductionOp] = ReductionOp::ALL;

    fn spelling(self) -> &'static str {
        self.spelling()
    }
}

named!(UnaryOp {
    Neg = "neg",
    Not = "not",
    FAbs = "fabs",
    Sqrt = "sqrt",
    Exp2 = "exp2",
    Reciprocal = "reciprocal",
    ReciprocalRoot = "rsqrt",
    Floor = "floor",
    Ceil = "ceil",
    Trunc = "trunc",
    Nearest = "nearest",
    Clz = "clz",
    Ctz = "ctz",
    Popcnt = "popcnt",
    Bswap = "bswap",
    Re = "re",
    Im = "im",
    Conj = "conj",
    Splat = "splat",
});
named!(BinaryOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    SDiv = "sdiv",
    UDiv = "udiv",
    SRem = "srem",
    URem = "urem",
    FDiv = "fdiv",
    And = "and",
    Or = "or",
    Xor = "xor",
    Shl = "shl",
    LShr = "lshr",
    AShr = "ashr",
    SMin = "smin",
    SMax = "smax",
    UMin = "umin",
    UMax = "umax",
    FMin = "fmin",
    FMax = "fmax",
    CopySign = "copysign",
    Complex = "complex",
});
named!(CmpOp {
    Eq = "eq",
    Ne = "ne",
    Lt = "lt",
    Le = "le",
    Gt = "gt",
    Ge = "ge",
    ULt = "ult",
    ULe = "ule",
    UGt = "ugt",
    UGe = "uge",
    Unordered = "unordered",
});
named!(ConvertOp {
    SExt = "sext",
    ZExt = "zext",
    Trunc = "trunc",
    SToF = "stof",
    UToF = "utof",
    FToS = "ftos",
    FToU = "ftou",
    FToF = "ftof",
    Bits = "bits",
    CToC = "ctoc",
});
named!(Space {
    Generic = "generic",
    Global = "global",
    Shared = "shared",
    Local = "local",
    Param = "param",
});
named!(LoopShare {
    Offset = "offset",
    Step = "step",
    Bound = "bound",
    Iteration = "iteration",
});
named!(ShuffleMode {
    Down = "down",
    Index = "index",
});
named!(Linkage {
    External = "external",
    Internal = "internal",
    Weak = "weak",
    Common = "common",
    Inline = "inline",
});
named!(LoopKind {
    Default = "default",
    Seq = "seq",
    Independent = "independent",
    Auto = "auto",
});
named!(MapKind {
    Copy = "copy",
    CopyIn = "copyin",
    CopyOut = "copyout",
    Create = "create",
    NoCreate = "no_create",
    Present = "present",
    DevicePtr = "deviceptr",
    Attach = "attach",
    Detach = "detach",
    Delete = "delete",
    UseDevice = "use_device",
    UpdateSelf = "update_self",
    UpdateDevice = "update_device",
    DeviceResident = "device_resident",
    Link = "link",
    FirstPrivate = "firstprivate",
    Shared = "shared",
});
named!(Extend {
    None = "none",
    Sign = "sext",
    Zero = "zext",
});

/// Spelling of a data directive, its modifier left out.
pub(super) fn data_kind(kind: DataKind) -> &'static str {
    match kind {
        DataKind::DataBegin => "begin",
        DataKind::DataEnd => "end",
        DataKind::Enter => "enter",
        DataKind::Exit { .. } => "exit",
        DataKind::Update { .. } => "update",
        DataKind::HostDataBegin { .. } => "host_begin",
        DataKind::HostDataEnd => "host_end",
        DataKind::Wait => "wait",
        DataKind::Init => "init",
        DataKind::Shutdown => "shutdown",
        DataKind::Set => "set",
        DataKind::DeclareBegin => "declare_begin",
        DataKind::DeclareEnd => "declare_end",
    }
}

/// The modifier of a data directive, if it is set.
pub(super) fn data_modifier(kind: DataKind) -> Option<&'static str> {
    match kind {
        DataKind::Exit { finalize: true } => Some("finalize"),
        DataKind::Update { if_present: true } | DataKind::HostDataBegin { if_present: true } => {
            Some("if_present")
        }
        DataKind::DataBegin
        | DataKind::DataEnd
        | DataKind::Enter
        | DataKind::Exit { finalize: false }
        | DataKind::Update { if_present: false }
        | DataKind::HostDataBegin { if_present: false }
        | DataKind::HostDataEnd
        | DataKind::Wait
        | DataKind::Init
        | DataKind::Shutdown
        | DataKind::Set
        | DataKind::DeclareBegin
        | DataKind::DeclareEnd => None,
    }
}

/// Every data directive, modifiers unset.
pub(super) const DATA_KINDS: [DataKind; 13] = [
    DataKind::DataBegin,
    DataKind::DataEnd,
    DataKind::Enter,
    DataKind::Exit { finalize: false },
    DataKind::Update { if_present: false },
    DataKind::HostDataBegin { if_present: false },
    DataKind::HostDataEnd,
    DataKind::Wait,
    DataKind::Init,
    DataKind::Shutdown,
    DataKind::Set,
    DataKind::DeclareBegin,
    DataKind::DeclareEnd,
];

/// Whether a name can follow the dot of a reference without quotes.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
}

/// Every spelling that is a word.
#[cfg(test)]
pub(super) fn all_words() -> Vec<&'static str> {
    fn add<T: Named>(words: &mut Vec<&'static str>) {
        words.extend(T::ALL.iter().map(|variant| variant.spelling()));
    }
    let mut words = Vec::new();
    add::<Type>(&mut words);
    add::<Level>(&mut words);
    add::<ReductionOp>(&mut words);
    add::<ConstructKind>(&mut words);
    add::<ThreadBound>(&mut words);
    add::<ReductionKind>(&mut words);
    add::<UnaryOp>(&mut words);
    add::<BinaryOp>(&mut words);
    add::<CmpOp>(&mut words);
    add::<ConvertOp>(&mut words);
    add::<Space>(&mut words);
    add::<LoopShare>(&mut words);
    add::<ShuffleMode>(&mut words);
    add::<Linkage>(&mut words);
    add::<LoopKind>(&mut words);
    add::<MapKind>(&mut words);
    add::<Extend>(&mut words);
    words.extend(DATA_KINDS.into_iter().map(data_kind));
    words.retain(|word| word.starts_with(|c: char| c.is_alphabetic()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distinct<T: Named>() {
        for (i, variant) in T::ALL.iter().enumerate() {
            let found = T::ALL.iter().position(|other| other.spelling() == variant.spelling());
            assert_eq!(found, Some(i), "{} is the spelling of two variants", variant.spelling());
        }
    }

    #[test]
    fn spellings_are_distinct() {
        distinct::<Type>();
        distinct::<Level>();
        distinct::<ReductionOp>();
        distinct::<ConstructKind>();
        distinct::<ThreadBound>();
        distinct::<ReductionKind>();
        distinct::<UnaryOp>();
        distinct::<BinaryOp>();
        distinct::<CmpOp>();
        distinct::<ConvertOp>();
        distinct::<Space>();
        distinct::<LoopShare>();
        distinct::<ShuffleMode>();
        distinct::<Linkage>();
        distinct::<LoopKind>();
        distinct::<MapKind>();
        distinct::<Extend>();
    }
}
