//! Functions that compiled code calls for what Cranelift cannot express.

pub(crate) mod complex;
pub(crate) mod faults;
pub(crate) mod gangs;
pub(crate) mod int128;
pub(crate) mod lock;
pub(crate) mod side_stack;
pub(crate) mod tls;
pub(crate) mod x87;

use cranelift_codegen::ir::{Type, types};
use cranelift_codegen::isa::CallConv;

const F32: Type = types::F32;
const F64: Type = types::F64;
const I32: Type = types::I32;
const I64: Type = types::I64;

/// What the names of all helpers start with.
const PREFIX: &str = "__accrue_helper_";

macro_rules! helpers {
    ($($name:ident = $address:expr, $params:expr => $returns:expr;)*) => {
        /// A helper. The numbers are stable within a build: relocations carry them.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Helper {
            $($name,)*
        }

        impl Helper {
            /// All of them, in order.
            pub(crate) const ALL: &[Helper] = &[$(Helper::$name,)*];

            /// Cranelift types of parameters and results.
            pub(crate) fn signature(self) -> (&'static [Type], &'static [Type]) {
                match self {
                    $(Helper::$name => (&$params, &$returns),)*
                }
            }

            /// How it is called.
            pub(crate) fn convention(self) -> CallConv {
                match self {
                    Helper::C32Mul | Helper::C64Mul => CallConv::PreserveAll,
                    _ => CallConv::SystemV,
                }
            }

            /// Its name for linking.
            pub(crate) fn symbol(self) -> &'static str {
                match self {
                    $(Helper::$name => concat!("__accrue_helper_", stringify!($name)),)*
                }
            }

            /// The address of the helper with this name.
            pub(crate) fn find(symbol: &str) -> Option<usize> {
                let name = symbol.strip_prefix(PREFIX)?;
                match name {
                    $(stringify!($name) => Some(Helper::$name.address()),)*
                    _ => None,
                }
            }

            /// Where it is.
            pub(crate) fn address(self) -> usize {
                match self {
                    $(Helper::$name => $address as *const () as usize,)*
                }
            }
        }
    };
}

unsafe extern "C" {
    // The compiler's own support library, so that results equal what C compilers give.
    fn __floattisf();
    fn __floattidf();
    fn __floatuntisf();
    fn __floatuntidf();
    fn __fixsfti();
    fn __fixdfti();
    fn __fixunssfti();
    fn __fixunsdfti();
    fn exp2f(x: f32) -> f32;
}

helpers! {
    MemMove = libc::memmove, [I64, I64, I64] => [];
    MemSet = libc::memset, [I64, I32, I64] => [];

    Exp2F32 = exp2f, [F32] => [F32];

    F80Add = x87::add, [I64, I64, I64, I64] => [I64, I64];
    F80Sub = x87::sub, [I64, I64, I64, I64] => [I64, I64];
    F80Mul = x87::mul, [I64, I64, I64, I64] => [I64, I64];
    F80Div = x87::div, [I64, I64, I64, I64] => [I64, I64];
    F80Min = x87::min, [I64, I64, I64, I64] => [I64, I64];
    F80Max = x87::max, [I64, I64, I64, I64] => [I64, I64];
    F80Sqrt = x87::sqrt, [I64, I64] => [I64, I64];
    F80Floor = x87::floor, [I64, I64] => [I64, I64];
    F80Ceil = x87::ceil, [I64, I64] => [I64, I64];
    F80Trunc = x87::trunc, [I64, I64] => [I64, I64];
    F80Nearest = x87::nearest, [I64, I64] => [I64, I64];
    F80Compare = x87::compare, [I64, I64, I64, I64] => [I32];
    I64ToF80 = x87::from_i64, [I64] => [I64, I64];
    U64ToF80 = x87::from_u64, [I64] => [I64, I64];
    I128ToF80 = x87::from_i128, [I64, I64] => [I64, I64];
    U128ToF80 = x87::from_u128, [I64, I64] => [I64, I64];
    F32ToF80 = x87::from_f32, [F32] => [I64, I64];
    F64ToF80 = x87::from_f64, [F64] => [I64, I64];
    F80ToF32 = x87::to_f32, [I64, I64] => [F32];
    F80ToF64 = x87::to_f64, [I64, I64] => [F64];
    F80ToI32 = x87::to_i32, [I64, I64] => [I64];
    F80ToI64 = x87::to_i64, [I64, I64] => [I64];
    F80ToU64 = x87::to_u64, [I64, I64] => [I64];
    F80ToI128 = x87::to_i128, [I64, I64] => [I64, I64];
    F80ToU128 = x87::to_u128, [I64, I64] => [I64, I64];
    TakeSt0 = x87::take_st0, [I64] => [];
    GiveSt0 = x87::give_st0, [I64] => [];

    I128SDiv = int128::sdiv, [I64, I64, I64, I64] => [I64, I64];
    I128UDiv = int128::udiv, [I64, I64, I64, I64] => [I64, I64];
    I128SRem = int128::srem, [I64, I64, I64, I64] => [I64, I64];
    I128URem = int128::urem, [I64, I64, I64, I64] => [I64, I64];
    I128ToF32 = __floattisf, [I64, I64] => [F32];
    I128ToF64 = __floattidf, [I64, I64] => [F64];
    U128ToF32 = __floatuntisf, [I64, I64] => [F32];
    U128ToF64 = __floatuntidf, [I64, I64] => [F64];
    F32ToI128 = __fixsfti, [F32] => [I64, I64];
    F64ToI128 = __fixdfti, [F64] => [I64, I64];
    F32ToU128 = __fixunssfti, [F32] => [I64, I64];
    F64ToU128 = __fixunsdfti, [F64] => [I64, I64];

    C32Mul = complex::multiply32, [F32, F32, F32, F32, I64] => [];
    C32Div = complex::divide32, [F32, F32, F32, F32] => [F64];
    C64Mul = complex::multiply64, [F64, F64, F64, F64, I64] => [];
    C64Div = complex::divide64, [F64, F64, F64, F64] => [F64, F64];

    StackAlloc = side_stack::alloc, [I64, I64] => [I64];
    StackHeight = side_stack::height, [] => [I64];
    StackRelease = side_stack::release, [I64] => [];

    AtomicLock = lock::lock, [] => [];
    AtomicUnlock = lock::unlock, [] => [];

    ThreadLocals = tls::block, [I64] => [I64];
    ThreadLocalExtern = tls::external, [I64, I64] => [I64];

    EnterGang = gangs::enter, [I64, I64] => [];
    CurrentGang = gangs::gang, [] => [I64];
    CurrentGangs = gangs::gangs, [] => [I64];
}
