//! Objects of functions that hold the same bytes whenever somebody reads them, such as `const int step[3] = {
//! -1, 0, 1 }` in a function that loops call: each call would write them into memory of its own.

use crate::acc::MapKind;
use crate::edit::rename::Rename;
use crate::entities::{Block, Global, Local, Slot, map_below};
use crate::function::{Body, Linkage, SlotData, SlotKind};
use crate::module::{GlobalData, Init, Module};
use crate::op::{Address, Op, Operand};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::{PackedOption, ReservedValue};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Larger objects stay where they are: who writes so much has reasons.
const LARGEST: u64 = 1 << 16;

/// What the code does with an object.
#[derive(Clone, Default)]
struct Use {
    /// Anything but to write constants into it and to read it.
    escapes: bool,
    /// At places that only the run knows: elements that code names are locals later.
    is_searched: bool,
    /// Where constants are written into it: block, instruction.
    writes: Vec<(Block, usize)>,
    /// Where it is read.
    reads: Vec<(Block, usize)>,
}

/// Makes constant objects of the module of those in a body that are ones.
pub(super) fn run(module: &mut Module, body: &mut Body) {
    if body.slots.is_empty() {
        return;
    }
    let uses = uses(body);
    let mut rename = Rename::default();
    let mut writes: FxHashSet<(Block, usize)> = FxHashSet::default();
    for slot in body.slots.keys().collect::<Vec<_>>() {
        let Some(bytes) = contents(body, slot, &uses[slot]) else { continue };
        writes.extend(&uses[slot].writes);
        rename.slots.insert(slot, Operand::Global(define(module, body, slot, &bytes)));
    }
    if rename.is_empty() {
        return;
    }
    for block in body.order.clone() {
        let mut at = 0..;
        body.blocks[block].insts.retain(|_| !at.next().is_some_and(|at| writes.contains(&(block, at))));
        body.blocks[block].parts_mut(|part| rename.part(part));
    }
    for map in body.constructs.values_mut().flat_map(|data| &mut data.maps) {
        if map.var.is_some_and(|var| rename.operand(var) != var) {
            map.kind = MapKind::CopyIn;
        }
    }
    body.annotations_mut(|part| rename.part(part));
}

/// What a body does with its objects.
fn uses(body: &Body) -> SecondaryMap<Slot, Use> {
    let mut uses: SecondaryMap<Slot, Use> = SecondaryMap::new();
    for (slot, data) in &body.slots {
        uses[slot].escapes = data.kind != SlotKind::Frame || data.size > LARGEST;
    }
    let leads = leads(body, &mut uses);
    let slot_of = |operand: Operand| match operand {
        Operand::Slot(slot) => Some(slot),
        Operand::Local(local) => leads[local].expand(),
        _ => None,
    };
    annotations(body, slot_of, &mut uses);
    for &block in &body.order {
        let data = &body.blocks[block];
        for (at, inst) in data.insts.iter().enumerate() {
            let place = (block, at);
            let harmless = match &inst.op {
                Op::Copy { src, .. } => [Some(*src), None],
                Op::Select { a, b, .. } => [Some(*a), Some(*b)],
                Op::Index { base, index, .. } => {
                    if let (Some(slot), None) = (slot_of(*base), index.as_int()) {
                        uses[slot].is_searched = true;
                    }
                    [Some(*base), None]
                }
                Op::Load { addr, access, .. } if !access.volatile => {
                    slot_of(addr.base).into_iter().for_each(|slot| uses[slot].reads.push(place));
                    [Some(addr.base), None]
                }
                Op::Store { addr: Address { base: base @ Operand::Slot(slot), .. }, src, access, .. }
                    if !access.volatile && bits(*src).is_some() =>
                {
                    uses[*slot].writes.push(place);
                    [Some(*base), None]
                }
                Op::MemSet {
                    dst: Address { base: base @ Operand::Slot(slot), .. }, value, bytes, ..
                } if bits(*value).is_some() && bytes.as_int().is_some() => {
                    uses[*slot].writes.push(place);
                    [Some(*base), None]
                }
                _ => [None, None],
            };
            let harmless =
                harmless.into_iter().flatten().filter(|&operand| slot_of(operand).is_some()).count();
            let mut mentioned: SmallVec<[Slot; 4]> = SmallVec::new();
            inst.op.parts(|part| mentioned.extend(part.used_operand().and_then(slot_of)));
            if mentioned.len() != harmless {
                mentioned.into_iter().for_each(|slot| uses[slot].escapes = true);
            }
        }
        data.term.parts(|part| {
            part.used_operand().and_then(slot_of).into_iter().for_each(|slot| uses[slot].escapes = true);
        });
    }
    uses
}

