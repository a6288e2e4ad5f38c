//! All [`Origin`]s of a device, by number, and those of a launch's instructions.

use crate::code::Code;
use crate::origin::{Lack, Origin};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
        Origin::new(*number)
    }

    /// What an origin stands for.
    pub(crate) fn get(&self, origin: Origin) -> Option<Taken> {
        let index = origin.number().checked_sub(1)?;
        self.known().taken.get(index).cloned()
    }

    /// Whether it matters to whoever reads memory that it holds such a value: one that was computed, or that
    /// of a variable. What was only moved there from other memory is like memory that nobody wrote.
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
