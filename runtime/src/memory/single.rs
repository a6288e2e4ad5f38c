//! OpenMP's one counter (5.2, 5.8.6): a directive counts once in a block, whatever its clauses name there,
//! and members of a structure that were mapped together count together. So all counters change before
//! anything is copied or freed.

use super::entry::{Entry, Item};
use super::leave::{Array, download, release};
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
            Owner::Runtime | Owner::Program | Owner::Code | Owner::Link => block.device,
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
    /// The blocks that count together with the one that starts there, which is among them.
    fn together(&self, start: u64) -> SmallVec<[u64; 4]> {
        match self.get(start).map(|block| block.owner) {
            Some(owner @ Owner::Part(_)) => {
                let all = Range { start: 0, bytes: u64::MAX };
                self.meeting(all)
                    .filter(|block| block.owner == owner)
                    .map(|block| block.range.start)
                    .collect()
            }
            Some(_) => [start].into_iter().collect(),
            None => SmallVec::new(),
        }
    }

    /// A lifetime of a directive begins in a block. Says whether it counts there.
    pub(super) fn hold(&mut self, start: u64, counter: Counter, held: &Held) -> bool {
        if counter != Counter::Single {
            self.get_mut(start).into_iter().for_each(|block| block.hold(counter));
            return true;
        }
        let counts = self.get(start).is_some_and(|block| held.is_first(block));
        if counts {
            for start in self.together(start) {
                self.get_mut(start).into_iter().for_each(|block| block.hold(counter));
            }
        }
        counts
    }

    /// A lifetime ends in a block, or all do.
    fn let_go_together(&mut self, start: u64, finalize: bool) {
        for start in self.together(start) {
            if let Some(block) = self.get_mut(start) {
                block.let_go(Counter::Single);
                block.dynamic = if finalize { 0 } else { block.dynamic };
            }
        }
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
    for start in table.together(start) {
        let Some(block) = table.get(start).filter(|block| block.is_unused()) else { continue };
        if let Some(name) = read_later {
            work.dropped(block.device, name);
        }
        release(table, start, work);
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
            if let Some(start) = table.start_of(entry.range) {
                table.let_go_together(start, false);
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
                if table.get(start).is_some_and(|block| held.is_first(block)) || finalize {
                    table.let_go_together(start, finalize);
                }
                left.push((item, start));
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
