//! 128-bit integers in halves.

use super::{Pair, Scalarizer};
use accrue_ir::builder::Cursor;
use accrue_ir::{BinaryOp, Block, CmpOp, ConvertOp, Local, Operand, Pos, Type, UnaryOp};

fn int(value: i64) -> Operand {
    Operand::Int(Type::I64, value)
}

fn flag(cursor: &mut Cursor<'_>, op: CmpOp, a: Operand, b: Operand) -> Operand {
    let set = cursor.compare(op, a, b);
    cursor.convert(ConvertOp::ZExt, Type::I64, set)
}

fn add(cursor: &mut Cursor<'_>, a: Pair, b: Pair) -> Pair {
    let low = cursor.add(a[0], b[0]);
    let carry = flag(cursor, CmpOp::ULt, low, a[0]);
    let high = cursor.add(a[1], b[1]);
    [low, cursor.add(high, carry)]
}

fn sub(cursor: &mut Cursor<'_>, a: Pair, b: Pair) -> Pair {
    let low = cursor.sub(a[0], b[0]);
    let borrow = flag(cursor, CmpOp::ULt, a[0], b[0]);
    let high = cursor.sub(a[1], b[1]);
    [low, cursor.sub(high, borrow)]
}

/// The high half of the product of two unsigned 64-bit integers, by 32-bit digits.
fn high_product(cursor: &mut Cursor<'_>, a: Operand, b: Operand) -> Operand {
    let digits = |cursor: &mut Cursor<'_>, value| {
        let low = cursor.binary(BinaryOp::And, value, int(0xffff_ffff));
        [low, cursor.binary(BinaryOp::LShr, value, int(32))]
    };
    let ([a0, a1], [b0, b1]) = (digits(cursor, a), digits(cursor, b));
    let lowest = cursor.mul(a0, b0);
    let carry = cursor.binary(BinaryOp::LShr, lowest, int(32));
    let cross = cursor.mul(a1, b0);
    let middle = cursor.add(cross, carry);
    let [middle_low, middle_high] = digits(cursor, middle);
    let other = cursor.mul(a0, b1);
    let rest = cursor.add(other, middle_low);
    let rest = cursor.binary(BinaryOp::LShr, rest, int(32));
    let highest = cursor.mul(a1, b1);
    let sum = cursor.add(highest, middle_high);
    cursor.add(sum, rest)
}

fn mul(cursor: &mut Cursor<'_>, a: Pair, b: Pair) -> Pair {
    let low = cursor.mul(a[0], b[0]);
    let carried = high_product(cursor, a[0], b[0]);
    let [left, right] = [cursor.mul(a[1], b[0]), cursor.mul(a[0], b[1])];
    let cross = cursor.add(left, right);
    [low, cursor.add(carried, cross)]
}

/// `a` shifted by an amount below 128.
fn shift(cursor: &mut Cursor<'_>, op: BinaryOp, a: Pair, amount: Operand) -> Pair {
    let left = op == BinaryOp::Shl;
    // From the half that digits leave to the half that they enter.
    let (from, to) = if left { (a[0], a[1]) } else { (a[1], a[0]) };
    let fill = match op {
        BinaryOp::AShr => cursor.binary(BinaryOp::AShr, from, int(63)),
        _ => int(0),
    };
    let back = if left { BinaryOp::LShr } else { BinaryOp::Shl };
    let same = if left { BinaryOp::Shl } else { BinaryOp::LShr };
    let within = cursor.binary(BinaryOp::And, amount, int(63));
    // In two steps, as a shift by 64 would be one by 0.
    let rest = cursor.sub(int(63), within);
    let crossing = cursor.binary(back, from, int(1));
    let crossing = cursor.binary(back, crossing, rest);
    let kept = cursor.binary(same, to, within);
    let near = [cursor.binary(op, from, within), cursor.binary(BinaryOp::Or, kept, crossing)];
    let far = [fill, cursor.binary(op, from, within)];
    let is_far = cursor.compare(CmpOp::UGe, amount, int(64));
    let [from, to] = [cursor.select(is_far, far[0], near[0]), cursor.select(is_far, far[1], near[1])];
    if left { [from, to] } else { [to, from] }
}

/// `a op b` as an `i1`.
fn compare(cursor: &mut Cursor<'_>, op: CmpOp, a: Pair, b: Pair) -> Operand {
    let unsigned = match op {
        CmpOp::Lt => CmpOp::ULt,
        CmpOp::Le => CmpOp::ULe,
        CmpOp::Gt => CmpOp::UGt,
        CmpOp::Ge => CmpOp::UGe,
        other => other,
    };
    let low = cursor.compare(unsigned, a[0], b[0]);
    let high = cursor.compare(op, a[1], b[1]);
    match op {
        CmpOp::Eq => cursor.binary(BinaryOp::And, low, high),
        CmpOp::Ne => cursor.binary(BinaryOp::Or, low, high),
        _ => {
            let equal = cursor.compare(CmpOp::Eq, a[1], b[1]);
            cursor.select(equal, low, high)
        }
    }
}

