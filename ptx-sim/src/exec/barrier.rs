//! The barriers of a CTA: who has come, when all go on, and what they know then.

use super::cta::{Barrier, Cta, CtaState};
use super::fault::{Checked, first_lane, standing};
use super::frame::Env;
use super::launch::Worker;
use super::warp::{FailedSwap, Now, Released, State, Warp};
use crate::alu::{LANES, lanes_of};
use crate::code::{BarrierKind, BarrierSite, Op};
use crate::memory::space::Scope;
use crate::race::clock::{Knowledge, join_into};
use crate::report::{Kind, Report};
use std::sync::Arc;

/// What arriving at a barrier comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// The group waits in this state.
    Wait(State),
    /// It goes on at once: it only arrived.
    GoOn,
    /// It was the last arrival; waiting groups have been woken.
    Last,
}

impl Worker<'_> {
    /// A group reaches a barrier of the CTA.
    pub(super) fn arrive(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        now: Now,
        site: &BarrierSite,
    ) -> Checked<(Arrival, u32)> {
        let who = (cta.index, warp.index, first_lane(now.act));
        let fault = |kind, message: String| Err(self.launch.fault(kind, message, who, now.pc, "barrier"));
        if site.aligned && now.act != warp.alive() {
            return Ok((Arrival::Wait(State::Converge), 0));
        }
        self.need(cta, warp, now, site.number, u64::MAX, "number of the barrier")?;
        let frame = &warp.frames[now.frame];
        let lane = first_lane(now.act) as usize;
        let number = frame.value(env, site.number)[lane] as u32;
        if lanes_of(now.act).any(|lane| frame.value(env, site.number)[lane] as u32 != number) {
            return fault(
                Kind::DivergentBarrier,
                "the lanes of a warp are at barriers of different numbers".into(),
            );
        }
        if number > 15 {
            return fault(Kind::DivergentBarrier, format!("there is no barrier {number}"));
        }
        let expected = match site.threads {
            None => None,
            Some(threads) => {
                self.need(cta, warp, now, threads, u64::MAX, "number of threads")?;
                let threads = frame.value(env, threads)[lane] as u32;
                if threads == 0 || !threads.is_multiple_of(32) {
                    return fault(
                        Kind::DivergentBarrier,
                        format!("a barrier for {threads} threads, which are no whole warps"),
                    );
                }
                Some(threads)
            }
        };
        let (value, defined) = frame.pred(site.value);
        if now.act & !defined != 0 {
            return Err(self.undefined_pred(cta, warp, now, site.value, now.act & !defined));
        }
        let barrier = &mut cta.barriers[number as usize];
        if barrier.in_use && barrier.expected != expected {
            let text = |count: Option<u32>| count.map_or("all".to_owned(), |count| count.to_string());
            return fault(
                Kind::DivergentBarrier,
                format!(
                    "barrier {number} is awaited by {} threads here and by {} elsewhere",
                    text(expected),
                    text(barrier.expected)
                ),
            );
        }
        let elsewhere = barrier.waiting.iter().filter(|&&(index, _, pc)| index == warp.index && pc != now.pc);
        if elsewhere.clone().any(|&(.., pc)| site.answers() || self.answers_at(pc)) {
            let message = "lanes of a warp ask at different barriers, of which the GPU executes one for all of \
                           them: the answer may miss those at others";
            return fault(Kind::DivergentBarrier, message.into());
        }
        barrier.in_use = true;
        barrier.expected = expected;
        // A warp that lacks lanes counts as a whole one.
        let whole = now.act == warp.existing && expected.is_some();
        barrier.arrived += if whole { 32 } else { now.act.count_ones() };
        barrier.yes += (value & now.act).count_ones();
        barrier.asked += now.act.count_ones();
        if site.kind == BarrierKind::Arrive {
            self.tell_barrier(cta, warp, now, number);
        } else {
            cta.barriers[number as usize].waiting.push((warp.index, now.act, now.pc));
        }
        if self.is_complete(cta, number) {
            return Ok((Arrival::Last, number));
        }
        let waits = site.kind != BarrierKind::Arrive;
        Ok((if waits { Arrival::Wait(State::Barrier(number)) } else { Arrival::GoOn }, number))
    }

    /// Whether the barrier at this place gives an answer.
    fn answers_at(&self, pc: u32) -> bool {
        matches!(&self.launch.code.insts[pc as usize].op, Op::Barrier(site) if site.answers())
    }

    fn tell_barrier(&self, cta: &mut CtaState, warp: &mut Warp, now: Now, number: u32) {
        if !self.launch.checks.races {
            return;
        }
        let mut told = cta.barriers[number as usize].told.take();
        for lane in lanes_of(now.act) {
            let released = Released {
                clock: warp.clock,
                cta_base: cta.base,
                warp_base: warp.warp_base[lane],
                know: warp.know[lane].clone(),
                scope: Scope::Cta,
            };
            join_into(&mut told, &released.knowledge(cta.index, warp.index, lane as u32));
        }
        cta.barriers[number as usize].told = told;
        warp.tick();
    }

    fn is_complete(&self, cta: &CtaState, number: u32) -> bool {
        let barrier = &cta.barriers[number as usize];
        let threads: u32 = self.launch.block.iter().product();
        match barrier.expected {
            Some(expected) => barrier.arrived >= expected,
            None => barrier.arrived >= threads,
        }
    }

    /// Lets the threads at a barrier go on.
    pub(super) fn complete(&mut self, cta: &mut Cta, number: u32) {
        let Cta { state, warps, .. } = cta;
        let barrier = std::mem::take(&mut state.barriers[number as usize]);
        if self.launch.checks.races {
            meet_clocks(state, warps, &barrier);
        }
        for (warp, lanes, pc) in &barrier.waiting {
            let Some(warp) = warps.get_mut(*warp as usize) else { continue };
            for group in &mut warp.groups {
                if group.state == State::Barrier(number) && group.mask & lanes != 0 {
                    group.state = State::Ready;
                    group.pc += 1;
                }
            }
            let frame = warp.groups.iter().find(|group| group.mask & lanes != 0).map(|group| group.frame);
            let site = match &self.launch.code.insts[*pc as usize].op {
                Op::Barrier(site) => site,
                _ => continue,
            };
            let Some(frame) = frame else { continue };
            let frame = &mut warp.frames[frame];
            match site.kind {
                BarrierKind::Popc => frame.put(site.dst, &[u64::from(barrier.yes); LANES], *lanes),
                BarrierKind::And => {
                    let all = if barrier.yes == barrier.asked { u32::MAX } else { 0 };
                    frame.put_pred(site.dst_pred, all, *lanes);
                }
                BarrierKind::Or => {
                    frame.put_pred(site.dst_pred, if barrier.yes > 0 { u32::MAX } else { 0 }, *lanes);
                }
                BarrierKind::Sync | BarrierKind::Arrive => {}
            }
        }
        self.changed();
    }

    /// A report when nothing of a CTA can run.
    pub(super) fn deadlock(&self, cta: &Cta) -> Box<Report> {
        let groups = || cta.warps.iter().flat_map(|warp| warp.groups.iter().map(move |group| (warp, group)));
        let find = |wanted: &dyn Fn(State) -> bool| groups().find(|(_, group)| wanted(group.state));
        let (kind, message, found) = if let Some(found) = find(&|state| state == State::Converge) {
            let message = "only some lanes of a warp reach a barrier that all must reach together";
            (Kind::DivergentBarrier, message, Some(found))
        } else if let Some(found) = find(&|state| matches!(state, State::Lanes(_) | State::WarpBarrier(_))) {
            let message = "lanes wait for others of their mask, which wait elsewhere";
            (Kind::DivergentLanes, message, Some(found))
        } else if let Some(found) = find(&|state| state == State::Join) {
            let message = "lanes that have parted wait for each other, and for others of their warp, which wait elsewhere";
            (Kind::DivergentLanes, message, Some(found))
        } else if cta.state.exited > 0 {
            let message = "threads wait at a barrier that others will never reach, because they have exited";
            (Kind::DivergentBarrier, message, groups().next())
        } else {
            let mut barriers = groups().map(|(_, group)| group.state);
            let first = barriers.next();
            let several = barriers.any(|state| Some(state) != first);
            let message = if several {
                "threads wait for each other at different barriers"
            } else {
                "threads wait at a barrier for more threads than come"
            };
            (Kind::Deadlock, message, groups().next())
        };
        let mut report = match found {
            Some((warp, group)) => {
                let who = (cta.state.index, warp.index, first_lane(group.mask));
                self.launch.fault(kind, message, who, group.pc, "wait")
            }
            None => self.launch.report(kind, message),
        };
        for warp in &cta.warps {
            standing(self.launch, cta.state.index, warp, &mut report.notes);
        }
        report.notes.truncate(40);
        report
    }
}

