//! Where slots are: in the frame of a function, or in memory that threads share.
//!
//! What a gang's threads share is in shared memory as long as it fits, the largest objects otherwise in the
//! gang's part of the launch's scratch memory.

use super::name::{BROADCAST, FRAME, Names, REDUCTIONS};
use super::scratch::Scratch;
use super::source_text::comment_text;
use accrue_ir::*;
use cranelift_entity::EntitySet;
use cranelift_entity::SecondaryMap;
use std::rc::Rc;

/// Static shared memory that a kernel may use on every architecture.
pub(super) const SHARED_LIMIT: u64 = 48 * 1024;
/// Atomic updates of smaller objects access the word around them, which must not reach out of the array.
const WORD: u32 = 4;
/// Workers that a worker-private slot has instances for, where their number is not a constant: the most there
/// can be.
const MOST_WORKERS: u32 = 32;

/// What holds a slot.
#[derive(Clone, Debug)]
pub(super) enum Home {
    /// An array with this name.
    Array(Rc<str>),
    /// The launch's scratch memory.
    Launch,
    /// The gang's part of it.
    Gang,
}

/// Where a slot is.
#[derive(Clone, Debug)]
pub(super) struct SlotPlace {
    /// Local, shared or global memory.
    pub(super) space: Space,
    /// What holds it.
    pub(super) home: Home,
    /// First byte in its home.
    pub(super) offset: u64,
    /// Bytes between the instances of two workers; 0 if there is only one.
    pub(super) stride: u64,
}

/// An array of the function in shared memory.
#[derive(Clone, Debug)]
pub(super) struct SharedArray {
    /// The slot that it holds.
    slot: Slot,
    /// Its name in PTX.
    pub(super) name: Rc<str>,
    /// The variable of C.
    pub(super) variable: String,
    /// Bytes, of all instances.
    pub(super) bytes: u64,
    /// Alignment.
    pub(super) align: u32,
}

/// All slots of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Where each used slot is.
    pub(super) places: SecondaryMap<Slot, Option<SlotPlace>>,
    /// Bytes of the frame so far.
    pub(super) frame_bytes: u64,
    /// Alignment of the frame.
    pub(super) frame_align: u32,
    /// What is in the frame: offset and name.
    pub(super) frame_names: Vec<(u64, String)>,
    /// Gang-private and worker-private slots.
    pub(super) arrays: Vec<SharedArray>,
    /// Bytes of the buffer of reductions that the function needs.
    pub(super) reduction_bytes: u64,
    /// Bytes of the broadcast record that the function needs.
    pub(super) broadcast_bytes: u64,
}

fn align_up(value: u64, align: u32) -> u64 {
    value.next_multiple_of(u64::from(align.max(1)))
}

fn used_slots(body: &Body) -> EntitySet<Slot> {
    let mut used = EntitySet::with_capacity(body.slots.len());
    let mut visit = |operand| {
        if let Operand::Slot(slot) = operand {
            used.insert(slot);
        }
    };
    for &block in &body.order {
        body.blocks[block].insts.iter().for_each(|inst| inst.op.operands(&mut visit));
        body.blocks[block].term.operands(&mut visit);
    }
    used
}

impl Layout {
    /// Gives every slot that the body names its place. `workers` is their constant number, or 0.
    pub(super) fn new(
        body: &Body,
        workers: u32,
        outer: &Names,
        names: &mut Names,
        scratch: &mut Scratch,
    ) -> Layout {
        let mut layout = Layout { frame_align: 1, ..Layout::default() };
        let used = used_slots(body);
        layout.place_reductions(body, &used);
        for slot in used.iter() {
            let data = &body.slots[slot];
            let bytes = data.size.max(1);
            let place = match data.kind {
                SlotKind::Frame => {
                    let offset = layout.frame_place(bytes, data.align);
                    if let Some(name) = &data.name {
                        layout.frame_names.push((offset, comment_text(name).into_owned()));
                    }
                    SlotPlace { space: Space::Local, home: Home::Array(FRAME.into()), offset, stride: 0 }
                }
                SlotKind::GangPrivate | SlotKind::GangCopy => layout.array(slot, data, 0, outer, names),
                SlotKind::WorkerPrivate => {
                    let workers = if workers == 0 { MOST_WORKERS } else { workers };
                    layout.array(slot, data, workers, outer, names)
                }
                SlotKind::Broadcast => {
                    layout.broadcast_bytes = layout.broadcast_bytes.max(bytes);
                    let home = Home::Array(BROADCAST.into());
                    SlotPlace { space: Space::Shared, home, offset: 0, stride: 0 }
                }
                SlotKind::Launch => {
                    let offset = scratch.take_of_launch(bytes, data.align);
                    SlotPlace { space: Space::Global, home: Home::Launch, offset, stride: 0 }
                }
                SlotKind::GangScratch => {
                    let offset = scratch.take_of_gang(bytes, data.align);
                    SlotPlace { space: Space::Global, home: Home::Gang, offset, stride: 0 }
                }
                // Reductions have their places; what is mapped was rewritten, and its use is reported where
                // it stands.
                SlotKind::Reduction | SlotKind::Mapped(_) => continue,
            };
            layout.places[slot] = Some(place);
        }
        layout
    }

