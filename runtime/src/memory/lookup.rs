//! Questions about the present table, of the program and of `accrue check`, which also notes there what used
//! a block.

use super::entry::{Entry, Item};
use super::state::Memory;
use super::table::{Block, Range};
use std::sync::Arc;

impl Memory {
    /// `acc_deviceptr`.
    pub(crate) fn device_address(&self, host: u64) -> Option<u64> {
        self.settle();
        self.table().translate(host)
    }

    /// Where the device has its copy of these bytes of the host; none unless it has one of all of them.
    pub(crate) fn device_range(&self, range: Range) -> Option<u64> {
        self.settle();
        let table = self.table();
        let block = table.holder(range)?;
        Some(block.device + (range.start - block.range.start))
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

    /// Notes that a region with a reduction of `terms` terms used the data.
    pub(crate) fn note_terms(&self, entries: &[Entry], terms: u64) {
        let mut table = self.table();
        for entry in entries {
            if let Some(block) = table.block_at(entry.range.start) {
                block.terms = block.terms.max(terms);
            }
        }
    }

    /// Notes which region used the data last.
    pub(crate) fn note_region(&self, entries: &[Entry], region: &str) {
        let region: Arc<str> = region.into();
        let mut table = self.table();
        for entry in entries {
            if let Some(block) = table.block_at(entry.range.start) {
                block.region = Some(Arc::clone(&region));
            }
        }
    }

    /// `acc_is_present`.
    pub(crate) fn is_present(&self, range: Range) -> bool {
        range.start != 0 && self.table().holder(range).is_some()
    }
}
