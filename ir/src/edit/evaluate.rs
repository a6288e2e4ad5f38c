//! Code that computes sums and boxes before the code that they are about.
//!
//! Numbers are computed in 64 bits, addresses as numbers. Operands are read where the code is written, so
//! that locals and memory must have the values there that the sums are about.

use crate::analysis::boxes::{Bound, ByteBox, Part};
use crate::analysis::facts::{Limits, interval};
use crate::analysis::sums::{Atom, Atoms, Kind, Name, Sum, range};
use crate::builder::Cursor;
use crate::entities::Local;
use crate::op::{Address, BinaryOp, CmpOp, ConvertOp, Operand, UnaryOp};
use crate::types::Type;
use rustc_hash::FxHashMap;

/// Writes the code of sums over the same atoms.
pub struct Evaluator<'a, 'b> {
    cursor: Cursor<'b>,
    atoms: &'a Atoms,
    /// Where a local's value is that the body which was looked at had, and this one keeps in memory.
    in_memory: &'a dyn Fn(Local) -> Option<(Operand, Type)>,
    known: FxHashMap<Atom, Operand>,
}

/// Sums below this are those of 64 bits, whatever is rounded in finding that out.
const LARGE: f64 = (1u64 << 62) as f64;

/// The ends of a box, as numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ends {
    /// The address of the first byte. Of an empty box, the greatest number.
    pub low: Operand,
    /// The address behind the last byte. Of an empty box, the least number.
    pub high: Operand,
}

impl Ends {
    /// Whether the bytes of both have none in common, an `i1`.
    pub fn are_apart(self, other: Ends, cursor: &mut Cursor<'_>) -> Operand {
        let before = cursor.compare(CmpOp::Le, self.high, other.low);
        let behind = cursor.compare(CmpOp::Le, other.high, self.low);
        cursor.binary(BinaryOp::Or, before, behind)
    }
}

impl<'a, 'b> Evaluator<'a, 'b> {
    /// Writes where the cursor is.
    pub fn new(
        cursor: Cursor<'b>,
        atoms: &'a Atoms,
        in_memory: &'a dyn Fn(Local) -> Option<(Operand, Type)>,
    ) -> Evaluator<'a, 'b> {
        Evaluator { cursor, atoms, in_memory, known: FxHashMap::default() }
    }

