//! Builtins with a meaning of their own.

use super::expr::arithmetic;
use super::function::FnLower;
use super::lvalue::Place;
use super::types::{Repr, repr};
use crate::ctype::{CType, TypeId};
use crate::diag::ids;
use crate::typed::{AtomicFetchOp, BinaryOp as CBinaryOp, Builtin, Expr};
use accrue_ir::{Address, BinaryOp, CmpOp, ConvertOp, Level, Op, Operand, Terminator, Type, UnaryOp};

impl FnLower<'_, '_> {
    /// A builtin's value; `None` if it has none.
    pub(super) fn builtin(&mut self, expr: &Expr, builtin: Builtin, args: &[Expr]) -> Option<Operand> {
        let ty = match repr(&self.m.unit.types, expr.ty.ty) {
            Repr::Scalar(ty) => ty,
            Repr::Void | Repr::Memory => Type::I32,
        };
        let result = match builtin {
            Builtin::VaStart => {
                let list = self.va_list(&args[0]);
                self.emit(Op::VaStart { list });
                return None;
            }
            Builtin::VaEnd => {
                self.va_list(&args[0]);
                return None;
            }
            Builtin::VaCopy => {
                let dst = self.va_list(&args[0]);
                let src = self.va_list(&args[1]);
                self.emit(Op::VaCopy { dst, src });
                return None;
            }
            Builtin::Alloca => {
                let bytes = self.value(&args[0]);
                let dst = self.temp(Type::Ptr);
                self.emit(Op::StackAlloc { dst, bytes, align: 16, each: false });
                Operand::Local(dst)
            }
            Builtin::Trap => {
                self.emit(Op::Trap);
                self.terminate(Terminator::Unreachable);
                return None;
            }
            Builtin::Unreachable => {
                self.terminate(Terminator::Unreachable);
                return None;
            }
            Builtin::Expect => {
                let value = self.value(&args[0]);
                args[1..].iter().for_each(|arg| self.effect(arg));
                value
            }
            Builtin::Prefetch => {
                args.iter().for_each(|arg| self.effect(arg));
                return None;
            }
            Builtin::Clz => self.count_bits(UnaryOp::Clz, &args[0]),
            Builtin::Ctz => self.count_bits(UnaryOp::Ctz, &args[0]),
            Builtin::Popcount => self.count_bits(UnaryOp::Popcnt, &args[0]),
            Builtin::Parity => {
                let count = self.count_bits(UnaryOp::Popcnt, &args[0]);
                self.binary(BinaryOp::And, count, Operand::Int(Type::I32, 1))
            }
            Builtin::Ffs => self.find_first_set(&args[0]),
            Builtin::Clrsb => self.redundant_sign_bits(&args[0]),
            Builtin::Abs => self.absolute(&args[0]),
            Builtin::Bswap => self.unary_arg(UnaryOp::Bswap, &args[0]),
            Builtin::Fabs => self.unary_arg(UnaryOp::FAbs, &args[0]),
            Builtin::Sqrt => self.unary_arg(UnaryOp::Sqrt, &args[0]),
            Builtin::Exp2 => self.unary_arg(UnaryOp::Exp2, &args[0]),
            Builtin::Reciprocal => self.unary_arg(UnaryOp::Reciprocal, &args[0]),
            Builtin::ReciprocalRoot => self.unary_arg(UnaryOp::ReciprocalRoot, &args[0]),
            Builtin::Real => self.unary_arg(UnaryOp::Re, &args[0]),
            Builtin::Imag => self.unary_arg(UnaryOp::Im, &args[0]),
            Builtin::Conj => self.unary_arg(UnaryOp::Conj, &args[0]),
            Builtin::Floor => self.unary_arg(UnaryOp::Floor, &args[0]),
            Builtin::Ceil => self.unary_arg(UnaryOp::Ceil, &args[0]),
            Builtin::Trunc => self.unary_arg(UnaryOp::Trunc, &args[0]),
            Builtin::Rint => self.unary_arg(UnaryOp::Nearest, &args[0]),
            Builtin::Copysign => self.binary_args(BinaryOp::CopySign, args),
            Builtin::Fmin => self.binary_args(BinaryOp::FMin, args),
            Builtin::Fmax => self.binary_args(BinaryOp::FMax, args),
            Builtin::IsGreater => self.quiet(CmpOp::Gt, args, ty),
            Builtin::IsGreaterEqual => self.quiet(CmpOp::Ge, args, ty),
            Builtin::IsLess => self.quiet(CmpOp::Lt, args, ty),
            Builtin::IsLessEqual => self.quiet(CmpOp::Le, args, ty),
            Builtin::IsUnordered => self.quiet(CmpOp::Unordered, args, ty),
            Builtin::IsLessGreater => {
                let (a, b) = self.pair(args);
                let (less, greater) = (self.compare(CmpOp::Lt, a, b), self.compare(CmpOp::Gt, a, b));
                let either = self.binary(BinaryOp::Or, less, greater);
                self.widen_truth(either, ty)
            }
            Builtin::IsNan | Builtin::IsInf | Builtin::IsFinite | Builtin::IsNormal | Builtin::SignBit => {
                self.classify(builtin, &args[0], ty)
            }
            Builtin::FrameAddress | Builtin::ReturnAddress => {
                let level = super::globals::constant_int(&args[0]).unwrap_or(0) as u32;
                let dst = self.temp(Type::Ptr);
                let return_address = builtin == Builtin::ReturnAddress;
                self.emit(Op::FrameAddress { dst, level, return_address });
                Operand::Local(dst)
            }
            Builtin::AddOverflow => self.overflow(BinaryOp::Add, args, ty),
            Builtin::SubOverflow => self.overflow(BinaryOp::Sub, args, ty),
            Builtin::MulOverflow => self.overflow(BinaryOp::Mul, args, ty),
            Builtin::AtomicLoad
            | Builtin::AtomicStore
            | Builtin::AtomicExchange
            | Builtin::AtomicCompareExchange
            | Builtin::SyncBoolCas
            | Builtin::SyncValCas
            | Builtin::AtomicFetch(_) => return self.atomic_builtin(builtin, args, ty),
            Builtin::AtomicFence => {
                args.iter().for_each(|arg| self.effect(arg));
                self.emit(Op::Fence);
                return None;
            }
            Builtin::ParlevelId | Builtin::ParlevelSize => self.parlevel(builtin, &args[0]),
            Builtin::AccOnDevice => self.on_device(&args[0], ty),
            Builtin::MemCopy => {
                let dst = self.pointer_address_of(&args[0]);
                let src = self.pointer_address_of(&args[1]);
                let bytes = self.value(&args[2]);
                self.emit(Op::MemCopy { dst, src, bytes, align: 1 });
                return None;
            }
        };
        Some(result)
    }

