//! The loop that executes the instructions of a group.

use super::barrier::Arrival;
use super::cta::CtaState;
use super::data;
use super::fault::Checked;
use super::frame::Env;
use super::launch::Worker;
use super::mbarrier::Outcome;
use super::together::{Meeting, put_everywhere};
use super::warp::{FailedSwap, Group, Now, State, Warp};
use crate::alu::{LANES, lanes_of};
use crate::code::{BarrierKind, Callee, Clock, Op};
use crate::memory::address;
use crate::memory::space::Space;
use crate::report::Kind;

/// Why a group stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// Its turn is over.
    Turn,
    /// Groups have changed, or it waits.
    Regroup,
    /// A barrier of the CTA is complete.
    Barrier(u32),
    /// A phase of a barrier object is over that lanes wait for.
    Phase,
}

/// What to do after an instruction.
enum Next {
    Advance,
    Jump(u32),
    Stop(Stop),
}

impl Worker<'_> {
    /// Runs a group for `turn` instructions, or until something happens.
    pub(super) fn run(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        group: usize,
        turn: u32,
    ) -> Checked<Stop> {
        let launch = self.launch;
        let code = launch.code;
        let check = launch.checks.uninitialised;
        let Group { frame, mut pc, mask, .. } = warp.groups[group];
        let several = warp.groups.len() > 1;
        let meeting = match several {
            _ if warp.structured => warp.join(group),
            true => warp.meeting_point(group),
            false => u32::MAX,
        };
        // A group that others wait for ends its turn at each jump back, so that they get theirs.
        let watched = warp.groups[group].watched;
        let specials = warp.specials.clone();
        let env = Env { constants: &code.constants, specials: &specials[..] };
        for executed in 0..turn {
            let inst = &code.insts[pc as usize];
            let act = match inst.guard {
                None => mask,
                Some(guard) => {
                    let (value, defined) = warp.frames[frame].pred(guard);
                    if mask & !defined != 0 && check {
                        let now = Now { frame, pc, act: mask };
                        return Err(self.undefined_pred(cta, warp, now, guard, mask & !defined));
                    }
                    mask & value
                }
            };
            self.instructions += u64::from(mask.count_ones());
            self.warp_instructions += 1;
            if act != 0 {
                self.follow.pc = pc;
                if !data::step(&mut warp.frames[frame], env, &inst.op, act, &mut self.follow) {
                    let now = Now { frame, pc, act };
                    match self.effect(cta, warp, env, group, now, mask, &inst.op)? {
                        Next::Advance => {}
                        Next::Jump(to) => {
                            let back = to <= pc;
                            pc = to;
                            let check_spin = back && watched && self.watch(warp, group, pc);
                            let meets = pc == meeting || several && (back || pc >= meeting);
                            if check_spin || meets {
                                warp.groups[group].pc = pc;
                                return Ok(if executed + 1 == turn { Stop::Turn } else { Stop::Regroup });
                            }
                            continue;
                        }
                        Next::Stop(stop) => return Ok(stop),
                    }
                }
            }
            pc += 1;
            if pc == meeting {
                warp.groups[group].pc = pc;
                return Ok(Stop::Regroup);
            }
        }
        warp.groups[group].pc = pc;
        Ok(Stop::Turn)
    }

    /// Executes an instruction that does more than compute.
    #[allow(clippy::too_many_arguments, reason = "an instruction of a group of a warp of a CTA")]
    fn effect(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        group: usize,
        now: Now,
        mask: u32,
        op: &Op,
    ) -> Checked<Next> {
        let done = |result: Checked<()>| result.map(|()| Next::Advance);
        match op {
            Op::Branch { to } => {
                if now.act != mask {
                    self.part(warp, group, now, self.join_of(now.pc));
                }
                Ok(branch(warp, group, now, mask, *to))
            }
            Op::Load(load) => done(self.load(cta, warp, env, now, load)),
            Op::Store(store) => done(self.store(cta, warp, env, now, store)),
            Op::Atomic(atomic) => done(self.atomic(cta, warp, env, now, atomic)),
            Op::Fence { acquire, release, scope } => {
                self.fence(cta, warp, now.act, (*acquire, *release), *scope);
                Ok(Next::Advance)
            }
            Op::BranchTable { index, targets } => {
                self.need(cta, warp, now, *index, u64::MAX, "index of a jump")?;
                let index = *warp.frames[now.frame].value(env, *index);
                for lane in lanes_of(now.act) {
                    if targets.get(index[lane] as usize).is_none() {
                        let message = format!(
                            "the index {} is beyond a table of {} labels",
                            index[lane],
                            targets.len()
                        );
                        let who = (cta.index, warp.index, lane as u32);
                        return Err(self.launch.fault(Kind::BadJump, message, who, now.pc, "jump"));
                    }
                }
                self.part(warp, group, now, self.join_of(now.pc));
                let target = |lane: usize| targets.get(index[lane] as usize).copied().unwrap_or(now.pc);
                let mut left = now.act;
                while left != 0 {
                    let to = target(left.trailing_zeros() as usize);
                    let same = lanes_of(left).filter(|lane| target(*lane) == to);
                    let same = same.fold(0, |mask, lane| mask | 1 << lane);
                    warp.groups.push(moved(&warp.groups[group], to, same));
                    left &= !same;
                }
                Ok(leave_behind(warp, group, now, mask))
            }
            Op::Shuffle { mask: wanted, .. } | Op::Vote { mask: wanted, .. } => {
                self.meeting(cta, warp, env, group, now, mask, *wanted, op)
            }
            Op::Match { mask: wanted, .. }
            | Op::Reduce { mask: wanted, .. }
            | Op::Elect { mask: wanted, .. } => {
                self.meeting(cta, warp, env, group, now, mask, Some(*wanted), op)
            }
            Op::WarpBarrier { mask: wanted } => {
                self.meeting(cta, warp, env, group, now, mask, Some(*wanted), op)
            }
            Op::Barrier(site) => {
                let alive = warp.alive();
                self.check_whole(cta, warp, group, now, alive, Kind::DivergentBarrier)?;
                if now.act != mask {
                    return Ok(split(warp, group, now, mask));
                }
                let (arrival, number) = self.arrive(cta, warp, env, now, site)?;
                let me = &mut warp.groups[group];
                me.pc = now.pc;
                Ok(match arrival {
                    Arrival::Wait(state) => {
                        me.state = state;
                        Next::Stop(Stop::Regroup)
                    }
                    Arrival::GoOn => Next::Advance,
                    Arrival::Last if site.kind == BarrierKind::Arrive => {
                        me.pc += 1;
                        Next::Stop(Stop::Barrier(number))
                    }
                    Arrival::Last => {
                        me.state = State::Barrier(number);
                        Next::Stop(Stop::Barrier(number))
                    }
                })
            }
            Op::Mbarrier(site) => {
                // Lanes that may sleep do so as a group.
                if now.act != mask {
                    self.part(warp, group, now, Some(now.pc + 1));
                    return Ok(split(warp, group, now, mask));
                }
                let outcome = self.mbarrier(cta, warp, env, now, site)?;
                let me = &mut warp.groups[group];
                Ok(match outcome {
                    Outcome::GoOn => Next::Advance,
                    Outcome::Wake => {
                        me.pc = now.pc + 1;
                        Next::Stop(Stop::Phase)
                    }
                    Outcome::Sleep => {
                        (me.pc, me.state) = (now.pc, State::Asleep);
                        Next::Stop(Stop::Regroup)
                    }
                })
            }
            Op::Call(site) => {
                let (callee, same) = self.callee(cta, warp, env, now, site)?;
                match callee {
                    Callee::Builtin(builtin) => done(self.builtin(cta, warp, now, site, builtin)),
                    Callee::Function(number) => {
                        self.part(warp, group, now, Some(now.pc + 1));
                        let mut entered = self.enter(cta, warp, Now { act: same, ..now }, site, number)?;
                        entered.joins.clone_from(&warp.groups[group].joins);
                        warp.groups.push(entered);
                        // Lanes that call another function, or none, come to this instruction again.
                        let me = &mut warp.groups[group];
                        (me.mask, me.pc) = (mask & !same, now.pc);
                        if me.mask == 0 {
                            warp.groups.remove(group);
                        }
                        Ok(Next::Stop(Stop::Regroup))
                    }
                    Callee::Through(_) => Ok(Next::Advance),
                }
            }
            Op::Return => {
                let Some((frame, pc)) = self.leave(warp, now) else {
                    return Ok(self.end_lanes(cta, warp, group, now, mask));
                };
                let mut back = moved(&warp.groups[group], pc, now.act);
                back.return_to(frame);
                warp.groups.push(back);
                Ok(leave_behind(warp, group, now, mask))
            }
            Op::Exit => Ok(self.end_lanes(cta, warp, group, now, mask)),
            Op::Trap | Op::Breakpoint => {
                let who = (cta.index, warp.index, now.act.trailing_zeros());
                let (kind, text) = match op {
                    Op::Trap => (Kind::Trap, "the program stops itself: `abort`, or what cannot be reached"),
                    _ => (Kind::Breakpoint, "a breakpoint, and no debugger"),
                };
                Err(self.launch.fault(kind, text, who, now.pc, "trap"))
            }
            Op::Sleep => {
                let me = &mut warp.groups[group];
                me.yields += 1;
                me.pc = now.pc + 1;
                Ok(Next::Stop(Stop::Regroup))
            }
            _ => self.local_effect(cta, warp, env, now, op),
        }
    }

    /// What concerns a thread alone.
    fn local_effect(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        now: Now,
        op: &Op,
    ) -> Checked<Next> {
        let act = now.act;
        match op {
            Op::LocalAddress { dst, offset } => {
                let frame = &mut warp.frames[now.frame];
                let all = frame.local.map(|local| u64::from(local + offset));
                frame.put(*dst, &all, act);
            }
            Op::Cvta { dst, a, space, to_generic } => {
                let base = address::base_of(*space);
                let frame = &mut warp.frames[now.frame];
                let all = frame.value(env, *a).map(|value| {
                    if *to_generic { value.wrapping_add(base) } else { value.wrapping_sub(base) }
                });
                let undefined = frame.undefined(*a);
                data::moved(frame, *dst, &all, &undefined, &[*a], act, &mut self.follow);
            }
            Op::IsSpace { dst, a, space } => {
                self.need(cta, warp, now, *a, u64::MAX, "address")?;
                let frame = &mut warp.frames[now.frame];
                let value = *frame.value(env, *a);
                let inside = lanes_of(act).filter(|lane| {
                    let found = address::space_of(value[*lane]).map(|(found, _)| found);
                    match space {
                        Space::Const => found == Some(Space::Global) && self.is_constant(value[*lane]),
                        other => found == Some(*other),
                    }
                });
                let inside = inside.fold(0, |mask, lane| mask | 1 << lane);
                frame.put_pred(*dst, inside, act);
            }
            Op::ActiveMask { dst } => put_everywhere(warp, now.frame, *dst, u64::from(act), act),
            Op::ReadClock { dst, clock } => {
                let value = self.clock(*clock);
                put_everywhere(warp, now.frame, *dst, value, act);
            }
            Op::Alloca { dst, bytes, align } => {
                self.need(cta, warp, now, *bytes, u64::MAX, "size")?;
                let sizes = *warp.frames[now.frame].value(env, *bytes);
                let mut out = [0; LANES];
                for lane in lanes_of(act) {
                    let frame = &mut warp.frames[now.frame];
                    let start = frame.top[lane].next_multiple_of((*align).max(8));
                    let end = u64::from(start).saturating_add(sizes[lane]);
                    if end > u64::from(self.launch.stack) {
                        let who = (cta.index, warp.index, lane as u32);
                        let most = self.launch.stack;
                        let message =
                            format!("no stack is left for {} bytes: a thread has {most}", sizes[lane]);
                        return Err(self.launch.fault(
                            Kind::StackOverflow,
                            message,
                            who,
                            now.pc,
                            "allocation",
                        ));
                    }
                    frame.top[lane] = end as u32;
                    warp.local[lane].open(start, end as u32);
                    out[lane] = u64::from(start);
                }
                warp.frames[now.frame].put(*dst, &out, act);
            }
            Op::StackSave { dst } => {
                let frame = &mut warp.frames[now.frame];
                let all = frame.top.map(u64::from);
                frame.put(*dst, &all, act);
            }
            Op::StackRestore { src } => {
                self.need(cta, warp, now, *src, u64::MAX, "stack")?;
                let frame = &mut warp.frames[now.frame];
                let saved = *frame.value(env, *src);
                for lane in lanes_of(act) {
                    if let Ok(top) = u32::try_from(saved[lane])
                        && (frame.local[lane]..=frame.top[lane]).contains(&top)
                    {
                        frame.top[lane] = top;
                    }
                }
            }
            _ => {}
        }
        Ok(Next::Advance)
    }

    fn is_constant(&self, address: u64) -> bool {
        let found = self.launch.memory.near(address);
        found.is_some_and(|found| found.purpose == crate::memory::device::Purpose::Constant)
    }

    /// Time: instructions of the warp's processor, or nanoseconds.
    fn clock(&self, clock: Clock) -> u64 {
        let cycles = self.warp_instructions;
        // By chance or by time: with a seed all is repeatable, so time is counted there, too.
        let nanoseconds = match self.rng {
            Some(_) => cycles,
            None => self.launch.shared.started.elapsed().as_nanos() as u64,
        };
        match clock {
            Clock::Low => cycles & 0xffff_ffff,
            Clock::High => cycles >> 32,
            Clock::Whole => cycles,
            Clock::Timer => nanoseconds,
            Clock::TimerLow => nanoseconds & 0xffff_ffff,
            Clock::TimerHigh => nanoseconds >> 32,
        }
    }

    /// An instruction that lanes execute together, once they have met.
    #[allow(clippy::too_many_arguments, reason = "an instruction of a group of a warp of a CTA")]
    fn meeting(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        group: usize,
        now: Now,
        mask: u32,
        wanted: Option<crate::code::Src>,
        op: &Op,
    ) -> Checked<Next> {
        if warp.structured {
            let required = self.together_with(warp, env, now, wanted);
            self.check_whole(cta, warp, group, now, required, Kind::DivergentLanes)?;
        }
        if now.act != mask {
            self.part(warp, group, now, Some(now.pc + 1));
            return Ok(split(warp, group, now, mask));
        }
        let barrier = matches!(op, Op::WarpBarrier { .. });
        match self.meet(cta, warp, env, now, wanted)? {
            Meeting::Complete => {
                if barrier {
                    self.warp_barrier(cta, warp, now.act);
                } else {
                    self.together(cta, warp, env, now, op)?;
                }
                Ok(Next::Advance)
            }
            Meeting::Split(same) => {
                // Each part has a mask of its own, and must be all of it.
                let part = Now { act: same, ..now };
                if self.meet(cta, warp, env, part, wanted)? != Meeting::Complete {
                    let message = "lanes execute an instruction together with different masks";
                    let who = (cta.index, warp.index, same.trailing_zeros());
                    return Err(self.launch.fault(Kind::DivergentLanes, message, who, now.pc, "execution"));
                }
                if barrier {
                    self.warp_barrier(cta, warp, same);
                } else {
                    self.together(cta, warp, env, part, op)?;
                }
                self.part(warp, group, now, Some(now.pc + 1));
                warp.groups.push(moved(&warp.groups[group], now.pc + 1, same));
                let me = &mut warp.groups[group];
                (me.mask, me.pc) = (mask & !same, now.pc);
                Ok(Next::Stop(Stop::Regroup))
            }
            Meeting::Wait(State::Lanes(wanted)) if barrier => {
                let me = &mut warp.groups[group];
                (me.pc, me.state) = (now.pc, State::WarpBarrier(wanted));
                self.release_warp_barrier(cta, warp, wanted);
                Ok(Next::Stop(Stop::Regroup))
            }
            Meeting::Wait(state) => {
                let me = &mut warp.groups[group];
                (me.pc, me.state) = (now.pc, state);
                Ok(Next::Stop(Stop::Regroup))
            }
        }
    }

    /// Lets lanes go on that wait at barriers of the warp with the same mask, at whatever instruction, if all
    /// are there.
    pub(super) fn release_warp_barrier(&mut self, cta: &CtaState, warp: &mut Warp, wanted: u32) {
        let waits = State::WarpBarrier(wanted);
        let here = warp.groups.iter().filter(|group| group.state == waits);
        let here = here.fold(0, |mask, group| mask | group.mask);
        if wanted & warp.alive() & !here != 0 {
            return;
        }
        for group in warp.groups.iter_mut().filter(|group| group.state == waits) {
            group.state = State::Ready;
            group.pc += 1;
        }
        self.warp_barrier(cta, warp, here);
    }

    /// After a barrier of the warp its lanes know of each other.
    fn warp_barrier(&mut self, cta: &CtaState, warp: &mut Warp, lanes: u32) {
        lanes_of(lanes).for_each(|lane| warp.failed[lane] = FailedSwap::default());
        if !self.launch.checks.races {
            return;
        }
        let mut joined = None;
        for lane in lanes_of(lanes) {
            if let Some((heard, _)) = warp.pending[lane].take() {
                crate::race::clock::join_into(&mut warp.know[lane], &heard);
            }
            if let Some(know) = &warp.know[lane] {
                crate::race::clock::join_into(&mut joined, know);
            }
        }
        if lanes == warp.alive() {
            lanes_of(lanes).for_each(|lane| warp.warp_base[lane] = warp.clock);
        } else {
            let mut learnt = crate::race::clock::Knowledge::default();
            for lane in lanes_of(lanes) {
                learnt.learn_lane(cta.index, warp.index, lane as u32, warp.clock);
                if warp.warp_base[lane] > 0 {
                    learnt.learn_warp(cta.index, warp.index, warp.warp_base[lane]);
                }
            }
            crate::race::clock::join_into(&mut joined, &std::sync::Arc::new(learnt));
        }
        if joined.is_some() {
            lanes_of(lanes).for_each(|lane| warp.know[lane] = joined.clone());
        }
        warp.tick();
    }

    /// Some lanes of a group end; its remaining lanes go on.
    fn end_lanes(&mut self, cta: &mut CtaState, warp: &mut Warp, group: usize, now: Now, mask: u32) -> Next {
        self.exit(cta, warp, now.act);
        let next = leave_behind(warp, group, now, mask);
        self.after_leaving(warp);
        next
    }

    /// Lanes end.
    fn exit(&mut self, cta: &mut CtaState, warp: &mut Warp, lanes: u32) {
        warp.exited |= lanes;
        cta.exited += lanes.count_ones();
        warp.look_again();
        let waiting: Vec<u32> = warp
            .groups
            .iter()
            .filter_map(|group| match group.state {
                State::WarpBarrier(wanted) => Some(wanted),
                _ => None,
            })
            .collect();
        for wanted in waiting {
            self.release_warp_barrier(cta, warp, wanted);
        }
        self.changed();
    }
}

