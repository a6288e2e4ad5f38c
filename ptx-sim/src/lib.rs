//! A simulator of NVIDIA GPUs.
mod alu;
mod code;
mod device;
mod error;
mod exec;
mod lower;
mod memory;
mod queue;
mod race;
mod read;
mod report;
mod special;
mod ty;
mod verify;

pub use device::{Config, Device, KernelInfo, LaunchArgs, MemoryError, Module, Print, Stats};
pub use error::{LoadError, Pos, Problem};
pub use exec::launch::Checks;
pub use queue::{Event, QueueId};
pub use report::{Kind, MemoryPlace, Report, Site, Thread};
