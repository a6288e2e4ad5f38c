//! The builtins of GNU C: which there are, what they mean, and the signatures of those that are plain
//! functions.
//!
//! A signature is a string of one letter per type, result first, `:` before the parameters, `.` for `...`:
//! `v` void, `b` _Bool, `c` char, `i` int, `u` unsigned, `h` unsigned short, `l` long, `m` unsigned long (and
//! size_t), `L` long long, `M` unsigned long long, `x` unsigned __int128, `f` `d` `e` the real types, `r` the
//! real type of the family's member, `R` a pointer to it, `C` its complex type, `p` `void *`, `P`
//! `const void *`, `s` `char *`, `S` `const char *`, `I` `int *`, `V` va_list.

use crate::ctype::FloatKind;
use crate::typed::Builtin;

/// The types of a builtin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signature {
    /// See the module comment.
    pub text: &'static str,
    /// What `r`, `R` and `C` stand for.
    pub real: FloatKind,
}

/// Builtins whose types depend on their arguments, or that are evaluated here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    ConstantP,
    ClassifyType,
    Expect,
    ObjectSize,
    VaStart,
    VaEnd,
    VaCopy,
    /// `isnan` and the like, on any real type.
    Classify(Builtin),
    /// `isless` and the like.
    Compare(Builtin),
    InfSign,
    FpClassify,
    /// `inf`, `huge_val`.
    Infinity,
    /// `nan("...")`; signalling or not.
    Nan(bool),
    Overflow(Builtin),
    /// `__builtin_add_overflow_p` and the like: the last argument has the type of the result.
    WouldOverflow(Builtin),
    /// `__builtin_sadd_overflow` and the like: the operands have the signature's type.
    TypedOverflow(Builtin),
    Complex,
    Line,
    File,
    Function,
    Prefetch,
    AssumeAligned,
    /// `__builtin_cpu_supports("avx2")` and `__builtin_cpu_is("intel")`: no.
    CpuTrait,
    Atomic(super::atomics::Family),
}

/// What a builtin is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Meaning {
    /// A call of this library function.
    Library(String),
    /// An operation with the signature's types.
    Operation(Builtin),
    Special(Special),
}

use Meaning::{Operation, Special as Spec};

/// Operations with fixed types, by name without `__builtin_`. Sorted.
const OPERATIONS: &[(&str, Builtin, &str)] = &[
    ("accrue_exp2f", Builtin::Exp2, "f:f"),
    ("accrue_reciprocal", Builtin::Reciprocal, "d:d"),
    ("accrue_reciprocalf", Builtin::Reciprocal, "f:f"),
    ("accrue_rsqrt", Builtin::ReciprocalRoot, "d:d"),
    ("accrue_rsqrtf", Builtin::ReciprocalRoot, "f:f"),
    ("alloca", Builtin::Alloca, "p:m"),
    ("bswap128", Builtin::Bswap, "x:x"),
    ("bswap16", Builtin::Bswap, "h:h"),
    ("bswap32", Builtin::Bswap, "u:u"),
    ("bswap64", Builtin::Bswap, "m:m"),
    ("clrsb", Builtin::Clrsb, "i:i"),
    ("clrsbl", Builtin::Clrsb, "i:l"),
    ("clrsbll", Builtin::Clrsb, "i:L"),
    ("clz", Builtin::Clz, "i:u"),
    ("clzl", Builtin::Clz, "i:m"),
    ("clzll", Builtin::Clz, "i:M"),
    ("cpu_init", Builtin::Prefetch, "v:"),
    ("ctz", Builtin::Ctz, "i:u"),
    ("ctzl", Builtin::Ctz, "i:m"),
    ("ctzll", Builtin::Ctz, "i:M"),
    ("ffs", Builtin::Ffs, "i:i"),
    ("ffsl", Builtin::Ffs, "i:l"),
    ("ffsll", Builtin::Ffs, "i:L"),
    ("frame_address", Builtin::FrameAddress, "p:u"),
    ("goacc_parlevel_id", Builtin::ParlevelId, "i:i"),
    ("goacc_parlevel_size", Builtin::ParlevelSize, "i:i"),
    ("ia32_pause", Builtin::Prefetch, "v:"),
    ("parity", Builtin::Parity, "i:u"),
    ("parityl", Builtin::Parity, "i:m"),
    ("parityll", Builtin::Parity, "i:M"),
    ("popcount", Builtin::Popcount, "i:u"),
    ("popcountl", Builtin::Popcount, "i:m"),
    ("popcountll", Builtin::Popcount, "i:M"),
    ("return_address", Builtin::ReturnAddress, "p:u"),
    ("trap", Builtin::Trap, "v:"),
    ("unreachable", Builtin::Unreachable, "v:"),
];

