//! How the iterations of a loop move through memory.

use super::{Apart, Pair, Planner, Stream};
use crate::analysis::iteration::{Node, Value};
use crate::op::{BinaryOp, CmpOp, ConvertOp, Op};
use crate::types::Type;
use smallvec::SmallVec;

/// Constants from here on are no distances: numbers of 32 bits that have wrapped around differ by more.
const FARTHEST: u64 = 1 << 24;

/// What streams allow.
pub(super) struct Separation {
    /// What has to be checked.
    pub(super) pairs: Vec<Pair>,
    /// Most iterations that may be done at once.
    pub(super) most: i64,
}

/// A sum of multiples of values.
pub(super) struct Sum {
    pub(super) terms: SmallVec<[(Value, i64); 4]>,
    constant: i64,
    pub(super) widened: Widened,
}

/// What a number of 32 bits that changes and is widened is taken for in a [`Sum`].
pub(super) enum Widened {
    /// The number before: the group does not run where it wraps around.
    Through,
    /// A number that is looked at apart, with its multiple; there may be one.
    Once(Option<(ConvertOp, i64, Value)>),
    /// A value like others.
    Term,
}

impl Sum {
    pub(super) fn new(constant: i64, widened: Widened) -> Sum {
        Sum { terms: SmallVec::new(), constant, widened }
    }

    /// The difference of two sums, if it is a constant near zero.
    pub(super) fn minus(&self, other: &Sum) -> Option<i64> {
        let factor = |sum: &Sum, value: Value| {
            sum.terms.iter().find(|(known, _)| *known == value).map_or(0, |(_, factor)| *factor)
        };
        let is_same = |&(value, _): &(Value, i64)| factor(self, value) == factor(other, value);
        let constant = self.constant.checked_sub(other.constant)?;
        let is_constant = self.terms.iter().chain(&other.terms).all(is_same);
        (is_constant && constant.unsigned_abs() < FARTHEST).then_some(constant)
    }
}

/// Most pairs of streams that are worth a check: a store beside the ten loads of a stencil.
const MOST_CHECKS: usize = 10;

