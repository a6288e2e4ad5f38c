//! Values that are known before code, in the words of the program.

use super::boxes::Bound;
use super::sums::{Atom, Atoms, Kind, Sum};
use crate::entities::Local;
use crate::function::Body;
use crate::module::Module;
use crate::op::{BinaryOp, ConvertOp, Operand};
use std::fmt::Write;

/// Spells sums over atoms.
pub struct Spelling<'a> {
    /// The module.
    pub module: &'a Module,
    /// The body whose locals have the names.
    pub body: &'a Body,
    /// The atoms.
    pub atoms: &'a Atoms,
    /// The variable in memory that a local of the surveyed body stands for.
    pub in_memory: &'a dyn Fn(Local) -> Option<Operand>,
}

impl Spelling<'_> {
    /// The first element and the number of elements of the bytes between two addresses, where a pointer
    /// leads to element 0: `0` and `n` of `p[0:n]`. `None` if they cannot be spelled, or if no reader is
    /// helped by a number that is a maximum of minima.
    pub fn section(&self, pointer: &Sum, ends: &(Bound, Bound), element: i64) -> Option<(String, String)> {
        let (Bound::Sum(low), high) = ends else { return None };
        Some((self.sum(&low.plus(-1, pointer)?, element)?, self.less(high, low, element)?))
    }

    fn less(&self, bound: &Bound, low: &Sum, element: i64) -> Option<String> {
        let sum = |bound: &Bound| match bound {
            Bound::Sum(sum) => self.sum(&sum.plus(-1, low)?, element),
            Bound::Floor { .. } | Bound::Min(_) | Bound::Max(_) => None,
        };
        match bound {
            Bound::Min(bounds) if let [a, b] = &bounds[..] => Some(format!("min({}, {})", sum(a)?, sum(b)?)),
            Bound::Max(bounds) if let [a, b] = &bounds[..] => Some(format!("max({}, {})", sum(a)?, sum(b)?)),
            bound => sum(bound),
        }
    }

    /// A sum divided by a number that divides all its factors.
    pub fn sum(&self, sum: &Sum, by: i64) -> Option<String> {
        let mut terms: Vec<(String, i64)> = Vec::new();
        for (product, factor) in sum.terms() {
            if factor % by != 0 {
                return None;
            }
            let names: Option<Vec<String>> = product.iter().map(|&atom| self.atom(atom)).collect();
            terms.push((names?.join("*"), factor / by));
        }
        // Numbers come last, and what is taken away behind what it is taken from.
        terms.sort_by_key(|(name, factor)| (name.is_empty(), *factor < 0));
        let mut text = String::new();
        for (name, factor) in terms {
            let sign = match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let amount = factor.unsigned_abs();
            text.push_str(sign);
            _ = match (name.is_empty(), amount) {
                (true, _) => write!(text, "{amount}"),
                (false, 1) => write!(text, "{name}"),
                (false, _) => write!(text, "{amount}*{name}"),
            };
        }
        Some(if text.is_empty() { "0".to_owned() } else { text })
    }

    /// An atom that has a name.
    pub fn atom(&self, atom: Atom) -> Option<String> {
        match &self.atoms.data(atom).kind {
            Kind::Entry(local) => match (self.in_memory)(*local) {
                Some(place) => self.object(place),
                None => self.object(Operand::Local(*local)),
            },
            Kind::Element { .. } => self.object(self.atoms.variable(atom)?),
            // What the program has as an unsigned number, or as a narrower one.
            Kind::Converted(ConvertOp::ZExt | ConvertOp::Trunc, _, value) => self.atom(value.as_atom()?),
            Kind::Binary(BinaryOp::SDiv, dividend, divisor) => {
                Some(format!("(({})/{})", self.sum(dividend, 1)?, divisor.as_constant()?))
            }
            _ => None,
        }
    }

    /// The name of a variable.
    pub fn object(&self, object: Operand) -> Option<String> {
        let name = match object {
            Operand::Local(local) => self.body.locals.get(local)?.name.as_deref(),
            Operand::Slot(slot) => self.body.slots[slot].name.as_deref(),
            Operand::Global(global) => Some(&*self.module.globals[global].name),
            _ => None,
        };
        name.map(str::to_owned)
    }
}
