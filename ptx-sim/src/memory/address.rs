//! The generic address space. The top 16 bits tell the window; none is zero, and none belongs to addresses
//! that a host's processor accepts, so an address of one side is never one of the other.

use crate::memory::space::{Scope, Space};

/// Bits below the window.
const WINDOW_SHIFT: u32 = 48;
const WINDOW_GLOBAL: u64 = 1;
const WINDOW_SHARED: u64 = 2;
const WINDOW_LOCAL: u64 = 3;
const WINDOW_PARAM: u64 = 4;
const WINDOW_CODE: u64 = 5;

/// First address of global memory.
pub(crate) const GLOBAL: u64 = WINDOW_GLOBAL << WINDOW_SHIFT;
/// Shared memory of the thread's CTA.
pub(crate) const SHARED: u64 = WINDOW_SHARED << WINDOW_SHIFT;
/// Memory of the thread.
pub(crate) const LOCAL: u64 = WINDOW_LOCAL << WINDOW_SHIFT;
/// Parameters of the kernel.
pub(crate) const PARAM: u64 = WINDOW_PARAM << WINDOW_SHIFT;
/// Functions, sixteen bytes each.
pub(crate) const CODE: u64 = WINDOW_CODE << WINDOW_SHIFT;
/// Distance of the addresses of functions.
pub(crate) const CODE_STEP: u64 = 16;

/// The space of a generic address, and the address in it.
pub(crate) fn space_of(generic: u64) -> Option<(Space, u64)> {
    let inner = generic & ((1 << WINDOW_SHIFT) - 1);
    Some(match generic >> WINDOW_SHIFT {
        WINDOW_GLOBAL => (Space::Global, generic),
        WINDOW_SHARED => (Space::Shared, inner),
        WINDOW_LOCAL => (Space::Local, inner),
        WINDOW_PARAM => (Space::Param, generic),
        _ => return None,
    })
}

/// What to add to an address of a space for a generic one. Constants and parameters are global or have no
/// other address.
pub(crate) fn base_of(space: Space) -> u64 {
    match space {
        Space::Shared => SHARED,
        Space::Local => LOCAL,
        Space::Generic | Space::Global | Space::Const | Space::Param => 0,
    }
}

/// Who can see what is told through an address: shared memory is its CTA's.
pub(crate) fn widest_scope(generic: u64) -> Scope {
    if generic >> WINDOW_SHIFT == WINDOW_SHARED { Scope::Cta } else { Scope::Gpu }
}

/// Whether an address could be one of the host.
pub(crate) fn looks_like_host(generic: u64) -> bool {
    (0x1_0000..1 << 47).contains(&generic)
}

/// The number of the function at an address.
pub(crate) fn function_at(address: u64) -> Option<u32> {
    let index = address.checked_sub(CODE)?;
    (index % CODE_STEP == 0).then(|| u32::try_from(index / CODE_STEP).ok()).flatten()
}

/// The address of a function.
pub(crate) fn function_address(function: u32) -> u64 {
    CODE + u64::from(function) * CODE_STEP
}
