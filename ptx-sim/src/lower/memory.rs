//! Loads, stores, atomics, fences.

use super::function::FunctionLowerer;
use super::mods::Mods;
use super::operand::{Place, Rule};
use crate::code::{Addr, Atomic, Dst, Load, Op, Order, Rmw, SINK, Src, Store};
use crate::error::Result;
use crate::memory::space::{Scope, Space};
use crate::read::ast::Operand;
use crate::ty::{Class, Ty};

impl<'a> FunctionLowerer<'_, 'a, '_> {
    /// Lowers an access to memory; `None` if it is another instruction.
    pub(super) fn memory_access(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Option<Op>> {
        Ok(Some(match m.name() {
            "ld" | "ldu" => self.load(m, ops)?,
            "st" => self.store(m, ops)?,
            "atom" => self.atomic(m, ops, true)?,
            "red" => self.atomic(m, ops, false)?,
            "membar" => {
                let level = m.need("a level", &["cta", "gl", "sys"])?;
                let scope = if level == "cta" { Scope::Cta } else { Scope::Gpu };
                self.exactly::<0>(ops)?;
                Op::Fence { acquire: true, release: true, scope }
            }
            "fence" => {
                let kind = m.need("its semantics", &["sc", "acq_rel", "acquire", "release"])?;
                let Some(scope) = m.scope() else { return self.problem("a fence has a scope") };
                self.exactly::<0>(ops)?;
                Op::Fence { acquire: kind != "release", release: kind != "acquire", scope }
            }
            "prefetch" | "prefetchu" | "applypriority" => {
                m.space();
                while m.one_of(&["L1", "L2"]).is_some() {}
                m.hints()?;
                Op::Nop
            }
            "alloca" => {
                let ty = m.ty()?;
                let (dst, bytes, align) = match ops {
                    [dst, bytes] => (dst, bytes, 8),
                    [dst, bytes, Operand::Number(crate::read::ast::Number::Int(align))] => {
                        (dst, bytes, *align)
                    }
                    _ => return self.problem("`alloca` takes a size and an alignment"),
                };
                if !ty.is_int() || !align.is_power_of_two() || align > 1 << 16 {
                    return self.no_such(m);
                }
                let bytes = self.src(bytes, ty)?;
                Op::Alloca { dst: self.dst(dst, ty)?, bytes, align: align.max(1) as u32 }
            }
            "stacksave" => {
                let ty = m.ty()?;
                let [dst] = self.exactly::<1>(ops)?;
                Op::StackSave { dst: self.dst(dst, ty)? }
            }
            "stackrestore" => {
                let ty = m.ty()?;
                let [src] = self.exactly::<1>(ops)?;
                Op::StackRestore { src: self.src(src, ty)? }
            }
            _ => return Ok(None),
        }))
    }

    /// Number of elements of a vector access.
    fn vector(&self, m: &mut Mods<'a>) -> usize {
        match m.one_of(&["v2", "v4", "v8"]) {
            Some("v2") => 2,
            Some("v4") => 4,
            Some(_) => 8,
            None => 1,
        }
    }

    /// What an access does in each space.
    fn access(&self, m: &mut Mods<'a>) -> Result<(Space, Order, usize, Ty)> {
        m.hints()?;
        let order = m.order();
        m.flag("unified");
        let space = m.space();
        if m.name() == "ld" && m.flag("nc") && space != Space::Global {
            return self.problem("`.nc` is for global memory");
        }
        m.hints()?;
        let count = self.vector(m);
        let ty = m.ty()?;
        if matches!(ty, Ty::Pred | Ty::F16x2 | Ty::Bf16x2) {
            return self.no_such(m);
        }
        if count as u32 * ty.bytes() > 32 {
            return self.problem("an access has 32 bytes at most");
        }
        let private = matches!(space, Space::Local | Space::Param | Space::Const);
        if order.strong && private {
            return self.problem(format!("accesses to {} memory have no order", space.name()));
        }
        Ok((space, order, count, ty))
    }

    fn load(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let (space, order, count, ty) = self.access(m)?;
        if order.release {
            return self.problem("a load does not release");
        }
        let [dst, from] = self.exactly::<2>(ops)?;
        let elements = Self::elements(dst);
        if elements.len() != count {
            return self.problem(format!("{count} registers are expected"));
        }
        let mut dsts = [SINK; 8];
        let mut signed_to = None;
        let wide = ty == Ty::B128;
        for (index, element) in elements.iter().enumerate() {
            let (dst, own) = self.dst_by(element, ty, Rule::Holds)?;
            let at = if wide { 2 * index } else { index };
            dsts[at] = dst;
            if wide {
                dsts[at + 1] = if dst == SINK { SINK } else { Dst(dst.0 + 1) };
            }
            if ty.class() == Class::Signed && dst != SINK {
                signed_to = Some(own.bits().max(signed_to.unwrap_or(0)));
            }
        }
        let bytes = ty.bytes().min(8);
        let count = if wide { 2 * count } else { count } as u32;
        match self.place(from, space)? {
            Place::Memory(addr) => {
                Ok(Op::Load(Box::new(Load { addr, bytes, signed_to, dsts, count, order })))
            }
            Place::Slots { slot, bytes: all, offset } => {
                self.check_slots(offset, u64::from(bytes) * u64::from(count), all)?;
                for (index, dst) in dsts.iter().enumerate().take(count as usize - 1) {
                    let op =
                        slot_load(*dst, slot, offset + index as u64 * u64::from(bytes), bytes, signed_to);
                    self.emit(None, op);
                }
                let last = count as usize - 1;
                Ok(slot_load(dsts[last], slot, offset + last as u64 * u64::from(bytes), bytes, signed_to))
            }
        }
    }

    fn check_slots(&self, offset: u64, bytes: u64, all: u32) -> Result<()> {
        if offset.checked_add(bytes).is_none_or(|end| end > u64::from(all)) {
            return self.problem("an access outside of the parameter");
        }
        if !offset.is_multiple_of(bytes.clamp(1, 8)) && bytes.is_power_of_two() {
            return self.problem("a misaligned access to a parameter");
        }
        Ok(())
    }

    fn store(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let (space, order, count, ty) = self.access(m)?;
        if order.acquire {
            return self.problem("a store does not acquire");
        }
        if space == Space::Const {
            return self.problem("constant memory is not written");
        }
        let [to, src] = self.exactly::<2>(ops)?;
        let elements = Self::elements(src);
        if elements.len() != count {
            return self.problem(format!("{count} registers are expected"));
        }
        let mut srcs = [Src::slot(0); 8];
        let wide = ty == Ty::B128;
        for (index, element) in elements.iter().enumerate() {
            let src = self.src_by(element, ty, Rule::Holds)?;
            let at = if wide { 2 * index } else { index };
            srcs[at] = src;
            if wide {
                srcs[at + 1] = Src::slot(src.0 + 1);
            }
        }
        let bytes = ty.bytes().min(8);
        let count = if wide { 2 * count } else { count } as u32;
        match self.place(to, space)? {
            Place::Memory(addr) if addr.space == Space::Param => {
                self.problem("the parameters of a kernel are not written")
            }
            Place::Memory(addr) => Ok(Op::Store(Box::new(Store { addr, bytes, srcs, count, order }))),
            Place::Slots { slot, bytes: all, offset } => {
                self.check_slots(offset, u64::from(bytes) * u64::from(count), all)?;
                for (index, src) in srcs.iter().enumerate().take(count as usize - 1) {
                    let op = slot_store(*src, slot, offset + index as u64 * u64::from(bytes), bytes);
                    self.emit(None, op);
                }
                let last = count as usize - 1;
                Ok(slot_store(srcs[last], slot, offset + last as u64 * u64::from(bytes), bytes))
            }
        }
    }

    fn atomic(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>], gives: bool) -> Result<Op> {
        m.hints()?;
        let found = m.one_of(&["relaxed", "acquire", "release", "acq_rel"]);
        let scope = m.scope().unwrap_or(Scope::Gpu);
        let order = Order {
            strong: true,
            acquire: matches!(found, Some("acquire" | "acq_rel")),
            release: matches!(found, Some("release" | "acq_rel")),
            scope,
        };
        let space = m.space();
        if !matches!(space, Space::Generic | Space::Global | Space::Shared) {
            return self.problem(format!("there are no atomics on {} memory", space.name()));
        }
        let op = match m
            .need("an operation", &["add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas"])?
        {
            "add" => Rmw::Add,
            "min" => Rmw::Min,
            "max" => Rmw::Max,
            "and" => Rmw::And,
            "or" => Rmw::Or,
            "xor" => Rmw::Xor,
            "inc" => Rmw::Inc,
            "dec" => Rmw::Dec,
            "exch" => Rmw::Exch,
            _ => Rmw::Cas,
        };
        m.flag("noftz");
        let ty = m.ty()?;
        if !atomic_exists(op, ty) || (!gives && matches!(op, Rmw::Exch | Rmw::Cas)) {
            return self.no_such(m);
        }
        let (dst, rest) = match ops {
            [dst, rest @ ..] if gives => (self.dst(dst, ty)?, rest),
            rest => (SINK, rest),
        };
        let (place, a, b) = match (op, rest) {
            (Rmw::Cas, [place, a, b]) => (place, a, Some(b)),
            (Rmw::Cas, _) => return self.problem("`cas` takes two values"),
            (_, [place, a]) => (place, a, None),
            _ => return self.problem("a wrong number of operands"),
        };
        let addr = self.memory_place(place, space)?;
        let a = self.wide_src(a, ty)?;
        let b = match b {
            Some(b) => self.wide_src(b, ty)?,
            None => a,
        };
        Ok(Op::Atomic(Box::new(Atomic { op, ty, addr: self.atomic_space(addr)?, dst, a, b, order })))
    }

