//! Raising the processor's own faults.

use std::arch::asm;

/// Divides by zero.
pub(crate) extern "C" fn raise_division_fault() {
    // SAFETY: the instruction only faults; the registers it would write are declared.
    unsafe {
        asm!("div {zero:e}", zero = in(reg) 0_u32, inout("eax") 0_u32 => _, inout("edx") 0_u32 => _);
    }
}
