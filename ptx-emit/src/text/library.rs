//! Functions of the C library that PTX or the driver offers: each a few instructions or a call of the driver.

use accrue_ir::{BinaryOp, Local, Op, Operand, UnaryOp};

/// How passes call the function that takes memory from the device's heap for what threads share.
pub(crate) const SHARE: &str = "__accrue_share";
/// The same for what one thread has.
pub(crate) const OWN: &str = "__accrue_own";

/// A function of the C library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Library {
    Printf,
    Puts,
    Putchar,
    AssertFail,
    Abort,
    Malloc,
    /// Memory for what threads share, of which there must be enough.
    Share,
    /// Memory for what one thread has, of which there must be enough.
    Own,
    Calloc,
    Free,
    MemCopy,
    MemSet,
    /// One instruction with an operand.
    Unary(UnaryOp),
    /// One with two.
    Binary(BinaryOp),
    /// `fma`.
    MultiplyAdd,
}

/// A function of the driver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Extern {
    Vprintf,
    AssertFail,
    Malloc,
    Free,
}

impl Extern {
    pub(super) const ALL: &'static [Extern] =
        &[Extern::Vprintf, Extern::AssertFail, Extern::Malloc, Extern::Free];

    pub(super) fn symbol(self) -> &'static str {
        match self {
            Extern::Vprintf => "vprintf",
            Extern::AssertFail => "__assertfail",
            Extern::Malloc => "malloc",
            Extern::Free => "free",
        }
    }

    pub(super) fn prototype(self) -> &'static str {
        match self {
            Extern::Vprintf => {
                ".extern .func (.param .b32 __result) vprintf(.param .b64 format, .param .b64 arguments);\n"
            }
            Extern::AssertFail => {
                ".extern .func __assertfail(.param .b64 message, .param .b64 file, .param .b32 line, \
                 .param .b64 function, .param .b64 size);\n"
            }
            Extern::Malloc => ".extern .func (.param .b64 __result) malloc(.param .b64 size);\n",
            Extern::Free => ".extern .func free(.param .b64 pointer);\n",
        }
    }
}

impl Library {
    pub(super) fn by_name(name: &str) -> Option<Library> {
        Some(match name {
            "printf" => Library::Printf,
            "puts" => Library::Puts,
            "putchar" => Library::Putchar,
            "__assert_fail" => Library::AssertFail,
            "abort" => Library::Abort,
            "malloc" => Library::Malloc,
            SHARE => Library::Share,
            OWN => Library::Own,
            "calloc" => Library::Calloc,
            "free" => Library::Free,
            "memcpy" => Library::MemCopy,
            "memset" => Library::MemSet,
            "fabs" | "fabsf" => Library::Unary(UnaryOp::FAbs),
            "sqrt" | "sqrtf" => Library::Unary(UnaryOp::Sqrt),
            "floor" | "floorf" => Library::Unary(UnaryOp::Floor),
            "ceil" | "ceilf" => Library::Unary(UnaryOp::Ceil),
            "trunc" | "truncf" => Library::Unary(UnaryOp::Trunc),
            "rint" | "rintf" | "nearbyint" | "nearbyintf" => Library::Unary(UnaryOp::Nearest),
            "fmin" | "fminf" => Library::Binary(BinaryOp::FMin),
            "fmax" | "fmaxf" => Library::Binary(BinaryOp::FMax),
            "copysign" | "copysignf" => Library::Binary(BinaryOp::CopySign),
            "fma" | "fmaf" => Library::MultiplyAdd,
            _ => return None,
        })
    }

    /// The operation that a call is, if the function is one.
    pub(super) fn operation(self, dst: Local, args: &[Operand]) -> Option<Op> {
        match (self, args) {
            (Library::Unary(op), &[src]) => Some(Op::Unary { dst, op, src }),
            (Library::Binary(op), &[a, b]) => Some(Op::Binary { dst, op, a, b }),
            (Library::MultiplyAdd, &[a, b, c]) => Some(Op::Fma { dst, a, b, c }),
            _ => None,
        }
    }
}