    /// The address of a `va_list` object: an array decays to it, a parameter of that type already is it.
    fn va_list(&mut self, list: &Expr) -> Operand {
        match repr(&self.m.unit.types, list.ty.ty) {
            Repr::Scalar(_) => self.value(list),
            Repr::Void | Repr::Memory => match self.place(list) {
                Place::Memory(memory) => self.address_value(memory.addr),
                Place::Local(_) | Place::Part(..) | Place::Bits(_) => {
                    unreachable!("a va_list lives in memory")
                }
            },
        }
    }

    fn unary_arg(&mut self, op: UnaryOp, arg: &Expr) -> Operand {
        let value = self.value(arg);
        self.unary(op, value)
    }

    fn pair(&mut self, args: &[Expr]) -> (Operand, Operand) {
        let first = self.value(&args[0]);
        let first = self.protect(first, &args[1]);
        (first, self.value(&args[1]))
    }

    fn binary_args(&mut self, op: BinaryOp, args: &[Expr]) -> Operand {
        let (a, b) = self.pair(args);
        self.binary(op, a, b)
    }

    fn quiet(&mut self, op: CmpOp, args: &[Expr], ty: Type) -> Operand {
        let (a, b) = self.pair(args);
        let truth = self.compare(op, a, b);
        self.widen_truth(truth, ty)
    }

    /// `clz` and its kin: counted in the operand's type, an `int`.
    fn count_bits(&mut self, op: UnaryOp, arg: &Expr) -> Operand {
        let count = self.unary_arg(op, arg);
        self.resize(count, Type::I32, false)
    }

    fn find_first_set(&mut self, arg: &Expr) -> Operand {
        let value = self.value(arg);
        let value = self.snapshot(value);
        let zeros = self.unary(UnaryOp::Ctz, value);
        let zeros = self.resize(zeros, Type::I32, false);
        let position = self.binary(BinaryOp::Add, zeros, Operand::Int(Type::I32, 1));
        let truth = self.truth(value);
        self.select(truth, position, Operand::Int(Type::I32, 0))
    }

