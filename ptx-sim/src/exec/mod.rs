//! Execution of a launch.
//!
//! A host thread executes CTAs in slices of time: a CTA that spins does not keep others from running, and
//! further CTAs start when all that are running wait for something. Inside a CTA the warps take turns; inside
//! a warp the groups of lanes that are at different instructions do, the hindmost first, so that lanes meet
//! again where their ways join.
//!
//! Without a seed, CTAs run on several host threads, and the order in which their atomics take effect is that
//! of the moment. With a seed one host thread executes all, and chance decides whose turn it is and for how
//! long: the same seed, the same order.

mod access;
mod atomic;
mod barrier;
mod call;
mod cta;
mod data;
mod fault;
mod frame;
pub(crate) mod launch;
mod local;
mod mbarrier;
mod object;
mod order;
mod print;
mod spin;
mod step;
mod structured;
mod together;
mod warp;

pub(crate) use fault::{forgotten, host_site};

use crate::report::{Kind, Report};
use cta::Cta;
use fault::Checked;
use launch::{Launch, Rng, Worker};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;
use step::Stop;
use warp::State;

/// Instructions of a warp's turn.
const WARP_TURN: u32 = 2048;
/// The same while its lanes are apart: some may wait for others.
const APART_TURN: u32 = 256;
/// Instructions of warps in a CTA's slice.
const SLICE: u64 = 1 << 17;
/// Slices after which another CTA starts beside those that run, in case that they wait in a way that is not
/// seen.
const PATIENCE: u32 = 64;
/// CTAs that run at once when chance decides.
const TOGETHER: usize = 24;
/// How long a host thread waits before it looks whether others changed something.
const NAP: Duration = Duration::from_micros(50);

/// What became of a CTA's slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slice {
    Done,
    /// There is more to do.
    Over,
    /// Nothing to do until memory changes; at this count of changes.
    Stuck(u64),
}

/// Executes the CTAs of a launch on `workers` host threads.
pub(crate) fn run(launch: &Launch<'_>, workers: usize, seed: Option<u64>) -> Result<(), Box<Report>> {
    match seed {
        Some(seed) => Worker::new(launch, 0, Some(Rng::new(seed))).work(),
        None if workers <= 1 => Worker::new(launch, 0, None).work(),
        None => std::thread::scope(|scope| {
            for index in 0..workers {
                scope.spawn(move || Worker::new(launch, index, None).work());
            }
        }),
    }
    match launch.shared.take_report().or_else(|| launch.partly_redundant()) {
        Some(report) => Err(report),
        None => Ok(()),
    }
}

