//! OpenMP's one counter (5.2, 5.8.6): a directive counts once in a block, whatever its clauses name there,
//! and members of a structure that were mapped together count together. So all counters change before
//! anything is copied or freed.

use super::entry::{Entry, Item};
use super::leave::{Array, download, give_back, release};
use super::state::Memory;
use super::table::{Block, Counter, Found, Owner, Range, Table};
use super::work::Work;
use crate::abi::{MapDesc, MapKind};
use smallvec::SmallVec;
use std::cell::RefCell;

/// The blocks that a directive has counted in.
#[derive(Default, Debug)]
pub(super) struct Held(RefCell<SmallVec<[u64; 8]>>);

impl Held {
    /// Whether the directive counts in the block for the first time: it does from now on.
    pub(super) fn is_first(&self, block: &Block) -> bool {
        let memory = match block.owner {
            Owner::Part(part) => part,
            Owner::Runtime(_) | Owner::Program | Owner::Code | Owner::Link => block.device,
        };
        let mut held = self.0.borrow_mut();
        let first = !held.contains(&memory);
        if first {
            held.push(memory);
        }
        first
    }
}

impl Table {
    /// The blocks of the table that count together with one, which is among them.
    fn together(&self, block: &Block) -> SmallVec<[u64; 4]> {
        match block.owner {
            Owner::Part(_) => {
                let all = Range { start: 0, bytes: u64::MAX };
                let others = self.meeting(all).filter(|other| other.owner == block.owner);
                others.map(|other| other.range.start).collect()
            }
            Owner::Runtime(_) | Owner::Program | Owner::Code | Owner::Link => {
                [block.range.start].into_iter().collect()
            }
        }
    }

    /// Changes all blocks that count together with one, those included that are set aside.
    fn each_together(&mut self, block: &Block, change: impl Fn(&mut Block)) {
        for start in self.together(block) {
            self.get_mut(start).into_iter().for_each(&change);
        }
        if matches!(block.owner, Owner::Part(_)) {
            self.aside.iter_mut().filter(|other| other.owner == block.owner).for_each(change);
        }
    }

    /// A lifetime of a directive begins in a block. Says whether it counts there.
    pub(super) fn hold(&mut self, start: u64, counter: Counter, held: &Held) -> bool {
        if counter != Counter::Single {
            self.get_mut(start).into_iter().for_each(|block| block.hold(counter));
            return true;
        }
        self.get(start).cloned().is_some_and(|block| self.hold_block(block, counter, held))
    }

    /// The same of OpenMP, in a block that may be set aside.
    pub(super) fn hold_block(&mut self, block: Block, counter: Counter, held: &Held) -> bool {
        let counts = held.is_first(&block);
        if counts {
            self.each_together(&block, |block| block.hold(counter));
        }
        counts
    }

    /// A lifetime ends in a block, or all do.
    fn let_go_together(&mut self, block: &Block, finalize: bool) {
        self.each_together(block, |block| {
            block.let_go(Counter::Single);
            block.dynamic = if finalize { 0 } else { block.dynamic };
        });
    }

    /// The pointer of a member at this address that is set aside, if its copy is where the caller knows it.
    fn find_aside(&self, at: u64, device: Option<u64>) -> Option<Block> {
        let is_it =
            |block: &&Block| block.range.start == at && device.is_none_or(|device| device == block.device);
        self.aside.iter().find(is_it).cloned()
    }

    fn start_of(&self, range: Range) -> Option<u64> {
        match self.find(range) {
            Found::Inside(start) | Found::Partly(start) => Some(start),
            Found::Nowhere => None,
        }
    }
}

/// Gives back blocks that nobody needs any more.
fn release_unused(table: &mut Table, start: u64, read_later: Option<&str>, work: &Work<'_>) {
    let together = table.get(start).map(|block| table.together(block)).unwrap_or_default();
    for start in together {
        let Some(block) = table.get(start).filter(|block| block.is_unused()) else { continue };
        if let Some(name) = read_later {
            work.dropped(block.device, name);
        }
        release(table, start, work);
    }
}

/// Gives back pointers of members that are set aside, and that nobody needs any more.
fn release_unused_aside(table: &mut Table, work: &Work<'_>) {
    while let Some(at) = table.aside.iter().position(Block::is_unused) {
        let block = table.aside.swap_remove(at);
        give_back(table, &block, work);
    }
}

/// A structure goes: pointers of its members that were there before it come back, as they are attached now.
pub(super) fn restore_aside(table: &mut Table, whole: &Block, work: &Work<'_>) {
    while let Some(at) = table.aside.iter().position(|block| whole.range.contains(block.range)) {
        let mut block = table.aside.swap_remove(at);
        let pointer = block.range.start;
        let before = std::mem::take(&mut block.attached);
        match whole.attached.get(&pointer) {
            Some(&now) => {
                if before.get(&pointer).is_none_or(|before| before.value != now.value) {
                    work.write_pointer(block.device, now.value, block.name);
                }
                block.attached.insert(pointer, now);
            }
            // A directive that had a copy of its own beside other members has taken nothing from this one.
            None if whole.range == block.range => block.attached = before,
            None => work.upload(block.device, block.range, block.name),
        }
        table.insert(block);
    }
}

