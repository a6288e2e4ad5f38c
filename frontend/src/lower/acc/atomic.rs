//! `atomic` constructs.

use super::super::expr::{Part, arithmetic};
use super::super::function::FnLower;
use super::super::lvalue::Place;
use super::super::types::{Repr, repr};
use crate::ctype::{CType, TypeId};
use crate::diag::ids;
use crate::typed::{Atomic, BinaryOp as CBinaryOp, Expr};
use accrue_ir::{Address, Op, Operand, Type};

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
        }
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

/// `x = x op operand`, computed in a type.
struct Update {
    op: CBinaryOp,
    operand: Operand,
    reversed: bool,
    compute: TypeId,
}
