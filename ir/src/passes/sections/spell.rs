//! Sections in the words of the program.

use super::view::View;
use crate::acc::DataMap;
use crate::analysis::boxes::Bound;
use crate::analysis::sums::{Atom, Atoms, Kind, Sum};
use crate::function::Body;
use crate::module::Module;
use crate::op::{BinaryOp, Operand, Pos};
use crate::types::Type;
use std::fmt::Write;

/// Spells values that are known before a construct.
pub struct Spelling<'a> {
    pub module: &'a Module,
    pub body: &'a Body,
    pub view: &'a View,
}

impl Spelling<'_> {
    /// The bytes between two distances from a pointer: `p[0:n]` in elements, or how many of another size;
    /// `None` if they cannot be spelled.
    pub fn section(&self, map: &DataMap, low: &Bound, high: &Bound) -> Option<String> {
        let Bound::Sum(low) = low else { return None };
        let spelled = |size: u64| Some((self.sum(low, size as i64)?, self.less(high, low, size as i64)?));
        let elements = map.elements.as_ref();
        if let Some((first, count)) = elements.and_then(|elements| spelled(elements.bytes)) {
            return Some(format!("({}[{first}:{count}])", map.name));
        }
        let scalar =
            elements.and_then(|elements| elements.parts.first()).map_or(1, |part| part.ty.ty.bytes().into());
        let (size, (first, count)) = [scalar, 1].into_iter().find_map(|size| Some((size, spelled(size)?)))?;
        let what = if size == 1 { "bytes".to_owned() } else { format!("elements of {size} bytes") };
        Some(format!(" of {count} {what}, from number {first} on"))
    }

    fn less(&self, bound: &Bound, low: &Sum, element: i64) -> Option<String> {
        let list = |name: &str, list: &[Bound]| {
            let all: Option<Vec<String>> = list.iter().map(|bound| self.less(bound, low, element)).collect();
            Some(format!("{name}({})", all?.join(", ")))
        };
        match bound {
            Bound::Sum(sum) => self.sum(&sum.plus(-1, low)?, element),
            Bound::Floor { .. } => None,
            Bound::Min(bounds) => list("min", bounds),
            Bound::Max(bounds) => list("max", bounds),
        }
    }

    /// A sum divided by a number that divides all its factors.
    fn sum(&self, sum: &Sum, by: i64) -> Option<String> {
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

    fn atom(&self, atom: Atom) -> Option<String> {
        let atoms: &Atoms = &self.view.survey.atoms;
        match &atoms.data(atom).kind {
            Kind::Entry(local) => match self.view.in_memory.get(local) {
                Some((place, _)) => self.object(*place),
                None => self.body.locals.get(*local)?.name.as_deref().map(str::to_owned),
            },
            Kind::Element { at, .. } => match super::uses::object(atoms, at)? {
                (object, 0) => self.object(object),
                _ => None,
            },
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

    /// The name of the pointer in whose memory a pointer stands: `s` of `s->p`.
    pub fn holder(&self, atom: Atom) -> Option<String> {
        let atoms = &self.view.survey.atoms;
        let Kind::Element { ty: Type::Ptr, at } = &atoms.data(atom).kind else { return None };
        at.atoms().find_map(|atom| match &atoms.data(atom).kind {
            Kind::Entry(local) if self.view.body.locals[*local].ty == Type::Ptr => self.atom(atom),
            Kind::Element { ty: Type::Ptr, .. } => self.atom(atom).or_else(|| self.holder(atom)),
            _ => None,
        })
    }
}

/// `line 7`, `lines 7, 9 and 12`.
pub fn lines(places: impl Iterator<Item = Pos>) -> String {
    let mut lines: Vec<u32> = places.map(|pos| pos.line).collect();
    lines.sort_unstable();
    lines.dedup();
    let words: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &words[..] {
        [] => String::new(),
        [only] => format!("line {only}"),
        [more @ .., last] => format!("lines {} and {last}", more.join(", ")),
    }
}
