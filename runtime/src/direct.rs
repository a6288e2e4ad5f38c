//! Whether a construct that has nothing to it but its region is a call of that region: what compiled code
//! asks before it goes the way through a descriptor and its values ([`crate::launch`]), which takes longer
//! than a short region.
//!
//! That is so while the only device is the host, with the program's own memory; it is active, executes one
//! gang, and nobody is told of constructs or counts them.

use crate::{device, gangs, prof, stats};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Not 0 where it is so: the word behind [`crate::abi::DIRECT_SYMBOL`].
pub(crate) static DIRECT: AtomicU32 = AtomicU32::new(0);

/// Held while the word is set: whoever is the last to change what it depends on has seen all other changes.
static CHANGE: Mutex<()> = Mutex::new(());

/// Sets the word. To be called after every change of what it depends on.
pub(crate) fn update() {
    let _turn = CHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    let is_direct = device::is_only_shared_host()
        && device::host().is_active()
        && gangs::is_one()
        && !prof::is_registered()
        && !stats::is_wanted();
    DIRECT.store(is_direct.into(), Ordering::Release);
}
