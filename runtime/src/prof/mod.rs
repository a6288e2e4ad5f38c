//! The profiling interface (OpenACC 3.3, chapter 5): a program or a profiling library registers callbacks for events.
//!
//! [`registry`] holds the callbacks and their switches, [`dispatch`] makes the events, [`types`] has the C layouts of
//! `acc_prof.h`, [`library`] finds the libraries that the environment names.
//!
//! On the host that shares memory with the program, events are: device initialisation and shutdown, compute constructs,
//! data directives (enter, exit, update), waits, and the end of the runtime. On devices with memory of their own there are also
//! allocations, copies, launches, and the enter and exit events of a compute construct's data clauses. Directives give
//! their file, function and line; where calls of routines are is not known (null, -1).

mod dispatch;
mod library;
pub mod registry;
mod types;

pub(crate) use dispatch::{Activity, Construct, Event, Span, memory, runtime_shutdown, start, start_with};
pub(crate) use library::load_libraries;
pub use library::{acc_prof_lookup, acc_register_library, register_library};
pub(crate) use types::Details;
