//! The run-time library routines of OpenMP, and those that compiled code calls for its constructs.
//!
//! Functions that give the same answer in the same way share one implementation.

pub mod affinity;
pub mod allocators;
pub mod device_memory;
pub mod devices;
pub mod entries;
pub mod locks;
pub mod reductions;
pub mod threads;
