//! `atomic` constructs.

use super::super::expr::{Part, arithmetic, comparison};
use super::super::function::FnLower;
use super::super::lvalue::{Place, bits_of};
use super::super::types::{Repr, repr};
use crate::ctype::{CType, TypeId};
use crate::diag::ids;
use crate::typed::{Atomic, AtomicCompare, BinaryOp as CBinaryOp, Captured, Expr};
use accrue_ir::{Address, BinaryOp, Block, CmpOp, Op, Operand, Type};

impl FnLower<'_, '_> {
    pub(in super::super) fn atomic(&mut self, atomic: &Atomic) {
        match atomic {
            Atomic::Read { v, x } => {
                let (ty, addr) = self.atomic_object(x);
                let dst = self.temp(ty);
                self.emit(Op::AtomicLoad { dst, addr });
                self.deliver(v, Operand::Local(dst), x.ty.ty);
            }
            Atomic::Write { x, value } => {
                let src = self.value(value);
                let src = self.protect(src, x);
                let (ty, addr) = self.atomic_object(x);
                self.emit(Op::AtomicStore { ty, addr, src });
            }
            Atomic::Exchange { v, x, value } => {
                let new = self.value(value);
                let new = self.protect(new, x);
                let (ty, addr) = self.atomic_object(x);
                let dst = self.temp(ty);
                self.emit(Op::AtomicSwap { dst: Some(dst), ty, addr, value: new });
                self.deliver(v, Operand::Local(dst), x.ty.ty);
            }
            Atomic::Update { x, op, value, reversed, compute, capture } => {
                let operand = self.value(value);
                let operand = self.protect(operand, x);
                let (ty, addr) = self.atomic_object(x);
                let update = Update { op: *op, operand, reversed: *reversed, compute: *compute };
                let new_value = capture.as_ref().map(|capture| capture.1);
                if let Some(result) = self.atomic_update(x.ty.ty, ty, addr, update, new_value)
                    && let Some((v, _)) = capture
                {
                    self.deliver(v, result, x.ty.ty);
                }
            }
            Atomic::Compare(compare) => self.atomic_compare(compare),
        }
    }

    /// `if (x op with) x = value`.
    fn atomic_compare(&mut self, compare: &AtomicCompare) {
        let AtomicCompare { x, op, with, value, capture, result } = compare;
        let operand = self.value(with);
        let operand = self.protect(operand, value);
        let operand = self.protect(operand, x);
        if self.is_extremum(compare) {
            return self.atomic_extremum(compare, operand);
        }
        let desired = self.value(value);
        let desired = self.protect(desired, x);
        let (ty, addr) = self.atomic_object(x);
        let wanted = Wanted { op: *op, operand, compute: with.ty.ty, c_type: x.ty.ty };
        let [stored, failed, done] = [(); 3].map(|()| self.new_block());
        let old = self.compare_and_swap_if(addr, ty, &wanted, desired, [stored, failed]);
        for (block, holds) in [(stored, true), (failed, false)] {
            self.start(block);
            if let Some(r) = result {
                let truth = self.zero_or_one(holds);
                self.deliver(r, truth, TypeId::INT);
            }
            match capture {
                Some((v, Captured::New)) if holds => self.deliver(v, desired, x.ty.ty),
                Some((v, Captured::Old | Captured::New)) => self.deliver(v, old, x.ty.ty),
                Some((v, Captured::WhereFalse)) if !holds => self.deliver(v, old, x.ty.ty),
                Some((_, Captured::WhereFalse)) | None => {}
            }
            self.jump(done);
        }
        self.start(done);
    }

    fn zero_or_one(&self, truth: bool) -> Operand {
        Operand::Int(Type::I32, truth.into())
    }

    /// Whether a minimum or maximum of integers is what is meant, in a type in which it can be computed.
    fn is_extremum(&self, compare: &AtomicCompare) -> bool {
        let types = &self.m.unit.types;
        let scalar = |ty: TypeId| match repr(types, ty) {
            Repr::Scalar(ty) if ty.is_int() => Some(ty),
            _ => None,
        };
        let ty = scalar(compare.x.ty.ty);
        let plain = compare.op != CBinaryOp::Eq && compare.result.is_none();
        plain && ty.is_some() && ty == scalar(compare.with.ty.ty) && !types.is_bool(compare.x.ty.ty)
    }