impl Planner<'_> {
    /// What a value changes by per iteration, if that is a constant. For an address it is in bytes.
    fn change(&mut self, value: Value) -> Option<i64> {
        if let Some(&known) = self.changes.get(&value) {
            return known;
        }
        let change = self.find_change(value);
        self.changes.insert(value, change);
        change
    }

    fn find_change(&mut self, value: Value) -> Option<i64> {
        if self.is_uniform(value) {
            return Some(0);
        }
        let iteration = self.iteration;
        let (op, args) = match iteration.node(value) {
            Node::Entry(local) => return self.step_of(*local),
            Node::Invariant(_) => return Some(0),
            Node::Op { op, args, .. } => (op, args),
        };
        match *op {
            Op::Binary { op: BinaryOp::Add, .. } => self.change(args[0])?.checked_add(self.change(args[1])?),
            Op::Binary { op: BinaryOp::Sub, .. } => self.change(args[0])?.checked_sub(self.change(args[1])?),
            Op::Binary { op: BinaryOp::Mul, .. } => {
                let factor = iteration.constant(args[1])?;
                self.change(args[0])?.checked_mul(factor)
            }
            Op::Binary { op: BinaryOp::Shl, .. } => {
                let amount = iteration.constant(args[1]).filter(|amount| (0..32).contains(amount))?;
                self.change(args[0])?.checked_mul(1 << amount)
            }
            Op::Index { scale, .. } => {
                let index = self.change(args[1])?.checked_mul(scale)?;
                self.change(args[0])?.checked_add(index)
            }
            Op::Convert { op: op @ (ConvertOp::SExt | ConvertOp::ZExt), .. }
                if iteration.ty(args[0]) == Type::I32 && iteration.ty(value) == Type::I64 =>
            {
                let change = self.change(args[0])?;
                if !self.widens_exactly(args[0], op) {
                    self.no_wrap.push((value, change));
                }
                Some(change)
            }
            // The low bits change as the number does; a widening of them sees to it that these are all.
            Op::Convert { op: ConvertOp::Trunc, .. }
                if iteration.ty(args[0]) == Type::I64 && iteration.ty(value) == Type::I32 =>
            {
                self.change(args[0])
            }
            _ => None,
        }
        .filter(|change| change.unsigned_abs() < 1 << 24)
    }

    /// Whether the loop's own comparison keeps a value from wrapping around in the sense of a widening.
    fn widens_exactly(&self, value: Value, by: ConvertOp) -> bool {
        let Some(control) = self.control else { return false };
        let unsigned = matches!(control.cmp, CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe);
        let same = control.widened.map_or((by == ConvertOp::ZExt) == unsigned, |own| own == by);
        *self.iteration.node(value) == Node::Entry(control.iv) && same
    }

    /// Whether the first access that moves goes down through memory from element to element.
    pub(super) fn goes_down(&mut self) -> bool {
        let iteration = self.iteration;
        let stores = iteration.stores.iter().map(|store| (store.base, store.ty));
        let loads = iteration.nodes.iter().zip(&iteration.types).filter_map(|(node, &ty)| match node {
            Node::Op { op: Op::Load { .. }, args, .. } => Some((args[0], ty)),
            Node::Entry(_) | Node::Invariant(_) | Node::Op { .. } => None,
        });
        for (base, ty) in stores.chain(loads) {
            match self.change(base) {
                Some(change) if change.unsigned_abs() == u64::from(ty.bytes()) => return change < 0,
                _ => {}
            }
        }
        false
    }

    /// A load or store of consecutive elements, or of one and the same.
    pub(super) fn stream(&mut self, base: Value, offset: i64, ty: Type) -> Option<Stream> {
        let bytes = i64::from(ty.bytes());
        let mut change = self.change(base)?;
        if self.backward {
            change = -change;
        }
        (change == bytes || change == 0).then_some(Stream { base, offset, bytes, fixed: change == 0 })
    }

    /// What keeps accesses from being done for several iterations at once; `None` if something does.
    pub(super) fn separation(&mut self) -> Option<Separation> {
        let iteration = self.iteration;
        let stores: Vec<Stream> = iteration
            .stores
            .iter()
            .map(|store| self.stream(store.base, store.offset, store.ty).filter(|stream| !stream.fixed))
            .collect::<Option<_>>()?;
        let mut separation = Separation { pairs: Vec::new(), most: i64::MAX };
        for (n, &store) in stores.iter().enumerate() {
            for (load, node) in iteration.nodes.iter().enumerate() {
                if let Node::Op { op: Op::Load { addr, .. }, args, stores } = node
                    && (!self.uniform[load] || self.checked.contains(&Value(load as u32)))
                    && !self.roots_differ(store.base, args[0])
                {
                    // A load must see the stores before it in the same iteration.
                    let is_later = *stores as usize <= n;
                    let load = self.stream(args[0], addr.offset, iteration.types[load])?;
                    self.separate(store, load, is_later, &mut separation)?;
                }
            }
            for &earlier in &stores[..n] {
                if !self.roots_differ(store.base, earlier.base) {
                    self.separate(store, earlier, true, &mut separation)?;
                }
            }
        }
        (separation.pairs.len() <= MOST_CHECKS).then_some(separation)
    }

    /// Sees to a store, and to a load or to a store further up, in what may be one object; `is_later` if the
    /// store comes behind it in the iteration. The group loads before it stores, and stores for all its
    /// iterations at once.
    fn separate(
        &mut self,
        store: Stream,
        other: Stream,
        is_later: bool,
        separation: &mut Separation,
    ) -> Option<()> {
        if other.fixed || store.bytes != other.bytes {
            separation.pairs.push(Pair { first: store, second: other, apart: Apart::Whole });
            return Some(());
        }
        let ahead = match self.backward {
            false => self.distance(store, other),
            true => self.distance(other, store),
        };
        match ahead {
            // The other comes there so many iterations later: these are not done at once.
            Some(ahead) if ahead > 0 => separation.most = separation.most.min(ahead / store.bytes),
            Some(ahead) if ahead > -store.bytes && !is_later => return None,
            Some(_) => {}
            None => {
                separation.pairs.push(Pair { first: store, second: other, apart: Apart::Ahead { is_later } });
            }
        }
        Some(())
    }

    /// How many bytes one stream is ahead of another, if that is a constant.
    fn distance(&self, first: Stream, second: Stream) -> Option<i64> {
        let [first, second] = [first, second].map(|stream| {
            let mut sum = Sum::new(stream.offset, Widened::Through);
            self.add(stream.base, 1, &mut sum).map(|()| sum)
        });
        first?.minus(&second?)
    }

    /// Adds a multiple of a value to a sum.
    pub(super) fn add(&self, value: Value, factor: i64, sum: &mut Sum) -> Option<()> {
        let iteration = self.iteration;
        if let Some((op, args)) = iteration.op(value) {
            let constant = |n: usize| args.get(n).and_then(|&arg| iteration.constant(arg));
            match *op {
                Op::Binary { op: BinaryOp::Add, .. } => {
                    self.add(args[0], factor, sum)?;
                    return self.add(args[1], factor, sum);
                }
                Op::Binary { op: BinaryOp::Sub, .. } => {
                    self.add(args[0], factor, sum)?;
                    return self.add(args[1], factor.checked_neg()?, sum);
                }
                Op::Binary { op: BinaryOp::Mul, .. } if let Some(by) = constant(1) => {
                    return self.add(args[0], factor.checked_mul(by)?, sum);
                }
                Op::Index { scale, offset, .. } => {
                    sum.constant = sum.constant.checked_add(offset.checked_mul(factor)?)?;
                    self.add(args[0], factor, sum)?;
                    return self.add(args[1], factor.checked_mul(scale)?, sum);
                }
                Op::Convert { op: op @ (ConvertOp::SExt | ConvertOp::ZExt), .. }
                    if !self.is_uniform(value) && iteration.ty(args[0]) == Type::I32 =>
                {
                    match &mut sum.widened {
                        // Two that have wrapped differently before are too far apart for all iterations.
                        Widened::Through if matches!(self.changes.get(&value), Some(Some(_))) => {
                            return self.add(args[0], factor, sum);
                        }
                        Widened::Once(Some(_)) => return None,
                        Widened::Once(narrow) => {
                            *narrow = Some((op, factor, args[0]));
                            return Some(());
                        }
                        Widened::Through | Widened::Term => {}
                    }
                }
                _ => {}
            }
        }
        match iteration.constant(value) {
            Some(constant) => sum.constant = sum.constant.checked_add(constant.checked_mul(factor)?)?,
            None => match sum.terms.iter_mut().find(|(known, _)| *known == value) {
                Some((_, known)) => *known = known.checked_add(factor)?,
                None => sum.terms.push((value, factor)),
            },
        }
        Some(())
    }
}