    /// Where the code is written.
    pub fn cursor(&mut self) -> &mut Cursor<'b> {
        &mut self.cursor
    }

    /// The value of a sum; `None` if one of its atoms cannot be computed.
    pub fn sum(&mut self, sum: &Sum) -> Option<Operand> {
        let mut total = None;
        let mut constant = 0;
        for (product, factor) in sum.terms() {
            let mut term = None;
            for &atom in product.iter() {
                let value = self.atom(atom)?;
                term = Some(term.map_or(value, |term| self.cursor.mul(term, value)));
            }
            let Some(mut term) = term else {
                constant = factor;
                continue;
            };
            if factor != 1 {
                term = self.cursor.mul(term, int(factor));
            }
            total = Some(total.map_or(term, |total| self.cursor.add(total, term)));
        }
        Some(match (total, constant) {
            (None, constant) => int(constant),
            (Some(total), 0) => total,
            (Some(total), constant) => self.cursor.add(total, int(constant)),
        })
    }

    /// The value of a bound.
    pub fn bound(&mut self, bound: &Bound) -> Option<Operand> {
        match bound {
            Bound::Sum(sum) => self.sum(sum),
            Bound::Floor { plus, times, dividend, divisor } => {
                let (plus, dividend) = (self.sum(plus)?, self.sum(dividend)?);
                let c = &mut self.cursor;
                let quotient = c.binary(BinaryOp::SDiv, dividend, int(*divisor));
                let rest = c.binary(BinaryOp::SRem, dividend, int(*divisor));
                let is_less = c.compare(CmpOp::Lt, rest, int(0));
                let less = c.convert(ConvertOp::ZExt, Type::I64, is_less);
                let floor = c.sub(quotient, less);
                let steps = c.mul(floor, int(*times));
                Some(c.add(plus, steps))
            }
            Bound::Min(list) => self.extreme(BinaryOp::SMin, list),
            Bound::Max(list) => self.extreme(BinaryOp::SMax, list),
        }
    }

    fn extreme(&mut self, op: BinaryOp, list: &[Bound]) -> Option<Operand> {
        let mut value = None;
        for bound in list {
            let other = self.bound(bound)?;
            value = Some(value.map_or(other, |value| self.cursor.binary(op, value, other)));
        }
        value
    }

    /// The ends of a box.
    pub fn ends(&mut self, whole: &ByteBox) -> Option<Ends> {
        let mut ends = None;
        for part in &whole.parts {
            let Ends { low, high } = self.part(part)?;
            ends = Some(ends.map_or(Ends { low, high }, |ends: Ends| Ends {
                low: self.cursor.binary(BinaryOp::SMin, ends.low, low),
                high: self.cursor.binary(BinaryOp::SMax, ends.high, high),
            }));
        }
        Some(ends.unwrap_or(Ends { low: int(i64::MAX), high: int(i64::MIN) }))
    }

    fn part(&mut self, part: &Part) -> Option<Ends> {
        let (low, high) = (self.bound(&part.low)?, self.bound(&part.high)?);
        let Some(holds) = self.all(&part.guard)? else { return Some(Ends { low, high }) };
        let low = self.cursor.select(holds, low, int(i64::MAX));
        let high = self.cursor.select(holds, high, int(i64::MIN));
        Some(Ends { low, high })
    }

    /// Whether all of some sums are zero or more; the inner `None` if there are none.
    fn all(&mut self, sums: &[Sum]) -> Option<Option<Operand>> {
        let mut holds = None;
        for sum in sums {
            let value = self.sum(sum)?;
            let one = self.cursor.compare(CmpOp::Ge, value, int(0));
            holds = Some(holds.map_or(one, |holds| self.cursor.binary(BinaryOp::And, holds, one)));
        }
        Some(holds)
    }

    /// Whether two boxes have no byte in common, an `i1`.
    pub fn are_apart(&mut self, a: &ByteBox, b: &ByteBox) -> Option<Operand> {
        let (a, b) = (self.ends(a)?, self.ends(b)?);
        Some(a.are_apart(b, &mut self.cursor))
    }

    /// Whether the bytes of a box are from 0 on and below a sum, an `i1`.
    pub fn is_within(&mut self, places: &ByteBox, size: &Sum) -> Option<Operand> {
        let (Ends { low, high }, size) = (self.ends(places)?, self.sum(size)?);
        let begins = self.cursor.compare(CmpOp::Ge, low, int(0));
        let ends = self.cursor.compare(CmpOp::Le, high, size);
        Some(self.cursor.binary(BinaryOp::And, begins, ends))
    }

    /// Whether all numbers of a box, each a byte at that distance from zero, are within limits, an `i1`: also
    /// where they are too large for 64 bits.
    pub fn is_exact(&mut self, numbers: &ByteBox, (least, most): Limits) -> Option<Operand> {
        let Ends { low, high } = self.ends(numbers)?;
        let begins = self.cursor.compare(CmpOp::Ge, low, int(least));
        let ends = self.cursor.compare(CmpOp::Le, high, int(most.checked_add(1)?));
        let fits = self.cursor.binary(BinaryOp::And, begins, ends);
        let mut sums = Vec::new();
        for Part { guard, low, high } in &numbers.parts {
            sums.extend(guard);
            low.sums(&mut sums);
            high.sums(&mut sums);
        }
        let is_open = |sum: &&Sum| interval(self.atoms, sum).is_none();
        let open: Vec<&Sum> = sums.into_iter().filter(is_open).collect();
        open.into_iter().try_fold(fits, |fits, sum| {
            let size = self.magnitude(sum)?;
            let is_small = self.cursor.compare(CmpOp::Lt, size, Operand::f64(LARGE));
            Some(self.cursor.binary(BinaryOp::And, fits, is_small))
        })
    }

    /// About the greatest number that computing a sum comes to, without a sign.
    fn magnitude(&mut self, sum: &Sum) -> Option<Operand> {
        let mut total = Operand::f64(0.0);
        for (product, factor) in sum.terms() {
            let mut term = Operand::f64(factor.unsigned_abs() as f64);
            for &atom in product.iter() {
                let value = self.atom(atom)?;
                let value = self.cursor.convert(ConvertOp::SToF, Type::F64, value);
                term = self.cursor.mul(term, value);
            }
            let term = self.cursor.unary(UnaryOp::FAbs, term);
            total = self.cursor.add(total, term);
        }
        Some(total)
    }

    fn atom(&mut self, atom: Atom) -> Option<Operand> {
        if let Some(&known) = self.known.get(&atom) {
            return Some(known);
        }
        let atoms = self.atoms;
        let value = match &atoms.data(atom).kind {
            Kind::Entry(local) => match (self.in_memory)(*local) {
                Some((place, ty)) => {
                    let value = self.cursor.load(ty, Address { base: place, offset: 0 });
                    self.widened(value)?
                }
                None => {
                    self.cursor.body.locals.get(*local)?;
                    self.widened(Operand::Local(*local))?
                }
            },
            Kind::Object(name) => {
                let object = object(*name)?;
                self.cursor.convert(ConvertOp::Bits, Type::I64, object)
            }
            Kind::Element { ty, at } => {
                let addr = self.address(at)?;
                let value = self.cursor.load(*ty, addr);
                self.widened(value)?
            }
            Kind::Binary(op, a, b) => {
                let is_open = b.as_constant().is_none();
                let (a, b) = (self.sum(a)?, self.sum(b)?);
                match op {
                    BinaryOp::SDiv | BinaryOp::SRem if is_open => self.quotient(*op, a, b),
                    _ => self.cursor.binary(*op, a, b),
                }
            }
            Kind::Choice { cond, then, otherwise } => {
                let Kind::Compare(cmp, _, a, b) = &atoms.data(*cond).kind else { return None };
                let (a, b) = (self.sum(a)?, self.sum(b)?);
                let holds = self.cursor.compare(*cmp, a, b);
                let (then, otherwise) = (self.sum(then)?, self.sum(otherwise)?);
                self.cursor.select(holds, then, otherwise)
            }
            Kind::Converted(ConvertOp::ZExt, _, value) => {
                let value = self.sum(value)?;
                self.cursor.binary(BinaryOp::And, value, int(atoms.data(atom).range.1))
            }
            Kind::Converted(ConvertOp::Trunc | ConvertOp::Bits, to, value) => {
                let value = self.sum(value)?;
                let bits = i64::from(64 - to.int_bits()?);
                let high = self.cursor.binary(BinaryOp::Shl, value, int(bits));
                self.cursor.binary(BinaryOp::AShr, high, int(bits))
            }
            _ => return None,
        };
        self.known.insert(atom, value);
        Some(value)
    }

    /// A quotient or a remainder that the program may not come to compute: of 0, some number.
    fn quotient(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        let c = &mut self.cursor;
        let above = c.add(b, int(1));
        let is_odd = c.compare(CmpOp::ULe, above, int(1));
        let divisor = c.select(is_odd, int(1), b);
        let result = c.binary(op, a, divisor);
        if op == BinaryOp::SRem {
            return result;
        }
        let (is_minus, opposite) = (c.compare(CmpOp::Eq, b, int(-1)), c.sub(int(0), a));
        c.select(is_minus, opposite, result)
    }

    /// A place in memory; one in an object is named by the object.
    fn address(&mut self, at: &Sum) -> Option<Address> {
        let mut terms = at.terms().filter(|(product, _)| !product.is_empty());
        let offset = at.terms().find(|(product, _)| product.is_empty()).map_or(0, |(_, offset)| offset);
        if let (Some((product, 1)), None) = (terms.next(), terms.next())
            && let [atom] = product[..]
        {
            let base = match self.atoms.data(atom).kind {
                Kind::Object(name) => object(name),
                // What is in memory here need not be a local of this body.
                Kind::Entry(local) if (self.in_memory)(local).is_none() => {
                    (self.cursor.body.locals.get(local)?.ty == Type::Ptr).then_some(Operand::Local(local))
                }
                _ => None,
            };
            if let Some(base) = base {
                return Some(Address { base, offset });
            }
        }
        let value = self.sum(at)?;
        Some(Address { base: self.cursor.convert(ConvertOp::Bits, Type::Ptr, value), offset: 0 })
    }

    fn widened(&mut self, value: Operand) -> Option<Operand> {
        match self.cursor.body.operand_type(value) {
            Type::I64 => Some(value),
            Type::Ptr => Some(self.cursor.convert(ConvertOp::Bits, Type::I64, value)),
            ty if range(ty, true).0 > i64::MIN => {
                Some(self.cursor.convert(ConvertOp::SExt, Type::I64, value))
            }
            _ => None,
        }
    }
}

fn int(value: i64) -> Operand {
    Operand::Int(Type::I64, value)
}

fn object(name: Name) -> Option<Operand> {
    match name {
        Name::Slot(slot) => Some(Operand::Slot(slot)),
        Name::Global(global) => Some(Operand::Global(global)),
        Name::Func(func) => Some(Operand::Func(func)),
        Name::F32(_) | Name::F64(_) => None,
    }
}
