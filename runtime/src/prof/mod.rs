//! The profiling interface (OpenACC 3.3, chapter 5): a program or a profiling library registers callbacks for events.
//!
//! [`registry`] holds the callbacks and their switches, [`dispatch`] makes the events, [`types`] has the C layouts of
//! `acc_prof.h`, [`library`] finds the libraries that the environment names.
//!
//! On a device that is the host, events are: device initialisation and shutdown, compute constructs, data directives
//! (enter, exit, update), waits, and the end of the runtime. Nothing is enqueued and nothing is allocated or moved, so
//! there are no launch, upload, download, allocation or creation events; and a compute construct's data clauses, which
//! do nothing, make no enter and exit events. Source positions are not given (null, -1).

mod dispatch;
mod library;
pub mod registry;
mod types;

pub(crate) use dispatch::{Activity, Construct, runtime_shutdown, start};
pub(crate) use library::load_libraries;
pub use library::{acc_prof_lookup, acc_register_library, register_library};
