//! Copies between the host and the device, and on the device.

use crate::alu::LANES;
use crate::device::{Device, MemoryError};
use crate::exec::launch::Work;
use crate::exec::{self, host_site};
use crate::memory::device::Allocation;
use crate::memory::region::{CELLS, GRANULE, Region};
use crate::queue::{HostAccess, Order};
use crate::race::cell::{self, Cell, Conflict, Viewer};
use crate::race::segment::Segment;
use crate::report::{Kind, MemoryPlace, Report, Site};
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl Device {
    /// Copies to the device.
    pub fn copy_in(&self, address: u64, data: &[u8]) -> Result<(), MemoryError> {
        if data.is_empty() {
            return Ok(());
        }
        let allocation = self.holding(address, data.len() as u64)?;
        allocation.region.copy_in(address - allocation.base, data);
        Ok(())
    }

    /// Copies from the device. Gives the offset of the first byte that nobody ever wrote, if there is one;
    /// such bytes are poison.
    pub fn copy_out(&self, address: u64, data: &mut [u8]) -> Result<Option<u64>, MemoryError> {
        if data.is_empty() {
            return Ok(None);
        }
        let allocation = self.holding(address, data.len() as u64)?;
        let offset = address - allocation.base;
        self.note_copy(&allocation);
        if allocation.region.copy_out(offset, data) {
            return Ok(None);
        }
        let undefined = (0..data.len() as u64).find(|index| !allocation.region.byte_defined(offset + index));
        Ok(undefined)
    }

    /// Whether a copy of a stretch to the host would give it what no one set. Bytes that nobody wrote are no
    /// mistake: arrays may be filled in part. What was computed from such bytes is one, and the value of a
    /// variable that was never set, and a stretch that a kernel wrote to where nothing at all has a value.
    /// Where some of it has, what a kernel copied from memory that nobody wrote is mostly padding, and may be
    /// a mistake; it is the result.
    pub fn check_output(&self, address: u64, bytes: u64) -> Result<Option<Box<Report>>, Box<Report>> {
        let Ok(allocation) = self.holding(address, bytes) else { return Ok(None) };
        if bytes == 0 || !self.checks().uninitialised {
            return Ok(None);
        }
        let _quiet = self.while_quiet();
        let (region, offset) = (&allocation.region, address - allocation.base);
        if let Some((at, origin)) = region.first_spoilt(offset, bytes) {
            let message = "the host gets a value that was never set, or was computed from one";
            let note = self.origins.get(origin).map(|taken| taken.note(origin.is_computed()));
            let writer = region.write_cell(at).and_then(|cell| self.writer(cell));
            return Err(output(message, &allocation, at, writer, note));
        }
        let is_copied = |at: &u64| region.write_cell(*at).is_some();
        let Some(at) = region.undefined(offset, bytes).find(is_copied) else { return Ok(None) };
        let writer = region.write_cell(at).and_then(|cell| self.writer(cell));
        if region.any_defined(offset, bytes) {
            let message = "the host gets a copy of memory that nobody wrote, among other elements";
            return Ok(Some(output(message, &allocation, at, writer, None)));
        }
        let message =
            "of all that the host gets nothing was ever set: it was copied from memory that nobody wrote";
        Err(output(message, &allocation, at, writer, None))
    }

    /// Who made the last write to a word.
    fn writer(&self, cell: Cell) -> Option<Site> {
        let segment = self.segments.get(cell.segment());
        Some(self.record_of(segment.launch)?.site(segment, cell, "write"))
    }

    fn note_copy(&self, from: &Allocation) {
        let _quiet = self.while_quiet();
        from.copied.store(self.work_so_far(), Ordering::Relaxed);
    }

    /// Looks at an access of the host to a stretch, as work of a queue: before the host copies, fills or
    /// frees; to free memory it names its address. What comes on other queues may find that unfinished unless
    /// it waits; if the host itself waits for it at once, nothing does.
    pub fn access(
        &self,
        order: &Order,
        access: HostAccess,
        (address, bytes): (u64, u64),
    ) -> Result<(), Box<Report>> {
        let Some(allocation) = self.memory.holding(address, bytes).filter(|_| self.checks().races) else {
            return Ok(());
        };
        let stretch = match access {
            HostAccess::Free => (0, allocation.region.bytes()),
            _ => (address - allocation.base, bytes),
        };
        let _running = self.while_quiet();
        let first_segment = self.segments.next();
        let (number, segment) = if order.sequence == 0 {
            (u32::MAX, 0)
        } else {
            let number = self.enroll(order, Work::Host(access));
            let segment = Segment { launch: number, cta: 0, warp: 0, clock: 1 };
            (number, self.segments.add(segment).unwrap_or(0))
        };
        let is_noted = segment != 0;
        let all_before = self.lock_queues().is_behind_all(order);
        if stretch.1 == 0 || all_before && !is_noted {
            return Ok(());
        }
        let viewer = Viewer {
            segments: &self.segments,
            launch: number,
            first_segment,
            after: &|other| self.is_before(other, order),
            all_before,
            cta: 0,
            warp: 0,
            cta_base: 0,
            warp_base: &[0; LANES],
            know: &[],
        };
        let me = Cell::of_host(segment);
        let Some((offset, conflict)) = sweep(&allocation.region, stretch, access, me, is_noted, &viewer)
        else {
            return Ok(());
        };
        Err(Box::new(Report {
            kind: Kind::Race,
            kernel: String::new(),
            at: Some(host_site(access, order.asker.clone())),
            other: Some(self.earlier(conflict)),
            memory: Some(place(&allocation, offset)),
            message: "work on two queues accesses the same memory, and nothing orders it".to_owned(),
            notes: Vec::new(),
            is_between_queues: true,
        }))
    }

    /// Looks at a copy between the host's memory and an address of the device, as work of a queue, before it
    /// is made. One that changes nothing on the host only reads there.
    pub fn touch_host(
        &self,
        order: &Order,
        access: HostAccess,
        place: Range<u64>,
        device: u64,
        changes: bool,
    ) -> Result<(), Box<Report>> {
        if place.is_empty() || !self.checks().races {
            return Ok(());
        }
        let (address, bytes) = (place.start, place.end - place.start);
        let is_write = access == HostAccess::CopyOut && changes;
        let mut memory = self.host_memory.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((other, asker)) = memory.add(order, access, place, is_write) else { return Ok(()) };
        drop(memory);
        let object = self.holding(device, bytes).ok().map(|allocation| allocation.name.clone());
        Err(Box::new(Report {
            kind: Kind::Race,
            kernel: String::new(),
            at: Some(host_site(access, order.asker.clone())),
            other: Some(host_site(other, asker)),
            memory: Some(MemoryPlace { address, space: "host", object, offset: 0, size: bytes }),
            message: "copies of two queues access the same memory of the host, and nothing orders them"
                .to_owned(),
            notes: Vec::new(),
            is_between_queues: true,
        }))
    }

    /// Who made an access that work on another queue does not wait for.
    fn earlier(&self, conflict: Conflict) -> Site {
        let segment = self.segments.get(conflict.earlier.segment());
        let action = if conflict.write { "earlier write" } else { "earlier read" };
        let site = match self.record_of(segment.launch) {
            Some(record) => record.site(segment, conflict.earlier, action),
            None => exec::forgotten(action),
        };
        Site { is_write: conflict.write, ..site }
    }

    /// A place where a kernel wrote to the allocation that begins at an address, if no kernel has ever read
    /// what kernels wrote to it, and nobody has copied anything from it since: a result that is lost if it is
    /// freed now.
    pub fn lost_result(&self, address: u64) -> Option<Site> {
        let allocation = self.memory.holding(address, 1).filter(|found| found.base == address)?;
        let _quiet = self.while_quiet();
        let written = cell::only_written(allocation.region.known_cells()?)?;
        let segment = self.segments.get(written.segment());
        if segment.launch < allocation.copied.load(Ordering::Relaxed) {
            return None;
        }
        self.writer(written)
    }

    /// Sets bytes on the device.
    pub fn set(&self, address: u64, byte: u8, bytes: u64) -> Result<(), MemoryError> {
        if bytes == 0 {
            return Ok(());
        }
        let allocation = self.holding(address, bytes)?;
        let chunk = vec![byte; bytes.min(1 << 20) as usize];
        let mut done = 0;
        while done < bytes {
            let now = (bytes - done).min(chunk.len() as u64);
            allocation.region.copy_in(address - allocation.base + done, &chunk[..now as usize]);
            done += now;
        }
        Ok(())
    }

    /// Copies on the device; undefined bytes stay undefined.
    pub fn copy(&self, to: u64, from: u64, bytes: u64) -> Result<(), MemoryError> {
        if bytes == 0 {
            return Ok(());
        }
        let (target, source) = (self.holding(to, bytes)?, self.holding(from, bytes)?);
        self.note_copy(&source);
        let (to, from) = (to - target.base, from - source.base);
        let mut data = vec![0; bytes as usize];
        source.region.copy_out(from, &mut data);
        let undefined: Vec<_> = (0..bytes)
            .filter(|index| !source.region.byte_defined(from + index))
            .map(|index| (index, source.region.spoilt(from + index, 1)))
            .collect();
        target.region.copy_in(to, &data);
        for (index, origin) in undefined {
            target.region.undefine(to + index, 1, origin);
        }
        Ok(())
    }
}

