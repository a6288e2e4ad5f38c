//! The registers of a function's activation, for the lanes of a warp that are in it, and which of their bits
//! are defined.

use crate::alu::{LANES, Lanes, lanes_of};
use crate::code::{Dst, Function, PredDst, PredSrc, Src};
use crate::origin::{LaneOrigins, Origin};

/// Values that are not in the frame.
#[derive(Clone, Copy)]
pub(super) struct Env<'a> {
    pub(super) constants: &'a [Lanes],
    pub(super) specials: &'a [Lanes],
}

/// The values in a frame's registers.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) regs: Vec<Lanes>,
    pub(super) preds: Vec<u32>,
}

/// An activation.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) function: u32,
    /// The caller's, and the call in it.
    pub(super) parent: Option<usize>,
    pub(super) call_pc: u32,
    pub(super) depth: u32,
    /// Lanes that have not returned.
    pub(super) lanes: u32,
    pub(super) regs: Vec<Lanes>,
    /// Lanes where all bits are defined.
    full: Vec<u32>,
    /// Undefined bits of the other lanes; empty until a value is defined in part.
    undef: Vec<Lanes>,
    /// Where those come from; as long as `undef`.
    origins: Vec<LaneOrigins>,
    pub(super) preds: Vec<u32>,
    pred_full: Vec<u32>,
    /// Where predicates without a value come from; empty until one is computed from such a value.
    pred_origins: Vec<LaneOrigins>,
    pub(super) carry: u32,
    /// Lanes whose carry has no value, and where that comes from.
    pub(super) carry_undef: u32,
    pub(super) carry_origins: LaneOrigins,
    /// Where the thread's local variables begin, and where its stack ends.
    pub(super) local: [u32; LANES],
    pub(super) top: [u32; LANES],
}

impl Frame {
    pub(super) fn new(number: u32, function: &Function) -> Frame {
        Frame {
            function: number,
            parent: None,
            call_pc: 0,
            depth: 0,
            lanes: 0,
            regs: vec![[0; LANES]; function.slots as usize],
            full: vec![0; function.slots as usize],
            undef: Vec::new(),
            origins: Vec::new(),
            preds: vec![0; function.predicates as usize],
            pred_full: vec![0; function.predicates as usize],
            pred_origins: Vec::new(),
            carry: 0,
            carry_undef: 0,
            carry_origins: [Origin::UNREAD; LANES],
            local: [0; LANES],
            top: [0; LANES],
        }
    }

    /// Makes the registers of lanes undefined, for lanes that enter.
    pub(super) fn clear(&mut self, lanes: u32) {
        for full in self.full.iter_mut().chain(&mut self.pred_full) {
            *full &= !lanes;
        }
        self.carry_undef &= !lanes;
        for undef in &mut self.undef {
            lanes_of(lanes).for_each(|lane| undef[lane] = u64::MAX);
        }
        for origins in self.origins.iter_mut().chain(&mut self.pred_origins) {
            lanes_of(lanes).for_each(|lane| origins[lane] = Origin::UNREAD);
        }
    }

    #[inline]
    pub(super) fn value<'a>(&'a self, env: Env<'a>, src: Src) -> &'a Lanes {
        match src.kind() {
            0 => &self.regs[src.index()],
            Src::CONST => &env.constants[src.index()],
            _ => &env.specials[src.index()],
        }
    }

    /// Lanes where a source is wholly defined.
    #[inline]
    pub(super) fn defined(&self, src: Src) -> u32 {
        if src.kind() == 0 { self.full[src.index()] } else { u32::MAX }
    }

    /// Undefined bits of a source in a lane.
    pub(super) fn undefined_bits(&self, src: Src, lane: usize) -> u64 {
        if self.defined(src) >> lane & 1 == 1 {
            return 0;
        }
        self.undef.get(src.index()).map_or(u64::MAX, |bits| bits[lane])
    }

    /// Undefined bits of a source in all lanes.
    pub(super) fn undefined(&self, src: Src) -> Lanes {
        std::array::from_fn(|lane| self.undefined_bits(src, lane))
    }

