//! A simulator of NVIDIA GPUs.
mod error;
mod read;
pub use error::{LoadError, Pos, Problem};