/// A group of some of a group's lanes, elsewhere.
fn moved(from: &Group, pc: u32, mask: u32) -> Group {
    let mut group = Group::new(from.frame, pc, mask);
    group.yields = from.yields;
    group.joins.clone_from(&from.joins);
    group
}

/// The lanes that went elsewhere leave the group; its remaining lanes go on with the next instruction.
fn leave_behind(warp: &mut Warp, group: usize, now: Now, mask: u32) -> Next {
    if now.act == mask {
        warp.groups.remove(group);
    } else {
        let me = &mut warp.groups[group];
        me.mask = mask & !now.act;
        me.pc = now.pc + 1;
    }
    Next::Stop(Stop::Regroup)
}

/// Makes a group of its own of the lanes that execute a guarded instruction; the remaining lanes skip it.
fn split(warp: &mut Warp, group: usize, now: Now, mask: u32) -> Next {
    let other = moved(&warp.groups[group], now.pc, now.act);
    let me = &mut warp.groups[group];
    (me.mask, me.pc) = (mask & !now.act, now.pc + 1);
    warp.groups.push(other);
    Next::Stop(Stop::Regroup)
}

fn branch(warp: &mut Warp, group: usize, now: Now, mask: u32, to: u32) -> Next {
    if now.act == mask {
        return Next::Jump(to);
    }
    let other = moved(&warp.groups[group], to, now.act);
    let me = &mut warp.groups[group];
    (me.mask, me.pc) = (mask & !now.act, now.pc + 1);
    warp.groups.push(other);
    Next::Stop(Stop::Regroup)
}
