//! What threads do together.

use super::function::FunctionLowerer;
use super::mods::Mods;
use crate::code::{BarrierKind, BarrierSite, Op, PredSrc, Rmw, SINK, Shuffle, Src, Vote};
use crate::error::Result;
use crate::read::ast::{Number, Operand};
use crate::ty::Ty;

impl<'a> FunctionLowerer<'_, 'a, '_> {
    /// Lowers an instruction that several threads execute together; `None` if it is another.
    pub(super) fn together(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Option<Op>> {
        Ok(Some(match m.name() {
            "bar" if m.flag("warp") => {
                m.need("`.sync`", &["sync"])?;
                let [mask] = self.exactly::<1>(ops)?;
                Op::WarpBarrier { mask: self.src(mask, Ty::B32)? }
            }
            "bar" | "barrier" => self.barrier(m, ops)?,
            "mbarrier" => self.mbarrier(m, ops)?,
            "shfl" => self.shuffle(m, ops)?,
            "vote" => self.vote(m, ops)?,
            "match" => self.match_lanes(m, ops)?,
            "redux" => self.redux(m, ops)?,
            "activemask" => {
                m.ty()?;
                let [dst] = self.exactly::<1>(ops)?;
                Op::ActiveMask { dst: self.dst(dst, Ty::B32)? }
            }
            "elect" => {
                m.need("`.sync`", &["sync"])?;
                let [Operand::Pair(dst, pred), mask] = self.exactly::<2>(ops)? else {
                    return self.problem("`elect` gives a lane and a predicate");
                };
                let dst = self.dst(&Operand::Name(dst, 0), Ty::B32)?;
                Op::Elect { dst, dst_pred: self.pred_name(pred)?, mask: self.src(mask, Ty::B32)? }
            }
            _ => return Ok(None),
        }))
    }

    /// `bar.sync a [, b]`, `bar.arrive a, b`, `bar.red.OP d, a [, b], p`
    fn barrier(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let bar = m.name() == "bar";
        if m.has("cluster") {
            return self.no_such(m);
        }
        m.flag("cta");
        let action = m.need("an action", &["sync", "arrive", "red"])?;
        let mut site = BarrierSite {
            kind: if action == "sync" { BarrierKind::Sync } else { BarrierKind::Arrive },
            number: Src::slot(0),
            threads: None,
            value: PredSrc::Constant(false),
            dst: SINK,
            dst_pred: 0,
            aligned: false,
        };
        let mut rest = ops;
        if action == "red" {
            site.kind = match m.need("an operation", &["popc", "and", "or"])? {
                "popc" => BarrierKind::Popc,
                "and" => BarrierKind::And,
                _ => BarrierKind::Or,
            };
            let aligned = m.flag("aligned");
            site.aligned = bar || aligned;
            let ty = m.ty()?;
            let [dst, middle @ .., value] = ops else {
                return self.problem("a wrong number of operands");
            };
            match site.kind {
                BarrierKind::Popc if ty == Ty::U32 => site.dst = self.dst(dst, ty)?,
                BarrierKind::And | BarrierKind::Or if ty == Ty::Pred => site.dst_pred = self.pred_dst(dst)?,
                _ => return self.no_such(m),
            }
            site.value = self.pred(value)?;
            rest = middle;
        } else {
            let aligned = m.flag("aligned");
            site.aligned = bar || aligned;
        }
        match rest {
            [number] if action != "arrive" => site.number = self.src(number, Ty::U32)?,
            [number, threads] => {
                site.number = self.src(number, Ty::U32)?;
                site.threads = Some(self.src(threads, Ty::U32)?);
            }
            _ => return self.problem("a wrong number of operands"),
        }
        if let Some(Operand::Number(Number::Int(number))) = rest.first()
            && *number > 15
        {
            return self.problem("barriers have the numbers 0 to 15");
        }
        Ok(Op::Barrier(Box::new(site)))
    }

    /// `shfl[.sync].MODE.b32 d[|p], a, b, c [, mask]`
    fn shuffle(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let sync = m.flag("sync");
        let mode = match m.need("a mode", &["up", "down", "bfly", "idx"])? {
            "up" => Shuffle::Up,
            "down" => Shuffle::Down,
            "bfly" => Shuffle::Butterfly,
            _ => Shuffle::Index,
        };
        let ty = m.ty()?;
        // The oldest spelling is `.u32`, `.s32` or `.f32`.
        if ty.bits() != 32 {
            return self.no_such(m);
        }
        let (dst, a, b, c, mask) = match ops {
            [dst, a, b, c, mask] if sync => (dst, a, b, c, Some(mask)),
            [dst, a, b, c] if !sync => (dst, a, b, c, None),
            _ => return self.problem("a wrong number of operands"),
        };
        let (dst, in_range) = match dst {
            Operand::Pair(dst, pred) => (self.dst(&Operand::Name(dst, 0), ty)?, self.pred_name(pred)?),
            _ => (self.dst(dst, ty)?, 0),
        };
        let mask = mask.map(|mask| self.src(mask, Ty::B32)).transpose()?;
        let (a, b, c) = (self.src(a, ty)?, self.src(b, Ty::B32)?, self.src(c, Ty::B32)?);
        Ok(Op::Shuffle { mode, dst, in_range, a, b, c, mask })
    }

    fn vote(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let sync = m.flag("sync");
        let vote = match m.need("an operation", &["all", "any", "uni", "ballot"])? {
            "all" => Vote::All,
            "any" => Vote::Any,
            "uni" => Vote::Uniform,
            _ => Vote::Ballot,
        };
        let ty = m.ty()?;
        let (dst, value, mask) = match ops {
            [dst, value, mask] if sync => (dst, value, Some(mask)),
            [dst, value] if !sync => (dst, value, None),
            _ => return self.problem("a wrong number of operands"),
        };
        let value = self.pred(value)?;
        let mask = mask.map(|mask| self.src(mask, Ty::B32)).transpose()?;
        let (dst, dst_pred) = match (vote, ty) {
            (Vote::Ballot, Ty::B32) => (self.dst(dst, Ty::B32)?, 0),
            (Vote::All | Vote::Any | Vote::Uniform, Ty::Pred) => (SINK, self.pred_dst(dst)?),
            _ => return self.no_such(m),
        };
        Ok(Op::Vote { vote, dst, dst_pred, value, mask })
    }

    fn match_lanes(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let all = m.need("an operation", &["any", "all"])? == "all";
        m.need("`.sync`", &["sync"])?;
        let ty = m.ty()?;
        if !matches!(ty, Ty::B32 | Ty::B64) {
            return self.no_such(m);
        }
        let [dst, a, mask] = self.exactly::<3>(ops)?;
        let (dst, dst_pred) = match dst {
            Operand::Pair(dst, pred) if all => {
                (self.dst(&Operand::Name(dst, 0), Ty::B32)?, self.pred_name(pred)?)
            }
            _ => (self.dst(dst, Ty::B32)?, 0),
        };
        Ok(Op::Match { all, dst, dst_pred, a: self.src(a, ty)?, mask: self.src(mask, Ty::B32)? })
    }

    fn redux(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        m.need("`.sync`", &["sync"])?;
        let op = match m.need("an operation", &["add", "min", "max", "and", "or", "xor"])? {
            "add" => Rmw::Add,
            "min" => Rmw::Min,
            "max" => Rmw::Max,
            "and" => Rmw::And,
            "or" => Rmw::Or,
            _ => Rmw::Xor,
        };
        let ty = m.ty()?;
        let bitwise = matches!(op, Rmw::And | Rmw::Or | Rmw::Xor);
        if !(bitwise && ty == Ty::B32 || !bitwise && matches!(ty, Ty::U32 | Ty::S32)) {
            return self.no_such(m);
        }
        let [dst, a, mask] = self.exactly::<3>(ops)?;
        let (a, mask) = (self.src(a, ty)?, self.src(mask, Ty::B32)?);
        Ok(Op::Reduce { op, signed: ty.is_signed(), dst: self.dst(dst, ty)?, a, mask })
    }
}
