//! Data clauses at the start of a data lifetime: `enter data`, `data`, compute constructs, and the routines
//! that do the same.

use super::attach::read;
use super::entry::{Entry, Item, pointers};
use super::members::{ALIGNMENT, Attached, Placement, Turn, are_named, makes_copies};
use super::single::Held;
use super::state::Memory;
use super::table::{Block, Counter, Found, Owner, Range, Table};
use super::work::Work;
use crate::abi::{Array, MapDesc, MapKind, SourcePos, Str};
use crate::check::is_on;
use crate::plugin::Runs;
use crate::values::{MapValues, Row};
use smallvec::SmallVec;

/// A routine that does what a clause of `enter data` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Routine {
    /// `acc_copyin`.
    CopyIn,
    /// `acc_create`.
    Create,
}

impl Routine {
    fn desc(self) -> &'static MapDesc {
        const fn of(kind: MapKind) -> MapDesc {
            MapDesc {
                name: Str::new("data"),
                pos: SourcePos { file: Str::new(""), line: 0 },
                rows: Array::new(&[]),
                elements: None,
                members: Array::new(&[]),
                kind: kind.number(),
                flags: MapDesc::THROUGH_POINTER,
                strides: 0,
            }
        }
        static COPYIN: MapDesc = of(MapKind::CopyIn);
        static CREATE: MapDesc = of(MapKind::Create);
        match self {
            Routine::CopyIn => &COPYIN,
            Routine::Create => &CREATE,
        }
    }
}

/// What is done with a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish<'a> {
    pub(super) item: Item<'a>,
    /// What the clause does.
    pub(super) kind: MapKind,
    pub(super) range: Range,
    /// The pointer's value through which it is reached.
    pub(super) pointer: u64,
    pub(super) counter: Counter,
    /// Rows stand behind it: it holds pointers, whose values on either side are not for the other.
    pub(super) has_rows: bool,
    /// Where copies of members go.
    pub(super) placement: &'a Placement,
    /// The blocks that the directive has counted in.
    pub(super) held: &'a Held,
    /// All clauses of the directive.
    pub(super) items: &'a [Item<'a>],
}

