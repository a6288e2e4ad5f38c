//! Trap codes of Cranelift, and the signal each one stands for.

use cranelift_codegen::ir::TrapCode;

/// `__builtin_trap`.
pub(crate) const TRAP: TrapCode = TrapCode::unwrap_user(1);
/// Control reached what the program promised it never reaches.
pub(crate) const UNREACHABLE: TrapCode = TrapCode::unwrap_user(2);
