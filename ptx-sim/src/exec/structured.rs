//! Lanes that meet only where the structure of the program makes them, if [`Checks::structured`] asks for it.
//!
//! Threads of a GPU make progress independently, and lanes that are apart may come to the same barrier on
//! different ways. PTX allows that, but an assembler that optimises moves the place where lanes meet: a lane
//! that works while the others of its warp wait at a barrier inside of a loop has met them in the wrong
//! round. So in this mode lanes that a branch parts meet where all ways from the branch lead
//! ([`crate::joins`]), and nowhere else, as on GPUs before independent scheduling: who comes there waits for
//! the others. Lanes that return one after the other meet behind the call. What several lanes execute
//! together, barriers, shuffles and votes, is a mistake while one of them is elsewhere.
//!
//! [`Checks::structured`]: super::launch::Checks::structured

use super::cta::CtaState;
use super::fault::{Checked, lanes_text, site, standing};
use super::frame::Env;
use super::launch::Worker;
use super::warp::{Join, Now, State, Warp};
use crate::alu::lanes_of;
use crate::code::Src;
use crate::report::Kind;

/// The instruction of lanes that meet only when their function ends.
const NOWHERE: u32 = u32::MAX;

impl Warp {
    /// The instruction where a group has to wait for others.
    pub(super) fn join(&self, group: usize) -> u32 {
        let group = &self.groups[group];
        let join = group.joins.last().filter(|join| join.frame == group.frame);
        join.map_or(NOWHERE, |join| join.pc)
    }

    fn is_at_join(&self, group: usize) -> bool {
        matches!(self.groups[group].state, State::Ready | State::Join)
            && self.join(group) == self.groups[group].pc
    }

    /// Lets lanes wait that have come to where others must come, and go on where all have.
    pub(super) fn rejoin(&mut self) {
        let alive = self.alive();
        let mut index = 0;
        while index < self.groups.len() {
            if !self.is_at_join(index) {
                index += 1;
                continue;
            }
            for other in (index + 1..self.groups.len()).rev() {
                let (me, you) = (&self.groups[index], &self.groups[other]);
                if self.is_at_join(other) && (me.frame, me.pc, &me.joins) == (you.frame, you.pc, &you.joins) {
                    let gone = self.groups.remove(other);
                    self.groups[index].take_in(&gone);
                }
            }
            let me = &mut self.groups[index];
            if me.joins.last().is_some_and(|join| join.mask & alive & !me.mask == 0) {
                me.joins.pop();
                me.state = State::Ready;
                // Lanes of an earlier group may wait here for the whole that this group has become.
                index = 0;
            } else {
                me.state = State::Join;
                index += 1;
            }
        }
    }
}

impl Worker<'_> {
    /// Lanes of a group are about to part, and to meet again at an instruction of their function, or where it
    /// ends.
    pub(super) fn part(&self, warp: &mut Warp, group: usize, now: Now, at: Option<u32>) {
        if !self.launch.checks.structured {
            return;
        }
        let pc = at.unwrap_or(NOWHERE);
        let me = &mut warp.groups[group];
        // Lanes that leave a loop one after the other all meet behind it.
        let is_known = me.joins.last().is_some_and(|join| (join.frame, join.pc) == (now.frame, pc));
        if !is_known {
            me.joins.push(Join { frame: now.frame, pc, mask: me.mask, parted: now.pc });
        }
    }

    /// Where lanes meet that a branch parts.
    pub(super) fn join_of(&self, pc: u32) -> Option<u32> {
        if self.launch.checks.structured { self.launch.code.joins().at(pc) } else { None }
    }

    /// After lanes have ended, others may have to wait no longer. Group numbers are others then.
    pub(super) fn after_leaving(&self, warp: &mut Warp) {
        if self.launch.checks.structured {
            warp.rejoin();
        }
    }

    /// The lanes that must be together for an instruction with a mask.
    pub(super) fn together_with(&self, warp: &Warp, env: Env<'_>, now: Now, mask: Option<Src>) -> u32 {
        let Some(mask) = mask else { return now.act };
        let masks = warp.frames[now.frame].value(env, mask);
        lanes_of(now.act).fold(0, |all, lane| all | masks[lane] as u32) & warp.alive()
    }

    /// Complains if lanes execute together with others what these are not there for.
    pub(super) fn check_whole(
        &self,
        cta: &CtaState,
        warp: &Warp,
        group: usize,
        now: Now,
        required: u32,
        kind: Kind,
    ) -> Checked<()> {
        let missing = required & !now.act;
        if missing == 0 || !self.launch.checks.structured {
            return Ok(());
        }
        let skips = warp.groups[group].mask & missing != 0;
        let why = match skips {
            true => "which skip it: its condition holds for some lanes only",
            false => "which a branch has parted from them: its ways have not joined yet",
        };
        let message = format!("executed by {} without {}, {why}", lanes_text(now.act), lanes_text(missing));
        let who = (cta.index, warp.index, now.act.trailing_zeros());
        let what = if kind == Kind::DivergentBarrier { "barrier" } else { "execution" };
        let mut report = self.launch.fault(kind, message, who, now.pc, what);
        let join = warp.groups[group].joins.iter().rev().find(|join| join.mask & missing != 0);
        if let Some(join) = join.filter(|_| !skips) {
            let place = site(self.launch.code, join.parted, None, "");
            let source = place.source.map(|(file, line, column)| format!("{file}:{line}:{column}, "));
            let source = source.unwrap_or_default();
            report.notes.push(format!("they parted at {source}PTX line {}", place.ptx_line));
        }
        standing(self.launch, cta.index, warp, &mut report.notes);
        report.notes.truncate(40);
        Err(report)
    }
}
