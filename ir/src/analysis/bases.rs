//! Which objects addresses point into, and which slots nothing points to from elsewhere.
//!
//! Answers "can these two addresses be equal?" for passes that move or widen accesses. An address that is
//! derived from a slot or global stays within it: anything else is undefined in C.

use crate::entities::{Global, Local, Slot, map_below};
use crate::function::Body;
use crate::op::{Op, Operand};
use crate::visit::Part;
use cranelift_entity::EntitySet;
use cranelift_entity::SecondaryMap;

/// What an address is derived from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A slot.
    Slot(Slot),
    /// A global.
    Global(Global),
    /// A pointer of unknown origin.
    Unknown,
}

/// The bases of pointers that are assigned once.
#[derive(Clone, Debug)]
pub struct Bases {
    of: SecondaryMap<Local, Option<Base>>,
    /// How often each local is assigned; the argument of a parameter is one.
    defs: SecondaryMap<Local, u32>,
    escaped: EntitySet<Slot>,
    /// Those of the escaped ones whose address is a value in the code.
    addressed: EntitySet<Slot>,
}

impl Bases {
    /// Of a body.
    pub fn new(body: &Body) -> Bases {
        let mut bases = Bases {
            of: map_below(body.locals.len()),
            defs: map_below(body.locals.len()),
            escaped: EntitySet::with_capacity(body.slots.len()),
            addressed: EntitySet::with_capacity(body.slots.len()),
        };
        body.params.iter().for_each(|&local| bases.defs[local] += 1);
        for &block in &body.order {
            for inst in &body.blocks[block].insts {
                inst.op.defs(|local| bases.defs[local] += 1);
            }
        }
        for &block in &body.order {
            for inst in &body.blocks[block].insts {
                if let Op::Copy { dst, src: base } | Op::Index { dst, base, .. } = inst.op
                    && bases.defs[dst] == 1
                {
                    bases.of[dst] = Some(bases.of(base));
                }
            }
        }
        if !body.slots.is_empty() {
            bases.find_escapes(body);
        }
        bases
    }

    /// The same of a body without directives.
    #[must_use]
    pub fn without_clauses(self) -> Bases {
        Bases { escaped: self.addressed.clone(), ..self }
    }

    fn find_escapes(&mut self, body: &Body) {
        for &block in &body.order {
            let data = &body.blocks[block];
            for inst in &data.insts {
                match inst.op {
                    Op::Copy { dst, src: base } | Op::Index { dst, base, .. }
                        if self.of[dst] == Some(self.of(base)) => {}
                    ref op => op.parts(|part| match part {
                        // Most of what is read are locals that come from no object.
                        Part::Value(Operand::Local(local)) if self.of[*local].is_none() => {}
                        part => self.escape(part),
                    }),
                }
            }
            data.term.parts(|part| self.escape(part));
        }
        self.addressed = self.escaped.clone();
        body.annotations(|part| self.escape(part));
    }

    fn escape(&mut self, part: Part<'_>) {
        if let Part::Value(operand) | Part::Variable(operand) = part
            && let Base::Slot(slot) = self.of(*operand)
        {
            self.escaped.insert(slot);
        }
    }

    /// Whether a local has one value, from its argument or from one instruction.
    pub fn is_set_once(&self, local: Local) -> bool {
        self.defs[local] == 1
    }

    /// Whether code may know the address of a slot other than by its name, unlike that of one which only
    /// clauses of directives name.
    pub fn is_addressed(&self, slot: Slot) -> bool {
        self.addressed.contains(slot)
    }

    /// The base of an address.
    pub fn of(&self, operand: Operand) -> Base {
        match operand {
            Operand::Slot(slot) => Base::Slot(slot),
            Operand::Global(global) => Base::Global(global),
            Operand::Local(local) => self.of[local].unwrap_or(Base::Unknown),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => Base::Unknown,
        }
    }

    /// Whether two addresses lie in different objects for certain.
    pub fn differ(&self, a: Base, b: Base) -> bool {
        match (a, b) {
            (Base::Unknown, Base::Unknown) => false,
            (Base::Slot(slot), Base::Unknown) | (Base::Unknown, Base::Slot(slot)) => {
                !self.escaped.contains(slot)
            }
            (Base::Global(_), Base::Unknown) | (Base::Unknown, Base::Global(_)) => false,
            (Base::Slot(_) | Base::Global(_), Base::Slot(_) | Base::Global(_)) => a != b,
        }
    }
}
