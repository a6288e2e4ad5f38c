//! Folding of operations on constants, exactly as the program would compute them, and recognition of what a
//! static initialiser may hold.

use super::binary_float::Extended;
use crate::ast::BinaryOp;
use crate::ctype::{CType, FloatKind, IntKind, TypeId, TypeTable};
use crate::typed::{Builtin, CastKind, Expr, ExprKind, FloatConst, FuncId, LabelId, StrId, UnaryOp, VarId};
use std::cmp::Ordering;

/// What an address constant is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressBase {
    /// Nothing: an integer converted to a pointer.
    Absolute,
    /// An object with static storage duration.
    Var(VarId),
    /// A function.
    Func(FuncId),
    /// A string literal.
    Str(StrId),
    /// A label.
    Label(LabelId),
}

/// An address constant (C11 6.6p9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// What it is relative to.
    pub base: AddressBase,
    /// Bytes from there.
    pub offset: i64,
}

impl Address {
    fn plus(self, offset: i64) -> Option<Address> {
        Some(Address { base: self.base, offset: self.offset.checked_add(offset)? })
    }
}

/// The value of a pointer (or integer) expression, if it is an address constant. Whether a variable has
/// static storage duration is for the caller to check.
pub fn address(types: &TypeTable, expr: &Expr) -> Option<Address> {
    match &expr.kind {
        ExprKind::Int(value) => Some(Address { base: AddressBase::Absolute, offset: *value as i64 }),
        ExprKind::Decay(inner) | ExprKind::AddrOf(inner) => lvalue_address(types, inner),
        ExprKind::LabelAddr(label) => Some(Address { base: AddressBase::Label(*label), offset: 0 }),
        ExprKind::Cast(kind, inner) => match kind {
            CastKind::Pointer | CastKind::IntToPointer => address(types, inner),
            CastKind::PointerToInt if types.size(expr.ty.ty) == Some(8) => address(types, inner),
            CastKind::Arithmetic
                if types.size(expr.ty.ty) == Some(8) && types.size(inner.ty.ty) == Some(8) =>
            {
                if types.is_integer(expr.ty.ty) && types.is_integer(inner.ty.ty) {
                    address(types, inner)
                } else {
                    None
                }
            }
            CastKind::Arithmetic | CastKind::PointerToInt | CastKind::ToVoid | CastKind::ToBool => None,
        },
        ExprKind::PtrAdd { pointer, index, subtract } => {
            let ExprKind::Int(index) = index.kind else { return None };
            let size = types.size(types.pointee(pointer.ty.ty)?.ty)? as i128;
            let bytes = index.checked_mul(size)?;
            let bytes = i64::try_from(if *subtract { -bytes } else { bytes }).ok()?;
            address(types, pointer)?.plus(bytes)
        }
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right)
            if types.size(expr.ty.ty) == Some(8) =>
        {
            integer_sum(types, *op, left, right)
        }
        _ => None,
    }
}