    /// More bytes of the frame.
    pub(super) fn frame_place(&mut self, bytes: u64, align: u32) -> u64 {
        let offset = align_up(self.frame_bytes, align);
        self.frame_bytes = offset + bytes;
        self.frame_align = self.frame_align.max(align);
        offset
    }

    fn array(
        &mut self,
        slot: Slot,
        data: &SlotData,
        workers: u32,
        outer: &Names,
        names: &mut Names,
    ) -> SlotPlace {
        let variable = data.name.as_deref().filter(|name| !name.is_empty()).unwrap_or("shared");
        let name = names.declare(Some(outer), variable);
        let bytes = align_up(data.size.max(1), WORD);
        let (stride, bytes) = match workers {
            0 | 1 => (0, bytes),
            workers => {
                let stride = align_up(bytes, data.align);
                (stride, stride * u64::from(workers))
            }
        };
        let variable = comment_text(variable).into_owned();
        let align = data.align.max(WORD);
        self.arrays.push(SharedArray { slot, name: name.clone(), variable, bytes, align });
        SlotPlace { space: Space::Shared, home: Home::Array(name), offset: 0, stride }
    }

    /// The variables of C that threads share.
    pub(super) fn variables<'a>(&'a self, body: &'a Body) -> impl Iterator<Item = &'a str> {
        let slots =
            self.places.iter().filter(|(_, place)| place.is_some()).map(|(slot, _)| &body.slots[slot]);
        let shared = |slot: &&SlotData| matches!(slot.kind, SlotKind::GangPrivate | SlotKind::WorkerPrivate);
        slots.filter(shared).filter_map(|slot| slot.name.as_deref())
    }

    /// Moves an array out of shared memory.
    pub(super) fn spill(&mut self, array: usize, scratch: &mut Scratch) {
        let array = self.arrays.remove(array);
        let offset = scratch.take_of_gang(array.bytes, array.align);
        if let Some(place) = &mut self.places[array.slot] {
            *place = SlotPlace { space: Space::Global, home: Home::Gang, offset, stride: place.stride };
        }
    }

    /// The slots of a loop lie one after the other; those of loops that exclude each other overlap, those of
    /// a loop inside another follow the outer one's.
    fn place_reductions(&mut self, body: &Body, used: &EntitySet<Slot>) {
        let of_loop = |wanted: Option<Loop>| {
            used.iter().filter(move |slot| {
                let data = &body.slots[*slot];
                data.kind == SlotKind::Reduction && data.declared_in == wanted
            })
        };
        if !used.iter().any(|slot| body.slots[slot].kind == SlotKind::Reduction) {
            return;
        }
        let outside = self.place_group(body, of_loop(None), 0);
        let mut ends: SecondaryMap<Loop, u64> = SecondaryMap::new();
        for loop_ in body.loops.keys() {
            let start = body.loops[loop_].parent.map_or(outside, |parent| ends[parent]);
            ends[loop_] = self.place_group(body, of_loop(Some(loop_)), start);
        }
    }

    fn place_group(&mut self, body: &Body, slots: impl Iterator<Item = Slot>, start: u64) -> u64 {
        let mut end = start;
        for slot in slots {
            let data = &body.slots[slot];
            let offset = align_up(end, data.align);
            end = offset + data.size.max(1);
            let home = Home::Array(REDUCTIONS.into());
            self.places[slot] = Some(SlotPlace { space: Space::Shared, home, offset, stride: 0 });
        }
        self.reduction_bytes = self.reduction_bytes.max(align_up(end, WORD));
        end
    }
}