/// A report about what the host would get.
fn output(
    message: &str,
    allocation: &Allocation,
    offset: u64,
    writer: Option<Site>,
    note: Option<String>,
) -> Box<Report> {
    let kernel = writer.as_ref().and_then(|site| site.kernel.clone()).unwrap_or_default();
    Box::new(Report {
        kind: Kind::Uninitialised,
        kernel,
        at: writer.map(|site| Site { kernel: None, ..site }),
        other: None,
        memory: Some(place(allocation, offset)),
        message: message.to_owned(),
        notes: note.into_iter().collect(),
        is_between_queues: false,
    })
}

fn place(allocation: &Allocation, offset: u64) -> MemoryPlace {
    MemoryPlace {
        address: allocation.base + offset,
        space: "global",
        object: Some(allocation.name.clone()),
        offset: offset as i64,
        size: allocation.region.bytes(),
    }
}

/// Looks at the records of a stretch, and adds the access if it is to be noted. Gives the first byte where it
/// races.
fn sweep(
    region: &Region,
    (offset, bytes): (u64, u64),
    access: HostAccess,
    me: Cell,
    is_noted: bool,
    viewer: &Viewer<'_>,
) -> Option<(u64, Conflict)> {
    let cells = if is_noted { region.cells() } else { region.known_cells()? };
    let end = offset + bytes;
    for word in offset / GRANULE..end.div_ceil(GRANULE) {
        let start = word * GRANULE;
        let index = word as usize * CELLS;
        let Some(cells) = cells.get(index..index + CELLS) else { break };
        let touched = |byte: &u64| (offset..end).contains(&(start + byte));
        let mask = (0..GRANULE).filter(touched).fold(0, |mask, byte| mask | 1 << byte);
        let conflict = match (is_noted, access.writes()) {
            (true, true) => cell::write(cells, me, mask, viewer, || false, |_| false),
            (true, false) => cell::read(cells, me, mask, viewer, || false),
            (false, is_write) => cell::look(cells, me, mask, is_write, viewer),
        };
        if let Some(conflict) = conflict {
            return Some((start.max(offset), conflict));
        }
    }
    None
}
