//! How the iterations of a loop move through memory.

use super::{Planner, Stream};
use crate::analysis::iteration::{Node, Value};
use crate::op::{BinaryOp, CmpOp, ConvertOp, Op};
use crate::types::Type;

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

    /// Which streams have to be checked not to overlap; `None` if some would.
    pub(super) fn separation(&mut self) -> Option<Vec<(Stream, Stream)>> {
        let iteration = self.iteration;
        let mut streams = Vec::new();
        for (n, node) in iteration.nodes.iter().enumerate() {
            if let Node::Op { op: Op::Load { addr, .. }, args, stores } = node
                && (!self.uniform[n] || self.checked.contains(&Value(n as u32)))
                && !iteration.stores.iter().all(|store| self.roots_differ(args[0], store.base))
            {
                // A load must see the stores before it in the same iteration.
                let ty = iteration.types[n];
                streams.push((self.stream(args[0], addr.offset, ty)?, *stores));
            }
        }
        let stores: Vec<Stream> = iteration
            .stores
            .iter()
            .map(|store| self.stream(store.base, store.offset, store.ty))
            .collect::<Option<_>>()?;
        if stores.iter().any(|store| store.fixed) {
            return None;
        }
        let mut apart = Vec::new();
        for (n, &store) in stores.iter().enumerate() {
            for &(load, before) in &streams {
                if self.roots_differ(store.base, load.base) {
                    continue;
                }
                if store.base == load.base {
                    // The same elements: right if they are loaded first.
                    if store.offset == load.offset && store.bytes == load.bytes && before as usize <= n {
                        continue;
                    }
                    return None;
                }
                if self.look_alike(store.base, load.base) {
                    return None;
                }
                apart.push((store, load));
            }
            for &other in &stores[n + 1..] {
                if self.roots_differ(store.base, other.base) {
                    continue;
                }
                if self.look_alike(store.base, other.base) {
                    return None;
                }
                apart.push((store, other));
            }
        }
        (apart.len() <= MOST_CHECKS).then_some(apart)
    }

    /// Whether two addresses differ by a constant, as far as their form tells. The stream that is stored then
    /// overlaps with the stream at the second address, and a check at run time would always find that.
    fn look_alike(&self, a: Value, b: Value) -> bool {
        let iteration = self.iteration;
        if a == b {
            return true;
        }
        match (iteration.op(a), iteration.op(b)) {
            (Some((Op::Index { scale, .. }, a)), Some((Op::Index { scale: other, .. }, b))) => {
                scale == other && self.look_alike(a[0], b[0]) && self.look_alike(a[1], b[1])
            }
            (Some((Op::Convert { .. }, a)), Some((Op::Convert { .. }, b))) => self.look_alike(a[0], b[0]),
            (Some((Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. }, args)), _)
                if iteration.constant(args[1]).is_some() =>
            {
                self.look_alike(args[0], b)
            }
            (_, Some((Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. }, args)))
                if iteration.constant(args[1]).is_some() =>
            {
                self.look_alike(a, args[0])
            }
            (Some(_), Some(_)) | (Some(_), None) | (None, Some(_)) | (None, None) => false,
        }
    }
}
