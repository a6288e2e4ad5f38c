//! Device runtime of accrue: data environment, queues, the `acc_*` and `omp_*` API.
//!
//! Compiled host code reaches the runtime through the two entries that [`abi`] fixes, [`launch`] and
//! [`data`], and programs through the API in [`api`] and [`omp`] and the profiling interface;
//! [`symbols::table`] lists all of them by name. Without further ado there is one device, the host itself: it
//! shares memory with the program, so data clauses move nothing, and queues are always done. Devices with
//! memory of their own are behind the interface of [`plugin`], their data environment is `memory`. No
//! function here unwinds: errors of the program end it with a message, as C programs expect of a runtime.

pub mod abi;
pub mod api;
mod check;
mod conclusion;
mod data;
mod device;
mod direct;
mod fatal;
pub mod finding;
mod gangs;
mod launch;
mod loops;
mod memory;
mod notify;
pub mod omp;
pub mod plugin;
mod prof;
mod prof_libraries;
mod queue_number;
mod races;
mod scheduling;
mod setup;
mod shadow;
mod site;
mod stats;
mod strand;
pub mod symbols;
mod task;
mod team;
mod time;
mod trace;
mod twin;
mod values;

pub use check::Tolerance;
pub use gangs::Gangs;
pub use prof_libraries::register_library;
pub use setup::{Config, configure};
