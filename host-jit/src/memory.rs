//! Executable memory: one reservation of address space, so that all code of a program can reach all other by 32-bit
//! displacements, filled from its start.

use std::io;
use std::ptr;

/// Address space for code. Pages are committed when they are written.
const RESERVED: usize = 256 << 20;
/// Functions start at multiples of this.
const ALIGN: usize = 16;

/// The reservation.
pub(crate) struct Arena {
    base: *mut u8,
    used: usize,
    /// Written code may run at once; otherwise only after [`Arena::seal`].
    live: bool,
}

// SAFETY: the mapping belongs to the arena, and all writes go through `&mut self`.
unsafe impl Send for Arena {}

impl Arena {
    /// Reserves address space. A `live` arena is writable and executable at once, which lazy compilation needs: other
    /// threads execute what is already there, and `fork` must give a child its own copy.
    pub(crate) fn new(live: bool) -> io::Result<Arena> {
        let exec = if live { libc::PROT_EXEC } else { 0 };
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a fresh anonymous mapping.
        let base = unsafe {
            libc::mmap(ptr::null_mut(), RESERVED, libc::PROT_READ | libc::PROT_WRITE | exec, flags, -1, 0)
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Arena { base: base.cast(), used: 0, live })
    }

    /// Room for `bytes` bytes of code; `None` if the reservation is full.
    pub(crate) fn allocate(&mut self, bytes: usize, align: usize) -> Option<*mut u8> {
        let start = self.used.next_multiple_of(align.max(ALIGN));
        let end = start.checked_add(bytes)?;
        if end > RESERVED {
            return None;
        }
        self.used = end;
        // SAFETY: `start` lies in the mapping.
        Some(unsafe { self.base.add(start) })
    }

    /// Makes what was written executable, and the arena read-only.
    pub(crate) fn seal(&mut self) -> io::Result<()> {
        if self.live {
            return Ok(());
        }
        // SAFETY: the mapping is the arena's own.
        let failed =
            unsafe { libc::mprotect(self.base.cast(), RESERVED, libc::PROT_READ | libc::PROT_EXEC) } != 0;
        if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Whether an address is code of this arena.
    pub(crate) fn contains(&self, address: usize) -> bool {
        (self.base.addr()..self.base.addr() + self.used).contains(&address)
    }
}

/// Maps zeroed, writable memory for `bytes` bytes of data.
pub(crate) fn map_data(bytes: usize) -> io::Result<*mut u8> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a fresh anonymous mapping.
    let base = unsafe {
        libc::mmap(ptr::null_mut(), bytes.max(1), libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
    };
    if base == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(base.cast()) }
}

/// Restricts access to data: `PROT_READ`, or `PROT_NONE`.
pub(crate) fn protect_data(base: *mut u8, bytes: usize, access: libc::c_int) -> io::Result<()> {
    // SAFETY: callers pass a mapping of their own.
    let failed = unsafe { libc::mprotect(base.cast(), bytes.max(1), access) } != 0;
    if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
}
