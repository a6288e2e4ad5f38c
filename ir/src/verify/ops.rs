//! Types of operations and terminators.
//!
//! T stands for one type throughout a line. *int* is i8 to i128, *float* f32, f64, f80, *complex* c32, c64,
//! *ivec* and *fvec* the vectors of integers and floats.
//!
//! | operation | result | operands |
//! | --- | --- | --- |
//! | `copy` | T | T |
//! | `neg` | T | T: int, float, complex, vector |
//! | `not` | T | T: i1, int, ivec |
//! | `fabs` `sqrt` `floor` `ceil` `trunc` `nearest` | T | T: float, fvec |
//! | `clz` `ctz` `popcnt` `bswap` | T | T: int |
//! | `re` `im` | element of T | T: complex |
//! | `conj` | T | T: complex |
//! | `splat` | T: vector | element of T |
//! | `add` `sub` `mul` | T | T: int, float, complex, vector |
//! | `sdiv` `udiv` `srem` `urem` | T | T: int |
//! | `fdiv` | T | T: float, complex, fvec |
//! | `and` `or` `xor` | T | T: i1, int, ivec |
//! | `shl` `lshr` `ashr` | T: int, ivec | T, any int |
//! | `smin` `smax` `umin` `umax` | T | T: int, ivec |
//! | `fmin` `fmax` `copysign` | T | T: float, fvec |
//! | `complex` | T: complex | element of T, twice |
//! | `cmp.eq` `cmp.ne` | i1 | T: i1, int, ptr, float, complex |
//! | `cmp.lt` `le` `gt` `ge` | i1 | T: int, float |
//! | `cmp.ult` `ule` `ugt` `uge` | i1 | T: int, ptr |
//! | `cmp.unordered` | i1 | T: float |
//! | `convert.sext` | int | narrower int |
//! | `convert.zext` | int | i1 or narrower int |
//! | `convert.trunc` | int | wider int |
//! | `convert.stof` | float | int |
//! | `convert.stof` | f32x4 | i32x4 |
//! | `convert.utof` | float | int |
//! | `convert.ftos` `ftou` | int | float |
//! | `convert.ftof` `ctoc` | float, complex | another of these |
//! | `convert.bits` | same bytes: int, ptr, f32, f64, vector | the same |
//! | `select` | T | i1, T, T |
//! | `fma` | T: f32, f64, vectors of these | T, T, T |
//! | `index` | ptr | ptr, i64 |
//! | `load` `store` and atomics | any type but i1 | the address is a ptr; values have the type in memory |
//! | `mem_copy`, `mem_set` | | ptr; bytes i64, value i8 |
//! | `call` | as the signature says | arguments as the signature says; further ones are int, float, ptr |
//! | `stack_alloc`, `stack_save`, `stack_restore` | ptr | bytes i64; ptr |
//! | `va_start` `va_copy` `va_arg` | int, float, ptr | ptr |
//! | `va_arg_aggregate`, `frame_address`, `return_address` | ptr | ptr |
//! | `extract_lane` | element of T | T: vector; the lane exists |
//! | `insert_lane` | T | T: vector, element of T; the lane exists |
//! | `swiden` `uwiden` | T: ivec | ivec with lanes of half the width; 0 or 1 |
//! | `snarrow` `unarrow` | T: ivec | ivec with lanes of twice the width, twice |
//! | `dim_size` `dim_pos` | int | |
//! | `loop_share` | i64 | i64 |
//! | `branch`, `switch`, `return` | | i1; int; as the signature says |

use super::body::{BodyVerifier, pass_type};
use crate::entities::{Block, Local, Sig};
use crate::op::{Access, Address, BinaryOp, Callee, CmpOp, ConvertOp, Op, Operand, Terminator, UnaryOp};
use crate::types::{PassBy, Type};

fn is_float_like(ty: Type) -> bool {
    ty.is_float() || matches!(ty, Type::F32x4 | Type::F64x2)
}

fn is_int_like(ty: Type) -> bool {
    ty.is_int() || ty.is_vector() && ty.element().is_int()
}

/// The vector of integers of half the width.
fn half_of(ty: Type) -> Option<Type> {
    match ty {
        Type::I16x8 => Some(Type::I8x16),
        Type::I32x4 => Some(Type::I16x8),
        Type::I64x2 => Some(Type::I32x4),
        _ => None,
    }
}

fn is_arithmetic(ty: Type) -> bool {
    is_int_like(ty) || is_float_like(ty) || ty.is_complex()
}