    fn redundant_sign_bits(&mut self, arg: &Expr) -> Operand {
        let value = self.value(arg);
        let ty = self.ty(value);
        let amount = Operand::Int(Type::I32, i64::from(ty.bytes() * 8 - 1));
        let sign = self.binary(BinaryOp::AShr, value, amount);
        let flipped = self.binary(BinaryOp::Xor, value, sign);
        let zeros = self.unary(UnaryOp::Clz, flipped);
        let zeros = self.resize(zeros, Type::I32, false);
        self.binary(BinaryOp::Sub, zeros, Operand::Int(Type::I32, 1))
    }

    fn absolute(&mut self, arg: &Expr) -> Operand {
        let value = self.value(arg);
        let value = self.snapshot(value);
        let is_negative = self.compare(CmpOp::Lt, value, Operand::Int(self.ty(value), 0));
        let negated = self.unary(UnaryOp::Neg, value);
        self.select(is_negative, negated, value)
    }

    fn classify(&mut self, builtin: Builtin, arg: &Expr, ty: Type) -> Operand {
        let value = self.value(arg);
        let value = self.snapshot(value);
        let scalar = self.ty(value);
        let truth = match builtin {
            Builtin::IsNan => self.compare(CmpOp::Unordered, value, value),
            Builtin::SignBit => return self.sign_bit(value, ty),
            _ => {
                let magnitude = self.unary(UnaryOp::FAbs, value);
                let infinity = self.float_of(f64::INFINITY, scalar);
                match builtin {
                    Builtin::IsInf => self.compare(CmpOp::Eq, magnitude, infinity),
                    Builtin::IsFinite => self.compare(CmpOp::Lt, magnitude, infinity),
                    _ => {
                        let least = self.least_normal(scalar);
                        let low = self.compare(CmpOp::Ge, magnitude, least);
                        let high = self.compare(CmpOp::Lt, magnitude, infinity);
                        self.binary(BinaryOp::And, low, high)
                    }
                }
            }
        };
        self.widen_truth(truth, ty)
    }

    fn least_normal(&mut self, ty: Type) -> Operand {
        match ty {
            Type::F32 => Operand::f32(f32::MIN_POSITIVE),
            Type::F64 => Operand::f64(f64::MIN_POSITIVE),
            // 2^-16382, by squaring 2^-8191 out of what binary64 can hold.
            _ => {
                let small = self.float_of(2f64.powi(-1000), ty);
                let mut value = small;
                for _ in 1..16 {
                    value = self.binary(BinaryOp::Mul, value, small);
                }
                let rest = self.float_of(2f64.powi(-382), ty);
                self.binary(BinaryOp::Mul, value, rest)
            }
        }
    }

    fn float_of(&mut self, value: f64, ty: Type) -> Operand {
        match ty {
            Type::F32 => Operand::f32(value as f32),
            Type::F64 => Operand::f64(value),
            _ => self.convert_op(ConvertOp::FToF, Operand::f64(value), ty),
        }
    }

    fn sign_bit(&mut self, value: Operand, ty: Type) -> Operand {
        let bits = match self.ty(value) {
            Type::F32 => self.reinterpret(value, Type::I32),
            Type::F64 => self.reinterpret(value, Type::I64),
            _ => {
                // The sign of an extended number survives rounding to binary64, NaNs and zeros included.
                let rounded = self.convert_op(ConvertOp::FToF, value, Type::F64);
                self.reinterpret(rounded, Type::I64)
            }
        };
        let zero = Operand::Int(self.ty(bits), 0);
        let negative = self.compare(CmpOp::Lt, bits, zero);
        self.widen_truth(negative, ty)
    }

