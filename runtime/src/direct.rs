//! Whether a construct that has nothing to it but its region is a call of that region: what compiled code
//! asks before it goes the way through a descriptor and its values ([`crate::launch`]), which takes longer
//! than a short region.
//!
//! That is so while the only device is the host, with the program's own memory; it is active, executes one
//! gang, and nobody is told of constructs or counts them. Whoever knows one of these says so.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Not 0 where it is so: the word behind [`crate::abi::DIRECT_SYMBOL`].
pub(crate) static DIRECT: AtomicU32 = AtomicU32::new(0);

/// What has to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    /// There is no other device, each launch has one gang, and nobody counts regions.
    Alone,
    /// The host is active.
    Active,
    /// No callback is registered.
    Unheard,
}

/// The conditions that hold, a bit each: at first nobody listens.
static HOLDING: Mutex<u32> = Mutex::new(1 << Condition::Unheard as u32);

/// All conditions.
const ALL: u32 =
    1 << Condition::Alone as u32 | 1 << Condition::Active as u32 | 1 << Condition::Unheard as u32;

/// Says whether a condition holds from now on.
pub(crate) fn set(condition: Condition, holds: bool) {
    let mut holding = HOLDING.lock().unwrap_or_else(PoisonError::into_inner);
    let bit = 1 << condition as u32;
    *holding = if holds { *holding | bit } else { *holding & !bit };
    DIRECT.store((*holding == ALL).into(), Ordering::Release);
}
