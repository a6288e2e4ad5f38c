//! Instructions that lanes of a warp execute together.

use super::cta::CtaState;
use super::fault::{Checked, lanes_text};
use super::frame::Env;
use super::launch::Worker;
use super::warp::{Now, State, Warp};
use crate::alu::{LANES, Lanes, lanes_of};
use crate::code::{Dst, Op, PredSrc, Rmw, Shuffle, Src, Vote};
use crate::origin::Origin;
use crate::report::Kind;

/// Whether lanes can go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meeting {
    /// All of the mask are here.
    Complete,
    /// The group waits in this state.
    Wait(State),
    /// The lanes have different masks; these have the same.
    Split(u32),
}

impl Worker<'_> {
    /// Looks whether the lanes of an instruction's mask are all in the group.
    pub(super) fn meet(
        &self,
        cta: &CtaState,
        warp: &Warp,
        env: Env<'_>,
        now: Now,
        mask: Option<Src>,
    ) -> Checked<Meeting> {
        let Some(mask) = mask else { return Ok(Meeting::Complete) };
        self.need(cta, warp, now, mask, u64::MAX, "mask of lanes")?;
        let values = warp.frames[now.frame].value(env, mask);
        let first = lanes_of(now.act).next().unwrap_or(0);
        let wanted = values[first] as u32;
        let same = lanes_of(now.act).filter(|lane| values[*lane] as u32 == wanted);
        let same = same.fold(0, |mask, lane| mask | 1 << lane);
        if same != now.act {
            return Ok(Meeting::Split(same));
        }
        let outside = now.act & !wanted;
        if outside != 0 {
            let lane = outside.trailing_zeros();
            let message =
                format!("the lane is not in the mask 0x{wanted:08x} of the instruction that it executes");
            let who = (cta.index, warp.index, lane);
            return Err(self.launch.fault(Kind::DivergentLanes, message, who, now.pc, "execution"));
        }
        let required = wanted & warp.alive();
        if required & !now.act != 0 {
            return Ok(Meeting::Wait(State::Lanes(wanted)));
        }
        Ok(Meeting::Complete)
    }

    /// Executes an instruction whose lanes have met.
    pub(super) fn together(
        &mut self,
        cta: &CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        now: Now,
        op: &Op,
    ) -> Checked<()> {
        let act = now.act;
        match op {
            Op::Shuffle { mode, dst, in_range, a, b, c, .. } => {
                self.need(cta, warp, now, *b, u64::MAX, "lane number")?;
                self.need(cta, warp, now, *c, u64::MAX, "segment of lanes")?;
                let frame = &warp.frames[now.frame];
                let (value, undefined) = (*frame.value(env, *a), frame.undefined(*a));
                let (b, c) = (*frame.value(env, *b), *frame.value(env, *c));
                let (mut out, mut out_undefined, mut valid) = ([0; LANES], [0; LANES], 0u32);
                let mut origins = [Origin::UNREAD; LANES];
                for lane in lanes_of(act) {
                    let (from, inside) = source(*mode, lane as u32, b[lane] as u32, c[lane] as u32);
                    if act >> from & 1 == 0 {
                        return Err(self.inactive(cta, warp, now, lane as u32, from));
                    }
                    out[lane] = value[from as usize];
                    out_undefined[lane] = undefined[from as usize];
                    if out_undefined[lane] != 0 {
                        let origin = warp.frames[now.frame].origin(*a, from as usize);
                        origins[lane] = self.follow.read(origin);
                    }
                    valid |= u32::from(inside) << lane;
                }
                let frame = &mut warp.frames[now.frame];
                frame.put_undefined(*dst, &out, (&out_undefined, &origins), act);
                frame.put_pred(*in_range, valid, act);
            }
            Op::Vote { vote, dst, dst_pred, value, .. } => {
                let (held, defined) = warp.frames[now.frame].pred(*value);
                if act & !defined != 0 {
                    return Err(self.undefined_pred(cta, warp, now, *value, act & !defined));
                }
                let held = held & act;
                let frame = &mut warp.frames[now.frame];
                let result = match vote {
                    Vote::Ballot => {
                        frame.put(*dst, &[u64::from(held); LANES], act);
                        return Ok(());
                    }
                    Vote::All => held == act,
                    Vote::Any => held != 0,
                    Vote::Uniform => held == act || held == 0,
                };
                frame.put_pred(*dst_pred, if result { u32::MAX } else { 0 }, act);
            }
            Op::Match { all, dst, dst_pred, a, .. } => {
                self.need(cta, warp, now, *a, u64::MAX, "value")?;
                let frame = &mut warp.frames[now.frame];
                let value = *frame.value(env, *a);
                let mut out = [0; LANES];
                for lane in lanes_of(act) {
                    let same = lanes_of(act).filter(|other| value[*other] == value[lane]);
                    out[lane] = same.fold(0, |mask, other| mask | 1u64 << other);
                }
                let uniform = lanes_of(act).all(|lane| out[lane] == u64::from(act));
                if *all && !uniform {
                    out = [0; LANES];
                }
                frame.put(*dst, &out, act);
                frame.put_pred(*dst_pred, if uniform { u32::MAX } else { 0 }, act);
            }
            Op::Reduce { op, signed, dst, a, .. } => {
                let frame = &mut warp.frames[now.frame];
                let value = *frame.value(env, *a);
                let result = reduce(*op, *signed, lanes_of(act).map(|lane| value[lane] as u32));
                let result = [u64::from(result); LANES];
                match lanes_of(act).find(|lane| frame.undefined_bits(*a, *lane) != 0) {
                    None => frame.put(*dst, &result, act),
                    Some(lane) => {
                        let origin = self.follow.read(frame.origin(*a, lane)).computed();
                        frame.put_undefined(*dst, &result, (&[u64::MAX; LANES], &[origin; LANES]), act);
                    }
                }
            }
            Op::Elect { dst, dst_pred, .. } => {
                let leader = act.trailing_zeros();
                let frame = &mut warp.frames[now.frame];
                frame.put(*dst, &[u64::from(leader); LANES], act);
                frame.put_pred(*dst_pred, 1 << leader, act);
            }
            _ => {}
        }
        Ok(())
    }

    #[cold]
    fn inactive(
        &self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        lane: u32,
        from: u32,
    ) -> Box<crate::report::Report> {
        let why = if warp.existing >> from & 1 == 0 {
            "does not exist"
        } else if warp.exited >> from & 1 == 1 {
            "has exited"
        } else {
            "does not take part"
        };
        let message = format!("a shuffle takes the value of lane {from}, which {why}");
        let who = (cta.index, warp.index, lane);
        let mut report = self.launch.fault(Kind::InactiveLane, message, who, now.pc, "shuffle");
        report.notes.push(format!("{} take part", lanes_text(now.act)));
        report
    }

    #[cold]
    pub(super) fn undefined_pred(
        &self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        pred: PredSrc,
        lanes: u32,
    ) -> Box<crate::report::Report> {
        let lane = lanes.trailing_zeros();
        let origin = warp.frames[now.frame].pred_origin(pred, lane as usize);
        let message = "a condition depends on a value that was never set";
        let who = (cta.index, warp.index, lane);
        let mut report = self.launch.fault(Kind::Uninitialised, message, who, now.pc, "use");
        report.notes.extend(self.launch.origin_note(origin));
        report
    }
}

