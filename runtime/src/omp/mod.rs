//! The run-time library routines of OpenMP 5.0, chapter 3, for programs whose parallel regions have one
//! thread, and on whatever device.
//!
//! Functions that give the same answer in the same way share one implementation. Settings that a program can
//! read back belong to its thread, as OpenMP's internal control variables do.

pub mod affinity;
pub mod allocators;
pub mod device_memory;
pub mod devices;
pub mod locks;
pub mod threads;
