//! The barrier objects of a CTA; `mbarrier.rs` says what threads do with them.

use crate::race::clock::Knowledge;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of an object, which are its alignment, too.
pub(super) const OBJECT_BYTES: u32 = 8;

/// An object.
#[derive(Debug)]
pub(super) struct Object {
    /// Arrivals that end a phase.
    pub(super) expected: u32,
    /// Those that the current phase has not seen.
    pub(super) missing: u32,
    /// Phases that are over.
    pub(super) phase: u64,
    /// What all who ever arrived had to tell, and what they had when the last phase ended.
    pub(super) told: Option<Arc<Knowledge>>,
    pub(super) heard: Option<Arc<Knowledge>>,
    /// By warp, the lanes that came to the object after it was made, which later uses need not show again.
    pub(super) known: FxHashMap<u32, u32>,
    /// By warp, the lanes that found the current phase not over.
    pub(super) waiting: FxHashMap<u32, u32>,
}

/// The objects of a CTA, by their place in shared memory.
#[derive(Debug, Default)]
pub(super) struct Objects(pub(super) BTreeMap<u64, Object>);

impl Objects {
    /// Whether bytes of shared memory belong to an object.
    #[inline]
    pub(super) fn hold(&self, offset: u64, bytes: u32) -> bool {
        !self.0.is_empty() && {
            let before = self.0.range(..offset.saturating_add(u64::from(bytes))).next_back();
            before.is_some_and(|(place, _)| place + u64::from(OBJECT_BYTES) > offset)
        }
    }

    /// The lanes of a warp that found the current phase of an object not over.
    pub(super) fn waiting(&self, warp: u32) -> u32 {
        self.0.values().fold(0, |lanes, object| lanes | object.waiting.get(&warp).copied().unwrap_or(0))
    }
}

impl Object {
    pub(super) fn new(expected: u32) -> Object {
        Object {
            expected,
            missing: expected,
            phase: 0,
            told: None,
            heard: None,
            known: FxHashMap::default(),
            waiting: FxHashMap::default(),
        }
    }

    /// Counts arrivals; gives whether somebody waited for them.
    pub(super) fn count(&mut self, arrivals: u32, (cta, base): (u32, u32)) -> bool {
        self.missing -= arrivals;
        if self.missing > 0 {
            return false;
        }
        self.phase += 1;
        self.missing = self.expected;
        if let Some(told) = &mut self.told {
            Arc::make_mut(told).prune(cta, base);
        }
        self.heard = self.told.clone();
        let was_awaited = !self.waiting.is_empty();
        self.waiting.clear();
        was_awaited
    }
}