/// Library functions that are operations, with members for float and double, by name. Sorted.
const MATH_OPERATIONS: &[(&str, Builtin)] = &[
    ("ceil", Builtin::Ceil),
    ("cimag", Builtin::Imag),
    ("conj", Builtin::Conj),
    ("copysign", Builtin::Copysign),
    ("creal", Builtin::Real),
    ("fabs", Builtin::Fabs),
    ("floor", Builtin::Floor),
    ("fmax", Builtin::Fmax),
    ("fmin", Builtin::Fmin),
    ("nearbyint", Builtin::Rint),
    ("rint", Builtin::Rint),
    ("sqrt", Builtin::Sqrt),
    ("trunc", Builtin::Trunc),
];

/// Functions of the mathematical library with members for all real types. Sorted.
const MATH: &[(&str, &str)] = &[
    ("acos", "r:r"),
    ("acosh", "r:r"),
    ("asin", "r:r"),
    ("asinh", "r:r"),
    ("atan", "r:r"),
    ("atan2", "r:rr"),
    ("atanh", "r:r"),
    ("cabs", "r:C"),
    ("cacos", "C:C"),
    ("cacosh", "C:C"),
    ("carg", "r:C"),
    ("casin", "C:C"),
    ("casinh", "C:C"),
    ("catan", "C:C"),
    ("catanh", "C:C"),
    ("cbrt", "r:r"),
    ("ccos", "C:C"),
    ("ccosh", "C:C"),
    ("ceil", "r:r"),
    ("cexp", "C:C"),
    ("cimag", "r:C"),
    ("clog", "C:C"),
    ("conj", "C:C"),
    ("copysign", "r:rr"),
    ("cos", "r:r"),
    ("cosh", "r:r"),
    ("cpow", "C:CC"),
    ("cproj", "C:C"),
    ("creal", "r:C"),
    ("csin", "C:C"),
    ("csinh", "C:C"),
    ("csqrt", "C:C"),
    ("ctan", "C:C"),
    ("ctanh", "C:C"),
    ("drem", "r:rr"),
    ("erf", "r:r"),
    ("erfc", "r:r"),
    ("exp", "r:r"),
    ("exp10", "r:r"),
    ("exp2", "r:r"),
    ("expm1", "r:r"),
    ("fabs", "r:r"),
    ("fdim", "r:rr"),
    ("floor", "r:r"),
    ("fma", "r:rrr"),
    ("fmax", "r:rr"),
    ("fmin", "r:rr"),
    ("fmod", "r:rr"),
    ("frexp", "r:rI"),
    ("gamma", "r:r"),
    ("hypot", "r:rr"),
    ("ilogb", "i:r"),
    ("j0", "r:r"),
    ("j1", "r:r"),
    ("jn", "r:ir"),
    ("ldexp", "r:ri"),
    ("lgamma", "r:r"),
    ("llrint", "L:r"),
    ("llround", "L:r"),
    ("log", "r:r"),
    ("log10", "r:r"),
    ("log1p", "r:r"),
    ("log2", "r:r"),
    ("logb", "r:r"),
    ("lrint", "l:r"),
    ("lround", "l:r"),
    ("modf", "r:rR"),
    ("nearbyint", "r:r"),
    ("nextafter", "r:rr"),
    ("nexttoward", "r:re"),
    ("pow", "r:rr"),
    ("remainder", "r:rr"),
    ("remquo", "r:rrI"),
    ("rint", "r:r"),
    ("round", "r:r"),
    ("scalbln", "r:rl"),
    ("scalbn", "r:ri"),
    ("significand", "r:r"),
    ("sin", "r:r"),
    ("sincos", "v:rRR"),
    ("sinh", "r:r"),
    ("sqrt", "r:r"),
    ("tan", "r:r"),
    ("tanh", "r:r"),
    ("tgamma", "r:r"),
    ("trunc", "r:r"),
    ("y0", "r:r"),
    ("y1", "r:r"),
    ("yn", "r:ir"),
];

