//! The profiling interface (OpenACC 3.3, chapter 5): a program or a profiling library registers callbacks for
//! events.
//!
//! [`registry`] holds the callbacks and their switches, [`events`] their numbers, [`dispatch`] makes the
//! events, [`types`] has the C layouts of `acc_prof.h`. [`crate::prof_libraries`] finds the libraries that
//! the environment names.
//!
//! On the host that shares memory with the program, events are: device initialisation and shutdown, compute
//! constructs, data directives (enter, exit, update), waits, and the end of the runtime. On devices with
//! memory of their own there are also allocations, copies, launches, and the enter and exit events of a
//! compute construct's data clauses. Directives give their file, function and line; where calls of routines
//! are is not known (null, -1).

mod dispatch;
pub(crate) mod events;
pub mod registry;
mod types;

pub(crate) use dispatch::{Activity, Span, memory, runtime_shutdown, start, start_with};
pub(crate) use events::Event;
pub(crate) use registry::in_use;
pub(crate) use types::Details;
