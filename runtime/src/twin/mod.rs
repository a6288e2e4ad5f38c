//! The host's part of what a device does, where `accrue check` compares the two: see [`crate::check`].
//!
//! - [`region`]: the host's version of a region;
//! - [`silence`]: only one of the two versions prints;
//! - [`outside`]: what else changes device memory.

mod outside;
mod region;
mod silence;

pub(crate) use outside::{copied_to, copied_within, copies_from, lend, take_back};
pub(crate) use region::{Twin, allocated, freed, terms};
pub(crate) use silence::Silence;
