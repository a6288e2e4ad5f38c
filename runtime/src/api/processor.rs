//! `cpuid.h` and `immintrin.h`: instructions of the processor that C code here has no way to write.

/// Writes eax, ebx, ecx and edx of a leaf; zeros where processors have no such instruction.
///
/// # Safety
/// There is room for four numbers at `registers`.
pub unsafe extern "C" fn cpuid(leaf: u32, subleaf: u32, registers: *mut u32) {
    #[cfg(target_arch = "x86_64")]
    let found = {
        let found = std::arch::x86_64::__cpuid_count(leaf, subleaf);
        [found.eax, found.ebx, found.ecx, found.edx]
    };
    #[cfg(not(target_arch = "x86_64"))]
    let found = {
        let _ = (leaf, subleaf);
        [0; 4]
    };
    // SAFETY: the caller's promise.
    unsafe { registers.cast::<[u32; 4]>().write(found) };
}

/// Cycles of the processor's own clock; zero where processors have no such instruction.
pub extern "C" fn cycles() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of 64 bits has the instruction.
    return unsafe { std::arch::x86_64::_rdtsc() };
    #[cfg(not(target_arch = "x86_64"))]
    0
}
