//! The records that descriptors are made of, as C structures of x86-64: what is between their members and
//! behind the last one is zero. The assertions at the end fix sizes and offsets.
//!
//! A record in compiled code is bytes that relocations complete. Whoever writes them takes offsets from the
//! types here (`offset_of!`); [`Array::FIRST`] and [`Array::COUNT`] are the two words of lists and texts.

use super::kinds::{ArgKind, ConstructKind, DataKind, MapKind, ScalarKind};
use crate::fatal::fatal;
use std::fmt;
use std::mem::offset_of;
use std::ops::Deref;

/// What descriptors of this layout begin with.
pub const VERSION: u32 = 1;

/// A constant list.
#[repr(C)]
pub struct Array<T: 'static> {
    first: *const T,
    count: u64,
}

impl<T> Array<T> {
    /// Offset of the address of the first element, 0 if there is none.
    pub const FIRST: usize = offset_of!(Array<T>, first);
    /// Offset of the number of elements, 64 bits.
    pub const COUNT: usize = offset_of!(Array<T>, count);

    /// A list in the process's own data.
    pub const fn new(list: &'static [T]) -> Array<T> {
        Array { first: list.as_ptr(), count: list.len() as u64 }
    }

    /// The elements.
    #[inline]
    pub fn list(&self) -> &'static [T] {
        if self.count == 0 {
            return &[];
        }
        // SAFETY: there are two ways to get an `Array`. `new` takes it from a slice that lives for ever. Else
        // it is in a descriptor or table, and whoever made a reference to that (the functions `read`) was
        // promised that its lists have as many elements as they say and that nobody ever changes them.
        unsafe { std::slice::from_raw_parts(self.first, self.count as usize) }
    }
}

// SAFETY: an `Array` is a shared reference to a slice by another layout.
unsafe impl<T: Sync> Send for Array<T> {}
// SAFETY: see above.
unsafe impl<T: Sync> Sync for Array<T> {}

impl<T> Clone for Array<T> {
    fn clone(&self) -> Array<T> {
        *self
    }
}

impl<T> Copy for Array<T> {}

impl<T: fmt::Debug> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list().fmt(f)
    }
}

/// A constant text in UTF-8, without a zero byte at its end.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Str(Array<u8>);

impl Str {
    /// A text in the process's own data.
    pub const fn new(text: &'static str) -> Str {
        Str(Array::new(text.as_bytes()))
    }

    /// The text.
    #[inline]
    pub fn text(&self) -> &'static str {
        // SAFETY: `new` takes text, and the makers of descriptors promise UTF-8, as for `Array::list`.
        unsafe { std::str::from_utf8_unchecked(self.0.list()) }
    }
}

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        self.text()
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A source position, for messages, profiles and traces.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SourcePos {
    /// File name as the user gave it.
    pub file: Str,
    /// Line, from 1.
    pub line: u32,
}

/// A scalar part of an element, or several in a row.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ElementPart {
    /// Byte offset in the element.
    pub offset: u64,
    /// How many.
    pub count: u64,
    /// Number of a [`ScalarKind`].
    pub kind: u32,
    /// Bytes that each takes in memory.
    pub bytes: u32,
}

impl ElementPart {
    /// What the bits mean. A complex number is two parts.
    #[inline]
    pub fn kind(&self) -> ScalarKind {
        ScalarKind::of(self.kind)
    }
}

/// What an array holds, over and over from its first byte on.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Elements {
    /// Bytes of an element, at least one.
    pub bytes: u64,
    /// The scalars in it. What they leave out means nothing; parts of a union may overlap.
    pub parts: Array<ElementPart>,
}

impl Elements {
    /// The scalars of an element.
    #[inline]
    pub fn parts(&self) -> &'static [ElementPart] {
        self.parts.list()
    }
}

/// A member of a structure that a compute construct uses.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Member {
    /// As written in the program.
    pub name: Str,
    /// Bytes from the start of the structure.
    pub offset: u64,
    /// Its bytes, at least one.
    pub bytes: u64,
    /// 1: only if a condition in the construct holds; else 0.
    pub maybe: u32,
}

impl Member {
    /// Whether the construct may do without it.
    #[inline]
    pub fn maybe(&self) -> bool {
        self.maybe != 0
    }
}

