//! Teams of host threads: `parallel` and what is done within.
//!
//! - [`idle`]: how threads wait and sleep;
//! - [`icvs`], [`environment`]: internal control variables, and the environment that sets them;
//! - [`pool`]: the operating system's threads;
//! - [`state`]: what the threads of a team share; [`member`]: what each has for itself;
//! - [`barrier`], [`fork`]: threads come together, and apart;
//! - [`loops`], [`exclusive`]: worksharing, and what one thread does alone.
//!
//! Tasks are in [`crate::task`].

pub(crate) mod barrier;
pub(crate) mod environment;
pub(crate) mod exclusive;
pub(crate) mod fork;
pub(crate) mod icvs;
pub(crate) mod idle;
pub(crate) mod loops;
pub(crate) mod member;
mod pool;
pub(crate) mod state;
#[cfg(test)]
mod tests;
