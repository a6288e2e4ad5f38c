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
struct Sum {
    terms: SmallVec<[(Value, i64); 4]>,
    constant: i64,
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

    /// A load or store of consecutive elements, or of one and the same.
    pub(super) fn stream(&mut self, base: Value, offset: i64, ty: Type) -> Option<Stream> {
        let bytes = i64::from(ty.bytes());
        let change = self.change(base)?;
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
        match self.distance(store, other) {
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
    fn distance(&mut self, first: Stream, second: Stream) -> Option<i64> {
        let mut sum = Sum { terms: SmallVec::new(), constant: first.offset.checked_sub(second.offset)? };
        self.add(first.base, 1, &mut sum)?;
        self.add(second.base, -1, &mut sum)?;
        let is_constant = sum.terms.iter().all(|(_, factor)| *factor == 0);
        (is_constant && sum.constant.unsigned_abs() < FARTHEST).then_some(sum.constant)
    }

    /// Adds a multiple of a value to a sum.
    fn add(&mut self, value: Value, factor: i64, sum: &mut Sum) -> Option<()> {
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
                // The group does not run where a number wraps around in it. Two that have wrapped differently
                // before are too far apart for all iterations.
                Op::Convert { op: ConvertOp::SExt | ConvertOp::ZExt, .. }
                    if !self.is_uniform(value) && self.change(value).is_some() =>
                {
                    return self.add(args[0], factor, sum);
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