/// The constant part of a data clause.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MapDesc {
    /// As written in the program.
    pub name: Str,
    /// The clause.
    pub pos: SourcePos,
    /// Levels of rows behind it: how many strides each has.
    pub rows: Array<u32>,
    /// What the section holds, or what its rows do, where the program says; else null.
    pub elements: Option<&'static Elements>,
    /// Of what no clause names, a structure or a pointer to one: all members that the construct uses, if it
    /// uses nothing but members. None: whatever it likes.
    pub members: Array<Member>,
    /// Number of a [`MapKind`].
    pub kind: u32,
    /// Modifiers and properties: a sum of the constants below.
    pub flags: u32,
    /// How many strides the section has.
    pub strides: u32,
}

impl MapDesc {
    /// `zero`.
    pub const ZERO: u32 = 1;
    /// `readonly`.
    pub const READONLY: u32 = 2;
    /// `always` or `alwaysin`.
    pub const ALWAYS_IN: u32 = 4;
    /// `always` or `alwaysout`.
    pub const ALWAYS_OUT: u32 = 8;
    /// `capture`.
    pub const CAPTURE: u32 = 16;
    /// Of `create` on a construct: behind it, the host reads the object before it writes it. No clause says
    /// so; the simulator, which knows that a region's results are lost, asks whether anybody wanted them.
    pub const READ_LATER: u32 = 32;
    /// Determined by the compiler.
    pub const IMPLICIT: u32 = 64;
    /// The map is a section through a pointer, and its bias is meaningful.
    pub const THROUGH_POINTER: u32 = 128;
    /// A section that no clause of the program names. What of it is present is used, and nothing is copied
    /// then; the clause is for a section of which nothing is present. On `exit data`, a pointer without a
    /// section, which means the section that is present.
    pub const BY_USE: u32 = 256;
    /// `present` of OpenMP: the clause makes nothing, and what is not there ends the program.
    pub const REQUIRED: u32 = 512;
    /// Of `delete`: all lifetimes end (OpenMP's `delete`), as with [`DataDesc::FINALIZE`].
    pub const FINALIZE: u32 = 1024;

    /// The clause.
    #[inline]
    pub fn kind(&self) -> MapKind {
        MapKind::of(self.kind)
    }

    /// Whether one of the flags is set.
    #[inline]
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

/// Host code of a region: `args` has one 64-bit value per parameter; the code executes gang `gang` of
/// `gangs`.
pub type HostEntry = unsafe extern "C" fn(args: *const u64, gang: u64, gangs: u64);

/// How an argument of a region is made at launch.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ArgDesc {
    /// Of a [`ArgKind::PointerValue`], the pointer's name.
    pub name: Str,
    /// Number of an [`ArgKind`].
    pub kind: u32,
    /// Of an [`ArgKind::Address`] or [`ArgKind::Pointer`], the index of the map.
    pub map: u32,
}

impl ArgDesc {
    /// How it is made.
    #[inline]
    pub fn kind(&self) -> ArgKind {
        ArgKind::of(self.kind)
    }
}

/// A compute construct, as the host launches it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LaunchDesc {
    /// [`VERSION`].
    pub version: u32,
    /// Number of a [`ConstructKind`].
    pub kind: u32,
    /// Host code of the region.
    pub host_entry: Option<HostEntry>,
    /// Name of the region's function.
    pub region: Str,
    /// The function that holds the construct.
    pub function: Str,
    /// The directive.
    pub pos: SourcePos,
    /// Data clauses.
    pub maps: Array<MapDesc>,
    /// Arguments, parallel to the region's parameters.
    pub args: Array<ArgDesc>,
    /// What holds for every launch: a sum of the flags below.
    pub flags: u32,
    /// How many constructs behind the directive are a part of the launch.
    pub fused: u32,
}

impl LaunchDesc {
    /// A `wait` clause stands there (without queues: wait for all).
    pub const WAIT: u32 = 1;
    /// The values have the clauses of a task.
    pub const TASK: u32 = 2;
    /// The host executes it with one gang.
    pub const ONE_GANG: u32 = 4;
    /// The number of gangs that the launch asks for is that of OpenMP's `num_teams`: not a hint.
    pub const TEAMS: u32 = 8;