/// The lane that a shuffle reads, and whether it is in range.
fn source(mode: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (by, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
    let most = (lane & segment) | (clamp & !segment);
    let least = lane & segment;
    let (from, inside) = match mode {
        Shuffle::Up => {
            let from = lane.wrapping_sub(by);
            (from, from as i32 >= most as i32)
        }
        Shuffle::Down => (lane + by, lane + by <= most),
        Shuffle::Butterfly => (lane ^ by, lane ^ by <= most),
        Shuffle::Index => {
            let from = least | (by & !segment);
            (from, from <= most)
        }
    };
    if inside { (from & 31, true) } else { (lane, false) }
}

fn reduce(op: Rmw, signed: bool, values: impl Iterator<Item = u32>) -> u32 {
    let combined = values.reduce(|a, b| match op {
        Rmw::Add => a.wrapping_add(b),
        Rmw::Min if signed => (a as i32).min(b as i32) as u32,
        Rmw::Max if signed => (a as i32).max(b as i32) as u32,
        Rmw::Min => a.min(b),
        Rmw::Max => a.max(b),
        Rmw::And => a & b,
        Rmw::Or => a | b,
        Rmw::Xor => a ^ b,
        Rmw::Inc | Rmw::Dec | Rmw::Exch | Rmw::Cas => a,
    });
    combined.unwrap_or(0)
}

/// All lanes of a value, for instructions that give each the same.
pub(super) fn everywhere(value: u64) -> Lanes {
    [value; LANES]
}

/// Where a lane's own copy goes.
pub(super) fn put_everywhere(warp: &mut Warp, frame: usize, dst: Dst, value: u64, act: u32) {
    warp.frames[frame].put(dst, &everywhere(value), act);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffles_read_the_right_lanes() {
        assert_eq!(source(Shuffle::Down, 3, 16, 31), (19, true));
        assert_eq!(source(Shuffle::Down, 20, 16, 31), (20, false));
        assert_eq!(source(Shuffle::Up, 3, 4, 0), (3, false));
        assert_eq!(source(Shuffle::Up, 5, 4, 0), (1, true));
        assert_eq!(source(Shuffle::Butterfly, 5, 1, 31), (4, true));
        assert_eq!(source(Shuffle::Index, 5, 33, 31), (1, true));
        // Segments of eight lanes.
        let c = (0b11000 << 8) | 31;
        assert_eq!(source(Shuffle::Down, 7, 1, c), (7, false));
        assert_eq!(source(Shuffle::Index, 13, 2, c), (10, true));
    }
}
