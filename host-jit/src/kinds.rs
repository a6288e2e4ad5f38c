//! The numbers that the runtime knows the IR's kinds by. A new kind of the IR does not compile before it has
//! one.

use accrue_ir::{ConstructKind, DataKind, MapKind, MapModifiers, RedType, Type};
use accrue_runtime::abi::{self, DataDesc, MapDesc, ScalarKind};

pub(crate) fn construct(kind: ConstructKind) -> abi::ConstructKind {
    match kind {
        ConstructKind::Parallel => abi::ConstructKind::Parallel,
        ConstructKind::Serial => abi::ConstructKind::Serial,
        ConstructKind::Kernels => abi::ConstructKind::Kernels,
        ConstructKind::Team => abi::ConstructKind::Team,
        ConstructKind::Task => abi::ConstructKind::Task,
    }
}

/// The directive, and the flags of its clauses without arguments.
pub(crate) fn data(kind: DataKind) -> (abi::DataKind, u32) {
    let finalizes = |finalize| if finalize { DataDesc::FINALIZE } else { 0 };
    let if_present = |if_present| if if_present { DataDesc::IF_PRESENT } else { 0 };
    match kind {
        DataKind::DataBegin => (abi::DataKind::DataBegin, 0),
        DataKind::DataEnd => (abi::DataKind::DataEnd, 0),
        DataKind::Enter => (abi::DataKind::Enter, 0),
        DataKind::Exit { finalize } => (abi::DataKind::Exit, finalizes(finalize)),
        DataKind::Update { if_present: flag } => (abi::DataKind::Update, if_present(flag)),
        DataKind::HostDataBegin { if_present: flag } => (abi::DataKind::HostDataBegin, if_present(flag)),
        DataKind::HostDataEnd => (abi::DataKind::HostDataEnd, 0),
        DataKind::Wait => (abi::DataKind::Wait, 0),
        DataKind::Init => (abi::DataKind::Init, 0),
        DataKind::Shutdown => (abi::DataKind::Shutdown, 0),
        DataKind::Set => (abi::DataKind::Set, 0),
        DataKind::DeclareBegin => (abi::DataKind::DeclareBegin, 0),
        DataKind::DeclareEnd => (abi::DataKind::DeclareEnd, 0),
    }
}

pub(crate) fn map(kind: MapKind) -> abi::MapKind {
    match kind {
        MapKind::Copy => abi::MapKind::Copy,
        MapKind::CopyIn => abi::MapKind::CopyIn,
        MapKind::CopyOut => abi::MapKind::CopyOut,
        MapKind::Create => abi::MapKind::Create,
        MapKind::NoCreate => abi::MapKind::NoCreate,
        MapKind::Present => abi::MapKind::Present,
        MapKind::DevicePtr => abi::MapKind::DevicePtr,
        MapKind::Attach => abi::MapKind::Attach,
        MapKind::Detach => abi::MapKind::Detach,
        MapKind::Delete => abi::MapKind::Delete,
        MapKind::UseDevice => abi::MapKind::UseDevice,
        MapKind::UpdateSelf => abi::MapKind::UpdateSelf,
        MapKind::UpdateDevice => abi::MapKind::UpdateDevice,
        MapKind::DeviceResident => abi::MapKind::DeviceResident,
        MapKind::Link => abi::MapKind::Link,
        MapKind::FirstPrivate => abi::MapKind::FirstPrivate,
        MapKind::Shared => abi::MapKind::Shared,
    }
}

/// The flags of a clause's modifiers.
pub(crate) fn modifiers(modifiers: MapModifiers) -> u32 {
    let MapModifiers {
        zero,
        readonly,
        always_in,
        always_out,
        capture,
        read_later,
        by_use,
        required,
        finalize,
    } = modifiers;
    flags([
        (zero, MapDesc::ZERO),
        (readonly, MapDesc::READONLY),
        (always_in, MapDesc::ALWAYS_IN),
        (always_out, MapDesc::ALWAYS_OUT),
        (capture, MapDesc::CAPTURE),
        (read_later, MapDesc::READ_LATER),
        (by_use, MapDesc::BY_USE),
        (required, MapDesc::REQUIRED),
        (finalize, MapDesc::FINALIZE),
    ])
}

/// The sum of the flags that hold.
pub(crate) fn flags<const N: usize>(flags: [(bool, u32); N]) -> u32 {
    flags.into_iter().map(|(holds, flag)| if holds { flag } else { 0 }).sum()
}

