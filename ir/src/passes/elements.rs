//! Chooses among the few elements of a thread's array: `t[pivot][2]` is one of five numbers.
//!
//! Before: short loops are written out. An array of the thread's own is accessed at constant places, and
//! at some that are computed: `axis[k]`, `t[pivot][j]`. After: such a load loads every element that it may
//! mean, and selects; such a store stores every element, the new value or what was there. All places are
//! constants, so that [`super::split_objects`] makes registers of the array. In registers a choice is one
//! instruction for each element; a GPU's memory for a thread answers later than ten of these are done.
//!
//! Which elements an access may mean, the declaration says ([`Op::Index`]'s `extent`). Arrays with more
//! elements in such a dimension stay in memory, and so do those of which the function has too many accesses.

use super::dce;
use super::env::{Env, device_bodies};
use crate::entities::{Local, Slot, map_below};
use crate::function::{Body, SlotKind};
use crate::module::Module;
use crate::op::{Access, Address, CmpOp, ConvertOp, Inst, Op, Operand, Pos};
use crate::report::PassError;
use crate::types::Type;
use cranelift_entity::SecondaryMap;
use std::num::NonZeroU32;

/// Elements that a computed subscript chooses among, at most.
const MOST_ELEMENTS: u32 = 8;

/// Bytes of such an array, at most.
const MOST_BYTES: u64 = 256;

/// Choices of a function, at most.
const MOST_CHOICES: usize = 600;

/// Whether a computed subscript in an array with this many elements is a choice.
pub(super) fn is_choice(extent: Option<NonZeroU32>) -> bool {
    extent.is_some_and(|extent| extent.get() <= MOST_ELEMENTS)
}

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    device_bodies(module).for_each(choose);
    Ok(())
}

/// Runs the pass on a body.
fn choose(body: &mut Body) {
    let places = places(body);
    if places.values().all(Option::is_none) {
        return;
    }
    // Addresses that accesses no longer need.
    dce::clean(body);
    let chosen = chosen(body, &places);
    if chosen.values().all(|chosen| !chosen) {
        return;
    }
    let mut choices: SecondaryMap<Local, Option<Choice>> = map_below(body.locals.len());
    for (local, place) in places.iter() {
        let place = place.filter(|place| chosen[place.slot]);
        choices[local] = place.map(|place| Choice { place, subscript: body.temp(Type::I32) });
    }
    for block in body.order.clone() {
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut rewritten = Rewritten { body, insts: Vec::with_capacity(insts.len()), pos: Pos::none() };
        insts.into_iter().for_each(|inst| rewritten.inst(inst, &choices));
        let insts = rewritten.insts;
        body.blocks[block].insts = insts;
    }
}

/// An address with a computed subscript.
#[derive(Clone, Copy)]
struct Place {
    slot: Slot,
    /// Of the first element.
    offset: i64,
    scale: i64,
    extent: i64,
}

impl Place {
    /// The elements that an access may mean.
    fn elements(&self, offset: i64) -> impl Iterator<Item = Address> + use<> {
        let (base, first, scale) = (Operand::Slot(self.slot), self.offset.saturating_add(offset), self.scale);
        let place = move |element: i64| first.saturating_add(element.saturating_mul(scale));
        (0..self.extent).map(move |element| Address { base, offset: place(element) })
    }
}

/// The same in an array that becomes registers.
#[derive(Clone, Copy)]
struct Choice {
    place: Place,
    /// What holds the subscript: its own local may change before the access. It is below the number of the
    /// elements, however wide it is in the program, and processors compare 64 bits in two steps.
    subscript: Local,
}

/// The locals that hold such addresses.
fn places(body: &Body) -> SecondaryMap<Local, Option<Place>> {
    let mut places: SecondaryMap<Local, Option<Place>> = map_below(body.locals.len());
    let mut definitions: SecondaryMap<Local, u32> = map_below(body.locals.len());
    body.params.iter().for_each(|&param| definitions[param] += 1);
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        inst.op.defs(|local| definitions[local] += 1);
        if let Op::Index {
            dst,
            base: Operand::Slot(slot),
            index: Operand::Local(index),
            scale,
            offset,
            extent,
        } = inst.op
            && let Some(extent) = extent.filter(|&extent| is_choice(Some(extent)))
            && matches!(body.locals[index].ty, Type::I32 | Type::I64)
        {
            places[dst] = Some(Place { slot, offset, scale, extent: extent.get().into() });
        }
    }
    for (local, place) in places.iter_mut() {
        *place = place.filter(|_| definitions[local] == 1);
    }
    places
}

