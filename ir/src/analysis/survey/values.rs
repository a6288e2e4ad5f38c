//! What the instructions of a block compute, as sums and atoms.

use super::super::accumulation::nearer;
use super::super::facts::{Fact, excludes, interval, is_number, limit, opposite};
use super::super::sums::{Atom, Kind, Name, Sum, name, range};
use super::assumed::OF_64_BITS;
use super::{Header, Obstacle, State, Touch, Walk, is_fraction};
use crate::entities::{Block, Local, Loop};
use crate::op::{Access, Address, BinaryOp, Class, CmpOp, ConvertOp, Op, Operand, Pos, Terminator};
use crate::types::Type;
use smallvec::SmallVec;
use std::rc::Rc;

/// An access as an instruction makes it.
pub(super) struct Made {
    pub addr: Address,
    pub ty: Option<Type>,
    pub bytes: i64,
    pub writes: bool,
    pub value: Option<Sum>,
}

impl Walk<'_> {
    /// Walks the instructions of a block.
    pub(super) fn block(&mut self, block: Block, loop_: Loop, state: &mut State) {
        for n in 0..self.body.blocks[block].insts.len() {
            self.inst((block, n), loop_, state);
        }
    }

    /// Walks an instruction.
    pub(super) fn inst(&mut self, at: (Block, usize), loop_: Loop, state: &mut State) {
        let (block, n) = at;
        let body = self.body;
        let inst = &body.blocks[block].insts[n];
        self.at = at;
        match &inst.op {
            Op::Load { dst, addr, access } => self.load(state, loop_, (*dst, *addr, *access), inst.pos),
            Op::Store { ty, addr, src, access } => {
                if access.volatile {
                    self.obstacle(loop_, Obstacle::Ordered, inst.pos, None);
                }
                if !self.quiet {
                    let address = self.address(state, *addr);
                    let is_asked = !self.skips_fractions || !is_fraction(*ty);
                    let value = is_asked.then(|| self.operand(state, *src));
                    let (ty, bytes) = (Some(*ty), i64::from(ty.bytes()));
                    let made = Made { addr: *addr, ty, bytes, writes: true, value };
                    self.touch(state, loop_, made, address, inst.pos);
                }
                self.version += 1;
            }
            Op::MemCopy { dst, src, bytes, .. } => {
                self.bulk(state, loop_, *src, *bytes, false, inst.pos);
                self.bulk(state, loop_, *dst, *bytes, true, inst.pos);
            }
            Op::MemSet { dst, bytes, .. } => self.bulk(state, loop_, *dst, *bytes, true, inst.pos),
            Op::Copy { dst, .. } | Op::Unary { dst, .. } | Op::Binary { dst, .. } | Op::Fma { dst, .. }
                if self.skips_fractions && is_fraction(body.locals[*dst].ty) => {}
            op => {
                self.effects(state, loop_, op, inst.pos);
                let value = self.computed(state, op);
                if let (Class::Value, Some(dst)) = (op.class(), op.dst()) {
                    let value = value.unwrap_or_else(|| {
                        let inputs = self.inputs(state, op);
                        self.fresh(inputs, dst, Some(loop_))
                    });
                    state.values.set(dst, value);
                    return;
                }
                let mut written: SmallVec<[Local; 1]> = SmallVec::new();
                op.defs(|local| written.push(local));
                for local in written {
                    let value = match &value {
                        Some(value) => value.clone(),
                        None => {
                            let inputs = self.inputs(state, op);
                            self.fresh(inputs, local, Some(loop_))
                        }
                    };
                    state.values.set(local, value);
                }
            }
        }
    }

    fn load(
        &mut self,
        state: &mut State,
        loop_: Loop,
        (dst, addr, access): (Local, Address, Access),
        pos: Pos,
    ) {
        let ty = self.body.locals[dst].ty;
        let at = self.address(state, addr);
        if self.skips_fractions && is_fraction(ty) && !access.volatile {
            let made = Made { addr, ty: Some(ty), bytes: i64::from(ty.bytes()), writes: false, value: None };
            self.touch(state, loop_, made, at, pos);
            return;
        }
        let base = self.whole.bases.of(addr.base);
        let range = range(ty, true);
        let atom = if access.volatile {
            self.survey.atoms.opaque(vec![at.clone()], Some(loop_), range)
        } else if self.is_constant(base, ty) {
            let varies = self.innermost(&at);
            self.survey.atoms.intern(Kind::Element { ty, at: at.clone() }, varies, range)
        } else {
            let kind = Kind::Loaded { ty, at: at.clone(), version: self.version };
            self.survey.atoms.intern(kind, Some(loop_), range)
        };
        if access.volatile {
            self.obstacle(loop_, Obstacle::Ordered, pos, None);
        }
        let value = Some(Sum::atom(atom));
        let made = Made { addr, ty: Some(ty), bytes: i64::from(ty.bytes()), writes: false, value };
        self.touch(state, loop_, made, at, pos);
        state.values.set(dst, Sum::atom(atom));
    }

    /// An access to an object as a whole, or to a part of memory that is as long as a number says.
    fn bulk(&mut self, state: &State, loop_: Loop, addr: Address, bytes: Operand, writes: bool, pos: Pos) {
        let known = bytes.as_int();
        let made = Made { addr, ty: None, bytes: known.unwrap_or(1), writes, value: None };
        if known.is_some() {
            let address = self.address(state, addr);
            self.touch(state, loop_, made, address, pos);
        } else {
            self.touch_anything(state, loop_, made, pos);
        }
        self.version += u32::from(writes);
    }

    fn effects(&mut self, state: &State, loop_: Loop, op: &Op, pos: Pos) {
        let obstacle = match op.class() {
            Class::Value | Class::Lane => return,
            Class::Call => match self.call(state, loop_, op, pos) {
                Some(witness) => Obstacle::Call(witness),
                None => return,
            },
            Class::Atomic => Obstacle::Ordered,
            Class::Frame => Obstacle::Frame,
            Class::Memory | Class::Directive | Class::Abstract | Class::Threads => Obstacle::Directive,
        };
        self.version += 1;
        self.obstacle(loop_, obstacle, pos, None);
    }

    /// An access that may be to any object that is not known to be out of its reach.
    pub(super) fn touch_anything(&mut self, state: &State, loop_: Loop, made: Made, pos: Pos) {
        let address = Sum::atom(self.anywhere(loop_));
        self.touch(state, loop_, made, address, pos);
    }

    /// A place, or a distance, of which nothing is known.
    pub(super) fn anywhere(&mut self, loop_: Loop) -> Atom {
        self.survey.atoms.opaque(Vec::new(), Some(loop_), (i64::MIN, i64::MAX))
    }

    pub(super) fn touch(&mut self, state: &State, loop_: Loop, made: Made, address: Sum, pos: Pos) {
        if self.quiet {
            return;
        }
        let chain = made.addr.base.as_local().and_then(|local| self.subscripts.get(&local));
        self.survey.touches.push(Touch {
            root: self.root(&address),
            address,
            base: self.whole.bases.of(made.addr.base),
            variable: chain.map(|(variable, _)| *variable),
            subscripts: Rc::clone(chain.map_or(&self.no_subscripts, |(_, subscripts)| subscripts)),
            bytes: made.bytes,
            ty: made.ty,
            writes: made.writes,
            value: made.value,
            loop_,
            facts: Rc::clone(&state.facts),
            control: Rc::clone(&state.control),
            pos,
            at: self.at,
            callee: None,
        });
    }

    pub(super) fn address(&mut self, state: &State, addr: Address) -> Sum {
        let base = self.operand(state, addr.base);
        match base.plus(1, &Sum::constant(addr.offset)) {
            Some(address) => address,
            None => {
                let varies = self.innermost(&base);
                Sum::atom(self.survey.atoms.opaque(vec![base], varies, (i64::MIN, i64::MAX)))
            }
        }
    }

    /// The pointer in an address: of `p + 8 * i`, `p`.
    pub(super) fn root(&self, address: &Sum) -> Option<Atom> {
        let is_pointer = |atom: Atom| match &self.survey.atoms.data(atom).kind {
            Kind::Entry(local) => self.body.locals[*local].ty == Type::Ptr,
            Kind::Object(_) => true,
            Kind::Element { ty, .. } | Kind::Loaded { ty, .. } => *ty == Type::Ptr,
            _ => false,
        };
        let mut roots = address.terms().filter(|(product, _)| product.iter().any(|&atom| is_pointer(atom)));
        match (roots.next(), roots.next()) {
            (Some((product, 1)), None) if product.len() == 1 => Some(product[0]),
            _ => None,
        }
    }

    pub(super) fn operand(&mut self, state: &State, operand: Operand) -> Sum {
        match operand {
            Operand::Int(_, value) => Sum::constant(value),
            Operand::Local(local) => self.value_before(state, local),
            Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) | Operand::F32(_) | Operand::F64(_) => {
                let Some(name) = name(operand) else { return Sum::default() };
                let name: Name = name;
                Sum::atom(self.survey.atoms.intern(Kind::Object(name), None, (i64::MIN, i64::MAX)))
            }
        }
    }

    pub(super) fn inputs(&mut self, state: &State, op: &Op) -> Vec<Sum> {
        let mut operands: Vec<Operand> = Vec::new();
        op.parts(|part| match part {
            crate::visit::Part::Value(operand) => operands.push(*operand),
            crate::visit::Part::Address(address) => operands.push(address.base),
            _ => {}
        });
        operands.into_iter().map(|operand| self.operand(state, operand)).collect()
    }

    /// The atom of a truth value.
    pub(super) fn truth(&mut self, state: &State, cond: Operand) -> Atom {
        let value = self.operand(state, cond);
        match value.as_atom() {
            Some(atom) => atom,
            None => self.survey.atoms.opaque(vec![value], None, (0, 1)),
        }
    }

    /// The value that an operation computes, if it can be told.
    pub(super) fn computed(&mut self, state: &mut State, op: &Op) -> Option<Sum> {
        match op {
            Op::Copy { dst, src } => {
                if let Some(chain) = src.as_local().and_then(|src| self.subscripts.get(&src)) {
                    self.subscripts.insert(*dst, chain.clone());
                }
                Some(self.operand(state, *src))
            }
            Op::Unary { dst, op, src } => {
                let value = self.operand(state, *src);
                let ty = self.body.locals[*dst].ty;
                if *op == crate::op::UnaryOp::Neg
                    && is_number(ty)
                    && let Some(negative) = value.scaled(-1)
                    && self.is_exact(state, &negative, ty)
                {
                    return Some(negative);
                }
                let varies = self.innermost(&value);
                Some(self.atom(Kind::Unary(*op, value), varies, ty))
            }
            Op::Binary { dst, op, a, b } => {
                let ty = self.body.locals[*dst].ty;
                let (a, b) = (self.operand(state, *a), self.operand(state, *b));
                match (op, a.as_constant(), b.as_constant()) {
                    (BinaryOp::Xor, _, Some(1)) => self.other_of_pair(state, ty, &a),
                    (BinaryOp::Xor, Some(1), _) => self.other_of_pair(state, ty, &b),
                    _ => None,
                }
                .or_else(|| self.binary(state, *op, ty, &a, &b))
            }
            Op::Compare { op, a, b, .. } => {
                let ty = self.body.operand_type(*a);
                let (a, b) = (self.operand(state, *a), self.operand(state, *b));
                Some(self.comparison(*op, ty, a, b))
            }
            Op::Select { dst, cond, a, b } => {
                let cond = self.truth(state, *cond);
                let (then, otherwise) = (self.operand(state, *a), self.operand(state, *b));
                let ty = self.body.locals[*dst].ty;
                let varies = self.innermost_of(&[&Sum::atom(cond), &then, &otherwise]);
                Some(self.atom(Kind::Choice { cond, then, otherwise }, varies, ty))
            }
            Op::Index { dst, base, index, scale, offset, extent } => {
                if let Some(extent) = extent {
                    self.note_extent(state, *index, i64::from(extent.get()));
                }
                self.index(state, *dst, (*base, *index, *scale, *offset))
            }
            Op::Convert { dst, op, src } => {
                let (from, to) = (self.body.operand_type(*src), self.body.locals[*dst].ty);
                let value = self.operand(state, *src);
                Some(self.converted(state, *op, from, to, value))
            }
            // A function that only computes gives equal values for equal arguments, but no more is made of
            // that.
            _ => None,
        }
    }

    fn index(&mut self, state: &State, dst: Local, made: (Operand, Operand, i64, i64)) -> Option<Sum> {
        let (base, index, scale, offset) = made;
        let (start, subscript) = (self.operand(state, base), self.operand(state, index));
        let sum = start.plus(scale, &subscript).and_then(|sum| sum.plus(1, &Sum::constant(offset)));
        // Nothing is noted, or nothing is to be explained.
        if self.quiet || self.only_accesses {
            return sum;
        }
        let (variable, mut subscripts) = match base.as_local().and_then(|base| self.subscripts.get(&base)) {
            Some((variable, subscripts)) => (*variable, subscripts.to_vec()),
            None => (base, Vec::with_capacity(1)),
        };
        subscripts.push(subscript);
        self.subscripts.insert(dst, (variable, Rc::new(subscripts)));
        sum
    }

    /// A subscript of a declared array lies in its dimension, or the program accesses nothing there.
    fn note_extent(&mut self, state: &mut State, index: Operand, extent: i64) {
        let subscript = self.operand(state, index);
        if subscript.as_constant().is_some() {
            return;
        }
        let low = Fact::AtLeastZero(subscript.clone());
        let high = Fact::exceeds(&Sum::constant(extent), &subscript, 1);
        for fact in [Some(low), high].into_iter().flatten() {
            if !state.facts.contains(&fact) {
                Rc::make_mut(&mut state.facts).push(fact);
            }
        }
    }

    fn atom(&mut self, kind: Kind, varies: Option<Loop>, ty: Type) -> Sum {
        Sum::atom(self.survey.atoms.intern(kind, varies, range(ty, true)))
    }

    /// `i ^ 1`, which is `i + 1` of an even number and `i - 1` of an odd one, whatever the sign.
    fn other_of_pair(&mut self, state: &mut State, ty: Type, number: &Sum) -> Option<Sum> {
        if !matches!(ty, Type::I32 | Type::I64) || !self.is_exact(state, number, ty) {
            return None;
        }
        let varies = self.innermost(number);
        let one = Sum::constant(1);
        let mut part = |op: BinaryOp, range: (i64, i64)| {
            let kind = Kind::Binary(op, number.clone(), one.clone());
            Sum::atom(self.survey.atoms.intern(kind, varies, range))
        };
        // Of an unsigned number, what the sum says may be more than the type with a sign holds.
        let (half, odd) = (part(BinaryOp::AShr, (i64::MIN / 2, i64::MAX / 2)), part(BinaryOp::And, (0, 1)));
        let whole = half.scaled(2)?.plus(1, &odd)?;
        let fact = Fact::Zero(number.plus(-1, &whole)?);
        let other = number.plus(1, &one)?.plus(-2, &odd)?;
        if !state.facts.contains(&fact) {
            Rc::make_mut(&mut state.facts).push(fact);
        }
        Some(other)
    }

    /// Whether the header of a loop is looked at.
    pub(super) fn is_in_header(&self) -> bool {
        let block = self.at.0;
        self.body.blocks[block].loop_.is_some_and(|loop_| self.body.loops[loop_].header == block)
    }

    fn comparison(&mut self, cmp: CmpOp, ty: Type, a: Sum, b: Sum) -> Sum {
        // `(c ? 1 : 0) != 0` is `c`; but a header counts what its own comparison compares.
        if cmp == CmpOp::Ne
            && !self.is_in_header()
            && b.as_constant() == Some(0)
            && let Some(atom) = a.as_atom()
            && let Kind::Converted(ConvertOp::ZExt, _, inner) = &self.survey.atoms.data(atom).kind
            && let Some(inner) = inner.as_atom()
            && matches!(self.survey.atoms.data(inner).kind, Kind::Compare(..))
        {
            return Sum::atom(inner);
        }
        let varies = self.innermost_of(&[&a, &b]);
        Sum::atom(self.survey.atoms.intern(Kind::Compare(cmp, ty, a, b), varies, (0, 1)))
    }

    /// A quotient or rest of an unsigned number as one of a number with a sign that has more bits, or that is
    /// known to be natural: `n / 2u`, `n >> 3`. The divisor is 2 at least, so that the quotient has the sign
    /// of its type.
    fn unsigned_quotient(
        &mut self,
        state: &State,
        (op, divisor): (BinaryOp, i64),
        ty: Type,
        a: &Sum,
    ) -> Option<Sum> {
        let (op, divisor) = match op {
            BinaryOp::UDiv => (BinaryOp::SDiv, divisor),
            BinaryOp::URem => (BinaryOp::SRem, divisor),
            BinaryOp::LShr if (1..=31).contains(&divisor) => (BinaryOp::SDiv, 1 << divisor),
            _ => return None,
        };
        if divisor < 2 {
            return None;
        }
        let natural = match ty {
            Type::I32 => self.converted(state, ConvertOp::ZExt, ty, Type::I64, a.clone()),
            Type::I64 if self.fits(state, a, range(ty, false)) => a.clone(),
            _ => return None,
        };
        let greatest = if op == BinaryOp::SRem { divisor - 1 } else { range(ty, false).1 / divisor };
        let varies = self.innermost(&natural);
        let kind = Kind::Binary(op, natural, Sum::constant(divisor));
        Some(Sum::atom(self.survey.atoms.intern(kind, varies, (0, greatest))))
    }

    fn binary(&mut self, state: &State, op: BinaryOp, ty: Type, a: &Sum, b: &Sum) -> Option<Sum> {
        if let Some(divisor) = b.as_constant()
            && let Some(quotient) = self.unsigned_quotient(state, (op, divisor), ty, a)
        {
            return Some(quotient);
        }
        let sum = match (op, b.as_constant()) {
            _ if !is_number(ty) => None,
            (BinaryOp::Add, _) => a.plus(1, b),
            (BinaryOp::Sub, _) => a.plus(-1, b),
            (BinaryOp::Mul, _) => a.times(b),
            (BinaryOp::Shl, Some(by @ 0..=31)) => a.scaled(1 << by),
            _ => None,
        };
        if let Some(sum) = sum
            && self.is_exact(state, &sum, ty)
        {
            return Some(sum);
        }
        let varies = self.innermost_of(&[a, b]);
        let is_natural = |sum: &Sum| interval(&self.survey.atoms, sum).is_some_and(|(least, _)| least >= 0);
        let range = match (op, b.as_constant()) {
            (BinaryOp::And, Some(mask @ 0..)) => (0, mask),
            (BinaryOp::URem, Some(divisor @ 1..)) => (0, divisor - 1),
            (BinaryOp::UDiv, Some(2..)) | (BinaryOp::LShr, Some(1..=63)) if ty == Type::I64 => (0, i64::MAX),
            (BinaryOp::SRem, Some(divisor @ 1..)) if is_natural(a) => (0, divisor - 1),
            (BinaryOp::SRem, Some(divisor @ 1..)) => (1 - divisor, divisor - 1),
            (BinaryOp::SDiv, Some(1..)) if is_natural(a) => (0, range(ty, true).1),
            (BinaryOp::SMin | BinaryOp::SMax, Some(limit)) => {
                let (least, most) = interval(&self.survey.atoms, a).unwrap_or(range(ty, true));
                match op {
                    BinaryOp::SMin => (least.min(limit), most.min(limit)),
                    _ => (least.max(limit), most.max(limit)),
                }
            }
            _ => range(ty, true),
        };
        Some(Sum::atom(self.survey.atoms.intern(Kind::Binary(op, a.clone(), b.clone()), varies, range)))
    }

    /// Whether arithmetic of a type makes this sum, rather than what is left of it after it has wrapped
    /// around.
    fn is_exact(&self, state: &State, sum: &Sum, ty: Type) -> bool {
        match ty {
            // Arithmetic below 32 bits wraps around whatever the sign.
            Type::I8 | Type::I16 => self.fits(state, sum, range(ty, true)),
            Type::I32 if self.whole.signed_wraps => self.fits(state, sum, range(ty, true)),
            Type::I64 if self.whole.signed_wraps => {
                self.fits(state, sum, range(ty, true)) || self.is_between_numbers(state, sum)
            }
            _ => true,
        }
    }

    /// Whether a sum is no less than one number of its type, and no more than another one, both of which the
    /// facts name.
    fn is_between_numbers(&self, state: &State, sum: &Sum) -> bool {
        let in_facts = state.facts.iter().flat_map(|fact| fact.sum().atoms());
        let mut numbers: Vec<Atom> = sum.atoms().chain(in_facts).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let excludes =
            |fact: Option<Fact>| fact.is_some_and(|fact| excludes(&self.survey.atoms, &state.facts, &fact));
        let number = |&atom: &Atom| Sum::atom(atom);
        numbers.iter().map(number).any(|number| excludes(Fact::exceeds(&number, sum, 1)))
            && numbers.iter().map(number).any(|number| excludes(Fact::exceeds(sum, &number, 1)))
    }

    fn converted(&mut self, state: &State, op: ConvertOp, from: Type, to: Type, value: Sum) -> Sum {
        let bits = |ty: Type| ty.int_bits();
        let keeps = match op {
            ConvertOp::SExt => true,
            ConvertOp::ZExt => from != Type::I1 && self.fits(state, &value, range(from, false)),
            ConvertOp::Trunc => self.fits(state, &value, range(to, true)),
            // From signed to unsigned or back; and pointers as numbers.
            ConvertOp::Bits if from == Type::I64 && to == Type::I64 => {
                self.never_wraps(state, &value) || self.assume(&state.facts, &value, OF_64_BITS)
            }
            ConvertOp::Bits if bits(from).is_some() && bits(from) == bits(to) => {
                self.fits(state, &value, (0, range(to, true).1))
            }
            ConvertOp::Bits => matches!((from, to), (Type::I64, Type::Ptr) | (Type::Ptr, Type::I64)),
            ConvertOp::SToF
            | ConvertOp::UToF
            | ConvertOp::FToS
            | ConvertOp::FToU
            | ConvertOp::FToF
            | ConvertOp::CToC => false,
        };
        if keeps {
            return value;
        }
        if op == ConvertOp::ZExt
            && let Some(natural) = self.counted_down(&value, (from, to))
        {
            return natural;
        }
        let most = match (op, from, to) {
            (ConvertOp::ZExt, Type::I32, Type::I64) => range(from, false).1,
            (ConvertOp::Bits, Type::I32, Type::I32) | (ConvertOp::Trunc, Type::I64, Type::I32) => {
                range(to, true).1
            }
            _ => -1,
        };
        if most > 0 && (self.promise(&value, most) || self.assume(&state.facts, &value, (0, most))) {
            return value;
        }
        let range = match op {
            ConvertOp::ZExt => range(from, false),
            _ => range(to, true),
        };
        let varies = self.innermost(&value);
        Sum::atom(self.survey.atoms.intern(Kind::Converted(op, to, value), varies, range))
    }

    /// An unsigned number with more bits, in the body of a loop whose header compares it, or one above it,
    /// with zero: `p[i]` of `for (unsigned i = n; i-- > 0;)`. It has gone down by one from iteration to
    /// iteration, and was zero in none of them, so that it has not wrapped around.
    fn counted_down(&mut self, value: &Sum, (from, to): (Type, Type)) -> Option<Sum> {
        let body = self.body;
        let block = self.at.0;
        body.loops_around(body.blocks[block].loop_).find_map(|loop_| {
            let data = &body.loops[loop_];
            let runs =
                matches!(body.blocks[data.header].term, Terminator::Branch { then, .. } if then == data.body);
            let Header { cond, cmp, a, b } = self.headers.get(&loop_)?;
            let is_of_type =
                matches!(self.survey.atoms.data(*cond).kind, Kind::Compare(_, ty, ..) if ty == from);
            let is_above_zero = matches!(cmp, CmpOp::Ne | CmpOp::UGt) && b.as_constant() == Some(0);
            if block == data.header || !runs || !is_of_type || !is_above_zero {
                return None;
            }
            let counter = self.survey.atoms.known(&Kind::Counter(loop_))?;
            let (step, first) = a.linear_in(counter)?;
            let below = value.plus(-1, a)?.as_constant()?;
            if step.as_constant() != Some(-1) || !matches!(below, -1 | 0) || self.varies(&first, loop_) {
                return None;
            }
            let (_, most) = range(from, false);
            let first = match first.as_constant() {
                Some(first) => Sum::constant(first & most),
                None => {
                    let varies = self.innermost(&first);
                    let kind = Kind::Converted(ConvertOp::ZExt, to, first);
                    Sum::atom(self.survey.atoms.intern(kind, varies, (0, most)))
                }
            };
            first.plus(-1, &Sum::atom(counter))?.plus(1, &Sum::constant(below))
        })
    }

    /// What follows from a truth value; `header`: it lets the iterations of this loop run.
    pub(super) fn facts_of(
        &mut self,
        cond: Atom,
        holds: bool,
        state: &State,
        header: Option<Loop>,
    ) -> Vec<Fact> {
        let Kind::Compare(cmp, ty, a, b) = self.survey.atoms.data(cond).kind.clone() else {
            return Vec::new();
        };
        if !is_number(ty) {
            return Vec::new();
        }
        let Some(cmp) = (if holds { Some(cmp) } else { opposite(cmp) }) else { return Vec::new() };
        let bounds = self.parts_of_bound((cmp, ty), &a, &b);
        bounds.into_iter().filter_map(|b| self.fact_of(cmp, (ty, a.clone(), b), state, header)).collect()
    }

    /// The numbers of which a bound of another number is the least, or the greatest, so that all are bounds;
    /// else the bound. What no number of the type exceeds, or falls below, says nothing beside others.
    fn parts_of_bound(&self, (cmp, ty): (CmpOp, Type), bounded: &Sum, bound: &Sum) -> Vec<Sum> {
        let Some(of_all) = nearer(cmp) else { return vec![bound.clone()] };
        let atoms = &self.survey.atoms;
        let parts_of = |part: &Sum| self.parts_of_bound((cmp, ty), bounded, part);
        let is_above = |limit: i64| {
            let least = interval(atoms, bounded).map_or(i64::MIN, |(least, _)| least);
            least > limit || cmp == CmpOp::Lt && least == limit
        };
        match bound.as_atom().map(|atom| &atoms.data(atom).kind) {
            Some(Kind::Binary(op, a, b)) if *op == of_all => {
                if of_all == BinaryOp::SMin && b.as_constant() == Some(range(ty, true).1) {
                    return parts_of(a);
                }
                [a, b].into_iter().flat_map(parts_of).collect()
            }
            // The lesser of two is no bound of a number that may be as small as it.
            Some(Kind::Binary(BinaryOp::SMax, a, b))
                if of_all == BinaryOp::SMin && b.as_constant().is_some_and(is_above) =>
            {
                parts_of(a)
            }
            Some(Kind::Choice { cond, then, otherwise })
                if limit(atoms, *cond, then, otherwise) == Some(of_all) =>
            {
                [then, otherwise].into_iter().flat_map(parts_of).collect()
            }
            _ => vec![bound.clone()],
        }
    }

    fn fact_of(
        &mut self,
        cmp: CmpOp,
        (ty, a, b): (Type, Sum, Sum),
        state: &State,
        header: Option<Loop>,
    ) -> Option<Fact> {
        match cmp {
            CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe if ty != Type::Ptr => {
                let (a, b) = (self.natural(state, a, ty, header), self.natural(state, b, ty, header));
                a.zip(b).and_then(|(a, b)| Fact::of(cmp, &a, &b))
            }
            CmpOp::Ne => match header {
                // A loop that goes on until it meets its bound does not pass it.
                Some(loop_) => self.not_yet(loop_, ty, &a, &b),
                // Numbers that wrap around differ if they do as numbers of the type.
                None => Fact::of(cmp, &a, &b).map(|fact| fact.on_one_side(&self.survey.atoms)),
            },
            CmpOp::Eq => {
                // Numbers that wrap around may be equal as numbers of the type only.
                let is_itself = |sum: &Sum| ty == Type::Ptr || self.fits(state, sum, range(ty, true));
                (is_itself(&a) && is_itself(&b)).then(|| Fact::of(cmp, &a, &b)).flatten()
            }
            _ => Fact::of(cmp, &a, &b),
        }
    }

    /// An unsigned number as a sum.
    fn natural(&mut self, state: &State, sum: Sum, ty: Type, header: Option<Loop>) -> Option<Sum> {
        if self.fits(state, &sum, range(ty, false)) {
            return Some(sum);
        }
        // A bound of 2^63 or more is that of a loop that does not end.
        if ty == Type::I64 {
            return header.map(|_| self.exact(state, sum));
        }
        let most = range(ty, false).1;
        if ty == Type::I32 && (self.promise(&sum, most) || self.assume(&state.facts, &sum, (0, most))) {
            return Some(sum);
        }
        let varies = self.innermost(&sum);
        let kind = Kind::Converted(ConvertOp::ZExt, Type::I64, sum);
        Some(Sum::atom(self.survey.atoms.intern(kind, varies, range(ty, false))))
    }

    /// The fact in `a != b` at the head of a loop that ends there only: a counter that goes by one from zero,
    /// or a pointer, comes to the bound without passing it, since it does not wrap around.
    fn not_yet(&mut self, loop_: Loop, ty: Type, a: &Sum, b: &Sum) -> Option<Fact> {
        if !self.form(loop_).exits.is_empty() {
            return None;
        }
        let counter = self.survey.atoms.known(&Kind::Counter(loop_))?;
        let (counted, bound) = if self.varies(a, loop_) { (a, b) } else { (b, a) };
        let (step, first) = counted.linear_in(counter)?;
        let step = step.as_constant()?;
        let is_exact = ty == Type::Ptr || step == 1 && first == Sum::default();
        if !is_exact || self.varies(&first, loop_) || self.varies(bound, loop_) {
            return None;
        }
        match step {
            0 => None,
            1.. => Fact::exceeds(bound, counted, step),
            _ => Fact::exceeds(counted, bound, step.checked_neg()?),
        }
    }
}