impl Worker<'_> {
    /// Executes CTAs until there are none.
    fn work(&mut self) {
        if let Err(report) = self.execute() {
            self.launch.shared.fail(report);
        }
        self.publish_count();
        self.set_idle(u64::MAX);
    }

    fn set_idle(&self, changes: u64) -> bool {
        let mut board = self.launch.shared.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mine) = board.get_mut(self.index) {
            *mine = Some(changes);
        }
        board.iter().all(|other| other.is_some_and(|other| other == changes || other == u64::MAX))
    }

    fn next_cta(&self) -> Option<Cta> {
        let all: u64 = self.launch.grid.iter().map(|dim| u64::from(*dim)).product();
        let next = self.launch.shared.next_cta.fetch_add(1, Ordering::SeqCst);
        if u64::from(next) >= all {
            // Keeps the counter from coming around.
            self.launch.shared.next_cta.fetch_sub(1, Ordering::SeqCst);
            return None;
        }
        Some(Cta::new(self.launch, next))
    }

    fn execute(&mut self) -> Checked<()> {
        let mut resident: Vec<Cta> = Vec::new();
        let mut slices = 0;
        let mut batch = 1;
        loop {
            let wanted = if self.rng.is_some() { TOGETHER } else { 1 };
            while resident.len() < wanted {
                let Some(cta) = self.next_cta() else { break };
                resident.push(cta);
            }
            if resident.is_empty() {
                return Ok(());
            }
            if !self.round(&mut resident)? {
                if self.launch.shared.stop.load(Ordering::SeqCst) {
                    return Ok(());
                }
                slices += 1;
                if slices % PATIENCE == 0 {
                    resident.extend(self.next_cta());
                }
                continue;
            }
            // Ever more at once: those that wait for the whole grid wait again after each that starts.
            let before = resident.len();
            resident.extend((0..batch).map_while(|_| self.next_cta()));
            batch = resident.len();
            if resident.len() == before {
                self.await_change(&resident)?;
            }
        }
    }

    /// A slice for each CTA; gives whether all are stuck.
    fn round(&mut self, resident: &mut Vec<Cta>) -> Checked<bool> {
        let mut stuck = true;
        let mut index = 0;
        while index < resident.len() {
            let at = match &mut self.rng {
                Some(rng) => rng.below(resident.len()),
                None => index,
            };
            let slice = self.slice(&mut resident[at])?;
            self.publish_count();
            if self.launch.shared.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            self.check_limit()?;
            match slice {
                Slice::Done => {
                    resident.swap_remove(at);
                    stuck = false;
                    continue;
                }
                Slice::Over => stuck = false,
                Slice::Stuck(_) => {}
            }
            index += 1;
        }
        let changes = self.launch.shared.changes();
        Ok(stuck && !resident.is_empty() && resident.iter().all(|cta| cta.is_stuck(changes)))
    }

    fn check_limit(&self) -> Checked<()> {
        if self.launch.shared.instructions().0 <= self.launch.instruction_limit {
            return Ok(());
        }
        let message =
            format!("more than {} instructions of threads were executed", self.launch.instruction_limit);
        Err(self.launch.report(Kind::Limit, message))
    }

    /// All CTAs of this host thread wait. Waits for a change by another, or reports that there can be none.
    fn await_change(&self, resident: &[Cta]) -> Checked<()> {
        let changes = self.launch.shared.changes();
        if !resident.iter().all(|cta| cta.is_stuck(changes)) {
            return Ok(());
        }
        loop {
            let all = self.set_idle(changes);
            if self.launch.shared.changes() != changes || self.launch.shared.stop.load(Ordering::SeqCst) {
                let mut board = self.launch.shared.idle.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(mine) = board.get_mut(self.index) {
                    *mine = None;
                }
                return Ok(());
            }
            if all {
                return Err(self.livelock(resident));
            }
            std::thread::sleep(NAP);
        }
    }

    /// Runs a CTA for a while.
    fn slice(&mut self, cta: &mut Cta) -> Checked<Slice> {
        let end = self.warp_instructions
            + match &mut self.rng {
                Some(rng) => 1 + rng.short(10) as u64,
                None => SLICE,
            };
        self.give_up_sleep(cta);
        while self.warp_instructions < end {
            if cta.is_done() {
                return Ok(Slice::Done);
            }
            let changes = self.launch.shared.changes();
            let Some(warp) = self.next_warp(cta, changes) else {
                if self.give_up_sleep(cta) {
                    continue;
                }
                let ready =
                    cta.warps.iter().flat_map(|warp| &warp.groups).any(|group| group.state == State::Ready);
                if !ready {
                    return Err(self.deadlock(cta));
                }
                return Ok(Slice::Stuck(changes));
            };
            self.turn(cta, warp)?;
        }
        Ok(if cta.is_done() { Slice::Done } else { Slice::Over })
    }

    /// The next warp that has something to do.
    fn next_warp(&mut self, cta: &mut Cta, changes: u64) -> Option<usize> {
        let count = cta.warps.len();
        let start = match &mut self.rng {
            Some(rng) => rng.below(count),
            None => cta.turn,
        };
        let found = (0..count).map(|step| (start + step) % count).find(|index| {
            cta.warps[*index]
                .groups
                .iter()
                .any(|group| group.state == State::Ready && group.spinning != Some(changes))
        })?;
        cta.turn = (found + 1) % count;
        Some(found)
    }

    /// A turn of a warp.
    fn turn(&mut self, cta: &mut Cta, index: usize) -> Checked<()> {
        let length = match &mut self.rng {
            Some(rng) => 1 + rng.short(7) as u32,
            None if cta.warps[index].groups.len() > 1 => APART_TURN,
            None => WARP_TURN,
        };
        let (end, changes) = (self.warp_instructions + u64::from(length), self.changes);
        loop {
            let Cta { state, warps, .. } = &mut *cta;
            let warp = &mut warps[index];
            let Some(group) = self.choose(warp) else { return Ok(()) };
            let left = end.saturating_sub(self.warp_instructions).max(1) as u32;
            match self.run(state, warp, group, left)? {
                Stop::Regroup => {
                    let now = self.launch.shared.changes();
                    if let Some(group) = warp.groups.get_mut(group)
                        && group.spinning == Some(now)
                    {
                        group.yields += 1;
                        return Ok(());
                    }
                }
                Stop::Turn => {
                    // Who got a whole turn without a change may be waiting for one.
                    let quiet = self.changes == changes;
                    let several = warp.groups.len() > 1;
                    if let Some(group) = warp.groups.get_mut(group) {
                        group.watched = quiet;
                        group.yields += u32::from(several);
                        if !quiet {
                            group.watch = None;
                        }
                    }
                    return Ok(());
                }
                Stop::Barrier(number) => {
                    self.complete(cta, number);
                    return Ok(());
                }
                Stop::Phase => {
                    self.wake(cta);
                    return Ok(());
                }
            }
            if self.warp_instructions >= end {
                let warp = &mut cta.warps[index];
                if let Some(group) = warp.groups.get_mut(group) {
                    group.watched = self.changes == changes;
                    group.yields += 1;
                }
                return Ok(());
            }
        }
    }

    /// The group of a warp that runs next.
    fn choose(&mut self, warp: &mut warp::Warp) -> Option<usize> {
        let chosen = warp.choose()?;
        let Some(rng) = &mut self.rng else { return Some(chosen) };
        let ready: Vec<usize> =
            (0..warp.groups.len()).filter(|index| warp.groups[*index].state == State::Ready).collect();
        // Mostly the order in which lanes meet again, at times any.
        Some(if rng.below(4) == 0 {
            ready.get(rng.below(ready.len())).copied().unwrap_or(chosen)
        } else {
            chosen
        })
    }
}