/// `(long)&x + 4`.
fn integer_sum(types: &TypeTable, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Address> {
    match (op, &left.kind, &right.kind) {
        (BinaryOp::Add, _, ExprKind::Int(value)) => address(types, left)?.plus(*value as i64),
        (BinaryOp::Add, ExprKind::Int(value), _) => address(types, right)?.plus(*value as i64),
        (BinaryOp::Sub, _, ExprKind::Int(value)) => {
            address(types, left)?.plus((*value as i64).checked_neg()?)
        }
        _ => None,
    }
}

/// The address of an lvalue or function designator.
fn lvalue_address(types: &TypeTable, expr: &Expr) -> Option<Address> {
    match &expr.kind {
        ExprKind::Var(var) | ExprKind::CompoundLiteral(var, _) => {
            Some(Address { base: AddressBase::Var(*var), offset: 0 })
        }
        ExprKind::Func(func) => Some(Address { base: AddressBase::Func(*func), offset: 0 }),
        ExprKind::String(id) => Some(Address { base: AddressBase::Str(*id), offset: 0 }),
        ExprKind::Deref(pointer) => address(types, pointer),
        ExprKind::Member(base, record, index) => {
            let field = &types.records[record.0 as usize].fields.as_ref()?[*index as usize];
            lvalue_address(types, base)?.plus(i64::try_from(field.offset).ok()?)
        }
        ExprKind::Part(base, imaginary) => {
            let half = types.size(expr.ty.ty)? as i64;
            lvalue_address(types, base)?.plus(if *imaginary { half } else { 0 })
        }
        _ => None,
    }
}

/// A real floating value while it is computed with.
#[derive(Clone, Copy)]
enum Real {
    Single(f32),
    Double(f64),
    Extended(Extended),
}

impl Real {
    fn of(value: FloatConst, kind: FloatKind) -> Real {
        match (value, kind) {
            (FloatConst::Double(value), FloatKind::Float) => Real::Single(value as f32),
            (FloatConst::Double(value), FloatKind::Double) => Real::Double(value),
            (FloatConst::Double(value), FloatKind::LongDouble) => Real::Extended(Extended::from_f64(value)),
            (FloatConst::Extended(bytes), FloatKind::LongDouble) => {
                Real::Extended(Extended::from_bytes(bytes))
            }
            (FloatConst::Extended(bytes), FloatKind::Double) => {
                Real::Double(Extended::from_bytes(bytes).to_f64())
            }
            (FloatConst::Extended(bytes), FloatKind::Float) => {
                Real::Single(Extended::from_bytes(bytes).to_f32())
            }
        }
    }

    fn store(self) -> FloatConst {
        match self {
            Real::Single(value) => FloatConst::Double(f64::from(value)),
            Real::Double(value) => FloatConst::Double(value),
            Real::Extended(value) => FloatConst::Extended(value.to_bytes()),
        }
    }

    fn compare(self, other: Real) -> Option<Ordering> {
        match (self, other) {
            (Real::Single(a), Real::Single(b)) => a.partial_cmp(&b),
            (Real::Double(a), Real::Double(b)) => a.partial_cmp(&b),
            (Real::Extended(a), Real::Extended(b)) => a.compare(b),
            _ => None,
        }
    }

    fn is_nan(self) -> bool {
        match self {
            Real::Single(value) => value.is_nan(),
            Real::Double(value) => value.is_nan(),
            Real::Extended(value) => value == Extended::Nan,
        }
    }
}

/// Whether the exact result of an operation on two integers, each signed or not, does not fit an integer of
/// `width` bits.
pub(super) fn overflows(
    builtin: Builtin,
    (a, a_signed): (i128, bool),
    (b, b_signed): (i128, bool),
    width: u32,
    is_signed: bool,
) -> bool {
    let sign = |value: i128, is_signed: bool| if is_signed { value >> 127 } else { 0 };
    let (a_sign, b_sign) = (sign(a, a_signed), sign(b, b_signed));
    // The lowest 128 bits, and those above them.
    let (low, above) = match builtin {
        Builtin::AddOverflow => {
            let (low, carries) = (a as u128).overflowing_add(b as u128);
            (low as i128, a_sign + b_sign + i128::from(carries))
        }
        Builtin::SubOverflow => {
            let (low, borrows) = (a as u128).overflowing_sub(b as u128);
            (low as i128, a_sign - b_sign - i128::from(borrows))
        }
        _ => {
            let halves = |value: i128| [value as u128 & u128::from(u64::MAX), value as u128 >> 64];
            let ([a0, a1], [b0, b1]) = (halves(a), halves(b));
            let [_, carried] = halves((a0 * b0) as i128);
            let [middle, high] = halves((a1 * b0 + carried) as i128);
            let [_, carried] = halves((a0 * b1 + middle) as i128);
            let above = (a1 * b1 + high).wrapping_add(carried) as i128;
            (a.wrapping_mul(b), above.wrapping_sub(a_sign & b).wrapping_sub(b_sign & a))
        }
    };
    let rest = 128 - width;
    let back = if is_signed { low << rest >> rest } else { ((low as u128) << rest >> rest) as i128 };
    back != low || above != sign(back, is_signed)
}

/// Whether a floating constant compares equal to zero.
pub(super) fn float_is_zero(value: FloatConst) -> bool {
    match value {
        FloatConst::Double(value) => value == 0.0,
        FloatConst::Extended(bytes) => Extended::from_bytes(bytes).is_zero(),
    }
}

/// `value`, of format `from`, as format `to`.
pub(super) fn convert_float(value: FloatConst, to: FloatKind) -> FloatConst {
    let from =
        if matches!(value, FloatConst::Extended(_)) { FloatKind::LongDouble } else { FloatKind::Double };
    match (Real::of(value, from), to) {
        (Real::Double(value), FloatKind::Float) => FloatConst::Double(f64::from(value as f32)),
        (Real::Double(value), FloatKind::LongDouble) => {
            FloatConst::Extended(Extended::from_f64(value).to_bytes())
        }
        (Real::Extended(value), FloatKind::Float) => FloatConst::Double(f64::from(value.to_f32())),
        (Real::Extended(value), FloatKind::Double) => FloatConst::Double(value.to_f64()),
        (value, _) => value.store(),
    }
}

/// An integer of type `from` as a floating constant.
pub(super) fn int_to_float(value: i128, from: IntKind, to: FloatKind) -> FloatConst {
    let unsigned = from == IntKind::UInt128;
    match to {
        FloatKind::Float if unsigned => FloatConst::Double(f64::from(value as u128 as f32)),
        FloatKind::Float => FloatConst::Double(f64::from(value as f32)),
        FloatKind::Double if unsigned => FloatConst::Double(value as u128 as f64),
        FloatKind::Double => FloatConst::Double(value as f64),
        FloatKind::LongDouble => FloatConst::Extended(Extended::from_int(value, unsigned).to_bytes()),
    }
}

/// A floating constant truncated to an integer type; what does not fit becomes the nearest end of the range.
pub(super) fn float_to_int(value: FloatConst, to: IntKind) -> i128 {
    let wide = match value {
        FloatConst::Double(value) if value.is_nan() => 0,
        FloatConst::Double(value) => value as i128,
        FloatConst::Extended(bytes) => {
            let value = Extended::from_bytes(bytes);
            let negative = value.compare(Extended::from_int(0, false)) == Some(Ordering::Less);
            value.to_int().unwrap_or(match value {
                Extended::Nan => 0,
                Extended::Infinite(_) | Extended::Finite { .. } => {
                    if negative {
                        i128::MIN
                    } else {
                        i128::MAX
                    }
                }
            })
        }
    };
    if to == IntKind::UInt128 {
        if let FloatConst::Double(value) = value {
            return value as u128 as i128;
        }
        return wide.max(0);
    }
    if to.holds(wide) {
        return wide;
    }
    let bits = to.bits();
    match (to.is_signed(), wide < 0) {
        (true, true) => -(1i128 << (bits - 1)),
        (true, false) => (1i128 << (bits - 1)) - 1,
        (false, true) => 0,
        (false, false) => {
            if bits >= 127 {
                -1
            } else {
                (1i128 << bits) - 1
            }
        }
    }
}

/// What folding an integer operation gave.
pub(super) enum IntFold {
    /// The value.
    Value(i128),
    /// The value after wrapping around, where C leaves it undefined.
    Overflow(i128),
    /// Division by zero.
    DivideByZero,
    /// A shift by a negative amount, or by the width or more.
    BadShift,
}

/// `a op b` in `kind`; comparisons give 0 or 1. Not for `&&` and `||`.
pub(super) fn fold_int(op: BinaryOp, kind: IntKind, a: i128, b: i128) -> IntFold {
    if kind == IntKind::UInt128 {
        return fold_u128(op, a as u128, b as u128);
    }
    let wrapped = |value: Option<i128>, wrapping: i128| match value {
        Some(value) if kind.holds(value) || !kind.is_signed() => IntFold::Value(kind.wrap(value)),
        _ => IntFold::Overflow(kind.wrap(wrapping)),
    };
    match op {
        BinaryOp::Add => wrapped(a.checked_add(b), a.wrapping_add(b)),
        BinaryOp::Sub => wrapped(a.checked_sub(b), a.wrapping_sub(b)),
        BinaryOp::Mul => match a.checked_mul(b) {
            Some(value) => wrapped(Some(value), value),
            // Two 64-bit unsigned factors may leave 127 bits; only the low ones count.
            None if !kind.is_signed() => IntFold::Value(kind.wrap(a.wrapping_mul(b))),
            None => IntFold::Overflow(kind.wrap(a.wrapping_mul(b))),
        },
        BinaryOp::Div | BinaryOp::Rem if b == 0 => IntFold::DivideByZero,
        BinaryOp::Div => wrapped(a.checked_div(b), a),
        BinaryOp::Rem => wrapped(a.checked_rem(b), 0),
        BinaryOp::Shl | BinaryOp::Shr if b < 0 || b >= i128::from(kind.bits()) => IntFold::BadShift,
        BinaryOp::Shl => IntFold::Value(kind.wrap(a << b)),
        BinaryOp::Shr => IntFold::Value(a >> b),
        BinaryOp::BitAnd => IntFold::Value(a & b),
        BinaryOp::BitOr => IntFold::Value(a | b),
        BinaryOp::BitXor => IntFold::Value(a ^ b),
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
            IntFold::Value(i128::from(ordered(op, Some(a.cmp(&b)))))
        }
        BinaryOp::LogAnd => IntFold::Value(i128::from(a != 0 && b != 0)),
        BinaryOp::LogOr => IntFold::Value(i128::from(a != 0 || b != 0)),
    }
}

