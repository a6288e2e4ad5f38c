//! What functions of the C library do to memory.

/// An access of a library function to an object that an argument points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LibraryAccess {
    /// The number of the argument.
    pub argument: usize,
    /// How many bytes, from where the argument points.
    pub count: Count,
    /// It writes.
    pub writes: bool,
}

/// The size of what a library function accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// The value of the argument with this number.
    Argument(usize),
    /// This.
    Bytes(u32),
}

const fn read(argument: usize, count: Count) -> LibraryAccess {
    LibraryAccess { argument, count, writes: false }
}

const fn write(argument: usize, count: Count) -> LibraryAccess {
    LibraryAccess { argument, count, writes: true }
}

/// All that a function does to memory; `None`: it is not known, or does other things as well. `errno` does
/// not count, which no device has.
pub fn accesses(name: &str) -> Option<&'static [LibraryAccess]> {
    use Count::{Argument, Bytes};
    Some(match name {
        "memcpy" | "memmove" => const { &[read(1, Argument(2)), write(0, Argument(2))] },
        "memset" => const { &[write(0, Argument(2))] },
        "memcmp" => const { &[read(0, Argument(2)), read(1, Argument(2))] },
        "frexp" | "frexpf" | "frexpl" => const { &[write(1, Bytes(4))] },
        "modf" => const { &[write(1, Bytes(8))] },
        "modff" => const { &[write(1, Bytes(4))] },
        "modfl" => const { &[write(1, Bytes(16))] },
        "remquo" | "remquof" | "remquol" => const { &[write(2, Bytes(4))] },
        "sincos" => const { &[write(1, Bytes(8)), write(2, Bytes(8))] },
        "sincosf" => const { &[write(1, Bytes(4)), write(2, Bytes(4))] },
        _ if only_computes(name) => &[],
        _ => return None,
    })
}

/// Whether what a function returns is memory that nothing else leads to.
pub fn allocates(name: &str) -> bool {
    matches!(name, "malloc" | "calloc" | "aligned_alloc")
}

/// Whether a function, without arguments, gives the same address whenever the same thread calls it, and does
/// nothing else: what `isdigit` and `errno` are in glibc's headers.
pub fn gives_place_of_thread(name: &str) -> bool {
    matches!(name, "__ctype_b_loc" | "__ctype_tolower_loc" | "__ctype_toupper_loc" | "__errno_location")
}

/// Whether a function ends the program.
pub fn ends_the_program(name: &str) -> bool {
    matches!(name, "exit" | "_Exit" | "_exit" | "quick_exit" | "abort" | "__assert_fail")
}

/// Whether a function writes to the standard output, and else only what pointers behind its first argument
/// lead to: `%n` of `printf` does.
pub fn prints(name: &str) -> bool {
    matches!(name, "printf" | "puts" | "putchar")
}

/// Functions of the C library that only compute.
fn only_computes(name: &str) -> bool {
    const DOUBLE: &[&str] = &[
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "ceil",
        "copysign",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "expm1",
        "fabs",
        "fdim",
        "floor",
        "fma",
        "fmax",
        "fmin",
        "fmod",
        "hypot",
        "ilogb",
        "ldexp",
        "llrint",
        "llround",
        "log",
        "log10",
        "log1p",
        "log2",
        "logb",
        "lrint",
        "lround",
        "nearbyint",
        "nextafter",
        "pow",
        "remainder",
        "rint",
        "round",
        "scalbln",
        "scalbn",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "tgamma",
        "trunc",
    ];
    const INTEGER: &[&str] = &["abs", "labs", "llabs"];
    const COMPLEX: &[&str] =
        &["cabs", "carg", "ccos", "cexp", "cimag", "clog", "conj", "cpow", "creal", "csin", "csqrt", "ctan"];
    let is_known = |name: &str| DOUBLE.contains(&name) || COMPLEX.contains(&name);
    INTEGER.contains(&name) || is_known(name) || name.strip_suffix(['f', 'l']).is_some_and(is_known)
}
