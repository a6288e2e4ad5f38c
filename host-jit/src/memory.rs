//! Memory for a program's code and objects, which `cranelift-jit` places there.
//!
//! Code has one reservation of address space, so that all of it reaches all other by 32-bit displacements;
//! objects, which are addressed by 64 bits, have mappings of their own. All is filled from the start, and
//! pages are committed when they are written.

use cranelift_jit::{BranchProtection, JITMemoryKind, JITMemoryProvider};
use cranelift_module::{ModuleError, ModuleResult};
use std::io;
use std::ops::Range;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Address space for code.
const CODE: usize = 256 << 20;
/// Address space that is taken for objects at a time, unless an object is larger.
const OBJECTS: usize = 4 << 20;
/// Functions start at multiples of this.
const CODE_ALIGN: usize = 16;

/// Zero bytes that follow what is allocated next, beyond what is asked for. `cranelift-jit` writes every byte
/// of an object, zeros too, and that would commit the pages of a large array before the program touches it.
#[derive(Clone, Default)]
pub(crate) struct ZerosBehind(Arc<AtomicUsize>);

impl ZerosBehind {
    /// Lets `bytes` zeros follow the next allocation.
    pub(crate) fn set(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// The memory of a program.
pub(crate) struct Memory {
    code: Mappings,
    writable: Mappings,
    constant: Mappings,
    zeros_behind: ZerosBehind,
    /// Code may run as soon as it is written; otherwise once all is placed.
    live: bool,
    /// The first definitions are complete.
    sealed: bool,
}

impl Memory {
    /// Reserves address space for code. `live` code is writable and executable at once, which lazy
    /// compilation needs: other threads execute what is already there, and `fork` must give a child its own
    /// copy.
    pub(crate) fn new(live: bool) -> io::Result<Memory> {
        let exec = if live { libc::PROT_EXEC } else { 0 };
        let mut code = Mappings::default();
        code.add(CODE, libc::PROT_READ | libc::PROT_WRITE | exec)?;
        Ok(Memory {
            code,
            writable: Mappings::default(),
            constant: Mappings::default(),
            zeros_behind: ZerosBehind::default(),
            live,
            sealed: false,
        })
    }

    /// The addresses that code gets.
    pub(crate) fn code_space(&self) -> Range<usize> {
        let (base, bytes) = self.code.list[0];
        base.addr()..base.addr() + bytes
    }

    /// What tells this memory of zeros behind an object.
    pub(crate) fn zeros_behind(&self) -> ZerosBehind {
        self.zeros_behind.clone()
    }
}

impl JITMemoryProvider for Memory {
    fn allocate(&mut self, size: usize, align: u64, kind: JITMemoryKind) -> io::Result<*mut u8> {
        let align = usize::try_from(align).map_err(|_| too_large())?;
        let size = size.checked_add(self.zeros_behind.take()).ok_or_else(too_large)?;
        match kind {
            JITMemoryKind::Executable if self.sealed && !self.live => {
                Err(io::Error::other("the program's machine code is complete"))
            }
            JITMemoryKind::Executable => self.code.room(size, align.max(CODE_ALIGN)).ok_or_else(|| {
                let limit = CODE >> 20;
                let message = "the program's machine code does not fit its address space";
                io::Error::other(format!("{message} of {limit} MiB"))
            }),
            // Constants of functions that are compiled while the program runs lie on pages that stay
            // writable.
            JITMemoryKind::ReadOnly if !self.sealed => self.constant.allocate(size, align),
            JITMemoryKind::ReadOnly | JITMemoryKind::Writable => self.writable.allocate(size, align),
        }
    }

    unsafe fn free_memory(&mut self) {
        for mappings in [&mut self.code, &mut self.writable, &mut self.constant] {
            for (base, bytes) in std::mem::take(mappings).list {
                // SAFETY: the caller knows that nothing refers to the mapping any more. It exists, so this
                // succeeds.
                unsafe { libc::munmap(base.cast(), bytes) };
            }
        }
    }

    /// Protects constants, and code that is not live, once. No system call is made for what is compiled
    /// later.
    fn finalize(&mut self, _: BranchProtection) -> ModuleResult<()> {
        if std::mem::replace(&mut self.sealed, true) {
            return Ok(());
        }
        let code = if self.live { Ok(()) } else { self.code.protect(libc::PROT_READ | libc::PROT_EXEC) };
        code.and_then(|()| self.constant.protect(libc::PROT_READ))
            .map_err(|err| ModuleError::Allocation { err })
    }
}

/// Mappings that are filled one after the other.
#[derive(Default)]
struct Mappings {
    list: Vec<(*mut u8, usize)>,
    /// Bytes of the last mapping that are in use.
    used: usize,
}

// SAFETY: the mappings belong to the program, and all writes to free room go through `&mut self`.
unsafe impl Send for Mappings {}

impl Mappings {
    fn add(&mut self, bytes: usize, access: libc::c_int) -> io::Result<()> {
        self.list.push((map(bytes, access)?, bytes));
        self.used = 0;
        Ok(())
    }

    /// Room in the last mapping.
    fn room(&mut self, bytes: usize, align: usize) -> Option<*mut u8> {
        let &(base, size) = self.list.last()?;
        let start = (base.addr() + self.used).checked_next_multiple_of(align)? - base.addr();
        let end = start.checked_add(bytes).filter(|&end| end <= size)?;
        self.used = end;
        // SAFETY: `start` lies in the mapping.
        Some(unsafe { base.add(start) })
    }

    /// Room in the last mapping, or in a new one.
    fn allocate(&mut self, bytes: usize, align: usize) -> io::Result<*mut u8> {
        if let Some(room) = self.room(bytes, align) {
            return Ok(room);
        }
        let wanted = bytes.checked_add(align).ok_or_else(too_large)?;
        self.add(wanted.max(OBJECTS), libc::PROT_READ | libc::PROT_WRITE)?;
        self.room(bytes, align).ok_or_else(too_large)
    }

    fn protect(&self, access: libc::c_int) -> io::Result<()> {
        self.list.iter().try_for_each(|&(base, bytes)| protect_data(base, bytes, access))
    }
}

/// A known limit, other than what the system refuses.
fn too_large() -> io::Error {
    io::Error::other("the program's objects do not fit the address space")
}

fn map(bytes: usize, access: libc::c_int) -> io::Result<*mut u8> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a fresh anonymous mapping.
    let base = unsafe { libc::mmap(ptr::null_mut(), bytes.max(1), access, flags, -1, 0) };
    if base == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(base.cast()) }
}