fn fold_u128(op: BinaryOp, a: u128, b: u128) -> IntFold {
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return IntFold::DivideByZero,
        BinaryOp::Div => a / b,
        BinaryOp::Rem => a % b,
        BinaryOp::Shl | BinaryOp::Shr if b >= 128 => return IntFold::BadShift,
        BinaryOp::Shl => a << b,
        BinaryOp::Shr => a >> b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
            u128::from(ordered(op, Some(a.cmp(&b))))
        }
        BinaryOp::LogAnd => u128::from(a != 0 && b != 0),
        BinaryOp::LogOr => u128::from(a != 0 || b != 0),
    };
    IntFold::Value(value as i128)
}

/// The truth of a comparison, given the order of its operands (none: unordered).
fn ordered(op: BinaryOp, order: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Lt => order == Some(Ordering::Less),
        BinaryOp::Gt => order == Some(Ordering::Greater),
        BinaryOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        BinaryOp::Eq => order == Some(Ordering::Equal),
        _ => order != Some(Ordering::Equal),
    }
}

/// `a op b` in a real floating format, for `+ - * /`; none for other operators and, unless `with_nan`, where
/// the result is not a number: its sign is then the processor's business.
pub(super) fn fold_float(
    op: BinaryOp,
    kind: FloatKind,
    a: FloatConst,
    b: FloatConst,
    with_nan: bool,
) -> Option<FloatConst> {
    let result = match (Real::of(a, kind), Real::of(b, kind)) {
        (Real::Single(a), Real::Single(b)) => Real::Single(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            _ => return None,
        }),
        (Real::Double(a), Real::Double(b)) => Real::Double(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            _ => return None,
        }),
        (Real::Extended(a), Real::Extended(b)) => Real::Extended(match op {
            BinaryOp::Add => a.add(b),
            BinaryOp::Sub => a.add(b.negate()),
            BinaryOp::Mul => a.mul(b),
            BinaryOp::Div => a.div(b),
            _ => return None,
        }),
        _ => return None,
    };
    if result.is_nan() && !with_nan { None } else { Some(result.store()) }
}

