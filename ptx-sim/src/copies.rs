//! Copies between the host and the device, and on the device.

use crate::device::{Device, MemoryError};
use crate::exec;
use crate::memory::device::Allocation;
use crate::race::cell::{self, Cell};
use crate::report::{Kind, MemoryPlace, Report, Site};
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

    /// Copies from the device. Gives the offset of the first byte that nobody ever wrote, if there is one; such bytes
    /// are poison.
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

    /// Whether a copy of a stretch to the host would give it what no one set. Bytes that nobody wrote are no mistake, nor are
    /// their copies: arrays and structures may be filled in part. What was computed from such bytes is, and the value of a
    /// variable that was never set, and a stretch that a kernel wrote to where nothing at all has a value.
    pub fn check_output(&self, address: u64, bytes: u64) -> Result<(), Box<Report>> {
        let Ok(allocation) = self.holding(address, bytes) else { return Ok(()) };
        if bytes == 0 || !self.checks().uninitialised {
            return Ok(());
        }
        let (region, offset) = (&allocation.region, address - allocation.base);
        if let Some((at, origin)) = region.first_spoilt(offset, bytes) {
            let message = "the host gets a value that was never set, or was computed from one";
            let note = self.origins.get(origin).map(|taken| taken.note(origin.is_computed()));
            let writer = region.write_cell(at).and_then(|cell| self.writer(cell));
            return Err(output(message, &allocation, at, writer, note));
        }
        if region.any_defined(offset, bytes) {
            return Ok(());
        }
        let written = (offset..offset + bytes).find_map(|at| Some((at, region.write_cell(at)?)));
        match written {
            None => Ok(()),
            Some((at, cell)) => {
                let message = "of all that the host gets nothing was ever set: it was copied from memory that nobody wrote";
                Err(output(message, &allocation, at, self.writer(cell), None))
            }
        }
    }

    /// Who made the last write to a word.
    fn writer(&self, cell: Cell) -> Option<Site> {
        let segment = self.segments.get(cell.segment());
        Some(exec::past_site(&self.past(segment.launch)?, segment, cell))
    }

    fn note_copy(&self, from: &Allocation) {
        from.copied.store(self.launched(), Ordering::Relaxed);
    }

    /// A place where a kernel wrote to the allocation that begins at an address, if no kernel has ever read what kernels wrote to
    /// it, and nobody has copied anything from it since: a result that is lost if it is freed now.
    pub fn lost_result(&self, address: u64) -> Option<Site> {
        let allocation = self.memory.holding(address, 1).filter(|found| found.base == address)?;
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
        memory: Some(MemoryPlace {
            address: allocation.base + offset,
            space: "global",
            object: Some(allocation.name.clone()),
            offset: offset as i64,
            size: allocation.region.bytes(),
        }),
        message: message.to_owned(),
        notes: note.into_iter().collect(),
    })
}