/// A type that can be passed where a signature has no parameter.
fn is_plain_scalar(ty: Type) -> bool {
    ty.is_int() || ty.is_float() || ty == Type::Ptr
}

/// Whether a unary operator takes the type.
fn unary_takes(op: UnaryOp, ty: Type) -> bool {
    match op {
        UnaryOp::Neg => is_arithmetic(ty),
        UnaryOp::Not => ty == Type::I1 || is_int_like(ty),
        UnaryOp::FAbs
        | UnaryOp::Sqrt
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::Nearest => is_float_like(ty),
        UnaryOp::Exp2 => ty == Type::F32,
        UnaryOp::Reciprocal | UnaryOp::ReciprocalRoot => matches!(ty, Type::F32 | Type::F64),
        UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Popcnt | UnaryOp::Bswap => ty.is_int(),
        UnaryOp::Re | UnaryOp::Im | UnaryOp::Conj => ty.is_complex(),
        UnaryOp::Splat => !ty.is_vector(),
    }
}

/// Whether a binary operator makes the type.
fn binary_makes(op: BinaryOp, ty: Type) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => is_arithmetic(ty),
        BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => ty.is_int(),
        BinaryOp::FDiv => is_float_like(ty) || ty.is_complex(),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => ty == Type::I1 || is_int_like(ty),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => is_int_like(ty),
        BinaryOp::SMin | BinaryOp::SMax | BinaryOp::UMin | BinaryOp::UMax => is_int_like(ty),
        BinaryOp::FMin | BinaryOp::FMax | BinaryOp::CopySign => is_float_like(ty),
        BinaryOp::Complex => ty.is_complex(),
    }
}

/// Whether a comparison takes the type.
pub(super) fn compares(op: CmpOp, ty: Type) -> bool {
    let element = if ty.is_vector() { ty.element() } else { ty };
    match op {
        CmpOp::Eq | CmpOp::Ne => true,
        CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge => element.is_int() || element.is_float(),
        CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe => element.is_int() || ty == Type::Ptr,
        CmpOp::Unordered => element.is_float(),
    }
}

/// Whether a conversion leads from one type to another.
fn converts(op: ConvertOp, from: Type, to: Type) -> bool {
    let bits_kept =
        |ty: Type| ty.is_int() || matches!(ty, Type::Ptr | Type::F32 | Type::F64) || ty.is_vector();
    match op {
        ConvertOp::SExt => from.is_int() && to.is_int() && from.bytes() < to.bytes(),
        ConvertOp::ZExt => to.is_int() && (from == Type::I1 || from.is_int() && from.bytes() < to.bytes()),
        ConvertOp::Trunc => from.is_int() && to.is_int() && from.bytes() > to.bytes(),
        ConvertOp::SToF => from.is_int() && to.is_float() || (from, to) == (Type::I32x4, Type::F32x4),
        ConvertOp::UToF => from.is_int() && to.is_float(),
        ConvertOp::FToS | ConvertOp::FToU => from.is_float() && to.is_int(),
        ConvertOp::FToF => from.is_float() && to.is_float() && from != to,
        ConvertOp::Bits => bits_kept(from) && bits_kept(to) && from.bytes() == to.bytes(),
        ConvertOp::CToC => from.is_complex() && to.is_complex() && from != to,
    }
}

