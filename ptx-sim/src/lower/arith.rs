//! Arithmetic, comparison, selection.

use super::function::FunctionLowerer;
use super::mods::Mods;
use crate::alu::int::Part;
use crate::alu::{Fn1, Fn2, Fn3, bits, compare, float, half, int};
use crate::code::{Combine, Dst, Flow, Op, PredSrc, Src};
use crate::error::Result;
use crate::read::ast::Operand;
use crate::ty::Ty;

impl<'a> FunctionLowerer<'_, 'a, '_> {
    /// Lowers an instruction of arithmetic; `None` if it is another.
    pub(super) fn arithmetic(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Option<Op>> {
        let op = match m.name() {
            "add" | "sub" | "min" | "max" | "div" | "rem" | "mul" | "copysign" => self.binary(m, ops)?,
            "neg" | "abs" | "sqrt" | "rcp" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => {
                self.unary(m, ops)?
            }
            "addc" | "subc" | "madc" => self.with_carry(m, ops)?,
            "mad" | "fma" => self.multiply_add(m, ops)?,
            "mul24" | "mad24" => self.multiply_24(m, ops)?,
            "vadd" | "vsub" => self.video(m, ops)?,
            "sad" => {
                let ty = m.ty()?;
                self.three(m, ops, [ty; 4], int::distance(ty), Flow::Computes)?
            }
            "and" | "or" | "xor" => self.bitwise(m, ops)?,
            "not" | "cnot" => self.not(m, ops)?,
            "shl" | "shr" => {
                let (name, ty) = (m.name(), m.ty()?);
                self.two(m, ops, [ty, ty, Ty::U32], int::shift(name, ty), Flow::Moves(1))?
            }
            "shf" => {
                let left = m.need("a direction", &["l", "r"])? == "l";
                let clamp = m.need("a mode", &["clamp", "wrap"])? == "clamp";
                let ty = m.ty()?;
                let f = (ty == Ty::B32).then(|| bits::funnel(left, clamp));
                self.three(m, ops, [ty, ty, ty, Ty::U32], f, Flow::Moves(2))?
            }
            "popc" | "clz" => {
                let (name, ty) = (m.name(), m.ty()?);
                self.one(m, ops, [Ty::U32, ty], bits::unary(name, ty), Flow::Computes)?
            }
            "brev" => {
                let ty = m.ty()?;
                self.one(m, ops, [ty, ty], bits::unary("brev", ty), Flow::Moves(1))?
            }
            "bfind" => {
                let amount = m.flag("shiftamt");
                let ty = m.ty()?;
                self.one(m, ops, [Ty::U32, ty], bits::find(ty, amount), Flow::Computes)?
            }
            "bfe" => {
                let ty = m.ty()?;
                self.three(m, ops, [ty, ty, Ty::U32, Ty::U32], bits::extract(ty), Flow::Moves(1))?
            }
            "bfi" => self.insert(m, ops)?,
            "bmsk" => {
                let clamp = m.need("a mode", &["clamp", "wrap"])? == "clamp";
                let ty = m.ty()?;
                let f = (ty == Ty::B32).then(|| bits::mask(clamp));
                self.two(m, ops, [ty, Ty::U32, Ty::U32], f, Flow::Computes)?
            }
            "prmt" => {
                let ty = m.ty()?;
                let mode = m.one_of(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]);
                let f = bits::permute(mode).filter(|_| ty == Ty::B32);
                self.three(m, ops, [ty, ty, ty, Ty::U32], f, Flow::Moves(2))?
            }
            "lop3" => self.logic(m, ops)?,
            "dp4a" | "dp2a" => self.dot(m, ops)?,
            "setp" => self.setp(m, ops)?,
            "set" => self.set(m, ops)?,
            "selp" => self.selp(m, ops)?,
            "slct" => self.slct(m, ops)?,
            "testp" => {
                let name = m.need(
                    "a property",
                    &["finite", "infinite", "number", "notanumber", "normal", "subnormal"],
                )?;
                let ty = m.ty()?;
                let Some(f) = compare::property(name, ty) else { return self.no_such(m) };
                let [dst, a] = self.exactly::<2>(ops)?;
                Op::Test { f, dst: self.pred_dst(dst)?, a: self.src(a, ty)? }
            }
            _ => return Ok(None),
        };
        Ok(Some(op))
    }

    pub(super) fn no_such<T>(&self, m: &Mods<'a>) -> Result<T> {
        self.problem(format!("there is no `{}`, or it is not simulated", m.text()))
    }

