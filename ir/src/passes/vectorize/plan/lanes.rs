//! Which operations can be done in lanes of a width, and what has to be true of a lane for that.
//!
//! C computes with 32 bits what it loads and stores with 8 or 16. A lane may therefore be wider or narrower
//! than the value that it stands for: it has the lowest bits of the value, as many as both have. What the
//! bits of a lane say beyond a narrow value is known of loads only, and made where an operation asks for it.
//! A lane that is too narrow for a value is enough where no more of it is asked for, as sums, products and
//! stores do, or where the value is certain to fit.

use crate::analysis::iteration::{Iteration, Node, Value};
use crate::op::{BinaryOp, CmpOp, ConvertOp, Op, UnaryOp};
use crate::types::Type;

/// The least and the greatest number that a value can be, as a signed one of its type.
pub type Range = (i64, i64);

/// The lanes of a vector, and what is known of the values of an iteration.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// Bits of a lane.
    pub bits: u32,
    /// The ranges of all values; those of what is no integer say nothing.
    pub ranges: Vec<Range>,
}

/// What an operation asks of the lanes of an operand that are wider than its values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extended {
    /// Nothing.
    Any,
    /// The number with its sign.
    Signed,
    /// The number without a sign.
    Unsigned,
}

/// An operation on vectors.
#[derive(Clone, Debug)]
pub struct Wide<'a> {
    /// What it does lane by lane; `None` if it gives its operand as it is asked for.
    pub op: Option<Op>,
    /// Its operands that are vectors; what is left of them is the same in all iterations and stays as it is.
    pub args: &'a [Value],
    /// What is asked of these.
    pub extended: Extended,
}

/// Bits of an integer of up to 64 bits; not of a truth value.
pub fn int_bits(ty: Type) -> Option<u32> {
    match ty {
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => Some(ty.bytes() * 8),
        _ => None,
    }
}

/// The condition that a value is as a number, 0 or 1.
pub fn as_number(iteration: &Iteration, value: Value) -> Option<Value> {
    match iteration.op(value) {
        Some((Op::Convert { op: ConvertOp::ZExt, .. }, args)) if iteration.ty(args[0]) == Type::I1 => {
            Some(args[0])
        }
        _ => None,
    }
}

/// The number of up to 32 bits that one of 64 bits is widened from, and how.
pub fn widened(iteration: &Iteration, value: Value) -> Option<(Value, Extended)> {
    let (Op::Convert { op, .. }, args) = iteration.op(value)? else { return None };
    let extended = match op {
        ConvertOp::SExt => Extended::Signed,
        ConvertOp::ZExt => Extended::Unsigned,
        _ => return None,
    };
    let is_widening = iteration.ty(value) == Type::I64 && int_bits(iteration.ty(args[0])).is_some();
    is_widening.then_some((args[0], extended))
}

impl Lanes {
    /// Finds the ranges of all values of an iteration.
    pub fn new(iteration: &Iteration, bits: u32) -> Lanes {
        let mut lanes = Lanes { bits, ranges: Vec::with_capacity(iteration.nodes.len()) };
        for n in 0..iteration.nodes.len() {
            let range = lanes.find(iteration, Value(n as u32));
            lanes.ranges.push(range);
        }
        lanes
    }

    /// The range of a value.
    pub fn range(&self, value: Value) -> Range {
        self.ranges[value.0 as usize]
    }