    /// Where the undefined bits of a source come from.
    pub(super) fn origin(&self, src: Src, lane: usize) -> Origin {
        self.origins.get(src.index()).map_or(Origin::UNREAD, |origins| origins[lane])
    }

    /// Where a predicate comes from that has no value.
    pub(super) fn pred_origin(&self, src: PredSrc, lane: usize) -> Origin {
        match src {
            PredSrc::Constant(_) => Origin::UNREAD,
            PredSrc::Slot { index, .. } => {
                self.pred_origins.get(index as usize).map_or(Origin::UNREAD, |origins| origins[lane])
            }
        }
    }

    /// Writes a defined value.
    #[inline]
    pub(super) fn put(&mut self, dst: Dst, value: &Lanes, act: u32) {
        let slot = dst.0 as usize;
        let to = &mut self.regs[slot];
        if act == u32::MAX {
            *to = *value;
        } else {
            for (lane, (to, from)) in to.iter_mut().zip(value).enumerate() {
                *to = if act >> lane & 1 == 1 { *from } else { *to };
            }
        }
        self.full[slot] |= act;
    }

    /// Writes a value of which bits are undefined, and where those come from.
    pub(super) fn put_undefined(
        &mut self,
        dst: Dst,
        value: &Lanes,
        (undef, origins): (&Lanes, &LaneOrigins),
        act: u32,
    ) {
        self.put(dst, value, act);
        let partly = lanes_of(act).filter(|lane| undef[*lane] != 0).fold(0, |mask, lane| mask | 1 << lane);
        if partly == 0 {
            return;
        }
        if self.undef.is_empty() {
            self.undef = vec![[u64::MAX; LANES]; self.regs.len()];
            self.origins = vec![[Origin::UNREAD; LANES]; self.regs.len()];
        }
        let slot = dst.0 as usize;
        for lane in lanes_of(partly) {
            self.undef[slot][lane] = undef[lane];
            self.origins[slot][lane] = origins[lane];
        }
        self.full[slot] &= !partly;
    }

    /// The lanes where a predicate holds, and those where it is defined.
    #[inline]
    pub(super) fn pred(&self, src: PredSrc) -> (u32, u32) {
        match src {
            PredSrc::Constant(value) => (if value { u32::MAX } else { 0 }, u32::MAX),
            PredSrc::Slot { index, negated } => {
                let value = self.preds[index as usize];
                (if negated { !value } else { value }, self.pred_full[index as usize])
            }
        }
    }

    #[inline]
    pub(super) fn put_pred(&mut self, dst: PredDst, value: u32, act: u32) {
        let slot = &mut self.preds[dst as usize];
        *slot = (*slot & !act) | (value & act);
        self.pred_full[dst as usize] |= act;
    }

    /// Marks a predicate as undefined in some lanes.
    pub(super) fn undefine_pred(&mut self, dst: PredDst, lanes: u32, origins: &LaneOrigins) {
        if lanes == 0 {
            return;
        }
        self.pred_full[dst as usize] &= !lanes;
        if self.pred_origins.is_empty() {
            self.pred_origins = vec![[Origin::UNREAD; LANES]; self.preds.len()];
        }
        let to = &mut self.pred_origins[dst as usize];
        lanes_of(lanes).for_each(|lane| to[lane] = origins[lane]);
    }

    /// Whether lanes have the same registers as in an older copy.
    pub(super) fn same_values(&self, older: &Values, lanes: u32) -> bool {
        let regs = self.regs.iter().zip(&older.regs).skip(1);
        self.preds.iter().zip(&older.preds).all(|(a, b)| (a ^ b) & lanes == 0)
            && regs.into_iter().all(|(a, b)| lanes_of(lanes).all(|lane| a[lane] == b[lane]))
    }

    /// Copies the registers.
    pub(super) fn copy_values(&self, to: &mut Values) {
        to.regs.clone_from(&self.regs);
        to.preds.clone_from(&self.preds);
    }
}
