//! The table of a program: what its host and its image on a device find each other by. Names are unique in a
//! program.

use super::records::{Array, HostEntry, Str, VERSION, check_version, layout};
use std::mem::offset_of;

/// A region.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Region {
    /// Name of its function.
    pub name: Str,
    /// Its host code.
    pub entry: Option<HostEntry>,
}

/// An object that the program declares for devices (`acc declare`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Object {
    /// As in the program.
    pub name: Str,
    /// Its address on the host.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
    /// 0 or [`Object::LINK`].
    pub flags: u32,
}

impl Object {
    /// `link`: it has a copy only while data clauses make one.
    pub const LINK: u32 = 1;

    /// Whether it has a copy only while data clauses make one.
    pub fn is_link(&self) -> bool {
        self.flags & Object::LINK != 0
    }
}

/// What a program has for devices. A second instance of the program for the host as a device has a table of
/// its own.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ProgramTable {
    /// [`VERSION`].
    pub version: u32,
    /// Its regions.
    pub regions: Array<Region>,
    /// Objects with `declare`.
    pub objects: Array<Object>,
}

impl ProgramTable {
    /// A table in the process's own data.
    pub const fn new(regions: &'static [Region], objects: &'static [Object]) -> ProgramTable {
        ProgramTable { version: VERSION, regions: Array::new(regions), objects: Array::new(objects) }
    }

    /// The table at an address; one of another version ends the program.
    ///
    /// # Safety
    /// The compiler made the table. It and all that it leads to stays as it is while the process lives.
    pub unsafe fn read(table: *const ProgramTable) -> &'static ProgramTable {
        // SAFETY: the caller's promise. The version is the first member of every layout.
        unsafe {
            check_version(*table.cast::<u32>());
            &*table
        }
    }

    /// Its regions.
    pub fn regions(&self) -> &'static [Region] {
        self.regions.list()
    }

    /// Objects with `declare`.
    pub fn objects(&self) -> &'static [Object] {
        self.objects.list()
    }
}

layout!(Region, 24, name at 0, entry at 16);
layout!(Object, 40, name at 0, address at 16, bytes at 24, flags at 32);
layout!(ProgramTable, 40, version at 0, regions at 8, objects at 24);