/// Other library functions. Sorted.
const LIBRARY: &[(&str, &str)] = &[
    ("_Exit", "v:i"),
    ("__memcpy_chk", "p:pPmm"),
    ("__memmove_chk", "p:pPmm"),
    ("__mempcpy_chk", "p:pPmm"),
    ("__memset_chk", "p:pimm"),
    ("__snprintf_chk", "i:smimS."),
    ("__sprintf_chk", "i:simS."),
    ("__stpcpy_chk", "s:sSm"),
    ("__strcat_chk", "s:sSm"),
    ("__strcpy_chk", "s:sSm"),
    ("__strncat_chk", "s:sSmm"),
    ("__strncpy_chk", "s:sSmm"),
    ("__vsnprintf_chk", "i:smimSV"),
    ("__vsprintf_chk", "i:simSV"),
    ("_exit", "v:i"),
    ("abort", "v:"),
    ("abs", "i:i"),
    ("aligned_alloc", "p:mm"),
    ("atof", "d:S"),
    ("atoi", "i:S"),
    ("atol", "l:S"),
    ("bcmp", "i:PPm"),
    ("bcopy", "v:PPm"),
    ("bzero", "v:pm"),
    ("calloc", "p:mm"),
    ("exit", "v:i"),
    ("fprintf", "i:pS."),
    ("fputc", "i:ip"),
    ("fputs", "i:Sp"),
    ("free", "v:p"),
    ("fscanf", "i:pS."),
    ("fwrite", "m:Pmmp"),
    ("getenv", "s:S"),
    ("imaxabs", "l:l"),
    ("index", "s:Si"),
    ("isalnum", "i:i"),
    ("isalpha", "i:i"),
    ("isblank", "i:i"),
    ("iscntrl", "i:i"),
    ("isdigit", "i:i"),
    ("isgraph", "i:i"),
    ("islower", "i:i"),
    ("isprint", "i:i"),
    ("ispunct", "i:i"),
    ("isspace", "i:i"),
    ("isupper", "i:i"),
    ("isxdigit", "i:i"),
    ("labs", "l:l"),
    ("llabs", "L:L"),
    ("malloc", "p:m"),
    ("memchr", "p:Pim"),
    ("memcmp", "i:PPm"),
    ("memcpy", "p:pPm"),
    ("memmove", "p:pPm"),
    ("mempcpy", "p:pPm"),
    ("memset", "p:pim"),
    ("posix_memalign", "i:pmm"),
    ("printf", "i:S."),
    ("putchar", "i:i"),
    ("puts", "i:S"),
    ("realloc", "p:pm"),
    ("rindex", "s:Si"),
    ("scanf", "i:S."),
    ("snprintf", "i:smS."),
    ("sprintf", "i:sS."),
    ("sscanf", "i:SS."),
    ("stpcpy", "s:sS"),
    ("stpncpy", "s:sSm"),
    ("strcasecmp", "i:SS"),
    ("strcat", "s:sS"),
    ("strchr", "s:Si"),
    ("strcmp", "i:SS"),
    ("strcpy", "s:sS"),
    ("strcspn", "m:SS"),
    ("strdup", "s:S"),
    ("strlen", "m:S"),
    ("strncasecmp", "i:SSm"),
    ("strncat", "s:sSm"),
    ("strncmp", "i:SSm"),
    ("strncpy", "s:sSm"),
    ("strndup", "s:Sm"),
    ("strnlen", "m:Sm"),
    ("strpbrk", "s:SS"),
    ("strrchr", "s:Si"),
    ("strspn", "m:SS"),
    ("strstr", "s:SS"),
    ("strtol", "l:SpI"),
    ("tolower", "i:i"),
    ("toupper", "i:i"),
    ("vfprintf", "i:pSV"),
    ("vprintf", "i:SV"),
    ("vscanf", "i:SV"),
    ("vsnprintf", "i:smSV"),
    ("vsprintf", "i:sSV"),
    ("vsscanf", "i:SSV"),
];

