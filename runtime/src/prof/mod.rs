//! The profiling interface (OpenACC 3.3, chapter 5): a program or a profiling library registers callbacks for events.
//!
//! [`registry`] holds the callbacks and their switches, [`dispatch`] makes the events, [`types`] has the C layouts of
//! `acc_prof.h`, [`library`] finds the libraries that the environment names.
//!
//! On a device that is the host, events are: device initialisation and shutdown, compute constructs, data directives
//! (enter, exit, update), waits, and the end of the runtime. On other devices there are also allocations, launches, and the
//! enter and exit events of a compute construct's data clauses. Copies make no events of their own. Source positions are
//! not given (null, -1).

mod dispatch;
mod library;
pub mod registry;
mod types;

pub(crate) use dispatch::{Activity, Construct, Event, Span, memory, runtime_shutdown, start, start_with};
pub(crate) use library::load_libraries;
pub use library::{acc_prof_lookup, acc_register_library, register_library};
pub(crate) use types::Details;
