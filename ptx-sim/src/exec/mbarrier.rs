//! Barrier objects, `mbarrier`: barriers that threads make in shared memory.
//!
//! A phase of an object is over when as many arrivals have come as the object was made for; then the next one
//! begins. An arrival gives a state, which says to which phase it belongs, and who waits asks whether that
//! one is over. What threads did before they arrived happened before what others do once they have found the
//! phase over.
//!
//! Lanes that find it not over sleep: until it is, until nothing else of the CTA can run, or until the CTA's
//! next slice, whichever comes first. Then they learn that it is not, and may ask again, or do something
//! else.

use super::access::{Access, Where, read_cells, write_cells};
use super::cta::{Cta, CtaState};
use super::fault::{Checked, first_lane};
use super::frame::Env;
use super::launch::Worker;
use super::object::{OBJECT_BYTES, Object};
use super::warp::{FailedSwap, Group, Now, State, Warp};
use crate::alu::{LANES, Lanes, lanes_of};
use crate::code::{Addr, MbarrierAction, MbarrierSite, PredDst, Src};
use crate::memory::space::Scope;
use crate::race::clock::{Knowledge, join_into};
use crate::report::{Kind, Report};
use std::sync::Arc;

/// Most arrivals of a phase.
const MOST_ARRIVALS: u64 = (1 << 20) - 1;
/// A state is the object's place, shifted by so much, and the number of the phase.
const PLACE_SHIFT: u32 = 40;

/// What lanes do after an instruction on an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    GoOn,
    /// Others that sleep wake up, as their phase is over.
    Wake,
    /// None of them found its phase over.
    Sleep,
}

/// Lanes of a warp that use the same object.
#[derive(Clone, Copy)]
struct Use {
    place: u64,
    now: Now,
}

impl Use {
    /// Its lanes, one by one.
    fn each(self) -> impl Iterator<Item = (usize, Use)> {
        let of = move |lane: usize| Use { now: Now { act: 1 << lane, ..self.now }, ..self };
        lanes_of(self.now.act).map(move |lane| (lane, of(lane)))
    }
}

