//! Conversions.

use super::rotate::{constant, made_by};
use super::{Lower, Val, own_memory};
use crate::abi::scalar_type;
use crate::helpers::Helper;
use accrue_ir::{ConvertOp, Type};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Opcode, Value, types};

impl Lower<'_, '_> {
    /// Converts a value.
    pub(super) fn convert(&mut self, op: ConvertOp, from: Type, to: Type, value: Val) -> Val {
        match op {
            ConvertOp::SExt => Val::One(self.extend(from, to, value.first(), true)),
            ConvertOp::ZExt => Val::One(self.extend(from, to, value.first(), false)),
            ConvertOp::Trunc => {
                let (v, clif) = (value.first(), scalar_type(to));
                let wide = self.b.func.dfg.value_type(v).bits() > clif.bits();
                Val::One(if wide { self.b.ins().ireduce(clif, v) } else { v })
            }
            ConvertOp::SToF if from.is_vector() => {
                Val::One(self.b.ins().fcvt_from_sint(scalar_type(to), value.first()))
            }
            ConvertOp::SToF => self.int_to_float(from, to, value.first(), true),
            ConvertOp::UToF => self.int_to_float(from, to, value.first(), false),
            ConvertOp::FToS => Val::One(self.float_to_int(from, to, value, true)),
            ConvertOp::FToU => Val::One(self.float_to_int(from, to, value, false)),
            ConvertOp::FToF => self.float_to_float(from, to, value),
            ConvertOp::Bits => self.bits(from, to, value),
            ConvertOp::CToC => match value {
                Val::Pair(re, im) if from != to => {
                    let (from, to) = (from.element(), to.element());
                    let re = self.float_to_float(from, to, Val::One(re)).first();
                    let im = self.float_to_float(from, to, Val::One(im)).first();
                    Val::Pair(re, im)
                }
                same => same,
            },
        }
    }

    fn extend(&mut self, from: Type, to: Type, value: Value, signed: bool) -> Value {
        // A truth value is 0 or 1; sign-extended it is 0 or -1.
        let value = if from == Type::I1 && signed { self.b.ins().ineg(value) } else { value };
        let clif = scalar_type(to);
        if self.b.func.dfg.value_type(value).bits() >= clif.bits() {
            value
        } else if signed {
            self.b.ins().sextend(clif, value)
        } else {
            self.b.ins().uextend(clif, value)
        }
    }

    fn int_to_float(&mut self, from: Type, to: Type, value: Value, signed: bool) -> Val {
        if from == Type::I128 {
            let (low, high) = self.b.ins().isplit(value);
            return match to {
                Type::F32 => Val::One(
                    self.helper_one(if signed { Helper::I128ToF32 } else { Helper::U128ToF32 }, &[low, high]),
                ),
                Type::F80 => {
                    self.helper_pair(if signed { Helper::I128ToF80 } else { Helper::U128ToF80 }, &[low, high])
                }
                _ => Val::One(
                    self.helper_one(if signed { Helper::I128ToF64 } else { Helper::U128ToF64 }, &[low, high]),
                ),
            };
        }
        if to == Type::F80 {
            let wide = self.extend(from, Type::I64, value, signed && from != Type::I1);
            return self.helper_pair(if signed { Helper::I64ToF80 } else { Helper::U64ToF80 }, &[wide]);
        }
        let clif = scalar_type(to);
        // The hardware converts signed numbers of 32 and 64 bits; narrower unsigned ones fit a wider signed
        // one.
        let (value, signed) = match (from, signed) {
            (Type::I1, _) => (self.extend(from, Type::I32, value, false), true),
            (Type::I8 | Type::I16, signed) => (self.extend(from, Type::I32, value, signed), true),
            (Type::I32, false) => (self.extend(from, Type::I64, value, false), true),
            // An unsigned one of 64 bits takes a test and two ways, unless it is known to be a signed one.
            (_, signed) => (value, signed || self.has_no_sign(value)),
        };
        Val::One(if signed {
            self.b.ins().fcvt_from_sint(clif, value)
        } else {
            self.b.ins().fcvt_from_uint(clif, value)
        })
    }

    /// Whether the highest bit of an integer is known to be clear: of one that was shifted right, as draws of
    /// random numbers are before they are scaled, masked, or extended.
    fn has_no_sign(&self, value: Value) -> bool {
        let dfg = &self.b.func.dfg;
        let constant = |value: Value| constant(dfg, value);
        let bits = i64::from(dfg.value_type(value).bits());
        match made_by(dfg, value) {
            Some((Opcode::Uextend, _)) => true,
            Some((Opcode::Ushr, inst)) => {
                constant(dfg.inst_args(inst)[1]).is_some_and(|by| (1..bits).contains(&by))
            }
            Some((Opcode::Band, inst)) => {
                dfg.inst_args(inst).iter().any(|&arg| constant(arg).is_some_and(|mask| mask >= 0))
            }
            _ => false,
        }
    }

