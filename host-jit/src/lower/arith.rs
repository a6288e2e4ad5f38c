//! Arithmetic, comparisons and selection.

use super::rotate::Rotation;
use super::{Lower, Val, own_memory};
use crate::abi::scalar_type;
use crate::helpers::Helper;
use accrue_ir::{BinaryOp, CmpOp, Local, Operand, Type, UnaryOp};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

/// The sign bit in the upper part of a `long double`.
const X87_SIGN: i64 = 0x8000;

impl Lower<'_, '_> {
    pub(super) fn unary(&mut self, dst: Local, op: UnaryOp, src: Operand) {
        let ty = self.type_of(src);
        let value = self.value(src);
        let result = match op {
            UnaryOp::Splat => {
                let to = scalar_type(self.local_type(dst));
                Val::One(self.b.ins().splat(to, value.first()))
            }
            UnaryOp::Re => Val::One(value.first()),
            UnaryOp::Im => match value {
                Val::Pair(_, im) => Val::One(im),
                Val::One(_) => self.wrong_type(op, ty),
            },
            UnaryOp::Conj => match value {
                Val::Pair(re, im) => Val::Pair(re, self.b.ins().fneg(im)),
                Val::One(_) => self.wrong_type(op, ty),
            },
            UnaryOp::Neg => self.negate(ty, value),
            UnaryOp::Not if ty == Type::I1 => Val::One(self.b.ins().bxor_imm_u(value.first(), 1)),
            UnaryOp::Not => Val::One(self.b.ins().bnot(value.first())),
            UnaryOp::FAbs => match value {
                Val::One(v) => Val::One(self.b.ins().fabs(v)),
                Val::Pair(low, high) => Val::Pair(low, self.b.ins().band_imm_u(high, X87_SIGN - 1)),
            },
            UnaryOp::Sqrt => match value {
                Val::One(v) => Val::One(self.b.ins().sqrt(v)),
                Val::Pair(low, high) => self.helper_pair(Helper::F80Sqrt, &[low, high]),
            },
            UnaryOp::Exp2 => Val::One(self.helper_one(Helper::Exp2F32, &[value.first()])),
            UnaryOp::Reciprocal => Val::One(self.one_over(ty, value.first())),
            UnaryOp::ReciprocalRoot => {
                let root = self.b.ins().sqrt(value.first());
                Val::One(self.one_over(ty, root))
            }
            UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::Nearest => self.round(op, value),
            UnaryOp::Clz => Val::One(self.b.ins().clz(value.first())),
            UnaryOp::Ctz => Val::One(self.b.ins().ctz(value.first())),
            UnaryOp::Popcnt => Val::One(self.b.ins().popcnt(value.first())),
            UnaryOp::Bswap if ty.bytes() == 1 => value,
            UnaryOp::Bswap => Val::One(self.b.ins().bswap(value.first())),
        };
        self.write(dst, result);
    }

    fn wrong_type(&self, op: impl std::fmt::Debug, ty: Type) -> ! {
        unreachable!("{}: {op:?} has no meaning on {ty}", self.function.name)
    }

    fn one_over(&mut self, ty: Type, value: Value) -> Value {
        let one = match ty {
            Type::F32 => self.b.ins().f32const(1.0),
            _ => self.b.ins().f64const(1.0),
        };
        self.b.ins().fdiv(one, value)
    }

    fn negate(&mut self, ty: Type, value: Val) -> Val {
        match value {
            Val::One(v) if matches!(ty.element(), Type::F32 | Type::F64) => Val::One(self.b.ins().fneg(v)),
            Val::One(v) => Val::One(self.b.ins().ineg(v)),
            Val::Pair(low, high) if ty == Type::F80 => {
                Val::Pair(low, self.b.ins().bxor_imm_u(high, X87_SIGN))
            }
            Val::Pair(re, im) => Val::Pair(self.b.ins().fneg(re), self.b.ins().fneg(im)),
        }
    }

