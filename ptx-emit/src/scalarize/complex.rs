//! Complex arithmetic on parts.

use super::{Pair, Scalarizer, half};
use accrue_ir::builder::Cursor;
use accrue_ir::{BinaryOp, Block, CmpOp, ConvertOp, Local, Op, Operand, Pos, Type, UnaryOp};

impl Scalarizer<'_> {
    pub(super) fn unary(&mut self, at: Block, pos: Pos, dst: Local, op: UnaryOp, src: Operand) -> Block {
        let [first, second] = self.pair(src);
        let is_wide = self.ty(src) == Type::I128;
        let mut cursor = Cursor::with_pos(self.body, at, pos);
        let value = match op {
            UnaryOp::Re | UnaryOp::Im => {
                cursor.assign(dst, if op == UnaryOp::Re { first } else { second });
                return at;
            }
            UnaryOp::Conj => [first, cursor.unary(UnaryOp::Neg, second)],
            UnaryOp::Neg if !is_wide => [first, second].map(|part| cursor.unary(UnaryOp::Neg, part)),
            UnaryOp::Not => [first, second].map(|part| cursor.unary(UnaryOp::Not, part)),
            _ => return self.wide_unary(at, pos, dst, op, [first, second]),
        };
        self.define(at, pos, dst, value);
        at
    }

    pub(super) fn complex_binary(
        &mut self,
        at: Block,
        pos: Pos,
        dst: Local,
        op: BinaryOp,
        a: Operand,
        b: Operand,
    ) -> Block {
        if op == BinaryOp::Complex {
            self.define(at, pos, dst, [a, b]);
            return at;
        }
        let (a, b) = (self.pair(a), self.pair(b));
        match op {
            BinaryOp::Mul => return self.product(at, pos, dst, a, b),
            BinaryOp::FDiv => {
                let value = self.parts_of(at, pos, "div", a, b);
                self.define(at, pos, dst, value);
            }
            op => {
                let mut cursor = Cursor::with_pos(self.body, at, pos);
                let value = [cursor.binary(op, a[0], b[0]), cursor.binary(op, a[1], b[1])];
                self.define(at, pos, dst, value);
            }
        }
        at
    }

    /// C11 Annex G: only a product that comes out as two NaNs needs a second look.
    fn product(&mut self, at: Block, pos: Pos, dst: Local, a: Pair, b: Pair) -> Block {
        let mut cursor = Cursor::with_pos(self.body, at, pos);
        let [ac, bd] = [cursor.mul(a[0], b[0]), cursor.mul(a[1], b[1])];
        let [ad, bc] = [cursor.mul(a[0], b[1]), cursor.mul(a[1], b[0])];
        let value = [cursor.sub(ac, bd), cursor.add(ad, bc)];
        let re_is_nan = cursor.compare(CmpOp::Unordered, value[0], value[0]);
        let im_is_nan = cursor.compare(CmpOp::Unordered, value[1], value[1]);
        let both = cursor.binary(BinaryOp::And, re_is_nan, im_is_nan);
        // The operands are read once more, so the result must not take their place yet.
        let result = value.map(|part| cursor.copy(part));
        let [recover, done] = [cursor.new_block(), cursor.new_block()];
        cursor.branch(both, recover, done);
        let recovered = self.parts_of(recover, pos, "mul", a, b);
        let mut cursor = Cursor::with_pos(self.body, recover, pos);
        for (part, value) in result.into_iter().zip(recovered) {
            if let Operand::Local(local) = part {
                cursor.assign(local, value);
            }
        }
        cursor.jump(done);
        self.define(done, pos, dst, result);
        done
    }

    /// Both parts of a result that the device library computes one by one.
    fn parts_of(&mut self, at: Block, pos: Pos, operation: &str, a: Pair, b: Pair) -> Pair {
        let ty = self.ty(a[0]);
        ["re", "im"].map(|part| {
            let name = format!("__accrue_complex_{operation}_{part}_{ty}");
            self.call(at, pos, &name, vec![a[0], a[1], b[0], b[1]], ty)
        })
    }

    pub(super) fn complex_compare(
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
        let parts = [cursor.compare(op, a[0], b[0]), cursor.compare(op, a[1], b[1])];
        let both = if op == CmpOp::Ne { BinaryOp::Or } else { BinaryOp::And };
        cursor.op(Op::Binary { dst, op: both, a: parts[0], b: parts[1] });
        at
    }

    pub(super) fn convert(&mut self, at: Block, pos: Pos, dst: Local, op: ConvertOp, src: Operand) -> Block {
        if op != ConvertOp::CToC {
            return self.wide_convert(at, pos, dst, op, src);
        }
        let to = half(self.body.locals[dst].ty);
        let parts = self.pair(src);
        let same = self.ty(parts[0]) == to;
        let mut cursor = Cursor::with_pos(self.body, at, pos);
        let value = parts.map(|part| if same { part } else { cursor.convert(ConvertOp::FToF, to, part) });
        self.define(at, pos, dst, value);
        at
    }
}