impl Memory {
    /// Enters the clauses of a directive: first all data, then the pointers to it.
    pub(crate) fn enter(
        &self,
        items: &[Item<'_>],
        counter: Counter,
        work: &Work<'_>,
    ) -> SmallVec<[Entry; 4]> {
        let mut table = self.table();
        let mut entries: SmallVec<[Entry; 4]> =
            items.iter().map(|&item| Entry::new(item.desc.kind(), item, counter)).collect();
        let mut placement = Placement::default();
        let held = Held::default();
        // A whole structure comes before members of it, which then are in it; so does a member that is one.
        let turns: SmallVec<[Turn; 8]> = items.iter().map(|item| Turn::of(item, items)).collect();
        for turn in Turn::ALL {
            if turn == Turn::Structure {
                placement = self.place_members(&mut table, items, counter, work);
            }
            for (n, (&item, entry)) in items.iter().zip(&mut entries).enumerate() {
                entry.is_whole = turns[n] == Turn::Whole;
                if turns[n] == turn && !are_named(&item, items) {
                    self.enter_item(&mut table, item, entry, (counter, &placement, &held, items), work);
                }
            }
        }
        for (item, entry) in items.iter().zip(&mut entries) {
            self.attach_item(&mut table, *item, entry, work);
        }
        self.end_placement(&mut table, placement, work);
        self.check_members(&table, items);
        self.find_members(&table, items, &mut entries);
        work.mark_ready(&mut table);
        entries
    }

    /// `acc_copyin`, `acc_create`: gives the device's address.
    pub(crate) fn enter_range_of_routine(&self, range: Range, routine: Routine, work: &Work<'_>) -> u64 {
        let pointer = range.start;
        let values = MapValues {
            start: pointer,
            runs: Runs::one(range.bytes),
            bias: 0,
            pointer_at: 0,
            rows: SmallVec::new(),
        };
        let item = Item { desc: routine.desc(), values: &values };
        let mut entry = Entry::new(item.desc.kind(), item, Counter::Dynamic);
        let place = (Counter::Dynamic, &Placement::default(), &Held::default(), &[][..]);
        let mut table = self.table();
        self.enter_item(&mut table, item, &mut entry, place, work);
        work.mark_ready(&mut table);
        entry.device.unwrap_or(range.start)
    }

    fn enter_item(
        &self,
        table: &mut Table,
        item: Item<'_>,
        entry: &mut Entry,
        (counter, placement, held, items): (Counter, &Placement, &Held, &[Item<'_>]),
        work: &Work<'_>,
    ) {
        let range = item.range();
        let rows = &item.values.rows[..];
        let pointer = item.values.pointer();
        let kind = item.desc.kind();
        let has_rows = !rows.is_empty();
        let wish = Wish { item, kind, range, pointer, counter, has_rows, placement, held, items };
        match kind {
            MapKind::Copy
            | MapKind::CopyIn
            | MapKind::CopyOut
            | MapKind::Create
            | MapKind::DeviceResident
            | MapKind::NoCreate
            | MapKind::Present => {
                if item.desc.is(MapDesc::BY_USE) && range.bytes > 0 {
                    self.enter_used(table, wish, entry, work);
                } else {
                    self.enter_range(table, wish, entry, work);
                }
                if entry.counted {
                    entry.rows = self.enter_rows(table, wish, rows, work);
                    entry.member = self.enter_pointer(table, wish, work);
                }
            }
            MapKind::FirstPrivate => {
                if range.bytes > 0 {
                    let device = work.allocate(range.bytes, &item.desc.name);
                    work.describe(device, range.bytes, item.desc.elements);
                    work.upload_value(device, range, &item.desc.name);
                    entry.device = Some(device);
                    entry.temporary = true;
                }
            }
            MapKind::Attach
            | MapKind::DevicePtr
            | MapKind::Link
            | MapKind::UseDevice
            | MapKind::Detach
            | MapKind::Delete
            | MapKind::UpdateSelf
            | MapKind::UpdateDevice
            | MapKind::Shared => {}
        }
    }

    pub(super) fn enter_range(&self, table: &mut Table, wish: Wish<'_>, entry: &mut Entry, work: &Work<'_>) {
        let Wish { item, kind, range, counter, .. } = wish;
        learn(table, wish);
        if range.start == 0 || range.bytes == 0 {
            entry.device = locate(table, wish);
            // In OpenMP a section without bytes counts where it lies in a block.
            if counter == Counter::Single
                && range.start != 0
                && !item.desc.is(MapDesc::IMPLICIT)
                && let Found::Inside(start) = table.find(range)
            {
                entry.holds = table.hold(start, counter, wish.held);
                entry.counted = true;
            }
            return;
        }
        let mut found = table.find(range);
        let mut attached = Attached::new();
        let is_asked_for = counter == Counter::Dynamic || !item.desc.is(MapDesc::IMPLICIT);
        if let (Found::Partly(_), true, true) = (found, is_asked_for, makes_copies(kind))
            && let Some(absorbed) = self.absorb_members(table, (range, counter), work)
        {
            (found, attached) = (Found::Nowhere, absorbed);
        }
        let start = match found {
            Found::Inside(start) => start,
            Found::Partly(start) => match table.get(start) {
                // A part of the object is present, and that is all that the construct can mean.
                Some(block) if item.desc.is(MapDesc::IMPLICIT) && is_used_in_parts(table, item, range) => {
                    // Other parts may come before it by the end.
                    (entry.kind, entry.range) = (MapKind::NoCreate, block.range);
                    start
                }
                Some(block) => partly(wish, block),
                None => return,
            },
            Found::Nowhere if item.desc.is(MapDesc::REQUIRED) => absent(wish, work),
            Found::Nowhere => match kind {
                MapKind::Present => absent(wish, work),
                MapKind::NoCreate => return,
                _ => {
                    let mut block = self.make_block(wish, work);
                    for (at, attachment) in &attached {
                        work.write_pointer(block.translate(*at), attachment.value, block.name);
                    }
                    block.attached = attached;
                    if let Owner::Part(part) = block.owner {
                        table.hold_part(part);
                    }
                    entry.device = Some(block.device);
                    entry.counted = true;
                    entry.is_new = true;
                    entry.holds = counter != Counter::Single || wish.held.is_first(&block);
                    table.insert(block);
                    return;
                }
            },
        };
        entry.holds = table.hold(start, counter, wish.held);
        let Some(block) = table.get_mut(start) else { return };
        entry.counted = true;
        entry.device = Some(block.translate(range.start));
        work.after(block.ready.as_ref());
        if item.desc.is(MapDesc::ALWAYS_IN) && matches!(kind, MapKind::Copy | MapKind::CopyIn) {
            for part in block.without_pointers(range, counter) {
                work.upload(block.translate(part.start), part, &item.desc.name);
            }
        }
    }

    /// A new block, with contents if the clause says so.
    fn make_block(&self, wish: Wish<'_>, work: &Work<'_>) -> Block {
        let Wish { item, kind, range, .. } = wish;
        let name = item.desc.name.text();
        let link = self.link(range).map(|device| (device, Owner::Link));
        let (device, owner) =
            link.or_else(|| wish.placement.find(range)).unwrap_or_else(|| place(wish, work));
        if !wish.has_rows {
            work.describe(device, range.bytes, item.desc.elements);
        }
        if !wish.has_rows && matches!(kind, MapKind::Copy | MapKind::CopyIn) {
            work.upload(device, range, name);
        } else if item.desc.is(MapDesc::ZERO) && !wish.has_rows {
            work.clear(device, range.bytes, name);
        }
        work.made(range.start);
        let mut block = Block {
            pointer: wish.pointer,
            elements: item.desc.elements.filter(|_| !wish.has_rows),
            ..Block::new(range, device, owner, name)
        };
        block.hold(wish.counter);
        block
    }

    /// The rows behind an array of pointers, each with its pointer attached; null pointers have none.
    fn enter_rows(&self, table: &mut Table, wish: Wish<'_>, rows: &[Row], work: &Work<'_>) -> Vec<Entry> {
        let Some((row, inner)) = rows.split_first() else { return Vec::new() };
        let mut entries = Vec::new();
        for (at, pointer) in pointers(wish.range) {
            if pointer == 0 {
                continue;
            }
            let range = Range { start: pointer.wrapping_add(row.lower), bytes: row.runs.bytes };
            let wish = Wish { range, pointer, has_rows: !inner.is_empty(), ..wish };
            let mut entry = Entry { range, ..Entry::new(wish.item.desc.kind(), wish.item, wish.counter) };
            self.enter_range(table, wish, &mut entry, work);
            if entry.counted {
                entry.rows = self.enter_rows(table, wish, inner, work);
            }
            if let Some(device) = entry.device {
                entry.attached = self.attach(table, at, device.wrapping_sub(row.lower), work).then_some(at);
            }
            entries.push(entry);
        }
        entries
    }

    /// Points the device's copy of the clause's pointer to the section, where the clause or the pointer's
    /// presence asks for it.
    fn attach_item(&self, table: &mut Table, item: Item<'_>, entry: &mut Entry, work: &Work<'_>) {
        let at = item.values.pointer_at;
        if at == 0 {
            return;
        }
        match item.desc.kind() {
            // Nobody has said that there is a target: a variable that a called function uses may be null.
            MapKind::Attach if item.desc.is(MapDesc::IMPLICIT) => {
                let device = table.translate(read(at));
                entry.attached = device.filter(|&device| self.attach(table, at, device, work)).map(|_| at);
            }
            MapKind::Attach => {
                self.attach_by_value(table, at, work, &|message| item.fail(message));
                entry.attached = Some(at);
            }
            MapKind::Copy
            | MapKind::CopyIn
            | MapKind::CopyOut
            | MapKind::Create
            | MapKind::NoCreate
            | MapKind::Present
            | MapKind::DeviceResident => {
                let device = entry.device.filter(|_| entry.counted || item.values.runs.bytes == 0);
                if let Some(device) = device {
                    let device = device.wrapping_sub(item.values.bias);
                    entry.attached = self.attach(table, at, device, work).then_some(at);
                }
            }
            MapKind::DevicePtr
            | MapKind::Link
            | MapKind::UseDevice
            | MapKind::Detach
            | MapKind::Delete
            | MapKind::UpdateSelf
            | MapKind::UpdateDevice
            | MapKind::FirstPrivate
            | MapKind::Shared => {}
        }
    }
}

/// A block that a routine made, which knows bytes only, holds what a clause says that it does.
fn learn(table: &mut Table, wish: Wish<'_>) {
    if !is_on() || wish.has_rows || wish.item.desc.elements.is_none() {
        return;
    }
    if let Some(block) = table.get_mut(wish.range.start).filter(|block| block.elements.is_none()) {
        block.elements = wish.item.desc.elements;
    }
}

/// The device's counterpart of an address whose section has no bytes.
fn locate(table: &Table, wish: Wish<'_>) -> Option<u64> {
    let start = wish.range.start;
    if start == 0 {
        return None;
    }
    let reached = || table.reached_through(start).map(|block| block.translate(start));
    // Members of the structure at `s` are there, such as the pointer that `map(s->p[0:n])` brings, and not
    // the first one.
    let members = || {
        let whole = Range { start, bytes: wish.item.desc.elements?.bytes };
        let is_member = |block: &Block| matches!(block.owner, Owner::Part(_));
        let first = table.meeting(whole).next().filter(|_| table.meeting(whole).all(is_member))?;
        are_together(table, whole).then(|| first.translate(start))
    };
    // The end of an object is compared with, for instance by `p < end`.
    let end = || {
        let last = Range { start: start - 1, bytes: 1 };
        table.holder(last).map(|block| block.translate(start))
    };
    table.translate(start).or_else(reached).or_else(members).or_else(end)
}

/// Memory for a block of its own. What is aligned in it on the host is so in the copy: a section may begin
/// with any element, and what a construct uses without a clause with any member of a structure, which others
/// follow.
fn place(wish: Wish<'_>, work: &Work<'_>) -> (u64, Owner) {
    let Wish { item, range, .. } = wish;
    let is_used_only = item.desc.is(MapDesc::BY_USE);
    // A shorter section has nothing in it that needs as much.
    let is_short = range.bytes < ALIGNMENT && !is_used_only;
    let before = if is_short { 0 } else { range.start % ALIGNMENT };
    let memory = work.allocate(before + range.bytes, item.desc.name.text());
    let owner = if is_used_only && before > 0 { Owner::Part(memory) } else { Owner::Runtime(memory) };
    (memory + before, owner)
}

/// Whether a construct may mean the parts of an object that are present: its code finds all of them from the
/// object's address, or [`Memory::find_members`] looks at those that it uses.
fn is_used_in_parts(table: &Table, item: Item<'_>, range: Range) -> bool {
    !item.desc.members.list().is_empty() || are_together(table, range)
}

/// Whether all blocks that share bytes with an object are parts of it, and lie on the device as on the host.
fn are_together(table: &Table, range: Range) -> bool {
    let mut distances = table.meeting(range).map(|block| {
        let inside = range.contains(block.range);
        inside.then(|| block.distance())
    });
    let first = distances.next().flatten();
    first.is_some() && distances.all(|distance| distance == first)
}

#[cold]
fn absent(wish: Wish<'_>, work: &Work<'_>) -> ! {
    let Wish { item, range, .. } = wish;
    item.fail(format_args!(
        "!acc_is_present: `{}' at [{:#x},+{}] is not present on the device ({})",
        item.desc.name, range.start, range.bytes, work.memory.id,
    ))
}

#[cold]
fn partly(wish: Wish<'_>, block: &Block) -> ! {
    let Wish { item, range, .. } = wish;
    item.fail(format_args!(
        "`{}' is partially present: Trying to map into device [{:#x}..{:#x}) object when [{:#x}..{:#x}) is already mapped (`{}'); [{:#x},+{}] not mapped",
        item.desc.name,
        range.start,
        range.end(),
        block.range.start,
        block.range.end(),
        block.name,
        range.start,
        range.bytes,
    ))
}
