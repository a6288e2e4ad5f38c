//! `accrue check`: every region runs twice, on the device and on the host, and what comes back from the
//! device is compared with what the host computed.
//!
//! The program goes on with the host's results. Its memory is what it would be on a host that shares memory
//! with the program: the host's version of a region works on it in place, after the device's version is done,
//! and what the device sends back is compared with it and then dropped. So a difference stays where it arose,
//! on the device, and both sides go the same way through the program, which reads its input, its clock and
//! its files once. Copies to the device are done: they bring what the host has. All work is finished before
//! its directive ends.
//!
//! Here is the comparison: [`compare`] has scalars and tolerances, [`report`] the totals and the messages.
//! The host's part of what a device does is in [`crate::twin`].

mod compare;
mod report;

pub use compare::Tolerance;
pub(crate) use report::{Array, Images, compared, count_region, is_on, regions, start};
