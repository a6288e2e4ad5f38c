//! Tasks of OpenMP: a graph that host threads work off.
//!
//! - [`node`]: a task, [`blocks`] its memory, [`group`] those that a `taskgroup` waits for;
//! - [`depend`]: which tasks a new one depends on;
//! - [`run`]: ready tasks are found, executed and completed;
//! - [`wait`]: waiting for tasks;
//! - [`events`]: tasks that end with an event (`detach`);
//! - [`submit`]: target tasks go to their devices, and the host learns of their end;
//! - [`clauses`]: what a directive says of its task;
//! - [`create`], [`target`]: from a directive to a node; [`taskloop`], [`ranges`]: to those of many tasks.
//!
//! The threads are those of [`crate::team`].

mod blocks;
pub(crate) mod clauses;
pub(crate) mod create;
pub(crate) mod depend;
pub(crate) mod events;
pub(crate) mod group;
#[cfg(test)]
pub(crate) mod harness;
pub(crate) mod node;
mod ranges;
pub(crate) mod run;
pub(crate) mod submit;
pub(crate) mod target;
#[cfg(test)]
mod target_tests;
mod taskloop;
#[cfg(test)]
mod tests;
pub(crate) mod wait;
