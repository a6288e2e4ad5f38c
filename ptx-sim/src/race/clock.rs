//! What a thread learnt from others through memory.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Entries above which single lanes are rounded up to their CTAs: races may be missed then.
const MOST_ENTRIES: usize = 1 << 13;

/// For CTAs, warps and lanes: the clock up to which a thread knows everything that they did.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Knowledge {
    ctas: FxHashMap<u32, u32>,
    warps: FxHashMap<(u32, u32), u32>,
    lanes: FxHashMap<(u32, u32, u32), u32>,
}

fn raise<K: std::hash::Hash + Eq>(map: &mut FxHashMap<K, u32>, key: K, clock: u32) {
    let known = map.entry(key).or_insert(clock);
    *known = clock.max(*known);
}

impl Knowledge {
    /// Whether what a lane did at a clock of its warp is known.
    pub(crate) fn covers(&self, cta: u32, warp: u32, lane: u32, clock: u32) -> bool {
        let at_least = |known: Option<&u32>| known.is_some_and(|known| *known >= clock);
        at_least(self.ctas.get(&cta))
            || at_least(self.warps.get(&(cta, warp)))
            || at_least(self.lanes.get(&(cta, warp, lane)))
    }

    pub(crate) fn learn_cta(&mut self, cta: u32, clock: u32) {
        raise(&mut self.ctas, cta, clock);
    }

    pub(crate) fn learn_warp(&mut self, cta: u32, warp: u32, clock: u32) {
        raise(&mut self.warps, (cta, warp), clock);
    }

    pub(crate) fn learn_lane(&mut self, cta: u32, warp: u32, lane: u32, clock: u32) {
        raise(&mut self.lanes, (cta, warp, lane), clock);
    }

    /// Learns all that another knows.
    pub(crate) fn join(&mut self, other: &Knowledge) {
        for (cta, clock) in &other.ctas {
            raise(&mut self.ctas, *cta, *clock);
        }
        for (warp, clock) in &other.warps {
            raise(&mut self.warps, *warp, *clock);
        }
        for (lane, clock) in &other.lanes {
            raise(&mut self.lanes, *lane, *clock);
        }
        if self.warps.len() + self.lanes.len() > MOST_ENTRIES {
            for ((cta, _), clock) in std::mem::take(&mut self.warps) {
                raise(&mut self.ctas, cta, clock);
            }
            for ((cta, _, _), clock) in std::mem::take(&mut self.lanes) {
                raise(&mut self.ctas, cta, clock);
            }
        }
    }

    /// Forgets what a barrier of the whole CTA has made plain.
    pub(crate) fn prune(&mut self, cta: u32, base: u32) {
        self.warps.retain(|(of, _), clock| *of != cta || *clock > base);
        self.lanes.retain(|(of, _, _), clock| *of != cta || *clock > base);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ctas.is_empty() && self.warps.is_empty() && self.lanes.is_empty()
    }
}

/// Adds what one knows to what another knows; both may be shared.
pub(crate) fn join_into(into: &mut Option<Arc<Knowledge>>, other: &Arc<Knowledge>) {
    match into {
        None => *into = Some(other.clone()),
        Some(known) if Arc::ptr_eq(known, other) => {}
        Some(known) => Arc::make_mut(known).join(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_covers_what_came_before() {
        let mut a = Knowledge::default();
        a.learn_lane(1, 2, 3, 10);
        assert!(a.covers(1, 2, 3, 10) && !a.covers(1, 2, 3, 11) && !a.covers(1, 2, 4, 1));
        let mut b = Knowledge::default();
        b.learn_warp(1, 2, 5);
        b.learn_cta(7, 9);
        a.join(&b);
        assert!(a.covers(1, 2, 4, 5) && a.covers(7, 31, 31, 9) && !a.covers(7, 0, 0, 10));
        a.prune(1, 10);
        assert!(!a.covers(1, 2, 3, 1) && a.covers(7, 0, 0, 9));
    }
}