    fn float_to_int(&mut self, from: Type, to: Type, value: Val, signed: bool) -> Value {
        if let Val::Pair(low, high) = value {
            let helper = match (to, signed) {
                (Type::I128, true) => Helper::F80ToI128,
                (Type::I128, false) => Helper::F80ToU128,
                (Type::I64 | Type::Ptr, false) => Helper::F80ToU64,
                // C compilers convert to a wider signed type and cut.
                (Type::I32, true) => Helper::F80ToI32,
                (Type::I1 | Type::I8 | Type::I16, _) => Helper::F80ToI32,
                _ => Helper::F80ToI64,
            };
            let parts = self.helper(helper, &[low, high]);
            if to == Type::I128 {
                return self.b.ins().iconcat(parts[0], parts[1]);
            }
            return self.reinterpret(parts[0], types::I64, scalar_type(to));
        }
        let value = value.first();
        match (to, signed) {
            (Type::I128, signed) => {
                let helper = match (from, signed) {
                    (Type::F32, true) => Helper::F32ToI128,
                    (Type::F32, false) => Helper::F32ToU128,
                    (_, true) => Helper::F64ToI128,
                    (_, false) => Helper::F64ToU128,
                };
                let parts = self.helper(helper, &[value]);
                self.b.ins().iconcat(parts[0], parts[1])
            }
            (Type::I64 | Type::Ptr, true) => self.truncate(from, Type::I64, value),
            (Type::I64 | Type::Ptr, false) => self.truncate_unsigned(from, value),
            (Type::I32, false) => {
                let wide = self.truncate(from, Type::I64, value);
                self.b.ins().ireduce(types::I32, wide)
            }
            (Type::I32, true) => self.truncate(from, Type::I32, value),
            (_, _) => {
                let wide = self.truncate(from, Type::I32, value);
                self.b.ins().ireduce(scalar_type(to), wide)
            }
        }
    }

    fn float_const(&mut self, ty: Type, value: f64) -> Value {
        if ty == Type::F32 { self.b.ins().f32const(value as f32) } else { self.b.ins().f64const(value) }
    }

    /// `cvttsd2si`: the saturating conversion, with NaN and what is too large sent to the least integer.
    fn truncate(&mut self, from: Type, to: Type, value: Value) -> Value {
        let clif = scalar_type(to);
        let converted = self.b.ins().fcvt_to_sint_sat(clif, value);
        let (limit, least) = if to == Type::I32 {
            (2147483648.0, i64::from(i32::MIN) & 0xffff_ffff)
        } else {
            (9223372036854775808.0, i64::MIN)
        };
        let limit = self.float_const(from, limit);
        let fits = self.b.ins().fcmp(FloatCC::LessThan, value, limit);
        let least = self.b.ins().iconst(clif, least);
        self.b.ins().select(fits, converted, least)
    }

    /// To unsigned 64 bits: numbers from 2^63 on are converted less 2^63, whose bit is then set again.
    fn truncate_unsigned(&mut self, from: Type, value: Value) -> Value {
        let limit = self.float_const(from, 9223372036854775808.0);
        let large = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, value, limit);
        let less = self.b.ins().fsub(value, limit);
        let small = self.b.ins().select(large, less, value);
        let converted = self.truncate(from, Type::I64, small);
        let large = self.b.ins().uextend(types::I64, large);
        let bit = self.b.ins().ishl_imm_u(large, 63);
        self.b.ins().bxor(converted, bit)
    }

    fn float_to_float(&mut self, from: Type, to: Type, value: Val) -> Val {
        match (from, to, value) {
            (Type::F32, Type::F64, value) => Val::One(self.b.ins().fpromote(types::F64, value.first())),
            (Type::F64, Type::F32, value) => Val::One(self.b.ins().fdemote(types::F32, value.first())),
            (Type::F32, Type::F80, value) => self.helper_pair(Helper::F32ToF80, &[value.first()]),
            (Type::F64, Type::F80, value) => self.helper_pair(Helper::F64ToF80, &[value.first()]),
            (Type::F80, Type::F32, Val::Pair(low, high)) => {
                Val::One(self.helper_one(Helper::F80ToF32, &[low, high]))
            }
            (Type::F80, Type::F64, Val::Pair(low, high)) => {
                Val::One(self.helper_one(Helper::F80ToF64, &[low, high]))
            }
            (_, _, value) => value,
        }
    }

    fn bits(&mut self, from: Type, to: Type, value: Val) -> Val {
        let pair = |ty| matches!(ty, Type::F80 | Type::C32 | Type::C64);
        if pair(from) || pair(to) {
            if from == to {
                return value;
            }
            let bytes = from.bytes().max(to.bytes());
            let slot = self.temp_slot(bytes);
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            if from.bytes() < to.bytes() || from == Type::F80 {
                let zero = self.word(0);
                self.b.ins().store(own_memory(), zero, address, 0);
                self.b.ins().store(own_memory(), zero, address, 8);
            }
            self.store_at(from, value, address, 0, own_memory());
            return self.load_at(to, address, 0, own_memory());
        }
        let v = value.first();
        let found = self.b.func.dfg.value_type(v);
        Val::One(self.reinterpret(v, found, scalar_type(to)))
    }
}