impl Worker<'_> {
    /// Executes an instruction on barrier objects.
    pub(super) fn mbarrier(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        now: Now,
        site: &MbarrierSite,
    ) -> Checked<Outcome> {
        let uses = self.objects(cta, warp, env, now, &site.addr)?;
        match site.action {
            MbarrierAction::Init { count } => {
                let counts = self.operand(cta, warp, env, now, count, "number of arrivals")?;
                for (lane, at) in uses.into_iter().flat_map(Use::each) {
                    self.init_object(cta, warp, at, counts[lane])?;
                }
                Ok(Outcome::GoOn)
            }
            MbarrierAction::Inval => {
                for (_, at) in uses.into_iter().flat_map(Use::each) {
                    self.object(cta, warp, at)?;
                    self.write_object(cta, warp, at)?;
                    cta.objects.0.remove(&at.place);
                    cta.shared.undefine(at.place, 0xff, None);
                }
                Ok(Outcome::GoOn)
            }
            MbarrierAction::Arrive { state, count, last } => {
                let counts = self.operand(cta, warp, env, now, count, "number of arrivals")?;
                let (mut states, mut wakes) = ([0; LANES], false);
                for at in uses {
                    self.use_object(cta, warp, at)?;
                    self.tell_object(cta, warp, at);
                    for (lane, at) in at.each() {
                        let object = self.object(cta, warp, at)?;
                        states[lane] = at.place << PLACE_SHIFT | object.phase;
                        wakes |= self.arrive_at_object(cta, warp, at, counts[lane], last)?;
                    }
                }
                warp.frames[now.frame].put(state, &states, now.act);
                warp.tick();
                self.changed();
                Ok(if wakes { Outcome::Wake } else { Outcome::GoOn })
            }
            MbarrierAction::Wait { over, state } => {
                let states = self.operand(cta, warp, env, now, state, "state of the barrier object")?;
                let is_over = |place: u64, current: u64, lane: usize| {
                    let (of, phase) = (states[lane] >> PLACE_SHIFT, states[lane] & ((1 << PLACE_SHIFT) - 1));
                    match current.checked_sub(phase) {
                        _ if of != place => Err("the state comes from another barrier object"),
                        Some(0) => Ok(false),
                        Some(1) => Ok(true),
                        _ => Err(
                            "the state is neither of the current phase of the barrier object nor of the last",
                        ),
                    }
                };
                self.wait_for_objects(cta, warp, &uses, over, is_over)
            }
            MbarrierAction::WaitParity { over, parity } => {
                let parity = self.operand(cta, warp, env, now, parity, "parity of the phase")?;
                let is_over = |_: u64, current: u64, lane: usize| match parity[lane] {
                    0 | 1 => Ok(current & 1 != parity[lane]),
                    _ => Err("the parity of a phase is 0 or 1"),
                };
                self.wait_for_objects(cta, warp, &uses, over, is_over)
            }
        }
    }

    fn operand(
        &self,
        cta: &CtaState,
        warp: &Warp,
        env: Env<'_>,
        now: Now,
        src: Src,
        what: &str,
    ) -> Checked<Lanes> {
        self.need(cta, warp, now, src, u64::MAX, what)?;
        Ok(*warp.frames[now.frame].value(env, src))
    }

    /// The objects at the addresses of the lanes.
    fn objects(
        &mut self,
        cta: &CtaState,
        warp: &Warp,
        env: Env<'_>,
        now: Now,
        addr: &Addr,
    ) -> Checked<Vec<Use>> {
        let addresses = self.addresses(cta, warp, env, now, addr)?;
        let mut uses: Vec<Use> = Vec::new();
        for lane in lanes_of(now.act) {
            let found =
                self.locate_any(cta, warp, now, lane, addr.space, addresses[lane], OBJECT_BYTES, false)?;
            let (Where::Shared, place) = found else {
                let message = "the address of a barrier object is not in shared memory";
                let who = (cta.index, warp.index, lane as u32);
                return Err(self.launch.fault(Kind::BarrierObject, message, who, now.pc, "use"));
            };
            match uses.iter_mut().find(|each| each.place == place) {
                Some(same) => same.now.act |= 1 << lane,
                None => uses.push(Use { place, now: Now { act: 1 << lane, ..now } }),
            }
        }
        Ok(uses)
    }

    /// A report about the use of an object by lanes of a warp of a CTA.
    #[cold]
    pub(super) fn object_fault(
        &self,
        (cta, warp): (u32, u32),
        now: Now,
        place: u64,
        message: &str,
    ) -> Box<Report> {
        let who = (cta, warp, first_lane(now.act));
        let mut report = self.launch.fault(Kind::BarrierObject, message, who, now.pc, "use");
        report.memory = Some(self.launch.shared_place(place));
        report
    }

    fn object<'c>(&self, cta: &'c mut CtaState, warp: &Warp, at: Use) -> Checked<&'c mut Object> {
        let who = (cta.index, warp.index);
        cta.objects.0.get_mut(&at.place).ok_or_else(|| {
            let message = "there is no barrier object: it was never initialised, or has ended";
            self.object_fault(who, at.now, at.place, message)
        })
    }

    /// Records that a lane makes or ends an object, which is ordered with all other uses.
    fn write_object(&self, cta: &CtaState, warp: &mut Warp, at: Use) -> Checked<()> {
        let Some(me) = self.me(cta, warp, at.now, None) else { return Ok(()) };
        let lane = first_lane(at.now.act);
        let viewer = self.viewer(cta, warp);
        match write_cells(&cta.shared, at.place, 0xff, me.with_lane(lane), &viewer, || false, |_, _| false) {
            None => Ok(()),
            Some(conflict) => {
                let who = (cta.index, warp.index, lane);
                let access = Access { what: "write of a barrier object", is_write: true, is_atomic: false };
                self.raced(Where::Shared, at.place, conflict, who, at.now.pc, access)
            }
        }
    }

    fn init_object(&self, cta: &mut CtaState, warp: &mut Warp, at: Use, expected: u64) -> Checked<()> {
        let message = if cta.objects.hold(at.place, OBJECT_BYTES) {
            "the barrier object is initialised already; `mbarrier.inval` ends it".to_owned()
        } else if !(1..=MOST_ARRIVALS).contains(&expected) {
            format!("{expected} arrivals cannot end a phase; there are 1 to {MOST_ARRIVALS}")
        } else {
            self.write_object(cta, warp, at)?;
            cta.objects.0.insert(at.place, Object::new(expected as u32));
            return Ok(());
        };
        Err(self.object_fault((cta.index, warp.index), at.now, at.place, &message))
    }

    /// Looks whether the object was made before these lanes come to it.
    fn use_object(&self, cta: &mut CtaState, warp: &mut Warp, at: Use) -> Checked<()> {
        let known = self.object(cta, warp, at)?.known.get(&warp.index).copied().unwrap_or(0);
        let new = Use { now: Now { act: at.now.act & !known, ..at.now }, ..at };
        if new.now.act == 0 {
            return Ok(());
        }
        if let Some(me) = self.me(cta, warp, at.now, Some(Scope::Cta)) {
            let viewer = self.viewer(cta, warp);
            for lane in lanes_of(new.now.act) {
                let me = me.with_lane(lane as u32);
                let found = read_cells(&cta.shared, at.place, OBJECT_BYTES, me, &viewer, |_| false);
                if let Some(conflict) = found {
                    let who = (cta.index, warp.index, lane as u32);
                    let what = "use of a barrier object";
                    let access = Access { what, is_write: false, is_atomic: true };
                    self.raced(Where::Shared, at.place, conflict, who, at.now.pc, access)?;
                }
            }
        }
        *self.object(cta, warp, at)?.known.entry(warp.index).or_default() |= new.now.act;
        Ok(())
    }

    /// What lanes that arrive have to tell: what they did and what they know.
    fn tell_object(&self, cta: &mut CtaState, warp: &Warp, at: Use) {
        if !self.launch.checks.races {
            return;
        }
        let mut own = Knowledge::default();
        if cta.base > 0 {
            own.learn_cta(cta.index, cta.base);
        }
        if at.now.act == warp.alive() {
            own.learn_warp(cta.index, warp.index, warp.clock);
        } else {
            for lane in lanes_of(at.now.act) {
                own.learn_lane(cta.index, warp.index, lane as u32, warp.clock);
                if warp.warp_base[lane] > 0 {
                    own.learn_warp(cta.index, warp.index, warp.warp_base[lane]);
                }
            }
        }
        let Some(object) = cta.objects.0.get_mut(&at.place) else { return };
        join_into(&mut object.told, &Arc::new(own));
        let mut last: Option<&Arc<Knowledge>> = None;
        for know in lanes_of(at.now.act).filter_map(|lane| warp.know[lane].as_ref()) {
            // Lanes that met know the same.
            if !last.is_some_and(|last| Arc::ptr_eq(last, know)) {
                join_into(&mut object.told, know);
                last = Some(know);
            }
        }
    }

    /// Counts a lane's arrivals; gives whether others waited for them.
    fn arrive_at_object(
        &self,
        cta: &mut CtaState,
        warp: &Warp,
        at: Use,
        count: u64,
        last: bool,
    ) -> Checked<bool> {
        let known = (cta.index, cta.base);
        let object = self.object(cta, warp, at)?;
        let missing = u64::from(object.missing);
        let message = if count == 0 {
            "an arrival that counts for none".to_owned()
        } else if count > missing {
            format!("{count} arrivals at once, and the phase of the barrier object lacks {missing}")
        } else if count == missing && !last {
            "an arrival with `.noComplete` ends the phase of the barrier object".to_owned()
        } else {
            return Ok(object.count(count as u32, known));
        };
        Err(self.object_fault((cta.index, warp.index), at.now, at.place, &message))
    }

    /// Asks for each lane whether a phase is over; `is_over` knows by the object's place, its current phase,
    /// and the lane.
    fn wait_for_objects(
        &self,
        cta: &mut CtaState,
        warp: &mut Warp,
        uses: &[Use],
        over: PredDst,
        is_over: impl Fn(u64, u64, usize) -> Result<bool, &'static str>,
    ) -> Checked<Outcome> {
        let (mut asked, mut all) = (0, 0);
        let frame = uses.first().map_or(0, |at| at.now.frame);
        for &at in uses {
            self.use_object(cta, warp, at)?;
            let current = self.object(cta, warp, at)?.phase;
            let mut done = 0;
            for (lane, one) in at.each() {
                match is_over(at.place, current, lane) {
                    Ok(is_over) => done |= u32::from(is_over) << lane,
                    Err(message) => {
                        return Err(self.object_fault((cta.index, warp.index), one.now, at.place, message));
                    }
                }
            }
            let object = self.object(cta, warp, at)?;
            if done != at.now.act {
                *object.waiting.entry(warp.index).or_default() |= at.now.act & !done;
            }
            if let Some(heard) = &object.heard {
                learn(warp, done, heard);
            }
            lanes_of(done).for_each(|lane| warp.failed[lane] = FailedSwap::default());
            (asked, all) = (asked | at.now.act, all | done);
        }
        warp.frames[frame].put_pred(over, all, asked);
        Ok(if all == 0 { Outcome::Sleep } else { Outcome::GoOn })
    }

    /// Wakes lanes that sleep, to ask again because an object they wait for has begun another phase.
    pub(super) fn wake(&self, cta: &mut Cta) {
        for warp in &mut cta.warps {
            let waiting = cta.state.objects.waiting(warp.index);
            for group in warp.groups.iter_mut().filter(|group| group.state == State::Asleep) {
                if group.mask & !waiting != 0 {
                    group.state = State::Ready;
                }
            }
        }
    }

    /// Lets lanes that sleep go on, told that their phase is not over; gives whether there were any.
    pub(super) fn give_up_sleep(&self, cta: &mut Cta) -> bool {
        let groups = cta.warps.iter_mut().flat_map(|warp| &mut warp.groups);
        let mut asleep = groups.filter(|group| group.state == State::Asleep).peekable();
        let any = asleep.peek().is_some();
        for group in asleep {
            group.state = State::Ready;
            group.pc += 1;
            // They will mostly ask again, which leads nowhere while nothing changes.
            group.watched = true;
        }
        any
    }

    /// Why lanes spin, if what they wait for is a phase that lacks arrivals.
    pub(super) fn missing_arrivals(&self, cta: &Cta, warp: &Warp, group: &Group) -> Option<Box<Report>> {
        let waits =
            |object: &Object| object.waiting.get(&warp.index).is_some_and(|lanes| lanes & group.mask != 0);
        let (place, object) = cta.state.objects.0.iter().find(|(_, object)| waits(object))?;
        let message = format!(
            "threads wait at a barrier object for more arrivals than come: {} of {} have come",
            object.expected - object.missing,
            object.expected
        );
        let who = (cta.state.index, warp.index, first_lane(group.mask));
        let mut report = self.launch.fault(Kind::Deadlock, message, who, group.pc, "wait");
        report.memory = Some(self.launch.shared_place(*place));
        Some(report)
    }
}

/// Lanes learn what those told who arrived.
fn learn(warp: &mut Warp, lanes: u32, heard: &Arc<Knowledge>) {
    let mut last: Option<(Arc<Knowledge>, Arc<Knowledge>)> = None;
    for lane in lanes_of(lanes) {
        let learnt = match (warp.know[lane].take(), &last) {
            (None, _) => heard.clone(),
            (Some(old), Some((before, after))) if Arc::ptr_eq(&old, before) => after.clone(),
            (Some(old), _) => {
                let mut both = Some(old.clone());
                join_into(&mut both, heard);
                let both = both.unwrap_or_else(|| heard.clone());
                last = Some((old, both.clone()));
                both
            }
        };
        warp.know[lane] = Some(learnt);
    }
}