    /// The descriptor at an address; one of another version ends the program.
    ///
    /// # Safety
    /// The compiler made the descriptor. It and all that it leads to stays as it is while the process lives.
    #[inline]
    pub unsafe fn read(desc: *const LaunchDesc) -> &'static LaunchDesc {
        // SAFETY: the caller's promise. The version is the first member of every layout, and all others are
        // read only behind it.
        unsafe {
            check_version(*desc.cast::<u32>());
            &*desc
        }
    }

    /// The directive.
    #[inline]
    pub fn kind(&self) -> ConstructKind {
        ConstructKind::of(self.kind)
    }

    /// Host code of the region; a descriptor without ends the program.
    #[inline]
    pub fn entry(&self) -> HostEntry {
        self.host_entry.unwrap_or_else(|| self.no_entry())
    }

    #[cold]
    fn no_entry(&self) -> ! {
        let LaunchDesc { pos: SourcePos { file, line }, region, .. } = self;
        fatal(format_args!("{file}:{line}: compiler bug: the region `{region}` has no host code"))
    }

    /// Whether one of the flags is set.
    #[inline]
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// Whether a `wait` clause stands there.
    #[inline]
    pub fn wait(&self) -> bool {
        self.is(LaunchDesc::WAIT)
    }

    /// Whether the values have the clauses of a task.
    #[inline]
    pub fn task(&self) -> bool {
        self.flags & LaunchDesc::TASK != 0
    }

    /// Data clauses.
    #[inline]
    pub fn maps(&self) -> &'static [MapDesc] {
        self.maps.list()
    }

    /// Arguments, parallel to the region's parameters.
    #[inline]
    pub fn args(&self) -> &'static [ArgDesc] {
        self.args.list()
    }
}

/// A data directive.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DataDesc {
    /// [`VERSION`].
    pub version: u32,
    /// Number of a [`DataKind`].
    pub kind: u32,
    /// Clauses without arguments: a sum of the constants below.
    pub flags: u32,
    /// The function that holds the directive.
    pub function: Str,
    /// The directive.
    pub pos: SourcePos,
    /// Data clauses.
    pub maps: Array<MapDesc>,
}

impl DataDesc {
    /// A `wait` clause stands there (without queues: wait for all).
    pub const WAIT: u32 = 1;
    /// `finalize`, of `exit data`.
    pub const FINALIZE: u32 = 2;
    /// `if_present`, of `update` and `host_data`.
    pub const IF_PRESENT: u32 = 4;
    /// The values have the clauses of a task.
    pub const TASK: u32 = 8;

    /// The descriptor at an address; one of another version ends the program.
    ///
    /// # Safety
    /// As for [`LaunchDesc::read`].
    #[inline]
    pub unsafe fn read(desc: *const DataDesc) -> &'static DataDesc {
        // SAFETY: as for `LaunchDesc::read`.
        unsafe {
            check_version(*desc.cast::<u32>());
            &*desc
        }
    }

    /// The directive.
    #[inline]
    pub fn kind(&self) -> DataKind {
        DataKind::of(self.kind)
    }

    /// Whether one of the flags is set.
    #[inline]
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// Data clauses.
    #[inline]
    pub fn maps(&self) -> &'static [MapDesc] {
        self.maps.list()
    }
}

#[inline]
pub(super) fn check_version(version: u32) {
    if version != VERSION {
        other_version(version);
    }
}

#[cold]
fn other_version(version: u32) -> ! {
    fatal(format_args!(
        "the program was compiled for version {version} of the runtime, this is version {VERSION}"
    ))
}

/// Fixes the size of a record and where its members are.
macro_rules! layout {
    ($record:ty, $bytes:literal $(, $member:ident at $offset:literal)* $(,)?) => {
        const _: () = {
            assert!(size_of::<$record>() == $bytes && align_of::<$record>() == 8);
            $(assert!(offset_of!($record, $member) == $offset);)*
        };
    };
}

pub(super) use layout;

const _: () = assert!(Array::<u8>::FIRST == 0 && Array::<u8>::COUNT == 8);
layout!(Array<MapDesc>, 16);
layout!(Str, 16);
layout!(SourcePos, 24, file at 0, line at 16);
layout!(ElementPart, 24, offset at 0, count at 8, kind at 16, bytes at 20);
layout!(Elements, 24, bytes at 0, parts at 8);
layout!(Member, 40, name at 0, offset at 16, bytes at 24, maybe at 32);
layout!(MapDesc, 96, name at 0, pos at 16, rows at 40, elements at 56, members at 64, kind at 80, flags at 84,
    strides at 88);
layout!(ArgDesc, 24, name at 0, kind at 16, map at 20);
layout!(LaunchDesc, 112, version at 0, kind at 4, host_entry at 8, region at 16, function at 32, pos at 48, maps at 72,
    args at 88, flags at 104);
layout!(DataDesc, 72, version at 0, kind at 4, flags at 8, function at 16, pos at 32, maps at 56);
