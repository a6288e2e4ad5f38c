//! Atomic operations on memory.

use super::access::{Access, Where, read_cells, write_cells};
use super::cta::CtaState;
use super::fault::Checked;
use super::frame::Env;
use super::launch::Worker;
use super::warp::{FailedSwap, Now, Warp};
use crate::alu::half;
use crate::alu::round::Mode;
use crate::alu::{LANES, lanes_of};
use crate::code::{Atomic, Dst, Rmw, SINK};
use crate::memory::region::{CELLS, GRANULE, byte_mask};
use crate::race::cell::Cell;
use crate::report::Kind;
use crate::ty::Ty;
use std::sync::atomic::Ordering;

/// The new value of an operation on a type.
pub(super) fn apply(op: Rmw, ty: Ty, old: u64, a: u64, b: u64) -> u64 {
    let mask = ty.mask();
    let signed = |value: u64| {
        let shift = 64 - ty.bits().min(64);
        ((value << shift) as i64) >> shift
    };
    match op {
        Rmw::Add => add(ty, old, a),
        Rmw::Min if ty.is_signed() => signed(old).min(signed(a)) as u64 & mask,
        Rmw::Max if ty.is_signed() => signed(old).max(signed(a)) as u64 & mask,
        Rmw::Min => old.min(a),
        Rmw::Max => old.max(a),
        Rmw::And => old & a,
        Rmw::Or => old | a,
        Rmw::Xor => old ^ a,
        Rmw::Inc => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        Rmw::Dec => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
        Rmw::Exch => a,
        Rmw::Cas => {
            if old == a {
                b
            } else {
                old
            }
        }
    }
}

fn add(ty: Ty, old: u64, a: u64) -> u64 {
    match ty {
        Ty::F32 => u64::from((f32::from_bits(old as u32) + f32::from_bits(a as u32)).to_bits()),
        Ty::F64 => (f64::from_bits(old) + f64::from_bits(a)).to_bits(),
        Ty::F16 => half::to_f16((half::f16_of(old) + half::f16_of(a)).into(), Mode::Nearest),
        Ty::Bf16 => half::to_bf16((half::bf16_of(old) + half::bf16_of(a)).into(), Mode::Nearest),
        Ty::F16x2 | Ty::Bf16x2 => {
            let part = if ty == Ty::F16x2 { Ty::F16 } else { Ty::Bf16 };
            add(part, old & 0xffff, a & 0xffff) | add(part, old >> 16, a >> 16) << 16
        }
        _ => old.wrapping_add(a) & ty.mask(),
    }
}

/// The bytes in which two values differ, as a mask.
fn differing(a: u64, b: u64) -> u8 {
    let bytes = (a ^ b).to_le_bytes();
    (0..8).filter(|&byte| bytes[byte] != 0).fold(0, |mask, byte| mask | 1 << byte)
}

