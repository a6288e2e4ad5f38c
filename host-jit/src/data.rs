//! The program's objects with static storage duration.

use crate::error::Error;
use crate::helpers::tls::Image;
use crate::memory;
use crate::needed::Needed;
use accrue_ir::{Global, Init, Module, Operand, Relocation};
use cranelift_entity::SecondaryMap;

/// Where everything is. Addresses of thread-local objects are offsets in a thread's block.
#[derive(Default)]
pub(crate) struct Layout {
    /// Address of each defined global.
    pub addresses: SecondaryMap<Global, usize>,
    /// How blocks of thread-local objects start.
    pub tls: Image,
    constants: Option<(*mut u8, usize)>,
}

// SAFETY: the pointer names a mapping that only `finish` touches, once.
unsafe impl Send for Layout {}
// SAFETY: see above.
unsafe impl Sync for Layout {}

/// Objects from this size on start at a cache line, so that vectors in arrays do not straddle lines.
const LARGE: u64 = 64;

/// Running total of a region of memory.
#[derive(Default)]
struct Cursor {
    used: usize,
}

impl Cursor {
    fn place(&mut self, size: u64, align: u32) -> Option<usize> {
        let align = if size >= LARGE { align.max(LARGE as u32) } else { align.max(1) };
        let start = self.used.checked_next_multiple_of(align as usize)?;
        // Objects without bytes still have addresses of their own.
        self.used = start.checked_add(usize::try_from(size.max(1)).ok()?)?;
        Some(start)
    }
}

impl Layout {
    /// Gives every reached global its place.
    pub(crate) fn new(module: &Module, needed: &Needed) -> Result<Layout, Error> {
        let too_large = || Error::Limit("the program's objects do not fit the address space".into());
        let mut layout = Layout::default();
        let (mut writable, mut constant, mut tls) = (Cursor::default(), Cursor::default(), Cursor::default());
        for &global in &needed.globals {
            let data = &module.globals[global];
            let cursor = if data.thread_local {
                layout.tls.align = layout.tls.align.max(data.align as usize).max(LARGE as usize);
                &mut tls
            } else if data.constant {
                &mut constant
            } else {
                &mut writable
            };
            layout.addresses[global] = cursor.place(data.size, data.align).ok_or_else(too_large)?;
        }
        let no_memory = |error| Error::Memory(format!("no memory for the program's objects: {error}"));
        let writable = memory::map_data(writable.used).map_err(no_memory)?;
        let constants = memory::map_data(constant.used).map_err(no_memory)?;
        for &global in &needed.globals {
            let data = &module.globals[global];
            if !data.thread_local {
                let base = if data.constant { constants } else { writable };
                layout.addresses[global] += base.expose_provenance();
            }
        }
        layout.tls.size = tls.used;
        layout.constants = (constant.used > 0).then_some((constants, constant.used));
        Ok(layout)
    }

    /// Writes initial values; `address` gives the address of a global or function in a relocation.
    pub(crate) fn fill(
        &mut self,
        module: &Module,
        needed: &Needed,
        mut address: impl FnMut(&Layout, Operand) -> usize,
    ) {
        for &global in &needed.globals {
            let data = &module.globals[global];
            let Init::Bytes(bytes, relocations) = &data.init else {
                continue;
            };
            let size = usize::try_from(data.size).unwrap_or(usize::MAX).min(bytes.len());
            let mut image = bytes[..size].to_vec();
            for Relocation { offset, target, addend } in relocations {
                let start = *offset as usize;
                let end = start + 8;
                if end > data.size as usize {
                    continue;
                }
                if image.len() < end {
                    image.resize(end, 0);
                }
                let value = address(self, *target).wrapping_add_signed(*addend as isize);
                image[start..end].copy_from_slice(&value.to_le_bytes());
            }
            let at = self.addresses[global];
            if data.thread_local {
                let block = &mut self.tls.bytes;
                if block.len() < at + image.len() {
                    block.resize(at + image.len(), 0);
                }
                block[at..at + image.len()].copy_from_slice(&image);
            } else {
                // SAFETY: the layout gave the object `size` bytes there, and nothing runs yet.
                unsafe {
                    std::ptr::with_exposed_provenance_mut::<u8>(at)
                        .copy_from_nonoverlapping(image.as_ptr(), image.len());
                }
            }
        }
    }

    /// Makes constants read-only.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        match self.constants.take() {
            Some((base, bytes)) => memory::protect_data(base, bytes, libc::PROT_READ)
                .map_err(|error| Error::Memory(format!("cannot protect the program's constants: {error}"))),
            None => Ok(()),
        }
    }
}
