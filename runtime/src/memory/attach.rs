//! Pointers in device memory that point to device memory (OpenACC 3.3, 2.6.8): attached by a count, so that
//! the last of several detach actions gives the copy the host's value back.

use super::state::Memory;
use super::table::{Attachment, Block, Range, Table};
use super::work::Work;
use std::fmt;

const POINTER: u64 = size_of::<usize>() as u64;

fn holder(table: &Table, at: u64) -> Option<u64> {
    table.holder(Range { start: at, bytes: POINTER }).map(|block| block.range.start)
}

/// The value of a pointer on the host.
pub(super) fn read(at: u64) -> u64 {
    // SAFETY: the program gives the address of one of its pointers.
    unsafe { std::ptr::with_exposed_provenance::<u64>(at as usize).read_unaligned() }
}

type Fail<'a> = &'a dyn Fn(fmt::Arguments<'_>);

impl Memory {
    /// Attaches the pointer at a host address, if it is in a block, to a device address. Says whether it is.
    pub(super) fn attach(&self, table: &mut Table, at: u64, device: u64, work: &Work<'_>) -> bool {
        let Some(start) = holder(table, at) else { return false };
        let Some(block) = table.get_mut(start) else { return false };
        let name = block.name;
        let device_at = block.translate(at);
        let attachment = block.attached.entry(at).or_insert(Attachment { count: 0, value: 0 });
        let moved = attachment.count == 0 || attachment.value != device;
        attachment.count += 1;
        attachment.value = device;
        if moved {
            // Other queues may still read the pointer, or write it; later work waits for this.
            block.ready.iter().chain(&block.users).for_each(|mark| work.after(Some(mark)));
            work.write_pointer(device_at, device, name);
            work.made(start);
        }
        true
    }

    /// Attaches the pointer at a host address to the counterpart of what it points to: `fail` ends the
    /// program if there is none, or if the pointer is not present.
    pub(super) fn attach_by_value(&self, table: &mut Table, at: u64, work: &Work<'_>, fail: Fail<'_>) {
        if holder(table, at).is_none() {
            fail(format_args!("struct not mapped for acc_attach: the pointer at {at:#x} is not present"));
            return;
        }
        let value = read(at);
        if value == 0 {
            fail(format_args!("attempt to attach null pointer at {at:#x}"));
            return;
        }
        match table.translate(value) {
            Some(device) => _ = self.attach(table, at, device, work),
            None => fail(format_args!("pointer target not mapped for attach: {value:#x} is not present")),
        }
    }

    /// Takes one attach action back, or all of them. `fail` ends the program if there is none.
    pub(super) fn detach(&self, table: &mut Table, at: u64, finalize: bool, work: &Work<'_>, fail: Fail<'_>) {
        let Some(block) = holder(table, at).and_then(|start| table.get_mut(start)) else {
            fail(format_args!("struct not mapped for acc_detach: the pointer at {at:#x} is not present"));
            return;
        };
        match block.attached.get_mut(&at) {
            Some(attachment) if attachment.count > 1 && !finalize => attachment.count -= 1,
            Some(_) => detached(block, at, work),
            None => fail(format_args!("attach count underflow: the pointer at {at:#x} is not attached")),
        }
    }

    /// `acc_attach`.
    pub(crate) fn attach_pointer(&self, at: u64, work: &Work<'_>) {
        self.attach_by_value(&mut self.table(), at, work, &|message| work.site.fail(message));
    }

    /// `acc_detach`, `acc_detach_finalize`.
    pub(crate) fn detach_pointer(&self, at: u64, finalize: bool, work: &Work<'_>) {
        self.detach(&mut self.table(), at, finalize, work, &|message| work.site.fail(message));
    }
}

/// The device's copy gets the host's value back.
fn detached(block: &mut Block, at: u64, work: &Work<'_>) {
    block.attached.remove(&at);
    block.ready.iter().chain(&block.users).for_each(|mark| work.after(Some(mark)));
    work.write_pointer(block.translate(at), read(at), block.name);
}
