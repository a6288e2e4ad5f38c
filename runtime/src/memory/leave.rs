//! Data clauses at the end of a data lifetime: of constructs, of `exit data`, and of the routines that do the
//! same.

use super::entry::{Entry, Item, pointers};
use super::single::restore_aside;
use super::state::Memory;
use super::table::{Block, Counter, Found, Owner, Range, Table};
use super::work::Work;
use crate::abi::{Elements, MapDesc, MapKind};
use crate::check::{self, Images, compared, is_on};
use crate::plugin::Runs;
use crate::values::Row;
use std::fmt;

/// How a dynamic lifetime ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exit {
    /// The contents go to the host if the block goes.
    pub(crate) copyout: bool,
    /// All dynamic lifetimes end.
    pub(crate) finalize: bool,
}

/// What a range of memory is to the program.
#[derive(Clone, Copy)]
pub(super) struct Array<'a> {
    /// Its name; none if only the block knows.
    pub(super) name: &'a str,
    /// What it holds from its first byte on, where that is known.
    pub(super) elements: Option<&'a Elements>,
}

impl<'a> Array<'a> {
    /// What a clause says.
    pub(super) fn of(item: Item<'a>) -> Array<'a> {
        Array { name: &item.desc.name, elements: item.desc.elements }
    }
}

type Fail<'a> = &'a dyn Fn(fmt::Arguments<'_>);

impl Memory {
    /// The end of a construct: what [`Memory::enter`] did is undone. Pointers are detached first, so that no
    /// device address gets into the host's memory.
    pub(crate) fn leave(&self, entries: &[Entry], work: &Work<'_>) {
        let mut table = self.table();
        for entry in entries.iter().rev() {
            self.detach_entry(&mut table, entry, work);
        }
        if entries.first().is_some_and(|entry| entry.counter == Counter::Single) {
            return self.leave_single(&mut table, entries, work);
        }
        // What was entered first is left last; but of clauses about the same data, one that copies to the
        // host comes behind those that do not, whose counts would keep it from copying.
        let copies = |entry: &Entry| matches!(entry.kind, MapKind::Copy | MapKind::CopyOut);
        for (is_copied, is_whole) in [(false, false), (false, true), (true, false), (true, true)] {
            let of_these = |entry: &&Entry| entry.is_whole == is_whole && copies(entry) == is_copied;
            for entry in entries.iter().rev().filter(of_these) {
                self.leave_entry(&mut table, entry, work);
            }
        }
    }

    fn detach_entry(&self, table: &mut Table, entry: &Entry, work: &Work<'_>) {
        for row in entry.rows.iter().rev() {
            self.detach_entry(table, row, work);
        }
        if let Some(at) = entry.attached {
            // Its block may be gone by force, or the pointer detached by the program.
            let named = |message: fmt::Arguments<'_>| {
                if entry.kind == MapKind::Attach {
                    work.site.fail(format_args!("attach clause: `{}': {message}", entry.name));
                }
            };
            self.detach(table, at, false, work, &named);
        }
    }

    fn leave_entry(&self, table: &mut Table, entry: &Entry, work: &Work<'_>) {
        for row in entry.rows.iter().rev() {
            self.leave_entry(table, row, work);
        }
        if let Some(member) = &entry.member {
            self.leave_entry(table, member, work);
        }
        if let (true, Some(device)) = (entry.temporary, entry.device) {
            work.free(device, entry.name);
            return;
        }
        if !entry.counted {
            return;
        }
        let start = match table.find(entry.range) {
            Found::Inside(start) | Found::Partly(start) => start,
            Found::Nowhere => return,
        };
        let Some(block) = table.get_mut(start) else { return };
        block.let_go(entry.counter);
        if !block.is_unused() && work.goes_on() {
            block.used_until(work.mark());
        }
        let wanted = match entry.kind {
            MapKind::Copy | MapKind::CopyOut => block.is_unused() || entry.always_out,
            _ => false,
        };
        if wanted && entry.rows.is_empty() {
            let what = Array { name: entry.name, elements: entry.elements };
            download(block, entry.range, what, entry.counter, work);
        }
        if block.is_unused() {
            if entry.read_later {
                work.dropped(block.device, entry.name);
            }
            release(table, start, work);
        }
    }

    /// A clause of `exit data`.
    pub(crate) fn exit_item(&self, item: Item<'_>, finalize: bool, work: &Work<'_>) {
        let mut table = self.table();
        let at = item.values.pointer_at;
        let exit = Exit { copyout: item.desc.kind() == MapKind::CopyOut, finalize };
        let fail = |message: fmt::Arguments<'_>| item.fail(message);
        match item.desc.kind() {
            MapKind::Detach if at != 0 => self.detach(&mut table, at, finalize, work, &fail),
            MapKind::CopyOut | MapKind::Delete => {
                if item.desc.is(MapDesc::BY_USE) {
                    return self.exit_target(&mut table, item, exit, work, &fail);
                }
                if at != 0 {
                    self.detach(&mut table, at, finalize, work, &|_| {});
                }
                let rows = &item.values.rows[..];
                self.exit_rows(&mut table, item.range(), rows, exit, Array::of(item), work);
                let exit = Exit { copyout: exit.copyout && rows.is_empty(), ..exit };
                self.exit_range(&mut table, item.range(), exit, Array::of(item), work, &fail);
                if table.pointer_block(at).is_some() && item.desc.is(MapDesc::THROUGH_POINTER) {
                    let range = Range { start: at, bytes: size_of::<usize>() as u64 };
                    let exit = Exit { copyout: false, ..exit };
                    self.exit_range(&mut table, range, exit, Array::of(item), work, &fail);
                }
            }
            kind => debug_assert!(kind == MapKind::Detach, "{} on exit data", kind.clause()),
        }
    }

    /// A pointer without a section: all of what it leads to, if that is present and the pointer is not itself
    /// what a clause has mapped.
    fn exit_target(&self, table: &mut Table, item: Item<'_>, exit: Exit, work: &Work<'_>, fail: Fail<'_>) {
        let at = item.values.pointer_at;
        let own = Range { start: at, bytes: size_of::<usize>() as u64 };
        let member = table.pointer_block(at).is_some();
        let is_mapped = !member && table.get(at).is_some_and(|block| block.range == own);
        let target = match table.find(Range { start: item.values.start, bytes: 1 }) {
            Found::Inside(start) if !is_mapped => table.get(start).map(|block| block.range),
            Found::Inside(_) | Found::Partly(_) | Found::Nowhere => None,
        };
        let Some(range) = target else {
            return self.exit_range(table, own, exit, Array::of(item), work, fail);
        };
        self.detach(table, at, exit.finalize, work, &|_| {});
        self.exit_range(table, range, exit, Array::of(item), work, fail);
        if member {
            self.exit_range(table, own, Exit { copyout: false, ..exit }, Array::of(item), work, fail);
        }
    }

    /// The rows behind an array of pointers in a clause of `exit data`.
    pub(super) fn exit_rows_of(&self, table: &mut Table, item: Item<'_>, finalize: bool, work: &Work<'_>) {
        let exit = Exit { copyout: item.desc.kind() == MapKind::CopyOut, finalize };
        self.exit_rows(table, item.range(), &item.values.rows, exit, Array::of(item), work);
    }

    fn exit_rows(
        &self,
        table: &mut Table,
        range: Range,
        rows: &[Row],
        exit: Exit,
        what: Array<'_>,
        work: &Work<'_>,
    ) {
        let Some((row, inner)) = rows.split_first() else { return };
        if table.holder(range).is_none() {
            return;
        }
        for (at, pointer) in pointers(range) {
            if pointer == 0 {
                continue;
            }
            let range = Range { start: pointer.wrapping_add(row.lower), bytes: row.runs.bytes };
            self.detach(table, at, exit.finalize, work, &|_| {});
            self.exit_rows(table, range, inner, exit, what, work);
            let exit = Exit { copyout: exit.copyout && inner.is_empty(), ..exit };
            self.exit_range(table, range, exit, what, work, &|message| work.site.fail(message));
        }
    }

    /// `acc_copyout`, `acc_delete` and their like.
    pub(crate) fn exit(&self, range: Range, exit: Exit, work: &Work<'_>) {
        let what = Array { name: "", elements: None };
        self.exit_range(&mut self.table(), range, exit, what, work, &|message| work.site.fail(message));
    }

    fn exit_range(
        &self,
        table: &mut Table,
        range: Range,
        exit: Exit,
        what: Array<'_>,
        work: &Work<'_>,
        fail: Fail<'_>,
    ) {
        if range.bytes == 0 {
            return;
        }
        let start = match table.find(range) {
            Found::Inside(start) => start,
            Found::Partly(start) => {
                if let Some(block) = table.get(start) {
                    let held = block.range;
                    fail(format_args!(
                        "[{:#x},+{}] outside mapped block [{:#x},+{}]",
                        range.start, range.bytes, held.start, held.bytes
                    ));
                }
                return;
            }
            Found::Nowhere => return,
        };
        let Some(block) = table.get_mut(start) else { return };
        block.dynamic = if exit.finalize { 0 } else { block.dynamic.saturating_sub(1) };
        if !block.is_unused() {
            return;
        }
        if exit.copyout {
            download(block, range, what, Counter::Dynamic, work);
        }
        release(table, start, work);
    }
}

/// Copies what no attached pointer holds.
pub(super) fn download(block: &Block, range: Range, what: Array<'_>, counter: Counter, work: &Work<'_>) {
    block.ready.iter().chain(&block.users).for_each(|mark| work.after(Some(mark)));
    let what = if what.name.is_empty() { Array { name: block.name, ..what } } else { what };
    let first = if what.elements.is_some() { range.start } else { block.range.start };
    // An implicit clause may name more than is present.
    let end = range.end().min(block.range.end());
    let start = range.start.max(block.range.start);
    let range = Range { start, bytes: end.saturating_sub(start) };
    for part in block.without_pointers(range, counter) {
        let device = block.translate(part.start);
        let elements = what.elements.or(block.elements);
        work.returns(device, part.bytes, elements, what.name);
        if is_on() {
            let (region, terms) = (block.region.as_deref(), block.terms);
            let array = check::Array { name: what.name, elements, first, region, terms };
            returned(work, device, part.start, &Runs::one(part.bytes), array);
        } else {
            work.download(device, part, what.name);
        }
    }
}

/// Copies runs of a block that holds them all.
pub(super) fn download_runs(block: &Block, start: u64, runs: &Runs, what: Array<'_>, work: &Work<'_>) {
    block.ready.iter().chain(&block.users).for_each(|mark| work.after(Some(mark)));
    let device = block.translate(start);
    let elements = what.elements.or(block.elements);
    for at in runs.offsets() {
        work.returns(device + at, runs.bytes, elements, what.name);
    }
    if is_on() {
        let first = if what.elements.is_some() { start } else { block.range.start };
        let (region, terms) = (block.region.as_deref(), block.terms);
        let array = check::Array { name: what.name, elements, first, region, terms };
        returned(work, device, start, runs, array);
    } else {
        work.download_runs(device, start, runs, what.name);
    }
}

/// The host's memory would be overwritten by the device's copy, runs of bytes of which the first starts at
/// `start`: compares them instead.
fn returned(work: &Work<'_>, device: u64, start: u64, runs: &Runs, array: check::Array<'_>) {
    if runs.total() == 0 {
        return;
    }
    let host = std::ptr::with_exposed_provenance::<u8>(start as usize);
    // SAFETY: the program says that the runs are there, in an array that is as long as they reach.
    let host = unsafe { std::slice::from_raw_parts(host, runs.extent() as usize) };
    let image = work.fetch_runs(device, host, runs, array.name);
    let gaps = runs.extent() - runs.total();
    compared(&work.site, Images { host, device: &image, gaps }, start.saturating_sub(array.first), array);
}

/// Takes a block out of the table and gives back its memory.
pub(super) fn release(table: &mut Table, start: u64, work: &Work<'_>) -> Option<Block> {
    let block = table.remove(start)?;
    give_back(table, &block, work);
    restore_aside(table, &block, work);
    Some(block)
}

/// Gives back the memory of a block that is not in the table.
pub(super) fn give_back(table: &mut Table, block: &Block, work: &Work<'_>) {
    block.ready.iter().chain(&block.users).for_each(|mark| work.after(Some(mark)));
    match block.owner {
        Owner::Runtime(memory) => work.free(memory, block.name),
        Owner::Part(part) if table.release_part(part) => work.free(part, block.name),
        Owner::Part(_) | Owner::Program | Owner::Code | Owner::Link => {}
    }
}