/// Maps zeroed, writable memory for `bytes` bytes of data.
pub(crate) fn map_data(bytes: usize) -> io::Result<*mut u8> {
    map(bytes, libc::PROT_READ | libc::PROT_WRITE)
}

/// Restricts access to data: `PROT_READ`, or `PROT_NONE`.
pub(crate) fn protect_data(base: *mut u8, bytes: usize, access: libc::c_int) -> io::Result<()> {
    // SAFETY: callers pass a mapping of their own.
    let failed = unsafe { libc::mprotect(base.cast(), bytes.max(1), access) } != 0;
    if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_aligned_and_zero_behind_their_bytes() {
        let mut memory = Memory::new(true).expect("there is memory");
        let zeros_behind = memory.zeros_behind();
        zeros_behind.set(OBJECTS);
        let large = memory.allocate(3, 1 << 16, JITMemoryKind::Writable).expect("there is memory");
        let next = memory.allocate(1, 1, JITMemoryKind::Writable).expect("there is memory");
        assert_eq!(large.addr() % (1 << 16), 0);
        let end = large.addr() + 3 + OBJECTS;
        assert!(!(large.addr()..end).contains(&next.addr()), "{large:?} {next:?}");
        // SAFETY: the allocation is that large, and nothing writes to it.
        assert!(unsafe { std::slice::from_raw_parts(large, 3 + OBJECTS) }.iter().all(|&byte| byte == 0));
        zeros_behind.set(usize::MAX);
        let error = memory.allocate(1, 1, JITMemoryKind::Writable).expect_err("there are fewer addresses");
        assert_eq!(error.to_string(), "the program's objects do not fit the address space");
    }

    #[test]
    fn constants_stay_writable_once_the_program_runs() {
        let mut memory = Memory::new(true).expect("there is memory");
        memory.allocate(1, 1, JITMemoryKind::ReadOnly).expect("there is memory");
        memory.finalize(BranchProtection::None).expect("pages can be protected");
        let late = memory.allocate(1, 1, JITMemoryKind::ReadOnly).expect("there is memory");
        // SAFETY: the byte was allocated.
        unsafe { late.write(1) };
        let code = memory.allocate(CODE / 2, 1, JITMemoryKind::Executable).expect("half of it is free");
        assert!(memory.code_space().contains(&code.addr()));
        let error = memory.allocate(CODE, 1, JITMemoryKind::Executable).expect_err("half of it is taken");
        assert_eq!(error.to_string(), "the program's machine code does not fit its address space of 256 MiB");
    }

    #[test]
    fn code_that_is_complete_takes_no_more() {
        let mut memory = Memory::new(false).expect("there is memory");
        memory.allocate(16, 16, JITMemoryKind::Executable).expect("there is memory");
        memory.finalize(BranchProtection::None).expect("pages can be protected");
        memory.allocate(16, 16, JITMemoryKind::Executable).expect_err("code is not writable");
        // SAFETY: nothing refers to the memory.
        unsafe { memory.free_memory() };
    }
}
