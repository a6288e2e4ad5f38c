//! Sections that no clause of the program names: what a compute construct uses of what a pointer leads to.

use super::enter::Wish;
use super::entry::Entry;
use super::state::Memory;
use super::table::{Found, Range, Table};
use super::work::Work;
use crate::abi::{MapDesc, MapKind};

impl Memory {
    /// Uses what is there, and enters the section if nothing is.
    pub(super) fn enter_used(&self, table: &mut Table, wish: Wish<'_>, entry: &mut Entry, work: &Work<'_>) {
        let Wish { range, pointer, .. } = wish;
        // The construct can reach nothing through a null pointer, and all through one of the device.
        if pointer == 0 || self.device.owns(range.start) {
            return;
        }
        if let Found::Inside(start) | Found::Partly(start) = table.find(range)
            && let Some(block) = table.get_mut(start)
        {
            block.structured += 1;
            // The program's own data, or those of another pointer, which copies them back.
            (entry.kind, entry.range, entry.counted) = (MapKind::NoCreate, block.range, true);
            entry.device = Some(block.translate(range.start));
            work.after(block.ready.as_ref());
            return;
        }
        let (all, kind) = together(wish);
        let (all, kind) = if table.find(all) == Found::Nowhere { (all, kind) } else { (range, wish.kind) };
        self.enter_range(table, Wish { range: all, kind, ..wish }, entry, work);
        (entry.kind, entry.range) = (kind, all);
        entry.device = entry.device.map(|device| device + (range.start - all.start));
    }
}

/// The section with the others of the construct that it shares bytes with: pointers into one array, which has
/// one copy on the device.
fn together(wish: Wish<'_>) -> (Range, MapKind) {
    let (mut all, mut kind) = (wish.range, wish.kind);
    loop {
        let before = all;
        for item in
            wish.items.iter().filter(|item| item.desc.is(MapDesc::BY_USE) && item.values.pointer() != 0)
        {
            let range = item.range();
            if range.bytes > 0 && range.start < all.end() && all.start < range.end() {
                let start = all.start.min(range.start);
                all = Range { start, bytes: all.end().max(range.end()) - start };
                if item.desc.kind() != kind {
                    kind = MapKind::Copy;
                }
            }
        }
        if all == before {
            return (all, kind);
        }
    }
}
