//! Where values come from that nobody set.
//!
//! A register that was never written and memory that nobody wrote have no value. Such a value may be moved,
//! stored and computed with: copies of structures have holes, loops run over padding. It is a mistake where
//! something depends on it: a branch, an address, an atomic operation, what is printed, what the host gets.
//! Then it helps little to know where the mistake shows, so a value without a value carries its [`Origin`]:
//! the instruction that took it up.

use crate::alu::LANES;

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Lack {
    /// The register was never written.
    Register,
    /// The memory was never written.
    Memory,
}

/// The number of an instruction that took up a value nobody set, and whether something was computed from it
/// since.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Origin(u32);

/// An origin for each lane.
pub(crate) type LaneOrigins = [Origin; LANES];

impl Origin {
    /// A register that nothing has read yet.
    pub(crate) const UNREAD: Origin = Origin(0);
    const COMPUTED: u32 = 1 << 31;

    /// The same of what is computed from such a value.
    pub(crate) fn computed(self) -> Origin {
        Origin(self.0 | Origin::COMPUTED)
    }

    pub(crate) fn is_computed(self) -> bool {
        self.0 & Origin::COMPUTED != 0
    }

    /// The origin of this number, from 1 on.
    pub(crate) fn new(number: u32) -> Origin {
        Origin(number)
    }

    /// Its number; 0 for a register that nothing has read yet.
    pub(crate) fn number(self) -> usize {
        (self.0 & !Origin::COMPUTED) as usize
    }
}
