//! Teams of host threads: `parallel` and what is done within.
//!
//! - [`idle`], [`processors`], [`lock`]: how threads wait and sleep, how many can run, and one at a time;
//! - [`icvs`], [`environment`], [`display`]: internal control variables, the environment that sets them, and
//!   their text;
//! - [`pool`]: the operating system's threads;
//! - [`state`]: what the threads of a team share; [`member`]: what each has for itself;
//! - [`barrier`], [`fork`]: threads come together, and apart; [`cancel`]: they leave a construct early;
//! - [`loops`], [`shared_loop`], [`doacross`], [`exclusive`]: worksharing, what the threads of a loop share,
//!   iterations that wait for each other, and what one thread does alone;
//! - [`league`]: the teams of `teams`.
//!
//! Tasks are in [`crate::task`].

pub(crate) mod barrier;
pub(crate) mod cancel;
mod display;
pub(crate) mod doacross;
pub(crate) mod environment;
pub(crate) mod exclusive;
pub(crate) mod fork;
pub(crate) mod icvs;
pub(crate) mod idle;
pub(crate) mod league;
pub(crate) mod lock;
pub(crate) mod loops;
pub(crate) mod member;
pub(crate) mod pool;
pub(crate) mod processors;
mod shared_loop;
pub(crate) mod state;
#[cfg(test)]
mod tests;
