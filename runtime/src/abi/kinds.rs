//! The numbers in descriptors. A number keeps its meaning for ever; new kinds get new numbers.

use crate::fatal::fatal;

/// An enum whose variants are numbers of the interface, and the way back from a number.
macro_rules! numbers {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$of_variant:meta])* $variant:ident = $number:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u32)]
        pub enum $name {
            $($(#[$of_variant])* $variant = $number,)*
        }

        impl $name {
            /// Every kind.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// Its number in a descriptor.
            pub const fn number(self) -> u32 {
                self as u32
            }

            /// The kind with a number. One that this runtime does not know ends the program.
            #[inline]
            pub(super) fn of(number: u32) -> $name {
                match number {
                    $($number => $name::$variant,)*
                    other => unknown($what, other),
                }
            }
        }
    };
}

#[cold]
fn unknown(what: &str, number: u32) -> ! {
    fatal(format_args!(
        "this runtime knows no {what} with the number {number}: the program is newer, or damaged"
    ))
}

numbers! {
    /// The kind of a compute construct.
    ConstructKind, "compute construct" {
        /// `parallel`.
        Parallel = 1,
        /// `serial`.
        Serial = 2,
        /// `kernels`.
        Kernels = 3,
        /// OpenMP's `parallel`, which every thread of a team of the host executes.
        Team = 4,
        /// OpenMP's `task`, which some thread of the host executes.
        Task = 5,
    }
}

impl ConstructKind {
    /// Name of the directive.
    pub fn name(self) -> &'static str {
        match self {
            ConstructKind::Parallel => "parallel",
            ConstructKind::Serial => "serial",
            ConstructKind::Kernels => "kernels",
            ConstructKind::Team => "team",
            ConstructKind::Task => "task",
        }
    }
}

numbers! {
    /// The directive behind a data descriptor.
    DataKind, "data directive" {
        /// Start of a structured `data` construct.
        DataBegin = 1,
        /// Its end. Carries the same maps as its start.
        DataEnd = 2,
        /// `enter data`.
        Enter = 3,
        /// `exit data`.
        Exit = 4,
        /// `update`.
        Update = 5,
        /// Start of `host_data`: the device address of each map is asked for.
        HostDataBegin = 6,
        /// End of `host_data`.
        HostDataEnd = 7,
        /// `wait`.
        Wait = 8,
        /// `init`.
        Init = 9,
        /// `shutdown`.
        Shutdown = 10,
        /// `set`.
        Set = 11,
        /// Start of the scope of a function's `declare`.
        DeclareBegin = 12,
        /// Its end.
        DeclareEnd = 13,
    }
}

numbers! {
    /// What a data clause does. The names are the clauses'.
    MapKind, "data clause" {
        /// `copy`.
        Copy = 1,
        /// `copyin`.
        CopyIn = 2,
        /// `copyout`.
        CopyOut = 3,
        /// `create`.
        Create = 4,
        /// `no_create`.
        NoCreate = 5,
        /// `present`.
        Present = 6,
        /// `deviceptr`.
        DevicePtr = 7,
        /// `attach`.
        Attach = 8,
        /// `detach`.
        Detach = 9,
        /// `delete`.
        Delete = 10,
        /// `use_device`.
        UseDevice = 11,
        /// `update self`, `update host`.
        UpdateSelf = 12,
        /// `update device`.
        UpdateDevice = 13,
        /// `device_resident`.
        DeviceResident = 14,
        /// `link`.
        Link = 15,
        /// A `firstprivate` object too large for a register: its bytes travel with the launch.
        FirstPrivate = 16,
        /// A variable that threads of the host share with the code around the construct.
        Shared = 17,
    }
}

impl MapKind {
    /// The clause as programs spell it.
    pub fn clause(self) -> &'static str {
        match self {
            MapKind::Copy => "copy",
            MapKind::CopyIn => "copyin",
            MapKind::CopyOut => "copyout",
            MapKind::Create => "create",
            MapKind::NoCreate => "no_create",
            MapKind::Present => "present",
            MapKind::DevicePtr => "deviceptr",
            MapKind::Attach => "attach",
            MapKind::Detach => "detach",
            MapKind::Delete => "delete",
            MapKind::UseDevice => "use_device",
            MapKind::UpdateSelf => "update self",
            MapKind::UpdateDevice => "update device",
            MapKind::DeviceResident => "device_resident",
            MapKind::Link => "link",
            MapKind::FirstPrivate => "firstprivate",
            MapKind::Shared => "shared",
        }
    }
}

numbers! {
    /// How an argument of a region is made at launch.
    ArgKind, "kind of argument" {
        /// The device address of a map.
        Address = 1,
        /// The pointer behind a map, translated to the device: start minus bias.
        Pointer = 2,
        /// The next value.
        Value = 3,
        /// The next value, a pointer that no data clause is about.
        PointerValue = 4,
    }
}

impl ArgKind {
    /// Whether it is one of the launch's values.
    pub fn is_value(self) -> bool {
        matches!(self, ArgKind::Value | ArgKind::PointerValue)
    }
}

numbers! {
    /// What the bits of a scalar in memory mean.
    ScalarKind, "kind of scalar" {
        /// An unsigned integer.
        Unsigned = 1,
        /// A signed integer.
        Signed = 2,
        /// `_Bool`.
        Boolean = 3,
        /// An IEEE number of 4 or 8 bytes.
        Float = 4,
        /// An x87 number: 10 bytes stored in 16.
        Extended = 5,
        /// An address.
        Pointer = 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back_to_their_kinds() {
        for &kind in MapKind::ALL {
            assert_eq!(MapKind::of(kind.number()), kind);
        }
        for &kind in DataKind::ALL {
            assert_eq!(DataKind::of(kind.number()), kind);
        }
        assert_eq!((MapKind::Shared.number(), DataKind::DeclareEnd.number()), (17, 13));
        assert_eq!((ScalarKind::Pointer.number(), ArgKind::PointerValue.number()), (6, 4));
    }
}