    fn round(&mut self, op: UnaryOp, value: Val) -> Val {
        match value {
            Val::One(v) => Val::One(match op {
                UnaryOp::Floor => self.b.ins().floor(v),
                UnaryOp::Ceil => self.b.ins().ceil(v),
                UnaryOp::Trunc => self.b.ins().trunc(v),
                _ => self.b.ins().nearest(v),
            }),
            Val::Pair(low, high) => {
                let helper = match op {
                    UnaryOp::Floor => Helper::F80Floor,
                    UnaryOp::Ceil => Helper::F80Ceil,
                    UnaryOp::Trunc => Helper::F80Trunc,
                    _ => Helper::F80Nearest,
                };
                self.helper_pair(helper, &[low, high])
            }
        }
    }

    /// `x op y` on values of type `ty`; `amount` is the type of `y`, which differs for shifts.
    pub(super) fn binary(&mut self, ty: Type, op: BinaryOp, x: Val, y: Val, amount: Type) -> Val {
        match ty {
            Type::F80 => self.binary_x87(op, x, y),
            Type::C32 | Type::C64 => self.binary_complex(ty, op, x, y),
            Type::F32 | Type::F64 | Type::F32x4 | Type::F64x2 => {
                self.binary_float(ty, op, x.first(), y.first())
            }
            Type::I8x16 | Type::I16x8 | Type::I32x4 | Type::I64x2 => {
                Val::One(self.binary_vector(ty, op, x.first(), y.first(), amount))
            }
            Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 | Type::Ptr => {
                Val::One(self.binary_int(ty, op, x.first(), y.first()))
            }
        }
    }

    fn binary_int(&mut self, ty: Type, op: BinaryOp, x: Value, y: Value) -> Value {
        match op {
            BinaryOp::Add if ty == Type::I1 => self.b.ins().bxor(x, y),
            BinaryOp::Sub if ty == Type::I1 => self.b.ins().bxor(x, y),
            BinaryOp::Add => self.b.ins().iadd(x, y),
            BinaryOp::Sub => self.b.ins().isub(x, y),
            BinaryOp::Mul => self.b.ins().imul(x, y),
            BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => self.divide(ty, op, x, y),
            BinaryOp::And => self.b.ins().band(x, y),
            BinaryOp::Or => match self.rotation(x, y) {
                Some(Rotation::Left(value, by)) => self.b.ins().rotl(value, by),
                Some(Rotation::Right(value, by)) => self.b.ins().rotr(value, by),
                None => self.b.ins().bor(x, y),
            },
            BinaryOp::Xor => self.b.ins().bxor(x, y),
            BinaryOp::Shl => self.b.ins().ishl(x, y),
            BinaryOp::LShr => self.b.ins().ushr(x, y),
            BinaryOp::AShr => self.b.ins().sshr(x, y),
            BinaryOp::SMin => self.extreme(IntCC::SignedLessThan, x, y),
            BinaryOp::SMax => self.extreme(IntCC::SignedGreaterThan, x, y),
            BinaryOp::UMin => self.extreme(IntCC::UnsignedLessThan, x, y),
            BinaryOp::UMax => self.extreme(IntCC::UnsignedGreaterThan, x, y),
            BinaryOp::FDiv | BinaryOp::FMin | BinaryOp::FMax | BinaryOp::CopySign | BinaryOp::Complex => {
                self.wrong_type(op, ty)
            }
        }
    }

    fn extreme(&mut self, cc: IntCC, x: Value, y: Value) -> Value {
        let first = self.b.ins().icmp(cc, x, y);
        self.select_one(first, x, y)
    }

    fn divide(&mut self, ty: Type, op: BinaryOp, x: Value, y: Value) -> Value {
        if ty == Type::I128 {
            let helper = match op {
                BinaryOp::SDiv => Helper::I128SDiv,
                BinaryOp::UDiv => Helper::I128UDiv,
                BinaryOp::SRem => Helper::I128SRem,
                _ => Helper::I128URem,
            };
            let (x_low, x_high) = self.b.ins().isplit(x);
            let (y_low, y_high) = self.b.ins().isplit(y);
            let parts = self.helper(helper, &[x_low, x_high, y_low, y_high]);
            return self.b.ins().iconcat(parts[0], parts[1]);
        }
        match op {
            BinaryOp::SDiv => self.b.ins().sdiv(x, y),
            BinaryOp::UDiv => self.b.ins().udiv(x, y),
            BinaryOp::SRem => self.b.ins().srem(x, y),
            _ => self.b.ins().urem(x, y),
        }
    }

