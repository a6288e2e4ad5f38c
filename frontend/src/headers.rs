//! The headers that belong to the compiler and not to the C library. They are part of the program, so that a
//! machine needs no other compiler, only the C library's headers.

/// What stands before the names of these headers in diagnostics and `__FILE__`.
pub const FOLDER: &str = "<accrue>/";

/// Macros of the target, read before anything else.
pub const PREDEFINED: &str = include_str!("../include/predefined.h");

/// What is said where a program asks for a vector of a processor.
pub const NO_INTRINSICS: &str = "accrue has no vector intrinsics of any processor";

macro_rules! shipped {
    ($($name:literal,)*) => {
        const SHIPPED: &[(&str, &str)] = &[$(($name, include_str!(concat!("../include/", $name))),)*];
    };
}

shipped! {
    "acc_prof.h",
    "bits/floatn.h",
    "cpuid.h",
    "emmintrin.h",
    "float.h",
    "immintrin.h",
    "iso646.h",
    "limits.h",
    "mm_malloc.h",
    "omp.h",
    "openacc.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbit.h",
    "stdbool.h",
    "stdckdint.h",
    "stddef.h",
    "stdint.h",
    "stdnoreturn.h",
    "tgmath.h",
    "x86intrin.h",
    "xmmintrin.h",
}

/// The number and the text of a shipped header.
pub fn find(name: &str) -> Option<(usize, &'static str)> {
    let index = SHIPPED.iter().position(|&(known, _)| known == name)?;
    Some((index, SHIPPED[index].1))
}