/// Builtins with types of their own, by name without `__builtin_`. Sorted.
const SPECIAL: &[(&str, Special)] = &[
    ("FILE", Special::File),
    ("FUNCTION", Special::Function),
    ("LINE", Special::Line),
    ("add_overflow", Special::Overflow(Builtin::AddOverflow)),
    ("add_overflow_p", Special::WouldOverflow(Builtin::AddOverflow)),
    ("assume_aligned", Special::AssumeAligned),
    ("classify_type", Special::ClassifyType),
    ("complex", Special::Complex),
    ("constant_p", Special::ConstantP),
    ("cpu_is", Special::CpuTrait),
    ("cpu_supports", Special::CpuTrait),
    ("dynamic_object_size", Special::ObjectSize),
    ("expect", Special::Expect),
    ("expect_with_probability", Special::Expect),
    ("fpclassify", Special::FpClassify),
    ("huge_val", Special::Infinity),
    ("inf", Special::Infinity),
    ("isfinite", Special::Classify(Builtin::IsFinite)),
    ("isgreater", Special::Compare(Builtin::IsGreater)),
    ("isgreaterequal", Special::Compare(Builtin::IsGreaterEqual)),
    ("isinf", Special::Classify(Builtin::IsInf)),
    ("isinf_sign", Special::InfSign),
    ("isless", Special::Compare(Builtin::IsLess)),
    ("islessequal", Special::Compare(Builtin::IsLessEqual)),
    ("islessgreater", Special::Compare(Builtin::IsLessGreater)),
    ("isnan", Special::Classify(Builtin::IsNan)),
    ("isnormal", Special::Classify(Builtin::IsNormal)),
    ("isunordered", Special::Compare(Builtin::IsUnordered)),
    ("mul_overflow", Special::Overflow(Builtin::MulOverflow)),
    ("mul_overflow_p", Special::WouldOverflow(Builtin::MulOverflow)),
    ("nan", Special::Nan(false)),
    ("nans", Special::Nan(true)),
    ("object_size", Special::ObjectSize),
    ("prefetch", Special::Prefetch),
    ("signbit", Special::Classify(Builtin::SignBit)),
    ("sub_overflow", Special::Overflow(Builtin::SubOverflow)),
    ("sub_overflow_p", Special::WouldOverflow(Builtin::SubOverflow)),
    ("va_copy", Special::VaCopy),
    ("va_end", Special::VaEnd),
    ("va_start", Special::VaStart),
];