impl Scalarizer<'_> {
    pub(super) fn wide_unary(&mut self, at: Block, pos: Pos, dst: Local, op: UnaryOp, src: Pair) -> Block {
        let mut cursor = Cursor::with_pos(self.body, at, pos);
        let [low, high] = src;
        let value = match op {
            UnaryOp::Neg => sub(&mut cursor, [int(0), int(0)], src),
            UnaryOp::Bswap => [cursor.unary(op, high), cursor.unary(op, low)],
            UnaryOp::Popcnt => {
                let [low, high] = src.map(|part| cursor.unary(op, part));
                [cursor.add(low, high), int(0)]
            }
            UnaryOp::Clz | UnaryOp::Ctz => {
                let (first, second) = if op == UnaryOp::Clz { (high, low) } else { (low, high) };
                let none = cursor.compare(CmpOp::Eq, first, int(0));
                let [first, second] = [first, second].map(|part| cursor.unary(op, part));
                let beyond = cursor.add(second, int(64));
                [cursor.select(none, beyond, first), int(0)]
            }
            // The verifier allows no other operation on integers.
            _ => src,
        };
        self.define(at, pos, dst, value);
        at
    }

    pub(super) fn wide_binary(
        &mut self,
        at: Block,
        pos: Pos,
        dst: Local,
        op: BinaryOp,
        a: Operand,
        b: Operand,
    ) -> Block {
        let left = self.pair(a);
        // Shifts take an amount of any integer type.
        let right = if self.ty(b) == Type::I128 { self.pair(b) } else { [self.amount(at, pos, b), int(0)] };
        let value = match op {
            BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => {
                let name = match op {
                    BinaryOp::SDiv => "sdiv",
                    BinaryOp::UDiv => "udiv",
                    BinaryOp::SRem => "srem",
                    _ => "urem",
                };
                ["low", "high"].map(|half| {
                    let name = format!("__accrue_int128_{name}_{half}");
                    self.call(at, pos, &name, vec![left[0], left[1], right[0], right[1]], Type::I64)
                })
            }
            _ => {
                let mut cursor = Cursor::with_pos(self.body, at, pos);
                let cursor = &mut cursor;
                match op {
                    BinaryOp::Add => add(cursor, left, right),
                    BinaryOp::Sub => sub(cursor, left, right),
                    BinaryOp::Mul => mul(cursor, left, right),
                    BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                        let amount = cursor.binary(BinaryOp::And, right[0], int(127));
                        shift(cursor, op, left, amount)
                    }
                    BinaryOp::SMin | BinaryOp::SMax | BinaryOp::UMin | BinaryOp::UMax => {
                        let order = match op {
                            BinaryOp::SMin => CmpOp::Lt,
                            BinaryOp::SMax => CmpOp::Gt,
                            BinaryOp::UMin => CmpOp::ULt,
                            _ => CmpOp::UGt,
                        };
                        let first = compare(cursor, order, left, right);
                        [cursor.select(first, left[0], right[0]), cursor.select(first, left[1], right[1])]
                    }
                    _ => [cursor.binary(op, left[0], right[0]), cursor.binary(op, left[1], right[1])],
                }
            }
        };
        self.define(at, pos, dst, value);
        at
    }

    fn amount(&mut self, at: Block, pos: Pos, amount: Operand) -> Operand {
        match (amount, self.ty(amount)) {
            (Operand::Int(_, value), _) => int(value),
            (_, Type::I64) => amount,
            _ => Cursor::with_pos(self.body, at, pos).convert(ConvertOp::ZExt, Type::I64, amount),
        }
    }

    pub(super) fn wide_compare(
        &mut self,
        at: Block,
        pos: Pos,
        dst: Local,
        op: CmpOp,
        a: Operand,
        b: Operand,
    ) -> Block {
        let (a, b) = (self.pair(a), self.pair(b));
        let mut cursor = Cursor::with_pos(self.body, at, pos);
        let value = compare(&mut cursor, op, a, b);
        cursor.assign(dst, value);
        at
    }

    pub(super) fn wide_convert(
        &mut self,
        at: Block,
        pos: Pos,
        dst: Local,
        op: ConvertOp,
        src: Operand,
    ) -> Block {
        let (from, to) = (self.ty(src), self.body.locals[dst].ty);
        if from == Type::I128 {
            let value = self.pair(src);
            let narrowed = match op {
                ConvertOp::SToF | ConvertOp::UToF => {
                    let sign = if op == ConvertOp::SToF { "signed" } else { "unsigned" };
                    self.call(at, pos, &format!("__accrue_int128_{sign}_to_{to}"), value.to_vec(), to)
                }
                _ if to == Type::I64 => value[0],
                _ => Cursor::with_pos(self.body, at, pos).convert(ConvertOp::Trunc, to, value[0]),
            };
            Cursor::with_pos(self.body, at, pos).assign(dst, narrowed);
            return at;
        }
        let value = match op {
            ConvertOp::FToS | ConvertOp::FToU => {
                let sign = if op == ConvertOp::FToS { "signed" } else { "unsigned" };
                ["low", "high"].map(|half| {
                    let name = format!("__accrue_int128_{sign}_from_{from}_{half}");
                    self.call(at, pos, &name, vec![src], Type::I64)
                })
            }
            _ => {
                let mut cursor = Cursor::with_pos(self.body, at, pos);
                let low = match from {
                    Type::I64 => src,
                    _ => cursor.convert(op, Type::I64, src),
                };
                let high =
                    if op == ConvertOp::SExt { cursor.binary(BinaryOp::AShr, low, int(63)) } else { int(0) };
                [low, high]
            }
        };
        self.define(at, pos, dst, value);
        at
    }
}
