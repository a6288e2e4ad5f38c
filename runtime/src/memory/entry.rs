//! Data clauses with their values, and what they brought about.

use super::table::{Counter, Range};
use crate::abi::{Elements, MapDesc, MapKind};
use crate::fatal::fatal;
use crate::values::MapValues;
use std::fmt;

/// A data clause, evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    /// The clause.
    pub(crate) desc: &'a MapDesc,
    /// The range, and the way to it.
    pub(crate) values: &'a MapValues,
}

impl Item<'_> {
    /// The bytes that it is about, or their first run.
    pub(super) fn range(&self) -> Range {
        Range { start: self.values.start, bytes: self.values.runs.bytes }
    }

    /// Ends the program because of this clause.
    #[cold]
    pub(super) fn fail(&self, message: fmt::Arguments<'_>) -> ! {
        let (pos, clause) = (&self.desc.pos, self.desc.kind().clause());
        match pos.line {
            0 => fatal(format_args!("acc_{clause}: {message}")),
            line => fatal(format_args!("{}:{line}: {clause} clause: {message}", pos.file)),
        }
    }
}

/// What a clause brought about, for the end of the lifetime and for the arguments of a region.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The clause.
    pub(crate) kind: MapKind,
    /// How it counts, if it does.
    pub(crate) counter: Counter,
    /// Of its modifiers, [`MapDesc::ALWAYS_OUT`].
    pub(crate) always_out: bool,
    /// [`MapDesc::READ_LATER`].
    pub(crate) read_later: bool,
    /// Its variable.
    pub(crate) name: &'static str,
    /// What its variable holds.
    pub(crate) elements: Option<&'static Elements>,
    /// The range.
    pub(crate) range: Range,
    /// The device's counterpart of its start, if there is one.
    pub(crate) device: Option<u64>,
    /// It is in the block that holds the range.
    pub(crate) counted: bool,
    /// It is counted there.
    pub(crate) holds: bool,
    /// Its block was made for it.
    pub(crate) is_new: bool,
    /// Device memory that belongs to the construct.
    pub(crate) temporary: bool,
    /// The pointer that the clause attached.
    pub(crate) attached: Option<u64>,
    /// Rows behind an array of pointers.
    pub(crate) rows: Vec<Entry>,
    /// The pointer member through which it is reached, where it came with the section.
    pub(crate) member: Option<Box<Entry>>,
    /// An object, entered before parts of it.
    pub(crate) is_whole: bool,
    /// Only members of the structure are there, among which the region finds those that it uses.
    pub(crate) by_members: bool,
}

impl Entry {
    /// Before anything is done.
    pub(super) fn new(kind: MapKind, item: Item<'_>, counter: Counter) -> Entry {
        Entry {
            kind,
            counter,
            always_out: item.desc.is(MapDesc::ALWAYS_OUT),
            read_later: item.desc.is(MapDesc::READ_LATER),
            name: item.desc.name.text(),
            elements: item.desc.elements,
            range: item.range(),
            device: None,
            counted: false,
            holds: false,
            is_new: false,
            temporary: false,
            attached: None,
            rows: Vec::new(),
            member: None,
            is_whole: false,
            by_members: false,
        }
    }
}

impl Entry {
    /// Whether the start of its lifetime may have copied more to the device than so many bytes.
    pub(crate) fn may_have_sent_more(&self, bytes: u64) -> bool {
        (self.is_new || self.temporary) && self.range.bytes > bytes || !self.rows.is_empty()
    }

    /// Whether the end of its lifetime may copy more to the host than so many bytes. A block that others have
    /// made is mostly theirs to copy.
    pub(crate) fn may_return_more(&self, bytes: u64) -> bool {
        let copies = matches!(self.kind, MapKind::Copy | MapKind::CopyOut);
        copies && (self.is_new || self.always_out) && (self.range.bytes > bytes || !self.rows.is_empty())
    }
}

/// The pointers in a range of host memory, with their addresses.
pub(super) fn pointers(range: Range) -> impl Iterator<Item = (u64, u64)> {
    const POINTER: u64 = size_of::<usize>() as u64;
    (0..range.bytes / POINTER).map(move |index| {
        let at = range.start + index * POINTER;
        // SAFETY: the program says that the range holds pointers.
        let value = unsafe { std::ptr::with_exposed_provenance::<u64>(at as usize).read_unaligned() };
        (at, value)
    })
}
