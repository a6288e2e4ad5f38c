//! Copies between host and device while data is present: `update`, `acc_update_*`, `acc_memcpy_*`; and what the program
//! may ask and change about the present table.

use super::enter::{Item, pointers};
use super::leave::{Array, download};
use super::table::{Block, Found, Owner, Range, Table};
use super::{Memory, Work};
use crate::values::Row;
use accrue_ir::MapKind;

/// Which way an update goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// `update device`.
    Device,
    /// `update self`.
    Host,
}

impl Memory {
    /// A clause of `update`.
    pub(crate) fn update_item(&self, item: Item<'_>, if_present: bool, work: &Work<'_>) {
        let side = if item.desc.kind == MapKind::UpdateDevice { Side::Device } else { Side::Host };
        let table = self.table();
        let rows = &item.values.rows[..];
        if rows.is_empty() {
            update_range(&table, item, item.range(), side, if_present, work);
        } else {
            update_rows(&table, item, (item.range(), rows), side, if_present, work);
        }
    }

    /// `acc_update_device`, `acc_update_self`.
    pub(crate) fn update(&self, range: Range, side: Side, work: &Work<'_>) {
        let table = self.table();
        match table.holder(range).filter(|_| range.bytes > 0) {
            Some(block) => transfer(block, range, side, Array { name: "", elements: None }, work),
            None => work.site.fail(format_args!("[{:#x},{}] is not mapped", range.start, range.bytes)),
        }
    }

    /// The address that `host_data` gives for a variable.
    pub(crate) fn use_device(&self, item: Item<'_>, if_present: bool) -> u64 {
        let values = item.values;
        let table = self.table();
        let found = table.translate(values.start).map(|device| device.wrapping_sub(values.bias));
        match found.or_else(|| table.reached_through(values.start).map(|block| block.translate(values.start)))
        {
            Some(device) => device,
            None if if_present || values.start == 0 => values.pointer(),
            None => item.fail(format_args!(
                "`{}' at {:#x} is not present on the device",
                item.desc.name, values.start
            )),
        }
    }

    /// `acc_deviceptr`.
    pub(crate) fn device_address(&self, host: u64) -> Option<u64> {
        self.table().translate(host)
    }

    /// `acc_hostptr`.
    pub(crate) fn host_address(&self, device: u64) -> Option<u64> {
        let table = self.table();
        let block = table.by_device(device, 1)?;
        Some(block.range.start + (device - block.device))
    }

    /// The host's counterpart of these bytes of device memory, if they are a copy of some.
    pub(crate) fn host_range(&self, device: u64, bytes: u64) -> Option<u64> {
        let table = self.table();
        let block = table.by_device(device, bytes)?;
        Some(block.range.start + (device - block.device))
    }

    /// The block that a clause of `host_data` means, and its copy.
    pub(crate) fn copy_of(&self, item: &Item<'_>) -> Option<(Range, u64)> {
        let mut table = self.table();
        let start = item.values.start;
        let known = table.block_at(start).map(|block| (block.range, block.device));
        known.or_else(|| table.reached_through(start).map(|block| (block.range, block.device)))
    }

    /// Looks at the block that holds a byte.
    pub(crate) fn with_block_at(&self, host: u64, look: impl FnOnce(&Block)) {
        if let Some(block) = self.table().block_at(host) {
            look(block);
        }
    }

    /// `acc_is_present`.
    pub(crate) fn is_present(&self, range: Range) -> bool {
        range.start != 0 && self.table().holder(range).is_some()
    }

    /// `acc_map_data`.
    pub(crate) fn map_data(&self, range: Range, device: u64, work: &Work<'_>) {
        let mut table = self.table();
        let Range { start, bytes } = range;
        if start == 0 || device == 0 || bytes == 0 {
            work.site.fail(format_args!("[{start:#x},+{bytes}]->[{device:#x},+{bytes}] is a bad map"));
        }
        if table.find(range) != Found::Nowhere {
            work.site.fail(format_args!("host address [{start:#x}, +{bytes}] is already mapped"));
        }
        // An object of the device's code may have further names.
        if table.meets_device(device, bytes).is_some_and(|block| block.owner != Owner::Code) {
            work.site.fail(format_args!("device address [{device:#x}, +{bytes}] is already mapped"));
        }
        let name = "acc_map_data".into();
        table.insert(Block { dynamic: 1, ..Block::new(range, device, Owner::Program, name) });
    }

    /// `acc_unmap_data`.
    pub(crate) fn unmap_data(&self, host: u64, work: &Work<'_>) {
        let mut table = self.table();
        let Some(block) = table.holder(Range { start: host, bytes: 1 }) else {
            work.site.fail(format_args!("{host:#x} is not a mapped block"));
        };
        let Range { start, bytes } = block.range;
        if start != host {
            work.site.fail(format_args!("[{start:#x},{bytes}] surrounds {host:#x}"));
        }
        if block.owner != Owner::Program {
            work.site.fail(format_args!(
                "refusing to unmap block [{start:#x},+{bytes}] that has not been mapped by 'acc_map_data'"
            ));
        }
        table.remove(start);
    }

    /// `acc_free`: an error while a block uses the memory.
    pub(crate) fn free(&self, device: u64, work: &Work<'_>) {
        if let Some(block) = self.table().by_device(device, 1) {
            let Range { start, bytes } = block.range;
            let at = start + (device - block.device);
            work.site.fail(format_args!(
                "refusing to free device memory space at {device:#x} that is still mapped at [{at:#x},+{bytes}]"
            ));
        }
        work.free(device, "");
    }
}

fn update_range(table: &Table, item: Item<'_>, range: Range, side: Side, if_present: bool, work: &Work<'_>) {
    if range.bytes == 0 {
        return;
    }
    match table.find(range) {
        Found::Inside(start) => {
            if let Some(block) = table.get(start) {
                transfer(block, range, side, Array::of(item), work);
            }
        }
        Found::Nowhere if if_present => {}
        found @ (Found::Partly(_) | Found::Nowhere) => {
            let how = if found == Found::Nowhere { "is not" } else { "is only partially" };
            item.fail(format_args!(
                "`{}' {how} present on the device: [{:#x},{}] is not mapped",
                item.desc.name, range.start, range.bytes,
            ));
        }
    }
}

fn update_rows(
    table: &Table,
    item: Item<'_>,
    (range, rows): (Range, &[Row]),
    side: Side,
    if_present: bool,
    work: &Work<'_>,
) {
    let Some((row, inner)) = rows.split_first() else {
        return update_range(table, item, range, side, if_present, work);
    };
    for (_, pointer) in pointers(range) {
        if pointer != 0 {
            let range = Range { start: pointer.wrapping_add(row.lower), bytes: row.bytes };
            update_rows(table, item, (range, inner), side, if_present, work);
        }
    }
}

fn transfer(block: &Block, range: Range, side: Side, what: Array<'_>, work: &Work<'_>) {
    work.after(block.ready.as_ref());
    match side {
        Side::Host => download(block, range, what, work),
        Side::Device => {
            let name = if what.name.is_empty() { &block.name } else { what.name };
            for part in block.without_pointers(range) {
                work.upload(block.translate(part.start), part, name);
            }
        }
    }
}
