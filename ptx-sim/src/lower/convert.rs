//! Moves and conversions.

use super::function::FunctionLowerer;
use super::mods::Mods;
use super::operand::Rule;
use super::symbol::Symbol;
use crate::alu::convert::{self, Conversion};
use crate::alu::round::Mode;
use crate::code::{Dst, Flow, Op, Src};
use crate::error::Result;
use crate::memory::address;
use crate::memory::space::Space;
use crate::read::ast::Operand;
use crate::special::{self, Found};
use crate::ty::Ty;

impl<'a> FunctionLowerer<'_, 'a, '_> {
    /// Lowers a move or conversion; `None` if it is another instruction.
    pub(super) fn conversion(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Option<Op>> {
        Ok(Some(match m.name() {
            "mov" => self.mov(m, ops)?,
            "cvt" => self.cvt(m, ops)?,
            "cvta" => self.cvta(m, ops)?,
            "isspacep" => {
                let space = m.space();
                if space == Space::Generic {
                    return self.no_such(m);
                }
                let [dst, a] = self.exactly::<2>(ops)?;
                Op::IsSpace { dst: self.pred_dst(dst)?, a: self.src(a, Ty::U64)?, space }
            }
            _ => return Ok(None),
        }))
    }

    fn mov(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let ty = m.ty()?;
        let [dst, src] = self.exactly::<2>(ops)?;
        if ty == Ty::Pred {
            return Ok(Op::PredMove { dst: self.pred_dst(dst)?, a: self.pred(src)? });
        }
        if ty.bits() < 16 {
            return self.no_such(m);
        }
        match (dst, src) {
            (_, Operand::Vector(parts)) => {
                let bits = self.part_bits(ty, parts.len())?;
                let mut srcs = Vec::with_capacity(parts.len());
                for part in parts {
                    srcs.push(self.src(part, bits_type(bits))?);
                }
                let (dst, _) = self.dst_by(dst, ty, Rule::Moves)?;
                Ok(Op::Pack { dst: [dst, Dst(dst.0 + u32::from(ty.bits() == 128))], srcs, bits })
            }
            (Operand::Vector(parts), _) => {
                let bits = self.part_bits(ty, parts.len())?;
                let mut dsts = Vec::with_capacity(parts.len());
                for part in parts {
                    dsts.push(self.dst(part, bits_type(bits))?);
                }
                let src = self.src_by(src, ty, Rule::Moves)?;
                let high = if ty.bits() == 128 { Src::slot(src.0 + 1) } else { src };
                Ok(Op::Unpack { dsts, src: [src, high], bits })
            }
            _ if ty == Ty::B128 => {
                let src = self.src(src, ty)?;
                let dst = self.dst(dst, ty)?;
                Ok(Op::Pack { dst: [dst, Dst(dst.0 + 1)], srcs: vec![src, Src::slot(src.0 + 1)], bits: 64 })
            }
            (_, Operand::Name(name, addend)) => self.mov_name(dst, name, *addend, ty, src),
            _ => self.mov_value(dst, src, ty),
        }
    }

    /// From a register, a special register, or the address of a symbol.
    fn mov_name(
        &mut self,
        dst: &Operand<'a>,
        name: &str,
        addend: i64,
        ty: Ty,
        src: &Operand<'a>,
    ) -> Result<Op> {
        if let Some(Found::Clock(clock, own)) = special::by_name(name) {
            if own.bits() != ty.bits() {
                return self.problem(format!("`{name}` has {} bits", own.bits()));
            }
            return Ok(Op::ReadClock { dst: self.dst(dst, ty)?, clock });
        }
        let address = match self.find(name) {
            Some(Symbol::Local { offset }) => {
                let dst = self.address_dst(dst, ty)?;
                let offset = i64::from(offset).wrapping_add(addend);
                let Ok(offset) = u32::try_from(offset) else {
                    return self.problem(format!("the address is far outside of `{name}`"));
                };
                return Ok(Op::LocalAddress { dst, offset });
            }
            Some(Symbol::Global { address, .. }) => address,
            Some(Symbol::Shared { offset }) => u64::from(offset),
            Some(Symbol::Function(number)) => address::function_address(number),
            Some(Symbol::KernelParam { offset, .. }) => address::PARAM + u64::from(offset),
            Some(Symbol::Words(_)) => {
                return self.problem("addresses of parameters of functions are not simulated");
            }
            Some(Symbol::Builtin(_)) => {
                return self
                    .problem(format!("the address of `{name}`, a function of the driver, is not simulated"));
            }
            Some(Symbol::Undefined) => {
                return self.problem(format!("`{name}` is declared and defined nowhere"));
            }
            Some(Symbol::Register { .. } | Symbol::Predicate(_)) | None => {
                return self.mov_value(dst, src, ty);
            }
        };
        let src = self.constant(address.wrapping_add_signed(addend) & ty.mask());
        Ok(Op::Mov { src, dst: self.address_dst(dst, ty)? })
    }

    fn mov_value(&mut self, dst: &Operand<'a>, src: &Operand<'a>, ty: Ty) -> Result<Op> {
        let src = self.src_by(src, ty, Rule::Moves)?;
        let (dst, _) = self.dst_by(dst, ty, Rule::Moves)?;
        Ok(Op::Mov { dst, src })
    }

    fn address_dst(&mut self, dst: &Operand<'a>, ty: Ty) -> Result<Dst> {
        if !ty.is_int() || ty.bits() < 32 {
            return self.problem(format!("{ty} cannot hold an address"));
        }
        self.dst(dst, ty)
    }

    fn part_bits(&self, ty: Ty, parts: usize) -> Result<u32> {
        let bits = ty.bits().checked_div(parts as u32).filter(|bits| bits * parts as u32 == ty.bits());
        match bits {
            Some(bits @ (8 | 16 | 32 | 64)) if parts > 1 => Ok(bits),
            _ => self.problem(format!("{ty} cannot be taken apart so")),
        }
    }

    fn cvt(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let name = m.one_of(&["rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"]);
        let (ftz, sat) = (m.flag("ftz"), m.flag("sat"));
        let (to, from) = (m.ty()?, m.ty()?);
        let mode = name.and_then(Mode::by_name);
        let whole = name.is_some_and(|name| name.ends_with('i'));
        if matches!(to, Ty::Pred | Ty::B128 | Ty::F16x2 | Ty::Bf16x2) || from == Ty::Pred || from.bits() > 64
        {
            return self.no_such(m);
        }
        self.check_rounding(to, from, mode, whole)?;
        let [dst, a] = self.exactly::<2>(ops)?;
        let rule = |ty: Ty| if ty.is_int() || ty.bits() == 16 { Rule::Holds } else { Rule::Fits };
        let a = self.src_by(a, from, rule(from))?;
        let (dst, own) = self.dst_by(dst, to, rule(to))?;
        let register_bits = if dst == crate::code::SINK { to.bits() } else { own.bits() };
        let conversion = Conversion { to, from, mode, whole, ftz, sat, register_bits };
        let flow = if convert::moves_bits(conversion) { Flow::Moves(1) } else { Flow::Computes };
        Ok(match convert::fast(conversion) {
            Some(f) => Op::Alu1 { f, dst, a, flow },
            None => Op::Convert { dst, a, conversion: Box::new(conversion) },
        })
    }

    fn check_rounding(&self, to: Ty, from: Ty, mode: Option<Mode>, whole: bool) -> Result<()> {
        let narrows = to.is_float() && (!from.is_float() || to.bits() < from.bits());
        let to_int = from.is_float() && to.is_int();
        match mode {
            None if narrows || to_int => {
                self.problem(format!("a conversion from {from} to {to} lacks its rounding"))
            }
            Some(_) if to_int && !whole => self.problem("rounding to an integer is `.rni` and the like"),
            Some(_) if !from.is_float() && whole => self.problem("an integer is whole already"),
            Some(_) if !from.is_float() && !to.is_float() => {
                self.problem("a conversion between integers does not round")
            }
            _ => Ok(()),
        }
    }

    fn cvta(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let to_space = m.flag("to");
        let space = m.space();
        let ty = m.ty()?;
        if ty != Ty::U64 || space == Space::Generic {
            return self.no_such(m);
        }
        let [dst, a] = self.exactly::<2>(ops)?;
        // A symbol may stand for its address.
        let a = match a {
            Operand::Name(name, addend) if special::by_name(name).is_none() => match self.find(name) {
                Some(Symbol::Register { .. }) | None => self.src(a, ty)?,
                Some(_) => {
                    let slot = self.temporary();
                    let name = *name;
                    let hidden = Dst(slot);
                    let op = self.mov_name(&Operand::Name("_", 0), name, *addend, ty, a)?;
                    self.emit(None, with_dst(op, hidden));
                    Src::slot(slot)
                }
            },
            _ => self.src(a, ty)?,
        };
        Ok(Op::Cvta { dst: self.dst(dst, ty)?, a, space, to_generic: !to_space })
    }
}

/// The instruction, with another register written.
fn with_dst(op: Op, to: Dst) -> Op {
    match op {
        Op::Mov { src, .. } => Op::Mov { dst: to, src },
        Op::LocalAddress { offset, .. } => Op::LocalAddress { dst: to, offset },
        other => other,
    }
}

/// Untyped bits of a width.
fn bits_type(bits: u32) -> Ty {
    match bits {
        8 => Ty::B8,
        16 => Ty::B16,
        32 => Ty::B32,
        _ => Ty::B64,
    }
}
