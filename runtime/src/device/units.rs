//! The devices of this process: the host, and what the command line adds to it.

use super::kind::{self, DeviceId, Unusable};
use crate::abi::Object;
use crate::memory::{Memory, is_owing};
use crate::plugin::{self, Device, Properties};
use std::ffi::c_int;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

/// A device, as the program counts them.
pub(crate) struct Unit {
    /// What programs call it.
    pub(crate) id: DeviceId,
    /// Its memory; a device without shares the host's.
    memory: Option<Memory>,
    /// Whether it is active; held while that changes.
    pub(super) activation: Mutex<bool>,
    /// Mirrors `activation` for directives and routines that need the device, which nearly always find it
    /// active.
    pub(super) active: AtomicBool,
    /// Data constructs that have begun and not ended.
    pub(super) open_data: AtomicU32,
}

impl Unit {
    fn new(id: DeviceId, memory: Option<Memory>) -> Unit {
        Unit {
            id,
            memory,
            activation: Mutex::new(false),
            active: AtomicBool::new(false),
            open_data: AtomicU32::new(0),
        }
    }

    /// Its memory, if it has some of its own.
    #[inline]
    pub(crate) fn memory(&'static self) -> Option<&'static Memory> {
        self.memory.as_ref()
    }

    /// Whether it has no memory of its own.
    pub(super) fn shares_memory(&self) -> bool {
        self.memory.is_none()
    }

    /// Whether it is active.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.active.load(Ordering::Acquire)
    }

    /// A data construct begins.
    pub(crate) fn open_data(&self) {
        self.open_data.fetch_add(1, Ordering::Relaxed);
    }

    /// A data construct ends.
    pub(crate) fn close_data(&self) {
        self.open_data.fetch_sub(1, Ordering::Relaxed);
    }

    /// What is constant about it.
    pub(crate) fn properties(&'static self) -> &'static Properties {
        static HOST: OnceLock<Properties> = OnceLock::new();
        match &self.memory {
            Some(memory) => memory.device.properties(),
            None => HOST.get_or_init(plugin::host::properties),
        }
    }

    /// Bytes of its memory that are not in use.
    pub(crate) fn free_memory(&self) -> usize {
        self.memory.as_ref().map_or_else(plugin::host::free_memory, |memory| memory.device.free_memory())
    }
}

/// The host.
const HOST: DeviceId = DeviceId { kind: kind::HOST, number: 0 };

/// All devices.
pub(crate) struct Units {
    /// One with the program's memory, or some with memory of their own.
    hosts: Vec<Unit>,
    accelerators: Vec<Unit>,
}

static UNITS: OnceLock<Units> = OnceLock::new();

impl Units {
    /// The host alone, with memory that it shares with the program.
    fn shared_host() -> Units {
        Units { hosts: vec![Unit::new(HOST, None)], accelerators: Vec::new() }
    }

    fn new(devices: Vec<Box<dyn Device>>, declared: &'static [Object]) -> Units {
        let (mut hosts, mut accelerators) = (Vec::new(), Vec::new());
        for device in devices {
            let kind = device.kind();
            let list = if kind == kind::HOST { &mut hosts } else { &mut accelerators };
            let id = DeviceId { kind, number: c_int::try_from(list.len()).unwrap_or(c_int::MAX) };
            list.push(Unit::new(id, Some(Memory::new(device, id, declared))));
        }
        if hosts.is_empty() {
            hosts = Units::shared_host().hosts;
        }
        Units { hosts, accelerators }
    }

    /// The devices of a type; `default` is the one that the environment asks for.
    pub(super) fn of(&self, wanted: c_int, default: c_int) -> Result<&[Unit], Unusable> {
        let hosts = &self.hosts[..];
        let accelerators = &self.accelerators[..];
        match wanted {
            kind::HOST => Ok(hosts),
            kind::DEFAULT if default == kind::DEFAULT => {
                Ok(if accelerators.is_empty() { hosts } else { accelerators })
            }
            kind::DEFAULT => self.of(default, kind::DEFAULT),
            kind::NONE => Err(Unusable::Nothing),
            kind::NOT_HOST if accelerators.is_empty() => Err(Unusable::NotHost),
            kind::NOT_HOST => Ok(accelerators),
            kind::NVIDIA | kind::RADEON => {
                let are = accelerators.first().is_some_and(|unit| unit.id.kind == wanted);
                if are { Ok(accelerators) } else { Err(Unusable::Absent(kind::name(wanted))) }
            }
            other => Err(Unusable::Unknown(other)),
        }
    }

    /// The device of a type and number.
    pub(super) fn find(&self, wanted: c_int, number: c_int, default: c_int) -> Result<&Unit, Unusable> {
        let list = self.of(wanted, default)?;
        let found = usize::try_from(number).ok().and_then(|index| list.get(index));
        found.ok_or_else(|| {
            Unusable::OutOfRange(number, list.first().map_or(kind::HOST, |unit| unit.id.kind), list.len())
        })
    }

    /// Every device, accelerators first.
    pub(crate) fn all(&'static self) -> impl Iterator<Item = &'static Unit> {
        self.accelerators.iter().chain(&self.hosts)
    }
}

/// How messages spell a device: its type, and its number where there are several of that type.
impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(kind::name(self.kind))?;
        match units().of(self.kind, kind::DEFAULT) {
            Ok(list) if list.len() > 1 => write!(f, ":{}", self.number),
            _ => Ok(()),
        }
    }
}

/// Sets up the devices, besides the host, which shares memory unless devices of its type are among them.
/// Accelerators are of one type. To be called before anything asks for a device.
pub(crate) fn set_up(devices: Vec<Box<dyn Device>>, declared: &'static [Object]) {
    let _ = UNITS.set(Units::new(devices, declared));
}

/// All devices.
pub(crate) fn units() -> &'static Units {
    UNITS.get_or_init(Units::shared_host)
}

/// The host waits for constructs of all devices that it has not waited for.
#[inline]
pub(crate) fn settle_all() {
    if is_owing() {
        units().all().filter_map(Unit::memory).for_each(Memory::settle);
    }
}

/// The host, the first of several.
pub(crate) fn host() -> &'static Unit {
    &units().hosts[0]
}

/// The devices beside the host that runs the program: accelerators, or without one the host with memory of
/// its own.
pub(crate) fn separate() -> &'static [Unit] {
    let units = units();
    match units.accelerators.is_empty() && units.hosts[0].memory().is_some() {
        true => &units.hosts,
        false => &units.accelerators,
    }
}

/// Whether there is no device with memory of its own.
pub(crate) fn is_only_shared_host() -> bool {
    units().all().all(|unit| unit.memory().is_none())
}
