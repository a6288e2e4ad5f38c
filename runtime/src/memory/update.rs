//! Copies between host and device while data is present: `update`, `acc_update_*`, `acc_memcpy_*`; and what
//! the program may change about the present table.

use super::entry::{Item, pointers};
use super::leave::{Array, download, download_runs};
use super::state::Memory;
use super::table::{Block, Counter, Found, Owner, Range, Table};
use super::work::Work;
use crate::abi::{MapDesc, MapKind};
use crate::plugin::Runs;
use crate::values::Row;

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
    pub(crate) fn update_item(&self, item: Item<'_>, if_present: bool, counter: Counter, work: &Work<'_>) {
        let side = if item.desc.kind() == MapKind::UpdateDevice { Side::Device } else { Side::Host };
        let if_present = if_present && !item.desc.is(MapDesc::REQUIRED);
        let update = Update { table: &self.table(), item, side, if_present, counter, work };
        update.section(item.values.start, &item.values.runs, &item.values.rows);
    }

    /// `acc_update_device`, `acc_update_self`.
    pub(crate) fn update(&self, range: Range, side: Side, work: &Work<'_>) {
        let table = self.table();
        match table.holder(range).filter(|_| range.bytes > 0) {
            Some(block) => {
                let what = Array { name: "", elements: None };
                transfer(block, range, (side, Counter::Dynamic), what, work);
            }
            None => work.site.fail(format_args!("[{:#x},{}] is not mapped", range.start, range.bytes)),
        }
    }

    /// The address that `host_data` gives for a variable.
    pub(crate) fn use_device(&self, item: Item<'_>, if_present: bool) -> u64 {
        self.settle();
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
        table.insert(Block { dynamic: 1, ..Block::new(range, device, Owner::Program, "acc_map_data") });
    }

    /// `omp_target_associate_ptr`: whether the host's range has this device memory now.
    pub(crate) fn associate(&self, range: Range, device: u64) -> bool {
        let mut table = self.table();
        if range.start == 0 || device == 0 || range.bytes == 0 {
            return false;
        }
        match table.find(range) {
            Found::Inside(start) => table.get(start).is_some_and(|block| {
                block.owner == Owner::Program && block.range == range && block.device == device
            }),
            Found::Partly(_) => false,
            Found::Nowhere => {
                let block = Block::new(range, device, Owner::Program, "omp_target_associate_ptr");
                table.insert(block);
                true
            }
        }
    }

    /// `omp_target_disassociate_ptr`: whether the range that starts there was associated.
    pub(crate) fn disassociate(&self, host: u64) -> bool {
        let mut table = self.table();
        let is_associated = table.get(host).is_some_and(|block| block.owner == Owner::Program);
        is_associated && table.remove(host).is_some()
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

/// A clause of `update` that is being carried out.
struct Update<'a> {
    table: &'a Table,
    item: Item<'a>,
    side: Side,
    if_present: bool,
    /// By whose rules.
    counter: Counter,
    work: &'a Work<'a>,
}

impl Update<'_> {
    /// Copies what is there; of an array of pointers, what the pointers lead to.
    fn section(&self, start: u64, runs: &Runs, rows: &[Row]) {
        let Some((row, inner)) = rows.split_first() else { return self.runs(start, runs) };
        for at in runs.offsets() {
            for (_, pointer) in pointers(Range { start: start + at, bytes: runs.bytes }) {
                if pointer != 0 {
                    self.section(pointer.wrapping_add(row.lower), &row.runs, inner);
                }
            }
        }
    }

    /// One copy if a block holds all runs, even though what lies between them need not be present.
    fn runs(&self, start: u64, runs: &Runs) {
        let hull = Range { start, bytes: runs.extent() };
        let holder = if runs.is_one() { None } else { self.table.holder(hull) };
        match holder.filter(|block| block.without_pointers(hull, self.counter) == [hull]) {
            Some(block) => transfer_runs(block, start, runs, self.side, Array::of(self.item), self.work),
            None => {
                for at in runs.offsets() {
                    self.range(Range { start: start + at, bytes: runs.bytes });
                }
            }
        }
    }

    fn range(&self, range: Range) {
        match self.table.find(range) {
            Found::Inside(start) => {
                if let Some(block) = self.table.get(start) {
                    let Update { side, counter, work, .. } = *self;
                    transfer(block, range, (side, counter), Array::of(self.item), work);
                }
            }
            Found::Nowhere if self.if_present => {}
            found @ (Found::Partly(_) | Found::Nowhere) => {
                let how = if found == Found::Nowhere { "is not" } else { "is only partially" };
                self.item.fail(format_args!(
                    "`{}' {how} present on the device: [{:#x},{}] is not mapped",
                    self.item.desc.name, range.start, range.bytes,
                ));
            }
        }
    }
}

fn transfer(block: &Block, range: Range, (side, counter): (Side, Counter), what: Array<'_>, work: &Work<'_>) {
    work.after(block.ready.as_ref());
    match side {
        Side::Host => download(block, range, what, counter, work),
        Side::Device => {
            let name = if what.name.is_empty() { block.name } else { what.name };
            for part in block.without_pointers(range, counter) {
                work.upload(block.translate(part.start), part, name);
            }
        }
    }
}

/// The same for runs, which hold no attached pointers.
fn transfer_runs(block: &Block, start: u64, runs: &Runs, side: Side, what: Array<'_>, work: &Work<'_>) {
    work.after(block.ready.as_ref());
    match side {
        Side::Host => download_runs(block, start, runs, what, work),
        Side::Device => work.upload_runs(block.translate(start), start, runs, what.name),
    }
}