    pub(super) fn one(
        &mut self,
        m: &Mods<'a>,
        ops: &[Operand<'a>],
        [to, from]: [Ty; 2],
        f: Option<Fn1>,
        flow: Flow,
    ) -> Result<Op> {
        let Some(f) = f else { return self.no_such(m) };
        let [dst, a] = self.exactly::<2>(ops)?;
        Ok(Op::Alu1 { f, a: self.src(a, from)?, dst: self.dst(dst, to)?, flow })
    }

    pub(super) fn two(
        &mut self,
        m: &Mods<'a>,
        ops: &[Operand<'a>],
        [to, first, second]: [Ty; 3],
        f: Option<Fn2>,
        flow: Flow,
    ) -> Result<Op> {
        let Some(f) = f else { return self.no_such(m) };
        let [dst, a, b] = self.exactly::<3>(ops)?;
        let (a, b) = (self.src(a, first)?, self.src(b, second)?);
        Ok(Op::Alu2 { f, a, b, dst: self.dst(dst, to)?, flow })
    }

    pub(super) fn three(
        &mut self,
        m: &Mods<'a>,
        ops: &[Operand<'a>],
        [to, first, second, third]: [Ty; 4],
        f: Option<Fn3>,
        flow: Flow,
    ) -> Result<Op> {
        let Some(f) = f else { return self.no_such(m) };
        let [dst, a, b, c] = self.exactly::<4>(ops)?;
        let (a, b, c) = (self.src(a, first)?, self.src(b, second)?, self.src(c, third)?);
        Ok(Op::Alu3 { f, a, b, c, dst: self.dst(dst, to)?, flow })
    }

    fn binary(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let name = m.name();
        if name == "mul" && !m.parts_are_float() {
            let (part, ty) = (self.part(m)?, m.ty()?);
            let to = if part == Part::Wide { wider(ty) } else { ty };
            return self.two(m, ops, [to, ty, ty], int::multiply(part, ty), Flow::Computes);
        }
        if m.has("cc") {
            return self.with_carry(m, ops);
        }
        let approximate = name == "div" && (m.flag("approx") || m.flag("full"));
        let nan = m.flag("NaN");
        let style = m.style();
        let ty = m.ty()?;
        let f = match ty {
            Ty::F32 | Ty::F64 => match name {
                "min" | "max" => float::extreme(name == "max", ty, nan, style),
                "div" if ty == Ty::F32 && !approximate && !m.has_rounding() => return self.no_such(m),
                _ => float::binary(name, ty, style),
            },
            Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2 => half::binary(name, ty, style, nan),
            _ if style.sat && ty == Ty::S32 => int::saturating(name),
            // Rounding and the like are for floats; the types of bits have no arithmetic.
            _ if style != float::Style::PLAIN || matches!(ty, Ty::B16 | Ty::B32 | Ty::B64) => None,
            _ => int::binary(name, ty),
        };
        self.two(m, ops, [ty; 3], f, Flow::Computes)
    }

    /// `vadd.TYPE.TYPE.TYPE[.OP] d, a, b [, c]` on whole words; GCC sums three numbers so.
    fn video(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let name = if m.name() == "vadd" { "add" } else { "sub" };
        let types = [m.ty()?, m.ty()?, m.ty()?];
        let ty = types[0];
        if types.iter().any(|ty| !matches!(ty, Ty::U32 | Ty::S32)) {
            return self.no_such(m);
        }
        let second = m.one_of(&["add", "min", "max"]);
        match (ops, second) {
            ([_, _, _], None) => self.two(m, ops, types, int::binary(name, ty), Flow::Computes),
            ([dst, a, b, c], Some(second)) => {
                let (a, b) = (self.src(a, ty)?, self.src(b, ty)?);
                let (Some(first), Some(f)) = (int::binary(name, ty), int::binary(second, ty)) else {
                    return self.no_such(m);
                };
                let between = self.temporary();
                let flow = Flow::Computes;
                self.emit(None, Op::Alu2 { f: first, dst: Dst(between), a, b, flow });
                let c = self.src(c, ty)?;
                Ok(Op::Alu2 { f, dst: self.dst(dst, ty)?, a: Src::slot(between), b: c, flow })
            }
            _ => self.problem("a wrong number of operands"),
        }
    }

    fn part(&self, m: &mut Mods<'a>) -> Result<Part> {
        Ok(match m.need("`.lo`, `.hi` or `.wide`", &["lo", "hi", "wide"])? {
            "lo" => Part::Low,
            "hi" => Part::High,
            _ => Part::Wide,
        })
    }

    fn unary(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let name = m.name();
        let approximate = m.flag("approx");
        let style = m.style();
        let ty = m.ty()?;
        let f = match ty {
            _ if name == "neg" && ty.is_signed() => int::unary(name, ty),
            _ if name == "abs" && ty.is_signed() => int::unary(name, ty),
            Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2 => half::unary(name, ty),
            _ if approximate => float::approximate(name, ty, style),
            _ if matches!(name, "sqrt" | "rcp") && !m.has_rounding() => None,
            _ => float::unary(name, ty, style),
        };
        self.one(m, ops, [ty; 2], f, Flow::Computes)
    }

    fn with_carry(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let name = m.name();
        let carry_out = m.flag("cc");
        let ty = m.ty()?;
        if !ty.is_int() || ty.bits() < 32 || ty.bits() > 64 || name == "madc" {
            return self.no_such(m);
        }
        let [dst, a, b] = self.exactly::<3>(ops)?;
        let (a, b) = (self.src(a, ty)?, self.src(b, ty)?);
        Ok(Op::Carry {
            dst: self.dst(dst, ty)?,
            a,
            b,
            bits: ty.bits(),
            subtract: name.starts_with("sub"),
            carry_in: name.ends_with('c'),
            carry_out,
        })
    }

    fn multiply_add(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        if m.parts_are_float() {
            let style = m.style();
            if m.name() == "fma" && !m.has_rounding() {
                return self.problem("`fma` lacks its rounding");
            }
            let ty = m.ty()?;
            let f = match ty {
                Ty::F32 | Ty::F64 => float::multiply_add(ty, style),
                _ => half::multiply_add(ty, style),
            };
            return self.three(m, ops, [ty; 4], f, Flow::Computes);
        }
        if m.has("cc") {
            return self.no_such(m);
        }
        let (part, ty) = (self.part(m)?, m.ty()?);
        let to = if part == Part::Wide { wider(ty) } else { ty };
        self.three(m, ops, [to, ty, ty, to], int::multiply_add(part, ty), Flow::Computes)
    }

    fn multiply_24(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let (part, ty) = (self.part(m)?, m.ty()?);
        let Some(f) = int::multiply_add_24(part, ty) else { return self.no_such(m) };
        let (dst, a, b, c) = match ops {
            [dst, a, b] if m.name() == "mul24" => (dst, a, b, self.constant(0)),
            [dst, a, b, c] if m.name() == "mad24" => (dst, a, b, self.src(c, ty)?),
            _ => return self.problem("a wrong number of operands"),
        };
        let (a, b) = (self.src(a, ty)?, self.src(b, ty)?);
        Ok(Op::Alu3 { f, a, b, c, dst: self.dst(dst, ty)?, flow: Flow::Computes })
    }

    fn bitwise(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let (name, ty) = (m.name(), m.ty()?);
        if ty == Ty::Pred {
            let [dst, a, b] = self.exactly::<3>(ops)?;
            let op = match name {
                "and" => Combine::And,
                "or" => Combine::Or,
                _ => Combine::Xor,
            };
            return Ok(Op::PredLogic { op, dst: self.pred_dst(dst)?, a: self.pred(a)?, b: self.pred(b)? });
        }
        let flow = match name {
            "and" => Flow::And,
            "or" => Flow::Or,
            _ => Flow::Union,
        };
        let f = int::bitwise(name).filter(|_| matches!(ty, Ty::B16 | Ty::B32 | Ty::B64));
        self.two(m, ops, [ty; 3], f, flow)
    }

    fn not(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let (name, ty) = (m.name(), m.ty()?);
        if ty == Ty::Pred && name == "not" {
            let [dst, a] = self.exactly::<2>(ops)?;
            let a = match self.pred(a)? {
                PredSrc::Constant(value) => PredSrc::Constant(!value),
                PredSrc::Slot { index, negated } => PredSrc::Slot { index, negated: !negated },
            };
            return Ok(Op::PredMove { dst: self.pred_dst(dst)?, a });
        }
        let flow = if name == "not" { Flow::Union } else { Flow::Computes };
        self.one(m, ops, [ty; 2], int::unary(name, ty), flow)
    }

    fn insert(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let ty = m.ty()?;
        if !matches!(ty, Ty::B32 | Ty::B64) {
            return self.no_such(m);
        }
        let [dst, a, b, position, length] = self.exactly::<5>(ops)?;
        Ok(Op::Insert {
            a: self.src(a, ty)?,
            b: self.src(b, ty)?,
            position: self.src(position, Ty::U32)?,
            length: self.src(length, Ty::U32)?,
            dst: self.dst(dst, ty)?,
            bits: ty.bits(),
        })
    }

    fn logic(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let ty = m.ty()?;
        if ty != Ty::B32 {
            return self.no_such(m);
        }
        let [dst, a, b, c, table] = self.exactly::<5>(ops)?;
        let Operand::Number(crate::read::ast::Number::Int(table @ 0..=255)) = table else {
            return self.problem("the table of `lop3` is a constant below 256");
        };
        let (a, b, c) = (self.src(a, ty)?, self.src(b, ty)?, self.src(c, ty)?);
        Ok(Op::Logic { a, b, c, dst: self.dst(dst, ty)?, table: *table as u8 })
    }

    fn dot(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let part = (m.name() == "dp2a").then(|| m.need("`.lo` or `.hi`", &["lo", "hi"])).transpose()?;
        let (first, second) = (m.ty()?, m.ty()?);
        if !matches!(first, Ty::U32 | Ty::S32) || !matches!(second, Ty::U32 | Ty::S32) {
            return self.no_such(m);
        }
        let (a_signed, b_signed) = (first.is_signed(), second.is_signed());
        let f = match part {
            None => bits::dot4(a_signed, b_signed),
            Some(part) => bits::dot2(a_signed, b_signed, part == "hi"),
        };
        self.three(m, ops, [Ty::B32; 4], Some(f), Flow::Computes)
    }

    /// `setp.CMP[.BOOL][.ftz].TYPE p[|q], a, b [, [!]c]`
    fn setp(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let (f, combine, ty) = self.comparison(m)?;
        let (dst, a, b, c) = match ops {
            [dst, a, b] => (dst, a, b, None),
            [dst, a, b, c] => (dst, a, b, Some(c)),
            _ => return self.problem("a wrong number of operands"),
        };
        let combine = self.combined(combine, c)?;
        let (dst, complement) = match dst {
            Operand::Pair(dst, complement) => (self.pred_name(dst)?, self.pred_name(complement)?),
            _ => (self.pred_dst(dst)?, 0),
        };
        Ok(Op::SetPred { f, dst, complement, a: self.src(a, ty)?, b: self.src(b, ty)?, combine })
    }

    fn combined(
        &self,
        combine: Option<Combine>,
        with: Option<&Operand<'a>>,
    ) -> Result<Option<(Combine, PredSrc)>> {
        match (combine, with) {
            (None, None) => Ok(None),
            (Some(combine), Some(with)) => Ok(Some((combine, self.pred(with)?))),
            _ => self.problem("a combination takes one more predicate"),
        }
    }

    fn comparison(&mut self, m: &mut Mods<'a>) -> Result<(crate::alu::FnP, Option<Combine>, Ty)> {
        let names = [
            "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
            "geu", "num", "nan",
        ];
        let name = m.need("a comparison", &names)?;
        let combine = m.one_of(&["and", "or", "xor"]).map(|name| match name {
            "and" => Combine::And,
            "or" => Combine::Or,
            _ => Combine::Xor,
        });
        let ftz = m.flag("ftz");
        let first = m.ty()?;
        // `set` names the type of its result first.
        let ty = if m.name() == "set" { m.ty()? } else { first };
        match compare::function(name, ty, ftz) {
            Some(f) => Ok((f, combine, ty)),
            None => self.no_such(m),
        }
    }

    fn set(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let to = m.first_type();
        let one = match to {
            Some(Ty::U32 | Ty::S32) => 0xffff_ffff,
            Some(Ty::F32) => u64::from(1f32.to_bits()),
            _ => return self.no_such(m),
        };
        let to = to.unwrap_or(Ty::U32);
        let (f, combine, ty) = self.comparison(m)?;
        let (dst, a, b, c) = match ops {
            [dst, a, b] => (dst, a, b, None),
            [dst, a, b, c] => (dst, a, b, Some(c)),
            _ => return self.problem("a wrong number of operands"),
        };
        let combine = self.combined(combine, c)?;
        let (a, b) = (self.src(a, ty)?, self.src(b, ty)?);
        Ok(Op::Set { f, dst: self.dst(dst, to)?, a, b, combine, one })
    }

    fn selp(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let ty = m.ty()?;
        if ty == Ty::Pred || ty.bits() < 16 || ty.bits() > 64 {
            return self.no_such(m);
        }
        let [dst, a, b, by] = self.exactly::<4>(ops)?;
        let (a, b, by) = (self.src(a, ty)?, self.src(b, ty)?, self.pred(by)?);
        Ok(Op::Select { dst: self.dst(dst, ty)?, a, b, by })
    }

    fn slct(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        m.flag("ftz");
        let (ty, by_ty) = (m.ty()?, m.ty()?);
        if !matches!(by_ty, Ty::S32 | Ty::F32) || ty.bits() < 16 || ty.bits() > 64 {
            return self.no_such(m);
        }
        let [dst, a, b, by] = self.exactly::<4>(ops)?;
        let (a, b, by) = (self.src(a, ty)?, self.src(b, ty)?, self.src(by, by_ty)?);
        Ok(Op::SelectSign { dst: self.dst(dst, ty)?, a, b, by, float: by_ty == Ty::F32 })
    }
}

/// The type of a product that is not cut.
fn wider(ty: Ty) -> Ty {
    match ty {
        Ty::U16 => Ty::U32,
        Ty::S16 => Ty::S32,
        Ty::U32 => Ty::U64,
        Ty::S32 => Ty::S64,
        other => other,
    }
}
