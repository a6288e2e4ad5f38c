//! The run-time library routines of OpenACC 3.3, chapter 3.
//!
//! Every function has the C signature of `openacc.h`. Pointers are never read through unless the routine's
//! meaning is to copy; then the program answers for them, as in C.

pub mod clocks;
pub mod devices;
pub mod memory;
pub mod processor;
pub mod queues;
