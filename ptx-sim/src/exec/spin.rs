//! Loops that wait. A group that comes back to an instruction with the same registers, while no memory
//! changed, will do the same again: it spins until somebody else changes memory. When all groups of a launch
//! spin or wait, none ever will.

use super::cta::Cta;
use super::fault::{first_lane, standing};
use super::launch::Worker;
use super::warp::{State, Warp, Watch};
use crate::alu::lanes_of;
use crate::memory::address;
use crate::memory::region::{CELLS, GRANULE};
use crate::race::cell::Cell;
use crate::report::{Kind, Report};
use std::sync::atomic::Ordering;

/// Visits without a change of memory before the first look: a look costs as much as many rounds of a short
/// loop, and is for nothing if other threads keep changing memory.
const FIRST_LOOK: u32 = 4;
/// Visits between two looks, at most.
const LAST_LOOK: u32 = 1 << 20;

impl Worker<'_> {
    /// Looks at a group that jumps back to an instruction; gives whether it spins.
    pub(super) fn watch(&mut self, warp: &mut Warp, group: usize, pc: u32) -> bool {
        let changes = self.launch.shared.changes();
        let me = &mut warp.groups[group];
        let frame = &warp.frames[me.frame];
        let watch = me.watch.get_or_insert_default();
        if (watch.changes, watch.frame, watch.mask) != (changes, me.frame, me.mask) {
            let values = std::mem::take(&mut watch.values);
            **watch = Watch {
                changes,
                frame: me.frame,
                mask: me.mask,
                limit: FIRST_LOOK,
                values,
                ..Watch::default()
            };
        }
        if watch.looked && watch.pc == pc && frame.same_values(&watch.values, me.mask) {
            me.spinning = Some(changes);
            return true;
        }
        watch.visits += 1;
        if watch.visits >= watch.limit {
            // Seen anew at ever greater distances, so that a loop of any length is found.
            watch.limit = watch.limit.saturating_mul(2).min(LAST_LOOK);
            (watch.looked, watch.pc, watch.visits) = (true, pc, 0);
            frame.copy_values(&mut watch.values);
        }
        false
    }

    /// A report when nobody can go on.
    pub(super) fn livelock(&self, ctas: &[Cta]) -> Box<Report> {
        let spinning = ctas.iter().find_map(|cta| {
            let mut groups =
                cta.warps.iter().flat_map(|warp| warp.groups.iter().map(move |group| (warp, group)));
            groups.find(|(_, group)| group.spinning.is_some()).map(|(warp, group)| (cta, warp, group))
        });
        let missing = spinning.and_then(|(cta, warp, group)| self.missing_arrivals(cta, warp, group));
        let message =
            "threads wait for a change of memory that nobody will make: all others wait, too, or have ended";
        let mut report = match (spinning, missing) {
            (_, Some(report)) => report,
            (None, None) => self.launch.report(Kind::Livelock, message),
            (Some((cta, warp, group)), None) => {
                let who = (cta.state.index, warp.index, first_lane(group.mask));
                let mut report = self.launch.fault(Kind::Livelock, message, who, group.pc, "endless loop");
                let failed =
                    lanes_of(group.mask).map(|lane| warp.failed[lane]).find(|failed| failed.address != 0);
                if let Some(failed) = failed {
                    self.holder(cta, failed.address, &mut report);
                }
                report
            }
        };
        let waits_at_join = |warp: &Warp| warp.groups.iter().any(|group| group.state == State::Join);
        if ctas.iter().flat_map(|cta| &cta.warps).any(waits_at_join) {
            report.notes.push(
                "lanes that wait for a lock or flag of another lane of their warp need independent progress, which structured \
                 divergence does not give them"
                    .to_owned(),
            );
        }
        for cta in ctas.iter().take(8) {
            for warp in &cta.warps {
                standing(self.launch, cta.state.index, warp, &mut report.notes);
            }
        }
        report.notes.truncate(40);
        report
    }

    /// Adds whose write a lock has seen last.
    fn holder(&self, cta: &Cta, address: u64, report: &mut Report) {
        let (region, offset) = match address::space_of(address) {
            Some((crate::memory::space::Space::Shared, offset)) => {
                report.memory = Some(self.launch.shared_place(offset));
                (&cta.state.shared, offset)
            }
            _ => {
                report.memory = Some(self.launch.global_place(address));
                let found = self.view.iter().find(|found| (found.base..found.end()).contains(&address));
                let Some(found) = found else { return };
                (&found.region, address - found.base)
            }
        };
        if !self.launch.checks.races {
            return;
        }
        let cell = region.cells().get((offset / GRANULE) as usize * CELLS);
        let cell = Cell(cell.map_or(0, |cell| cell.load(Ordering::Acquire)));
        if cell.0 != 0 {
            let mut site = self.launch.earlier(cell, true);
            site.action = "what is waited for was last written".to_owned();
            report.other = Some(site);
        }
    }
}