    fn find(&self, iteration: &Iteration, value: Value) -> Range {
        let Some(bits) = int_bits(iteration.ty(value)) else { return signed(64) };
        let all = signed(bits);
        if let Some(constant) = iteration.constant(value) {
            let constant = constant << (64 - bits) >> (64 - bits);
            return (constant, constant);
        }
        let Node::Op { op, args, .. } = iteration.node(value) else { return all };
        let of = |n: usize| -> (i128, i128) {
            let (low, high) = self.range(args[n]);
            (i128::from(low), i128::from(high))
        };
        let narrow = |n: usize| int_bits(iteration.ty(args[n])).unwrap_or(1);
        let fitting = |low: i128, high: i128| match (i64::try_from(low), i64::try_from(high)) {
            (Ok(low), Ok(high)) if all.0 <= low && high <= all.1 => (low, high),
            _ => all,
        };
        let amount = || iteration.constant(args[1]).filter(|amount| (0..i64::from(bits)).contains(amount));
        match *op {
            Op::Binary { op, .. } => {
                let ((a, b), (c, d)) = (of(0), of(1));
                match op {
                    BinaryOp::Add => fitting(a + c, b + d),
                    BinaryOp::Sub => fitting(a - d, b - c),
                    BinaryOp::Mul => {
                        let ends = [a * c, a * d, b * c, b * d];
                        let [low, high] = [ends.iter().min(), ends.iter().max()];
                        fitting(*low.unwrap_or(&0), *high.unwrap_or(&0))
                    }
                    BinaryOp::And => match (a >= 0, c >= 0) {
                        (true, true) => fitting(0, b.min(d)),
                        (true, false) => fitting(0, b),
                        (false, true) => fitting(0, d),
                        (false, false) => all,
                    },
                    BinaryOp::Or | BinaryOp::Xor if a >= 0 && c >= 0 => {
                        fitting(0, (1 << (128 - (b | d).leading_zeros())) - 1)
                    }
                    BinaryOp::Shl => amount().map_or(all, |by| fitting(a << by, b << by)),
                    BinaryOp::AShr => amount().map_or(all, |by| fitting(a >> by, b >> by)),
                    BinaryOp::LShr if a >= 0 => amount().map_or(all, |by| fitting(a >> by, b >> by)),
                    BinaryOp::LShr => {
                        amount().filter(|by| *by > 0).map_or(all, |by| fitting(0, ((1 << bits) - 1) >> by))
                    }
                    BinaryOp::SMin => fitting(a.min(c), b.min(d)),
                    BinaryOp::SMax => fitting(a.max(c), b.max(d)),
                    BinaryOp::UMin if a >= 0 && c >= 0 => fitting(a.min(c), b.min(d)),
                    BinaryOp::UMax if a >= 0 && c >= 0 => fitting(a.max(c), b.max(d)),
                    _ => all,
                }
            }
            Op::Unary { op: UnaryOp::Neg, .. } => fitting(-of(0).1, -of(0).0),
            Op::Unary { op: UnaryOp::Not, .. } => fitting(!of(0).1, !of(0).0),
            Op::Select { .. } => fitting(of(1).0.min(of(2).0), of(1).1.max(of(2).1)),
            Op::Convert { op: ConvertOp::ZExt, .. } => match of(0) {
                _ if narrow(0) == 1 => (0, 1),
                (low, high) if low >= 0 => fitting(low, high),
                _ => fitting(0, (1 << narrow(0)) - 1),
            },
            Op::Convert { op: ConvertOp::SExt | ConvertOp::Trunc, .. } if narrow(0) > 1 => {
                fitting(of(0).0, of(0).1)
            }
            _ => all,
        }
    }

    /// Whether a value is the same number as what a lane has of it, read with its sign.
    fn fits(&self, iteration: &Iteration, value: Value) -> bool {
        int_bits(iteration.ty(value)).is_some_and(|bits| bits <= self.bits)
            || is_within(self.range(value), signed(self.bits))
    }

    /// The same, read without a sign.
    fn fits_unsigned(&self, value: Value) -> bool {
        let (low, high) = self.range(value);
        low >= 0 && (self.bits == 64 || high < 1 << self.bits)
    }