/// What is known about an object.
#[derive(Clone, Default)]
struct Object {
    /// It stays in memory.
    in_memory: bool,
    /// Places and bytes of the accesses.
    accesses: Vec<(i64, i64)>,
    /// Choices of the accesses at computed places.
    choices: usize,
}

impl Object {
    /// Whether accesses are the same or apart, so that each element is a register.
    fn is_split(&mut self, size: u64) -> bool {
        self.accesses.sort_unstable();
        self.accesses.dedup();
        let fits = |&(offset, bytes): &(i64, i64)| offset >= 0 && offset as u64 + bytes as u64 <= size;
        let are_apart = |pair: &[(i64, i64)]| pair[0].0 + pair[0].1 <= pair[1].0;
        self.accesses.iter().all(fits) && self.accesses.windows(2).all(are_apart)
    }
}

/// The objects whose elements are chosen among.
fn chosen(body: &Body, places: &SecondaryMap<Local, Option<Place>>) -> SecondaryMap<Slot, bool> {
    let mut objects: SecondaryMap<Slot, Object> = map_below(body.slots.len());
    for (slot, data) in &body.slots {
        objects[slot].in_memory = data.kind != SlotKind::Frame || data.size > MOST_BYTES;
    }
    let place = |operand: Operand| operand.as_local().and_then(|local| places[local]);
    let keep = |objects: &mut SecondaryMap<Slot, Object>, operand: Operand| match operand {
        Operand::Slot(slot) => objects[slot].in_memory = true,
        operand => place(operand).into_iter().for_each(|place| objects[place.slot].in_memory = true),
    };
    let access = |objects: &mut SecondaryMap<Slot, Object>, addr: &Address, ty: Type| {
        let bytes = i64::from(ty.bytes());
        match (addr.base, place(addr.base)) {
            (Operand::Slot(slot), _) => objects[slot].accesses.push((addr.offset, bytes)),
            (_, Some(place)) => {
                let object = &mut objects[place.slot];
                object.in_memory |= !ty.is_word();
                object.choices += place.extent as usize;
                object.accesses.extend(place.elements(addr.offset).map(|element| (element.offset, bytes)));
            }
            _ => {}
        }
    };
    body.annotations(|part| part.operand().into_iter().for_each(|operand| keep(&mut objects, operand)));
    for &block in &body.order {
        let data = &body.blocks[block];
        data.term.parts(|part| part.operand().into_iter().for_each(|operand| keep(&mut objects, operand)));
        for inst in &data.insts {
            match &inst.op {
                Op::Load { dst, addr, access: how } if !how.volatile => {
                    access(&mut objects, addr, body.locals[*dst].ty);
                }
                Op::Store { ty, addr, src, access: how } if !how.volatile => {
                    access(&mut objects, addr, *ty);
                    keep(&mut objects, *src);
                }
                Op::Index { dst, .. } if places[*dst].is_some() => {}
                Op::MemCopy { dst, src, bytes: Operand::Int(..), .. } => {
                    let ends = [dst.base, src.base];
                    ends.into_iter()
                        .filter(|base| place(*base).is_some())
                        .for_each(|base| keep(&mut objects, base));
                }
                Op::MemSet { dst, value: Operand::Int(..), bytes: Operand::Int(..), .. } => {
                    if place(dst.base).is_some() {
                        keep(&mut objects, dst.base);
                    }
                }
                other => other
                    .parts(|part| part.operand().into_iter().for_each(|operand| keep(&mut objects, operand))),
            }
        }
    }
    let mut chosen: SecondaryMap<Slot, bool> = map_below(body.slots.len());
    let mut left = MOST_CHOICES;
    for (slot, data) in &body.slots {
        let object = &mut objects[slot];
        let is_wanted = !object.in_memory && (1..=left).contains(&object.choices);
        if is_wanted && object.is_split(data.size) {
            left -= object.choices;
            chosen[slot] = true;
        }
    }
    chosen
}

/// The instructions of a block, anew.
struct Rewritten<'a> {
    body: &'a mut Body,
    insts: Vec<Inst>,
    pos: Pos,
}

