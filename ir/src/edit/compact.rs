//! Drops what a body no longer refers to, and renumbers the rest.
//!
//! Passes that remove code in bulk call it, because a slot that nothing refers to would still
//! take room in the frame, and a loop without blocks would break the loop tree.

use crate::entities::{Block, Local, Loop, Slot};
use crate::function::Body;
use crate::op::Operand;
use crate::visit::{Part, PartMut};
use cranelift_entity::packed_option::ReservedValue;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

/// New ids by old ones.
struct Renumber<K: EntityRef>(SecondaryMap<K, u32>);

const GONE: u32 = u32::MAX;

impl<K: EntityRef + ReservedValue> Renumber<K> {
    fn new<V>(entities: &PrimaryMap<K, V>) -> Self {
        let mut numbers = SecondaryMap::with_default(GONE);
        numbers.resize(entities.len());
        Renumber(numbers)
    }

    /// Marks an id as kept; true if it was not before.
    fn keep(&mut self, id: K) -> bool {
        std::mem::replace(&mut self.0[id], 0) == GONE
    }

    /// Moves the entities that are kept into a new map, in the old order.
    fn pack<V>(&mut self, old: PrimaryMap<K, V>) -> PrimaryMap<K, V> {
        let mut new: PrimaryMap<K, V> = PrimaryMap::with_capacity(old.len());
        for (id, value) in old {
            if self.0[id] != GONE {
                self.0[id] = new.push(value).index() as u32;
            }
        }
        new
    }

    fn get(&self, id: K) -> K {
        K::new(self.0[id] as usize)
    }
}

struct Kept {
    blocks: Renumber<Block>,
    loops: Renumber<Loop>,
    slots: Renumber<Slot>,
    locals: Renumber<Local>,
}

impl Kept {
    fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Local(local) => _ = self.locals.keep(local),
            Operand::Slot(slot) => _ = self.slots.keep(slot),
            Operand::Global(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Value(operand) | Part::Variable(operand) => self.operand(*operand),
            Part::Address(address) => self.operand(address.base),
            Part::Def(local) | Part::NamedLocal(local) => _ = self.locals.keep(*local),
            Part::Block(block) => _ = self.blocks.keep(*block),
            Part::Loop(_)
            | Part::Func(_)
            | Part::Sig(_)
            | Part::Agg(_)
            | Part::Construct(_)
            | Part::Red(_)
            | Part::Pos(_) => {}
        }
    }

    fn map(&self, operand: &mut Operand) {
        match operand {
            Operand::Local(local) => *local = self.locals.get(*local),
            Operand::Slot(slot) => *slot = self.slots.get(*slot),
            Operand::Global(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
    }

    fn map_part(&self, part: PartMut<'_>) {
        match part {
            PartMut::Value(operand) | PartMut::Variable(operand) => self.map(operand),
            PartMut::Address(address) => self.map(&mut address.base),
            PartMut::Def(local) | PartMut::NamedLocal(local) => *local = self.locals.get(*local),
            PartMut::Block(block) => *block = self.blocks.get(*block),
            PartMut::Loop(loop_) => *loop_ = self.loops.get(*loop_),
            PartMut::Func(_)
            | PartMut::Sig(_)
            | PartMut::Agg(_)
            | PartMut::Construct(_)
            | PartMut::Red(_)
            | PartMut::Pos(_) => {}
        }
    }
}

/// Drops blocks outside the layout, loops without blocks in it, and slots and locals without a reference.
pub fn compact(body: &mut Body) {
    let mut kept = Kept {
        blocks: Renumber::new(&body.blocks),
        loops: Renumber::new(&body.loops),
        slots: Renumber::new(&body.slots),
        locals: Renumber::new(&body.locals),
    };
    mark(body, &mut kept);
    body.blocks = kept.blocks.pack(std::mem::take(&mut body.blocks));
    body.loops = kept.loops.pack(std::mem::take(&mut body.loops));
    body.slots = kept.slots.pack(std::mem::take(&mut body.slots));
    body.locals = kept.locals.pack(std::mem::take(&mut body.locals));
    body.parts_mut(|part| kept.map_part(part));
}

fn mark(body: &Body, kept: &mut Kept) {
    for &param in &body.params {
        kept.locals.keep(param);
    }
    for &block in &body.order {
        kept.blocks.keep(block);
        body.blocks[block].parts(|part| kept.part(part));
    }
    for loop_ in body.live_loops() {
        kept.loops.keep(loop_);
        body.loops[loop_].parts(|part| kept.part(part));
    }
    for construct in body.live_constructs() {
        body.constructs[construct].parts(|part| kept.part(part));
    }
    for clause in &body.region_reductions {
        clause.parts(|part| kept.part(part));
    }
    body.beside.iter().for_each(|beside| beside.parts(|part| kept.part(part)));
    for (slot, data) in &body.slots {
        if kept.slots.0[slot] != GONE {
            data.parts(|part| kept.part(part));
        }
    }
}
