//! GPU architectures: names, PTX versions, and which operation exists where.

use std::fmt;

/// An architecture that PTX can be emitted for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[allow(missing_docs, reason = "the variants are the names")]
pub enum Arch {
    Sm70,
    Sm75,
    Sm80,
    Sm86,
    Sm89,
    #[default]
    Sm90,
    Sm100,
    Sm120,
}

/// A PTX version, `.version MAJOR.MINOR`.
pub type Version = (u8, u8);

impl Arch {
    /// All of them, oldest first.
    pub const ALL: &'static [Arch] =
        &[Arch::Sm70, Arch::Sm75, Arch::Sm80, Arch::Sm86, Arch::Sm89, Arch::Sm90, Arch::Sm100, Arch::Sm120];

    /// The number in its name: 70 for `sm_70`.
    pub fn number(self) -> u32 {
        match self {
            Arch::Sm70 => 70,
            Arch::Sm75 => 75,
            Arch::Sm80 => 80,
            Arch::Sm86 => 86,
            Arch::Sm89 => 89,
            Arch::Sm90 => 90,
            Arch::Sm100 => 100,
            Arch::Sm120 => 120,
        }
    }

    /// The architecture of a name such as `sm_90`.
    pub fn by_name(name: &str) -> Option<Arch> {
        Arch::ALL.iter().copied().find(|arch| arch.to_string() == name)
    }

    /// The oldest PTX version that knows it.
    pub fn version(self) -> Version {
        match self {
            Arch::Sm70 => (6, 0),
            Arch::Sm75 => (6, 3),
            Arch::Sm80 => (7, 0),
            Arch::Sm86 => (7, 1),
            Arch::Sm89 | Arch::Sm90 => (7, 8),
            Arch::Sm100 => (8, 6),
            Arch::Sm120 => (8, 7),
        }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.number())
    }
}
