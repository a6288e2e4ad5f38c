//! Where values come from that nobody set.
//!
//! A register that was never written and memory that nobody wrote have no value. Such a value may be moved, stored and
//! computed with: copies of structures have holes, loops run over padding. It is a mistake where something depends on
//! it: a branch, an address, an atomic operation, what is printed, what the host gets. Then it helps little to know
//! where the mistake shows, so a value without a value carries its [`Origin`]: the instruction that took it up.

use crate::code::Code;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Lack {
    /// The register was never written.
    Register,
    /// The memory was never written.
    Memory,
}

/// The number of an instruction that took up a value nobody set, and whether something was computed from it since.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Origin(u32);

/// An origin for each lane.
pub(crate) type LaneOrigins = [Origin; crate::alu::LANES];

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

    fn number(self) -> usize {
        (self.0 & !Origin::COMPUTED) as usize
    }
}

/// What a number stands for.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) code: Arc<Code>,
    pub(crate) pc: u32,
    pub(crate) lack: Lack,
}

#[derive(Debug, Default)]
struct Known {
    /// By the address of the code, which `taken` keeps there.
    numbers: FxHashMap<(usize, u32, Lack), u32>,
    /// By number, from 1 on.
    taken: Vec<Taken>,
}

/// All origins of a device: as many as instructions took up such values, at most.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    known: Mutex<Known>,
}

impl Origins {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self, code: &Arc<Code>, pc: u32, lack: Lack) -> Origin {
        let Known { numbers, taken } = &mut *self.known();
        let number = numbers.entry((Arc::as_ptr(code).addr(), pc, lack)).or_insert_with(|| {
            taken.push(Taken { code: code.clone(), pc, lack });
            taken.len() as u32
        });
        Origin(*number)
    }

    /// What an origin stands for.
    pub(crate) fn get(&self, origin: Origin) -> Option<Taken> {
        let index = origin.number().checked_sub(1)?;
        self.known().taken.get(index).cloned()
    }

    /// Whether it matters to whoever reads memory that it holds such a value: one that was computed, or that of a variable.
    /// What was only moved there from other memory is like memory that nobody wrote.
    pub(crate) fn spoils(&self, origin: Origin) -> bool {
        origin.is_computed() || self.get(origin).is_none_or(|taken| taken.lack == Lack::Register)
    }
}

/// The origins of a launch's instructions, for one host thread.
pub(crate) struct Follow<'a> {
    /// Whether anybody wants to know what has no value.
    pub(crate) check: bool,
    /// The instruction that is executed.
    pub(crate) pc: u32,
    code: &'a Arc<Code>,
    origins: &'a Origins,
    cache: FxHashMap<(u32, Lack), Origin>,
}

impl<'a> Follow<'a> {
    pub(crate) fn new(check: bool, code: &'a Arc<Code>, origins: &'a Origins) -> Follow<'a> {
        Follow { check, pc: 0, code, origins, cache: FxHashMap::default() }
    }

    /// The instruction takes up a value that nobody set.
    pub(crate) fn take_up(&mut self, lack: Lack) -> Origin {
        let Follow { pc, code, origins, .. } = *self;
        *self.cache.entry((pc, lack)).or_insert_with(|| origins.number(code, pc, lack))
    }

    /// Where a value comes from that the instruction reads from a register.
    pub(crate) fn read(&mut self, origin: Origin) -> Origin {
        if origin == Origin::UNREAD { self.take_up(Lack::Register) } else { origin }
    }

    /// See [`Origins::spoils`].
    pub(crate) fn spoils(&self, origin: Origin) -> bool {
        self.origins.spoils(origin)
    }
}