/// Which object a local leads to, where it leads to one. Objects that one local may lead to escape.
fn leads(body: &Body, uses: &mut SecondaryMap<Slot, Use>) -> SecondaryMap<Local, PackedOption<Slot>> {
    let mut leads: SecondaryMap<Local, PackedOption<Slot>> = map_below(body.locals.len());
    let mut changed = true;
    while changed {
        changed = false;
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            let (dst, sources) = match &inst.op {
                Op::Copy { dst, src } => (*dst, [*src; 2]),
                Op::Select { dst, a, b, .. } => (*dst, [*a, *b]),
                Op::Index { dst, base, .. } => (*dst, [*base; 2]),
                _ => continue,
            };
            for source in sources {
                let slot = match source {
                    Operand::Slot(slot) => slot,
                    Operand::Local(local) if let Some(slot) = leads[local].expand() => slot,
                    _ => continue,
                };
                match leads[dst].expand() {
                    None => (leads[dst], changed) = (slot.into(), true),
                    Some(other) if other != slot => {
                        uses[slot].escapes = true;
                        uses[other].escapes = true;
                    }
                    Some(_) => {}
                }
            }
        }
    }
    leads
}

/// Lets objects escape that clauses name, but for a construct's use of the whole object.
fn annotations(body: &Body, slot_of: impl Fn(Operand) -> Option<Slot>, uses: &mut SecondaryMap<Slot, Use>) {
    let mut named: SecondaryMap<Slot, usize> = SecondaryMap::new();
    body.annotations(|part| part.operand().and_then(&slot_of).into_iter().for_each(|slot| named[slot] += 1));
    let live = body.constructs.values().filter(|data| !data.entry.is_reserved_value());
    for map in live.flat_map(|data| &data.maps) {
        let object = Some(map.start);
        let is_whole = map.var == object && map.pointer_bias.is_none() && map.strides.is_empty();
        let is_read = map.kind == MapKind::CopyIn || map.implicit && map.kind == MapKind::Copy;
        if is_whole
            && is_read
            && let Operand::Slot(slot) = map.start
        {
            // As the variable, and for its address.
            named[slot] -= 2;
        }
    }
    for slot in body.slots.keys() {
        uses[slot].escapes |= named[slot] > 0;
    }
}

/// The bits of a constant.
fn bits(operand: Operand) -> Option<u64> {
    match operand {
        Operand::Int(_, value) => Some(value as u64),
        Operand::F32(bits) => Some(bits.into()),
        Operand::F64(bits) => Some(bits),
        Operand::Local(_) | Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) => None,
    }
}

/// What an object holds whenever it is read: it is written in one go, and by nobody else.
fn contents(body: &Body, slot: Slot, used: &Use) -> Option<Vec<u8>> {
    let (&(block, first), &(last_block, last)) = (used.writes.first()?, used.writes.last()?);
    let is_between = |&(read, at): &(Block, usize)| read == block && first < at && at < last;
    let is_written_once = block == last_block && !used.reads.iter().any(is_between);
    if used.escapes || !used.is_searched || !is_written_once {
        return None;
    }
    let mut contents = vec![0; body.slots[slot].size as usize];
    for &(_, at) in &used.writes {
        let (start, bytes) = match body.blocks[block].insts[at].op {
            Op::Store { ty, addr, src, .. } => {
                (addr.offset, bits(src)?.to_le_bytes().get(..ty.bytes() as usize)?.to_vec())
            }
            Op::MemSet { dst, value, bytes, .. } => {
                (dst.offset, vec![bits(value)? as u8; usize::try_from(bytes.as_int()?).ok()?])
            }
            _ => return None,
        };
        let start = usize::try_from(start).ok()?;
        contents.get_mut(start..start.checked_add(bytes.len())?)?.copy_from_slice(&bytes);
    }
    Some(contents)
}