    /// `__builtin_add_overflow` and its kin: 128 bits of the exact result and the bits above them are compared
    /// with the value that is stored, or would be.
    fn overflow(&mut self, op: BinaryOp, args: &[Expr], ty: Type) -> Operand {
        let types = &self.m.unit.types;
        let (target, is_stored) = match *types.get(args[2].ty.ty) {
            CType::Pointer(target) => (target.ty, true),
            _ => (args[2].ty.ty, false),
        };
        let (Repr::Scalar(target_type), is_signed) = (repr(types, target), types.is_signed(target)) else {
            unreachable!("the third operand is an integer or points to one")
        };
        let signs = [&args[0], &args[1]].map(|arg| types.is_signed(arg.ty.ty));
        let is_wide =
            [&args[0], &args[1]].iter().any(|arg| repr(types, arg.ty.ty) == Repr::Scalar(Type::I128));
        let (a, b) = self.pair(args);
        let (a, b) = (self.protect(a, &args[2]), self.protect(b, &args[2]));
        let third = self.value(&args[2]);
        let (a, b) = (self.resize(a, Type::I128, signs[0]), self.resize(b, Type::I128, signs[1]));
        let exact = self.binary(op, a, b);
        let width = args.get(3).and_then(super::globals::constant_int);
        let back = match width {
            Some(width) => {
                let rest = Operand::Int(Type::I32, 128 - width);
                let shift = if is_signed { BinaryOp::AShr } else { BinaryOp::LShr };
                let top = self.binary(BinaryOp::Shl, exact, rest);
                self.binary(shift, top, rest)
            }
            None => {
                let stored = self.resize(exact, target_type, false);
                if is_stored {
                    let addr = Address { base: third, offset: 0 };
                    self.store(target_type, addr, stored, target_type.align(), false);
                }
                self.resize(stored, Type::I128, is_signed)
            }
        };
        let mut truth = self.compare(CmpOp::Ne, back, exact);
        // Of at most 64 bits each, operands have results that differ within 128 bits from all that fit fewer.
        if is_wide || target_type == Type::I128 {
            let above = match is_wide {
                true => self.bits_above(op, (a, signs[0]), (b, signs[1]), exact),
                false => self.sign_bits(exact, op != BinaryOp::Mul || signs[0] || signs[1]),
            };
            let wanted = self.sign_bits(back, is_signed);
            let differs = self.compare(CmpOp::Ne, above, wanted);
            truth = self.binary(BinaryOp::Or, truth, differs);
        }
        self.widen_truth(truth, ty)
    }

    /// What stands in front of the 128 bits of a number: copies of its sign.
    fn sign_bits(&mut self, value: Operand, is_signed: bool) -> Operand {
        match is_signed {
            true => self.binary(BinaryOp::AShr, value, Operand::Int(Type::I32, 127)),
            false => Operand::Int(Type::I128, 0),
        }
    }

    /// Bits 128 to 255 of a sum, difference or product of 128-bit numbers, signed or not, of which `low` are
    /// the bits below.
    fn bits_above(
        &mut self,
        op: BinaryOp,
        (a, a_signed): (Operand, bool),
        (b, b_signed): (Operand, bool),
        low: Operand,
    ) -> Operand {
        let (a_sign, b_sign) = (self.sign_bits(a, a_signed), self.sign_bits(b, b_signed));
        if op != BinaryOp::Mul {
            let (first, second) = if op == BinaryOp::Add { (low, a) } else { (a, b) };
            let carries = self.compare(CmpOp::ULt, first, second);
            let carry = self.convert_op(ConvertOp::ZExt, carries, Type::I128);
            let signs = self.binary(op, a_sign, b_sign);
            return self.binary(op, signs, carry);
        }
        let half = Operand::Int(Type::I32, 64);
        let halves = |lower: &mut Self, value: Operand| {
            let low = lower.resize(value, Type::I64, false);
            [lower.resize(low, Type::I128, false), lower.binary(BinaryOp::LShr, value, half)]
        };
        let ([a0, a1], [b0, b1]) = (halves(self, a), halves(self, b));
        let lowest = self.binary(BinaryOp::Mul, a0, b0);
        let carried = self.binary(BinaryOp::LShr, lowest, half);
        let cross = self.binary(BinaryOp::Mul, a1, b0);
        let middle = self.binary(BinaryOp::Add, cross, carried);
        let [middle_low, middle_high] = halves(self, middle);
        let cross = self.binary(BinaryOp::Mul, a0, b1);
        let middle = self.binary(BinaryOp::Add, cross, middle_low);
        let carried = self.binary(BinaryOp::LShr, middle, half);
        let highest = self.binary(BinaryOp::Mul, a1, b1);
        let above = self.binary(BinaryOp::Add, highest, middle_high);
        let above = self.binary(BinaryOp::Add, above, carried);
        // A number below zero is 2^128 less than its bits say.
        let less = [(a_sign, b), (b_sign, a)].map(|(sign, other)| self.binary(BinaryOp::And, sign, other));
        less.into_iter().fold(above, |above, less| self.binary(BinaryOp::Sub, above, less))
    }