impl Worker<'_> {
    pub(super) fn atomic(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        now: Now,
        atomic: &Atomic,
    ) -> Checked<()> {
        let addresses = self.addresses(cta, warp, env, now, &atomic.addr)?;
        let wide = atomic.ty == Ty::B128;
        let swaps = atomic.op == Rmw::Cas && !wide;
        for src in [atomic.a[0], atomic.b[0]] {
            self.need(cta, warp, now, src, u64::MAX, "operand")?;
        }
        let frame = &warp.frames[now.frame];
        let [a, b] = [atomic.a, atomic.b].map(|pair| pair.map(|src| *frame.value(env, src)));
        let mut results = [[0; LANES]; 2];
        let mut changed = false;
        for lane in lanes_of(now.act) {
            let bytes = atomic.ty.bytes();
            let (place, offset) =
                self.locate(cta, warp, now, lane, atomic.addr.space, addresses[lane], bytes, true)?;
            let (x, y) = (a[0][lane], b[0][lane]);
            let used = if swaps { differing(x, y) } else { byte_mask(bytes) };
            self.check_atomic(cta, warp, now, lane, place, offset, atomic, used)?;
            let key = self.generic(place, offset);
            let (order, scope) = (atomic.order, atomic.order.scope);
            self.before_strong_write(cta, warp, lane, key, order.release, scope);
            match atomic.op {
                Rmw::Exch => self.note_unlock(warp, lane, key),
                Rmw::Cas if !wide => self.check_unlock(cta, warp, lane, (key, x, now.pc))?,
                _ => {}
            }
            let holder = self.last_writer(cta, warp, place, offset);
            self.record(cta, warp, now, lane, place, offset, atomic, used)?;
            let Some(region) = self.region(cta, place) else { continue };
            if wide {
                let expected = [a[0][lane], a[1][lane]];
                let desired = [b[0][lane], b[1][lane]];
                let old = region.modify_wide(offset, |old| match atomic.op {
                    Rmw::Cas if old == expected => desired,
                    Rmw::Cas => old,
                    _ => expected,
                });
                region.define(offset, 0xff);
                region.define(offset + 8, 0xff);
                (results[0][lane], results[1][lane]) = (old[0], old[1]);
                changed = true;
            } else {
                let old = region.modify(offset, bytes, |old| apply(atomic.op, atomic.ty, old, x, y));
                region.define(offset, used);
                results[0][lane] = old;
                changed |= apply(atomic.op, atomic.ty, old, x, y) != old;
                if atomic.op == Rmw::Cas {
                    if old == x {
                        warp.failed[lane] = FailedSwap::default();
                        warp.successes += 1;
                        warp.held[lane] = key;
                    } else {
                        let (pc, successes) = (now.pc, warp.successes);
                        let swap = FailedSwap { address: key, expected: x, found: old, pc, successes };
                        self.failed_swap(cta, warp, lane, swap, holder)?;
                    }
                }
            }
            self.after_strong_read(cta, warp, lane, key, order.acquire, scope);
        }
        if atomic.order.release {
            warp.tick();
        }
        if changed {
            self.changed();
        }
        let frame = &mut warp.frames[now.frame];
        if atomic.dst != SINK {
            frame.put(atomic.dst, &results[0], now.act);
            if wide {
                frame.put(Dst(atomic.dst.0 + 1), &results[1], now.act);
            }
        }
        Ok(())
    }

    /// Checks an access of which these bytes are of use. A compare-and-swap may put back what was undefined
    /// before.
    #[allow(clippy::too_many_arguments, reason = "an atomic of a lane is just that much")]
    fn check_atomic(
        &self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        lane: usize,
        place: Where,
        offset: u64,
        atomic: &Atomic,
        used: u8,
    ) -> Checked<()> {
        let who = (cta.index, warp.index, lane as u32);
        let fault = |kind, message: &str| Err(self.launch.fault(kind, message, who, now.pc, "atomic"));
        let Some(region) = self.region(cta, place).filter(|_| place != Where::Param) else {
            return fault(Kind::OutOfBounds, "atomics work on global and shared memory");
        };
        if let Where::Global(index) = place
            && self.view[index].purpose == crate::memory::device::Purpose::Constant
        {
            return fault(Kind::ReadOnly, "constant memory is not written by kernels");
        }
        let defined = region.defined(offset, atomic.ty.bytes().min(8)) & used == used;
        if !defined && self.launch.checks.uninitialised && atomic.op != Rmw::Exch {
            let mut report = self.launch.fault(
                Kind::Uninitialised,
                "an atomic operation on memory that nobody wrote",
                who,
                now.pc,
                "atomic",
            );
            report.memory = Some(match place {
                Where::Global(index) => {
                    let allocation = &self.view[index];
                    self.launch.allocation_place(allocation, allocation.base + offset)
                }
                _ => self.launch.shared_place(offset),
            });
            return Err(report);
        }
        Ok(())
    }

    /// The lane of this warp that wrote a word last, if one of this warp did.
    fn last_writer(&self, cta: &CtaState, warp: &Warp, place: Where, offset: u64) -> Option<u32> {
        if !self.launch.checks.races || !self.launch.checks.warp_locks {
            return None;
        }
        let region = self.region(cta, place)?;
        let index = (offset / GRANULE) as usize * CELLS;
        let cell = Cell(region.cells().get(index)?.load(Ordering::Acquire));
        if cell.0 == 0 {
            return None;
        }
        let segment = self.launch.segments.get(cell.segment());
        let own = segment.launch == self.launch.number
            && segment.cta == cta.index
            && segment.warp == warp.index
            && cell.is_atomic();
        own.then(|| cell.lane())
    }

    /// Records the access. A compare-and-swap writes the bytes that it changes, as it may have been made of
    /// an operation on less than it is wide; one that changes nothing counts as a read.
    #[allow(clippy::too_many_arguments, reason = "an atomic of a lane is just that much")]
    fn record(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        now: Now,
        lane: usize,
        place: Where,
        offset: u64,
        atomic: &Atomic,
        used: u8,
    ) -> Checked<()> {
        let Some(me) = self.me(cta, warp, now, Some(atomic.order.scope)) else { return Ok(()) };
        let me = me.with_lane(lane as u32);
        let Some(region) = self.region(cta, place) else { return Ok(()) };
        let viewer = self.viewer(cta, warp);
        let bytes = atomic.ty.bytes();
        let frame = &warp.frames[now.frame];
        let fails = atomic.op == Rmw::Cas && bytes <= 8 && {
            let env = Env { constants: &self.launch.code.constants, specials: &warp.specials[..] };
            region.load(offset, bytes) != frame.value(env, atomic.a[0])[lane]
        };
        let mut conflict = None;
        for part in 0..bytes.div_ceil(8) {
            let at = offset + u64::from(8 * part);
            conflict = conflict.or(if fails || used == 0 {
                read_cells(region, at, bytes.min(8), me, &viewer, |part| {
                    self.forgives_read(cta, place, at + GRANULE * part)
                })
            } else {
                write_cells(region, at, used, me, &viewer, || false, |_, _| false)
            });
        }
        match conflict {
            None => Ok(()),
            Some(conflict) => {
                let who = (cta.index, warp.index, lane as u32);
                let what = format!("atomic access to {bytes} bytes");
                let access = Access { what: &what, is_write: true, is_atomic: true };
                self.raced(place, offset, conflict, who, now.pc, access)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_follow_their_types() {
        assert_eq!(apply(Rmw::Add, Ty::U32, 0xffff_ffff, 2, 0), 1);
        assert_eq!(apply(Rmw::Min, Ty::S32, 0xffff_ffff, 1, 0), 0xffff_ffff);
        assert_eq!(apply(Rmw::Min, Ty::U32, 0xffff_ffff, 1, 0), 1);
        assert_eq!(apply(Rmw::Max, Ty::S64, u64::MAX, 0, 0), 0);
        assert_eq!(apply(Rmw::Inc, Ty::U32, 3, 3, 0), 0);
        assert_eq!(apply(Rmw::Dec, Ty::U32, 0, 7, 0), 7);
        assert_eq!(apply(Rmw::Cas, Ty::B32, 5, 5, 9), 9);
        assert_eq!(apply(Rmw::Cas, Ty::B32, 5, 4, 9), 5);
        assert_eq!(apply(Rmw::Exch, Ty::B64, 5, 4, 0), 4);
        assert_eq!(apply(Rmw::Add, Ty::F64, 1f64.to_bits(), 2f64.to_bits(), 0), 3f64.to_bits());
        let pair = |a: u64, b: u64| a | b << 16;
        assert_eq!(
            apply(Rmw::Add, Ty::F16x2, pair(0x3c00, 0x4000), pair(0x3c00, 0x3c00), 0),
            pair(0x4000, 0x4200)
        );
    }
}