    fn binary_float(&mut self, ty: Type, op: BinaryOp, x: Value, y: Value) -> Val {
        match op {
            BinaryOp::Add => Val::One(self.b.ins().fadd(x, y)),
            BinaryOp::Sub => Val::One(self.b.ins().fsub(x, y)),
            BinaryOp::Mul => Val::One(self.b.ins().fmul(x, y)),
            BinaryOp::FDiv => Val::One(self.b.ins().fdiv(x, y)),
            BinaryOp::CopySign => Val::One(self.b.ins().fcopysign(x, y)),
            BinaryOp::FMin | BinaryOp::FMax => Val::One(self.min_max(ty, op, x, y)),
            BinaryOp::Complex if !ty.is_vector() => Val::Pair(x, y),
            BinaryOp::Complex
            | BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::SRem
            | BinaryOp::URem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::SMin
            | BinaryOp::SMax
            | BinaryOp::UMin
            | BinaryOp::UMax => self.wrong_type(op, ty),
        }
    }

    /// minNum and maxNum. Cranelift's instructions order zeros but propagate NaN, so NaN operands are
    /// replaced by the other operand first.
    fn min_max(&mut self, ty: Type, op: BinaryOp, x: Value, y: Value) -> Value {
        let x_nan = self.b.ins().fcmp(FloatCC::Unordered, x, x);
        let y_nan = self.b.ins().fcmp(FloatCC::Unordered, y, y);
        let (x, y) = if ty.is_vector() {
            let clif = scalar_type(ty);
            let x_mask = self.reinterpret_vector(x_nan, clif);
            let y_mask = self.reinterpret_vector(y_nan, clif);
            (self.b.ins().bitselect(x_mask, y, x), self.b.ins().bitselect(y_mask, x, y))
        } else {
            (self.b.ins().select(x_nan, y, x), self.b.ins().select(y_nan, x, y))
        };
        if op == BinaryOp::FMin { self.b.ins().fmin(x, y) } else { self.b.ins().fmax(x, y) }
    }

    fn binary_x87(&mut self, op: BinaryOp, x: Val, y: Val) -> Val {
        let (Val::Pair(x_low, x_high), Val::Pair(y_low, y_high)) = (x, y) else {
            self.wrong_type(op, Type::F80);
        };
        let helper = match op {
            BinaryOp::Add => Helper::F80Add,
            BinaryOp::Sub => Helper::F80Sub,
            BinaryOp::Mul => Helper::F80Mul,
            BinaryOp::FDiv => Helper::F80Div,
            BinaryOp::FMin => Helper::F80Min,
            BinaryOp::FMax => Helper::F80Max,
            BinaryOp::CopySign => {
                let magnitude = self.b.ins().band_imm_u(x_high, X87_SIGN - 1);
                let sign = self.b.ins().band_imm_u(y_high, X87_SIGN);
                return Val::Pair(x_low, self.b.ins().bor(magnitude, sign));
            }
            BinaryOp::Complex
            | BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::SRem
            | BinaryOp::URem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::SMin
            | BinaryOp::SMax
            | BinaryOp::UMin
            | BinaryOp::UMax => self.wrong_type(op, Type::F80),
        };
        self.helper_pair(helper, &[x_low, x_high, y_low, y_high])
    }