/// The constant object of the module.
fn define(module: &mut Module, body: &Body, slot: Slot, contents: &[u8]) -> Global {
    let SlotData { size, align, ref name, .. } = body.slots[slot];
    // No name of C has a point in it.
    let name = format!("{}.{}", name.as_deref().unwrap_or_default(), module.globals.len());
    let init = Init::of(contents, Vec::new());
    let constant = GlobalData {
        linkage: Linkage::Internal,
        constant: true,
        ..GlobalData::external(name, size, align, init)
    };
    module.globals.push(constant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    /// Whether the object `s0` of a function becomes one of the module. `v0` is a pointer that is given, `v1`
    /// a number; `v2` to `v4` are pointers to be used, and `v5` a number.
    fn moves(code: &str) -> bool {
        let text = format!(
            "signature sig0 (ptr, i64)\nsignature sig1 (ptr)\nfunction fn0.f sig0 external {{\n  \
             params v0, v1\n  locals v0: ptr\n  locals v1: i64\n  locals v2, v3, v4: ptr\n  locals v5: i32\n  \
             locals v6: i1\n  slot s0.a size 8 align 4\n{code}}}\nfunction fn1.g sig1 external\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let func = module.functions.keys().find(|&func| module.functions[func].body.is_some());
        let func = func.unwrap_or_else(|| panic!("there is a body"));
        let mut body = module.functions[func].body.take().unwrap_or_else(|| panic!("it has a body"));
        run(&mut module, &mut body);
        let Some(global) = module.globals.values().next() else { return false };
        assert_eq!(global.init, Init::Bytes([1, 0, 0, 0, 2].into(), Vec::new()));
        assert!(global.constant && global.size == 8 && global.align == 4);
        let is_of_slot = |inst: &crate::Inst| {
            let mut is = false;
            inst.op.operands(|operand| is |= matches!(operand, Operand::Slot(_)));
            is
        };
        assert!(
            !body.blocks.values().any(|block| block.insts.iter().any(is_of_slot)),
            "all uses are renamed"
        );
        true
    }

    #[test]
    fn objects_that_hold_constants_only_are_of_the_module() {
        let written = "bb0:\n  store.i32 [s0], 1i32\n  store.i32 [s0 + 4], 2i32\n";
        let read = "  v2 = index s0 + v1 * 4\n  v5 = load [v2]\n";
        let of = |rest: &str| moves(&format!("{written}{read}{rest}  return\n"));
        assert!(of(""));
        // Of what is set first, the constants that follow count.
        assert!(moves(&format!(
            "bb0:\n  mem_set [s0], 9i8, 8i64 align 4\n  store.i32 [s0], 1i32\n  store.i32 [s0 + 4], 2i32\n{read}  return\n"
        )));
        assert!(of("  v3 = copy v2\n  v6 = cmp.eq v1, 0i64\n  v4 = select v6, v3, v2\n  v5 = load [v4]\n"));
        // Code writes it, or may.
        assert!(!of("  store.i32 [v2], 2i32\n"));
        assert!(!of("  store.i32 [s0], v5\n"));
        assert!(!of("  call fn1.g(v2) sig1\n"));
        assert!(!of("  store.ptr [v0], v2\n"));
        assert!(!of("  v6 = cmp.eq v2, v0\n"));
        // It changes between two reads.
        assert!(!of("  store.i32 [s0 + 4], 2i32\n"));
        assert!(!of("  jump bb1\nbb1:\n  store.i32 [s0 + 4], 2i32\n"));
        assert!(!moves(&format!(
            "bb0:\n  store.i32 [s0], 1i32\n{read}  store.i32 [s0 + 4], 2i32\n  return\n"
        )));
        // Its elements are locals later.
        assert!(!moves(&format!("{written}  v5 = load [s0 + 4]\n  return\n")));
        // One local leads to two objects, or anywhere.
        assert!(!of("  v3 = copy v2\n  v3 = copy v0\n  store.i32 [v3], 2i32\n"));
    }
}
