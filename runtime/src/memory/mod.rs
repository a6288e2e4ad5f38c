//! The data environment of a device with memory of its own: what of the host's memory has a copy there, and
//! the queues on which copies and regions are worked.
//!
//! - [`state`]: a device, its present table and its queues;
//! - [`table`]: what is present, and for how long;
//! - [`active`]: devices that become active and inactive;
//! - [`entry`]: a data clause, and what it brought about;
//! - [`enter`], [`leave`]: data clauses at the start and at the end of a data lifetime;
//! - [`again`], [`sites`]: constructs that come again, with the same data;
//! - [`used`]: sections that no clause names;
//! - [`single`]: the one counter of OpenMP;
//! - [`attach`]: pointers in device memory that point to device memory;
//! - [`members`]: structures of which a directive names members;
//! - [`update`]: copies while data is present;
//! - [`lookup`]: questions about what is present;
//! - [`queues`]: the queues, by their numbers; [`owed`]: what the host has not waited for;
//! - [`work`]: single steps on a queue, with their errors, messages and times; [`mark`]: points in it that
//!   others wait for;
//! - [`sides`]: copies between any two memories.
//!
//! Host threads and queues share blocks. A block is marked as ready behind the copies that fill it, and by
//! whoever leaves it with work on a queue; other queues wait for the first mark before they use it, and for
//! all of them before it goes.

mod active;
mod again;
#[cfg(test)]
mod ahead_tests;
mod attach;
mod enter;
mod entry;
mod leave;
mod lookup;
mod mark;
mod members;
mod owed;
mod queues;
mod sides;
mod single;
mod sites;
mod state;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod update;
mod used;
mod work;

pub(crate) use again::may_repeat;
pub(crate) use enter::Routine;
pub(crate) use entry::{Entry, Item};
pub(crate) use leave::Exit;
pub(crate) use mark::Mark;
#[cfg(test)]
pub(crate) use mark::Promise;
pub(crate) use owed::is_owing;
pub(crate) use sides::{Sides, address, copy_within, work_on};
pub(crate) use state::Memory;
pub(crate) use table::Counter;
pub(crate) use update::Side;
pub(crate) use work::Work;
