//! A simulator of NVIDIA GPUs.
mod alu;
mod code;
mod error;
mod lower;
mod memory;
mod read;
mod special;
mod ty;
mod verify;
pub use error::{LoadError, Pos, Problem};