    fn atomic_builtin(&mut self, builtin: Builtin, args: &[Expr], ty: Type) -> Option<Operand> {
        let CType::Pointer(object) = *self.m.unit.types.get(args[0].ty.ty) else {
            unreachable!("the first operand is a pointer")
        };
        let Repr::Scalar(scalar) = repr(&self.m.unit.types, object.ty) else {
            let message = "atomic builtins on structs are not supported by accrue";
            self.m.limit(ids::ATOMIC_STRUCT_UNSUPPORTED, args[0].span, message);
            return Some(self.zero(ty));
        };
        let mut operands = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let value = self.value(arg);
            let value = args[index + 1..].iter().fold(value, |value, later| self.protect(value, later));
            operands.push(value);
        }
        let addr = Address { base: operands[0], offset: 0 };
        match builtin {
            Builtin::AtomicLoad => {
                let dst = self.temp(scalar);
                self.emit(Op::AtomicLoad { dst, addr });
                Some(Operand::Local(dst))
            }
            Builtin::AtomicStore => {
                self.emit(Op::AtomicStore { ty: scalar, addr, src: operands[1] });
                None
            }
            Builtin::AtomicExchange => {
                let dst = self.temp(scalar);
                self.emit(Op::AtomicSwap { dst: Some(dst), ty: scalar, addr, value: operands[1] });
                Some(Operand::Local(dst))
            }
            Builtin::SyncBoolCas | Builtin::SyncValCas => {
                let dst = self.temp(scalar);
                let (expected, desired) = (operands[1], operands[2]);
                self.emit(Op::AtomicCas { dst, ty: scalar, addr, expected, desired });
                if builtin == Builtin::SyncValCas {
                    return Some(Operand::Local(dst));
                }
                let same = self.compare(CmpOp::Eq, Operand::Local(dst), expected);
                Some(self.widen_truth(same, ty))
            }
            Builtin::AtomicCompareExchange => {
                let at = Address { base: operands[1], offset: 0 };
                let expected = self.load(scalar, at, scalar.align(), false);
                let dst = self.temp(scalar);
                self.emit(Op::AtomicCas { dst, ty: scalar, addr, expected, desired: operands[2] });
                let found = Operand::Local(dst);
                self.store(scalar, at, found, scalar.align(), false);
                let same = self.compare(CmpOp::Eq, found, expected);
                Some(self.widen_truth(same, ty))
            }
            Builtin::AtomicFetch(fetch) => {
                Some(self.atomic_fetch(fetch, addr, scalar, operands[1], object.ty))
            }
            _ => unreachable!("called for atomic builtins"),
        }
    }

    fn atomic_fetch(
        &mut self,
        fetch: AtomicFetchOp,
        addr: Address,
        scalar: Type,
        value: Operand,
        ty: TypeId,
    ) -> Operand {
        let signed = self.m.unit.types.is_signed(ty);
        let Some(op) = arithmetic(fetch.op, signed, false) else {
            unreachable!("read-modify-write builtins are arithmetic")
        };
        if fetch.nand || scalar == Type::Ptr || fetch.op == CBinaryOp::Sub && scalar.bytes() > 8 {
            let (old, new) = self.compare_and_swap_loop(addr, scalar, |lower, old| {
                if scalar == Type::Ptr {
                    // The builtins move pointers by bytes.
                    let scale = if op == BinaryOp::Sub { -1 } else { 1 };
                    return lower.index(old, value, scale, 0);
                }
                let result = lower.binary(op, old, value);
                if fetch.nand { lower.unary(UnaryOp::Not, result) } else { result }
            });
            return if fetch.new_value { new } else { old };
        }
        let dst = self.temp(scalar);
        self.emit(Op::AtomicRmw {
            dst: Some(dst),
            op,
            ty: scalar,
            addr,
            value,
            reversed: false,
            result_new: fetch.new_value,
        });
        Operand::Local(dst)
    }

    /// `__builtin_goacc_parlevel_id(level)`, `..._size(level)`.
    fn parlevel(&mut self, builtin: Builtin, level: &Expr) -> Operand {
        let level = match super::globals::constant_int(level) {
            Some(0) => Level::Gang,
            Some(1) => Level::Worker,
            Some(2) => Level::Vector,
            _ => {
                self.m.limit(ids::PARLEVEL_ARGUMENT, level.span, "the level must be the constant 0, 1 or 2");
                Level::Gang
            }
        };
        let dst = self.temp(Type::I32);
        let size = builtin == Builtin::ParlevelSize;
        self.emit(if size { Op::DimSize { dst, level } } else { Op::DimPos { dst, level } });
        Operand::Local(dst)
    }

    /// `acc_on_device`: which device executes this, its target says.
    fn on_device(&mut self, device: &Expr, ty: Type) -> Operand {
        let value = self.value(device);
        let device = self.resize(value, Type::I32, true);
        let dst = self.temp(Type::I1);
        self.emit(Op::OnDevice { dst, device });
        self.widen_truth(Operand::Local(dst), ty)
    }
}