impl Rewritten<'_> {
    fn push(&mut self, op: Op) {
        self.insts.push(Inst { op, pos: self.pos });
    }

    fn inst(&mut self, inst: Inst, choices: &SecondaryMap<Local, Option<Choice>>) {
        let choice = |addr: &Address| choices[addr.base.as_local()?];
        self.pos = inst.pos;
        match inst.op {
            Op::Index { dst, index, .. } if let Some(choice) = choices[dst] => {
                let dst = choice.subscript;
                let is_wide = index.as_local().is_some_and(|index| self.body.locals[index].ty == Type::I64);
                self.push(match is_wide {
                    true => Op::Convert { dst, op: ConvertOp::Trunc, src: index },
                    false => Op::Copy { dst, src: index },
                });
            }
            Op::Load { dst, addr, access } if let Some(choice) = choice(&addr) => {
                self.load(dst, choice, addr.offset, access);
            }
            Op::Store { ty, addr, src, access } if let Some(choice) = choice(&addr) => {
                self.store((ty, src), choice, addr.offset, access);
            }
            _ => self.insts.push(inst),
        }
    }

    /// Whether a subscript means an element.
    fn is_meant(&mut self, choice: Choice, element: usize) -> Operand {
        let dst = self.body.temp(Type::I1);
        let b = Operand::Int(Type::I32, element as i64);
        self.push(Op::Compare { dst, op: CmpOp::Eq, a: Operand::Local(choice.subscript), b });
        Operand::Local(dst)
    }

    /// Loads an element; gives its value.
    fn element(&mut self, ty: Type, addr: Address, access: Access) -> Operand {
        let dst = self.body.temp(ty);
        self.push(Op::Load { dst, addr, access });
        Operand::Local(dst)
    }

    fn load(&mut self, dst: Local, choice: Choice, offset: i64, access: Access) {
        let ty = self.body.locals[dst].ty;
        let mut so_far = None;
        for (element, addr) in choice.place.elements(offset).enumerate() {
            let a = self.element(ty, addr, access);
            so_far = Some(match so_far {
                Some(b) => {
                    let (cond, dst) = (self.is_meant(choice, element), self.body.temp(ty));
                    self.push(Op::Select { dst, cond, a, b });
                    Operand::Local(dst)
                }
                None => a,
            });
        }
        so_far.into_iter().for_each(|src| self.push(Op::Copy { dst, src }));
    }

    fn store(&mut self, (ty, src): (Type, Operand), choice: Choice, offset: i64, access: Access) {
        for (element, addr) in choice.place.elements(offset).enumerate() {
            let (cond, b) = (self.is_meant(choice, element), self.element(ty, addr, access));
            let dst = self.body.temp(ty);
            self.push(Op::Select { dst, cond, a: src, b });
            self.push(Op::Store { ty, addr, src: Operand::Local(dst), access });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::Func;
    use crate::text;

    /// A function with an object `s0` of 12 bytes that stores and loads with a computed subscript, behind the
    /// pass; `index` is how the address is computed, `more` what else it does.
    fn chosen(index: &str, more: &str) -> String {
        let text = format!(
            "signature sig0 (i64) -> i32\nfunction fn0.f sig0 external {{\n params v0.k locals v0.k: i64\n\
             locals v1: ptr locals v2: i32 slot s0.a size 12 align 4\n\
             bb0: store.i32 [s0.a + 4], 7i32 v1 = index {index} v0.k = copy 9i64 store.i32 [v1], 5i32 {more} \
             v2 = load [v1] return v2\n}}\n"
        );
        let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        module.functions[Func::from_u32(0)].body.as_deref_mut().into_iter().for_each(choose);
        crate::verify::verify(&module, "elements")
            .unwrap_or_else(|errors| panic!("{errors}\n{}", text::print(&module)));
        text::print(&module)
    }

    const INDEX: &str = "s0.a + v0.k * 4 below 3";

    #[test]
    fn every_element_is_chosen_among() {
        let text = chosen(INDEX, "");
        assert!(!text.contains("index") && !text.contains("[v1]"), "{text}");
        // Three elements that are stored, two that are not the first one to be loaded.
        assert_eq!(text.matches(" = select ").count(), 5, "{text}");
        assert_eq!(text.matches("store.i32 [s0.a").count(), 4, "{text}");
        let (before, behind) = text.split_once("v0.k = copy 9i64").unwrap_or_else(|| panic!("{text}"));
        assert!(before.contains("= convert.trunc v0.k") && !behind.contains("cmp.eq v0.k"), "{text}");
    }

    #[test]
    fn what_needs_memory_stays() {
        for (index, more) in [
            ("s0.a + v0.k * 4", ""),
            ("s0.a + v0.k * 4 below 9", ""),
            ("s0.a + v0.k * 6 below 2", ""),
            (INDEX, "store.ptr [256ptr], v1"),
            (INDEX, "store.ptr [256ptr], s0.a"),
            (INDEX, "v1 = copy 256ptr"),
            (INDEX, "store.i16 [s0.a + 2], 1i16"),
        ] {
            let text = chosen(index, more);
            assert!(!text.contains("select") && text.contains("= index"), "{index} {more}: {text}");
        }
    }
}