/// What the bits of a scalar in memory mean. Complex numbers and vectors come in parts; as a whole they are
/// bits.
pub(crate) fn scalar(ty: RedType) -> ScalarKind {
    match ty.ty {
        Type::F32 | Type::F64 => ScalarKind::Float,
        Type::F80 => ScalarKind::Extended,
        Type::Ptr => ScalarKind::Pointer,
        Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => {
            match (ty.boolean, ty.signed) {
                (true, _) => ScalarKind::Boolean,
                (false, true) => ScalarKind::Signed,
                (false, false) => ScalarKind::Unsigned,
            }
        }
        Type::C32
        | Type::C64
        | Type::I8x16
        | Type::I16x8
        | Type::I32x4
        | Type::I64x2
        | Type::F32x4
        | Type::F64x2 => ScalarKind::Unsigned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce;
    use accrue_ir::passes::trace;

    /// Every kind of both sides, in one order.
    const MAPS: [MapKind; 17] = [
        MapKind::Copy,
        MapKind::CopyIn,
        MapKind::CopyOut,
        MapKind::Create,
        MapKind::NoCreate,
        MapKind::Present,
        MapKind::DevicePtr,
        MapKind::Attach,
        MapKind::Detach,
        MapKind::Delete,
        MapKind::UseDevice,
        MapKind::UpdateSelf,
        MapKind::UpdateDevice,
        MapKind::DeviceResident,
        MapKind::Link,
        MapKind::FirstPrivate,
        MapKind::Shared,
    ];

    #[test]
    fn both_sides_spell_alike() {
        assert_eq!(MAPS.map(map), abi::MapKind::ALL);
        for kind in MAPS {
            assert_eq!(map(kind).clause(), kind.clause());
        }
        use ConstructKind::{Kernels, Parallel, Serial, Task, Team};
        for kind in [Parallel, Serial, Kernels, Team, Task] {
            assert_eq!(construct(kind).name(), kind.name());
        }
        assert_eq!(abi::TERMS_SYMBOL, accrue_ir::passes::terms::TERMS);
        assert_eq!(abi::GANG_AWAIT_TURN_SYMBOL, reduce::AWAIT_TURN);
        assert_eq!(abi::GANG_LOCK_SYMBOL, reduce::LOCK);
        assert_eq!(abi::GANG_UNLOCK_SYMBOL, reduce::UNLOCK);
        assert_eq!(abi::LOOP_MARK_SYMBOL, trace::MARK);
        assert_eq!(abi::LOOP_ENTER_SYMBOL, trace::ENTER);
        assert_eq!(abi::LOOP_ITERATE_SYMBOL, trace::ITERATE);
        assert_eq!(abi::LOOP_LEAVE_SYMBOL, trace::LEAVE);
        assert_eq!(abi::LOOP_SPARE_SYMBOL, trace::SPARE);
        assert_eq!(abi::LOOP_ACCESS_SYMBOL, trace::ACCESS);
        assert_eq!(abi::LOOP_FRESH_SYMBOL, trace::FRESH);
        assert_eq!(abi::LOOP_FREED_SYMBOL, trace::FREED);
        assert_eq!(abi::TASK_TABLE_SYMBOL, trace::TASK_TABLE);
        assert_eq!(abi::TASK_ACCESS_SYMBOL, trace::TASK_ACCESS);
        assert_eq!(abi::TASK_FRESH_SYMBOL, trace::TASK_FRESH);
        assert_eq!(abi::TASK_FREED_SYMBOL, trace::TASK_FREED);
        assert_eq!(abi::SPARE_OWN, trace::Spare::Own as u32);
        assert_eq!(abi::SPARE_REDUCED, trace::Spare::Reduced as u32);
        assert_eq!(abi::SPARE_FLOW_COUNTS, trace::Spare::FlowCounts as u32);
    }

    #[test]
    fn modifiers_are_flags_of_their_own() {
        let all = MapModifiers {
            zero: true,
            readonly: true,
            always_in: true,
            always_out: true,
            capture: true,
            read_later: true,
            by_use: true,
            required: true,
            finalize: true,
        };
        assert_eq!(modifiers(all).count_ones(), 9);
        assert_eq!(modifiers(all) & (MapDesc::IMPLICIT | MapDesc::THROUGH_POINTER), 0);
        assert_eq!(
            modifiers(MapModifiers { always_in: true, ..MapModifiers::default() }),
            MapDesc::ALWAYS_IN
        );
    }
}
