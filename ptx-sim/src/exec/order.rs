//! Acquire, release, fences: who learns what through memory.

use super::cta::CtaState;
use super::fault::Checked;
use super::launch::Worker;
use super::warp::{FailedSwap, Released, Warp};
use crate::alu::lanes_of;
use crate::memory::address;
use crate::memory::space::Scope;
use crate::race::clock::{Knowledge, join_into};
use crate::report::Kind;
use std::sync::Arc;

impl Released {
    /// What a lane knows now, itself included.
    fn now(cta: &CtaState, warp: &Warp, lane: usize, scope: Scope) -> Released {
        Released {
            clock: warp.clock,
            cta_base: cta.base,
            warp_base: warp.warp_base[lane],
            know: warp.know[lane].clone(),
            scope,
        }
    }

    pub(super) fn knowledge(&self, cta: u32, warp: u32, lane: u32) -> Arc<Knowledge> {
        let mut know = self.know.clone().unwrap_or_default();
        let own = Arc::make_mut(&mut know);
        own.learn_lane(cta, warp, lane, self.clock);
        if self.cta_base > 0 {
            own.learn_cta(cta, self.cta_base);
        }
        if self.warp_base > 0 {
            own.learn_warp(cta, warp, self.warp_base);
        }
        know
    }
}

impl Worker<'_> {
    /// A fence by some lanes.
    pub(super) fn fence(&self, cta: &CtaState, warp: &mut Warp, act: u32, how: (bool, bool), scope: Scope) {
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        if !self.launch.checks.races {
            return;
        }
        let (acquire, release) = how;
        for lane in lanes_of(act) {
            if acquire && let Some((heard, from)) = warp.pending[lane].take() {
                // A narrow fence takes from its own CTA only; what is told to all is told to the CTA as well.
                if scope == Scope::Gpu || from == Scope::Cta {
                    join_into(&mut warp.know[lane], &heard);
                } else {
                    warp.pending[lane] = Some((heard, from));
                }
            }
            if release {
                warp.released[lane] = Some(Released::now(cta, warp, lane, scope));
            }
        }
        if release {
            warp.tick();
        }
    }

    /// Before an atomic or ordered write: tells what the lane released. The caller ticks the clock after a
    /// release.
    pub(super) fn before_strong_write(
        &self,
        cta: &CtaState,
        warp: &mut Warp,
        lane: usize,
        address: u64,
        release: bool,
        scope: Scope,
    ) {
        if !self.launch.checks.races {
            return;
        }
        let released =
            if release { Some(Released::now(cta, warp, lane, scope)) } else { warp.released[lane].clone() };
        if let Some(released) = released {
            let knowledge = released.knowledge(cta.index, warp.index, lane as u32);
            let scope = released.scope.min(scope).min(address::widest_scope(address));
            self.launch.shared.tell(address, cta.index, scope, &knowledge);
        }
    }

    /// After an atomic or ordered read: learns what was told, at once or at the next fence.
    pub(super) fn after_strong_read(
        &self,
        cta: &CtaState,
        warp: &mut Warp,
        lane: usize,
        address: u64,
        acquire: bool,
        scope: Scope,
    ) {
        if !self.launch.checks.races {
            return;
        }
        let scope = scope.min(address::widest_scope(address));
        let Some(heard) = self.launch.shared.hear(address, cta.index, scope) else { return };
        if acquire {
            join_into(&mut warp.know[lane], &heard);
            return;
        }
        let narrow = self.launch.shared.hear(address, cta.index, Scope::Cta);
        let from = if narrow.is_some_and(|narrow| narrow == heard) { Scope::Cta } else { Scope::Gpu };
        let mut pending = warp.pending[lane].take().map(|(known, old)| (Some(known), old));
        let (known, old) = pending.get_or_insert((None, from));
        join_into(known, &heard);
        let scope = (*old).max(from);
        warp.pending[lane] = known.take().map(|known| (known, scope));
    }

    /// Notes a compare-and-swap that failed. Failing twice with the same expectation on what a lane of the
    /// same warp wrote is waiting for a lock that this lane holds, unless lanes went on in between: values
    /// may come again.
    pub(super) fn failed_swap(
        &self,
        cta: &CtaState,
        warp: &mut Warp,
        lane: usize,
        swap: FailedSwap,
        holder: Option<u32>,
    ) -> Checked<()> {
        let again = warp.failed[lane] == swap;
        warp.failed[lane] = swap;
        match holder {
            Some(holder) if again && self.launch.checks.warp_locks && holder != lane as u32 => {
                Err(self.warp_lock(cta, warp, holder, lane, swap))
            }
            _ => Ok(()),
        }
    }

    /// Before a plain store or exchange, which would open a lock: notes the lanes of the warp that may wait
    /// for it. Whether they do is seen when they try again: a lock with the same expectation, an update of a
    /// value with what was found.
    pub(super) fn note_unlock(&self, warp: &mut Warp, lane: usize, address: u64) {
        if !self.launch.checks.warp_locks || warp.held[lane] != address {
            return;
        }
        warp.held[lane] = 0;
        for other in lanes_of(warp.alive()) {
            if other != lane && warp.failed[other].address == address {
                warp.opened[other] = Some(lane as u32);
            }
        }
    }

    /// Before a compare-and-swap: the lane did not wait for a lock that another lane of its warp has opened.
    pub(super) fn check_unlock(
        &self,
        cta: &CtaState,
        warp: &mut Warp,
        lane: usize,
        (address, expected, pc): (u64, u64, u32),
    ) -> Checked<()> {
        let failed = warp.failed[lane];
        match warp.opened[lane].take() {
            Some(holder) if (failed.address, failed.expected, failed.pc) == (address, expected, pc) => {
                Err(self.warp_lock(cta, warp, holder, lane, failed))
            }
            _ => Ok(()),
        }
    }

    fn warp_lock(
        &self,
        cta: &CtaState,
        warp: &Warp,
        holder: u32,
        waiter: usize,
        swap: FailedSwap,
    ) -> Box<crate::report::Report> {
        let message = format!(
            "lane {holder} holds a lock that lane {waiter} of the same warp waits for; one lane of a warp takes a lock for all"
        );
        let who = (cta.index, warp.index, waiter as u32);
        let mut report = self.launch.fault(Kind::WarpLock, message, who, swap.pc, "compare-and-swap");
        report.memory = Some(match crate::memory::address::space_of(swap.address) {
            Some((crate::memory::space::Space::Shared, offset)) => self.launch.shared_place(offset),
            _ => self.launch.global_place(swap.address),
        });
        report
    }
}