/// After a barrier, all who waited know what all who came did before.
fn meet_clocks(state: &mut CtaState, warps: &mut [Warp], barrier: &Barrier) {
    let mut joined = barrier.told.clone();
    let clock = warps.iter().map(|warp| warp.clock).max().unwrap_or(0);
    let all = barrier.expected.is_none() && barrier.told.is_none();
    for (index, lanes, _) in &barrier.waiting {
        let Some(warp) = warps.get_mut(*index as usize) else { continue };
        for lane in lanes_of(*lanes) {
            // A barrier is a fence, too.
            if let Some((heard, _)) = warp.pending[lane].take() {
                join_into(&mut warp.know[lane], &heard);
            }
            if let Some(know) = &warp.know[lane] {
                join_into(&mut joined, know);
            }
        }
    }
    if all {
        state.base = clock;
    } else {
        let mut learnt = Knowledge::default();
        for (index, lanes, _) in &barrier.waiting {
            let Some(warp) = warps.get(*index as usize) else { continue };
            if *lanes == warp.alive() {
                learnt.learn_warp(state.index, *index, warp.clock);
            } else {
                lanes_of(*lanes)
                    .for_each(|lane| learnt.learn_lane(state.index, *index, lane as u32, warp.clock));
            }
        }
        join_into(&mut joined, &Arc::new(learnt));
    }
    if let Some(know) = &mut joined {
        Arc::make_mut(know).prune(state.index, state.base);
    }
    let joined = joined.filter(|know| !know.is_empty());
    for (index, lanes, _) in &barrier.waiting {
        let Some(warp) = warps.get_mut(*index as usize) else { continue };
        for lane in lanes_of(*lanes) {
            warp.know[lane] = joined.clone();
            warp.failed[lane] = FailedSwap::default();
        }
    }
    let mut ticked = 0u64;
    for (index, _, _) in &barrier.waiting {
        if ticked >> index & 1 == 0
            && let Some(warp) = warps.get_mut(*index as usize)
        {
            ticked |= 1 << index;
            if all {
                warp.clock = clock;
            }
            warp.tick();
        }
    }
}