/// A comparison of two floating constants of one format; none for other operators.
pub(super) fn compare_floats(op: BinaryOp, kind: FloatKind, a: FloatConst, b: FloatConst) -> Option<bool> {
    match op {
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
            Some(ordered(op, Real::of(a, kind).compare(Real::of(b, kind))))
        }
        _ => None,
    }
}

/// `-value`.
pub(super) fn negate_float(value: FloatConst) -> FloatConst {
    match value {
        FloatConst::Double(value) => FloatConst::Double(-value),
        FloatConst::Extended(mut bytes) => {
            bytes[9] ^= 0x80;
            FloatConst::Extended(bytes)
        }
    }
}

/// The truth of a constant scalar; none if the expression is not constant. Addresses of objects are not zero.
pub(super) fn truth(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value != 0),
        ExprKind::Float(value) => Some(!float_is_zero(*value)),
        ExprKind::Complex(re, im) => Some(truth(re)? || truth(im)?),
        ExprKind::Decay(inner) if matches!(inner.kind, ExprKind::String(_)) => Some(true),
        _ => None,
    }
}

/// Folds a unary operator on a constant of its own (promoted) type.
pub(super) fn fold_unary(types: &TypeTable, op: UnaryOp, operand: &Expr) -> Option<ExprKind> {
    let kind = types.int_kind(operand.ty.ty);
    match (op, &operand.kind, kind) {
        (UnaryOp::Neg, ExprKind::Int(value), Some(kind)) => {
            Some(ExprKind::Int(kind.wrap(value.wrapping_neg())))
        }
        (UnaryOp::BitNot, ExprKind::Int(value), Some(kind)) => Some(ExprKind::Int(kind.wrap(!value))),
        (UnaryOp::Not, _, _) => truth(operand).map(|truth| ExprKind::Int(i128::from(!truth))),
        (UnaryOp::Neg, ExprKind::Float(value), _) => Some(ExprKind::Float(negate_float(*value))),
        (UnaryOp::Neg, ExprKind::Complex(re, im), _) => {
            Some(ExprKind::Complex(Box::new(negated(re)?), Box::new(negated(im)?)))
        }
        (UnaryOp::Conj, ExprKind::Complex(re, im), _) => {
            Some(ExprKind::Complex(re.clone(), Box::new(negated(im)?)))
        }
        (UnaryOp::Real, ExprKind::Complex(part, _), _) | (UnaryOp::Imag, ExprKind::Complex(_, part), _) => {
            matches!(part.kind, ExprKind::Float(_)).then(|| part.kind.clone())
        }
        _ => None,
    }
}

