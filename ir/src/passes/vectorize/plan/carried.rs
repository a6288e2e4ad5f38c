//! What an iteration stores where one of the next loads.

use super::Planner;
use super::streams::{Sum, Widened};
use crate::analysis::iteration::{Node, Stored, Value};
use crate::op::{Access, ConvertOp, Op};
use crate::types::Type;

/// Most iterations that a value is kept for: each takes a register.
const MOST: usize = 4;

/// A store whose value later iterations load.
#[derive(Debug)]
pub struct Carried {
    /// Which of the iteration's stores.
    pub store: usize,
    /// Loads of what was stored one iteration before, two, and so on: none of these lists is empty.
    pub loads: Vec<Vec<Value>>,
}

/// An address as a sum, and a part of it that is computed with 32 bits.
struct Form {
    wide: Sum,
    narrow: Option<(ConvertOp, i64, Sum)>,
}

/// The difference of two addresses, or what one changes by in an iteration: a number of bytes, and a number
/// of 32 bits that counts elements of some bytes.
#[derive(Clone, Copy)]
struct Distance {
    wide: i64,
    narrow: i32,
    scale: i64,
}

impl Distance {
    /// In bytes, as long as the number of 32 bits does not wrap around; otherwise far more or less.
    fn bytes(self) -> Option<i64> {
        self.scale.checked_mul(i64::from(self.narrow))?.checked_add(self.wide)
    }

    fn is_multiple(self, step: Distance, times: i64) -> bool {
        step.wide.checked_mul(times) == Some(self.wide)
            && self.narrow == step.narrow.wrapping_mul(times as i32)
    }
}

impl Planner<'_> {
    /// The stores of an iteration that is not vectorized whose values later iterations load, so that these
    /// may take them from a local.
    pub fn carried(&mut self) -> Vec<Carried> {
        // Addresses may depend on what only a check at run time would find to be fixed.
        if !self.checked.is_empty() {
            return Vec::new();
        }
        let stores = &self.iteration.stores;
        (0..stores.len()).filter_map(|store| self.carried_from(store)).collect()
    }

    fn carried_from(&mut self, number: usize) -> Option<Carried> {
        let iteration = self.iteration;
        let store = &iteration.stores[number];
        if !matches!(
            store.ty,
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr | Type::F32 | Type::F64
        ) {
            return None;
        }
        let form = self.form(store.base, store.offset)?;
        let step = self.step_of_form(&form)?;
        if step.bytes()?.unsigned_abs() < u64::from(store.ty.bytes()) {
            return None;
        }
        let mut loads: Vec<Vec<Value>> = vec![Vec::new(); MOST];
        for (n, node) in iteration.nodes.iter().enumerate() {
            let Node::Op { op: Op::Load { addr, access, .. }, args, stores } = node else { continue };
            let is_sure = !self.uniform[n] && iteration.loads_of(Value(n as u32)).is_some();
            if !is_sure || iteration.types[n] != store.ty || !self.is_computed(args[0]) {
                continue;
            }
            let Some(ahead) = self.form(args[0], addr.offset).and_then(|at| self.between(&form, &at)) else {
                continue;
            };
            let Some(later) = (1..=MOST).find(|&later| ahead.is_multiple(step, later as i64)) else {
                continue;
            };
            let others = (0..iteration.stores.len()).all(|other| {
                let stays =
                    |after: usize| self.stays((number, &form, step), other, after, (args[0], *access));
                (0..=later)
                    .filter(|&after| match after {
                        0 => other > number,
                        _ if after == later => other < *stores as usize,
                        _ => true,
                    })
                    .all(stays)
            });
            if others {
                loads[later - 1].push(Value(n as u32));
            }
        }
        // What is loaded in front of the loop is what the first iteration loads.
        let count = loads.iter().position(Vec::is_empty).unwrap_or(MOST);
        loads.truncate(count);
        (count > 0).then_some(Carried { store: number, loads })
    }

    /// Whether what a store has stored is still there when another store has been executed, so many
    /// iterations on.
    fn stays(
        &self,
        (number, form, step): (usize, &Form, Distance),
        other: usize,
        after: usize,
        (base, access): (Value, Access),
    ) -> bool {
        let [store, other]: [&Stored; 2] = [number, other].map(|n| &self.iteration.stores[n]);
        if self.roots_differ(base, other.base) || other.access.kind(other.ty).is_apart(access.kind(store.ty))
        {
            return true;
        }
        let ahead = || {
            let first = self.between(&self.form(other.base, other.offset)?, form)?.bytes()?;
            first.checked_add(step.bytes()?.checked_mul(after as i64)?)
        };
        ahead().is_some_and(|ahead| {
            ahead >= i64::from(store.ty.bytes()) || ahead <= -i64::from(other.ty.bytes())
        })
    }

    fn form(&self, base: Value, offset: i64) -> Option<Form> {
        let mut wide = Sum::new(offset, Widened::Once(None));
        self.add(base, 1, &mut wide)?;
        let narrow = match wide.widened {
            Widened::Once(Some((op, scale, value))) => {
                let mut sum = Sum::new(0, Widened::Term);
                self.add(value, 1, &mut sum)?;
                Some((op, scale, sum))
            }
            Widened::Once(None) | Widened::Through | Widened::Term => None,
        };
        Some(Form { wide, narrow })
    }

    /// How far the first address is ahead of the second, if that is the same in all iterations.
    fn between(&self, first: &Form, second: &Form) -> Option<Distance> {
        let wide = first.wide.minus(&second.wide)?;
        match (&first.narrow, &second.narrow) {
            (None, None) => Some(Distance { wide, narrow: 0, scale: 0 }),
            (Some((op, scale, first)), Some((other_op, other_scale, second)))
                if op == other_op && scale == other_scale =>
            {
                Some(Distance { wide, narrow: first.minus(second)? as i32, scale: *scale })
            }
            _ => None,
        }
    }

    /// What an address changes by in an iteration.
    fn step_of_form(&self, form: &Form) -> Option<Distance> {
        let wide = self.step_of_sum(&form.wide)?;
        Some(match &form.narrow {
            Some((_, scale, sum)) => Distance { wide, narrow: self.step_of_sum(sum)? as i32, scale: *scale },
            None => Distance { wide, narrow: 0, scale: 0 },
        })
    }

    fn step_of_sum(&self, sum: &Sum) -> Option<i64> {
        let mut step = 0i64;
        for &(value, factor) in &sum.terms {
            match self.iteration.node(value) {
                _ if self.is_uniform(value) => {}
                Node::Entry(local) => {
                    step = step.checked_add(self.step_of(*local)?.checked_mul(factor)?)?;
                }
                Node::Invariant(_) | Node::Op { .. } => return None,
            }
        }
        Some(step)
    }

    /// Whether a value depends on no memory, so that it can be computed in front of the loop.
    fn is_computed(&self, value: Value) -> bool {
        match self.iteration.node(value) {
            Node::Entry(_) | Node::Invariant(_) => true,
            Node::Op { op: Op::Load { .. }, .. } => false,
            Node::Op { args, .. } => args.iter().all(|&arg| self.is_computed(arg)),
        }
    }
}