    fn atomic_extremum(&mut self, compare: &AtomicCompare, value: Operand) {
        let AtomicCompare { x, op, with, capture, .. } = compare;
        let (ty, addr) = self.atomic_object(x);
        let op = match (op, self.m.unit.types.is_signed(with.ty.ty)) {
            (CBinaryOp::Gt, true) => BinaryOp::SMin,
            (CBinaryOp::Gt, false) => BinaryOp::UMin,
            (_, true) => BinaryOp::SMax,
            (_, false) => BinaryOp::UMax,
        };
        let value = self.convert(value, with.ty.ty, x.ty.ty);
        let dst = capture.is_some().then(|| self.temp(ty));
        let result_new = matches!(capture, Some((_, Captured::New)));
        self.emit(Op::AtomicRmw { dst, op, ty, addr, value, reversed: false, result_new });
        if let (Some((v, _)), Some(dst)) = (capture, dst) {
            self.deliver(v, Operand::Local(dst), x.ty.ty);
        }
    }

    /// Replaces an object if a condition holds of it: `while (holds(old)) if (cas(addr, old, desired)) goto
    /// stored; goto failed`. Gives the value found.
    fn compare_and_swap_if(
        &mut self,
        addr: Address,
        ty: Type,
        wanted: &Wanted,
        desired: Operand,
        [stored, failed]: [Block; 2],
    ) -> Operand {
        let bits = bits_of(ty);
        let desired = self.reinterpret(desired, bits);
        let fits = (wanted.op == CBinaryOp::Eq).then(|| self.as_object(wanted, ty));
        let current = self.temp(bits);
        self.emit(Op::AtomicLoad { dst: current, addr });
        let [retry, attempt, again] = [(); 3].map(|()| self.new_block());
        self.fall_into(retry);
        let expected = Operand::Local(current);
        let old = self.reinterpret(expected, ty);
        let old = self.snapshot(old);
        match fits {
            Some((same_bits, fits)) => {
                let a = self.value_bits(expected, ty);
                let same = self.compare(CmpOp::Eq, a, same_bits);
                let compared = self.new_block();
                self.branch_on(same, compared, failed);
                self.start(compared);
                self.branch_on(fits, attempt, failed);
            }
            None => {
                let wide = self.convert(old, wanted.c_type, wanted.compute);
                let holds = self.holds(wanted.op, wide, wanted.operand, wanted.compute);
                self.branch_on(holds, attempt, failed);
            }
        }
        self.start(attempt);
        let found = self.temp(bits);
        self.emit(Op::AtomicCas { dst: found, ty: bits, addr, expected, desired });
        let same = self.compare(CmpOp::Eq, Operand::Local(found), expected);
        self.branch_on(same, stored, again);
        self.start(again);
        self.copy(current, Operand::Local(found));
        self.jump(retry);
        old
    }

    /// The operand of a comparison for equality as bits of the object, and whether the object can have this
    /// value.
    fn as_object(&mut self, wanted: &Wanted, ty: Type) -> (Operand, Operand) {
        let &Wanted { op, operand, compute, c_type } = wanted;
        let narrow = self.convert(operand, compute, c_type);
        let back = self.convert(narrow, c_type, compute);
        let fits = self.holds(op, back, operand, compute);
        let bits = self.reinterpret(narrow, bits_of(ty));
        (self.value_bits(bits, ty), fits)
    }

    /// Bits of an object without those that are no part of its value.
    fn value_bits(&mut self, bits: Operand, ty: Type) -> Operand {
        if ty != Type::F80 {
            return bits;
        }
        let padding = Operand::Int(Type::I32, 48);
        self.binary(BinaryOp::Shl, bits, padding)
    }

    /// A comparison of two values of a type.
    fn holds(&mut self, op: CBinaryOp, a: Operand, b: Operand, ty: TypeId) -> Operand {
        let is_real = self.m.unit.types.is_float(ty);
        let unsigned = !is_real && !self.m.unit.types.is_signed(ty);
        let Some(op) = comparison(op, unsigned) else { unreachable!("`atomic compare` compares") };
        self.compare(op, a, b)
    }