/// An entry with those that belong to it.
fn all_of<'a>(entry: &'a Entry, out: &mut Vec<&'a Entry>) {
    entry.rows.iter().for_each(|row| all_of(row, out));
    entry.member.iter().for_each(|member| all_of(member, out));
    out.push(entry);
}

impl Memory {
    /// The end of a construct whose pointers have been detached.
    pub(super) fn leave_single(&self, table: &mut Table, entries: &[Entry], work: &Work<'_>) {
        let mut all = Vec::with_capacity(entries.len());
        entries.iter().for_each(|entry| all_of(entry, &mut all));
        for entry in all.iter().filter(|entry| entry.temporary) {
            entry.device.into_iter().for_each(|device| work.free(device, entry.name));
        }
        all.retain(|entry| entry.counted && !entry.temporary);
        for entry in all.iter().filter(|entry| entry.holds) {
            let aside = table.find_aside(entry.range.start, entry.device);
            let in_table = || table.start_of(entry.range).and_then(|start| table.get(start).cloned());
            if let Some(block) = aside.or_else(in_table) {
                table.let_go_together(&block, false);
            }
        }
        for entry in &all {
            let Some(block) = table.start_of(entry.range).and_then(|start| table.get_mut(start)) else {
                continue;
            };
            if !block.is_unused() && work.goes_on() {
                block.used_until(work.mark());
            }
            let copies = matches!(entry.kind, MapKind::Copy | MapKind::CopyOut) && entry.rows.is_empty();
            if copies && (block.is_unused() || entry.always_out) {
                let what = Array { name: entry.name, elements: entry.elements };
                download(block, entry.range, what, entry.counter, work);
            }
        }
        for entry in &all {
            if let Some(start) = table.start_of(entry.range) {
                release_unused(table, start, entry.read_later.then_some(entry.name), work);
            }
        }
        release_unused_aside(table, work);
    }

    /// `target exit data`.
    pub(crate) fn exit_single(&self, items: &[Item<'_>], work: &Work<'_>) {
        let mut table = self.table();
        let mut left: SmallVec<[(Item<'_>, u64); 8]> = SmallVec::new();
        let held = Held::default();
        for &item in items {
            let at = item.values.pointer_at;
            let finalize = item.desc.is(MapDesc::FINALIZE);
            if at != 0 {
                self.detach(&mut table, at, finalize, work, &|_| {});
            }
            if !item.values.rows.is_empty() {
                self.exit_rows_of(&mut table, item, finalize, work);
            }
            let member = item.desc.is(MapDesc::THROUGH_POINTER) && table.pointer_block(at).is_some();
            let range = item.range();
            for start in self.exited(&table, item, range).into_iter().chain(member.then_some(at)) {
                if let Some(block) =
                    table.get(start).filter(|block| held.is_first(block) || finalize).cloned()
                {
                    table.let_go_together(&block, finalize);
                }
                left.push((item, start));
            }
            let aside = item.desc.is(MapDesc::THROUGH_POINTER).then(|| table.find_aside(at, None)).flatten();
            if let Some(block) = aside.filter(|block| held.is_first(block) || finalize) {
                table.let_go_together(&block, finalize);
            }
        }
        for (item, start) in &left {
            let Some(block) = table.get(*start) else { continue };
            let copies = item.desc.kind() == MapKind::CopyOut
                && item.values.rows.is_empty()
                && block.range.start < item.range().end()
                && item.range().start < block.range.end();
            if copies && (block.is_unused() || item.desc.is(MapDesc::ALWAYS_OUT)) {
                download(block, item.range(), Array::of(*item), Counter::Single, work);
            }
        }
        for (_, start) in left {
            release_unused(&mut table, start, None, work);
        }
        release_unused_aside(&mut table, work);
    }

    /// The block that an item of `target exit data` leaves.
    fn exited(&self, table: &Table, item: Item<'_>, range: Range) -> Option<u64> {
        match table.find(range) {
            Found::Inside(start) => Some(start),
            // A structure of which members are present.
            Found::Partly(start) => {
                let block = table.get(start)?;
                if matches!(block.owner, Owner::Part(_)) {
                    return Some(start);
                }
                let held = block.range;
                item.fail(format_args!(
                    "[{:#x},+{}] outside mapped block [{:#x},+{}]",
                    range.start, range.bytes, held.start, held.bytes
                ))
            }
            Found::Nowhere if item.desc.is(MapDesc::REQUIRED) && range.bytes > 0 => {
                item.fail(format_args!("`{}' is not present on the device", item.desc.name))
            }
            Found::Nowhere => None,
        }
    }
}
