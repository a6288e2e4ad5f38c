//! Atomic operations: instructions on integers where they exist, compare-and-swap loops on everything up to
//! eight bytes, and a lock for wider types.

use super::{Lower, Val, own_memory};
use crate::abi::scalar_type;
use crate::helpers::Helper;
use accrue_ir::{Address, BinaryOp, Local, Operand, Type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AtomicRmwOp, InstBuilder, MemFlagsData, Value, types};

fn plain() -> MemFlagsData {
    MemFlagsData::new()
}

fn locked(ty: Type) -> bool {
    ty.bytes() > 8
}

/// The integer that holds the type's bits.
fn word_type(ty: Type) -> ir::Type {
    match ty.bytes() {
        1 => types::I8,
        2 => types::I16,
        4 => types::I32,
        _ => types::I64,
    }
}

fn native(op: BinaryOp, reversed: bool) -> Option<AtomicRmwOp> {
    Some(match op {
        BinaryOp::Add => AtomicRmwOp::Add,
        BinaryOp::Sub if !reversed => AtomicRmwOp::Sub,
        BinaryOp::And => AtomicRmwOp::And,
        BinaryOp::Or => AtomicRmwOp::Or,
        BinaryOp::Xor => AtomicRmwOp::Xor,
        BinaryOp::SMin => AtomicRmwOp::Smin,
        BinaryOp::SMax => AtomicRmwOp::Smax,
        BinaryOp::UMin => AtomicRmwOp::Umin,
        BinaryOp::UMax => AtomicRmwOp::Umax,
        BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::FDiv
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::FMin
        | BinaryOp::FMax
        | BinaryOp::CopySign
        | BinaryOp::Complex => return None,
    })
}

impl Lower<'_, '_> {
    /// The bits of a value of up to eight bytes.
    fn word_of(&mut self, ty: Type, value: Val) -> Value {
        match value {
            Val::One(v) => self.reinterpret(v, scalar_type(ty), word_type(ty)),
            Val::Pair(re, im) => {
                let low = self.b.ins().bitcast(types::I32, plain(), re);
                let high = self.b.ins().bitcast(types::I32, plain(), im);
                let low = self.b.ins().uextend(types::I64, low);
                let high = self.b.ins().uextend(types::I64, high);
                let high = self.b.ins().ishl_imm_u(high, 32);
                self.b.ins().bor(low, high)
            }
        }
    }

    fn value_of_word(&mut self, ty: Type, word: Value) -> Val {
        if ty != Type::C32 {
            return Val::One(self.reinterpret(word, word_type(ty), scalar_type(ty)));
        }
        let low = self.b.ins().ireduce(types::I32, word);
        let high = self.b.ins().ushr_imm_u(word, 32);
        let high = self.b.ins().ireduce(types::I32, high);
        Val::Pair(
            self.b.ins().bitcast(types::F32, plain(), low),
            self.b.ins().bitcast(types::F32, plain(), high),
        )
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of the operation")]
    pub(super) fn atomic_rmw(
        &mut self,
        dst: Option<Local>,
        op: BinaryOp,
        ty: Type,
        addr: Address,
        value: Operand,
        reversed: bool,
        result_new: bool,
    ) {
        let amount = self.type_of(value);
        let value = self.value(value);
        let at = self.address_of(addr);
        let mut apply = |this: &mut Self, old: Val| {
            if reversed {
                this.binary(ty, op, value, old, ty)
            } else {
                this.binary(ty, op, old, value, amount)
            }
        };
        let (old, new) = if locked(ty) {
            self.helper(Helper::AtomicLock, &[]);
            let old = self.load_at(ty, at, 0, own_memory());
            let new = apply(self, old);
            self.store_at(ty, new, at, 0, own_memory());
            self.helper(Helper::AtomicUnlock, &[]);
            (old, Some(new))
        } else if let Some(native) = native(op, reversed)
            && matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr)
        {
            let old = self.b.ins().atomic_rmw(scalar_type(ty), plain(), native, at, value.first());
            let new = (result_new && dst.is_some()).then(|| apply(self, Val::One(old)));
            (Val::One(old), new)
        } else {
            let (old, new) = self.cas_loop(ty, at, &mut apply);
            (old, Some(new))
        };
        let result = if result_new { new.unwrap_or(old) } else { old };
        if let Some(dst) = dst {
            self.write(dst, result);
        }
    }

