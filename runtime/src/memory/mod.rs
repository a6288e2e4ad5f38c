//! The data environment of a device with memory of its own: what of the host's memory has a copy there, and the queues
//! on which copies and regions are worked.
//!
//! - [`table`]: what is present, and for how long;
//! - [`enter`], [`leave`]: data clauses at the start and at the end of a data lifetime;
//! - [`attach`]: pointers in device memory that point to device memory;
//! - [`members`]: structures of which a directive names members;
//! - [`update`]: copies while data is present;
//! - [`queues`]: which queue an `async` number means;
//! - [`work`]: single steps on a queue, with their errors, messages and times.
//!
//! Host threads and queues share blocks. A block is marked as ready behind the copies that fill it, and by whoever leaves it with
//! work on a queue; other queues wait for the first mark before they use it, and for all of them before it goes.

mod attach;
mod enter;
mod leave;
mod members;
pub(crate) mod queues;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod update;
pub(crate) mod work;

pub(crate) use enter::{Counter, Entry, Item, Routine};
pub(crate) use leave::Exit;
pub(crate) use update::Side;
pub(crate) use work::{Site, Work};

use crate::abi::Object;
use crate::fatal::fatal;
use crate::plugin::Device;
use queues::Queues;
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};
use table::{Block, Owner, Range, Table};

/// A device and what is in its memory.
pub(crate) struct Memory {
    /// The device.
    pub(crate) device: Box<dyn Device>,
    table: Mutex<Table>,
    queues: Mutex<Queues>,
    declared: &'static [Object],
    /// Device addresses of declared objects that the device's code has no use for, and so does not hold.
    extra: Mutex<HashMap<u64, u64>>,
}

thread_local! {
    /// This thread has a present table, or waits for it.
    static LOCKING: Cell<bool> = const { Cell::new(false) };
}

/// The present table of a device, which no other thread changes.
pub(crate) struct Locked<'a>(MutexGuard<'a, Table>);

impl Deref for Locked<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.0
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.0
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        LOCKING.set(false);
    }
}

impl Memory {
    pub(crate) fn new(device: Box<dyn Device>, declared: &'static [Object]) -> Memory {
        Memory {
            device,
            table: Mutex::default(),
            queues: Mutex::default(),
            declared,
            extra: Mutex::default(),
        }
    }

    /// The present table. Nothing that may wait for a region to end happens while it is locked; callbacks of the profiling
    /// interface do, which must not ask for it.
    pub(crate) fn table(&self) -> Locked<'_> {
        if LOCKING.replace(true) {
            let what = "a callback of the profiling interface asks for data while a directive changes it";
            fatal(format_args!("{what}: the present table is locked"));
        }
        Locked(self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The device becomes active: objects that the program declares for it are present from now on.
    pub(crate) fn begin(&'static self) {
        let work = Work::begin(self, crate::abi::ASYNC_SYNC, Site::routine("device"));
        for object in self.declared.iter().filter(|object| !object.is_link() && object.bytes > 0) {
            let device = match self.object(object) {
                Some(device) => device,
                None => {
                    let device = work.allocate(object.bytes, &object.name);
                    self.extra.lock().unwrap_or_else(PoisonError::into_inner).insert(object.address, device);
                    work.upload(device, Range { start: object.address, bytes: object.bytes }, &object.name);
                    device
                }
            };
            let range = Range { start: object.address, bytes: object.bytes };
            let mut table = self.table();
            if table.find(range) == table::Found::Nowhere {
                table.insert(Block::new(range, device, Owner::Code, object.name.text()));
            }
        }
        work.end();
    }

    /// The device's copy of a declared object, if it has one from the start.
    fn object(&self, object: &Object) -> Option<u64> {
        let extra =
            || self.extra.lock().unwrap_or_else(PoisonError::into_inner).get(&object.address).copied();
        self.device.object(object).or_else(extra)
    }

    /// Where the device's code expects the copy of a part of a `declare link` object.
    fn link(&self, range: Range) -> Option<u64> {
        let holds = |object: &&Object| {
            object.is_link() && Range { start: object.address, bytes: object.bytes }.contains(range)
        };
        let object = self.declared.iter().find(holds)?;
        Some(self.device.object(object)? + (range.start - object.address))
    }

    /// The device is shut down: all work is finished, and nothing is present any more.
    pub(crate) fn end(&'static self) {
        let work = Work::begin(self, crate::abi::ASYNC_SYNC, Site::routine("acc_shutdown"));
        work.wait_for_all();
        for device in self.table().take_all() {
            work.free(device, "");
        }
        work.end();
        for queue in std::mem::take(&mut *self.queues()).into_all() {
            self.device.release_queue(queue);
        }
    }
}