impl BodyVerifier<'_> {
    fn address(&mut self, what: &str, address: Address) {
        self.expect(what, address.base, Type::Ptr);
    }

    fn access(&mut self, ty: Type, addr: Address, access: Access) {
        self.memory(ty, addr);
        self.power_of_two(access.align);
    }

    fn memory(&mut self, ty: Type, addr: Address) {
        self.check(ty != Type::I1, || "i1 is not kept in memory".to_owned());
        self.address("the base of the address", addr);
    }

    fn result(&mut self, dst: Option<Local>, ty: Type) {
        if let Some(dst) = dst {
            self.expect_local("the result", dst, ty);
        }
    }

    /// `a op b` with a result of this type.
    fn binary(&mut self, op: BinaryOp, ty: Type, a: Operand, b: Operand) {
        self.check(binary_makes(op, ty), || format!("the operation is not defined for {ty}"));
        let operand = if op == BinaryOp::Complex { ty.element() } else { ty };
        self.expect("the first operand", a, operand);
        if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
            let amount = self.ty(b);
            self.check(amount.is_int(), || format!("the amount is {amount}, no integer"));
        } else {
            self.expect("the second operand", b, operand);
        }
    }

    fn unary(&mut self, op: UnaryOp, dst: Local, src: Operand) {
        let (from, to) = (self.ty(src), self.ty(Operand::Local(dst)));
        self.check(unary_takes(op, from), || format!("the operation is not defined for {from}"));
        match op {
            UnaryOp::Re | UnaryOp::Im => self.expect_local("the result", dst, from.element()),
            UnaryOp::Splat => {
                self.check(to.is_vector(), || format!("the result is {to}, no vector"));
                self.expect("the operand", src, to.element());
            }
            UnaryOp::Neg
            | UnaryOp::Not
            | UnaryOp::FAbs
            | UnaryOp::Sqrt
            | UnaryOp::Exp2
            | UnaryOp::Reciprocal
            | UnaryOp::ReciprocalRoot
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::Nearest
            | UnaryOp::Clz
            | UnaryOp::Ctz
            | UnaryOp::Popcnt
            | UnaryOp::Bswap
            | UnaryOp::Conj => self.expect_local("the result", dst, from),
        }
    }

    fn lane(&mut self, vector: Operand, lane: u8) -> Type {
        let ty = self.ty(vector);
        self.check(ty.is_vector(), || format!("the operand is {ty}, no vector"));
        self.check(u32::from(lane) < ty.lanes(), || format!("{ty} has no lane {lane}"));
        ty
    }

    /// The operation of the current instruction.
    pub(super) fn op(&mut self, op: &Op) {
        match op {
            Op::Copy { dst, src } => {
                let ty = self.ty(*src);
                self.expect_local("the result", *dst, ty);
            }
            Op::Unary { dst, op, src } => self.unary(*op, *dst, *src),
            Op::Binary { dst, op, a, b } => {
                let ty = self.ty(Operand::Local(*dst));
                self.binary(*op, ty, *a, *b);
            }
            Op::Compare { dst, op, a, b } => {
                let ty = self.ty(*a);
                self.check(compares(*op, ty), || format!("the comparison is not defined for {ty}"));
                self.expect("the second operand", *b, ty);
                self.expect_local("the result", *dst, ty.comparison());
            }
            Op::Convert { dst, op, src } => {
                let (from, to) = (self.ty(*src), self.ty(Operand::Local(*dst)));
                self.check(converts(*op, from, to), || format!("it does not convert {from} to {to}"));
            }
            Op::Select { dst, cond, a, b } => {
                let ty = self.ty(Operand::Local(*dst));
                let condition = if self.ty(*cond).is_vector() { ty.comparison() } else { Type::I1 };
                self.expect("the condition", *cond, condition);
                self.expect("the second operand", *a, ty);
                self.expect("the third operand", *b, ty);
            }
            Op::Fma { dst, a, b, c } => {
                let ty = self.ty(Operand::Local(*dst));
                let is_one = matches!(ty, Type::F32 | Type::F64 | Type::F32x4 | Type::F64x2);
                self.check(is_one, || format!("it is not for {ty}"));
                for (what, operand) in
                    [("the first operand", a), ("the second operand", b), ("the third operand", c)]
                {
                    self.expect(what, *operand, ty);
                }
            }
            Op::Index { dst, base, index, scale: _, offset: _, extent } => {
                self.expect("the base", *base, Type::Ptr);
                let narrow = self.ty(*index) == Type::I32;
                self.expect("the index", *index, if narrow { Type::I32 } else { Type::I64 });
                self.expect_local("the result", *dst, Type::Ptr);
                self.check(extent.is_none_or(|extent| extent.get() > 1), || "an extent is 2 or more".into());
            }
            Op::Load { dst, addr, access } => {
                let ty = self.ty(Operand::Local(*dst));
                self.access(ty, *addr, *access);
            }
            Op::Store { ty, addr, src, access } => {
                self.access(*ty, *addr, *access);
                self.expect("the value", *src, *ty);
            }
            Op::MemCopy { dst, src, bytes, align } => {
                self.address("the base of the destination", *dst);
                self.address("the base of the source", *src);
                self.expect("the size", *bytes, Type::I64);
                self.power_of_two(*align);
            }
            Op::MemSet { dst, value, bytes, align } => {
                self.address("the base of the destination", *dst);
                self.expect("the value", *value, Type::I8);
                self.expect("the size", *bytes, Type::I64);
                self.power_of_two(*align);
            }
            Op::AtomicRmw { dst, op, ty, addr, value, reversed, result_new: _ } => {
                self.memory(*ty, *addr);
                self.result(*dst, *ty);
                self.atomic_operator(*op, *ty, *value, *reversed);
            }
            Op::AtomicSwap { dst, ty, addr, value } => {
                self.memory(*ty, *addr);
                self.expect("the value", *value, *ty);
                self.result(*dst, *ty);
            }
            Op::AtomicCas { dst, ty, addr, expected, desired } => {
                self.memory(*ty, *addr);
                self.expect("the expected value", *expected, *ty);
                self.expect("the desired value", *desired, *ty);
                self.result(Some(*dst), *ty);
            }
            Op::AtomicLoad { dst, addr } => {
                let ty = self.ty(Operand::Local(*dst));
                self.memory(ty, *addr);
            }
            Op::AtomicStore { ty, addr, src } => {
                self.memory(*ty, *addr);
                self.expect("the value", *src, *ty);
            }
            Op::Call { dst, callee, sig, args, dest } => self.call(*dst, *callee, *sig, args, *dest),
            Op::StackAlloc { dst, bytes, align, each: _ } => {
                self.expect("the size", *bytes, Type::I64);
                self.expect_local("the result", *dst, Type::Ptr);
                self.power_of_two(*align);
            }
            Op::StackSave { dst, each: _ } | Op::FrameAddress { dst, level: _, return_address: _ } => {
                self.expect_local("the result", *dst, Type::Ptr);
            }
            Op::StackRestore { saved, each: _ } => self.expect("the operand", *saved, Type::Ptr),
            Op::VaStart { list } => self.expect("the list", *list, Type::Ptr),
            Op::VaArg { dst, list } => {
                let ty = self.ty(Operand::Local(*dst));
                self.check(is_plain_scalar(ty), || format!("{ty} does not cross calls as a scalar"));
                self.expect("the list", *list, Type::Ptr);
            }
            Op::VaArgAggregate { dst, list, agg: _ } => {
                self.expect("the list", *list, Type::Ptr);
                self.expect_local("the result", *dst, Type::Ptr);
            }
            Op::VaCopy { dst, src } => {
                self.expect("the first list", *dst, Type::Ptr);
                self.expect("the second list", *src, Type::Ptr);
            }
            Op::ExtractLane { dst, src, lane } => {
                let ty = self.lane(*src, *lane);
                self.expect_local("the result", *dst, ty.element());
            }
            Op::InsertLane { dst, src, value, lane } => {
                let ty = self.lane(*src, *lane);
                self.expect("the value", *value, ty.element());
                self.expect_local("the result", *dst, ty);
            }
            Op::Widen { dst, src, half, signed: _ } => {
                let (from, to) = (self.ty(*src), self.ty(Operand::Local(*dst)));
                self.check(half_of(to) == Some(from), || format!("{from} is not half as wide as {to}"));
                self.check(*half < 2, || format!("there is no half {half}"));
            }
            Op::Narrow { dst, a, b, signed: _ } => {
                let (from, to) = (self.ty(*a), self.ty(Operand::Local(*dst)));
                self.check(half_of(from) == Some(to), || format!("{to} is not half as wide as {from}"));
                self.expect("the second operand", *b, from);
            }
            Op::Fence | Op::Trap => {}
            Op::Launch(launch) => self.launch(launch),
            Op::Data(data) => self.data(data),
            Op::HeadMark { .. }
            | Op::TailMark { .. }
            | Op::Fork { .. }
            | Op::Join { .. }
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::Barrier { .. } => self.in_device_code(),
            // Functions that a team calls are ordinary ones.
            Op::Meet { dst, any } => {
                self.expect("what a thread says", *any, Type::I1);
                self.expect_local("the result", *dst, Type::I1);
            }
            Op::LastGang { dst } => {
                self.in_device_code();
                self.expect_local("the result", *dst, Type::I1);
            }
            Op::Instance { dst, slot, gang } => {
                self.in_device_code();
                let is_slot = matches!(slot, Operand::Slot(_));
                self.check(is_slot, || "an instance of something else than a slot".to_owned());
                self.expect("the gang", *gang, Type::I32);
                self.expect_local("the result", *dst, Type::Ptr);
            }
            Op::LaneReduce { dst, op: _, src } => {
                self.in_device_code();
                self.expect("the value", *src, Type::I32);
                self.expect_local("the result", *dst, Type::I32);
            }
            Op::Shuffle { dst, src, by, mode: _ } => {
                self.in_device_code();
                let ty = self.ty(*src);
                self.expect_local("the result", *dst, ty);
                self.expect("the lane", *by, Type::I32);
            }
            Op::Reduction(reduction) => {
                self.in_device_code();
                self.reduction(reduction);
            }
            Op::OnDevice { dst, device } => {
                self.expect("the kind of device", *device, Type::I32);
                self.expect_local("the result", *dst, Type::I1);
            }
            Op::DimSize { dst, level: _ } | Op::DimPos { dst, level: _ } => {
                let ty = self.ty(Operand::Local(*dst));
                self.check(ty.is_int(), || format!("the result is {ty}, no integer"));
            }
            Op::LoopShare { dst, share: _, loop_: _, trip } => {
                self.in_device_code();
                let ty = self.ty(*trip);
                self.check(matches!(ty, Type::I32 | Type::I64), || format!("the trip count is {ty}"));
                self.expect_local("the result", *dst, ty);
            }
        }
    }

    fn atomic_operator(&mut self, op: BinaryOp, ty: Type, value: Operand, reversed: bool) {
        self.check(op != BinaryOp::Complex, || "the operands of `complex` have another type".to_owned());
        self.check(binary_makes(op, ty), || format!("the operation is not defined for {ty}"));
        // Only the amount of a shift may have another type than what is in memory.
        if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) && !reversed {
            let amount = self.ty(value);
            self.check(amount.is_int(), || format!("the amount is {amount}, no integer"));
        } else {
            self.expect("the value", value, ty);
        }
    }

    fn in_device_code(&mut self) {
        let device = self.is_device_code();
        self.check(device, || "this belongs into a region or routine".to_owned());
    }

    fn call(
        &mut self,
        dst: Option<Local>,
        callee: Callee,
        sig: Sig,
        args: &[Operand],
        dest: Option<Operand>,
    ) {
        let signature = &self.module.signatures[sig];
        match callee {
            Callee::Direct(func) => {
                let launched = self.module.functions[func].kind.launched().is_some();
                self.check(!launched, || "a region is launched, not called".to_owned());
            }
            Callee::Indirect(address) => self.expect("the function", address, Type::Ptr),
        }
        let (given, wanted) = (args.len(), signature.params.len());
        let enough = if signature.variadic { given >= wanted } else { given == wanted };
        self.check(enough, || format!("{given} arguments for {wanted} parameters"));
        for (i, arg) in args.iter().enumerate() {
            match signature.params.get(i) {
                Some(pass) => self.expect(&format!("argument {i}"), *arg, pass_type(*pass)),
                None => {
                    let ty = self.ty(*arg);
                    self.check(is_plain_scalar(ty), || format!("{ty} does not cross calls as a scalar"));
                }
            }
        }
        match signature.result {
            Some(PassBy::Scalar(ty, _)) => self.result(dst, ty),
            Some(PassBy::Aggregate(_)) | None => {
                self.check(dst.is_none(), || "the signature has no scalar result".to_owned());
            }
        }
        let aggregate = matches!(signature.result, Some(PassBy::Aggregate(_)));
        self.check(dest.is_some() == aggregate, || {
            "an aggregate result, and only that, needs an address that receives it".to_owned()
        });
        self.expect_optional("the address of the result", dest, Type::Ptr);
    }

    /// The terminator of the current block.
    pub(super) fn terminator(&mut self, term: &Terminator) {
        match term {
            Terminator::Jump(_) | Terminator::Unreachable => {}
            Terminator::Branch { cond, then: _, otherwise: _ } => {
                self.expect("the condition", *cond, Type::I1)
            }
            Terminator::Switch { value, cases, default: _ } => {
                let ty = self.ty(*value);
                self.check(ty.is_int(), || format!("the value is {ty}, no integer"));
                self.cases(ty, cases);
            }
            Terminator::Return(value) => match (self.signature.result, value) {
                (None, None) => {}
                (Some(pass), Some(value)) => self.expect("the value", *value, pass_type(pass)),
                (Some(_), None) => self.fail("the function has a result"),
                (None, Some(_)) => self.fail("the function has no result"),
            },
        }
    }

    fn cases(&mut self, ty: Type, cases: &[(i64, i64, Block)]) {
        let mut ranges: Vec<(i64, i64)> = cases.iter().map(|(low, high, _)| (*low, *high)).collect();
        for (low, high) in &ranges {
            self.check(low <= high, || format!("the case {low}..={high} is empty"));
            let shift = 64 - ty.int_bits().unwrap_or(64).min(64);
            let fits = [low, high].iter().all(|value| **value << shift >> shift == **value);
            self.check(fits, || format!("the case {low}..={high} is out of range for {ty}"));
        }
        ranges.sort_unstable();
        if let Some(pair) = ranges.windows(2).find(|pair| pair[0].1 >= pair[1].0) {
            self.fail(format!(
                "the cases {}..={} and {}..={} overlap",
                pair[0].0, pair[0].1, pair[1].0, pair[1].1
            ));
        }
    }
}