fn negated(part: &Expr) -> Option<Expr> {
    let ExprKind::Float(value) = part.kind else { return None };
    Some(Expr { kind: ExprKind::Float(negate_float(value)), ty: part.ty, span: part.span })
}

/// `a op b` for complex constants, for `+` and `-`, and for `*` with a factor one of whose parts is zero:
/// what headers write as `re + im * I`. Everything else is left to run time.
pub(super) fn fold_complex(
    op: BinaryOp,
    kind: FloatKind,
    a: [FloatConst; 2],
    b: [FloatConst; 2],
) -> Option<[FloatConst; 2]> {
    let fold = |op, x, y| fold_float(op, kind, x, y, false);
    match op {
        BinaryOp::Add | BinaryOp::Sub => Some([fold(op, a[0], b[0])?, fold(op, a[1], b[1])?]),
        BinaryOp::Mul => {
            let [ac, bd] = [fold(op, a[0], b[0])?, fold(op, a[1], b[1])?];
            let [ad, bc] = [fold(op, a[0], b[1])?, fold(op, a[1], b[0])?];
            Some([fold(BinaryOp::Sub, ac, bd)?, fold(BinaryOp::Add, ad, bc)?])
        }
        _ => None,
    }
}

/// Whether an expression may initialise an object with static storage duration.
pub(super) fn is_static_constant(types: &TypeTable, expr: &Expr, is_static: &dyn Fn(VarId) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) => true,
        ExprKind::Complex(re, im) => {
            is_static_constant(types, re, is_static) && is_static_constant(types, im, is_static)
        }
        _ if matches!(types.get(expr.ty.ty), CType::Error) => true,
        _ => address(types, expr).is_some_and(|address| match address.base {
            AddressBase::Var(var) => is_static(var),
            AddressBase::Absolute | AddressBase::Func(_) | AddressBase::Str(_) | AddressBase::Label(_) => {
                true
            }
        }),
    }
}

/// The integer behind an absolute address (`&((struct s *)0)->m`).
pub(super) fn absolute_address(types: &TypeTable, expr: &Expr) -> Option<i64> {
    match address(types, expr)? {
        Address { base: AddressBase::Absolute, offset } => Some(offset),
        _ => None,
    }
}

/// The type a constant of `ty` is stored as when folded, if its kind can be folded at all.
pub(super) fn int_type(types: &TypeTable, ty: TypeId) -> Option<IntKind> {
    types.int_kind(ty)
}