fn lookup<'t, V: Copy>(table: &'t [(&'t str, V)], name: &str) -> Option<V> {
    table.binary_search_by(|(known, _)| (*known).cmp(name)).ok().map(|index| table[index].1)
}

/// A member of a family of functions: `sinf` is `sin` in float.
fn family<V: Copy>(table: &[(&str, V)], name: &str) -> Option<(V, FloatKind)> {
    if let Some(value) = lookup(table, name) {
        return Some((value, FloatKind::Double));
    }
    let (base, kind) = match (name.strip_suffix('f'), name.strip_suffix('l')) {
        (Some(base), _) => (base, FloatKind::Float),
        (_, Some(base)) => (base, FloatKind::LongDouble),
        _ => return None,
    };
    lookup(table, base).map(|value| (value, kind))
}

const fn double(text: &'static str) -> Signature {
    Signature { text, real: FloatKind::Double }
}

/// The signature of a library function that the compiler knows.
pub(super) fn library(name: &str) -> Option<Signature> {
    if let Some(text) = lookup(LIBRARY, name) {
        return Some(double(text));
    }
    family(MATH, name).map(|(text, real)| Signature { text, real })
}

/// The operation that a library function is. Those in `long double` stay calls.
pub(super) fn operation_of_library(name: &str) -> Option<Builtin> {
    match name {
        "abs" | "labs" | "llabs" | "imaxabs" => return Some(Builtin::Abs),
        "alloca" => return Some(Builtin::Alloca),
        "acc_on_device" => return Some(Builtin::AccOnDevice),
        _ => {}
    }
    match family(MATH_OPERATIONS, name) {
        Some((builtin, FloatKind::Float | FloatKind::Double)) => Some(builtin),
        Some((_, FloatKind::LongDouble)) | None => None,
    }
}

/// What `__builtin_x`, `__sync_x` and `__atomic_x` mean.
pub(super) fn find(name: &str) -> Option<(Meaning, Signature)> {
    if let Some(family) = super::atomics::find(name) {
        return Some((Spec(Special::Atomic(family)), double("v:")));
    }
    let Some(base) = name.strip_prefix("__builtin_") else {
        // Without a declaration GNU C knows this one by its plain name.
        return (name == "alloca").then_some((Operation(Builtin::Alloca), double("p:m")));
    };
    if let Ok(index) = OPERATIONS.binary_search_by(|(known, ..)| (*known).cmp(base)) {
        let (_, builtin, text) = OPERATIONS[index];
        return Some((Operation(builtin), double(text)));
    }
    if let Some(special) = lookup(SPECIAL, base) {
        return Some((Spec(special), double("d:")));
    }
    if let Some(typed) = typed_overflow(base) {
        return Some(typed);
    }
    if let Some(builtin) = operation_of_library(base) {
        return library(base).map(|signature| (Operation(builtin), signature));
    }
    if let Some(signature) = library(base) {
        return Some((Meaning::Library(base.to_owned()), signature));
    }
    match family(SPECIAL, base) {
        Some((special @ (Special::Infinity | Special::Nan(_) | Special::Classify(_)), real)) => {
            Some((Spec(special), Signature { text: "r:", real }))
        }
        _ => None,
    }
}

/// `sadd_overflow`, `umulll_overflow`, ...
fn typed_overflow(base: &str) -> Option<(Meaning, Signature)> {
    let core = base.strip_suffix("_overflow")?;
    let (signed, core) = match core.as_bytes().first()? {
        b's' => (true, &core[1..]),
        b'u' => (false, &core[1..]),
        _ => return None,
    };
    let (builtin, width) =
        [("add", Builtin::AddOverflow), ("sub", Builtin::SubOverflow), ("mul", Builtin::MulOverflow)]
            .into_iter()
            .find_map(|(op, builtin)| core.strip_prefix(op).map(|width| (builtin, width)))?;
    let text = match (width, signed) {
        ("", true) => "i:",
        ("", false) => "u:",
        ("l", true) => "l:",
        ("l", false) => "m:",
        ("ll", true) => "L:",
        ("ll", false) => "M:",
        _ => return None,
    };
    Some((Spec(Special::TypedOverflow(builtin)), double(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(OPERATIONS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(MATH_OPERATIONS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(MATH.is_sorted_by(|a, b| a.0 < b.0));
        assert!(LIBRARY.is_sorted_by(|a, b| a.0 < b.0));
        assert!(SPECIAL.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn families_have_their_members() {
        assert!(
            matches!(find("__builtin_sinf"), Some((Meaning::Library(name), s)) if name == "sinf" && s.real == FloatKind::Float)
        );
        assert!(matches!(find("__builtin_fabs"), Some((Operation(Builtin::Fabs), _))));
        assert!(matches!(find("__builtin_fabsl"), Some((Meaning::Library(_), _))));
        assert!(
            matches!(find("__builtin_inff"), Some((Spec(Special::Infinity), s)) if s.real == FloatKind::Float)
        );
        assert!(matches!(
            find("__builtin_umulll_overflow"),
            Some((Spec(Special::TypedOverflow(Builtin::MulOverflow)), _))
        ));
        assert!(find("__builtin_no_such_thing").is_none());
    }
}