    /// If the operation that gives a value has a form on vectors that is as good lane by lane, this form.
    pub fn wide<'a>(&self, iteration: &'a Iteration, uniform: &[bool], value: Value) -> Option<Wide<'a>> {
        let (op, args) = iteration.op(value)?;
        let ty = iteration.ty(value);
        let bits = int_bits(ty);
        if bits.is_none() && ty != Type::I1 && ty.bytes() * 8 != self.bits {
            return None;
        }
        let float = matches!(ty, Type::F32 | Type::F64);
        let whole = |extended| Some(Wide { op: Some(op.clone()), args, extended });
        match *op {
            Op::Binary { op, .. } => match op {
                BinaryOp::Add | BinaryOp::Sub => whole(Extended::Any),
                BinaryOp::Mul if float || matches!(self.bits, 16 | 32) => whole(Extended::Any),
                BinaryOp::FDiv if float => whole(Extended::Any),
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => whole(Extended::Any),
                BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if uniform[args[1].0 as usize] => {
                    self.shift(iteration, value, op)
                }
                BinaryOp::SMin | BinaryOp::SMax if self.bits < 64 => {
                    let fits = args.iter().all(|&arg| self.fits(iteration, arg));
                    if fits { whole(Extended::Signed) } else { None }
                }
                BinaryOp::UMin | BinaryOp::UMax if self.bits < 64 && bits? <= self.bits => {
                    whole(Extended::Unsigned)
                }
                _ => None,
            },
            Op::Unary { op: UnaryOp::Neg | UnaryOp::Not, .. } => whole(Extended::Any),
            Op::Unary { op: UnaryOp::FAbs | UnaryOp::Sqrt, .. } if float => whole(Extended::Any),
            Op::Compare { op, .. } => self.compare(iteration, value, op),
            Op::Select { .. } => whole(Extended::Any),
            Op::Fma { .. } if float => whole(Extended::Any),
            Op::Convert { op: convert, .. } => {
                let from = int_bits(iteration.ty(args[0]));
                let given = |extended| Some(Wide { op: None, args, extended });
                match convert {
                    ConvertOp::ZExt if as_number(iteration, value).is_some() => given(Extended::Any),
                    ConvertOp::ZExt if from.is_some() => given(Extended::Unsigned),
                    ConvertOp::SExt if from.is_some() => given(Extended::Signed),
                    ConvertOp::Trunc if from.is_some() => given(Extended::Any),
                    ConvertOp::SToF if ty == Type::F32 && from? <= 32 => whole(Extended::Signed),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A shift by an amount that is the same in all iterations.
    fn shift<'a>(&self, iteration: &'a Iteration, value: Value, shift: BinaryOp) -> Option<Wide<'a>> {
        let (op, args) = iteration.op(value)?;
        let bits = int_bits(iteration.ty(value))?;
        let lane = i64::from(self.bits);
        let amount = iteration.constant(args[1]).filter(|amount| (0..i64::from(bits)).contains(amount));
        let by = |op: Op, extended| Some(Wide { op: Some(op), args: &args[..1], extended });
        if self.bits < 16 || shift == BinaryOp::AShr && self.bits == 64 {
            return None;
        }
        // A lane as wide as the number takes any amount that the number takes, where both are of a width that
        // C has shifts of.
        if bits == self.bits && (bits >= 32 || amount.is_some()) {
            return by(op.clone(), Extended::Any);
        }
        let amount = amount?;
        match shift {
            BinaryOp::Shl if amount < lane => by(op.clone(), Extended::Any),
            BinaryOp::LShr if bits < self.bits => by(op.clone(), Extended::Unsigned),
            BinaryOp::AShr if bits < self.bits => by(op.clone(), Extended::Signed),
            // No bit of the number is beyond the lane.
            BinaryOp::LShr | BinaryOp::AShr if self.fits_unsigned(args[0]) && amount < lane => {
                by(with_operator(op, BinaryOp::LShr), Extended::Any)
            }
            BinaryOp::AShr if self.fits(iteration, args[0]) && amount < lane => by(op.clone(), Extended::Any),
            _ => None,
        }
    }

    /// A comparison, by a signed one where that says the same.
    fn compare<'a>(&self, iteration: &'a Iteration, value: Value, cmp: CmpOp) -> Option<Wide<'a>> {
        let (op, args) = iteration.op(value)?;
        let ty = iteration.ty(args[0]);
        let with = |cmp: CmpOp, extended| {
            let mut op = op.clone();
            if let Op::Compare { op, .. } = &mut op {
                *op = cmp;
            }
            Some(Wide { op: Some(op), args, extended })
        };
        let is_signed = matches!(cmp, CmpOp::Eq | CmpOp::Ne | CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge);
        let Some(bits) = int_bits(ty) else {
            let is_float = matches!(ty, Type::F32 | Type::F64) && ty.bytes() * 8 == self.bits;
            return if is_float && is_signed { with(cmp, Extended::Any) } else { None };
        };
        if is_signed {
            let fits = args.iter().all(|&arg| self.fits(iteration, arg));
            return if fits { with(cmp, Extended::Signed) } else { None };
        }
        let signed_form = match cmp {
            CmpOp::ULt => CmpOp::Lt,
            CmpOp::ULe => CmpOp::Le,
            CmpOp::UGt => CmpOp::Gt,
            CmpOp::UGe => CmpOp::Ge,
            _ => return None,
        };
        let is_small = |&arg: &Value| self.range(arg).0 >= 0 && self.fits(iteration, arg);
        if bits < self.bits || args.iter().all(is_small) {
            with(signed_form, Extended::Unsigned)
        } else if self.bits < 64 && (bits == self.bits || args.iter().all(|&arg| self.fits_unsigned(arg))) {
            with(cmp, Extended::Any)
        } else {
            None
        }
    }
}

fn with_operator(op: &Op, operator: BinaryOp) -> Op {
    let mut op = op.clone();
    if let Op::Binary { op, .. } = &mut op {
        *op = operator;
    }
    op
}

/// The signed numbers of a width.
pub fn signed(bits: u32) -> Range {
    (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits))
}

/// Whether all numbers of a range are in another.
pub fn is_within(range: Range, of: Range) -> bool {
    of.0 <= range.0 && range.1 <= of.1
}