    /// Stores what an atomic operation found, converted to the type of `v`.
    fn deliver(&mut self, v: &Expr, value: Operand, from: TypeId) {
        let value = self.convert(value, from, v.ty.ty);
        let place = self.place(v);
        self.write(place, v.ty.ty, value);
    }

    /// The type and address of an object that is accessed atomically.
    fn atomic_object(&mut self, x: &Expr) -> (Type, Address) {
        let Repr::Scalar(ty) = repr(&self.m.unit.types, x.ty.ty) else {
            unreachable!("atomic objects are scalars")
        };
        match self.place(x) {
            Place::Memory(memory) => (ty, memory.addr),
            Place::Bits(bits) => {
                let message = "atomic access to a bit-field is not supported by accrue";
                self.m.limit(ids::ATOMIC_BIT_FIELD_UNSUPPORTED, x.span, message);
                (ty, bits.memory.addr)
            }
            // A variable of one thread: nothing else can see it, so a copy in memory does.
            Place::Local(_) | Place::Part(..) => self.spilled(x, ty),
        }
    }

    /// An automatic scalar that only its own thread sees still needs an address for the operation.
    fn spilled(&mut self, x: &Expr, ty: Type) -> (Type, Address) {
        let message =
            "this object has no address of its own, so an atomic access to it is not supported by accrue";
        self.m.limit(ids::ATOMIC_LOCAL_UNSUPPORTED, x.span, message);
        (ty, Address { base: Operand::NULL, offset: 0 })
    }

    /// Emits the update; the result is the captured value.
    fn atomic_update(
        &mut self,
        c_type: TypeId,
        ty: Type,
        addr: Address,
        update: Update,
        new_value: Option<bool>,
    ) -> Option<Operand> {
        let types = &self.m.unit.types;
        let signed = types.is_signed(c_type);
        let pointer = matches!(types.get(c_type), CType::Pointer(_));
        let float = ty.is_float() || ty.is_complex();
        let narrows = update.compute != c_type && !self.same_in_width(update.op, c_type, update.compute);
        let simple = arithmetic(update.op, signed, float);
        if let (Some(op), false) = (simple, narrows || pointer || types.is_bool(c_type)) {
            let value = self.convert(update.operand, update.compute, c_type);
            let dst = new_value.map(|_| self.temp(ty));
            let result_new = new_value.unwrap_or(false);
            self.emit(Op::AtomicRmw { dst, op, ty, addr, value, reversed: update.reversed, result_new });
            return dst.map(Operand::Local);
        }
        let (old, new) = self.compare_and_swap_loop(addr, ty, |lower, old| {
            if pointer {
                return lower.step_pointer(old, update.operand, c_type, update.op == CBinaryOp::Sub);
            }
            let wide = lower.convert(old, c_type, update.compute);
            let (a, b) = if update.reversed { (update.operand, wide) } else { (wide, update.operand) };
            let result = lower.arithmetic(update.op, Part::Whole(a), Part::Whole(b), update.compute);
            lower.convert(result, update.compute, c_type)
        });
        new_value.map(|new_value| if new_value { new } else { old })
    }

    /// Whether an operation in the wider integer type gives, cut down, what the same one in the narrow type
    /// gives.
    fn same_in_width(&self, op: CBinaryOp, narrow: TypeId, wide: TypeId) -> bool {
        let types = &self.m.unit.types;
        let (Repr::Scalar(a), Repr::Scalar(b)) = (repr(types, narrow), repr(types, wide)) else {
            return false;
        };
        if !a.is_int() || !b.is_int() || a.bytes() > b.bytes() {
            return false;
        }
        let modular = matches!(
            op,
            CBinaryOp::Add
                | CBinaryOp::Sub
                | CBinaryOp::Mul
                | CBinaryOp::BitAnd
                | CBinaryOp::BitOr
                | CBinaryOp::BitXor
        );
        modular || a == b && types.is_signed(narrow) == types.is_signed(wide)
    }
}

/// What an `atomic compare` compares its object with.
struct Wanted {
    op: CBinaryOp,
    operand: Operand,
    /// The type of the comparison.
    compute: TypeId,
    /// The type of the object.
    c_type: TypeId,
}

/// `x = x op operand`, computed in a type.
struct Update {
    op: CBinaryOp,
    operand: Operand,
    reversed: bool,
    compute: TypeId,
}