    fn binary_complex(&mut self, ty: Type, op: BinaryOp, x: Val, y: Val) -> Val {
        let (Val::Pair(a, b), Val::Pair(c, d)) = (x, y) else {
            self.wrong_type(op, ty);
        };
        match op {
            BinaryOp::Add => Val::Pair(self.b.ins().fadd(a, c), self.b.ins().fadd(b, d)),
            BinaryOp::Sub => Val::Pair(self.b.ins().fsub(a, c), self.b.ins().fsub(b, d)),
            BinaryOp::Mul => self.multiply_complex(ty, [a, b, c, d]),
            BinaryOp::FDiv => {
                let helper = if ty == Type::C32 { Helper::C32Div } else { Helper::C64Div };
                self.complex_helper(ty, helper, [a, b, c, d])
            }
            BinaryOp::Complex
            | BinaryOp::FMin
            | BinaryOp::FMax
            | BinaryOp::CopySign
            | BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::SRem
            | BinaryOp::URem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::SMin
            | BinaryOp::SMax
            | BinaryOp::UMin
            | BinaryOp::UMax => self.wrong_type(op, ty),
        }
    }

    /// The textbook product, and the library's recovery of infinities where that gave two NaNs.
    fn multiply_complex(&mut self, ty: Type, [a, b, c, d]: [Value; 4]) -> Val {
        let clif = scalar_type(ty);
        let (ac, bd) = (self.b.ins().fmul(a, c), self.b.ins().fmul(b, d));
        let (ad, bc) = (self.b.ins().fmul(a, d), self.b.ins().fmul(b, c));
        let re = self.b.ins().fsub(ac, bd);
        let im = self.b.ins().fadd(ad, bc);
        let nan = self.b.ins().fcmp(FloatCC::Unordered, re, im);
        let slow = self.b.create_block();
        self.b.set_cold_block(slow);
        let done = self.b.create_block();
        let re_out = self.b.append_block_param(done, clif);
        let im_out = self.b.append_block_param(done, clif);
        self.b.ins().brif(nan, slow, &[], done, &[re.into(), im.into()]);
        self.b.switch_to_block(slow);
        self.b.seal_block(slow);
        let helper = if ty == Type::C32 { Helper::C32Mul } else { Helper::C64Mul };
        let result = self.temp_slot(16);
        let at = self.b.ins().stack_addr(types::I64, result, 0);
        self.helper(helper, &[a, b, c, d, at]);
        let Val::Pair(re, im) = self.load_at(ty, at, 0, own_memory()) else {
            unreachable!("a complex number has two parts");
        };
        self.b.ins().jump(done, &[re.into(), im.into()]);
        self.b.switch_to_block(done);
        self.b.seal_block(done);
        Val::Pair(re_out, im_out)
    }

    fn complex_helper(&mut self, ty: Type, helper: Helper, parts: [Value; 4]) -> Val {
        if ty == Type::C64 {
            return self.helper_pair(helper, &parts);
        }
        // Two floats come back in one vector register.
        let packed = self.helper_one(helper, &parts);
        let bits = self.b.ins().bitcast(types::I64, MemFlagsData::new(), packed);
        let low = self.b.ins().ireduce(types::I32, bits);
        let high = self.b.ins().ushr_imm_u(bits, 32);
        let high = self.b.ins().ireduce(types::I32, high);
        Val::Pair(
            self.b.ins().bitcast(types::F32, MemFlagsData::new(), low),
            self.b.ins().bitcast(types::F32, MemFlagsData::new(), high),
        )
    }

    /// `x op y`, an `i1`.
    pub(super) fn compare(&mut self, ty: Type, op: CmpOp, x: Val, y: Val) -> Value {
        match (x, y) {
            // The other way round: Cranelift knows extrema, `x < y ? x : y`, by this comparison only.
            (Val::One(x), Val::One(y)) if ty.element().is_float() => match op {
                CmpOp::Gt | CmpOp::UGt => self.b.ins().fcmp(FloatCC::LessThan, y, x),
                _ => self.b.ins().fcmp(float_cc(op), x, y),
            },
            (Val::One(x), Val::One(y)) => match int_cc(op) {
                Some(cc) => self.b.ins().icmp(cc, x, y),
                None => self.b.ins().iconst(types::I8, 0),
            },
            (Val::Pair(a, b), Val::Pair(c, d)) if ty == Type::F80 => self.compare_x87(op, [a, b, c, d]),
            (Val::Pair(a, b), Val::Pair(c, d)) => {
                let (cc, ne) = (float_cc(op), op == CmpOp::Ne);
                let re = self.b.ins().fcmp(cc, a, c);
                let im = self.b.ins().fcmp(cc, b, d);
                if ne { self.b.ins().bor(re, im) } else { self.b.ins().band(re, im) }
            }
            (Val::One(_), Val::Pair(..)) | (Val::Pair(..), Val::One(_)) => self.wrong_type(op, ty),
        }
    }

