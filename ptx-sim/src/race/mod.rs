//! Data races, found by what happens before what.
//!
//! Each warp has a clock that ticks when its lanes tell others what they have done: at barriers, releases and
//! fences. The stretch of a warp between two ticks is a *segment*. Memory remembers, for each four bytes, the
//! segment, lane and instruction of the last write and of two reads; an access races with one of those that
//! it conflicts with unless that one's segment is known to the accessing thread. What a thread knows has
//! parts: all of its CTA up to the last barrier of the CTA (a number), all of its warp up to the last barrier
//! of the warp (a number per lane), and what it acquired through memory or barriers of few threads
//! ([`clock::Knowledge`]).
//!
//! Records are few, so a race may be missed; none is invented.
//!
//! A write of the value that is there already is a race of its own class, [`crate::Checks::quiet_races`].
//! Gangs that all execute the same code all store the same; [`redundant`] tells them from threads that happen
//! to.

pub(crate) mod cell;
pub(crate) mod clock;
pub(crate) mod redundant;
pub(crate) mod segment;