    fn cas_loop(&mut self, ty: Type, at: Value, apply: &mut dyn FnMut(&mut Self, Val) -> Val) -> (Val, Val) {
        let word = word_type(ty);
        let first = self.b.ins().atomic_load(word, plain(), at);
        let (again, expected) = self.block_with_param(word);
        let done = self.b.create_block();
        self.b.ins().jump(again, &[first.into()]);
        self.b.switch_to_block(again);
        let old = self.value_of_word(ty, expected);
        let new = apply(self, old);
        let desired = self.word_of(ty, new);
        let found = self.b.ins().atomic_cas(plain(), at, expected, desired);
        let won = self.b.ins().icmp(IntCC::Equal, found, expected);
        self.b.ins().brif(won, done, &[], again, &[found.into()]);
        self.b.seal_block(again);
        self.b.seal_block(done);
        self.b.switch_to_block(done);
        (old, new)
    }

    pub(super) fn atomic_swap(&mut self, dst: Option<Local>, ty: Type, addr: Address, value: Operand) {
        let value = self.value(value);
        let at = self.address_of(addr);
        let old = if locked(ty) {
            self.helper(Helper::AtomicLock, &[]);
            let old = self.load_at(ty, at, 0, own_memory());
            self.store_at(ty, value, at, 0, own_memory());
            self.helper(Helper::AtomicUnlock, &[]);
            old
        } else {
            let word = self.word_of(ty, value);
            let old = self.b.ins().atomic_rmw(word_type(ty), plain(), AtomicRmwOp::Xchg, at, word);
            self.value_of_word(ty, old)
        };
        if let Some(dst) = dst {
            self.write(dst, old);
        }
    }

    pub(super) fn atomic_cas(
        &mut self,
        dst: Local,
        ty: Type,
        addr: Address,
        expected: Operand,
        desired: Operand,
    ) {
        let (expected, desired) = (self.value(expected), self.value(desired));
        let at = self.address_of(addr);
        let found = if locked(ty) {
            self.helper(Helper::AtomicLock, &[]);
            let found = self.load_at(ty, at, 0, own_memory());
            let same = self.same_bits(ty, found, expected);
            let new = self.select(same, desired, found);
            self.store_at(ty, new, at, 0, own_memory());
            self.helper(Helper::AtomicUnlock, &[]);
            found
        } else {
            let expected = self.word_of(ty, expected);
            let desired = self.word_of(ty, desired);
            let found = self.b.ins().atomic_cas(plain(), at, expected, desired);
            self.value_of_word(ty, found)
        };
        self.write(dst, found);
    }

    /// Whether two values of a locked type have the same bits.
    fn same_bits(&mut self, ty: Type, x: Val, y: Val) -> Value {
        let bits = |this: &mut Self, v: Value| {
            let found = this.b.func.dfg.value_type(v);
            let to = if found.bits() == 128 { types::I128 } else { types::I64 };
            this.reinterpret(v, found, to)
        };
        match (x, y) {
            (Val::Pair(a, b), Val::Pair(c, d)) => {
                let (a, b, c, d) = (bits(self, a), bits(self, b), bits(self, c), bits(self, d));
                let first = self.b.ins().icmp(IntCC::Equal, a, c);
                let second = self.b.ins().icmp(IntCC::Equal, b, d);
                self.b.ins().band(first, second)
            }
            (x, y) => {
                debug_assert!(locked(ty));
                let (x, y) = (bits(self, x.first()), bits(self, y.first()));
                self.b.ins().icmp(IntCC::Equal, x, y)
            }
        }
    }

    pub(super) fn atomic_load(&mut self, dst: Local, addr: Address) {
        let ty = self.local_type(dst);
        let at = self.address_of(addr);
        let value = if locked(ty) {
            self.helper(Helper::AtomicLock, &[]);
            let value = self.load_at(ty, at, 0, own_memory());
            self.helper(Helper::AtomicUnlock, &[]);
            value
        } else {
            let word = self.b.ins().atomic_load(word_type(ty), plain(), at);
            self.value_of_word(ty, word)
        };
        self.write(dst, value);
    }

    pub(super) fn atomic_store(&mut self, ty: Type, addr: Address, src: Operand) {
        let value = self.value(src);
        let at = self.address_of(addr);
        if locked(ty) {
            self.helper(Helper::AtomicLock, &[]);
            self.store_at(ty, value, at, 0, own_memory());
            self.helper(Helper::AtomicUnlock, &[]);
        } else {
            let word = self.word_of(ty, value);
            self.b.ins().atomic_store(plain(), word, at);
        }
    }
}