    /// The helper gives one bit per outcome: 1 less, 2 equal, 4 greater, 8 unordered.
    fn compare_x87(&mut self, op: CmpOp, parts: [Value; 4]) -> Value {
        let outcome = self.helper_one(Helper::F80Compare, &parts);
        let wanted = match op {
            CmpOp::Eq => 2,
            CmpOp::Ne => 1 | 4 | 8,
            CmpOp::Lt | CmpOp::ULt => 1,
            CmpOp::Le | CmpOp::ULe => 1 | 2,
            CmpOp::Gt | CmpOp::UGt => 4,
            CmpOp::Ge | CmpOp::UGe => 2 | 4,
            CmpOp::Unordered => 8,
        };
        let found = self.b.ins().band_imm_u(outcome, wanted);
        self.b.ins().icmp_imm_u(IntCC::NotEqual, found, 0)
    }

    fn select_one(&mut self, cond: Value, a: Value, b: Value) -> Value {
        let ty = self.b.func.dfg.value_type(a);
        if self.b.func.dfg.value_type(cond).is_vector() {
            let mask = if ty.lane_type().is_int() { cond } else { self.reinterpret_vector(cond, ty) };
            return self.b.ins().bitselect(mask, a, b);
        }
        if ty != types::I128 {
            return self.b.ins().select(cond, a, b);
        }
        // By halves: the optimiser makes a minimum or maximum of a whole, which the code generator lacks at
        // 128 bits.
        let (a_low, a_high) = self.b.ins().isplit(a);
        let (b_low, b_high) = self.b.ins().isplit(b);
        let low = self.b.ins().select(cond, a_low, b_low);
        let high = self.b.ins().select(cond, a_high, b_high);
        self.b.ins().iconcat(low, high)
    }

    /// `cond ? a : b`.
    pub(super) fn select(&mut self, cond: Value, a: Val, b: Val) -> Val {
        match (a, b) {
            (Val::One(a), Val::One(b)) => Val::One(self.select_one(cond, a, b)),
            (Val::Pair(a, b), Val::Pair(c, d)) => {
                Val::Pair(self.b.ins().select(cond, a, c), self.b.ins().select(cond, b, d))
            }
            (Val::One(_), Val::Pair(..)) | (Val::Pair(..), Val::One(_)) => {
                unreachable!("{}: select between different types", self.function.name)
            }
        }
    }
}

fn float_cc(op: CmpOp) -> FloatCC {
    match op {
        CmpOp::Eq => FloatCC::Equal,
        CmpOp::Ne => FloatCC::NotEqual,
        CmpOp::Lt | CmpOp::ULt => FloatCC::LessThan,
        CmpOp::Le | CmpOp::ULe => FloatCC::LessThanOrEqual,
        CmpOp::Gt | CmpOp::UGt => FloatCC::GreaterThan,
        CmpOp::Ge | CmpOp::UGe => FloatCC::GreaterThanOrEqual,
        CmpOp::Unordered => FloatCC::Unordered,
    }
}

fn int_cc(op: CmpOp) -> Option<IntCC> {
    Some(match op {
        CmpOp::Eq => IntCC::Equal,
        CmpOp::Ne => IntCC::NotEqual,
        CmpOp::Lt => IntCC::SignedLessThan,
        CmpOp::Le => IntCC::SignedLessThanOrEqual,
        CmpOp::Gt => IntCC::SignedGreaterThan,
        CmpOp::Ge => IntCC::SignedGreaterThanOrEqual,
        CmpOp::ULt => IntCC::UnsignedLessThan,
        CmpOp::ULe => IntCC::UnsignedLessThanOrEqual,
        CmpOp::UGt => IntCC::UnsignedGreaterThan,
        CmpOp::UGe => IntCC::UnsignedGreaterThanOrEqual,
        CmpOp::Unordered => return None,
    })
}