    fn atomic_space(&self, addr: Addr) -> Result<Addr> {
        if addr.space == Space::Local {
            return self.problem("there are no atomics on local memory");
        }
        Ok(addr)
    }

    fn wide_src(&mut self, operand: &Operand<'a>, ty: Ty) -> Result<[Src; 2]> {
        let low = self.src(operand, ty)?;
        Ok([low, if ty == Ty::B128 { Src::slot(low.0 + 1) } else { low }])
    }
}

/// Whether PTX has an atomic operation on a type.
fn atomic_exists(op: Rmw, ty: Ty) -> bool {
    match op {
        Rmw::Add => matches!(
            ty,
            Ty::U32 | Ty::S32 | Ty::U64 | Ty::F32 | Ty::F64 | Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2
        ),
        Rmw::Min | Rmw::Max => matches!(ty, Ty::U32 | Ty::S32 | Ty::U64 | Ty::S64),
        Rmw::And | Rmw::Or | Rmw::Xor => matches!(ty, Ty::B32 | Ty::B64),
        Rmw::Inc | Rmw::Dec => ty == Ty::U32,
        Rmw::Exch => matches!(ty, Ty::B32 | Ty::B64 | Ty::B128),
        Rmw::Cas => matches!(ty, Ty::B16 | Ty::B32 | Ty::B64 | Ty::B128),
    }
}

fn slot_load(dst: Dst, slot: u32, offset: u64, bytes: u32, signed_to: Option<u32>) -> Op {
    Op::LoadSlot { dst, slot: slot + (offset / 8) as u32, shift: (offset % 8 * 8) as u32, bytes, signed_to }
}

fn slot_store(src: Src, slot: u32, offset: u64, bytes: u32) -> Op {
    Op::StoreSlot { src, slot: slot + (offset / 8) as u32, shift: (offset % 8 * 8) as u32, bytes }
}
